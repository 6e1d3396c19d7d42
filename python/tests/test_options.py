"""Options that do not exist, and those that are another package's."""

from __future__ import annotations

import dataclasses
import io
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import packord
import packord.compat.ormsgpack as ormsgpack
from packord import _packord
from packord._options import DecodeOptions, EncodeOptions
from packord.container import Reader, Writer

Call = Callable[..., Any]
DATA = b"\x81\x01\x02"
WRITERS: dict[str, Call] = {
    "packb": lambda **options: packord.packb(1, **options),
    "Encoder": packord.Encoder,
    "Packer": packord.Packer,
    "pack": lambda **options: packord.pack(1, io.BytesIO(), **options),
    "Writer": lambda **options: Writer(io.BytesIO(), **options),
}
READERS: dict[str, Call] = {
    "unpackb": lambda **options: packord.unpackb(DATA, **options),
    "unpackb with a type": lambda **options: packord.unpackb(DATA, type=Any, **options),
    "Decoder": packord.Decoder,
    "unpack": lambda **options: packord.unpack(io.BytesIO(DATA), **options),
    "Unpacker": packord.Unpacker,
    "Reader": lambda **options: Reader(b"", **options),
}
ALL = pytest.mark.parametrize(
    "call", [*WRITERS.values(), *READERS.values()], ids=[*WRITERS, *READERS]
)


@ALL
@pytest.mark.parametrize("value", [None, True, 5])
def test_an_unknown_option_is_named(call: Call, value: Any) -> None:
    with pytest.raises(packord.MsgpackArgumentError, match="'colour'") as caught:
        call(colour=value)
    assert isinstance(caught.value, TypeError)


@ALL
@pytest.mark.parametrize("bits", [0, ormsgpack.OPT_SORT_KEYS, None])
def test_a_bit_is_an_error_that_names_the_module_for_it(call: Call, bits: Any) -> None:
    with pytest.raises(packord.MsgpackArgumentError) as caught:
        call(option=bits)
    assert "'option'" in str(caught.value) and "packord.compat.ormsgpack" in str(caught.value)
    assert "canonical=True" in str(caught.value)


def test_arguments_without_a_name_are_an_error_that_names_the_module() -> None:
    function: Any
    for function in (packord.packb, packord.unpackb):
        for arguments in ((b"\x01", None), (b"\x01", None, 2), ()):
            with pytest.raises(packord.MsgpackArgumentError, match="packord.compat.ormsgpack"):
                function(*arguments)


@pytest.mark.parametrize(
    ("call", "name", "own", "module"),
    [
        (packord.Encoder, "enc_hook", "default", "packord.compat.msgspec"),
        (packord.Encoder, "use_single_float", "float32", "packord.compat.msgpack"),
        (packord.Encoder, "use_bin_type", "bin", "packord.compat.msgpack"),
        (packord.Decoder, "raw", 'utf8="raw"', "packord.compat.msgpack"),
        (packord.Decoder, "use_list", "tuples", "packord.compat.msgpack"),
        (packord.Decoder, "timestamp", "timestamps", "packord.compat.msgpack"),
        (packord.Unpacker, "max_buffer_size", "max_buffer", "packord.compat.msgpack"),
        (packord.Unpacker, "strict_map_key", "keys", "packord.compat.msgpack"),
    ],
)
def test_an_option_of_a_peer_names_packords_and_the_module(
    call: Call, name: str, own: str, module: str
) -> None:
    with pytest.raises(packord.MsgpackArgumentError) as caught:
        call(**{name: 1})
    for part in (f"'{name}'", f"packord has {own}", module):
        assert part in str(caught.value)


def test_the_function_that_was_called_is_named() -> None:
    wrong: list[dict[str, Any]] = [{"option": 4}, {"nope": 1}, {"type": int, "raw": True}]
    for options in wrong:
        with pytest.raises(packord.MsgpackArgumentError, match=r"^unpackb\(\) got"):
            READERS["unpackb"](**options)


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("Encoder", {"max_depth": "x"}, "max_depth must be an int below 2**63, not str"),
        ("Encoder", {"max_depth": 1025}, "max_depth must not be above 1024"),
        ("packb", {"utf8": 3}, 'utf8 must be "error" or "replace", not 3'),
        ("packb", {"default": 3}, "default must be callable, not int"),
        ("Encoder", {"structures": "ab"}, "structures: a structure is a list of str"),
        ("Encoder", {"structures": 5}, "structures: 'int' object is not iterable"),
        ("Encoder", {"rename": 5}, "names of fields: rename must be one of"),
        ("Decoder", {"tag": 5}, "names of fields: tag must be a str"),
        ("Decoder", {"max_len": -1}, "max_len must not be negative"),
        ("Decoder", {"extensions": 5}, "extensions: 'int' object is not iterable"),
        ("unpackb", {"max_len": "x"}, "max_len must be an int below 2**63, not str"),
        ("unpackb", {"dec_hook": 1}, "dec_hook must be callable, not int"),
        ("Unpacker", {"max_buffer": 2**64}, "max_buffer must be an int below 2**63, not int"),
        ("Unpacker", {"trailing": "x"}, 'trailing must be "error" or "allow", not \'x\''),
        ("Reader", {"timestamps": "x"}, 'timestamps must be "native" or "timestamp"'),
        ("Writer", {"codec": "x"}, "codec must be "),
        ("Writer", {"level": "x"}, "level must be a small int, not str"),
        ("Writer", {"stats": 5}, "stats must be a list of paths, not int"),
        ("Writer", {"meta": 5}, "meta must be a dict, not int"),
        ("Writer", {"sync": b"x"}, "sync must be 16 bytes"),
    ],
)
def test_values_at_fault_name_option_and_function(
    name: str, options: dict[str, Any], text: str
) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        (WRITERS | READERS)[name](**options)
    assert str(caught.value).startswith(f"{name}(): {text}")


