//! Records where a declared type is wanted: the same as maps with these keys.

use pyo3::ffi;

use super::plan::{Index, Kind, Node, Object, Plan};
use super::structure::place_of;
use crate::decode::Decoder;
use crate::errors::{Kind as Fault, Raised, Step};
use crate::object::{Obj, Owned, dict_with_room, new_ref};
use crate::record::Keys;
use crate::stream::scanner;
use crate::wire::marker::*;

type Read = Result<Obj, Raised>;

impl Decoder<'_> {
    /// Whether records are on and the value at hand is a definition, or can begin a record.
    #[inline(always)]
    pub(super) fn begins_record(&self, marker: u8) -> bool {
        if !self.reads_records() {
            return false;
        }
        let place = match marker {
            0x40..=0x7f => return true,
            FIXEXT1..=0xd8 => 1,
            0xc7..=0xc9 => 1 + (1 << (marker - EXT8)),
            _ => return false,
        };
        self.rest().get(place) == Some(&(RECORD as u8))
    }

    /// The value at hand, for which `begins_record` holds.
    pub(super) unsafe fn typed_record(&mut self, plan: &Plan, index: Index, outer: usize) -> Read {
        let at = self.offset();
        let marker = self.peek()?;
        let keys = match marker {
            0x40..=0x7f => match self.record_keys(at, marker)? {
                Some(keys) => keys,
                None => return self.typed_plain::<true>(plan, index, outer),
            },
            FIXEXT1 | FIXEXT2 => {
                self.move_by(2);
                self.defined_keys(at, marker, outer)?
            }
            _ => return Err(self.malformed(at)),
        };
        self.record_as(plan, index, at, &keys, outer)
    }

    /// A record whose keys are known, and which is entered.
    unsafe fn record_as(
        &mut self,
        plan: &Plan,
        index: Index,
        at: usize,
        keys: &Keys,
        outer: usize,
    ) -> Read {
        match &plan.nodes[index] {
            Node::Any => {
                let record = self.fields(at, keys, outer)?;
                self.leave();
                Ok(record)
            }
            Node::Object(object) => self.record_object(plan, object, at, keys, outer),
            Node::Dict(key, value) => self.record_dict(plan, (*key, *value), at, keys, outer),
            Node::Convert(inner, callable) => {
                let value = self.record_as(plan, *inner, at, keys, outer)?;
                self.convert(plan, index, callable, at, value)
            }
            Node::Union(choices) => match choices[Kind::Map as usize] {
                Some(choice) => self.record_as(plan, choice, at, keys, outer),
                None => Err(self.mismatch_at(plan, index, at, "map")),
            },
            Node::Tagged(key, choices) => {
                let choice = self.record_tag(plan, index, at, keys, (key, choices), outer)?;
                self.record_as(plan, choice, at, keys, outer)
            }
            _ => Err(self.mismatch_at(plan, index, at, "map")),
        }
    }

    unsafe fn record_object(
        &mut self,
        plan: &Plan,
        object: &Object,
        at: usize,
        keys: &Keys,
        outer: usize,
    ) -> Read {
        let count = keys.names.len();
        self.announce(outer, count)?;
        let mut target = self.target(at, object)?;
        for (index, name) in keys.names.iter().enumerate() {
            let bytes = self.name_bytes(name)?;
            let place = place_of(&object.fields, bytes);
            let left = outer + (count - index - 1);
            self.field::<true>(plan, object, &mut target, place, at, left)?;
        }
        self.leave();
        self.finish(at, object, target)
    }

    unsafe fn record_dict(
        &mut self,
        plan: &Plan,
        (key, value): (Index, Index),
        at: usize,
        keys: &Keys,
        outer: usize,
    ) -> Read {
        let count = keys.names.len();
        self.announce(outer, count)?;
        let dict = Owned::take(dict_with_room(count)).ok_or_else(|| self.python())?;
        for (index, name) in keys.names.iter().enumerate() {
            let key = Owned::take(self.name_as(plan, key, at, name)?).ok_or(Raised)?;
            let left = outer + (count - index - 1);
            let Ok(item) = self.typed::<true>(plan, value, left) else {
                return Err(self.step(|| Step::Key(key)));
            };
            let item = Owned::take(item).ok_or(Raised)?;
            if ffi::PyDict_SetItem(dict.get(), key.get(), item.get()) != 0 {
                return Err(self.user(at, Fault::TypeMismatch, "the key cannot be hashed"));
            }
        }
        self.leave();
        Ok(dict.release())
    }

    /// A key of a structure, by the type that a dict's keys have.
    unsafe fn name_as(&mut self, plan: &Plan, index: Index, at: usize, name: &Owned) -> Read {
        match &plan.nodes[index] {
            Node::Any | Node::Str => Ok(new_ref(name.get())),
            Node::OneOf(choices) => self.choose(plan, index, choices, at, name.clone()),
            Node::Convert(inner, callable) => {
                let value = self.name_as(plan, *inner, at, name)?;
                self.convert(plan, index, callable, at, value)
            }
            Node::Union(choices) => match choices[Kind::Str as usize] {
                Some(choice) => self.name_as(plan, choice, at, name),
                None => Err(self.mismatch_at(plan, index, at, "str")),
            },
            _ => Err(self.mismatch_at(plan, index, at, "str")),
        }
    }

    /// Which of a union's objects the record is; nothing is taken.
    unsafe fn record_tag(
        &mut self,
        plan: &Plan,
        index: Index,
        at: usize,
        keys: &Keys,
        (tag, choices): (&[u8], &Owned),
        outer: usize,
    ) -> Result<Index, Raised> {
        let mut place = None;
        for (index, name) in keys.names.iter().enumerate() {
            if self.name_bytes(name)? == tag {
                place = Some(index);
            }
        }
        let Some(place) = place else {
            return Err(self.no_tag(plan, index, at));
        };
        match scanner::end_of(self.rest(), place, self.options, self.structures()) {
            Some(length) => {
                let start = self.offset();
                self.tag_at(plan, index, start + length, start, choices)
            }
            // What is wrong with the values before it, reading them says.
            None => {
                let record = self.fields(at, keys, outer)?;
                ffi::Py_DECREF(record);
                Err(self.no_tag(plan, index, at))
            }
        }
    }

    /// The UTF-8 of a structure's key, which lives as long as the key.
    unsafe fn name_bytes<'k>(&mut self, name: &'k Owned) -> Result<&'k [u8], Raised> {
        let mut length = 0;
        let text = ffi::PyUnicode_AsUTF8AndSize(name.get(), &mut length);
        if text.is_null() {
            return Err(self.python());
        }
        Ok(std::slice::from_raw_parts(text.cast(), length as usize))
    }
}
