//! The bounds of `spec/limits.md`: memory, stack, and the state after an error.

use crate::counting::measure;
use crate::small_stacks::on_stack;
use crate::support::cases;
use packord::io::UnpackReader;
use packord::{
    DecodeOptions, EncodeOptions, ErrorKind, MessageScanner, RecordDecoder, RecordEncoder, Structures, Utf8, Value,
};

/// The peak of memory in use, beyond the memory in use before.
fn peak<T>(run: impl FnOnce() -> T) -> usize {
    measure(run).1 as usize
}

fn assert_bounded(name: &str, bytes: &[u8], options: &DecodeOptions, factor: usize) {
    let bound = factor * bytes.len() + (1 << 20);
    let owned = peak(|| options.decode(bytes));
    assert!(owned <= bound, "{name}: decode takes {owned} of {bound} bytes");
    let borrowed = peak(|| options.decode_ref(bytes));
    assert!(
        borrowed <= bound,
        "{name}: decode_ref takes {borrowed} of {bound} bytes"
    );
    let checked = peak(|| options.validate(bytes));
    assert!(checked <= bound, "{name}: validate takes {checked} of {bound} bytes");
    let streamed = peak(|| {
        let mut decoder = MessageScanner::with_options(options);
        for chunk in bytes.chunks(64 << 10) {
            decoder.feed(chunk);
            while let Ok(Some(value)) = decoder.next_value() {
                drop(value);
            }
        }
        decoder.finish()
    });
    assert!(
        streamed <= bound,
        "{name}: the stream takes {streamed} of {bound} bytes"
    );
}

#[test]
fn hostile_vectors_take_bounded_memory() {
    // Unoptimised builds take seconds for a megabyte.
    const LARGEST: usize = if cfg!(debug_assertions) { 2 << 20 } else { 32 << 20 };
    for case in cases("hostile") {
        let bytes = case.bytes();
        if bytes.len() <= LARGEST {
            // The factor in the file is for languages that may take more memory, 128 × input.
            let factor = case.json["factor"].as_u64().unwrap_or(128) as usize * 40 / 128;
            assert_bounded(&case.name, &bytes, &case.options().decode, factor);
        }
    }
}

/// The values that take most memory for their bytes.
#[test]
fn dense_shapes_take_bounded_memory() {
    let nested = |inner: &[u8], depth: usize| [b"\x91".repeat(depth), inner.to_vec()].concat();
    let many = |unit: &[u8], count: usize| {
        let mut bytes = vec![0xdd];
        bytes.extend((count as u32).to_be_bytes());
        bytes.extend(unit.repeat(count));
        bytes
    };
    let record = |keys: usize, rest: &[u8]| {
        let mut bytes = vec![0xd4, 0x72, 0x40, 0xdc];
        bytes.extend((keys as u16).to_be_bytes());
        bytes.extend((0..keys).flat_map(|key| [0xa2, b'a' + (key % 26) as u8, b'a' + (key / 26 % 26) as u8]));
        bytes.extend(rest);
        bytes
    };
    let shapes: Vec<(&str, Vec<u8>, bool)> = vec![
        ("nils", many(b"\xc0", 60_000), false),
        ("empty arrays", many(b"\x90", 60_000), false),
        ("empty maps", many(b"\x80", 60_000), false),
        ("empty strs", many(b"\xa0", 60_000), false),
        ("short strs", many(b"\xa1x", 60_000), false),
        ("empty exts", many(b"\xc7\x00\x05", 60_000), false),
        ("pairs", many(b"\x81\xc0\xc0", 60_000), false),
        ("single arrays", many(b"\x91\xc0", 60_000), false),
        ("deep arrays", many(&nested(b"\xc0", 1000), 60), false),
        (
            "deep maps",
            many(&[b"\x81\xc0".repeat(1000), b"\xc0".to_vec()].concat(), 60),
            false,
        ),
        (
            "deep keys",
            many(&[b"\x81".repeat(1000), b"\xc0".repeat(1001)].concat(), 60),
            false,
        ),
        ("records of one", record(1, &many(b"\x40\xc0", 60_000)), true),
        (
            "deep records",
            record(1, &many(&[b"\x40".repeat(1000), b"\xc0".to_vec()].concat(), 60)),
            true,
        ),
        (
            "wide records",
            record(
                1000,
                &[
                    many(&[b"\x40".to_vec(), b"\xc0".repeat(1000)].concat(), 60),
                    b"\xc0".repeat(999),
                ]
                .concat(),
            ),
            true,
        ),
        ("definitions", many(b"\xd4\x72\x40\x91\xa0\xc0", 60_000), true),
        ("empty definitions", many(b"\xd4\x72\x40\x90", 60_000), true),
        ("short keys", record(1024, &b"\xc0".repeat(1024)).repeat(1), true),
    ];
    for (name, bytes, records) in shapes {
        let options = DecodeOptions::new().records(records);
        assert!(
            options.validate(&bytes).is_ok(),
            "{name}: {:?}",
            options.validate(&bytes)
        );
        assert_bounded(name, &bytes, &options, 40);
        let checked = options.duplicate_key(packord::DuplicateKey::Error);
        assert_bounded(name, &bytes, &checked, 40);
    }
}

