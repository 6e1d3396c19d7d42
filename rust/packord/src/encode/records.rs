//! [`RecordEncoder`]: writes records in many messages.

use super::{EncodeOptions, Form, write_with};
use crate::error::Result;
use crate::record::{RecordIds, Structures};
use crate::value::Tree;
use alloc::vec::Vec;
use core::borrow::Borrow;

/// Writes messages with records, and keeps the structures that outlast them: a shared list, or
/// those of a sequential stream (`spec/records.md` sections 5 and 6).
///
/// ```
/// use packord::{DecodeOptions, EncodeOptions, RecordEncoder, Structures, Value};
///
/// let mut encoder = RecordEncoder::with_shared(EncodeOptions::new(), Structures::new());
/// let bytes = encoder.encode(&Value::from([("id", 1), ("size", 2)]))?;
/// assert_eq!(bytes, b"\x40\x01\x02");
///
/// let structures = encoder.into_structures();
/// assert_eq!(structures.len(), 1);
/// let value = DecodeOptions::new().shared_structures(structures).decode(&bytes)?;
/// assert_eq!(value["size"], 2);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct RecordEncoder {
    options: EncodeOptions,
    writer: RecordIds,
}

impl RecordEncoder {
    /// Returns an encoder without a shared list. The option `records` is always on, except with the
    /// canonical form, which has no records.
    #[must_use]
    pub fn new(options: impl Borrow<EncodeOptions>) -> RecordEncoder {
        let options = *options.borrow();
        let writer = options.own_ids();
        RecordEncoder { options, writer }
    }

    /// Returns an encoder with a shared list, which grows with each new structure.
    #[must_use]
    pub fn with_shared(options: impl Borrow<EncodeOptions>, structures: Structures) -> RecordEncoder {
        let options = *options.borrow();
        let writer = RecordIds::new(options.id_space(true), Some(structures));
        RecordEncoder { options, writer }
    }

    /// Returns the shared list in its current state.
    #[must_use]
    pub fn structures(&self) -> &Structures {
        &self.writer.shared
    }

    /// Returns the shared list after the last message.
    ///
    /// ```
    /// use packord::{EncodeOptions, RecordEncoder, Structures, Value};
    /// let mut encoder = RecordEncoder::with_shared(EncodeOptions::new(), Structures::new());
    /// encoder.encode(&Value::from([("id", 7)]))?;
    /// assert_eq!(encoder.into_structures().iter().next().unwrap().key(0), Some("id"));
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn into_structures(self) -> Structures {
        self.writer.shared
    }

    /// Writes one message.
    ///
    /// # Errors
    ///
    /// As for [`EncodeOptions::encode`]. After an error the encoder is unchanged.
    pub fn encode<S: AsRef<str>, B: AsRef<[u8]>>(&mut self, value: &Tree<S, B>) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.encode_into(value, &mut out)?;
        Ok(out)
    }

    /// Appends one message to the vector.
    ///
    /// # Errors
    ///
    /// As for [`encode`](RecordEncoder::encode). After an error the vector is unchanged.
    pub fn encode_into<S, B>(&mut self, value: &Tree<S, B>, out: &mut Vec<u8>) -> Result<()>
    where
        S: AsRef<str>,
        B: AsRef<[u8]>,
    {
        if self.options.form != Form::Plain {
            return write_with(&self.options, value, out, None);
        }
        self.writer.begin();
        if self.options.has_columns() {
            let mut plain = Vec::new();
            write_with(&self.options, value, &mut plain, None)?;
            let records = Some(&mut self.writer);
            if self.options.put_columns(&plain, records, out)? {
                return Ok(());
            }
        }
        let outcome = write_with(&self.options, value, out, Some(&mut self.writer));
        if outcome.is_err() {
            self.writer.rollback();
        }
        outcome
    }

    /// Lets a typed value be written with the structures.
    pub(crate) fn with_writer<T>(
        &mut self,
        write: impl FnOnce(&EncodeOptions, RecordIds) -> (Result<T>, Option<RecordIds>),
    ) -> Result<T> {
        let fresh = self.options.own_ids();
        let writer = core::mem::replace(&mut self.writer, fresh);
        let (outcome, writer) = write(&self.options, writer);
        if let Some(writer) = writer {
            self.writer = writer;
        }
        if outcome.is_err() {
            self.writer.rollback();
        }
        outcome
    }
}
