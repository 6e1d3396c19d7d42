//! `packord pack`: text to MessagePack.

use packord::notation::ParseOptions;
use packord::{EncodeOptions, RecordEncoder, Structures, Value};

use crate::cli::{self, TextFormat};
use crate::failure::{Failure, Outcome};
use crate::input::{Input, files_or_stdin};
use crate::json::read::{Style, Values};
use crate::output::Output;
use crate::progress::Progress;
use crate::shared;

/// Packs all files into one stream.
pub fn run(command: &cli::Pack) -> Outcome {
    let structures = match &command.shared {
        Some(path) => shared::read_or_begin(path)?,
        None => Structures::new(),
    };
    let mut output = Output::create(command.out.as_deref())?;
    let progress = Progress::bytes(output.is_terminal());
    let mut packer = Packer::new(command, structures);
    for path in files_or_stdin(&command.files) {
        let mut input = Input::open(&path, command.as_is, &progress)?;
        match command.from {
            TextFormat::Json => pack_json(input, command, &mut packer, &mut output)?,
            TextFormat::Diag => pack_notation(&mut input, command, &packer, &mut output)?,
        }
    }
    // Data that needs structures which no file has would be lost, so the structures come first.
    if let (
        Some(path),
        Packer {
            records: Some(encoder),
            known,
            ..
        },
    ) = (&command.shared, &packer)
    {
        if encoder.structures().len() > *known || !path.exists() {
            shared::write(path, encoder.structures())?;
        }
    }
    output.commit()
}

fn pack_json(
    input: Input,
    command: &cli::Pack,
    packer: &mut Packer,
    output: &mut Output,
) -> Outcome {
    let name = input.name.clone();
    let style = Style {
        each: command.each,
        conventions: !command.plain,
        bigint: command.bigint,
    };
    let mut values = Values::new(&name, input, style)?;
    while let Some(value) = values.next_value()? {
        let bytes = packer
            .pack(&value)
            .map_err(|error| Failure::Invalid(format!("{name}: {error}")))?;
        output.put(bytes)?;
    }
    Ok(())
}

fn pack_notation(
    input: &mut Input,
    command: &cli::Pack,
    packer: &Packer,
    output: &mut Output,
) -> Outcome {
    if command.canonical || command.float32 || command.each {
        let message = "diagnostic notation says every byte: --canonical, --float32 and --each do not go with it";
        return Err(Failure::Usage(message.to_owned()));
    }
    let text = String::from_utf8(input.read_all()?).map_err(|error| {
        Failure::Invalid(format!(
            "{}: invalid UTF-8 at byte {}",
            input.name,
            error.utf8_error().valid_up_to()
        ))
    })?;
    let mut options = ParseOptions::new()
        .records(packer.records.is_some())
        .sequential(command.sequential);
    if let (Some(encoder), Some(_)) = (&packer.records, &command.shared) {
        options = options.shared_structures(encoder.structures());
    }
    let bytes = packord::notation::parse_with(&text, &options)
        .map_err(|error| Failure::Invalid(format!("{}: {error}", input.name)))?;
    output.put(&bytes)
}

/// The encoder for all values, with a buffer that each message uses again.
struct Packer {
    options: EncodeOptions,
    records: Option<RecordEncoder>,
    /// How many shared structures there were at the beginning.
    known: usize,
    buffer: Vec<u8>,
}

impl Packer {
    fn new(command: &cli::Pack, structures: Structures) -> Packer {
        let options = EncodeOptions::new()
            .canonical(command.canonical)
            .float32(command.float32)
            .bigint(command.bigint)
            .sequential(command.sequential)
            .max_record_keys(command.max_record_keys);
        let known = structures.len();
        let records = if command.shared.is_some() {
            Some(RecordEncoder::with_shared(
                options.records(true),
                structures,
            ))
        } else if command.records || command.sequential {
            Some(RecordEncoder::new(options.records(true)))
        } else {
            None
        };
        Packer {
            options,
            records,
            known,
            buffer: Vec::new(),
        }
    }

    fn pack(&mut self, value: &Value) -> packord::Result<&[u8]> {
        self.buffer.clear();
        match &mut self.records {
            Some(encoder) => encoder.encode_into(value, &mut self.buffer)?,
            None => self.options.encode_into(value, &mut self.buffer)?,
        }
        Ok(&self.buffer)
    }
}
