"""The guide to the warehouse (docs/warehouse.md): its code blocks and the files of Examples/warehouse run over an export
of a daemon with sample data, and say what the guide says.

A block of `sh`, `python` or `sql` runs in the order of the guide, in one folder; the block without a language after it is
its output. With `--write` the outputs of the guide are replaced by the real ones.
"""

import contextlib
import glob
import io
import json
import os
import re
import subprocess
import sys
import tempfile

import duckdb
import pandas
import pyarrow.parquet

from daemon import Daemon

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
GUIDE = os.path.join(ROOT, "docs", "warehouse.md")
WAREHOUSE = os.path.join(ROOT, "Examples", "warehouse")
APP = "/v1/apps/trail-notes"
STEPS = ["hello", "goal", "maps", "profile", "ready"]


def read(*path):
    with open(os.path.join(ROOT, *path)) as file:
        return file.read()


def experiment():
    def message(branch, text):
        return {f"map-{branch}": {"surface": "home", "text": text, "experiment": "{experiment}",
                                  "trigger-if-all": ["ALWAYS"]}}

    return {"schemaVersion": "1.12.0", "id": "map-card", "slug": "map-card", "userFacingName": "Map card",
            "userFacingDescription": "A shorter text", "isRollout": False, "appName": "trail_notes", "channel": "",
            "targeting": "true", "isEnrollmentPaused": False, "proposedEnrollment": 14, "referenceBranch": "plain",
            "bucketConfig": {"randomizationUnit": "nimbus_id", "namespace": "map-card", "start": 0, "count": 10000,
                             "total": 10000},
            "branches": [{"slug": branch, "ratio": 1, "features": [
                {"featureId": "messaging", "value": {"messages": message(branch, text)}}]}
                for branch, text in [("plain", "Maps work without a network, too."), ("short", "Maps, offline.")]]}


def sample(daemon):
    """The same people do the same each time."""
    daemon.json("PUT", f"{APP}/manifest", json.loads(read("config", "apps", "trail-notes", "manifest.json")))
    for locale in ("en", "de"):
        daemon.json("PUT", f"{APP}/strings/{locale}",
                    json.loads(read("config", "apps", "trail-notes", "strings", f"{locale}.json")))
    for slug in ("first-trips", "first-steps"):
        daemon.json("PUT", f"{APP}/recipes/{slug}", json.loads(read("recipes", "trail-notes", f"{slug}.json")))
    daemon.json("PUT", f"{APP}/recipes/map-card", experiment())
    for number in range(60):
        walk_through(daemon, f"hiker-{number}", number)
    for number in range(150):
        see(daemon, f"reader-{number}", number)
    answer(daemon)


def walk_through(daemon, client, number):
    run = daemon.json("POST", f"{APP}/flows/first-steps/runs", {"client_id": client})
    actions = {"hello": ("next", {}), "goal": ("next", {"selected": ["walk"] if number % 3 else ["hike"]}),
               "maps": ("next", {}), "profile": ("next", {"name": "Ada", "dog": number % 2 == 0}), "ready": ("next", {})}
    if number % 5 == 0:
        actions["goal"] = ("skip", {})
    # Some stop at a step.
    last = {0: "hello", 1: "goal", 2: "profile"}.get(number % 11)
    while run["step_id"] and run["step_id"] != last:
        action, response = actions[run["step_id"]]
        run = daemon.json("POST", f"{APP}/runs/{run['run_id']}/advance", {
            "step_id": run["step_id"], "action": action, "response": response})


def see(daemon, client, number):
    [message] = [message for message in daemon.json("GET", f"{APP}/messages?client_id={client}")["messages"]
                 if message["surface"] == "home"]
    actions = ["displayed"] + ["clicked"] * (number % (5 if message["branch"] == "short" else 8) == 0)
    daemon.json("POST", f"{APP}/events", {"client_id": client, "events": [
        {"type": "message", "action": action, "message": message["key"]} for action in actions]})


def answer(daemon):
    """Four weeks of responses, which were given elsewhere."""
    responses = []
    for number in range(84):
        day = f"2026-{10 + (number // 3 + 25) // 31}-{(number // 3 + 25) % 31 + 1:02}"
        score = [3, 6, 8, 9, 10, 10, 7][number % 7] + (number // 42 if number % 7 < 2 else 0)
        responses.append({
            "id": str(number), "client_id": f"reader-{number}", "created_at": f"{day}T10:00:00Z",
            "submitted_at": f"{day}T10:01:00Z", "is_dev": number % 20 == 19, "answers": {
                "recommend": score, "maps": number % 5 + 1, "use": ["maps", "diary", "photos"][number % 3],
                "miss": [["offline"], ["offline", "watch"], []][number % 3], "more": "Fine."}})
    told = daemon.json("POST", f"{APP}/questionnaires/first-trips/responses/import",
                       {"source": "before", "responses": responses})
    assert told["imported"] == len(responses), told


class Runner:
    """Runs the blocks of the guide in one folder, with one DuckDB and one set of Python's names."""

    def __init__(self, folder, data):
        self.folder, self.names = folder, {}
        self.database = duckdb.connect(":default:")
        programs = os.path.join(folder, "bin")
        os.mkdir(programs)
        os.symlink(os.path.abspath(os.environ["BELLWETHER"]), f"{programs}/bellwether")
        os.symlink(data, f"{folder}/.data")
        os.symlink(os.path.dirname(WAREHOUSE), f"{folder}/Examples")
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}

    def run(self, language, code):
        match language:
            case "sh":
                done = subprocess.run(["sh", "-euc", code], cwd=self.folder, env=self.environment, capture_output=True,
                                      text=True, timeout=120)
                assert done.returncode == 0, (code, done)
                return done.stdout
            case "sql":
                shown = ""
                for statement in duckdb.extract_statements(code):
                    self.database.execute(statement)
                    if statement.type == duckdb.StatementType.SELECT:
                        shown += table(self.database)
                return shown
            case "python":
                output = io.StringIO()
                with contextlib.redirect_stdout(output):
                    exec(compile(code, "warehouse.md", "exec"), self.names)
                return output.getvalue()
        raise AssertionError(language)


