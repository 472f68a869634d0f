"""Results of recipes in the owners' console, and their live updates (docs/console.md#goals)."""

import csv
import io
import re
import time
import urllib.request

import pytest
from conftest import APP, PATIENCE, at_rest, eventually, new_context, violations
from playwright.sync_api import expect
from test_console import HOME, closed, opened, survives_a_reload  # noqa: F401 (a fixture)
from test_console_order import noted, signed_in

QUESTIONS = [
    {"id": "recommend", "type": "nps", "title": "Would you recommend us?", "required": True},
    {"id": "stars", "type": "rating", "title": "How do you like it?", "scale": 5},
    {"id": "use", "type": "single_choice", "title": "What do you use most?",
     "options": [{"id": "maps", "label": "Maps"}, {"id": "diary", "label": "Diary"}]},
    {"id": "more", "type": "text", "title": "Anything else?"},
    {"id": "mail", "type": "text", "title": "Your e-mail", "sensitive": True},
]
WALKS = {"kind": "questionnaire", "name": "Walks", "hosted": True, "keep": ["plan"],
         "schema": {"version": 1, "questions": QUESTIONS}}
# A card that is shown after two views of a page, to clients with the plan "pro".
CARD = {"triggers": {"TWICE": "'page_viewed'|eventSum('Years', 1, 0) >= 2", "PRO": "plan == 'pro'"},
        "messages": {"walks-card": {"surface": "home", "title": "Walk", "text": "Walk more.", "style": "DEFAULT",
                                    "button-label": "Look", "action": "https://walks.example/", "trigger-if-all": ["TWICE", "PRO"]}}}
HOSTILE = "<img src=x onerror=alert(1)> \u202etxt =1+1"


def answer(daemon, number, slug="walks", **more):
    answers = {"recommend": (number * 7) % 11, "stars": number % 5 + 1, "use": "maps" if number % 3 else "diary"}
    if number % 4 == 0:
        answers |= {"more": HOSTILE if number == 0 else f"Note {number}", "mail": f"walker{number}@example.org"}
    if number % 5 == 4:
        answers = {"recommend": answers["recommend"]}
    status, body = daemon.call("POST", f"/v1/apps/{APP}/questionnaires/{slug}/responses", {
        "client_id": f"walker-{number}", "answers": answers, "is_complete": number % 5 != 4,
        "attributes": {"plan": "pro" if number % 2 else "free"}, **more})
    assert status == 201, body
    return body["id"]


@pytest.fixture(scope="module")
def walks(daemon):
    """A questionnaire with forty responses, of which eight are drafts."""
    daemon.put("walks", WALKS)
    daemon.put("walks-card", CARD)
    for number in range(40):
        answer(daemon, number)
    yield daemon
    for slug in ("walks", "walks-card"):
        daemon.delete(slug)


def experiment(slug="bar", **more):
    features = [[{"featureId": "bar", "value": {"place": place}}] for place in ("top", "left")]
    return {"schemaVersion": "1.12.0", "slug": slug, "id": slug, "userFacingName": "Bar", "userFacingDescription": "Where it is",
            "appName": "shop", "channel": "", "isEnrollmentPaused": False, "isRollout": False, "proposedEnrollment": 7,
            "featureIds": ["bar"], "referenceBranch": "control",
            "bucketConfig": {"randomizationUnit": "nimbus_id", "namespace": slug, "start": 0, "count": 9000, "total": 10000},
            "branches": [{"slug": "control", "ratio": 1, "features": features[0]},
                         {"slug": "left", "ratio": 1, "features": features[1]}], **more}


def results(daemon, slug="walks", query=""):
    return daemon.call("GET", f"/v1/apps/{APP}/results/{slug}{query}")[1]


PAGES = {"results": f"{HOME}/r/walks/results", "responses": f"{HOME}/r/walks/responses", "explain": f"{HOME}/explain",
         "people": f"{HOME}/people", "person": f"{HOME}/people#client=walker-0", "by": f"{HOME}/r/walks/results?by=plan"}


@pytest.mark.parametrize("look", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}],
                         ids=["light", "dark", "forced"])
@pytest.mark.parametrize("name", PAGES)
def test_goal_3_no_page_of_answers_has_an_axe_violation(browser, walks, name, look):
    with opened(browser, walks, PAGES[name], **look) as page:
        wait_filled(page, name)
        assert violations(page) == []


