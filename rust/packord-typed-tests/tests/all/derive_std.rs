//! Types of the standard library other than collections: their bytes, hostile ones, and serde's.

use packord::serde::Config;
use packord::{ErrorKind, MsgPacker, MsgPackerBorrowed, Packable, Unpackable};
use serde::{Serialize, de::DeserializeOwned};
use std::cell::RefCell;
use std::ffi::OsString;
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU16, Ordering};
use std::sync::{Mutex, RwLock};
use std::time::Duration;

/// Checks the bytes, and that both typed paths read what either of them wrote.
fn check<T>(value: &T, bytes: &[u8])
where
    T: Packable + Unpackable + Serialize + DeserializeOwned + PartialEq + Debug,
{
    check_forms(value, bytes, bytes);
}

/// Checks a type that serde writes in another form, which is read too.
fn check_forms<T>(value: &T, bytes: &[u8], of_serde: &[u8])
where
    T: Packable + Unpackable + Serialize + DeserializeOwned + PartialEq + Debug,
{
    assert_eq!(value.pack_to_vec(), bytes, "{value:?}");
    assert_eq!(&T::unpack(bytes).unwrap(), value);
    let arrays = Config::new().structs_as_arrays(true);
    assert_eq!(arrays.to_vec(value).unwrap(), of_serde, "{value:?}");
    assert_eq!(rmp_serde::to_vec(value).unwrap(), of_serde, "{value:?}");
    assert_eq!(&packord::serde::from_slice::<T>(of_serde).unwrap(), value);
    let detected = Config::new().bytes(packord::serde::Bytes::Detected);
    let readable = Config::new().human_readable(true);
    for config in [arrays, Config::new(), detected, readable] {
        assert_eq!(&T::unpack(&config.to_vec(value).unwrap()).unwrap(), value);
    }
    for end in 0..bytes.len() {
        let error = T::unpack(&bytes[..end]).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Eof, Some(end as u64)));
    }
    for room in 0..bytes.len() {
        let error = value.pack_to_slice(&mut vec![0; room]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BufferFull);
    }
}

#[test]
fn both_typed_paths_write_the_same_bytes() {
    check(&PathBuf::from("/a"), b"\xa2/a");
    check(&(1..3), b"\x92\x01\x03");
    check(&(1..=300), b"\x92\x01\xcd\x01\x2c");
    check(&("a".to_owned().."b".to_owned()), b"\x92\xa1a\xa1b");
    check(&Ok::<u8, String>(7), b"\x81\xa2Ok\x07");
    check(&Err::<u8, String>("no".into()), b"\x81\xa3Err\xa2no");
    check(&RefCell::new(300), b"\xcd\x01\x2c");
    #[cfg(unix)]
    check(&OsString::from("ab"), b"\x81\xa4Unix\x92ab");
}

#[test]
fn durations_and_addresses_are_text_and_read_from_what_serde_writes() {
    let four = Ipv4Addr::new(127, 0, 0, 200);
    let six = Ipv6Addr::LOCALHOST;
    let text = b"\xab127.0.0.200";
    check_forms(&four, text, b"\x94\x7f\0\0\xcc\xc8");
    let octets = b"\xdc\x00\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
    check_forms(&six, b"\xa3::1", octets);
    check_forms(&IpAddr::V4(four), text, b"\x81\xa2V4\x94\x7f\0\0\xcc\xc8");
    let variant = [b"\x81\xa2V6", &octets[..]].concat();
    check_forms(&IpAddr::V6(six), b"\xa3::1", &variant);
    let (address, text) = (SocketAddrV4::new(four, 80), b"\xae127.0.0.200:80");
    check_forms(&address, text, b"\x92\x94\x7f\0\0\xcc\xc8\x50");
    check_forms(
        &SocketAddr::V4(address),
        text,
        b"\x81\xa2V4\x92\x94\x7f\0\0\xcc\xc8\x50",
    );
    let (address, text) = (SocketAddrV6::new(six, 80, 0, 0), b"\xa8[::1]:80");
    let pair = [b"\x92", &octets[..], b"\x50"].concat();
    check_forms(&address, text, &pair);
    let variant = [b"\x81\xa2V6", &pair[..]].concat();
    check_forms(&SocketAddr::V6(address), text, &variant);
    let scoped = SocketAddrV6::new(six, 80, 0, 7);
    assert_eq!(SocketAddrV6::unpack(&scoped.pack_to_vec()).unwrap(), scoped);
    let duration = Duration::new(5, 300);
    check_forms(&duration, b"\xaePT5.000000300S", b"\x92\x05\xcd\x01\x2c");
    let longest = Duration::new(u64::MAX, 999_999_999);
    assert_eq!(Duration::unpack(&longest.pack_to_vec()).unwrap(), longest);
    let error = Duration::unpack(b"\xa5-PT1S").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
    let error = Duration::unpack(b"\xa31 s").unwrap_err();
    assert_eq!(error.detail(), Some("expected a duration, found str"));
}

