//! Streams of types of the program, by serde and by the typed traits.

use packord::io::{PackWriter, UnpackReader};
use packord::typed::{Failed, Writer};
use packord::{DecodeOptions, EncodeOptions, ErrorKind, MsgPacker, Packable, Value};
use serde::{Deserialize, Serialize};
use std::io::{self, Read};

#[derive(Serialize, Deserialize, MsgPacker, PartialEq, Debug, Clone)]
#[msgpacker(record)]
struct Event {
    id: u32,
    name: String,
    sizes: Vec<u64>,
}

fn events() -> Vec<Event> {
    (0..40)
        .map(|id| Event {
            id,
            name: "é".repeat(id as usize * 3),
            sizes: (0..id.into()).map(|n| n << n).collect(),
        })
        .collect()
}

/// Returns at most this many bytes with each call.
struct Pieces<'b>(&'b [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        let len = space.len().min(self.1);
        self.0.read(&mut space[..len])
    }
}

fn writers() -> Vec<(EncodeOptions, DecodeOptions)> {
    let (encode, decode) = (EncodeOptions::new(), DecodeOptions::new());
    vec![
        (encode, decode.clone()),
        (encode.canonical(true), decode.clone().canonical(true)),
        (encode.records(true), decode.clone().records(true)),
        (
            encode.records(true).sequential(true),
            decode.records(true).sequential(true),
        ),
    ]
}

#[test]
fn each_path_reads_what_each_path_wrote_however_the_stream_is_cut() {
    for (encode, decode) in writers() {
        let mut by_serde = PackWriter::with_options(Vec::new(), encode);
        let mut by_traits = PackWriter::with_options(Vec::new(), encode);
        let mut by_value = PackWriter::with_options(Vec::new(), encode);
        for event in events() {
            by_serde.write(&event).unwrap();
            by_traits.pack(&event).unwrap();
            let value = packord::serde::to_value(&event).unwrap();
            by_value.write_value(&value).unwrap();
        }
        let streams = [by_serde, by_traits, by_value].map(PackWriter::into_inner);
        for stream in &streams {
            for size in [1, 7, 100_000] {
                let reader = || UnpackReader::with_options(Pieces(stream, size), &decode);
                let read: Vec<Event> = reader().all().collect::<Result<_, _>>().unwrap();
                assert_eq!(read, events());
                let read: Vec<Event> = reader().unpack_all().collect::<Result<_, _>>().unwrap();
                assert_eq!(read, events());
                let values: Vec<Value> = reader().values().collect::<Result<_, _>>().unwrap();
                assert_eq!(values[3]["id"], 3);
            }
        }
    }
}

#[test]
fn messages_of_several_types_are_read_in_turns() {
    let mut writer = PackWriter::new(Vec::new());
    writer.write("header").unwrap();
    writer.pack(&events()[2]).unwrap();
    writer.write_value(&Value::from(7)).unwrap();
    let stream = writer.into_inner();
    let mut reader = UnpackReader::new(&stream[..]);
    assert_eq!(reader.next::<String>().unwrap().unwrap(), "header");
    assert_eq!(reader.unpack::<Event>().unwrap().unwrap(), events()[2]);
    assert_eq!(reader.next_value().unwrap().unwrap(), 7);
    assert_eq!(reader.next::<u8>().unwrap(), None);
    assert_eq!(reader.unpack::<u8>().unwrap(), None);
}

#[test]
fn a_message_of_another_type_is_an_error_with_its_offset_in_the_stream() {
    let stream = b"\x92\x01\x02\x92\x01\xa1a\x92\x03\x04\x92\x05";
    let mut reader = UnpackReader::new(&stream[..]);
    let mut got = Vec::new();
    for turn in 0..4 {
        let next = if turn % 2 == 0 {
            reader.next::<(u8, u8)>()
        } else {
            reader.unpack::<(u8, u8)>()
        };
        got.push(next.map_err(|error| (error.kind().name(), error.offset().unwrap())));
    }
    let wanted = [
        Ok(Some((1, 2))),
        Err(("type_mismatch", 5)),
        Ok(Some((3, 4))),
        Err(("eof", 12)),
    ];
    assert_eq!(got, wanted);

    let mut all = UnpackReader::new(&stream[..]);
    let outcomes: Vec<_> = all.all::<(u8, u8)>().map(|pair| pair.is_ok()).collect();
    assert_eq!(outcomes, [true, false], "an iterator ends after an error");
}

#[test]
fn an_error_writes_nothing() {
    #[derive(Serialize)]
    struct Wrong {
        name: &'static str,
        #[serde(serialize_with = "fails")]
        size: u8,
    }
    fn fails<S: serde::Serializer>(_: &u8, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("no size"))
    }
    struct Never;
    impl Packable for Never {
        fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
            writer.nil()?;
            Err(writer.fail(ErrorKind::UnsupportedType))
        }
    }
    let mut writer = PackWriter::new(Vec::new());
    writer.write(&1).unwrap();
    let error = writer.write(&Wrong { name: "a", size: 1 }).unwrap_err();
    assert_eq!(error.path(), Some("$.size"));
    assert!(writer.pack(&Never).is_err());
    writer.write(&2).unwrap();
    assert_eq!(writer.written(), 2);
    assert_eq!(writer.into_inner(), b"\x01\x02");
}
