"""The forms that are compared. Nothing is imported here that only the measuring needs."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The forms, and the ends of their files' names.
FORMS = {
    "container file": ".pkd",
    "NDJSON, gzip": ".ndjson.gz",
    "NDJSON, zstd": ".ndjson.zst",
    "Avro, deflate": ".avro",
    "Parquet, zstd": ".parquet",
}
