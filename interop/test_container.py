"""Container files in all languages: the same bytes and rows, one verdict on damaged files."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from spec.vectors.container_codecs import crc32c
from spec.vectors.container_columns import project
from spec.vectors.container_file import ContainerFile
from spec.vectors.container_writer import PLAIN, ContainerWriter, WriterOptions

from .conftest import count
from .programs import LANGUAGES, Four, Outcome
from .sayable import agree
from .test_columns import cells, f64
from .values import compact, damaged

Value = Any
Case = dict[str, Any]

SYNC = "000102030405060708090a0b0c0d0e0f"
MODES: dict[str, Case] = {
    "columns": {},
    "rows": {"columns": False},
    "messages": {"messages": True},
    "stats": {"stats": ["id", "key1", "pos.x", "missing"], "block_rows": 7},
}
# For each mode.
FILES = count("PACKORD_INTEROP_FILES", 30, exhaustive=1_000)
DAMAGED = count("PACKORD_INTEROP_DAMAGED_FILES", 1_500, exhaustive=30_000)
CONDITIONS: list[list[Value]] = [
    ["id", ">", {"int": "20"}],
    ["id", "in", {"array": [{"int": "3"}, {"int": "33"}]}],
    ["key1", "!=", {"str": "Oslo"}],
    ["key1", "is_not_null"],
    ["key2", "<=", f64(1.5)],
    ["pos.x", "==", {"int": "1"}],
    ["missing", "is_null"],
]


def table(chance: random.Random) -> list[Value]:
    """Rows that all have an id, and of the other keys some."""
    columns = [(f"key{k}", cells(chance)) for k in range(chance.randrange(1, 5))]
    keep = chance.choice([1.0, 1.0, 0.8])

    def row(i: int) -> Value:
        pairs = [[{"str": "id"}, {"int": str(i)}]]
        pairs += [[{"str": key}, make(i)] for key, make in columns if chance.random() < keep]
        pairs.append([{"str": "pos"}, {"map": [[{"str": "x"}, {"int": str(i % 3)}]]}])
        return {"map": pairs}

    return [row(i) for i in range(chance.choice([0, 1, 8, 40, 100]))]


def tables(mode: str) -> list[list[Value]]:
    chance = random.Random(mode)
    return [table(chance) for _ in range(FILES)]


def stream(rows: list[Value]) -> bytes:
    return b"".join(map(PLAIN.message, rows))


def required(rows: list[Value], mode: Case) -> bytes:
    """The file that the specification's own writer makes."""
    writer = ContainerWriter(WriterOptions(sync=SYNC, **mode))
    for row in rows:
        writer.write(row)
    writer.finish()
    return bytes(writer.out)


def written(four: Four, made: list[list[Value]], **options: Any) -> dict[str, list[bytes]]:
    """The files that each language makes of the tables."""
    options = {"sync": SYNC, "codec": "none", "block_rows": 20, **options}
    answers = four.call("file", [stream(rows) for rows in made], write=options)
    for language, outcomes in answers.items():
        for ok, data in outcomes:
            assert ok, f"{language}: {data.decode()}"
    return {language: [data for _, data in outcomes] for language, outcomes in answers.items()}


def has_rows(outcome: Outcome, rows: list[Value], language: str) -> bool:
    found = json.loads(outcome[1])
    if (found["end"], found["ranges"]) != ("clean", []):
        return False
    return agree(compact({"array": rows}), compact({"array": found["values"]}), language)


@pytest.mark.parametrize("mode", MODES)
def test_every_language_makes_the_bytes_of_the_specification(four: Four, mode: str) -> None:
    made = tables(mode)
    wanted = [required(rows, {"block_rows": 20, **MODES[mode]}) for rows in made]
    for language, files in written(four, made, **MODES[mode]).items():
        for rows, data, file in zip(made, files, wanted, strict=True):
            assert data == file, f"{language}: {compact({'array': rows}).decode()[:1000]}"


