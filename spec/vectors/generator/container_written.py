"""The bytes that writers make, with the statistics and the schema that they are to have."""

from __future__ import annotations

from typing import Any

from container_file import ContainerFile
from container_writer import ContainerWriter, WriterOptions
from generator.build import Value, double, ext, fields, integer, items, table, text, timestamp
from generator.container_bytes import Files, numbers
from options import Fault
from writer import encode


def topics() -> list[Files]:
    return [_blocks(), _bodies(), _appended()]


class Written(Files):
    """A topic whose files a writer makes. The bytes are those of the reference writer, which the tests read."""

    def written(
        self, name: str, rows: list[Value], /, *, stats: Any = None, schema: Any = None, blocks: int = 1,
        flush: tuple[int, ...] = (), refused: tuple = (), append: bytes = b"", codec: tuple = (), **options: Any,
    ) -> bytes:  # fmt: skip
        """``stats`` of the last block, ``schema`` and the number of blocks are what the index must have."""
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
        write["rows"] = b"".join(map(encode, rows)).hex()
        # What the writer was given is what a reader gets.
        same = not (refused or append)
        write |= {key: list(value) for key, value in (("flush", flush), ("refused", refused)) if value}
        if append:
            write["append"] = append.hex()
        stated = {"stats": stats, "schema": schema, "blocks": blocks}
        about = self.topic.removeprefix("written-")
        self.file(
            f"{about}: {name}",
            data,
            None if same else [*self.earlier(append), *kept],
            write=write,
            stated=stated,
        )
        return data

    def earlier(self, append: bytes) -> list[Value]:
        """The rows of the file that is appended to."""
        return ContainerFile(append).sequential().rows if append else []


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
        key=[],
        schema={"i": [["int"], False]},
    )
    sync = "ffeeddccbbaa99887766554433221100"
    topic.written("another sync", numbers(1), sync=sync)
    topic.written("every option of the header", [fields(a=integer(1))], sync=sync, stats={"a": [0, integer(1), integer(1)]}, schema={"a": [["int"], False]},
        structures=[["a"], ["b", "c"]], dictionary="0102", meta=fields(z=integer(1), a=items(None, double(0.5))), key=["a"])  # fmt: skip
    topic.written("an empty list of paths", [fields(a=integer(1))], schema={"a": [["int"], False]}, key=[])
    topic.written(
        "an empty list of structures",
        [fields(a=integer(70))],
        stats={"a": [0, integer(70), integer(70)]},
        schema={"a": [["int"], False]},
        structures=[],
    )
    return topic


def _bodies() -> Files:
    topic = Written("written-bodies", "bodies with columns, records and views, and rows that are refused")
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
    topic.written("views", rows, **known, views=True)
    for i in range(3):
        topic.written(f"views of rows without columns, {i} bytes longer", [text("x" * i)], views=True)
    topic.written(
        "views of messages", [text("abc"), integer(1)], views=True, messages=True, block_rows=1, blocks=2
    )
    topic.written("views without columns", numbers(1, 2), views=True, columns=False)
    a, b = fields(a=integer(1)), fields(b=integer(70), c=integer(2))
    plain = {"columns": False, "key": []}
    shared = {"structures": [["a"], ["b", "c"]]}
    nullable = {"a": [["int"], True], "b": [["int"], True], "c": [["int"], True]}
    topic.written("records in rows", [a, b, a], schema=nullable, **plain, **shared)
    topic.written("records in messages", [a, b, a, b], messages=True, block_rows=2, blocks=2, **shared)
    topic.written(
        "own structures begin again in each block",
        [a, a, b, a],
        schema=nullable,
        block_rows=2,
        blocks=2,
        structures=[],
        **plain,
    )
    topic.written(
        "own structures of messages", [a, a, b, a], messages=True, block_rows=2, blocks=2, structures=[["z"]]
    )
    mixed = [fields(x=integer(1)), fields(a=integer(2)), fields(x=integer(3))]
    topic.written("shared structures and own ones", mixed, messages=True, **shared)
    many = [[f"k{i}"] for i in range(33)]
    topic.written(
        "ids of two bytes",
        [fields(k32=integer(1)), fields(own=integer(2)), fields(own=integer(3))],
        messages=True,
        structures=many,
    )
    topic.written("columns and records", [*rows, a], stats={**stats, "i": [1, *stats["i"][1:]], "name": [1, *stats["name"][1:]], "ok": [1, None, None], "at": [1, *stats["at"][1:]]},
        schema={**{path: [names, True] for path, (names, _) in schema.items()}, "a": [["int"], True]}, **shared)  # fmt: skip
    definition = ext(0x72, b"\x40")
    bad = [
        integer(1),
        definition,
        integer(2),
        items(fields(a=definition)),
        table((definition, integer(1))),
        integer(3),
    ]
    refused = ([1, "unsupported_type"], [3, "unsupported_type"], [4, "unsupported_type"])
    topic.written("rows with an ext of records", bad, refused=refused)
    topic.written("messages with an ext of records", bad, refused=refused, messages=True)
    topic.written("rows with an ext of records, with structures", bad, refused=refused, **shared)
    topic.written("only rows that are refused", [definition], refused=([0, "unsupported_type"],), blocks=0)
    return topic


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
        append=made(a, key=["b"]),
        blocks=2,
        stats={"b": [0, text("x"), text("x")]},
        schema={"a": [["int"], False], "b": [["str"], True]},
    )
    topic.written("the header's structures", [b, a], append=made(a, structures=[["a", "b"]]), columns=False, blocks=2,
        stats={"a": [0, integer(1), integer(2)], "b": [1, text("x"), text("x")]}, schema={"a": [["int"], False], "b": [["str"], True]})  # fmt: skip
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
