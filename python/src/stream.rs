//! Reads messages from bytes that arrive in chunks (`spec/format.md` section 6).
//!
//! The crate's [`MessageScanner`] keeps the bytes and finds where a message ends; the decoder then
//! reads the message.
//!
//! # Safety
//!
//! The caller holds the GIL. The decoder reads the scanner's own bytes, which nothing can change
//! meanwhile: a [`Stream`] is borrowed mutably for each call, and its owner refuses a second call.

use packord::wire::Head;
use packord::{DuplicateKey, MessageScanner, UndefinedRecord};
use pyo3::exceptions::{PyBlockingIOError, PyMemoryError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use std::rc::Rc;

use crate::cpython::garbage::holds;
use crate::cpython::object::{Buffer, Obj, Owned, new_bytes, new_ref};
use crate::decode::{Decoder, cached_key};
use crate::errors::{Failure, Kind, text_of};
use crate::options::{DecodeOptions, Limit, Utf8};
use crate::record::{Structure, Structures};
use crate::typed::plan::TypePlan;
use crate::wire::skip::skip;
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
    /// A message may be read twice: no code of the program runs meanwhile, or what makes a value and does nothing else.
    pub repeatable: bool,
    /// A message that is skipped is not checked, as long as it is whole.
    pub skips_unchecked: bool,
    /// The number of the message whose fault was reported, until the stream is after it.
    reported: Option<u64>,
    /// Whether the scanner alone has read the last messages: the decoder does not know their definitions.
    has_missed: bool,
}

impl Stream {
    pub fn new(options: DecodeOptions, structures: Option<Structures>, plan: Option<TypePlan>) -> Stream {
        Stream {
            scanner: MessageScanner::with_options(&scanner_options(&options, structures.as_ref())),
            // Types call code of the program too.
            repeatable: !options.has_hooks() && plan.is_none(),
            skips_unchecked: false,
            reported: None,
            has_missed: false,
            plan,
            options,
            structures,
        }
    }

    /// Adds bytes. Fails when memory is exhausted, or when the stream has come to a fault after which there is no
    /// message: the bytes would never be read.
    pub fn feed(&mut self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        if self.scanner.is_over() {
            return match unsafe { self.next(false) } {
                Next::Failed => Err(PyErr::fetch(py)),
                _ => Ok(()),
            };
        }
        if self.scanner.try_reserve(bytes.len()).is_err() {
            return Err(PyMemoryError::new_err(()));
        }
        self.scanner.feed(bytes);
        Ok(())
    }

    /// The offset in the stream of the first byte that has not been read.
    pub fn tell(&self) -> u64 {
        self.scanner.offset()
    }

    /// Whether the stream is between two messages, with no byte of the next. What has arrived of a message whose fault
    /// was reported is taken.
    pub fn at_boundary(&mut self) -> bool {
        self.scanner.at_boundary()
    }

    fn number(&self) -> usize {
        self.scanner.messages() as usize
    }

    /// Reads the next message. `ended`: no more bytes will come.
    pub unsafe fn next(&mut self, ended: bool) -> Next {
        if self.repeatable {
            let (options, structures) = (&self.options, self.structures.as_mut());
            let value = self.scanner.next_by(|bytes| {
                let mut decoder = Decoder::new(bytes, options, structures, None);
                let value = decoder.message_without_fault()?;
                Some((value, decoder.offset()))
            });
            if let Some(value) = value {
                return Next::Value(value.release());
            }
        }
        self.step(ended, false)
    }

    /// Passes over the next message without building it.
    pub unsafe fn skip(&mut self, ended: bool) -> Next {
        if self.skips_unchecked {
            let whole = self.scanner.next_by(|bytes| Some(((), skip(bytes, 0)?)));
            if whole.is_some() {
                return Next::Value(new_ref(ffi::Py_None()));
            }
        }
        // A message with records is read, for its definitions.
        match self.step(ended, self.structures.is_none()) {
            Next::Value(value) => {
                ffi::Py_DECREF(value);
                Next::Value(new_ref(ffi::Py_None()))
            }
            other => other,
        }
    }

    /// Fails when the bytes end within a message.
    pub fn check_end(&mut self, py: Python<'_>) -> PyResult<()> {
        while let Err(error) = self.scanner.finish() {
            if unsafe { self.found(Err(error), false) }.is_some() {
                return Err(PyErr::fetch(py));
            }
        }
        Ok(())
    }

