//! `packord diff`: the differences between two packed files.

mod align;

use std::collections::HashMap;
use std::convert::Infallible;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use packord::document::{Node, NodeKey};
use packord::encode::Packer;
use packord::wire::marker;
use packord::{DecodeOptions, MessageScanner, RecordHead, Structure, Token, Walker, record};

use crate::cli::{self, Utf8Mode};
use crate::failure::{Failure, Outcome};
use crate::figures::units::counted;
use crate::messages::Checks;
use crate::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::style::{self, Painted};
use crate::values::path;
use align::{Features, Side, Step, align};

/// Maximum characters of a value that are shown.
const SHOWN: usize = 60;
/// Elements or entries of a value that decide which other value it is compared with.
const FEATURES: usize = 32;

/// Compares message by message.
pub fn run(command: &cli::Diff) -> Outcome {
    if command.a.as_os_str() == "-" && command.b.as_os_str() == "-" {
        return Err(Failure::Usage("only one of the files can be standard input".to_owned()));
    }
    let progress = Progress::bytes(false);
    let mut reading = reading(command);
    let a = PackedFile::read(&command.a, &mut reading, &progress)?;
    let b = PackedFile::read(&command.b, &mut reading, &progress)?;
    let mut output = Output::create(None)?;
    let mut view = Comparison {
        output: &mut output,
        colour: false,
        command,
        has_records: reading.has_records(),
        differences: 0,
        hasher: RandomState::new(),
    };
    view.colour = view.output.has_colours();
    let options = reading.options(Checks::default())?;
    view.messages(&a, &b, &options)?;
    let differences = view.differences;
    output.commit()?;
    if differences == 0 {
        Ok(())
    } else {
        Err(Failure::AlreadyReported(1))
    }
}

/// Returns the options to read with: strings that are not UTF-8 are compared by their bytes.
fn reading(command: &cli::Diff) -> cli::Reading {
    let mut reading = command.reading.clone();
    if reading.utf8 == Utf8Mode::Replace {
        reading.utf8 = Utf8Mode::Raw;
    }
    reading
}

/// A file in memory, and the ranges of its messages.
struct PackedFile {
    bytes: Vec<u8>,
    messages: Vec<std::ops::Range<usize>>,
}

impl PackedFile {
    /// Reads a file. If it has records, they are on for both files.
    fn read(path: &Path, reading: &mut cli::Reading, progress: &Progress) -> Outcome<PackedFile> {
        let (mut input, found) = reading.open(path, false, progress)?;
        reading.records = found.records;
        let bytes = input.read_all(reading.max_message)?;
        let mut decoder = MessageScanner::with_options(&reading.options(Checks::default())?);
        decoder.feed(&bytes);
        let mut messages = Vec::new();
        let mut unfolded = Vec::new();
        let mut split = || -> packord::Result<()> {
            if reading.sequential {
                while let Some(walker) = decoder.next_walker()? {
                    let start = unfolded.len();
                    stand_alone(walker, &mut unfolded)?;
                    messages.push(start..unfolded.len());
                }
            }
            while let Some(message) = decoder.next_message()? {
                let start = message.offset as usize;
                messages.push(start..start + message.bytes.len());
            }
            decoder.finish()
        };
        split().map_err(|error| Failure::from(error).within(&input.name))?;
        let bytes = if reading.sequential { unfolded } else { bytes };
        Ok(PackedFile { bytes, messages })
    }

    fn message(&self, number: usize) -> &[u8] {
        &self.bytes[self.messages[number].clone()]
    }
}

/// Copies a message, and adds the definitions from earlier messages that it uses.
fn stand_alone(mut walker: Walker<'_>, bytes: &mut Vec<u8>) -> packord::Result<()> {
    let mut defined: HashMap<u16, Structure> = HashMap::new();
    while let Some(event) = walker.next()? {
        match &event.token {
            Token::Record(head) => {
                let before = defined.insert(head.index, head.structure.clone());
                if head.defined || before.as_ref() == Some(&head.structure) {
                    bytes.extend_from_slice(event.bytes);
                } else {
                    define(head, event.bytes, bytes)?;
                }
            }
            _ => bytes.extend_from_slice(event.bytes),
        }
    }
    Ok(())
}

/// Adds a record with this id and its definition.
fn define(head: &RecordHead, id: &[u8], bytes: &mut Vec<u8>) -> packord::Result<()> {
    let mut packer = Packer::new(std::mem::take(bytes));
    packer.ext(record::EXT_TYPE, id)?;
    packer.array(head.structure.len())?;
    head.structure.keys().try_for_each(|key| packer.str(key))?;
    *bytes = packer.into_buffer();
    Ok(())
}