def test_words_of_other_packages_are_refused() -> None:
    wrong: list[dict[str, Any]] = [{"timestamps": "float"}, {"utf8": "bytes"}]
    for options in wrong:
        with pytest.raises(ValueError, match=next(iter(options))):
            packord.Decoder(**options)


def test_the_names_of_other_packages_are_gone() -> None:
    for name in ("dumps", "loads", "dump", "load", "encode", "decode"):
        assert not hasattr(packord, name)
    assert [name for name in dir(packord) if name.startswith("OPT_")] == []
    assert [name for name in ormsgpack.__all__ if name.startswith("OPT_")] == sorted(
        name for name in dir(_packord) if name.startswith("OPT_")
    )


@pytest.mark.parametrize("options", [EncodeOptions, DecodeOptions])
def test_functions_take_every_keyword_of_their_class(options: Any) -> None:
    for name in options.__annotations__:
        nothing: Any = {name: None}
        if options is EncodeOptions:
            assert packord.packb(1, **nothing) == b"\x01"
        else:
            assert packord.unpackb(b"\x01", **nothing) == 1


def test_options_are_the_same_however_they_are_asked_for() -> None:
    value = {"b": None, "a": 1.5}
    options: list[dict[str, Any]] = [
        {"canonical": True}, {"sort_keys": True}, {"skip_nil": True}, {"float32": True},
        {"records": True}, {"columns": True}, {"rich": True, "sort_keys": True, "bigint": False},
    ]  # fmt: skip
    for chosen in options:
        # Keywords whose names are strings of their own, and values that are only true or false.
        odd: Any = {"".join(list(name)): int(value) for name, value in chosen.items()}
        data = packord.packb(value, **chosen)
        assert data == packord.packb(value, **odd) == packord.Encoder(**chosen).encode(value)
        if "float32" not in chosen and "sort_keys" not in chosen and "skip_nil" not in chosen:
            assert packord.unpackb(data, **chosen) == packord.unpackb(data, **odd)
            assert packord.unpackb(data, **chosen) == packord.Decoder(**chosen).decode(data)


def test_a_decoder_is_kept_for_what_was_asked() -> None:
    for wanted in (int, float, list[int], int | None):
        for _ in range(3):
            assert packord.unpackb(b"\x01", type=float | int if wanted is float else int) == 1
    assert packord.unpackb(b"\x91\x01", type=list[int]) == [1]
    for strict in (True, False):
        if strict:
            with pytest.raises(packord.MsgpackDecodeError):
                packord.unpackb(b"\xa11", type=int, strict=strict)
        else:
            assert packord.unpackb(b"\xa11", type=int, strict=strict) == 1
    assert packord.unpackb(b"\x91\x01", type=list, max_depth=1) == [1]
    with pytest.raises(packord.MsgpackDecodeError):
        packord.unpackb(b"\x91\x01", type=list, max_depth=0)
    with pytest.raises(TypeError):
        packord.unpackb(b"\x01", type="no type")
    # A list is looked at again, as it may have changed.
    shared = [["a"]]
    assert packord.unpackb(b"\x40\x01", structures=shared) == {"a": 1}
    shared[0] = ["b"]
    assert packord.unpackb(b"\x40\x01", structures=shared) == {"b": 1}


ASKED: list[str] = []


def rename(name: str) -> str:
    ASKED.append(name)
    return name


def test_a_type_is_looked_at_once() -> None:
    @dataclasses.dataclass
    class Town:
        id: int

    ASKED.clear()
    for _ in range(3):
        for strict in (True, False):
            options: Any = {"strict": strict, "rename": rename, "max_len": 9, "max_depth": 9}
            assert packord.unpackb(b"\x81\xa2id\x01", type=Town, **options) == Town(1)
    assert ASKED == ["id"] * 2


def test_a_function_of_a_call_is_not_kept() -> None:
    """Nor does it take the place of a decoder that is kept."""

    @dataclasses.dataclass
    class Town:
        id: int

    ASKED.clear()
    options: Any = {"rename": rename, "max_depth": 9}
    for _ in range(500):
        assert packord.unpackb(b"\x81\xa2id\x01", type=Town, **options) == Town(1)

        def hook(pairs: Any, kind: Any = dict) -> Any:
            return kind(pairs)

        assert packord.unpackb(b"\x80", object_pairs_hook=hook, max_len=9) == {}
        kept = weakref.ref(hook)
        del hook
        assert kept() is None
    assert ASKED == ["id"]


def test_a_hook_may_unpack_with_the_same_keywords() -> None:
    def hook(code: int, data: bytes) -> Any:
        return packord.unpackb(data, records=True, ext_hook=hook)

    data = packord.packb(packord.Ext(5, packord.packb(packord.Ext(6, b"\x07"))))
    assert packord.unpackb(data, records=True, ext_hook=hook) == 7
