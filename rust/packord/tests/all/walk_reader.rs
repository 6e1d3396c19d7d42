//! `WalkReader` finds in a stream what `MessageScanner` and `Walker` find in bytes that they hold,
//! wherever the chunks end.
use crate::support::{cases, fault, hex};
use packord::io::WalkReader;
use packord::{DecodeOptions, Error, ErrorKind, Event, MessageScanner, Token};
use std::io::{self, Read};

/// Returns at most this number of bytes at once.
struct Drops<'b>(&'b [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        let count = space.len().min(self.1);
        self.0.read(&mut space[..count])
    }
}

fn line(event: &Event<'_>) -> String {
    let bytes = hex(event.bytes);
    let (offset, depth, role) = (event.offset, event.depth, event.role);
    match &event.token {
        Token::Str(text) => format!("{offset} {depth} {role:?} {bytes} str of {}", text.len()),
        Token::Bin(bin) => format!("{offset} {depth} {role:?} {bytes} bin of {}", bin.len()),
        token => format!("{offset} {depth} {role:?} {bytes} {token:?}"),
    }
}

/// Every event of the whole messages, and how the stream ends.
fn expected(bytes: &[u8], options: &DecodeOptions) -> (Vec<String>, Result<(), Error>) {
    let mut decoder = MessageScanner::with_options(options);
    decoder.feed(bytes);
    let mut lines = Vec::new();
    loop {
        match decoder.next_walker() {
            Ok(Some(mut walker)) => {
                while let Some(event) = walker.next().unwrap() {
                    lines.push(line(&event));
                }
            }
            Ok(None) => return (lines, decoder.finish()),
            Err(error) => return (lines, Err(error)),
        }
    }
}

fn walk(mut walker: WalkReader<Drops<'_>>) -> (Vec<String>, Result<(), Error>) {
    let mut lines = Vec::new();
    let mut walk = || {
        while walker.next_message()? {
            let mut message = Vec::new();
            while let Some(event) = walker.next()? {
                message.push(line(&event));
            }
            lines.append(&mut message);
        }
        Ok(())
    };
    let outcome = walk();
    (lines, outcome)
}

/// Does the same without `next`.
fn walk_inside(mut walker: WalkReader<Drops<'_>>) -> (Vec<String>, Result<(), Error>) {
    let mut lines = Vec::new();
    let mut walk = || {
        while walker.next_message()? {
            let mut message = Vec::new();
            walker.each_event(|event| {
                message.push(line(&event));
                Ok::<(), Error>(())
            })?;
            assert!(!walker.each_event(|_| Err(Error::new(ErrorKind::Cycle)))?);
            lines.append(&mut message);
        }
        Ok(())
    };
    let outcome = walk();
    (lines, outcome)
}

/// Skips values and steps into them in turn.
fn skip(mut walker: WalkReader<Drops<'_>>) -> Result<(), Error> {
    while walker.next_message()? {
        for turn in 0_u32.. {
            let more = match turn % 4 {
                3 => walker.each_event(|_| Ok::<(), Error>(()))?,
                0 => walker.next()?.is_some(),
                1 => walker.skip_value()?,
                _ => walker.hold_value()?.is_some(),
            };
            if !more && walker.next()?.is_none() {
                break;
            }
        }
    }
    Ok(())
}

type Place = (String, u64, Option<String>);

fn place(outcome: &Result<(), Error>) -> Option<Place> {
    let error = outcome.as_ref().err()?;
    let (kind, offset, _) = fault(error);
    Some((kind, offset, error.path().map(str::to_owned)))
}

fn check(name: &str, bytes: &[u8], options: &DecodeOptions, chunks: &[usize]) {
    let (lines, outcome) = expected(bytes, options);
    let expected = place(&outcome);
    let mut scanner = MessageScanner::with_options(options);
    scanner.feed(bytes);
    let places_held = places(|| match scanner.next_message()? {
        Some(_) => Ok(true),
        None => scanner.finish().map(|()| false),
    });
    for &chunk in chunks {
        let walker = || WalkReader::with_options(Drops(bytes, chunk), options);
        for (walked, outcome) in [walk(walker()), walk_inside(walker())] {
            assert!(walked == lines, "{name} by {chunk}: {walked:?} {lines:?}");
            assert_eq!(place(&outcome), expected, "{name} by {chunk}");
        }
        assert_eq!(place(&skip(walker())), expected, "{name} by {chunk}");
        let mut all = walker();
        let found = places(|| all.next_message());
        assert_eq!(found.first(), expected.as_ref(), "{name} by {chunk}");
        assert_eq!(found, places_held, "{name} by {chunk}");
    }
}

