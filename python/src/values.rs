//! `Ext`, `Timestamp`, `Fragment`: values that Python has no type of its own for.
//!
//! # Safety
//!
//! The caller holds the GIL. A function that takes an object and reads its parts is called only with
//! an object of exactly its class; the classes are final and frozen, so the parts live as long as
//! the object. The date-time API of CPython is imported before the module is (`state::init`).

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDateTime, PyTuple, PyType};
use std::sync::OnceLock;

use crate::cpython::object::{Buffer, Obj, Owned, bytes_of};
use crate::errors::{Failure, Kind};

/// An ext value: a type from −128 to 127, and bytes. Raises `MsgpackEncodeError` for another type.
///
/// >>> packord.packb(packord.Ext(5, b"\x01"))
/// b'\xd4\x05\x01'
///
/// The class itself serves as `ext_hook`, to keep what has no handler.
#[pyclass(frozen, module = "packord")]
pub struct Ext {
    /// The type, −128 … 127.
    #[pyo3(get, name = "type")]
    kind: i8,
    /// The payload.
    #[pyo3(get)]
    data: Py<PyBytes>,
}

/// The value inside an object of a frozen class that is known to be of that class.
unsafe fn inside<'a, T>(object: Obj) -> &'a T
where
    T: pyo3::PyClass<Frozen = pyo3::pyclass::boolean_struct::True> + Sync,
{
    let py = Python::assume_attached();
    let bound = Bound::from_borrowed_ptr(py, object).cast_into_unchecked::<T>();
    // The caller holds the object.
    &*std::ptr::from_ref::<T>(bound.get())
}

/// A new object of a class; null with the Python error set.
unsafe fn make<T>(value: T) -> Obj
where
    T: pyo3::PyClass<BaseType = PyAny> + Into<PyClassInitializer<T>>,
{
    let py = Python::assume_attached();
    match Py::new(py, value) {
        Ok(object) => object.into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}

impl Ext {
    pub unsafe fn parts(object: Obj) -> (i8, Obj) {
        let ext = inside::<Ext>(object);
        (ext.kind, ext.data.as_ptr())
    }

    /// A new `Ext`; null with the Python error set.
    pub unsafe fn make(kind: i8, data: Owned) -> Obj {
        let py = Python::assume_attached();
        make(Ext {
            kind,
            data: Bound::from_owned_ptr(py, data.release()).cast_into_unchecked().unbind(),
        })
    }
}

#[pymethods]
impl Ext {
    #[new]
    #[pyo3(signature = (kind, data, /))]
    fn new(kind: &Bound<'_, PyAny>, data: &Bound<'_, PyAny>) -> PyResult<Ext> {
        let number = kind.extract().map_err(|error: PyErr| {
            if !error.is_instance_of::<PyOverflowError>(kind.py()) {
                return error;
            }
            let failure = Failure::new(Kind::OutOfRange, "Extension type out of range");
            failure.in_short_words().into_encode_error(kind.py())
        });
        Ok(Ext {
            kind: number?,
            data: payload_from(data, "data")?.unbind(),
        })
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Ext>().is_ok_and(|other| {
            let other = other.get();
            self.kind == other.kind && self.data.as_bytes(py) == other.data.as_bytes(py)
        })
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        // The hash of bytes is seeded by Python.
        Ok(self.data.bind(py).hash()? ^ (isize::from(self.kind) << 8))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Ext({}, {})", self.kind, self.data.bind(py).repr()?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let ext = slf.get();
        let arguments = (ext.kind, ext.data.clone_ref(slf.py())).into_pyobject(slf.py())?;
        (slf.get_type(), arguments).into_pyobject(slf.py())
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("type", "data")
    }
}

/// `bytes` of any contiguous buffer: the object itself, or a copy. The error calls it `name`.
pub fn bytes_from<'py>(data: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = data.cast_exact::<PyBytes>() {
        return Ok(bytes.clone());
    }
    // SAFETY: `data` holds the object.
    match unsafe { Buffer::of(data.as_ptr()) } {
        Some(buffer) => Ok(PyBytes::new(data.py(), buffer.bytes())),
        None => Err(PyTypeError::new_err(format!(
            "{name} must be bytes or another contiguous buffer"
        ))),
    }
}

/// The same of bytes that are going to be packed.
pub fn payload_from<'py>(data: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = bytes_from(data, name)?;
    // SAFETY: `data` holds the object, here and below.
    let is_plain = |buffer: Buffer| unsafe { buffer.is_plain(data.as_ptr()) };
    // What does not say what its items are may have addresses too: numpy's strings of any length.
    if !bytes.is(data) && !unsafe { Buffer::with_format(data.as_ptr()) }.is_some_and(is_plain) {
        let failure = Failure::new(Kind::UnsupportedType, format!("the items of {name} may be addresses"));
        return Err(failure.into_encode_error(data.py()));
    }
    Ok(bytes)
}

