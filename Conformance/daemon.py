"""Starts the real program for a conformance test, and sends requests to it."""

import hashlib
import json
import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


def wait(what, condition, seconds=60):
    """Asks again until the condition holds, for so many seconds at most."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.02)


class Daemon:
    """`with Daemon() as daemon:` runs `bellwether serve --dev` on a free port with a directory of its own.

    With `tokens` (name: (scope, app, text)) it accepts these tokens instead of `--dev`. `settings` are further lines of
    its file.
    """

    def __init__(self, *arguments, tokens=None, settings="", port=0):
        self.arguments = arguments
        self.tokens = tokens
        self.settings = settings
        self.port = port

    def __enter__(self):
        self.directory = tempfile.TemporaryDirectory()
        self.log = open(os.path.join(self.directory.name, "log"), "w+")
        access = ["--dev"]
        if self.tokens is not None:
            file = os.path.join(self.directory.name, "bellwether.yaml")
            with open(file, "w") as settings:
                settings.write("tokens:\n" + "".join(
                    f"  - {name}:{scope}:{app}:{hashlib.sha256(text.encode()).hexdigest()}\n"
                    for name, (scope, app, text) in self.tokens.items()) + self.settings)
            access = ["--config", file]
        self.process = subprocess.Popen(
            [os.environ["BELLWETHER"], "serve", *access, "--port", str(self.port), "--workers", "2",
             "--data", os.path.join(self.directory.name, "data"), *self.arguments],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            self.__exit__()
            raise RuntimeError("the daemon did not start")
        self.url = line.split()[-1]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()
        self.log.close()
        self.directory.cleanup()

    def request(self, method, path, body=None, headers=None):
        """Status, headers and bytes of the answer. A body other than bytes is sent as JSON."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method, headers={
            **({"Content-Type": "application/json"} if data is not None else {}), **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def json(self, method, path, body=None, expect=(200, 201), headers=None):
        status, _, answer = self.request(method, path, body, headers)
        assert status in expect, f"{method} {path}: {status} {answer.decode()}"
        return json.loads(answer) if answer else None