    /// Reads the next message that the scanner finds, or leaves it unread.
    unsafe fn step(&mut self, ended: bool, skips: bool) -> Next {
        loop {
            let message = match self.scanner.peek_message() {
                Ok(Some(message)) => Ok(message.bytes.len()),
                Ok(None) if !ended => return Next::More,
                Ok(None) => match self.scanner.finish() {
                    Ok(()) => return Next::More,
                    Err(error) => Err(error),
                },
                Err(error) => Err(error),
            };
            if let Some(next) = self.found(message, skips) {
                return next;
            }
        }
    }

    /// Goes on with what the scanner has found: the length of the next message, or a fault in it. Returns `None` if a
    /// fault of this message was reported before.
    unsafe fn found(&mut self, message: Result<usize, packord::Error>, skips: bool) -> Option<Next> {
        let was_reported = self.reported == Some(self.scanner.messages());
        match message {
            Ok(_) if was_reported => self.leave_message(),
            Ok(_) if skips => {
                self.leave_message();
                return Some(Next::Value(new_ref(ffi::Py_None())));
            }
            Err(error) if was_reported => {
                if self.scanner.is_over() {
                    Failure::of(&error)
                        .at_path("$".into())
                        .in_message(self.number())
                        .raise_decode(0);
                    return Some(Next::Failed);
                }
            }
            Ok(length) => return Some(self.decode(Some(length), None)),
            Err(error) => return Some(self.decode(None, Some(error))),
        }
        None
    }

    /// Leaves the next message, which is whole, to the scanner alone.
    fn leave_message(&mut self) {
        let _ = self.scanner.next_message();
        self.has_missed = true;
    }

    /// Learns the definitions that the scanner alone has read. Returns `false` with the Python error set.
    unsafe fn learn(&mut self) -> bool {
        self.has_missed = false;
        let Some(structures) = self.structures.as_mut().filter(|known| known.sequential()) else {
            return true;
        };
        let known: Option<Vec<_>> = (self.scanner.structures())
            .map(|head| {
                let names = head
                    .structure
                    .keys()
                    .map(|key| Owned::take(cached_key(key.as_ptr(), key.len())));
                let names = names.collect::<Option<_>>()?;
                Some((usize::from(head.index), head.two_byte, Rc::new(Structure { names })))
            })
            .collect();
        match known {
            Some(known) => structures.replace(known),
            None => self.has_missed = true,
        }
        !self.has_missed
    }

    /// Reads the next message, which has `length` bytes if it is whole. `fault`: what the scanner
    /// found, which counts if the decoder finds no other before it.
    unsafe fn decode(&mut self, length: Option<usize>, fault: Option<packord::Error>) -> Next {
        if self.has_missed && !self.learn() {
            return Next::Failed;
        }
        let (base, number) = (self.scanner.offset() as usize, self.number());
        let bytes = self.scanner.pending();
        let bytes = &bytes[..length.unwrap_or(bytes.len())];
        let mut decoder = Decoder::new(bytes, &self.options, self.structures.as_mut(), None);
        let value = decoder.next_message(self.plan.as_ref());
        let (failure, end) = (decoder.failure.take(), decoder.offset());
        let is_short = value.is_ok() && length.is_some_and(|length| end < length);
        let failure = if is_short {
            Some(Failure::at(Kind::TrailingBytes, end, "").at_path("$".into()))
        } else {
            failure
        };
        if failure.is_none() && fault.is_none() {
            if let Ok(value) = value {
                let _ = self.scanner.next_message();
                return Next::Value(value);
            }
        }
        let is_transparent = failure.as_ref().is_none_or(|failure| failure.is_transparent());
        let fault = fault.map(|fault| {
            let mut fault = self.fault(&fault);
            fault.offset = fault.offset.map(|offset| offset - base);
            fault
        });
        if let Some(fault) = &fault {
            let is_same = |found: &Failure| (found.kind, found.offset) == (fault.kind, fault.offset);
            let is_before = (failure.as_ref()).is_some_and(|found| comes_first(found, fault) && !is_same(found));
            // What ends the stream is reported again and again, but not what comes before it.
            if is_before || !self.scanner.is_over() {
                self.reported = Some(self.scanner.messages());
                self.has_missed = true;
            }
        } else if !is_transparent {
            // The message is whole: the next call reads the one after it, with the definitions of this one.
            self.leave_message();
        }
        // A fault that the decoder knows nothing of: the message is larger than `max_buffer`.
        if let Ok(value) = value {
            ffi::Py_DECREF(value);
            if let Some(structures) = &mut self.structures {
                structures.roll_back();
            }
        }
        choose(failure, fault).in_message(number).raise_decode(base);
        Next::Failed
    }

