"""The archive for other projects is whole, and always the same."""

from __future__ import annotations

import json
import re
import tarfile
from pathlib import Path

from .. import archive


def test_has_every_vector_the_specification_and_an_example(tmp_path: Path):
    target = archive.write(tmp_path)
    stem = target.name.removesuffix(".tar.gz")
    with tarfile.open(target) as packed:
        names = {name.removeprefix(f"{stem}/") for name in packed.getnames()}
        text = packed.extractfile(f"{stem}/valid/arrays.json").read()
    assert json.loads(text)["cases"]
    vectors = {f"{path.parent.name}/{path.name}" for path in archive.VECTORS.glob("*/*.json")}
    assert len(vectors) > 60
    assert vectors <= names
    others = {"README.md", "LICENSE-MIT", "LICENSE-APACHE", "specification/format.md"}
    assert others <= names
    assert {"example/main.go", "example/go.mod", "example/go.sum"} <= names


def test_has_what_its_pages_link_to(tmp_path: Path):
    with tarfile.open(archive.write(tmp_path)) as packed:
        packed.extractall(tmp_path)
    pages = list(tmp_path.rglob("*.md"))
    assert len(pages) > 5
    for page in pages:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for link in re.findall(r"\]\(([^)#\s]+)", text):
            assert "://" in link or (page.parent / link).exists(), f"{page.name}: {link}"


def test_is_the_same_each_time(tmp_path: Path):
    first = archive.write(tmp_path).read_bytes()
    assert archive.write(tmp_path).read_bytes() == first
