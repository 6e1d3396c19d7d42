//! numpy's arrays and scalars, read through the array interface.

use pyo3::ffi;

use super::{Done, Encoder};
use crate::cpython::object::{Obj, Owned};
use crate::cpython::state;
use crate::errors::Kind;
use crate::ext::number::{MOMENT, Number};
use crate::options;
use crate::wire::integer;
use crate::wire::marker::*;

/// `PyArrayInterface` of numpy's array interface protocol, version 3.
#[repr(C)]
pub(super) struct Interface {
    two: i32,
    pub dimensions: i32,
    pub kind: u8,
    pub item_size: i32,
    flags: i32,
    pub shape: *const isize,
    strides: *const isize,
    pub data: *const u8,
    description: Obj,
}

impl Interface {
    /// The elements lie one after another, in the order of C.
    pub fn is_contiguous(&self) -> bool {
        self.flags & C_CONTIGUOUS != 0
    }

    /// The type of the elements; `None` if they are not packed.
    pub fn number(&self) -> Option<Number> {
        Number::of(self.kind, self.item_size as usize)
    }

    /// The elements have the byte order of this machine.
    pub fn is_native(&self) -> bool {
        self.flags & NATIVE_ORDER != 0
    }
}

const C_CONTIGUOUS: i32 = 0x1;
const NATIVE_ORDER: i32 = 0x200;

/// An array that can be packed.
struct Array<'a> {
    items: Number,
    shape: &'a [isize],
}

