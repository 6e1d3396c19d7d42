//! Passes the version of the Python that is built for on to `cfg(Py_3_12)` and the like.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
    println!("cargo::rustc-check-cfg=cfg(known_layout)");
    let config = pyo3_build_config::get();
    let (major, minor) = (config.version().major, config.version().minor);
    // The layouts of dicts and instances that `dict_layout.rs` and `instance.rs` describe.
    let free_threaded = config
        .build_flags()
        .0
        .contains(&pyo3_build_config::BuildFlag::Py_GIL_DISABLED);
    if major == 3 && (11..=13).contains(&minor) && !free_threaded {
        println!("cargo::rustc-cfg=known_layout");
    }
}
