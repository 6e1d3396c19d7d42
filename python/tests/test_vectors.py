"""Every vector of the specification, with kind, offset and path."""

from __future__ import annotations

import gc
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import vectors

import packord

Case = dict[str, Any]


def every(
    kind: str, only: Callable[[Case], bool] = lambda case: True, **wanted: bool
) -> pytest.MarkDecorator:
    """Parametrizes a test by the vectors of a class: those that ``only`` holds for, whose ext
    types Python has, and that have the named members, or do not."""
    found = vectors.cases(kind)
    for member, there in wanted.items():
        found = [(name, case) for name, case in found if (member in case) is there]
    found = [(name, case) for name, case in found if vectors.has_extensions(case) and only(case)]
    assert found, f"no vectors of class {kind}"
    return pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in found])


def sayable(case: Case) -> bool:
    """Python has the value as it is: no map as a key, no float 32, no keys that are one in a dict
    (``spec/format.md`` section 7)."""
    value = vectors.build(case["value"])
    return not vectors.unhashable(value) and vectors.sayable(value, case["value"])


def of_plain_types(case: Case) -> bool:
    """The value isn't one of those ext types that the vectors show as bytes: what they become, and
    how they are packed, ``test_values.py`` checks with Python's own types."""
    return not case["options"].get("ext_types")


def by_dicts(case: Case) -> bool:
    """Every map can be a dict: none is a key of another."""
    values = case["values"] if "values" in case else [case["value"]]
    return not any(vectors.unhashable(vectors.build(value)) for value in values)


def failure(call: Any, *arguments: Any) -> dict[str, Any]:
    """Kind, offset and path of the error that the call raises."""
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        call(*arguments)
    return vectors.place(caught.value)


def decoder(case: Case, **more: Any) -> packord.Decoder[Any]:
    options = {"records": True} if case.get("in_records") else {}
    options = {**options, **case.get("options", {})}
    return packord.Decoder(**vectors.reader_options(options), **more)


def read(case: Case, data: bytes, wanted: Any, **more: Any) -> Any:
    """The value; maps as pairs where a dict can't have their keys."""
    if vectors.unhashable(wanted):
        assert failure(decoder(case, **more).decode, data)["kind"] == "type_mismatch"
        more["object_pairs_hook"] = vectors.Pairs
    return decoder(case, **more).decode(data)


@every("valid")
def test_reads_every_valid_message(case: Case) -> None:
    data = vectors.expand(case["bytes"])
    wanted = vectors.build(case["value"])
    if case.get("options", {}).get("ext_types"):
        # What these become is tested with each type; here it is that they are well-formed.
        decoder(case).decode(data)
        return
    assert vectors.same(read(case, data, wanted), wanted)


@every("valid", only=sayable, options=False)
def test_writes_every_valid_message(case: Case) -> None:
    data = vectors.expand(case["bytes"])
    value = vectors.plain(vectors.build(case["value"]))
    written = packord.Encoder().encode(value)
    assert (written == data) is case["default"]
    canonical = case["canonical"]
    encoder = packord.Encoder(canonical=True)
    if isinstance(canonical, dict):
        with pytest.raises(packord.MsgpackEncodeError) as caught:
            encoder.encode(value)
        assert caught.value.kind == canonical["kind"]
    elif canonical:
        assert encoder.encode(value) == (data if canonical is True else bytes.fromhex(canonical))
    strict = packord.Decoder(canonical=True)
    if canonical is True:
        strict.decode(data)
    else:
        assert failure(strict.decode, data)["kind"] in ("not_canonical", "duplicate_key")


@every("valid", only=of_plain_types, options=True)
def test_writes_every_valid_message_with_its_options(case: Case) -> None:
    value = vectors.plain(vectors.build(case["value"]))
    encoder = packord.Encoder(**vectors.writer_options(case["options"]))
    assert (encoder.encode(value) == vectors.expand(case["bytes"])) is case["default"]


@every("invalid")
def test_refuses_every_invalid_message(case: Case) -> None:
    data = vectors.expand(case["bytes"])
    error = failure(decoder(case).decode, data)
    if error["kind"] == "type_mismatch":
        # A map as a key, which no dict can have, comes before the fault of the vector.
        assert error["offset"] < case["error"]["offset"]
        return
    assert error == case["error"]


@every("hostile")
def test_reads_or_refuses_every_hostile_message(case: Case) -> None:
    data = vectors.expand(case["bytes"])
    reader = decoder(case)
    peak = PeakMemory(exact=len(data) < 500_000)
    with peak:
        if "error" in case:
            # Without a path: it can be long.
            error = failure(reader.decode, data)
            assert {"kind": error["kind"], "offset": error["offset"]} == case["error"]
        else:
            # Kept until the memory has been looked at.
            peak.value = reader.decode(data)
    assert peak.bytes <= case.get("factor", 128) * len(data) + 1_000_000


