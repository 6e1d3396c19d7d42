//! Progress on standard error: only on a terminal, and only for what takes more than a second.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Read};
use std::rc::Rc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that several readers move on. Clones are the same bar.
#[derive(Clone)]
pub struct Progress(Option<Rc<RefCell<Bar>>>);

struct Bar {
    line: ProgressBar,
    began: Instant,
    shown: bool,
}

impl Progress {
    /// A bar for bytes. None is shown while the output goes to the same terminal.
    #[must_use]
    pub fn bytes(output_is_terminal: bool) -> Progress {
        Progress::new(
            !output_is_terminal,
            "{bytes} of {total_bytes} {wide_bar} {binary_bytes_per_sec}",
        )
    }

    /// A bar for steps, each with a message.
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
        Progress(Some(Rc::new(RefCell::new(Bar {
            line,
            began: Instant::now(),
            shown: false,
        }))))
    }

    /// So much more is to come.
    pub fn expect(&self, more: u64) {
        if let Some(bar) = &self.0 {
            let line = &bar.borrow().line;
            line.set_length(line.length().unwrap_or(0) + more);
        }
    }

    /// So much more is done.
    pub fn advance(&self, by: u64) {
        let Some(bar) = &self.0 else { return };
        let mut bar = bar.borrow_mut();
        if !bar.shown && bar.began.elapsed() > PATIENCE {
            bar.line.set_draw_target(ProgressDrawTarget::stderr());
            bar.shown = true;
        }
        bar.line.inc(by);
    }

    /// What is being done now.
    pub fn say(&self, message: &str) {
        if let Some(bar) = &self.0 {
            bar.borrow().line.set_message(message.to_owned());
        }
        self.advance(0);
    }

    /// Counts what is read from `source`.
    pub fn count<R: Read>(&self, source: R) -> Counted<R> {
        Counted {
            source,
            progress: self.clone(),
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

/// A reader whose bytes are counted.
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
