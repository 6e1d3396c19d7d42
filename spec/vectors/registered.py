"""Payloads of packord's own ext types, and typed arrays (``spec/extensions.md``)."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import Any, Protocol

from .options import Options
from .writer import encode, twos_complement

RATIO, DECIMAL, SET, NAMED_VALUE = 83, 84, 86, 94
# Types whose payloads have values that may be containers, and are containers themselves.
NESTING = (SET, NAMED_VALUE)
# Types whose payloads are read in more than linear time, and have a length limit by default.
LARGEST = {RATIO: 65_536, DECIMAL: 65_536}

ELEMENT_SIZES = {
    0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 8: 8, 9: 8, 10: 8, 16: 1, 17: 1,
}  # fmt: skip
NANOSECONDS_OF_A_DAY = 86_400_000_000_000

Value = Any


class Payload(Protocol):
    """A payload that is read from its front."""

    def value(self) -> Value: ...
    def scalar(self, *, bigint: bool = False) -> Value:
        """A value whose ext are kept, so that it has no depth."""

    def rest(self) -> bytes: ...
    def identity(self, value: Value) -> bytes:
        """The same bytes for values that are the same as keys."""


class Malformed(Exception):
    """The payload is not one of its type."""


def read(code: int, payload: Payload) -> bytes:
    """The payload that is written for the value of this one; an exception if there is none."""
    written = _READERS[code](payload)
    _check(not payload.rest())
    return written


def _check(fine: bool) -> None:
    if not fine:
        raise Malformed


def _written(*values: Value) -> bytes:
    return b"".join(encode(value, Options(bigint=True)) for value in values)


def _name(payload: Payload) -> bytes:
    raw = payload.rest()
    _check(len(raw.decode("utf-8")) > 0)
    return raw


def _character(payload: Payload) -> bytes:
    raw = payload.rest()
    _check(len(raw.decode("utf-8")) == 1)
    return raw


def _ratio(payload: Payload) -> bytes:
    values = payload.scalar(bigint=True), payload.scalar(bigint=True)
    numerator, denominator = (int(value["int"]) for value in values)
    _check(denominator > 0)
    if all(-(2**63) <= number < 2**64 for number in (numerator, denominator)):
        _check(gcd(numerator, denominator) == 1)
    return _written(*values)


def _decimal(payload: Payload) -> bytes:
    scale, unscaled = payload.scalar(), payload.rest()
    number = int.from_bytes(unscaled, "big", signed=True)
    _check(int(scale["int"]) in _I32 and unscaled == twos_complement(number))
    return _written(scale) + unscaled


def _sized(size: int) -> Callable[[Payload], bytes]:
    def read_sized(payload: Payload) -> bytes:
        raw = payload.rest()
        _check(len(raw) == size)
        return raw

    return read_sized


def _set(payload: Payload) -> bytes:
    array = payload.value()
    elements = array["array"]
    # An element alone equals no other, and may be a set in which the same was checked.
    _check(len(elements) < 2 or len(set(map(payload.identity, elements))) == len(elements))
    return _written(array)


def _time(payload: Payload) -> bytes:
    raw = _sized(8)(payload)
    _check(int.from_bytes(raw, "big") < NANOSECONDS_OF_A_DAY)
    return raw


def _duration(payload: Payload) -> bytes:
    raw = _sized(12)(payload)
    _check(int.from_bytes(raw[:4], "big") <= 999_999_999)
    return raw


_I32 = range(-(2**31), 2**31)
_DAYS = range(-365_243_219_162, 365_241_780_472)
_NANOSECONDS = range(NANOSECONDS_OF_A_DAY)
_OFFSETS = range(-64_800, 64_801)
_YEARS = range(-999_999_999, 1_000_000_000)
_MONTHS = range(1, 13)
_DAYS_OF_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_ZONE = None
_CALENDAR = (
    (_DAYS,),
    (_DAYS, _NANOSECONDS),
    (_DAYS, _NANOSECONDS, _OFFSETS),
    (_DAYS, _NANOSECONDS, _OFFSETS, _ZONE),
    (_NANOSECONDS, _OFFSETS),
    (_YEARS,),
    (_YEARS, _MONTHS),
    (_MONTHS, range(1, 32)),
    (_MONTHS,),
    (range(1, 8),),
    (_I32, _I32, _I32),
    (_OFFSETS,),
    (_ZONE,),
)
_DATE, _DAY_OF_MONTH = "0", "7"


def _calendar(payload: Payload) -> bytes:
    kind = payload.scalar()
    fields = _CALENDAR[range(len(_CALENDAR)).index(int(kind["int"]))]
    values = [payload.scalar() for _ in fields]
    for value, allowed in zip(values, fields, strict=True):
        _check(value["str"] if allowed is _ZONE else int(value["int"]) in allowed)
    if kind["int"] == _DATE:
        _check(int(values[0]["int"]) not in _I32)
    if kind["int"] == _DAY_OF_MONTH:
        month, day = (int(value["int"]) for value in values)
        _check(day <= _DAYS_OF_MONTHS[month - 1])
    return _written(kind, *values)


def _named(payload: Payload) -> bytes:
    name = payload.scalar()
    _check(name is None or name["str"] != "")
    value = payload.value()
    _check(name is not None or "str" in value)
    return _written(name, value)


def _typed_array(payload: Payload) -> bytes:
    raw = payload.rest()
    _check((len(raw) - 1) % ELEMENT_SIZES[raw[0]] == 0)
    return raw


_READERS: dict[int, Callable[[Payload], bytes]] = {
    80: _name,
    81: _name,
    82: _character,
    RATIO: _ratio,
    DECIMAL: _decimal,
    85: _sized(16),
    SET: _set,
    87: _sized(4),
    88: _time,
    89: _duration,
    NAMED_VALUE: _named,
    95: _calendar,
    0x74: _typed_array,
}
