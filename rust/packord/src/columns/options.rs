//! The options of reading and writing columns.

use super::values::READER;
use super::write::write_columns;
use crate::encode::{EncodeOptions, WriteColumns};
use crate::error::Result;
use crate::options::{DecodeOptions, Utf8};
use crate::walk::Expanded;
use alloc::borrow::Cow;

impl DecodeOptions {
    /// Whether values that are stored by column are read (`spec/columns.md`): ext type 92, which is a
    /// value like other exts otherwise. Not with [`canonical`](DecodeOptions::canonical).
    ///
    /// [`Document`](crate::Document) and [`Walker`](crate::Walker) check them and still show an ext, and
    /// so does a `Deserializer` of serde by itself, without a check;
    /// [`expand_columns`](DecodeOptions::expand_columns) writes the message without them.
    /// [`decode_ref`](DecodeOptions::decode_ref) cannot borrow a column of exts and reports
    /// `invalid_ext`.
    ///
    /// ```
    /// use packord::{DecodeOptions, Value};
    /// // 32 times 7, by column.
    /// let bytes = b"\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// let value = DecodeOptions::new().columns(true).decode(bytes)?;
    /// assert_eq!(value, Value::from([7; 32]));
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub const fn columns(mut self, on: bool) -> Self {
        self.rules.columns = if on { Some(&READER) } else { None };
        self
    }

    /// Maximum number of bytes of plain MessagePack that columns may stand for, for each byte of their
    /// payload, beyond 4096; more is `length_limit`. The default is 16.
    ///
    /// ```
    /// use packord::{DecodeOptions, ErrorKind};
    /// let options = DecodeOptions::new().columns(true).max_expansion(1);
    /// let bytes = b"\xc7\x0a\x5c\x01\xcd\x13\x88\x01\0\x02\0\x01\xc0";
    /// assert_eq!(options.decode(bytes).unwrap_err().kind(), ErrorKind::LengthLimit);
    /// ```
    #[must_use]
    pub const fn max_expansion(mut self, times: u32) -> Self {
        self.rules.max_expansion = times;
        self
    }

    /// Returns one message with the values that are stored by column (`spec/columns.md`) written as
    /// plain MessagePack: the same bytes if there are none. All else stays as it is, records too.
    ///
    /// A program that borrows from its input, or walks through it, expands it first.
    ///
    /// ```
    /// use packord::{DecodeOptions, Document};
    /// // 32 times 7, by column, in an array.
    /// let bytes = b"\x91\xc7\x11\x5c\x01\x23\x21\x01\x0b\x07\x20\x01\x20\x20\x06\x01\x01\0\0\x01\x07";
    /// let plain = DecodeOptions::new().expand_columns(bytes)?;
    /// assert_eq!(plain.len(), 36);
    /// assert_eq!(Document::parse(&plain)?.path("[0][31]").and_then(|node| node.as_i64()), Some(7));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first fault in the bytes, at the marker of the ext if it is in columns; `trailing_bytes` if
    /// anything follows the message and [`trailing`](DecodeOptions::trailing) is not allowed.
    pub fn expand_columns<'a>(&self, bytes: &'a [u8]) -> Result<Cow<'a, [u8]>> {
        let options = self.clone().columns(true);
        match Expanded::of(bytes, &options, self.record_state(), Utf8::Error)? {
            Some(expanded) => {
                let plain = self.clone().without_columns();
                let valid = plain.validate(&expanded.bytes);
                valid.map_err(|error| expanded.error(error, &options, bytes))?;
                Ok(Cow::Owned(expanded.bytes))
            }
            None => self.validate(bytes).map(|()| Cow::Borrowed(bytes)),
        }
    }
}

impl EncodeOptions {
    /// Whether arrays and maps are written as columns (`spec/columns.md`) where that is smaller. They
    /// are read as the values that they stand for by readers that have columns switched on; for
    /// others they are exts of type 92.
    ///
    /// Columns need a second pass over the message. A value of less than 512 bytes is never
    /// columns, nor is one that holds an ext of type 92. Messages of 4 GiB or more are written
    /// without columns, and so is the canonical form. With [`records`](EncodeOptions::records), maps
    /// outside of columns are records.
    ///
    /// ```
    /// use packord::{DecodeOptions, EncodeOptions, Value};
    /// let rows: Value = (0..100).map(|id| Value::from([("id", id), ("size", 10 * id)])).collect();
    /// let plain = EncodeOptions::new().encode(&rows)?;
    /// let columns = EncodeOptions::new().columns(true).encode(&rows)?;
    /// assert!(columns.len() < 50 && plain.len() > 1000);
    /// assert_eq!(columns[..3], [0xc7, columns.len() as u8 - 3, 92]);
    /// assert_eq!(DecodeOptions::new().columns(true).decode(&columns)?, rows);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub const fn columns(mut self, on: bool) -> Self {
        self.columns = if on { Some(WriteColumns(write_columns)) } else { None };
        self
    }
}
