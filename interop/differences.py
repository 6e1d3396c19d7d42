"""``pack(unpack(bytes))`` without an option, in each language: what is refused, what is written
with other bytes, and why."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any, NamedTuple

from spec.vectors.expansion import build, expand

from .conftest import cases
from .programs import Four
from .sayable import exceptions


class Face(NamedTuple):
    """A way to pack and unpack: of a program, in a language of the vectors."""

    name: str
    program: str
    language: str
    face: str = ""


FACES = (
    Face("Rust, `Value`", "rust", "rust-serde"),
    Face("Python, functions", "python", "python"),
    Face("Python, classes", "python", "python", "classes"),
    Face("JavaScript, functions", "js", "javascript"),
    Face("JavaScript, classes", "js", "javascript", "classes"),
    Face("Clojure", "clojure", "clojure"),
    Face("Java", "clojure", "java", "java"),
)


@dataclasses.dataclass
class Differences:
    """What a face makes of the messages."""

    face: str
    messages: int
    refused: int = 0
    changed: int = 0
    reasons: Counter[str] = dataclasses.field(default_factory=Counter)
    unexplained: list[str] = dataclasses.field(default_factory=list)

    def kept(self) -> dict[str, Any]:
        """The numbers, those of reasons from the most frequent one on."""
        explained = self.refused + self.changed - len(self.unexplained)
        reasons = dict(sorted(self.reasons.items(), key=lambda pair: (-pair[1], pair[0])))
        numbers = {"messages": self.messages, "refused": self.refused, "changed": self.changed}
        return {"face": self.face, **numbers, "explained": explained, "reasons": reasons}


def minimal() -> list[tuple[bytes, Any]]:
    """The messages of ``valid/`` that a default writer writes, with their values."""
    found = [case for case in cases("valid") if "options" not in case and case["default"]]
    return [(expand(case["bytes"]), build(case["value"])) for case in found]


def differences(four: Four, face: Face, messages: list[tuple[bytes, Any]]) -> Differences:
    """Sends the messages through a face."""
    found = Differences(face.name, len(messages))
    items = [data for data, _ in messages]
    outcomes = four.programs[face.program].call("again", items, face=face.face)
    for (data, value), (ok, again) in zip(messages, outcomes, strict=True):
        if ok and again == data:
            continue
        if ok:
            found.changed += 1
        else:
            found.refused += 1
        reasons = exceptions(value, face.language)
        found.reasons.update(reasons)
        if not reasons:
            found.unexplained.append(f"{data.hex()[:200]}: {again.hex() if ok else again.decode()}")
    return found
