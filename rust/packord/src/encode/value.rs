//! Functions that write values, and their options.

use super::tree::{Form, TreeWriter};
use crate::error::Result;
use crate::options::{DEFAULT_MAX_DEPTH, setters};
use crate::record::{DEFAULT_MAX_KEYS, IdSpace, RecordIds};
use crate::value::Tree;
use crate::wire::{Buffer, Fixed};
use alloc::vec::Vec;
use core::fmt;

/// Appends a plain message with columns, or returns `false` if it has to be written without. Here it is known
/// by this type alone, so that a program that does not switch columns on is linked without them.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(feature = "columns"),
    allow(dead_code, reason = "only the room `columns` makes one")
)]
pub(crate) struct WriteColumns(pub fn(&[u8], Option<&mut RecordIds>, &mut Vec<u8>) -> bool);

/// Without the address of a function, which differs from run to run.
impl fmt::Debug for WriteColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WriteColumns")
    }
}

/// Options of writing.
///
/// ```
/// use packord::{EncodeOptions, Value};
/// let value = Value::from([("b", 1), ("a", 2)]);
/// assert_eq!(EncodeOptions::new().encode(&value)?, b"\x82\xa1b\x01\xa1a\x02");
/// assert_eq!(EncodeOptions::new().canonical(true).encode(&value)?, b"\x82\xa1a\x02\xa1b\x01");
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EncodeOptions {
    pub(crate) max_depth: u32,
    pub(crate) form: Form,
    pub(crate) float32: bool,
    pub(crate) bigint: bool,
    pub(crate) rich: bool,
    pub(crate) sort_keys: bool,
    pub(crate) skip_nil: bool,
    pub(crate) records: bool,
    pub(crate) sequential: bool,
    pub(crate) max_shared_structures: Option<u16>,
    pub(crate) max_own_structures: Option<u16>,
    pub(crate) max_record_keys: u32,
    pub(crate) columns: Option<WriteColumns>,
}

impl Default for EncodeOptions {
    fn default() -> EncodeOptions {
        EncodeOptions::new()
    }
}

impl EncodeOptions {
    /// Returns the defaults of the specification.
    #[must_use]
    pub const fn new() -> EncodeOptions {
        EncodeOptions {
            max_depth: DEFAULT_MAX_DEPTH,
            form: Form::Plain,
            float32: false,
            bigint: false,
            rich: false,
            sort_keys: false,
            skip_nil: false,
            records: false,
            sequential: false,
            max_shared_structures: None,
            max_own_structures: None,
            max_record_keys: DEFAULT_MAX_KEYS,
            columns: None,
        }
    }

