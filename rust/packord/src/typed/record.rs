//! Records with typed values (`spec/records.md`).
//!
//! Types derived with `#[msgpacker(record)]` are maps, unless they are written by one of the calls
//! here: then their keys are written once, as a structure, and named by a number after that.

use super::pack::run_with;
use super::reader::Open;
use super::state::{Failed, ReadState, WriteState};
use super::{Packable, Reader, Unpackable, Writer};
use crate::decode::tree::{Keep, tree};
use crate::encode::EncodeOptions;
use crate::error::{Error, ErrorKind, Result};
use crate::options::{DecodeOptions, Rules, Trailing};
use crate::record::write::RecordWriter;
use crate::record::{RecordDecoder, RecordEncoder, RecordHead, RecordState, Structure};
use crate::value::{Integer, Tree};
use crate::walk::scan::{Fault, Scanner, Sink};
use crate::wire::{VecSink, marker as m};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The structures that a writer of typed values knows.
pub(crate) struct WriteRecords {
    pub writer: RecordWriter,
    /// Lists of keys that were named, and their ids: valid until the next definition.
    known: Vec<(&'static [&'static str], [u8; 2], usize)>,
}

impl WriteRecords {
    fn new(mut writer: RecordWriter) -> WriteRecords {
        writer.begin();
        WriteRecords {
            writer,
            known: Vec::new(),
        }
    }
}

impl Writer<'_> {
    /// Names a record of these keys if records are on; its values follow. `false` if it is to be
    /// written as a map.
    ///
    /// # Errors
    ///
    /// `buffer_full`.
    #[doc(hidden)]
    #[inline]
    pub fn record(&mut self, keys: &'static [&'static str]) -> core::result::Result<bool, Failed> {
        if self.state.records.is_none() {
            return Ok(false);
        }
        self.name_record(keys)
    }

    fn name_record(&mut self, keys: &'static [&'static str]) -> core::result::Result<bool, Failed> {
        let Some(records) = &mut self.state.records else {
            return Ok(false);
        };
        let mut known = records.known.iter();
        if let Some(&(_, id, len)) = known.find(|(known, ..)| core::ptr::eq(*known, keys)) {
            return self.raw(&id[..len]).map(|()| true);
        }
        if keys.is_empty() || keys.len() > records.writer.max_keys() {
            return Ok(false);
        }
        let Some(named) = records.writer.name_keys(keys.iter().copied(), None) else {
            return Ok(false);
        };
        let (id, len) = named.id();
        if named.defines.is_some() {
            records.known.clear();
        }
        records.known.push((keys, id, len));
        if named.defines.is_none() {
            return self.raw(&id[..len]).map(|()| true);
        }
        self.any_ext(crate::record::EXT_TYPE, &id[..len])?;
        self.array(keys.len())?;
        for key in keys {
            self.str(key)?;
        }
        Ok(true)
    }
}

/// What a reader of typed values knows of records.
pub(crate) struct ReadRecords {
    scanner: Scanner,
    rules: Rules,
    /// For ids of one byte from 40 on, the keys of a type that are exactly those of the structure.
    known: Vec<Option<&'static [&'static str]>>,
    /// The id that was opened last, if it has one byte.
    opened: Option<u8>,
}

impl ReadRecords {
    /// Whether a byte 40 to 7f is an id.
    pub fn defines(&self, marker: u8) -> bool {
        marker >= crate::record::FIRST_ID
            && self
                .scanner
                .records
                .as_ref()
                .is_some_and(|records| records.names(marker))
    }
}

/// Takes the head of a record.
struct HeadSink;

impl Sink<'_> for HeadSink {
    type Out = Option<RecordHead>;
    fn nil(&mut self) -> Self::Out {
        None
    }
    fn bool(&mut self, _: bool) -> Self::Out {
        None
    }
    fn int(&mut self, _: Integer) -> Self::Out {
        None
    }
    fn f32(&mut self, _: u32) -> Self::Out {
        None
    }
    fn f64(&mut self, _: u64) -> Self::Out {
        None
    }
    fn str(&mut self, _: &str) -> Self::Out {
        None
    }
    fn broken_str(&mut self, _: &[u8]) -> Self::Out {
        None
    }
    fn bin(&mut self, _: &[u8]) -> Self::Out {
        None
    }
    fn ext(&mut self, _: &[u8]) -> Self::Out {
        None
    }
    fn timestamp(&mut self, _: crate::Timestamp) -> Self::Out {
        None
    }
    fn array(&mut self, _: usize) -> Self::Out {
        None
    }
    fn map(&mut self, _: usize) -> Self::Out {
        None
    }
    fn record(&mut self, head: RecordHead) -> Self::Out {
        Some(head)
    }
}

