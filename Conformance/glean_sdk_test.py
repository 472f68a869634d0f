"""The real Glean SDK reports to the daemon: each event arrives once, unchanged, and affects the messages of the
client."""

import gzip
import json
import pathlib
import sys
import tempfile
import time
import uuid

from daemon import Daemon
from glean import Configuration, Glean, load_metrics

APPLICATION_ID = "org.example.Conformance_Test"
# The SDK's spelling in paths.
SPELLED = "org-example-conformance-test"
MANIFEST = {
    "app_name": "conformance", "default_locale": "en-US", "surfaces": ["card", "microsurvey"],
    "application_ids": [APPLICATION_ID],
    "messaging": {"styles": {"ONCE": {"priority": 50, "max-display-count": 1}}},
}
RECIPE = {"messages": {
    "card": {"surface": "card", "style": "ONCE", "text": "Hello"},
    "survey": {"surface": "microsurvey", "text": "?", "microsurveyConfig": {"options": ["Yes", "No"]}},
}}


def event(description, *keys):
    return {
        "type": "event", "description": description, "bugs": ["https://example.org/1"],
        "data_reviews": ["https://example.org/2"], "notification_emails": ["nobody@example.org"], "expires": "never",
        "extra_keys": {key: {"type": "string", "description": key} for key in keys},
    }


METRICS = {
    "$schema": "moz://mozilla.org/schemas/glean/metrics/2-0-0",
    "messaging": {"shown": event("A message was shown.", "message_key", "message_surface")},
    "microsurvey": {"submit_button_tapped": event("A survey was answered.", "survey_id", "user_selection")},
    "conformance": {"happened": event("Something else happened.", "what")},
}


def check(condition, what):
    print(("ok: " if condition else "FAILED: ") + what)
    if not condition:
        sys.exit(1)


def telemetry(daemon, after=""):
    """All records after a cursor, and the next cursor. Waits until there are records."""
    status, headers, body = daemon.request("GET", f"/v1/apps/app/telemetry?wait=30&limit=10000&after={after}")
    assert status == 200, body
    return [json.loads(line) for line in body.splitlines()], headers["Bellwether-Next"]


def records_until(daemon, is_last):
    """Records in the order of arrival, up to the expected one. An empty page means that it did not arrive."""
    records, cursor = [], ""
    while not any(is_last(record) for record in records):
        page, cursor = telemetry(daemon, cursor)
        if not page:
            break
        records += page
    return records


def run_sdk(daemon, directory):
    metrics_file = pathlib.Path(directory, "metrics.yaml")
    # JSON is YAML.
    metrics_file.write_text(json.dumps(METRICS))
    metrics = load_metrics(metrics_file)
    Glean.initialize(
        application_id=APPLICATION_ID, application_version="1.0", upload_enabled=True,
        data_dir=pathlib.Path(directory, "glean"), configuration=Configuration(server_endpoint=daemon.url))
    metrics.messaging.shown.record(metrics.messaging.ShownExtra(message_key="card", message_surface="card"))
    metrics.microsurvey.submit_button_tapped.record(
        metrics.microsurvey.SubmitButtonTappedExtra(survey_id="survey", user_selection="No"))
    metrics.conformance.happened.record(metrics.conformance.HappenedExtra(what="ü"))
    # The app goes to the background: the SDK sends its events ping, and the baseline ping.
    Glean.handle_client_inactive()


