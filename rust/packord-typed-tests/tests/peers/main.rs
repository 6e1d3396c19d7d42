//! What the tests of rmp-serde, msgpacker and zerompk promise, in words of our own, each promise with
//! a check on packord; and the page `site/generated/rust-peers.md`, which says how many hold. To write the page
//! again, run this test with `PACKORD_WRITE_PAGE=1`.

mod msgpacker;
mod page;
mod rmp_read;
mod rmp_round;
mod rmp_types;
mod rmp_write;
mod support;
mod zerompk;
mod zerompk_derive;
mod zerompk_read;
mod zerompk_write;

/// A promise of tests of a peer.
struct Promise {
    /// How many tests of the peer make it.
    tests: usize,
    says: &'static str,
    /// Why it does not hold, if it does not.
    why: Option<&'static str>,
    /// Checks that it holds; or that packord does what `why` says instead.
    check: fn(),
}

/// A promise of a number of tests that holds.
fn holds(tests: usize, says: &'static str, check: fn()) -> Promise {
    Promise {
        tests,
        says,
        why: None,
        check,
    }
}

/// A promise of a number of tests that does not hold, with the reason, and a check of what packord
/// does instead.
fn differs(tests: usize, says: &'static str, why: &'static str, check: fn()) -> Promise {
    Promise {
        tests,
        says,
        why: Some(why),
        check,
    }
}

struct Peer {
    name: &'static str,
    /// The number of tests in its test files.
    tests: usize,
    promises: Vec<Promise>,
}

fn peers() -> [Peer; 3] {
    let join = |parts: Vec<Vec<Promise>>| parts.into_iter().flatten().collect();
    [
        Peer {
            name: "rmp-serde 1.3.1",
            tests: 154,
            promises: join(vec![
                rmp_read::promises(),
                rmp_types::promises(),
                rmp_write::promises(),
                rmp_round::promises(),
            ]),
        },
        Peer {
            name: "msgpacker 0.5.0",
            tests: 57,
            promises: msgpacker::promises(),
        },
        Peer {
            name: "zerompk 0.8.0",
            tests: 192,
            promises: join(vec![
                zerompk::promises(),
                zerompk_derive::promises(),
                zerompk_read::promises(),
                zerompk_write::promises(),
            ]),
        },
    ]
}

#[test]
fn every_promise_holds_or_has_a_reason() {
    let mut broken = Vec::new();
    for peer in peers() {
        let promises = peer.promises.iter();
        let fail = promises.filter(|promise| std::panic::catch_unwind(promise.check).is_err());
        broken.extend(fail.map(|promise| format!("{}: {}", peer.name, promise.says)));
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_test_of_a_peer_is_counted() {
    for peer in peers() {
        let counted: usize = peer.promises.iter().map(|promise| promise.tests).sum();
        assert_eq!(counted, peer.tests, "{}", peer.name);
        let mut says: Vec<_> = peer.promises.iter().map(|promise| promise.says).collect();
        says.sort_unstable();
        says.dedup();
        assert_eq!(says.len(), peer.promises.len(), "{}", peer.name);
    }
}

#[test]
fn the_page_says_what_the_promises_say() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../site/generated/rust-peers.md");
    let page = page::page(&peers());
    if std::env::var_os("PACKORD_WRITE_PAGE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), page);
}
