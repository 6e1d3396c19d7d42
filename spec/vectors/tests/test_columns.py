"""What the reference writer of columns makes is what the page says, and the reference reader reads it."""

from __future__ import annotations

import random
import re
import struct
from itertools import pairwise

import pytest

from .. import reference
from ..columnar import BYTES, FLOAT, INT, MODES, TYPE, UNION, Node, Payload, inner, sections_of_keys
from ..columnar_writer import ColumnsWriter
from ..expansion import flat
from ..options import Options
from .conftest import ROOT, cases, each


def written(case: dict) -> bool:
    return "encode" in case


def payloads(data: bytes) -> list[bytes]:
    """The payloads of a message without records."""
    found = []
    for begin, end, _ in inner(data, 0):
        if 0xC7 <= data[begin] <= 0xC9:
            first = begin + 2 + (1 << (data[begin] - 0xC7))
            if data[first - 1] == TYPE and data[first] == 1:
                found.append(data[first:end])
    return found


def nodes_of(case: dict) -> list[Node]:
    """All nodes of all payloads that a case writes."""
    found = payloads(reference.expand(case["bytes"]))
    return [node for payload in found for node in Payload(payload).open().all()]


def without_records(case: dict) -> bool:
    return written(case) and "records" not in case["options"]


@each("columns", where=without_records)
def test_each_payload_stands_for_bytes_of_the_plain_message(kind, case):
    plain = reference.expand(case["plain"])
    data = reference.expand(case["bytes"])
    for payload in map(Payload, payloads(data)):
        value = payload.expand()
        assert len(value) == payload.plain_size
        assert value in plain
    assert len(data) < len(plain) if payloads(data) else data == plain


@each("columns", where=written)
def test_a_written_message_is_read_as_the_plain_one(kind, case):
    options = Options.of(case["options"], shared_structures=case.get("shared_after"))
    value = reference.read(reference.expand(case["bytes"]), options)
    assert flat(value) == flat(reference.read(reference.expand(case["plain"])))
    assert reference.encode(value) == reference.expand(case["plain"])


def test_values_within_ext_payloads_do_not_count_for_the_depth_of_a_payload():
    sets = [{"ext": [86, f"9292{i:02x}91{i:02x}c0"]} for i in range(40)]
    value = {"array": [{"map": [[{"str": "set"}, one]]} for one in sets]}
    message = ColumnsWriter(Options(columns=True)).message(value)
    assert len(payloads(message)) == 1
    for max_depth in (1024, 6):
        options = Options(columns=True, ext_types=[86], max_depth=max_depth)
        assert reference.read(message, options) == value
    with pytest.raises(reference.Fault, match="invalid_ext"):
        reference.read(message, Options(columns=True, ext_types=[86], max_depth=5))


def test_every_kind_mode_and_element_is_written():
    nodes = [node for case in cases("columns") if without_records(case) for node in nodes_of(case)]
    kinds = {(kind, mode) for kind in range(UNION + 1) for mode in MODES.get(kind, (0,))}
    assert {FLOAT, BYTES} == MODES.keys()
    assert {(node.kind, node.mode) for node in nodes} == kinds
    assert {node.form & 15 for node in nodes if node.kind == INT} == set(range(6))


@each("columns", where=without_records)
def test_the_columns_of_a_table_are_read_one_by_one(kind, case):
    for payload in payloads(reference.expand(case["bytes"])):
        sections = sections_of_keys(payload)
        # Large tables take the reference a while for each key.
        if sections is None or len(sections) > 16:
            continue
        assert all(before.end == after.begin for before, after in pairwise(sections))
        rows = reference.read(Payload(payload).expand())["array"]
        for key, begin, end in sections:
            # Only what belongs to no key, and the sections of the key.
            alone = bytearray(len(payload))
            alone[: sections[0].begin] = payload[: sections[0].begin]
            alone[begin:end] = payload[begin:end]
            found = reference.read(Payload(bytes(alone)).expand({key}))["array"]
            name = {"str": key.decode()}
            kept = [{"map": [entry for entry in row["map"] if entry[0] == name]} for row in rows]
            assert flat(found) == flat(kept), name


PAGE = (ROOT.parent / "columns.md").read_text("utf-8")


def test_the_small_examples_of_the_specification_are_cases():
    found = re.findall(r"^\| (?:`|32 times).*? \| ((?:`[0-9a-f ]+` ?)+)\|$", PAGE, re.MULTILINE)
    assert len(found) > 4
    known = {reference.expand(case["bytes"]) for case in cases("columns")}
    for example in found:
        assert bytes.fromhex(example.replace("`", "")) in known, example


def test_the_table_of_the_specification_has_the_bytes_of_its_example():
    lines = re.findall(r"^[0-9a-f]{2}  ((?:[0-9a-f]{2}| (?! ))+)", PAGE, re.MULTILINE)
    (case,) = (case for case in cases("columns") if case["name"] == "the example of the specification")
    assert bytes.fromhex("".join(lines)) == reference.expand(case["bytes"])


class Tables:
    """Tables of a random form."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def table(self) -> dict:
        columns = [self.column() for _ in range(self.random.randrange(1, 6))]
        optional = self.random.choice((0.0, 0.0, 0.3))
        rows = []
        for _ in range(self.random.choice((8, 15, 16, 40, 100))):
            cells = [[{"str": f"key{i}"}, column()] for i, column in enumerate(columns)]
            rows.append({"map": [cell for cell in cells if self.random.random() >= optional]})
        return {"array": rows}

    def column(self, depth: int = 0):
        pick = self.random.choice
        low, high = pick(((0, 1), (0, 200), (-9, 70000), (10**9, 10**9 + 9), (-(2**63), 2**64 - 1)))
        numbers = lambda: {"int": str(self.random.randint(low, high))}  # noqa: E731
        scale = pick((1, 100, 7))
        floats = lambda: {"f64": struct.pack(">d", self.random.randrange(10**6) / scale).hex()}  # noqa: E731
        few = [numbers() for _ in range(3)]
        kinds = [
            numbers,
            floats,
            lambda: pick(few),
            lambda: pick((None, True, False)),
            lambda: {"f32": struct.pack(">f", self.random.random()).hex()},
            lambda: {"str": "x" * self.random.randrange(9) + pick(("", "é", "\0"))},
            lambda: {"bin": self.random.randbytes(6).hex()},
            lambda: {"ext": [pick((5, 0x72)), self.random.randbytes(3).hex()]},
            lambda: {"timestamp": [str(self.random.randrange(-9, 10**9)), pick((0, 5000000))]},
        ]
        found = pick(kinds)
        if depth < 2 and self.random.random() < 0.4:
            inner = [self.column(depth + 1) for _ in range(self.random.randrange(1, 4))]
            sizes = pick(((1,), (2,), (0, 1, 5)))
            return pick((
                lambda: pick(inner)(),
                lambda: {"array": [cell() for cell in inner]},
                lambda: {"array": [inner[0]() for _ in range(pick(sizes))]},
                lambda: {"map": [[{"str": "abc"[i]}, cell()] for i, cell in enumerate(inner)]},
            ))  # fmt: skip
        return found


def test_random_tables_are_read_as_they_were():
    taken = 0
    for seed in range(300):
        value = Tables(seed).table()
        plain = reference.encode(value)
        options = Options(columns=True)
        data = ColumnsWriter(options).message(value)
        taken += data != plain
        assert reference.encode(reference.read(data, options)) == plain, seed
    assert taken > 150
