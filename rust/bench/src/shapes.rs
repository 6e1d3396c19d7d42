//! Thirty shapes of data.

use crate::data::{self, random, text};
use crate::measure::Report;
use crate::{shape, tree};
use rand::Rng;
use rand::rngs::StdRng;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// A type that every contender of the survey can derive.
macro_rules! derived {
    ($($item:item)*) => {$(
        #[derive(
            Clone, Debug, PartialEq, Serialize, Deserialize, packord::MsgPacker,
            zerompk::ToMessagePack, zerompk::FromMessagePack,
        )]
        $item
    )*};
}

derived! {
    #[msgpack(array)]
    pub struct Three { a: u32, b: u32, c: u32 }

    #[msgpack(map)]
    pub struct Sparse {
        a: Option<u32>, b: Option<String>, c: Option<bool>, d: Option<f64>, e: Option<Vec<u8>>, f: Option<i64>,
    }

    /// Twelve fields, with strings and vectors.
    #[msgpack(map)]
    pub struct Order {
        id: u64, customer: String, street: String, town: String, items: Vec<u32>, prices: Vec<f64>,
        notes: Vec<String>, paid: bool, total: f64, currency: String, at: i64, rows: Vec<Vec<u16>>,
    }

    pub enum Plain { Red, Green, Blue }

    pub enum Event { Quit, Key(u32), Move { x: i32, y: i32 }, Pair(u8, String) }

    #[msgpack(array)]
    pub struct Level { below: Option<Box<Level>> }
}

fn list<T>(count: usize, mut make: impl FnMut(&mut StdRng) -> T) -> Vec<T> {
    let random = &mut random();
    (0..count).map(|_| make(random)).collect()
}

fn orders(count: usize) -> Vec<Order> {
    list(count, |random| {
        let few = random.random_range(1..6);
        Order {
            id: random.random_range(0..1 << 40),
            customer: text(random, 5, 20),
            street: text(random, 8, 24),
            town: text(random, 4, 14),
            items: (0..few).map(|_| random.random_range(0..100_000)).collect(),
            prices: (0..few).map(|_| random.random()).collect(),
            notes: (0..few).map(|_| text(random, 3, 30)).collect(),
            paid: random.random(),
            total: random.random(),
            currency: "EUR".to_owned(),
            at: random.random_range(1_600_000_000..1_700_000_000),
            rows: (0..few).map(|_| (0..few).map(|_| random.random()).collect()).collect(),
        }
    })
}

fn some<T>(random: &mut StdRng, value: T) -> Option<T> {
    random.random_bool(0.3).then_some(value)
}

fn sparse(random: &mut StdRng) -> Sparse {
    Sparse {
        a: some(random, 70_000),
        b: some(random, "present".to_owned()),
        c: some(random, true),
        d: some(random, 0.5),
        e: some(random, vec![1, 2, 3]),
        f: some(random, -5),
    }
}

fn event(random: &mut StdRng) -> Event {
    match random.random_range(0..4) {
        0 => Event::Quit,
        1 => Event::Key(random.random_range(0..300)),
        2 => Event::Move {
            x: random.random_range(-500..500),
            y: random.random_range(-500..500),
        },
        _ => Event::Pair(random.random(), "pair".to_owned()),
    }
}

