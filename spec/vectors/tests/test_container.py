"""The derived rules of container files with the reference reader, and its codecs beside libraries."""

from __future__ import annotations

import doctest
import re
import zlib
from collections.abc import Iterator

import pytest
import zstandard

from .. import container_codecs, container_stats, reference
from ..container_file import ContainerFile, Outcome
from ..container_writer import ContainerWriter, WriterOptions
from ..expansion import flat
from ..generator import container_frames as frames
from ..generator import container_verify
from ..generator.container_verify import opened
from ..options import Fault
from .conftest import ROOT, cases, each


def derived(case: dict) -> bool:
    return "ends" in case


def small(case: dict) -> bool:
    """A file that is short enough to try something at each of its bytes."""
    whole = derived(case) and "write" not in case
    return whole and isinstance(case["bytes"], str) and len(case["bytes"]) <= 500


def rows_of(case: dict) -> list:
    return [flat(row) for row in container_verify.rows_of(case)]


def returned(outcome: Outcome) -> list:
    return [flat(row) for row in outcome.rows]


def counts(file: ContainerFile, case: dict) -> list[int]:
    """How many rows there are up to the end of each block."""
    total, found = 0, []
    for mark, *_ in case["blocks"]:
        total += file.block(mark).count
        found.append(total)
    return found


@each("container", where=small)
def test_a_cut_file_has_the_whole_blocks_and_then_eof(kind, case):
    data = reference.expand(case["bytes"])
    rows = rows_of(case)
    totals = counts(opened(case, data), case)
    for length in range(len(data)):
        eof = {"kind": "eof", "offset": length}
        if length < case["ends"][0]:
            with pytest.raises(Fault) as caught:
                opened(case, data[:length])
            assert caught.value.described() == eof
            continue
        outcome = opened(case, data[:length]).sequential()
        whole = sum(block[-1] <= length for block in case["blocks"])
        assert returned(outcome) == rows[: totals[whole - 1] if whole else 0]
        assert outcome.end == ("clean" if length in case["ends"] else eof)


@each("container", where=small)
def test_a_changed_byte_of_data_is_found(kind, case):
    data = reference.expand(case["bytes"])
    rows = rows_of(case)
    totals = [0, *counts(opened(case, data), case)]
    for number, (mark, array, begins, ends, end) in enumerate(case["blocks"]):
        for place in range(begins, ends):
            changed = bytearray(data)
            changed[place] ^= 1 << place % 8
            file = opened(case, bytes(changed))
            error = {"kind": "invalid_container", "offset": array}
            outcome = file.sequential()
            assert (returned(outcome), outcome.end) == (rows[: totals[number]], error)
            others = rows[: totals[number]] + rows[totals[number + 1] :]
            for skipping in [file.sequential(skip=True), *([file.indexed(skip=True)] if file.index else [])]:
                assert (returned(skipping), skipping.end) == (others, "clean")
                assert skipping.ranges == [[mark, end, error]]


@each("container", where=small)
def test_two_splits_have_every_row_once(kind, case):
    data = reference.expand(case["bytes"])
    file = opened(case, data)
    rows = rows_of(case)
    for cut in range(len(data) + 1):
        parts = [(0, cut), (cut, len(data))]
        for read in [file.sequential, *([file.indexed] if file.index else [])]:
            outcomes = [read(part) for part in parts]
            assert [row for outcome in outcomes for row in returned(outcome)] == rows
            assert all(outcome.end == "clean" for outcome in outcomes)


@each("container", where=derived)
def test_a_file_is_a_stream_of_plain_messagepack(kind, case):
    data = reference.expand(case["bytes"])
    reader = reference.Reader(data, reference.Options(), stream=True)
    places = set()
    while reader.pos < len(data):
        reader.message()
        places.add(reader.pos)
    assert set(case["ends"]) <= places


def flipped(data: bytes, begins: int, ends: int) -> Iterator[bytes]:
    """The file with each bit of a part turned."""
    for place in range(begins, ends):
        for bit in range(8):
            changed = bytearray(data)
            changed[place] ^= 1 << bit
            yield bytes(changed)


@each("container", where=small)
def test_a_changed_bit_of_the_header_is_found(kind, case):
    data = reference.expand(case["bytes"])
    for changed in flipped(data, 0, case["ends"][0]):
        with pytest.raises(Fault):
            opened(case, changed)


@each("container", where=lambda case: small(case) and case["index"] is not None)
def test_a_changed_bit_of_the_index_loses_no_row(kind, case):
    data = reference.expand(case["bytes"])
    rows = rows_of(case)
    for changed in flipped(data, case["index"]["mark"], len(data)):
        file = opened(case, changed)
        assert file.index is None
        assert returned(file.sequential()) == rows


def blocks_first(case: dict) -> bool:
    """A small file in which no index comes before a block."""
    ends = [block[-1] for block in case["blocks"]] if small(case) else None
    return ends is not None and len(case["bytes"]) <= 300 and case["ends"][1 : len(ends) + 1] == ends


@each("container", where=blocks_first)
def test_a_changed_bit_anywhere_loses_no_row_without_a_fault(kind, case):
    data = reference.expand(case["bytes"])
    rows = rows_of(case)
    for changed in flipped(data, case["ends"][0], len(data)):
        file = opened(case, changed)
        for outcome in [file.sequential(), *([file.indexed()] if file.index else [])]:
            assert len(returned(outcome)) == len(rows) or outcome.end != "clean"


def test_the_example_of_the_specification_is_a_case():
    page = (ROOT.parent / "container.md").read_text("utf-8")
    lines = re.findall(r"^[0-9a-f]{2}  ([0-9a-f ]+)$", page, re.MULTILINE)
    (case,) = (case for case in cases("container") if case["name"] == "the example of the specification")
    whole = bytes.fromhex("".join(lines))
    writer = ContainerWriter(WriterOptions())
    for number in ("1", "2", "3"):
        writer.write({"int": number})
    assert whole == reference.expand(case["bytes"]) == writer.finish()


KNOWN = container_codecs.KNOWN


@pytest.mark.parametrize("data", KNOWN, ids=range(len(KNOWN)))
def test_known_frames_are_what_a_library_unpacks(data):
    assert zstandard.ZstdDecompressor().decompressobj().decompress(data) == KNOWN[data]


def test_frames_that_are_built_by_hand_are_what_libraries_unpack():
    body = frames.BODY
    checked = frames.zstd((0, body, len(body)), (1, b"\7", 100), announced=len(body) + 100, checked=True)
    assert zstandard.ZstdDecompressor().decompress(checked) == body + b"\7" * 100
    assert zstandard.ZstdDecompressor().decompressobj().decompress(frames.stored(body)) == body
    assert zlib.decompress(frames.DEFLATE, -15) == zlib.decompress(frames.deflate_stored(body), -15) == body


@pytest.mark.parametrize("module", [container_codecs, container_stats], ids=lambda module: module.__name__)
def test_examples_of_the_reference_run(module):
    assert doctest.testmod(module).failed == 0
