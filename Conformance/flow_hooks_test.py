"""Hooks and chats of flows against real sockets: the sample webhook, hooks that are slow, wrong or far too long, that
redirect or have a private address, the effect of a slow hook on other requests, and runs after kill -9."""

import http.server
import json
import os
import signal
import socketserver
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

from daemon import wait

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(HERE, "..", "recipes", "trail-notes")


class Hooks(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """A server with a different answer on each path."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.paths = []
        # Ends the requests of /slow.
        self.released = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.paths.append(self.path)
        if self.path == "/slow":
            self.server.released.wait(60)
        status, headers, body = {
            "/error": (500, {}, b"{}"),
            "/redirect": (302, {"Location": "/proceed"}, b""),
            "/text": (200, {}, b"proceed"),
            "/shape": (200, {}, b'{"status": "ok"}'),
            "/huge": (200, {}, b'{"action": "proceed", "data": {"x": "' + b"x" * (10 << 20) + b'"}}'),
        }.get(self.path, (200, {}, b'{"action": "proceed"}'))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def log_message(self, *arguments):
        pass


class Daemon:
    def __init__(self, folder):
        self.folder = folder
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [os.environ["BELLWETHER"], "serve", "--dev", "--port", "0", "--workers", "2", "--config",
             f"{self.folder}/c.yaml", "--data", f"{self.folder}/data"],
            stdout=subprocess.PIPE, stderr=open(f"{self.folder}/log", "a"), text=True)
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), line
        self.url = line.split()[-1]

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(60)

    def send(self, method, path, body=None):
        """Status and JSON of the answer."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}/v1/apps/trail-notes/{path}", data=data, method=method,
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def publish(self, document):
        status, answer = self.send("PUT", f"recipes/{document['id']}", document)
        assert status in (200, 201), answer

    def begin(self, flow, client):
        status, run = self.send("POST", f"flows/{flow}/runs", {"client_id": client})
        assert status == 201, run
        return run

    def advance(self, run, step, response=None):
        return self.send("POST", f"runs/{run['run_id']}/advance", {"step_id": step, "response": response or {}})

    def events(self):
        records = []
        with urllib.request.urlopen(f"{self.url}/v1/apps/trail-notes/telemetry?limit=1000") as answer:
            for line in answer:
                record = json.loads(line)
                records.append((record.get("name"), record.get("extra", {})))
        return records


def flow(name, url, **hook):
    """A flow of two steps; the first step has the hook."""
    return {
        "kind": "flow", "id": name, "name": name,
        "steps": [
            {"id": "ask", "type": "form", "hook": {"webhook_url": url, "error_text": "Not now", "timeout_ms": 1000, **hook},
             "config": {"fields": [{"id": "code", "type": "text"}]}},
            {"id": "end", "type": "welcome", "config": {"title": "End"}},
        ],
    }


def faults(daemon, base, hooks):
    """Each fault blocks with the error text, or proceeds if the policy allows it."""
    urls = {name: f"{base}/{name}" for name in ["slow", "error", "redirect", "text", "shape", "huge"]}
    urls["private"] = "http://10.255.255.1/hook"
    urls["closed"] = "http://127.0.0.1:9/hook"
    for name, url in urls.items():
        daemon.publish(flow(name, url))
        daemon.publish(flow(f"{name}-open", url, on_failure="proceed"))
        status, run = daemon.advance(daemon.begin(name, "c"), "ask", {"code": "1"})
        assert (status, run["step_id"]) == (200, "ask"), (name, run)
        assert run["banner"] == {"kind": "error", "text": "Not now"}, (name, run)
        status, run = daemon.advance(daemon.begin(f"{name}-open", "c"), "ask", {"code": "1"})
        assert (status, run["step_id"]) == (200, "end"), (name, run)
    assert "/proceed" not in hooks.paths, "a redirect was followed"
    errors = [extra["error_type"] for event, extra in daemon.events() if event == "onboarding_hook_error"]
    assert errors.count("timeout") == 2 and errors.count("http_status") == 4 and errors.count("network") == 6, errors
    assert errors.count("malformed") == 4, errors


def quiet_neighbours(daemon, base, hooks):
    """50 requests wait for a slow hook; polls of other clients are as fast as before."""
    daemon.publish(flow("slower", f"{base}/slow", timeout_ms=10000))
    runs = [daemon.begin("slower", f"slow{number}") for number in range(50)]

    def polls():
        times = []
        for number in range(400):
            began = time.perf_counter()
            status, _ = daemon.send("GET", f"messages?client_id=quiet{number % 20}&surface=home")
            assert status == 200
            times.append(time.perf_counter() - began)
        return sorted(times)[int(len(times) * 0.99)]

    polls()
    quiet = min(polls() for _ in range(2))
    threads = [threading.Thread(target=daemon.advance, args=(run, "ask", {"code": "1"})) for run in runs]
    for thread in threads:
        thread.start()
    wait("the hooks were called", lambda: hooks.paths.count("/slow") >= 52)
    beside = polls()
    assert all(thread.is_alive() for thread in threads), "a hook ended before its server answered"
    hooks.released.set()
    for thread in threads:
        thread.join()
    # A poll that waits for a hook takes seconds. The ratio is only printed, because other programs run here, too.
    assert beside < 1, beside
    print(f"p99 of polls beside 50 waiting requests: {beside / quiet:.2f} x quiet ({quiet * 1000:.1f} ms)")


def chat(daemon, sample):
    """Holds the chat of the sample flow with its sample webhook."""
    with open(os.path.join(SAMPLES, "trip-coach.json")) as file:
        document = json.load(file)
    webhook = document["steps"][0]["config"]["chat_config"]["webhook"]
    webhook["webhook_url"] = sample
    del webhook["sample_replies"]
    daemon.publish(document)
    run = daemon.begin("trip-coach", "walker")
    assert run["chat"]["messages"][0]["content"] == "Hi there! Where do you want to go?", run["chat"]
    said = [{"quick_reply_id": "summit"}, {"text": "A day"}, {"quick_reply_id": "yes"}]
    for turn, body in enumerate(said, 1):
        status, answer = daemon.send("POST", f"runs/{run['run_id']}/chat", {"step_id": "coach", **body})
        assert status == 200 and answer["turn"] == turn and answer["remaining_turns"] == 5 - turn, answer
        if turn == 2:
            # The conversation is stored after kill -9.
            daemon.stop(signal.SIGKILL)
            daemon.start()
    assert answer["completed"] == "ai_completed" and answer["rating_prompt"], answer
    assert [message["content"] for message in answer["messages"]] == ["Then try the ridge above the lake.", "Have a good trip!"]
    status, answer = daemon.send("POST", f"runs/{run['run_id']}/chat", {"step_id": "coach", "rating": 5})
    assert status == 200, answer
    status, run = daemon.advance(run, "coach")
    assert run["step"]["title"] == "the ridge above the lake", run
    kept = run["responses"]["coach"]
    assert kept["completion_reason"] == "ai_completed" and kept["rating"] == 5 and kept["user_turn_count"] == 3, kept
    assert len(kept["transcript"]) == kept["total_message_count"] == 8, kept
    names = [event for event, extra in daemon.events() if extra.get("flow_id") == "trip-coach" and event.startswith("chat_")]
    assert names.count("chat_step_completed") == 1 and names.count("chat_message_sent") == 3, names
    assert names.count("chat_message_received") == 3 and names.count("chat_quick_reply_tapped") == 2, names


def languages(daemon):
    status, run = daemon.send("POST", "flows/trip-coach/runs", {"client_id": "german", "locale": "de"})
    assert run["chat"]["messages"][0]["content"] == "Hallo du! Wohin möchtest du?", run["chat"]
    assert run["chat"]["quick_replies"][0]["text"] == "An einen See", run["chat"]


def kill_between_steps(daemon):
    """After kill -9 each acknowledged action is stored, once."""
    steps = [{"id": f"s{number}", "type": "form", "config": {"fields": [{"id": "a", "type": "number"}]}} for number in range(40)]
    daemon.publish({"kind": "flow", "id": "long", "name": "Long", "steps": steps})
    run = daemon.begin("long", "walker")
    for number in range(39):
        status, run = daemon.advance(run, f"s{number}", {"a": number})
        assert status == 200, run
        if number % 8 == 0:
            daemon.stop(signal.SIGKILL)
            daemon.start()
            status, kept = daemon.send("GET", f"runs/{run['run_id']}")
            assert kept == run, (number, kept)
    assert run["responses"] == {f"s{number}": {"a": number} for number in range(39)}, run["responses"]
    viewed = [extra["step_id"] for event, extra in daemon.events()
              if event == "onboarding_step_viewed" and extra.get("flow_id") == "long"]
    assert viewed == [f"s{number}" for number in range(40)], viewed


def main():
    hooks = Hooks()
    base = f"http://127.0.0.1:{hooks.server_address[1]}"
    with subprocess.Popen([os.path.join(SAMPLES, "coach-webhook.py"), "0"], stdout=subprocess.PIPE, text=True) as sample, \
            tempfile.TemporaryDirectory() as folder:
        daemon = None
        try:
            address = sample.stdout.readline().split()[-1]
            with open(f"{folder}/c.yaml", "w") as settings:
                settings.write("webhooks:\n  allow_networks: [127.0.0.0/8]\n")
            daemon = Daemon(folder)
            with open(os.path.join(HERE, "..", "config", "apps", "trail-notes", "manifest.json")) as manifest:
                status, answer = daemon.send("PUT", "manifest", json.load(manifest))
                assert status in (200, 201), answer
            faults(daemon, base, hooks)
            chat(daemon, address)
            languages(daemon)
            kill_between_steps(daemon)
            quiet_neighbours(daemon, base, hooks)
            daemon.stop()
            assert daemon.process.returncode == 0
        finally:
            sample.terminate()
            if daemon and daemon.process.poll() is None:
                daemon.process.kill()
    print("8 hook faults, the sample chat and 5 kills: as the reference says")


main()
