//! Container files (`spec/container.md`): where their bytes come from, and where they go. The format itself, and the threads
//! that unpack blocks, are those of the crate.
//!
//! # Safety
//!
//! Blocks are read and unpacked without the GIL, also on other threads; what is done there touches no object of
//! Python, except that [`source`] takes the GIL to read from one.

pub mod output;
pub mod source;

use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// The longest that a signal waits for Python.
const SLICE: Duration = Duration::from_millis(50);

/// Waits without the GIL. An interrupt ends it.
pub fn wait(py: Python<'_>, pause: Duration) -> PyResult<()> {
    let end = Instant::now() + pause;
    loop {
        py.check_signals()?;
        let rest = end.saturating_duration_since(Instant::now());
        if rest.is_zero() {
            return Ok(());
        }
        py.detach(|| std::thread::sleep(rest.min(SLICE)));
    }
}
