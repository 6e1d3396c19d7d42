//! What the garbage collector is told: which objects of Python a value holds.
//!
//! Objects of this module hold what they were made with, and take in nothing later but exceptions. A cycle then
//! leads through something that can be cleared, as one through a `tuple` does, and `__traverse__` is enough: no
//! call can meet a cleared object. The one class that takes in others, `Batches`, has `__clear__` as well.
//!
//! # Safety
//!
//! A reference is visited by one owner, once. Too few visits keep a cycle alive, and one too many frees an
//! object that is in use: what is shared by an `Arc` is visited by the object that outlives the others.

use pyo3::prelude::*;
use pyo3::pyclass::{PyTraverseError, PyVisit};

use super::object::Owned;
use super::shared::Guarded;

/// What `__traverse__` returns.
pub type Visited = Result<(), PyTraverseError>;

/// A value that holds objects of Python.
pub trait Holder {
    /// Calls with each of these objects.
    fn visit(&self, visit: &PyVisit<'_>) -> Visited;
}

/// Makes a type a [`Holder`] of what is in some of its fields.
macro_rules! holds {
    ($type:ty: $($field:ident),+) => {
        impl $crate::cpython::garbage::Holder for $type {
            fn visit(&self, visit: &pyo3::pyclass::PyVisit<'_>) -> $crate::cpython::garbage::Visited {
                $(self.$field.visit(visit)?;)+
                Ok(())
            }
        }
    };
}
pub(crate) use holds;

impl<T> Holder for Py<T> {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        visit.call(self)
    }
}

impl Holder for Owned {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        visit.call(self.as_py())
    }
}

impl<T: Holder> Holder for Option<T> {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        self.as_ref().map_or(Ok(()), |value| value.visit(visit))
    }
}

impl<T: Holder> Holder for [T] {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        self.iter().try_for_each(|value| value.visit(visit))
    }
}

impl<T: Holder, U: Holder> Holder for (T, U) {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        self.0.visit(visit)?;
        self.1.visit(visit)
    }
}

impl<T: Holder> Holder for Guarded<T> {
    /// What a call is using is not looked at: the object of the call is in use as well, so nothing that it
    /// holds can be garbage.
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        self.get().map_or(Ok(()), |value| value.visit(visit))
    }
}
