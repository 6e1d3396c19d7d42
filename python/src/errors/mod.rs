//! What can go wrong, where, and the exceptions that say so (`spec/errors.md`).
//!
//! # Safety
//!
//! The caller holds the GIL. A function that takes the exception of Python (`caused`, `transparent`) is called while one is set; one that raises is called while none is. Keys in a
//! trail are held, so a path can be made after the message is gone.

mod path;

use pyo3::ffi;
use pyo3::prelude::*;
use std::borrow::Cow;

use crate::cpython::object::{Obj, Owned, type_of};
use crate::cpython::state;

use path::{in_message, path};
pub use path::{notation, quote, text_of};

macro_rules! kinds {
    ($($variant:ident)*; $($own:ident $name:literal $description:literal;)*) => {
        /// The kinds of `spec/errors.md`, and three of Python's own at the end.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Kind { $($variant,)* $($own,)* }

        impl Kind {
            /// The name of the kind, and what it means in one sentence.
            fn words(self) -> (&'static str, &'static str) {
                let kind = match self {
                    $(Kind::$variant => packord::ErrorKind::$variant,)*
                    $(Kind::$own => return ($name, $description),)*
                };
                (kind.name(), kind.description())
            }

            /// The kind of an error of the crate.
            fn of(kind: packord::ErrorKind) -> Kind {
                match kind {
                    $(packord::ErrorKind::$variant => Kind::$variant,)*
                    _ => Kind::HookFailed,
                }
            }
        }
    };
}

kinds! {
    Eof ReservedMarker InvalidUtf8 TrailingBytes DepthLimit LengthLimit DuplicateKey InvalidTimestamp InvalidExt
    InvalidContainer UnknownExt RecordUndefined RecordMalformed TypeMismatch OutOfRange UnsupportedType Cycle
    NotCanonical;
    InvalidArgument "invalid_argument" "argument is invalid";
    HookFailed "hook_failed" "code of the program failed";
    Changed "changed" "container changed while it was packed";
}

/// One step from a container to the value at fault.
pub enum Step {
    Index(usize),
    Key(Owned),
}

/// A failure on its way to Python. The steps are collected innermost first.
pub struct Failure {
    pub kind: Kind,
    /// Further details; may be empty.
    detail: Cow<'static, str>,
    /// The detail is the whole description: words that programs match.
    short_words: bool,
    pub offset: Option<usize>,
    trail: Vec<Step>,
    /// The path within the message, where there is no trail to make it of.
    path: Option<String>,
    /// It is in a container file, where no value is at fault unless it has a path.
    in_file: bool,
    message: usize,
    /// Containers on the way out, by address, to tell a cycle from mere depth.
    containers: Vec<usize>,
    /// The exception that caused it.
    cause: Option<Owned>,
    /// The cause is handed on as it is.
    transparent: bool,
}

/// Stands for a failure whose details are kept by the reader or writer at work.
#[derive(Clone, Copy, Debug)]
pub struct Raised;

impl Failure {
    /// A failure with a detail, which may be empty.
    pub fn new(kind: Kind, detail: impl Into<Cow<'static, str>>) -> Box<Failure> {
        Box::new(Failure {
            kind,
            detail: detail.into(),
            short_words: false,
            offset: None,
            trail: Vec::new(),
            path: None,
            in_file: false,
            message: 0,
            containers: Vec::new(),
            cause: None,
            transparent: false,
        })
    }

    /// The same failure, described by its detail alone.
    pub fn in_short_words(mut self: Box<Self>) -> Box<Failure> {
        self.short_words = true;
        self
    }

    pub fn at(kind: Kind, offset: usize, detail: impl Into<Cow<'static, str>>) -> Box<Failure> {
        let mut failure = Failure::new(kind, detail);
        failure.offset = Some(offset);
        failure
    }

