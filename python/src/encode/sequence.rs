//! Lists and tuples.

use pyo3::ffi;

use super::{Done, Encoder};
use crate::errors::{Kind, Step};
use crate::object::{Obj, Owned, list_items};

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
        for index in 0..count {
            let item = *items.add(index);
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
        }
        self.depth -= 1;
        Ok(())
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
