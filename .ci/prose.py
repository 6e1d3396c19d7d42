#!/usr/bin/env python3
"""Finds phrases in documents, comments and strings that readers stumble over.

    .ci/prose.py [PATH…]

Checks the tracked files under the paths (default: all). Prints `FILE:LINE: PHRASE -> INSTEAD` for each
hit. Exit 0: none. Exit 1: some. The phrases and the exceptions are in `.ci/prose.rules`.

Code is never checked: in source files only comments and string literals with a space are prose, and
in both, as in documents, words in backticks and names with dots, colons or slashes are not.
"""

import bisect
import fnmatch
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / ".ci/prose.rules"
# Stands for everything that is not prose. No pattern matches it, so no phrase spans code.
CODE = "\0"

DOUBLE = r'"(?:\\.|[^"\\\n])*"'
SINGLE = r"'(?:\\.|[^'\\\n])*'"
MULTILINE_DOUBLE = r'"(?:\\.|[^"\\])*"'
TEMPLATE = r"`(?:\\.|[^`\\])*`"
RUST_CHAR = r"'(?:\\[^\n]{1,9}?|[^'\\\n])'"
RUST_RAW = r'r(?P<mark>#*)".*?"(?P=mark)'
SCRIPT_PATTERN = r"(?<=[=(,: ])/(?![*/ ])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n\\])+/"
SLASH_COMMENT = r"(?P<comment>//[^\n]*|/\*.*?\*/)"
HASH_COMMENT = r"(?P<comment>(?:^|(?<=[ \t]))#[^\n]*)"
# The tokens that matter in each family of languages. What is in no group named here is code.
RUST = rf"{SLASH_COMMENT}|(?P<string>{RUST_RAW}|{MULTILINE_DOUBLE})|{RUST_CHAR}"
SCRIPT = rf"{SLASH_COMMENT}|(?P<string>{DOUBLE}|{SINGLE}|{TEMPLATE})|{SCRIPT_PATTERN}"
C = rf'{SLASH_COMMENT}|(?P<string>""".*?"""|{DOUBLE})|{SINGLE}'
PYTHON = rf"(?P<comment>#[^\n]*)|(?P<string>\"\"\".*?\"\"\"|'''.*?'''|{DOUBLE}|{SINGLE})"
LISP = rf"(?P<comment>;[^\n]*)|\\(?:\w+|.)|(?P<string>{MULTILINE_DOUBLE})"
SHELL = rf"{HASH_COMMENT}|(?P<string>{DOUBLE}|{SINGLE})"
MARKUP = r"<style>.*?</style>|\{[%{].*?[%}]\}|<!--(?P<comment>.*?)-->|<[^<>]*>|(?P<string>[^<>{]+)"
MARKDOWN = r"^(?P<indent> *)```(?P<language>\w*)[^\n]*\n(?P<body>.*?)^(?P=indent)```|(?P<comment>[^\n]+)"

FAMILIES = {
    "rs": RUST,
    "rust": RUST,
    "js": SCRIPT,
    "mjs": SCRIPT,
    "ts": SCRIPT,
    "typescript": SCRIPT,
    "java": C,
    "c": C,
    "css": C,
    "py": PYTHON,
    "pyi": PYTHON,
    "python": PYTHON,
    "clj": LISP,
    "edn": LISP,
    "clojure": LISP,
    "sh": SHELL,
    "toml": SHELL,
    "yml": SHELL,
    "rb": SHELL,
    "pl": SHELL,
    "lock": SHELL,
    "Makefile": SHELL,
    "j2": MARKUP,
    "html": MARKUP,
    "xml": MARKUP,
    "md": MARKDOWN,
}
SCRIPTS = {"python3": PYTHON, "python": PYTHON, "sh": SHELL, "bash": SHELL}
GENERATED = {"Cargo.lock"}

