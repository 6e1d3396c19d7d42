//! Packing of the types of the standard library, from the tests of zerompk.

use super::support::{packs, refusal, round};
use super::{Promise, differs, holds};
use packord::io::{PackWriter, UnpackReader};
use packord::{ErrorKind, MsgPacker, Packable, Unpackable};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, LinkedList, VecDeque};
use std::rc::Rc;

#[derive(MsgPacker, PartialEq, Debug)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(MsgPacker, PartialEq, Debug)]
struct Nested {
    name: String,
    one: Point,
    other: Option<Point>,
    numbers: Vec<i32>,
}

pub fn promises() -> Vec<Promise> {
    let mut all = values();
    all.extend(collections());
    all.extend(buffers());
    all
}

fn values() -> Vec<Promise> {
    vec![
        holds(2, "a struct comes back", || {
            round(&Point { x: 10, y: 20 }, b"\x92\x0a\x14");
            round(&Point { x: -10, y: 20 }, b"\x92\xf6\x14");
        }),
        holds(
            2,
            "a struct of structs comes back, with and without an optional one",
            || {
                let (name, one) = (|| "Test".to_owned(), || Point { x: 10, y: 20 });
                let other = Some(Point { x: 30, y: 40 });
                let full = Nested {
                    name: name(),
                    one: one(),
                    other,
                    numbers: vec![1, 2],
                };
                round(&full, b"\x94\xa4Test\x92\x0a\x14\x92\x1e\x28\x92\x01\x02");
                let bare = Nested {
                    name: name(),
                    one: one(),
                    other: None,
                    numbers: vec![],
                };
                round(&bare, b"\x94\xa4Test\x92\x0a\x14\xc0\x90");
            },
        ),
        holds(3, "booleans, the unit and Options have one byte", || {
            round(&true, b"\xc3");
            round(&(), b"\xc0");
            round(&Some(42), b"\x2a");
            round(&None::<i32>, b"\xc0");
        }),
        differs(
            1,
            "a Result is written as an array of a bool and the value",
            "It is a map from `Ok` or `Err` to the value, as serde has it.",
            || {
                round(&Ok::<_, String>(42), b"\x81\xa2Ok\x2a");
                round(&Err::<i32, _>("ng".to_owned()), b"\x81\xa3Err\xa2ng");
            },
        ),
        holds(2, "integers at the limits of each format have the smaller one", || {
            round(&128_u8, b"\xcc\x80");
            round(&256_u16, b"\xcd\x01\0");
            round(&65_536_u32, b"\xce\0\x01\0\0");
            round(&-33_i8, b"\xd0\xdf");
            round(&-129_i16, b"\xd1\xff\x7f");
            round(&-32_769_i32, b"\xd2\xff\xff\x7f\xff");
        }),
        differs(
            1,
            "a positive number of a signed type is in an int format",
            "It is in a uint format, which is as short or shorter, so that equal numbers are equal \
             bytes. Both are read.",
            || {
                round(&32_768_i32, b"\xcd\x80\0");
                assert_eq!(i32::unpack(b"\xd2\0\0\x80\0").unwrap(), 32_768);
            },
        ),
        holds(2, "strings have the smallest of their headers", || {
            assert_eq!("a".repeat(31).pack_to_vec()[..1], *b"\xbf");
            assert_eq!("a".repeat(32).pack_to_vec()[..2], *b"\xd9\x20");
            assert_eq!("a".repeat(256).pack_to_vec()[..3], *b"\xda\x01\0");
        }),
        holds(1, "nil is not an integer", || {
            assert_eq!(refusal::<i32>(b"\xc0"), "type_mismatch");
        }),
    ]
}

fn collections() -> Vec<Promise> {
    vec![
        holds(
            4,
            "Vecs, slices and Cows are arrays, with a longer header from 16 on",
            || {
                round(&vec![1, 2, 3], b"\x93\x01\x02\x03");
                packs(&[1, 2, 3][..], b"\x93\x01\x02\x03");
                packs(&Cow::Borrowed(&[1, 2, 3][..]), b"\x93\x01\x02\x03");
                assert_eq!(vec![0_i32; 16].pack_to_vec()[..3], *b"\xdc\0\x10");
            },
        ),
        holds(1, "a tuple comes back", || {
            round(&(1, true, "a".to_owned()), b"\x93\x01\xc3\xa1a");
        }),
        holds(1, "a Box and an Rc are what they hold", || {
            round(&Box::new(123), b"\x7b");
            round(&Rc::new(100), b"\x64");
        }),
        holds(2, "a VecDeque and a LinkedList come back", || {
            round(&VecDeque::from([1, 2, 3]), b"\x93\x01\x02\x03");
            round(&LinkedList::from([10, 20]), b"\x92\x0a\x14");
        }),
        holds(2, "a BTreeSet and a BTreeMap are in their order", || {
            round(&BTreeSet::from([3, 1, 2]), b"\x93\x01\x02\x03");
            round(&BTreeMap::from([("a".to_owned(), 1)]), b"\x81\xa1a\x01");
        }),
        holds(1, "a BinaryHeap comes back", || {
            let heap = BinaryHeap::from([5, 1, 3]);
            let back = BinaryHeap::<i32>::unpack(&heap.pack_to_vec()).unwrap();
            assert_eq!(back.into_sorted_vec(), [1, 3, 5]);
        }),
    ]
}

fn buffers() -> Vec<Promise> {
    vec![
        holds(1, "packing into a slice says how many bytes it took", || {
            let mut space = [0; 8];
            let len = Point { x: 10, y: 20 }.pack_to_slice(&mut space).unwrap();
            assert_eq!(space[..len], *b"\x92\x0a\x14");
        }),
        holds(1, "a slice that is too short is an error", || {
            let error = Point { x: 10, y: 20 }.pack_to_slice(&mut [0; 2]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BufferFull);
        }),
        holds(
            1,
            "the upper bound of the length of a Vec is at least its length",
            || {
                let numbers = vec![0_u64, 127, 128, u64::MAX];
                let mut space = vec![0; numbers.packed_len_bound()];
                let len = numbers.pack_to_slice(&mut space).unwrap();
                assert_eq!(Vec::<u64>::unpack(&space[..len]).unwrap(), numbers);
            },
        ),
        differs(
            1,
            "a bound that an unsafe call gives can be as large as it likes",
            "No caller gives a bound: the writer checks its room, and a type of yours needs no unsafe \
             code.",
            || packs(&(), b"\xc0"),
        ),
        holds(1, "a value comes back by a writer and a reader", || {
            let mut writer = PackWriter::new(Vec::new());
            writer.pack(&Point { x: 7, y: 9 }).unwrap();
            let bytes = writer.into_inner();
            let back = UnpackReader::new(&bytes[..]).unpack::<Point>().unwrap();
            assert_eq!(back, Some(Point { x: 7, y: 9 }));
        }),
    ]
}
