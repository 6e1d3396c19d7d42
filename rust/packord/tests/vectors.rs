//! Every vector of `spec/vectors`, with the checks that its README derives from them.

mod support;

use packord::{DecodeOptions, EncodeOptions, RecordDecoder, RecordEncoder, Structures, Value};
use support::{
    Case, Fault, Options, Part, cases, expand_hex, expected_fault, hex, place, read_all_ways, read_parts, structures,
    value,
};

/// The result of reading, for the derived cases, which state no path.
fn without_path(read: Result<Value, Fault>) -> Result<Value, (String, u64)> {
    read.map_err(|(kind, offset, _)| (kind, offset))
}

/// Written by the same options, one message each.
fn encode(options: &Options, values: &[Value]) -> (Vec<u8>, Structures) {
    let mut out = Vec::new();
    if !options.records {
        for value in values {
            options.encode.encode_into(value, &mut out).unwrap();
        }
        return (out, Structures::new());
    }
    let mut encoder = match &options.shared {
        Some(shared) => RecordEncoder::with_shared(options.encode, shared.clone()),
        None => RecordEncoder::new(options.encode),
    };
    for value in values {
        encoder.encode_into(value, &mut out).unwrap();
    }
    (out, encoder.into_structures())
}

fn every_prefix_is_eof(bytes: &[u8], options: &DecodeOptions, name: &str) {
    let step = if bytes.len() > 2000 { bytes.len() / 97 } else { 1 };
    for end in (0..bytes.len()).step_by(step) {
        assert_eq!(
            without_path(read_all_ways(&bytes[..end], options)),
            Err(("eof".to_owned(), end as u64)),
            "{name}, cut at {end}"
        );
    }
}

/// Equal, and of the same types: float 32 and float 64 of the same number are equal.
fn same(got: &Value, wanted: &Value, name: &str) {
    assert_eq!(got, wanted, "{name}");
    let narrow = |value: &Value| value.to_string().matches("_f32").count();
    assert_eq!(narrow(got), narrow(wanted), "{name}");
}

#[test]
fn valid_vectors_are_read_and_written() {
    let mut skipped = 0;
    for case in cases("valid") {
        let (bytes, options, name) = (case.bytes(), case.options(), &case.name);
        if options.handlers && case.json["default"] != true {
            // The crate has no handlers: such an ext is a value of its own, and keeps its payload
            // where a handler's value packs to the minimal one.
            skipped += 1;
            continue;
        }
        let wanted = value(&case.json["value"]);
        let got = read_all_ways(&bytes, &options.decode).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        if case.json["options"]["float32"] == true {
            // The value was written, and is read back as a float 32 of the same number.
            assert_eq!(got, wanted, "{name}");
        } else {
            same(&got, &wanted, name);
        }

        let (written, _) = encode(&options, std::slice::from_ref(&wanted));
        let default = case.json["default"].as_bool().unwrap();
        if !case.has("options") || default {
            assert_eq!(
                written == bytes,
                default,
                "{name}: wrote {} for {}",
                hex(&written),
                hex(&bytes)
            );
        }
        let again = options
            .decode
            .decode(&written)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again, wanted, "{name}");

        if case.has("canonical") {
            let canonical = EncodeOptions::new().canonical(true).encode(&wanted);
            let strict = DecodeOptions::new().canonical(true);
            let stated = &case.json["canonical"];
            match canonical {
                Err(error) => assert_eq!(error.kind().name(), stated["kind"], "{name}"),
                Ok(written) if *stated == true => assert_eq!(hex(&written), hex(&bytes), "{name}"),
                // It is another encoding; which one is not stated.
                Ok(_) if *stated == false => {}
                Ok(written) => {
                    assert_eq!(hex(&written), hex(&expand_hex(stated)), "{name}");
                    assert!(read_all_ways(&written, &strict).is_ok(), "{name}");
                }
            }
            match read_all_ways(&bytes, &strict) {
                Ok(_) => assert_eq!(*stated, true, "{name}"),
                Err((kind, ..)) => assert!(
                    *stated != true && (kind == "not_canonical" || kind == "duplicate_key"),
                    "{name}: {kind}"
                ),
            }
        }

        if case.json["options"]["trailing"].is_null() {
            every_prefix_is_eof(&bytes, &options.decode, name);
            let mut longer = bytes.clone();
            longer.push(0xc0);
            let trailing = ("trailing_bytes".to_owned(), bytes.len() as u64, "$".to_owned());
            let trailing = Err(trailing);
            assert_eq!(read_all_ways(&longer, &options.decode), trailing, "{name}");
            for times in 1..=2 {
                let stream = bytes.repeat(times);
                let parts = read_parts(&stream, &options.decode, [bytes.len() / 2]);
                assert_eq!(parts, [(vec![wanted.clone(); times], Ok(()))], "{name}");
            }
        }
    }
    assert!(skipped < 200, "{skipped} cases about handlers");
}

