//! Paths (`spec/errors.md` section 1), found by a second walk when an error needs one.

use super::Walker;
use super::event::Token;
use crate::options::DecodeOptions;
use crate::read::tree::reread;
use crate::read::{RecordState, Role};
use crate::record::Structure;
use crate::value::Shown;
use crate::wire::item::{Item, item};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;
use core::ops::Range;
use core::str;

/// Returns the path of the value at a byte offset of the input, or of the value in which a walk
/// with the same options fails before.
///
/// The input may be a stream: the path begins with the message's number if it is not 0.
///
/// ```
/// use packord::{DecodeOptions, path_at};
/// let bytes = b"\x81\xa5users\x92\x01\x81\xa4name\xc0";
/// let path = |offset| path_at(bytes, offset, &DecodeOptions::new());
/// assert_eq!(path(0), "$");
/// assert_eq!(path(8), "$.users[0]");
/// assert_eq!(path(15), "$.users[1].name");
/// ```
#[must_use]
pub fn path_at(bytes: &[u8], offset: u64, options: &DecodeOptions) -> String {
    let mut walker = Walker::with_options(bytes, options);
    loop {
        if let Some(path) = path_of_message(&mut walker, bytes, 0, offset) {
            return path;
        }
        if !walker.next_message().unwrap_or(false) {
            return String::from("$");
        }
    }
}

struct OpenPlace {
    index: usize,
    /// In a map, the bytes of the last key, and the records that were known where it begins.
    key: Range<usize>,
    records: Option<Box<RecordState>>,
    structure: Option<Structure>,
    is_map: bool,
}

/// The outermost key that is being read.
struct OpenKey {
    start: usize,
    /// The number of containers around it.
    around: usize,
    records: Option<Box<RecordState>>,
}

/// Returns the path to `offset` within the walker's message, or `None` if the message ends before
/// it. `bytes` begin at the offset `base`.
pub(crate) fn path_of_message(walker: &mut Walker<'_>, bytes: &[u8], base: u64, offset: u64) -> Option<String> {
    let mut places: Vec<OpenPlace> = Vec::new();
    let mut in_key: Option<OpenKey> = None;
    loop {
        let next = walker.offset();
        let event = match walker.next() {
            Ok(Some(event)) if event.offset + event.bytes.len() as u64 <= offset => event,
            Ok(None) => return None,
            Ok(Some(event)) => {
                let depth = if event.role == Role::Key {
                    event.depth - 1
                } else {
                    event.depth
                };
                return Some(render(walker, bytes, &places, in_key.map_or(depth, |key| key.around)));
            }
            Err(_) => {
                let depth = in_key.as_ref().map_or(places.len(), |key| key.around);
                // A fault in a key itself is reported at the path of its map.
                let at_key = places.last().is_some_and(|place| place.is_map && place.index % 2 == 0);
                let depth = if in_key.is_none() && at_key { depth - 1 } else { depth };
                return Some(render(walker, bytes, &places, depth));
            }
        };
        let start = (next - base) as usize;
        if event.role == Role::Key && in_key.is_none() && !matches!(event.token, Token::End(_)) {
            in_key = Some(OpenKey {
                start,
                around: event.depth - 1,
                records: walker.pull.decoder.records.clone(),
            });
        }
        let place = |structure, is_map| OpenPlace {
            index: 0,
            key: 0..0,
            records: None,
            structure,
            is_map,
        };
        match event.token {
            Token::Array(_) => places.push(place(None, false)),
            Token::Map(_) => places.push(place(None, true)),
            Token::Record(head) => places.push(place(Some(head.structure), false)),
            Token::End(_) => {
                places.pop();
                value_ends(&mut places, &mut in_key, (walker.offset() - base) as usize);
            }
            _ => value_ends(&mut places, &mut in_key, (walker.offset() - base) as usize),
        }
    }
}

fn value_ends(places: &mut [OpenPlace], in_key: &mut Option<OpenKey>, end: usize) {
    let depth = places.len();
    let Some(place) = places.last_mut() else {
        return;
    };
    place.index += 1;
    if let Some(key) = in_key.take_if(|key| key.around + 1 == depth) {
        (place.key, place.records) = (key.start..end, key.records);
    }
}

pub(crate) fn root_path(message: u64) -> String {
    match message {
        0 => String::from("$"),
        _ => format!("${message}"),
    }
}

fn render(walker: &Walker<'_>, bytes: &[u8], places: &[OpenPlace], depth: usize) -> String {
    let mut path = root_path(walker.message());
    for place in &places[..depth] {
        match &place.structure {
            Some(structure) => push_key(&mut path, structure.key(place.index).unwrap_or_default()),
            None if place.is_map => {
                let key = reread(&bytes[place.key.clone()], &walker.rules, place.records.clone());
                match key.as_str() {
                    Some(text) => push_key(&mut path, text),
                    None => {
                        let _ = write!(path, "[key {key}]");
                    }
                }
            }
            None => {
                let _ = write!(path, "[{}]", place.index);
            }
        }
    }
    path
}

