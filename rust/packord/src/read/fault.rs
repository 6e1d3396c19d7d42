//! [`Fault`]: what is wrong, and where in the input.

use crate::error::{Error, ErrorKind};

/// A failure at an index of the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub kind: ErrorKind,
    pub at: usize,
    /// Whether it ends a stream although others of its kind do not.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "streams need an allocator"))]
    is_last: bool,
}

impl Fault {
    #[cold]
    pub fn new(kind: ErrorKind, at: usize) -> Fault {
        Fault {
            kind,
            at,
            is_last: false,
        }
    }

    #[cold]
    pub fn last(self) -> Fault {
        Fault { is_last: true, ..self }
    }

    /// Returns whether a stream cannot go on after the message (`spec/format.md` section 6.1).
    #[cfg(feature = "alloc")]
    pub fn ends_stream(&self) -> bool {
        use ErrorKind::{Eof, RecordMalformed, RecordUndefined, ReservedMarker};
        let kind = self.kind;
        self.is_last || matches!(kind, Eof | ReservedMarker | RecordMalformed | RecordUndefined)
    }
}

impl From<Fault> for Error {
    #[cold]
    fn from(fault: Fault) -> Error {
        Error::at(fault.kind, fault.at as u64)
    }
}
