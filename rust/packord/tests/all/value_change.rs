//! Values that programs build, change, compare and find parts of.

use packord::{DecodeOptions, EncodeOptions, Map, Value, ValueRef, value};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

#[test]
fn the_macro_makes_what_notation_shows() {
    let (id, key, list) = (7_u8, "size", vec![1, 2]);
    let made = value!({
        "id": id, "n": nil, "t": [true, [], {}, {"x": nil}, -5, [1, 2].len() as u64, id + 1],
        key: list, (id + 1): 0.5_f32, -1: "x", [1]: h(),
    });
    let shown = r#"{"id": 7, "n": nil, "t": [true, [], {}, {"x": nil}, -5, 2, 8], "size": [1, 2], 8: 0.5_f32, -1: "x", [1]: h'00'}"#;
    assert_eq!(made, shown.parse::<Value>().unwrap());
    assert_eq!(value!([]), Value::from(Vec::<Value>::new()));
    assert_eq!(value!({}).as_map().unwrap().len(), 0);
    assert_eq!(value!(id), 7);
    assert_eq!(value!([1,]), value!([1]));
    assert_eq!(value!({"a": 1,}), value!({"a": 1}));
}

fn h() -> Vec<u8> {
    vec![0]
}

#[test]
fn maps_and_arrays_change() {
    let mut value = Value::Nil;
    value.insert("b", 1).unwrap();
    value.insert("a", vec![1_i64]).unwrap();
    assert_eq!(value.insert("b", 2).unwrap(), Some(value!(1)));
    value.get_mut("a").unwrap().push("two").unwrap();
    assert_eq!(value.to_string(), r#"{"b": 2, "a": [1, "two"]}"#);
    let error = value.get_mut("b").unwrap().insert("x", 1).unwrap_err();
    assert_eq!(error.to_string(), "value of type int does not fit map");
    assert_eq!(
        value.push(1).unwrap_err().to_string(),
        "value of type map does not fit array"
    );
    assert_eq!(value.remove("b"), Some(value!(2)));
    assert_eq!((value.remove("b"), value.remove_at(0)), (None, None));
    let list = value.get_mut("a").unwrap();
    assert_eq!((list.remove_at(2), list.remove_at(0)), (None, Some(value!(1))));
    assert_eq!(value, value!({"a": ["two"]}));
    // Of a key that occurs twice, the last entry counts.
    let mut twice = packord::from_slice::<packord::Value>(b"\x82\xa1a\x01\xa1a\x02").unwrap();
    twice.insert("a", 3).unwrap();
    assert_eq!(twice.to_string(), r#"{"a": 1, "a": 3}"#);
    assert_eq!(twice.remove("a"), Some(value!(3)));
    assert_eq!(twice.to_string(), r#"{"a": 1}"#);
    let mut map = Map::default();
    map.extend([(value!(5), value!(1)), (value!("x"), value!(2))]);
    *map.get_key_mut(&value!(5)).unwrap() = value!(9);
    assert_eq!(map.remove_key(&value!(5)), Some(value!(9)));
    assert_eq!(map.into_iter().collect::<Vec<_>>(), [(value!("x"), value!(2))]);
    let mut array = value!([1, 2]);
    if let Value::Array(elements) = &mut array {
        for element in elements {
            *element = value!([element.take()]);
        }
    }
    assert_eq!(array, value!([[1], [2]]));
}

#[test]
fn records_change() {
    let rows = value!([{"a": 1, "b": 2}, {"a": 3, "b": 4}]);
    let records = EncodeOptions::new().records(true).encode(&rows).unwrap();
    let mut read = DecodeOptions::new().records(true).decode(&records).unwrap();
    let [first, second] = read.as_array_mut().unwrap() else {
        panic!("two rows");
    };
    first.insert("a", 9).unwrap();
    first.insert("c", 0).unwrap();
    assert_eq!(second.remove("a"), Some(value!(3)));
    assert_eq!(read, value!([{"a": 9, "b": 2, "c": 0}, {"b": 4}]));
    // What was removed is written no more, and what was added is.
    let again = EncodeOptions::new().records(true).encode(&read).unwrap();
    assert_eq!(DecodeOptions::new().records(true).decode(&again).unwrap(), read);
}

#[test]
fn collections_become_values() {
    let tree = BTreeMap::from([("b", vec![1_u8]), ("a", vec![])]);
    assert_eq!(Value::from(tree).to_string(), r#"{"a": h'', "b": h'01'}"#);
    let hash = HashMap::from([(5, "five".to_owned())]);
    assert_eq!(Value::from(hash), value!({5: "five"}));
    assert_eq!(Value::from(vec!["a".to_owned()]), value!(["a"]));
    assert_eq!(Value::from(u128::MAX).as_i128(), None);
    assert_eq!(Value::from(7_u128), value!(7));
    assert_eq!(
        packord::from_slice::<packord::Value>(&packord::to_vec(&Value::from(u128::MAX)).unwrap()).unwrap(),
        Value::from(u128::MAX)
    );
    assert_eq!(Map::try_from(value!({"a": 1})).unwrap().len(), 1);
    assert!(Map::try_from(value!([1])).is_err());
}

#[test]
fn types_are_asked_for() {
    let value = value!([nil, true, 1, 0.5, "s", h(), [], {}]);
    let is: [fn(&Value) -> bool; 8] = [
        Value::is_nil,
        Value::is_bool,
        Value::is_int,
        Value::is_float,
        Value::is_str,
        Value::is_bin,
        Value::is_array,
        Value::is_map,
    ];
    for (row, element) in value.elements().enumerate() {
        for (column, is) in is.iter().enumerate() {
            assert_eq!(is(element), row == column, "{element}");
        }
        assert_eq!(element.is_number(), row == 2 || row == 3);
        assert!(!element.is_ext() && !element.is_timestamp());
    }
}

#[test]
fn parts_are_found_by_path_and_pointer() {
    let bytes = packord::to_vec(&value!({"a": [1, {"b.c": 2}], "": 3, 5: {"~/": 4}, "5": 5})).unwrap();
    let owned = packord::from_slice::<packord::Value>(&bytes).unwrap();
    let borrowed: ValueRef<'_> = DecodeOptions::new().decode_ref(&bytes).unwrap();
    let document = packord::Document::parse(&bytes).unwrap();
    for path in [
        "$",
        "",
        "a[1]",
        r#"a[1]["b.c"]"#,
        "[key 5]",
        r#"$[key 5]["~/"]"#,
        "a[2]",
        "a.0",
        "a..b",
        "x",
        "a[",
        "a[]",
        "[key",
        "$x",
        "a[1]b",
    ] {
        let found = owned.path(path);
        assert_eq!(borrowed.path(path).map(ValueRef::to_owned).as_ref(), found, "{path}");
        let node = document.path(path).map(packord::document::Node::to_value);
        assert_eq!(node.as_ref(), found, "{path}");
        assert_eq!(owned.clone().path_mut(path).map(Value::take).as_ref(), found, "{path}");
    }
    assert_eq!(owned.path(r#"a[1]["b.c"]"#), Some(&value!(2)));
    for (pointer, expected) in [
        ("", Some(owned.clone())),
        ("/", Some(value!(3))),
        ("/a/0", Some(value!(1))),
        ("/a/1/b.c", Some(value!(2))),
        ("/5", Some(value!(5))),
        ("/a/01", None),
        ("/a/-", None),
        ("/a/+1", None),
        ("/a/0/0", None),
        ("a", None),
        ("/a/2", None),
    ] {
        assert_eq!(owned.pointer(pointer).cloned(), expected, "{pointer}");
        assert_eq!(
            owned.clone().pointer_mut(pointer).map(Value::take),
            expected,
            "{pointer}"
        );
    }
    let escaped = value!({"~1/": {"m~n": 8}});
    assert_eq!(escaped.pointer("/~01~1/m~0n"), Some(&value!(8)));
}

#[test]
fn values_are_read_from_notation() {
    for (text, shown) in [
        ("", "line 1, column 1: expected a value"),
        ("[1", "line 1, column 3: expected a comma or the closing bracket"),
        ("1 // one\n 2", "line 2, column 2: expected one value"),
        ("ext(-1, h'00')", "line 1, column 1: timestamp is malformed"),
    ] {
        assert_eq!(text.parse::<Value>().unwrap_err().to_string(), shown, "{text}");
    }
    let deep = "[".repeat(5000) + &"]".repeat(5000);
    assert_eq!(deep.parse::<Value>().unwrap().to_string(), deep);
}

#[test]
fn debug_is_indented_on_request() {
    let value = value!({"a": [1, [], {}, {"b": nil}], 2: h()});
    let indented = "{\n  \"a\": [\n    1,\n    [],\n    {},\n    {\n      \"b\": nil\n    }\n  ],\n  2: h'00'\n}";
    assert_eq!(format!("{value:#?}"), indented);
    assert_eq!(format!("{value:#}").parse::<Value>().unwrap(), value);
    assert_eq!(format!("{value:?}"), r#"{"a": [1, [], {}, {"b": nil}], 2: h'00'}"#);
}

#[test]
fn order_is_that_of_the_documentation() {
    let mut sorted: Vec<Value> = [
        "nil",
        "false",
        "true",
        "-300",
        "-1",
        "0",
        "18446744073709551615",
        "-inf",
        "-0.0",
        "0.0",
        "0.5",
        "300.0",
        r#""""#,
        r#""a""#,
        r#""aa""#,
        r#""b""#,
        "h''",
        "h'00ff'",
        "h'01'",
        "[]",
        "[1]",
        "[1, 2]",
        "[2]",
        "[[]]",
        "{}",
        "{1: 0}",
        r#"{"a": 1, "b": 0}"#,
        r#"{"a": 2}"#,
        r#"{"b": 1}"#,
        "ext(-5, h'01')",
        "ext(5, h'')",
        "ext(5, h'00')",
        "timestamp(-1, 0)",
        "timestamp(0, 5)",
    ]
    .map(|text| text.parse().unwrap())
    .into();
    let expected = sorted.clone();
    sorted.reverse();
    sorted.sort();
    assert_eq!(sorted, expected);
    assert_eq!(value!({"a": 1, "b": 2}).cmp(&value!({"b": 2, "a": 1})), Ordering::Equal);
    assert_eq!(value!(0.5_f32).cmp(&value!(0.5_f64)), Ordering::Equal);
    let deep = |inner: Value| (0..100_000).fold(inner, |value, _| Value::from(vec![value]));
    assert_eq!(deep(value!(1)).cmp(&deep(value!(2))), Ordering::Less);
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::from),
        (-3_i64..3).prop_map(Value::from),
        prop_oneof![Just(0.0), Just(-0.0), Just(1.5), Just(f64::NAN)].prop_map(Value::from),
        Just(value!(1.5_f32)),
        "[ab]{0,2}".prop_map(Value::from),
        prop::collection::vec(0..2_u8, 0..2).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((inner.clone(), inner), 0..3).prop_map(Value::from),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn order_is_total_and_agrees_with_equality(a in any_value(), b in any_value(), c in any_value()) {
        prop_assert_eq!(a.cmp(&b) == Ordering::Equal, a == b);
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        if a <= b && b <= c {
            prop_assert!(a <= c);
        }
        prop_assert_eq!(a.to_ref().cmp(&b.to_ref()), a.cmp(&b));
    }
}

#[test]
fn indices_change_values() {
    let mut value = Value::Nil;
    value["a"]["b"] = value!([1, 2]);
    value["a"]["b"][1] = 3.into();
    value["a"]["c"] = true.into();
    assert_eq!(value, value!({"a": {"b": [1, 3], "c": true}}));
    let mut twice = packord::from_slice::<Value>(b"\x82\xa1a\x01\xa1a\x02").unwrap();
    twice["a"] = 5.into();
    assert_eq!(twice.to_string(), r#"{"a": 1, "a": 5}"#);
    let options = packord::DecodeOptions::new().records(true);
    let mut record = options.decode(b"\xd4\x72\x40\x91\xa1a\x01").unwrap();
    record["a"] = 2.into();
    record["b"] = 3.into();
    assert_eq!(record, value!({"a": 2, "b": 3}));
    for wrong in [value!(1), value!("text"), value!({"a": 1})] {
        let changed = std::panic::catch_unwind(move || {
            let mut wrong = wrong;
            wrong[0] = 1.into();
        });
        assert!(changed.is_err());
    }
    let changed = std::panic::catch_unwind(|| value!([1])["a"] = 1.into());
    assert!(changed.is_err());
}
