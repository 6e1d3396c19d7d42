//! Raw Python objects: an owning pointer, and the object layouts that the fast paths read.
//!
//! The layouts are those of CPython's own headers; each is guarded by the version it is true for.
//!
//! # Safety
//!
//! The caller holds the GIL and a reference to each object that it passes. A function whose name or
//! comment names a type (`list_items`, `small_long`, `dict_insert`) reads that type's layout: the
//! caller has checked the type. Slices into an object are valid as long as the caller's reference.
//! [`Owned`] and [`Buffer`] hold what they point to until they are dropped.

use std::ffi::CStr;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi;

use super::state::{self, SUPPORT};

/// A pointer to a Python object; whether it is borrowed or owned is said where it is used.
pub type Obj = *mut ffi::PyObject;

/// A strong reference that is given back when dropped.
#[repr(transparent)]
pub struct Owned(Obj);

impl Owned {
    /// Takes over a reference. `None` for null, with the Python error left set.
    pub fn take(object: Obj) -> Option<Owned> {
        if object.is_null() { None } else { Some(Owned(object)) }
    }

    /// Takes a further reference to a borrowed object.
    pub unsafe fn borrow(object: Obj) -> Owned {
        ffi::Py_INCREF(object);
        Owned(object)
    }

    /// The object, still owned by `self`.
    pub fn get(&self) -> Obj {
        self.0
    }

    /// The reference as one of pyo3's.
    pub fn as_py(&self) -> &pyo3::Py<pyo3::PyAny> {
        // SAFETY: both are a pointer to an object and nothing else, and this one is never null.
        unsafe { &*std::ptr::from_ref(self).cast() }
    }

    /// The object; the caller owns it now.
    pub fn release(self) -> Obj {
        let object = self.0;
        std::mem::forget(self);
        object
    }
}

impl<T> From<&pyo3::Bound<'_, T>> for Owned {
    fn from(object: &pyo3::Bound<'_, T>) -> Owned {
        unsafe { Owned::borrow(object.as_ptr()) }
    }
}

// SAFETY: the module declares that it needs the GIL; references are only touched while it is held.
unsafe impl Send for Owned {}
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        unsafe { ffi::Py_DECREF(self.0) }
    }
}

impl Clone for Owned {
    fn clone(&self) -> Owned {
        unsafe { Owned::borrow(self.0) }
    }
}

#[inline(always)]
pub unsafe fn new_ref(object: Obj) -> Obj {
    ffi::Py_INCREF(object);
    object
}

#[inline(always)]
pub unsafe fn type_of(object: Obj) -> *mut ffi::PyTypeObject {
    (*object).ob_type
}

/// A new object of a class of Python, by `object.__new__`: an allocation alone would leave out the array of
/// the values of its dict.
pub unsafe fn new_object(class: Obj) -> Obj {
    match ffi::PyBaseObject_Type.tp_new {
        Some(new) => new(class.cast(), state::get().empty_tuple, std::ptr::null_mut()),
        None => std::ptr::null_mut(),
    }
}

/// `Include/cpython/longintrepr.h`: a sign and a size in one word, then digits of 30 bits.
#[repr(C)]
struct LongLayout {
    ob_base: ffi::PyObject,
    size: isize,
    digits: [u32; 2],
}

/// The value of an exact or derived `int` from -2^63 to 2^63 - 1; `None` for others.
#[inline(always)]
pub unsafe fn small_long(object: Obj) -> Option<i64> {
    let (negative, magnitude) = magnitude(object)?;
    if magnitude >> 63 != 0 {
        return None;
    }
    let sign = -i64::from(negative);
    Some((magnitude as i64 ^ sign) - sign)
}

