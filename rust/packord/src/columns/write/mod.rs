//! Writes the plain encoding of a message again with columns.
//!
//! | file | what it does |
//! |---|---|
//! | [`nodes`], [`shapes`] | read the message as a list of nodes, and the keys of its maps |
//! | [`records`] | writes what is not columns |
//! | [`column`] | decides the kind of each column |
//! | [`dictionary`], [`structs`], [`ints`], [`floats`], [`strings`] | decide and write single kinds |
//! | [`sections`] | are the parts of a payload |
//! | [`table`] | finds equal keys and values |
//!
//! The rule is that of `spec/columns.md`, so every language writes the same bytes. No function
//! calls itself.

mod column;
mod dictionary;
mod floats;
mod ints;
mod nodes;
mod records;
mod sections;
mod shapes;
mod strings;
mod structs;
mod table;

use self::column::ColumnBuilder;
use self::nodes::{NodeList, Wire};
use self::records::{Attempt, MapNames, write_value};
use self::sections::Sections;
use super::kind as k;
use super::{EXT_TYPE, VERSION};
use crate::options::DEFAULT_MAX_EXPANSION;
use crate::read::ALWAYS_ALLOWED;
use crate::record::{IdSpace, RecordIds};
use crate::wire::Store;
use alloc::vec::Vec;

/// The elements or entries from which a container can be columns.
const FEWEST_VALUES: usize = 8;
/// The bytes from which it can.
const SMALLEST: usize = 512;
/// The bytes of the header that a payload is assumed to need.
const HEADER: usize = 6;

/// Appends a message with columns. `plain` is its plain encoding, and `records` has the ids of records around the
/// columns. Returns `false`, and has written nothing, if the bytes are not one plain message or are 4 GiB or more, and
/// if an ext would be read as a definition of a record.
pub(crate) fn write_columns(plain: &[u8], records: Option<&mut RecordIds>, out: &mut Vec<u8>) -> bool {
    if plain.len() < SMALLEST && records.is_none() {
        out.extend_from_slice(plain);
        return true;
    }
    let Some(mut nodes) = NodeList::new(plain) else {
        return false;
    };
    if nodes.has_definitions && records.is_some() {
        return false;
    }
    let mut writer = ColumnWriter {
        space: records.as_ref().map(|records| records.space().alone()),
        builder: ColumnBuilder::default(),
        payload: Vec::new(),
        other: Vec::new(),
    };
    let mut names = MapNames::new(records);
    write_value(&mut nodes, 0, &mut names, out, |nodes, node, out| {
        let attempt = writer.attempt(nodes, node);
        // Beside records, whose bytes can be more than the plain ones, a payload may be too long for an ext.
        if attempt == Attempt::Taken && out.put_ext(EXT_TYPE, &writer.payload).is_err() {
            return Attempt::Refused;
        }
        attempt
    });
    true
}

/// Returns the payload that stands for one plain message, whatever its size. `None` if the bytes are not one plain
/// message.
pub(crate) fn payload_of(plain: &[u8]) -> Option<Vec<u8>> {
    let mut nodes = NodeList::new(plain)?;
    let mut builder = ColumnBuilder::default();
    builder.write(&mut nodes, 0);
    let mut payload = Vec::new();
    write_payload(&builder.out, &nodes, 0, &mut payload);
    Some(payload)
}

/// Replaces `payload` by that of a value whose column was written.
fn write_payload(sections: &Sections, nodes: &NodeList<'_>, root: u32, payload: &mut Vec<u8>) {
    let Sections { directory, data } = sections;
    let size = nodes.size(root);
    let values = (nodes.next(root) - root) as usize;
    payload.clear();
    payload.push(VERSION);
    for number in [size, values, nodes.height(root) as usize, directory.len()] {
        // A vector takes every number.
        let _ = payload.put_uint(number as u64);
    }
    payload.reserve(directory.len() + data.len());
    payload.extend_from_slice(directory);
    payload.extend_from_slice(data);
    // What every reader allows by default.
    let least = size.saturating_sub(ALWAYS_ALLOWED as usize);
    let least = least.div_ceil(DEFAULT_MAX_EXPANSION as usize);
    payload.resize(payload.len().max(least), 0);
}

/// Decides which containers are columns.
struct ColumnWriter<'p> {
    /// The ids of records that a message has which is alone, if records are on.
    space: Option<IdSpace>,
    builder: ColumnBuilder<'p>,
    payload: Vec<u8>,
    /// The value without columns.
    other: Vec<u8>,
}

impl<'p> ColumnWriter<'p> {
    /// Makes the payload of a container if it is to be columns.
    fn attempt(&mut self, nodes: &mut NodeList<'p>, node: u32) -> Attempt {
        if nodes.size(node) < SMALLEST || !is_candidate(nodes, node) {
            return Attempt::Passed;
        }
        self.builder.write(nodes, node);
        if self.builder.out.directory.first() == Some(&k::PLAIN) {
            return Attempt::Refused;
        }
        write_payload(&self.builder.out, nodes, node, &mut self.payload);
        let other = match self.space {
            Some(space) => {
                self.other.clear();
                let mut ids = RecordIds::new(space, None);
                let mut names = MapNames::new(Some(&mut ids));
                write_value(nodes, node, &mut names, &mut self.other, |_, _, _| Attempt::Passed);
                self.other.len()
            }
            None => nodes.size(node),
        };
        if self.payload.len() + HEADER < other {
            Attempt::Taken
        } else {
            Attempt::Refused
        }
    }
}

/// Returns whether a container of enough bytes can be columns: an array, or a map that is used as a
/// table, not as a record.
fn is_candidate(nodes: &NodeList<'_>, node: u32) -> bool {
    let count = nodes.child_count(node);
    let is_table = match nodes.wire(node) {
        Wire::Array => count >= FEWEST_VALUES,
        _ => {
            let (entries, mut containers, mut strings) = (count / 2, 0, 0);
            if entries >= FEWEST_VALUES {
                for value in nodes.children(node).skip(1).step_by(2) {
                    let wire = nodes.wire(value);
                    containers += usize::from(wire.is_container());
                    strings += usize::from(wire == Wire::Str);
                }
            }
            entries >= FEWEST_VALUES && (8 * containers >= 7 * entries || strings == entries)
        }
    };
    is_table && !nodes.has_columns(node)
}
