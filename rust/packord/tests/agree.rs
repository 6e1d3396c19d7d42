//! All decoders agree on any bytes; a value that was read can be written and read again.

mod support;

#[cfg(feature = "container")]
#[path = "support/containers.rs"]
mod containers;

#[path = "support/damage.rs"]
mod damage;

#[cfg(feature = "container")]
#[path = "support/counting.rs"]
mod counting;

use damage::{Random, corpus, damage};
use packord::{DecodeOptions, DuplicateKey, EncodeOptions, RecordEncoder, Trailing, UnknownExt, Value};
use proptest::prelude::*;
use support::{hex, read_all_ways, read_parts};

/// Options that together reach every check.
fn option_sets() -> Vec<DecodeOptions> {
    // A stream has a limit that calls for one message do not have.
    let base = DecodeOptions::new().max_buffer(u64::MAX);
    let mut shared = packord::Structures::new();
    shared.push(["a", "b"]);
    vec![
        base.clone(),
        base.clone().records(true).duplicate_key(DuplicateKey::Error),
        base.clone().canonical(true).bigint(true),
        base.clone().columns(true),
        base.clone()
            .shared_structures(shared)
            .max_len(9)
            .max_nodes(20)
            .max_depth(3),
        base.unknown_ext(UnknownExt::Error)
            .trailing(Trailing::Allow)
            .utf8(packord::Utf8::Replace),
    ]
}

/// Reads with every decoder, whole and cut, and writes the values again.
fn check(bytes: &[u8], options: &DecodeOptions, cut: usize) {
    let got = read_all_ways(bytes, options);
    let parts = read_parts(bytes, options, [cut.min(bytes.len())]);
    assert_eq!(parts, read_parts(bytes, options, []), "{}", hex(bytes));
    let (values, end) = &parts[0];
    match &got {
        Ok(value) => assert!(bytes.is_empty() || values.first() == Some(value), "{}", hex(bytes)),
        Err((kind, ..)) if kind == "trailing_bytes" => {
            assert!(!values.is_empty(), "{}", hex(bytes));
        }
        Err(fault) => {
            if !bytes.is_empty() {
                assert_eq!((values.len(), end), (0, &Err(fault.clone())), "{}", hex(bytes));
            }
        }
    }
    for value in parts.iter().flat_map(|(values, _)| values) {
        write_again(value);
    }
}

fn write_again(value: &Value) {
    let bytes = packord::to_vec(value).unwrap();
    let same = packord::from_slice::<packord::Value>(&bytes).unwrap();
    assert_eq!(same, *value);
    assert_eq!(packord::to_vec(&same).unwrap(), bytes);
    let text = value.to_string();
    assert_eq!(packord::notation::parse(&text).unwrap(), bytes, "{text}");

    match EncodeOptions::new().records(true).encode(value) {
        Ok(records) => {
            let back = DecodeOptions::new().records(true).decode(&records);
            assert_eq!(back.unwrap(), *value);
        }
        Err(error) => assert_record_ext(value, &error),
    }

    // Keys that occur twice have no canonical encoding.
    if let Ok(canonical) = EncodeOptions::new().canonical(true).encode(value) {
        let strict = DecodeOptions::new().canonical(true).decode(&canonical).unwrap();
        assert_eq!(EncodeOptions::new().canonical(true).encode(&strict).unwrap(), canonical);
    }
}

/// An ext of type 0x72 cannot be told from a definition while records are on, and is refused.
fn assert_record_ext(value: &Value, error: &packord::Error) {
    assert_eq!(error.kind(), packord::ErrorKind::UnsupportedType);
    assert!(value.to_string().contains("ext(114,"), "{value}");
}