    /// Makes a failure in columns one of their ext. What does not fit a type stays that, and all else is
    /// one fault of the payload.
    pub fn within_columns(&mut self, marker_offset: usize) {
        if !matches!(self.kind, Kind::TypeMismatch | Kind::OutOfRange) {
            self.kind = Kind::InvalidExt;
        }
        self.offset = Some(marker_offset);
        self.trail.clear();
    }

    /// A fault that the crate has found.
    pub fn of(error: &packord::Error) -> Box<Failure> {
        let mut failure = Failure::new(Kind::of(error.kind()), error.detail().unwrap_or_default().to_owned());
        failure.offset = error.offset().map(|offset| offset as usize);
        failure.path = error.path().map(str::to_owned);
        failure
    }

    pub fn in_file(mut self: Box<Self>) -> Box<Failure> {
        self.in_file = true;
        self
    }

    pub fn at_path(mut self: Box<Self>, path: String) -> Box<Failure> {
        self.path = Some(path);
        self
    }

    /// Takes the exception that Python has set: as the cause of an error of ours, or to be handed
    /// on as it is when it isn't an `Exception`, or tells of memory.
    pub unsafe fn caused(kind: Kind, detail: impl Into<Cow<'static, str>>) -> Box<Failure> {
        let mut failure = Failure::new(kind, detail);
        if let Some(exception) = fetch() {
            failure.transparent = ffi::PyErr_GivenExceptionMatches(exception.get(), ffi::PyExc_Exception) == 0
                || ffi::PyErr_GivenExceptionMatches(exception.get(), ffi::PyExc_MemoryError) != 0;
            failure.cause = Some(exception);
        }
        failure
    }

    /// The same failure with the message of its cause, if it has one, at the end of the detail.
    pub unsafe fn with_reason(mut self: Box<Self>) -> Box<Failure> {
        if let Some(cause) = self.cause.as_ref().filter(|_| !self.transparent) {
            match Owned::take(ffi::PyObject_Str(cause.get())) {
                Some(text) => {
                    let reason = text_of(text.get());
                    if self.detail.is_empty() {
                        self.detail = reason.into();
                    } else if !reason.is_empty() {
                        self.detail = format!("{}: {reason}", self.detail).into();
                    }
                }
                None => ffi::PyErr_Clear(),
            }
        }
        self
    }

    /// Whether the program must see the cause itself: memory, or an interrupt.
    pub fn is_transparent(&self) -> bool {
        self.transparent
    }

    /// An exception of Python that is ours already, or isn't about the data.
    pub unsafe fn transparent() -> Box<Failure> {
        let mut failure = Failure::new(Kind::HookFailed, "");
        failure.cause = fetch();
        failure.transparent = true;
        failure
    }

    /// In a stream: which message it is in, from 0.
    pub fn in_message(mut self: Box<Self>, message: usize) -> Box<Failure> {
        self.message = message;
        self
    }

    pub fn step(&mut self, step: Step) {
        if self.trail.len() < 4096 {
            self.trail.push(step);
        }
    }

    /// The fault is within a key: it has the path of the map.
    pub fn in_key(&mut self) {
        self.trail.clear();
    }

    pub fn leave(&mut self, container: Obj) {
        if self.kind == Kind::DepthLimit {
            self.containers.push(container as usize);
        }
    }

    /// Turns the depth limit into a cycle if a container contains itself, and the path into that of
    /// its first return.
    fn find_cycle(&mut self) {
        let mut seen = std::collections::HashSet::new();
        for (level, address) in self.containers.iter().rev().enumerate() {
            if !seen.insert(*address) {
                self.kind = Kind::Cycle;
                self.short_words = false;
                self.detail = "".into();
                let excess = self.trail.len().saturating_sub(level);
                self.trail.drain(..excess);
                return;
            }
        }
    }

    unsafe fn path(&self) -> String {
        match &self.path {
            Some(path) => in_message(path, self.message),
            None => path(&self.trail, self.message),
        }
    }

