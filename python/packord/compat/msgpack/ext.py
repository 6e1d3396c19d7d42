"""The ext values of msgpack-python."""

from __future__ import annotations

from typing import NamedTuple

from packord import Timestamp as Timestamp


class _ExtTuple(NamedTuple):
    code: int
    data: bytes


class ExtType(_ExtTuple):
    """An application's ext value: a code 0 … 127 and bytes."""

    __slots__ = ()

    def __new__(cls, code: int, data: bytes) -> ExtType:
        if not isinstance(code, int):
            raise TypeError("code must be int")
        if not isinstance(data, bytes):
            raise TypeError("data must be bytes")
        if not 0 <= code <= 127:
            raise ValueError("code must be 0~127")
        return super().__new__(cls, code, data)
