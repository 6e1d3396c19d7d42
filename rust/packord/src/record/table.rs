//! The structures that a decoder knows, by index. A copy costs nothing until it is changed. So a
//! decoder keeps one from before each message and goes back to it after an error.

use super::structure::{RecordHead, Structure, Structures};
use super::{FIRST_ID, FIRST_TWO_BYTE_ID, MAX_STRUCTURES};
use alloc::sync::Arc;
use alloc::vec::Vec;

const PAGE: usize = 32;
type Page = [Option<Structure>; PAGE];

/// The structures that are known at a place in the data.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// `None` before the first definition, so that a decoder without records allocates nothing.
    pages: Option<Arc<Vec<Option<Arc<Page>>>>>,
    /// Whether each of the bytes 60 to 7f begins a two-byte id.
    two_byte: u32,
}

/// What a byte from 40 to 7f begins where records are on.
#[derive(Debug)]
pub enum Reference {
    /// An integer.
    Int,
    /// A record.
    Record(RecordHead),
    /// An id of two bytes without a structure.
    Undefined,
    /// An id whose second byte is not there.
    Cut,
}

impl Table {
    /// Returns the table of structures that both sides know.
    #[must_use]
    pub fn new(shared: &Structures) -> Table {
        let mut table = Table::default();
        table.add(shared);
        table
    }

    /// Defines those shared structures whose index has no structure yet.
    pub(crate) fn add(&mut self, shared: &Structures) {
        for (index, structure) in shared.iter().take(MAX_STRUCTURES).enumerate() {
            let index = index as u16;
            if self.get(index).is_none() {
                self.define(index, index >= 32, structure.clone());
            }
        }
    }

    /// Defines a structure, in place of the one that has its index.
    pub fn define(&mut self, index: u16, two_byte: bool, structure: Structure) {
        let (page, place) = (usize::from(index) / PAGE, usize::from(index) % PAGE);
        let pages = Arc::make_mut(self.pages.get_or_insert_default());
        if pages.len() <= page {
            pages.resize(page + 1, None);
        }
        if let Some(slot) = pages.get_mut(page) {
            Arc::make_mut(slot.get_or_insert_default())[place] = Some(structure);
        }
        if usize::from(index) >= PAGE {
            let bit = 1 << place;
            self.two_byte = if two_byte {
                self.two_byte | bit
            } else {
                self.two_byte & !bit
            };
        }
    }

    pub(crate) fn get(&self, index: u16) -> Option<&Structure> {
        let pages = self.pages.as_ref()?;
        let page = pages.get(usize::from(index) / PAGE)?.as_ref()?;
        page[usize::from(index) % PAGE].as_ref()
    }

    /// Returns the structures, with the form that an id of their first byte has.
    pub(crate) fn iter(&self) -> impl Iterator<Item = RecordHead> {
        let pages = self.pages.iter().flat_map(|pages| pages.iter()).enumerate();
        let slots = pages.flat_map(|(page, slots)| {
            let slots = slots.iter().flat_map(|slots| slots.iter()).enumerate();
            slots.map(move |(place, slot)| (page * PAGE + place, slot))
        });
        slots.filter_map(|(index, slot)| {
            let structure = slot.clone()?;
            let first = FIRST_TWO_BYTE_ID + (index % PAGE) as u8;
            Some(RecordHead {
                structure,
                index: index as u16,
                two_byte: index >= PAGE && self.is_two_byte(first),
                defined: false,
            })
        })
    }

    /// Returns whether the byte, from 40 to 7f, begins a two-byte id.
    pub(crate) fn is_two_byte(&self, id: u8) -> bool {
        id >= FIRST_TWO_BYTE_ID && self.two_byte >> (id - FIRST_TWO_BYTE_ID) & 1 == 1
    }

    /// Returns what the bytes, which begin with one from 40 to 7f, refer to.
    #[must_use]
    pub fn find(&self, bytes: &[u8]) -> Reference {
        let Some(&id) = bytes.first() else {
            return Reference::Cut;
        };
        let two_byte = self.is_two_byte(id);
        let high = match bytes.get(1) {
            _ if !two_byte => 0,
            Some(high) => *high,
            None => return Reference::Cut,
        };
        let index = u16::from(id - FIRST_ID) + 32 * u16::from(high);
        match self.get(index).filter(|_| high != 0xff) {
            Some(structure) => Reference::Record(RecordHead {
                structure: structure.clone(),
                index,
                two_byte,
                defined: false,
            }),
            None if two_byte => Reference::Undefined,
            None => Reference::Int,
        }
    }
}
