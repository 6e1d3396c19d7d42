"""Container files in polars and DuckDB: the same results as on plain rows, and only the blocks that a query needs."""

from __future__ import annotations

import datetime
import io
import itertools
import math
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow
import pyarrow.dataset
import pytest
from polars import col

import packord.engines.duckdb
import packord.engines.polars
from packord.container import Reader, Writer
from packord.engines._arrow_dataset import ContainerDataset
from packord.engines._sources import readers_of

NAN = float("nan")
START = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
LONG = "long string " * 10


def row(n: int) -> dict[str, Any]:
    """One of 1,000 rows: sorted numbers, strings and times; NaN, nil, several types, long strings."""
    return {
        "id": n,
        "level": NAN if n % 50 == 49 and n > 500 else n / 4,
        "name": f"name {n:04}" if n % 9 else None,
        "text": f"{LONG}{n:04}",
        "at": START + datetime.timedelta(minutes=n),
        "mixed": n if n % 2 else n + 0.5,
        "any": n if n < 300 else f"{n}",
        "pos": {"x": n, "y": [n, n + 1]},
        "flag": None if n % 5 == 0 else n % 2 == 0,
        "seldom": n if n >= 900 else None,
        "u": 2**63 + n,
    }


ROWS = [row(n) for n in range(1000)]
BLOCKS = 20
KEY = ["id", "level", "name", "text", "at", "mixed", "any", "pos.x", "flag", "seldom", "u"]


