//! Payloads of columns: what they stand for.
//!
//! | file | what it does |
//! |---|---|
//! | [`header`] | reads the header of a payload |
//! | [`directory`] | reads the directory: the nodes and their sections |
//! | [`integers`] | the integers of a node |
//! | [`cell`], [`cells`] | one value as a cell, and those of a column |
//! | [`check`] | all checks, and the budget |
//! | [`column`] | the next value of a column |
//! | [`plain`] | passes over values of MessagePack with their checks, also for the rows of containers |
//! | [`walk`] | goes through the values in their order |
//! | [`expand`] | writes the value as plain MessagePack |

mod cell;
mod cells;
mod check;
mod column;
mod directory;
mod expand;
mod header;
mod integers;
mod plain;
mod walk;

pub(crate) use cell::{CellValue, Unit};
#[cfg(feature = "arrow")]
pub(crate) use cell::{plain_cells, zero_at};
pub(crate) use cells::{cells_of, scaled_of, strs_of};
pub(crate) use check::check;
#[cfg(any(feature = "arrow", feature = "container"))]
pub(crate) use check::check_column;
pub(crate) use directory::{ColumnNode, Directory, StructLayout};
pub(crate) use expand::{expand, expand_column};
pub(crate) use header::header;
pub(crate) use integers::integers_of;
pub(crate) use walk::{Rows, walk};
#[cfg(feature = "container")]
pub(crate) use {expand::expand_elements, plain::extent};

pub(crate) use crate::read::{Malformed, OrMalformed, PayloadHeader};

#[inline(always)]
pub(super) fn need(holds: bool) -> OrMalformed<()> {
    if holds { Ok(()) } else { Err(Malformed) }
}
