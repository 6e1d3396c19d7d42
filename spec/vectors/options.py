"""The options and errors of the specification."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class Fault(Exception):
    """What a reader reports: a kind of ``errors.md``, a byte offset, the path, when reading ends,
    and the detail that a typed target adds.

    A writer's has a kind alone.
    """

    def __init__(self, kind: str, offset: int | None = None) -> None:
        super().__init__(kind if offset is None else f"{kind} at byte {offset}")
        self.kind = kind
        self.offset = offset
        self.path: str | None = None
        self.detail: str | None = None
        self.ends_stream = False

    def described(self) -> dict:
        """The ``error`` of a case."""
        members = {"kind": self.kind, "offset": self.offset, "path": self.path, "detail": self.detail}
        return {name: member for name, member in members.items() if member is not None}


@dataclass
class Options:
    """The options of the specification, under the names that vector files use."""

    records: bool = False
    shared_structures: list[list[str]] | None = None
    max_shared_structures: int | None = None
    max_own_structures: int | None = None
    undefined_record: str = "int"
    sequential: bool = False
    max_depth: int = 1024
    max_str_len: int | None = None
    max_bin_len: int | None = None
    max_ext_len: int | None = None
    max_array_len: int | None = None
    max_map_len: int | None = None
    max_nodes: int | None = None
    max_record_keys: int = 1024
    max_buffer: int = 64 * 1024 * 1024
    utf8: str = "error"
    trailing: str = "error"
    duplicate_key: str = "last"
    unknown_ext: str = "keep"
    canonical: bool = False
    bigint: bool = False
    float32: bool = False
    ext_types: list[int] = field(default_factory=list)
    columns: bool = False
    max_expansion: int = 16

    @classmethod
    def of(cls, options: dict | None, **more: Any) -> Options:
        """From the ``options`` of a case; an unknown name is a ``TypeError``."""
        return cls(**{**(options or {}), **more})

    @property
    def records_on(self) -> bool:
        """Whether records are read and written: ``canonical`` switches them off."""
        return self.records and not self.canonical

    @property
    def columns_on(self) -> bool:
        """Whether columns are read and written."""
        return self.columns and not self.canonical
