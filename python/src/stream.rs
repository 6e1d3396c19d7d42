//! Reads messages from bytes that arrive in chunks (`spec/format.md` section 6).
//!
//! The crate's [`MessageScanner`] keeps the bytes and finds where a message ends; the decoder then
//! reads the message.
//!
//! # Safety
//!
//! The caller holds the GIL. The decoder reads the scanner's own bytes, which nothing can change
//! meanwhile: a [`Stream`] is borrowed mutably for each call, and its owner refuses a second call.

use packord::{ErrorKind, MessageScanner, UndefinedRecord, path_at};
use pyo3::ffi;
use pyo3::pyclass::PyVisit;
use std::rc::Rc;

use crate::cpython::garbage::{Holder, Visited};
use crate::cpython::object::{Buffer, Obj, Owned, new_ref};
use crate::decode::Decoder;
use crate::errors::{Failure, Kind, text_of};
use crate::options::{self, DecodeOptions, Utf8};
use crate::record::{Structure, Structures};
use crate::typed::plan::TypePlan;
use crate::wire::marker::*;
use crate::wire::skip::Passing;
use crate::wire::value_type::ValueType;

/// What a step through the stream found.
pub enum Next {
    /// A new object, owned by the caller.
    Value(Obj),
    /// The message is not whole yet.
    More,
    /// The Python error is set.
    Failed,
}

/// The bytes that were fed and not read, and what is known of the stream.
pub struct Stream {
    pub options: DecodeOptions,
    /// The type that each message is read into.
    plan: Option<TypePlan>,
    structures: Option<Structures>,
    scanner: MessageScanner,
    /// No code of the program runs while a message is read, so a message may be read twice.
    repeatable: bool,
    /// A fault was reported after which no message can be found.
    is_over: bool,
    /// The rest of a message whose fault was reported.
    passing: Option<Passing>,
    /// How many messages have been passed over so.
    passed: u64,
}

impl Stream {
    pub fn new(
        options: DecodeOptions,
        structures: Option<Structures>,
        plan: Option<TypePlan>,
    ) -> Stream {
        Stream {
            scanner: MessageScanner::with_options(&scanner_options(&options, structures.as_ref())),
            // Types call code of the program too.
            repeatable: !options.has_hooks() && plan.is_none(),
            is_over: false,
            passing: None,
            passed: 0,
            plan,
            options,
            structures,
        }
    }

    /// Adds bytes. Returns `false`, with the Python error set, when memory is exhausted, or when the stream has come to a
    /// fault after which there is no message: the bytes would never be read.
    pub unsafe fn feed(&mut self, bytes: &[u8]) -> bool {
        if self.is_over {
            if let Err(fault) = self.scanner.peek_message() {
                self.decode(None, Some(fault));
                return false;
            }
        }
        if self.scanner.try_reserve(bytes.len()).is_err() {
            ffi::PyErr_NoMemory();
            return false;
        }
        self.scanner.feed(bytes);
        true
    }

    /// The offset in the stream of the first byte that has not been read.
    pub fn tell(&self) -> u64 {
        self.scanner.offset()
    }

    /// Whether the stream is between two messages, with no byte of the next.
    pub fn at_boundary(&self) -> bool {
        self.scanner.buffered() == 0 && self.passing.is_none()
    }

    /// The number of the next message.
    fn number(&self) -> usize {
        (self.scanner.messages() + self.passed) as usize
    }

    /// Passes over what has arrived of a message whose fault was reported; `None` when nothing of it is to come.
    unsafe fn pass(&mut self, ended: bool) -> Option<Next> {
        let passing = self.passing.as_mut()?;
        let taken = passing.take(self.scanner.pending());
        let is_done = passing.is_done();
        self.scanner.skip_bytes(taken);
        if is_done {
            self.passing = None;
            self.passed += 1;
            return None;
        }
        Some(if ended {
            self.failed(Kind::Eof, self.scanner.buffered(), String::new())
        } else {
            Next::More
        })
    }

