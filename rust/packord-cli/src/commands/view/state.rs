//! The state of the program, and what keys change in it.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::goal::{Goal, Reached, ValueSearch, cost};
use super::tour::{Needle, Tour};
use super::tree::{Route, RowKind, Tree, TreeRow};
use crate::cli::keys::{self, Action};
use crate::cli::offset;

/// Rows that a filter finds.
const FOUND: usize = 10_000;

/// What is asked for on the last line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Question {
    Search,
    Filter,
    Path,
    Byte,
}

impl Question {
    /// Returns what is before the answer.
    pub fn sign(self) -> &'static str {
        match self {
            Question::Search => "/",
            Question::Filter => "filter: ",
            Question::Path => "path: ",
            Question::Byte => "byte: ",
        }
    }
}

/// What the terminal is asked for.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing but to draw.
    None,
    /// To copy a string.
    Copy(String),
    /// To end.
    Quit,
}

/// The rows that match, with their paths.
pub struct Filter {
    needle: Needle,
    tour: Option<Tour>,
    pub rows: Vec<TreeRow>,
    pub at: usize,
    pub top: usize,
}

/// The state.
pub struct State {
    pub tree: Tree,
    pub name: String,
    pub top: Route,
    pub cursor: Route,
    /// The number of rows on the screen.
    pub height: usize,
    pub hex: bool,
    pub help: bool,
    pub question: Option<(Question, String)>,
    pub filter: Option<Filter>,
    goal: Option<Goal>,
    /// The text that was searched for last.
    searched: String,
    /// What there is to say, until the next key.
    pub note: String,
    /// How far the data is read for what was asked for.
    pub reading: Option<u64>,
}

impl State {
    /// Shows data. The only message, or the first one, is open.
    pub fn new(mut tree: Tree, name: String) -> State {
        tree.open(&[0]);
        State {
            tree,
            name,
            top: vec![0],
            cursor: vec![0],
            height: 1,
            hex: true,
            help: false,
            question: None,
            filter: None,
            goal: None,
            searched: String::new(),
            note: String::new(),
            reading: None,
        }
    }

    /// Sets the number of rows, and moves the window so that the cursor is in it.
    pub fn fit(&mut self, height: usize) {
        self.height = height.max(1);
        if let Some(filter) = &mut self.filter {
            filter.top = filter.top.min(filter.at);
            filter.top = filter.top.max((filter.at + 1).saturating_sub(self.height));
            return;
        }
        self.cursor = self.existing(self.cursor.clone());
        self.top = self.existing(self.top.clone());
        if self.cursor < self.top {
            self.top = self.cursor.clone();
        }
        if !self.window().contains(&self.cursor) {
            let mut top = self.cursor.clone();
            for _ in 1..self.height {
                match self.tree.previous(&top) {
                    Some(before) => top = before,
                    None => break,
                }
            }
            self.top = top;
        }
    }

    /// Returns the row, or the last one of the innermost container that is still open.
    fn existing(&self, mut route: Route) -> Route {
        while let Some(index) = route.pop() {
            let rows = self.tree.rows(&route);
            if rows > 0 {
                route.push(index.min(rows - 1));
                return route;
            }
        }
        vec![0]
    }

    fn window(&self) -> Vec<Route> {
        let mut routes = vec![self.top.clone()];
        while routes.len() < self.height {
            match routes.last().and_then(|last| self.tree.next(last)) {
                Some(next) => routes.push(next),
                None => break,
            }
        }
        if self.tree.rows(&[]) == 0 {
            routes.clear();
        }
        routes
    }

    /// Returns the rows on the screen.
    pub fn rows(&mut self) -> Vec<TreeRow> {
        if let Some(filter) = &self.filter {
            let rows = filter.rows.iter().skip(filter.top);
            return rows.take(self.height).cloned().collect();
        }
        let window = self.window();
        window.iter().map(|route| self.tree.row(route)).collect()
    }

    /// Returns the row of the cursor, in the tree or in the filter.
    pub fn selected(&self) -> Route {
        match &self.filter {
            Some(filter) => match filter.rows.get(filter.at) {
                Some(row) => row.route.clone(),
                None => Route::new(),
            },
            None => self.cursor.clone(),
        }
    }

