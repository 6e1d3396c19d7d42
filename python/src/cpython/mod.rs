//! CPython: its objects, and all that knows how it lays them out in memory.
//!
//! # Safety
//!
//! Each module says what its functions rely on. The layouts are those of CPython's own headers, and each is
//! guarded by the versions that it is true for: `build.rs` says which.

#[cfg(known_layout)]
pub mod dict_layout;
pub mod garbage;
pub mod instance;
pub mod object;
pub mod shared;
pub mod stack;
pub mod state;
