"""Container files: many rows in blocks, which are compressed, skipped, split and appended to.

The format is that of ``spec/container.md``. :class:`Writer` writes such files and :class:`Reader`
reads them, row by row or as tables of Apache Arrow.

>>> import tempfile, os
>>> path = os.path.join(tempfile.mkdtemp(), "towns.pkd")
>>> with Writer(path) as writer:
...     writer.write({"town": "Oslo", "height": 23})
...     writer.write({"town": "Graz", "height": 353})
>>> [row["town"] for row in Reader(path, where=[("height", ">", 100)])]
['Graz']
"""

from __future__ import annotations

from packord._blocks import Block, Damage, Statistics
from packord._packord import Batch, Batches, Reader, Rows, Writer

__all__ = ["Batch", "Batches", "Block", "Damage", "Reader", "Rows", "Statistics", "Writer"]
