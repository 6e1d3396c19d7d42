"""Which payloads of packord's own ext types are well-formed (``spec/extensions.md``)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from writer import Identity, twos_complement

ELEMENT_SIZES = {
    0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 8: 8, 9: 8, 10: 8, 16: 1, 17: 1,
}  # fmt: skip
NANOSECONDS_OF_A_DAY = 86_400_000_000_000

Read = Callable[[bytes, int], tuple[list, bytes]]


def is_well_formed(code: int, payload: bytes, read: Read) -> bool:
    """Whether ``payload`` is one that the handler of type ``code`` takes.

    ``read`` decodes the given number of values, returns them and the bytes after them,
    and raises an exception when it cannot.
    """
    try:
        return _CHECKS[code](payload, read)
    except Exception:  # whatever is wrong inside makes the payload malformed
        return False


def _name(payload: bytes, read: Read) -> bool:
    return len(payload.decode("utf-8")) > 0


def _character(payload: bytes, read: Read) -> bool:
    return len(payload.decode("utf-8")) == 1


def _ratio(payload: bytes, read: Read) -> bool:
    items, rest = read(payload, 2)
    numerator, denominator = map(_integer, items)
    return not rest and denominator > 0 and Fraction(numerator, denominator).denominator == denominator


def _integer(item: dict) -> int:
    if "ext" in item:
        code, digits = item["ext"]
        if code != 0x42 or not digits:
            raise ValueError(item)
        return int.from_bytes(bytes.fromhex(digits), "big", signed=True)
    return int(item["int"])


def _decimal(payload: bytes, read: Read) -> bool:
    (item,), unscaled = read(payload, 1)
    number = int.from_bytes(unscaled, "big", signed=True)
    return -(2**31) <= int(item["int"]) < 2**31 and unscaled == twos_complement(number)


def _uuid(payload: bytes, read: Read) -> bool:
    return len(payload) == 16


def _set(payload: bytes, read: Read) -> bool:
    (item,), rest = read(payload, 1)
    elements = list(map(Identity().message, item["array"]))
    return not rest and len(set(elements)) == len(elements)


def _date(payload: bytes, read: Read) -> bool:
    return len(payload) == 4


def _time(payload: bytes, read: Read) -> bool:
    return len(payload) == 8 and int.from_bytes(payload, "big") < NANOSECONDS_OF_A_DAY


def _duration(payload: bytes, read: Read) -> bool:
    return len(payload) == 12 and int.from_bytes(payload[:4], "big") <= 999_999_999


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
_DATE, _DAY_OF_MONTH = 0, 7


def _calendar(payload: bytes, read: Read) -> bool:
    (item,), rest = read(payload, 1)
    kind = int(item["int"])
    if kind not in range(len(_CALENDAR)):
        return False
    items, rest = read(rest, len(_CALENDAR[kind]))
    for item, allowed in zip(items, _CALENDAR[kind], strict=True):
        if not (item["str"] if allowed is _ZONE else int(item["int"]) in allowed):
            return False
    if kind == _DATE and int(items[0]["int"]) in _I32:
        return False
    if kind == _DAY_OF_MONTH:
        month, day = (int(item["int"]) for item in items)
        return not rest and day <= _DAYS_OF_MONTHS[month - 1]
    return not rest


def _named(payload: bytes, read: Read) -> bool:
    (name, value), rest = read(payload, 2)
    return not rest and ("str" in value if name is None else len(name["str"]) > 0)


def _typed_array(payload: bytes, read: Read) -> bool:
    return (len(payload) - 1) % ELEMENT_SIZES[payload[0]] == 0


_CHECKS: dict[int, Callable[[bytes, Read], bool]] = {
    80: _name,
    81: _name,
    82: _character,
    83: _ratio,
    84: _decimal,
    85: _uuid,
    86: _set,
    87: _date,
    88: _time,
    89: _duration,
    95: _calendar,
    94: _named,
    0x74: _typed_array,
}
