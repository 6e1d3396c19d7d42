//! Finds a value by its path.

use super::node::Node;

impl<'d, 'a> Node<'d, 'a> {
    /// Returns the value at a path from this one: `users[3].name`, `["any key"][key 5]`. Paths are
    /// those of errors (`spec/errors.md` section 1), with or without the `$` at the start.
    ///
    /// ```
    /// use packord::Document;
    /// let document = Document::parse(b"\x82\xa1a\x92\x01\x02\x05\x81\xa3b c\xc3")?;
    /// assert_eq!(document.path("a[1]").unwrap().as_u64(), Some(2));
    /// assert_eq!(document.path(r#"$[key 5]["b c"]"#).unwrap().as_bool(), Some(true));
    /// assert!(document.path("a[2]").is_none());
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// A key in brackets needs the feature `notation`. Without it, such paths have no value.
    #[must_use]
    pub fn path(self, path: &str) -> Option<Node<'d, 'a>> {
        let mut rest = path.strip_prefix('$').unwrap_or(path);
        let mut node = self;
        let mut first = rest.len() == path.len();
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix('[') {
                (node, rest) = node.bracket(inner)?;
            } else {
                let name = match rest.strip_prefix('.') {
                    Some(name) => name,
                    None if first => rest,
                    None => return None,
                };
                let end = name.find(['.', '[']).unwrap_or(name.len());
                if end == 0 {
                    return None;
                }
                node = node.get(&name[..end])?;
                rest = &name[end..];
            }
            first = false;
        }
        Some(node)
    }

    /// Returns the part of a path within its brackets, and the rest after them.
    fn bracket(self, inner: &str) -> Option<(Node<'d, 'a>, &str)> {
        if let Some((digits, rest)) = inner.split_once(']') {
            if let Ok(index) = digits.parse() {
                return Some((self.at(index)?, rest));
            }
        }
        let value = inner.strip_prefix("key ").unwrap_or(inner);
        // The key is in diagnostic notation, which may contain brackets: the shortest key that
        // parses is taken.
        value.match_indices(']').find_map(|(end, _)| {
            let key = notated(&value[..end])?;
            Some((self.get_key(&key)?, &value[end + 1..]))
        })
    }
}

/// Parses a value in diagnostic notation.
#[cfg(feature = "notation")]
fn notated(text: &str) -> Option<crate::Value> {
    crate::from_slice(&crate::notation::parse(text).ok()?).ok()
}

#[cfg(not(feature = "notation"))]
fn notated(_: &str) -> Option<crate::Value> {
    None
}
