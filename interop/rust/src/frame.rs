//! Frames: a length, then a header in JSON and items of bytes.

use serde_json::Value as Json;
use std::io::{self, ErrorKind, Read, Write};

/// A request of the runner.
pub struct Request {
    pub header: Json,
    pub items: Vec<Vec<u8>>,
}

impl Request {
    /// Reads the next request; returns `None` at the end of the input.
    pub fn read(input: &mut impl Read) -> io::Result<Option<Request>> {
        let mut length = [0; 4];
        match input.read_exact(&mut length) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            other => other?,
        }
        let mut items = Vec::new();
        let mut left = u64::from(u32::from_be_bytes(length));
        while left > 0 {
            input.read_exact(&mut length)?;
            let size = u32::from_be_bytes(length);
            let mut item = vec![0; size as usize];
            input.read_exact(&mut item)?;
            left -= 4 + u64::from(size);
            items.push(item);
        }
        let header = serde_json::from_slice(&items.remove(0))?;
        Ok(Some(Request { header, items }))
    }
}

/// The response: an outcome for each item.
#[derive(Default)]
pub struct Response(Vec<u8>);

impl Response {
    /// Adds bytes, or an error in words.
    pub fn push(&mut self, outcome: Result<Vec<u8>, String>) {
        let (status, bytes) = match outcome {
            Ok(bytes) => (0, bytes),
            Err(words) => (1, words.into_bytes()),
        };
        self.0.push(status);
        self.0.extend((bytes.len() as u32).to_be_bytes());
        self.0.extend(bytes);
    }

    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        output.write_all(&(self.0.len() as u32).to_be_bytes())?;
        output.write_all(&self.0)
    }
}
