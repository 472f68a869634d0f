#!/usr/bin/env python3
"""Measures how soon all nodes serve a publish, and how long a node still accepts a revoked token
(docs/performance.md#several-nodes).

Starts a PostgreSQL server and three daemons over it, the third through a proxy that can stop forwarding.
usage: Bench/nodes.py [PROGRAM] [--rounds N]
"""
import argparse
import hashlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

PROGRAMS = "/usr/lib/postgresql/15/bin"
ROOT = pathlib.Path(__file__).resolve().parent.parent
BOUND = 10.0
MANIFEST = {"app_name": "a", "default_locale": "en-US", "surfaces": ["card"]}


def unprivileged(command):
    """PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return command
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", *command]


class Database:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        if os.getuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
        run = lambda *command: subprocess.run(
            unprivileged(list(command)), cwd="/", check=True, stdout=subprocess.DEVNULL)
        run(f"{PROGRAMS}/initdb", "-D", f"{self.folder}/data", "-U", "bench", "-A", "trust", "-E", "UTF8",
            "--locale=C", "--no-sync")
        run(f"{PROGRAMS}/pg_ctl", "-w", "-D", f"{self.folder}/data", "-l", f"{self.folder}/log",
            "-o", f"-k {self.folder} -c listen_addresses=", "start")
        self.uri = f"postgresql:///postgres?host={self.folder}&user=bench"

    def stop(self):
        subprocess.run(
            unprivileged([f"{PROGRAMS}/pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "stop"]), cwd="/",
            stdout=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


class Proxy:
    """Forwards connections to the server's socket. While it is stopped, no data arrives and no connection ends."""

    def __init__(self, path):
        self.path = path
        self.forwards = threading.Event()
        self.forwards.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.path)
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=self.pump, args=(source, target), daemon=True).start()

    def pump(self, source, target):
        try:
            while data := source.recv(65536):
                self.forwards.wait()
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Node:
    def __init__(self, program, uri, folder, token):
        digest = hashlib.sha256(token.encode()).hexdigest()
        config = pathlib.Path(folder, f"node-{len(os.listdir(folder))}.yaml")
        config.write_text(f'store: {{url: "{uri}"}}\napps: ""\nrecipes: ""\ntokens: ["root:admin:*:{digest}"]\n')
        log = open(f"{config}.log", "wb")
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--config", str(config)], stdout=subprocess.PIPE, stderr=log, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.local = threading.local()

    def ask(self, method, path, token, body=None, seconds=BOUND):
        """Each thread keeps its own connection. The status is None if no answer came in time."""
        connection = getattr(self.local, "connection", None)
        if connection is None:
            connection = self.local.connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.timeout = seconds
        if connection.sock:
            connection.sock.settimeout(seconds)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except TimeoutError:
            connection.close()
            self.local.connection = None
            return None, b""


def until(nodes, holds):
    """Polls all nodes in parallel until the condition holds, and returns the time of the slowest node."""
    begin = time.monotonic()
    times = [None] * len(nodes)

    def watch(index):
        while time.monotonic() - begin < BOUND:
            if holds(nodes[index]):
                times[index] = time.monotonic() - begin
                return
            time.sleep(0.002)

    threads = [threading.Thread(target=watch, args=(index,)) for index in range(len(nodes))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert None not in times, f"not all nodes within {BOUND} s: {times}"
    return max(times)


def report(name, times, must, aim):
    times = sorted(times)
    p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
    verdict = "aim" if p99 <= aim else "must" if p99 <= must else "MISSED"
    print(f"{name}: p50 {times[len(times) // 2] * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, most {times[-1] * 1000:.0f} ms"
          f" of {len(times)} (must {must * 1000:.0f}, aim {aim * 1000:.0f}: {verdict})")


def publishes(nodes, root, rounds):
    times = []
    for number in range(rounds):
        recipe = {"messages": {f"m{number}": {"surface": "card", "text": "t"}}}
        status, text = nodes[number % len(nodes)].ask("PUT", "/v1/apps/app/recipes/e", root, recipe)
        assert status in (200, 201), text
        key = f'"m{number}"'.encode()
        times.append(until(nodes, lambda node: key in node.ask(
            "GET", "/v1/apps/app/messages?client_id=c&surface=card", root)[1]))
    return times


def revocations(nodes, root, rounds, before=lambda: None, after=lambda: None):
    times = []
    for number in range(rounds):
        body = {"name": f"t{number}", "scope": "client", "app": "*"}
        status, text = nodes[0].ask("POST", "/v1/tokens", root, body)
        assert status == 201, text
        token = json.loads(text)["token"]
        served = []

        # A disconnected node first waits for the database. A request without an answer does not count as served.
        def poll(node):
            status, _ = node.ask("GET", "/v1/apps/app/messages?client_id=c&surface=card", token, seconds=0.2)
            if status == 200:
                served.append(time.monotonic())
            return status

        until(nodes, lambda node: poll(node) == 200)
        before()
        status, text = nodes[0].ask("DELETE", f"/v1/tokens/t{number}", root)
        assert status == 204, text
        revoked = time.monotonic()
        # A node that is behind answers 503, because it does not know whether the token was revoked.
        until(nodes, lambda node: poll(node) in (401, 503))
        times.append(max(0, max(served) - revoked))
        after()
        until(nodes, lambda node: poll(node) == 401)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", default=str(ROOT / ".build/release/bellwether"))
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    # The exit runs `finally`, which ends the started processes.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    database, folder, nodes, root = Database(), tempfile.mkdtemp(), [], "root-token"
    try:
        proxy = Proxy(f"{database.folder}/.s.PGSQL.5432")
        away = f"postgresql://bench@127.0.0.1:{proxy.port}/postgres?sslmode=disable"
        for uri in (database.uri, database.uri, away):
            nodes.append(Node(options.program, uri, folder, root))
        status, text = nodes[0].ask("PUT", "/v1/apps/app/manifest", root, MANIFEST)
        assert status == 201, text
        until(nodes, lambda node: node.ask("GET", "/v1/apps/app/manifest", root)[0] == 200)
        report("a publish is seen by all nodes", publishes(nodes, root, options.rounds), 1.0, 0.15)
        report("a revoked token is served for", revocations(nodes, root, options.rounds), 1.0, 0.3)
        partitioned = revocations(
            nodes, root, max(1, options.rounds // 10), before=proxy.forwards.clear, after=proxy.forwards.set)
        report("the same, with one node cut off from the database", partitioned, 1.0, 0.3)
    finally:
        for node in nodes:
            node.process.kill()
            node.process.wait()
        database.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
