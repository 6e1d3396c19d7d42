//! The program `packord`. All of its code is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    packord_cli::main()
}
