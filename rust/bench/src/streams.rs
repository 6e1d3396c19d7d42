//! Streams of messages in chunks: decoding each message into a tree as soon as it is whole.

use crate::measure::{Report, contender};
use packord::MessageScanner;
use packord::io::UnpackReader;
use rand::Rng;
use rand::rngs::StdRng;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::hint::black_box;
use std::io::{BufReader, Read};

/// Number of bytes that a peer reads at once.
const BUFFER: usize = 64 << 10;

/// Bytes in chunks that end at `ends`.
struct Chunks<'b> {
    bytes: &'b [u8],
    at: usize,
    ends: &'b [usize],
}

impl<'b> Chunks<'b> {
    fn new(bytes: &'b [u8], ends: &'b [usize]) -> Chunks<'b> {
        Chunks { bytes, at: 0, ends }
    }
}

/// Reads the next chunk, or as much of it as there is space for.
impl Read for Chunks<'_> {
    fn read(&mut self, space: &mut [u8]) -> std::io::Result<usize> {
        let Some((&end, ends)) = self.ends.split_first() else {
            return Ok(0);
        };
        let read = (&self.bytes[self.at..end]).read(space)?;
        self.at += read;
        if self.at == end {
            self.ends = ends;
        }
        Ok(read)
    }
}

fn fed(bytes: &[u8], ends: &[usize]) -> packord::Result<usize> {
    let (mut decoder, mut count, mut begin) = (MessageScanner::new(), 0, 0);
    for &end in ends {
        decoder.feed(&bytes[begin..end]);
        begin = end;
        while let Some(value) = decoder.next_value()? {
            drop(black_box(value));
            count += 1;
        }
    }
    decoder.finish().map(|()| count)
}

fn read(bytes: &[u8], ends: &[usize]) -> packord::Result<usize> {
    let mut reader = UnpackReader::new(Chunks::new(bytes, ends));
    let mut count = 0;
    while let Some(value) = reader.next_value()? {
        drop(black_box(value));
        count += 1;
    }
    Ok(count)
}

/// rmpv cannot tell the end of the stream from an end within a message, so it gets the number of
/// messages.
fn read_rmpv(bytes: &[u8], ends: &[usize], count: usize) -> usize {
    let mut reader = BufReader::with_capacity(BUFFER, Chunks::new(bytes, ends));
    (0..count)
        .map_while(|_| rmpv::decode::read_value(&mut reader).ok())
        .map(black_box)
        .count()
}

fn read_rmp_serde(bytes: &[u8], ends: &[usize], count: usize) -> usize {
    let reader = BufReader::with_capacity(BUFFER, Chunks::new(bytes, ends));
    let mut deserializer = rmp_serde::Deserializer::new(reader);
    (0..count)
        .map_while(|_| Json::deserialize(&mut deserializer).ok())
        .map(black_box)
        .count()
}

/// Events, each of about this number of bytes.
fn events(random: &mut StdRng, size: usize, count: usize) -> (Vec<Json>, Vec<u8>) {
    let mut bytes = Vec::new();
    let events: Vec<Json> = (0..count)
        .map(|id| {
            let lines: Vec<Json> = (0..(size / 80).max(1))
                .map(|line| {
                    json!({
                        "line": line, "word": crate::word(random), "ok": random.random_bool(0.9),
                        "at": random.random::<u32>(), "share": random.random::<f64>(),
                        "more": (0..random.random_range(0..3)).map(|_| crate::word(random)).collect::<Vec<_>>(),
                    })
                })
                .collect();
            json!({ "id": id, "lines": lines })
        })
        .collect();
    for event in &events {
        bytes.extend(packord::serde::to_vec(event).unwrap());
    }
    (events, bytes)
}

/// Small and large messages, in chunks of the sizes of files and sockets, cut anywhere.
pub fn streams(report: &mut Report, random: &mut StdRng) -> Result<(), Box<dyn std::error::Error>> {
    for (name, size, count) in [("100 B", 100, 5000), ("100 kB", 100_000, 8)] {
        let (events, bytes) = events(random, size, count);
        let values: Vec<packord::Value> = UnpackReader::new(&bytes[..]).values().collect::<Result<_, _>>()?;
        for (value, event) in values.iter().zip(&events) {
            assert_eq!(serde_json::to_value(value)?, *event);
        }
        let whole: Vec<usize> = (1..=bytes.len()).filter(|end| end % BUFFER == 0).collect();
        let mut anywhere = vec![random.random_range(1..4000)];
        while anywhere[anywhere.len() - 1] < bytes.len() {
            anywhere.push(anywhere[anywhere.len() - 1] + random.random_range(1..4000));
        }
        for (cut, mut ends) in [("chunks of 64 KiB", whole), ("cut anywhere", anywhere)] {
            ends.retain(|&end| end < bytes.len());
            ends.push(bytes.len());
            assert_eq!(fed(&bytes, &ends)?, count);
            assert_eq!(read(&bytes, &ends)?, count);
            assert_eq!(read_rmpv(&bytes, &ends, count), count);
            assert_eq!(read_rmp_serde(&bytes, &ends, count), count);
            report.row(
                &format!("streams {name} each, {cut}"),
                vec![
                    contender("packord", || fed(black_box(&bytes), &ends)),
                    contender("rmpv", || read_rmpv(black_box(&bytes), &ends, count)),
                    contender("rmp-serde json", || read_rmp_serde(black_box(&bytes), &ends, count)),
                ],
            );
            report.row(
                &format!("streams {name} each, reader, {cut}"),
                vec![
                    contender("packord", || read(black_box(&bytes), &ends)),
                    contender("rmpv", || read_rmpv(black_box(&bytes), &ends, count)),
                    contender("rmp-serde json", || read_rmp_serde(black_box(&bytes), &ends, count)),
                ],
            );
        }
    }
    Ok(())
}
