//! Writes and reads back through serde, with every configuration.
#![allow(dead_code, reason = "each test binary uses its part")]

use packord::serde::{Bytes, Config, to_vec};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

pub fn configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for arrays in [false, true] {
        for bytes in [Bytes::Typed, Bytes::Detected] {
            for human in [false, true] {
                configs.push(
                    Config::new()
                        .structs_as_arrays(arrays)
                        .bytes(bytes)
                        .human_readable(human),
                );
            }
        }
    }
    configs.extend(map_configs().split_off(4));
    configs
}

/// serde reads no array into a struct variant of a tagged or untagged enum.
pub fn map_configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for bytes in [Bytes::Typed, Bytes::Detected] {
        for human in [false, true] {
            configs.push(Config::new().bytes(bytes).human_readable(human));
        }
    }
    configs.push(Config::new().canonical(true));
    configs.push(Config::new().records(true));
    configs
}

/// Writes and reads back with every configuration, through slice, reader and [`Value`].
#[track_caller]
pub fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    round_trip_with(value, configs());
}

#[track_caller]
pub fn round_trip_with<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, configs: Vec<Config>) {
    round_trip_of_bytes(value, configs);
    let tree = packord::serde::to_value(value).unwrap();
    assert_eq!(packord::serde::from_value::<T>(&tree).unwrap(), *value);
}

/// The same without [`Value`], to which no options apply.
#[track_caller]
pub fn round_trip_of_bytes<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, configs: Vec<Config>) {
    for config in configs {
        let bytes = config.to_vec(value).unwrap();
        let back: T = config
            .from_slice(&bytes)
            .unwrap_or_else(|error| panic!("{error}\n{value:?}\n{bytes:x?}"));
        assert_eq!(back, *value);
        let read: T = config.from_reader(&bytes[..]).unwrap();
        assert_eq!(read, *value);
        assert_eq!(
            config.from_prefix::<T>(&[&bytes[..], b"\xc1"].concat()).unwrap(),
            (back, bytes.len())
        );
        let mut space = vec![0; bytes.len()];
        assert_eq!(config.to_slice(value, &mut space).unwrap(), bytes.len());
        assert_eq!(space, bytes);
        if !bytes.is_empty() {
            let error = config.to_slice(value, &mut vec![0; bytes.len() - 1]).unwrap_err();
            assert_eq!(error.kind().name(), "buffer_full");
        }
    }
}

#[track_caller]
pub fn bytes<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, bytes: &[u8]) {
    assert_eq!(to_vec(&value).unwrap(), bytes, "{value:?}");
    round_trip(&value);
}
