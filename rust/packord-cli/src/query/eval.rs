//! What a query selects in a message.

use packord::Value;
use packord::document::{Node, NodeKey};

use super::grammar::{Entries, Query, QueryPath, QueryStep};
use crate::path::{self, PathStep};

/// A value that was found.
pub enum Found<'d, 'a> {
    /// A part of the message.
    Part(Node<'d, 'a>),
    /// A map that the query makes.
    Made(Value),
}

impl Query {
    /// Passes what the query selects to `take`, with its path, in the order of the data.
    ///
    /// # Errors
    ///
    /// Those of `take`.
    pub fn select<'d, 'a, E>(
        &self,
        root: Node<'d, 'a>,
        place: String,
        mut take: impl FnMut(Found<'d, 'a>, &str) -> Result<(), E>,
    ) -> Result<(), E> {
        select(&self.steps, root, place, &mut take)
    }
}

/// Walks with a stack of its own: messages may be deeper than the program's stack.
fn select<'d, 'a, E>(
    steps: &[QueryStep],
    root: Node<'d, 'a>,
    place: String,
    take: &mut impl FnMut(Found<'d, 'a>, &str) -> Result<(), E>,
) -> Result<(), E> {
    // Values to look at, the next one last: with the number of steps before it.
    let mut open = vec![(root, place, 0)];
    while let Some((node, place, done)) = open.pop() {
        let Some(step) = steps.get(done) else {
            take(Found::Part(node), &place)?;
            continue;
        };
        let start = open.len();
        match step {
            QueryStep::Project(entries) => take(Found::Made(entries.of(node)), &place)?,
            QueryStep::Into(step) => children(node, &place, |index, count, key, child, place| {
                if selects(step, index, count, key) {
                    open.push((child, place(), done + 1));
                }
            }),
            QueryStep::Where(test) => children(node, &place, |_, _, _, child, place| {
                if test.holds(child) {
                    open.push((child, place(), done + 1));
                }
            }),
            QueryStep::Within(step) => {
                children(node, &place, |index, count, key, child, place| {
                    let is_selected = selects(step, index, count, key);
                    let is_open = child.is_array() || child.is_map();
                    if is_selected || is_open {
                        let place = place();
                        if is_selected {
                            open.push((child, place.clone(), done + 1));
                        }
                        if is_open {
                            open.push((child, place, done));
                        }
                    }
                });
            }
        }
        open[start..].reverse();
    }
    Ok(())
}

/// Calls `take` with each element, entry or field: its index, their number, its key, itself, and how its
/// path is made.
fn children<'d, 'a>(
    node: Node<'d, 'a>,
    place: &str,
    mut take: impl FnMut(usize, usize, Option<NodeKey<'d, 'a>>, Node<'d, 'a>, &dyn Fn() -> String),
) {
    if node.is_array() {
        let count = node.len();
        for (index, child) in node.elements().enumerate() {
            take(index, count, None, child, &|| match place {
                "" => String::new(),
                place => format!("{place}[{index}]"),
            });
        }
    } else if node.is_map() {
        for (key, child) in node.entries() {
            take(0, 0, Some(key), child, &|| {
                let mut place = place.to_owned();
                match key {
                    _ if place.is_empty() => {}
                    NodeKey::Node(key) => path::push_key(&mut place, key.bytes()),
                    NodeKey::Name(name) => path::push_name(&mut place, name),
                }
                place
            });
        }
    }
}

fn selects(step: &PathStep, index: usize, count: usize, key: Option<NodeKey<'_, '_>>) -> bool {
    match key {
        None => step.selects_index(index, count),
        Some(NodeKey::Node(key)) => step.selects_key(key.bytes()),
        Some(NodeKey::Name(name)) => step.selects_field(name),
    }
}

impl Entries {
    /// Returns the names of the entries.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Makes the map. A path that can select several values becomes an array of them, and one that
    /// selects nothing nil.
    #[must_use]
    pub fn of(&self, node: Node<'_, '_>) -> Value {
        let entries = self.0.iter().map(|(name, steps)| {
            let value = match follow(steps, node) {
                (Some(node), []) => node.to_value(),
                (Some(node), [QueryStep::Project(entries)]) => entries.of(node),
                (None, [] | [QueryStep::Project(_)]) => Value::Nil,
                (node, steps) => {
                    let values = node.map_or_else(Vec::new, |node| all(steps, node));
                    Value::Array(values.into())
                }
            };
            (Value::from(name.as_str()), value)
        });
        Value::Map(entries.collect())
    }
}

fn all(steps: &[QueryStep], node: Node<'_, '_>) -> Vec<Value> {
    let mut values = Vec::new();
    let Ok(()) = select(steps, node, String::new(), &mut |found, _: &str| {
        values.push(match found {
            Found::Part(node) => node.to_value(),
            Found::Made(value) => value,
        });
        Ok::<(), std::convert::Infallible>(())
    });
    values
}

impl QueryPath {
    /// Returns the first value at the path: of a key that occurs twice, the last one.
    #[must_use]
    pub fn first<'d, 'a>(&self, node: Node<'d, 'a>) -> Option<Node<'d, 'a>> {
        match follow(&self.0, node) {
            (found, []) => found,
            (found, steps) => first_of(steps, found?),
        }
    }
}

/// Follows the names and indexes at the start of a path, for which no stack is needed: of a key that occurs twice,
/// to the last value. Returns the value there, and the steps after them.
fn follow<'d, 'a, 's>(
    steps: &'s [QueryStep],
    node: Node<'d, 'a>,
) -> (Option<Node<'d, 'a>>, &'s [QueryStep]) {
    let mut at = Some(node);
    for (done, step) in steps.iter().enumerate() {
        let QueryStep::Into(step @ (PathStep::Key(_) | PathStep::Index(_))) = step else {
            return (at, &steps[done..]);
        };
        at = at.and_then(|at| match step {
            PathStep::Key(_) if at.is_map() => {
                let is_named = |key| selects(step, 0, 0, Some(key));
                Some(at.entries().filter(|(key, _)| is_named(*key)).last()?.1)
            }
            PathStep::Index(_) if at.is_array() => {
                let mut elements = at.elements().enumerate();
                let found = elements.find(|(index, _)| step.selects_index(*index, at.len()));
                Some(found?.1)
            }
            _ => None,
        });
    }
    (at, &[])
}

fn first_of<'d, 'a>(steps: &[QueryStep], node: Node<'d, 'a>) -> Option<Node<'d, 'a>> {
    let mut first = None;
    let _ = select(
        steps,
        node,
        String::new(),
        &mut |found, _: &str| match found {
            Found::Part(node) => {
                first = Some(node);
                Err(())
            }
            Found::Made(_) => Ok(()),
        },
    );
    first
}
