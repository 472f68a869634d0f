"""The tables of data: DuckDB over exported answers gives every count of `results`, and the events of a Parquet file are
those of the NDJSON.

20 random sets of questionnaires, surveys, flows and microsurveys are answered over HTTP: with drafts, previews, answers
of development, sensitive questions, deleted and imported responses, full limits, rounds, branches, two revisions, and
odd characters in names, users and options. DATA_SETS and DATA_SEED choose others.
"""

import concurrent.futures
import contextlib
import datetime
import http.client
import io
import json
import math
import os
import random
import subprocess
import tempfile
import threading
import urllib.parse

import duckdb
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet

from daemon import Daemon

SETS = int(os.environ.get("DATA_SETS", "20"))
SEED = int(os.environ.get("DATA_SEED", "1"))
TEXTS = ["plain", "", " ", "Zo\u00eb \U0001f98a", "it's \"quoted\"", "a,b;c\td\r\ne", "=1+1", "\\N", "\u65e5\u672c", "null",
         "\u0001\u007f", "e\u0301", "x" * 300]
OPTIONS = ["Yes", "No", "Yes, \"maybe\"", "it's; so\\so", "\U0001f98a \u65e5\u672c", "=1+1", "null", "\u00dcber 50 %",
           "a/b~c", " 5", "5"]
USERS = ["plain", "Zo\u00eb \"\U0001f98a\" O'Brien\\", "a+b@example.org", "%41&x=y", "\u65e5\u672c;--", "1e5"]

# Times have milliseconds.
BEGUN = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)


class Client:
    """Connections that are kept, one for each thread."""

    def __init__(self, daemon):
        self.address = urllib.parse.urlsplit(daemon.url).netloc
        self.local = threading.local()

    def send(self, method, path, body=None):
        if not hasattr(self.local, "connection"):
            self.local.connection = http.client.HTTPConnection(self.address, timeout=60)
        self.local.connection.request(
            method, path, body=None if body is None else json.dumps(body), headers={"Content-Type": "application/json"})
        answer = self.local.connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def json(self, method, path, body=None, expect=(200, 201)):
        status, _, answer = self.send(method, path, body)
        assert status in expect, f"{method} {path} {body}: {status} {answer.decode()}"
        return json.loads(answer) if answer else None


# The documents


def some(rng, share=0.5):
    return rng.random() < share


def pick(rng, values, low=1):
    return rng.sample(values, rng.randint(low, len(values)))


def survey_options(rng):
    options = rng.sample(OPTIONS, rng.randint(2, 6))
    return [{"title": option, "type": "freeform"} if some(rng, 0.2) else option for option in options]


def title(option):
    return option if isinstance(option, str) else option["title"]


def questionnaire(rng, number):
    questions = []
    for index in range(rng.randint(2, 7)):
        kind = rng.choice(["text", "single_choice", "multi_choice", "rating", "nps"])
        question = {"id": f"q{index}", "type": kind, "title": f"Question {index}", "sensitive": some(rng, 0.15)}
        if kind.endswith("choice"):
            question["options"] = [{"id": f"o_{n}", "label": rng.choice(OPTIONS)} for n in range(rng.randint(2, 6))]
        if kind == "rating":
            question["scale"] = rng.randint(2, 11)
        questions.append(question)
    document = {"kind": "questionnaire", "name": f"Questionnaire {number}", "keep": ["plan"],
                "schema": {"version": 1, "questions": questions}}
    if some(rng, 0.3):
        document["repeat"] = {"days": 0, "unanswered_days": 1}
    if some(rng, 0.3):
        document["offer"] = {"surface": "home", "trigger-if-all": ["NEVER"],
                             "pacing": {"response_limit": rng.randint(3, 12)}}
    return document


def survey(rng, number):
    def options():
        return survey_options(rng)

    kinds = {
        "single_select": lambda: {"options": options()},
        "multi_select": lambda: {"options": options()},
        "segment_select": lambda: {"values": rng.choice([["1", "2", "3", "4", "5"], ["low", "middle", "high"]])},
        "table_select": lambda: {
            "options": [title(option) for option in options()],
            "table_questions": [{"id": row, "title": row} for row in pick(rng, ["r:1", "r2", "r\u00e9 3"])]},
        "single_text_field": lambda: {"input_type": rng.choice(["default", "number"])},
        "single_text_area": lambda: {},
        "multi_text_field": lambda: {"fields": [
            {"label": label, "input_type": rng.choice(["default", "number"])} for label in pick(rng, ["A 1", "B:2", "\u00c7"])]},
        "dynamic_label_text_field": lambda: {
            "input_type": "number", "label_options": rng.choice([[["Feet", "Inches"], "Metres"], [["m", "cm"]]])},
        "add_text_field": lambda: {},
        "year_picker": lambda: {"min_year": "1950", "max_year": "2030"},
        "date_picker": lambda: {"min_date": "2020-01-01", "max_date": "2030-01-01"},
    }
    questions = []
    for index, kind in enumerate(pick(rng, sorted(kinds), 4)):
        questions.append({"id": f"s{index}", "question": f"Question {index}", "question_type": kind, "required": False,
                          "sensitive": some(rng, 0.15), **kinds[kind]()})
    return {"kind": "survey", "name": f"Survey {number}", "questions": questions, "keep": ["plan"],
            "submit": {"button_title": "Send"}}


