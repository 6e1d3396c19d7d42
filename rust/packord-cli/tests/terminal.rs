//! Behaviour on a terminal: progress and colour.
#![cfg(unix)]

mod tool;

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::thread::{sleep, spawn};
use std::time::Duration;

use nix::pty::openpty;
use tool::packord;

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

/// Returns what `unpack` shows on a terminal as standard error, when its input comes in two parts.
fn bar(between: Duration, parts: usize) -> String {
    let terminal = openpty(None, None).unwrap();
    let mut command = packord();
    command
        .args(["unpack"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::from(terminal.slave));
    let mut child = command.spawn().unwrap();
    // The command keeps the terminal open until it is dropped.
    drop(command);
    let reader = spawn(move || seen(terminal.master));
    let mut stdin = child.stdin.take().unwrap();
    let part = vec![1; 10 << 10];
    stdin.write_all(&part).unwrap();
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
    let shown = bar(Duration::from_millis(1500), 20);
    assert!(shown.contains("MiB") || shown.contains("KiB"), "{shown:?}");
    // The line is removed at the end.
    assert!(
        shown.ends_with("\u{1b}[2K") || shown.ends_with('\r'),
        "{shown:?}"
    );
}

#[test]
fn no_progress_is_shown_for_short_work() {
    assert_eq!(bar(Duration::ZERO, 1), "");
}

#[test]
fn output_to_a_terminal_is_coloured_unless_no_color_is_set() {
    for (no_colour, coloured) in [(None, true), (Some("1"), false), (Some(""), true)] {
        let terminal = openpty(None, None).unwrap();
        let mut command = packord();
        command
            .args(["inspect"])
            .stdin(Stdio::piped())
            .stdout(Stdio::from(terminal.slave))
            .stderr(Stdio::null());
        if let Some(value) = no_colour {
            command.env("NO_COLOR", value);
        }
        let mut child = command.spawn().unwrap();
        drop(command);
        let reader = spawn(move || seen(terminal.master));
        child.stdin.take().unwrap().write_all(b"\x01").unwrap();
        assert!(child.wait().unwrap().success());
        let shown = reader.join().unwrap();
        assert!(shown.contains("positive fixint"), "{shown:?}");
        assert_eq!(shown.contains('\u{1b}'), coloured, "{shown:?}");
    }
}

#[test]
fn bytes_go_to_a_terminal_only_with_force() {
    for arguments in [
        &["pack"][..],
        &["get", ".", "--to", "msgpack"],
        &["repair", "--quiet"],
    ] {
        for force in [false, true] {
            let terminal = openpty(None, None).unwrap();
            let mut command = packord();
            command
                .args(arguments)
                .args(force.then_some("--force"))
                .stdin(Stdio::piped())
                .stdout(Stdio::from(terminal.slave))
                .stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            drop(command);
            let reader = spawn(move || seen(terminal.master));
            // As JSON and as MessagePack it is a number. The command may stop before it reads.
            let _ = child.stdin.take().unwrap().write_all(b"5");
            let output = child.wait_with_output().unwrap();
            let text = String::from_utf8(output.stderr).unwrap();
            let code = if force { 0 } else { 2 };
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
            assert_eq!(text.contains("--force"), !force, "{arguments:?}: {text}");
            assert_eq!(reader.join().unwrap().is_empty(), !force, "{arguments:?}");
        }
    }
}
