//! Integers, floats, binary data, enums, UUIDs, ext values.

use pyo3::ffi;

use super::{Done, Encoder};
use crate::cpython::instance::slot;
use crate::cpython::object::{Buffer, Obj, Owned, bytes_of, magnitude};
use crate::cpython::state::{self, SUPPORT};
use crate::errors::{Failure, Kind, Raised};
use crate::options;
use crate::values::moment;
use crate::values::{Ext, Fragment, Timestamp};
use crate::wire::float::{CANONICAL_NAN, is_integer};
use crate::wire::marker::*;

/// How often an object may be packed as another one that has no encoding of its own, without a container between.
const MAX_CONVERSIONS: usize = 16;

/// Floats are not always written with 64 bits.
pub(super) const UNUSUAL_FLOATS: u64 = options::CANONICAL | options::FLOAT32 | options::SINGLE;

impl Encoder<'_> {
    #[inline(always)]
    pub(super) unsafe fn small_integer(&mut self, number: i64) -> Done {
        self.reserve(9)?;
        if (number as u64) < 64 {
            self.out.byte(number as u8);
        } else if number < 128 && number > 0 && self.records.is_some() {
            self.out.marked(UINT8, [number as u8]);
        } else {
            self.out.signed(number);
        }
        Ok(())
    }

    /// An integer of up to 64 bits, for which no code of Python runs; `false` for all others.
    #[inline(never)]
    pub(super) unsafe fn integer(&mut self, long: Obj) -> Result<bool, Raised> {
        match magnitude(long) {
            Some((false, number)) if number >> 63 != 0 => {
                self.reserve(9)?;
                self.out.unsigned(number);
            }
            Some((true, number)) if number <= 1 << 63 => self.small_integer((number as i64).wrapping_neg())?,
            Some((false, number)) => self.small_integer(number as i64)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(super) unsafe fn long(&mut self, long: Obj) -> Done {
        if self.integer(long)? {
            return Ok(());
        }
        if self.has(options::BIGINT | options::RICH) {
            let Some(bytes) = Owned::take(SUPPORT.call(c"signed", &[long])) else {
                return Err(self.python(Kind::OutOfRange, "the integer has no bytes"));
            };
            return self.raw_ext(BIGINT, bytes_of(bytes.get()));
        }
        if self.has(options::PASSTHROUGH_BIG_INT) {
            return self.by_default(long);
        }
        let detail = "an integer beyond 64 bits; bigint=True packs it";
        Err(self.worded_fault(Kind::OutOfRange, detail, "Integer exceeds 64-bit range"))
    }

    #[inline(always)]
    pub(super) unsafe fn float(&mut self, number: f64) -> Done {
        self.reserve(9)?;
        if self.has(UNUSUAL_FLOATS) {
            let is_above = number.is_finite() && (number as f32).is_infinite();
            if is_above && self.has(options::SINGLE) {
                let text = c"float too large to pack with f format";
                ffi::PyErr_SetString(ffi::PyExc_OverflowError, text.as_ptr());
                return Err(self.python(Kind::OutOfRange, ""));
            }
            self.unusual_float(number);
        } else {
            self.out.marked(FLOAT64, number.to_bits().to_be_bytes());
        }
        Ok(())
    }

    unsafe fn unusual_float(&mut self, number: f64) {
        if self.has(options::CANONICAL) {
            if is_integer(number) && !self.has(options::KEEP_FLOATS) {
                if number < 0.0 {
                    self.out.signed(number as i64);
                } else {
                    self.out.unsigned(number as u64);
                }
                return;
            }
            let bits = if number.is_nan() {
                CANONICAL_NAN
            } else {
                number.to_bits()
            };
            return self.out.marked(FLOAT64, bits.to_be_bytes());
        }
        if self.has(options::SINGLE) {
            return (self.out).marked(FLOAT32, (number as f32).to_bits().to_be_bytes());
        }
        match narrow(number.to_bits()) {
            Some(bits) => self.out.marked(FLOAT32, bits.to_be_bytes()),
            None => self.out.marked(FLOAT64, number.to_bits().to_be_bytes()),
        }
    }

    /// A float 32 of a type that has 32 bits.
    pub(super) unsafe fn single(&mut self, number: f32) -> Done {
        if self.has(options::CANONICAL) {
            return self.float(f64::from(number));
        }
        self.reserve(5)?;
        self.out.marked(FLOAT32, number.to_bits().to_be_bytes());
        Ok(())
    }

    pub(super) unsafe fn binary(&mut self, bytes: &[u8]) -> Done {
        if self.has(options::NO_BIN) {
            return self.raw_text(bytes);
        }
        if bytes.len() > u32::MAX as usize {
            return Err(self.too_long());
        }
        self.reserve(bytes.len())?;
        self.out.bin_header(bytes.len());
        self.out.copy(bytes.as_ptr(), bytes.len());
        Ok(())
    }

    /// `bytearray` and `memoryview`.
    pub(super) unsafe fn buffer(&mut self, object: Obj) -> Done {
        match Buffer::with_format(object) {
            Some(buffer) if buffer.is_plain(object) => self.binary(buffer.bytes()),
            Some(buffer) => {
                // `default` may want to change what is in it.
                drop(buffer);
                self.by_default_or(object, "its items may be addresses")
            }
            None => Err(self.worded_fault(
                Kind::UnsupportedType,
                "a buffer that is not contiguous",
                "Failed to get buffer from memoryview",
            )),
        }
    }

    pub(super) unsafe fn raw_ext(&mut self, code: i8, payload: &[u8]) -> Done {
        self.ext_of(code, &[payload])
    }

    pub(super) unsafe fn ext(&mut self, object: Obj) -> Done {
        let (code, data) = Ext::parts(object);
        if code == RECORD && self.records.is_some() {
            let text = "an Ext of type 114 would be read as a record definition";
            return Err(self.fault(Kind::UnsupportedType, text));
        }
        self.raw_ext(code, bytes_of(data))
    }

    pub(super) unsafe fn timestamp(&mut self, object: Obj) -> Done {
        let (seconds, nanoseconds) = Timestamp::parts(object);
        self.instant(seconds, nanoseconds)
    }

    /// A timestamp ext in its smallest format.
    pub(super) unsafe fn instant(&mut self, seconds: i64, nanoseconds: u32) -> Done {
        // What date-times are nearly always: from 1970 to 2514, with a fraction of a second. They take .91 of the time.
        if nanoseconds != 0 && seconds as u64 >> 34 == 0 {
            self.reserve(10)?;
            self.out.byte(FIXEXT8);
            let payload = u64::from(nanoseconds) << 34 | seconds as u64;
            self.out.marked(TIMESTAMP as u8, payload.to_be_bytes());
            return Ok(());
        }
        moment(seconds, nanoseconds).with_payload(|payload| self.raw_ext(TIMESTAMP, payload))
    }

    /// Bytes that are packed already. They are written as they are, but for records and canonical
    /// output, where the same value can have other bytes.
    pub(super) unsafe fn fragment(&mut self, object: Obj) -> Done {
        let (bytes, depth) = Fragment::parts(object);
        if self.depth + depth > self.max_depth {
            return Err(self.too_deep());
        }
        let may_change = self.records.is_some() || self.has(options::CANONICAL);
        if may_change && !Fragment::is_map_key(object) {
            let value = Fragment::value(bytes, self.has(options::CANONICAL));
            let Some(value) = Owned::take(value) else {
                let failure = Failure::transparent();
                return Err(self.fail(failure));
            };
            let flags = self.flags;
            self.flags |= options::USUAL;
            let done = self.value(value.get());
            self.flags = flags;
            return done;
        }
        self.reserve(bytes.len())?;
        self.out.copy(bytes.as_ptr(), bytes.len());
        Ok(())
    }

    pub(super) unsafe fn enumeration(&mut self, object: Obj, attribute: Obj) -> Done {
        let Some(value) = Owned::take(ffi::PyObject_GetAttr(object, attribute)) else {
            return Err(self.python(Kind::UnsupportedType, "an enum member without a value"));
        };
        // A value that is an enum member again, and so on, would else never end.
        self.enter()?;
        self.value(value.get())?;
        self.depth -= 1;
        Ok(())
    }

    /// `offset`: where `UUID` keeps its `int`, when it is a slot.
    pub(super) unsafe fn uuid(&mut self, object: Obj, offset: Option<isize>) -> Done {
        let direct = offset.map(|offset| *slot(object, offset));
        let long = match direct {
            Some(long) if !long.is_null() => Owned::borrow(long),
            _ => match Owned::take(ffi::PyObject_GetAttr(object, state::get().int)) {
                Some(long) => long,
                None => return Err(self.python(Kind::UnsupportedType, "a UUID without its number")),
            },
        };
        let Some(bytes) = uuid_bytes(long.get()) else {
            return Err(self.python(Kind::OutOfRange, "a UUID of more than 128 bits"));
        };
        if self.has(options::RICH) {
            return self.raw_ext(crate::ext::UUID, &bytes);
        }
        self.reserve(38)?;
        self.out.str_header(36);
        for (index, byte) in bytes.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                self.out.byte(b'-');
            }
            let digits = HEX[*byte as usize];
            self.out.copy(digits.as_ptr(), 2);
        }
        Ok(())
    }

    /// Types whose payload `packord._support` makes: it answers with an `Ext`, or with `None` for what an ext
    /// can't hold, which is written as without the option.
    pub(super) unsafe fn rich(&mut self, object: Obj, make: Option<&Owned>) -> Done {
        match (Owned::take(SUPPORT.call(c"to_ext", &[object])), make) {
            (Some(ext), Some(make)) if ext.get() == ffi::Py_None() => self.convert(object, make),
            (Some(ext), None) if ext.get() == ffi::Py_None() => self.by_default(object),
            (Some(ext), _) => self.ext(ext.get()),
            (None, _) => Err(self.support_failed()),
        }
    }

    /// An object that is packed as what a function of Python makes of it.
    pub(super) unsafe fn convert(&mut self, object: Obj, make: &Owned) -> Done {
        let Some(plain) = Owned::take(ffi::PyObject_CallOneArg(make.get(), object)) else {
            return Err(self.support_failed());
        };
        // What is made of an object may be such an object again, and so on without a container between.
        if self.conversions > self.depth + MAX_CONVERSIONS {
            let detail = "what an object is packed as is such an object again";
            return Err(self.worded_fault(Kind::DepthLimit, detail, "Recursion limit reached"));
        }
        self.conversions += 1;
        let done = self.value(plain.get());
        self.conversions -= 1;
        done
    }

    /// `set` and `frozenset` as an array.
    pub(super) unsafe fn set(&mut self, object: Obj) -> Done {
        let Some(items) = Owned::take(ffi::PySequence_List(object)) else {
            return Err(self.support_failed());
        };
        if self.has(options::CANONICAL) {
            self.sorted_list(items.get())
        } else {
            self.list(items.get())
        }
    }

    unsafe fn support_failed(&mut self) -> Raised {
        self.python(Kind::UnsupportedType, "the value has no encoding")
    }

    /// `set` and `frozenset`: ext 86, with one array as its payload.
    pub(super) unsafe fn set_ext(&mut self, object: Obj) -> Done {
        self.enter()?;
        // The ext header needs the payload's length, so it is written after the payload and moved.
        let start = self.out.len();
        // Records know no definitions inside a payload, which is read on its own.
        let records = self.records.take();
        let done = self.set(object);
        self.records = records;
        done?;
        let payload = self.taken_back(start);
        self.depth -= 1;
        self.raw_ext(crate::ext::SET, &payload)
    }
}

