//! Reads a file of messages on all processors: one pass finds where each message ends, and threads
//! read the messages, which are independent of each other.
//!
//! `cargo run --release --example parallel --features serde`

use packord::io::PackWriter;
use packord::{Error, skip_value};
use serde::{Deserialize, Serialize};
use std::num::NonZero;
use std::thread;

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct Event {
    pub(crate) id: u64,
    pub(crate) user: String,
    pub(crate) sizes: Vec<u32>,
}

/// Cuts the bytes into at most `parts` pieces of whole messages, of about the same length.
pub(crate) fn pieces(bytes: &[u8], parts: usize) -> Result<Vec<&[u8]>, Error> {
    let least = bytes.len().div_ceil(parts.max(1));
    let (mut pieces, mut rest) = (Vec::new(), bytes);
    while !rest.is_empty() {
        let mut len = 0;
        while len < least && len < rest.len() {
            len += skip_value(&rest[len..])?;
        }
        let (piece, after) = rest.split_at(len);
        pieces.push(piece);
        rest = after;
    }
    Ok(pieces)
}

/// Reads all messages, in their order.
pub(crate) fn load(bytes: &[u8]) -> Result<Vec<Event>, Error> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let pieces = pieces(bytes, threads)?;
    thread::scope(|scope| {
        let readers: Vec<_> = pieces
            .into_iter()
            .map(|piece| {
                scope.spawn(move || {
                    let mut reader = packord::io::UnpackReader::new(piece);
                    reader.all::<Event>().collect::<Result<Vec<_>, _>>()
                })
            })
            .collect();
        let mut events = Vec::new();
        for reader in readers {
            events.extend(reader.join().expect("reading does not panic")?);
        }
        Ok(events)
    })
}

/// Returns a stream of events.
pub(crate) fn sample(count: u64) -> Result<Vec<u8>, Error> {
    let mut writer = PackWriter::new(Vec::new());
    for id in 0..count {
        writer.write(&Event {
            id,
            user: format!("user {}", id % 1000),
            sizes: (0..id as u32 % 40).map(|n| n * n).collect(),
        })?;
    }
    Ok(writer.into_inner())
}

#[allow(dead_code, reason = "the test of this example has its own")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join(format!("events-{}.msgpack", std::process::id()));
    std::fs::write(&path, sample(200_000)?)?;
    let bytes = std::fs::read(&path)?;
    std::fs::remove_file(&path)?;
    let events = load(&bytes)?;
    println!("{} events of {} bytes", events.len(), bytes.len());
    Ok(())
}
