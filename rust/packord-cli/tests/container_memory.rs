//! Memory does not grow with the size of a container file. The system measures the peak over all children of this
//! process, so this file has a single test.
#![cfg(unix)]

use std::io::Write;
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use tempfile::TempDir;

/// Bytes of NDJSON, and of memory for three threads and their blocks.
const INPUT: usize = 160 << 20;
const LIMIT: i64 = 100 << 20;

#[test]
fn memory_does_not_grow_with_the_file() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (file, other) = (path("log.pkd"), path("other.pkd"));
    let piece: String = (0..1000)
        .map(|number| {
            format!(
                "{{\"id\":{number},\"text\":\"a line of the log, number {number}, of {}\"}}\n",
                "x".repeat(number % 400)
            )
        })
        .collect();
    let mut child = Command::new(env!("CARGO_BIN_EXE_packord"))
        .args([
            "container",
            "create",
            "--threads",
            "3",
            "--block-size",
            "500k",
            "-o",
            &file,
        ])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..INPUT / piece.len() {
        stdin.write_all(piece.as_bytes()).unwrap();
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    below_limit(&["create"]);
    for arguments in [
        &["unpack", "--threads", "3", &file][..],
        &["unpack", "--to", "msgpack", "--threads", "3", &file],
        &["validate", &file],
        &["get", "--count", ".", "--where", "id == 7", &file],
        &["container", "info", "--blocks", &file],
        &["container", "cat", &file, &file, "-o", &other],
        &["container", "compact", "--block-size", "600k", &file, "-o", &other],
        &["repair", &file, "-o", &other],
        &["container", "split", "-n", "3", &file, "-o", &other],
        &[
            "container",
            "create",
            "--append",
            "--threads",
            "3",
            "--block-size",
            "500k",
            &file,
            "-o",
            &other,
        ],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_packord"));
        let status = command
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "{arguments:?}");
        below_limit(arguments);
    }
}

#[track_caller]
fn below_limit(arguments: &[&str]) {
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss() * unit;
    assert!(peak < LIMIT, "{arguments:?}: {peak} bytes");
}
