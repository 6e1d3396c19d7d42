//! Types of serde through a serializer over any writer.

use packord::serde::{Bytes, Config, IoSerializer};
use packord::{ErrorKind, Timestamp, Value, value};
use serde::ser::{SerializeMap, Serializer};
use serde::{Serialize, ser::Error as _};
use std::collections::BTreeMap;
use std::io::{self, Write};

#[derive(Serialize)]
enum Kind {
    Unit,
    Newtype(u8),
    Tuple(u8, u8),
    Struct { a: u8 },
}

#[derive(Serialize)]
struct All {
    #[serde(skip_serializing_if = "Option::is_none")]
    none: Option<u8>,
    some: Option<u8>,
    kinds: Vec<Kind>,
    map: BTreeMap<String, f64>,
    at: Timestamp,
    wide: i128,
    text: char,
}

/// Counts the calls, and fails from a number of bytes on.
struct Counted {
    bytes: Vec<u8>,
    calls: usize,
    room: usize,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.bytes.len() + bytes.len() > self.room {
            return Err(io::Error::other("full"));
        }
        self.bytes.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn counted(room: usize) -> Counted {
    Counted {
        bytes: Vec::new(),
        calls: 0,
        room,
    }
}

fn all() -> All {
    All {
        none: None,
        some: Some(1),
        kinds: vec![Kind::Unit, Kind::Newtype(1), Kind::Tuple(1, 2), Kind::Struct { a: 3 }],
        map: BTreeMap::from([("x".into(), 0.5)]),
        at: Timestamp::new(1, 0).unwrap(),
        wide: -1,
        text: 'ü',
    }
}

#[test]
fn every_type_is_written_as_to_vec_writes_it() {
    for config in [
        Config::new(),
        Config::new().structs_as_arrays(true),
        Config::new().bytes(Bytes::ByType).human_readable(true),
    ] {
        let config = config.bigint(true);
        let mut serializer = IoSerializer::with_config(counted(usize::MAX), &config);
        let (mut expected, mut messages) = (Vec::new(), 0);
        macro_rules! each {
            ($($value:expr),* $(,)?) => {$(
                $value.serialize(&mut serializer).unwrap();
                expected.extend(config.to_vec(&$value).unwrap());
                messages += 1;
            )*};
        }
        each![
            all(),
            true,
            'c',
            "s",
            -1_i8,
            -300_i16,
            7_i32,
            1_i64 << 40,
            -1_i128,
            5_u8,
            5_u16,
            5_u32,
            5_u64,
            u128::MAX,
            0.5_f32,
            0.5_f64,
            (),
            None::<u8>,
            Some(1),
            Kind::Unit,
            Kind::Newtype(1),
            Kind::Tuple(1, 2),
            Kind::Struct { a: 1 },
            vec![1_u8, 200],
            Vec::<u8>::new(),
            [1, 2],
            (1, "a"),
            BTreeMap::from([(1, 2)]),
            std::net::Ipv4Addr::LOCALHOST,
            Timestamp::new(1, 5).unwrap(),
            value!({"a": [1, nil]}),
            serde_bytes::Bytes::new(b"ab"),
        ];
        let out = serializer.into_inner();
        assert_eq!(out.bytes, expected);
        // One call of the writer for each message.
        assert_eq!(out.calls, messages);
    }
}

/// Fails after it has written a part of itself.
struct Fails;

impl Serialize for Fails {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("a", &[1])?;
        map.serialize_entry("b", &Broken)?;
        map.end()
    }
}

struct Broken;

impl Serialize for Broken {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom("no"))
    }
}

#[test]
fn nothing_is_written_of_a_message_that_fails() {
    let mut serializer = IoSerializer::new(counted(8));
    let error = Fails.serialize(&mut serializer).unwrap_err();
    let whole = packord::to_vec(&Fails).unwrap_err();
    assert_eq!((error.kind(), error.path()), (whole.kind(), whole.path()));
    assert_eq!(error.path(), Some("$.b"));
    assert_eq!(serializer.get_ref().calls, 0);
    // The next message begins again, at depth 0.
    // Without optimisation, each level of serde takes up to 2 KiB of the stack.
    let deep = || {
        let deep = (0..1024).fold(Value::Nil, |value, _| value!([value]));
        deep.serialize(&mut IoSerializer::new(Vec::new())).unwrap();
    };
    let thread = std::thread::Builder::new().stack_size(4 << 20);
    thread.spawn(deep).unwrap().join().unwrap();
    for _ in 0..2000 {
        assert!(Fails.serialize(&mut serializer).is_err());
    }
    "1234567".serialize(&mut serializer).unwrap();
    let error = 1.serialize(&mut serializer).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "full");
    assert_eq!(serializer.into_inner().bytes, b"\xa71234567");
}
