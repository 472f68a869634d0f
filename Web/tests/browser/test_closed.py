"""A closed recipe says that it is closed. No thanks are shown for a refused answer, and an ended recipe has no blank
page."""

import time

import pytest
from conftest import APP, eventually
from playwright.sync_api import expect

FIRST = {"id": "q", "type": "single_choice", "title": "How is it?", "required": True,
         "options": [{"id": "good", "label": "Good"}, {"id": "bad", "label": "Bad"}]}
SECOND = {"id": "why", "type": "text", "title": "Why?"}
QUESTION = {"id": "q", "question": "How is it?", "question_type": "single_select", "options": ["Good", "Bad"]}


def view(page):
    return page.locator("bellwether-view .panel")


@pytest.fixture
def limited(daemon):
    """Publishes a questionnaire or survey with these limits on answers."""
    def publish(pacing, kind="questionnaire", questions=(FIRST,)):
        slug = f"limited-{time.monotonic_ns()}"
        content = {"schema": {"version": 1, "questions": questions}} if kind == "questionnaire" else {
            "questions": [QUESTION], "submit": {"button_title": "Submit"}}
        offer = {"surface": "slot", "style": "DEFAULT", "trigger-if-all": ["NEVER"], "text": "A minute?", "pacing": pacing}
        daemon.put(slug, {"kind": kind, "name": "Limited", "hosted": True, "offer": offer, **content})
        return slug
    return publish


def save(daemon, slug, client, answer, kind="questionnaires", is_complete=True):
    status, body = daemon.call("POST", f"/v1/apps/{APP}/{kind}/{slug}/responses", {
        "client_id": client, "answers": {"q": answer}, "is_complete": is_complete})
    assert status in (200, 201), body
    return body["status"]


GOOD = {"ref": "answer.q", "op": "eq", "value": "good"}
QUOTA = {"quotas": [{"name": "good", "when": GOOD, "limit": 1, "action": "end"}]}


def expect_closed(page):
    panel = view(page)
    panel.get_by_role("heading", name="Not open").wait_for()
    expect(panel.get_by_text("This takes no answers at the moment.", exact=True)).to_be_visible()
    expect(panel.get_by_text("Thanks!")).to_have_count(0)
    assert eventually(lambda: page.evaluate("window.told") == ["refused"])
    assert page.problems == []


def open_and_listen(open_page, slug, kind):
    page = open_page()
    page.evaluate("for (const name of ['submitted', 'refused']) document.addEventListener('bellwether:' + name, () => (window.told ??= []).push(name))")
    page.evaluate("([slug, kind]) => bellwether.show(slug, {kind, intro: false})", [slug, kind])
    view(page).get_by_role("radio", name="Good").check()
    return page


@pytest.mark.parametrize("kind", ["questionnaire", "survey"])
def test_a_submission_that_was_screened_out_is_not_thanked_for(open_page, daemon, limited, kind):
    slug = limited({"response_limit": 1}, kind)
    page = open_and_listen(open_page, slug, kind)
    answer = "bad" if kind == "questionnaire" else "Bad"
    assert save(daemon, slug, "somebody-else", answer, f"{kind}s") == "new"
    view(page).get_by_role("button", name="Submit").click()
    expect_closed(page)


def test_a_draft_that_was_screened_out_ends_the_questions(open_page, daemon, limited):
    slug = limited(QUOTA, questions=[FIRST, SECOND])
    page = open_and_listen(open_page, slug, "questionnaire")
    assert save(daemon, slug, "somebody-else", "good") == "new"
    view(page).get_by_role("button", name="Next").click()
    expect_closed(page)


@pytest.mark.parametrize("reason", ["response_limit", "quota_full", "screened_out"])
def test_a_closed_survey_says_so_before_it_is_answered(open_page, daemon, limited, reason):
    every = {"quotas": [{"name": "all", "when": True, "limit": 1, "action": "end"}]}
    slug = limited({"response_limit": {"response_limit": 1}, "quota_full": every, "screened_out": QUOTA}[reason])
    page = open_page(body="<script>var bellwetherSettings = {texts: {closedTitle: 'Geschlossen', closedBody: 'Danke, genug.'}}</script>")
    client = page.evaluate("bellwether.clientId")
    save(daemon, slug, "somebody-else", "good")
    if reason == "screened_out":
        assert save(daemon, slug, client, "good") == "screened_out"
    answer = daemon.call("GET", f"/v1/apps/{APP}/questionnaires/{slug}?client_id={client}")[1]
    assert answer == {"eligible": False, "reason": reason}
    page.evaluate("document.addEventListener('bellwether:ineligible', e => window.reason = e.detail.reason)")
    page.evaluate("slug => bellwether.show(slug, {mode: 'page', target: document.body})", slug)
    panel = view(page)
    panel.get_by_role("heading", name="Geschlossen").wait_for()
    expect(panel.get_by_text("Danke, genug.", exact=True)).to_be_visible()
    expect(panel.get_by_role("radio")).to_have_count(0)
    assert eventually(lambda: page.evaluate("window.reason") == reason)
    # Nothing is shown over the page; the page gets an event.
    assert page.evaluate("slug => bellwether.show(slug, {mode: 'modal'})", slug) is False


