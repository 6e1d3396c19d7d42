"""Paths of values within a message (``spec/errors.md`` section 1)."""

from __future__ import annotations

import re
from typing import Any

from .notation import notation, quote
from .writer import encode

Value = Any

LARGEST = 256
_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def path_of(steps: list[Value | int], message: int = 0) -> str:
    """The path along indexes of arrays and keys of maps."""
    path = "$" + (str(message) if message else "") + "".join(map(_step, steps))
    raw = path.encode("utf-8")
    return path if len(raw) <= LARGEST else raw[:LARGEST].decode("utf-8", "ignore") + "\u2026"


def _step(step: Value | int) -> str:
    if isinstance(step, int) and not isinstance(step, bool):
        return f"[{step}]"
    if not (isinstance(step, dict) and "str" in step):
        return f"[key {_key(step)}]"
    name = step["str"]
    return f".{name}" if _NAME.fullmatch(name) else f"[{quote(name)}]"


def _key(value: Value) -> str:
    """A value in diagnostic notation, each part in its minimal format."""
    if isinstance(value, dict):
        ((kind, content),) = value.items()
        if kind == "int":
            return content
        if kind == "array":
            return "[" + ", ".join(map(_key, content)) + "]"
        if kind == "map":
            return "{" + ", ".join(f"{_key(key)}: {_key(entry)}" for key, entry in content) + "}"
    return notation(encode(value))