/// The sign and the magnitude of an exact or derived `int` below 2^64 in magnitude; `None` for
/// larger ones.
#[inline(always)]
pub unsafe fn magnitude(object: Obj) -> Option<(bool, u64)> {
    let long = object as *const LongLayout;
    let word = (*long).size;
    #[cfg(not(Py_3_12))]
    let (negative, count) = (word < 0, word.unsigned_abs());
    // `lv_tag`: the two lowest bits are 0 for positive, 1 for zero, 2 for negative; the count of
    // digits begins at bit 3.
    #[cfg(Py_3_12)]
    let (negative, count) = (word & 3 == 2, (word as usize) >> 3);
    let digits = (&raw const (*long).digits).cast::<u32>();
    if count.wrapping_sub(1) > 1 {
        if count != 3 {
            return (count == 0).then_some((false, 0));
        }
        let highest = u64::from(*digits.add(2));
        let rest = u64::from(*digits.add(1)) << 30 | u64::from(*digits);
        return (highest < 16).then_some((negative, highest << 60 | rest));
    }
    // With one digit, `second` is 0 and the digit that is read twice counts once. A processor cannot
    // predict sign and size of the numbers in a list, so nothing branches on them.
    let second = (count - 1) as u64;
    let low = u64::from(*digits) | (u64::from(*digits.add(count - 1)) * second) << 30;
    // SAFETY: each digit of an `int` is below 2^30; the module is not imported into a CPython whose
    // digits have another width. So `*digits` is below 2^30, and what is added above it is 0 or a digit
    // shifted by 30: together below 2^60.
    std::hint::assert_unchecked(low >> 60 == 0);
    Some((negative, low))
}

/// A new `int`, by CPython's own constructor where ours doesn't know the layout. Numbers from 2^31 on are made in .84 of
/// its time, and no branch hangs on the sign.
#[inline(always)]
pub unsafe fn new_long(number: i64) -> Obj {
    #[cfg(not(Py_3_14))]
    {
        let magnitude = number.unsigned_abs();
        if magnitude < 1 << 60 && magnitude > 256 {
            let two = magnitude >> 30 != 0;
            let long = _PyLong_New(1 + isize::from(two)) as *mut LongLayout;
            if long.is_null() {
                return long.cast();
            }
            let digits = (&raw mut (*long).digits).cast::<u32>();
            // Without a second digit, the upper part is written first and then written over.
            *digits.add(usize::from(two)) = (magnitude >> 30) as u32;
            *digits = magnitude as u32 & 0x3fff_ffff;
            let sign = (number >> 63) as isize;
            #[cfg(not(Py_3_12))]
            {
                (*long).size = ((*long).size ^ sign) - sign;
            }
            #[cfg(Py_3_12)]
            {
                (*long).size |= sign & 2;
            }
            return long.cast();
        }
    }
    ffi::PyLong_FromLongLong(number)
}

/// The characters of a compact ASCII `str`; `None` for any other.
#[inline(always)]
pub unsafe fn ascii_bytes(string: Obj) -> Option<&'static [u8]> {
    let ascii = string as *const ffi::PyASCIIObject;
    #[cfg(not(Py_3_14))]
    let is_ascii = ffi::PyUnicode_IS_COMPACT_ASCII(string) != 0;
    // PyO3 has no such function there. The characters of a `str` that isn't ASCII begin elsewhere.
    #[cfg(Py_3_14)]
    let is_ascii = ffi::PyUnicode_DATA(string).cast_const() == ascii.add(1).cast();
    if !is_ascii {
        return None;
    }
    Some(std::slice::from_raw_parts(
        ascii.add(1) as *const u8,
        (*ascii).length as usize,
    ))
}

/// Returns the UTF-8 of a `str` if CPython has it already: the `str` is ASCII, or its UTF-8 was
/// made before.
#[inline(always)]
pub unsafe fn cached_utf8(string: Obj) -> Option<&'static [u8]> {
    if let Some(bytes) = ascii_bytes(string) {
        return Some(bytes);
    }
    let compact = string as *mut ffi::PyCompactUnicodeObject;
    // Without the GIL another thread may be making it: CPython stores the length first.
    let utf8 = AtomicPtr::from_ptr(&raw mut (*compact).utf8).load(Ordering::Acquire);
    if utf8.is_null() {
        return None;
    }
    let length = (*compact).utf8_length as usize;
    Some(std::slice::from_raw_parts(utf8.cast(), length))
}

/// Has a `str` that isn't ASCII keep its UTF-8, as CPython does when it is asked for it.
pub unsafe fn keep_utf8(string: Obj, bytes: &[u8]) {
    #[cfg(not(Py_3_13))]
    {
        let compact = string as *mut ffi::PyCompactUnicodeObject;
        // With a zero at the end; it is freed with the `str`.
        let utf8 = ffi::PyObject_Malloc(bytes.len() + 1) as *mut u8;
        debug_assert!((*compact).utf8.is_null());
        if !utf8.is_null() {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), utf8, bytes.len());
            *utf8.add(bytes.len()) = 0;
            (*compact).utf8 = utf8.cast();
            (*compact).utf8_length = bytes.len() as isize;
        }
    }
    #[cfg(Py_3_13)]
    {
        let _ = bytes;
        if ffi::PyUnicode_AsUTF8(string).is_null() {
            ffi::PyErr_Clear();
        }
    }
}

