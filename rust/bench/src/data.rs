//! The types that are measured, with values from a fixed seed.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A flat struct of optional numbers, a boolean, bytes and a string.
#[derive(
    Clone,
    Debug,
    PartialEq,
    Serialize,
    Deserialize,
    packord::MsgPacker,
    msgpacker::MsgPacker,
    zerompk::ToMessagePack,
    zerompk::FromMessagePack,
)]
#[msgpack(array)]
pub struct Flat {
    t00: Option<u8>,
    t01: Option<u16>,
    t02: Option<u32>,
    t03: Option<u64>,
    t04: Option<usize>,
    t05: Option<i8>,
    t06: Option<i16>,
    t07: Option<i32>,
    t08: Option<i64>,
    t09: Option<isize>,
    t10: (),
    t12: Option<bool>,
    #[serde(with = "bytes_as_bin")]
    #[msgpacker(binary)]
    t13: Vec<u8>,
    t14: Option<String>,
}

/// The same, borrowed.
#[derive(
    Clone,
    Debug,
    PartialEq,
    Serialize,
    Deserialize,
    packord::MsgPackerBorrowed,
    msgpacker::MsgPackerBorrowed,
    zerompk::ToMessagePack,
    zerompk::FromMessagePack,
)]
#[msgpack(array)]
pub struct FlatRef<'a> {
    t00: Option<u8>,
    t01: Option<u16>,
    t02: Option<u32>,
    t03: Option<u64>,
    t04: Option<usize>,
    t05: Option<i8>,
    t06: Option<i16>,
    t07: Option<i32>,
    t08: Option<i64>,
    t09: Option<isize>,
    t10: (),
    t12: Option<bool>,
    #[serde(borrow)]
    #[serde(with = "bytes_as_bin")]
    #[msgpacker(binary)]
    t13: &'a [u8],
    t14: Option<&'a str>,
}

/// A struct with a map.
#[derive(
    Clone,
    Debug,
    PartialEq,
    Serialize,
    Deserialize,
    packord::MsgPacker,
    msgpacker::MsgPacker,
    zerompk::ToMessagePack,
    zerompk::FromMessagePack,
)]
#[msgpack(array)]
pub struct City {
    name: String,
    inhabitants_per_street: HashMap<String, u64>,
    zones: Vec<String>,
    #[serde(with = "bytes_as_bin")]
    #[msgpacker(binary)]
    metadata: Vec<u8>,
}

/// Ten fields with names.
#[derive(
    Clone,
    Debug,
    PartialEq,
    Serialize,
    Deserialize,
    packord::MsgPacker,
    zerompk::ToMessagePack,
    zerompk::FromMessagePack,
)]
#[msgpacker(record)]
#[msgpack(map)]
pub struct User {
    id: u64,
    first_name: String,
    last_name: String,
    email: String,
    age: u32,
    active: bool,
    score: f64,
    created_at_ms: u64,
    country_code: String,
    login_count: u32,
}

/// bin for serde.
mod bytes_as_bin {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: impl AsRef<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes.as_ref())
    }

    pub fn deserialize<'de, D: Deserializer<'de>, T: From<&'de [u8]>>(deserializer: D) -> Result<T, D::Error> {
        <&[u8]>::deserialize(deserializer).map(T::from)
    }
}

pub fn text(random: &mut StdRng, from: usize, to: usize) -> String {
    let len = random.random_range(from..to);
    (0..len).map(|_| char::from(random.random_range(b'a'..=b'z'))).collect()
}

fn some<T>(random: &mut StdRng, make: impl FnOnce(&mut StdRng) -> T) -> Option<T> {
    random.random_bool(0.8).then(|| make(random))
}

pub fn random() -> StdRng {
    StdRng::from_seed([7; 32])
}

pub fn flats(count: usize) -> Vec<Flat> {
    let random = &mut random();
    (0..count)
        .map(|_| Flat {
            t00: some(random, Rng::random),
            t01: some(random, Rng::random),
            t02: some(random, Rng::random),
            t03: some(random, Rng::random),
            t04: some(random, |random| random.random::<u64>() as usize),
            t05: some(random, Rng::random),
            t06: some(random, Rng::random),
            t07: some(random, Rng::random),
            t08: some(random, Rng::random),
            t09: some(random, |random| random.random::<i64>() as isize),
            t10: (),
            t12: some(random, Rng::random),
            t13: text(random, 0, 40).into_bytes(),
            t14: some(random, |random| text(random, 0, 30)),
        })
        .collect()
}

pub fn cities(count: usize) -> Vec<City> {
    let random = &mut random();
    (0..count)
        .map(|_| City {
            name: text(random, 4, 20),
            inhabitants_per_street: (0..random.random_range(0..16))
                .map(|_| (text(random, 6, 24), random.random_range(0..100_000)))
                .collect(),
            zones: (0..random.random_range(0..8)).map(|_| text(random, 4, 12)).collect(),
            metadata: text(random, 0, 64).into_bytes(),
        })
        .collect()
}

pub fn users(count: usize) -> Vec<User> {
    let random = &mut random();
    (0..count)
        .map(|_| User {
            id: random.random_range(0..1 << 40),
            first_name: text(random, 3, 10),
            last_name: text(random, 4, 14),
            email: text(random, 12, 28),
            age: random.random_range(1..99),
            active: random.random(),
            score: random.random(),
            created_at_ms: random.random_range(1_600_000_000_000..1_700_000_000_000),
            country_code: text(random, 2, 3),
            login_count: random.random_range(0..5000),
        })
        .collect()
}
