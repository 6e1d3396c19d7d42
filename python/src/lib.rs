//! The Rust half of the Python package `packord`: MessagePack for CPython.
//!
//! Data flows one way: a value through [`encode`] and [`wire`] to bytes, and bytes through
//! [`decode`] back. [`record`] and [`ext`] hold what both directions share, [`stream`] reads
//! messages that arrive in pieces, [`typed`] into declared types, [`api`] is what Python sees.
//!
//! The hot paths use CPython's C API directly. Unless a function says otherwise, an [`cpython::object::Obj`]
//! argument is borrowed, a returned one is owned by the caller, and the GIL is held.

// Nearly every line here calls the C API; the contract above is what each function relies on.
#![allow(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc)]

mod api;
mod container;
mod cpython;
mod decode;
mod encode;
mod errors;
mod ext;
mod options;
mod record;
mod stream;
mod typed;
mod values;
mod wire;

use pyo3::prelude::*;
use pyo3::types::IntoPyDict;

/// The compiled half of `packord`; `packord/__init__.py` re-exports what is public.
#[cfg_attr(feature = "free-threaded", pymodule(gil_used = false))]
#[cfg_attr(not(feature = "free-threaded"), pymodule(gil_used = true))]
fn _packord(module: &Bound<'_, PyModule>) -> PyResult<()> {
    cpython::state::init(module.py())?;
    // SAFETY: the module is being imported, with the GIL held.
    unsafe { api::keywords::init() };
    values::Fragment::set_reader(decode::fragment_value);
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    api::functions::register(module)?;
    api::ormsgpack::register(module)?;
    api::msgpack::register(module)?;
    for (name, flag) in options::OF_MODULES {
        module.add(*name, *flag)?;
    }
    module.add("_TYPED", ext::number::typed_arrays().into_py_dict(module.py())?)?;
    module.add_function(wrap_pyfunction!(cpython::state::check_interpreter, module)?)?;
    module.add_class::<values::Ext>()?;
    module.add_class::<values::Timestamp>()?;
    module.add_class::<values::Fragment>()?;
    module.add_class::<api::encoder::PyEncoder>()?;
    module.add_class::<api::decoder::PyDecoder>()?;
    module.add_class::<api::unpacker::Unpacker>()?;
    module.add_class::<api::view::View>()?;
    module.add_class::<api::columns::ColumnsView>()?;
    module.add_class::<api::columns::ColumnView>()?;
    module.add_function(wrap_pyfunction!(api::columns::columns_of, module)?)?;
    module.add_class::<api::arrow::ArrowTable>()?;
    module.add_function(wrap_pyfunction!(api::arrow::to_arrow, module)?)?;
    module.add_function(wrap_pyfunction!(api::arrow::from_arrow, module)?)?;
    module.add_class::<api::container::reader::ContainerReader>()?;
    module.add_class::<api::container::writer::ContainerWriter>()?;
    module.add_class::<api::container::rows::Rows>()?;
    module.add_class::<api::container::batches::Batches>()?;
    module.add_class::<api::container::batches::Batch>()?;
    Ok(())
}
