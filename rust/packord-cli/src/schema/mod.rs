//! Types that are inferred from messages.

mod infer;
mod shape;
mod texts;
mod types;

pub use infer::Inference;
pub use types::{Field, NamedType, Type, Types, is_reserved, pascal};
