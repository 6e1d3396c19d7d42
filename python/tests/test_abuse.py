"""Hooks that raise or change what is being packed, deep and cyclic values, leaks, threads."""

from __future__ import annotations

import collections
import dataclasses
import gc
import itertools
import os
import subprocess
import sys
import threading
import uuid
from pathlib import Path
from typing import Any, Literal

import numpy
import pydantic
import pytest

import packord
from packord.container import Reader


class Strange:
    """An object that only ``default`` knows."""


@pytest.mark.parametrize(
    "change",
    [
        lambda target: target.clear(),
        lambda target: target.append(1),
        lambda target: target.extend([Strange()] * 1000),
        lambda target: target.pop(),
    ],
)
def test_default_changes_the_list(change: Any) -> None:
    target: list[Any] = [Strange(), *map(str, range(50)), Strange()]

    def default(_: Any) -> Any:
        change(target)
        return None

    with pytest.raises(packord.MsgpackEncodeError) as caught:
        packord.packb(target, default=default)
    assert caught.value.kind == "changed"


@pytest.mark.parametrize(
    "change",
    [
        lambda target: target.clear(),
        lambda target: target.update(dict.fromkeys(map(str, range(1000)))),
        lambda target: target.pop("b"),
    ],
)
@pytest.mark.parametrize("option", [{}, {"sort_keys": True}, {"records": True}])
def test_default_changes_the_dict(change: Any, option: Any) -> None:
    target: dict[str, Any] = {"a": Strange(), "b": "x" * 1000, "c": [1]}

    def default(_: Any) -> Any:
        change(target)
        gc.collect()
        return None

    # With sorted keys and the like the entries are held from the beginning.
    if option:
        packed = packord.packb(target, default=default, **option)
        read = packord.unpackb(packed, records="records" in option)
        assert read == {"a": None, "b": "x" * 1000, "c": [1]}
    else:
        with pytest.raises(packord.MsgpackEncodeError) as caught:
            packord.packb(target, default=default)
        assert caught.value.kind == "changed"


def test_default_replaces_values_of_the_dict() -> None:
    target: dict[str, Any] = {"a": Strange(), **{str(i): [i] for i in range(20)}}

    def default(_: Any) -> Any:
        for key in target:
            target[key] = [key, key]
        return None

    packed = packord.unpackb(packord.packb(target, default=default))
    assert packed == {"a": None, **{str(i): [str(i)] * 2 for i in range(20)}}


def test_default_resizes_a_bytearray_and_changes_an_object() -> None:
    buffer = bytearray(b"x" * 1000)

    @dataclasses.dataclass
    class Data:
        first: Any
        second: Any

    data = Data(Strange(), "y" * 1000)

    def default(_: Any) -> Any:
        buffer.clear()
        data.second = None
        return [buffer]

    assert packord.unpackb(packord.packb([data, buffer], default=default)) == [
        {"first": [b""], "second": None},
        b"",
    ]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_passes_exceptions_that_are_not_errors_on(error: type[BaseException]) -> None:
    def hook(*_: Any) -> Any:
        raise error("stop")

    with pytest.raises(error):
        packord.packb([Strange()], default=hook)
    with pytest.raises(error):
        packord.unpackb(b"\x91\xd4\x05\x00", ext_hook=hook)
    with pytest.raises(error):
        packord.Decoder(object_hook=hook).decode(b"\x80")


def test_keeps_the_error_of_a_hook_as_the_cause() -> None:
    def hook(*_: Any) -> Any:
        raise KeyError("mine")

    with pytest.raises(packord.MsgpackEncodeError) as packed:
        packord.packb({"a": [Strange()]}, default=hook)
    assert isinstance(packed.value.__cause__, KeyError)
    assert (packed.value.kind, packed.value.path) == ("unsupported_type", "$.a[0]")
    with pytest.raises(packord.MsgpackDecodeError) as unpacked:
        packord.unpackb(b"\x81\xa1a\xd4\x05\x00", ext_hook=hook)
    assert isinstance(unpacked.value.__cause__, KeyError)
    assert (unpacked.value.kind, unpacked.value.offset, unpacked.value.path) == (
        "hook_failed",
        3,
        "$.a",
    )


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_depth_is_the_same_both_ways() -> None:
    packed = packord.packb(nested(1024))
    assert packord.unpackb(packed) == nested(1024)
    with pytest.raises(packord.MsgpackEncodeError) as packing:
        packord.packb(nested(1025))
    assert packing.value.kind == "depth_limit"
    with pytest.raises(packord.MsgpackDecodeError) as unpacking:
        packord.unpackb(b"\x91" + packed)
    assert (unpacking.value.kind, unpacking.value.offset) == ("depth_limit", 1024)


