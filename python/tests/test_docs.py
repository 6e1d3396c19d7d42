"""Examples in docstrings, in the README and in the guides run; typing is as the stubs say."""

from __future__ import annotations

import doctest
import io
import re
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import packord
import packord._streams
import packord._typing.names
import packord._typing.texts
import packord.compat.msgpack
import packord.compat.msgspec
import packord.compat.ormsgpack
import packord.container
import packord.engines._sources
import packord.engines.duckdb
import packord.engines.polars
from packord._options import (
    BlockOptions,
    DecodeOptions,
    EncodeOptions,
    RowOptions,
    StreamOptions,
    WriterOptions,
)

PYTHON = Path(__file__).resolve().parents[1]
PACKAGE = Path(packord.__file__).parent
# A source distribution has it at its root.
PROJECT = next(
    folder / "pyproject.toml"
    for folder in (PYTHON, PYTHON.parent)
    if (folder / "pyproject.toml").exists()
)
PEERS = ("ormsgpack", "msgpack-python", "msgspec")
DOCS = PYTHON / "tests" / "linked" / "docs"
REFERENCE = DOCS / "python-reference.md"
GUIDES = [
    PYTHON / "README.md",
    REFERENCE,
    *(DOCS / f"from-{peer}.md" for peer in PEERS),
]


@pytest.mark.parametrize(
    "module",
    [
        packord,
        packord._typing.names,
        packord.engines._sources,
        packord._streams,
        packord._typing.texts,
        packord.compat.msgpack,
        packord.compat.msgspec,
        packord.compat.ormsgpack,
        packord.container,
        packord.engines.duckdb,
        packord.engines.polars,
    ],
)
def test_examples_in_docstrings_run(module: object) -> None:
    found = doctest.testmod(module, extraglobs={"packord": packord})  # type: ignore[arg-type]
    assert found.failed == 0


@pytest.mark.parametrize(
    "owner", [packord.packb, packord.unpackb, packord.Ext, packord.Timestamp, packord.Fragment,
              packord.View, packord.View.get, packord.ArrowTable, packord.to_arrow, packord.from_arrow,
              packord.ColumnsView, packord.ColumnsView.column, packord.ColumnView.values,
              packord.columns_of],
)  # fmt: skip
def test_examples_in_the_compiled_half_run(owner: object) -> None:
    names = {
        "packord": packord,
        "packb": packord.packb,
        "unpackb": packord.unpackb,
        "pyarrow": pyarrow,
    }
    # The examples are written as source, with escapes doubled where Python shows them so.
    test = doctest.DocTestParser().get_doctest(owner.__doc__ or "", names, repr(owner), None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.name)
def test_examples_in_guides_run(guide: Path) -> None:
    """All Python blocks of a page, one after another, as one program."""
    blocks = re.findall(r"```python\n(.*?)```", guide.read_text("utf-8"), re.DOTALL)
    assert blocks
    program = "from __future__ import annotations\n" + "\n".join(blocks)
    module = type(sys)("guide")
    sys.modules["guide"] = module
    exec(compile(program, str(guide), "exec"), module.__dict__)


@pytest.fixture
def typing_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PYTHON / "tests" / "typing"))


@pytest.mark.usefixtures("typing_files")
def test_typing_file_runs() -> None:
    import usage

    usage.use()


def test_versions_of_python_are_the_same_everywhere() -> None:
    project = PROJECT.read_text("utf-8")
    versions = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project)
    release = PYTHON.parent / ".github/workflows/release.yml"
    if not release.exists():
        pytest.skip("the source distribution has no workflows")
    workflow = release.read_text("utf-8")
    planned = re.findall(r"--locked --out dist -i ([\d. ]+)\n", workflow)
    assert planned == [" ".join(versions)] * 2
    # Builds without the GIL take the feature, and are tested as the others are. PyO3 refuses that of
    # 3.13.
    free = [f"{version}t" for version in versions if version == "3.14"]
    planned = re.findall(r"--features free-threaded --out dist -i ([\d.t ]+)\n", workflow)
    assert planned == [" ".join(free)] * 2
    installed = re.search(r"python-version: \|\n((?: +3\.\d+t?\n)+)", workflow)
    assert installed
    assert installed[1].split() == versions + free
    tested = re.findall(r"^        python: \[(.*)\]$", workflow, re.MULTILINE)
    assert tested == [", ".join(f'"{version}"' for version in versions + free)]
    assert "run: python .ci/test-wheels.py dist python" in workflow
    assert f'requires-python = ">={versions[0]}"' in project


