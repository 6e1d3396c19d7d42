//! `packord pack`: JSON, CSV, tables of Arrow or diagnostic notation to MessagePack.

use std::io;
use std::path::Path;

use packord::notation::ParseOptions;
use packord::{DecodeOptions, EncodeOptions, RecordEncoder, Structures, ValueRef, generic};

use super::container;
use crate::arrow::{TableFormat, TableReader};
use crate::cli::{self, PackFormat, RowFormat};
use crate::container::is_container;
use crate::failure::{Failure, Outcome};
use crate::json::lines::JsonLines;
use crate::json::parse::JsonReadOptions;
use crate::json::read::JsonReader;
use crate::limits;
use crate::messages::{Checks, Messages};
use crate::output::Output;
use crate::shared;
use crate::source::csv::CsvRows;
use crate::source::input::{Input, files_or_stdin};
use crate::source::recognise;
use crate::terminal::progress::Progress;
use crate::threads::Threads;

/// Packs all files into one stream.
pub fn run(command: &cli::Pack) -> Outcome {
    if command.container {
        let from = match command.from {
            None => RowFormat::Auto,
            Some(PackFormat::Json) => RowFormat::Json,
            Some(PackFormat::Csv) => RowFormat::Csv,
            Some(PackFormat::Msgpack) => RowFormat::Msgpack,
            Some(PackFormat::Arrow) => RowFormat::Arrow,
            Some(PackFormat::Parquet) => RowFormat::Parquet,
            Some(PackFormat::Diag) => {
                let message = "--container cannot be used with --from diag, which sets every byte";
                return Err(Failure::Usage(message.to_owned()));
            }
        };
        return container::create::run_for_pack(command, from);
    }
    let structures = match &command.shared {
        Some(path) => shared::read_or_create(path)?,
        None => Structures::new(),
    };
    let mut output = Output::create(command.out.as_deref())?;
    output.refuse_terminal(command.force)?;
    let progress = Progress::bytes(output.is_terminal());
    let mut packer = MessagePacker::new(command, structures);
    for path in files_or_stdin(&command.files) {
        let flush = output.flusher();
        let open = || {
            let mut input = Input::open(&path, command.as_is, &progress)?;
            input.before_read(flush);
            Ok::<_, Failure>(input)
        };
        let (packer, output) = (&mut packer, &mut output);
        match command.from.unwrap_or(PackFormat::Json) {
            PackFormat::Json => pack_json(open()?, &path, command, packer, output)?,
            PackFormat::Csv => pack_csv(open()?, command, packer, output)?,
            PackFormat::Diag => pack_notation(&mut open()?, command, packer, output)?,
            PackFormat::Msgpack => pack_messages(&path, command, &progress, packer, output)?,
            PackFormat::Arrow => {
                pack_table(open()?, TableFormat::Arrow, command, packer, output)?;
            }
            PackFormat::Parquet => {
                pack_table(open()?, TableFormat::Parquet, command, packer, output)?;
            }
        }
    }
    let mut keys = None;
    if let (
        Some(path),
        MessagePacker {
            records: Some(encoder),
            known,
            ..
        },
    ) = (&command.shared, &packer)
        && (encoder.structures().len() > *known || !path.exists())
    {
        keys = Some(shared::write(path, encoder.structures())?);
    }
    // Both are complete before either gets its name. The keys go first: keys that the data does not
    // use do no harm.
    if let Some(keys) = keys {
        output.flush_now()?;
        keys.commit()?;
    }
    output.commit()
}

fn pack_json(
    mut input: Input,
    path: &Path,
    command: &cli::Pack,
    packer: &mut MessagePacker,
    output: &mut Output,
) -> Outcome {
    let name = input.name.clone();
    let start = input.peek()?;
    if let Some(what) = not_json(path, &start).filter(|_| !command.as_is) {
        let text = format!("it is not JSON but {what}");
        return Err(Failure::input(&name, &io::Error::other(text)));
    }
    let style = JsonReadOptions {
        each: command.each,
        conventions: !command.text.plain,
        bigint: command.text.bigint,
    };
    // The reader of JSON has limited the depth.
    let reading = DecodeOptions::new();
    let mut put = |bytes: &[u8]| {
        if packer.is_plain() {
            return output.put(bytes);
        }
        let value = reading.decode_ref(bytes);
        let bytes = value.and_then(|value| packer.pack(&value));
        output.put(bytes.map_err(|error| Failure::Invalid(format!("{name}: {error}")))?)
    };
    if command.text.skip_bad {
        let mut lines = JsonLines::new(input, style);
        while let Some(values) = lines.next_values()? {
            values.iter().try_for_each(&mut put)?;
        }
        return Ok(());
    }
    let mut values = JsonReader::new(input, style, &Threads::start(Some(1))?);
    while let Some(values) = values.next_values()? {
        values.iter().try_for_each(&mut put)?;
    }
    Ok(())
}