@pytest.fixture(scope="module", params=[True, False], ids=["columns", "plain"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("engines") / "rows.pkd"
    with Writer(path, block_rows=50, stats=KEY, columns=request.param) as writer:
        writer.write_many(ROWS)
    return path


@pytest.fixture
def readers(monkeypatch: pytest.MonkeyPatch) -> list[Reader[Any]]:
    """All readers that a query makes."""
    made: list[Reader[Any]] = []

    def note(*arguments: Any) -> Any:
        made.extend(readers_of(*arguments))
        return made[:]

    for module in (packord.engines.polars, packord.engines.duckdb):
        monkeypatch.setattr(module, "readers_of", note)
    return made


def plain_frame() -> polars.DataFrame:
    """The same table, made from the rows themselves."""
    frame = polars.DataFrame(
        [{**each, "any": str(each["any"])} for each in ROWS],
        schema_overrides={"u": polars.UInt64, "mixed": polars.Float64},
        infer_schema_length=None,
    )
    return frame.with_columns(col("at").dt.replace_time_zone(None))


def at(n: int) -> datetime.datetime:
    return (START + datetime.timedelta(minutes=n)).replace(tzinfo=None)


POLARS: list[tuple[str, Any, int | None]] = [
    ("range", (col("id") >= 120) & (col("id") < 180), 2),
    ("point", col("id") == 777, 1),
    ("nothing", col("id") > 5000, 0),
    ("either end", (col("id") < 10) | (col("id") > 990), 2),
    ("between", col("id").is_between(100, 149), 1),
    ("among", col("id").is_in([3, 4, 999]), 2),
    ("among none", col("id").is_in([-5]), 0),
    ("not equal", col("id") != 5, BLOCKS),
    ("int column, float constant", col("id") < 49.5, 1),
    ("string", col("name") == "name 0500", 1),
    ("string range", col("name") > "name 09", 2),
    ("long string", col("text") == f"{LONG}0500", BLOCKS),
    ("smaller string", col("text") < "k", 0),
    ("time", col("at") >= at(970), 1),
    ("float with NaN", col("level") >= 240.0, None),
    ("NaN", col("level").is_nan(), None),
    ("float without NaN", col("level") < 10.0, None),
    ("numbers of both kinds", col("mixed") > 980, 1),
    ("several types", col("any") == "5", 6),
    ("text of numbers", col("any") > "98", None),
    ("field of a map", col("pos").struct.field("x") < 40, 1),
    ("null", col("seldom").is_null(), 18),
    ("not null", col("seldom").is_not_null(), 2),
    ("a column that is null", col("seldom") > 0, 2),
    ("flag", col("flag"), BLOCKS),
    ("not", ~(col("id") > 30), None),
    ("two columns", col("mixed") > col("id"), None),
    ("unsigned", col("u") >= 2**63 + 990, 1),
    ("an expression", col("id") * 2 > 1990, None),
    ("and one that is not known", (col("id") < 50) & (col("id") * 2 > 10), 1),
    ("or one that is not known", (col("id") < 50) | (col("id") * 2 > 1990), None),
    ("starts with", col("name").str.starts_with("name 09"), None),
]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
@pytest.mark.parametrize(("name", "predicate", "blocks"), POLARS, ids=[name for name, *_ in POLARS])
def test_polars_filters_as_it_does_rows_and_reads_no_other_blocks(
    path: Path,
    readers: list[Reader[Any]],
    name: str,
    predicate: Any,
    blocks: int | None,
    engine: Any,
) -> None:
    frame = packord.engines.polars.scan_container(path)
    found = frame.filter(predicate).collect(engine=engine)
    assert found.equals(plain_frame().filter(predicate), null_equal=True)
    if blocks is not None:
        assert [reader.blocks_read for reader in readers] == [blocks]
    assert "SELECTION" in frame.filter(predicate).explain()


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars_makes_the_columns_that_it_needs(
    path: Path, engine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    class Noting:
        def __init__(self, reader: Reader[Any]) -> None:
            self.reader = reader
            self.blocks = reader.blocks

        def arrow_batches(self, columns: Any = None, *arguments: Any, **more: Any) -> Any:
            asked.append(columns)
            return self.reader.arrow_batches(columns, *arguments, **more)

        def _chosen_batches(self, columns: Any, *arguments: Any) -> Any:
            asked.append(columns)
            return self.reader._chosen_batches(columns, *arguments)

    monkeypatch.setattr(
        packord.engines.polars,
        "readers_of",
        lambda *given: [Noting(each) for each in readers_of(*given)],
    )
    frame = packord.engines.polars.scan_container(path)
    assert frame.collect_schema() == plain_frame().schema
    total = frame.filter(col("id") < 100).select(col("mixed").sum()).collect(engine=engine)
    assert total.item() == plain_frame().head(100)["mixed"].sum()
    assert [sorted(columns or ()) for columns in asked] == [[], ["id", "mixed"]]
    grouped = frame.group_by("flag").agg(polars.len()).sort("flag").collect(engine=engine)
    assert grouped.equals(plain_frame().group_by("flag").agg(polars.len()).sort("flag"))


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars_stops_after_the_rows_that_it_wants(
    path: Path, readers: list[Reader[Any]], engine: Any
) -> None:
    frame = packord.engines.polars.scan_container(path, threads=2)
    assert frame.head(60).collect(engine=engine).equals(plain_frame().head(60))
    # Two blocks have the rows; three more are read ahead for the threads.
    assert readers[0].blocks_read <= 6
    assert frame.head(0).collect(engine=engine).is_empty()
    assert frame.select(polars.len()).collect(engine=engine).item() == 1000
    assert frame.tail(3).collect(engine=engine).equals(plain_frame().tail(3))


def test_blocks_are_unpacked_on_as_many_threads_as_the_engine_has(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def note(source: Any, options: dict[str, Any], threads: int) -> Any:
        asked.append(options.get("threads") or threads)
        return readers_of(source, options, threads)

    for module in (packord.engines.polars, packord.engines.duckdb):
        monkeypatch.setattr(module, "readers_of", note)
    connection = duckdb.connect()
    connection.execute("SET threads = 3")
    packord.engines.duckdb.register(connection, "events", path)
    unread = connection.execute("FROM range(5000)")
    packord.engines.duckdb.read_container(connection, path)
    # What the connection had to give is still there.
    assert len(unread.fetchall()) == 5000
    packord.engines.duckdb.scan_container(path)
    packord.engines.polars.scan_container(path)
    packord.engines.polars.scan_container(path, threads=7)
    assert asked == [3, 3, pyarrow.cpu_count(), polars.thread_pool_size(), 7]


def test_polars_reads_several_files_and_casts_to_a_schema(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.pkd"
    with Writer(other, block_rows=10) as writer:
        writer.write_many({"id": n + 0.5, "more": [n]} for n in range(1000, 1020))
    frame = packord.engines.polars.scan_container([path, other])
    found = frame.filter(col("id") >= 998).select("id", "more").collect()
    assert found.rows() == [(998.0, None), (999.0, None)] + [
        (n + 0.5, [n]) for n in range(1000, 1020)
    ]
    small = packord.engines.polars.scan_container(
        path, schema={"id": polars.Int16, "name": polars.String}
    )
    assert small.filter(col("id") > 997).collect().schema == {
        "id": polars.Int16,
        "name": polars.String,
    }
    assert small.filter(col("id") > 997).collect()["id"].to_list() == [998, 999]
    strings = packord.engines.polars.scan_container(path, schema={"id": polars.String})
    assert strings.filter(col("id") == "5").collect()["id"].to_list() == ["5"]
    options = packord.engines.polars.scan_container(
        path.read_bytes(), where=[("id", ">", 990)], threads=2, on_bad_block="skip"
    )
    assert options.collect()["id"].to_list() == list(range(991, 1000))


def test_polars_reads_files_without_an_index(path: Path) -> None:
    reader = Reader(path)
    assert reader.blocks is not None
    data = path.read_bytes()[: reader.blocks[-1].offset + reader.blocks[-1].size]
    frame = packord.engines.polars.scan_container(data)
    assert frame.filter(col("id") > 500).collect().equals(plain_frame().filter(col("id") > 500))


def test_errors_of_a_file_reach_the_program(path: Path) -> None:
    data = bytearray(path.read_bytes())
    blocks = Reader(data).blocks
    assert blocks is not None
    data[blocks[3].offset + blocks[3].size - 1] ^= 1
    frame = packord.engines.polars.scan_container(data)
    with pytest.raises(
        (packord.MsgpackDecodeError, polars.exceptions.ComputeError), match="checksum"
    ):
        frame.collect()
    # Blocks that a query does not need are not looked at.
    assert frame.filter(col("id") < 100).collect().height == 100
    connection = duckdb.connect()
    with pytest.raises(Exception, match="checksum"):
        packord.engines.duckdb.read_container(connection, data).fetchall()


DUCKDB: list[tuple[str, int | None]] = [
    ("id >= 120 and id < 180", 2),
    ("id = 777", 1),
    ("id > 5000", 0),
    ("id < 10 or id > 990", 2),
    ("id between 100 and 149", 1),
    ("id in (3, 4, 999)", 2),
    ("id != 5", BLOCKS),
    ("name = 'name 0500'", 1),
    ("name > 'name 09'", 2),
    (f"text = '{LONG}0500'", BLOCKS),
    ("text < 'k'", 0),
    (f"\"at\" >= '{at(970)}'", 1),
    ("level >= 240.0", None),
    ("isnan(level)", None),
    ("level < 10.0", None),
    ("mixed > 980", None),
    ("pos.x < 40", 1),
    ("seldom is null", 18),
    ("seldom is not null", 2),
    ("seldom > 0", 2),
    ("flag", None),
    ("not flag", None),
    ("not (id > 30)", None),
    ("u >= 9223372036854776798", 1),
    ("id * 2 > 1990", None),
    ("id < 50 and id * 2 > 10", 1),
    ("id < 50 and name like 'name 00%'", 1),
    ("\"any\" = '5'", 6),
]


@pytest.mark.parametrize(("condition", "blocks"), DUCKDB, ids=[text for text, _ in DUCKDB])
def test_duckdb_filters_as_it_does_rows_and_reads_no_other_blocks(
    path: Path, readers: list[Reader[Any]], condition: str, blocks: int | None
) -> None:
    connection = duckdb.connect()
    plain = plain_frame()  # noqa: F841
    wanted = connection.sql(f"select * from plain where {condition} order by id").fetchall()
    packord.engines.duckdb.register(connection, "events", path)
    found = connection.sql(f"select * from events where {condition} order by id").fetchall()
    assert repr(found) == repr(wanted)
    if blocks is not None:
        assert readers[0].blocks_read == blocks


def test_duckdb_makes_the_columns_that_it_needs(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = duckdb.connect()
    events = packord.engines.duckdb.scan_container(path)  # noqa: F841
    asked: list[Any] = []
    scanner = ContainerDataset.scanner

    def note(dataset: Any, columns: Any = None, **more: Any) -> Any:
        asked.append((columns, more.get("filter") is not None))
        return scanner(dataset, columns, **more)

    monkeypatch.setattr(ContainerDataset, "scanner", note)
    assert connection.sql("select sum(mixed) from events where id < 100").fetchall() == [
        (sum(each["mixed"] for each in ROWS[:100]),)
    ]
    assert asked == [(["mixed"], True)]
    assert connection.sql("select count(*) from events").fetchall() == [(1000,)]
    assert connection.sql("select max(id), min(u) from events").fetchall() == [(999, 2**63)]


def test_a_filter_needs_no_column_whose_name_is_part_of_another(tmp_path: Path) -> None:
    names = ["end", "attending", "at", "at.end", "at end", "Zürich", "Z", "(", ""]
    path = tmp_path / "names.pkd"
    rows = [{name: n + place for place, name in enumerate(names)} for n in range(100)]
    with Writer(path) as writer:
        writer.write_many(rows)
    dataset = packord.engines.duckdb.scan_container(path)
    table = pyarrow.Table.from_pylist(rows)
    for name in names:
        field = pyarrow.compute.field(name)
        for filter in (field > 50, field.isin([51, 53]), field.is_null(), ~(field < 50)):
            scanner = dataset.scanner(columns=[name], filter=filter)
            assert scanner.to_table().equals(table.filter(filter).select([name]))
    scanner = dataset.scanner(columns=["attending"], filter=pyarrow.compute.field("attending") > 9)
    assert not {"end", "at", "at.end", "Z"} & {*scanner.dataset_schema.names}


def test_statistics_are_not_those_of_a_key_that_no_path_names() -> None:
    """A key with a dot, or without a character: its path would be that of another value."""
    rows = [{"a.b": 100 - n, "": 100 - n, "a": {"b": n, "": 100 - n}} for n in range(50)]
    rows = [{**row, "s": {"x.y": n}} for n, row in enumerate(rows)]
    file = io.BytesIO()
    with Writer(file, block_rows=10, stats=["", "a.", "a.b", "s.x.y"]) as writer:
        writer.write_many(rows)
    data = file.getvalue()
    table = packord.engines.polars.scan_container(data)
    a, s = polars.col("a").struct, polars.col("s").struct
    for column in (polars.col("a.b"), polars.col(""), a.field(""), s.field("x.y"), a.field("b")):
        for passing in (column >= 0, column.is_not_null(), column.is_in([*range(101)])):
            assert table.filter(passing).collect().height == 50
    assert table.filter((a.field("b") < 10) & (polars.col("a.b") > 90)).collect().height == 10
    assert table.filter((polars.col("a.b") > 90) & (a.field("b") < 10)).collect().height == 10
    dataset = packord.engines.duckdb.scan_container(data)
    field = pyarrow.dataset.field
    for name in (["a.b"], [""], ["a", ""], ["s", "x.y"], ["a", "b"]):
        for passing in (field(*name) >= 0, field(*name).is_valid()):
            assert dataset.to_table(filter=passing).num_rows == 50


def test_duckdb_has_relations_views_and_variables(path: Path, tmp_path: Path) -> None:
    connection = duckdb.connect()
    relation = packord.engines.duckdb.read_container(connection, path)
    assert relation.filter("id > 997").project("id").fetchall() == [(998,), (999,)]
    assert relation.limit(3).project("id").fetchall() == [(0,), (1,), (2,)]
    packord.engines.duckdb.register(connection, "events", [path, path])
    assert connection.sql("select count(*) from events where id = 5").fetchall() == [(2,)]
    joined = connection.sql("select count(*) from events a join events b using (id) where a.id < 3")
    assert joined.fetchall() == [(12,)]
    connection.unregister("events")
    with pytest.raises(duckdb.CatalogException):
        connection.sql("select * from events")
    scanned = packord.engines.duckdb.scan_container(path)  # noqa: F841
    found = connection.sql("select id, name from scanned where \"at\" < '2026-01-01 00:02:00'")
    assert found.fetchall() == [(0, None), (1, "name 0001")]
    reader = Reader(path)  # noqa: F841
    assert connection.sql("select sum(id) from reader").fetchall() == [(499_500,)]
    assert connection.sql("select sum(id) from reader").fetchall() == [(499_500,)]
    out = tmp_path / "out.parquet"
    connection.sql(f"copy (select id, name from scanned) to '{out}' (format parquet)")
    file = io.BytesIO()
    with Writer(file) as writer:
        assert writer.write_arrow(connection.sql(f"select * from '{out}'")) == 1000
    assert [each["id"] for each in Reader(file.getvalue())] == list(range(1000))


@pytest.mark.parametrize("query", ["", "where mixed != 700"], ids=["all", "some"])
@pytest.mark.parametrize("files", [1, 3])
def test_a_program_ends_while_duckdb_reads_ahead(path: Path, files: int, query: str) -> None:
    """A query with a limit leaves threads of pyarrow that still read when the interpreter is gone."""
    program = f"""
        import duckdb, packord.engines.duckdb
        connection = duckdb.connect()
        packord.engines.duckdb.register(connection, "events", {[str(path)] * files})
        print(connection.sql("select id from events {query} limit 3").fetchall())
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    for _ in range(2):
        ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
        assert ended.stdout == "[(0,), (1,), (2,)]\n"


def test_a_schema_of_arrow_holds_in_duckdb(path: Path) -> None:
    connection = duckdb.connect()
    schema = pyarrow.schema({"id": pyarrow.int32(), "at": pyarrow.timestamp("ms", "UTC")})
    relation = packord.engines.duckdb.read_container(connection, path, schema=schema)
    assert relation.types == ["INTEGER", "TIMESTAMP WITH TIME ZONE"]
    assert relation.filter("id = 7").project("id").fetchall() == [(7,)]
    dataset = packord.engines.duckdb.scan_container(path, schema=schema)
    table = dataset.to_table(filter=pyarrow.compute.field("id") > 997)
    assert table["id"].to_pylist() == [998, 999]
    assert (dataset.count_rows(), dataset.head(2).num_rows) == (1000, 2)
    assert dataset.replace_schema(None).schema.names == list(ROWS[0])
    with pytest.raises(NotImplementedError):
        dataset.get_fragments()
    with pytest.raises(ValueError, match="no source"):
        packord.engines.duckdb.scan_container([])


def test_every_comparison_agrees_with_plain_rows_in_both_engines(tmp_path: Path) -> None:
    """Small blocks with each combination of values that statistics treat in their own way."""
    values: list[Any] = [
        None, ..., NAN, -0.0, 0, 1, 1.5, 2**53 + 1, -(2**63), math.inf, -math.inf, 2**63,
    ]  # fmt: skip
    rows = []
    for group in itertools.combinations(values, 2):
        rows += [{} if value is ... else {"a": value} for value in group]
    strings = [None, "", "a", "a" * 64, "a" * 65, "a" * 63 + "é", "\U0010ffff" * 20, "ÿ"]
    for group in itertools.combinations(strings, 2):
        rows += [{"s": value} for value in group]
    rows = [{"n": n, **each} for n, each in enumerate(rows)]
    path = tmp_path / "small.pkd"
    with Writer(path, block_rows=2, stats=["a", "s"]) as writer:
        writer.write_many(rows)
    whole = polars.DataFrame(pyarrow.table(Reader(path)))
    assert whole.schema == {"n": polars.Int64, "a": polars.Float64, "s": polars.String}
    scanned = packord.engines.polars.scan_container(path)
    connection = duckdb.connect()
    connection.register("plain", whole.to_arrow())
    packord.engines.duckdb.register(connection, "events", path)
    numbers: list[float] = [-0.0, 0.0, 1.0, 1.25, 2.0**53, -(2.0**63), math.inf, -math.inf, 2.0**63]
    constants: list[tuple[str, Any]] = [("a", number) for number in numbers]
    constants += [("s", text) for text in strings if text is not None]
    for name, constant in constants:
        for op in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
            predicate = getattr(col(name), op)(constant)
            assert scanned.filter(predicate).collect().equals(whole.filter(predicate)), predicate
        for op in ("=", "<>", "<", "<=", ">", ">="):
            texts = [
                f"select n from {table} where {name} {op} $1 order by n"
                for table in ("events", "plain")
            ]
            found, wanted = (connection.execute(text, [constant]).fetchall() for text in texts)
            assert found == wanted, (name, op, constant)
            if isinstance(constant, str):
                continue
            texts = [text.replace("$1", f"'{constant}'::double") for text in texts]
            found, wanted = (connection.execute(text).fetchall() for text in texts)
            assert found == wanted, (name, op, constant)
    for predicate in (col("a").is_null(), col("a").is_not_null(), col("a").is_in([1.0, None, math.inf]),
                      col("s").is_in(["", "a" * 65]), col("a") == NAN, col("a") >= NAN):  # fmt: skip
        assert scanned.filter(predicate).collect().equals(whole.filter(predicate)), predicate


def test_where_the_last_whole_block_of_a_growing_file_ends(tmp_path: Path) -> None:
    from packord.engines._files import whole_end

    path = str(tmp_path / "growing.pkd")
    with Writer(path, block_rows=10) as writer:
        for number in range(30):
            writer.write({"id": number})
    data, blocks = Path(path).read_bytes(), Reader(path).blocks
    assert blocks is not None
    ends = [block.offset + block.size for block in blocks]
    assert whole_end(path, 0, None, skips=False) == len(data)
    assert whole_end(path, 0, 1, skips=False) == ends[0]
    assert whole_end(path, ends[0], 1, skips=False) == ends[1]
    assert whole_end(path, ends[1], None, skips=False) == len(data)
    for cut in (0, 5, 40, ends[0] - 1, ends[0], ends[1] + 3, ends[2]):
        Path(path).write_bytes(data[:cut])
        reached = max([end for end in ends if end <= cut], default=0)
        assert whole_end(path, 0, None, skips=False) == reached, cut
        assert whole_end(path, reached, None, skips=False) == reached
