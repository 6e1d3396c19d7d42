//! Reading and writing JSON, with conventions for values that JSON does not have.
//!
//! | file | what it does |
//! |---|---|
//! | `parse` | the text of one value as MessagePack |
//! | `scalar` | that of its strings, numbers and words |
//! | `read` | the values of an input, in pieces that several threads convert |
//! | `lines` | the values of lines, without those at fault |
//! | `write` | values as text |
//! | `conventions` | objects that stand for values that JSON does not have |

pub mod conventions;
pub mod lines;
pub mod parse;
pub mod read;
mod scalar;
pub mod write;
