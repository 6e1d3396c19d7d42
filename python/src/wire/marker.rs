//! The markers, those of the crate `packord`, and ids and ext types beside them.

pub use packord::wire::marker::*;

/// The last markers of the formats that have several.
pub const LAST_FIXINT: u8 = 0x7f;
pub const LAST_FIXMAP: u8 = FIXARRAY - 1;
pub const LAST_FIXARRAY: u8 = FIXSTR - 1;
pub const LAST_FIXSTR: u8 = NIL - 1;
/// The bits of a fix marker that are its length or count.
pub const FIXSTR_LENGTH: u8 = LAST_FIXSTR - FIXSTR;
pub const FIX_COUNT: u8 = LAST_FIXMAP - FIXMAP;

/// The bytes that begin a record id (`spec/records.md` section 2), and those of two-byte ids.
pub const FIRST_ID: u8 = 0x40;
pub const FIRST_TWO_BYTE_ID: u8 = 0x60;
pub const LAST_ID: u8 = 0x7f;
/// The second byte that no id has.
pub const NO_ID: u8 = 0xff;

/// The bytes of the header that a marker begins; for integers and floats with their payload.
pub const fn header_size(marker: u8) -> usize {
    match marker {
        BIN8 | UINT8 | INT8 | FIXEXT1..=FIXEXT16 | STR8 => 2,
        BIN16 | EXT8 | UINT16 | INT16 | STR16 | ARRAY16 | MAP16 => 3,
        EXT16 => 4,
        BIN32 | FLOAT32 | UINT32 | INT32 | STR32 | ARRAY32 | MAP32 => 5,
        EXT32 => 6,
        FLOAT64 | UINT64 | INT64 => 9,
        _ => 1,
    }
}

pub const TIMESTAMP: i8 = packord::ext::TIMESTAMP;
pub const RECORD: i8 = packord::record::EXT_TYPE;
/// The ext type of integers outside the range of the format.
pub const BIGINT: i8 = packord::ext::BIGINT;
/// JavaScript's undefined, as ext type and payload.
pub const UNDEFINED: (i8, &[u8]) = (packord::ext::UNDEFINED, &[0]);
pub const TYPED_ARRAY: i8 = packord::ext::TYPED_ARRAY;

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
