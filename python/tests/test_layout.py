"""How both halves are built: imports between modules go one way."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
# A module imports only from those before it in this list.
ORDER = [
    "cpython",
    "options",
    "errors",
    "wire",
    "ext",
    "record",
    "values",
    "encode",
    "decode",
    "typed",
    "stream",
    "container",
    "api",
]
TYPE = re.compile(
    # A `type` that is indented belongs to a trait.
    r"^(?:\s*(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait|union)|(?:pub )?type) (\w+)",
    re.MULTILINE,
)


def module_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".rs")


def sources() -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.rs")}


def test_imports_between_modules_go_one_way() -> None:
    for path, text in sources().items():
        module = module_of(path)
        if module == "lib":
            continue
        for used in re.findall(r"\bcrate::(\w+)", text):
            assert used == module or ORDER.index(used) < ORDER.index(module), (path, used)


def test_every_module_has_its_place() -> None:
    assert {module_of(path) for path in sources()} == {*ORDER, "lib"}


# The rooms of the Python half, and for each those that it may import from: the core knows no engine
# and no other package, and what describes types knows the core alone.
ROOMS = {
    "": {"", "_typing"},
    "_typing": {"", "_typing"},
    "engines": {"", "engines"},
    "integrations": {"", "integrations"},
    "compat": {"", "compat"},
}


def test_imports_between_the_rooms_of_the_package_go_one_way() -> None:
    package = SOURCE.parent / "packord"
    for path in package.rglob("*.py"):
        room, *rest = path.relative_to(package).parts
        room = room if rest else ""
        text = path.read_text(encoding="utf-8")
        for used in re.findall(r"^\s*(?:from|import) packord(?:\.(\w+))?", text, re.MULTILINE):
            assert (used if used in ROOMS else "") in ROOMS[room], (path, used)


def test_no_code_of_python_knows_a_marker() -> None:
    """Bytes are the business of the compiled half."""
    package = SOURCE.parent / "packord"
    for path in package.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, bytes):
                assert max(node.value, default=0) < 0x80, (path, node.value)
        numbers = re.findall(r"\b0x[0-9a-f]+\b", text, re.IGNORECASE)
        assert not [n for n in numbers if 0x80 <= int(n, 16) <= 0xFF], path


# Parts of an object, as CPython's headers have them.
PART = re.compile(
    r"\b(?:ob|ma|tp|ht)_[a-z]+\b|\bhastzinfo\b|\.offset\(\*?offset\)|\[Obj; 2\]|\bcast_const\(\)\.add\b"
)


def test_one_module_knows_how_cpython_lays_objects_out() -> None:
    for path, text in sources().items():
        assert module_of(path) == "cpython" or not PART.findall(text), path


# The files outside of `wire` that know markers. The list may only become shorter.
KNOW_MARKERS = {
    *("api/container/reader.rs", "record/mod.rs", "record/read.rs", "record/write.rs"),
    *("decode/canonical.rs", "decode/ext.rs", "decode/map.rs", "decode/record.rs"),
    *("decode/value.rs", "encode/mod.rs", "encode/numpy.rs", "encode/record.rs"),
    *("encode/scalar.rs", "encode/sequence.rs", "typed/packed.rs", "typed/record.rs"),
    # Those of two ext types.
    *("decode/array.rs", "encode/array.rs"),
}


def test_few_files_know_markers() -> None:
    knows = re.compile(r"wire::marker\b")
    found = {
        path.relative_to(SOURCE).as_posix()
        for path, text in sources().items()
        if knows.search(text) and module_of(path) != "wire"
    }
    assert found == KNOW_MARKERS


def test_no_two_types_share_a_name() -> None:
    names = [name for text in sources().values() for name in TYPE.findall(text)]
    assert not [name for name, count in Counter(names).items() if count > 1]


def test_every_module_on_the_c_api_says_what_must_hold() -> None:
    for module in {module_of(path) for path, text in sources().items() if "pyo3::ffi" in text}:
        root = SOURCE / f"{module}.rs"
        text = (root if root.exists() else SOURCE / module / "mod.rs").read_text(encoding="utf-8")
        assert "//! # Safety\n" in text, module
