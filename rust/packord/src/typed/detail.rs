//! What a failed read of a typed value expected and found (`spec/errors.md` section 3). All of this
//! runs after a failure only.

use super::Reader;
use super::state::Failed;
use crate::error::ErrorKind;
use crate::wire::header::{Header, Kind};

/// What is known of a fault apart from its kind and offset, until it becomes an error: most failures
/// of untagged enums are never shown.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, reason = "errors have no detail without it")
)]
pub(crate) enum Detail {
    None,
    /// Another type than this one, given with its article.
    Type(&'static str, Found),
    /// An array or bin of another length than this array.
    ArrayLength(usize, usize),
    /// An array of another length than this tuple.
    TupleLength(usize, usize),
    /// A value that this type cannot hold.
    Range(&'static str),
    /// No value for the field of the innermost step.
    MissingField,
    /// A key that is not a field.
    UnknownField(NamePlace),
    /// An integer key that is not a field.
    UnknownKey,
    /// A name that is not a variant.
    UnknownVariant(NamePlace),
    /// A number that is not a variant.
    UnknownNumber,
    /// A sentence of its own.
    Words(&'static str),
}

#[cfg(feature = "alloc")]
impl Detail {
    pub(crate) const BORROWED_RECORD: Detail = Detail::Words("a part of a message with records cannot be borrowed");
}

/// The types of values, as errors name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Of(Kind),
    Timestamp,
}

impl Found {
    /// Returns the type of the value at the start of these bytes.
    pub fn at(bytes: &[u8]) -> Found {
        match ext_type(bytes) {
            Some(crate::Timestamp::EXT_TYPE) => Found::Timestamp,
            _ => Found::Of(bytes.first().map_or(Kind::Nil, |&marker| Kind::tell(marker))),
        }
    }

    /// Returns the name that errors use.
    #[cfg(feature = "alloc")]
    pub fn name(self) -> &'static str {
        match self {
            Found::Of(Kind::Nil) => "nil",
            Found::Of(Kind::Bool) => "bool",
            Found::Of(Kind::Int) => "integer",
            Found::Of(Kind::F32 | Kind::F64) => "float",
            Found::Of(Kind::Str) => "str",
            Found::Of(Kind::Bin) => "bin",
            Found::Of(Kind::Array) => "array",
            Found::Of(Kind::Map) => "map",
            Found::Of(Kind::Ext) => "ext",
            Found::Timestamp => "timestamp",
        }
    }
}

/// The ext type of record definitions.
const RECORD: i8 = 0x72;

/// Returns the type of the ext at the start of these bytes, if there is one.
pub(crate) fn ext_type(bytes: &[u8]) -> Option<i8> {
    let &marker = bytes.first()?;
    match Kind::tell(marker) {
        Kind::Ext => bytes.get(Header::of(marker).len() - 1).map(|&byte| byte as i8),
        _ => None,
    }
}

/// Returns whether the bytes end within a header, or a number.
pub(crate) fn is_cut(bytes: &[u8]) -> bool {
    let Some(&marker) = bytes.first() else {
        return true;
    };
    let header = Header::of(marker);
    let number = match Kind::tell(marker) {
        Kind::Int | Kind::F32 | Kind::F64 => usize::from(header.fixed),
        _ => 0,
    };
    bytes.len() < header.len() + number
}

/// The position of a name in the input. The keys of records are not part of each message: theirs
/// are kept with the path.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, reason = "errors have no detail without it")
)]
pub(crate) struct NamePlace(Option<(usize, usize)>);