/// Returns what an input is that cannot be JSON, and which option reads it.
fn not_json(path: &Path, start: &[u8]) -> Option<&'static str> {
    if is_container(start) {
        return Some("a container file (--from msgpack reads it)");
    }
    if !recognise::is_text(start) {
        return recognise::foreign(start).filter(|_| !recognise::is_json(start));
    }
    let ending = path.extension()?.to_str()?;
    let is_csv = ["csv", "tsv"].iter().any(|it| it.eq_ignore_ascii_case(ending));
    (is_csv && !recognise::is_json(start)).then_some("CSV (--from csv reads it)")
}

fn pack_csv(input: Input, command: &cli::Pack, packer: &mut MessagePacker, output: &mut Output) -> Outcome {
    let name = input.name.clone();
    let mut rows = CsvRows::new(&name, input, command.text.csv)?.skip_bad(command.text.skip_bad);
    while let Some(row) = rows.next_row()? {
        let bytes = packer.pack(&row);
        output.put(bytes.map_err(|error| Failure::Invalid(format!("{name}: {error}")))?)?;
    }
    Ok(())
}

fn pack_table(
    input: Input,
    format: TableFormat,
    command: &cli::Pack,
    packer: &mut MessagePacker,
    output: &mut Output,
) -> Outcome {
    let name = input.name.clone();
    let mut table = TableReader::open(input, format)?;
    // The rows are this program's own.
    let reading = DecodeOptions::new().columns(true).max_expansion(u32::MAX);
    let mut put = |value: &ValueRef<'_>| {
        let bytes = packer.pack(value);
        output.put(bytes.map_err(|error| Failure::Invalid(format!("{name}: {error}")))?)
    };
    if !command.each {
        let rows = table.all()?;
        return put(&reading.decode_ref(&rows)?);
    }
    while let Some(rows) = table.next_rows()? {
        for row in reading.decode_ref(&rows)?.elements() {
            put(row)?;
        }
    }
    Ok(())
}

fn pack_messages(
    path: &Path,
    command: &cli::Pack,
    progress: &Progress,
    packer: &mut MessagePacker,
    output: &mut Output,
) -> Outcome {
    let reading = cli::Reading {
        as_is: command.as_is,
        ..cli::Reading::default()
    };
    let (mut input, reading) = reading.open(path, false, progress)?;
    input.before_read(output.flusher());
    let name = input.name.clone();
    let options = reading.options(Checks::default())?;
    let mut messages = Messages::new(input, &reading, Checks::default())?;
    let done = messages.for_each(|walk| {
        let bytes = walk.hold_value()?.unwrap_or_default();
        let values = options.decode_ref(bytes)?;
        let mut put = |value: &ValueRef<'_>| output.put(packer.pack(value)?);
        match values.as_array().filter(|_| command.each) {
            Some(elements) => elements.iter().try_for_each(put)?,
            None => put(&values)?,
        }
        Ok(())
    });
    done.map_err(|stop| stop.within(&name))
}

fn pack_notation(input: &mut Input, command: &cli::Pack, packer: &MessagePacker, output: &mut Output) -> Outcome {
    if command.canonical || command.float32 || command.columns || command.each {
        let message =
            "--canonical, --float32, --columns and --each cannot be used with --from diag, which sets every byte";
        return Err(Failure::Usage(message.to_owned()));
    }
    let text = String::from_utf8(input.read_all(limits::INPUT)?).map_err(|error| {
        Failure::Invalid(format!(
            "{}: input is not valid UTF-8 at byte {}",
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

/// The encoder for all values. It reuses its buffer.
struct MessagePacker {
    options: EncodeOptions,
    records: Option<RecordEncoder>,
    /// None of `canonical`, `float32` and `columns` is set.
    plain: bool,
    /// The number of shared structures at the start.
    known: usize,
    buffer: Vec<u8>,
}

impl MessagePacker {
    fn new(command: &cli::Pack, structures: Structures) -> MessagePacker {
        let options = EncodeOptions::new()
            .canonical(command.canonical)
            .float32(command.float32)
            .bigint(command.text.bigint)
            .columns(command.columns)
            .sequential(command.sequential)
            .max_record_keys(command.max_record_keys);
        let known = structures.len();
        let records = if command.shared.is_some() {
            Some(RecordEncoder::with_shared(options.records(true), structures))
        } else if command.records || command.sequential {
            Some(RecordEncoder::new(options.records(true)))
        } else {
            None
        };
        MessagePacker {
            options,
            records,
            plain: !command.canonical && !command.float32 && !command.columns,
            known,
            buffer: Vec::new(),
        }
    }

    /// Returns whether the options change nothing.
    fn is_plain(&self) -> bool {
        self.records.is_none() && self.plain
    }

    fn pack<S, B>(&mut self, value: &generic::Value<S, B>) -> packord::Result<&[u8]>
    where
        S: AsRef<str>,
        B: AsRef<[u8]>,
    {
        self.buffer.clear();
        match &mut self.records {
            Some(encoder) => encoder.encode_into(value, &mut self.buffer)?,
            None => self.options.encode_into(value, &mut self.buffer)?,
        }
        Ok(&self.buffer)
    }
}
