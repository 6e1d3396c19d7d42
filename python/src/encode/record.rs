//! Maps as records (`spec/records.md` section 6).

use pyo3::ffi;

use super::Encoder;
use super::map::Entry;
use crate::cpython::object::{Obj, type_of};
use crate::errors::Raised;
use crate::record::Head;
use crate::wire::marker::*;

impl Encoder<'_> {
    /// Writes the id or the definition of the map's structure. `false`, and nothing written, for
    /// maps that stay plain.
    pub(super) unsafe fn record_head(&mut self, entries: &[Entry]) -> Result<bool, Raised> {
        let all_str = |entry: &Entry| type_of(entry.key.get()) == &raw mut ffi::PyUnicode_Type;
        if !entries.iter().all(all_str) {
            return Ok(false);
        }
        let keys: Vec<Obj> = entries.iter().map(|entry| entry.key.get()).collect();
        let Some(records) = self.records.as_mut() else {
            return Ok(false);
        };
        let head = records.head(&keys);
        self.reserve(8)?;
        match head {
            Head::Plain => return Ok(false),
            Head::Id(id) => self.id(id),
            Head::Definition(id) => {
                self.out.byte(if id.1.is_none() { FIXEXT1 } else { FIXEXT2 });
                self.out.byte(RECORD as u8);
                self.id(id);
                self.out.array_header(keys.len());
                for key in keys {
                    self.string(key)?;
                }
            }
        }
        Ok(true)
    }

    unsafe fn id(&mut self, (low, high): (u8, Option<u8>)) {
        self.out.byte(low);
        if let Some(high) = high {
            self.out.byte(high);
        }
    }
}
