//! Derived types and `Value` accept the same messages.

#![no_main]

#[path = "../../packord/tests/support/shapes.rs"]
#[allow(dead_code, reason = "the seeds are those of the tests")]
mod shapes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shapes::check(bytes));
