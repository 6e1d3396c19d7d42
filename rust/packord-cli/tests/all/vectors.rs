//! Every vector through the commands: each fault has its place, and no output file remains.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::support::{Case, cases};
use clap::Parser;
use packord_cli::cli::Cli;
use packord_cli::failure::{Failure, Outcome};
use serde_json::Value as Json;
use tempfile::TempDir;

/// A folder with one case's files.
struct Room {
    folder: TempDir,
    input: PathBuf,
    output: PathBuf,
    /// Parsed command lines: there are few, and parsing them is most of the work.
    parsed: RefCell<HashMap<Vec<String>, Rc<Cli>>>,
}

impl Room {
    fn new() -> Room {
        let folder = TempDir::new().unwrap();
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        Room {
            folder,
            input,
            output,
            parsed: RefCell::default(),
        }
    }

    fn run(&self, command: &str, options: &[String]) -> Outcome {
        let mut arguments = vec!["packord".to_owned()];
        arguments.extend(command.split(' ').map(str::to_owned));
        arguments.push("--as-is".to_owned());
        arguments.extend_from_slice(options);
        let input = self.input.display().to_string();
        let output = self.output.display().to_string();
        match command {
            "validate" | "validate --all" => arguments.extend(["--quiet".to_owned(), input]),
            "diff" => arguments.extend([input.clone(), input]),
            "repair" => arguments.extend(["--quiet".to_owned(), "--out".to_owned(), output, input]),
            _ => arguments.extend(["--out".to_owned(), output, input]),
        }
        let cli = self.parsed.borrow().get(&arguments).cloned();
        let cli = cli.unwrap_or_else(|| {
            let cli = Rc::new(Cli::try_parse_from(&arguments).unwrap());
            self.parsed.borrow_mut().insert(arguments, Rc::clone(&cli));
            cli
        });
        packord_cli::run(&cli.command)
    }

    /// Returns the options of a case for the command line, or `None` if the tool lacks one.
    fn options(&self, case: &Case, command: &str) -> Option<Vec<String>> {
        // The vectors have the limits of the specification, and the tool has lower ones.
        let mut options = vec!["--max-message=5g".to_owned()];
        let set = |name: &str| case.json["options"][name] == true;
        if set("canonical") && set("records") {
            // The tool refuses both together.
            return None;
        }
        let names = ["records", "sequential", "canonical"];
        if !names.into_iter().any(set) && case.json["options"]["shared_structures"].is_null() {
            options.push("--records=never".to_owned());
        }
        for (name, value) in case.json["options"].as_object().into_iter().flatten() {
            match (name.as_str(), value) {
                // `diff` compares strings by their bytes, and keys of records are UTF-8.
                ("utf8", _) if command == "diff" => return None,
                ("records" | "sequential", _) => options.push(format!("--{name}")),
                ("canonical", _) if command.starts_with("validate") => {
                    options.push("--canonical".to_owned());
                }
                ("duplicate_key", _) if command.starts_with("validate") => {
                    options.push("--duplicates".to_owned());
                }
                ("utf8", Json::String(mode)) => options.push(format!("--utf8={mode}")),
                ("max_depth", depth) => options.push(format!("--max-depth={depth}")),
                ("max_record_keys", most) => options.push(format!("--max-record-keys={most}")),
                ("shared_structures", lists) => {
                    let path = self.folder.path().join("shared");
                    fs::write(&path, lists.to_string()).unwrap();
                    options.push(format!("--shared={}", path.display()));
                }
                _ => return None,
            }
        }
        Some(options)
    }

    fn leftovers(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path());
        entries
            .filter(|path| *path != self.input && !path.ends_with("shared"))
            .collect()
    }
}

const COMMANDS: [&str; 10] = [
    "validate",
    "validate --all",
    "unpack",
    "unpack --to diag",
    "inspect",
    "get .",
    "get --count [*].a.*",
    "stats",
    "diff",
    "repair",
];

