"""Sinks into a folder and into an object store: daemons are killed while they write, the target refuses, is away or full,
and at the end each record of the log is in the files once. The tables of responses are those of an export, also after
responses were deleted and a client was erased.

The object store verifies each signature. KILLS sets the number of kills of each target. The disk that is full is a
small tmpfs, which needs root; without it that part is skipped.
"""

import collections
import contextlib
import glob
import hashlib
import http.client
import io
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import pyarrow
import pyarrow.parquet

from daemon import Daemon, wait
from object_store import ObjectStore
from postgres import PROGRAMS, postgres

KILLS = int(os.environ.get("KILLS", "10"))
SEED = int(os.environ.get("SINKS_SEED", "1"))
APP = "/v1/apps/lake"
ROWS = 1000
MANIFEST = {"app_name": "lake", "default_locale": "en", "surfaces": ["card"]}
RECIPE = {"messages": {"m": {"surface": "card", "text": "Hello", "trigger-if-all": ["ALWAYS"]}}}
QUESTIONS = {"kind": "questionnaire", "name": "Q", "schema": {"version": 1, "questions": [
    {"id": "score", "type": "nps", "title": "Score"}, {"id": "words", "type": "text", "title": "Words"}]}}


class Target:
    """The files of a sink, read from the disk."""

    def __init__(self, root):
        self.root, self.known = root, {}

    def files(self, table):
        return sorted(glob.glob(f"{self.root}/{table}/v1/lake/*/*.parquet"))

    def rows(self):
        """The number of events in the files."""
        for path in self.files("events"):
            if path not in self.known:
                with open(path, "rb") as file:
                    content = file.read()
                rows = pyarrow.parquet.read_metadata(io.BytesIO(content)).num_rows
                self.known[path] = (rows, hashlib.sha256(content).digest())
        return sum(rows for rows, _ in self.known.values())

    def expect_unchanged(self):
        """A file of events never changes."""
        for path, (_, digest) in self.known.items():
            with open(path, "rb") as file:
                assert hashlib.sha256(file.read()).digest() == digest, f"{path} has changed"

    def events(self):
        return pyarrow.concat_tables(pyarrow.parquet.ParquetFile(path).read() for path in self.files("events"))

    def table(self, table):
        parts = [pyarrow.parquet.ParquetFile(path).read() for path in self.files(table)]
        return pyarrow.concat_tables(parts) if parts else None

    def is_writing(self):
        """Whether there is an unfinished file."""
        return bool(glob.glob(f"{self.root}/.unfinished/*"))

    def stamp(self):
        """Changes with each file that is begun or complete."""
        folders = glob.glob(f"{self.root}/events/v1/lake/*") + glob.glob(f"{self.root}/.unfinished")
        return [os.stat(folder).st_mtime_ns for folder in folders]

    def prepare(self, rng):
        """Called before each start of a daemon."""


class Folder(Target):
    name = "a folder"
    # A file takes some milliseconds.
    longest_wait = 0.004

    def settings(self):
        return {"to": f"file:{self.root}"}


class Bucket(Target):
    name = "an object store"
    longest_wait = 0.03

    def __init__(self, folder):
        super().__init__(f"{folder}/objects/some/prefix")
        self.folder = folder
        self.store = ObjectStore(f"{folder}/objects").__enter__()
        self.write_credentials()

    def write_credentials(self, secret=None):
        keys = self.store.environment
        with open(f"{self.folder}/credentials.new", "w") as file:
            file.write(f"[default]\naws_access_key_id = {keys['AWS_ACCESS_KEY_ID']}\n"
                       f"aws_secret_access_key = {secret or keys['AWS_SECRET_ACCESS_KEY']}\n")
        os.rename(f"{self.folder}/credentials.new", f"{self.folder}/credentials")

    def settings(self):
        return {"to": f"s3://{self.store.bucket}/some/prefix", "endpoint": self.store.url, "region": self.store.region,
                "credentials_file": f"{self.folder}/credentials"}

    def prepare(self, rng):
        """Some connections end before or after the object is stored, and all answers are slow enough for a kill to come
        between."""
        self.store.clear()
        if rng.random() < 0.5:
            # The sink tries again after ten seconds.
            self.store.fault(rng.choice(["lose", "close"]), method="PUT", after=rng.randint(0, 6))
        self.store.fault("slow", method="PUT", seconds=0.03, count=-1)

    def stop(self):
        # Connections that are kept would be served for longer.
        self.store.clear()
        self.store.fault("close", count=-1)
        self.store.__exit__()

    def start_again(self):
        self.store = ObjectStore(f"{self.folder}/objects", port=self.store.port).__enter__()


