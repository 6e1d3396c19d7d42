"""The data: generated events, irregular ones, and public tables, each in every form."""

from __future__ import annotations

import gzip
import json
import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fastavro
import polars
import pyarrow
import pyarrow.parquet
import zstandard

from engines.forms import FORMS, ROOT

TOOL = ROOT / "rust" / "target" / "release" / "packord"
# Tables of bench/sizes that all forms can hold, and one without a single type in a column.
PUBLIC = {
    "airports": "airports/airports.json",
    "movies": "vega-datasets/data/movies.json",
    "flights-20k": "vega-datasets/data/flights-20k.json",
    "colornames": "color-name-list/dist/colornames.json",
    "football": "vega-datasets/data/football.json",
    "icons": "@mdi/svg/meta.json",
    "language-subtags": "language-subtag-registry/data/json/registry.json",
    "jobs": "vega-datasets/data/jobs.json",
}
IRREGULAR_KEYS = 300
_UNITS = {"k": 10**3, "m": 10**6, "g": 10**9}


def number_of(size: str) -> int:
    """The bytes of `20m` or `1g`."""
    unit = _UNITS.get(size[-1].lower(), 1)
    return int(size.rstrip("kmgKMG")) * unit


@dataclass(frozen=True)
class Data:
    """A table in NDJSON, and what is asked of it."""

    name: str
    lines: Path
    rows: int
    # A column of numbers, whose sum is asked.
    column: str
    # Conditions that one row of a hundred meets: for an ordered column, and for another one.
    ordered: tuple[str, int, int] | None = None
    scattered: tuple[str, int, int] | None = None

    @property
    def size(self) -> int:
        return self.lines.stat().st_size

    def path(self, form: str) -> Path:
        return self.lines.with_name(self.name + FORMS[form])


def events(folder: Path, size: str) -> Data:
    """Events of the tool: about 300 bytes each, in the order of their numbers."""
    lines = folder / "events.ndjson"
    subprocess.run([TOOL, "sample", "--lines", "--size", size, "-o", lines], check=True)
    ids = polars.scan_ndjson(lines).select("id").collect()["id"]
    half = len(ids) // 2
    ordered = ("id", int(ids[half]), int(ids[half + len(ids) // 100]))
    return Data("events", lines, len(ids), "attending", ordered, ("venue_id", 0, 50))


def irregular(folder: Path, size: int) -> Data:
    """Events with 30 of 300 keys each, as logs of many programs have them."""
    lines = folder / "irregular.ndjson"
    generator = random.Random(7)
    written = rows = 0
    with lines.open("w") as out:
        while written < size:
            written += out.write(json.dumps(_irregular(generator, rows)) + "\n")
            rows += 1
    return Data("irregular", lines, rows, "id", ("id", rows // 2, rows // 2 + rows // 100))


def _irregular(generator: random.Random, number: int) -> dict[str, Any]:
    row: dict[str, Any] = {"id": number}
    start = generator.randrange(IRREGULAR_KEYS)
    for key in range(start, start + 30):
        name = f"key_{key % IRREGULAR_KEYS}"
        row[name] = [generator.randrange(1000), f"value {generator.randrange(50)}", 0.5 * key][key % 3]
    return row


def public(folder: Path) -> Iterator[Data]:
    """Tables of npm packages, which bench/sizes/package.json names."""
    for name, file in PUBLIC.items():
        rows = json.loads((ROOT / "bench" / "sizes" / "node_modules" / file).read_bytes())
        lines = folder / f"{name}.ndjson"
        lines.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        column = next((key for key in rows[0] if _is_number(rows, key)), "")
        yield Data(name, lines, len(rows), column)


def _is_number(rows: list[dict[str, Any]], key: str) -> bool:
    values = [row.get(key) for row in rows]
    return any(value is not None for value in values) and all(
        value is None or type(value) in (int, float) for value in values
    )


def write_container(data: Data, threads: int | None = None) -> None:
    """A container file, by the tool."""
    words = [TOOL, "container", "create", data.lines, "-o", data.path("container file")]
    subprocess.run([*words, *([] if threads is None else ["--threads", str(threads)])], check=True)


def write_gzip(data: Data) -> None:
    """NDJSON by gzip 6."""
    with data.lines.open("rb") as source, gzip.open(data.path("NDJSON, gzip"), "wb", 6) as out:
        shutil.copyfileobj(source, out, 1 << 20)


def write_zstd(data: Data) -> None:
    """NDJSON by zstd 3."""
    with data.lines.open("rb") as source, data.path("NDJSON, zstd").open("wb") as out:
        zstandard.ZstdCompressor(3).copy_stream(source, out)


def write_parquet(data: Data) -> None:
    """Parquet by Polars, with zstd 3."""
    table = polars.read_ndjson(data.lines, infer_schema_length=None)
    table.write_parquet(data.path("Parquet, zstd"), compression="zstd", compression_level=3)


def write_avro(data: Data) -> None:
    """Avro by fastavro."""
    table = polars.read_ndjson(data.lines, infer_schema_length=None)
    schema = table.to_arrow().schema
    fields = [{"name": field.name, "type": ["null", _avro(field.type)]} for field in schema]
    parsed = fastavro.parse_schema({"type": "record", "name": "Row", "fields": fields})
    with data.path("Avro, deflate").open("wb") as out:
        rows = (row for part in table.iter_slices(10_000) for row in part.to_dicts())
        fastavro.writer(out, parsed, rows, codec="deflate")


def _avro(kind: pyarrow.DataType) -> Any:
    if pyarrow.types.is_boolean(kind):
        return "boolean"
    if pyarrow.types.is_integer(kind):
        return "long"
    if pyarrow.types.is_floating(kind):
        return "double"
    if pyarrow.types.is_large_list(kind) or pyarrow.types.is_list(kind):
        return {"type": "array", "items": ["null", _avro(kind.value_type)]}
    if pyarrow.types.is_null(kind):
        return "int"
    if pyarrow.types.is_large_string(kind) or pyarrow.types.is_string(kind):
        return "string"
    raise TypeError(f"{kind} is not in Avro")


WRITERS: dict[str, Callable[[Data], None]] = {
    "container file": write_container,
    "NDJSON, gzip": write_gzip,
    "NDJSON, zstd": write_zstd,
    "Avro, deflate": write_avro,
    "Parquet, zstd": write_parquet,
}


def write_all(data: Data) -> dict[str, float]:
    """Writes every form that can hold the data, and returns the seconds of each."""
    seconds = {}
    for form, write in WRITERS.items():
        begin = time.perf_counter()
        try:
            write(data)
        except (TypeError, ValueError, polars.exceptions.PolarsError, pyarrow.ArrowException) as error:
            data.path(form).unlink(missing_ok=True)
            print(f"{data.name}: no {form}: {error}")
            continue
        seconds[form] = time.perf_counter() - begin
    return seconds
