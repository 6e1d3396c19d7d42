"""Rare conversions, written in Python: the compiled half looks them up here."""

from __future__ import annotations

import array
import datetime
import decimal
import fractions
import functools
import re
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from packord._typing.texts import nanoseconds

if TYPE_CHECKING:
    from packord import Ext

KEYWORD, SYMBOL, CHARACTER, RATIO, DECIMAL, UUID, SET, DATE, TIME, DURATION = range(80, 90)
_TYPED_ARRAY = 0x74
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_FIRST_DAY = datetime.date(1970, 1, 1).toordinal()
_SCALE_LIMIT = 2**31
_INTEGERS = range(-(2**63), 2**64)
# Rounds nothing, and has room for every scale.
_EXACT = decimal.Context(
    prec=decimal.MAX_PREC,
    Emin=decimal.MIN_EMIN,
    Emax=decimal.MAX_EMAX,
    traps=[decimal.Inexact, decimal.InvalidOperation],
)
# The most bytes, and the most digits, that are converted in one piece.
_PIECE = 512
_BASE = decimal.Decimal(256**_PIECE)
_FEW_DIGITS = 4000
# What a buffer may say of its items, without the names of fields: numbers, text and padding.
_PLAIN_ITEMS = re.compile(r"([@=<>!^ (),0-9T{}xcbB?hHiIlLqQnNefdgspuwFDG]|Z[fdg])*")
_PLAIN_CTYPES = frozenset("cbB?hHiIlLqQfdguvCDEFG")


def datetime_parts(value: datetime.datetime) -> tuple[int, int]:
    """Seconds and nanoseconds of a ``datetime``; a naive one is local time, as in its methods."""
    since = (value if value.tzinfo is not None else value.astimezone()) - _EPOCH
    return since.days * 86_400 + since.seconds, since.microseconds * 1000


def has_plain_items(data: Any) -> bool:
    """Whether no item of a buffer is an address, which means nothing elsewhere and tells where
    things are in memory."""
    view = memoryview(data)
    ctypes = sys.modules.get("ctypes")
    # It does not say what is in unions, in packed structures and in the bases of structures.
    if ctypes is not None and isinstance(view.obj, ctypes.Structure.__base__):
        return _is_plain_ctype(ctypes, type(view.obj))
    return _PLAIN_ITEMS.fullmatch(re.sub(":[^:]*:", "", view.format)) is not None


def _is_plain_ctype(ctypes: Any, cls: Any) -> bool:
    if issubclass(cls, ctypes.Array):
        return _is_plain_ctype(ctypes, cls._type_)
    if issubclass(cls, (ctypes.Structure, ctypes.Union)):
        fields = [field for base in cls.__mro__ for field in vars(base).get("_fields_", ())]
        return all(_is_plain_ctype(ctypes, field[1]) for field in fields)
    return issubclass(cls, ctypes._SimpleCData) and cls._type_ in _PLAIN_CTYPES


def column_of_objects(table: Any) -> str | None:
    """The name of a column of a table of polars that has objects of Python, which a stream of Arrow
    and a file have as their addresses in bytes; ``None`` for all other tables."""
    schema = getattr(table, "schema", None)
    # A Series has one type, and is the column itself.
    types: Mapping[Any, Any] = {"": getattr(table, "dtype", None)}
    for name, dtype in (schema if isinstance(schema, Mapping) else types).items():
        while hasattr(type(dtype), "ext_storage"):
            dtype = dtype.ext_storage()
        # By name: the frames of narwhals hand out the same streams.
        if type(dtype).__name__ == "Object":
            return str(name)
    return None


def to_ext(value: Any) -> Ext | None:
    """The ext value of an object of a rich type; ``None`` if an ext can't hold it."""
    from packord import Ext

    if isinstance(value, decimal.Decimal):
        sign, digits, exponent = value.as_tuple()
        if not isinstance(exponent, int) or not -_SCALE_LIMIT <= -exponent < _SCALE_LIMIT:
            return None
        if sign and not any(digits):
            return None
        unscaled = _of_digits(digits)
        return Ext(DECIMAL, _packed(-exponent) + signed(-unscaled if sign else unscaled))
    if isinstance(value, fractions.Fraction):
        return Ext(RATIO, _packed(value.numerator) + _packed(value.denominator))
    if isinstance(value, datetime.timedelta):
        seconds = value.days * 86_400 + value.seconds
        payload = nanoseconds(value).to_bytes(4, "big") + seconds.to_bytes(8, "big", signed=True)
        return Ext(DURATION, payload)
    if isinstance(value, array.array) and value.typecode not in "uw":
        from packord._packord import _TYPED

        kind = "f" if value.typecode in "fd" else "u" if value.typecode.isupper() else "i"
        element = _TYPED[f"{kind}{value.itemsize}"]
        return Ext(_TYPED_ARRAY, bytes([element]) + value.tobytes())
    return None


def from_ext(code: int, data: bytes, *numbers: Any) -> Any:
    """The value of an ext; ``None`` if Python has none for it. ``ValueError`` if malformed.
    ``numbers``: those that a ratio or decimal begins with; ``data`` is then what follows them."""
    return _READERS[code](data, *numbers)


