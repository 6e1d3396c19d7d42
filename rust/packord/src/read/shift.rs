//! Decoding an input that is a moving window.

use super::decoder::ValueDecoder;

impl ValueDecoder {
    /// Moves all indexes: the first `count` bytes of the input were dropped.
    pub fn shift(&mut self, count: usize) {
        self.pos = self.pos.saturating_sub(count);
        self.message_start = self.message_start.saturating_sub(count);
        self.announced = self.announced.saturating_sub(count as u64);
        if let Some(records) = &mut self.records {
            records.shift(count);
        }
    }

    /// Returns the index of the first byte that is needed again after `eof`.
    #[cfg(feature = "std")]
    pub fn kept(&self) -> usize {
        let definition = self.records.as_ref().and_then(|records| records.partial_start());
        definition.unwrap_or(self.pos)
    }
}
