"""Values go around all four languages and back, without an option: the same bytes after each
hop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from spec.vectors import reference
from spec.vectors.native_writer import NativeWriter

from .conftest import count
from .differences import Face
from .native_values import UNDEFINED, Native, Natives, speakers
from .programs import Four, Outcome
from .sayable import MAY_OCCUR, agree, exceptions
from .values import compact

# For both rounds together.
GENERATED = count("PACKORD_INTEROP_RING", 1_000, exhaustive=10_000)
# The languages in the order of the ring.
ROUNDS = {
    "functions": (
        Face("serde", "rust", "rust-serde", "serde"),
        Face("functions", "python", "python"),
        Face("functions", "js", "javascript"),
        Face("Clojure", "clojure", "clojure"),
    ),
    "classes": (
        Face("derive", "rust", "rust-derive", "derive"),
        Face("classes", "python", "python", "classes"),
        Face("classes", "js", "javascript", "classes"),
        Face("Java", "clojure", "java", "java"),
    ),
}
# Each of them must occur. A float 32 comes to Clojure and Java through Python, as a float 64.
EXCEPTIONS = {
    ("python", "float 32"),
    ("javascript", "float 32"),
    ("javascript", "1.0 beside 1"),
    ("javascript", "the order of keys that are index numbers"),
    ("javascript", "undefined as a property"),
    ("javascript", "\u22120.0 as a key"),
}
OF_THE_JVM = {
    "functions": {("clojure", "the order of more than 8 entries")},
    "classes": set(),
}


class Ring:
    """Sends values around, and says what was written with other bytes, and why."""

    def __init__(self, four: Four, faces: tuple[Face, ...]) -> None:
        self.four = four
        self.faces = faces
        self.hops = 0
        self.found: set[tuple[str, str]] = set()

    def call(self, verb: str, items: dict[Face, list[bytes]]) -> Iterator[list[Outcome]]:
        """What each face answers to its items, in the order of the faces."""
        return self.four.threads.map(
            lambda face: self.four.programs[face.program].call(verb, items[face], face=face.face),
            items,
        )

    def pack(self, natives: dict[Face, list[Native]]) -> dict[Face, list[bytes]]:
        """Each face packs its values: to the bytes that the specification requires."""
        items = {face: list(map(compact, natives[face])) for face in self.faces}
        packed = {}
        for face, outcomes in zip(self.faces, self.call("pack", items), strict=True):
            writer = NativeWriter(face.language)
            for native, (ok, data) in zip(natives[face], outcomes, strict=True):
                required = writer.message(native)
                assert ok and data == required, (
                    f"{face} packed {native} as {data.hex() if ok else data.decode()}, "
                    f"not {required.hex()}"
                )
            packed[face] = [data for _, data in outcomes]
        return packed

    def hop(self, packed: dict[Face, list[bytes]], step: int) -> dict[Face, list[bytes]]:
        """Each message is read and written by the language at this distance from its start."""
        faces = self.faces[step:] + self.faces[:step]
        items = {face: packed[start] for start, face in zip(self.faces, faces, strict=True)}
        answers = dict(zip(items, self.call("again", items), strict=True))
        return {
            start: [
                self.same(face, data, *outcome)
                for data, outcome in zip(packed[start], answers[face], strict=True)
            ]
            for start, face in zip(self.faces, faces, strict=True)
        }

    def same(self, face: Face, data: bytes, ok: bool, again: bytes) -> bytes:
        """The bytes that were written: the same, or those of what the language has instead."""
        self.hops += 1
        if ok and again == data:
            return again
        value = reference.read(data)
        reasons = exceptions(value, face.language)
        shown = f"{face} made {again.hex() if ok else again.decode()} of {data.hex()}"
        assert ok and reasons, shown
        written = reference.read(again)
        assert reference.encode(written) == again, shown
        wanted = without_undefined(value) if face.language == "javascript" else value
        assert agree(compact(wanted), compact(written), face.program), shown
        self.found |= {(face.language, reason) for reason in reasons}
        return again


def without_undefined(value: Any) -> Any:
    """The value without the properties of objects that are undefined."""
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "array":
        return {"array": list(map(without_undefined, content))}
    if kind == "map":
        is_object = all(isinstance(key, dict) and "str" in key for key, _ in content)
        left = [pair for pair in content if not (is_object and pair[1] == UNDEFINED)]
        return {"map": [[key, without_undefined(element)] for key, element in left]}
    return value


@pytest.mark.parametrize("name", ROUNDS)
def test_values_come_back_from_all_four_languages(four: Four, name: str) -> None:
    """Started in each language that has the value, and back in it again."""
    faces = ROUNDS[name]
    each = GENERATED // len(ROUNDS) // len(faces)
    natives = [
        native
        for seed, face in enumerate(faces)
        for made in [Natives(seed, face.language)]
        for native in (made.value() for _ in range(each))
    ]
    started = {face: [n for n in natives if face.language in speakers(n)] for face in faces}
    assert all(len(values) > each for values in started.values())
    ring = Ring(four, faces)
    packed = ring.pack(started)
    for step in (1, 2, 3, 0):
        packed = ring.hop(packed, step)
    assert ring.hops == 4 * sum(map(len, started.values())) > 2 * GENERATED
    assert ring.found - MAY_OCCUR == EXCEPTIONS | OF_THE_JVM[name]
