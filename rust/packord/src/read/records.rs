//! Reading definitions and records (`spec/records.md` sections 3 and 4).

use super::container::Container;
use super::decoder::{ENDLESS, ValueDecoder};
use super::fault::Fault;
use super::rules::{DuplicateKey, Rules, UndefinedRecord, Utf8};
use super::sink::{Nothing, ValueSink};
use crate::error::ErrorKind;
use crate::record::{EXT_TYPE, FIRST_ID, FIRST_TWO_BYTE_ID, RecordHead, Structure, Structures, Table};
use crate::value::Integer;
use crate::wire::{marker as m, utf8};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The records that a decoder knows.
#[derive(Clone, Debug)]
pub(crate) struct RecordState {
    table: Table,
    before: Table,
    sequential: bool,
    /// A definition that was read in part.
    partial: Option<PartialDefinition>,
}

#[derive(Clone, Debug)]
struct PartialDefinition {
    marker_offset: usize,
    index: u16,
    two_byte: bool,
    count: usize,
    keys: Vec<Box<str>>,
    /// With `duplicate_key: error`, the indexes of the keys, sorted by key.
    sorted: Vec<u32>,
}

impl RecordState {
    #[inline(never)]
    pub fn new(sequential: bool, shared: &Structures) -> RecordState {
        let table = Table::new(shared);
        RecordState {
            before: table.clone(),
            table,
            sequential,
            partial: None,
        }
    }

    pub fn begin(&mut self) {
        self.partial = None;
        if self.sequential {
            self.before = self.table.clone();
        } else {
            self.table = self.before.clone();
        }
    }

    pub fn rollback(&mut self) {
        self.partial = None;
        self.table = self.before.clone();
    }

    /// Returns whether definitions last until the stream ends.
    pub fn is_sequential(&self) -> bool {
        self.sequential
    }

    /// Defines the shared structures that are not known yet. The stream's own definitions stay.
    pub fn add_shared(&mut self, structures: &Structures) {
        self.before.add(structures);
        self.table.add(structures);
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the table at the start of the message, which is the current one if none has begun.
    pub fn at_message(&self, has_begun: bool) -> &Table {
        if has_begun || !self.sequential {
            &self.before
        } else {
            &self.table
        }
    }

    pub fn go_back(&mut self, table: &Table) {
        self.partial = None;
        self.table = table.clone();
    }

    #[cfg(feature = "std")]
    pub fn partial_start(&self) -> Option<usize> {
        self.partial.as_ref().map(|partial| partial.marker_offset)
    }

    /// Moves all indexes: the first `count` bytes of the input were dropped.
    pub fn shift(&mut self, count: usize) {
        if let Some(partial) = &mut self.partial {
            partial.marker_offset = partial.marker_offset.saturating_sub(count);
        }
    }

    pub fn define(&mut self, id: u8, structure: Structure) {
        self.table.define(u16::from(id - FIRST_ID), false, structure);
    }

    /// Returns whether a byte from 40 to 7f begins a record, valid or not, rather than being an
    /// integer.
    pub fn names(&self, id: u8) -> bool {
        self.table.is_two_byte(id) || self.table.get(u16::from(id - FIRST_ID)).is_some()
    }

    #[inline(always)]
    pub fn is_defining(&self) -> bool {
        self.partial.is_some()
    }
}

impl ValueDecoder {
    /// Reads a value that begins with a byte from 40 to 7f: a record or an integer.
    pub(crate) fn record_or_int<'a, S: ValueSink<'a>>(
        &mut self,
        input: &'a [u8],
        rules: &Rules,
        id: u8,
        sink: &mut S,
    ) -> Result<S::Out, Fault> {
        let marker_offset = self.pos;
        let Some(record) = self.record_at(input, rules, id)? else {
            self.bare::<true>(rules, marker_offset)?;
            return Ok(sink.int(Integer::from_u64(u64::from(id))));
        };
        let (header, count) = (record.id_len(), record.structure.len() as u64);
        self.open::<true>(input, rules, header, Container::Record, count, rules.max_map_len)?;
        if rules.names_keys() {
            self.keys().note_structure(&record.structure);
        }
        Ok(sink.record(record))
    }

