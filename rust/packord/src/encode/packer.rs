//! [`Packer`]: writes value by value, without an allocator.

use crate::error::Result;
use crate::ext::Timestamp;
use crate::value::Integer;
use crate::wire::Buffer;

/// Writes values one by one, each in its smallest format (`spec/format.md` section 4.1).
///
/// A container is its header and then as many values as the header announces. Their number is not
/// checked.
///
/// ```
/// use packord::encode::Packer;
/// let mut packer = Packer::new(Vec::new());
/// packer.map(1)?;
/// packer.str("id")?;
/// packer.int(300)?;
/// assert_eq!(packer.into_buffer(), b"\x81\xa2id\xcd\x01\x2c");
/// # Ok::<(), packord::Error>(())
/// ```
///
/// # Errors
///
/// Every method fails with `buffer_full` where a [`Fixed`](crate::wire::Fixed) buffer ends, and
/// with `out_of_range` for lengths above 2^32 − 1.
#[derive(Debug)]
pub struct Packer<B> {
    buffer: B,
}

#[allow(
    clippy::missing_errors_doc,
    reason = "the errors of all methods are those of the type"
)]
impl<B: Buffer> Packer<B> {
    /// Returns a packer that appends to the buffer.
    pub fn new(buffer: B) -> Packer<B> {
        Packer { buffer }
    }

    /// Returns the buffer.
    pub fn buffer(&self) -> &B {
        &self.buffer
    }

    /// Returns the buffer after the last value.
    pub fn into_buffer(self) -> B {
        self.buffer
    }

    /// Writes nil.
    pub fn nil(&mut self) -> Result<()> {
        self.buffer.put_nil()
    }

    /// Writes a boolean.
    pub fn bool(&mut self, value: bool) -> Result<()> {
        self.buffer.put_bool(value)
    }

    /// Writes an integer.
    pub fn int(&mut self, value: impl Into<Integer>) -> Result<()> {
        value.into().put_into(&mut self.buffer)
    }

    /// Writes a float 32 with all of its bits.
    pub fn f32(&mut self, value: f32) -> Result<()> {
        self.buffer.put_f32(value.to_bits())
    }

    /// Writes a float 64 with all of its bits.
    pub fn f64(&mut self, value: f64) -> Result<()> {
        self.buffer.put_f64(value.to_bits())
    }

    /// Writes a str.
    pub fn str(&mut self, text: &str) -> Result<()> {
        self.buffer.put_str(text.as_bytes())
    }

    /// Writes a bin.
    pub fn bin(&mut self, bytes: &[u8]) -> Result<()> {
        self.buffer.put_bin(bytes)
    }

    /// Writes an ext.
    pub fn ext(&mut self, kind: i8, payload: &[u8]) -> Result<()> {
        self.buffer.put_ext(kind, payload)
    }

    /// Writes a timestamp in the smallest of its formats.
    pub fn timestamp(&mut self, at: Timestamp) -> Result<()> {
        at.put_into(&mut self.buffer)
    }

    /// Writes the header of an array with this number of elements.
    pub fn array(&mut self, count: usize) -> Result<()> {
        self.buffer.put_array(count)
    }

    /// Writes the header of a map with this number of entries.
    pub fn map(&mut self, count: usize) -> Result<()> {
        self.buffer.put_map(count)
    }
}