struct Comparison<'o, 'c> {
    output: &'o mut Output,
    colour: bool,
    command: &'c cli::Diff,
    differences: u64,
    hasher: RandomState,
    /// Equal bytes may be different values.
    has_records: bool,
}

/// Two values at the same path.
type ValuePair<'d, 'a> = (String, Option<Node<'d, 'a>>, Option<Node<'d, 'a>>);

impl Comparison<'_, '_> {
    /// Compares the messages that belong together. Each message stands alone, so equal bytes are equal
    /// values, with records too.
    fn messages(&mut self, a: &PackedFile, b: &PackedFile, options: &DecodeOptions) -> Outcome {
        let hashes = |file: &PackedFile| -> Vec<u64> {
            let numbers = 0..file.messages.len();
            numbers
                .map(|number| self.hasher.hash_one(file.message(number)))
                .collect()
        };
        let steps = align(&hashes(a), &hashes(b), |side, number| {
            let file = match side {
                Side::Old => a,
                Side::New => b,
            };
            let document = options.document(file.message(number))?;
            Ok::<_, Failure>(self.features(document.root()))
        })?;
        for step in steps {
            match step {
                Step::Both(old, new) if a.message(old) == b.message(new) => {}
                Step::Both(old, new) => {
                    let old = options.document(a.message(old))?;
                    let document = options.document(b.message(new))?;
                    self.compare(path::root(new as u64), old.root(), document.root())?;
                }
                Step::Old(number) => {
                    let document = options.document(a.message(number))?;
                    self.line('-', &path::root(number as u64), Some(document.root()), None)?;
                }
                Step::New(number) => {
                    let document = options.document(b.message(number))?;
                    self.line('+', &path::root(number as u64), None, Some(document.root()))?;
                }
            }
        }
        Ok(())
    }

    /// Returns a hash of the value. Equal bytes that contain ids of records may be different values.
    fn hash(&self, node: Node<'_, '_>) -> u64 {
        if self.has_records {
            self.hasher.hash_one(node.to_value().to_string())
        } else {
            self.hasher.hash_one(node.bytes())
        }
    }

    /// Returns what decides which other value a value is compared with.
    fn features(&self, node: Node<'_, '_>) -> Features {
        let mut features = Features::default();
        if node.is_map() {
            features.kind = 1;
            for (key, value) in node.entries().take(FEATURES) {
                let key = self.hasher.hash_one(step(key));
                features.keys.push(key);
                features.parts.push(self.hasher.hash_one((key, self.hash(value))));
            }
        } else if node.is_array() {
            features.kind = 2;
            let elements = node.elements().take(FEATURES);
            features.parts.extend(elements.map(|value| self.hash(value)));
        } else {
            features.kind = 3 + node.type_name().len() as u8;
        }
        features.sorted()
    }

    fn compare<'d, 'a>(&mut self, place: String, a: Node<'d, 'a>, b: Node<'d, 'a>) -> Outcome {
        // Equal bytes are equal values, unless they contain ids of records.
        let plain = !self.has_records;
        let mut pairs: Vec<ValuePair<'d, 'a>> = vec![(place, Some(a), Some(b))];
        while let Some((place, a, b)) = pairs.pop() {
            let (a, b) = match (a, b) {
                (Some(a), Some(b)) => (a, b),
                (Some(a), None) => {
                    self.line('-', &place, Some(a), None)?;
                    continue;
                }
                (None, b) => {
                    self.line('+', &place, None, b)?;
                    continue;
                }
            };
            if plain && a.bytes() == b.bytes() {
                continue;
            }
            if a.is_array() && b.is_array() {
                self.arrays(&place, a, b, &mut pairs);
            } else if a.is_map() && b.is_map() {
                maps(&place, a, b, &mut pairs);
            } else {
                let is_container = [a, b].iter().any(|node| node.is_array() || node.is_map());
                if is_container || a.to_value() != b.to_value() {
                    self.line('~', &place, Some(a), Some(b))?;
                }
            }
            if self.command.bytes && a.bytes() != b.bytes() && head(a) != head(b) && same_kind(a, b) {
                self.line('=', &place, Some(a), Some(b))?;
            }
        }
        Ok(())
    }