def configuration(folder, target, **more):
    path = os.path.join(folder, "bellwether.yaml")
    with open(path, "w") as file:
        json.dump({"telemetry": {"behavior": True}, "sinks": {
            "lake": {**target.settings(), "every_seconds": 10, "rows": ROWS, **more}}}, file)
    return path


def start(folder, *arguments):
    return Daemon("--config", f"{folder}/bellwether.yaml", "--data", f"{folder}/data", *arguments)


def prepare(daemon):
    daemon.json("PUT", f"{APP}/manifest", MANIFEST)
    daemon.json("PUT", f"{APP}/recipes/r", RECIPE)
    daemon.json("PUT", f"{APP}/recipes/q", QUESTIONS)


def save(daemon, client, answers, is_complete):
    return daemon.json("POST", f"{APP}/questionnaires/q/responses", {
        "client_id": client, "answers": answers, "is_complete": is_complete})["id"]


class Writers:
    """Threads that report events and save answers until they are stopped, have sent enough, or the daemon is killed."""

    count = 0
    # Two threads send more than a sink writes in the same time. So what is not written stays bounded.
    enough = 30

    def __init__(self, daemon, threads=2):
        self.daemon, self.over, self.faults = daemon, threading.Event(), []
        self.acknowledged, self.posts = [], 0
        self.threads = []
        for _ in range(threads):
            Writers.count += 1
            self.threads.append(threading.Thread(target=self.write, args=(Writers.count,)))
        for thread in self.threads:
            thread.start()

    def write(self, writer):
        post = 0
        while not self.over.is_set() and post < self.enough:
            post += 1
            client = f"w{writer}-{post}"
            events = [{"type": "behavior", "name": f"n{n % 7}", "id": f"{client}-{n}"} for n in range(200)]
            try:
                status, _, body = self.daemon.request("POST", f"{APP}/events", {"client_id": client, "events": events})
                if status != 200 or json.loads(body)["accepted"] != len(events):
                    self.faults.append((client, status, body))
                    return
                self.acknowledged.append(client)
                save(self.daemon, client, {"score": post % 11, "words": client}, post % 3 > 0)
                # A draft of an earlier client becomes a response.
                save(self.daemon, f"w{writer}-{post // 2}", {"words": "again"}, False) if post % 3 == 0 else None
            except (OSError, ValueError, http.client.HTTPException):
                # The daemon was killed.
                return
            except AssertionError as error:
                # The earlier client has submitted.
                if " 409 " not in str(error):
                    self.faults.append((client, str(error)))
                    return
            self.posts += 1

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join(60)
        assert not self.faults, self.faults
        return self.acknowledged


def wait_closely(what, condition):
    """As `wait`, for what lasts some milliseconds only."""
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.0005)


def kill(daemon):
    daemon.process.send_signal(signal.SIGKILL)
    daemon.process.wait(30)


def positions(folder):
    """The numbers of the last record that the sink has written for certain, and of the last record of the log."""
    with contextlib.closing(sqlite3.connect(f"{folder}/data/bellwether.sqlite")) as database:
        rows = database.execute("SELECT body FROM shared WHERE kind = 'consumer' AND name = 'sink:lake'").fetchall()
        [(newest,)] = database.execute("SELECT coalesce(max(cursor), 0) FROM telemetry")
    return json.loads(rows[0][0])["cursor"] if rows else 0, newest


def metric(daemon, name):
    lines = daemon.request("GET", "/metrics")[2].decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(f"bellwether_sink_{name}{{"))


