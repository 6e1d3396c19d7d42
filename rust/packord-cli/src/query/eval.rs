//! What a query selects in a message.

use packord::encode::Packer;

use super::grammar::{Entries, Query, QueryPath, QueryStep};
use super::part::{Child, Children, Part};
use crate::values::path::{self, PathStep};

impl Query {
    /// Passes what the query selects to `take`, with its path, in the order of the data. The first `done` steps were
    /// made before.
    ///
    /// # Errors
    ///
    /// Those of `take`.
    pub fn select<E>(
        &self,
        done: usize,
        root: Part<'_>,
        place: String,
        mut take: impl FnMut(Part<'_>, &str) -> Result<(), E>,
    ) -> Result<(), E> {
        let steps = self.steps.get(done..).unwrap_or_default();
        select(steps, root, place, false, &mut |found, place| match found {
            Found::Part(part) => take(part, place),
            Found::Made(bytes) => take(Part::of_message(&bytes), place),
        })
    }
}

/// A value that was found.
enum Found<'a> {
    /// A part of the message.
    Part(Part<'a>),
    /// A map that the query makes.
    Made(Vec<u8>),
}

/// What is still to be looked at, with the number of steps before it.
enum Open<'a> {
    /// A value and its path.
    Value(Part<'a>, String, usize),
    /// The rest of a container, for `..`, and the length of its path, with which those of all that is looked at before
    /// it begin. The value before it may be open: then it ends where that does.
    Inside(Children<'a>, usize, usize, bool),
}

/// Walks with a stack of its own: messages may be deeper than the program's stack. A step to a key leads to its last
/// value if `is_lookup` says so, and paths are not wanted then; else to all.
fn select<'a, E>(
    steps: &[QueryStep],
    root: Part<'a>,
    place: String,
    is_lookup: bool,
    take: &mut impl FnMut(Found<'a>, &str) -> Result<(), E>,
) -> Result<(), E> {
    // The next one last.
    let mut open = vec![Open::Value(root, place, 0)];
    // What follows the container that was looked into last.
    let mut after: &[u8] = &[];
    // The path of what was looked at last for `..`.
    let mut inside = String::new();
    while let Some(next) = open.pop() {
        let (part, place, done) = match next {
            Open::Value(part, place, done) => (part, place, done),
            Open::Inside(mut children, len, done, is_inner_open) => {
                if is_inner_open {
                    children.rest = after;
                }
                let Some(child) = children.enter() else {
                    after = children.rest;
                    continue;
                };
                let is_selected =
                    matches!(&steps[done], QueryStep::Within(step) if selects(step, &child, children.count));
                let is_open = child.part.count().is_some();
                if !is_open {
                    children.pass();
                }
                open.push(Open::Inside(children, len, done, is_open));
                if is_open || is_selected {
                    inside.truncate(len);
                    push_step(&mut inside, &child);
                }
                if is_open {
                    let within = child.part.children();
                    open.push(Open::Inside(within, inside.len(), done, false));
                }
                if is_selected {
                    open.push(Open::Value(child.part, inside.clone(), done + 1));
                }
                continue;
            }
        };
        let start = open.len();
        let children = part.children();
        let count = children.count;
        match steps.get(done) {
            None => take(Found::Part(part), &place)?,
            Some(QueryStep::Project(entries)) => take(Found::Made(entries.of(part)), &place)?,
            Some(QueryStep::Within(_)) => {
                open.push(Open::Inside(children, place.len(), done, false));
                inside = place;
            }
            Some(QueryStep::Into(PathStep::Key(key))) if is_lookup => {
                open.extend(part.entry(key).map(|value| Open::Value(value, place, done + 1)));
            }
            Some(QueryStep::Into(step)) => open.extend(
                children
                    .filter(|child| selects(step, child, count))
                    .map(|child| Open::Value(child.part, place_of(&child, &place), done + 1)),
            ),
            Some(QueryStep::Where(test)) => open.extend(
                children
                    .filter(|child| test.holds(child.part))
                    .map(|child| Open::Value(child.part, place_of(&child, &place), done + 1)),
            ),
        }
        open[start..].reverse();
    }
    Ok(())
}

/// Returns the path of a child, unless paths are not wanted.
fn place_of(child: &Child<'_>, place: &str) -> String {
    let mut place = place.to_owned();
    push_step(&mut place, child);
    place
}

/// Adds the step to a child to a path, unless paths are not wanted.
fn push_step(place: &mut String, child: &Child<'_>) {
    match child.key {
        _ if place.is_empty() => {}
        None => place.push_str(&format!("[{}]", child.index)),
        Some(key) => path::push_key(place, key),
    }
}

fn selects(step: &PathStep, child: &Child<'_>, count: usize) -> bool {
    match child.key {
        None => step.selects_index(child.index, count),
        Some(key) => step.selects_key(key),
    }
}

impl Entries {
    /// Returns the names of the entries.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Makes the map, packed. A path that can select several values becomes an array of them, and one that
    /// selects nothing nil.
    #[must_use]
    pub fn of(&self, part: Part<'_>) -> Vec<u8> {
        let mut made = Vec::new();
        // Neither the names nor the values that are found are more than a container can have.
        push(&mut made, |packer| packer.map(self.0.len()));
        for (name, steps) in &self.0 {
            push(&mut made, |packer| packer.str(name));
            match follow(steps, part) {
                (Some(part), []) => made.extend_from_slice(part.bytes()),
                (Some(part), [QueryStep::Project(entries)]) => made.extend(entries.of(part)),
                (None, [] | [QueryStep::Project(_)]) => push(&mut made, Packer::nil),
                (part, steps) => {
                    let found = part.map_or_else(Vec::new, |part| all(steps, part));
                    push(&mut made, |packer| packer.array(found.len()));
                    made.extend(found.concat());
                }
            }
        }
        made
    }
}

fn push(bytes: &mut Vec<u8>, write: impl FnOnce(&mut Packer<Vec<u8>>) -> packord::Result<()>) {
    let mut packer = Packer::new(std::mem::take(bytes));
    let _ = write(&mut packer);
    *bytes = packer.into_buffer();
}

fn all(steps: &[QueryStep], part: Part<'_>) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let Ok(()) = select(steps, part, String::new(), true, &mut |one, _: &str| {
        found.push(match one {
            Found::Part(part) => part.bytes().to_vec(),
            Found::Made(bytes) => bytes,
        });
        Ok::<(), std::convert::Infallible>(())
    });
    found
}

