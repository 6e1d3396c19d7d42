//! [`Structure`]: the keys of a record; [`Structures`]: the list that writer and reader share.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// The list of keys of records, in their order. Cloning it shares it.
///
/// ```
/// use packord::Structure;
/// let structure = Structure::new(["id", "name"]);
/// assert_eq!(structure.keys().collect::<Vec<_>>(), ["id", "name"]);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Structure(pub(crate) Arc<Box<[Box<str>]>>);

impl Structure {
    /// Returns a structure of these keys.
    pub fn new<K: Into<Box<str>>>(keys: impl IntoIterator<Item = K>) -> Structure {
        Structure(Arc::new(keys.into_iter().map(Into::into).collect()))
    }

    /// Returns the keys in their order.
    #[must_use]
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator + Clone {
        self.0.iter().map(|key| &**key)
    }

    /// Returns the key at an index.
    #[must_use]
    pub fn key(&self, index: usize) -> Option<&str> {
        self.0.get(index).map(|key| &**key)
    }

    /// Returns the number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn is_same(&self, other: &Structure) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.keys()).finish()
    }
}

/// The structures that both sides know: encoder and decoder have the same list. The list only
/// grows. The caller keeps it, for example in a file, as lists of keys.
///
/// ```
/// use packord::Structures;
/// let mut structures = Structures::new();
/// structures.push(["id", "name"]);
/// assert_eq!(structures.len(), 1);
/// assert_eq!(structures.iter().next().unwrap().key(1), Some("name"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structures {
    pub(crate) list: Vec<Structure>,
}

impl Structures {
    /// Returns an empty list.
    #[must_use]
    pub const fn new() -> Structures {
        Structures { list: Vec::new() }
    }

    /// Adds a structure at the end. Structures after the first 8192 are not used.
    pub fn push<K: Into<Box<str>>>(&mut self, keys: impl IntoIterator<Item = K>) {
        self.list.push(Structure::new(keys));
    }

    /// Returns the structures, index 0 first.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Structure> + DoubleEndedIterator {
        self.list.iter()
    }

    /// Returns the number of structures.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl FromIterator<Structure> for Structures {
    fn from_iter<I: IntoIterator<Item = Structure>>(structures: I) -> Structures {
        Structures {
            list: structures.into_iter().collect(),
        }
    }
}

/// The start of a record: its structure and the form of its id.
///
/// ```
/// use packord::{DecodeOptions, Token, Walker};
/// let options = DecodeOptions::new().records(true);
/// let event = Walker::with_options(b"\xd4\x72\x40\x91\xa1a\x01", &options).next()?;
/// let Some(Token::Record(head)) = event.map(|event| event.token) else { panic!() };
/// assert_eq!((head.index, head.defined, head.structure.key(0)), (0, true, Some("a")));
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordHead {
    /// The structure; one value follows for each of its keys.
    pub structure: Structure,
    /// The structure's index, 0 to 8191. Diagnostic notation shows it plus 64.
    pub index: u16,
    /// Whether the id has two bytes.
    pub two_byte: bool,
    /// Whether the structure is defined here.
    pub defined: bool,
}

impl RecordHead {
    pub(crate) fn id_len(&self) -> usize {
        1 + usize::from(self.two_byte)
    }
}
