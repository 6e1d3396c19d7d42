"""Records through the classes: state across calls, and after errors."""

from __future__ import annotations

from typing import Any

import pytest

import packord

ROWS = [{"id": i, "name": "n", "in": {"x": i}} for i in range(5)]


def test_shared_structures_on_both_sides() -> None:
    encoder = packord.Encoder(structures=[])
    decoder = packord.Decoder(structures=[])
    for row in ROWS:
        data = encoder.encode(row)
        decoder.structures = encoder.structures or []
        assert decoder.decode(data) == row
        assert b"name" not in data
    assert encoder.structures == [["id", "name", "in"], ["x"]] == decoder.structures


def test_a_failed_message_leaves_nothing() -> None:
    encoder = packord.Encoder(structures=[])
    with pytest.raises(packord.MsgpackEncodeError):
        encoder.encode({"a": 1, "b": object()})
    assert encoder.structures == []
    sequential = packord.Packer(records=True, sequential=True)
    first = sequential.pack({"a": 1})
    with pytest.raises(packord.MsgpackEncodeError):
        sequential.pack([{"b": 1}, object()])
    assert sequential.pack({"b": 2}) == b"\xd4\x72\x41\x91\xa1b\x02"
    decoder = packord.Decoder(records=True, sequential=True)
    assert decoder.decode(first) == {"a": 1}
    with pytest.raises(packord.MsgpackDecodeError):
        decoder.decode(b"\x92\xd4\x72\x41\x91\xa1z\x01\xc1")
    # 0x41 is not defined: the integer; 0x40 still is.
    assert decoder.decode(b"\x41") == 0x41
    assert decoder.decode(b"\x40\x07") == {"a": 7}


@pytest.mark.parametrize("option", [{}, {"records": True}])
def test_integers_that_look_like_ids(option: Any) -> None:
    values = [{"a": i} for i in range(60, 130)]
    assert packord.unpackb(packord.packb(values, **option), **option) == values


def test_maps_that_are_not_written_as_records() -> None:
    value = {str(i): i for i in range(1025)}
    assert packord.packb(value, records=True)[0] == 0xDE
    option: dict[str, Any] = {"records": True}
    mixed: Any = {1: 2, "a": 3}
    assert packord.packb(mixed, **option) == b"\x82\x01\x02\xa1a\x03"


def test_fragments_and_records() -> None:
    fragment = packord.Fragment(packord.packb({"n": 100, "m": [64]}))
    data = packord.packb([fragment, 100], records=True)
    assert packord.unpackb(data, records=True) == [{"n": 100, "m": [64]}, 100]


def test_refuses_wrong_settings() -> None:
    for wrong in (
        {"structures": [[1]]},
        {"structures": [], "max_shared_structures": 9000},
        {"max_depth": 5000},
        {"max_depth": -1},
    ):
        with pytest.raises((TypeError, ValueError)):
            packord.Encoder(**wrong)


def test_refuses_an_ext_that_would_define_a_record() -> None:
    encoder = packord.Encoder(records=True)
    with pytest.raises(packord.MsgpackEncodeError) as caught:
        encoder.encode([1, {"a": packord.Ext(0x72, b"\x40")}])
    assert (caught.value.kind, caught.value.path) == ("unsupported_type", "$[1].a")
    assert packord.packb(packord.Ext(0x72, b"\x40")) == b"\xd4\x72\x40"
