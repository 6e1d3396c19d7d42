"""What a language refuses or writes with other bytes, without an option, is what the pages say.

With ``KEEP=1`` the numbers are kept in ``bench/differences.json``, for the page of evidence.
"""

from __future__ import annotations

import json
import os
import re

import packord
import pytest
from spec.vectors.expansion import build, expand

from .conftest import cases
from .differences import FACES, Differences, differences, minimal
from .programs import ROOT, Four
from .sayable import MAY_OCCUR, READ

KEPT = ROOT / "bench/differences.json"
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]*) \| [^|]*\|$", re.MULTILINE)


@pytest.fixture(scope="module")
def found(four: Four) -> list[Differences]:
    return [differences(four, face, minimal()) for face in FACES]


def test_only_what_a_language_does_not_have_is_written_with_other_bytes(
    found: list[Differences],
) -> None:
    assert [each.unexplained for each in found] == [[]] * len(FACES)
    assert all(each.messages > 700 for each in found)


def test_the_numbers_of_the_evidence_are_those_of_this_checkout(found: list[Differences]) -> None:
    rows = [json.dumps(each.kept(), ensure_ascii=False) for each in found]
    text = "[\n " + ",\n ".join(rows) + "\n]\n"
    if "KEEP" in os.environ:
        KEPT.write_text(text, encoding="utf-8")
    assert KEPT.read_text(encoding="utf-8") == text, "run `make differences`"


def rows_of_the_page() -> dict[tuple[str, str], str]:
    """What each language makes of a value, by the tables of the page."""
    page = (ROOT / "docs/languages.md").read_text(encoding="utf-8").split("## Everything else")[0]
    rows = ROW.findall(page)
    assert len(rows) > 10
    return {
        (language.lower(), value.replace("`", "")): becomes
        for value, languages, becomes in rows
        if set(value) != {"-"} and value != "value"
        for language in languages.split(", ")
    }


def test_the_page_of_languages_has_what_is_found_and_nothing_else(
    four: Four, found: list[Differences]
) -> None:
    """Over the minimal messages of ``valid/`` and those that the class ``defaults`` reads."""
    seen = set()
    for face, one in zip(FACES, found, strict=True):
        read = [
            (expand(case["bytes"]), build(case["value"]))
            for case in cases("defaults")
            if case.get("again") is True and "value" in case and "options" not in case
            if face.language in case.get("languages", [face.language])
        ]
        assert len(read) > 100
        more = differences(four, face, read)
        assert more.unexplained == [], face
        seen |= {(face.language, reason) for reason in one.reasons | more.reasons}
    assert (seen | set(READ)) ^ set(rows_of_the_page()) <= MAY_OCCUR


def test_what_is_read_as_another_type_is_on_the_page_with_it_and_occurs() -> None:
    page = rows_of_the_page()
    kinds = {
        (language, kind)
        for case in cases("defaults")
        for language, of in case.get("kinds", {}).items()
        for kind in of.values()
    }
    kinds.add(("python", type(*packord.unpackb(b"\x81\x91\x01\xc0")).__name__))
    for (language, value), kind in READ.items():
        assert f"`{kind}`" in page[language, value]
        assert (language, kind) in kinds