impl<'de> Reader<'de> {
    /// Opens a record if records are on and one is next.
    #[inline(always)]
    pub(crate) fn open_record(
        &mut self,
    ) -> core::result::Result<Option<(Structure, Open)>, Failed> {
        if self.state.records.is_none() {
            return Ok(None);
        }
        self.open_record_slow()
    }

    #[inline(never)]
    fn open_record_slow(&mut self) -> core::result::Result<Option<(Structure, Open)>, Failed> {
        let marker = self.peek()?;
        let head = match marker {
            crate::record::FIRST_ID..=0x7f | m::FIXEXT1..=m::FIXEXT16 | m::EXT8..=m::EXT32 => self
                .scan(|scanner, input, rules| {
                    scanner.value::<true, _>(input, rules, &mut HeadSink)
                })?,
            _ => None,
        };
        let Some(head) = head else {
            // A map, or another value, which the caller reports.
            return Ok(None);
        };
        if let Some(records) = &mut self.state.records {
            if head.defined {
                records.known.clear();
            }
            records.opened = (!head.two_byte).then_some(head.index as u8);
        }
        let open = Open::new(head.structure.len(), self.state.reserve);
        self.state.depth.left -= 1;
        Ok(Some((head.structure, open)))
    }

    /// Opens a record of these keys if its id is known to have them.
    #[inline]
    pub(crate) fn open_known(
        &mut self,
        keys: &'static [&'static str],
    ) -> core::result::Result<Option<Open>, Failed> {
        let (start, marker) = (self.position(), self.peek()?);
        let known = self.state.records.as_ref().and_then(|records| {
            let index = usize::from(marker.wrapping_sub(crate::record::FIRST_ID));
            *records.known.get(index)?
        });
        if !known.is_some_and(|known| core::ptr::eq(known, keys)) {
            return Ok(None);
        }
        self.take_if(marker);
        self.open(start, keys.len(), keys.len() as u64).map(Some)
    }

    /// Notes the keys of the record that was opened last, if they are these.
    pub(crate) fn note_known(&mut self, structure: &Structure, keys: &'static [&'static str]) {
        let Some(records) = &mut self.state.records else {
            return;
        };
        let Some(index) = records.opened.map(usize::from) else {
            return;
        };
        if structure.keys().eq(keys.iter().copied()) {
            if records.known.len() <= index {
                records.known.resize(index + 1, None);
            }
            records.known[index] = Some(keys);
        }
    }

    /// Lets the scanner of values read at this place. Goes on behind what it took, unless it took
    /// something else than a record.
    fn scan<T>(
        &mut self,
        read: impl FnOnce(&mut Scanner, &'de [u8], &Rules) -> core::result::Result<T, Fault>,
    ) -> core::result::Result<T, Failed> {
        let (input, position) = (self.input(), self.position());
        let Some(records) = &mut self.state.records else {
            return Err(self.mismatch());
        };
        let scanner = &mut records.scanner;
        scanner.pos = position;
        scanner.pending = 1 + self.state.reserve as u64;
        scanner.depth =
            records.rules.max_depth - self.state.depth.left.min(records.rules.max_depth);
        scanner.opened = crate::walk::scan::Opened::default();
        match read(scanner, input, &records.rules) {
            Ok(out) => {
                let end = scanner.pos;
                self.go_to(end);
                Ok(out)
            }
            Err(fault) => Err(self.fail_at(fault.kind, fault.at)),
        }
    }

    pub(crate) fn skip_with_records(&mut self) -> core::result::Result<(), Failed> {
        self.tree_with_records::<&'de str>().map(drop)
    }

    /// A value of any shape, which may define records.
    pub(crate) fn tree_with_records<S: Keep<'de>>(
        &mut self,
    ) -> core::result::Result<Tree<S, S::Bytes>, Failed> {
        // The value may define structures anew.
        if let Some(records) = &mut self.state.records {
            records.known.clear();
        }
        self.scan(|scanner, input, rules| tree::<S>(scanner, input, rules))
    }
}

fn read_state(len: usize, options: &DecodeOptions, scanner: Scanner) -> ReadState {
    let mut state = ReadState::new(len);
    let rules = options.rules();
    state.depth.left = rules.max_depth;
    if rules.records {
        state.limit = crate::record::FIRST_ID;
        state.records = Some(Box::new(ReadRecords {
            scanner,
            rules,
            known: Vec::new(),
            opened: None,
        }));
    }
    state
}

