//! Checks on threads with small stacks.

use std::process::Command;
use std::thread;

const CHILD: &str = "PACKORD_TEST_STACK";

/// Calls `check` on threads with stacks of these sizes in KiB, unused and with a quarter in use. Each size has a child
/// process that runs the test with this name alone, as an overflow would end all tests.
pub fn check_on_stacks(test: &str, sizes: &[usize], check: fn()) {
    if let Ok(kib) = std::env::var(CHILD) {
        let kib: usize = kib.parse().unwrap();
        for pages in [0, kib / 4 / 4] {
            let thread = thread::Builder::new().stack_size(kib << 10);
            let thread = thread.spawn(move || check_below(pages, check)).unwrap();
            thread.join().unwrap();
        }
        return;
    }
    for kib in sizes {
        let child = Command::new(std::env::current_exe().unwrap())
            .env(CHILD, kib.to_string())
            .args(["--exact", test])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stderr);
        let printed = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success(), "{kib} KiB: {said} {printed}");
    }
}

/// Checks with a part of the stack already in use.
fn check_below(pages: usize, check: fn()) {
    let page = std::hint::black_box([pages as u8; 4096]);
    if pages == 0 {
        check();
    } else {
        check_below(pages - 1, check);
    }
    std::hint::black_box(page);
}