/// A point in time: seconds since 1970-01-01T00:00:00Z as a signed 64-bit number, and nanoseconds 0 to
/// 999 999 999 that are always added.
///
/// >>> packord.packb(packord.Timestamp(1, 500_000_000)).hex()
/// 'd7ff7735940000000001'
#[pyclass(frozen, eq, ord, hash, module = "packord")]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// Seconds since 1970, leap seconds not counted.
    #[pyo3(get)]
    seconds: i64,
    /// Nanoseconds, 0 to 999 999 999.
    #[pyo3(get)]
    nanoseconds: u32,
}

impl Timestamp {
    pub unsafe fn parts(object: Obj) -> (i64, u32) {
        let timestamp = inside::<Timestamp>(object);
        (timestamp.seconds, timestamp.nanoseconds)
    }

    /// A new `Timestamp`; null with the Python error set.
    pub unsafe fn make(seconds: i64, nanoseconds: u32) -> Obj {
        make(Timestamp { seconds, nanoseconds })
    }
}

#[pymethods]
impl Timestamp {
    #[new]
    #[pyo3(signature = (seconds, nanoseconds = 0))]
    fn new(seconds: i64, nanoseconds: i64) -> PyResult<Timestamp> {
        let nanoseconds = u32::try_from(nanoseconds).ok().filter(|&number| number < 1_000_000_000);
        let nanoseconds = nanoseconds.ok_or_else(|| PyValueError::new_err("nanoseconds must be 0 to 999999999"))?;
        Ok(Timestamp { seconds, nanoseconds })
    }

    /// Returns the timestamp of a `datetime`, exactly. A naive one is local time.
    #[classmethod]
    fn from_datetime(_class: &Bound<'_, PyType>, datetime: &Bound<'_, PyDateTime>) -> PyResult<Timestamp> {
        let py = datetime.py();
        let support = py.import("packord._support")?;
        let (seconds, nanoseconds) = support.getattr("datetime_parts")?.call1((datetime,))?.extract()?;
        Ok(Timestamp { seconds, nanoseconds })
    }

    /// Returns the timestamp of nanoseconds since 1970. Raises `ValueError` if the seconds do not
    /// fit 64 bits, and `OverflowError` if the number does not fit 128.
    #[classmethod]
    fn from_unix_nano(_class: &Bound<'_, PyType>, nanoseconds: i128) -> PyResult<Timestamp> {
        let seconds = i64::try_from(nanoseconds.div_euclid(1_000_000_000))?;
        Ok(Timestamp {
            seconds,
            nanoseconds: nanoseconds.rem_euclid(1_000_000_000) as u32,
        })
    }

    /// Returns the timestamp of seconds since 1970, such as `time.time()` returns, with the precision
    /// of a float. Raises `ValueError` if they are out of range.
    #[classmethod]
    fn from_unix(_class: &Bound<'_, PyType>, seconds: f64) -> PyResult<Timestamp> {
        let whole = seconds.floor();
        if !(-9.2e18..9.2e18).contains(&whole) {
            return Err(PyValueError::new_err("seconds are out of range"));
        }
        let nanoseconds = ((seconds - whole) * 1e9).round() as u32;
        let carry = nanoseconds / 1_000_000_000;
        Ok(Timestamp {
            seconds: whole as i64 + i64::from(carry),
            nanoseconds: nanoseconds % 1_000_000_000,
        })
    }

    /// Returns the timestamp of the payload of an ext −1: 4, 8 or 12 bytes. Raises `ValueError` for
    /// any other.
    #[classmethod]
    fn from_bytes(_class: &Bound<'_, PyType>, data: &Bound<'_, PyBytes>) -> PyResult<Timestamp> {
        let moment = packord::Timestamp::from_payload(data.as_bytes()).ok_or_else(|| {
            PyValueError::new_err("a timestamp has 4, 8 or 12 bytes, and nanoseconds up to 999999999")
        })?;
        Ok(Timestamp {
            seconds: moment.seconds(),
            nanoseconds: moment.nanoseconds(),
        })
    }

