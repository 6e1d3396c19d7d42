"""What packord writes of a program's values, without options or with some (``spec/defaults.md``).

>>> NativeWriter("python").message({"native": "decimal", "text": "1.50"}).hex()
'a4312e3530'
"""

from __future__ import annotations

import struct
from decimal import Decimal
from typing import Any

from .iso_text import SECOND, date_text, days_of, duration_text, nanoseconds_of, offset_text, time_text
from .natives import CLOJURE, JAVASCRIPT, JS_NUMBERS, PYTHON, SERDE, Native, Value
from .options import Fault, Options
from .paths import path_of
from .writer import Writer, canonical_rank, encode, twos_complement

KEYWORD, SYMBOL, CHARACTER, RATIO, DECIMAL, UUID, SET, DATE, TIME, DURATION = range(80, 90)
UNDEFINED, REGEXP, ERROR, TYPED_ARRAY = 0, 0x78, 0x65, 0x74
ELEMENT_TYPES = {
    "i8": (0, "b"), "u8": (1, "B"), "i16": (3, "h"), "u16": (4, "H"), "i32": (5, "i"), "u32": (6, "I"),
    "f32": (7, "f"), "f64": (8, "d"), "i64": (9, "q"), "u64": (10, "Q"),
}  # fmt: skip
# Kinds of ext type 95, of which the first five are dates and times.
CALENDAR_TYPE = 95
CALENDAR = (*range(5), "year", "year_month", "month_day", "month", "day_of_week", "period", "offset", "zone")
BYTE_TYPES = {"Uint8ClampedArray": 2, "ArrayBuffer": 16, "DataView": 17}


