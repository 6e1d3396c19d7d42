"""The page of evidence has every claim of the README with its figures."""

import itertools
import json
import re
import shutil
from pathlib import Path

import pytest

from report import __main__, evidence, experiment, pages, peers, results

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text()
CLAIMS = evidence.claims_of(ROOT)
# Words that promise something. Outside of a claim, a table or code, the README may not use them.
PROMISE = re.compile(
    r"ahead of|faster than|smaller than|never more than|same error|same bytes|hundreds of thousands"
    r"|more than [\d,]+|no input|\d %|\b0\.\d\d\b|\bless than\b",
    re.IGNORECASE,
)
CODE = re.compile(
    r"^```.*?^```|<!-- bench: .*?<!-- /bench -->|`[^`\n]*`|^\|[^\n]*$", re.MULTILINE | re.DOTALL
)


@pytest.fixture
def sources() -> evidence.Sources:
    return evidence.Sources(ROOT, __main__._kept())


def unmarked(readme: str) -> list[str]:
    """Returns the lines that promise something outside of a claim."""
    found = []
    for line in CODE.sub("", readme).splitlines():
        rest = evidence.plain(line)
        for words in CLAIMS.values():
            rest = rest.replace(words, "")
        if PROMISE.search(rest):
            found.append(line)
    return found


def test_every_claim_of_the_readme_is_on_the_page_with_its_command(sources):
    assert set(CLAIMS) == set(evidence.CLAIMS)
    page = pages.evidence_page(sources)
    makefile = (ROOT / "Makefile").read_text()
    for name, words in CLAIMS.items():
        command, _ = evidence.CLAIMS[name]
        line = next(line for line in page.splitlines() if line.startswith(f"| {words} |"))
        assert command in line
        if command.startswith("make "):
            assert re.search(rf"^{command.split()[1]}:", makefile, re.MULTILINE), command
        assert len([cell for cell in line.strip("| ").split(" | ") if cell]) == 4, line


def test_the_readme_promises_nothing_outside_of_a_claim():
    assert unmarked(README) == []


@pytest.mark.parametrize(
    "words", ["It is ahead of all others.", "It takes 12 % of JSON.", "No input stops it."]
)
def test_a_promise_without_a_mark_is_found(words):
    assert unmarked(f"{README}\n{words}\n") == [words]
    assert unmarked(f"{README}\n{CLAIMS['safe']}\n") == []


@pytest.mark.parametrize(
    ("words", "message"),
    [("packord", "claims.json has the claim “new”"), ("It is new.", "does not have the words of the claim")],
)
def test_a_claim_without_evidence_or_that_the_readme_does_not_have_is_refused(
    sources, tmp_path, words, message
):
    copied(tmp_path)
    (tmp_path / evidence.STATED).write_text(json.dumps({"new": words}))
    with pytest.raises(ValueError, match=message):
        pages.evidence_page(evidence.Sources(tmp_path, sources.runs))


def test_packord_is_faster_in_most_rows_of_each_language(sources):
    rows = results.rows_of(sources.runs)
    for language in ("Rust", "Python", "JavaScript", "Clojure"):
        found = results.summary(results.of(rows, language))
        assert found.ahead > found.rows / 2, language


def test_the_sizes_of_the_readme_are_those_that_gzip_shows(sources):
    sizes = sources.sizes()["airports"]
    shares = [
        100 * sizes[form][by] / sizes["JSON"][by]
        for by in ("raw", "gzip 6")
        for form in ("plain", "records", "columns")
    ]
    percents = [int(number) for number in re.findall(r"(\d+) %", CLAIMS["smaller"])]
    assert percents == pytest.approx(shares, abs=0.5)


def test_there_are_as_many_vectors_as_the_readme_says(sources):
    wanted = int(re.search(r"more than ([\d,]+)", CLAIMS["vectors"])[1].replace(",", ""))
    found = evidence.CLAIMS["vectors"][1](sources).figures
    assert int(re.search(r"[\d,]+", found)[0].replace(",", "")) >= wanted


def test_the_runs_of_containers_are_shown_when_there_are_any(sources, tmp_path):
    copied(tmp_path)
    own = evidence.Sources(tmp_path, sources.runs)
    assert "No run is recorded yet." in evidence._containers(own)
    measured = [
        {
            "data": "events",
            "task": "whole",
            "threads": 2,
            "engine": "DuckDB",
            "form": form,
            "seconds": seconds,
        }
        for form, seconds in [("container file", 1.25), ("NDJSON, zstd", 4.0)]
    ]
    (tmp_path / "bench/engines").mkdir()
    kept = {"date": "2026-01-02", "measured": measured}
    (tmp_path / evidence.ENGINES).write_text(json.dumps(kept))
    shown = evidence._containers(own)
    assert "last on 2026-01-02" in shown
    assert "| DuckDB | 1.25 s | 4.00 s | – |" in shown


def copied(folder: Path) -> None:
    """Copies what the page is made from, but for the engines and the vectors."""
    pins = itertools.chain.from_iterable(peers.PINS.values())
    (folder / "docs").mkdir()
    for name in (
        evidence.README,
        evidence.STATED,
        evidence.RUNS,
        evidence.DIFFERENCES,
        experiment.KEPT,
        *pins,
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)


def test_suites_of_others_have_as_many_failures_as_are_listed_with_a_reason(sources):
    for suite in sources.suites():
        name = suite["name"].removeprefix("@").replace("/", "-")
        file = ROOT / f"interop/suites/failing/{name}.txt"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        tests = [line for line in lines if line and not line.startswith("#")]
        assert len(tests) == suite["failed"], name
        assert not tests or lines[0].startswith("# "), "the reason comes first"
        run = (ROOT / "interop/suites/run.py").read_text("utf-8")
        assert re.search(rf'"{suite["name"]}",\s+"{suite["version"]}"', run), name
