//! The tree of the data: which containers are open, and the rows that this makes.

use std::collections::BTreeMap;

use anstyle::Style;

use super::data::{Data, Head, Inside, Place};
use super::level::OpenLevel;
use super::skim::Skim;
use crate::commands::inspect::quoted;
use crate::failure::describe as describe_error;
use crate::terminal::style;
use crate::values::path::{push_key, push_name, root};

/// The way to a value: the number of the message, then of the element in each container. The empty one
/// leads to the stream.
pub type Route = Vec<u64>;

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// A value.
    Value,
    /// A fault in the data.
    Fault,
    /// That the data is still read.
    Reading,
}

/// A line of the tree.
#[derive(Clone, Debug)]
pub struct TreeRow {
    pub route: Route,
    pub kind: RowKind,
    /// The key, the index or the path.
    pub label: String,
    pub format: String,
    pub value: String,
    pub style: Style,
    /// For a container: whether it is open.
    pub open: Option<bool>,
    /// Where the value begins, and where it ends if that is known.
    pub span: (u64, Option<u64>),
}

/// A key with its value, an element, or a message.
pub struct Element {
    pub key: Option<(Place, Head)>,
    pub place: Place,
    pub head: Head,
}

/// The data with its open containers.
pub struct Tree {
    pub data: Data,
    levels: BTreeMap<Route, OpenLevel>,
}

impl Tree {
    /// Shows the messages of the data.
    pub fn new(data: Data) -> Tree {
        let stream = OpenLevel::new(Inside::Messages, 0, data.start());
        Tree {
            data,
            levels: BTreeMap::from([(Route::new(), stream)]),
        }
    }

    /// Returns an open container.
    pub fn level(&self, route: &[u64]) -> Option<&OpenLevel> {
        self.levels.get(route)
    }

    /// Returns the number of values of an open container whose beginning is known.
    pub fn shown(&self, route: &[u64]) -> u64 {
        self.levels.get(route).map_or(0, |level| level.shown(&self.data))
    }

    /// Returns the number of rows of an open container: one for each value, and one for what else there is
    /// to say.
    pub fn rows(&self, route: &[u64]) -> u64 {
        let Some(level) = self.levels.get(route) else {
            return 0;
        };
        let shown = level.shown(&self.data);
        let says_more = if level.fault.is_some() {
            let mut inner = route.to_vec();
            inner.push(level.passed());
            let is_inside = self.levels.get(&inner).is_some_and(|inner| inner.fault.is_some());
            !is_inside && !level.row_has_fault
        } else {
            !level.is_listed(&self.data)
        };
        shown + u64::from(says_more)
    }

    /// Returns whether the container around has a fault in this open one, which has not come to it yet.
    pub fn must_find_fault(&self, route: &[u64]) -> bool {
        let around = route.split_last().and_then(|(index, around)| {
            let level = self.levels.get(around)?;
            (level.fault.is_some() && level.passed() == *index).then_some(())
        });
        let level = self.levels.get(route);
        around.is_some() && level.is_some_and(|level| !level.is_over(&self.data))
    }

    /// Returns the row after another.
    pub fn next(&self, route: &[u64]) -> Option<Route> {
        let mut next = route.to_vec();
        next.push(0);
        if self.rows(route) > 0 {
            return Some(next);
        }
        next.pop();
        loop {
            let index = next.pop()? + 1;
            if index < self.rows(&next) {
                next.push(index);
                return Some(next);
            }
        }
    }

    /// Returns the row before another.
    pub fn previous(&self, route: &[u64]) -> Option<Route> {
        let mut previous = route.to_vec();
        let index = previous.pop()?;
        let Some(index) = index.checked_sub(1) else {
            return (!previous.is_empty()).then_some(previous);
        };
        previous.push(index);
        while let Some(last) = self.rows(&previous).checked_sub(1) {
            previous.push(last);
        }
        Some(previous)
    }

    /// Opens a container. Returns `false` if the value is none.
    pub fn open(&mut self, route: &[u64]) -> bool {
        if self.levels.contains_key(route) {
            return true;
        }
        let Ok(element) = self.element(route) else {
            return false;
        };
        let Some(inside) = element.head.inside.clone() else {
            return false;
        };
        let start = element.place.offset;
        let mut place = element.place;
        place.enter(&element.head);
        self.levels.insert(route.to_vec(), OpenLevel::new(inside, start, place));
        true
    }

    /// Closes a container and all that are in it.
    pub fn close(&mut self, route: &[u64]) {
        self.levels.retain(|open, _| !open.starts_with(route));
    }

    /// Reads on in an open container, until the ends of `wanted` values are known.
    pub fn advance(&mut self, route: &[u64], wanted: u64, budget: &mut u64) {
        self.advance_to(route, wanted, u64::MAX, budget);
    }

    /// The same, but not beyond the value that begins after the byte `until`.
    pub fn advance_to(&mut self, route: &[u64], wanted: u64, until: u64, budget: &mut u64) {
        let Some(level) = self.levels.get_mut(route) else {
            return;
        };
        level.advance(&mut self.data, wanted, until, budget);
        if level.fault.is_some() && level.has_next(&self.data) && !level.row_has_fault {
            let mut last = route.to_vec();
            last.push(level.passed());
            let has_fault = self.element(&last).is_err();
            if let Some(level) = self.levels.get_mut(route) {
                level.row_has_fault = has_fault;
            }
        }
    }

