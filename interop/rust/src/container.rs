//! Container files: the verbs `file` and `rows`.

use crate::support::{expand_hex, value};
use crate::{place, place_of, typed};
use packord::container::{Codec, OnBadBlock, Predicate, ReadOptions, Reader, WriteOptions, Writer};
use packord::{MessageScanner, Value};
use serde_json::{Value as Json, json};
use std::io::Cursor;

/// Returns a container file of the messages of a stream.
pub fn file(stream: &[u8], options: &Json) -> packord::Result<Vec<u8>> {
    let mut writer = Writer::new(Vec::new(), &write_options(options))?;
    let mut messages = MessageScanner::new();
    messages.feed(stream);
    while let Some(message) = messages.next_message()? {
        writer.write_packed(message.bytes)?;
    }
    messages.finish()?;
    writer.finish()
}

fn write_options(json: &Json) -> WriteOptions {
    let mut options = WriteOptions::new();
    for (name, option) in json.as_object().into_iter().flatten() {
        let flag = option.as_bool().unwrap_or_default();
        options = match name.as_str() {
            "sync" => options.sync(expand_hex(option)[..].try_into().expect("16 bytes")),
            "codec" => options.codec(codec(option)),
            "block_rows" => options.block_rows(option.as_u64().expect("a number")),
            "columns" => options.columns(flag),
            "messages" => options.messages(flag),
            "stats" => options.stats(strs(option)),
            other => panic!("{other}"),
        };
    }
    options
}

fn strs(json: &Json) -> impl Iterator<Item = &str> {
    json.as_array().into_iter().flatten().filter_map(Json::as_str)
}

fn codec(name: &Json) -> Codec {
    let mut codecs = Codec::ALL.iter().copied();
    codecs.find(|codec| name == codec.name()).expect("a codec")
}

/// Reads a file, with its index if `index` says so. Returns the values, how the reading ended and what was passed over.
pub fn rows(file: &[u8], options: &Json) -> Vec<u8> {
    let mut read = ReadOptions::new();
    if options["on_bad_block"] == "skip" {
        read = read.on_bad_block(OnBadBlock::Skip);
    }
    if options["select"].is_array() {
        read = read.select(strs(&options["select"]));
    }
    if let Some(conditions) = options["where"].as_array() {
        read = read.filter(conditions.iter().fold(Predicate::new(), and));
    }
    let mut values: Vec<Vec<u8>> = Vec::new();
    let mut ranges = Vec::new();
    let end = if options["index"] == true {
        Reader::seekable(Cursor::new(file), &read).and_then(|reader| all(reader, &mut values, &mut ranges))
    } else {
        Reader::with_options(file, &read).and_then(|reader| all(reader, &mut values, &mut ranges))
    };
    let end = end.map_or_else(place, |()| "clean".to_owned());
    let mut out = b"{\"values\":[".to_vec();
    out.extend(values.join(&b','));
    out.extend(format!("],\"end\":{},\"ranges\":{}}}", json!(end), json!(ranges)).into_bytes());
    out
}

fn all<R: std::io::Read>(
    mut reader: Reader<R>,
    values: &mut Vec<Vec<u8>>,
    ranges: &mut Vec<Json>,
) -> packord::Result<()> {
    let end = reader
        .values()
        .try_for_each(|value| value.map(|value| values.push(typed::text(&value))));
    for passed in reader.passed() {
        let error = place_of(&passed.error);
        ranges.push(json!([passed.range.start, passed.range.end, error]));
    }
    end
}

fn and(predicate: Predicate, condition: &Json) -> Predicate {
    let part = |index: usize| condition[index].as_str().unwrap_or_default();
    let constant = condition.get(2).map_or(Value::Nil, value);
    predicate.and_op(part(0), part(1), constant).expect("a condition")
}
