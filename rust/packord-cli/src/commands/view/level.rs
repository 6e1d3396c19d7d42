//! The elements of an open container, or the messages of the stream: where they begin.

use packord::Error;

use super::data::{Data, Inside, Place};
use super::skim::Skim;
use crate::failure::describe as describe_error;

/// The place of each 256th element is remembered.
const STRIDE: u64 = 256;
/// Bytes from which on the end of an element is remembered.
const LONG: u64 = 16 << 10;

/// An open container.
pub struct OpenLevel {
    /// What is in it.
    pub inside: Inside,
    /// Where the container itself begins.
    start: u64,
    /// The places of the elements 0, 256, 512…
    marks: Vec<Place>,
    /// The number of elements whose end is known, and the walk over the next one.
    passed: u64,
    skim: Skim,
    frontier: Place,
    /// The number of elements that the walk is over.
    batch: u64,
    /// The bytes between the last two marks.
    mark_len: u64,
    /// Whether elements are passed one by one up to the next mark.
    is_careful: bool,
    /// The first bytes of elements that were seen.
    starts: [bool; 256],
    /// The place that was asked for last.
    last: (u64, Place),
    /// Why it cannot be read to its end.
    pub fault: Option<String>,
    /// Whether the row of the last element shows that.
    pub row_has_fault: bool,
}

impl OpenLevel {
    /// Opens a container whose header begins at `start`, and whose elements begin at `place`.
    pub fn new(inside: Inside, start: u64, place: Place) -> OpenLevel {
        OpenLevel {
            skim: Skim::new(place.clone(), inside.values()),
            inside,
            start,
            marks: vec![place.clone()],
            passed: 0,
            last: (0, place.clone()),
            frontier: place,
            batch: 1,
            mark_len: LONG,
            is_careful: false,
            starts: [false; 256],
            fault: None,
            row_has_fault: false,
        }
    }

    /// Returns the number of elements whose beginning is known.
    pub fn shown(&self, data: &Data) -> u64 {
        self.passed + u64::from(self.has_next(data))
    }

    /// Returns whether there is an element after those that are passed.
    pub fn has_next(&self, data: &Data) -> bool {
        let more = self.inside.count().is_none_or(|count| self.passed < count);
        more && self.frontier.offset < data.source.len()
    }

    /// Returns whether all elements are passed.
    pub fn is_done(&self, data: &Data) -> bool {
        match self.inside.count() {
            Some(count) => self.passed == count,
            None => self.frontier.offset >= data.source.len(),
        }
    }

    /// Returns whether it will never be read further.
    pub fn is_over(&self, data: &Data) -> bool {
        self.fault.is_some() || self.is_done(data)
    }

    /// Returns whether the beginnings of all elements are known.
    pub fn is_listed(&self, data: &Data) -> bool {
        self.is_done(data) || self.inside.count() == Some(self.shown(data))
    }

    /// Returns up to where it was read.
    pub fn offset(&self) -> u64 {
        self.skim.place.offset
    }

    /// Returns where the element after those that are passed begins.
    pub fn frontier(&self) -> u64 {
        self.frontier.offset
    }

    /// Returns the number of elements whose end is known.
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// Passes elements until there are `wanted`, until one begins after the byte `until`, or until the budget
    /// is used up.
    pub fn advance(&mut self, data: &mut Data, wanted: u64, until: u64, budget: &mut u64) {
        while *budget > 0 && self.passed < wanted && self.frontier.offset <= until && !self.is_over(data) {
            if self.frontier.offset >= data.source.len() {
                self.fault = Some(describe_error(&data.eof()));
                return;
            }
            if self.skim.place.offset == self.frontier.offset {
                self.batch = self.next_batch(wanted, until, data);
                let values = self.batch * self.inside.values();
                self.skim = Skim::new(self.frontier.clone(), values);
            }
            match self.skim.run(data, budget) {
                Ok(false) => return,
                Ok(true) => self.pass(data),
                Err(_) if self.batch > 1 => self.restart(),
                Err(error) if self.go_on_after(&error, data) => self.restart(),
                Err(error) => self.fault = Some(describe_error(&error)),
            }
        }
    }