@pytest.mark.parametrize("codec", ["default", "none", "deflate", "zstd"])
@pytest.mark.parametrize("index", [True, False], ids=["index", "sequential"])
def test_every_language_reads_what_every_language_writes(
    four: Four, codec: str, index: bool
) -> None:
    made = tables(codec)
    pairs = 0
    # JavaScript writes zstd where its platform has it, and reads it everywhere.
    writers = [name for name in LANGUAGES if codec != "zstd" or name != "js"]
    for mode in ("columns", "messages"):
        options = {"sync": SYNC, "block_rows": 20, **MODES[mode]}
        if codec != "default":
            options["codec"] = codec
        items = dict.fromkeys(writers, [stream(rows) for rows in made])
        files = four.each(items, "file", write=options)
        for writer in writers:
            assert all(ok for ok, _ in files[writer]), (writer, codec)
            data = [file for _, file in files[writer]]
            read = four.call("rows", data, read={"index": index})
            for reader, outcomes in read.items():
                for rows, outcome in zip(made, outcomes, strict=True):
                    assert has_rows(outcome, rows, reader), f"{reader} reads {writer}, {codec}"
                    pairs += 1
    assert pairs == len(writers) * len(LANGUAGES) * 2 * FILES


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda c: f"{c[0]} {c[1]}")
def test_a_condition_has_the_same_rows_in_every_language(
    four: Four, condition: list[Value]
) -> None:
    made = tables("stats")
    files = written(four, made, **MODES["stats"])["rust"]
    for index in (True, False):
        plain = four.call("rows", files, read={"index": index, "where": [condition]})
        for data, *outcomes in zip(files, *plain.values(), strict=True):
            for language, outcome in zip(LANGUAGES, outcomes, strict=True):
                same(outcomes[0], outcome, language, data)
    kept = sum(len(json.loads(data)["values"]) for _, data in plain["rust"])
    assert 0 < kept <= sum(map(len, made))


def same(wanted: Outcome, found: Outcome, language: str, data: bytes) -> None:
    """The same rows, end and ranges, up to what a language can represent."""
    if wanted == found:
        return
    truth, other = json.loads(wanted[1]), json.loads(found[1])
    if language == "python" and other["end"].startswith("type_mismatch"):
        # A dict cannot have a map as a key: the rows before it are compared.
        truth = {**other, "values": truth["values"][: len(other["values"])]}
    rows = [compact({"array": outcome["values"]}) for outcome in (truth, other)]
    assert (truth["end"], truth["ranges"]) == (other["end"], other["ranges"]), (
        f"{language}: {data.hex()}: rust {truth['end']} {truth['ranges']}, "
        f"{language} {other['end']} {other['ranges']}"
    )
    assert agree(rows[0], rows[1], language), f"{language}: {data.hex()}: other rows"


READINGS: list[Case] = [
    {},
    {"index": True},
    {"on_bad_block": "skip"},
    {"select": ["id", "key2"]},
    {"index": True, "select": ["key1"], "where": [CONDITIONS[0]]},
]


def check(four: Four, inputs: list[bytes]) -> None:
    """Each way of reading has one verdict in all languages."""
    for options in READINGS:
        answers = four.call("rows", inputs, read=options)
        for data, *outcomes in zip(inputs, *answers.values(), strict=True):
            for language, outcome in zip(LANGUAGES, outcomes, strict=True):
                same(outcomes[0], outcome, language, data)


def small_files() -> list[bytes]:
    """Files of a few blocks, without compression."""
    chance = random.Random(11)
    modes = [{}, {"columns": False}, {"messages": True}, {"stats": ["id"]}]
    made = []
    for mode in itertools.islice(itertools.cycle(modes), 25):
        rows = table(chance)[:24]
        made.append(required(rows, {"block_rows": 9, **mode}))
    return made


def test_damaged_files_have_one_verdict(four: Four) -> None:
    inputs = list(damaged(small_files(), DAMAGED, seed=5))
    for start in range(0, DAMAGED, 500):
        check(four, inputs[start : start + 500])


