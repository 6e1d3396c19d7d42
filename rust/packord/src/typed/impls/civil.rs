//! Dates, times of day, date-times without offset and durations of other crates, each with the
//! feature of its name. A leap second of chrono, which the others do not have, is second 60.

use super::unpackable;
use crate::ext::iso::{Date, Span, Time};
use crate::typed::{Failed, Packable, Writer};

/// `date`, `time`, `date_time` and `duration` are methods of writers and readers.
macro_rules! civil {
    ($($form:ident: $type:ty, min_len $min_len:literal, |$value:ident| $to:expr, |$read:ident| $from:expr;)*) => {$(
        impl Packable for $type {
            fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                let $value = *self;
                writer.$form($to)
            }
        }

        unpackable!([] $type, leaf false, min_len $min_len, |reader| {
            let start = reader.position();
            let $read = reader.$form()?;
            $from.ok_or_else(|| reader.out_of_range(stringify!($type), start))
        });
    )*};
}

#[cfg(feature = "chrono")]
mod chrono {
    use super::*;
    use ::chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike};

    fn date_of(date: NaiveDate) -> Date {
        Date {
            year: date.year(),
            month: date.month(),
            day: date.day(),
        }
    }

    fn to_date(date: Date) -> Option<NaiveDate> {
        NaiveDate::from_ymd_opt(date.year, date.month, date.day)
    }

    fn time_of(time: NaiveTime) -> Time {
        let nanosecond = time.nanosecond();
        Time {
            hour: time.hour(),
            minute: time.minute(),
            second: time.second() + nanosecond / 1_000_000_000,
            nanosecond: nanosecond % 1_000_000_000,
        }
    }

    fn to_time(time: Time) -> Option<NaiveTime> {
        let leap = time.second / 60;
        let nanosecond = time.nanosecond + leap * 1_000_000_000;
        NaiveTime::from_hms_nano_opt(time.hour, time.minute, time.second - leap, nanosecond)
    }

    civil! {
        date: NaiveDate, min_len 3, |value| date_of(value), |read| to_date(read);
        time: NaiveTime, min_len 5, |value| time_of(value), |read| to_time(read);
        date_time: NaiveDateTime, min_len 7,
            |value| (date_of(value.date()), time_of(value.time())),
            |read| to_date(read.0).zip(to_time(read.1)).map(|(date, time)| date.and_time(time));
        duration: TimeDelta, min_len 3,
            |value| Span::new(value.num_seconds(), value.subsec_nanos()),
            |read| read.parts().and_then(|(seconds, nanoseconds)| {
                TimeDelta::try_seconds(seconds)?.checked_add(&TimeDelta::nanoseconds(nanoseconds.into()))
            });
    }
}

#[cfg(feature = "jiff")]
mod jiff {
    use super::*;
    use ::jiff::SignedDuration;
    use ::jiff::civil;

    fn date_of(date: civil::Date) -> Date {
        Date {
            year: date.year().into(),
            month: date.month().unsigned_abs().into(),
            day: date.day().unsigned_abs().into(),
        }
    }

    fn to_date(date: Date) -> Option<civil::Date> {
        let year = date.year.try_into().ok()?;
        civil::Date::new(year, date.month as i8, date.day as i8).ok()
    }

    fn time_of(time: civil::Time) -> Time {
        Time {
            hour: time.hour().unsigned_abs().into(),
            minute: time.minute().unsigned_abs().into(),
            second: time.second().unsigned_abs().into(),
            nanosecond: time.subsec_nanosecond().unsigned_abs(),
        }
    }

    fn to_time(time: Time) -> Option<civil::Time> {
        let nanosecond = time.nanosecond as i32;
        civil::Time::new(time.hour as i8, time.minute as i8, time.second as i8, nanosecond).ok()
    }

    civil! {
        date: civil::Date, min_len 3, |value| date_of(value), |read| to_date(read);
        time: civil::Time, min_len 5, |value| time_of(value), |read| to_time(read);
        date_time: civil::DateTime, min_len 7,
            |value| (date_of(value.date()), time_of(value.time())),
            |read| to_date(read.0).zip(to_time(read.1)).map(|(date, time)| date.to_datetime(time));
        duration: SignedDuration, min_len 3,
            |value| Span::new(value.as_secs(), value.subsec_nanos()),
            |read| read.parts().map(|(seconds, nanoseconds)| SignedDuration::new(seconds, nanoseconds));
    }
}

#[cfg(feature = "time")]
mod time {
    use super::*;
    use ::time::{Duration, PrimitiveDateTime};

    fn date_of(date: ::time::Date) -> Date {
        Date {
            year: date.year(),
            month: u8::from(date.month()).into(),
            day: date.day().into(),
        }
    }

    fn to_date(date: Date) -> Option<::time::Date> {
        let month = ::time::Month::try_from(date.month as u8).ok()?;
        ::time::Date::from_calendar_date(date.year, month, date.day as u8).ok()
    }

    fn time_of(time: ::time::Time) -> Time {
        Time {
            hour: time.hour().into(),
            minute: time.minute().into(),
            second: time.second().into(),
            nanosecond: time.nanosecond(),
        }
    }

    fn to_time(time: Time) -> Option<::time::Time> {
        let (hour, minute, second) = (time.hour as u8, time.minute as u8, time.second as u8);
        ::time::Time::from_hms_nano(hour, minute, second, time.nanosecond).ok()
    }

    civil! {
        date: ::time::Date, min_len 3, |value| date_of(value), |read| to_date(read);
        time: ::time::Time, min_len 5, |value| time_of(value), |read| to_time(read);
        date_time: PrimitiveDateTime, min_len 7,
            |value| (date_of(value.date()), time_of(value.time())),
            |read| to_date(read.0).zip(to_time(read.1)).map(|(date, time)| PrimitiveDateTime::new(date, time));
        duration: Duration, min_len 3,
            |value| Span::new(value.whole_seconds(), value.subsec_nanoseconds()),
            |read| read.parts().map(|(seconds, nanoseconds)| Duration::new(seconds, nanoseconds));
    }
}
