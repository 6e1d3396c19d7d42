//! Every command with unusual inputs: folders, pipes, devices, empty, huge and unreadable files.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::tool::{self, fails, packord, run, succeeds};
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, Uid, mkfifo};
use tempfile::TempDir;

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
        fails(&with(command, &folder), b"", 3, tool::IS_FOLDER);
        fails(
            &with(command, "none"),
            b"",
            3,
            if cfg!(windows) {
                "cannot read none: "
            } else {
                "cannot read none: no such file or directory"
            },
        );
    }
    fails(&["diff", &folder, &folder], b"", 3, tool::IS_FOLDER);
    fails(&["diff", "none", "none"], b"", 3, "cannot read none");
}

#[test]
fn empty_files_are_streams_without_messages() {
    for command in [&["unpack"][..], &["inspect"], &["pack"], &["repair", "-q"]] {
        assert_eq!(succeeds(command, b""), b"", "{command:?}");
    }
    succeeds(&["validate"], b"");
    fails(&["get", "."], b"", 1, "no value at .");
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
        (&["unpack"][..], &b"\x01\x92\x02\x03"[..], &b"1\n[2,3]\n"[..]),
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
    // Without the option, it is more than 1 GB, and nothing of its payload is read.
    for command in [&["validate"][..], &["unpack"], &["get", "."], &["stats"]] {
        let mut child = packord();
        child.args(command).stdin(Stdio::piped());
        let mut child = child.stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        // 3 GiB, and no more bytes come: the pipe stays open.
        pipe.write_all(b"\x91\xdb\xc0\0\0\0").unwrap();
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(3), "{command:?}");
        assert!(
            stderr.contains("length_limit at byte 1 ($[0])"),
            "{command:?}: {stderr}"
        );
        drop(pipe);
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
fn what_is_too_long_is_the_same_fault_with_all_faults() {
    let lengths = b"\xdb\xff\xff\xff\xff".repeat(65_535);
    let whole = [&b"\xdc\xff\xff"[..], &lengths].concat();
    for (input, place) in [
        (&whole[..], "length_limit at byte 3 ($[0])"),
        // The array has more elements than the input has bytes.
        (&whole[..8], "eof at byte 8 ($)"),
        (b"\xc6\xff\xff\xff\xff\x01", "length_limit at byte 0 ($)"),
    ] {
        fails(&["validate"], input, 3, place);
        fails(&["validate", "--all"], input, 3, place);
    }
}

#[test]
fn an_interrupted_command_leaves_nothing_behind() {
    // Several times, as the signal should come right after the file.
    for (signal, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)].repeat(10) {
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

#[test]
fn the_format_of_rows_is_recognised_also_if_they_are_damaged() {
    let create = ["container", "create"];
    let rows = |input: &[u8]| {
        let unpacked = succeeds(&["unpack"], &succeeds(&create, input));
        String::from_utf8(unpacked).unwrap()
    };
    assert_eq!(rows("\u{feff}{\"a\":1}".as_bytes()), "{\"a\":1}\n");
    // Four integers, and not the marker of a stream of Arrow.
    assert_eq!(rows(&[0xff; 5]), "-1\n".repeat(5));
    for json in [&b"{\"a\":1}\xff"[..], b"[{\"\xe9\":1}]", b"{\"a\":\"\x01\"}"] {
        fails(&create, json, 3, "standard input: invalid JSON at line 1");
    }
}

#[test]
fn pack_says_which_option_reads_what_is_not_json() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let rows = b"{\"a\":1}\n{\"a\":2}\n";
    let container = succeeds(&["container", "create"], rows);
    let message = |to: &str| succeeds(&["unpack", "--to", to], &container);
    let csv = write("rows.csv", b"a\n1\n2\n");
    let files = [
        (&csv, "CSV (--from csv "),
        (&write("rows.pkd", &container), "a container file (--from msgpack "),
        (
            &write("rows.parquet", &message("parquet")),
            "Parquet (packord pack --from parquet ",
        ),
        (
            &write("rows.arrow", &message("arrow")),
            "an Arrow file (packord pack --from arrow ",
        ),
    ];
    for (file, what) in files {
        let expected = format!("cannot read {file}: it is not JSON but {what}");
        fails(&["pack", file], b"", 3, &expected);
        // A container file is made of each of them.
        let made = succeeds(&["pack", "--container", file], b"");
        assert_eq!(succeeds(&["unpack"], &made), rows, "{file}");
    }
    // JSON by another name, and an array that is one row.
    let json = write("json.csv", b"[{\"a\":1}]");
    assert_eq!(succeeds(&["pack", &json], b""), b"\x91\x81\xa1a\x01");
    let made = succeeds(&["pack", "--container", "--from", "json", &json], b"");
    assert_eq!(succeeds(&["unpack"], &made), b"[{\"a\":1}]\n");
}

#[test]
fn bytes_that_are_written_as_digits_are_read_by_option() {
    let (hex, base64) = (b"81a1 6101\n", b"gaFhAQ==\n");
    fails(&["unpack"], hex, 3, "it is not MessagePack but text");
    let hex = b"81a16101\n";
    for command in [&["unpack"][..], &["get", "."], &["repair"], &["validate"], &["inspect"]] {
        fails(
            command,
            hex,
            3,
            "hexadecimal digits (--encoding hex reads them); --as-is",
        );
        fails(command, base64, 3, "--encoding base64");
        let with = |encoding| [command, &["--encoding", encoding]].concat();
        let shown = run(&with("hex"), hex).stdout;
        assert!(!shown.is_empty(), "{command:?}");
        assert_eq!(run(&with("base64"), base64).stdout, shown, "{command:?}");
        fails(&with("hex"), base64, 3, "it is not hexadecimal digits");
    }
    // A message in each line, as logs and queues have them.
    for (encoding, lines) in [("hex", "81a16101\n81a16102\n"), ("base64", "gaFhAQ==\ngaFhAg==\n")] {
        let found = succeeds(&["get", "a", "--encoding", encoding], lines.as_bytes());
        assert_eq!(found, b"1\n2\n", "{encoding}");
    }
    // The bytes that are left out are those of the data, not of its digits.
    let skipping = ["unpack", "--encoding", "hex", "--skip", "5"];
    let found = succeeds(&skipping, b"00000000 2a81a16101");
    assert_eq!(found, b"{\"a\":1}\n");
    assert_eq!(succeeds(&["unpack", "--encoding", "hex"], hex), b"{\"a\":1}\n");
    // What looks like text and is none: the message names the way out.
    let numbers: Vec<u8> = (40..=100).collect();
    fails(&["validate"], &numbers, 3, "--as-is reads it all the same");
    succeeds(&["validate", "--as-is"], &numbers);
}

#[test]
fn repair_finds_the_messages_after_random_bytes() {
    let lines: Vec<String> = (0..2000)
        .map(|id| format!("{{\"id\":{id},\"name\":\"user {id}\",\"v\":{id}.5,\"ok\":true}}\n"))
        .collect();
    let bytes = succeeds(&["pack"], lines.concat().as_bytes());
    for seed in 0..12 {
        let mut damaged = bytes.clone();
        let mut random = fastrand::Rng::with_seed(seed);
        let at = random.usize(..bytes.len() / 2);
        random.fill(&mut damaged[at..at + 4096]);
        let output = run(&["repair"], &damaged);
        let kept = succeeds(&["unpack", "--as-is"], &output.stdout);
        let kept = String::from_utf8(kept).unwrap();
        let kept: std::collections::HashSet<&str> = kept.lines().collect();
        let lost = lines.iter().filter(|line| !kept.contains(line.trim_end())).count();
        // Those that were overwritten, and a few.
        let overwritten = 4096 * lines.len() / bytes.len() + 2;
        assert!(lost < overwritten + 30, "{seed}: {lost}, {overwritten}");
    }
}

#[test]
fn repair_keeps_messages_that_are_longer_than_those_before_the_fault() {
    let head = b"\x81\xa1v\x01";
    let row = [b"\x81\xa1n\xd9\xc8".as_slice(), &[b'x'; 200]].concat();
    let mut bytes = [head, row.repeat(50).as_slice()].concat();
    bytes[head.len() + 3] = 0xc1;
    let kept = run(&["repair"], &bytes).stdout;
    assert_eq!(kept, [head, row.repeat(49).as_slice()].concat());
}

#[test]
fn what_is_appended_ends_before_the_fault() {
    let folder = TempDir::new().unwrap();
    for (name, from, input) in [
        ("json.pkd", "json", &b"{\"a\":1}\n{\"a\":2}\n{\"a\"\n"[..]),
        ("array.pkd", "json", b"[{\"a\":1},{\"a\":2},{\"a\"}]"),
        ("csv.pkd", "csv", b"a\n1\n2\n3,4\n"),
        ("msgpack.pkd", "msgpack", b"\x81\xa1a\x01\x81\xa1a\x02\x81\xa1"),
    ] {
        let file = folder.path().join(name).display().to_string();
        let append = ["container", "create", "--append", "--from", from, "-o", &file];
        fails(&append, input, 3, "error: standard input: ");
        assert_eq!(succeeds(&["unpack", &file], b""), b"{\"a\":1}\n{\"a\":2}\n", "{name}");
    }
}

#[test]
fn commands_for_container_files_say_what_else_they_got() {
    let folder = TempDir::new().unwrap();
    let directory = folder.path().display().to_string();
    let file = folder.path().join("log.ndjson").display().to_string();
    fs::write(&file, "{}\n").unwrap();
    for command in ["cat", "compact", "info", "split"] {
        let arguments = ["container", command];
        let number: &[&str] = if command == "split" { &["-n", "2"] } else { &[] };
        let with = |file| [&arguments[..], number, &[file]].concat();
        let expected = format!("error: cannot read {directory}: ") + if cfg!(windows) { "" } else { tool::IS_FOLDER };
        fails(&with(directory.as_str()), b"", 3, &expected);
        let expected = format!("error: {file} is not a container file\n");
        fails(&with(file.as_str()), b"", 3, &expected);
    }
}
