//! Converts the text of a JSON value to MessagePack, without building the value.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use packord::encode::Packer;
use packord::wire::marker;

use super::conventions;
pub use super::scalar::JsonFaultKind;
use super::scalar::JsonFaultKind::{Cut, Malformed, Refused};
use super::scalar::{Parsed, byte_at, literal, number, pack, skip_blanks, string};
use crate::values::path::push_key;

/// How JSON is read.
#[derive(Clone, Copy, Debug)]
pub struct JsonReadOptions {
    /// Each element of a top-level array is a separate value.
    pub each: bool,
    /// Objects of the conventions become the values that they stand for.
    pub conventions: bool,
    /// Integers beyond 64 bits become ext type 0x42.
    pub bigint: bool,
}

/// Up to this number of keys, each is compared with each.
const FEW_KEYS: usize = 16;

/// Why a value was not converted.
#[derive(Debug, PartialEq, Eq)]
pub struct JsonFault {
    /// The place in the text.
    pub at: usize,
    /// Where the value begins.
    pub start: usize,
    /// The path within the value.
    pub path: String,
    /// What is wrong.
    pub kind: JsonFaultKind,
}

impl JsonFault {
    /// Creates a fault between values.
    #[must_use]
    pub fn new(at: usize, kind: JsonFaultKind) -> JsonFault {
        JsonFault {
            at,
            start: at,
            path: String::new(),
            kind,
        }
    }
}

/// Converts one value after another, and reuses its buffers.
#[derive(Default)]
pub struct JsonParser {
    conventions: bool,
    bigint: bool,
    max_depth: usize,
    open: Vec<OpenJson>,
    /// Where the keys of the open objects are in the output.
    keys: Vec<Range<usize>>,
    /// A string without its escapes.
    text: String,
}

/// A container that is not complete.
struct OpenJson {
    /// Where its header is in the output.
    start: usize,
    /// The number of elements; for an object, of keys before its own.
    count: usize,
    is_object: bool,
    /// Whether the first key is one of the conventions.
    is_convention: bool,
}

impl JsonParser {
    /// Creates a parser.
    #[must_use]
    pub fn new(style: JsonReadOptions) -> JsonParser {
        JsonParser {
            conventions: style.conventions,
            bigint: style.bigint,
            max_depth: packord::DEFAULT_MAX_DEPTH as usize + usize::from(style.each),
            ..JsonParser::default()
        }
    }

    /// Converts the value that begins at a place, adds its bytes to `out`, and returns where it ends. With
    /// `is_whole`, no more text follows.
    ///
    /// # Errors
    ///
    /// What is wrong with it. `out` has a part of its bytes then.
    pub fn value(&mut self, text: &[u8], at: usize, is_whole: bool, out: &mut Vec<u8>) -> Result<usize, JsonFault> {
        self.open.clear();
        self.keys.clear();
        let mut done = self.convert(text, at, out);
        // A number may go on, also one that is refused so far.
        if let Ok(end) | Err((end, Refused(_))) = done {
            let may_go_on = end == text.len() && text.last().is_some_and(u8::is_ascii_alphanumeric);
            if may_go_on && !is_whole {
                done = Err((end, Cut));
            }
        }
        done.map_err(|(at_fault, kind)| JsonFault {
            at: at_fault,
            start: at,
            path: self.path(out),
            kind,
        })
    }

    fn convert(&mut self, text: &[u8], mut at: usize, out: &mut Vec<u8>) -> Parsed {
        loop {
            match byte_at(text, at)? {
                b'"' => at = string(text, at, &mut self.text, out)?,
                byte @ (b'{' | b'[') => {
                    if self.open.len() == self.max_depth {
                        return Err((at, Malformed("nesting exceeds 1024 levels")));
                    }
                    let is_object = byte == b'{';
                    self.open.push(OpenJson {
                        start: out.len(),
                        count: if is_object { self.keys.len() } else { 0 },
                        is_object,
                        is_convention: false,
                    });
                    // The shortest header. The count is not known yet.
                    out.push(0);
                    at = skip_blanks(text, at + 1);
                    if byte_at(text, at)? == byte + 2 {
                        at = self.close(at, out)?;
                    } else {
                        if is_object {
                            at = self.key(text, at, out)?;
                        }
                        continue;
                    }
                }
                b'-' | b'0'..=b'9' => at = number(text, at, self.bigint, out)?,
                _ => at = literal(text, at, out)?,
            }
            // What follows a value.
            loop {
                let Some(open) = self.open.last_mut() else {
                    return Ok(at);
                };
                if !open.is_object {
                    open.count += 1;
                }
                let is_object = open.is_object;
                at = skip_blanks(text, at);
                match (byte_at(text, at)?, is_object) {
                    (b',', _) => {
                        at = skip_blanks(text, at + 1);
                        if matches!(byte_at(text, at)?, b']' | b'}') {
                            return Err((at, Malformed("comma before a closing bracket")));
                        }
                        if is_object {
                            at = self.key(text, at, out)?;
                        }
                        break;
                    }
                    (b'}', true) | (b']', false) => at = self.close(at, out)?,
                    (b']' | b'}', _) => return Err((at, Malformed("unexpected closing bracket"))),
                    _ => return Err((at, Malformed("missing comma"))),
                }
            }
        }
    }

