"""The interfaces of other packages, by their own names and defaults."""

# Keywords of other packages, by the module that has them: what packord has in their place.
_KEYWORDS = {
    "ormsgpack": {"option": "a keyword for each option, such as canonical=True"},
    "msgspec": {"enc_hook": "default"},
    "msgpack": {
        "autoreset": "Encoder, which keeps no bytes",
        "buf_size": "Encoder, which needs no size",
        "datetime": "timestamps without an option",
        "max_buffer_size": "max_buffer",
        "raw": 'utf8="raw"',
        "strict_map_key": "keys of any kind without an option",
        "strict_types": "default",
        "timestamp": "timestamps",
        "unicode_errors": "utf8",
        "use_bin_type": "bin for bytes without an option",
        "use_list": "tuples",
        "use_single_float": "float32",
    },
}


def _hint(name: str) -> str:
    """What the error of an unknown keyword adds, if another package has the keyword."""
    for module, keywords in _KEYWORDS.items():
        if name in keywords:
            return f": packord has {keywords[name]}, and packord.compat.{module} has {name}"
    return ""
