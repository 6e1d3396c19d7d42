//! The checks of reading, and the modes of its options.

#[cfg(feature = "alloc")]
use super::hook::{COLUMNS_EXT, ColumnsReader};
use crate::error::ErrorKind;

/// Default maximum depth.
pub const DEFAULT_MAX_DEPTH: u32 = 1024;
/// Default of what columns may stand for, in bytes for each byte of their payload.
#[cfg(feature = "alloc")]
pub(crate) const DEFAULT_MAX_EXPANSION: u32 = 16;

/// What to do with a str that is not UTF-8.
///
/// ```
/// use packord::{DecodeOptions, Utf8};
/// let broken = b"\xa2a\xff";
/// assert!(DecodeOptions::new().decode(broken).is_err());
/// let replaced = DecodeOptions::new().utf8(Utf8::Replace).decode(broken)?;
/// assert_eq!(replaced, "a\u{fffd}");
/// let raw = DecodeOptions::new().utf8(Utf8::Raw).decode(broken)?;
/// assert_eq!(raw.as_bin(), Some(&b"a\xff"[..]));
/// # Ok::<(), packord::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Utf8 {
    /// It is an error, `invalid_utf8`.
    #[default]
    Error,
    /// Each ill-formed sequence becomes U+FFFD. Borrowed values ([`ValueRef`](crate::ValueRef))
    /// cannot hold a changed string: reading them reports `invalid_utf8`.
    Replace,
    /// The value is a bin of the same bytes.
    Raw,
}

/// What to do with a key that occurs twice in a map.
///
/// ```
/// use packord::{DecodeOptions, DuplicateKey, ErrorKind};
/// let twice = b"\x82\xa1a\x01\xa1a\x02";
/// assert_eq!(DecodeOptions::new().decode(twice)?["a"], 2);
/// let strict = DecodeOptions::new().duplicate_key(DuplicateKey::Error);
/// assert_eq!(strict.decode(twice).unwrap_err().kind(), ErrorKind::DuplicateKey);
/// # Ok::<(), packord::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DuplicateKey {
    /// The last entry is the one that a lookup finds.
    #[default]
    Last,
    /// It is an error, `duplicate_key`.
    Error,
}

/// What to do with an ext type that is not registered.
///
/// ```
/// use packord::{DecodeOptions, ErrorKind, UnknownExt};
/// let strict = DecodeOptions::new().unknown_ext(UnknownExt::Error);
/// assert_eq!(strict.decode(b"\xd4\x05\x00").unwrap_err().kind(), ErrorKind::UnknownExt);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownExt {
    /// It is kept: type and bytes.
    #[default]
    Keep,
    /// It is an error, `unknown_ext`. JavaScript's undefined (`d4 00 00`) is always known.
    Error,
}

/// What to do with a record id of one byte that has no definition.
///
/// ```
/// use packord::{DecodeOptions, ErrorKind, UndefinedRecord};
/// let options = DecodeOptions::new().records(true);
/// assert_eq!(options.decode(b"\x40")?, 0x40);
/// let strict = options.undefined_record(UndefinedRecord::Error);
/// assert_eq!(strict.decode(b"\x40").unwrap_err().kind(), ErrorKind::RecordUndefined);
/// # Ok::<(), packord::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UndefinedRecord {
    /// It is the integer that the byte is in plain MessagePack, 64 to 127.
    #[default]
    Int,
    /// It is an error, `record_undefined`.
    Error,
}

/// The checks of reading, as plain numbers and flags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub max_depth: u32,
    pub max_str_len: u32,
    pub max_bin_len: u32,
    pub max_ext_len: u32,
    pub max_array_len: u32,
    pub max_map_len: u32,
    pub max_nodes: u64,
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "records need an allocator"))]
    pub max_record_keys: u32,
    /// `max_buffer` in a stream, no limit elsewhere.
    pub buffer: u64,
    pub utf8: Utf8,
    pub canonical: bool,
    pub duplicate_key: DuplicateKey,
    pub unknown_ext: UnknownExt,
    /// One bit for each ext type that is not unknown.
    pub known_ext: [u64; 4],
    pub bigint: bool,
    pub records: bool,
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "records need an allocator"))]
    pub undefined_record: UndefinedRecord,
    /// Reads values that are stored by column.
    #[cfg(feature = "alloc")]
    pub columns: Option<&'static ColumnsReader>,
    #[cfg(feature = "alloc")]
    pub max_expansion: u32,
}