#[test]
fn every_fault_is_reported_with_kind_offset_and_path() {
    let room = Room::new();
    let mut tried = 0;
    for class in ["invalid", "hostile", "records"] {
        for case in cases(class) {
            // The tool reads streams: bytes after a message are the next message.
            let kind = case.json["error"]["kind"]
                .as_str()
                .filter(|kind| *kind != "trailing_bytes");
            let Some(kind) = kind else { continue };
            let bytes = case.bytes();
            if bytes.is_empty() {
                // A stream without messages is valid.
                continue;
            }
            fs::write(&room.input, bytes).unwrap();
            for command in COMMANDS {
                let Some(options) = room.options(&case, command) else {
                    continue;
                };
                let failure = match room.run(command, &options) {
                    Err(failure) => failure,
                    // There were complete messages before the fault.
                    Ok(()) if command == "repair" => {
                        fs::remove_file(&room.output).unwrap();
                        continue;
                    }
                    Ok(()) => panic!("{} {command}", case.name),
                };
                let place = format!("{kind} at byte {}", case.json["error"]["offset"]);
                let text = failure.to_string();
                // `diff` names the file.
                let text = text
                    .strip_prefix(&format!("{}: ", room.input.display()))
                    .unwrap_or(&text);
                // `--all` may report other faults before.
                let found = match command {
                    "validate --all" => text.find(&place).map_or("", |at| &text[at..]),
                    _ => text,
                };
                if matches!(command, "validate" | "unpack") && !case.json["error"]["path"].is_null() {
                    let path = case.json["error"]["path"].as_str().unwrap();
                    let located = format!("{place} ({path})");
                    assert!(
                        found.starts_with(&located) || case.name.ends_with(": key 2^64"),
                        "{} {command}: {text}",
                        case.name
                    );
                }
                let next = found.as_bytes().get(place.len());
                assert!(
                    found.starts_with(&place) && !next.is_some_and(u8::is_ascii_digit),
                    "{} {command}: {text}",
                    case.name
                );
                let code = if kind == "not_canonical" || kind == "duplicate_key" {
                    1
                } else {
                    3
                };
                // A later fault may be worse than the first.
                let worse = command == "validate --all" && failure.exit_code() == 3;
                let code = if worse { 3 } else { code };
                assert_eq!(failure.exit_code(), code, "{} {command}", case.name);
                assert_eq!(room.leftovers(), Vec::<&Path>::new(), "{}", case.name);
                tried += 1;
            }
        }
    }
    assert!(tried > 10_000, "only {tried} runs");
}

#[test]
fn valid_vectors_are_accepted() {
    let room = Room::new();
    let mut tried = 0;
    for class in ["valid", "hostile", "records", "stream"] {
        for case in cases(class) {
            if !case.has("bytes") {
                continue;
            }
            let good = case.has("value") || case.has("values") || case.json["value_ok"] == true;
            let clean = class != "stream" || case.json["end"] == "clean";
            // The records of a record-abuse case are gigabytes in JSON.
            if !good || !clean || case.name.contains("record-abuse") {
                continue;
            }
            let bytes = case.bytes();
            if bytes.len() > 5_000_000 {
                continue;
            }
            fs::write(&room.input, bytes).unwrap();
            for command in COMMANDS {
                let Some(options) = room.options(&case, command) else {
                    continue;
                };
                match room.run(command, &options) {
                    // There is no value at the path, or no message.
                    Err(Failure::No(_) | Failure::AlreadyReported(_))
                        if command.starts_with("get") || command == "stats" => {}
                    done => {
                        done.unwrap_or_else(|failure| panic!("{} {command}: {failure}", case.name));
                    }
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 3000, "only {tried} runs");
}

#[test]
fn every_valid_vector_survives_json() {
    let room = Room::new();
    let mut compared = 0;
    for case in cases("valid") {
        let Some(options) = room.options(&case, "unpack") else {
            continue;
        };
        // A signalling NaN becomes quiet when it is widened.
        if case.name.contains("signalling") {
            continue;
        }
        let (bytes, reading) = (case.bytes(), case.options().decode);
        fs::write(&room.input, &bytes).unwrap();
        room.run("unpack", &options)
            .unwrap_or_else(|failure| panic!("{}: {failure}", case.name));
        fs::rename(&room.output, &room.input).unwrap();
        room.run("pack", &[])
            .unwrap_or_else(|failure| panic!("{}: {failure}", case.name));
        let packed = fs::read(&room.output).unwrap();
        let (expected, found) = (
            reading.decode(&bytes).unwrap(),
            packord::DecodeOptions::new().decode(&packed).unwrap(),
        );
        assert_eq!(found, expected, "{}", case.name);
        fs::remove_file(&room.output).unwrap();
        compared += 1;
    }
    assert!(compared > 900, "only {compared} values");
}
