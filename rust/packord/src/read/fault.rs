//! [`Fault`]: what is wrong, and where in the input.

use crate::error::{Error, ErrorKind};

/// A failure at an index of the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub kind: ErrorKind,
    pub at: usize,
}

impl Fault {
    #[cold]
    pub fn new(kind: ErrorKind, at: usize) -> Fault {
        Fault { kind, at }
    }
}

impl From<Fault> for Error {
    #[cold]
    fn from(fault: Fault) -> Error {
        Error::at(fault.kind, fault.at as u64)
    }
}
