//! Writes a [`Value`](crate::Value) to bytes. [`Packer`] writes without one.

#[cfg(feature = "alloc")]
mod equal;
#[cfg(feature = "alloc")]
mod order;
mod packer;
#[cfg(feature = "alloc")]
mod quick;
#[cfg(feature = "alloc")]
mod records;
#[cfg(feature = "alloc")]
mod sort;
#[cfg(feature = "alloc")]
mod tree;
#[cfg(feature = "alloc")]
mod value;

#[cfg(feature = "alloc")]
use equal::float_bits;
pub use packer::Packer;
#[cfg(feature = "alloc")]
pub use records::RecordEncoder;
#[cfg(feature = "alloc")]
pub(crate) use tree::Form;
#[cfg(feature = "alloc")]
pub use value::EncodeOptions;
#[cfg(feature = "columns")]
pub(crate) use value::WriteColumns;
#[cfg(feature = "alloc")]
pub(crate) use value::{normal_form, write_with};
