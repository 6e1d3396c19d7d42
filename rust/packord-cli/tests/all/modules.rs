//! The imports between the modules of the tool go one way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules by floor, the lowest first. A module imports only from floors below its own; the
/// files of one module may import one another, but not in a circle.
const FLOORS: &[&[&str]] = &[
    &["limits"],
    &["failure", "figures"],
    &["cli", "values"],
    &["terminal"],
    &["output", "query", "schema", "source", "threads"],
    &["arrow", "json", "report", "shared"],
    &["container"],
    &["messages"],
    &["commands"],
    &["lib"],
    &["main"],
];

#[test]
fn imports_go_down() {
    let mut seen = BTreeSet::new();
    for (file, text) in files() {
        let module = top(&file);
        let own = floor(&module).unwrap_or_else(|| panic!("{module} has no floor"));
        seen.insert(module.clone());
        for target in crate_paths(&text) {
            let target = target.split("::").next().unwrap().to_owned();
            let below = floor(&target).unwrap_or_else(|| panic!("{module}: {target}?"));
            assert!(
                below < own || target == module,
                "{file} imports crate::{target}, which is not on a lower floor"
            );
        }
    }
    let listed: usize = FLOORS.iter().map(|floor| floor.len()).sum();
    assert_eq!(seen.len(), listed, "a module on a floor does not exist");
}

#[test]
fn no_files_import_one_another_in_a_circle() {
    let files: BTreeMap<String, String> = files().collect();
    let mut imports: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in &files {
        let mut targets = crate_paths(text);
        targets.extend(relative_paths(file, text));
        let targets = targets.iter().filter_map(|path| file_of(path, &files));
        imports.insert(file, targets.filter(|target| target != file).collect());
    }
    // Files whose imports are all removed are removed, until none is left.
    while let Some(leaf) = imports
        .iter()
        .find(|(_, targets)| targets.iter().all(|target| !imports.contains_key(&**target)))
        .map(|(file, _)| *file)
    {
        imports.remove(leaf);
    }
    assert!(imports.is_empty(), "in or above a circle: {imports:?}");
}

#[test]
fn every_type_has_a_name_of_its_own() {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for (file, text) in files() {
        // These stand for others in a build without a feature.
        if [
            "terminal::progress::no_line",
            "arrow::missing",
            "commands::validate::no_schema",
        ]
        .contains(&&*file)
        {
            continue;
        }
        for line in text.lines() {
            let line = line.trim_start_matches("pub ");
            let name = ["struct ", "enum ", "trait "]
                .iter()
                .find_map(|keyword| line.strip_prefix(keyword));
            let Some(name) = name else { continue };
            let end = name.find(|letter: char| !letter.is_alphanumeric());
            let name = name[..end.unwrap_or(name.len())].to_owned();
            if let Some(other) = names.insert(name.clone(), file.clone()) {
                panic!("{name} is defined in {other} and in {file}");
            }
        }
    }
    assert!(names.len() > 80, "only {} types", names.len());
}

#[test]
fn headers_are_read_by_the_crate() {
    // Bytes of other formats.
    let others = ["terminal::style", "source::recognise::cbor", "source::input"];
    let marker = regex::Regex::new(r"[^-]0x[89a-d][0-9a-f]\b").unwrap();
    for (file, text) in files() {
        if others.contains(&&*file) || file.contains("tests") {
            continue;
        }
        // A byte that begins a character.
        let text = text.replace("& 0xc0 != 0x80", "");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            assert!(!marker.is_match(line), "{file} has a marker of its own: {line}");
        }
    }
}

/// The source files, by module path (`json::write`), without their unit tests.
fn files() -> impl Iterator<Item = (String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    found.into_iter().map(move |path| {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap().to_owned();
        (module_of(path.strip_prefix(&root).unwrap()), code)
    })
}

fn module_of(path: &Path) -> String {
    let path: PathBuf = match path.file_name().unwrap().to_str() {
        Some("mod.rs") => path.parent().unwrap().to_owned(),
        _ => path.with_extension(""),
    };
    let parts: Vec<_> = path.iter().map(|part| part.to_str().unwrap()).collect();
    parts.join("::")
}

fn top(file: &str) -> String {
    file.split("::").next().unwrap().to_owned()
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

/// The paths after `crate::` in a file, with the items of braces one by one.
fn crate_paths(text: &str) -> Vec<String> {
    paths(text, "crate::")
}

/// The paths after `super::`, and those of declared children that are used, as paths of the crate.
fn relative_paths(file: &str, text: &str) -> Vec<String> {
    let parent = file.rsplit_once("::").map_or("", |(parent, _)| parent);
    let mut found: Vec<String> = paths(text, "super::")
        .into_iter()
        .map(|path| format!("{parent}::{path}").trim_start_matches(':').to_owned())
        .collect();
    for line in text.lines() {
        let declared = line.trim_start_matches("pub ").strip_prefix("mod ");
        if let Some(child) = declared.and_then(|rest| rest.strip_suffix(';')) {
            let uses_it = text.contains(&format!("{child}::"));
            found.extend(uses_it.then(|| format!("{file}::{child}")));
        }
    }
    found
}

fn paths(text: &str, prefix: &str) -> Vec<String> {
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect();
    let mut found = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        let end = rest
            .find(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter))
            .unwrap_or(rest.len());
        let path = rest[..end].trim_end_matches(':');
        let braces = rest[end..].strip_prefix('{').and_then(|inner| inner.split('}').next());
        match braces {
            None => found.push(path.to_owned()),
            Some(inner) => found.extend(inner.split(',').map(|item| {
                let item = item.trim().trim_start_matches("self");
                format!("{path}::{item}").trim_matches(':').to_owned()
            })),
        }
    }
    found
}

/// The file in which the item of a path is.
fn file_of(path: &str, files: &BTreeMap<String, String>) -> Option<String> {
    let mut path = path;
    loop {
        if files.contains_key(path) {
            return Some(path.to_owned());
        }
        path = path.rsplit_once("::")?.0;
    }
}
