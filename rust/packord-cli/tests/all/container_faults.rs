//! Container files that are cut, damaged, hostile or still being written.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::tool::{self, packord, run, succeeds};
use tempfile::TempDir;

/// A command that would hang is given up after this time.
const PATIENCE: Duration = Duration::from_secs(60);
const SYNC: &str = "000102030405060708090a0b0c0d0e0f";
const MARK: &[u8] = b"\xd8\x5d\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f";

fn line(number: usize) -> String {
    format!("{{\"id\":{number},\"name\":\"row number {number}\"}}\n")
}

fn lines(range: std::ops::Range<usize>) -> String {
    range.map(line).collect()
}

/// Four blocks of five rows.
fn four_blocks() -> Vec<u8> {
    let options = [
        "container",
        "create",
        "--block-rows",
        "5",
        "--codec",
        "none",
        "--sync",
        SYNC,
    ];
    succeeds(&options, lines(0..20).as_bytes())
}

/// Where the marks are; the last one is that of the index.
fn marks(bytes: &[u8]) -> Vec<usize> {
    (0..bytes.len() - MARK.len())
        .filter(|&at| bytes[at..].starts_with(MARK))
        .collect()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn write(folder: &TempDir, name: &str, bytes: &[u8]) -> String {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

#[test]
fn of_a_cut_file_every_whole_block_is_read_and_repaired() {
    let folder = TempDir::new().unwrap();
    let bytes = four_blocks();
    let marks = marks(&bytes);
    // A process for each, so not every byte.
    for end in (0..bytes.len()).step_by(7).chain(marks.iter().copied()) {
        let whole = marks.iter().skip(1).filter(|&&mark| mark <= end).count().min(4);
        let file = write(&folder, "cut.pkd", &bytes[..end]);
        let expected = lines(0..5 * whole);
        let is_header = end < marks[0];
        if end > 10 {
            for output in [run(&["unpack", &file], b""), run(&["unpack"], &bytes[..end])] {
                assert_eq!(text(output.stdout), expected, "{end}");
                // After a block, or after the index and before its trailer.
                let is_whole = marks.contains(&end) || end == bytes.len() - 15;
                assert_eq!(output.status.code(), Some(if is_whole { 0 } else { 3 }), "{end}");
                let stderr = text(output.stderr);
                assert!(is_whole || stderr.contains(&format!("eof at byte {end}")), "{stderr}");
            }
        }
        let repaired = folder.path().join("repaired.pkd").display().to_string();
        let output = run(&["repair", &file, "-o", &repaired], b"");
        let stderr = text(output.stderr);
        if whole == 0 {
            assert_eq!(
                output.status.code(),
                // An input without a byte is a stream without messages.
                Some(match end {
                    0 => 0,
                    _ if is_header => 3,
                    _ => stderr_code(&stderr),
                }),
                "{end}: {stderr}"
            );
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        let rows = succeeds(&["unpack", &repaired], b"");
        assert_eq!(text(rows), expected, "{end}");
        let found = succeeds(&["container", "info", "--json", "--blocks", &repaired], b"");
        let found = text(found);
        assert!(found.contains("\"damage\":[]"), "{end}");
        let last = 5 * whole - 1;
        assert!(found.contains(&format!("\"max\":{last}")), "{end}: {found}");
    }
}

/// A file without blocks, and one of which no block is whole, differ in what is reported.
fn stderr_code(stderr: &str) -> i32 {
    if stderr.starts_with("nothing to repair") { 0 } else { 3 }
}

#[test]
fn a_damaged_byte_never_gives_wrong_rows() {
    let folder = TempDir::new().unwrap();
    let bytes = four_blocks();
    let marks = marks(&bytes);
    let data = marks[0]..marks[4];
    let original = lines(0..20);
    // Up to six processes for each, of which Wine does not always start the thousandth.
    let step = if std::env::var_os("PACKORD_EMULATED").is_some() {
        35
    } else {
        5
    };
    for at in (0..bytes.len()).step_by(step) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let file = write(&folder, "damaged.pkd", &damaged);
        let output = run(&["unpack", &file], b"");
        let stderr = text(output.stderr);
        assert!(!stderr.contains("panicked"), "{at}: {stderr}");
        if !data.contains(&at) {
            continue;
        }
        let block = marks.iter().filter(|&&mark| mark <= at).count() - 1;
        assert_eq!(output.status.code(), Some(3), "{at}: {stderr}");
        assert!(original.starts_with(&text(output.stdout)), "{at}");
        let output = run(&["unpack", "--on-bad-block", "skip", &file], b"");
        let rows = text(output.stdout);
        let expected = lines(0..5 * block) + &lines(5 * block + 5..20);
        assert_eq!(rows, expected, "{at}");
        assert_eq!(output.status.code(), Some(0));
        let stderr = text(output.stderr);
        let range = format!("from byte {} to byte {}", marks[block], marks[block + 1]);
        assert!(stderr.contains(&range), "{at}: {stderr}");
        // It says so too.
        let output = run(&["validate", &file], b"");
        assert_eq!(output.status.code(), Some(3), "{at}");
        let output = run(&["container", "info", "--blocks", &file], b"");
        // It does not read the bodies, and only they say that a count or the size of a chunk is wrong.
        let is_number = [20, 24].contains(&(at - marks[block]));
        assert!(is_number || output.status.code() == Some(3), "{at}");
        if is_number {
            continue;
        }
        let repaired = folder.path().join("repaired.pkd").display().to_string();
        let output = run(&["repair", &file, "-o", &repaired], b"");
        assert_eq!(output.status.code(), Some(0));
        let stderr = text(output.stderr);
        assert!(stderr.contains("kept: 3 blocks"), "{stderr}");
        assert!(stderr.contains(&range), "{stderr}");
        assert_eq!(text(succeeds(&["unpack", &repaired], b"")), expected, "{at}");
    }
}

#[test]
fn validate_counts_and_reports_every_fault() {
    let folder = TempDir::new().unwrap();
    let bytes = four_blocks();
    let file = write(&folder, "good.pkd", &bytes);
    let summary = text(succeeds(&["validate", &file], b""));
    assert!(summary.starts_with("valid: 20 rows in 4 blocks"), "{summary}");
    let marks = marks(&bytes);
    let mut damaged = bytes;
    for mark in [marks[1], marks[3]] {
        damaged[mark + 50] ^= 1;
    }
    let file = write(&folder, "damaged.pkd", &damaged);
    let output = run(&["validate", "--all", &file], b"");
    assert_eq!(output.status.code(), Some(3));
    let stderr = text(output.stdout) + &text(output.stderr);
    for mark in [marks[1], marks[3]] {
        let place = format!("invalid_container at byte {}", mark + 18);
        assert!(stderr.contains(&place), "{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn hostile_files_end_with_an_error_and_little_memory() {
    let mut header = four_blocks();
    header.truncate(marks(&header)[0]);
    let with = |tail: &[u8]| [&header, tail].concat();
    let block = |tail: &[u8]| with(&[MARK, tail].concat());
    for (bytes, kind) in [
        (header[..20].to_vec(), "eof"),
        (b"\x94\xa7packord\x01\xdf\xff\xff\xff\xff".to_vec(), ""),
        (b"\x94\xa7packord\x01\x81\xa4sync\xc6\xff\xff\xff\xff".to_vec(), ""),
        (block(b"\xdd\xff\xff\xff\xff"), "eof"),
        // 4 GiB of data, and of a body.
        (
            block(b"\x95\x01\x01\xc0\x93\xce\xff\xff\xff\xff\x00\x00\xc4\x00"),
            "length_limit",
        ),
        (
            block(b"\x95\x01\x01\xc0\x93\x01\x01\x00\xc6\xff\xff\xff\xff"),
            "length_limit",
        ),
        // More chunks than a block can have.
        (block(b"\x95\x01\x01\xc0\xdd\xff\xff\xff\xff"), "invalid_container"),
        // More rows than the body has bytes.
        (
            block(b"\x95\x01\xce\xff\xff\xff\xff\xc0\x93\x01\x01\xce\xc0\xd5\xaf\x46\xc4\x01\x90"),
            "the count is wrong",
        ),
        (
            block(b"\x95\x01\x01\xa2no\x93\x01\x01\xce\xc0\xd5\xaf\x46\xc4\x01\x90"),
            "codec no is not known",
        ),
        (with(b"\xc0"), "invalid_container"),
        (with(&[b"\xc7\x0c\x5d", &[0xff; 12][..]].concat()), ""),
    ] {
        for command in ["unpack", "validate", "stats", "schema", "inspect", "repair"] {
            let mut limited = std::process::Command::new("sh");
            limited
                .args(["-c", "ulimit -v 2000000; exec \"$0\" \"$1\" --threads 2"])
                .arg(env!("CARGO_BIN_EXE_packord"))
                .arg(command);
            let mut child = limited
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            child.stdin.take().unwrap().write_all(&bytes).unwrap();
            let output = child.wait_with_output().unwrap();
            let stderr = text(output.stderr);
            let is_ended = output.status.code().is_some();
            assert!(is_ended, "{command}: {bytes:02x?} {stderr}");
            assert!(!stderr.contains("panicked"), "{command}: {stderr}");
            if command == "unpack" && !kind.is_empty() {
                assert_eq!(output.status.code(), Some(3), "{bytes:02x?}");
                assert!(stderr.contains(kind), "{bytes:02x?}: {stderr}");
            }
        }
    }
}

/// Starts a command that appends to a file, and writes rows to it until its pipe breaks.
fn appending(file: &str) -> Child {
    packord()
        .args([
            "container",
            "create",
            "--append",
            "--block-rows",
            "50",
            "--from",
            "ndjson",
            "-o",
            file,
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn wait_until(mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "it did not happen in time");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn of_a_killed_writer_all_whole_blocks_stay() {
    let folder = TempDir::new().unwrap();
    let all = lines(0..200_000);
    for round in 0..20_u64 {
        let file = folder.path().join(format!("{round}.pkd")).display().to_string();
        let mut child = appending(&file);
        let mut stdin = child.stdin.take().unwrap();
        let input = all.clone();
        let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let size = || fs::metadata(&file).map_or(0, |found| found.len());
        wait_until(|| size() > round * 3000);
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success());
        writer.join().unwrap();
        let output = run(&["unpack", &file], b"");
        let rows = text(output.stdout);
        assert!(all.starts_with(&rows), "{round}");
        assert_eq!(rows.lines().count() % 50, 0, "{round}");
        // What follows the header is at most one block that is not whole.
        let found = text(run(&["repair", &file], b"").stderr);
        assert!(!found.contains("panicked"), "{found}");
        // It can be repaired, and appended to then.
        if rows.is_empty() {
            continue;
        }
        let repaired = folder.path().join("repaired.pkd").display().to_string();
        let done = run(&["repair", &file, "-o", &repaired], b"");
        assert_eq!(done.status.code(), Some(0));
        let more = ["container", "create", "--append", "-o", &repaired];
        succeeds(&more, lines(0..3).as_bytes());
        assert_eq!(text(succeeds(&["unpack", &repaired], b"")), rows + &lines(0..3));
    }
}

#[test]
fn a_second_writer_is_refused() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("log.pkd").display().to_string();
    let mut first = appending(&file);
    let stdin = first.stdin.as_mut().unwrap();
    stdin.write_all(lines(0..60).as_bytes()).unwrap();
    stdin.flush().unwrap();
    wait_until(|| fs::metadata(&file).is_ok_and(|found| found.len() > 100));
    let second = run(
        &["container", "create", "--append", "-o", &file],
        lines(0..1).as_bytes(),
    );
    assert_eq!(second.status.code(), Some(3));
    let stderr = text(second.stderr);
    assert!(stderr.contains("another writer"), "{stderr}");
    // So is one that would replace the file.
    let other = write(&folder, "other.pkd", &four_blocks());
    for arguments in [
        &["container", "create", "-o", &file][..],
        &["container", "cat", &other, "-o", &file],
        &["container", "compact", &other, "-o", &file],
        &["repair", &other, "-o", &file],
        &["pack", "--container", "-o", &file],
    ] {
        tool::fails(arguments, lines(0..1).as_bytes(), 3, "another writer");
    }
    // The first one goes on.
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    assert_eq!(text(succeeds(&["unpack", &file], b"")), lines(0..60));
}

#[cfg(unix)]
#[test]
fn a_file_that_may_only_be_read_is_replaced_as_others_are() {
    use std::os::unix::{fs::PermissionsExt, process::CommandExt};
    use std::path::Path;
    let folder = TempDir::new().unwrap();
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let file = write(&folder, "rows.pkd", &four_blocks());
    mode(folder.path(), 0o777);
    mode(Path::new(&file), 0o444);
    let replaced = |what: &str| {
        let mut command = packord();
        command.args(["container", "create", "-o", &file, &file]);
        if nix::unistd::Uid::effective().is_root() {
            // Root may write it.
            command.uid(65_534);
        }
        let output = command.output().unwrap();
        let stderr = text(output.stderr);
        assert!(
            stderr.contains(what) && output.status.success() == what.is_empty(),
            "{stderr}"
        );
    };
    replaced("");
    assert_eq!(text(succeeds(&["unpack", &file], b"")), lines(0..20));
    mode(Path::new(&file), 0o644);
    let size = || fs::metadata(&file).map_or(0, |found| found.len());
    let before = size();
    let mut first = appending(&file);
    let rows = lines(0..60);
    let stdin = first.stdin.as_mut().unwrap();
    stdin.write_all(rows.as_bytes()).unwrap();
    stdin.flush().unwrap();
    wait_until(|| size() > before);
    mode(Path::new(&file), 0o444);
    replaced("another writer");
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
}

#[test]
fn a_file_that_another_writer_has_created_meanwhile_is_not_replaced() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("log.pkd").display().to_string();
    let mut replacing = packord()
        .args(["container", "create", "--from", "ndjson", "-o", &file])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The temporary file is there.
    wait_until(|| fs::read_dir(folder.path()).unwrap().count() == 1);
    let mut first = appending(&file);
    let stdin = first.stdin.as_mut().unwrap();
    stdin.write_all(lines(0..60).as_bytes()).unwrap();
    wait_until(|| fs::metadata(&file).is_ok_and(|found| found.len() > 100));
    drop(replacing.stdin.take());
    let replaced = replacing.wait_with_output().unwrap();
    assert_eq!(replaced.status.code(), Some(3));
    assert!(text(replaced.stderr).contains("another writer"));
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    assert_eq!(text(succeeds(&["unpack", &file], b"")), lines(0..60));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn nothing_is_appended_to_a_damaged_file() {
    let folder = TempDir::new().unwrap();
    let bytes = four_blocks();
    let file = write(&folder, "cut.pkd", &bytes[..bytes.len() - 60]);
    let output = run(&["container", "create", "--append", "-o", &file], b"{}");
    assert_eq!(output.status.code(), Some(3));
    let stderr = text(output.stderr);
    assert!(stderr.contains("packord repair"), "{stderr}");
    assert_eq!(fs::read(&file).unwrap(), &bytes[..bytes.len() - 60]);
    let other = write(&folder, "other", b"hello");
    let output = run(&["container", "create", "--append", "-o", &other], b"{}");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(fs::read(&other).unwrap(), b"hello");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_reported() {
    if fs::File::options().write(true).open("/dev/full").is_err() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let file = write(&folder, "log.pkd", &four_blocks());
    for arguments in [
        &["container", "create", "-o", "/dev/full"][..],
        &["container", "cat", &file, "-o", "/dev/full"],
        &["container", "compact", &file, "-o", "/dev/full"],
        &["repair", &file, "-o", "/dev/full"],
        &["unpack", &file, "-o", "/dev/full"],
    ] {
        let output = run(arguments, lines(0..100_000).as_bytes());
        let stderr = text(output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {stderr}");
        assert!(
            stderr.contains("cannot write /dev/full: no space left on device"),
            "{stderr}"
        );
    }
}

#[test]
fn a_fault_in_the_input_leaves_no_file_and_no_partial_one() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("log.pkd").display().to_string();
    let output = run(&["container", "create", "-o", &file], b"{\"a\":1}\n{\"a\":}\n");
    assert_eq!(output.status.code(), Some(3));
    assert!(text(output.stderr).contains("line 2"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // What was appended before it stays, and the file is whole.
    let output = run(
        &["container", "create", "--append", "-o", &file],
        b"{\"a\":1}\n{\"a\":}\n",
    );
    assert_eq!(output.status.code(), Some(3));
    assert!(succeeds(&["validate", &file], b"").starts_with(b"valid: "));
}

#[test]
fn a_reader_that_closes_the_pipe_ends_the_command_quietly() {
    let folder = TempDir::new().unwrap();
    let bytes = succeeds(
        &["container", "create", "--block-rows", "1000"],
        lines(0..200_000).as_bytes(),
    );
    let file = write(&folder, "log.pkd", &bytes);
    for arguments in [
        &["unpack", &file][..],
        &["unpack", "--to", "msgpack", &file],
        &["get", "id", &file],
        &["unpack", "--where", "id >= 0", &file],
        &["container", "cat", &file],
        &["container", "compact", "--codec", "none", &file],
    ] {
        let mut child = packord()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 10]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(text(output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn rows_of_a_growing_file_are_printed_as_their_block_is_whole() {
    let folder = TempDir::new().unwrap();
    let bytes = four_blocks();
    let marks = marks(&bytes);
    for arguments in [
        &["unpack", "--follow"][..],
        &["get", ".", "--follow"],
        &["unpack", "--follow", "--where", "id >= 0"],
    ] {
        // The first block is whole, and the second one is not.
        let file = write(&folder, "log.pkd", &bytes[..marks[1] + 30]);
        let mut child = packord()
            .args(arguments)
            .arg(&file)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut expect = |expected: String| {
            let mut found = vec![0; expected.len()];
            stdout.read_exact(&mut found).unwrap();
            assert_eq!(text(found), expected, "{arguments:?}");
        };
        expect(lines(0..5));
        let mut growing = OpenOptions::new().append(true).open(&file).unwrap();
        growing.write_all(&bytes[marks[1] + 30..marks[2]]).unwrap();
        expect(lines(5..10));
        growing.write_all(&bytes[marks[2]..]).unwrap();
        expect(lines(10..20));
        // An index, and blocks after it.
        let more = succeeds(
            &["container", "create", "--sync", SYNC, "--codec", "none"],
            lines(20..25).as_bytes(),
        );
        let first = (0..more.len()).find(|&at| more[at..].starts_with(MARK)).unwrap();
        growing.write_all(&more[first..]).unwrap();
        expect(lines(20..25));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn the_rows_of_a_pipe_are_printed_before_more_come() {
    let bytes = four_blocks();
    let marks = marks(&bytes);
    let mut child = packord()
        .arg("unpack")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut from = 0;
    for block in 0..4 {
        stdin.write_all(&bytes[from..marks[block + 1]]).unwrap();
        stdin.flush().unwrap();
        from = marks[block + 1];
        let expected = lines(5 * block..5 * block + 5);
        let mut found = vec![0; expected.len()];
        stdout.read_exact(&mut found).unwrap();
        assert_eq!(text(found), expected);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
