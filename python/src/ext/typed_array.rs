//! Typed arrays, ext 0x74: one byte for the type of the elements, then the elements.

/// The types of elements, by their code.
#[derive(Clone, Copy)]
pub enum Element {
    Int8 = 0,
    Uint8 = 1,
    Uint8Clamped = 2,
    Int16 = 3,
    Uint16 = 4,
    Int32 = 5,
    Uint32 = 6,
    Float32 = 7,
    Float64 = 8,
    Int64 = 9,
    Uint64 = 10,
    Bytes = 16,
    DataView = 17,
}

impl Element {
    pub fn of(code: u8) -> Option<Element> {
        use Element::*;
        [
            Int8,
            Uint8,
            Uint8Clamped,
            Int16,
            Uint16,
            Int32,
            Uint32,
            Float32,
            Float64,
            Int64,
            Uint64,
            Bytes,
            DataView,
        ]
        .into_iter()
        .find(|&element| element as u8 == code)
    }

    /// The element's size in bytes.
    pub fn size(self) -> usize {
        use Element::*;
        match self {
            Int8 | Uint8 | Uint8Clamped | Bytes | DataView => 1,
            Int16 | Uint16 => 2,
            Int32 | Uint32 | Float32 => 4,
            Float64 | Int64 | Uint64 => 8,
        }
    }

    /// numpy's name of the type; `None` if it has none.
    pub fn dtype(self) -> Option<&'static std::ffi::CStr> {
        use Element::*;
        Some(match self {
            Int8 => c"<i1",
            Uint8 => c"<u1",
            Int16 => c"<i2",
            Uint16 => c"<u2",
            Int32 => c"<i4",
            Uint32 => c"<u4",
            Float32 => c"<f4",
            Float64 => c"<f8",
            Int64 => c"<i8",
            Uint64 => c"<u8",
            Uint8Clamped | Bytes | DataView => return None,
        })
    }
}
