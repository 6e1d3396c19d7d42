"""A plain reader of messages into types (``spec/errors.md`` section 3), for ``typed/``.

A type is the JSON of ``README.md``: ``"u8"``, ``{"list": "str"}``, ``{"struct": [["a", "u8"]]}``.
"""

from __future__ import annotations

import struct
from fractions import Fraction
from typing import Any

from .options import Fault, Options
from .reference import Reader, header_size
from .writer import widen

Type = Any
Value = Any

INTEGERS = {f"i{bits}": range(-(1 << bits - 1), 1 << bits - 1) for bits in (8, 16, 32, 64)} | {
    f"u{bits}": range(1 << bits) for bits in (8, 16, 32, 64)
}
FLOATS = ("f32", "f64")
ANY = "any"
# What errors call the types that are expected, and those that are found.
EXPECTED = {
    "bool": ("a bool", ("bool",)), "str": ("a str", ("str",)), "bin": ("a bin", ("bin",)),
    "list": ("an array", ("array",)), "map": ("a map", ("map",)), "struct": ("a map", ("map",)),
    "enum": ("a variant", ("str",)),
    **dict.fromkeys(INTEGERS, ("an integer", ("integer",))),
    **dict.fromkeys(FLOATS, ("a float", ("float", "integer"))),
}  # fmt: skip


def read(data: bytes, target: Type, options: Options) -> Value:
    """The one message in ``data`` as a value of the type."""
    return TypedReader(target, options).one(data)


class TypedReader(Reader):
    def __init__(self, target: Type, options: Options) -> None:
        super().__init__(b"", options)
        self.targets = [target]

    def _value(self, outside: int) -> Value:
        at = self.pos
        target = self.targets[-1]
        option = isinstance(target, dict) and "option" in target
        target = target["option"] if option else target
        if self.in_key or target == ANY:
            return super()._value(outside)
        self._check_type(at, target, option)
        self.targets.append(target)
        value = super()._value(outside)
        self.targets.pop()
        return value if option and value is None else self._converted(at, target, value)

    def _child(self, step: Value | int, outside: int) -> Value:
        self.targets.append(ANY if self.in_key else _child_of(self.targets[-1], step))
        value = super()._child(step, outside)
        self.targets.pop()
        return value

    def _key(self, outside: int) -> Value:
        at, target = self.pos, self.targets[-1]
        if self.in_key or target == ANY:
            return super()._key(outside)
        self._check_type(at, "str", False)
        key = super()._key(outside)
        if _kind(target) == "struct" and target.get("unknown") == "error" and not _fields(target, key):
            raise mismatch(at, f'unknown field "{key["str"]}"')
        return key

    def _check_type(self, at: int, target: Type, option: bool) -> None:
        """Everything that comes before the payload: the header, then the type that the marker says."""
        self._need(1)
        marker = self.data[at]
        if marker == 0xC1:
            raise Fault("reserved_marker", at)
        self._need(header_size(marker))
        found = self._found(at, marker)
        expected, taken = EXPECTED[_kind(target)]
        if found not in taken and not (option and found == "nil"):
            raise mismatch(at, f"expected {expected}, found {found}")

    def _found(self, at: int, marker: int) -> str:
        if marker <= 0x7F or marker >= 0xE0 or 0xCC <= marker <= 0xD3:
            is_record = self.options.records_on and marker - 0x40 in self.structures.by_index
            return "map" if is_record and 0x40 <= marker <= 0x7F else "integer"
        if 0xC7 <= marker <= 0xC9 or 0xD4 <= marker <= 0xD8:
            code = self.data[at + header_size(marker) - 1]
            return {0xFF: "timestamp", 0x72: "map" if self.options.records_on else "ext"}.get(code, "ext")
        names = ((0x8F, "map"), (0x9F, "array"), (0xBF, "str"), (0xC0, "nil"), (0xC3, "bool"), (0xC6, "bin"),
            (0xCB, "float"), (0xDB, "str"), (0xDD, "array"), (0xDF, "map"))  # fmt: skip
        return next(name for last, name in names if marker <= last)

    def _converted(self, at: int, target: Type, value: Value) -> Value:
        kind = _kind(target)
        if kind in INTEGERS:
            if int(value["int"]) not in INTEGERS[kind]:
                raise out_of_range(at, value["int"], kind)
        elif kind in FLOATS:
            return _float(at, kind, value)
        elif kind == "enum" and value["str"] not in target["enum"]:
            raise mismatch(at, f'unknown variant "{value["str"]}"')
        elif kind == "struct":
            entries = {key["str"]: entry for key, entry in value["map"]}
            for name, _ in target["struct"]:
                if name not in entries:
                    raise mismatch(at, f'missing field "{name}"')
            return {"map": [[{"str": name}, entries[name]] for name, _ in target["struct"]]}
        return value


def mismatch(at: int, detail: str) -> Fault:
    fault = Fault("type_mismatch", at)
    fault.detail = detail
    return fault


def out_of_range(at: int, number: str, target: str) -> Fault:
    fault = Fault("out_of_range", at)
    fault.detail = f"{number} does not fit {target}"
    return fault


def _kind(target: Type) -> str:
    return target if isinstance(target, str) else next(iter(target))


def _fields(target: Type, key: Value) -> list[Type]:
    return [kind for name, kind in target["struct"] if {"str": name} == key]


def _child_of(target: Type, step: Value | int) -> Type:
    if target == ANY or isinstance(target, str):
        return ANY
    if "struct" in target:
        return next(iter(_fields(target, step)), ANY)
    return target["list"] if "list" in target else target["map"]


def _float(at: int, kind: str, value: Value) -> Value:
    layout = ">d" if kind == "f64" else ">f"
    if "int" in value:
        number = int(value["int"])
        raw = struct.pack(layout, number)
        if Fraction(struct.unpack(layout, raw)[0]) != number:
            raise out_of_range(at, value["int"], kind)
        return {kind: raw.hex()}
    if kind in value:
        return value
    if kind == "f64":
        return {"f64": widen(bytes.fromhex(value["f32"])).hex()}
    # A target that is declared as 32 bits takes the nearest float of that size.
    return {"f32": struct.pack(">f", struct.unpack(">d", bytes.fromhex(value["f64"]))[0]).hex()}
