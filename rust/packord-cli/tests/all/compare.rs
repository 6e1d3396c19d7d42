//! `compare`, `sample` and the help pages.

use std::fs;
use std::io::Write;

use crate::tool::succeeds;
use serde_json::json;
use tempfile::TempDir;

#[test]
fn a_sample_is_the_same_for_the_same_seed() {
    let sample = |seed: &str| succeeds(&["sample", "--size", "20k", "--seed", seed], b"");
    assert_eq!(sample("3"), sample("3"));
    assert_ne!(sample("3"), sample("4"));
    let document: serde_json::Value = serde_json::from_slice(&sample("3")).unwrap();
    assert!(document["events"].as_array().unwrap().len() > 30);
    let lines = succeeds(&["sample", "--size", "20k", "--lines"], b"");
    assert_eq!(succeeds(&["unpack"], &succeeds(&["pack"], &lines)), lines);
}

#[test]
fn compare_reports_the_real_sizes() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    let sample = succeeds(&["sample", "--size", "60k"], b"");
    let out = succeeds(
        &["compare", "--quick", "--json", "--html", &page.display().to_string()],
        &sample,
    );
    let figures: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(
        figures["compressors"],
        json!(["gzip 6", "gzip 9", "brotli 5", "zstd 3"])
    );
    let formats = figures["formats"].as_array().unwrap();
    let names: Vec<_> = formats.iter().map(|format| format["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "JSON",
            "MessagePack",
            "MessagePack + records",
            "MessagePack + shared records",
            "MessagePack + columns",
            "CBOR",
            "BSON"
        ]
    );
    assert_eq!(
        formats[0]["raw"],
        serde_json::to_vec(&serde_json::from_slice::<serde_json::Value>(&sample).unwrap())
            .unwrap()
            .len()
    );
    assert_eq!(formats[1]["raw"], succeeds(&["pack"], &sample).len());
    let records = succeeds(&["pack", "--records"], &sample);
    assert_eq!(formats[2]["raw"], records.len());
    let columns = succeeds(&["pack", "--columns"], &sample);
    assert_eq!(formats[4]["raw"], columns.len());
    assert_eq!(formats[2]["compressed"][0], {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
        encoder.write_all(&records).unwrap();
        encoder.finish().unwrap().len()
    });
    for speed in figures["speeds"].as_array().unwrap() {
        for direction in ["encode", "decode"] {
            if speed[direction].is_null() {
                // Decoders without an encoder.
                assert!(direction == "encode" && speed["makes"] != "owned");
                continue;
            }
            let times = ["low_ns", "median_ns", "high_ns"].map(|time| speed[direction][time].as_f64().unwrap());
            assert!(times[0] > 0.0 && times.is_sorted(), "{speed}");
        }
    }
    let html = fs::read_to_string(&page).unwrap();
    let verdict = figures["verdict"][0].as_str().unwrap();
    assert!(html.contains("class=\"chart\"") && verdict.contains(" %"));
    // Numbers and their units are on one line.
    assert!(html.contains(&verdict.replace(" %", "\u{a0}%").replace(" kB", "\u{a0}kB")));
    for outside in ["http:", "https:", "<script", "<link", "@import", "url("] {
        assert!(!html.contains(outside), "the page is not on its own: {outside}");
    }
}

#[test]
fn compare_notes_what_a_library_cannot_hold() {
    let output = succeeds(&["compare", "--quick"], b"[18446744073709551615]");
    let text = String::from_utf8(output).unwrap();
    assert!(text.contains("Note: bson cannot hold this"), "{text}");
}

/// Commands with more options than the short help shows.
const LARGE: [&str; 12] = [
    "pack",
    "unpack",
    "get",
    "inspect",
    "validate",
    "schema",
    "stats",
    "diff",
    "repair",
    "container create",
    "container cat",
    "container compact",
];

#[test]
fn the_help_of_each_command_has_examples_and_full_lines() {
    let small = [
        "compare",
        "container info",
        "container split",
        "sample",
        "completions",
        "man",
    ];
    for command in LARGE.into_iter().chain(small) {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = String::from_utf8(succeeds(&words, b"")).unwrap();
        assert!(
            help.contains("Examples:") && help.contains(&format!("packord {command}")),
            "{help}"
        );
        has_full_lines(&help);
    }
    for words in [&["--help"][..], &["container", "--help"]] {
        let help = String::from_utf8(succeeds(words, b"")).unwrap();
        assert!(help.contains("Exit codes:") || help.contains("Examples:"), "{help}");
        has_full_lines(&help);
    }
}

#[test]
fn the_short_help_of_each_command_shows_at_most_ten_options() {
    for command in LARGE {
        let short: Vec<&str> = command.split(' ').chain(["-h"]).collect();
        let long: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let options = |arguments: &[&str]| {
            let help = String::from_utf8(succeeds(arguments, b"")).unwrap();
            let is_option = |line: &&str| line.starts_with("  -") || line.starts_with("      --");
            help.lines().filter(is_option).count()
        };
        // Those for help and the version are two more.
        let shown = options(&short) - 2;
        assert!((1..=10).contains(&shown), "{command}: {shown}");
        assert!(options(&long) - 2 > shown, "{command}");
    }
}

/// A paragraph is broken where the terminal ends, 100 columns here, and nowhere else.
#[track_caller]
fn has_full_lines(help: &str) {
    let notes = help.split_once("\n  -h, --help").map_or(help, |(_, notes)| notes);
    let lines: Vec<&str> = notes.lines().collect();
    for pair in lines.windows(2) {
        let (line, next) = (pair[0], pair[1]);
        let is_prose = !line.is_empty() && !line.starts_with(' ') && !next.starts_with(' ');
        let word = next.split(' ').next().unwrap_or_default();
        if is_prose && !word.is_empty() && !line.ends_with(['.', ':']) {
            assert!(line.len() + 1 + word.len() > 100, "{line:?} {next:?}");
        }
    }
}
