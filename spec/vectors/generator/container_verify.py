"""Checks a case of ``container/`` with the reference, and fills in what follows from its bytes."""

from __future__ import annotations

from typing import Any

from .. import reference
from ..container_file import TRAILER_SIZE, Block, ContainerFile, Outcome
from ..container_stats import says_something
from ..container_writer import ContainerWriter, WriterOptions
from ..expansion import flat
from ..options import Fault
from ..stream_reader import read_stream
from ..writer import encode
from .container_bytes import abbreviated

Value = Any

LARGEST_SCHEMA = 100  # paths; the index of a case with more is not in the file
# The members of a reading that say how, in the order in which they are written; the others are its outcome.
HOW = ("index", "on_bad_block", "split", "where", "prune", "select")


def opened(case: dict, data: bytes) -> ContainerFile:
    """The file of a case, with its options."""
    return ContainerFile(data, **case.get("options", {}))


def rows_of(case: dict) -> list[Value]:
    """The rows and messages of all readings of a case."""
    rows = case["rows"] if "rows" in case else case["write"]["rows"]
    return list(read_stream(reference.expand(rows)))


def perform(file: ContainerFile, read: dict) -> Outcome:
    """What one reading of a case returns."""
    more: dict[str, Any] = {name: read.get(name) for name in ("where", "select")}
    more["skip"] = "on_bad_block" in read
    split = tuple(read["split"]) if "split" in read else None
    if "prune" in read:
        more["prune"] = read["prune"]
    if read.get("index"):
        return file.indexed(split, **more)
    more.pop("prune", None)
    return file.sequential(split, **more)


def taken(rows: list[Value], found: list[Value]) -> list[int]:
    """The places of the rows that were found among all rows, which are in the order of the file."""
    places, start = [], 0
    for row in found:
        start = next(place for place in range(start, len(rows)) if flat(rows[place]) == flat(row)) + 1
        places.append(start - 1)
    return places


def described(outcome: Outcome, rows: list[Value], *, selects: bool) -> dict:
    """The members of a reading that say what it returned, without those that are usual."""
    found: dict[str, Any] = {"end": outcome.end, "ranges": outcome.ranges}
    if selects:
        found = {"returned": abbreviated(b"".join(map(encode, outcome.rows))), **found}
    else:
        found = {"take": taken(rows, outcome.rows), **found}
    usual = {"take": list(range(len(rows))), "end": "clean", "ranges": [], "returned": ...}
    return {name: value for name, value in found.items() if value != usual[name]}


def complete_and_verify(case: dict, data: bytes) -> None:
    if "write" in case:
        _written(case, data)
    try:
        file = opened(case, data)
    except Fault as fault:
        _expect({"error": fault.described()}, {"error": case.get("error")})
        return
    _expect(case.get("error"), None)
    rows = rows_of(case)
    derived = case.pop("derived", True)
    if not case["reads"]:
        case["reads"] = [{}, {"index": True}] if file.index is not None else [{}]
    case["reads"] = [_completed(file, read, rows) for read in case["reads"]]
    index = file.index
    if case.get("index", index) != index:
        raise ValueError(f"the reference uses the index {index}")
    case["index"] = index and {
        "mark": index.mark,
        "blocks": [[*numbers, _stats(stats)] for *numbers, stats in index.blocks],
        "count": index.count,
        "schema": _schema(index.schema),
    }
    _known(case.pop("stated", None), case["index"])
    if index and index.schema and len(index.schema["map"]) > LARGEST_SCHEMA:
        del case["index"]
    if "splits" in case:
        case["splits"] = [[number, list(map(list, file.splits(number)))] for number in case["splits"]]
    if derived and file.sequential().end == "clean":
        case["ends"], case["blocks"] = _places(file)


def _known(stated: dict | None, index: dict | None) -> None:
    """What a case of a writer states about the index: the statistics of the last block, and the schema."""
    if stated is not None:
        blocks = index["blocks"]
        found = {"stats": blocks[-1][3] if blocks else None, "schema": index["schema"], "blocks": len(blocks)}
        stated = {name: found[name] if value is ... else value for name, value in stated.items()}
        _expect(found, stated)
        _expect(list(found["schema"] or {}), list(stated["schema"] or {}))


def _stats(stats: Value) -> dict | None:
    """The entries that say something: ``[nulls, min, max]`` by path."""
    if stats is None:
        return None
    found = {key["str"]: entry for key, entry in stats["map"] if isinstance(key, dict) and "str" in key}
    return {
        path: [int(entry["array"][0]["int"]), *entry["array"][1:3]]
        for path, entry in found.items()
        if says_something(entry)
    }


def _schema(schema: Value) -> dict | None:
    """The type names and nullable, by path."""
    if schema is None:
        return None
    entries = {key["str"]: entry["array"] for key, entry in schema["map"]}
    return {path: [[name["str"] for name in entry[0]["array"]], entry[1]] for path, entry in entries.items()}


def _completed(file: ContainerFile, read: dict, rows: list[Value]) -> dict:
    """The reading with what was to be filled in (``...``), checked."""
    how = {name: read[name] for name in HOW if name in read}
    found = described(perform(file, how), rows, selects="select" in how)
    stated = {name: value for name, value in read.items() if name not in HOW}
    if stated.get("take") == list(range(len(rows))):
        del stated["take"]
    fill = {name for name, value in stated.items() if value is ...}
    if "returned" in stated:
        stated["returned"] = abbreviated(b"".join(map(encode, stated["returned"])))
    for name in {"take", "returned", "end", "ranges"} - fill:
        if stated.get(name) != found.get(name):
            raise ValueError(f"{how}: {name}: expected {stated.get(name)}, the reference has {found}")
    return {**how, **found}


def _places(file: ContainerFile) -> tuple[list[int], list[list[int]]]:
    """Where the header, blocks, indexes and trailers end; and mark, block-array, data, ends of each block."""
    ends, blocks = [file.header.end], []
    while ends[-1] < len(file.data):
        if not file.data.startswith(file.header.mark, ends[-1]):
            ends.append(ends[-1] + TRAILER_SIZE)
            continue
        after = file.after_mark(ends[-1])
        if isinstance(after, Block):
            blocks.append([after.mark, after.array, after.begins, after.ends, after.end])
            after = after.end
        ends.append(after)
    return ends, blocks


def write(case: dict) -> tuple[bytes, list]:
    """What the reference writes for a case, and the rows that it refuses, by place and kind."""
    steps = case["write"]
    existing = reference.expand(steps.get("append", ""))
    writer = ContainerWriter(WriterOptions(**steps.get("options", {})), existing)
    refused = []
    rows = list(read_stream(reference.expand(steps["rows"])))
    for place, row in enumerate(rows):
        try:
            writer.write(row)
        except Fault as fault:
            refused.append([place, fault.kind])
        if place + 1 in steps.get("flush", []):
            writer.flush()
    return writer.finish(), refused


def _written(case: dict, data: bytes) -> None:
    found, refused = write(case)
    _expect(found.hex(), data.hex())
    _expect(refused, case["write"].get("refused", []))


def _expect(got: object, wanted: object) -> None:
    if got != wanted:
        raise ValueError(f"expected {str(wanted)[:300]}, the reference returns {str(got)[:300]}")
