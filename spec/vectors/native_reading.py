"""What each language makes of a message without options, and what it does not distinguish."""

from __future__ import annotations

import struct
from collections.abc import Callable

from .iso_text import days_of
from .natives import (
    CLOJURE,
    CLOJURESCRIPT,
    JAVA,
    JAVASCRIPT,
    JS_NUMBERS,
    MINUS_ZERO,
    PYTHON,
    RUST,
    Value,
    is_odd_nan,
)
from .paths import path_of

UNDEFINED = 0
# What a language cannot say, in the words of format.md section 7.
WHOLE, FLOAT32, NAN = "1.0 beside 1", "float 32", "the bits of a NaN"
ZERO_KEY, INDEX_KEYS, NO_ORDER = (
    "\u22120.0 as a key",
    "the order of keys that are index numbers",
    "the order of more than 8 entries",
)
UNDEFINED_PROPERTY = "undefined as a property"
EQUAL_KEYS, ONE_ZERO = "keys 1, 1.0 and true", "keys 0.0 and \u22120.0"
# Of several the first.
REASONS = (UNDEFINED_PROPERTY, ONE_ZERO, ZERO_KEY, EQUAL_KEYS, INDEX_KEYS, NO_ORDER, WHOLE, NAN, FLOAT32)


def as_read(value: Value, language: str, reasons: set[str]) -> Value:
    """The value as the language has it, a float 32 as such; ``reasons`` says what it does not distinguish."""
    if not isinstance(value, dict):
        return value
    if "f32" in value:
        if language not in RUST:
            reasons.add(FLOAT32)
        return value
    ((kind, content),) = value.items()
    if kind == "f64" and language in JS_NUMBERS:
        return _number(content, reasons)
    if kind == "array":
        return {"array": [as_read(element, language, reasons) for element in content]}
    if kind == "map":
        return _map_as_read(content, language, reasons)
    return value


def _number(bits: str, reasons: set[str]) -> Value:
    number = struct.unpack(">d", bytes.fromhex(bits))[0]
    if number.is_integer() and abs(number) < 2**53 and bits != MINUS_ZERO:
        reasons.add(WHOLE)
        return {"int": str(int(number))}
    if is_odd_nan(bits):
        reasons.add(NAN)
    return {"f64": bits}


def _map_as_read(entries: list, language: str, reasons: set[str]) -> Value:
    found: dict[str, list[Value]] = {}
    for key, value in entries:
        key, value = as_read(key, language, reasons), as_read(value, language, reasons)
        if language == JAVASCRIPT and key == {"f64": MINUS_ZERO}:
            reasons.add(ZERO_KEY)
            key = {"int": "0"}
        name, reason = _same_key(key, language)
        if name in found:
            if language not in JS_NUMBERS or reason == ONE_ZERO:
                reasons.add(reason)
            found[name][1] = value
        else:
            found[name] = [key, value]
    pairs = list(found.values())
    if language in (CLOJURE, CLOJURESCRIPT) and len(pairs) > 8:
        reasons.add(NO_ORDER)
    if language == JAVASCRIPT and all(_is_text(key) for key, _ in pairs):
        if any(value == {"ext": [UNDEFINED, "00"]} for _, value in pairs):
            reasons.add(UNDEFINED_PROPERTY)
        ordered = sorted(pairs, key=lambda pair: _index(pair[0]["str"]))
        if ordered != pairs:
            reasons.add(INDEX_KEYS)
        pairs = ordered
    return {"map": pairs}


def _same_key(key: Value, language: str) -> tuple[str, str | None]:
    """A name that equal keys of the language share, and why other values may have it."""
    if language == PYTHON and isinstance(key, bool):
        return str(int(key)), EQUAL_KEYS
    if isinstance(key, dict) and "f64" in key:
        number = struct.unpack(">d", bytes.fromhex(key["f64"]))[0]
        if language == PYTHON and number.is_integer():
            return str(int(number)), EQUAL_KEYS if number else ONE_ZERO
        if language in (CLOJURE, CLOJURESCRIPT) and number == 0:
            return "0.0", ONE_ZERO
    if isinstance(key, dict) and "int" in key:
        if language == CLOJURESCRIPT and key["int"] == "0":
            return "0.0", ONE_ZERO
        return key["int"], EQUAL_KEYS
    return str(key), None


def _is_text(key: Value) -> bool:
    return isinstance(key, dict) and "str" in key


def _index(key: str) -> tuple[int, int]:
    """Keys that are index numbers come first, by number; the others stay in order."""
    is_index = key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and int(key) < 2**32 - 1
    return (0, int(key)) if is_index else (1, 0)


def kinds(value: Value, language: str) -> dict[str, str]:
    """The types of the language by the paths of the values, where it has several for one type of MessagePack.

    Values in keys have no path, and are left out.
    """
    found: dict[str, str] = {}
    _collect(value, language, [], found)
    return found


def _collect(value: Value, language: str, steps: list, found: dict[str, str]) -> None:
    name = _KINDS[language](value) if language in _KINDS else None
    if name is not None:
        found[path_of(steps)] = name
    if isinstance(value, dict) and "array" in value:
        for index, element in enumerate(value["array"]):
            _collect(element, language, [*steps, index], found)
    elif isinstance(value, dict) and "map" in value:
        for key, element in value["map"]:
            _collect(element, language, [*steps, key], found)


def _kind_in_javascript(value: Value) -> str | None:
    if isinstance(value, dict) and "map" in value:
        return "object" if all(_is_text(key) for key, _ in value["map"]) else "Map"
    if value == {"ext": [UNDEFINED, "00"]}:
        return "undefined"
    return _kind_with_dates(value)


def _kind_with_dates(value: Value) -> str | None:
    if isinstance(value, dict) and "timestamp" in value:
        seconds, nanoseconds = int(value["timestamp"][0]), value["timestamp"][1]
        milliseconds = seconds * 1000 + nanoseconds // 1_000_000
        exact = nanoseconds % 1_000_000 == 0 and abs(milliseconds) <= 8_640_000_000_000_000
        return "Date" if exact else "Timestamp"
    return (
        "bigint" if isinstance(value, dict) and "int" in value and abs(int(value["int"])) >= 2**53 else None
    )


def _kind_in_python(value: Value) -> str | None:
    if isinstance(value, dict) and "timestamp" in value:
        exact = (
            value["timestamp"][1] % 1000 == 0
            and _YEARS_1_TO_9999[0] <= int(value["timestamp"][0]) < _YEARS_1_TO_9999[1]
        )
        return "datetime" if exact else "Timestamp"
    return None


def _kind_in_java(value: Value) -> str | None:
    if isinstance(value, dict) and "timestamp" in value:
        return "Instant" if -_INSTANTS[0] <= int(value["timestamp"][0]) <= _INSTANTS[1] else "Timestamp"
    return "BigInteger" if isinstance(value, dict) and "int" in value and int(value["int"]) >= 2**63 else None


def _kind_in_clojure(value: Value) -> str | None:
    name = _kind_in_java(value)
    return "BigInt" if name == "BigInteger" else name


_YEARS_1_TO_9999 = days_of(1, 1, 1) * 86400, days_of(10_000, 1, 1) * 86400
# The first and the last second of java.time.Instant.
_INSTANTS = 31_557_014_167_219_200, 31_556_889_864_403_199
_KINDS: dict[str, Callable[[Value], str | None]] = {
    JAVASCRIPT: _kind_in_javascript,
    CLOJURESCRIPT: _kind_with_dates,
    PYTHON: _kind_in_python,
    JAVA: _kind_in_java,
    CLOJURE: _kind_in_clojure,
}
