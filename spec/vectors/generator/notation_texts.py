"""``notation/``: notation that writers do not produce, with the bytes that readers make of it."""

from __future__ import annotations

from typing import Any

from .build import Topic, ext_bytes, f64, fixstr, timestamp32, timestamp64

KIND = "notation"


class Texts(Topic):
    """A topic whose cases begin with notation."""

    def __init__(self, topic: str, description: str) -> None:
        super().__init__(KIND, topic, description)

    def means(self, text: str, data: bytes | str, /, **options: Any) -> None:
        """Reading the text makes these bytes."""
        raw = data.hex() if isinstance(data, bytes) else data.replace(" ", "")
        self._case({"name": f"{self.topic}: {text}", "text": text, "bytes": raw}, {"options": options})

    def not_read(self, *texts: str, **options: Any) -> None:
        """Reading each of them is an error of the notation's own kind."""
        for text in texts:
            self._case({"name": f"{self.topic}: {text}", "text": text, "refused": True}, {"options": options})


def topics() -> list[Topic]:
    return [_numbers(), _texts(), _space(), _suffixes(), _times(), _records()]


def _numbers() -> Topic:
    topic = Texts("numbers", "integers, floats and NaN in every form, and what is none of them")
    for text, data in (
        ("-0", "00"), ("007", "07"), ("0x7f", "7f"), ("0xFF", "ccff"), ("-0x20", "e0"), ("0x0", "00"),
        ("18446744073709551615", "cfffffffffffffffff"), ("-9223372036854775808", "d38000000000000000"),
        ("0xffffffffffffffff", "cfffffffffffffffff"),
        ("1e5", f64(1e5)), ("1E5", f64(1e5)), ("1e+5", f64(1e5)), ("1.50", f64(1.5)), ("15e-1", f64(1.5)),
        ("00.5", f64(0.5)), ("-0.0", f64(-0.0)), ("-0e0", f64(-0.0)), ("1e-400", f64(0.0)), ("-1e-400", f64(-0.0)),
        ("0.000e5", f64(0.0)), ("4.9406564584124654e-324", f64(5e-324)), ("2e-324", f64(0.0)),
        ("1.7976931348623157e308", f64(1.7976931348623157e308)),
        ("179769313486231580793e288", f64(1.7976931348623157e308)),
        ("9007199254740993.0", f64(9007199254740992.0)), ("9007199254740993.0000001", f64(9007199254740994.0)),
        ("1e22_f32", "ca64078678"), ("0.1_f32", "ca3dcccccd"), ("1e-50_f32", "ca00000000"),
        ("-1e-50_f32", "ca80000000"), ("7e-46_f32", "ca00000000"), ("8e-46_f32", "ca00000001"),
        ("3.4028235677973366e38_f32", "ca7f7fffff"),
        # Read as a float 64 first, these would be rounded twice.
        ("1.00000005960464477540_f32", "ca3f800001"), ("1.00000005960464477539_f32", "ca3f800000"),
        ("1.00000017881393432617_f32", "ca3f800001"), ("1.00000017881393432618_f32", "ca3f800002"),
        ("nan(0x7ff8000000000000)", "cb7ff8000000000000"), ("nan(0x7FF8000000000000)", "cb7ff8000000000000"),
        ("nan( 0x7fc00000 )_f32", "ca7fc00000"), ("-inf_f32", "caff800000"),
    ):  # fmt: skip
        topic.means(text, data)
    topic.not_read(
        ".5", "5.", "-.5", "-5.", "5.e3", ".e3", "e3", "1e", "1e+", "1e5.0", "1.2.3", "+5", "--5", "- 5", "-",
        "0x", "0xg", "0x1.8", "1_000", "0b1", "0o7", "1e400", "-1e400", "1e39_f32", "3.4028235677973367e38_f32", "1.8e308", "5_f32", "0x5_f32",
        "18446744073709551616", "-9223372036854775809", "0x10000000000000000", "-nan", "Inf", "infinity", "NaN",
        "nan()", "nan(0x7ff0000000000000)", "nan(0x3ff0000000000000)", "nan(0x17ff8000000000000)", "nan(1)",
        "nan(0x7ff8000000000000)_f32", "nan(0x7ff8000000000000", "+inf", "١",
    )  # fmt: skip
    return topic


