"""A full disk, and files that cannot be written: writes get 503, reads work, no acknowledged write is lost, and the
daemon recovers without help when the disk works again.

Needs root, for a small tmpfs and for immutable files. Without root the test prints that and is skipped.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading

from daemon import Daemon, wait

APP = "/v1/apps/disk"
MANIFEST = {"app_name": "disk", "default_locale": "en-US", "surfaces": ["card"]}
RECIPE = {"styles": {"TWICE": {"max-display-count": 2}},
          "messages": {"m": {"surface": "card", "text": "Hello", "style": "TWICE"}}}
DATABASE = "bellwether.sqlite"


def displayed(client, event):
    return {"client_id": client, "events": [
        {"type": "message", "action": "displayed", "message": "m", "id": event},
        # These events add content, so that a disk fills.
        *({"type": "behavior", "name": f"{event}-{number}"[:100], "id": f"{event}-{number}"} for number in range(10))]}


def healthy(daemon):
    return daemon.request("GET", "/__heartbeat__")[0] == 200


def prepare(daemon):
    daemon.json("PUT", f"{APP}/manifest", MANIFEST)
    daemon.json("PUT", f"{APP}/recipes/r", RECIPE)
    assert daemon.json("POST", f"{APP}/events", displayed("first", "first"))["accepted"] == 11


def expect_only_reads(daemon):
    """Checks the daemon's answers while its disk accepts no writes."""
    status, headers, log = daemon.request("GET", f"{APP}/telemetry?limit=10000")
    assert status == 200
    cursor = headers["Bellwether-Next"]
    for method, path, body in [
            ("POST", "events", displayed("refused", "refused")), ("PUT", "recipes/r", RECIPE | {"triggers": {"T": "true"}}),
            ("PUT", "clients/first/participation", {"experiments": False}), ("PUT", "consumers/c", {"cursor": cursor})]:
        status, headers, answer = daemon.request(method, f"{APP}/{path}", body)
        assert status == 503 and headers["Retry-After"] == "1", (method, path, status, answer)
        assert headers["Content-Type"] == "application/problem+json"
    message = daemon.json("GET", f"{APP}/messages?client_id=first")["messages"][0]
    assert message["display_count"] == 1, message
    assert daemon.json("GET", f"{APP}/messages?client_id=stranger")["messages"][0]["display_count"] == 0
    status, _, heartbeat = daemon.request("GET", "/__heartbeat__")
    assert status == 503 and json.loads(heartbeat)["checks"]["store"] == "error", heartbeat
    assert daemon.request("GET", "/__lbheartbeat__")[0] == 200
    assert b"\nbellwether_store_healthy 0\n" in daemon.request("GET", "/metrics")[2]
    return log


def expect_well(daemon, log):
    """Checks that the daemon recovers without help, and that refused writes have left no data."""
    wait("it recovers", lambda: healthy(daemon))
    assert daemon.request("GET", f"{APP}/telemetry?limit=10000")[2] == log
    assert daemon.json("POST", f"{APP}/events", displayed("refused", "refused"))["accepted"] == 11
    assert daemon.json("POST", f"{APP}/events", displayed("first", "first"))["duplicates"] == 11


class Writers:
    """Clients that send each batch until it is acknowledged."""

    def __init__(self, daemon):
        self.daemon, self.over = daemon, threading.Event()
        self.acknowledged, self.refused, self.faults = [], 0, []
        self.threads = [threading.Thread(target=self.write, args=(number,)) for number in range(4)]
        for thread in self.threads:
            thread.start()

    def write(self, writer):
        number = 0
        while not self.over.is_set():
            client = f"w{writer}-{number}"
            try:
                status, headers, body = self.daemon.request("POST", f"{APP}/events", displayed(client, client))
            except OSError:
                # The daemon was killed.
                return
            if status == 200 and json.loads(body)["accepted"] == 11:
                self.acknowledged.append(client)
                number += 1
            elif status == 503 and headers["Retry-After"]:
                self.refused += 1
            else:
                self.faults.append((client, status, body))
                return

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join(30)
        assert not self.faults, self.faults
        return self.acknowledged


def expect_each_once(daemon, acknowledged):
    status, _, log = daemon.request("GET", f"{APP}/telemetry?limit=10000")
    assert status == 200, log
    records, after = [], 0
    while log:
        records += [json.loads(line) for line in log.splitlines()]
        _, _, log = daemon.request("GET", f"{APP}/telemetry?limit=10000&after={records[-1]['cursor']}")
    shown = [record["client_id"] for record in records if record["name"] == "shown"]
    assert len(shown) == len(set(shown)), "a display is there twice"
    assert set(acknowledged) <= set(shown), "an acknowledged display is missing"
    return len(shown)


