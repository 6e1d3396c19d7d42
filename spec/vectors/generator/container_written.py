"""The bytes that writers make, with the statistics and the schema that they are to have."""

from __future__ import annotations

from typing import Any

from ..columnar import sections_of_keys
from ..columnar_writer import ColumnsWriter
from ..container_columns import payload_start
from ..container_file import Block, ContainerFile
from ..container_writer import ContainerWriter, WriterOptions
from ..options import Fault, Options
from ..writer import encode
from .build import Value, double, ext, fields, integer, items, text, timestamp
from .container_bytes import Files, abbreviated, numbers

LARGEST_DERIVED = 5000  # bytes of a file about which derived rules are stated


def topics() -> list[Files]:
    return [_blocks(), _bodies(), _chunks(), _appended()]


class Written(Files):
    """A topic whose files a writer makes. The bytes are those of the reference writer, which the tests read."""

    def written(
        self, name: str, rows: list[Value], /, *, stats: Any = None, schema: Any = None, blocks: int = 1,
        flush: tuple[int, ...] = (), refused: tuple = (), append: bytes = b"", stats_of: list[str] | None = None,
        **options: Any,
    ) -> bytes:  # fmt: skip
        """``stats`` of the last block, ``schema`` and the number of blocks are what the index must have.

        ``stats_of`` is the writer's option ``stats``.
        """
        if stats_of is not None:
            options["stats"] = stats_of
        writer = ContainerWriter(WriterOptions(**options), append)
        kept = []
        for place, row in enumerate(rows, 1):
            try:
                writer.write(row)
                kept.append(row)
            except Fault:
                pass
            if place in flush:
                writer.flush()
        data = writer.finish()
        write: dict[str, Any] = {"options": options} if options else {}
        write["rows"] = abbreviated(b"".join(map(encode, rows)))
        # What the writer was given is what a reader gets.
        same = not (refused or append)
        write |= {key: list(value) for key, value in (("flush", flush), ("refused", refused)) if value}
        if append:
            write["append"] = append.hex()
        stated = {"stats": stats, "schema": schema, "blocks": blocks}
        about = self.topic.removeprefix("written-")
        self.file(
            f"{about}: {name}",
            abbreviated(data),
            None if same else [*self.earlier(append), *kept],
            write=write,
            stated=stated,
            derived=len(data) < LARGEST_DERIVED,
        )
        return data

    def earlier(self, append: bytes) -> list[Value]:
        """The rows of the file that is appended to."""
        return ContainerFile(append).sequential().rows if append else []


def nested(depth: int) -> Value:
    """Arrays within each other."""
    value = items()
    for _ in range(depth - 1):
        value = items(value)
    return value


def _number(i: int, **more: Value) -> Value:
    return fields(i=integer(i), **more)


def _blocks() -> Files:
    topic = Written(
        "written-blocks", "where writers end blocks, and how headers, blocks and indexes are written"
    )
    topic.written("no rows", [], blocks=0)
    topic.written("no messages", [], blocks=0, messages=True)
    topic.written("three rows", numbers(1, 2, 3))
    topic.written("three messages", numbers(1, 2, 3), messages=True)
    topic.written("blocks of two rows", numbers(*range(5)), blocks=3, block_rows=2)
    topic.written("as many rows as a block has", numbers(*range(4)), blocks=2, block_rows=2)
    topic.written("blocks of one message", numbers(1, 2), blocks=2, block_rows=1, messages=True)
    topic.written("flushes", numbers(1, 2, 3), blocks=2, flush=(1, 3))
    topic.written(
        "a flush when a block has just ended", numbers(1, 2, 3), blocks=2, flush=(2, 3), block_rows=2
    )
    # A row of 9 bytes; the header of the array counts.
    word = text("8 bytes.")
    topic.written("rows that fill block_size exactly", [word] * 4, blocks=2, block_size=19)
    topic.written("rows that do not fit block_size by a byte", [word] * 4, blocks=4, block_size=18)
    topic.written("messages that fill block_size exactly", [word] * 4, blocks=2, block_size=18, messages=True)
    topic.written(
        "a row larger than block_size between others",
        [integer(1), word, integer(2), integer(3)],
        blocks=3,
        block_size=6,
    )
    topic.written(
        "a message larger than block_size first",
        [word, integer(2), integer(3)],
        blocks=2,
        block_size=6,
        messages=True,
    )
    topic.written("the header of 16 rows has three bytes", numbers(*range(16)), blocks=2, block_size=18)
    topic.written("16 rows with the header of three bytes", numbers(*range(17)), blocks=2, block_size=19)
    topic.written(
        "sizes are those without columns and records",
        [_number(1)] * 40,
        blocks=2,
        block_size=83,
        stats_of=[],
        schema={"i": [["int"], False]},
    )
    sync = "ffeeddccbbaa99887766554433221100"
    topic.written("another sync", numbers(1), sync=sync)
    topic.written("every option of the header", [fields(a=integer(1))], sync=sync, stats={"a": [0, integer(1), integer(1)]}, schema={"a": [["int"], False]},
        meta=fields(z=integer(1), a=items(None, double(0.5))), stats_of=["a"])  # fmt: skip
    topic.written(
        "an empty list of paths", [fields(a=integer(1))], schema={"a": [["int"], False]}, stats_of=[]
    )
    return topic


