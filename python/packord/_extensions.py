"""Classes of a program as ext types of its own."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Iterable
from typing import Any

from packord._packord import Ext

# Their objects are packed before anything is asked.
_BUILT_IN = (
    *(bool, int, float, str, bytes, bytearray, memoryview, list, dict, tuple, type(None)),
    *(datetime.datetime, Ext),
)


@dataclasses.dataclass(frozen=True)
class Extension:
    """Objects of a class as values of an ext type, for the option ``extensions``.

    ``pack`` returns the payload of an object of ``cls`` or of a subclass, ``unpack`` what a payload
    stands for. Without ``cls`` the extension only reads, without ``unpack`` it only writes.

    >>> import packord
    >>> degrees = Extension(5, complex, lambda c: b"%d" % c.real, lambda data: complex(int(data)))
    >>> packord.packb(complex(7), extensions=[degrees])
    b'\\xd4\\x057'
    >>> packord.unpackb(b"\\xd4\\x057", extensions=[degrees])
    (7+0j)
    """

    type: int
    cls: Any = None
    pack: Callable[[Any], bytes] | None = None
    unpack: Callable[[bytes], Any] | None = None

    def __post_init__(self) -> None:
        if type(self.type) is not int or not -128 <= self.type <= 127 or self.type == -1:
            raise ValueError(f"an ext type is -128 to 127 and not -1, not {self.type!r}")
        if self.cls is not None and not isinstance(self.cls, type):
            raise TypeError(f"cls must be a class, not {self.cls!r}")
        if self.cls in _BUILT_IN:
            raise ValueError(f"objects of {self.cls.__name__} are not ext values")
        if (self.cls is None) is not (self.pack is None):
            raise TypeError("an extension has both cls and pack, or none of them")
        if self.pack is None and self.unpack is None:
            raise TypeError("an extension has pack or unpack")


def writer_of(extensions: Iterable[Extension]) -> Callable[[Any], Any]:
    """What makes an ext value of an object, or returns ``NotImplemented``."""
    classes = _by("cls", [each for each in extensions if each.pack is not None])

    def write(obj: Any) -> Any:
        for cls in type(obj).__mro__:
            found = classes.get(cls)
            if found is not None and found.pack is not None:
                return Ext(found.type, found.pack(obj))
        return NotImplemented

    return write


def readers_of(extensions: Iterable[Extension]) -> dict[int, Callable[[bytes], Any]]:
    found = _by("type", [each for each in extensions if each.unpack is not None])
    return {type: each.unpack for type, each in found.items() if each.unpack is not None}


def _by(name: str, extensions: Iterable[Extension]) -> dict[Any, Extension]:
    found: dict[Any, Extension] = {}
    for each in extensions:
        if found.setdefault(getattr(each, name), each) is not each:
            raise ValueError(f"two extensions have the {name} {getattr(each, name)!r}")
    return found
