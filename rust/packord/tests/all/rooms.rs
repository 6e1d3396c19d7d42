//! The rooms of the crate: imports go down, from floor to floor, so that no two rooms need each
//! other.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, from the lowest floor up. A room may use those before it in the list.
const FLOORS: [&str; 16] = [
    "error", "wire", "ext", "record", "value", "read", "options", "walk", "encode", "columns", "decode", "notation",
    "stream", "typed", "document", "io",
];
/// The rooms above all others.
const TOP: [&str; 7] = ["serde", "compat", "codec", "futures", "whole", "container", "prelude"];

/// The files outside of `wire` that know markers, and how often they name one. The list may only become
/// shorter, and its numbers smaller.
const KNOW_MARKERS: [(&str, usize); 30] = [
    ("columns/arrow/build.rs", 3),
    ("columns/arrow/rows.rs", 4),
    ("columns/arrow/typed/values.rs", 1),
    ("columns/payload.rs", 1),
    ("columns/read/plain.rs", 4),
    ("columns/write/records.rs", 1),
    ("container/head.rs", 4),
    ("container/header.rs", 2),
    ("encode/tree.rs", 1),
    ("ext/mod.rs", 4),
    ("io/walk.rs", 3),
    ("notation/scalar.rs", 4),
    ("notation/suffix.rs", 39),
    ("read/decoder.rs", 36),
    ("read/fast.rs", 35),
    ("read/names.rs", 1),
    ("read/records.rs", 11),
    ("read/skip.rs", 9),
    ("serde/compound.rs", 1),
    ("serde/decoder.rs", 30),
    ("serde/ser.rs", 1),
    ("serde/visit.rs", 21),
    ("typed/derived/fields.rs", 15),
    ("typed/impls/scalars.rs", 2),
    ("typed/raw/bound.rs", 20),
    ("typed/raw/cursor.rs", 26),
    ("typed/raw/reader.rs", 38),
    ("typed/reader.rs", 22),
    ("typed/record.rs", 2),
    ("typed/writer.rs", 15),
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn floor(room: &str) -> usize {
    let mut rooms = FLOORS.iter().chain(&TOP);
    rooms
        .position(|known| *known == room)
        .unwrap_or_else(|| panic!("the room {room} has no floor yet: put it into the list"))
}

/// The files of a folder, with their rooms.
fn files(folder: &Path, room: Option<&str>, out: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let room = room.unwrap_or(&name).to_owned();
        if path.is_dir() {
            files(&path, Some(&room), out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push((room, path));
        }
    }
}

/// The code of a file: without comments, strings of documentation, and the tests at its end.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().take_while(|line| *line != "mod tests {");
    lines
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

/// What the root of the crate re-exports, and from which room.
fn exports() -> BTreeMap<String, String> {
    let text = code(&source().join("lib.rs"));
    let uses = text.split("pub use ").skip(1);
    let uses = uses.filter_map(|rest| rest.split(';').next()?.split_once("::"));
    uses.flat_map(|(room, names)| words(names).map(|name| (name.to_owned(), room.to_owned())))
        .collect()
}

/// The first parts of the paths after `crate::`, those of groups too.
fn imports(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let Some(group) = rest.strip_prefix('{') else {
            found.extend(words(rest).next().map(str::to_owned));
            continue;
        };
        let (mut depth, mut begins) = (0, true);
        for (index, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' => begins = depth == 0,
                c if begins && depth == 0 && !c.is_whitespace() => {
                    found.extend(words(&group[index..]).next().map(str::to_owned));
                    begins = false;
                }
                _ => {}
            }
        }
    }
    found
}

/// The imports that do not go down, of a file of a room.
fn upward(room: &str, code: &str, exports: &BTreeMap<String, String>) -> Vec<String> {
    let mut found = imports(code);
    found.retain(|import| {
        let is_room = FLOORS.contains(&import.as_str()) || TOP.contains(&import.as_str());
        let target = if is_room {
            import
        } else {
            exports.get(import).unwrap_or(import)
        };
        target != room && floor(target) >= floor(room)
    });
    found
}

