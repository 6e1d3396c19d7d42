//! The program as users meet it: pipes, files, exit codes, memory.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use crate::tool::{self, fails, gzip, packord, run, succeeds};
use tempfile::TempDir;

#[test]
fn bad_input_is_reported_with_its_place() {
    let folder = TempDir::new().unwrap();
    let directory = folder.path().display().to_string();
    let users = b"\x81\xa5users\x94\xc0\xc0\xc0\x81\xa4name\xa2\xc3\x28";
    let nested = [&b"\xdd\x00\xff\xff\xff"[..]; 1000].concat();
    let cut = &gzip(&[b'1'; 5000])[..20];
    for command in ["validate", "unpack", "inspect"] {
        let fault = "error: standard input: invalid_utf8 at byte 18 ($.users[3].name)";
        fails(&[command], users, 3, fault);
        fails(
            &[command],
            b"\xdd\xff\xff\xff\xff",
            3,
            "error: standard input: eof at byte 5 ($)",
        );
        fails(&[command], &nested, 3, "error: standard input: eof at byte 5000 (");
        fails(
            &[command],
            &vec![0x91; 10 << 20],
            3,
            "error: standard input: depth_limit at byte 1024 ($[0][0]",
        );
        fails(
            &[command],
            b"\x01\xc1",
            3,
            "error: standard input: reserved_marker at byte 1 ($1)",
        );
        fails(&[command], cut, 3, "error: cannot read standard input: ");
        fails(&[command, &directory], b"", 3, tool::IS_FOLDER);
        fails(
            &[command, "none.msgpack"],
            b"",
            3,
            if cfg!(windows) {
                "cannot read none.msgpack: "
            } else {
                "cannot read none.msgpack: no such file or directory"
            },
        );
        fails(&[command, "--shared", "none.json"], b"", 3, "cannot read none.json");
        fails(&[command, "--no-such"], b"", 2, "unexpected argument");
    }
    for text in [
        &b"{\"a\":"[..],
        b"[1,]",
        b"nul",
        b"{\"a\" 1}",
        b"\"\xff\"",
        b"[1] x",
        &vec![b'['; 1 << 20],
    ] {
        fails(&["pack"], text, 3, "error: standard input: ");
    }
    fails(&["pack"], cut, 3, "error: cannot read standard input: ");
    fails(&["pack", &directory], b"", 3, tool::IS_FOLDER);
    fails(&["pack", "--from", "diag"], b"[1,\n 2", 3, "line 2, column 3");
    fails(&["compare"], b"[1,", 3, "error: standard input: ");
    fails(&["compare"], b"", 3, "no JSON value in the input");
    fails(&["inspect", "--range", "5..5"], b"", 2, "the range is empty");
}

/// All commands that read, with what is before the file.
const READING: &[&[&str]] = &[
    &["unpack"],
    &["unpack", "--to", "diag"],
    &["unpack", "--strict"],
    &["unpack", "--to", "csv"],
    &["unpack", "--to", "parquet", "--force"],
    &["get", "id"],
    &["get", ".", "--where", "id >= 0"],
    &["get", ".", "--sort-by", "id"],
    &["inspect"],
    &["validate"],
    &["validate", "--all"],
    &["schema"],
    &["stats"],
    &["diff", tool::EMPTY],
    &["pack", "--from", "msgpack"],
    &["container", "create"],
];

#[test]
fn errors_name_the_file_and_no_file_twice() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let lines: String = (0..100).map(|id| format!("{{\"id\":{id}}}\n")).collect();
    let create = ["container", "create", "--block-rows", "10"];
    let mut container = succeeds(&create, lines.as_bytes());
    // The data of the fifth block.
    let mark = container.windows(2).position(|two| two == b"\xd8\x5d");
    let mark = container[mark.unwrap()..][..18].to_vec();
    let mut marks = (0..container.len()).filter(|&at| container[at..].starts_with(&mark));
    let at = marks.nth(4).unwrap() + 34;
    container[at] ^= 0xff;
    let container = write("damaged.pkd", &container);
    let stream = write("damaged msgpack", b"\x81\xa2id\x01\x81\xa2id\xc1");
    let missing = folder.path().join("missing").display().to_string();
    for (file, kind) in [
        (&container, "invalid_container at byte"),
        (&stream, "reserved_marker at byte 9"),
        (&missing, tool::NOT_FOUND),
    ] {
        for arguments in READING {
            let arguments = [arguments, &[file.as_str()][..]].concat();
            let output = run(&arguments, b"");
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(3), "{arguments:?}: {stderr}");
            assert_eq!(stderr.matches(file).count(), 1, "{arguments:?}: {stderr}");
            assert!(stderr.contains(kind), "{arguments:?}: {stderr}");
        }
    }
    for arguments in [&["unpack"][..], &["container", "cat", "--force"]] {
        let arguments = [arguments, &[&container]].concat();
        fails(&arguments, b"", 3, &format!("error: {container}: "));
    }
}

