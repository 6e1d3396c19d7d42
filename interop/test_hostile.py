"""Hostile bytes: the same verdict everywhere, in bounded memory and in linear time.

Each large case is read by a program that was started for it, so that its memory is its own. Rust,
Python and JavaScript are measured from outside, by the largest resident size that the system saw
while they read. The memory of a JVM's process says little about what a program needs, so Clojure
reports the bytes that its thread allocated while it read, garbage included: more than the peak.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from expansion import expand, expanded_length

from conftest import cases
from programs import LANGUAGES, Four, Program, command, frame_items, unframe
from sayable import agree

EVERYTHING = "PACKORD_EXHAUSTIVE" in os.environ
SMALL = 100_000
LARGE = 1 << 40 if EVERYTHING else 6_000_000

MEGABYTE = 1 << 20
FACTOR = {"rust": 40, "python": 128, "js": 128, "clojure": 128}
# What a runtime takes for any work at all, over the 1 MB of the specification: V8's young
# generation and the code that it compiles while it reads.
FLOOR = {"rust": 0, "python": 0, "js": 24 * MEGABYTE, "clojure": 0}
# The heap of a JVM that runs the Clojure program and reads nothing.
JVM_FLOOR = 40 * MEGABYTE
# Room for what reading the largest message of the linear-time test makes, garbage included, so that
# the collector hardly works within it: how often it does is a matter of the heap, not of the bytes.
ROOMY_HEAP = "-Xms10g -Xmx10g -Xmn8g" if EVERYTHING else "-Xms4g -Xmx4g -Xmn3g"
# Ten times what the slowest case of each takes on a slow machine. All times are those of the
# processor: what else the machine does is no concern of these tests.
SECONDS_PER_MEGABYTE = 3.0
SECONDS_OF_SMALL = 5.0
# How much longer twice the bytes may take, as the mean of so many doublings: the more of them, the
# less counts what happens once, as when a hash table outgrows a cache. Where tests share the
# machine, caches that others fill leave room for noise; n² would be 4, and n √n 2.8.
GROWTH, DOUBLINGS = (2.5, 6) if EVERYTHING else (3.2, 2)


def hostile(least: int, most: int) -> list[dict[str, Any]]:
    found = [
        case
        for case in cases("hostile")
        if least <= expanded_length(case["bytes"]) < most
        and "ext_types" not in case.get("options", {})
    ]
    return sorted(found, key=lambda case: expanded_length(case["bytes"]))


def fresh(language: str, heap: str = "-Xmx3g") -> Program:
    words = command(language)
    if language == "js":
        words[1:1] = ["--max-semi-space-size=1", "--max-old-space-size=4000"]
    if language == "clojure":
        at = words.index("-Xmx2g")
        words[at : at + 1] = heap.split()
    return Program(language, words)


def test_small_cases(four: Four) -> None:
    """Verdict, kind and offset, and the same value in all four."""
    found = hostile(0, SMALL)
    assert len(found) > 800
    four.call("decode", [b"\x90"])
    for case in found:
        data = expand(case["bytes"])
        before = {language: four.programs[language].cpu_time() for language in LANGUAGES}
        answers = four.raw("decode", frame_items([data]), options=case.get("options", {}))
        for language in LANGUAGES:
            seconds = four.programs[language].cpu_time() - before[language]
            assert seconds < SECONDS_OF_SMALL, (case["name"], language)
        [(ok, text)] = unframe(answers["rust"])
        if "error" in case:
            assert (ok, text.decode()) == (False, "{kind} {offset}".format(**case["error"]))
        else:
            assert ok, (case["name"], text)
        for language in LANGUAGES[1:]:
            [(other_ok, other)] = unframe(answers[language])
            same = other == text or (ok and agree(text, other, language))
            assert other_ok == ok and same, (case["name"], language, other[:200], text[:200])


class Resident:
    """The memory of a process, as the system sees it."""

    def __init__(self, program: Program) -> None:
        self.folder = Path("/proc") / str(program.process.pid)
        # Begins the high-water mark anew.
        (self.folder / "clear_refs").write_text("5")
        self.before = self.field("VmRSS")

    def peak(self) -> int:
        return self.field("VmHWM") - self.before

    def field(self, name: str) -> int:
        for line in (self.folder / "status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
        raise AssertionError(name)


def read(program: Program, data: bytes, options: dict[str, Any]) -> tuple[str, int, float]:
    """The verdict on the bytes, the memory that reading them took at its peak, and the time."""
    program.call("hold", [data])
    resident = Resident(program)
    before = program.cpu_time()
    (ok, words), *allocated = program.call("read", [], options=options)
    seconds = program.cpu_time() - before
    peak = int(allocated[0][1]) if allocated else resident.peak()
    return ("value" if ok else words.decode()), peak, seconds


@pytest.mark.parametrize("language", LANGUAGES)
def test_large_cases(language: str) -> None:
    found = hostile(SMALL, LARGE)
    assert len(found) > (60 if EVERYTHING else 30)
    wrong = []
    shared = fresh(language) if language == "clojure" else None
    for case in found:
        data = expand(case["bytes"])
        options = case.get("options", {})
        program = shared or fresh(language)
        # What the program needs to read at all, it has then.
        read(program, b"\x92\x81\xa1a\x01\xa1b", options)
        verdict, peak, seconds = read(program, data, options)
        if shared is None:
            program.close()
        expected = "{kind} {offset}".format(**case["error"]) if "error" in case else "value"
        factor = case.get("factor", FACTOR[language])
        allowed = factor * len(data) + MEGABYTE + FLOOR[language]
        if language == "clojure" and peak > allowed:
            peak = within_heap(data, options, allowed)
        line = (
            f"{case['file']}: {case['name']}: {verdict}, {peak / len(data):.1f} x, {seconds:.2f} s"
        )
        print(line)
        if (
            verdict != expected
            or peak > allowed
            or seconds > SECONDS_PER_MEGABYTE * (1 + len(data) / MEGABYTE)
        ):
            wrong.append(line)
    if shared is not None:
        shared.close()
    assert not wrong, "\n".join(wrong)


def within_heap(data: bytes, options: dict[str, Any], allowed: int) -> int:
    """What is allowed, when reading works in a JVM whose heap has room for no more than that,
    beside the program and the bytes; garbage does not count then."""
    room = JVM_FLOOR + 3 * len(data) + allowed
    program = fresh("clojure", f"-Xmx{room // MEGABYTE}m")
    try:
        read(program, data, options)
        program.close()
    except AssertionError:
        return room
    return allowed


def header(marker: int, count: int) -> bytes:
    """The smallest header of its kind, `marker` being the largest."""
    if count < 1 << 16:
        return bytes([marker - 1]) + count.to_bytes(2, "big")
    return bytes([marker]) + count.to_bytes(4, "big")


def counted(marker: int, unit: bytes) -> Callable[[int], bytes]:
    """A container of as many units as fit the bytes."""

    def message(size: int) -> bytes:
        count = size // len(unit)
        return header(marker, count) + unit * count

    return message


def numbered(prefix: bytes, suffix: bytes, marker: int = 0xDD) -> Callable[[int], bytes]:
    """A container of units with a text of eight digits each, none twice."""

    def message(size: int) -> bytes:
        count = size // (len(prefix) + 8 + len(suffix))
        units = b"".join([b"%s%08d%s" % (prefix, number, suffix) for number in range(count)])
        return header(marker, count) + units

    return message


# The larger of two messages. Rust needs more to take long beside what a clock can tell.
LARGEST = 16 * MEGABYTE if EVERYTHING else 4 * MEGABYTE
SIZE = {"rust": 2 * LARGEST, "python": LARGEST, "js": LARGEST, "clojure": LARGEST}


def nested_bombs(size: int) -> bytes:
    """A thousand arrays, each but the first in the one before. Each announces a thousandth of the
    bytes, so that together they announce them all."""
    each = size // 1000 - 5
    arrays = b"".join([b"\xdd" + each.to_bytes(4, "big")] * 1000)
    return arrays + b"\xc0" * (1000 * each - 999)


GROWING: dict[str, tuple[Callable[[int], bytes], dict[str, Any]]] = {
    "empty maps": (counted(0xDD, b"\x80"), {}),
    "empty arrays": (counted(0xDD, b"\x90"), {}),
    "empty texts": (counted(0xDD, b"\xa0"), {}),
    "nils": (counted(0xDD, b"\xc0"), {}),
    "arrays of one": (counted(0xDD, b"\x91\xc0"), {}),
    "keys of their own": (numbered(b"\x81\xa8", b"\xc0"), {}),
    "one large map": (numbered(b"\xa8", b"\xc0", 0xDF), {}),
    "one large map, keys checked": (numbered(b"\xa8", b"\xc0", 0xDF), {"duplicate_key": "error"}),
    "one large map, canonical": (numbered(b"\xa8", b"\xc0", 0xDF), {"canonical": True}),
    "the same key": (counted(0xDF, b"\xa1a\xc0"), {}),
    "definitions": (numbered(b"\xd4\x72\x40\x91\xa8", b"\xc0"), {"records": True}),
    "redefinitions": (counted(0xDD, b"\xd4\x72\x40\x91\xa1a\xc0"), {"records": True}),
    "exts of one byte": (counted(0xDD, b"\xd4\x05\x00"), {}),
    "timestamps": (counted(0xDD, b"\xd6\xff\x00\x00\x00\x01"), {}),
    "a text": (lambda size: b"\xdb" + size.to_bytes(4, "big") + "é".encode() * (size // 2), {}),
    "bombs": (nested_bombs, {}),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_time_is_linear(language: str) -> None:
    """Twice the bytes take less than GROWTH times as long, as the mean of some doublings: of two,
    four times the bytes take less than GROWTH² times as long; in n² it would be 16. Compilers that
    warm up and collectors that come in leaps are left out by taking the least time of each size,
    over as many rounds as it needs, up to a number."""
    program = fresh(language, ROOMY_HEAP)
    wrong = []
    for name, (message, options) in GROWING.items():
        messages = [message(SIZE[language] >> DOUBLINGS), message(SIZE[language])]
        times = [time_of(program, data, options) for data in messages * 2][2:]
        for _ in range(12):
            times = [
                min(least, time_of(program, data, options))
                for least, data in zip(times, messages, strict=True)
            ]
            ratio = ((times[1] + 1e-3) / (times[0] + 1e-3)) ** (1 / DOUBLINGS)
            if ratio < GROWTH:
                break
        else:
            wrong.append(f"{name}: {ratio:.2f}")
        print(f"{name}: {ratio:.2f}")
    program.close()
    assert not wrong, "\n".join(wrong)


def time_of(program: Program, data: bytes, options: dict[str, Any]) -> float:
    program.call("hold", [data])
    before = program.cpu_time()
    (ok, words), *_ = program.call("read", [], options=options)
    seconds = program.cpu_time() - before
    # The time of a message that is refused at its first byte says nothing.
    assert ok, words
    return seconds
