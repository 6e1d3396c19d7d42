//! Cases with a message to be read, and messages that are written again as the same bytes.

use super::support::{cases, expand_hex, expected_fault, fault, hex, value};
use super::{FACES, with_stack};
use packord::{DecodeOptions, EncodeOptions, Packable, Unpackable, Value};
use proptest::prelude::*;

#[test]
fn messages_are_read_as_the_vectors_say() {
    with_stack(read);
}

fn read() {
    let mut run = 0;
    for case in cases("defaults") {
        if case.json.get("write").is_some() || case.has("options") {
            continue;
        }
        let languages = &case.json["languages"];
        if languages.is_array() && !FACES.iter().any(|face| face.is_in(&case, "languages")) {
            continue;
        }
        run += 1;
        let bytes = case.bytes();
        let read = DecodeOptions::new().decode(&bytes);
        let by_serde = packord::from_slice::<Value>(&bytes);
        let by_derive = Value::unpack(&bytes);
        if case.has("error") {
            let wanted = expected_fault(&case.json["error"]);
            for error in [read, by_serde, by_derive].map(Result::unwrap_err) {
                assert_eq!(fault(&error), wanted, "{}", case.name);
            }
            continue;
        }
        for face in FACES {
            let own = case.json["instead"].get(face.name()).is_some()
                || case.json["except"].get(face.name()).is_some()
                || case.json["kinds"].get(face.name()).is_some();
            assert!(!own, "{}: Rust reads what the bytes say", case.name);
        }
        let wanted = value(&case.json["value"]);
        let again = match &case.json["again"] {
            again if *again == true => bytes,
            again => expand_hex(again),
        };
        assert_eq!(packord::to_vec(&wanted).unwrap(), again, "{}", case.name);
        // `spec/format.md` section 7: a type of maps that can hold a key twice keeps both entries. A lookup
        // finds the last one, so that the value is equal to the one that is expected.
        let keeps_both = case.name.contains("read-duplicates") && case.json["again"] != true;
        for found in [read, by_serde, by_derive].map(Result::unwrap) {
            if keeps_both {
                let written = packord::to_vec(&found).unwrap();
                assert!(written.len() > again.len(), "{}", case.name);
                assert_eq!(found, wanted, "{}", case.name);
                continue;
            }
            // Bits of NaN and the order of entries are in the bytes.
            let written = packord::to_vec(&found).unwrap();
            assert_eq!(hex(&written), hex(&again), "{}", case.name);
            assert_eq!(found.pack_to_vec(), again, "{}", case.name);
        }
    }
    assert!(run > 150, "only {run} cases");
}

/// The messages of `valid/` that a default writer writes. No exception of `spec/format.md` section 7 is
/// one of a `Value`, so there is no list of them.
fn minimal() -> Vec<Vec<u8>> {
    let cases = cases("valid").into_iter();
    cases
        .filter(|case| !case.has("options") && case.json["default"] == true)
        .map(|case| case.bytes())
        .collect()
}

fn written_again(bytes: &[u8]) {
    let value = DecodeOptions::new().decode(bytes).unwrap();
    assert_eq!(hex(&EncodeOptions::new().encode(&value).unwrap()), hex(bytes));
    assert_eq!(packord::to_vec(&value).unwrap(), bytes);
    assert_eq!(value.pack_to_vec(), bytes);
    assert_eq!(packord::from_slice::<Value>(bytes).unwrap(), value);
}

#[test]
fn minimal_messages_are_written_as_they_were() {
    with_stack(|| {
        let messages = minimal();
        assert!(messages.len() > 700, "only {} messages", messages.len());
        for message in &messages {
            written_again(message);
        }
    });
}

/// How many cases are generated, each of several messages.
fn many() -> u32 {
    match std::env::var_os("PACKORD_EXHAUSTIVE") {
        Some(_) => 100_000,
        None => 3000,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(many()))]
    /// Messages of the vectors, in containers of any shape.
    #[test]
    fn generated_messages_are_written_as_they_were(
        picks in proptest::collection::vec(any::<prop::sample::Index>(), 1..40),
        forks in proptest::collection::vec((0..4_usize, any::<bool>()), 1..20),
    ) {
        thread_local!(static SHORT: Vec<Vec<u8>> = {
            let mut short = minimal();
            short.retain(|message| message.len() < 40);
            short
        });
        let mut parts: Vec<Vec<u8>> = SHORT.with(|short| {
            picks.iter().map(|pick| pick.get(short).clone()).collect()
        });
        for (count, is_map) in forks {
            let count = count.min(parts.len() / if is_map { 2 } else { 1 });
            let mut header = vec![if is_map { 0x80 } else { 0x90 } | count as u8];
            let taken = if is_map { 2 * count } else { count };
            let mut taken: Vec<Vec<u8>> = parts.drain(..taken).collect();
            if is_map {
                // A key that occurs twice would be kept once.
                for (at, part) in taken.iter_mut().enumerate().step_by(2) {
                    *part = [vec![0x92, at as u8], std::mem::take(part)].concat();
                }
            }
            header.extend(taken.concat());
            parts.push(header);
        }
        for message in parts {
            written_again(&message);
        }
    }
}
