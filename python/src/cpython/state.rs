//! What the module looks up once: classes of the Python half, interned names, small integers.
//!
//! # Safety
//!
//! [`init`] runs before any other function of the module can, once, with the GIL held. The objects
//! are never freed, so a borrowed pointer to one is valid for the life of the process.

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::CStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::object::{Obj, Owned, new_bytes, new_long, new_ref};

/// The smallest and one past the largest integer that is kept ready: lists of these are read in .58 of the time.
const SMALL: std::ops::Range<i64> = -128..256;

/// Objects that live as long as the process.
pub struct State {
    pub encode_error: Obj,
    pub decode_error: Obj,
    pub argument_error: Obj,
    pub int: Obj,
    pub utcoffset: Obj,
    pub array_struct: Obj,
    pub empty_tuple: Obj,
    small: Vec<Obj>,
}

// SAFETY: the objects are only used while the GIL is held, and never freed.
unsafe impl Send for State {}
unsafe impl Sync for State {}

static STATE: OnceLock<State> = OnceLock::new();

/// The state; the module's initialization has made it.
#[inline(always)]
pub fn get() -> &'static State {
    // SAFETY: nothing of this module can be called before `init` has returned.
    unsafe { STATE.get().unwrap_unchecked() }
}

/// Fills the state in. Called once, when the module is imported.
pub fn init(py: Python<'_>) -> PyResult<()> {
    check_interpreter()?;
    check_layouts(py)?;
    let errors = py.import("packord._errors")?;
    let name = |text: &CStr| unsafe { ffi::PyUnicode_InternFromString(text.as_ptr()) };
    let state = unsafe {
        ffi::PyDateTime_IMPORT();
        State {
            encode_error: errors.getattr("MsgpackEncodeError")?.into_ptr(),
            decode_error: errors.getattr("MsgpackDecodeError")?.into_ptr(),
            argument_error: errors.getattr("MsgpackArgumentError")?.into_ptr(),
            int: name(c"int"),
            utcoffset: name(c"utcoffset"),
            array_struct: name(c"__array_struct__"),
            empty_tuple: ffi::PyTuple_New(0),
            small: SMALL.map(|number| ffi::PyLong_FromLongLong(number)).collect(),
        }
    };
    let _ = STATE.set(state);
    Ok(())
}

/// Raises `ImportError` in a sub-interpreter: classes and plans are kept for one, and another would be given those of
/// the first, and pack its own instances as objects without fields. CPython copies the compiled half into one without
/// running its initialization again, so the Python half asks.
#[pyfunction(name = "_check_interpreter")]
pub fn check_interpreter() -> PyResult<()> {
    // SAFETY: the caller holds the GIL.
    let is_main = unsafe { ffi::PyInterpreterState_Get() == ffi::PyInterpreterState_Main() };
    if is_main {
        return Ok(());
    }
    Err(pyo3::exceptions::PyImportError::new_err(
        "packord works in the main interpreter only, not in sub-interpreters",
    ))
}

/// The object layouts that `object.rs` reads are true for 30-bit digits only.
fn check_layouts(py: Python<'_>) -> PyResult<()> {
    let digit: u32 = py
        .import("sys")?
        .getattr("int_info")?
        .getattr("bits_per_digit")?
        .extract()?;
    if digit != 30 || cfg!(target_endian = "big") {
        return Err(pyo3::exceptions::PyImportError::new_err(
            "packord needs a little-endian CPython whose integers have 30-bit digits",
        ));
    }
    Ok(())
}

/// A module of the Python half, which is imported when one of its functions is asked for.
pub struct LateModule {
    name: &'static CStr,
    found: AtomicPtr<ffi::PyObject>,
}

/// The rare conversions that are written in Python. What they import takes as long as all else of the package.
pub static SUPPORT: LateModule = LateModule::of(c"packord._support");
/// Arrays of numpy.
pub static ARRAYS: LateModule = LateModule::of(c"packord._arrays");
/// How instances of classes are packed.
pub static PLANS: LateModule = LateModule::of(c"packord._typing.plans");

impl LateModule {
    const fn of(name: &'static CStr) -> LateModule {
        let found = AtomicPtr::new(std::ptr::null_mut());
        LateModule { name, found }
    }

    /// Calls a function of the module with the arguments given; null when it raised.
    pub unsafe fn call(&self, function: &CStr, arguments: &[Obj]) -> Obj {
        let mut module = self.found.load(Ordering::Relaxed);
        if module.is_null() {
            module = ffi::PyImport_ImportModule(self.name.as_ptr());
            self.found.store(module, Ordering::Relaxed);
        }
        if module.is_null() {
            return module;
        }
        let Some(function) = Owned::take(ffi::PyObject_GetAttrString(module, function.as_ptr())) else {
            return std::ptr::null_mut();
        };
        ffi::PyObject_Vectorcall(
            function.get(),
            arguments.as_ptr(),
            arguments.len(),
            std::ptr::null_mut(),
        )
    }
}

impl State {
    /// A new reference to the integer.
    #[inline(always)]
    pub unsafe fn integer(&self, number: i64) -> Obj {
        if SMALL.contains(&number) {
            return new_ref(*self.small.get_unchecked((number - SMALL.start) as usize));
        }
        new_long(number)
    }

    /// A new reference to an integer −128 … 255.
    #[inline(always)]
    pub unsafe fn small_integer(&self, number: i64) -> Obj {
        new_ref(*self.small.get_unchecked((number - SMALL.start) as usize))
    }
}

/// An `int` from big-endian two's complement; null when Python raised.
pub unsafe fn long_from_bytes(bytes: &[u8]) -> Obj {
    match Owned::take(new_bytes(bytes)) {
        Some(data) => SUPPORT.call(c"from_signed", &[data.get()]),
        None => std::ptr::null_mut(),
    }
}
