//! Behaviour on a terminal: progress and colour.
#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use crate::tool::{self, packord};
use nix::pty::openpty;
use tempfile::TempDir;

/// What has not happened by then never does.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns the output of a terminal until the other side closes it.
fn seen(master: OwnedFd) -> String {
    let mut master = File::from(master);
    let (mut text, mut chunk) = (Vec::new(), [0; 4096]);
    // A closed terminal is an error, not an end.
    while let Ok(count @ 1..) = master.read(&mut chunk) {
        text.extend_from_slice(&chunk[..count]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Runs a command whose output is a terminal. Returns its exit code, what the terminal shows, and its errors.
fn on_terminal(mut command: Command, input: &[u8]) -> (Option<i32>, String, String) {
    let terminal = openpty(None, None).unwrap();
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::from(terminal.slave))
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The command keeps the terminal open until it is dropped.
    drop(command);
    let reader = spawn(move || seen(terminal.master));
    // It may stop before it reads.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), reader.join().unwrap(), errors)
}

/// Returns what a command shows on a terminal as standard error, when its input, `1` again and again, comes in two
/// parts.
fn bar(arguments: &[&str], between: Duration, parts: usize) -> String {
    let terminal = openpty(None, None).unwrap();
    let mut command = packord();
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::from(terminal.slave));
    let mut child = command.spawn().unwrap();
    // The command keeps the terminal open until it is dropped.
    drop(command);
    let reader = spawn(move || seen(terminal.master));
    let mut stdin = child.stdin.take().unwrap();
    let one = if arguments == ["unpack"] { "\u{1}" } else { "1 " };
    // More than a pipe holds: once it is written the program reads, and its time has begun.
    let part = one.repeat(200 << 10).into_bytes();
    stdin.write_all(&part).unwrap();
    // The line appears after a second.
    sleep(between);
    for _ in 1..parts {
        stdin.write_all(&part).unwrap();
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    reader.join().unwrap()
}

#[test]
fn progress_is_shown_after_a_second() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("log.pkd").display().to_string();
    let append = ["container", "create", "--append", "-o", &file];
    // Both wait at the same time.
    std::thread::scope(|scope| {
        for arguments in [&["unpack"][..], &append] {
            scope.spawn(move || {
                let shown = bar(arguments, Duration::from_millis(1500), 2);
                assert!(shown.contains("iB/s"), "{arguments:?}: {shown:?}");
                is_removed(&shown);
            });
        }
    });
}

/// The line is removed at the end.
#[track_caller]
fn is_removed(shown: &str) {
    assert!(shown.ends_with("\u{1b}[2K") || shown.ends_with('\r'), "{shown:?}");
}

#[test]
fn progress_of_parts_counts_each_byte_once() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let lines: String = (0..20_000).map(|id| format!("{{\"id\":{id}}}\n")).collect();
    let create = ["container", "create", "--block-rows", "100", "--codec", "none"];
    std::fs::write(path("log.pkd"), tool::succeeds(&create, lines.as_bytes())).unwrap();
    // The last part is a pipe, whose reader comes late.
    let late = folder.path().join("part-3.pkd");
    nix::unistd::mkfifo(&late, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let terminal = openpty(None, None).unwrap();
    let mut command = packord();
    command
        .args([
            "container",
            "split",
            "-n",
            "4",
            &path("log.pkd"),
            "-o",
            &path("part.pkd"),
        ])
        .stderr(Stdio::from(terminal.slave));
    let mut child = command.spawn().unwrap();
    drop(command);
    let reader = spawn(move || seen(terminal.master));
    // The program's time has begun once it writes.
    let begin = Instant::now();
    while !folder.path().join("part-1.pkd").exists() {
        assert!(begin.elapsed() < PATIENCE);
        sleep(Duration::from_millis(2));
    }
    sleep(Duration::from_millis(1200));
    assert!(!std::fs::read(&late).unwrap().is_empty());
    assert!(child.wait().unwrap().success());
    let shown = reader.join().unwrap();
    assert!(shown.contains("iB/s"), "{shown:?}");
    is_removed(&shown);
    let size = std::fs::metadata(path("log.pkd")).unwrap().len();
    // A line that counts more than is expected shows what it counts as the whole.
    let whole = format!(" of {:.2} KiB ", size as f64 / 1024.0);
    assert_eq!(
        shown.matches(" of ").count(),
        shown.matches(&whole).count(),
        "{whole}: {shown:?}"
    );
}

#[test]
fn no_progress_is_shown_for_short_work() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("log.pkd").display().to_string();
    let append = ["container", "create", "--append", "-o", &file];
    for arguments in [&["unpack"][..], &append] {
        // On a busy machine one of them may take a second.
        let mut shown = (0..5).map(|_| bar(arguments, Duration::ZERO, 1));
        assert!(shown.any(|shown| shown.is_empty()), "{arguments:?}");
    }
}

