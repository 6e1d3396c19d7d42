"""Values that are stored by column: the vectors of the specification, types, streams, and the options."""

from __future__ import annotations

import functools
import io
from dataclasses import dataclass
from typing import Any

import pytest
import vectors
from hypothesis import given
from hypothesis import strategies as st

import packord

Case = dict[str, Any]
COLUMNS: dict[str, Any] = {"columns": True}


def every(*, encode: bool) -> pytest.MarkDecorator:
    found = [
        (name, case)
        for name, case in vectors.cases("columns")
        if case.get("encode", False) is encode
    ]
    assert len(found) > 100
    return pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in found])


def outcome(call: Any, *arguments: Any) -> Any:
    """The value, or kind, offset and path of the error."""
    try:
        return call(*arguments)
    except packord.MsgpackDecodeError as error:
        return vectors.place(error)


@every(encode=False)
def test_reads_or_refuses_every_vector(case: Case) -> None:
    data = vectors.expand(case["bytes"])
    keywords = vectors.reader_options(case["options"])
    wanted = case.get("error")
    if wanted is None:
        wanted = vectors.build(case["value"])
        if vectors.unhashable(wanted):
            keywords["object_pairs_hook"] = vectors.Pairs
    if case["options"].get("ext_types") and "error" not in case:
        # The types of Python that these ext types become, as outside of columns.
        wanted = packord.Decoder(**{**keywords, "columns": False}).decode(
            packord.packb(vectors.plain(wanted))
        )
    decoder: packord.Decoder[Any] = packord.Decoder(**keywords)
    unpacker: packord.Unpacker[Any] = packord.Unpacker(io.BytesIO(data), read_size=7, **keywords)
    typed: packord.Decoder[Any] = packord.Decoder(Any, **keywords)
    for read in (
        lambda: decoder.decode(data),
        lambda: typed.decode(data),
        lambda: unpacker.unpack(),
    ):
        found = outcome(read)
        assert found == wanted if "error" in case else vectors.same(found, wanted)


@every(encode=True)
def test_writes_every_vector(case: Case) -> None:
    options = dict(case["options"])
    if "shared_structures" in options:
        options["structures"] = options.pop("shared_structures")
    if {"max_own_structures", "structures"} & options.keys():
        # Columns are not written beside these, and this is an error.
        with pytest.raises(ValueError, match="columns"):
            packord.Encoder(**options)
        return
    encoder = packord.Encoder(**options)
    plain = vectors.expand(case["plain"])
    assert encoder.encode(packord.Fragment(plain)) == vectors.expand(case["bytes"])


@dataclass
class Row:
    id: int
    name: str
    at: float | None


ROWS = [Row(i, f"row {i % 7}", None if i % 5 == 0 else i / 8) for i in range(300)]


def test_classes_are_written_and_read_by_column() -> None:
    data = packord.packb(ROWS, **COLUMNS)
    assert len(data) < len(packord.packb(ROWS)) / 8
    assert packord.unpackb(data, type=list[Row], columns=True) == ROWS
    plain = [{"id": row.id, "name": row.name, "at": row.at} for row in ROWS]
    assert packord.unpackb(data, **COLUMNS) == plain
    assert packord.packb(plain, **COLUMNS) == data
    assert packord.unpackb(packord.packb({"rows": plain}, **COLUMNS), **COLUMNS) == {"rows": plain}


def test_without_the_option_they_are_an_ext() -> None:
    data = packord.packb(ROWS, **COLUMNS)
    ext = packord.unpackb(data)
    assert isinstance(ext, packord.Ext) and ext.type == 92
    assert packord.packb(ext) == data
    assert packord.unpackb(data, ext_hook=lambda code, payload: (code, len(payload)))[0] == 92


def test_a_value_that_does_not_fit_a_type_is_reported_at_the_ext() -> None:
    data = packord.packb([1, ROWS], **COLUMNS)
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.unpackb(data, type=tuple[int, list[str]], columns=True)
    error = caught.value
    assert (error.kind, error.offset, error.path) == ("type_mismatch", 2, "$[1]")


def test_hooks_see_the_values_and_a_failing_one_is_a_fault_of_the_ext() -> None:
    rows = [{"n": i, "e": packord.Ext(5, bytes([i]))} for i in range(200)]
    data = packord.packb(rows, **COLUMNS)
    assert len(data) < 1000
    read = packord.unpackb(data, ext_hook=lambda code, payload: (code, payload[0]), **COLUMNS)
    assert read[7] == {"n": 7, "e": (5, 7)}

    def fails(code: int, payload: bytes) -> Any:
        raise LookupError("no")

    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.unpackb(data, ext_hook=fails, **COLUMNS)
    assert (caught.value.kind, caught.value.offset) == ("invalid_ext", 0)
    assert isinstance(caught.value.__cause__, LookupError)


def test_limits() -> None:
    data = packord.packb([0] * 100_000, **COLUMNS)
    # Filler keeps the payload within the default.
    assert len(packord.unpackb(data, columns=True)) == 100_000
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.unpackb(data, columns=True, max_expansion=1)
    assert (caught.value.kind, caught.value.offset) == ("length_limit", 0)


def test_a_size_that_is_only_announced_is_not_allocated() -> None:
    # 2^62 bytes when written plainly, of which no value is there.
    payload = bytes.fromhex("01 cf4000000000000000 03 01 01 00 00")
    data = bytes([0xC7, len(payload), 92]) + payload
    typed: Any = functools.partial(packord.unpackb, type=list[int])
    for read in (packord.unpackb, typed):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            read(data, columns=True, max_expansion=2**60)
        assert (caught.value.kind, caught.value.offset) == ("invalid_ext", 0)


def test_records_beside_columns_and_canonical_without() -> None:
    value = {"rows": [{"id": i, "x": i / 4} for i in range(100)], "few": [{"a": 1}, {"a": 2}]}
    data = packord.packb(value, records=True, **COLUMNS)
    assert data[0] == 0xD4 and b"\xd4r" in data[1:]
    assert packord.unpackb(data, records=True, **COLUMNS) == value
    canonical: dict[str, Any] = {**COLUMNS, "canonical": True}
    assert packord.packb(value, **canonical) == packord.packb(value, canonical=True)
    with pytest.raises(ValueError, match="columns"):
        packord.Encoder(columns=True, records=True, sequential=True)


@pytest.mark.parametrize("count", [1, 2, 7, 40, 300])
def test_records_beside_columns_may_be_longer_than_maps(count: int) -> None:
    """Structures that are used once take more bytes than maps."""
    rows = [{f"{i}": i, "n": None} for i in range(count)]
    both: dict[str, Any] = {**COLUMNS, "records": True}
    data = packord.packb(rows, **both)
    assert packord.unpackb(data, **both) == rows
    assert count > 40 or len(data) > len(packord.packb(rows))


CELLS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=12)
)
TABLES = st.lists(
    st.dictionaries(st.sampled_from("abcde"), CELLS, max_size=4), min_size=8, max_size=60
)


@given(TABLES)
def test_tables_are_read_back(table: list[Any]) -> None:
    table = table * 8
    encoder = packord.Encoder(columns=True)
    assert packord.unpackb(encoder.encode(table), columns=True) == table