impl Reader<'_> {
    /// Returns whether a record, valid or not, is at the start of these bytes.
    pub(crate) fn begins_record(&self, bytes: &[u8]) -> bool {
        match bytes.first() {
            Some(&marker @ 0x40..=0x7f) => self.at_record(marker),
            _ => self.state.limit < 0x80 && ext_type(bytes) == Some(RECORD),
        }
    }

    /// Reports a value of another type than `expected`, given with its article: `a bin`.
    #[cold]
    #[inline(never)]
    pub(crate) fn unexpected(&mut self, expected: &'static str, at: usize) -> Failed {
        let bytes = self.input().get(at..).unwrap_or_default();
        if is_cut(bytes) {
            return self.eof();
        }
        // A record is read where a map is expected.
        let found = if self.begins_record(bytes) {
            Found::Of(Kind::Map)
        } else {
            Found::at(bytes)
        };
        self.fail_with(ErrorKind::TypeMismatch, at, Detail::Type(expected, found))
    }

    /// Reports a value that the type of this name cannot hold.
    #[cold]
    #[inline(never)]
    pub(crate) fn out_of_range(&mut self, target: &'static str, at: usize) -> Failed {
        self.fail_with(ErrorKind::OutOfRange, at, Detail::Range(target))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn fail_with(&mut self, kind: ErrorKind, at: usize, detail: Detail) -> Failed {
        self.state.faults.set(kind, Some(at), detail)
    }

    /// Names what was expected in place of a leaf whose reading failed.
    #[cold]
    #[inline(never)]
    pub(crate) fn expecting(&mut self, failed: Failed, expected: &'static str) -> Failed {
        if let Some(Detail::Type(words, _)) = self.state.faults.detail() {
            *words = expected;
        }
        failed
    }

    /// Names the type that cannot hold a number whose reading failed.
    #[cold]
    #[inline(never)]
    pub(crate) fn target(&mut self, failed: Failed, target: &'static str) -> Failed {
        if self.state.faults.kind() == Some(ErrorKind::OutOfRange) {
            if let Some(detail) = self.state.faults.detail() {
                *detail = Detail::Range(target);
            }
        }
        failed
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn unknown(&mut self, name: &str, at: usize, detail: impl FnOnce(NamePlace) -> Detail) -> Failed {
        let input = self.input();
        let start = (name.as_ptr() as usize).wrapping_sub(input.as_ptr() as usize);
        let end = start.wrapping_add(name.len());
        let within = input.get(start..end) == Some(name.as_bytes());
        let place = within.then_some((start, end));
        let failed = self.fail_with(ErrorKind::TypeMismatch, at, detail(NamePlace(place)));
        #[cfg(feature = "alloc")]
        if !within {
            self.state.faults.keep_name(name);
        }
        failed
    }
}

#[cfg(feature = "alloc")]
mod render {
    use super::super::state::{Faults, Step};
    use super::{Detail, Found, Kind, NamePlace};
    use crate::error::shortened;
    use crate::value::{Quoted, Shown};
    use alloc::format;
    use alloc::string::String;

    impl Faults {
        /// Returns the detail of the fault at this offset in words.
        #[cold]
        pub fn in_words(&self, detail: Detail, input: &[u8], at: usize) -> Option<String> {
            let name = |NamePlace(place): NamePlace| match place {
                Some((start, end)) => quoted(core::str::from_utf8(&input[start..end]).unwrap_or_default()),
                None => quoted(self.kept_name()),
            };
            Some(match detail {
                Detail::None => return None,
                Detail::Type(expected, found) => {
                    format!("expected {expected}, found {}", found.name())
                }
                Detail::ArrayLength(expected, found) => {
                    format!("expected an array of length {expected}, found length {found}")
                }
                Detail::TupleLength(expected, found) => {
                    format!("expected a tuple of size {expected}, found length {found}")
                }
                Detail::Range(target) => {
                    format!("{} does not fit {target}", number(&input[at..]))
                }
                Detail::MissingField => match self.innermost_step()? {
                    Step::Field(name) => format!("missing field {}", quoted(name)),
                    Step::Index(index) => format!("missing element {index}"),
                    _ => return None,
                },
                Detail::UnknownField(place) => format!("unknown field {}", name(place)),
                Detail::UnknownKey => format!("unknown field {}", number(&input[at..])),
                Detail::UnknownVariant(place) => format!("unknown variant {}", name(place)),
                Detail::UnknownNumber => format!("unknown variant {}", number(&input[at..])),
                Detail::Words(words) => words.into(),
            })
        }
    }

    /// Returns a name in quotes, cut if it is long.
    pub(crate) fn quoted(name: &str) -> String {
        let short = shortened(name);
        format!("{}", Quoted(short.as_deref().unwrap_or(name)))
    }

    /// Returns the number at the start of these bytes, or what is there instead.
    fn number(bytes: &[u8]) -> String {
        match Found::at(bytes) {
            Found::Of(Kind::Int | Kind::F32 | Kind::F64) => format!("{}", Shown(bytes)),
            other => format!("the {}", other.name()),
        }
    }
}
#[cfg(feature = "serde")]
pub(crate) use render::quoted;