#[test]
fn keys_in_paths_have_the_notation_of_floats() {
    let floats: Vec<Case> = cases("valid")
        .into_iter()
        .filter(|case| !case.has("options") && !case.json["value"]["f64"].is_null())
        .collect();
    assert!(floats.len() > 60, "{}", floats.len());
    for case in floats {
        let message = [&[0x81], &case.bytes()[..], &[0xc1]].concat();
        let error = DecodeOptions::new().validate(&message).unwrap_err();
        let notation = case.json["notation"].as_str().unwrap();
        let path = format!("$[key {notation}]");
        assert_eq!(error.path(), Some(&path[..]), "{}", case.name);
    }
}

#[test]
fn invalid_vectors_have_their_kind_offset_and_path() {
    let mut run = 0;
    for case in cases("invalid") {
        let (bytes, options) = (case.bytes(), case.options());
        if options.handlers {
            continue;
        }
        let mut wanted = expected_fault(&case.json["error"]);
        if case.name == "invalid/paths-keys: key 2^64" {
            // The crate keeps what no integer holds as an ext.
            wanted.2 = "$[key ext(66, h'010000000000000000')]".to_owned();
        }
        let read = read_all_ways(&bytes, &options.decode);
        assert_eq!(read, Err(wanted), "{}", case.name);
        run += 1;
    }
    assert!(run > 400, "only {run} cases");
}

/// Checks that the stream has the same result for any chunks.
fn check_stream(bytes: &[u8], options: &DecodeOptions, values: &[Value], end: &Result<(), Fault>, name: &str) {
    check_parts(bytes, options, &[(values.to_vec(), end.clone())], name);
}

fn check_parts(bytes: &[u8], options: &DecodeOptions, parts: &[Part], name: &str) {
    let check = |cuts: Vec<usize>| {
        let shown = format!("{name}, cut at {:?}", &cuts[..cuts.len().min(4)]);
        assert_eq!(read_parts(bytes, options, cuts), parts, "{shown}");
    };
    check(vec![]);
    let long = bytes.len() > 2000;
    for size in if long { vec![1, 7, 4096] } else { vec![1, 2, 3, 7, 64] } {
        check((0..bytes.len()).step_by(size).collect());
    }
    if !long {
        (0..bytes.len()).for_each(|cut| check(vec![cut]));
    }
}

#[test]
fn stream_vectors_are_read_however_they_are_cut() {
    for case in cases("stream") {
        let (bytes, options) = (case.bytes(), case.options());
        if options.handlers {
            continue; // The crate has no handlers.
        }
        let parts: Vec<Part> = std::iter::once(&case.json)
            .chain(case.json["then"].as_array().into_iter().flatten())
            .map(|part| {
                let values = part["values"].as_array().unwrap();
                let end = match &part["end"] {
                    clean if clean == "clean" => Ok(()),
                    error => Err(expected_fault(error)),
                };
                (values.iter().map(value).collect(), end)
            })
            .collect();
        check_parts(&bytes, &options.decode, &parts, &case.name);
    }
}

/// Inputs or values one after another, of which some fail.
fn check_steps(case: &Case) {
    let (options, name) = (case.options(), &case.name);
    let steps = case.json["steps"].as_array().unwrap();
    let mut encoder = match &options.shared {
        Some(shared) => RecordEncoder::with_shared(options.encode, shared.clone()),
        None => RecordEncoder::new(options.encode),
    };
    let mut decoder = RecordDecoder::new(&options.decode);
    let (mut stream, mut values) = (Vec::new(), Vec::new());
    for (number, step) in steps.iter().enumerate() {
        let bytes = step.get("bytes").map(support::expand_hex).unwrap_or_default();
        let failure = step["error"]["kind"].as_str();
        let shown = format!("{name}, step {number}");
        if case.json["encode"] == true {
            let wanted = value(&step["value"]);
            let written = encoder.encode(&wanted);
            assert_eq!(
                written.as_ref().err().map(|error| error.kind().name()),
                failure,
                "{shown}"
            );
            if let Ok(written) = written {
                assert_eq!(hex(&written), hex(&bytes), "{shown}");
                stream.extend(written);
                values.push(wanted);
            }
        } else {
            match (decoder.decode(&bytes), failure) {
                (Ok(got), None) => same(&got, &value(&step["value"]), &shown),
                (Err(error), Some(_)) => {
                    let wanted = expected_fault(&step["error"]);
                    assert_eq!(support::fault(&error), wanted, "{shown}");
                }
                (got, _) => panic!("{shown}: {got:?}"),
            }
        }
    }
    if case.has("shared_after") {
        assert_eq!(*encoder.structures(), structures(&case.json["shared_after"]), "{name}");
    }
    let mut reading = options.decode;
    if options.shared.is_some() {
        reading = reading.shared_structures(encoder.into_structures());
    }
    check_stream(&stream, &reading, &values, &Ok(()), name);
}

