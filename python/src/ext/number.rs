//! The types of numbers in memory: of numpy's arrays and scalars, and of typed arrays (ext 0x74).

/// A type of numbers, as numpy calls it: `i4`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Number {
    pub kind: u8,
    pub size: usize,
}

/// The numbers that are packed, with the byte that begins a typed array of them, if there are such.
const NUMBERS: [(Number, Option<u8>); 12] = {
    const fn number(kind: u8, size: usize) -> Number {
        Number { kind, size }
    }
    [
        (number(b'i', 1), Some(0)),
        (number(b'u', 1), Some(1)),
        (number(b'i', 2), Some(3)),
        (number(b'u', 2), Some(4)),
        (number(b'i', 4), Some(5)),
        (number(b'u', 4), Some(6)),
        (number(b'f', 4), Some(7)),
        (number(b'f', 8), Some(8)),
        (number(b'i', 8), Some(9)),
        (number(b'u', 8), Some(10)),
        (number(b'b', 1), None),
        (number(b'f', 2), None),
    ]
};

/// Typed arrays of single bytes that numpy has no type for: clamped bytes, `ArrayBuffer`, `DataView`.
pub const BYTES: [u8; 3] = [2, 16, 17];

/// Points in time: microseconds since 1970, and nanoseconds.
pub const MICROSECONDS: Number = Number { kind: b'M', size: 8 };
pub const NANOSECONDS: Number = Number { kind: b'N', size: 8 };

/// numpy's names of the types of typed arrays, and the bytes that these begin with.
pub fn typed_arrays() -> impl Iterator<Item = (String, u8)> {
    let codes = NUMBERS.iter().filter_map(|(number, code)| Some((number, (*code)?)));
    codes.map(|(number, code)| (format!("{}{}", number.kind as char, number.size), code))
}

impl Number {
    /// The type of a kind and a size; `None` if it is not packed.
    pub fn of(kind: u8, size: usize) -> Option<Number> {
        let wanted = Number { kind, size };
        let mut known = NUMBERS.iter().map(|(number, _)| *number);
        known.find(|number| *number == wanted)
    }

    pub fn of_code(code: u8) -> Option<Number> {
        let found = NUMBERS.iter().find(|(_, known)| *known == Some(code));
        found.map(|(number, _)| *number)
    }

    pub fn code(self) -> Option<u8> {
        NUMBERS.iter().find(|(number, _)| *number == self)?.1
    }

    /// numpy's name of the type, with a zero at its end.
    pub fn dtype(self) -> [u8; 4] {
        [b'<', self.kind, b'0' + self.size as u8, 0]
    }
}
