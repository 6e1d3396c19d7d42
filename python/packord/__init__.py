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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from packord._extensions import Extension
    from packord._streams import Packer, pack, unpack, unpack_async
    from packord._typing.names import Field

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

# Not imported before they are asked for: `dataclasses` and `typing` take longer than all else.
_LATER = {
    "Extension": "packord._extensions",
    "Field": "packord._typing.names",
    "Packer": "packord._streams",
    "pack": "packord._streams",
    "unpack": "packord._streams",
    "unpack_async": "packord._streams",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'packord' has no attribute {name!r}")
    import importlib

    found = globals()[name] = getattr(importlib.import_module(_LATER[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
