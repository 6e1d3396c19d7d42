//! What Python sees.
//!
//! # Safety
//!
//! Python calls these functions with the GIL held and with references that last for the call. Code of
//! the program that runs meanwhile can call them again: state that changes is in a `Guarded`,
//! which refuses the second call. A returned null pointer always comes with the Python error set.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::cpython::shared::{Guarded, Held};

pub mod arrow;
pub mod columns;
pub mod container;
pub mod decoder;
pub mod encoder;
pub mod functions;
pub mod keywords;
pub mod msgpack;
pub mod msgpack_options;
pub mod ormsgpack;
pub mod settings;
pub mod unpacker;
pub mod view;

/// Borrows what only one call at a time may use. The error names its owner.
fn held<'a, T>(value: &'a Guarded<T>, who: &str) -> PyResult<Held<'a, T>> {
    let text = "can't be used within its own hooks, or by two threads at once";
    let held = value.get();
    held.ok_or_else(|| PyRuntimeError::new_err(format!("{who} {text}")))
}

/// The same, of what there may be.
fn held_if<'a, T>(value: Option<&'a Guarded<T>>, who: &str) -> PyResult<Option<Held<'a, T>>> {
    value.map(|value| held(value, who)).transpose()
}
