"""Builders of record bytes (``spec/records.md`` sections 1 and 2)."""

from __future__ import annotations

from .build import (
    NIL,
    Pieces,
    Value,
    array,
    array_header,
    counter,
    integer,
    join,
    repeat,
    table,
    text,
    text_bytes,
)


def define(ident: int, *keys: str) -> bytes:
    """A definition with an id of one byte; the values follow it."""
    return b"\xd4\x72" + bytes([ident]) + array(*map(text_bytes, keys))


def use_wide(index: int) -> bytes:
    """An id of two bytes; the values follow it."""
    return bytes([0x60 + index % 32, (index - 32) // 32])


def define_wide(index: int, *keys: str) -> bytes:
    """A definition with an id of two bytes."""
    return b"\xd5\x72" + use_wide(index) + array(*map(text_bytes, keys))


def name(number: int) -> str:
    return f"k{number}"


def names(count: int) -> list[str]:
    return [name(number) for number in range(count)]


def field(key: str, number: int) -> Value:
    """A map of one entry."""
    return table((text(key), integer(number)))


def singles(count: int) -> list[Value]:
    """Maps with one entry each, all of them with another key."""
    return [field(name(place), 1) for place in range(count)]


def define_singles(count: int, ident: int = 0x40, first: int = 0) -> bytes:
    """The first records of ``singles``, from the one at ``first`` on, with ids of one byte."""
    return b"".join(define(ident + place, name(first + place)) + b"\1" for place in range(count))


def use_singles(count: int) -> bytes:
    """The same records by their ids alone, from 40 on."""
    return b"".join(bytes([0x40 + place, 1]) for place in range(count))


def counted(count: int) -> Value:
    """A map of ``count`` nils whose keys have four digits."""
    return {"map": {"count": count, "digits": 4, "value": NIL}}


def define_counted(count: int, values: bytes | str = "c0") -> Pieces:
    """The record of ``counted``, with its definition."""
    keys = counter(count, 4, "a4", "")
    return join("d47240", array_header(count), keys, repeat(values, count))
