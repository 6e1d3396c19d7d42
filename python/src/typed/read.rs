//! Reads values by their declared types.

use pyo3::ffi;

use super::packed::{Choices, Packed};
use super::plan::{Collection, Index, Node, Outlines, TypePlan};
use crate::cpython::object::{Obj, Owned, dict_with_room, list_items, list_with_room, new_ref, set_list_size};
use crate::decode::{Decoder, HashGuard, Read};
use crate::errors::{Kind, Raised, Step, notation, quote};
use crate::wire::skip;
use crate::wire::value_type::ValueType;

impl Decoder<'_> {
    /// The one message of the input, by a type if there is one.
    #[inline(always)]
    pub unsafe fn message(&mut self, plan: Option<&TypePlan>) -> Read {
        self.typed = plan.is_some();
        self.whole_message(|decoder| decoder.root(plan))
    }

    /// The message at the beginning of the input, by a type if there is one.
    pub unsafe fn next_message(&mut self, plan: Option<&TypePlan>) -> Read {
        self.typed = plan.is_some();
        self.beginning(|decoder| decoder.root(plan))
    }

    #[inline(always)]
    unsafe fn root(&mut self, plan: Option<&TypePlan>) -> Read {
        let Some(plan) = plan else {
            return self.any_value();
        };
        let read = if self.is_plain() {
            self.typed::<false>(plan, 0, 0)
        } else {
            self.typed::<true>(plan, 0, 0)
        };
        read.map_err(|failed| self.fault_before(failed))
    }

    /// The next value, by the type of a node.
    pub(super) unsafe fn typed<const CHECKED: bool>(&mut self, plan: &TypePlan, index: Index, pending: usize) -> Read {
        let marker = self.peek()?;
        if CHECKED && self.begins_record(marker) {
            return self.typed_record(plan, index, pending);
        }
        if CHECKED && self.begins_columns(marker) {
            return self.typed_columns(
                |inner| inner.typed::<true>(plan, index, 0),
                |outer| outer.typed_plain::<true>(plan, index, pending),
            );
        }
        self.typed_plain::<CHECKED>(plan, index, pending)
    }

    /// The next value, which is not a record.
    #[inline(always)]
    pub(super) unsafe fn typed_plain<const CHECKED: bool>(
        &mut self,
        plan: &TypePlan,
        index: Index,
        pending: usize,
    ) -> Read {
        let marker = self.peek()?;
        if plan.takes(index, marker) {
            return self.value::<CHECKED>(pending);
        }
        let is = |kind| ValueType::of(marker) == Some(kind);
        match &plan.nodes[index] {
            Node::Any => self.value::<CHECKED>(pending),
            Node::Float if is(ValueType::Int) => self.float_of_int::<CHECKED>(plan, index, pending),
            Node::Memoryview if is(ValueType::Bin) => self.memoryview::<CHECKED>(),
            Node::List(item) if is(ValueType::Array) => self.typed_list::<CHECKED>(plan, |_| *item, None, pending),
            Node::Sequence(item, collection) if is(ValueType::Array) => {
                let marker_offset = self.offset();
                let list = Owned::take(self.typed_list::<CHECKED>(plan, |_| *item, None, pending)?).ok_or(Raised)?;
                self.collect(marker_offset, list, *collection)
            }
            Node::Tuple(items, least, rest) if is(ValueType::Array) => {
                let most = rest.map_or(items.len(), |_| usize::MAX);
                let node = |place| items.get(place).copied().or(*rest).unwrap_or_default();
                let wanted = Some((*least, most));
                let list = self.typed_list::<CHECKED>(plan, node, wanted, pending)?;
                let list = Owned::take(list).ok_or(Raised)?;
                self.non_null(ffi::PyList_AsTuple(list.get()))
            }
            Node::Dict(key, value) if is(ValueType::Map) => self.typed_dict::<CHECKED>(plan, *key, *value, pending),
            Node::Object(object) if is(ValueType::Map) => self.object::<CHECKED>(plan, object, pending),
            Node::Row(object, least) if is(ValueType::Array) => self.row::<CHECKED>(plan, object, *least, pending),
            Node::OneOf(choices) => self.one_of::<CHECKED>(plan, index, choices, pending),
            Node::Convert(inner, callable) => {
                let marker_offset = self.offset();
                let value = self.typed::<CHECKED>(plan, *inner, pending)?;
                self.convert(plan, index, callable, marker_offset, value)
            }
            Node::Union(choices) => match ValueType::of(marker).and_then(|kind| choices[kind as usize]) {
                Some(choice) => self.choice::<CHECKED>(plan, choice, pending),
                None => Err(self.unexpected(marker, plan.expected(index))),
            },
            Node::Tagged(key, choices) if is(ValueType::Map) => {
                let place = self.entry_at(self.offset(), key);
                self.by_tag::<CHECKED>(plan, index, place, choices, pending)
            }
            Node::Headed(choices) if is(ValueType::Array) => {
                let header = skip::header(self.input(), self.offset()).filter(|(_, values)| *values > 0);
                let place = header.map(|(end, _)| end);
                self.by_tag::<CHECKED>(plan, index, place, choices, pending)
            }
            Node::Packed(callable) => self.packed(plan, index, callable, pending),
            Node::Shaped(outlines) if is(ValueType::Map) => {
                let marker_offset = self.offset();
                let mut present = outlines.none();
                let end = self.each_entry(marker_offset, |key, _| outlines.mark(&mut present, key));
                let choice = match end {
                    Some(_) => self.chosen(outlines, &present, marker_offset),
                    None => Err(self.eof()),
                };
                let read = choice.and_then(|choice| self.typed::<CHECKED>(plan, choice, pending));
                read.map_err(|Raised| self.examined(end.unwrap_or(usize::MAX)))
            }
            _ => Err(self.unexpected(marker, plan.expected(index))),
        }
    }

    /// A read-only view of the payload of a bin, in place if the input is `bytes`.
    unsafe fn memoryview<const CHECKED: bool>(&mut self) -> Read {
        let marker_offset = self.offset();
        let marker = self.take::<1>()?[0];
        let payload = self.bin_payload::<CHECKED>(marker_offset, marker)?;
        self.view(payload)
    }

    unsafe fn view(&mut self, bytes: &[u8]) -> Read {
        let (owner, start) = self.lasting(bytes)?;
        let view = Owned::take(ffi::PyMemoryView_FromObject(owner.get()));
        let view = view.ok_or_else(|| self.python())?;
        let (start, length) = (start as isize, bytes.len() as isize);
        self.non_null(ffi::PySequence_GetSlice(view.get(), start, start + length))
    }

    /// What a callable makes of the bytes of the next value. Those of records do not stand alone.
    unsafe fn packed(&mut self, plan: &TypePlan, index: Index, callable: &Owned, pending: usize) -> Read {
        let marker_offset = self.offset();
        if self.reads_records() {
            let detail = format!("{} can't be read with records", plan.names[index]);
            return Err(self.fault_with(Kind::TypeMismatch, marker_offset, detail));
        }
        let end = match self.end_of(1, pending) {
            Ok(end) => end,
            Err(failure) => {
                self.failure = Some(failure);
                return Err(Raised);
            }
        };
        let bytes: *const [u8] = &self.input()[marker_offset..end];
        let view = self.view(&*bytes)?;
        self.move_to(end);
        self.convert(plan, index, callable, marker_offset, view)
    }

    /// The value that its tag, at `place`, stands for.
    #[inline(always)]
    unsafe fn by_tag<const CHECKED: bool>(
        &mut self,
        plan: &TypePlan,
        index: Index,
        place: Option<usize>,
        choices: &Choices,
        pending: usize,
    ) -> Read {
        let marker_offset = self.offset();
        let choice = match place {
            Some(place) => self.tag_at::<CHECKED>(place, marker_offset, choices),
            None => Err(self.no_tag(plan, index, marker_offset)),
        };
        let read = choice.and_then(|choice| self.choice::<CHECKED>(plan, choice, pending));
        read.map_err(|Raised| self.examined(place.unwrap_or(usize::MAX)))
    }

    /// The next value by a type that its kind or tag has chosen. Objects within objects take a frame less of the stack.
    #[inline(always)]
    unsafe fn choice<const CHECKED: bool>(&mut self, plan: &TypePlan, choice: Index, pending: usize) -> Read {
        match &plan.nodes[choice] {
            Node::Object(object) => self.object::<CHECKED>(plan, object, pending),
            _ => self.typed::<CHECKED>(plan, choice, pending),
        }
    }

    #[cold]
    pub(super) fn mismatch_at(&mut self, plan: &TypePlan, index: Index, marker_offset: usize, found: &str) -> Raised {
        let detail = format!("expected {}, found {found}", plan.expected(index));
        self.fault_with(Kind::TypeMismatch, marker_offset, detail)
    }

    /// What a callable makes of a value, which is taken over.
    pub(super) unsafe fn convert(
        &mut self,
        plan: &TypePlan,
        index: Index,
        callable: &Owned,
        marker_offset: usize,
        value: Obj,
    ) -> Read {
        let value = Owned::take(value).ok_or(Raised)?;
        match Owned::take(ffi::PyObject_CallOneArg(callable.get(), value.get())) {
            Some(value) => Ok(value.release()),
            None => {
                let detail = format!("expected {}", plan.expected(index));
                Err(self.user(marker_offset, Kind::TypeMismatch, detail))
            }
        }
    }

    /// Reads an integer as a float, if nothing is lost.
    unsafe fn float_of_int<const CHECKED: bool>(&mut self, plan: &TypePlan, index: Index, pending: usize) -> Read {
        let marker_offset = self.offset();
        let int = Owned::take(self.value::<CHECKED>(pending)?).ok_or(Raised)?;
        let number = ffi::PyLong_AsDouble(int.get());
        let back = Owned::take(ffi::PyLong_FromDouble(number)).ok_or_else(|| self.python())?;
        if ffi::PyObject_RichCompareBool(back.get(), int.get(), ffi::Py_EQ) == 1 {
            return self.non_null(ffi::PyFloat_FromDouble(number));
        }
        let detail = format!("{} does not fit {}", described(int.get()), plan.names[index]);
        Err(self.fault_with(Kind::OutOfRange, marker_offset, detail))
    }

    unsafe fn typed_list<const CHECKED: bool>(
        &mut self,
        plan: &TypePlan,
        node: impl Fn(usize) -> Index,
        wanted: Option<(usize, usize)>,
        pending: usize,
    ) -> Read {
        let marker_offset = self.offset();
        let count = self.array_header::<CHECKED>(pending)?;
        if let Some(wanted) = wanted {
            self.check_count(marker_offset, count, wanted)?;
        }
        let list = Owned::take(list_with_room(count)).ok_or_else(|| self.python())?;
        let items = list_items(list.get());
        for index in 0..count {
            let item = self.typed::<CHECKED>(plan, node(index), pending + (count - index - 1));
            *items.add(index) = item.map_err(|Raised| self.step(|| Step::Index(index)))?;
            set_list_size(list.get(), index as isize + 1);
        }
        self.leave();
        Ok(list.release())
    }

    /// Refuses an array with fewer or more elements than its type has.
    pub(super) fn check_count(
        &mut self,
        marker_offset: usize,
        count: usize,
        (least, most): (usize, usize),
    ) -> Result<(), Raised> {
        if (least..=most).contains(&count) {
            return Ok(());
        }
        let wanted = match most {
            _ if least == most => most.to_string(),
            usize::MAX => format!("at least {least}"),
            _ => format!("{least} to {most}"),
        };
        let detail = format!("expected an array of {wanted} elements, found {count}");
        Err(self.fault_with(Kind::TypeMismatch, marker_offset, detail))
    }

    unsafe fn collect(&mut self, marker_offset: usize, list: Owned, collection: Collection) -> Read {
        let result = match collection {
            Collection::Set => ffi::PySet_New(std::ptr::null_mut()),
            Collection::Frozenset => ffi::PyFrozenSet_New(std::ptr::null_mut()),
            Collection::Tuple => return self.non_null(ffi::PyList_AsTuple(list.get())),
        };
        let set = Owned::take(result).ok_or_else(|| self.python())?;
        let mut hash_guard = HashGuard::default();
        for index in 0..ffi::PyList_GET_SIZE(list.get()) {
            let element = Owned::take(self.hashable(ffi::PyList_GET_ITEM(list.get(), index))?);
            let element = element.as_ref().map_or(std::ptr::null_mut(), Owned::get);
            let before = ffi::PySet_Size(set.get());
            if ffi::PySet_Add(set.get(), element) != 0 {
                return Err(self.user(marker_offset, Kind::TypeMismatch, "an element cannot be hashed"));
            }
            if ffi::PySet_Size(set.get()) > before {
                hash_guard.add(self, element, marker_offset)?;
            }
        }
        Ok(set.release())
    }

    unsafe fn typed_dict<const CHECKED: bool>(
        &mut self,
        plan: &TypePlan,
        key: Index,
        value: Index,
        pending: usize,
    ) -> Read {
        let count = self.map_header::<CHECKED>(pending)?;
        let dict = Owned::take(dict_with_room(count)).ok_or_else(|| self.python())?;
        let plain = matches!(plan.nodes[key], Node::Str) && !CHECKED;
        let mut order = if CHECKED { self.key_order() } else { None };
        let mut hash_guard = HashGuard::default();
        for index in 0..count {
            let following = pending + 2 * (count - index - 1);
            let marker_offset = self.offset();
            let name = if plain {
                Owned::take(self.str_key()?).ok_or(Raised)?
            } else {
                let name = self.typed::<CHECKED>(plan, key, following + 1);
                let name = Owned::take(name.map_err(|raised| self.in_key(raised))?);
                let name = name.ok_or(Raised)?;
                Owned::take(self.hashable(name.get())?).ok_or(Raised)?
            };
            if let Some(order) = &mut order {
                self.check_key(order, marker_offset, following + 1)?;
            }
            let Ok(item) = self.typed::<CHECKED>(plan, value, following) else {
                return Err(self.step(|| Step::Key(name)));
            };
            let item = Owned::take(item).ok_or(Raised)?;
            self.put(&dict, &name, &item, marker_offset, &mut hash_guard)?;
        }
        self.leave();
        Ok(dict.release())
    }

    /// A value that stands for one of a few: of a Literal, or of an Enum.
    #[inline(always)]
    pub(super) unsafe fn one_of<const CHECKED: bool>(
        &mut self,
        plan: &TypePlan,
        index: Index,
        choices: &Choices,
        pending: usize,
    ) -> Read {
        if !CHECKED {
            if let Some((length, meaning)) = choices.begins(self.rest()) {
                self.move_by(length);
                return Ok(new_ref(meaning));
            }
        }
        let marker_offset = self.offset();
        let marker = self.peek()?;
        if !choices.may_be(marker) {
            return Err(self.unexpected(marker, plan.expected(index)));
        }
        let value = Owned::take(self.value::<CHECKED>(pending)?).ok_or(Raised)?;
        let value = Owned::take(self.hashable(value.get())?).ok_or(Raised)?;
        self.choose(choices, marker_offset, value)
    }

    /// What a hashable value stands for.
    pub(super) unsafe fn choose(&mut self, choices: &Choices, marker_offset: usize, value: Owned) -> Read {
        let found = choices.find(value.get());
        if found.is_null() {
            return Err(self.unknown_variant(marker_offset, &value));
        }
        Ok(new_ref(found))
    }

    #[cold]
    unsafe fn unknown_variant(&mut self, marker_offset: usize, value: &Owned) -> Raised {
        let detail = format!("unknown variant {}", described(value.get()));
        self.fault_with(Kind::TypeMismatch, marker_offset, detail)
    }

    #[cold]
    pub(super) fn no_tag(&mut self, plan: &TypePlan, index: Index, marker_offset: usize) -> Raised {
        let mut detail = String::from("missing field ");
        match &plan.nodes[index] {
            Node::Tagged(key, _) => quote(&mut detail, &String::from_utf8_lossy(key.text())),
            _ => detail = "expected an array of at least 1 elements, found 0".into(),
        }
        self.fault_with(Kind::TypeMismatch, marker_offset, detail)
    }

    /// The node that the tag at `place` stands for. Reading then goes on at `back`.
    pub(super) unsafe fn tag_at<const CHECKED: bool>(
        &mut self,
        place: usize,
        back: usize,
        choices: &Choices,
    ) -> Result<Index, Raised> {
        if !CHECKED {
            if let Some((_, meaning)) = choices.begins(self.input().get(place..).unwrap_or_default()) {
                return Ok(ffi::PyLong_AsSize_t(meaning));
            }
        }
        self.move_to(place);
        let value = Owned::take(self.value_ahead(0)?).ok_or(Raised)?;
        self.move_to(back);
        let value = Owned::take(self.hashable(value.get())?).ok_or(Raised)?;
        let found = choices.find(value.get());
        if found.is_null() {
            return Err(self.unknown_variant(place, &value));
        }
        Ok(ffi::PyLong_AsSize_t(found))
    }

    pub(super) fn chosen(
        &mut self,
        outlines: &Outlines,
        present: &[bool],
        marker_offset: usize,
    ) -> Result<Index, Raised> {
        let choice = outlines.choose(present);
        choice.map_err(|reason| self.fault_with(Kind::TypeMismatch, marker_offset, reason))
    }

    /// Where the value of the first entry with a key begins, in the map at `marker_offset`. A later one with
    /// another tag is refused when the object is read.
    #[inline(always)]
    fn entry_at(&self, marker_offset: usize, key: &Packed) -> Option<usize> {
        let bytes = self.input();
        let (mut next, values) = skip::header(bytes, marker_offset)?;
        for _ in 0..values / 2 {
            if let Some(length) = key.begins(bytes.get(next..)?) {
                return Some(next + length);
            }
            let value = skip::skip(bytes, next)?;
            if skip::str_at(bytes, next) == Some(key.text()) {
                return Some(value);
            }
            next = skip::skip(bytes, value)?;
        }
        None
    }

    /// Calls with the keys that are a str, and where their values begin. Returns the end of the map; `None` if
    /// it ends early.
    fn each_entry(&self, marker_offset: usize, mut see: impl FnMut(&[u8], usize)) -> Option<usize> {
        let bytes = self.input();
        let (mut next, values) = skip::header(bytes, marker_offset)?;
        for _ in 0..values / 2 {
            let value = skip::skip(bytes, next)?;
            if let Some(key) = skip::str_at(bytes, next) {
                see(key, value);
            }
            next = skip::skip(bytes, value)?;
        }
        Some(next)
    }
}

/// A value in diagnostic notation, for the detail of an error.
unsafe fn described(value: Obj) -> String {
    let mut text = String::new();
    notation(&mut text, value);
    text
}
