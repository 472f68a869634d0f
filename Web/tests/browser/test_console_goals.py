"""Goals of experiments on the console's page of results, over the real API (docs/console.md#results)."""

from datetime import datetime, timedelta, timezone

import pytest
from conftest import APP, eventually, violations
from playwright.sync_api import expect
from test_console import HOME, opened, state
from test_console_results import experiment, place, poll, results

GOALS = {"goals": [{"name": "bought", "event": "purchase", "counts": "converted", "plan": {"mean": 0.1, "mde": 0.5}},
                   {"name": "annoyed", "event": {"message": "dismissed"}, "counts": "converted", "direction": "down"}],
         "guards": [{"goal": "bought", "worse_than": 0.1, "branch": "left"}]}


def expose(daemon, numbers, share):
    """Exposes clients. Of those in a branch the part `share` buys, by the place of the bar that the branch sets."""
    seen = {"top": 0, "left": 0}
    for number in numbers:
        client = f"buyer-{number}"
        poll(daemon, client)
        branch = place(daemon, client)
        if branch not in seen:
            continue
        seen[branch] += 1
        events = [{"type": "feature", "action": "exposed", "experiment": "bar", "feature_id": "bar"}]
        if seen[branch] % 10 < 10 * share[branch]:
            events.append({"type": "behavior", "name": "purchase"})
        status, body = daemon.call("POST", f"/v1/apps/{APP}/events", {"client_id": client, "events": events})
        assert status == 200 and not body["rejected"], body


@pytest.fixture(scope="module")
def goals(daemon):
    """An experiment in which buyers of the branch `left` buy less, until its guard pauses it."""
    manifest = daemon.call("GET", f"/v1/apps/{APP}/manifest")[1]
    feature = {"bar": {"variables": {"place": {"type": "string", "default": "bottom"}}}}
    status, body = daemon.call("PUT", f"/v1/apps/{APP}/manifest", {**manifest, "features": feature})
    assert status in (200, 201), body
    daemon.put("bar", experiment(**GOALS))
    expose(daemon, range(300), {"top": 0.6, "left": 0.1})
    assert eventually(lambda: state(daemon, "bar") == "paused")
    yield daemon
    daemon.delete("bar")
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", manifest)


LOOKS = [{}, {"color_scheme": "dark"}, {"viewport": {"width": 320, "height": 800}}, {"locale": "de"}]


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "phone", "german"])
def test_goals_are_on_the_page_of_results(browser, goals, look):
    told = results(goals, "bar")["goals"]
    with opened(browser, goals, f"{HOME}/r/bar/results", **look) as page:
        page.locator("svg.chart[aria-label^='bought']").first.wait_for()
        for control in page.locator(".chart-button").all():
            control.click()
        page.evaluate("scrollTo(0, 0)")
        assert violations(page) == []
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
        name = "bought nach Zweig" if look.get("locale") == "de" else "bought by branch"
        rows = page.get_by_role("table", name=name).locator("tbody tr")
        for row, branch in zip(rows.all(), told["goals"][0]["branches"], strict=True):
            cells = row.locator("th, td").all_inner_texts()
            assert cells[:4] == [branch["branch"], "1", str(branch["exposed"]), str(branch["converted"])]


def test_the_verdict_is_in_words_and_no_other_interval_of_a_difference_is_there(browser, goals):
    told = results(goals, "bar")["goals"]["goals"]
    assert [goal["comparisons"][0]["verdict"] for goal in told] == ["worse", "too_little_data"]
    with opened(browser, goals, f"{HOME}/r/bar/results") as page:
        expect(page.locator(".finding-sentence")).to_have_text("bought decides. left: worse.")
        page.get_by_text("the interval holds however often you look").first.wait_for()
        page.get_by_text("left: too little data.").wait_for()
        expect(page.get_by_text("may be chance")).to_have_count(0)
        expect(page.locator("svg.chart[aria-label*='decide at 1']")).to_have_count(1)


def test_the_size_of_an_experiment_is_computed_beside_its_reach(browser, goals):
    goals.call("PUT", f"/v1/apps/{APP}/recipes/bar?state=draft", experiment(userFacingName="Bar 2", **GOALS))
    with opened(browser, goals, f"{HOME}/r/bar/publish") as page:
        page.get_by_text("How many and how long").click()
        expect(page.get_by_label("Mean of a client in the control")).to_have_value("0.1")
        page.get_by_label("Smallest relative effect to find").fill("20")
        page.get_by_role("button", name="Compute").click()
        page.locator(".finding", has_text="Smallest relative effect to find").wait_for()
        page.get_by_label("Smallest relative effect to find").fill("0.1")
        page.get_by_label("Exposed clients a day").fill("2000")
        page.get_by_role("button", name="Compute").click()
        row = page.locator("dt", has_text="In the control and one branch")
        expect(row.locator("xpath=following-sibling::dd[1]")).to_have_text("35,398")
        page.evaluate("scrollTo(0, 0)")
        assert violations(page) == []


def test_a_size_without_a_mean_is_by_the_rates_of_the_app(browser, goals):
    own = [{key: value for key, value in goal.items() if key != "plan"} for goal in GOALS["goals"]]
    draft = experiment(userFacingName="Bar 3", **{**GOALS, "goals": own})
    goals.call("PUT", f"/v1/apps/{APP}/recipes/bar?state=draft", draft)
    earlier = (datetime.now(timezone.utc) - timedelta(days=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
    for number in range(150):
        events = [{"type": "behavior", "name": "purchase", "at": earlier}] if number % 3 == 0 else []
        body = {"client_id": f"rated-{number}", "context": {}, "events": events}
        assert goals.call("POST", f"/v1/apps/{APP}/messages", body)[0] == 200
    size = {"counts": "converted", "event": "purchase", "within_days": 7, "mde": 0.5}
    status, told = goals.call("POST", f"/v1/apps/{APP}/recipes/size", {"size": size})
    assert status == 200 and 0 < told["rates"]["mean"] < 1
    with opened(browser, goals, f"{HOME}/r/bar/publish") as page:
        page.get_by_text("How many and how long").click()
        expect(page.get_by_label("Event, for the app’s own rates")).to_have_value("purchase")
        page.get_by_label("Days of the window").fill("7")
        page.get_by_label("Smallest relative effect to find").fill("0.5")
        page.get_by_role("button", name="Compute").click()
        row = page.locator("dt", has_text="Mean until now")
        expect(row.locator("xpath=following-sibling::dd[1]")).to_have_text(f"{told['rates']['mean']:.3g}")
        page.evaluate("scrollTo(0, 0)")
        assert violations(page) == []


def test_a_fired_guard_says_why_and_its_recipe_can_be_resumed(browser, goals):
    with opened(browser, goals, f"{HOME}/r/bar/results") as page:
        page.get_by_text("Paused by the guard of bought, because of left").wait_for()
        guards = page.locator("section", has=page.get_by_role("heading", name="Guards"))
        guards.get_by_text("fired", exact=True).wait_for()
        guards.get_by_role("button", name="Resume").click()
        assert eventually(lambda: state(goals, "bar") == "live")
        guards.get_by_text("off", exact=True).wait_for()
        expect(page.get_by_text("Paused by the guard")).to_have_count(0)
