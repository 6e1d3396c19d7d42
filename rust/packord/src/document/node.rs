//! [`Node`]: a value of a document.

use super::Document;
use super::tape::{Cell, Tag};
use crate::ext::Timestamp;
use crate::record::Structure;
use crate::value::{Integer, Value};
use crate::wire::header::Header;
use crate::wire::utf8;
use core::fmt;

/// A value of a [`Document`]. It has two words and is `Copy`. The strings and bytes that it returns
/// live as long as the input.
///
/// ```
/// use packord::Document;
/// let document = Document::parse(b"\x81\xa3ids\x92\x07\x08")?;
/// let ids = document.root().get("ids").unwrap();
/// assert_eq!((ids.len(), ids.at(1).unwrap().as_u64()), (2, Some(8)));
/// assert_eq!(ids.elements().map(|id| id.offset()).collect::<Vec<_>>(), [6, 7]);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Node<'d, 'a> {
    pub(super) document: &'d Document<'a>,
    pub(super) index: usize,
}

/// A key of a map: any value, or the name of a record's field.
///
/// ```
/// use packord::Document;
/// let document = Document::parse(b"\x82\xa1a\x01\x02\x03")?;
/// let keys: Vec<_> = document.root().entries().map(|(key, _)| key.as_str()).collect();
/// assert_eq!(keys, [Some("a"), None]);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum NodeKey<'d, 'a> {
    /// A key that is a value of its own.
    Node(Node<'d, 'a>),
    /// The name of a record's field, which counts as a str key.
    Name(&'d str),
}

impl<'d, 'a> NodeKey<'d, 'a> {
    /// Returns the string of a str key.
    #[must_use]
    pub fn as_str(self) -> Option<&'d str> {
        match self {
            NodeKey::Node(node) => node.as_str(),
            NodeKey::Name(name) => Some(name),
        }
    }

    /// Returns the key if it is not a str.
    #[must_use]
    pub fn as_other(self) -> Option<Node<'d, 'a>> {
        match self {
            NodeKey::Node(node) if node.as_str().is_none() => Some(node),
            _ => None,
        }
    }

    fn is(self, text: &str) -> bool {
        match self {
            NodeKey::Node(node) => node.tag() == Tag::Str && node.payload() == text.as_bytes(),
            NodeKey::Name(name) => name == text,
        }
    }

    pub(super) fn equals(self, value: &Value) -> bool {
        match self {
            NodeKey::Node(node) => node.to_value() == *value,
            NodeKey::Name(name) => value.as_str() == Some(name),
        }
    }
}

impl<'d, 'a> Node<'d, 'a> {
    pub(super) fn new(document: &'d Document<'a>, index: usize) -> Node<'d, 'a> {
        Node { document, index }
    }

    pub(super) fn cell(self) -> Cell {
        self.document.cells.get(self.index).unwrap_or(Cell::NIL)
    }

    pub(super) fn tag(self) -> Tag {
        self.cell().tag
    }

    /// Returns the length of the header of a str, bin or ext.
    fn header(self) -> usize {
        Header::of(self.document.input[self.offset()]).len()
    }

