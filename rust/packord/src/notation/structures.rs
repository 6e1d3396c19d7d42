//! The record structures that are defined at a place of the notation, by their numbers of keys.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The id of a record: `#64` is the byte 40, `##100` the bytes 64 00.
#[derive(Clone, Copy)]
pub(super) struct Id {
    bytes: [u8; 2],
    wide: bool,
}

impl Id {
    /// Returns the id with the number 64 + index, if this form of ids has it.
    pub(super) fn new(number: u64, wide: bool) -> Option<Id> {
        if !wide {
            let byte = u8::try_from(number).ok().filter(|byte| (0x40..=0x7f).contains(byte))?;
            return Some(Id { bytes: [byte, 0], wide });
        }
        let above = number.checked_sub(0x60)?;
        let high = u8::try_from(above / 32).ok().filter(|&high| high != 0xff)?;
        Some(Id {
            bytes: [0x60 + (above % 32) as u8, high],
            wide,
        })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..if self.wide { 2 } else { 1 }]
    }

    /// Returns the ext header of a definition, with the id as its payload.
    pub(super) fn definition(&self) -> Vec<u8> {
        let mut bytes = alloc::vec![if self.wide { 0xd5 } else { 0xd4 }, 0x72];
        bytes.extend_from_slice(self.bytes());
        bytes
    }

    fn index(self) -> u16 {
        u16::from(self.bytes[0]) - 0x40 + 32 * u16::from(self.bytes[1])
    }

    /// Returns the flag of an id byte from 60 on.
    fn flag(self) -> u32 {
        self.bytes[0].checked_sub(0x60).map_or(0, |bit| 1 << bit)
    }
}

/// Number of keys by index, and which id bytes begin two-byte ids (`spec/records.md` section 1).
pub(super) struct DefinedIds {
    fields: BTreeMap<u16, u64>,
    wide: u32,
}

impl DefinedIds {
    /// Returns the structures of a shared list, given by their numbers of keys.
    pub(super) fn new(shared: &[usize]) -> DefinedIds {
        let wide = (32..shared.len().min(64)).fold(0, |flags, index| flags | 1 << (index - 32));
        let fields = shared
            .iter()
            .enumerate()
            .map(|(index, &fields)| (index as u16, fields as u64))
            .collect();
        DefinedIds { fields, wide }
    }

    pub(super) fn define(&mut self, id: Id, fields: u64) {
        self.fields.insert(id.index(), fields);
        if id.wide {
            self.wide |= id.flag();
        } else {
            self.wide &= !id.flag();
        }
    }

    /// Returns the number of values of a record with this id.
    pub(super) fn fields(&self, id: Id) -> Result<u64, &'static str> {
        if id.flag() != 0 && (self.wide & id.flag() != 0) != id.wide {
            return Err("the ids that begin with this byte have the other form here");
        }
        self.fields
            .get(&id.index())
            .copied()
            .ok_or("no record with this id is defined here")
    }

    /// Returns whether a decoder reads this byte as the beginning of a record.
    pub(super) fn means_record(&self, byte: u8) -> bool {
        let id = Id {
            bytes: [byte, 0],
            wide: false,
        };
        self.wide & id.flag() != 0 || self.fields.contains_key(&id.index())
    }
}
