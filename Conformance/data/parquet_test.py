"""Parquet files of the writer, as pyarrow, DuckDB and polars read them, against the same rows as NDJSON.

PARQUET_FIXTURE is the program that writes both; PARQUET_SEED chooses the rows."""

import datetime
import functools
import json
import math
import os
import re
import subprocess
import sys

import duckdb
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest

FIXTURE = os.environ.get("PARQUET_FIXTURE", ".build/debug/parquet-fixture")
SEED = os.environ.get("PARQUET_SEED", "1")
NAMES = [
    "none", "one", "nulls", "mixed", "required", "texts", "distinct", "mostly-distinct", "runs", "wide", "extremes",
    "large", "ordered",
]
CODECS = ["none", "gzip", "zstd"]
FILES = [f"{name}-{codec}" for name in NAMES for codec in CODECS]

ARROW = {
    "boolean": pyarrow.bool_(), "int32": pyarrow.int32(), "int64": pyarrow.int64(), "double": pyarrow.float64(),
    "timestamp": pyarrow.timestamp("ms", tz="UTC"), "string": pyarrow.string(),
}
DUCKDB = {
    "boolean": "BOOLEAN", "int32": "INTEGER", "int64": "BIGINT", "double": "DOUBLE",
    "timestamp": "TIMESTAMP WITH TIME ZONE", "string": "VARCHAR",
}
POLARS = {
    "boolean": polars.Boolean, "int32": polars.Int32, "int64": polars.Int64, "double": polars.Float64,
    "timestamp": polars.Datetime("ms", "UTC"), "string": polars.String,
}


@functools.cache
def expected(folder, name):
    """The types of the columns, and their values."""
    types = json.loads((folder / f"{name}.json").read_text("utf-8"))
    lines = (folder / f"{name}.ndjson").read_bytes().split(b"\n")
    rows = [json.loads(line) for line in lines if line]
    return types, len(rows), {column: [row[column] for row in rows] for column in types}


class Case:
    """A file, and what it should contain: columns of values, times as milliseconds."""

    def __init__(self, folder, name):
        self.path = f"{folder}/{name}.parquet"
        self.types, self.rows, self.columns = expected(folder, name.rsplit("-", 1)[0])

    def check(self, column, values):
        """All values, in their order. NaN is equal to itself here, and the sign of a zero counts."""
        wanted = self.columns[column]
        assert len(values) == len(wanted)
        if self.types[column][0] == "double":
            values, wanted = [list(map(repr, part)) for part in (values, wanted)]
        assert values == wanted, column


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("parquet")
    subprocess.run([FIXTURE, "files", str(path), SEED], check=True)
    return path


def quoted(column):
    return '"' + column.replace('"', '""') + '"'


@pytest.mark.parametrize("name", FILES)
def test_pyarrow_reads_the_rows(folder, name):
    case = Case(folder, name)
    table = pyarrow.parquet.read_table(case.path)
    table.validate(full=True)
    assert table.num_rows == case.rows
    assert table.column_names == list(case.types)
    for column, (kind, required, _) in case.types.items():
        field = table.schema.field(column)
        assert field.type == ARROW[kind]
        assert field.nullable == (not required)
        values = table[column]
        assert values.null_count == case.columns[column].count(None)
        if kind == "timestamp":
            values = values.cast(pyarrow.int64())
        case.check(column, values.to_pylist())


@pytest.mark.parametrize("name", FILES)
def test_pyarrow_reads_the_groups_one_by_one(folder, name):
    case = Case(folder, name)
    file = pyarrow.parquet.ParquetFile(case.path)
    batches = [file.read_row_group(group) for group in range(file.num_row_groups)]
    assert sum(batch.num_rows for batch in batches) == case.rows
    for column, (kind, _, _) in case.types.items():
        values = []
        for batch in batches:
            part = batch[column]
            values += (part.cast(pyarrow.int64()) if kind == "timestamp" else part).to_pylist()
        case.check(column, values)


