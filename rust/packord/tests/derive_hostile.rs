//! Hostile bytes and implementations.

use packord::typed::derived::Cursor;
use packord::typed::{Failed, Reader, Writer};
use packord::{ErrorKind, MsgPacker, Packable, Unpackable};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Debug, Clone, PartialEq, MsgPacker)]
struct Node {
    value: u8,
    children: Vec<Node>,
}

#[derive(Debug, MsgPacker)]
#[msgpacker(untagged)]
#[allow(dead_code, reason = "only read")]
enum Maze {
    A(Vec<Maze>, u8),
    B(Vec<Maze>, bool),
    C(Vec<Maze>),
}

#[test]
fn announced_lengths_take_no_memory() {
    let nested = [0xdd, 0, 0xff, 0xff, 0xff].repeat(1000);
    for bytes in [
        &b"\xdd\xff\xff\xff\xff"[..],
        b"\xdf\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        &nested,
    ] {
        assert!(Vec::<u64>::unpack(bytes).is_err());
        assert!(Vec::<()>::unpack(bytes).is_err());
        assert!(Vec::<[u64; 32]>::unpack(bytes).is_err());
        assert!(HashMap::<String, u64>::unpack(bytes).is_err());
        assert!(HashSet::<u64>::unpack(bytes).is_err());
        assert!(BTreeMap::<u8, Vec<Vec<u8>>>::unpack(bytes).is_err());
        assert!(Node::unpack(bytes).is_err());
        assert!(Vec::<()>::unpack_iter(bytes.iter().copied()).is_err());
        assert!(String::unpack_iter(bytes.iter().copied()).is_err());
    }
    let error = Vec::<()>::unpack(b"\xdd\xff\xff\xff\xff").unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Eof, Some(5)));
    // Elements of the outer array are announced as well, so the inner one cannot have three.
    let error = Vec::<Vec<u8>>::unpack(b"\x93\x93\x01\x02").unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Eof, Some("$[0]")));
}

#[test]
fn trying_variants_stays_linear() {
    let bytes = [&[0x92, 0x91].repeat(400)[..], &[0xc0]].concat();
    let began = std::time::Instant::now();
    assert!(Maze::unpack(&bytes).is_err());
    assert!(began.elapsed().as_secs() < 10);
}

/// Claims to be small or huge, and is not.
struct Liar(usize);

impl Packable for Liar {
    fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
        writer.array(self.0, |array| {
            (0..self.0).try_for_each(|_| array.element("twenty characters .."))
        })
    }

    fn packed_len_bound(&self) -> usize {
        if self.0 == 3 { usize::MAX } else { 1 }
    }
}

#[derive(Packable)]
struct Holder {
    a: u8,
    liar: Liar,
    b: String,
}

use packord::Packable as Pack;

#[test]
fn wrong_bounds_cost_nothing_but_time() {
    let holder = Holder {
        a: 1,
        liar: Liar(100),
        b: "x".repeat(100),
    };
    let bytes = Pack::pack_to_vec(&holder);
    assert_eq!(
        packord::from_slice::<packord::Value>(&bytes).unwrap()[1][99],
        "twenty characters .."
    );
    assert_eq!(Pack::pack_to_vec(&Liar(3)).len(), 1 + 3 * 21);
    let mut space = vec![0xee; bytes.len() + 1];
    // Miri is about a thousand times slower.
    for room in (0..bytes.len()).step_by(if cfg!(miri) { 211 } else { 1 }) {
        let error = holder.pack_to_slice(&mut space[..room]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BufferFull);
        assert!(space[room..].iter().all(|&byte| byte == 0xee));
    }
}

/// Claims to take no bytes, or more than the input has, and takes one byte or none.
#[derive(Debug, PartialEq)]
struct Guess<const MIN_LEN: usize, const MOVES: bool>(Option<u8>);

impl<const MIN_LEN: usize, const MOVES: bool> Unpackable for Guess<MIN_LEN, MOVES> {
    const LEAF: bool = true;
    const MIN_LEN: usize = MIN_LEN;

    fn quick(cursor: &mut Cursor<'_>) -> Option<Self> {
        let mut copy = *cursor;
        let byte = u8::quick(if MOVES { cursor } else { &mut copy });
        Some(Guess(byte))
    }

    fn unpack_from(reader: &mut Reader<'_>) -> Result<Self, Failed> {
        u8::unpack_from(reader).map(|byte| Guess(Some(byte)))
    }
}

