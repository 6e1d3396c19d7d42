//! The types of Arrow, and the format strings that the C data interface has for them.

use alloc::vec::Vec;
use core::fmt;

/// How variable sizes are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offsets {
    /// Offsets of 32 bits.
    Small,
    /// Offsets of 64 bits.
    Large,
    /// For bytes, a view of 16 bytes for each value, which holds short values itself.
    View,
}

/// The type of an array. A dictionary has the type of its indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ArrowType {
    Null,
    Bool,
    Int {
        bytes: usize,
        signed: bool,
    },
    /// Of 2, 4 or 8 bytes.
    Float(usize),
    Utf8(Offsets),
    Binary(Offsets),
    FixedBinary(usize),
    /// Days in 4 bytes, or milliseconds in 8.
    Date(usize),
    /// Time of day, duration and instant in units of 10^-digits seconds.
    Time(u8),
    Duration(u8),
    Instant(u8),
    Decimal {
        precision: u32,
        scale: i32,
        bytes: usize,
    },
    List(Offsets),
    ListView(Offsets),
    FixedList(usize),
    Struct,
    Map,
    /// The child of each type id.
    Union {
        dense: bool,
        ids: Vec<i8>,
    },
    RunEnds,
}

impl ArrowType {
    /// Reads a format string; `None` for one that has no meaning here.
    pub fn parse(format: &str) -> Option<ArrowType> {
        use ArrowType as T;
        let int = |bytes, signed| T::Int { bytes, signed };
        Some(match format {
            "n" => T::Null,
            "b" => T::Bool,
            "c" => int(1, true),
            "C" => int(1, false),
            "s" => int(2, true),
            "S" => int(2, false),
            "i" => int(4, true),
            "I" => int(4, false),
            "l" => int(8, true),
            "L" => int(8, false),
            "e" => T::Float(2),
            "f" => T::Float(4),
            "g" => T::Float(8),
            "u" => T::Utf8(Offsets::Small),
            "U" => T::Utf8(Offsets::Large),
            "vu" => T::Utf8(Offsets::View),
            "z" => T::Binary(Offsets::Small),
            "Z" => T::Binary(Offsets::Large),
            "vz" => T::Binary(Offsets::View),
            "tdD" => T::Date(4),
            "tdm" => T::Date(8),
            "+l" => T::List(Offsets::Small),
            "+L" => T::List(Offsets::Large),
            "+vl" => T::ListView(Offsets::Small),
            "+vL" => T::ListView(Offsets::Large),
            "+s" => T::Struct,
            "+m" => T::Map,
            "+r" => T::RunEnds,
            _ => return T::with_parameters(format),
        })
    }

    fn with_parameters(format: &str) -> Option<ArrowType> {
        use ArrowType as T;
        let after = |start: &str| format.strip_prefix(start);
        if let Some(bytes) = after("w:") {
            return bytes.parse().ok().map(T::FixedBinary);
        }
        if let Some(size) = after("+w:") {
            return size.parse().ok().map(T::FixedList);
        }
        if let Some(parameters) = after("d:") {
            return decimal(parameters);
        }
        if let Some((dense, ids)) = after("+ud:")
            .map(|ids| (true, ids))
            .or_else(|| after("+us:").map(|ids| (false, ids)))
        {
            let ids = ids.split(',').filter(|id| !id.is_empty());
            let ids = ids.map(|id| id.parse().ok().filter(|&id: &i8| id >= 0));
            let ids = ids.collect::<Option<Vec<i8>>>()?;
            return Some(T::Union { dense, ids });
        }
        let [b't', kind @ (b't' | b'D' | b's'), unit, rest @ ..] = format.as_bytes() else {
            return None;
        };
        let digits = match unit {
            b's' => 0,
            b'm' => 3,
            b'u' => 6,
            b'n' => 9,
            _ => return None,
        };
        match (kind, rest) {
            (b't', []) => Some(T::Time(digits)),
            (b'D', []) => Some(T::Duration(digits)),
            // The name of the zone says how to show an instant, and not which it is.
            (b's', [b':', ..]) => Some(T::Instant(digits)),
            _ => None,
        }
    }

    /// Whether the first buffer is the bitmap of rows that are not null.
    pub fn has_validity(&self) -> bool {
        !matches!(self, ArrowType::Null | ArrowType::Union { .. } | ArrowType::RunEnds)
    }

    /// Returns the bytes of a value, for types that have a fixed number of them.
    pub fn width(&self) -> Option<usize> {
        use ArrowType as T;
        match *self {
            T::Int { bytes, .. }
            | T::Float(bytes)
            | T::FixedBinary(bytes)
            | T::Date(bytes)
            | T::Decimal { bytes, .. } => Some(bytes),
            T::Time(digits) => Some(if digits <= 3 { 4 } else { 8 }),
            T::Duration(_) | T::Instant(_) => Some(8),
            _ => None,
        }
    }

