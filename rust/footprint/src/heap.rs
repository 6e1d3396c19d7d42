//! An allocator that gives nothing back: the least that a program with `alloc` has.

extern crate alloc;

pub use alloc::string::String;
use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ptr::null_mut;

const SIZE: usize = 1024;

struct Heap(UnsafeCell<([u8; SIZE], usize)>);

// SAFETY: the program has one thread.
unsafe impl Sync for Heap {}

// SAFETY: each block is within the array, aligned, and given once.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: nothing else refers to the content, and what was given ends at the count.
        let (bytes, used) = unsafe { &mut *self.0.get() };
        let begin = bytes.as_mut_ptr();
        let start = *used + begin.wrapping_add(*used).align_offset(layout.align());
        match start.checked_add(layout.size()) {
            Some(end) if end <= SIZE => {
                *used = end;
                begin.wrapping_add(start)
            }
            _ => null_mut(),
        }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static HEAP: Heap = Heap(UnsafeCell::new(([0; SIZE], 0)));
