"""Features for OpenFeature's clients, by the OpenFeature Remote Evaluation Protocol.

OpenFeature's own SDK and provider for servers request single flags: every type, every reason, every error. A client of
this test requests all flags by the rules of the provider for browsers. At the end, schemathesis generates requests from
the protocol's OpenAPI document.
"""

import json
import logging
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import yaml
from daemon import Daemon
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import ErrorCode
from openfeature.flag_evaluation import Reason

APP = "shop"
TOKENS = {"root": ("admin", "*", "root-text"), "phone": ("client", APP, "phone-text"),
          "other": ("client", "other", "other-text"), "owner": ("owner", APP, "owner-text")}
ROOT = {"Authorization": "Bearer root-text"}
CLIENTS = [f"user-{number}" for number in range(300)]
# Targeting fails if it reads an attribute that was not sent, and a failure disqualifies: each client sends its plan.
PRO = {"plan": "pro"}
# The SDK logs each error for which it returns a default. This test provokes errors on purpose.
logging.getLogger("openfeature").setLevel(logging.CRITICAL)

MANIFEST = {
    "app_name": "shop", "default_locale": "en-US", "surfaces": ["card"], "attributes": {"plan": "string", "seats": "number"},
    "features": {
        "checkout": {"variables": {
            "steps": {"type": "int", "default": 3}, "label": {"type": "string", "default": "Buy"},
            "rate": {"type": "number", "default": 1}, "express": {"type": "boolean", "default": False},
            "layout": {"type": "json", "default": {"columns": 2}}, "hint": {"type": "string"}}},
        "search": {"variables": {"fuzzy": {"type": "boolean", "default": False}, "weights": {"type": "json"}}},
        "banner": {"variables": {"text": {"type": "string"}}}}}


def recipe(slug, feature, branches, **changes):
    return {
        "schemaVersion": "1.12.0", "slug": slug, "id": slug, "userFacingName": slug, "userFacingDescription": slug,
        "isEnrollmentPaused": False, "isRollout": False, "proposedEnrollment": 7, "targeting": "true",
        "bucketConfig": {"randomizationUnit": "nimbus_id", "namespace": slug, "start": 0, "count": 10000, "total": 10000},
        "branches": [{"slug": branch, "ratio": 1, "features": [{"featureId": feature, "value": value}]}
                     for branch, value in branches.items()], **changes}


RECIPES = [
    recipe("steps", "checkout", {"control": {}, "one": {"steps": 1}, "two": {"steps": 2, "rate": 2.5}}),
    recipe("fuzzy", "search", {"on": {"fuzzy": True, "weights": [1, 2.5]}}, isRollout=True, targeting="plan == 'pro'"),
    recipe("banner", "banner", {"on": {"text": "Sale"}}, isRollout=True),
]


def publish(daemon):
    daemon.json("PUT", f"/v1/apps/{APP}/manifest", MANIFEST, headers=ROOT)
    for document in RECIPES:
        daemon.json("PUT", f"/v1/apps/{APP}/recipes/{document['slug']}", document, headers=ROOT)
    daemon.json("POST", f"/v1/apps/{APP}/recipes/banner/state", {"state": "paused"}, headers=ROOT)


def provider(daemon, headers=None, base=""):
    return OFREPProvider(daemon.url + base, headers_factory=lambda: headers or {"Authorization": "Bearer phone-text"})


def client_of(daemon, headers=None, base=""):
    name = f"domain-{time.monotonic_ns()}"
    api.set_provider(provider(daemon, headers, base), name)
    return api.get_client(name)


def check_types(client):
    context = EvaluationContext("user-1", {"plan": "pro", "seats": 5})
    for details, value in [
            (client.get_string_details("checkout.label", "-", context), "Buy"),
            (client.get_boolean_details("checkout.express", True, context), False),
            (client.get_boolean_details("search.fuzzy", False, context), True),
            (client.get_object_details("checkout.layout", {}, context), {"columns": 2}),
            (client.get_object_details("search.weights", [], context), [1, 2.5]),
            (client.get_object_details("search", {}, context), {"fuzzy": True, "weights": [1, 2.5]})]:
        assert details.error_code is None and details.value == value, details
    for user in CLIENTS[:40]:
        context = EvaluationContext(user, PRO)
        steps = client.get_integer_details("checkout.steps", 9, context)
        rate = client.get_float_details("checkout.rate", 9.0, context)
        assert steps.error_code is None and type(steps.value) is int, steps
        assert rate.error_code is None and type(rate.value) is float, rate
        assert (steps.variant, steps.value, rate.value) in [("control", 3, 1.0), ("one", 1, 1.0), ("two", 2, 2.5)]
        whole = client.get_object_details("checkout", {}, context)
        assert whole.value["steps"] == steps.value and type(whole.value["rate"]) is float, whole
    print("every type arrives as what the SDK asks for")


