//! Reading takes no more memory than its result needs: counted by the allocator.

#![cfg(feature = "serde")]

use packord::{DecodeOptions, Document, Value};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

fn count(bytes: isize) {
    // The thread may be ending, when its counters are gone.
    let _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
    });
}

// SAFETY: all calls go to the system's allocator as they came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The result's bytes, and the most that there were at once.
fn measure<T>(read: impl FnOnce() -> T) -> (isize, isize) {
    let before = NOW.get();
    PEAK.set(before);
    let result = read();
    let sizes = (NOW.get() - before, PEAK.get() - before);
    drop(result);
    sizes
}

#[track_caller]
fn at_most(slack: f64, read: (isize, isize)) {
    let (result, peak) = read;
    // The stack of open containers and the keys of the error path are a few hundred bytes.
    assert!(
        peak as f64 <= result as f64 * slack + 2048.0,
        "{peak} bytes at once for a result of {result}"
    );
}

fn document() -> Vec<u8> {
    let people: Vec<_> = (0..3000_u32)
        .map(|id| {
            (
                id,
                format!("name {id}"),
                vec![f64::from(id); 5],
                Some(id % 3),
                [(id, "x"), (1, "long text here")],
            )
        })
        .collect();
    packord::serde::to_vec(&people).unwrap()
}

#[test]
fn trees() {
    let bytes = document();
    at_most(1.1, measure(|| packord::from_slice(&bytes).unwrap()));
    at_most(
        1.1,
        measure(|| DecodeOptions::new().decode_ref(&bytes).unwrap()),
    );
    at_most(
        1.1,
        measure(|| packord::serde::from_slice::<Value>(&bytes).unwrap()),
    );
}

#[test]
fn types() {
    type Person = (u32, String, Vec<f64>, Option<u32>, [(u32, String); 2]);
    let bytes = document();
    at_most(
        1.1,
        measure(|| packord::serde::from_slice::<Vec<Person>>(&bytes).unwrap()),
    );
    let bytes = packord::serde::to_vec(&vec![7_u64; 1000]).unwrap();
    let (result, peak) = measure(|| packord::serde::from_slice::<Vec<u64>>(&bytes).unwrap());
    assert_eq!((result, peak), (8000, 8000));
}

/// The index is 16 bytes a value, and at most 64 KiB more while it is made.
#[test]
fn index() {
    let bytes = document();
    let (result, peak) = measure(|| Document::parse(&bytes).unwrap());
    let nodes = Document::parse(&bytes).unwrap().node_count() as isize;
    assert!(nodes > 40_000);
    assert!(
        result <= nodes * 16 + 2048,
        "{result} bytes for {nodes} values"
    );
    at_most(1.1, (result, peak));
}
