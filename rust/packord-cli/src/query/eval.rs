//! What a query selects in a message.

use std::cmp::Ordering;

use packord::Value;
use packord::document::{Node, NodeKey};

use super::grammar::{Comparator, Operand, Query, QueryPath, QueryStep, Test};
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
            QueryStep::Project(fields) => take(Found::Made(project(fields, node)), &place)?,
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

/// Makes a map. A path that can select several values becomes an array of them, and one that selects
/// nothing nil.
fn project(fields: &[(String, Vec<QueryStep>)], node: Node<'_, '_>) -> Value {
    let entries = fields.iter().map(|(name, steps)| {
        let found = all(steps, node);
        let is_one = steps.iter().all(|step| {
            matches!(
                step,
                QueryStep::Into(PathStep::Key(_) | PathStep::Index(_)) | QueryStep::Project(_)
            )
        });
        let value = if is_one {
            found.into_iter().next().unwrap_or(Value::Nil)
        } else {
            Value::Array(found.into())
        };
        (Value::from(name.as_str()), value)
    });
    Value::Map(entries.collect())
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
    /// Returns the first value at the path.
    fn first<'d, 'a>(&self, node: Node<'d, 'a>) -> Option<Node<'d, 'a>> {
        if self.0.is_empty() {
            return Some(node);
        }
        let mut first = None;
        let _ = select(
            &self.0,
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
}

impl Test {
    /// Returns whether the test holds for a value.
    #[must_use]
    pub fn holds(&self, node: Node<'_, '_>) -> bool {
        match self {
            Test::Or(tests) => tests.iter().any(|test| test.holds(node)),
            Test::And(tests) => tests.iter().all(|test| test.holds(node)),
            Test::Not(test) => !test.holds(node),
            Test::Exists(path) => path.first(node).is_some(),
            Test::Compare(left, comparator, right) => {
                comparator.holds(left.value(node), right.value(node))
            }
            Test::Contains(whole, part) => match (whole.value(node), part.value(node)) {
                (Some(Value::Str(whole)), Some(Value::Str(part))) => whole.contains(&*part),
                (Some(Value::Array(whole)), Some(part)) => whole
                    .iter()
                    .any(|element| compare(element, &part) == Some(Ordering::Equal)),
                _ => false,
            },
            Test::StartsWith(whole, part) => match (whole.value(node), part.value(node)) {
                (Some(Value::Str(whole)), Some(Value::Str(part))) => whole.starts_with(&*part),
                _ => false,
            },
            Test::EndsWith(whole, part) => match (whole.value(node), part.value(node)) {
                (Some(Value::Str(whole)), Some(Value::Str(part))) => whole.ends_with(&*part),
                _ => false,
            },
        }
    }
}

impl Operand {
    fn value(&self, node: Node<'_, '_>) -> Option<Value> {
        match self {
            Operand::Literal(value) => Some(value.clone()),
            Operand::At(path) => path.first(node).map(Node::to_value),
            Operand::Length(path) => {
                let node = path.first(node)?;
                let len = match node.as_str() {
                    Some(text) => text.chars().count(),
                    None if node.is_array() || node.is_map() => node.len(),
                    None => return None,
                };
                Some(Value::from(len as u64))
            }
        }
    }
}

impl Comparator {
    /// Compares as RFC 9535 does: values of different types are unequal, and a missing value is equal to a
    /// missing value only.
    fn holds(self, left: Option<Value>, right: Option<Value>) -> bool {
        let order = match (&left, &right) {
            (Some(left), Some(right)) => compare(left, right),
            (None, None) => Some(Ordering::Equal),
            _ => None,
        };
        let has_order = matches!((&left, &right), (Some(Value::Str(_)), Some(Value::Str(_))))
            || left
                .as_ref()
                .zip(right.as_ref())
                .is_some_and(|(left, right)| left.as_f64().is_some() && right.as_f64().is_some());
        match self {
            Comparator::Equal => order == Some(Ordering::Equal),
            Comparator::Unequal => order != Some(Ordering::Equal),
            Comparator::Less => has_order && order == Some(Ordering::Less),
            Comparator::Greater => has_order && order == Some(Ordering::Greater),
            Comparator::AtMost => {
                order == Some(Ordering::Equal) || (has_order && order == Some(Ordering::Less))
            }
            Comparator::AtLeast => {
                order == Some(Ordering::Equal) || (has_order && order == Some(Ordering::Greater))
            }
        }
    }
}

/// Returns how two values compare, or `None` if they are neither equal nor ordered. `1` equals `1.0`.
fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.as_i128().cmp(&right.as_i128())),
        (Value::Str(left), Value::Str(right)) => Some(left.cmp(right)),
        _ => match (left.as_f64(), right.as_f64()) {
            (Some(left), Some(right)) => left.partial_cmp(&right),
            _ => (left == right).then_some(Ordering::Equal),
        },
    }
}
