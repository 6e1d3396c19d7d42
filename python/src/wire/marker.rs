//! The markers that are used by name.

pub const NIL: u8 = 0xc0;
pub const RESERVED: u8 = 0xc1;
pub const FALSE: u8 = 0xc2;
pub const TRUE: u8 = 0xc3;
pub const BIN8: u8 = 0xc4;
pub const EXT8: u8 = 0xc7;
pub const FLOAT32: u8 = 0xca;
pub const FLOAT64: u8 = 0xcb;
pub const UINT8: u8 = 0xcc;
pub const UINT16: u8 = 0xcd;
pub const UINT32: u8 = 0xce;
pub const UINT64: u8 = 0xcf;
pub const INT8: u8 = 0xd0;
pub const INT16: u8 = 0xd1;
pub const INT32: u8 = 0xd2;
pub const INT64: u8 = 0xd3;
pub const FIXEXT1: u8 = 0xd4;
pub const FIXEXT2: u8 = 0xd5;
pub const STR8: u8 = 0xd9;
pub const ARRAY16: u8 = 0xdc;
pub const ARRAY32: u8 = 0xdd;
pub const MAP16: u8 = 0xde;
pub const MAP32: u8 = 0xdf;
pub const FIXMAP: u8 = 0x80;
pub const FIXARRAY: u8 = 0x90;
pub const FIXSTR: u8 = 0xa0;

/// The bytes of the header that a marker begins; for integers and floats with their payload.
pub const fn header_size(marker: u8) -> usize {
    match marker {
        BIN8 | UINT8 | INT8 | FIXEXT1..=0xd8 | STR8 => 2,
        0xc5 | EXT8 | UINT16 | INT16 | 0xda | ARRAY16 | MAP16 => 3,
        0xc8 => 4,
        0xc6 | FLOAT32 | UINT32 | INT32 | 0xdb | ARRAY32 | MAP32 => 5,
        0xc9 => 6,
        FLOAT64 | UINT64 | INT64 => 9,
        _ => 1,
    }
}

/// The ext type of timestamps.
pub const TIMESTAMP: i8 = -1;
/// The ext type of records.
pub const RECORD: i8 = 0x72;
/// The ext type of integers outside the range of the format.
pub const BIGINT: i8 = 0x42;
/// JavaScript's undefined, as ext type and payload.
pub const UNDEFINED: (i8, &[u8]) = (0, &[0]);
/// The ext type of typed arrays.
pub const TYPED_ARRAY: i8 = 0x74;

/// The marker of the minimal format of a number that is not negative.
pub fn minimal_unsigned(number: u64) -> u8 {
    match number {
        0..=0x7f => number as u8,
        0x80..=0xff => UINT8,
        0x100..=0xffff => UINT16,
        0x1_0000..=0xffff_ffff => UINT32,
        _ => UINT64,
    }
}

/// The marker of the int format that is minimal; 0 for numbers that have a shorter one in another
/// family.
pub fn minimal_signed(number: i64) -> u8 {
    match number {
        -32.. => 0,
        -0x80..-32 => INT8,
        -0x8000..-0x80 => INT16,
        -0x8000_0000..-0x8000 => INT32,
        _ => INT64,
    }
}
