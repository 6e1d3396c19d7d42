//! Passes the version of the Python that is built for on to `cfg(Py_3_12)` and the like.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
