"""The ten jobs of the console's users, each within its limit of actions and by keys alone (goals 1 and 2 of
docs/console.md#goals). An action is a press, a key command or a choice; typing does not count. Job 4 is in
test_console_edit.py."""

import csv
import hashlib
import json
import re

import pytest
from conftest import APP, Daemon, eventually, new_context
from playwright.sync_api import expect
from test_console import HOME, state
from test_console_edit import put_text, text_of
from test_console_order import noted, signed_in
from test_console_results import CARD, WALKS, answer
from test_console_review import ASKED, changed


class Actor:
    """A user who works with the pointer or by keys alone; counts the user's actions."""

    def __init__(self, page, has_pointer):
        self.page, self.has_pointer, self.actions = page, has_pointer, 0
        page.locator("h1").wait_for()

    def press(self, name, role="button"):
        target = self.page.get_by_role(role, name=name).first
        assert eventually(lambda: target.get_attribute("aria-disabled") in (None, "false")), name
        if self.has_pointer:
            target.click()
        else:
            self.reach(target)
            self.page.keyboard.press("Enter")
        self.actions += 1

    def choose(self, label, value):
        target = self.page.get_by_role("combobox", name=label, exact=True)
        if not self.has_pointer:
            self.reach(target)
        target.select_option(value)
        self.actions += 1

    def key(self, keys):
        self.page.keyboard.press(keys)
        self.actions += 1

    def reach(self, target):
        for _ in range(80):
            if target.evaluate("one => one === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("not reached by Tab")

    def command(self, text, first):
        """Runs a command of the palette: two actions."""
        self.page.keyboard.press("Control+k")
        self.page.keyboard.type(text)
        self.page.locator("dialog.palette [role=option]").first.get_by_text(first).wait_for()
        self.page.keyboard.press("Enter")
        self.actions += 2


@pytest.fixture
def mood(daemon):
    """A live recipe with a draft, which is deleted afterwards."""
    daemon.live = put_text(daemon, "mood", json.dumps({**ASKED, "name": "Mood"}))["revision"]
    text = changed(title="What is old?").replace('"Reviewed"', '"Mood"')
    daemon.draft = put_text(daemon, "mood", text, "?state=draft")["revision"]
    yield daemon
    daemon.delete("mood")


@pytest.fixture(params=[True, False], ids=["pointer", "keys"])
def actor(request, browser, daemon):
    with new_context(browser) as context:
        page = context.new_page()
        page.goto(f"{daemon.url}{HOME}/recipes")
        yield lambda: Actor(page, request.param)


def test_goal_1_job_1_a_live_recipe_is_paused_in_two_actions_from_anywhere(mood, actor):
    actor = actor()
    actor.page.get_by_role("row", name="Mood").wait_for()
    actor.command("pause mood", "Pause Mood")
    assert eventually(lambda: state(mood, "mood") == "paused") and actor.actions <= 2


def test_goal_1_job_2_home_tells_what_is_live_in_one_action(mood, actor):
    actor = actor()
    actor.press("Home", "link")
    actor.page.get_by_role("heading", name="Live now").wait_for()
    actor.page.get_by_text("Mood: your draft, revision").wait_for()
    assert actor.actions <= 1


def test_goal_1_job_5_a_draft_goes_live_after_a_review_in_four_actions(mood, actor):
    actor = actor()
    actor.page.get_by_role("row", name="Mood").wait_for()
    actor.command("review mood", "Review Mood")
    actor.page.get_by_role("heading", name="Review of Mood").wait_for()
    actor.press("Publish now")
    assert eventually(lambda: noted(mood, "mood")["in_force"] == mood.draft) and actor.actions <= 4


def test_goal_1_job_10_last_weeks_revision_comes_back_in_four_actions(mood, actor):
    put_text(mood, "mood", json.dumps({**ASKED, "name": "Mood"}).replace("What is new?", "Newest"))
    actor = actor()
    actor.page.reload()
    actor.page.get_by_role("row", name="Mood").wait_for()
    actor.command("history mood", "History of Mood")
    actor.press(f"Bring back r{mood.live}", "link")
    actor.press("Bring it back")
    assert eventually(lambda: json.loads(text_of(mood, "mood")) == {**ASKED, "name": "Mood"}) and actor.actions <= 4


@pytest.fixture(scope="module")
def approving(tmp_path_factory, pages):
    """A daemon that requires approval, with tokens of the owners Ana and Ben."""
    tokens = [("ana", "owner"), ("ben", "owner"), ("root", "admin")]
    settings = "publish:\n  require_approval: true\ntokens:\n" + "".join(
        f"  - {name}:{scope}:{'*' if scope == 'admin' else APP}:{hashlib.sha256(f'{name}-text'.encode()).hexdigest()}\n"
        for name, scope in tokens)
    daemon = Daemon(tmp_path_factory.mktemp("approving"), pages.url, is_open=False, settings=settings)
    daemon.token = "root-text"
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", {"app_name": "shop", "default_locale": "en", "surfaces": ["home"]})
    daemon.token = "ana-text"
    daemon.call("POST", f"/v1/apps/{APP}/manifest/state", {"state": "live"})
    yield daemon
    daemon.stop()


@pytest.mark.parametrize("has_pointer", [True, False], ids=["pointer", "keys"])
def test_goal_1_job_6_what_somebody_else_wrote_is_approved_in_three_actions(browser, approving, has_pointer):
    slug = f"approved-{has_pointer}".lower()
    approving.token = "ben-text"
    status, body = approving.call("PUT", f"/v1/apps/{APP}/recipes/{slug}", ASKED)
    assert status == 201 and body["state"] == "draft", body
    with new_context(browser) as context:
        page = signed_in(context, approving, f"{HOME}/recipes", "ana-text")
        actor = Actor(page, has_pointer)
        page.get_by_text("1 draft waits for your approval").wait_for(state="attached")
        actor.press("Home", "link")
        page.get_by_text("Reviewed, revision 1, is a draft").first.wait_for()
        actor.press("Review", "link")
        actor.press("Approve and publish")
        assert eventually(lambda: state(approving, slug) == "live") and actor.actions <= 3
    approving.delete(slug)


def test_goal_35_the_author_of_a_draft_may_not_approve_it_and_is_told_so(browser, approving):
    approving.token = "ben-text"
    approving.call("PUT", f"/v1/apps/{APP}/recipes/own", ASKED)
    with new_context(browser) as context:
        page = signed_in(context, approving, f"{HOME}/r/own/publish", "ben-text")
        page.get_by_text("A second person has to approve it.").wait_for()
        expect(page.get_by_role("button", name="Waits for approval")).to_have_attribute("aria-disabled", "true")
    assert approving.call("POST", f"/v1/apps/{APP}/recipes/own/state", {"state": "live"})[0] == 403
    approving.delete("own")


def test_who_approved_a_revision_is_named_in_its_history_on_its_page_and_in_the_audit(browser, approving):
    address = f"/v1/apps/{APP}/recipes/named"
    for number in (1, 2):
        approving.token = "ben-text"
        draft = approving.call("PUT", f"/v1/apps/{APP}/recipes/named", {**ASKED, "name": f"Named {number}"})[1]
        approving.token = "ana-text"
        assert approving.call("POST", address + "/state", {"state": "live"})[0] == 422
        assert approving.call("POST", address + "/state", {"state": "live", "revision": draft["revision"]})[0] == 200
    with new_context(browser) as context:
        page = signed_in(context, approving, f"{HOME}/r/named/history", "ben-text")
        row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=f"r{draft['revision']}"))
        expect(row.get_by_role("cell").nth(3)).to_have_text("ben", use_inner_text=True)
        expect(row.get_by_role("cell").nth(5)).to_have_text(re.compile("^Approved by ana"), use_inner_text=True)
        page.goto(f"{approving.url}{HOME}/r/named")
        page.locator("dl.facts dd", has_text="ana").wait_for()
        page.goto(f"{approving.url}{HOME}/audit?name=named")
        page.get_by_text(f"r{draft['revision']} put live in place of r{draft['revision'] - 1}").wait_for()
    approving.delete("named")