@pytest.mark.parametrize("name", FILES)
def test_duckdb_reads_the_rows(folder, name):
    case = Case(folder, name)
    with duckdb.connect() as database:
        database.execute("SET TimeZone='UTC'")
        described = database.execute(f"DESCRIBE SELECT * FROM '{case.path}'").fetchall()
        assert [(row[0], row[1]) for row in described] == [(n, DUCKDB[t[0]]) for n, t in case.types.items()]
        assert database.execute(f"SELECT count(*) FROM '{case.path}'").fetchone() == (case.rows,)
        for column, (kind, _, _) in case.types.items():
            value = f"epoch_ms({quoted(column)})" if kind == "timestamp" else quoted(column)
            rows = database.execute(f"SELECT {value} FROM '{case.path}'").fetchall()
            case.check(column, [row[0] for row in rows])


@pytest.mark.parametrize("name", FILES)
def test_polars_reads_the_rows(folder, name):
    case = Case(folder, name)
    for frame in (polars.read_parquet(case.path), polars.scan_parquet(case.path).collect()):
        assert frame.columns == list(case.types)
        assert frame.height == case.rows
        for column, (kind, _, _) in case.types.items():
            assert frame[column].dtype == POLARS[kind]
            assert frame[column].null_count() == case.columns[column].count(None)
            values = frame[column].to_physical() if kind == "timestamp" else frame[column]
            case.check(column, values.to_list())


@pytest.mark.parametrize("name", FILES)
def test_aggregates_are_those_of_the_rows(folder, name):
    """Counts, sums, minima and maxima: readers may take them from the statistics."""
    case = Case(folder, name)
    for column, (kind, _, _) in case.types.items():
        present = [value for value in case.columns[column] if value is not None]
        if kind == "double" and any(math.isnan(value) for value in present):
            continue
        # Python compares texts by code points, which is the order of UTF-8.
        wanted = [len(present), min(present, default=None), max(present, default=None)]
        value = f"epoch_ms({quoted(column)})" if kind == "timestamp" else quoted(column)
        bounds = f"min({quoted(column)}), max({quoted(column)})"
        if kind == "timestamp":
            bounds = f"epoch_ms(min({quoted(column)})), epoch_ms(max({quoted(column)}))"
        with duckdb.connect() as database:
            row = database.execute(f"SELECT count({value}), {bounds} FROM '{case.path}'").fetchone()
            assert list(row) == wanted, column
            if kind in ("int32", "int64", "timestamp") and present:
                total = database.execute(f"SELECT sum({value}::HUGEINT) FROM '{case.path}'").fetchone()[0]
                assert total == sum(present), column
        field = polars.col(column).to_physical() if kind == "timestamp" else polars.col(column)
        frame = polars.scan_parquet(case.path).select(
            count=field.count(), least=field.min(), greatest=field.max()).collect()
        assert list(frame.row(0)) == wanted, column
        table = pyarrow.parquet.read_table(case.path, columns=[column])
        values = table[column].cast(pyarrow.int64()) if kind == "timestamp" else table[column]
        least_greatest = pyarrow.compute.min_max(values).as_py()
        assert [least_greatest["min"], least_greatest["max"]] == wanted[1:], column


