"""The tables of the page, and the simulation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engines import page
from engines.data import irregular, number_of
from engines.scaling import Files, Machine, like, simulate, splits, table
from report import pages

FILES = Files(count=10, blocks=100, block=1000, raw=8000)


@pytest.mark.parametrize("size", [1, 500, 1000, 1001, 9_999, 50_000, 10**9])
def test_every_block_is_in_one_split(size: int) -> None:
    found = splits(FILES, size)
    assert sum(found) == FILES.blocks
    assert all(found)
    assert len(found) <= max(1, -(-FILES.size // size))


def test_the_bytes_do_not_depend_on_the_executors() -> None:
    one, many = (simulate(FILES, count, Machine(), size=10_000) for count in (1, 64))
    assert one.read == many.read
    tasks = len(splits(FILES, 10_000)) * 10
    index = FILES.header + FILES.index
    assert one.read == 10 * index + tasks * index + 1000 * FILES.block
    assert one.blocks == 1000


def test_executors_share_the_work_until_something_else_is_the_limit() -> None:
    files = like(800_000, 5_000_000, 1)
    times = [simulate(files, count, Machine(), size=32 << 20).seconds for count in (1, 2, 4, 10_000)]
    assert times[0] / times[1] == pytest.approx(2, rel=0.01)
    assert times[0] / times[2] == pytest.approx(4, rel=0.01)
    tasks = 1000 * len(splits(files, 32 << 20))
    assert times[3] > tasks * Machine().driver


def test_a_question_that_skips_blocks_reads_their_share() -> None:
    whole = simulate(FILES, 4, Machine(), size=10_000)
    part = simulate(FILES, 4, Machine(), size=10_000, kept=0.1)
    assert part.blocks == 100
    assert part.tasks == whole.tasks // 10


def test_the_table_has_a_row_for_each_number_of_executors() -> None:
    assert len(table(FILES, Machine()).splitlines()) == 10


def test_irregular_rows_are_the_same_in_each_run(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, two = irregular(tmp_path / "a", 20_000), irregular(tmp_path / "b", 20_000)
    assert one.lines.read_bytes() == two.lines.read_bytes()
    rows = [json.loads(line) for line in one.lines.read_text().splitlines()]
    assert len(rows) == one.rows
    assert all(len(row) == 31 for row in rows)


@pytest.mark.parametrize(("size", "number"), [("20m", 20_000_000), ("1g", 10**9), ("512", 512)])
def test_a_size_has_a_unit(size: str, number: int) -> None:
    assert number_of(size) == number


def results() -> dict[str, Any]:
    measured = [
        {"data": "events", "engine": engine, "threads": threads, "form": form, "task": task, **found}
        for engine in ("DuckDB", "Polars")
        for task in page.NAMES
        for form, threads, found in [
            ("container file", 1, {"seconds": 0.5, "value": 1}),
            ("container file", 2, {"seconds": 0.25, "value": 1}),
            ("NDJSON, zstd", 2, {"seconds": 1.0, "value": 1}),
            ("Avro, deflate", 2, {"missing": "NotReadError"}),
        ]
    ]
    sizes = {"container file": 10**8, "NDJSON, zstd": 2 * 10**8}
    data = [
        {
            "name": name,
            "rows": 5,
            "size": 10**9,
            "sizes": sizes,
            "writing": {"container file": 2.0, "container file, 1 thread": 4.0},
            "generated": True,
        }
        for name in ("events", "irregular")
    ]
    return {
        "date": "2026-01-02",
        "machine": "2 cores",
        "rounds": 3,
        "versions": {"polars": "1"},
        "data": data,
        "measured": measured,
        "rate": 400,
        "scaling": "| |",
    }


def test_the_page_has_the_figures_in_their_places() -> None:
    text = pages.containers_speed(results())
    assert "| container file | 0.250 s (4.0×) | 0.250 s (4.0×) |" in text
    assert "Avro, deflate | 0" not in text
    assert "| container file | 100.0 MB | 500 MB/s |" in text
    assert "| writing a container file | 4.000 s | 2.000 s | 2.00× |" in text
