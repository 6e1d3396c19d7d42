//! Typed JSON of values, in the schema of the vectors.

use packord::Value;
use std::io::Write;

/// Returns the typed JSON of a value, without white space.
pub fn text(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    push(value, &mut out);
    out
}

fn push(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Nil => out.extend(b"null"),
        Value::Bool(flag) => out.extend(if *flag { &b"true"[..] } else { b"false" }),
        Value::Int(number) => put(out, format_args!(r#"{{"int":"{}"}}"#, number.as_i128())),
        Value::F32(number) => put(out, format_args!(r#"{{"f32":"{:08x}"}}"#, number.to_bits())),
        Value::F64(number) => put(out, format_args!(r#"{{"f64":"{:016x}"}}"#, number.to_bits())),
        Value::Str(text) => push_str(text, out),
        Value::Bin(bytes) => {
            out.extend(b"{\"bin\":\"");
            push_hex(bytes, out);
            out.extend(b"\"}");
        }
        Value::Ext(ext) => {
            put(out, format_args!("{{\"ext\":[{},\"", ext.kind()));
            push_hex(ext.payload(), out);
            out.extend(b"\"]}");
        }
        Value::Timestamp(time) => put(
            out,
            format_args!(r#"{{"timestamp":["{}",{}]}}"#, time.seconds(), time.nanoseconds()),
        ),
        Value::Array(elements) => {
            out.extend(b"{\"array\":[");
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                push(element, out);
            }
            out.extend(b"]}");
        }
        Value::Map(map) => {
            out.extend(b"{\"map\":[");
            for (index, (key, element)) in map.iter().enumerate() {
                out.extend(if index > 0 { &b",["[..] } else { b"[" });
                match (key.as_str(), key.as_other()) {
                    (Some(text), _) => push_str(text, out),
                    (None, other) => push(other.expect("a key that is not a str"), out),
                }
                out.push(b',');
                push(element, out);
                out.push(b']');
            }
            out.extend(b"]}");
        }
        other => unreachable!("a type that the schema does not have: {other}"),
    }
}

fn put(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a vector takes all bytes");
}

fn push_str(text: &str, out: &mut Vec<u8>) {
    out.extend(b"{\"str\":");
    serde_json::to_writer(&mut *out, text).expect("a string is valid JSON");
    out.push(b'}');
}

fn push_hex(bytes: &[u8], out: &mut Vec<u8>) {
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            out.push(b"0123456789abcdef"[usize::from(digit)]);
        }
    }
}