def wait_filled(page, name):
    wanted = {"results": "svg.chart", "by": "svg.chart", "responses": ".response-answers", "explain": ".gates",
              "people": "form", "person": ".person"}
    page.locator(wanted[name]).first.wait_for()


@pytest.mark.parametrize("name", PAGES)
def test_goal_4_at_320_pixels_no_page_of_answers_scrolls_sideways(browser, walks, name):
    with opened(browser, walks, PAGES[name], viewport={"width": 320, "height": 800}) as page:
        wait_filled(page, name)
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth") <= 320)


@pytest.mark.parametrize("name", PAGES)
def test_goal_9_from_right_to_left_nothing_of_answers_overflows(browser, walks, name):
    with opened(browser, walks, PAGES[name]) as page:
        page.evaluate("document.documentElement.dir = 'rtl'")
        wait_filled(page, name)
        width = page.evaluate("document.documentElement.clientWidth")
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth") <= width)


@pytest.mark.parametrize("name", PAGES)
def test_goal_40_each_address_of_answers_survives_a_reload(browser, walks, name):
    with opened(browser, walks, PAGES[name]) as page:
        wait_filled(page, name)
        survives_a_reload(page, lambda page: wait_filled(page, name))


def test_goal_37_each_chart_states_its_finding_and_has_its_numbers_in_a_table(browser, walks):
    told = results(walks)
    with opened(browser, walks, PAGES["results"]) as page:
        wait_filled(page, "results")
        charts = page.locator("figure:has(svg[role=img])")
        charts.nth(5).wait_for()
        for place in range(charts.count()):
            chart = charts.nth(place)
            assert chart.locator("svg[role=img]").first.get_attribute("aria-label").strip()
            chart.get_by_role("button", name="Table").click()
            chart.locator("tbody tr").first.wait_for()
        # The page scrolls up, because axe reports controls that the top bar covers in part as too small.
        page.evaluate("scrollTo(0, 0)")
        assert violations(page) == []
        total, submitted = told["total_responses"], told["submitted_count"]
        assert (total, submitted) == (40, 32)
        page.get_by_text("80% of those who started submitted it, between 65% and 90%.").wait_for()
        row = page.get_by_role("region", name="What do you use most?").get_by_role("row", name="Maps")
        expect(row.locator("td")).to_have_text(["21", "66%", "48%", "80%"], use_inner_text=True)
        score = next(question for question in told["questions"] if question["id"] == "recommend")["score"]
        page.get_by_text(f"NPS {score}", exact=True).wait_for()


def test_goal_37_a_withheld_count_is_hatched_and_says_why(browser, closed):
    closed.token = "root-text"
    closed.call("PUT", f"/v1/apps/{APP}/recipes/walks", WALKS)
    for number in range(12):
        answer(closed, number)
    reader = closed.call("POST", "/v1/tokens", {"name": "counts", "scope": "reader", "app": APP})[1]["token"]
    minimum = closed.call("GET", "/v1/session")[1]["settings"]["minimum_cell"]
    with new_context(browser) as context:
        page = signed_in(context, closed, f"{HOME}/r/walks/results", reader)
        page.locator("svg.chart").first.wait_for()
        assert minimum == 5
        page.get_by_text("Counts from 1 to 4 are withheld").wait_for()
        page.locator("rect.chart-withheld[fill^=url]").first.wait_for()
        page.get_by_text("withheld", exact=True).first.wait_for()
        # The page shows no texts of respondents, and has no link to single answers.
        expect(page.get_by_text("Note 4")).to_have_count(0)
        expect(page.get_by_role("link", name="Responses")).to_have_count(0)
        expect(page.get_by_role("link", name="People")).to_have_count(0)
        page.goto(f"{closed.url}{HOME}/r/walks/responses")
        page.get_by_text("The scopes support, owner, or admin may.").wait_for()
        assert violations(page) == []