    /// Reads what the screen or a question needs, about `budget` bytes of it. Returns whether there is more
    /// to read.
    pub fn work(&mut self, budget: u64) -> bool {
        let mut left = budget;
        self.reading = None;
        if let Some(mut goal) = self.goal.take() {
            match goal.run(&mut self.tree, &mut left) {
                Reached::Found(route) => self.cursor = route,
                Reached::Nothing => "nothing found".clone_into(&mut self.note),
                Reached::Reading(offset) => {
                    self.reading = Some(offset);
                    self.goal = Some(goal);
                }
            }
            self.fit(self.height);
        }
        if let Some(filter) = &mut self.filter {
            filter.run(&mut self.tree, &mut left);
            if let Some(tour) = &filter.tour {
                self.reading = Some(tour.offset());
            }
            return self.reading.is_some();
        }
        let mut more = self.goal.is_some();
        // Each row that says so has data to read, and then there may be other such rows.
        while left > 0 {
            let window = self.window();
            let unread = window.iter().find_map(|route| {
                let (index, around) = route.split_last()?;
                let level = self.tree.level(around)?;
                let is_over = level.is_over(&self.tree.data);
                let is_reading = *index >= level.shown(&self.tree.data) && !is_over;
                let is_reading = is_reading || self.tree.must_find_fault(around);
                is_reading.then(|| (around.to_vec(), level.passed()))
            });
            let Some((around, passed)) = unread else {
                return more;
            };
            self.tree.advance(&around, passed + self.height as u64, &mut left);
            more = true;
        }
        true
    }

    /// Does what a key asks for.
    pub fn key(&mut self, key: KeyEvent) -> Effect {
        self.note.clear();
        if let Some((question, text)) = &mut self.question {
            let question = *question;
            match key.code {
                _ if keys::is_interrupt(key) => return Effect::Quit,
                KeyCode::Char(letter) => text.push(letter),
                KeyCode::Backspace => {
                    text.pop();
                }
                KeyCode::Esc => self.question = None,
                KeyCode::Enter => {
                    let text = std::mem::take(text);
                    self.question = None;
                    self.answer(question, &text);
                }
                _ => {}
            }
            return Effect::None;
        }
        match keys::action(key) {
            Some(action) => self.act(action),
            None => Effect::None,
        }
    }

    /// Does what is bound to a key.
    pub fn act(&mut self, action: Action) -> Effect {
        let is_help = std::mem::take(&mut self.help);
        match action {
            Action::Down => self.step(1, true),
            Action::Up => self.step(1, false),
            Action::PageDown => self.step(self.height, true),
            Action::PageUp => self.step(self.height, false),
            Action::First => {
                self.goal = None;
                self.cursor = vec![0];
                if let Some(filter) = &mut self.filter {
                    filter.at = 0;
                }
            }
            Action::Last => match &mut self.filter {
                Some(filter) => filter.at = filter.rows.len().saturating_sub(1),
                None => self.goal = Some(Goal::Last),
            },
            Action::Toggle if self.filter.is_some() => self.show_in_tree(),
            Action::Unfold | Action::Fold | Action::Toggle | Action::Parent if self.filter.is_none() => {
                self.fold(action);
            }
            Action::Search => self.question = Some((Question::Search, String::new())),
            Action::Filter => self.question = Some((Question::Filter, String::new())),
            Action::Path => self.question = Some((Question::Path, String::new())),
            Action::Byte => self.question = Some((Question::Byte, String::new())),
            Action::Next => self.search(false),
            Action::Previous => self.search(true),
            Action::Copy => {
                let path = self.path();
                self.note = format!("copied {path}");
                return Effect::Copy(path);
            }
            Action::Hex => self.hex = !self.hex,
            Action::Help => self.help = !is_help,
            Action::Cancel if self.goal.is_some() => self.goal = None,
            Action::Cancel => self.filter = None,
            Action::Quit => return Effect::Quit,
            _ => {}
        }
        self.fit(self.height);
        Effect::None
    }

    /// Returns the path of the selected row.
    pub fn path(&mut self) -> String {
        match &self.filter {
            Some(filter) => filter
                .rows
                .get(filter.at)
                .map_or_else(String::new, |row| row.label.clone()),
            None => self.tree.path(&self.cursor),
        }
    }

