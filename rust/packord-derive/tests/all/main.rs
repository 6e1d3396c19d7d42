//! The tests of the macros, as one program.

mod evolution;
mod messages;
mod ui;
