//! Users of every type, and the code that `packord schema --to rust --name User` writes for them.

#[rustfmt::skip]
pub mod user;

/// The users as MessagePack.
pub fn packed() -> Vec<u8> {
    crate::tool::succeeds(&["pack"], include_bytes!("users.ndjson"))
}
