//! From Python values to bytes (`spec/format.md` section 4).
//!
//! [`Encoder::value`] decides by the type; one file per group of types does the rest.
//!
//! # Safety
//!
//! The caller holds the GIL and the object to pack. Code of the program (`default`, properties,
//! `utcoffset`) can change or free any object: while it may run, the objects in use are held by an
//! `Owned`, and the sizes of containers are checked again afterwards. [`Encoder::reserve`] comes before
//! each raw write to [`Writer`].

mod array;
mod base;
mod key;
mod map;
mod numpy;
mod plan;
mod record;
mod scalar;
mod sequence;
mod structure;
mod temporal;

use pyo3::ffi;
use std::borrow::Cow;

use crate::cpython::object::{Obj, Owned, dict_size, small_long, type_name, type_of};
use crate::cpython::stack::{SHALLOW, levels};
use crate::errors::{Failure, Kind, Raised, Step};
use crate::options::{self, EncodeOptions};
use crate::record::Records;
use crate::wire::marker::*;
use crate::wire::text::{self, TextError};
use crate::wire::writer::{NoMemory, Writer};

use plan::{Plan, is_derived, plan_of};

/// How often `default` may answer with something that `default` is needed for again.
const MAX_DEFAULT: usize = 255;

type Done = Result<(), Raised>;

/// One message being written.
pub struct Encoder<'a> {
    pub out: Writer,
    flags: u64,
    default: Option<&'a Owned>,
    extensions: Option<&'a Owned>,
    class_names: Option<&'a Owned>,
    ext_class: Option<&'a Owned>,
    text_errors: Option<&'a Owned>,
    /// What `default` has returned, and is being packed.
    answer: Obj,
    max_depth: usize,
    /// The depth from which on the stack of the thread counts too.
    most_depth: usize,
    depth: usize,
    default_depth: usize,
    /// How many objects that are packed as what a function makes of them are around.
    conversions: usize,
    records: Option<&'a mut Records>,
    /// Maps need no more than their entries in order.
    plain_maps: bool,
    pub failure: Option<Box<Failure>>,
}