/// What is wrong with a stream, up to what ends it: the error that comes again.
fn places(mut next: impl FnMut() -> Result<bool, Error>) -> Vec<Place> {
    let mut found = Vec::new();
    loop {
        match next() {
            Ok(true) => {}
            Ok(false) => return found,
            Err(error) => {
                let place = place(&Err(error));
                if found.last() == place.as_ref() {
                    return found;
                }
                found.extend(place);
            }
        }
    }
}

#[test]
fn every_vector_is_walked_in_single_bytes() {
    let mut checked = 0;
    for class in ["valid", "invalid", "records", "stream", "hostile"] {
        for case in cases(class) {
            if !case.has("bytes") || case.json["options"].get("max_buffer").is_some() {
                continue;
            }
            let bytes = case.bytes();
            // Longer ones are for the test below.
            if bytes.len() > 100_000 {
                continue;
            }
            let chunks: &[usize] = if bytes.len() < 3000 {
                &[1, 7, usize::MAX]
            } else {
                &[1000, usize::MAX]
            };
            // Announced bytes are not held.
            let options = case.options().decode.max_buffer(u64::MAX);
            check(&case.name, &bytes, &options, chunks);
            checked += 1;
        }
    }
    assert!(checked > 2500, "only {checked}");
}

fn str32(text: &str) -> Vec<u8> {
    let len = (text.len() as u32).to_be_bytes();
    [b"\xdb", &len[..], text.as_bytes()].concat()
}

/// A map of many kinds of values, some longer than the window.
fn long_message() -> Vec<u8> {
    let mut bytes = b"\x85\xa1a\xdd\x00\x00\x20\x00".to_vec();
    for number in 0..0x2000_u32 {
        bytes.extend(b"\x83\xa2id\xce");
        bytes.extend(number.to_be_bytes());
        bytes.extend(b"\xa4name\xb0sixteen letters!\xa4tags\x92\xa1x\xcb\x3f\xf0\0\0\0\0\0\x01");
    }
    // Letters of one to four bytes, cut by the window at every place.
    for shift in 0..4 {
        let text = format!("{}{}", "x".repeat(shift), "aé€😀".repeat(28_000));
        bytes.extend([b'\xa1', b'b' + shift as u8]);
        bytes.extend(str32(&text));
    }
    bytes
}

#[test]
fn messages_may_be_longer_than_the_window() {
    let message = long_message();
    let twice = message.repeat(2);
    let plain = DecodeOptions::new();
    check("long", &twice, &plain, &[65_536, 999_983, usize::MAX]);
    for options in [plain.clone().records(true), plain.clone().max_str_len(1 << 30)] {
        check("long", &message, &options, &[100_003]);
    }
    let unique = plain.duplicate_key(packord::DuplicateKey::Error);
    check("long", &twice, &unique, &[100_003]);
}

/// The kind and offset of a fault in bytes that the window has lost; the path is unknown there.
#[track_caller]
fn fails(bytes: &[u8], kind: ErrorKind, offset: usize) {
    for chunk in [1000, 300_007] {
        let walker = || WalkReader::new(Drops(bytes, chunk));
        for outcome in [walk(walker()).1, skip(walker())] {
            let error = outcome.unwrap_err();
            assert_eq!((error.kind(), error.offset()), (kind, Some(offset as u64)));
            assert_eq!(error.path(), None);
        }
        let mut walker = walker();
        let error = loop {
            if let Err(error) = walker.next_message() {
                break error;
            }
        };
        assert_eq!((error.kind(), error.offset()), (kind, Some(offset as u64)));
    }
}

