//! Paths with wildcards and ranges: `users[*].name`, `log[-3:]`, `$2["any key"][key 5]`.

use std::borrow::Cow;

use memchr::memmem::Finder;
use packord::wire::marker;
use packord::{Event, Role, Structure, Token, Value, Walker};

/// One step into a container.
#[derive(Clone, Debug)]
pub enum PathStep {
    /// Every element, entry or field: `[*]` and `.*`.
    Any,
    /// The element with this index. A negative index counts from the end.
    Index(i64),
    /// The elements from the first index up to, but not including, the second: `[1:3]`, `[-2:]`.
    Range(Option<i64>, Option<i64>),
    /// The entry or field with this key.
    Key(PathKey),
}

/// A key, with its smallest encoding.
#[derive(Clone, Debug)]
pub struct PathKey {
    value: Value,
    bytes: Vec<u8>,
    /// Finds the bytes of a str.
    finder: Option<Box<Finder<'static>>>,
}

impl PathKey {
    fn new(value: Value) -> Result<PathKey, String> {
        let bytes = packord::to_vec(&value).map_err(|error| error.to_string())?;
        let text = value.as_str().filter(|text| !text.is_empty());
        let finder = text.map(|text| Box::new(Finder::new(text).into_owned()));
        Ok(PathKey { value, bytes, finder })
    }

    /// Returns whether there may be such a key in these bytes, after the first one: its letters, after their number.
    #[must_use]
    pub fn may_be_in(&self, bytes: &[u8]) -> bool {
        let Some(finder) = &self.finder else {
            return true;
        };
        // The last byte of the shortest header, and that of longer ones.
        let len = finder.needle().len();
        let shortest = self.bytes.iter().rev().nth(len);
        let ends = [shortest.copied(), Some(len as u8)];
        let mut from = 0;
        while let Some(found) = bytes.get(from..).and_then(|rest| finder.find(rest)) {
            let at = from + found;
            if at > 0 && ends.contains(&bytes.get(at - 1).copied()) {
                return true;
            }
            from = at + 1;
        }
        false
    }

    /// Returns whether a packed key is this one, in any encoding.
    #[must_use]
    pub fn is(&self, packed: &[u8]) -> bool {
        // Almost all keys are fixstr, and two fixstr of different bytes differ.
        let is_short = |bytes: &[u8]| matches!(bytes.first(), Some(marker::FIXSTR..marker::NIL));
        packed == self.bytes || !(is_short(packed) && is_short(&self.bytes)) && self.equals(packed)
    }

    #[cold]
    fn equals(&self, packed: &[u8]) -> bool {
        packord::DecodeOptions::new()
            .decode(packed)
            .is_ok_and(|other| other == self.value)
    }

    /// Returns the key, if it is a str.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.value.as_str()
    }

    /// Returns whether the key is this string.
    #[must_use]
    pub fn is_str(&self, text: &str) -> bool {
        self.value.as_str() == Some(text)
    }
}

/// Parses the step between brackets, and returns the rest after it.
pub(crate) fn bracket(inner: &str) -> Result<(PathStep, &str), String> {
    let (plain, rest) = inner.split_once(']').ok_or("missing ]")?;
    if plain == "*" {
        return Ok((PathStep::Any, rest));
    }
    if let Ok(index) = plain.parse() {
        return Ok((PathStep::Index(index), rest));
    }
    if let Some((from, to)) = plain.split_once(':') {
        let bound = |digits: &str| match digits {
            "" => Some(None),
            digits => digits.parse().ok().map(Some),
        };
        if let (Some(from), Some(to)) = (bound(from), bound(to)) {
            return Ok((PathStep::Range(from, to), rest));
        }
    }
    let notation = match inner.strip_prefix("key ") {
        Some(notation) => notation,
        None if inner.starts_with('"') => inner,
        None => return Err("expected an index, a range, *, a quoted key or key ...".to_owned()),
    };
    // The key may contain brackets: it ends at the first one that leaves valid notation.
    notation
        .match_indices(']')
        .find_map(|(end, _)| {
            let bytes = packord::notation::parse(&notation[..end]).ok()?;
            let key = PathKey::new(packord::DecodeOptions::new().decode(&bytes).ok()?).ok()?;
            Some((PathStep::Key(key), &notation[end + 1..]))
        })
        .ok_or_else(|| "expected a key in diagnostic notation".to_owned())
}

impl PathStep {
    /// Returns the step to the entry or field with a key.
    pub(crate) fn key(value: Value) -> Result<PathStep, String> {
        PathKey::new(value).map(PathStep::Key)
    }