class PeakMemory:
    """The memory that a block takes: to the byte, or by the pages of the process, which is
    quicker."""

    value: Any = None

    def __init__(self, *, exact: bool) -> None:
        self.exact = exact
        self.bytes = 0

    def __enter__(self) -> None:
        if self.exact:
            tracemalloc.start()
        else:
            gc.collect()
            self.before = resident_bytes()

    def __exit__(self, *_: object) -> None:
        if self.exact:
            self.bytes = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        else:
            self.bytes = resident_bytes() - self.before
        self.value = None


def resident_bytes() -> int:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("needs /proc to measure memory")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@every("records", encode=False, steps=True)
def test_records_after_errors(case: Case) -> None:
    reader = decoder({**case, "in_records": True})
    for step in case["steps"]:
        data = vectors.expand(step["bytes"])
        if "error" in step:
            assert failure(reader.decode, data) == step["error"]
        else:
            assert vectors.same(reader.decode(data), vectors.build(step["value"]))


@every("records", encode=True, steps=True)
def test_records_written_after_errors(case: Case) -> None:
    encoder = packord.Encoder(**vectors.writer_options({"records": True, **case["options"]}))
    for step in case["steps"]:
        value = vectors.plain(vectors.build(step["value"]))
        if "error" in step:
            with pytest.raises(packord.MsgpackEncodeError) as caught:
                encoder.encode(value)
            assert caught.value.kind == step["error"]["kind"]
        else:
            assert encoder.encode(value) == vectors.expand(step["bytes"])
    if "shared_after" in case:
        assert encoder.structures == case["shared_after"]


@every("records", encode=False, steps=False)
def test_reads_every_record(case: Case) -> None:
    data = vectors.expand(case["bytes"])
    case = {**case, "in_records": True}
    if "error" in case:
        assert failure(decoder(case).decode, data) == case["error"]
    elif "values" in case:
        options = {"records": True, **case.get("options", {})}
        unpacker = packord.Unpacker(**vectors.reader_options(options))
        unpacker.feed(data)
        assert vectors.same(list(unpacker), vectors.build({"array": case["values"]}))
    else:
        wanted = vectors.build(case["value"])
        assert vectors.same(read(case, data, wanted), wanted)


@every("records", only=by_dicts, encode=True, steps=False)
def test_writes_every_record(case: Case) -> None:
    options = {"records": True, **case.get("options", {})}
    encoder = packord.Encoder(**vectors.writer_options(options))
    values = case["values"] if "values" in case else [case["value"]]
    built = [vectors.plain(vectors.build(value)) for value in values]
    assert b"".join(map(encoder.encode, built)) == vectors.expand(case["bytes"])
    if "shared_after" in case:
        assert encoder.structures == case["shared_after"]


@every("stream")
@pytest.mark.parametrize("pieces", [1, 2, 3, 7, 4096, 10**9])
def test_reads_every_stream_in_pieces(case: Case, pieces: int) -> None:
    data = vectors.expand(case["bytes"])
    # Pieces of the size given, or larger where that would make too many of them.
    size = max(pieces, len(data) // 20_000)
    options = vectors.reader_options(case.get("options", {}))
    wanted = [case, *case.get("then", [])]
    if any(vectors.unhashable(vectors.build({"array": part["values"]})) for part in wanted):
        options["object_pairs_hook"] = vectors.Pairs
    parts = stream_parts(packord.Unpacker(**options), data, size)
    assert [end for _, end in parts] == [part["end"] for part in wanted]
    for (values, _), part in zip(parts, wanted, strict=True):
        assert vectors.same(values, vectors.build({"array": part["values"]}))


def stream_parts(
    unpacker: packord.Unpacker[Any], data: bytes, size: int
) -> list[tuple[list[Any], Any]]:
    """The values of a stream up to each error, with that error, and the last ones with how it ends."""
    parts: list[tuple[list[Any], Any]] = []
    values: list[Any] = []
    for start in range(0, len(data), size):
        unpacker.feed(data[start : start + size])
        while True:
            try:
                values += unpacker
                break
            except packord.MsgpackDecodeError as error:
                end = vectors.place(error)
            if parts and not values and parts[-1][1] == end:
                # The same error again: the stream has ended, and refuses bytes.
                assert failure(unpacker.feed, b"\x01") == end
                assert failure(unpacker.finish) == end
                return parts
            parts.append((values, end))
            values = []
    try:
        unpacker.finish()
    except packord.MsgpackDecodeError as error:
        return [*parts, (values, vectors.place(error))]
    return [*parts, (values, "clean")]
