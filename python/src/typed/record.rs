//! Reads records into declared types: as maps with the keys of their structures.

use pyo3::ffi;

use super::packed::{Choices, Packed};
use super::plan::{Index, Node, Object, TypePlan};
use super::structure::{Target, place_of};
use crate::cpython::object::{Owned, dict_with_room, new_ref};
use crate::decode::{Decoder, Read};
use crate::errors::{Raised, Step};
use crate::record::Structure;
use crate::wire::marker::*;
use crate::wire::skip::ext_type;
use crate::wire::value_type::ValueType;

impl Decoder<'_> {
    /// Returns whether records are on and the next value is a definition or can be a record.
    #[inline(always)]
    pub(super) fn begins_record(&self, marker: u8) -> bool {
        self.reads_records()
            && match ValueType::of(marker) {
                Some(ValueType::Int) => (FIRST_ID..=LAST_ID).contains(&marker),
                Some(ValueType::Ext) => ext_type(self.rest()) == Some(RECORD),
                _ => false,
            }
    }

    /// Reads the next value, for which `begins_record` is true.
    pub(super) unsafe fn typed_record(&mut self, plan: &TypePlan, index: Index, pending: usize) -> Read {
        let marker_offset = self.offset();
        let marker = self.peek()?;
        let keys = match marker {
            FIRST_ID..=LAST_ID => match self.record_keys(marker_offset, marker)? {
                Some(keys) => keys,
                None => return self.typed_plain::<true>(plan, index, pending),
            },
            // The type comes before the definition.
            _ if !plan.takes_map(index) => {
                return Err(self.mismatch_at(plan, index, marker_offset, "map"));
            }
            FIXEXT1 | FIXEXT2 => {
                self.move_by(2);
                self.defined_keys(marker_offset, marker, pending)?
            }
            _ => return Err(self.malformed(marker_offset)),
        };
        self.record_as(plan, index, marker_offset, &keys, pending)
    }

    /// A record whose keys are known, and which is entered.
    unsafe fn record_as(
        &mut self,
        plan: &TypePlan,
        index: Index,
        marker_offset: usize,
        keys: &Structure,
        pending: usize,
    ) -> Read {
        match &plan.nodes[index] {
            Node::Any => self.fields(marker_offset, keys, pending),
            Node::Object(object) => self.record_object(plan, object, marker_offset, keys, pending),
            Node::Dict(key, value) => self.record_dict(plan, (*key, *value), marker_offset, keys, pending),
            Node::Convert(inner, callable) => {
                let value = self.record_as(plan, *inner, marker_offset, keys, pending)?;
                self.convert(plan, index, callable, marker_offset, value)
            }
            Node::Union(choices) => match choices[ValueType::Map as usize] {
                Some(choice) => self.record_as(plan, choice, marker_offset, keys, pending),
                None => Err(self.mismatch_at(plan, index, marker_offset, "map")),
            },
            Node::Tagged(key, choices) => {
                let choice = self.record_tag(plan, index, marker_offset, keys, (key, choices), pending)?;
                self.record_as(plan, choice, marker_offset, keys, pending)
            }
            Node::Shaped(outlines) => {
                let mut present = outlines.none();
                for name in &keys.names {
                    outlines.mark(&mut present, self.name_bytes(name)?);
                }
                let choice = self.chosen(outlines, &present, marker_offset)?;
                self.record_as(plan, choice, marker_offset, keys, pending)
            }
            _ => Err(self.mismatch_at(plan, index, marker_offset, "map")),
        }
    }

    unsafe fn record_object(
        &mut self,
        plan: &TypePlan,
        object: &Object,
        marker_offset: usize,
        keys: &Structure,
        pending: usize,
    ) -> Read {
        let count = keys.names.len();
        self.announce(pending, count as u64)?;
        let mut target = Target::new(self.blank(marker_offset, object)?, object);
        for (index, name) in keys.names.iter().enumerate() {
            let bytes = self.name_bytes(name)?;
            let place = place_of(&object.fields, bytes);
            let following = pending + (count - index - 1);
            let key = (marker_offset, Some(name));
            self.field::<true>(plan, object, &mut target, place, key, following)?;
        }
        self.leave();
        self.finish(marker_offset, object, &mut target)
    }

    unsafe fn record_dict(
        &mut self,
        plan: &TypePlan,
        (key, value): (Index, Index),
        marker_offset: usize,
        keys: &Structure,
        pending: usize,
    ) -> Read {
        let count = keys.names.len();
        self.announce(pending, count as u64)?;
        let dict = Owned::take(dict_with_room(count)).ok_or_else(|| self.python())?;
        for (index, name) in keys.names.iter().enumerate() {
            let key = Owned::take(self.name_as(plan, key, marker_offset, name)?).ok_or(Raised)?;
            let following = pending + (count - index - 1);
            let Ok(item) = self.typed::<true>(plan, value, following) else {
                return Err(self.step(|| Step::Key(key)));
            };
            let item = Owned::take(item).ok_or(Raised)?;
            if ffi::PyDict_SetItem(dict.get(), key.get(), item.get()) != 0 {
                return Err(self.unhashable(marker_offset));
            }
        }
        self.leave();
        Ok(dict.release())
    }

    /// A key of a structure, by the type that a dict's keys have.
    unsafe fn name_as(&mut self, plan: &TypePlan, index: Index, marker_offset: usize, name: &Owned) -> Read {
        match &plan.nodes[index] {
            Node::Any | Node::Str => Ok(new_ref(name.get())),
            Node::OneOf(choices) => self.choose(choices, marker_offset, name.clone()),
            Node::Convert(inner, callable) => {
                let value = self.name_as(plan, *inner, marker_offset, name)?;
                self.convert(plan, index, callable, marker_offset, value)
            }
            Node::Union(choices) => match choices[ValueType::Str as usize] {
                Some(choice) => self.name_as(plan, choice, marker_offset, name),
                None => Err(self.mismatch_at(plan, index, marker_offset, "str")),
            },
            _ => Err(self.mismatch_at(plan, index, marker_offset, "str")),
        }
    }

    /// Which of a union's objects the record is; nothing is taken.
    unsafe fn record_tag(
        &mut self,
        plan: &TypePlan,
        index: Index,
        marker_offset: usize,
        keys: &Structure,
        (tag, choices): (&Packed, &Choices),
        pending: usize,
    ) -> Result<Index, Raised> {
        let mut place = None;
        for (index, name) in keys.names.iter().enumerate() {
            if self.name_bytes(name)? == tag.text() {
                place = Some(index);
            }
        }
        let Some(place) = place else {
            return Err(self.no_tag(plan, index, marker_offset));
        };
        match self.end_of(place, pending) {
            Ok(end) => self.tag_at::<true>(end, self.offset(), choices),
            // What is wrong with the values before it, reading them says.
            Err(_) => {
                drop(Owned::take(self.fields(marker_offset, keys, pending)?));
                Err(self.no_tag(plan, index, marker_offset))
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
