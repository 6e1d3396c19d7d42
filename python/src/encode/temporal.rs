//! Dates and times: text of RFC 3339, or ext values.

use pyo3::ffi;

use super::{Done, Encoder};
use crate::cpython::object::{Obj, Owned};
use crate::cpython::state;
use crate::errors::{Failure, Kind, Raised};
use crate::ext::number::{NANOSECONDS, Number};
use crate::ext::{DATE, TIME};
use crate::options;
use crate::values::date_of;
use packord::ext::days_from_date;

/// The difference to UTC in seconds; `None` for naive values.
type Offset = Option<i32>;

const DAY: u32 = 86_400;

impl Encoder<'_> {
    pub(super) unsafe fn datetime(&mut self, object: Obj) -> Done {
        let zone = ffi::PyDateTime_DATE_GET_TZINFO(object);
        let offset = self.offset_of(zone, object)?;
        let fields = Fields::of_datetime(object);
        if self.has(options::DATETIME_AS_TIMESTAMP_EXT) {
            if let Some(offset) = offset.or(self.has(options::NAIVE_UTC).then_some(0)) {
                return self.instant(fields.second_of(offset), fields.nanosecond);
            }
            if self.has(options::AWARE_DATETIMES) {
                return Err(self.fault(Kind::UnsupportedType, "datetime's utcoffset() is None"));
            }
        }
        self.datetime_text(&fields, offset)
    }

    pub(super) unsafe fn datetime_text(&mut self, fields: &Fields, offset: Offset) -> Done {
        let mut text = [0; 40];
        let mut length = fields.write_date(&mut text);
        text[length] = b'T';
        length += 1;
        length += fields.write_time(&mut text[length..], self.digits(fields.nanosecond));
        if let Some(offset) = offset.or(self.has(options::NAIVE_UTC).then_some(0)) {
            length += self.write_offset(&mut text[length..], offset);
        }
        self.short_text(&text[..length])
    }

    pub(super) unsafe fn date(&mut self, object: Obj) -> Done {
        let fields = Fields::of_date(object);
        if self.has(options::RICH) {
            let days = days_from_date(fields.year, fields.month.into(), fields.day.into());
            return self.raw_ext(DATE, &(days as i32).to_be_bytes());
        }
        let mut text = [0; 10];
        fields.write_date(&mut text);
        self.short_text(&text)
    }

    pub(super) unsafe fn time(&mut self, object: Obj) -> Done {
        let zone = ffi::PyDateTime_TIME_GET_TZINFO(object);
        if zone != ffi::Py_None() && self.has(options::NAIVE_TIMES) {
            let words = "datetime.time must not have tzinfo set";
            return Err(self.worded_fault(Kind::UnsupportedType, "", words));
        }
        let offset = self.offset_of(zone, ffi::Py_None())?;
        let fields = Fields {
            hour: ffi::PyDateTime_TIME_GET_HOUR(object) as u8,
            minute: ffi::PyDateTime_TIME_GET_MINUTE(object) as u8,
            second: ffi::PyDateTime_TIME_GET_SECOND(object) as u8,
            nanosecond: ffi::PyDateTime_TIME_GET_MICROSECOND(object) as u32 * 1000,
            ..Fields::default()
        };
        if self.has(options::RICH) && offset.is_none() {
            let nanoseconds = fields.seconds_of_day() as u64 * 1_000_000_000 + u64::from(fields.nanosecond);
            return self.raw_ext(TIME, &nanoseconds.to_be_bytes());
        }
        let mut text = [0; 24];
        let mut length = fields.write_time(&mut text, self.digits(fields.nanosecond));
        if let Some(offset) = offset {
            length += self.write_offset(&mut text[length..], offset);
        }
        self.short_text(&text[..length])
    }

    /// How many digits of the fraction of a second are written: the fewest of 0, 3, 6 and 9 that hold it.
    fn digits(&self, nanosecond: u32) -> usize {
        match nanosecond {
            _ if self.has(options::OMIT_MICROSECONDS) => 0,
            0..1000 if self.has(options::SIX_DIGITS) => 0,
            _ if self.has(options::SIX_DIGITS) => 6,
            0 => 0,
            _ if nanosecond % 1000 != 0 => 9,
            _ if nanosecond % 1_000_000 != 0 => 6,
            _ => 3,
        }
    }

    unsafe fn short_text(&mut self, text: &[u8]) -> Done {
        self.reserve(text.len())?;
        self.out.str_header(text.len());
        self.out.copy(text.as_ptr(), text.len());
        Ok(())
    }

    /// The offset of a date-time or time, which its `tzinfo` is asked for unless it is plain UTC.
    unsafe fn offset_of(&mut self, zone: Obj, object: Obj) -> Result<Offset, Raised> {
        if zone == ffi::Py_None() {
            return Ok(None);
        }
        if zone == (*ffi::PyDateTimeAPI()).TimeZone_UTC {
            return Ok(Some(0));
        }
        let method = state::get().utcoffset;
        let offset = ffi::PyObject_CallMethodOneArg(zone, method, object);
        let Some(offset) = Owned::take(offset) else {
            let words = "datetime's timezone library is not supported: \
                         use datetime.timezone.utc, pendulum, pytz, or dateutil";
            let text = self.worded("utcoffset() failed", words);
            let failure = Failure::caused(Kind::UnsupportedType, text);
            return Err(self.fail_in_words(failure));
        };
        if offset.get() == ffi::Py_None() {
            return Ok(None);
        }
        if ffi::PyDelta_Check(offset.get()) == 0 {
            return Err(self.fault(Kind::UnsupportedType, "datetime's utcoffset() returned no timedelta"));
        }
        let days = ffi::PyDateTime_DELTA_GET_DAYS(offset.get());
        let seconds = ffi::PyDateTime_DELTA_GET_SECONDS(offset.get());
        let mut seconds = i64::from(days) * i64::from(DAY) + i64::from(seconds);
        // What is less than a second is cut off, of an offset to the west too.
        let microseconds = ffi::PyDateTime_DELTA_GET_MICROSECONDS(offset.get());
        seconds += i64::from(seconds < 0 && microseconds > 0);
        if seconds.abs() >= i64::from(DAY) {
            return Err(self.fault(Kind::UnsupportedType, "datetime's utcoffset() is a day or more"));
        }
        Ok(Some(seconds as i32))
    }

    /// `+05:30`, with seconds only if there are some; `Z` for UTC with the option for it.
    fn write_offset(&self, text: &mut [u8], offset: i32) -> usize {
        let mut seconds = offset.unsigned_abs();
        if self.has(options::WHOLE_MINUTES) {
            seconds = (seconds + 30) / 60 * 60;
        }
        let near = self.has(options::NEAR_MINUTES);
        if near {
            seconds = (seconds + 29) / 60 * 60 % DAY;
        }
        if near && seconds == 0 || offset == 0 && self.has(options::UTC_Z) {
            text[0] = b'Z';
            return 1;
        }
        text[0] = if offset < 0 { b'-' } else { b'+' };
        two_digits(text, 1, (seconds / 3600) as u16);
        text[3] = b':';
        two_digits(text, 4, (seconds / 60 % 60) as u16);
        if seconds % 60 == 0 {
            return 6;
        }
        text[6] = b':';
        two_digits(text, 7, (seconds % 60) as u16);
        9
    }

    /// A moment in ticks since 1970, as numpy's `datetime64` has it.
    pub(super) unsafe fn moment(&mut self, ticks: i64, of: Number) -> Done {
        let length = if of == NANOSECONDS { 1 } else { 1000 };
        let seconds = ticks.div_euclid(1_000_000_000 / length);
        let nanoseconds = (ticks.rem_euclid(1_000_000_000 / length) * length) as u32;
        let is_instant = self.has(options::DATETIME_AS_TIMESTAMP_EXT) && self.has(options::NAIVE_UTC);
        if is_instant && !self.has(options::SIX_DIGITS) {
            return self.instant(seconds, nanoseconds);
        }
        match Fields::of_instant(seconds, nanoseconds) {
            Some(fields) => self.datetime_text(&fields, None),
            None => {
                let words = "unrepresentable numpy.datetime64";
                Err(self.worded_fault(Kind::OutOfRange, "the year is not 0 to 9999", words))
            }
        }
    }
}