def test_the_hosted_page_says_that_a_survey_is_closed(context, daemon, limited):
    slug = limited({"response_limit": 1})
    save(daemon, slug, "somebody-else", "good")
    page = context.new_page()
    page.goto(f"{daemon.url}/s/{APP}/{slug}")
    view(page).get_by_role("heading", name="Not open").wait_for()


LEAVING = {"kind": "flow", "name": "Leaving", "hosted": True, "steps": [
    {"id": "hello", "type": "welcome", "config": {"title": "Welcome", "content_blocks": [
        {"type": "button", "id": "stop", "text": "No, thanks", "action": "dismiss"}]}},
    {"id": "you", "type": "form", "config": {"title": "You", "fields": [{"id": "name", "type": "text", "label": "Name"}],
     "content_blocks": [{"type": "button", "id": "later", "text": "Leave", "action": "dismiss"}]}}]}


def counts(daemon, slug):
    results = daemon.call("GET", f"/v1/apps/{APP}/results/{slug}")[1]
    return {name: results[name] for name in ("active", "dismissed")}


def test_leaving_a_flow_on_its_own_page_shows_the_end(context, daemon):
    slug = f"leaving-{time.monotonic_ns()}"
    daemon.put(slug, {**LEAVING, "id": slug})
    page = context.new_page()
    panel = view(page)
    page.goto(f"{daemon.url}/s/{APP}/{slug}")
    panel.get_by_role("button", name="No, thanks").click()
    panel.get_by_role("heading", name="You can close this page now.").wait_for()
    assert eventually(lambda: counts(daemon, slug) == {"active": 0, "dismissed": 1})
    page.reload()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_label("Name").fill("Ann")
    panel.get_by_role("button", name="Leave").click()
    panel.get_by_role("button", name="Keep it for later").click()
    panel.get_by_role("heading", name="You can close this page now.").wait_for()
    assert counts(daemon, slug) == {"active": 1, "dismissed": 1}
    page.reload()
    panel.get_by_label("Name").wait_for()
    expect(panel.get_by_label("Name")).to_have_value("Ann")


def test_an_offered_flow_that_was_begun_goes_on_without_asking(open_page, daemon):
    slug = f"offered-{time.monotonic_ns()}"
    daemon.put(slug, {**LEAVING, "id": slug, "offer": {
        "surface": "corner", "style": "DEFAULT", "trigger-if-all": ["ALWAYS"], "title": "A tour?",
        "text": "It takes a minute.", "button-label": "Gladly"}})
    try:
        page = open_page("data-surfaces=corner")
        panel = view(page)
        panel.get_by_role("button", name="Gladly").click()
        panel.get_by_role("button", name="Next").click()
        panel.get_by_label("Name").wait_for()
        page.reload()
        panel.get_by_label("Name").wait_for()
        expect(panel.get_by_role("heading", name="A tour?")).to_have_count(0)
        panel.get_by_role("button", name="Close").click()
        panel.get_by_role("button", name="Stop").click()
        assert eventually(lambda: counts(daemon, slug)["dismissed"] == 1)
        page.reload()
        panel.get_by_role("heading", name="A tour?").wait_for()
    finally:
        daemon.delete(slug)


@pytest.mark.parametrize("pacing", [
    {"response_limit": 1},
    {"quotas": [{"name": "walkers", "when": {"ref": "step.goal.selected", "op": "contains", "value": "walk"}, "limit": 0}]},
], ids=["limit", "quota"])
def test_a_flow_that_has_no_room_is_said_to_be_closed(open_page, daemon, pacing):
    slug = f"full-{time.monotonic_ns()}"
    goal = {"title": "Goal?", "options": [{"id": "walk", "label": "Walk"}, {"id": "run", "label": "Run"}]}
    daemon.put(slug, {"kind": "flow", "id": slug, "steps": [
        {"id": "goal", "type": "question", "config": goal},
        {"id": "end", "type": "welcome", "config": {"title": "Welcome", "cta_text": "Go"}},
    ], "offer": {"surface": "slot", "trigger-if-all": ["NEVER"], "text": "A tour?", "pacing": pacing}})
    if "response_limit" in pacing:
        _, run = daemon.call("POST", f"/v1/apps/{APP}/flows/{slug}/runs", {"client_id": "somebody-else"})
        for step, response in [("goal", {"selected": ["run"]}), ("end", {})]:
            status, body = daemon.call("POST", f"/v1/apps/{APP}/runs/{run['run_id']}/advance",
                                       {"step_id": step, "response": response})
            assert status == 200, body
    page = open_page()
    page.evaluate("for (const name of ['submitted', 'refused']) document.addEventListener('bellwether:' + name, () => (window.told ??= []).push(name))")
    page.evaluate("slug => bellwether.show(slug, {kind: 'flow'})", slug)
    if "quotas" in pacing:
        view(page).get_by_text("Walk", exact=True).click()
        view(page).get_by_role("button", name="Next").click()
    view(page).get_by_role("heading", name="Not open").wait_for()
    expect(view(page).get_by_text("This takes no answers at the moment.", exact=True)).to_be_visible()
    assert eventually(lambda: page.evaluate("window.told") == ["refused"])
