"""The programs of docs/records.md hand data to each other, and print what the page says."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from programs import HERE, ROOT, command

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_records_across_languages(tmp_path: Path) -> None:
    page = (ROOT / "docs/records.md").read_text(encoding="utf-8")
    blocks = BLOCK.findall(page)
    assert [language for language, _ in blocks[::2]] == ["js", "python", "clojure", "rust"]
    assert {language for language, _ in blocks[1::2]} == {"text"}
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/packord").symlink_to(ROOT / "js")
    for (language, source), (_, printed) in zip(blocks[::2], blocks[1::2], strict=True):
        words = runner(language, source, tmp_path)
        done = subprocess.run(
            words, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"}
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == printed


def runner(language: str, source: str, folder: Path) -> list[str]:
    """How the program is run. That of Rust was built with the tests' own."""
    if language == "rust":
        example = (HERE / "rust/examples/store.rs").read_text(encoding="utf-8")
        assert example.split("\n\n", 1)[1] == source
        return [str(ROOT / "rust/target/release/examples/store")]
    file = (
        folder
        / {"js": "service.mjs", "python": "analytics.py", "clojure": "consumer.clj"}[language]
    )
    file.write_text(source, encoding="utf-8")
    if language == "js":
        return ["node", str(file)]
    if language == "python":
        return [command("python")[0], str(file)]
    *java, _, _ = command("clojure")
    return [*java, str(file)]
