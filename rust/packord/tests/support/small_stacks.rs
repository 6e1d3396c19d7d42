//! Checks on threads with small stacks.

use std::process::Command;
use std::thread;

const CHILD: &str = "PACKORD_TEST_STACK";

/// Calls `check` on threads with stacks of these sizes in KiB, unused and with a quarter in use. Each size has a child
/// process that runs the test with this name alone, as an overflow would end all tests.
pub fn check_on_stacks(test: &str, sizes: &[usize], check: fn()) {
    if let Ok(kib) = std::env::var(CHILD) {
        let kib: usize = kib.parse().unwrap();
        // Of the sizes between, each has another place of the first check.
        let quarter = kib << 8;
        for used in [
            0,
            quarter,
            quarter + 9000,
            quarter + 18_000,
            quarter + 27_000,
        ] {
            let thread = thread::Builder::new().stack_size(kib << 10);
            let run = move || check_below(&std::hint::black_box([0])[0], used, check);
            thread.spawn(run).unwrap().join().unwrap();
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

/// Checks with a part of the stack already in use, from the address of a local value on.
fn check_below(begin: &u8, used: usize, check: fn()) {
    let page = std::hint::black_box([0_u8; 4096]);
    if std::ptr::from_ref(begin)
        .addr()
        .abs_diff(page.as_ptr().addr())
        >= used
    {
        check();
    } else {
        check_below(begin, used, check);
    }
    std::hint::black_box(page);
}
