"""Load on a cluster, with a ledger of the acknowledged writes, which is then compared with the stored data."""

import http.client
import itertools
import json
import random
import threading
import time
import urllib.parse

from people import APP, People
from processes import HEADERS, as_json

CAP = 3
MANIFEST = {
    "app_name": "cluster", "default_locale": "en",
    "surfaces": ["card", "banner", "exact", "asked", "measured", "microsurvey"],
    "events": {"buy": {"properties": {"amount": "number"}}},
}
# One message without a low cap, and one that is shown CAP times.
RECIPE = {
    "styles": {"CAPPED": {"priority": 90, "max-display-count": CAP}, "OPEN": {"priority": 50, "max-display-count": 1_000_000}},
    "messages": {
        "open": {"surface": "card", "style": "OPEN", "text": "t"},
        "capped": {"surface": "card", "style": "CAPPED", "text": "t"},
    },
}
# The seconds for which a client repeats a failed request on other nodes.
PATIENCE = 90


class Refused(Exception):
    pass


class Client:
    """Keeps a connection to each node, like a phone. One thread uses it."""

    def __init__(self, nodes, seconds=30):
        self.nodes, self.seconds, self.connections = nodes, seconds, {}
        self.failed = 0

    def once(self, place, method, path, body=None, headers=HEADERS):
        """Returns status, headers and body; raises if there is no answer."""
        node = self.nodes[place % len(self.nodes)]
        key = (node.host, node.port)
        connection = self.connections.get(key)
        if connection is None:
            connection = self.connections[key] = http.client.HTTPConnection(*key, timeout=self.seconds)
        try:
            sent = as_json(body) if body is not None else None
            connection.request(method, path, sent, {**headers, **({"Content-Type": "application/json"} if sent else {})})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            del self.connections[key]
            raise

    def send(self, place, method, path, body=None, headers=HEADERS):
        """Tries nodes in turn until one answers with a status below 500."""
        begin = time.monotonic()
        for number in itertools.count(place):
            try:
                status, fields, text = self.once(number, method, path, body, headers)
                if status < 500:
                    return status, fields, text
            except (OSError, http.client.HTTPException):
                pass
            self.failed += 1
            if time.monotonic() - begin > PATIENCE:
                raise TimeoutError(f"{method} {path}: no node has answered for {PATIENCE} s")
            time.sleep(0.02)

    def json(self, place, method, path, body=None, expect=(200, 201, 204)):
        status, _, text = self.send(place, method, path, body)
        if status not in expect:
            raise Refused(f"{method} {path}: {status} {text.decode()[:300]}")
        return json.loads(text) if text else None


def prepare(client):
    client.json(0, "PUT", f"{APP}/manifest", MANIFEST)
    client.json(0, "PUT", f"{APP}/recipes/cards", RECIPE)


class Ledger:
    """The answers that the clients of all threads got."""

    def __init__(self, people):
        self.lock, self.people = threading.Lock(), people
        self.shown = {}  # client id: events that were acknowledged, all in one record of the log each
        self.unknown = set()
        self.faults = people.faults
        self.latencies = []
        self.events = 0

    @property
    def acknowledged(self):
        return self.events + self.people.acknowledged

    def fault(self, text):
        with self.lock:
            self.faults.append(text)


class Load:
    """Threads that write until they are told to stop.

    Each turn of a thread is an event of a new client, which identifies the event in the log, or all polls and displays
    of a client with a capped message, on random nodes, or the script of a respondent (people.py).
    """

    def __init__(self, nodes, threads=4, tag="", seed=1, receiver=None):
        self.nodes, self.tag, self.ledger = nodes, tag, Ledger(People(tag, receiver))
        self.stopping = threading.Event()
        self.threads = [threading.Thread(target=self.run, args=(n, random.Random(seed * 1000 + n))) for n in range(threads)]
        self.failed = 0

    def __enter__(self):
        self.ledger.people.publish(Client(self.nodes))
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def run(self, thread, chance):
        client, people, held = Client(self.nodes), self.ledger.people, []
        try:
            for number in itertools.count():
                if self.stopping.is_set():
                    break
                name = f"{self.tag}-{thread}-{number}"
                begin = time.monotonic()
                match number % 12:
                    case 0:
                        self.capped(client, f"cap-{name}", chance)
                    case 1:
                        people.pair(lambda: Client(self.nodes), len(self.nodes), f"pair-{name}", chance)
                    case 2:
                        people.walk(client, f"walk-{name}", chance)
                    case 3 | 9:
                        people.picture(client, f"picture-{name}", chance, held)
                    case 4:
                        people.visit(client, f"visit-{name}", chance)
                    case 6:
                        people.ask(lambda: Client(self.nodes), f"asked-{self.tag}-{thread}-{number // 12 % 3}", chance)
                    case 5 if thread == 0:
                        people.publish_again(client)
                    case 7:
                        people.buy(client, f"buy-{name}", chance)
                    case _:
                        self.event(client, f"one-{name}", chance)
                with self.ledger.lock:
                    self.ledger.latencies.append(time.monotonic() - begin)
        except Exception as error:  # noqa: BLE001: a thread that ends is a fault
            self.ledger.fault(f"thread {thread}: {error!r}")
        with self.ledger.lock:
            self.failed += client.failed

    def event(self, client, name, chance):
        with self.ledger.lock:
            self.ledger.unknown.add(name)
        event = {"type": "message", "action": "displayed", "message": "open", "id": f"e-{name}"}
        answer = client.json(chance.randrange(8), "POST", f"{APP}/events", {"client_id": name, "events": [event]})
        if answer["accepted"] + answer["duplicates"] != 1:
            self.ledger.fault(f"{name}: {answer}")
        with self.ledger.lock:
            self.ledger.unknown.discard(name)
            self.ledger.shown[name] = 1
            self.ledger.events += 1

    def capped(self, client, name, chance):
        """Polls and reports displays on random nodes. After CAP displays no node offers the message."""
        with self.ledger.lock:
            self.ledger.unknown.add(name)
        poll = f"{APP}/messages?client_id={urllib.parse.quote(name)}&surface=card"
        for number in range(CAP + 2):
            messages = client.json(chance.randrange(8), "GET", poll)["messages"]
            offered = any(message["key"] == "capped" for message in messages)
            if offered != (number < CAP):
                self.ledger.fault(f"{name}: {'offered' if offered else 'not offered'} after {number} displays")
                return
            if not offered:
                continue
            event = {"type": "message", "action": "displayed", "message": "capped", "id": f"e-{name}-{number}"}
            client.json(chance.randrange(8), "POST", f"{APP}/events", {"client_id": name, "events": [event]})
        with self.ledger.lock:
            self.ledger.unknown.discard(name)
            self.ledger.shown[name] = CAP
            self.ledger.events += CAP