impl<'a> Encoder<'a> {
    pub fn new(options: &'a EncodeOptions, records: Option<&'a mut Records>) -> Encoder<'a> {
        use options::{CANONICAL, SKIP_NIL, SORT_KEYS};
        let unusual = CANONICAL | SKIP_NIL | SORT_KEYS;
        Encoder {
            out: Writer::new(),
            flags: options.flags,
            default: options.default.as_ref(),
            extensions: options.extensions.as_ref(),
            class_names: options.class_names.as_ref(),
            ext_class: options.ext_class.as_ref(),
            text_errors: options.text_errors.as_ref(),
            answer: std::ptr::null_mut(),
            max_depth: options.max_depth,
            most_depth: options.max_depth.min(SHALLOW),
            depth: 0,
            default_depth: 0,
            conversions: 0,
            plain_maps: options.flags & unusual == 0 && records.is_none() && options.class_names.is_none(),
            records,
            failure: None,
        }
    }

    /// Whether one of the flags is set.
    #[inline(always)]
    fn has(&self, flags: u64) -> bool {
        self.flags & flags != 0
    }

    #[cold]
    #[inline(never)]
    fn fail(&mut self, failure: Box<Failure>) -> Raised {
        self.failure = Some(failure);
        Raised
    }

    #[cold]
    #[inline(never)]
    fn fault(&mut self, kind: Kind, detail: &'static str) -> Raised {
        self.fail(Failure::new(kind, detail))
    }

    /// A failure that has short words too, which programs match.
    #[cold]
    #[inline(never)]
    fn worded_fault(
        &mut self,
        kind: Kind,
        detail: impl Into<Cow<'static, str>>,
        words: impl Into<Cow<'static, str>>,
    ) -> Raised {
        let text = self.worded(detail, words);
        self.fail_in_words(Failure::new(kind, text))
    }

    /// The words that programs match, where they are set; else the detail.
    fn worded(&self, detail: impl Into<Cow<'static, str>>, words: impl Into<Cow<'static, str>>) -> Cow<'static, str> {
        if self.has(options::SHORT_WORDS) {
            words.into()
        } else {
            detail.into()
        }
    }

    /// A failure whose detail is what [`Encoder::worded`] returned.
    #[cold]
    fn fail_in_words(&mut self, failure: Box<Failure>) -> Raised {
        let is_short = self.has(options::SHORT_WORDS);
        self.fail(if is_short { failure.in_short_words() } else { failure })
    }

    /// A failure whose cause is the exception that Python has set.
    #[cold]
    #[inline(never)]
    unsafe fn python(&mut self, kind: Kind, detail: &'static str) -> Raised {
        let failure = Failure::caused(kind, detail).with_reason();
        self.fail(failure)
    }

    #[cold]
    #[inline(never)]
    unsafe fn step(&mut self, step: impl FnOnce() -> Step) -> Raised {
        if let Some(failure) = &mut self.failure {
            failure.step(step());
        }
        Raised
    }

    /// Takes from a fault within a key the steps that were made in the key.
    #[cold]
    #[inline(never)]
    fn in_key(&mut self, _: Raised) -> Raised {
        if let Some(failure) = &mut self.failure {
            failure.in_key();
        }
        Raised
    }

    /// Adds to a fault the step to the value at fault from its container.
    #[cold]
    #[inline(never)]
    unsafe fn step_out(&mut self, container: Obj, step: impl FnOnce() -> Step) -> Raised {
        if let Some(failure) = &mut self.failure {
            failure.leave(container);
        }
        self.step(step)
    }

    pub fn replace(&mut self, bytes: &[u8]) -> Done {
        self.out.replace(bytes).map_err(|NoMemory| self.no_memory())
    }

    #[inline(always)]
    fn reserve(&mut self, count: usize) -> Done {
        self.out.reserve(count).map_err(|NoMemory| self.no_memory())
    }

    #[cold]
    fn no_memory(&mut self) -> Raised {
        unsafe {
            let failure = Failure::transparent();
            self.fail(failure)
        }
    }

    #[inline(always)]
    fn enter(&mut self) -> Done {
        self.depth += 1;
        if self.depth > self.most_depth {
            return self.enter_deep();
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn enter_deep(&mut self) -> Done {
        if self.depth > self.max_depth {
            return Err(self.too_deep());
        }
        self.most_depth = self.max_depth.min(self.depth.saturating_add(levels()) - 1);
        if self.most_depth < self.depth {
            let detail = "the thread has too small a stack";
            return Err(self.worded_fault(Kind::DepthLimit, detail, "Recursion limit reached"));
        }
        Ok(())
    }

    #[cold]
    fn too_deep(&mut self) -> Raised {
        let detail = format!("max_depth is {}", self.max_depth);
        self.worded_fault(Kind::DepthLimit, detail, "Recursion limit reached")
    }

    #[inline(always)]
    pub unsafe fn message(&mut self, object: Obj) -> Done {
        if let Some(records) = &mut self.records {
            records.begin();
        }
        let done = self.value(object);
        if done.is_err() {
            if let Some(records) = &mut self.records {
                records.roll_back();
            }
        }
        done
    }

    /// Any value. `object` must stay alive by a reference that no code of the user can take away.
    #[inline(always)]
    pub unsafe fn value(&mut self, object: Obj) -> Done {
        if self.leaf(object)? { Ok(()) } else { self.node(object) }
    }

    /// The exact types whose packing runs no code of Python; `false` for all others.
    #[inline(always)]
    unsafe fn leaf(&mut self, object: Obj) -> Result<bool, Raised> {
        let class = type_of(object);
        if class == &raw mut ffi::PyUnicode_Type {
            self.string(object)?;
        } else if class == &raw mut ffi::PyLong_Type {
            match small_long(object) {
                Some(number) => self.small_integer(number)?,
                None => return Ok(false),
            }
        } else if class == &raw mut ffi::PyFloat_Type {
            self.float(ffi::PyFloat_AS_DOUBLE(object))?;
        } else if object == ffi::Py_None() {
            self.reserve(0)?;
            self.out.byte(NIL);
        } else if class == &raw mut ffi::PyBool_Type {
            self.reserve(0)?;
            self.out.byte(if object == ffi::Py_True() { TRUE } else { FALSE });
        } else if class == &raw mut ffi::PyBytes_Type {
            self.binary(crate::cpython::object::bytes_of(object))?;
        } else if self.depth < self.max_depth && is_empty(object) && self.records.is_none() {
            let is_list = class == &raw mut ffi::PyList_Type;
            self.reserve(0)?;
            // Empty lists take .60 of the time here, and dicts .38.
            self.out.byte(if is_list { FIXARRAY } else { FIXMAP });
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// All other types. The caller holds `object`.
    #[inline(never)]
    unsafe fn node(&mut self, object: Obj) -> Done {
        let class = type_of(object);
        if class == &raw mut ffi::PyDict_Type {
            return self.dict(object);
        }
        if class == &raw mut ffi::PyList_Type {
            return self.list(object);
        }
        if class == &raw mut ffi::PyTuple_Type && !self.has(options::PASSTHROUGH_TUPLE) {
            return self.tuple(object);
        }
        if class == &raw mut ffi::PyLong_Type {
            return self.long(object);
        }
        let datetime = (*ffi::PyDateTimeAPI()).DateTimeType;
        if class == datetime && !self.has(options::PASSTHROUGH_DATETIME) {
            return self.datetime(object);
        }
        self.planned(object)
    }

    /// Types that are told apart by their plan.
    #[inline(never)]
    unsafe fn planned(&mut self, object: Obj) -> Done {
        if let Some(ext_class) = self.ext_class {
            return self.by_base(object, ext_class.get());
        }
        if let Some(extensions) = self.extensions {
            let answer = Owned::take(ffi::PyObject_CallOneArg(extensions.get(), object));
            match answer {
                Some(ext) if ext.get() != ffi::Py_NotImplemented() => return self.ext(ext.get()),
                Some(_) => {}
                None => return Err(self.python(Kind::UnsupportedType, "the extension failed")),
            }
        }
        let Ok(plan) = plan_of(type_of(object)) else {
            return Err(self.python(Kind::UnsupportedType, "cannot inspect the type"));
        };
        let passthrough = match *plan {
            Plan::Enum(_) => options::PASSTHROUGH_ENUM,
            Plan::DateTime | Plan::Date | Plan::Time => options::PASSTHROUGH_DATETIME,
            Plan::Uuid(_) => options::PASSTHROUGH_UUID,
            Plan::DerivedUuid(_) => options::PASSTHROUGH_UUID | options::PASSTHROUGH_SUBCLASS,
            Plan::Dataclass(_) => options::PASSTHROUGH_DATACLASS,
            Plan::Str | Plan::Int | Plan::Dict | Plan::List => options::PASSTHROUGH_SUBCLASS,
            _ => 0,
        };
        if self.has(passthrough) {
            return self.by_default(object);
        }
        let (few, rich) = (self.has(options::FEW_TYPES), self.has(options::RICH));
        match &*plan {
            Plan::Str => self.string(object),
            Plan::Int => match small_long(object) {
                Some(number) => self.small_integer(number),
                None => self.long(object),
            },
            Plan::Dict => self.dict(object),
            Plan::List => self.list(object),
            Plan::Float if !few => self.float(ffi::PyFloat_AsDouble(object)),
            Plan::Tuple if !few => self.tuple(object),
            plan if self.has(options::NO_OBJECTS) && is_derived(plan, type_of(object)) => self.by_default(object),
            Plan::Enum(attribute) => self.enumeration(object, attribute.get()),
            Plan::DateTime => self.datetime(object),
            Plan::Date => self.date(object),
            Plan::Time => self.time(object),
            Plan::Uuid(offset) | Plan::DerivedUuid(offset) => self.uuid(object, *offset),
            Plan::Dataclass(fields) => self.dataclass(object, fields),
            Plan::Attrs(fields) if !self.has(options::NO_OBJECTS) => self.dataclass(object, fields),
            Plan::Row(fields) if !self.has(options::NO_OBJECTS) => self.fields_in_order(object, fields),
            Plan::Pydantic(model) if self.has(options::SERIALIZE_PYDANTIC) => self.pydantic(object, model),
            Plan::NumpyArray if self.has(options::SERIALIZE_NUMPY) => self.numpy_array(object),
            Plan::NumpyScalar(kind) if self.has(options::SERIALIZE_NUMPY) => self.numpy_scalar(object, *kind),
            Plan::Buffer => self.buffer(object),
            Plan::Ext => self.ext(object),
            Plan::Fragment => self.fragment(object),
            Plan::Timestamp => self.timestamp(object),
            Plan::Set if rich => self.set_ext(object),
            Plan::Set if !few => self.set(object),
            Plan::Converted { as_ext: true, make } if rich => self.rich(object, make.as_ref()),
            Plan::Converted { make: Some(make), .. } if !self.has(options::NO_CONVERSIONS) => {
                self.convert(object, make)
            }
            Plan::Converted { as_ext: true, .. } => self.by_default_or(object, "rich=True packs it"),
            _ => self.by_default(object),
        }
    }

    /// Asks the user's `default` what to pack instead.
    #[inline(never)]
    unsafe fn by_default(&mut self, object: Obj) -> Done {
        self.by_default_or(object, "")
    }

    /// The same, with what the error says if there is no `default`.
    unsafe fn by_default_or(&mut self, object: Obj, hint: &str) -> Done {
        if self.ext_class.is_some() {
            return self.ask(object);
        }
        let Some(default) = self.default else {
            return Err(self.unsupported(object, hint));
        };
        if self.default_depth == MAX_DEFAULT || (self.default_depth > SHALLOW && levels() == 0) {
            let words = "Recursion limit for default hook reached";
            return Err(self.worded_fault(Kind::DepthLimit, "default answers with what it is asked for", words));
        }
        let Some(answer) = Owned::take(ffi::PyObject_CallOneArg(default.get(), object)) else {
            let text = self.worded(type_name(object), not_serializable(object));
            let failure = Failure::caused(Kind::UnsupportedType, text);
            return Err(self.fail_in_words(failure));
        };
        self.default_depth += 1;
        let done = self.value(answer.get());
        self.default_depth -= 1;
        done
    }

    #[cold]
    unsafe fn unsupported(&mut self, object: Obj, hint: &str) -> Raised {
        let mut detail = type_name(object);
        if !hint.is_empty() {
            detail.push_str(&format!("; {hint}"));
        }
        self.worded_fault(Kind::UnsupportedType, detail, not_serializable(object))
    }

    #[inline(always)]
    unsafe fn string(&mut self, string: Obj) -> Done {
        let Some(bytes) = crate::cpython::object::cached_utf8(string) else {
            return self.wide_string(string);
        };
        if bytes.len() >= 32 && (bytes.len() > u32::MAX as usize || self.has(options::NO_BIN)) {
            return self.raw_text(bytes);
        }
        self.reserve(bytes.len())?;
        self.out.str_header(bytes.len());
        self.out.copy(bytes.as_ptr(), bytes.len());
        Ok(())
    }

    #[inline(never)]
    unsafe fn wide_string(&mut self, string: Obj) -> Done {
        #[cfg(not(Py_3_12))]
        if ffi::PyUnicode_READY(string) != 0 {
            return Err(self.no_memory());
        }
        if ffi::PyUnicode_GET_LENGTH(string) as usize > u32::MAX as usize / 4 {
            return Err(self.too_long());
        }
        if self.text_errors.is_some() || self.has(options::NO_BIN) {
            return self.handled_text(string);
        }
        let replace = self.has(options::REPLACE_SURROGATES);
        match text::encode_wide(&mut self.out, string, replace) {
            Ok(()) => Ok(()),
            Err(TextError::NoMemory) => Err(self.no_memory()),
            // Python says where it is, in its own error.
            Err(TextError::Surrogate) if self.ext_class.is_some() => self.handled_text(string),
            Err(TextError::Surrogate) => {
                let words = "string contains surrogates";
                Err(self.worded_fault(Kind::InvalidUtf8, "it contains surrogates", words))
            }
        }
    }

    #[cold]
    fn too_long(&mut self) -> Raised {
        self.fault(Kind::OutOfRange, "the length exceeds 32 bits")
    }
}

/// Returns whether this is an exact `list` or `dict` without items.
#[inline(always)]
unsafe fn is_empty(object: Obj) -> bool {
    let class = type_of(object);
    (class == &raw mut ffi::PyList_Type && ffi::PyList_GET_SIZE(object) == 0)
        || (class == &raw mut ffi::PyDict_Type && dict_size(object) == 0)
}

unsafe fn not_serializable(object: Obj) -> String {
    format!("Type is not msgpack serializable: {}", type_name(object))
}