    /// Converts a key and returns where its value begins.
    fn key(&mut self, text: &[u8], at: usize, out: &mut Vec<u8>) -> Parsed {
        if text[at] != b'"' {
            return Err((at, Malformed("expected a key")));
        }
        let start = out.len();
        let is_taken = self.conventions && text.get(at + 1).is_some_and(|byte| b"$\\".contains(byte));
        let mut at = string(text, at, &mut self.text, out)?;
        if is_taken {
            at = self.taken_key(at, start, out)?;
        }
        self.keys.push(start..out.len());
        at = skip_blanks(text, at);
        if byte_at(text, at)? != b':' {
            return Err((at, Malformed("missing colon")));
        }
        Ok(skip_blanks(text, at + 1))
    }

    /// Replaces a key that may be one of the conventions by what it stands for.
    fn taken_key(&mut self, at: usize, start: usize, out: &mut Vec<u8>) -> Parsed {
        let key = packord::DecodeOptions::new().decode(&out[start..]);
        let key = key.unwrap_or_default();
        let name = key.as_str().unwrap_or_default();
        if let Some(open) = self.open.last_mut() {
            let is_first = open.count == self.keys.len();
            open.is_convention = (is_first || open.is_convention) && conventions::is_object(name);
        }
        let key = conventions::read_key(name).map_err(|text| (at, Refused(text)))?;
        out.truncate(start);
        pack(&key, at, out)
    }

    /// Writes the header of the innermost container, whose closing bracket is at a place.
    fn close(&mut self, at: usize, out: &mut Vec<u8>) -> Parsed {
        let after = at + 1;
        let Some(open) = self.open.pop() else {
            return Ok(after);
        };
        let (start, mut count) = (open.start, open.count);
        if open.is_object {
            let first = open.count;
            count = self.keys.len() - first;
            if has_twice(out, &self.keys[first..]) {
                count = keep_last(out, &self.keys[first..]);
            }
            if open.is_convention && count == 1 {
                self.keys.truncate(first);
                return meaning(after, start, out);
            }
            self.keys.truncate(first);
        }
        if count < 16 {
            out[start] = if open.is_object {
                marker::FIXMAP
            } else {
                marker::FIXARRAY
            } | count as u8;
            return Ok(after);
        }
        let mut header = Packer::new(Vec::with_capacity(5));
        let written = if open.is_object {
            header.map(count)
        } else {
            header.array(count)
        };
        written.map_err(|error| (after, Refused(error.to_string())))?;
        out.splice(start..=start, header.into_buffer());
        Ok(after)
    }

    /// Returns the path of the value that is being read.
    fn path(&self, out: &[u8]) -> String {
        let mut path = String::new();
        let mut objects = self.open.iter().filter(|open| open.is_object).skip(1);
        for open in &self.open {
            if !open.is_object {
                path.push_str(&format!("[{}]", open.count));
                continue;
            }
            // The keys of the object end where those of the next one begin.
            let end = objects.next().map_or(self.keys.len(), |inner| inner.count);
            if let Some(key) = self.keys[open.count..end].last() {
                push_key(&mut path, &out[key.clone()]);
            }
        }
        path
    }
}

