"""``valid/``: str and bin."""

from __future__ import annotations

from .build import Topic, bin_header, binary, join, repeat, str_header, text, text_bytes

KIND = "valid"


def topics() -> list[Topic]:
    return [_strings(), _string_lengths(), _binary()]


TEXTS = {
    "empty": "",
    "one letter": "a",
    "ascii": "hello",
    "nul": "\0",
    "nul inside": "a\0b",
    "every control character": "".join(map(chr, range(16))),
    "more control characters": "".join(map(chr, range(16, 32))),
    "quote and backslash": 'say "\\"',
    "delete": "\x7f",
    "U+0080": "\x80",
    "latin": "é",
    "U+07FF": "\u07ff",
    "U+0800": "\u0800",
    "euro": "€",
    "before the surrogates U+D7FF": "\ud7ff",
    "after the surrogates U+E000": "\ue000",
    "byte order mark": "\ufeff",
    "byte order mark first": "\ufeffa",
    "byte order mark inside": "a\ufeffb",
    "replacement character": "\ufffd",
    "noncharacter U+FFFE": "\ufffe",
    "noncharacter U+FFFF": "\uffff",
    "noncharacter U+FDD0": "\ufdd0",
    "U+10000": "\U00010000",
    "emoji": "😀",
    "U+3FFFF": "\U0003ffff",
    "U+40000": "\U00040000",
    "U+FFFFF": "\U000fffff",
    "U+100000": "\U00100000",
    "noncharacter U+1FFFE": "\U0001fffe",
    "last U+10FFFF": "\U0010ffff",
    "composed by a mark": "e\u0301",
    "joined emoji": "👩\u200d💻",
    "right to left": "שלום",
    "line separators": "\u2028\u2029",
    "all lengths of sequences": "aé€😀",
    "prototype": "__proto__",
    "numeric": "123",
}


def _strings() -> Topic:
    topic = Topic(KIND, "strings", "str: every length of UTF-8 sequence and its first and last code point")
    for name, content in TEXTS.items():
        topic.written(f"str {name}", text_bytes(content), text(content))
    return topic


def _string_lengths() -> Topic:
    topic = Topic(KIND, "string-lengths", "str of 0 to 66 bytes and around every header boundary")
    for length in [*range(67), 127, 128]:
        content = "".join(chr(97 + place % 26) for place in range(length))
        topic.written(f"str of {length} bytes", text_bytes(content), text(content))
    for length in (254, 255, 256, 257, 4095, 4096, 65534, 65535, 65536, 65537):
        big = {"str": {"repeat": "x", "times": length}}
        topic.written(f"str of {length} bytes", join(str_header(length), repeat("78", length)), big)
    for letter, times in (("é", 15), ("é", 16), ("é", 128), ("€", 86), ("😀", 64), ("😀", 16384)):
        raw = letter.encode("utf-8")
        value = {"str": {"repeat": letter, "times": times}}
        topic.written(
            f"str of {times} times U+{ord(letter):04X}",
            join(str_header(len(raw) * times), repeat(raw, times)),
            value,
        )
    for place in range(1, 34):
        content = "a" * (place - 1) + "😀" + "b" * (33 - place)
        topic.written(f"str with a long sequence at {place - 1}", text_bytes(content), text(content))
    return topic


def _binary() -> Topic:
    topic = Topic(KIND, "binary", "bin: contents that are not text, and every header boundary")
    for name, raw in (
        ("empty", b""), ("one zero", b"\0"), ("all ones", b"\xff"), ("like text", b"hello"),
        ("not utf-8", b"\xc3\x28"), ("reserved marker", b"\xc1"), ("like a message", b"\x92\x01\x02"),
        ("every byte", bytes(range(256))),
    ):  # fmt: skip
        topic.written(f"bin {name}", bin_header(len(raw)) + raw, binary(raw))
    for length in (15, 16, 31, 32, 255, 256, 257, 65535, 65536, 65537):
        value = {"bin": {"repeat": "a5", "times": length}}
        topic.written(f"bin of {length} bytes", join(bin_header(length), repeat("a5", length)), value)
    return topic
