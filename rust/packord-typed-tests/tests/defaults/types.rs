//! The types of Rust that the vectors have values of, each written by serde and by packord's traits.

use super::Face;
use packord::typed::{Failed, Writer};
use packord::{EncodeOptions, Error, MsgPacker, Packable, Timestamp, Unpackable, Value};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet, HashSet, LinkedList, VecDeque};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MsgPacker)]
#[msgpacker(map)]
pub struct Point<X, Y> {
    pub x: X,
    pub y: Y,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MsgPacker)]
#[msgpacker(map)]
pub struct Line<S, E> {
    pub start: S,
    pub end: E,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MsgPacker)]
#[msgpacker(map)]
pub struct Single<X> {
    pub x: X,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MsgPacker)]
#[msgpacker(map)]
pub struct Empty {}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MsgPacker)]
pub struct Unit;

/// The empty tuple of Rust, `()`, is nil; a tuple struct without fields is a tuple.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MsgPacker)]
pub struct NoFields();

#[allow(clippy::upper_case_acronyms, reason = "the names of the vectors")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MsgPacker)]
pub enum Color {
    RED,
    GREEN,
    BLUE,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, MsgPacker)]
pub enum Shape {
    Circle(f64),
}

/// Bytes: of a type of its own in serde.
#[derive(Clone, Debug, PartialEq)]
pub struct Bin(pub Vec<u8>);

impl Packable for Bin {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        self.0.pack_into(writer)
    }
}

/// A key of a map whose entries keep their order.
#[derive(Clone, Debug)]
pub struct Key(pub usize, pub Native);

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.0 == other.0
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.1.serialize(serializer)
    }
}

impl Packable for Key {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        self.1.pack_into(writer)
    }
}

/// `plain` types are written by serde as their `Serialize` says, `timestamp` ones by
/// `packord::serde::timestamp`, `derive` ones by packord's traits alone.
macro_rules! natives {
    (
        plain { $($plain:ident($plain_type:ty),)* }
        timestamp { $($time:ident($time_type:ty),)* }
        derive { $($derive:ident($derive_type:ty),)* }
    ) => {
        #[derive(Clone, Debug)]
        pub enum Native {
            Array(Vec<Native>),
            Map(BTreeMap<Key, Native>),
            Value(Value),
            Bin(Bin),
            $($plain($plain_type),)* $($time($time_type),)* $($derive($derive_type),)*
        }

        impl Serialize for Native {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    Native::Array(value) => value.serialize(serializer),
                    Native::Map(value) => value.serialize(serializer),
                    Native::Value(value) => value.serialize(serializer),
                    Native::Bin(value) => serializer.serialize_bytes(&value.0),
                    $(Native::$plain(value) => value.serialize(serializer),)*
                    $(Native::$time(value) => packord::serde::timestamp::serialize(value, serializer),)*
                    $(Native::$derive(_) => panic!("{self:?} is not for serde"),)*
                }
            }
        }

        impl Packable for Native {
            fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                match self {
                    Native::Array(value) => value.pack_into(writer),
                    Native::Map(value) => value.pack_into(writer),
                    Native::Value(value) => value.pack_into(writer),
                    Native::Bin(value) => value.pack_into(writer),
                    $(Native::$plain(value) => value.pack_into(writer),)*
                    $(Native::$time(value) => value.pack_into(writer),)*
                    $(Native::$derive(value) => value.pack_into(writer),)*
                }
            }
        }

        impl Native {
            /// Reads a value of the same type from what it was written as; `None` for containers of
            /// values of several types.
            pub fn read_back(&self, face: Face, bytes: &[u8]) -> Option<Result<bool, Error>> {
                Some(match (self, face) {
                    (Native::Array(_) | Native::Map(_) | Native::Bin(_), _) => return None,
                    (Native::Value(_), _) => return None,
                    $((Native::$plain(value), Face::Serde) => {
                        packord::serde::from_slice::<$plain_type>(bytes).map(|read| read == *value)
                    })*
                    $((Native::$time(value), Face::Serde) => {
                        let read = packord::serde::timestamp::deserialize::<$time_type, _>;
                        let mut bytes = packord::serde::Deserializer::new(bytes);
                        read(&mut bytes).map(|read| read == *value)
                    })*
                    $((Native::$plain(value), Face::Derive) => {
                        <$plain_type as Unpackable>::unpack(bytes).map(|read| read == *value)
                    })*
                    $((Native::$time(value), Face::Derive) => {
                        <$time_type as Unpackable>::unpack(bytes).map(|read| read == *value)
                    })*
                    $((Native::$derive(value), _) => {
                        <$derive_type as Unpackable>::unpack(bytes).map(|read| read == *value)
                    })*
                })
            }

            /// Whether serde has no such type.
            pub fn is_of_derive(&self) -> bool {
                match self {
                    Native::Array(values) => values.iter().any(Native::is_of_derive),
                    Native::Map(entries) => entries
                        .iter()
                        .any(|(key, value)| key.1.is_of_derive() || value.is_of_derive()),
                    $(Native::$derive(_) => true,)*
                    _ => false,
                }
            }
        }

        $(impl From<$plain_type> for Native {
            fn from(value: $plain_type) -> Native {
                Native::$plain(value)
            }
        })*
        $(impl From<$time_type> for Native {
            fn from(value: $time_type) -> Native {
                Native::$time(value)
            }
        })*
        $(impl From<$derive_type> for Native {
            fn from(value: $derive_type) -> Native {
                Native::$derive(value)
            }
        })*
    };
}