def _bodies() -> Files:
    topic = Written("written-bodies", "bodies with and without columns, and rows that are refused")
    rows = [
        _number(
            1000 + 3 * i, name=text(f"name {i * i % 7}"), ok=i % 5 > 0, at=timestamp(1_700_000_000 + 60 * i)
        )
        for i in range(20)
    ]
    stats = {
        "i": [0, integer(1000), integer(1057)],
        "name": [0, text("name 0"), text("name 4")],
        "ok": [0, None, None],
        "at": [0, timestamp(1_700_000_000), timestamp(1_700_001_140)],
    }
    schema = {
        "i": [["int"], False],
        "name": [["str"], False],
        "ok": [["bool"], False],
        "at": [["timestamp"], False],
    }
    known = {"stats": stats, "schema": schema}
    topic.written("columns", rows, **known)
    topic.written(
        "without columns",
        rows[:6],
        **known
        | {
            "stats": {
                **stats,
                "i": [0, integer(1000), integer(1015)],
                "at": [0, timestamp(1_700_000_000), timestamp(1_700_000_300)],
            }
        },
        columns=False,
    )
    topic.written("messages have no columns", [items(*numbers(*[300] * 200))], messages=True)
    records = [ext(0x72, b"\x40"), integer(64), items(fields(a=ext(0x72, b"\x40")))]
    topic.written("rows with an ext of records, which is one like others", records)
    topic.written("messages with an ext of records", records, messages=True)
    bad = [integer(1), nested(1024), integer(2)]
    topic.written("a row that is too deep", bad, refused=([1, "depth_limit"],))
    topic.written("a row of max_depth", [nested(1023)])
    topic.written("a message of max_depth", [nested(1024)], messages=True)
    topic.written("only rows that are refused", [nested(1024)], refused=([0, "depth_limit"],), blocks=0)
    return topic


def _table(count: int, *keys: str, **more: Value) -> list[Value]:
    """Rows whose keys have integers that take a byte in columns, and others with the same value in each."""
    return [
        fields(**{key: integer((7 * i + place) % 256) for place, key in enumerate(keys)}, **more)
        for i in (row % 8 for row in range(count))
    ]


def _chunks() -> Files:
    topic = Written(
        "written-chunks", "where writers cut a body into chunks: before keys of a table in columns"
    )

    def cut(name: str, rows: list[Value], chunks: int, **options: Any) -> None:
        """``chunks`` is how many the last block has."""
        data = topic.written(name, rows, blocks=..., schema=..., stats_of=[], **options)
        found = len(_last_block(data).chunks)
        if found != chunks:
            raise ValueError(f"{name}: {found} chunks")

    for size, chunks in ((8191, 1), (8192, 2)):
        cut(f"a last key after {size} bytes", _before_last(size), chunks)
    cut("keys that share chunks", _table(3000, *"abcde"), 2)
    cut("keys that have chunks of their own", _table(8300, *"abc"), 3)
    cut("a directory of more than 8192 bytes", _table(8, "n" * 8300, "b"), 2)
    shapes = _table(9000, *"ab")
    for i, row in enumerate(shapes):
        if i % 8 == 5:
            row["map"].append([text("c"), integer(3)])
        if i % 8 == 7:
            row["map"].reverse()
    cut("shapes of more than 8192 bytes", shapes, 4)
    cut("the last chunk has the filler", _table(8300, "a", b=text("x" * 30)), 2)
    numbered = [fields(z=integer(i)) for i in range(24)]
    cut("no chunk is empty: a last key without bytes", _table(8500, "a") + numbered, 1)
    parts = [
        fields(
            list=items(*(integer(9 * k + i) for k in range(3))),
            map=fields(x=integer(3 * i), y=text("ab"[i % 2])),
            last=integer(i * i % 97),
        )
        for i in (row % 8 for row in range(3000))
    ]
    cut("a key has all that is below it", parts, 2)
    cut("two blocks, the second of which is short", _table(8400, *"ab"), 1, block_rows=8200)
    cut("columns of integers", numbers(*(100 + 5 * (i % 8) for i in range(9000))), 1)
    cut("rows without columns", _table(2000, *"ab"), 1, columns=False)
    cut("messages", _table(2000, *"ab"), 1, messages=True)
    return topic


