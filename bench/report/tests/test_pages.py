"""What pages say is so: figures are those of the results, arguments exist, install lines work."""

import json
import re
from pathlib import Path

import pytest

from report import evidence, experiment

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
READMES = [ROOT / name / "README.md" for name in ("rust/packord", "rust/packord-cli", "python", "js", "jvm")]
PAGES = [*DOCS.glob("*.md"), *READMES, ROOT / "README.md"]
EXPERIMENT = experiment.load(ROOT / experiment.KEPT)["documents"]
# The calls of packord for Python in code within a line.
CALL = re.compile(r"`[^`\n]*?\b(?:packb|unpackb|Encoder|Decoder|Unpacker|Reader|Writer)\(([^`\n]*)`")
# What installs a package that a registry has.
INSTALL = re.compile(r"^(?:npm install|cargo add|cargo install|pip install) packord\b.*", re.MULTILINE)


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_a_page_begins_with_whom_it_is_for(page):
    _, first, *_ = page.read_text().split("\n\n")
    assert first.startswith("For "), first


def shares_in(words: str) -> list[str]:
    """Returns the numbers with two decimals. Versions have a third number."""
    return re.findall(r"(?<![\d.])\d+\.\d\d(?!\.?\d)", words)


def test_the_shares_in_the_words_of_the_experiment_are_in_its_results():
    figures = [share for each in EXPERIMENT for form in each["shares"].values() for share in form.values()]
    columns = (DOCS / "columns.md").read_text().split("\n## ")[0]
    pages = [DOCS / "is-it-worth-switching.md", ROOT / "bench/pages/json-figures.md"]
    said = shares_in("\n".join([columns, *(page.read_text() for page in pages)]))
    assert len(said) > 10
    assert set(said) <= {f"{figure:.2f}" for figure in figures}


def test_the_answer_about_json_has_the_range_of_the_experiment():
    shares = [each["shares"]["columns"]["gzip 6"] for each in EXPERIMENT if each["kind"] != experiment.SMALL]
    assert len(shares) == 7
    least, most = (f"{100 * (1 - share):.0f}" for share in (max(shares), min(shares)))
    assert f"by {least} to {most} % in seven public documents" in (DOCS / "faq.md").read_text()


def test_the_times_in_the_architecture_are_in_the_results():
    text = (DOCS / "architecture.md").read_text().split("\n## Why a tape\n")[1].split("\n## ")[0]
    runs = json.loads((ROOT / "bench/results.json").read_text())["runs"]
    rows = {row["name"]: row["own"] for row in runs["Rust, documents"]["rows"]}
    names = ("index, and trees", "decode borrowed", "decode owned")
    assert re.findall(r"[\d,]+(?= µs)", text) == [f"{rows[f'airports.json {name}']:,.0f}" for name in names]


def test_pages_say_as_many_tests_of_others_as_passed():
    suites = {each["name"]: each for each in json.loads((ROOT / evidence.RUNS).read_text())["suites"]}
    lmdb, codec, python = (suites[name] for name in ("lmdb", "@msgpack/msgpack", "msgpack"))
    assert (
        f"All {lmdb['passed']} tests of the repository of lmdb {lmdb['version']} pass"
        in (DOCS / "works-with.md").read_text()
    )
    rust = suites["msgpacker"]
    total = sum(rust[kind] for kind in ("passed", "failed", "pending"))
    said = f"Of the {total} tests of msgpacker {rust['version']}, {rust['passed']} pass"
    assert said in (DOCS / "from-msgpacker.md").read_text()
    total = codec["passed"] + codec["failed"]
    assert (
        f"Of the {total} tests of its repository, {codec['passed']} pass"
        in (DOCS / "from-msgpack-msgpack.md").read_text()
    )
    msgpackr = suites["msgpackr"]
    total = sum(msgpackr[kind] for kind in ("passed", "failed", "pending"))
    said = f"Of the {total} tests of msgpackr {msgpackr['version']} (three files are of 1.11.9), "
    assert f"{said}{msgpackr['passed']} pass" in (DOCS / "from-msgpackr.md").read_text()
    msgspec = suites["msgspec"]
    total = msgspec["passed"] + msgspec["failed"]
    assert f"but for {msgspec['failed']} of {total:,}" in (DOCS / "from-msgspec.md").read_text()
    failed = ["none", "one", "two", "three", "four"][python["failed"]]
    assert (
        f"All tests of msgpack {python['version']} but {failed} pass"
        in (DOCS / "from-msgpack-python.md").read_text()
    )


def test_arguments_of_python_in_pages_exist():
    reference = (DOCS / "python-reference.md").read_text()
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", reference, re.MULTILINE)
    known = {name for row in rows for name in re.findall(r"\w+", row)}
    named = {
        (page.name, argument)
        for page in PAGES
        for line in page.read_text().splitlines()
        # The first cell of a guide's row is another package.
        for call in CALL.findall(line.split(" | ", 1)[-1] if page.name.startswith("from-") else line)
        for argument in re.findall(r"(\w+)=", call)
    }
    assert len(named) > 5
    assert {(page, argument) for page, argument in named if argument not in known} == set()


def test_what_a_target_downloads_is_the_same_on_every_page():
    listed = re.findall(r"^([a-z-]+):.*\b(\d+) MB\b", (ROOT / "Makefile").read_text(), re.MULTILINE)
    downloads = {target: size for target, size in listed if target.startswith("test-")}
    assert len(downloads) > 2
    said = re.findall(
        r"`make ([a-z-]+)` \|[^|\n]*\b(\d+) MB\b", (ROOT / "bench/pages/evidence.md").read_text()
    )
    assert said
    assert [(target, size) for target, size in said if downloads.get(target) != size] == []


@pytest.mark.parametrize("page", READMES[:4], ids=lambda page: page.parent.name)
def test_a_line_that_installs_says_that_nothing_is_published_until_it_is(page):
    published = re.search(r"^## \[?\d", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    lines = INSTALL.findall(page.read_text())
    assert lines
    assert [line for line in lines if ("not published yet" in line) != (published is None)] == []
