"""MessagePack, fast: drop-in for ormsgpack, with records, streams, typed decoding and views.

>>> import packord
>>> packord.unpackb(packord.packb({"a": [1, 2.5, None]}))
{'a': [1, 2.5, None]}
"""

from __future__ import annotations

from packord._packord import _check_interpreter

_check_interpreter()

from packord._errors import (  # noqa: E402
    MsgpackArgumentError,
    MsgpackDecodeError,
    MsgpackEncodeError,
    OutOfData,
)
from packord._names import Field  # noqa: E402
from packord._packord import (  # noqa: E402
    OPT_ALLOW_TRAILING,
    OPT_BIGINT_EXT,
    OPT_CANONICAL,
    OPT_COLUMNS,
    OPT_DATETIME_AS_TIMESTAMP_EXT,
    OPT_DECIMAL_AS_EXT,
    OPT_FLOAT32,
    OPT_NAIVE_UTC,
    OPT_NON_STR_KEYS,
    OPT_NUMPY_AS_EXT,
    OPT_OMIT_MICROSECONDS,
    OPT_PASSTHROUGH_BIG_INT,
    OPT_PASSTHROUGH_DATACLASS,
    OPT_PASSTHROUGH_DATETIME,
    OPT_PASSTHROUGH_ENUM,
    OPT_PASSTHROUGH_SUBCLASS,
    OPT_PASSTHROUGH_TUPLE,
    OPT_PASSTHROUGH_UUID,
    OPT_RECORDS,
    OPT_REPLACE_SURROGATES,
    OPT_SERIALIZE_NUMPY,
    OPT_SERIALIZE_PYDANTIC,
    OPT_SET_AS_EXT,
    OPT_SKIP_NONE,
    OPT_SKIP_PRIVATE,
    OPT_SORT_KEYS,
    OPT_TYPES_AS_EXT,
    OPT_UTC_Z,
    OPT_VIEWS,
    Decoder,
    Encoder,
    Ext,
    Fragment,
    Timestamp,
    Unpacker,
    View,
    __version__,
    packb,
    unpackb,
)
from packord._streams import Packer, decode, encode, pack, unpack, unpack_async  # noqa: E402

dump, dumps, load, loads = pack, packb, unpack, unpackb

__all__ = [
    "OPT_ALLOW_TRAILING",
    "OPT_BIGINT_EXT",
    "OPT_CANONICAL",
    "OPT_COLUMNS",
    "OPT_DATETIME_AS_TIMESTAMP_EXT",
    "OPT_DECIMAL_AS_EXT",
    "OPT_FLOAT32",
    "OPT_NAIVE_UTC",
    "OPT_NON_STR_KEYS",
    "OPT_NUMPY_AS_EXT",
    "OPT_OMIT_MICROSECONDS",
    "OPT_PASSTHROUGH_BIG_INT",
    "OPT_PASSTHROUGH_DATACLASS",
    "OPT_PASSTHROUGH_DATETIME",
    "OPT_PASSTHROUGH_ENUM",
    "OPT_PASSTHROUGH_SUBCLASS",
    "OPT_PASSTHROUGH_TUPLE",
    "OPT_PASSTHROUGH_UUID",
    "OPT_RECORDS",
    "OPT_REPLACE_SURROGATES",
    "OPT_SERIALIZE_NUMPY",
    "OPT_SERIALIZE_PYDANTIC",
    "OPT_SET_AS_EXT",
    "OPT_SKIP_NONE",
    "OPT_SKIP_PRIVATE",
    "OPT_SORT_KEYS",
    "OPT_TYPES_AS_EXT",
    "OPT_UTC_Z",
    "OPT_VIEWS",
    "Decoder",
    "Encoder",
    "Ext",
    "Field",
    "Fragment",
    "MsgpackArgumentError",
    "MsgpackDecodeError",
    "MsgpackEncodeError",
    "OutOfData",
    "Packer",
    "Timestamp",
    "Unpacker",
    "View",
    "__version__",
    "decode",
    "dump",
    "dumps",
    "encode",
    "load",
    "loads",
    "pack",
    "packb",
    "unpack",
    "unpack_async",
    "unpackb",
]
