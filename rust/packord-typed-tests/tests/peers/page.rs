//! The page, from the promises.

use super::{Peer, Promise};
use std::fmt::Write;

const HEAD: &str = "# What the tests of other packages for Rust promise

For programs in Rust that use another package, and rely on what its own tests promise. `rust/packord-typed-tests/tests/peers`
states each promise of the tests of rmp-serde, msgpacker and zerompk in words of its own, checks it on packord,
and writes this page. A promise counts once for each test of the other package that makes it; tests that differ
only in the width of a number, or in where the bytes go, are one promise.

A promise holds if the same program, with packord's names and options in place of the other's, does the
same. For each that does not hold, a check shows what packord does instead.

The promises of msgpacker are those of an earlier release. The tests of 0.7.2 themselves are run with packord in its
place, and [the guide](from-msgpacker.md) says how many pass.

";

pub fn page(peers: &[Peer]) -> String {
    let mut page = HEAD.to_owned();
    page += "| package | its tests | of these hold | do not hold |\n|---|--:|--:|--:|\n";
    for peer in peers {
        let not = differing(peer).map(|promise| promise.tests).sum::<usize>();
        let (name, tests, hold) = (peer.name, peer.tests, peer.tests - not);
        writeln!(page, "| {name} | {tests} | {hold} | {not} |").unwrap();
    }
    for peer in peers {
        writeln!(page, "\n## {}: what does not hold\n", peer.name).unwrap();
        page += "| promise | tests | why not |\n|---|--:|---|\n";
        for promise in differing(peer) {
            let why = promise.why.unwrap_or_default();
            writeln!(page, "| {} | {} | {why} |", promise.says, promise.tests).unwrap();
        }
    }
    page += "\nWhat else changes is in the guides from [rmp-serde](from-rmp-serde.md) and \
             [msgpacker](from-msgpacker.md).\n";
    page
}

fn differing(peer: &Peer) -> impl Iterator<Item = &Promise> {
    let promises = peer.promises.iter();
    promises.filter(|promise| promise.why.is_some())
}