    /// Returns how many elements are passed together: many if they are short and all of them are needed.
    fn next_batch(&self, wanted: u64, until: u64, data: &Data) -> u64 {
        let left = self.inside.count().unwrap_or(u64::MAX).min(wanted) - self.passed;
        let room = until.min(data.source.len()) - self.frontier.offset;
        let is_even = self.passed > 0 && self.passed.is_multiple_of(STRIDE) && !self.is_careful;
        // Messages that begin with the same structures can be passed like elements.
        let is_alike = !matches!(self.inside, Inside::Messages) || !data.records || data.sequential;
        let is_near = self.mark_len < LONG && room > 2 * LONG;
        if is_even && is_alike && is_near && left > STRIDE {
            STRIDE
        } else {
            1
        }
    }

    /// Passes elements one by one after all: there is a fault among them.
    fn restart(&mut self) {
        self.is_careful = true;
        self.batch = 1;
        self.skim = Skim::new(self.frontier.clone(), self.inside.values());
    }

    /// Finds where messages go on after one whose end is not known.
    fn go_on_after(&self, error: &Error, data: &mut Data) -> bool {
        let start = self.frontier.offset;
        if !matches!(self.inside, Inside::Messages) || data.ends.contains_key(&start) {
            return false;
        }
        let Some(offset) = data.next_message(start, &self.starts, error) else {
            return false;
        };
        let known = data.shared.clone();
        data.ends.insert(start, Place { offset, known });
        true
    }

    fn pass(&mut self, data: &mut Data) {
        let first = data.source.at(self.frontier.offset, 1).first().copied();
        self.starts[usize::from(first.unwrap_or_default())] = true;
        let end = self.next_start(self.skim.place.clone(), data);
        if self.batch == 1 {
            self.note_end(&self.frontier, &end, data);
        }
        self.passed += self.batch;
        if self.passed.is_multiple_of(STRIDE) {
            let last = self.marks.last().map_or(0, |mark| mark.offset);
            self.mark_len = end.offset - last;
            self.marks.push(end.clone());
            self.is_careful = false;
        }
        self.skim = Skim::new(end.clone(), self.inside.values());
        self.frontier = end;
        if self.is_done(data) && self.frontier.offset - self.start > LONG {
            data.ends.insert(self.start, self.frontier.clone());
        }
    }

    /// Remembers where the value of a long element ends.
    fn note_end(&self, start: &Place, end: &Place, data: &mut Data) {
        if end.offset - start.offset <= LONG {
            return;
        }
        let keys = self.inside.values() - 1;
        let mut skim = Skim::new(start.clone(), keys);
        if matches!(skim.run(data, &mut u64::MAX.clone()), Ok(true)) {
            data.ends.insert(skim.place.offset, end.clone());
        }
    }

    /// Returns the place after an element that was passed before.
    fn after(&self, start: &Place, data: &mut Data) -> Option<Place> {
        let mut place = start.clone();
        // Only where a walk begins are known ends used.
        for _ in 0..self.inside.values() {
            let mut skim = Skim::new(place, 1);
            skim.run(data, &mut u64::MAX.clone()).ok()?;
            place = skim.place;
        }
        Some(self.next_start(place, data))
    }

    /// Returns the place after an element as the next one sees it.
    fn next_start(&self, mut place: Place, data: &Data) -> Place {
        if matches!(self.inside, Inside::Messages) && !data.sequential {
            place.known = data.shared.clone();
        }
        place
    }

    /// Returns where an element begins, whose beginning must be known.
    pub fn place(&mut self, index: u64, data: &mut Data) -> Place {
        if index >= self.passed {
            return self.frontier.clone();
        }
        let (mut at, mut place) = match self.last.0 {
            last if last <= index && index - last < STRIDE => self.last.clone(),
            _ => {
                let mark = index / STRIDE;
                let place = self.marks.get(mark as usize).cloned();
                (mark * STRIDE, place.unwrap_or_default())
            }
        };
        while at < index {
            let Some(end) = self.after(&place, data) else {
                break;
            };
            self.note_end(&place, &end, data);
            place = end;
            at += 1;
        }
        self.last = (at, place.clone());
        place
    }
}