#[test]
fn readable_data_that_fails_a_question_exits_1() {
    fails(&["validate", "--canonical"], b"\xcc\x05", 1, "not_canonical at byte 0");
    fails(
        &["validate", "--duplicates"],
        b"\x82\x01\x02\x01\x02",
        1,
        "duplicate_key at byte 3",
    );
    fails(
        &["unpack", "--strict"],
        b"\x81\xa1a\xc4\x00",
        1,
        "JSON cannot represent a bin at byte 3 ($.a)",
    );
    fails(
        &["unpack", "--strict"],
        b"\x01\x81\x05\x01",
        1,
        "a key that is not a str at byte 2 ($1)",
    );
    fails(
        &["unpack", "--strict"],
        b"\x82\xa1a\x01\xa1a\x02",
        1,
        "duplicate_key at byte 4",
    );
    fails(
        &["unpack", "--strict"],
        b"\xcf\x00\x20\x00\x00\x00\x00\x00\x01",
        1,
        "an integer beyond 2^53 at byte 0 ($)",
    );
}

#[test]
fn a_long_path_in_an_error_is_cut() {
    let key = "k".repeat(1 << 20);
    let packed = succeeds(&["pack"], format!("{{\"{key}\": {{\"$bin\": \"\"}}}}").as_bytes());
    let shown = "k".repeat(254);
    let refused = run(&["unpack", "--strict"], &packed);
    assert_eq!(
        String::from_utf8(refused.stderr).unwrap(),
        format!(
            "error: standard input: JSON cannot represent a bin at byte {} ($.{shown}…)\n",
            6 + key.len()
        )
    );
    let json = format!("{{\"{key}\": x");
    let message = format!("($.{shown}…): ");
    fails(&["pack"], json.as_bytes(), 3, &message);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("long");
    let packed = [&b"\x81\xdb\x00\x10\x00\x00"[..], key.as_bytes(), b"\xc1"].concat();
    fs::write(&file, packed).unwrap();
    for command in ["validate", "unpack", "inspect", "repair"] {
        fails(&[command, &file.display().to_string()], b"", 3, &message);
    }
}

#[test]
fn messages_before_a_fault_are_shown() {
    let output = run(&["unpack"], b"\x01\x02\x92\x03");
    assert_eq!(output.stdout, b"1\n2\n");
    let output = run(&["inspect"], b"\x92\x03\xa5hi");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(
        shown.contains("fixarray  2 elements") && shown.contains("positive fixint  3"),
        "{shown}"
    );
}

#[test]
fn output_files_appear_complete_or_not_at_all() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("out.json");
    let out = path.display().to_string();
    fails(&["unpack", "--out", &out], b"\x01\xc1", 3, "reserved_marker");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::write(&path, "before").unwrap();
    fails(&["unpack", "--out", &out], b"\x01\xc1", 3, "reserved_marker");
    assert_eq!(fs::read_to_string(&path).unwrap(), "before");
    succeeds(&["unpack", "--out", &out], b"\x93\x01\x02\x03");
    assert_eq!(fs::read_to_string(&path).unwrap(), "[1,2,3]\n");
    fails(&["pack", "--out", "none/out"], b"1", 3, "cannot write none/out");
    let folder_name = folder.path().display().to_string();
    let words = if cfg!(windows) { "" } else { tool::IS_FOLDER };
    let expected = format!("error: cannot write {folder_name}: {words}");
    fails(&["pack", "--out", &folder_name], b"1", 3, &expected);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn output_keeps_links_and_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let (target, link) = (folder.path().join("target"), folder.path().join("link"));
    fs::write(&target, "before").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    succeeds(&["pack", "--out", &link.display().to_string()], b"1");
    assert_eq!(fs::read(&target).unwrap(), b"\x01");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for command in ["pack", "unpack", "inspect", "validate"] {
        fails_into_full(command);
    }
    fails(
        &["pack", "--out", "/dev/full"],
        b"1",
        3,
        "cannot write /dev/full: no space left",
    );
}

#[cfg(target_os = "linux")]
fn fails_into_full(command: &str) {
    use std::io::Write;
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut child = packord()
        .arg(command)
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"1").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        output.stderr,
        b"error: cannot write standard output: no space left on device\n"
    );
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
#[test]
fn a_closed_standard_output_is_an_error() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    let closed = "error: cannot write standard output: it is closed\n";
    for command in [
        "echo 1 | packord pack",
        "printf 1 | packord unpack",
        "printf 1 | packord validate",
    ] {
        let found = tool::shell(&format!("{command} >&-"), place);
        assert_eq!(found, (Some(3), closed.to_owned()), "{command}");
    }
    // Nothing is written to it.
    let quiet = tool::shell("echo 1 | packord pack -o one >&- && packord validate -q one >&-", place);
    assert_eq!(quiet, (Some(0), String::new()));
    assert_eq!(tool::shell("packord unpack one > /dev/null", place).0, Some(0));
}

