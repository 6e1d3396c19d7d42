//! Reading into types that the program has declared (`spec/format.md` section 5).
//!
//! `packord._typing.types` looks at the annotations once and describes them as a list of nodes, which
//! [`plan`] turns into a [`plan::TypePlan`]; [`read`] builds objects straight from the bytes by it.
//!
//! # Safety
//!
//! That of [`crate::decode`]. Also, classes of the program run code here: each object is held by
//! an `Owned` while it is built, and no pointer into an instance is kept across such a call. Values
//! are put into an instance only at places that `encode::plan` or [`crate::cpython::instance`] found for its class.

mod packed;
pub mod plan;
mod read;
mod record;
mod structure;
