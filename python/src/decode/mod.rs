//! From bytes to Python values (`spec/format.md` section 5, `spec/limits.md`).
//!
//! The decoder goes through the bytes once, depth first. `pending` is the number of values that the
//! open containers have announced and that follow the current value. With it, each container checks
//! that all announced values can be there before it takes memory (the pending-element budget).
//!
//! Every function is compiled twice: with `CHECKED` it looks at limits, canonical form, records and
//! hooks; without, which is the usual case, at none of them.
//!
//! # Safety
//!
//! The caller of [`Decoder::new`] keeps the input alive and unchanged while the decoder lives: it
//! holds the buffer, so that a `bytearray` cannot be resized, or the `bytes` object. `next` never
//! leaves the range from `start` to `end`; [`Decoder::need`] comes before each raw read. The GIL is
//! held, and a returned object is owned by the caller.

mod array;
mod canonical;
mod columns;
mod ext;
mod hash_guard;
mod key_cache;
mod map;
mod pause;
mod record;
#[cfg(known_layout)]
mod shape;
mod value;

use pause::GcPause;
use pyo3::ffi;
use std::borrow::Cow;

use crate::cpython::object::{Obj, Owned, new_bytes};
use crate::cpython::stack::{SHALLOW, levels};
use crate::errors::{Failure, Kind, Raised, Step};
use crate::options::{self, DecodeOptions, Limit};
use crate::record::Structures;

pub use canonical::KeyOrder;
pub use hash_guard::HashGuard;
pub use key_cache::key as cached_key;

/// A value that was read, owned by the caller.
pub type Read = Result<Obj, Raised>;

/// One message being read.
pub struct Decoder<'a> {
    start: *const u8,
    next: *const u8,
    end: *const u8,
    depth: usize,
    /// The depth from which on the stack of the thread counts too.
    most_depth: usize,
    nodes: usize,
    max_nodes: usize,
    /// Where the bytes end that decided how a value was read, which then failed.
    examined: usize,
    pub options: &'a DecodeOptions,
    structures: Option<&'a mut Structures>,
    /// The object whose bytes are read, if what is read may refer to them.
    source: Option<Obj>,
    /// Code of the user may run, as classes of the user are made.
    pub typed: bool,
    pub failure: Option<Box<Failure>>,
}

/// The value of a packed fragment; null when it can't be a value of Python.
pub unsafe fn fragment_value(bytes: &[u8], canonical: bool) -> Obj {
    let options = DecodeOptions {
        duplicate_error: canonical,
        timestamps: options::Timestamps::Timestamp,
        ..DecodeOptions::USUAL
    };
    first_value(bytes, &options).map_or_else(
        |failure| {
            failure.raise_decode(0);
            std::ptr::null_mut()
        },
        Owned::release,
    )
}

/// The value that bytes begin with.
pub unsafe fn first_value(bytes: &[u8], options: &DecodeOptions) -> Result<Owned, Box<Failure>> {
    let mut decoder = Decoder::new(bytes, options, None, None);
    let value = decoder.first_message().ok().and_then(Owned::take);
    value.ok_or_else(|| decoder.failure.take().unwrap_or_else(|| Failure::transparent()))
}

/// The value that bytes begin with, read without options.
pub fn plain_value<'py>(py: pyo3::Python<'py>, bytes: &[u8]) -> Result<pyo3::Bound<'py, pyo3::PyAny>, Box<Failure>> {
    unsafe {
        let value = first_value(bytes, &DecodeOptions::USUAL)?;
        Ok(pyo3::Bound::from_owned_ptr(py, value.release()))
    }
}