    /// Returns how many children there are, if the type says it.
    pub fn children(&self) -> Option<usize> {
        use ArrowType as T;
        match self {
            T::Struct => None,
            T::Union { ids, .. } => Some(ids.len()),
            T::List(_) | T::ListView(_) | T::FixedList(_) | T::Map => Some(1),
            T::RunEnds => Some(2),
            _ => Some(0),
        }
    }
}

/// Reads `precision,scale` or `precision,scale,bits`.
fn decimal(parameters: &str) -> Option<ArrowType> {
    let mut parts = parameters.split(',');
    let precision = parts.next()?.parse::<u32>().ok()?;
    let scale = parts.next()?.parse::<i32>().ok()?;
    let bits = parts.next().map_or(Some(128), |bits| bits.parse::<usize>().ok())?;
    let fits = matches!(bits, 32 | 64 | 128 | 256) && precision <= 76 && scale.abs() <= 76;
    let bytes = bits / 8;
    let ty = ArrowType::Decimal {
        precision,
        scale,
        bytes,
    };
    (fits && parts.next().is_none()).then_some(ty)
}

/// The format strings of the types that columns become.
impl fmt::Display for ArrowType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ArrowType as T;
        f.write_str(match self {
            T::Null => "n",
            T::Bool => "b",
            T::Int { bytes, signed } => {
                const NAMES: [[&str; 2]; 4] = [["C", "c"], ["S", "s"], ["I", "i"], ["L", "l"]];
                NAMES[bytes.ilog2() as usize & 3][usize::from(*signed)]
            }
            T::Float(2) => "e",
            T::Float(4) => "f",
            T::Float(_) => "g",
            T::Utf8(Offsets::Small) => "u",
            T::Utf8(Offsets::Large) => "U",
            T::Utf8(Offsets::View) => "vu",
            T::Binary(Offsets::Small) => "z",
            T::Binary(Offsets::Large) => "Z",
            T::Binary(Offsets::View) => "vz",
            T::FixedBinary(bytes) => return write!(f, "w:{bytes}"),
            T::Date(4) => "tdD",
            T::Date(_) => "tdm",
            T::Time(digits) => return write!(f, "tt{}", unit(*digits)),
            T::Duration(digits) => return write!(f, "tD{}", unit(*digits)),
            T::Instant(digits) => return write!(f, "ts{}:", unit(*digits)),
            T::Decimal {
                precision,
                scale,
                bytes,
            } => return write!(f, "d:{precision},{scale},{}", bytes * 8),
            T::List(Offsets::Large) => "+L",
            T::List(_) => "+l",
            T::ListView(Offsets::Large) => "+vL",
            T::ListView(_) => "+vl",
            T::FixedList(size) => return write!(f, "+w:{size}"),
            T::Struct => "+s",
            T::Map => "+m",
            T::RunEnds => "+r",
            T::Union { dense, ids } => {
                f.write_str(if *dense { "+ud:" } else { "+us:" })?;
                for (place, id) in ids.iter().enumerate() {
                    write!(f, "{}{id}", if place == 0 { "" } else { "," })?;
                }
                return Ok(());
            }
        })
    }
}

fn unit(digits: u8) -> char {
    match digits {
        0 => 's',
        3 => 'm',
        6 => 'u',
        _ => 'n',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn formats_are_read_and_written_alike() {
        for format in [
            "n",
            "b",
            "c",
            "C",
            "s",
            "S",
            "i",
            "I",
            "l",
            "L",
            "e",
            "f",
            "g",
            "u",
            "U",
            "vu",
            "z",
            "Z",
            "vz",
            "w:16",
            "tdD",
            "tdm",
            "tts",
            "ttm",
            "ttu",
            "ttn",
            "tDs",
            "tDn",
            "tss:",
            "tsu:",
            "+l",
            "+L",
            "+vl",
            "+vL",
            "+w:3",
            "+s",
            "+m",
            "+r",
            "+ud:0,1",
            "+us:5,7",
            "d:76,2,128",
            "d:76,-2,256",
        ] {
            let found = ArrowType::parse(format).map(|ty| ty.to_string());
            assert_eq!(found.as_deref(), Some(format));
        }
        let zoned = ArrowType::parse("tsm:Europe/Paris");
        assert_eq!(zoned, Some(ArrowType::Instant(3)));
        assert_eq!(
            ArrowType::parse("d:10,2"),
            Some(ArrowType::Decimal {
                precision: 10,
                scale: 2,
                bytes: 16
            })
        );
    }

    #[test]
    fn formats_without_a_meaning_are_refused() {
        for format in [
            "", "x", "w:", "w:-1", "+w:x", "d:1", "d:1,2,3", "tiM", "tiD", "tin", "tsq:", "ts", "tts:", "+ud:-1",
            "+ud:300", "+x", "é",
        ] {
            assert_eq!(ArrowType::parse(format), None, "{format}");
        }
    }
}
