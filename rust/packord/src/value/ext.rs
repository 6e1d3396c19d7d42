//! [`Ext`]: an extension value.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// An ext: a type, −128 to 127, and a payload. `B` holds both, the type first, as on the wire.
///
/// ```
/// use packord::{Ext, Value};
/// let ext = Ext::new(5, b"abc");
/// assert_eq!((ext.kind(), ext.payload()), (5, &b"abc"[..]));
/// assert_eq!(packord::to_vec(&Value::from(ext))?, b"\xc7\x03\x05abc");
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ext<B = Box<[u8]>>(B);

impl Ext<Box<[u8]>> {
    /// Returns an ext of a type and a payload.
    #[must_use]
    pub fn new(kind: i8, payload: &[u8]) -> Ext<Box<[u8]>> {
        let mut tagged = Vec::with_capacity(1 + payload.len());
        tagged.push(kind as u8);
        tagged.extend_from_slice(payload);
        Ext(tagged.into())
    }
}

impl<B: AsRef<[u8]>> Ext<B> {
    /// Returns an ext of bytes that begin with the type, or `None` if they are empty.
    ///
    /// ```
    /// use packord::Ext;
    /// let ext = Ext::from_tagged(&b"\x05abc"[..]).unwrap();
    /// assert_eq!((ext.kind(), ext.payload()), (5, &b"abc"[..]));
    /// ```
    pub fn from_tagged(tagged: B) -> Option<Ext<B>> {
        if tagged.as_ref().is_empty() {
            None
        } else {
            Some(Ext(tagged))
        }
    }

    /// Returns the type followed by the payload; see [`from_tagged`](Ext::from_tagged).
    #[must_use]
    pub fn tagged(&self) -> &[u8] {
        self.0.as_ref()
    }

    /// Returns the type.
    #[must_use]
    pub fn kind(&self) -> i8 {
        self.0.as_ref().first().map_or(0, |&kind| kind as i8)
    }

    /// Returns the payload.
    #[must_use]
    pub fn payload(&self) -> &[u8] {
        self.0.as_ref().get(1..).unwrap_or_default()
    }
}

impl<B> Ext<B> {
    /// Returns the same ext with another holder of the same bytes.
    pub(super) fn map<'t, C>(&'t self, copy: impl Fn(&'t B) -> C) -> Ext<C> {
        Ext(copy(&self.0))
    }

    /// Returns an ext of bytes that are known to begin with the type.
    pub(crate) fn trusted(tagged: B) -> Ext<B> {
        Ext(tagged)
    }
}
