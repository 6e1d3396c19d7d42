//! Bytes: markers, headers, raw reads and writes, text (`spec/format.md` section 2).

pub mod integer;
pub mod marker;
pub mod skip;
pub mod text;
pub mod value_type;
pub mod writer;
