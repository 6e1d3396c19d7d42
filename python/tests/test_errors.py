"""The words of errors, as `spec/errors.md` has them."""

from __future__ import annotations

import dataclasses
import datetime
import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from vectors import cases, expand

import packord
from packord.container import Reader

SPEC = Path(__file__).parent / "linked" / "errors.md"
ROW = re.compile(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", re.MULTILINE)
DESCRIPTIONS = {kind: text.strip() for kind, text in ROW.findall(SPEC.read_text(encoding="utf-8"))}


def decode(data: bytes, **options: Any) -> packord.MsgpackDecodeError:
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.Decoder(options.pop("type", Any), **options).decode(data)
    return caught.value


def read_file(data: bytes) -> packord.MsgpackDecodeError:
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        Reader(data)
    return caught.value


def encode(value: Any, **options: Any) -> packord.MsgpackEncodeError:
    with pytest.raises(packord.MsgpackEncodeError) as caught:
        packord.Encoder(**options).encode(value)
    return caught.value


def cycle() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


PRINTED: dict[str, Any] = {
    "eof": lambda: decode(b"\x92\x01"),
    "reserved_marker": lambda: decode(b"\x91\xc1"),
    "invalid_utf8": lambda: decode(b"\xa1\xff"),
    "trailing_bytes": lambda: decode(b"\x01\x02"),
    "depth_limit": lambda: decode(b"\x91\x91\x01", max_depth=1),
    "length_limit": lambda: decode(b"\xa3abc", max_str_len=2),
    "duplicate_key": lambda: decode(b"\x82\xa1a\x01\xa1a\x02", duplicate_key="error"),
    "invalid_timestamp": lambda: decode(b"\xd4\xff\x00"),
    "invalid_ext": lambda: decode(b"\xc7\x00\x42", bigint=True),
    "invalid_container": lambda: read_file(b"PAR1 and so on"),
    "unknown_ext": lambda: decode(b"\xd4\x05\x00", unknown_ext="error"),
    "record_undefined": lambda: decode(b"\x40", records=True, undefined_record="error"),
    "record_malformed": lambda: decode(b"\xd4\x72\x00\x90", records=True),
    "type_mismatch": lambda: decode(b"\xa1a", type=int),
    "out_of_range": lambda: decode(packord.packb(2**53 + 1), type=float),
    "unsupported_type": lambda: encode({"a": object()}, records=True),
    "cycle": lambda: encode(cycle()),
    "not_canonical": lambda: decode(b"\xcc\x01", canonical=True),
}


@pytest.mark.parametrize("kind", DESCRIPTIONS)
def test_prints_the_description_of_the_specification(kind: str) -> None:
    error = PRINTED[kind]()
    assert error.kind == kind
    assert (error.path is None) == (kind == "invalid_container")
    place = f" at byte {error.offset}" if error.offset is not None else ""
    path = f" ({error.path})" if place and error.path else f" at {error.path}" if error.path else ""
    assert re.fullmatch(
        re.escape(f"{kind}{place}{path}: {DESCRIPTIONS[kind]}") + "(: .+)?", str(error)
    )


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            lambda: decode(b"\x81\xa1a\xa1\xff"),
            "invalid_utf8 at byte 4 ($.a): str is not valid UTF-8",
        ),
        (
            lambda: decode(b"\xa3abc", max_str_len=2),
            "length_limit at byte 0 ($): value exceeds a length limit: max_str_len is 2",
        ),
        (
            lambda: decode(b"\x91\xd6\xff\x00\x00\x00\x00", type=list[int]),
            "type_mismatch at byte 1 ($[0]): value has an unexpected type: expected an integer, found timestamp",
        ),
        (
            lambda: decode(b"\x81\x01\x02", type=dict[str, Any]),
            "type_mismatch at byte 1 ($): value has an unexpected type: expected a str, found integer",
        ),
        (
            lambda: decode(b"\xcf\x00\x20\x00\x00\x00\x00\x00\x01", type=float),
            "out_of_range at byte 0 ($): number is out of range: 9007199254740993 does not fit float",
        ),
        (lambda: read_file(b""), "eof at byte 0: input ends before the message does"),
        (lambda: encode(cycle()), "cycle at $[0]: container contains itself"),
        (
            lambda: encode(["\ud800"]),
            "invalid_utf8 at $[0]: str is not valid UTF-8: it contains surrogates",
        ),
    ],
)
def test_prints_place_description_and_detail(error: Any, text: str) -> None:
    assert str(error()) == text


@pytest.mark.parametrize("key", ["k" * 1_000_000, "ü" * 500_000])
def test_cuts_the_path_of_a_long_key_at_256_bytes(key: str) -> None:
    path = decode(packord.packb({key: None})[:-1] + b"\xc1").path
    assert path is not None and path.endswith("…")
    assert len(path[:-1].encode()) in (255, 256)
    for error in (
        decode(packord.packb({key: None})[:-1] + b"\xc1"),
        encode({key: object()}),
    ):
        assert error.path == path
        assert path in str(error) and len(str(error)) < 400


