//! `View`: access to parts of packed bytes without unpacking the rest.

use packord::path_at;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString, PyTuple};

use crate::cpython::shared::Guarded;
use crate::decode::plain_value;
use crate::errors::{Failure, Kind};
use crate::values::bytes_from;
use crate::wire::skip::{header, skip, str_at};
use crate::wire::value_type::ValueType;

/// A value within packed bytes. Only the parts that are accessed are unpacked and checked.
///
/// A search in a map ends at the first entry with the key, and does not look at the rest. If a
/// sender may put a key into a map twice, `duplicate_key="last"` finds the entry that `unpackb`
/// keeps; it reads to the end of the map for that.
///
/// Indexing returns a `View` of an array or map, and the value itself of anything else. It raises
/// `KeyError`, `IndexError`, `TypeError` for a value that is not a container, and
/// `MsgpackDecodeError` for bytes at fault.
///
/// >>> view = packord.View(packord.packb({"users": [{"id": 1}, {"id": 2}]}))
/// >>> view["users"][1]["id"]
/// 2
#[pyclass(module = "packord", frozen)]
pub struct View {
    data: Py<PyBytes>,
    /// Where the value begins.
    at: usize,
    /// Of two entries with one key the first is found, and not the last.
    first: bool,
    /// Where the values within begin: those that were skipped so far, and the next one. So nothing is
    /// skipped twice.
    places: Guarded<Vec<usize>>,
}

/// The error of a fault in the bytes, whose path is found by another walk. Text was not looked at on the way.
fn raised(py: Python<'_>, bytes: &[u8], failure: Box<Failure>) -> PyErr {
    let options = packord::DecodeOptions::new().utf8(packord::Utf8::Raw);
    let failure = match failure.offset {
        Some(offset) => failure.at_path(path_at(bytes, offset as u64, &options)),
        None => failure,
    };
    failure.into_error(py)
}

impl View {
    fn new_at(data: Py<PyBytes>, at: usize, first: bool) -> View {
        View {
            data,
            at,
            first,
            places: Guarded::new(Vec::new()),
        }
    }

    fn beside(&self, py: Python<'_>, at: usize) -> View {
        View::new_at(self.data.clone_ref(py), at, self.first)
    }

    fn bytes<'a>(&'a self, py: Python<'a>) -> &'a [u8] {
        self.data.as_bytes(py)
    }

    /// `None` for the reserved marker.
    fn value_type(&self, py: Python<'_>) -> Option<ValueType> {
        ValueType::of(self.bytes(py)[self.at])
    }

    fn is_container(&self, py: Python<'_>) -> bool {
        matches!(self.value_type(py), Some(ValueType::Array | ValueType::Map))
    }

    fn fault(&self, py: Python<'_>, kind: Kind, offset: usize) -> PyErr {
        raised(py, self.bytes(py), Failure::at(kind, offset, ""))
    }

    /// The end of the value at `at`, or the error of what is wrong with it.
    fn end(&self, py: Python<'_>, at: usize) -> PyResult<usize> {
        let bytes = self.bytes(py);
        skip(bytes, at).ok_or_else(|| match bytes.get(at).map(|&marker| ValueType::of(marker)) {
            Some(None) => self.fault(py, Kind::ReservedMarker, at),
            _ => self.fault(py, Kind::Eof, bytes.len()),
        })
    }

    /// Where the first element begins, and how many values there are; twice the count for maps.
    fn contents(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        let bytes = self.bytes(py);
        match header(bytes, self.at) {
            // What asks for the length makes room for it: no more than the bytes can hold.
            Some((end, values)) if bytes.len().checked_sub(end) >= Some(values) => Ok((end, values)),
            _ => Err(self.fault(py, Kind::Eof, bytes.len())),
        }
    }

    /// Where a value of the container begins: an element, or a key and the value after it.
    fn place(&self, py: Python<'_>, index: usize) -> PyResult<usize> {
        // Taken out meanwhile, as raising an error may run code that looks into this view.
        let mut places = match self.places.get() {
            Some(mut places) => std::mem::take(&mut *places),
            None => Vec::new(),
        };
        if places.is_empty() {
            places.push(self.contents(py)?.0);
        }
        let found = loop {
            match (places.get(index), places.last()) {
                (Some(&place), _) => break Ok(place),
                (None, Some(&last)) => match self.end(py, last) {
                    Ok(end) => places.push(end),
                    Err(error) => break Err(error),
                },
                (None, None) => unreachable!("the first place is there"),
            }
        };
        if let Some(mut kept) = self.places.get() {
            *kept = places;
        }
        found
    }

    /// The element or entry that a key names. `None` when there is none.
    fn find(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        match self.value_type(key.py()) {
            Some(ValueType::Array) => self.element(key),
            Some(ValueType::Map) => self.entry(key),
            _ => Err(PyTypeError::new_err("the value is neither an array nor a map")),
        }
    }

    fn element(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let py = key.py();
        let index: isize = key
            .cast::<PyInt>()
            .map_err(|_| PyTypeError::new_err("an array's index is an int"))?
            .extract()?;
        let (_, count) = self.contents(py)?;
        let index = if index < 0 { index + count as isize } else { index };
        if index < 0 || index as usize >= count {
            return Ok(None);
        }
        self.place(py, index as usize).map(Some)
    }

