"""The running daemon conforms to docs/openapi.yaml: schemathesis generates valid and invalid requests from the
document.

No answer is 500 or has a status that the document does not list. Content types, headers and schemas are those of the
document. The requests run with `--dev`, and with tokens of an administrator, of a client and without a token. Every run
sends the same requests (a seed, no database) and takes some minutes.
"""

import copy
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml
from daemon import Daemon

ROOT = Path(__file__).resolve().parent.parent
APP, CLIENT, RECORD = "shop", "client-1", "checkout-headline"
TOKENS = {"root": ("admin", "*", "root-text"), "phone": ("client", APP, "phone-text")}
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
          "response_schema_conformance", "unsupported_method", "missing_required_header"]

# The operations that delete or replace the app come last.
LAST = ["putManifest", "deleteManifest"]
# The operations that delete objects of other operations come after those operations.
DELETIONS = ["deleteResponse", "deleteComment", "deleteList"]

# Pages of samples exist only with --dev.
OF_DEV = ["GET /sample/{app}"]

# These need a token in the body, or an existing session: Tests/EndToEndTests/Security/SessionTests.swift has them.
# Or a provider: sign_in_test.py.
OF_PEOPLE = ["POST /v1/session", "DELETE /v1/sessions/{id}", "GET /v1/login", "GET /v1/login/callback"]

# The answer never ends: StreamRouteTests has it.
ENDLESS = ["openStream"]
OF_STREAMS = ["GET /v1/apps/{app}/stream"]

# These need a draft, a webhook that was given up, or a stage of the revision in force: DraftRoutesTests,
# WebhookRoutesTests and OwnerWriteAuditTests test them.
OF_STATES = ["DELETE /v1/apps/{app}/manifest/draft", "DELETE /v1/apps/{app}/strings/{locale}/draft",
             "DELETE /v1/apps/{app}/recipes/{slug}/draft", "POST /v1/apps/{app}/webhooks/{id}/retry",
             "POST /v1/apps/{app}/recipes/{slug}/advance"]

# These get the app from the token: without a token of one app they are always 400.
OF_ONE_APP = ["POST /ofrep/v1/evaluate/flags", "POST /ofrep/v1/evaluate/flags/{key}", "GET /v1/questionnaires/{slug}",
              "POST /v1/questionnaires/{slug}/responses", "POST /v1/questionnaires/dismiss", "POST /v1/identity/claim",
              "POST /v1/ingest"]

# The statuses that any request may get, from the document's preface, except for overload. `default` would allow all.
ANYWHERE = ["405", "408", "411", "413", "414", "431"]


def strict(document):
    """The document with the statuses of its preface instead of `default`."""
    problem = {"$ref": "#/components/responses/Problem"}
    for path in document["paths"].values():
        for method, operation in path.items():
            if method == "parameters":
                continue
            assert operation["responses"].pop("default") == problem, (method, operation["operationId"])
            # Schemathesis writes no lines: ListRouteTests have them.
            operation.get("requestBody", {}).get("content", {}).pop("application/x-ndjson", None)
            for status in ANYWHERE:
                operation["responses"].setdefault(status, problem)
    return document


