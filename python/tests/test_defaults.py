"""Every vector of ``spec/defaults.md``: what Python's values are packed as, and what messages are read
as, without options. No test here sets one that the vector doesn't name."""

from __future__ import annotations

import datetime
import io
import json
import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import natives
import numpy
import pytest
import vectors
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import packord

Case = dict[str, Any]
Write = Callable[..., bytes]
Read = Callable[..., Any]


def of_python(*, writes: bool, rich: bool = False) -> pytest.MarkDecorator:
    found = [
        pytest.param(case, id=name)
        for name, case in vectors.cases("defaults")
        if ("write" in case) is writes
        and name.startswith("rich/") is rich
        and "python" in case.get("languages", ["python"])
    ]
    assert found
    return pytest.mark.parametrize("case", found)


def _to_file(value: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    packord.pack(value, file, **options)
    return file.getvalue()


def _from_file(data: bytes, **options: Any) -> Any:
    return packord.unpack(io.BytesIO(data), **options)


def _of_stream(data: bytes, **options: Any) -> Any:
    unpacker = packord.Unpacker(**options)
    unpacker.feed(data)
    return unpacker.unpack()


def _of_view(data: bytes, **options: Any) -> Any:
    assert not options
    return packord.View(data).unpack()


writers = pytest.mark.parametrize(
    "write",
    [
        pytest.param(packord.packb, id="packb"),
        pytest.param(lambda v, **options: packord.Encoder(**options).encode(v), id="Encoder"),
        pytest.param(lambda v, **options: packord.Packer(**options).pack(v), id="Packer"),
        pytest.param(_to_file, id="pack"),
    ],
)
readers = pytest.mark.parametrize(
    "read",
    [
        pytest.param(packord.unpackb, id="unpackb"),
        pytest.param(lambda d, **options: packord.Decoder(**options).decode(d), id="Decoder"),
        pytest.param(lambda d, **options: packord.unpackb(d, type=Any, **options), id="typed"),
        pytest.param(_from_file, id="unpack"),
        pytest.param(_of_stream, id="Unpacker"),
    ],
)


@writers
@of_python(writes=True)
def test_packs_every_value(case: Case, write: Write) -> None:
    options = case.get("options", {})
    values = list(natives.each(case["write"]))
    assert values
    for value in values:
        if "error" not in case:
            assert write(value, **options) == vectors.expand(case["bytes"]), value
            continue
        error = case["error"]
        with pytest.raises(packord.MsgpackEncodeError) as caught:
            write(value, **options)
        assert caught.value.kind in (error["kind"], error.get("or"))
        if "path" in error:
            assert caught.value.path == error["path"]
        assert f"{error['option']}=True" in str(caught.value) if "option" in error else True


@readers
@of_python(writes=False)
def test_reads_every_message(case: Case, read: Read) -> None:
    data, options = vectors.expand(case["bytes"]), case.get("options", {})
    if "error" in case:
        if read is _of_stream and case["error"]["kind"] in ("trailing_bytes", "eof"):
            return  # a stream goes on
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            read(data, **options)
        assert vectors.place(caught.value) == case["error"]
        return
    value = read(data, **options)
    instead = case.get("instead", {}).get("python")
    wanted = vectors.build(case["value"] if instead is None else instead)
    assert vectors.same(value, wanted)
    assert kinds(value) == case.get("kinds", {}).get("python", {})
    again = packord.packb(value, **options)
    expected = data if case["again"] is True else bytes.fromhex(case["again"])
    if "python" in case.get("except", {}):
        # The value that is read instead is another, and so are its bytes.
        assert again != expected
        if instead is not None:
            assert again == packord.packb(vectors.plain(wanted))
    else:
        assert again == expected


def kinds(value: Any, path: str = "$") -> dict[str, str]:
    """The types of times by their paths."""
    if isinstance(value, (datetime.datetime, packord.Timestamp)):
        return {path: type(value).__name__}
    parts: Iterator[tuple[str, Any]] = iter(())
    if isinstance(value, list):
        parts = ((f"[{i}]", item) for i, item in enumerate(value))
    elif isinstance(value, dict):
        parts = ((f".{k}" if isinstance(k, str) else f"[key {k}]", v) for k, v in value.items())
    return {at: name for step, part in parts for at, name in kinds(part, path + step).items()}


@of_python(writes=False)
def test_views_read_the_same(case: Case) -> None:
    data = vectors.expand(case["bytes"])
    if "error" not in case and "options" not in case:
        assert repr(_of_view(data)) == repr(packord.unpackb(data))


def equal(value: Any, wanted: Any) -> bool:
    """Whether the values are the same, arrays of numpy too, and of the same type."""
    if isinstance(wanted, numpy.ndarray):
        return value.dtype == wanted.dtype and numpy.array_equal(value, wanted)
    if isinstance(wanted, (set, frozenset)):
        return isinstance(value, (set, frozenset)) and value == wanted
    return type(value) is type(wanted) and bool(value == wanted)


@writers
@of_python(writes=True, rich=True)
def test_rich_packs_every_type(case: Case, write: Write) -> None:
    for value in natives.each(case["write"]):
        if isinstance(value, numpy.ndarray) and not value.dtype.isnative:
            continue  # an array in another byte order is one of another type
        assert write(value, rich=True) == vectors.expand(case["bytes"]), value


@readers
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=name)
        for name, case in vectors.cases("defaults")
        if name.startswith("rich/")
    ],
)
def test_rich_reads_every_type(case: Case, read: Read) -> None:
    data = vectors.expand(case["bytes"])
    if data[:1] == b"\xd4" and len(data) > 3:
        # Two messages in all languages but JavaScript, which reads an ext and the value after it.
        data = data[:3]
    value = read(data, rich=True)
    if "python" in case["readers"]:
        wanted = (
            next(natives.each(case["write"])) if "write" in case else vectors.build(case["read"])
        )
        assert equal(value, vectors.plain(wanted))
    else:
        assert repr(value) == repr(read(data))
    assert packord.packb(value, rich=True) == data


