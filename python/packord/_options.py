"""The keywords of the classes and functions, for type checkers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

from packord._extensions import Extension

if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack
elif sys.version_info >= (3, 11):
    from typing import Unpack
else:

    class Unpack:
        """Stands for that of typing, which Python 3.10 lacks."""

        def __class_getitem__(cls, options: Any) -> Any:
            return options


Condition = tuple[str, str] | tuple[str, str, Any] | list[Any]
Rename = Union[Literal["camel", "pascal", "kebab", "snake"], Callable[[str], str]]


class _ValueOptions(TypedDict, total=False):
    """The keywords of all that packs."""

    default: Callable[[Any], Any] | None
    extensions: Iterable[Extension] | None
    rename: Rename | None
    tag: str | None
    max_depth: int
    rich: bool
    bigint: bool
    float32: bool
    sort_keys: bool
    skip_nil: bool
    utf8: Literal["error", "replace"]


class EncodeOptions(_ValueOptions, total=False):
    """The keywords of ``packb``, ``Encoder``, ``Packer`` and ``pack``."""

    canonical: bool
    columns: bool
    records: bool
    structures: list[list[str]] | None
    max_shared_structures: int | None
    max_own_structures: int | None
    max_record_keys: int
    sequential: bool


class RowOptions(TypedDict, total=False):
    """The keywords of ``Decoder`` that ``packord.container.Reader`` takes, without the type."""

    ext_hook: Callable[[int, bytes], Any] | None
    extensions: Iterable[Extension] | None
    object_hook: Callable[[dict[Any, Any]], Any] | None
    object_pairs_hook: Callable[[list[tuple[Any, Any]]], Any] | None
    list_hook: Callable[[list[Any]], Any] | None
    tuples: bool
    timestamps: Literal["native", "timestamp"]
    unknown_ext: Literal["keep", "error"]
    duplicate_key: Literal["last", "error"]
    rich: bool
    bigint: bool
    forbid_unknown_fields: bool
    rename: Rename | None
    tag: str | None
    strict: bool
    dec_hook: Callable[[Any, Any], Any] | None
    max_len: int | None
    max_str_len: int | None
    max_bin_len: int | None
    max_ext_len: int | None
    max_array_len: int | None
    max_map_len: int | None
    max_nodes: int | None


class DecodeOptions(RowOptions, total=False):
    """The keywords of ``unpackb``, ``Decoder`` and ``unpack``, without the type."""

    utf8: Literal["error", "replace", "raw"]
    trailing: Literal["error", "allow"]
    canonical: bool
    columns: bool
    records: bool
    structures: list[list[str]] | None
    sequential: bool
    undefined_record: Literal["int", "error"]
    max_depth: int
    max_record_keys: int
    max_expansion: int | None


class StreamOptions(DecodeOptions, total=False):
    """The keywords of ``Unpacker`` and ``unpack_async``, without the type and ``read_size``."""

    max_buffer: int


class SourceOptions(StreamOptions, total=False):
    """Those of ``StreamOptions``, and how much of a file is read at once."""

    read_size: int


class BlockOptions(TypedDict, total=False):
    """The keywords of ``packord.container.Reader`` that say which blocks are read, and how."""

    where: Iterable[Condition] | None
    prune: Iterable[Condition] | None
    split: tuple[int, int] | None
    on_bad_block: Literal["error", "skip"] | None
    max_block: int | None
    threads: int | None
    follow: bool | float | None


class ReaderOptions(RowOptions, BlockOptions, total=False):
    """The keywords of ``packord.container.Reader``, without the type."""

    select: Sequence[str] | None


class WriterOptions(_ValueOptions, total=False):
    """The keywords of ``packord.container.Writer``, without ``append``."""

    codec: Literal["zstd", "deflate", "none"] | None
    level: int | None
    block_size: int | None
    block_rows: int | None
    columns: bool | None
    messages: bool
    stats: Sequence[str] | None
    meta: dict[str, Any] | None
    sync: bytes | None
