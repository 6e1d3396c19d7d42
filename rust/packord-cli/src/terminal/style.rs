//! Colour: used on a terminal, unless it is turned off.

use std::borrow::Cow;
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
        // A console of Windows shows escapes as they are, unless it is told.
        _ => {
            terminal
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                && anstyle_query::windows::enable_ansi_colors() != Some(false)
        }
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

/// Returns text with escapes for what a terminal would obey: control characters but for ends of lines and
/// tabs, and those that change the direction of what follows. `keeps_colours` leaves the escapes of colours.
#[must_use]
pub fn visible(text: &[u8], keeps_colours: bool) -> Cow<'_, [u8]> {
    let is_obeyed = |at: usize| match text[at..] {
        [b'\n' | b'\t', ..] => None,
        [0x1b, ..] if keeps_colours => None,
        [control @ (..b' ' | 0x7f), ..] => Some((1, u32::from(control))),
        [0xc2, last @ 0x80..=0x9f, ..] => Some((2, u32::from(last))),
        [0xe2, 0x80, last @ 0xaa..=0xae, ..] => Some((3, 0x1f80 + u32::from(last))),
        [0xe2, 0x81, last @ 0xa6..=0xa9, ..] => Some((3, 0x1fc0 + u32::from(last))),
        _ => None,
    };
    let (mut shown, mut done) = (Vec::new(), 0);
    for at in 0..text.len() {
        if let Some((len, letter)) = is_obeyed(at) {
            shown.extend_from_slice(&text[done..at]);
            shown.extend_from_slice(format!("\\u{letter:04x}").as_bytes());
            done = at + len;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    shown.extend_from_slice(&text[done..]);
    Cow::Owned(shown)
}

/// Writes a line, or several, to standard error. Names of files and keys may have any characters.
pub fn tell(text: &str) {
    tell_after("", text);
}

/// Writes a warning to standard error.
pub fn warn(text: &str) {
    tell_after("warning: ", text);
}

/// Writes to standard error why a command stopped.
pub fn report(failure: &Failure) {
    let style = is_on(io::stderr().is_terminal()).then_some(ERROR);
    tell_after(&format!("{} ", Painted(style, "error:")), &failure.to_string());
}

fn tell_after(start: &str, text: &str) {
    let text = visible(text.as_bytes(), false);
    // If standard error fails too, nothing is left to do.
    let _ = io::stderr().write_all(&[start.as_bytes(), &text, b"\n"].concat());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        let shown = |text: &str, keeps| String::from_utf8(visible(text.as_bytes(), keeps).into_owned());
        for plain in ["", "a\tb\n", "é😀\u{200f}\u{a0}"] {
            assert_eq!(shown(plain, false).as_deref(), Ok(plain));
        }
        let obeyed = "a\u{1b}[1m\u{7f}\u{9b}é\u{202e}\u{2066}\r";
        let expected = "a\\u001b[1m\\u007f\\u009bé\\u202e\\u2066\\u000d";
        assert_eq!(shown(obeyed, false).as_deref(), Ok(expected));
        assert_eq!(shown("\u{1b}[1m", true).as_deref(), Ok("\u{1b}[1m"));
        // Bytes that are not UTF-8 stay.
        assert_eq!(&*visible(b"\xff\xc2", false), b"\xff\xc2");
    }
}
