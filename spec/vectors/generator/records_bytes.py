"""Builders of record bytes (``spec/records.md`` sections 1 and 2)."""

from __future__ import annotations

from generator.build import Value, array, integer, table, text, text_bytes


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