    /// Reads the next message. `ended`: no more bytes will come.
    pub unsafe fn next(&mut self, ended: bool) -> Next {
        if let Some(next) = self.pass(ended) {
            return next;
        }
        if self.repeatable {
            let (options, structures) = (&self.options, self.structures.as_mut());
            let value = self.scanner.next_by(|bytes| {
                let mut decoder = Decoder::new(bytes, options, structures, None);
                let value = decoder.first_message().ok()?;
                Some((Owned::take(value)?, decoder.offset()))
            });
            if let Some(value) = value {
                return Next::Value(value.release());
            }
        }
        match self.scanner.peek_message() {
            Ok(Some(message)) => {
                let length = message.bytes.len();
                self.decode(Some(length), None)
            }
            Ok(None) if !ended => Next::More,
            Ok(None) => self.decode(None, None),
            Err(error) => self.decode(None, Some(error)),
        }
    }

    /// Passes over the next message without building it.
    pub unsafe fn skip(&mut self, ended: bool) -> Next {
        if let Some(next) = self.pass(ended) {
            return next;
        }
        if self.structures.is_none() {
            if let Ok(Some(_)) = self.scanner.next_message() {
                return Next::Value(new_ref(ffi::Py_None()));
            }
        }
        // A message with records is read, for its definitions; a fault is found by reading.
        match self.next(ended) {
            Next::Value(value) => {
                ffi::Py_DECREF(value);
                Next::Value(new_ref(ffi::Py_None()))
            }
            other => other,
        }
    }

    /// Returns `false`, with the Python error set, when the bytes end within a message.
    pub unsafe fn check_end(&mut self) -> bool {
        if let Some(next) = self.pass(true) {
            return !matches!(next, Next::Failed);
        }
        if self.at_boundary() {
            return true;
        }
        let fault = match self.scanner.peek_message() {
            Ok(Some(_)) => return true,
            Ok(None) => None,
            Err(error) => Some(error),
        };
        !matches!(self.decode(None, fault), Next::Failed)
    }

    /// Reads the next message, which has `length` bytes if it is whole. `fault`: what the scanner
    /// found, which counts if the decoder finds no other before it.
    unsafe fn decode(&mut self, length: Option<usize>, fault: Option<packord::Error>) -> Next {
        let (base, number) = (self.scanner.offset() as usize, self.number());
        let bytes = self.scanner.pending();
        let bytes = &bytes[..length.unwrap_or(bytes.len())];
        let mut decoder = Decoder::new(bytes, &self.options, self.structures.as_mut(), None);
        let value = match &self.plan {
            Some(plan) => decoder.first_typed_message(plan),
            None => decoder.first_message(),
        };
        let (failure, end) = (decoder.failure.take(), decoder.offset());
        let is_short = value.is_ok() && length.is_some_and(|length| end < length);
        let failure = if is_short {
            Some(Failure::at(Kind::TrailingBytes, end, "").at_path("$".into()))
        } else {
            failure
        };
        let is_passed = self.structures.is_none()
            && fault.as_ref().is_some_and(|fault| match fault.kind() {
                ErrorKind::InvalidUtf8 | ErrorKind::InvalidTimestamp | ErrorKind::DepthLimit => {
                    true
                }
                // Of `max_buffer` the decoder knows nothing.
                ErrorKind::LengthLimit => failure.as_ref().is_some_and(|f| f.kind != Kind::Eof),
                _ => false,
            });
        self.is_over |= fault.is_some() && !is_passed;
        let failure = match (value, failure, fault) {
            (Ok(value), None, None) => {
                let _ = self.scanner.next_message();
                return Next::Value(value);
            }
            (value, failure, fault) => {
                let is_whole = length.is_some() && fault.is_none();
                let is_transparent = failure
                    .as_ref()
                    .is_none_or(|failure| failure.is_transparent());
                if is_whole && !is_transparent {
                    // The bytes are sound and the message is whole: the next call reads the one after it, with
                    // the definitions of this one, which the scanner knows too.
                    if let Some(structures) = self.structures.as_mut().filter(|s| s.sequential()) {
                        define_from(bytes, &self.options, structures);
                    }
                    let _ = self.scanner.next_message();
                }
                // A fault that the decoder knows nothing of: the message is larger than `max_buffer`.
                if let Ok(value) = value {
                    ffi::Py_DECREF(value);
                    if let Some(structures) = &mut self.structures {
                        structures.roll_back();
                    }
                }
                let fault = fault.map(|fault| self.fault(&fault));
                choose(failure, fault, base)
            }
        };
        failure.in_message(number).raise_decode(base);
        if is_passed {
            self.passing = Some(Passing::new());
            self.pass(false);
        }
        Next::Failed
    }

