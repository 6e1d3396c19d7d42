//! Objects with fields, straight from maps.

use pyo3::ffi;

use super::plan::{Construction, Default, Field, Object, PackedKey, Place, Plan};
use super::read::is_str;
use crate::decode::{Decoder, KeyOrder};
use crate::errors::{Failure, Kind as Fault, Raised, Step};
use crate::instance;
use crate::object::{Obj, Owned};
use crate::wire::skip;

type Read = Result<Obj, Raised>;

impl Decoder<'_> {
    pub(super) unsafe fn object<const EXACT: bool>(
        &mut self,
        plan: &Plan,
        object: &Object,
        outer: usize,
    ) -> Read {
        let at = self.offset();
        let count = self.map_header::<EXACT>(outer)?;
        let mut target = self.target(at, object)?;
        let mut order = if EXACT { self.key_order() } else { None };
        let mut next = 0;
        for index in 0..count {
            let left = outer + 2 * (count - index - 1);
            let key_at = self.offset();
            // Maps mostly have their keys in the order of the fields.
            let place = match object.fields.get(next) {
                Some(field) if !EXACT && self.pass(&field.packed) => Some(next),
                _ => self
                    .field_key::<EXACT>(left + 1, &mut order)?
                    .and_then(|key| place_of(&object.fields, key)),
            };
            self.field::<EXACT>(plan, object, &mut target, place, key_at, left)?;
            next = place.map_or(next, |place| place + 1);
        }
        self.leave();
        self.finish(at, object, target)
    }

    pub(super) unsafe fn target(&mut self, at: usize, object: &Object) -> Result<Target, Raised> {
        let text = "the class can't be made";
        Target::new(object).ok_or_else(|| self.user(at, Fault::TypeMismatch, text))
    }

    /// The value of an entry whose key, at `key_at`, is that of the field at `place` or of none.
    #[inline(always)]
    pub(super) unsafe fn field<const EXACT: bool>(
        &mut self,
        plan: &Plan,
        object: &Object,
        target: &mut Target,
        place: Option<usize>,
        key_at: usize,
        outer: usize,
    ) -> Result<(), Raised> {
        let Some(place) = place else {
            if object.closed {
                return Err(self.fault(Fault::TypeMismatch, key_at, "a key that no field has"));
            }
            let value = self.value::<EXACT>(outer)?;
            ffi::Py_DECREF(value);
            return Ok(());
        };
        let field = &object.fields[place];
        let Ok(value) = self.typed::<EXACT>(plan, field.node, outer) else {
            return Err(self.step(|| Step::Key(field.name.clone())));
        };
        if target.set(field, place, value) {
            Ok(())
        } else {
            Err(self.user(key_at, Fault::HookFailed, "an attribute could not be set"))
        }
    }

    /// Passes over the key if it is the next thing in the input.
    #[inline(always)]
    unsafe fn pass(&mut self, key: &PackedKey) -> bool {
        match key.begins(self.rest()) {
            Some(length) => {
                self.move_by(length);
                true
            }
            None => false,
        }
    }

    /// The bytes of the key of an entry, which has been taken. `None` for keys that are no str.
    #[inline(always)]
    unsafe fn field_key<'b, const EXACT: bool>(
        &mut self,
        outer: usize,
        order: &mut Option<KeyOrder>,
    ) -> Result<Option<&'b [u8]>, Raised> {
        let marker = self.peek()?;
        if !EXACT && is_str(marker) {
            return self.str_bytes().map(Some);
        }
        // With limits and the like the key is read as every value is.
        let at = self.offset();
        let key = Owned::take(self.value::<EXACT>(outer)?).ok_or(Raised)?;
        if let Some(order) = order {
            order.check(self, key.get(), at)?;
        }
        drop(key);
        Ok(skip::str_at(self.input(), at)
            .map(|key| std::slice::from_raw_parts(key.as_ptr(), key.len())))
    }

    pub(super) unsafe fn finish(&mut self, at: usize, object: &Object, mut target: Target) -> Read {
        if !target.is_complete(object.fields.len()) {
            self.defaults(at, object, &mut target)?;
        }
        let made = match object.construction {
            Construction::Direct | Construction::Dict => target.object,
            Construction::Call => {
                let none = crate::state::get().empty_tuple;
                let made = ffi::PyObject_Call(object.class.get(), none, target.object.get());
                match Owned::take(made) {
                    Some(made) => made,
                    None => {
                        return Err(self.user(
                            at,
                            Fault::TypeMismatch,
                            "the class refused the values",
                        ));
                    }
                }
            }
        };
        if let Some(post_init) = &object.post_init {
            if Owned::take(ffi::PyObject_CallOneArg(post_init.get(), made.get())).is_none() {
                return Err(self.user(at, Fault::TypeMismatch, "__post_init__ refused the values"));
            }
        }
        Ok(made.release())
    }

    /// Sets the fields that the map did not have.
    unsafe fn defaults(
        &mut self,
        at: usize,
        object: &Object,
        target: &mut Target,
    ) -> Result<(), Raised> {
        for (place, field) in object.fields.iter().enumerate() {
            if target.has(place) {
                continue;
            }
            let value = match &field.default {
                Default::Absent => continue,
                Default::Required => return Err(self.missing(at, field)),
                Default::Value(value) => value.clone().release(),
                Default::Factory(factory) => {
                    match Owned::take(ffi::PyObject_CallNoArgs(factory.get())) {
                        Some(value) => value.release(),
                        None => {
                            return Err(self.user(
                                at,
                                Fault::HookFailed,
                                "a default factory failed",
                            ));
                        }
                    }
                }
            };
            if !target.set(field, place, value) {
                return Err(self.user(at, Fault::HookFailed, "an attribute could not be set"));
            }
        }
        Ok(())
    }

    #[cold]
    unsafe fn missing(&mut self, at: usize, field: &Field) -> Raised {
        let name = String::from_utf8_lossy(&field.key).into_owned();
        self.failure = Some(Failure::at(
            Fault::TypeMismatch,
            at,
            format!("the required field {name:?} is missing"),
        ));
        Raised
    }
}

