//! The rows.

use crate::data::{self, City, Flat, FlatRef, User};
use crate::measure::{Report, contender as c};
use packord::{DecodeOptions, EncodeOptions, Packable as _, Unpackable as _};
use rand::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::hint::black_box as bb;

trait Both:
    packord::Packable
    + packord::Unpackable
    + msgpacker::Packable
    + msgpacker::Unpackable
    + zerompk::ToMessagePack
    + for<'z> zerompk::FromMessagePack<'z>
    + Serialize
    + DeserializeOwned
    + PartialEq
    + Debug
{
}

impl Both for Flat {}
impl Both for City {}

/// The bytes of each contender, which are checked to read back as the same values.
struct Packed {
    ours: Vec<u8>,
    msgpacker: Vec<u8>,
    msgpacker_serde: Vec<u8>,
    zerompk: Vec<u8>,
    rmp: Vec<u8>,
}

fn check<T: Both>(items: &Vec<T>) -> Packed {
    let packed = Packed {
        ours: packord::Packable::pack_to_vec(items),
        msgpacker: msgpacker::Packable::pack_to_vec(items),
        msgpacker_serde: msgpacker::serde::to_vec(items),
        zerompk: zerompk::to_msgpack_vec(items).unwrap(),
        rmp: rmp_serde::to_vec(items).unwrap(),
    };
    assert_eq!(&<Vec<T> as packord::Unpackable>::unpack(&packed.ours).unwrap(), items);
    assert_eq!(&<Vec<T> as packord::Unpackable>::unpack(&packed.rmp).unwrap(), items);
    assert_eq!(&zerompk::from_msgpack::<Vec<T>>(&packed.zerompk).unwrap(), items);
    assert_eq!(&rmp_serde::from_slice::<Vec<T>>(&packed.rmp).unwrap(), items);
    assert!(<Vec<T> as msgpacker::Unpackable>::unpack(&packed.msgpacker).is_ok_and(|read| &read == items));
    assert!(msgpacker::serde::from_slice::<Vec<T>>(&packed.msgpacker_serde).is_ok_and(|read| &read == items));
    assert_eq!(
        &packord::serde::from_slice::<Vec<T>>(&packord::serde::to_vec(items).unwrap()).unwrap(),
        items
    );
    packed
}

fn typed<T: Both>(report: &mut Report, name: &str, items: &Vec<T>) {
    let count = items.len();
    let packed = check(items);
    report.row(
        &format!("{name} pack alloc {count}"),
        vec![
            c("packord", || packord::Packable::pack_to_vec(bb(items))),
            c("msgpacker", || msgpacker::Packable::pack_to_vec(bb(items))),
            c("msgpacker serde", || msgpacker::serde::to_vec(bb(items))),
            c("zerompk", || zerompk::to_msgpack_vec(bb(items)).unwrap()),
            c("rmp-serde", || rmp_serde::to_vec(bb(items)).unwrap()),
        ],
    );
    let size = [&packed.ours, &packed.msgpacker, &packed.zerompk, &packed.rmp]
        .map(Vec::len)
        .into_iter()
        .max();
    let size = size.unwrap_or(0) + 64;
    let [mut a, mut b, mut d, mut e] = [(); 4].map(|()| vec![0_u8; size]);
    report.row(
        &format!("{name} pack prealloc {count}"),
        vec![
            c("packord", || {
                packord::Packable::pack_to_slice(bb(items), &mut a).unwrap()
            }),
            c("msgpacker", || {
                msgpacker::Packable::pack(bb(items), &mut msgpacker::EncoderSlice::new(&mut b))
            }),
            c("zerompk", || zerompk::to_msgpack(bb(items), &mut d).unwrap()),
            c("rmp-serde", || {
                rmp_serde::encode::write(&mut &mut e[..], bb(items)).unwrap();
            }),
        ],
    );
    report.row(
        &format!("{name} unpack owned {count}"),
        vec![
            c("packord", || {
                <Vec<T> as packord::Unpackable>::unpack(bb(&packed.ours)).unwrap()
            }),
            c("msgpacker", || {
                <Vec<T> as msgpacker::Unpackable>::unpack(bb(&packed.msgpacker)).ok()
            }),
            c("msgpacker serde", || {
                msgpacker::serde::from_slice::<Vec<T>>(bb(&packed.msgpacker_serde)).ok()
            }),
            c("zerompk", || {
                zerompk::from_msgpack::<Vec<T>>(bb(&packed.zerompk)).unwrap()
            }),
            c("rmp-serde", || {
                rmp_serde::from_slice::<Vec<T>>(bb(&packed.rmp)).unwrap()
            }),
        ],
    );
    serde(report, name, items, &packed);
}

