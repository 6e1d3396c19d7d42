//! Conversions from and to `serde_json::Value` (feature `json`).

use crate::error::{Error, ErrorKind, Result};
use crate::options::DEFAULT_MAX_DEPTH;
use crate::read::check_depth;
use crate::value::{Sign, Tree, Value};
use crate::walk::push_key;
use ::serde_json::{Map as JsonMap, Number, Value as Json};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Integers stay integers; other numbers become float 64.
///
/// ```
/// use packord::Value;
/// let value = Value::from(serde_json::json!({"a": [1, 1.5, null]}));
/// assert_eq!(value.to_string(), r#"{"a": [1, 1.5, nil]}"#);
/// ```
impl From<Json> for Value {
    fn from(json: Json) -> Value {
        match json {
            Json::Null => Tree::Nil,
            Json::Bool(value) => Tree::Bool(value),
            Json::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => value.into(),
                (None, Some(value)) => value.into(),
                // With serde_json's arbitrary precision a number may not be a float: it becomes a str.
                (None, None) => number.as_f64().map_or_else(|| number.to_string().into(), Value::from),
            },
            Json::String(text) => text.into(),
            Json::Array(elements) => elements.into_iter().map(Value::from).collect(),
            Json::Object(entries) => {
                let entries = entries
                    .into_iter()
                    .map(|(key, value)| (Value::from(key), Value::from(value)));
                entries.collect::<Vec<_>>().into()
            }
        }
    }
}

/// Timestamps become strings of RFC 3339; of a key that occurs twice the last entry counts.
///
/// ```
/// use packord::Value;
/// let value: packord::Value = packord::from_slice(b"\x81\xa1a\x92\x01\xc0")?;
/// assert_eq!(serde_json::Value::try_from(value)?, serde_json::json!({"a": [1, null]}));
///
/// let error = serde_json::Value::try_from(packord::from_slice::<packord::Value>(b"\x81\xa1a\xc4\x01\xff")?).unwrap_err();
/// assert_eq!((error.kind().name(), error.path()), ("unsupported_type", Some("$.a")));
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// `unsupported_type` for a value that JSON does not have: bin, ext, NaN, an infinity, a key that is
/// not a str, a timestamp outside the years 0 to 9999; `depth_limit` beyond a depth of 1024.
impl TryFrom<Value> for Json {
    type Error = Error;

    fn try_from(value: Value) -> Result<Json> {
        to_json(&value, 0).map_err(|(kind, steps)| {
            let mut path = String::from("$");
            steps.iter().rev().for_each(|step| path.push_str(step));
            Error::new(kind).with_path(path)
        })
    }
}

/// A fault, and the steps to it from the inside out.
type JsonFault = (ErrorKind, Vec<String>);

fn to_json(value: &Value, depth: u64) -> core::result::Result<Json, JsonFault> {
    let unsupported = || (ErrorKind::UnsupportedType, Vec::new());
    let deeper = || check_depth(depth + 1, DEFAULT_MAX_DEPTH).map_err(|kind| (kind, Vec::new()));
    match value {
        Tree::Nil => Ok(Json::Null),
        Tree::Bool(value) => Ok(Json::Bool(*value)),
        Tree::Int(value) => Ok(Json::Number(match value.sign() {
            Sign::Negative(value) => value.into(),
            Sign::Positive(value) => value.into(),
        })),
        Tree::F32(value) => Number::from_f64(f64::from(*value))
            .map(Json::Number)
            .ok_or_else(unsupported),
        Tree::F64(value) => Number::from_f64(*value).map(Json::Number).ok_or_else(unsupported),
        Tree::Str(text) => Ok(Json::String(text.to_string())),
        Tree::Timestamp(at) if at.has_rfc3339() => Ok(Json::String(at.to_string())),
        Tree::Bin(_) | Tree::Ext(_) | Tree::Timestamp(_) => Err(unsupported()),
        Tree::Array(elements) => {
            deeper()?;
            let elements = elements.iter().enumerate().map(|(index, element)| {
                to_json(element, depth + 1).map_err(|fault| within(fault, format!("[{index}]")))
            });
            elements.collect::<core::result::Result<_, _>>().map(Json::Array)
        }
        Tree::Map(map) => {
            deeper()?;
            let mut entries = JsonMap::new();
            for (key, value) in map {
                let name = key.as_str().ok_or_else(unsupported)?;
                let value = to_json(value, depth + 1).map_err(|fault| {
                    let mut step = String::new();
                    push_key(&mut step, name);
                    within(fault, step)
                });
                entries.insert(name.into(), value?);
            }
            Ok(Json::Object(entries))
        }
    }
}

#[cold]
fn within((kind, mut steps): JsonFault, step: String) -> JsonFault {
    steps.push(step);
    (kind, steps)
}
