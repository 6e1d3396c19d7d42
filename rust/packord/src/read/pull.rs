//! Goes from value to value and knows which containers are open. The walker, the validator and the
//! stream decoder use it with different sinks.

use super::container::Container;
#[cfg(feature = "serde")]
use super::container::OpenContainer;
use super::decoder::ValueDecoder;
use super::fault::Fault;
use super::frames::Frames;
use super::rules::Rules;
use super::sink::{Nothing, ValueSink};
use crate::error::ErrorKind;
use core::borrow::BorrowMut;

/// The place of a value in its container.
///
/// ```
/// use packord::{Role, Walker};
/// let mut walker = Walker::new(b"\x81\xa1a\x01");
/// let mut roles = Vec::new();
/// for _ in 0..3 {
///     roles.extend(walker.next()?.map(|event| event.role));
/// }
/// assert_eq!(roles, [Role::Top, Role::Key, Role::Value]);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The top-level value of a message.
    Top,
    /// An element of an array.
    Element,
    /// A key of a map.
    Key,
    /// The value of a map's key.
    Value,
    /// The value of a record's field.
    Field,
}

/// A walk with a decoder of its own, or with a borrowed one.
#[derive(Debug)]
pub(crate) struct Pull<D = ValueDecoder> {
    pub decoder: D,
    pub(super) stack: Frames,
    /// Whether a message has begun and not ended.
    pub open: bool,
    pub(super) checked: bool,
}

pub(crate) enum PullStep<T> {
    Value(T, Role),
    End(Container, Role),
}

impl Pull {
    pub fn new(decoder: ValueDecoder, rules: &Rules) -> Pull {
        Pull {
            decoder,
            stack: Frames::new(),
            open: false,
            checked: rules.checked(),
        }
    }

    pub fn begin(&mut self, marker_offset: usize) {
        self.decoder.begin(marker_offset);
        self.stack.clear();
        self.open = true;
    }
}

#[cfg(feature = "serde")]
impl<'d> Pull<&'d mut ValueDecoder> {
    /// Returns a walk through the decoder's next value, regardless of the containers around it.
    pub fn within(decoder: &'d mut ValueDecoder, rules: &Rules) -> Self {
        decoder.opened = OpenContainer::default();
        Pull {
            decoder,
            stack: Frames::new(),
            open: true,
            checked: rules.checked(),
        }
    }
}

impl<D: BorrowMut<ValueDecoder>> Pull<D> {
    #[inline(always)]
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Takes the next step; returns `None` after the end of the message. After `eof` it can be
    /// called again.
    #[inline(always)]
    pub fn step<'a, S: ValueSink<'a>>(
        &mut self,
        input: &'a [u8],
        rules: &Rules,
        sink: &mut S,
    ) -> Result<Option<PullStep<S::Out>>, Fault> {
        if self.checked {
            self.step_with::<true, S>(input, rules, sink)
        } else {
            self.step_with::<false, S>(input, rules, sink)
        }
    }

    /// Takes the next step with all checks, or with those of the default options.
    #[inline(always)]
    pub fn step_with<'a, const CHECKED: bool, S: ValueSink<'a>>(
        &mut self,
        input: &'a [u8],
        rules: &Rules,
        sink: &mut S,
    ) -> Result<Option<PullStep<S::Out>>, Fault> {
        if !self.open {
            return Ok(None);
        }
        if self.stack.len() > 0 && self.stack.top.left() == 0 {
            let kind = self.stack.top.kind();
            self.stack.pop();
            self.decoder.borrow_mut().leave::<CHECKED>(rules);
            let role = self.role();
            self.complete::<CHECKED>(input, rules)?;
            return Ok(Some(PullStep::End(kind, role)));
        }
        let role = self.role();
        if role == Role::Key {
            self.decoder.borrow_mut().key_begins::<CHECKED>(rules);
        }
        let out = self.decoder.borrow_mut().value::<CHECKED, S>(input, rules, sink)?;
        let opened = core::mem::take(&mut self.decoder.borrow_mut().opened);
        if opened.is_some() {
            self.stack.push(opened);
        } else {
            self.complete::<CHECKED>(input, rules)?;
        }
        Ok(Some(PullStep::Value(out, role)))
    }

