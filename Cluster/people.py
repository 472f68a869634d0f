"""Respondents of the load. Each follows a script and repeats a request, with the same id, until it is acknowledged.
Afterwards the daemons must have what was acknowledged, and nothing else."""

import datetime
import hashlib
import http.server
import json
import threading
import time

from processes import HEADERS

APP = "/v1/apps/cluster"
QUESTIONS, STEPS, PLACES, VISITS, BUYS = 5, 10, 6, 12, 8
# The seconds after which a person is asked again.
WAIT = 2
PICTURES = {hashlib.sha256(bytes([0, 0, n])).hexdigest(): f"data:image/png;base64,AAA{'ABC'[n]}" for n in range(3)}
# A message for clients with exactly VISITS visits, and a question that a client answers once.
RECIPE = {
    "triggers": {"EXACT": f"'visit'|eventSum('Years', 4, 0) == {VISITS}"},
    "messages": {
        "exact": {"surface": "exact", "text": "t", "trigger-if-all": ["EXACT"]},
        "ask": {"surface": "microsurvey", "text": "?", "microsurveyConfig": {"options": ["Good", "Bad"]}},
    },
}
# Drafts of a questionnaire, and a flow.
DRAFTS = {
    "kind": "questionnaire", "name": "Drafts",
    "schema": {"version": 1, "questions": [{"id": f"q{n}", "type": "text", "title": "?"} for n in range(QUESTIONS)]},
}
WALK = {
    "kind": "flow", "id": "walk", "name": "Walk", "version": 1,
    "steps": [{"id": f"s{n}", "type": "welcome", "config": {"title": "On"}} for n in range(STEPS)],
}
# A questionnaire that asks the same person again.
ASKED = {
    "kind": "questionnaire", "name": "Asked", "repeat": {"days": WAIT / 86_400},
    "schema": {"version": 1, "questions": [{"id": "n", "type": "nps", "title": "?"}]}, "offer": {"surface": "asked", "text": "t"},
}


def measured(slug):
    """An experiment with goals. Each branch has a message, whose display exposes a client."""
    def branch(name):
        message = {"surface": "measured", "text": "t", "experiment": "{experiment}"}
        value = {"messages": {f"{slug}-{name}": message}}
        return {"slug": name, "ratio": 1, "features": [{"featureId": "messaging", "value": value}]}

    return {
        "schemaVersion": "1.12.0", "slug": slug, "userFacingName": "Measured", "userFacingDescription": "Measured",
        "isEnrollmentPaused": False, "proposedEnrollment": 7,
        "bucketConfig": {"randomizationUnit": "nimbus_id", "namespace": slug, "start": 0, "count": 10_000, "total": 10_000},
        "branches": [branch("plain"), branch("short")],
        "goals": [
            {"name": "buys", "event": "buy", "counts": "sum", "cap": BUYS},
            {"name": "spent", "event": "buy", "counts": "sum", "property": "amount"},
            {"name": "annoyed", "event": {"message": "dismissed"}, "counts": "converted", "direction": "down"},
        ],
    }


def offer(ref):
    """An offer with a quota for answers of 5."""
    quota = {"name": "five", "when": {"ref": ref, "op": "eq", "value": 5}, "limit": PLACES}
    return {"surface": "banner", "text": "t", "pacing": {"quotas": [quota]}}


def pairs(notify):
    """A questionnaire with a quota, whose submissions are told to a receiver."""
    questions = [{"id": "n", "type": "rating", "title": "?", "scale": 5}, {"id": "t", "type": "text", "title": "?"}]
    more = {"notify": {"url": notify}} if notify else {}
    return {"kind": "questionnaire", "name": "Pairs", "schema": {"version": 1, "questions": questions},
            "offer": offer("answer.n"), **more}


def pictures(slug):
    """A flow with a quota and a picture."""
    fields = [{"id": "n", "type": "number"}, {"id": "p", "type": "image_picker"}]
    steps = [{"id": "a", "type": "form", "config": {"fields": fields}}, {"id": "b", "type": "welcome", "config": {"title": "On"}}]
    return {"kind": "flow", "id": slug, "name": "Pictures", "version": 1, "steps": steps, "offer": offer("step.a.n")}


