"""Describes types for ``Decoder(T)``: annotations in, nodes out (``src/typed/plan.rs``)."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import fractions
import sys
import types
import typing
import uuid
from typing import Any

from packord._packord import Ext, Timestamp

Node = tuple[str, str, Any]
KINDS = ("nil", "bool", "int", "float", "str", "bytes", "array", "map", "ext")
_SIMPLE: dict[Any, str] = {
    type(None): "nil",
    None: "nil",
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    bytes: "bytes",
}
# By name: the first two are of Python 3.11 and later, and of ``typing_extensions`` before.
_QUALIFIERS = ("NotRequired", "Required", "Final", "ClassVar")
_LISTS: tuple[Any, ...] = (
    list,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Collection,
    collections.abc.Iterable,
)
_SETS = (set, collections.abc.Set, collections.abc.MutableSet)
_DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


def describe(wanted: Any, closed: bool = False) -> list[Node] | None:
    """The nodes of a type, itself first; ``None`` for ``Any``. ``TypeError`` if it has none.

    ``closed``: keys that no field has are an error.
    """
    if wanted is Any or wanted is object:
        return None
    writer = _Describer(closed)
    writer.index(wanted)
    return [node for node in writer.nodes if node is not None]


def type_text(wanted: Any) -> str:
    """Returns the type's name as messages show it."""
    if typing.get_origin(wanted) is None and isinstance(wanted, type):
        return "None" if wanted is type(None) else wanted.__name__
    return str(wanted).replace("typing.", "")


