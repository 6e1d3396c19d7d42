//! Values of the data, found by their headers.

use std::collections::BTreeMap;
use std::rc::Rc;

use anstyle::Style;
use packord::record::{self, Reference, Table};
use packord::wire::{self, Kind};
use packord::{DecodeOptions, Error, ErrorKind, RecordHead, Token, Walker};

use super::source::Source;
use crate::cli::{ExtFamily, Reading, Utf8Mode};
use crate::commands::inspect::{describe, describe_long};
use crate::commands::repair::Rescue;
use crate::commands::validate::faults;
use crate::failure::{Outcome, describe as describe_error};
use crate::messages::Checks;
use crate::shared;

/// Bytes by which a header is read.
const HEAD: usize = 16;
/// Bytes of a definition of a record that are tried first.
const DEFINITION: usize = 4 << 10;
/// Length from which on a payload is not held in memory.
pub const LONG: u64 = 64 << 10;
/// Bytes in which the message after a damaged one is looked for.
const SEARCH: usize = 2 << 20;
/// Bytes of a long str that are shown.
const START: usize = 256;

/// Where a value begins, with the structures that are known there.
#[derive(Clone, Default)]
pub struct Place {
    pub offset: u64,
    pub known: Rc<Table>,
}

/// What is in a container.
#[derive(Clone)]
pub enum Inside {
    /// The messages of the stream.
    Messages,
    Elements(u64),
    Entries(u64),
    Fields(RecordHead),
}

impl Inside {
    /// Returns the number of elements, entries or fields, if it is known.
    pub fn count(&self) -> Option<u64> {
        match self {
            Inside::Messages => None,
            Inside::Elements(count) | Inside::Entries(count) => Some(*count),
            Inside::Fields(head) => Some(head.structure.len() as u64),
        }
    }

    /// Returns how many values make an element, entry or field.
    pub fn values(&self) -> u64 {
        1 + u64::from(matches!(self, Inside::Entries(_)))
    }
}

/// The beginning of a value.
#[derive(Clone)]
pub struct Head {
    /// The number of its own bytes: of a container its header only.
    pub len: u64,
    /// What is in it, if it is a container.
    pub inside: Option<Inside>,
    /// The length of its payload, if it is a long str: whether that is UTF-8 is not checked yet.
    pub text: u64,
}

/// The data, and what was found in it.
pub struct Data {
    pub source: Source,
    options: DecodeOptions,
    pub records: bool,
    pub sequential: bool,
    pub checks_text: bool,
    /// The structures that are known at the start of each message.
    pub shared: Rc<Table>,
    owner: Option<&'static str>,
    /// The faults by offset, after which the data is read on.
    faults: BTreeMap<u64, String>,
    /// Where long containers end.
    pub ends: BTreeMap<u64, Place>,
}

impl Data {
    /// Takes the bytes and the options of the command line.
    ///
    /// # Errors
    ///
    /// The shared structures cannot be read.
    pub fn new(source: Source, reading: &Reading) -> Outcome<Data> {
        let options = reading.options(Checks::default())?;
        let structures = reading.shared.as_deref().map(shared::read).transpose()?;
        let known = structures.map_or_else(Table::default, |list| Table::new(&list));
        Ok(Data {
            source,
            options,
            records: reading.has_records(),
            sequential: reading.sequential,
            checks_text: reading.utf8 == Utf8Mode::Error,
            shared: Rc::new(known),
            owner: reading.ext.map(ExtFamily::owner),
            faults: BTreeMap::new(),
            ends: BTreeMap::new(),
        })
    }

    /// Returns the place of the first message.
    pub fn start(&self) -> Place {
        Place {
            offset: 0,
            known: self.shared.clone(),
        }
    }

    /// Reads the beginning of a value. A fault that leaves the length known is noted, and the value taken
    /// for a valid one of this length.
    ///
    /// # Errors
    ///
    /// A fault after which the data cannot be read.
    pub fn head(&mut self, place: &Place) -> Result<Head, Error> {
        loop {
            match self.checked_head(place) {
                Err(error) if self.mend(&error) => {}
                done => return done,
            }
        }
    }

    /// Notes a fault, and returns whether the data can be read on.
    pub fn mend(&mut self, error: &Error) -> bool {
        let Some(at) = error.offset().filter(|at| !self.faults.contains_key(at)) else {
            return false;
        };
        let found = self.source.at(at, HEAD);
        let Some((skip, byte)) = faults::replace(error.kind(), found) else {
            return false;
        };
        self.source.patch(at + skip as u64, byte);
        self.faults.insert(at, describe_error(error));
        true
    }

    /// Returns where the message after a damaged one begins, whose length is not known, as `repair` finds it.
    pub fn next_message(&mut self, start: u64, starts: &[bool; 256], error: &Error) -> Option<u64> {
        // Without the definitions of sequential records, it is not known which values are records.
        if self.sequential {
            return None;
        }
        let bytes = self.source.at(start, SEARCH);
        let bytes = bytes.get(..SEARCH).unwrap_or(bytes).to_vec();
        let mut rescue = Rescue::new(bytes, *starts, &self.options, error.is_eof());
        let next = start + rescue.next_range()?.start as u64;
        let text = format!("{}; goes on at byte {next}", describe_error(error));
        self.faults.insert(start, text);
        Some(next)
    }