impl DecodeOptions {
    /// Reads one message into a typed value, with these options.
    ///
    /// Other options than `max_depth`, `trailing`, `records` and `shared_structures` cost a walk
    /// over the bytes before.
    ///
    /// ```
    /// use packord::{DecodeOptions, ErrorKind};
    /// let options = DecodeOptions::new().max_array_len(2);
    /// assert_eq!(options.unpack::<Vec<u32>>(b"\x92\x01\x02")?, [1, 2]);
    /// let error = options.unpack::<Vec<u32>>(b"\x93\x01\x02\x03").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::LengthLimit);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Unpackable::unpack`], and what the options ask for.
    pub fn unpack<T: Unpackable>(&self, bytes: &[u8]) -> Result<T> {
        self.unpack_by(bytes, Scanner::new(RecordState::new(self)), T::unpack_from)
            .0
    }

    fn unpack_by<'de, T>(
        &self,
        bytes: &'de [u8],
        scanner: Scanner,
        read: impl FnOnce(&mut Reader<'de>) -> core::result::Result<T, Failed>,
    ) -> (Result<T>, Option<Scanner>) {
        if self.rules().needs_walk() {
            if let Err(error) = self.validate(bytes) {
                return (Err(error), Some(scanner));
            }
        }
        let mut reader = Reader::new(bytes, read_state(bytes.len(), self, scanner));
        let outcome = match read(&mut reader) {
            Err(failed) => Err(reader.error(failed)),
            Ok(_) if reader.remaining() > 0 && self.trailing == Trailing::Error => Err(Error::at(
                ErrorKind::TrailingBytes,
                reader.position() as u64,
            )),
            Ok(value) => Ok(value),
        };
        (outcome, reader.state.records.map(|records| records.scanner))
    }
}

impl EncodeOptions {
    /// Writes a typed value, with these options.
    ///
    /// `records` makes records of the types that are derived with `record`; `canonical` and
    /// `float32` cost a second pass.
    ///
    /// ```
    /// use packord::EncodeOptions;
    /// assert_eq!(EncodeOptions::new().float32(true).pack(&1.5_f64)?, [0xca, 0x3f, 0xc0, 0, 0]);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Packable::try_pack`]; `duplicate_key` in the canonical form.
    pub fn pack<T: Packable + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut writer = self.records.then(|| RecordWriter::new(self, None));
        pack_with(self, value, &mut writer)
    }
}

fn pack_with<T: Packable + ?Sized>(
    options: &EncodeOptions,
    value: &T,
    records: &mut Option<RecordWriter>,
) -> Result<Vec<u8>> {
    let mut state = WriteState::new();
    state.depth.left = options.max_depth;
    if options.rewrites() {
        let mut bytes = Vec::new();
        run_with(
            &mut VecSink(&mut bytes),
            value.packed_len_bound(),
            &mut state,
            |writer| value.pack_into(writer),
        )?;
        let tree = DecodeOptions::new()
            .max_depth(options.max_depth)
            .decode_ref(&bytes)?;
        return options.encode(&tree);
    }
    state.records = records
        .take()
        .map(|writer| Box::new(WriteRecords::new(writer)));
    let mut bytes = Vec::new();
    let outcome = run_with(
        &mut VecSink(&mut bytes),
        value.packed_len_bound(),
        &mut state,
        |writer| value.pack_into(writer),
    );
    if let Some(mut used) = state.records {
        if outcome.is_err() {
            used.writer.rollback();
        }
        *records = Some(used.writer);
    }
    outcome.map(|()| bytes)
}

impl RecordEncoder {
    /// Writes a typed value as one message.
    ///
    /// # Errors
    ///
    /// As for [`EncodeOptions::pack`]. The encoder is then as it was before the message.
    pub fn pack<T: Packable + ?Sized>(&mut self, value: &T) -> Result<Vec<u8>> {
        self.with_writer(|options, records| pack_with(options, value, records))
    }
}

impl RecordDecoder {
    /// Reads one message into a typed value.
    ///
    /// # Errors
    ///
    /// As for [`DecodeOptions::unpack`]. The decoder is then as it was before the message.
    pub fn unpack<T: Unpackable>(&mut self, bytes: &[u8]) -> Result<T> {
        self.with_scanner(|options, scanner| options.unpack_by(bytes, scanner, T::unpack_from))
    }
}
