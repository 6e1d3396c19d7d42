//! numpy's arrays and scalars, read through the array interface.

use pyo3::ffi;
use std::ffi::CStr;

use super::{Done, Encoder};
use crate::cpython::object::{Obj, Owned, scalar_data};
use crate::cpython::state::{self, ARRAYS};
use crate::errors::{Failure, Kind, Raised};
use crate::ext::number::{MICROSECONDS, NANOSECONDS, Number};
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

    pub fn is_native(&self) -> bool {
        self.flags & NATIVE_ORDER != 0
    }
}

const C_CONTIGUOUS: i32 = 0x1;
const NATIVE_ORDER: i32 = 0x200;

impl Encoder<'_> {
    pub(super) unsafe fn numpy_array(&mut self, array: Obj) -> Done {
        let Some((_capsule, interface)) = interface_of(array) else {
            return Err(self.no_array());
        };
        if self.has(options::RICH) {
            return self.array_as_ext(array, interface);
        }
        // Not for all types: numpy clears the flag of arrays with fields.
        let items = interface.number();
        let is_known = items.is_some() || interface.kind == b'M';
        let is_plain = interface.is_contiguous() && interface.dimensions > 0;
        if is_known && !is_plain && !self.has(options::FEW_TYPES) {
            let plain = Owned::take(ARRAYS.call(c"contiguous", &[array]));
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
            return self.unpackable(array, "numpy array has no dimensions; use ndarray.tolist() in default");
        }
        if interface.kind == b'M' {
            let (ticks, of) = self.ticks(c"moments", array)?;
            return self.converted(Some(ticks), of);
        }
        let Some(items) = items else {
            return self.unpackable(array, "unsupported datatype in numpy array");
        };
        if !interface.is_native() {
            let native = Owned::take(ARRAYS.call(c"native_order", &[array]));
            return self.converted(native, items);
        }
        self.interface(interface, items)
    }

    /// Packs an array that a function of the support module has made of another one.
    unsafe fn converted(&mut self, array: Option<Owned>, items: Number) -> Done {
        let found = array.as_ref().and_then(|array| interface_of(array.get()));
        match found {
            Some((_capsule, interface)) => self.interface(interface, items),
            None => Err(self.python_text(Kind::UnsupportedType)),
        }
    }

    /// What a function of `packord._arrays` makes of points in time: ticks, and their type.
    unsafe fn ticks(&mut self, function: &CStr, object: Obj) -> Result<(Owned, Number), Raised> {
        let Some(parts) = Owned::take(ARRAYS.call(function, &[object])) else {
            return Err(self.python_text(Kind::UnsupportedType));
        };
        let ticks = Owned::borrow(ffi::PyTuple_GetItem(parts.get(), 0));
        let is_fine = ffi::PyTuple_GetItem(parts.get(), 1) == ffi::Py_True();
        Ok((ticks, if is_fine { NANOSECONDS } else { MICROSECONDS }))
    }

    /// Returns a failure with the message of the exception that Python has set.
    unsafe fn python_text(&mut self, kind: Kind) -> Raised {
        self.fail_in_words(Failure::caused(kind, "").with_reason())
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
        let row: usize = shape[1..].iter().map(|&extent| extent as usize).product();
        self.rows(items, shape, interface.data, row * items.size)
    }

    /// The array of a shape at `data`; its elements are `stride` bytes apart.
    unsafe fn rows(&mut self, items: Number, shape: &[isize], data: *const u8, stride: usize) -> Done {
        let count = shape[0] as usize;
        let Some(&inner) = shape.get(1) else {
            return self.row(items, data, count);
        };
        self.enter()?;
        if count > u32::MAX as usize {
            return Err(self.too_long());
        }
        self.reserve(5)?;
        self.out.array_header(count);
        for index in 0..count {
            let stride_within = stride.checked_div(inner as usize).unwrap_or(0);
            self.rows(items, &shape[1..], data.add(index * stride), stride_within)?;
        }
        self.depth -= 1;
        Ok(())
    }

    unsafe fn row(&mut self, items: Number, data: *const u8, count: usize) -> Done {
        if count > u32::MAX as usize / 8 {
            return Err(self.too_long());
        }
        self.enter()?;
        self.reserve(5)?;
        self.out.array_header(count);
        self.depth -= 1;
        // In one loop for each type: rows take .32 to .54 of the time. A view of other bytes may begin anywhere.
        let aligned = data.addr() % items.size == 0;
        if !aligned || self.records.is_some() || self.has(options::CANONICAL | options::FLOAT32) {
            return self.row_one_by_one(items, data, count);
        }
        match (items.kind, items.size) {
            (b'b', 1) => self.each(data, count, 1, |next, item: u8| {
                *next = FALSE | u8::from(item != 0);
                next.add(1)
            }),
            (b'f', 8) => self.each(data, count, 9, |next, item: f64| {
                *next = FLOAT64;
                (next.add(1) as *mut u64).write_unaligned(item.to_bits().swap_bytes());
                next.add(9)
            }),
            (b'f', 4) => self.each(data, count, 5, |next, item: f32| {
                *next = FLOAT32;
                (next.add(1) as *mut u32).write_unaligned(item.to_bits().swap_bytes());
                next.add(5)
            }),
            (b'i', 1) => self.each(data, count, 2, |next, item: i8| {
                put_byte(next, INT8, item as u8, item < -32)
            }),
            (b'u', 1) => self.each(data, count, 2, |next, item: u8| put_byte(next, UINT8, item, item > 127)),
            (b'i', 2) => self.integers::<i16>(data, count),
            (b'u', 2) => self.integers::<u16>(data, count),
            (b'i', 4) => self.integers::<i32>(data, count),
            (b'u', 4) => self.integers::<u32>(data, count),
            (b'i', 8) => self.integers::<i64>(data, count),
            _ => self.row_one_by_one(items, data, count),
        }
    }

    /// Writes aligned items by `put`, which gets where one goes and returns where it ends: at most `size` bytes on.
    #[inline(always)]
    unsafe fn each<T: Copy>(
        &mut self,
        data: *const u8,
        count: usize,
        size: usize,
        put: impl Fn(*mut u8, T) -> *mut u8,
    ) -> Done {
        self.reserve(count * size + 8)?;
        let mut next = self.out.cursor();
        for &item in std::slice::from_raw_parts(data.cast::<T>(), count) {
            next = put(next, item);
        }
        self.out.set_cursor(next);
        Ok(())
    }

    /// Integers of 16 to 64 bits.
    unsafe fn integers<T: Copy + Into<i64>>(&mut self, data: *const u8, count: usize) -> Done {
        self.each(data, count, size_of::<T>() + 1, |next, item: T| {
            integer::put::<true>(next, item.into())
        })
    }

    unsafe fn row_one_by_one(&mut self, items: Number, data: *const u8, count: usize) -> Done {
        for index in 0..count {
            self.item(items, data.add(index * items.size))?;
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
            _ => self.moment((at as *const i64).read_unaligned(), items),
        }
    }

    pub(super) unsafe fn numpy_scalar(&mut self, object: Obj, number: Number) -> Done {
        if number == MICROSECONDS {
            let (tick, of) = self.ticks(c"moment_of", object)?;
            return self.moment(ffi::PyLong_AsLongLong(tick.get()), of);
        }
        self.item(number, scalar_data(object))
    }
}

/// The array interface of an array, as long as the capsule is held. `None` if there is none that is known.
unsafe fn interface_of(array: Obj) -> Option<(Owned, &'static Interface)> {
    let capsule = Owned::take(ffi::PyObject_GetAttr(array, state::get().array_struct))?;
    let found = ffi::PyCapsule_GetPointer(capsule.get(), std::ptr::null()) as *const Interface;
    let found = found.as_ref().filter(|interface| interface.two == 2)?;
    Some((capsule, found))
}

/// Writes an integer of one byte, after a marker if it is `wide`: without a branch.
#[inline(always)]
unsafe fn put_byte(next: *mut u8, marker: u8, item: u8, wide: bool) -> *mut u8 {
    let pair = u16::from(marker) | u16::from(item) << 8;
    (next as *mut u16).write_unaligned(if wide { pair } else { u16::from(item) });
    next.add(1 + usize::from(wide))
}

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