def check_sdk(daemon, directory):
    run_sdk(daemon, directory)
    records = records_until(daemon, lambda record: record["category"] == "conformance")
    events = [record for record in records if record["category"] != "glean"]
    names = [f"{record['category']}.{record['name']}" for record in events]
    check(names == ["messaging.shown", "microsurvey.submit_button_tapped", "conformance.happened"],
          "the SDK's events arrive in order, once")
    extras = [{key: value for key, value in record["extra"].items() if key != "glean_timestamp"} for record in events]
    check(extras == [{"message_key": "card", "message_surface": "card"},
                     {"survey_id": "survey", "user_selection": "No"}, {"what": "ü"}], "with their extras as sent")
    client = events[0]["client_id"]
    check(str(uuid.UUID(client)) == client, "under the SDK's client id")
    check(all(abs(time.time() - parse(record["at"])) < 600 for record in events), "at the phone's time")
    whole = [record for record in records if record["category"] == "glean"]
    check(all(record["extra"]["ping"]["client_info"]["client_id"] == client for record in whole),
          f"its other pings are kept whole: {', '.join(record['name'] for record in whole) or 'none yet'}")
    answer = daemon.json("GET", f"/v1/apps/app/messages?client_id={client}")
    check(answer["messages"] == [], "the card was shown and the survey answered: nothing is offered")
    other = daemon.json("GET", "/v1/apps/app/messages?client_id=other")
    check(sorted(message["key"] for message in other["messages"]) == ["card", "survey"], "others are offered both")
    status, _, _ = daemon.request(
        "POST", "/v1/apps/app/responses", {"client_id": client, "message": "survey", "option": "0"})
    check(status == 409, "the answer stands")


def parse(text):
    return time.mktime(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")) - time.timezone


def check_edge(daemon):
    path = f"/submit/{SPELLED}/events/1/{uuid.uuid4()}"
    ping = {"ping_info": {"seq": 0, "start_time": "2026-01-01T00:00+00:00", "end_time": "2026-01-01T00:00+00:00"},
            "client_info": {"client_id": str(uuid.uuid4())},
            "events": [{"timestamp": 0, "category": "twice", "name": "sent", "extra": {"n": "1"}}]}
    _, cursor = telemetry(daemon)
    plain, zipped = json.dumps(ping).encode(), gzip.compress(json.dumps(ping).encode())
    for method, body, coding in [("POST", plain, {}), ("PUT", zipped, {"Content-Encoding": "gzip"})]:
        status, _, answer = daemon.request(method, path, body, coding)
        check((status, answer) == (200, b"OK"), f"{method} {coding or 'plain'} is 200 OK")
    daemon.request("POST", f"/submit/{SPELLED}/last/1/{uuid.uuid4()}", b"no JSON")
    records = records_until(daemon, lambda record: record["name"] == "last")
    check([record["category"] for record in records].count("twice") == 1, "a repeated document is not doubled")
    for what, expected, method, target, body, headers in [
        ("no UUID", 400, "POST", f"/submit/{SPELLED}/events/1/x", plain, {}),
        ("bad version", 400, "POST", f"/submit/{SPELLED}/events/v1/{uuid.uuid4()}", plain, {}),
        ("another path", 400, "POST", f"/submit/{SPELLED}/events", plain, {}),
        ("unknown namespace", 404, "POST", f"/submit/org-example-other/events/1/{uuid.uuid4()}", plain, {}),
        ("DELETE", 405, "DELETE", path, None, {}),
        ("GET of a ping", 404, "GET", path, None, {}),
        ("GET /status", 200, "GET", "/status", None, {}),
        ("too large", 413, "POST", path, bytes((1 << 20) + 1), {}),
        ("a bomb", 413, "POST", path, gzip.compress(bytes(64 << 20)), {"Content-Encoding": "gzip"}),
        ("too long a path", 414, "POST", "/submit/" + "a" * 9000, plain, {}),
        ("broken gzip", 400, "POST", path, plain, {"Content-Encoding": "gzip"}),
        ("another coding", 415, "POST", path, plain, {"Content-Encoding": "br"}),
    ]:
        status, _, _ = daemon.request(method, target, body, headers)
        check(status == expected, f"{what} is {expected}" + ("" if status == expected else f", not {status}"))


def main():
    with Daemon() as daemon, tempfile.TemporaryDirectory() as directory:
        daemon.json("PUT", "/v1/apps/app/manifest", MANIFEST)
        daemon.json("PUT", "/v1/apps/app/recipes/r", RECIPE)
        check_sdk(daemon, directory)
        check_edge(daemon)


# The SDK uploads in a separate process, which imports this file again.
if __name__ == "__main__":
    main()
