//! The top-level keys of messages that a query looks at, for readers that can leave out the others.

use std::collections::BTreeSet;

use super::grammar::{Entries, Query, QueryPath, QueryStep, Test};
use crate::values::path::PathStep;

/// Keys of messages, which are maps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySet {
    /// All keys.
    All,
    /// These keys, which are str.
    These(BTreeSet<String>),
}

impl Default for KeySet {
    /// Without keys.
    fn default() -> KeySet {
        KeySet::These(BTreeSet::new())
    }
}

impl KeySet {
    /// Returns the keys, unless they are all.
    #[must_use]
    pub fn into_keys(self) -> Option<Vec<String>> {
        match self {
            KeySet::All => None,
            KeySet::These(keys) => Some(keys.into_iter().collect()),
        }
    }

    /// Adds what a step into a message looks at.
    pub fn add_step(&mut self, step: &PathStep) {
        match (step, self) {
            (PathStep::Key(key), KeySet::These(keys)) if key.as_str().is_some() => {
                keys.extend(key.as_str().map(str::to_owned));
            }
            (_, keys) => *keys = KeySet::All,
        }
    }

    /// Adds what a query looks at.
    pub fn add_query(&mut self, query: &Query) {
        self.add_steps(&query.steps);
    }

    /// Adds what a path in a message looks at.
    pub fn add_path(&mut self, path: &QueryPath) {
        self.add_steps(&path.0);
    }

    /// Adds what the entries of a new map look at.
    pub fn add_entries(&mut self, entries: &Entries) {
        entries.0.iter().for_each(|(_, steps)| self.add_steps(steps));
    }

    /// Adds what a test looks at.
    pub fn add_test(&mut self, test: &Test) {
        test.each_path(&mut |path| self.add_path(path));
    }

    fn add_steps(&mut self, steps: &[QueryStep]) {
        match steps.first() {
            Some(QueryStep::Into(step)) => self.add_step(step),
            Some(QueryStep::Project(entries)) => self.add_entries(entries),
            _ => *self = KeySet::All,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(add: impl FnOnce(&mut KeySet)) -> Option<Vec<String>> {
        let mut set = KeySet::default();
        add(&mut set);
        set.into_keys()
    }

    #[test]
    fn names_at_the_beginning_of_paths_are_the_keys() {
        let test = |text: &str| keys(|set| set.add_test(&Test::parse(text).unwrap()));
        let expected = |names: &[&str]| Some(names.iter().map(ToString::to_string).collect());
        assert_eq!(test("a.x > 1 && !b[0] || 'z' == c"), expected(&["a", "b", "c"]));
        assert_eq!(test("length(a) > 1 && contains(b, a)"), expected(&["a", "b"]));
        let query = |text: &str| keys(|set| set.add_query(&Query::parse(text).unwrap()));
        assert_eq!(query("{a, n: b.c[1]}"), expected(&["a", "b"]));
        assert_eq!(query("a[?b > 1].c"), expected(&["a"]));
    }

    #[test]
    fn what_looks_at_the_whole_message_needs_all_keys() {
        for text in ["@ == 1", "length(@) > 1", "a > 1 || [0] == 1", "@[*] == 1"] {
            let found = keys(|set| set.add_test(&Test::parse(text).unwrap()));
            assert_eq!(found, None, "{text}");
        }
        for text in ["..a", ".", "[?a > 1]"] {
            let found = keys(|set| set.add_query(&Query::parse(text).unwrap()));
            assert_eq!(found, None, "{text}");
        }
    }
}
