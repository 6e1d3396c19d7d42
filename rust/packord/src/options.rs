//! The options of reading. Their names are those of the specification.

#[cfg(feature = "alloc")]
use crate::read::RecordState;
#[cfg(feature = "columns")]
pub(crate) use crate::read::rules::DEFAULT_MAX_EXPANSION;
pub(crate) use crate::read::rules::Rules;
pub use crate::read::rules::{DEFAULT_MAX_DEPTH, DuplicateKey, UndefinedRecord, UnknownExt, Utf8};
#[cfg(feature = "alloc")]
use crate::record::Structures;
#[cfg(feature = "alloc")]
use alloc::boxed::Box;

/// Default maximum of bytes that a stream reader keeps of one message: 64 MiB.
pub const DEFAULT_MAX_BUFFER: u64 = 64 << 20;
/// What to do with bytes after the message in a one-shot call.
///
/// ```
/// use packord::{DecodeOptions, Trailing};
/// let options = DecodeOptions::new().trailing(Trailing::Allow);
/// assert_eq!(options.decode(b"\x01\x02")?, 1);
/// # Ok::<(), packord::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trailing {
    /// They are an error, `trailing_bytes`.
    #[default]
    Error,
    /// They are ignored.
    Allow,
}

/// How types of serde are read.
#[cfg(feature = "serde")]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SerdeForm {
    pub human_readable: bool,
    /// Whether an array with more elements than its struct has fields is an error.
    pub deny_surplus: bool,
}

/// Options of reading: strictness (`spec/format.md` section 5.1), limits (`spec/limits.md`), records
/// (`spec/records.md`).
///
/// ```
/// use packord::{DecodeOptions, DuplicateKey, ErrorKind};
///
/// let strict = DecodeOptions::new().duplicate_key(DuplicateKey::Error).max_len(100);
/// let error = strict.decode(b"\x82\xa1a\x01\xa1a\x02").unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (ErrorKind::DuplicateKey, Some(4)));
/// ```
#[derive(Clone, Debug)]
pub struct DecodeOptions {
    pub(crate) rules: Rules,
    pub(crate) trailing: Trailing,
    pub(crate) max_buffer: u64,
    #[cfg(feature = "alloc")]
    pub(crate) sequential: bool,
    #[cfg(feature = "alloc")]
    pub(crate) shared_structures: Structures,
}

impl Default for DecodeOptions {
    fn default() -> DecodeOptions {
        DecodeOptions::new()
    }
}

/// The calls that set one option each: their parameter, and what it sets.
macro_rules! setters {
    ($own:ty: $($(#[$doc:meta])* $name:ident($value:ident: $type:ty) $($field:ident).+ = $set:expr;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $name(mut self, $value: $type) -> $own {
            self.$($field).+ = $set;
            self
        }
    )*};
}
#[cfg(feature = "alloc")]
pub(crate) use setters;

impl DecodeOptions {
    /// Returns the defaults of the specification.
    #[must_use]
    pub const fn new() -> DecodeOptions {
        DecodeOptions {
            rules: Rules::DEFAULT,
            trailing: Trailing::Error,
            max_buffer: DEFAULT_MAX_BUFFER,
            #[cfg(feature = "alloc")]
            sequential: false,
            #[cfg(feature = "alloc")]
            shared_structures: Structures::new(),
        }
    }

    /// Maximum depth: open containers, the top-level one included. More is `depth_limit`. The
    /// default is 1024. Without the feature `alloc` it cannot be raised.
    ///
    /// ```
    /// use packord::{DecodeOptions, ErrorKind};
    /// let options = DecodeOptions::new().max_depth(2);
    /// assert!(options.validate(b"\x91\x91\x01").is_ok());
    /// let error = options.validate(b"\x91\x91\x90").unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (ErrorKind::DepthLimit, Some(2)));
    /// ```
    #[must_use]
    pub const fn max_depth(mut self, limit: u32) -> Self {
        let raised = cfg!(feature = "alloc") || limit < DEFAULT_MAX_DEPTH;
        self.rules.max_depth = if raised { limit } else { DEFAULT_MAX_DEPTH };
        self
    }

    setters! { Self:
        /// Maximum length of a str in bytes; longer is `length_limit`. No limit by default.
        max_str_len(limit: u32) rules.max_str_len = limit;
        /// Maximum length of a bin in bytes; longer is `length_limit`. No limit by default.
        max_bin_len(limit: u32) rules.max_bin_len = limit;
        /// Maximum length of the payload of an ext in bytes; longer is `length_limit`. No limit by
        /// default.
        max_ext_len(limit: u32) rules.max_ext_len = limit;
        /// Maximum length of an array in elements; longer is `length_limit`. No limit by default.
        max_array_len(limit: u32) rules.max_array_len = limit;
        /// Maximum length of a map in entries, and of a record in fields; longer is
        /// `length_limit`. No limit by default.
        max_map_len(limit: u32) rules.max_map_len = limit;
    }

