"""Container files as a dataset of pyarrow, with projection and filters pushed down."""

from __future__ import annotations

import decimal
import functools
import re
from collections.abc import Sequence
from typing import Any

import pyarrow
import pyarrow.acero as acero
import pyarrow.compute
import pyarrow.dataset
import pyarrow.fs

from packord._blocks import Block
from packord.container import Batch, Reader
from packord.engines._sources import batches_passing, schema_of, ticks


class ContainerDataset(pyarrow.dataset.Dataset):  # type: ignore[misc]
    """The table of container files as a dataset of pyarrow.

    ``scanner``, and what is made of it (``to_table``, ``to_batches``, ``head``, ``count_rows``),
    make the columns that are asked for, and do not read blocks of which no row passes the filter by
    their statistics; of the others, first the columns that it names are made.
    ``counted``: the name of a first column, of nulls, which is made from the index. A table without
    columns has it in any case, as ``_``. The dataset has no fragments.
    """

    def __init__(
        self, readers: Sequence[Reader[Any]], schema: Any = None, counted: str | None = None
    ) -> None:
        self._readers = readers
        self._types = schema_of(readers) if schema is None else schema
        self._schema = pyarrow.schema(readers[0].arrow_batches(schema=self._types, blocks=[]))
        # DuckDB takes no table without columns.
        self._counted = counted if self._schema.names else "_"
        if self._counted is not None:
            self._schema = self._schema.insert(0, pyarrow.field(self._counted, pyarrow.null()))
        # What the blocks of each reader guarantee of some columns: those of the last filter.
        self._bounds: tuple[list[str], list[Any]] = ([], [])

    @property
    def schema(self) -> Any:
        """The columns, a ``pyarrow.Schema``."""
        return self._schema

    @property
    def readers(self) -> Sequence[Reader[Any]]:
        """The readers of the files."""
        return self._readers

    def scanner(self, columns: Any = None, filter: Any = None, **options: Any) -> Any:
        """A ``pyarrow.dataset.Scanner`` of the rows that pass ``filter``, with ``columns``, a list
        of names or a dict of expressions. Other options are those of pyarrow."""
        needed = self._needed_columns(columns, filter)
        batches = self._batches([name for name in needed if name != self._counted], filter)
        asked = self._schema.names if columns is None else columns
        if self._counted in asked:
            if not isinstance(asked, dict):
                asked = {name: pyarrow.compute.field(name) for name in asked}
            columns = {**asked, self._counted: pyarrow.compute.scalar(pyarrow.NA)}
        known = ("batch_size", "use_threads", "memory_pool")
        options = {name: value for name, value in options.items() if name in known}
        return pyarrow.dataset.Scanner.from_batches(
            batches, columns=columns, filter=filter, **options
        )

    def _needed_columns(self, columns: Any, filter: Any) -> list[str]:
        """The names of columns that are asked for, or that an expression may be about."""
        if columns is None:
            return list(self._schema.names)
        wanted = list(columns.values()) if isinstance(columns, dict) else columns
        named = {name for name in wanted if isinstance(name, str)}
        for part in (*wanted, filter):
            if not isinstance(part, str):
                named.update(self._named_columns(part))
        return [name for name in self._schema.names if name in named]

    def _named_columns(self, expression: Any) -> list[str]:
        """The names of columns that an expression may be about."""
        # pyarrow does not list them: they are in its string form, each apart from other words.
        text = str(expression)
        return [name for name in self._schema.names if re.search(_apart(name), text)]

    def _batches(self, columns: list[str], filter: Any) -> Any:
        # One stream without Python: pyarrow's threads read it ahead, also while the program ends.
        first, *others = self._readers
        blocks = self._needed_blocks(0, filter)
        if filter is None:
            stream = first.arrow_batches(columns, self._types, blocks=blocks)
        else:
            named = [name for name in self._named_columns(filter) if name != self._counted]
            passing = functools.partial(_passing, filter)
            stream = batches_passing(first, columns, self._types, blocks, named, passing)
        for number, reader in enumerate(others, 1):
            stream._then(reader, self._needed_blocks(number, filter))
        return pyarrow.RecordBatchReader.from_stream(stream)

    def _needed_blocks(self, number: int, filter: Any) -> list[int] | None:
        if filter is None:
            return None
        named = self._named_columns(filter)
        if self._bounds[0] != named:
            of = [_bounds(reader.blocks, self._schema, named) for reader in self._readers]
            self._bounds = (named, of)
        bounds = self._bounds[1][number] if named else None
        if bounds is None:
            return None
        return sorted(int(fragment.path) for fragment in bounds.get_fragments(filter))

    def get_fragments(self, filter: Any = None) -> Any:
        """There are none: ``NotImplementedError``."""
        raise NotImplementedError("a dataset of container files has no fragments")

    def replace_schema(self, schema: Any) -> Any:
        """The same files with other types: ``schema`` for ``Reader.arrow_batches``."""
        return ContainerDataset(self._readers, schema)

    @property
    def partition_expression(self) -> Any:
        """Says nothing of the rows."""
        return pyarrow.compute.scalar(True)


