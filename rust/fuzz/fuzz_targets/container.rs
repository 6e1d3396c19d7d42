//! Any bytes as a container file, and as the body of a block in one, are read in every way with the same rows and faults.

#![no_main]

#[path = "../../packord/tests/support/containers.rs"]
mod containers;

use containers::{Choice, check};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Some((choice, bytes)) = input.split_first_chunk() {
        check(Choice::new(*choice), bytes);
    }
});
