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
                None if command.count || command.totals.is_used() => {}
                None => keys = KeySet::All,
            }
            for path in command.totals.paths() {
                keys.add_path(&QueryPath::parse(path).ok()?);
            }
            let order = choosing.sort_by.as_deref().map(QueryPath::parse_order);
            for (path, _) in order.transpose().ok()?.into_iter().flatten() {
                keys.add_path(&path);
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
