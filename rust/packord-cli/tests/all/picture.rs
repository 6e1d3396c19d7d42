//! The picture of the front page.

#[path = "../../examples/picture.rs"]
mod example;

use std::fs;
use std::path::Path;

#[test]
fn the_picture_shows_the_present_output() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/inspect.svg");
    let shown = fs::read_to_string(file).unwrap();
    let drawn = example::draw(Path::new(env!("CARGO_BIN_EXE_packord"))).unwrap();
    assert!(shown == drawn, "docs/pictures/inspect.svg is stale: make pictures");
}
