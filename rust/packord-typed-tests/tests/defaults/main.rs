//! The vectors of `defaults/`: what programs' own values are packed as, and what messages are read as,
//! without options.

#[path = "../support/mod.rs"]
mod support;

mod natives;
mod read;
mod types;
mod write;

use support::Case;

/// A way of Rust to write values of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Face {
    Serde,
    Derive,
}

const FACES: [Face; 2] = [Face::Serde, Face::Derive];

impl Face {
    fn name(self) -> &'static str {
        match self {
            Face::Serde => "rust-serde",
            Face::Derive => "rust-derive",
        }
    }

    /// Whether a list of languages has this one. Without a list, all languages are meant.
    fn is_in(self, case: &Case, member: &str) -> bool {
        match case.json[member].as_array() {
            Some(languages) => languages.iter().any(|language| language == self.name()),
            None => member == "languages",
        }
    }
}

/// Runs on a stack for a thousand containers: frames that are not optimised are large.
fn with_stack(run: fn()) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(run);
    if let Err(panic) = thread.unwrap().join() {
        std::panic::resume_unwind(panic);
    }
}