impl Rules {
    pub const DEFAULT: Rules = Rules {
        max_depth: DEFAULT_MAX_DEPTH,
        max_str_len: u32::MAX,
        max_bin_len: u32::MAX,
        max_ext_len: u32::MAX,
        max_array_len: u32::MAX,
        max_map_len: u32::MAX,
        max_nodes: u64::MAX,
        max_record_keys: 1024,
        buffer: u64::MAX,
        utf8: Utf8::Error,
        canonical: false,
        duplicate_key: DuplicateKey::Last,
        unknown_ext: UnknownExt::Keep,
        known_ext: [0; 4],
        bigint: false,
        records: false,
        undefined_record: UndefinedRecord::Int,
        #[cfg(feature = "alloc")]
        columns: None,
        #[cfg(feature = "alloc")]
        max_expansion: DEFAULT_MAX_EXPANSION,
    };

    /// Returns whether an option other than the depth asks for checks. Inlined, so that it is known of
    /// the default options.
    #[inline(always)]
    pub fn checked(&self) -> bool {
        let lengths = [
            self.max_str_len,
            self.max_bin_len,
            self.max_ext_len,
            self.max_array_len,
            self.max_map_len,
        ];
        lengths.iter().any(|&limit| limit != u32::MAX)
            || self.max_nodes != u64::MAX
            || self.buffer != u64::MAX
            || self.utf8 != Utf8::Error
            || self.canonical
            || self.duplicate_key == DuplicateKey::Error
            || self.unknown_ext == UnknownExt::Error
            || self.bigint
            || self.records
            || self.has_columns()
    }

    /// Returns whether values that are stored by column are read. The canonical form has none.
    #[inline(always)]
    pub fn has_columns(&self) -> bool {
        #[cfg(feature = "columns")]
        return self.columns.is_some() && !self.canonical;
        #[cfg(not(feature = "columns"))]
        false
    }

    /// Returns what reads an ext of this type as the value that its columns stand for.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn columns_of(&self, kind: i8) -> Option<&'static ColumnsReader> {
        let reads = kind == COLUMNS_EXT && self.has_columns();
        self.columns.filter(|_| reads)
    }

    /// Returns the rules for the values within columns: there are no columns in them, and no records.
    #[cfg(feature = "columns")]
    pub fn within_columns(&self, depth: u32) -> Rules {
        Rules {
            max_depth: depth,
            max_nodes: u64::MAX,
            buffer: u64::MAX,
            utf8: Utf8::Error,
            records: false,
            columns: None,
            ..*self
        }
    }

    /// Returns whether an option asks for checks that typed reading does not make itself.
    #[cfg(feature = "alloc")]
    pub fn needs_walk(&self) -> bool {
        let others = Rules {
            records: false,
            columns: None,
            ..*self
        };
        others.checked() || self.records && self.undefined_record == UndefinedRecord::Error
    }

    /// Returns whether the keys of a map are compared with each other.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn checks_keys(&self) -> bool {
        self.canonical || self.duplicate_key == DuplicateKey::Error
    }

    /// Returns whether any two keys of a map are compared, not only neighbours.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn names_keys(&self) -> bool {
        self.duplicate_key == DuplicateKey::Error && !self.canonical
    }

    /// Returns the rules for reading bytes again that have been checked once.
    #[cfg(feature = "alloc")]
    pub fn unchecked(&self) -> Rules {
        Rules {
            max_depth: u32::MAX,
            utf8: self.utf8,
            bigint: self.bigint,
            records: self.records,
            columns: self.columns,
            max_expansion: u32::MAX,
            max_record_keys: u32::MAX,
            ..Rules::DEFAULT
        }
    }

    /// Checks an ext other than a timestamp, whose payload has been read.
    #[inline(never)]
    pub fn check_ext(&self, kind: i8, payload: &[u8], minimal: bool) -> Result<(), ErrorKind> {
        let bigint = self.bigint && kind == crate::ext::BIGINT;
        if bigint && payload.is_empty() {
            return Err(ErrorKind::InvalidExt);
        }
        let index = kind as u8;
        let registered = self.known_ext[usize::from(index >> 6)] >> (index & 63) & 1 == 1;
        let known = bigint || registered || crate::ext::is_undefined(kind, payload);
        if self.unknown_ext == UnknownExt::Error && !known {
            return Err(ErrorKind::UnknownExt);
        }
        let shortest = !bigint || crate::ext::is_canonical_bigint(payload);
        if self.canonical && !(minimal && shortest) {
            return Err(ErrorKind::NotCanonical);
        }
        Ok(())
    }
}
