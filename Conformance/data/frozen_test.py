"""Files of version 1 that an earlier program wrote, as pyarrow, DuckDB and polars read them today with their default
options: alone, and in one folder with files that this program writes.

`frozen/v1` never changes. `--freeze` writes the files of a new version into an empty folder, once.
"""

import concurrent.futures
import glob
import hashlib
import json
import os
import shutil
import sys
import tempfile

import duckdb
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet

from daemon import Daemon
from data_test import DataSet, Client, days, export, many_events, EVENTS_APP

FROZEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "frozen", "v1")
TABLES = {"events": EVENTS_APP, "responses": "set-0", "answers": "set-0"}


def write(folder):
    """Exports the three tables of a daemon with random data."""
    with Daemon("--config", settings(folder)) as daemon, concurrent.futures.ThreadPoolExecutor(4) as pool:
        client = Client(daemon)
        many_events(client, daemon)
        data = DataSet(client, 0)
        data.publish()
        data.answer_all(pool, 12)
        data.change()
        for table, app in TABLES.items():
            export(daemon, app if table == "events" else data.app, "--table", table, "--format", "parquet",
                   *days(), "--output", folder + "/")
    return folder


def settings(folder):
    path = os.path.join(folder, "settings.yaml")
    with open(path, "w") as file:
        file.write("telemetry:\n  behavior: true\n")
    return path


def readers(folder, table):
    """The rows of a table, by each reader, with the options that it has by itself."""
    files = f"{folder}/{table}/v1/*/*/*.parquet"
    yield "pyarrow", pyarrow.dataset.dataset(f"{folder}/{table}/v1").to_table()
    yield "DuckDB", duckdb.sql(f"SELECT * EXCLUDE (day) FROM '{files}'").to_arrow_table()
    yield "polars", polars.read_parquet(files).to_arrow()


def description(table, columns):
    """The rows in one form, whatever the reader and its order."""
    rows = sorted(json.dumps([str(row[column]) for column in columns]) for row in table.select(columns).to_pylist())
    return {"rows": len(rows), "sha256": hashlib.sha256("\n".join(rows).encode()).hexdigest()}


def freeze():
    assert not os.path.exists(FROZEN), f"{FROZEN} exists: the files of a version never change"
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        expected = {}
        for table in TABLES:
            for path in glob.glob(f"{folder}/{table}/v1/*/*/*.parquet"):
                if pyarrow.parquet.read_metadata(path).num_rows > 0:
                    target = FROZEN + path[len(folder):]
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    shutil.copyfile(path, target)
            rows = pyarrow.dataset.dataset(f"{FROZEN}/{table}/v1").to_table()
            types = {field.name: str(field.type) for field in rows.schema}
            expected[table] = {"columns": types, **description(rows, list(types))}
        with open(f"{FROZEN}/expected.json", "w") as file:
            json.dump(expected, file, indent=1)
            file.write("\n")


def check():
    with open(f"{FROZEN}/expected.json") as file:
        expected = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        for table, wanted in expected.items():
            columns = list(wanted["columns"])
            for reader, rows in readers(FROZEN, table):
                assert rows.column_names == columns, (reader, table, rows.column_names)
                told = description(rows, columns)
                assert told == {"rows": wanted["rows"], "sha256": wanted["sha256"]}, (reader, table, told)
            written = pyarrow.dataset.dataset(f"{folder}/{table}/v1").to_table()
            assert {field.name: str(field.type) for field in written.schema} == wanted["columns"], table
            # Readers take the columns from the file that comes first: the frozen files, and then the new ones.
            for apps in (["a", "z"], ["z", "a"]):
                both = tempfile.mkdtemp(dir=folder)
                for source, app in zip((FROZEN, folder), apps):
                    for name in os.listdir(f"{source}/{table}/v1"):
                        shutil.copytree(f"{source}/{table}/v1/{name}", f"{both}/{table}/v1/{app}-{name}")
                for reader, rows in readers(both, table):
                    assert rows.num_rows == wanted["rows"] + written.num_rows, (reader, table, rows.num_rows)
                    assert rows.column_names == columns, (reader, table, rows.column_names)
            print(f"ok: {table}: {wanted['rows']} frozen rows and {written.num_rows} new ones, by three readers")


if __name__ == "__main__":
    freeze() if sys.argv[1:] == ["--freeze"] else check()