def patched(
    chance: random.Random, data: bytearray, ranges: list[tuple[int, int]], crc_at: int
) -> bytes | None:
    """Changes bytes of the first range, and makes the checksum of the last one right again."""
    first, last = ranges[-1]
    if data[crc_at : crc_at + 4] != crc32c(bytes(data[first:last])).to_bytes(4, "big"):
        return None  # A checksum below 65,536 has another format.
    for _ in range(chance.choice([1, 1, 2])):
        at = chance.randrange(*ranges[0])
        data[at] = chance.choice([data[at] ^ 1 << chance.randrange(8), chance.randrange(256)])
    data[crc_at : crc_at + 4] = crc32c(bytes(data[first:last])).to_bytes(4, "big")
    return bytes(data)


def damaged_body(chance: random.Random, data: bytearray, file: ContainerFile) -> bytes | None:
    """Changes a chunk of a block."""
    marks = list(file.marks())
    if not marks:
        return None
    block = file.block(chance.choice(marks))
    chunk = chance.choice(block.chunks)
    crc_at = data.find(chunk.crc.to_bytes(4, "big"), block.array, block.begins)
    return patched(chance, data, [(chunk.begins, chunk.ends)], crc_at)


def damaged_header(chance: random.Random, data: bytearray, file: ContainerFile) -> bytes | None:
    """Changes the header's map of options."""
    return patched(
        chance, data, [(10, file.header.end - 5), (0, file.header.end - 5)], file.header.end - 4
    )


def damaged_index(chance: random.Random, data: bytearray, file: ContainerFile) -> bytes | None:
    """Changes the index, or the offset of it."""
    assert file.index is not None
    end = len(data) - 4
    return patched(chance, data, [(file.index.mark, end), (file.index.mark, end)], end)


@pytest.mark.parametrize("damage", [damaged_body, damaged_header, damaged_index])
def test_damage_under_right_checksums_has_one_verdict(
    four: Four, damage: Callable[[random.Random, bytearray, ContainerFile], bytes | None]
) -> None:
    chance, files = random.Random(13), small_files()
    made = (damage(chance, bytearray(file), ContainerFile(file)) for file in itertools.cycle(files))
    inputs = list(itertools.islice((data for data in made if data is not None), DAMAGED))
    for start in range(0, DAMAGED, 500):
        check(four, inputs[start : start + 500])


@pytest.mark.parametrize("block_rows", [20, 4_000], ids=["small blocks", "a chunk for most keys"])
def test_selected_keys_have_the_same_rows_in_every_language(four: Four, block_rows: int) -> None:
    """Against the rows read whole, which each language cuts to the keys here."""
    chance = random.Random(block_rows)
    made = tables("select") if block_rows == 20 else [large_table(chance) for _ in range(3)]
    files = written(four, made, block_rows=block_rows)["rust"]
    for _ in range(10):
        select = chance.sample(["id", "key1", "key2", "key3", "pos", "none"], chance.randrange(4))
        options: Case = {"index": chance.random() < 0.5, "select": select}
        if chance.random() < 0.7:
            options["where"] = chance.sample(CONDITIONS, chance.randrange(1, 3))
        whole = {key: value for key, value in options.items() if key != "select"}
        answers = four.call("rows", files, read=whole)["rust"]
        wanted = [json.loads(data)["values"] for _, data in answers]
        kept = [[project(row, select) for row in rows] for rows in wanted]
        for language, outcomes in four.call("rows", files, read=options).items():
            for rows, outcome in zip(kept, outcomes, strict=True):
                assert has_rows(outcome, rows, language), (language, options)


def large_table(chance: random.Random) -> list[Value]:
    """4,000 rows of which each column takes more than 8 KiB, so that most have their own chunk."""
    columns = [(f"key{k}", chance.getrandbits) for k in range(1, 4)]

    def row(i: int) -> Value:
        pairs = [[{"str": "id"}, {"int": str(i)}]]
        pairs += [[{"str": key}, {"int": str(bits(30))}] for key, bits in columns]
        pairs.append([{"str": "pos"}, {"map": [[{"str": "x"}, {"int": str(i % 3)}]]}])
        return {"map": pairs}

    return [row(i) for i in range(4_000)]