def test_depth_fits_on_a_stack_of_one_megabyte() -> None:
    maps: Any = 1
    for _ in range(1024):
        maps = {"a": maps}
    packed = [packord.packb(nested(1024)), packord.packb(maps)]
    failures: list[BaseException] = []

    def run() -> None:
        try:
            for data in packed:
                value = packord.unpackb(data)
                assert packord.packb(value) == data
                exact = packord.Decoder(max_nodes=10**6, records=True).decode(data)
                assert packord.Encoder(canonical=True).encode(exact) == data
                assert packord.Encoder(records=True).encode(exact)
        except BaseException as error:
            failures.append(error)

    before = threading.stack_size(1 << 20)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert not failures


def test_refuses_cycles_with_their_path() -> None:
    items: list[Any] = [1]
    items.append({"again": items})
    with pytest.raises(packord.MsgpackEncodeError) as caught:
        packord.packb({"top": items})
    assert (caught.value.kind, caught.value.path) == ("cycle", "$.top[1].again")
    assert str(caught.value) == "cycle at $.top[1].again: container contains itself"


def test_refuses_a_default_that_never_ends() -> None:
    with pytest.raises(
        packord.MsgpackEncodeError, match="default answers with what it is asked for"
    ):
        packord.packb(Strange(), default=lambda obj: obj)


def test_a_class_that_changes_is_looked_at_again() -> None:
    class Late:
        x = 1

    with pytest.raises(packord.MsgpackEncodeError):
        packord.packb(Late())
    Late.__annotations__ = {"x": int}
    dataclasses.dataclass(Late)
    assert packord.packb(Late()) == b"\x81\xa1x\x01"


@dataclasses.dataclass
class Point:
    x: int


@dataclasses.dataclass
class First:
    k: Literal["a"]
    x: int

    def __post_init__(self) -> None:
        raise ValueError("never right")


@dataclasses.dataclass(slots=True)
class Second:
    k: Literal["b"]
    id: uuid.UUID
    y: int


def fed(data: bytes, **options: Any) -> Any:
    unpacker = packord.Unpacker(**options)
    unpacker.feed(data)
    return list(unpacker)


