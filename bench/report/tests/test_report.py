"""The report, made from small figures in each benchmark's own shape."""

import json
import re
from pathlib import Path

import pytest

from report import growth, page, results, tables

RUST = {
    "rows": [
        {"row": "pack 1", "ratio": 1.25, "median": {"a rival": 25.0, "packord": 20.0, "packord serde": 30.0}}
    ]
}
PYTHON = {
    "rows": {
        "list enc": {
            "microseconds": {"packord": 4.0, "msgspec": 3.0, "ormsgpack": 6.0},
            "peak_bytes": {"packord": 50, "ormsgpack": 100},
        }
    }
}
JAVASCRIPT = {
    "results": [
        {
            "name": "tree",
            "modes": {
                "plain": {
                    "pack": {
                        "packord": {"median": 1.0},
                        "msgpackr native": {"median": 2.0},
                        "JSON Buffer": {"median": 0.5},
                    },
                    "unpack": {"packord": {"median": 1.0}, "msgpackr native": {"median": 1.5}},
                    "sizes": {"packord": 10, "msgpackr native": 12},
                }
            },
        }
    ],
    "streams": {"PackrStream": {"packord": {"median": 1.0}, "msgpackr": {"median": 3.0}}},
}
CLOJURE = {
    "rows": [
        {
            "document": "seed",
            "operation": "pack",
            "results": [
                {"name": "packord keyword keys", "median": 1.0, "bytes": 9},
                {"name": "packord records", "median": 2.0},
                {"name": "msgpack-java walker", "median": 2.5},
            ],
        }
    ]
}


@pytest.fixture
def rows() -> list[results.Row]:
    return [
        *results.from_rust(RUST, "typed"),
        *results.from_python(PYTHON),
        *results.from_javascript(JAVASCRIPT),
        *results.from_clojure(CLOJURE),
    ]


def test_a_ratio_is_against_the_fastest_peer(rows):
    assert [(row.language, row.name, row.best_peer, row.ratio) for row in rows] == [
        ("Rust", "pack 1", "a rival", 1.25),
        ("Python", "list enc", "msgspec", 0.75),
        ("JavaScript", "tree pack", "msgpackr native", 2.0),
        ("JavaScript", "tree unpack", "msgpackr native", 1.5),
        ("JavaScript", "PackrStream", "msgpackr", 3.0),
        ("Clojure", "seed, pack", "msgpack-java walker", 2.5),
    ]


def test_packords_other_modes_and_other_formats_are_not_peers(rows):
    assert rows[0].others == {"packord serde": 0.03}
    assert rows[2].others == {"JSON Buffer": 0.5}
    assert rows[-1].others == {"packord records": 2.0}


def ratios(*wanted: float) -> list[results.Row]:
    return [results.Row("Rust", "typed", "row", 1.0, {"a rival": ratio}) for ratio in wanted]


def test_the_summary_counts_rows_that_are_faster_level_and_slower():
    found = results.summary(ratios(1.0, 2.0, 0.95, 0.9499))
    assert (found.rows, found.ahead, found.level, found.behind) == (4, 2, 1, 1)


def test_the_summary_has_quartiles_that_one_outlier_does_not_move():
    found = results.summary(ratios(1.0, 1.5, 2.0, 2.5, 600.0))
    assert (found.lower, found.median, found.upper) == (1.5, 2.0, 2.5)
    alone = results.summary(ratios(1.25))
    assert (alone.lower, alone.median, alone.upper) == (1.25, 1.25, 1.25)


def test_the_summary_leaves_out_rows_without_a_peer():
    internal = results.Row("Rust", "typed", "row", 1.0, {"packord serde": 9.0})
    assert results.summary([*ratios(1.0, 2.0), internal]).rows == 2


def test_the_overview_shows_quartiles(rows):
    lines = tables.overview(rows).splitlines()
    assert lines[0] == "| | rows | faster | level | slower | lower quartile | median | upper quartile |"
    assert "| JavaScript | 3 | 3 | 0 | 0 | 1.75 | 2.00 | 2.50 |" in lines


def test_collect_names_what_was_not_measured(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/bench-python.json").write_text(json.dumps(PYTHON))
    rows, missing = results.collect(tmp_path)
    assert [row.language for row in rows] == ["Python"]
    assert missing == ["rust typed", "rust dynamic", "javascript", "clojure"]


def test_tables_show_rows_where_a_peer_is_faster_in_bold(rows):
    python = tables.TABLES["python"](rows)
    assert python.splitlines()[-1] == "| list enc | 4.0 | **0.75** | 1.50 | 0.50 |"
    javascript = tables.TABLES["javascript"](rows)
    assert javascript.splitlines()[-1] == "| tree | 2.00 | 1.50 |"


def test_a_stale_table_is_found_and_updated(tmp_path, rows):
    for name in tables.FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("before\n<!-- bench: python -->\nold\n<!-- /bench -->\nafter\n")
    assert tables.update(tmp_path, rows, "Then.", check=True) == tables.FILES
    assert tables.update(tmp_path, rows, "Then.", check=False) == tables.FILES
    assert tables.update(tmp_path, rows, "Then.", check=True) == []
    text = (tmp_path / "README.md").read_text()
    assert text.startswith("before\n<!-- bench: python -->\n| | packord")
    assert text.endswith("\n\nThen.\n<!-- /bench -->\nafter\n")


def test_the_page_has_every_row_and_loads_nothing(rows):
    points = [
        growth.Point(language, kind, at, at * 10, 5.0, 4.0, 100)
        for language in ("Rust", "Python")
        for kind in ("size", "depth")
        for at in (1, 10)
    ]
    html = page.render(rows, points, ["dynamic"], "Measured here.")
    for row in rows:
        assert row.name in html
    assert html.count("<svg") == 5 + 2 + 6
    assert "Not measured in this run: dynamic." in html
    assert "<script" not in html
    assert not re.search(r"""(?:src|href)=["']?http|url\(["']?http|@import""", html)


def test_a_nested_document_has_its_depth_its_size_and_the_smallest_header():
    for depth in growth.DEPTHS:
        packed = growth.nested(depth)
        assert abs(len(packed) - growth.DEPTH_BYTES) < 2000
        header = {0xDC: 3, 0xDD: 5}[packed[0]]
        count = int.from_bytes(packed[1:header], "big")
        assert (count > 0xFFFF) == (header == 5)
        assert packed[header:] == (b"\x91" * (depth - 1) + b"\x01") * count


def test_a_run_returns_times_and_peak_memory_and_fails_with_its_program(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"\xc0")
    script = "import sys, time; big = bytearray(50_000_000); print(sys.argv[2], 'same', 1.5, 2.5, sep='\\t')"
    read, pack, peak = growth.run(["python3", "-c", script], 0.1, file)
    assert (read, pack) == (1.5, 2.5)
    assert peak > 50_000_000
    with pytest.raises(RuntimeError, match="other bytes"):
        growth.run(["python3", "-c", script.replace("same", "differs")], 0.1, file)
    with pytest.raises(RuntimeError, match="ended with 3"):
        growth.run(["python3", "-c", "raise SystemExit(3)"], 0.1, Path(file))