NOT_READ = {"float16", "float32", "numbers", "sequence", "sized_int", "bytes"}


@of_python(writes=True)
def test_typed_reading_takes_back_what_is_written(case: Case) -> None:
    native = case["write"]
    kind = native.get("native") if isinstance(native, dict) else None
    if kind is None or "error" in case or case.get("options") or kind in NOT_READ:
        return  # of a plain type, or of one that is not read into
    for value in natives.each(native):
        cls = type(value)
        if cls.__name__ in ("_DateTime", "Derived", "datetime64", "_Pair"):
            continue  # classes of this test, and one of numpy
        # A set in a set is an array, which no set holds as a list.
        nested = kind == "set" and any(isinstance(part, frozenset) for part in value)
        wanted = cls[frozenset[int]] if nested else cls
        read = packord.unpackb(vectors.expand(case["bytes"]), type=wanted)
        assert type(read) is cls
        if kind not in ("struct", "set", "tuple"):  # whose elements are read as plain values
            assert repr(read) == repr(value) or read == value


# `pack(unpack(x)) == x`: what Python doesn't say as it was (`spec/format.md` section 7).
FLOAT32, EQUAL_KEYS, ZEROS, MAP_KEYS = (
    "float 32",
    "keys 1, 1.0 and true",
    "keys 0.0 and −0.0",
    "maps as keys",
)


def exception_of(typed: Any) -> str | None:
    """Why a value of the vectors is written with other bytes, or not read."""
    value = vectors.build(typed)
    if vectors.unhashable(value):
        return MAP_KEYS
    if not vectors.sayable(value, typed):
        return FLOAT32 if '"f32"' in json.dumps(typed) else equal_keys(value)
    return None