def _texts() -> Topic:
    topic = Texts("texts", "str, bin and ext: escapes, hexadecimal, brackets")
    for text, data in (
        ("null", "c0"), (r'"\/"', fixstr("/")), (r'"\u0041\u00e9"', fixstr("Aé")), (r'"\ud83d\ude00"', fixstr("😀")),
        (r'"\uD83D\uDE00"', fixstr("😀")), (r'"\u0000"', fixstr("\0")), ('"\x7f"', fixstr("\x7f")),
        ('"\u2028"', fixstr("\u2028")), ('"// no comment"', fixstr("// no comment")),
        ("h''", "c400"), ("h' 00 FF\n'", "c40200ff"), ("str(h'')", "a0"),
        ("str(h'61')", "a161"), ("str( h'ff' )_str8", "d901ff"), ("ext(-128, h'')", "c70080"),
        ("ext(0x7f, h'00')", "d47f00"), ("ext(-0x1, h'0000')", "d5ff0000"), ("ext(5,h'00')", "d40500"),
        ("[1,]", "9101"), ("{1:2,}", "810102"), ("[]", "90"), ("{}", "80"), ("{[1]:{}}", "81910180"),
        ("{1:1,1:1}", "8201010101"), ("[nil,true,false]", "93c0c3c2"), ('["a","a"_str8]', "92a161d90161"),
    ):  # fmt: skip
        topic.means(text, data)
    topic.not_read(
        '"', '"a', r'"\"', r'"\x41"', r'"\u004"', r'"\ud83d"', r'"\ude00"', r'"\ude00\ud83d"', r'"\ud83dx"', '"\t"',
        '"\n"', "'a'", "a", "Nil", "NULL", "True", "undefined", "h'0'", "h'0g'", "h'00", "H'00'", "h '00'", "h\"00\"",
        "h'00 // 01\n'", "h'0 0'", "h'0 '", "str()", "str('ff')", "str(h'ff'", 'str("a")', "ext(128, h'')", "ext(-129, h'')",
        "ext(5)", "ext(5, 00)", "ext(5 h'00')", "ext(5, h'00'", "ext(5.0, h'00')", "ext(5_u8, h'00')", "ext(5, h'00',)",
        "[", "]", "[1", "[1 2]", "[1,,2]", "[,]", "[1}", "{", "}", "{1}", "{1:}", "{:1}", "{1:2", "{1:2:3}", "{1:2]",
        "{1,2}", "(1)", ",", ":", "1,", "[1],", "#", "\\", "\u00a05", "\x0c5",
    )  # fmt: skip
    return topic


def _space() -> Topic:
    topic = Texts("space", "white space and comments between tokens and messages")
    topic.means("", "")
    topic.means(" \t\r\n\ufeff", "")
    for text, data in (
        ("// nothing", ""), ("/* nothing */", ""), ("5//", "05"), ("5/**/6", "0506"), ("5 6", "0506"), ("5\n6\n", "0506"),
        ("5// five\n6", "0506"), ("5\r6", "0506"), ("5\ufeff6", "0506"), ("[] []", "9090"), ('"a"/**/"b"', "a161a162"),
        ("/* /* */ 5", "05"), ("/* // */ 5", "05"), ("// /*\n5", "05"), ("[ 1 , 2 ]", "920102"),
        ("[/* a */1// b\n,/* c */2]", "920102"), ("{ 1 : 2 , }", "810102"), ("ext ( 5 , h'00' )", "d40500"),
        ("str (h'61')", "a161"), ("nan (0x7ff8000000000001)", "cb7ff8000000000001"),
        ("timestamp ( 5 , 0 )", timestamp32(5)), ("ext(/* type */ 5, h'00')", "d40500"),
    ):  # fmt: skip
        topic.means(text, data)
    topic.not_read(
        "25-2143", "7[]", "7nil", "nil{}", "nil7", "nil nil7", "[][]", "{}[]", '"a""b"', "\"a\"5", "h'00'h'01'", "1.5.5",
        "5;6", "5,6", "/* ", "/*/", "5 /* ", "/", "5/", "5 _u8", "[1] _array16", '"a" _str8', "5_ u8", "5/**/_u8",
        "5\u20036",
    )  # fmt: skip
    return topic


