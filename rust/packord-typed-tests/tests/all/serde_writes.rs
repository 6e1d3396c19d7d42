//! Types whose own `Serialize` is unusual: they drop errors, or can be read only once.

use packord::ErrorKind;
use packord::io::PackWriter;
use packord::serde::{Bytes, Config, IoSerializer, Serializer, to_slice};
use serde::Serialize;
use serde::ser::{self, Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeTupleVariant};
use std::cell::RefCell;

/// Fails after it has written a part of itself.
struct Fails;

impl Serialize for Fails {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        seq.serialize_element("x")?;
        Err(S::Error::custom("late"))
    }
}

/// A container whose type drops the error of its second part.
enum Drops {
    Seq,
    Map,
    Key,
    Struct,
    Variant,
    /// Within another, which drops the error too.
    Twice,
}

impl Serialize for Drops {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Drops::Seq => {
                let mut seq = serializer.serialize_seq(Some(3))?;
                seq.serialize_element(&1)?;
                let _ = seq.serialize_element(&Fails);
                seq.serialize_element(&2)?;
                seq.end()
            }
            Drops::Map | Drops::Key => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("a", &1)?;
                if matches!(self, Drops::Map) {
                    map.serialize_key("b")?;
                    let _ = map.serialize_value(&Fails);
                } else {
                    let _ = map.serialize_key(&Fails);
                    map.serialize_value(&1)?;
                }
                map.end()
            }
            Drops::Struct => {
                let mut fields = serializer.serialize_struct("Struct", 2)?;
                fields.serialize_field("a", &1)?;
                let _ = fields.serialize_field("b", &Fails);
                fields.end()
            }
            Drops::Variant => {
                let mut fields = serializer.serialize_tuple_variant("Enum", 0, "V", 1)?;
                let _ = fields.serialize_field(&Fails);
                fields.end()
            }
            Drops::Twice => {
                let mut seq = serializer.serialize_seq(Some(1))?;
                let _ = seq.serialize_element(&Drops::Map);
                seq.end()
            }
        }
    }
}

fn configs() -> [Config; 6] {
    [
        Config::new(),
        Config::new().structs_as_arrays(true),
        Config::new().bytes(Bytes::Detected),
        Config::new().bytes(Bytes::ByType),
        Config::new().records(true),
        Config::new().canonical(true),
    ]
}

#[test]
fn an_error_that_a_type_drops_is_that_of_its_container() {
    for (value, path) in [
        (Drops::Seq, "$[1]"),
        (Drops::Map, "$.b"),
        (Drops::Key, "$"),
        (Drops::Struct, "$.b"),
        (Drops::Variant, "$.V[0]"),
        (Drops::Twice, "$[0].b"),
    ] {
        for config in configs() {
            let error = config.to_vec(&value).unwrap_err();
            assert_eq!((error.kind(), error.path()), (ErrorKind::Custom, Some(path)));
            assert_eq!(error.detail(), Some("late"));
            let mut out = vec![7];
            assert_eq!(config.to_buffer(&mut out, &value), Err(error.duplicated()));
            assert_eq!(config.to_writer(&mut out, &value), Err(error.duplicated()));
            assert_eq!(out, [7]);
            assert_eq!(config.to_slice(&value, &mut [0; 50]), Err(error.duplicated()));
            let mut serializer = IoSerializer::with_config(Vec::new(), &config);
            assert_eq!(value.serialize(&mut serializer), Err(error.duplicated()));
            1.serialize(&mut serializer).unwrap();
            assert_eq!(serializer.into_inner(), [1]);
        }
        let mut serializer = Serializer::new(Vec::new());
        assert!(value.serialize(&mut serializer).is_err());
        [1].serialize(&mut serializer).unwrap();
        let mut writer = PackWriter::new(Vec::new());
        assert!(writer.write(&(1, value)).is_err());
        assert!(writer.into_inner().is_empty());
    }
}

/// Errors have no copies; this has what is compared.
trait Duplicated {
    fn duplicated(&self) -> packord::Error;
}

impl Duplicated for packord::Error {
    fn duplicated(&self) -> packord::Error {
        packord::Error::new(self.kind()).with_path(self.path().unwrap_or_default())
    }
}

#[test]
fn a_full_slice_is_an_error_also_if_a_type_drops_it() {
    /// Goes on after every error.
    struct GoesOn(&'static str);

    impl Serialize for GoesOn {
        fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut fields = serializer.serialize_struct("Struct", 3)?;
            let _ = fields.serialize_field("long name", self.0);
            let _ = fields.serialize_field("b", &1);
            let _ = fields.serialize_field("c", &2);
            fields.end()
        }
    }
    for (text, config) in ["", "text"]
        .iter()
        .flat_map(|text| configs().map(|config| (text, config)))
    {
        let bytes = config.to_vec(&GoesOn(text)).unwrap();
        for room in 0..bytes.len() {
            let error = config.to_slice(&GoesOn(text), &mut vec![0; room]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BufferFull);
        }
    }
}

/// Can be read only once.
struct Once<I>(RefCell<I>);

impl<I: Iterator<Item = u8>> Serialize for Once<I> {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.borrow_mut().by_ref())
    }
}

struct OnceMap(RefCell<std::vec::IntoIter<(u8, u8)>>);

impl Serialize for OnceMap {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.borrow_mut().by_ref())
    }
}

#[test]
fn a_value_that_can_be_read_once_is_not_shortened() {
    let known = || Once(RefCell::new(vec![200, 201, 202].into_iter()));
    let unknown = || Once(RefCell::new((0..40).filter(|n| n % 2 == 1)));
    let map = || OnceMap(RefCell::new(vec![(1, 200), (2, 3)].into_iter()));
    for config in configs() {
        macro_rules! check {
            ($value:expr) => {
                let bytes = config.to_vec(&$value).unwrap();
                for room in 0..bytes.len() {
                    let error = config.to_slice(&$value, &mut vec![0; room]).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::BufferFull, "{room}");
                }
                let mut space = vec![0; bytes.len()];
                assert_eq!(config.to_slice(&$value, &mut space).unwrap(), bytes.len());
                assert_eq!(space, bytes);
            };
        }
        check!(known());
        check!(unknown());
        check!(map());
        check!([known(), known()]);
    }
    assert!(to_slice(&known(), &mut [0; 2]).is_err());
}
