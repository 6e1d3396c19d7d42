//! numpy's arrays as ext: typed arrays (0x74), and all others with their type and shape.

use pyo3::ffi;

use super::numpy::Interface;
use super::{Done, Encoder};
use crate::cpython::object::{Buffer, Obj, Owned};
use crate::cpython::state::ARRAYS;
use crate::errors::{Kind, Raised};
use crate::ext::ARRAY;
use crate::ext::number::Number;
use crate::options;
use crate::wire::marker::TYPED_ARRAY;

/// The most zero bytes before the elements.
const MOST_PADDING: usize = 15;

impl Encoder<'_> {
    pub(super) unsafe fn array_as_ext(&mut self, array: Obj, interface: &Interface) -> Done {
        if interface.dimensions == 1 && interface.is_native() {
            if let Some(code) = interface.number().and_then(Number::code) {
                return self.typed_array(array, interface, code);
            }
        }
        // A header of values is in the payload: a container, like others.
        self.enter()?;
        self.depth -= 1;
        let parts = Owned::take(ARRAYS.call(c"array_to_ext", &[array]));
        let Some(parts) = parts else {
            return Err(self.no_array());
        };
        if parts.get() == ffi::Py_None() {
            return self.unpackable(array, "unsupported datatype in numpy array");
        }
        let header = Buffer::of(ffi::PyTuple_GetItem(parts.get(), 0));
        let elements = Buffer::of(ffi::PyTuple_GetItem(parts.get(), 1));
        let alignment = ffi::PyLong_AsSize_t(ffi::PyTuple_GetItem(parts.get(), 2));
        let (Some(header), Some(elements)) = (header, elements) else {
            return Err(self.no_array());
        };
        let (header, elements) = (header.bytes(), elements.bytes());
        let length = header.len() + 1 + elements.len();
        let padding = if self.has(options::CANONICAL) {
            0
        } else {
            padding(self.out.len(), length, elements.len(), alignment)
        };
        self.ext_of(
            ARRAY,
            &[header, &[padding as u8], &[0; MOST_PADDING][..padding], elements],
        )
    }

    unsafe fn typed_array(&mut self, array: Obj, interface: &Interface, code: u8) -> Done {
        let code = [code];
        if interface.is_contiguous() {
            let count = *interface.shape as usize * interface.item_size as usize;
            // The array interface has no pointer to the elements of some empty arrays.
            let elements = match count {
                0 => &[][..],
                _ => std::slice::from_raw_parts(interface.data, count),
            };
            return self.ext_of(TYPED_ARRAY, &[&code, elements]);
        }
        let copy = Owned::take(ARRAYS.call(c"elements", &[array]));
        match copy.and_then(|copy| Buffer::of(copy.get())) {
            Some(elements) => self.ext_of(TYPED_ARRAY, &[&code, elements.bytes()]),
            None => Err(self.no_array()),
        }
    }

    /// An ext whose payload is the parts one after another.
    #[inline(always)]
    pub(super) unsafe fn ext_of(&mut self, code: i8, parts: &[&[u8]]) -> Done {
        let length = parts.iter().map(|part| part.len()).sum();
        if length > u32::MAX as usize {
            return Err(self.too_long());
        }
        self.reserve(length)?;
        self.out.ext_header(code, length);
        for part in parts {
            self.out.copy(part.as_ptr(), part.len());
        }
        Ok(())
    }

    #[cold]
    pub(super) unsafe fn no_array(&mut self) -> Raised {
        self.python(Kind::UnsupportedType, "numpy array is malformed")
    }
}

/// How many zero bytes put the elements at a multiple of their alignment, from the beginning of the
/// message. It is none if there is no such number: the length of the header changes with it.
fn padding(position: usize, length: usize, elements: usize, alignment: usize) -> usize {
    let start = |padding: usize| {
        let payload = length + padding;
        let header = match payload {
            1 | 2 | 4 | 8 | 16 => 2,
            0..=0xff => 3,
            0x100..=0xffff => 4,
            _ => 6,
        };
        position + header + payload - elements
    };
    (0..=MOST_PADDING)
        .find(|&padding| start(padding) % alignment.max(1) == 0)
        .unwrap_or(0)
}
