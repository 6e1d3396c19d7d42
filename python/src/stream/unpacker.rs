//! The reader of streams: bytes come in pieces, messages go out.

use pyo3::ffi;

use super::scanner::{Found, Scanner, describe};
use crate::decode::Decoder;
use crate::errors::{Failure, Kind};
use crate::object::{Obj, Owned};
use crate::options::DecodeOptions;
use crate::record::Structures;
use crate::wire::marker::*;

/// What reading gave.
pub enum Next {
    /// A new object, owned by the caller.
    Value(Obj),
    /// The bytes at hand don't hold a whole message.
    More,
    /// The Python error is set.
    Failed,
}

/// The bytes at hand, and where the stream stands.
pub struct Stream {
    pub options: DecodeOptions,
    structures: Option<Structures>,
    bytes: Vec<u8>,
    /// Where the next message begins in `bytes`.
    head: usize,
    /// The offset of `bytes` in the stream.
    base: usize,
    scanner: Scanner,
    /// The number of the message at hand.
    message: usize,
}

impl Stream {
    pub fn new(options: DecodeOptions, structures: Option<Structures>) -> Stream {
        Stream {
            options,
            structures,
            bytes: Vec::new(),
            head: 0,
            base: 0,
            scanner: Scanner::default(),
            message: 0,
        }
    }

    /// More bytes. `false` when memory is exhausted.
    pub fn feed(&mut self, bytes: &[u8]) -> bool {
        if self.head > 0 && self.head >= self.bytes.len() / 2 {
            self.bytes.drain(..self.head);
            self.base += self.head;
            self.head = 0;
        }
        if self.bytes.try_reserve(bytes.len()).is_err() {
            return false;
        }
        self.bytes.extend_from_slice(bytes);
        true
    }

    /// The offset in the stream of the first byte that has not been given out.
    pub fn tell(&self) -> usize {
        self.base + self.head
    }

    /// Whether the stream stands between two messages, with no byte of the next.
    pub fn at_boundary(&self) -> bool {
        self.head == self.bytes.len()
    }

    fn scan(&mut self) -> Found {
        if let Some(structures) = &mut self.structures {
            structures.begin();
        }
        self.scanner.scan(
            &self.bytes[self.head..],
            &self.options,
            self.structures.as_ref(),
        )
    }

    /// The next message. `ended`: no more bytes will come.
    pub unsafe fn next(&mut self, ended: bool) -> Next {
        match self.scan() {
            Found::More if !ended => Next::More,
            Found::More => self.decode(self.bytes.len(), None),
            Found::Message(length) => self.decode(self.head + length, None),
            Found::Fault(kind, at) => self.decode(self.bytes.len(), Some((kind, at))),
        }
    }

    /// Passes over the next message without building it.
    pub unsafe fn skip(&mut self, ended: bool) -> Next {
        match self.scan() {
            Found::Message(length) if self.structures.is_none() => {
                self.advance(length);
                Next::Value(crate::object::new_ref(ffi::Py_None()))
            }
            // A message with records is read, for its definitions; a fault is found by reading.
            _ => match self.next(ended) {
                Next::Value(value) => {
                    ffi::Py_DECREF(value);
                    Next::Value(crate::object::new_ref(ffi::Py_None()))
                }
                other => other,
            },
        }
    }

    /// `false`, with the Python error set, when the bytes at hand are not whole messages.
    pub unsafe fn check_end(&mut self) -> bool {
        match self.scan() {
            Found::Message(_) => true,
            Found::More => !matches!(self.decode(self.bytes.len(), None), Next::Failed),
            Found::Fault(kind, at) => !matches!(
                self.decode(self.bytes.len(), Some((kind, at))),
                Next::Failed
            ),
        }
    }

    fn advance(&mut self, length: usize) {
        self.head += length;
        self.message += 1;
        self.scanner = Scanner::default();
    }

