"""Says how instances of a class are packed. Asked once for each class."""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import inspect
import uuid
from typing import Any

from packord._names import packed_keys

_EXACT: dict[type, str] = {
    datetime.datetime: "datetime",
    datetime.date: "date",
    datetime.time: "time",
    datetime.timedelta: "duration",
    uuid.UUID: "uuid",
    decimal.Decimal: "decimal",
    fractions.Fraction: "ratio",
    set: "set",
    frozenset: "set",
    bytearray: "buffer",
    memoryview: "buffer",
}
_OWN = frozenset({"Ext", "Fragment", "Timestamp"})
_NUMPY_SCALARS = frozenset(
    "bool_ float16 float32 float64 int8 int16 int32 int64 "
    "uint8 uint16 uint32 uint64 datetime64".split()
)
_SUBCLASSES: tuple[tuple[type, str], ...] = (
    (str, "str"),
    (int, "int"),
    (list, "list"),
    (dict, "dict"),
)
_ENUM_VALUE = inspect.getattr_static(enum.Enum, "value")


def plan(cls: type) -> tuple[str, Any]:
    """The name of a plan and its argument; see ``src/encode/plan.rs``."""
    exact = _EXACT.get(cls)
    if exact is not None:
        return exact, None
    module, name = cls.__module__, cls.__name__
    if module == "packord" and name in _OWN:
        return name, None
    if isinstance(cls, enum.EnumMeta):
        stock = inspect.getattr_static(cls, "value", None) is _ENUM_VALUE
        return "enum", "_value_" if stock else "value"
    if module == "numpy":
        return _numpy_plan(cls, name)
    if "__dataclass_fields__" in dir(cls):
        return "dataclass", tuple(packed_keys(cls, None).items())
    for base, base_plan in _SUBCLASSES:
        if issubclass(cls, base):
            return base_plan, None
    if hasattr(cls, "__pydantic_fields__") and hasattr(cls, "__pydantic_validator__"):
        return "pydantic", _pydantic_dump(cls)
    if hasattr(cls, "__struct_config__"):
        return "struct", _struct_dump
    if hasattr(cls, "__attrs_attrs__"):
        return "attrs", tuple(packed_keys(cls, None).items())
    if issubclass(cls, uuid.UUID):
        return "derived uuid", None
    if hasattr(cls, "__fields__") and hasattr(cls, "__validators__"):
        # A model of pydantic 1.
        return "pydantic", _dump_first
    return "unsupported", None


def _numpy_plan(cls: type, name: str) -> tuple[str, Any]:
    if name == "ndarray":
        return "ndarray", None
    if name == "bool":
        return "bool_", None
    if name == "str_":
        return "str", None
    if name in _NUMPY_SCALARS:
        return name, None
    # Aliases that are types of their own on some platforms: longlong, ulonglong, intc.
    kind = getattr(getattr(cls, "dtype", None), "kind", None)
    if kind is None and name in ("longlong", "intc"):
        kind = "i"
    elif kind is None and name in ("ulonglong", "uintc"):
        kind = "u"
    if kind in ("i", "u"):
        import numpy

        return f"{'u' if kind == 'u' else ''}int{numpy.dtype(cls).itemsize * 8}", None
    return "unsupported", None


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
    return _dump


def _has_serializer(field: Any) -> bool:
    return any("Serializer" in type(item).__name__ for item in field.metadata)


def _dump_first(model: Any) -> Any:
    return model.dict()


def _struct_dump(value: Any) -> Any:
    import msgspec

    kept = (bytes, bytearray, datetime.datetime, datetime.date, datetime.time, uuid.UUID)
    return msgspec.to_builtins(value, builtin_types=kept)


def _dump(model: Any) -> Any:
    return model.model_dump(serialize_as_any=True)
