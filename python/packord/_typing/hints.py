"""The annotations of classes, with type variables filled in."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import types
import typing
from typing import Any


def hints_of(
    cls: Any, variables: dict[Any, Any] | None = None, *, others: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The annotations of a class by name, with all type variables filled in. ``others``: what names
    stand for that the class's module does not have."""
    found = _hints(cls, others)
    bound = _variables_by_name(cls, variables or {})
    return {name: filled_in(hint, bound.get(name, {})) for name, hint in found.items()}


def value_of(alias: Any) -> Any:
    """The type that a type alias stands for, with names in it resolved."""
    names = vars(sys.modules[alias.__module__]) if alias.__module__ in sys.modules else {}
    holder = types.SimpleNamespace(__annotations__={"value": alias.__value__})
    return typing.get_type_hints(holder, globalns=names, include_extras=True)["value"]


def filled_in(hint: Any, variables: dict[Any, Any]) -> Any:
    if isinstance(hint, dataclasses.InitVar):
        return dataclasses.InitVar(filled_in(hint.type, variables))
    try:
        if hint in variables:
            return variables[hint]
    except TypeError:
        # An `Annotated` whose metadata cannot be hashed.
        pass
    parameters = parameters_of(hint)
    # To Python 3.10, `list[T]` is a type.
    is_class = isinstance(hint, type) and not isinstance(hint, types.GenericAlias)
    if not variables or is_class or not parameters:
        return hint
    return hint[tuple(variables.get(parameter, parameter) for parameter in parameters)]


def parameters_of(cls: Any) -> tuple[Any, ...]:
    return getattr(cls, "__parameters__", ())


def _variables_by_name(cls: Any, variables: dict[Any, Any]) -> dict[str, dict[Any, Any]]:
    """For each annotated name, what type variables stand for: a base has others than its class."""
    result: dict[str, dict[Any, Any]] = {}
    own = vars(cls).get("__annotations__") or inspect.get_annotations(cls)
    bases = vars(cls).get("__orig_bases__") or cls.__bases__
    inherited = {}
    for base in reversed(bases):
        origin = typing.get_origin(base) or base
        if not isinstance(origin, type) or origin in (object, typing.Generic):
            continue
        values = [filled_in(value, variables) for value in typing.get_args(base)]
        result.update(_variables_by_name(origin, dict(zip(parameters_of(origin), values))))
        inherited.update(inspect.get_annotations(origin))
    for name, hint in own.items():
        # A TypedDict lists the annotations of its bases as its own.
        if name not in result or inherited.get(name) is not hint:
            result[name] = variables
    return result


def _hints(cls: Any, others: dict[str, Any] | None) -> dict[str, Any]:
    if sys.version_info < (3, 11) and dataclasses.is_dataclass(cls) and has_init_vars(cls):
        # Python 3.10 takes no InitVar for a type when annotations are strings.
        names = vars(sys.modules[cls.__module__]) | (others or {})
        texts = [vars(base).get("__annotations__", {}) for base in reversed(type.mro(cls))]  # type: ignore[arg-type]
        found = {name: hint for text in texts for name, hint in text.items()}
        return {n: eval(h, names) if isinstance(h, str) else h for n, h in found.items()}
    return typing.get_type_hints(cls, localns=others or None, include_extras=True)


def has_init_vars(cls: Any) -> bool:
    """Whether the dataclass has fields that only its ``__init__`` sees."""
    return any(
        field._field_type is dataclasses._FIELD_INITVAR  # type: ignore[attr-defined]
        for field in cls.__dataclass_fields__.values()
    )
