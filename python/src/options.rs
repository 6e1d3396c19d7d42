//! Options that are on or off, and the settings of readers and writers (`spec/limits.md`).

use crate::cpython::garbage::holds;
use crate::cpython::object::Owned;

macro_rules! constants {
    ($($name:ident $bit:literal;)*) => {
        $(pub const $name: u64 = 1 << $bit;)*
        /// The constants of ormsgpack, whose numbers programs store.
        pub const CONSTANTS: &[(&str, u64)] = &[$((concat!("OPT_", stringify!($name)), $name)),*];
    };
}

constants! {
    NAIVE_UTC 0;
    NON_STR_KEYS 1;
    OMIT_MICROSECONDS 2;
    PASSTHROUGH_BIG_INT 3;
    PASSTHROUGH_DATACLASS 4;
    PASSTHROUGH_DATETIME 5;
    PASSTHROUGH_SUBCLASS 6;
    PASSTHROUGH_TUPLE 7;
    SERIALIZE_NUMPY 8;
    SERIALIZE_PYDANTIC 9;
    SORT_KEYS 10;
    UTC_Z 11;
    PASSTHROUGH_UUID 12;
    PASSTHROUGH_ENUM 13;
    DATETIME_AS_TIMESTAMP_EXT 14;
    REPLACE_SURROGATES 15;
}

// What has a keyword and no constant.
pub const COLUMNS: u64 = 1 << 16;
pub const RECORDS: u64 = 1 << 17;
pub const BIGINT: u64 = 1 << 18;
pub const RICH: u64 = 1 << 19;
pub const CANONICAL: u64 = 1 << 20;
pub const FLOAT32: u64 = 1 << 21;
pub const SKIP_NIL: u64 = 1 << 22;

/// `packb`, `Encoder`, `Packer` and `pack`.
pub const PACK: u8 = 1;
/// `packord.container.Writer`.
pub const FILE: u8 = 2;
/// `unpackb`, `Decoder` and `unpack`.
pub const UNPACK: u8 = 4;
/// `Unpacker` and `unpack_async`.
pub const STREAM: u8 = 8;
/// `packord.container.Reader`.
pub const ROWS: u8 = 16;
const WRITERS: u8 = PACK | FILE;
const MESSAGES: u8 = UNPACK | STREAM;
const READERS: u8 = MESSAGES | ROWS;
const ALL: u8 = WRITERS | READERS;

/// Every keyword that is an option: who takes it, and its flag if it is on or off. `_flags` is for modules that replace
/// another package.
pub const KEYWORDS: &[(&str, u8, u64)] = &[
    ("_flags", PACK | MESSAGES, 0),
    ("bigint", ALL, BIGINT),
    ("block_rows", FILE, 0),
    ("block_size", FILE, 0),
    ("canonical", PACK | MESSAGES, CANONICAL),
    ("codec", FILE, 0),
    ("columns", WRITERS | MESSAGES, COLUMNS),
    ("dec_hook", READERS, 0),
    ("default", WRITERS, 0),
    ("duplicate_key", READERS, 0),
    ("ext_hook", READERS, 0),
    ("extensions", ALL, 0),
    ("float32", WRITERS, FLOAT32),
    ("forbid_unknown_fields", READERS, 0),
    ("level", FILE, 0),
    ("list_hook", READERS, 0),
    ("max_array_len", READERS, 0),
    ("max_bin_len", READERS, 0),
    ("max_buffer", STREAM, 0),
    ("max_depth", WRITERS | MESSAGES, 0),
    ("max_expansion", MESSAGES, 0),
    ("max_ext_len", READERS, 0),
    ("max_len", READERS, 0),
    ("max_map_len", READERS, 0),
    ("max_nodes", READERS, 0),
    ("max_own_structures", PACK, 0),
    ("max_record_keys", PACK | MESSAGES, 0),
    ("max_shared_structures", PACK, 0),
    ("max_str_len", READERS, 0),
    ("messages", FILE, 0),
    ("meta", FILE, 0),
    ("object_hook", READERS, 0),
    ("object_pairs_hook", READERS, 0),
    ("records", PACK | MESSAGES, RECORDS),
    ("rename", ALL, 0),
    ("rich", ALL, RICH),
    ("sequential", PACK | MESSAGES, 0),
    ("skip_nil", WRITERS, SKIP_NIL),
    ("sort_keys", WRITERS, SORT_KEYS),
    ("stats", FILE, 0),
    ("strict", READERS, 0),
    ("structures", PACK | MESSAGES, 0),
    ("sync", FILE, 0),
    ("tag", ALL, 0),
    ("timestamps", READERS, 0),
    ("trailing", MESSAGES, 0),
    ("tuples", READERS, 0),
    ("type", READERS, 0),
    ("undefined_record", MESSAGES, 0),
    ("unknown_ext", READERS, 0),
    ("utf8", WRITERS | MESSAGES, 0),
];

/// What packord does without options, and modules with one of their constants.
pub const USUAL: u64 = NON_STR_KEYS | SERIALIZE_NUMPY | SERIALIZE_PYDANTIC | DATETIME_AS_TIMESTAMP_EXT;

