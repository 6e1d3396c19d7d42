//! The index of a document agrees with the other decoders, and finds every value.

use crate::small_stacks::on_stack;
use crate::support;
use packord::document::Node;
use packord::{DecodeOptions, Document, Utf8, Value};
use proptest::prelude::*;

/// Checks that every method of a node agrees with the value.
fn same(node: Node<'_, '_>, value: &Value) {
    assert_eq!(node.type_name(), value.type_name());
    assert_eq!(node.is_nil(), value.is_nil());
    assert_eq!(node.as_bool(), value.as_bool());
    assert_eq!(node.as_int(), value.as_int());
    assert_eq!(node.as_f64().map(f64::to_bits), value.as_f64().map(f64::to_bits));
    assert_eq!(node.as_str(), value.as_str());
    assert_eq!(node.as_bin(), value.as_bin());
    assert_eq!(node.as_timestamp(), value.as_timestamp());
    assert_eq!(node.elements().len(), value.elements().count());
    assert_eq!(node.entries().len(), value.entries().count());
    for (index, (element, wanted)) in node.elements().zip(value.elements()).enumerate() {
        assert_eq!(element.offset(), node.at(index).unwrap().offset());
        same(element, wanted);
    }
    for ((key, entry), (wanted_key, wanted)) in node.entries().zip(value.entries()) {
        assert_eq!(key.as_str(), wanted_key.as_str());
        if let Some(text) = key.as_str() {
            assert_eq!(
                node.get(text).unwrap().to_string(),
                value.get(text).unwrap().to_string()
            );
        }
        same(entry, wanted);
    }
    assert!(node.at(node.elements().len()).is_none());
    assert!(node.get("no such key").is_none() || value.get("no such key").is_some());
}

fn agree(bytes: &[u8], options: &DecodeOptions, name: &str) {
    match (options.document(bytes), options.decode_ref(bytes)) {
        (Ok(document), Ok(borrowed)) => {
            let value = options.decode(bytes).unwrap();
            assert_eq!(document.to_value(), value, "{name}");
            assert_eq!(document.root().to_ref(), borrowed, "{name}");
            assert_eq!(document.root().bytes(), document.bytes());
            if document.node_count() < 200 {
                same(document.root(), &value);
            }
        }
        (Err(error), Err(wanted)) => assert_eq!(error, wanted, "{name}"),
        (Err(error), Ok(_)) => panic!("{name}: the document alone refuses: {error}"),
        (Ok(_), Err(error)) => panic!("{name}: the document alone accepts: {error}"),
    }
}

#[test]
fn documents_equal_values_on_every_vector() {
    let mut run = 0;
    for (bytes, options, name) in support::messages(16 << 20) {
        agree(&bytes, &options, &name);
        run += 1;
        if bytes.len() < 300 {
            for end in 0..bytes.len() {
                agree(&bytes[..end], &options, &name);
            }
        }
    }
    assert!(run > 1000, "only {run} cases");
}

#[test]
fn documents_equal_values_on_every_short_input() {
    for records in [false, true] {
        let options = DecodeOptions::new().records(records);
        for first in 0..=255 {
            agree(&[first], &options, "one byte");
            for second in 0..=255 {
                agree(&[first, second], &options, "two bytes");
                agree(
                    &[first, second, 0xa1, second, first, 0x91, first, 0xc0],
                    &options,
                    "eight bytes",
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn documents_equal_values_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..60), records: bool, canonical: bool) {
        agree(&bytes, &DecodeOptions::new().records(records).canonical(canonical), "arbitrary");
        agree(&bytes, &DecodeOptions::new().utf8(Utf8::Raw).bigint(true).max_nodes(20).max_depth(4), "arbitrary");
    }
}

#[test]
fn paths_find_the_values_that_errors_name() {
    let bytes = packord::notation::parse(
        r#"{"users": [{"name": "Ann", "tags": []}, {"name": "Bob", "a b": {5: [nil, true]}, "x]y": 1}], "": 7, 5: 8}"#,
    )
    .unwrap();
    let document = Document::parse(&bytes).unwrap();
    let shown = |path: &str| document.path(path).map(|node| node.to_string());
    assert_eq!(shown("users[0].name").unwrap(), "\"Ann\"");
    assert_eq!(shown("$.users[1].name").unwrap(), "\"Bob\"");
    assert_eq!(shown(r#"users[1]["a b"][key 5][1]"#).unwrap(), "true");
    assert_eq!(shown(r#"users[1]["x]y"]"#).unwrap(), "1");
    assert_eq!(shown("users[0].tags").unwrap(), "[]");
    assert_eq!(shown(r#"[""]"#).unwrap(), "7");
    assert_eq!(shown("$[key 5]").unwrap(), "8");
    assert_eq!(shown("$").unwrap(), document.root().to_string());
    assert_eq!(shown("").unwrap(), document.root().to_string());
    for wrong in [
        "users[2]",
        "users.name",
        "users[0",
        "users[x]",
        "$users",
        "users[0]name",
        ".",
        "users[-1]",
        "users[[0]]",
    ] {
        assert_eq!(shown(wrong), None, "{wrong}");
    }
    // The path of an error is found.
    let error = packord::Error::at(packord::ErrorKind::OutOfRange, 0);
    let offset = document.path("users[1].name").unwrap().offset() as u64;
    let path = packord::path_at(&bytes, offset, &DecodeOptions::new());
    assert_eq!(document.path(&path).unwrap().as_str(), Some("Bob"), "{error}");
}

#[test]
fn texts_and_bytes_are_those_of_the_input() {
    let bytes = packord::notation::parse(r#"["text", h'0102', ext(5, h'03'), {"a": 1, "a": 2}]"#).unwrap();
    let (text, bin, ext);
    {
        let document = Document::parse(&bytes).unwrap();
        text = document.path("[0]").unwrap().as_str().unwrap();
        bin = document.path("[1]").unwrap().as_bin().unwrap();
        ext = document.path("[2]").unwrap().as_ext().unwrap();
        assert_eq!(
            document.path("[3].a").unwrap().as_u64(),
            Some(2),
            "the last entry counts"
        );
        assert_eq!(document.path("[3]").unwrap().bytes(), b"\x82\xa1a\x01\xa1a\x02");
    }
    assert_eq!((text, bin, ext), ("text", &[1, 2][..], (5, &[3][..])));
    assert!(bytes.as_ptr_range().contains(&text.as_ptr()));
}

#[test]
fn any_depth_takes_no_stack() {
    let run = || {
        let depth = 500_000;
        let bytes = [vec![0x91; depth], vec![0xc0]].concat();
        let document = DecodeOptions::new().max_depth(u32::MAX).document(&bytes).unwrap();
        assert_eq!(document.node_count(), depth + 1);
        drop(document.to_value());
        assert_eq!(document.root().bytes().len(), depth + 1);
    };
    on_stack(128, run);
}
