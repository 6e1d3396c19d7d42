//! Objects with fields, straight from maps.

use pyo3::ffi;

use super::plan::{Construction, Default, Node, Object, TargetField, TargetPlace, TypePlan};
use crate::cpython::instance;
use crate::cpython::object::{Obj, Owned, dict_with_room, new_object, type_of};
use crate::decode::{Decoder, KeyOrder, Read};
use crate::errors::{Kind, Raised, Step, quote};
use crate::options;
use crate::wire::skip;
use crate::wire::value_type::ValueType;

impl Decoder<'_> {
    pub(super) unsafe fn object<const CHECKED: bool>(
        &mut self,
        plan: &TypePlan,
        object: &Object,
        pending: usize,
    ) -> Read {
        let marker_offset = self.offset();
        let count = self.map_header::<CHECKED>(pending)?;
        let mut target = Target::new(self.blank(marker_offset, object)?, object);
        let mut order = if CHECKED { self.key_order() } else { None };
        let mut next = 0;
        for index in 0..count {
            let following = pending + 2 * (count - index - 1);
            let key_at = self.offset();
            // Maps mostly have their keys in the order of the fields, and may leave some out.
            let place = match self.next_field::<CHECKED>(object, next) {
                Some(place) => Some(place),
                None => self
                    .field_key::<CHECKED>(following + 1, &mut order)?
                    .and_then(|key| place_of(&object.fields, key)),
            };
            self.field::<CHECKED>(plan, object, &mut target, place, (key_at, None), following)?;
            next = place.map_or(next, |place| place + 1);
        }
        self.leave();
        self.finish(marker_offset, object, &mut target)
    }

    /// An object from the array of its fields, of which it has at least some.
    pub(super) unsafe fn row<const CHECKED: bool>(
        &mut self,
        plan: &TypePlan,
        object: &Object,
        least: usize,
        pending: usize,
    ) -> Read {
        let marker_offset = self.offset();
        let count = self.array_header::<CHECKED>(pending)?;
        let most = object.fields.len();
        let wanted = (least, if object.closed { most } else { usize::MAX });
        self.check_count(marker_offset, count, wanted)?;
        let mut target = Target::new(self.blank(marker_offset, object)?, object);
        for index in 0..count {
            let following = pending + (count - index - 1);
            let Some(field) = object.fields.get(index) else {
                let value = self.value::<CHECKED>(following);
                ffi::Py_DECREF(value.map_err(|Raised| self.step(|| Step::Index(index)))?);
                continue;
            };
            let value = self.typed::<CHECKED>(plan, field.node, following);
            let value = value.map_err(|Raised| self.step(|| Step::Index(index)))?;
            if !target.set(field, index, value) {
                return Err(self.not_set(marker_offset));
            }
        }
        self.leave();
        self.finish(marker_offset, object, &mut target)
    }

    /// An object without fields, or a dict for the keywords that make it.
    pub(super) unsafe fn blank(&mut self, marker_offset: usize, object: &Object) -> Result<Owned, Raised> {
        let blank = if object.construction == Construction::Direct {
            new_object(object.class.get())
        } else {
            dict_with_room(object.fields.len())
        };
        let text = "the class cannot be made";
        Owned::take(blank).ok_or_else(|| self.user(marker_offset, Kind::TypeMismatch, text))
    }

    /// The value of an entry whose key, at `key_at`, is that of the field at `place` or of none. `name`: the key in a
    /// record, which is then at `key_at`.
    #[inline(always)]
    pub(super) unsafe fn field<const CHECKED: bool>(
        &mut self,
        plan: &TypePlan,
        object: &Object,
        target: &mut Target,
        place: Option<usize>,
        (key_at, name): (usize, Option<&Owned>),
        pending: usize,
    ) -> Result<(), Raised> {
        let Some(place) = place else {
            if object.closed {
                return Err(self.unknown_field(key_at));
            }
            return self.skipped::<CHECKED>(key_at, name, pending);
        };
        let field = &object.fields[place];
        // What is taken as it comes needs no second look at the type.
        let marker = self.rest().first();
        let value = if !CHECKED && marker.is_some_and(|&marker| plan.takes(field.node, marker)) {
            self.value::<CHECKED>(pending)
        } else if let Node::OneOf(choices) = &plan.nodes[field.node] {
            self.one_of::<CHECKED>(plan, field.node, choices, pending)
        } else {
            self.typed::<CHECKED>(plan, field.node, pending)
        };
        let Ok(value) = value else {
            return Err(self.in_field(field));
        };
        if target.set(field, place, value) {
            Ok(())
        } else {
            Err(self.not_set(key_at))
        }
    }

    /// A fault within a field, which the path calls by its key.
    #[cold]
    unsafe fn in_field(&mut self, field: &TargetField) -> Raised {
        let (start, length) = (field.key.as_ptr().cast(), field.key.len() as isize);
        match Owned::take(ffi::PyUnicode_FromStringAndSize(start, length)) {
            Some(key) => self.step(|| Step::Key(key)),
            None => self.python(),
        }
    }

    /// The value of a key that no field has, which is read for its faults.
    #[inline(never)]
    unsafe fn skipped<const CHECKED: bool>(
        &mut self,
        key_at: usize,
        name: Option<&Owned>,
        pending: usize,
    ) -> Result<(), Raised> {
        if let Ok(value) = self.value::<CHECKED>(pending) {
            ffi::Py_DECREF(value);
            return Ok(());
        }
        let failure = self.failure.take();
        let key = match name {
            Some(name) => Ok(name.clone()),
            None => self.key_again(key_at, pending + 1),
        };
        self.failure = failure;
        Err(key.map_or(Raised, |key| self.step(|| Step::Key(key))))
    }

    /// The field whose key is next in the input, from the field at `next` on. The key is taken; `None` leaves it.
    #[inline(always)]
    unsafe fn next_field<const CHECKED: bool>(&mut self, object: &Object, next: usize) -> Option<usize> {
        if CHECKED {
            return None;
        }
        for (place, field) in object.fields.iter().enumerate().skip(next) {
            if let Some(length) = field.packed.begins(self.rest()) {
                self.move_by(length);
                return Some(place);
            }
        }
        None
    }

    /// Takes the key of an entry and returns its bytes; `None` for a key that is not a str.
    #[inline(always)]
    unsafe fn field_key<'b, const CHECKED: bool>(
        &mut self,
        pending: usize,
        order: &mut Option<KeyOrder>,
    ) -> Result<Option<&'b [u8]>, Raised> {
        let marker = self.peek()?;
        if !CHECKED && ValueType::of(marker) == Some(ValueType::Str) {
            return self.str_bytes().map(Some);
        }
        self.unusual_key::<CHECKED>(marker, pending, order)
    }

    /// A key with limits and the like, which is read as every value is, or one that is not a str. Its frame is not on
    /// the stack while the value is read.
    #[inline(never)]
    unsafe fn unusual_key<'b, const CHECKED: bool>(
        &mut self,
        marker: u8,
        pending: usize,
        order: &mut Option<KeyOrder>,
    ) -> Result<Option<&'b [u8]>, Raised> {
        let marker_offset = self.offset();
        if self.options.has(options::FEW_KINDS) && ValueType::of(marker) != Some(ValueType::Str) {
            let raised = self.unexpected(marker, "a str as a key");
            return Err(self.in_key(raised));
        }
        let key = self.value::<CHECKED>(pending);
        let key = Owned::take(key.map_err(|raised| self.in_key(raised))?).ok_or(Raised)?;
        if let Some(order) = order {
            order.check(self, key.get(), marker_offset)?;
        }
        drop(key);
        Ok(skip::str_at(self.input(), marker_offset).map(|key| std::slice::from_raw_parts(key.as_ptr(), key.len())))
    }

    pub(super) unsafe fn finish(&mut self, marker_offset: usize, object: &Object, target: &mut Target) -> Read {
        if !target.is_complete(object.fields.len()) {
            self.defaults(marker_offset, object, target)?;
        }
        let instance = match object.construction {
            Construction::Direct | Construction::Dict => target.object.clone(),
            Construction::Call => {
                let none = crate::cpython::state::get().empty_tuple;
                let instance = ffi::PyObject_Call(object.class.get(), none, target.object.get());
                let text = "the class refused the values";
                Owned::take(self.answer(instance, marker_offset, Kind::TypeMismatch, text)?).ok_or(Raised)?
            }
        };
        if let Some(post_init) = &object.post_init {
            if Owned::take(ffi::PyObject_CallOneArg(post_init.get(), instance.get())).is_none() {
                return Err(self.user(marker_offset, Kind::TypeMismatch, "__post_init__ refused the values"));
            }
        }
        Ok(instance.release())
    }

    /// Sets the fields that the map did not have.
    unsafe fn defaults(&mut self, marker_offset: usize, object: &Object, target: &mut Target) -> Result<(), Raised> {
        for (place, field) in object.fields.iter().enumerate() {
            if target.has(place) {
                continue;
            }
            let value = match &field.default {
                Default::Absent => continue,
                Default::Required => {
                    let detail = named("missing field", &field.key);
                    return Err(self.fault_with(Kind::TypeMismatch, marker_offset, detail));
                }
                Default::Value(value) => value.clone().release(),
                Default::Factory(factory) => {
                    let value = ffi::PyObject_CallNoArgs(factory.get());
                    self.answer(value, marker_offset, Kind::HookFailed, "a default factory failed")?
                }
            };
            if !target.set(field, place, value) {
                return Err(self.not_set(marker_offset));
            }
        }
        Ok(())
    }

    #[cold]
    unsafe fn not_set(&mut self, marker_offset: usize) -> Raised {
        let detail = "an attribute could not be set";
        self.user(marker_offset, Kind::HookFailed, detail)
    }

    /// A key that no field has. A record's fields have no key of their own to name.
    #[cold]
    unsafe fn unknown_field(&mut self, key_at: usize) -> Raised {
        let name = skip::str_at(self.input(), key_at);
        let detail = name.map_or_else(|| "unknown field".into(), |name| named("unknown field", name));
        self.fault_with(Kind::TypeMismatch, key_at, detail)
    }
}

