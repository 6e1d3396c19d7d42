//! Writes a tree without recursion.

use super::sort;
use super::value::EncodeOptions;
use crate::error::{Error, ErrorKind, Result};
use crate::ext::{BIGINT, bigint_value, is_canonical_bigint};
use crate::read::check_depth;
use crate::record::{NamedRecord, RecordIds};
use crate::value::{Entry, Integer, Key, Map, MapStorage, Pair, Tree};
use crate::walk::push_key;
use crate::wire::canonical::{CANONICAL_NAN, widen};
use crate::wire::{Buffer, marker as m};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Entries in their order, floats as they are.
    Plain,
    /// `spec/format.md` section 4.2.
    Canonical,
    /// Like canonical, but of a key that occurs twice the last entry is written, and NaNs differ by
    /// their bits unless `one_nan` is set. For comparing only; callers never get these bytes.
    Normal { one_nan: bool },
}

enum Source<'t, S, B> {
    Values(&'t [Tree<S, B>]),
    /// Key, value, key, value.
    Pairs(&'t [Pair<S, B>]),
    /// The same for a record that is written as a map.
    Fields(&'t Map<S, B>),
    /// The values of a record, from a map of key-value pairs.
    Column(&'t [Pair<S, B>]),
    /// Entries in the order in which they are written.
    Chosen(Vec<Entry<'t, S, B>>),
    /// The values of these entries: a record.
    ChosenColumn(Vec<Entry<'t, S, B>>),
    /// Entries that are sorted by their bytes at the end, and the indexes of their keys and values.
    ToSort(Vec<Entry<'t, S, B>>, Vec<usize>),
}

struct Frame<'t, S, B> {
    source: Source<'t, S, B>,
    next: usize,
}

enum Next<'t, S, B> {
    Value(&'t Tree<S, B>),
    Name(&'t str),
    End,
}

impl<'t, S, B> Frame<'t, S, B> {
    #[inline(always)]
    fn advance(&mut self, position: usize) -> Next<'t, S, B> {
        let index = self.next;
        self.next += 1;
        let (entry, is_key) = (index / 2, index % 2 == 0);
        let found = match &mut self.source {
            Source::Values(values) => values.get(index).map(Next::Value),
            Source::Pairs(pairs) => pairs
                .get(entry)
                .map(|[key, value]| Next::Value(if is_key { key } else { value })),
            Source::Fields(map) => map.entry(entry).map(|entry| half(entry, is_key)),
            Source::Column(pairs) => pairs.get(index).map(|[_, value]| Next::Value(value)),
            Source::Chosen(entries) => entries.get(entry).map(|&entry| half(entry, is_key)),
            Source::ChosenColumn(entries) => entries.get(index).map(|(_, value)| Next::Value(value)),
            Source::ToSort(entries, begins) => {
                begins.push(position);
                entries.get(entry).map(|&entry| half(entry, is_key))
            }
        };
        found.unwrap_or(Next::End)
    }
}

#[inline(always)]
fn half<S, B>((key, value): Entry<'_, S, B>, is_key: bool) -> Next<'_, S, B> {
    match key {
        _ if !is_key => Next::Value(value),
        Key::Value(key) => Next::Value(key),
        Key::Name(name) => Next::Name(name),
    }
}

pub(super) struct TreeWriter<'w, W> {
    options: &'w EncodeOptions,
    out: &'w mut W,
    records: Option<&'w mut RecordIds>,
}

impl<'w, W: Buffer> TreeWriter<'w, W> {
    pub fn new(options: &'w EncodeOptions, out: &'w mut W, records: Option<&'w mut RecordIds>) -> Self {
        TreeWriter { options, out, records }
    }

    pub fn write<S, B>(&mut self, value: &Tree<S, B>) -> Result<()>
    where
        S: AsRef<str>,
        B: AsRef<[u8]>,
    {
        let mut stack: Vec<Frame<'_, S, B>> = Vec::new();
        let outcome = self.write_all(value, &mut stack);
        outcome.map_err(|error| match error.kind() {
            ErrorKind::BufferFull => error,
            _ => error.with_path(path(&stack)),
        })
    }

    fn write_all<'t, S, B>(&mut self, value: &'t Tree<S, B>, stack: &mut Vec<Frame<'t, S, B>>) -> Result<()>
    where
        S: AsRef<str>,
        B: AsRef<[u8]>,
    {
        let tracks_position = self.options.chooses_entries();
        if let Some(source) = self.value(value, stack.len())? {
            stack.push(Frame { source, next: 0 });
        }
        while let Some(frame) = stack.last_mut() {
            let position = if tracks_position { self.out.output().len() } else { 0 };
            let opened = match frame.advance(position) {
                Next::Value(value) => {
                    let depth = stack.len();
                    self.value(value, depth)?
                }
                Next::Name(name) => {
                    self.out.put_str(name.as_bytes())?;
                    None
                }
                Next::End => {
                    if let Source::ToSort(_, begins) = &frame.source {
                        let last_wins = self.last_wins();
                        sort::by_bytes(self.out, begins, last_wins)?;
                    }
                    stack.pop();
                    None
                }
            };
            if let Some(source) = opened {
                stack.push(Frame { source, next: 0 });
            }
        }
        Ok(())
    }

    /// Writes one value; of a container only the header.
    #[inline(always)]
    fn value<'t, S, B>(&mut self, value: &'t Tree<S, B>, depth: usize) -> Result<Option<Source<'t, S, B>>>
    where
        S: AsRef<str>,
        B: AsRef<[u8]>,
    {
        match value {
            Tree::Nil => self.out.put_nil()?,
            Tree::Bool(value) => self.out.put_bool(*value)?,
            Tree::Int(value) => self.int(*value)?,
            Tree::F32(value) => self.f32(value.to_bits())?,
            Tree::F64(value) => self.f64(value.to_bits())?,
            Tree::Str(text) => self.out.put_str(text.as_ref().as_bytes())?,
            Tree::Bin(bytes) => self.out.put_bin(bytes.as_ref())?,
            Tree::Ext(ext) => self.ext(ext.kind(), ext.payload())?,
            Tree::Timestamp(at) => at.put_into(self.out)?,
            Tree::Array(array) => {
                self.deeper(depth)?;
                self.out.put_array(array.len())?;
                return Ok(Some(Source::Values(array)));
            }
            Tree::Map(map) => {
                self.deeper(depth)?;
                return self.map(map).map(Some);
            }
        }
        Ok(None)
    }

    fn deeper(&self, depth: usize) -> Result<()> {
        check_depth(depth as u64 + 1, self.options.max_depth).map_err(Error::new)
    }

    #[inline(always)]
    fn int(&mut self, value: Integer) -> Result<()> {
        match value.as_u64() {
            // With records, these bytes are ids of records.
            Some(id @ 64..=127) if self.records.is_some() => self.out.put([m::UINT8, id as u8]),
            _ => value.put_into(self.out),
        }
    }

    fn f32(&mut self, bits: u32) -> Result<()> {
        match self.options.form {
            Form::Plain => self.out.put_f32(bits),
            _ => self.f64(widen(bits)),
        }
    }

    fn f64(&mut self, bits: u64) -> Result<()> {
        if self.options.form == Form::Canonical {
            if let Some(number) = Integer::from_whole(f64::from_bits(bits)) {
                return self.int(number);
            }
        }
        let value = f64::from_bits(bits);
        let bits = match self.options.form {
            Form::Canonical | Form::Normal { one_nan: true } if value.is_nan() => CANONICAL_NAN,
            _ => bits,
        };
        if self.options.float32 && self.options.form == Form::Plain {
            if let Some(narrow) = narrow(bits) {
                return self.out.put_f32(narrow);
            }
        }
        self.out.put_f64(bits)
    }

    fn ext(&mut self, kind: i8, payload: &[u8]) -> Result<()> {
        // It would be read as a definition.
        if kind == crate::record::EXT_TYPE && self.records.is_some() {
            return Err(Error::new(ErrorKind::UnsupportedType));
        }
        if kind == BIGINT
            && self.options.has_bigint()
            && self.options.form != Form::Plain
            && !is_canonical_bigint(payload)
        {
            let number = bigint_value(payload).and_then(|number| Integer::try_from(number).ok());
            return match number {
                Some(number) => self.int(number),
                None => self.out.put_ext(kind, crate::ext::shorten(payload)),
            };
        }
        self.out.put_ext(kind, payload)
    }

    fn map<'t, S, B>(&mut self, map: &'t Map<S, B>) -> Result<Source<'t, S, B>>
    where
        S: AsRef<str>,
        B: AsRef<[u8]>,
    {
        if self.options.chooses_entries() {
            return self.chosen_map(map);
        }
        let named = self.records.as_mut().and_then(|records| name(records, map));
        if let Some(named) = named {
            self.record(&named)?;
            return Ok(match map.raw() {
                MapStorage::Record(zip) => Source::Values(zip.values()),
                MapStorage::Pairs(pairs) => Source::Column(pairs),
            });
        }
        self.out.put_map(map.len())?;
        Ok(match map.raw() {
            MapStorage::Pairs(pairs) => Source::Pairs(pairs),
            MapStorage::Record(_) => Source::Fields(map),
        })
    }

    fn record(&mut self, named: &NamedRecord) -> Result<()> {
        let (id, len) = named.id();
        match (&named.defines, len) {
            (None, 1) => self.out.put([id[0]])?,
            (None, _) => self.out.put(id)?,
            (Some(_), _) => self.out.put_ext(crate::record::EXT_TYPE, &id[..len])?,
        }
        if let Some(structure) = &named.defines {
            self.out.put_array(structure.len())?;
            for key in structure.keys() {
                self.out.put_str(key.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Writes the head of a map of which not all entries are written, or in another order.
    fn chosen_map<'t, S, B>(&mut self, map: &'t Map<S, B>) -> Result<Source<'t, S, B>>
    where
        S: AsRef<str>,
        B: AsRef<[u8]>,
    {
        let mut entries: Vec<_> = map.iter().collect();
        if self.options.skip_nil {
            entries.retain(|(_, value)| !matches!(value, Tree::Nil));
        }
        let are_names = entries.iter().all(|(key, _)| key.as_str().is_some());
        if self.options.form != Form::Plain || self.options.sort_keys {
            if !are_names {
                // The header is written at the end, after duplicates are removed.
                let begins = Vec::with_capacity(2 * entries.len() + 1);
                return Ok(Source::ToSort(entries, begins));
            }
            sort::by_text(&mut entries, self.last_wins())?;
        }
        let may_name = are_names && self.options.form == Form::Plain;
        if let Some(records) = self.records.as_mut().filter(|_| may_name) {
            let keys = entries.iter().map(|(key, _)| key.as_str().unwrap_or_default());
            let fits = entries.len() <= records.space().max_keys;
            if let Some(named) = fits.then(|| records.name_keys(keys, None)).flatten() {
                self.record(&named)?;
                return Ok(Source::ChosenColumn(entries));
            }
        }
        self.out.put_map(entries.len())?;
        Ok(Source::Chosen(entries))
    }

    /// Returns whether the last of entries with the same key is written.
    fn last_wins(&self) -> bool {
        self.options.form != Form::Canonical
    }
}

/// Returns the id of a map's structure, or `None` if it is written as a plain map.
fn name<S: AsRef<str>, B: AsRef<[u8]>>(records: &mut RecordIds, map: &Map<S, B>) -> Option<NamedRecord> {
    if map.len() > records.space().max_keys {
        return None;
    }
    match map.raw() {
        MapStorage::Pairs(pairs) => {
            if !pairs.iter().all(|[key, _]| matches!(key, Tree::Str(_))) {
                return None;
            }
            let keys = pairs.iter().map(|[key, _]| key.as_str().unwrap_or_default());
            records.name_keys(keys, None)
        }
        MapStorage::Record(zip) => records.name_keys(zip.keys().iter().map(|key| &**key), map.structure()),
    }
}

/// Returns the bits of a float 64 as a float 32, if nothing is lost.
fn narrow(bits: u64) -> Option<u32> {
    let value = f64::from_bits(bits);
    let narrow = if value.is_nan() {
        ((bits >> 32) as u32 & 0x8000_0000) | 0x7f80_0000 | (bits >> 29) as u32 & 0x7f_ffff
    } else {
        (value as f32).to_bits()
    };
    (widen(narrow) == bits).then_some(narrow)
}

fn path<S: AsRef<str>, B: AsRef<[u8]>>(stack: &[Frame<'_, S, B>]) -> String {
    let mut path = String::from("$");
    for frame in stack {
        let last = frame.next.saturating_sub(1);
        let entry = match &frame.source {
            Source::Values(_) => {
                path.push_str(&format!("[{last}]"));
                continue;
            }
            Source::Column(pairs) => pairs.get(last).map(|[key, value]| (Key::Value(key), value)),
            Source::ChosenColumn(entries) => entries.get(last).copied(),
            // A fault in a key is reported at the path of the map.
            _ if last % 2 == 0 => break,
            Source::Pairs(pairs) => pairs.get(last / 2).map(|[key, value]| (Key::Value(key), value)),
            Source::Fields(map) => map.entry(last / 2),
            Source::Chosen(entries) | Source::ToSort(entries, _) => entries.get(last / 2).copied(),
        };
        match entry.map(|(key, _)| (key, key.as_str())) {
            Some((_, Some(text))) => push_key(&mut path, text),
            Some((key, None)) => path.push_str(&format!("[key {key}]")),
            None => {}
        }
    }
    path
}
