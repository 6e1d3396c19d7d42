//! The line of `docs/security.md`, on a message of as many nested arrays as the argument says.

use packord::{DecodeOptions, Error, Value};

fn main() {
    let depth = std::env::args().nth(1).expect("a depth").parse().expect("a number");
    let bytes = [vec![0x91; depth], vec![0xc0]].concat();
    let read = || -> Result<Value, Error> {
        let value = DecodeOptions::new().max_nodes(10_000).max_depth(32).decode(&bytes)?;
        Ok(value)
    };
    if let Err(error) = read() {
        println!("{error}");
    }
}
