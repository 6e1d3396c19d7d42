//! Records with typed values (`spec/records.md`).
//!
//! Types derived with `#[msgpacker(record)]` are maps, unless they are written by one of the calls
//! here: then their keys are written once, as a structure, and later records name it by its id.

use super::derived::RecordType;
use super::detail::Detail;
use super::reader::Open;
use super::record_state::{Known, KnownTypes, ReadRecords, RecordReader, ValueStart, WriteRecords};
use super::run::{reserved, run_with};
use super::state::{Failed, Forms, ReadState, WriteState};
use super::{Packable, Reader, Unpackable, Writer};
use crate::decode::RecordDecoder;
use crate::encode::{EncodeOptions, Form, RecordEncoder};
use crate::error::{Error, ErrorKind, Result};
use crate::options::{DecodeOptions, Trailing};
use crate::read::Depth;
use crate::read::{Fault, ValueDecoder};
use crate::record::{FIRST_ID, Structure};
use crate::typed::raw::VecSink;
use crate::value::{Value, ValueRef};
use crate::walk::Walker;
use crate::wire::{Store, marker as m};
use alloc::boxed::Box;
use alloc::vec::Vec;

impl Writer<'_> {
    #[inline(never)]
    pub(crate) fn name_record(&mut self, of: &'static RecordType) -> core::result::Result<bool, Failed> {
        let Some(records) = &mut self.state.records else {
            return Ok(false);
        };
        let (index, defines) = match records.find(|known| core::ptr::eq(known, of)) {
            Some(index) => (index, false),
            None => {
                let Some((index, defines)) = records.name(of) else {
                    return Ok(false);
                };
                records.know(of, index);
                (index, defines)
            }
        };
        let (id, len) = records.space.id(index);
        self.state.last_record = (len == 1).then_some((of, id[0]));
        if defines {
            self.any_ext(crate::record::EXT_TYPE, &id[..len])?;
            self.raw(of.packed)?;
        } else {
            self.raw(&id[..len])?;
        }
        Ok(true)
    }
}

impl<'de> Reader<'de> {
    #[inline(always)]
    pub(crate) fn open_record(&mut self) -> core::result::Result<Option<(Structure, Open)>, Failed> {
        if self.state.records.is_none() {
            return Ok(None);
        }
        self.open_record_slow()
    }

    #[inline(never)]
    fn open_record_slow(&mut self) -> core::result::Result<Option<(Structure, Open)>, Failed> {
        if !self.begins_record(self.rest()) {
            // A map, or a value that the caller reports.
            return Ok(None);
        }
        let head = self.scan(|reader, types, input, at| reader.open(types, input, at))?;
        let (count, outer) = (head.structure.len(), self.state.reserve);
        self.state.depth.go_in();
        Ok(Some((head.structure, Open { count, outer })))
    }

    /// Opens a record of this type if one is next, by a known id, or by a definition with exactly
    /// the bytes that packing writes. The decoder reads all others, and reports faults.
    #[inline]
    pub(crate) fn open_known(&mut self, of: &'static RecordType) -> core::result::Result<Option<Open>, Failed> {
        let (start, marker) = (self.position(), self.peek()?);
        if marker == m::FIXEXT1 {
            return self.open_defined(of);
        }
        let known = self.state.records.as_ref();
        let known = known.and_then(|records| records.type_of(marker));
        if !known.is_some_and(|known| core::ptr::eq(known, of)) {
            return Ok(None);
        }
        self.take_if(marker);
        self.open(start, of.keys.len(), of.keys.len() as u64).map(Some)
    }

    #[inline(never)]
    fn open_defined(&mut self, of: &'static RecordType) -> core::result::Result<Option<Open>, Failed> {
        const KIND: u8 = crate::record::EXT_TYPE as u8;
        let (start, reserve, count) = (self.position(), self.state.reserve, of.keys.len());
        let &[m::FIXEXT1, KIND, id @ FIRST_ID..=0x7f, ref rest @ ..] = self.rest() else {
            return Ok(None);
        };
        let Some(values) = rest.strip_prefix(of.packed) else {
            return Ok(None);
        };
        let room = count.saturating_add(reserve) <= values.len() && self.state.depth.check().is_ok();
        let Some(records) = &mut self.state.records else {
            return Ok(None);
        };
        if !room || count > records.reader.max_keys() {
            return Ok(None);
        }
        let known = Known { of, pending: true };
        records.reader.know(&mut records.types, id, known);
        self.go_to(start + 3 + of.packed.len());
        self.open(start, count, count as u64).map(Some)
    }

    /// Notes the type of the last record if it has the type's keys.
    pub(crate) fn note_known(&mut self, structure: &Structure, of: &'static RecordType) {
        let Some(records) = &mut self.state.records else {
            return;
        };
        if let Some(id) = records.reader.opened() {
            if structure.keys().eq(of.keys.iter().copied()) {
                let known = Known { of, pending: false };
                records.reader.know(&mut records.types, id, known);
            }
        }
    }