impl<'a> Decoder<'a> {
    pub fn new(
        bytes: &[u8],
        options: &'a DecodeOptions,
        structures: Option<&'a mut Structures>,
        source: Option<Obj>,
    ) -> Decoder<'a> {
        let range = bytes.as_ptr_range();
        Decoder {
            start: range.start,
            next: range.start,
            end: range.end,
            depth: 0,
            most_depth: options.max_depth.min(SHALLOW),
            nodes: 0,
            max_nodes: options.max_nodes,
            examined: 0,
            options,
            structures,
            source,
            typed: false,
            failure: None,
        }
    }

    /// What `read` makes of the input, and nothing after it unless that is allowed.
    pub unsafe fn whole_message(&mut self, read: impl FnOnce(&mut Self) -> Read) -> Read {
        let value = self.beginning(read)?;
        if self.next != self.end && !self.options.has(options::ALLOW_TRAILING) {
            ffi::Py_DECREF(value);
            if let Some(structures) = &mut self.structures {
                structures.roll_back();
            }
            return Err(self.fault(Kind::TrailingBytes, self.offset()));
        }
        Ok(value)
    }

    pub unsafe fn first_message(&mut self) -> Read {
        self.beginning(|decoder| decoder.any_value())
    }

    pub unsafe fn any_value(&mut self) -> Read {
        if self.is_plain() {
            self.value::<false>(0)
        } else {
            self.value::<true>(0)
        }
    }

    /// A value that will be read again: it doesn't count towards `max_nodes`.
    pub unsafe fn value_ahead(&mut self, pending: usize) -> Read {
        let nodes = self.nodes;
        let value = self.value::<true>(pending);
        self.nodes = nodes;
        value
    }

    /// Returns the end of the next `count` values, without calling code of the program; else what is wrong
    /// with them. The values are not taken, and their definitions not kept.
    pub unsafe fn end_of(&mut self, count: usize, pending: usize) -> Result<usize, Box<Failure>> {
        let mut options = self.options.of_keys();
        options.flags |= options::NON_STR_KEYS;
        let (input, offset): (*const [u8], _) = (self.input(), self.offset());
        let mut structures = self.structures.as_deref_mut();
        let definitions = structures.as_ref().map_or(0, |known| known.definitions());
        let mut decoder = Decoder::new(&*input, &options, structures.as_deref_mut(), None);
        decoder.depth = self.depth;
        decoder.move_to(offset);
        for _ in 0..count {
            let Ok(value) = decoder.value::<true>(pending) else {
                break;
            };
            drop(Owned::take(value));
        }
        let (failure, end) = (decoder.failure.take(), decoder.offset());
        if let Some(structures) = structures {
            structures.roll_back_to(definitions);
        }
        failure.map_or(Ok(end), Err)
    }

    /// The bytes before `end` decided how a value was read, which then failed.
    #[cold]
    pub fn examined(&mut self, end: usize) -> Raised {
        self.examined = self.examined.max(end);
        Raised
    }

    /// Reports a fault among the bytes that decided how a value was read in place of the failure of that value: a
    /// reader that meets the bytes in their order reports the same.
    #[cold]
    pub unsafe fn fault_before(&mut self, failed: Raised) -> Raised {
        let failure = self.failure.as_deref();
        let is_of_bytes = failure.is_some_and(|f| f.offset.is_some() && !f.is_transparent());
        if self.examined > 0 && is_of_bytes {
            (self.depth, self.next) = (0, self.start);
            if let Err(fault) = self.end_of(1, 0) {
                if fault.offset.is_some_and(|offset| offset < self.examined) {
                    self.failure = Some(fault);
                }
            }
        }
        failed
    }

    /// Whether no option concerns single values.
    pub fn is_plain(&self) -> bool {
        self.structures.is_none() && self.options.are_plain(usize::MAX)
    }

    /// The message at the beginning of the input, if it has no fault: which one it has is not looked at.
    pub unsafe fn message_without_fault(&mut self) -> Option<Owned> {
        let size = self.remaining();
        let is_plain = self.structures.is_none() && self.options.are_plain(size);
        let read = self.beginning(|decoder| {
            if is_plain {
                decoder.value::<false>(0)
            } else {
                decoder.value::<true>(0)
            }
        });
        read.ok().and_then(Owned::take)
    }

    pub unsafe fn beginning(&mut self, read: impl FnOnce(&mut Self) -> Read) -> Read {
        let _pause = GcPause::new(self);
        if let Some(structures) = &mut self.structures {
            structures.begin();
        }
        let value = read(self);
        if value.is_err() {
            if let Some(structures) = &mut self.structures {
                structures.roll_back();
            }
        }
        value
    }

    /// Sets the Python error. `base` is the offset of the input in its stream.
    pub unsafe fn raise(&mut self, base: usize) {
        if let Some(failure) = self.failure.take() {
            failure.raise_decode(base);
        }
    }

    // Places and failures.

    pub fn input(&self) -> &[u8] {
        let length = self.end as usize - self.start as usize;
        unsafe { std::slice::from_raw_parts(self.start, length) }
    }

    /// Goes on at another offset within the input.
    pub unsafe fn move_to(&mut self, marker_offset: usize) {
        debug_assert!(marker_offset <= self.input().len());
        self.next = self.start.add(marker_offset);
    }

    #[inline(always)]
    pub fn rest(&self) -> &[u8] {
        unsafe { std::slice::from_raw_parts(self.next, self.remaining()) }
    }

    #[inline(always)]
    pub unsafe fn move_by(&mut self, count: usize) {
        debug_assert!(count <= self.remaining());
        self.next = self.next.add(count);
    }

    #[inline(always)]
    pub fn offset(&self) -> usize {
        self.next as usize - self.start as usize
    }

    #[inline(always)]
    pub fn remaining(&self) -> usize {
        self.end as usize - self.next as usize
    }

    #[cold]
    #[inline(never)]
    pub fn fault(&mut self, kind: Kind, offset: usize) -> Raised {
        self.fault_with(kind, offset, "")
    }

    /// A fault of which more is known than its kind.
    #[cold]
    #[inline(never)]
    pub fn fault_with(&mut self, kind: Kind, offset: usize, detail: impl Into<Cow<'static, str>>) -> Raised {
        self.failure = Some(Failure::at(kind, offset, detail));
        Raised
    }

    #[cold]
    #[inline(never)]
    pub fn eof(&mut self) -> Raised {
        self.fault(Kind::Eof, self.input().len())
    }

    /// Python raised where nothing but memory can be at fault.
    #[cold]
    #[inline(never)]
    pub unsafe fn python(&mut self) -> Raised {
        self.failure = Some(Failure::transparent());
        Raised
    }

    /// A hook or a class of the user raised.
    #[cold]
    #[inline(never)]
    pub unsafe fn user(&mut self, marker_offset: usize, kind: Kind, detail: impl Into<Cow<'static, str>>) -> Raised {
        let mut failure = Failure::caused(kind, detail).with_reason();
        failure.offset = Some(marker_offset);
        self.failure = Some(failure);
        Raised
    }

    #[cold]
    #[inline(never)]
    pub fn step(&mut self, step: impl FnOnce() -> Step) -> Raised {
        if let Some(failure) = &mut self.failure {
            failure.step(step());
        }
        Raised
    }

    /// Takes from a fault within a key the steps that were made in the key.
    #[cold]
    #[inline(never)]
    pub fn in_key(&mut self, _: Raised) -> Raised {
        if let Some(failure) = &mut self.failure {
            failure.in_key();
        }
        Raised
    }

    /// A new object of Python, or its error.
    #[inline(always)]
    pub unsafe fn non_null(&mut self, object: Obj) -> Read {
        if object.is_null() {
            Err(self.python())
        } else {
            Ok(object)
        }
    }

    /// What code of Python has answered, or the failure that it has raised.
    pub unsafe fn answer(&mut self, answer: Obj, marker_offset: usize, kind: Kind, detail: &'static str) -> Read {
        if answer.is_null() {
            Err(self.user(marker_offset, kind, detail))
        } else {
            Ok(answer)
        }
    }

    unsafe fn bytes(&mut self, bytes: &[u8]) -> Result<Owned, Raised> {
        Owned::take(new_bytes(bytes)).ok_or_else(|| self.python())
    }

    // Raw reads.

    #[inline(always)]
    pub fn need(&mut self, count: usize) -> Result<(), Raised> {
        if self.remaining() < count {
            Err(self.eof())
        } else {
            Ok(())
        }
    }

    /// The next `N` bytes, which must be there.
    #[inline(always)]
    pub unsafe fn take<const N: usize>(&mut self) -> Result<[u8; N], Raised> {
        self.need(N)?;
        let bytes = (self.next as *const [u8; N]).read_unaligned();
        self.next = self.next.add(N);
        Ok(bytes)
    }

    /// An unsigned number of 1, 2, 4 or 8 bytes.
    #[inline(always)]
    pub unsafe fn uint(&mut self, size: usize) -> Result<u64, Raised> {
        Ok(match size {
            1 => self.take::<1>()?[0].into(),
            2 => u16::from_be_bytes(self.take()?).into(),
            4 => u32::from_be_bytes(self.take()?).into(),
            _ => u64::from_be_bytes(self.take()?),
        })
    }

    /// The next byte, which is not taken.
    #[inline(always)]
    pub unsafe fn peek(&mut self) -> Result<u8, Raised> {
        if self.next == self.end {
            Err(self.eof())
        } else {
            Ok(*self.next)
        }
    }

    // Checks that only `CHECKED` readers make.

    #[inline(always)]
    pub fn note<const CHECKED: bool>(&mut self, marker_offset: usize) -> Result<(), Raised> {
        if CHECKED {
            self.nodes += 1;
            if self.nodes > self.max_nodes {
                return Err(self.too_long(marker_offset, self.max_nodes, "max_nodes"));
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub fn limit<const CHECKED: bool>(
        &mut self,
        marker_offset: usize,
        length: usize,
        limit: Limit,
    ) -> Result<(), Raised> {
        if CHECKED && length > self.options.max(limit) {
            return Err(self.too_long(marker_offset, self.options.max(limit), Limit::NAMES[limit as usize]));
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn too_long(&mut self, marker_offset: usize, limit: usize, name: &str) -> Raised {
        self.fault_with(Kind::LengthLimit, marker_offset, format!("{name} is {limit}"))
    }

    /// With the option `canonical`, `minimal` says whether the writer would have written this.
    #[inline(always)]
    fn strict<const CHECKED: bool>(&mut self, marker_offset: usize, minimal: bool) -> Result<(), Raised> {
        if CHECKED && !minimal && self.options.has(options::CANONICAL) {
            return Err(self.fault(Kind::NotCanonical, marker_offset));
        }
        Ok(())
    }

    #[inline(always)]
    pub fn enter(&mut self, marker_offset: usize) -> Result<(), Raised> {
        if self.depth >= self.most_depth {
            self.enter_deep(marker_offset)?;
        }
        self.depth += 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn enter_deep(&mut self, marker_offset: usize) -> Result<(), Raised> {
        let is_allowed = self.depth < self.options.max_depth;
        if is_allowed {
            self.most_depth = self.options.max_depth.min(self.depth.saturating_add(levels()));
            if self.most_depth > self.depth {
                return Ok(());
            }
        }
        let detail = if is_allowed {
            "the thread has too small a stack".into()
        } else {
            format!("max_depth is {}", self.options.max_depth)
        };
        Err(self.fault_with(Kind::DepthLimit, marker_offset, detail))
    }

    #[inline(always)]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The pending-element budget: `count` values in addition to those outside.
    #[inline(always)]
    pub fn announce(&mut self, pending: usize, count: u64) -> Result<(), Raised> {
        // Both are below 2^33 more than the length of the input: no overflow.
        if pending as u64 + count > self.remaining() as u64 {
            Err(self.eof())
        } else {
            Ok(())
        }
    }
}

/// How many bytes the length takes in the format that is minimal for it.
fn length_size(length: usize) -> usize {
    match length {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    }
}