    /// `KIND at byte OFFSET (PATH): DESCRIPTION: DETAIL` (`spec/errors.md` section 4).
    fn text(&self, path: Option<&str>) -> String {
        let (kind, description) = self.kind.words();
        let mut text = match (self.offset, path) {
            (Some(offset), Some(path)) => format!("{kind} at byte {offset} ({path})"),
            (Some(offset), None) => format!("{kind} at byte {offset}"),
            (None, Some(path)) => format!("{kind} at {path}"),
            (None, None) => kind.to_owned(),
        };
        text.push_str(": ");
        text.push_str(description);
        if !self.detail.is_empty() {
            text.push_str(": ");
            text.push_str(&self.detail);
        }
        text
    }

    /// Sets the Python error for a writer.
    pub unsafe fn raise_encode(mut self) {
        self.find_cycle();
        let path = self.path();
        let text = match (self.short_words, path.as_str()) {
            (false, _) => self.text(Some(&path)),
            (true, "$") => self.detail.to_string(),
            (true, _) => format!("{} at {path}", self.detail),
        };
        self.raise(state::get().encode_error, &text, Some(&path));
    }

    /// Sets the Python error for a decoder. `base` is the offset of the first byte in its stream.
    pub unsafe fn raise_decode(mut self, base: usize) {
        let known = self.path.is_some() || !self.in_file;
        let path = known.then(|| self.path());
        self.offset = self.offset.map(|offset| offset + base);
        let text = if self.short_words {
            self.detail.to_string()
        } else {
            self.text(path.as_deref())
        };
        self.raise(state::get().decode_error, &text, path.as_deref());
    }

    /// The error of a decoder as one of pyo3's.
    pub fn into_error(self, py: Python<'_>) -> PyErr {
        unsafe { self.raise_decode(0) };
        PyErr::fetch(py)
    }

    /// The error of a writer as one of pyo3's.
    pub fn into_encode_error(self, py: Python<'_>) -> PyErr {
        unsafe { self.raise_encode() };
        PyErr::fetch(py)
    }

    /// Sets the Python error for wrong arguments, which is both an encode and a decode error.
    pub unsafe fn raise_argument(text: &str) {
        let failure = Failure::new(Kind::InvalidArgument, "");
        failure.raise(state::get().argument_error, text, None);
    }

    unsafe fn raise(mut self, class: Obj, text: &str, path: Option<&str>) {
        let py = Python::assume_attached();
        let exception = match self.cause.take() {
            Some(cause) if self.transparent => cause,
            cause => {
                let arguments = (text, self.kind.words().0, self.offset, path);
                let exception = match Borrowed::from_ptr(py, class).call1(arguments) {
                    Ok(exception) => Owned::borrow(exception.as_ptr()),
                    Err(error) => return error.restore(py),
                };
                if let Some(cause) = cause {
                    ffi::PyException_SetContext(exception.get(), cause.clone().release());
                    ffi::PyException_SetCause(exception.get(), cause.release());
                }
                exception
            }
        };
        ffi::PyErr_SetObject(type_of(exception.get()).cast(), exception.get());
    }
}

/// Takes the exception that is set.
unsafe fn fetch() -> Option<Owned> {
    #[cfg(Py_3_12)]
    return Owned::take(ffi::PyErr_GetRaisedException());
    #[cfg(not(Py_3_12))]
    {
        let null = std::ptr::null_mut();
        let (mut class, mut value, mut trace) = (null, null, null);
        ffi::PyErr_Fetch(&mut class, &mut value, &mut trace);
        ffi::PyErr_NormalizeException(&mut class, &mut value, &mut trace);
        if !trace.is_null() && !value.is_null() {
            ffi::PyException_SetTraceback(value, trace);
        }
        ffi::Py_XDECREF(class);
        ffi::Py_XDECREF(trace);
        Owned::take(value)
    }
}