/// A detail about a field: `missing field "name"`.
fn named(what: &str, key: &[u8]) -> String {
    let mut detail = format!("{what} ");
    quote(&mut detail, &String::from_utf8_lossy(key));
    detail
}

pub(super) fn place_of(fields: &[TargetField], key: &[u8]) -> Option<usize> {
    fields.iter().position(|field| &*field.key == key)
}

/// An object whose fields are being set: the object itself, or the keywords that make it.
pub(super) struct Target {
    object: Owned,
    is_dict: bool,
    /// Which of the first 64 fields have been set.
    seen: u64,
    /// Those of the fields after them.
    seen_far: Vec<bool>,
}

impl Target {
    /// Inlined and passed by reference: moved as a whole, it waits for its parts to be written.
    #[inline(always)]
    pub(super) fn new(instance: Owned, object: &Object) -> Target {
        Target {
            object: instance,
            is_dict: object.construction != Construction::Direct,
            seen: 0,
            seen_far: vec![false; object.fields.len().saturating_sub(64)],
        }
    }

    /// Whether all of `count` fields have been set; `false` where it takes more than a look.
    fn is_complete(&self, count: usize) -> bool {
        (1..=64).contains(&count) && self.seen == u64::MAX >> (64 - count)
    }

    fn has(&self, place: usize) -> bool {
        if place < 64 {
            self.seen & 1 << place != 0
        } else {
            self.seen_far[place - 64]
        }
    }