unsafe fn uuid_bytes(long: Obj) -> Option<[u8; 16]> {
    // Digits of 30 bits, read in place; a check of the type keeps other objects out.
    if ffi::PyLong_Check(long) == 0 {
        ffi::PyErr_SetString(ffi::PyExc_TypeError, c"UUID.int is not an int".as_ptr());
        return None;
    }
    let digits = crate::cpython::object::long_digits(long);
    let mut number = 0_u128;
    for (index, &digit) in digits.iter().enumerate() {
        number |= u128::from(digit).checked_shl(30 * index as u32).unwrap_or(0);
    }
    if digits.len() > 5 || (digits.len() == 5 && digits[4] >> 8 != 0) {
        ffi::PyErr_SetString(ffi::PyExc_ValueError, c"UUID.int is out of range".as_ptr());
        return None;
    }
    Some(number.to_be_bytes())
}

/// The bits of the binary32 that is the same number as this binary64.
fn narrow(bits: u64) -> Option<u32> {
    let number = f64::from_bits(bits);
    if number.is_nan() {
        let payload = bits & 0x000f_ffff_ffff_ffff;
        let short = ((bits >> 63) as u32) << 31 | 0x7f80_0000 | (payload >> 29) as u32;
        return (payload & 0x1fff_ffff == 0).then_some(short);
    }
    let short = number as f32;
    (f64::from(short).to_bits() == bits).then(|| short.to_bits())
}

const HEX: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut table = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    table
};
