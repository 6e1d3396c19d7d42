"""The programs of docs/containers.md print what the page says.

They run in their order, in one folder, each as a file of its own. A block of text is the output of
the program before it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from .conftest import ROOT

PAGE = ROOT / "docs" / "containers.md"
BLOCK = re.compile(r"^```(sh|python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_programs_of_the_page_print_what_it_says(tool: Path, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PATH": f"{tool.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONWARNINGS": "ignore",
    }
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    for number, (language, source) in enumerate(blocks):
        if language == "text":
            continue
        program = tmp_path / f"program.{language}"
        program.write_text(source, encoding="utf-8")
        words = ["bash", "-euo", "pipefail"] if language == "sh" else [sys.executable]
        done = subprocess.run(
            [*words, program], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        following = blocks[number + 1] if number + 1 < len(blocks) else ("", "")
        assert done.stdout == (following[1] if following[0] == "text" else ""), source
