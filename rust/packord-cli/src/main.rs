//! The program `packord`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    packord_cli::main()
}
