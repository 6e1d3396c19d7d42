//! How instances of a class are packed, found out once per class.

use pyo3::ffi;

use super::structure::{is_private, tuple_items};
use crate::cpython::instance::{self, lies_in_dict, member_offset, slot_offset, version_of};
use crate::cpython::object::{Obj, Owned, bytes_of, new_str};
use crate::cpython::shared::{Cache, Counted};
use crate::cpython::state::{self, PLANS};
use crate::errors::text_of;
use crate::ext::number::{MICROSECONDS, Number};
use crate::wire::writer::Writer;

/// What is done with instances of a class. `packord._typing.plans.plan` decides.
pub enum Plan {
    Str,
    Int,
    Dict,
    List,
    /// The attribute that holds a member's value.
    Enum(Owned),
    DateTime,
    Date,
    Time,
    /// Where the slot `int` lies.
    Uuid(Option<isize>),
    /// The same of a class that is derived from `uuid.UUID`.
    DerivedUuid(Option<isize>),
    Dataclass(Vec<SourceField>),
    /// An object of attrs, or a `msgspec.Struct`.
    Attrs(Vec<SourceField>),
    /// A `msgspec.Struct` that is an array.
    Row(Vec<SourceField>),
    Pydantic(Model),
    NumpyArray,
    NumpyScalar(Number),
    Buffer,
    Ext,
    Fragment,
    Timestamp,
    Set,
    Float,
    Tuple,
    /// Packed as what a function makes of it, if there is one; with the option `rich` as an ext, if there is one.
    Converted {
        make: Option<Owned>,
        as_ext: bool,
    },
    Unsupported,
}

/// A field of a dataclass, or of a class of attrs.
pub struct SourceField {
    pub name: Owned,
    /// What it is called on the wire.
    pub key: Owned,
    pub encoded: Box<[u8]>,
    pub place: SourcePlace,
    pub is_private: bool,
    /// Instances may lack the attribute, which is then left out.
    pub may_lack: bool,
    /// Values that are left out.
    pub omitted: Vec<Owned>,
}

/// Where an instance stores an attribute.
pub enum SourcePlace {
    /// In a slot at this offset.
    Slot(isize),
    /// Among the values of the instance's dict, see `instance.rs`.
    Value(usize),
    /// CPython knows.
    Named,
    /// Nowhere: all instances have this value.
    Constant(Owned),
}

/// How a pydantic model is packed.
pub enum Model {
    /// By its fields, and the extra ones that it keeps in the slot at this offset.
    Fields(Option<isize>),
    /// By what this callable makes of it, as the model has serializers of its own.
    Dump(Owned),
}

/// Direct-mapped: a class has one place, and the last that came has it.
const SLOTS: usize = 256;

struct PlanSlot {
    class: *mut ffi::PyTypeObject,
    version: u32,
    plan: Option<Counted<Plan>>,
}

static CACHE: Cache<[PlanSlot; SLOTS]> = Cache::new(
    [const {
        PlanSlot {
            class: std::ptr::null_mut(),
            version: 0,
            plan: None,
        }
    }; SLOTS],
);

/// The plan of a class. `Err`: Python raised.
///
/// A class stays alive while its plan is kept. A change of the class (its version tag) makes the
/// plan void.
#[inline]
pub unsafe fn plan_of(class: *mut ffi::PyTypeObject) -> Result<Counted<Plan>, ()> {
    let address = class as usize;
    let place = (address >> 5 ^ address >> 13) % SLOTS;
    if let Some(slots) = CACHE.enter() {
        let slot = slots.get_unchecked(place);
        if slot.class == class && slot.version == version_of(class) {
            if let Some(plan) = &slot.plan {
                return Ok(plan.clone());
            }
        }
    }
    find(class, place)
}

/// Whether a plan that is that of a built-in class too is here that of a class derived from it.
pub unsafe fn is_derived(plan: &Plan, class: *mut ffi::PyTypeObject) -> bool {
    let api = &*ffi::PyDateTimeAPI();
    match plan {
        Plan::DateTime => class != api.DateTimeType,
        Plan::Date => class != api.DateType,
        Plan::Time => class != api.TimeType,
        Plan::Buffer => class != &raw mut ffi::PyByteArray_Type && class != &raw mut ffi::PyMemoryView_Type,
        _ => false,
    }
}

#[cold]
#[inline(never)]
unsafe fn find(class: *mut ffi::PyTypeObject, place: usize) -> Result<Counted<Plan>, ()> {
    let answer = Owned::take(PLANS.call(c"plan", &[class as Obj])).ok_or(())?;
    let plan = Counted::new(build(class, answer.get()).ok_or(())?);
    let version = version_of(class);
    // Version 0 means that the class has none, and could change unseen.
    if version != 0 {
        let old = CACHE.enter().map(|mut slots| {
            ffi::Py_INCREF(class as Obj);
            let plan = Some(plan.clone());
            let filled = PlanSlot { class, version, plan };
            std::mem::replace(&mut slots[place], filled)
        });
        // Out of the cache, as this may run code of the user.
        if let Some(old) = old {
            ffi::Py_XDECREF(old.class as Obj);
        }
    }
    Ok(plan)
}