impl Encoder<'_> {
    pub(super) unsafe fn numpy_array(&mut self, array: Obj) -> Done {
        let Some(capsule) = Owned::take(ffi::PyObject_GetAttr(array, state::get().array_struct))
        else {
            return Err(self.python(Kind::UnsupportedType, "numpy array is malformed"));
        };
        let interface =
            ffi::PyCapsule_GetPointer(capsule.get(), std::ptr::null()) as *const Interface;
        if interface.is_null() || (*interface).two != 2 {
            ffi::PyErr_Clear();
            return Err(self.fault(Kind::UnsupportedType, "numpy array is malformed"));
        }
        let interface = &*interface;
        if self.has(options::RICH) {
            return self.array_as_ext(array, interface);
        }
        // Not for all types: numpy clears the flag of arrays with fields.
        let items = interface.number();
        let is_known = items.is_some() || interface.kind == b'M';
        let is_plain = interface.is_contiguous() && interface.dimensions > 0;
        if is_known && !is_plain && !self.has(options::FEW_TYPES) {
            let plain = Owned::take(state::get().call_support(c"contiguous", &[array]));
            let Some(plain) = plain else {
                return Err(self.python_text(Kind::UnsupportedType));
            };
            return self.value(plain.get());
        }
        if !interface.is_contiguous() {
            return self.unpackable(
                array,
                "numpy array is not C contiguous; use ndarray.tolist() in default",
            );
        }
        if interface.dimensions == 0 {
            return self.unpackable(
                array,
                "numpy array has no dimensions; use ndarray.tolist() in default",
            );
        }
        if interface.kind == b'M' {
            let native =
                Owned::take(state::get().call_support(c"datetime64_microseconds", &[array]));
            return self.converted(native, MOMENT);
        }
        let Some(items) = items else {
            return self.unpackable(array, "unsupported datatype in numpy array");
        };
        if !interface.is_native() {
            let native = Owned::take(state::get().call_support(c"native_order", &[array]));
            return self.converted(native, items);
        }
        self.interface(interface, items)
    }

    /// Packs an array that a function of the support module has made of another one.
    unsafe fn converted(&mut self, array: Option<Owned>, items: Number) -> Done {
        let capsule = array.and_then(|array| {
            Owned::take(ffi::PyObject_GetAttr(
                array.get(),
                state::get().array_struct,
            ))
        });
        let Some(capsule) = capsule else {
            return Err(self.python_text(Kind::UnsupportedType));
        };
        let interface =
            ffi::PyCapsule_GetPointer(capsule.get(), std::ptr::null()) as *const Interface;
        self.interface(&*interface, items)
    }

    /// Returns a failure with the message of the exception that Python has set.
    unsafe fn python_text(&mut self, kind: Kind) -> crate::errors::Raised {
        let failure = crate::errors::Failure::described(kind);
        let failure = if self.has(options::SHORT_WORDS) {
            failure.in_short_words()
        } else {
            failure
        };
        self.fail(failure)
    }

    pub(super) unsafe fn unpackable(&mut self, array: Obj, text: &'static str) -> Done {
        if self.default.is_some() {
            self.by_default(array)
        } else {
            let detail = "a numpy array of this type; rich=True packs most";
            Err(self.worded_fault(Kind::UnsupportedType, detail, text))
        }
    }

    unsafe fn interface(&mut self, interface: &Interface, items: Number) -> Done {
        let shape = std::slice::from_raw_parts(interface.shape, interface.dimensions as usize);
        let array = Array { items, shape };
        let row: usize = shape[1..].iter().map(|&extent| extent as usize).product();
        self.rows(&array, 0, interface.data, row * array.items.size)
    }

    /// The sub-array at `data` from dimension `level` on; its elements are `stride` bytes apart.
    unsafe fn rows(
        &mut self,
        array: &Array<'_>,
        level: usize,
        data: *const u8,
        stride: usize,
    ) -> Done {
        let count = array.shape[level] as usize;
        if level + 1 == array.shape.len() {
            return self.row(array, data, count);
        }
        self.enter()?;
        if count > u32::MAX as usize {
            return Err(self.too_long());
        }
        self.reserve(5)?;
        self.out.array_header(count);
        let inner = array.shape[level + 1] as usize;
        for index in 0..count {
            let stride_within = stride.checked_div(inner).unwrap_or(0);
            self.rows(array, level + 1, data.add(index * stride), stride_within)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// One row of the last dimension.
    unsafe fn row(&mut self, array: &Array<'_>, data: *const u8, count: usize) -> Done {
        if count > u32::MAX as usize / 8 {
            return Err(self.too_long());
        }
        self.enter()?;
        self.reserve(5)?;
        self.out.array_header(count);
        self.depth -= 1;
        // A view of other bytes may begin anywhere.
        let aligned = data.addr() % array.items.size == 0;
        if !aligned || self.records.is_some() || self.has(options::CANONICAL | options::FLOAT32) {
            return self.row_one_by_one(array, data, count);
        }
        match (array.items.kind, array.items.size) {
            (b'b', 1) => self.booleans(std::slice::from_raw_parts(data, count)),
            (b'f', 8) => self.doubles(std::slice::from_raw_parts(data as *const f64, count)),
            (b'f', 4) => self.singles(std::slice::from_raw_parts(data as *const f32, count)),
            (b'i', 1) => self.bytes_signed(std::slice::from_raw_parts(data as *const i8, count)),
            (b'u', 1) => self.bytes_unsigned(std::slice::from_raw_parts(data, count)),
            (b'i', 2) => self.words(std::slice::from_raw_parts(data as *const i16, count)),
            (b'u', 2) => self.words(std::slice::from_raw_parts(data as *const u16, count)),
            (b'i', 4) => self.words(std::slice::from_raw_parts(data as *const i32, count)),
            (b'u', 4) => self.words(std::slice::from_raw_parts(data as *const u32, count)),
            (b'i', 8) => self.words(std::slice::from_raw_parts(data as *const i64, count)),
            _ => self.row_one_by_one(array, data, count),
        }
    }

    unsafe fn row_one_by_one(&mut self, array: &Array<'_>, data: *const u8, count: usize) -> Done {
        for index in 0..count {
            self.item(array.items, data.add(index * array.items.size))?;
        }
        Ok(())
    }

    unsafe fn item(&mut self, items: Number, at: *const u8) -> Done {
        match (items.kind, items.size) {
            (b'b', 1) => {
                self.reserve(0)?;
                self.out.byte(if *at == 0 { FALSE } else { TRUE });
                Ok(())
            }
            (b'f', 2) => self.single(half_to_single((at as *const u16).read_unaligned())),
            (b'f', 4) => self.single((at as *const f32).read_unaligned()),
            (b'f', 8) => self.float((at as *const f64).read_unaligned()),
            (b'i', 1) => self.small_integer(i64::from(*(at as *const i8))),
            (b'i', 2) => self.small_integer(i64::from((at as *const i16).read_unaligned())),
            (b'i', 4) => self.small_integer(i64::from((at as *const i32).read_unaligned())),
            (b'i', 8) => self.small_integer((at as *const i64).read_unaligned()),
            (b'u', 1) => self.small_integer(i64::from(*at)),
            (b'u', 2) => self.small_integer(i64::from((at as *const u16).read_unaligned())),
            (b'u', 4) => self.small_integer(i64::from((at as *const u32).read_unaligned())),
            (b'u', 8) => {
                let number = (at as *const u64).read_unaligned();
                match i64::try_from(number) {
                    Ok(number) => self.small_integer(number),
                    Err(_) => {
                        self.reserve(9)?;
                        self.out.unsigned(number);
                        Ok(())
                    }
                }
            }
            _ => self.microseconds((at as *const i64).read_unaligned()),
        }
    }

    unsafe fn booleans(&mut self, items: &[u8]) -> Done {
        self.reserve(items.len())?;
        let mut next = self.out.cursor();
        for &item in items {
            *next = FALSE | u8::from(item != 0);
            next = next.add(1);
        }
        self.out.set_cursor(next);
        Ok(())
    }

    unsafe fn doubles(&mut self, items: &[f64]) -> Done {
        self.reserve(items.len() * 9)?;
        let mut next = self.out.cursor();
        for item in items {
            *next = FLOAT64;
            (next.add(1) as *mut u64).write_unaligned(item.to_bits().swap_bytes());
            next = next.add(9);
        }
        self.out.set_cursor(next);
        Ok(())
    }

    unsafe fn singles(&mut self, items: &[f32]) -> Done {
        self.reserve(items.len() * 5)?;
        let mut next = self.out.cursor();
        for item in items {
            *next = FLOAT32;
            (next.add(1) as *mut u32).write_unaligned(item.to_bits().swap_bytes());
            next = next.add(5);
        }
        self.out.set_cursor(next);
        Ok(())
    }

    unsafe fn bytes_signed(&mut self, items: &[i8]) -> Done {
        self.reserve(items.len() * 2)?;
        let mut next = self.out.cursor();
        for &item in items {
            let wide = item < -32;
            let pair = u16::from(INT8) | u16::from(item as u8) << 8;
            (next as *mut u16).write_unaligned(if wide { pair } else { u16::from(item as u8) });
            next = next.add(1 + usize::from(wide));
        }
        self.out.set_cursor(next);
        Ok(())
    }

    unsafe fn bytes_unsigned(&mut self, items: &[u8]) -> Done {
        self.reserve(items.len() * 2)?;
        let mut next = self.out.cursor();
        for &item in items {
            let wide = item > 127;
            let pair = u16::from(UINT8) | u16::from(item) << 8;
            (next as *mut u16).write_unaligned(if wide { pair } else { u16::from(item) });
            next = next.add(1 + usize::from(wide));
        }
        self.out.set_cursor(next);
        Ok(())
    }

    /// Integers of 16 to 64 bits.
    unsafe fn words<T: Copy + Into<Word>>(&mut self, items: &[T]) -> Done {
        self.reserve(items.len() * (size_of::<T>() + 1) + 8)?;
        let mut next = self.out.cursor();
        for &item in items {
            let Word(number) = item.into();
            next = integer::put::<true>(next, number);
        }
        self.out.set_cursor(next);
        Ok(())
    }

    pub(super) unsafe fn numpy_scalar(&mut self, object: Obj, number: Number) -> Done {
        if number == MOMENT {
            let moment =
                Owned::take(state::get().call_support(c"datetime64_microsecond", &[object]));
            let Some(moment) = moment else {
                return Err(self.python_text(Kind::UnsupportedType));
            };
            return self.microseconds(ffi::PyLong_AsLongLong(moment.get()));
        }
        // The value follows the object's header, as in numpy's `arrayscalars.h`; `float64` is a float of Python too,
        // and stores its value in the same place.
        self.item(number, object.cast_const().add(1) as *const u8)
    }
}

/// A number widened to 64 bits.
struct Word(i64);

macro_rules! words {
    ($($type:ty),*) => {
        $(impl From<$type> for Word {
            #[inline(always)]
            fn from(number: $type) -> Word { Word(number as i64) }
        })*
    };
}
words!(i16, u16, i32, u32, i64);

fn half_to_single(half: u16) -> f32 {
    let sign = u32::from(half >> 15) << 31;
    let exponent = u32::from(half >> 10 & 0x1f);
    let mantissa = u32::from(half & 0x3ff);
    match (exponent, mantissa) {
        (0, 0) => f32::from_bits(sign),
        // Subnormal: a multiple of 2^-24.
        (0, _) => f32::from_bits(sign | (mantissa as f32 * f32::from_bits(0x3380_0000)).to_bits()),
        (31, _) => f32::from_bits(sign | 0xff << 23 | mantissa << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | mantissa << 13),
    }
}
