//! A stream has the same values and the same errors however it is cut.

#![no_main]

use libfuzzer_sys::fuzz_target;
use packord::{DecodeOptions, Error, ErrorKind, MessageScanner, Value};

type Fault = (ErrorKind, Option<u64>, Option<String>);

/// The values and faults of a stream.
fn read(pieces: impl Iterator<Item = impl AsRef<[u8]>>, options: &DecodeOptions) -> Vec<Result<Value, Fault>> {
    let mut decoder = MessageScanner::with_options(options);
    let mut found = Vec::new();
    let fault = |error: Error| (error.kind(), error.offset(), error.path().map(str::to_owned));
    for piece in pieces {
        decoder.feed(piece.as_ref());
        while let Some(next) = decoder.next_value().transpose() {
            found.push(next.map_err(fault));
            if decoder.is_over() {
                return found;
            }
        }
    }
    found.extend(decoder.finish().err().map(|error| Err(fault(error))));
    found
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
