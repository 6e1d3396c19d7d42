"""Every vector of typed targets, with Python's types (``spec/errors.md`` section 3)."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from typing import Any, Literal, TypedDict

import attrs
import pytest
import vectors

import packord

Case = dict[str, Any]

# Python has no float of 32 bits.
LEFT_OUT = "f32"
SIMPLE = {"any": Any, "bool": bool, "str": str, "bin": bytes, "f64": float}


def words(kind: Any) -> list[str]:
    """All strings in the type of a vector."""
    if isinstance(kind, str):
        return [kind]
    parts = kind.values() if isinstance(kind, dict) else kind
    return [word for part in parts for word in words(part)]


def is_left_out(case: Case) -> bool:
    """Python's ``int`` holds every integer, so that none is out of its range."""
    detail = case.get("error", {}).get("detail", "")
    fits_int = "does not fit" in detail and not detail.endswith("f64")
    return fits_int or LEFT_OUT in words(case["type"])


CASES = [
    pytest.param(case, id=name) for name, case in vectors.cases("typed") if not is_left_out(case)
]


def as_dataclass(fields: dict[str, Any]) -> Any:
    return dataclasses.make_dataclass("Struct", fields.items())


def as_attrs(fields: dict[str, Any]) -> Any:
    return attrs.make_class(
        "Struct", {name: attrs.field(type=kind) for name, kind in fields.items()}
    )


def as_dict(fields: dict[str, Any]) -> Any:
    return TypedDict("Struct", fields)  # type: ignore[operator]


def as_literal(names: list[str]) -> Any:
    return Literal[tuple(names)]


def as_enum(names: list[str]) -> Any:
    return enum.Enum("Names", [(name, name) for name in names])


class Types:
    """Python's types for those of the vectors."""

    def __init__(self, struct: Callable[[Any], Any], choice: Callable[[Any], Any]) -> None:
        self.struct = struct
        self.choice = choice

    def of(self, kind: Any) -> Any:
        if isinstance(kind, str):
            return SIMPLE.get(kind, int)
        if "struct" in kind:
            return self.struct({name: self.of(field) for name, field in kind["struct"]})
        if "enum" in kind:
            return self.choice(kind["enum"])
        ((form, inner),) = kind.items()
        if form == "option":
            return self.of(inner) | None
        return list[self.of(inner)] if form == "list" else dict[str, self.of(inner)]  # type: ignore[misc]


def plain(value: Any) -> Any:
    """The value with objects as maps, and members of enums as their names."""
    if dataclasses.is_dataclass(value) or attrs.has(type(value)):
        return plain({name: getattr(value, name) for name in value.__annotations__})
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def in_order(value: Any) -> Any:
    """The value with its fields by name: a dict has them in the order of the bytes."""
    if isinstance(value, dict):
        return vectors.Pairs((key, in_order(value[key])) for key in sorted(value))
    return [in_order(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("checked", [False, True], ids=["fast", "checked"])
@pytest.mark.parametrize("choice", [as_literal, as_enum])
@pytest.mark.parametrize("struct", [as_dataclass, as_attrs, as_dict])
@pytest.mark.parametrize("case", CASES)
def test_reads_into_every_type(
    case: Case, struct: Callable[[Any], Any], choice: Callable[[Any], Any], *, checked: bool
) -> None:
    options = vectors.reader_options(case.get("options", {}))
    if checked:
        options["max_nodes"] = 1_000_000
    if "error" in words(case["type"]):
        options["forbid_unknown_fields"] = True
    wanted = Types(struct, choice).of(case["type"])
    decoder = packord.Decoder(wanted, **options)
    data = vectors.expand(case["bytes"])
    if "error" not in case:
        wanted = vectors.plain(vectors.build(case["value"]))
        assert vectors.same(in_order(plain(decoder.decode(data))), in_order(wanted))
        return
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        decoder.decode(data)
    expected = dict(case["error"])
    detail = expected.pop("detail", "").replace("fit f64", "fit float")
    assert vectors.place(caught.value) == expected
    assert str(caught.value).endswith(detail)