/// Compares structs as maps with rmp-serde's named form, and structs without names with its arrays
/// and with msgpacker's serde, which writes neither names nor headers.
fn serde<T: Both>(report: &mut Report, name: &str, items: &Vec<T>, packed: &Packed) {
    let count = items.len();
    let named = packord::serde::to_vec(items).unwrap();
    assert_eq!(named, rmp_serde::to_vec_named(items).unwrap());
    report.row(
        &format!("{name} serde named pack {count}"),
        vec![
            c("packord serde", || packord::serde::to_vec(bb(items)).unwrap()),
            c("rmp-serde", || rmp_serde::to_vec_named(bb(items)).unwrap()),
        ],
    );
    report.row(
        &format!("{name} serde named unpack {count}"),
        vec![
            c("packord serde", || {
                packord::serde::from_slice::<Vec<T>>(bb(&named)).unwrap()
            }),
            c("rmp-serde", || rmp_serde::from_slice::<Vec<T>>(bb(&named)).unwrap()),
        ],
    );
    let arrays = packord::serde::Config::new().structs_as_arrays(true);
    assert_eq!(arrays.to_vec(items).unwrap(), packed.rmp);
    report.row(
        &format!("{name} serde array pack {count}"),
        vec![
            c("packord serde", || arrays.to_vec(bb(items)).unwrap()),
            c("msgpacker serde", || msgpacker::serde::to_vec(bb(items))),
            c("rmp-serde", || rmp_serde::to_vec(bb(items)).unwrap()),
        ],
    );
    report.row(
        &format!("{name} serde array unpack {count}"),
        vec![
            c("packord serde", || {
                packord::serde::from_slice::<Vec<T>>(bb(&packed.rmp)).unwrap()
            }),
            c("msgpacker serde", || {
                msgpacker::serde::from_slice::<Vec<T>>(bb(&packed.msgpacker_serde)).ok()
            }),
            c("rmp-serde", || {
                rmp_serde::from_slice::<Vec<T>>(bb(&packed.rmp)).unwrap()
            }),
        ],
    );
}

pub fn values(report: &mut Report, count: usize) {
    let items = data::flats(count);
    typed(report, "Value", &items);
    let packed = check(&items);
    let (ours, serde) = (
        <Vec<FlatRef<'_>> as packord::UnpackableBorrowed>::unpack(&packed.ours).unwrap(),
        msgpacker::serde::from_slice::<Vec<FlatRef<'_>>>(&packed.msgpacker_serde),
    );
    assert!(serde.is_ok_and(|serde| serde == ours));
    report.row(
        &format!("Value unpack borrowed {count}"),
        vec![
            c("packord", || {
                <Vec<FlatRef<'_>> as packord::UnpackableBorrowed>::unpack(bb(&packed.ours)).unwrap()
            }),
            c("msgpacker", || {
                <Vec<FlatRef<'_>> as msgpacker::UnpackableBorrowed>::unpack(bb(&packed.msgpacker)).ok()
            }),
            c("msgpacker serde", || {
                msgpacker::serde::from_slice::<Vec<FlatRef<'_>>>(bb(&packed.msgpacker_serde)).ok()
            }),
            c("zerompk", || {
                zerompk::from_msgpack::<Vec<FlatRef<'_>>>(bb(&packed.zerompk)).unwrap()
            }),
            c("rmp-serde", || {
                rmp_serde::from_slice::<Vec<FlatRef<'_>>>(bb(&packed.rmp)).unwrap()
            }),
        ],
    );
}

pub fn cities(report: &mut Report, count: usize) {
    typed(report, "City", &data::cities(count));
}

