"""Helps the tests of the client: a real daemon with an app, what it has recorded, and a gateway that fails on purpose."""

import collections
import contextlib
import http.server
import json
import pathlib
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "Conformance"), str(ROOT / "Clients/python")]

from daemon import Daemon  # noqa: E402

APP = "/v1/apps/trails"
TOKENS = {"phone": ("client", "trails", "phone-text"), "root": ("admin", "*", "root-text")}
ROOT_HEADERS = {"Authorization": "Bearer root-text"}
SETTINGS = "telemetry: {behavior: true}\n"


@contextlib.contextmanager
def daemon_with_app(settings=SETTINGS, **options):
    """A daemon that accepts the token `phone-text`, with a microsurvey, a questionnaire and a survey."""
    with Daemon(tokens=TOKENS, settings=settings, **options) as daemon:
        publish(daemon)
        yield daemon


def publish(daemon):
    documents = {
        "manifest": {"app_name": "trails", "default_locale": "en", "surfaces": ["microsurvey"],
                     "events": {"trip_saved": {"properties": {"distance": "number"}}}},
        "recipes/mood": {"messages": {"mood": {
            "surface": "microsurvey", "text": "Mood?", "trigger-if-all": ["ALWAYS"],
            "microsurveyConfig": {"icon": "lightbulb", "options": ["Good", "Bad"], "utm-content": "mood"}}}},
        "recipes/nps": {"kind": "questionnaire", "name": "Score", "schema": {"version": 1, "questions": [
            {"id": "score", "type": "nps", "title": "Score?", "required": True}]}},
        "recipes/habits": {"kind": "survey", "name": "Habits", "questions": [
            {"id": "snack", "question": "Snack?", "question_type": "single_select", "options": ["Fruit", "Bread"]}],
            "submit": {"button_title": "Send", "url": "https://example.org/s"}}}
    for path, document in documents.items():
        daemon.json("PUT", f"{APP}/{path}", document, headers=ROOT_HEADERS)


def records(daemon, app="trails"):
    """All records of an app's telemetry."""
    found, after = [], ""
    while True:
        status, headers, body = daemon.request(
            "GET", f"/v1/apps/{app}/telemetry?limit=10000&after={after}", headers=ROOT_HEADERS)
        assert status == 200, body
        if not body:
            return found
        found += [json.loads(line) for line in body.splitlines()]
        after = headers["Bellwether-Next"]


def behaviour(daemon):
    """The number of records of each behaviour event."""
    return collections.Counter(one["name"] for one in records(daemon) if one["category"] == "behavior")


def respondents(daemon, kind, slug):
    """The number of responses of each client."""
    found, cursor = [], ""
    while True:
        page = daemon.json("GET", f"{APP}/{kind}/{slug}/responses?limit=200{cursor}", headers=ROOT_HEADERS)
        found += [item["client_id"] for item in page["items"]]
        if not page["has_more"]:
            return collections.Counter(found)
        cursor = f"&cursor={page['cursor']}"


def microsurveys(daemon):
    """The number of answers of each client to microsurveys."""
    return collections.Counter(one["client_id"] for one in records(daemon) if one["name"] == "submit_button_tapped")


class Gateway:
    """A server in front of a daemon that passes requests on, or fails as `faults` says, one fault for each request.

    A fault is `(status, headers, body)`, or one of `lose` (the daemon gets the request, the client gets no answer),
    `cut` (nobody gets anything) and `hold` (the request waits until `release` is set). `lose` and `cut` call `on_loss`.
    """

    def __init__(self, daemon=None):
        self.daemon = daemon
        self.faults = []
        self.on_loss = lambda: None
        self.requests = []
        self.release, self.is_held = threading.Event(), threading.Event()
        self.open, self.most_open = 0, 0
        self.lock = threading.Lock()

    def __enter__(self):
        gateway = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                with gateway.lock:
                    gateway.open += 1
                    gateway.most_open = max(gateway.most_open, gateway.open)
                    gateway.requests.append((self.path, dict(self.headers), body))
                    fault = gateway.faults.pop(0) if gateway.faults else None
                try:
                    answer = self.answer(fault, body)
                finally:
                    # The client may send its next request as soon as it has the answer.
                    with gateway.lock:
                        gateway.open -= 1
                if answer is None:
                    self.close_connection = True
                    return
                status, headers, content = answer
                # A client that was killed does not read its answer.
                with contextlib.suppress(ConnectionError):
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)

            def answer(self, fault, body):
                """Status, headers and body of the answer; None for no answer."""
                if fault == "hold":
                    gateway.is_held.set()
                    gateway.release.wait()
                if fault == "cut":
                    gateway.on_loss()
                    return None
                if fault not in (None, "hold", "lose"):
                    return fault
                headers = {name: value for name, value in self.headers.items() if name != "Host"}
                status, headers, content = gateway.daemon.request("POST", self.path, body, headers)
                if fault == "lose":
                    gateway.on_loss()
                    return None
                return status, {"Content-Type": headers["Content-Type"]}, content

            do_GET = do_POST

            def log_message(self, *_):
                """Prints nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.release.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
