//! The first byte of every value (`spec/format.md` section 2).

/// First marker of the fixmap formats: `80` to `8f`.
pub const FIXMAP: u8 = 0x80;
/// First marker of the fixarray formats: `90` to `9f`.
pub const FIXARRAY: u8 = 0x90;
/// First marker of the fixstr formats: `a0` to `bf`.
pub const FIXSTR: u8 = 0xa0;
/// nil.
pub const NIL: u8 = 0xc0;
/// Reserved, never valid.
pub const RESERVED: u8 = 0xc1;
/// false.
pub const FALSE: u8 = 0xc2;
/// true.
pub const TRUE: u8 = 0xc3;
/// bin with an 8-bit length.
pub const BIN8: u8 = 0xc4;
/// bin with a 16-bit length.
pub const BIN16: u8 = 0xc5;
/// bin with a 32-bit length.
pub const BIN32: u8 = 0xc6;
/// ext with an 8-bit length.
pub const EXT8: u8 = 0xc7;
/// ext with a 16-bit length.
pub const EXT16: u8 = 0xc8;
/// ext with a 32-bit length.
pub const EXT32: u8 = 0xc9;
/// IEEE 754 binary32.
pub const FLOAT32: u8 = 0xca;
/// IEEE 754 binary64.
pub const FLOAT64: u8 = 0xcb;
/// Unsigned 8-bit integer.
pub const UINT8: u8 = 0xcc;
/// Unsigned 16-bit integer.
pub const UINT16: u8 = 0xcd;
/// Unsigned 32-bit integer.
pub const UINT32: u8 = 0xce;
/// Unsigned 64-bit integer.
pub const UINT64: u8 = 0xcf;
/// Signed 8-bit integer.
pub const INT8: u8 = 0xd0;
/// Signed 16-bit integer.
pub const INT16: u8 = 0xd1;
/// Signed 32-bit integer.
pub const INT32: u8 = 0xd2;
/// Signed 64-bit integer.
pub const INT64: u8 = 0xd3;
/// ext of 1 byte.
pub const FIXEXT1: u8 = 0xd4;
/// ext of 2 bytes.
pub const FIXEXT2: u8 = 0xd5;
/// ext of 4 bytes.
pub const FIXEXT4: u8 = 0xd6;
/// ext of 8 bytes.
pub const FIXEXT8: u8 = 0xd7;
/// ext of 16 bytes.
pub const FIXEXT16: u8 = 0xd8;
/// str with an 8-bit length.
pub const STR8: u8 = 0xd9;
/// str with a 16-bit length.
pub const STR16: u8 = 0xda;
/// str with a 32-bit length.
pub const STR32: u8 = 0xdb;
/// array with a 16-bit count.
pub const ARRAY16: u8 = 0xdc;
/// array with a 32-bit count.
pub const ARRAY32: u8 = 0xdd;
/// map with a 16-bit count.
pub const MAP16: u8 = 0xde;
/// map with a 32-bit count.
pub const MAP32: u8 = 0xdf;
/// First marker of the negative fixints: `e0` (−32) to `ff` (−1).
pub const NEGATIVE_FIXINT: u8 = 0xe0;

/// Returns the name of a marker's format in the specification.
///
/// ```
/// use packord::wire::marker;
/// assert_eq!(marker::name(0x93), "fixarray");
/// assert_eq!(marker::name(0xcd), "uint 16");
/// ```
#[must_use]
pub const fn name(marker: u8) -> &'static str {
    match marker {
        0x00..=0x7f => "positive fixint",
        0x80..=0x8f => "fixmap",
        0x90..=0x9f => "fixarray",
        0xa0..=0xbf => "fixstr",
        NIL => "nil",
        RESERVED => "reserved",
        FALSE => "false",
        TRUE => "true",
        BIN8 => "bin 8",
        BIN16 => "bin 16",
        BIN32 => "bin 32",
        EXT8 => "ext 8",
        EXT16 => "ext 16",
        EXT32 => "ext 32",
        FLOAT32 => "float 32",
        FLOAT64 => "float 64",
        UINT8 => "uint 8",
        UINT16 => "uint 16",
        UINT32 => "uint 32",
        UINT64 => "uint 64",
        INT8 => "int 8",
        INT16 => "int 16",
        INT32 => "int 32",
        INT64 => "int 64",
        FIXEXT1 => "fixext 1",
        FIXEXT2 => "fixext 2",
        FIXEXT4 => "fixext 4",
        FIXEXT8 => "fixext 8",
        FIXEXT16 => "fixext 16",
        STR8 => "str 8",
        STR16 => "str 16",
        STR32 => "str 32",
        ARRAY16 => "array 16",
        ARRAY32 => "array 32",
        MAP16 => "map 16",
        MAP32 => "map 32",
        NEGATIVE_FIXINT..=0xff => "negative fixint",
    }
}