def test_the_reference_lists_every_option_and_keyword() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    sections = {part.splitlines()[0]: part for part in text.split("\n## ")[1:]}
    listed = {
        title: re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE) for title, part in sections.items()
    }
    # The order of the reference is that of its reader.
    assert sorted(listed["`packb`, `Encoder`, `Packer` and `pack`"]) == sorted(
        EncodeOptions.__annotations__
    )
    assert sorted(listed["`unpackb`, `Decoder` and `unpack`"]) == sorted(
        DecodeOptions.__annotations__
    )
    of_files = {**WriterOptions.__annotations__, **BlockOptions.__annotations__}
    assert sorted(listed["Container files"]) == sorted(["append", "type", "select", *of_files])
    of_rows = re.search(r"^\| (`ext_hook`, .*) \| as in `Decoder`", text, re.MULTILINE)
    assert of_rows
    assert re.findall(r"`(\w+)`", of_rows[1]) == list(RowOptions.__annotations__)
    own = ["type", "read_size", *StreamOptions.__annotations__]
    assert listed["`Unpacker` and `unpack_async`"] == [
        name for name in own if name not in DecodeOptions.__annotations__
    ]


def test_the_table_of_options_is_that_of_type_checkers() -> None:
    source = PYTHON / "src"
    text = (source / "options.rs").read_text(encoding="utf-8")
    takers: dict[str, set[str]] = {}
    for name, value in re.findall(r"const ([A-Z]+): u8 = ([\w |]+);", text):
        parts = [takers.get(part, {name}) for part in value.split(" | ")]
        takers[name] = set().union(*parts)
    found = re.findall(r'^    \("(\w+)", ([A-Z |]+), (\w+)\),$', text, re.MULTILINE)
    assert [name for name, *_ in found] == sorted(name for name, *_ in found)
    table = {
        name: set().union(*(takers[part] for part in who.split(" | "))) for name, who, _ in found
    }
    # It is for the modules that replace other packages.
    assert table.pop("_flags") == {"PACK", "UNPACK", "STREAM"}
    for taker, options, others in (
        ("PACK", EncodeOptions, []),
        ("FILE", WriterOptions, []),
        ("UNPACK", DecodeOptions, ["type"]),
        ("STREAM", StreamOptions, ["type"]),
        ("ROWS", RowOptions, ["type"]),
    ):
        taken = [name for name, who in table.items() if taker in who]
        assert taken == sorted([*options.__annotations__, *others]), taker
    # All of them are read: those that are on or off by the table itself.
    reading = "".join(path.read_text(encoding="utf-8") for path in (source / "api").rglob("*.rs"))
    limits = re.findall(r'^        "(max_\w+_\w+)",$', text, re.MULTILINE)
    for name, _, flag in found:
        assert flag != "0" or name in limits or f'"{name}"' in reading, name


def test_every_keyword_of_the_reference_is_taken() -> None:
    for make, names in (
        (packord.Encoder, EncodeOptions.__annotations__),
        (packord.Decoder, DecodeOptions.__annotations__),
        (packord.Unpacker, {"type", "read_size", *StreamOptions.__annotations__}),
    ):
        for name in names:
            keywords: Any = {name: 100 if name == "read_size" else None}
            make(**keywords)
    file = io.BytesIO()
    written: Any = dict.fromkeys(WriterOptions.__annotations__)
    packord.container.Writer(file, **written).close()
    for name in ("type", *BlockOptions.__annotations__, *RowOptions.__annotations__):
        option: Any = {name: None}
        packord.container.Reader(file.getvalue(), **option)


@pytest.mark.usefixtures("typing_files")
def test_misspelt_keywords_are_named() -> None:
    import misspelt

    misspelt.use()
    for name, call in misspelt.CALLS:
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            call()
    for name, call in misspelt.VALUES:
        with pytest.raises(ValueError, match=f"{name} must be"):
            call()


def test_the_table_of_features_is_what_its_program_makes() -> None:
    import features

    page = features.PAGE.read_text(encoding="utf-8")
    assert features.with_table(page) == page, "run tests/features.py"
    pinned = (PYTHON / "requirements-test.txt").read_text(encoding="utf-8")
    for peer in ("ormsgpack", "msgspec", "msgpack"):
        version = re.search(rf"^{peer}==(.*)$", pinned, re.MULTILINE)
        assert version is not None and f"{peer} {version[1]}" in page.replace(" (`msgspec", " ")


def test_links_work_on_the_package_index() -> None:
    """The README is shown there too, without the files around it."""
    links = re.findall(r"\]\(([^)]+)\)", (PYTHON / "README.md").read_text("utf-8"))
    assert links and all(link.startswith(("https://", "#")) for link in links)
