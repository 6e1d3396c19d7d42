//! Writes values that are not columns: plainly, or with records.

use super::nodes::{NodeList, Wire};
use super::sections::append;
use super::shapes::NO_SHAPE;
use crate::record::{EXT_TYPE, NamedRecord, RecordIds};
use crate::wire::{Store, marker as m};
use alloc::vec::Vec;

/// The ids of records for the maps of a message; `None` writes plain maps.
#[derive(Debug)]
pub(super) struct MapNames<'r> {
    ids: Option<&'r mut RecordIds>,
    /// The ids of shapes that were named before.
    known: Vec<Option<KnownId>>,
    keys: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct KnownId {
    index: u16,
    /// The number of own structures from which on the id is that of another.
    until: usize,
}

impl<'r> MapNames<'r> {
    pub fn new(ids: Option<&'r mut RecordIds>) -> MapNames<'r> {
        MapNames {
            ids,
            known: Vec::new(),
            keys: Vec::new(),
        }
    }

    pub fn is_plain(&self) -> bool {
        self.ids.is_none()
    }

    /// Appends the id of a map, with a definition where it is new. Returns `false` if it is a plain
    /// map.
    fn put(&mut self, nodes: &NodeList<'_>, map: u32, out: &mut Vec<u8>) -> bool {
        let Some(ids) = &mut self.ids else {
            return false;
        };
        let shape = nodes.shape(map);
        if shape == NO_SHAPE || nodes.shapes.key_count(shape) > ids.space().max_keys {
            return false;
        }
        let place = shape as usize;
        let known = self.known.get(place).copied().flatten();
        if let Some(known) = known.filter(|known| ids.own_count() < known.until) {
            let (id, len) = ids.space().id(known.index);
            append(out, &id[..len]);
            return true;
        }
        self.keys.clear();
        nodes.shapes.keys_of(shape, &mut self.keys);
        let names: Option<Vec<&str>> = self
            .keys
            .iter()
            .map(|&key| core::str::from_utf8(nodes.shapes.keys()[key as usize]).ok())
            .collect();
        let record = names.and_then(|names| ids.name_keys(names.into_iter(), None));
        let Some(record) = record else {
            return false;
        };
        let until = if record.defines.is_some() {
            Some(ids.own_count() + ids.space().max_own)
        } else if ids.space().is_shared(record.index) {
            Some(usize::MAX)
        } else {
            // It was defined by an earlier message.
            None
        };
        if let Some(until) = until {
            if self.known.len() <= place {
                self.known.resize(nodes.shapes.len(), None);
            }
            self.known[place] = Some(KnownId {
                index: record.index,
                until,
            });
        }
        put_name(&record, out);
        true
    }
}

/// Appends an id, and the definition if there is one.
fn put_name(named: &NamedRecord, out: &mut Vec<u8>) {
    let (id, len) = named.id();
    let Some(structure) = &named.defines else {
        return append(out, &id[..len]);
    };
    // A vector takes all of these.
    let _ = out.put_ext(EXT_TYPE, &id[..len]);
    let _ = out.put_array(structure.len());
    for key in structure.keys() {
        let _ = out.put_str(key.as_bytes());
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// It was written.
    Taken,
    /// It could be columns, and is not.
    Refused,
    /// It cannot be columns.
    Passed,
}

/// Refusals on a path after which no more are tried.
pub(super) const MOST_REFUSALS: u8 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NextValue {
    Array,
    Key,
    Value,
    Record,
}

/// A container whose values are being written.
#[derive(Clone, Copy, Debug)]
struct OpenValues {
    next: u32,
    end: u32,
    form: NextValue,
    refusals: u8,
}

/// Appends a value. `attempt` gets each container in it around which few were refused, and may write it
/// otherwise.
#[inline(always)]
pub(super) fn write_value<'p>(
    nodes: &mut NodeList<'p>,
    root: u32,
    names: &mut MapNames<'_>,
    out: &mut Vec<u8>,
    mut attempt: impl FnMut(&mut NodeList<'p>, u32, &mut Vec<u8>) -> Attempt,
) {
    let mut around: Vec<OpenValues> = Vec::new();
    let mut open = OpenValues {
        next: root,
        end: nodes.next(root),
        form: NextValue::Array,
        refusals: 0,
    };
    loop {
        if open.next >= open.end {
            match around.pop() {
                Some(outer) => open = outer,
                None => return,
            }
            continue;
        }
        let is_key = open.form == NextValue::Key;
        let node = match open.form {
            // The structure has the key.
            NextValue::Record => open.next + 1,
            _ => open.next,
        };
        open.form = match open.form {
            NextValue::Key => NextValue::Value,
            NextValue::Value => NextValue::Key,
            form => form,
        };
        open.next = nodes.next(node);
        let wire = nodes.wire(node);
        if !wire.is_container() {
            match nodes.bytes(node) {
                // With records, these bytes are ids.
                &[byte @ 0x40..=0x7f] if !names.is_plain() => append(out, &[m::UINT8, byte]),
                bytes => append(out, bytes),
            }
            continue;
        }
        let mut refusals = if is_key { MOST_REFUSALS } else { open.refusals };
        if refusals < MOST_REFUSALS {
            match attempt(nodes, node, out) {
                Attempt::Taken => continue,
                Attempt::Refused => refusals += 1,
                Attempt::Passed => {}
            }
        }
        if refusals >= MOST_REFUSALS && names.is_plain() {
            append(out, nodes.bytes(node));
            continue;
        }
        let form = if wire == Wire::Map && names.put(nodes, node, out) {
            NextValue::Record
        } else {
            append(out, nodes.between(node, node + 1));
            if wire == Wire::Map {
                NextValue::Key
            } else {
                NextValue::Array
            }
        };
        let inner = OpenValues {
            next: node + 1,
            end: open.next,
            form,
            refusals,
        };
        around.push(core::mem::replace(&mut open, inner));
    }
}
