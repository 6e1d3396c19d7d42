//! Reading the bytes of a message, value by value.
//!
//! | file | what it does |
//! |---|---|
//! | [`decoder`] | reads one value and makes every check of it; `containers` and `records` are parts of it |
//! | [`fast`] | reads one value of plain data, with the default options |
//! | [`columns`], [`hook`] | values that are stored by column, and what the room `columns` does for them |
//! | [`pull`] | goes from value to value and knows which containers are open |
//! | [`skip`] | passes over plain values |
//! | [`passing`] | passes over the rest of a message at fault |
//! | [`depth`] | the depth limit: nothing else compares with it |
//! | [`tree`] | builds a tree of a message |
//! | [`keys`], [`names`] | compare the keys of maps |
//!
//! No recursion and, for plain data of moderate depth, no allocation.

#[cfg(feature = "alloc")]
mod columns;
mod container;
mod containers;
mod decoder;
mod depth;
mod fast;
mod fault;
mod frames;
#[cfg(feature = "alloc")]
mod hook;
#[cfg(feature = "alloc")]
mod keys;
#[cfg(feature = "alloc")]
mod names;
mod native_stack;
#[cfg(feature = "alloc")]
mod passing;
mod pull;
#[cfg(feature = "alloc")]
mod records;
pub(crate) mod rules;
#[cfg(feature = "alloc")]
mod shift;
mod sink;
mod skip;
#[cfg(feature = "alloc")]
pub(crate) mod tree;

pub use container::Container;
#[cfg(feature = "alloc")]
pub(crate) use container::OpenContainer;
#[cfg(feature = "std")]
pub(crate) use decoder::ENDLESS;
pub(crate) use decoder::ValueDecoder;
pub(crate) use depth::{Depth, check_depth};
#[cfg(feature = "alloc")]
pub(crate) use fast::FastDecoder;
pub(crate) use fault::Fault;
#[cfg(any(feature = "columns", feature = "notation"))]
pub(crate) use hook::COLUMNS_EXT;
#[cfg(feature = "columns")]
pub(crate) use hook::{ALWAYS_ALLOWED, ColumnsReader, Malformed, PayloadHeader};
#[cfg(feature = "alloc")]
pub(crate) use hook::{ColumnsExt, OrMalformed};
pub(crate) use native_stack::NativeStack;
#[cfg(feature = "alloc")]
pub(crate) use passing::Passing;
pub use pull::Role;
pub(crate) use pull::{Pull, PullStep, check_trailing};
#[cfg(feature = "alloc")]
pub(crate) use records::RecordState;
#[cfg(feature = "serde")]
pub(crate) use sink::Nothing;
pub(crate) use sink::{ValueSink, makes};
pub(crate) use skip::skip_plain;
