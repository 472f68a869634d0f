"""docs/openapi.yaml and the running daemon say the same: requests that schemathesis makes of the document, good and bad.

No 500, no status that the document does not name, its content types, headers and schemas. Once as `--dev`, and with
tokens as an administrator, as a client and as nobody. The same requests in every run (a seed, no database), in at most
some minutes.
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

# What takes the app away, or makes another of it, comes last.
LAST = ["putManifest", "deleteManifest"]

# Without a token of one app nothing names the app: these are always 400 then.
OF_ONE_APP = ["POST /ofrep/v1/evaluate/flags", "POST /ofrep/v1/evaluate/flags/{key}"]

# The document's preface: what any request may be answered with, but for overload. As `default` every status would pass.
ANYWHERE = ["405", "408", "411", "413", "414", "431"]


def strict(document):
    """The document with the statuses of its preface in the place of `default`."""
    problem = {"$ref": "#/components/responses/Problem"}
    for path in document["paths"].values():
        for method, operation in path.items():
            if method == "parameters":
                continue
            assert operation["responses"].pop("default") == problem, (method, operation["operationId"])
            for status in ANYWHERE:
                operation["responses"].setdefault(status, problem)
    return document


def publish(daemon, headers):
    """Something of everything, so that what is asked for is there."""
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
    daemon.json("PUT", f"/v1/apps/{APP}/consumers/warehouse", {"cursor": ""}, headers=headers)


def settings(header):
    """What schemathesis cannot guess: names of what there is. Telemetry is never waited for."""
    parameters = {"path.app": APP, "path.collection": "nimbus-mobile-experiments", "path.record": RECORD, "query.wait": 0,
                  "path.application_id": "org-example-shop", "path.key": "checkout.steps"}
    lines = ["[parameters]"] + [f'"{name}" = {json.dumps(value)}' for name, value in parameters.items()]
    if header:
        lines = [f"headers = {{ Authorization = {json.dumps(header)} }}"] + lines
    return "\n".join(lines) + "\n"


def open_to_all(document):
    """The document as it is under --dev."""
    document = copy.deepcopy(document)
    document["security"] = []
    for path in document["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict):
                operation.pop("security", None)
    return document


def successes(daemon):
    """How often each route was answered well, by the daemon's own count."""
    text = daemon.request("GET", "/metrics")[2].decode()
    counts = {}
    for method, route, status, count in re.findall(
            r'^bellwether_requests_total\{method="(.*?)",route="(.*?)",status="(\d+)"\} (\d+)', text, re.M):
        place = f"{method} {route}"
        counts[place] = counts.get(place, 0) + (int(count) if status < "400" else 0)
    return counts


def run(title, document, header, tokens, examples):
    """Runs it in two parts; the routes that were never answered well, or None where something failed."""
    with tempfile.TemporaryDirectory() as folder, Daemon(tokens=tokens) as daemon:
        publish(daemon, {"Authorization": "Bearer root-text"} if tokens else None)
        schema, config = Path(folder, "openapi.json"), Path(folder, "schemathesis.toml")
        schema.write_text(json.dumps(document))
        config.write_text(settings(header))
        passed = True
        for part, choice in [("", "--exclude-operation-id"), (", manifests", "--include-operation-id")]:
            print(f"-- {title}{part}", flush=True)
            result = subprocess.run(
                [os.path.join(os.path.dirname(sys.executable), "st"), "--config-file", config, "run", schema, "--url",
                 daemon.url, "--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing", "--max-examples",
                 str(examples), "--generation-deterministic", "--suppress-health-check", "all", "--request-timeout",
                 "30", "--warnings", "off", "--no-color", "--no-shrink", "--continue-on-failure",
                 *[word for name in LAST for word in (choice, name)]], cwd=folder)
            passed &= result.returncode == 0
        status, _, answer = daemon.request("GET", "/__heartbeat__")
        assert status == 200, answer
        assert b"bellwether_exchanges_unanswered_total 0\n" in daemon.request("GET", "/metrics")[2]
        silent = [place for place, count in successes(daemon).items() if count == 0 and place not in OF_ONE_APP]
        return silent if passed else None


with open(ROOT / "docs" / "openapi.yaml") as file:
    document = strict(yaml.safe_load(file))
everybody = run("as anybody, with --dev", open_to_all(document), None, None, 20)
administrator = run("with the token of an administrator", document, "Bearer root-text", TOKENS, 10)
others = [run("with the token of a client", document, "Bearer phone-text", TOKENS, 2),
          run("with an unknown token", document, "Bearer nobody", TOKENS, 2)]
for title, silent in [("--dev", everybody), ("the token of an administrator", administrator)]:
    print(f"routes that were never answered well, with {title}: {silent or 'none'}")
sys.exit(0 if everybody == administrator == [] and None not in others else 1)
