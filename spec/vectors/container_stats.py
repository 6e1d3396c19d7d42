"""Paths, statistics, predicates and schemas of container files, from sections 3, 4 and 7.1.

Values are the plain typed JSON of ``reference.py``, so an int and a float of the same number differ.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from typing import Any

from .expansion import flat
from .writer import is_nan, widen

Value = Any
Condition = list  # [path, op, constant]

LARGEST = 64  # bytes of a str in statistics
LONGEST_PATH = 256
MOST_PATHS = 1000
MOST_DEFAULT_PATHS = 32
MISSING = object()
NUMBER, STR, TIMESTAMP = range(3)
POSITION = re.compile("0|[1-9][0-9]*")


def at_path(row: Value, path: str) -> Value:
    """The value that the path names, or ``MISSING``."""
    value = row
    for part in path.split(".") if path else ():
        value = _entry(value, part)
    return value


def _entry(value: Value, part: str) -> Value:
    if not isinstance(value, dict) or part == "":
        return MISSING
    if "map" in value:
        return next((entry for key, entry in value["map"] if key == {"str": part}), MISSING)
    if "array" in value and POSITION.fullmatch(part) and len(part) < 12:
        elements = value["array"]
        return elements[int(part)] if int(part) < len(elements) else MISSING
    return MISSING


def absent(value: Value) -> bool:
    """Whether it is nil or missing."""
    return value is None or value is MISSING


def kind(value: Value) -> str:
    """The type of a value, by its name in a schema; not of nil."""
    if isinstance(value, bool):
        return "bool"
    ((name, content),) = value.items()
    if name == "int" and int(content) >= 2**63:
        return "uint"
    return {"f32": "float", "f64": "float"}.get(name, name)


def ordered(value: Value) -> tuple[int, Any] | None:
    """What a value is compared by, with the type first; ``None`` for what has no order."""
    if isinstance(value, dict):
        ((name, content),) = value.items()
        if name == "int":
            return NUMBER, int(content)
        if name in ("f64", "f32"):
            bits = bytes.fromhex(content)
            bits = widen(bits) if name == "f32" else bits
            return None if is_nan(bits) else (NUMBER, struct.unpack(">d", bits)[0])
        if name == "str":
            return STR, content.encode("utf-8")
        if name == "timestamp":
            return TIMESTAMP, (int(content[0]), content[1])
    return None


# --- statistics -------------------------------------------------------------------------


def default_paths(row: Value) -> list[str]:
    """The paths without ``stats``, from the first row."""
    if not isinstance(row, dict) or "map" not in row:
        return []
    kinds = ("bool", "int", "uint", "float", "str", "timestamp")
    found = []
    for key, value in row["map"]:
        name = key["str"] if _is_str(key) else ""
        short = name and "." not in name and len(name.encode()) <= LONGEST_PATH
        if short and (value is None or kind(value) in kinds):
            found.append(name)
    return found[:MOST_DEFAULT_PATHS]


def statistics(rows: list[Value], path: str) -> Value:
    """``[nulls, min, max]`` of a path over the rows of a block."""
    values = [at_path(row, path) for row in rows]
    there = [value for value in values if not absent(value)]
    low, high = _bounds(there)
    return {"array": [{"int": str(len(values) - len(there))}, low, high]}


def _bounds(values: list[Value]) -> tuple[Value, Value]:
    keys = [ordered(value) for value in values]
    if not values or None in keys or len({key[0] for key in keys}) > 1:
        return None, None
    low = values[min(range(len(values)), key=lambda i: keys[i])]
    high = values[next(i for i in range(len(values)) if keys[i] == max(keys))]
    if "str" in low:
        return {"str": prefix(low["str"])}, _above(high["str"])
    return low, high


def prefix(text: str) -> str:
    """The first 64 bytes, cut at the end of a character.

    >>> len(prefix("é" * 33)), len(prefix("a" + "é" * 32))
    (32, 32)
    """
    return text.encode("utf-8")[:LARGEST].decode("utf-8", "ignore")


def _above(text: str) -> Value:
    """The str, or one of at most 64 bytes that is larger, or nil."""
    if len(text.encode("utf-8")) <= LARGEST:
        return {"str": text}
    found = prefix(text)
    while found:
        found, last = found[:-1], ord(found[-1])
        if last == 0x10FFFF:
            continue
        larger = found + chr(0xE000 if last == 0xD7FF else last + 1)
        if len(larger.encode("utf-8")) <= LARGEST:
            return {"str": larger}
    return None


# --- predicates -------------------------------------------------------------------------


def matches(row: Value, where: Iterable[Condition]) -> bool:
    """Whether a row meets all conditions."""
    return all(_meets(at_path(row, path), op, constant) for path, op, constant in where)


def _meets(value: Value, op: str, constant: Value) -> bool:
    if op in ("is_null", "is_not_null"):
        return absent(value) == (op == "is_null")
    if absent(value):
        return False
    if op == "in":
        return any(_meets(value, "==", element) for element in constant["array"])
    if op == "!=":
        return not _equal(value, constant)
    if op == "==":
        return _equal(value, constant)
    one, other = ordered(value), ordered(constant)
    if one is None or other is None or one[0] != other[0]:
        return False
    return {"<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other}[op]


def _equal(value: Value, constant: Value) -> bool:
    one, other = ordered(value), ordered(constant)
    if one is not None or other is not None:
        return one == other
    if absent(constant) or _is_nan(value) or _is_nan(constant):
        return False
    return flat(_sorted(value)) == flat(_sorted(constant))


def _is_nan(value: Value) -> bool:
    return isinstance(value, dict) and bool({"f64", "f32"} & value.keys()) and ordered(value) is None


def _sorted(value: Value) -> Value:
    """The value with the entries of its maps in one order, and float 32 as float 64."""
    if not isinstance(value, dict):
        return value
    if "f32" in value:
        return {"f64": widen(bytes.fromhex(value["f32"])).hex()}
    if "array" in value:
        return {"array": [_sorted(element) for element in value["array"]]}
    if "map" in value:
        entries = [[_sorted(key), _sorted(entry)] for key, entry in value["map"]]
        return {"map": sorted(entries, key=lambda entry: repr(flat(entry[0])))}
    return value


def skips(stats: Value, count: int, where: Iterable[Condition]) -> bool:
    """Whether the statistics of a block show that no row of it matches."""
    paths = {} if stats is None else {key["str"]: entry for key, entry in stats["map"] if _is_str(key)}
    return any(_shows(paths.get(path), count, op, constant) for path, op, constant in where)


def _is_str(key: Value) -> bool:
    return isinstance(key, dict) and "str" in key


def _shows(entry: Value, count: int, op: str, constant: Value) -> bool:
    if not says_something(entry):
        return False
    nulls, low, high = entry["array"][:3]
    nulls = int(nulls["int"])
    if op == "is_null":
        return nulls == 0
    if nulls == count:
        return True
    if op == "in":
        return all(_excludes(low, high, "==", element) for element in constant["array"])
    return op != "is_not_null" and _excludes(low, high, op, constant)


def says_something(entry: Value) -> bool:
    """Whether an entry of the statistics has the right form."""
    if not isinstance(entry, dict) or "array" not in entry or len(entry["array"]) < 3:
        return False
    nulls, *bounds = entry["array"][:3]
    kinds = [ordered(bound) for bound in bounds if bound is not None]
    uint = isinstance(nulls, dict) and "int" in nulls and int(nulls["int"]) >= 0
    return uint and None not in kinds and len({key[0] for key in kinds}) < 2


def _excludes(low: Value, high: Value, op: str, constant: Value) -> bool:
    if op in ("<", "<="):
        return low is not None and not _meets(low, op, constant)
    if op in (">", ">="):
        return high is not None and not _meets(high, op, constant)
    if op == "==":
        return _excludes(low, high, "<=", constant) or _excludes(low, high, ">=", constant)
    return _meets(low, "==", constant) and _meets(high, "==", constant)


# --- schemas ----------------------------------------------------------------------------

NAMES = ("bool", "int", "uint", "float", "str", "bin", "timestamp", "array", "map", "ext")


class UnnamedError(Exception):
    """A table that has no schema: a row is not a map, or a key cannot be named."""


class Schema:
    """What a table has under its paths, as a tree."""

    def __init__(self) -> None:
        self.rows = 0
        self.there = 0
        self.types: set[str] = set()
        self.elements: Schema | None = None
        self.keys: dict[str, Schema] = {}

    def add(self, value: Value) -> None:
        """Counts one more value here, and what is in it."""
        self.rows += 1
        if value is None:
            return
        self.there += 1
        name = kind(value)
        self.types.add(name)
        if name == "array":
            for element in value["array"]:
                self.elements = self.elements or Schema()
                self.elements.add(element)
        if name == "map":
            for key, entry in value["map"]:
                if not _is_str(key) or key["str"] == "" or "." in key["str"] or "[]" in key["str"]:
                    raise UnnamedError
                self.keys.setdefault(key["str"], Schema()).add(entry)

    def paths(self, path: str, rows: int) -> Iterator[tuple[str, Value]]:
        """The paths below, in their order; ``rows`` is how many rows or elements there are."""
        if path:
            types = [{"str": name} for name in NAMES if name in self.types]
            yield path, {"array": [{"array": types}, self.there < rows]}
        if self.elements is not None:
            yield from self.elements.paths(path + "[]", self.elements.rows)
        for key, inner in self.keys.items():
            yield from inner.paths(f"{path}.{key}" if path else key, rows)


def schema(rows: list[Value]) -> Value:
    """The schema of a table, or ``None`` where a writer leaves it out."""
    tree = Schema()
    try:
        for row in rows:
            if not isinstance(row, dict) or "map" not in row:
                raise UnnamedError
            tree.add(row)
    except UnnamedError:
        return None
    found = list(tree.paths("", tree.rows))
    if not rows or len(found) > MOST_PATHS or any(len(path.encode()) > LONGEST_PATH for path, _ in found):
        return None
    return {"map": [[{"str": path}, entry] for path, entry in found]}


def put_together(one: Value, other: Value) -> Value:
    """The schema of two tables, neither of them empty, one after the other; ``None`` if one is unknown."""
    if one is None or other is None:
        return None
    parts = [{key["str"]: entry["array"] for key, entry in half["map"]} for half in (one, other)]
    found = []
    for path in _in_order([*parts[0], *parts[1]]):
        entries = [part[path] for part in parts if path in part]
        types = {name["str"] for entry in entries for name in entry[0]["array"]}
        nullable = any(entry[1] for entry in entries)
        if len(entries) == 1:
            around = path[: path.rindex("[]") + 2] if "[]" in path else ""
            lacking = parts[path in parts[0]]
            nullable = nullable or not around or around in lacking
        kinds = [{"str": name} for name in NAMES if name in types]
        found.append([{"str": path}, {"array": [{"array": kinds}, nullable]}])
    return {"map": found} if len(found) <= MOST_PATHS else None


def _in_order(paths: list[str]) -> list[str]:
    """The paths, each after what it is in, elements first, else as they come."""
    root: dict = {}
    for path in paths:
        node = root
        for part in re.findall(r"\[\]|(?:(?!\[\])[^.])+", path):
            node = node.setdefault(part, {})
    found = []

    def walk(node: dict, path: str) -> None:
        for part, inner in sorted(node.items(), key=lambda item: item[0] != "[]"):
            name = path + part if part == "[]" or not path else f"{path}.{part}"
            found.append(name)
            walk(inner, name)

    walk(root, "")
    return found