def publish(daemon, headers):
    """Creates one object of each kind, so that requests find them."""
    folder = ROOT / "config" / "apps" / "firefox-ios"
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["application_ids"] = ["org.example.shop"]
    manifest["features"] = {"checkout": {"variables": {"steps": {"type": "int", "default": 3}}}}
    daemon.json("PUT", f"/v1/apps/{APP}/manifest", manifest, headers=headers)
    for file in sorted((folder / "strings").glob("*.json")):
        daemon.json("PUT", f"/v1/apps/{APP}/strings/{file.stem}", json.loads(file.read_text()), headers=headers)
    for file in sorted((ROOT / "recipes" / "firefox-ios").glob("*.json")):
        daemon.json("PUT", f"/v1/apps/{APP}/recipes/{file.stem}", json.loads(file.read_text()), headers=headers)
    branches = [{"slug": slug, "ratio": 1, "features": [{"featureId": "messaging", "value": {}}]}
                for slug in ["control", "treatment"]]
    daemon.json("PUT", f"/v1/apps/{APP}/recipes/{RECORD}", {
        "schemaVersion": "1.12.0", "slug": RECORD, "id": RECORD, "appName": manifest["app_name"], "appId": "x",
        "channel": "release", "userFacingName": RECORD, "userFacingDescription": RECORD, "isEnrollmentPaused": False,
        "isRollout": False, "proposedEnrollment": 7, "targeting": "true", "branches": branches, "bucketConfig": {
            "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 10000, "total": 10000}},
        headers=headers)
    daemon.json("POST", f"/v1/apps/{APP}/events", {"client_id": CLIENT, "events": [
        {"type": "behavior", "name": "homepage_viewed", "count": 2},
        {"type": "message", "action": "displayed", "message": "homepage-microsurvey-message"}]}, headers=headers)
    daemon.json("PUT", f"/v1/apps/{APP}/lists/beta", {"ids": [CLIENT]}, headers=headers)
    daemon.json("PUT", f"/v1/apps/{APP}/consumers/warehouse", {"cursor": ""}, headers=headers)
    daemon.json("PUT", f"/v1/apps/{APP}/recipes/first-trips", {"kind": "questionnaire", "name": "First trips", "schema": {
        "version": 1, "questions": [{"id": "recommend", "type": "nps", "title": "Recommend?"}]}}, headers=headers)
    daemon.json("PUT", f"/v1/apps/{APP}/recipes/hiking-habits", {"kind": "survey", "hosted": True, "questions": [
        {"id": "snack", "question": "Snack?", "question_type": "single_select", "options": ["Fruit", "Bread"]}]},
        headers=headers)
    ids = [daemon.json("POST", f"/v1/apps/{APP}/questionnaires/first-trips/responses", {
        "client_id": f"asked-{number}", "answers": {"recommend": 9}, "is_complete": True}, headers=headers)["id"]
        for number in range(2)]
    comment = daemon.json("POST", f"/v1/apps/{APP}/responses/{ids[1]}/comments", {"body": "?"}, headers=headers)["id"]
    daemon.json("PUT", f"/v1/apps/{APP}/recipes/welcome-tour", {"kind": "flow", "active": True, "steps": [
        {"id": "goal", "type": "question", "config": {"options": [{"id": "lose", "label": "Lose"}]}},
        {"id": "coach", "type": "interactive_chat", "config": {"chat_config": {"webhook": {"enabled": False}}}},
        {"id": "end", "type": "welcome", "config": {"title": "Welcome"}}]}, headers=headers)
    run = daemon.json("POST", f"/v1/apps/{APP}/flows/welcome-tour/runs", {"client_id": "toured"}, headers=headers)["run_id"]
    daemon.json("PUT", f"/v1/apps/{APP}/recipes/faces", {"kind": "flow", "steps": [
        {"id": "face", "type": "form", "config": {"fields": [{"id": "image", "type": "image_picker"}]}}]}, headers=headers)
    faces = daemon.json("POST", f"/v1/apps/{APP}/flows/faces/runs", {"client_id": "toured"}, headers=headers)["run_id"]
    file = daemon.json("POST", f"/v1/apps/{APP}/runs/{faces}/advance", {
        "step_id": "face", "response": {"image": "data:image/png;base64,AAAA"}}, headers=headers)["responses"]["face"]["image"]
    preview = daemon.json("POST", f"/v1/apps/{APP}/recipes/hiking-habits/preview", headers=headers)["url"]
    renderer = (ROOT / "Web" / "dist" / "digests").read_text().split()[-1]
    return {"path.response": ids[0], "path.comment": comment, "path.run_id": run, "path.ticket": preview.split("/")[-1],
            "path.file": renderer, "path.sha256": file["sha256"]}


def settings(header, names):
    """The values that schemathesis cannot guess: names of existing objects. Requests never wait for telemetry."""
    parameters = {"path.app": APP, "path.collection": "nimbus-mobile-experiments", "path.record": RECORD, "query.wait": 0,
                  "path.application_id": "org-example-shop", "path.key": "checkout.steps", **names}
    lines = ["[parameters]"] + [f'"{name}" = {json.dumps(value)}' for name, value in parameters.items()]
    if header:
        lines = [f"headers = {{ Authorization = {json.dumps(header)} }}"] + lines
    return "\n".join(lines) + "\n"


def open_to_all(document):
    """The document without security, for --dev."""
    document = copy.deepcopy(document)
    document["security"] = []
    for path in document["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict):
                operation.pop("security", None)
    return document


def successes(daemon):
    """How often each route was answered with a status below 400, by the daemon's own count."""
    text = daemon.request("GET", "/metrics")[2].decode()
    counts = {}
    for method, route, status, count in re.findall(
            r'^bellwether_requests_total\{method="(.*?)",route="(.*?)",status="(\d+)"\} (\d+)', text, re.M):
        place = f"{method} {route}"
        counts[place] = counts.get(place, 0) + (int(count) if status < "400" else 0)
    return counts


def run(title, document, header, tokens, examples):
    """Runs the document in parts, each with its own daemon, because a part may delete what another part needs. Returns
    the routes that never succeeded, or None if a part failed."""
    parts = [("", "--exclude-operation-id", LAST + DELETIONS + ENDLESS), (", deletions", "--include-operation-id", DELETIONS),
             (", manifests", "--include-operation-id", LAST)]
    results = [run_part(title + name, document, header, tokens, [str(examples)] + [
        word for operation in operations for word in (choice, operation)]) for name, choice, operations in parts]
    if None in results:
        return None
    places = {place for counts in results for place in counts}
    unasked = OF_ONE_APP + OF_PEOPLE + OF_STATES + OF_STREAMS + (OF_DEV if header else [])
    return sorted(place for place in places if place not in unasked and not any(counts.get(place) for counts in results))


def run_part(title, document, header, tokens, words):
    """How often each route succeeded, or None if a check failed."""
    with tempfile.TemporaryDirectory() as folder, Daemon(tokens=tokens) as daemon:
        names = publish(daemon, {"Authorization": "Bearer root-text"} if tokens else None)
        schema, config = Path(folder, "openapi.json"), Path(folder, "schemathesis.toml")
        schema.write_text(json.dumps(document))
        config.write_text(settings(header, names))
        print(f"-- {title}", flush=True)
        result = subprocess.run(
            [os.path.join(os.path.dirname(sys.executable), "st"), "--config-file", config, "run", schema, "--url",
             daemon.url, "--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing",
             "--generation-deterministic", "--suppress-health-check", "all", "--request-timeout", "30", "--warnings",
             "off", "--no-color", "--no-shrink", "--continue-on-failure", "--max-examples", *words], cwd=folder)
        status, _, answer = daemon.request("GET", "/__heartbeat__")
        assert status == 200, answer
        assert b"bellwether_exchanges_unanswered_total 0\n" in daemon.request("GET", "/metrics")[2]
        return successes(daemon) if result.returncode == 0 else None


with open(ROOT / "docs" / "openapi.yaml") as file:
    document = strict(yaml.safe_load(file))
everybody = run("as anybody, with --dev", open_to_all(document), None, None, 20)
administrator = run("with the token of an administrator", document, "Bearer root-text", TOKENS, 10)
others = [run("with the token of a client", document, "Bearer phone-text", TOKENS, 2),
          run("with an unknown token", document, "Bearer nobody", TOKENS, 2)]
for title, silent in [("--dev", everybody), ("the token of an administrator", administrator)]:
    print(f"routes that were never answered well, with {title}: {silent or 'none'}")
sys.exit(0 if everybody == administrator == [] and None not in others else 1)