    /// Returns the element of a row.
    ///
    /// # Errors
    ///
    /// The text of a fault; nothing if the row has no element.
    pub fn element(&mut self, route: &[u64]) -> Result<Element, String> {
        let (index, parent) = route.split_last().ok_or_else(String::new)?;
        let level = self.levels.get_mut(parent).ok_or_else(String::new)?;
        if *index >= level.shown(&self.data) {
            return Err(String::new());
        }
        let mut place = level.place(*index, &mut self.data);
        let mut key = None;
        let text = |error: packord::Error| describe_error(&error);
        if let Inside::Entries(_) = level.inside {
            let head = self.data.head(&place).map_err(text)?;
            let mut skim = Skim::new(place.clone(), 1);
            skim.run(&mut self.data, &mut u64::MAX.clone()).map_err(text)?;
            key = Some((place, head));
            place = skim.place;
        }
        let head = self.data.head(&place).map_err(text)?;
        Ok(Element { key, place, head })
    }

    /// Returns where an element of an open container begins: an entry with its key.
    pub fn begin(&mut self, route: &[u64], index: u64) -> u64 {
        let level = self.levels.get_mut(route);
        level.map_or(0, |level| level.place(index, &mut self.data).offset)
    }

    /// Returns the bytes of the value of a row: where they begin, and where they end if that is known.
    pub fn span(&mut self, route: &[u64]) -> Option<(u64, Option<u64>)> {
        let element = self.element(route).ok()?;
        let start = element.place.offset;
        let (index, parent) = route.split_last()?;
        let level = self.levels.get_mut(parent)?;
        let end = if element.head.inside.is_none() {
            Some(start + element.head.len)
        } else if *index < level.passed() {
            Some(level.place(index + 1, &mut self.data).offset)
        } else {
            self.data.ends.get(&start).map(|end| end.offset)
        };
        Some((start, end))
    }

    /// Returns where a row is in the data.
    pub fn offset(&mut self, route: &[u64]) -> u64 {
        match self.element(route) {
            Ok(element) => element.place.offset,
            Err(_) => route
                .split_last()
                .and_then(|(_, parent)| self.levels.get(parent))
                .map_or(0, OpenLevel::offset),
        }
    }

    /// Returns the path of a row, in the grammar of `get`. A row without a value has that of its container.
    pub fn path(&mut self, route: &[u64]) -> String {
        let mut path = root(route.first().copied().unwrap_or_default());
        for len in 2..=route.len() {
            let Some(part) = route.get(..len) else { break };
            if let Some(step) = self.step(part) {
                path.push_str(&step);
            }
        }
        path
    }

    /// Returns the last step of the path of a row.
    fn step(&mut self, route: &[u64]) -> Option<String> {
        let (index, parent) = route.split_last()?;
        let inside = self.levels.get(parent)?.inside.clone();
        if *index >= self.shown(parent) {
            return None;
        }
        let key = match &inside {
            Inside::Entries(_) => self.element(route).ok()?.key,
            _ => None,
        };
        Some(self.data.step(&inside, *index, key.as_ref()))
    }

    /// Returns a row to show.
    pub fn row(&mut self, route: &[u64]) -> TreeRow {
        let mut row = TreeRow {
            route: route.to_vec(),
            kind: RowKind::Value,
            label: String::new(),
            format: String::new(),
            value: String::new(),
            style: style::PLAIN,
            open: None,
            span: (0, None),
        };
        let (index, parent) = match route.split_last() {
            Some((index, parent)) => (*index, parent),
            None => return row,
        };
        let Some(level) = self.levels.get(parent) else {
            return row;
        };
        if index >= level.shown(&self.data) {
            (row.kind, row.value) = match &level.fault {
                Some(fault) => (RowKind::Fault, fault.clone()),
                None => (RowKind::Reading, "reading…".to_owned()),
            };
            return row;
        }
        let inside = level.inside.clone();
        row.label = match &inside {
            Inside::Messages => root(index),
            Inside::Elements(_) => format!("[{index}]"),
            Inside::Fields(head) => quoted(head.structure.key(index as usize).unwrap_or_default()) + ":",
            Inside::Entries(_) => String::new(),
        };
        match self.element(route) {
            Err(fault) => (row.kind, row.value) = (RowKind::Fault, fault),
            Ok(element) => {
                let mut fault = None;
                if let Some((place, head)) = &element.key {
                    let (format, value, _) = self.data.describe(place, head);
                    row.label = if value.is_empty() { format } else { value } + ":";
                    fault = self.data.fault(place.offset, head.len);
                }
                let start = element.place.offset;
                let end = start + element.head.len;
                row.span = (start, element.head.inside.is_none().then_some(end));
                fault = fault.or_else(|| self.data.fault(start, element.head.len));
                if let Some(fault) = fault {
                    (row.kind, row.value) = (RowKind::Fault, fault.to_owned());
                } else {
                    let shown = self.data.describe(&element.place, &element.head);
                    (row.format, row.value, row.style) = shown;
                }
                if element.head.inside.is_some() {
                    row.open = Some(self.levels.contains_key(route));
                }
            }
        }
        row
    }
}

impl Data {
    /// Returns the step of a path to an element.
    pub fn step(&mut self, inside: &Inside, index: u64, key: Option<&(Place, Head)>) -> String {
        let mut step = String::new();
        match (inside, key) {
            (Inside::Messages, _) => step = root(index),
            (Inside::Fields(head), _) => {
                push_name(&mut step, head.structure.key(index as usize).unwrap_or_default());
            }
            (Inside::Entries(_), Some((place, head))) => match self.scalar(place, head) {
                Some(bytes) => push_key(&mut step, bytes),
                None => step.push_str("[key ...]"),
            },
            _ => step = format!("[{index}]"),
        }
        step
    }
}