    /// Reads the bytes up to `end`. `fault`: what the scanner found, which counts if the reader
    /// finds no other.
    unsafe fn decode(&mut self, end: usize, fault: Option<(Kind, usize)>) -> Next {
        let bytes = &self.bytes[self.head..end];
        let mut decoder = Decoder::new(bytes, &self.options, self.structures.as_mut(), None);
        let value = decoder.first_message();
        let length = decoder.offset();
        let failure = decoder.failure.take();
        match (value, failure) {
            (Ok(value), _) if fault.is_none() => {
                self.advance(length);
                Next::Value(value)
            }
            (value, failure) => {
                // A fault that the reader knows nothing of: the message is larger than `max_buffer`.
                if let Ok(value) = value {
                    ffi::Py_DECREF(value);
                    if let Some(structures) = &mut self.structures {
                        structures.roll_back();
                    }
                }
                let failure = match (failure, fault) {
                    (Some(failure), Some((kind, at))) if comes_first(&failure, kind, at) => failure,
                    (_, Some((kind, at))) => Failure::at(kind, at, describe(kind)),
                    (Some(failure), None) => failure,
                    (None, None) => Failure::transparent(),
                };
                failure
                    .in_message(self.message)
                    .raise_decode(self.base + self.head);
                Next::Failed
            }
        }
    }

    /// The count of the array or map whose header comes next; its values are then messages of
    /// their own.
    pub unsafe fn header(&mut self, map: bool, ended: bool) -> Next {
        let bytes = &self.bytes[self.head..];
        let Some(&marker) = bytes.first() else {
            return if ended {
                self.failed(Kind::Eof, bytes.len(), "unexpected end of file")
            } else {
                Next::More
            };
        };
        let (fix, wide) = if map {
            (FIXMAP, MAP16)
        } else {
            (FIXARRAY, ARRAY16)
        };
        let (length, count) = if marker & 0xf0 == fix {
            (1, usize::from(marker & 0x0f))
        } else if marker == wide || marker == wide + 1 {
            let size = if marker == wide { 2 } else { 4 };
            let Some(count) = bytes.get(1..1 + size) else {
                return if ended {
                    self.failed(Kind::Eof, bytes.len(), "unexpected end of file")
                } else {
                    Next::More
                };
            };
            (
                1 + size,
                count
                    .iter()
                    .fold(0, |count, &byte| count << 8 | usize::from(byte)),
            )
        } else {
            let text = if map {
                "expected a map"
            } else {
                "expected an array"
            };
            return self.failed(Kind::TypeMismatch, 0, text);
        };
        let limit = if map {
            self.options.max_map_len
        } else {
            self.options.max_array_len
        };
        if count > limit {
            return self.failed(Kind::LengthLimit, 0, "longer than the limit");
        }
        self.head += length;
        self.scanner = Scanner::default();
        Next::Value(ffi::PyLong_FromSize_t(count))
    }

    unsafe fn failed(&self, kind: Kind, at: usize, text: &'static str) -> Next {
        Failure::at(kind, at, text)
            .in_message(self.message)
            .raise_decode(self.base + self.head);
        Next::Failed
    }

    /// Up to `count` raw bytes that are at hand.
    pub unsafe fn take(&mut self, count: usize) -> Obj {
        let end = self.bytes.len().min(self.head + count);
        let taken = &self.bytes[self.head..end];
        let bytes = ffi::PyBytes_FromStringAndSize(taken.as_ptr().cast(), taken.len() as isize);
        self.head = end;
        self.scanner = Scanner::default();
        bytes
    }

    /// How many bytes are at hand.
    pub fn available(&self) -> usize {
        self.bytes.len() - self.head
    }

    /// The keys of shared structures.
    pub fn structures(&mut self) -> Option<&mut Structures> {
        self.structures.as_mut()
    }
}

/// Whether what the reader found stands before the scanner's fault, or is the same. The reader knows
/// more kinds of faults, and nothing of `max_buffer`.
fn comes_first(failure: &Failure, kind: Kind, at: usize) -> bool {
    match failure.offset {
        Some(offset) if failure.kind != Kind::Eof => {
            offset < at || (offset == at && failure.kind == kind)
        }
        _ => failure.kind == Kind::HookFailed,
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
                c"read() has no bytes at hand".as_ptr(),
            );
            return false;
        }
        let Some(buffer) = crate::object::Buffer::of(read.get()) else {
            ffi::PyErr_SetString(ffi::PyExc_TypeError, c"read() must return bytes".as_ptr());
            return false;
        };
        self.ended = buffer.bytes().is_empty();
        if !stream.feed(buffer.bytes()) {
            ffi::PyErr_NoMemory();
            return false;
        }
        true
    }
}