@functools.lru_cache(1024)
def _apart(name: str) -> str:
    """A pattern for a name that is not part of a longer one."""
    before = r"(?<!\w)" if re.match(r"\w", name) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", name) else ""
    return before + re.escape(name) + after


def _passing(filter: Any, batch: Batch) -> Any:
    """Of each row of a batch, whether it passes a filter."""
    table = pyarrow.Table.from_batches([pyarrow.record_batch(batch)])
    source = acero.Declaration("table_source", acero.TableSourceNodeOptions(table))
    column = acero.Declaration("project", acero.ProjectNodeOptions([filter], ["passes"]), [source])
    return column.to_table(use_threads=False)


def _bounds(blocks: Sequence[Block] | None, schema: Any, named: Sequence[str]) -> Any:
    """What the statistics of blocks guarantee, in a form that pyarrow compares filters with: a
    fragment for each block, which is never read, and whose name is the block's number."""
    if blocks is None:
        return None
    fragments = []
    for number, block in enumerate(blocks):
        known = _guarantee(block, schema, named)
        made = _FORMAT.make_fragment(str(number), filesystem=_FILES, partition_expression=known)
        fragments.append(made)
    return pyarrow.dataset.FileSystemDataset(fragments, schema, _FORMAT, filesystem=_FILES)


_FORMAT = pyarrow.dataset.IpcFileFormat()
_FILES = pyarrow.fs.LocalFileSystem()


def _guarantee(block: Block, schema: Any, named: Sequence[str]) -> Any:
    """An expression about some columns that is true of every row of a block."""
    known = pyarrow.compute.scalar(True)
    for path, (nulls, low, high) in (block.stats or {}).items():
        parts = path.split(".")
        # An empty part stands for the row itself, or for no key.
        found = _field(schema, parts) if parts[0] in named and all(parts) else None
        if found is None:
            continue
        reference, dtype = found
        if nulls == block.count:
            known &= reference.is_null()
            continue
        for bound, compare in ((low, "__ge__"), (high, "__le__")):
            scalar = None if bound is None else _scalar(bound, dtype)
            if scalar is not None:
                within = getattr(reference, compare)(scalar)
                # Each comparison by itself: so pyarrow knows it again.
                known &= within if nulls == 0 else within | reference.is_null()
        if nulls == 0:
            known &= reference.is_valid()
    return known


def _field(schema: Any, path: Sequence[str]) -> tuple[Any, Any] | None:
    if path[0] not in schema.names:
        return None
    dtype = schema.field(path[0]).type
    for part in path[1:]:
        if not pyarrow.types.is_struct(dtype) or dtype.get_field_index(part) < 0:
            return None
        dtype = dtype.field(part).type
    return pyarrow.compute.field(*path), dtype


def _scalar(bound: Any, dtype: Any) -> Any:
    """A bound as the column has it, by the rules of ``Reader.arrow_batches``; ``None`` if its
    values are made of others, which are not in the same order."""
    types = pyarrow.types
    if types.is_timestamp(dtype):
        moment = ticks(bound, dtype.unit)
        return None if moment is None else pyarrow.scalar(moment, dtype)
    if type(bound) is str:
        is_text = types.is_string(dtype) or types.is_large_string(dtype)
        return pyarrow.scalar(bound, dtype) if is_text else None
    if type(bound) is int and types.is_decimal(dtype):
        return pyarrow.scalar(decimal.Decimal(bound), dtype)
    if type(bound) is int and types.is_integer(dtype):
        return pyarrow.scalar(bound, dtype)
    if type(bound) in (int, float) and types.is_floating(dtype):
        return pyarrow.scalar(float(bound), pyarrow.float64()).cast(dtype)
    return None