    /// Counts a name of the record at `at` that a value copies: `length_limit` if that is too often.
    pub(crate) fn copies_name(&mut self, name: &str, at: usize) -> core::result::Result<(), Failed> {
        let Some(records) = &mut self.state.records else {
            return Ok(());
        };
        let taken = records.names_left.take(name);
        taken.map_err(|words| self.fail_with(ErrorKind::LengthLimit, at, Detail::Words(words)))
    }

    /// Reads a key of a map from a name of the record at `at`.
    pub(crate) fn key_of_name<K>(
        &mut self,
        name: &str,
        at: usize,
        read: impl FnOnce(&mut Reader<'_>) -> core::result::Result<K, Failed>,
    ) -> core::result::Result<K, Failed> {
        self.copies_name(name, at)?;
        let mut packed = Vec::with_capacity(name.len() + 5);
        if let Err(error) = packed.put_str(name.as_bytes()) {
            return Err(self.fail_at(error.kind(), at));
        }
        let mut reader = Reader::new(&packed, ReadState::new(packed.len()));
        read(&mut reader).map_err(|_| {
            // Nothing of the key is at its place in the input.
            match reader.state.faults.fault() {
                (_, Detail::UnknownVariant(_)) => self.unknown(name, at, Detail::UnknownVariant),
                (kind, Detail::Range(_)) => {
                    let words = "the name of a field does not fit the type of the keys";
                    self.fail_with(kind, at, Detail::Words(words))
                }
                (kind, detail) => self.fail_with(kind, at, detail),
            }
        })
    }

    /// Lets the records read at this position, and continues after what they read.
    fn scan<T>(
        &mut self,
        read: impl FnOnce(
            &mut dyn RecordReader,
            &mut KnownTypes,
            &'de [u8],
            ValueStart,
        ) -> core::result::Result<(usize, T), Fault>,
    ) -> core::result::Result<T, Failed> {
        let at = ValueStart {
            position: self.position(),
            reserve: self.state.reserve,
            depth_left: self.state.depth.left(),
        };
        let input = self.input();
        let Some(records) = &mut self.state.records else {
            return Err(self.mismatch("a record"));
        };
        let ReadRecords { types, reader, .. } = &mut **records;
        match read(reader, types, input, at) {
            Ok((end, out)) => {
                self.go_to(end);
                Ok(out)
            }
            Err(fault) => {
                let failed = self.fail_at(fault.kind, fault.at);
                self.state.faults.within_value(at.position);
                Err(failed)
            }
        }
    }

    /// Reads a value of any type, which may define records.
    pub(crate) fn value_with_records(&mut self) -> core::result::Result<Value, Failed> {
        self.scan(|reader, types, input, at| reader.value(types, input, at))
    }

    pub(crate) fn value_ref_with_records(&mut self) -> core::result::Result<ValueRef<'de>, Failed> {
        self.scan(|reader, types, input, at| reader.value_ref(types, input, at))
    }
}

fn read_state(len: usize, options: &DecodeOptions, decoder: ValueDecoder) -> ReadState {
    let mut state = ReadState::new(len);
    let rules = options.rules();
    state.depth = Depth::new(rules.max_depth);
    state.bigint = rules.bigint;
    state.checks_keys = rules.checks_keys();
    if rules.records {
        state.limit = FIRST_ID;
        state.records = Some(Box::new(ReadRecords::new(decoder, &rules, len)));
    }
    state
}

impl DecodeOptions {
    /// Reads one message into a typed value, with these options.
    ///
    /// Options other than `max_depth`, `trailing`, `records` and `shared_structures` cost a walk
    /// over the bytes first.
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
    /// As for [`Unpackable::unpack`], and the errors of the options.
    pub fn unpack<T: Unpackable>(&self, bytes: &[u8]) -> Result<T> {
        let read = |options: &DecodeOptions, bytes: &[u8]| {
            let decoder = ValueDecoder::new(options.record_state());
            let value = options.unpack_by(bytes, decoder, T::unpack_from).0?;
            Ok((value, bytes.len()))
        };
        self.with_expanded(bytes, self.record_state(), read)
            .map(|(value, _)| value)
    }

    /// Reads the message at the start of the bytes, and returns the value and its length in bytes.
    #[cfg(feature = "std")]
    pub(crate) fn unpack_prefix<T: Unpackable>(&self, bytes: &[u8]) -> Result<(T, usize)> {
        self.with_expanded(bytes, self.record_state(), |options, bytes| {
            let len = if options.rules().needs_walk() {
                options.skip_value(bytes)?
            } else {
                bytes.len()
            };
            let decoder = ValueDecoder::new(options.record_state());
            let mut reader = Reader::new(&bytes[..len], read_state(len, options, decoder));
            match T::unpack_from(&mut reader) {
                Ok(value) => Ok((value, reader.position())),
                Err(failed) => Err(reader.error(failed)),
            }
        })
    }