#[cfg(unix)]
#[test]
fn strings_of_the_system_need_no_utf_8_and_paths_do() {
    use std::os::unix::ffi::OsStringExt;
    let odd = OsString::from_vec(vec![0xff, b'a']);
    assert_eq!(OsString::unpack(&odd.pack_to_vec()).unwrap(), odd);
    assert_eq!(OsString::unpack(b"\xa2ab").unwrap(), "ab");
    let error = PathBuf::from(odd).try_pack_to_vec().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnsupportedType);
    assert_eq!(error.detail(), Some("the path is not valid UTF-8"));
    let error = OsString::unpack(b"\x81\xa7Windows\x91\x61").unwrap_err();
    assert_eq!(error.detail(), Some(r#"unknown variant "Windows""#));
}

#[derive(Debug, MsgPacker)]
#[msgpacker(map)]
struct Shared {
    cell: RefCell<Vec<u8>>,
    lock: Mutex<String>,
    many: RwLock<u8>,
    on: AtomicBool,
    low: AtomicI64,
    port: AtomicU16,
}

#[test]
fn cells_locks_and_atomics_are_what_they_hold() {
    let shared = Shared {
        cell: vec![1].into(),
        lock: Mutex::new("a".into()),
        many: RwLock::new(3),
        on: true.into(),
        low: (-9).into(),
        port: 300.into(),
    };
    let bytes = shared.pack_to_vec();
    let expected = r#"{"cell": h'01', "lock": "a", "many": 3, "on": true, "low": -9, "port": 300}"#;
    assert_eq!(
        packord::from_slice::<packord::Value>(&bytes).unwrap().to_string(),
        expected
    );
    let back = Shared::unpack(&bytes).unwrap();
    assert_eq!(*back.cell.borrow(), [1]);
    assert_eq!(*back.lock.lock().unwrap(), "a");
    assert_eq!(*back.many.read().unwrap(), 3);
    assert!(back.on.load(Ordering::Relaxed));
    assert_eq!(back.low.load(Ordering::Relaxed), -9);
    assert_eq!(back.port.load(Ordering::Relaxed), 300);
    let error = AtomicU16::unpack(b"\xce\x00\x01\x00\x00").unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::OutOfRange, Some(0)));
}

#[test]
fn a_value_that_cannot_be_seen_is_an_error() {
    let cell = RefCell::new(1);
    let held = cell.borrow_mut();
    let error = [&cell].try_pack_to_vec().unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::UnsupportedType, Some("$[0]")));
    assert_eq!(error.detail(), Some("the RefCell is borrowed for a change"));
    drop(held);
    assert_eq!(cell.pack_to_vec(), [1]);
    let lock = Mutex::new(1);
    let poison = || {
        std::thread::scope(|scope| {
            scope
                .spawn(|| {
                    let _held = lock.lock();
                    std::panic::resume_unwind(Box::new(()));
                })
                .join()
        })
    };
    assert!(poison().is_err());
    let error = lock.try_pack_to_vec().unwrap_err();
    assert_eq!(error.detail(), Some("the lock is poisoned"));
}

#[derive(Debug, PartialEq, MsgPackerBorrowed)]
struct Entry<'a> {
    path: &'a Path,
    lines: std::ops::Range<u32>,
    outcome: Result<&'a str, u8>,
}

#[test]
fn paths_and_results_borrow() {
    let entry = Entry {
        path: Path::new("a/b"),
        lines: 1..2,
        outcome: Ok("fine"),
    };
    let bytes = entry.pack_to_vec();
    assert_eq!(bytes, b"\x93\xa3a/b\x92\x01\x02\x81\xa2Ok\xa4fine");
    let back: Entry<'_> = packord::UnpackableBorrowed::unpack(&bytes).unwrap();
    assert_eq!(back, entry);
}

fn refuse<T: Unpackable + Debug>(bytes: &[u8], shown: &str) {
    assert_eq!(T::unpack(bytes).unwrap_err().to_string(), shown);
}

