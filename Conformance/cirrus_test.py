"""Features for services that use Cirrus: plain HTTP, JSON, FastAPI's errors.

The branches are compared with a second implementation of Nimbus' bucketing. Errors are compared with FastAPI, the
framework of Cirrus, which serves the same two fields.
"""

import hashlib
import json
import math
import warnings
from typing import Any

import httpx
from daemon import Daemon
from fastapi import FastAPI, HTTPException, Query
from pydantic import BaseModel

with warnings.catch_warnings():
    # The warning says that a later version needs another HTTP client than this one.
    warnings.simplefilter("ignore")
    from fastapi.testclient import TestClient

APP = "shop"
APP_ID = "example.shop"
CLIENTS = [f"account-{number}" for number in range(3000)]


def recipe(slug, feature, branches, **changes):
    bucketing = {"randomizationUnit": "user_id", "namespace": f"{slug}-namespace", "start": 0, "count": 10000,
                 "total": 10000, **changes.pop("buckets", {})}
    return {
        "schemaVersion": "1.12.0", "slug": slug, "id": slug, "appName": "shop_web", "appId": APP_ID,
        "channel": "release", "userFacingName": slug, "userFacingDescription": slug, "isEnrollmentPaused": False,
        "isRollout": False, "proposedEnrollment": 7, "bucketConfig": bucketing, "targeting": "true",
        "branches": [
            {"slug": branch, "ratio": ratio, "features": [{"featureId": feature, "value": value}]}
            for branch, ratio, value in branches],
        **changes}


RECIPES = [
    recipe("banner-rollout", "banner", [("on", 1, {"enabled": True, "text": "Sale", "colors": {"ink": "red"}})],
           isRollout=True, buckets={"start": 9000, "count": 3000}),
    recipe("banner-experiment", "banner", [("short", 1, {"text": "{experiment}"}),
                                           ("blue", 1, {"colors": {"paper": "blue"}, "text": None})],
           buckets={"count": 5000}, publishedDate="2026-02-01T00:00:00Z"),
    recipe("banner-late", "banner", [("on", 1, {"text": "late"})], publishedDate="2026-03-01T00:00:00Z"),
    recipe("checkout-steps", "checkout", [("control", 1, {"steps": 3}), ("treatment", 3, {"steps": 1})]),
    recipe("prices-austria", "prices", [("net", 1, {"vat": False})],
           targeting="language == 'de' && region in ['AT', 'LI'] && plan.seats > 10"),
    recipe("by-version", "dead-1", [("on", 1, {})], targeting="app_version|versionCompare('1.0') >= 0"),
    recipe("by-nimbus-id", "dead-2", [("on", 1, {})], buckets={"randomizationUnit": "nimbus_id"}),
    recipe("other-channel", "dead-3", [("on", 1, {})], channel="Release"),
    recipe("paused", "dead-4", [("on", 1, {})], isEnrollmentPaused=True),
]


# A second implementation, made only from docs/reference/experiments.md#bucketing.

TOP = 2 ** 48 - 1


def hash48(value):
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


def is_selected(client, bucketing):
    hashed, total = hash48([client, bucketing["namespace"]]), bucketing["total"]
    start = bucketing["start"] % total
    end = start + bucketing["count"]
    key = lambda bucket: int(bucket / total * TOP)
    if end <= total:
        return key(start) <= hashed < key(end)
    return hashed < key(end % total) or key(start) <= hashed < key(total)


def chosen(client, slug, branches):
    hashed, whole, running = hash48(f"experimentmanager-{client}-{slug}-branch"), sum(b["ratio"] for b in branches), 0
    for branch in branches:
        running += branch["ratio"]
        if hashed <= int(running / whole * TOP):
            return branch["slug"]
    return branches[-1]["slug"]


def expected(client):
    """Slug to branch, without recipes that have targeting or that fail."""
    by_slug = {document["slug"]: document for document in RECIPES}
    result = {"checkout-steps": chosen(client, "checkout-steps", by_slug["checkout-steps"]["branches"])}
    if is_selected(client, by_slug["banner-rollout"]["bucketConfig"]):
        result["banner-rollout"] = "on"
    if is_selected(client, by_slug["banner-experiment"]["bucketConfig"]):
        result["banner-experiment"] = chosen(client, "banner-experiment", by_slug["banner-experiment"]["branches"])
    else:
        result["banner-late"] = "on"
    return result


