"""For programs that import ``msgpack.fallback``: its classes are the compiled ones here."""

from __future__ import annotations

from packord.compat.msgpack import Packer, Unpacker

__all__ = ["Packer", "Unpacker"]