    /// Returns the bytes of the selected value: where they begin, and where they end if that is known.
    pub fn selected_span(&mut self) -> Option<(u64, Option<u64>)> {
        match &self.filter {
            Some(filter) => filter.rows.get(filter.at).map(|row| row.span),
            None => self.tree.span(&self.cursor),
        }
    }

    fn step(&mut self, count: usize, down: bool) {
        self.goal = None;
        if let Some(filter) = &mut self.filter {
            let last = filter.rows.len().saturating_sub(1);
            let moved = if down {
                filter.at + count
            } else {
                filter.at.saturating_sub(count)
            };
            filter.at = moved.min(last);
            return;
        }
        for _ in 0..count {
            let next = if down {
                self.tree.next(&self.cursor)
            } else {
                self.tree.previous(&self.cursor)
            };
            match next {
                Some(next) => self.cursor = next,
                None => break,
            }
        }
    }

    fn fold(&mut self, action: Action) {
        let is_open = self.tree.level(&self.cursor).is_some();
        match action {
            Action::Unfold if is_open => self.step(1, true),
            Action::Toggle | Action::Unfold if !is_open => {
                self.tree.open(&self.cursor);
            }
            Action::Toggle | Action::Fold if is_open => self.tree.close(&self.cursor),
            Action::Fold | Action::Parent if self.cursor.len() > 1 => {
                self.cursor.pop();
            }
            _ => {}
        }
    }

    fn answer(&mut self, question: Question, text: &str) {
        match question {
            Question::Search => {
                if !text.is_empty() {
                    text.clone_into(&mut self.searched);
                }
                self.search(false);
            }
            Question::Filter if text.is_empty() => self.filter = None,
            Question::Filter => {
                self.filter = Some(Filter {
                    needle: Needle::new(text),
                    tour: Some(Tour::new(&self.tree.data)),
                    rows: Vec::new(),
                    at: 0,
                    top: 0,
                });
            }
            Question::Path => match Goal::path(text) {
                Ok(goal) => self.go(goal),
                Err(wrong) => self.note = wrong,
            },
            Question::Byte => match offset(text) {
                Ok(offset) if offset < self.tree.data.source.len() => {
                    self.go(Goal::Byte {
                        offset,
                        route: Route::new(),
                    });
                }
                Ok(offset) => self.note = format!("no value at byte {offset}"),
                Err(wrong) => self.note = wrong,
            },
        }
    }

    fn go(&mut self, goal: Goal) {
        self.filter = None;
        self.goal = Some(goal);
    }

    fn search(&mut self, backwards: bool) {
        if self.searched.is_empty() {
            return;
        }
        let from = self.selected();
        self.filter = None;
        let needle = Needle::new(&self.searched);
        let search = ValueSearch::new(&mut self.tree, needle, &from, backwards);
        self.goal = Some(Goal::Search(Box::new(search)));
    }

    fn show_in_tree(&mut self) {
        let route = self.selected();
        if !route.is_empty() {
            self.go(Goal::Route(route));
        }
    }
}

impl Filter {
    /// Returns the string that all rows match.
    pub fn text(&self) -> &str {
        self.needle.text()
    }

    fn run(&mut self, tree: &mut Tree, budget: &mut u64) {
        while let Some(tour) = self.tour.as_mut().filter(|_| *budget > 0) {
            let visit = tour.next(&mut tree.data).filter(|_| self.rows.len() < FOUND);
            let Some(visit) = visit else {
                self.tour = None;
                return;
            };
            *budget = budget.saturating_sub(cost(&visit));
            if tour.matches(&mut tree.data, &visit, &self.needle) {
                let end = visit.place.offset + visit.head.len;
                let end = visit.head.inside.is_none().then_some(end);
                let (format, value, style) = tree.data.describe(&visit.place, &visit.head);
                self.rows.push(TreeRow {
                    label: tour.path(&mut tree.data, &visit),
                    kind: RowKind::Value,
                    route: visit.route,
                    format,
                    value,
                    style,
                    open: None,
                    span: (visit.place.offset, end),
                });
            }
        }
    }

    /// Returns whether there may be more matches than are shown.
    pub fn is_full(&self) -> bool {
        self.rows.len() >= FOUND
    }
}
