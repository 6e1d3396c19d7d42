//! Short names for what most checks do.

use packord::serde::Config;
use packord::{BufMut, Packable, Unpackable, io::PackWriter};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

/// Reads one message by serde.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> T {
    packord::from_slice(bytes).unwrap()
}

/// The kind of the error with which reading by serde ends.
pub fn fault<T: DeserializeOwned>(bytes: &[u8]) -> &'static str {
    let outcome = packord::from_slice::<T>(bytes);
    outcome.err().expect("an error").kind().name()
}

/// Writes as rmp-serde's `to_vec` does: structs are arrays.
pub fn arrays<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    Config::new().structs_as_arrays(true).to_vec(value).unwrap()
}

/// Writes as rmp-serde's `to_vec_named` does: structs are maps.
pub fn maps<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    packord::to_vec(value).unwrap()
}

/// Writes a value as arrays and as maps, and reads it back.
pub fn both_ways<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    assert_eq!(read::<T>(&arrays(value)), *value);
    assert_eq!(read::<T>(&maps(value)), *value);
}

/// Packs into a vector, a slice and a writer, which get the same bytes.
pub fn packs<T: Packable + ?Sized>(value: &T, bytes: &[u8]) {
    assert_eq!(value.try_pack_to_vec().unwrap(), bytes);
    let mut space = vec![0; bytes.len()];
    assert_eq!(value.pack_to_slice(&mut space).unwrap(), bytes.len());
    assert_eq!(space, bytes);
    let mut writer = PackWriter::new(Vec::new());
    writer.pack(value).unwrap();
    assert_eq!(writer.into_inner(), bytes);
}

/// Packs as `packs` does, and reads the value back.
pub fn round<T: Packable + Unpackable + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    packs(value, bytes);
    assert_eq!(T::unpack(bytes).unwrap(), *value);
}

/// Packs a value, and reads it back from the slice and from an iterator, with the number of bytes.
pub fn with_lengths<T: Packable + Unpackable + PartialEq + Debug>(value: &T) {
    fn pack<B: BufMut>(value: &impl Packable, buffer: &mut B) -> usize {
        value.pack(buffer)
    }
    let mut bytes = Vec::new();
    let len = pack(value, &mut bytes);
    assert_eq!(len, bytes.len());
    let (taken, back) = T::unpack_with_ofs(&bytes).unwrap();
    assert_eq!((taken, &back), (len, value));
    let (taken, back) = T::unpack_iter(bytes).unwrap();
    assert_eq!((taken, &back), (len, value));
}

/// The kind of the error with which unpacking ends.
pub fn refusal<T: Unpackable + Debug>(bytes: &[u8]) -> &'static str {
    T::unpack(bytes).unwrap_err().kind().name()
}
