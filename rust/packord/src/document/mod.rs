//! [`Document`]: access to any part of a message after reading it once.

mod build;
mod node;
mod path;
mod tape;

pub use node::{Elements, Entries, Node, NodeKey};

use crate::error::{Error, ErrorKind, Result};
use crate::options::{DecodeOptions, Trailing};
use crate::read::ValueDecoder;
use crate::read::check_trailing;
use crate::record::Structure;
use crate::value::Value;
use alloc::vec::Vec;
use tape::Cells;

/// A message that was checked whole, with an index of its values: 16 bytes for each.
///
/// A document costs a fraction of the time of a [`Value`]: no string is copied, and only the index
/// is allocated. Later, any value inside it is skipped in one step, however large it is. Documents
/// are made, read and dropped without recursion.
///
/// ```
/// use packord::Document;
///
/// let bytes = b"\x81\xa5users\x92\x81\xa4name\xa3Ann\x81\xa4name\xa3Bob";
/// let document = Document::parse(bytes)?;
/// assert_eq!(document.path("users[1].name").unwrap().as_str(), Some("Bob"));
/// for user in document.root().get("users").unwrap().elements() {
///     println!("{}", user.get("name").unwrap());
/// }
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Debug)]
pub struct Document<'a> {
    input: &'a [u8],
    /// The message's length.
    end: usize,
    cells: Cells,
    /// The structures of records, which their cells name by index.
    structures: Vec<Structure>,
    /// Whether bigint exts are integers.
    bigint: bool,
}

impl<'a> Document<'a> {
    /// Reads one message. The bytes must be exactly one message.
    ///
    /// # Errors
    ///
    /// The first fault in the bytes, with its offset and path, as [`from_slice`](crate::from_slice)
    /// reports it. `length_limit` for more than 4 GiB, which is the limit of the index.
    pub fn parse(bytes: &'a [u8]) -> Result<Document<'a>> {
        DecodeOptions::new().document(bytes)
    }

    /// Returns the top-level value.
    #[must_use]
    pub fn root(&self) -> Node<'_, 'a> {
        Node::new(self, 0)
    }

    /// Returns the value at a path from the top-level value; see [`Node::path`].
    #[must_use]
    pub fn path(&self, path: &str) -> Option<Node<'_, 'a>> {
        self.root().path(path)
    }

    /// Returns the number of values, keys and containers included.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.cells.len()
    }

    /// Returns the bytes of the message.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        &self.input[..self.end]
    }

    /// Returns the message as a value that owns its strings.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.root().to_value()
    }
}

impl DecodeOptions {
    /// Reads one message into a [`Document`].
    ///
    /// ```
    /// use packord::DecodeOptions;
    /// let options = DecodeOptions::new().records(true);
    /// let document = options.document(b"\x92\xd4\x72\x40\x91\xa1a\x01\x40\x02")?;
    /// assert_eq!(document.path("[1].a").unwrap().as_u64(), Some(2));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Document::parse`]. A str that [`Utf8::Replace`](crate::Utf8) would change cannot be
    /// borrowed: it is `invalid_utf8`.
    pub fn document<'a>(&self, bytes: &'a [u8]) -> Result<Document<'a>> {
        if bytes.len() > u32::MAX as usize {
            return Err(Error::at(ErrorKind::LengthLimit, 0));
        }
        let rules = self.rules();
        let quick = if rules.checked() {
            None
        } else {
            tape::quick(bytes, &rules)
        };
        let (cells, structures, end) = match quick {
            Some((cells, end)) => (cells, Vec::new(), end),
            None => {
                let mut decoder = ValueDecoder::new(self.record_state());
                let (cells, structures) =
                    tape::read(&mut decoder, bytes, &rules).map_err(|fault| self.located(fault.into(), bytes))?;
                (cells, structures, decoder.pos)
            }
        };
        check_trailing(bytes, end, self.trailing == Trailing::Allow)?;
        Ok(Document {
            input: bytes,
            end,
            cells,
            structures,
            bigint: self.rules.bigint,
        })
    }
}
