//! What can go wrong, where, and how Python gets to know (`spec/errors.md`).

use pyo3::ffi;
use std::borrow::Cow;

use crate::object::{Obj, Owned, new_str};
use crate::state;

macro_rules! kinds {
    ($($variant:ident $name:literal;)*) => {
        /// The kinds of `spec/errors.md`, and three of Python's own at the end.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Kind { $($variant),* }

        impl Kind {
            pub fn name(self) -> &'static str {
                match self { $(Kind::$variant => $name),* }
            }
        }
    };
}

kinds! {
    Eof "eof";
    ReservedMarker "reserved_marker";
    InvalidUtf8 "invalid_utf8";
    TrailingBytes "trailing_bytes";
    DepthLimit "depth_limit";
    LengthLimit "length_limit";
    DuplicateKey "duplicate_key";
    InvalidTimestamp "invalid_timestamp";
    InvalidExt "invalid_ext";
    UnknownExt "unknown_ext";
    RecordUndefined "record_undefined";
    RecordMalformed "record_malformed";
    TypeMismatch "type_mismatch";
    OutOfRange "out_of_range";
    UnsupportedType "unsupported_type";
    Cycle "cycle";
    NotCanonical "not_canonical";
    InvalidArgument "invalid_argument";
    HookFailed "hook_failed";
    Changed "changed";
}

/// One step from a container to the value at fault.
pub enum Step {
    Index(usize),
    Key(Owned),
}

/// A failure on its way to Python. The steps are collected innermost first.
pub struct Failure {
    pub kind: Kind,
    text: Cow<'static, str>,
    pub offset: Option<usize>,
    trail: Vec<Step>,
    message: usize,
    /// Containers on the way out, by address, to tell a cycle from mere depth.
    containers: Vec<usize>,
    /// The exception that lies behind it.
    cause: Option<Owned>,
    /// The cause is handed on as it is.
    transparent: bool,
}

/// Stands for a failure whose details are kept by the reader or writer at work.
#[derive(Clone, Copy, Debug)]
pub struct Raised;

impl Failure {
    pub fn new(kind: Kind, text: impl Into<Cow<'static, str>>) -> Box<Failure> {
        Box::new(Failure {
            kind,
            text: text.into(),
            offset: None,
            trail: Vec::new(),
            message: 0,
            containers: Vec::new(),
            cause: None,
            transparent: false,
        })
    }

    pub fn at(kind: Kind, offset: usize, text: impl Into<Cow<'static, str>>) -> Box<Failure> {
        let mut failure = Failure::new(kind, text);
        failure.offset = Some(offset);
        failure
    }

    /// Takes the exception that Python has set: as the cause of an error of ours, or to be handed
    /// on as it is when it isn't an `Exception`, or tells of memory.
    pub unsafe fn caused(kind: Kind, text: impl Into<Cow<'static, str>>) -> Box<Failure> {
        let mut failure = Failure::new(kind, text);
        if let Some(exception) = fetch() {
            failure.transparent =
                ffi::PyErr_GivenExceptionMatches(exception.get(), ffi::PyExc_Exception) == 0
                    || ffi::PyErr_GivenExceptionMatches(exception.get(), ffi::PyExc_MemoryError)
                        != 0;
            failure.cause = Some(exception);
        }
        failure
    }

