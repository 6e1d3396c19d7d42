//! What Windows alone has: names with the letter of a drive, and NUL.
#![cfg(windows)]

mod tool;

use std::fs;

use tool::{Folder, packord};

#[test]
fn names_of_files_may_have_the_letter_of_a_drive() {
    let folder = Folder::new();
    let whole = folder.write("a.msgpack", b"\x07");
    let (drive, rest) = whole.split_at(2);
    assert!(drive.ends_with(':'), "{whole}");
    for name in [
        &*whole,
        &whole.replace('\\', "/"),
        &format!(r"\\?\{whole}"),
        // In the current folder of the drive, and on the current drive.
        &format!("{drive}a.msgpack"),
        rest,
    ] {
        let output = format!("{name}.json");
        let mut command = packord();
        command.current_dir(folder.0.path());
        let done = command.args(["unpack", name, "-o", &output]).output();
        let done = done.unwrap();
        let errors = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{name}: {errors}");
        let written = folder.path("a.msgpack.json");
        assert_eq!(fs::read(&written).unwrap(), b"7\n", "{name}");
        fs::remove_file(written).unwrap();
    }
}

#[test]
fn a_name_that_is_not_there_is_told_as_it_was_given() {
    let name = r"C:\no such folder\a.msgpack";
    tool::fails(&["unpack", name], b"", 3, name);
}

#[test]
fn nul_is_a_stream_without_messages() {
    for arguments in [&["unpack", "NUL"][..], &["diff", "NUL", "nul"]] {
        assert_eq!(tool::succeeds(arguments, b""), b"", "{arguments:?}");
    }
}
