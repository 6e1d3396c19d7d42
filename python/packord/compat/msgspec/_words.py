"""The errors of msgspec, in its words, from those of packord."""

from __future__ import annotations

import json
import math
import re
import typing
from collections.abc import Iterable
from typing import Any

from msgspec import DecodeError, ValidationError, inspect, msgpack

import packord
from packord import MsgpackDecodeError, MsgpackEncodeError
from packord.compat._hooks import raised_by_hook

_STEP = re.compile(r'\.(\w+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\[key .*?\]')
_LENGTH = re.compile(r"expected an array of (at least )?(\d+)(?: to (\d+))? elements, found (\d+)")
_BOUND = re.compile(r"must be (above|at least|below|at most|a multiple of) (\S+), is (\S+)")
_MEASURE = re.compile(r"must have (at least|at most) (\d+) elements")
_CONSTRAINT = re.compile(r"must (be (above|at|below|a multiple)|have (at|an|no) |match )")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?(e[+-]?\d+)?|inf|infinity|nan)", re.IGNORECASE)
_SIGNS = {"above": ">", "at least": ">=", "below": "<", "at most": "<="}
# What msgspec calls types, in the order in which it lists them.
_NAMES: dict[str, tuple[Any, ...]] = {
    "bool": (inspect.BoolType,),
    "int": (inspect.IntType,),
    "float": (inspect.FloatType,),
    "str": (inspect.StrType,),
    "bytes": (inspect.BytesType, inspect.ByteArrayType, inspect.MemoryViewType),
    "datetime": (inspect.DateTimeType,),
    "date": (inspect.DateType,),
    "time": (inspect.TimeType,),
    "duration": (inspect.TimeDeltaType,),
    "uuid": (inspect.UUIDType,),
    "decimal": (inspect.DecimalType,),
    "ext": (inspect.ExtType,),
    "object": (inspect.DictType, inspect.TypedDictType, inspect.DataclassType),
    "array": (inspect.CollectionType, inspect.TupleType, inspect.NamedTupleType),
    "null": (inspect.NoneType,),
}
_WITH_FIELDS = (
    inspect.StructType,
    inspect.DataclassType,
    inspect.TypedDictType,
    inspect.NamedTupleType,
)
_SCALARS = (inspect.NoneType, inspect.BoolType, inspect.IntType, inspect.FloatType, inspect.StrType)
# What msgspec calls the kinds of values.
_KINDS: dict[Any, str] = {
    type(None): "null",
    list: "array",
    dict: "object",
    packord.Timestamp: "datetime",
    packord.Ext: "ext",
}
_TOO_DEEP = "maximum recursion depth exceeded while "
_FOUND = {"nil": "null", "integer": "int", "bin": "bytes", "map": "object", "timestamp": "ext"}
_MALFORMED = {
    "datetime": "Invalid RFC3339 encoded datetime",
    "date": "Invalid RFC3339 encoded date",
    "time": "Invalid RFC3339 encoded time",
    "duration": "Invalid ISO8601 duration",
    "uuid": "Invalid UUID",
    "decimal": "Invalid decimal string",
}


def encode_error(error: MsgpackEncodeError) -> BaseException:
    """What msgspec raises where packord has raised the error."""
    if error.__cause__ is not None:
        return raised_by_hook(error)
    if error.kind == "invalid_utf8":
        return UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
    if error.kind == "out_of_range":
        return OverflowError("can't serialize ints < -2**63 or > 2**64 - 1")
    if error.kind in ("depth_limit", "cycle"):
        return RecursionError(_TOO_DEEP + "serializing an object")
    if str(error).endswith("type has no encoding"):
        # Any other fault has a cause.
        return TypeError("Only dicts with str keys are supported when `order` is not `None`")
    return error