#[test]
fn output_to_a_terminal_is_coloured_unless_no_color_is_set() {
    for (no_colour, coloured) in [(None, true), (Some("1"), false), (Some(""), true)] {
        let mut command = packord();
        command.arg("inspect");
        if let Some(value) = no_colour {
            command.env("NO_COLOR", value);
        }
        let (code, shown, _) = on_terminal(command, b"\x01");
        assert_eq!(code, Some(0));
        assert!(shown.contains("positive fixint"), "{shown:?}");
        assert_eq!(shown.contains('\u{1b}'), coloured, "{shown:?}");
    }
    for (options, shown) in [
        (&["unpack"][..], "\u{1b}[33m1\u{1b}[0m\r\n"),
        (&["get", "."], "\u{1b}[33m1\u{1b}[0m\r\n"),
        (&["unpack", "--color", "never"], "1\r\n"),
        (&["unpack", "--to", "diag"], "1\r\n"),
        (&["get", ".", "--to", "csv"], "1\r\n"),
    ] {
        let mut command = packord();
        command.args(options);
        let (code, found, _) = on_terminal(command, b"\x01");
        assert_eq!((code, &*found), (Some(0), shown), "{options:?}");
    }
}

#[test]
fn bytes_go_to_a_terminal_only_with_force() {
    for arguments in [&["pack"][..], &["get", ".", "--to", "msgpack"], &["repair", "--quiet"]] {
        for force in [false, true] {
            let mut command = packord();
            command.args(arguments).args(force.then_some("--force"));
            // As JSON and as MessagePack it is a number.
            let (code, shown, text) = on_terminal(command, b"5");
            let expected = if force { 0 } else { 2 };
            assert_eq!(code, Some(expected), "{arguments:?}: {text}");
            assert_eq!(text.contains("--force"), !force, "{arguments:?}: {text}");
            assert_eq!(shown.is_empty(), !force, "{arguments:?}");
        }
    }
}

