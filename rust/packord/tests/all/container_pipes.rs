//! A container file that comes through a pipe is read as it comes.

use packord::Value;
use packord::container::{Reader, WriteOptions, Writer};
use std::io::{self, Read};

/// Returns bytes a piece at a time, and an error where a program would wait.
struct Pipe<'a> {
    bytes: &'a [u8],
    piece: usize,
}

impl Read for Pipe<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty() {
            return Err(io::Error::other("nothing more has come"));
        }
        let count = self.piece.min(buffer.len()).min(self.bytes.len());
        let (piece, rest) = self.bytes.split_at(count);
        buffer[..count].copy_from_slice(piece);
        self.bytes = rest;
        Ok(count)
    }
}

#[test]
fn a_block_is_returned_when_its_last_byte_has_come() {
    let mut writer = Writer::new(Vec::new(), &WriteOptions::new().block_rows(10)).unwrap();
    for id in 0..30 {
        writer.write(&Value::from([("id", id)])).unwrap();
    }
    let file = writer.finish().unwrap();
    let mut ends = Vec::new();
    let mut reader = Reader::new(&file[..]).unwrap();
    while let Some(block) = reader.next_stored().unwrap() {
        ends.push((block.offset() + block.size()) as usize);
    }
    for piece in [1, 7, 1000] {
        for (number, &end) in ends.iter().enumerate() {
            let bytes = &file[..end];
            let mut reader = Reader::new(Pipe { bytes, piece }).unwrap();
            for _ in 0..=number {
                assert_eq!(reader.next_rows().unwrap().unwrap().len(), 10);
            }
            assert!(reader.next_rows().is_err());
        }
    }
}