def _suffixes() -> Topic:
    topic = Texts("suffixes", "suffixes of the minimal format, of wider ones, and wrong ones")
    for text, data in (
        ("200_u8", "ccc8"), ("5_u8", "cc05"), ("255_u8", "ccff"), ("5_i8", "d005"), ("127_i8", "d07f"), ("-128_i8", "d080"),
        ("5_fix", "05"), ("127_fix", "7f"), ("-32_fix", "e0"), ("-0_u8", "cc00"), ("0xff_u16", "cd00ff"),
        ("-1_i64", "d3ffffffffffffffff"), ("9223372036854775807_i64", "d37fffffffffffffff"),
        ('"a"_str32', "db0000000161"), ("h'00'_bin8", "c40100"), ("[]_array16", "dc0000"), ("{}_map32", "df00000000"),
        ("ext(5, h'00')_ext8", "c7010500"), ("ext(5, h'000102')_ext8", "c70305000102"), ("1_u16 2_u16", "cd0001cd0002"),
        ("[1_u8]_array16", "dc0001cc01"), ("{1_u8:2_u8}", "81cc01cc02"),
    ):  # fmt: skip
        topic.means(text, data)
    topic.not_read(
        "256_u8", "-1_u8", "128_i8", "-129_i8", "65536_u16", "128_fix", "-33_fix", "9223372036854775808_i64", "5_u9",
        "5_U8", "5_", "5_u8_u16", "1.5_u8", "1.5_f64", "nil_u8", "true_fix", '"a"_bin8', "h'00'_str8", "[]_map16",
        "{}_array16", "[]_array8", '"a"_u8', '"a"_fix', "ext(5, h'00')_fixext1", "ext(5, h'00')_bin8", "inf_u8",
        "nan_u8", 'timestamp("1970-01-01T00:00:05Z")_ext8', "columns([5_u8])", "columns(columns([1]))", "columns(",
        "columns([1]", "columns()",
    )  # fmt: skip
    topic.not_read('"' + "a" * 256 + '"_str8')
    return topic


def _times() -> Topic:
    topic = Texts("times", "timestamps: RFC 3339 in UTC, or seconds and nanoseconds")
    for text, data in (
        ("1970-01-01T00:00:05Z", timestamp32(5)), ("1970-01-01T00:00:05.0Z", timestamp32(5)),
        ("1970-01-01T00:00:05.500Z", timestamp64(5, 500_000_000)),
        ("1970-01-01T00:00:05.000000001Z", timestamp64(5, 1)), ("2000-02-29T23:59:59Z", timestamp32(951_868_799)),
        ("0000-01-01T00:00:00Z", "c70cff00000000fffffff1868b8400"), ("9999-12-31T23:59:59Z", "c70cff000000000000003afff4417f"),
    ):  # fmt: skip
        topic.means(f'timestamp("{text}")', data)
    for text, data in (
        ("5, 0", timestamp32(5)), ("0x5, 0x0", timestamp32(5)), ("-1, 999999999", "c70cff3b9ac9ffffffffffffffffff"),
        ("9223372036854775807, 0", "c70cff000000007fffffffffffffff"),
    ):  # fmt: skip
        topic.means(f"timestamp({text})", data)
    for text in (
        "1970-01-01t00:00:05Z", "1970-01-01T00:00:05z", "1970-01-01 00:00:05Z", "1970-01-01T00:00:05", "1970-01-01",
        "1970-01-01T00:00:05+00:00", "1970-01-01T00:00:05-00:00", "1970-01-01T01:00:05+01:00", "1970-01-01T00:00Z",
        "1970-01-01T00:00:05.Z", "1970-01-01T00:00:05.0000000001Z", "1970-01-01T00:00:05,5Z", "1970-01-01T00:00:60Z",
        "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-02-29T00:00:00Z", "1970-13-01T00:00:00Z",
        "1970-00-01T00:00:00Z", "1970-01-00T00:00:00Z", "1970-04-31T00:00:00Z", "1900-02-29T00:00:00Z",
        "70-01-01T00:00:05Z", "10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "1970-1-1T00:00:05Z",
        " 1970-01-01T00:00:05Z", "1970-01-01T00:00:05Z ", "",
    ):  # fmt: skip
        topic.not_read(f'timestamp("{text}")')
    topic.not_read(
        "timestamp(5)", "timestamp(5, -1)", "timestamp(5, 1000000000)", "timestamp(9223372036854775808, 0)",
        "timestamp()", "timestamp(5.0, 0)", 'timestamp("1970-01-01T00:00:05Z", 0)', "timestamp(5, 0,)",
    )  # fmt: skip
    return topic