def flow(rng, number):
    def options():
        return [{"id": f"i{n}", "label": rng.choice(OPTIONS), **({"value": f"v {n}"} if some(rng, 0.3) else {})}
                for n in range(rng.randint(2, 5))]

    kinds = {
        "number": {}, "slider": {"max_value": 5000}, "stepper": {"max_value": 300}, "range_slider": {"max_value": 500},
        "rating": {"allow_half": True}, "toggle": {}, "date": {}, "time": {}, "datetime": {}, "text": {},
        "chips": {"suggestions": ["x y", "z"]}, "email": {}, "color": {}, "select": {}, "segmented": {},
    }
    steps = [{"id": "goal", "type": "question", "config": {
        "title": "Goal", "selection_mode": rng.choice(["single", "multi"]), "options": options(), "skip_enabled": True}}]
    for step in range(rng.randint(1, 3)):
        fields = []
        for index, kind in enumerate(pick(rng, sorted(kinds), 3)):
            field = {"id": f"f{index}", "type": kind, "label": f"Field {index}", "sensitive": some(rng, 0.15),
                     "config": dict(kinds[kind])}
            if kind in ("select", "segmented"):
                field["options"] = options()
                if kind == "select" and some(rng):
                    field["config"]["multi_select"] = True
            fields.append(field)
        steps.append({"id": f"form{step}", "type": "form", "config": {
            "title": f"Form {step}", "fields": fields, "skip_enabled": True}})
    steps.append({"id": "end", "type": "welcome", "config": {"title": "End"}})
    return {"kind": "flow", "name": f"Flow {number}", "steps": steps, "keep": ["plan"]}


def experiment(presented):
    branches = []
    for branch, option in [("control", "bad"), ("other", "\U0001f98a \"good\"")]:
        messages = {
            f"ask-{branch}": {"surface": "home", "text": "Hello", "experiment": "{experiment}", "presents": presented},
            f"mood-{branch}": {"surface": "microsurvey", "text": "How?", "experiment": "{experiment}",
                               "microsurveyConfig": {"options": [option, "fair"]}}}
        branches.append({"slug": branch, "ratio": 1, "features": [
            {"featureId": "messaging", "value": {"messages": messages}}]})
    return {"schemaVersion": "1.12.0", "id": "exp", "slug": "exp", "userFacingName": "e", "userFacingDescription": "e",
            "isRollout": False, "appName": "data", "channel": "", "targeting": "true", "isEnrollmentPaused": False,
            "bucketConfig": {"randomizationUnit": "nimbus_id", "namespace": "exp", "start": 0, "count": 10000,
                             "total": 10000},
            "proposedEnrollment": 7, "referenceBranch": "control", "branches": branches}


# The answers


def number_text(rng):
    return rng.choice([str(rng.randint(0, 250)), f"{rng.randint(0, 50)}.5", "1234", "0.0371", "2.3", "-7", "99999", "12.34"])


def answer(rng, question):
    """An answer to a question of a questionnaire or survey."""
    match question.get("type", question.get("question_type")):
        case "text" | "single_text_area": return rng.choice(TEXTS)
        case "single_choice": return rng.choice(question["options"])["id"]
        case "multi_choice": return [option["id"] for option in pick(rng, question["options"], 0)]
        case "rating": return rng.randint(1, question["scale"])
        case "nps": return rng.randint(0, 10)
        case "single_select":
            option = rng.choice(question["options"])
            return option if isinstance(option, str) else {option["title"]: rng.choice(["own words", "\U0001f98a"])}
        case "multi_select": return [title(option) for option in pick(rng, question["options"], 0)]
        case "segment_select": return rng.choice(question["values"])
        case "table_select":
            rows = question["table_questions"] if some(rng, 0.8) else question["table_questions"][:1]
            return {row["id"]: rng.choice(question["options"]) for row in rows}
        case "single_text_field":
            return number_text(rng) if question["input_type"] == "number" and some(rng, 0.9) else rng.choice(TEXTS)
        case "multi_text_field": return {
            field["label"]: number_text(rng) if field["input_type"] == "number" else rng.choice(TEXTS)
            for field in pick(rng, question["fields"], 0)}
        case "dynamic_label_text_field":
            labels = rng.choice(question["label_options"])
            return {label: number_text(rng) for label in ([labels] if isinstance(labels, str) else labels)}
        case "add_text_field": return pick(rng, TEXTS[:6], 0)
        case "year_picker": return str(rng.randint(1950, 2030))
        case "date_picker": return str(datetime.date(2020, 1, 1) + datetime.timedelta(rng.randrange(3650)))
    raise AssertionError(question)


def field_answer(rng, field):
    options = field.get("options", [])

    def option():
        chosen = rng.choice(options)
        return chosen.get("value", chosen["id"]) if some(rng) else chosen["id"]

    match field["type"]:
        case "number": return rng.choice([rng.randint(-50, 5000), rng.randint(0, 20) + 0.5, 0.0371, 1234.5, 2.3])
        case "slider": return rng.randint(0, 5000)
        case "stepper": return rng.randint(0, 300)
        case "range_slider": return {"low": rng.randint(0, 200), "high": rng.randint(201, 500)}
        case "rating": return rng.randint(2, 10) / 2
        case "toggle": return some(rng)
        case "date": return str(datetime.date(2020, 1, 1) + datetime.timedelta(rng.randrange(3650)))
        case "time": return f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
        case "datetime": return f"202{rng.randint(0, 9)}-0{rng.randint(1, 9)}-11T0{rng.randint(0, 9)}:10:00"
        case "text": return rng.choice(["plain", "", "Zo\u00eb \U0001f98a", "it's \"q\""])
        case "chips": return pick(rng, ["x y", "z"], 0)
        case "email": return "a@example.org"
        case "color": return "#a0b1c2"
        case "select":
            if field["config"].get("multi_select"):
                return [chosen["id"] for chosen in pick(rng, options, 0)]
            return option()
        case "segmented": return option()
    raise AssertionError(field)


