"""Cycles through the package's objects are collected, whatever class they are of."""

from __future__ import annotations

import ctypes
import dataclasses
import enum
import gc
import importlib
import inspect
import io
import pkgutil
import re
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

import packord
from packord.compat import msgpack
from packord.container import Reader, Writer

SOURCE = Path(__file__).parents[1] / "src"
ROWS = [{"id": number, "town": "Oslo"} for number in range(500)]
COLUMNS = packord.packb(ROWS, columns=True)
# Called with arguments that a type checker refuses.
ReaderOf: Any = Reader
unpack_async: Any = packord.unpack_async
WriterOf: Any = Writer


def packed(rows: Any = ROWS) -> bytes:
    file = io.BytesIO()
    with WriterOf(file, block_rows=100) as writer:
        writer.write_many(rows)
    return file.getvalue()


FILE = packed()


class Bytes(bytes):
    """A buffer that leads to its owner."""

    owner: Any


class File(io.BytesIO):
    """A file that leads to its owner, and may not be able to seek."""

    can_seek = True
    owner: Any

    def seekable(self) -> bool:
        return self.can_seek


class Full(io.BytesIO):
    """A file that takes the header alone."""

    def write(self, data: Any) -> int:
        if self.tell():
            raise OSError("the disk is full")
        return super().write(data)


class Owner:
    """What holds an object of the package, and is held by it."""

    held: Any

    def hook(self, *arguments: Any) -> Any:
        return None

    def rename(self, name: str) -> str:
        return name

    def read(self, size: int) -> bytes:
        return b""

    def write(self, data: bytes) -> int:
        return len(data)

    def buffer(self, data: bytes) -> Any:
        made = Bytes(data)
        made.owner = self
        return made

    def file(self, data: bytes = FILE, can_seek: bool = True) -> Any:
        made = File(data)
        made.owner, made.can_seek = self, can_seek
        return made

    def type(self, **fields: Any) -> Any:
        """A dataclass that leads here."""
        cls = dataclasses.make_dataclass(
            "Made", [(name, Any, field) for name, field in fields.items()]
        )
        cls.owner = self  # type: ignore[attr-defined]
        return cls

    def choice(self, kind: str) -> Any:
        """A type that is chosen by values."""
        if kind == "enum":
            made = enum.Enum("made", {"A": "a"})
            made.owner = self  # type: ignore[attr-defined]
            return made
        first = dataclasses.make_dataclass("First", [("kind", Literal["a"]), ("x", int, 1)])
        second = dataclasses.make_dataclass("Second", [("kind", Literal["b"]), ("y", int, 1)])
        first.owner = self  # type: ignore[attr-defined]
        # `Union[…]` would be kept by `typing`.
        return first | second

    def writer(self) -> Any:
        """A writer whose error has led here."""
        writer = WriterOf(Full())
        writer.write(1)
        with pytest.raises(OSError) as raised:
            writer.flush()
        raised.value.owner = self  # type: ignore[attr-defined]
        return writer

    def damaged(self) -> Any:
        """A reader whose errors lead here."""
        reader = ReaderOf(FILE[:60] + b"\xc1" * 20 + FILE[80:], on_bad_block="skip")
        list(reader)
        for damage in reader.damaged:
            damage.error.owner = self
        assert reader.damaged
        return reader

    def chain(self) -> Any:
        """Batches to which a file has been added that leads back to them through nothing but a tuple."""
        batches = ReaderOf(FILE).arrow_batches()
        batches._then(ReaderOf(Chained((batches, self.file()))))
        return batches