def test_cuts_a_path_of_many_steps_at_256_bytes() -> None:
    path = decode(b"\x91" * 1000 + b"\xc1").path
    assert path == "$" + "[0]" * 85 + "…"


def test_a_path_of_256_bytes_is_whole() -> None:
    key = "k" * 254
    assert decode(packord.packb({key: None})[:-1] + b"\xc1").path == f"$.{key}"


def test_keys_that_are_floats_have_the_digits_and_exponents_of_the_notation() -> None:
    floats = [case for name, case in cases("valid") if name.startswith("floats/")]
    assert len(floats) >= 50
    for case in floats:
        data = b"\x81" + expand(case["bytes"]) + b"\xc1"
        assert decode(data).path == f"$[key {case['notation']}]"


@pytest.mark.parametrize(
    "error",
    [
        # {"a": {[0, <c1>]: nil}}
        lambda: decode(b"\x81\xa1a\x81\x92\x00\xc1\xc0"),
        lambda: decode(b"\x81\xa1a\x81\x92\x00\xc1\xc0", duplicate_key="error"),
        lambda: decode(
            b"\x81\xa1a\x81\x92\x00\xc1\xc0", type=dict[str, dict[tuple[int, int], None]]
        ),
        # {"a": {{"b": <c1>}: nil}}
        lambda: decode(b"\x81\xa1a\x81\x81\xa1b\xc1\xc0"),
        lambda: encode({"a": {(0, "\ud800"): None}}),
        lambda: encode({"a": {(0, ("\ud800",)): None}}, canonical=True),
    ],
    ids=["array", "duplicate_key", "typed", "map", "written", "canonical"],
)
def test_a_fault_within_a_key_has_the_path_of_the_map(error: Any) -> None:
    assert error().path == "$.a"


@pytest.mark.parametrize(
    ("look", "path"),
    [
        (lambda view: view["a"][1], "$.a[1]"),
        (lambda view: view["a"].unpack(), "$.a[1]"),
        (lambda view: view["b"][0].unpack(), "$.b[0].c"),
        (lambda view: view.get("b", 0, "c"), "$.b[0].c"),
        (lambda view: view["b"][0].packed(), "$.b[0].c"),
    ],
)
def test_errors_of_views_have_the_path_within_the_message(look: Any, path: str) -> None:
    data = b"\x82\xa1a\x92\x01\xa1\xff\xa1b\x91\x81\xa1c\xc1"
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        look(packord.View(data))
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (
            datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc),
            'timestamp("2026-01-02T00:00:00Z")',
        ),
        (packord.Timestamp(-(2**40), 1), "timestamp(-1099511627776, 1)"),
        (packord.Ext(5, b"\x07"), "ext(5, h'07')"),
        (uuid.UUID(int=7), f"ext(85, h'{7:032x}')"),
        ((1, (2.0, b"x")), "[1, [2.0, h'78']]"),
        (2**64, "18446744073709551616"),
        (5e-324, "5e-324"),
    ],
)
def test_keys_that_are_not_str_are_in_notation(key: Any, text: str) -> None:
    data = packord.packb({key: None}, rich=True)[:-1] + b"\xc1"
    found = decode(data, rich=True)
    assert found.path == f"$[key {text}]"
    assert encode({key: object()}, rich=True).path == f"$[key {text}]"


def test_the_type_comes_before_the_definition_of_a_record() -> None:
    malformed = b"\x91\xd4\x72\x40\x91\xc3"
    error = decode(malformed, type=list[int], records=True)
    assert (error.kind, error.offset, error.path) == ("type_mismatch", 1, "$[0]")
    assert str(error).endswith("expected an integer, found map")
    assert decode(malformed, type=list[Any], records=True).kind == "record_malformed"
    assert decode(malformed, type=list[dict[str, int] | None], records=True).offset == 1


def test_a_fault_in_a_field_that_is_skipped_has_its_path() -> None:
    @dataclasses.dataclass
    class Point:
        x: int

    record = b"\xd4\x72\x40\x92\xa1x\xa1z\x01\x91\xc1"
    assert decode(record, type=Point, records=True).path == "$.z[0]"
    assert decode(b"\x82\xa1x\x01\xa1z\x91\xc1", type=Point).path == "$.z[0]"
    assert decode(b"\x82\xa1x\x01\x92\x05\x80\x91\xc1", type=Point).path == "$[key [5, {}]][0]"


@pytest.mark.parametrize(
    "data", [b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff\x01", b"\xdc\x00\x03\x01"]
)
def test_a_view_has_no_more_values_than_the_bytes_can_hold(data: bytes) -> None:
    for look in (len, list, tuple):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            look(packord.View(data))
        assert (caught.value.kind, caught.value.offset) == ("eof", len(data))