def lag(daemon):
    consumers = daemon.json("GET", f"{APP}/consumers")["consumers"]
    return next((consumer["lag"] for consumer in consumers if consumer["name"] == "sink:lake"), None)


def log(daemon):
    """The numbers of all records, and the clients of events."""
    numbers, clients, cursor = [], collections.Counter(), ""
    while True:
        status, headers, body = daemon.request("GET", f"{APP}/telemetry?limit=10000&after={cursor}")
        assert status == 200, body
        if not body:
            return numbers, clients
        for line in body.splitlines():
            record = json.loads(line)
            numbers.append(int(record["cursor"].split("-")[0][1:], 36))
            if record["category"] == "behavior":
                clients[record["client_id"]] += 1
        cursor = headers["Bellwether-Next"]


def expect_each_once(daemon, target, acknowledged):
    wait("the sink has written everything", lambda: lag(daemon) == 0, 120)
    target.expect_unchanged()
    numbers, clients = log(daemon)
    for client in acknowledged:
        assert clients[client] == 200, f"{client} was acknowledged, and has {clients[client]} records in the log"
    found = collections.Counter(target.events()["position"].to_pylist())
    missing, twice = set(numbers) - set(found), [number for number, count in found.items() if count > 1]
    assert not missing and not twice, f"{len(missing)} missing {sorted(missing)[:5]}, {len(twice)} twice {twice[:5]}"
    assert len(found) == len(numbers), "a record is in the files, and not in the log"
    for path in target.files("events"):
        file = pyarrow.parquet.ParquetFile(path)
        metadata, cursors = file.metadata.metadata, file.read(["cursor"])["cursor"]
        assert metadata[b"bellwether.first"].decode() == cursors[0].as_py(), path
        assert metadata[b"bellwether.last"].decode() == cursors[-1].as_py(), path
        assert file.metadata.num_rows <= ROWS, path
    return len(numbers)


def exported(daemon, folder, table):
    path = f"{folder}/exported.parquet"
    subprocess.run(
        [os.environ["BELLWETHER"], "export", "--data", f"{folder}/data", "--app", "lake", "--from", "2026-01-01", "--to",
         time.strftime("%Y-%m-%d", time.gmtime(time.time() + 86400)), "--format", "parquet", "--table", table,
         "--output", path], check=True, timeout=120)
    return pyarrow.parquet.ParquetFile(path).read()


def is_as_exported(daemon, folder, target):
    """Whether the tables of responses are those of an export."""
    for table in ("responses", "answers"):
        key = [(name, "ascending") for name in ("response_id", "question_id", "ordinal")]
        wanted, found = exported(daemon, folder, table), target.table(table)
        key = [part for part in key if part[0] in wanted.column_names]
        if found is None or found.schema != wanted.schema or found.sort_by(key).to_pylist() != wanted.sort_by(key).to_pylist():
            return False
    return True


def killed_while_it_writes(folder, target):
    rng = random.Random(SEED)
    configuration(folder, target)
    with start(folder) as daemon:
        prepare(daemon)
    acknowledged, during = [], 0
    newest = 0
    for attempt in range(KILLS):
        target.prepare(rng)
        before = target.rows()
        with start(folder) as daemon:
            writers = Writers(daemon)
            if attempt % 2 and before < 200 * len(acknowledged):
                # The sink begins with what the last process has left, and is killed some milliseconds later.
                stamp = target.stamp()
                wait_closely("the sink writes", lambda: target.stamp() != stamp)
                time.sleep(rng.uniform(0, target.longest_wait))
            else:
                posts = rng.randint(10, 30)
                wait("there are records", lambda: writers.posts >= posts or writers.faults, 120)
            kill(daemon)
            acknowledged += writers.end()
        # The sink begins with all records of the last process. If some are left, the kill came while it wrote them.
        has_begun = target.is_writing() or target.rows() > before
        written, next_newest = positions(folder)
        during += has_begun and written < newest
        newest = next_newest
    target.prepare(rng)
    with start(folder) as daemon:
        count = expect_each_once(daemon, target, acknowledged)
        wait("the tables of responses are the export's", lambda: is_as_exported(daemon, folder, target), 60)
        assert metric(daemon, "lag_records") == 0
        files = len(target.files("events"))
        if isinstance(target, Folder):
            # They have ids and answers.
            assert {os.stat(path).st_mode & 0o777 for path in target.files("*")} == {0o640}
            assert {os.stat(path).st_mode & 0o777 for path in glob.glob(f"{target.root}/**/", recursive=True)} == {0o750}
        refuse_to_move(daemon)
        removed(daemon, folder, target)
    print(f"ok: {target.name}: killed {KILLS} times, {during} of them while it wrote, {count} records in {files} files: 0 missing, 0 twice; "
          f"responses and answers are those of an export, also after a deletion and an erasure")


