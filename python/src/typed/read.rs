//! Values by their types.

use pyo3::ffi;

use super::plan::{Collection, Index, Kind, Node, Plan};
use crate::decode::{Crowd, Decoder};
use crate::errors::{Failure, Kind as Fault, Raised, Step};
use crate::object::{Obj, Owned, dict_with_room, list_items, list_with_room, set_list_size};
use crate::wire::marker::*;
use crate::wire::skip;

type Read = Result<Obj, Raised>;

impl Decoder<'_> {
    /// The one message of the input, by a type.
    pub unsafe fn typed_message(&mut self, plan: &Plan) -> Read {
        self.typed = true;
        self.whole_message(|reader| {
            if reader.usual() {
                reader.typed::<false>(plan, 0, 0)
            } else {
                reader.typed::<true>(plan, 0, 0)
            }
        })
    }

    /// The next value, by the type of a node.
    pub(super) unsafe fn typed<const EXACT: bool>(
        &mut self,
        plan: &Plan,
        index: Index,
        outer: usize,
    ) -> Read {
        let marker = self.peek()?;
        if EXACT && self.begins_record(marker) {
            return self.typed_record(plan, index, outer);
        }
        self.typed_plain::<EXACT>(plan, index, outer)
    }

    /// The next value, which is no record.
    #[inline(always)]
    pub(super) unsafe fn typed_plain<const EXACT: bool>(
        &mut self,
        plan: &Plan,
        index: Index,
        outer: usize,
    ) -> Read {
        let marker = self.peek()?;
        if plan.takes(index, marker) {
            return self.value::<EXACT>(outer);
        }
        match &plan.nodes[index] {
            Node::Any => self.value::<EXACT>(outer),
            Node::Float if is_int(marker) => self.float_of_int::<EXACT>(plan, index, outer),
            Node::List(item) if is_array(marker) => {
                self.typed_list::<EXACT>(plan, |_| *item, None, outer)
            }
            Node::Sequence(item, collection) if is_array(marker) => {
                let at = self.offset();
                let list = Owned::take(self.typed_list::<EXACT>(plan, |_| *item, None, outer)?)
                    .ok_or(Raised)?;
                self.collect(at, list, *collection)
            }
            Node::Tuple(items) if is_array(marker) => {
                let list =
                    self.typed_list::<EXACT>(plan, |place| items[place], Some(items.len()), outer)?;
                let list = Owned::take(list).ok_or(Raised)?;
                self.made(ffi::PyList_AsTuple(list.get()))
            }
            Node::Dict(key, value) if is_map(marker) => {
                self.typed_dict::<EXACT>(plan, *key, *value, outer)
            }
            Node::Object(object) if is_map(marker) => self.object::<EXACT>(plan, object, outer),
            Node::OneOf(choices) => self.one_of::<EXACT>(plan, index, choices, outer),
            Node::Convert(inner, callable) => {
                let at = self.offset();
                let value = self.typed::<EXACT>(plan, *inner, outer)?;
                self.convert(plan, index, callable, at, value)
            }
            Node::Union(choices) => {
                match Kind::of(marker).and_then(|kind| choices[kind as usize]) {
                    Some(choice) => self.typed::<EXACT>(plan, choice, outer),
                    None => Err(self.mismatch(plan, index, marker)),
                }
            }
            Node::Tagged(key, choices) if is_map(marker) => {
                let choice = self.tagged(plan, index, key, choices)?;
                self.typed::<EXACT>(plan, choice, outer)
            }
            _ => Err(self.mismatch(plan, index, marker)),
        }
    }

    /// The value is of another kind than the type wants. Its own faults come first.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn mismatch(&mut self, plan: &Plan, index: Index, marker: u8) -> Raised {
        let at = self.offset();
        if marker == RESERVED {
            return self.fault(Fault::ReservedMarker, at, "invalid type Reserved");
        }
        // A number is whole or there is none; of all others the header is.
        let number = matches!(marker, FLOAT32..=INT64);
        let header = skip::header(self.input(), at);
        let whole = header.is_some_and(|header| !number || header.end <= self.input().len());
        if !whole {
            return self.eof();
        }
        let got = match Kind::of(marker) {
            Some(Kind::Nil) => "nil",
            Some(Kind::Bool) => "bool",
            Some(Kind::Int) => "int",
            Some(Kind::Float) => "float",
            Some(Kind::Str) => "str",
            Some(Kind::Bin) => "bytes",
            Some(Kind::Array) => "array",
            Some(Kind::Map) => "map",
            Some(Kind::Ext) | None => "ext",
        };
        self.mismatch_at(plan, index, at, got)
    }

    #[cold]
    pub(super) fn mismatch_at(
        &mut self,
        plan: &Plan,
        index: Index,
        at: usize,
        got: &str,
    ) -> Raised {
        let text = format!("expected {}, got {got}", plan.names[index]);
        self.failure = Some(Failure::at(Fault::TypeMismatch, at, text));
        Raised
    }

    /// What a callable makes of a value, which is taken over.
    pub(super) unsafe fn convert(
        &mut self,
        plan: &Plan,
        index: Index,
        callable: &Owned,
        at: usize,
        value: Obj,
    ) -> Read {
        let value = Owned::take(value).ok_or(Raised)?;
        match Owned::take(ffi::PyObject_CallOneArg(callable.get(), value.get())) {
            Some(value) => Ok(value.release()),
            None => Err(self.not_converted(plan, index, at)),
        }
    }

    #[cold]
    unsafe fn not_converted(&mut self, plan: &Plan, index: Index, at: usize) -> Raised {
        let mut failure = Failure::caused(
            Fault::TypeMismatch,
            format!("expected {}", plan.names[index]),
        );
        failure.offset = Some(at);
        self.failure = Some(failure);
        Raised
    }

    /// An integer where a float is wanted: when nothing is lost.
    unsafe fn float_of_int<const EXACT: bool>(
        &mut self,
        plan: &Plan,
        index: Index,
        outer: usize,
    ) -> Read {
        let at = self.offset();
        let int = Owned::take(self.value::<EXACT>(outer)?).ok_or(Raised)?;
        let number = ffi::PyLong_AsDouble(int.get());
        let back = Owned::take(ffi::PyLong_FromDouble(number)).ok_or_else(|| self.python())?;
        if ffi::PyObject_RichCompareBool(back.get(), int.get(), ffi::Py_EQ) == 1 {
            return self.made(ffi::PyFloat_FromDouble(number));
        }
        let text = format!(
            "expected {}: the integer has no exact float",
            plan.names[index]
        );
        self.failure = Some(Failure::at(Fault::OutOfRange, at, text));
        Err(Raised)
    }

    unsafe fn typed_list<const EXACT: bool>(
        &mut self,
        plan: &Plan,
        node: impl Fn(usize) -> Index,
        wanted: Option<usize>,
        outer: usize,
    ) -> Read {
        let at = self.offset();
        let count = self.array_header::<EXACT>(outer)?;
        if wanted.is_some_and(|wanted| wanted != count) {
            let text = format!(
                "expected an array of {}, got one of {count}",
                wanted.unwrap_or(0)
            );
            self.failure = Some(Failure::at(Fault::TypeMismatch, at, text));
            return Err(Raised);
        }
        let list = Owned::take(list_with_room(count)).ok_or_else(|| self.python())?;
        let items = list_items(list.get());
        for index in 0..count {
            match self.typed::<EXACT>(plan, node(index), outer + (count - index - 1)) {
                Ok(item) => *items.add(index) = item,
                Err(Raised) => return Err(self.step(|| Step::Index(index))),
            }
            set_list_size(list.get(), index as isize + 1);
        }
        self.leave();
        Ok(list.release())
    }

    unsafe fn collect(&mut self, at: usize, list: Owned, collection: Collection) -> Read {
        let made = match collection {
            Collection::Set => ffi::PySet_New(std::ptr::null_mut()),
            Collection::Frozenset => ffi::PyFrozenSet_New(std::ptr::null_mut()),
            Collection::Tuple => return self.made(ffi::PyList_AsTuple(list.get())),
        };
        let set = Owned::take(made).ok_or_else(|| self.python())?;
        let mut crowd = Crowd::default();
        for index in 0..ffi::PyList_GET_SIZE(list.get()) {
            let element = ffi::PyList_GET_ITEM(list.get(), index);
            let before = ffi::PySet_Size(set.get());
            if ffi::PySet_Add(set.get(), element) != 0 {
                return Err(self.user(at, Fault::TypeMismatch, "an element cannot be hashed"));
            }
            if ffi::PySet_Size(set.get()) > before {
                crowd.add(self, element, at)?;
            }
        }
        Ok(set.release())
    }

    unsafe fn typed_dict<const EXACT: bool>(
        &mut self,
        plan: &Plan,
        key: Index,
        value: Index,
        outer: usize,
    ) -> Read {
        let count = self.map_header::<EXACT>(outer)?;
        let dict = Owned::take(dict_with_room(count)).ok_or_else(|| self.python())?;
        let plain = matches!(plan.nodes[key], Node::Str) && !EXACT;
        let mut order = if EXACT { self.key_order() } else { None };
        let mut crowd = Crowd::default();
        for index in 0..count {
            let left = outer + 2 * (count - index - 1);
            let at = self.offset();
            let name = if plain {
                self.str_key()?
            } else {
                self.typed::<EXACT>(plan, key, left + 1)?
            };
            let name = Owned::take(name).ok_or(Raised)?;
            if let Some(order) = &mut order {
                self.check_key(order, at, left + 1)?;
            }
            let Ok(item) = self.typed::<EXACT>(plan, value, left) else {
                return Err(self.step(|| Step::Key(name)));
            };
            let item = Owned::take(item).ok_or(Raised)?;
            self.put(&dict, &name, &item, at, &mut crowd)?;
        }
        self.leave();
        Ok(dict.release())
    }

    /// A value that stands for one of a few: of a Literal, or of an Enum.
    unsafe fn one_of<const EXACT: bool>(
        &mut self,
        plan: &Plan,
        index: Index,
        choices: &Owned,
        outer: usize,
    ) -> Read {
        let at = self.offset();
        let value = Owned::take(self.value::<EXACT>(outer)?).ok_or(Raised)?;
        let value = Owned::take(self.hashable(value.get())?).ok_or(Raised)?;
        self.choose(plan, index, choices, at, value)
    }

    /// What a hashable value stands for.
    pub(super) unsafe fn choose(
        &mut self,
        plan: &Plan,
        index: Index,
        choices: &Owned,
        at: usize,
        value: Owned,
    ) -> Read {
        // The type takes part: 1, 1.0 and True are equal in Python.
        let class = (*value.get()).ob_type as Obj;
        let key =
            Owned::take(ffi::PyTuple_Pack(2, class, value.get())).ok_or_else(|| self.python())?;
        let found = ffi::PyDict_GetItemWithError(choices.get(), key.get());
        if !found.is_null() {
            return Ok(crate::object::new_ref(found));
        }
        ffi::PyErr_Clear();
        let text = format!("expected {}", plan.names[index]);
        self.failure = Some(Failure::at(Fault::TypeMismatch, at, text));
        Err(Raised)
    }

    /// Which of a union's objects the map is; the map is not taken.
    unsafe fn tagged(
        &mut self,
        plan: &Plan,
        index: Index,
        key: &[u8],
        choices: &Owned,
    ) -> Result<Index, Raised> {
        let at = self.offset();
        let place = self.entry_at(at, key);
        let Some(place) = place else {
            // Cut short, or without the tag: in the first case reading says so.
            let value = self.value::<true>(0)?;
            ffi::Py_DECREF(value);
            return Err(self.no_tag(plan, index, at));
        };
        self.tag_at(plan, index, place, at, choices)
    }

    #[cold]
    pub(super) fn no_tag(&mut self, plan: &Plan, index: Index, at: usize) -> Raised {
        let text = format!(
            "expected {}: the entry that tells them apart is missing",
            plan.names[index]
        );
        self.failure = Some(Failure::at(Fault::TypeMismatch, at, text));
        Raised
    }

    /// The node that the tag at `place` stands for. Reading then goes on at `back`.
    pub(super) unsafe fn tag_at(
        &mut self,
        plan: &Plan,
        index: Index,
        place: usize,
        back: usize,
        choices: &Owned,
    ) -> Result<Index, Raised> {
        self.move_to(place);
        let value = Owned::take(self.ahead(0)?).ok_or(Raised)?;
        self.move_to(back);
        let value = Owned::take(self.hashable(value.get())?).ok_or(Raised)?;
        let class = (*value.get()).ob_type as Obj;
        let pair =
            Owned::take(ffi::PyTuple_Pack(2, class, value.get())).ok_or_else(|| self.python())?;
        let found = ffi::PyDict_GetItemWithError(choices.get(), pair.get());
        if found.is_null() {
            ffi::PyErr_Clear();
            let text = format!("expected {}: no type has this tag", plan.names[index]);
            self.failure = Some(Failure::at(Fault::TypeMismatch, place, text));
            return Err(Raised);
        }
        Ok(ffi::PyLong_AsSize_t(found))
    }

    /// Where the value of an entry of the map at `at` begins.
    fn entry_at(&self, at: usize, key: &[u8]) -> Option<usize> {
        let bytes = self.input();
        let header = skip::header(bytes, at)?;
        let mut next = header.end;
        let mut found = None;
        for _ in 0..header.values / 2 {
            let value = skip::skip(bytes, next)?;
            if skip::str_at(bytes, next) == Some(key) {
                found = Some(value);
            }
            next = skip::skip(bytes, value)?;
        }
        found
    }
}

pub(super) fn is_str(marker: u8) -> bool {
    matches!(Kind::of(marker), Some(Kind::Str))
}

fn is_int(marker: u8) -> bool {
    matches!(Kind::of(marker), Some(Kind::Int))
}

fn is_array(marker: u8) -> bool {
    matches!(Kind::of(marker), Some(Kind::Array))
}

fn is_map(marker: u8) -> bool {
    matches!(Kind::of(marker), Some(Kind::Map))
}
