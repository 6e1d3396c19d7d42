"""The tables of sizes are those of the results, and each format holds the values that it is measured with."""

import io
import json

import fastavro
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest

from sizes import __main__, formats, page
from sizes.documents import EXPERIMENT, FURTHER

ROWS = [
    {"id": 1, "name": "Oslo", "at": {"lat": 59.9, "lon": 10.7}, "tags": ["north", "sea"]},
    {"id": 2, "name": None, "at": {"lat": 47.0, "lon": 15.4}, "tags": []},
]


def test_every_document_has_results_and_every_loss_its_cause():
    sizes = page.load(json.loads(__main__.RESULTS.read_text()))
    assert set(sizes) == {document.name for document in EXPERIMENT + FURTHER}
    assert "?" not in page.losses(sizes, EXPERIMENT + FURTHER)


def test_columns_are_smaller_than_json_behind_every_compressor():
    sizes = page.load(json.loads(__main__.RESULTS.read_text()))
    assert page.larger_than_json(sizes, EXPERIMENT + FURTHER) == "none"


def test_a_loss_of_more_than_one_percent_is_named():
    document = EXPERIMENT[0]
    compressors = {"raw": 1000, "gzip 6": 100, "zstd 3": 100}
    found = {"JSON": compressors, "plain": compressors, "records": {**compressors, "gzip 6": 90}}
    sizes = {document.name: {**found, "columns": {**compressors, "gzip 6": 92}}}
    assert page.losses(sizes, [document]).startswith(f"- {document.name} with gzip 6, 2.2 % larger")
    assert page.larger_than_json(sizes, [document]) != "none"


@pytest.mark.parametrize("codec", ["none", "zstd"])
def test_parquet_holds_the_rows(codec):
    data = formats.parquet(codec)(ROWS)
    assert pyarrow.parquet.read_table(io.BytesIO(data)).to_pylist() == ROWS


@pytest.mark.parametrize("codec", [None, "zstd"])
def test_arrow_holds_the_rows(codec):
    data = formats.arrow(codec)(ROWS)
    assert pyarrow.ipc.open_file(data).read_all().to_pylist() == ROWS


def test_avro_holds_the_rows_and_their_keys():
    reader = fastavro.reader(io.BytesIO(formats.avro(ROWS)))
    keys = json.loads(reader.metadata["packord.keys"])
    assert keys == list(ROWS[0])
    rows = [dict(zip(keys, row.values(), strict=True)) for row in reader]
    assert [row["name"] for row in rows] == ["Oslo", None]
    assert list(rows[0]["at"].values()) == [59.9, 10.7]
    assert rows[0]["tags"] == ["north", "sea"]


@pytest.mark.parametrize("value", [{"a": 1}, [1, 2], [{"a": 1}, {"a": "x"}]])
def test_what_is_no_table_of_one_type_per_column_is_refused(value):
    with pytest.raises(formats.NotATableError):
        formats.parquet("none")(value)


@pytest.mark.parametrize("compressor", [name for name, chosen in formats.COMPRESSORS.items() if chosen])
def test_a_compressor_makes_repetition_small(compressor):
    assert formats.compressed_size(b"packord " * 1000, compressor) < 200
