"""What is in packages, which are archives of many kinds."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Iterator
from os.path import commonprefix
from pathlib import Path

GZIP, XZ, AR = b"\x1f\x8b", b"\xfd7zXZ\0", b"!<arch>\n"


def members(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """A file and what is in it, each with its bytes and its names from outside to inside."""
    yield name, data
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            for entry in packed.namelist():
                yield from members(f"{name}: {entry}", packed.read(entry))
    elif data.startswith(AR):
        at = len(AR)
        while at < len(data):
            entry, size = data[at : at + 16].decode().strip(), int(data[at + 48 : at + 58])
            yield from members(f"{name}: {entry}", data[at + 60 : at + 60 + size])
            at += 60 + size + size % 2
    elif data.startswith((GZIP, XZ)):
        try:
            with tarfile.open(fileobj=io.BytesIO(data)) as packed:
                for member in packed:
                    if member.isfile():
                        yield from members(f"{name}: {member.name}", packed.extractfile(member).read())
        except tarfile.ReadError:
            yield f"{name}, unpacked", gzip.decompress(data)


def files(folder: Path) -> dict[str, Path]:
    return {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}


def with_traces(folder: Path, paths: tuple[Path, ...]) -> list[str]:
    """What contains a path of the machine on which it was built."""
    words = [str(path).encode() for path in paths]
    return [
        member
        for name, path in files(folder).items()
        for member, data in members(name, path.read_bytes())
        if any(word in data for word in words)
    ]


def differences(one: Path, other: Path) -> list[str]:
    """Where each file that two folders do not have alike differs first, as far inside as it can be named."""
    found = []
    ones, others = files(one), files(other)
    for name in sorted({*ones, *others}):
        if name not in ones or name not in others:
            found.append(f"{name} is in one folder")
            continue
        a, b = (each[name].read_bytes() for each in (ones, others))
        if a == b:
            continue
        inside, inside_other = dict(members(name, a)), dict(members(name, b))
        differing = [each for each in [*inside, *inside_other] if inside.get(each) != inside_other.get(each)]
        first = next(
            each
            for each in differing
            if not any(other.startswith((f"{each}: ", f"{each},")) for other in differing)
        )
        if first not in inside or first not in inside_other:
            found.append(f"{first} is in one of them")
            continue
        a, b = inside[first], inside_other[first]
        byte = len(commonprefix([a, b]))
        found.append(f"{first} differs at byte {byte}: {a[byte : byte + 40]!r}, {b[byte : byte + 40]!r}")
    return found
