//! What Python sees.
//!
//! # Safety
//!
//! Python calls these functions with the GIL held and with references that last for the call. Code of
//! the program that runs meanwhile can call them again: state that changes is in a `Guarded`,
//! which refuses the second call. A returned null pointer always comes with the Python error set.

pub mod arrow;
pub mod columns;
pub mod container;
pub mod decoder;
pub mod encoder;
pub mod functions;
pub mod keywords;
pub mod ormsgpack;
pub mod settings;
pub mod unpacker;
pub mod view;