def decode_error(error: MsgpackDecodeError, wanted: Any, data: Any) -> BaseException:
    """What msgspec raises where packord has raised the error, when reading data into a type."""
    if "cannot be hashed" in str(error):
        return DecodeError("MessagePack data is malformed: map keys must be hashable")
    if error.kind == "reserved_marker":
        place = f"(byte {error.offset})"
        return DecodeError(f"MessagePack data is malformed: invalid opcode '\\xc1' {place}")
    if error.kind in ("type_mismatch", "out_of_range", "invalid_timestamp"):
        return _Fault(error, inspect.type_info(wanted), data).error()
    if error.__cause__ is not None:
        return raised_by_hook(error)
    if error.kind == "eof":
        return DecodeError("Input data was truncated")
    if error.kind == "trailing_bytes":
        place = f"(byte {error.offset})"
        return DecodeError(f"MessagePack data is malformed: trailing characters {place}")
    if error.kind == "invalid_utf8":
        return _unicode_error(data) or error
    if error.kind == "depth_limit":
        return RecursionError(_TOO_DEEP + "deserializing an object")
    if error.kind is None or error.kind == "invalid_argument":
        return error
    return DecodeError(f"MessagePack data is malformed: {error}")


def _unicode_error(data: Any) -> UnicodeDecodeError | None:
    """The error of the first str of a message that is not UTF-8: which bytes, and why."""
    try:
        msgpack.decode(data)
    except UnicodeDecodeError as error:
        error.__context__ = None
        return error.with_traceback(None)
    except Exception:
        # Something else comes first to msgspec, such as a key that has no hash.
        return None
    return None


class _Tag:
    """Stands for the type of a tag."""

    def __init__(self, value: Any) -> None:
        self.values = (value,)


