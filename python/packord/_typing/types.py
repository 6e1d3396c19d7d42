"""Describes types for ``Decoder(T)``: annotations in, nodes out (``src/typed/plan.rs``)."""

from __future__ import annotations

import collections
import dataclasses
import enum
import types
import typing
from collections.abc import Callable
from typing import Any

from packord._arrays import array_reader
from packord._packord import Fragment
from packord._typing.classes import (
    is_model,
    is_named_tuple,
    is_object,
    is_of_msgspec,
    is_plain,
    is_typed_dict,
    model_kinds,
    setting_later,
    validator_of,
)
from packord._typing.constraints import checks_of
from packord._typing.converters import (
    KINDS,
    Converter,
    Kinds,
    chooser,
    converter_of,
    few_kinds,
    first_that_fits,
    is_ndarray,
    name_of,
    set_converter,
)
from packord._typing.hints import filled_in, has_init_vars, hints_of, parameters_of, value_of
from packord._typing.lax import SCALARS, has_text, in_order, lax_choices, lax_converter
from packord._typing.names import (
    QUALIFIERS,
    is_array_like,
    keys_of,
    renamer,
    struct_tag,
    tag_name,
)
from packord._typing.unions import tell_apart

Node = tuple[str, str, Any]
# The kind of a node and its arguments.
Described = tuple[str, Any]
# Name, key, node, default kind, default; see `src/typed/plan.rs`.
Field = tuple[str, bytes, int, str, Any]
_SIMPLE: dict[Any, str] = {
    type(None): "nil",
    None: "nil",
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    bytes: "bytes",
    memoryview: "memoryview",
}
_LISTS: tuple[Any, ...] = (
    list,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Collection,
    collections.abc.Iterable,
)
_SETS = (set, collections.abc.Set, collections.abc.MutableSet)
_DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_CONTAINERS = (*_LISTS, *_SETS, *_DICTS, tuple, frozenset, collections.deque)


@dataclasses.dataclass(frozen=True)
class Settings:
    """The keywords of a decoder that have to do with types.

    ``forbid_unknown_fields``: keys that no field has are an error. ``dec_hook``: called with a type
    that nothing else reads, and the plain value; returns the value of the type. ``rename``: what
    the fields of classes are called on the wire. ``tag``: the key whose value is the name of an
    object's class. ``strict``: text does not stand for numbers and the like. ``few_kinds``: nor do
    numbers stand for durations.
    """

    forbid_unknown_fields: bool = False
    dec_hook: Callable[[Any, Any], Any] | None = None
    rename: Any = None
    tag: str | None = None
    strict: bool = True
    few_kinds: bool = False

    def __post_init__(self) -> None:
        if self.dec_hook is not None and not callable(self.dec_hook):
            raise TypeError("dec_hook must be callable")
        tag_name(self.tag)
        renamer(self.rename)


def describe(wanted: Any, **keywords: Any) -> list[Node] | None:
    """The nodes of a type, itself first; ``None`` for ``Any``. ``TypeError``, with the path of the
    field, if it has none. The keywords are those of ``Settings``.
    """
    settings = Settings(**keywords)
    if wanted in (Any, object, ...):
        return None
    writer = _Describer(settings)
    try:
        writer.index(wanted)
        writer.tell_apart()
    except RecursionError:
        raise TypeError(f"{type_text(wanted)} contains ever larger types") from None
    except TypeError as error:
        if not writer.trail:
            raise
        raise TypeError(f"${''.join(writer.trail)}: {error}") from error
    return [_plain(node) for node in writer.nodes if node is not None]


def _plain(node: Node) -> Node:
    kind, name, arguments = node
    # What a conversion takes is of use here only.
    return (kind, name, arguments[:2]) if kind == "convert" else node


def type_text(wanted: Any) -> str:
    if typing.get_origin(wanted) is None and isinstance(wanted, type):
        return "None" if wanted is type(None) else wanted.__name__
    return str(wanted).replace("typing.", "")