class Receiver:
    """A server for the notifications of submitted responses, with the ids under which each was told."""

    def __init__(self):
        self.told = told = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                told.setdefault(body["data"]["response_id"], set()).add(self.headers["webhook-id"])
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class People:
    """What respondents were told. Recipes with quotas are new in each generation, because their places run out."""

    def __init__(self, tag, receiver=None):
        self.tag, self.receiver, self.generation, self.version = tag, receiver, 0, 0
        self.walks, self.users, self.pictures, self.asked, self.bought = {}, {}, {}, {}, {}
        self.acknowledged, self.erased, self.counted = 0, 0, 0
        self.faults, self.lock = [], threading.Lock()

    def note(self, count=1):
        with self.lock:
            self.acknowledged += count

    def publish(self, client):
        """Publishes the recipes of the next generation, and waits until all daemons that run have them."""
        number = self.generation + 1
        recipes = {f"{self.tag}-pairs-{number}": pairs(self.receiver and self.receiver.url),
                   f"{self.tag}-pictures-{number}": pictures(f"{self.tag}-pictures-{number}")}
        if number == 1:
            recipes |= {"people": RECIPE, "drafts": DRAFTS, "walk": WALK, "asked": ASKED}
            recipes[f"{self.tag}-measured"] = measured(f"{self.tag}-measured")
        for slug, document in recipes.items():
            client.json(0, "PUT", f"{APP}/recipes/{slug}", document)
        for place in range(len(client.nodes)):
            for slug in recipes:
                while not self.serves(client, place, slug):
                    time.sleep(0.005)
        self.generation = number

    @staticmethod
    def serves(client, place, slug):
        try:
            return client.once(place, "GET", f"{APP}/recipes/{slug}")[0] == 200
        except OSError:
            return True

    def publish_again(self, client):
        """Publishes another version of a recipe. One thread calls it."""
        document = {"messages": {"published": {"surface": "banner", "text": f"Version {self.version + 1}"}}}
        client.json(0, "PUT", f"{APP}/recipes/{self.tag}-published", document)
        self.version += 1
        self.note()

    def save(self, client, place, slug, name, answers, is_complete, key):
        """Saves answers, and returns the status and the answer of the daemon."""
        body = {"client_id": name, "answers": answers, "is_complete": is_complete}
        headers = {**HEADERS, "Idempotency-Key": key}
        status, _, text = client.send(place, "POST", f"{APP}/questionnaires/{slug}/responses", body, headers)
        if status in (200, 201):
            self.note()
        elif status not in (409, 422):
            raise RuntimeError(f"{name}, {answers}: {status} {text.decode()[:300]}")
        return status, json.loads(text)

    def visit(self, client, name, chance):
        """Reports visits in batches, checks their count, and answers a question."""
        reported = 0
        while reported < VISITS:
            count = min(VISITS - reported, chance.randrange(1, 6))
            events = [{"type": "behavior", "name": "visit", "id": f"{name}-{reported + n}"} for n in range(count)]
            answer = client.json(chance.randrange(8), "POST", f"{APP}/events", {"client_id": name, "events": events})
            if answer["accepted"] + answer["duplicates"] != count:
                self.faults.append(f"{name}: {answer}")
            reported += count
        messages = client.json(chance.randrange(8), "GET", f"{APP}/messages?client_id={name}&surface=exact")["messages"]
        if [message["key"] for message in messages] != ["exact"]:
            self.faults.append(f"{name} has not {VISITS} visits")
        answer = {"client_id": name, "message": "ask", "option": "1", "id": name}
        client.json(chance.randrange(8), "POST", f"{APP}/responses", answer)
        with self.lock:
            self.counted += 1
            self.acknowledged += VISITS + 1

    def walk(self, client, name, chance):
        """Saves drafts, submits some, and takes some steps of a flow."""
        answers, is_submitted, run, step = {}, False, None, None
        for number in range(chance.randrange(3, 9)):
            place = chance.randrange(8)
            if not is_submitted and chance.random() < 0.5:
                question, is_submitted = f"q{chance.randrange(QUESTIONS)}", chance.random() < 0.2
                answers[question] = f"answer {number}"
                saved = {question: answers[question]}
                status, answer = self.save(client, place, "drafts", name, saved, is_submitted, f"{name}-{number}")
                if status not in (200, 201):
                    self.faults.append(f"{name}: {status} {answer}")
            elif run is None:
                run = client.json(place, "POST", f"{APP}/flows/walk/runs", {"client_id": name})["run_id"]
                step = 0
                self.note()
            else:
                body = {"step_id": f"s{step}", "action": "next", "response": {}, "id": f"{name}-{number}"}
                client.json(place, "POST", f"{APP}/runs/{run}/advance", body)
                step += 1
                self.note()
        self.walks[name] = (answers, is_submitted, step)

    def pair(self, make_client, nodes, name, chance):
        """A user saves drafts on one device, some of them refused, while other devices submit, one on each node."""
        slug, client = f"{self.tag}-pairs-{self.generation}", make_client()
        devices = [f"{name}-{number}" for number in range(1 + nodes)]
        for device in devices:
            client.json(chance.randrange(8), "POST", f"{APP}/identify", {"client_id": device, "user_id": name})
        texts, outcomes = [], []
        refused = [chance.random() < 0.5 for _ in range(3)]

        def draft():
            device = make_client()
            for number, is_refused in enumerate(refused):
                answers = {"n": 99} if is_refused else {"t": f"draft {number}"}
                if self.save(device, number, slug, devices[0], answers, False, f"{name}-{number}")[0] in (200, 201):
                    texts.append(answers["t"])

        def submit(place):
            status, answer = self.save(make_client(), place, slug, devices[1 + place], {"n": 5}, True, f"{name}-s{place}")
            if status in (200, 201):
                outcomes.append((answer["id"], answer["status"]))

        def guarded(work, *values):
            try:
                work(*values)
            except Exception as error:  # noqa: BLE001
                self.faults.append(f"{name}: {error!r}")

        threads = [threading.Thread(target=guarded, args=(draft,))]
        threads += [threading.Thread(target=guarded, args=(submit, place)) for place in range(nodes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.users[name] = (slug, texts, outcomes)

    def ask(self, make_client, name, chance):
        """A user polls on one of three devices and, if asked, sends the answer of the round from two of them at once."""
        client, devices = make_client(), [f"{name}-{number}" for number in range(3)]
        if name not in self.asked:
            for device in devices:
                client.json(chance.randrange(8), "POST", f"{APP}/identify", {"client_id": device, "user_id": name})
            self.asked[name] = (0, 0, 0)
        answered, first, last = self.asked[name]
        begin = time.monotonic()
        messages = client.json(chance.randrange(8), "GET", f"{APP}/messages?client_id={devices[0]}&surface=asked")["messages"]
        # The answer was stored after `first` and before `last`.
        if messages and answered and time.monotonic() - first < WAIT:
            self.faults.append(f"{name} was asked {time.monotonic() - first:.3f} s after round {answered}")
        if not messages and begin - last > WAIT + 1:
            self.faults.append(f"{name} was not asked {begin - last:.3f} s after round {answered}")
        if not messages:
            return
        chance.shuffle(devices)
        first, statuses = time.monotonic(), []

        def answer(device, place):
            body = {"client_id": device, "answers": {"n": answered % 11}, "is_complete": True, "round": answered + 1}
            headers = {**HEADERS, "Idempotency-Key": f"{device}-{answered}"}
            statuses.append(make_client().send(place, "POST", f"{APP}/questionnaires/asked/responses", body, headers)[0])

        threads = [threading.Thread(target=answer, args=(device, place)) for place, device in enumerate(devices[:2])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if sorted(statuses) != [201, 409]:
            self.faults.append(f"{name}: two answers of round {answered + 1} got {statuses}")
        self.note()
        self.asked[name] = (answered + 1, first, time.monotonic())

    def buy(self, client, name, chance):
        """A client of the experiment buys before and after its exposure, and may dismiss the message. One of eight is
        erased."""
        messages = client.json(chance.randrange(8), "GET", f"{APP}/messages?client_id={name}&surface=measured")["messages"]
        key = next(message["key"] for message in messages if message["key"].startswith(f"{self.tag}-measured-"))
        number, buys, spent, annoyed = 0, 0, 0, 0

        def report(*events):
            nonlocal number
            for event in events:
                event["id"], number = f"{name}-{number}", number + 1
            client.json(chance.randrange(8), "POST", f"{APP}/events", {"client_id": name, "events": list(events)})
            self.note(len(events))

        def buying():
            return {"type": "behavior", "name": "buy", "properties": {"amount": chance.randrange(1, 90) / 8}}

        for _ in range(chance.randrange(3)):
            report(buying())
        report({"type": "message", "action": "displayed", "message": key})
        for _ in range(chance.randrange(6)):
            events = [buying() for _ in range(chance.randrange(1, 4))]
            report(*events)
            buys, spent = min(BUYS, buys + len(events)), spent + sum(event["properties"]["amount"] for event in events)
        if chance.random() < 0.3:
            report({"type": "message", "action": "dismissed", "message": key})
            annoyed = 1
        if chance.randrange(8) == 0:
            client.json(chance.randrange(8), "DELETE", f"{APP}/clients/{name}")
            with self.lock:
                self.acknowledged += 1
                self.erased += 1
        else:
            self.bought[name] = (key.rsplit("-", 1)[1], {"buys": buys, "spent": spent, "annoyed": annoyed})

    def picture(self, client, name, chance, held):
        """Sends a picture in a flow with a quota. `held` are the thread's clients that have a place; the first of
        three is erased."""
        slug = f"{self.tag}-pictures-{self.generation}"
        status, _, text = client.send(chance.randrange(8), "POST", f"{APP}/flows/{slug}/runs", {"client_id": name})
        if status == 409:
            # No run begins while the quota is full. A begun run may have been there before.
            self.pictures[name] = (slug, ("nothing", "begun"))
            return
        if status not in (200, 201):
            raise RuntimeError(f"{name}: {status} {text.decode()[:300]}")
        digest = chance.choice(list(PICTURES))
        body = {"step_id": "a", "action": "next", "id": name, "response": {"n": 5, "p": PICTURES[digest]}}
        answer = client.json(chance.randrange(8), "POST", f"{APP}/runs/{json.loads(text)['run_id']}/advance", body)
        is_out = (answer["outcome"] or {}).get("reason") == "screened_out"
        self.pictures[name] = (slug, ("screened_out" if is_out else digest,))
        self.note(2)
        if not is_out:
            held.append(name)
        if len(held) > 2:
            erased = held.pop(0)
            client.json(chance.randrange(8), "DELETE", f"{APP}/clients/{erased}")
            self.pictures[erased] = (self.pictures[erased][0], ("nothing",))
            with self.lock:
                self.acknowledged += 1
                self.erased += 1

    # What the daemons have.

    def response(self, client, path, slug):
        """The one response of a client or user to a recipe."""
        found = [run for run in client.json(0, "GET", f"{APP}/{path}/export")["responses"] if run["slug"] == slug]
        if len(found) > 1:
            self.faults.append(f"{path} has {len(found)} responses to {slug}")
        return found[0] if found else None

    def check(self, client):
        """Compares the stored data with what was acknowledged. Returns counts for the report."""
        for name, (answers, is_submitted, step) in self.walks.items():
            saved = self.response(client, f"clients/{name}", "drafts") or {"answers": {}, "status": "draft"}
            walked = self.response(client, f"clients/{name}", "walk")
            now = walked and client.json(0, "GET", f"{APP}/runs/{walked['id']}")["step_index"]
            found = (saved["answers"], saved["status"] == "new", now)
            if found != (answers, is_submitted, step):
                self.faults.append(f"{name} was told {(answers, is_submitted, step)}, and now {found}")
        submitted = self.check_users(client)
        self.check_pictures(client)
        self.check_rounds(client)
        self.check_goals(client)
        if self.version:
            text = json.dumps(client.json(0, "GET", f"{APP}/recipes/{self.tag}-published"))
            if f'"Version {self.version}"' not in text:
                self.faults.append(f"version {self.version} was acknowledged, and now {text[:300]}")
        if self.receiver:
            self.check_notifications(submitted)
        rounds = sum(answered for answered, _, _ in self.asked.values())
        return {"rounds": rounds, "exposed": len(self.bought), "respondents": len(self.walks) + len(self.users) + len(self.pictures) + self.counted,
                "submitted": len(submitted), "erased": self.erased, "publishes": self.version}

    def check_users(self, client):
        """Returns the ids of submitted responses."""
        submitted, places = set(), {}
        for name, (slug, texts, outcomes) in self.users.items():
            run = self.response(client, f"users/{name}", slug) or {"answers": {}, "status": "draft", "id": None}
            found = set() if run["status"] == "draft" else {(run["id"], run["status"])}
            if run["answers"].get("t") != (texts[-1] if texts else None) or found != set(outcomes):
                self.faults.append(f"{name} was told {texts}, {outcomes}, and now {run['answers']}, {found}")
            places.setdefault(slug, []).append(run["status"])
            if run["status"] == "new":
                submitted.add(run["id"])
        for slug, statuses in places.items():
            if statuses.count("new") > PLACES or "screened_out" in statuses and statuses.count("new") < PLACES:
                self.faults.append(f"{slug}: {statuses.count('new')} responses have a place of {PLACES}")
        return submitted

    def check_pictures(self, client):
        """A quota counts the runs that have a place, and no others."""
        places = {}
        for name, (slug, possible) in self.pictures.items():
            run = self.response(client, f"clients/{name}", slug)
            found = "nothing" if run is None else "screened_out" if run["status"] == "screened_out" else next(
                (digest for digest in PICTURES if digest in json.dumps(run)), "begun")
            if found not in possible:
                self.faults.append(f"{name} was told {possible}, and now {found}")
            places.setdefault(slug, 0)
            if found in PICTURES:
                places[slug] += 1
                if client.send(0, "GET", f"{APP}/files/{found}")[0] != 200:
                    self.faults.append(f"the picture of {name} is not there")
        for slug, count in places.items():
            taken = client.json(0, "GET", f"{APP}/results/{slug}")["quotas"][0]["taken"]
            if taken != count:
                self.faults.append(f"{slug}: {count} runs have a place, and the quota counts {taken}")

    def check_rounds(self, client):
        """Each person has one answer of each round, none sooner than the wait after the one before."""
        for name, (answered, _, _) in self.asked.items():
            found = [run for run in client.json(0, "GET", f"{APP}/users/{name}/export")["responses"] if run["slug"] == "asked"]
            found.sort(key=lambda run: run["round"])
            times = [datetime.datetime.fromisoformat(run["submitted_at"].replace("Z", "+00:00")) for run in found]
            waits = [(later - earlier).total_seconds() for earlier, later in zip(times, times[1:])]
            if [run["round"] for run in found] != list(range(1, answered + 1)) or min(waits, default=WAIT) < WAIT:
                self.faults.append(f"{name} answered {answered} rounds, and has {[run['round'] for run in found]} after {waits} s")

    def check_goals(self, client):
        """The results of the experiment are the sums over its clients, at each node."""
        for place in range(len(client.nodes)):
            for goal in client.json(place, "GET", f"{APP}/results/{self.tag}-measured")["goals"]["goals"]:
                for branch in goal["branches"]:
                    sums = [sums[goal["name"]] for slug, sums in self.bought.values() if slug == branch["branch"]]
                    expected = (len(sums), sum(1 for value in sums if value), sum(sums))
                    found = (branch["exposed"], branch["converted"], branch["sum"])
                    # Counts of few clients are withheld.
                    if None not in found and found != expected:
                        self.faults.append(f"goal {goal['name']} of {branch['branch']}: {expected}, and the results {found}")

    def check_notifications(self, submitted):
        """Each submitted response was told under one id, and no other response. A daemon that was killed keeps its claim
        on notifications for two minutes."""
        begin = time.monotonic()
        while submitted - self.receiver.told.keys() and time.monotonic() - begin < 180:
            time.sleep(0.1)
        told = self.receiver.told
        if told.keys() != submitted:
            self.faults.append(f"{len(submitted - told.keys())} submissions were not told, and {len(told.keys() - submitted)} others were")
        twice = sum(1 for ids in told.values() if len(ids) > 1)
        if twice:
            self.faults.append(f"{twice} submissions were told under two ids")