#[test]
fn what_a_terminal_would_obey_is_written_as_escapes() {
    let on_terminal = |arguments: &[&str], input: &[u8]| {
        let mut command = packord();
        command.args(arguments);
        let (code, shown, errors) = on_terminal(command, input);
        (code, shown + &errors)
    };
    // CSI in one letter, and an override of the direction.
    let odd = "\u{a9}a\u{9b}\u{202e}é".as_bytes();
    let odd = &[&[0xa0 | (odd.len() - 2) as u8], &odd[2..]].concat();
    for arguments in [
        &["unpack"][..],
        &["unpack", "--to", "diag"],
        &["get", "--raw", "."],
        &["inspect"],
    ] {
        let (code, shown) = on_terminal(arguments, odd);
        assert_eq!(code, Some(0), "{arguments:?}: {shown:?}");
        assert!(shown.contains("a\\u009b\\u202eé"), "{arguments:?}: {shown:?}");
    }
    // With colours, an escape in the data is none of them.
    let (_, shown) = on_terminal(&["unpack"], b"\x81\xa2\x1b[\xa2\x1b[");
    assert!(shown.contains("\"\\u001b[\""), "{shown:?}");
    assert_eq!(shown.matches('\u{1b}').count(), 4, "{shown:?}");
    // With colours, too.
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a\u{1b}[5m");
    std::fs::write(&file, b"\x01").unwrap();
    let (code, shown) = on_terminal(&["stats", &file.display().to_string()], b"");
    assert_eq!(code, Some(0), "{shown:?}");
    assert!(shown.contains("a\\u001b[5m: 1 B"), "{shown:?}");
    let bin = b"\xc4\x02\x1bc";
    let (code, shown) = on_terminal(&["get", "--raw", "."], bin);
    assert!(code == Some(2) && shown.contains("--force"), "{shown:?}");
    let (code, shown) = on_terminal(&["get", "--raw", "--force", "."], bin);
    assert_eq!((code, &*shown), (Some(0), "\u{1b}c\r\n"));
}

/// Runs `view` on a terminal of 80 by 24, and calls `then` when it shows `until`. Returns what was shown, and
/// the exit code.
fn viewed(file: &Path, until: &str, mut then: impl FnMut(&mut File, u32)) -> (String, Option<i32>, bool) {
    let size = nix::pty::Winsize {
        ws_row: 24,
        ws_col: 80,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let terminal = openpty(&size, None).unwrap();
    let slave = terminal.slave.try_clone().unwrap();
    let before = nix::sys::termios::tcgetattr(&slave).unwrap();
    let mut command = packord();
    command
        .arg("view")
        .arg(file)
        .stdin(Stdio::from(terminal.slave.try_clone().unwrap()))
        .stdout(Stdio::from(terminal.slave))
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut master = File::from(terminal.master);
    let (mut text, mut chunk) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&text).contains(until) {
        let count = master.read(&mut chunk).unwrap();
        text.extend_from_slice(&chunk[..count]);
    }
    then(&mut master, child.id());
    let reader = spawn(move || {
        // The terminal is open here too, so its end is not seen: the last bytes are these.
        let is_restored = |text: &[u8]| text.windows(8).any(|bytes| bytes == b"\x1b[?1049l");
        while !is_restored(&text) {
            let count = master.read(&mut chunk).unwrap();
            text.extend_from_slice(&chunk[..count]);
        }
        (text, master)
    });
    let code = child.wait().unwrap().code();
    let (text, _master) = reader.join().unwrap();
    let after = nix::sys::termios::tcgetattr(&slave).unwrap();
    let is_restored = before.local_flags == after.local_flags;
    (String::from_utf8_lossy(&text).into_owned(), code, is_restored)
}

#[test]
fn view_takes_keys_and_restores_the_terminal() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("data.msgpack");
    std::fs::write(&file, b"\x82\xa2id\x07\xa4name\xa3Ada").unwrap();
    let (text, code, is_restored) = viewed(&file, "\"Ada\"", |master, _| {
        master.write_all(b"jjyq").unwrap();
    });
    // `$.name` in base64, for the clipboard.
    assert!(text.contains("\x1b]52;c;JC5uYW1l\x07"), "{text:?}");
    assert_eq!((code, is_restored), (Some(0), true), "{text:?}");
}

#[test]
fn view_restores_the_terminal_after_a_signal() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("data.msgpack");
    std::fs::write(&file, b"\x93\x01\x02\xa3Ada").unwrap();
    let (text, code, is_restored) = viewed(&file, "\"Ada\"", |_, id| {
        let id = nix::unistd::Pid::from_raw(i32::try_from(id).unwrap());
        nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGTERM).unwrap();
    });
    assert_eq!((code, is_restored), (Some(143), true), "{text:?}");
}

#[test]
fn view_needs_a_terminal_and_a_file() {
    tool::fails(&["view"], b"\x01", 2, "standard output is not a terminal");
}
