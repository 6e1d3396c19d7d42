//! Where the cursor is to go, when the data must be read for that: in pieces, so that keys still work.

use super::data::Inside;
use super::tour::{Needle, Tour, Visit};
use super::tree::{Route, Tree};
use crate::query::Query;
use crate::values::path::PathStep;

/// What a visit of a value counts as, in bytes read.
pub const VISIT: u64 = 64;

/// A place that is looked for.
pub enum Goal {
    /// The last message.
    Last,
    /// A value whose route is known.
    Route(Route),
    /// A path: the steps that are left, the route so far, and the next entry to compare with the step.
    Path {
        steps: Vec<PathStep>,
        taken: usize,
        route: Route,
        entry: u64,
    },
    /// The value that contains a byte, in the container at the route.
    Byte { offset: u64, route: Route },
    /// A value that matches.
    Search(Box<ValueSearch>),
}

/// A search from a row in one direction, and around the end of the data.
pub struct ValueSearch {
    pub needle: Needle,
    tour: Tour,
    from: Route,
    backwards: bool,
    is_around: bool,
    /// Searching backwards: the last match so far.
    best: Option<Route>,
}

/// How far a goal is.
pub enum Reached {
    /// The budget is used up; data up to this offset was read.
    Reading(u64),
    /// The row is found, and all containers around it are open.
    Found(Route),
    /// There is no such value.
    Nothing,
}

impl ValueSearch {
    /// Begins after a row, or before it.
    pub fn new(tree: &mut Tree, needle: Needle, from: &[u64], backwards: bool) -> ValueSearch {
        let tour = if backwards {
            Tour::new(&tree.data)
        } else {
            Tour::after(tree, from)
        };
        ValueSearch {
            needle,
            tour,
            from: from.to_vec(),
            backwards,
            is_around: false,
            best: None,
        }
    }

    fn run(&mut self, tree: &mut Tree, budget: &mut u64) -> Reached {
        while *budget > 0 {
            let visit = self.tour.next(&mut tree.data);
            let has_passed = visit.as_ref().is_none_or(|visit| visit.route >= self.from);
            if self.backwards && has_passed && !self.is_around {
                if let Some(best) = self.best.take() {
                    return Reached::Found(best);
                }
                self.is_around = true;
            }
            let Some(visit) = visit else {
                if self.backwards {
                    return self.best.take().map_or(Reached::Nothing, Reached::Found);
                }
                if self.is_around {
                    return Reached::Nothing;
                }
                self.is_around = true;
                self.tour = Tour::new(&tree.data);
                continue;
            };
            *budget = budget.saturating_sub(cost(&visit));
            if self.tour.matches(&mut tree.data, &visit, &self.needle) {
                if !self.backwards {
                    return Reached::Found(visit.route);
                }
                self.best = Some(visit.route);
            } else if !self.backwards && self.is_around && visit.route >= self.from {
                return Reached::Nothing;
            }
        }
        Reached::Reading(self.tour.offset())
    }
}

/// Returns what a visit takes from the budget.
pub fn cost(visit: &Visit) -> u64 {
    VISIT + visit.head.len.min(super::data::LONG)
}

impl Goal {
    /// Begins to look for a path. Without a message it is one of the first message.
    ///
    /// # Errors
    ///
    /// What is wrong with the path.
    pub fn path(text: &str) -> Result<Goal, String> {
        let first_line = |what: String| what.lines().next().unwrap_or_default().to_owned();
        let query = Query::parse(text).map_err(first_line)?;
        let message = query.range().0;
        if !query.is_plain() || query.counts_from_end() {
            return Err("expected a path without tests, .., projections and ranges".to_owned());
        }
        Ok(Goal::Path {
            route: vec![message.unsigned_abs()],
            steps: query.plain_steps().into_iter().cloned().collect(),
            taken: 0,
            entry: 0,
        })
    }

