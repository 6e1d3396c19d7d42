"""MessagePack, fast: any value, with records, columns, streams, typed decoding and views.

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
from packord._extensions import Extension  # noqa: E402
from packord._packord import (  # noqa: E402
    ArrowTable,
    ColumnsView,
    ColumnView,
    Decoder,
    Encoder,
    Ext,
    Fragment,
    Timestamp,
    Unpacker,
    View,
    __version__,
    columns_of,
    from_arrow,
    packb,
    to_arrow,
    unpackb,
)
from packord._streams import Packer, pack, unpack, unpack_async  # noqa: E402
from packord._typing.names import Field  # noqa: E402

__all__ = [
    "ArrowTable",
    "ColumnView",
    "ColumnsView",
    "Decoder",
    "Encoder",
    "Ext",
    "Extension",
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
    "columns_of",
    "from_arrow",
    "pack",
    "packb",
    "to_arrow",
    "unpack",
    "unpack_async",
    "unpackb",
]
