"""Starts the four programs and calls them with the protocol of ``README.md``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LANGUAGES = ("rust", "python", "js", "clojure")

Outcome = tuple[bool, bytes]


def command(language: str) -> list[str]:
    """The command that starts a program."""
    if language == "rust":
        return [str(ROOT / "rust/target/release/packord-interop")]
    if language == "python":
        return [str(ROOT / "python/.venv/bin/python"), str(HERE / "python/program.py")]
    if language == "js":
        return ["node", "--stack-size=4000", str(HERE / "js/program.js")]
    class_path = (HERE / "clojure/target/classpath").read_text(encoding="utf-8")
    java = shutil.which("java") or "java"
    flags = ["-Xss16m", "-Xmx2g", "-XX:+UseSerialGC", "-XX:-UsePerfData"]
    return [java, *flags, "-cp", class_path, "clojure.main", "-m", "packord.interop"]


class Program:
    """A running program. It answers calls in their order."""

    def __init__(self, language: str, words: list[str] | None = None) -> None:
        self.language = language
        self.process = subprocess.Popen(
            words or command(language),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )

    def call(self, verb: str, items: Iterable[bytes], **header: Any) -> list[Outcome]:
        """The outcome of each item: whether it succeeded, and bytes or the words of an error."""
        return unframe(self.raw(verb, frame_items(items), **header))

    def raw(self, verb: str, framed: bytes, **header: Any) -> bytes:
        """The whole answer in bytes, to compare answers without parsing them."""
        head = frame_items([json.dumps({"verb": verb, "options": {}, **header}).encode()])
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        stdin.write((len(head) + len(framed)).to_bytes(4, "big"))
        stdin.write(head)
        stdin.write(framed)
        stdin.flush()
        size = stdout.read(4)
        assert len(size) == 4, f"the {self.language} program ended: {self.process.wait()}"
        return stdout.read(int.from_bytes(size, "big"))

    def cpu_time(self) -> float:
        """The processor time of all its threads in seconds. Linux has a clock for each process; its
        number is that of clock_getcpuclockid(3)."""
        return time.clock_gettime(~self.process.pid << 3 | 2)

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=120)


def frame_items(items: Iterable[bytes]) -> bytes:
    """Each item after its length."""
    return b"".join([part for item in items for part in (len(item).to_bytes(4, "big"), item)])


def unframe(answer: bytes) -> list[Outcome]:
    """The outcomes of an answer."""
    outcomes, at = [], 0
    while at < len(answer):
        size = int.from_bytes(answer[at + 1 : at + 5], "big")
        outcomes.append((answer[at] == 0, answer[at + 5 : at + 5 + size]))
        at += 5 + size
    return outcomes


class Four:
    """All four programs, called at the same time."""

    def __init__(self) -> None:
        self.programs = {language: Program(language) for language in LANGUAGES}
        self.threads = ThreadPoolExecutor(len(LANGUAGES))

    def call(self, verb: str, items: list[bytes], **header: Any) -> dict[str, list[Outcome]]:
        """The answer of each program to the same items."""
        return self.each(dict.fromkeys(LANGUAGES, items), verb, **header)

    def each(
        self, items: Mapping[str, list[bytes]], verb: str, **header: Any
    ) -> dict[str, list[Outcome]]:
        """The answer of each program to items of its own."""
        answers = self.threads.map(
            lambda language: self.programs[language].call(verb, items[language], **header),
            items,
        )
        return dict(zip(items, answers, strict=True))

    def raw(self, verb: str, framed: bytes, **header: Any) -> dict[str, bytes]:
        """The whole answer of each program to items that are framed already."""
        answers = self.threads.map(
            lambda language: self.programs[language].raw(verb, framed, **header), LANGUAGES
        )
        return dict(zip(LANGUAGES, answers, strict=True))

    def close(self) -> None:
        self.threads.shutdown()
        for program in self.programs.values():
            program.close()