class DataSet:
    def __init__(self, client, number):
        self.client, self.number = client, number
        self.rng = random.Random(SEED * 1000 + number)
        self.app = ["set", "Set.", "s\u00e4t %", "a b&c"][number % 4] + str(number)
        self.path = "/v1/apps/" + urllib.parse.quote(self.app, safe="")
        self.recipes = {}
        # The questions that the second revision asks on another scale.
        self.rescaled = set()

    def put(self, path, document):
        return self.client.json("PUT", f"{self.path}/{path}", document)

    def publish(self):
        rng = self.rng
        self.put("manifest", {"app_name": "data", "default_locale": "en", "surfaces": ["home", "microsurvey"],
                              "attributes": {"plan": "string"}})
        self.recipes = {"qa": questionnaire(rng, 1), "qb": questionnaire(rng, 2), "sa": survey(rng, 1),
                        "sb": survey(rng, 2), "fl": flow(rng, 1)}
        for slug, document in self.recipes.items():
            self.put(f"recipes/{slug}", document)
        self.put("recipes/exp", experiment("qa"))
        self.put("recipes/mood", {"messages": {"mood": {
            "surface": "microsurvey", "text": "How?", "trigger-if-all": ["ALWAYS"],
            "microsurveyConfig": {"options": OPTIONS[:4]}}}})

    def respondent(self, number):
        rng = self.rng
        if some(rng, 0.3):
            return {"user_id": f"{rng.choice(USERS)} {number}"}
        return {"client_id": f"client-{number}"} if some(rng, 0.9) else {}

    def save(self, slug, number):
        """A list of requests, one after another, of one respondent."""
        rng, document = self.rng, self.recipes[slug]
        kind = document["kind"]
        who = self.respondent(number)
        common = {"is_dev": some(rng, 0.15), "force": some(rng, 0.05)}
        if some(rng, 0.6):
            common["attributes"] = {"plan": rng.choice(["pro", "free", "it's \"x\""])}
        if slug == "qa" and who.get("client_id") and some(rng, 0.6):
            common["message"] = rng.choice(["ask-control", "ask-other"])
        questions = document["schema"]["questions"] if kind == "questionnaire" else document["questions"]
        saves = []
        for _ in range(rng.choice([1, 1, 2])):
            answers = {question["id"]: answer(rng, question) for question in questions if some(rng, 0.8)}
            saves.append({**who, **common, "answers": answers, "is_complete": False})
        saves[-1]["is_complete"] = some(rng, 0.7)
        return [("POST", f"{self.path}/{kind}s/{slug}/responses", save) for save in saves]

    def run_flow(self, number, plan):
        document = self.recipes["fl"]
        run = self.client.json("POST", f"{self.path}/flows/fl/runs", plan["start"])
        for step, (action, response) in zip(document["steps"], plan["actions"]):
            # An open run goes on where it stands.
            if run["step_id"] != step["id"]:
                continue
            status, _, body = self.client.send("POST", f"{self.path}/runs/{run['run_id']}/advance", {
                "step_id": step["id"], "action": action, "response": response})
            if status != 200:
                assert status == 422, body
                return
            run = json.loads(body)
        if plan["dismiss"]:
            self.client.send("POST", f"{self.path}/runs/{run['run_id']}/dismiss", {})

    def flow_plan(self, number):
        rng, steps = self.rng, self.recipes["fl"]["steps"]
        actions = []
        for step in steps[:rng.randint(0, len(steps))]:
            if step["type"] == "welcome":
                response = {}
            elif step["type"] == "question":
                ids = [option["id"] for option in step["config"]["options"]]
                response = {"selected": pick(rng, ids) if step["config"]["selection_mode"] == "multi" else [rng.choice(ids)]}
            else:
                response = {field["id"]: field_answer(rng, field) for field in step["config"]["fields"] if some(rng, 0.8)}
            skips = step["type"] != "welcome" and some(rng, 0.1)
            actions.append(("skip", {}) if skips else ("next", response))
        start = {**(self.respondent(number) or {"client_id": f"client-{number}"}),
                 **({"attributes": {"plan": rng.choice(["pro", "free"])}} if some(rng) else {})}
        return {"start": start, "actions": actions, "dismiss": some(rng, 0.15)}

    def chain(self, requests):
        for method, path, body in requests:
            status, _, answer_ = self.client.send(method, path, body)
            assert status in (200, 201, 409, 422), (status, path, body, answer_)
            self.statuses[status] = self.statuses.get(status, 0) + 1

    def answer_all(self, pool, people):
        """All answers, at the same time; what is sent depends on the seed alone."""
        self.statuses = {}
        jobs = []
        for number in range(people):
            client = f"client-{number}"
            if some(self.rng, 0.7):
                jobs.append(pool.submit(self.microsurvey, client, self.rng.choice(["0", "1"]), some(self.rng)))
        for job in jobs:
            job.result()
        jobs = []
        for slug in ("qa", "qb", "sa", "sb"):
            jobs += [pool.submit(self.chain, self.save(slug, number)) for number in range(people)]
        jobs += [pool.submit(self.run_flow, number, self.flow_plan(number)) for number in range(people)]
        for job in jobs:
            job.result()

    def microsurvey(self, client, option, both):
        messages = self.client.json("GET", f"{self.path}/messages?client_id={client}")["messages"]
        asked = [message["key"] for message in messages if message["key"].startswith("mood-")]
        for message in asked + (["mood"] if both else []):
            self.chain([("POST", f"{self.path}/responses", {"client_id": client, "message": message, "option": option})])

    def change(self):
        """Deletes, judges and imports responses, and publishes second revisions: with another scale, and an option less."""
        rng = self.rng
        for slug in ("qa", "sa"):
            items = self.client.json(
                "GET", f"{self.path}/{self.recipes[slug]['kind']}s/{slug}/responses?limit=200")["items"]
            items.sort(key=lambda item: item["id"])
            for item in items[:2]:
                self.client.json("DELETE", f"{self.path}/responses/{item['id']}", expect=(200, 204))
            for item in items[2:5]:
                self.client.send("PATCH", f"{self.path}/responses/{item['id']}", {"status": "in_review"})
        questions = self.recipes["qb"]["schema"]["questions"]
        imported = []
        for number in range(20):
            begun = datetime.datetime(2026, 11, rng.randint(1, 20), rng.randint(0, 23), 59, 59)
            imported.append({
                "id": f"old-{number}", "user_id": f"old {number}", "created_at": begun.isoformat() + "Z",
                "submitted_at": (begun + datetime.timedelta(minutes=5)).isoformat() + "Z", "is_dev": some(rng, 0.2),
                "answers": {question["id"]: answer(rng, question) for question in questions}})
        told = self.client.json(
            "POST", f"{self.path}/questionnaires/qb/responses/import", {"source": "elsewhere", "responses": imported})
        assert told["imported"] > 0, told
        for slug in ("qb", "sb"):
            document = json.loads(json.dumps(self.recipes[slug]))
            questions = document["schema"]["questions"] if slug == "qb" else document["questions"]
            for question in questions:
                if question.get("type") == "rating":
                    question["scale"] = question["scale"] % 10 + 2
                    self.rescaled.add((slug, question["id"]))
                elif len(question.get("options", [])) > 2:
                    question["options"] = question["options"][1:]
            document["name"] += " again"
            self.recipes[slug] = document
            self.put(f"recipes/{slug}", document)