def refuse_to_move(daemon):
    """The position of a sink belongs to the sink: moved back into a file, it would write records twice."""
    cursor = json.loads(daemon.request("GET", f"{APP}/telemetry?limit=1")[2])["cursor"]
    for method, body in [("PUT", {"cursor": cursor}), ("PUT", {"cursor": ""}), ("DELETE", None)]:
        status, _, answer = daemon.request(method, f"{APP}/consumers/sink:lake", body)
        assert 400 <= status < 500, (method, body, status, answer)
    assert lag(daemon) == 0


def removed(daemon, folder, target):
    responses = target.table("responses")
    deleted, erased = responses["response_id"][0].as_py(), responses["client_id"][-1].as_py()
    of_erased = {row["response_id"] for row in responses.to_pylist() if row["client_id"] == erased}
    assert deleted not in of_erased
    daemon.json("DELETE", f"{APP}/responses/{deleted}", expect=(200, 204))
    daemon.json("DELETE", f"{APP}/clients/{erased}", expect=(200, 204))

    def is_gone():
        for table in ("responses", "answers"):
            if ({deleted} | of_erased) & set(target.table(table)["response_id"].to_pylist()):
                return False
        return True

    wait("the deleted response and those of the erased client are gone", is_gone, 60)
    content = b"".join(open(path, "rb").read() for path in target.files("responses") + target.files("answers"))
    assert erased.encode() not in content and deleted.encode() not in content
    wait("the tables of responses are the export's", lambda: is_as_exported(daemon, folder, target), 60)


def some_answers(daemon):
    """Reports events and saves answers. Returns the acknowledged clients."""
    writers = Writers(daemon, threads=1)
    wait("answers are saved", lambda: writers.posts >= 4 or writers.faults)
    return writers.end()


def first_file(daemon, target):
    """Lets the sink write. Returns the acknowledged clients."""
    acknowledged = some_answers(daemon)
    wait("the first file", lambda: lag(daemon) == 0 and target.rows() > 0)
    return acknowledged


def expect_failing(daemon, why):
    """While a sink fails, the daemon does everything else, and says that the sink fails."""
    acknowledged = some_answers(daemon)
    wait(f"the sink fails: {why}", lambda: metric(daemon, "failing") == 1, 120)
    acknowledged += some_answers(daemon)
    slowest = 0
    for person in range(50):
        begun = time.monotonic()
        assert daemon.json("GET", f"{APP}/messages?client_id=p{person}")["messages"]
        slowest = max(slowest, time.monotonic() - begun)
    assert slowest < 5, slowest
    assert daemon.request("GET", "/__heartbeat__")[0] == 200
    assert lag(daemon) > 0
    return acknowledged


def expect_recovery(daemon, target, acknowledged, why):
    wait(f"the sink writes again after: {why}", lambda: metric(daemon, "failing") == 0 and lag(daemon) == 0, 120)
    expect_each_once(daemon, target, acknowledged)
    print(f"ok: {target.name}: {why}: polls were answered, the metric said so, nothing was lost")


def logged(daemon):
    daemon.log.flush()
    return open(daemon.log.name).read()


