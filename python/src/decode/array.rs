//! numpy's arrays from ext: typed arrays (0x74), and all others with their type and shape.

use pyo3::ffi;

use super::{Decoder, Read};
use crate::cpython::object::{Obj, Owned, bytes_of};
use crate::cpython::state::ARRAYS;
use crate::errors::{Kind, Raised};
use crate::ext::number::{BYTES, Number};
use crate::options::{self, DecodeOptions};
use crate::values::Ext;
use crate::wire::marker::TYPED_ARRAY;

/// How deep the type of an array may be nested.
const MAX_DEPTH: usize = 64;

impl Decoder<'_> {
    /// An array of one dimension.
    pub(super) unsafe fn typed_array(&mut self, marker_offset: usize, payload: &[u8]) -> Read {
        let Some((code, items)) = payload.split_first() else {
            return Err(self.invalid_ext(marker_offset));
        };
        let Some(number) = Number::of_code(*code) else {
            if !BYTES.contains(code) {
                return Err(self.invalid_ext(marker_offset));
            }
            // A type that Python has no array for: kept, and packed as it was.
            let data = self.bytes(payload)?;
            return self.non_null(Ext::make(TYPED_ARRAY, data));
        };
        if items.len() % number.size != 0 {
            return Err(self.invalid_ext(marker_offset));
        }
        let (owner, offset) = self.lasting(items)?;
        let dtype = number.dtype();
        let dtype = Owned::take(ffi::PyUnicode_FromString(dtype.as_ptr().cast())).ok_or(Raised)?;
        let count = Owned::take(ffi::PyLong_FromSize_t(items.len() / number.size)).ok_or(Raised)?;
        let offset = Owned::take(ffi::PyLong_FromSize_t(offset)).ok_or(Raised)?;
        let arguments = [owner.get(), dtype.get(), count.get(), offset.get()];
        self.array_of(marker_offset, c"typed_array", &arguments)
    }

    /// An array after a header of its type, shape and order.
    #[inline(never)]
    pub(super) unsafe fn ndarray(&mut self, marker_offset: usize, payload: &[u8]) -> Read {
        // The options of the user are for values of the user, and the header is none.
        let options = DecodeOptions {
            max_depth: MAX_DEPTH,
            ..DecodeOptions::USUAL
        };
        let mut inside = Decoder::new(payload, &options, None, None);
        let Ok(header) = inside.value::<true>(0) else {
            ffi::PyErr_Clear();
            return Err(self.invalid_ext(marker_offset));
        };
        let header = Owned::take(header).ok_or(Raised)?;
        let (packed, elements) = payload.split_at(inside.next.addr() - payload.as_ptr().addr());
        let (owner, offset) = self.lasting(elements)?;
        let end = Owned::take(ffi::PyLong_FromSize_t(offset + elements.len())).ok_or(Raised)?;
        let start = Owned::take(ffi::PyLong_FromSize_t(offset)).ok_or(Raised)?;
        let arguments = [header.get(), owner.get(), start.get(), end.get()];
        let array = self.array_of(marker_offset, c"array_from_ext", &arguments)?;
        if self.options.has(options::CANONICAL) {
            let array = Owned::take(array).ok_or(Raised)?;
            let is_padded = elements.first() != Some(&0);
            let packed = self.bytes(packed)?;
            let arguments = [array.get(), packed.get()];
            let answer = self.array_of(marker_offset, c"is_canonical_array", &arguments)?;
            let is_canonical = Owned::take(answer).ok_or(Raised)?.get() == ffi::Py_True();
            self.strict::<true>(marker_offset, is_canonical && !is_padded)?;
            return Ok(array.release());
        }
        Ok(array)
    }

    /// An object that keeps the bytes of the input, and where they are in it: the input itself if its
    /// bytes can't change, else a copy.
    pub unsafe fn lasting(&mut self, bytes: &[u8]) -> Result<(Owned, usize), Raised> {
        if let Some(source) = self.source {
            if ffi::PyBytes_CheckExact(source) != 0 {
                let offset = bytes.as_ptr().addr() - bytes_of(source).as_ptr().addr();
                return Ok((Owned::borrow(source), offset));
            }
        }
        Ok((self.bytes(bytes)?, 0))
    }

    /// What a function of `packord._arrays` makes of an array.
    unsafe fn array_of(&mut self, marker_offset: usize, function: &std::ffi::CStr, arguments: &[Obj]) -> Read {
        let array = ARRAYS.call(function, arguments);
        self.answer(array, marker_offset, Kind::InvalidExt, "the array could not be made")
    }
}
