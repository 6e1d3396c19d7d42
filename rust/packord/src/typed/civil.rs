//! Dates, times of day and durations: text of `spec/defaults.md` section 1.1, or exts.

use super::detail::Found;
use super::state::Failed;
use super::{Reader, Unpackable, Writer};
use crate::error::ErrorKind;
use crate::ext::iso::{Date, ShortText, Span, Time, whole};
use crate::ext::{DATE, DURATION, NANOS, TIME};
use crate::wire::header::Kind;
use core::fmt::Display;

/// A value as it is in the input.
pub(crate) enum TextOrPayload<'de> {
    Text(&'de str),
    /// The payload of its ext type.
    Payload(&'de [u8]),
}

impl Writer<'_> {
    pub(crate) fn text(&mut self, value: impl Display) -> Result<(), Failed> {
        self.str(ShortText::new(value).as_str())
    }

    /// Writes a value as an ext, if that is asked for and holds it, and else as text.
    fn text_or_ext<const N: usize>(
        &mut self,
        value: impl Display,
        kind: i8,
        payload: impl FnOnce() -> Option<[u8; N]>,
    ) -> Result<(), Failed> {
        let rich = self.state.forms.rich;
        match rich.then(payload).flatten() {
            Some(payload) => self.ext(kind, &payload),
            None => self.text(value),
        }
    }

    pub(crate) fn duration(&mut self, span: Span) -> Result<(), Failed> {
        self.text_or_ext(span, DURATION, || span.payload())
    }

    pub(crate) fn date(&mut self, date: Date) -> Result<(), Failed> {
        self.text_or_ext(date, DATE, || date.days().map(i32::to_be_bytes))
    }

    pub(crate) fn time(&mut self, time: Time) -> Result<(), Failed> {
        self.text_or_ext(time, TIME, || time.nanoseconds().map(u64::to_be_bytes))
    }

    pub(crate) fn date_time(&mut self, (date, time): (Date, Time)) -> Result<(), Failed> {
        self.text(format_args!("{date}T{time}"))
    }
}

impl<'de> Reader<'de> {
    pub(crate) fn text_or(&mut self, kind: i8, expected: &'static str) -> Result<TextOrPayload<'de>, Failed> {
        let start = self.position();
        if Found::at(self.rest()) == Found::Of(Kind::Ext) {
            return match self.ext()? {
                (found, payload) if found == kind => Ok(TextOrPayload::Payload(payload)),
                _ => Err(self.unexpected(expected, start)),
            };
        }
        let text = self.str();
        text.map(TextOrPayload::Text)
            .map_err(|failed| self.expecting(failed, expected))
    }

    /// Reports a string or a payload that is not that of the type.
    #[cold]
    pub(crate) fn not_in_form(&mut self, expected: &'static str, start: usize) -> Failed {
        match Found::at(self.input().get(start..).unwrap_or_default()) {
            Found::Of(Kind::Ext) => self.fail_at(ErrorKind::InvalidExt, start),
            _ => self.unexpected(expected, start),
        }
    }

    /// Reads the numbers of a value if an array is next: serde writes types of `time` so.
    fn numbers<const N: usize>(&mut self) -> Result<Option<[i64; N]>, Failed> {
        if Found::at(self.rest()) != Found::Of(Kind::Array) {
            return Ok(None);
        }
        Unpackable::unpack_from(self).map(Some)
    }

    pub(crate) fn duration(&mut self) -> Result<Span, Failed> {
        let start = self.position();
        if let Some([seconds, nanoseconds]) = self.numbers()? {
            // Their sum, as chrono's have the sign of the seconds alone.
            let second = i64::from(NANOS);
            let floor = seconds.checked_add(nanoseconds.div_euclid(second));
            let span = floor.map(|floor| match nanoseconds.rem_euclid(second) {
                above @ 1.. if floor < 0 => Span::new(floor + 1, (above - second) as i32),
                above => Span::new(floor, above as i32),
            });
            return span.ok_or_else(|| self.out_of_range("a duration", start));
        }
        let span = match self.text_or(DURATION, "a duration")? {
            TextOrPayload::Text(text) => Span::parse(text.as_bytes()),
            TextOrPayload::Payload(bytes) => Span::from_payload(bytes),
        };
        span.ok_or_else(|| self.not_in_form("a duration", start))
    }

    pub(crate) fn date(&mut self) -> Result<Date, Failed> {
        let start = self.position();
        if let Some([year, day]) = self.numbers()? {
            return Date::of_year(year, day).ok_or_else(|| self.out_of_range("a date", start));
        }
        let date = match self.text_or(DATE, "a date")? {
            TextOrPayload::Text(text) => whole(Date::parse(text.as_bytes())),
            TextOrPayload::Payload(bytes) => Date::from_payload(bytes),
        };
        date.ok_or_else(|| self.not_in_form("a date", start))
    }

    pub(crate) fn time(&mut self) -> Result<Time, Failed> {
        let start = self.position();
        if let Some(numbers) = self.numbers()? {
            return Time::of_parts(numbers).ok_or_else(|| self.out_of_range("a time of day", start));
        }
        let time = match self.text_or(TIME, "a time of day")? {
            TextOrPayload::Text(text) => whole(Time::parse(text.as_bytes())),
            TextOrPayload::Payload(bytes) => Time::from_payload(bytes),
        };
        time.ok_or_else(|| self.not_in_form("a time of day", start))
    }

    pub(crate) fn date_time(&mut self) -> Result<(Date, Time), Failed> {
        let start = self.position();
        if let Some([year, day, hour, minute, second, nanosecond]) = self.numbers()? {
            let time = Time::of_parts([hour, minute, second, nanosecond]);
            return Date::of_year(year, day)
                .zip(time)
                .ok_or_else(|| self.out_of_range("a date and a time", start));
        }
        let text = self.str();
        let text = text.map_err(|failed| self.expecting(failed, "a date and a time"))?;
        whole(crate::ext::iso::date_time(text.as_bytes())).ok_or_else(|| self.unexpected("a date and a time", start))
    }
}
