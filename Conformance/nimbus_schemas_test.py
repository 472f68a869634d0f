"""Mozilla's own recipes, from the package mozilla-nimbus-schemas for the SDK: each is published, alone and together
with others, and is returned without loss, valid for the package's models. A recipe that the SDK would drop is refused
with every fault, and does not change the live recipes."""

import copy
import json
import pathlib

import mozilla_nimbus_schemas
from mozilla_nimbus_schemas.experimenter_apis.experiments import SdkNimbusExperiment
from mozilla_nimbus_schemas.experimenter_apis.experiments_v7 import NimbusExperimentV7

from daemon import Daemon

TESTS = pathlib.Path(mozilla_nimbus_schemas.__file__).parent / "tests"
V6 = {path.name: json.loads(path.read_text())
      for path in sorted((TESTS / "experiments/fixtures/experiments/sdk").glob("*.json"))}
V7 = {path.name: json.loads(path.read_text())
      for path in sorted((TESTS / "experiments_v7/fixtures/experiments_v7").glob("sdk*.json"))}
DESKTOP = {path.name: json.loads(path.read_text())
           for path in sorted((TESTS / "experiments/fixtures/experiments/desktop").glob("*.json"))}

# nimbus-sdk's required fields: their places, and a value of another type.
REQUIRED = [
    ("/schemaVersion", 1), ("/slug", 1), ("/userFacingName", 1), ("/userFacingDescription", []),
    ("/isEnrollmentPaused", "no"), ("/proposedEnrollment", "7"), ("/bucketConfig", []),
    ("/bucketConfig/randomizationUnit", 1), ("/bucketConfig/namespace", 1), ("/bucketConfig/start", "0"),
    ("/bucketConfig/count", 1.5), ("/branches", {}), ("/branches/0/slug", 1), ("/branches/0/ratio", "1"),
    ("/branches/1/slug", None), ("/branches/1/ratio", 0.5), ("/branches/0/features/0/featureId", 1),
    ("/branches/1/features/1/featureId", {}),
]