class _Fault:
    """A value that does not fit its type."""

    def __init__(self, error: MsgpackDecodeError, info: Any, data: Any) -> None:
        self.fault = error
        self.data = data
        self.types = _members([info])
        self.path = "$"
        # The keys and indexes of the path.
        self.steps: list[Any] = []
        self.detail = str(error).partition("is out of range: ")[2]
        self.detail = self.detail or str(error).partition("unexpected type: ")[2]
        for match in _STEP.finditer(error.path or ""):
            self._step(*match.groups())
        is_field = self.detail.startswith("expected a str as a key")
        if is_field or self._is_in_key():
            keys = [inspect.StrType()] if is_field else [each.key_type for each in self.types]
            self.types = _members(keys)
            self.path = f"`key` in `{self.path}`"

    def _step(self, name: str | None, index: str | None, quoted: str | None) -> None:
        self._tell_apart()
        if index is not None:
            self.path += f"[{index}]"
            self.steps.append(int(index))
            self.types = _members(part for each in self.types for part in _at(each, int(index)))
            return
        key = name if name is not None else json.loads(f'"{quoted}"') if quoted else None
        self.steps.append(key)
        owners = [each for each in self.types if isinstance(each, _WITH_FIELDS)]
        fields = [field for each in owners for field in each.fields]
        found: list[Any] = [field.type for field in fields if field.encode_name == key]
        found += [_Tag(each.tag) for each in self.types if _tag_field(each) == key is not None]
        if found:
            self.path += f".{key}"
        else:
            self.path += "[...]"
            dicts = [each for each in self.types if isinstance(each, inspect.DictType)]
            found = [each.value_type for each in dicts]
        self.types = _members(found)

    def _tell_apart(self) -> None:
        """Leaves the one of several Structs that the tag of the value says."""
        structs = [each for each in self.types if isinstance(each, inspect.StructType)]
        if len(structs) > 1 and None not in self.steps:
            key = 0 if structs[0].array_like else structs[0].tag_field
            tag = packord.View(self.data).get(*self.steps, key)
            found = [each for each in structs if each.tag == tag]
            self.types = found or self.types

    def _is_in_key(self) -> bool:
        are_dicts = all(isinstance(each, inspect.DictType) for each in self.types)
        if self.fault.kind == "invalid_timestamp":
            return bool(self.types) and are_dicts
        is_kind = self.detail.startswith("expected a map")
        return bool(self.types) and are_dicts and not is_kind and self._kind() != "object"

    def error(self) -> BaseException:
        """The error of msgspec, or what the program's own code has raised."""
        cause = self.fault.__cause__
        if cause is None or not self._is_of_code():
            return ValidationError(self._text() + self._place())
        if isinstance(cause, DecodeError) or not isinstance(cause, (TypeError, ValueError)):
            return raised_by_hook(self.fault)
        found = ValidationError(f"{cause}{self._place()}")
        found.__cause__ = found.__context__ = raised_by_hook(self.fault)
        return found

    def _place(self) -> str:
        if self.path.startswith("`"):
            return f" - at {self.path}"
        return "" if self.path == "$" else f" - at `{self.path}`"

    def _is_of_code(self) -> bool:
        if "dec_hook returned" in self.detail:
            return False
        own = (inspect.CustomType, *_WITH_FIELDS)
        # A scalar has no code that could raise.
        types = [each for each in self.types if not isinstance(each, _SCALARS)]
        return bool(types) and all(isinstance(each, own) for each in types)

    def _text(self) -> str:
        detail, names = self.detail, _names(self.types)
        if self.fault.kind == "invalid_timestamp":
            return "Invalid MessagePack timestamp"
        if detail == "timestamp":
            return "Timestamp is out of range "
        match = re.fullmatch(r'(missing|unknown) field (".*")', detail, re.DOTALL)
        if match is not None:
            words = {"missing": "missing required", "unknown": "contains unknown"}[match[1]]
            return f"Object {words} field `{json.loads(match[2])}`"
        if (match := _LENGTH.search(detail)) is not None:
            return self._length(match)
        if _CONSTRAINT.search(detail) is not None:
            return self._constraint()
        if (match := re.search(r"dec_hook returned (\w+)", detail)) is not None:
            custom = next(each for each in self.types if not isinstance(each, inspect.NoneType))
            return f"Expected `{_class_name(custom)}`, got `{match[1]}`"
        is_variant = detail.startswith("unknown variant")
        if not is_variant and "found " not in detail and "got " not in detail:
            for name in names & _MALFORMED.keys():
                return self._malformed(name)
        if "unknown variant" in detail or self._is_enum():
            return self._variant()
        return self._mismatch(names, self._kind())

    def _length(self, match: re.Match[str]) -> str:
        least, most, found = match[2], match[3] or match[2], match[4]
        words = f"of length {least}" + (f" to {most}" if match[3] else "")
        if match[1] or isinstance(self.types[0], inspect.StructType):
            is_long = not match[1] and int(found) > int(most)
            words = f"of at most length {most}" if is_long else f"of at least length {least}"
        return f"Expected `array` {words}, got {found}"

    def _constraint(self) -> str:
        if (match := _BOUND.search(self.detail)) is not None:
            words, limit, value = match.groups()
            names = _names(self.types)
            is_int = "float" not in names or ("int" in names and value.lstrip("-").isdigit())
            if words == "a multiple of":
                return f"Expected `{'int' if is_int else 'float'}` that's a multiple of {limit}"
            if not is_int:
                return f"Expected `float` {_SIGNS[words]} {float(limit)!r}"
            step = {"above": 1, "below": -1}.get(words, 0)
            return f"Expected `int` {_SIGNS[words][0]}= {int(limit) + step}"
        if (match := _MEASURE.search(self.detail)) is not None:
            return f"Expected `{self._kind()}` of length {_SIGNS[match[1]]} {match[2]}"
        if " offset from UTC" in self.detail:
            name = "time" if "time" in _names(self.types) else "datetime"
            article = "a" if "an offset" in self.detail else "no"
            return f"Expected `{name}` with {article} timezone component"
        pattern = next((each.pattern for each in self.types if getattr(each, "pattern", None)), "")
        return f"Expected `str` matching regex {pattern!r}"

    def _is_enum(self) -> bool:
        return any(isinstance(each, inspect.EnumType) for each in self.types) and (
            "expected" in self.detail and "found" not in self.detail
        )

    def _variant(self) -> str:
        tagged = next((each for each in self.types if isinstance(each, inspect.StructType)), None)
        if tagged is not None:
            # What tells the Structs apart.
            is_array = tagged.array_like
            self._step(None if is_array else tagged.tag_field, "0" if is_array else None, None)
        value, kind, names = self._value(), self._kind(), _names(self.types)
        if kind == "str" and kind not in names and re.fullmatch(r"-?\d+", value):
            value = int(value)
        elif kind not in names:
            return self._mismatch(names, kind)
        is_tag = any(isinstance(each, _Tag) for each in self.types)
        return f"Invalid {'' if is_tag else 'enum '}value {value!r}"

    def _mismatch(self, names: set[str], kind: str) -> str:
        listed = [name for name in (*_NAMES, "any", "raw") if name in names]
        return f"Expected `{' | '.join(listed)}`, got `{kind}`"

    def _malformed(self, name: str) -> str:
        value = self._value()
        if name == "uuid" and isinstance(value, bytes):
            return "Invalid UUID bytes"
        # In strict mode, no text is a number.
        is_text = "not an ISO 8601" in self.detail or "not as RFC 3339" in self.detail
        is_number = not is_text and (
            not isinstance(value, str) or _NUMBER.fullmatch(value) is not None
        )
        if name == "datetime" and is_number:
            is_finite = math.isfinite(float(value))
            return "Timestamp is out of range" if is_finite else "Invalid epoch timestamp"
        if name == "duration":
            if is_number or "magnitude" in self.detail:
                return "Duration is out of range"
            if re.fullmatch(r"[+-]?P\d+[YMW]", value, re.IGNORECASE):
                units = "'D', 'H', 'M', and 'S'"
                return f"Only units {units} are supported when parsing ISO8601 durations"
        return _MALFORMED[name]

    def _kind(self) -> str:
        match = re.search(r"found (\w+)$", self.detail)
        if match is not None:
            return _FOUND.get(match[1], match[1])
        cls = type(self._value())
        return _KINDS.get(cls, cls.__name__)

    def _value(self) -> Any:
        rest = memoryview(self.data)[self.fault.offset or 0 :]
        return packord.unpackb(rest, trailing="allow")


