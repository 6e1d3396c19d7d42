//! What Python sees.

pub mod decoder;
pub mod encoder;
pub mod functions;
pub mod settings;
pub mod unpacker;
pub mod view;