class Chained(tuple[Any, ...]):
    """A file object that can't be cleared."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self[1], name)


def post_init(owner: Owner) -> Any:
    class Made:
        x: int

        def __post_init__(self) -> None:
            owner.hook()

    Made.__annotations__ = {"x": int}
    return dataclasses.dataclass(Made)


# For each class that Rust defines, what makes an object of it that leads to its owner, if objects of this class can.
COMPILED: dict[str, dict[str, Callable[[Owner], Any]]] = {
    "Ext": {"bytes": lambda owner: packord.Ext(5, owner.buffer(b"1"))},
    "Timestamp": {"numbers": lambda owner: packord.Timestamp(1, 2)},
    "Fragment": {"bytes": lambda owner: packord.Fragment(owner.buffer(b"\x01"))},
    "Encoder": {
        "default": lambda owner: packord.Encoder(default=owner.hook),
        "enc_hook": lambda owner: packord.Encoder(default=owner.hook),
        "rename": lambda owner: packord.Encoder(rename=owner.rename),
        "records": lambda owner: packord.Encoder(default=owner.hook, structures=[]),
    },
    "Decoder": {
        "ext_hook": lambda owner: packord.Decoder(ext_hook=owner.hook),
        "object_hook": lambda owner: packord.Decoder(object_hook=owner.hook),
        "object_pairs_hook": lambda owner: packord.Decoder(object_pairs_hook=owner.hook),
        "list_hook": lambda owner: packord.Decoder(list_hook=owner.hook),
        "records": lambda owner: packord.Decoder(list_hook=owner.hook, structures=[["a"]]),
        "dec_hook": lambda owner: packord.Decoder(complex, dec_hook=owner.hook),
        "rename": lambda owner: packord.Decoder(owner.type(), rename=owner.rename),
        "class": lambda owner: packord.Decoder(list[owner.type()]),  # type: ignore[misc]
        "value": lambda owner: packord.Decoder(owner.type(x=dataclasses.field(default=owner))),
        "factory": lambda owner: packord.Decoder(
            owner.type(x=dataclasses.field(default_factory=owner.hook))
        ),
        "post_init": lambda owner: packord.Decoder(post_init(owner)),
        "enum": lambda owner: packord.Decoder(owner.choice("enum")),
        "tagged": lambda owner: packord.Decoder(owner.choice("tagged")),
    },
    "Unpacker": {
        "file": lambda owner: packord.Unpacker(owner),
        "hook": lambda owner: packord.Unpacker(object_hook=owner.hook),
        "type": lambda owner: packord.Unpacker(type=owner.type()),
        "msgpack's file": lambda owner: msgpack.Unpacker(owner),
        "msgpack's hook": lambda owner: msgpack.Unpacker(list_hook=owner.hook),
    },
    "Packer": {"msgpack's default": lambda owner: msgpack.Packer(default=owner.hook)},
    "View": {"bytes": lambda owner: packord.View(owner.buffer(b"\x91\x01"))},
    "Elements": {"bytes": lambda owner: iter(packord.View(owner.buffer(b"\x91\x01")))},
    "ColumnsView": {"bytes": lambda owner: packord.columns_of(owner.buffer(COLUMNS))},
    "ColumnView": {"bytes": lambda owner: packord.columns_of(owner.buffer(COLUMNS)).columns[1]},
    "ArrowTable": {"bytes": lambda owner: packord.to_arrow(owner.buffer(COLUMNS))},
    "Reader": {
        "buffer": lambda owner: ReaderOf(owner.buffer(FILE)),
        "file": lambda owner: ReaderOf(owner.file()),
        "stream": lambda owner: ReaderOf(owner.file(can_seek=False)),
        "hook": lambda owner: ReaderOf(FILE, object_hook=owner.hook),
        "type": lambda owner: ReaderOf(FILE, type=owner.type()),
        "damage": Owner.damaged,
    },
    "Rows": {
        "buffer": lambda owner: iter(ReaderOf(owner.buffer(FILE))),
        "file": lambda owner: iter(ReaderOf(owner.file())),
        "skipping": lambda owner: iter(ReaderOf(owner.file(), on_bad_block="skip")),
        "threads": lambda owner: iter(ReaderOf(owner.file(), threads=2)),
    },
    "Batches": {
        "file": lambda owner: ReaderOf(owner.file()).arrow_batches(),
        "choice": lambda owner: ReaderOf(FILE)._chosen_batches(
            ["id", "town"], None, None, ["id"], owner.hook
        ),
        "stream": lambda owner: ReaderOf(owner.file(can_seek=False)).arrow_batches(
            schema={"id": (("int",), False)}
        ),
        "more": Owner.chain,
    },
    "Batch": {"rows": lambda owner: next(ReaderOf(owner.file()).arrow_batches())},
    "Writer": {
        "file": lambda owner: WriterOf(owner),
        "default": lambda owner: WriterOf(io.BytesIO(), default=owner.hook),
        "error": Owner.writer,
    },
}
# Classes of Python are collected anyway, unless they hold what is not.
IN_PYTHON: dict[str, Callable[[Owner], Any]] = {
    "packord.Packer": lambda owner: packord.Packer(default=owner.hook),
    "unpack_async": lambda owner: unpack_async(owner, object_hook=owner.hook),
}
CASES = {
    **{f"{cls} {way}": make for cls, ways in COMPILED.items() for way, make in ways.items()},
    **IN_PYTHON,
}
HAVE_GC = 1 << 14


def classes_in_python() -> Iterator[Any]:
    """All public classes of the package that Rust does not define, except those for packages that are not there."""
    compiled = set(map(id, vars(packord._packord).values()))
    for found in pkgutil.walk_packages(packord.__path__, "packord."):
        # Django is set up once, by the test of its integration.
        if found.name.endswith("rest_framework"):
            continue
        try:
            module = importlib.import_module(found.name)
        except ImportError:
            continue
        for name, cls in inspect.getmembers(module, inspect.isclass):
            is_own = cls.__module__.startswith("packord") and not name.startswith("_")
            if is_own and id(cls) not in compiled:
                yield cls


def compiled_names() -> set[str]:
    """What Rust's classes are called in Python."""
    found = set()
    for path in SOURCE.rglob("*.rs"):
        text = path.read_text(encoding="utf-8")
        for options, name in re.findall(r"#\[pyclass(.*)\]\n(?:#\[.*\]\n)*pub struct (\w+)", text):
            given = re.search(r'name = "(\w+)"', options)
            found.add(given[1] if given else name)
    return found


