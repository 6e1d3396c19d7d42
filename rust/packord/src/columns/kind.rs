//! The numbers of kinds, modes, elements and bits of a directory (`spec/columns.md` section 2).

/// Values as MessagePack, end to end.
pub(crate) const PLAIN: u8 = 0;
pub(crate) const INT: u8 = 1;
/// The bits of floats: float 64 in mode 0, float 32 in mode [`FLOAT32`].
pub(crate) const FLOAT: u8 = 2;
/// Floats that are integers divided by a power of ten.
pub(crate) const SCALED: u8 = 3;
pub(crate) const TIME: u8 = 4;
/// Strings, bytes, or ext payloads of one type.
pub(crate) const BYTES: u8 = 5;
/// Indexes into the distinct values.
pub(crate) const DICT: u8 = 6;
pub(crate) const LIST: u8 = 7;
/// Maps with str keys, of few shapes.
pub(crate) const STRUCT: u8 = 8;
pub(crate) const MAP: u8 = 9;
/// Values of several branches.
pub(crate) const UNION: u8 = 10;

/// Mode of FLOAT: float 32.
pub(crate) const FLOAT32: u8 = 2;
/// Modes of BYTES: str, bin, ext, and str that end with a byte 00.
pub(crate) const STR: u8 = 0;
pub(crate) const BIN: u8 = 1;
pub(crate) const EXT: u8 = 2;
pub(crate) const TERMINATED: u8 = 4;

/// Elements of INT that are not a number of bytes: none, and one bit.
pub(crate) const NONE: u8 = 0;
pub(crate) const BIT: u8 = 1;
/// The other elements of INT.
pub(crate) const U8: u8 = 2;
pub(crate) const U16: u8 = 3;
pub(crate) const U32: u8 = 4;
pub(crate) const U64: u8 = 5;

/// Bits of the form of INT.
pub(crate) const DELTA: u8 = 0x10;
pub(crate) const BASE: u8 = 0x20;
pub(crate) const UNSIGNED: u8 = 0x40;

/// The integers of SCALED are below this.
pub(crate) const MANTISSAS: u64 = 1 << 53;
/// The powers of ten of SCALED.
pub(crate) const POWERS: [f64; 16] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];
