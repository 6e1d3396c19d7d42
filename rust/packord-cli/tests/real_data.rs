//! Answers that hold on documents of the size and shape that users have.

mod tool;

use packord::Value;
use tool::succeeds;

fn map(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Map(
        entries
            .into_iter()
            .map(|(key, value)| (Value::from(key), value))
            .collect(),
    )
}

/// 250 maps of 250 maps of two keys: 125,000 paths, and no map with too many keys.
fn many_paths() -> Value {
    let leaf = |name: usize| {
        map([
            (format!("p{name}"), Value::from(1)),
            (format!("q{name}"), Value::from(2)),
        ])
    };
    let inner = || map((0..250).map(|name| (format!("k{name}"), leaf(name))));
    map((0..250).map(|name| (format!("m{name}"), inner())))
}

#[test]
fn stats_names_the_top_level_however_many_paths_there_are() {
    let large = Value::from("x".repeat(3 << 20));
    let document = map([
        ("a".to_owned(), many_paths()),
        ("b".to_owned(), large),
        ("c".to_owned(), map([("d".to_owned(), Value::from(1))])),
    ]);
    let packed = packord::to_vec(&document).unwrap();
    let shown = String::from_utf8(succeeds(
        &["stats", "--quick", "--top", "10000000"],
        &packed,
    ))
    .unwrap();
    for path in ["$.a", "$.b", "$.c", "$.c.d"] {
        assert!(
            shown.contains(&format!("  {path}  ")),
            "{path} is missing: {}",
            &shown[..2000]
        );
    }
    assert!(!shown.contains("  $.*  "), "the root was merged");
    assert!(
        shown.contains("There are more than 100000 paths. The keys of deep maps with many keys are shown as .*: $.a"),
        "{}",
        &shown[shown.len() - 2000..]
    );
}
