//! A stream has the same values and the same error however it is cut.

#![no_main]

use libfuzzer_sys::fuzz_target;
use packord::{DecodeOptions, Error, ErrorKind, MessageScanner, Value};

fn read(
    pieces: impl Iterator<Item = impl AsRef<[u8]>>,
    options: &DecodeOptions,
) -> (Vec<Value>, Option<(ErrorKind, Option<u64>)>) {
    let mut decoder = MessageScanner::with_options(options);
    let mut values = Vec::new();
    let fault = |error: Error| Some((error.kind(), error.offset()));
    for piece in pieces {
        decoder.feed(piece.as_ref());
        loop {
            match decoder.next_value() {
                Ok(Some(value)) => values.push(value),
                Ok(None) => break,
                Err(error) => return (values, fault(error)),
            }
        }
    }
    (values, decoder.finish().err().and_then(fault))
}

fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else {
        return;
    };
    let options = DecodeOptions::new()
        .records(choice & 1 != 0)
        .sequential(choice & 2 != 0)
        .columns(choice & 8 != 0);
    let options = if choice & 4 != 0 {
        options.max_buffer(16)
    } else {
        options
    };
    let whole = read(std::iter::once(bytes), &options);
    let size = usize::from(choice >> 4).max(1);
    assert_eq!(read(bytes.chunks(size), &options), whole);
});