#[derive(Default)]
pub(super) struct Fields {
    year: u16,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
    nanosecond: u32,
}

impl Fields {
    unsafe fn of_date(object: Obj) -> Fields {
        Fields {
            year: ffi::PyDateTime_GET_YEAR(object) as u16,
            month: ffi::PyDateTime_GET_MONTH(object) as u8,
            day: ffi::PyDateTime_GET_DAY(object) as u8,
            ..Fields::default()
        }
    }

    unsafe fn of_datetime(object: Obj) -> Fields {
        Fields {
            hour: ffi::PyDateTime_DATE_GET_HOUR(object) as u8,
            minute: ffi::PyDateTime_DATE_GET_MINUTE(object) as u8,
            second: ffi::PyDateTime_DATE_GET_SECOND(object) as u8,
            nanosecond: ffi::PyDateTime_DATE_GET_MICROSECOND(object) as u32 * 1000,
            ..Fields::of_date(object)
        }
    }

    /// `None` when the year is not 0 to 9999.
    fn of_instant(seconds: i64, nanosecond: u32) -> Option<Fields> {
        let (year, month, day) = date_of(seconds)?;
        let rest = seconds.rem_euclid(86_400);
        Some(Fields {
            year,
            month,
            day,
            hour: (rest / 3600) as u8,
            minute: (rest / 60 % 60) as u8,
            second: (rest % 60) as u8,
            nanosecond,
        })
    }

