//! The program `packord`. All of its code is in the library.

use std::process::ExitCode;

/// That of musl returns large memory to the system each time.
#[cfg(all(target_env = "musl", target_arch = "x86_64"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Called before `main`, where a closed standard output can still be told from /dev/null.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[used]
// SAFETY: the section holds pointers to functions that are called once before `main`, without arguments that this one
// needs. It polls a descriptor, stores a bool and does not unwind.
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
static BEFORE_MAIN: extern "C" fn() = packord_cli::output::note_if_closed;

fn main() -> ExitCode {
    packord_cli::main()
}
