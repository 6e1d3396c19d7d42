//! Finding a value by its path.

use super::node::Node;

impl<'d, 'a> Node<'d, 'a> {
    /// The value at a path from this one: `users[3].name`, `["any key"][key 5]`. It is what
    /// errors name (`spec/errors.md` section 1), with or without the `$` that stands for the
    /// beginning.
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
    /// A key in brackets is read by the feature `notation`; without it there is no value at such a
    /// path.
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

    /// What stands between brackets, and the rest behind it.
    fn bracket(self, inner: &str) -> Option<(Node<'d, 'a>, &str)> {
        if let Some((digits, rest)) = inner.split_once(']') {
            if let Ok(index) = digits.parse() {
                return Some((self.at(index)?, rest));
            }
        }
        let value = inner.strip_prefix("key ").unwrap_or(inner);
        // The key is a text of the notation, which may hold brackets: the first that parses.
        value.match_indices(']').find_map(|(end, _)| {
            let key = notated(&value[..end])?;
            Some((self.get_key(&key)?, &value[end + 1..]))
        })
    }
}

/// The value of a text of the notation.
#[cfg(feature = "notation")]
fn notated(text: &str) -> Option<crate::Value> {
    crate::from_slice(&crate::notation::parse(text).ok()?).ok()
}

#[cfg(not(feature = "notation"))]
fn notated(_: &str) -> Option<crate::Value> {
    None
}