/// From `(name, argument)`.
unsafe fn build(class: *mut ffi::PyTypeObject, answer: Obj) -> Option<Plan> {
    let (name, argument) = (ffi::PyTuple_GetItem(answer, 0), ffi::PyTuple_GetItem(answer, 1));
    if name.is_null() || argument.is_null() {
        return None;
    }
    let name = text_of(name);
    Some(match name.as_str() {
        "str" => Plan::Str,
        "int" => Plan::Int,
        "dict" => Plan::Dict,
        "list" => Plan::List,
        "enum" => Plan::Enum(Owned::borrow(argument)),
        "datetime" => Plan::DateTime,
        "date" => Plan::Date,
        "time" => Plan::Time,
        "uuid" => Plan::Uuid(slot_offset(class, state::get().int)),
        "derived uuid" => Plan::DerivedUuid(slot_offset(class, state::get().int)),
        "dataclass" => Plan::Dataclass(fields(class, argument, true)?),
        "attrs" => Plan::Attrs(fields(class, argument, true)?),
        "struct" => Plan::Attrs(fields(class, argument, false)?),
        "row" => Plan::Row(fields(class, argument, false)?),
        "pydantic" if argument == ffi::Py_None() => {
            let extra = Owned::take(new_str("__pydantic_extra__"))?;
            Plan::Pydantic(Model::Fields(member_offset(class, extra.get())))
        }
        "pydantic" => Plan::Pydantic(Model::Dump(Owned::borrow(argument))),
        "ndarray" => Plan::NumpyArray,
        "number" => match number(argument) {
            Some(number) => Plan::NumpyScalar(number),
            None => Plan::Unsupported,
        },
        "buffer" => Plan::Buffer,
        "Ext" => Plan::Ext,
        "Fragment" => Plan::Fragment,
        "Timestamp" => Plan::Timestamp,
        "set" => Plan::Set,
        "float" => Plan::Float,
        "tuple" => Plan::Tuple,
        "converted" | "rich" => Plan::Converted {
            make: (argument != ffi::Py_None()).then(|| Owned::borrow(argument)),
            as_ext: name == "rich",
        },
        _ => Plan::Unsupported,
    })
}

/// A type of numpy's scalars, from its kind and size.
unsafe fn number(pair: Obj) -> Option<Number> {
    let kind = ffi::PyLong_AsLong(ffi::PyTuple_GetItem(pair, 0)) as u8;
    let size = ffi::PyLong_AsSize_t(ffi::PyTuple_GetItem(pair, 1));
    let moment = Some(MICROSECONDS).filter(|moment| moment.kind == kind);
    moment.or_else(|| Number::of(kind, size))
}

/// From an attribute and its key each, with the value that all instances have there, if there is one, and the values
/// that are left out.
unsafe fn fields(class: *mut ffi::PyTypeObject, described: Obj, may_lack: bool) -> Option<Vec<SourceField>> {
    let mut fields = Vec::new();
    for field in tuple_items(described) {
        let item = |index| ffi::PyTuple_GetItem(field.get(), index);
        let (name, key) = (item(0), item(1));
        let bytes = Owned::take(ffi::PyUnicode_AsUTF8String(key))?;
        let bytes = bytes_of(bytes.get());
        let mut out = Writer::new();
        out.reserve(bytes.len()).ok()?;
        out.str_header(bytes.len());
        out.copy(bytes.as_ptr(), bytes.len());
        fields.push(SourceField {
            name: Owned::borrow(name),
            key: Owned::borrow(key),
            encoded: out.written().into(),
            place: match tuple_items(item(2)).pop() {
                Some(constant) => SourcePlace::Constant(constant),
                None => place_of(class, name),
            },
            is_private: is_private(name),
            may_lack: may_lack && instance::may_lack(class, name),
            omitted: tuple_items(item(3)),
        });
    }
    Some(fields)
}

unsafe fn place_of(class: *mut ffi::PyTypeObject, name: Obj) -> SourcePlace {
    if cfg!(feature = "free-threaded") {
        // Another thread may set the attribute while it is read: CPython knows how.
        return SourcePlace::Named;
    }
    if let Some(offset) = slot_offset(class, name) {
        return SourcePlace::Slot(offset);
    }
    match instance::index(class, name) {
        Some(index) if lies_in_dict(class, name) => SourcePlace::Value(index),
        _ => SourcePlace::Named,
    }
}