#[test]
fn no_room_imports_from_above() {
    let (mut all, exports) = (Vec::new(), exports());
    files(&source(), None, &mut all);
    all.retain(|(room, _)| room != "lib");
    assert!(all.len() > 80, "{} files", all.len());
    let mut wrong = Vec::new();
    for (room, path) in &all {
        for import in upward(room, &code(path), &exports) {
            wrong.push(format!("{}: crate::{import}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "imports that go up:\n{}", wrong.join("\n"));
}

#[test]
fn an_import_that_goes_up_is_found() {
    let exports = exports();
    let upward = |room, code| upward(room, code, &exports);
    assert_eq!(upward("wire", "use crate::typed::Failed;"), ["typed"]);
    assert_eq!(
        upward("read", "use crate::{error::Error, walk::{Token, Event}, ext};"),
        ["walk"]
    );
    assert_eq!(upward("value", "fn f() { crate::encode::to_vec(v) }"), ["encode"]);
    assert_eq!(upward("record", "use crate::Value;"), ["Value"]);
    assert!(upward("walk", "use crate::read::Pull; use crate::{ErrorKind, wire::marker};").is_empty());
}

#[test]
fn unsafe_code_is_in_five_modules() {
    let mut all = Vec::new();
    files(&source(), None, &mut all);
    let mut fenced = Vec::new();
    for (_, path) in &all {
        let (code, mut lines) = (code(path), 0);
        for line in code.lines() {
            if lines > 0 && line.contains("mod ") {
                let module = words(line).last().unwrap().to_owned();
                let folder = path.parent().unwrap().strip_prefix(source()).unwrap();
                fenced.push(folder.join(module).display().to_string().replace('\\', "/"));
            }
            lines = usize::from(line.contains("allow(unsafe_code)"));
        }
        let within = path.strip_prefix(source()).unwrap();
        let allowed = [
            "columns/arrow/raw",
            "columns/view/in_place.rs",
            "wire",
            "typed/raw",
            "value/raw",
        ];
        if words(&code).any(|word| word == "unsafe") {
            assert!(
                allowed.iter().any(|module| within.starts_with(module)),
                "{}",
                path.display()
            );
        }
    }
    fenced.sort();
    assert_eq!(
        fenced,
        [
            "columns/arrow/raw",
            "columns/view/in_place",
            "typed/raw",
            "value/raw",
            "wire"
        ]
    );
}

/// The types that are declared at the top level of a file, without substitutes for a feature that is
/// off.
fn types(code: &str) -> Vec<&str> {
    let (mut found, mut is_substitute) = (Vec::new(), false);
    for line in code.lines() {
        let declared = ["struct", "enum", "union", "trait", "type"];
        let mut rest = words(line).skip_while(|word| ["pub", "crate", "super", "unsafe"].contains(word));
        let is_type = rest.next().is_some_and(|word| declared.contains(&word));
        if is_type && !line.starts_with(' ') && !is_substitute {
            found.extend(rest.next());
        }
        is_substitute = line.contains("cfg(not(feature");
    }
    found
}

#[test]
fn no_two_types_share_a_name() {
    let mut all = Vec::new();
    files(&source(), None, &mut all);
    let mut declared = BTreeMap::<String, Vec<String>>::new();
    for (_, path) in &all {
        for name in types(&code(path)) {
            let paths = declared.entry(name.to_owned()).or_default();
            paths.push(path.display().to_string());
        }
    }
    assert!(declared.len() > 150, "{} types", declared.len());
    // The generic type and its owned form, so that messages of the compiler say `Value`.
    assert_eq!(declared.remove("Value").map(|paths| paths.len()), Some(2));
    // Of `typed`, for those who write an implementation by hand, and of `container`.
    for name in ["Reader", "Writer"] {
        assert_eq!(declared.remove(name).map(|paths| paths.len()), Some(2));
    }
    declared.retain(|_, paths| paths.len() > 1);
    assert!(declared.is_empty(), "names of several types: {declared:#?}");
}

#[test]
fn types_are_found_however_they_are_declared() {
    let code = "pub(crate) struct A;\nunsafe trait B {\n    type C;\n}\npub type D = A;\nfn e() {}\n\
                #[cfg(not(feature = \"alloc\"))]\nenum F {}\npub enum G<T> {}";
    assert_eq!(types(code), ["A", "B", "D", "G"]);
}

/// How often a marker is named.
fn markers(code: &str) -> usize {
    let names = ["m::", "marker::"].map(|prefix| {
        let found = code.match_indices(prefix).filter(|(at, _)| {
            let before = code[..*at].chars().next_back();
            let after = code[at + prefix.len()..].chars().next();
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                && !code[..*at].ends_with("core::")
                && after.is_some_and(|c| c.is_ascii_uppercase())
        });
        found.count()
    });
    names.iter().sum()
}

#[test]
fn only_wire_and_a_list_that_shrinks_know_markers() {
    let mut all = Vec::new();
    files(&source(), None, &mut all);
    let mut found = Vec::new();
    for (_, path) in all.iter().filter(|(room, _)| room != "wire") {
        let name = path
            .strip_prefix(source())
            .unwrap()
            .to_str()
            .unwrap()
            .replace('\\', "/");
        let count = markers(&code(path));
        if count > 0 {
            found.push((name, count));
        }
    }
    found.sort();
    let known: Vec<(String, usize)> = KNOW_MARKERS
        .iter()
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect();
    assert_eq!(found, known);
}

/// What checks the depth limit, and what checks the stack instead where types recurse. The options may only
/// lower it without the feature `alloc`.
const KNOW_THE_DEPTH_LIMIT: [&str; 3] = ["options.rs", "read/depth.rs", "read/native_stack.rs"];

/// Whether a line compares a limit of depth, or reports that it was exceeded.
fn checks_depth(line: &str) -> bool {
    let reports = line.contains("ErrorKind::DepthLimit") && !line.contains("=>");
    let limits = ["max_depth", "MAX_DEPTH", "depth.left", "depth_left"];
    let comparisons = [" < ", " > ", " <= ", " >= ", " == ", "checked_sub"];
    let compares =
        limits.iter().any(|limit| line.contains(limit)) && comparisons.iter().any(|compares| line.contains(compares));
    reports || compares && !line.contains("check_depth(")
}

#[test]
fn the_depth_limit_is_checked_in_two_files() {
    let mut all = Vec::new();
    files(&source(), None, &mut all);
    let mut found = Vec::new();
    for (_, path) in &all {
        if code(path).lines().any(checks_depth) {
            let within = path.strip_prefix(source()).unwrap();
            found.push(within.display().to_string().replace('\\', "/"));
        }
    }
    found.sort();
    assert_eq!(found, KNOW_THE_DEPTH_LIMIT);
}

#[test]
fn a_check_of_the_depth_limit_is_found() {
    assert!(checks_depth("if depth >= rules.max_depth {"));
    assert!(checks_depth("return Err(Error::new(ErrorKind::DepthLimit));"));
    assert!(checks_depth("self.state.depth.left == 0"));
    assert!(!checks_depth("let options = DecodeOptions::new().max_depth(u32::MAX);"));
    assert!(!checks_depth("ErrorKind::DepthLimit if self.begins_at(source) => {"));
}

/// What derived code calls is in one hidden module. Apart from it, only these items are hidden: what traits of
/// the user's types have for it, and what other crates of the project and compatible names need.
const HIDE: [(&str, usize); 13] = [
    ("container/block_map.rs", 1),
    ("container/reader.rs", 1),
    ("lib.rs", 4),
    ("record/mod.rs", 2),
    ("typed/buf.rs", 1),
    ("typed/mod.rs", 1),
    ("typed/pack.rs", 3),
    ("typed/state.rs", 2),
    ("typed/times.rs", 3),
    ("typed/unpack.rs", 10),
    ("value/change.rs", 1),
    ("whole.rs", 2),
    ("wire/mod.rs", 4),
];

#[test]
fn what_derived_code_calls_is_in_one_module() {
    let mut all = Vec::new();
    files(&source(), None, &mut all);
    let mut found = Vec::new();
    for (_, path) in &all {
        let count = code(path).matches("doc(hidden)").count();
        if count > 0 {
            let within = path.strip_prefix(source()).unwrap();
            found.push((within.display().to_string().replace('\\', "/"), count));
        }
    }
    found.sort();
    let hide: Vec<(String, usize)> = HIDE.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
    assert_eq!(found, hide);
}