/// Replaces an object with one entry, whose key is one of the conventions, by the value that it stands for.
fn meaning(end: usize, start: usize, out: &mut Vec<u8>) -> Parsed {
    let refused = |text: String| (end, Refused(text));
    out[start] = marker::FIXMAP | 1;
    let object = packord::DecodeOptions::new().decode(&out[start..]);
    let object = object.map_err(|error| refused(error.to_string()))?;
    for (key, value) in object.entries() {
        let name = key.as_str().unwrap_or_default();
        if let Some(meaning) = conventions::read_object(name, value) {
            let meaning = meaning.map_err(refused)?;
            out.truncate(start);
            return pack(&meaning, end, out);
        }
    }
    Ok(end)
}

/// Returns whether a key of an object occurs twice.
fn has_twice(out: &[u8], keys: &[Range<usize>]) -> bool {
    let key = |place: &Range<usize>| &out[place.clone()];
    if keys.len() <= FEW_KEYS {
        return (1..keys.len()).any(|at| keys[..at].iter().any(|other| key(other) == key(&keys[at])));
    }
    let mut seen = HashSet::with_capacity(keys.len());
    !keys.iter().all(|place| seen.insert(key(place)))
}

/// Keeps the last value of each key, at the place of the first one. Returns the number of entries.
#[cold]
fn keep_last(out: &mut Vec<u8>, keys: &[Range<usize>]) -> usize {
    let ends = keys.iter().skip(1).map(|next| next.start).chain([out.len()]);
    let mut places: HashMap<&[u8], usize> = HashMap::new();
    let mut entries: Vec<(&[u8], &[u8])> = Vec::new();
    for (key, end) in keys.iter().zip(ends) {
        let (key, value) = (&out[key.clone()], &out[key.end..end]);
        match places.get(key) {
            Some(&place) => entries[place].1 = value,
            None => {
                places.insert(key, entries.len());
                entries.push((key, value));
            }
        }
    }
    let count = entries.len();
    let kept: Vec<&[u8]> = entries.into_iter().flat_map(|(key, value)| [key, value]).collect();
    let kept = kept.concat();
    let start = keys.first().map_or(out.len(), |first| first.start);
    out.truncate(start);
    out.extend_from_slice(&kept);
    count
}

#[cfg(test)]
mod tests {
    use packord::Value;

    use super::*;

    const STYLE: JsonReadOptions = JsonReadOptions {
        each: false,
        conventions: true,
        bigint: false,
    };

    fn parse(text: &[u8], is_whole: bool) -> Result<(usize, Vec<u8>), JsonFault> {
        let mut out = Vec::new();
        let end = JsonParser::new(STYLE).value(text, 0, is_whole, &mut out)?;
        Ok((end, out))
    }

