//! The depth limit: what compares a depth with it, or stops because of it, calls this.

use super::NativeStack;
use crate::error::ErrorKind;

/// Checks that a container at this depth may be open, where 1 is the outermost.
///
/// # Errors
///
/// `depth_limit`.
#[inline(always)]
pub(crate) fn check_depth(depth: u64, limit: u32) -> Result<(), ErrorKind> {
    if depth > limit as u64 {
        return Err(ErrorKind::DepthLimit);
    }
    Ok(())
}

/// The containers that may still be opened, and how far the stack may grow: for code that calls itself for
/// what is in a container.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    left: u32,
    stack: NativeStack,
}

impl Depth {
    pub fn new(limit: u32) -> Depth {
        Depth {
            left: limit,
            stack: NativeStack::UNKNOWN,
        }
    }

    #[inline(always)]
    pub fn left(&self) -> u32 {
        self.left
    }

    #[inline(always)]
    pub fn check(&self) -> Result<(), ErrorKind> {
        check_depth(1, self.left)
    }

    #[inline(always)]
    pub fn enter(&mut self) -> Result<(), ErrorKind> {
        self.check()?;
        self.go_in();
        Ok(())
    }

    /// Goes into a container for which the check was made.
    #[inline(always)]
    pub fn go_in(&mut self) {
        self.left -= 1;
    }

    #[inline(always)]
    pub fn leave(&mut self) {
        self.left += 1;
    }

    /// Goes back to a place with another limit.
    pub fn restore(&mut self, left: u32) {
        self.left = left;
    }

    /// Checks that enough stack is left for a recursive type to continue.
    #[inline(always)]
    pub fn descend(&mut self) -> Result<(), ErrorKind> {
        self.stack.check()
    }
}