/// A struct as a map, and as a record.
pub fn users(report: &mut Report, count: usize) {
    let items = data::users(count);
    let bytes = items.pack_to_vec();
    assert_eq!(bytes, rmp_serde::to_vec_named(&items).unwrap());
    assert_eq!(bytes, zerompk::to_msgpack_vec(&items).unwrap());
    assert_eq!(Vec::<User>::unpack(&bytes).unwrap(), items);
    let (write, read) = (EncodeOptions::new().records(true), DecodeOptions::new().records(true));
    let records = write.pack(&items).unwrap();
    assert_eq!(read.unpack::<Vec<User>>(&records).unwrap(), items);
    report.row(
        &format!("map pack {count}"),
        vec![
            c("packord", || bb(&items).pack_to_vec()),
            c("zerompk", || zerompk::to_msgpack_vec(bb(&items)).unwrap()),
            c("rmp-serde", || rmp_serde::to_vec_named(bb(&items)).unwrap()),
        ],
    );
    report.row(
        &format!("map unpack {count}"),
        vec![
            c("packord", || Vec::<User>::unpack(bb(&bytes)).unwrap()),
            c("zerompk", || zerompk::from_msgpack::<Vec<User>>(bb(&bytes)).unwrap()),
            c("rmp-serde", || rmp_serde::from_slice::<Vec<User>>(bb(&bytes)).unwrap()),
        ],
    );
    let percent = 100 * records.len() / bytes.len();
    report.row(
        &format!("record pack {count} ({percent} %)"),
        vec![
            c("packord record", || write.pack(bb(&items)).unwrap()),
            c("packord map", || bb(&items).pack_to_vec()),
        ],
    );
    report.row(
        &format!("record unpack {count}"),
        vec![
            c("packord record", || read.unpack::<Vec<User>>(bb(&records)).unwrap()),
            c("packord map", || Vec::<User>::unpack(bb(&bytes)).unwrap()),
        ],
    );
}

/// Slices of numbers.
pub fn numbers(report: &mut Report) {
    let random = &mut data::random();
    let ints: Vec<u64> = (0..1000)
        .map(|_| random.random::<u64>() >> random.random_range(0..64))
        .collect();
    let floats: Vec<f64> = (0..1000).map(|_| random.random()).collect();
    let (int_bytes, float_bytes) = (ints.pack_to_vec(), floats.pack_to_vec());
    assert_eq!(Vec::<u64>::unpack(&int_bytes).unwrap(), ints);
    assert_eq!(Vec::<f64>::unpack(&float_bytes).unwrap(), floats);
    assert_eq!(zerompk::from_msgpack::<Vec<u64>>(&int_bytes).unwrap(), ints);
    report.row(
        "Vec<u64> pack 1000",
        vec![
            c("packord", || bb(&ints).pack_to_vec()),
            c("msgpacker", || msgpacker::Packable::pack_to_vec(bb(&ints))),
            c("zerompk", || zerompk::to_msgpack_vec(bb(&ints)).unwrap()),
            c("rmp-serde", || rmp_serde::to_vec(bb(&ints)).unwrap()),
        ],
    );
    report.row(
        "Vec<f64> pack 1000",
        vec![
            c("packord", || bb(&floats).pack_to_vec()),
            c("msgpacker", || msgpacker::Packable::pack_to_vec(bb(&floats))),
            c("zerompk", || zerompk::to_msgpack_vec(bb(&floats)).unwrap()),
            c("rmp-serde", || rmp_serde::to_vec(bb(&floats)).unwrap()),
        ],
    );
    report.row(
        "Vec<u64> unpack 1000",
        vec![
            c("packord", || Vec::<u64>::unpack(bb(&int_bytes)).unwrap()),
            c("msgpacker", || {
                <Vec<u64> as msgpacker::Unpackable>::unpack(bb(&int_bytes)).ok()
            }),
            c("zerompk", || zerompk::from_msgpack::<Vec<u64>>(bb(&int_bytes)).unwrap()),
            c("rmp-serde", || {
                rmp_serde::from_slice::<Vec<u64>>(bb(&int_bytes)).unwrap()
            }),
        ],
    );
    report.row(
        "Vec<f64> unpack 1000",
        vec![
            c("packord", || Vec::<f64>::unpack(bb(&float_bytes)).unwrap()),
            c("msgpacker", || {
                <Vec<f64> as msgpacker::Unpackable>::unpack(bb(&float_bytes)).ok()
            }),
            c("zerompk", || {
                zerompk::from_msgpack::<Vec<f64>>(bb(&float_bytes)).unwrap()
            }),
            c("rmp-serde", || {
                rmp_serde::from_slice::<Vec<f64>>(bb(&float_bytes)).unwrap()
            }),
        ],
    );
}
