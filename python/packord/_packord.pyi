"""Types of the compiled half; its docstrings say what everything does."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final, Generic, Literal, Protocol, TypeVar, final, overload

__version__: Final[str]
OPT_ALLOW_TRAILING: Final[int]
OPT_BIGINT_EXT: Final[int]
OPT_CANONICAL: Final[int]
OPT_DATETIME_AS_TIMESTAMP_EXT: Final[int]
OPT_DECIMAL_AS_EXT: Final[int]
OPT_FLOAT32: Final[int]
OPT_NAIVE_UTC: Final[int]
OPT_NON_STR_KEYS: Final[int]
OPT_NUMPY_AS_EXT: Final[int]
OPT_OMIT_MICROSECONDS: Final[int]
OPT_PASSTHROUGH_BIG_INT: Final[int]
OPT_PASSTHROUGH_DATACLASS: Final[int]
OPT_PASSTHROUGH_DATETIME: Final[int]
OPT_PASSTHROUGH_ENUM: Final[int]
OPT_PASSTHROUGH_SUBCLASS: Final[int]
OPT_PASSTHROUGH_TUPLE: Final[int]
OPT_PASSTHROUGH_UUID: Final[int]
OPT_RECORDS: Final[int]
OPT_REPLACE_SURROGATES: Final[int]
OPT_SERIALIZE_NUMPY: Final[int]
OPT_SERIALIZE_PYDANTIC: Final[int]
OPT_SET_AS_EXT: Final[int]
OPT_SKIP_NONE: Final[int]
OPT_SKIP_PRIVATE: Final[int]
OPT_SORT_KEYS: Final[int]
OPT_TYPES_AS_EXT: Final[int]
OPT_UTC_Z: Final[int]

_T = TypeVar("_T")
_Buffer = bytes | bytearray | memoryview
_Rename = Literal["camel", "pascal", "kebab", "snake"] | Callable[[str], str]
_Timestamp = Literal["datetime", "Timestamp", "float", "int", "hook"]

class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...

def _check_interpreter() -> None: ...
def packb(
    obj: Any, /, default: Callable[[Any], Any] | None = None, option: int | None = None
) -> bytes: ...
def unpackb(
    obj: _Buffer,
    /,
    *,
    ext_hook: Callable[[int, bytes], Any] | None = None,
    option: int | None = None,
) -> Any: ...

@final
class Ext:
    __match_args__ = ("tag", "data")
    def __new__(cls, tag: int, data: _Buffer, /) -> Ext: ...
    @property
    def tag(self) -> int: ...
    @property
    def data(self) -> bytes: ...
    def __hash__(self) -> int: ...

@final
class Timestamp:
    __match_args__ = ("seconds", "nanoseconds")
    def __new__(cls, seconds: int, nanoseconds: int = 0) -> Timestamp: ...
    @classmethod
    def from_datetime(cls, datetime: datetime) -> Timestamp: ...
    @classmethod
    def from_unix_nano(cls, nanoseconds: int) -> Timestamp: ...
    @classmethod
    def from_unix(cls, seconds: float) -> Timestamp: ...
    @property
    def seconds(self) -> int: ...
    @property
    def nanoseconds(self) -> int: ...
    @classmethod
    def from_bytes(cls, data: bytes) -> Timestamp: ...
    def to_bytes(self) -> bytes: ...
    def to_unix_nano(self) -> int: ...
    def to_unix(self) -> float: ...
    def to_datetime(self) -> datetime: ...
    def __lt__(self, other: Timestamp, /) -> bool: ...
    def __le__(self, other: Timestamp, /) -> bool: ...
    def __gt__(self, other: Timestamp, /) -> bool: ...
    def __ge__(self, other: Timestamp, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Fragment:
    def __new__(cls, data: _Buffer, /) -> Fragment: ...
    @property
    def data(self) -> bytes: ...
    def __hash__(self) -> int: ...

class Encoder:
    def __new__(
        cls,
        *,
        default: Callable[[Any], Any] | None = None,
        enc_hook: Callable[[Any], Any] | None = None,
        rename: _Rename | None = None,
        tag: str | None = None,
        option: int | None = None,
        max_depth: int = 1024,
        canonical: bool = False,
        bigint: bool = False,
        float32: bool = False,
        records: bool = False,
        structures: list[list[str]] | None = None,
        max_shared_structures: int | None = None,
        max_own_structures: int | None = None,
        max_record_keys: int = 1024,
        sequential: bool = False,
    ) -> Encoder: ...
    def encode(self, obj: Any, /) -> bytes: ...
    def encode_into(self, obj: Any, buffer: bytearray, offset: int = 0, /) -> None: ...
    @property
    def structures(self) -> list[list[str]] | None: ...

class Decoder(Generic[_T]):
    @overload
    def __new__(cls, /, **options: Any) -> Decoder[Any]: ...
    @overload
    def __new__(
        cls,
        type: type[_T],
        /,
        *,
        option: int | None = None,
        ext_hook: Callable[[int, bytes], Any] | None = None,
        object_hook: Callable[[dict[Any, Any]], Any] | None = None,
        object_pairs_hook: Callable[[list[tuple[Any, Any]]], Any] | None = None,
        list_hook: Callable[[list[Any]], Any] | None = None,
        tuples: bool = False,
        timestamp: _Timestamp = "datetime",
        unknown_ext: Literal["keep", "error"] = "keep",
        utf8: Literal["error", "replace", "raw", "bytes"] = "error",
        trailing: Literal["error", "allow"] = "error",
        duplicate_key: Literal["last", "error"] = "last",
        canonical: bool = False,
        bigint: bool = False,
        records: bool = False,
        structures: list[list[str]] | None = None,
        sequential: bool = False,
        undefined_record: Literal["int", "error"] = "int",
        forbid_unknown_fields: bool = False,
        rename: _Rename | None = None,
        tag: str | None = None,
        strict: bool = True,
        dec_hook: Callable[[Any, Any], Any] | None = None,
        max_depth: int = 1024,
        max_len: int | None = None,
        max_str_len: int | None = None,
        max_bin_len: int | None = None,
        max_ext_len: int | None = None,
        max_array_len: int | None = None,
        max_map_len: int | None = None,
        max_record_keys: int = 1024,
        max_nodes: int | None = None,
    ) -> Decoder[_T]: ...
    @overload
    def __new__(cls, type: Any, /, **options: Any) -> Decoder[Any]: ...
    def decode(self, data: _Buffer, /) -> _T: ...
    @property
    def structures(self) -> list[list[str]] | None: ...
    @structures.setter
    def structures(self, structures: list[list[str]]) -> None: ...

class Unpacker:
    def __new__(
        cls, file_like: _Readable | None = None, *, read_size: int = 65536, **options: Any
    ) -> Unpacker: ...
    def feed(self, data: _Buffer, /) -> None: ...
    def unpack(self) -> Any: ...
    def skip(self) -> None: ...
    def read_array_header(self) -> int: ...
    def read_map_header(self) -> int: ...
    def read_bytes(self, count: int, /) -> bytes: ...
    def tell(self) -> int: ...
    def finish(self) -> None: ...
    @property
    def structures(self) -> list[list[str]] | None: ...
    @structures.setter
    def structures(self, structures: list[list[str]]) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __next__(self) -> Any: ...

@final
class View:
    def __new__(
        cls, data: _Buffer, /, *, duplicate_key: Literal["first", "last"] = "first"
    ) -> View: ...
    def __getitem__(self, key: Any, /) -> Any: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __contains__(self, key: Any, /) -> bool: ...
    def get(self, *path: Any, default: Any = None) -> Any: ...
    def unpack(self) -> Any: ...
    def packed(self) -> bytes: ...
    @property
    def kind(self) -> str: ...