    /// Adds the pairs of elements to compare: those that belong together.
    fn arrays<'d, 'a>(&self, place: &str, a: Node<'d, 'a>, b: Node<'d, 'a>, pairs: &mut Vec<ValuePair<'d, 'a>>) {
        let (left, right): (Vec<_>, Vec<_>) = (a.elements().collect(), b.elements().collect());
        let hashes = |nodes: &[Node<'_, '_>]| -> Vec<u64> { nodes.iter().map(|&node| self.hash(node)).collect() };
        let steps = align(&hashes(&left), &hashes(&right), |side, index| {
            let node = match side {
                Side::Old => left[index],
                Side::New => right[index],
            };
            Ok::<_, Infallible>(self.features(node))
        });
        let Ok(steps) = steps;
        let plain = !self.has_records;
        for step in steps.into_iter().rev() {
            let (index, a, b) = match step {
                Step::Both(a, b) if plain && left[a].bytes() == right[b].bytes() => continue,
                Step::Both(a, b) => (b, Some(left[a]), Some(right[b])),
                Step::Old(a) => (a, Some(left[a]), None),
                Step::New(b) => (b, None, Some(right[b])),
            };
            pairs.push((format!("{place}[{index}]"), a, b));
        }
    }

    fn line(&mut self, sign: char, place: &str, a: Option<Node<'_, '_>>, b: Option<Node<'_, '_>>) -> Outcome {
        self.differences += 1;
        if self.command.quiet {
            return Ok(());
        }
        let style = match sign {
            '-' => style::REMOVED,
            '+' => style::TEXT,
            _ => style::PLAIN,
        };
        let text = match (a, b) {
            (Some(a), Some(b)) => format!("{} → {}", show(a), show(b)),
            (Some(one), None) | (None, Some(one)) => show(one),
            (None, None) => String::new(),
        };
        let painted = Painted(self.colour.then_some(style), format!("{sign} {place}"));
        self.output.put(format!("{painted}  {text}\n").as_bytes())
    }
}

/// Returns the values of a map by the steps to them, and the steps in their order. Different keys
/// have different steps. The last of duplicate keys counts.
fn by_step<'d, 'a>(map: Node<'d, 'a>) -> (HashMap<String, Node<'d, 'a>>, Vec<String>) {
    let (mut values, mut order) = (HashMap::new(), Vec::new());
    for (key, value) in map.entries() {
        let step = step(key);
        if values.insert(step.clone(), value).is_none() {
            order.push(step);
        }
    }
    (values, order)
}

fn maps<'d, 'a>(place: &str, a: Node<'d, 'a>, b: Node<'d, 'a>, pairs: &mut Vec<ValuePair<'d, 'a>>) {
    let (right, order) = by_step(b);
    let (left, mut both) = by_step(a);
    both.extend(order.into_iter().filter(|key| !left.contains_key(key)));
    for key in both.iter().rev() {
        pairs.push((format!("{place}{key}"), left.get(key).copied(), right.get(key).copied()));
    }
}

/// Returns the step of a key in a path.
fn step(key: NodeKey<'_, '_>) -> String {
    let mut text = String::new();
    match key.as_other() {
        Some(key) => text.push_str(&format!("[key {}]", key.to_value())),
        None => path::push_name(&mut text, key.as_str().unwrap_or_default()),
    }
    text
}

/// Returns the bytes of a value, or the marker of a container.
fn head<'a>(node: Node<'_, 'a>) -> &'a [u8] {
    let bytes = node.bytes();
    if node.is_array() || node.is_map() {
        &bytes[..1]
    } else {
        bytes
    }
}

/// Returns whether only the encoding differs.
fn same_kind(a: Node<'_, '_>, b: Node<'_, '_>) -> bool {
    (a.is_array() && b.is_array() && a.len() == b.len())
        || (a.is_map() && b.is_map() && a.len() == b.len())
        || !(a.is_array() || a.is_map() || b.is_array() || b.is_map()) && a.to_value() == b.to_value()
}

/// Returns the value, its format and its length.
fn show(node: Node<'_, '_>) -> String {
    let bytes = node.bytes();
    let format = marker::name(bytes.first().copied().unwrap_or_default());
    let value = if node.is_array() || node.is_map() {
        format!("{} of {}", node.type_name(), node.len())
    } else {
        let text = node.to_value().to_string();
        let mut letters = text.chars();
        let start: String = letters.by_ref().take(SHOWN).collect();
        if letters.next().is_some() {
            format!("{start}…")
        } else {
            start
        }
    };
    format!("{value} ({format}, {})", counted(bytes.len() as u64, "byte"))
}
