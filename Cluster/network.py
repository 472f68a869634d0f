"""Networks of the test: each daemon is in a network namespace, with one link to its clients and one to the database."""

import ctypes
import os
import subprocess
import time

from processes import own_mounts

CLIENTS, DATABASE = "10.213.1", "10.213.2"


def ip(*words, space=None):
    command = ["ip", *(["-n", space] if space else []), *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def enter():
    """Moves this process and its future children into a new network; the machine's network stays as it is. Returns
    false without the permission for it."""
    if not own_mounts() or ctypes.CDLL(None).unshare(0x40000000) != 0:
        return False
    os.makedirs("/run/netns", exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run/netns"], check=True)
    ip("link", "set", "lo", "up")
    for name, net in (("clients", CLIENTS), ("database", DATABASE)):
        ip("link", "add", name, "type", "bridge")
        ip("address", "add", f"{net}.1/24", "dev", name)
        ip("link", "set", name, "up")
    return True


class Place:
    """A namespace with an address in both networks."""

    def __init__(self, number):
        self.name, self.number = f"node{number}", number
        ip("netns", "add", self.name)
        ip("link", "set", "lo", "up", space=self.name)
        for bridge, net in (("clients", CLIENTS), ("database", DATABASE)):
            here, there = f"{bridge[0]}{number}", f"{bridge[0]}eth"
            ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", self.name)
            ip("link", "set", here, "master", bridge, "up")
            ip("address", "add", f"{net}.{10 + number}/24", "dev", there, space=self.name)
            ip("link", "set", there, "up", space=self.name)
        self.address = f"{CLIENTS}.{10 + number}"
        self.inside = ["ip", "netns", "exec", self.name]

    def cut(self):
        """Drops all packets to and from the database; neither side is notified."""
        ip("link", "set", f"d{self.number}", "down")

    def heal(self):
        ip("link", "set", f"d{self.number}", "up")


def taken_for(status):
    """How long the token was still accepted. A request without an answer does not count."""
    begin = last = time.monotonic()
    while time.monotonic() < last + 3:
        try:
            answer = status()
        except OSError:
            continue
        if answer == 200:
            last = time.monotonic()
        elif answer in (401, 503):
            break
    return last - begin


def is_known(status):
    try:
        return status() == 200
    except OSError:
        return False


def offered(client, poll):
    """Whether the message is offered. A request without an answer offers nothing."""
    try:
        status, _, body = client.once(0, "GET", poll)
    except OSError:
        return 0
    return int(status == 200 and b'"capped"' in body)


def run(report, options):
    from load import APP, CAP, Client, Load, Reader, check, prepare
    from processes import Node, Postgres, url, wait_until
    from rounds import Cluster, answers, percentile

    class Parted(Cluster):
        def __init__(self):
            super().__init__(3)

        def make_server(self):
            return Postgres(self.folder, "a", f"{DATABASE}.1")

        def make_nodes(self, servers):
            self.places = [Place(number) for number in range(self.count)]
            return [Node(self.folder, place.number, url(servers, local=False), place.address, place.inside)
                    for place in self.places]

    rounds = max(1, min(options.rounds, 20))
    revoked, stale, longest = [], 0, []
    with Parted() as cluster:
        reader = Reader(cluster.nodes)
        reader.start()
        with Load(cluster.nodes, 4, tag="part") as writing:
            for number in range(rounds):
                cut = number % 3
                others = [node for place, node in enumerate(cluster.nodes) if place != cut]
                owner, alone = Client(others, seconds=10), Client([cluster.nodes[cut]], seconds=1)
                made = owner.json(0, "POST", "/v1/tokens", {"name": f"t{number}", "scope": "owner", "app": "*"})
                headers = {"Authorization": f"Bearer {made['token']}"}
                status = lambda: alone.once(0, "GET", f"{APP}/manifest", None, headers)[0]  # noqa: E731
                wait_until("the token is known", lambda: is_known(status))
                name = f"cut-{number}"
                poll = f"{APP}/messages?client_id={name}&surface=card"
                alone.json(0, "GET", poll)
                cluster.places[cut].cut()
                try:
                    owner.json(0, "DELETE", f"/v1/tokens/t{number}")
                    revoked.append(taken_for(status))
                    for step in range(CAP):
                        begin = time.monotonic()
                        event = {"type": "message", "action": "displayed", "message": "capped", "id": f"c-{number}-{step}"}
                        owner.json(step, "POST", f"{APP}/events", {"client_id": name, "events": [event]})
                        longest.append(time.monotonic() - begin)
                    stale += offered(alone, poll)
                    end = time.monotonic() + min(options.stop, 5)
                    before = writing.ledger.acknowledged
                    wait_until("the others go on", lambda: writing.ledger.acknowledged > before and time.monotonic() > end)
                finally:
                    cluster.places[cut].heal()
                wait_until("the node is back", lambda: answers(cluster.nodes[cut]), 60)
        counts = check([writing.ledger], cluster.nodes, reader)
    if stale:
        counts["faults"].append(f"{stale} answers of a node that was cut off were stale")
    if max(revoked) > 1:
        counts["faults"].append(f"a revoked token was taken for {max(revoked):.2f} s by a node that was cut off")
    report.add(f"a daemon cut off from the database, {rounds} times", counts, tried_again=writing.failed,
               revoked_p50=percentile(revoked, 0.5), revoked_max=max(revoked), others_writes_max_s=max(longest))