class _Describer:
    def __init__(self, settings: Settings) -> None:
        self.nodes: list[Node | None] = []
        self.known: dict[Any, int] = {}
        self.settings = settings
        self.rename = renamer(settings.rename)
        # The converters of lax mode: the kinds that stand for others, and for those of classes what
        # they are otherwise.
        self.lax_kinds: dict[Converter, Kinds] = {}
        self.strict_of: dict[Converter, Converter] = {}
        # The way to the type at work; it stays where a type is refused.
        self.trail: list[str] = []
        # Unions of objects, with the way to each: they are told apart when all fields are known.
        self.unions: list[tuple[int, list[Any], list[str]]] = []

    def within(self, step: str, wanted: Any) -> int:
        self.trail.append(step)
        place = self.index(wanted)
        self.trail.pop()
        return place

    def convert(
        self, converter: Converter, kinds: tuple[str, ...], inner: int | None = None
    ) -> Described:
        """A conversion of what a node reads, by default of any value, with the kinds of values that
        it takes."""
        return "convert", (self.index(Any) if inner is None else inner, converter, kinds)

    def index(self, wanted: Any) -> int:
        try:
            key: Any = (wanted, type(wanted))
            if key in self.known:
                return self.known[key]
        except TypeError:
            key = None
        place = len(self.nodes)
        # What these take is known before their fields are, which may have their type.
        cls = typing.get_origin(wanted) or wanted
        known = "named tuple" if is_named_tuple(cls) else "row" if is_array_like(cls) else ""
        self.nodes.append((known, type_text(wanted), None) if known else None)
        if key is not None:
            self.known[key] = place
        kind, arguments = self.node(wanted)
        self.nodes[place] = (kind, type_text(wanted), arguments)
        return place

    def finished(self, wanted: Any) -> int:
        """The index of a node that is complete. A container that contains itself by way of a union
        is still being described: it gets a second node."""
        place = self.index(wanted)
        if self.nodes[place] is None and typing.get_origin(wanted) in _CONTAINERS:
            del self.known[wanted, type(wanted)]
            return self.index(wanted)
        return place

    def node(self, wanted: Any) -> Described:
        if wanted is Any or wanted is object:
            return "any", None
        if wanted in _SIMPLE:
            kind = _SIMPLE[wanted]
            lax = None if self.settings.strict else SCALARS.get(kind)
            return self.lax(wanted, kind, lax) if lax else (kind, None)
        origin = typing.get_origin(wanted)
        if origin is not None or wanted in _CONTAINERS:
            return self.generic(wanted, origin or wanted, typing.get_args(wanted))
        if isinstance(wanted, typing.NewType):
            return self.node(wanted.__supertype__)
        if isinstance(wanted, typing.TypeVar):
            if wanted.__constraints__:
                return self.node(typing.Union[wanted.__constraints__])
            return self.node(wanted.__bound__ or Any)
        if type(wanted).__name__ == "TypeAliasType":
            return self.node(value_of(wanted))
        if not isinstance(wanted, type):
            return self.unknown(wanted)
        return self.by_class(wanted)

    def lax(self, wanted: Any, kind: str, others: dict[str, Converter]) -> Described:
        """A simple type that values of other kinds can stand for."""
        choices = {kind: self.add(wanted, (kind, None))}
        if kind == "float":
            choices["int"] = choices["float"]
        for other, converter in others.items():
            choices[other] = self.add(wanted, self.convert(converter, (other,)))
            self.lax_kinds[converter] = (other,)
        return "union", _choices(**choices)

    def one_of(self, choices: dict[Any, Any]) -> Described:
        return "one of", choices if self.settings.strict else lax_choices(choices)

    def unknown(self, wanted: Any) -> Described:
        """A type that nothing here reads."""
        hook = self.settings.dec_hook
        if hook is None:
            raise TypeError(f"{type_text(wanted)} can't be decoded")

        def read(value: Any) -> Any:
            found = hook(wanted, value)
            is_class = isinstance(wanted, type) and not getattr(wanted, "_is_protocol", False)
            if is_class and not isinstance(found, wanted):
                raise TypeError(f"dec_hook returned {name_of(type(found))}")
            return found

        return self.convert(read, KINDS)

    def generic(self, wanted: Any, origin: Any, arguments: tuple[Any, ...]) -> Described:
        if origin is typing.Annotated:
            return self.annotated(wanted)
        if _form(origin) in QUALIFIERS:
            return self.node(arguments[0])
        if origin is typing.Union or origin is types.UnionType:
            return self.union(wanted, arguments)
        if origin is typing.Literal:
            return self.one_of({(type(value), value): value for value in arguments})
        item = arguments[0] if arguments else Any
        if origin in _LISTS:
            return "list", self.within("[]", item)
        if origin in _SETS or origin is frozenset:
            cls = frozenset if origin is frozenset else set
            of_array = self.add(wanted, (cls.__name__, self.within("[]", item)))
            keywords = vars(self.settings).copy()
            # Not of those who read ext values.
            del keywords["few_kinds"]
            reader = set_converter(item, cls, keywords)
            of_ext = self.add(wanted, self.convert(reader, ("ext",)))
            return "union", _choices(array=of_array, ext=of_ext)
        if origin is collections.deque:
            of_list = self.add(wanted, ("list", self.within("[]", item)))
            return self.convert(collections.deque, ("array",), of_list)
        if origin is tuple:
            if not arguments:
                return "tuple of", self.index(Any)
            if len(arguments) == 2 and arguments[1] is ...:
                return "tuple of", self.index(arguments[0])
            parts = () if arguments == ((),) else arguments
            items = [self.within(f"[{place}]", part) for place, part in enumerate(parts)]
            return "tuple", (items, len(items), None)
        if origin in _DICTS:
            key, value = arguments if arguments else (Any, Any)
            return "dict", (self.within("{key}", key), self.within("{}", value))
        if is_ndarray(origin):
            return self.ndarray(arguments)
        if isinstance(origin, type):
            return self.by_class(origin, dict(zip(parameters_of(origin), arguments)))
        if type(origin).__name__ == "TypeAliasType":
            variables = dict(zip(origin.__type_params__, arguments))
            return self.node(filled_in(value_of(origin), variables))
        return self.unknown(wanted)

    def ndarray(self, arguments: tuple[Any, ...]) -> Described:
        """An array of numpy, of any shape: its arguments are the shape's type and `dtype[…]`."""
        element = next(iter(typing.get_args(arguments[-1])), None) if arguments else None
        element = None if element is Any or not isinstance(element, type) else element
        reader = array_reader(element, self.settings.strict)
        return self.convert(reader, ("array", "ext"))

    def annotated(self, wanted: Any) -> Described:
        checks = checks_of(wanted.__metadata__)
        if not checks:
            return self.node(wanted.__origin__)
        inner = self.index(wanted.__origin__)

        def check(value: Any) -> Any:
            # A constraint of an optional value is one of the value.
            if value is not None:
                for each in checks:
                    each(value)
            return value

        return self.convert(check, self.kinds(inner), inner)

    def by_class(self, cls: type, variables: dict[Any, Any] | None = None) -> Described:
        variables = variables or {}
        if issubclass(cls, enum.Enum):
            return self.enumeration(cls)
        if hasattr(cls, "__pydantic_validator__"):
            return self.convert(validator_of(cls), model_kinds(cls))
        if hasattr(cls, "__fields__") and hasattr(cls, "parse_obj"):
            # A model of pydantic 1.
            return self.convert(cls.parse_obj, ("map",))
        if hasattr(cls, "__struct_config__"):
            return self.struct(cls, variables)
        if dataclasses.is_dataclass(cls):
            return self.dataclass(cls, variables)
        if hasattr(cls, "__attrs_attrs__"):
            return self.attrs(cls, variables)
        if is_typed_dict(cls):
            return self.typed_dict(cls, variables)
        if is_named_tuple(cls):
            return self.named_tuple(cls, variables)
        if is_ndarray(cls):
            return self.ndarray(())
        if cls is Fragment or is_of_msgspec(cls, "Raw"):
            return "packed", cls
        found = converter_of(cls)
        if found is None:
            return self.unknown(cls)
        if self.settings.few_kinds:
            found = few_kinds(cls, *found)
        if not self.settings.strict:
            strict, kinds = found
            found = lax_converter(cls, *found)
            self.strict_of[found[0]] = strict
            self.lax_kinds[found[0]] = tuple({*found[1]} - {*kinds})
        return self.convert(*found)

    def enumeration(self, cls: Any) -> Described:
        members = {(type(member.value), member.value): member for member in cls}
        kinds = {_SIMPLE.get(type(member.value), "array") for member in cls}
        if issubclass(cls, enum.Flag):
            # Members are combined: more values than there are members.
            return self.convert(cls, ("int",), self.index(int))
        if "_missing_" in {name for base in cls.__mro__[:-1] for name in vars(base)
                           if base is not enum.Enum}:  # fmt: skip
            if not self.settings.strict and kinds - {"str"}:
                converter = chooser(lax_choices(members), cls)
                self.lax_kinds[converter] = tuple({"str"} - kinds)
                return self.convert(converter, (*kinds, "str"))
            return self.convert(cls, tuple(kinds))
        return self.one_of(members)

    # Objects.

    def dataclass(self, cls: Any, variables: dict[Any, Any]) -> Described:
        hints = hints_of(cls, variables)
        keys = keys_of(cls, cls.__dataclass_fields__, hints, self.rename)
        direct = is_plain(cls) and not has_init_vars(cls)
        fields = []
        # Those that are not arguments of `__init__`.
        later: list[str] = []
        for field in dataclasses.fields(cls):
            kind, default = _default(field.default, field.default_factory, dataclasses.MISSING)
            if not field.init:
                later.append(field.name)
                kind = "absent" if kind == "required" else kind
            if not direct and kind != "required":
                kind, default = "absent", None
            hint = hints.get(field.name, Any)
            node = self.within(f".{field.name}", hint)
            fields.append((field.name, keys[field.name].encode(), node, kind, default))
        if not direct:
            for name, hint in hints.items():
                if isinstance(hint, dataclasses.InitVar):
                    kind = "absent" if hasattr(cls, name) else "required"
                    node = self.within(f".{name}", hint.type)
                    fields.append((name, keys[name].encode(), node, kind, None))
        if direct:
            post_init = getattr(cls, "__post_init__", None)
            return self.object(cls, fields, "direct", post_init)
        kind, arguments = self.object(cls, fields, "call")
        return kind, (setting_later(cls, later) if later else cls, *arguments[1:])

    def struct(self, cls: Any, variables: dict[Any, Any]) -> Described:
        import msgspec

        config, hints = cls.__struct_config__, hints_of(cls, variables)
        keys = keys_of(cls, cls.__struct_fields__, hints, self.rename)
        fields: list[Field] = []
        for key, value in struct_tag(cls):
            node = self.add(cls, ("one of", {(type(value), value): value}))
            fields.append((key, key.encode(), node, "skipped", None))
        for field in msgspec.structs.fields(cls):
            kind, default = _default(field.default, field.default_factory, msgspec.NODEFAULT)
            node = self.within(f".{field.name}", hints.get(field.name, Any))
            fields.append((field.name, keys[field.name].encode(), node, kind, default))
        closed = config.forbid_unknown_fields or self.settings.forbid_unknown_fields
        post_init = getattr(cls, "__post_init__", None)
        if config.array_like:
            return "row", (cls, fields, "direct", post_init, closed)
        kind, arguments = self.object(cls, fields, "direct", post_init)
        return kind, (*arguments[:4], closed)

    def object(
        self, cls: Any, fields: list[Field], construction: str, post_init: Any = None
    ) -> Described:
        """An object, whose tag is read with its fields."""
        tag = self.settings.tag
        if tag is not None and tag.encode() not in [key for _, key, *_ in fields]:
            name = cls.__name__
            node = self.add(cls, ("one of", {(str, name): name}))
            fields = [*fields, (tag, tag.encode(), node, "skipped", None)]
        return "object", (cls, fields, construction, post_init, self.settings.forbid_unknown_fields)

    def attrs(self, cls: Any, variables: dict[Any, Any]) -> Described:
        import attrs

        hints = hints_of(cls, variables)
        keys = keys_of(cls, [field.name for field in cls.__attrs_attrs__], hints, self.rename)
        fields = []
        for field in cls.__attrs_attrs__:
            if not field.init:
                continue
            kind = "required" if field.default is attrs.NOTHING else "absent"
            node = self.within(f".{field.name}", hints.get(field.name, Any))
            fields.append((field.alias, keys[field.name].encode(), node, kind, None))
        return self.object(cls, fields, "call")

    def typed_dict(self, cls: Any, variables: dict[Any, Any]) -> Described:
        hints = hints_of(cls, variables)
        keys = keys_of(cls, hints, hints, self.rename)
        fields = []
        for name, hint in hints.items():
            # With annotations as strings the class itself doesn't know.
            marked = _form(typing.get_origin(hint))
            required = name in cls.__required_keys__ and marked != "NotRequired"
            kind = "required" if required or marked == "Required" else "absent"
            fields.append((name, keys[name].encode(), self.within(f".{name}", hint), kind, None))
        return self.object(cls, fields, "dict")

    def named_tuple(self, cls: Any, variables: dict[Any, Any]) -> Described:
        hints = hints_of(cls, variables)
        names = cls._fields
        nodes = [self.within(f".{name}", hints.get(name, Any)) for name in names]
        defaults = cls._field_defaults
        keys = keys_of(cls, names, hints, self.rename)
        fields = [
            (name, keys[name].encode(), node, "absent" if name in defaults else "required", None)
            for name, node in zip(names, nodes)
        ]
        of_map = self.add(cls, self.object(cls, fields, "call"))
        items = self.add(cls, ("tuple", (nodes, len(names) - len(defaults), None)))
        of_array = self.add(cls, self.convert(lambda values: cls(*values), ("array",), items))
        return "union", _choices(array=of_array, map=of_map)

    def add(self, wanted: Any, described: Described) -> int:
        kind, arguments = described
        self.nodes.append((kind, type_text(wanted), arguments))
        return len(self.nodes) - 1

    # Unions.

    def union(self, wanted: Any, members: tuple[Any, ...]) -> Described:
        choices: dict[str, int] = {}
        maps: list[Any] = []
        arrays: list[Any] = []
        literals: list[Any] = []
        places: list[int] = []
        # A field that can be `msgspec.UNSET` is left out, and `Raw` takes nothing from the others.
        members = tuple(
            member for member in members if not is_of_msgspec(member, "UnsetType", "Raw")
        )
        if len(members) == 1:
            return self.node(members[0])
        for member in members:
            if typing.get_origin(member) is typing.Literal:
                literals += typing.get_args(member)
            elif is_object(member):
                maps.append(member)
            elif is_array_like(typing.get_origin(member) or member):
                arrays.append(member)
            else:
                places.append(self.finished(member))
        if arrays:
            places.append(self.array_of(wanted, arrays))
        # A type has the values of its literals too.
        literals = [value for value in literals if type(value) not in members]
        if literals:
            choice = self.one_of({(type(value), value): value for value in literals})
            places.append(self.add(wanted, choice))
        if any(self.node_at(place)[0] == "any" for place in places):
            return "any", None
        for kind in KINDS:
            takers = [self.taker(place, kind) for place in places if kind in self.kinds(place)]
            # A type that takes anything takes what no other does, before text stands for others.
            anything = [place for place in takers if self.kinds(place) == KINDS]
            if anything:
                takers = [place for place in takers if self.is_own(place, kind)]
                takers = [place for place in takers if place not in anything] or anything
            if takers:
                choices[kind] = self.one_taker(wanted, kind, takers)
        if "float" in choices and "int" not in choices:
            choices["int"] = choices["float"]
        if maps:
            if "map" in choices:
                raise TypeError(f"{type_text(wanted)}: two of its types are packed as map")
            choices["map"] = self.object_of(wanted, maps)
        return "union", _choices(**choices)

    def object_of(self, wanted: Any, maps: list[Any]) -> int:
        if len(maps) == 1:
            return self.index(maps[0])
        if all(is_model(member) for member in maps):
            # pydantic tells its own models apart.
            validator = validator_of(typing.Union[tuple(maps)])
            return self.add(wanted, self.convert(validator, ("map",)))
        place = self.add(wanted, ("tagged", None))
        self.unions.append((place, maps, list(self.trail)))
        return place

    def array_of(self, wanted: Any, arrays: list[Any]) -> int:
        if len(arrays) == 1:
            return self.finished(arrays[0])
        tags = {
            (type(value), value): self.index(member)
            for member in arrays
            for _, value in struct_tag(typing.get_origin(member) or member)
        }
        if len(tags) < len(arrays):
            raise TypeError(f"{type_text(wanted)}: each Struct that is an array needs a tag")
        return self.add(wanted, ("headed", tags))

    def one_taker(self, wanted: Any, kind: str, takers: list[int]) -> int:
        """The node that reads values of a kind which these nodes take: the values of an enumeration
        come first, then the conversions are tried in turn, and the kind itself is what is left."""
        own = [place for place in takers if self.is_own(place, kind)]
        names = {place: self.node_at(place)[0] for place in takers}
        # What is lax comes after what is not; text that is of no type may stand for one.
        if kind != "str" or any(names[place] not in ("one of", "convert") for place in own):
            takers = own or takers
        if len(takers) == 1:
            return takers[0]
        few = [place for place in takers if names[place] == "one of"]
        others = [place for place in takers if names[place] == "convert"]
        plain = [place for place in takers if place not in few + others]
        plain = [place for place in plain if names[place] != "memoryview"] or plain
        only = [*plain, *(place for place in few if place in own)]
        if kind in ("array", "map") or len(only) > 1:
            raise TypeError(f"{type_text(wanted)}: two of its types are packed as {kind}")
        # A value that no converter accepts stays as it is; an int is tried first as an int.
        if plain and kind in ("int", "float", "bytes"):
            return plain[0]
        # What is text of a number is not tried as another type if a constraint refuses it.
        parsers = {place: self.lax_within(place, kind) for place in others}
        lax = {parse: self.reader(place, kind, parse) for place, parse in parsers.items() if parse}
        last = [self.reader(place, kind) for place, parse in parsers.items() if not parse]
        if plain:
            last = [*(self.strict_of.get(each, each) for each in last), _as_it_is]
        first = [self.reader(place, kind) for place in few]
        steps = [(each, None) for each in first] + in_order(lax) + [(each, None) for each in last]
        return self.add(wanted, self.convert(first_that_fits(steps), (kind,)))

    def is_own(self, place: int, kind: str) -> bool:
        """Whether values of a kind are what the node reads, and do not stand for it."""
        name, _, arguments = self.node_at(place)
        if name == "one of":
            return kind != "str" or has_text(arguments)
        return (name, kind) != ("float", "int") and self.lax_within(place, kind) is None

    def lax_within(self, place: int, kind: str) -> Converter | None:
        """What makes of values of a kind those that the node reads, if it does so in lax mode
        only."""
        name, _, arguments = self.node_at(self.taker(place, kind))
        if name != "convert":
            return None
        inner, converter, _ = arguments
        is_lax = kind in self.lax_kinds.get(converter, ())
        return converter if is_lax else self.lax_within(inner, kind)

    def reader(self, place: int, kind: str, parse: Converter | None = None) -> Converter:
        """What makes the node's value of a plain value of a kind, or of what ``parse`` has made of
        it."""
        name, _, arguments = self.node_at(self.taker(place, kind))
        if name == "one of":
            return chooser(arguments)
        if name != "convert":
            return float if (name, kind) == ("float", "int") else _as_it_is
        inner, converter, _ = arguments
        if converter is parse:
            return _as_it_is
        within = self.reader(inner, kind, parse)
        return converter if within is _as_it_is else lambda value: converter(within(value))

    def taker(self, place: int, kind: str) -> int:
        """The node that takes values of a kind: a part of a union, or the node itself."""
        name, _, arguments = self.node_at(place)
        return arguments[KINDS.index(kind)] if name == "union" else place

    def node_at(self, place: int) -> Node:
        node = self.nodes[place]
        if node is None:
            raise TypeError("a type that contains itself must do so within a class")
        return node

    def kinds(self, place: int) -> tuple[str, ...]:
        kind, _, arguments = self.node_at(place)
        if kind in KINDS:
            return (kind,)
        if kind == "memoryview":
            return ("bytes",)
        if kind == "named tuple":
            return ("array", "map")
        if kind in ("list", "set", "frozenset", "tuple of", "tuple", "row", "headed"):
            return ("array",)
        if kind in ("dict", "object", "tagged", "shaped"):
            return ("map",)
        if kind == "one of":
            return tuple({_SIMPLE.get(cls, "array") for cls, _ in arguments})
        if kind == "union":
            return tuple(name for name, choice in zip(KINDS, arguments) if choice is not None)
        if kind == "convert":
            return tuple(arguments[2])
        return KINDS

    def tell_apart(self) -> None:
        for place, members, trail in self.unions:
            self.trail = trail
            classes = {self.index(member): member for member in members}
            name = self.node_at(place)[1]
            kind, arguments = tell_apart(name, classes, self.node_at, self.settings.tag)
            self.nodes[place] = (kind, name, arguments)
        self.trail = []


def _as_it_is(value: Any) -> Any:
    return value


def _choices(**choices: int) -> list[int | None]:
    return [choices.get(kind) for kind in KINDS]


def _form(origin: Any) -> str | None:
    return getattr(origin, "_name", None)


def _default(value: Any, factory: Any, missing: Any) -> tuple[str, Any]:
    if value is not missing:
        return "value", value
    if factory is not missing:
        return "factory", factory
    return "required", None
