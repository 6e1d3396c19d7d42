"""The same message for the same fault, in the form of section 4 of ``spec/errors.md``."""

from __future__ import annotations

import re
from typing import Any

import pytest
from spec.vectors.expansion import expand, expanded_length

from .conftest import cases
from .programs import LANGUAGES, ROOT, Four

LARGEST = 100_000
ROW = re.compile(r"^\| `(\w+)` \|.* \| ([^|]+) \|$", re.MULTILINE)


def descriptions() -> dict[str, str]:
    """The description of each kind, from the table of section 2."""
    page = (ROOT / "spec/errors.md").read_text(encoding="utf-8")
    found = dict(ROW.findall(page[page.index("## 2.") : page.index("## 3.")]))
    assert len(found) == 18
    return found


DESCRIPTIONS = descriptions()


def path_of(message: str, error: dict[str, Any]) -> str | None:
    """The path that a message of an error names, ``$`` where it names none; None for a message in
    another form or with other words. A detail may follow the description."""
    kind, offset = error["kind"], error["offset"]
    form = rf"{kind} at byte {offset}(?: \((.*)\))?: {re.escape(DESCRIPTIONS[kind])}(?:: .+)?"
    match = re.fullmatch(form, message, re.DOTALL)
    return match and (match[1] or "$")


@pytest.fixture(scope="module", params=["invalid", "records", "hostile"])
def refused(four: Four, request: pytest.FixtureRequest) -> list[tuple[dict, dict[str, str]]]:
    """The refused cases of a class that are not large, each with the message of each language."""
    # One request for all cases with the same options: most have none.
    groups: dict[str, list[dict[str, Any]]] = {}
    for case in cases(request.param):
        options = case.get("options", {})
        small = expanded_length(case.get("bytes", "")) <= LARGEST
        if "error" in case and small and "ext_types" not in options:
            groups.setdefault(repr(options), []).append(case)
    found = []
    for group in groups.values():
        items = [expand(case["bytes"]) for case in group]
        answers = four.call("message", items, options=group[0].get("options", {}))
        for number, case in enumerate(group):
            messages = {name: answers[name][number][1].decode() for name in LANGUAGES}
            found.append((case, messages))
    assert len(found) > 100
    return found


def listed(wrong: list[tuple[dict, dict[str, str]]]) -> str:
    lines = [
        f"{case['file']}: {case['name']}: {language}: {message[:200]}"
        for case, messages in wrong
        for language, message in messages.items()
    ]
    return "\n".join([f"{len(wrong)} cases", *lines[:80]])


def test_every_language_describes_a_kind_with_the_same_words(refused: list) -> None:
    wrong = [
        (case, messages)
        for case, messages in refused
        if None in {path_of(message, case["error"]) for message in messages.values()}
    ]
    assert not wrong, listed(wrong)


# Keys that a language reads as another value: the program of Python reads a map in a key as pairs,
# and Rust keeps the ext of a bigint.
READ_OTHERWISE = {
    "python": {'key {"a": nil} of 4 bytes', "key {} of 1 bytes", "path, a record as a key"},
    "rust": {"key 2^64"},
}


def test_every_language_names_the_same_path(refused: list) -> None:
    wrong = []
    for case, messages in refused:
        paths = {
            path_of(message, case["error"])
            for language, message in messages.items()
            if case["name"] not in READ_OTHERWISE.get(language, ())
        }
        if paths != {case["error"].get("path", min(paths))}:
            wrong.append((case, messages))
    assert not wrong, listed(wrong)


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("k" * 1_000_000, "$." + "k" * 254 + "…"),
        ("é" * 500_000, '$["' + "é" * 126 + "…"),
        ("k" * 254, "$." + "k" * 254),
        ("k" * 255, "$." + "k" * 254 + "…"),
    ],
    ids=["1 MB", "1 MB of two-byte letters", "exactly 256 bytes", "257 bytes"],
)
def test_every_language_cuts_a_path_at_256_bytes(four: Four, key: str, path: str) -> None:
    name = key.encode()
    data = b"\x81\xdb" + len(name).to_bytes(4, "big") + name + b"\xc1"
    message = f"reserved_marker at byte {len(data) - 1} ({path}): {DESCRIPTIONS['reserved_marker']}"
    assert four.call("message", [data]) == dict.fromkeys(LANGUAGES, [(False, message.encode())])


def test_every_language_cuts_a_path_of_many_elements(four: Four) -> None:
    data = b"\x91" * 1000 + b"\xc1"
    path = "$" + "[0]" * 85 + "…"
    message = f"reserved_marker at byte 1000 ({path}): {DESCRIPTIONS['reserved_marker']}"
    assert four.call("message", [data]) == dict.fromkeys(LANGUAGES, [(False, message.encode())])
