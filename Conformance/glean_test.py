"""Every line of `?format=glean` against Glean's public ping schema glean/1, and its events against the records of the
same page: all records are included, in order of time, with the same extras."""

import collections
import datetime
import hashlib
import json
import pathlib
import random
import re
import sys
import urllib.parse

import jsonschema

from daemon import Daemon

SCHEMA = pathlib.Path(__file__).parent / "schemas" / "glean.1.schema.json"
UUID = re.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
MINUTE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00")
CLIENTS = [
    "5f0c1a52-7f4e-4c0e-9d3c-0d7a3c1f0b11", "5F0C1A52-7F4E-4C0E-9D3C-0D7A3C1F0B11", "c", " ", "Zo\u00eb \U0001f98a",
    "\u00e9", "e\u0301", '"\\/', "\u2028\u2029", "\u202edrowssap", "x" * 128, "\U0001f98a" * 128, "5f0c1a52",
]
LONG_SLUG = "homepage-" + "s" * 111
LONG_KEY = "k" * 499 + "\u65e5" + "l" * 400
TEXTS = ["Yes", "Ja \U0001f600 \"ganz\" sicher\\", "\u65e5" * 400, "x" + "\U0001f98a" * 300, "e" + "\u0301" * 600]


class Log:
    """The app's log in both formats, page by page; their cursors must agree."""

    def __init__(self, daemon, app):
        self.daemon, self.app = daemon, app

    def page(self, after, limit, form):
        query = urllib.parse.urlencode({"after": after, "limit": limit, "format": form})
        status, headers, body = self.daemon.request("GET", f"/v1/apps/{self.app}/telemetry?{query}")
        assert status == 200, body
        assert headers["Content-Type"] == "application/x-ndjson", headers["Content-Type"]
        assert body == b"" or body.endswith(b"\n")
        return headers["Bellwether-Next"], [json.loads(line) for line in body.split(b"\n")[:-1]]

    def pages(self, limit):
        cursor = ""
        while True:
            following, records = self.page(cursor, limit, "ndjson")
            same, pings = self.page(cursor, limit, "glean")
            assert following == same, f"after {cursor}: {following} and {same}"
            assert self.page(cursor, limit, "glean")[1] == pings, "the same page made other pings"
            if not records:
                assert not pings
                return
            yield records, pings
            cursor = following


def publish(daemon, app):
    daemon.json("PUT", f"/v1/apps/{app}/manifest", {
        "app_name": "conformance", "channel": "nightly", "default_locale": "en-US",
        "surfaces": ["microsurvey", "card"],
        "messaging": {"styles": {"MANY": {"priority": 50, "max-display-count": 1000}}}})

    def message(**fields):
        return {"style": "MANY", "text": "Well?", "experiment": "{experiment}", **fields}

    daemon.json("PUT", f"/v1/apps/{app}/recipes/{LONG_SLUG}", {"messages": {
        "survey": message(surface="microsurvey", microsurveyConfig={"utm-content": "x", "options": TEXTS}),
        "card": message(surface="card"), LONG_KEY: message(surface="card")}})


def happen(daemon, app):
    """Reports displays, presses, steps on the sheet and answers of unusual clients; some are reported late."""
    chance = random.Random(1)
    now = datetime.datetime.now(datetime.timezone.utc)

    def post(client, events):
        receipt = daemon.json("POST", f"/v1/apps/{app}/events", {"client_id": client, "events": events})
        assert receipt["accepted"] == len(events), receipt

    def event(index, client_index):
        key = ["survey", "card", LONG_KEY][index % 3]
        made = {"type": "message", "action": chance.choice(["displayed", "clicked", "dismissed"]), "message": key}
        if index % 5 == 0:
            made = {"type": "microsurvey", "action": "shown", "message": "survey"}
        if index % 4 == 0:
            earlier = now - datetime.timedelta(seconds=chance.uniform(600, 86_400 * 20))
            made["at"] = earlier.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        if made["action"] == "clicked":
            made["action_uuid"] = "u\u00e9" * 60 + str(client_index)
        return made

    for turn in range(3):
        for place, client in enumerate(CLIENTS):
            post(client, [event(turn * 40 + index, place) for index in range(40)])
    for place, client in enumerate(CLIENTS):
        body = {"client_id": client, "message": "survey", "option": str(place % len(TEXTS)), "locale": "de-AT"}
        daemon.json("POST", f"/v1/apps/{app}/responses", body, expect=(201,))
    # The events do not fit into one ping.
    post("c", [event(index, 0) for index in range(700)])


