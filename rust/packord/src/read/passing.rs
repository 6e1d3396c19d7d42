//! Passing over the rest of a message at fault (`spec/format.md` section 6.1).

use super::decoder::ValueDecoder;
use super::fault::Fault;
use super::rules::Rules;
use crate::error::ErrorKind;
use crate::wire::header::Head;

/// What is still to come of a message at fault.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passing {
    /// Number of bytes of which nothing needs to be known.
    bytes: u64,
    /// Number of values after them.
    values: u64,
}

impl Passing {
    /// Returns what is left of the decoder's message after `bytes` bytes, which are passed over unread.
    pub fn new(decoder: &ValueDecoder, bytes: u64) -> Passing {
        Passing {
            bytes,
            values: decoder.pending,
        }
    }

    pub fn is_done(&self) -> bool {
        self.bytes == 0 && self.values == 0
    }

    /// Returns how many bytes are to come at least.
    #[cfg(feature = "std")]
    pub fn needs(&self) -> u64 {
        self.bytes.saturating_add(self.values)
    }

    /// Passes over what is there from the index `at` on, and returns the index after it. The next
    /// call begins there, with more bytes; the decoder has kept what it knows of a definition there.
    ///
    /// The values are not compared with the bytes that are there: more may come.
    /// Without `RECORDS` the message has none.
    pub fn take<const RECORDS: bool>(
        &mut self,
        input: &[u8],
        mut at: usize,
        decoder: &mut ValueDecoder,
        rules: &Rules,
    ) -> Result<usize, Fault> {
        let rules = Rules {
            max_depth: u32::MAX,
            max_nodes: u64::MAX,
            max_map_len: u32::MAX,
            ..*rules
        };
        loop {
            let there = input.len() - at;
            let taken = usize::try_from(self.bytes).map_or(there, |bytes| bytes.min(there));
            at += taken;
            self.bytes -= taken as u64;
            if self.bytes > 0 || self.values == 0 {
                return Ok(at);
            }
            match self.header::<RECORDS>(input, at, decoder, &rules) {
                Ok(end) => at = end,
                Err(fault) if fault.kind == ErrorKind::Eof => return Ok(at),
                Err(fault) => return Err(fault),
            }
        }
    }

    /// Reads the header or the definition at `at`; returns where it ends.
    fn header<const RECORDS: bool>(
        &mut self,
        input: &[u8],
        at: usize,
        decoder: &mut ValueDecoder,
        rules: &Rules,
    ) -> Result<usize, Fault> {
        let extent = Head::checked(input, at).map_err(|kind| Fault::new(kind, at))?;
        let record = if RECORDS {
            decoder.pass_record(input, rules, at, extent.ext_type)?
        } else {
            None
        };
        let (end, values) = record.unwrap_or((extent.end, extent.values));
        self.bytes = if record.is_some() { 0 } else { extent.payload };
        self.values = (self.values - 1).saturating_add(values);
        Ok(end)
    }
}
