//! Payloads of columns: what they stand for.
//!
//! | file | what it does |
//! |---|---|
//! | [`header`] | reads the header of a payload |
//! | [`directory`] | reads the directory: the nodes and their sections |
//! | [`integers`] | the integers of a node |
//! | [`column`] | the next value of a column |
//! | [`plain`] | passes over values of MessagePack within a payload |
//! | [`walk`] | goes through the values in their order, within the budget |
//! | [`expand`] | writes the value as plain MessagePack |

mod column;
mod directory;
mod expand;
mod header;
mod integers;
mod plain;
mod walk;

pub(crate) use column::{scaled_of, strs_of};
pub(crate) use directory::{ColumnNode, Directory, StructLayout};
#[cfg(feature = "container")]
pub(crate) use expand::expand_elements;
pub(crate) use expand::{check, expand, expand_column};
pub(crate) use header::PayloadHeader;
pub(crate) use integers::integers_of;
pub(crate) use plain::{CellValue, cell_of, extent};
pub(crate) use walk::{Rows, Walk, walk_column};

/// A payload that breaks a rule of the page. All such faults have one kind and one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Malformed;

pub(crate) type OrMalformed<T> = core::result::Result<T, Malformed>;

/// Fails unless the condition holds.
#[inline(always)]
fn need(holds: bool) -> OrMalformed<()> {
    if holds { Ok(()) } else { Err(Malformed) }
}
