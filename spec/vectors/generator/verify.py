"""Fills in the derived members of a case and checks the stated ones.

What a case states is checked with ``reference.py``; what follows from its bytes
(``canonical``, ``notation``) is computed. The generator takes cases whose bytes are
larger than ``LARGEST`` without a check; the tests check them.
"""

from __future__ import annotations

from .. import notation_reader, reference, typed
from ..columnar_writer import ColumnsWriter
from ..expansion import flat
from ..notation import notation
from ..reference import Fault, Options
from ..stream_reader import read_stream
from . import container_verify, defaults_verify

LARGEST = 500_000
LARGEST_WRITTEN = 1000
LARGEST_WRITTEN_OF = {"container": 4000, "hostile": 15_000}
LARGEST_WITH_NOTATION = 100


def size(case: dict) -> int:
    """How many bytes the case has; ``steps`` count as small."""
    return reference.expanded_length(case.get("bytes", ""))


def complete_and_verify(kind: str, case: dict) -> None:
    """Raises when the reference reader or writer does not agree with ``case``."""
    most = LARGEST_WRITTEN_OF.get(kind, LARGEST_WRITTEN)
    if isinstance(case.get("bytes"), str) and size(case) > most:
        raise ValueError(f"{size(case)} bytes written out; abbreviate them")
    if "steps" in case:
        _steps(case)
    else:
        _VERIFY[kind](case, reference.expand(case.get("bytes", "")))


def outcome(case: dict, data: bytes, **more: object) -> dict:
    """The outcome of reading the case: ``{"value"}``, made flat, or ``{"error"}``."""
    try:
        return {"value": flat(reference.read(data, Options.of(case.get("options"), **more)))}
    except Fault as fault:
        return {"error": fault.described()}


def stream_parts(data: bytes, options: Options) -> list[tuple[list, object]]:
    """The values of a stream, made flat, up to each fault, with that fault; then the last ones.

    There are none after a fault that ends the stream.
    """
    parts: list[tuple[list, object]] = []
    values: list = []
    for item in read_stream(data, options):
        if isinstance(item, Fault):
            parts.append((values, item.described()))
            values = []
            if item.ends_stream:
                return parts
        else:
            values.append(flat(item))
    return [*parts, (values, "clean")]


def place(error: dict) -> dict:
    """An error without its path."""
    return {name: member for name, member in error.items() if name != "path"}


def _expect(got: object, wanted: object) -> None:
    if got != wanted:
        raise ValueError(f"expected {str(wanted)[:300]}, the reference returns {str(got)[:300]}")


def _expect_end(got: object, stated: object) -> None:
    """How reading ends; the ``path`` of an error that states none is filled in."""
    if not (isinstance(got, dict) and isinstance(stated, dict)):
        _expect(got, stated)
        return
    _expect(got if "path" in stated else place(got), stated)
    stated["path"] = got["path"]


def _expect_outcome(case: dict, got: dict) -> None:
    if "error" in case:
        _expect_end(got.get("error"), case["error"])
    else:
        _expect(got, _stated(case))


def _stated(case: dict) -> dict:
    """The case's own ``value`` or ``error``, in the form of ``outcome``."""
    if "error" in case:
        return {"error": case["error"]}
    return {"value": flat(reference.build(case["value"]))}


def _valid(case: dict, data: bytes) -> None:
    options = case.get("options", {})
    value = reference.build(case["value"])
    _expect(outcome(case, data), _stated(case))
    _expect(reference.encode(value, Options.of(options)) == data, case["default"])
    if not options:
        strict = outcome(case, data, canonical=True)
        case["canonical"] = _canonical(value, data)
        if case["canonical"] is True:
            _expect(strict, _stated(case))
        else:
            _expect(strict["error"]["kind"] in ("not_canonical", "duplicate_key"), True)
    if "utf8" not in options and "trailing" not in options and len(data) <= LARGEST_WITH_NOTATION:
        case["notation"] = notation(data)
        _expect(notation_reader.read(case["notation"]).hex(), data.hex())


def _canonical(value: object, data: bytes) -> object:
    """What a canonical writer makes: True (``data``), other bytes (False if they are long), or an error."""
    try:
        canonical = reference.encode(value, Options(canonical=True))
    except Fault as fault:
        return fault.described()
    return canonical == data or (canonical.hex() if len(canonical) <= LARGEST_WRITTEN else False)


def _invalid(case: dict, data: bytes) -> None:
    _expect_outcome(case, outcome(case, data))


