//! A value that was read is written, and read back as the same value.

#![no_main]

use libfuzzer_sys::fuzz_target;
use packord::{DecodeOptions, EncodeOptions};

fuzz_target!(|bytes: &[u8]| {
    let Ok(value) = packord::from_slice::<packord::Value>(bytes) else {
        return;
    };
    let plain = packord::to_vec(&value).unwrap();
    assert_eq!(packord::from_slice::<packord::Value>(&plain).unwrap(), value);
    assert!(plain.len() <= bytes.len(), "the smallest formats are at most as large");
    assert_eq!(packord::serde::to_vec(&value).unwrap(), plain);

    // While records are on, an ext of their type is a definition.
    if value.to_string().contains("ext(114, ") {
        return;
    }
    let records = EncodeOptions::new().records(true).encode(&value).unwrap();
    assert_eq!(DecodeOptions::new().records(true).decode(&records).unwrap(), value);

    // A key that is there twice has no canonical form.
    if let Ok(canonical) = EncodeOptions::new().canonical(true).encode(&value) {
        let again = DecodeOptions::new().canonical(true).decode(&canonical).unwrap();
        assert_eq!(EncodeOptions::new().canonical(true).encode(&again).unwrap(), canonical);
    }
    let text = packord::notation::to_text(bytes).unwrap();
    assert_eq!(packord::notation::parse(&text).unwrap(), bytes);
});