fn plain(random: &mut StdRng) -> Plain {
    match random.random_range(0..3) {
        0 => Plain::Red,
        1 => Plain::Green,
        _ => Plain::Blue,
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (String, u64)> {
    list(count, |random| (text(random, 6, 14), random.random_range(0..100_000))).into_iter()
}

/// Integers of one width.
macro_rules! integers {
    ($report:expr, $($name:literal $type:ty, $range:expr;)*) => {$(
        shape($report, $name, &list::<$type>(1000, |random| random.random_range($range)));
    )*};
}

pub fn shapes(report: &mut Report) {
    shape(report, "u32 alone", &70_000_u32);
    shape(report, "small u32 alone", &7_u32);
    shape(report, "bool alone", &true);
    shape(report, "f64 alone", &0.1_f64);
    shape(report, "string alone", &"a short text".to_owned());
    shape(
        report,
        "three u32",
        &Three {
            a: 7,
            b: 300,
            c: 70_000,
        },
    );
    shape(report, "tuple alone", &(1_u8, true, 0.5_f64));
    shape(report, "option alone", &Some(300_u16));
    shape(report, "sparse alone", &sparse(&mut random()));
    shape(report, "order alone", &orders(1).remove(0));
    shape(
        report,
        "three u32, list",
        &list(1000, |random| Three {
            a: random.random_range(0..100),
            b: random.random_range(0..1000),
            c: random.random(),
        }),
    );
    shape(report, "sparse, list", &list(1000, sparse));
    shape(report, "orders, 20", &orders(20));
    shape(report, "users", &data::users(100));
    integers! { report,
        "u8" u8, 0..=u8::MAX;
        "u16" u16, 0..=u16::MAX;
        "u32" u32, 0..=u32::MAX;
        "u64" u64, 0..=u64::MAX;
        "i8" i8, i8::MIN..=i8::MAX;
        "i16" i16, i16::MIN..=i16::MAX;
        "i32" i32, i32::MIN..=i32::MAX;
        "i64" i64, i64::MIN..=i64::MAX;
        "small u64" u64, 0..128;
        "negative i64" i64, i64::MIN..0;
        "small negative i64" i64, -32..0;
    }
    shape(
        report,
        "mixed u64",
        &list(1000, |random| random.random::<u64>() >> random.random_range(0..64)),
    );
    shape(report, "f32", &list(1000, Rng::random::<f32>));
    shape(report, "f64", &list(1000, Rng::random::<f64>));
    shape(report, "booleans", &list(1000, Rng::random::<bool>));
    shape(report, "options", &list(1000, |random| some(random, 300_u32)));
    shape(report, "coordinates", &list(1000, Rng::random::<(f64, f64)>));
    shape(
        report,
        "matrix",
        &list(100, |random| (0..100).map(|_| random.random()).collect::<Vec<f64>>()),
    );
    shape(report, "small arrays", &list(1000, Rng::random::<[u8; 3]>));
    shape(report, "empty lists", &vec![Vec::<u32>::new(); 1000]);
    shape(report, "empty maps", &vec![BTreeMap::<String, u32>::new(); 1000]);
    shape(report, "empty strings", &vec![String::new(); 1000]);
    shape(
        report,
        "lists of lists of empty lists",
        &vec![vec![Vec::<u32>::new(); 3]; 300],
    );
    shape(report, "enums without fields", &list(1000, plain));
    shape(report, "enums", &list(1000, event));
    shape(report, "hash map", &pairs(1000).collect::<HashMap<_, _>>());
    shape(report, "tree map", &pairs(1000).collect::<BTreeMap<_, _>>());
    shape(
        report,
        "integer keys",
        &list(1000, |random| (random.random_range(0..1 << 20), random.random::<u16>()))
            .into_iter()
            .collect::<HashMap<u32, u16>>(),
    );
    shape(
        report,
        "distinct keys",
        &list(300, |random| {
            (0..4)
                .map(|_| (text(random, 6, 14), 1))
                .collect::<BTreeMap<String, u8>>()
        }),
    );
    shape(
        report,
        "depth 100",
        &(0..100).fold(Level { below: None }, |level, _| Level {
            below: Some(Box::new(level)),
        }),
    );
    trees(report);
}

fn trees(report: &mut Report) {
    let mut row = |name, bytes: Vec<u8>| tree(report, name, &bytes);
    row("u32 alone", packord::Packable::pack_to_vec(&70_000_u32));
    row("string alone", packord::Packable::pack_to_vec("a short text"));
    row(
        "mixed u64",
        packord::Packable::pack_to_vec(&list(1000, |random| {
            random.random::<u64>() >> random.random_range(0..64)
        })),
    );
    row("f64", packord::Packable::pack_to_vec(&list(1000, Rng::random::<f64>)));
    row(
        "booleans",
        packord::Packable::pack_to_vec(&list(1000, Rng::random::<bool>)),
    );
    row(
        "matrix",
        packord::Packable::pack_to_vec(&list(100, |random| {
            (0..100)
                .map(|_| random.random::<u64>() >> random.random_range(32..64))
                .collect::<Vec<_>>()
        })),
    );
    row(
        "coordinates",
        packord::Packable::pack_to_vec(&list(1000, Rng::random::<(f64, f64)>)),
    );
    row(
        "empty lists",
        packord::Packable::pack_to_vec(&vec![Vec::<u32>::new(); 1000]),
    );
    row(
        "empty maps",
        packord::Packable::pack_to_vec(&vec![BTreeMap::<String, u32>::new(); 1000]),
    );
    row(
        "map",
        packord::Packable::pack_to_vec(&pairs(1000).collect::<BTreeMap<_, _>>()),
    );
    row("users", packord::serde::to_vec(&data::users(100)).unwrap());
    row("orders", packord::serde::to_vec(&orders(20)).unwrap());
}
