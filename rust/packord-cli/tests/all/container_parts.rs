//! The parts of a container file are like the whole: header, schema, statistics.

use crate::tool::succeeds;
use serde_json::Value;
use tempfile::TempDir;

#[test]
fn parts_keep_header_schema_and_statistics() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (file, part) = (path("log.pkd"), path("part.pkd"));
    // The values of `ms` have other types in the first half than in the second one.
    let rows: String = (0..40)
        .map(|number| {
            let ms = ["null", "2.5"][usize::from(number >= 20)];
            format!("{{\"at\":{number},\"user\":{{\"id\":{number}}},\"ms\":{ms}}}\n")
        })
        .collect();
    let arguments = "container create --codec deflate --stats at,ms --meta from=web --block-rows 10";
    let mut create: Vec<&str> = arguments.split(' ').collect();
    create.extend(["-o", &file]);
    succeeds(&create, rows.as_bytes());
    let info = |file: &str| -> Value {
        serde_json::from_slice(&succeeds(&["container", "info", "--json", file], b"")).unwrap()
    };
    let whole = info(&file);
    assert_eq!(whole["schema"]["ms"]["types"][0], "float", "{whole}");
    // More parts than blocks: those without rows are like the others.
    for number in ["2", "6"] {
        succeeds(&["container", "split", "-n", number, &file, "-o", &part], b"");
        let mut statistics = Vec::new();
        for number in 0..number.parse().unwrap() {
            let found = info(&path(&format!("part-{number}.pkd")));
            for entry in ["schema", "stats", "meta", "codec"] {
                assert_eq!(found[entry], whole[entry], "part {number}: {entry}");
            }
            if found["rows"] != 0 {
                statistics.push(found["statistics"]["at"].clone());
            }
        }
        let (first, last) = (&statistics[0], &statistics[statistics.len() - 1]);
        assert_eq!((&first["min"], &last["max"]), (&0.into(), &39.into()));
        // The parts together are the whole again.
        let parts: Vec<String> = (0..number.parse().unwrap())
            .map(|number: usize| path(&format!("part-{number}.pkd")))
            .collect();
        let joined = path("joined.pkd");
        let mut cat = vec!["container", "cat", "-o", &joined];
        cat.extend(parts.iter().map(String::as_str));
        succeeds(&cat, b"");
        assert_eq!(info(&joined)["schema"], whole["schema"]);
        assert_eq!(succeeds(&["unpack", &joined], b""), succeeds(&["unpack", &file], b""));
    }
}
