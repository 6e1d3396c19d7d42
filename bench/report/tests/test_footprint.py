"""What a program takes in memory is read from its ELF file. Neither that nor build times depend on the
environment."""

import struct

import pytest

from report import footprint

CODE, NOBITS = 1, 8
# Type, flags and size: code, data, what is zero at first, and what debuggers read.
SECTIONS = [(CODE, 6, 1000), (CODE, 3, 20), (NOBITS, 3, 300), (CODE, 0, 4000)]


@pytest.mark.parametrize("wide", [False, True])
def test_code_and_data_are_counted(wide: bool) -> None:
    head = bytearray(64)
    head[:5] = b"\x7fELF" + bytes([2 if wide else 1])
    struct.pack_into("<Q" if wide else "<I", head, 40 if wide else 32, len(head))
    size = 64 if wide else 40
    struct.pack_into("<HH", head, 58 if wide else 46, size, len(SECTIONS))
    form = "<IIQQQQ" if wide else "<IIIIII"
    table = b"".join(
        struct.pack(form, 0, kind, flags, 0, 0, length).ljust(size, b"\0") for kind, flags, length in SECTIONS
    )
    assert footprint.occupied(bytes(head) + table) == 1020


def test_only_what_changes_a_build_is_left_out() -> None:
    kept = {"CARGO_HOME": "/opt/cargo", "CARGO_NET_OFFLINE": "true", "PATH": "/bin", "RUSTUP_HOME": "/opt"}
    profile = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_BUILD_RUSTFLAGS": "-g", "RUSTFLAGS": "-g"}
    assert footprint.settings(kept | profile | {"RUSTC_WRAPPER": "sccache"}) == kept