def test_goal_38_a_filter_means_the_same_for_results_responses_and_files(browser, walks):
    query = "?attr.plan=pro&drafts=no"
    told = results(walks, query="?attr.plan=pro&submitted_only=true")
    with opened(browser, walks, f"{PAGES['results']}{query}") as page:
        wait_filled(page, "results")
        page.get_by_text("plan is pro").wait_for()
        with page.expect_download() as download:
            page.get_by_role("button", name="Export").click()
            page.get_by_role("menuitem", name="Numbers as CSV").click()
        rows = list(csv.DictReader(open(download.value.path(), newline="", encoding="utf-8-sig")))
        counts = {row["question"]: int(row["count"]) for row in rows
                  if row["measure"] == "answers" and row["question"] and not row["group"]}
        assert counts == {question["id"]: question["total_answered"] for question in told["questions"]}
        page.goto(f"{walks.url}{HOME}/r/walks/responses{query}")
        page.get_by_text(f"{told['submitted_count']} responses").first.wait_for()
        expect(page.locator("tbody tr[data-id]")).to_have_count(told["submitted_count"])


def test_goal_38_a_file_of_responses_has_notes_and_no_sensitive_answers(browser, walks):
    noted_id = walks.responses("walks")[-1]["id"]
    walks.call("POST", f"/v1/apps/{APP}/responses/{noted_id}/comments", {"body": "=Ask about tiles"})
    with opened(browser, walks, PAGES["responses"]) as page:
        wait_filled(page, "responses")
        with page.expect_download() as download:
            page.get_by_role("button", name="Export").click()
        text = open(download.value.path(), newline="", encoding="utf-8-sig").read()
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(text))}
    assert rows.keys() == {item["id"] for item in walks.responses("walks")} and len(rows) == 40
    assert "=Ask about tiles" in rows[noted_id]["notes"] and rows[noted_id]["more"] == HOSTILE
    assert "walker0@example.org" not in text and "mail" not in rows[noted_id]
    # A spreadsheet evaluates no field: no field begins like a formula.
    assert not re.search(r'(^|,)"?[=+@-]', text, re.M)


def test_goal_13_a_hostile_answer_is_shown_as_text(browser, walks):
    with opened(browser, walks, f"{PAGES['responses']}?q=onerror") as page:
        page.get_by_text("1 response", exact=True).wait_for()
        page.locator(".response-answers mark", has_text="onerror").wait_for()
        expect(page.locator("main img")).to_have_count(0)
        expect(page.locator(".response-answers bdi.answer", has_text="<img src=x")).to_have_text(HOSTILE, use_inner_text=True)


def test_goal_23_a_new_answer_is_on_results_in_five_seconds_and_a_hidden_tab_asks_nothing(browser, daemon):
    daemon.put("walks-live", {**WALKS, "name": "Live walks"})
    answer(daemon, 1, "walks-live")
    with opened(browser, daemon, f"{HOME}/r/walks-live/results") as page:
        page.get_by_text("100% of those who started").wait_for()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        answer(daemon, 4, "walks-live")
        page.get_by_text("50% of those who started").wait_for()
        # The page requests the results once for the changes of three seconds.
        asked.clear()
        start = time.monotonic()
        for number in (9, 14, 19):
            answer(daemon, number, "walks-live")
        page.get_by_text("20% of those who started").wait_for()
        most = 1 + (time.monotonic() - start) // 3
        assert len([address for address in asked if "/results/" in address]) <= most, asked
        page.evaluate("""() => {
            Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
        }""")
        asked.clear()
        answer(daemon, 24, "walks-live")
        # A minute of the page's clock: far longer than the delays of change reports and of results.
        page.clock.install()
        page.clock.run_for(60_000)
        at_rest(page)
        assert asked == []
        page.evaluate("""() => {
            Object.defineProperty(document, "visibilityState", {value: "visible", configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
        }""")
        page.get_by_text("17% of those who started").wait_for()
    daemon.delete("walks-live")


