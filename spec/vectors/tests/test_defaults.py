"""The class ``defaults``: fresh, whole, and with reasons that the specification has."""

from __future__ import annotations

import doctest
import json
import re

import pytest

from .. import native_writer, natives, reference
from ..expansion import flat
from ..generate import render
from ..generator import defaults
from ..generator.verify import complete_and_verify
from ..native_reading import REASONS
from ..native_writer import NativeWriter
from ..natives import LANGUAGES, SERDE
from .conftest import ROOT, cases, each

SPEC = ROOT.parent
MEMBERS = {
    "name", "tag", "options", "languages", "write", "bytes", "value", "error", "again", "instead", "except",
    "kinds", "readers", "read",
}  # fmt: skip


def plain(case: dict) -> bool:
    return "options" not in case


def writes(case: dict) -> bool:
    return "write" in case


def reads(case: dict) -> bool:
    return plain(case) and not writes(case)


def natives_in(value) -> list[dict]:
    """All values in it that have a kind."""
    if isinstance(value, list):
        return [native for part in value for native in natives_in(part)]
    if not isinstance(value, dict):
        return []
    found = [value] if "native" in value else []
    return found + [native for part in value.values() for native in natives_in(part)]


def test_files_of_defaults_are_what_the_generator_writes():
    for topic in defaults.topics():
        for case in topic.cases:
            complete_and_verify("defaults", case)
        text = (ROOT / "defaults" / f"{topic.topic}.json").read_text("ascii")
        assert text == render(topic.document()), topic.topic


def test_there_are_enough_cases_of_defaults_for_each_language():
    written = [case for case in cases("defaults") if plain(case) and writes(case)]
    read = [case for case in cases("defaults") if reads(case)]
    assert len(written) >= 150
    assert len(read) >= 120
    for language in LANGUAGES:
        assert sum(language in case.get("languages", LANGUAGES) for case in written) >= 100, language
        assert sum(language in case.get("languages", LANGUAGES) for case in read) >= 120, language


@each("defaults")
def test_a_case_of_defaults_is_well_formed(kind, case):
    assert case.keys() <= MEMBERS
    assert ("write" in case) + ("value" in case) + ("read" in case) + (reads(case) and "error" in case) == 1
    assert ("bytes" in case) != (writes(case) and "error" in case)
    assert ("again" in case) == ("value" in case or "read" in case)
    languages = case.get("languages", list(LANGUAGES))
    assert languages == [language for language in LANGUAGES if language in languages] != []
    assert case.get("languages") != list(LANGUAGES)
    for member in ("instead", "except", "kinds"):
        assert case.get(member, {}).keys() <= set(languages)
    assert set(case.get("except", {}).values()) <= set(REASONS)


@each("defaults", where=lambda case: "value" in case)
def test_what_is_packed_again_is_read_as_the_same_value(kind, case):
    again = case["bytes"] if case["again"] is True else case["again"]
    data = reference.expand(again)
    if case.get("languages") != ["javascript"]:
        assert flat(reference.read(data)) == flat(reference.build(case["value"]))
    assert reference.encode(reference.build(case["value"])) == data
    for language, value in case.get("instead", {}).items():
        # The value that is read instead is written with other bytes.
        assert language in case["except"]
        assert reference.encode(value) != data


@each("defaults", where=lambda case: "readers" in case)
def test_readers_of_rich_values_are_languages(kind, case):
    assert case["options"] == {"rich": True}
    assert set(case["readers"]) <= set(LANGUAGES)


def test_every_kind_of_native_value_is_written():
    found = {native["native"] for case in cases("defaults") for native in natives_in(case.get("write"))}
    assert found == natives.HAVE.keys()
    text = (ROOT / "README.md").read_text("utf-8")
    assert {kind for kind in natives.HAVE if f"`{kind}`" not in text} == set()


def test_every_exception_occurs_and_is_one_of_the_specification():
    found = {pair for case in cases("defaults") for pair in case.get("except", {}).items()}
    assert {reason for _, reason in found} == set(REASONS)
    section = (SPEC / "format.md").read_text("utf-8").split("\n## 7.")[1]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$", section, re.MULTILINE)
    stated = {(name, what.replace("`", "")) for names, what in rows for name in names.lower().split(", ")}
    for language, reason in found:
        names = ("javascript", "clojure") if language == "clojurescript" else (language,)
        assert any((name, reason) in stated for name in names), (language, reason)
    page = (SPEC.parent / "docs/languages.md").read_text("utf-8").replace("`", "")
    assert [reason for reason in REASONS if reason not in page] == []


def test_the_text_of_times_is_that_of_the_page():
    page = (SPEC / "defaults.md").read_text("utf-8")
    texts = set(re.findall(r"`([^`]+)`", page.split("### 1.1")[1].split("## 2.")[0]))
    written = {
        reference.read(bytes.fromhex(case["bytes"]))["str"]
        for case in cases("defaults")
        if writes(case) and plain(case) and case.get("bytes", "")[:1] in ("a", "b")
    }
    # The end of the text of a time of day, and a type of the program's.
    assert {text for text in texts if not any(found.endswith(text) for found in written)} <= {"rich"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_option_that_packs_a_value_packs_it(language):
    for case in cases("defaults"):
        option = case.get("error", {}).get("option")
        if option and language in case.get("languages", LANGUAGES) and language != SERDE:
            assert NativeWriter(language, {option: True}).message(case["write"])


def test_examples_in_the_writer_run():
    assert doctest.testmod(native_writer).failed == 0
    assert json.dumps(cases("defaults")).isascii()