#[test]
fn strs_that_are_replaced_take_bounded_memory() {
    // Just above a power of two, at which vectors grow.
    for count in [100_000_u32, (1 << 17) + 1] {
        let mut bytes = vec![0xdd];
        bytes.extend(count.to_be_bytes());
        bytes.extend(b"\xa1\xff".repeat(count as usize));
        let bound = 40 * bytes.len() + (1 << 20);
        for utf8 in [Utf8::Replace, Utf8::Raw] {
            let options = DecodeOptions::new().utf8(utf8);
            let typed = peak(|| options.unpack::<Value>(&bytes).unwrap());
            assert!(typed <= bound, "unpack takes {typed} of {bound} bytes");
            let streamed = peak(|| {
                UnpackReader::with_options(&bytes[..], &options)
                    .unpack::<Value>()
                    .unwrap()
            });
            assert!(streamed <= bound, "the stream takes {streamed} of {bound} bytes");
            // The fault follows all of them.
            let cut = [&bytes[..bytes.len() - 2], b"\xc0"].concat();
            let failed = peak(|| {
                let error = options.unpack::<Vec<Box<str>>>(&cut).unwrap_err();
                if utf8 == Utf8::Replace {
                    assert_eq!(error.offset(), Some(cut.len() as u64 - 1));
                }
            });
            assert!(failed <= bound, "a failure takes {failed} of {bound} bytes");
        }
    }
}

#[test]
fn the_default_depth_fits_a_stack_of_1_mb() {
    on_stack(1024, || {
        for unit in [&b"\x91"[..], b"\x81\xc0", b"\x81"] {
            let bytes = [unit.repeat(1024), b"\xc0".repeat(1025)].concat();
            let end = packord::skip_value(&bytes).unwrap();
            let value = packord::from_slice::<packord::Value>(&bytes[..end]).unwrap();
            assert_eq!(packord::to_vec(&value).unwrap(), bytes[..end]);
            let deeper = [unit, &bytes].concat();
            let error = packord::from_slice::<packord::Value>(&deeper).unwrap_err();
            assert_eq!(
                (error.kind(), error.offset()),
                (ErrorKind::DepthLimit, Some(1024 * unit.len() as u64))
            );
        }
    });
}

#[test]
fn any_depth_fits_a_stack_of_1_mb() {
    on_stack(1024, || {
        let depth = 100_000;
        let options = DecodeOptions::new().max_depth(u32::MAX);
        let writing = EncodeOptions::new().max_depth(u32::MAX);
        for unit in [&b"\x91"[..], b"\x81\xa1k"] {
            let bytes = [unit.repeat(depth), b"\xc0".to_vec()].concat();
            let value = options.decode(&bytes).unwrap();
            let copy = value.clone();
            assert_eq!(copy, value);
            assert_eq!(writing.encode(&copy).unwrap(), bytes);
            assert_eq!(writing.canonical(true).encode(&copy).unwrap(), bytes);
            assert!(value.to_string().len() > depth);
            options.validate(&bytes).unwrap();
            let error = packord::to_vec(&value).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
        }
        // Keys within keys.
        let bytes = [b"\x81".repeat(depth), b"\xc0".repeat(depth + 1)].concat();
        let value = options.decode(&bytes).unwrap();
        assert_eq!(value.clone(), value);
        drop(value);
    });
}

