//! What of messages the output needs: of container files, the rest is not read.

use crate::cli;
use crate::path::PathPattern;
use crate::query::{Entries, KeySet, Query, QueryPath, Test};

/// Returns the top-level keys of messages that are needed, unless they are all.
pub fn keys(
    command: &cli::Get,
    query: Option<&Query>,
    path: &PathPattern,
    test: Option<&Test>,
) -> Option<Vec<String>> {
    let choosing = &command.showing.choosing;
    let mut keys = KeySet::default();
    let entries = command.group_by.as_ref().or(choosing.select.as_ref());
    match (query, path.steps.first()) {
        (Some(query), _) if !query.is_whole() => keys.add_query(query),
        (None, Some(step)) => keys.add_step(step),
        // The options are about messages.
        _ => {
            match entries {
                Some(entries) => keys.add_entries(&Entries::parse(entries).ok()?),
                None if command.count => {}
                None => keys = KeySet::All,
            }
            if let Some(path) = &choosing.sort_by {
                keys.add_path(&QueryPath::parse(path).ok()?);
            }
        }
    }
    if let Some(test) = test {
        keys.add_test(test);
    }
    keys.into_keys()
}

/// Returns whether the output is the number of all messages.
pub fn is_count(command: &cli::Get, query: Option<&Query>, path: &PathPattern) -> bool {
    let is_all = query.is_none() && path.message.is_none() && path.steps.is_empty();
    command.count && is_all && !command.showing.follow
}
