"""Reading by column: some keys of the rows, with faults in what is read and in what is not."""

from __future__ import annotations

from typing import Any

from ..columnar import sections_of_keys
from ..columnar_writer import ColumnsWriter
from ..container_codecs import crc32c
from ..container_columns import payload_start, project
from ..options import Options
from ..writer import encode, encode_int
from . import container_frames as frames
from .build import Value, array, double, fields, integer, items, mapping, table, text, text_bytes
from .columns import columns
from .container_bytes import MARK, File, Files, block_array, cut, fault, header, numbers

START = len(header())
SKIP = {"on_bad_block": "skip"}
BY_INDEX = {"index": True}
KEYS = ("id", "name", "price", "tags", "at.x", "more")


def topics() -> list[Files]:
    return [_selected(), _other_bodies(), _damaged()]


def _row(i: int) -> Value:
    """Keys of several kinds of columns, in two shapes."""
    row = {
        "id": integer(1000 + i * i % 89),
        "name": text(f"name {i * 7 % 20}"),
        "price": double(i * i % 40 / 4),
        "tags": items(*(text("ab"[(i + j) % 2]) for j in range(i % 3))),
        "at.x": fields(y=integer(i * 3 % 7), z=None),
    }
    return fields(**row, more=integer(i)) if i % 4 == 1 else fields(**row)


ROWS = [_row(i) for i in range(24)]
BODY = ColumnsWriter(Options(columns=True)).message({"array": ROWS})
HEAD = payload_start(BODY)
SECTIONS = sections_of_keys(BODY[HEAD:])
# Where the columns of the keys begin in the body.
BEGINS = [HEAD + section.begin for section in SECTIONS]


class Selected(Files):
    """A topic whose readings select keys."""

    def selected(
        self, name: str, file: File | bytes, rows: list[Value], *reads: dict, whole: bool = True, **more: Any
    ) -> None:
        """Readings with ``take`` and ``select``; of those rows, ``returned`` has the selected keys."""
        made = [{}] if whole else []
        for read in reads:
            take = read.pop("take", range(len(rows)))
            returned = [project(rows[place], read["select"]) for place in take]
            made.append({**read, "returned": returned})
        self.file(f"select: {name}", file, rows, *made, derived=False, **more)


def by_key() -> list[tuple[int, bytes]]:
    """The body with one chunk for each key."""
    return cut(BODY, *BEGINS)


def _block(chunks: list[tuple[int, bytes]], **more: Any) -> File:
    return File().block(BODY, len(ROWS), chunks=chunks, **more)


def _selected() -> Files:
    topic = Selected("selected", "readings of some keys: each row that is a map has only these")
    assert [section.key.decode() for section in SECTIONS] == list(KEYS)
    selects = [[key] for key in KEYS] + [
        [], list(KEYS), ["price", "id"], ["id", "id"], ["at"], ["at.x.y"], ["y"], ["ID"], [""], ["none", "name"], ["more", "tags"],
    ]  # fmt: skip
    reads = [{"select": select} for select in selects]
    reads += [{**BY_INDEX, "select": ["price"]}, {**BY_INDEX, "select": ["more", "id"]}]
    packed = [(size, frames.deflate_stored(data)) for size, data in by_key()]
    mixed = [part if place % 2 else packed[place] for place, part in enumerate(by_key())]
    for name, chunks in (
        ("one chunk for each key", by_key()), ("one chunk", cut(BODY)), ("chunks of deflate and stored ones", mixed),
        ("chunks of 7 bytes", cut(BODY, *range(7, len(BODY), 7))), ("a chunk for two keys", cut(BODY, BEGINS[0], BEGINS[2], BEGINS[4])),
        ("cuts within columns", cut(BODY, *(place - 3 for place in BEGINS))), ("a chunk of one byte", cut(BODY, 1)),
        ("chunks of no bytes", [(0, b""), *by_key(), (0, b"")]),
    ):  # fmt: skip
        codec = "deflate" if "deflate" in name else None
        some = reads if name == "one chunk for each key" else [*reads[:3], *reads[-2:]]
        topic.selected(name, _block(chunks, codec=codec).index(), ROWS, *map(dict, some))
    _where(topic)
    other = [fields(name=text(chr(0x61 + i)), id=integer(i), none=None) for i in range(3)]
    file = _block(by_key()).rows(*map(encode, other)).messages(encode(other[0]), b"\1").block(BODY, len(ROWS))
    rows = [*ROWS, *other, other[0], integer(1), *ROWS]
    last = file.marks[-1]
    reads = [{"select": ["id"]}, {"select": ["none"]}, {"select": ["name", "id"]}]
    reads += [{**BY_INDEX, **read} for read in reads]
    reads += [{"select": ["id"], "split": [START + 1, 10_000], "take": range(24, 53)}, {**BY_INDEX, "select": ["id"], "split": [last, 10_000], "take": range(29, 53)}]  # fmt: skip
    topic.selected("blocks of several kinds", file.index(), rows, *reads)
    return topic


