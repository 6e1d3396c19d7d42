//! [`RawMessage`].

use super::validate;
use crate::error::Result;
use alloc::vec::Vec;

/// The bytes of one whole message, which are passed on as they are: a part of a type that is read
/// or written by the typed traits or by serde, and is not looked into. The bytes are checked when it
/// is made or read. `RawMessage<&[u8]>` borrows them from the input.
///
/// ```
/// use packord::{Packable, RawMessage, Unpackable};
///
/// let (id, rest) = <(u8, RawMessage)>::unpack(b"\x92\x07\x81\xa1a\xcd\x00\x01")?;
/// assert_eq!(rest.as_bytes(), b"\x81\xa1a\xcd\x00\x01");
/// assert_eq!((id, rest).pack_to_vec(), b"\x92\x07\x81\xa1a\xcd\x00\x01");
/// assert!(RawMessage::new(b"\x92\x01").is_err());
/// # Ok::<(), packord::Error>(())
/// ```
///
/// While records are on, the bytes of a value may not stand for themselves: it is then written and
/// read as a value, and cannot be borrowed or be read by serde.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RawMessage<B = Vec<u8>>(B);

impl<B: AsRef<[u8]>> RawMessage<B> {
    /// Returns the message.
    ///
    /// # Errors
    ///
    /// The first fault in the bytes; `trailing_bytes` if they are more than one message.
    pub fn new(bytes: B) -> Result<RawMessage<B>> {
        validate(bytes.as_ref())?;
        Ok(RawMessage(bytes))
    }

    pub(crate) fn checked(bytes: B) -> RawMessage<B> {
        RawMessage(bytes)
    }

    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_ref()
    }

    /// Returns the bytes, which are moved out.
    pub fn into_bytes(self) -> B {
        self.0
    }
}
