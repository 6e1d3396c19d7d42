//! How values are stored without checks.
//!
//! A [`Bound`] ties the most bytes that a value can take to the function that stores them. Only
//! this file makes bounds out of functions, so the two always agree: other code can pass a bound
//! on, but cannot make a wrong one.

use crate::typed::Packable;
use crate::wire::copy::copy;
use crate::wire::marker as m;
use core::marker::PhantomData;

/// More than any buffer has: the bound of values that are too long for the format.
pub(super) const TOO_LONG: usize = usize::MAX / 4;
/// The most bytes that a value of a bound without variable part takes.
pub(super) const LARGEST: usize = 24;

/// The most bytes that a value takes, and the function that stores it. Code outside of this module
/// cannot combine one with the other of another type, so the raw stores are safe.
pub struct Bound<T: ?Sized> {
    /// The most bytes without the variable part; 0 if the type has no bound.
    pub(super) max: usize,
    /// The most bytes of the variable part: `TOO_LONG` or more if the format cannot hold it.
    pub(super) extra: fn(&T) -> usize,
    /// Stores the value and returns the end of it.
    pub(super) store: unsafe fn(&T, *mut u8, u64) -> *mut u8,
    /// The bits of an integer, sign extended; all ones for other values.
    pub(super) bits: fn(&T) -> u64,
    /// Header and payload of a value with a variable part.
    pub(super) parts: Parts<T>,
    /// Whether `extra` is always 0.
    pub(super) fixed: bool,
}

impl<T: ?Sized> Clone for Bound<T> {
    fn clone(&self) -> Bound<T> {
        *self
    }
}

impl<T: ?Sized> Copy for Bound<T> {}

/// Header and payload of a value that has both.
type Parts<T> = fn(&T) -> Option<(StrHeader, &[u8])>;

/// The header of a str or bin, at most 5 bytes.
pub(crate) struct StrHeader {
    bytes: [u8; 5],
    len: usize,
}

impl StrHeader {
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl<T: ?Sized> Bound<T> {
    /// The bound of types that write themselves by the checked methods.
    pub const NONE: Bound<T> = Bound {
        max: 0,
        extra: |_| 0,
        store: |_, to, _| to,
        bits: no_bits,
        parts: |_| None,
        fixed: false,
    };

    pub(crate) const fn exists(&self) -> bool {
        self.max != 0
    }

    /// Returns the most bytes without a variable part.
    pub(crate) const fn max(&self) -> usize {
        self.max
    }

    /// Returns whether the size has a constant bound.
    pub(crate) const fn is_fixed(&self) -> bool {
        self.max != 0 && self.fixed
    }

    pub(crate) fn bound(&self, value: &T) -> usize {
        self.max + (self.extra)(value)
    }

    /// # Safety
    ///
    /// `store` writes at most `max` bytes for any value.
    const unsafe fn new(max: usize, store: unsafe fn(&T, *mut u8, u64) -> *mut u8) -> Bound<T> {
        assert!(max > 0 && max <= LARGEST);
        Bound {
            max,
            extra: |_| 0,
            store,
            bits: no_bits,
            parts: |_| None,
            fixed: true,
        }
    }
}

/// The bits of a value that is not an integer.
#[inline(always)]
fn no_bits<T: ?Sized>(_: &T) -> u64 {
    u64::MAX
}

/// Access to a value that has a bound, from one that points to it or wraps it.
pub(crate) trait Inner {
    type Inner: ?Sized;
    fn inner(&self) -> &Self::Inner;
}

#[allow(private_bounds, reason = "bounds are made within the crate alone")]
impl<T: Inner<Inner: Bounded> + ?Sized> Bound<T> {
    /// Returns the bound of the type that `T` points to or wraps.
    pub(crate) const OF_INNER: Bound<T> = {
        let bound = T::Inner::BOUND;
        if bound.exists() {
            Bound {
                max: bound.max,
                extra: inner_extra::<T>,
                store: inner_store::<T>,
                bits: |value| (const { T::Inner::BOUND.bits })(value.inner()),
                parts: inner_parts::<T>,
                fixed: bound.fixed,
            }
        } else {
            Bound::NONE
        }
    };
}

#[inline(always)]
fn inner_extra<T: Inner<Inner: Bounded> + ?Sized>(value: &T) -> usize {
    (const { <T::Inner as Bounded>::BOUND.extra })(value.inner())
}

/// # Safety
///
/// As for the `store` of the inner bound.
#[inline(always)]
unsafe fn inner_store<T: Inner<Inner: Bounded> + ?Sized>(value: &T, to: *mut u8, limit: u64) -> *mut u8 {
    // SAFETY: the caller keeps the contract, and both bounds have the same size.
    unsafe { (const { <T::Inner as Bounded>::BOUND.store })(value.inner(), to, limit) }
}

fn inner_parts<T: Inner<Inner: Bounded> + ?Sized>(value: &T) -> Option<(StrHeader, &[u8])> {
    (const { <T::Inner as Bounded>::BOUND.parts })(value.inner())
}

/// Whether slices of a type are bytes. Only `u8` can set it.
pub struct AsBytes<T: ?Sized>(bool, PhantomData<fn(&T)>);

impl<T: ?Sized> AsBytes<T> {
    /// They are not bytes.
    pub const NO: AsBytes<T> = AsBytes(false, PhantomData);

