//! What `container` makes of its inputs: missing ones, compressed ones, faults, keys that no row has.

use std::fs;

use crate::tool::{Folder, fails, gzip, run, succeeds};
use serde_json::Value;

const ROWS: &[u8] = b"{\"id\":1,\"of\":{\"n\":[2]}}\n{\"id\":2,\"more\":null}\n";

#[test]
fn nothing_is_written_if_the_first_input_is_missing() {
    let folder = Folder::new();
    let (missing, there) = (folder.path("missing.ndjson"), folder.write("rows", ROWS));
    let out = folder.path("out.pkd");
    for arguments in [
        &["container", "create", &missing][..],
        &["container", "create", &missing, &there],
        &["container", "create", &missing, "-"],
        &["container", "create", "--append", "-o", &out, &missing],
        &["pack", "--container", &missing],
        &["pack", "--container", &missing, &there],
    ] {
        let output = run(arguments, ROWS);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {stderr}");
        assert!(stderr.contains(&format!("cannot read {missing}")), "{stderr}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
        assert!(!fs::exists(&out).unwrap(), "{arguments:?}");
    }
}

#[test]
fn compressed_files_and_pipes_are_read_without_their_index() {
    let folder = Folder::new();
    let bytes = succeeds(&["container", "create", "--block-rows", "1"], ROWS);
    let file = folder.write("rows.pkd", &bytes);
    let info = |file: &str, input: &[u8]| -> Value {
        let arguments = ["container", "info", "--json", "--blocks", file];
        serde_json::from_slice(&succeeds(&arguments, input)).unwrap()
    };
    let whole = info(&file, b"");
    let zipped = gzip(&bytes);
    let packed = folder.write("rows.pkd.gz", &zipped);
    for found in [info(&packed, b""), info("-", &bytes), info("-", &zipped)] {
        for entry in [
            "bytes",
            "rows",
            "blocks",
            "body",
            "stored",
            "sync",
            "codec",
            "damage",
            "dead",
            "block_list",
        ] {
            assert_eq!(found[entry], whole[entry], "{entry}");
        }
        assert_eq!((&found["stream"], &found["index"]), (&true.into(), &Value::Null));
    }
    assert_eq!(whole["stream"], false);
    let shown = succeeds(&["container", "info", &packed], b"");
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("content  2 rows in 2 blocks"), "{shown}");
    assert!(shown.contains("index    not read: "), "{shown}");

    let cut = folder.write("cut.pkd.gz", &zipped[..zipped.len() - 20]);
    fails(&["container", "info", &cut], b"", 3, &cut);

    let part = folder.path("part.pkd");
    for arguments in [
        &["container", "split", "-n", "2", &packed][..],
        &["container", "split", "-n", "2", &packed, "-o", &part],
    ] {
        fails(arguments, b"", 3, &format!("{packed} is compressed, and a range"));
    }
    fails(
        &["container", "split", "-n", "2", "-"],
        &bytes,
        3,
        "standard input is not a file",
    );
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 3);
}

#[test]
fn a_row_that_cannot_be_kept_is_reported_with_its_input() {
    let folder = Folder::new();
    let deep = format!("{}1{}\n", "[".repeat(1024), "]".repeat(1024));
    let file = folder.write("deep.ndjson", deep.as_bytes());
    let out = folder.path("out.pkd");
    let create = ["container", "create", "--from", "ndjson", &file, "-o", &out];
    fails(&create, b"", 3, &format!("error: {file}: depth_limit"));
}

#[test]
fn a_key_that_no_row_has_is_a_warning() {
    let warnings = |arguments: &[&str], input: &[u8]| -> String {
        let output = run(arguments, input);
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let create = |keys| ["container", "create", "--stats", keys];
    let keys = "id,of.n.0,more,typo,of.n.1";
    assert_eq!(
        warnings(&create(keys), ROWS),
        "warning: no row has the key typo\nwarning: no row has the key of.n.1\n"
    );
    assert_eq!(warnings(&create("more,of"), ROWS), "");
    // There is no row that could have it.
    assert_eq!(warnings(&create("typo"), b""), "");
    let bytes = succeeds(&["container", "create"], ROWS);
    let compact = ["container", "compact", "--stats", "typo,id"];
    assert_eq!(warnings(&compact, &bytes), "warning: no row has the key typo\n");
    // Of a file that is there, earlier rows may have it.
    let folder = Folder::new();
    let out = folder.path("log.pkd");
    let append = ["container", "create", "--stats", "typo", "--append", "-o", &out];
    for warning in ["warning: no row has the key typo\n", ""] {
        assert_eq!(warnings(&append, ROWS), warning);
    }
}
