//! Ext types: their codes, and the elements of typed arrays (`spec/extensions.md`).

pub mod number;

pub use packord::ext::{DATE, DECIMAL, DURATION, KEYWORD, RATIO, SET, TIME, UUID};

/// Arrays of any type and number of dimensions.
pub const ARRAY: i8 = 90;

/// Tables, which `packord.integrations.tables` reads: values, as those of a container are.
pub const TABLE: i8 = 91;