#[test]
fn all_readers_agree_on_short_inputs() {
    for options in option_sets() {
        read_all_ways(&[], &options).unwrap_err();
        for first in 0..=255 {
            check(&[first], &options, 0);
            for second in 0..=255 {
                check(&[first, second], &options, 1);
            }
        }
    }
    let options = option_sets();
    for number in (0..1_u32 << 24).step_by(499) {
        let bytes = &number.to_be_bytes()[1..];
        check(
            bytes,
            &options[number as usize % options.len()],
            1 + number as usize % 2,
        );
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-200_i64..300).prop_map(Value::from),
        any::<u32>().prop_map(|bits| Value::F32(f32::from_bits(bits))),
        any::<u64>().prop_map(|bits| Value::F64(f64::from_bits(bits))),
        any::<f64>().prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(Value::from),
        (any::<i8>(), prop::collection::vec(any::<u8>(), 0..20))
            .prop_filter("timestamps have a variant of their own", |(kind, _)| *kind != -1)
            .prop_map(|(kind, payload)| packord::Ext::new(kind, &payload).into()),
        (any::<i64>(), 0..1_000_000_000_u32)
            .prop_map(|(seconds, nanos)| { packord::Timestamp::new(seconds, nanos).unwrap().into() }),
    ];
    leaf.prop_recursive(6, 120, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..20).prop_map(Value::from),
            prop::collection::vec((inner.clone(), inner.clone()), 0..18).prop_map(Value::from),
            prop::collection::vec(("[a-d]{1,2}", inner), 0..18).prop_map(|entries| {
                entries
                    .into_iter()
                    .map(|(key, value)| (Value::from(key), value))
                    .collect::<Vec<_>>()
                    .into()
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_read_back_as_they_were_written(value in any_value()) {
        write_again(&value);
        let bytes = packord::to_vec(&value).unwrap();
        prop_assert_eq!(&value.clone(), &value);
        prop_assert_eq!(packord::skip_value(&bytes).unwrap(), bytes.len());
        prop_assert_eq!(&read_all_ways(&bytes, &DecodeOptions::new()).unwrap(), &value);
        let mut space = vec![0; bytes.len()];
        prop_assert_eq!(EncodeOptions::new().encode_to_slice(&value, &mut space).unwrap(), bytes.len());
        prop_assert_eq!(&space, &bytes);
        if let Some(less) = space.len().checked_sub(1) {
            let error = EncodeOptions::new().encode_to_slice(&value, &mut space[..less]).unwrap_err();
            prop_assert_eq!(error.kind().name(), "buffer_full");
        }
    }

    #[test]
    fn the_order_of_entries_does_not_matter(value in any_value()) {
        if let (Some(map), Ok(_)) = (value.as_map(), EncodeOptions::new().canonical(true).encode(&value)) {
            let mut entries = map.clone().into_vec();
            entries.reverse();
            prop_assert_eq!(Value::from(entries), value);
        }
    }

    #[test]
    fn shared_structures_read_back_what_was_written(values in prop::collection::vec(any_value(), 1..6), own in 0..4_u16, sequential: bool) {
        let options = EncodeOptions::new().max_shared_structures(3).max_own_structures(own).sequential(sequential);
        let mut encoder = RecordEncoder::with_shared(options, packord::Structures::new());
        let mut stream = Vec::new();
        let mut written = Vec::new();
        for value in values {
            match encoder.encode_into(&value, &mut stream) {
                Ok(()) => written.push(value),
                Err(error) => assert_record_ext(&value, &error),
            }
        }
        let reading = DecodeOptions::new().shared_structures(encoder.into_structures()).sequential(sequential);
        prop_assert_eq!(read_parts(&stream, &reading, [stream.len() / 2]), [(written, Ok(()))]);
    }

    #[test]
    fn all_readers_agree_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..60), cut in 0..60_usize) {
        for options in option_sets() {
            check(&bytes, &options, cut);
        }
    }
}

/// Calls a check again and again, for `PACKORD_FUZZ_SECONDS` (5 if not set).
fn for_a_while(mut check: impl FnMut(&mut Random)) {
    let seconds = std::env::var("PACKORD_FUZZ_SECONDS").map_or(5, |text| text.parse().expect("a number of seconds"));
    let seed = std::env::var("PACKORD_FUZZ_SEED").map_or(0x5eed, |text| text.parse().expect("a number"));
    let mut random = Random(seed);
    let start = std::time::Instant::now();
    let mut rounds = 0_u64;
    // A busy machine may have no time for a hundred in these seconds.
    while start.elapsed().as_secs() < seconds || (rounds < 100 && seconds > 0) {
        for _ in 0..20 {
            check(&mut random);
            rounds += 1;
        }
    }
    println!("{rounds} damaged inputs from seed {seed}");
}

