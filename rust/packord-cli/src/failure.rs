//! How a command ends when it does not end well, and the exit code for that.

use std::fmt;
use std::io;
use std::path::Path;

/// The result of a command.
pub type Outcome<T = ()> = Result<T, Failure>;

/// Why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// The data is readable, and the answer to the question about it is no: exit code 1.
    No(String),
    /// The answer is no, and the output says so already: exit code 1.
    Told,
    /// The command line makes no sense: exit code 2.
    Usage(String),
    /// Input that cannot be read, is not valid, or cannot be written as asked, and output that
    /// cannot be written: exit code 3.
    Invalid(String),
    /// Whoever read the output has gone. Nothing is said, and the exit code is 0.
    ClosedPipe,
}

impl Failure {
    /// A file or standard input that cannot be read.
    pub fn input(name: &str, error: &io::Error) -> Failure {
        Failure::Invalid(format!("cannot read {name}: {}", plain(error)))
    }

    /// A file or standard output that cannot be written.
    pub fn output(name: &str, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Invalid(format!("cannot write {name}: {}", plain(error))),
        }
    }

    /// The exit code of the program.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::No(_) | Failure::Told => 1,
            Failure::Usage(_) => 2,
            Failure::Invalid(_) => 3,
            Failure::ClosedPipe => 0,
        }
    }

    /// The same failure, with the name of the file that it is about in front.
    #[must_use]
    pub fn within(self, name: &str) -> Failure {
        match self {
            Failure::No(message) => Failure::No(format!("{name}: {message}")),
            Failure::Invalid(message) => Failure::Invalid(format!("{name}: {message}")),
            other => other,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::No(message) | Failure::Usage(message) | Failure::Invalid(message) => {
                f.write_str(message)
            }
            Failure::Told => f.write_str("no"),
            Failure::ClosedPipe => f.write_str("closed pipe"),
        }
    }
}

impl From<packord::Error> for Failure {
    fn from(error: packord::Error) -> Failure {
        Failure::Invalid(describe(&error))
    }
}

/// The error in one line: of a very long path only both ends are shown.
pub fn describe(error: &packord::Error) -> String {
    const SHOWN: usize = 80;
    let mut text = error.to_string();
    if error.kind() == packord::ErrorKind::LengthLimit {
        text.push_str(" (--max-message, --max-record-keys)");
    }
    let Some(path) = error.path().filter(|path| path.chars().count() > 2 * SHOWN) else {
        return text;
    };
    let letters: Vec<char> = path.chars().collect();
    let (start, end): (String, String) = (
        letters[..SHOWN].iter().collect(),
        letters[letters.len() - SHOWN..].iter().collect(),
    );
    text.replacen(path, &format!("{start} … {end}"), 1)
}

/// The name of a path for messages.
pub fn name_of(path: &Path) -> String {
    path.display().to_string()
}

/// The message of an I/O error without the number of the system's error.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect())
        .unwrap_or_default()
}
