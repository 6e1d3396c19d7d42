"""Says how instances of a class are packed. Asked once for each class."""

from __future__ import annotations

import array
import collections.abc
import datetime
import decimal
import enum
import fractions
import inspect
import io
import ipaddress
import os
import sys
import uuid
from collections.abc import Callable
from typing import Any

from packord._typing.names import packed_keys, struct_tag
from packord._typing.texts import duration_text, moment, numbers

_EXACT: dict[type, tuple[str, Any]] = {
    datetime.datetime: ("datetime", None),
    datetime.date: ("date", None),
    datetime.time: ("time", None),
    datetime.timedelta: ("rich", duration_text),
    uuid.UUID: ("uuid", None),
    decimal.Decimal: ("rich", str),
    fractions.Fraction: ("rich", None),
    set: ("set", None),
    frozenset: ("set", None),
    bytearray: ("buffer", None),
    memoryview: ("buffer", None),
}
_OWN = frozenset({"Ext", "Fragment", "Timestamp"})
_SUBCLASSES = (str, int, list, dict)
_ENUM_VALUE = inspect.getattr_static(enum.Enum, "value")


def plan(cls: type) -> tuple[str, Any]:
    """The name of a plan and its argument; see ``src/encode/plan.rs``."""
    exact = _EXACT.get(cls)
    if exact is not None:
        return exact
    module, name = cls.__module__, cls.__name__
    if module == "packord" and name in _OWN:
        return name, None
    if isinstance(cls, enum.EnumMeta):
        stock = inspect.getattr_static(cls, "value", None) is _ENUM_VALUE
        return "enum", "_value_" if stock else "value"
    if module == "numpy":
        return _numpy_plan(cls, name)
    if "__dataclass_fields__" in dir(cls):
        return _fields_plan(cls, "dataclass")
    for base in _SUBCLASSES:
        if issubclass(cls, base):
            return base.__name__, None
    if hasattr(cls, "__pydantic_fields__") and hasattr(cls, "__pydantic_validator__"):
        return "pydantic", _pydantic_dump(cls)
    # The class of Structs has it too.
    if hasattr(cls, "__struct_config__") and not issubclass(cls, type):
        return _struct_plan(cls)
    if hasattr(cls, "__attrs_attrs__"):
        return _fields_plan(cls, "attrs")
    if issubclass(cls, uuid.UUID):
        return "derived uuid", None
    if hasattr(cls, "__fields__") and hasattr(cls, "__validators__"):
        # A model of pydantic 1.
        return "pydantic", lambda model: model.dict()
    return _plan_of_base(cls)


_ADDRESSES = (
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    ipaddress.IPv4Network,
    ipaddress.IPv6Network,
)
# What the objects of a class are packed as, by the first base that it has.
_BASES: tuple[tuple[type | tuple[type, ...], str, Callable[[Any], Any] | None], ...] = (
    (tuple, "tuple", None),
    (float, "float", None),
    ((bytes, bytearray), "buffer", None),
    ((set, frozenset), "set", None),
    (datetime.datetime, "datetime", None),
    (datetime.date, "date", None),
    (datetime.time, "time", None),
    (datetime.timedelta, "rich", duration_text),
    (decimal.Decimal, "rich", str),
    (fractions.Fraction, "rich", None),
    (_ADDRESSES, "converted", str),
    (os.PathLike, "converted", os.fspath),
    (array.array, "rich", numbers),
    # Their lines are not their value.
    (io.IOBase, "unsupported", None),
    (collections.abc.Mapping, "converted", dict),
    ((collections.abc.Sequence, collections.abc.Set), "converted", list),
    ((collections.abc.ValuesView, collections.abc.Iterator, collections.deque), "converted", list),
)


def _plan_of_base(cls: type) -> tuple[str, Any]:
    if issubclass(cls, datetime.datetime) and hasattr(cls, "nanosecond"):
        # That of pandas is finer.
        return "converted", moment
    for base, name, make in _BASES:
        if issubclass(cls, base):
            return name, make
    return "unsupported", None


def _numpy_plan(cls: type, name: str) -> tuple[str, Any]:
    if name in ("ndarray", "str_"):
        return name.removesuffix("_"), None
    import numpy

    if not issubclass(cls, numpy.generic):
        return "unsupported", None
    dtype = numpy.dtype(cls)
    return "number", (ord(dtype.kind), dtype.itemsize)


def _pydantic_dump(cls: Any) -> Any:
    """What has to be called for a model that says itself how it is serialized, else ``None``."""
    decorators = getattr(cls, "__pydantic_decorators__", None)
    own = decorators is not None and (
        decorators.field_serializers or decorators.model_serializers or decorators.computed_fields
    )
    fields = cls.__pydantic_fields__.values()
    own = own or any(field.exclude or _has_serializer(field) for field in fields)
    by_alias = cls.model_config.get("serialize_by_alias")
    if not (own or by_alias or cls.__pydantic_root_model__):
        return None
    return lambda model: model.model_dump(serialize_as_any=True)


def _has_serializer(field: Any) -> bool:
    return any("Serializer" in type(item).__name__ for item in field.metadata)


def _struct_plan(cls: Any) -> tuple[str, Any]:
    """A ``msgspec.Struct``: its tag, which all its objects have, and its fields."""
    config = cls.__struct_config__
    tag = [(key, key, (value,), ()) for key, value in struct_tag(cls)]
    keys = packed_keys(cls, None).items()
    if config.array_like:
        return "row", (*tag, *((*pair, (), ()) for pair in keys))
    unset, defaults = _unset(cls), _defaults(cls) if config.omit_defaults else {}
    fields = [(*pair, (), (*unset, *defaults.get(pair[0], ()))) for pair in keys]
    return "struct", (*tag, *fields)


def _fields_plan(cls: Any, kind: str) -> tuple[str, Any]:
    unset = _unset(cls)
    return kind, tuple((*pair, (), unset) for pair in packed_keys(cls, None).items())


def _unset(cls: Any) -> tuple[Any, ...]:
    """``msgspec.UNSET``, if fields can be that."""
    if "msgspec" not in sys.modules:
        return ()
    hints = [inspect.get_annotations(base) for base in cls.__mro__]
    if not any("UnsetType" in str(hint) for each in hints for hint in each.values()):
        return ()
    import msgspec

    return (msgspec.UNSET,)


def _defaults(cls: Any) -> dict[str, tuple[Any]]:
    """What the fields of a Struct are by default. A default that is made each time counts if it is
    an empty collection, which needs no code of the program."""
    found = {}
    for name, default in zip(reversed(cls.__struct_fields__), reversed(cls.__struct_defaults__)):
        factory = getattr(default, "factory", None)
        found[name] = (factory() if factory in (list, dict, set) else default,)
    return found
