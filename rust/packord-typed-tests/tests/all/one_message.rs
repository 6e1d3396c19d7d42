//! Reading one message of a connection: nothing after it is taken, and nothing more is waited for.

use crate::support::cases;
use packord::DecodeOptions;
use packord::io::UnpackReader;
use packord::serde::{Config, from_read};
use std::io::{self, Cursor, Read, Write};
use std::net::{TcpListener, TcpStream};

type Record = (u32, String, Vec<u64>);

fn records() -> [Record; 2] {
    [
        (1, "one".to_owned(), vec![7; 300]),
        (2, "x".repeat(70_000), vec![u64::MAX; 20]),
    ]
}

/// Sends both records, and a byte of another protocol; keeps the connection open until the reader
/// has answered.
fn serve(mut connection: impl Read + Write) {
    for record in records() {
        let bytes = packord::serde::to_vec(&record).unwrap();
        connection.write_all(&bytes).unwrap();
    }
    connection.write_all(b"!").unwrap();
    connection.flush().unwrap();
    assert_eq!(from_read::<_, String>(&mut connection).unwrap(), "got it");
}

fn take(mut connection: impl Read + Write) {
    for wanted in records() {
        let record: Record = from_read(&mut connection).unwrap();
        assert_eq!(record, wanted);
    }
    let mut next = [0];
    connection.read_exact(&mut next).unwrap();
    assert_eq!(&next, b"!");
    packord::serde::to_writer(&mut connection, "got it").unwrap();
}

#[test]
fn a_message_is_read_from_a_tcp_connection_that_stays_open() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || serve(listener.accept().unwrap().0));
    take(TcpStream::connect(address).unwrap());
    server.join().unwrap();
}

#[cfg(unix)]
#[test]
fn a_message_is_read_from_a_unix_socket_that_stays_open() {
    let (one, other) = std::os::unix::net::UnixStream::pair().unwrap();
    let server = std::thread::spawn(move || serve(one));
    take(other);
    server.join().unwrap();
}

#[test]
fn from_read_does_what_that_of_rmp_serde_does() {
    let mut stream = Vec::new();
    for record in records() {
        stream.extend(rmp_serde::to_vec(&record).unwrap());
    }
    stream.extend(b"rest");
    let (mut theirs, mut ours) = (Cursor::new(&stream), Cursor::new(&stream));
    for wanted in records() {
        let record: Record = rmp_serde::from_read(&mut theirs).unwrap();
        assert_eq!(record, wanted);
        let record: Record = from_read(&mut ours).unwrap();
        assert_eq!(record, wanted);
        assert_eq!(theirs.position(), ours.position());
    }
    // Neither reads a message where there is none.
    assert!(rmp_serde::from_read::<_, u8>(&b""[..]).is_err());
    let error = from_read::<_, u8>(&b""[..]).unwrap_err();
    assert_eq!((error.kind().name(), error.offset()), ("eof", Some(0)));
    let error = from_read::<_, Record>(&b"\x93\x01\xa3on"[..]).unwrap_err();
    assert_eq!((error.kind().name(), error.offset()), ("eof", Some(5)));

    // After a message of another type the next one can be read.
    let mut stream = &b"\x92\x01\x02\x07"[..];
    let error = from_read::<_, u8>(&mut stream).unwrap_err();
    assert_eq!(error.kind().name(), "type_mismatch");
    assert_eq!(from_read::<_, u8>(&mut stream).unwrap(), 7);
}

/// Every vector, under its options: all but the message is left in the reader.
#[test]
fn no_byte_after_the_message_is_taken() {
    let mut messages = 0;
    for case in cases("valid") {
        let (bytes, options) = (case.bytes(), case.options());
        let Ok((_, len)) = options.decode.decode_prefix(&bytes) else {
            continue;
        };
        let mut source = bytes.clone();
        source.extend(b"\x93rest");
        let mut reader = Cursor::new(&source);
        let value = UnpackReader::with_options(&mut reader, &options.decode)
            .exact(true)
            .next_value();
        let value = value.unwrap_or_else(|error| panic!("{}: {error}", case.name));
        assert!(value.is_some(), "{}", case.name);
        assert_eq!(reader.position(), len as u64, "{}", case.name);
        messages += 1;
    }
    assert!(messages > 300, "{messages}");
}

/// Counts the calls.
struct Counted<'b>(&'b [u8], usize);

impl Read for Counted<'_> {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        self.1 += 1;
        self.0.read(space)
    }
}

fn calls<T: serde::Serialize>(value: &T) -> usize {
    let bytes = packord::serde::to_vec(value).unwrap();
    let mut reader = Counted(&bytes, 0);
    let value = UnpackReader::new(&mut reader).exact(true).next_value();
    assert!(value.unwrap().is_some());
    assert!(reader.0.is_empty());
    reader.1
}

#[test]
fn the_reader_is_called_for_headers_and_payloads_only() {
    assert_eq!(calls(&7), 1);
    // The marker, the rest of the header, the payload.
    assert_eq!(calls(&"x".repeat(60_000)), 3);
    // The header of an array says how many bytes follow at least.
    assert_eq!(calls(&vec![7; 1000]), 3);
    assert!(calls(&vec![u64::MAX; 1000]) < 100);
    let names: Vec<String> = (0..1000).map(|n| format!("name {n}")).collect();
    assert!(calls(&names) < 100, "{}", calls(&names));
    // A payload of many megabytes is read as it comes, and no memory is taken for what does not.
    let error = from_read::<_, Vec<u8>>(&b"\xc6\x02\xff\xff\xffabc"[..]).unwrap_err();
    assert_eq!((error.kind().name(), error.offset()), ("eof", Some(8)));
}

#[test]
fn options_hold_for_one_message_too() {
    let short = Config::new().decode_options(DecodeOptions::new().max_buffer(10));
    let error = short.from_read::<_, String>(&b"\xabhello world"[..]).unwrap_err();
    assert_eq!(error.kind().name(), "length_limit");
    let records = Config::new().records(true);
    let maps = vec![std::collections::BTreeMap::from([("a", 1), ("b", 2)]); 3];
    let mut bytes = records.to_vec(&maps).unwrap();
    bytes.push(0x40);
    let mut reader = &bytes[..];
    type Maps = Vec<std::collections::BTreeMap<String, u8>>;
    assert_eq!(records.from_read::<_, Maps>(&mut reader).unwrap().len(), 3);
    assert_eq!(reader, b"\x40");
}
