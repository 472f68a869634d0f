"""The explain page of the owners' console (docs/console.md#goals)."""

import datetime

import pytest
from conftest import APP, eventually, violations
from playwright.sync_api import expect
from test_console import HOME, opened, survives_a_reload
from test_console_results import CARD, experiment

PAGE = f"{HOME}/explain"


@pytest.fixture(scope="module")
def cards(daemon):
    """A card with two triggers, an experiment, and a client that has seen one page."""
    daemon.manifest = daemon.call("GET", f"/v1/apps/{APP}/manifest")[1]
    changed = {**daemon.manifest,
               "features": {"bar": {"variables": {"place": {"type": "string", "default": "bottom"}}}},
               "personas": {"Pro with two views": {"context": {"plan": "pro"}, "events": [
                   {"name": "page_viewed", "at": "2026-01-05T10:00:00Z", "count": 2}], "now": "2026-01-05T12:00:00Z"}}}
    status, body = daemon.call("PUT", f"/v1/apps/{APP}/manifest", changed)
    assert status in (200, 201), body
    daemon.put("walks-card", CARD)
    daemon.put("bar", experiment())
    daemon.call("POST", f"/v1/apps/{APP}/messages", {"client_id": "seen-once", "context": {"plan": "pro"}})
    daemon.call("POST", f"/v1/apps/{APP}/events", {"client_id": "seen-once", "events": [{"type": "behavior", "name": "page_viewed"}]})
    yield daemon
    for slug in ("walks-card", "bar"):
        daemon.delete(slug)
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", daemon.manifest)


def ask(daemon, **question):
    status, body = daemon.call("POST", f"/v1/apps/{APP}/explain", {"surface": "home", **question})
    assert status == 200, body
    return body


def tree(page):
    """The gates on the page, and whether each is open."""
    page.locator(".gates").first.wait_for()
    return page.locator(".gates").first.locator("> li").evaluate_all("""rows => rows.map(row => [
        row.querySelector("bdi").textContent,
        row.querySelector(".gate-mark").classList.contains("is-open"),
        [...row.querySelectorAll(":scope > details > ul > .gate")].map(gate =>
            [gate.querySelector(".gate-line > span:last-child").textContent.trim(), gate.querySelector(".gate-mark").classList.contains("is-open")])])""")


def told(answer):
    """The same gates from an answer of the API."""
    rows = []
    for message in answer["messages"]:
        if message["reason"] == "wrong_surface":
            continue
        gates = []
        for gate in message["gates"]:
            if gate["gate"] == "triggers":
                gates += [trigger.get("value") is True for trigger in message["triggers"]]
            elif gate["gate"] == "exclusions":
                gates += [trigger.get("value") is False for trigger in message["exclusions"]]
            else:
                gates.append(gate["holds"])
        rows.append((message["eligible"], gates))
    return rows


def is_told(page, answer):
    return [(row[1], [gate[1] for gate in row[2]]) for row in tree(page)] == told(answer)


def test_goal_36_the_tree_of_gates_is_that_of_the_api(browser, cards):
    draft = {**CARD, "triggers": {"TWICE": "true", "PRO": "true"}}
    revision = cards.call("PUT", f"/v1/apps/{APP}/recipes/walks-card?state=draft", draft)[1]["revision"]
    persona = cards.call("GET", f"/v1/apps/{APP}/manifest")[1]["personas"]["Pro with two views"]
    suppose = [{"slug": "walks-card", "revision": revision}]
    cases = {
        "?surface=home": ask(cards),
        "?surface=home#client=seen-once": ask(cards, client_id="seen-once"),
        "?surface=home&at=2026-03-01T00:00:00Z": ask(cards, now="2026-03-01T00:00:00Z"),
        "?surface=home&persona=Pro+with+two+views": ask(cards, **persona),
        f"?surface=home&with=walks-card:draft": ask(cards, suppose=suppose),
        f"?surface=home&with=walks-card:{revision}": ask(cards, suppose=suppose),
        "?surface=home#attribute.plan=%22pro%22": ask(cards, context={"plan": "pro"}),
    }
    for address, answer in cases.items():
        with opened(browser, cards, PAGE + address) as page:
            assert eventually(lambda: is_told(page, answer)), (address, tree(page), told(answer))
            shown = page.get_by_role("status").filter(has_text="is shown").first.inner_text()
            assert ("Nothing" in shown) == (answer["selected"] is None), (address, shown)
            survives_a_reload(page, tree)
    cards.call("DELETE", f"/v1/apps/{APP}/recipes/walks-card/draft")