    /// Sets all five length limits.
    ///
    /// ```
    /// use packord::{DecodeOptions, ErrorKind};
    /// let options = DecodeOptions::new().max_len(2).max_str_len(5);
    /// assert!(options.validate(b"\x92\xa5hello\xc0").is_ok());
    /// let error = options.validate(b"\x93\x01\x02\x03").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::LengthLimit);
    /// ```
    #[must_use]
    pub const fn max_len(self, limit: u32) -> Self {
        self.max_str_len(limit)
            .max_bin_len(limit)
            .max_ext_len(limit)
            .max_array_len(limit)
            .max_map_len(limit)
    }

    setters! { Self:
        /// Maximum number of values in a message, keys included; more is `length_limit`. No limit by
        /// default.
        ///
        /// ```
        /// use packord::{DecodeOptions, ErrorKind};
        /// let error = DecodeOptions::new().max_nodes(2).validate(b"\x92\x01\x02").unwrap_err();
        /// assert_eq!((error.kind(), error.offset()), (ErrorKind::LengthLimit, Some(2)));
        /// ```
        max_nodes(limit: u64) rules.max_nodes = limit;
        /// Maximum number of bytes that a stream reader keeps of one message; a longer message is
        /// `length_limit`. The default is 64 MiB. One-shot calls ignore it.
        ///
        /// ```
        /// use packord::{DecodeOptions, ErrorKind, MessageScanner};
        /// let mut decoder = MessageScanner::with_options(&DecodeOptions::new().max_buffer(100));
        /// decoder.feed(b"\xda\xff\xff");
        /// assert_eq!(decoder.next_value().unwrap_err().kind(), ErrorKind::LengthLimit);
        /// ```
        max_buffer(limit: u64) max_buffer = limit;
        /// What to do with a str that is not UTF-8.
        ///
        /// ```
        /// use packord::{DecodeOptions, ErrorKind, Utf8, Value};
        /// let bytes = b"\xa2a\xff";
        /// let error = DecodeOptions::new().decode(bytes).unwrap_err();
        /// assert_eq!(error.kind(), ErrorKind::InvalidUtf8);
        /// assert_eq!(DecodeOptions::new().utf8(Utf8::Replace).decode(bytes)?, Value::from("a\u{fffd}"));
        /// assert_eq!(DecodeOptions::new().utf8(Utf8::Raw).decode(bytes)?.as_bin(), Some(&b"a\xff"[..]));
        /// # Ok::<(), packord::Error>(())
        /// ```
        utf8(mode: Utf8) rules.utf8 = mode;
        /// What to do with bytes after the message in a one-shot call.
        ///
        /// ```
        /// use packord::{DecodeOptions, ErrorKind, Trailing};
        /// let error = DecodeOptions::new().validate(b"\x01\x02").unwrap_err();
        /// assert_eq!((error.kind(), error.offset()), (ErrorKind::TrailingBytes, Some(1)));
        /// assert!(DecodeOptions::new().trailing(Trailing::Allow).validate(b"\x01\x02").is_ok());
        /// ```
        trailing(mode: Trailing) trailing = mode;
        /// What to do with an ext type that is not registered. Timestamps are always registered; the
        /// bigint and record types are while their options are on; other types are registered by
        /// [`known_ext`](DecodeOptions::known_ext).
        unknown_ext(mode: UnknownExt) rules.unknown_ext = mode;
    }

    /// Registers an ext type.
    ///
    /// ```
    /// use packord::{DecodeOptions, UnknownExt};
    /// let options = DecodeOptions::new().unknown_ext(UnknownExt::Error);
    /// assert!(options.validate(&[0xd4, 5, 0]).is_err());
    /// assert!(options.known_ext(5).validate(&[0xd4, 5, 0]).is_ok());
    /// ```
    #[must_use]
    pub const fn known_ext(mut self, kind: i8) -> Self {
        let index = kind as u8;
        self.rules.known_ext[(index >> 6) as usize] |= 1 << (index & 63);
        self
    }

    setters! { Self:
        /// Whether ext type 0x42 is an integer (`spec/extensions.md` section 3). If so, an empty payload
        /// is `invalid_ext`, and a number of up to 64 bits becomes a plain integer. Larger ones stay ext
        /// values, which [`as_i128`](crate::generic::Value::as_i128) reads; owned values keep the shortest
        /// form.
        ///
        /// ```
        /// let options = packord::DecodeOptions::new().bigint(true);
        /// assert_eq!(options.decode(b"\xd4\x42\x07")?, 7);
        /// let value = options.decode(b"\xc7\x09\x42\x01\0\0\0\0\0\0\0\0")?;
        /// assert_eq!(value.as_i128(), Some(1 << 64));
        /// # Ok::<(), packord::Error>(())
        /// ```
        bigint(on: bool) rules.bigint = on;
    }

    /// Whether what [`EncodeOptions::rich`](crate::EncodeOptions::rich) wrote is read: `bigint` is on. Typed
    /// values are read from the other exts in any case, and in a [`Value`](crate::Value) these stay exts.
    ///
    /// ```
    /// let options = packord::DecodeOptions::new().rich(true);
    /// assert_eq!(options.decode(b"\xd4\x42\x07")?, 7);
    /// assert_eq!(options.unpack::<char>(b"\xd4\x52a")?, 'a');
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub const fn rich(mut self, on: bool) -> Self {
        self.rules.bigint |= on;
        self
    }
}