#[test]
fn wrong_claims_of_readers_read_nothing_out_of_bounds() {
    let bytes = b"\x92\x93\x01\x02\x03\x91\x04";
    type Nested<const MIN_LEN: usize, const MOVES: bool> = Vec<Vec<Guess<MIN_LEN, MOVES>>>;
    let few = Nested::<0, true>::unpack(bytes).unwrap();
    assert_eq!((few[0].len(), &few[1][..]), (3, &[Guess(Some(4))][..]));
    let many = Nested::<{ usize::MAX }, true>::unpack(bytes).unwrap();
    assert_eq!((many[0].len(), &many[1][..]), (3, &[Guess(Some(4))][..]));
    // Bytes that were not taken are read as the next value.
    assert!(Nested::<0, false>::unpack(bytes).is_err());
    let beyond = <[Guess<0, true>; 2]>::unpack(b"\x92\x01").unwrap_err();
    assert!(beyond.is_eof());
    assert!(Nested::<{ usize::MAX }, false>::unpack(b"\xdd\xff\xff\xff\xff").is_err());
}

thread_local! {
    static ALIVE: Cell<i64> = const { Cell::new(0) };
}

struct Counted;

impl Unpackable for Counted {
    fn unpack_from(reader: &mut Reader<'_>) -> Result<Self, Failed> {
        u8::unpack_from(reader)?;
        ALIVE.set(ALIVE.get() + 1);
        Ok(Counted)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
        assert!(ALIVE.get() != 1, "dropping");
    }
}

#[test]
fn half_made_arrays_are_dropped_once_even_if_that_panics() {
    let outcome = std::panic::catch_unwind(|| <[Counted; 4]>::unpack(b"\x94\x01\x02\x03\xc0").is_err());
    assert!(outcome.is_err());
    assert_eq!(ALIVE.get(), 0);
}

#[test]
fn faults_have_offset_and_path() {
    #[derive(Debug, MsgPacker)]
    #[msgpacker(map)]
    struct User {
        name: String,
    }
    #[derive(Debug, MsgPacker)]
    #[msgpacker(map)]
    struct Users {
        users: Vec<User>,
    }
    let bytes = b"\x81\xa5users\x92\x81\xa4name\xa1a\x81\xa4name\xa1\xff";
    let error = Users::unpack(bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid_utf8 at byte 23 ($.users[1].name): str is not valid UTF-8"
    );
    let map = HashMap::from([("a key".to_owned(), vec![Liar(100)])]);
    let error = map.pack_to_slice(&mut [0; 50]).unwrap_err();
    assert_eq!(error.path(), Some("$[\"a key\"][0][1]"));
    let error = HashMap::<String, u8>::unpack(b"\x81\xa1k\xa0").unwrap_err();
    assert_eq!((error.offset(), error.path()), (Some(3), Some("$.k")));
}

#[test]
fn values_without_bytes_take_no_memory() {
    // Each element takes a byte in the input, if none in memory.
    let error = Vec::<()>::unpack(b"\xdd\xff\xff\xff\xff\xc0").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Eof);
    let error = <[(); 1 << 32]>::unpack(b"\xdd\xff\xff\xff\xff\xc0").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Eof);
    let error = <[(); 1 << 32]>::unpack(b"\x91\xc0").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);

    let many = vec![(); 1 << 32];
    let error = many.pack_to_slice(&mut [0; 16]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
    let error = many[1..].pack_to_slice(&mut [0; 16]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BufferFull);
    let few = vec![(); 70_000];
    assert_eq!(Vec::<()>::unpack(&few.pack_to_vec()).unwrap().len(), 70_000);
}

#[test]
fn points_in_time_of_any_size_do_not_panic() {
    use packord::Timestamp;
    use std::time::{Duration, SystemTime};

    #[derive(Debug, PartialEq, MsgPacker)]
    struct At {
        #[msgpacker(timestamp)]
        seconds: u32,
    }

    for (seconds, nanoseconds) in [
        (0, 0),
        (-1, 999_999_999),
        (i64::MIN, 0),
        (i64::MAX, 999_999_999),
        ((1 << 34) - 1, 1),
        (1 << 34, 0),
        (u32::MAX.into(), 0),
    ] {
        let at = Timestamp::new(seconds, nanoseconds).unwrap();
        let bytes = at.pack_to_vec();
        assert_eq!(Timestamp::unpack(&bytes), Ok(at));
        match SystemTime::unpack(&bytes) {
            Ok(time) => {
                let step = if cfg!(windows) { 100 } else { 1 };
                let held = Timestamp::new(seconds, nanoseconds / step * step).unwrap();
                assert_eq!(Timestamp::from(time), held);
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::OutOfRange),
        }
        let within = [&[0x91], &bytes[..]].concat();
        match At::unpack(&within) {
            Ok(read) => assert_eq!((i64::from(read.seconds), 0), (seconds, nanoseconds)),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::OutOfRange);
                assert!(nanoseconds != 0 || u32::try_from(seconds).is_err());
            }
        }
    }
    let before = SystemTime::UNIX_EPOCH - Duration::new(1, 500);
    assert_eq!(SystemTime::unpack(&before.pack_to_vec()), Ok(before));
    let error = Timestamp::unpack(b"\xc7\x0c\xff\x3b\x9a\xca\x00\0\0\0\0\0\0\0\0").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidTimestamp);
}
