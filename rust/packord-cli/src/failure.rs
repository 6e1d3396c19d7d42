//! How a command ends when it fails, and the exit code.

use std::error::Error as _;
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
    /// The output, or standard error, already says why. The exit code is given.
    AlreadyReported(u8),
    /// The command line is not valid: exit code 2.
    Usage(String),
    /// The input cannot be read, is not valid or cannot be converted, or the output cannot be
    /// written: exit code 3.
    Invalid(String),
    /// One of these two, and the message says already of which input or output. The exit code is given.
    Named(u8, String),
    /// The reader of the output has closed it. No message is written, and the exit code is 0.
    ClosedPipe,
}

impl Failure {
    /// Returns the failure for a file or standard input that cannot be read.
    pub fn input(name: &str, error: &io::Error) -> Failure {
        // A reader of rows fails with what is wrong with their file.
        match error.get_ref().and_then(|inner| inner.downcast_ref()) {
            Some(Failure::Named(code, message)) => return Failure::Named(*code, message.clone()),
            Some(Failure::Usage(message)) => return Failure::Usage(message.clone()),
            _ => {}
        }
        Failure::Named(3, format!("cannot read {name}: {}", plain(error)))
    }

    /// Returns the failure for an input that cannot be read or is at fault.
    pub fn of_input(name: &str, error: &packord::Error) -> Failure {
        let lacks_zstd = |detail: &str| detail.ends_with("container-zstd");
        if cfg!(not(feature = "zstd")) && error.detail().is_some_and(lacks_zstd) {
            return Failure::built_without("zstd");
        }
        let cause = error.source().and_then(|source| source.downcast_ref());
        match cause {
            Some(cause) => Failure::input(name, cause),
            None => Failure::Invalid(describe(error)).within(name),
        }
    }

    /// Returns the failure for a file or standard output that cannot be written.
    pub fn output(name: &str, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Named(3, format!("cannot write {name}: {}", plain(error))),
        }
    }

    /// Returns the failure for what a build without a feature of this crate cannot do.
    #[must_use]
    pub fn built_without(feature: &str) -> Failure {
        Failure::Usage(format!(
            "built without {feature}: cargo install packord-cli --features {feature}"
        ))
    }

    /// Returns the exit code of the program.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::No(_) => 1,
            Failure::AlreadyReported(code) | Failure::Named(code, _) => *code,
            Failure::Usage(_) => 2,
            Failure::Invalid(_) => 3,
            Failure::ClosedPipe => 0,
        }
    }

    /// Puts the name of the input in front of the message, if it names none.
    #[must_use]
    pub fn within(self, name: &str) -> Failure {
        let code = self.exit_code();
        match self {
            Failure::No(message) | Failure::Invalid(message) => Failure::Named(code, format!("{name}: {message}")),
            other => other,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::No(message) | Failure::Usage(message) | Failure::Invalid(message) | Failure::Named(_, message) => {
                f.write_str(message)
            }
            Failure::AlreadyReported(_) => f.write_str("already reported"),
            Failure::ClosedPipe => f.write_str("closed pipe"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<packord::Error> for Failure {
    fn from(error: packord::Error) -> Failure {
        Failure::Invalid(describe(&error))
    }
}

/// Returns the message of an error, with the options that raise the limit it is about.
pub fn describe(error: &packord::Error) -> String {
    match error.kind() {
        packord::ErrorKind::LengthLimit if of_block(error) => format!("{error} (--max-block)"),
        packord::ErrorKind::LengthLimit => format!("{error} (--max-message, --max-record-keys)"),
        packord::ErrorKind::DepthLimit => format!("{error} (--max-depth)"),
        _ => error.to_string(),
    }
}

/// Returns whether an error is about the size of a block.
fn of_block(error: &packord::Error) -> bool {
    error.detail().is_some_and(|detail| detail.starts_with("max_block"))
}

/// Returns the name of a path for messages.
pub fn name_of(path: &Path) -> String {
    path.display().to_string()
}

/// Returns the message of an I/O error without the number of the system's error.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect())
        .unwrap_or_default()
}
