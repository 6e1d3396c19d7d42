//! Dicts, and everything else that is packed as a map.

use packord::wire::compare_canonical;
use pyo3::ffi;

use super::{Done, Encoder};
#[cfg(feature = "free-threaded")]
use crate::cpython::object::settled;
use crate::cpython::object::{Obj, Owned, type_of};
use crate::errors::{Kind, Raised, Step};
use crate::options;

/// An entry of a map that needs more than its entries in order.
pub(super) struct Entry {
    pub key: Owned,
    pub value: Owned,
}

impl Encoder<'_> {
    #[inline(never)]
    pub(super) unsafe fn dict(&mut self, dict: Obj) -> Done {
        self.enter()?;
        let container = dict;
        #[cfg(feature = "free-threaded")]
        let copy = settled(Owned::borrow(dict));
        #[cfg(feature = "free-threaded")]
        let dict = match &copy {
            Some(copy) => copy.get(),
            None => return Err(self.python(Kind::UnsupportedType, "the dict can't be copied")),
        };
        if !self.plain_maps {
            let entries = entries_of(dict);
            self.entries(container, entries)?;
            self.depth -= 1;
            return Ok(());
        }
        let count = ffi::PyDict_Size(dict) as usize;
        if count > u32::MAX as usize {
            return Err(self.too_long());
        }
        self.reserve(5)?;
        self.out.map_header(count);
        let (mut position, mut key, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
        let mut written = 0;
        while ffi::PyDict_Next(dict, &mut position, &mut key, &mut value) != 0 {
            if written == count {
                return Err(self.changed());
            }
            if type_of(key) == &raw mut ffi::PyUnicode_Type {
                self.string(key)?;
            } else if type_of(key) == &raw mut ffi::PyLong_Type
                && self.has(options::NON_STR_KEYS)
                && self.integer(key)?
            {
                // It is written.
            } else {
                // Code of the user may run.
                let held = (Owned::borrow(key), Owned::borrow(value));
                self.key(key)?;
                if ffi::PyDict_Size(dict) as usize != count {
                    return Err(self.changed());
                }
                self.value(value)
                    .map_err(|Raised| self.step_out(container, || Step::Key(held.0)))?;
                if ffi::PyDict_Size(dict) as usize != count {
                    return Err(self.changed());
                }
                written += 1;
                continue;
            }
            match self.leaf(value) {
                Ok(true) => {}
                leaf => {
                    let key = Owned::borrow(key);
                    let value = Owned::borrow(value);
                    if leaf.is_err() || self.node(value.get()).is_err() {
                        return Err(self.step_out(container, || Step::Key(key)));
                    }
                    if ffi::PyDict_Size(dict) as usize != count {
                        return Err(self.changed());
                    }
                }
            }
            written += 1;
        }
        if written != count {
            return Err(self.changed());
        }
        self.depth -= 1;
        Ok(())
    }

    fn changed(&mut self) -> crate::errors::Raised {
        self.fault(Kind::Changed, "dict changed size while it was packed")
    }

    /// A map in which the order, the kinds of keys, empty values or records matter. The depth has
    /// been counted.
    pub(super) unsafe fn entries(&mut self, container: Obj, mut entries: Vec<Entry>) -> Done {
        if self.has(options::SKIP_NIL) {
            entries.retain(|entry| entry.value.get() != ffi::Py_None());
        }
        if entries.len() > u32::MAX as usize {
            return Err(self.too_long());
        }
        if self.records.is_some() && self.record_head(&entries)? {
            return entries.iter().try_for_each(|entry| self.entry_value(container, entry));
        }
        if self.has(options::CANONICAL | options::SORT_KEYS) {
            return self.sorted(container, entries);
        }
        self.reserve(5)?;
        self.out.map_header(entries.len());
        for entry in &entries {
            self.key(entry.key.get())?;
            self.entry_value(container, entry)?;
        }
        Ok(())
    }

    unsafe fn entry_value(&mut self, container: Obj, entry: &Entry) -> Done {
        self.value(entry.value.get())
            .map_err(|Raised| self.step_out(container, || Step::Key(entry.key.clone())))
    }

    /// str keys in the order of their UTF-8, then the others in the order of their encodings.
    unsafe fn sorted(&mut self, container: Obj, entries: Vec<Entry>) -> Done {
        let mut ranked = Vec::with_capacity(entries.len());
        for entry in entries {
            let start = self.out.len();
            self.key(entry.key.get())?;
            ranked.push((self.taken_back(start), entry));
        }
        ranked.sort_by(|(a, _), (b, _)| compare_canonical(a, b));
        let twice = ranked.windows(2).any(|pair| pair[0].0 == pair[1].0);
        if twice && self.has(options::CANONICAL) {
            return Err(self.fault(Kind::DuplicateKey, "two keys are packed to the same bytes"));
        }
        self.reserve(5)?;
        self.out.map_header(ranked.len());
        for (encoded, entry) in &ranked {
            self.reserve(encoded.len())?;
            self.out.copy(encoded.as_ptr(), encoded.len());
            self.entry_value(container, entry)?;
        }
        Ok(())
    }

    /// A list of the elements of a set, which are written in the order of keys.
    pub(super) unsafe fn sorted_list(&mut self, list: Obj) -> Done {
        self.enter()?;
        let mut elements = Vec::new();
        for index in 0..ffi::PyList_GET_SIZE(list) {
            let item = Owned::borrow(ffi::PyList_GET_ITEM(list, index));
            let start = self.out.len();
            self.value(item.get())
                .map_err(|Raised| self.step_out(list, || Step::Index(index as usize)))?;
            elements.push(self.taken_back(start));
        }
        elements.sort_by(|a, b| compare_canonical(a, b));
        if elements.windows(2).any(|pair| pair[0] == pair[1]) {
            let text = "two elements are packed to the same bytes";
            return Err(self.fault(Kind::DuplicateKey, text));
        }
        self.reserve(5)?;
        self.out.array_header(elements.len());
        for encoded in &elements {
            self.reserve(encoded.len())?;
            self.out.copy(encoded.as_ptr(), encoded.len());
        }
        self.depth -= 1;
        Ok(())
    }

    /// What was written from an offset on, which is not written then.
    pub(super) fn taken_back(&mut self, start: usize) -> Vec<u8> {
        let encoded = self.out.written()[start..].to_vec();
        self.out.truncate(start);
        encoded
    }
}

/// The entries as they stand now, held.
pub(super) unsafe fn entries_of(dict: Obj) -> Vec<Entry> {
    let mut entries = Vec::with_capacity(ffi::PyDict_Size(dict) as usize);
    let (mut position, mut key, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
    while ffi::PyDict_Next(dict, &mut position, &mut key, &mut value) != 0 {
        entries.push(Entry {
            key: Owned::borrow(key),
            value: Owned::borrow(value),
        });
    }
    entries
}
