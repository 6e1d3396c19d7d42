//! Options that are on or off, and the settings of readers and writers (`spec/limits.md`).

use pyo3::pyclass::PyVisit;

use crate::cpython::garbage::{Holder, Visited};
use crate::cpython::object::Owned;

macro_rules! options {
    ($($name:ident $bit:literal $keyword:literal $place:ident;)*) => {
        $(pub const $name: u64 = 1 << $bit;)*
        /// Every option.
        pub const ALL: &[Switch] = &[$(Switch {
            name: concat!("OPT_", stringify!($name)),
            flag: $name,
            keyword: $keyword,
            place: Place::$place,
        }),*];
    };
}

/// Who has the keyword of an option.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Writers,
    Both,
    /// It has none: a module that replaces another package has a constant for it.
    Module,
}

/// An option that is on or off.
pub struct Switch {
    /// The name of its constant, if the flag is below [`FIRST_OWN`].
    pub name: &'static str,
    pub flag: u64,
    pub keyword: &'static str,
    pub place: Place,
}

// The first sixteen have numbers that programs store: those of the constants.
options! {
    NAIVE_UTC 0 "" Module;
    NON_STR_KEYS 1 "" Module;
    OMIT_MICROSECONDS 2 "" Module;
    PASSTHROUGH_BIG_INT 3 "" Module;
    PASSTHROUGH_DATACLASS 4 "" Module;
    PASSTHROUGH_DATETIME 5 "" Module;
    PASSTHROUGH_SUBCLASS 6 "" Module;
    PASSTHROUGH_TUPLE 7 "" Module;
    SERIALIZE_NUMPY 8 "" Module;
    SERIALIZE_PYDANTIC 9 "" Module;
    SORT_KEYS 10 "sort_keys" Writers;
    UTC_Z 11 "" Module;
    PASSTHROUGH_UUID 12 "" Module;
    PASSTHROUGH_ENUM 13 "" Module;
    DATETIME_AS_TIMESTAMP_EXT 14 "" Module;
    REPLACE_SURROGATES 15 "" Module;
    COLUMNS 16 "columns" Both;
    RECORDS 17 "records" Both;
    BIGINT 18 "bigint" Both;
    RICH 19 "rich" Both;
    CANONICAL 20 "canonical" Both;
    FLOAT32 21 "float32" Writers;
    SKIP_NIL 22 "skip_nil" Writers;
}

/// The first flag that is not a constant of a module.
pub const FIRST_OWN: u64 = COLUMNS;

/// What packord does without options, and modules with one of their constants.
pub const USUAL: u64 =
    NON_STR_KEYS | SERIALIZE_NUMPY | SERIALIZE_PYDANTIC | DATETIME_AS_TIMESTAMP_EXT;

/// Set for writers that pack few types: `default` is asked for subclasses of `float` and `tuple`, for sets, and for
/// arrays whose memory is not in order.
pub const FEW_TYPES: u64 = 1 << 38;

/// Set for readers that allow bytes after the message.
pub const ALLOW_TRAILING: u64 = 1 << 39;

/// Set for readers whose keys may be str or bin, as msgpack's `strict_map_key` has it.
pub const KEYS_MAY_BE_BIN: u64 = 1 << 40;

/// Set for readers that look at keys alone: a map among them becomes a `Fragment`.
pub const MAPS_AS_KEYS: u64 = 1 << 41;

/// The flags that a module which replaces another package sets in addition to those of its constants.
pub const OF_MODULES: &[(&str, u64)] = &[
    ("_FEW_TYPES", FEW_TYPES),
    ("_NO_CONVERSIONS", NO_CONVERSIONS),
    ("_NO_OBJECTS", NO_OBJECTS),
    ("_SIX_DIGITS", SIX_DIGITS),
    ("_NEAR_MINUTES", NEAR_MINUTES),
    ("_KEYS_MAY_BE_BIN", KEYS_MAY_BE_BIN),
];

