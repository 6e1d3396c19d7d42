"""Tells the objects of a union apart: by their tags, or by the names of their fields."""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Any

from packord._typing.hints import hints_of

Node = tuple[str, str, Any]


class _Member:
    """One of the objects, with what its fields say about it."""

    def __init__(self, cls: Any, place: int, node_at: Callable[[int], Node]) -> None:
        kind, self.name, arguments = node_at(place)
        fields = arguments[1] if kind == "object" else []
        self.is_object = kind == "object"
        self.place = place
        # The values of the fields that have a few only.
        self.literals: dict[bytes, dict[Any, Any]] = {
            key: node_at(index)[2] for _, key, index, *_ in fields if node_at(index)[0] == "one of"
        }
        if not self.is_object:
            self.literals = _literals(cls)
        named = [field for field in fields if field[3] != "skipped"]
        self.known = {key for _, key, *_ in named}
        self.required = [key for _, key, _, default, _ in named if default == "required"]


def tell_apart(
    name: str, classes: dict[int, Any], node_at: Callable[[int], Node], tag: str | None
) -> tuple[str, Any]:
    """The node of a union of the classes at these places: ``tagged`` or ``shaped``. ``TypeError``
    if a map could be two of them."""
    members = [_Member(cls, place, node_at) for place, cls in classes.items()]
    # The option comes before the fields.
    for key in sorted(members[0].literals, key=lambda key: key.decode() != tag):
        choices = _choices(members, key)
        if choices is not None:
            return "tagged", (key, choices)
    for member in members:
        if not member.is_object:
            raise TypeError(f"{name}: {member.name} needs a field with a Literal of its own")
    return "shaped", _shapes(name, members)


def _literals(cls: Any) -> dict[bytes, dict[Any, Any]]:
    hints = hints_of(typing.get_origin(cls) or cls)
    return {
        name.encode(): {(type(value), value): None for value in typing.get_args(hint)}
        for name, hint in hints.items()
        if typing.get_origin(hint) is typing.Literal
    }


def _choices(members: list[_Member], key: bytes) -> dict[Any, int] | None:
    """From values to nodes, if each object has values of its own for the key."""
    choices: dict[Any, int] = {}
    for member in members:
        values = member.literals.get(key)
        if not values or not choices.keys().isdisjoint(values):
            return None
        choices.update(dict.fromkeys(values, member.place))
    return choices


def _shapes(name: str, members: list[_Member]) -> tuple[list[bytes], list[Any]]:
    """The keys that tell the objects apart, and for each object its node, which of these keys it
    must have, and the objects that do not know one of them."""
    keys: list[bytes] = []
    required: list[list[int]] = [[] for _ in members]
    beaten: list[list[int]] = [[] for _ in members]
    for first, one in enumerate(members):
        for second, other in enumerate(members):
            own = next((key for key in one.required if key not in other.known), None)
            if own is not None:
                if own not in keys:
                    keys.append(own)
                required[first].append(keys.index(own))
                beaten[first].append(second)
            elif second < first and first not in beaten[second]:
                raise TypeError(
                    f"{name}: {other.name} and {one.name} can't be told apart; each needs a "
                    "required field that the other does not have, or a Literal of its own"
                )
    return keys, list(zip((member.place for member in members), required, beaten))