def _where(topic: Selected) -> None:
    def matching(test: Any) -> list[int]:
        return [i for i in range(len(ROWS)) if test(i)]

    few = [["price", "<", double(1.0)]]
    conditions = [
        (few, matching(lambda i: i * i % 40 / 4 < 1)), ([["id", ">=", integer(1080)]], matching(lambda i: i * i % 89 >= 80)),
        ([["more", "is_not_null", None]], matching(lambda i: i % 4 == 1)), ([["tags.0", "==", text("a")]], matching(lambda i: i % 3 > 0 and i % 2 == 0)),
        ([["none", "is_null", None]], matching(lambda i: True)), ([["none", "==", integer(1)]], []),
        ([["at.x", "is_null", None]], matching(lambda i: True)), ([["at.x.y", "is_not_null", None]], []),
        ([["", "is_not_null", None]], matching(lambda i: True)), ([["0", "is_not_null", None]], []), ([], matching(lambda i: True)),
        ([*few, ["name", "!=", text("name 0")]], matching(lambda i: i * i % 40 / 4 < 1 and i * 7 % 20 != 0)),
    ]  # fmt: skip
    reads = []
    for where, take in conditions:
        for select in (["name"], ["price", "tags"], []):
            for how in ({}, BY_INDEX):
                reads.append({**how, "where": where, "select": select, "take": take})
    topic.selected("where and select", _block(by_key()).index(), ROWS, *reads)


