"""Every language reads what every language writes."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from spec.vectors.expansion import build, expand
from spec.vectors.options import Options
from spec.vectors.writer import Writer, is_nan

from .conftest import DOCUMENTS, cases, count
from .programs import LANGUAGES, Four
from .sayable import agree, has_map_key, loses_order, parts, represent
from .values import Values, compact, typed

Value = Any

MODES: dict[str, dict[str, Any]] = {
    "plain": {},
    "records": {"records": True},
    "shared": {"records": True, "shared_structures": []},
    "sequential": {"records": True, "sequential": True},
    "canonical": {"canonical": True},
}

BATCH = 5_000
# For each of five modes; the exhaustive run has 210,000 in all.
GENERATED = count("PACKORD_INTEROP_VALUES", 8_000, exhaustive=42_000)
# For each of four modes.
TRANSCODED = count("PACKORD_INTEROP_TRANSCODED", 3_000, exhaustive=100_000)


def loose_in_js(value: Value) -> bool:
    """Whether JavaScript, by default, may write other bytes of it: it has a NaN."""
    return any(kind == "f64" and is_nan(bytes.fromhex(content)) for kind, content in parts(value))


class Matrix:
    """Sends values through all encoders, and the bytes that they wrote through all decoders."""

    def __init__(self, four: Four, options: dict[str, Any]) -> None:
        self.four = four
        self.options = options
        self.pairs = 0

    def check(self, values: list[Value]) -> None:
        """Each language writes the values, as it represents them: the bytes that the specification
        requires. Then each language reads the bytes of each, and finds the value."""
        represented = {
            language: [represent(v, language, True) for v in values] for language in LANGUAGES
        }
        items = {language: list(map(compact, represented[language])) for language in LANGUAGES}
        answers = self.four.each(items, "encode", options=self.options)
        written: dict[str, list[bytes]] = {}
        for language in LANGUAGES:
            *outcomes, shared = answers[language]
            for (ok, data), item in zip(outcomes, items[language], strict=True):
                assert ok, f"{language} can't write {item.decode()[:500]}: {data.decode()}"
            written[language] = [data for _, data in outcomes]
            # The canonical form is one, whatever a language can tell apart.
            required = values if self.options.get("canonical") else represented[language]
            self.has_the_required_bytes(language, required, written[language], shared[1])
        if self.options.get("sequential"):
            self.read_streams(represented, written)
        else:
            self.read_messages(represented, written, json.loads(answers["rust"][-1][1]))

    def writer(self) -> Writer:
        return Writer(Options.of(self.options))

    def has_the_required_bytes(
        self, language: str, values: list[Value], written: list[bytes], shared: bytes
    ) -> None:
        writer = self.writer()
        for value, data in zip(values, written, strict=True):
            required = writer.message(value)
            if data != required:
                loose = language == "js" and loose_in_js(value)
                assert loose and "canonical" not in self.options, (
                    f"{language} wrote {data.hex()} for {value}, not {required.hex()}"
                )
        assert json.loads(shared) == writer.shared, language

    def read_messages(
        self,
        represented: dict[str, list[Value]],
        written: dict[str, list[bytes]],
        shared: list[list[str]],
    ) -> None:
        """Each language reads the bytes once, also where several wrote the same."""
        options = dict(self.options)
        if "shared_structures" in options:
            options["shared_structures"] = shared
        distinct: dict[bytes, Value] = {}
        for writer in LANGUAGES:
            distinct |= zip(written[writer], represented[writer], strict=True)
        answers = self.four.call("decode", list(distinct), options=options)
        for reader in LANGUAGES:
            for (data, value), (ok, text) in zip(distinct.items(), answers[reader], strict=True):
                assert ok, f"{reader} can't read {data.hex()}: {text.decode()}"
                self.is_same(compact(value), text, reader, data)
        self.pairs += len(LANGUAGES) ** 2 * len(written["rust"])

    def read_streams(
        self, represented: dict[str, list[Value]], written: dict[str, list[bytes]]
    ) -> None:
        for writer in LANGUAGES:
            stream = b"".join(written[writer])
            answers = self.four.call("stream", [stream], options=self.options, chunk=1000)
            for reader, [(_, answer)] in answers.items():
                found = json.loads(answer)
                assert found["end"] == "clean", (writer, reader)
                assert len(found["values"]) == len(represented[writer]), (writer, reader)
                for value, got in zip(represented[writer], found["values"], strict=True):
                    self.is_same(compact(value), compact(got), reader, stream)
                self.pairs += len(written[writer])

    def is_same(self, expected: bytes, text: bytes, reader: str, data: bytes) -> None:
        canonical = self.options.get("canonical", False)
        assert agree(expected, text, reader, canonical), (
            f"{reader} read {data.hex()[:1000]} as {text.decode()[:1000]}, "
            f"not {expected.decode()[:1000]}"
        )


@pytest.mark.parametrize("mode", MODES)
def test_every_language_reads_what_every_language_writes(four: Four, mode: str) -> None:
    values = Values(seed=len(mode), any_keys=True)
    matrix = Matrix(four, MODES[mode])
    batch = BATCH if mode in ("plain", "canonical") else 500
    for _ in range(0, GENERATED, batch):
        matrix.check([values.value() for _ in range(batch)])
    assert matrix.pairs >= 16 * GENERATED


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "sequential"])
def test_each_language_writes_again_what_it_has_read(four: Four, mode: str) -> None:
    """A message of the specification's own writer, read and written again by each language. (A
    message of a sequential stream can't be read alone.)"""
    generator = Values(seed=100 + len(mode))
    values = [generator.value() for _ in range(TRANSCODED)]
    writer = Writer(Options.of(MODES[mode]))
    messages = [writer.message(value) for value in values]
    options = dict(MODES[mode])
    if "shared_structures" in options:
        options["shared_structures"] = writer.shared
    answers = four.call("transcode", messages, options=options)
    for language in LANGUAGES:
        for message, (ok, data) in zip(messages, answers[language], strict=True):
            assert ok, f"{language} can't transcode {message.hex()}: {data.decode()}"
        written = [data for _, data in answers[language]]
        read = four.programs["rust"].call("decode", written, options=options)
        if mode == "canonical":
            assert written == messages, language
        for value, data, (ok, text) in zip(values, written, read, strict=True):
            expected = represent(value, language)
            loose = language == "js" and loose_in_js(value)
            if not (loose or has_own_order(expected, language)):
                assert data == Writer(Options.of(options)).message(expected), (language, value)
            same = ok and agree(compact(value), text, language, mode == "canonical")
            assert same, f"{language} made {data.hex()[:1000]} of {compact(value).decode()[:1000]}"