/// Where the characters of a new compact ASCII `str` are to be written.
#[inline(always)]
pub unsafe fn ascii_data(string: Obj) -> *mut u8 {
    (string as *mut ffi::PyASCIIObject).add(1) as *mut u8
}

/// Where the characters of a new compact `str` that isn't ASCII are to be written.
#[inline(always)]
pub unsafe fn wide_data(string: Obj) -> Obj {
    (string as *mut ffi::PyCompactUnicodeObject).add(1).cast()
}

/// The hash of a `str` that has been hashed before.
#[inline(always)]
pub unsafe fn known_hash(string: Obj) -> ffi::Py_hash_t {
    (*(string as *const ffi::PyASCIIObject)).hash
}

/// The items of an exact or derived `list`.
#[inline(always)]
pub unsafe fn list_items(list: Obj) -> *mut Obj {
    (*(list as *mut ffi::PyListObject)).ob_item
}

/// Sets the length of a `list` whose room is larger.
#[inline(always)]
pub unsafe fn set_list_size(list: Obj, size: isize) {
    (*(list as *mut ffi::PyVarObject)).ob_size = size;
}

/// A new `list` of length 0 with room for `count` items.
#[inline(always)]
pub unsafe fn list_with_room(count: usize) -> Obj {
    let list = ffi::PyList_New(count as isize);
    if !list.is_null() {
        set_list_size(list, 0);
    }
    list
}

/// A new `dict` with room for `count` entries.
#[inline(always)]
pub unsafe fn dict_with_room(count: usize) -> Obj {
    // A dict grows in powers of two; up to five entries fit into the smallest.
    #[cfg(not(Py_3_14))]
    if count > 5 {
        return _PyDict_NewPresized(count as isize);
    }
    #[cfg(Py_3_14)]
    let _ = count;
    ffi::PyDict_New()
}

#[inline(always)]
pub unsafe fn dict_size(dict: Obj) -> isize {
    (*(dict as *const ffi::PyDictObject)).ma_used
}

/// Puts an entry into a `dict`; `key` is an exact `str` that has been hashed.
#[inline(always)]
pub unsafe fn dict_insert(dict: Obj, key: Obj, value: Obj) -> i32 {
    #[cfg(not(Py_3_13))]
    return _PyDict_SetItem_KnownHash(dict, key, value, known_hash(key));
    #[cfg(Py_3_13)]
    ffi::PyDict_SetItem(dict, key, value)
}

#[allow(clashing_extern_declarations)]
unsafe extern "C" {
    #[cfg(not(Py_3_14))]
    fn _PyDict_NewPresized(count: ffi::Py_ssize_t) -> Obj;
    #[cfg(not(Py_3_14))]
    fn _PyLong_New(digits: ffi::Py_ssize_t) -> Obj;
    pub fn _PyBytes_Resize(bytes: *mut Obj, length: ffi::Py_ssize_t) -> i32;
    #[cfg(not(Py_3_13))]
    fn _PyDict_SetItem_KnownHash(dict: Obj, key: Obj, value: Obj, hash: ffi::Py_hash_t) -> i32;
}

/// Returns the name of an object's type as messages show it: `decimal.Decimal`, `set`.
pub unsafe fn type_name(object: Obj) -> String {
    let name = (*type_of(object)).tp_name;
    std::ffi::CStr::from_ptr(name).to_string_lossy().into_owned()
}

pub unsafe fn new_str(text: &str) -> Obj {
    ffi::PyUnicode_FromStringAndSize(text.as_ptr().cast(), text.len() as isize)
}

pub unsafe fn new_bytes(bytes: &[u8]) -> Obj {
    ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), bytes.len() as isize)
}

/// `Include/cpython/bytesobject.h`.
#[repr(C)]
struct BytesLayout {
    ob_base: ffi::PyVarObject,
    hash: ffi::Py_hash_t,
    data: [u8; 1],
}

