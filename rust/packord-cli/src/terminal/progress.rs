//! Progress on standard error: only on a terminal, and only for work of more than a second.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

#[cfg(feature = "terminal")]
#[path = "progress/line.rs"]
mod line;
#[cfg(not(feature = "terminal"))]
#[path = "progress/no_line.rs"]
mod line;

use line::ProgressLine;

/// A progress line that several readers advance. Clones share the line.
#[derive(Clone)]
pub struct Progress(Option<Rc<RefCell<ProgressLine>>>);

impl Progress {
    /// Creates a line that counts bytes. It is hidden if the output goes to the same terminal.
    #[must_use]
    pub fn bytes(output_is_terminal: bool) -> Progress {
        Progress::new(
            !output_is_terminal,
            "{bytes} of {total_bytes} {wide_bar} {binary_bytes_per_sec}",
        )
    }

    /// Creates a line that counts steps, each with a message.
    #[must_use]
    pub fn steps(count: u64) -> Progress {
        let progress = Progress::new(true, "{pos}/{len} {wide_bar} {msg}");
        progress.expect(count);
        progress
    }

    fn new(wanted: bool, template: &str) -> Progress {
        let line = if wanted { ProgressLine::new(template) } else { None };
        Progress(line.map(|line| Rc::new(RefCell::new(line))))
    }

    /// Adds to the expected total.
    pub fn expect(&self, more: u64) {
        if let Some(line) = &self.0 {
            line.borrow().expect(more);
        }
    }

    /// Adds to what is done.
    pub fn advance(&self, by: u64) {
        if let Some(line) = &self.0 {
            line.borrow_mut().advance(by);
        }
    }

    /// Shows what is being done now.
    pub fn say(&self, message: &str) {
        if let Some(line) = &self.0 {
            line.borrow().say(message);
        }
        self.advance(0);
    }

    /// Wraps a reader so that what is read from it advances the line.
    pub fn count<R: Read>(&self, source: R) -> Counted<R> {
        Counted {
            source,
            progress: self.clone(),
        }
    }
}

/// A reader that advances a progress line.
pub struct Counted<R> {
    source: R,
    progress: Progress,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.progress.advance(count as u64);
        Ok(count)
    }
}