    /// The value of the entry with a key.
    fn entry(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let py = key.py();
        let (_, values) = self.contents(py)?;
        let text = key.cast::<PyString>().ok().map(|text| text.to_str()).transpose()?;
        let mut found = None;
        for index in (0..values).step_by(2) {
            let at = self.place(py, index)?;
            let same = match (str_at(self.bytes(py), at), text) {
                (Some(name), Some(text)) => name == text.as_bytes(),
                (None, None) => self.value(py, at)?.bind(py).eq(key)?,
                _ => false,
            };
            if same {
                found = Some(self.place(py, index + 1)?);
                if self.first {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// The value at an offset: a view of a container, or the value itself.
    fn at(&self, py: Python<'_>, at: usize) -> PyResult<Py<PyAny>> {
        let view = self.beside(py, at);
        if view.at >= view.bytes(py).len() {
            return Err(self.fault(py, Kind::Eof, at));
        }
        if view.is_container(py) {
            return Ok(Py::new(py, view)?.into_any());
        }
        self.value(py, at)
    }

    /// The value at an offset, unpacked.
    fn value(&self, py: Python<'_>, at: usize) -> PyResult<Py<PyAny>> {
        let value = plain_value(py, &self.bytes(py)[at..]).map_err(|mut failure| {
            failure.offset = failure.offset.map(|offset| offset + at);
            raised(py, self.bytes(py), failure)
        });
        value.map(Bound::unbind)
    }
}

#[pymethods]
impl View {
    #[new]
    #[pyo3(signature = (data, /, *, duplicate_key = "first"))]
    fn new(py: Python<'_>, data: &Bound<'_, PyAny>, duplicate_key: &str) -> PyResult<View> {
        let data = bytes_from(data, "data")?.unbind();
        if data.as_bytes(py).is_empty() {
            return Err(raised(py, &[], Failure::at(Kind::Eof, 0, "")));
        }
        let first = match duplicate_key {
            "last" => false,
            "first" => true,
            _ => {
                return Err(PyValueError::new_err("duplicate_key must be \"last\" or \"first\""));
            }
        };
        Ok(View::new_at(data, 0, first))
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        match self.find(key)? {
            Some(at) => self.at(key.py(), at),
            None if self.value_type(key.py()) == Some(ValueType::Array) => {
                Err(PyIndexError::new_err("index out of range"))
            }
            None => Err(PyKeyError::new_err(key.clone().unbind())),
        }
    }

    /// Returns what is at the end of a path of keys and indexes, or `default` if nothing is there.
    ///
    /// >>> packord.View(b"\x81\xa1a\x92\x01\x02").get("a", 1)
    /// 2
    #[pyo3(signature = (*path, default = None))]
    fn get(&self, path: &Bound<'_, PyTuple>, default: Option<Py<PyAny>>) -> PyResult<Py<PyAny>> {
        let py = path.py();
        let mut at = self.at;
        let mut inner = None;
        for key in path {
            if at >= self.bytes(py).len() {
                return Err(self.fault(py, Kind::Eof, at));
            }
            let view = inner.as_ref().unwrap_or(self);
            at = match view.is_container(py).then(|| view.find(&key)).transpose()?.flatten() {
                Some(place) => place,
                None => return Ok(default.unwrap_or_else(|| py.None())),
            };
            inner = Some(self.beside(py, at));
        }
        self.at(py, at)
    }

    /// Returns the value, unpacked.
    fn unpack(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.value(py, self.at)
    }

    /// Returns the packed bytes of the value.
    fn packed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let end = self.end(py, self.at)?;
        Ok(PyBytes::new(py, &self.bytes(py)[self.at..end]))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let (_, values) = self.contents(py)?;
        match self.value_type(py) {
            Some(ValueType::Map) => Ok(values / 2),
            Some(ValueType::Array) => Ok(values),
            _ => Err(PyTypeError::new_err("the value has no length")),
        }
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        if self.value_type(key.py()) == Some(ValueType::Map) {
            return Ok(self.entry(key)?.is_some());
        }
        let unpacked = self.unpack(key.py())?;
        unpacked.bind(key.py()).contains(key)
    }

    /// Iterates over the elements of an array, or the keys of a map.
    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<Elements> {
        let (py, view) = (slf.py(), slf.get());
        let (at, remaining) = view.contents(py)?;
        if !view.is_container(py) {
            return Err(PyTypeError::new_err("the value is neither an array nor a map"));
        }
        Ok(Elements {
            view: view.beside(py, at),
            remaining,
            map: view.value_type(py) == Some(ValueType::Map),
        })
    }

    /// The type of the value: `nil`, `bool`, `int`, `float`, `str`, `bin`, `array`, `map`, `ext`.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        match self.value_type(py) {
            None => Err(self.fault(py, Kind::ReservedMarker, self.at)),
            Some(ValueType::Int) => Ok("int"),
            Some(value_type) => Ok(value_type.name()),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<packord.View of {} at byte {}>", self.kind(py)?, self.at))
    }
}

/// Iterates over a view.
#[pyclass]
pub struct Elements {
    view: View,
    remaining: usize,
    map: bool,
}

#[pymethods]
impl Elements {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        if self.remaining == 0 {
            return Ok(None);
        }
        let at = self.view.at;
        let mut end = self.view.end(py, at)?;
        self.remaining -= 1;
        if self.map {
            end = self.view.end(py, end)?;
            self.remaining -= 1;
        }
        let value = if self.map {
            self.view.value(py, at)?
        } else {
            self.view.at(py, at)?
        };
        self.view.at = end;
        Ok(Some(value))
    }
}