    /// What the scanner found in the next message.
    fn fault(&self, error: &packord::Error) -> Box<Failure> {
        let failure = Failure::of(error);
        let root = match self.number() {
            0 => "$".to_owned(),
            number => format!("${number}"),
        };
        match error.path().and_then(|path| path.strip_prefix(&root)) {
            Some(inner) => failure.at_path(format!("${inner}")),
            None => failure,
        }
    }

    /// Reads the header of an array or map, and returns its count; its values are then messages of
    /// their own.
    pub unsafe fn header(&mut self, map: bool, ended: bool) -> Next {
        // Takes what has arrived of a message whose fault was reported.
        self.at_boundary();
        if self.scanner.is_over() || self.reported == Some(self.scanner.messages()) {
            return self.step(ended, false);
        }
        let bytes = self.scanner.pending();
        let (wanted, limit, expected) = if map {
            (ValueType::Map, Limit::Map, "a map")
        } else {
            (ValueType::Array, Limit::Array, "an array")
        };
        match bytes.first().map(|&marker| ValueType::of(marker)) {
            // Marker c1.
            Some(None) => return self.step(ended, false),
            Some(found) if found != Some(wanted) => {
                let found = ValueType::name_at(bytes);
                let detail = format!("expected {expected}, found {found}");
                return self.failed(Kind::TypeMismatch, 0, detail);
            }
            _ => {}
        }
        let Some(head) = Head::at(bytes, 0) else {
            return if ended {
                self.failed(Kind::Eof, bytes.len(), String::new())
            } else {
                Next::More
            };
        };
        let (count, most) = (head.count as usize, self.options.max(limit));
        if count > most {
            let detail = format!("{} is {most}", Limit::NAMES[limit as usize]);
            return self.failed(Kind::LengthLimit, 0, detail);
        }
        self.scanner.skip_bytes(head.end);
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
        // Takes what has arrived of a message whose fault was reported.
        self.at_boundary();
        let bytes = self.scanner.pending();
        let count = bytes.len().min(count);
        let taken = new_bytes(&bytes[..count]);
        if !taken.is_null() {
            self.scanner.skip_bytes(count);
        }
        taken
    }

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
        self.scanner.set_shared_structures(&key_lists(structures.shared()));
        true
    }
}

holds!(Stream: options, plan);

/// The options of the scanner: all that it can check. Keys of maps, canonical form and ext types are left
/// to the decoder, but with records a key twice in a definition ends the stream.
fn scanner_options(options: &DecodeOptions, structures: Option<&Structures>) -> packord::DecodeOptions {
    let limit = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let length = |of: Limit| limit(options.max(of));
    let result = packord::DecodeOptions::new()
        .max_depth(limit(options.max_depth))
        .max_str_len(length(Limit::Str))
        .max_bin_len(length(Limit::Bin))
        .max_ext_len(length(Limit::Ext))
        .max_array_len(length(Limit::Array))
        .max_map_len(length(Limit::Map))
        .max_record_keys(length(Limit::RecordKeys))
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
            .duplicate_key(if options.duplicate_error {
                DuplicateKey::Error
            } else {
                DuplicateKey::Last
            })
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
unsafe fn choose(decoder: Option<Box<Failure>>, scanner: Option<Box<Failure>>) -> Box<Failure> {
    let Some(scanner) = scanner else {
        return decoder.unwrap_or_else(|| Failure::transparent());
    };
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
    pub fn fill(&mut self, py: Python<'_>, stream: &mut Stream) -> PyResult<()> {
        let read = self.read.as_py().call1(py, (self.size,))?;
        if read.is_none(py) {
            let text = "read() returned None: no bytes are available";
            return Err(PyBlockingIOError::new_err(text));
        }
        let buffer = unsafe { Buffer::of(read.as_ptr()) };
        let buffer = buffer.ok_or_else(|| PyTypeError::new_err("read() must return bytes"))?;
        self.ended = buffer.bytes().is_empty();
        stream.feed(py, buffer.bytes())
    }
}

holds!(Source: read);
