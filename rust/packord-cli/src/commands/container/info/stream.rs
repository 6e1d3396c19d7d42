//! What is in a container file that is compressed or comes through a pipe: it is read once, without its index.

use std::io::{self, Read};

use packord::container::{ReadOptions, Reader};

use super::contents::{of_blocks, of_header};
use crate::cli;
use crate::container::header_failure;
use crate::failure::Outcome;
use crate::figures::container::ContainerFigures;
use crate::input::Input;
use crate::style;

/// Reads an input to its end. Offsets and sizes count its bytes as they are after decompression.
pub fn figures(
    input: Input,
    command: &cli::ContainerInfo,
    options: &ReadOptions,
) -> Outcome<ContainerFigures> {
    let name = input.name.clone();
    let len = input.len.unwrap_or(0);
    let source = CountedReader {
        source: input,
        count: 0,
    };
    let failure = |error: packord::Error| header_failure(&name, &error);
    let mut reader = Reader::with_options(source, options).map_err(failure)?;
    let mut figures = of_header(reader.header(), &name, len as u64);
    figures.stream = true;
    if command.quick {
        style::warn(&format!(
            "{name} is compressed or a pipe: without --quick its blocks are read"
        ));
        return Ok(figures);
    }
    of_blocks(&mut reader, None, command.blocks, &mut figures).map_err(failure)?;
    figures.bytes = reader.get_ref().count;
    Ok(figures)
}

/// Counts the bytes that are read.
struct CountedReader<R> {
    source: R,
    count: u64,
}

impl<R: Read> Read for CountedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.count += count as u64;
        Ok(count)
    }
}