    /// Takes over `value`. `false` when Python raised.
    #[inline(always)]
    unsafe fn set(&mut self, field: &TargetField, place: usize, value: Obj) -> bool {
        if place < 64 {
            self.seen |= 1 << place;
        } else {
            self.seen_far[place - 64] = true;
        }
        match &field.place {
            TargetPlace::Slot(offset) => {
                let slot = instance::slot(self.object.get(), *offset);
                let old = std::mem::replace(&mut *slot, value);
                ffi::Py_XDECREF(old);
                return true;
            }
            TargetPlace::Value(late) => match late.get() {
                Some(index) => {
                    if instance::set(self.object.get(), index, value) {
                        return true;
                    }
                }
                None => {
                    let done = self.set_by_name(field, value);
                    late.learn(type_of(self.object.get()).cast(), field.name.get());
                    return done;
                }
            },
            TargetPlace::Named => {}
            TargetPlace::Skipped => {
                ffi::Py_DECREF(value);
                return true;
            }
        }
        self.set_by_name(field, value)
    }

    unsafe fn set_by_name(&self, field: &TargetField, value: Obj) -> bool {
        let done = if self.is_dict {
            ffi::PyDict_SetItem(self.object.get(), field.name.get(), value)
        } else {
            ffi::PyObject_GenericSetAttr(self.object.get(), field.name.get(), value)
        };
        ffi::Py_DECREF(value);
        done == 0
    }
}