def check_reasons(client):
    context = EvaluationContext("user-1", {"plan": "pro"})
    for key, reason, variant in [
            ("checkout.label", Reason.STATIC, "default"), ("search.fuzzy", Reason.TARGETING_MATCH, "on")]:
        ask = client.get_boolean_details if key == "search.fuzzy" else client.get_string_details
        details = ask(key, False if key == "search.fuzzy" else "", context)
        assert (details.reason, details.variant) == (reason, variant), details
    split = client.get_integer_details("checkout.steps", 9, context)
    assert split.reason == Reason.SPLIT and split.variant in ["control", "one", "two"], split
    assert split.flag_metadata == {"experiment": "steps", "feature_id": "checkout"}, split
    other = client.get_boolean_details("search.fuzzy", True, EvaluationContext("user-1", {"plan": "free"}))
    assert (other.value, other.reason) == (False, Reason.STATIC), other
    # Without a value the default in the code counts.
    for key, reason in [("checkout.hint", Reason.STATIC), ("banner.text", Reason.DISABLED)]:
        details = client.get_string_details(key, "mine", context)
        assert (details.value, details.reason, details.variant) == ("mine", reason, "default"), details
    print("STATIC, TARGETING_MATCH, SPLIT and DISABLED, with variants, metadata and the code's default")


def check_errors(daemon, client):
    def error(client, key, context):
        details = client.get_string_details(key, "mine", context)
        assert details.value == "mine" and details.reason == Reason.ERROR, details
        assert details.error_message, details
        return details.error_code

    good = EvaluationContext("user-1")
    for key in ["nope", "checkout.nope", "messaging", "a/b", "a/b/c", "x%20y"]:
        assert error(client, key, good) == ErrorCode.FLAG_NOT_FOUND, key
    assert error(client, "checkout.label", EvaluationContext()) == ErrorCode.TARGETING_KEY_MISSING
    assert error(client, "checkout.label", None) == ErrorCode.TARGETING_KEY_MISSING
    assert error(client, "checkout.label", EvaluationContext("u", {"seats": "many"})) == ErrorCode.INVALID_CONTEXT
    assert error(client, "checkout.label", EvaluationContext("x" * 129)) == ErrorCode.INVALID_CONTEXT
    assert error(client, "checkout.steps", good) == ErrorCode.TYPE_MISMATCH
    for headers in [{"X-API-Key": "nobody"}, {"Authorization": "Bearer owner-text"}, {"Authorization": "Bearer root-text"},
                    {"Authorization": "Bearer other-text"}]:
        assert error(client_of(daemon, headers), "checkout.label", good) == ErrorCode.GENERAL, headers
    for headers, base in [({"X-API-Key": "phone-text"}, ""), ({"Authorization": "Bearer root-text"}, f"/v1/apps/{APP}")]:
        named = client_of(daemon, headers, base)
        assert named.get_string_value("checkout.label", "mine", good) == "Buy", (headers, base)
    print("every error, by code; a token in either field; the app in the path")


def check_limits():
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "limits.yaml")
        settings.write_text("limits:\n  rate:\n    client_per_second: 1\n    client_burst: 2\n")
        with Daemon("--config", str(settings)) as daemon:
            publish(daemon)
            one = provider(daemon, {"X-None": "1"}, f"/v1/apps/{APP}")
            codes = []
            for _ in range(3):
                try:
                    codes.append(one.resolve_string_details("checkout.label", "-", EvaluationContext("u")).value)
                except Exception as error:
                    codes.append(error.error_code)
            assert codes == ["Buy", "Buy", ErrorCode.GENERAL], codes
            assert one.retry_after is not None, "the provider knows how long to wait"
    print("429 with a Retry-After that the provider reads")


class BrowserProvider:
    """Behaves like OpenFeature's provider for browsers. The first request has a content type. Requests with an entity
    tag have none, because that header replaces the others. The tag stays the same when the context changes."""

    JSON = re.compile(r"application/[^+]*[+]?(json);?.*", re.I)

    def __init__(self, url):
        self.http = httpx.Client(base_url=url, headers={"Authorization": "Bearer phone-text", "Origin": "https://a.example"})
        self.tag, self.cache, self.statuses = None, {}, []

    def evaluate(self, context):
        body = json.dumps({"context": context} if context is not None else {}).encode()
        headers = {"Content-Type": "application/json"} if self.tag is None else {
            "If-None-Match": self.tag, "Content-Type": "text/plain;charset=UTF-8"}
        answer = self.http.post("/ofrep/v1/evaluate/flags", content=body, headers=headers)
        self.statuses.append(answer.status_code)
        if answer.status_code == 304:
            return
        if answer.status_code in [400, 404, 500]:
            raise ValueError(answer.json()["errorCode"])
        assert answer.status_code == 200 and self.JSON.match(answer.headers["Content-Type"]), answer
        self.cache = {}
        for flag in answer.json()["flags"]:
            if isinstance(flag.get("key"), str) and isinstance(flag.get("errorCode"), str):
                self.cache[flag["key"]] = flag
            elif "value" in flag:
                self.cache[flag["key"]] = flag
        self.tag = answer.headers.get("etag")

    def resolve(self, key, kind, default):
        flag = self.cache.get(key)
        return flag["value"] if flag and isinstance(flag.get("value"), kind) else default


