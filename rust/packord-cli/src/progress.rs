//! Progress on standard error: only on a terminal, and only for work of more than a second.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Read};
use std::rc::Rc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long to wait before the progress line appears.
const DELAY: Duration = Duration::from_secs(1);

/// A progress line that several readers advance. Clones share the line.
#[derive(Clone)]
pub struct Progress(Option<Rc<RefCell<ProgressLine>>>);

struct ProgressLine {
    line: ProgressBar,
    began: Instant,
    shown: bool,
}

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
        if !wanted || !io::stderr().is_terminal() {
            return Progress(None);
        }
        let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            line.set_style(style);
        }
        Progress(Some(Rc::new(RefCell::new(ProgressLine {
            line,
            began: Instant::now(),
            shown: false,
        }))))
    }

    /// Adds to the expected total.
    pub fn expect(&self, more: u64) {
        if let Some(bar) = &self.0 {
            let line = &bar.borrow().line;
            line.set_length(line.length().unwrap_or(0) + more);
        }
    }

    /// Adds to what is done.
    pub fn advance(&self, by: u64) {
        let Some(bar) = &self.0 else { return };
        let mut bar = bar.borrow_mut();
        if !bar.shown && bar.began.elapsed() > DELAY {
            bar.line.set_draw_target(ProgressDrawTarget::stderr());
            bar.shown = true;
        }
        bar.line.inc(by);
    }

    /// Shows what is being done now.
    pub fn say(&self, message: &str) {
        if let Some(bar) = &self.0 {
            bar.borrow().line.set_message(message.to_owned());
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

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.line.finish_and_clear();
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
