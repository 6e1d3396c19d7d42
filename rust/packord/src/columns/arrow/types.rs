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

/// The formats without parameters. Those of instants have the name of a zone after them.
static FORMATS: [(&str, ArrowType); 40] = {
    use ArrowType as T;
    const fn int(bytes: usize, signed: bool) -> ArrowType {
        T::Int { bytes, signed }
    }
    [
        ("n", T::Null),
        ("b", T::Bool),
        ("c", int(1, true)),
        ("C", int(1, false)),
        ("s", int(2, true)),
        ("S", int(2, false)),
        ("i", int(4, true)),
        ("I", int(4, false)),
        ("l", int(8, true)),
        ("L", int(8, false)),
        ("e", T::Float(2)),
        ("f", T::Float(4)),
        ("g", T::Float(8)),
        ("u", T::Utf8(Offsets::Small)),
        ("U", T::Utf8(Offsets::Large)),
        ("vu", T::Utf8(Offsets::View)),
        ("z", T::Binary(Offsets::Small)),
        ("Z", T::Binary(Offsets::Large)),
        ("vz", T::Binary(Offsets::View)),
        ("tdD", T::Date(4)),
        ("tdm", T::Date(8)),
        ("tts", T::Time(0)),
        ("ttm", T::Time(3)),
        ("ttu", T::Time(6)),
        ("ttn", T::Time(9)),
        ("tDs", T::Duration(0)),
        ("tDm", T::Duration(3)),
        ("tDu", T::Duration(6)),
        ("tDn", T::Duration(9)),
        ("tss:", T::Instant(0)),
        ("tsm:", T::Instant(3)),
        ("tsu:", T::Instant(6)),
        ("tsn:", T::Instant(9)),
        ("+l", T::List(Offsets::Small)),
        ("+L", T::List(Offsets::Large)),
        ("+vl", T::ListView(Offsets::Small)),
        ("+vL", T::ListView(Offsets::Large)),
        ("+s", T::Struct),
        ("+m", T::Map),
        ("+r", T::RunEnds),
    ]
};

impl ArrowType {
    /// Reads a format string; `None` for one that has no meaning here.
    pub fn parse(format: &str) -> Option<ArrowType> {
        use ArrowType as T;
        let format = match format.split_once(':') {
            None => format,
            Some(("w", bytes)) => return bytes.parse().ok().map(T::FixedBinary),
            Some(("+w", size)) => return size.parse().ok().map(T::FixedList),
            Some(("d", parameters)) => return decimal(parameters),
            Some((kind @ ("+ud" | "+us"), ids)) => {
                let ids = ids.split(',').filter(|id| !id.is_empty());
                let ids = ids.map(|id| id.parse().ok().filter(|&id: &i8| id >= 0));
                let (dense, ids) = (kind == "+ud", ids.collect::<Option<Vec<i8>>>()?);
                return Some(T::Union { dense, ids });
            }
            // The name of the zone says how to show an instant, and not which it is.
            Some((kind, _)) => &format[..=kind.len()],
        };
        let found = FORMATS.iter().find(|(known, _)| *known == format);
        found.map(|(_, ty)| ty.clone())
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
        match self {
            T::FixedBinary(bytes) => write!(f, "w:{bytes}"),
            T::Decimal {
                precision,
                scale,
                bytes,
            } => write!(f, "d:{precision},{scale},{}", bytes * 8),
            T::FixedList(size) => write!(f, "+w:{size}"),
            T::Union { dense, ids } => {
                f.write_str(if *dense { "+ud:" } else { "+us:" })?;
                for (place, id) in ids.iter().enumerate() {
                    write!(f, "{}{id}", if place == 0 { "" } else { "," })?;
                }
                Ok(())
            }
            _ => {
                let found = FORMATS.iter().find(|(_, ty)| ty == self);
                f.write_str(found.map_or("", |(format, _)| format))
            }
        }
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
