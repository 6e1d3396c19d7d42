//! Every command with unusual inputs: folders, pipes, devices, empty, huge and unreadable files.
#![cfg(target_os = "linux")]

mod tool;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, Uid, mkfifo};
use tempfile::TempDir;
use tool::{fails, packord, succeeds};

/// Every command that reads MessagePack.
const READING: [&[&str]; 9] = [
    &["validate"],
    &["validate", "--all"],
    &["validate", "--hints"],
    &["unpack"],
    &["inspect"],
    &["get", "."],
    &["stats"],
    &["repair"],
    &["unpack", "--to", "diag"],
];
/// Every command that reads text.
const TEXT: [&[&str]; 4] = [
    &["pack"],
    &["pack", "--each"],
    &["pack", "--from", "csv"],
    &["compare", "--quick"],
];
const MEMORY: u64 = 128 << 20;
const PATIENCE: Duration = Duration::from_secs(60);

fn all() -> impl Iterator<Item = &'static [&'static str]> {
    READING.into_iter().chain(TEXT)
}

fn with<'a>(command: &[&'a str], file: &'a str) -> Vec<&'a str> {
    [command, &[file]].concat()
}

#[test]
fn directories_and_missing_files_are_errors() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path().display().to_string();
    for command in all() {
        fails(&with(command, &folder), b"", 3, "is a directory");
        fails(
            &with(command, "none"),
            b"",
            3,
            "cannot read none: no such file or directory",
        );
    }
    fails(&["diff", &folder, &folder], b"", 3, "is a directory");
    fails(&["diff", "none", "none"], b"", 3, "cannot read none");
}

#[test]
fn empty_files_are_streams_without_messages() {
    for command in [&["unpack"][..], &["inspect"], &["pack"], &["repair", "-q"]] {
        assert_eq!(succeeds(command, b""), b"", "{command:?}");
    }
    succeeds(&["validate"], b"");
    fails(&["get", "."], b"", 1, "no value at $");
    fails(&["stats"], b"", 1, "is empty");
    fails(&["compare"], b"", 3, "no JSON value in the input");
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("empty");
    fs::write(&path, "").unwrap();
    let path = path.display().to_string();
    succeeds(&["diff", &path, &path], b"");
}

#[test]
fn unreadable_files_are_errors() {
    if Uid::effective().is_root() {
        // Root can read every file.
        eprintln!("not tested: this runs as root");
        return;
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secret");
    fs::write(&path, b"\x01").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    for command in all() {
        let path = path.display().to_string();
        fails(&with(command, &path), b"", 3, "permission denied");
    }
}

#[test]
fn a_pipe_with_a_name_is_read_as_it_comes() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("pipe");
    mkfifo(&path, Mode::S_IRWXU).unwrap();
    for (command, given, expected) in [
        (
            &["unpack"][..],
            &b"\x01\x92\x02\x03"[..],
            &b"1\n[2,3]\n"[..],
        ),
        (&["get", "[1]"], b"\x01\x92\x02\x03", b"3\n"),
        (&["pack"], b"1 [2,3]", b"\x01\x92\x02\x03"),
    ] {
        let child = packord()
            .args(command)
            .arg(&path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = File::options().write(true).open(&path).unwrap();
        for byte in given {
            pipe.write_all(&[*byte]).unwrap();
        }
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{command:?}");
        assert_eq!(output.stdout, expected, "{command:?}");
    }
}

#[test]
fn endless_input_takes_no_memory() {
    for command in ["unpack", "inspect", "get"] {
        let mut child = packord();
        child.arg(command);
        if command == "get" {
            child.arg(".");
        }
        let mut child = child
            .arg("/dev/zero")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut some = vec![0; 1 << 20];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{command}");
        assert_eq!(output.stderr, b"", "{command}");
    }
    for command in ["validate", "stats", "repair"] {
        let child = packord()
            .args([command, "/dev/zero"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        stays_small(child, Duration::from_secs(1));
    }
    // `compare` holds the whole document.
    for command in TEXT.into_iter().filter(|command| command[0] != "compare") {
        let child = packord()
            .args(command)
            .arg("/dev/zero")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        stays_small(child, Duration::from_secs(1));
    }
}

#[test]
fn refuses_a_csv_row_without_end() {
    let command = ["pack", "--from", "csv"];
    let told = |line| format!("line {line}: row exceeds 32 MiB");
    fails(&with(&command, "/dev/zero"), b"", 3, &told(1));
    let rows = [&command[..], &["--no-header", "/dev/zero"]].concat();
    fails(&rows, b"", 3, &told(1));
    let quote = "name,note\nmilk,\"".to_owned() + &" ".repeat(40 << 20);
    fails(&command, quote.as_bytes(), 3, &told(2));
    let long = "name,note\n".to_owned() + &("a".repeat(20 << 20) + ",b\n").repeat(3);
    let packed = succeeds(&command, long.as_bytes());
    assert_eq!(packed.len(), 3 * (1 + 5 + 5 + (20 << 20) + 5 + 2));
}

#[test]
fn large_values_are_refused_at_max_message() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sparse");
    let file = File::create(&path).unwrap();
    file.set_len(5_000_000_000).unwrap();
    // A bin of four gigabytes, more than --max-message.
    file.write_at(b"\xc6\xff\xff\xff\xf0", 0).unwrap();
    let path = path.display().to_string();
    for command in READING.into_iter().filter(|command| command.len() == 1) {
        fails(
            &[command, &["--max-message", "50m", &path]].concat(),
            b"",
            3,
            "length_limit at byte 0 ($)",
        );
    }
    let limited = ["validate", "--all", "--max-message", "50m", &path];
    fails(&limited, b"", 3, "input exceeds 50000000 bytes");
    fails(
        &["diff", "--max-message", "50m", &path, &path],
        b"",
        3,
        "input exceeds 50000000 bytes",
    );
    // As JSON it is invalid from the first byte on.
    fails(&["pack", &path], b"", 3, "invalid JSON at line 1, column 1");
}

#[test]
fn an_interrupted_command_leaves_nothing_behind() {
    for (signal, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)] {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("out");
        fs::write(&out, "before").unwrap();
        let mut child = packord()
            .args(["unpack", "/dev/zero", "--out"])
            .arg(&out)
            .spawn()
            .unwrap();
        let began = Instant::now();
        while fs::read_dir(folder.path()).unwrap().count() < 2 {
            assert!(began.elapsed() < PATIENCE, "it writes nothing");
            sleep(Duration::from_millis(5));
        }
        kill(Pid::from_raw(child.id() as i32), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(fs::read_to_string(&out).unwrap(), "before");
    }
}

/// Checks the memory of a command for a while, and stops it.
#[track_caller]
fn stays_small(mut child: Child, time: Duration) {
    let began = Instant::now();
    while began.elapsed() < time {
        let path = format!("/proc/{}/status", child.id());
        let status = fs::read_to_string(path).unwrap_or_default();
        let peak: u64 = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
            .unwrap_or(0);
        assert!(peak << 10 < MEMORY, "{} MB", peak >> 10);
        if child.try_wait().unwrap().is_some() {
            return;
        }
        sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