def equal_keys(value: Any) -> str:
    """Which keys of a map are one in a dict."""
    while isinstance(value, list) and not isinstance(value, vectors.Pairs):
        value = next(part for part in value if vectors.merges(part))
    keys = [vectors.hashable(key) for key, _ in value]
    if len(set(keys)) == len(keys):
        return equal_keys([item for _, item in value])
    return ZEROS if {repr(key) for key in keys} == {"0.0", "-0.0"} else EQUAL_KEYS


def test_what_default_writers_make_is_written_again() -> None:
    found = set()
    cases = [case for _, case in vectors.cases("valid") if "options" not in case]
    minimal = [case for case in cases if case["default"]]
    assert len(minimal) > 500
    for case in minimal:
        data, reason = vectors.expand(case["bytes"]), exception_of(case["value"])
        if reason == MAP_KEYS:
            with pytest.raises(packord.MsgpackDecodeError) as caught:
                packord.unpackb(data)
            assert caught.value.kind == "type_mismatch"
        else:
            assert (packord.packb(packord.unpackb(data)) == data) is (reason is None), case["name"]
        found.add(reason)
    assert found == {None, FLOAT32, EQUAL_KEYS, ZEROS, MAP_KEYS}


KEYS: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.text()
    | st.integers(-(2**63), 2**64 - 1)
    | st.binary()
    | st.builds(packord.Ext, st.integers(-128, 127).filter(lambda code: code != -1), st.binary())
    | st.builds(packord.Timestamp, st.integers(-(2**63), 2**63 - 1), st.integers(0, 999_999_999))
    | st.floats().filter(lambda number: not number.is_integer()),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=5,
)
MESSAGES: st.SearchStrategy[Any] = st.recursive(
    KEYS | st.booleans() | st.floats(),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
    max_leaves=20,
)


def any_key(chance: random.Random, depth: int = 0) -> Any:
    """A value that every map can have as a key, and that equals no key of another type."""
    kind = chance.randrange(8 if depth < 2 else 7)
    if kind == 0:
        return "".join(chance.choice("aé漢😀\x00 z") for _ in range(chance.choice([0, 3, 9, 40])))
    if kind == 1:
        return chance.randrange(-(2**63), 2**64) >> chance.randrange(64)
    if kind == 2:
        return chance.randbytes(chance.choice([0, 2, 33]))
    if kind == 3:
        code = chance.randrange(-128, 127)
        return packord.Ext(code + (code >= -1), chance.randbytes(chance.choice([1, 3, 16])))
    if kind == 4:
        seconds = chance.randrange(-(2**63), 2**63) >> chance.randrange(64)
        return packord.Timestamp(seconds, chance.randrange(10**9))
    if kind == 5:
        return chance.random() * 10.0 ** chance.randrange(-300, -1)
    if kind == 6:
        return None
    return tuple(any_key(chance, depth + 1) for _ in range(chance.randrange(3)))


def any_message(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.randrange(8 if depth < 3 else 5)
    if kind < 4:
        return any_key(chance)
    if kind == 4:
        return chance.choice([True, False, 0.0, -0.0, 1.0, 1e300, float("inf"), float("nan")])
    count = chance.choice([0, 1, 2, 3, 16])
    if kind == 5:
        return [any_message(chance, depth + 1) for _ in range(count)]
    return {any_key(chance): any_message(chance, depth + 1) for _ in range(count)}


def test_many_messages_are_written_again() -> None:
    chance = random.Random(1)
    for _ in range(100_000 if "PACKORD_EXHAUSTIVE" in os.environ else 3000):
        data = packord.packb(any_message(chance, chance.randrange(4)))
        assert packord.packb(packord.unpackb(data)) == data, data.hex()


@given(MESSAGES)
@settings(max_examples=3000, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_packed_is_written_again(value: Any) -> None:
    data = packord.packb(value)
    for read in (packord.unpackb(data), packord.Decoder(max_nodes=10**6).decode(data)):
        assert packord.packb(read) == data
    stream = packord.Unpacker()
    stream.feed(data)
    assert packord.packb(next(stream)) == data
