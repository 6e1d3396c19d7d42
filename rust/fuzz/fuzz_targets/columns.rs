//! Any value, and tables that are made of the bytes, are written with columns in every way and read back
//! as the same values.

#![no_main]

#[path = "../../packord/tests/support/tables.rs"]
#[allow(dead_code, reason = "the seeds are those of the tests")]
mod tables;

use tables::{Source, check, table};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // While records are on, an ext of their type is a definition, and one of type 92 is columns, which may
    // be malformed.
    let is_written = |value: &packord::Value| {
        let text = value.to_string();
        !text.contains("ext(114, ") && !text.contains("ext(92, ")
    };
    match packord::from_slice::<packord::Value>(bytes) {
        Ok(value) if is_written(&value) => check(&value),
        _ => check(&table(&mut Source::new(bytes), 0)),
    };
});