def _other_bodies() -> Files:
    topic = Selected(
        "selected-others", "readings of some keys where a body is not a table in columns: it is read whole"
    )
    rows = [
        fields(a=integer(1), b=integer(2)), fields(b=integer(3)), integer(4), None, items(fields(a=integer(5))), fields(),
        table((integer(1), integer(6)), (text("a"), integer(7)), (text(""), integer(8))), fields(c=fields(a=integer(9))),
    ]  # fmt: skip
    reads = [{"select": ["a"]}, {"select": ["b", "a"]}, {"select": []}, {"select": [""]}]
    reads += [{"where": [["b", ">", integer(1)]], "select": ["a"], "take": [0, 1]}]
    topic.selected("plain rows", File().rows(*map(encode, rows)).index(), rows, *map(dict, reads))
    topic.selected("messages", File().messages(*map(encode, rows)).index(), rows, *map(dict, reads))
    twice = mapping(text_bytes("a"), b"\1", text_bytes("b"), b"\2", text_bytes("a"), b"\3")
    topic.selected("a key twice", File().rows(twice), [fields(a=integer(3), b=integer(2))], {"select": ["a"]})
    late = table(*((integer(i), None) for i in range(20)), (text("a"), integer(7)))
    topic.selected("keys that are not str first", File().rows(encode(late)), [late], {"select": ["a"]})
    sevens = columns(35, 33, 1, "07 20 01 20 20 06 01 01 00 00 01", "07")
    topic.selected("columns of integers", File().block(sevens, 32), numbers(*[7] * 32), {"select": ["a"]})
    inner = [items(*ROWS), integer(1)]
    topic.selected("a table within a row", File().rows(BODY, b"\1"), inner, {"select": ["id"]})
    one = _map_of_one()
    topic.selected("a table without keys", File().block(_empty_maps(), 3), [fields()] * 3, {"select": ["a"]})
    topic.selected("a table of one key", File().block(one, 3), [fields(a=integer(i)) for i in (5, 6, 7)], {"select": ["a"]}, {"select": []})  # fmt: skip
    topic.selected(
        "no rows", File().rows().messages().index(), [], {"select": ["a"]}, {**BY_INDEX, "select": []}
    )

    def whole(name: str, body: bytes, kind: str, inside: int | None, **more: Any) -> None:
        """A fault that every reading finds, since the body is read whole."""
        file = File().block(body, more.pop("count", 24), **more)
        found = fault(kind, START + 18, inside)
        reads = [{"take": [], "end": found}, {"select": ["id"], "returned": [], "end": found}]
        skipped = {**SKIP, "take": [], "ranges": [[START, file.at, found]]}
        topic.file(
            f"select: {name}",
            file,
            [],
            *reads,
            skipped,
            {**skipped, "select": []} | {"returned": []},
            derived=False,
        )

    whole("plain rows with a fault in another key", array(mapping(text_bytes("id"), b"\1", text_bytes("x"), b"\xc1")), "reserved_marker", 8, count=1)  # fmt: skip
    whole("bytes after the table", BODY + b"\1", "trailing_bytes", len(BODY))
    whole("bytes after the table, cut off by a chunk", BODY + b"\1", "trailing_bytes", len(BODY), chunks=[*by_key(), (1, b"\1")])  # fmt: skip
    whole("a table whose end is missing", BODY[:-1], "eof", len(BODY) - 1)
    return topic


def _empty_maps() -> bytes:
    """Three empty maps as a table without keys."""
    return columns(4, 4, 2, "07 03 01 20 03 08 00 01")


def _map_of_one() -> bytes:
    """Three maps of one key, 5, 6 and 7."""
    return columns(13, 10, 2, "07 03 01 20 03 08 01 a1 61 01 01 30 01 05")


def _damaged() -> Files:
    topic = Selected("selected-damaged", "faults in chunks that are read, and in chunks that are not")
    for key, place in (("id", 1), ("name", 2), ("more", len(KEYS))):
        file, bad, after = _with_wrong_crc(place)
        found = fault("invalid_container", bad + 18)
        others = [name for name in KEYS if name != key]
        none, some = [["price", "<", integer(-1)]], [["price", "==", integer(0)]]
        zero = [i for i in range(24) if i * i % 40 == 0]
        seen = [
            {"select": [key]}, {"select": [others[0], key]}, {"select": [], "where": [[key, "is_null", None]]},
            {"select": [key], "where": some}, {"select": [others[0]], "where": [["", "is_not_null", None]]},
        ]  # fmt: skip
        rows = [*ROWS, *ROWS]
        reads: list[dict] = [{"select": others}, {"select": []}, {**BY_INDEX, "select": others[:1]}]
        reads += [{"select": others, "where": some, "take": zero + [24 + i for i in zero]}]
        reads += [{"select": [key], "where": none, "take": []}, {**SKIP, "select": others}]
        reads += [{**read, "take": [], "end": found} for read in seen]
        reads += [{**BY_INDEX, **read, "take": [], "end": found} for read in seen]
        ranges = [[bad, after, found]]
        reads += [
            {**SKIP, **how, "select": [key], "take": range(24, 48), "ranges": ranges}
            for how in ({}, BY_INDEX)
        ]
        # A search checks all chunks, and so does a split that comes to a mark by reading.
        reads += [{"select": others, "split": [START + 1, 10_000], "take": range(24, 48)}]
        reads += [{"select": others, "split": [0, START], "take": [], "end": found}]
        topic.selected(f"the chunk of {key} has a wrong crc", file, rows, *reads, whole=False)
    _heads(topic)
    _contents(topic)
    return topic