def _records() -> Topic:
    topic = Texts("records", "records: definitions, ids, what is known where")
    on: dict = {"records": True}
    first = "d4724091a16101"
    for text, data in (
        ('#64["a"](1)', first), ('#64 ["a"] (1)', first), ('#64/**/[ "a" , ]// keys\n( 1 , )', first),
        ('#64["a"]_array16("b"_str8)', "d47240dc0001a161d90162"), ('#64["a"_str8](1)', "d4724091d9016101"),
        ("#64[str(h'61')](1)", first), ("#127[]()", "d4727f90"), ('[#64["a"](1), #64(2)]', "92" + first + "4002"),
        ('#64["a"](#64(1))', "d4724091a1614001"), ('##96["a"](1)', "d572600091a16101"), ('##8255["a"](1)', "d5727ffe91a16101"),
        ('[##100["a"](1), ##100 (2)]', "92d572640091a16101640002"), ("64_fix", "40"), ("100", "cc64"), ("5_fix", "05"),
        ("63 64 127 128", "3fcc40cc7fcc80"), ('#64["a"](1) 64_fix', first + "40"), ('#0064["a"](1)', first),
        ('[##96["a"](1), #96["b"](2), #96(3)]', "93d572600091a16101d4726091a162026003"),
    ):  # fmt: skip
        topic.means(text, data, **on)
    topic.not_read(
        "#64(1)", '#63["a"](1)', '#128["a"](1)', '##95["a"](1)', '##8256["a"](1)', '# 64["a"](1)', '#["a"](1)',
        '# #96["a"](1)', '#-64["a"](1)', '#0x40["a"](1)', '#64["a"]', '#64["a"](', '#64["a"]()', '#64["a"](1, 2)',
        "#64[1](1)", "#64[nil](1)", '#64["a" "b"](1, 2)', '#64["a"](1)_map16', '#64["a"](1) #64(2)',
        '[##96["a"](1), #96(2)]', '[#96["a"](1), ##96(2)]', '[#64["a"](1), 64_fix]', '[##96["a"](1), 96_fix]',
        '#64["a"]_map16(1)', "ext(114, h'40')", "ext(114, h'')", "ext(114, h'40')_ext8",
    **on)  # fmt: skip
    topic.not_read('#64["a"](1) ')
    topic.means("ext(114, h'4142')", ext_bytes(0x72, b"AB"))
    topic.means('#64["a"](1) #64(2)  ', first + "4002", **on, sequential=True)
    shared = {**on, "shared_structures": [["a"], ["b", "c"]]}
    topic.means("#65(1, 2)", "410102", **shared)
    topic.means("#64(#65(1, 2)) #64(nil)", "4041010240c0", **shared)
    topic.not_read("#66()", "#65(1)", "65_fix", **shared)
    return topic