/// Set for writers of bytes that are only compared: there 1.0 is not 1, as it is in canonical output.
pub const KEEP_FLOATS: u64 = 1 << 42;

/// Set for writers whose keys are scalars or tuples of them, for which `default` is not asked.
pub const FEW_KEYS: u64 = 1 << 43;

/// Set for writers that leave out fields whose names begin with an underscore.
pub const NO_PRIVATE_FIELDS: u64 = 1 << 44;

/// Set for writers of fractions of a second with six digits, where fewer would hold them.
pub const SIX_DIGITS: u64 = 1 << 45;

/// Set for writers that round offsets from UTC to minutes, half a minute up.
pub const WHOLE_MINUTES: u64 = 1 << 46;

/// Set where errors are described by short words, which programs match.
pub const SHORT_WORDS: u64 = 1 << 47;

/// Set for writers that ask `default` for all that is packed as something else.
pub const NO_CONVERSIONS: u64 = 1 << 48;

/// Set for writers that ask `default` for objects of attrs and Structs.
pub const NO_OBJECTS: u64 = 1 << 51;

/// Set for writers that refuse times of day with an offset.
pub const NAIVE_TIMES: u64 = 1 << 49;

/// Set for writers that round offsets from UTC to minutes, half a minute down, and write `Z` if none are left.
pub const NEAR_MINUTES: u64 = 1 << 50;

/// What a writer needs to know in addition to the value.
#[derive(Clone)]
pub struct EncodeOptions {
    pub flags: u64,
    pub default: Option<Owned>,
    /// What makes an ext value of an object, or returns `NotImplemented`.
    pub extensions: Option<Owned>,
    pub max_depth: usize,
    /// `packord._typing.names.ClassNames`, where fields have other names than those of their classes.
    pub class_names: Option<Owned>,
}

impl EncodeOptions {
    /// Those of a call that names none.
    pub const USUAL: EncodeOptions = EncodeOptions {
        flags: USUAL,
        default: None,
        extensions: None,
        max_depth: MAX_DEPTH,
        class_names: None,
    };
}

impl Holder for EncodeOptions {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        self.default.visit(visit)?;
        self.extensions.visit(visit)?;
        self.class_names.visit(visit)
    }
}

/// The depth that both readers and writers allow by default.
pub const MAX_DEPTH: usize = 1024;

/// The keys that a record definition may have by default.
pub const MAX_RECORD_KEYS: usize = 1024;

/// What a reader does with str bytes that are not UTF-8.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Utf8 {
    Error,
    /// They are decoded with a handler of Python's that always finds characters.
    Handled(&'static std::ffi::CStr),
    /// The str is `bytes`.
    Raw,
    /// Every str is `bytes`, as msgpack-python's `raw=True` has it.
    Bytes,
}

/// What a timestamp is read as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Timestamps {
    /// `datetime`, or `Timestamp` where that is finer or out of its range.
    Native,
    /// Always `Timestamp`.
    Timestamp,
    /// Seconds as a `float`.
    Float,
    /// Nanoseconds as an `int`.
    Int,
    /// Handed to `ext_hook` like every other ext.
    Hook,
}

/// The limits of lengths and counts (`spec/limits.md`).
#[derive(Clone, Copy)]
pub enum Limit {
    Str,
    Bin,
    Ext,
    Array,
    Map,
    RecordKeys,
}

impl Limit {
    /// The name of the option that sets it.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Str => "max_str_len",
            Limit::Bin => "max_bin_len",
            Limit::Ext => "max_ext_len",
            Limit::Array => "max_array_len",
            Limit::Map => "max_map_len",
            Limit::RecordKeys => "max_record_keys",
        }
    }
}

