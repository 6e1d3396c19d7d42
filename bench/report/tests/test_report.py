"""The report, made from small figures in each benchmark's own shape."""

import dataclasses
import itertools
import json
import re
import shutil
from pathlib import Path

import pytest

from report import __main__, evidence, growth, page, pages, peers, picture, pictures, results, tables

ROOT = Path(__file__).resolve().parents[3]
RUST = {
    "quick": False,
    "rows": [
        {"row": "pack 1", "ratio": 1.25, "median": {"a rival": 25.0, "packord": 20.0, "packord serde": 30.0}}
    ],
}
PYTHON = {
    "quick": True,
    "rows": {
        "list enc": {
            "microseconds": {"packord": 4.0, "msgspec": 3.0, "ormsgpack": 6.0},
            "peak_bytes": {"packord": 50, "ormsgpack": 100},
            "minor_faults": {"packord": 2.0, "msgspec": 3.4, "ormsgpack": 0.0},
        }
    },
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
def runs() -> dict[str, results.Run]:
    return {
        "Rust, types": results.Run("full run", results.from_rust(RUST, "typed")),
        "Python": results.Run("quick run", results.from_python(PYTHON, "")),
        "JavaScript": results.Run("quick run", results.from_javascript(JAVASCRIPT)),
        "Clojure": results.Run("quick run", results.from_clojure(CLOJURE, "")),
    }


@pytest.fixture
def rows(runs) -> list[results.Row]:
    return results.rows_of(runs)


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


def test_collect_returns_what_was_measured(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/bench-python.json").write_text(json.dumps(PYTHON))
    for pins in itertools.chain.from_iterable(peers.PINS.values()):
        (tmp_path / pins).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(__main__.ROOT / pins, tmp_path / pins)
    runs = results.collect(tmp_path)
    assert list(runs) == ["Python"]
    assert [row.name for row in results.rows_of(runs)] == ["list enc"]
    assert runs["Python"].facts.startswith("quick run on ")
    assert {"msgpack", "msgspec", "ormsgpack"} <= set(runs["Python"].versions)


def test_tables_show_rows_where_a_peer_is_faster_in_bold(runs):
    python = tables.table("python", runs).splitlines()
    assert python[-3:] == ["| list enc | 4.0 | **0.75** | 1.50 | 0.50 |", "", "Quick run."]
    javascript = tables.table("javascript", runs).splitlines()
    assert javascript[-3] == "| tree | 2.00 | 1.50 |"


def test_a_table_says_when_each_of_its_benchmarks_ran(runs):
    facts = tables.table("overview", runs).splitlines()[-1]
    assert facts == "Full run: Rust, types. Quick run: Python; JavaScript; Clojure."


def test_a_table_names_the_versions_of_the_other_packages(runs):
    python = dataclasses.replace(runs["Python"], versions={"msgspec": "1.2", "ormsgpack": "3.4"})
    facts = tables.table("overview", {"Python": python}).splitlines()[-1]
    assert facts == "Quick run. Compared with msgspec 1.2, ormsgpack 3.4."


def test_every_kept_run_has_the_versions_of_the_packages_that_it_compares_with():
    for name, run in __main__._kept().items():
        assert run.versions, name
        assert all(re.match(r"\d", version) for version in run.versions.values())


def test_the_table_of_a_survey_shows_page_faults():
    survey = results.from_python(PYTHON, "survey")
    table = tables.table("python survey", {"Python, survey": results.Run("full run", survey)})
    assert table == "| | enc |\n|---|--:|\n| list | **0.75** (2/3) |\n\nFull run."


def test_the_survey_of_javascript_has_a_column_for_each_process_and_direction():
    times = {"packord": {"min": 1.0, "median": 2.0}, "msgpackr native": {"min": 1.0, "median": 3.0}}
    slow = {"packord": {"min": 1.0, "median": 4.0}, "msgpackr native": {"min": 1.0, "median": 2.0}}
    both = {"pack": times, "unpack": slow}
    report = {"results": {"maps": {"alone": both, "together": both}, "tree, shared": {"together": both}}}
    survey = results.Run("full run", results.from_javascript_survey(report))
    table = tables.table("javascript survey", {"JavaScript, survey": survey}).splitlines()
    assert table[0] == "| | alone pack | alone unpack | together pack | together unpack |"
    assert table[2:4] == [
        "| maps | 1.50 | **0.50** | 1.50 | **0.50** |",
        "| tree, shared |  |  | 1.50 | **0.50** |",
    ]


def test_what_did_not_run_again_keeps_its_figures(tmp_path, monkeypatch, runs):
    monkeypatch.setattr(__main__, "OUT", tmp_path)
    monkeypatch.setattr(__main__, "KEPT", tmp_path / "kept.json")
    written = []
    monkeypatch.setattr(__main__.picture, "update", lambda *_, check: written.append(check) or [])
    plain = json.loads(json.dumps(__main__._plain(runs)))
    (tmp_path / "kept.json").write_text(json.dumps({"runs": plain, "growth": [1]}))
    again = {"facts": "another run", "rows": [], "versions": {}}
    (tmp_path / "bench.json").write_text(json.dumps({"runs": {"Python": again}, "growth": []}))
    assert __main__.keep() == 0
    kept = json.loads((tmp_path / "kept.json").read_text())
    assert kept["growth"] == [1]
    assert written == [False]
    assert {name: run["facts"] for name, run in kept["runs"].items()} == {
        "Rust, types": "full run",
        "Python": "another run",
        "JavaScript": "quick run",
        "Clojure": "quick run",
    }


def test_the_picture_has_a_bar_for_each_language(tmp_path, runs):
    (tmp_path / picture.PICTURE).parent.mkdir(parents=True)
    name = picture.PICTURE.as_posix()
    assert [picture.update(tmp_path, runs, check=check) for check in (True, False, True)] == [
        [name],
        [name],
        [],
    ]
    made = (tmp_path / name).read_text()
    languages = {row.language for row in results.rows_of(runs)}
    assert made.count('class="own"') == made.count('class="other"') == len(languages)
    assert all(f">{language}<" in made and f"{language} " in made for language in languages)


def test_the_pages_of_figures_begin_with_a_picture_and_fold_their_tables():
    made = pages.all_pages(__main__._sources())
    assert set(made) == {file.name for file in pages.TEMPLATES.glob("*.md")}
    for name, text in made.items():
        _, first, second, *_ = text.split("\n\n")
        assert first.startswith("For "), name
        assert second.startswith(("<figure", "![")), name
        assert "{{" not in text
        for table in re.findall(r"^\|(?:.*\n\|)+.*", text, re.MULTILINE):
            is_short = table.count("\n") < 15
            before = text[: text.index(table)]
            assert is_short or before.rfind("<details") > before.rfind("</details>"), f"{name}: {table[:80]}"


def test_every_table_of_the_results_is_on_its_page():
    for name, parts in {
        "survey.md": tables.TABLES,
        "columns-sizes.md": pages.sizes_page.sections(json.loads((ROOT / pages.SIZES).read_text())["sizes"]),
        "evidence.md": evidence.PARTS,
    }.items():
        places = re.findall(r"\{\{ (?:fold: )?([^}]+) \}\}", (pages.TEMPLATES / name).read_text())
        assert [part for part in parts if part not in places] == []


def test_a_picture_has_a_dot_for_each_row_and_the_names_of_those_ahead(runs):
    rows = results.rows_of(runs)
    slower = [row for row in rows if row.ratio < results.TIE]
    assert slower
    made = pictures.dots("all", rows)
    assert made.count("<use ") >= len(rows)
    assert all(f">{row.best_peer}<" in made or f"{row.best_peer} ahead" in made for row in slower)
    assert 'role="img" aria-label="Speed, all: packord is faster in ' in made
    assert not re.search(r'fill: #000|stroke: #000|id="figure|\n', made)
    assert made == pictures.dots("all", rows)


def test_the_page_has_every_row_and_loads_nothing(runs, rows):
    points = [
        growth.Point(language, kind, at, at * 10, 5.0, 4.0, 100)
        for language in ("Rust", "Python")
        for kind in ("size", "depth")
        for at in (1, 10)
    ]
    html = page.render(runs, points)
    for row in rows:
        assert row.name in html
    assert html.count("<svg") == 5 + 2 + 6
    surveys = "Rust, survey; Rust, containers; Python, survey; JavaScript, survey; Clojure, survey"
    assert f"Not measured in this run: Rust, documents; {surveys}." in html
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