    pub(super) fn payload(self) -> &'a [u8] {
        let begin = self.offset() + self.header();
        &self.document.input[begin..begin + self.cell().data as usize]
    }

    pub(super) fn tagged(self) -> &'a [u8] {
        let begin = self.offset() + self.header();
        &self.document.input[begin - 1..begin + self.cell().data as usize]
    }

    pub(super) fn structure(self) -> Option<&'d Structure> {
        let cell = self.cell();
        let index = (cell.tag == Tag::Record).then(|| cell.low() as usize)?;
        self.document.structures.get(index)
    }

    /// Returns the offset of the value in the input.
    #[must_use]
    pub fn offset(self) -> usize {
        self.cell().at as usize
    }

    /// Returns the bytes of the whole value. If they contain a record, they can be read only with
    /// the definitions before them.
    ///
    /// ```
    /// use packord::Document;
    /// let document = Document::parse(b"\x82\xa1a\x92\x01\x02\xa1b\xc0")?;
    /// assert_eq!(document.path("a").unwrap().bytes(), b"\x92\x01\x02");
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        let next = self.cell().next(self.index);
        let end = self
            .document
            .cells
            .get(next)
            .map_or(self.document.end, |cell| cell.at as usize);
        &self.document.input[self.offset()..end]
    }

    /// Returns the type of the value: `nil`, `bool`, `int`, `float`, `str`, `bin`, `array`, `map`,
    /// `ext`, `timestamp`.
    #[must_use]
    pub fn type_name(self) -> &'static str {
        match self.tag() {
            Tag::Nil => "nil",
            Tag::Bool => "bool",
            Tag::Negative | Tag::Positive => "int",
            Tag::F32 | Tag::F64 => "float",
            Tag::Str => "str",
            Tag::Bin => "bin",
            Tag::Ext => "ext",
            Tag::Timestamp => "timestamp",
            Tag::Array => "array",
            Tag::Map | Tag::Record => "map",
        }
    }

    /// Returns whether it is nil.
    #[must_use]
    pub fn is_nil(self) -> bool {
        self.tag() == Tag::Nil
    }

    /// Returns whether it is an array.
    #[must_use]
    pub fn is_array(self) -> bool {
        self.tag() == Tag::Array
    }

    /// Returns whether it is a map or a record.
    #[must_use]
    pub fn is_map(self) -> bool {
        matches!(self.tag(), Tag::Map | Tag::Record)
    }

    /// Returns the boolean.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        (self.tag() == Tag::Bool).then(|| self.cell().data == 1)
    }

    /// Returns the integer.
    #[must_use]
    pub fn as_int(self) -> Option<Integer> {
        match self.tag() {
            Tag::Negative => Some(Integer::from_i64(self.cell().data as i64)),
            Tag::Positive => Some(Integer::from_u64(self.cell().data)),
            _ => None,
        }
    }

    /// Returns the integer if it is at most 2^63 − 1.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.as_int()?.as_i64()
    }

    /// Returns the integer if it is not negative.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.as_int()?.as_u64()
    }

    /// Returns the float as 64 bits, or an integer that a float can hold exactly.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        match self.tag() {
            Tag::F32 => Some(f64::from(f32::from_bits(self.cell().low()))),
            Tag::F64 => Some(f64::from_bits(self.cell().data)),
            _ => Value::Int(self.as_int()?).as_f64(),
        }
    }

    /// Returns the string of a str.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        let payload = (self.tag() == Tag::Str).then(|| self.payload())?;
        utf8::check(payload).ok()
    }

    /// Returns the bytes of a bin.
    #[must_use]
    pub fn as_bin(self) -> Option<&'a [u8]> {
        (self.tag() == Tag::Bin).then(|| self.payload())
    }

    /// Returns the type and the payload of an ext that is not a timestamp.
    #[must_use]
    pub fn as_ext(self) -> Option<(i8, &'a [u8])> {
        let tagged = (self.tag() == Tag::Ext).then(|| self.tagged())?;
        let (kind, payload) = tagged.split_first()?;
        Some((*kind as i8, payload))
    }

    /// Returns the timestamp.
    #[must_use]
    pub fn as_timestamp(self) -> Option<Timestamp> {
        let bytes = (self.tag() == Tag::Timestamp).then(|| self.bytes())?;
        Timestamp::from_payload(&bytes[self.header()..])
    }

    /// Returns the number of elements or entries of a container; 0 for other values.
    #[must_use]
    pub fn len(self) -> usize {
        match self.tag() {
            Tag::Array | Tag::Map => self.cell().low() as usize,
            _ => self.structure().map_or(0, Structure::len),
        }
    }

    /// Returns whether [`len`](Node::len) is 0.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the value of the last entry of a map with this str key. Entries are searched one by
    /// one.
    ///
    /// ```
    /// use packord::Document;
    /// let document = Document::parse(b"\x82\xa1a\x01\xa1b\x02")?;
    /// assert_eq!(document.root().get("b").unwrap().as_u64(), Some(2));
    /// assert!(document.root().get("c").is_none());
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn get(self, key: &str) -> Option<Node<'d, 'a>> {
        self.entries()
            .filter(|(other, _)| other.is(key))
            .last()
            .map(|(_, value)| value)
    }

    /// Returns the value of the last entry of a map with this key, of any type.
    #[must_use]
    pub fn get_key(self, key: &Value) -> Option<Node<'d, 'a>> {
        self.entries()
            .filter(|(other, _)| other.equals(key))
            .last()
            .map(|(_, value)| value)
    }

    /// Returns the element of an array at an index. The elements before it are skipped, each in one
    /// step.
    #[must_use]
    pub fn at(self, index: usize) -> Option<Node<'d, 'a>> {
        self.elements().nth(index)
    }

    /// Returns the elements of an array; an empty iterator for other values.
    #[must_use]
    pub fn elements(self) -> Elements<'d, 'a> {
        let left = if self.is_array() { self.len() } else { 0 };
        Elements {
            next: Node::new(self.document, self.index + 1),
            left,
        }
    }

    /// Returns the entries of a map or record in their order; an empty iterator for other values.
    ///
    /// ```
    /// use packord::Document;
    /// let document = Document::parse(b"\x82\xa1a\x01\xa1b\x02")?;
    /// let entries = document.root().entries().map(|(key, value)| (key.as_str().unwrap(), value.as_u64()));
    /// assert_eq!(entries.collect::<Vec<_>>(), [("a", Some(1)), ("b", Some(2))]);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn entries(self) -> Entries<'d, 'a> {
        let names = self.structure();
        let left = if self.is_map() { self.len() } else { 0 };
        Entries {
            next: Node::new(self.document, self.index + 1),
            names,
            read: 0,
            left,
        }
    }

    fn after(self) -> Node<'d, 'a> {
        Node::new(self.document, self.cell().next(self.index))
    }
}

