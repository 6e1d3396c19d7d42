//! The pause of the garbage collector.

#[cfg(not(Py_3_12))]
use pyo3::ffi;

use super::Decoder;

/// Keeps the cyclic garbage collector from running while a message is read that can't leave any
/// garbage, where it would otherwise run with every few hundred containers: 90,000 small lists take .46 of
/// the time. From CPython 3.12 on it doesn't run within an extension's call in any case.
pub struct GcPause {
    #[cfg(not(Py_3_12))]
    paused: bool,
}

impl GcPause {
    #[cfg(not(Py_3_12))]
    pub unsafe fn new(reader: &Decoder<'_>) -> GcPause {
        // A short message makes too few containers for the collector to run.
        let worth = reader.remaining() > 256 && !reader.typed && !reader.options.has_hooks();
        GcPause {
            paused: worth && ffi::PyGC_Disable() != 0,
        }
    }

    #[cfg(Py_3_12)]
    pub unsafe fn new(_: &Decoder<'_>) -> GcPause {
        GcPause {}
    }
}

#[cfg(not(Py_3_12))]
impl Drop for GcPause {
    fn drop(&mut self) {
        if self.paused {
            unsafe { ffi::PyGC_Enable() };
        }
    }
}
