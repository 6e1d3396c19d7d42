//! Derived types and `Value` agree on valid messages: the fuzz target `typed`, with a seed.

use crate::shapes;
use proptest::prelude::*;
use proptest::sample::{Index, select};

#[derive(Clone, Debug)]
enum Damage {
    Turn(Index, u8),
    Set(Index, u8),
    Cut(Index),
    Insert(Index, u8),
    Join(Vec<u8>),
}

fn damage() -> impl Strategy<Value = Damage> {
    // Markers reach more code than other bytes.
    let byte = prop_oneof![any::<u8>(), 0xc0..=0xdf_u8];
    prop_oneof![
        (any::<Index>(), 0..8_u8).prop_map(|(at, bit)| Damage::Turn(at, bit)),
        (any::<Index>(), byte.clone()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        any::<Index>().prop_map(Damage::Cut),
        (any::<Index>(), byte).prop_map(|(at, byte)| Damage::Insert(at, byte)),
        select(shapes::seeds()).prop_map(Damage::Join),
    ]
}

fn damaged(mut bytes: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        let len = bytes.len();
        match damage {
            Damage::Turn(at, bit) if len > 0 => bytes[at.index(len)] ^= 1 << bit,
            Damage::Set(at, byte) if len > 0 => bytes[at.index(len)] = *byte,
            Damage::Cut(at) if len > 0 => bytes.truncate(at.index(len)),
            Damage::Insert(at, byte) => bytes.insert(at.index(len + 1), *byte),
            Damage::Join(other) => bytes.extend(other),
            _ => {}
        }
    }
    bytes
}

#[test]
fn derive_and_serde_agree_on_whole_and_cut_messages() {
    for bytes in shapes::seeds() {
        packord::validate(&bytes).unwrap();
        for len in 0..=bytes.len() {
            shapes::check(&bytes[..len]);
        }
    }
}

#[test]
fn derive_and_serde_agree_on_every_input_of_two_bytes() {
    for number in 0..=u16::MAX {
        shapes::check(&number.to_be_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn derive_and_serde_agree_on_damaged_messages(seed in select(shapes::seeds()), damages in prop::collection::vec(damage(), 1..6)) {
        shapes::check(&damaged(seed, &damages));
    }
}