class _Describer:
    def __init__(self, closed: bool) -> None:
        self.nodes: list[Node | None] = []
        self.known: dict[Any, int] = {}
        self.closed = closed

    def index(self, wanted: Any) -> int:
        """The index of the type's node, which is made if need be."""
        try:
            key: Any = (wanted, type(wanted))
            if key in self.known:
                return self.known[key]
        except TypeError:
            key = None
        place = len(self.nodes)
        self.nodes.append(None)
        if key is not None:
            self.known[key] = place
        kind, arguments = self.node(wanted)
        self.nodes[place] = (kind, type_text(wanted), arguments)
        return place

    def node(self, wanted: Any) -> tuple[str, Any]:
        if wanted is Any or wanted is object:
            return "any", None
        if wanted in _SIMPLE:
            return _SIMPLE[wanted], None
        origin = typing.get_origin(wanted)
        if origin is not None or wanted in _LISTS + _SETS + _DICTS + (tuple, frozenset):
            return self.generic(wanted, origin or wanted, typing.get_args(wanted))
        if isinstance(wanted, typing.NewType):
            return self.node(wanted.__supertype__)
        if isinstance(wanted, typing.TypeVar):
            return self.node(wanted.__bound__ or Any)
        if type(wanted).__name__ == "TypeAliasType":
            return self.node(wanted.__value__)
        if not isinstance(wanted, type):
            raise TypeError(f"{type_text(wanted)} can't be decoded")
        return self.by_class(wanted)

    def generic(self, wanted: Any, origin: Any, arguments: tuple[Any, ...]) -> tuple[str, Any]:
        if origin is typing.Annotated:
            return self.node(arguments[0])
        if _form(origin) in _QUALIFIERS:
            return self.node(arguments[0])
        if origin is typing.Union or origin is types.UnionType:
            return self.union(wanted, arguments)
        if origin is typing.Literal:
            return "one of", {(type(value), value): value for value in arguments}
        if origin in _LISTS:
            return "list", self.index(arguments[0] if arguments else Any)
        if origin in _SETS:
            return "set", self.index(arguments[0] if arguments else Any)
        if origin is frozenset:
            return "frozenset", self.index(arguments[0] if arguments else Any)
        if origin is tuple:
            if not arguments:
                return "tuple of", self.index(Any)
            if len(arguments) == 2 and arguments[1] is ...:
                return "tuple of", self.index(arguments[0])
            items = [] if arguments == ((),) else [self.index(item) for item in arguments]
            return "tuple", items
        if origin in _DICTS:
            key, value = arguments if arguments else (Any, Any)
            return "dict", (self.index(key), self.index(value))
        if _is_ndarray(origin):
            return self.by_class(origin)
        if isinstance(origin, type):
            return self.by_class(origin, dict(zip(_parameters(origin), arguments)))
        raise TypeError(f"{type_text(wanted)} can't be decoded")

    def by_class(self, cls: type, variables: dict[Any, Any] | None = None) -> tuple[str, Any]:
        if issubclass(cls, enum.Enum):
            return "one of", {(type(member.value), member.value): member for member in cls}
        if dataclasses.is_dataclass(cls):
            return self.dataclass(cls, variables or {})
        if hasattr(cls, "__attrs_attrs__"):
            return self.attrs(cls)
        if typing.is_typeddict(cls):
            return self.typed_dict(cls)
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            return self.named_tuple(cls)
        if hasattr(cls, "__pydantic_validator__"):
            return "convert", (self.index(Any), cls.model_validate)  # type: ignore[attr-defined]
        if cls in (Ext, Timestamp):
            return "convert", (self.index(Any), _instance_of(cls))
        converter = _CONVERTERS.get(cls)
        if converter is None and _is_ndarray(cls):
            converter = _to_ndarray
        if converter is None:
            raise TypeError(f"{type_text(cls)} can't be decoded")
        return "convert", (self.index(Any), converter)

    # Objects.

    def dataclass(self, cls: Any, variables: dict[Any, Any]) -> tuple[str, Any]:
        hints = _hints(cls)
        direct = _is_plain(cls) and not _has_init_vars(cls)
        fields = []
        for field in dataclasses.fields(cls):
            kind, default = _default(field.default, field.default_factory, dataclasses.MISSING)
            if not field.init:
                if direct and kind != "required":
                    fields.append((field.name, b"\xff", self.index(Any), kind, default))
                continue
            if not direct and kind != "required":
                kind, default = "absent", None
            hint = hints.get(field.name, Any)
            node = self.index(variables.get(hint, hint))
            fields.append((field.name, field.name.encode(), node, kind, default))
        if not direct:
            for name, hint in hints.items():
                if isinstance(hint, dataclasses.InitVar):
                    kind = "absent" if hasattr(cls, name) else "required"
                    fields.append((name, name.encode(), self.index(hint.type), kind, None))
        post_init = getattr(cls, "__post_init__", None) if direct else None
        return "object", (cls, fields, "direct" if direct else "call", post_init, self.closed)

    def attrs(self, cls: Any) -> tuple[str, Any]:
        import attrs

        hints = _hints(cls)
        fields = []
        for field in cls.__attrs_attrs__:
            if not field.init:
                continue
            kind = "required" if field.default is attrs.NOTHING else "absent"
            node = self.index(hints.get(field.name, Any))
            fields.append((field.alias, field.name.encode(), node, kind, None))
        return "object", (cls, fields, "call", None, self.closed)

    def typed_dict(self, cls: Any) -> tuple[str, Any]:
        hints = typing.get_type_hints(cls, include_extras=True)
        fields = []
        for name, hint in hints.items():
            # With annotations as strings the class itself doesn't know.
            marked = _form(typing.get_origin(hint))
            required = name in cls.__required_keys__ and marked != "NotRequired"
            kind = "required" if required or marked == "Required" else "absent"
            fields.append((name, name.encode(), self.index(hint), kind, None))
        return "object", (cls, fields, "dict", None, self.closed)

    def named_tuple(self, cls: Any) -> tuple[str, Any]:
        hints = _hints(cls)
        names = cls._fields
        wanted = [hints.get(name, Any) for name in names]
        fields = [
            (name, name.encode(), self.index(hint),
             "absent" if name in cls._field_defaults else "required", None)
            for name, hint in zip(names, wanted)
        ]  # fmt: skip
        of_map = self.add("object", cls, (cls, fields, "call", None, self.closed))
        items = self.add("tuple", cls, [self.index(hint) for hint in wanted])
        of_array = self.add("convert", cls, (items, cls._make))
        return "union", _choices(array=of_array, map=of_map)

    def add(self, kind: str, wanted: Any, arguments: Any) -> int:
        self.nodes.append((kind, type_text(wanted), arguments))
        return len(self.nodes) - 1

    # Unions.

    def union(self, wanted: Any, members: tuple[Any, ...]) -> tuple[str, Any]:
        choices: dict[str, int] = {}
        maps: list[Any] = []
        literals: list[Any] = []
        for member in members:
            if typing.get_origin(member) is typing.Literal:
                literals += typing.get_args(member)
                continue
            if _is_object(member):
                maps.append(member)
                continue
            place = self.index(member)
            for kind in self.kinds(place):
                if kind in choices:
                    raise TypeError(
                        f"{type_text(wanted)}: two of its types are a {kind} when packed"
                    )
                choices[kind] = place
        if literals:
            node = self.add("one of", wanted, {(type(value), value): value for value in literals})
            for kind in {_SIMPLE[type(value)] for value in literals}:
                if kind in choices:
                    raise TypeError(
                        f"{type_text(wanted)}: two of its types are a {kind} when packed"
                    )
                choices[kind] = node
        if "float" in choices and "int" not in choices:
            choices["int"] = choices["float"]
        if maps:
            if "map" in choices:
                raise TypeError(f"{type_text(wanted)}: two of its types are a map when packed")
            choices["map"] = self.index(maps[0]) if len(maps) == 1 else self.tagged(wanted, maps)
        return "union", _choices(**choices)

    def kinds(self, place: int) -> tuple[str, ...]:
        """The kinds of values that a node takes."""
        node = self.nodes[place]
        if node is None:
            raise TypeError("a type that contains itself must do so within a class")
        kind, _, arguments = node
        if kind in KINDS:
            return (kind,)
        if kind in ("list", "set", "frozenset", "tuple of", "tuple"):
            return ("array",)
        if kind in ("dict", "object", "tagged"):
            return ("map",)
        if kind == "one of":
            return tuple({_SIMPLE.get(cls, "array") for cls, _ in arguments})
        if kind == "union":
            return tuple(name for name, choice in zip(KINDS, arguments) if choice is not None)
        if kind == "convert":
            return _CONVERTED_KINDS.get(arguments[1], KINDS)
        return KINDS

    def tagged(self, wanted: Any, members: list[Any]) -> int:
        """Objects that are told apart by a field with a Literal type of its own in each."""
        tags = [_literal_fields(member) for member in members]
        for name in tags[0]:
            if not all(name in tag for tag in tags):
                continue
            values = [value for tag in tags for value in tag[name]]
            if len({(type(value), value) for value in values}) == len(values):
                choices = {
                    (type(value), value): self.index(member)
                    for member, tag in zip(members, tags)
                    for value in tag[name]
                }
                return self.add("tagged", wanted, (name.encode(), choices))
        raise TypeError(
            f"{type_text(wanted)}: its classes need a field with a Literal of its own in each"
        )