POINTS = packord.Decoder(list[Point], records=True)
UNION = packord.Decoder(First | Second)
HOOKED = packord.Decoder(object_hook=lambda found: found["missing"])
SHARING = packord.Encoder(structures=[])
OBJECTS = numpy.array([Strange()], dtype=object)
WIDE = packord.Decoder()
WIDE_DATA = packord.packb([{f"k{i}": [i] for i in range(10)}] * 3)
SHALLOW = packord.Encoder(max_depth=8)
ERRORS: list[Any] = [
    lambda: packord.packb([Strange()]),
    lambda: packord.packb({"a": Strange()}, default=lambda obj: 1 / 0),
    lambda: packord.packb({(1, Strange()): 2}),
    lambda: packord.packb("\ud800"),
    lambda: packord.packb(2**70),
    lambda: packord.packb(1, option=1 << 50),  # type: ignore[call-arg]
    lambda: packord.packb(1, nothing=1),  # type: ignore[call-arg]
    lambda: SHALLOW.encode([nested(8)]),
    lambda: packord.packb({"a": Strange()}, records=True),
    lambda: packord.unpackb(b""),
    lambda: packord.unpackb(b"\xc1"),
    lambda: packord.unpackb(b"\x92\x81\xa3abc\x93\x01"),
    lambda: packord.unpackb(b"\x81\xa3\xff\xff\xff\x01"),
    lambda: packord.unpackb(b"\x82\xa1a\x91\xa1b\xa1b\xc1"),
    lambda: packord.unpackb(b"\x01\x02"),
    lambda: packord.unpackb("str"),  # type: ignore[call-overload]
    lambda: packord.unpackb(b"\x81\x80\x01"),
    lambda: packord.unpackb(b"\xd4\x05\x00", unknown_ext="error"),
    lambda: packord.unpackb(b"\xd4\x05\x00", ext_hook=lambda tag, data: 1 / 0),
    lambda: packord.unpackb(b"\x92\xd4r@\x91\xa1a\x01\xc1", records=True),
    lambda: packord.Decoder(list[int]).decode(b"\x92\x01\xa1a"),
    lambda: POINTS.decode(b"\x92\x81\xa1x\x01\x81\xa1x\xa1a"),
    lambda: POINTS.decode(b"\x92\xd4r@\x91\xa1x\x01@\xc1"),
    lambda: WIDE.decode(WIDE_DATA[:-1]),
    lambda: packord.Decoder(duplicate_key="error").decode(b"\x82\xa1a\x01\xa1a\x02"),
    lambda: packord.Decoder(nothing=1),  # type: ignore[call-overload]
    lambda: packord.View(b"\x91")[0],
    lambda: packord.Fragment(b"\xc1"),
    lambda: next(packord.Unpacker()),
    lambda: fed(b"\x01\x91\xc1"),
    lambda: fed(b"\xdd\xff\xff\xff\xff", max_buffer=100),
    lambda: packord.packb(shrinking := [Strange(), "x"], default=lambda obj: shrinking.clear()),
    lambda: packord.packb(OBJECTS),
    lambda: packord.packb({"a": uuid.UUID(int=1), "b": {Strange()}}),
    lambda: SHARING.encode({"a": 1, "b": Strange()}),
    lambda: SHARING.encode_into([Strange()], bytearray(10), 2),
    lambda: packord.unpackb(b"\x91\xd5\xff\x00\x00"),
    lambda: packord.unpackb(b"\x91\xd4r@", records=True),
    lambda: packord.unpackb(b"\xd4\x55\x00", rich=True),
    lambda: packord.unpackb(b"\x91\xcc\x05", canonical=True),
    lambda: HOOKED.decode(b"\x91\x81\xa1a\x01"),
    lambda: UNION.decode(b"\x81\xa1k\xa1c"),
    lambda: UNION.decode(b"\x81\xa1k\xa1a"),
    lambda: UNION.decode(b"\x83\xa1k\xa1b\xa2id\xa1x\xa1y\x01"),
    lambda: UNION.decode(b"\x81\xa1k\x90"),
    lambda: packord.View(b"\x81\xa1a\x01")["b"],
    lambda: packord.View(b"\x91\x01")["b"],
    lambda: packord.View(b"\x81\xa1a\xc1")["a"],
    lambda: packord.Ext(200, b""),
    lambda: packord.Timestamp(0, 10**9),
]


@pytest.mark.parametrize("call", ERRORS)
def test_no_leak_on_error_paths(call: Any) -> None:
    def attempts(count: int) -> None:
        for _ in range(count):
            try:
                call()
            except Exception:
                continue
            raise AssertionError("no error")

    repetitions = int(os.environ.get("PACKORD_LEAK_CALLS", "100000"))
    # Caches fill at first.
    attempts(2500)
    gc.collect()
    before = sys.getallocatedblocks()
    attempts(repetitions)
    gc.collect()
    assert sys.getallocatedblocks() - before < repetitions / 20


def test_threads_share_encoders_and_decoders() -> None:
    value = {"users": [{"id": i, "name": f"n{i}", "tags": ["a", "é"]} for i in range(200)]}
    encoder, decoder = packord.Encoder(default=str), packord.Decoder(object_hook=lambda d: d)
    failures: list[BaseException] = []

    def run() -> None:
        try:
            for _ in range(200):
                data = encoder.encode(value)
                assert decoder.decode(data) == packord.unpackb(packord.packb(value)) == value
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_threads_change_what_is_packed() -> None:
    """Lists, dicts, objects and buffers, by eight threads; ``make test-wheels`` does it for longer."""
    assert "packed" in program("threads.py", "2")


def test_mutated_messages_are_read_or_refused() -> None:
    """By types, as records, views and streams; ``make fuzz-python`` does it for longer."""
    assert "typed: refused" in program("fuzz.py", "3")


def program(name: str, seconds: str) -> str:
    """What a program beside this file prints, with the allocator that checks."""
    environment = {**os.environ, "PYTHONMALLOC": "debug"}
    command = [sys.executable, str(Path(__file__).with_name(name)), seconds]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


CHECKED = ["test_abuse", "test_records", "test_streams", "test_typed", "test_values"]