def strictly_equal(left, right):
    """Compares as JSON: 1, 1.0 and true are three values."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def parent(document, pointer):
    *way, last = pointer.split("/")[1:]
    for step in way:
        document = document[int(step)] if isinstance(document, list) else document[step]
    return document, (int(last) if isinstance(document, list) else last)


def changed(document, pointer, *value):
    """A copy of the document with another value at the pointer; without a value, the member is removed."""
    document = copy.deepcopy(document)
    inner, key = parent(document, pointer)
    if value:
        inner[key] = value[0]
    else:
        del inner[key]
    return document


def put_app(daemon, name, recipe):
    daemon.json("PUT", f"/v1/apps/{name}/manifest", {
        "app_name": recipe["appName"], "channel": recipe["channel"], "default_locale": "en-US",
        "surfaces": ["microsurvey", "notification"]})


def check_round_trip(daemon, model, name, recipe):
    app = name.replace(".", "-")
    put_app(daemon, app, recipe)
    slug = recipe["slug"]
    answer = daemon.json("PUT", f"/v1/apps/{app}/recipes/{slug}", recipe, expect=(201,))
    assert answer["revision"] == 1 and answer["state"] == "live", answer
    assert answer["warnings"] == [], f"{name}: {answer['warnings']}"
    exported = daemon.json("GET", f"/v1/apps/{app}/recipes/{slug}")
    assert strictly_equal(exported, recipe), f"{name} came back changed"
    loaded = model.model_validate(exported)
    assert loaded == model.model_validate(recipe) and loaded.slug == slug
    again = daemon.json("PUT", f"/v1/apps/{app}/recipes/{slug}", exported, expect=(200,))
    assert again["revision"] == 1, "what was exported is what is live"


def check_envelope(daemon, fixtures):
    """Publishes all recipes at once, with invalid entries between them. A slug that occurs twice is published twice."""
    put_app(daemon, "together", next(iter(fixtures.values())))
    broken = {"slug": "broken", "schemaVersion": "1.12.0"}
    sent = [item for recipe in fixtures.values() for item in (recipe, broken)]
    results = daemon.json("POST", "/v1/apps/together/recipes", {"data": sent}, expect=(200,))["results"]
    assert [result["slug"] for result in results] == [recipe["slug"] for recipe in sent]
    revisions = {}
    for recipe, result in zip(sent, results):
        if recipe is broken:
            assert result["status"] == 422 and result["errors"] and "revision" not in result, result
            continue
        slug = recipe["slug"]
        revisions[slug] = revisions.get(slug, 0) + 1
        assert result["status"] == (201 if revisions[slug] == 1 else 200), result
        assert result["revision"] == revisions[slug] and result["errors"] == [], result
    last = {recipe["slug"]: recipe for recipe in fixtures.values()}
    for slug, recipe in last.items():
        exported = daemon.json("GET", f"/v1/apps/together/recipes/{slug}")
        assert strictly_equal(exported, recipe), f"{slug} came back changed"
    listed = daemon.json("GET", "/v1/apps/together/recipes")["recipes"]
    assert {item["slug"] for item in listed} == set(last)


def check_wrong_envelopes(daemon, recipe):
    for body in ({}, [recipe], {"changes": [recipe]}, {"data": recipe}, {"data": None}):
        status, _, answer = daemon.request("POST", "/v1/apps/together/recipes", body)
        assert status == 400, (status, answer)


def live(daemon, app):
    listed = daemon.json("GET", f"/v1/apps/{app}/recipes")
    return listed, [daemon.json("GET", f"/v1/apps/{app}/recipes/{item['slug']}") for item in listed["recipes"]]


def check_refused(daemon, app, recipe, document, pointers):
    """Expects 422 with a fault at each of these pointers, alone and in a batch, and no change."""
    before = live(daemon, app)
    path = f"/v1/apps/{app}/recipes"
    status, headers, answer = daemon.request("PUT", f"{path}/{recipe['slug']}", document)
    assert status == 422, (pointers, status, answer)
    assert headers["Content-Type"] == "application/problem+json"
    problem = json.loads(answer)
    found = [error["pointer"] for error in problem["errors"]]
    assert set(found) == set(pointers), f"expected faults at {pointers}, found {problem['errors']}"
    assert all(error["code"] and error["message"] for error in problem["errors"])
    # In a batch there is no path whose slug could differ.
    if document.get("slug") == recipe["slug"]:
        result = daemon.json("POST", path, {"data": [document]}, expect=(200,))["results"][0]
        assert result["status"] == 422 and [error["pointer"] for error in result["errors"]] == found, result
    assert live(daemon, app) == before, f"a refused recipe changed something: {pointers}"


def check_invalid(daemon, recipe):
    put_app(daemon, "refusals", recipe)
    daemon.json("PUT", f"/v1/apps/refusals/recipes/{recipe['slug']}", recipe)
    count = 0

    def refused(document, *pointers):
        nonlocal count
        check_refused(daemon, "refusals", recipe, document, pointers)
        count += 1

    for pointer, wrong in REQUIRED:
        refused(changed(recipe, pointer), pointer)
        refused(changed(recipe, pointer, wrong), pointer)
        refused(changed(recipe, pointer, None), pointer)
    no_ratio = changed(changed(recipe, "/branches/0/ratio", 0), "/branches/1/ratio", 0)
    refused(no_ratio, "/branches")
    refused(changed(recipe, "/branches", []), "/branches")
    refused(changed(recipe, "/branches/0/ratio", -1), "/branches/0/ratio")
    for total in (0, -1, 2 ** 32):
        refused(changed(recipe, "/bucketConfig/total", total), "/bucketConfig/total")
    for unit in ("group_id", "normandy_id", "other"):
        refused(changed(recipe, "/bucketConfig/randomizationUnit", unit), "/bucketConfig/randomizationUnit")
    for expression in ("", "a ==", "(true", "!true", "a |", "1 = 1", "'open"):
        refused(changed(recipe, "/targeting", expression), "/targeting")
    refused(changed(recipe, "/slug", "another"), "/slug")
    # The answer has every fault.
    everything = changed(no_ratio, "/targeting", "a ==")
    everything = changed(changed(everything, "/bucketConfig/randomizationUnit", "group_id"), "/bucketConfig/total", 0)
    everything = changed(changed(everything, "/userFacingName"), "/isEnrollmentPaused", "yes")
    refused(everything, "/userFacingName", "/isEnrollmentPaused", "/bucketConfig/randomizationUnit",
            "/bucketConfig/total", "/branches", "/targeting")
    return count


def check_desktop(daemon):
    """Recipes of a platform without an SDK are accepted if the SDK has their unit; otherwise the unit is the fault."""
    put_app(daemon, "desktop", next(iter(DESKTOP.values())))
    taken = 0
    for name, recipe in DESKTOP.items():
        status, _, answer = daemon.request("PUT", f"/v1/apps/desktop/recipes/{recipe['slug']}", recipe)
        if recipe["bucketConfig"]["randomizationUnit"] in ("nimbus_id", "user_id"):
            assert status in (200, 201), (name, answer)
            exported = daemon.json("GET", f"/v1/apps/desktop/recipes/{recipe['slug']}")
            assert strictly_equal(exported, recipe), name
            taken += 1
        else:
            pointers = [error["pointer"] for error in json.loads(answer)["errors"]]
            assert status == 422 and pointers == ["/bucketConfig/randomizationUnit"], (name, answer)
    return taken


def main():
    assert V6 and V7 and DESKTOP, "the package has no fixtures"
    with Daemon() as daemon:
        for name, recipe in V6.items():
            check_round_trip(daemon, SdkNimbusExperiment, "v6-" + name, recipe)
        for name, recipe in V7.items():
            check_round_trip(daemon, NimbusExperimentV7, "v7-" + name, recipe)
        print(f"{len(V6)} recipes of version 6 and {len(V7)} of version 7 came back as they were")
        check_envelope(daemon, {**V6, **V7})
        check_wrong_envelopes(daemon, next(iter(V6.values())))
        print("all of them in one request, too, and what is no recipe was refused alone")
        count = sum(check_invalid(daemon, recipe) for recipe in (V6["ios-39-multifeature.json"], *V7.values()))
        print(f"{count} recipes that the SDK would drop were refused with every fault, and changed nothing")
        print(f"{check_desktop(daemon)} of {len(DESKTOP)} recipes for the desktop were taken")


main()
