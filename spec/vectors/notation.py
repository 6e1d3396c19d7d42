"""The diagnostic notation of well-formed bytes (``spec/diagnostic-notation.md``).

Written from the bytes, apart from the reader in ``reference.py``, so that each checks
the other.
"""

from __future__ import annotations

import struct
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_UP, Context, Decimal
from itertools import count

_SUFFIX = {0xCC: "u8", 0xCD: "u16", 0xCE: "u32", 0xCF: "u64"} | {
    0xD0: "i8", 0xD1: "i16", 0xD2: "i32", 0xD3: "i64",
}  # fmt: skip
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n"} | {
    "\r": "\\r", "\t": "\\t",
}  # fmt: skip

# Enough for the digits of every float 64.
_EXACT = Context(prec=800)


def notation(data: bytes, *, records: bool = False, shared: list | None = None) -> str:
    """The text of the messages in ``data``, one a line; definitions end with their message."""
    lines, pos = [], 0
    while pos < len(data):
        printer = _Printer(data, pos, records, shared or [])
        lines.append(printer.value())
        pos = printer.pos
    return "\n".join(lines)


class _Printer:
    def __init__(self, data: bytes, pos: int, records: bool, shared: list) -> None:
        self.data = data
        self.pos = pos
        self.records = records
        self.fields = {index: len(keys) for index, keys in enumerate(shared)}
        self.wide = {0x60 + index % 32 for index in range(32, len(shared))}

    def take(self, count: int) -> bytes:
        self.pos += count
        return self.data[self.pos - count : self.pos]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def value(self) -> str:
        marker = self.take(1)[0]
        if self.records and 0x40 <= marker <= 0x7F:
            return self.record(marker)
        if marker <= 0x7F:
            return str(marker)
        if marker >= 0xE0:
            return str(marker - 256)
        if marker <= 0x8F:
            return self.map(marker & 15)
        if marker <= 0x9F:
            return self.array(marker & 15)
        if marker <= 0xBF:
            return self.text(marker & 31)
        if marker in (0xC0, 0xC2, 0xC3):
            return {0xC0: "nil", 0xC2: "false", 0xC3: "true"}[marker]
        if marker <= 0xC6:
            size = 1 << marker - 0xC4
            length = self.number(size)
            return f"h'{self.take(length).hex()}'" + _wider("bin", size, length, 0)
        if marker <= 0xC9:
            size = 1 << marker - 0xC7
            length = self.number(size)
            fix = length in (1, 2, 4, 8, 16)
            return self.ext(length, size, fix)
        if marker <= 0xCB:
            return _float(self.take(4 if marker == 0xCA else 8))
        if marker <= 0xD3:
            return self.integer(marker)
        if marker <= 0xD8:
            return self.ext(1 << marker - 0xD4, 0, True)
        if marker <= 0xDB:
            size = 1 << marker - 0xD9
            length = self.number(size)
            return self.text(length) + _wider("str", size, length, 31)
        size = 2 if marker in (0xDC, 0xDE) else 4
        count = self.number(size)
        if marker <= 0xDD:
            return self.array(count) + _wider("array", size, count, 15)
        return self.map(count) + _wider("map", size, count, 15)

    def integer(self, marker: int) -> str:
        size = 1 << (marker & 3)
        raw = self.take(size)
        number = int.from_bytes(raw, "big", signed=marker >= 0xD0)
        if number >= 0:
            minimal = marker < 0xD0 and number > 127 and size == _bytes_of(number)
            if self.records and marker == 0xCC and 64 <= number <= 127:
                minimal = True
        else:
            minimal = number < -32 and not any(
                number >= -(1 << 8 * less - 1) for less in (1, 2, 4) if less < size
            )
        return f"{number}" if minimal else f"{number}_{_SUFFIX[marker]}"

    def text(self, length: int) -> str:
        raw = self.take(length)
        try:
            return quote(raw.decode("utf-8"))
        except UnicodeDecodeError:
            return f"str(h'{raw.hex()}')"

    def array(self, count: int) -> str:
        return "[" + ", ".join(self.value() for _ in range(count)) + "]"

    def map(self, count: int) -> str:
        pairs = (f"{self.value()}: {self.value()}" for _ in range(count))
        return "{" + ", ".join(pairs) + "}"

    def ext(self, length: int, size: int, fix: bool) -> str:
        code = int.from_bytes(self.take(1), "big", signed=True)
        if self.records and code == 0x72:
            return self.definition(length)
        payload = self.take(length)
        minimal = size == (0 if fix else _bytes_of(length))
        if code == -1 and minimal:
            text = _timestamp(payload)
            if text is not None:
                return text
        return f"ext({code}, h'{payload.hex()}')" + ("" if minimal else f"_ext{8 * size}")

    def definition(self, length: int) -> str:
        low = self.number(1)
        index = low - 0x40
        if length == 2:
            index += 32 * self.number(1)
            self.wide.add(low)
        else:
            self.wide.discard(low)
        sharp = "##" if length == 2 else "#"
        marker, *following = self.data[self.pos : self.pos + 5]
        size = {0xDC: 2, 0xDD: 4}.get(marker, 0)
        count = int.from_bytes(bytes(following[:size]), "big") if size else marker & 15
        keys = self.value()
        self.fields[index] = count
        return f"{sharp}{index + 0x40}{keys}({self.values(count)})"

    def record(self, marker: int) -> str:
        index = marker - 0x40
        sharp = "#"
        if marker in self.wide:
            index += 32 * self.number(1)
            sharp = "##"
        elif index not in self.fields:
            return f"{marker}_fix"
        return f"{sharp}{index + 0x40}({self.values(self.fields[index])})"

    def values(self, count: int) -> str:
        return ", ".join(self.value() for _ in range(count))


