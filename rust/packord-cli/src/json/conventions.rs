//! Values that JSON does not have, as objects with one entry whose key begins with `$`, and as keys
//! that begin with `$key:`. A str key that looks like one of these gets another `$` in front.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use packord::{Ext, Timestamp, Value};

/// A bin, in base64.
pub const BIN: &str = "$bin";
/// An ext: an array of its type and its payload in base64.
pub const EXT: &str = "$ext";
/// A timestamp: RFC 3339 in UTC, or an array of seconds and nanoseconds.
pub const TIMESTAMP: &str = "$timestamp";
/// A float that JSON does not have (NaN, infinities), in diagnostic notation.
pub const FLOAT: &str = "$float";
/// The prefix of a key that is not a str, which follows in diagnostic notation.
pub const KEY: &str = "$key:";
/// The ext type of integers beyond 64 bits.
pub const BIGINT: i8 = 0x42;

/// Encodes bytes in base64.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Returns the JSON key for a str key.
#[must_use]
pub fn escape(key: &str) -> Cow<'_, str> {
    if is_taken(key) {
        format!("${key}").into()
    } else {
        key.into()
    }
}

/// Returns whether the key, after one or more `$`, is one of the conventions.
fn is_taken(key: &str) -> bool {
    let Some(word) = key.strip_prefix('$').map(|rest| rest.trim_start_matches('$')) else {
        return false;
    };
    [BIN, EXT, TIMESTAMP, FLOAT].iter().any(|taken| &taken[1..] == word) || word.starts_with(&KEY[1..])
}

/// Returns whether an object with this key only stands for another value.
#[must_use]
pub fn is_object(key: &str) -> bool {
    [BIN, EXT, TIMESTAMP, FLOAT].contains(&key)
}

/// Returns the key that a JSON key stands for.
///
/// # Errors
///
/// What is wrong with the notation after `$key:`.
pub fn read_key(key: &str) -> Result<Value, String> {
    if let Some(notation) = key.strip_prefix(KEY) {
        let bytes = packord::notation::parse(notation).map_err(|error| format!("{key:?}: {error}"))?;
        return packord::DecodeOptions::new()
            .decode(&bytes)
            .map_err(|error| format!("{key:?}: {error}"));
    }
    let text = if key.starts_with("$$") && is_taken(key) {
        &key[1..]
    } else {
        key
    };
    Ok(Value::Str(text.into()))
}

/// Returns the value that an object with this one entry stands for, or `None` if it is a plain
/// object.
///
/// # Errors
///
/// What is wrong with an object whose key is one of the conventions.
pub fn read_object(key: &str, value: &Value) -> Option<Result<Value, String>> {
    let meaning = match key {
        BIN => value.as_str().and_then(bytes).map(|bytes| Value::Bin(bytes.into())),
        EXT => ext(value),
        TIMESTAMP => timestamp(value).map(Value::Timestamp),
        FLOAT => value.as_str().and_then(float),
        _ => return None,
    };
    Some(meaning.ok_or_else(|| format!("{key} has a malformed value (--plain reads it as an object)")))
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

fn ext(value: &Value) -> Option<Value> {
    let [kind, payload] = value.as_array()? else {
        return None;
    };
    let kind = i8::try_from(kind.as_i64()?).ok()?;
    let value = Value::Ext(Ext::new(kind, &bytes(payload.as_str()?)?));
    // Not every payload is one of a timestamp.
    let packed = packord::to_vec(&value).ok()?;
    packord::validate(&packed).ok().map(|()| value)
}

fn timestamp(value: &Value) -> Option<Timestamp> {
    if let Some(text) = value.as_str() {
        return text.parse().ok();
    }
    let [seconds, nanoseconds] = value.as_array()? else {
        return None;
    };
    Timestamp::new(seconds.as_i64()?, u32::try_from(nanoseconds.as_u64()?).ok()?)
}

fn float(text: &str) -> Option<Value> {
    let bytes = packord::notation::parse(text).ok()?;
    packord::DecodeOptions::new()
        .decode(&bytes)
        .ok()
        .filter(|value| matches!(value, Value::F64(_) | Value::F32(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_keys_come_back_and_other_keys_are_unchanged() {
        for key in [
            "$bin",
            "$$bin",
            "$$$ext",
            "$key:",
            "$key:5",
            "$$key:x",
            "$timestamp",
            "$float",
        ] {
            let escaped = escape(key);
            assert_eq!(escaped, format!("${key}"));
            assert_eq!(read_key(&escaped), Ok(Value::Str(key.into())));
        }
        for key in ["", "$", "$$", "$ref", "$schema", "bin", "$binary", "$$keys", "key:5"] {
            assert_eq!(escape(key), key);
            assert_eq!(read_key(key), Ok(Value::Str(key.into())));
        }
    }

    #[test]
    fn refuses_a_convention_with_a_malformed_value() {
        for (key, value) in [
            (BIN, Value::from("?")),
            (BIN, Value::from(5)),
            (EXT, Value::from("AA==")),
            (EXT, Value::from([Value::from(300), Value::from("AA==")])),
            (EXT, Value::from([Value::from(-1), Value::from("AA==")])),
            (TIMESTAMP, Value::from("yesterday")),
            (TIMESTAMP, Value::from([0_i64, 1_000_000_000])),
            (FLOAT, Value::from("5")),
        ] {
            assert!(read_object(key, &value).unwrap().is_err(), "{key}: {value}");
        }
        assert!(read_object("$ref", &Value::from("x")).is_none());
    }
}
