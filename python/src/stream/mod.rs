//! Messages one after another (`spec/format.md` section 6).

pub mod scanner;
pub mod unpacker;