def test_what_would_open_a_gate_is_supposed_and_the_question_asked_again(browser, cards):
    with opened(browser, cards, f"{PAGE}?surface=home#client=seen-once") as page:
        page.get_by_text("Closest: walks-card, 2 gates are closed.").wait_for()
        page.get_by_role("button", name="Suppose 1 more").click()
        page.locator(".chips .chip", has_text="page_viewed happened once more").wait_for()
        page.get_by_role("button", name='Suppose "pro"').click()
        page.get_by_text("walks-card is shown.").wait_for()
        chips = page.locator(".chips .chip").all_inner_texts()
        assert [chip.strip() for chip in chips] == ["page_viewed happened once more", 'plan is "pro"']
        assert violations(page) == []
        answer = ask(cards, client_id="seen-once", context={"plan": "pro"}, events=[
            {"name": "page_viewed", "at": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}])
        assert answer["selected"] == "walks-card"
        page.go_back()
        page.get_by_text("Nothing is shown.").wait_for()
        page.get_by_role("button", name="Do not suppose").click()
        page.wait_for_function("() => location.hash === '#client=seen-once'")


def test_a_branch_is_supposed_and_a_feature_explained(browser, cards):
    with opened(browser, cards, f"{PAGE}?feature=bar#client=seen-once") as page:
        page.get_by_role("heading", name="Values of bar").wait_for()
        own = next(entry for entry in ask(cards, client_id="seen-once")["enrollments"] if entry["slug"] == "bar")["branch"]
        other = {"control": "left", "left": "control"}[own]
        for branch, value in ((own, {"control": "top", "left": "left"}[own]), (other, {"control": "top", "left": "left"}[other])):
            if branch == other:
                page.locator("details:has(> summary:has-text('Bar'))").first.locator("summary").first.click()
                page.get_by_role("button", name=f"Suppose {other}").first.click()
            page.get_by_text(f'bar.place is "{value}"').wait_for()
        page.locator(".chip", has_text=f"bar: branch {other}").wait_for()


def test_a_persona_is_kept_in_this_browser_without_the_client(browser, cards):
    with opened(browser, cards, f"{PAGE}?surface=home#client=seen-once&attribute.plan=%22pro%22&event.page_viewed=2") as page:
        page.get_by_text("walks-card is shown.").wait_for()
        page.get_by_role("button", name="Save persona …").click()
        page.get_by_role("dialog").get_by_label("Name of the persona").fill("Nearly there")
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
        page.wait_for_function("() => location.search.includes('persona=Nearly')")
        kept = page.evaluate(f"localStorage.getItem('bellwether-personas:{APP}')")
        assert "Nearly there" in kept and "seen-once" not in kept
        page.goto(f"{cards.url}{PAGE}?surface=home&persona=Nearly+there")
        page.get_by_text("walks-card is shown.").wait_for()
        page.get_by_role("button", name="Remove persona").click()
        page.get_by_text("Nothing is shown.").wait_for()


def test_a_question_that_the_daemon_refuses_is_told(browser, cards):
    with opened(browser, cards, f"{PAGE}?surface=nowhere") as page:
        page.get_by_role("alert").wait_for()
        expect(page.get_by_role("alert")).to_contain_text("nowhere", use_inner_text=True)


def test_a_link_that_the_browser_does_not_copy_is_told_of(browser, cards):
    with opened(browser, cards, PAGE) as page:
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page.get_by_role("button", name="Copy link").click()
        page.get_by_text("The browser copies nothing here.").wait_for()