def quote(content: str) -> str:
    """A str in quotes."""
    out = []
    for letter in content:
        if letter in _ESCAPES:
            out.append(_ESCAPES[letter])
        elif letter < " " or letter == "\x7f":
            out.append(f"\\u{ord(letter):04x}")
        else:
            out.append(letter)
    return '"' + "".join(out) + '"'


def _bytes_of(number: int) -> int:
    return 1 if number < 1 << 8 else 2 if number < 1 << 16 else 4 if number < 1 << 32 else 8


def _wider(family: str, size: int, length: int, fix: int) -> str:
    least = 0 if fix and length <= fix else _bytes_of(length)
    if least == 1 and family in ("array", "map"):
        least = 2
    return "" if size == least else f"_{family}{8 * size}"


def _float(raw: bytes) -> str:
    single = len(raw) == 4
    suffix = "_f32" if single else ""
    (number,) = struct.unpack(">f" if single else ">d", raw)
    if number != number:
        usual = "7fc00000" if single else "7ff8000000000000"
        return ("nan" if raw.hex() == usual else f"nan(0x{raw.hex()})") + suffix
    if number in (float("inf"), float("-inf")):
        return ("-inf" if number < 0 else "inf") + suffix
    return _decimal(_shortest(number, raw)) + suffix


def _shortest(number: float, raw: bytes) -> str:
    """The shortest digits that read back; of these the nearest, then the one that ends even."""
    exact = Decimal(number)
    for digits in count(0):
        step = Decimal(1).scaleb(exact.adjusted() - digits)
        near = (
            exact.quantize(step, rounding, _EXACT) for rounding in (ROUND_HALF_EVEN, ROUND_DOWN, ROUND_UP)
        )
        # The nearest may be read as a neighbour, because floats below a power of two are denser.
        for text in (f"{decimal:.{digits}e}" for decimal in near):
            if _reads_back(text, raw):
                return text
    raise AssertionError(raw)


def _reads_back(text: str, raw: bytes) -> bool:
    try:
        return struct.pack(">f" if len(raw) == 4 else ">d", float(text)) == raw
    except OverflowError:
        return False


def _decimal(scientific: str) -> str:
    """The notation of a finite number in Python's scientific format, such as ``-1.5e-07``."""
    mantissa, _, power = scientific.partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    digits, exponent = mantissa.lstrip("-").replace(".", ""), int(power)
    if digits != "0" and not -4 <= exponent < 16:
        return f"{mantissa}e{exponent}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    digits = digits.ljust(exponent + 2, "0")
    return f"{sign}{digits[: exponent + 1]}.{digits[exponent + 1 :]}"


def _timestamp(payload: bytes) -> str | None:
    """``None`` when a smaller format would do, or the payload is malformed."""
    if len(payload) == 4:
        seconds, nanoseconds = int.from_bytes(payload, "big"), 0
    elif len(payload) == 8:
        both = int.from_bytes(payload, "big")
        seconds, nanoseconds = both & (1 << 34) - 1, both >> 34
        if nanoseconds == 0 and seconds < 1 << 32:
            return None
    elif len(payload) == 12:
        nanoseconds, seconds = struct.unpack(">Iq", payload)
        if 0 <= seconds < 1 << 34:
            return None
    else:
        return None
    if nanoseconds > 999_999_999:
        return None
    day, second = divmod(seconds, 86400)
    year, month, day_of_month = _civil(day)
    if not 0 <= year <= 9999:
        return f"timestamp({seconds}, {nanoseconds})"
    fraction = f".{nanoseconds:09}".rstrip("0") if nanoseconds else ""
    clock = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
    return f'timestamp("{year:04}-{month:02}-{day_of_month:02}T{clock}{fraction}Z")'


def _civil(day: int) -> tuple[int, int, int]:
    """Year, month and day of the proleptic Gregorian calendar; day 0 is 1970-01-01."""
    era, rest = divmod(day + 719_468, 146_097)  # from 0000-03-01, in eras of 400 years
    year = (rest - rest // 1460 + rest // 36_524 - rest // 146_096) // 365
    of_year = rest - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    day_of_month = of_year - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    return era * 400 + year + (month <= 2), month, day_of_month