# A block of code in a comment, after the comment's markers are replaced.
EXAMPLE = re.compile(r"^[ \t]*```.*?^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)
MARKERS = re.compile(r"^[ \t]*(?://[/!]?|/\*\*?|\*/?|#+!?|;+)", re.MULTILINE)
# Names within prose: code in backticks, addresses, paths, `a.b`, `a::b`, `a()`, and what a template fills in.
NAMES = re.compile(
    r"``(?!`)[^`]+``|`(?!`)[^`]*`|\]\([^)]*\)|\$\{[^}]*\}|\w+(?:(?:::|[./])\w+)+|\w+\(\)", re.DOTALL
)


class Rule(NamedTuple):
    """A phrase to avoid."""

    pattern: re.Pattern[str]
    instead: str
    # The files in which it holds: patterns.
    files: tuple[str, ...] = ("*",)


class Allowed(NamedTuple):
    """A place where a phrase is right: words of the line, in the files of a pattern."""

    files: str
    words: str


class Hit(NamedTuple):
    """A phrase that was found."""

    file: str
    line: int
    phrase: str
    instead: str


def read_rules(text: str) -> tuple[list[Rule], list[Allowed]]:
    """Returns the rules and the exceptions. `.ci/prose.rules` describes its own form."""
    rules, allowed = [], []
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("except "):
            files, words, reason = line.removeprefix("except ").split(" | ")
            if not reason:
                raise ValueError(f"an exception without a reason: {line}")
            allowed.append(Allowed(files, words))
        else:
            files = ("*",)
            if line.startswith("in "):
                named, line = line.removeprefix("in ").split(" | ", 1)
                files = tuple(named.split(", "))
            pattern, instead = line.split(" => ")
            rules.append(Rule(re.compile(pattern, re.IGNORECASE), instead, files))
    return rules, allowed


def prose_of(name: str, text: str) -> str:
    """Returns the file with `CODE` in place of everything but prose and white space."""
    suffix = name.rsplit("/", 1)[-1].rsplit(".", 1)[-1]
    family = FAMILIES.get(suffix)
    if family is None and (first := re.match(r"#!.*?(\w+)$", text, re.MULTILINE)):
        family = SCRIPTS.get(first[1])
    return _mask(family, text) if family else ""


def _mask(family: str, text: str) -> str:
    view, done = [], 0
    for token in re.finditer(family, text, re.DOTALL | re.MULTILINE):
        found = token.groupdict()
        kind = next((name for name in ("body", "comment", "string") if found.get(name)), None)
        if kind is None:
            continue
        said = found[kind]
        if kind == "body":
            inner = FAMILIES.get(found["language"])
            said = _mask(inner, said) if inner else _blank(said)
        elif kind == "string" and " " not in said.strip():
            continue
        else:
            if family is not MARKDOWN:
                said = MARKERS.sub(lambda mark: " " * len(mark[0]), said)
            # The marks of a JavaScript template are not those of code in prose.
            said = f" {said[1:-1]} " if said[0] == said[-1] == "`" else said
            said = NAMES.sub(lambda name: _blank(name[0]), said)
        view += [_blank(text[done : token.start(kind)]), said]
        done = token.end(kind)
    return EXAMPLE.sub(lambda code: _blank(code[0]), "".join([*view, _blank(text[done:])]))


def _blank(text: str) -> str:
    return re.sub(r"\S", CODE, text)


def check(name: str, text: str, rules: list[Rule], allowed: list[Allowed]) -> Iterator[Hit]:
    """Yields the phrases that the prose of a file has, in order; of two that overlap, the first."""
    prose, starts = _in_paragraphs(prose_of(name, text))
    lines = text.split("\n")
    here = [rule for rule in rules if any(fnmatch.fnmatch(name, files) for files in rule.files)]
    matches = [(match, rule) for rule in here for match in rule.pattern.finditer(prose)]
    done = 0
    for match, rule in sorted(matches, key=lambda each: each[0].start()):
        if match.start() < done:
            continue
        done = match.end()
        number = starts[bisect.bisect_right(starts, (match.start(), len(lines))) - 1][1]
        line = lines[number]
        if not any(fnmatch.fnmatch(name, each.files) and each.words in line for each in allowed):
            yield Hit(name, number + 1, match[0], rule.instead)


def _in_paragraphs(prose: str) -> tuple[str, list[tuple[int, int]]]:
    """Returns the prose with one space for each run of white space, a line break for each that has an
    empty line, and where each word begins in it, with the number of its line."""
    joined, starts, length, line = [], [], 0, 0
    for piece in re.finditer(r"\s+|\0+|[^\s\0]+", prose):
        said = piece[0]
        line_breaks = said.count("\n")
        if said.isspace():
            said = "\n" if line_breaks > 1 else " "
        elif said[0] == CODE:
            said = CODE
        starts.append((length, line))
        joined.append(said)
        length += len(said)
        line += line_breaks
    return "".join(joined), starts


def main() -> int:
    rules, allowed = read_rules(RULES.read_text(encoding="utf-8"))
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *(sys.argv[1:] or ["."])], cwd=ROOT, capture_output=True, check=True
    )
    hits = 0
    for name in listed.stdout.decode().split("\0"):
        if not name or name.rsplit("/", 1)[-1] in GENERATED or not (ROOT / name).is_file():
            continue
        try:
            text = (ROOT / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for hit in check(name, text, rules, allowed):
            print(f"{hit.file}:{hit.line}: {hit.phrase} -> {hit.instead}")
            hits += 1
    return 1 if hits else 0


if __name__ == "__main__":
    sys.exit(main())
