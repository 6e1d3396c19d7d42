"""Expands the abbreviations of the vector files (see ``README.md``)."""

from __future__ import annotations

import itertools
from typing import Any

Value = Any
Pieces = str | list


def expand(pieces: Pieces) -> bytes:
    """The bytes that a BYTES entry of a vector file stands for."""
    if isinstance(pieces, str):
        return bytes.fromhex(pieces)
    return b"".join(_expand_part(part) for part in pieces)


def _expand_part(part: Any) -> bytes:
    if isinstance(part, str):
        return bytes.fromhex(part)
    if "repeat" in part:
        return expand(part["repeat"]) * part["times"]
    prefix, suffix = bytes.fromhex(part["prefix"]), bytes.fromhex(part["suffix"])
    if "counter" in part:
        digits = part["digits"]
        return b"".join(b"%s%0*d%s" % (prefix, digits, i, suffix) for i in range(part["counter"]))
    alphabet = [bytes.fromhex(letter) for letter in part["product"]]
    words = itertools.product(alphabet, repeat=part["power"])
    return b"".join(prefix + b"".join(word) + suffix for word in words)


def expanded_length(pieces: Pieces) -> int:
    """``len(expand(pieces))``, without making the bytes."""
    if isinstance(pieces, str):
        return len(pieces) // 2
    total = 0
    for part in pieces:
        if isinstance(part, str):
            total += len(part) // 2
        elif "repeat" in part:
            total += expanded_length(part["repeat"]) * part["times"]
        else:
            around = (len(part["prefix"]) + len(part["suffix"])) // 2
            if "counter" in part:
                total += part["counter"] * (around + part["digits"])
            else:
                sizes = sum(len(letter) // 2 for letter in part["product"])
                count = len(part["product"])
                power = part["power"]
                total += count**power * around + power * sizes * count ** (power - 1)
    return total


def build(value: Value) -> Value:
    """A VALUE of a vector file with its abbreviated forms written out, and a float 32 as such."""
    if not isinstance(value, dict):
        return value
    if "f32" in value:
        return {"f32": value["f32"]}
    ((kind, content),) = value.items()
    if kind in ("str", "bin") and isinstance(content, dict):
        return {kind: content["repeat"] * content["times"]}
    if kind == "ext" and isinstance(content[1], dict):
        return {"ext": [content[0], content[1]["repeat"] * content[1]["times"]]}
    if kind == "array":
        if isinstance(content, dict):
            return {"array": [build(content["repeat"])] * content["times"]}
        return {"array": [build(element) for element in content]}
    if kind == "map":
        if isinstance(content, dict):
            entry = build(content["value"])
            digits = content.get("digits")
            numbers = range(content["count"])
            keys = [{"str": f"{i:0{digits}}"} if digits else {"int": str(i)} for i in numbers]
            return {"map": [[key, entry] for key in keys]}
        return {"map": [[build(key), build(entry)] for key, entry in content]}
    if kind == "nest":
        inner = build(content["inner"])
        for _ in range(content["array"]):
            inner = {"array": [inner]}
        return inner
    return value


def flat(value: Value) -> list:
    """The value as a list without nesting: equal for equal values only.

    A kind comes before its content, the length of a list before its elements.
    Python compares deeply nested lists by recursion, and some versions of it give up
    before the default depth.
    """
    tokens: list = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if type(item) is dict:
            ((kind, content),) = item.items()
            tokens.append(kind)
            if type(content) is str:
                tokens.append(content)
            else:
                waiting.append(content)
        elif type(item) is list:
            tokens.append(len(item))
            waiting += reversed(item)
        else:
            tokens.append(item)
    return tokens
