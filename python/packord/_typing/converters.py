"""Makes values of classes from the plain values that stand for them on the wire."""

from __future__ import annotations

import datetime
import decimal
import fractions
import ipaddress
import os
import pathlib
import re
import sys
import uuid
from collections.abc import Callable
from typing import Any

from packord._packord import Ext, Timestamp

Converter = Callable[[Any], Any]
# What a converter makes its value of, by the kinds of values on the wire.
Kinds = tuple[str, ...]
KINDS: Kinds = ("nil", "bool", "int", "float", "str", "bytes", "array", "map", "ext")


def name_of(cls: Any) -> str:
    return "None" if cls is type(None) else str(cls.__name__)


def _to_datetime(value: Any) -> datetime.datetime:
    if isinstance(value, datetime.datetime):
        return value
    if isinstance(value, Timestamp):
        # Finer than a microsecond: the rest is cut off, as msgpack, msgspec and ormsgpack do.
        return value.to_datetime()
    if isinstance(value, str):
        # A date is its midnight.
        text = value if _DATE.fullmatch(value) else _plainly(_DATE_TIME, value)
        return datetime.datetime.fromisoformat(text)
    raise TypeError(f"got {name_of(type(value))}")


# As RFC 3339 has them, but that the offset may be missing, and have seconds.
_DATE_TEXT, _TIME_TEXT = r"\d{4}-\d\d-\d\d", r"\d\d:\d\d:\d\d"
_REST = r"(\.\d+)?([Zz]|[+-]\d\d:[0-5]\d(?::[0-5]\d)?)?"
_DATE = re.compile(_DATE_TEXT, re.ASCII)
_TIME = re.compile(f"({_TIME_TEXT}){_REST}", re.ASCII)
_DATE_TIME = re.compile(f"({_DATE_TEXT}[Tt ]{_TIME_TEXT}){_REST}", re.ASCII)


def _plainly(form: re.Pattern[str], text: str) -> str:
    """The text as every version of Python reads it, truncated to microseconds."""
    match = form.fullmatch(text)
    if match is None:
        raise ValueError(f"not as RFC 3339 has it: {text!r}")
    whole, fraction, offset = match.groups()
    fraction = f".{fraction[1:7]:0<6}" if fraction else ""
    return whole + fraction + ("+00:00" if offset in ("Z", "z") else offset or "")


def _reads(cls: Any, make: Any, *taken: type) -> Converter:
    """What calls `make` with values of the types that it takes, and keeps those of the class."""

    def convert(value: Any) -> Any:
        if isinstance(value, taken):
            return make(value)
        if isinstance(value, cls):
            return value
        raise TypeError(f"got {name_of(type(value))}")

    return convert


def _date_of_text(text: str) -> datetime.date:
    if _DATE.fullmatch(text) is None:
        raise ValueError(f"not as RFC 3339 has it: {text!r}")
    return datetime.date.fromisoformat(text)


def _time_of_text(text: str) -> datetime.time:
    return datetime.time.fromisoformat(_plainly(_TIME, text))


_HEX = "[0-9A-Fa-f]"
_UUID = re.compile(f"{_HEX}{{32}}|{_HEX}{{8}}(-{_HEX}{{4}}){{3}}-{_HEX}{{12}}")


def _to_uuid(value: Any) -> uuid.UUID:
    if isinstance(value, uuid.UUID):
        return value
    if isinstance(value, str):
        # The class takes hyphens anywhere.
        if _UUID.fullmatch(value) is None:
            raise ValueError(f"not a uuid: {value!r}")
        return uuid.UUID(value)
    if isinstance(value, bytes):
        return uuid.UUID(bytes=value)
    if isinstance(value, Ext) and value.type == 85:
        return uuid.UUID(bytes=value.data)
    raise TypeError(f"got {name_of(type(value))}")


def _to_decimal(value: Any) -> decimal.Decimal:
    if isinstance(value, decimal.Decimal):
        return value
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return decimal.Decimal(value)
    if isinstance(value, float):
        return decimal.Decimal(repr(value))
    raise TypeError(f"got {name_of(type(value))}")


