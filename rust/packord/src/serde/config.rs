//! [`Config`]: the options of reading and writing serde types.

use super::by_option::{BY_OPTION, ByOption};
use crate::EncodeOptions;
use crate::options::{DecodeOptions, SerdeForm, setters};
use core::borrow::Borrow;

/// How sequences of `u8` are written, which serde cannot tell from other sequences by their type.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bytes {
    /// Bytes are a bin only if the type says so: `serde_bytes`, [`bin`](super::bin). A `Vec<u8>` is
    /// an array of integers.
    #[default]
    Typed,
    /// Every sequence is a bin if it has elements and all of them are `u8`.
    Detected,
    /// `Vec<u8>`, `[u8]` and other collections of `u8` are bins by their type, also if they are
    /// empty; tuples and `[u8; N]`, which serde cannot tell apart, are arrays. A collection of
    /// another type is an array, whatever its elements are. rmp-serde calls this `ForceIterables`,
    /// and writes empty ones as arrays.
    ByType,
}

/// Options of reading and writing serde types.
///
/// ```
/// use packord::serde::Config;
/// # use serde::{Deserialize, Serialize};
/// #[derive(Serialize, Deserialize)]
/// struct Point { x: i32, y: i32 }
///
/// let config = Config::new().structs_as_arrays(true);
/// let bytes = config.to_vec(&Point { x: 1, y: 2 })?;
/// assert_eq!(bytes, b"\x92\x01\x02");
/// let point: Point = config.from_slice(&bytes)?;
/// assert_eq!(point.y, 2);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    pub(super) structs_as_arrays: bool,
    pub(super) bytes: Bytes,
    pub(super) human_readable: bool,
    pub(super) wide_as_bin: bool,
    pub(super) deny_surplus: bool,
    pub(crate) encode: EncodeOptions,
    pub(super) decode: DecodeOptions,
    /// Present if an option needs it.
    pub(super) by_option: Option<&'static ByOption>,
}

/// Shows these fields of a type alone.
#[cfg(any(feature = "futures", feature = "tokio"))]
macro_rules! debug_fields {
    ([$($param:ident),*] $type:ident: $($field:ident)+) => {
        impl<$($param),*> core::fmt::Debug for $type<$($param),*> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut shown = f.debug_struct(stringify!($type));
                $(shown.field(stringify!($field), &self.$field);)+
                shown.finish_non_exhaustive()
            }
        }
    };
}
#[cfg(any(feature = "futures", feature = "tokio"))]
pub(crate) use debug_fields;

/// The configuration of the free functions. A constant, so that the compiler knows the options.
pub(super) const DEFAULT: &Config = &Config::new();

impl Default for Config {
    fn default() -> Config {
        Config::new()
    }
}

impl Config {
    /// Returns the defaults: structs are maps, bytes are what their types say, and the other options
    /// are those of the specification.
    #[must_use]
    pub const fn new() -> Config {
        Config {
            structs_as_arrays: false,
            bytes: Bytes::Typed,
            human_readable: false,
            wide_as_bin: false,
            deny_surplus: false,
            encode: EncodeOptions::new(),
            decode: DecodeOptions::new(),
            by_option: None,
        }
    }

