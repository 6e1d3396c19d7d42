//! Reading bytes into a [`Value`] or a [`ValueRef`].

mod records;

use crate::error::Result;
use crate::options::{DecodeOptions, Trailing};
use crate::read::ValueDecoder;
use crate::read::check_trailing;
use crate::read::tree::{self, Keep};
use crate::value::{Tree, Value, ValueRef};
use alloc::boxed::Box;

pub use records::RecordDecoder;

impl DecodeOptions {
    /// Reads one message into a value that owns its strings.
    ///
    /// # Errors
    ///
    /// The first fault in the bytes, with its offset and path; `trailing_bytes` if anything
    /// follows the message and [`trailing`](DecodeOptions::trailing) is not allowed.
    pub fn decode(&self, bytes: &[u8]) -> Result<Value> {
        self.read_whole::<Box<str>>(bytes)
    }

    /// Reads one message into a value that borrows its strings and bytes from the input.
    ///
    /// # Errors
    ///
    /// As for [`decode`](DecodeOptions::decode).
    pub fn decode_ref<'a>(&self, bytes: &'a [u8]) -> Result<ValueRef<'a>> {
        self.read_whole::<&'a str>(bytes)
    }

    /// Reads the message at the start of the bytes, and returns its length as well. The bytes after
    /// it are ignored.
    ///
    /// ```
    /// use packord::DecodeOptions;
    /// let (value, consumed) = DecodeOptions::new().decode_prefix(b"\x91\x05\xc0")?;
    /// assert_eq!((value[0].as_i64(), consumed), (Some(5), 2));
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first fault in the message.
    pub fn decode_prefix(&self, bytes: &[u8]) -> Result<(Value, usize)> {
        self.read_prefix::<Box<str>>(bytes)
    }

    /// Reads a borrowed value as [`decode_prefix`](DecodeOptions::decode_prefix) reads an owned
    /// one.
    ///
    /// # Errors
    ///
    /// The first fault in the message.
    pub fn decode_ref_prefix<'a>(&self, bytes: &'a [u8]) -> Result<(ValueRef<'a>, usize)> {
        self.read_prefix::<&'a str>(bytes)
    }

    #[inline(always)]
    fn read_whole<'a, S: Keep<'a>>(&self, bytes: &'a [u8]) -> Result<Tree<S, S::Bytes>> {
        let (value, end) = self.read_prefix::<S>(bytes)?;
        check_trailing(bytes, end, self.trailing == Trailing::Allow)?;
        Ok(value)
    }

    #[inline(always)]
    fn read_prefix<'a, S: Keep<'a>>(&self, bytes: &'a [u8]) -> Result<(Tree<S, S::Bytes>, usize)> {
        if !self.rules.checked() {
            let quick = tree::leaf::<S>(bytes, &self.rules);
            if let Some((value, rest)) = quick.or_else(|| tree::quick::<S>(bytes, &self.rules)) {
                return Ok((value, bytes.len() - rest.len()));
            }
        }
        self.read_checked::<S>(bytes)
    }

    #[cold]
    #[inline(never)]
    fn read_checked<'a, S: Keep<'a>>(&self, bytes: &'a [u8]) -> Result<(Tree<S, S::Bytes>, usize)> {
        let rules = self.rules();
        let mut decoder = ValueDecoder::new(self.record_state());
        match tree::tree::<S>(&mut decoder, bytes, &rules) {
            Ok(value) => Ok((value, decoder.pos)),
            Err(fault) => Err(self.located(fault.into(), bytes)),
        }
    }
}