def is_ndarray(cls: Any) -> bool:
    """Whether the class is numpy's array; numpy is not imported for it."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and cls is numpy.ndarray


_AMOUNT = r"(\d+(?:[.,]\d+)?)"
_DURATION = re.compile(
    f"([+-]?)P(?:{_AMOUNT}W)?(?:{_AMOUNT}D)?(?:T(?:{_AMOUNT}H)?(?:{_AMOUNT}M)?(?:{_AMOUNT}S)?)?",
    re.IGNORECASE | re.ASCII,
)
# Microseconds of a week, day, hour, minute and second.
_UNITS = [seconds * 1_000_000 for seconds in (604_800, 86_400, 3600, 60, 1)]


def _rounded(dividend: int, divisor: int) -> int:
    return (2 * dividend + divisor) // (2 * divisor)


def _to_timedelta(value: Any) -> datetime.timedelta:
    if isinstance(value, datetime.timedelta):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return datetime.timedelta(seconds=value)
    if not isinstance(value, str):
        raise TypeError(f"got {name_of(type(value))}")
    match = _DURATION.fullmatch(value)
    amounts = match.groups("")[1:] if match is not None else ()
    # The smallest unit may have a fraction, which is rounded to microseconds as Python does it.
    *whole, last = [amount for amount in amounts if amount] or [""]
    if not last or value[-1] in "PpTt" or any(not amount.isdigit() for amount in whole):
        raise ValueError("not an ISO 8601 duration")
    parts = (amount.replace(",", ".").partition(".") for amount in amounts)
    length = sum(
        int(number or 0) * unit + _rounded(int(fraction or 0) * unit, 10 ** len(fraction))
        for unit, (number, _, fraction) in zip(_UNITS, parts)
    )
    return datetime.timedelta(microseconds=-length if value[0] == "-" else length)


_PATHS = (
    pathlib.Path,
    pathlib.PurePath,
    pathlib.PosixPath,
    pathlib.WindowsPath,
    pathlib.PurePosixPath,
    pathlib.PureWindowsPath,
)
_ADDRESSES = (
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    ipaddress.IPv4Network,
    ipaddress.IPv6Network,
    ipaddress.IPv4Interface,
    ipaddress.IPv6Interface,
)
_TEXT_OR_EXT: Kinds = ("str", "ext")
_CONVERTERS: dict[Any, tuple[Converter, Kinds]] = {
    datetime.datetime: (_to_datetime, _TEXT_OR_EXT),
    datetime.date: (_reads(datetime.date, _date_of_text, str), _TEXT_OR_EXT),
    datetime.time: (_reads(datetime.time, _time_of_text, str), _TEXT_OR_EXT),
    datetime.timedelta: (_to_timedelta, ("int", "float", "str", "ext")),
    uuid.UUID: (_to_uuid, ("str", "bytes", "ext")),
    decimal.Decimal: (_to_decimal, ("str", "int", "float", "ext")),
    fractions.Fraction: (_reads(fractions.Fraction, fractions.Fraction, str), _TEXT_OR_EXT),
    bytearray: (_reads(bytearray, bytearray, bytes), ("bytes",)),
    Ext: (_reads(Ext, Ext), ("ext",)),
    Timestamp: (_reads(Timestamp, Timestamp.from_datetime, datetime.datetime), ("ext",)),
    os.PathLike: (_reads(pathlib.Path, pathlib.Path, str), ("str",)),
    **{cls: (_reads(cls, cls, str), ("str",)) for cls in _PATHS},
    **{cls: (_reads(cls, cls, str, bytes), ("str", "bytes")) for cls in _ADDRESSES},
}


def converter_of(cls: Any) -> tuple[Converter, Kinds] | None:
    """What makes instances of the class, and of which kinds of values; ``None`` if nothing does."""
    return _CONVERTERS.get(cls)


def few_kinds(cls: Any, converter: Converter, kinds: Kinds) -> tuple[Converter, Kinds]:
    """The converter of a class, which makes no duration of a number."""
    if cls is not datetime.timedelta:
        return converter, kinds

    def convert(value: Any) -> Any:
        if isinstance(value, (int, float)):
            raise TypeError(f"got {name_of(type(value))}")
        return converter(value)

    return convert, _TEXT_OR_EXT


def chooser(choices: dict[Any, Any], other: Converter | None = None) -> Converter:
    """What makes a member of the value that stands for it, or of another value by ``other``."""

    def choose(value: Any) -> Any:
        if (type(value), value) in choices:
            return choices[type(value), value]
        if other is None:
            raise ValueError(f"unknown variant {value!r}")
        return other(value)

    return choose


def set_converter(item: Any, cls: Any, keywords: dict[str, Any]) -> Converter:
    """What makes a set of a set that travelled as an ext; its elements are read by their type, with
    the keywords of the decoder that have to do with types."""
    decoders: list[Any] = []

    def convert(value: Any) -> Any:
        from packord import Decoder, packb

        if not isinstance(value, (set, frozenset)):
            raise TypeError(f"got {name_of(type(value))}")
        if not decoders:
            decoders.append(Decoder(list[item], rich=True, **keywords))
        return cls(decoders[0].decode(packb(list(value), rich=True)))

    return convert


def first_that_fits(steps: list[tuple[Converter, Converter | None]]) -> Converter:
    """What makes a value by the first converter that does not refuse it, and by what follows on
    that one."""

    def convert(value: Any) -> Any:
        reasons = []
        for converter, then in steps:
            try:
                found = converter(value)
            except (TypeError, ValueError, ArithmeticError) as error:
                reasons.append(str(error))
            else:
                return found if then is None else then(found)
        raise ValueError("; ".join(reasons))

    return convert
