"""What kind of class a class is, and how objects of it are made."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable
from typing import Any

from packord._typing.converters import KINDS, Converter
from packord._typing.names import is_array_like


def is_plain(cls: Any) -> bool:
    """Whether objects can be allocated and their fields set, as the generated class does it."""
    if type(cls) is not type and type(cls).__call__ is not type.__call__:
        return False
    if cls.__new__ is not object.__new__ or cls.__setattr__ is not object.__setattr__:
        frozen = cls.__dataclass_params__.frozen
        if cls.__new__ is not object.__new__ or not frozen:
            return False
    # An __init__ that was written by hand has to be called.
    return bool(cls.__dataclass_params__.init) and _is_generated(cls.__init__)


def _is_generated(init: Any) -> bool:
    code = getattr(init, "__code__", None)
    if code is None:
        return False
    # CPython 3.10 does not say within what the function was made.
    within = getattr(code, "co_qualname", "__create_fn__")
    return bool(code.co_filename == "<string>" and within.startswith("__create_fn__"))


def setting_later(cls: Any, names: list[str]) -> Callable[..., Any]:
    """What makes objects of a class, and sets the fields that ``__init__`` does not take."""

    def make(**values: Any) -> Any:
        later = {name: values.pop(name) for name in names if name in values}
        result = cls(**values)
        for name, value in later.items():
            object.__setattr__(result, name, value)
        return result

    return make


def is_named_tuple(cls: Any) -> bool:
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")


def is_typed_dict(cls: Any) -> bool:
    return hasattr(cls, "__required_keys__") and hasattr(cls, "__total__")


def is_object(wanted: Any) -> bool:
    cls = typing.get_origin(wanted) or wanted
    return isinstance(cls, type) and (
        dataclasses.is_dataclass(cls)
        or hasattr(cls, "__attrs_attrs__")
        or is_typed_dict(cls)
        or (is_model(cls) and model_kinds(cls) == ("map",))
        or (hasattr(cls, "__struct_config__") and not is_array_like(cls))
    )


def is_of_msgspec(cls: Any, *names: str) -> bool:
    return getattr(cls, "__module__", "") == "msgspec" and getattr(cls, "__name__", "") in names


def is_model(cls: Any) -> bool:
    """Whether pydantic validates the class: a model, or a dataclass of its own."""
    return hasattr(cls, "__pydantic_validator__")


def model_kinds(cls: Any) -> tuple[str, ...]:
    # The root of a root model can be anything.
    return KINDS if getattr(cls, "__pydantic_root_model__", False) else ("map",)


def validator_of(wanted: Any) -> Converter:
    """What makes a value by pydantic's own validator, from names of fields and from aliases."""
    import pydantic

    adapter = pydantic.TypeAdapter(wanted)

    def validate(value: Any) -> Any:
        try:
            return adapter.validate_python(value, by_alias=True, by_name=True)
        except TypeError as error:
            if "by_alias" not in str(error):
                raise
            # A pydantic before 2.11 takes what the model's configuration says.
            return adapter.validate_python(value)

    return validate
