//! Lists and tuples.

use pyo3::ffi;

use super::{Done, Encoder};
use crate::errors::{Kind, Raised, Step};
use crate::object::{Obj, Owned, list_items, small_long, type_of};
use crate::wire::integer;

/// How many integers are written with one check of the room for them.
const RUN: usize = 256;

impl Encoder<'_> {
    /// An exact or derived `list`.
    #[inline(never)]
    pub(super) unsafe fn list(&mut self, list: Obj) -> Done {
        self.enter()?;
        let count = ffi::PyList_GET_SIZE(list) as usize;
        if count > u32::MAX as usize {
            return Err(self.too_long());
        }
        self.reserve(5)?;
        self.out.array_header(count);
        let mut items = list_items(list);
        let mut index = 0;
        while index < count {
            let item = *items.add(index);
            if type_of(item) == &raw mut ffi::PyLong_Type && self.records.is_none() {
                let run = self.integers(items.add(index), count - index)?;
                index += run;
                if run > 0 {
                    continue;
                }
            }
            match self.leaf(item) {
                Ok(true) => {}
                leaf => {
                    let item = Owned::borrow(item);
                    if leaf.is_err() || self.node(item.get()).is_err() {
                        self.left(list);
                        return Err(self.step(|| Step::Index(index)));
                    }
                    drop(item);
                    // Code of the user may have run.
                    if ffi::PyList_GET_SIZE(list) as usize != count {
                        return Err(
                            self.fault(Kind::Changed, "list changed size while it was packed")
                        );
                    }
                    items = list_items(list);
                }
            }
            index += 1;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Writes the exact `int`s at the beginning of `items`, and returns how many they were. The room
    /// for all is made at once, which a list of numbers gains a quarter by.
    unsafe fn integers(&mut self, items: *const Obj, count: usize) -> Result<usize, Raised> {
        let count = count.min(RUN);
        self.reserve(9 * count)?;
        let mut next = self.out.cursor();
        let mut written = 0;
        while written < count {
            let item = *items.add(written);
            if type_of(item) != &raw mut ffi::PyLong_Type {
                break;
            }
            let Some(number) = small_long(item) else {
                break;
            };
            if (-32..128).contains(&number) {
                *next = number as u8;
                next = next.add(1);
            } else {
                next = integer::put(next, number);
            }
            written += 1;
        }
        self.out.set_cursor(next);
        Ok(written)
    }

    #[inline(never)]
    pub(super) unsafe fn tuple(&mut self, tuple: Obj) -> Done {
        self.enter()?;
        let count = ffi::PyTuple_GET_SIZE(tuple) as usize;
        if count > u32::MAX as usize {
            return Err(self.too_long());
        }
        self.reserve(5)?;
        self.out.array_header(count);
        for index in 0..count {
            let item = ffi::PyTuple_GET_ITEM(tuple, index as isize);
            if self.value(item).is_err() {
                self.left(tuple);
                return Err(self.step(|| Step::Index(index)));
            }
        }
        self.depth -= 1;
        Ok(())
    }
}