# The comparison


MACROS = """
-- The bin that results count a number in: whole and half numbers up to 200, otherwise two digits.
CREATE MACRO digits(m) AS power(10, greatest(floor(log10(m)) - 1, -6));
CREATE MACRO bin(n) AS CASE
    WHEN n = 0 THEN 0.0
    WHEN abs(n) <= 200 AND round(abs(n) * 2) = abs(n) * 2 THEN n
    ELSE sign(n) * floor(abs(n) / digits(abs(n)) + 1e-9) * digits(abs(n)) END;
"""


class Lake:
    """The exported tables of one app, in DuckDB."""

    def __init__(self, folder, app):
        self.database = duckdb.connect()
        self.database.execute("SET TimeZone='UTC'")
        self.database.execute(MACROS)
        for table in ("responses", "answers"):
            pattern = f"{folder}/{table}.parquet"
            self.database.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{pattern}')")

    def rows(self, sql, *parameters):
        return self.database.execute(sql, list(parameters)).fetchall()


def numbers(rows):
    """Counts by numbers, which may differ in their last digit."""
    return {float(f"{float(value):.9g}"): count for value, count in rows if count}


class Comparison:
    """The counts of one answer of `results`, and SQL for the same responses."""

    def __init__(self, lake, slug, where, parameters=()):
        self.lake, self.slug, self.where, self.parameters = lake, slug, where, list(parameters)
        self.compared = 0

    def ask(self, select, tail="", more="", *parameters):
        return self.lake.rows(
            f"SELECT {select} FROM answers a JOIN responses r USING (response_id) "
            f"WHERE r.slug = ? AND r.status NOT IN ('preview', 'screened_out') AND {self.where}"
            f"{' AND ' + more if more else ''} {tail}", self.slug, *self.parameters, *parameters)

    def responses(self, select, more="true", tail=""):
        return self.lake.rows(
            f"SELECT {select} FROM responses r WHERE r.slug = ? AND r.status NOT IN ('preview', 'screened_out') "
            f"AND {self.where} AND {more} {tail}", self.slug, *self.parameters)

    def equal(self, told, found, what):
        self.compared += 1
        assert told == found, f"{self.slug} {what} where {self.where}: results {told}, DuckDB {found}"

    def totals(self, results):
        self.equal(results["total_responses"], self.responses("count(*)")[0][0], "responses")
        self.equal(results["submitted_count"], self.responses("count(*)", "submitted_at IS NOT NULL")[0][0], "submitted")
        for status in ("active", "completed", "dismissed"):
            if status in results:
                found = self.responses("count(*)", f"run_status = '{status}'")[0][0]
                self.equal(results[status], found, status)
        if "outcomes" in results:
            found = dict(self.responses("outcome->>'reason', count(*)", "outcome IS NOT NULL", "GROUP BY 1"))
            self.equal(results["outcomes"], found, "outcomes")
        if "days" in results:
            found = self.responses("strftime(created_at, '%Y-%m-%d'), count(*), count(submitted_at)", tail="GROUP BY 1")
            told = {(day["day"], day["started"], day["submitted"]) for day in results["days"]}
            self.equal(told, set(found), "days")

    def question(self, question, sensitive):
        field, step = question.get("field", question["id"]), question.get("step")
        more = "a.question_id = ? AND a.step_id IS NOT DISTINCT FROM ?"
        key = (field, step)
        what = f"{step}/{field} ({question.get('type', '')})"
        if sensitive:
            self.equal(0, self.ask("count(*)", "", more, *key)[0][0], f"sensitive {what}")
            return
        self.equal(question["total_answered"], self.ask("count(DISTINCT response_id)", "", more, *key)[0][0], what)
        if "choices" in question:
            found = self.ask("value, count(*)", "GROUP BY 1", more, *key)
            # Who chose nothing of a multi_select has answered, too.
            found = [(value, count) for value, count in found if value != "[]"]
            told = {choice["id"]: choice["count"] for choice in question["choices"]}
            if (others := question.get("others")) is None:
                found = [(value, count) for value, count in found if value in told]
            else:
                told |= {choice["id"]: choice["count"] for choice in others}
            self.equal({value: count for value, count in told.items() if count}, dict(found), what)
        if "buckets" in question:
            told = {bucket["value"]: bucket["count"] for bucket in question["buckets"] if bucket["count"]}
            self.equal(told, dict(self.ask("number::INT, count(*)", "GROUP BY 1", more, *key)), what)
            self.average(question, told, self.ask("avg(number)", "", more, *key)[0][0], what)
        if question.get("score") is not None:
            found = self.ask(
                "count(*) FILTER (number >= 9), count(*) FILTER (number IN (7, 8)), count(*) FILTER (number <= 6)", "", more,
                *key)[0]
            self.equal((question["promoters"], question["passives"], question["detractors"]), found, what)
            score = math.floor(100 * (found[0] - found[2]) / sum(found) + 0.5)
            self.equal(question["score"], score, f"{what} score")
        if "distribution" in question:
            self.distribution(question["distribution"], more, key, what)
        for amounts in question.get("amounts", []):
            self.distribution(amounts, more + " AND a.part = ?", (*key, amounts["label"]), what)
        for row in question.get("rows", []):
            found = dict(self.ask("value, count(*)", "GROUP BY 1", more + " AND a.part = ?", *key, row["id"]))
            self.equal({choice["id"]: choice["count"] for choice in row["choices"] if choice["count"]}, found, what)
            self.equal(row["total_answered"], sum(found.values()), what)
        if "units" in question:
            # The set of labels of each answer, in the order of the set.
            rows = self.ask("response_id, string_agg(part, ', ' ORDER BY ordinal)", "GROUP BY 1", more, *key)
            found = {}
            for _, labels in rows:
                found[labels] = found.get(labels, 0) + 1
            self.equal({unit["labels"]: unit["count"] for unit in question["units"]}, found, what)

    def average(self, question, told, found, what):
        if "average" not in question:
            return
        if not told:
            return self.equal((None, None), (question["average"], found), what)
        exact = sum(value * count for value, count in told.items()) / sum(told.values())
        self.compared += 1
        assert abs(exact - found) <= 1e-9 and abs(question["average"] - found) <= 0.005 + 1e-9, (what, question, found)

    def distribution(self, distribution, more, key, what):
        buckets = [(bucket["value"], bucket["count"]) for bucket in distribution["buckets"]]
        if distribution["kind"] == "number":
            # A year is a bin of its own.
            value = "number" if "year_picker" in what else "bin(number)"
            found = self.ask(f"{value}, count(*)", "GROUP BY 1", more + " AND number IS NOT NULL", *key)
            return self.equal(numbers(buckets), numbers(found), what)
        length = {"month": 7, "hour": 2}[distribution["kind"]]
        self.equal(dict(buckets), dict(self.ask(f"left(value, {length}), count(*)", "GROUP BY 1", more, *key)), what)


