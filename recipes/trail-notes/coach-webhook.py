#!/usr/bin/env python3
"""The webhook of the sample flow trip-coach: a coach without an AI, to show what a webhook of a chat gets and answers.

usage: coach-webhook.py [PORT]     (default 8099; prints its address when it listens)

The daemon calls loopback addresses only if its settings say so:

    webhooks:
      allow_networks: [127.0.0.0/8]
"""

import http.server
import json
import sys

QUESTIONS = ["How long may a trip take?", "Do you like to climb?"]


def reply(request):
    """The answer to one message. What `data` has comes back as `context` with the next message."""
    conversation = request["conversation"]
    heard = request.get("context", {}).get("heard", 0) + 1
    words = conversation["user_message"].lower()
    if "bye" in words:
        return {"action": "reply_and_complete", "messages": [], "completion_message": "See you on the trail!"}
    if heard <= len(QUESTIONS):
        answer = {"messages": [{"content": f"I see. {QUESTIONS[heard - 1]}", "delay_ms": 400}], "data": {"heard": heard}}
        if heard == len(QUESTIONS):
            answer["quick_replies"] = [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]
        return answer
    trip = "the ridge above the lake" if "yes" in words else "the path around the lake"
    return {
        "action": "reply_and_complete",
        "messages": [{"content": f"Then try {trip}.", "media": {"type": "link", "url": "https://example.com/trips", "alt_text": "Trips"}}],
        "data": {"heard": heard, "trip": trip},
    }


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(reply(request)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8099
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}/coach", flush=True)
    server.serve_forever()
