//! The console sessions in both READMEs and tests/golden/*.md, run as they are shown.
//!
//! A line that begins with `$ ` is a command for `sh`; what follows is its whole output, and
//! `? code` if it fails. `...` matches any text within a line and, alone on a line, any lines. With
//! `PACKORD_BLESS=1` in the environment the files are rewritten where they differ.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

#[test]
fn sessions_print_what_is_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("README.md"), root.join("../../README.md")];
    files.extend(
        fs::read_dir(root.join("tests/golden"))
            .unwrap()
            .map(|entry| entry.unwrap().path()),
    );
    files.sort();
    // The front page is not part of the package.
    files.retain(|file| file.exists());
    let mut wrong = Vec::new();
    for file in &files {
        wrong.extend(session(file));
    }
    assert!(files.len() > 5, "sessions are missing");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs the sessions of one file in one folder. Returns the differences.
fn session(file: &PathBuf) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    let text = fs::read_to_string(file).unwrap();
    let (mut shown, mut wrong) = (String::new(), Vec::new());
    let mut lines = text.lines().peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        shown.push_str(line);
        shown.push('\n');
        if line.starts_with("```") {
            inside = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else {
            continue;
        };
        let mut expected = String::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ") && !line.starts_with("```")) {
            expected.push_str(line);
            expected.push('\n');
        }
        let found = run(command, folder.path());
        if matches(&expected, &found) {
            shown.push_str(&expected);
        } else {
            shown.push_str(&found);
            wrong.push(format!(
                "{}: $ {command}\nexpected:\n{expected}found:\n{found}",
                file.display()
            ));
        }
    }
    if std::env::var_os("PACKORD_BLESS").is_some() {
        fs::write(file, shown).unwrap();
        wrong.clear();
    }
    wrong
}

fn run(command: &str, folder: &Path) -> String {
    let tool = Path::new(env!("CARGO_BIN_EXE_packord")).parent().unwrap();
    let path = format!("{}:{}", tool.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", path)
        .env("COLUMNS", "100");
    let output = shell.env_remove("NO_COLOR").output().unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    if !output.status.success() {
        text.push_str(&format!("? {}\n", output.status.code().unwrap_or(-1)));
    }
    text
}

/// Returns whether the output is as expected, with `...` as a wildcard.
fn matches(expected: &str, found: &str) -> bool {
    let (mut expected, mut found) = (expected.lines().peekable(), found.lines());
    while let Some(line) = expected.next() {
        if line == "..." {
            let Some(next) = expected.peek() else {
                return true;
            };
            let Some(skipped) = found.clone().position(|line| matches_line(next, line)) else {
                return false;
            };
            if skipped > 0 {
                found.nth(skipped - 1);
            }
        } else if !found.next().is_some_and(|found| matches_line(line, found)) {
            return false;
        }
    }
    found.next().is_none()
}

fn matches_line(expected: &str, mut found: &str) -> bool {
    let mut parts = expected.split("...");
    let Some(rest) = found.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    found = rest;
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return found.is_empty();
    };
    for part in parts {
        let Some(at) = found.find(part) else {
            return false;
        };
        found = &found[at + part.len()..];
    }
    found.ends_with(last)
}

#[test]
fn dots_match_any_text() {
    assert!(matches("a\n...\nz\n", "a\nb\nc\nz\n") && matches("a\n...\nz\n", "a\nz\n"));
    assert!(matches("a ... b\n", "a 12 b\n") && !matches("a ... b\n", "a 12 c\n"));
    assert!(!matches("a\n", "a\nb\n") && !matches("a\nb\n", "a\n") && matches("a\n...\n", "a\n"));
}
