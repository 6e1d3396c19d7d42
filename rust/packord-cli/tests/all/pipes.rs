//! Output while the input goes on: pipes that pause, and files that grow.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::tool::{self, succeeds};
use tempfile::TempDir;

/// A command that would hang is given up after this time.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running command, and what it writes as it comes.
struct Running {
    child: Child,
    pieces: Receiver<Vec<u8>>,
}

impl Running {
    fn start(arguments: &[&str]) -> Running {
        let mut child = tool::start(arguments);
        let mut stdout = child.stdout.take().unwrap();
        let (sender, pieces) = channel();
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(count @ 1..) = stdout.read(&mut piece) {
                if sender.send(piece[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Running { child, pieces }
    }

    fn write(&mut self, bytes: &[u8]) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// Waits until this output has come.
    #[track_caller]
    fn shows(&self, expected: &str) {
        let mut seen = String::new();
        while seen.len() < expected.len() {
            match self.pieces.recv_timeout(PATIENCE) {
                Ok(piece) => seen.push_str(&String::from_utf8(piece).unwrap()),
                Err(error) => panic!("{error}: {seen:?} instead of {expected:?}"),
            }
        }
        assert_eq!(seen, expected);
    }
}

/// Runs a command that shows, after each input, what belongs to it.
fn shows_in_turn(arguments: &[&str], steps: &[(&[u8], &str)]) -> Running {
    let mut running = Running::start(arguments);
    for (input, shown) in steps {
        running.write(input);
        running.shows(shown);
    }
    running
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn each_message_of_a_pipe_is_shown_before_the_next_one_comes() {
    let one = "00000000  01                        positive fixint  1\n";
    for (arguments, first, second) in [
        (&["unpack"][..], "1\n", "[\"a\"]\n"),
        (&["unpack", "--to", "diag"], "1\n", "[\"a\"]\n"),
        (&["get", "."], "1\n", "[\"a\"]\n"),
        (
            &["inspect", "--depth", "1"],
            one,
            "message 1\n00000001  91                        fixarray  1 element\n",
        ),
    ] {
        // The start of the second message is there already.
        shows_in_turn(arguments, &[(b"\x01\x91\xa1", first), (b"a", second)]);
    }
}

#[test]
fn messages_that_come_slowly_are_shown_without_a_pause() {
    let mut running = Running::start(&["unpack"]);
    let mut is_shown = || {
        running.write(b"\x01");
        let piece = running.pieces.recv_timeout(Duration::from_millis(20));
        piece.is_ok()
    };
    assert!((0..500).any(|_| is_shown()));
}

#[test]
fn get_shows_a_value_before_its_message_ends() {
    let start = b"\x93\x81\xa2id\x05\x81\xa2";
    shows_in_turn(&["get", "[*].id"], &[(start, "5\n"), (b"id\x06", "6\n")]);
}

#[test]
fn pack_writes_what_a_pipe_has_brought_before_more_comes() {
    for (arguments, lines) in [
        (&["pack"][..], ["{\"a\":1}\n{\"a", "\":2}\n"]),
        // Without a line between them.
        (&["pack"], ["{\"a\":1}", "[2] [3]"]),
        (&["pack"], ["[\"a\"]", "\n\"b\""]),
        (&["pack"], ["1 2 3", " 4 "]),
        (&["pack"], ["1 \"\\n\u{e9}", "\""]),
        (&["pack", "--each"], ["[{\"a\":1},{\"a", "\":2}]\n"]),
        (&["pack", "--records"], ["{\"a\":1}\n{\"a", "\":2}\n"]),
        (&["pack", "--from", "csv"], ["a\n1\n2", "\n"]),
        (&["pack", "--from", "msgpack"], ["\u{1}\u{2}", "\u{3}"]),
    ] {
        let mut running = Running::start(arguments);
        for line in lines {
            running.write(line.as_bytes());
            let piece = running.pieces.recv_timeout(PATIENCE);
            assert!(piece.is_ok(), "{arguments:?}");
        }
    }
}

#[test]
fn what_a_pipe_asks_for_after_a_pause_is_never_misread() {
    let records = succeeds(&["pack", "--records"], b"[{\"a\":1},{\"a\":2}]");
    let rows = (0..100).map(|id| format!("{{\"id\":{id},\"n\":0}}"));
    let json = format!("[{}]\n", rows.collect::<Vec<_>>().join(","));
    let columns = succeeds(&["pack", "--columns"], json.as_bytes());
    let set = b"\xd4\x73\0\x92\x01\x02".to_vec();
    for (late, option, shown) in [
        (records, "--records", "[{\"a\":1},{\"a\":2}]\n"),
        (columns, "--columns", &json),
        (set, "--ext=msgpackr", "[1,2]\n"),
    ] {
        let mut running = shows_in_turn(&["unpack"], &[(b"\x46", "70\n")]);
        running.write(&late);
        drop(running.child.stdin.take());
        assert_eq!(running.child.wait().unwrap().code(), Some(3), "{option}");
        shows_in_turn(&["unpack", option], &[(b"\x46", "70\n"), (&late, shown)]);
    }
    // Values that only look so, and what comes after the first bytes.
    let shown = "{\"$ext\":[114,\"QA==\"]}\n[1]\n{\"$ext\":[92,\"Ag==\"]}\n";
    let plain = b"\xd4\x72\x40\x91\x01\xd4\x5c\x02";
    shows_in_turn(&["unpack"], &[(b"\x46", "70\n"), (plain, shown)]);
}

#[test]
fn follow_says_that_a_file_became_shorter() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("log");
    fs::write(&path, b"\x01\x02").unwrap();
    let mut running = Running::start(&["unpack", "--follow", &path.display().to_string()]);
    running.shows("1\n2\n");
    fs::write(&path, b"\x03").unwrap();
    running.shows("3\n");
    running.child.kill().unwrap();
    let mut stderr = String::new();
    let mut pipe = running.child.stderr.take().unwrap();
    pipe.read_to_string(&mut stderr).unwrap();
    assert!(stderr.contains("log: the file became shorter"), "{stderr}");
}

#[test]
fn follow_shows_what_is_added_to_a_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("log");
    fs::write(&path, b"\x01").unwrap();
    let name = path.display().to_string();
    for arguments in [["unpack", "--follow", &name], ["get", ".", &name]] {
        let mut arguments = arguments.to_vec();
        if arguments[0] == "get" {
            arguments.push("--follow");
        }
        fs::write(&path, b"\x01").unwrap();
        let running = Running::start(&arguments);
        running.shows("1\n");
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(b"\x02\x92\x03").unwrap();
        running.shows("2\n");
        file.write_all(b"\x04").unwrap();
        running.shows("[3,4]\n");
    }
}
