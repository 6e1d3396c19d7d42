"""A document in each format, as bytes."""

from __future__ import annotations

import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fastavro
import pyarrow
import pyarrow.feather
import pyarrow.parquet

TOOL = Path(__file__).resolve().parents[2] / "rust" / "target" / "release" / "packord"


class NotATableError(Exception):
    """The document has no rows, or values that the format does not have."""


def packed(*options: str) -> Callable[[Any], bytes]:
    """MessagePack, as the tool writes it."""

    def pack(value: Any) -> bytes:
        command = [str(TOOL), "pack", *options]
        return subprocess.run(command, input=as_json(value), capture_output=True, check=True).stdout

    return pack


def as_json(value: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def table(value: Any) -> pyarrow.Table:
    """An array of objects as a table, its types as pyarrow finds them."""
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise NotATableError("not an array of objects")
    names: dict[str, None] = {}
    for row in value:
        names.update(dict.fromkeys(row))
    columns = {name: [row.get(name) for row in value] for name in names}
    try:
        return pyarrow.table(columns)
    except pyarrow.ArrowException as error:
        raise NotATableError("values of several types in a column") from error


def parquet(codec: str) -> Callable[[Any], bytes]:
    """Parquet, with its own compression or none."""

    def write(value: Any) -> bytes:
        out = io.BytesIO()
        pyarrow.parquet.write_table(table(value), out, compression=codec)
        return out.getvalue()

    return write


def arrow(codec: str | None) -> Callable[[Any], bytes]:
    """A file of Arrow, with its own compression or none."""

    def write(value: Any) -> bytes:
        rows, out = table(value), io.BytesIO()
        options = pyarrow.ipc.IpcWriteOptions(compression=codec)
        with pyarrow.ipc.new_file(out, rows.schema, options=options) as writer:
            writer.write_table(rows)
        return out.getvalue()

    return write


def avro(value: Any) -> bytes:
    """A file of Avro without compression, with the types that pyarrow finds."""
    rows = table(value)
    names = iter(range(1_000_000))
    fields = [
        {"name": f"f{index}", "type": _avro_type(field.type, names)}
        for index, field in enumerate(rows.schema)
    ]
    schema = {"type": "record", "name": "Row", "fields": fields}
    keys = rows.schema.names
    records = [{f"f{i}": row[key] for i, key in enumerate(keys)} for row in rows.to_pylist()]
    out = io.BytesIO()
    # Names of Avro have fewer characters than keys of JSON, so the keys are in the header.
    metadata = {"packord.keys": json.dumps(keys, ensure_ascii=False)}
    fastavro.writer(out, fastavro.parse_schema(schema), _renamed(records, fields), metadata=metadata)
    return out.getvalue()


def _avro_type(kind: pyarrow.DataType, names: Any) -> Any:
    """The type of Avro, with null."""
    if pyarrow.types.is_null(kind):
        return "null"
    if pyarrow.types.is_boolean(kind):
        found: Any = "boolean"
    elif pyarrow.types.is_integer(kind):
        found = "long"
    elif pyarrow.types.is_floating(kind):
        found = "double"
    elif pyarrow.types.is_string(kind):
        found = "string"
    elif pyarrow.types.is_list(kind):
        found = {"type": "array", "items": _avro_type(kind.value_type, names)}
    elif pyarrow.types.is_struct(kind):
        fields = [
            {"name": f"f{index}", "doc": field.name, "type": _avro_type(field.type, names)}
            for index, field in enumerate(kind)
        ]
        found = {"type": "record", "name": f"R{next(names)}", "fields": fields}
    else:
        raise NotATableError(f"{kind} is not in Avro")
    return ["null", found]


def _renamed(value: Any, kind: Any) -> Any:
    """Values whose objects within have the names of the schema."""
    if isinstance(kind, list) and kind and isinstance(kind[0], dict) and "name" in kind[0]:
        return [{f["name"]: _renamed(row[f["name"]], f["type"]) for f in kind} for row in value]
    if isinstance(kind, list) and value is not None:
        return _renamed(value, kind[1])
    if isinstance(kind, dict) and kind["type"] == "array":
        return [_renamed(item, kind["items"]) for item in value]
    if isinstance(kind, dict) and kind["type"] == "record":
        return {f["name"]: _renamed(value[f["doc"]], f["type"]) for f in kind["fields"]}
    return value


FORMATS: dict[str, Callable[[Any], bytes]] = {
    "JSON": as_json,
    "plain": packed(),
    "records": packed("--records"),
    "columns": packed("--columns", "--records"),
    "Parquet": parquet("none"),
    "Parquet, zstd within": parquet("zstd"),
    "Arrow IPC": arrow(None),
    "Arrow IPC, zstd within": arrow("zstd"),
    "Avro": avro,
}
COMPRESSORS: dict[str, tuple[str, int] | None] = {
    "raw": None,
    "gzip 6": ("gzip", 6),
    "zstd 3": ("zstd", 3),
    "zstd 19": ("zstd", 19),
    "brotli 11": ("brotli", 11),
}


def compressed_size(data: bytes, compressor: str) -> int:
    """The number of bytes after a compressor."""
    chosen = COMPRESSORS[compressor]
    if chosen is None:
        return len(data)
    codec = pyarrow.Codec(chosen[0], compression_level=chosen[1])
    return len(codec.compress(data, asbytes=True))