    fn unpack_by<'de, T>(
        &self,
        bytes: &'de [u8],
        decoder: ValueDecoder,
        read: impl FnOnce(&mut Reader<'de>) -> core::result::Result<T, Failed>,
    ) -> (Result<T>, Option<Box<ReadRecords>>) {
        if self.rules().needs_walk() {
            let walker = Walker::with_records(bytes, self, decoder.records.clone());
            if let Err(error) = walker.finish() {
                let error = self.located_by(error, bytes, decoder.records.clone());
                return (Err(error), read_state(0, self, decoder).records);
            }
        }
        let mut reader = Reader::new(bytes, read_state(bytes.len(), self, decoder));
        let outcome = match read(&mut reader) {
            Err(failed) => Err(reader.error(failed)),
            Ok(_) if reader.remaining() > 0 && self.trailing == Trailing::Error => {
                Err(Error::at(ErrorKind::TrailingBytes, reader.position() as u64))
            }
            Ok(value) => Ok(value),
        };
        (outcome, reader.state.records)
    }
}

impl EncodeOptions {
    /// Writes a typed value, with these options.
    ///
    /// `records` writes types derived with `record` as records; `canonical`, `float32`, `sort_keys` and
    /// `skip_nil` cost a second pass.
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
        let mut records = self.records.then(|| WriteRecords::new(self));
        pack_with(self, value, records.as_mut())
    }
}

fn pack_with<T: Packable + ?Sized>(
    options: &EncodeOptions,
    value: &T,
    records: Option<&mut WriteRecords>,
) -> Result<Vec<u8>> {
    if options.has_columns() && !options.rewrites() {
        return pack_columns(options, value, records);
    }
    let mut bytes = reserved(value.packed_len_bound());
    let mut state = WriteState::new();
    state.depth = Depth::new(options.max_depth);
    state.forms = Forms {
        rich: options.rich,
        bigint: options.has_bigint(),
        canonical: options.form == Form::Canonical,
    };
    if options.rewrites() {
        run_with(&mut VecSink(&mut bytes), state, |writer| value.pack_into(writer))?;
        let tree = DecodeOptions::new().max_depth(options.max_depth).decode_ref(&bytes)?;
        return options.encode(&tree);
    }
    state.records = records;
    run_with(&mut VecSink(&mut bytes), state, |writer| value.pack_into(writer))?;
    Ok(bytes)
}

/// Writes columns: of the plain encoding, so that the keys of all rows are known.
fn pack_columns<T: Packable + ?Sized>(
    options: &EncodeOptions,
    value: &T,
    mut records: Option<&mut WriteRecords>,
) -> Result<Vec<u8>> {
    let plain = pack_with(&options.without_columns(), value, None)?;
    let mut bytes = Vec::new();
    let is_written = match &mut records {
        Some(records) => {
            let ids = records.kept.get_or_insert_with(|| options.own_ids());
            options.put_columns(&plain, Some(ids), &mut bytes)?
        }
        None => options.put_columns(&plain, None, &mut bytes)?,
    };
    if is_written {
        return Ok(bytes);
    }
    pack_with(&options.without_columns(), value, records)
}

impl RecordEncoder {
    /// Writes a typed value as one message.
    ///
    /// # Errors
    ///
    /// As for [`EncodeOptions::pack`]. After an error the encoder is unchanged.
    pub fn pack<T: Packable + ?Sized>(&mut self, value: &T) -> Result<Vec<u8>> {
        self.with_writer(|options, writer| {
            let mut records = WriteRecords::with(writer.space(), Some(writer));
            let outcome = pack_with(options, value, Some(&mut records));
            (outcome, records.kept)
        })
    }
}

impl RecordDecoder {
    /// Reads one message into a typed value.
    ///
    /// # Errors
    ///
    /// As for [`DecodeOptions::unpack`]. After an error the decoder is unchanged.
    pub fn unpack<T: Unpackable>(&mut self, bytes: &[u8]) -> Result<T> {
        self.with_decoder(|options, decoder| {
            let mut records = None;
            let known = decoder.records.clone();
            let outcome = options.with_expanded(bytes, known, |options, bytes| {
                let (outcome, kept) = options.unpack_by(bytes, decoder, T::unpack_from);
                records = kept;
                outcome.map(|value| (value, bytes.len()))
            });
            let outcome = outcome.map(|(value, _)| value);
            let decoder = records.map(|mut records| records.reader.take_decoder(&mut records.types));
            (outcome, decoder)
        })
    }
}
