"""The same verdict on any bytes in all languages: the value, or the error's kind and offset."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from spec.vectors.expansion import expand, expanded_length

from .conftest import EXHAUSTIVE, cases, count
from .programs import LANGUAGES, Four, frame_items, unframe
from .sayable import agree
from .values import damaged

# One in 64 of the inputs of three bytes, unless all are asked for.
STEP = 1 if EXHAUSTIVE else 64

MODES: dict[str, dict[str, Any]] = {
    "plain": {},
    "records": {"records": True},
    "canonical": {"canonical": True},
    "bigint, strict": {
        "bigint": True,
        "duplicate_key": "error",
        "unknown_ext": "error",
    },
    "replaced": {"utf8": "replace", "max_depth": 6, "max_nodes": 40},
}
DAMAGED = count("PACKORD_INTEROP_DAMAGED", 8_000, exhaustive=42_000)


def differences(
    inputs: list[bytes], answers: dict[str, bytes], options: dict[str, Any]
) -> Iterator[str]:
    """The inputs on which a language has another verdict than Rust."""
    truth = unframe(answers["rust"])
    assert len(truth) == len(inputs)
    for language in LANGUAGES[1:]:
        if answers[language] == answers["rust"]:
            continue
        outcomes = unframe(answers[language])
        assert len(outcomes) == len(inputs)
        for data, wanted, found in zip(inputs, truth, outcomes, strict=True):
            if found == wanted:
                continue
            bigint = options.get("bigint", False)
            if found[0] and wanted[0] and agree(wanted[1], found[1], language, bigint=bigint):
                continue
            yield (
                f"{data.hex()} {options}: rust {wanted[1].decode()[:300]}, "
                f"{language} {found[1].decode()[:300]}"
            )


def check(four: Four, inputs: list[bytes], options: dict[str, Any]) -> None:
    answers = four.raw("decode", frame_items(inputs), options=options)
    found = list(itertools.islice(differences(inputs, answers, options), 20))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("mode", ["plain", "records", "canonical"])
def test_inputs_of_up_to_three_bytes_have_one_verdict(four: Four, mode: str) -> None:
    """Every input of up to two bytes, and one in STEP of those of three bytes."""
    options = MODES[mode]
    check(four, [b""], options)
    check(four, [bytes([a]) for a in range(256)], options)
    check(four, [bytes(pair) for pair in itertools.product(range(256), repeat=2)], options)
    checked = 0
    for first in range(256):
        # Each first byte starts at another place, so that the sample has every last byte.
        inputs = [
            first.to_bytes(1, "big") + rest.to_bytes(2, "big")
            for rest in range((first * 37) % STEP, 65536, STEP)
        ]
        checked += len(inputs)
        check(four, inputs, options)
    assert checked == 256 * 65536 // STEP


def short_messages(*folders: str) -> list[bytes]:
    found = []
    for folder in folders:
        for case in cases(folder):
            parts = [case] if "bytes" in case else case["steps"]
            for part in parts:
                if "bytes" in part and expanded_length(part["bytes"]) <= 400:
                    found.append(expand(part["bytes"]))
    return sorted(set(found))


@pytest.mark.parametrize("mode", MODES)
def test_damaged_vectors_have_one_verdict(four: Four, mode: str) -> None:
    folders = ["valid", "invalid", "stream", "records"]
    messages = short_messages(*folders)
    assert len(messages) > 1000
    inputs = damaged(messages, DAMAGED, seed=sum(mode.encode()))
    for _ in range(0, DAMAGED, 6_000):
        check(four, list(itertools.islice(inputs, 6_000)), MODES[mode])


@pytest.mark.parametrize("mode", ["plain", "records"])
def test_damaged_streams_have_the_same_values_and_the_same_end(four: Four, mode: str) -> None:
    """Streams in chunks of three bytes."""
    options = {**MODES[mode], **({"sequential": True} if mode == "records" else {})}
    messages = short_messages("stream", "records")
    inputs = list(damaged(messages, 3_000, seed=11))
    answers = four.call("stream", inputs, options=options, chunk=3)
    for index, data in enumerate(inputs):
        truth = json.loads(answers["rust"][index][1])
        for language in LANGUAGES[1:]:
            found = json.loads(answers[language][index][1])
            assert found["end"] == truth["end"], (data.hex(), language, found, truth)
            left = json.dumps({"array": truth["values"]}).encode()
            right = json.dumps({"array": found["values"]}).encode()
            assert agree(left, right, language), (data.hex(), language, found, truth)


@pytest.mark.parametrize("folder", ["valid", "invalid", "records"])
def test_vectors_have_one_verdict(four: Four, folder: str) -> None:
    """The bytes of the vectors, with their options."""
    for case in cases(folder):
        options = dict(case.get("options", {}))
        if "ext_types" in options or "bytes" not in case or "values" in case:
            continue
        if folder == "records":
            options["records"] = True
        if expanded_length(case["bytes"]) <= 100_000:
            check(four, [expand(case["bytes"])], options)