def test_goal_24_one_of_six_tabs_asks_for_changes_and_tells_the_others(browser, daemon):
    daemon.put("walks-tabs", {**WALKS, "name": "Walks in tabs"})
    with new_context(browser) as context:
        waiting = []
        context.on("request", lambda request: waiting.append(request) if "wait=" in request.url else None)
        context.on("requestfinished", lambda request: waiting.remove(request) if request in waiting else None)
        tabs = [context.new_page() for _ in range(6)]
        for tab in tabs:
            tab.goto(f"{daemon.url}{HOME}/recipes?q=walks-tabs")
            tab.get_by_role("row", name="Walks in tabs").wait_for()
        assert eventually(lambda: len(waiting) == 1), [request.url for request in waiting]
        daemon.call("POST", f"/v1/apps/{APP}/recipes/walks-tabs/state", {"state": "paused"})
        for tab in tabs:
            tab.get_by_role("row", name="Walks in tabs").get_by_text("Paused").wait_for()
        assert eventually(lambda: len(waiting) == 1)
    daemon.delete("walks-tabs")


def poll(daemon, client):
    return daemon.call("POST", f"/v1/apps/{APP}/messages", {"client_id": client, "context": {}})


def branches(daemon, slug):
    lines = results(daemon, slug, "?enrollment=true")["enrollment"]["branches"]
    return {line["branch"]: line["enrolled"] for line in lines}


@pytest.fixture
def bar(daemon):
    """An experiment of two branches, with clients in both."""
    daemon.manifest = daemon.call("GET", f"/v1/apps/{APP}/manifest")[1]
    feature = {"bar": {"variables": {"place": {"type": "string", "default": "bottom"}}}}
    status, body = daemon.call("PUT", f"/v1/apps/{APP}/manifest", {**daemon.manifest, "features": feature})
    assert status in (200, 201), body
    daemon.put("bar", experiment())
    for number in range(40):
        poll(daemon, f"bar-{number}")
    yield daemon
    daemon.delete("bar")
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", daemon.manifest)


def place(daemon, client):
    body = {"context": {"targetingKey": client}}
    return daemon.call("POST", f"/v1/apps/{APP}/ofrep/v1/evaluate/flags/bar.place", body)[1].get("value")


def test_an_experiment_ends_with_a_winner_as_one_reviewed_change(browser, bar):
    before, first = branches(bar, "bar"), noted(bar, "bar")["in_force"]
    assert min(before.values()) > 0 and sum(before.values()) > 30
    with opened(browser, bar, f"{HOME}/r/bar/results") as page:
        page.get_by_text("planned 1 : 1: as expected").wait_for()
        page.get_by_role("button", name="Roll out left …").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_text("Whoever is enrolled in another branch stays enrolled under its name").wait_for()
        assert violations(page) == []
        dialog.get_by_role("button", name="Write the draft").click()
        page.get_by_role("heading", name="Review of Bar").wait_for()
        page.get_by_role("heading", name="What changes").wait_for()
        page.get_by_text("whether it is a rollout").first.wait_for()
        page.get_by_text("No faults and no warnings.").wait_for()
        page.get_by_role("button", name="Publish now").click()
        assert eventually(lambda: noted(bar, "bar")["in_force"] == first + 1)
    recipe = noted(bar, "bar")
    assert recipe["kind"] == "rollout" and recipe["state"] == "live"
    # Clients of both branches, and new clients, get the values of the winner.
    for number in range(40):
        poll(bar, f"bar-{number}")
    export = [bar.call("GET", f"/v1/apps/{APP}/clients/bar-{number}/export")[1]["enrollments"] for number in range(40)]
    standing = [entry for entries in export for entry in entries if entry["slug"] == "bar"]
    assert {entry["status"] for entry in standing} == {"Enrolled"} and len(standing) == 40
    assert {"control", "left"} <= {entry["branch"] for entry in standing}
    assert {place(bar, f"bar-{number}") for number in range(40)} == {"left"}
    assert place(bar, "bar-newcomer") == "left"


def test_the_winner_of_an_experiment_that_has_ended_is_rolled_out_as_a_new_recipe(browser, bar):
    bar.call("POST", f"/v1/apps/{APP}/recipes/bar/state", {"state": "ended"})
    try:
        with opened(browser, bar, f"{HOME}/r/bar/results") as page:
            page.get_by_role("button", name="Roll out left …").click()
            dialog = page.get_by_role("dialog")
            dialog.get_by_text("a new recipe, bar-rollout, gives everybody what left sets").wait_for()
            dialog.get_by_role("button", name="Write the draft").click()
            page.wait_for_url("**/r/bar-rollout/publish")
            page.get_by_text("No faults and no warnings.").wait_for()
            page.get_by_role("button", name="Put it live").click()
            assert eventually(lambda: noted(bar, "bar-rollout")["state"] == "live")
        assert noted(bar, "bar-rollout")["branches"] == ["left"] and noted(bar, "bar")["state"] == "ended"
        for number in range(40):
            poll(bar, f"bar-{number}")
        assert {place(bar, f"bar-{number}") for number in range(40)} == {"left"}
    finally:
        bar.delete("bar-rollout")