#[test]
fn skipped_values_are_counted() {
    let long = str32(&"x".repeat(600_000));
    let bytes = [b"\x95", &long[..], &long, b"\x91\x01", &long, b"\x07\x08"].concat();
    let mut walker = WalkReader::new(Drops(&bytes, 100_003));
    walker.next_message().unwrap();
    walker.next().unwrap();
    assert!(walker.skip_value().unwrap());
    walker.skip_values(3).unwrap();
    assert_eq!(walker.hold_value().unwrap(), Some(&b"\x07"[..]));
    assert!(!walker.skip_value().unwrap());
    walker.skip_values(7).unwrap();
    assert!(matches!(
        walker.next().unwrap().map(|event| event.token),
        Some(Token::End(_))
    ));
    assert!(walker.next_message().unwrap());
    assert_eq!((walker.message(), walker.offset()), (1, bytes.len() as u64 - 1));
    assert!(!walker.next_message().unwrap());
}

#[test]
fn faults_far_inside_a_message_have_their_offset() {
    let good = long_message();
    for at in [300_000, 800_000, good.len() - 1] {
        fails(&good[..at], ErrorKind::Eof, at);
    }
    // In a str: a character that is cut off, and a byte that cannot begin one.
    let start = good.len() - 100_000;
    for byte in [0x80, 0xff, 0xe2] {
        let mut bytes = good.clone();
        let at = (start..good.len())
            .find(|&at| bytes[at] == b'a' && bytes[at + 1] == 0xc3)
            .unwrap();
        bytes[at] = byte;
        fails(&bytes, ErrorKind::InvalidUtf8, at);
        // After the message, which is longer than the window, the stream goes on.
        bytes.push(7);
        let mut walker = WalkReader::new(Drops(&bytes, 100_003));
        assert!(walker.next_message().unwrap());
        assert!(walker.next_message().is_err());
        assert!(walker.next_message().unwrap());
        assert_eq!((walker.message(), walker.offset()), (1, good.len() as u64));
    }
    let reserved = [&b"\xdd\x00\x01\x00\x00"[..], &b"\x07".repeat(0xffff), b"\xc1"].concat();
    let long = [&b"\x92"[..], &str32(&"x".repeat(1 << 20)), &reserved].concat();
    fails(&long, ErrorKind::ReservedMarker, long.len() - 1);
}

#[test]
fn more_announced_than_present_is_eof() {
    // The first fault is the header of the array, which is only known at the end.
    let mut bytes = b"\xdd\x00\x10\x00\x00".to_vec();
    bytes.extend(vec![7; 600_000]);
    bytes.push(0xc1);
    bytes.extend(vec![7; 300_000]);
    fails(&bytes, ErrorKind::Eof, bytes.len());
    bytes.extend(vec![7; 0x10_0000 - 900_001]);
    fails(&bytes, ErrorKind::ReservedMarker, 600_005);
    // More than any input has.
    let bomb = [&b"\xdd\xff\xff\xff\xff".repeat(100_000)[..], &b"\xc1".repeat(1000)].concat();
    fails(&bomb, ErrorKind::Eof, bomb.len());
}

#[test]
fn held_bytes_are_limited() {
    let options = DecodeOptions::new().max_buffer(1 << 20);
    let bytes = [&b"\x92\x01"[..], &str32(&"x".repeat(2 << 20))].concat();
    let mut walker = WalkReader::with_options(&bytes[..], &options);
    walker.next_message().unwrap();
    walker.skip_message().unwrap();
    assert_eq!(walker.offset(), bytes.len() as u64);

    let mut walker = WalkReader::with_options(&bytes[..], &options);
    walker.next_message().unwrap();
    walker.next().unwrap();
    walker.next().unwrap();
    let error = walker.hold_value().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::LengthLimit, Some(2)));
}

#[test]
fn a_value_longer_than_the_buffer_is_refused_at_its_header() {
    /// Fails where the payload begins.
    struct HeaderOnly<'a>(&'a [u8]);
    impl Read for HeaderOnly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty(), "the payload is read");
            self.0.read(buffer)
        }
    }
    let options = DecodeOptions::new().max_buffer(1 << 20);
    for header in [b"\xdb\xc0\0\0\0", b"\xc6\0\x20\0\0", b"\xc9\0\x20\0\0"] {
        let bytes = [&b"\x91"[..], header, b"\x05"].concat();
        let mut walker = WalkReader::with_options(HeaderOnly(&bytes), &options);
        walker.next_message().unwrap();
        walker.next().unwrap();
        let error = walker.next().map(drop).unwrap_err();
        assert_eq!(
            (error.kind(), error.offset(), error.path()),
            (ErrorKind::LengthLimit, Some(1), Some("$[0]"))
        );
    }
}
