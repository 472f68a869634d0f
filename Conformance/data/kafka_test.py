"""A sink into Kafka: brokers go away and daemons are killed while records come, and at the end every record of the log is
in its topic, those of a client in order. A record that is there twice has the same `bellwether-id`.

KILLS sets the number of kills, OUTAGE the seconds for which all brokers are away. The brokers are those that librdkafka
simulates, and kcat reads them: apt-get install librdkafka-dev kcat.

With RATE, the number of records, the sink of a daemon is measured beside kcat, which sends the same lines with the same
options from a file. Use a release build, and some millions of records.
"""

import collections
import contextlib
import http.client
import json
import os
import random
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time

from daemon import wait

KILLS = int(os.environ.get("KILLS", "5"))
OUTAGE = float(os.environ.get("OUTAGE", "5"))
RATE = int(os.environ.get("RATE", "0"))
APP = "/v1/apps/stream"
TOPIC = "bellwether.stream"
MANIFEST = {"app_name": "stream", "default_locale": "en-US", "surfaces": ["card"]}
RECIPE = {"messages": {"m": {"surface": "card", "text": "Hello", "style": "DEFAULT"}}}
SOURCE = os.path.join(os.path.dirname(__file__), "../../Tests/KafkaSupport/mock-kafka.c")


class Brokers:
    """Three simulated brokers in a process of their own."""

    def __init__(self, folder):
        program = os.path.join(folder, "mock-kafka")
        subprocess.run(["cc", "-O1", "-o", program, SOURCE, "-lrdkafka"], check=True)
        self.process = subprocess.Popen([program, "3"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addresses = self.process.stdout.readline().strip()
        self.run(f"topic {TOPIC} 4")

    def run(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline().strip() == "ok", command

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)

    def records(self):
        """Partition, key, headers and value of every record, in the order of each partition."""
        output = subprocess.run(
            ["kcat", "-C", "-q", "-e", "-b", self.addresses, "-t", TOPIC, "-o", "beginning",
             "-f", "%p\t%k\t%h\t%s\n"], check=True, capture_output=True, text=True).stdout
        return [line.split("\t") for line in output.splitlines()]


class Node:
    """A daemon with a sink, which can be killed and started again over the same data."""

    def __init__(self, folder, brokers):
        self.folder = folder
        self.settings = os.path.join(folder, "bellwether.yaml")
        self.configure(brokers)
        self.start()

    def configure(self, brokers):
        with open(self.settings, "w") as file:
            if brokers:
                file.write(f'sinks:\n  stream: {{to: "kafka://{brokers}", drain_seconds: 20}}\n')

    def start(self):
        self.log = open(os.path.join(self.folder, "log"), "a")
        self.process = subprocess.Popen(
            [os.environ["BELLWETHER"], "serve", "--dev", "--config", self.settings, "--port", "0", "--workers", "2",
             "--data", os.path.join(self.folder, "data")], stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), open(self.log.name).read()
        self.address = line.split("//")[1].strip()

    def stop(self, number):
        self.process.send_signal(number)
        status = self.process.wait(60)
        self.log.close()
        return status

    def request(self, method, path, body=None, kind="application/json"):
        with contextlib.closing(http.client.HTTPConnection(self.address, timeout=60)) as connection:
            connection.request(method, path, body=body, headers={"Content-Type": kind} if body else {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def metric(self, name):
        text = self.request("GET", "/metrics")[2].decode()
        found = re.search(rf"^bellwether_sink_{name}\{{[^}}]*\}} ([0-9.e+]+)$", text, re.M)
        return float(found[1]) if found else None

    def position(self):
        """The cursor of the last record that is delivered; None before the first."""
        status, _, body = self.request("GET", f"{APP}/consumers/sink:stream")
        return json.loads(body)["cursor"] if status == 200 else None

    def resident(self):
        """The resident memory in bytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def processor(self):
        """The seconds of a processor that the daemon has used."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def lines(self):
        """All records of the log, as their texts."""
        cursor, lines = "", []
        while True:
            _, headers, body = self.request("GET", f"{APP}/telemetry?limit=10000&after={cursor}")
            if not body:
                return lines
            lines += body.decode().splitlines()
            cursor = headers["Bellwether-Next"]


class Writer:
    """Reports displays of 20 clients until it is closed. A daemon that is away is asked again."""

    def __init__(self, node):
        self.node, self.isOpen, self.count = node, True, 0
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while self.isOpen:
            lines = "".join(json.dumps(
                {"id": f"e{self.count}-{line}", "client_id": f"c{line % 20}", "type": "message", "action": "displayed",
                 "message": "m"}) + "\n" for line in range(100))
            try:
                status, _, _ = self.node.request("POST", f"{APP}/events", lines, "application/x-ndjson")
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)
                continue
            if status == 200:
                self.count += 1

    def close(self):
        self.isOpen = False
        self.thread.join()


def expect_all(node, brokers):
    """Every record of the log is in the topic, in the order of its client."""
    lines = node.lines()
    wanted = {json.loads(line)["cursor"]: line for line in lines}
    wait("the sink has delivered everything", lambda: node.position() == json.loads(lines[-1])["cursor"], 300)
    first, partitions, doubles = collections.defaultdict(list), collections.defaultdict(set), 0
    seen = set()
    for partition, key, headers, value in brokers.records():
        record = json.loads(value)
        cursor = record["cursor"]
        assert value == wanted[cursor], value
        assert key == record["client_id"]
        assert headers.split(",")[0].endswith("/" + cursor) and "bellwether-schema=1" in headers, headers
        partitions[key].add(partition)
        if cursor in seen:
            doubles += 1
        else:
            first[key].append(cursor)
        seen.add(cursor)
    assert seen == set(wanted), f"{len(wanted) - len(seen)} records are missing"
    assert all(len(of) == 1 for of in partitions.values())
    order = {cursor: place for place, cursor in enumerate(wanted)}
    for key, cursors in first.items():
        assert cursors == sorted(cursors, key=order.__getitem__), f"{key} is not in order"
    return len(wanted), doubles


def measure(folder):
    """Prints records a second, and processor time for a record, of the sink and of kcat."""
    brokers = Brokers(folder)
    node = Node(folder, None)
    assert node.request("PUT", f"{APP}/manifest", json.dumps(MANIFEST))[0] in (200, 201)
    assert node.request("PUT", f"{APP}/recipes/m", json.dumps(RECIPE))[0] in (200, 201)
    writer = Writer(node)
    wait("the records are written", lambda: writer.count * 100 >= RATE, 600)
    writer.close()
    lines = node.lines()
    node.stop(signal.SIGTERM)
    places = {json.loads(line)["cursor"]: place for place, line in enumerate(lines)}
    last = json.loads(lines[-1])["cursor"]

    # The sink stores its position once a second. Its rate is that between the first and the last but one of them, so that
    # neither the start of the daemon nor the wait for the last one counts.
    node.configure(brokers.addresses)
    node.start()
    seen = []
    while not seen or seen[-1][1] != last:
        cursor = node.position()
        if cursor and (not seen or seen[-1][1] != cursor):
            seen.append((time.monotonic(), cursor))
        time.sleep(0.01)
    assert len(seen) > 3, "too few records for a rate"
    (begun, one), (ended, other) = seen[0], seen[-2]
    rate, used = (places[other] - places[one]) / (ended - begun), node.processor() / len(lines)
    node.stop(signal.SIGTERM)

    with open(f"{folder}/lines", "w") as file:
        file.writelines(f"{json.loads(line)['client_id']}\t{line}\n" for line in lines)
    options = {"enable.idempotence": "true", "linger.ms": "20", "compression.type": "zstd",
               "queue.buffering.max.messages": "20000", "queue.buffering.max.kbytes": "32768"}
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(
        ["kcat", "-P", "-q", "-b", brokers.addresses, "-t", f"{TOPIC}.bare", "-K", "\t", "-l", f"{folder}/lines",
         "-H", f"bellwether-id=1/{last}", "-H", "bellwether-schema=1"]
        + [part for name, value in options.items() for part in ("-X", f"{name}={value}")], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    bare_rate = len(lines) / (time.monotonic() - begun)
    bare_used = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / len(lines)
    print(f"the sink: {rate:,.0f} records a second, {used * 1e6:.1f} us of a processor each")
    print(f"kcat: {bare_rate:,.0f} records a second, {bare_used * 1e6:.1f} us of a processor each")
    print(f"the sink has {rate / bare_rate:.2f} of kcat's rate, with {used / bare_used:.2f} of its processor time")
    brokers.close()


def main():
    random.seed(1)
    if RATE:
        with tempfile.TemporaryDirectory() as folder:
            return measure(folder)
    with tempfile.TemporaryDirectory() as folder:
        brokers = Brokers(folder)
        node = Node(folder, brokers.addresses)
        assert node.request("PUT", f"{APP}/manifest", json.dumps(MANIFEST))[0] in (200, 201)
        assert node.request("PUT", f"{APP}/recipes/m", json.dumps(RECIPE))[0] in (200, 201)

        writer = Writer(node)
        for _ in range(KILLS):
            before = writer.count
            wait("some records were written", lambda: writer.count > before + random.randint(1, 10))
            node.stop(signal.SIGKILL)
            node.start()
        writer.close()
        count, doubles = expect_all(node, brokers)
        print(f"{KILLS} kills: {count} records, 0 missing, {doubles} twice with the same id")

        before = node.resident()
        for broker in (1, 2, 3):
            brokers.run(f"down {broker}")
        writer = Writer(node)
        wait("the heartbeat's metric says so", lambda: node.metric("failing") == 1, 120)
        end, most = time.monotonic() + OUTAGE, before
        while time.monotonic() < end:
            most = max(most, node.resident())
            status, _, _ = node.request("GET", f"{APP}/messages?client_id=c1&surface=card")
            assert status == 200
        writer.close()
        for broker in (1, 2, 3):
            brokers.run(f"up {broker}")
        count, doubles = expect_all(node, brokers)
        print(f"brokers away for {OUTAGE:.0f} s: {count} records, 0 missing, {doubles} twice, "
              f"+{(most - before) / 2**20:.0f} MiB")

        assert node.stop(signal.SIGTERM) == 0
        brokers.close()


if __name__ == "__main__":
    main()