/// Returns where the contents of a `bytes` object begin.
#[inline(always)]
pub unsafe fn bytes_data(bytes: Obj) -> *mut u8 {
    &raw mut (*(bytes as *mut BytesLayout)).data as *mut u8
}

/// Where a scalar of numpy has its value: after the header, as in `arrayscalars.h`. `float64` is a `float` too, and has
/// it in the same place.
pub unsafe fn scalar_data(scalar: Obj) -> *const u8 {
    scalar.cast_const().add(1).cast()
}

/// Sets the length of a new `bytes` whose room is larger, and writes the zero after its contents.
pub unsafe fn set_bytes_size(bytes: Obj, size: usize) {
    (*(bytes as *mut ffi::PyVarObject)).ob_size = size as isize;
    *bytes_data(bytes).add(size) = 0;
}

#[inline(always)]
pub unsafe fn bytes_of(bytes: Obj) -> &'static [u8] {
    let length = (*(bytes as *const ffi::PyVarObject)).ob_size as usize;
    std::slice::from_raw_parts(bytes_data(bytes), length)
}

/// A buffer that is held open: `bytes`, `bytearray`, `memoryview` or any other contiguous one.
///
/// While it is held, a `bytearray` can't be resized.
pub struct Buffer(ffi::Py_buffer);

impl Buffer {
    /// `None`, without an error set, when the object has no contiguous buffer.
    pub unsafe fn of(object: Obj) -> Option<Buffer> {
        Buffer::open(object, ffi::PyBUF_SIMPLE)
    }

    /// The same of an object that says what its items are.
    pub unsafe fn with_format(object: Obj) -> Option<Buffer> {
        Buffer::open(object, ffi::PyBUF_ND | ffi::PyBUF_FORMAT)
    }

    unsafe fn open(object: Obj, flags: i32) -> Option<Buffer> {
        let mut view = std::mem::MaybeUninit::<ffi::Py_buffer>::zeroed();
        if ffi::PyObject_GetBuffer(object, view.as_mut_ptr(), flags) != 0 {
            ffi::PyErr_Clear();
            return None;
        }
        Some(Buffer(view.assume_init()))
    }

    /// The object whose buffer it is.
    pub fn object(&self) -> Option<&pyo3::Py<pyo3::PyAny>> {
        let object = &raw const self.0.obj;
        // SAFETY: a pointer that is not null is all that a `Py` is, and the view holds its object.
        unsafe { (!(*object).is_null()).then(|| &*object.cast()) }
    }

    /// Whether the bytes may go elsewhere: none of its items is an address. `object`: the one that has it, and has
    /// said what they are.
    pub unsafe fn is_plain(&self, object: Obj) -> bool {
        let format = self.0.format;
        if format.is_null() {
            return true;
        }
        let is_known = match CStr::from_ptr(format).to_bytes() {
            // ctypes calls unions and packed structures that, too.
            b"B" => self.0.itemsize == 1,
            [code] => b"bc?hHiIlLqQnNefd".contains(code),
            _ => false,
        };
        if is_known {
            return true;
        }
        let answer = Owned::take(SUPPORT.call(c"has_plain_items", &[object]));
        if answer.is_none() {
            ffi::PyErr_Clear();
        }
        answer.is_some_and(|answer| answer.get() == ffi::Py_True())
    }

    pub fn bytes(&self) -> &[u8] {
        if self.0.len == 0 {
            return &[];
        }
        unsafe { std::slice::from_raw_parts(self.0.buf as *const u8, self.0.len as usize) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        unsafe { ffi::PyBuffer_Release(&mut self.0) }
    }
}

/// The digits of an `int`'s magnitude, lowest first.
pub unsafe fn long_digits(long: Obj) -> &'static [u32] {
    let layout = long as *const LongLayout;
    #[cfg(not(Py_3_12))]
    let count = (*layout).size.unsigned_abs();
    #[cfg(Py_3_12)]
    let count = ((*layout).size as usize) >> 3;
    std::slice::from_raw_parts((&raw const (*layout).digits).cast(), count)
}

/// A dict that no other thread changes: the dict itself where there is a GIL, else a copy. `None` when
/// Python raised.
pub unsafe fn settled(dict: Owned) -> Option<Owned> {
    if cfg!(feature = "free-threaded") {
        return Owned::take(ffi::PyDict_Copy(dict.get()));
    }
    Some(dict)
}