    /// Returns the payload of the timestamp's ext, as short as it can be.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let moment = moment(self.seconds, self.nanoseconds);
        moment.with_payload(|payload| PyBytes::new(py, payload))
    }

    /// Returns the nanoseconds since 1970, exactly.
    fn to_unix_nano(&self) -> i128 {
        i128::from(self.seconds) * 1_000_000_000 + i128::from(self.nanoseconds)
    }

    /// Returns the seconds since 1970 as the nearest float.
    fn to_unix(&self) -> f64 {
        self.seconds as f64 + f64::from(self.nanoseconds) / 1e9
    }

    /// Returns an aware `datetime` in UTC; fractions of a microsecond are cut off.
    ///
    /// Raises `ValueError` outside the years 1 to 9999.
    fn to_datetime(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let nanoseconds = self.nanoseconds / 1000 * 1000;
        let datetime = unsafe { datetime(self.seconds, nanoseconds) };
        let datetime = datetime.ok_or_else(|| PyValueError::new_err("the timestamp is out of datetime's range"))?;
        unsafe { Bound::from_owned_ptr_or_err(py, datetime) }.map(Bound::unbind)
    }

    fn __repr__(&self) -> String {
        format!("Timestamp(seconds={}, nanoseconds={})", self.seconds, self.nanoseconds)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = (slf.get().seconds, slf.get().nanoseconds).into_pyobject(slf.py())?;
        (slf.get_type(), arguments).into_pyobject(slf.py())
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("seconds", "nanoseconds")
    }
}

/// Bytes that are packed already, to be put into a larger message as they are.
///
/// They are checked when the fragment is made. Raises `MsgpackDecodeError` if they are not one
/// message.
///
/// >>> packord.packb({"cached": packord.Fragment(b"\x92\x01\x02")})
/// b'\x81\xa6cached\x92\x01\x02'
#[pyclass(frozen, module = "packord")]
pub struct Fragment {
    /// The packed bytes.
    #[pyo3(get)]
    data: Py<PyBytes>,
    depth: usize,
    /// A map that was read as a key, which no `dict` can be: in canonical form, and written as it is.
    is_map_key: bool,
}

/// Reads packed bytes, with or without the checks of the canonical form.
type Reader = unsafe fn(&[u8], bool) -> Obj;

static READER: OnceLock<Reader> = OnceLock::new();

impl Fragment {
    pub unsafe fn parts<'a>(object: Obj) -> (&'a [u8], usize) {
        let fragment = inside::<Fragment>(object);
        (bytes_of(fragment.data.as_ptr()), fragment.depth)
    }

    /// Returns the value of the bytes; null with the Python error set.
    pub unsafe fn value(bytes: &[u8], canonical: bool) -> Obj {
        match READER.get() {
            Some(read) => read(bytes, canonical),
            None => std::ptr::null_mut(),
        }
    }

    /// Sets what reads fragments, once. This module is below the decoder and cannot call it.
    pub fn set_reader(read: Reader) {
        let _ = READER.set(read);
    }

    pub unsafe fn is_map_key(object: Obj) -> bool {
        inside::<Fragment>(object).is_map_key
    }

    /// What stands for a map as a key; null with the Python error set.
    pub unsafe fn map_key(canonical: &[u8]) -> Obj {
        make(Fragment {
            data: PyBytes::new(Python::assume_attached(), canonical).unbind(),
            depth: 0,
            is_map_key: true,
        })
    }
}

#[pymethods]
impl Fragment {
    #[new]
    #[pyo3(signature = (data, /))]
    fn new(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Fragment> {
        let data = payload_from(data, "data")?;
        let depth = packord::depth_of(data.as_bytes());
        let depth = depth.map_err(|error| Failure::of(&error).into_error(py))?;
        Ok(Fragment {
            data: data.unbind(),
            depth,
            is_map_key: false,
        })
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Fragment>()
            .is_ok_and(|other| self.data.as_bytes(py) == other.get().data.as_bytes(py))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.data.bind(py).hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Fragment({})", self.data.bind(py).repr()?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = (slf.get().data.clone_ref(slf.py()),).into_pyobject(slf.py())?;
        (slf.get_type(), arguments).into_pyobject(slf.py())
    }
}

/// Seconds and nanoseconds as the crate's timestamp. The nanoseconds are below 10^9.
#[inline(always)]
pub fn moment(seconds: i64, nanoseconds: u32) -> packord::Timestamp {
    packord::Timestamp::new(seconds, nanoseconds).unwrap_or_default()
}

/// Year, month and day of a second; `None` when the year is not 0 to 9999.
pub fn date_of(seconds: i64) -> Option<(u16, u8, u8)> {
    let (year, month, day) = moment(seconds, 0).date();
    (0..=9999)
        .contains(&year)
        .then_some((year as u16, month as u8, day as u8))
}

/// An aware `datetime`; `None` when it would lose something or is out of range.
pub unsafe fn datetime(seconds: i64, nanoseconds: u32) -> Option<Obj> {
    if nanoseconds % 1000 != 0 {
        return None;
    }
    let (year, month, day) = date_of(seconds).filter(|date| date.0 > 0)?;
    let rest = seconds.rem_euclid(86_400) as i32;
    let api = ffi::PyDateTimeAPI();
    let make = (*api).DateTime_FromDateAndTime;
    Some(make(
        year.into(),
        month.into(),
        day.into(),
        rest / 3600,
        rest / 60 % 60,
        rest % 60,
        (nanoseconds / 1000) as i32,
        (*api).TimeZone_UTC,
        (*api).DateTimeType,
    ))
}