@pytest.fixture(autouse=True, scope="module")
def _fast_collector() -> Iterator[None]:
    """The collector looks at nothing that was there before these tests."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def left_after(make: Callable[[Owner], Any], count: int = 5) -> int:
    """How many owners are there when nothing but what they hold leads to them."""
    owners = []
    for _ in range(count):
        owner = Owner()
        owner.held = make(owner)
        owners.append(weakref.ref(owner))
        del owner
    gc.collect()
    return sum(owner() is not None for owner in owners)


def test_every_compiled_class_has_a_case() -> None:
    assert compiled_names() == set(COMPILED)
    for cls, ways in COMPILED.items():
        for make in ways.values():
            assert type(make(Owner())).__name__ == cls


@pytest.mark.parametrize("name", CASES)
def test_cycles_are_collected(name: str) -> None:
    assert left_after(CASES[name]) == 0


def test_subclasses_are_collected() -> None:
    class Encoder(packord.Encoder):
        owner: Any

    class Slots(packord.Unpacker[Any]):
        __slots__ = ("owner",)

    for made in (
        lambda owner: Encoder(default=owner.hook),
        lambda owner: Slots(object_hook=owner.hook),
    ):

        def make(owner: Owner, made: Any = made) -> Any:
            held = made(owner)
            held.owner = owner
            return held

        assert left_after(make) == 0


def test_what_is_in_use_is_kept() -> None:
    """The collector runs while an object calls, and each hook is still what it was."""

    def hook(value: Any) -> Any:
        gc.collect()
        return value

    def default(value: Any) -> Any:
        gc.collect()
        return 7

    class Source:
        left = [packord.packb([{"a": 1}, {"a": 2}])] * 3

        def read(self, size: int) -> bytes:
            gc.collect()
            return self.left.pop() if self.left else b""

        def write(self, data: bytes) -> int:
            gc.collect()
            return len(data)

    assert packord.unpackb(packord.Encoder(default=default).encode([object()] * 3)) == [7] * 3
    assert packord.Decoder(object_hook=hook).decode(b"\x91\x81\xa1a\x01") == [{"a": 1}]
    assert packord.Decoder(list[complex], dec_hook=lambda _, value: complex(hook(value))).decode(
        b"\x92\x01\x02"
    )
    assert len(list(packord.Unpacker(Source(), object_hook=hook, list_hook=hook))) == 3
    assert list(ReaderOf(File(FILE), object_hook=hook, threads=2)) == ROWS
    with WriterOf(Source(), default=default, block_rows=1) as writer:
        writer.write_many([object(), 2, 3])


def test_the_collector_runs_beside_threads() -> None:
    stop = threading.Event()

    def collect() -> None:
        while not stop.is_set():
            gc.collect()

    thread = threading.Thread(target=collect)
    thread.start()
    try:
        for _ in range(20):
            owner = Owner()
            owner.held = [make(owner) for make in CASES.values()]
            batches = ReaderOf(owner.file(), threads=2).arrow_batches()
            assert sum(batch.num_rows for batch in batches) == len(ROWS)
            assert len(list(ReaderOf(owner.file(), threads=2))) == len(ROWS)
    finally:
        stop.set()
        thread.join()


CLEAR = 51  # `Py_tp_clear`


def clear(held: Any) -> None:
    """Clears an object as the collector does."""
    slot = ctypes.pythonapi.PyType_GetSlot
    slot.restype, slot.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_int]
    address = slot(type(held), CLEAR)
    if address:
        assert ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object)(address)(held) == 0


@pytest.mark.parametrize("cls", COMPILED)
def test_cleared_objects_work_or_raise(cls: str) -> None:
    for make in COMPILED[cls].values():
        owner = Owner()
        held = make(owner)
        clear(held)
        repr(held)
        for name in dir(held):
            if name.startswith("_arrow") or not name.startswith("__"):
                getattr(held, name)
        try:
            list(held)
        except (packord.MsgpackDecodeError, TypeError, ValueError):
            pass
        if isinstance(held, packord.Encoder):
            assert held.encode(1) == b"\x01"
        if isinstance(held, packord.Decoder):
            with pytest.raises(packord.MsgpackDecodeError):
                held.decode(b"\xc1")


def test_batches_are_cleared_in_use_and_out_of_use() -> None:
    class Source(File):
        batches: Any = None

        def read(self, size: int | None = -1) -> bytes:
            if self.batches is not None:
                clear(self.batches)
            return super().read(size)

    file = Source(FILE)
    file.batches = batches = ReaderOf(file).arrow_batches()
    # In use it goes on, and the next call finds it cleared.
    assert sum(batch.num_rows for batch in batches) == len(ROWS)
    clear(batches)
    assert list(batches) == []
    batches._then(ReaderOf(FILE))
    assert list(batches) == []


def test_classes_in_python_are_collected() -> None:
    found = set(classes_in_python())
    assert {packord.Packer, msgpack.ExtType} <= found
    assert [cls for cls in found if not cls.__flags__ & HAVE_GC] == []