@pytest.mark.skipif("PYTHONMALLOC" in os.environ, reason="runs within itself")
def test_runs_clean_with_the_allocator_that_checks() -> None:
    environment = {**os.environ, "PYTHONMALLOC": "debug"}
    files = [str(Path(__file__).with_name(f"{name}.py")) for name in CHECKED]
    # Leaks are counted without it; a million times the timestamps would take minutes.
    few = ["-k", "not leak and not all_microseconds and not mutated and not threads_change"]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *few, *files]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_default_changes_the_containers_around_it() -> None:
    """Whatever a hook does to the containers and objects on the way down, what comes out is either
    an error or the bytes of values that were there."""

    @dataclasses.dataclass
    class Plain:
        first: Any
        second: Any

    def pack(value: Any, change: Any, **option: Any) -> None:
        calls = 0

        def default(_: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls < 20:
                change()
            if calls == 1:
                gc.collect()
            return [None] * 3

        try:
            packord.unpackb(packord.packb(value, default=default, **option))
        except packord.MsgpackEncodeError as error:
            assert error.kind in ("changed", "unsupported_type", "cycle")

    options: list[dict[str, Any]] = [{}, {"sort_keys": True}, {"skip_nil": True}]
    for option in options:
        plain = Plain(Strange(), ["x" * 100])
        for change in (
            plain.__dict__.clear,
            lambda plain=plain: setattr(plain, "second", None),
            lambda plain=plain: setattr(plain, "__dict__", {}),
            lambda plain=plain: plain.__dict__.pop("second", None),
        ):
            plain.__dict__ = {"first": Strange(), "second": ["x" * 100]}
            pack([plain, plain], change, **option)
    inner: list[Any] = [Strange(), *range(1000)]
    outer = {"a": inner, "b": [inner], "c": "x" * 100}
    for act in (inner.clear, outer.clear, lambda: inner.insert(0, outer), inner.reverse):
        inner[:] = [Strange(), *range(1000)]
        outer.update(a=inner, b=[inner], c="x" * 100)
        pack(outer, act)
        pack((outer, outer), act)
    array = numpy.array([Strange(), 1], dtype=object)
    pack([array], lambda: array.resize(0, refcheck=False))
    buffer = bytearray(1000)
    pack([memoryview(buffer), Strange(), buffer], buffer.clear)


def test_hooks_change_the_bytes_that_are_read() -> None:
    data = bytearray(packord.packb([packord.Ext(5, b"x"), "y" * 1000]))

    def resize(*_: Any) -> Any:
        with pytest.raises(BufferError):
            data.clear()
        data[3:6] = b"\xc1\xc1\xc1"
        return 1

    with pytest.raises(packord.MsgpackDecodeError):
        packord.unpackb(data, ext_hook=resize)


# Eight integers of 64 bits with one hash: Python hashes integers modulo 2^61 - 1.
EQUAL = [5 + k * (2**61 - 1) for k in range(8)]
CROWDS: list[Any] = [
    [list(key) for key in itertools.islice(itertools.product(EQUAL, repeat=4), 4000)],
    [5 + (k << 70) * (2**61 - 1) for k in range(4000)],
]


def packed_map(keys: list[Any]) -> bytes:
    entries = b"".join([packord.packb(key, bigint=True) + b"\xc0" for key in keys])
    return b"\xdf" + len(keys).to_bytes(4, "big") + entries


@pytest.mark.parametrize("keys", CROWDS, ids=["arrays", "large integers"])
def test_keys_of_one_hash_are_refused(keys: list[Any]) -> None:
    read = packord.Decoder(bigint=True).decode
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        read(packed_map(keys))
    assert caught.value.kind == "length_limit"
    # A hundred of them harm nobody, nor does the same key again and again.
    assert len(read(packed_map(keys[:100]))) == 100
    assert len(read(packed_map(keys[:1] * 4000))) == 1


def test_elements_of_one_hash_are_refused() -> None:
    arrays = packord.packb(CROWDS[0])
    for kind in (set[tuple[int, ...]], frozenset[tuple[int, ...]]):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            packord.Decoder(kind).decode(arrays)
        assert caught.value.kind == "length_limit"
        few = packord.Decoder(kind).decode(packord.packb(CROWDS[0][:100] * 50))
        assert few == set(map(tuple, CROWDS[0][:100]))
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.Decoder(dict[tuple[int, ...], None]).decode(packed_map(CROWDS[0]))
    assert caught.value.kind == "length_limit"


def test_a_packed_set_of_elements_of_one_hash_is_refused() -> None:
    elements = packord.packb(CROWDS[0])
    ext = b"\xc9" + len(elements).to_bytes(4, "big") + b"\x56" + elements
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.unpackb(ext, rich=True)
    assert caught.value.kind == "invalid_ext"


class Mirror(pydantic.BaseModel):
    @pydantic.model_serializer
    def itself(self) -> Any:
        return self


def test_an_object_that_is_packed_as_itself_is_an_error() -> None:
    for function in (packord.packb, packord.Encoder().encode):
        with pytest.raises(packord.MsgpackEncodeError) as caught:
            function({"a": [Mirror()]})
        assert (caught.value.kind, caught.value.path) == ("depth_limit", "$.a[0]")
    nested: Any = None
    for _ in range(1000):
        nested = collections.deque([nested])
    assert packord.packb(nested) == b"\x91" * 1000 + b"\xc0"


@pytest.mark.parametrize(
    ("kilobytes", "wanted"),
    [(64, "limit"), (80, "limit"), (128, "limit"), (512, ""), (1024, "read")],
)
def test_a_small_stack_is_an_error_and_no_crash(kilobytes: int, wanted: str) -> None:
    program = f"""
import dataclasses, threading, typing, packord

@dataclasses.dataclass
class Node:
    next: "Node | None" = None

def deep(around, inner=None, levels=1000):
    for level in range(levels):
        inner = around(inner)
    return inner

maps = deep(lambda inner: [inner] if isinstance(inner, dict) else {{"k": inner}})
nodes, sets = deep(Node), deep(lambda inner: frozenset([inner]), levels=500)
keys = iter(range(1000))
records = deep(lambda inner: {{f"k{{next(keys)}}": inner}})
data = packord.packb(maps)
calls = [
    lambda: packord.packb(maps),
    lambda: packord.packb(maps, canonical=True),
    lambda: packord.unpackb(data),
    lambda: packord.unpackb(data, max_nodes=10**9),
    lambda: packord.unpackb(data, object_hook=lambda value: value),
]
for value, type, options in (
    (nodes, Node, {{}}),
    (nodes, Node, {{"columns": True}}),
    (sets, typing.Any, {{"rich": True}}),
    (records, dict, {{"records": True}}),
):
    packed = packord.packb(value, **options)
    calls += [
        lambda value=value, options=options: packord.packb(value, **options),
        lambda packed=packed, options=options: packord.unpackb(packed, **options),
        lambda packed=packed, options=options, type=type: packord.unpackb(packed, type=type, **options),
    ]
found = set()

def run():
    for call in calls:
        try:
            call()
            found.add("read")
        except (packord.MsgpackDecodeError, packord.MsgpackEncodeError) as error:
            # Within the payload of a set any fault is one of the ext.
            found.add("limit" if error.kind in ("depth_limit", "invalid_ext") else str(error))

run()
assert found == {{"read"}}, found
found.clear()
threading.stack_size({kilobytes} * 1024)
thread = threading.Thread(target=run)
thread.start()
thread.join()
print(*sorted(found))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done
    assert set(done.stdout.split()) == {wanted} if wanted else {"read", "limit"}, done


def test_answers_of_default_on_a_small_stack_are_an_error_and_no_crash() -> None:
    program = """
import threading, packord

def run():
    try:
        packord.packb(Strange(), default=lambda value: Strange())
    except packord.MsgpackEncodeError as error:
        print(error.kind)

class Strange:
    pass

threading.stack_size(64 * 1024)
thread = threading.Thread(target=run)
thread.start()
thread.join()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "depth_limit\n"), done


class Closed:
    """One of its attributes cannot be asked for."""

    def __init__(self, name: str) -> None:
        self.read = self.seekable = self.__arrow_c_stream__ = lambda: None
        self.name = name

    def __getattribute__(self, name: str) -> Any:
        if name == super().__getattribute__("name"):
            raise LookupError(name)
        return super().__getattribute__(name)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (packord.Unpacker, "read"),
        (packord.from_arrow, "__arrow_c_stream__"),
        (Reader, "seekable"),
    ],
)
def test_what_an_attribute_raises_is_raised(call: Any, name: str) -> None:
    with pytest.raises(LookupError):
        call(Closed(name))