    pub(crate) const fn is(&self) -> bool {
        self.0
    }
}

impl AsBytes<u8> {
    pub(crate) const YES: AsBytes<u8> = AsBytes(true, PhantomData);
}

/// Returns the slice as bytes; for other types than `u8` an empty slice.
#[inline(always)]
fn slice_bytes<T: Packable>(values: &[T]) -> &[u8] {
    let len = if T::AS_BYTES.0 { values.len() } else { 0 };
    // SAFETY: `AS_BYTES` can be true for `u8` only; otherwise the slice is empty.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), len) }
}

impl<T: Packable> Bound<[T]> {
    /// The bound of slices: that of bin for bytes, none for others.
    pub(crate) const SLICE: Bound<[T]> = if T::AS_BYTES.0 {
        Bound {
            max: 5,
            extra: slice_extra::<T>,
            store: store_slice::<T>,
            bits: no_bits,
            parts: |values| {
                let bytes = slice_bytes(values);
                fits(bytes.len()).then(|| (header(bytes.len(), store_bin_header), bytes))
            },
            fixed: false,
        }
    } else {
        Bound::NONE
    };
}

/// A type with a bound: every [`Packable`], and slices.
pub(crate) trait Bounded {
    const BOUND: Bound<Self>;
}

impl<T: Packable + ?Sized> Bounded for T {
    const BOUND: Bound<T> = T::BOUND;
}

impl<T: Packable> Bound<Option<T>> {
    /// The bound of an optional value: nil, or the value's own.
    pub(crate) const OPTION: Bound<Option<T>> = if T::BOUND.exists() {
        Bound {
            max: T::BOUND.max,
            extra: option_extra::<T>,
            store: option_store::<T>,
            bits: no_bits,
            parts: |value| value.as_ref().and_then(|value| (T::BOUND.parts)(value)),
            fixed: T::BOUND.fixed,
        }
    } else {
        Bound::NONE
    };
}

#[inline(always)]
fn option_extra<T: Packable>(value: &Option<T>) -> usize {
    match value {
        Some(value) => (const { T::BOUND.extra })(value),
        None => 0,
    }
}

/// # Safety
///
/// `to` is valid for as many bytes as the bound says.
#[inline(always)]
unsafe fn option_store<T: Packable>(value: &Option<T>, to: *mut u8, limit: u64) -> *mut u8 {
    match value {
        // SAFETY: there is room for the bound, which is that of the inner value.
        Some(value) => unsafe { (const { T::BOUND.store })(value, to, limit) },
        // SAFETY: every bound has room for one byte.
        None => unsafe { one(to, m::NIL) },
    }
}

/// # Safety
///
/// `to` is valid for one byte.
#[inline(always)]
unsafe fn one(to: *mut u8, byte: u8) -> *mut u8 {
    // SAFETY: by the caller.
    unsafe {
        to.write(byte);
        to.add(1)
    }
}

/// Stores a marker and the number after it.
///
/// # Safety
///
/// `to` is valid for `1 + N` bytes.
#[inline(always)]
unsafe fn headed<const N: usize>(to: *mut u8, marker: u8, bytes: [u8; N]) -> *mut u8 {
    // SAFETY: by the caller; arrays of bytes have no alignment.
    unsafe {
        to.write(marker);
        to.add(1).cast::<[u8; N]>().write(bytes);
        to.add(1 + N)
    }
}

/// # Safety
///
/// `to` is valid for 9 bytes.
#[inline(always)]
unsafe fn store_uint(value: u64, to: *mut u8, limit: u64) -> *mut u8 {
    // SAFETY: no branch writes more than 9 bytes.
    unsafe {
        if value < limit {
            one(to, value as u8)
        } else if value <= 0xff {
            headed(to, m::UINT8, [value as u8])
        } else if value <= 0xffff {
            headed(to, m::UINT16, (value as u16).to_be_bytes())
        } else if value <= 0xffff_ffff {
            headed(to, m::UINT32, (value as u32).to_be_bytes())
        } else {
            headed(to, m::UINT64, value.to_be_bytes())
        }
    }
}

/// Stores a signed number like `store_uint`. Both signs share the branches on the width, as the
/// processor cannot predict the sign.
///
/// # Safety
///
/// `to` is valid for 9 bytes.
#[inline(always)]
unsafe fn store_int(value: i64, to: *mut u8, limit: u64) -> *mut u8 {
    // All ones for a negative number: the int formats hold one bit less than the uint formats.
    let sign = value >> 63;
    let size = ((value ^ sign) as u64) << (sign & 1);
    let format = (sign as u8) & 4;
    // SAFETY: no branch writes more than 9 bytes.
    unsafe {
        if (value as u64).wrapping_add(32) < limit + 32 {
            one(to, value as u8)
        } else if size <= 0xff {
            headed(to, m::UINT8 + format, [value as u8])
        } else if size <= 0xffff {
            headed(to, m::UINT16 + format, (value as u16).to_be_bytes())
        } else if size <= 0xffff_ffff {
            headed(to, m::UINT32 + format, (value as u32).to_be_bytes())
        } else {
            headed(to, m::UINT64 + format, value.to_be_bytes())
        }
    }
}

macro_rules! numbers {
    ($($name:ident $type:ty, $max:literal, $store:ident, $bits:expr;)*) => {
        impl Bound<()> {
            $(pub(crate) const $name: Bound<$type> = {
                /// # Safety
                ///
                /// `to` is valid for the bytes of the bound.
                #[inline(always)]
                unsafe fn store(value: &$type, to: *mut u8, limit: u64) -> *mut u8 {
                    // SAFETY: a number of this width takes no more than the bytes of the bound.
                    unsafe { $store(*value as _, to, limit) }
                }
                // SAFETY: a number of this width takes at most these bytes with its marker.
                let bound = unsafe { Bound::new($max, store) };
                Bound { bits: $bits, ..bound }
            };)*
        }
    };
}

numbers! {
    U8 u8, 2, store_uint, |&value| value as u64;
    U16 u16, 3, store_uint, |&value| value as u64;
    U32 u32, 5, store_uint, |&value| value as u64;
    U64 u64, 9, store_uint, |&value| value;
    I8 i8, 2, store_int, |&value| value as u64;
    I16 i16, 3, store_int, |&value| value as u64;
    I32 i32, 5, store_int, |&value| value as u64;
    I64 i64, 9, store_int, |&value| value as u64;
    USIZE usize, 9, store_uint, |&value| value as u64;
    ISIZE isize, 9, store_int, |&value| value as u64;
    BOOL bool, 1, store_bool, no_bits;
    F32 f32, 5, store_f32, no_bits;
    F64 f64, 9, store_f64, no_bits;
}

/// # Safety
///
/// `to` is valid for one byte.
#[inline(always)]
unsafe fn store_bool(value: bool, to: *mut u8, _: u64) -> *mut u8 {
    // SAFETY: by the caller.
    unsafe { one(to, m::FALSE | u8::from(value)) }
}

/// # Safety
///
/// `to` is valid for 5 bytes.
#[inline(always)]
unsafe fn store_f32(value: f32, to: *mut u8, _: u64) -> *mut u8 {
    // SAFETY: by the caller.
    unsafe { headed(to, m::FLOAT32, value.to_bits().to_be_bytes()) }
}

/// # Safety
///
/// `to` is valid for 9 bytes.
#[inline(always)]
unsafe fn store_f64(value: f64, to: *mut u8, _: u64) -> *mut u8 {
    // SAFETY: by the caller.
    unsafe { headed(to, m::FLOAT64, value.to_bits().to_be_bytes()) }
}

/// # Safety
///
/// `to` is valid for one byte.
#[inline(always)]
unsafe fn store_unit(_: &(), to: *mut u8, _: u64) -> *mut u8 {
    // SAFETY: by the caller.
    unsafe { one(to, m::NIL) }
}

#[inline(always)]
fn bytes_extra(len: usize) -> usize {
    if fits(len) { len } else { TOO_LONG }
}

#[inline(always)]
fn str_extra(text: &str) -> usize {
    bytes_extra(text.len())
}

#[inline(always)]
fn slice_extra<T: Packable>(values: &[T]) -> usize {
    bytes_extra(slice_bytes(values).len())
}

/// # Safety
///
/// `to` is valid for 5 bytes and those of the string.
#[inline(always)]
unsafe fn store_str(text: &str, to: *mut u8, _: u64) -> *mut u8 {
    // SAFETY: by the caller.
    unsafe { payload(store_str_header(text.len(), to), text.as_bytes()) }
}

/// # Safety
///
/// `to` is valid for 5 bytes and those of the slice.
#[inline(always)]
unsafe fn store_slice<T: Packable>(values: &[T], to: *mut u8, _: u64) -> *mut u8 {
    let bytes = slice_bytes(values);
    // SAFETY: by the caller.
    unsafe { payload(store_bin_header(bytes.len(), to), bytes) }
}

impl Bound<()> {
    pub(crate) const UNIT: Bound<()> =
        // SAFETY: one byte is written.
        unsafe { Bound::new(1, store_unit) };