#[test]
fn record_vectors_are_read_and_written() {
    for case in cases("records") {
        if case.has("steps") {
            check_steps(&case);
            continue;
        }
        let (bytes, mut options, name) = (case.bytes(), case.options(), &case.name);
        if options.handlers {
            continue; // The crate has no handlers.
        }
        options.records = true;
        options.decode = options.decode.records(true);
        let many = case.has("values");
        let values: Vec<_> = if many {
            case.json["values"].as_array().unwrap().iter().map(value).collect()
        } else {
            case.json.get("value").map(value).into_iter().collect()
        };
        if case.json["encode"] == true {
            let (written, shared) = encode(&options, &values);
            assert_eq!(hex(&written), hex(&bytes), "{name}");
            let after = &case.json["shared_after"];
            if !after.is_null() {
                assert_eq!(shared, structures(after), "{name}");
                options.decode = options.decode.clone().shared_structures(shared);
            }
            check_stream(&bytes, &options.decode, &values, &Ok(()), name);
        } else if case.has("error") {
            let wanted = expected_fault(&case.json["error"]);
            if many {
                check_stream(&bytes, &options.decode, &values, &Err(wanted), name);
            } else {
                assert_eq!(read_all_ways(&bytes, &options.decode), Err(wanted), "{name}");
            }
        } else if many {
            check_stream(&bytes, &options.decode, &values, &Ok(()), name);
        } else {
            let got = read_all_ways(&bytes, &options.decode).unwrap_or_else(|error| panic!("{name}: {error:?}"));
            same(&got, &values[0], name);
            every_prefix_is_eof(&bytes, &options.decode, name);
            check_stream(&bytes, &options.decode, &values, &Ok(()), name);
        }
    }
}

#[test]
fn notation_vectors_are_read_or_refused() {
    use packord::notation::{ParseOptions, parse_with};
    let mut run = 0;
    for case in cases("notation") {
        let (text, options) = (case.json["text"].as_str().unwrap(), case.options());
        let mut reading = ParseOptions::new()
            .records(options.records)
            .sequential(options.sequential);
        if let Some(shared) = &options.shared {
            reading = reading.shared_structures(shared);
        }
        match parse_with(text, &reading) {
            Ok(bytes) => assert_eq!(hex(&bytes), hex(&case.bytes()), "{}", case.name),
            Err(error) => assert_eq!(case.json["refused"], true, "{}: {error}", case.name),
        }
        run += 1;
    }
    assert!(run > 300, "only {run} cases");
}

#[test]
fn hostile_vectors_end_with_their_verdict() {
    // Of a program that is emulated, time says little.
    let emulated = std::env::var_os("PACKORD_EMULATED").is_some();
    let slower = if emulated { 100.0 } else { 1.0 };
    const LARGEST: usize = 32 << 20;
    for case in cases("hostile") {
        let (bytes, options) = (case.bytes(), case.options());
        if bytes.len() > LARGEST || options.handlers {
            continue;
        }
        let started = std::time::Instant::now();
        let got = options.decode.decode(&bytes).map_err(|error| place(&error));
        let seconds = started.elapsed().as_secs_f64();
        let megabytes = bytes.len() as f64 / 1e6;
        assert!(
            seconds < slower * (5.0 + 2.0 * megabytes),
            "{}: {seconds} s for {megabytes} MB",
            case.name
        );
        assert_eq!(
            got.as_ref().err(),
            options.decode.validate(&bytes).map_err(|e| place(&e)).as_ref().err()
        );
        if case.has("error") {
            let error = &case.json["error"];
            let (kind, offset) = got.expect_err(&case.name);
            assert_eq!(error["kind"], kind.as_str(), "{}", case.name);
            assert_eq!(error["offset"], offset, "{}", case.name);
        } else {
            assert!(got.is_ok(), "{}: {:?}", case.name, got.err());
        }
    }
}
