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
    let mut found = BTreeSet::from(
        [
            "T",
            "str",
            "MsgPacker",
            "MsgPackerBorrowed",
            "trailing_bytes",
        ]
        .map(String::from),
    );
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