#[test]
fn writing_stops_at_the_depth_with_a_path() {
    let value = packord::from_slice::<packord::Value>(b"\x81\xa1a\x92\x01\x91\x91\xc0").unwrap();
    let options = EncodeOptions::new().max_depth(3);
    let mut out = b"before".to_vec();
    let error = options.encode_into(&value, &mut out).unwrap_err();
    assert_eq!(
        (error.kind(), error.path(), error.offset()),
        (ErrorKind::DepthLimit, Some("$.a[1][0]"), None)
    );
    assert_eq!(out, b"before");
    let twice = packord::from_slice::<packord::Value>(b"\x91\x82\xa1b\x01\xa1b\x02").unwrap();
    let error = EncodeOptions::new().canonical(true).encode(&twice).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::DuplicateKey, Some("$[0]")));
}

#[test]
fn a_reader_forgets_what_a_failed_message_defined() {
    let mut decoder = RecordDecoder::new(&DecodeOptions::new().sequential(true));
    assert_eq!(decoder.decode(b"\xd4\x72\x40\x91\xa1a\x01").unwrap()["a"], 1);
    let error = decoder.decode(b"\x92\xd4\x72\x40\x91\xa1b\x01\xc1").unwrap_err();
    assert_eq!(
        (error.kind(), error.offset(), error.path()),
        (ErrorKind::ReservedMarker, Some(8), Some("$[1]"))
    );
    decoder.decode(b"\xd4\x72\x41\x91\xa1c\x01\xc0").unwrap_err();
    assert_eq!(decoder.decode(b"\x40\x02").unwrap()["a"], 2);
    assert_eq!(decoder.decode(b"\x41").unwrap(), 65);
}

#[test]
fn a_writer_forgets_what_a_failed_message_defined() {
    let deep = |key: &str| {
        let entries = [(key, Value::from([("x", Value::from([("y", 1)]))]))];
        Value::from(entries)
    };
    for (shared, own) in [(Some(Structures::new()), 1), (None, 2)] {
        let options = EncodeOptions::new()
            .max_depth(2)
            .sequential(true)
            .max_own_structures(own);
        let make = || match &shared {
            Some(list) => RecordEncoder::with_shared(options.max_shared_structures(1), list.clone()),
            None => RecordEncoder::new(options),
        };
        let (mut encoder, mut control) = (make(), make());
        for round in ["a", "b", "c", "a"] {
            let flat = Value::from([(round, 1)]);
            assert_eq!(encoder.encode(&flat).unwrap(), control.encode(&flat).unwrap());
            let before = encoder.structures().clone();
            assert_eq!(encoder.encode(&deep("deep")).unwrap_err().kind(), ErrorKind::DepthLimit);
            assert_eq!(encoder.structures(), &before);
        }
    }
}

#[test]
fn a_stream_takes_constant_memory_and_linear_time() {
    let message = b"\x82\xa2id\xcd\x01\x2c\xa4name\xa5hello";
    let mut decoder = MessageScanner::new();
    let used = peak(|| {
        for _ in 0..20_000 {
            for chunk in message.chunks(5) {
                decoder.feed(chunk);
                while decoder.next_value().unwrap().is_some() {}
            }
        }
    });
    assert_eq!(decoder.messages(), 20_000);
    assert!(used < 64 << 10, "{used} bytes");

    // One large message byte by byte: a new beginning for each byte would take hours.
    let mut large = vec![0xdd, 0, 4, 0, 0];
    large.extend(b"\xa1x".repeat(0x40000));
    let mut decoder = MessageScanner::new();
    let started = std::time::Instant::now();
    for byte in &large {
        assert!(decoder.next_message().unwrap().is_none());
        decoder.feed(std::slice::from_ref(byte));
    }
    assert_eq!(decoder.next_message().unwrap().unwrap().bytes, large);
    assert!(started.elapsed().as_secs() < 10);
}