def sensitive_fields(document):
    if document["kind"] == "flow":
        return {(field["id"], step["id"]) for step in document["steps"]
                for field in step["config"].get("fields", []) if field["sensitive"]}
    questions = document["schema"]["questions"] if document["kind"] == "questionnaire" else document["questions"]
    return {(question["id"], None) for question in questions if question["sensitive"]}


def compare(data, lake):
    """All counts of `results` for all recipes, filtered in several ways. Returns how many were compared."""
    dev = "NOT r.is_dev"
    views = [("", dev, ()), ("data_mode=development", "r.is_dev", ()), ("data_mode=all", "true", ()),
             ("submitted_only=true", f"{dev} AND r.submitted_at IS NOT NULL", ()),
             ("from=2026-11-03&to=2026-11-12", f"{dev} AND r.created_at::DATE BETWEEN '2026-11-03' AND '2026-11-12'", ()),
             ("attr.plan=pro", f"{dev} AND r.attributes->>'plan' = 'pro'", ()),
             ("imported=false", f"{dev} AND r.source IS NULL", ()), ("imported=true", f"{dev} AND r.source IS NOT NULL", ()),
             ("branch=exp%2Fcontrol", f"{dev} AND r.experiment = 'exp' AND r.branch = 'control'", ())]
    compared = 0
    for slug, document in data.recipes.items():
        hidden = sensitive_fields(document)
        for query, where, parameters in views:
            if "imported" in query and document["kind"] == "flow" or "branch" in query and slug != "qa":
                continue
            results = data.client.json("GET", f"{data.path}/results/{slug}?{query}")
            comparison = Comparison(lake, slug, where, parameters)
            comparison.totals(results)
            compare_questions(comparison, results, hidden, data.rescaled)
            for branch in results.get("branches", []):
                part = Comparison(lake, slug, f"{where} AND r.experiment = ? AND r.branch = ?",
                                  (*parameters, branch["experiment"], branch["branch"]))
                part.totals(branch)
                compare_questions(part, branch, hidden, data.rescaled)
                compared += part.compared
            compared += comparison.compared
        compared += compare_groups(data, lake, slug, "plan", "r.attributes->>'plan' = ?", hidden)
        # Groups of periods and rounds have the submitted responses.
        submitted = "r.submitted_at IS NOT NULL AND "
        compared += compare_groups(data, lake, slug, "month", submitted + "strftime(r.created_at, '%Y-%m') = ?", hidden)
        if "repeat" in document:
            compared += compare_groups(data, lake, slug, "round", submitted + "r.round = ?", hidden)
    return compared + compare_microsurveys(data, lake)


def compare_groups(data, lake, slug, by, where, hidden):
    compared = 0
    for group in data.client.json("GET", f"{data.path}/results/{slug}?by={by}")["by"]["groups"]:
        part = Comparison(lake, slug, f"NOT r.is_dev AND {where}", (group["value"],))
        part.totals(group)
        compare_questions(part, group, hidden, data.rescaled)
        compared += part.compared
    return compared