    fn seconds_of_day(&self) -> i64 {
        i64::from(self.hour) * 3600 + i64::from(self.minute) * 60 + i64::from(self.second)
    }

    fn second_of(&self, offset: i32) -> i64 {
        let days = days_from_date(self.year, self.month.into(), self.day.into());
        days * 86_400 + self.seconds_of_day() - i64::from(offset)
    }

    fn write_date(&self, text: &mut [u8]) -> usize {
        two_digits(text, 0, self.year / 100);
        two_digits(text, 2, self.year % 100);
        text[4] = b'-';
        two_digits(text, 5, self.month.into());
        text[7] = b'-';
        two_digits(text, 8, self.day.into());
        10
    }

    /// `digits`: 0, 3, 6 or 9 for the fraction of a second.
    fn write_time(&self, text: &mut [u8], digits: usize) -> usize {
        two_digits(text, 0, self.hour.into());
        text[2] = b':';
        two_digits(text, 3, self.minute.into());
        text[5] = b':';
        two_digits(text, 6, self.second.into());
        if digits == 0 {
            return 8;
        }
        text[8] = b'.';
        two_digits(text, 9, (self.nanosecond / 10_000_000) as u16);
        two_digits(text, 11, (self.nanosecond / 100_000 % 100) as u16);
        if digits > 3 {
            two_digits(text, 13, (self.nanosecond / 1000 % 100) as u16);
        }
        if digits > 6 {
            two_digits(text, 15, (self.nanosecond / 10 % 100) as u16);
            text[17] = b'0' + (self.nanosecond % 10) as u8;
        }
        9 + digits
    }
}

#[inline(always)]
fn two_digits(text: &mut [u8], at: usize, number: u16) {
    text[at..at + 2].copy_from_slice(&DIGITS[number as usize]);
}

const DIGITS: [[u8; 2]; 100] = {
    let mut table = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        table[number] = [b'0' + number as u8 / 10, b'0' + number as u8 % 10];
        number += 1;
    }
    table
};