def test_each_language_writes_the_canonical_bytes_of_the_vectors_again(four: Four) -> None:
    """Or reports an error where it does not have the value: never other bytes."""
    values = {}
    for case in cases("valid"):
        form = case.get("canonical")
        if (isinstance(form, str) or form is True) and case["file"] not in LEFT_OUT:
            values[expand(case["bytes"] if form is True else form)] = build(case["value"])
    assert len(values) > 400
    answers = four.call("transcode", list(values), options={"canonical": True})
    for language in LANGUAGES:
        for (message, value), (ok, data) in zip(values.items(), answers[language], strict=True):
            lacks = language == "python" and has_map_key(value)
            assert ok != lacks, f"{language}: {message.hex()[:1000]}: {data[:1000]!r}"
            assert lacks or data == message, f"{language} made {data.hex()} of {message.hex()}"


def has_own_order(value: Value, language: str) -> bool:
    """Whether the language writes some map of it in an order of its own."""
    return any(kind == "map" and loses_order(content, language) for kind, content in parts(value))


@pytest.mark.parametrize("mode", MODES)
def test_values_of_the_vectors_are_written_alike_and_read_by_all(four: Four, mode: str) -> None:
    """The values of all valid vectors without options."""
    values = [
        build(case["value"])
        for case in cases("valid")
        if "options" not in case and case["file"] not in LEFT_OUT
    ]
    assert len(values) > 500
    matrix = Matrix(four, MODES[mode])
    records = MODES[mode].get("records", False)
    matrix.check([v for v in values if has_no_index_keys(v) and not (records and is_definition(v))])
    assert matrix.pairs > 16 * 500


# Keys that are equal in some language; the same key twice, which no encoder writes; and values
# nested deeper than JSON parsers accept. test_verdicts.py compares the verdicts on their bytes.
LEFT_OUT = {"map-keys", "duplicate-keys", "nested"}


def is_definition(value: Value) -> bool:
    """An ext of the type that defines records, which is refused while records are on."""
    return isinstance(value, dict) and value.get("ext", [0])[0] == 0x72


def has_no_index_keys(value: Value) -> bool:
    """Whether no map of it has index numbers as str keys, which an object of JavaScript puts
    first."""
    return not any(
        isinstance(key, dict) and key.get("str", "").isdigit()
        for kind, content in parts(value)
        if kind == "map"
        for key, _ in content
    )


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_documents_are_written_alike_and_read_by_all(four: Four, mode: str, document: Any) -> None:
    """Real documents, cut into messages: the elements of their first array, or the whole."""
    value = typed(json.loads(document.read_text(encoding="utf-8")))
    messages = value.get("array", [value])
    messages = [message for message in messages if has_no_index_keys(message)]
    chance = random.Random(5)
    matrix = Matrix(four, MODES[mode])
    matrix.check(chance.sample(messages, min(len(messages), 500)))
    assert matrix.pairs > 0
