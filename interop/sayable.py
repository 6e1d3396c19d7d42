"""What a value becomes in each language (``spec/format.md`` section 7)."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any

from spec.vectors.native_reading import EQUAL_KEYS, as_read
from spec.vectors.writer import is_nan, widen

Value = Any

QUIET = 1 << 51
BIGINT = 0x42
MINUS_ZERO = "8000000000000000"


def number_of(bits: str) -> float:
    """The float of these digits of a binary64."""
    return float(struct.unpack(">d", bytes.fromhex(bits))[0])


def represent(value: Value, language: str, written: bool = False, bigint: bool = False) -> Value:
    """The value as the language represents it after reading or, with ``written``, before writing:
    Rust and Clojure can write a float 32, and only Rust reads one as such. With ``bigint`` the
    other languages read an integer where Rust has the ext.
    """
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "f32" and not (language == "rust" or (written and language == "clojure")):
        return represent({"f64": quiet(widen(bytes.fromhex(content)))}, language)
    if kind == "f64":
        return represent_float(content, language)
    if kind == "ext" and content[0] == BIGINT and bigint and language != "rust":
        return {"int": str(int.from_bytes(bytes.fromhex(content[1]), "big", signed=True))}
    if kind == "array":
        return {"array": [represent(element, language, written, bigint) for element in content]}
    if kind == "map":
        return {
            "map": [
                [represent(part, language, written, bigint) for part in pair] for pair in content
            ]
        }
    return value


MAP_KEYS = "maps as keys"
# JavaScript may keep them, and does where it is tested.
MAY_OCCUR = {("javascript", "the bits of a NaN")}
# What is read as another type, which is written with the same bytes.
READ = {
    ("javascript", "integers from 2^53 on"): "bigint",
    ("clojure", "integers above 2^63 \u2212 1"): "BigInt",
    ("java", "integers above 2^63 \u2212 1"): "BigInteger",
    ("python", "arrays as keys"): "tuple",
    ("javascript", "keys that are not strings"): "Map",
}


def exceptions(value: Value, language: str) -> set[str]:
    """Why the language may refuse the value or write other bytes of it, in the words of the
    specification. The language is one of those of the class ``defaults`` of the vectors."""
    reasons: set[str] = set()
    as_read(value, language, reasons)
    # A key twice: all languages read the last value.
    reasons.discard(None)
    if language == "python" and has_map_key(value):
        reasons.add(MAP_KEYS)
    elif language == "python" and not reasons and has_equal_arrays(value):
        reasons.add(EQUAL_KEYS)
    return reasons


def has_equal_arrays(value: Value) -> bool:
    """Whether keys of a map are arrays that are equal in a dict: of 1 and of 1.0."""
    for kind, content in parts(value):
        names = [same_key(key, "python") for key, _ in content] if kind == "map" else []
        if len(set(names)) < len(names):
            return True
    return False


def has_map_key(value: Value) -> bool:
    """Whether a key of it is a map, or has one: no dict can hold it."""
    keys = [key for kind, content in parts(value) if kind == "map" for key, _ in content]
    return any(kind == "map" for key in keys for kind, _ in parts(key))


def quiet(bits: bytes) -> str:
    """The digits of a binary64; a NaN is made quiet."""
    if not is_nan(bits):
        return bits.hex()
    return f"{int.from_bytes(bits, 'big') | QUIET:016x}"


def represent_float(bits: str, language: str) -> Value:
    """A float 64: JavaScript has no 1.0 beside 1."""
    number = number_of(bits)
    if language == "js" and number.is_integer() and abs(number) < 2**53 and bits != MINUS_ZERO:
        return {"int": str(int(number))}
    return {"f64": bits}


def comparable(value: Value, language: str, canonical: bool = False) -> Value:
    """The form that is compared: NaNs are quiet; entries whose keys are equal in the language are
    merged, with the last value at the position of the first; entries are sorted if the language
    does not keep their order, or with ``canonical``, which changes it.
    """
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "f64" and is_nan(bytes.fromhex(content)):
        # JavaScript may read any NaN, and canonical form has only one.
        one = canonical or language == "js"
        return {"f64": "7ff8000000000000" if one else quiet(bytes.fromhex(content))}
    if kind == "f32" and canonical:
        return comparable({"f64": widen(bytes.fromhex(content)).hex()}, language, True)
    if kind == "f64" and canonical and -(2.0**63) <= (number := number_of(content)) < 2.0**64:
        return {"int": str(int(number))} if number.is_integer() else value
    if kind == "array":
        return {"array": [comparable(element, language, canonical) for element in content]}
    if kind != "map":
        return value
    entries: dict[str, list[Value]] = {}
    for key, element in content:
        key = comparable(key, language, canonical)
        if language == "js" and key == {"f64": MINUS_ZERO}:
            # A Map converts it to 0.
            key = {"int": "0"}
        name = same_key(key, language)
        first = entries[name][0] if name in entries else key
        entries[name] = [first, comparable(element, language, canonical)]
    pairs = list(entries.values())
    if canonical or loses_order(pairs, language):
        pairs.sort(key=lambda pair: json.dumps(pair[0]))
    return {"map": pairs}


def loses_order(pairs: list[list[Value]], language: str) -> bool:
    """Whether the language orders the entries itself: a map of Clojure with more than eight
    entries, an object of JavaScript with index numbers as keys, and every hash of Perl."""
    if language == "perl":
        return True
    if language == "clojure":
        return len(pairs) > 8
    return language == "js" and any(
        isinstance(key, dict) and key.get("str", "").isdigit() for key, _ in pairs
    )


def parts(value: Value) -> Iterator[tuple[str, Any]]:
    """Kind and content of the value and of all values in it, except nil and booleans."""
    stack = [value]
    while stack:
        value = stack.pop()
        if not isinstance(value, dict):
            continue
        ((kind, content),) = value.items()
        yield kind, content
        if kind == "array":
            stack += content
        elif kind == "map":
            stack += [part for pair in content for part in pair]


def shrinks(value: Value, language: str) -> bool:
    """Whether a map in it has more than eight entries, but no more than eight keys."""
    return any(
        kind == "map"
        and len(content) > 8
        and len({same_key(comparable(key, language), language) for key, _ in content}) <= 8
        for kind, content in parts(value)
    )


def same_key(key: Value, language: str) -> str:
    """A name that is the same for keys that are equal in a map of the language."""
    if language == "python":
        # True, 1 and 1.0 are one key of a dict.
        if isinstance(key, bool):
            key = {"int": str(int(key))}
        elif isinstance(key, dict) and "f64" in key:
            number = number_of(key["f64"])
            if number.is_integer():
                key = {"int": str(int(number))}
        elif isinstance(key, dict) and "array" in key:
            key = {"array": [same_key(element, language) for element in key["array"]]}
    if language == "clojure" and isinstance(key, dict):
        # 0.0 and -0.0 are equal, and so are maps with the same entries in another order.
        if key.get("f64") == MINUS_ZERO:
            key = {"f64": "0000000000000000"}
        elif "array" in key:
            key = {"array": [same_key(element, language) for element in key["array"]]}
        elif "map" in key:
            key = {
                "map": sorted([same_key(part, language) for part in pair] for pair in key["map"])
            }
    return json.dumps(key)


def agree(
    truth: bytes, found: bytes, language: str, canonical: bool = False, bigint: bool = False
) -> bool:
    """Whether ``found``, read by the language, is the value of ``truth`` as it represents it."""
    if truth == found:
        return True
    expected = represent(json.loads(truth), language, bigint=bigint)
    # Clojure keeps a hash map for a header of more than eight entries, even if equal keys merge.
    canonical = canonical or (language == "clojure" and shrinks(expected, language))
    found_value = comparable(json.loads(found), language, canonical)
    return found_value == comparable(expected, language, canonical)
