//! The program `packord`. All of its code is in the library.

use std::process::ExitCode;

/// That of musl returns large memory to the system each time.
#[cfg(all(target_env = "musl", target_arch = "x86_64"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    packord_cli::main()
}