    /// Goes on until the goal is reached or the budget is used up.
    pub fn run(&mut self, tree: &mut Tree, budget: &mut u64) -> Reached {
        match self {
            Goal::Last => {
                tree.advance(&[], u64::MAX, budget);
                let Some(stream) = tree.level(&[]) else {
                    return Reached::Nothing;
                };
                if !stream.is_over(&tree.data) {
                    return Reached::Reading(stream.offset());
                }
                match tree.rows(&[]).checked_sub(1) {
                    Some(last) => Reached::Found(vec![last]),
                    None => Reached::Nothing,
                }
            }
            Goal::Route(route) => {
                let route = route.clone();
                reveal(tree, &route, budget)
            }
            Goal::Path {
                steps,
                taken,
                route,
                entry,
            } => loop {
                match reveal(tree, route, budget) {
                    Reached::Found(_) => {}
                    other => return other,
                }
                let Some(step) = steps.get(*taken) else {
                    return Reached::Found(route.clone());
                };
                match child(tree, route, step, entry, budget) {
                    Ok(Some(index)) => route.push(index),
                    Ok(None) => return Reached::Nothing,
                    Err(reading) => return reading,
                }
                *taken += 1;
                *entry = 0;
            },
            Goal::Byte { offset, route } => byte(tree, *offset, route, budget),
            Goal::Search(search) => match search.run(tree, budget) {
                Reached::Found(route) => {
                    *self = Goal::Route(route);
                    self.run(tree, budget)
                }
                other => other,
            },
        }
    }
}

/// Opens the containers around a value, as far as the data is read.
fn reveal(tree: &mut Tree, route: &[u64], budget: &mut u64) -> Reached {
    for depth in 0..route.len() {
        let (around, index) = match route.get(..=depth).and_then(|part| part.split_last()) {
            Some((index, around)) => (around, *index),
            None => break,
        };
        if !tree.open(around) {
            return Reached::Nothing;
        }
        if tree.shown(around) > index {
            continue;
        }
        tree.advance(around, index, budget);
        if tree.shown(around) > index {
            continue;
        }
        return match tree.level(around) {
            Some(level) if !level.is_over(&tree.data) => Reached::Reading(level.offset()),
            _ => Reached::Nothing,
        };
    }
    Reached::Found(route.to_vec())
}

/// Returns the number of the element that a step selects, the first if there are several. The error says
/// that the budget is used up.
fn child(
    tree: &mut Tree,
    route: &[u64],
    step: &PathStep,
    entry: &mut u64,
    budget: &mut u64,
) -> Result<Option<u64>, Reached> {
    if !tree.open(route) {
        return Ok(None);
    }
    let Some(level) = tree.level(route) else {
        return Ok(None);
    };
    let inside = level.inside.clone();
    let count = inside.count().unwrap_or_default();
    match &inside {
        Inside::Messages => Ok(None),
        Inside::Elements(_) => {
            let index = step.next_index(0, count as usize) as u64;
            Ok((index < count).then_some(index))
        }
        Inside::Fields(head) => {
            let mut keys = head.structure.keys();
            Ok(keys.position(|key| step.selects_field(key)).map(|at| at as u64))
        }
        Inside::Entries(_) => loop {
            let mut part = route.to_vec();
            part.push(*entry);
            match reveal(tree, &part, budget) {
                Reached::Found(_) => {}
                Reached::Nothing => return Ok(None),
                reading @ Reached::Reading(_) => return Err(reading),
            }
            *budget = budget.saturating_sub(VISIT);
            if let Ok(element) = tree.element(&part)
                && let Some((place, head)) = &element.key
                && tree.data.scalar(place, head).is_some_and(|key| step.selects_key(key))
            {
                return Ok(Some(*entry));
            }
            *entry += 1;
            if *budget == 0 {
                return Err(Reached::Reading(tree.offset(&part)));
            }
        },
    }
}

/// Goes down to the value that contains a byte.
fn byte(tree: &mut Tree, offset: u64, route: &mut Route, budget: &mut u64) -> Reached {
    loop {
        if !tree.open(route) {
            return Reached::Nothing;
        }
        while let Some(level) = tree.level(route) {
            if level.frontier() > offset || level.is_over(&tree.data) {
                break;
            }
            if *budget == 0 {
                return Reached::Reading(level.offset());
            }
            tree.advance_to(route, u64::MAX, offset, budget);
        }
        let shown = tree.shown(route);
        // The first element that begins after the byte.
        let (mut low, mut high) = (0, shown);
        while low < high {
            let middle = low + (high - low) / 2;
            if tree.begin(route, middle) <= offset {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let Some(index) = low.checked_sub(1) else {
            return Reached::Nothing;
        };
        route.push(index);
        let inner = match tree.element(route) {
            Ok(element) if element.head.inside.is_some() => element.place.offset + element.head.len,
            _ => return Reached::Found(route.clone()),
        };
        if offset < inner {
            return Reached::Found(route.clone());
        }
    }
}
