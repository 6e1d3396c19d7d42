//! Checks on threads with small stacks.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::process::Command;
use std::thread;

const CHILD: &str = "PACKORD_TEST_STACK";

/// Runs on a thread with a stack of this size in KiB.
pub fn on_stack<T: Send + 'static>(kib: usize, run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = thread::Builder::new().stack_size(kib << 10);
    thread.spawn(run).unwrap().join().unwrap()
}

/// Arrays in arrays.
pub fn arrays(levels: usize) -> Vec<u8> {
    let mut bytes = vec![0x91; levels];
    bytes.push(0xc0);
    bytes
}

/// Maps from `next`, after 16 `numbers`.
pub fn chain(levels: usize) -> Vec<u8> {
    let mut level = b"\x82\xa7numbers\xdc\x00\x10".to_vec();
    level.extend([1; 16]);
    level.extend(b"\xa4next");
    let mut bytes = level.repeat(levels);
    bytes.push(0xc0);
    bytes
}

/// Calls `check` on threads with stacks of these sizes in KiB, unused and with a quarter in use. Each size has a child
/// process that runs the test with this name alone, as an overflow would end all tests.
pub fn check_on_stacks(test: &str, sizes: &[usize], check: fn()) {
    if let Ok(kib) = std::env::var(CHILD) {
        let kib: usize = kib.parse().unwrap();
        // Of the sizes between, each has another place of the first check.
        let quarter = kib << 8;
        for used in [0, quarter, quarter + 9000, quarter + 18_000, quarter + 27_000] {
            on_stack(kib, move || {
                check_below(&std::hint::black_box([0])[0], used, check);
            });
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
    if std::ptr::from_ref(begin).addr().abs_diff(page.as_ptr().addr()) >= used {
        check();
    } else {
        check_below(begin, used, check);
    }
    std::hint::black_box(page);
}