    #[test]
    fn a_value_becomes_its_smallest_messagepack() {
        let long = "x".repeat(300);
        for (text, notation) in [
            ("null", "nil"),
            (
                "[true,false,-1,300,1.5,1e3,0.0,-0,-0.5]",
                "[true, false, -1, 300, 1.5, 1000.0, 0.0, -0.0, -0.5]",
            ),
            (
                "[18446744073709551615,-9223372036854775808]",
                "[18446744073709551615, -9223372036854775808]",
            ),
            (r#"{"a":{"b":[{},[]]},"":1}"#, r#"{"a": {"b": [{}, []]}, "": 1}"#),
            (r#""\u00e9\n\"\ud83d\ude00\/\\""#, "\"é\\n\\\"😀/\\\\\""),
            (r#"{"a":1,"b":2,"a":[3]}"#, r#"{"a": [3], "b": 2}"#),
            (
                r#"[{"$bin":"AP8="},{"$ext":[5,"AA=="]},{"$ref":1}]"#,
                r#"[h'00ff', ext(5, h'00'), {"$ref": 1}]"#,
            ),
            (
                r#"[{"$$bin":1,"$key:5":2},{"$bin":"AA==","a":1},{"\u0024bin":"AA=="}]"#,
                r#"[{"$bin": 1, 5: 2}, {"$bin": "AA==", "a": 1}, h'00']"#,
            ),
            (r#"{"$$bin":"AA=="}"#, r#"{"$bin": "AA=="}"#),
            (&format!("\"{long}\""), &format!("\"{long}\"")),
        ] {
            let (end, out) = parse(text.as_bytes(), true).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
            assert_eq!(end, text.len(), "{text}");
            assert_eq!(packord::notation::parse(notation).as_deref(), Ok(&out[..]), "{text}");
        }
    }

    #[test]
    fn counts_and_strings_of_all_lengths() {
        for count in [0, 1, 15, 16, 17, 300, 70_000] {
            let numbers: Vec<String> = (0..count).map(|number| number.to_string()).collect();
            let entries: Vec<String> = numbers.iter().map(|key| format!("\"k{key}\":{key}")).collect();
            let expected: Value = (0..count).map(Value::from).collect();
            let (_, out) = parse(format!("[{}]", numbers.join(",")).as_bytes(), true).unwrap();
            assert_eq!(out, packord::to_vec(&expected).unwrap());
            let (_, out) = parse(format!("{{{0}}}", entries.join(",")).as_bytes(), true).unwrap();
            let map = packord::DecodeOptions::new().decode(&out).unwrap();
            assert_eq!(map.entries().count(), count as usize);
            let twice = [entries.join(","), entries.join(",")].join(if count == 0 { "" } else { "," });
            assert_eq!(parse(format!("{{{twice}}}").as_bytes(), true).unwrap().1, out);
        }
        for len in 0..40 {
            let text = "é".repeat(len / 3) + &"x".repeat(len % 3);
            for escape in ["", "\\t"] {
                let (_, out) = parse(format!("\"{text}{escape}{text}\"").as_bytes(), true).unwrap();
                let expected = format!("{text}{}{text}", escape.replace("\\t", "\t"));
                assert_eq!(out, packord::to_vec(&Value::from(expected)).unwrap());
            }
        }
    }

    #[test]
    fn a_fault_has_its_place_and_path() {
        for (text, at, path, kind) in [
            (&b"[1, nul]"[..], 4, "[1]", "invalid literal"),
            (b"{\"a\": [1, 2}", 11, ".a[2]", "unexpected closing bracket"),
            (b"[1,]", 3, "[1]", "comma before a closing bracket"),
            (b"{\"a\" 1}", 5, ".a", "missing colon"),
            (b"{\"a\": 1 \"b\"}", 8, ".a", "missing comma"),
            (b"{1:2}", 1, "", "expected a key"),
            (b"[01]", 2, "[0]", "malformed number"),
            (b"[-]", 2, "[0]", "malformed number"),
            (b"[1.e5]", 3, "[0]", "malformed number"),
            (b"[+1]", 1, "[0]", "expected a value"),
            (b"\"a\xff\"", 2, "", "invalid UTF-8 data"),
            (b"\"\x01\"", 1, "", "control character in a string"),
            (b"\"\\x\"", 1, "", "unknown escape"),
            (b"\"\\u00+1\"", 1, "", "malformed escape"),
            (b"\"\\ud800x\"", 1, "", "half of a surrogate pair"),
            (b"[,1]", 1, "[0]", "unexpected comma"),
        ] {
            let fault = parse(text, true).unwrap_err();
            let path = path.to_owned();
            // Of `kind` the text is static, and the table is.
            assert!(matches!(fault.kind, Malformed(found) if found == kind), "{fault:?}");
            assert_eq!((fault.at, fault.path), (at, path), "{}", String::from_utf8_lossy(text));
        }
        for (text, refused) in [
            ("1e999", "too large for a float"),
            ("-9223372036854775809", "does not fit in 64 bits"),
            (r#"{"$bin":"?"}"#, "has a malformed value"),
        ] {
            let fault = parse(text.as_bytes(), true).unwrap_err();
            assert!(
                matches!(&fault.kind, Refused(found) if found.contains(refused)),
                "{fault:?}"
            );
            assert_eq!(fault.at, text.len());
        }
        let deep = "[".repeat(1025);
        assert_eq!(parse(deep.as_bytes(), true).unwrap_err().at, 1024);
    }

    #[test]
    fn a_value_that_is_cut_anywhere_is_cut() {
        let text = r#"{"a\\\u00e9]":["}",{"b":"\ud83d\ude00"}],"c":-1.5e+3,"d":[null,true]}"#;
        for end in 0..text.len() {
            let fault = parse(&text.as_bytes()[..end], false).unwrap_err();
            assert_eq!((fault.kind, fault.at), (Cut, end), "{}", &text[..end]);
        }
        let refused = [
            "12345678901234567890123",
            "1e400",
            "[1e400",
            "[-12345678901234567890123",
        ];
        for text in ["1", "-", "12.5", "tru", "true"].into_iter().chain(refused) {
            assert_eq!(parse(text.as_bytes(), false).unwrap_err().kind, Cut, "{text}");
        }
        assert_eq!(parse(b"1 ", false).unwrap().0, 1);
    }
}
