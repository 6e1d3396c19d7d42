//! A message that is one value is read by shorter code, with the same outcomes.

use packord::serde::{Config, Deserializer, from_slice};
use serde::Deserialize;
use std::fmt::Debug;

fn by_deserializer<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> packord::Result<Option<T>> {
    let mut deserializer = Deserializer::new(bytes);
    let value = deserializer.next()?;
    deserializer.end()?;
    Ok(value)
}

fn agrees<'de, T: Deserialize<'de> + Debug>(bytes: &'de [u8]) {
    if bytes.is_empty() {
        assert!(from_slice::<T>(bytes).is_err());
        return;
    }
    // As text: a NaN is not equal to itself, and the text of an error has its offset and path.
    let (short, full) = (from_slice::<T>(bytes), by_deserializer::<T>(bytes));
    let full = full.map(|value| value.expect("there is a message"));
    assert_eq!(format!("{short:?}"), format!("{full:?}"), "{bytes:x?}");
    if let (Err(short), Err(full)) = (short, full) {
        assert_eq!(short.to_string(), full.to_string());
    }
}

#[test]
fn every_marker_and_length_is_read_as_by_a_deserializer() {
    for marker in 0..=255_u8 {
        for second in [0, 1, 2, 0x7f, 0x80, 0xff] {
            let bytes = [marker, second, 0x80, b'a', 0, 0xff, 0x7f, 1, 2, 3, 4];
            for len in 0..=bytes.len() {
                let bytes = &bytes[..len];
                agrees::<u8>(bytes);
                agrees::<u16>(bytes);
                agrees::<u32>(bytes);
                agrees::<u64>(bytes);
                agrees::<i8>(bytes);
                agrees::<i16>(bytes);
                agrees::<i32>(bytes);
                agrees::<i64>(bytes);
                agrees::<f32>(bytes);
                agrees::<f64>(bytes);
                agrees::<bool>(bytes);
                agrees::<()>(bytes);
                agrees::<&str>(bytes);
                agrees::<String>(bytes);
                agrees::<Option<i16>>(bytes);
                agrees::<Option<Option<String>>>(bytes);
                agrees::<(u8, i8)>(bytes);
                agrees::<Vec<u16>>(bytes);
            }
        }
    }
}

#[test]
fn options_of_reading_hold_for_one_value() {
    let strict = Config::new().decode_options(packord::DecodeOptions::new().max_str_len(2));
    assert!(strict.from_slice::<String>(b"\xa3abc").is_err());
    assert_eq!(strict.from_slice::<String>(b"\xa2ab").unwrap(), "ab");
    let records = Config::new().decode_options(packord::DecodeOptions::new().records(true));
    assert_eq!(records.from_slice::<u8>(b"\x3f").unwrap(), 63);
    let error = from_slice::<u8>(b"\x01\x02").unwrap_err();
    assert_eq!(error.kind(), packord::ErrorKind::TrailingBytes);
    assert_eq!(error.offset(), Some(1));
}
