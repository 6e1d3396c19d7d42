"""The values that programs have, and the languages that have them, for ``defaults/``.

A NATIVE is a VALUE of ``README.md`` whose elements, keys and entries may be NATIVEs, or a value of a
type that MessagePack has not: ``{"native": "decimal", "text": "1.50"}``. A map whose keys are all str is
what the language usually has for one: an object, a dict.
"""

from __future__ import annotations

import struct
from decimal import Decimal
from typing import Any

Native = Any
Value = Any

SERDE, DERIVE, PYTHON, JAVASCRIPT = "rust-serde", "rust-derive", "python", "javascript"
CLOJURE, CLOJURESCRIPT, JAVA = "clojure", "clojurescript", "java"
LANGUAGES = (SERDE, DERIVE, PYTHON, JAVASCRIPT, CLOJURE, CLOJURESCRIPT, JAVA)
RUST, JVM, JS_NUMBERS = (SERDE, DERIVE), (CLOJURE, JAVA), (JAVASCRIPT, CLOJURESCRIPT)
DYNAMIC = (PYTHON, JAVASCRIPT, CLOJURE, CLOJURESCRIPT, JAVA)

# The languages whose programs have values of these types.
HAVE: dict[str, tuple[str, ...]] = {
    "bigint": LANGUAGES,
    "bytes": LANGUAGES,
    "calendar": JVM,
    "character": (*RUST, *JVM),
    "complex": (PYTHON,),
    "currency": JVM,
    "cycle": (PYTHON, JAVASCRIPT, *JVM),
    "date": (*RUST, PYTHON, *JVM),
    "date_time": (*RUST, PYTHON, *JVM),
    "decimal": (PYTHON, *JVM),
    "duration": (DERIVE, PYTHON, *JVM),
    "enum": (*RUST, PYTHON, *JVM),
    "entries": (JAVASCRIPT,),
    "exception": DYNAMIC,
    "float16": (PYTHON,),
    "float32": (*RUST, PYTHON, *JVM),
    "fraction": (PYTHON, CLOJURE),
    "function": DYNAMIC,
    "hole": (JAVASCRIPT,),
    "invalid_date": JS_NUMBERS,
    "ip": (PYTHON, *JVM),
    "keyword": (CLOJURE, CLOJURESCRIPT),
    "locale": JVM,
    "numbers": LANGUAGES,
    "object": (JAVASCRIPT,),
    "opaque": (PYTHON, *JVM),
    "optional": (*RUST, *JVM),
    "path": (*RUST, PYTHON, *JVM),
    "primitive_object": (JAVASCRIPT,),
    "promise": (JAVASCRIPT,),
    "reference": (CLOJURE, CLOJURESCRIPT),
    "regexp": DYNAMIC,
    "sequence": LANGUAGES,
    "set": LANGUAGES,
    "sized_int": (*RUST, PYTHON, *JVM),
    "std_duration": (SERDE,),
    "struct": LANGUAGES,
    "subclass": (PYTHON,),
    "symbol": (CLOJURE, CLOJURESCRIPT),
    "time": LANGUAGES,
    "time_of_day": (*RUST, PYTHON, *JVM),
    "to_json": (JAVASCRIPT,),
    "tuple": (*RUST, PYTHON),
    "undefined": (JAVASCRIPT,),
    "unique_symbol": (JAVASCRIPT,),
    "unit_struct": RUST,
    "uri": (JAVASCRIPT, *JVM),
    "utf16": DYNAMIC,
    "uuid": (*RUST, PYTHON, CLOJURE, CLOJURESCRIPT, JAVA),
    "variant": RUST,
    "weak": (PYTHON, JAVASCRIPT, *JVM),
}
TYPES: dict[str, dict[str, tuple[str, ...]]] = {
    "bytes": {
        "bytearray": (PYTHON,), "memoryview": (PYTHON,), "ArrayBuffer": JS_NUMBERS, "DataView": JS_NUMBERS,
        "Uint8ClampedArray": JS_NUMBERS, "ByteBuffer": JVM, "Vec": RUST,
    },
    "numbers": {
        **dict.fromkeys(("i16", "i32", "i64", "f32", "f64"), LANGUAGES),
        **dict.fromkeys(("u16", "u32", "u64", "i8"), (*RUST, PYTHON, JAVASCRIPT, CLOJURESCRIPT)),
        "u8": (PYTHON,), "bool": (*RUST, PYTHON, *JVM),
    },
    "sequence": {
        "iterator": DYNAMIC, "queue": (*RUST, PYTHON, CLOJURE, CLOJURESCRIPT, JAVA),
        "range": (PYTHON, CLOJURE, CLOJURESCRIPT), "linked_list": (*RUST, CLOJURE, CLOJURESCRIPT, JAVA),
        "view": (PYTHON, JAVASCRIPT, *JVM), "stream": (JAVA,),
    },
    "sized_int": {
        **dict.fromkeys(("i8", "i16", "i32", "i64"), (*RUST, PYTHON, *JVM)),
        **dict.fromkeys(("u8", "u16", "u32", "u64"), (*RUST, PYTHON)),
    },
}  # fmt: skip

