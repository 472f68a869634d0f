"""An app with Owlmetry's Swift SDK, of which only the address and the key were changed.

The client below sends and decodes by the rules of the SDK. Keys begin with `owl_client_`, and bodies are gzip from 512
bytes on. An answer fails if a required member of a Codable type is missing. A login flushes events and claims the
installation. A request that was refused with 4xx is not sent again.
"""

import datetime
import json
import os
import struct
import subprocess
import threading
import urllib.error
import urllib.request
import uuid
import zlib
from urllib.parse import quote

from daemon import Daemon

APP, BUNDLE = "owl-app", "com.example.owl"
TOKENS = {"root": ("admin", "*", "root-text")}
ROOT = {"Authorization": "Bearer root-text"}
SURVEY = {
    "kind": "questionnaire", "name": "Post import", "description": "Two minutes, promised.", "schema": {
        "version": 1, "questions": [
            # As Owlmetry's documentation prints them.
            {"id": "q_takeaway", "type": "text", "title": "One-line takeaway?", "placeholder": "Optional"},
            {"id": "q_details", "type": "text", "title": "Anything else you'd like to share?", "multiline": True,
             "placeholder": "Optional \u2014 tell us as much as you'd like"},
            {"id": "q_stars", "type": "rating", "title": "How was it?", "required": True},
            {"id": "q_nps", "type": "nps", "title": "Would you tell a friend?"},
            {"id": "q_who", "type": "single_choice", "title": "Who are you?",
             "options": [{"id": "indie", "label": "Indie"}, {"id": "team", "label": "A team"}]},
            {"id": "q_why", "type": "multi_choice", "title": "Why?",
             "options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]}]}}
BARE = {"kind": "questionnaire", "name": "Bare", "schema": {"questions": [{"id": "q", "type": "rating", "title": "?"}]}}
CARD = {"triggers": {"SAVED": "'note_saved'|eventSum('Years', 1, 0) >= 45"},
        "messages": {"card": {"surface": "card", "text": "Hi", "trigger-if-all": ["SAVED"]}}}


def check(holds, what):
    assert holds, what
    print(f"ok: {what}")


class SDKError(Exception):
    """The case of the SDK's error, and its message."""

    def __init__(self, case, detail=""):
        super().__init__(f"{case}: {detail}")
        self.case = case


def member(value, name, kinds, optional=False):
    """Reads a member like Codable: a required member must exist and have its type."""
    if not isinstance(value, dict):
        raise SDKError("transportFailure", f"decode failed: no object around {name}")
    found = value.get(name)
    if found is None and optional:
        return None
    if not isinstance(found, kinds) or (isinstance(found, bool) and kinds is not bool):
        raise SDKError("transportFailure", f"decode failed: {name} is {found!r}")
    return found


class Client:
    """One installation of the app. The object stores what the SDK stores in keychain and defaults."""

    COMPRESSION_THRESHOLD, BATCH, RETRIES = 512, 20, 5

    def __init__(self, endpoint, key, bundle=BUNDLE):
        if not key.startswith("owl_client_"):
            raise SDKError("invalidApiKey")
        self.endpoint, self.key, self.bundle = endpoint, key, bundle
        self.anonymous = f"owl_anon_{str(uuid.uuid4()).upper()}"
        self.user, self.session = None, str(uuid.uuid4()).upper()
        self.buffer, self.requests = [], []

    @property
    def user_id(self):
        return self.user or self.anonymous

    # The transport.

    @staticmethod
    def encode(body):
        """JSONEncoder: nil is left out, and slashes are escaped."""
        kept = {name: value for name, value in body.items() if value is not None}
        return json.dumps(kept, separators=(",", ":"), ensure_ascii=False).replace("/", "\\/").encode()

    @staticmethod
    def gzip(data):
        """A header of ten bytes without name and time, raw deflate, CRC and length."""
        deflate = zlib.compressobj(5, zlib.DEFLATED, -15)
        packed = deflate.compress(data) + deflate.flush()
        return (bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]) + packed
                + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF))

    def send(self, method, path, body=None, query=()):
        headers, data = {"Authorization": f"Bearer {self.key}"}, None
        if body is None:
            headers["Accept"] = "application/json"
        else:
            data = self.encode(body)
            headers["Content-Type"] = "application/json"
            if len(data) >= self.COMPRESSION_THRESHOLD:
                data, headers["Content-Encoding"] = self.gzip(data), "gzip"
        # URLComponents does not escape characters that a query may have, such as a plus sign.
        items = "&".join(name + "=" + quote(value, safe="!$'()*+,-./:;?@_~") for name, value in query)
        self.requests.append((path, "Content-Encoding" in headers))
        request = urllib.request.Request(
            f"{self.endpoint}/{path}" + (f"?{items}" if items else ""), data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def with_retries(self, path, body):
        """Repeats a request only after a server error. Returns the answer, or None."""
        for _ in range(self.RETRIES):
            status, answer = self.send("POST", path, body)
            if 200 <= status < 300:
                return json.loads(answer)
            if 400 <= status < 500:
                return None
        return None

    # Questionnaires.

    def fetch(self, slug):
        """The questionnaire and the answers of its draft, or the reason why there is none."""
        query = [("bundle_id", self.bundle), ("user_id", self.user_id)]
        status, answer = self.send("GET", f"v1/questionnaires/{slug}", query=query)
        if status == 404:
            raise SDKError("slugNotFound")
        if not 200 <= status < 300:
            raise SDKError("serverError", f"{status} {answer.decode()}")
        envelope = json.loads(answer)
        eligible = member(envelope, "eligible", bool)
        reason = member(envelope, "reason", str, optional=True)
        if not eligible:
            return None, {}, reason if reason in ("already_responded", "globally_dismissed", "inactive") else None
        questionnaire = member(envelope, "questionnaire", dict)
        self.decode(questionnaire)
        draft = member(envelope, "in_progress", dict, optional=True)
        return questionnaire, self.hydrate(draft, questionnaire) if draft else {}, None

    @staticmethod
    def decode(questionnaire):
        for name in ("id", "slug", "name"):
            member(questionnaire, name, str)
        member(questionnaire, "description", str, optional=True)
        schema = member(questionnaire, "schema", dict)
        member(schema, "version", int)
        for question in member(schema, "questions", list):
            kind = member(question, "type", str)
            if kind not in ("text", "single_choice", "multi_choice", "rating", "nps"):
                raise SDKError("transportFailure", f"decode failed: {kind}")
            for name in ("id", "title"):
                member(question, name, str)
            member(question, "required", bool)
            member(question, "subtitle", str, optional=True)
            if kind == "text":
                member(question, "placeholder", str, optional=True)
                member(question, "multiline", bool, optional=True)
            if kind == "rating":
                member(question, "scale", int)
            if kind.endswith("_choice"):
                for option in member(question, "options", list):
                    member(option, "id", str)
                    member(option, "label", str)

    @staticmethod
    def hydrate(draft, questionnaire):
        """Reads answers: a text, texts or a whole number. An answer that does not fit its question is left out."""
        member(draft, "response_id", str)
        answers = member(draft, "answers", dict)
        for value in answers.values():
            is_texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
            if not (isinstance(value, str) or is_texts or type(value) is int):
                raise SDKError("transportFailure", f"decode failed: {value!r}")
        kinds = {"text": str, "single_choice": str, "multi_choice": list, "rating": int, "nps": int}
        return {question["id"]: answers[question["id"]] for question in questionnaire["schema"]["questions"]
                if isinstance(answers.get(question["id"]), kinds[question["type"]])}

    def save(self, slug, answers, complete):
        """Saves the answers, and returns whether this call submitted them."""
        status, answer = self.send("POST", f"v1/questionnaires/{slug}/responses", {
            "bundle_id": self.bundle, "session_id": self.session, "user_id": self.user_id, "answers": answers,
            "is_complete": complete, "app_version": "2.1", "sdk_name": "owlmetry-swift", "sdk_version": "1.0.0",
            "environment": "ios", "device_model": "iPhone17,1", "os_version": "26.1", "is_dev": False})
        if status in (400, 404):
            raise SDKError("invalidAnswers" if status == 400 else "slugNotFound", answer.decode())
        if not 200 <= status < 300:
            raise SDKError("serverError", f"{status} {answer.decode()}")
        receipt = json.loads(answer)
        member(receipt, "id", str)
        member(receipt, "created_at", str)
        return member(receipt, "was_submitted", bool, optional=True) or False

    def dismiss(self):
        status, answer = self.send("POST", "v1/questionnaires/dismiss", {
            "bundle_id": self.bundle, "user_id": self.user_id})
        if not 200 <= status < 300:
            raise SDKError("serverError", f"{status} {answer.decode()}")
        return member(json.loads(answer), "dismissed_at", str)

    # Events and identity.

    def log(self, message, level="info", attributes=None):
        self.buffer.append({
            "client_event_id": str(uuid.uuid4()).upper(), "session_id": self.session, "user_id": self.user_id,
            "level": level, "source_module": "ContentView.swift:12", "message": message,
            "custom_attributes": attributes, "environment": "ios", "os_version": "26.1", "app_version": "2.1",
            "sdk_name": "owlmetry-swift", "sdk_version": "1.0.0", "build_number": "7", "device_model": "iPhone17,1",
            "locale": "de_DE", "is_dev": False,
            "timestamp": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"})

    def flush(self):
        """Sends the events, and returns the batches with their outcomes."""
        sent = []
        while self.buffer:
            batch, self.buffer = self.buffer[:self.BATCH], self.buffer[self.BATCH:]
            events = [{name: value for name, value in event.items() if value is not None} for event in batch]
            answer = self.with_retries("v1/ingest", {"bundle_id": self.bundle, "events": events})
            if answer is None:
                raise SDKError("lost", f"{len(batch)} events")
            sent.append((batch, member(answer, "accepted", int), member(answer, "rejected", int)))
        return sent

    def set_user(self, name):
        self.flush()
        self.user = name
        return self.with_retries("v1/identity/claim", {"anonymous_id": self.anonymous, "user_id": name})


def token(daemon, *options):
    command = [os.environ["BELLWETHER"], "token", "create", "--name", f"t{uuid.uuid4()}", "--scope", "client", "--app", APP]
    environment = {**os.environ, "BELLWETHER_URL": daemon.url, "BELLWETHER_TOKEN": "root-text"}
    return subprocess.run([*command, *options], env=environment, check=True, capture_output=True, text=True).stdout.strip()


def failure(act):
    try:
        act()
    except SDKError as error:
        return error.case
    return None


def check_questionnaires(new):
    phone = new()
    questionnaire, draft, _ = phone.fetch("post-import")
    check(questionnaire["name"] == "Post import" and draft == {}, "the SDK decodes a questionnaire as Owlmetry prints it")
    check(new().fetch("bare")[0]["schema"]["questions"][0]["scale"] == 5, "and one whose author left out all that may be")
    check(phone.save("post-import", {"q_takeaway": "Short."}, False) is False, "a short draft is saved")
    long = {"q_takeaway": "Short.", "q_details": "Very long. " * 200 + "Zo\u00eb \U0001f98a / \\", "q_why": ["a", "b"],
            "q_who": "indie", "q_nps": 10}
    check(phone.save("post-import", long, False) is False and phone.requests[-1][1], "a draft of 2 KB is sent as gzip")
    check(phone.fetch("post-import")[1] == long, "the next launch goes on with it, to the letter")
    check(failure(lambda: phone.save("post-import", {"q_stars": 6}, False)) == "invalidAnswers", "6 of 5 stars are refused")
    answers, wins, losses = {**long, "q_stars": 5}, [], []

    def submit():
        try:
            wins.append(phone.save("post-import", answers, True))
        except SDKError as error:
            losses.append(str(error))

    threads = [threading.Thread(target=submit) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(wins.count(True) == 1, "of eight submissions one submits")
    check(all("409" in loss and json.loads(loss.split("409 ")[1])["reason"] == "already_responded" for loss in losses),
          "the others are told that they have responded")
    check(phone.fetch("post-import")[2] == "already_responded", "who has answered is not asked again")
    check(failure(lambda: phone.fetch("none")) == "slugNotFound", "an unknown slug is that")


def check_logins(new):
    phone = new()
    phone.save("post-import", {"q_takeaway": "Before the login"}, False)
    claimed = phone.set_user("nora+x@example.org")
    check(claimed == {"claimed": True, "events_reassigned_count": 0}, "a login claims the installation")
    check(phone.fetch("post-import")[1] == {"q_takeaway": "Before the login"}, "the draft is the user's, plus sign and all")
    tablet = new()
    tablet.user = "nora+x@example.org"
    check(tablet.save("post-import", {"q_stars": 4}, True), "and submitted on another device")
    check(phone.fetch("post-import")[2] == "already_responded", "which the first one knows")
    shy = new()
    shy.dismiss()
    check(shy.fetch("post-import")[2] == "globally_dismissed", "who dismisses is not asked again")
    shy.set_user("shy")
    check(shy.fetch("post-import")[2] == "globally_dismissed", "nor after the login")


def check_events(daemon, new, key):
    phone = new()
    phone.log("sdk:app_launched")
    for number in range(45):
        phone.log("note_saved", level=("info", "warn", "error")[number % 3], attributes={"n": str(number)})
    phone.log("x" * 500, level="debug")
    offered = f"/v1/apps/{APP}/messages?client_id={phone.anonymous}"
    bearer = {"Authorization": f"Bearer {key}"}
    check(daemon.json("GET", offered, headers=bearer)["messages"] == [], "nothing was counted yet")
    sent = phone.flush()
    check([(accepted, rejected) for _, accepted, rejected in sent] == [(20, 0), (20, 0), (6, 1)], "47 events, three batches")
    check(all(gzipped for path, gzipped in phone.requests if path == "v1/ingest"), "as gzip")
    check([message["key"] for message in daemon.json("GET", offered, headers=bearer)["messages"]] == ["card"],
          "they count as behaviour events")
    phone.buffer = [event for event in sent[1][0]]
    check(phone.flush()[0][1:] == (0, 0), "a batch that the offline queue sends again counts nothing")


def check_refusals(daemon, new, key):
    check(failure(lambda: Client(daemon.url, token(daemon))) == "invalidApiKey", "the SDK takes no other key")
    other = Client(daemon.url, key, bundle="com.other")
    other.log("note_saved")
    for what, act in [("fetch", lambda: other.fetch("post-import")), ("dismissal", other.dismiss),
                      ("save", lambda: other.save("post-import", {}, False))]:
        check(failure(act) == "serverError", f"another bundle: no {what}")
    check(failure(other.flush) == "lost", "another bundle: no events")
    phone = new()
    for path in ["v1/identity/properties", "v1/feedback", "v1/identity/attribution/apple-search-ads"]:
        status, answer = phone.send("POST", path, {"user_id": phone.user_id, "properties": {"plan": "pro" * 300}})
        check(status == 404 and "Owlmetry" in member(json.loads(answer), "error", str), f"{path} is 404, and says so")
    before = len(phone.requests)
    check(phone.with_retries("v1/identity/properties", {}) is None and len(phone.requests) == before + 1, "and is not retried")


with Daemon(tokens=TOKENS) as daemon:
    daemon.json("PUT", f"/v1/apps/{APP}/manifest", {
        "app_name": "Owl", "app_id": BUNDLE, "default_locale": "en-US", "surfaces": ["card"]}, headers=ROOT)
    for slug, document in [("post-import", SURVEY), ("bare", BARE), ("card", CARD)]:
        daemon.json("PUT", f"/v1/apps/{APP}/recipes/{slug}", document, headers=ROOT)
    key = token(daemon, "--prefix", "owl_client_")

    def new():
        return Client(daemon.url, key)

    check_questionnaires(new)
    check_logins(new)
    check_events(daemon, new, key)
    check_refusals(daemon, new, key)
