//! The kinds of containers, and the state of one that is open.

/// The kinds of containers.
///
/// ```
/// use packord::{Container, Token, Walker};
/// let mut walker = Walker::new(b"\x80");
/// assert_eq!(walker.next()?.unwrap().token, Token::Map(0));
/// assert_eq!(walker.next()?.unwrap().token, Token::End(Container::Map));
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Container {
    // From 1 on, as 0 means none.
    /// An array.
    Array = 1,
    /// A map.
    Map = 2,
    /// A record (`spec/records.md`): the values of a structure's keys.
    Record = 3,
}

/// A container's kind and the number of its values that are still to be read; 0 means that no
/// container was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenContainer(u64);

impl OpenContainer {
    #[inline(always)]
    pub const fn new(kind: Container, left: u64) -> OpenContainer {
        OpenContainer(left << 2 | kind as u64)
    }

    pub fn is_some(self) -> bool {
        self.0 != 0
    }

    #[inline(always)]
    pub fn kind(self) -> Container {
        match self.0 & 3 {
            1 => Container::Array,
            2 => Container::Map,
            _ => Container::Record,
        }
    }

    #[inline(always)]
    pub fn left(self) -> u64 {
        self.0 >> 2
    }

    #[inline(always)]
    pub fn take_one(&mut self) {
        self.0 -= 4;
    }

    #[inline(always)]
    pub fn at_key(self) -> bool {
        self.0 & 3 == Container::Map as u64 && self.left() & 1 == 0
    }

    #[inline(always)]
    pub fn after_key(self) -> bool {
        self.0 & 3 == Container::Map as u64 && self.left() & 1 == 1
    }
}

const _: () = assert!(size_of::<OpenContainer>() == 8);