    /// Returns whether the step selects the element with this index, of `count` elements.
    #[must_use]
    pub fn selects_index(&self, index: usize, count: usize) -> bool {
        let from_end = |bound: i64| {
            let place = if bound < 0 {
                bound.saturating_add_unsigned(count as u64)
            } else {
                bound
            };
            i128::from(place)
        };
        let index = index as i128;
        match self {
            PathStep::Any => true,
            PathStep::Index(wanted) => from_end(*wanted) == index,
            PathStep::Range(from, to) => {
                from.is_none_or(|from| from_end(from) <= index) && to.is_none_or(|to| index < from_end(to))
            }
            PathStep::Key(_) => false,
        }
    }

    /// Returns the first index at or after `from` that the step selects, or `count` if there is none.
    #[must_use]
    pub fn next_index(&self, from: usize, count: usize) -> usize {
        let start = match self {
            PathStep::Any | PathStep::Range(None, _) => 0,
            PathStep::Index(bound) | PathStep::Range(Some(bound), _) if *bound < 0 => {
                count.saturating_sub(usize::try_from(bound.unsigned_abs()).unwrap_or(count))
            }
            PathStep::Index(bound) | PathStep::Range(Some(bound), _) => usize::try_from(*bound).unwrap_or(count),
            PathStep::Key(_) => count,
        };
        let next = start.max(from);
        if next < count && self.selects_index(next, count) {
            next
        } else {
            count
        }
    }

    /// Returns whether the step selects the entry with this packed key.
    #[must_use]
    pub fn selects_key(&self, packed: &[u8]) -> bool {
        match self {
            PathStep::Any => true,
            PathStep::Key(key) => key.is(packed),
            PathStep::Index(_) | PathStep::Range(..) => false,
        }
    }

    /// Returns whether the step selects the record field with this name.
    #[must_use]
    pub fn selects_field(&self, name: &str) -> bool {
        match self {
            PathStep::Any => true,
            PathStep::Key(key) => key.is_str(name),
            PathStep::Index(_) | PathStep::Range(..) => false,
        }
    }
}

/// Adds the step of a str key to a path: `.name` or `["any str"]`.
pub fn push_name(path: &mut String, key: &str) {
    let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    let plain = key.bytes().next().is_some_and(letter) && key.bytes().all(|byte| letter(byte) || byte.is_ascii_digit());
    if plain {
        path.push('.');
        path.push_str(key);
    } else {
        path.push_str(&format!("[{}]", serde_json::Value::from(key)));
    }
}

/// Adds the step of a packed key to a path.
pub fn push_key(path: &mut String, packed: &[u8]) {
    match Walker::new(packed).next() {
        Ok(Some(event)) if matches!(event.token, Token::Str(_)) => {
            if let Token::Str(text) = event.token {
                push_name(path, text);
            }
        }
        _ => {
            let text = packord::notation::to_text(packed).unwrap_or_else(|_| "?".to_owned());
            path.push_str(&format!("[key {text}]"));
        }
    }
}

/// Follows the events of a message and knows the path of each value.
#[derive(Default)]
pub struct Trail {
    message: u64,
    open: Vec<TrailStep>,
    /// The step of the entry whose key was read last.
    key: String,
    /// The number of open containers within a key.
    in_key: usize,
    /// The next value is the value of `key`.
    after_key: bool,
}

struct TrailStep {
    /// The step to the current value.
    step: String,
    begun: usize,
    is_map: bool,
    fields: Option<Structure>,
}

impl Trail {
    /// Creates the trail of the message with this number.
    #[must_use]
    pub fn new(message: u64) -> Trail {
        Trail {
            message,
            ..Trail::default()
        }
    }

    /// Moves to the value of the event. A key has the path of its map.
    pub fn event(&mut self, event: &Event<'_>) {
        let is_end = matches!(event.token, Token::End(_));
        if self.in_key > 0 || event.role == Role::Key {
            if self.in_key == 0 {
                self.key.clear();
                if event.token.opens() {
                    self.key.push_str("[key ...]");
                } else {
                    push_key(&mut self.key, event.bytes);
                }
                if let Some(open) = self.open.last_mut() {
                    open.step.clear();
                }
            }
            self.in_key += usize::from(event.token.opens());
            self.in_key -= usize::from(is_end);
            self.after_key = self.in_key == 0;
            return;
        }
        self.after_key = false;
        // The containers that have ended since the last event.
        self.open.truncate(event.depth);
        if let Some(open) = self.open.last_mut().filter(|_| !is_end) {
            open.step.clear();
            match (&open.fields, event.role) {
                (Some(structure), _) => {
                    push_name(&mut open.step, structure.key(open.begun).unwrap_or_default());
                }
                (None, Role::Value) => open.step.push_str(&self.key),
                _ => open.step.push_str(&format!("[{}]", open.begun)),
            }
            open.begun += 1;
        }
        if event.token.opens() {
            let fields = match &event.token {
                Token::Record(head) => Some(head.structure.clone()),
                _ => None,
            };
            self.open.push(TrailStep {
                step: String::new(),
                begun: 0,
                is_map: matches!(event.token, Token::Map(_)),
                fields,
            });
        }
    }

