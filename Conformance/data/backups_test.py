"""Backups in an object store: daemons are killed while they copy, the store is away, another installation uses the same
prefix, and objects are damaged. Each backup that is complete there is restored and has what was acknowledged before it.

The object store verifies each signature. KILLS sets the number of kills.
"""

import datetime
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from daemon import Daemon, wait as wait_for
from object_store import ObjectStore

KILLS = int(os.environ.get("KILLS", "5"))
SEED = int(os.environ.get("BACKUPS_SEED", "1"))
APP = "/v1/apps/lake"
KEEP = 3
MANIFEST = {"app_name": "lake", "default_locale": "en", "surfaces": ["card"]}
# Two objects of 32 MiB hold the database.
TEXT = "x" * 400_000
REVISIONS = 100


def message(number):
    return {"messages": {"m": {"surface": "card", "text": f"{number} {TEXT}", "trigger-if-all": ["ALWAYS"]}}}


def wait(what, condition):
    # A copy is large, and the machine may be busy.
    wait_for(what, condition, 600)


class Scene:
    def __init__(self, folder, name="one"):
        self.folder, self.name = folder, f"{folder}/{name}"
        os.makedirs(f"{self.name}/backups")
        self.clients = []

    def options(self, store):
        return ["--endpoint", store.url, "--region", store.region, "--credentials-file", f"{self.folder}/credentials"]

    def start(self, store, to="backups/shop"):
        with open(f"{self.name}/bellwether.yaml", "w") as file:
            json.dump({"telemetry": {"behavior": True}, "backups": {
                "directory": f"{self.name}/backups", "every": "1s", "keep": KEEP,
                "to": f"s3://{store.bucket}/{to}", "endpoint": store.url, "region": store.region,
                "credentials_file": f"{self.folder}/credentials"}}, file)
        self.daemon = Daemon("--config", f"{self.name}/bellwether.yaml", "--data", f"{self.name}/data").__enter__()
        return self.daemon

    def report(self):
        """Records an event of a new client, and remembers when it was acknowledged."""
        client = f"c{len(self.clients)}"
        answer = self.daemon.json("POST", f"{APP}/events", {
            "client_id": client, "events": [{"type": "behavior", "name": "seen", "id": client}]})
        assert answer["accepted"] == 1, answer
        self.clients.append((client, name(time.time())))

    def log(self):
        self.daemon.log.seek(0)
        return self.daemon.log.read()

    def restore(self, store, backup, to="backups/shop", expect=0):
        """The data directory that the command makes of a backup, or the command's errors."""
        target = tempfile.mkdtemp(dir=self.folder) + "/data"
        command = [os.environ["BELLWETHER"], "restore", f"s3://{store.bucket}/{to}/{backup}", "--data", target]
        run = subprocess.run(command + self.options(store), capture_output=True, text=True, timeout=120)
        assert run.returncode == expect, run.stdout + run.stderr
        assert not os.path.exists(target + ".download")
        if expect:
            assert not os.path.exists(target), "a part of a data directory is there"
            return run.stderr
        return target

    def expect_whole(self, store, backup):
        """Restores a backup, and compares it with what was acknowledged before its time."""
        data = self.restore(store, backup)
        command = [os.environ["BELLWETHER"], "export", "--data", data, "--app", "lake"]
        days = {(datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=n)).date() for n in (0, 1)}
        rows = []
        for day in sorted(days):
            run = subprocess.run(command + ["--day", str(day)], capture_output=True, text=True, timeout=120)
            assert run.returncode == 0, run.stderr
            rows += [json.loads(line)["client_id"] for line in run.stdout.splitlines()]
        expected = {client for client, at in self.clients if at < backup}
        assert expected <= set(rows), expected - set(rows)
        assert len(rows) == len(set(rows))
        audit = subprocess.run([os.environ["BELLWETHER"], "audit", "verify", "--data", data], capture_output=True)
        assert audit.returncode == 0, audit.stderr
        return len(rows)