/// The field with a key.
pub(super) fn place_of(fields: &[Field], key: &[u8]) -> Option<usize> {
    fields.iter().position(|field| &*field.key == key)
}

/// An object whose fields are being set: the object itself, or the keywords that make it.
pub(super) struct Target {
    object: Owned,
    is_dict: bool,
    /// Which of the first 64 fields have been set.
    seen: u64,
    /// Those of the fields behind them.
    seen_far: Vec<bool>,
}

impl Target {
    /// `None` when Python raised.
    unsafe fn new(object: &Object) -> Option<Target> {
        let is_dict = object.construction != Construction::Direct;
        let made = if is_dict {
            crate::object::dict_with_room(object.fields.len())
        } else {
            // `object.__new__`: an allocation alone would leave out the array of the dict's values.
            let new = ffi::PyBaseObject_Type.tp_new;
            let none = crate::state::get().empty_tuple;
            new.map_or(std::ptr::null_mut(), |new| {
                new(object.class.get().cast(), none, std::ptr::null_mut())
            })
        };
        let seen_far = vec![false; object.fields.len().saturating_sub(64)];
        Some(Target {
            object: Owned::take(made)?,
            is_dict,
            seen: 0,
            seen_far,
        })
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
    unsafe fn set(&mut self, field: &Field, place: usize, value: Obj) -> bool {
        if place < 64 {
            self.seen |= 1 << place;
        } else {
            self.seen_far[place - 64] = true;
        }
        match &field.place {
            Place::Slot(offset) => {
                let slot = (self.object.get() as *mut u8).offset(*offset) as *mut Obj;
                let old = std::mem::replace(&mut *slot, value);
                ffi::Py_XDECREF(old);
                return true;
            }
            Place::Value(late) => match late.get() {
                Some(index) => {
                    if instance::set(self.object.get(), index, value) {
                        return true;
                    }
                }
                None => {
                    let done = self.set_by_name(field, value);
                    late.learn((*self.object.get()).ob_type.cast(), field.name.get());
                    return done;
                }
            },
            Place::Named => {}
        }
        self.set_by_name(field, value)
    }

    unsafe fn set_by_name(&self, field: &Field, value: Obj) -> bool {
        let done = if self.is_dict {
            ffi::PyDict_SetItem(self.object.get(), field.name.get(), value)
        } else {
            ffi::PyObject_GenericSetAttr(self.object.get(), field.name.get(), value)
        };
        ffi::Py_DECREF(value);
        done == 0
    }
}