class Reader(threading.Thread):
    """A pipeline that reads the log during the load, from each node in turn, always from its cursor."""

    def __init__(self, nodes, after=""):
        super().__init__()
        self.client = Client(nodes)
        self.cursor, self.records, self.stopping, self.fault = after, [], threading.Event(), None

    def page(self, place, wait):
        path = f"{APP}/telemetry?limit=2000&wait={wait}&after={urllib.parse.quote(self.cursor)}"
        status, headers, body = self.client.send(place, "GET", path)
        if status != 200:
            raise Refused(f"telemetry: {status} {body.decode()[:200]}")
        lines = [json.loads(line) for line in body.splitlines()]
        self.records += [(line["cursor"], line["client_id"], line["category"], line["name"]) for line in lines]
        self.cursor = headers["Bellwether-Next"]
        return len(lines)

    def run(self):
        try:
            place = 0
            while not self.stopping.is_set():
                place += 1
                self.page(place, 1)
        except Exception as error:  # noqa: BLE001
            self.fault = repr(error)

    def end(self):
        """Reads the remaining records."""
        self.stopping.set()
        self.join()
        place = 0
        while self.fault is None and self.page(place, 0):
            place += 1
        return self.records


def check(ledgers, nodes, tail, may_withdraw=False):
    """Compares the acknowledged writes with the log. Returns counts and faults.

    `may_withdraw`: a failing server briefly shows records that its standby does not have
    (docs/reliability.md#daemons-over-one-database).
    """
    figures = {}
    for ledger in ledgers:
        for name, figure in ledger.people.check(Client(nodes)).items():
            figures[name] = figures.get(name, 0) + figure
    faults = [fault for ledger in ledgers for fault in ledger.faults]
    whole = Reader(nodes)
    while whole.page(0, 0):
        pass
    tailed = tail.end()
    if tail.fault:
        faults.append(f"the pipeline: {tail.fault}")
    known = set(whole.records)
    # Records that were read and then lost. No client got an acknowledgement for them.
    withdrawn = [record for record in tailed if record not in known]
    kept = [record for record in tailed if record in known]
    if kept != whole.records:
        missed, doubled = len(known - set(kept)), len(kept) - len(set(kept))
        faults.append(f"the pipeline has {len(kept)} of {len(whole.records)} records, missed {missed}, twice {doubled}")
    if withdrawn and not may_withdraw:
        faults.append(f"the pipeline has {len(withdrawn)} records that are not in the log")
    cursors = [record[0] for record in whole.records]
    if len(set(cursors)) != len(cursors):
        faults.append("a cursor stands twice")
    kinds = {("messaging", "shown"): {}, ("messaging", "expired"): {}, ("microsurvey", "submit_button_tapped"): {}}
    for _, client, category, name in whole.records:
        if (category, name) in kinds:
            kinds[category, name][client] = kinds[category, name].get(client, 0) + 1
    counts, expired, answered = kinds.values()
    lost = doubled = 0
    for ledger in ledgers:
        for name, number in ledger.shown.items():
            found = counts.get(name, 0)
            lost += max(0, number - found)
            doubled += max(0, found - number)
        doubled += sum(1 for name in ledger.unknown if counts.get(name, 0) > CAP)
        capped = [name for name, number in ledger.shown.items() if name.startswith("cap-")]
        missing = sum(1 for name in capped if expired.get(name) != 1) + ledger.people.counted - len(answered)
        if missing or set(expired.values()) - {1} or set(answered.values()) - {1}:
            faults.append("caps that were reached, or answers, are not in the log once")
    if lost or doubled:
        faults.append(f"{lost} events lost, {doubled} counted twice")
    return {
        "acknowledged": sum(ledger.acknowledged for ledger in ledgers), "stored": len(whole.records), "lost": lost,
        "doubled": doubled, **figures, **({"withdrawn": len(withdrawn)} if may_withdraw else {}), "faults": faults,
    }
