//! Finds a value by its path: in a document, and in a value.

use super::node::Node;
use crate::encode::normal_form;
use crate::value::{Map, Tree, Value};

/// The steps of a path: `users[3].name`, `["any key"][key 5]`.
struct PathSteps<'p> {
    rest: &'p str,
    /// Whether nothing was before the rest, so that a name needs no dot.
    first: bool,
}

enum PathStep<'p> {
    Name(&'p str),
    Index(usize),
    Key(Value),
}

impl<'p> PathSteps<'p> {
    fn new(path: &'p str) -> PathSteps<'p> {
        let rest = path.strip_prefix('$');
        PathSteps {
            rest: rest.unwrap_or(path),
            first: rest.is_none(),
        }
    }
}

/// The steps in their order; `None` for a part that is not a step.
impl<'p> Iterator for PathSteps<'p> {
    type Item = Option<PathStep<'p>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let step = if let Some(inner) = self.rest.strip_prefix('[') {
            bracket(inner)
        } else {
            let name = match self.rest.strip_prefix('.') {
                None if !self.first => None,
                name => Some(name.unwrap_or(self.rest)),
            };
            name.and_then(|name| {
                let end = name.find(['.', '[']).unwrap_or(name.len());
                (end > 0).then(|| (PathStep::Name(&name[..end]), &name[end..]))
            })
        };
        self.first = false;
        Some(step.map(|(step, rest)| {
            self.rest = rest;
            step
        }))
    }
}

/// Returns the step within brackets, and the rest after them.
fn bracket(inner: &str) -> Option<(PathStep<'_>, &str)> {
    if let Some((digits, rest)) = inner.split_once(']') {
        if let Ok(index) = digits.parse() {
            return Some((PathStep::Index(index), rest));
        }
    }
    let value = inner.strip_prefix("key ").unwrap_or(inner);
    // The key is in diagnostic notation, which may contain brackets: the shortest key that parses is
    // taken.
    value.match_indices(']').find_map(|(end, _)| {
        let key = notated(&value[..end])?;
        Some((PathStep::Key(key), &value[end + 1..]))
    })
}

/// Parses a value in diagnostic notation.
#[cfg(feature = "notation")]
fn notated(text: &str) -> Option<Value> {
    text.parse().ok()
}

#[cfg(not(feature = "notation"))]
fn notated(_: &str) -> Option<Value> {
    None
}

impl<'d, 'a> Node<'d, 'a> {
    /// Returns the value at a path from this one: `users[3].name`, `["any key"][key 5]`. Paths are
    /// those of errors (`spec/errors.md` section 1), with or without the `$` at the start.
    ///
    /// ```
    /// use packord::Document;
    /// let document = Document::parse(b"\x82\xa1a\x92\x01\x02\x05\x81\xa3b c\xc3")?;
    /// assert_eq!(document.path("a[1]").unwrap().as_u64(), Some(2));
    /// assert!(document.path("a[2]").is_none());
    /// # #[cfg(feature = "notation")]
    /// assert_eq!(document.path(r#"$[key 5]["b c"]"#).unwrap().as_bool(), Some(true));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// A key in brackets needs the feature `notation`. Without it, such paths have no value.
    #[must_use]
    pub fn path(self, path: &str) -> Option<Node<'d, 'a>> {
        PathSteps::new(path).try_fold(self, |node, step| match step? {
            PathStep::Name(name) => node.get(name),
            PathStep::Index(index) => node.at(index),
            PathStep::Key(key) => node.get_key(&key),
        })
    }
}

