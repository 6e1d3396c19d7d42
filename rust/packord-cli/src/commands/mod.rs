//! One module for each command.

pub mod compare;
pub mod container;
pub mod diff;
pub mod get;
pub mod inspect;
pub mod pack;
pub mod repair;
pub mod sample;
pub mod schema;
pub mod shell;
pub mod stats;
pub mod unpack;
pub mod validate;
#[cfg(feature = "terminal")]
pub mod view;
