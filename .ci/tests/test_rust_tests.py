"""Every file of Rust tests is a part of the program that runs them."""

import re
from pathlib import Path

import pytest

RUST = Path(__file__).resolve().parents[2] / "rust"


@pytest.mark.parametrize(
    "main", sorted(RUST.glob("*/tests/*/main.rs")), ids=lambda path: path.parts[-4]
)
def test_each_file_beside_main_is_a_module(main: Path) -> None:
    modules = re.findall(r"^mod (\w+);", main.read_text("utf-8"), re.MULTILINE)
    files = {path.stem for path in main.parent.glob("*.rs")} - {"main"}
    assert files <= set(modules)
