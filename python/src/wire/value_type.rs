//! The types of values on the wire, and what errors call them (`spec/errors.md` section 4).

use super::marker::*;
use super::skip::ext_type;

/// The type of a value, as its marker tells it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    Nil,
    Bool,
    Int,
    Float,
    Str,
    Bin,
    Array,
    Map,
    Ext,
}

impl ValueType {
    pub const COUNT: usize = 9;

    /// The type of value that a marker begins; `None` for `c1`.
    #[inline(always)]
    pub fn of(marker: u8) -> Option<ValueType> {
        TYPES[usize::from(marker)]
    }

    pub fn name(self) -> &'static str {
        const NAMES: [&str; ValueType::COUNT] =
            ["nil", "bool", "integer", "float", "str", "bin", "array", "map", "ext"];
        NAMES[self as usize]
    }

    /// The name of the type of the value at the beginning of `bytes`, whose header is whole.
    pub fn name_at(bytes: &[u8]) -> &'static str {
        let Some(&marker) = bytes.first() else {
            return "nothing";
        };
        if ext_type(bytes) == Some(TIMESTAMP) {
            return "timestamp";
        }
        ValueType::of(marker).map_or("marker c1", ValueType::name)
    }
}

const TYPES: [Option<ValueType>; 256] = {
    let mut table = [None; 256];
    let mut marker = 0;
    while marker < 256 {
        table[marker] = match marker as u8 {
            FIXMAP..=LAST_FIXMAP | MAP16 | MAP32 => Some(ValueType::Map),
            FIXARRAY..=LAST_FIXARRAY | ARRAY16 | ARRAY32 => Some(ValueType::Array),
            FIXSTR..=LAST_FIXSTR | STR8..=STR32 => Some(ValueType::Str),
            NIL => Some(ValueType::Nil),
            RESERVED => None,
            FALSE | TRUE => Some(ValueType::Bool),
            BIN8..=BIN32 => Some(ValueType::Bin),
            EXT8..=EXT32 | FIXEXT1..=FIXEXT16 => Some(ValueType::Ext),
            FLOAT32 | FLOAT64 => Some(ValueType::Float),
            _ => Some(ValueType::Int),
        };
        marker += 1;
    }
    table
};