@pytest.mark.parametrize("name", FILES)
def test_statistics_are_those_of_each_group(folder, name):
    case = Case(folder, name)
    metadata = pyarrow.parquet.read_metadata(case.path)
    first = 0
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for index, (column, (kind, _, has_bounds)) in enumerate(case.types.items()):
            values = case.columns[column][first:first + group.num_rows]
            statistics = group.column(index).statistics
            assert statistics.null_count == values.count(None)
            present = [value for value in values if value is not None and value == value]
            stated = present and has_bounds and kind != "boolean"
            if stated and kind == "string":
                stated = max(len(min(present).encode()), len(max(present).encode())) <= 64
            assert statistics.has_min_max == bool(stated), column
            if stated:
                bounds = [statistics.min, statistics.max]
                if kind == "timestamp":
                    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
                    bounds = [(value - epoch) // datetime.timedelta(milliseconds=1) for value in bounds]
                assert bounds == [min(present), max(present)], column
        first += group.num_rows
    assert first == case.rows


@pytest.mark.parametrize("name", FILES)
def test_the_footer_says_what_it_should(folder, name):
    case = Case(folder, name)
    metadata = pyarrow.parquet.read_metadata(case.path)
    assert metadata.created_by == "bellwether version 1"
    assert metadata.num_columns == len(case.types)
    assert metadata.metadata == {b"bellwether.schema": b"1", b"bellwether.app": "Trail \U0001f97e".encode()}
    codec = {"none": "UNCOMPRESSED", "gzip": "GZIP", "zstd": "ZSTD"}[name.rsplit("-", 1)[1]]
    end = 4
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for column in map(group.column, range(group.num_columns)):
            assert column.compression == codec
            start = column.dictionary_page_offset or column.data_page_offset
            assert start == end
            end = start + column.total_compressed_size
        assert group.total_byte_size == sum(
            group.column(index).total_uncompressed_size for index in range(group.num_columns))
    with open(case.path, "rb") as file:
        content = file.read()
    assert content[:4] == content[-4:] == b"PAR1"
    assert end + int.from_bytes(content[-8:-4], "little") + 8 == len(content)


@pytest.mark.parametrize("codec", CODECS)
def test_a_dictionary_is_bounded_and_left(folder, codec):
    metadata = pyarrow.parquet.read_metadata(folder / f"distinct-{codec}.parquet")
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    assert len(groups) == 2
    assert all(group.column(0).dictionary_page_offset for group in groups)
    metadata = pyarrow.parquet.read_metadata(folder / f"mostly-distinct-{codec}.parquet")
    assert metadata.row_group(0).column(0).dictionary_page_offset is None


@pytest.mark.parametrize("codec", CODECS)
def test_groups_end_by_their_bytes(folder, codec):
    metadata = pyarrow.parquet.read_metadata(folder / f"large-{codec}.parquet")
    sizes = [metadata.row_group(index).total_byte_size for index in range(metadata.num_row_groups)]
    assert len(sizes) == 2
    assert metadata.row_group(0).num_rows * 40_000 >= 64 << 20 > (metadata.row_group(0).num_rows - 2) * 39_990


LAST_GROUP = datetime.datetime.fromtimestamp(1_795_009_000, tz=datetime.timezone.utc)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("condition", [
    f"received_at >= '{LAST_GROUP.isoformat()}'", "position >= 9000", "cursor >= 'c1009000'", "ratio >= 1125"])
def test_duckdb_scans_one_group_of_ten(folder, codec, condition):
    path = folder / f"ordered-{codec}.parquet"
    with duckdb.connect() as database:
        query = f"SELECT count(*), sum(position) FROM '{path}' WHERE {condition}"
        assert database.execute(query).fetchone() == (1000, sum(range(9000, 10_000)))
        plan = database.execute(f"EXPLAIN ANALYZE {query}").fetchall()[0][1]
    match = re.search(r"Row Groups Scanned:\D*(\d+) / (\d+)", re.sub(r"[│\s]+", " ", plan))
    assert match and match.groups() == ("1", "10"), plan


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("column, value", [
    ("received_at", LAST_GROUP), ("position", 9000), ("cursor", "c1009000"), ("ratio", 1125.0)])
def test_pyarrow_keeps_one_group_of_ten(folder, codec, column, value):
    path = folder / f"ordered-{codec}.parquet"
    condition = pyarrow.dataset.field(column) >= value
    fragment = next(pyarrow.dataset.dataset(path).get_fragments())
    assert len(fragment.row_groups) == 10
    assert [group.id for group in fragment.subset(filter=condition).row_groups] == [9]
    assert polars.scan_parquet(path).filter(polars.col(column) >= value).collect().height == 1000


def test_the_same_rows_give_the_same_bytes(folder, tmp_path):
    subprocess.run([FIXTURE, "files", str(tmp_path), SEED], check=True)
    for name in FILES:
        assert (tmp_path / f"{name}.parquet").read_bytes() == (folder / f"{name}.parquet").read_bytes()


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", __file__]))
