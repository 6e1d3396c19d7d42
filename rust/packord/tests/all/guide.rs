//! Every call that the guide names exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn declared(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            declared(&path, found);
        } else if path.extension().is_some_and(|name| name == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let words: Vec<&str> = text
                .split(|char: char| !char.is_alphanumeric() && char != '_')
                .filter(|word| !word.is_empty())
                .collect();
            let declares = ["fn", "struct", "enum", "trait", "type", "mod"];
            let names = words.windows(2).filter(|pair| declares.contains(&pair[0]));
            found.extend(names.map(|pair| pair[1].to_owned()));
        }
    }
}

#[test]
fn every_name_in_the_guide_is_declared() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::from(["T", "str", "MsgPacker", "MsgPackerBorrowed", "trailing_bytes"].map(String::from));
    declared(&source, &mut found);
    let guide = fs::read_to_string(source.join("guide.md")).unwrap();
    let prose = guide.split("\n```").next().unwrap();
    let mut names = 0;
    for code in prose.split('`').skip(1).step_by(2) {
        // `from_…` and `_ref` are parts of names.
        if code.contains('…') || code.starts_with('_') || code.ends_with('_') {
            continue;
        }
        for name in code.trim_start_matches('&').split("::") {
            assert!(found.contains(name), "{name} of {code}");
            names += 1;
        }
    }
    assert!(names > 60, "{names} names");
}

#[test]
fn the_tables_of_reading_and_of_writing_have_at_most_ten_rows() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide.md");
    let guide = fs::read_to_string(guide).unwrap();
    let tables: Vec<_> = guide.split("\n| I have |").skip(1).collect();
    assert_eq!(tables.len(), 2);
    for table in tables {
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|')).count();
        assert!((5..=10).contains(&rows), "{rows} rows");
    }
}

#[test]
fn features_are_in_the_overview_and_container_files_are_in_every_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let manifest = read("Cargo.toml");
    let features = manifest
        .split("[features]\n")
        .nth(1)
        .unwrap()
        .split("\n[")
        .next()
        .unwrap();
    let overview = read("src/lib.rs");
    // Of the package each list has a line for each of its parts.
    for (name, _) in features.lines().filter_map(|line| line.split_once(" = ")) {
        assert!(name == "default" || overview.contains(&format!("`{name}`")), "{name}");
    }
    for page in ["README.md", "src/guide.md", "src/lib.rs"] {
        assert!(read(page).contains("container"), "{page}");
    }
}