    setters! { Self:
        /// Maximum depth: open containers, the top-level one included. More is `depth_limit`. The
        /// default is 1024.
        ///
        /// ```
        /// use packord::{EncodeOptions, ErrorKind, Value};
        /// let value = Value::from(vec![Value::from([1])]);
        /// assert!(EncodeOptions::new().max_depth(2).encode(&value).is_ok());
        /// let error = EncodeOptions::new().max_depth(1).encode(&value).unwrap_err();
        /// assert_eq!((error.kind(), error.path()), (ErrorKind::DepthLimit, Some("$[0]")));
        /// ```
        max_depth(limit: u32) max_depth = limit;
        /// Whether equal values are written as equal bytes in every language (`spec/format.md` section
        /// 4.2): keys are sorted, a float that is a whole number of −2^63 to 2^64 − 1 is that integer, all
        /// others are float 64, and there is one NaN. This turns records off. A key that occurs twice in a
        /// map, as 1 and 1.0 do then, is `duplicate_key`.
        ///
        /// ```
        /// use packord::{EncodeOptions, Value};
        /// let floats = Value::from([1.0, -0.0, 0.5]);
        /// let canonical = EncodeOptions::new().canonical(true).encode(&floats)?;
        /// assert_eq!(canonical, b"\x93\x01\x00\xcb\x3f\xe0\0\0\0\0\0\0");
        /// # Ok::<(), packord::Error>(())
        /// ```
        canonical(on: bool) form = if on { Form::Canonical } else { Form::Plain };
        /// Whether a float 64 is written as a float 32 if nothing is lost.
        ///
        /// ```
        /// use packord::{EncodeOptions, Value};
        /// let floats = Value::from([0.5, 0.1]);
        /// assert_eq!(packord::to_vec(&floats)?.len(), 1 + 9 + 9);
        /// assert_eq!(EncodeOptions::new().float32(true).encode(&floats)?.len(), 1 + 5 + 9);
        /// # Ok::<(), packord::Error>(())
        /// ```
        float32(on: bool) float32 = on;
        /// Whether ext type 0x42 is an integer: an `i128` or `u128` beyond 64 bits is written as one, and is
        /// `out_of_range` without this option. The canonical form then writes an ext of this type as an
        /// integer if one can hold it, otherwise as the shortest ext.
        ///
        /// ```
        /// use packord::{EncodeOptions, ErrorKind, Ext, Value};
        /// let options = EncodeOptions::new().bigint(true);
        /// assert_eq!(options.pack(&(1_i128 << 64))?, b"\xc7\x09\x42\x01\0\0\0\0\0\0\0\0");
        /// let error = EncodeOptions::new().pack(&(1_i128 << 64)).unwrap_err();
        /// assert_eq!(error.kind(), ErrorKind::OutOfRange);
        /// let value = Value::from(Ext::new(0x42, b"\x00\x07"));
        /// assert_eq!(options.canonical(true).encode(&value)?, b"\x07");
        /// # Ok::<(), packord::Error>(())
        /// ```
        bigint(on: bool) bigint = on;
        /// Whether typed values keep their types: a `char`, a `Uuid`, a date, a time of day, a duration and
        /// a set are exts of packord (`spec/defaults.md` section 3.1) rather than text and arrays. `bigint` is on
        /// then. They are read back from both forms, with and without this option.
        ///
        /// ```
        /// use packord::{EncodeOptions, Packable, Unpackable};
        /// use std::collections::BTreeSet;
        /// let set = BTreeSet::from([1, 2]);
        /// assert_eq!(set.pack_to_vec(), b"\x92\x01\x02");
        /// let bytes = EncodeOptions::new().rich(true).pack(&set)?;
        /// assert_eq!(bytes, b"\xc7\x03\x56\x92\x01\x02");
        /// assert_eq!(BTreeSet::unpack(&bytes)?, set);
        /// # Ok::<(), packord::Error>(())
        /// ```
        rich(on: bool) rich = on;
        /// Whether the entries of maps are written in the order of their keys (`spec/format.md` section
        /// 4.2), and nothing else of the canonical form. Of a key that occurs twice the last entry is
        /// written.
        ///
        /// ```
        /// use packord::{EncodeOptions, Value};
        /// let value = Value::from([("b", 1.0), ("a", 2.0)]);
        /// let sorted = EncodeOptions::new().sort_keys(true).encode(&value)?;
        /// assert_eq!(sorted, packord::to_vec(&Value::from([("a", 2.0), ("b", 1.0)]))?);
        /// # Ok::<(), packord::Error>(())
        /// ```
        sort_keys(on: bool) sort_keys = on;
        /// Whether entries of maps whose value is nil are left out.
        ///
        /// ```
        /// use packord::{EncodeOptions, Value};
        /// let value = Value::from([("a", None), ("b", Some(1))]);
        /// assert_eq!(EncodeOptions::new().skip_nil(true).encode(&value)?, b"\x81\xa1b\x01");
        /// # Ok::<(), packord::Error>(())
        /// ```
        skip_nil(on: bool) skip_nil = on;
        /// Whether maps are written as records (`spec/records.md`), with structures defined in the
        /// message itself. [`RecordEncoder`](crate::RecordEncoder) uses structures that outlast a
        /// message. An ext of type 0x72 is then `unsupported_type`: it would be read as a definition.
        ///
        /// ```
        /// use packord::{EncodeOptions, ErrorKind, Ext, Value};
        /// let value = Value::from(vec![Value::from(Ext::new(0x72, b"\x40"))]);
        /// let error = EncodeOptions::new().records(true).encode(&value).unwrap_err();
        /// assert_eq!((error.kind(), error.path()), (ErrorKind::UnsupportedType, Some("$[0]")));
        /// ```
        records(on: bool) records = on;
        /// Whether record definitions of a [`RecordEncoder`](crate::RecordEncoder) last for the
        /// stream rather than for one message.
        ///
        /// ```
        /// use packord::{EncodeOptions, RecordEncoder, Value};
        /// let mut encoder = RecordEncoder::new(EncodeOptions::new().sequential(true));
        /// let value = Value::from([("a", 1)]);
        /// assert_eq!(encoder.encode(&value)?, b"\xd4\x72\x40\x91\xa1a\x01");
        /// assert_eq!(encoder.encode(&value)?, b"\x40\x01");
        /// # Ok::<(), packord::Error>(())
        /// ```
        sequential(on: bool) sequential = on;
        /// Maximum number of structures in the shared list, at most 8160. The default is 32 with a
        /// shared list, otherwise 0. Without a list these indexes stay unused.
        max_shared_structures(limit: u16) max_shared_structures = Some(limit);
        /// Maximum number of own structures of a message or sequential stream; with the shared ones at
        /// most 8192. The default is 32 with a shared list, otherwise 64.
        max_own_structures(limit: u16) max_own_structures = Some(limit);
        /// Maximum number of keys of a structure; a map with more is written as a plain map. The
        /// default is 1024.
        max_record_keys(limit: u32) max_record_keys = limit;
    }

    /// Returns whether integers beyond 64 bits have an ext type.
    pub(crate) const fn has_bigint(&self) -> bool {
        self.bigint || self.rich
    }

    /// The canonical form has no columns.
    pub(crate) fn has_columns(&self) -> bool {
        cfg!(feature = "columns") && self.columns.is_some() && self.form == Form::Plain
    }

    pub(crate) const fn without_columns(mut self) -> Self {
        self.columns = None;
        self
    }