/// What a decoder needs to know in addition to the bytes.
#[derive(Clone)]
pub struct DecodeOptions {
    pub flags: u64,
    pub ext_hook: Option<Owned>,
    /// A dict from ext types to what reads their payloads.
    pub extensions: Option<Owned>,
    pub object_hook: Option<Owned>,
    pub object_pairs_hook: Option<Owned>,
    pub list_hook: Option<Owned>,
    pub tuples: bool,
    pub timestamps: Timestamps,
    pub keep_ext: bool,
    pub utf8: Utf8,
    pub duplicate_error: bool,
    pub undefined_record_error: bool,
    pub max_depth: usize,
    pub max_str_len: usize,
    pub max_bin_len: usize,
    pub max_ext_len: usize,
    pub max_array_len: usize,
    pub max_map_len: usize,
    pub max_record_keys: usize,
    pub max_nodes: usize,
    pub max_buffer: usize,
    pub max_expansion: usize,
}

impl Default for DecodeOptions {
    fn default() -> DecodeOptions {
        DecodeOptions::USUAL
    }
}

impl DecodeOptions {
    /// Those of a call that names none.
    pub const USUAL: DecodeOptions = DecodeOptions {
        flags: USUAL,
        ext_hook: None,
        extensions: None,
        object_hook: None,
        object_pairs_hook: None,
        list_hook: None,
        tuples: false,
        timestamps: Timestamps::Native,
        keep_ext: true,
        utf8: Utf8::Error,
        duplicate_error: false,
        undefined_record_error: false,
        max_depth: MAX_DEPTH,
        max_str_len: usize::MAX,
        max_bin_len: usize::MAX,
        max_ext_len: usize::MAX,
        max_array_len: usize::MAX,
        max_map_len: usize::MAX,
        max_record_keys: MAX_RECORD_KEYS,
        max_nodes: usize::MAX,
        max_buffer: 64 << 20,
        max_expansion: 16,
    };

    /// The value of a limit.
    #[inline(always)]
    pub fn max(&self, limit: Limit) -> usize {
        match limit {
            Limit::Str => self.max_str_len,
            Limit::Bin => self.max_bin_len,
            Limit::Ext => self.max_ext_len,
            Limit::Array => self.max_array_len,
            Limit::Map => self.max_map_len,
            Limit::RecordKeys => self.max_record_keys,
        }
    }

    pub fn has(&self, flag: u64) -> bool {
        self.flags & flag != 0
    }

    /// Whether no option concerns single values, so that the short paths will do.
    pub fn are_plain(&self) -> bool {
        let lengths = [
            self.max_str_len,
            self.max_bin_len,
            self.max_ext_len,
            self.max_array_len,
            self.max_map_len,
            self.max_nodes,
        ];
        self.has(NON_STR_KEYS)
            && !self.has(COLUMNS | RECORDS | CANONICAL)
            && lengths.iter().all(|&length| length == usize::MAX)
            && self.utf8 == Utf8::Error
            && !self.duplicate_error
            && !self.tuples
            && !self.calls_container_hooks()
    }

    /// To read a key once more, as it is packed: what hooks made of it can't be compared.
    pub fn of_keys(&self) -> DecodeOptions {
        DecodeOptions {
            flags: self.flags | MAPS_AS_KEYS,
            ext_hook: None,
            extensions: None,
            object_hook: None,
            object_pairs_hook: None,
            list_hook: None,
            keep_ext: true,
            timestamps: Timestamps::Timestamp,
            max_nodes: usize::MAX,
            ..self.clone()
        }
    }

    fn calls_container_hooks(&self) -> bool {
        self.object_hook.is_some() || self.object_pairs_hook.is_some() || self.list_hook.is_some()
    }

    /// Whether code of the user runs while a message is read.
    pub fn has_hooks(&self) -> bool {
        self.ext_hook.is_some() || self.extensions.is_some() || self.calls_container_hooks()
    }
}

impl Holder for DecodeOptions {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        self.ext_hook.visit(visit)?;
        self.extensions.visit(visit)?;
        self.object_hook.visit(visit)?;
        self.object_pairs_hook.visit(visit)?;
        self.list_hook.visit(visit)
    }
}