def check_browser(daemon, server):
    browser = BrowserProvider(daemon.url)
    variants = {}
    for user in CLIENTS:
        browser.evaluate({"targetingKey": user, "plan": "pro"})
        fresh = BrowserProvider(daemon.url)
        fresh.evaluate({"targetingKey": user, "plan": "pro"})
        assert browser.cache == fresh.cache, user
        variant = browser.cache["checkout.steps"]["variant"]
        variants[variant] = variants.get(variant, 0) + 1
        assert variant == server.get_integer_details("checkout.steps", 9, EvaluationContext(user, PRO)).variant, user
    assert set(variants) == {"control", "one", "two"} and min(variants.values()) > 50, variants
    assert set(browser.statuses) == {200, 304}, "neighbours that have the same flags cost no body"
    browser.evaluate({"targetingKey": CLIENTS[0], "plan": "pro"})
    before = len(browser.statuses)
    for _ in range(3):
        browser.evaluate({"targetingKey": CLIENTS[0], "plan": "pro"})
    assert browser.statuses[before:] == [304, 304, 304], browser.statuses[before:]
    assert browser.resolve("search.fuzzy", bool, False) is True
    assert browser.resolve("checkout.hint", str, "mine") == "mine"
    assert browser.resolve("banner.text", str, "mine") == "mine"
    browser.evaluate({"targetingKey": CLIENTS[0], "plan": "free"})
    assert browser.resolve("search.fuzzy", bool, True) is False, "a changed context with an old tag"
    daemon.json("POST", f"/v1/apps/{APP}/recipes/banner/state", {"state": "live"}, headers=ROOT)
    browser.evaluate({"targetingKey": CLIENTS[0], "plan": "free"})
    assert browser.resolve("banner.text", str, "mine") == "Sale", "a publish is seen by who has a tag"
    for context, code in [(None, "TARGETING_KEY_MISSING"), ({}, "TARGETING_KEY_MISSING"),
                          ({"targetingKey": "u", "plan": 5}, "INVALID_CONTEXT")]:
        try:
            browser.evaluate(context)
            raise AssertionError(context)
        except ValueError as error:
            assert str(error) == code, (context, error)
    print(f"browsers: {variants}, 304 for the same flags, and the same branches as for servers")


def check_stickiness(daemon, client):
    before = {user: client.get_integer_details("checkout.steps", 9, EvaluationContext(user, PRO)).variant for user in CLIENTS}
    changed = dict(RECIPES[0], branches=RECIPES[0]["branches"] + recipe("x", "checkout", {"new": {"steps": 7}})["branches"])
    daemon.json("PUT", f"/v1/apps/{APP}/recipes/steps", changed, headers=ROOT)
    after = {user: client.get_integer_details("checkout.steps", 9, EvaluationContext(user, PRO)).variant for user in CLIENTS}
    assert before == after
    late = [client.get_integer_details("checkout.steps", 9, EvaluationContext(f"late-{user}", PRO)).variant
            for user in CLIENTS]
    assert "new" in late
    print(f"{len(CLIENTS)} clients keep their branches when one is added")


def check_schema(daemon):
    """Sends requests generated from the protocol's document, for existing flags and for any flags."""
    document = yaml.safe_load(Path(__file__).with_name("schemas").joinpath("ofrep.yaml").read_text())
    for path in document["paths"].values():
        # The statuses that any server may return for a malformed request.
        for status in ["405", "408", "411", "413", "414", "431"]:
            path["post"]["responses"].setdefault(status, {"description": "Hardly HTTP"})
    for title, key in [("a flag", "checkout.steps"), ("any key", None)]:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "ofrep.json").write_text(json.dumps(document))
            lines = ['headers = { Authorization = "Bearer phone-text" }']
            if key:
                lines += ["[parameters]", f'"path.key" = {json.dumps(key)}']
            Path(folder, "schemathesis.toml").write_text("\n".join(lines) + "\n")
            print(f"-- schemathesis, {title}", flush=True)
            result = subprocess.run(
                [os.path.join(os.path.dirname(sys.executable), "st"), "--config-file", "schemathesis.toml", "run",
                 "ofrep.json", "--url", daemon.url, "--checks",
                 "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
                 "response_schema_conformance", "--phases", "examples,coverage,fuzzing", "--max-examples", "100",
                 "--generation-deterministic", "--suppress-health-check", "all", "--request-timeout", "30", "--warnings",
                 "off", "--no-color", "--no-shrink", "--continue-on-failure"], cwd=folder)
            assert result.returncode == 0, title


def main():
    with Daemon(tokens=TOKENS) as daemon:
        publish(daemon)
        client = client_of(daemon)
        check_types(client)
        check_reasons(client)
        check_errors(daemon, client)
        check_browser(daemon, client)
        check_stickiness(daemon, client)
        check_schema(daemon)
    check_limits()


if __name__ == "__main__":
    main()