    /// What the scanner found in the next message.
    fn fault(&self, error: &packord::Error) -> Box<Failure> {
        let failure = Failure::of(error);
        let structures = self.structures.as_ref();
        let Some(offset) = error.offset() else {
            return failure;
        };
        // Without the definitions of earlier messages the path can't be found.
        if structures.is_some_and(Structures::sequential) {
            return failure;
        }
        let options = scanner_options(&self.options, structures);
        let offset = offset - self.scanner.offset();
        failure.at_path(path_at(self.scanner.pending(), offset, &options))
    }

    /// Reads the header of an array or map, and returns its count; its values are then messages of
    /// their own.
    pub unsafe fn header(&mut self, map: bool, ended: bool) -> Next {
        if let Some(next) = self.pass(ended) {
            return next;
        }
        let bytes = self.scanner.pending();
        let (fix, wide, limit, name, expected) = if map {
            let limit = self.options.max_map_len;
            (FIXMAP, MAP16, limit, "max_map_len", "a map")
        } else {
            let limit = self.options.max_array_len;
            (FIXARRAY, ARRAY16, limit, "max_array_len", "an array")
        };
        let size = match bytes.first() {
            Some(&marker) if marker & !FIX_COUNT == fix => 0,
            Some(&marker) if marker == wide => 2,
            Some(&marker) if marker == wide + 1 => 4,
            Some(_) => {
                let found = ValueType::name_at(bytes);
                let detail = format!("expected {expected}, found {found}");
                return self.failed(Kind::TypeMismatch, 0, detail);
            }
            None => 0,
        };
        if bytes.len() < 1 + size {
            return if ended {
                self.failed(Kind::Eof, bytes.len(), String::new())
            } else {
                Next::More
            };
        }
        let count = match size {
            0 => usize::from(bytes[0] & FIX_COUNT),
            _ => (bytes[1..=size].iter()).fold(0, |count, &byte| count << 8 | usize::from(byte)),
        };
        if count > limit {
            return self.failed(Kind::LengthLimit, 0, format!("{name} is {limit}"));
        }
        self.scanner.skip_bytes(1 + size);
        Next::Value(ffi::PyLong_FromSize_t(count))
    }

    unsafe fn failed(&self, kind: Kind, offset: usize, detail: String) -> Next {
        Failure::at(kind, offset, detail)
            .at_path("$".into())
            .in_message(self.number())
            .raise_decode(self.scanner.offset() as usize);
        Next::Failed
    }

    /// Takes up to `count` raw bytes, as a `bytes` object.
    pub unsafe fn take(&mut self, count: usize) -> Obj {
        self.pass(false);
        let bytes = self.scanner.pending();
        let count = bytes.len().min(count);
        let taken = ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), count as isize);
        if !taken.is_null() {
            self.scanner.skip_bytes(count);
        }
        taken
    }

    /// How many bytes were fed and not read.
    pub fn available(&self) -> usize {
        self.scanner.buffered()
    }

    /// The shared structures; `None` while records are off.
    pub fn shared(&self) -> Option<&[Rc<Structure>]> {
        self.structures.as_ref().map(Structures::shared)
    }

    /// Replaces the shared structures by a longer list. Returns `false` while records are off.
    pub fn set_shared(&mut self, shared: Vec<Rc<Structure>>) -> bool {
        let Some(structures) = &mut self.structures else {
            return false;
        };
        structures.set_shared(shared);
        self.scanner
            .set_shared_structures(&key_lists(structures.shared()));
        true
    }
}

impl Holder for Stream {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        self.options.visit(visit)?;
        self.plan.visit(visit)
    }
}

