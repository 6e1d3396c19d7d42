//! Recursive types, as deep as the limit and beyond, on a stack of 1 MiB.
//!
//! Without optimisation the frames of derived code are ten times larger, and reading stops with
//! `depth_limit` at the end of the stack that it may use. `make test-rust` runs this file both ways.

#[path = "../../packord/tests/support/small_stacks.rs"]
mod small_stacks;

use packord::{Error, ErrorKind, MsgPacker, Packable, Unpackable};
use small_stacks::on_stack;
use std::collections::BTreeMap;

/// Returns `open` repeated `levels` times, and `inner` in the innermost.
fn nested(open: &[u8], levels: usize, inner: &[u8]) -> Vec<u8> {
    [&open.repeat(levels)[..], inner].concat()
}

/// Reads and writes 1024 nested containers; one more is an error in both directions, and so are very
/// many.
fn reaches_the_limit<T: Packable + Unpackable + 'static>(
    open: &'static [u8],
    each: usize,
    inner: &'static [u8],
    wrap: fn(T) -> T,
) {
    on_stack(1024, move || {
        let levels = if cfg!(debug_assertions) { 64 } else { 1024 } / each;
        let bytes = nested(open, levels - 1, inner);
        let value = T::unpack(&bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(value.pack_to_vec(), bytes);
        let limit = |error: Error| error.kind() == ErrorKind::DepthLimit;
        if levels == 1024 / each {
            assert!(value_of(wrap(value).try_pack_to_vec()).is_err_and(limit));
            assert!(value_of(T::unpack(&nested(open, levels, inner))).is_err_and(limit));
        }
        assert!(value_of(T::unpack(&open.repeat(100_000))).is_err_and(limit));
    });
}

/// Dropping a deep value takes stack too, so it is done separately.
fn value_of<T>(outcome: Result<T, Error>) -> Result<(), Error> {
    outcome.map(drop)
}

#[derive(MsgPacker)]
struct Node {
    value: u8,
    children: Vec<Node>,
}

#[test]
fn trees_of_structs_reach_the_depth_limit() {
    reaches_the_limit::<Node>(&[0x92, 1, 0x91], 2, &[0x92, 1, 0x90], |node| Node {
        value: 1,
        children: vec![node],
    });
}

/// A program can build a value that is deeper than any stack: its bound looks at a part of it.
#[test]
fn writing_a_value_deeper_than_the_stack_is_an_error() {
    on_stack(1024, || {
        let mut chain = Chain {
            name: String::new(),
            next: None,
        };
        let mut tree = Node {
            value: 1,
            children: Vec::new(),
        };
        for _ in 0..200_000 {
            chain = Chain {
                name: String::new(),
                next: Some(Box::new(chain)),
            };
            tree = Node {
                value: 1,
                children: vec![tree],
            };
        }
        let errors = [chain.try_pack_to_vec(), tree.try_pack_to_vec()].map(Result::unwrap_err);
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::DepthLimit);
        }
        // Dropping them the usual way takes stack for each level.
        while let Some(next) = chain.next.take() {
            chain = *next;
        }
        while let Some(child) = tree.children.pop() {
            tree = child;
        }
    });
}

#[derive(MsgPacker)]
#[msgpacker(map)]
struct Chain {
    name: String,
    next: Option<Box<Chain>>,
}

#[test]
fn chains_of_maps_reach_the_depth_limit() {
    let (open, inner) = (b"\x82\xa4name\xa0\xa4next", b"\x82\xa4name\xa0\xa4next\xc0");
    reaches_the_limit::<Chain>(open, 1, inner, |next| Chain {
        name: String::new(),
        next: Some(Box::new(next)),
    });
}

#[derive(MsgPacker)]
enum Expression {
    Number(i64),
    Not(Box<Expression>),
    All(Vec<Expression>),
}

#[test]
fn enums_of_boxes_reach_the_depth_limit() {
    reaches_the_limit::<Expression>(b"\x81\xa3Not", 1, b"\x81\xa6Number\x01", |inner| {
        Expression::Not(Box::new(inner))
    });
}

#[test]
fn enums_of_lists_reach_the_depth_limit() {
    reaches_the_limit::<Expression>(b"\x81\xa3All\x91", 2, b"\x81\xa3All\x90", |inner| {
        Expression::All(vec![inner])
    });
    assert!(matches!(
        Expression::unpack(b"\x81\xa6Number\x07"),
        Ok(Expression::Number(7))
    ));
}

#[derive(MsgPacker)]
struct Folder(BTreeMap<String, Folder>);

#[test]
fn maps_of_themselves_reach_the_depth_limit() {
    reaches_the_limit::<Folder>(b"\x81\xa1a", 1, b"\x80", |inner| {
        Folder(BTreeMap::from([("a".to_owned(), inner)]))
    });
}
