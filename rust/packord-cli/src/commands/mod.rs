//! One module for each command.

pub mod compare;
pub mod inspect;
pub mod pack;
pub mod sample;
pub mod unpack;
pub mod validate;