/// Reads a message for its definitions alone, whatever the program makes of its values.
unsafe fn define_from(bytes: &[u8], options: &DecodeOptions, structures: &mut Structures) {
    let options = DecodeOptions {
        flags: options::NON_STR_KEYS | options::MAPS_AS_KEYS | options::RECORDS,
        duplicate_error: false,
        ..options.of_keys()
    };
    let mut decoder = Decoder::new(bytes, &options, Some(structures), None);
    if let Ok(value) = decoder.first_message() {
        drop(Owned::take(value));
    }
}

/// The options of the scanner: all that it can check. Keys, canonical form and ext types are left to
/// the decoder.
fn scanner_options(
    options: &DecodeOptions,
    structures: Option<&Structures>,
) -> packord::DecodeOptions {
    let limit = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let result = packord::DecodeOptions::new()
        .max_depth(limit(options.max_depth))
        .max_str_len(limit(options.max_str_len))
        .max_bin_len(limit(options.max_bin_len))
        .max_ext_len(limit(options.max_ext_len))
        .max_array_len(limit(options.max_array_len))
        .max_map_len(limit(options.max_map_len))
        .max_record_keys(limit(options.max_record_keys))
        .max_nodes(options.max_nodes as u64)
        .max_buffer(options.max_buffer as u64)
        .utf8(match options.utf8 {
            Utf8::Error => packord::Utf8::Error,
            Utf8::Handled(_) => packord::Utf8::Replace,
            Utf8::Raw | Utf8::Bytes => packord::Utf8::Raw,
        })
        .undefined_record(if options.undefined_record_error {
            UndefinedRecord::Error
        } else {
            UndefinedRecord::Int
        });
    match structures {
        Some(structures) => result
            .sequential(structures.sequential())
            .shared_structures(key_lists(structures.shared())),
        None => result,
    }
}

/// The same structures, for the crate.
fn key_lists(shared: &[Rc<Structure>]) -> packord::Structures {
    let mut lists = packord::Structures::new();
    for keys in shared {
        lists.push(keys.names.iter().map(|name| unsafe { text_of(name.get()) }));
    }
    lists
}

/// Of the decoder's failure and the scanner's, the one that counts: the first in the message. The
/// decoder knows more kinds of faults, and nothing of `max_buffer`.
unsafe fn choose(
    decoder: Option<Box<Failure>>,
    scanner: Option<Box<Failure>>,
    base: usize,
) -> Box<Failure> {
    let Some(mut scanner) = scanner else {
        return decoder.unwrap_or_else(|| Failure::transparent());
    };
    scanner.offset = scanner.offset.map(|offset| offset - base);
    match decoder {
        Some(failure) if comes_first(&failure, &scanner) => failure,
        _ => scanner,
    }
}

fn comes_first(decoder: &Failure, scanner: &Failure) -> bool {
    match (decoder.offset, scanner.offset) {
        (Some(offset), Some(fault)) if decoder.kind != Kind::Eof => {
            offset < fault || (offset == fault && decoder.kind == scanner.kind)
        }
        _ => decoder.kind == Kind::HookFailed,
    }
}

/// A file that bytes are read from, by its `read` or `recv`.
pub struct Source {
    pub read: Owned,
    pub size: usize,
    pub ended: bool,
}

impl Source {
    /// Reads once into the stream. `false` when the Python error is set.
    pub unsafe fn fill(&mut self, stream: &mut Stream) -> bool {
        let Some(size) = Owned::take(ffi::PyLong_FromSize_t(self.size)) else {
            return false;
        };
        let Some(read) = Owned::take(ffi::PyObject_CallOneArg(self.read.get(), size.get())) else {
            return false;
        };
        if read.get() == ffi::Py_None() {
            ffi::PyErr_SetString(
                ffi::PyExc_BlockingIOError,
                c"read() returned None: no bytes are available".as_ptr(),
            );
            return false;
        }
        let Some(buffer) = Buffer::of(read.get()) else {
            ffi::PyErr_SetString(ffi::PyExc_TypeError, c"read() must return bytes".as_ptr());
            return false;
        };
        self.ended = buffer.bytes().is_empty();
        stream.feed(buffer.bytes())
    }
}

impl Holder for Source {
    fn visit(&self, visit: &PyVisit<'_>) -> Visited {
        self.read.visit(visit)
    }
}