def _before_last(size: int) -> list[Value]:
    """Rows with two keys, the second of which begins after ``size`` bytes of the body."""
    count = size
    while True:
        rows = _table(count, "a", "b")
        body = ColumnsWriter(Options(columns=True)).message({"array": rows})
        start = payload_start(body)
        begin = start + sections_of_keys(body[start:])[1].begin
        if begin == size:
            return rows
        # A row is a byte.
        count += size - begin


def _last_block(data: bytes) -> Block:
    file = ContainerFile(data)
    *_, last = file.marks()
    return file.block(last)


def _appended() -> Files:
    topic = Written("appended", "files that a writer appends to")
    a, b = fields(a=integer(1)), fields(a=integer(2), b=text("x"))

    def made(*rows: Value, index: bool = True, **options: Any) -> bytes:
        writer = ContainerWriter(WriterOptions(**options))
        for row in rows:
            writer.write(row)
        if index:
            return writer.finish()
        writer.flush()
        return bytes(writer.out)

    whole = made(a)
    topic.written(
        "a row",
        [b],
        append=whole,
        blocks=2,
        stats={"a": [0, integer(2), integer(2)], "b": [0, text("x"), text("x")]},
        schema={"a": [["int"], False], "b": [["str"], True]},
    )
    topic.written(
        "no row to a file with an index",
        [],
        append=whole,
        stats={"a": [0, integer(1), integer(1)]},
        schema={"a": [["int"], False]},
    )
    topic.written("no row to a file without an index", [], append=made(a, index=False))
    topic.written(
        "a row to a file without an index",
        [b],
        append=made(a, index=False),
        blocks=2,
        stats={"a": [0, integer(2), integer(2)], "b": [0, text("x"), text("x")]},
    )
    topic.written(
        "a row to a header",
        [a],
        append=made(index=False),
        stats={"a": [0, integer(1), integer(1)]},
        schema={"a": [["int"], False]},
    )
    topic.written(
        "a row to a file without rows",
        [a],
        append=made(),
        stats={"a": [0, integer(1), integer(1)]},
        schema={"a": [["int"], False]},
    )
    topic.written("nothing to a header", [], append=made(index=False), blocks=0)
    topic.written(
        "messages to rows",
        [integer(5)],
        append=whole,
        messages=True,
        blocks=2,
        schema={"a": [["int"], False]},
    )
    topic.written(
        "rows to messages",
        [a],
        append=made(integer(5), messages=True),
        blocks=2,
        stats={"a": [0, integer(1), integer(1)]},
    )
    topic.written(
        "the header's paths",
        [b],
        append=made(a, stats=["b"]),
        blocks=2,
        stats={"b": [0, text("x"), text("x")]},
        schema={"a": [["int"], False], "b": [["str"], True]},
    )
    topic.written(
        "the header's sync",
        [a],
        append=made(a, sync="ff" * 16),
        blocks=2,
        stats={"a": [0, integer(1), integer(1)]},
        schema={"a": [["int"], False]},
    )
    topic.written("a row that has no schema", [integer(1)], append=whole, blocks=2)
    topic.written(
        "rows to a table without a schema",
        [a],
        append=made(integer(1)),
        blocks=2,
        stats={"a": [0, integer(1), integer(1)]},
    )
    twice = made(a)
    writer = ContainerWriter(WriterOptions(), twice)
    writer.write(b)
    topic.written("a second time", [fields(c=integer(1))], append=writer.finish(), blocks=3, stats={"c": [0, integer(1), integer(1)]},
        schema={"a": [["int"], True], "b": [["str"], True], "c": [["int"], True]})  # fmt: skip
    first = made(fields(t=items(fields(x=integer(1))), m=fields(p=integer(1))), columns=False)
    more = [fields(m=fields(q=integer(1)), t=items(fields(y=integer(1)), None), z=items())]
    topic.written("schemas are put together", more, append=first, blocks=2, columns=False, stats=None, schema={
        "t": [["array"], False], "t[]": [["map"], True], "t[].x": [["int"], True], "t[].y": [["int"], True],
        "m": [["map"], False], "m.p": [["int"], True], "m.q": [["int"], True], "z": [["array"], True],
    })  # fmt: skip
    first = made(fields(t=items()), columns=False)
    topic.written("elements that only the second part has", [fields(t=items(fields(x=integer(1)), fields(x=integer(2))))], append=first, blocks=2, columns=False,
        schema={"t": [["array"], False], "t[]": [["map"], False], "t[].x": [["int"], False]})  # fmt: skip
    return topic