def text(value):
    """A value of `extra` in the form of pings."""
    whole = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return whole.encode()[:500].decode(errors="ignore")


def milliseconds(record):
    return round(datetime.datetime.fromisoformat(record["at"].replace("Z", "+00:00")).timestamp() * 1000)


def client_uuid(app, client):
    if UUID.fullmatch(client):
        return client
    parts = [part.encode() for part in (app, client)]
    digest = bytearray(hashlib.sha256(b"".join(b"%d:%b" % (len(part), part) for part in parts)).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    return re.sub("(.{8})(.{4})(.{4})(.{4})(.{12})", r"\1-\2-\3-\4-\5", digest.hex())


def expected_pings(app, records):
    """Client, events and branches of each ping, from the page's records, by the rules of docs/openapi.yaml."""
    clients = collections.OrderedDict()
    for record in records:
        pings = clients.setdefault(record["client_id"], [])
        branch = {record["experiment"][:100]: record["branch"][:100]} if "experiment" in record else {}
        last = pings[-1] if pings else None
        if not last or len(last[0]) == 500 or any(last[1].get(slug, name) != name for slug, name in branch.items()):
            pings.append(([], {}))
        pings[-1][0].append(record)
        pings[-1][1].update(branch)
    for client, pings in clients.items():
        for chosen, branches in pings:
            ordered = sorted(chosen, key=milliseconds)
            start = milliseconds(ordered[0])
            events = [{
                "timestamp": milliseconds(record) - start, "category": record["category"], "name": record["name"],
                "extra": {key[:40]: text(value) for key, value in record["extra"].items() if value is not None},
            } for record in ordered]
            yield client_uuid(app, client), events, branches, ordered


def check_page(app, validator, records, pings):
    for ping in pings:
        faults = [f"{list(fault.absolute_path)}: {fault.message}" for fault in validator.iter_errors(ping)]
        assert not faults, faults
    expected = list(expected_pings(app, records))
    assert len(expected) == len(pings), f"{len(expected)} pings expected, {len(pings)} came"
    for ping, (client, events, branches, ordered) in zip(pings, expected):
        assert ping["client_info"]["client_id"] == client, f"{ping['client_info']['client_id']}, not {client}"
        assert ping["client_info"]["app_channel"] == "nightly"
        assert ping["events"] == events, "the events are not the records"
        named = {slug: experiment["branch"] for slug, experiment in ping["ping_info"].get("experiments", {}).items()}
        assert named == branches, f"{named}, not {branches}"
        times = [ping["ping_info"][key] for key in ("start_time", "end_time")]
        assert all(MINUTE.fullmatch(time) for time in times), times
        assert [time[:16] for time in times] == [ordered[0]["at"][:16], ordered[-1]["at"][:16]]


def check_sequences(pings):
    last = {}
    for ping in pings:
        client, sequence = ping["client_info"]["client_id"], ping["ping_info"]["seq"]
        assert sequence > last.get(client, 0), f"seq {sequence} after {last[client]}"
        last[client] = sequence
    assert len(last) == len(CLIENTS), f"{len(last)} clients of {len(CLIENTS)}"


def check(validator):
    app = "conformance"
    with Daemon() as daemon:
        publish(daemon, app)
        happen(daemon, app)
        status, _, body = daemon.request("GET", f"/v1/apps/{app}/telemetry?format=xml")
        assert status == 400 and json.loads(body)["errors"][0]["pointer"] == "/format", body
        for limit in (10_000, 97, 7):
            count, sent = 0, []
            for records, pings in Log(daemon, app).pages(limit):
                check_page(app, validator, records, pings)
                count += len(records)
                sent += pings
            check_sequences(sent)
            assert count == sum(len(ping["events"]) for ping in sent)
            full = sum(ping["ping_info"].get("reason") == "max_capacity" for ping in sent)
            assert full > 0 or limit < 500
            print(f"pages of {limit}: {count} records, {len(sent)} pings valid, {full} of them full, none missing")


def main():
    schema = json.loads(SCHEMA.read_text())
    validator = jsonschema.validators.validator_for(schema)(schema)
    validator.check_schema(schema)
    # The validator must find faults; otherwise the test proves nothing.
    assert not validator.is_valid({"ping_info": {"seq": 0, "start_time": "", "end_time": ""}, "client_info": {}})
    check(validator)


if __name__ == "__main__":
    sys.exit(main())
