//! serde's errors as [`Error`], and the paths of writers.

use crate::error::{Error, ErrorKind};
use crate::typed::{Found, quoted};
use crate::walk::push_key;
use crate::wire::header::Kind;
use ::serde::de::{self, Unexpected};
use ::serde::ser;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::Display;

impl Error {
    #[cold]
    fn detailed(kind: ErrorKind, detail: impl Display) -> Error {
        Error::new(kind).with_detail(detail.to_string())
    }

    /// Returns an integer of 128 bits that `target` cannot hold.
    #[cold]
    pub(super) fn wide_range(negative: bool, bits: u128, target: &str) -> Error {
        let number = if negative {
            (bits as i128).to_string()
        } else {
            bits.to_string()
        };
        Error::detailed(ErrorKind::OutOfRange, format_args!("{number} does not fit {target}"))
    }

    #[cold]
    pub(super) fn not_a_variant(found: Kind) -> Error {
        Error::detailed(
            ErrorKind::TypeMismatch,
            format_args!("expected a variant, found {}", Found::Of(found).name()),
        )
    }

    /// Corrects the type that was found, as visitors cannot tell ext types apart.
    #[cold]
    pub(super) fn name_timestamp(self, input: &[u8]) -> Error {
        let words = self.detail().and_then(|detail| detail.strip_suffix("found ext"));
        let at = self.offset().unwrap_or_default() as usize;
        match (words, input.get(at..).map(Found::at)) {
            (Some(words), Some(Found::Timestamp)) => {
                let detail = format!("{words}found timestamp");
                self.with_detail(detail)
            }
            _ => self,
        }
    }

    /// Returns the error of a part as the error of the whole: `step` goes before its path. Paths
    /// grow from the inside out, and [`rooted`](Error::rooted) ends them.
    #[cold]
    #[inline(never)]
    pub(super) fn within(self, step: impl FnOnce(&mut String)) -> Error {
        let mut path = String::new();
        step(&mut path);
        path.push_str(self.path().unwrap_or_default());
        self.with_path(path)
    }

    /// Returns the error of the top-level value.
    #[cold]
    pub(super) fn rooted(self) -> Error {
        if self.kind() == ErrorKind::BufferFull {
            return Error::new(ErrorKind::BufferFull);
        }
        self.within(|path| path.push('$'))
    }

    pub(super) fn in_field(self, name: &str) -> Error {
        self.within(|path| push_key(path, name))
    }

    pub(super) fn in_element(self, index: usize) -> Error {
        self.within(|path| path.push_str(&format!("[{index}]")))
    }
}

/// Returns what a visitor expects, in the words of `spec/errors.md` section 3 where it has them.
fn expected(wanted: &dyn de::Expected) -> String {
    let words = wanted.to_string();
    let known = match words.as_str() {
        "a boolean" => "a bool",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => {
            "an integer"
        }
        "f32" | "f64" => "a float",
        "a string" | "a borrowed string" | "string" | "str" => "a str",
        "a byte array" | "a borrowed byte array" | "byte array" | "bytes" => "a bin",
        "a sequence" | "sequence" => "an array",
        "map" => "a map",
        "unit" => "nil",
        "variant identifier" => "a variant",
        _ if words.starts_with("a nonzero ") => "an integer",
        _ if words.starts_with("struct ") => "a map",
        _ => return words,
    };
    known.into()
}

fn target(wanted: &dyn de::Expected) -> String {
    let words = wanted.to_string();
    match words.strip_prefix("a nonzero ") {
        Some(int) => format!("NonZero{}{}", int[..1].to_ascii_uppercase(), &int[1..]),
        None => words,
    }
}

fn found(found: &Unexpected<'_>) -> String {
    let known = match found {
        Unexpected::Bool(_) => Kind::Bool,
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => Kind::Int,
        Unexpected::Float(_) => Kind::F64,
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::UnitVariant => Kind::Str,
        Unexpected::Bytes(_) => Kind::Bin,
        Unexpected::Unit | Unexpected::Option => Kind::Nil,
        // The form in which ext values go through serde's data model.
        Unexpected::NewtypeStruct => Kind::Ext,
        Unexpected::Seq => Kind::Array,
        Unexpected::Map
        | Unexpected::Enum
        | Unexpected::NewtypeVariant
        | Unexpected::TupleVariant
        | Unexpected::StructVariant => Kind::Map,
        Unexpected::Other(words) if words.starts_with("integer") => Kind::Int,
        Unexpected::Other(words) => return (*words).into(),
    };
    Found::Of(known).name().into()
}

impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::detailed(ErrorKind::Custom, message)
    }
}

/// An integer that does not fit is `out_of_range`, a key that occurs twice is `duplicate_key`,
/// another value than the type expects is `type_mismatch`, and what a type reports is `custom`.
impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::detailed(ErrorKind::Custom, message)
    }

    #[cold]
    #[inline(never)]
    fn invalid_type(value: Unexpected<'_>, wanted: &dyn de::Expected) -> Error {
        Error::detailed(
            ErrorKind::TypeMismatch,
            format_args!("expected {}, found {}", expected(wanted), found(&value)),
        )
    }

    #[cold]
    #[inline(never)]
    fn invalid_value(value: Unexpected<'_>, wanted: &dyn de::Expected) -> Error {
        let number = match value {
            Unexpected::Unsigned(number) => number.to_string(),
            Unexpected::Signed(number) => number.to_string(),
            _ => return Error::invalid_type(value, wanted),
        };
        let target = target(wanted);
        if target.starts_with("variant index") {
            return Error::not_a_variant(Kind::Int);
        }
        Error::detailed(ErrorKind::OutOfRange, format_args!("{number} does not fit {target}"))
    }

    #[cold]
    #[inline(never)]
    fn invalid_length(len: usize, wanted: &dyn de::Expected) -> Error {
        Error::detailed(
            ErrorKind::TypeMismatch,
            format_args!("expected {}, found length {len}", expected(wanted)),
        )
    }

    #[cold]
    #[inline(never)]
    fn unknown_variant(variant: &str, _: &'static [&'static str]) -> Error {
        Error::detailed(
            ErrorKind::TypeMismatch,
            format_args!("unknown variant {}", quoted(variant)),
        )
    }

    #[cold]
    #[inline(never)]
    fn unknown_field(field: &str, _: &'static [&'static str]) -> Error {
        Error::detailed(ErrorKind::TypeMismatch, format_args!("unknown field {}", quoted(field)))
    }

    #[cold]
    #[inline(never)]
    fn missing_field(field: &'static str) -> Error {
        Error::detailed(ErrorKind::TypeMismatch, format_args!("missing field {}", quoted(field)))
    }

    #[cold]
    #[inline(never)]
    fn duplicate_field(field: &'static str) -> Error {
        Error::detailed(ErrorKind::DuplicateKey, format_args!("field {}", quoted(field)))
    }
}
