//! Colour: used on a terminal, unless it is turned off.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU8, Ordering};

use anstyle::{AnsiColor, Style};

use crate::cli::ColorChoice;
use crate::failure::Failure;

/// Offsets, counts and other details.
pub const FAINT: Style = Style::new().dimmed();
/// Bytes.
pub const BYTES: Style = AnsiColor::Cyan.on_default();
/// Names of formats.
pub const FORMAT: Style = AnsiColor::Blue.on_default();
/// Strings.
pub const TEXT: Style = AnsiColor::Green.on_default();
/// Numbers and other plain values.
pub const PLAIN: Style = AnsiColor::Yellow.on_default();
/// Ext values, timestamps and bin.
pub const SPECIAL: Style = AnsiColor::Magenta.on_default();
/// What was removed.
pub const REMOVED: Style = AnsiColor::Red.on_default();
const ERROR: Style = AnsiColor::Red.on_default().bold();

static CHOICE: AtomicU8 = AtomicU8::new(ColorChoice::Auto as u8);

/// Sets the choice that the command line makes.
pub fn choose(choice: ColorChoice) {
    CHOICE.store(choice as u8, Ordering::Relaxed);
}

/// Returns whether output is coloured, given whether it goes to a terminal.
#[must_use]
pub fn is_on(terminal: bool) -> bool {
    match CHOICE.load(Ordering::Relaxed) {
        choice if choice == ColorChoice::Always as u8 => true,
        choice if choice == ColorChoice::Never as u8 => false,
        _ => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}

/// Something printed in a style, or plain where colour is off.
pub struct Painted<T>(pub Option<Style>, pub T);

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(style) => write!(f, "{style}{}{style:#}", self.1),
            None => self.1.fmt(f),
        }
    }
}

/// Writes a warning to standard error.
pub fn warn(text: &str) {
    // If standard error fails too, nothing is left to do.
    let _ = writeln!(io::stderr(), "warning: {text}");
}

/// Writes to standard error why a command stopped.
pub fn report(failure: &Failure) {
    let mut stderr = io::stderr().lock();
    let style = is_on(stderr.is_terminal()).then_some(ERROR);
    // If standard error fails too, nothing is left to do.
    let _ = writeln!(stderr, "{} {failure}", Painted(style, "error:"));
}