    setters! { Config:
        /// Whether structs are written as arrays of the values of their fields, without names. Both forms
        /// can always be read. A struct of which `skip_serializing_if` leaves a field out is then a map from
        /// the positions of the other fields, as no element could stand for the one that is missing.
        structs_as_arrays(on: bool) structs_as_arrays = on;
        /// How sequences of `u8` are written. Both forms can always be read.
        ///
        /// ```
        /// use packord::serde::{Bytes, Config};
        /// let config = Config::new().bytes(Bytes::Detected);
        /// assert_eq!(config.to_vec(&[1_u8, 2, 255])?, b"\xc4\x03\x01\x02\xff");
        /// let config = Config::new().bytes(Bytes::ByType);
        /// assert_eq!(config.to_vec(&(vec![255_u8], Vec::<u8>::new()))?, b"\x92\xc4\x01\xff\xc4\x00");
        /// # Ok::<(), packord::Error>(())
        /// ```
        bytes(bytes: Bytes) bytes = bytes;
        /// Whether types are written in their human-readable form: a UUID or an IP address is then a
        /// str. Off by default. A str is read as text in any case; of other forms, reader and writer must use
        /// the same.
        ///
        /// ```
        /// use packord::serde::Config;
        /// use std::net::Ipv4Addr;
        /// let address = Ipv4Addr::LOCALHOST;
        /// assert_eq!(Config::new().to_vec(&address)?, b"\x94\x7f\0\0\x01");
        /// assert_eq!(Config::new().human_readable(true).to_vec(&address)?, b"\xa9127.0.0.1");
        /// # Ok::<(), packord::Error>(())
        /// ```
        human_readable(on: bool) human_readable = on;
    }

