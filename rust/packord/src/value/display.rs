//! Values as diagnostic notation (`spec/diagnostic-notation.md`), each in its minimal form.

use super::Tree;
use super::float;
use super::map::{Array, Key, Map};
use crate::ext::Timestamp;
use crate::wire::item::{Item, item};
use alloc::vec::Vec;
use core::fmt::{self, Debug, Display, Formatter, Write};

/// A string in quotes, escaped as the notation requires.
pub(crate) struct Quoted<'a>(pub &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        let mut plain = 0;
        for (at, char) in self.0.char_indices() {
            if !matches!(char, '"' | '\\' | '\0'..='\x1f' | '\x7f') {
                continue;
            }
            f.write_str(&self.0[plain..at])?;
            plain = at + 1;
            match char {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\x08' => f.write_str("\\b")?,
                '\x0c' => f.write_str("\\f")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                other => write!(f, "\\u{:04x}", other as u32)?,
            }
        }
        f.write_str(&self.0[plain..])?;
        f.write_char('"')
    }
}

/// Bytes as `h'00ff'`.
struct Hex<'a>(&'a [u8]);

impl Display for Hex<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("h'")?;
        for byte in self.0 {
            write!(f, "{byte:02x}")?;
        }
        f.write_char('\'')
    }
}

fn timestamp(f: &mut Formatter<'_>, at: Timestamp) -> fmt::Result {
    if at.has_rfc3339() {
        write!(f, "timestamp(\"{at}\")")
    } else {
        write!(f, "timestamp({}, {})", at.seconds(), at.nanoseconds())
    }
}

/// A packed value of plain MessagePack, shown as a tree of it would be.
pub(crate) struct Shown<'a>(pub &'a [u8]);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // For each open container: whether it is a map, and how many values are left of how many.
        let mut open = Vec::<(bool, usize, usize)>::new();
        let mut at = 0;
        while let Some((item, end)) = item(self.0, at) {
            at = end;
            match item {
                Item::Nil => f.write_str("nil")?,
                Item::Bool(value) => write!(f, "{value}")?,
                Item::Int(value) => write!(f, "{value}")?,
                Item::Uint(value) => write!(f, "{value}")?,
                // Without an operating system the bits are shown: printing floats takes 13 kB.
                #[cfg(not(feature = "std"))]
                Item::Float32(value) => write!(f, "float32({:#010x})", value.to_bits())?,
                #[cfg(not(feature = "std"))]
                Item::Float(value) => write!(f, "float64({:#018x})", value.to_bits())?,
                #[cfg(feature = "std")]
                Item::Float32(value) => float::float32(f, value)?,
                #[cfg(feature = "std")]
                Item::Float(value) => float::float64(f, value)?,
                Item::Str(text) => {
                    write!(f, "{}", Quoted(core::str::from_utf8(text).unwrap_or_default()))?;
                }
                Item::Bin(bytes) => write!(f, "{}", Hex(bytes))?,
                Item::Ext(kind, payload) => match Timestamp::from_payload(payload) {
                    Some(at) if kind == Timestamp::EXT_TYPE => timestamp(f, at)?,
                    _ => write!(f, "ext({kind}, {})", Hex(payload))?,
                },
                Item::Array(count) => {
                    f.write_char('[')?;
                    open.push((false, count, count));
                }
                Item::Map(count) => {
                    f.write_char('{')?;
                    open.push((true, 2 * count, 2 * count));
                }
            }
            while let Some((is_map, 0, _)) = open.last() {
                f.write_char(if *is_map { '}' } else { ']' })?;
                open.pop();
            }
            let Some((is_map, left, all)) = open.last_mut() else {
                break;
            };
            if left < all {
                let after_key = *is_map && *left % 2 == 1;
                f.write_str(if after_key { ": " } else { ", " })?;
            }
            *left -= 1;
        }
        Ok(())
    }
}

