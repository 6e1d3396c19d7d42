//! Lists and tuples.

use pyo3::ffi;

use super::scalar::UNUSUAL_FLOATS;
use super::{Done, Encoder};
use crate::cpython::object::{Obj, Owned, list_items, magnitude, type_of};
use crate::errors::{Kind, Raised, Step};
use crate::wire::integer;
use crate::wire::marker::{FLOAT64, UINT8, UINT64};

/// How many numbers are written with one check of the room for them.
const RUN: usize = 256;

impl Encoder<'_> {
    #[inline(never)]
    pub(super) unsafe fn list(&mut self, list: Obj) -> Done {
        if cfg!(feature = "free-threaded") {
            // Another thread may change the list meanwhile.
            return match Owned::take(ffi::PyList_AsTuple(list)) {
                Some(tuple) => self.items(list, tuple.get()),
                None => Err(self.python(Kind::UnsupportedType, "the list can't be copied")),
            };
        }
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
            let run = self.numbers(items.add(index), count - index)?;
            if run > 0 {
                index += run;
                continue;
            }
            match self.leaf(item) {
                Ok(true) => {}
                leaf => {
                    let item = Owned::borrow(item);
                    if leaf.is_err() || self.node(item.get()).is_err() {
                        return Err(self.step_out(list, || Step::Index(index)));
                    }
                    drop(item);
                    // Code of the user may have run.
                    if ffi::PyList_GET_SIZE(list) as usize != count {
                        return Err(self.fault(Kind::Changed, "list changed size while it was packed"));
                    }
                    items = list_items(list);
                }
            }
            index += 1;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Writes the numbers of one type that `items` begin with, and returns how many they were. Lists of floats take .64 of
    /// the time by it, of integers .91.
    #[inline(always)]
    unsafe fn numbers(&mut self, items: *const Obj, count: usize) -> Result<usize, Raised> {
        let class = type_of(*items);
        if class == &raw mut ffi::PyLong_Type && self.records.is_none() {
            return self.run(items, count, |item, next| {
                let (negative, magnitude) = magnitude(item)?;
                if magnitude >> 63 != 0 {
                    *next = UINT64;
                    (next.add(1) as *mut [u8; 8]).write_unaligned(magnitude.to_be_bytes());
                    return (!negative).then(|| next.add(9));
                }
                let sign = -i64::from(negative);
                let number = (magnitude as i64 ^ sign) - sign;
                if (-32..128).contains(&number) {
                    *next = number as u8;
                    return Some(next.add(1));
                }
                if number as u64 <= 0xff {
                    next.cast::<[u8; 2]>().write([UINT8, number as u8]);
                    return Some(next.add(2));
                }
                Some(integer::put::<false>(next, number))
            });
        }
        if class == &raw mut ffi::PyFloat_Type && !self.has(UNUSUAL_FLOATS) {
            return self.run(items, count, |item, next| {
                let number = ffi::PyFloat_AS_DOUBLE(item);
                *next = FLOAT64;
                let payload = number.to_bits().to_be_bytes();
                (next.add(1) as *mut [u8; 8]).write_unaligned(payload);
                Some(next.add(9))
            });
        }
        Ok(0)
    }

    /// Writes items as long as they are of the first one's type and `put` can: it gets an item and
    /// where up to nine bytes go, and returns where they end. The room is made for many at once.
    #[inline(always)]
    unsafe fn run(
        &mut self,
        items: *const Obj,
        count: usize,
        put: impl Fn(Obj, *mut u8) -> Option<*mut u8>,
    ) -> Result<usize, Raised> {
        let class = type_of(*items);
        let count = count.min(RUN);
        self.reserve(9 * count)?;
        let mut next = self.out.cursor();
        let mut written = 0;
        while written < count {
            let item = *items.add(written);
            if type_of(item) != class {
                break;
            }
            let Some(end) = put(item, next) else {
                break;
            };
            next = end;
            written += 1;
        }
        self.out.set_cursor(next);
        Ok(written)
    }

    #[inline(never)]
    pub(super) unsafe fn tuple(&mut self, tuple: Obj) -> Done {
        self.items(tuple, tuple)
    }

    /// The items of a tuple, which is a container or a copy of one.
    #[inline(always)]
    unsafe fn items(&mut self, container: Obj, tuple: Obj) -> Done {
        self.enter()?;
        let count = ffi::PyTuple_GET_SIZE(tuple) as usize;
        if count > u32::MAX as usize {
            return Err(self.too_long());
        }
        self.reserve(5)?;
        self.out.array_header(count);
        for index in 0..count {
            let item = ffi::PyTuple_GET_ITEM(tuple, index as isize);
            self.value(item)
                .map_err(|Raised| self.step_out(container, || Step::Index(index)))?;
        }
        self.depth -= 1;
        Ok(())
    }
}
