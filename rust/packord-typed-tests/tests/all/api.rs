//! The public items of the crate, from the list that `make test-api` holds. It is not in the package.

use std::fs;
use std::path::Path;

/// The enums that programs may match without `_`: that of msgpacker, whose programs do.
const EXHAUSTIVE: [&str; 1] = ["packord::compat::msgpacker::Extension"];

#[test]
fn enums_may_grow() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../packord/public-api.txt");
    let list = fs::read_to_string(list).unwrap();
    let closed = list.lines().filter_map(|line| line.strip_prefix("pub enum "));
    assert_eq!(closed.collect::<Vec<_>>(), EXHAUSTIVE);
}