/// A container that is being written, and the index of its next element.
enum ShownContainer<'t, S, B> {
    Array(&'t [Tree<S, B>], usize),
    Map(&'t Map<S, B>, usize),
}

fn begin<'t, S, B>(f: &mut Formatter<'_>, tree: &'t Tree<S, B>, open: &mut Vec<ShownContainer<'t, S, B>>) -> fmt::Result
where
    S: AsRef<str>,
    B: AsRef<[u8]>,
{
    match tree {
        Tree::Nil => f.write_str("nil"),
        Tree::Bool(value) => write!(f, "{value}"),
        Tree::Int(value) => write!(f, "{value}"),
        Tree::F32(value) => float::float32(f, *value),
        Tree::F64(value) => float::float64(f, *value),
        Tree::Str(text) => write!(f, "{}", Quoted(text.as_ref())),
        Tree::Bin(bytes) => write!(f, "{}", Hex(bytes.as_ref())),
        Tree::Ext(ext) => write!(f, "ext({}, {})", ext.kind(), Hex(ext.payload())),
        Tree::Timestamp(at) => timestamp(f, *at),
        Tree::Array(array) => {
            open.push(ShownContainer::Array(array, 0));
            f.write_char('[')
        }
        Tree::Map(map) => {
            open.push(ShownContainer::Map(map, 0));
            f.write_char('{')
        }
    }
}

fn write_all<S, B>(f: &mut Formatter<'_>, open: &mut Vec<ShownContainer<'_, S, B>>) -> fmt::Result
where
    S: AsRef<str>,
    B: AsRef<[u8]>,
{
    loop {
        let depth = open.len();
        let Some(top) = open.last_mut() else {
            return Ok(());
        };
        let next = match top {
            ShownContainer::Array(elements, index) => {
                let element = elements.get(*index);
                if element.is_some() {
                    separate(f, *index == 0, depth)?;
                }
                *index += 1;
                element
            }
            // Keys have even indices, values odd ones.
            ShownContainer::Map(map, index) => {
                let (entry, is_key) = (map.entry(*index / 2), *index % 2 == 0);
                *index += 1;
                match entry {
                    Some((_, value)) if !is_key => {
                        f.write_str(": ")?;
                        Some(value)
                    }
                    Some((key, _)) => {
                        separate(f, *index == 1, depth)?;
                        match key {
                            Key::Value(key) => Some(key),
                            Key::Name(name) => {
                                write!(f, "{}", Quoted(name))?;
                                continue;
                            }
                        }
                    }
                    None => None,
                }
            }
        };
        match next {
            Some(value) => begin(f, value, open)?,
            None => {
                let (close, empty) = match top {
                    ShownContainer::Array(elements, _) => (']', elements.is_empty()),
                    ShownContainer::Map(map, _) => ('}', map.is_empty()),
                };
                if f.alternate() && !empty {
                    line(f, depth - 1)?;
                }
                f.write_char(close)?;
                open.pop();
            }
        }
    }
}

/// Writes what is between the elements of a container, or before the first one.
fn separate(f: &mut Formatter<'_>, first: bool, depth: usize) -> fmt::Result {
    match (f.alternate(), first) {
        (false, true) => Ok(()),
        (false, false) => f.write_str(", "),
        (true, true) => line(f, depth),
        (true, false) => {
            f.write_char(',')?;
            line(f, depth)
        }
    }
}

fn line(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    f.write_char('\n')?;
    (0..depth).try_for_each(|_| f.write_str("  "))
}

/// `{:#}` and `{:#?}` put each element on a line of its own, indented by two spaces for each level.
///
/// ```
/// use packord::value;
/// assert_eq!(format!("{:#?}", value!({"a": [1, []]})), "{\n  \"a\": [\n    1,\n    []\n  ]\n}");
/// ```
impl<S: AsRef<str>, B: AsRef<[u8]>> Display for Tree<S, B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut open = Vec::new();
        begin(f, self, &mut open)?;
        write_all(f, &mut open)
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> Display for Array<S, B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        write_all(f, &mut Vec::from([ShownContainer::Array(self, 0)]))
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> Display for Map<S, B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('{')?;
        write_all(f, &mut Vec::from([ShownContainer::Map(self, 0)]))
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> Display for Key<'_, S, B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Key::Value(key) => Display::fmt(key, f),
            Key::Name(name) => Display::fmt(&Quoted(name), f),
        }
    }
}

macro_rules! debug_as_display {
    ($($type:ty)*) => {$(
        impl<S: AsRef<str>, B: AsRef<[u8]>> Debug for $type {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                Display::fmt(self, f)
            }
        }
    )*};
}
debug_as_display!(Tree<S, B> Array<S, B> Map<S, B> Key<'_, S, B>);