def _choices(**choices: int) -> list[int | None]:
    return [choices.get(kind) for kind in KINDS]


def _hints(cls: Any) -> dict[str, Any]:
    if sys.version_info < (3, 11) and dataclasses.is_dataclass(cls) and _has_init_vars(cls):
        # Python 3.10 takes no InitVar for a type when annotations are strings.
        names = vars(sys.modules[cls.__module__])
        texts = [vars(base).get("__annotations__", {}) for base in reversed(type.mro(cls))]  # type: ignore[arg-type]
        found = {name: hint for text in texts for name, hint in text.items()}
        return {n: eval(h, names) if isinstance(h, str) else h for n, h in found.items()}
    return typing.get_type_hints(cls, include_extras=True)


def _form(origin: Any) -> str | None:
    """The name of one of typing's special forms."""
    return getattr(origin, "_name", None)


def _parameters(cls: Any) -> tuple[Any, ...]:
    return getattr(cls, "__parameters__", ())


def _default(value: Any, factory: Any, missing: Any) -> tuple[str, Any]:
    if value is not missing:
        return "value", value
    if factory is not missing:
        return "factory", factory
    return "required", None


def _is_plain(cls: Any) -> bool:
    """Whether objects can be allocated and their fields set, as the generated class does it."""
    if type(cls) is not type and type(cls).__call__ is not type.__call__:
        return False
    if cls.__new__ is not object.__new__ or cls.__setattr__ is not object.__setattr__:
        frozen = cls.__dataclass_params__.frozen
        if cls.__new__ is not object.__new__ or not frozen:
            return False
    # An __init__ that was written by hand has to be called.
    return bool(cls.__dataclass_params__.init)


