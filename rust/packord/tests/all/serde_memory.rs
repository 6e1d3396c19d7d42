//! Reading takes no more memory than its result needs: counted by the allocator.

use crate::counting::measure;
use packord::{DecodeOptions, Document, Value};
#[track_caller]
fn at_most(slack: f64, read: (isize, isize)) {
    let (result, peak) = read;
    // The stack of open containers and the keys of the error path are a few hundred bytes.
    assert!(
        peak as f64 <= result as f64 * slack + 2048.0,
        "{peak} bytes at once for a result of {result}"
    );
}

fn document() -> Vec<u8> {
    let people: Vec<_> = (0..3000_u32)
        .map(|id| {
            (
                id,
                format!("name {id}"),
                vec![f64::from(id); 5],
                Some(id % 3),
                [(id, "x"), (1, "long string here")],
            )
        })
        .collect();
    packord::serde::to_vec(&people).unwrap()
}

#[test]
fn trees_take_bounded_memory() {
    let bytes = document();
    at_most(1.1, measure(|| packord::from_slice::<packord::Value>(&bytes).unwrap()));
    at_most(1.1, measure(|| DecodeOptions::new().decode_ref(&bytes).unwrap()));
    at_most(1.1, measure(|| packord::serde::from_slice::<Value>(&bytes).unwrap()));
}

#[test]
fn types_take_bounded_memory() {
    type Person = (u32, String, Vec<f64>, Option<u32>, [(u32, String); 2]);
    let bytes = document();
    at_most(
        1.1,
        measure(|| packord::serde::from_slice::<Vec<Person>>(&bytes).unwrap()),
    );
    let bytes = packord::serde::to_vec(&vec![7_u64; 1000]).unwrap();
    let (result, peak) = measure(|| packord::serde::from_slice::<Vec<u64>>(&bytes).unwrap());
    assert_eq!((result, peak), (8000, 8000));
}

/// The index is 16 bytes a value, and at most 64 KiB more while it is made.
#[test]
fn an_index_takes_bounded_memory() {
    let bytes = document();
    let (result, peak) = measure(|| Document::parse(&bytes).unwrap());
    let nodes = Document::parse(&bytes).unwrap().node_count() as isize;
    assert!(nodes > 40_000);
    assert!(result <= nodes * 16 + 2048, "{result} bytes for {nodes} values");
    at_most(1.1, (result, peak));
}

/// At most 40 bytes for each byte of the input, and 1 MB, also where a check makes serde read piece by piece.
#[test]
fn values_take_forty_bytes_for_each_of_the_input() {
    let header = |marker: u8, count: u32| [&[marker][..], &count.to_be_bytes()].concat();
    let count = 1_000_000;
    let messages = [
        [header(0xdd, count), vec![0xc0; count as usize]].concat(),
        [header(0xdd, count), vec![0x80; count as usize]].concat(),
        [header(0xdd, count), vec![0xa0; count as usize]].concat(),
        [header(0xdf, count), vec![0x01; 2 * count as usize]].concat(),
    ];
    for bytes in messages {
        let limited = packord::serde::Config::new().decode_options(DecodeOptions::new().max_array_len(2 * count));
        let most = 40 * bytes.len() as isize + (1 << 20);
        let by_serde = || packord::serde::from_slice::<Value>(&bytes).unwrap();
        for (_, peak) in [
            measure(|| packord::from_slice::<Value>(&bytes).unwrap()),
            measure(by_serde),
            measure(|| limited.from_slice::<Value>(&bytes).unwrap()),
        ] {
            assert!(peak <= most, "{peak} bytes for {}", bytes.len());
        }
    }
}