MINUS_ZERO = "8000000000000000"
QUIET_NAN = "7ff8000000000000"


def languages_of(native: Native) -> tuple[str, ...]:
    """The languages in which a program can have this value."""
    lacking = set(_lacking(native))
    return tuple(language for language in LANGUAGES if language not in lacking)


def _lacking(native: Native) -> set[str]:
    if not isinstance(native, dict):
        return set()
    kind = native.get("native")
    if kind is not None:
        have = set(TYPES[kind][native["type"]] if kind in TYPES else HAVE[kind])
        lacking = set(LANGUAGES) - have | _finer_than(kind, native)
        for part in _parts(native):
            lacking |= _lacking(part)
        return lacking
    if "f64" in native and "f32" not in native:
        number = struct.unpack(">d", bytes.fromhex(native["f64"]))[0]
        whole = number.is_integer() and abs(number) < 2**53 and native["f64"] != MINUS_ZERO
        return set(JS_NUMBERS) if whole or is_odd_nan(native["f64"]) else set()
    if "f32" in native:
        return {PYTHON, JAVASCRIPT, CLOJURESCRIPT}
    lacking = set()
    if "array" in native:
        for element in native["array"]:
            lacking |= _lacking(element)
    elif "map" in native:
        for key, value in native["map"]:
            lacking |= _lacking(key) | _lacking(value)
            if isinstance(key, dict) and "map" in key:
                lacking.add(PYTHON)
    return lacking


def _parts(native: Native) -> list[Native]:
    kind = native["native"]
    if kind in ("set", "tuple", "sequence"):
        return native["of"]
    if kind in ("struct", "object"):
        return [value for _, value in native["fields"]]
    if kind == "entries":
        return [part for pair in native["of"] for part in pair]
    if kind in ("optional", "variant", "to_json", "subclass", "primitive_object"):
        return [native["value"]] if "value" in native else []
    return []


def _finer_than(kind: str, native: Native) -> set[str]:
    """The languages whose type does not hold this very value."""
    lacking: set[str] = set()
    nanoseconds = native.get("nanoseconds", native.get("time", [0, 0, 0, 0])[3])
    if nanoseconds % 1000:
        lacking.add(PYTHON)
    if kind == "time" and (nanoseconds % 1_000_000 or native.get("offset")):
        lacking |= set(JS_NUMBERS)
    if "offset" in native and kind == "time_of_day":
        lacking |= set(RUST)
    if "date" in native and not 1 <= native["date"][0] <= 9999:
        lacking.add(PYTHON)
    if kind == "bigint" and not -(2**127) <= int(native["value"]) < 2**128:
        lacking |= set(RUST)
    if kind == "decimal" and (not Decimal(native["text"]).is_finite() or native["text"] == "-0"):
        lacking |= set(JVM)
    if kind == "character" and ord(native["text"]) > 0xFFFF:
        lacking |= set(JVM)
    return lacking


def is_odd_nan(bits: str) -> bool:
    """Whether the bits of a binary64 are a NaN other than the usual one."""
    number = struct.unpack(">d", bytes.fromhex(bits))[0]
    return number != number and bits != QUIET_NAN