    /// Returns the path of the value of the last event.
    #[must_use]
    pub fn path(&self) -> String {
        let steps = self.open.iter().map(|open| open.step.as_str());
        std::iter::once(root(self.message).as_str()).chain(steps).collect()
    }

    /// Returns the path of the next value, which is in the innermost container. The path of a key is
    /// that of its map.
    #[must_use]
    pub fn next_path(&self) -> String {
        let Some((inner, around)) = self.open.split_last() else {
            return root(self.message);
        };
        let mut path = root(self.message);
        path.extend(around.iter().map(|open| open.step.as_str()));
        match &inner.fields {
            Some(structure) => push_name(&mut path, structure.key(inner.begun).unwrap_or_default()),
            None if self.after_key => path.push_str(&self.key),
            None if inner.is_map => {}
            None => path.push_str(&format!("[{}]", inner.begun)),
        }
        path
    }
}

/// Returns the start of a path: `$`, and the number of the message if it is not 0.
#[must_use]
pub fn root(message: u64) -> String {
    match message {
        0 => "$".to_owned(),
        number => format!("${number}"),
    }
}

/// Cuts a path for a message after the last whole character within 256 bytes.
#[must_use]
pub fn cut(path: &str) -> Cow<'_, str> {
    const MAX_SHOWN: usize = 256;
    if path.len() <= MAX_SHOWN {
        return Cow::Borrowed(path);
    }
    let end = (0..=MAX_SHOWN).rev().find(|&at| path.is_char_boundary(at));
    Cow::Owned(format!("{}…", &path[..end.unwrap_or_default()]))
}

/// Returns text without control characters, which a terminal would obey.
pub fn printable(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars() {
        if letter.is_control() {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str) -> PathStep {
        bracket(text.strip_prefix('[').unwrap()).unwrap().0
    }

    #[test]
    fn ranges_count_from_both_ends() {
        let selected = |text: &str| {
            let step = step(text);
            (0..5).filter(|&index| step.selects_index(index, 5)).collect::<Vec<_>>()
        };
        assert_eq!(selected("[-1]"), [4]);
        assert!(selected("[-6]").is_empty());
        assert_eq!(selected("[1:3]"), [1, 2]);
        assert_eq!(selected("[-2:]"), [3, 4]);
        assert_eq!(selected("[:-3]"), [0, 1]);
        assert_eq!(selected("[*]"), [0, 1, 2, 3, 4]);
        assert!(selected("[key 1]").is_empty());
    }

    #[test]
    fn next_index_is_the_first_selected_index() {
        for text in [
            "[*]", "[0]", "[3]", "[9]", "[-1]", "[-5]", "[-6]", "[1:3]", "[-3:-1]", "[-9:2]", "[:2]", "[4:]", "[:]",
            "[3:1]", "[key 1]",
        ] {
            let step = step(text);
            for count in 0..6 {
                for from in 0..=count {
                    let expected = (from..count).find(|&index| step.selects_index(index, count));
                    assert_eq!(
                        step.next_index(from, count),
                        expected.unwrap_or(count),
                        "{text} {from} {count}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_trail_has_the_paths_of_the_crate() {
        let bytes = b"\x83\xa1a\x92\x01\x91\xc3\x82\x01\x02\xc0\xc0\x05\xa3b c\xd4\x72\x40\x91\xa1x\x91\x07";
        let options = packord::DecodeOptions::new().records(true);
        let mut walker = Walker::with_options(bytes, &options);
        let mut trail = Trail::default();
        let mut seen = 0;
        while let Some(event) = walker.next().unwrap() {
            trail.event(&event);
            if !matches!(event.token, Token::End(_)) && trail.in_key == 0 && event.role != Role::Key {
                let path = packord::path_at(bytes, event.offset, &options);
                // The crate writes a key that is a container in notation.
                assert!(trail.path() == path || path.contains("[key {"), "{path}");
                seen += 1;
            }
        }
        assert_eq!(seen, 9);
    }

    #[test]
    fn long_paths_are_cut_after_a_whole_character() {
        let path = "$.".to_owned() + &"x".repeat(254);
        assert_eq!(cut(&path), path);
        assert_eq!(cut(&(path + "x")).len(), 256 + "…".len());
        let wide = "$[\"".to_owned() + &"é".repeat(500);
        assert_eq!(cut(&wide), format!("$[\"{}…", "é".repeat(126)));
    }

    #[test]
    fn keys_match_in_every_encoding() {
        let key = |text: &str| match step(text) {
            PathStep::Key(key) => key,
            other => panic!("{other:?}"),
        };
        assert!(key("[\"a\"]").is(b"\xa1a") && key("[\"a\"]").is(b"\xd9\x01a") && !key("[\"a\"]").is(b"\xa1b"));
        assert!(key("[key 5]").is(b"\x05") && key("[key 5]").is(b"\xcc\x05"));
        assert!(!key("[key 5]").is(b"\xa15"));
    }
}