class NativeWriter:
    """Writes values of one language with packord's defaults, or with options."""

    def __init__(self, language: str, options: dict | None = None) -> None:
        self.language = language
        more = dict(options or {})
        self.rich = more.pop("rich", False)
        self.sort_keys, self.skip_nil = more.pop("sort_keys", False), more.pop("skip_nil", False)
        # JavaScript replaces lone surrogates, if nothing says that they are an error.
        self.replaces = language in JS_NUMBERS and not more.keys() & {"canonical", "utf8"}
        self.options = Options.of(more)
        self.options.bigint |= self.rich

    def message(self, native: Native) -> bytes:
        """The bytes; a ``Fault`` has the path, and as its detail the option that packs the value."""
        self.steps: list[Any] = []
        self.depth = 0
        try:
            return _Writer(self.options).message(self._value(native))
        except Fault as fault:
            fault.path = fault.path or path_of(self.steps)
            raise

    def _value(self, native: Native) -> Value:
        if not isinstance(native, dict):
            return native
        if "native" in native:
            return getattr(self, "_" + native["native"])(native)
        if "nest" in native:
            return self._nest(native["nest"])
        if "f32" in native:
            return {"f32": native["f32"]}
        ((kind, content),) = native.items()
        if kind == "int":
            return self._integer(content)
        if kind == "array":
            return self._array(content)
        if kind == "map":
            return self._map(content)
        return native

    # Containers, of which each step of the path is kept after a fault.

    def _open(self) -> None:
        if self.depth == self.options.max_depth:
            raise Fault("depth_limit")
        self.depth += 1

    def _child(self, step: Any, native: Native) -> Value:
        self.steps.append(step)
        value = self._value(native)
        self.steps.pop()
        return value

    def _array(self, elements: list[Native]) -> Value:
        self._open()
        written = [self._child(index, element) for index, element in enumerate(elements)]
        self.depth -= 1
        return {"array": written}

    def _nest(self, content: dict) -> Value:
        native = content["inner"]
        for _ in range(content["array"]):
            native = {"array": [native]}
        return self._value(native)

    def _map(self, entries: list[list[Native]], *, drops: bool = True) -> Value:
        """A map; a property of an object that is undefined is left out."""
        self._open()
        written = []
        for key, value in entries:
            if drops and value == {"native": "undefined"}:
                continue
            # A fault in a key has the path of the map.
            steps, self.steps = self.steps, list(self.steps)
            key = self._value(key)
            self.steps = steps
            value = self._child(key, value)
            if value is not None or not self.skip_nil:
                written.append([key, value])
        self.depth -= 1
        if self.sort_keys:
            written.sort(key=lambda pair: canonical_rank(pair[0], encode(pair[0])))
        return {"map": written}

    def _entries(self, native: Native) -> Value:
        return self._map(native["of"], drops=False)

    def _struct(self, native: Native) -> Value:
        return self._map([[{"str": name}, value] for name, value in native["fields"]])

    _object = _struct

    def _variant(self, native: Native) -> Value:
        return self._map([[{"str": native["name"]}, native["value"]]])

    def _sequence(self, native: Native) -> Value:
        return self._array(native["of"])

    _tuple = _sequence

    def _set(self, native: Native) -> Value:
        array = self._array(native["of"])
        if self.options.canonical:
            array["array"].sort(key=lambda value: canonical_rank(value, encode(value, self.options)))
        return self._ext(SET, encode(array, self.options)) if self.rich else array

    def _cycle(self, native: Native) -> Value:
        raise Fault("cycle")

    # Numbers.

    def _integer(self, text: str) -> Value:
        if not -(2**63) <= int(text) < 2**64 and not self.options.bigint:
            raise _fault("out_of_range", "bigint")
        return {"int": text}

    def _bigint(self, native: Native) -> Value:
        return self._integer(native["value"])

    _sized_int = _bigint

    def _float32(self, native: Native) -> Value:
        return {"f32": native["bits"]}

    _float16 = _float32

    def _numbers(self, native: Native) -> Value:
        elements, shape = native["of"], native.get("shape", [])
        if self.rich and not shape and native["type"] in ELEMENT_TYPES:
            code, layout = ELEMENT_TYPES[native["type"]]
            return self._ext(
                TYPED_ARRAY, bytes([code]) + b"".join(_packed("<" + layout, e) for e in elements)
            )
        for length in reversed(shape[1:]):
            elements = [{"array": elements[i : i + length]} for i in range(0, len(elements), length)]
        return self._array(elements)

    def _fraction(self, native: Native) -> Value:
        if not self.rich:
            raise _fault("unsupported_type", "rich")
        parts = native["numerator"], native["denominator"]
        return self._ext(RATIO, b"".join(encode({"int": part}, self.options) for part in parts))

    def _decimal(self, native: Native) -> Value:
        number = Decimal(native["text"])
        # What the ext cannot hold is text as without the option.
        if not self.rich or not number.is_finite() or (number.is_signed() and not number):
            return {"str": native["text"]}
        sign, digits, exponent = number.as_tuple()
        unscaled = int("".join(map(str, digits))) * (-1 if sign else 1)
        return self._ext(DECIMAL, encode({"int": str(-exponent)}) + twos_complement(unscaled))

    # Text.

    def _utf16(self, native: Native) -> Value:
        units = b"".join(struct.pack("<H", unit) for unit in native["units"])
        if self.replaces:
            return {"str": units.decode("utf-16-le", "replace")}
        try:
            return {"str": units.decode("utf-16-le")}
        except UnicodeDecodeError:
            raise Fault("invalid_utf8") from None

    def _text(self, native: Native) -> Value:
        return {"str": native["text"]}

    _currency = _ip = _locale = _path = _uri = _text

    def _calendar(self, native: Native) -> Value:
        """A type of java.time, which only Clojure has as an ext."""
        kind = CALENDAR.index(native["type"])
        return self._of_calendar(kind, native["fields"]) or self._text(native)

    def _of_calendar(self, kind: int, fields: list) -> Value | None:
        if not self.rich or self.language != CLOJURE:
            return None
        values = [
            {"str": field} if isinstance(field, str) else {"int": str(field)} for field in (kind, *fields)
        ]
        return self._ext(CALENDAR_TYPE, b"".join(map(encode, values)))

    def _named(self, native: Native, code: int) -> Value:
        return self._ext(code, native["text"].encode("utf-8")) if self.rich else self._text(native)

    def _keyword(self, native: Native) -> Value:
        return self._named(native, KEYWORD)

    def _symbol(self, native: Native) -> Value:
        return self._named(native, SYMBOL)

    def _character(self, native: Native) -> Value:
        return self._named(native, CHARACTER)

    def _uuid(self, native: Native) -> Value:
        raw = bytes.fromhex(native["text"].replace("-", ""))
        if self.language == SERDE:
            return {"bin": raw.hex()}
        return self._ext(UUID, raw) if self.rich else self._text(native)

    def _enum(self, native: Native) -> Value:
        return self._value(native["value"]) if self.language == PYTHON else {"str": native["name"]}

    def _bytes(self, native: Native) -> Value:
        if self.rich and native["type"] in BYTE_TYPES:
            return self._ext(TYPED_ARRAY, bytes([BYTE_TYPES[native["type"]]]) + bytes.fromhex(native["hex"]))
        if self.language == SERDE and native["type"] == "Vec":
            return {"array": [{"int": str(byte)} for byte in bytes.fromhex(native["hex"])]}
        return {"bin": native["hex"]}

    # Values that are written as another value, or as none.

    def _optional(self, native: Native) -> Value:
        return self._value(native.get("value"))

    _to_json = _subclass = _primitive_object = _optional

    def _unit_struct(self, native: Native) -> Value:
        return None

    def _undefined(self, native: Native) -> Value:
        return self._ext(UNDEFINED, b"\0")

    _hole = _undefined

    def _refused(self, native: Native) -> Value:
        raise _fault("unsupported_type", None)

    _complex = _function = _opaque = _promise = _reference = _unique_symbol = _weak = _refused

    def _exception(self, native: Native) -> Value:
        return self._tagged(
            ERROR, [{"str": native["name"]}, {"str": native["message"]}, self._ext(UNDEFINED, b"\0")]
        )

    def _regexp(self, native: Native) -> Value:
        return self._tagged(REGEXP, [{"str": native["source"]}, {"str": native["flags"]}])

    def _tagged(self, code: int, parts: list[Value]) -> Value:
        """An ext of one byte, and the array that follows it."""
        if self.language != JAVASCRIPT:
            raise _fault("unsupported_type", None)
        if not self.rich:
            raise _fault("unsupported_type", "rich")
        return {"tagged": [code, {"array": parts}]}

    # Times.

    def _time(self, native: Native) -> Value:
        days, nanoseconds = days_of(*native["date"]), nanoseconds_of(native["time"])
        seconds = days * 86400 + nanoseconds // SECOND - native.get("offset", 0)
        return {"timestamp": [str(seconds), nanoseconds % SECOND]}

    def _invalid_date(self, native: Native) -> Value:
        raise Fault("out_of_range")

    def _date(self, native: Native) -> Value:
        if self.rich:
            return self._ext(DATE, struct.pack(">i", days_of(*native["date"])))
        return {"str": date_text(native["date"])}

    def _time_of_day(self, native: Native) -> Value:
        if self.rich and "offset" not in native:
            return self._ext(TIME, struct.pack(">Q", nanoseconds_of(native["time"])))
        text = {"str": time_text(native["time"]) + offset_text(native.get("offset"))}
        if "offset" not in native:
            return text
        return self._of_calendar(4, [nanoseconds_of(native["time"]), native["offset"]]) or text

    def _date_time(self, native: Native) -> Value:
        text = {"str": date_text(native["date"]) + "T" + time_text(native["time"])}
        return self._of_calendar(1, [days_of(*native["date"]), nanoseconds_of(native["time"])]) or text

    def _duration(self, native: Native) -> Value:
        seconds, nanoseconds = int(native["seconds"]), native["nanoseconds"]
        if self.rich:
            return self._ext(DURATION, struct.pack(">Iq", nanoseconds, seconds))
        return {"str": duration_text(seconds * SECOND + nanoseconds)}

    def _std_duration(self, native: Native) -> Value:
        """What serde writes of ``std::time::Duration``."""
        parts = (("secs", native["seconds"]), ("nanos", str(native["nanoseconds"])))
        return {"map": [[{"str": name}, {"int": part}] for name, part in parts]}

    def _ext(self, code: int, payload: bytes) -> Value:
        return {"ext": [code, payload.hex()]}


class _Writer(Writer):
    """Writes types of msgpackr that have a value after the ext, too."""

    def _tagged(self, content: list) -> bytes:
        code, value = content
        return self._ext([code, "00"]) + self._value(value)


def _fault(kind: str, option: str | None) -> Fault:
    fault = Fault(kind)
    fault.detail = option
    return fault


def _packed(layout: str, value: Value) -> bytes:
    if "int" in value:
        return struct.pack(layout, int(value["int"]))
    kind = ">f" if "f32" in value else ">d"
    return struct.pack(layout, *struct.unpack(kind, bytes.fromhex(value.get("f32") or value["f64"])))
