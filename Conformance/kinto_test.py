"""Kinto's own client reads the collections that the daemon serves to clients of Remote Settings: all records, newer
ones, removed ones, and none if nothing is new."""

import gzip
import json
import pathlib
import urllib.parse

import kinto_http
import mozilla_nimbus_schemas
from mozilla_nimbus_schemas.experimenter_apis.experiments import SdkNimbusExperiment

from daemon import Daemon

FIXTURES = (pathlib.Path(mozilla_nimbus_schemas.__file__).parent / "tests/experiments/fixtures/experiments/sdk")
RECIPE = json.loads((FIXTURES / "ios-39-multifeature.json").read_text())
COLLECTION = "nimbus-mobile-experiments"


def put_app(daemon, name, **more):
    daemon.json("PUT", f"/v1/apps/{name}/manifest", {
        "app_name": "firefox_ios", "default_locale": "en-US", "surfaces": ["microsurvey"], **more})


def recipe(slug, **more):
    return {**RECIPE, "slug": slug, "id": slug, **more}


def publish(daemon, app, slug, **more):
    daemon.json("PUT", f"/v1/apps/{app}/recipes/{slug}", recipe(slug, **more))


def by_id(records):
    return {record["id"]: record for record in records}


def check_union(daemon, client):
    """The recipes of two apps are one collection: newest first, each time unique, each document unchanged."""
    publish(daemon, "ios", "first", unknownField={"kept": [1, 1.0, None]})
    publish(daemon, "android", "second")
    daemon.json("PUT", "/v1/apps/ios/recipes/bare", {"messages": {}})
    daemon.json("PUT", "/v1/apps/ios/recipes/draft?state=draft", recipe("draft"))
    records = client.get_records()
    assert [record["id"] for record in records] == ["second", "first"], records
    for record in records:
        SdkNimbusExperiment.model_validate(record)
        written = daemon.json("GET", f"/v1/apps/{'ios' if record['id'] == 'first' else 'android'}/recipes/{record['id']}")
        extra = {"last_modified": record["last_modified"], "schema": record["schema"]}
        assert record == {**written, **extra}, record
        assert isinstance(record["last_modified"], int)
    assert records[0]["last_modified"] > records[1]["last_modified"]
    assert client.get_records_timestamp() == str(records[0]["last_modified"])
    return records


def check_not_modified(client, timestamp):
    """The client returns an empty list if the server answers 304."""
    body, headers = client.session.request(
        "get", f"/buckets/main/collections/{COLLECTION}/records", headers={"If-None-Match": f'"{timestamp}"'})
    assert body is None and headers["ETag"] == f'"{timestamp}"'
    assert client.get_records(if_none_match=timestamp) == []
    assert len(client.get_records(if_none_match=timestamp - 1)) == 2


def check_since(daemon, client, timestamp):
    assert client.get_records(_since=str(timestamp)) == []
    publish(daemon, "ios", "first", userFacingName="Changed")
    changed = client.get_records(_since=str(timestamp))
    assert [record["id"] for record in changed] == ["first"] and changed[0]["userFacingName"] == "Changed"
    assert client.get_records(_since=f'"{timestamp}"') == changed == client.get_records(gt_last_modified=timestamp)
    status, _, _ = daemon.request("DELETE", "/v1/apps/android/recipes/second")
    assert status == 204
    newer = client.get_records(_since=str(timestamp))
    assert [record["id"] for record in newer] == ["second", "first"]
    assert set(newer[0]) == {"id", "last_modified", "deleted"} and newer[0]["deleted"] is True
    assert newer[0]["last_modified"] > newer[1]["last_modified"] > timestamp
    assert [record["id"] for record in client.get_records()] == ["first"]
    return newer[0]["last_modified"]


def check_selection(client):
    ascending = client.get_records(_sort="last_modified", _since="0")
    assert [record["last_modified"] for record in ascending] == sorted(record["last_modified"] for record in ascending)
    assert len(client.get_records(_limit=1, _since="0")) == 1
    assert all(set(record) <= {"id", "last_modified", "deleted", "slug"}
               for record in client.get_records(_fields="slug", _since="0"))
    assert client.get_record(id="first")["data"]["slug"] == "first"


