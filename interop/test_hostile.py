"""Hostile bytes: the same verdict everywhere, in bounded memory and in linear time.

Each large case is read by a program that was started for it, so that the memory of other cases does
not count. For Rust, Python and JavaScript the measure is the largest resident size of the process
while it read. The resident size of a JVM says little about what a program needs, so Clojure reports
the bytes that its thread allocated while it read, garbage included: more than the peak.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from spec.vectors.expansion import expand, expanded_length

from .conftest import EXHAUSTIVE, cases
from .programs import LANGUAGES, Four, Program, command, frame_items, unframe
from .sayable import agree

SMALL = 100_000
LARGE = 1 << 40 if EXHAUSTIVE else 6_000_000

MEGABYTE = 1 << 20
FACTOR = {"rust": 40, "python": 128, "js": 128, "clojure": 128}
# The memory that a runtime needs for any work, beyond the 1 MB of the specification: V8's young
# generation and the code that it compiles while it reads.
FLOOR = {"rust": 0, "python": 0, "js": 24 * MEGABYTE, "clojure": 0}
# The heap of a JVM that runs the Clojure program and reads nothing.
JVM_FLOOR = 40 * MEGABYTE
# Room for everything that reading the largest message of the linear-time test allocates, garbage
# included, so that the collector seldom runs: its work depends on the heap, not on the bytes.
ROOMY_HEAP = "-Xms10g -Xmx10g -Xmn8g" if EXHAUSTIVE else "-Xms4g -Xmx4g -Xmn3g"
# Ten times the time of the slowest case on a slow machine. All times are processor time, so that
# other work on the machine does not count.
SECONDS_PER_MEGABYTE = 3.0
SECONDS_OF_SMALL = 5.0
# The maximum factor of time for twice the bytes, as the mean over DOUBLINGS. With more doublings, a
# single event counts less, such as a hash table that outgrows a cache. In `make test` other tests
# share the caches and the pages of memory, so the limit has room for noise; n² would be 4, and
# n √n 2.8.
GROWTH, DOUBLINGS = (2.5, 6) if EXHAUSTIVE else (3.5, 2)
# Added to each time: what the system may take for the memory of a large value, which the runtime of
# a small one has already. A str of 1 MB is read in less than a millisecond.
FRESH_PAGES = 10e-3


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


def test_small_cases_have_one_verdict_in_little_time(four: Four) -> None:
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
    """The resident memory of a process."""

    def __init__(self, program: Program) -> None:
        self.folder = Path("/proc") / str(program.process.pid)
        # Resets the high-water mark.
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
def test_large_cases_stay_within_memory_and_time(language: str) -> None:
    found = hostile(SMALL, LARGE)
    assert len(found) > (60 if EXHAUSTIVE else 30)
    wrong = []
    shared = fresh(language) if language == "clojure" else None
    for case in found:
        data = expand(case["bytes"])
        options = case.get("options", {})
        program = shared or fresh(language)
        # Afterwards the program has the memory that it needs to read at all.
        read(program, b"\x92\x81\xa1a\x01\xa1b", options)
        verdict, peak, seconds = read(program, data, options)
        if shared is None:
            program.close()
        expected = "{kind} {offset}".format(**case["error"]) if "error" in case else "value"
        factor = FACTOR[language] * case.get("factor", 128) // 128
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
    """Returns ``allowed`` if reading succeeds in a JVM whose heap has room for ``allowed`` bytes
    apart from the program and the input, so that garbage does not count; else that heap's size."""
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
    """A container of units with a str of eight digits each, all different."""

    def message(size: int) -> bytes:
        count = size // (len(prefix) + 8 + len(suffix))
        units = b"".join([b"%s%08d%s" % (prefix, number, suffix) for number in range(count)])
        return header(marker, count) + units

    return message


# The larger of two messages; larger for Rust, whose times would be too short to measure.
LARGEST = 16 * MEGABYTE if EXHAUSTIVE else 4 * MEGABYTE
SIZE = {"rust": 2 * LARGEST, "python": LARGEST, "js": LARGEST, "clojure": LARGEST}


def nested_bombs(size: int) -> bytes:
    """A thousand nested arrays. Each announces a thousandth of the bytes, so that together they
    announce all of them."""
    each = size // 1000 - 5
    arrays = b"".join([b"\xdd" + each.to_bytes(4, "big")] * 1000)
    return arrays + b"\xc0" * (1000 * each - 999)


GROWING: dict[str, tuple[Callable[[int], bytes], dict[str, Any]]] = {
    "empty maps": (counted(0xDD, b"\x80"), {}),
    "empty arrays": (counted(0xDD, b"\x90"), {}),
    "empty strs": (counted(0xDD, b"\xa0"), {}),
    "nils": (counted(0xDD, b"\xc0"), {}),
    "arrays of one": (counted(0xDD, b"\x91\xc0"), {}),
    "different keys": (numbered(b"\x81\xa8", b"\xc0"), {}),
    "one large map": (numbered(b"\xa8", b"\xc0", 0xDF), {}),
    "one large map, keys checked": (numbered(b"\xa8", b"\xc0", 0xDF), {"duplicate_key": "error"}),
    "one large map, canonical": (numbered(b"\xa8", b"\xc0", 0xDF), {"canonical": True}),
    "the same key": (counted(0xDF, b"\xa1a\xc0"), {}),
    "definitions": (numbered(b"\xd4\x72\x40\x91\xa8", b"\xc0"), {"records": True}),
    "redefinitions": (counted(0xDD, b"\xd4\x72\x40\x91\xa1a\xc0"), {"records": True}),
    "exts of one byte": (counted(0xDD, b"\xd4\x05\x00"), {}),
    "timestamps": (counted(0xDD, b"\xd6\xff\x00\x00\x00\x01"), {}),
    "a str": (lambda size: b"\xdb" + size.to_bytes(4, "big") + "é".encode() * (size // 2), {}),
    "bombs": (nested_bombs, {}),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_time_is_linear(language: str) -> None:
    """Twice the bytes take less than GROWTH times as long, as the mean over DOUBLINGS: with two
    doublings, four times the bytes take less than GROWTH² times as long; n² would be 16. The least
    time of each size counts, over at most twelve rounds, so that compilers that warm up and
    pauses of a collector do not count."""
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
            ratio = ((times[1] + FRESH_PAGES) / (times[0] + FRESH_PAGES)) ** (1 / DOUBLINGS)
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
    # A refused message has no meaningful time.
    assert ok, words
    return seconds