    /// Returns the record that the id at `pos` begins, or `None` if it is an integer.
    #[inline]
    fn record_at(&mut self, input: &[u8], rules: &Rules, id: u8) -> Result<Option<RecordHead>, Fault> {
        let marker_offset = self.pos;
        let two_byte = self
            .records
            .as_ref()
            .is_some_and(|records| records.table.is_two_byte(id));
        let high = if two_byte {
            self.check_buffer::<true>(rules, marker_offset, (marker_offset + 2) as u64)?;
            input.get(marker_offset + 1).copied()
        } else {
            Some(0)
        };
        let Some(high) = high else {
            return Err(self.eof(input, marker_offset + 2));
        };
        let index = u16::from(id - FIRST_ID) + 32 * u16::from(high);
        let table = self.records.as_ref().map(|records| &records.table);
        let structure = table
            .filter(|_| high != 0xff)
            .and_then(|table| table.get(index))
            .cloned();
        let Some(structure) = structure else {
            if two_byte || rules.undefined_record == UndefinedRecord::Error {
                return Err(Fault::new(ErrorKind::RecordUndefined, marker_offset));
            }
            return Ok(None);
        };
        Ok(Some(RecordHead {
            structure,
            index,
            two_byte,
            defined: false,
        }))
    }

    /// Reads the id or the definition at `at` in a message that is passed over. Returns where it ends
    /// and how many values follow, or `None` if it is a value like any other.
    pub(super) fn pass_record(
        &mut self,
        input: &[u8],
        rules: &Rules,
        at: usize,
        ext_type: Option<i8>,
    ) -> Result<Option<(usize, u64)>, Fault> {
        let Some(records) = &self.records else {
            return Ok(None);
        };
        let is_defining = records.is_defining();
        if !is_defining {
            (self.pos, self.message_start) = (at, at);
            (self.pending, self.depth, self.nodes) = (1, 0, 0);
        }
        if is_defining || ext_type == Some(EXT_TYPE) {
            let beyond = core::mem::replace(&mut self.beyond, ENDLESS);
            let outcome = self.definition(input, rules, &mut Nothing);
            self.beyond = beyond;
            self.keys().clear();
            outcome?;
            let opened = core::mem::take(&mut self.opened);
            return Ok(Some((self.pos, opened.left())));
        }
        let id = input[at];
        if !(FIRST_ID..0x80).contains(&id) {
            return Ok(None);
        }
        let rules = Rules {
            buffer: u64::MAX,
            ..*rules
        };
        let record = self.record_at(input, &rules, id)?;
        Ok(record.map(|record| (at + record.id_len(), record.structure.len() as u64)))
    }

    /// Reads an ext of type 0x72, or the rest of one whose keys were read in part.
    pub(crate) fn definition<'a, S: ValueSink<'a>>(
        &mut self,
        input: &'a [u8],
        rules: &Rules,
        sink: &mut S,
    ) -> Result<S::Out, Fault> {
        let begun = self.records.as_mut().and_then(|records| records.partial.take());
        let mut partial = match begun {
            Some(partial) => partial,
            None => self.definition_head(input, rules)?,
        };
        let outcome = self.definition_keys(input, rules, &mut partial);
        let Some(records) = &mut self.records else {
            return Err(Fault::new(ErrorKind::RecordMalformed, partial.marker_offset));
        };
        if let Err(fault) = outcome {
            if fault.kind == ErrorKind::Eof {
                records.partial = Some(partial);
            }
            return Err(fault.last());
        }
        let PartialDefinition {
            index, two_byte, keys, ..
        } = partial;
        let structure = Structure::new(keys);
        records.table.define(index, two_byte, structure.clone());
        if rules.names_keys() {
            self.keys().note_structure(&structure);
        }
        Ok(sink.record(RecordHead {
            structure,
            index,
            two_byte,
            defined: true,
        }))
    }

