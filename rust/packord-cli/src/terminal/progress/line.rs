//! The line itself.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long to wait before the line appears.
const DELAY: Duration = Duration::from_secs(1);

pub struct ProgressLine {
    bar: ProgressBar,
    began: Instant,
    shown: bool,
}

impl ProgressLine {
    /// `None` if standard error is not a terminal.
    pub fn new(template: &str) -> Option<ProgressLine> {
        if !io::stderr().is_terminal() {
            return None;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Some(ProgressLine {
            bar,
            began: Instant::now(),
            shown: false,
        })
    }

    pub fn expect(&self, more: u64) {
        self.bar.set_length(self.bar.length().unwrap_or(0) + more);
    }

    pub fn advance(&mut self, by: u64) {
        if !self.shown && self.began.elapsed() > DELAY {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
        self.bar.inc(by);
    }

    pub fn say(&self, message: &str) {
        self.bar.set_message(message.to_owned());
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
