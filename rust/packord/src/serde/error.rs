//! serde's errors as [`Error`], and the paths of writers.

use crate::error::{Error, ErrorKind};
use crate::walk::push_key;
use ::serde::de::{self, Unexpected};
use ::serde::ser;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::Display;

impl Error {
    #[cold]
    fn said(kind: ErrorKind, message: impl Display) -> Error {
        Error::new(kind).with_message(message.to_string())
    }

    /// The error of a part, seen from the whole: `step` goes before its path. Paths grow from the
    /// inside out; [`rooted`](Error::rooted) ends them.
    #[cold]
    #[inline(never)]
    pub(super) fn within(self, step: impl FnOnce(&mut String)) -> Error {
        let mut path = String::new();
        step(&mut path);
        path.push_str(self.path().unwrap_or_default());
        self.with_path(path)
    }

    /// The error of a whole value.
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

impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::said(ErrorKind::Custom, message)
    }
}

/// Integers that do not fit are `out_of_range`, a key that is there twice is `duplicate_key`,
/// other values than those wanted are `type_mismatch`, and what a type itself reports is `custom`.
impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::said(ErrorKind::Custom, message)
    }

    #[cold]
    #[inline(never)]
    fn invalid_type(found: Unexpected<'_>, wanted: &dyn de::Expected) -> Error {
        Error::said(
            ErrorKind::TypeMismatch,
            format_args!("invalid type: {found}, expected {wanted}"),
        )
    }

    #[cold]
    #[inline(never)]
    fn invalid_value(found: Unexpected<'_>, wanted: &dyn de::Expected) -> Error {
        let kind = match found {
            Unexpected::Unsigned(_) | Unexpected::Signed(_) => ErrorKind::OutOfRange,
            _ => ErrorKind::TypeMismatch,
        };
        Error::said(
            kind,
            format_args!("invalid value: {found}, expected {wanted}"),
        )
    }

    #[cold]
    #[inline(never)]
    fn invalid_length(len: usize, wanted: &dyn de::Expected) -> Error {
        Error::said(
            ErrorKind::TypeMismatch,
            format_args!("invalid length {len}, expected {wanted}"),
        )
    }

    #[cold]
    #[inline(never)]
    fn unknown_variant(variant: &str, wanted: &'static [&'static str]) -> Error {
        Error::said(
            ErrorKind::TypeMismatch,
            format_args!("unknown variant `{variant}`, expected one of {wanted:?}"),
        )
    }

    #[cold]
    #[inline(never)]
    fn unknown_field(field: &str, wanted: &'static [&'static str]) -> Error {
        Error::said(
            ErrorKind::TypeMismatch,
            format_args!("unknown field `{field}`, expected one of {wanted:?}"),
        )
    }

    #[cold]
    #[inline(never)]
    fn missing_field(field: &'static str) -> Error {
        Error::said(
            ErrorKind::TypeMismatch,
            format_args!("missing field `{field}`"),
        )
    }

    #[cold]
    #[inline(never)]
    fn duplicate_field(field: &'static str) -> Error {
        Error::said(
            ErrorKind::DuplicateKey,
            format_args!("duplicate field `{field}`"),
        )
    }
}
