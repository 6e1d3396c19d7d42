"""The text of dates, times of day and durations (``spec/defaults.md`` section 1)."""

from __future__ import annotations

SECOND = 1_000_000_000


def days_of(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the proleptic Gregorian calendar."""
    year -= month <= 2
    in_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return 365 * year + year // 4 - year // 100 + year // 400 + in_year - 719_468


def nanoseconds_of(time: list[int]) -> int:
    hour, minute, second, nanosecond = time
    return (hour * 3600 + minute * 60 + second) * SECOND + nanosecond


def date_text(date: list[int]) -> str:
    year, month, day = date
    sign = "-" if year < 0 else "+" if year > 9999 else ""
    return f"{sign}{abs(year):04}-{month:02}-{day:02}"


def fraction_text(nanoseconds: int) -> str:
    """No digits, or three, six or nine."""
    digits = f"{nanoseconds:09}"
    while digits.endswith("000"):
        digits = digits[:-3]
    return "." + digits if digits else ""


def time_text(time: list[int]) -> str:
    hour, minute, second, nanosecond = time
    return f"{hour:02}:{minute:02}:{second:02}{fraction_text(nanosecond)}"


def offset_text(offset: int | None) -> str:
    if offset is None:
        return ""
    return f"{'-' if offset < 0 else '+'}{abs(offset) // 3600:02}:{abs(offset) // 60 % 60:02}"


def duration_text(nanoseconds: int) -> str:
    """Hours, minutes and seconds that are not zero, with one sign for all."""
    seconds, fraction = divmod(abs(nanoseconds), SECOND)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    text = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
    if seconds or fraction or not text:
        text += f"{seconds}{fraction_text(fraction)}S"
    return ("-" if nanoseconds < 0 else "") + "PT" + text