def _ratio(rest: bytes, numerator: int, denominator: int) -> Any:
    ratio = None if rest or denominator <= 0 else fractions.Fraction(numerator, denominator)
    if ratio is None or (
        numerator in _INTEGERS and denominator in _INTEGERS and ratio.denominator != denominator
    ):
        raise ValueError("malformed ratio")
    return ratio


def _decimal(unscaled: bytes, scale: int) -> Any:
    if not -_SCALE_LIMIT <= scale < _SCALE_LIMIT or not unscaled:
        raise ValueError("malformed decimal")
    number = int.from_bytes(unscaled, "big", signed=True)
    if unscaled != signed(number):
        raise ValueError("malformed decimal")
    return _EXACT.scaleb(_exactly(number), -scale)


def _exactly(number: int) -> decimal.Decimal:
    """The number as a decimal, made of pieces: in one piece it would take quadratic time."""
    size = number.bit_length() // 8 + 1
    data = number.to_bytes(size, "little", signed=True)
    cuts = [data[start : start + _PIECE] for start in range(0, size, _PIECE)]
    # The last one alone has the sign.
    parts = [decimal.Decimal(int.from_bytes(cut, "little")) for cut in cuts[:-1]]
    parts.append(decimal.Decimal(int.from_bytes(cuts[-1], "little", signed=True)))
    base = _BASE
    while len(parts) > 1:
        parts += [decimal.Decimal(0)] * (len(parts) % 2)
        pairs = zip(parts[::2], parts[1::2])
        parts = [_EXACT.fma(high, base, low) for low, high in pairs]
        base = _EXACT.multiply(base, base)
    return parts[0]


def _of_digits(digits: tuple[int, ...]) -> int:
    """The number with these decimal digits, made of halves: `int` refuses thousands of them."""
    if len(digits) <= _FEW_DIGITS:
        return int("".join(map(str, digits)) or "0")
    half = len(digits) // 2
    power: int = 10**half
    return _of_digits(digits[:-half]) * power + _of_digits(digits[-half:])


def _uuid(data: bytes) -> Any:
    if len(data) != 16:
        raise ValueError("a uuid has 16 bytes")
    return uuid.UUID(bytes=data)


def _date(data: bytes) -> Any:
    if len(data) != 4:
        raise ValueError("a date has 4 bytes")
    ordinal = _FIRST_DAY + int.from_bytes(data, "big", signed=True)
    if not 1 <= ordinal <= datetime.date.max.toordinal():
        return None
    return datetime.date.fromordinal(ordinal)


def _time(data: bytes) -> Any:
    of_day = int.from_bytes(data, "big")
    if len(data) != 8 or of_day >= 86_400_000_000_000:
        raise ValueError("malformed time")
    if of_day % 1000:
        return None
    seconds, microseconds = divmod(of_day // 1000, 1_000_000)
    return datetime.time(seconds // 3600, seconds // 60 % 60, seconds % 60, microseconds)


def _duration(data: bytes) -> Any:
    fraction = int.from_bytes(data[:4], "big")
    if len(data) != 12 or fraction > 999_999_999:
        raise ValueError("malformed duration")
    if fraction % 1000:
        return None
    try:
        seconds = int.from_bytes(data[4:], "big", signed=True)
        return datetime.timedelta(seconds=seconds, microseconds=fraction // 1000)
    except OverflowError:
        return None


def _name(data: bytes) -> Any:
    # A keyword or a symbol of Clojure: checked, and kept as it is.
    if not data.decode():
        raise ValueError("the name is empty")


def _character(data: bytes) -> Any:
    if len(data.decode()) != 1:
        raise ValueError("not one character")


_READERS: dict[int, Callable[..., Any]] = {
    KEYWORD: _name,
    SYMBOL: _name,
    CHARACTER: _character,
    RATIO: _ratio,
    DECIMAL: _decimal,
    UUID: _uuid,
    DATE: _date,
    TIME: _time,
    DURATION: _duration,
}


def signed(number: int) -> bytes:
    """Big-endian two's complement, as short as it can be, at least one byte."""
    bits = (number if number >= 0 else ~number).bit_length() + 1
    return number.to_bytes((bits + 7) // 8, "big", signed=True)


def from_signed(data: bytes) -> int:
    """The number that :func:`signed` gave the bytes of, or longer ones."""
    return int.from_bytes(data, "big", signed=True)


def packed_key(key: Any) -> bytes:
    """The bytes of a key, for the path of an error."""
    from packord import packb

    return packb(key, rich=True)


def _packed(number: int) -> bytes:
    from packord import packb

    return packb(number, bigint=True)


def make_set(items: tuple[Any, ...]) -> set[Any]:
    """A set of the items, which are all different. A ``ValueError`` for items that were chosen so
    that their hashes are equal, as a set of them takes very long."""
    if items and max(Counter(map(hash, items)).values()) > 128:
        raise ValueError("too many elements have the same hash")
    return set(items)


@functools.lru_cache(maxsize=256, typed=True)
def decoder_of(**keywords: Any) -> Any:
    """The decoder of these keywords, the same for equal ones."""
    from packord import Decoder

    return Decoder(**keywords)


def lies_in_dict(cls: type, name: str) -> bool:
    """Whether nothing in the class comes before an instance's own attribute of that name."""
    for base in cls.__mro__:
        if name in vars(base):
            kind = type(vars(base)[name])
            return not (hasattr(kind, "__set__") or hasattr(kind, "__delete__"))
    return True