def _members(types: Iterable[Any]) -> list[Any]:
    """The types, those of unions one by one."""
    found: list[Any] = []
    for each in types:
        if isinstance(each, inspect.UnionType):
            found += _members(each.types)
        elif isinstance(each, inspect.Metadata):
            found += _members([each.type])
        else:
            found.append(each)
    return found


def _names(types: list[Any]) -> set[str]:
    found = set()
    for each in types:
        if isinstance(each, inspect.StructType):
            found.add("array" if each.array_like else "object")
        elif isinstance(each, (inspect.EnumType, inspect.LiteralType, _Tag)):
            values = [member.value for member in each.cls] if hasattr(each, "cls") else each.values
            found.update(_KINDS.get(type(value), type(value).__name__) for value in values)
        else:
            names = [name for name, classes in _NAMES.items() if isinstance(each, classes)]
            found.update(names or ["any"])
    return found


def _class_name(info: Any) -> str:
    if not isinstance(info, inspect.CustomType):
        return next(iter(_names([info])))
    cls = typing.get_origin(info.cls) or info.cls
    return str(cls.__name__)


def _tag_field(info: Any) -> str | None:
    return info.tag_field if getattr(info, "tag", None) is not None else None


def _at(info: Any, index: int) -> list[Any]:
    if isinstance(info, inspect.CollectionType):
        return [info.item_type]
    parts: list[Any] = []
    if isinstance(info, inspect.TupleType):
        parts = list(info.item_types)
    elif isinstance(info, _WITH_FIELDS):
        tag = getattr(info, "tag", None)
        parts = [_Tag(tag)] if tag is not None else []
        parts += [field.type for field in info.fields]
    return parts[index : index + 1]