    /// Appends a message with columns. `plain` is its plain encoding. Returns `false` if it has to be
    /// written without.
    pub(crate) fn put_columns<W: Buffer>(
        &self,
        plain: &[u8],
        records: Option<&mut RecordIds>,
        out: &mut W,
    ) -> Result<bool> {
        let mut bytes = Vec::new();
        let is_written = self
            .columns
            .is_some_and(|WriteColumns(write)| write(plain, records, &mut bytes));
        if is_written {
            out.put_with([], &bytes)?;
        }
        Ok(is_written)
    }

    /// Returns the ids for an encoder with or without a list of shared structures.
    pub(crate) fn id_space(&self, shares: bool) -> IdSpace {
        let (shared_default, own_default) = if shares { (32, 32) } else { (0, 64) };
        IdSpace::new(
            self.max_shared_structures.unwrap_or(shared_default),
            self.max_own_structures.unwrap_or(own_default),
            self.max_record_keys,
            self.sequential,
        )
    }

    pub(crate) fn own_ids(&self) -> RecordIds {
        RecordIds::new(self.id_space(false), None)
    }

    /// Returns whether a tree is needed for anything but records.
    pub(crate) fn rewrites(&self) -> bool {
        self.float32 || self.chooses_entries()
    }

    /// Returns whether maps are written otherwise than entry by entry.
    pub(crate) fn chooses_entries(&self) -> bool {
        self.form != Form::Plain || self.sort_keys || self.skip_nil
    }

    /// Writes a value.
    ///
    /// # Errors
    ///
    /// `depth_limit`, `out_of_range` for lengths above 2^32 − 1, and `duplicate_key` in the
    /// canonical form; with the path of the value.
    pub fn encode<S: AsRef<str>, B: AsRef<[u8]>>(&self, value: &Tree<S, B>) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.encode_into(value, &mut out)?;
        Ok(out)
    }

    /// Appends a value to the vector. After an error the vector is unchanged.
    ///
    /// # Errors
    ///
    /// As for [`encode`](EncodeOptions::encode).
    pub fn encode_into<S, B>(&self, value: &Tree<S, B>, out: &mut Vec<u8>) -> Result<()>
    where
        S: AsRef<str>,
        B: AsRef<[u8]>,
    {
        self.write(value, out)
    }

    /// Writes a value into the slice, and returns its length in bytes.
    ///
    /// ```
    /// use packord::{EncodeOptions, ErrorKind, Value};
    /// let mut space = [0; 4];
    /// let options = EncodeOptions::new();
    /// assert_eq!(options.encode_to_slice(&Value::from("abc"), &mut space)?, 4);
    /// let error = options.encode_to_slice(&Value::from("abcd"), &mut space).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::BufferFull);
    /// # Ok::<(), packord::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`encode`](EncodeOptions::encode), and `buffer_full`.
    pub fn encode_to_slice<S, B>(&self, value: &Tree<S, B>, space: &mut [u8]) -> Result<usize>
    where
        S: AsRef<str>,
        B: AsRef<[u8]>,
    {
        let mut fixed = Fixed::new(space);
        self.write(value, &mut fixed)?;
        Ok(fixed.written().len())
    }

    pub(crate) fn write<S, B, W>(&self, value: &Tree<S, B>, out: &mut W) -> Result<()>
    where
        S: AsRef<str>,
        B: AsRef<[u8]>,
        W: Buffer,
    {
        if self.has_columns() {
            let options = self.without_columns();
            let mut plain = Vec::new();
            options.records(false).write(value, &mut plain)?;
            let mut records = self.records.then(|| self.own_ids());
            if self.put_columns(&plain, records.as_mut(), out)? {
                return Ok(());
            }
            return options.write(value, out);
        }
        if self.records && self.form == Form::Plain {
            let mut records = self.own_ids();
            return write_with(self, value, out, Some(&mut records));
        }
        if !self.rewrites() {
            let begin = out.output().len();
            if super::quick::write(value, self.max_depth, out).is_some() {
                return Ok(());
            }
            out.truncate(begin);
        }
        write_with(self, value, out, None)
    }
}

/// Writes a value. After an error the output is unchanged.
pub(crate) fn write_with<S, B, W>(
    options: &EncodeOptions,
    value: &Tree<S, B>,
    out: &mut W,
    records: Option<&mut RecordIds>,
) -> Result<()>
where
    S: AsRef<str>,
    B: AsRef<[u8]>,
    W: Buffer,
{
    let begin = out.output().len();
    let outcome = TreeWriter::new(options, out, records).write(value);
    if outcome.is_err() {
        out.truncate(begin);
    }
    outcome
}

/// Returns bytes that are equal exactly if the values are equal.
pub(crate) fn normal_form<S, B>(value: &Tree<S, B>) -> Vec<u8>
where
    S: AsRef<str>,
    B: AsRef<[u8]>,
{
    let options = EncodeOptions {
        form: Form::Normal { one_nan: false },
        ..EncodeOptions::new()
    };
    let mut out = Vec::new();
    let _ = write_with(&options.max_depth(u32::MAX), value, &mut out, None);
    out
}