/// Adds the entry of a str key: `.name` or `["any text"]`.
pub(crate) fn push_key(path: &mut String, key: &str) {
    let mut bytes = key.bytes();
    let plain = bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let _ = if plain {
        write!(path, ".{key}")
    } else {
        write!(path, "[{}]", crate::value::Quoted(key))
    };
}

/// Adds the entry of the plain key at the start of the bytes.
pub(crate) fn push_packed_key(path: &mut String, key: &[u8]) {
    match item(key, 0) {
        Some((Item::Str(text), _)) => push_key(path, str::from_utf8(text).unwrap_or_default()),
        Some(_) => {
            let _ = write!(path, "[key {}]", Shown(key));
        }
        None => {}
    }
}

/// A container of plain MessagePack that is being read.
struct PlainPlace {
    is_map: bool,
    /// Values that have begun, and how many there are.
    begun: u64,
    count: u64,
    /// Where the last key begins.
    key: usize,
}

/// The messages before one of a stream, which were counted for the path of an error.
#[cfg(feature = "serde")]
#[derive(Debug, Default)]
pub(crate) struct Counted {
    pub number: u64,
    /// Where they end.
    pub end: usize,
    /// The records that they leave.
    pub records: Option<Box<RecordState>>,
}

/// Returns the path of the value at `offset` in plain messages, or of the value whose fault is there. It is much less code than
/// [`path_at`], which knows records. Messages are counted from those that were counted before.
#[cfg(feature = "serde")]
pub(crate) fn plain_path_at(bytes: &[u8], offset: usize, counted: &mut Counted) -> String {
    loop {
        match plain_path_from(bytes, counted.end, 0, offset) {
            Ok(path) => return root_path(counted.number) + &path,
            Err(end) if end >= bytes.len() => return String::from("$"),
            Err(end) => (counted.number, counted.end) = (counted.number + 1, end),
        }
    }
}

/// Returns the same of one value, without the `$`; the containers around it announce `after` more.
pub(crate) fn plain_path(bytes: &[u8], after: u64, offset: usize) -> String {
    plain_path_from(bytes, 0, after, offset).unwrap_or_default()
}

/// Returns the end of the message at `begin` if it is before `offset`.
fn plain_path_from(bytes: &[u8], begin: usize, after: u64, offset: usize) -> Result<String, usize> {
    let mut places: Vec<PlainPlace> = Vec::new();
    let (mut at, mut pending) = (begin, 1 + after);
    while let Some((item, end)) = item(bytes, at) {
        let (is_container, is_map, count) = match item {
            Item::Array(count) => (true, false, count as u64),
            Item::Map(count) => (true, true, 2 * count as u64),
            _ => (false, false, 0),
        };
        pending += count;
        pending -= 1;
        let announces_too_much = is_container && pending > (bytes.len() - end) as u64;
        if end > offset || announces_too_much {
            break;
        }
        at = end;
        if count > 0 {
            places.push(PlainPlace {
                is_map,
                begun: 0,
                count,
                key: 0,
            });
        }
        while places.last().is_some_and(|place| place.begun == place.count) {
            places.pop();
        }
        let Some(place) = places.last_mut() else {
            return Err(at);
        };
        if place.begun % 2 == 0 {
            place.key = at;
        }
        place.begun += 1;
    }
    let mut path = String::new();
    // A fault in a key is reported at the path of its map.
    for place in places
        .iter()
        .take_while(|place| !(place.is_map && place.begun % 2 == 1))
    {
        if place.is_map {
            push_packed_key(&mut path, &bytes[place.key..]);
        } else {
            let _ = write!(path, "[{}]", place.begun - 1);
        }
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::{path_at, plain_path};
    use crate::DecodeOptions;

    #[test]
    fn plain_paths_are_those_of_the_walk() {
        let whole = b"\x83\xa1a\x93\x01\xa2bc\x90\x92\x01\x02\xd6\xff\0\0\0\x01\x81\xca\x3f\xc0\0\0\x91\xa1\xff";
        let options = DecodeOptions::new();
        let check = |bytes: &[u8]| {
            let Err(error) = options.skip_value(bytes) else {
                return;
            };
            let offset = error.offset().unwrap_or_default();
            let plain = plain_path(bytes, 0, offset as usize);
            assert_eq!(path_at(bytes, offset, &options)[1..], plain, "{bytes:02x?}");
        };
        // More entries than 32 bits count the parts of.
        check(b"\x91\xdf\xff\xff\xff\xff\x01");
        for at in 0..=whole.len() {
            check(&whole[..at]);
            for byte in 0..=255 {
                let mut damaged = whole.to_vec();
                if let Some(place) = damaged.get_mut(at) {
                    *place = byte;
                }
                check(&damaged);
            }
        }
    }
}