    /// Returns the fault in a value with these own bytes.
    pub fn fault(&self, from: u64, len: u64) -> Option<&str> {
        let mut inside = self.faults.range(from..from.saturating_add(len));
        inside.next().map(|(_, text)| text.as_str())
    }

    /// Returns the error for data that ends too early.
    pub fn eof(&self) -> Error {
        Error::at(ErrorKind::Eof, self.source.len())
    }

    fn checked_head(&mut self, place: &Place) -> Result<Head, Error> {
        let rest = self.source.len().saturating_sub(place.offset);
        let len = self.source.len();
        let eof = || Error::at(ErrorKind::Eof, len);
        let bytes = self.source.at(place.offset, HEAD);
        let marker = *bytes.first().ok_or_else(eof)?;
        if self.records && record::is_id(marker) {
            let (len, inside) = match place.known.find(bytes) {
                Reference::Int => (1, None),
                Reference::Record(head) => (1 + u64::from(head.two_byte), Some(Inside::Fields(head))),
                Reference::Undefined => {
                    return Err(Error::at(ErrorKind::RecordUndefined, place.offset));
                }
                Reference::Cut => return Err(eof()),
            };
            return Ok(Head { len, inside, text: 0 });
        }
        let head = wire::Head::at(bytes, 0).ok_or_else(eof)?;
        let len = head.end as u64 + head.payload;
        if len > rest {
            return Err(eof());
        }
        let inside = match head.kind {
            Kind::Array => Some(Inside::Elements(head.count)),
            Kind::Map => Some(Inside::Entries(head.count)),
            _ => None,
        };
        if inside.is_some() || head.payload > LONG {
            let checks = head.kind == Kind::Str && self.checks_text;
            let text = if checks { head.payload } else { 0 };
            return Ok(Head { len, inside, text });
        }
        let is_record = self.records && head.kind == Kind::Ext;
        let mut wanted = len as usize + if is_record { DEFINITION } else { 0 };
        loop {
            let bytes = self.source.at(place.offset, wanted);
            let whole = bytes.len() as u64 >= rest;
            let mut walker = Walker::with_options(bytes, &self.options);
            return match walker.next() {
                Ok(Some(event)) => Ok(Head {
                    len: event.bytes.len() as u64,
                    inside: match event.token {
                        Token::Record(head) => Some(Inside::Fields(head)),
                        _ => None,
                    },
                    text: 0,
                }),
                Ok(None) => Err(eof()),
                Err(error) if error.is_eof() && is_record && !whole => {
                    wanted = bytes.len() * 2;
                    continue;
                }
                Err(error) => {
                    let at = place.offset + error.offset().unwrap_or_default();
                    Err(Error::at(error.kind(), at))
                }
            };
        }
    }

    /// Returns the format, the value and its style, as `inspect` shows them.
    pub fn describe(&mut self, place: &Place, head: &Head) -> (String, String, Style) {
        let bytes = self.source.at(place.offset, HEAD);
        let marker = bytes.first().copied().unwrap_or_default();
        let shown = match &head.inside {
            Some(Inside::Elements(count)) => describe(marker, &Token::Array(*count as usize), None),
            Some(Inside::Entries(count)) => describe(marker, &Token::Map(*count as usize), None),
            Some(Inside::Fields(head)) => describe(marker, &Token::Record(head.clone()), None),
            Some(Inside::Messages) => return Default::default(),
            None if head.len > LONG => {
                let header = wire::Head::at(bytes, 0).map_or(0, |head| head.end);
                let start = self.source.at(place.offset, START);
                return describe_long(start, header, head.len as usize - header);
            }
            None => {
                let bytes = self.source.at(place.offset, head.len as usize);
                let bytes = bytes.get(..head.len as usize).unwrap_or(bytes);
                let plain = self.options.clone().records(false);
                let mut walker = Walker::with_options(bytes, &plain);
                match walker.next() {
                    Ok(Some(event)) => describe(marker, &event.token, self.owner),
                    _ => return Default::default(),
                }
            }
        };
        shown.unwrap_or_default()
    }

    /// Returns the bytes of a value that is not a container, if it is not long.
    pub fn scalar(&mut self, place: &Place, head: &Head) -> Option<&[u8]> {
        let len = usize::try_from(head.len).ok()?;
        if head.inside.is_some() || head.len > LONG {
            return None;
        }
        self.source.at(place.offset, len).get(..len)
    }
}

impl Place {
    /// Moves to what follows the beginning of a value.
    pub fn enter(&mut self, head: &Head) {
        self.offset += head.len;
        if let Some(Inside::Fields(record)) = head.inside.as_ref()
            && record.defined
        {
            let known = Rc::make_mut(&mut self.known);
            known.define(record.index, record.two_byte, record.structure.clone());
        }
    }
}
