"""Two writers and three consumers for a minute: every acknowledged record is read exactly once by each, in one order.

PIPELINES_SECONDS sets another time. The consumers read pages of different sizes, wait at the end of the log, and store
their cursors in the daemon. Sometimes they start again from the stored cursor, like after a crash.
"""

import http.client
import json
import multiprocessing
import os
import sys
import time
import urllib.parse

from daemon import Daemon

SECONDS = float(os.environ.get("PIPELINES_SECONDS", "60"))
APP = "/v1/apps/pipelines"
EVENTS_A_POST = 10
MANIFEST = {"app_name": "pipelines", "default_locale": "en-US", "surfaces": ["card"]}
RECIPE = {"messages": {"m": {"surface": "card", "text": "Hello", "style": "DEFAULT"}}}


def send(connection, method, path, body=None, kind="application/json"):
    connection.request(method, path, body=body, headers={"Content-Type": kind} if body else {})
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def write(address, writer, end, acknowledged):
    """Reports displays until the time is over. Returns the ids of the acknowledged clients, in order."""
    connection = http.client.HTTPConnection(address, timeout=90)
    done, post = [], 0
    while time.monotonic() < end:
        clients = [f"w{writer}-{post}-{line}" for line in range(EVENTS_A_POST)]
        lines = "".join(json.dumps(
            {"client_id": client, "type": "message", "action": "displayed", "message": "m"}) + "\n"
            for client in clients)
        status, _, body = send(connection, "POST", f"{APP}/events", lines, "application/x-ndjson")
        assert status == 200 and json.loads(body)["accepted"] == EVENTS_A_POST, body
        done += clients
        post += 1
    acknowledged.put((writer, done))


def read(address, name, limit, total, seen):
    """Reads until every acknowledged record has arrived, and once more. Returns the records in order."""
    connection = http.client.HTTPConnection(address, timeout=90)
    cursor, records, pages, restarts = "", [], 0, 0
    while total.value < 0 or len(records) < total.value:
        status, headers, body = send(
            connection, "GET", f"{APP}/telemetry?after={urllib.parse.quote(cursor)}&limit={limit}&wait=2")
        assert status == 200, body
        page = [json.loads(line) for line in body.splitlines()]
        assert len(page) <= limit
        assert page or headers["Bellwether-Next"] == cursor
        if not page and total.value >= 0:
            break
        records += [(record["cursor"], record["client_id"], record["name"]) for record in page]
        cursor = headers["Bellwether-Next"]
        status, _, body = send(connection, "PUT", f"{APP}/consumers/{name}", json.dumps({"cursor": cursor}))
        assert status in (200, 201), body
        pages += 1
        if pages % 50 == 0:
            connection.close()
            connection = http.client.HTTPConnection(address, timeout=90)
            status, _, body = send(connection, "GET", f"{APP}/consumers/{name}")
            assert status == 200, body
            cursor, restarts = json.loads(body)["cursor"], restarts + 1
    _, _, rest = send(connection, "GET", f"{APP}/telemetry?after={cursor}")
    assert not rest, "more came than was acknowledged"
    seen.put((name, records, pages, restarts))


def main():
    with Daemon() as daemon:
        daemon.json("PUT", f"{APP}/manifest", MANIFEST)
        daemon.json("PUT", f"{APP}/recipes/r", RECIPE)
        address = urllib.parse.urlsplit(daemon.url).netloc
        acknowledged, seen = multiprocessing.Queue(), multiprocessing.Queue()
        total = multiprocessing.Value("q", -1)
        end = time.monotonic() + SECONDS
        consumers = [multiprocessing.Process(target=read, args=(address, name, limit, total, seen))
                     for name, limit in (("small", 50), ("middle", 700), ("large", 10000))]
        writers = [multiprocessing.Process(target=write, args=(address, writer, end, acknowledged))
                   for writer in range(2)]
        for process in consumers + writers:
            process.start()
        written = dict(acknowledged.get(timeout=SECONDS + 60) for _ in writers)
        everything = written[0] + written[1]
        total.value = len(everything)
        results = [seen.get(timeout=120) for _ in consumers]
        for process in consumers + writers:
            process.join(30)
            assert process.exitcode == 0, process

        first = results[0][1]
        for name, records, pages, restarts in results:
            clients = [client for _, client, _ in records]
            assert len(clients) == len(set(clients)), f"{name} read a record twice"
            assert set(clients) == set(everything), f"{name} missed a record, or read one that nobody sent"
            assert records == first, f"{name} read in another order"
            # Each writer waits for its answer before its next write, so the log has the same order.
            for writer, done in written.items():
                assert [client for client in clients if client.startswith(f"w{writer}-")] == done, name
            print(f"ok: {name} read {len(records)} records once, in {pages} pages, beginning again {restarts} times")
        print(f"ok: two writers, three consumers, {SECONDS:.0f} s: {len(everything)} acknowledged records, one order")


if __name__ == "__main__":
    sys.exit(main())
