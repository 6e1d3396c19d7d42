"""The reference reader and writer against every case, and the derived rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from .. import reference
from ..archive import CLASSES
from ..expansion import flat
from ..generator.verify import LARGEST, complete_and_verify, outcome, place, size, stream_parts
from ..notation import notation
from ..reference import Fault, Options
from .conftest import each
from .walk import walk


def without_trailing(case: dict) -> bool:
    return "trailing" not in case.get("options", {})


def walkable(case: dict) -> bool:
    """One whole message without a shared list; of the large ones only those with records."""
    options = case.get("options", {})
    if {"shared_structures", "trailing"} & options.keys() or not {"value", "value_ok"} & case.keys():
        return False
    return size(case) <= LARGEST or "records" in options


def one_record_message(case: dict) -> bool:
    return "value" in case and "encode" not in case


@each(*CLASSES, where=lambda case: size(case) > LARGEST and "error" in case)
def test_large_cases_report_the_stated_error(kind, case):
    """The generator does not verify cases of this size; it has verified all smaller ones."""
    complete_and_verify(kind, case)


@each("valid", "records", "hostile", where=walkable)
def test_walking_ends_where_the_message_ends(kind, case):
    data = reference.expand(case["bytes"])
    assert walk(data, records=Options.of(case.get("options")).records_on) == len(data)


@each("valid", where=without_trailing)
def test_every_prefix_is_eof_and_one_byte_more_is_trailing(kind, case):
    data = reference.expand(case["bytes"])
    few = [*range(8), len(data) // 2, len(data) - 2, len(data) - 1]
    for length in range(len(data)) if len(data) <= 300 else few:
        assert place(outcome(case, data[:length])["error"]) == {"kind": "eof", "offset": length}
    trailing = {"kind": "trailing_bytes", "offset": len(data), "path": "$"}
    assert outcome(case, data + b"\xc0") == {"error": trailing}


@each("valid", where=without_trailing)
def test_a_message_twice_is_a_stream_of_two_values(kind, case):
    data = reference.expand(case["bytes"])
    value = flat(reference.build(case["value"]))
    assert stream_parts(data * 2, Options.of(case.get("options"))) == [([value] * 2, "clean")]


@each("stream", where=lambda case: size(case) <= 200)
def test_a_cut_stream_delivers_a_prefix_of_the_values(kind, case):
    data = reference.expand(case["bytes"])
    options = Options.of(case.get("options"))

    def results(parts):
        """Values and errors in their order; the end of the bytes within a message is none."""
        found = [result for values, end in parts for result in [*values, end]]
        return found[:-1] if found[-1] == "clean" or found[-1]["kind"] == "eof" else found

    whole = results(stream_parts(data, options))
    for length in range(len(data)):
        some = stream_parts(data[:length], options)
        assert results(some) == whole[: len(results(some))]
        end = some[-1][1]
        cut = end != "clean" and place(end) == {"kind": "eof", "offset": length}
        assert cut or end == "clean" or end == whole[-1]


@each("records", where=one_record_message)
def test_every_prefix_of_a_record_is_eof(kind, case):
    data = reference.expand(case["bytes"])
    for length in range(min(len(data), 300)):
        assert place(outcome(case, data[:length])["error"]) == {"kind": "eof", "offset": length}


@each("valid", where=lambda case: size(case) <= 24)
def test_a_turned_bit_leads_to_a_value_or_a_fault(kind, case):
    data = reference.expand(case["bytes"])
    for records in (False, True):
        options = Options.of(case.get("options"), records=records)
        as_is = replace(options, float32=False)
        for bit in range(8 * len(data)):
            turned = bytearray(data)
            turned[bit // 8] ^= 1 << bit % 8
            try:
                value = reference.read(bytes(turned), options)
            except Fault:
                continue
            if options.utf8 == "error" and options.trailing == "error" and not options.ext_types:
                assert reference.read(reference.encode(value, as_is), options) == value


NOTATION = {
    "c0": "nil", "05": "5", "ff": "-1", "cd012c": "300", "cc05": "5_u8", "d005": "5_i8", "d1ffff": "-1_i16",
    "cb3ff0000000000000": "1.0", "cb8000000000000000": "-0.0", "ca3fc00000": "1.5_f32",
    "cb7ff0000000000000": "inf",
    "cb7ff8000000000000": "nan", "ca7fc00000": "nan_f32", "cbfff8000000000001": "nan(0xfff8000000000001)",
    "ca7fa00000": "nan(0x7fa00000)_f32", "a474657874": '"text"', "d90474657874": '"text"_str8',
    "c40200ff": "h'00ff'",
    "c5000200ff": "h'00ff'_bin16", "920102": "[1, 2]", "dc000101": "[1]_array16",
    "82a1610102c0": '{"a": 1, 2: nil}',
    "df00000000": "{}_map32", "d40500": "ext(5, h'00')", "c7010500": "ext(5, h'00')_ext8",
    "a1ff": "str(h'ff')",
    "d7ff77359400695735a5": 'timestamp("2026-01-02T03:04:05.5Z")',
    "d6ff00000000": 'timestamp("1970-01-01T00:00:00Z")',
    "c70cff00000001ffffffe8b7891801": "timestamp(-99999999999, 1)",
    "c704ff00000000": "ext(-1, h'00000000')_ext8",
    "a3220a7f": '"\\"\\n\\u007f"',
}  # fmt: skip


@pytest.mark.parametrize(("raw", "text"), NOTATION.items())
def test_notation_has_the_examples_of_the_specification(raw, text):
    assert notation(bytes.fromhex(raw)) == text


RECORD_NOTATION = {
    "d4724092a161a1620102": '#64["a", "b"](1, 2)', "d572640091a16101": '##100["a"](1)', "cc64": "100",
    "40": "64_fix",
    "92d4724091a161014002": '[#64["a"](1), #64(2)]', "92d572640091a16101640002": '[##100["a"](1), ##100(2)]',
    "cc05": "5_u8",
}  # fmt: skip


@pytest.mark.parametrize(("raw", "text"), RECORD_NOTATION.items())
def test_notation_of_records_has_the_examples_of_the_specification(raw, text):
    assert notation(bytes.fromhex(raw), records=True) == text