    /// The text of the exception that Python has set.
    pub unsafe fn described(kind: Kind) -> Box<Failure> {
        let mut failure = Failure::caused(kind, "");
        if failure.transparent {
            return failure;
        }
        if let Some(cause) = failure.cause.take() {
            match Owned::take(ffi::PyObject_Str(cause.get())) {
                Some(text) => failure.text = text_of(text.get()).into(),
                None => ffi::PyErr_Clear(),
            }
        }
        failure
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

    pub fn leave(&mut self, container: Obj) {
        if self.kind == Kind::DepthLimit {
            self.containers.push(container as usize);
        }
    }

    /// Turns the depth limit into a cycle when a container lies within itself, and the path into
    /// that of its first return.
    fn find_cycle(&mut self) {
        let mut seen = std::collections::HashSet::new();
        for (level, address) in self.containers.iter().rev().enumerate() {
            if !seen.insert(*address) {
                self.kind = Kind::Cycle;
                let excess = self.trail.len().saturating_sub(level);
                self.trail.drain(..excess);
                return;
            }
        }
    }

    unsafe fn path(&self) -> String {
        let mut path = if self.message == 0 {
            String::from("$")
        } else {
            format!("${}", self.message)
        };
        for step in self.trail.iter().rev() {
            match step {
                Step::Index(index) => path.push_str(&format!("[{index}]")),
                Step::Key(key) => push_key(&mut path, key.get()),
            }
        }
        path
    }

    /// Sets the Python error for a writer.
    pub unsafe fn raise_encode(mut self) {
        self.find_cycle();
        let path = self.path();
        let text = if path == "$" {
            self.text.to_string()
        } else {
            format!("{} at {}", self.text, shortened(&path))
        };
        self.raise(state::get().encode_error, &text, Some(&path));
    }

    /// Sets the Python error for a reader. `base` is the offset of the first byte in its stream.
    pub unsafe fn raise_decode(mut self, base: usize) {
        let path = if self.trail.is_empty() {
            None
        } else {
            Some(self.path())
        };
        self.offset = self.offset.map(|offset| offset + base);
        let mut text = self.text.to_string();
        if let Some(offset) = self.offset {
            text.push_str(&format!(" at byte {offset}"));
            if let Some(path) = &path {
                text.push_str(&format!(" ({})", shortened(path)));
            }
        }
        self.raise(state::get().decode_error, &text, path.as_deref());
    }

    /// Sets the Python error for wrong arguments, which is both an encode and a decode error.
    pub unsafe fn raise_argument(text: &str) {
        let failure = Failure::new(Kind::InvalidArgument, "");
        failure.raise(state::get().argument_error, text, None);
    }

    unsafe fn raise(mut self, class: Obj, text: &str, path: Option<&str>) {
        if self.transparent {
            if let Some(cause) = self.cause.take() {
                restore(cause);
                return;
            }
        }
        let (Some(message), Some(kind)) = (
            Owned::take(new_str(text)),
            Owned::take(new_str(self.kind.name())),
        ) else {
            return;
        };
        let offset = match self.offset {
            Some(offset) => Owned::take(ffi::PyLong_FromSize_t(offset)),
            None => Some(Owned::borrow(ffi::Py_None())),
        };
        let path = match path {
            Some(path) => Owned::take(new_str(path)),
            None => Some(Owned::borrow(ffi::Py_None())),
        };
        let (Some(offset), Some(path)) = (offset, path) else {
            return;
        };
        let exception = ffi::PyObject_CallFunctionObjArgs(
            class,
            message.get(),
            kind.get(),
            offset.get(),
            path.get(),
            std::ptr::null_mut::<ffi::PyObject>(),
        );
        let Some(exception) = Owned::take(exception) else {
            return;
        };
        if let Some(cause) = self.cause.take() {
            ffi::PyException_SetContext(exception.get(), cause.clone().release());
            ffi::PyException_SetCause(exception.get(), cause.release());
        }
        ffi::PyErr_SetObject(class, exception.get());
    }
}

/// A path for a message: the middle of a very long one is left out.
fn shortened(path: &str) -> String {
    const KEPT: usize = 100;
    if path.len() <= 2 * KEPT + 3 {
        return path.to_owned();
    }
    let (mut head, mut tail) = (KEPT, path.len() - KEPT);
    while !path.is_char_boundary(head) {
        head -= 1;
    }
    while !path.is_char_boundary(tail) {
        tail += 1;
    }
    format!("{}...{}", &path[..head], &path[tail..])
}

/// The exception that is set, which is then no longer set.
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

unsafe fn restore(exception: Owned) {
    let class = exception.get().cast::<ffi::PyObject>();
    let class = (*class).ob_type as Obj;
    ffi::PyErr_SetObject(class, exception.get());
}

/// `.name`, `["any str"]` or `[key 5]`.
unsafe fn push_key(path: &mut String, key: Obj) {
    if ffi::PyUnicode_Check(key) == 0 {
        path.push_str("[key ");
        notation(path, key);
        path.push(']');
        return;
    }
    let text = text_of(key);
    let name = text.bytes().enumerate().all(|(at, byte)| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => true,
        b'0'..=b'9' => at > 0,
        _ => false,
    });
    if name && !text.is_empty() {
        path.push('.');
        path.push_str(&text);
    } else {
        path.push('[');
        quote(path, &text);
        path.push(']');
    }
}

/// The text of a `str`, with lone surrogates replaced.
unsafe fn text_of(string: Obj) -> String {
    let encoded = ffi::PyUnicode_AsEncodedString(string, c"utf-8".as_ptr(), c"replace".as_ptr());
    match Owned::take(encoded) {
        Some(bytes) => String::from_utf8_lossy(crate::object::bytes_of(bytes.get())).into_owned(),
        None => {
            ffi::PyErr_Clear();
            String::from("?")
        }
    }
}

/// A key in diagnostic notation (`spec/diagnostic-notation.md`), as far as keys of Python go.
unsafe fn notation(out: &mut String, key: Obj) {
    if key == ffi::Py_None() {
        out.push_str("nil");
    } else if key == ffi::Py_True() || key == ffi::Py_False() {
        out.push_str(if key == ffi::Py_True() {
            "true"
        } else {
            "false"
        });
    } else if ffi::PyBytes_Check(key) != 0 {
        out.push_str("h'");
        for byte in crate::object::bytes_of(key) {
            out.push_str(&format!("{byte:02x}"));
        }
        out.push('\'');
    } else if ffi::PyTuple_Check(key) != 0 {
        out.push('[');
        for index in 0..ffi::PyTuple_GET_SIZE(key) {
            if index > 0 {
                out.push_str(", ");
            }
            notation(out, ffi::PyTuple_GET_ITEM(key, index));
        }
        out.push(']');
    } else if ffi::PyUnicode_Check(key) != 0 {
        quote(out, &text_of(key));
    } else if let Some(text) = Owned::take(ffi::PyObject_Str(key)) {
        out.push_str(&text_of(text.get()));
    } else {
        ffi::PyErr_Clear();
        out.push('?');
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' | '\u{7f}' => out.push_str(&format!("\\u{:04x}", character as u32)),
            _ => out.push(character),
        }
    }
    out.push('"');
}
