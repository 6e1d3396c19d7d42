"""What the fields of classes are called on the wire."""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from packord._typing.hints import hints_of

Rename = Callable[[str], str]
# By name: the first two are of Python 3.11 and later, and of ``typing_extensions`` before.
QUALIFIERS = ("NotRequired", "Required", "ReadOnly", "Final", "ClassVar")


@dataclasses.dataclass(frozen=True)
class Field:
    """Within ``Annotated``: the name that a field has on the wire, when reading and writing.

    >>> import dataclasses, typing, packord
    >>> @dataclasses.dataclass
    ... class User:
    ...     id: typing.Annotated[int, Field(name="userID")]
    >>> packord.packb(User(1))
    b'\\x81\\xa6userID\\x01'
    """

    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError("the name of a field is a str")


def _words(name: str) -> list[str]:
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return [word.lower() for word in parted.split("_") if word]


def _title(words: Iterable[str]) -> str:
    return "".join(word[:1].upper() + word[1:] for word in words)


_STYLES: dict[str, Callable[[list[str]], str]] = {
    "camel": lambda words: "".join(words[:1]) + _title(words[1:]),
    "pascal": _title,
    "kebab": "-".join,
    "snake": "_".join,
}


def renamer(rename: Any) -> Rename | None:
    if rename is None:
        return None
    style = _STYLES.get(rename) if isinstance(rename, str) else None
    if style is not None:
        return lambda name: _styled(style, name)
    if not callable(rename):
        styles = ", ".join(map(repr, _STYLES))
        raise ValueError(f"rename must be one of {styles} or a callable, not {rename!r}")
    return lambda name: _checked(rename, name)


def _styled(style: Callable[[list[str]], str], name: str) -> str:
    # Underscores at the beginning say something else than the end of a word.
    return "_" * (len(name) - len(name.lstrip("_"))) + style(_words(name))


def _checked(rename: Callable[[str], Any], name: str) -> str:
    key = rename(name)
    if not isinstance(key, str):
        raise TypeError(f"rename must return a str, not {key!r}")
    return key


def keys_of(
    cls: Any, names: Iterable[str], hints: Mapping[str, Any], rename: Rename | None
) -> dict[str, str]:
    """The keys of a class's fields by the names of the attributes. A name that the class itself
    gives comes before ``rename``. ``TypeError`` when two keys are equal."""
    metadata = _metadata(cls)
    result: dict[str, str] = {}
    is_map = not is_array_like(cls)
    taken = {key for key, _ in struct_tag(cls)} if is_map else set()
    for name in names:
        given = metadata.get(name, {}).get("packord_name")
        key = given if isinstance(given, str) else _in_hint(hints.get(name))
        if key is None:
            key = rename(name) if rename else name
        if key in taken and is_map:
            raise TypeError(f"two fields of {cls.__name__} are named {key!r}")
        taken.add(key)
        result[name] = key
    return result


def _metadata(cls: Any) -> dict[str, Mapping[Any, Any]]:
    if dataclasses.is_dataclass(cls):
        # With those that only `__init__` sees.
        return {name: field.metadata for name, field in cls.__dataclass_fields__.items()}
    if hasattr(cls, "__struct_config__"):
        pairs = zip(cls.__struct_fields__, cls.__struct_encode_fields__)
        return {name: {"packord_name": key} for name, key in pairs if name != key}
    return {field.name: field.metadata for field in getattr(cls, "__attrs_attrs__", ())}


def struct_tag(cls: Any) -> list[tuple[str, Any]]:
    """The key of the tag of a ``msgspec.Struct`` and its value, if it has one."""
    config = getattr(cls, "__struct_config__", None)
    return [] if config is None or config.tag is None else [(config.tag_field, config.tag)]


def is_array_like(cls: Any) -> bool:
    """Whether the class is a ``msgspec.Struct`` whose objects are arrays."""
    return hasattr(cls, "__struct_config__") and bool(cls.__struct_config__.array_like)


def _in_hint(hint: Any) -> str | None:
    if isinstance(hint, dataclasses.InitVar):
        return _in_hint(hint.type)
    origin = typing.get_origin(hint)
    if origin is Annotated:
        for item in hint.__metadata__:
            if isinstance(item, Field):
                return item.name
        return _in_hint(hint.__origin__)
    if getattr(origin, "_name", None) in QUALIFIERS:
        return _in_hint(typing.get_args(hint)[0])
    return None


def packed_names(cls: Any) -> tuple[str, ...]:
    """The attributes that are packed of instances of a class."""
    if hasattr(cls, "__struct_config__"):
        return tuple(cls.__struct_fields__)
    if dataclasses.is_dataclass(cls):
        return tuple(field.name for field in dataclasses.fields(cls))
    return tuple(field.name for field in cls.__attrs_attrs__)


def packed_keys(cls: Any, rename: Rename | None) -> dict[str, str]:
    names = packed_names(cls)
    if hasattr(cls, "__pydantic_validator__"):
        # Its own validator reads it, by its own names.
        return {name: name for name in names}
    return keys_of(cls, names, _known_hints(cls), rename)


class _UnknownName(Exception):
    """The annotation may give a name to its field, but it can't be resolved."""


class _Unknown:
    """Stands for a name in an annotation that only a type checker can resolve."""

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if "name" in keywords or (arguments and isinstance(arguments[0], str)):
            # It may be a `Field` that was imported within a function.
            raise _UnknownName
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, _: Any) -> Any:
        return self

    def __or__(self, other: Any) -> Any:
        return self

    __ror__ = __or__


def _known_hints(cls: Any) -> dict[str, Any]:
    """The annotations, as far as they can be resolved: packing needs no types."""
    unknown: dict[str, Any] = {}
    while True:
        try:
            return hints_of(cls, others=unknown)
        except NameError as error:
            if error.name is None or error.name in unknown:
                return {}
            unknown[error.name] = _Unknown()
        except _UnknownName:
            names = ", ".join(unknown)
            raise TypeError(f"the names of {cls.__name__}'s fields need {names}") from None
        except Exception:
            # Something in the annotations is not a type.
            return {}


class ClassNames(dict[type, tuple[str, ...]]):
    """For an encoder with ``rename`` or ``tag``: the keys of each class, in the order of its
    fields. Before them come the name of the tag and its value, if the class is tagged."""

    def __init__(self, rename: Any, tag: Any) -> None:
        self._rename = renamer(rename)
        self._tag = tag_name(tag)

    def __missing__(self, cls: type) -> tuple[str, ...]:
        keys = (*(key for key, _ in struct_tag(cls)), *packed_keys(cls, self._rename).values())
        tagged = self._tag is not None and self._tag not in keys
        found = (self._tag, cls.__name__, *keys) if self._tag is not None and tagged else keys
        self[cls] = found
        return found


def tag_name(tag: Any) -> str | None:
    if tag is not None and not isinstance(tag, str):
        raise TypeError(f"tag must be a str, not {tag!r}")
    return tag