def compare_questions(comparison, results, hidden, rescaled):
    """Of a second revision, `other_revisions` has the answers on another scale, and the options that are gone. Groups
    and branches have neither."""
    others = {}
    for other in results.get("other_revisions", []):
        others.setdefault(other["id"], []).append(other)
    for question in results["questions"]:
        field, step = question.get("field", question["id"]), question.get("step")
        part = {**question, "field": field, "step": step}
        if (comparison.slug, field) in rescaled:
            # The revision of the response tells the two scales apart.
            for one, revision in [(part, "r.revision > 1"), *((other, "r.revision = 1") for other in others.get(field, []))]:
                split = Comparison(comparison.lake, comparison.slug, f"{comparison.where} AND {revision}",
                                   comparison.parameters)
                split.question({**one, "field": field, "step": step}, (field, step) in hidden)
                comparison.compared += split.compared
            continue
        if "other_revisions" in results:
            part["others"] = [choice for other in others.get(question["id"], []) for choice in other.get("choices", [])]
        comparison.question(part, (field, step) in hidden)


def compare_microsurveys(data, lake):
    compared = 0
    for slug in ("mood", "exp"):
        for message in data.client.json("GET", f"{data.path}/results/{slug}")["messages"]:
            if not message["is_microsurvey"]:
                continue
            lines = [(message["all"], "true", ())] + [
                (line, "branch IS NOT DISTINCT FROM ?", (line["branch"],)) for line in message["branches"]]
            for line, where, parameters in lines:
                found = dict(lake.rows(
                    "SELECT value, count(*) FROM answers WHERE kind = 'microsurvey' AND slug = ? AND question_id = ? "
                    f"AND {where} GROUP BY 1", message["message"], message["message"], *parameters))
                told = {option["option"]: option["count"] for option in line["options"] if option["count"]}
                assert told == found and line["answers"] == sum(found.values()), (message["message"], told, found)
                compared += 1 + len(line["options"])
    return compared


# The lists


def listed(data, slug):
    kind, query, items = data.recipes[slug]["kind"], "", []
    path = f"{data.path}/flows/{slug}/runs" if kind == "flow" else f"{data.path}/{kind}s/{slug}/responses"
    while True:
        page = data.client.json("GET", f"{path}?limit=200{query}")
        items += page["items"]
        if not page["has_more"]:
            return items
        query = "&cursor=" + urllib.parse.quote(page["cursor"])


def time(text):
    return text and datetime.datetime.fromisoformat(text)


def compare_lists(data, lake):
    """Every response of the lists is a row with the same facts, and its answers in words are those of the parts."""
    count = 0
    for slug in data.recipes:
        rows = {row[0]: row for row in lake.rows(
            "SELECT response_id, user_id, client_id, status, is_dev, revision, created_at, updated_at, submitted_at, "
            "message, experiment, branch, run_status, step_id, round, source, source_id, attributes::JSON, outcome::JSON "
            "FROM responses WHERE slug = ?", slug)}
        items = {item["id"]: item for item in listed(data, slug)}
        assert set(items) == set(rows), (slug, set(items) ^ set(rows))
        for id, item in items.items():
            origin = item.get("origin") or {}
            wanted = (
                id, item["user_id"], item["client_id"], item["status"], item["is_dev"], item["revision"],
                time(item["created_at"]), time(item["updated_at"]), time(item["submitted_at"]), item.get("message"),
                item.get("experiment"), item.get("branch"), item.get("run_status"), item.get("step_id"),
                # Lists leave out the only round of a recipe that is asked once.
                item["round"] if "round" in item else rows[id][14],
                origin.get("source"), origin.get("id"))
            assert rows[id][:17] == wanted, (rows[id], wanted)
            for text, name in [(rows[id][17], "attributes"), (rows[id][18], "outcome")]:
                assert (json.loads(text) if text else None) == (item.get(name) or None), (text, item)
        count += len(items)
        if slug in ("qb", "sb"):
            continue
        found = {}
        for id, step, question, text in lake.rows(
                "SELECT response_id, step_id, question_id, string_agg(text, ', ' ORDER BY ordinal) FROM answers "
                "WHERE slug = ? GROUP BY ALL HAVING count(part) = 0", slug):
            found[id, step, question] = text
        told = {(id, text.get("step_id"), text["id"]): text["answer"] for id, item in items.items() for text in item["texts"]}
        for key, text in found.items():
            # A part has its option alone.
            assert key in told and told[key] == text, (slug, key, text, told.get(key))
    return count


# The files


def export(daemon, app, *arguments, expect=0):
    done = subprocess.run(
        [os.environ["BELLWETHER"], "export", "--data", os.path.join(daemon.directory.name, "data"), "--app", app,
         *arguments], capture_output=True, timeout=120)
    assert done.returncode == expect, (arguments, done)
    return done.stdout


def today():
    return datetime.datetime.now(datetime.timezone.utc).date()


def days():
    """A range that has all answers, whatever midnight does."""
    return ["--from", "2026-10-01", "--to", str(today() + datetime.timedelta(1))]


def export_tables(daemon, data, folder):
    for table in ("responses", "answers"):
        path = os.path.join(folder, f"{table}.parquet")
        content = export(daemon, data.app, *days(), "--format", "parquet", "--table", table, "--output", path)
        assert content == b""
    return Lake(folder, data.app)


EXTRA_TEXTS = ["message_key", "message_surface", "survey_id", "user_selection", "option_string_id", "locale", "feature_id",
               "slug", "flow_id", "step_id"]


def expected_event(line, app):
    """The columns of a record as the NDJSON has it. `received_at` is not in it."""
    record = json.loads(line)
    extra = record.get("extra", {})

    def text(name):
        return extra[name] if isinstance(extra.get(name), str) else None

    def integer(name):
        value = extra.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, str)):
            return None
        try:
            return int(value)
        except ValueError:
            return None

    at = datetime.datetime.fromisoformat(record["at"])
    row = {"cursor": record["cursor"], "event_at": at, "app": app, "client_id": record["client_id"],
           "category": record["category"], "name": record["name"],
           "experiment": record.get("experiment", text("experiment")), "branch": record.get("branch", text("branch")),
           "option_index": integer("option_index"), "revision": integer("revision")}
    row.update({name: text(name) for name in EXTRA_TEXTS})
    return row, extra


