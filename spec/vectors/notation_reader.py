"""A plain reader of diagnostic notation (``spec/diagnostic-notation.md``), without ``columns(...)``.

>>> read('[1, "a"_str8] // two values').hex()
'9201d90161'
>>> read("5.")
Traceback (most recent call last):
    ...
vectors.notation_reader.Refused: character 1: a message ends with the text, white space or a comment
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from fractions import Fraction

from .writer import encode, encode_int

INTEGERS = {f"{sign}{bits}": (marker, bits // 8) for marker, (sign, bits) in enumerate(
    ((sign, bits) for sign in "ui" for bits in (8, 16, 32, 64)), 0xCC
)}  # fmt: skip
# Of each family the first marker of its fix format, how many that has, and the markers by size.
FAMILIES = {
    "str": (0xA0, 32, {1: 0xD9, 2: 0xDA, 4: 0xDB}),
    "bin": (0, 0, {1: 0xC4, 2: 0xC5, 4: 0xC6}),
    "array": (0x90, 16, {2: 0xDC, 4: 0xDD}),
    "map": (0x80, 16, {2: 0xDE, 4: 0xDF}),
    "ext": (0, 0, {1: 0xC7, 2: 0xC8, 4: 0xC9}),
}
FIXEXT = {1: 0xD4, 2: 0xD5, 4: 0xD6, 8: 0xD7, 16: 0xD8}
RECORD_TYPE = 0x72

_SPACE = re.compile(r"(?:[ \t\n\r\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NUMBER = re.compile(r"-?(?:inf|0x[0-9A-Fa-f]+|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
_INTEGER = re.compile(r"-?(?:0x[0-9A-Fa-f]+|[0-9]+)")
_HEXADECIMAL = re.compile(r"0x[0-9A-Fa-f]+")
_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"')
_BYTES = re.compile(r"h'[ \t\n\r]*(?:[0-9A-Fa-f]{2}[ \t\n\r]*)*'")
_SUFFIX = re.compile("_([a-z]+[0-9]*)")
_WORD = re.compile("[a-z]+")
_ID = re.compile("(##?)([0-9]+)")
_TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?Z")
_WORDS = {"nil": b"\xc0", "null": b"\xc0", "true": b"\xc3", "false": b"\xc2"}


class Refused(Exception):
    """The text is not diagnostic notation."""


def read(text: str, *, records: bool = False, shared: list | None = None, sequential: bool = False) -> bytes:
    """The bytes of the messages in the text."""
    return _Reader(text, records, [len(keys) for keys in shared or []], sequential).messages()


class _Reader:
    def __init__(self, text: str, records: bool, shared: list[int], sequential: bool) -> None:
        self.text = text
        self.pos = 0
        self.records = records
        self.shared = shared
        self.sequential = sequential
        self.forget()

    def forget(self) -> None:
        self.fields = dict(enumerate(self.shared))
        self.wide = {0x60 + index % 32 for index in range(32, len(self.shared))}

    def messages(self) -> bytes:
        out = b""
        self.space()
        while self.pos < len(self.text):
            if not self.sequential:
                self.forget()
            out += self.value()
            ends = self.pos
            self.space()
            self.check(self.pos in range(ends + 1, len(self.text) + 1) or ends == len(self.text),
                "a message ends with the text, white space or a comment")  # fmt: skip
        return out

    # Tokens.

    def check(self, fine: bool, what: str) -> None:
        if not fine:
            raise Refused(f"character {self.pos}: {what}")

    def space(self) -> None:
        self.pos = _SPACE.match(self.text, self.pos).end()

    def token(self, pattern: re.Pattern, what: str) -> re.Match:
        found = pattern.match(self.text, self.pos)
        self.check(found is not None, f"expected {what}")
        self.pos = found.end()
        return found

    def sign(self, sign: str) -> bool:
        """Takes a bracket, comma or colon, and the space before it, if it follows."""
        before = self.pos
        self.space()
        found = self.text.startswith(sign, self.pos)
        self.pos = self.pos + 1 if found else before
        return found

    def expect(self, sign: str) -> None:
        self.check(self.sign(sign), f"expected {sign}")
        self.space()

    def suffix(self) -> str | None:
        found = _SUFFIX.match(self.text, self.pos)
        if found is None:
            return None
        self.pos = found.end()
        return found[1]

    def no_suffix(self) -> None:
        self.check(self.suffix() is None, "a suffix of another kind")

    # Values.

    def value(self) -> bytes:
        first = self.text[self.pos : self.pos + 1]
        if first == '"':
            return self.counted("str", self.quoted().encode("utf-8"))
        if first == "[":
            count, body = self.array()
            return self.header("array", count, self.suffix()) + body
        if first == "{":
            count, body = self.list_of("}", self.pair)
            return self.header("map", count, self.suffix()) + body
        if first == "#":
            return self.record()
        if _NUMBER.match(self.text, self.pos):
            return self.number()
        if self.text.startswith("h'", self.pos):
            return self.counted("bin", self.bytes())
        word = self.token(_WORD, "a value")[0]
        if word in _WORDS:
            self.no_suffix()
            return _WORDS[word]
        readers = {"nan": self.nan, "str": self.raw_str, "ext": self.ext, "timestamp": self.timestamp}
        self.check(word in readers, "not a value")
        return readers[word]()

    def array(self) -> tuple[int, bytes]:
        return self.list_of("]", self.value)

    def pair(self) -> bytes:
        key = self.value()
        self.expect(":")
        return key + self.value()

    def list_of(self, close: str, item: Callable[[], bytes]) -> tuple[int, bytes]:
        """What is between an opening bracket and ``close``: how many items, and their bytes."""
        self.pos += 1
        parts: list[bytes] = []
        while not self.sign(close):
            self.space()
            parts.append(item())
            if not self.sign(","):
                self.check(self.sign(close), "expected a comma or the closing bracket")
                break
        return len(parts), b"".join(parts)

    def number(self) -> bytes:
        text = self.token(_NUMBER, "a number")[0]
        suffix = self.suffix()
        if not _INTEGER.fullmatch(text):
            self.check(suffix in (None, "f32"), "a suffix of another kind")
            try:
                return b"\xcb" + _double(text) if suffix is None else b"\xca" + _single(text)
            except OverflowError:
                self.check(False, "too large for a float")
        number = int(text, 0 if "x" in text else 10)
        if suffix is None:
            self.check(-(2**63) <= number < 2**64, "outside the range of integers")
            return b"\xcc" + bytes([number]) if self.records and 64 <= number <= 127 else encode_int(number)
        if suffix == "fix":
            self.check(-32 <= number <= 127, "too large for its suffix")
            taken = number in range(64, 128) and (number in self.wide or number - 64 in self.fields)
            self.check(not (self.records and taken), "this is the id of a record")
            return struct.pack("b", number)
        self.check(suffix in INTEGERS, "a suffix of another kind")
        marker, size = INTEGERS[suffix]
        try:
            return bytes([marker]) + number.to_bytes(size, "big", signed=marker >= 0xD0)
        except OverflowError:
            self.check(False, "too large for its suffix")
            raise

    def nan(self) -> bytes:
        digits = None
        if self.sign("("):
            self.space()
            digits = int(self.token(_HEXADECIMAL, "the bits of a NaN")[0], 16)
            self.expect_close()
        suffix = self.suffix()
        self.check(suffix in (None, "f32"), "a suffix of another kind")
        size, usual = (8, 0x7FF8 << 48) if suffix is None else (4, 0x7FC00000)
        bits = usual if digits is None else digits
        self.check(bits < 1 << 8 * size, "more bits than a float has")
        raw = bits.to_bytes(size, "big")
        number = struct.unpack(">d" if size == 8 else ">f", raw)[0]
        self.check(number != number, "these are not the bits of a NaN")
        return (b"\xcb" if size == 8 else b"\xca") + raw

    def quoted(self) -> str:
        text = json.loads(self.token(_TEXT, "a text")[0])
        self.check(not any("\ud800" <= letter <= "\udfff" for letter in text), "half of a surrogate pair")
        return text

    def bytes(self) -> bytes:
        return bytes.fromhex("".join(self.token(_BYTES, "bytes, h'00ff'")[0][2:-1].split()))

    def raw_str(self) -> bytes:
        self.expect("(")
        raw = self.bytes()
        self.expect_close()
        return self.counted("str", raw)

    def ext(self) -> bytes:
        self.expect("(")
        code = self.integer()
        self.check(-128 <= code <= 127, "an ext type is -128 to 127")
        self.check(not (self.records and code == RECORD_TYPE), "this is the type of records")
        self.expect(",")
        payload = self.bytes()
        self.expect_close()
        suffix = self.suffix()
        fixed = FIXEXT.get(len(payload)) if suffix is None else None
        header = self.header("ext", len(payload), suffix) if fixed is None else bytes([fixed])
        return header + struct.pack("b", code) + payload

    def timestamp(self) -> bytes:
        self.expect("(")
        if self.text[self.pos : self.pos + 1] == '"':
            moment = _moment(self.quoted())
            self.check(moment is not None, "not a date and time")
            seconds, nanoseconds = moment
        else:
            seconds = self.integer()
            self.expect(",")
            nanoseconds = self.integer()
            self.check(-(2**63) <= seconds < 2**63 and 0 <= nanoseconds < 10**9, "not a timestamp")
        self.expect_close()
        self.no_suffix()
        return encode({"timestamp": [str(seconds), nanoseconds]})

    def integer(self) -> int:
        text = self.token(_INTEGER, "an integer")[0]
        return int(text, 0 if "x" in text else 10)

    def expect_close(self) -> None:
        self.check(self.sign(")"), "expected )")

    def counted(self, family: str, raw: bytes) -> bytes:
        return self.header(family, len(raw), self.suffix()) + raw

    def header(self, family: str, length: int, suffix: str | None) -> bytes:
        first, many, markers = FAMILIES[family]
        if suffix is None:
            if length < many:
                return bytes([first + length])
            size = next(size for size in markers if length < 1 << 8 * size)
        else:
            size = next((size for size in markers if suffix == f"{family}{8 * size}"), 0)
            self.check(size > 0, "a suffix of another kind")
            self.check(length < 1 << 8 * size, "too large for its suffix")
        return bytes([markers[size]]) + length.to_bytes(size, "big")

    # Records.

    def record(self) -> bytes:
        self.check(self.records, "records are off")
        sharp, digits = self.token(_ID, "an id").groups()
        number = int(digits)
        wide = sharp == "##"
        self.check(number in (range(96, 8256) if wide else range(64, 128)), "not an id")
        index = number - 64
        low = 0x60 + index % 32 if wide else number
        ident = bytes([low, (index - 32) // 32] if wide else [low])
        head = ident
        self.space()
        if self.text[self.pos : self.pos + 1] == "[":
            count, keys = self.list_of("]", self.key)
            head = (b"\xd5\x72" if wide else b"\xd4\x72") + ident
            head += self.header("array", count, self.suffix()) + keys
            self.fields[index] = count
            (self.wide.add if wide else self.wide.discard)(low)
        else:
            self.check(index in self.fields and wide == (low in self.wide), "an id that is not defined")
        count = self.fields[index]
        self.space()
        self.check(self.text[self.pos : self.pos + 1] == "(", "expected (")
        found, values = self.list_of(")", self.value)
        self.check(found == count, "not as many values as keys")
        self.no_suffix()
        return head + values

    def key(self) -> bytes:
        if self.text.startswith("str", self.pos):
            self.pos += 3
            return self.raw_str()
        return self.counted("str", self.quoted().encode("utf-8"))


def _double(text: str) -> bytes:
    number = float(text)
    if number in (float("inf"), float("-inf")) and not text.endswith("inf"):
        raise OverflowError
    return struct.pack(">d", number)


def _single(text: str) -> bytes:
    """The nearest binary32, of two equally near the one whose last bit is 0; rounded once."""
    number = struct.unpack(">d", _double(text))[0]
    if text.endswith("inf") or abs(number) < 2.0**-150:
        return struct.pack(">f", number)
    exact = abs(Fraction(text))
    if exact >= 2**128 - 2**103:
        raise OverflowError
    nearest = int.from_bytes(struct.pack(">f", min(abs(number), 2.0**128 - 2.0**104)), "big")
    candidates = range(max(nearest - 1, 0), min(nearest + 1, 0x7F7FFFFF) + 1)

    def distance(bits: int) -> tuple[Fraction, int]:
        return abs(exact - Fraction(struct.unpack(">f", bits.to_bytes(4, "big"))[0])), bits & 1

    bits = min(candidates, key=distance)
    return ((1 << 31 if number < 0 else 0) | bits).to_bytes(4, "big")


def _moment(text: str) -> tuple[int, int] | None:
    """Seconds and nanoseconds of a date and time of RFC 3339 in UTC."""
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second = map(int, found.groups()[:6])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days_of_months = (31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not 1 <= month <= 12 or not 1 <= day <= days_of_months[month - 1]:
        return None
    if hour > 23 or minute > 59 or second > 59:
        return None
    before = year - 1  # whole years since the year 1, with a year 0 before them
    days = 365 * before + before // 4 - before // 100 + before // 400 + sum(days_of_months[: month - 1])
    seconds = (days + day - 1 - 719_162) * 86_400 + hour * 3600 + minute * 60 + second
    return seconds, int((found[7] or "").ljust(9, "0"))
