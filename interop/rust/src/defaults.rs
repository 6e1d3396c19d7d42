//! What is packed and read without an option, with the types of the runner of the vectors.

use crate::support;
use packord::{Error, Packable, Value, from_slice, to_vec};
use serde_json::Value as Json;

#[path = "../../../rust/packord-typed-tests/tests/defaults/natives.rs"]
mod natives;
#[allow(dead_code, reason = "the runner reads values back into their types")]
#[path = "../../../rust/packord-typed-tests/tests/defaults/types.rs"]
mod types;

/// The traits that write a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Face {
    Serde,
    Derive,
}

/// Packs a NATIVE, each type that it stands for, by serde or by packord's traits: to the same bytes.
pub fn pack(item: &[u8], face: &Json) -> Result<Vec<u8>, Error> {
    let json = serde_json::from_slice(item).expect("a NATIVE");
    let face = if face == "serde" { Face::Serde } else { Face::Derive };
    let mut written = Vec::new();
    for native in natives::natives(&json, face) {
        written.push(match face {
            Face::Serde => to_vec(&native)?,
            Face::Derive => native.try_pack_to_vec()?,
        });
    }
    assert!(written.windows(2).all(|pair| pair[0] == pair[1]), "{json}");
    Ok(written.swap_remove(0))
}

/// Packs the value of a message.
pub fn again(item: &[u8]) -> Result<Vec<u8>, Error> {
    to_vec(&from_slice::<Value>(item)?)
}
