"""What a container file says about its blocks."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

from packord._errors import MsgpackDecodeError


class Statistics(NamedTuple):
    """What is known of the values at one path in the rows of a block.

    ``nulls`` is the number of rows in which the value is nil or missing. ``min`` and ``max`` are
    the smallest and the largest value, as far as they are known; of a ``str`` the first 64 bytes,
    and a ``str`` that is not smaller. ``None`` says nothing.
    """

    nulls: int
    min: Any
    max: Any


@dataclasses.dataclass(frozen=True)
class Block:
    """A block as the index has it.

    ``offset`` is that of its mark, ``size`` its bytes with the mark, ``count`` the number of its
    rows or messages, and ``stats`` what is known of their values, by path, or ``None``.
    """

    offset: int
    size: int
    count: int
    stats: dict[str, Statistics] | None


class Damage(NamedTuple):
    """A range of a file that was passed over, ``start`` to ``stop``, and the fault."""

    start: int
    stop: int
    error: MsgpackDecodeError


def blocks(lists: list[list[Any]]) -> list[Block]:
    return [
        Block(offset, size, count, None if stats is None else _statistics(stats))
        for offset, size, count, stats in lists
    ]


def _statistics(stats: dict[str, list[Any]]) -> dict[str, Statistics]:
    return {path: Statistics(*of) for path, of in stats.items()}


for _class in (Statistics, Block, Damage):
    _class.__module__ = "packord.container"
