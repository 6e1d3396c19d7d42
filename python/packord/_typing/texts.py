"""What values are packed as that MessagePack has no type for (``spec/defaults.md`` section 1)."""

from __future__ import annotations

import array
import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from packord import Timestamp


def duration_text(value: datetime.timedelta) -> str:
    """Hours, minutes and seconds that are not zero.

    >>> duration_text(datetime.timedelta(days=1, seconds=61, milliseconds=500))
    'PT24H1M1.500S'
    >>> duration_text(datetime.timedelta(seconds=-90))
    '-PT1M30S'
    """
    sign, length = ("-", -value) if value.days < 0 else ("", value)
    hours, seconds = divmod(length.days * 86_400 + length.seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    text = f"{hours}H" if hours else ""
    text += f"{minutes}M" if minutes else ""
    rest = nanoseconds(length)
    if seconds or rest or not text:
        text += f"{seconds}{_fraction(rest)}S"
    return f"{sign}PT{text}"


def nanoseconds(value: datetime.timedelta) -> int:
    """What is below a second: the class of pandas is finer than a microsecond."""
    return value.microseconds * 1000 + getattr(value, "nanoseconds", 0)


def _fraction(nanoseconds: int) -> str:
    digits = next(digits for digits in (0, 3, 6, 9) if nanoseconds % 10 ** (9 - digits) == 0)
    return f".{nanoseconds:09}"[: digits + 1] if digits else ""


def moment(value: Any) -> datetime.datetime | Timestamp | str:
    """A date-time of a class that knows nanoseconds."""
    from packord import Timestamp

    plain = datetime.datetime.combine(value.date(), value.time(), value.tzinfo)
    if not value.nanosecond:
        return plain
    if plain.tzinfo is None:
        fraction = plain.microsecond * 1000 + value.nanosecond
        return f"{plain.replace(microsecond=0).isoformat()}{_fraction(fraction)}"
    seconds = Timestamp.from_datetime(plain)
    return Timestamp(seconds.seconds, seconds.nanoseconds + value.nanosecond)


def numbers(value: array.array[Any]) -> Any:
    """The elements of an array; those of 32 bits are floats of this size."""
    from packord import Fragment, packb

    plain = value.tolist()
    return Fragment(packb(plain, float32=True)) if value.typecode == "f" else plain