    /// Whether an `i128` or `u128` beyond 64 bits is written, as a bigint (ext type 0x42), and such an ext is
    /// a number where a type takes any value. Off by default: writing one is `out_of_range`. Types of
    /// 128 bits are always read from both forms.
    ///
    /// ```
    /// use packord::serde::Config;
    /// let large = 1_u128 << 64;
    /// assert_eq!(Config::new().to_vec(&large).unwrap_err().kind().name(), "out_of_range");
    /// let bytes = Config::new().bigint(true).to_vec(&large)?;
    /// assert_eq!(bytes, b"\xc7\x09\x42\x01\0\0\0\0\0\0\0\0");
    /// assert_eq!(packord::from_slice::<u128>(&bytes)?, large);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn bigint(mut self, on: bool) -> Config {
        self.encode = self.encode.bigint(on);
        self.decode = self.decode.bigint(on);
        self.by_option = Some(&BY_OPTION);
        self
    }

    setters! { Config:
        /// Whether `i128` and `u128` are written as rmp-serde writes them: as a bin of 16 bytes, whatever
        /// the value is. Off by default: an integer. Both forms can always be read.
        ///
        /// ```
        /// use packord::serde::Config;
        /// let bytes = Config::new().wide_as_bin(true).to_vec(&1_u128)?;
        /// assert_eq!(bytes[..2], *b"\xc4\x10");
        /// assert_eq!(Config::new().from_slice::<u128>(&bytes)?, 1);
        /// # Ok::<(), packord::Error>(())
        /// ```
        wide_as_bin(on: bool) wide_as_bin = on;
        /// Whether an array with more elements than its struct has fields is an error, as in rmp-serde.
        ///
        /// Off by default: surplus elements are skipped, as unknown keys of a map are, so that programs
        /// of an older version read structs to which fields were added at the end. A struct cannot say
        /// so itself, as serde tells `deny_unknown_fields` only to readers of maps. Surplus elements of
        /// tuples and of other types are always an error.
        ///
        /// ```
        /// use packord::serde::{Config, from_slice};
        /// # use serde::Deserialize;
        /// #[derive(Deserialize, Debug)]
        /// struct Point { x: i32, y: i32 }
        ///
        /// let newer = b"\x93\x01\x02\x03";
        /// let point: Point = from_slice(newer)?;
        /// assert_eq!((point.x, point.y), (1, 2));
        /// let error = Config::new().deny_surplus(true).from_slice::<Point>(newer).unwrap_err();
        /// assert_eq!(error.kind().name(), "type_mismatch");
        /// assert!(from_slice::<(i32, i32)>(newer).is_err());
        /// # Ok::<(), packord::Error>(())
        /// ```
        deny_surplus(on: bool) deny_surplus = on;
    }

    /// Maximum depth, in writing and reading: the number of containers that are open at once, the
    /// top-level one included. More is `depth_limit`, and so is a value whose types need more stack
    /// than is left ([the module](super) says how much that is), whatever the maximum is. The default
    /// is 1024.
    ///
    /// ```
    /// use packord::serde::Config;
    /// let config = Config::new().max_depth(2);
    /// assert!(config.to_vec(&[[1]]).is_ok());
    /// assert_eq!(config.to_vec(&[[[1]]]).unwrap_err().kind().name(), "depth_limit");
    /// ```
    #[must_use]
    pub fn max_depth(mut self, limit: u32) -> Config {
        self.encode = self.encode.max_depth(limit);
        self.decode = self.decode.max_depth(limit);
        self
    }

    /// Whether the canonical encoding is written: sorted keys, one form of each number
    /// (`spec/format.md` section 4.2). To require it when reading, use
    /// [`decode_options`](Config::decode_options).
    ///
    /// ```
    /// use packord::serde::Config;
    /// use std::collections::HashMap;
    /// let map = HashMap::from([("b", 1), ("a", 2), ("c", 3)]);
    /// assert_eq!(Config::new().canonical(true).to_vec(&map)?, b"\x83\xa1a\x02\xa1b\x01\xa1c\x03");
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn canonical(mut self, on: bool) -> Config {
        self.encode = self.encode.canonical(on);
        self.by_option = Some(&BY_OPTION);
        self
    }

    /// Whether structs and maps with str keys are written as records, and records are read
    /// (`spec/records.md`).
    ///
    /// ```
    /// use packord::serde::Config;
    /// # use serde::{Deserialize, Serialize};
    /// #[derive(Serialize, Deserialize, PartialEq, Debug)]
    /// struct Point { x: i32, y: i32 }
    ///
    /// let config = Config::new().records(true);
    /// let points = [Point { x: 1, y: 2 }, Point { x: 3, y: 4 }];
    /// let bytes = config.to_vec(&points)?;
    /// assert_eq!(bytes, b"\x92\xd4\x72\x40\x92\xa1x\xa1y\x01\x02\x40\x03\x04");
    /// assert_eq!(config.from_slice::<Vec<Point>>(&bytes)?, points);
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn records(mut self, on: bool) -> Config {
        self.encode = self.encode.records(on);
        let decode = self.decode.clone().records(on);
        self.decode_options(decode)
    }

    /// Sets all options of writing.
    ///
    /// ```
    /// use packord::EncodeOptions;
    /// use packord::serde::Config;
    /// let config = Config::new().encode_options(EncodeOptions::new().float32(true));
    /// assert_eq!(config.to_vec(&0.5)?, b"\xca\x3f\0\0\0");
    /// # Ok::<(), packord::Error>(())
    /// ```
    #[must_use]
    pub fn encode_options(mut self, options: impl Borrow<EncodeOptions>) -> Config {
        self.encode = *options.borrow();
        self.by_option = Some(&BY_OPTION);
        self
    }

    /// Sets all options of reading: limits, strictness, records with their shared structures.
    ///
    /// ```
    /// use packord::serde::Config;
    /// use packord::{DecodeOptions, ErrorKind};
    /// let config = Config::new().decode_options(DecodeOptions::new().max_len(2));
    /// let error = config.from_slice::<Vec<u8>>(b"\x93\x01\x02\x03").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::LengthLimit);
    /// ```
    #[must_use]
    pub fn decode_options(mut self, options: impl Borrow<DecodeOptions>) -> Config {
        self.decode = options.borrow().clone();
        self.decode.rules = self.decode.rules();
        self.by_option = Some(&BY_OPTION);
        self
    }

    pub(super) const fn form(&self) -> SerdeForm {
        SerdeForm {
            human_readable: self.human_readable,
            deny_surplus: self.deny_surplus,
        }
    }

    /// Returns the options of reading.
    #[must_use]
    pub const fn decoding(&self) -> &DecodeOptions {
        &self.decode
    }
}
