"""Makes the table of ``site/generated/python-features.md``: each cell is what its piece of code did.

    .venv/bin/python tests/features.py

A cell runs ``CELL(package)`` of its row for packord, ormsgpack, msgspec and msgpack: ✓ if it
returns what it should, – if the package has no such thing, or does another.
"""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import enum
import io
import uuid
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

PAGE = Path(__file__).parent / "linked" / "python-features.md"
BEGIN, END = "<!-- features -->\n", "<!-- /features -->"


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Color(enum.Enum):
    RED = "red"


# What packord has for the bits that are named below; the others are what it does without an option.
KEYWORDS = {
    "BIGINT_EXT": "bigint",
    "TYPES_AS_EXT": "rich",
    "NUMPY_AS_EXT": "rich",
    "RECORDS": "records",
    "CANONICAL": "canonical",
    "SORT_KEYS": "sort_keys",
}


class Package:
    """One of the packages, with the few calls that all have in their own words."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.name = module.__name__.partition(".")[0]

    def pack(self, obj: Any, **options: Any) -> bytes:
        pack = getattr(self.module, "packb", None) or self.module.encode
        data: bytes = pack(obj, **options)
        return data

    def unpack(self, data: bytes, **options: Any) -> Any:
        read = getattr(self.module, "unpackb", None) or self.module.decode
        return read(data, **options)

    def option(self, name: str) -> dict[str, Any]:
        if self.name == "packord":
            return {KEYWORDS[name]: True} if name in KEYWORDS else {}
        return {"option": getattr(self.module, f"OPT_{name}")}

    def typed(self, data: bytes, wanted: Any) -> Any:
        return self.unpack(data, type=wanted)


def packages() -> list[Package]:
    import msgpack
    import msgspec.msgpack
    import ormsgpack

    import packord

    return [Package(module) for module in (packord, ormsgpack, msgspec.msgpack, msgpack)]


MOMENT = datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=datetime.timezone.utc)
PLAIN = {"a": [1, -(2**40), 1.5, "é", b"\x00", None, True]}


def plain(package: Package) -> bool:
    return bool(package.unpack(package.pack(PLAIN)) == PLAIN)


def dataclass(package: Package) -> bool:
    return bool(package.unpack(package.pack(Point(1))) == {"x": 1, "y": 0})


def text_types(package: Package) -> bool:
    values = [uuid.UUID(int=1), Color.RED, datetime.date(2026, 1, 2)]
    return bool(package.unpack(package.pack(values)) == [str(values[0]), "red", "2026-01-02"])


def timestamps(package: Package) -> bool:
    if package.name in ("packord", "ormsgpack"):
        option = package.option("DATETIME_AS_TIMESTAMP_EXT")
        return bool(package.unpack(package.pack(MOMENT, **option), **option) == MOMENT)
    if package.name == "msgpack":
        return bool(package.unpack(package.pack(MOMENT, datetime=True), timestamp=3) == MOMENT)
    return bool(package.unpack(package.pack(MOMENT)) == MOMENT)


def nanoseconds(package: Package) -> bool:
    stamp = package.module.Timestamp(1, 999_999_999)
    return bool(package.unpack(package.pack(stamp)).nanoseconds == 999_999_999)


def large_integers(package: Package) -> bool:
    option = package.option("BIGINT_EXT")
    return bool(package.unpack(package.pack(2**100, **option), **option) == 2**100)


def exact_types(package: Package) -> bool:
    import decimal

    value = [uuid.UUID(int=1), decimal.Decimal("1.50"), {1, 2}, datetime.timedelta(1)]
    option = package.option("TYPES_AS_EXT")
    return bool(package.unpack(package.pack(value, **option), **option) == value)


def arrays(package: Package) -> bool:
    import numpy

    array = numpy.ones((2, 3), "f4")
    packed = package.pack(array, **package.option("SERIALIZE_NUMPY"))
    return bool(package.unpack(packed) == array.tolist())


def same_arrays(package: Package) -> bool:
    import numpy

    array, option = numpy.ones((2, 3), ">c16"), package.option("NUMPY_AS_EXT")
    back = package.unpack(package.pack(array, **option), **option)
    return bool(back.dtype == array.dtype and (back == array).all())


def tables(package: Package) -> bool:
    import importlib

    import pandas

    hooks = importlib.import_module(f"{package.name}.integrations.tables")
    frame = pandas.DataFrame({"a": pandas.Categorical(["x", None])})
    back = package.unpack(package.pack(frame, default=hooks.default), ext_hook=hooks.ext_hook)
    return bool(back.equals(frame))


def pydantic_models(package: Package) -> bool:
    import pydantic

    class Model(pydantic.BaseModel):
        a: int

    option = {} if package.name in ("msgspec", "msgpack") else package.option("SERIALIZE_PYDANTIC")
    return bool(package.unpack(package.pack(Model(a=1), **option)) == {"a": 1})


def typed(package: Package) -> bool:
    return bool(package.typed(package.pack([{"x": 1}]), list[Point]) == [Point(1)])


def typed_pydantic(package: Package) -> bool:
    import pydantic

    class Model(pydantic.BaseModel):
        a: int = pydantic.Field(gt=0)

    packed = package.pack({"a": 1})
    return bool(package.typed(packed, Model).a == 1) and refuses(
        lambda: package.typed(package.pack({"a": -1}), Model)
    )


def typed_structs(package: Package) -> bool:
    import msgspec

    class Struct(msgspec.Struct):
        a: int

    return bool(package.typed(package.pack(Struct(1)), Struct) == Struct(1))


def paths_of_errors(package: Package) -> bool:
    try:
        package.typed(package.pack({"users": [{"x": "1"}]}), dict[str, list[Point]])
    except ValueError as error:
        return "x" in str(error) and "[0]" in str(error).replace("[...]", "[0]")
    return False


def offsets_of_errors(package: Package) -> bool:
    try:
        package.unpack(b"\x92\x01\xc1")
    except ValueError as error:
        return getattr(error, "offset", None) == 2 or "byte 2" in str(error)
    return False


def trailing(package: Package) -> bool:
    return refuses(lambda: package.unpack(b"\x01\x02"))


def streams(package: Package) -> bool:
    unpacker = package.module.Unpacker(io.BytesIO(package.pack(1) + package.pack("a")))
    return list(unpacker) == [1, "a"]


def typed_streams(package: Package) -> bool:
    unpacker = package.module.Unpacker(io.BytesIO(package.pack({"x": 1})), type=Point)
    return list(unpacker) == [Point(1)]


def async_streams(package: Package) -> bool:
    async def read() -> list[Any]:
        reader = asyncio.StreamReader()
        reader.feed_data(b"\x01\x02")
        reader.feed_eof()
        return [message async for message in package.module.unpack_async(reader)]

    return asyncio.run(read()) == [1, 2]


def cut_streams(package: Package) -> bool:
    def read() -> None:
        for _ in package.module.Unpacker(io.BytesIO(b"\x01\x92\x01")):
            pass

    return hasattr(package.module, "Unpacker") and refuses(read)


def records(package: Package) -> bool:
    rows = [{"id": number, "name": "n"} for number in range(9)]
    option = package.option("RECORDS")
    packed = package.pack(rows, **option)
    return len(packed) < 0.7 * len(package.pack(rows)) and package.unpack(packed, **option) == rows


def container_files(package: Package) -> bool:
    import importlib

    container = importlib.import_module(f"{package.name}.container")
    file = io.BytesIO()
    with container.Writer(file, block_rows=10) as writer:
        writer.write_many({"id": number} for number in range(100))
    reader = container.Reader(file.getvalue(), where=[("id", ">=", 95)])
    return [row["id"] for row in reader] == [95, 96, 97, 98, 99] and reader.blocks_read == 1


def views(package: Package) -> bool:
    return bool(package.module.View(package.pack({"a": [1, 2]}))["a"][1] == 2)


def limits(package: Package) -> bool:
    if package.name == "msgpack":
        return refuses(lambda: package.unpack(b"\x92\x01\x02", max_array_len=1))
    decoder = package.module.Decoder(max_array_len=1)
    return refuses(lambda: decoder.decode(b"\x92\x01\x02"))


def duplicate_keys(package: Package) -> bool:
    decoder = package.module.Decoder(duplicate_key="error")
    return refuses(lambda: decoder.decode(b"\x82\xa1a\x01\xa1a\x02"))


def sorted_keys(package: Package) -> bool:
    keywords = {"order": "sorted"} if package.name == "msgspec" else package.option("SORT_KEYS")
    return package.pack({"b": 1, "a": 2}, **keywords) == b"\x82\xa1a\x02\xa1b\x01"


def canonical(package: Package) -> bool:
    packed = package.pack({"b": 1.5, "a": 2}, **package.option("CANONICAL"))
    decoder = package.module.Decoder(canonical=True)
    return bool(decoder.decode(packed) == {"a": 2, "b": 1.5}) and refuses(
        lambda: decoder.decode(b"\xcc\x01")
    )


def depth(package: Package) -> bool:
    data = b"\x91" * 500 + b"\x90"
    return package.pack(package.unpack(data)) == data


def into_a_buffer(package: Package) -> bool:
    buffer = bytearray(4)
    package.module.Encoder().encode_into("abc", buffer, 1)
    return bytes(buffer[1:5]) == b"\xa3abc"


def other_formats(package: Package) -> bool:
    import importlib

    json = importlib.import_module(f"{package.name}.json")
    return bool(json.decode(json.encode(Point(1)), type=Point) == Point(1))


def json_schema(package: Package) -> bool:
    import importlib

    return "properties" in str(importlib.import_module(package.name).json.schema(Point))


def without_compiled_code(package: Package) -> bool:
    import importlib

    fallback = importlib.import_module(f"{package.name}.fallback")
    return bool(fallback.Packer().pack(1) == b"\x01")


def refuses(call: Callable[[], Any]) -> bool:
    try:
        call()
    except (ValueError, EOFError):
        return True
    return False


ROWS: list[tuple[str, Callable[[Package], bool]]] = [
    ("plain values", plain),
    ("dataclasses are packed", dataclass),
    ("`UUID`, enum and date are packed, as text", text_types),
    ("date-times as timestamps, and exactly back", timestamps),
    ("timestamps with nanoseconds", nanoseconds),
    ("integers of any size", large_integers),
    ("`UUID`, `Decimal`, set, `timedelta` come back as they are", exact_types),
    ("arrays of numpy are packed as lists", arrays),
    ("arrays of numpy come back, with type and shape", same_arrays),
    ("tables of pandas come back", tables),
    ("models of pydantic are packed", pydantic_models),
    ("reading into dataclasses", typed),
    ("reading into models of pydantic, validated", typed_pydantic),
    ("reading into `msgspec.Struct`", typed_structs),
    ("errors say which field", paths_of_errors),
    ("errors say which byte", offsets_of_errors),
    ("bytes after the message are an error", trailing),
    ("streams from files", streams),
    ("streams into types", typed_streams),
    ("`async` streams", async_streams),
    ("a stream that is cut short is an error", cut_streams),
    ("records: repeated keys are written once", records),
    ("files of rows in blocks, compressed and skipped by statistics", container_files),
    ("lazy views", views),
    ("limits of lengths", limits),
    ("duplicate keys can be refused", duplicate_keys),
    ("sorted keys", sorted_keys),
    ("canonical form, written and required", canonical),
    ("500 levels, both ways", depth),
    ("packing into a buffer", into_a_buffer),
    ("JSON for the same classes", other_formats),
    ("JSON Schema of a class", json_schema),
    ("works without compiled code, as on PyPy", without_compiled_code),
]


def cell(run: Callable[[Package], bool], package: Package) -> str:
    try:
        return "✓" if run(package) else "–"
    except Exception:  # The package has no such thing.
        return "–"


def table() -> str:
    """The table, made by running every cell."""
    columns = packages()
    lines = ["| | " + " | ".join(package.name for package in columns) + " |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    for title, run in ROWS:
        cells = " | ".join(cell(run, package) for package in columns)
        lines.append(f"| {title} | {cells} |")
    return "\n".join(lines) + "\n"


def with_table(page: str) -> str:
    """The page with its table made again."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")
