"""Webhooks of the program, verified by the library of Standard Webhooks: signatures with both kinds of secrets, the same
id in each attempt, a receiver over TLS with an unknown certificate, and an environment with a proxy."""

import http.server
import json
import os
import socketserver
import sqlite3
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.request

from daemon import wait
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
RAW = "a raw text as a key"
BODY = json.dumps({"type": "questionnaire.submitted", "data": {"answer": "Zo\u00eb \U0001f98a \"quoted\""}})


class Receiver(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """Answers 500 to the first request of each webhook, then 204."""

    daemon_threads = True

    def __init__(self, tls=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.arrivals = []
        self.lock = threading.Lock()
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, address):
        pass

    @property
    def port(self):
        return self.server_address[1]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            known = any(headers["webhook-id"] == self.headers["webhook-id"] for headers, _ in self.server.arrivals)
            self.server.arrivals.append((dict(self.headers.items()), body))
        self.send_response(204 if known else 500)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


def unknown_certificate():
    """Creates a certificate for 127.0.0.1, which no system trusts."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/key", "-out",
             f"{folder}/certificate"], check=True, capture_output=True)
        context.load_cert_chain(f"{folder}/certificate", f"{folder}/key")
    return context


def start(folder, environment):
    process = subprocess.Popen(
        [os.environ["BELLWETHER"], "serve", "--dev", "--port", "0", "--config", f"{folder}/c.yaml", "--data",
         f"{folder}/data"], stdout=subprocess.PIPE, stderr=open(f"{folder}/log", "w"), text=True, env=environment)
    line = process.stdout.readline()
    assert line.startswith("listening on "), line
    return process, line.split()[-1]


def stop(process):
    process.terminate()
    assert process.wait(60) == 0


def insert(folder, rows):
    """Inserts into the outbox, like a transaction of the daemon."""
    now = int(time.time() * 1000)
    database = sqlite3.connect(f"{folder}/data/bellwether.sqlite")
    with database:
        database.execute("INSERT OR IGNORE INTO app (name) VALUES ('app')")
        key, = database.execute("SELECT key FROM app WHERE name = 'app'").fetchone()
        for id, url, secret in rows:
            database.execute(
                "INSERT INTO outbox (id, app, url, host, secret_name, body, created_at, next_attempt)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (id, key, url, url.split("/")[2], secret, BODY.encode(), now, now))
    database.close()


def items(url):
    with urllib.request.urlopen(f"{url}/v1/apps/app/webhooks") as answer:
        return {item["id"]: item for item in json.load(answer)["items"]}


def verify(arrivals):
    for headers, body in arrivals:
        headers = {name.lower(): value for name, value in headers.items()}
        assert body.decode() == BODY
        secret = {"msg_whsec": SECRET, "msg_raw": RAW.encode()}[headers["webhook-id"]]
        Webhook(secret).verify(body, headers)
        for wrong in [{"webhook-id": "msg_other"}, {"webhook-timestamp": str(int(headers["webhook-timestamp"]) - 1)}]:
            try:
                Webhook(secret).verify(body, {**headers, **wrong})
            except WebhookVerificationError:
                continue
            raise AssertionError(f"{wrong} was not noticed")


def main():
    plain = Receiver()
    tls = Receiver(unknown_certificate())
    environment = {**os.environ, "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9",
                   "ALL_PROXY": "http://127.0.0.1:9"}
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/c.yaml", "w") as settings:
            settings.write("webhooks:\n  allow_networks: [127.0.0.0/8]\n"
                           f"  secrets:\n    standard: {SECRET}\n    raw: {RAW}\n")
        stop(start(folder, environment)[0])
        insert(folder, [("msg_whsec", f"http://127.0.0.1:{plain.port}/a", "standard"),
                        ("msg_raw", f"http://127.0.0.1:{plain.port}/b", "raw"),
                        ("msg_tls", f"https://127.0.0.1:{tls.port}/c", "standard"),
                        ("msg_private", "http://10.255.255.1/d", None)])
        process, url = start(folder, environment)
        # Each webhook has two attempts; the second has the same id and another timestamp.
        wait("four requests", lambda: len(plain.arrivals) == 4)
        verify(plain.arrivals)
        wait("two webhooks are left", lambda: set(items(url)) == {"msg_tls", "msg_private"})
        left = items(url)
        assert "not allowed" in left["msg_private"]["last_failure"], left
        assert "certificate" in left["msg_tls"]["last_failure"], left
        assert not tls.arrivals
        stop(process)
    print("4 requests verified; an unknown certificate and a private address were refused")


main()
