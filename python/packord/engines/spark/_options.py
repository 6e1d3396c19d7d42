"""The options of a data source, which Spark hands over as strings."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from packord.engines._files import local_path


def names(text: str) -> list[str]:
    """Names between commas, each once."""
    return list(dict.fromkeys(name for name in map(str.strip, text.split(",")) if name))


def positive(text: str) -> int:
    number = int(text)
    if number <= 0:
        raise ValueError("it must be above 0")
    return number


# By option: the keyword that it stands for, and what its text is read by.
Table = Mapping[str, tuple[str, Callable[[str], Any]]]
READER: Table = {"onBadBlock": ("on_bad_block", str), "maxBlock": ("max_block", int)}
WRITER: Table = {
    "codec": ("codec", str),
    "level": ("level", int),
    "blockSize": ("block_size", int),
    "blockRows": ("block_rows", int),
    "stats": ("stats", names),
}
PARTS: Table = {"partitions": ("count", positive), "maxPartitionBytes": ("size", positive)}
COLUMNS: Table = {"columns": ("columns", names)}
STREAM: Table = {"maxBytesPerTrigger": ("trigger_bytes", positive)}


def keywords_of(options: Mapping[str, str], table: Table) -> dict[str, Any]:
    """The keywords that options stand for, without those that are not given."""
    found = {}
    for name, (keyword, convert) in table.items():
        text = options.get(name)
        try:
            if text is not None:
                found[keyword] = convert(text)
        except ValueError as error:
            raise ValueError(f"the option {name} can't be {text!r}: {error}") from error
    return found


def paths_of(options: Mapping[str, str]) -> list[str]:
    """The paths that are read, or the one that is written to; ``ValueError`` if there is none."""
    several = options.get("paths")
    found = json.loads(several) if several else [options["path"]] if "path" in options else []
    if not found:
        raise ValueError("a path is missing: load(path) or save(path)")
    return list(found)


def folder_of(options: Mapping[str, str]) -> str:
    folder, *others = paths_of(options)
    if others:
        raise ValueError("a table is written to one folder")
    return local_path(folder)
