//! What writers and readers of typed values know of records: structures, and the types that have
//! them.

use super::derived::RecordType;
use crate::encode::EncodeOptions;
use crate::error::ErrorKind;
use crate::options::{DuplicateKey, Rules};
use crate::read::tree::{Keep, tree};
use crate::read::{Fault, OpenContainer, ValueDecoder};
use crate::record::{FIRST_ID, IdSpace, NamesLeft, RecordHead, RecordIds, Structure, Table};
use crate::value::{Tree, Value, ValueRef};
use crate::walk::{Token, TokenSink, Walker, path_of_message};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The structures that a writer of typed values knows.
pub(crate) struct WriteRecords {
    pub(super) space: IdSpace,
    /// The encoder of the structures that outlast the message, if any do. It is costly.
    pub(super) kept: Option<RecordIds>,
    /// Types that were named, and their structures: valid until the encoder defines one. Most
    /// messages have only the first, which takes no allocation.
    first: Option<(&'static RecordType, u16)>,
    others: Vec<(&'static RecordType, u16)>,
    /// Number of structures that were defined without the encoder.
    given: usize,
}

impl WriteRecords {
    pub(super) fn new(options: &EncodeOptions) -> WriteRecords {
        let space = options.id_space(false);
        let kept = (!space.is_own_alone()).then(|| RecordIds::new(space, None));
        WriteRecords::with(space, kept)
    }

    pub(super) fn with(space: IdSpace, mut kept: Option<RecordIds>) -> WriteRecords {
        if let Some(writer) = &mut kept {
            writer.begin();
        }
        WriteRecords {
            space,
            kept,
            first: None,
            others: Vec::new(),
            given: 0,
        }
    }

    /// Returns the structure of the first known type with the same keys.
    pub(super) fn find(&self, is: impl Fn(&'static RecordType) -> bool) -> Option<u16> {
        let mut known = self.first.iter().chain(&self.others);
        known.find(|(of, _)| is(of)).map(|&(_, index)| index)
    }

    pub(super) fn know(&mut self, of: &'static RecordType, index: u16) {
        if self.first.is_none() {
            self.first = Some((of, index));
        } else {
            self.others.push((of, index));
        }
    }

    /// Returns the structure of a type, and whether it is defined now, or `None` if the type is
    /// written as a map.
    pub(super) fn name(&mut self, of: &'static RecordType) -> Option<(u16, bool)> {
        if of.keys.len() > self.space.max_keys {
            return None;
        }
        if self.space.is_own_alone() {
            return self.name_alone(of);
        }
        let writer = self.kept.as_mut()?;
        let named = writer.name_keys(of.keys.iter().copied(), None)?;
        if named.defines.is_some() {
            self.first = None;
            self.others.clear();
        }
        Some((named.index, named.defines.is_some()))
    }

    /// Does the same where no structure outlasts the message: `known` has all structures, as types,
    /// so no list of keys is made.
    fn name_alone(&mut self, of: &'static RecordType) -> Option<(u16, bool)> {
        if let Some(index) = self.find(|known| known.packed == of.packed) {
            return Some((index, false));
        }
        let index = self.given.checked_rem(self.space.max_own)? as u16;
        self.given += 1;
        self.first = self.first.filter(|&(_, known)| known != index);
        self.others.retain(|&(_, known)| known != index);
        Some((index, true))
    }
}

/// For ids of one byte from 40 on, the type whose keys are exactly those of the structure.
pub(crate) type KnownTypes = Vec<Option<Known>>;

/// The records that a reader of typed values knows.
pub(crate) struct ReadRecords<R: ?Sized = dyn RecordReader> {
    /// Outside of the hook, as each record asks for its type.
    pub(super) types: KnownTypes,
    pub(super) names_left: NamesLeft,
    pub(super) reader: R,
}

/// What a reader of typed values asks of its records: a hook, so that programs that read no records are
/// linked without what reads them.
pub(crate) trait RecordReader {
    /// Returns whether a byte from 40 to 7f is an id that has a structure.
    fn names(&self, marker: u8) -> bool;
    fn know(&self, types: &mut KnownTypes, id: u8, known: Known);
    fn max_keys(&self) -> usize;
    /// Returns the id of the last record, if it has one byte.
    fn opened(&self) -> Option<u8>;
    fn known(&self, types: &KnownTypes) -> KnownRecords;
    /// Forgets the structures that were defined after a position.
    fn forget_all_but(&mut self, types: &mut KnownTypes, known: &KnownRecords);
    /// Reads the head of a record, and returns where it ends.
    fn open(&mut self, types: &mut KnownTypes, input: &[u8], at: ValueStart) -> Result<(usize, RecordHead), Fault>;
    /// Reads a value of any type, which may define records, and returns where it ends.
    fn value(&mut self, types: &mut KnownTypes, input: &[u8], at: ValueStart) -> Result<(usize, Value), Fault>;
    fn value_ref<'a>(
        &mut self,
        types: &mut KnownTypes,
        input: &'a [u8],
        at: ValueStart,
    ) -> Result<(usize, ValueRef<'a>), Fault>;
    /// Returns the path, without the `$`, from the value at the start of the range to the fault at its end.
    fn path_within(&self, input: &[u8], range: Range<usize>) -> String;
    fn take_decoder(&mut self, types: &mut KnownTypes) -> ValueDecoder;
}

/// Where a value begins, and what is around it.
#[derive(Clone, Copy)]
pub(crate) struct ValueStart {
    pub position: usize,
    /// Values that open containers announce after it.
    pub reserve: usize,
    /// Containers that may still be opened.
    pub depth_left: u32,
}

pub(crate) struct DecoderOfRecords {
    decoder: ValueDecoder,
    rules: Rules,
    opened: Option<u8>,
}

/// The records that are known at a position that a reader may go back to.
#[derive(Debug)]
pub(crate) struct KnownRecords {
    types: KnownTypes,
    table: Option<Table>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(super) of: &'static RecordType,
    /// Whether the decoder does not have it yet. Most messages never need the decoder.
    pub(super) pending: bool,
}

impl ReadRecords<DecoderOfRecords> {
    pub(super) fn new(decoder: ValueDecoder, rules: &Rules, len: usize) -> Self {
        let reader = DecoderOfRecords {
            decoder,
            // Options that compare keys are checked by a walk over the bytes before.
            rules: Rules {
                duplicate_key: DuplicateKey::default(),
                canonical: false,
                ..*rules
            },
            opened: None,
        };
        ReadRecords {
            types: Vec::new(),
            names_left: NamesLeft::of_input(len),
            reader,
        }
    }
}

impl ReadRecords {
    /// Returns whether a byte from 40 to 7f is an id.
    pub fn defines(&self, marker: u8) -> bool {
        marker >= FIRST_ID && (self.type_of(marker).is_some() || self.reader.names(marker))
    }

    /// Returns the type whose structure an id of one byte names, if it is known.
    #[inline]
    pub(super) fn type_of(&self, id: u8) -> Option<&'static RecordType> {
        let index = usize::from(id.wrapping_sub(FIRST_ID));
        self.types.get(index)?.map(|known| known.of)
    }
}

impl DecoderOfRecords {
    fn read<T>(
        &mut self,
        types: &mut KnownTypes,
        at: ValueStart,
        read: impl FnOnce(&mut ValueDecoder, &Rules) -> Result<T, Fault>,
    ) -> Result<(usize, T), Fault> {
        let rules = self.rules;
        let decoder = self.whole(types);
        decoder.pos = at.position;
        decoder.pending = 1 + at.reserve as u64;
        decoder.depth = rules.max_depth - at.depth_left.min(rules.max_depth);
        decoder.opened = OpenContainer::default();
        let out = read(decoder, &rules)?;
        Ok((decoder.pos, out))
    }

    fn tree<'a, S: Keep<'a>>(
        &mut self,
        types: &mut KnownTypes,
        input: &'a [u8],
        at: ValueStart,
    ) -> Result<(usize, Tree<S, S::Bytes>), Fault> {
        let read = self.read(types, at, |decoder, rules| tree::<S>(decoder, input, rules));
        // The value may have defined structures again.
        types.clear();
        read
    }

    fn whole(&mut self, types: &mut KnownTypes) -> &mut ValueDecoder {
        if let Some(records) = &mut self.decoder.records {
            for (id, known) in (FIRST_ID..).zip(types) {
                if let Some(known @ Known { pending: true, .. }) = known {
                    known.pending = false;
                    records.define(id, Structure::new(known.of.keys.iter().copied()));
                }
            }
        }
        &mut self.decoder
    }
}

impl RecordReader for DecoderOfRecords {
    fn names(&self, marker: u8) -> bool {
        let records = self.decoder.records.as_ref();
        records.is_some_and(|records| records.names(marker))
    }

    fn know(&self, types: &mut KnownTypes, id: u8, known: Known) {
        let index = usize::from(id - FIRST_ID);
        if types.len() <= index {
            types.resize(index + 1, None);
        }
        types[index] = Some(known);
    }

    fn max_keys(&self) -> usize {
        self.rules.max_record_keys as usize
    }

    fn opened(&self) -> Option<u8> {
        self.opened
    }

    fn known(&self, types: &KnownTypes) -> KnownRecords {
        let records = self.decoder.records.as_ref();
        KnownRecords {
            types: types.clone(),
            table: records.map(|records| records.table().clone()),
        }
    }

    fn forget_all_but(&mut self, types: &mut KnownTypes, known: &KnownRecords) {
        types.clone_from(&known.types);
        if let (Some(records), Some(table)) = (&mut self.decoder.records, &known.table) {
            records.go_back(table);
        }
    }

    fn open(&mut self, types: &mut KnownTypes, input: &[u8], at: ValueStart) -> Result<(usize, RecordHead), Fault> {
        let (end, token) = self.read(types, at, |decoder, rules| {
            decoder.value::<true, _>(input, rules, &mut TokenSink)
        })?;
        let Token::Record(head) = token else {
            return Err(Fault::new(ErrorKind::TypeMismatch, at.position));
        };
        if head.defined {
            types.clear();
        }
        self.opened = (!head.two_byte).then(|| FIRST_ID + head.index as u8);
        Ok((end, head))
    }

    fn value(&mut self, types: &mut KnownTypes, input: &[u8], at: ValueStart) -> Result<(usize, Value), Fault> {
        self.tree::<Box<str>>(types, input, at)
    }

    fn value_ref<'a>(
        &mut self,
        types: &mut KnownTypes,
        input: &'a [u8],
        at: ValueStart,
    ) -> Result<(usize, ValueRef<'a>), Fault> {
        self.tree::<&'a str>(types, input, at)
    }

    fn path_within(&self, input: &[u8], range: Range<usize>) -> String {
        // From the start of the message, as structures that are known now may be others than there.
        let path = |offset: usize| {
            let mut walker = Walker::resume(input, 0, 0, self.rules, self.decoder.records.clone());
            path_of_message(&mut walker, input, 0, offset as u64).unwrap_or_default()
        };
        let (value, fault) = (path(range.start), path(range.end));
        fault.strip_prefix(&*value).unwrap_or_default().into()
    }

    fn take_decoder(&mut self, types: &mut KnownTypes) -> ValueDecoder {
        core::mem::replace(self.whole(types), ValueDecoder::new(None))
    }
}
