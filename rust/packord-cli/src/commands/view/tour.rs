//! A walk over all values, open or not, for searches and filters.

use packord::wire::Kind;
use packord::{Event, Token, Walker};

use super::data::{Data, Head, Inside, Place};
use super::skim::Skim;
use super::tree::{Route, Tree};

/// A walk over all values in their order.
pub struct Tour {
    stops: Vec<Stop>,
    place: Place,
}

struct Stop {
    inside: Inside,
    /// The number of the next element.
    next: u64,
    /// The key of the current entry.
    key: Option<(Place, Head)>,
}

/// A value that the walk has come to.
pub struct Visit {
    pub route: Route,
    pub place: Place,
    pub head: Head,
}

impl Tour {
    /// Begins before the first message.
    pub fn new(data: &Data) -> Tour {
        Tour {
            stops: vec![Stop {
                inside: Inside::Messages,
                next: 0,
                key: None,
            }],
            place: data.start(),
        }
    }

    /// Begins after a row: with what is in it, if it is a container.
    pub fn after(tree: &mut Tree, route: &[u64]) -> Tour {
        let mut tour = Tour::new(&tree.data);
        let Ok(element) = tree.element(route) else {
            return tour;
        };
        tour.stops.clear();
        for (depth, index) in route.iter().enumerate() {
            let around = route.get(..depth).unwrap_or_default();
            let Some(level) = tree.level(around) else {
                return Tour::new(&tree.data);
            };
            let inside = level.inside.clone();
            let part = route.get(..=depth).unwrap_or_default();
            let key = tree.element(part).ok().and_then(|element| element.key);
            tour.stops.push(Stop {
                inside,
                next: index + 1,
                key,
            });
        }
        tour.place = element.place;
        tour.enter(&element.head);
        tour
    }

    /// Returns how far it has come.
    pub fn offset(&self) -> u64 {
        self.place.offset
    }

    /// Goes to the next value. `None` at the end of what can be read.
    pub fn next(&mut self, data: &mut Data) -> Option<Visit> {
        loop {
            let stop = self.stops.last_mut()?;
            let is_over = match stop.inside.count() {
                Some(count) => stop.next >= count,
                None => self.place.offset >= data.source.len(),
            };
            if is_over {
                self.stops.pop();
                continue;
            }
            stop.next += 1;
            match stop.inside {
                Inside::Messages if !data.sequential => self.place.known = data.shared.clone(),
                Inside::Entries(_) => {
                    let head = data.head(&self.place).ok()?;
                    let mut skim = Skim::new(self.place.clone(), 1);
                    skim.run(data, &mut u64::MAX.clone()).ok()?;
                    stop.key = Some((std::mem::replace(&mut self.place, skim.place), head));
                }
                _ => {}
            }
            let head = data.head(&self.place).ok()?;
            let visit = Visit {
                route: self.stops.iter().map(|stop| stop.next - 1).collect(),
                place: self.place.clone(),
                head,
            };
            self.enter(&visit.head);
            return Some(visit);
        }
    }

    fn enter(&mut self, head: &Head) {
        self.place.enter(head);
        if let Some(inside) = &head.inside {
            self.stops.push(Stop {
                inside: inside.clone(),
                next: 0,
                key: None,
            });
        }
    }

    /// Returns the path of the value that was visited last.
    pub fn path(&self, data: &mut Data, visit: &Visit) -> String {
        let stops = self.stops.iter().take(visit.route.len());
        stops
            .map(|stop| data.step(&stop.inside, stop.next - 1, stop.key.as_ref()))
            .collect()
    }

    /// Returns whether the key or the value that was visited last matches.
    pub fn matches(&self, data: &mut Data, visit: &Visit, needle: &Needle) -> bool {
        let stop = visit.route.len().checked_sub(1).and_then(|at| self.stops.get(at));
        let name = match stop {
            Some(Stop {
                inside: Inside::Fields(head),
                next,
                ..
            }) => head.structure.key(*next as usize - 1),
            _ => None,
        };
        if name.is_some_and(|name| needle.is_in(name)) {
            return true;
        }
        let key = stop.and_then(|stop| stop.key.as_ref());
        key.is_some_and(|(place, head)| needle.is_value(data, place, head))
            || needle.is_value(data, &visit.place, &visit.head)
    }
}

/// What is searched for: a part of a string, without regard to case if it has no capital letters.
pub struct Needle {
    text: String,
    any_case: bool,
}

impl Needle {
    /// Takes the string.
    pub fn new(text: &str) -> Needle {
        Needle {
            text: text.to_owned(),
            any_case: !text.chars().any(char::is_uppercase),
        }
    }

    /// Returns the string.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn is_in(&self, text: &str) -> bool {
        if self.any_case {
            // Almost all strings are ASCII, where nothing needs to be built.
            let (text, part) = (text.as_bytes(), self.text.as_bytes());
            if text.is_ascii() {
                return part.is_empty() || text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part));
            }
            return String::from_utf8_lossy(text).to_lowercase().contains(&self.text);
        }
        memchr::memmem::find(text.as_bytes(), self.text.as_bytes()).is_some()
    }

    fn is_value(&self, data: &mut Data, place: &Place, head: &Head) -> bool {
        let Some(bytes) = data.scalar(place, head) else {
            return false;
        };
        if Kind::at(bytes) == Some(Kind::Str) {
            let event = Walker::new(bytes).next();
            return matches!(event, Ok(Some(Event { token: Token::Str(text), .. })) if self.is_in(text));
        }
        let (format, value, _) = data.describe(place, head);
        self.is_in(if value.is_empty() { &format } else { &value })
    }
}