def test_dates_and_a_publish_that_stays_paused_are_not_offered_where_a_second_person_approves(browser, approving):
    approving.token = "ben-text"
    draft = approving.call("PUT", f"/v1/apps/{APP}/recipes/dated", {
        **ASKED, "name": "Dated", "offer": {"surface": "home", "text": "A minute?"}})[1]
    approving.token = "ana-text"
    approving.call("POST", f"/v1/apps/{APP}/recipes/dated/state", {"state": "live", "revision": draft["revision"]})
    approving.call("POST", f"/v1/apps/{APP}/recipes/dated/state", {"state": "paused"})
    approving.token = "ben-text"
    newer = approving.call("PUT", f"/v1/apps/{APP}/recipes/dated", {
        **ASKED, "name": "Dated", "offer": {"surface": "home", "text": "Two minutes?"}})[1]
    with new_context(browser) as context:
        page = signed_in(context, approving, f"{HOME}/r/dated/publish", "ana-text")
        expect(page.get_by_label("Until")).to_be_disabled()
        expect(page.get_by_label("Stay paused")).to_have_count(0)
        button = page.get_by_role("button", name="Approve and publish")
        assert eventually(lambda: button.get_attribute("aria-disabled") == "false")
        button.click()
        assert eventually(lambda: state(approving, "dated") == "live")
    listed = approving.call("GET", f"/v1/apps/{APP}/recipes")[1]["recipes"]
    assert [recipe["in_force"] for recipe in listed if recipe["slug"] == "dated"] == [newer["revision"]]
    approving.delete("dated")