/// Set for writers that pack few types: `default` is asked for subclasses of `float` and `tuple`, for sets, and for
/// arrays whose memory is not in order.
pub const FEW_TYPES: u64 = 1 << 38;
/// Set for readers that allow bytes after the message.
pub const ALLOW_TRAILING: u64 = 1 << 39;
/// Set for readers whose keys may be str or bin, as msgpack's `strict_map_key` has it.
pub const KEYS_MAY_BE_BIN: u64 = 1 << 40;
/// Set for readers that look at keys alone: a map among them becomes a `Fragment`.
pub const MAPS_AS_KEYS: u64 = 1 << 41;
/// Set for writers of bytes that are only compared: there 1.0 is not 1, as it is in canonical output.
pub const KEEP_FLOATS: u64 = 1 << 42;
/// Set for writers whose keys are scalars or tuples of them, for which `default` is not asked.
pub const FEW_KEYS: u64 = 1 << 43;
/// Set for writers that leave out fields whose names begin with an underscore.
pub const NO_PRIVATE_FIELDS: u64 = 1 << 44;
/// Set for writers of fractions of a second with six digits, which write numpy's points in time as text in any case.
pub const SIX_DIGITS: u64 = 1 << 45;
/// Set for writers that round offsets from UTC to minutes, half a minute up.
pub const WHOLE_MINUTES: u64 = 1 << 46;
/// Set where errors are described by short words, which programs match.
pub const SHORT_WORDS: u64 = 1 << 47;
/// Set for writers that ask `default` for all that is packed as something else.
pub const NO_CONVERSIONS: u64 = 1 << 48;
/// Set for writers that refuse times of day with an offset.
pub const NAIVE_TIMES: u64 = 1 << 49;
/// Set for writers that round offsets from UTC to minutes, half a minute down, and write `Z` if none are left.
pub const NEAR_MINUTES: u64 = 1 << 50;
/// Set for writers that ask `default` for objects of attrs and Structs, and for those of classes derived from `bytes`,
/// `bytearray` and the classes of dates and times.
pub const NO_OBJECTS: u64 = 1 << 51;
/// Set for writers of `datetime` with a time zone by classes, as a timestamp.
pub const AWARE_DATETIMES: u64 = 1 << 52;
/// Set for writers that have 32 bits for every float, whatever that loses.
pub const SINGLE: u64 = 1 << 53;
/// Set for writers of the format of before 2013, which has neither bin nor str 8.
pub const NO_BIN: u64 = 1 << 54;

/// Set for readers that take fewer kinds of values: for the fields of a class no keys but str, for a duration no number.
pub const FEW_KINDS: u64 = 1 << 55;

/// The flags that a module which replaces another package sets in addition to those of its constants.
pub const OF_MODULES: &[(&str, u64)] = &[
    ("_FEW_KINDS", FEW_KINDS),
    ("_FEW_TYPES", FEW_TYPES),
    ("_NO_CONVERSIONS", NO_CONVERSIONS),
    ("_SIX_DIGITS", SIX_DIGITS),
    ("_NEAR_MINUTES", NEAR_MINUTES),
];

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
    /// If set, its tuples are ext values, and an object of a subclass is packed as its built-in base class.
    pub ext_class: Option<Owned>,
    /// The handler of a str that UTF-8 cannot write, msgpack's `unicode_errors`.
    pub text_errors: Option<Owned>,
}

impl EncodeOptions {
    /// Those of a call that names none.
    pub const USUAL: EncodeOptions = EncodeOptions {
        flags: USUAL,
        default: None,
        extensions: None,
        max_depth: MAX_DEPTH,
        class_names: None,
        ext_class: None,
        text_errors: None,
    };
}

holds!(EncodeOptions: default, extensions, class_names, ext_class);

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
    Timestamp,
    /// Seconds as a `float`.
    Float,
    /// Nanoseconds as an `int`.
    Int,
    /// Always `datetime`: what is below a microsecond is cut off.
    Datetime,
    /// Always `datetime`, of the nearest microsecond.
    NearDatetime,
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
    /// The options that set them, in their order.
    pub const NAMES: [&str; 6] = [
        "max_str_len",
        "max_bin_len",
        "max_ext_len",
        "max_array_len",
        "max_map_len",
        "max_record_keys",
    ];
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
    /// By [`Limit`].
    pub max_lengths: [usize; 6],
    pub max_nodes: usize,
    pub max_buffer: usize,
    pub max_expansion: usize,
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
        max_lengths: {
            let mut lengths = [usize::MAX; 6];
            lengths[Limit::RecordKeys as usize] = MAX_RECORD_KEYS;
            lengths
        },
        max_nodes: usize::MAX,
        max_buffer: 64 << 20,
        max_expansion: 16,
    };

    #[inline(always)]
    pub fn max(&self, limit: Limit) -> usize {
        self.max_lengths[limit as usize]
    }

    pub fn has(&self, flag: u64) -> bool {
        self.flags & flag != 0
    }

    /// Whether no option concerns single values in `size` bytes without a fault, so that the short paths will do.
    pub fn are_plain(&self, size: usize) -> bool {
        let lengths = &self.max_lengths[..Limit::RecordKeys as usize];
        !self.has(COLUMNS | RECORDS | CANONICAL)
            && lengths.iter().all(|&length| length >= size)
            && self.max_nodes == usize::MAX
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

    pub fn calls_container_hooks(&self) -> bool {
        self.object_hook.is_some() || self.object_pairs_hook.is_some() || self.list_hook.is_some()
    }

    /// Whether code of the user runs while a message is read.
    pub fn has_hooks(&self) -> bool {
        self.ext_hook.is_some() || self.extensions.is_some() || self.calls_container_hooks()
    }
}

holds!(DecodeOptions: ext_hook, extensions, object_hook, object_pairs_hook, list_hook);
