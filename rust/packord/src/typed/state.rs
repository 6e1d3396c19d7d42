//! The state of readers and writers of typed values apart from their bytes: depth, faults, paths.

use super::detail::Detail;
pub use super::failed::Failed;
use crate::error::{Error, ErrorKind};
use crate::options::DEFAULT_MAX_DEPTH;
use crate::read::Depth;
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};
#[cfg(feature = "alloc")]
use core::ops::Range;

/// One step of a path: which part of a value another one is.
///
/// ```
/// use packord::typed::{Failed, Step, Writer};
/// use packord::{ErrorKind, Packable};
///
/// struct Never;
/// impl Packable for Never {
///     fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
///         let failed = writer.fail(ErrorKind::UnsupportedType);
///         Err(writer.within(Step::Field("part"), failed))
///     }
/// }
/// assert_eq!(Never.try_pack_to_vec().unwrap_err().path(), Some("$.part"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A field, by its name.
    Field(&'static str),
    /// An element, from 0.
    Index(usize),
    /// The value of a map's key, which is at this index of the input.
    #[doc(hidden)]
    Key(usize),
    /// No step: the part has the path of the whole.
    #[doc(hidden)]
    Same,
}

/// What went wrong and where, until it becomes an [`Error`].
#[derive(Debug, Default)]
pub(crate) struct Faults {
    fault: Option<KeptFault>,
    /// From the innermost step outwards. Boxed, as most readers and writers never have one.
    #[cfg(feature = "alloc")]
    steps: Steps,
}

#[derive(Clone, Copy, Debug)]
struct KeptFault {
    kind: ErrorKind,
    at: Option<usize>,
    detail: Detail,
}

#[cfg(feature = "alloc")]
#[derive(Debug, Default)]
#[allow(clippy::box_collection, reason = "one word to set and to test, not three")]
struct Steps(Option<Box<Vec<Part>>>);

/// The test is inlined and the work is not: most calls have nothing to drop.
#[cfg(feature = "alloc")]
impl Drop for Steps {
    #[inline]
    fn drop(&mut self) {
        if self.0.is_some() {
            self.clear();
        }
    }
}

#[cfg(feature = "alloc")]
impl Steps {
    #[cold]
    #[inline(never)]
    fn clear(&mut self) {
        self.0 = None;
    }

    fn push(&mut self, part: Part) {
        self.0.get_or_insert_default().push(part);
    }
}

#[cfg(feature = "alloc")]
#[derive(Debug)]
enum Part {
    Step(Step),
    /// One or more steps in their final form.
    Key(alloc::string::String),
    /// The path to the fault within the value that begins here, which a reader of records found.
    Within(usize),
    /// Not part of the path: a name for the detail.
    Name(alloc::string::String),
}

impl Faults {
    #[cold]
    #[inline(never)]
    pub fn set(&mut self, kind: ErrorKind, at: Option<usize>, detail: Detail) -> Failed {
        self.fault = Some(KeptFault { kind, at, detail });
        #[cfg(feature = "alloc")]
        self.steps.clear();
        Failed(())
    }

    #[cold]
    #[inline(never)]
    pub fn within(&mut self, step: Step, failed: Failed) -> Failed {
        #[cfg(feature = "alloc")]
        if step != Step::Same {
            self.steps.push(Part::Step(step));
        }
        let _ = step;
        failed
    }

    /// Adds the path, without the `$`, that another reader found within the value.
    #[cfg(feature = "alloc")]
    pub fn within_path(&mut self, path: &str) {
        self.steps.push(Part::Key(path.into()));
    }

    /// Notes that the fault is within the value that begins at `start`. Its path takes a walk from the start of the
    /// message, and most failures of untagged enums are never shown.
    #[cfg(feature = "alloc")]
    pub fn within_value(&mut self, start: usize) {
        self.steps.push(Part::Within(start));
    }

    /// Finds the path within that value.
    #[cfg(feature = "alloc")]
    pub fn find_path(&mut self, find: impl FnOnce(Range<usize>) -> alloc::string::String) {
        let fault = self.fault.and_then(|fault| fault.at);
        let innermost = self.steps.0.as_mut().and_then(|parts| parts.first_mut());
        if let (Some(at), Some(part @ &mut Part::Within(start))) = (fault, innermost) {
            *part = Part::Key(find(start..at));
        }
    }

    #[cfg(feature = "alloc")]
    pub fn forget_path(&mut self) {
        let is_missing = self
            .fault
            .is_some_and(|fault| matches!(fault.detail, Detail::MissingField));
        if let Some(parts) = &mut self.steps.0 {
            // The detail tells the name.
            let is_told = is_missing || matches!(parts.first(), Some(Part::Name(_)));
            parts.truncate(usize::from(is_told));
        }
    }

    #[cfg(feature = "alloc")]
    pub fn within_key(&mut self, key: &[u8]) {
        let mut text = alloc::string::String::new();
        crate::walk::push_packed_key(&mut text, key);
        self.steps.push(Part::Key(text));
    }

    /// Returns the kind and the detail.
    #[cfg(feature = "alloc")]
    pub fn fault(&self) -> (ErrorKind, Detail) {
        let fault = self.fault.map(|fault| (fault.kind, fault.detail));
        fault.unwrap_or((ErrorKind::TypeMismatch, Detail::None))
    }

