//! Files import each other in one direction: circles of files stay small enough to be read as one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The most files that may import each other in a circle.
const MAX_CIRCLE: usize = 3;

/// A module path below the crate's root: `["typed", "raw", "writer"]`.
type Module = Vec<String>;
/// The modules that each module imports.
type Graph = BTreeMap<Module, BTreeSet<Module>>;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Reads every file below `folder`. A `mod.rs` is a table of contents, and not in the list.
fn read_files(folder: &Path, module: &Module, files: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let mut inner = module.clone();
        inner.push(name.clone());
        if path.is_dir() {
            read_files(&path, &inner, files);
        } else if name != "mod" && name != "lib" {
            files.insert(inner, code(&fs::read_to_string(path).unwrap()));
        }
    }
}

/// Returns the code without comments and without the tests at the end.
fn code(text: &str) -> String {
    text.lines()
        .take_while(|line| *line != "mod tests {")
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the paths in `rest`, the text after `crate::` or `super::`, with groups taken apart.
fn paths(rest: &str) -> Vec<Module> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    if let Some(group) = rest.strip_prefix('{') {
        let (mut depth, mut start, mut found) = (0, 0, Vec::new());
        for (index, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    found.extend(paths(group[start..index].trim()));
                    start = index + 1;
                    if c == '}' {
                        break;
                    }
                }
                _ => {}
            }
        }
        return found;
    }
    let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    if end == 0 {
        return Vec::new();
    }
    let name = rest[..end].to_owned();
    match rest[end..].strip_prefix("::") {
        None => vec![vec![name]],
        Some(after) => {
            let inner = paths(after);
            if inner.is_empty() {
                return vec![vec![name]];
            }
            let join = |path: Module| [vec![name.clone()], path].concat();
            inner.into_iter().map(join).collect()
        }
    }
}

/// Returns the modules that the code of `module` imports, by absolute path, names included.
fn imports(module: &Module, code: &str) -> Vec<Module> {
    let mut found = paths_after(code, "crate::", &Vec::new());
    let parent = module[..module.len() - 1].to_vec();
    let mut base = parent.clone();
    if base.pop().is_some() {
        found.extend(paths_after(code, "super::super::", &base));
    }
    found.extend(paths_after(code, "super::", &parent));
    found
}

fn paths_after(code: &str, prefix: &str, base: &Module) -> Vec<Module> {
    code.match_indices(prefix)
        .filter(|(index, _)| !code[..*index].ends_with("super::"))
        .flat_map(|(index, _)| paths(&code[index + prefix.len()..]))
        .filter(|path| path.first().is_some_and(|name| name != "super"))
        .map(|path| [base.clone(), path].concat())
        .collect()
}

fn graph(files: &BTreeMap<Module, String>) -> Graph {
    let mut graph = Graph::new();
    for (module, code) in files {
        let targets = graph.entry(module.clone()).or_default();
        for path in imports(module, code) {
            // The longest beginning of the path that is a file; the rest are names in it.
            let target = (1..=path.len()).rev().map(|end| path[..end].to_vec());
            if let Some(target) = target.into_iter().find(|path| files.contains_key(path)) {
                targets.insert(target);
            }
        }
        targets.remove(module);
    }
    graph
}

fn reachable(graph: &Graph, from: &Module) -> BTreeSet<Module> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
    while let Some(module) = open.pop() {
        for next in graph.get(&module).into_iter().flatten() {
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    seen
}

/// Returns the circles: sets of files that all reach each other.
fn circles(graph: &Graph) -> BTreeSet<Vec<Module>> {
    let reach: BTreeMap<_, _> = graph.keys().map(|key| (key, reachable(graph, key))).collect();
    let circle = |key: &Module| {
        let mates = reach[key].iter().filter(|mate| reach[mate].contains(key));
        mates.cloned().collect::<Vec<_>>()
    };
    graph.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

#[test]
fn no_more_than_three_files_import_each_other() {
    let mut files = BTreeMap::new();
    read_files(&source(), &Vec::new(), &mut files);
    assert!(files.len() > 80, "{} files", files.len());
    let large: Vec<_> = circles(&graph(&files))
        .into_iter()
        .filter(|circle| circle.len() > MAX_CIRCLE)
        .map(|circle| circle.iter().map(|module| module.join("::")).collect::<Vec<_>>())
        .collect();
    assert!(large.is_empty(), "{large:#?}");
}

#[test]
fn circles_are_found_through_groups_and_parents() {
    let file = |path: &str, code: &str| {
        let module = path.split("::").map(str::to_owned).collect::<Module>();
        (module, code.to_owned())
    };
    let files = BTreeMap::from([
        file("a::one", "use super::two::{B, C};"),
        file("a::two", "use crate::{b::three::D, error::Error};"),
        file("b::three", "use super::super::a::one::A;"),
        file("b::four", "fn f() { crate::a::one::g() }"),
        file("error", ""),
    ]);
    let names = circles(&graph(&files))
        .into_iter()
        .map(|circle| circle.iter().map(|module| module.join("::")).collect::<Vec<_>>());
    assert_eq!(names.collect::<Vec<_>>(), [["a::one", "a::two", "b::three"]]);
}