impl QueryPath {
    /// Returns the first value at the path: of a key that occurs twice, the last one.
    #[must_use]
    pub fn first<'a>(&self, part: Part<'a>) -> Option<Part<'a>> {
        match follow(&self.0, part) {
            (found, []) => found,
            (found, steps) => first_of(steps, found?),
        }
    }
}

/// Follows the names and indexes at the start of a path, for which no stack is needed: of a key that occurs twice,
/// to the last value. Returns the value there, and the steps after them.
fn follow<'a, 's>(steps: &'s [QueryStep], part: Part<'a>) -> (Option<Part<'a>>, &'s [QueryStep]) {
    let mut at = Some(part);
    for (done, step) in steps.iter().enumerate() {
        at = match step {
            QueryStep::Into(PathStep::Key(key)) => at.and_then(|at| at.entry(key)),
            QueryStep::Into(step @ PathStep::Index(_)) => at
                .filter(|at| at.is_array())
                .and_then(|at| {
                    let count = at.count()?;
                    at.children().nth(step.next_index(0, count))
                })
                .map(|child| child.part),
            _ => return (at, &steps[done..]),
        };
    }
    (at, &[])
}

fn first_of<'a>(steps: &[QueryStep], part: Part<'a>) -> Option<Part<'a>> {
    let mut first = None;
    let _ = select(steps, part, String::new(), true, &mut |found, _: &str| match found {
        Found::Part(part) => {
            first = Some(part);
            Err(())
        }
        Found::Made(_) => Ok(()),
    });
    first
}
