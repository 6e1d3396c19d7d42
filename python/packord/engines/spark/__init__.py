"""Container files in Spark, from 4.1 on: ``spark.read.format("packord-python")``, and for writing.
Reading streams needs Spark 4.2.

>>> from packord.engines.spark import register
>>> register(spark)  # doctest: +SKIP
>>> events = spark.read.format("packord-python").load("events/")  # doctest: +SKIP
>>> events.where("level = 'error'").count()  # doctest: +SKIP

The package must be installed where the executors run. `docs/containers.md` has a whole example.

Options for reading:

| option | default | meaning |
|---|---|---|
| ``partitions`` | none | about this number of partitions, over all files |
| ``maxPartitionBytes`` | 8388608 | … or partitions of about this number of bytes of the files |
| ``columns`` | all | names separated by commas: only these are read |
| ``onBadBlock`` | ``error`` | ``skip``: damaged blocks are passed over |
| ``maxBlock`` | 67108864 | the largest block that is read, in bytes |
| ``maxBytesPerTrigger`` | none | streams: about this number of bytes for each batch |

Of less than 64 MiB of files, the default of ``maxPartitionBytes`` is an eighth, but at least 1 MiB.

A path is a file, a folder, a pattern with ``*``, ``?`` and ``[…]``, or a list of these. The
schema is that of the indexes. Files without an index are sampled: their first 16 MiB. A schema of
your own (``.schema("id long, level string")``) is faster, and names the columns to read:
Spark's Python interface does not tell a source which columns a query uses.

Options for writing are ``codec``, ``level``, ``blockSize``, ``blockRows`` and ``stats`` (paths
separated by commas), as those of ``packord.container.Writer``. The modes are ``append`` and
``overwrite``. Each task writes one file.
"""

from __future__ import annotations

from pyspark.sql import SparkSession
from pyspark.sql import datasource as spark_source
from pyspark.sql.types import StructType

from packord.engines._files import container_files, table_schema
from packord.engines.spark._options import (
    COLUMNS,
    PARTS,
    READER,
    STREAM,
    WRITER,
    folder_of,
    keywords_of,
    paths_of,
)
from packord.engines.spark._read import BatchReader, FilteringReader
from packord.engines.spark._types import spark_schema
from packord.engines.spark._write import BatchWriter, StreamWriter

__all__ = ["PackordDataSource", "register"]


class PackordDataSource(spark_source.DataSource):  # type: ignore[misc,unused-ignore]
    """The data source ``packord-python``. :func:`register` makes it known to a session."""

    @classmethod
    def name(cls) -> str:
        """The name in ``format``."""
        return "packord-python"

    def schema(self) -> StructType:
        """The schema of the files, if the user has given none."""
        found = table_schema(container_files(paths_of(self.options)))
        return spark_schema(found, keywords_of(self.options, COLUMNS).get("columns"))

    def reader(self, schema: StructType) -> spark_source.DataSourceReader:
        """Reads a table."""
        files = container_files(paths_of(self.options))
        sizes, options = keywords_of(self.options, PARTS), keywords_of(self.options, READER)
        return self.batch_reader(files, schema, sizes, options)

    batch_reader = BatchReader

    def streamReader(self, schema: StructType) -> spark_source.DataSourceStreamReader:
        """Reads a growing folder."""
        # Spark 4.1 lacks what it is made of.
        try:
            from packord.engines.spark._stream import StreamReader
        except ModuleNotFoundError as error:
            raise RuntimeError("packord reads streams with Spark 4.2 or newer") from error

        return StreamReader(
            paths_of(self.options),
            schema,
            keywords_of(self.options, PARTS).get("size"),
            keywords_of(self.options, STREAM).get("trigger_bytes"),
            keywords_of(self.options, READER),
        )

    def writer(self, schema: StructType, overwrite: bool) -> spark_source.DataSourceWriter:
        """Writes a table to a folder."""
        return BatchWriter(folder_of(self.options), overwrite, keywords_of(self.options, WRITER))

    def streamWriter(
        self, schema: StructType, overwrite: bool
    ) -> spark_source.DataSourceStreamWriter:
        """Writes the batches of a stream to a folder."""
        return StreamWriter(folder_of(self.options), overwrite, keywords_of(self.options, WRITER))


class _WithFilters(PackordDataSource):
    batch_reader = FilteringReader


def register(spark: SparkSession, *, filters: bool = False) -> None:
    """Makes ``format("packord-python")`` known to a session.

    With ``filters`` it also sets ``spark.sql.python.filterPushdown.enabled``, so that blocks are
    skipped by what a query compares. It is off because Spark 4.1 and 4.2 keep the filters of a
    query for later ones on the same ``DataFrame``, whose rows are then wrong:

    >>> events.where("id >= 900").count(); events.count()  # doctest: +SKIP
    100
    100

    Turn it on only for programs that load a ``DataFrame`` again for each query.
    """
    if filters:
        spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(_WithFilters if filters else PackordDataSource)
