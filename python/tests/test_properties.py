"""Properties over generated values and bytes."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

from hypothesis import given, settings
from hypothesis import strategies as st

import packord

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=30
)


@given(VALUES)
def test_every_value_comes_back(value: Any) -> None:
    packed = packord.packb(value)
    assert packord.unpackb(packed) == value
    assert packord.unpackb(memoryview(bytearray(packed))) == value
    records = packord.packb(value, records=True)
    assert packord.unpackb(records, records=True) == value
    canonical = packord.packb(value, canonical=True)
    assert packord.unpackb(canonical, canonical=True) == value
    assert packord.packb(packord.Fragment(packed)) == packed
    assert packord.View(packed).unpack() == value


@given(st.binary(max_size=40))
@settings(max_examples=1000)
def test_any_bytes_are_read_or_refused_with_a_place(data: bytes) -> None:
    outcomes: list[object] = []
    for reader in (
        packord.unpackb,
        packord.Decoder(max_nodes=10**6).decode,
    ):
        try:
            outcomes.append(repr(reader(data)))
        except packord.MsgpackDecodeError as error:
            assert error.kind is not None and 0 <= (error.offset or 0) <= len(data)
            outcomes.append((error.kind, error.offset, error.path))
    assert outcomes[0] == outcomes[1]
    packord_unpacker = packord.Unpacker(records=True, max_nodes=1000)
    packord_unpacker.feed(data)
    try:
        list(packord_unpacker)
        packord_unpacker.finish()
    except packord.MsgpackDecodeError as error:
        assert error.kind is not None


ENDINGS: st.SearchStrategy[Any] = st.recursive(
    st.just([]),
    lambda inner: st.tuples(st.lists(st.just(7) | st.just(None) | inner, max_size=3), inner).map(
        lambda parts: [*parts[0], parts[1]]
    ),
    max_leaves=12,
)


@given(ENDINGS, st.integers(0, 1000), st.sampled_from([b"", b"\xc1", b"\xc1\xc1", b"\x99"]))
def test_faults_in_arrays_that_end_with_arrays_have_their_paths(
    value: Any, cut: int, fault: bytes
) -> None:
    """The fast reader goes into last elements without a call; the one with limits calls."""
    data = packord.packb(value)
    cut %= len(data) + 1
    data = data[:cut] + fault + (data[cut + len(fault) :] if cut % 2 else b"")

    def outcome(read: Any) -> Any:
        try:
            return read(data)
        except packord.MsgpackDecodeError as error:
            return error.kind, error.offset, error.path

    checked = packord.Decoder(max_nodes=10**6).decode
    assert outcome(packord.unpackb) == outcome(checked)
    shallow = packord.Decoder(max_depth=4).decode
    assert outcome(shallow) == outcome(packord.Decoder(max_depth=4, max_nodes=10**6).decode)


@given(st.binary(max_size=60), st.lists(st.integers(1, 9), min_size=1))
@settings(max_examples=500)
def test_streams_do_not_depend_on_the_cuts(data: bytes, cuts: list[int]) -> None:
    def run(sizes: list[int]) -> Any:
        unpacker = packord.Unpacker(records=True)
        found: list[str] = []
        at = 0
        try:
            for index in range(len(data) + 1):
                size = sizes[index % len(sizes)]
                unpacker.feed(data[at : at + size])
                at += size
                found += map(repr, unpacker)
            unpacker.finish()
        except packord.MsgpackDecodeError as error:
            return found, error.kind, error.offset, error.path
        return found

    assert run(cuts) == run([1000])


@dataclasses.dataclass
class Leaf:
    kind: Literal["leaf"]
    value: int | str | None = None
    more: dict[str, float] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(slots=True)
class Branch:
    children: list[Leaf | Branch]
    kind: Literal["branch"]


TREES = st.recursive(
    st.fixed_dictionaries(
        {"kind": st.just("leaf")},
        optional={
            "value": st.none() | st.integers(-(2**63), 2**64 - 1) | st.text(),
            "more": st.dictionaries(st.text(), st.integers(-99, 99) | st.floats(allow_nan=False)),
            "unknown": st.lists(st.integers(0, 200)),
        },
    ),
    lambda inner: st.fixed_dictionaries({"children": st.lists(inner), "kind": st.just("branch")}),
    max_leaves=10,
)
READERS = [packord.Decoder(Leaf | Branch, records=records) for records in (False, True)]


@given(TREES, st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=4))
@settings(max_examples=200)
def test_typed_values_come_back(tree: Any, changes: list[tuple[int, int]]) -> None:
    """Plain or as records, a tree is the same; changed bytes are a tree or an error with a place."""
    packed = [packord.packb(tree), packord.packb(tree, records=True)]
    plain, records = (reader.decode(data) for reader, data in zip(READERS, packed))
    assert plain == records
    assert packord.packb(plain) == packord.packb(records)
    for data in map(bytearray, packed):
        for place, byte in changes:
            data[place % len(data)] = byte
        for reader in READERS:
            try:
                packord.packb(reader.decode(data))
            except packord.MsgpackDecodeError as error:
                assert error.kind is not None and 0 <= (error.offset or 0) <= len(data)
