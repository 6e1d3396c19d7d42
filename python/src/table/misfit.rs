//! Values that are none of their column.

use crate::errors::Kind;

/// Why a value is not one of a column.
#[derive(Debug, PartialEq)]
pub struct Misfit {
    pub kind: Kind,
    pub detail: String,
    /// The parts of its path within the row, the last one first.
    pub path: Vec<Part>,
}

/// A part of a path.
#[derive(Debug, PartialEq)]
pub enum Part {
    Key(Vec<u8>),
    Index(usize),
}

impl Misfit {
    pub fn new(kind: Kind, detail: String) -> Misfit {
        Misfit {
            kind,
            detail,
            path: Vec::new(),
        }
    }

    /// The bytes were checked before, so this is not met.
    pub fn malformed() -> Misfit {
        Misfit::new(Kind::InvalidExt, String::new())
    }

    pub fn within(mut self, part: impl FnOnce() -> Part) -> Misfit {
        self.path.push(part());
        self
    }
}

pub type Fitted<T = ()> = Result<T, Misfit>;