    /// Reads a definition up to the header of the list of keys.
    fn definition_head(&mut self, input: &[u8], rules: &Rules) -> Result<PartialDefinition, Fault> {
        let marker_offset = self.pos;
        let malformed = Fault::new(ErrorKind::RecordMalformed, marker_offset);
        let rest = &input[marker_offset..];
        let id_ends = match *rest {
            [m::FIXEXT1, ..] => marker_offset + 3,
            [m::FIXEXT2, ..] => marker_offset + 4,
            _ => return Err(malformed),
        };
        self.check_buffer::<true>(rules, marker_offset, id_ends as u64)?;
        if input.len() < id_ends {
            return Err(self.eof(input, id_ends));
        }
        let (index, two_byte) = match *rest {
            [m::FIXEXT1, _, id, ..] if (FIRST_ID..0x80).contains(&id) => (u16::from(id - FIRST_ID), false),
            [m::FIXEXT2, _, low, high, ..] if (FIRST_TWO_BYTE_ID..0x80).contains(&low) && high != 0xff => {
                (u16::from(low - FIRST_ID) + 32 * u16::from(high), true)
            }
            _ => return Err(malformed),
        };
        self.check_nodes::<true>(rules, marker_offset)?;
        self.check_depth(rules, marker_offset)?;
        let list = id_ends;
        // `length` reads at `pos`. Nothing else uses `pos` before the definition is accepted.
        self.pos = list;
        let header = self.list_header(input, rules, malformed);
        self.pos = marker_offset;
        let (count, header) = header?;
        if count > rules.max_record_keys as usize {
            return Err(Fault::new(ErrorKind::LengthLimit, list).last());
        }
        if count > rules.max_map_len as usize {
            return Err(Fault::new(ErrorKind::LengthLimit, marker_offset));
        }
        self.check_budget::<true>(input, rules, list, list + header, count as u64)?;
        self.pos = list + header;
        Ok(PartialDefinition {
            marker_offset,
            index,
            two_byte,
            count,
            keys: Vec::with_capacity(count),
            sorted: Vec::new(),
        })
    }

    /// Returns the count and the header's length of the array at `pos`.
    fn list_header(&mut self, input: &[u8], rules: &Rules, malformed: Fault) -> Result<(usize, usize), Fault> {
        match input.get(self.pos) {
            None => Err(self.eof(input, self.pos + 1)),
            Some(&marker @ m::FIXARRAY..=0x9f) => {
                self.check_buffer::<true>(rules, self.pos, (self.pos + 1) as u64)?;
                Ok((usize::from(marker & 0x0f), 1))
            }
            Some(&m::ARRAY16) => Ok((self.length::<true, 2>(input, rules, 1)?, 3)),
            Some(&m::ARRAY32) => Ok((self.length::<true, 4>(input, rules, 1)?, 5)),
            Some(_) => Err(malformed),
        }
    }

    /// Reads the remaining keys, and counts the values as pending elements.
    fn definition_keys(&mut self, input: &[u8], rules: &Rules, partial: &mut PartialDefinition) -> Result<(), Fault> {
        while partial.keys.len() < partial.count {
            let at = self.pos;
            let key = self.definition_key(input, rules, partial.marker_offset)?;
            if rules.duplicate_key == DuplicateKey::Error {
                let keys = &partial.keys;
                match partial.sorted.binary_search_by(|&index| keys[index as usize].cmp(&key)) {
                    Ok(_) => return Err(Fault::new(ErrorKind::DuplicateKey, at)),
                    Err(place) => partial.sorted.insert(place, keys.len() as u32),
                }
            }
            partial.keys.push(key);
        }
        let elements = partial.count as u64;
        self.enter::<true>(
            input,
            rules,
            partial.marker_offset,
            self.pos,
            Container::Record,
            elements,
        )
    }

    fn definition_key(&mut self, input: &[u8], rules: &Rules, definition: usize) -> Result<Box<str>, Fault> {
        let marker_offset = self.pos;
        let (header, len) = match input.get(marker_offset) {
            None => return Err(self.eof(input, marker_offset + 1)),
            Some(&marker @ m::FIXSTR..=0xbf) => (1, usize::from(marker & 0x1f)),
            Some(&m::STR8) => (2, self.length::<true, 1>(input, rules, 1)?),
            Some(&m::STR16) => (3, self.length::<true, 2>(input, rules, 1)?),
            Some(&m::STR32) => (5, self.length::<true, 4>(input, rules, 1)?),
            Some(_) => return Err(Fault::new(ErrorKind::RecordMalformed, definition)),
        };
        // A key is neither counted nor pending, so the counters are restored.
        let (pending, nodes) = (self.pending, self.nodes);
        self.nodes = 0;
        let bytes = self.payload::<true>(input, rules, header, len, rules.max_str_len);
        (self.pending, self.nodes) = (pending, nodes);
        let bytes = bytes?;
        match utf8::check(bytes) {
            Ok(text) => Ok(text.into()),
            Err(_) if rules.utf8 == Utf8::Replace => Ok(String::from_utf8_lossy(bytes).into()),
            Err(bad) => Err(Fault::new(ErrorKind::InvalidUtf8, marker_offset + header + bad)),
        }
    }
}