def expected_banner(branches):
    if "banner-late" in branches:
        over = {"text": "late"}
    else:
        over = {"short": {"text": "banner-experiment"}, "blue": {"colors": {"paper": "blue"}, "text": None}}[
            branches["banner-experiment"]]
    if "banner-rollout" not in branches:
        return over
    banner = {"enabled": True, "text": "Sale", "colors": {"ink": "red", **over.get("colors", {})}, "text": over["text"]}
    return {key: value for key, value in banner.items() if value is not None}


class Service:
    """A service that uses Cirrus: one client, one URL."""

    def __init__(self, url):
        self.client = httpx.Client(base_url=url, headers={"Content-Type": "application/json"})

    def ask(self, version, client, context=None):
        answer = self.client.post(
            f"/v{version}/features/", json={"client_id": client, "context": {"app_id": APP_ID, **(context or {})}})
        assert answer.status_code == 200, answer.text
        assert answer.headers["Content-Type"] == "application/json", answer.headers
        return answer.json()


def check_results(service):
    counts = {}
    for client in CLIENTS:
        answer = service.ask(2, client)
        assert set(answer) == {"Features", "Enrollments"}, answer
        branches = {item["experiment"]: item["branch"] for item in answer["Enrollments"]}
        assert branches == expected(client), (client, branches, expected(client))
        for item in answer["Enrollments"]:
            kind = "rollout" if item["experiment"] == "banner-rollout" else "experiment"
            assert item == {"nimbus_user_id": client, "app_id": APP_ID, "experiment": item["experiment"],
                            "branch": item["branch"], "experiment_type": kind, "is_preview": False}, item
        assert answer["Features"] == {
            "banner": expected_banner(branches), "checkout": {"steps": 1 if branches["checkout-steps"] == "treatment"
                                                              else 3}}, answer
        for place in branches.items():
            counts[place] = counts.get(place, 0) + 1
    print(f"{len(CLIENTS)} clients: branches and merged values are those of a second implementation")
    for place, share in [(("checkout-steps", "treatment"), 0.75), (("banner-rollout", "on"), 0.3),
                         (("banner-experiment", "short"), 0.25), (("banner-experiment", "blue"), 0.25),
                         (("banner-late", "on"), 0.5)]:
        mean, sigma = len(CLIENTS) * share, math.sqrt(len(CLIENTS) * share * (1 - share))
        assert abs(counts[place] - mean) <= 3 * sigma, (place, counts[place], mean, sigma)
        print(f"{'/'.join(place)}: {counts[place]} of {mean:.0f} +- {3 * sigma:.0f}")


def check_stickiness(service):
    for client in CLIENTS[::10]:
        both = service.ask(2, client)
        assert both == service.ask(2, client)
        assert both["Features"] == service.ask(1, client), client
    print("v1 is v2's features, and a client keeps its branches")


def check_targeting(service):
    for context, is_in in [
            ({"language": "de", "region": "AT", "plan": {"seats": 11}}, True),
            ({"locale": "de-LI", "plan": {"seats": 10.5}}, True),
            ({"locale": "de-AT", "plan": {"seats": 10}}, False), ({"locale": "de-AT"}, False),
            ({"locale": "de-DE", "plan": {"seats": 11}}, False), ({"locale": "de-AT", "plan": {"seats": "11"}}, False)]:
        features = service.ask(1, "c", context)
        assert ("prices" in features) == is_in, (context, features)
        assert not [name for name in features if name.startswith("dead")], features
    assert service.client.post("/v1/features/", json={"client_id": "c", "context": {"app_id": "other"}}).json() == {}
    assert service.client.post("/v2/features", json={"client_id": "c", "context": {}}).json() == {
        "Features": {}, "Enrollments": []}
    print("targeting reads the context; transforms, nimbus_id, another channel and a pause enroll nobody")