def check_changeset(client, since, timestamp):
    full = client.get_changeset()
    assert full["timestamp"] == timestamp
    assert full["metadata"]["id"] == COLLECTION and full["metadata"]["bucket"] == "main"
    # The Rust client rejects a changeset without these members.
    assert full["metadata"]["signatures"] == [] and set(full["metadata"]["signature"]) == {"signature", "x5u"}
    assert full["changes"] == client.get_records()
    delta = client.get_changeset(_since=f'"{since}"', bust_cache=True)
    assert delta["changes"] == client.get_records(_since=str(since)) and delta["timestamp"] == timestamp
    assert client.get_changeset(_since=str(timestamp))["changes"] == []


def check_sync(daemon, client):
    """A reader that requests only newer records has, after any changes, all current records."""
    known, time = {}, 0
    for step in range(12):
        slug = f"s{step % 5}"
        app = ("ios", "android")[step % 2]
        if step % 4 == 3:
            daemon.request("DELETE", f"/v1/apps/{('android', 'ios')[step % 2]}/recipes/s{(step - 1) % 5}")
        else:
            publish(daemon, app, slug, userFacingName=f"step {step}")
        changeset = client.get_changeset(_since=f'"{time}"')
        assert changeset["timestamp"] > time
        time = changeset["timestamp"]
        for change in changeset["changes"]:
            known.pop(change["id"], None)
            if not change.get("deleted"):
                known[change["id"]] = change
        assert known == by_id(client.get_records()), f"after step {step}"


def check_wire(daemon):
    path = f"/v1/buckets/main/collections/{COLLECTION}"
    status, headers, body = daemon.request("GET", path + "/records", headers={"Accept-Encoding": "gzip"})
    records = json.loads(gzip.decompress(body))["data"]
    newest = max(record["last_modified"] for record in records)
    assert status == 200 and headers["Content-Encoding"] == "gzip"
    assert headers["ETag"].startswith('"') and int(headers["ETag"].strip('"')) >= newest
    assert headers["Last-Modified"].endswith("GMT") and headers["Cache-Control"].startswith("public")
    assert headers["Total-Records"] == str(len(records))
    tag = headers["ETag"]
    for known, expected in [(tag, 304), ('"1"', 200)]:
        status, headers, body = daemon.request(
            "GET", f"{path}/changeset?_expected={urllib.parse.quote(tag)}", headers={"If-None-Match": known})
        assert status == expected and (body == b"") == (expected == 304), (status, body)
        assert headers["Cache-Control"] == "public, max-age=3600" and headers["ETag"] == tag, headers
    for query in ("_since=x", "_limit=0", "_sort=slug", "appName=fenix", "_before=1", "_since=%ff"):
        status, _, body = daemon.request("GET", f"{path}/records?{query}")
        assert status == 400 and json.loads(body)["errno"] == 107, (query, body)


def check_unknown(client):
    for call in (lambda: client.get_records(collection="none"), lambda: client.get_changeset(collection="none"),
                 lambda: client.get_collection(id="none"), lambda: client.get_record(id="none")):
        try:
            call()
        except kinto_http.KintoException as error:
            assert error.response.status_code == 404, error
            body = error.response.json()
            assert body["code"] == 404 and body["errno"] in (110, 111) and body["error"] == "Not Found", body
        else:
            raise AssertionError("what does not exist was found")


def main():
    with Daemon() as daemon:
        put_app(daemon, "ios")
        put_app(daemon, "android", app_name="fenix")
        put_app(daemon, "elsewhere", collections=["another"])
        publish(daemon, "elsewhere", "elsewhere")
        client = kinto_http.Client(server_url=f"{daemon.url}/v1", bucket="main", collection=COLLECTION)
        assert client.server_info()["http_api_version"]
        assert client.get_collection()["data"]["id"] == COLLECTION
        records = check_union(daemon, client)
        print("the apps' live experiments are one collection, each record as its author wrote it")
        timestamp = records[0]["last_modified"]
        check_not_modified(client, timestamp)
        latest = check_since(daemon, client, timestamp)
        print("what is newer, what is gone, and nothing when nothing is new")
        check_selection(client)
        check_changeset(client, timestamp, latest)
        check_sync(daemon, client)
        print("changesets alone keep a reader up to date")
        check_wire(daemon)
        check_unknown(client)
        assert [record["id"] for record in client.get_records(collection="another")] == ["elsewhere"]
        print("errors as Kinto's, times as strong tags, caches told what to keep")


main()
