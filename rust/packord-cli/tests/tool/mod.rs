//! Runs the program as a separate process.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// What the system says of a file that is not there, of a folder that is read, and how it calls the file without
/// bytes. On Windows the words are those of a version and a language.
pub const NOT_FOUND: &str = if cfg!(windows) {
    "cannot read"
} else {
    "no such file or directory"
};
pub const IS_FOLDER: &str = if cfg!(windows) { "cannot read" } else { "is a directory" };
pub const EMPTY: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// A folder for the files of a test.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::TempDir::new().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.0.path().join(name), bytes).unwrap();
        self.path(name)
    }
}

pub fn packord() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_packord"));
    command.env_remove("NO_COLOR");
    command
}

/// Starts the program with a pipe for each stream.
pub fn start(arguments: &[&str]) -> Child {
    let mut command = packord();
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).args(arguments);
    command.spawn().unwrap()
}

pub fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = start(arguments);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The program may stop reading before the end.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

#[track_caller]
pub fn fails(arguments: &[&str], input: &[u8], code: i32, message: &str) {
    let output = run(arguments, input);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
    assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[track_caller]
pub fn succeeds(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let output = run(arguments, input);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.stderr, b"", "{arguments:?}");
    output.stdout
}

/// Runs a command of the shell in a folder, and returns its exit code, and its output and errors together.
pub fn shell(command: &str, folder: &Path) -> (Option<i32>, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_packord")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
