//! Recursive types on stacks of any size: an error, and never the end of the process. Each stack is
//! that of a thread in a child process, as an overflow would end the tests too.

#[path = "../../packord/tests/support/small_stacks.rs"]
mod small_stacks;

use packord::typed::{Failed, Writer};
use packord::{ErrorKind, MsgPacker, Packable};
use serde::{Deserialize, Serialize};
use small_stacks::{arrays, chain};

#[derive(Serialize, Deserialize, MsgPacker)]
enum Tree {
    L(u8),
    N(Vec<Tree>),
}

/// A level of this type takes more stack than its bytes in the input.
#[derive(Serialize, Deserialize, MsgPacker)]
#[msgpacker(map)]
struct Wide {
    numbers: [u64; 16],
    next: Option<Box<Wide>>,
}

#[derive(Serialize, Deserialize, MsgPacker)]
struct Tuple(u8, Option<Box<Tuple>>);

#[derive(MsgPacker)]
#[msgpacker(untagged)]
enum Untagged {
    L(u8),
    N(Vec<Untagged>),
}

/// It is read without an end from any value but nil.
#[derive(Serialize, Deserialize)]
struct Endless(Option<Box<Endless>>);

/// It is written by hand.
struct ByHand(usize);

impl Packable for ByHand {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        match self.0 {
            0 => writer.nil(),
            left => writer.array(1, |array| array.element(&ByHand(left - 1))),
        }
    }
}

fn tree(levels: usize) -> Vec<u8> {
    let mut bytes = b"\x81\xa1N\x91".repeat(levels);
    bytes.extend(b"\x81\xa1L\x07");
    bytes
}

fn tuple(levels: usize) -> Vec<u8> {
    let mut bytes = b"\x92\x01".repeat(levels);
    bytes.push(0xc0);
    bytes
}

/// Reads values of each type, and returns the kinds of the errors.
fn read_all(levels: usize) -> Vec<Option<ErrorKind>> {
    fn by_serde<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Option<ErrorKind> {
        let outcome = packord::serde::from_slice::<T>(bytes);
        outcome.err().map(|error| error.kind())
    }
    fn by_traits<T: packord::Unpackable>(bytes: &[u8]) -> Option<ErrorKind> {
        let outcome = T::unpack(bytes);
        outcome.err().map(|error| error.kind())
    }
    vec![
        by_serde::<Tree>(&tree(levels)),
        by_serde::<Wide>(&chain(levels)),
        by_serde::<Tuple>(&tuple(levels)),
        by_serde::<serde_json::Value>(&arrays(levels)),
        by_serde::<rmpv::Value>(&arrays(levels)),
        by_traits::<Tree>(&tree(levels)),
        by_traits::<Wide>(&chain(levels)),
        by_traits::<Tuple>(&tuple(levels)),
    ]
}

fn write_all() {
    let mut deep = Tree::L(7);
    for _ in 0..20_000 {
        deep = Tree::N(vec![deep]);
    }
    let error = packord::serde::to_vec(&deep).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
    let error = deep.try_pack_to_vec().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
    let error = ByHand(20_000).try_pack_to_vec().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
    // Its destructor recurses without a limit.
    std::mem::forget(deep);
}

fn check() {
    assert_eq!(read_all(2), vec![None; 8], "flat values are read");
    for levels in [5000, 20_000] {
        assert_eq!(
            read_all(levels),
            vec![Some(ErrorKind::DepthLimit); 8],
            "deep values are an error"
        );
    }
    // Within the maximum depth the stack may be enough or not. No variant is refused for its end.
    let mut bytes = arrays(900);
    *bytes.last_mut().unwrap() = 7;
    if let Err(error) = <Untagged as packord::Unpackable>::unpack(&bytes) {
        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
    }
    // Values of any type need no stack for depth, by serde too.
    assert!(packord::from_slice::<packord::Value>(&arrays(1000)).is_ok());
    assert!(packord::serde::from_slice::<packord::ValueRef<'_>>(&arrays(1000)).is_ok());
    let endless = packord::serde::from_slice::<Endless>(b"\x07");
    assert_eq!(endless.err().map(|error| error.kind()), Some(ErrorKind::DepthLimit));
    assert!(packord::serde::from_slice::<Endless>(b"\xc0").is_ok());
    write_all();
}

#[test]
fn no_recursive_type_overflows_a_stack_of_128_kib_to_8_mib() {
    let name = "no_recursive_type_overflows_a_stack_of_128_kib_to_8_mib";
    small_stacks::check_on_stacks(name, &[128, 160, 256, 512, 768, 1024, 2048, 8192], check);
}