def compare_events(daemon, app, folder):
    """The events of an app by three readers, against the NDJSON. Returns the number of records."""
    path = os.path.join(folder, "events.parquet")
    content = export(daemon, app, *days(), "--format", "parquet")
    with open(path, "wb") as file:
        file.write(content)
    lines = export(daemon, app, *days()).decode().splitlines()
    expected = [expected_event(line, app) for line in lines]
    table = pyarrow.parquet.read_table(path)
    table.validate(full=True)
    rows = table.to_pylist()
    assert len(rows) == len(expected), (len(rows), len(expected))
    required = {"position", "cursor", "received_at", "event_at", "app", "client_id", "category", "name", "extra"}
    assert {field.name for field in table.schema if not field.nullable} == required
    # Every column is one of these.
    assert set(table.column_names) == set(expected[0][0]) | {"position", "received_at", "extra"}, table.column_names
    for row, (wanted, extra) in zip(rows, expected):
        assert {name: row[name] for name in wanted} == wanted, (row, wanted)
        assert json.loads(row["extra"]) == extra, (row, extra)
    positions = table["position"].to_pylist()
    assert positions == sorted(set(positions)) and [number(row["cursor"]) for row in rows] == positions
    # Records of requests at the same time may have their times in another order.
    received = table["received_at"].to_pylist()
    assert min(received) >= BEGUN and max(received) <= datetime.datetime.now(datetime.timezone.utc)
    database = duckdb.connect()
    database.execute("SET TimeZone='UTC'")
    frame = polars.read_parquet(path)
    for column in table.column_names:
        values = [row[column] for row in rows]
        kept = [value for value in values if value is not None]
        found = database.execute(
            f"SELECT count(*), count(\"{column}\"), min(\"{column}\"), max(\"{column}\") FROM '{path}'").fetchone()
        # Texts are compared as bytes.
        order = (lambda value: value.encode()) if kept and isinstance(kept[0], str) else None
        wanted = (len(values), len(kept), min(kept, key=order, default=None), max(kept, key=order, default=None))
        assert found == wanted, (column, found, wanted)
        assert database.execute(f"SELECT \"{column}\" FROM '{path}' ORDER BY position").fetchall() == [(v,) for v in values]
        assert frame[column].to_list() == values and frame[column].null_count() == len(values) - len(kept), column
    return len(rows)


def number(cursor):
    """The number in a cursor's text: 36 digits, after one letter."""
    return int(cursor.split("-")[0][1:], 36)


def pages_of_events(client, app_path, app, path):
    """The pages of the telemetry as Parquet are the export."""
    whole = pyarrow.parquet.read_table(path)
    cursor, tables = "", []
    while True:
        status, headers, body = client.send(
            "GET", f"{app_path}/telemetry?format=parquet&limit=97&after={urllib.parse.quote(cursor)}")
        assert status == 200, body
        assert headers["Content-Type"].startswith("application/vnd.apache.parquet"), headers["Content-Type"]
        page = pyarrow.parquet.read_table(io.BytesIO(body))
        if not page.num_rows:
            assert headers["Bellwether-Next"] == cursor
            break
        assert page.num_rows <= 97 and page.schema == whole.schema
        metadata = pyarrow.parquet.read_metadata(io.BytesIO(body)).metadata
        assert metadata[b"bellwether.first"].decode() == page["cursor"][0].as_py()
        assert metadata[b"bellwether.last"].decode() == page["cursor"][-1].as_py()
        tables.append(page)
        cursor = headers["Bellwether-Next"]
    assert pyarrow.concat_tables(tables).to_pylist() == whole.to_pylist()
    return len(tables)


def pages_of_responses(client, data, folder):
    count = 0
    for table in ("responses", "answers"):
        whole = pyarrow.parquet.read_table(os.path.join(folder, f"{table}.parquet"))
        cursor, tables = None, []
        while cursor is not None or not tables:
            after = f"&cursor={urllib.parse.quote(cursor)}" if cursor else ""
            status, headers, body = client.send(
                "GET", f"{data.path}/responses?format=parquet&table={table}&limit=13&from=2026-10-01{after}")
            assert status == 200, body
            page = pyarrow.parquet.read_table(io.BytesIO(body))
            assert page.schema.equals(whole.schema), (page.schema, whole.schema)
            assert table == "answers" or page.num_rows <= 13
            tables.append(page)
            cursor = headers["Bellwether-Next"]
        found = pyarrow.concat_tables(tables).to_pylist()
        key = [(name, "ascending") for name in ("response_id", "question_id", "step_id", "ordinal")
               if name in whole.column_names]
        assert len(found) == whole.num_rows
        assert pyarrow.Table.from_pylist(found, whole.schema).sort_by(key) == whole.sort_by(key).replace_schema_metadata(
            whole.schema.metadata), table
        count += len(tables)
    return count