    pub fn kind(&self) -> Option<ErrorKind> {
        self.fault.map(|fault| fault.kind)
    }

    pub fn detail(&mut self) -> Option<&mut Detail> {
        self.fault.as_mut().map(|fault| &mut fault.detail)
    }

    #[cfg(feature = "alloc")]
    pub fn is_eof(&self) -> bool {
        self.kind() == Some(ErrorKind::Eof)
    }

    #[cfg(feature = "alloc")]
    pub fn keep_name(&mut self, name: &str) {
        self.steps.push(Part::Name(name.into()));
    }

    #[cfg(feature = "alloc")]
    pub fn kept_name(&self) -> &str {
        match self.parts().first() {
            Some(Part::Name(name)) => name,
            _ => "",
        }
    }

    #[cfg(feature = "alloc")]
    pub fn innermost_step(&self) -> Option<Step> {
        match self.parts().first()? {
            Part::Step(step) => Some(*step),
            _ => None,
        }
    }

    /// Returns the parts from the innermost outwards.
    #[cfg(feature = "alloc")]
    fn parts(&self) -> &[Part] {
        self.steps.0.as_deref().map_or(&[], Vec::as_slice)
    }

    /// Returns the error; `input` is empty for writers.
    #[cold]
    pub fn error(&self, input: &[u8]) -> Error {
        let Some(KeptFault { kind, at, detail }) = self.fault else {
            return Error::new(ErrorKind::TypeMismatch);
        };
        let error = match at {
            Some(at) => Error::at(kind, at as u64),
            None => Error::new(kind),
        };
        #[cfg(feature = "alloc")]
        {
            let error = error.with_path(self.path(detail, input));
            match self.in_words(detail, input, at.unwrap_or_default()) {
                Some(detail) => error.with_detail(detail),
                None => error,
            }
        }
        #[cfg(not(feature = "alloc"))]
        {
            let _ = (input, detail);
            error
        }
    }

    #[cfg(feature = "alloc")]
    fn path(&self, detail: Detail, input: &[u8]) -> alloc::string::String {
        use core::fmt::Write;
        let mut path = alloc::string::String::from("$");
        // What is missing has the path of its container.
        let missing = usize::from(matches!(detail, Detail::MissingField));
        for step in self.parts().iter().skip(missing).rev() {
            match step {
                Part::Step(Step::Field(name)) => crate::walk::push_key(&mut path, name),
                Part::Step(Step::Index(index)) => {
                    let _ = write!(path, "[{index}]");
                }
                Part::Step(Step::Key(at)) => {
                    let key = input.get(*at..).unwrap_or_default();
                    crate::walk::push_packed_key(&mut path, key);
                }
                Part::Step(Step::Same) | Part::Within(_) | Part::Name(_) => {}
                Part::Key(key) => path.push_str(key),
            }
        }
        path
    }
}

pub(crate) struct ReadState {
    /// The first byte that is not a positive fixint: 80, or 40 while records are on.
    pub limit: u8,
    /// Values that open containers announce after the current one.
    pub reserve: usize,
    pub depth: Depth,
    /// Bytes that may be read a second time, by enums that try one variant after another.
    pub retries: usize,
    /// Whether a bigint that fits into 64 bits is an integer, in values that are kept as they are.
    #[cfg(feature = "alloc")]
    pub bigint: bool,
    /// Whether a field that occurs twice is an error.
    pub checks_keys: bool,
    pub faults: Faults,
    #[cfg(feature = "alloc")]
    pub records: Option<Box<super::record_state::ReadRecords>>,
}

impl ReadState {
    pub fn new(len: usize) -> ReadState {
        ReadState {
            limit: 0x80,
            reserve: 0,
            depth: Depth::new(DEFAULT_MAX_DEPTH),
            retries: len.saturating_mul(32).saturating_add(1 << 12),
            #[cfg(feature = "alloc")]
            bigint: false,
            checks_keys: false,
            faults: Faults::default(),
            #[cfg(feature = "alloc")]
            records: None,
        }
    }
}

#[cfg(feature = "alloc")]
use super::record_state::WriteRecords;

/// Without an allocator there are none.
#[cfg(not(feature = "alloc"))]
pub(crate) enum WriteRecords {}

/// What values without a type of their own in MessagePack are written as. Only they look at it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forms {
    /// Their ext types, rather than text or arrays.
    pub rich: bool,
    /// Integers beyond 64 bits have an ext type.
    pub bigint: bool,
    /// The elements of sets are sorted.
    #[cfg(feature = "alloc")]
    pub canonical: bool,
}

pub(crate) struct WriteState<'r> {
    pub depth: Depth,
    pub forms: Forms,
    pub faults: Faults,
    /// The structures of records, if they are on. They belong to the caller, so that a writer
    /// without them has nothing to drop.
    pub records: Option<&'r mut WriteRecords>,
    /// The type whose record was written last, and its id, if that has one byte: most records are
    /// of the type of the one before.
    #[cfg(feature = "alloc")]
    pub last_record: Option<(&'static super::derived::RecordType, u8)>,
}

impl<'r> WriteState<'r> {
    pub fn new() -> WriteState<'r> {
        WriteState {
            depth: Depth::new(DEFAULT_MAX_DEPTH),
            forms: Forms::default(),
            faults: Faults::default(),
            records: None,
            #[cfg(feature = "alloc")]
            last_record: None,
        }
    }
}