#[test]
fn wrong_input_is_refused() {
    type Outcome = Result<u8, String>;
    refuse::<PathBuf>(
        b"\x01",
        "type_mismatch at byte 0 ($): value has an unexpected type: expected a str, found integer",
    );
    refuse::<PathBuf>(b"\xa1\xff", "invalid_utf8 at byte 1 ($): str is not valid UTF-8");
    refuse::<std::ops::Range<u8>>(
        b"\x93\x01\x02\x03",
        "type_mismatch at byte 0 ($): value has an unexpected type: expected a tuple of size 2, found length 3",
    );
    refuse::<std::ops::Range<u8>>(
        b"\x92\x01\xa0",
        "type_mismatch at byte 2 ($.end): value has an unexpected type: expected an integer, found str",
    );
    refuse::<std::ops::Range<u8>>(
        b"\x81\xa3end\x01",
        "type_mismatch at byte 0 ($): value has an unexpected type: missing field \"start\"",
    );
    refuse::<std::ops::RangeInclusive<u8>>(
        b"\x07",
        "type_mismatch at byte 0 ($): value has an unexpected type: expected an array, found integer",
    );
    refuse::<Duration>(
        b"\x92\x01\xce\x3b\x9a\xca\x00",
        "out_of_range at byte 0 ($): number is out of range: the array does not fit Duration",
    );
    refuse::<Outcome>(
        b"\x80",
        "type_mismatch at byte 0 ($): value has an unexpected type: expected a map of one entry, found map",
    );
    refuse::<Outcome>(
        b"\x81\xa2ok\x01",
        "type_mismatch at byte 0 ($): value has an unexpected type: unknown variant \"ok\"",
    );
    refuse::<Outcome>(
        b"\x81\x00\x01",
        "type_mismatch at byte 0 ($): value has an unexpected type: expected a map from the name of a variant, found map",
    );
    refuse::<Outcome>(
        b"\x81\xa3Err\x01",
        "type_mismatch at byte 5 ($.Err): value has an unexpected type: expected a str, found integer",
    );
    refuse::<Ipv4Addr>(
        b"\x93\x01\x02\x03",
        "type_mismatch at byte 0 ($): value has an unexpected type: expected an array of length 4, found length 3",
    );
    refuse::<Ipv4Addr>(
        b"\xa31.2",
        "type_mismatch at byte 0 ($): value has an unexpected type: expected an IPv4 address, found str",
    );
    refuse::<IpAddr>(
        b"\x81\xa2V5\x00",
        "type_mismatch at byte 0 ($): value has an unexpected type: unknown variant \"V5\"",
    );
    refuse::<SocketAddr>(
        b"\x81\xa2V4\x92\x94\0\0\0\0\xce\0\x01\0\0",
        "out_of_range at byte 10 ($.V4[1]): number is out of range: 65536 does not fit u16",
    );
    refuse::<AtomicBool>(b"\xc1", "reserved_marker at byte 0 ($): marker c1 is reserved");
}

#[test]
fn announced_lengths_take_no_memory() {
    for header in [
        &b"\xdd\xff\xff\xff\xff"[..],
        b"\xdf\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
    ] {
        let within_unix = [b"\x81\xa4Unix", header].concat();
        for bytes in [header, &within_unix] {
            assert!(PathBuf::unpack(bytes).is_err());
            assert!(OsString::unpack(bytes).is_err());
            assert!(<std::ops::Range<Vec<u64>>>::unpack(bytes).is_err());
            assert!(<Result<Vec<u64>, Vec<String>>>::unpack(bytes).is_err());
            assert!(IpAddr::unpack(bytes).is_err());
            assert!(<RefCell<Vec<u64>>>::unpack(bytes).is_err());
            assert!(<Mutex<Vec<Vec<u8>>>>::unpack(bytes).is_err());
        }
    }
}

/// A type that nests in itself through a result and a cell.
#[derive(Debug, MsgPacker)]
struct Chain(Result<Option<Rc<RefCell<Chain>>>, u8>);

#[test]
fn deep_results_end_with_an_error() {
    let bytes = [&b"\x81\xa2Ok".repeat(100_000)[..], b"\xc0"].concat();
    assert_eq!(Chain::unpack(&bytes).unwrap_err().kind(), ErrorKind::DepthLimit);
    let bytes = [&b"\x81\xa2Ok".repeat(50)[..], b"\xc0"].concat();
    let chain = Chain::unpack(&bytes).unwrap();
    assert_eq!(chain.pack_to_vec(), bytes);
}
