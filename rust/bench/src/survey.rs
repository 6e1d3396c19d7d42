//! A survey of shapes and strings: traits, serde and trees, packord compared with its peers.
//!
//! Each shape is written and read by the traits (compared with zerompk), by serde (with rmp-serde) and, where
//! it is data of any type, as a tree (with rmpv and zerompk's). Prints the ratio of the best peer to
//! packord, the medians, and the page faults of each call.
//!
//! ```text
//! cargo run --release -p packord-bench --bin survey -- [--quick] [--json FILE] [FILTER]
//! ```

#[allow(dead_code, reason = "shared with the benchmark of typed values")]
mod data;
mod measure;
mod shapes;
mod texts;

use measure::{Report, contender as c};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::hint::black_box as bb;

/// What every contender of the survey writes and reads.
trait Shape:
    packord::Packable
    + packord::Unpackable
    + zerompk::ToMessagePack
    + for<'z> zerompk::FromMessagePack<'z>
    + Serialize
    + DeserializeOwned
    + PartialEq
    + Debug
{
}

impl<T> Shape for T where
    T: packord::Packable
        + packord::Unpackable
        + zerompk::ToMessagePack
        + for<'z> zerompk::FromMessagePack<'z>
        + Serialize
        + DeserializeOwned
        + PartialEq
        + Debug
{
}

/// Measures the four rows of a shape.
fn shape<T: Shape>(report: &mut Report, name: &str, value: &T) {
    let ours = packord::Packable::pack_to_vec(value);
    let zero = zerompk::to_msgpack_vec(value).unwrap();
    let serde = packord::serde::to_vec(value).unwrap();
    let rmp = rmp_serde::to_vec_named(value).unwrap();
    assert_eq!(&<T as packord::Unpackable>::unpack(&ours).unwrap(), value);
    assert_eq!(&zerompk::from_msgpack::<T>(&zero).unwrap(), value);
    assert_eq!(&packord::serde::from_slice::<T>(&rmp).unwrap(), value);
    assert_eq!(&rmp_serde::from_slice::<T>(&rmp).unwrap(), value);
    assert_eq!(&packord::serde::from_slice::<T>(&serde).unwrap(), value);
    report.row(
        &format!("{name}: write"),
        vec![
            c("packord", || packord::Packable::pack_to_vec(bb(value))),
            c("zerompk", || zerompk::to_msgpack_vec(bb(value)).unwrap()),
        ],
    );
    report.row(
        &format!("{name}: read"),
        vec![
            c("packord", || <T as packord::Unpackable>::unpack(bb(&ours)).unwrap()),
            c("zerompk", || zerompk::from_msgpack::<T>(bb(&zero)).unwrap()),
        ],
    );
    report.row(
        &format!("{name}: serde write"),
        vec![
            c("packord", || packord::serde::to_vec(bb(value)).unwrap()),
            c("rmp-serde", || rmp_serde::to_vec_named(bb(value)).unwrap()),
        ],
    );
    report.row(
        &format!("{name}: serde read"),
        vec![
            c("packord", || packord::serde::from_slice::<T>(bb(&serde)).unwrap()),
            c("rmp-serde", || rmp_serde::from_slice::<T>(bb(&rmp)).unwrap()),
        ],
    );
}

/// Measures the two rows of a tree.
fn tree(report: &mut Report, name: &str, bytes: &[u8]) {
    let ours: packord::Value = packord::from_slice(bytes).unwrap();
    let theirs = rmpv::decode::read_value(&mut &bytes[..]).unwrap();
    let zero: zerompk::Value<'_> = zerompk::from_msgpack(bytes).unwrap();
    assert_eq!(packord::to_vec(&ours).unwrap(), bytes);
    report.row(
        &format!("{name}: tree write"),
        vec![
            c("packord", || packord::EncodeOptions::new().encode(bb(&ours))),
            c("rmpv", || {
                let mut out = Vec::new();
                rmpv::encode::write_value(&mut out, bb(&theirs)).map(|()| out)
            }),
            c("zerompk", || zerompk::to_msgpack_vec(bb(&zero))),
        ],
    );
    report.row(
        &format!("{name}: tree read"),
        vec![
            c("packord", || packord::DecodeOptions::new().decode(bb(bytes))),
            c("rmpv", || rmpv::decode::read_value(&mut bb(bytes))),
        ],
    );
    report.row(
        &format!("{name}: tree read, borrowed"),
        vec![
            c("packord", || packord::DecodeOptions::new().decode_ref(bb(bytes))),
            c("rmpv ref", || rmpv::decode::read_value_ref(&mut bb(bytes))),
            c("zerompk", || zerompk::from_msgpack::<zerompk::Value<'_>>(bb(bytes))),
        ],
    );
}

fn main() -> std::io::Result<()> {
    let mut report = Report::from_arguments();
    report.faults = true;
    shapes::shapes(&mut report);
    texts::texts(&mut report);
    report.save()
}