/// The elements of an array.
///
/// ```
/// use packord::Document;
/// let document = Document::parse(b"\x92\x07\x08")?;
/// let numbers: Vec<_> = document.root().elements().filter_map(|node| node.as_u64()).collect();
/// assert_eq!(numbers, [7, 8]);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Elements<'d, 'a> {
    next: Node<'d, 'a>,
    left: usize,
}

impl<'d, 'a> Iterator for Elements<'d, 'a> {
    type Item = Node<'d, 'a>;

    fn next(&mut self) -> Option<Node<'d, 'a>> {
        self.left = self.left.checked_sub(1)?;
        let element = self.next;
        self.next = element.after();
        Some(element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Elements<'_, '_> {}

/// The entries of a map.
///
/// ```
/// use packord::Document;
/// let document = Document::parse(b"\x81\xa1a\x01")?;
/// for (key, value) in document.root().entries() {
///     assert_eq!((key.as_str(), value.as_i64()), (Some("a"), Some(1)));
/// }
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Entries<'d, 'a> {
    next: Node<'d, 'a>,
    names: Option<&'d Structure>,
    read: usize,
    left: usize,
}

impl<'d, 'a> Iterator for Entries<'d, 'a> {
    type Item = (NodeKey<'d, 'a>, Node<'d, 'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let key = match self.names {
            Some(names) => NodeKey::Name(names.key(self.read)?),
            None => {
                let key = self.next;
                self.next = key.after();
                NodeKey::Node(key)
            }
        };
        self.read += 1;
        let value = self.next;
        self.next = value.after();
        Some((key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Entries<'_, '_> {}

/// Writes diagnostic notation in its minimal form.
impl fmt::Display for Node<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_ref().fmt(f)
    }
}

impl fmt::Debug for Node<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
