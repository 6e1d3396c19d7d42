//! Reading into types that the program has declared (`spec/format.md` section 5).
//!
//! `packord._types` looks at the annotations once and describes them as a list of nodes, which
//! [`plan`] turns into a [`plan::Plan`]; [`read`] builds objects straight from the bytes by it.

pub mod plan;
mod read;
mod record;
mod structure;
