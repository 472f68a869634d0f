"""A web application that counts what its visitors do, and passes their answers on. It needs Python alone.

    PYTHONPATH=Clients/python python3 Examples/python/trails.py [DAEMON [PORT]]

DAEMON is http://127.0.0.1:8080, where `make run` serves the questionnaire; the application is at port 8000.
"""

import html
import signal
import sys
import urllib.parse
import uuid
from http.cookies import SimpleCookie
from wsgiref.simple_server import make_server

from bellwether_client import Client

PAGE = """<!doctype html><title>Trails</title>
<form method="post" action="/trips"><label>Kilometres <input name="distance" type="number" value="12"></label>
<button>Save the trip</button></form>
<form method="post" action="/feedback"><label>Would you recommend us? 0 to 10 <input name="recommend" value="9"></label>
<button>Send</button></form><p>{said}</p>"""

ROUTES = {}
TRIPS = []


def route(path):
    """Registers a function that gets the visitor's id and the fields of the form, and returns a sentence."""
    def register(function):
        ROUTES[path] = function
        return function
    return register


@route("/")
def home(visitor, form):
    return f"{len(TRIPS)} trips were saved."


@route("/trips")
def save_trip(visitor, form):
    TRIPS.append(form["distance"])
    bellwether.track("trip_saved", {"distance": float(form["distance"])}, client_id=visitor)
    return f"A trip of {form['distance']} km is saved."


@route("/feedback")
def send_feedback(visitor, form):
    answers = {"recommend": int(form["recommend"]), "use": "maps"}
    bellwether.submit("questionnaire", "first-trips", answers, client_id=visitor)
    return "Thank you."


def application(environment, start_response):
    cookies = SimpleCookie(environment.get("HTTP_COOKIE", ""))
    visitor = cookies["visitor"].value if "visitor" in cookies else uuid.uuid4().hex
    body = environment["wsgi.input"].read(int(environment.get("CONTENT_LENGTH") or 0))
    function = ROUTES.get(environment["PATH_INFO"])
    if function is None:
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [b"There is no such page.\n"]
    try:
        said = function(visitor, dict(urllib.parse.parse_qsl(body.decode())))
    except (KeyError, ValueError):
        start_response("400 Bad Request", [("Content-Type", "text/plain")])
        return [b"A field is missing, or is no number.\n"]
    start_response("200 OK", [("Content-Type", "text/html; charset=utf-8"),
                              ("Set-Cookie", f"visitor={visitor}; Path=/; HttpOnly; SameSite=Lax")])
    return [PAGE.format(said=html.escape(said)).encode()]


def stop(*_):
    raise SystemExit


if __name__ == "__main__":
    daemon = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
    port = sys.argv[2] if len(sys.argv) > 2 else "8000"
    signal.signal(signal.SIGTERM, stop)
    with Client(daemon, "trail-notes", folder="trails-queue") as bellwether:
        with make_server("127.0.0.1", int(port), application) as server:
            print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
            server.serve_forever()