natives! {
    plain {
    Nothing(()), Bool(bool), Str(String), Path(PathBuf), Char(char), Uuid(uuid::Uuid),
    I8(i8), I16(i16), I32(i32), I64(i64), I128(i128), U8(u8), U16(u16), U32(u32), U64(u64), U128(u128),
    F32(f32), F64(f64),
    Bools(Vec<bool>), I8s(Vec<i8>), I16s(Vec<i16>), I32s(Vec<i32>), I64s(Vec<i64>),
    U8s(Vec<u8>), U16s(Vec<u16>), U32s(Vec<u32>), U64s(Vec<u64>), F32s(Vec<f32>), F64s(Vec<f64>),
    BoolBox(Box<[bool]>), I8Box(Box<[i8]>), I16Box(Box<[i16]>), I32Box(Box<[i32]>), I64Box(Box<[i64]>),
    U16Box(Box<[u16]>), U32Box(Box<[u32]>), U64Box(Box<[u64]>), F32Box(Box<[f32]>), F64Box(Box<[f64]>),
    Rows(Vec<Vec<i32>>), RowArrays([[i32; 3]; 2]), Cubes(Vec<Vec<Vec<f64>>>), CubeArrays([[[f64; 1]; 2]; 1]),
    IntSet(BTreeSet<i64>), StrSet(BTreeSet<String>), NilSet(BTreeSet<()>), SetSet(BTreeSet<BTreeSet<i64>>),
    IntHashSet(HashSet<i64>), StrHashSet(HashSet<String>), NilHashSet(HashSet<()>),
    NoTuple(NoFields), IntTuple((i64,)), StrTuple((String,)), Pair((i64, String)), TupleTuple(((i64,), i64)),
    Queue(VecDeque<String>), List(LinkedList<String>),
    Point(Point<i64, f64>), NilPoint(Point<Option<i64>, i64>), Line(Line<Point<i64, f64>, Point<i64, f64>>),
    Single(Single<Option<i64>>), Empty(Empty), Unit(Unit), Color(Color), Shape(Shape),
    Option(Option<i64>), OptionSet(Option<BTreeSet<i64>>),
    Ip(std::net::IpAddr), Date(chrono::NaiveDate), Time(chrono::NaiveTime), DateTime(chrono::NaiveDateTime), Std(Duration),
    }
    timestamp {
    Timestamp(Timestamp), SystemTime(SystemTime), Utc(chrono::DateTime<chrono::Utc>),
    Fixed(chrono::DateTime<chrono::FixedOffset>), JiffTimestamp(jiff::Timestamp), Offset(time::OffsetDateTime),
    }
    derive {
    Zoned(jiff::Zoned),
    JiffDate(jiff::civil::Date), JiffTime(jiff::civil::Time), JiffDateTime(jiff::civil::DateTime),
    TimeDate(time::Date), TimeTime(time::Time), Primitive(time::PrimitiveDateTime),
    Delta(chrono::TimeDelta), Signed(jiff::SignedDuration), TimeDuration(time::Duration),
    }
}

impl Native {
    pub fn write(&self, face: Face, options: &EncodeOptions) -> Result<Vec<u8>, Error> {
        match face {
            Face::Derive => options.pack(self),
            Face::Serde => packord::serde::Config::new().encode_options(*options).to_vec(self),
        }
    }
}