def test_sizes_that_differ_from_the_plan_are_told(browser, bar):
    def skew(route):
        body = route.fetch().json()
        for line, enrolled in zip(body["enrollment"]["branches"], (600, 480)):
            line["enrolled"] = enrolled
        route.fulfill(json=body)

    with new_context(browser) as context:
        page = context.new_page()
        page.route(re.compile(r"/results/bar"), skew)
        page.goto(f"{bar.url}{HOME}/r/bar/results")
        page.get_by_text("Fewer clients in left than planned: results may be skewed (p < 0.001).").wait_for()
        assert violations(page) == []


def test_the_console_and_the_daemon_tell_the_same_numbers(browser, walks):
    request = urllib.request.Request(f"{walks.url}/v1/apps/{APP}/results/walks", headers={"Accept": "text/csv"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as body:
        rows = list(csv.DictReader(io.TextIOWrapper(body)))
    wanted = {(row["question"], row["option"]): row["count"] for row in rows if row["measure"] == "option" and not row["group"]}
    with opened(browser, walks, PAGES["results"]) as page:
        wait_filled(page, "results")
        figure = page.locator("section.question", has_text="What do you use most?").locator("figure")
        figure.get_by_role("button", name="Table").click()
        shown = dict(figure.locator("tbody tr").evaluate_all(
            "rows => rows.map(row => [row.cells[0].textContent, row.cells[1].textContent])"))
    assert shown == {"Maps": wanted["use", "maps"], "Diary": wanted["use", "diary"]}


def test_the_columns_of_days_say_what_their_parts_are(browser, walks):
    with opened(browser, walks, PAGES["results"]) as page:
        page.get_by_text("Light: begun and not submitted.").wait_for()
    with opened(browser, walks, PAGES["results"], locale="de") as page:
        figure = page.locator(".panel", has=page.get_by_text("Hell: begonnen")).locator("figure")
        label = figure.locator("svg text", has_text=re.compile(r"^\d+\. ")).first
        assert label.bounding_box()["x"] >= figure.locator("svg").first.bounding_box()["x"]


def test_what_a_sensitive_question_does_not_list_is_said(browser, walks):
    with opened(browser, walks, PAGES["results"]) as page:
        block = page.locator(".question", has=page.get_by_role("heading", name="Your e-mail"))
        block.get_by_text("Its answers are not listed here.").wait_for()
        expect(page.get_by_text("walker0@example.org")).to_have_count(0)


def test_goal_37_a_score_on_the_page_of_a_recipe_has_its_interval(browser, walks):
    score = next(question["score"] for question in results(walks)["questions"] if question["type"] == "nps")
    with opened(browser, walks, f"{HOME}/r/walks") as page:
        figure = page.locator(".figures > div", has=page.get_by_text("NPS", exact=True))
        figure.wait_for()
        low, high = map(int, re.search(r"\[(-?\d+) to (-?\d+)\]", figure.inner_text()).groups())
        assert -100 <= low <= score <= high <= 100


def test_a_press_on_a_card_is_called_one_and_a_card_without_branches_compares_none(browser, walks):
    for number in range(4):
        status, body = walks.call("POST", f"/v1/apps/{APP}/events", {"client_id": f"walker-{number}", "events": [
            {"type": "message", "action": action, "message": "walks-card"} for action in ("displayed", "clicked")]})
        assert status == 200 and not body["rejected"], body
    with opened(browser, walks, f"{HOME}/r/walks-card/results") as page:
        page.get_by_role("img", name=re.compile("^Shown 4; Pressed 4")).wait_for()
        expect(page.get_by_role("heading", name="Branches")).to_have_count(0)
        page.get_by_role("link", name="Summary").click()
        page.locator(".figures dt", has_text="Pressed").wait_for()
        expect(page.locator(".figures dt", has_text="Started")).to_have_count(0)