def table(database):
    """The rows of the last SELECT, as text."""
    rows = [[name for name, *_ in database.description]]
    rows += [["" if value is None else str(value) for value in row] for row in database.fetchall()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "".join("  ".join(value.ljust(width) for value, width in zip(row, widths)).rstrip() + "\n" for row in rows)


BLOCK = re.compile(r"^```(\w*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def check_guide(runner):
    with open(GUIDE) as file:
        text = file.read()
    blocks = list(BLOCK.finditer(text))
    assert max(map(len, text.splitlines())) <= 400
    count, parts, position, output = 0, [], 0, None
    for block in blocks:
        language, code = block.groups()
        if language in ("sh", "sql", "python"):
            # The program that draws a table fills its lines with spaces.
            output = "".join(line.rstrip() + "\n" for line in runner.run(language, code).rstrip().splitlines())
            count += 1
        elif language == "":
            parts += [text[position:block.start()], f"```\n{output}```\n"]
            position = block.end()
            if "--write" not in sys.argv:
                assert code == output, f"the guide says\n{code}\nand the real output is\n{output}"
    if "--write" in sys.argv:
        with open(GUIDE, "w") as file:
            file.write("".join(parts) + text[position:])
    return count


def check_erased(runner):
    """The files that the guide has written anew have the columns and the metadata that they had."""
    changed = 0
    for path in glob.glob(f"{runner.folder}/lake/events/v1/trail-notes/*/data.parquet"):
        file = pyarrow.parquet.ParquetFile(path)
        assert file.metadata.metadata[b"bellwether.table"] == b"events"
        assert {field.name for field in file.schema_arrow if not field.nullable} >= {"position", "cursor", "client_id"}
        if file.metadata.created_by.startswith("parquet-cpp"):
            changed += 1
            assert file.metadata.metadata[b"bellwether.last"]
            assert "reader-7" not in file.read(["client_id"])["client_id"].to_pylist()
    assert changed == 1, changed


def check_files(runner, daemon):
    """The views of the files count what the daemon's own results count, after another export: the guide has erased a
    client."""
    check_erased(runner)
    with open(GUIDE) as file:
        runner.run("sh", next(code for language, code in BLOCK.findall(file.read()) if language == "sh"))
    for name in ("lake", "funnel", "nps", "experiment"):
        with open(os.path.join(WAREHOUSE, f"{name}.sql")) as file:
            runner.database.execute(file.read())
    rows = runner.database.execute("SELECT step_id, came, answered FROM funnel WHERE flow_id = 'first-steps'").fetchall()
    found = {step: (came, answered) for step, came, answered in rows}
    told = {step["id"]: (step["runs"], step["completed_runs"])
            for step in daemon.json("GET", f"{APP}/results/first-steps")["steps"]}
    assert found == told, (found, told)
    told = daemon.json("GET", f"{APP}/results/first-trips")["questions"][0]
    found = runner.database.execute(
        "SELECT sum(total), sum(promoters), sum(detractors) FROM nps WHERE question_id = 'recommend'").fetchone()
    assert tuple(map(int, found)) == (told["total_answered"], told["promoters"], told["detractors"]), (found, told)
    rows = runner.database.execute("SELECT branch, saw, clicked FROM branches").fetchall()
    found = {branch: (saw, clicked) for branch, saw, clicked in rows}
    told = {}
    for message in daemon.json("GET", f"{APP}/results/map-card")["messages"]:
        for line in message["funnel"]["branches"]:
            shown, clicked = line["shown"]["clients"], line.get("started", line.get("clicked"))["clients"]
            if shown:
                told[line["branch"]] = (shown, clicked)
    assert found == told and len(found) == 2, (found, told)


def main():
    pandas.set_option("display.width", 200)
    with Daemon() as daemon, tempfile.TemporaryDirectory() as folder:
        sample(daemon)
        runner = Runner(folder, os.path.join(daemon.directory.name, "data"))
        before = os.getcwd()
        os.chdir(folder)
        try:
            count = check_guide(runner)
            check_files(runner, daemon)
        finally:
            os.chdir(before)
        print(f"ok: {count} blocks of the guide run, and say what it says; the views count what the daemon counts")


if __name__ == "__main__":
    main()