    #[inline(always)]
    fn role(&self) -> Role {
        if self.stack.len() == 0 {
            return Role::Top;
        }
        match self.stack.top.kind() {
            Container::Array => Role::Element,
            Container::Map if self.stack.top.at_key() => Role::Key,
            Container::Map => Role::Value,
            Container::Record => Role::Field,
        }
    }

    #[inline(always)]
    fn complete<const CHECKED: bool>(&mut self, input: &[u8], rules: &Rules) -> Result<(), Fault> {
        if self.stack.len() == 0 {
            self.open = false;
            return Ok(());
        }
        self.stack.top.take_one();
        if CHECKED && self.stack.top.after_key() {
            self.decoder.borrow_mut().key_ends::<CHECKED>(input, rules)?;
        }
        Ok(())
    }

    /// Returns whether the innermost container, or the message, has no more values.
    pub fn at_end(&self) -> bool {
        !self.open || (self.stack.len() > 0 && self.stack.top.left() == 0)
    }

    /// Returns how many values the innermost container, or the message, has left.
    pub fn left(&self) -> u64 {
        match self.stack.len() {
            0 => u64::from(self.open),
            _ => self.stack.top.left(),
        }
    }

    /// Reads on until `depth` containers are open and the innermost has `left` values left.
    pub fn skip(&mut self, input: &[u8], rules: &Rules, depth: usize, left: u64) -> Result<(), Fault> {
        while self.depth() > depth || self.left() > left {
            self.skip_plain(input, rules, depth, left);
            if (self.depth() > depth || self.left() > left) && !self.step_over(input, rules)? {
                break;
            }
        }
        Ok(())
    }

    /// Takes one step without a result; returns `false` after the end of the message. It is not
    /// inlined, so that its callers stay small: there `skip_plain` does most of the work.
    #[inline(never)]
    fn step_over(&mut self, input: &[u8], rules: &Rules) -> Result<bool, Fault> {
        Ok(self.step(input, rules, &mut Nothing)?.is_some())
    }

    #[inline(never)]
    fn finish_checked(&mut self, input: &[u8], rules: &Rules) -> Result<(), Fault> {
        while self.step_with::<true, _>(input, rules, &mut Nothing)?.is_some() {}
        Ok(())
    }

    /// Counts a value that is not a container and ends at `end`, with the default options only.
    #[cfg(feature = "std")]
    pub fn take(&mut self, end: usize) {
        self.decoder.borrow_mut().pos = end;
        self.decoder.borrow_mut().pending -= 1;
        if self.stack.len() == 0 {
            self.open = false;
        } else {
            self.stack.top.take_one();
        }
    }

    /// Reads on to the end of the message.
    pub fn finish(&mut self, input: &[u8], rules: &Rules) -> Result<(), Fault> {
        if self.checked {
            return self.finish_checked(input, rules);
        }
        self.finish_plain(input, rules)
    }

    /// Reads on to the end of the message, with the default options but for the depth.
    #[inline(never)]
    pub fn finish_plain(&mut self, input: &[u8], rules: &Rules) -> Result<(), Fault> {
        while self.open {
            // On a device the step alone is enough: the fast loop is 2.5 kB.
            #[cfg(feature = "std")]
            self.skip_plain(input, rules, 0, 0);
            self.step_with::<false, _>(input, rules, &mut Nothing)?;
        }
        Ok(())
    }
}

/// Checks the bytes after a message in a call that reads one message.
pub(crate) fn check_trailing(input: &[u8], end: usize, allowed: bool) -> Result<(), Fault> {
    if end < input.len() && !allowed {
        return Err(Fault::new(ErrorKind::TrailingBytes, end));
    }
    Ok(())
}