#[cfg(feature = "alloc")]
impl DecodeOptions {
    setters! { Self:
        /// What to do with a key that occurs twice in a map. Two keys are equal if the values
        /// that are read are: 1 and 1.0 are two keys.
        ///
        /// ```
        /// use packord::{DecodeOptions, DuplicateKey, ErrorKind};
        /// let bytes = b"\x82\x01\xa1a\xcc\x01\xa1b";
        /// assert_eq!(DecodeOptions::new().decode(bytes)?.to_string(), r#"{1: "a", 1: "b"}"#);
        /// let error = DecodeOptions::new().duplicate_key(DuplicateKey::Error).decode(bytes).unwrap_err();
        /// assert_eq!((error.kind(), error.offset()), (ErrorKind::DuplicateKey, Some(4)));
        /// # Ok::<(), packord::Error>(())
        /// ```
        duplicate_key(mode: DuplicateKey) rules.duplicate_key = mode;
        /// Whether every encoding other than the canonical one is an error, `not_canonical`
        /// (`spec/format.md` section 5.3). This turns records off.
        ///
        /// ```
        /// use packord::{DecodeOptions, ErrorKind};
        /// let error = DecodeOptions::new().canonical(true).decode(b"\x91\xcc\x01").unwrap_err();
        /// assert_eq!((error.kind(), error.offset()), (ErrorKind::NotCanonical, Some(1)));
        /// ```
        canonical(on: bool) rules.canonical = on;
        /// Whether records are read (`spec/records.md`).
        ///
        /// ```
        /// use packord::DecodeOptions;
        /// let bytes = b"\x92\xd4\x72\x40\x91\xa1a\x01\x40\x02";
        /// let value = DecodeOptions::new().records(true).decode(bytes)?;
        /// assert_eq!(value.to_string(), r#"[{"a": 1}, {"a": 2}]"#);
        /// # Ok::<(), packord::Error>(())
        /// ```
        records(on: bool) rules.records = on;
        /// Maximum number of keys in a record definition; more is `length_limit`. The default is 1024.
        /// It does not apply to shared structures.
        max_record_keys(limit: u32) rules.max_record_keys = limit;
        /// What to do with a record id of one byte that has no definition.
        ///
        /// ```
        /// use packord::{DecodeOptions, ErrorKind, UndefinedRecord};
        /// let options = DecodeOptions::new().records(true);
        /// assert_eq!(options.decode(b"\x40")?, 64);
        /// let error = options.undefined_record(UndefinedRecord::Error).decode(b"\x40").unwrap_err();
        /// assert_eq!(error.kind(), ErrorKind::RecordUndefined);
        /// # Ok::<(), packord::Error>(())
        /// ```
        undefined_record(mode: UndefinedRecord) rules.undefined_record = mode;
        /// Whether the record definitions of a stream are kept until its end.
        /// [`MessageScanner`](crate::MessageScanner) and [`RecordDecoder`](crate::RecordDecoder) use it.
        ///
        /// ```
        /// use packord::{DecodeOptions, MessageScanner};
        /// let mut decoder = MessageScanner::with_options(&DecodeOptions::new().records(true).sequential(true));
        /// decoder.feed(b"\xd4\x72\x40\x91\xa1a\x01\x40\x02");
        /// assert_eq!(decoder.next_value()?.unwrap()["a"], 1);
        /// assert_eq!(decoder.next_value()?.unwrap()["a"], 2);
        /// # Ok::<(), packord::Error>(())
        /// ```
        sequential(on: bool) sequential = on;
    }

    /// The structures that both sides know, index 0 first. This turns records on.
    ///
    /// ```
    /// use packord::{DecodeOptions, Structures};
    /// let mut structures = Structures::new();
    /// structures.push(["id", "size"]);
    /// let options = DecodeOptions::new().shared_structures(structures);
    /// assert_eq!(options.decode(b"\x40\x07\x09")?.to_string(), r#"{"id": 7, "size": 9}"#);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn shared_structures(mut self, structures: Structures) -> Self {
        self.shared_structures = structures;
        self.records(true)
    }
}

impl DecodeOptions {
    /// Returns the rules of a one-shot call.
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            records: self.has_records(),
            ..self.rules
        }
    }

    /// Returns what is known of records before the first message, if they are on.
    #[cfg(feature = "alloc")]
    pub(crate) fn record_state(&self) -> Option<Box<RecordState>> {
        self.has_records()
            .then(|| Box::new(RecordState::new(self.sequential, &self.shared_structures)))
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn without_columns(mut self) -> Self {
        self.rules.columns = None;
        self
    }

    /// The canonical form has no records.
    #[inline]
    pub(crate) fn has_records(&self) -> bool {
        self.rules.records && !self.rules.canonical
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn stream_rules(&self) -> Rules {
        Rules {
            buffer: self.max_buffer,
            ..self.rules()
        }
    }
}