def name(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H%M%SZ")


def backups(store, prefix="backups/shop/"):
    lists = [key for key in store.objects.all if key.startswith(prefix) and key.endswith(".json")]
    return sorted(key[len(prefix):-len(".json")] for key in lists)


def run(folder):
    rng = random.Random(SEED)
    with ObjectStore(f"{folder}/objects") as store:
        keys = store.environment
        with open(f"{folder}/credentials", "w") as file:
            file.write(f"[default]\naws_access_key_id = {keys['AWS_ACCESS_KEY_ID']}\n"
                       f"aws_secret_access_key = {keys['AWS_SECRET_ACCESS_KEY']}\n")
        scene = Scene(folder)
        daemon = scene.start(store)
        daemon.json("PUT", f"{APP}/manifest", MANIFEST)
        for number in range(REVISIONS):
            daemon.json("PUT", f"{APP}/recipes/r", message(number))
        scene.report()

        wait("a backup in the store", lambda: len(backups(store)) > 0)
        before = backups(store)[-1]
        wait("more backups than are kept", lambda: [b for b in backups(store) if b > before][KEEP:])
        sizes = {key: len(body) for key, (body, *_) in list(store.objects.all.items())}
        parts = [key for key in sizes if "/bellwether.sqlite/" in key]
        assert max(sizes.values()) <= 64 << 20 and any(key.endswith("/1") for key in parts), sizes
        assert len(backups(store)) <= KEEP + 1
        heartbeat = daemon.json("GET", "/__heartbeat__")
        assert heartbeat["checks"]["backups"] == "ok", heartbeat
        print(f"objects of at most {max(sizes.values()) >> 20} MiB, {len(parts)} of databases")

        # Kills while copies are sent.
        for number in range(KILLS):
            store.fault("slow", method="PUT", seconds=0.1, count=-1)
            before = backups(store)[-1]
            for _ in range(3):
                scene.report()
            wait("a further backup", lambda: backups(store)[-1] > before)
            time.sleep(rng.random())
            daemon.process.send_signal(signal.SIGKILL)
            daemon.process.wait(30)
            store.clear()
            rows = scene.expect_whole(store, backups(store)[-1])
            daemon.__exit__()
            daemon = scene.start(store)
        print(f"after {KILLS} kills each newest backup was restored and whole, the last with {rows} events")

        # What kills have left is gone after the next backup, and no more are kept than the settings say.
        before = backups(store)[-1]
        wait("a further backup", lambda: backups(store)[-1] > before)
        scene.daemon.process.terminate()
        scene.daemon.process.wait(30)
        names = backups(store)
        objects = {key.split("/")[2] for key in store.objects.all if key.count("/") > 2}
        assert len(names) <= KEEP + 1 and objects - set(names) <= {max(objects)}, (names, objects)
        scene.daemon.__exit__()

        # A store that is away.
        daemon = scene.start(store)
        store.fault("status", status=503, code="SlowDown", count=-1)
        wait("it is told", lambda: "the object store asks to come again" in scene.log())
        wait("the heartbeat", lambda: daemon.json("GET", "/__heartbeat__")["checks"]["backups"] == "degraded")
        store.clear()
        wait("it goes on", lambda: daemon.json("GET", "/__heartbeat__")["checks"]["backups"] == "ok")
        daemon.__exit__()

        # Another installation, a name that does not exist, and damaged objects.
        other = Scene(folder, "two")
        other.start(store)
        wait("it is refused", lambda: "the backups of another installation are there" in other.log())
        other.daemon.__exit__()
        newest = backups(store)[-1]
        errors = scene.restore(store, "2020-01-01T000000Z", expect=1)
        assert "there is no backup 2020-01-01T000000Z; there are" in errors and newest in errors, errors
        key = f"backups/shop/{newest}/bellwether.sqlite/1"
        body, metadata, when = store.objects.all[key]
        store.objects.all[key] = (b"y" + body[1:], metadata, when)
        errors = scene.restore(store, newest, expect=1)
        assert "bellwether.sqlite/1 has other bytes than the ones that were sent" in errors, errors
        del store.objects.all[key]
        assert "bellwether.sqlite/1 is missing" in scene.restore(store, newest, expect=1)
        assert not store.refused, store.refused
    print("a store that is away, another installation and damaged objects are told")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        run(folder)
    sys.exit(0)