def _columns(case: dict, data: bytes) -> None:
    if "encode" not in case:
        _expect_outcome(case, outcome(case, data))
        return
    plain = reference.expand(case["plain"])
    value = reference.read(plain)
    _expect(reference.encode(value).hex(), plain.hex())
    writer = ColumnsWriter(Options.of(case["options"]))
    _expect(writer.message(value).hex(), data.hex())
    _expect_shared(case, writer)
    found = outcome(case, data, shared_structures=case.get("shared_after"))
    _expect(found, {"value": flat(value)})


def _stream(case: dict, data: bytes) -> None:
    """``then`` is filled in where no value follows a fault."""
    parts = stream_parts(data, Options.of(case.get("options")))
    then = case.pop("then", None)
    if then is None:
        then = [{"values": [], "end": end} for _, end in parts[1:]]
    for part, (values, end) in zip([case, *then], parts, strict=True):
        _expect(values, [flat(reference.build(value)) for value in part["values"]])
        _expect_end(end, part["end"])
    if then:
        case["then"] = then


def _records(case: dict, data: bytes) -> None:
    options = Options.of(case["options"])
    _expect(options.records, True)
    if case.get("encode"):
        _records_written(case, data, options)
    elif "values" in case:
        wanted = [flat(reference.build(value)) for value in case["values"]]
        _expect(stream_parts(data, options), [(wanted, "clean")])
    else:
        _expect_outcome(case, outcome(case, data))
    plain = {"records", "shared_structures"} >= case["options"].keys()
    if plain and "value" in case and len(data) <= LARGEST_WITH_NOTATION:
        shared = case.get("shared_after", options.shared_structures)
        case["notation"] = notation(data, records=True, shared=shared)
        again = notation_reader.read(case["notation"], records=True, shared=shared)
        _expect(again.hex(), data.hex())


def _records_written(case: dict, data: bytes, options: Options) -> None:
    writer = reference.Writer(options)
    values = case["values"] if "values" in case else [case["value"]]
    values = [reference.build(value) for value in values]
    _expect(b"".join(map(writer.message, values)).hex(), data.hex())
    _expect_shared(case, writer)
    read_options = Options.of(case["options"], shared_structures=writer.shared)
    _expect(stream_parts(data, read_options), [([flat(value) for value in values], "clean")])


def _expect_shared(case: dict, writer: reference.Writer) -> None:
    has_list = "shared_structures" in case["options"]
    _expect(writer.shared if has_list else None, case.get("shared_after"))


def _steps(case: dict) -> None:
    """One reader, and with ``encode`` one writer before it, for all messages of the case."""
    _expect(any("error" in step for step in case["steps"]), True)
    options = Options.of(case["options"])
    steps = case["steps"]
    if case.get("encode"):
        writer = reference.Writer(options)
        for step in steps:
            _expect(_written(writer, step), step.get("error", step.get("bytes")))
        _expect_shared(case, writer)
        options = Options.of(case["options"], shared_structures=writer.shared)
        steps = [step for step in steps if "bytes" in step]
    reader = reference.Reader(b"", options)
    for step in steps:
        try:
            got = {"value": flat(reader.one(reference.expand(step["bytes"])))}
        except Fault as fault:
            got = {"error": fault.described()}
        _expect_outcome(step, got)


def _written(writer: reference.Writer, step: dict) -> object:
    try:
        return writer.message(reference.build(step["value"])).hex()
    except Fault as fault:
        return fault.described()


def _notation(case: dict, data: bytes) -> None:
    options = Options.of(case.get("options"))
    given = {"records": options.records, "shared": options.shared_structures}
    try:
        found = {"bytes": notation_reader.read(case["text"], **given, sequential=options.sequential).hex()}
    except notation_reader.Refused:
        found = {"refused": True}
    _expect(found, {name: case[name] for name in ("bytes", "refused") if name in case})
    if "bytes" in case and data and not options.sequential:
        again = notation(data, records=options.records, shared=options.shared_structures)
        _expect(notation_reader.read(again, **given).hex(), data.hex())


def _typed(case: dict, data: bytes) -> None:
    try:
        got = {"value": flat(typed.read(data, case["type"], Options.of(case.get("options"))))}
    except Fault as fault:
        got = {"error": fault.described()}
    _expect(got, _stated(case))


def _hostile(case: dict, data: bytes) -> None:
    got = outcome(case, data)
    if "value_ok" in case:
        _expect("value" in got, True)
    else:
        _expect(place(got["error"]), case["error"])


_VERIFY = {
    "valid": _valid,
    "invalid": _invalid,
    "stream": _stream,
    "records": _records,
    "columns": _columns,
    "container": container_verify.complete_and_verify,
    "defaults": defaults_verify.complete_and_verify,
    "hostile": _hostile,
    "notation": _notation,
    "typed": _typed,
}