def framework():
    """FastAPI with Cirrus' two fields, its parameter and its two sentences."""
    class FeatureRequest(BaseModel):
        client_id: str
        context: dict[str, Any]

    app = FastAPI()

    @app.post("/v1/features/")
    def features(question: FeatureRequest, nimbus_preview: bool = Query(default=False)):
        if not question.client_id:
            raise HTTPException(400, "Client ID value is missing or empty")
        if nimbus_preview:
            raise HTTPException(400, "This Cirrus doesn’t support preview mode")
        return {}

    return TestClient(app)


BODIES = [
    b"", b"null", b"{}", b"[]", b"[{}]", b"3", b'"text"', b"true", b'{"client_id": "c"}', b'{"context": {"a": [1, 2.5]}}',
    b'{"client_id": 5, "context": {}}', b'{"client_id": null, "context": null}', b'{"client_id": ["c"], "context": []}',
    b'{"client_id": "", "context": {}}', b'{"client_id": "", "context": "x"}', b'{"client_id": "c", "context": 1.5}',
    b'{"client_id": "c", "context": {}}', b'{"client_id": "c", "context": {}, "more": [1]}',
    '{"client_id": "é", "context": {"ü": "ß"}, "x": "\\u0000"}'.encode(), b"{", b"}", b'{"client_id": "c",}', b"{}{}",
    b'{"client_id": "c" "context": {}}', b'{"client_id": "\xff", "context": {}}', b"nul", b"{'a': 1}",
]
QUERIES = ["", "?nimbus_preview=true", "?nimbus_preview=false", "?nimbus_preview=2", "?nimbus_preview=",
           "?nimbus_preview", "?nimbus_preview=Yes", "?nimbus_preview=off&x=1", "?nimbus_preview=no&nimbus_preview=ON",
           "?nimbus_preview=on&nimbus_preview=no", "?NIMBUS_PREVIEW=true", "?nimbus_preview=%20true"]


def comparable(answer):
    """The answer without the text that each JSON parser writes about invalid JSON."""
    detail = answer.json().get("detail")
    if isinstance(detail, list) and detail[0]["type"] == "json_invalid":
        assert [sorted(fault) for fault in detail] == [["ctx", "input", "loc", "msg", "type"]], detail
        assert isinstance(detail[0]["loc"][1], int) and isinstance(detail[0]["ctx"]["error"], str), detail
        detail = [{"type": "json_invalid", "loc": detail[0]["loc"][:1], "msg": detail[0]["msg"],
                   "input": detail[0]["input"]}]
    return answer.status_code, answer.headers["Content-Type"], detail


def check_refusals(service):
    peer = framework()
    count = 0
    for body in BODIES:
        for query in QUERIES:
            ours, theirs = (
                comparable(client.post(f"/v1/features/{query}", content=body,
                                       headers={"Content-Type": "application/json"}))
                for client in (service.client, peer))
            assert ours == theirs, (body, query, ours, theirs)
            count += 1
    for method in ["GET", "PUT", "DELETE"]:
        ours, theirs = service.client.request(method, "/v1/features/"), peer.request(method, "/v1/features/")
        assert ours.status_code == theirs.status_code == 405, (method, ours.status_code, theirs.status_code)
        assert isinstance(ours.json()["detail"], str)
    print(f"{count} requests are taken or refused as FastAPI does, word for word")


def check_health(service):
    for path in ["/__heartbeat__", "/__lbheartbeat__"]:
        answer = service.client.get(path)
        assert answer.status_code == 200 and answer.json()["status"] == "ok", answer.text
    print("the heartbeats say ok")


with Daemon() as daemon:
    daemon.json("PUT", f"/v1/apps/{APP}/manifest", {
        "app_name": "shop_web", "app_id": APP_ID, "channel": "release", "default_locale": "en-US", "surfaces": []})
    for document in RECIPES:
        daemon.json("PUT", f"/v1/apps/{APP}/recipes/{document['slug']}", document)
    service = Service(daemon.url)
    check_results(service)
    check_stickiness(service)
    check_targeting(service)
    check_refusals(service)
    check_health(service)
