"""OpenFeature's providers for browsers without polling, at three daemons over one PostgreSQL database.

Each provider follows the protocol's rules for streams: it opens the stream that the bulk answer names, and asks again
with the publication of each event. So a change that an event does not announce, or an answer from before the event's
publication, stays unseen, and the test fails.
"""

import json
import random
import statistics
import threading
import time
from contextlib import ExitStack

import httpx
from daemon import Daemon, wait
from openfeature_test import APP, MANIFEST, ROOT, TOKENS, recipe
from postgres import postgres

NODES, PROVIDERS, PUBLISHES = 3, 5, 40


class StreamingProvider:
    """Asks for all flags at the start and after each event, and at no other time."""

    def __init__(self, url, key):
        self.url = url
        self.context = {"targetingKey": key, "plan": "pro"}
        self.http = httpx.Client(base_url=url, headers={"Authorization": "Bearer phone-text"}, timeout=httpx.Timeout(30, read=None))
        self.tag, self.text, self.events, self.seen = None, None, 0, {}
        self.last_event = 0
        self.is_over = False
        address = self.ask({})["eventStreams"][0]["endpoint"]["requestUri"]
        self.thread = threading.Thread(target=self.read, args=(address,), daemon=True)
        self.thread.start()

    def ask(self, query):
        headers = {"If-None-Match": self.tag} if self.tag else {}
        answer = self.http.post("/ofrep/v1/evaluate/flags", params=query, json={"context": self.context}, headers=headers)
        assert answer.status_code in (200, 304), answer.text
        if answer.status_code == 304:
            return None
        self.tag, body = answer.headers["etag"], answer.json()
        self.text = {flag["key"]: flag for flag in body["flags"]}["banner.text"].get("value")
        self.seen.setdefault(self.text, time.monotonic())
        return body

    def read(self, address):
        # The address has a ticket. As a browser's EventSource, the request has no other credential.
        with httpx.stream("GET", self.url + address, timeout=httpx.Timeout(30, read=None)) as answer:
            assert answer.status_code == 200 and answer.headers["content-type"] == "text/event-stream", answer
            for line in answer.iter_lines():
                if self.is_over:
                    return
                if line.startswith("data:"):
                    event = json.loads(line[5:])
                    assert event["type"] == "refetchEvaluation", event
                    self.last_event = time.monotonic()
                    self.events += 1
                    self.ask({"flagConfigEtag": event["etag"], "flagConfigLastModified": event["lastModified"]})


def publish(node, text):
    node.json("PUT", f"/v1/apps/{APP}/recipes/banner", recipe("banner", "banner", {"on": {"text": text}}, isRollout=True), headers=ROOT)


def main():
    with postgres() as database, ExitStack() as stack:
        nodes = [stack.enter_context(Daemon("--store", database, tokens=TOKENS)) for _ in range(NODES)]
        nodes[0].json("PUT", f"/v1/apps/{APP}/manifest", MANIFEST, headers=ROOT)
        publish(nodes[0], "first")
        for node in nodes:
            wait("each node serves the app", lambda: node.request("GET", f"/v1/apps/{APP}/recipes/banner", headers=ROOT)[0] == 200)
        providers = [StreamingProvider(node.url, f"user-{index}") for index, node in enumerate(nodes * PROVIDERS)]
        wait("each stream begins with an event", lambda: all(one.events > 0 and one.text == "first" for one in providers))
        delays = []
        for number in range(PUBLISHES):
            text = f"text {number}"
            publish(random.choice(nodes), text)
            answered = time.monotonic()
            wait("each provider has the new text", lambda: all(one.text == text for one in providers))
            delays += [max(0, one.seen[text] - answered) for one in providers]
            wait("each stream may send its next event", lambda: all(time.monotonic() > one.last_event + 1 for one in providers))
        for one in providers:
            one.is_over = True
            assert one.thread.is_alive(), "no stream ended"
            assert one.events <= 2 * PUBLISHES, one.events
        cuts = statistics.quantiles(delays, n=100)
        print(f"{len(providers)} providers at {NODES} nodes saw {PUBLISHES} publishes: half of them within "
              f"{cuts[49] * 1000:.0f} ms of the answer, 99 % within {cuts[98] * 1000:.0f} ms")


if __name__ == "__main__":
    main()
