"""make test-cluster: one daemon over SQLite, and daemons over one PostgreSQL, under load. They are killed, stopped and
cut off.

usage: python3 Cluster/rounds.py [--rounds N] [--stop SECONDS] [KIND...]
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import load
from load import APP, Client, Load, Reader, check
from people import Receiver
from processes import Node, Postgres, Proxy, own_mounts, program, url, wait_until


class Cluster:
    """Some daemons over one database, in a folder that is deleted at the end."""

    def __init__(self, count=3, standby=False, replicated=False):
        self.count, self.has_standby, self.replicated = count, standby, replicated

    def __enter__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="bellwether-cluster-")
        self.folder = self.directory.name
        self.server = self.make_server()
        self.standby = None
        self.nodes = []
        try:
            servers = [self.server]
            if self.server:
                self.server.make()
                self.server.sql("CREATE DATABASE bellwether", database="postgres")
            if self.has_standby:
                self.standby = self.server.standby("b")
                servers.append(self.standby)
            self.nodes = self.make_nodes(servers)
            for node in self.nodes:
                node.start(wait=False)
            for node in self.nodes:
                node.wait()
            load.prepare(Client(self.nodes))
            self.settle()
        except BaseException:
            self.__exit__()
            raise
        return self

    def make_server(self):
        return Postgres(self.folder, "a")

    def make_nodes(self, servers):
        durability = "replicated" if self.replicated else "local"
        return [Node(self.folder, number, url(servers), durability=durability) for number in range(self.count)]

    def settle(self):
        """Waits until all nodes answer and offer the published messages."""
        client = Client(self.nodes)

        def serves(place):
            try:
                status, _, body = client.once(place, "GET", f"{APP}/messages?client_id=nobody&surface=card")
                return status == 200 and bool(json.loads(body)["messages"])
            except OSError:
                return False

        wait_until("all nodes serve", lambda: all(serves(place) for place in range(len(self.nodes))))

    def __exit__(self, *_):
        for node in self.nodes:
            node.end()
        for server in (self.server, self.standby):
            if server and server.process:
                server.stop("immediate")
        self.end()
        self.directory.cleanup()

    def end(self):
        """Runs after the servers have ended, and before their folder is deleted."""


class Alone(Cluster):
    """One daemon over a file of SQLite."""

    def __init__(self):
        super().__init__(1)

    def make_server(self):
        return None

    def make_nodes(self, _):
        return [Node(self.folder, 0)]

    def check_file(self):
        """Checks a copy of the files as the kill left them. SQLite makes its index of the log (-shm) again."""
        copy = self.nodes[0].folder / "copy"
        copy.mkdir(exist_ok=True)
        for name in ("bellwether.sqlite", "bellwether.sqlite-wal"):
            shutil.copy(self.nodes[0].data / name, copy)
        with contextlib.closing(sqlite3.connect(copy / "bellwether.sqlite")) as database:
            found = [database.execute(f"PRAGMA {check}").fetchall() for check in ("integrity_check", "foreign_key_check")]
        if found != [[("ok",)], []]:
            raise RuntimeError(f"the database after a kill: {found}")


class Report:
    """Lines of figures, and whether there was a fault."""

    def __init__(self):
        self.lines, self.failed = [], False

    def add(self, title, counts, **figures):
        faults = counts.pop("faults", [])
        values = {**counts, **figures}
        text = ", ".join(f"{name} {value:.3f}" if isinstance(value, float) else f"{name} {value}" for name, value in values.items())
        self.lines.append(f"{title}: {text}")
        print(self.lines[-1], flush=True)
        for fault in faults[:10]:
            print(f"  FAULT {fault}", flush=True)
        self.failed = self.failed or bool(faults)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0.0


def under_load(cluster, rounds, action, threads=4, may_withdraw=False, receiver=None):
    """Runs an action at random times under load, then compares the ledger with the stored data."""
    chance = random.Random(7)
    reader = Reader(cluster.nodes)
    reader.start()
    loads, times = [], []
    with Load(cluster.nodes, threads, tag="r", receiver=receiver) as writing:
        loads.append(writing)
        for number in range(rounds):
            if number:
                writing.ledger.people.publish(Client(cluster.nodes))
            before = writing.ledger.acknowledged
            # The action comes after some writes, at a random time.
            wait_until("writes", lambda: writing.ledger.acknowledged > before + 10 or writing.ledger.faults)
            time.sleep(chance.random() * 0.2)
            begin = time.monotonic()
            extra = action(number)
            known = writing.ledger.acknowledged
            wait_until("writes go on", lambda: writing.ledger.acknowledged > known or writing.ledger.faults, 120)
            times.append(extra if extra is not None else time.monotonic() - begin)
            if writing.ledger.faults:
                break
            if sys.stderr.isatty():
                print(f"\r{number + 1} of {rounds}\r", end="", file=sys.stderr, flush=True)
    cluster.settle()
    counts = check([writing.ledger for writing in loads], cluster.nodes, reader, may_withdraw)
    return counts, times, loads[0]


def kill_alone(report, options):
    with Alone() as cluster:
        node = cluster.nodes[0]

        def action(_):
            node.kill()
            node.process.wait()
            cluster.check_file()
            begin = time.monotonic()
            node.start()
            return time.monotonic() - begin

        counts, times, writing = under_load(cluster, options.rounds, action, threads=6, receiver=Receiver())
        report.add(
            f"kill -9 of one daemon over SQLite, {options.rounds} times", counts, tried_again=writing.failed,
            start_p50=percentile(times, 0.5), start_max=max(times))


class AloneWithBackups(Alone):
    """One daemon over a file of SQLite, which makes a backup every second."""

    def make_nodes(self, servers):
        nodes = super().make_nodes(servers)
        self.backups = nodes[0].folder / "backups"
        self.backups.mkdir()
        with open(nodes[0].settings, "a") as settings:
            settings.write(f"backups:\n  directory: {self.backups}\n  every: 1s\n  keep: 3\n")
        return nodes

    def newest(self):
        return max((name for name in os.listdir(self.backups) if name.startswith("20")), default="")

    def restore(self, name):
        """Restores a backup, and returns the clients in its log."""
        target = self.nodes[0].folder / "restored"
        shutil.rmtree(target, ignore_errors=True)
        for command in (["restore", self.backups / name, "--data", target], ["audit", "verify", "--data", target]):
            subprocess.run([program(), *command], check=True, capture_output=True, timeout=120)
        with contextlib.closing(sqlite3.connect(target / "bellwether.sqlite")) as database:
            return {client for client, in database.execute("SELECT client_id FROM telemetry WHERE client_id LIKE 'known-%'")}


def kill_in_backups(report, options):
    """The daemon is killed while it makes a backup. The newest one must have what was acknowledged before it."""
    with AloneWithBackups() as cluster:
        node, chance, known, restored, lost = cluster.nodes[0], random.Random(11), {}, [0], []

        def action(number):
            name = f"known-{number}"
            events = [{"type": "message", "action": "displayed", "message": "open", "id": name}]
            Client(cluster.nodes).json(0, "POST", f"{APP}/events", {"client_id": name, "events": events})
            known[name] = time.strftime("%Y-%m-%dT%H%M%SZ", time.gmtime())
            wait_until("a backup", lambda: cluster.newest() and (cluster.backups / "candidate.partial").exists(), 60)
            # Some of these backups are completed before the kill.
            time.sleep(chance.random() * 1.5)
            node.kill()
            node.process.wait()
            newest = cluster.newest()
            expected = {client for client, at in known.items() if at < newest}
            lost.extend(expected - cluster.restore(newest))
            restored[0] += 1
            node.start()

        counts, _, writing = under_load(cluster, options.rounds, action, threads=2)
        counts["faults"] += [f"{client} is not in the backup" for client in lost]
        report.add(
            f"kill -9 in a backup, {options.rounds} times", counts, restored=restored[0], tried_again=writing.failed)


def kill_daemons(report, options):
    with Cluster(3) as cluster:
        def action(number):
            node = cluster.nodes[number % 3]
            node.kill()
            node.process.wait()
            node.start()

        counts, _, writing = under_load(cluster, options.rounds, action)
        report.add(f"kill -9 of a daemon, {options.rounds} times", counts, tried_again=writing.failed)


def kill_postgres(report, options):
    with Cluster(3) as cluster:
        def action(_):
            cluster.server.kill()
            cluster.server.start()

        counts, times, writing = under_load(cluster, options.rounds, action)
        report.add(
            f"kill -9 of PostgreSQL, {options.rounds} times", counts, tried_again=writing.failed,
            back_after_p50=percentile(times, 0.5), back_after_max=max(times))


def fail_over(report, options):
    """The primary is killed, and its synchronous standby is promoted. The new primary then gets a new standby."""
    with Cluster(4, standby=True) as cluster:
        resumed = []

        def action(number):
            old, new = cluster.server, cluster.standby
            old.kill()
            begin = time.monotonic()
            new.promote()
            client = Client(cluster.nodes, seconds=10)
            event = {"type": "message", "action": "displayed", "message": "open", "id": f"first-{number}"}
            body = {"client_id": f"first-{number}", "events": [event]}
            client.send(0, "POST", f"{APP}/events", body)
            resumed.append(time.monotonic() - begin)
            # The data of the old primary is discarded. A new standby gets its name and port.
            cluster.server, cluster.standby = new, None
            wait_until("the old primary is gone", lambda: not old.is_up())
            cluster.standby = new.standby(old.name, old.port)
            return resumed[-1]

        counts, _, writing = under_load(cluster, options.rounds, action, may_withdraw=True)
        report.add(
            f"the primary killed, its standby promoted, {options.rounds} times", counts, tried_again=writing.failed,
            writes_after_kill_p50=percentile(resumed, 0.5), max=max(resumed))


def stall(report, options):
    """The standby is stopped, and a process of the primary that waits for it is killed. PostgreSQL restarts itself and
    has the commit. The client gets its answer only when the standby has the commit, too."""
    rounds, early, faults = max(1, min(options.rounds, 10)), 0, []
    with Cluster(2, standby=True, replicated=True) as cluster:
        told = []

        def post(number):
            events = [{"type": "message", "action": "displayed", "message": "open", "id": f"stall-{number}-{n}"} for n in range(20)]
            Client(cluster.nodes).send(number, "POST", f"{APP}/events", {"client_id": f"stall-{number}", "events": events})
            told.append(number)

        for number in range(rounds):
            wait_until("a standby that follows", lambda: cluster.server.sql(
                "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == ["1"])
            cluster.standby.signal(signal.SIGSTOP)
            thread = threading.Thread(target=post, args=(number,))
            thread.start()
            # Daemons also have writes of their own. After this time the commit of the events waits, too.
            time.sleep(1.5)
            waiting = cluster.server.sql("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
            os.kill(int(waiting[0]), signal.SIGKILL)
            time.sleep(8)
            early += number in told
            cluster.standby.signal(signal.SIGCONT)
            thread.join()
        if early:
            faults.append(f"{early} acknowledged before the standby had them")
        cluster.server.kill()
        cluster.standby.promote()
        kept = {int(line.split("-")[1]) for line in cluster.standby.sql(
            "SELECT client_id FROM telemetry WHERE name = 'shown' GROUP BY client_id HAVING count(*) = 20")}
        lost = len(set(told) - kept)
        if lost or len(told) < rounds:
            faults.append(f"{len(told)} of {rounds} acknowledged, {lost} lost")
        report.add(f"a process that waits for the standby killed, {rounds} times",
                   {"acknowledged": len(told), "lost": lost, "early": early, "faults": faults})


def stop_daemon(report, options):
    """One daemon is stopped for a long time. The others' writes wait briefly, and afterwards its answers are not
    stale."""
    with Cluster(3) as cluster:
        stale, longest = [], []

        def action(number):
            node = cluster.nodes[number % 3]
            others = [other for other in cluster.nodes if other is not node]
            polls = Client([node])
            fresh = Client(others, seconds=10)
            names = [f"paused-{number}-{n}" for n in range(10)]
            for name in names:
                polls.json(0, "GET", f"{APP}/messages?client_id={name}&surface=card")
            node.kill(signal.SIGSTOP)
            end = time.monotonic() + options.stop
            told = 0
            while time.monotonic() < end or told < len(names) * load.CAP:
                name, step = names[told % len(names)], told // len(names)
                begin = time.monotonic()
                event = {"type": "message", "action": "displayed", "message": "capped", "id": f"p-{number}-{told}"}
                if step < load.CAP:
                    fresh.json(told, "POST", f"{APP}/events", {"client_id": name, "events": [event]})
                else:
                    event["message"] = "open"
                    fresh.json(told, "POST", f"{APP}/events", {"client_id": f"{name}-{told}", "events": [event]})
                longest.append(time.monotonic() - begin)
                told += 1
            node.kill(signal.SIGCONT)
            for name in names:
                status, _, body = polls.send(0, "GET", f"{APP}/messages?client_id={name}&surface=card")
                if status == 200 and any(message["key"] == "capped" for message in json.loads(body)["messages"]):
                    stale.append(name)

        rounds = max(1, min(options.rounds, 3))
        counts, _, writing = under_load(cluster, rounds, action)
        if stale:
            counts["faults"].append(f"{len(stale)} answers were stale")
        if max(longest) > 2:
            counts["faults"].append(f"a write on the others took {max(longest):.2f} s")
        report.add(
            f"a daemon stopped for {options.stop} s, {rounds} times", counts, stale=len(stale),
            others_writes_max_s=max(longest))


def hammer(report, options):
    """Sends the same ids to all nodes at once, and uses a few clients with caps on every node."""
    with Cluster(4) as cluster:
        accepted, faults, lock = [], [], threading.Lock()
        ids, clients = options.rounds * 100, 50

        def send(place):
            client, mine = Client(cluster.nodes), 0
            try:
                for number in range(ids):
                    event = {"type": "behavior", "name": "visit", "id": f"hot-{number}"}
                    body = {"client_id": f"hot-{number % clients}", "events": [event]}
                    answer = client.json(place, "POST", f"{APP}/events", body)
                    mine += answer["accepted"]
                    if answer["accepted"] + answer["duplicates"] != 1:
                        faults.append(str(answer))
            except Exception as error:  # noqa: BLE001
                faults.append(repr(error))
            with lock:
                accepted.append(mine)

        threads = [threading.Thread(target=send, args=(place,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if sum(accepted) != ids:
            faults.append(f"{ids} ids were counted {sum(accepted)} times")
        report.add(f"{ids} ids, each to 4 nodes at once", {"counted": sum(accepted), "faults": faults})
        counts, _, writing = under_load(cluster, 0 if options.rounds < 1 else 1, lambda _: time.sleep(options.stop), threads=6)
        report.add(
            "caps and answers, 4 daemons", counts,
            capped_clients=sum(1 for name in writing.ledger.shown if name.startswith("cap-")),
            people=len(writing.ledger.people.users))


def spread(report, options):
    """Measures how soon all nodes serve a publish, and refuse a revoked token."""
    with Cluster(3) as cluster:
        seen, refused, faults = [], [], []
        owner = Client(cluster.nodes)
        for number in range(max(10, options.rounds)):
            key = f"new-{number}"
            document = {"messages": {key: {"surface": "banner", "text": "t"}}}
            place = number % 3
            owner.json(place, "PUT", f"{APP}/recipes/spread", document)
            seen.append(until_all(cluster, lambda node: offers(owner, node, key)))
            made = owner.json(place, "POST", "/v1/tokens", {"name": f"t{number}", "scope": "owner", "app": "*"})
            headers = {"Authorization": f"Bearer {made['token']}"}
            until_all(cluster, lambda node: owner.once(node, "GET", f"{APP}/recipes", None, headers)[0] == 200)
            owner.json(place, "DELETE", f"/v1/tokens/t{number}")
            refused.append(until_all(
                cluster, lambda node: owner.once(node, "GET", f"{APP}/recipes", None, headers)[0] in (401, 503)))
        for name, values in (("a publish", seen), ("a revoked token", refused)):
            if percentile(values, 0.99) > 1:
                faults.append(f"{name}: {percentile(values, 0.99):.3f} s until the last node")
        report.add(
            f"{len(seen)} publishes and revoked tokens", {"faults": faults}, publish_p50=percentile(seen, 0.5),
            publish_p99=percentile(seen, 0.99), revoked_p50=percentile(refused, 0.5),
            revoked_p99=percentile(refused, 0.99))


def size(report, options):
    """Measures the cost of a poll and an event in the database, for a table of sizes in the operator's guide."""
    with Cluster(1) as cluster:
        client, number = Client(cluster.nodes), 3000

        def poll(place):
            client.json(0, "GET", f"{APP}/messages?client_id=size-{place}&surface=card&context=%7B%22n%22%3A{place}%7D")

        def event(place):
            one = {"type": "message", "action": "displayed", "message": "open", "id": f"size-{place}"}
            client.json(0, "POST", f"{APP}/events", {"client_id": f"size-{place}", "events": [one]})

        figures = {"faults": []}
        bytes_before = int(cluster.server.sql("SELECT pg_database_size('bellwether')")[0])
        for name, act in (("event", event), ("poll", poll)):
            before = cluster.server.seconds()
            for place in range(number):
                act(place)
            figures[f"database_us_a_{name}"] = round((cluster.server.seconds() - before) / number * 1e6)
        # Rows, indexes and dead rows; without the database's write-ahead log, which max_wal_size limits.
        bytes_after = int(cluster.server.sql("SELECT pg_database_size('bellwether')")[0])
        figures["bytes_an_event_of_a_new_client"] = (bytes_after - bytes_before) // number
        figures["connections_of_a_daemon"] = int(cluster.server.sql(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'bellwether%'")[0])
        report.add(f"sizes, {number} polls and events one after another", figures)


def until_all(cluster, holds):
    begin = time.monotonic()
    for node in range(len(cluster.nodes)):
        wait_until("all nodes have heard", lambda: holds(node), 10, pause=0.002)
    return time.monotonic() - begin


def offers(client, node, key):
    status, _, body = client.once(node, "GET", f"{APP}/messages?client_id=spread&surface=banner")
    return status == 200 and any(message["key"] == key for message in json.loads(body)["messages"])


def roll(report, options):
    """The daemons are replaced one after another behind the proxy. No request is lost. Each request is sent once; if
    its connection ends, it is sent once more with the same id, like a phone does."""
    with Cluster(3) as cluster:
        proxy = Proxy(cluster.folder, cluster.nodes)
        proxy.host, proxy.number = "127.0.0.1", "proxy"
        try:
            wait_until("the proxy serves", lambda: answers(proxy))
            front = [proxy]
            reader = Reader(front)
            reader.start()
            rounds = max(1, options.rounds)
            with Load(front, 4, tag="roll") as writing:
                for number in range(rounds):
                    for node in cluster.nodes:
                        before = writing.ledger.acknowledged
                        node.restart()
                        wait_until("writes go on", lambda: writing.ledger.acknowledged > before + 20 or writing.ledger.faults)
                        # The next daemon waits until the proxy uses this one again.
                        wait_until("the node is healthy", lambda: healthy(node))
            counts = check([writing.ledger], front, reader)
            report.add(
                f"{rounds} rolling restarts of 3 daemons behind the proxy", counts, failed_requests=writing.failed,
                longest_s=max(writing.ledger.latencies))
        finally:
            proxy.end()


def answers(node):
    try:
        return Client([node]).once(0, "GET", "/__heartbeat__")[0] == 200
    except OSError:
        return False


healthy = answers


def partition(report, options):
    """A daemon loses the network to its database, and keeps the network to its clients."""
    import network
    if not network.enter():
        print("partitions: NOT RUN, for this user may make no network namespaces", flush=True)
        return
    network.run(report, options)


class SmallDisk(Cluster):
    """A cluster whose database has a small disk, with a file that fills it."""

    def make_server(self):
        server = Postgres(self.folder, "a")
        server.data.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300m,mode=0700,uid=65534,gid=65534", "none", server.data],
                       check=True)
        self.ballast = server.data / "ballast"
        return server

    def end(self):
        subprocess.run(["umount", "-l", self.server.data], check=False)

    def fill(self):
        with open(self.ballast, "wb") as file:
            try:
                while True:
                    file.write(bytes(65536))
                    file.flush()
            except OSError:
                pass


def full_disk(report, options):
    """The database's disk is full: writes are refused with 503, the log has the reason, and writes work again when
    there is space."""
    if not own_mounts():
        print("a full disk: NOT RUN, for this user may mount nothing", flush=True)
        return
    rounds, refused = max(1, min(options.rounds, 5)), 0
    with SmallDisk(2) as cluster:
        reader = Reader(cluster.nodes)
        reader.start()
        with Load(cluster.nodes, 4, tag="full") as writing:
            for number in range(rounds):
                before = writing.ledger.acknowledged
                wait_until("writes", lambda: writing.ledger.acknowledged > before + 20 or writing.ledger.faults)
                cluster.fill()
                probe = Client(cluster.nodes, seconds=15)

                def is_refused():
                    # The body is large, because existing pages have space for many small ones.
                    body = {"client_id": f"probe-{time.monotonic_ns()}", "answers": {"q0": os.urandom(1_000).hex()}}
                    try:
                        return probe.once(number, "POST", f"{APP}/questionnaires/drafts/responses", body)[0] == 503
                    except OSError:
                        return False

                wait_until("a write is refused", is_refused)
                refused += 1
                # A daemon checks its store each second.
                wait_until("a log says why", lambda: is_refused() and reasons(cluster))
                cluster.ballast.unlink()
                if not cluster.server.is_up():
                    # Without space for its log PostgreSQL ends; the test starts it again.
                    cluster.server.process.wait(60)
                    cluster.server.start()
                known = writing.ledger.acknowledged
                wait_until("writes go on", lambda: writing.ledger.acknowledged > known + 5 or writing.ledger.faults, 120)
        counts = check([writing.ledger], cluster.nodes, reader)
        told = reasons(cluster)
    report.add(f"a full disk, {rounds} times", counts, refused=refused, told="; ".join(sorted(told)))


def reasons(cluster):
    """The reasons in the daemons' logs why the store refuses writes."""
    lines = [line for node in cluster.nodes for line in open(node.log.name) if "takes no writes" in line]
    return {line.split("reason=")[-1].split(" [")[0].strip() for line in lines}


KINDS = {
    "alone": kill_alone, "backups": kill_in_backups, "hammer": hammer, "daemon": kill_daemons, "postgres": kill_postgres, "failover": fail_over, "stall": stall, "stop": stop_daemon,
    "spread": spread, "roll": roll, "full": full_disk, "size": size, "partition": partition,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--stop", type=float, default=30, help="seconds for which a daemon is stopped, or cut off")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    options = parser.parse_args()
    report = Report()
    for name in options.kinds or KINDS:
        begin = time.monotonic()
        print(f"== {name}", flush=True)
        KINDS[name](report, options)
        print(f"   {time.monotonic() - begin:.0f} s", flush=True)
    sys.exit(1 if report.failed else 0)


if __name__ == "__main__":
    main()