    pub(crate) const STR: Bound<str> = Bound {
        max: 5,
        extra: str_extra,
        store: store_str,
        bits: no_bits,
        parts: |text| fits(text.len()).then(|| (header(text.len(), store_str_header), text.as_bytes())),
        fixed: false,
    };

    pub(crate) const BIN: Bound<[u8]> = Bound::<[u8]>::SLICE;
}

#[inline(always)]
fn fits(len: usize) -> bool {
    u32::try_from(len as u64).is_ok() && len < TOO_LONG
}

fn header(len: usize, store: unsafe fn(usize, *mut u8) -> *mut u8) -> StrHeader {
    let mut bytes = [0; 5];
    // SAFETY: headers of str and bin have at most 5 bytes.
    let end = unsafe { store(len, bytes.as_mut_ptr()) };
    let len = end as usize - bytes.as_ptr() as usize;
    StrHeader { bytes, len }
}

/// # Safety
///
/// `to` is valid for 5 bytes.
#[inline(always)]
unsafe fn store_str_header(len: usize, to: *mut u8) -> *mut u8 {
    // SAFETY: no branch writes more than 5 bytes.
    unsafe {
        if len < 32 {
            one(to, m::FIXSTR | len as u8)
        } else if len <= 0xff {
            headed(to, m::STR8, [len as u8])
        } else if len <= 0xffff {
            headed(to, m::STR16, (len as u16).to_be_bytes())
        } else {
            headed(to, m::STR32, (len as u32).to_be_bytes())
        }
    }
}

/// # Safety
///
/// `to` is valid for 5 bytes.
#[inline(always)]
unsafe fn store_bin_header(len: usize, to: *mut u8) -> *mut u8 {
    // SAFETY: no branch writes more than 5 bytes.
    unsafe {
        if len <= 0xff {
            headed(to, m::BIN8, [len as u8])
        } else if len <= 0xffff {
            headed(to, m::BIN16, (len as u16).to_be_bytes())
        } else {
            headed(to, m::BIN32, (len as u32).to_be_bytes())
        }
    }
}

/// # Safety
///
/// `to` is valid for all of `bytes`, and does not overlap them.
#[inline(always)]
unsafe fn payload(to: *mut u8, bytes: &[u8]) -> *mut u8 {
    // SAFETY: by the caller.
    unsafe {
        copy(to, bytes);
        to.add(bytes.len())
    }
}