impl<S: AsRef<str>, B: AsRef<[u8]>> Tree<S, B> {
    /// Returns the value at a path from this one: `users[3].name`, `["any key"][key 5]`. Paths are
    /// those of errors (`spec/errors.md` section 1), with or without the `$` at the start. A key in
    /// brackets needs the feature `notation`.
    ///
    /// ```
    /// use packord::value;
    /// let value = value!({"users": [{"name": "Ann"}], 5: true});
    /// assert_eq!(value.path("users[0].name").unwrap(), "Ann");
    /// assert_eq!(value.path("users[1]"), None);
    /// # #[cfg(feature = "notation")]
    /// assert_eq!(value.path("$[key 5]"), Some(&value!(true)));
    /// ```
    #[must_use]
    pub fn path(&self, path: &str) -> Option<&Tree<S, B>> {
        PathSteps::new(path).try_fold(self, |value, step| match step? {
            PathStep::Name(name) => value.get(name),
            PathStep::Index(index) => value.at(index),
            PathStep::Key(key) => {
                let map = value.as_map()?;
                map.entry(position(map, &key)?).map(|(_, value)| value)
            }
        })
    }

    /// Returns the value at a path, as [`path`](Self::path) does, for changing it.
    ///
    /// ```
    /// use packord::value;
    /// let mut value = value!({"users": [{"name": "Ann"}]});
    /// *value.path_mut("users[0].name").unwrap() = value!("Bob");
    /// assert_eq!(value, value!({"users": [{"name": "Bob"}]}));
    /// ```
    #[must_use]
    pub fn path_mut(&mut self, path: &str) -> Option<&mut Tree<S, B>> {
        PathSteps::new(path).try_fold(self, |value, step| match step? {
            PathStep::Name(name) => value.get_mut(name),
            PathStep::Index(index) => value.at_mut(index),
            PathStep::Key(key) => {
                let map = value.as_map_mut()?;
                let index = position(map, &key)?;
                Some(map.value_mut(index))
            }
        })
    }

    /// Returns the value at a JSON pointer (RFC 6901): `/users/0/name`, in which `~1` is `/` and `~0`
    /// is `~`.
    ///
    /// ```
    /// use packord::value;
    /// let value = value!({"users": [{"a/b": 1}]});
    /// assert_eq!(value.pointer("/users/0/a~1b"), Some(&value!(1)));
    /// assert_eq!(value.pointer(""), Some(&value));
    /// assert_eq!(value.pointer("/users/00"), None);
    /// ```
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<&Tree<S, B>> {
        tokens(pointer)?.try_fold(self, |value, token| match value {
            Tree::Array(_) => value.at(index(token)?),
            _ => value.get(&unescaped(token)),
        })
    }

    /// Returns the value at a JSON pointer, as [`pointer`](Self::pointer) does, for changing it.
    ///
    /// ```
    /// use packord::value;
    /// let mut value = value!({"sizes": [1, 2]});
    /// assert_eq!(value.pointer_mut("/sizes/1").unwrap().take(), value!(2));
    /// assert_eq!(value, value!({"sizes": [1, nil]}));
    /// ```
    #[must_use]
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Tree<S, B>> {
        tokens(pointer)?.try_fold(self, |value, token| match value {
            Tree::Array(array) => array.get_mut(index(token)?),
            other => other.get_mut(&unescaped(token)),
        })
    }
}

/// Returns the position of the last entry with this key.
fn position<S, B>(map: &Map<S, B>, key: &Value) -> Option<usize>
where
    S: AsRef<str>,
    B: AsRef<[u8]>,
{
    if let Some(text) = key.as_str() {
        return map.iter().rposition(|(other, _)| other.as_str() == Some(text));
    }
    // The map may be of another form than the key, so their normal forms are compared.
    let form = normal_form(key);
    map.iter()
        .rposition(|(other, _)| other.as_other().is_some_and(|other| normal_form(other) == form))
}

fn tokens(pointer: &str) -> Option<impl Iterator<Item = &str>> {
    let mut tokens = pointer.split('/');
    // The pointer to the whole is empty, and any other begins with a slash.
    (tokens.next() == Some("")).then_some(tokens)
}

/// Returns the position that a token stands for: digits without a zero before others.
fn index(token: &str) -> Option<usize> {
    let plain = token == "0" || token.starts_with(|first: char| ('1'..='9').contains(&first));
    token.parse().ok().filter(|_| plain)
}

fn unescaped(token: &str) -> alloc::borrow::Cow<'_, str> {
    if token.contains('~') {
        token.replace("~1", "/").replace("~0", "~").into()
    } else {
        token.into()
    }
}
