//! Memory does not grow with the length of a stream, that of `diff` grows in proportion, and hostile bytes
//! take little. The system measures the peak over all children of this process, so this file has a single test.
#![cfg(unix)]

use std::io::{self, Write};
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};

const STREAM: usize = 100 << 20;
const LIMIT: i64 = 64 << 20;

#[test]
fn memory_does_not_grow_with_the_stream() {
    peak_below(LIMIT / 2, &["validate"], &vec![0x91; 1 << 20], 10);
    peak_below(LIMIT / 2, &["unpack"], &b"\xdd\x00\xff\xff\xff".repeat(1000), 1);
    // White space within a group of digits.
    for encoding in ["hex", "base64"] {
        let arguments = ["validate", "--encoding", encoding];
        peak_below_in(LIMIT / 2, &arguments, &[b"0", &vec![b' '; 1 << 20], b"1"], 48);
    }
    let message = [
        &b"\x83\xa2id\xce\x00\x01\x02\x03\xa4name\xd9\xc8"[..],
        &[b'x'; 200],
        b"\xa4tags\x92\xa1a\xca\x3f\xc0\0\0",
    ]
    .concat();
    let chunk = message.repeat(1000);
    let times = STREAM / chunk.len();
    for command in ["validate", "unpack", "inspect"] {
        peak_below(LIMIT, &[command], &chunk, times);
    }
    // The same maps as elements of one message.
    let half = times / 2;
    let count = u32::try_from(1000 * half).unwrap();
    let header = [&b"\xdd"[..], &count.to_be_bytes()].concat();
    for arguments in [&["get", "[-1].id"][..], &["unpack"]] {
        peak_below_in(LIMIT / 2, arguments, &[&header, &chunk, b""], half);
    }
    peak_below(LIMIT, &["unpack", "--to", "diag", "--records"], &chunk, times / 4);
    let line = br#"{"id":66051,"name":"Alice, whose name is the longest of all in this house of many names and few rooms","tags":["a",0.1]}"#.repeat(1000);
    peak_below(LIMIT, &["pack", "--records"], &line, 800);
    // The same objects as elements of one array, with --each.
    peak_below_in(
        LIMIT,
        &["pack", "--each"],
        &[
            b"[",
            &br#"{"id":66051,"name":"Alice, whose name is the longest of all in this house of many names and few rooms","tags":["a",0.1]},"#.repeat(1000),
            b"0]",
        ],
        500,
    );
    // Two streams of 4 MB, and of three times as much: memory in proportion to them. This comes last, as it raises
    // the peak.
    let folder = tempfile::TempDir::new().unwrap();
    for (limit, times) in [(LIMIT, 16), (3 * LIMIT, 48)] {
        let paths = ["old", "new"].map(|name| folder.path().join(name).display().to_string());
        std::fs::write(&paths[0], chunk.repeat(times)).unwrap();
        std::fs::write(&paths[1], [&b"\x01"[..], &chunk.repeat(times), b"\x02"].concat()).unwrap();
        peak_below(limit, &["diff", &paths[0], &paths[1]], b"", 0);
    }
}

#[track_caller]
fn peak_below(limit: i64, arguments: &[&str], chunk: &[u8], times: usize) {
    peak_below_in(limit, arguments, &[b"", chunk, b""], times);
}

/// The input is a start, a chunk that is repeated, and an end.
#[track_caller]
fn peak_below_in(limit: i64, arguments: &[&str], [begin, chunk, end]: &[&[u8]; 3], times: usize) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_packord"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for chunk in [begin]
        .into_iter()
        .chain(std::iter::repeat_n(chunk, times))
        .chain([end])
    {
        match stdin.write_all(chunk) {
            Ok(()) => {}
            // The program found a fault and stopped.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            Err(error) => panic!("{error}"),
        }
    }
    drop(stdin);
    child.wait().unwrap();
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss() * unit;
    assert!(peak < limit, "{arguments:?}: {peak} bytes");
}