def refusing_bucket(folder, bucket):
    configuration(folder, bucket)
    with start(folder) as daemon:
        prepare(daemon)
        acknowledged = first_file(daemon, bucket)
        bucket.store.fault("status", status=403, code="AccessDenied", count=-1)
        acknowledged += expect_failing(daemon, "403")
        secret = bucket.store.environment["AWS_SECRET_ACCESS_KEY"]
        assert "a sink cannot write" in logged(daemon) and secret not in logged(daemon)
        heartbeat = json.loads(daemon.request("GET", "/__heartbeat__")[2])
        assert heartbeat["checks"]["sinks"] in ("ok", "degraded"), heartbeat
        bucket.store.clear()
        expect_recovery(daemon, bucket, acknowledged, "the bucket refuses")

        bucket.stop()
        acknowledged += expect_failing(daemon, "the server is away")
        bucket.start_again()
        expect_recovery(daemon, bucket, acknowledged, "the server is away")
    bucket.write_credentials("another secret")
    with start(folder) as daemon:
        acknowledged += expect_failing(daemon, "wrong credentials")
        heartbeat = json.loads(daemon.request("GET", "/__heartbeat__")[2])
        assert heartbeat["checks"]["sinks"] == "degraded" and heartbeat["reasons"]["sinks"], heartbeat
        bucket.write_credentials()
        expect_recovery(daemon, bucket, acknowledged, "wrong credentials")
        for id in bucket.table("responses")["response_id"].to_pylist():
            daemon.json("DELETE", f"{APP}/responses/{id}", expect=(200, 204))
        wait("the tables of a day without responses are empty", lambda: not any(
            bucket.table(table).num_rows for table in ("responses", "answers")))
    reasons = {entry["reason"] for entry in bucket.store.refused}
    assert reasons <= {"the signature is wrong"}, reasons


def second_names(folder):
    """A process that is killed after it has published a file leaves a second name of it. A process with the same pid, as
    in a container, does not write into the file by this name."""
    target = Folder(f"{folder}/lake")
    configuration(folder, target)
    with start(folder) as daemon:
        prepare(daemon)
        acknowledged = first_file(daemon, target)
        for number in range(1, 200):
            name = f"{target.root}/.unfinished/{daemon.process.pid}-{number}.parquet"
            if not os.path.exists(name):
                os.link(target.files("events")[0], name)
        acknowledged += first_file(daemon, target)
        expect_each_once(daemon, target, acknowledged)
    print("ok: a file is not changed by a second name that a killed process has left")


def one_faulty_app(folder):
    """An app whose files cannot be written does not keep the others waiting."""
    target = Folder(f"{folder}/lake")
    configuration(folder, target)
    event = {"client_id": "c", "events": [{"type": "behavior", "name": "n"}]}
    with start(folder) as daemon:
        prepare(daemon)
        daemon.json("PUT", "/v1/apps/a/manifest", MANIFEST)
        daemon.json("POST", "/v1/apps/a/events", event)
        wait("the file of the first app", lambda: glob.glob(f"{target.root}/events/v1/a/*/*.parquet"))
        # Somebody else's file has the name of the next one.
        [path] = glob.glob(f"{target.root}/events/v1/a/*/*.parquet")
        for number in range(1, 20):
            open(path.replace(f"{0:016x}.parquet", f"{number:016x}.parquet"), "w").close()
        daemon.json("POST", "/v1/apps/a/events", event)
        acknowledged = first_file(daemon, target)
        expect_each_once(daemon, target, acknowledged)
        wait("the metric says so", lambda: metric(daemon, "failing") == 1)
    print("ok: an app whose files cannot be written does not keep the others waiting")


def no_long_lease(folder):
    """A killed daemon does not keep the next one from writing for long."""
    target = Folder(f"{folder}/lake")
    configuration(folder, target)
    with start(folder) as daemon:
        prepare(daemon)
        writers = Writers(daemon)
        wait("there is enough for several files", lambda: writers.posts >= 20 or writers.faults)
        acknowledged = writers.end()
    before = target.rows()
    with start(folder) as daemon:
        wait("it writes", lambda: target.rows() > before or glob.glob(f"{target.root}/.unfinished/*.parquet"))
        kill(daemon)
    with start(folder) as daemon:
        wait("the sink has written everything within two minutes of a kill", lambda: lag(daemon) == 0, 120)
        expect_each_once(daemon, target, acknowledged)
    print("ok: a daemon writes soon after another one was killed while it wrote")