@contextlib.contextmanager
def small_disk(megabytes):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], check=True)
        try:
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def fill(folder):
    """Fills the disk to the last byte."""
    with open(os.path.join(folder, "ballast"), "ab", buffering=0) as ballast:
        with contextlib.suppress(OSError):
            while True:
                ballast.write(bytes(4096))


def expect_no_start(data, reason):
    told = subprocess.run(
        [os.environ["BELLWETHER"], "serve", "--dev", "--port", "0", "--data", data],
        capture_output=True, text=True, timeout=30)
    assert told.returncode == 1 and reason in told.stderr, told
    print(f"ok: no start: {told.stderr.strip().splitlines()[-1].replace(os.path.dirname(data), '…')}")


def full_disk():
    with small_disk(24) as disk:
        data = os.path.join(disk, "data")
        with Daemon("--data", data) as daemon:
            prepare(daemon)
            fill(disk)
            # The log may still have space for some writes.
            wait("a write is refused", lambda: not [
                daemon.request("POST", f"{APP}/events", displayed(f"filler-{n}", f"filler-{n}"))[0] for n in range(50)
            ].count(200))
            log = expect_only_reads(daemon)
            print("ok: full disk (tmpfs): writes 503 with Retry-After, polls, telemetry and metrics as before")
            os.remove(os.path.join(disk, "ballast"))
            expect_well(daemon, log)
            print("ok: space came back: well by itself, nothing of the refused kept, nothing acknowledged lost")

            writers, floods = Writers(daemon), 5
            for _ in range(floods):
                refused = writers.refused
                fill(disk)
                wait("writes are refused", lambda: writers.refused > refused + 20)
                count = len(writers.acknowledged)
                os.remove(os.path.join(disk, "ballast"))
                wait("writes go on", lambda: len(writers.acknowledged) > count + 20)
            fill(disk)
            wait("writes are refused", lambda: writers.refused > refused + 20)
            daemon.process.send_signal(signal.SIGKILL)
            daemon.process.wait(30)
            acknowledged = writers.end()
        with Daemon("--data", data) as daemon:
            assert daemon.json("GET", f"{APP}/messages?client_id=stranger")["messages"]
            refuses = daemon.request("POST", f"{APP}/events", displayed("late", "late"))[0] == 503
            os.remove(os.path.join(disk, "ballast"))
            wait("it recovers", lambda: healthy(daemon))
            count = expect_each_once(daemon, acknowledged)
            print(f"ok: full {floods + 1} times under load, then kill -9 and a start on the full disk: "
                  f"{len(acknowledged)} acknowledged, {writers.refused} refused, {count} in the log, each once"
                  + (", the first write refused" if refuses else ""))
        fill(disk)
        expect_no_start(os.path.join(disk, "new"), "disk is full")
        os.remove(os.path.join(disk, "ballast"))
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        expect_no_start(data, "Read-only file system")


def immutable(files, on):
    return all(subprocess.run(["chattr", "+i" if on else "-i", file], capture_output=True).returncode == 0
               for file in files)


def read_only_files():
    with Daemon() as daemon:
        prepare(daemon)
        data = os.path.join(daemon.directory.name, "data")
        files = [os.path.join(data, DATABASE + suffix) for suffix in ("", "-wal")]
        # Permissions are checked when a file is opened. The daemon has its files open, and can still write.
        for path in [*files, data]:
            os.chmod(path, 0o500)
        assert daemon.json("POST", f"{APP}/events", displayed("chmod", "chmod"))["accepted"] == 11
        try:
            if not immutable(files, True) or daemon.request(
                    "POST", f"{APP}/events", displayed("probe", "probe"))[0] == 200:
                print("skipped: read-only files: this file system does not enforce chattr +i on open files")
                return
            log = expect_only_reads(daemon)
            print("ok: files made read-only under the daemon (chattr +i): writes 503, reads as before")
        finally:
            immutable(files, False)
        expect_well(daemon, log)
        print("ok: made writable again: well by itself")


def main():
    if os.geteuid() != 0:
        print("skipped: mounting a small disk needs root (EndToEndTests' FullDiskTests need none)")
        return
    full_disk()
    read_only_files()


if __name__ == "__main__":
    sys.exit(main())
