//! What values say about how the others are read: definitions of records, columns, marks of msgpackr.

use packord::columns;
use packord::record;
use packord::wire::{Head, Kind, marker};

/// What was found in the values so far. They are looked at one after another, of containers the headers, so
/// that it does not matter how much of them is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// A record is defined (ext type 0x72 of msgpackr): its id, then an array of str.
    pub records: bool,
    /// A value is stored by column (ext type 92).
    pub columns: bool,
    /// What msgpackr has written that other readers of MessagePack take for something else.
    pub of_msgpackr: Option<&'static str>,
    before: Before,
}

/// What the value before asks of the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Before {
    #[default]
    Nothing,
    /// The id of a record.
    Id,
    /// The header of the keys of a record: this number of keys.
    Keys(u64),
    /// A mark of msgpackr before an array, or before any container.
    Array,
    Container,
    /// The mark of bundled strings.
    Bundle,
}

/// Returns what the value after this one must be for this one to be a mark of msgpackr: an array after that of an
/// Error, a Set or a regular expression, any container after that of what is pointed to. `Nothing` if it is not a mark.
/// The payload must be there.
fn marked(bytes: &[u8], head: &Head) -> Before {
    let payload = bytes.get(head.end..).unwrap_or_default();
    match (head.ext_type, head.payload, payload) {
        (Some(0x65 | 0x73 | 0x78), 1, [0, ..]) => Before::Array,
        (Some(0x69), 4, _) => Before::Container,
        _ => Before::Nothing,
    }
}

/// Returns whether the value is an ext of msgpackr that only marks the value after it. Its payload must be there.
#[must_use]
pub fn is_mark(bytes: &[u8], head: &Head) -> bool {
    marked(bytes, head) != Before::Nothing
}

impl Traits {
    /// Looks at all values that begin in these bytes.
    ///
    /// ```
    /// use packord_cli::source::recognise::Traits;
    /// assert!(Traits::of(b"\xd4\x72\x40\x92\xa1a\xa1b\x01\x02").records);
    /// assert!(Traits::of(b"\xdd\0\x01\0\0\xd4\x72\x40\x90").records);
    /// assert!(!Traits::of(b"\xd4\x72\x40\x91\x01").records);
    /// assert!(Traits::of(b"\x92\x01\xc7\x12\x5c\x01\x23\x21").columns);
    /// assert!(!Traits::of(b"\x92\x01\xa3\xc7\x12\x5c").columns);
    /// ```
    #[must_use]
    pub fn of(start: &[u8]) -> Traits {
        let mut traits = Traits::default();
        let mut rest = start;
        while let Some(head) = Head::at(rest, 0) {
            traits.add(rest, &head);
            let end = head.payload_end();
            rest = end.and_then(|end| rest.get(end..)).unwrap_or_default();
        }
        // The keys may go on after these bytes.
        traits.records |= matches!(traits.before, Before::Keys(_));
        traits
    }

    /// Adds the next value, with its payload as far as it is there.
    pub fn add(&mut self, bytes: &[u8], head: &Head) {
        let (is_str, is_array) = (head.kind == Kind::Str, head.kind == Kind::Array);
        let before = std::mem::take(&mut self.before);
        match before {
            Before::Id if is_array && head.count == 0 => self.records = true,
            Before::Id if is_array => self.before = Before::Keys(head.count),
            Before::Keys(1) if is_str => self.records = true,
            Before::Keys(count) if is_str => self.before = Before::Keys(count - 1),
            Before::Array if is_array => self.of_msgpackr = Some(COMPANION),
            Before::Container if head.kind.is_container() => self.of_msgpackr = Some(COMPANION),
            Before::Bundle if bytes.first() == Some(&marker::RESERVED) => {
                self.of_msgpackr = Some(BUNDLE);
            }
            _ => {}
        }
        let Some(kind) = head.ext_type else {
            return;
        };
        let payload = bytes.get(head.end..).unwrap_or_default();
        match (kind, head.payload, payload) {
            (record::EXT_TYPE, 1, [0x40..=0x7f, ..]) | (record::EXT_TYPE, 2, [0x60..=0x7f, 0..=0xfe, ..]) => {
                self.before = Before::Id;
            }
            (columns::EXT_TYPE, _, [1, ..]) => self.columns = true,
            (0x62, 4, _) => self.before = Before::Bundle,
            _ => self.before = marked(bytes, head),
        }
    }
}

const COMPANION: &str = "a Set, Error, RegExp or shared object of msgpackr, which follows its ext value \
                         (--ext msgpackr reads it as an array or a map)";
const BUNDLE: &str = "bundled strings of msgpackr, which only msgpackr reads \
                      (its option bundleStrings: false writes MessagePack)";