@contextlib.contextmanager
def small_disk(megabytes):
    """Nil if nothing can be mounted here."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], capture_output=True).returncode == 0
        try:
            yield folder if mounted else None
        finally:
            if mounted:
                subprocess.run(["umount", "--lazy", folder], check=True)


def full_disk(folder):
    with small_disk(8) as disk:
        if not disk:
            print("skipped: a full disk: mounting a small disk needs root")
            return
        target = Folder(os.path.join(disk, "lake"))
        configuration(folder, target)
        with start(folder) as daemon:
            prepare(daemon)
            acknowledged = first_file(daemon, target)
            ballast = os.path.join(disk, "ballast")
            writers = Writers(daemon, threads=1)
            with open(ballast, "ab", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    file.write(bytes(4096))
            acknowledged += writers.end() + expect_failing(daemon, "a full disk")
            whole = target.rows()
            assert not [path for path in target.files("events") if not pyarrow.parquet.ParquetFile(path).metadata]
            os.remove(ballast)
            expect_recovery(daemon, target, acknowledged, "a full disk")
            assert target.rows() > whole
            # Nothing of what could not be finished is left.
            assert not glob.glob(f"{target.root}/.unfinished/*.parquet")


def two_daemons(folder):
    """Two daemons over one PostgreSQL database with one folder. One of them is killed, or stopped and continued, again and
    again, and leases are removed, so that both write at the same time."""
    rng = random.Random(SEED)
    target = Folder(f"{folder}/lake")
    path = configuration(folder, target)
    with postgres() as database, contextlib.ExitStack() as stack:
        def forget():
            subprocess.run([f"{PROGRAMS}/psql", "-q", database, "-c", "DELETE FROM small WHERE kind = 'lease'"], check=True)

        def begin():
            return Daemon("--config", path, "--store", database).__enter__()

        nodes = [begin(), begin()]
        stack.callback(lambda: [node.__exit__() for node in nodes])
        prepare(nodes[0])
        wait("both serve the app", lambda: all(node.request("GET", f"{APP}/recipes/r")[0] == 200 for node in nodes))
        acknowledged, stops = [], 0
        for number in range(KILLS):
            before = target.rows()
            goal = before + rng.randint(0, max(0, min(200 * len(acknowledged) - before, 6 * ROWS)))
            writers = [Writers(node, threads=1) for node in nodes]
            posts = rng.randint(3, 12)
            wait("a sink goes on", lambda: target.rows() >= goal and sum(w.posts for w in writers) >= posts
                 or any(w.faults for w in writers), 120)
            victim = rng.randrange(2)
            if number % 4 == 3:
                # The other one goes on in its place; then the first one wakes up in the middle of its work.
                stops += 1
                nodes[victim].process.send_signal(signal.SIGSTOP)
                forget()
                end = time.monotonic() + 12
                wait("the other one writes", lambda: target.rows() > goal + ROWS or time.monotonic() > end)
                nodes[victim].process.send_signal(signal.SIGCONT)
                for writer in writers:
                    acknowledged += writer.end()
                continue
            kill(nodes[victim])
            for writer in writers:
                acknowledged += writer.end()
            nodes[victim].__exit__()
            forget()
            nodes[victim] = begin()
        forget()
        count = expect_each_once(nodes[0], target, acknowledged)
        print(f"ok: two daemons over one database, one killed {KILLS - stops} times and stopped {stops} times: {count} records: 0 missing, 0 twice")


def main():
    parts = sys.argv[1:] or ["folder", "objects", "refusing", "full", "two", "names", "app", "lease"]
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            match part:
                case "folder": killed_while_it_writes(folder, Folder(f"{folder}/lake"))
                case "full": full_disk(folder)
                case "two": two_daemons(folder)
                case "names": second_names(folder)
                case "app": one_faulty_app(folder)
                case "lease": no_long_lease(folder)
                case "objects" | "refusing":
                    bucket = Bucket(folder)
                    try:
                        (killed_while_it_writes if part == "objects" else refusing_bucket)(folder, bucket)
                    finally:
                        bucket.stop()


if __name__ == "__main__":
    main()
