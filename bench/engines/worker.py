"""One engine in a process of its own. It answers requests, one a line, and is timed by itself.

Usage: python -m engines.worker ENGINE THREADS
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# A column, from and to: rows with from <= column < to.
Range = tuple[str, int, int]


class NotReadError(Exception):
    """The engine does not read this form."""


class DuckDb:
    """DuckDB."""

    def __init__(self, threads: int) -> None:
        import duckdb

        self.connection = duckdb.connect()
        self.connection.execute(f"SET threads = {threads}")
        self.threads = threads

    def whole(self, form: str, path: str) -> int:
        return int(self._run(form, path, "SELECT * FROM {}").to_arrow_table().num_rows)

    def column(self, form: str, path: str, column: str) -> Any:
        return self._first(form, path, f'SELECT sum("{column}") FROM {{}}')

    def range(self, form: str, path: str, column: str, where: Range) -> Any:
        name, low, high = where
        query = f'SELECT sum("{column}") FROM {{}} WHERE "{name}" >= {low} AND "{name}" < {high}'
        return self._first(form, path, query)

    def _first(self, form: str, path: str, query: str) -> Any:
        return self._run(form, path, query).fetchall()[0][0]

    def _run(self, form: str, path: str, query: str) -> Any:
        if form == "container file":
            from packord.engines.duckdb import read_container

            table = read_container(self.connection, path)
            self.connection.register("container_file", table)
            source = "container_file"
        elif form.startswith("NDJSON"):
            source = f"read_json('{path}', format = 'newline_delimited', sample_size = -1)"
        elif form.startswith("Parquet"):
            source = f"read_parquet('{path}')"
        else:
            raise NotReadError("it has no reader without a download")
        return self.connection.execute(query.format(source))


class Polars:
    """Polars."""

    def __init__(self, threads: int) -> None:
        os.environ["POLARS_MAX_THREADS"] = str(threads)
        import polars

        self.polars = polars

    def whole(self, form: str, path: str) -> int:
        return int(self._scan(form, path).collect().height)

    def column(self, form: str, path: str, column: str) -> Any:
        return self._scan(form, path, [column]).select(self.polars.col(column).sum()).collect().item()

    def range(self, form: str, path: str, column: str, where: Range) -> Any:
        name, low, high = where
        col = self.polars.col
        found = self._scan(form, path, list(dict.fromkeys([column, name])))
        found = found.filter((col(name) >= low) & (col(name) < high))
        return found.select(col(column).sum()).collect().item()

    def _scan(self, form: str, path: str, columns: list[str] | None = None) -> Any:
        if form == "container file":
            from packord.engines.polars import scan_container

            return scan_container(path)
        if form.startswith("NDJSON"):
            return self.polars.scan_ndjson(path, infer_schema_length=None)
        if form.startswith("Parquet"):
            return self.polars.scan_parquet(path)
        return self.polars.read_avro(path, columns=columns).lazy()


class Spark:
    """Spark, in this process with a number of threads."""

    def __init__(self, threads: int) -> None:
        import packord.engines.spark
        from pyspark.sql import SparkSession

        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = SparkSession.builder.master(f"local[{threads}]")
        settings = {
            "spark.ui.enabled": "false",
            "spark.driver.memory": "4g",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.log.level": "ERROR",
            "spark.ui.showConsoleProgress": "false",
            "spark.jars": ",".join(jars()),
        }
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.spark = builder.getOrCreate()
        packord.engines.spark.register(self.spark)
        self.schemas: dict[str, Any] = {}

    def whole(self, form: str, path: str) -> int:
        self._read(form, path).write.format("noop").mode("overwrite").save()
        return -1

    def column(self, form: str, path: str, column: str) -> Any:
        return self._read(form, path, [column]).selectExpr(f"sum(`{column}`)").first()[0]

    def range(self, form: str, path: str, column: str, where: Range) -> Any:
        name, low, high = where
        table = self._read(form, path, list(dict.fromkeys([column, name])))
        return (
            table.where(f"`{name}` >= {low} AND `{name}` < {high}").selectExpr(f"sum(`{column}`)").first()[0]
        )

    def _read(self, form: str, path: str, columns: list[str] | None = None) -> Any:
        reader = self.spark.read
        if form == "container file":
            if columns:
                reader = reader.option("columns", ",".join(columns))
            return reader.format("packord-python").load(path)
        if form == "container file, Java":
            return reader.format("packord").load(path)
        if form.startswith("NDJSON"):
            # Found once, as a user would: Spark reads the whole file to find it.
            if path not in self.schemas:
                self.schemas[path] = reader.json(path).schema
            return reader.schema(self.schemas[path]).json(path)
        if form.startswith("Parquet"):
            return reader.parquet(path)
        return reader.format("avro").load(path)


class Python:
    """Rows as maps of Python."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def whole(self, form: str, path: str) -> int:
        return sum(1 for _ in self._rows(form, path))

    def column(self, form: str, path: str, column: str) -> Any:
        raise NotReadError("rows are read whole")

    def range(self, form: str, path: str, column: str, where: Range) -> Any:
        raise NotReadError("rows are read whole")

    def _rows(self, form: str, path: str) -> Iterator[Any]:
        if form == "container file":
            from packord.container import Reader

            yield from Reader(path)
            return
        with open(path, "rb") as file:
            if form.startswith("Avro"):
                import fastavro

                yield from fastavro.reader(file)
            elif form == "NDJSON, gzip":
                import gzip

                with gzip.open(file) as lines:
                    yield from map(json.loads, lines)
            elif form == "NDJSON, zstd":
                import io

                import zstandard

                source = zstandard.ZstdDecompressor().stream_reader(file)
                yield from map(json.loads, io.BufferedReader(source, 1 << 20))
            else:
                raise NotReadError("it is not read by rows")


def jars() -> list[str]:
    """What else Spark reads with: Avro, and the connector in Java, where they are."""
    folder = ROOT / "out" / "bench-engines" / "jars"
    return [str(path) for path in sorted(folder.glob("*.jar"))]


ENGINES: dict[str, Callable[[int], Any]] = {
    "DuckDB": DuckDb,
    "Polars": Polars,
    "Spark": Spark,
    "Python": Python,
}


def answer(engine: Any, request: dict[str, Any]) -> dict[str, Any]:
    """The seconds of a request and its answer, or why there is none."""
    words = [request["form"], request["path"]]
    try:
        begin = time.perf_counter()
        if request["task"] == "whole":
            value = engine.whole(*words)
        elif request["task"] == "column":
            value = engine.column(*words, request["column"])
        else:
            value = engine.range(*words, request["column"], request["where"])
        return {"seconds": time.perf_counter() - begin, "value": value}
    except NotReadError as error:
        return {"missing": str(error)}


def main() -> None:
    """Answers until the input ends."""
    # Whatever the engine prints is not an answer.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    name, threads = sys.argv[1], int(sys.argv[2])
    engine = ENGINES[name](threads)
    for line in sys.stdin:
        print(json.dumps(answer(engine, json.loads(line)), default=float), file=out, flush=True)


if __name__ == "__main__":
    main()