@pytest.fixture
def walked(daemon):
    """An answered questionnaire, and a card that some clients do not see; both are deleted afterwards."""
    daemon.put("trips", {**WALKS, "name": "First trips"})
    daemon.put("trips-card", CARD)
    daemon.ids = [answer(daemon, number, "trips") for number in range(6)]
    yield daemon
    for slug in ("trips", "trips-card"):
        daemon.delete(slug)
    # Responses outlive their recipe.
    for number in range(6):
        daemon.call("DELETE", f"/v1/apps/{APP}/clients/walker-{number}")


def test_goal_1_job_3_why_a_client_sees_nothing_is_told_in_three_actions(walked, actor):
    actor = actor()
    actor.page.get_by_role("row", name="First trips").wait_for()
    actor.command("explain walker-2", "Explain client walker-2")
    actor.page.get_by_role("heading", name="Explain", level=1).wait_for()
    actor.page.get_by_text("Nothing is shown. Closest: trips-card, 2 gates are closed.").wait_for()
    actor.page.get_by_text("page_viewed is 0").wait_for()
    assert actor.actions <= 3


def test_goal_1_job_7_the_results_of_seven_days_are_a_file_in_five_actions(walked, actor):
    actor = actor()
    actor.page.get_by_role("row", name="First trips").wait_for()
    actor.command("results first trips", "Results of First trips")
    actor.page.locator("svg.chart").first.wait_for()
    actor.choose("Period", "7")
    actor.page.wait_for_function("() => location.search.startsWith('?from=')")
    actor.press("Export")
    with actor.page.expect_download() as download:
        actor.press("Numbers as CSV", "menuitem")
    rows = list(csv.DictReader(open(download.value.path(), newline="")))
    total = next(row["count"] for row in rows if row["measure"] == "responses")
    assert total == "6" and actor.actions <= 5


def test_goal_1_job_8_a_response_is_triaged_with_a_note_in_three_actions(walked, actor):
    actor = actor()
    actor.page.goto(f"{walked.url}{HOME}/r/trips/responses?status=new")
    actor.page.locator(".response-answers").wait_for()
    id = actor.page.locator("tbody tr[aria-current]").get_attribute("data-id")
    if actor.has_pointer:
        actor.choose_status = actor.page.locator(".response-head select")
        actor.choose_status.select_option("in_review")
        actor.page.locator(".note-field").click()
        actor.actions += 2
    else:
        actor.key("2")
        actor.key("n")
    actor.page.keyboard.type("Ask about tiles")
    actor.key("Control+Enter")

    def kept():
        response = walked.call("GET", f"/v1/apps/{APP}/responses/{id}")[1]
        return response["status"] == "in_review" and [note["body"] for note in response["comments"]] == ["Ask about tiles"]

    assert eventually(kept) and actor.actions <= 3
    # The next response is shown.
    actor.page.keyboard.press("j")
    assert eventually(lambda: actor.page.locator("tbody tr[aria-current]").get_attribute("data-id") != id)