/// A limit of the size of files stands for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_is_named_when_rows_are_appended() {
    let folder = TempDir::new().unwrap();
    let append = "packord container create --append --codec none --columns off --block-rows 100 -o rows.pkd";
    let command = format!("trap '' XFSZ; ulimit -f 8; seq -f '\"%040g\"' 5000 | {append}");
    let (code, text) = tool::shell(&command, folder.path());
    assert_eq!(code, Some(3), "{text}");
    assert_eq!(text, "error: cannot write rows.pkd: file too large\n");
}

#[test]
fn hints_are_about_what_the_data_has() {
    let advice = |bytes: &[u8]| String::from_utf8(succeeds(&["validate", "--hints"], bytes)).unwrap();
    let number = advice(b"\xcd\0\x05");
    assert!(number.contains("1 value is not in its smallest encoding"), "{number}");
    assert!(!number.contains("share keys"), "{number}");
    assert!(advice(b"\x92\x81\xa3key\x01\x81\xa3key\x02").contains("maps share keys"));
}

#[test]
fn a_cut_archive_is_named() {
    let packed = succeeds(&["pack"], &b"[\"a\", 1.5]\n".repeat(1000));
    let pressed = gzip(&packed);
    for command in [["unpack"], ["validate"], ["stats"]] {
        for (cut, what) in [
            (pressed.len() / 2, "incomplete deflate stream"),
            (5, "unexpected end of file"),
        ] {
            let told = format!("cannot read standard input: {what}");
            fails(&command, &pressed[..cut], 3, &told);
        }
    }
}

#[test]
fn names_do_not_change_the_terminal() {
    let name = "b\u{1b}[31m\u{9b}.mp";
    fails(&["validate", name], b"", 3, "cannot read b\\u001b[31m\\u009b.mp: ");
}

#[test]
fn a_closed_pipe_is_silent() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("many");
    fs::write(&path, vec![1_u8; 1 << 20]).unwrap();
    for command in ["unpack", "inspect"] {
        let mut child = packord()
            .arg(command)
            .arg(&path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut some = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{command}");
        assert_eq!(output.stderr, b"", "{command}");
    }
}

#[test]
fn compressed_input_is_decompressed() {
    let folder = TempDir::new().unwrap();
    let packed = succeeds(&["pack"], br#"{"a":[1,2.5,"x"]}"#);
    let text = b"{\"a\":[1,2.5,\"x\"]}\n";
    assert_eq!(succeeds(&["unpack"], &gzip(&packed)), text);
    assert_eq!(
        succeeds(&["unpack"], &[gzip(&packed), gzip(&packed)].concat()),
        [&text[..], text].concat()
    );
    assert_eq!(succeeds(&["unpack"], &zstd::encode_all(&packed[..], 3).unwrap()), text);
    let path = folder.path().join("packed.br");
    let mut brotli = Vec::new();
    brotli::BrotliCompress(
        &mut &packed[..],
        &mut brotli,
        &brotli::enc::BrotliEncoderParams::default(),
    )
    .unwrap();
    fs::write(&path, brotli).unwrap();
    assert_eq!(succeeds(&["unpack", &path.display().to_string()], b""), text);
    let as_is = succeeds(&["unpack", "--as-is"], b"\x1f\x81\x08\x01");
    assert_eq!(as_is, b"31\n{\"$key:8\":1}\n");
}

#[test]
fn output_to_a_pipe_is_coloured_only_with_color_always() {
    let plain = succeeds(&["inspect"], b"\x01");
    assert_eq!(plain, b"00000000  01                        positive fixint  1\n");
    let coloured = succeeds(&["inspect", "--color", "always"], b"\x01");
    assert!(coloured.contains(&0x1b));
    let values = br#"{"a":["x",1,null],"$key:5":{"$bin":"AA=="}}"#;
    for options in [&[][..], &["--records"]] {
        let packed = succeeds(&[&["pack"], options].concat(), values);
        for command in [&["unpack"][..], &["get", "."]] {
            let all = [command, &["--color", "always"]].concat();
            let text = String::from_utf8(succeeds(&all, &packed)).unwrap();
            let expected = "{B\"a\"_:[G\"x\"_,Y1_,Ynull_],B\"$key:5\"_:M{\"$bin\":\"AA==\"}_}\n";
            let named = [("B", "34"), ("G", "32"), ("Y", "33"), ("M", "35"), ("_", "0")];
            let plain = named.into_iter().fold(text, |text, (name, code)| {
                text.replace(&format!("\u{1b}[{code}m"), name)
            });
            assert_eq!(plain, expected, "{all:?} {options:?}");
            assert_eq!(succeeds(command, &packed), [values, &b"\n"[..]].concat());
        }
    }
    // Neither are strings without quotes, and cells.
    for plain in [&["get", "a[0]", "--raw"][..], &["get", "a", "--to", "csv"]] {
        let all = [plain, &["--color", "always"]].concat();
        let packed = succeeds(&["pack"], values);
        assert_eq!(succeeds(&all, &packed), succeeds(plain, &packed));
    }
}
