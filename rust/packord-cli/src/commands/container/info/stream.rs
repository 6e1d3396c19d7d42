//! What is in a container file that is compressed or comes through a pipe: it is read once, without its index.

use packord::container::{ReadOptions, Reader};

use super::contents::{of_blocks, of_header};
use crate::cli;
use crate::container::{CountedReader, header_failure};
use crate::failure::Outcome;
use crate::figures::container::ContainerFigures;
use crate::source::input::Input;

/// Reads an input to its end. Offsets and sizes count its bytes as they are after decompression.
pub fn figures(input: Input, command: &cli::ContainerInfo, options: &ReadOptions) -> Outcome<ContainerFigures> {
    let name = input.name.clone();
    let source = CountedReader::new(input);
    let failure = |error: packord::Error| header_failure(&name, &error);
    let mut reader = Reader::with_options(source, options).map_err(failure)?;
    let mut figures = of_header(reader.header(), &name, 0);
    figures.stream = true;
    of_blocks(&mut reader, None, command.blocks, &mut figures).map_err(failure)?;
    figures.bytes = reader.get_ref().count();
    Ok(figures)
}
