//! What a decoder has to do where its input is a window that moves.

use super::decoder::ValueDecoder;

impl ValueDecoder {
    /// The first `count` bytes of the input are gone.
    pub fn shift(&mut self, count: usize) {
        self.pos = self.pos.saturating_sub(count);
        self.message_start = self.message_start.saturating_sub(count);
        self.announced = self.announced.saturating_sub(count as u64);
        if let Some(records) = &mut self.records {
            records.shift(count);
        }
    }

    /// The index of the first byte that is needed again when a try ended in `eof`.
    pub fn kept(&self) -> usize {
        let definition = self
            .records
            .as_ref()
            .and_then(|records| records.partial_start());
        definition.unwrap_or(self.pos)
    }
}
