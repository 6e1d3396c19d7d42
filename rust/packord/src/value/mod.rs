//! Values of any shape: [`Value`] owns its strings and bytes, [`ValueRef`] borrows them from the
//! input. Both are one generic type, [`Tree`] within the crate.

mod integer;

#[cfg(feature = "alloc")]
mod change;
#[cfg(feature = "alloc")]
mod clone;
#[cfg(feature = "alloc")]
mod convert;
#[cfg(feature = "alloc")]
mod dismantle;
#[cfg(feature = "alloc")]
mod display;
#[cfg(feature = "alloc")]
mod ext;
#[cfg(feature = "alloc")]
pub(crate) mod float;
#[cfg(feature = "alloc")]
mod map;
#[cfg(feature = "alloc")]
#[allow(unsafe_code)]
pub(crate) mod raw;
#[cfg(feature = "alloc")]
mod tree;

#[cfg(feature = "alloc")]
pub(crate) use integer::Sign;
pub use integer::{Integer, IntegerRangeError};

#[cfg(feature = "alloc")]
pub use change::Build;
#[cfg(feature = "alloc")]
pub use convert::ValueTypeError;
#[cfg(feature = "alloc")]
pub(crate) use display::{Quoted, Shown};
#[cfg(feature = "alloc")]
pub use ext::Ext;
#[cfg(feature = "alloc")]
pub use map::{Array, Entry, Key, Map};
#[cfg(feature = "alloc")]
pub(crate) use map::{MapStorage, Pair};
#[cfg(feature = "alloc")]
pub use tree::{Value as Tree, ValueRef};

/// A value that owns its strings and bytes. [`generic::Value`](crate::generic::Value) has its variants
/// and methods, which it shares with [`ValueRef`].
///
/// ```
/// use packord::Value;
/// let value = Value::from([("id", 7)]);
/// assert_eq!(value["id"], 7);
/// ```
#[cfg(feature = "alloc")]
pub type Value = Tree<alloc::boxed::Box<str>, alloc::boxed::Box<[u8]>>;
