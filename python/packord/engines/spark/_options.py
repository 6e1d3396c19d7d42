"""The options of a data source, which Spark hands over as strings."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from packord.engines._files import local_path

T = TypeVar("T")


def paths_of(options: Mapping[str, str]) -> list[str]:
    """The paths that are read, or the one that is written to; ``ValueError`` if there is none."""
    several = options.get("paths")
    found = json.loads(several) if several else [options["path"]] if "path" in options else []
    if not found:
        raise ValueError("a path is missing: load(path) or save(path)")
    return list(found)


def folder_of(options: Mapping[str, str]) -> str:
    """The folder that is written to."""
    folder, *others = paths_of(options)
    if others:
        raise ValueError("a table is written to one folder")
    return local_path(folder)


def reader_options(options: Mapping[str, str]) -> dict[str, Any]:
    """The options of ``Reader``."""
    return _present(
        on_bad_block=options.get("onBadBlock"), max_block=_read(options, "maxBlock", int)
    )


def writer_options(options: Mapping[str, str]) -> dict[str, Any]:
    """The options of ``Writer``."""
    return _present(
        codec=options.get("codec"),
        level=_read(options, "level", int),
        block_size=_read(options, "blockSize", int),
        block_rows=_read(options, "blockRows", int),
        stats=_read(options, "stats", names),
    )


def part_options(options: Mapping[str, str]) -> dict[str, Any]:
    """The options of ``parts_of``."""
    return {
        "count": _read(options, "partitions", positive),
        "size": _read(options, "maxPartitionBytes", positive),
    }


def columns_of(options: Mapping[str, str]) -> list[str] | None:
    """The columns that are read, or ``None`` for all."""
    return _read(options, "columns", names)


def trigger_bytes_of(options: Mapping[str, str]) -> int | None:
    """The bytes of one batch of a stream, or ``None`` for all that are there."""
    return _read(options, "maxBytesPerTrigger", positive)


def names(text: str) -> list[str]:
    """Names between commas, each once."""
    return list(dict.fromkeys(name for name in map(str.strip, text.split(",")) if name))


def positive(text: str) -> int:
    """A whole number above 0."""
    number = int(text)
    if number <= 0:
        raise ValueError("it must be above 0")
    return number


def _read(options: Mapping[str, str], name: str, convert: Callable[[str], T]) -> T | None:
    text = options.get(name)
    if text is None:
        return None
    try:
        return convert(text)
    except ValueError as error:
        raise ValueError(f"the option {name} can't be {text!r}: {error}") from error


def _present(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}