def _has_init_vars(cls: Any) -> bool:
    return any(
        field._field_type is dataclasses._FIELD_INITVAR  # type: ignore[attr-defined]
        for field in cls.__dataclass_fields__.values()
    )


def _is_object(wanted: Any) -> bool:
    cls = typing.get_origin(wanted) or wanted
    return isinstance(cls, type) and (
        dataclasses.is_dataclass(cls) or hasattr(cls, "__attrs_attrs__") or typing.is_typeddict(cls)
    )


def _literal_fields(member: Any) -> dict[str, tuple[Any, ...]]:
    hints = _hints(typing.get_origin(member) or member)
    return {
        name: typing.get_args(hint)
        for name, hint in hints.items()
        if typing.get_origin(hint) is typing.Literal
    }


# Values that are more than one kind on the wire, or another than they are in Python.


def _to_datetime(value: Any) -> datetime.datetime:
    if isinstance(value, datetime.datetime):
        return value
    if isinstance(value, str):
        text = value[:-1] + "+00:00" if value.endswith(("Z", "z")) else value
        return datetime.datetime.fromisoformat(text)
    raise TypeError(f"got {type_text(type(value))}")


def _from_text(cls: Any, parse: Any) -> Any:
    def convert(value: Any) -> Any:
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            return parse(value)
        raise TypeError(f"got {type_text(type(value))}")

    return convert


def _to_uuid(value: Any) -> uuid.UUID:
    if isinstance(value, uuid.UUID):
        return value
    if isinstance(value, str):
        return uuid.UUID(value)
    if isinstance(value, bytes) and len(value) == 16:
        return uuid.UUID(bytes=value)
    if isinstance(value, Ext) and value.tag == 85:
        return uuid.UUID(bytes=value.data)
    raise TypeError(f"got {type_text(type(value))}")


def _to_decimal(value: Any) -> decimal.Decimal:
    if isinstance(value, decimal.Decimal):
        return value
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return decimal.Decimal(value)
    if isinstance(value, float):
        return decimal.Decimal(repr(value))
    raise TypeError(f"got {type_text(type(value))}")


def _to_ndarray(value: Any) -> Any:
    import numpy

    if isinstance(value, numpy.ndarray):
        return value
    if isinstance(value, list):
        return numpy.asarray(value)
    raise TypeError(f"got {type_text(type(value))}")


def _is_ndarray(cls: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and cls is numpy.ndarray


def _instance_of(cls: Any) -> Any:
    def convert(value: Any) -> Any:
        if isinstance(value, cls):
            return value
        if cls is Timestamp and isinstance(value, datetime.datetime):
            return Timestamp.from_datetime(value)
        raise TypeError(f"got {type_text(type(value))}")

    return convert


def _to_bytearray(value: Any) -> bytearray:
    if isinstance(value, bytes):
        return bytearray(value)
    raise TypeError(f"got {type_text(type(value))}")


_to_date = _from_text(datetime.date, datetime.date.fromisoformat)
_to_time = _from_text(datetime.time, datetime.time.fromisoformat)
_to_fraction = _from_text(fractions.Fraction, fractions.Fraction)
_CONVERTERS: dict[Any, Any] = {
    datetime.datetime: _to_datetime,
    datetime.date: _to_date,
    datetime.time: _to_time,
    uuid.UUID: _to_uuid,
    decimal.Decimal: _to_decimal,
    fractions.Fraction: _to_fraction,
    bytearray: _to_bytearray,
}
_CONVERTED_KINDS: dict[Any, tuple[str, ...]] = {
    _to_datetime: ("str", "ext"),
    _to_date: ("str", "ext"),
    _to_time: ("str", "ext"),
    _to_uuid: ("str", "bytes", "ext"),
    _to_decimal: ("str", "int", "float", "ext"),
    _to_fraction: ("str", "ext"),
    _to_bytearray: ("bytes",),
    _to_ndarray: ("array", "ext"),
}