#[test]
fn all_readers_agree_on_damaged_vectors() {
    let corpus = corpus(&["valid", "invalid", "stream", "records", "hostile"], 600);
    let options = option_sets();
    for_a_while(|random| {
        let mut bytes = corpus[random.below(corpus.len())].clone();
        damage(&mut bytes, &corpus, random);
        let cut = random.below(bytes.len());
        check(&bytes, &options[random.below(options.len())], cut);
    });
}

/// Files, and bodies of blocks, are read in every way within bounded memory.
#[cfg(feature = "container")]
#[test]
fn all_readers_agree_on_damaged_container_files() {
    let files = corpus(&["container"], 2000);
    let bodies = corpus(&["valid", "invalid", "stream", "records", "columns"], 600);
    for_a_while(|random| {
        let corpus = [&files, &bodies][random.below(2)];
        let mut bytes = corpus[random.below(corpus.len())].clone();
        damage(&mut bytes, corpus, random);
        let is_body = u8::from(std::ptr::eq(corpus, &raw const bodies));
        let first = random.below(128) as u8 * 2 + is_body;
        let choice = containers::Choice::new([first, random.below(256) as u8]);
        #[cfg(feature = "container-parallel")]
        let has_threads = random.below(16) == 0;
        let outcome = std::panic::catch_unwind(|| {
            let (_, peak) = counting::measure(|| containers::check(choice, &bytes));
            let most = (8 << 20) + 64 * choice.max_block();
            assert!((peak as u64) < most, "{peak} bytes of memory");
            #[cfg(feature = "container-parallel")]
            if has_threads {
                check_threads(choice, &containers::with_right_checksums(&bytes));
            }
        });
        assert!(outcome.is_ok(), "{choice:?}: {}", hex_of(&bytes));
    });
}

/// Reading ahead on threads returns what one thread does.
#[cfg(feature = "container-parallel")]
fn check_threads(choice: containers::Choice, file: &[u8]) {
    use packord::container::{OnBadBlock, Reader};
    use std::io::Cursor;
    for mode in [OnBadBlock::Error, OnBadBlock::Skip] {
        let options = choice.options().on_bad_block(mode);
        let [alone, ahead] = [1, 2].map(|threads| {
            let options = options.clone().threads(threads);
            let seekable = Reader::seekable(Cursor::new(file), &options);
            let stream = Reader::with_options(file, &options);
            [containers::read(seekable), containers::read(stream)]
        });
        assert_eq!(alone, ahead);
    }
}

/// All of the bytes, to repeat a failure.
#[cfg(feature = "container")]
fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The sixth value of a block ends beyond the limit, in bytes that are in the window or not yet.
#[cfg(feature = "container")]
#[test]
fn a_value_beyond_the_limit_of_blocks_is_refused_however_its_bytes_come() {
    let file = support::unhex(
        "94a77061636b6f72640182a473796e63c410000102030405060708090a0b0c0d0e0fa5636f646563a46e6f6e65cedc8f4b58d85d0001\
         02030405060708090a0b0c0d0e0f95010cc0935050ce5f6e17a1c4509c81a16182a16201a163920281a1640381a1619201029c0181a1\
         61040505050505050505050584a05508a3612e6209a1300a010b01c0a16181000981a1618081a230300cd4056181a2c3a981a3782079\
         0dd85d000102030405060708090a0b0c0d0e0f94a5696e64657801919432700cc081a5636f756e740cc7636b6f72640182a473796e63\
         c410000102030405060708090a0b0c0d0e0fa5636f646563a46e6f6e65cedc8f4b58d85d000102030405060708090a0b0c0d0e0f9801\
         01c0930505cebd71eecac4059181a16101c4a178920180d85d000102030405060708090a0b0c0d0e0fdc00110101c0930202cec7fe94\
         2ac4029102010101010101010101010101d85d000102030405060708090a0b0c0d0e0f96a5696e646578019296322b0181a161950001\
         01c00501c0965d3001c001c084a5636f756e7402a6736368656d6181a1619391a3696e74c305a56f7468657201a1210205c0c70c5d00\
         0000000000008d30e28f4c0c5d00000000000000a2d1fadae5",
    );
    containers::check_file(
        containers::Choice::new([194, 212]),
        &containers::with_right_checksums(&file),
    );
}