def _with_wrong_crc(place: int) -> tuple[File, int, int]:
    """Two blocks, the first with a wrong crc of its chunk at the place; where they begin."""
    chunks = by_key()
    right = crc32c(chunks[place][1])
    file = File()
    content = block_array(BODY, len(ROWS), chunks=chunks).replace(encode_int(right), encode_int(right ^ 1), 1)
    bad = file.at
    file.block(BODY, len(ROWS), chunks=chunks)
    file.out = file.out[:bad] + MARK + content
    after = file.at
    return file.block(BODY, len(ROWS)).index(), bad, after


def _heads(topic: Selected) -> None:
    """Faults that every selection finds."""
    file, bad, after = _with_wrong_crc(0)
    found = fault("invalid_container", bad + 18)
    skipped = {**SKIP, "select": ["id"], "take": range(24, 48), "ranges": [[bad, after, found]]}
    topic.selected("the first chunk has a wrong crc", file, [*ROWS, *ROWS], {"select": [], "take": [], "end": found}, skipped, whole=False)  # fmt: skip

    def wrong(name: str, body: bytes, kind: str, inside: int | None, count: int = 24, **more: Any) -> None:
        file = File().block(body, count, **more)
        end = file.at
        file.numbers(9)
        found = fault(kind, START + 18, inside)
        reads = [{"select": select, "take": [], "end": found} for select in ([], ["id"], ["none"])]
        reads.append({**SKIP, "select": ["id"], "ranges": [[START, end, found]]})
        topic.selected(name, file, numbers(9), *reads, whole=False)

    for count in (0, 23, 25, 2**64 - 1):
        wrong(f"a table of 24 rows, with a count of {count}", BODY, "invalid_container", None, count)
    directory = bytearray(BODY)
    directory[BODY.index(b"\xa2id") + 1] = 0xFF
    wrong(
        "a key that is not UTF-8", bytes(directory), "invalid_ext", 0, chunks=cut(bytes(directory), *BEGINS)
    )
    # The directory begins with the LIST, its 24 rows and its size.
    for size in (23, 25):
        body = BODY.replace(b"\x07\x18\x01\x20\x18", b"\x07\x18\x01\x20" + bytes([size]))
        assert body != BODY
        wrong(f"a list of {size} of 24 rows", body, "invalid_ext", 0, size, chunks=cut(body, *BEGINS))


def _contents(topic: Selected) -> None:
    """Chunks with a right crc, whose bytes do not unpack or are not values of the column."""
    place = KEYS.index("name") + 1
    chunks = by_key()
    text_column = chunks[place][1].replace(b"name", b"nam\xff")
    for name, part, codec, kind, inside in (
        ("not UTF-8", (len(text_column), text_column), None, "invalid_ext", 0),
        ("deflate of a byte too few", (len(text_column), frames.deflate_stored(text_column[1:])), "deflate", "invalid_container", None),
        ("no deflate", (len(text_column), b"\7"), "deflate", "invalid_container", None),
    ):  # fmt: skip
        file = File().block(BODY, 24, chunks=[*chunks[:place], part, *chunks[place + 1 :]], codec=codec)
        end = file.at
        file.numbers(9).index()
        found = fault(kind, START + 18, inside)
        rows = [*ROWS, integer(9)]
        bad: dict[str, Any] = {"select": ["name"], "take": [], "end": found}
        reads = [{"select": ["id", "more"]}, {**BY_INDEX, "select": []}, bad, {**BY_INDEX, **bad}]
        reads += [{**bad, "select": ["id"], "where": [["name", "is_null", None]]}]
        ranges = [[START, end, found]]
        reads += [
            {**SKIP, **how, "select": ["name"], "take": [24], "ranges": ranges} for how in ({}, BY_INDEX)
        ]
        topic.selected(f"the chunk of a key is {name}", file, rows, *reads, whole=False)