def folders(daemon, data, folder):
    """`--output FOLDER/` gives a file for each day, which together are the one of `--output FILE`."""
    root = os.path.join(folder, "lake")
    end = today() + datetime.timedelta(1)
    start = datetime.date(2026, 11, 1)
    for table in ("events", "responses", "answers"):
        export(daemon, data.app, "--from", str(start), "--to", str(end), "--format", "parquet", "--table", table,
               "--output", root + "/")
        [app] = os.listdir(f"{root}/{table}/v1")
        names = {entry for entry in os.listdir(f"{root}/{table}/v1/{app}")}
        [key] = {name.split("=")[0] for name in names}
        assert names == {f"{key}={start + datetime.timedelta(n)}" for n in range((end - start).days + 1)}, names
        files = f"read_parquet('{root}/{table}/v1/*/{key}=*/data.parquet', hive_partitioning = true)"
        whole = f"read_parquet('{folder}/{table}.parquet')"
        with duckdb.connect() as database:
            database.execute("SET TimeZone='UTC'")
            for one, other in [(f"SELECT * EXCLUDE ({key}) FROM {files}", f"SELECT * FROM {whole}"),
                               (f"SELECT * FROM {whole}", f"SELECT * EXCLUDE ({key}) FROM {files}")]:
                assert not database.execute(f"{one} EXCEPT ALL {other}").fetchall(), table
            [(count,)] = database.execute(f"SELECT count(*) FROM {files}").fetchall()
            # The folder names the day of each row.
            moment = "received_at" if table == "events" else "created_at"
            wrong = database.execute(f"SELECT count(*) FROM {files} WHERE {moment}::DATE != {key}::DATE").fetchall()
            assert wrong == [(0,)], (table, wrong)
        dataset = pyarrow.dataset.dataset(f"{root}/{table}/v1/{app}", partitioning="hive", format="parquet")
        assert dataset.count_rows() == count > 0
        pattern = f"{root}/{table}/v1/**/*.parquet"
        assert polars.scan_parquet(pattern).select(polars.len()).collect().item() == count


EVENTS_APP = "events"


def many_events(client, daemon):
    """An app with every kind of record, with properties and odd texts."""
    path = f"/v1/apps/{EVENTS_APP}"
    rng = random.Random(SEED)
    client.json("PUT", f"{path}/manifest", {
        "app_name": "events", "default_locale": "en", "surfaces": ["home", "microsurvey"],
        "application_ids": ["org.example.events"],
        "events": {"bought": {"properties": {"amount": "number", "plan": "string", "gift": "boolean"}}}})
    client.json("PUT", f"{path}/recipes/mood", {"messages": {
        "mood": {"surface": "microsurvey", "text": "How?", "microsurveyConfig": {"options": OPTIONS[:3]}},
        "hello": {"surface": "home", "text": "Hello"}}})
    client.json("PUT", f"{path}/recipes/exp", experiment("none"))
    for person in range(60):
        who = f"{rng.choice(USERS)} {person}"
        events = [{"type": "behavior", "name": rng.choice(["bought", "opened \U0001f98a", "x\"y"]),
                   "count": rng.randint(1, 5), "properties": {
                       "amount": rng.choice([1.5, -3, 1e300, 0]), "plan": rng.choice(TEXTS[:8]), "gift": some(rng)}}
                  for _ in range(rng.randint(1, 6))]
        events += [{"type": "message", "action": "displayed", "message": "hello"},
                   {"type": "message", "action": rng.choice(["clicked", "dismissed"]), "message": "hello"},
                   {"type": "microsurvey", "action": "shown", "message": "mood"}]
        client.json("POST", f"{path}/messages", {"client_id": who, "events": events})
        client.send("POST", f"{path}/responses", {"client_id": who, "message": "mood", "option": str(rng.randint(0, 2))})
        # A ping has whatever a phone sends, also under the names of columns.
        extra = rng.choice([
            {"option_index": "1", "revision": "7", "locale": "de"}, {"option_index": "1.5", "revision": "x"},
            {"slug": "s\u0000t", "feature_id": ""}, {"branch": "b", "experiment": "e", "message_key": "k"}, {}])
        ping = {"ping_info": {"seq": person, "start_time": "2026-11-20T10:00+00:00", "end_time": "2026-11-20T10:01+00:00"},
                "client_info": {"client_id": f"00000000-0000-4000-8000-{person:012}"},
                "events": [{"timestamp": 0, "category": "page", "name": "seen", "extra": extra}],
                "odd": [None, {"slug": 1, "branch": None, "revision": 2 ** 40}]}
        for name in ("events", "metrics"):
            document = f"{person:08x}-0000-4000-8000-{len(name):012}"
            status, _, answer_ = client.send("POST", f"/submit/org-example-events/{name}/1/{document}", ping)
            assert status == 200, answer_


def main():
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        settings = os.path.join(folder, "bellwether.yaml")
        with open(settings, "w") as file:
            file.write("telemetry:\n  behavior: true\n")
        daemon = stack.enter_context(Daemon("--config", settings))
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(8))
        client = Client(daemon)
        many_events(client, daemon)
        count = compare_events(daemon, EVENTS_APP, folder)
        pages = pages_of_events(client, f"/v1/apps/{EVENTS_APP}", EVENTS_APP, f"{folder}/events.parquet")
        print(f"ok: {count} events as Parquet, read by pyarrow, DuckDB and polars, are those of the NDJSON; so are {pages} pages")
        compared, items, rows, events, pages = 0, 0, 0, 0, 0
        for index in range(SETS):
            data = DataSet(client, index)
            data.publish()
            data.answer_all(pool, 25)
            data.change()
            data.answer_all(pool, 8)
            lake = export_tables(daemon, data, folder)
            compared += compare(data, lake)
            items += compare_lists(data, lake)
            rows += lake.rows("SELECT count(*) FROM answers")[0][0]
            events += compare_events(daemon, data.app, folder)
            pages += pages_of_events(client, data.path, data.app, f"{folder}/events.parquet")
            pages += pages_of_responses(client, data, folder)
            if index < 4:
                with tempfile.TemporaryDirectory() as files:
                    for table in ("events", "responses", "answers"):
                        os.link(f"{folder}/{table}.parquet", f"{files}/{table}.parquet")
                    folders(daemon, data, files)
        assert SETS < 20 or compared > 10_000, compared
        print(f"ok: {SETS} random sets, {rows} rows of answers: {compared} counts of results are those of DuckDB")
        print(f"ok: {items} responses of lists are rows with the same facts and words")
        print(f"ok: {events} events of these sets are those of the NDJSON, and {pages} pages are the exports")
        print("ok: folders of days have the rows of one file")


if __name__ == "__main__":
    main()
