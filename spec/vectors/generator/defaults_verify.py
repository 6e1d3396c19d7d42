"""Completes the cases of ``defaults/`` and checks them with the reference."""

from __future__ import annotations

from .. import reference
from ..expansion import build, flat
from ..native_reading import FLOAT32, NAN, NO_ORDER, REASONS, UNDEFINED_PROPERTY, as_read, kinds
from ..native_writer import NativeWriter
from ..natives import JAVASCRIPT, LANGUAGES, languages_of
from ..reference import Fault, Options
from ..writer import encode, widen
from .build import Value
from .defaults import EXCEPTION, REGEXP, written

# The types that rich registers in one language or another.
EXT_TYPES = [*range(80, 90), 95, 0x74]
# What msgpackr writes as an ext and the value after it.
MORE_THAN_A_VALUE = [EXCEPTION, REGEXP]
# Exceptions that always are some: what is written again is not told by the value that is read.
ALWAYS = {NO_ORDER, UNDEFINED_PROPERTY, NAN}
# A language that has these exceptions reads the value as it is in the case.
NOT_ANOTHER_VALUE = {FLOAT32, *ALWAYS}


def complete_and_verify(case: dict, data: bytes) -> None:
    languages = case.get("languages", list(LANGUAGES))
    _expect(languages, [language for language in LANGUAGES if language in languages])
    _expect(bool(languages), True)
    if "write" in case:
        _written(case, data, languages)
    elif "read" in case:
        case["again"] = NativeWriter(languages[0], case["options"]).message(case["read"]).hex()
    elif "error" in case:
        _refused(case, data)
    else:
        _read(case, data, languages)


def _expect(got: object, wanted: object) -> None:
    if got != wanted:
        raise ValueError(f"expected {str(wanted)[:300]}, the reference returns {str(got)[:300]}")


def _written(case: dict, data: bytes, languages: list[str]) -> None:
    _expect(set(languages) <= set(languages_of(case["write"])), True)
    for language in languages:
        found = written(case["write"], language, case.get("options", {}))
        _expect(found, {"bytes": data.hex()} if "bytes" in case else {"error": case["error"]})
    if "bytes" in case and case["write"] not in MORE_THAN_A_VALUE:
        # A message, of which each ext is well-formed.
        found = reference.read(data, Options(ext_types=EXT_TYPES if "readers" in case else []))
        _expect(encode(found).hex(), data.hex())


def _refused(case: dict, data: bytes) -> None:
    try:
        value = reference.read(data)
    except Fault as fault:
        _expect(fault.described(), case["error"])
    else:
        # A map as a key is a fault in Python alone.
        _expect(
            (case["error"]["kind"], case["languages"], _has_map_as_key(value)),
            ("type_mismatch", ["python"], True),
        )


def _read(case: dict, data: bytes, languages: list[str]) -> None:
    value = build(case["value"])
    if languages != [JAVASCRIPT]:
        # JavaScript has two entries for two equal keys that are objects.
        _expect(flat(reference.read(data)), flat(value))
    again = encode(value)
    case["again"] = True if again == data else again.hex()
    instead, excepted = {}, {}
    for language in languages:
        reasons: set[str] = set()
        read = as_read(value, language, reasons)
        if not reasons:
            continue
        if reasons - NOT_ANOTHER_VALUE and flat(read) != flat(value):
            instead[language] = read
        if encode(widened(read)) != again or reasons & ALWAYS:
            excepted[language] = next(reason for reason in REASONS if reason in reasons)
    if instead:
        case["instead"] = instead
    if excepted:
        case["except"] = excepted
    found_kinds = {language: kinds(instead.get(language, value), language) for language in languages}
    found_kinds = {language: names for language, names in found_kinds.items() if names}
    if found_kinds:
        case["kinds"] = found_kinds


def widened(value: Value) -> Value:
    """Float 32 as float 64."""
    if not isinstance(value, dict):
        return value
    if "f32" in value:
        return {"f64": widen(bytes.fromhex(value["f32"])).hex()}
    if "array" in value:
        return {"array": [widened(element) for element in value["array"]]}
    if "map" in value:
        return {"map": [[widened(part) for part in pair] for pair in value["map"]]}
    return value


def _has_map_as_key(value: Value) -> bool:
    if not isinstance(value, dict):
        return False
    if "array" in value:
        return any(map(_has_map_as_key, value["array"]))
    pairs = value.get("map", [])
    return any(_is_or_has_map(key) or _has_map_as_key(entry) for key, entry in pairs)


def _is_or_has_map(key: Value) -> bool:
    if not isinstance(key, dict):
        return False
    return "map" in key or any(map(_is_or_has_map, key.get("array", [])))
