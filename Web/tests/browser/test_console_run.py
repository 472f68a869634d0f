"""Health, audit, the activity of today, and the languages of the console (docs/console.md#health-audit-access)."""

import hashlib
import http.server
import json
import re
import threading

import pytest
from conftest import APP, Daemon, FEEDBACK, eventually, violations
from playwright.sync_api import expect
from test_console import HOME, opened, survives_a_reload, words
from test_console_access import sign_in

PAGES = {"health": f"{HOME}/health", "audit": f"{HOME}/audit"}


class Receiver(http.server.BaseHTTPRequestHandler):
    """Accepts webhooks if `takes` is set, and answers 410 otherwise."""

    def do_POST(self):
        self.server.seen.append(self.headers["webhook-id"])
        self.send_response(204 if self.server.takes else 410)
        self.end_headers()

    def log_message(self, *arguments):
        pass


@pytest.fixture
def receiver():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.seen, server.takes = [], False
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


@pytest.fixture(scope="module")
def closed(tmp_path_factory, pages):
    """A daemon without --dev, with tokens of every kind, which may send webhooks to this machine."""
    tokens = [("ana", "owner", APP), ("rita", "reader", APP), ("pipe", "pipeline", APP), ("root", "admin", "*"),
              ("app", "client", APP)]
    settings = "webhooks:\n  allow_networks: [\"127.0.0.0/8\"]\ntokens:\n" + "".join(
        f"  - {name}:{scope}:{app}:{hashlib.sha256(f'{name}-text'.encode()).hexdigest()}\n" for name, scope, app in tokens)
    daemon = Daemon(tmp_path_factory.mktemp("run"), pages.url, is_open=False, settings=settings)
    daemon.token = "root-text"
    status, body = daemon.call("PUT", f"/v1/apps/{APP}/manifest", {
        "app_name": "shop", "default_locale": "en", "surfaces": ["home"]})
    assert status == 201, body
    daemon.token = "ana-text"
    yield daemon
    daemon.stop()


def displayed(daemon, message, count, name="c"):
    token, daemon.token = daemon.token, "app-text"
    for number in range(count):
        status, body = daemon.call("POST", f"/v1/apps/{APP}/events", {"client_id": f"{name}{number}", "events": [
            {"type": "message", "action": "displayed", "message": message}]})
        assert status == 200, body
    daemon.token = token


def test_home_tells_of_24_hours_and_of_what_went_wrong_today(browser, closed):
    closed.put("shown", {"messages": {"shown": {"surface": "home", "text": "Hello"}}})
    displayed(closed, "shown", 12)
    displayed(closed, "unknown", 2)
    with opened(browser, closed, "/console/sign-in") as page:
        sign_in(page, "ana-text")
        page.get_by_role("img", name=re.compile("Shown 12 times in 24 hours")).wait_for()
        row = page.get_by_role("row", name=re.compile("^shown"))
        expect(row).to_contain_text("12", use_inner_text=True)
        page.get_by_role("listitem").filter(has_text="2 events were refused").get_by_role("link", name="Look").click()
        page.get_by_role("heading", name="Health", level=1).wait_for()
        expect(page.get_by_role("row", name=re.compile("Events refused"))).to_contain_text("unknown_message")
        expect(page.get_by_role("link", name=re.compile("^Health")).locator(".badge")).to_have_attribute("title", "Something is wrong")


def test_health_tells_parts_and_rates_and_sends_a_webhook_again(browser, closed, receiver):
    url = f"http://127.0.0.1:{receiver.server_port}/hook"
    closed.put("told", {**FEEDBACK, "notify": {"url": url, "format": "json"}})
    answers = {"recommend": 9, "use": "maps"}
    token, closed.token = closed.token, "app-text"
    status, body = closed.call("POST", f"/v1/apps/{APP}/questionnaires/told/responses", {
        "client_id": "c", "answers": answers, "is_complete": True})
    closed.token = token
    assert status == 201, body
    assert eventually(lambda: closed.call("GET", f"/v1/apps/{APP}/webhooks?state=dead")[1]["items"])
    with opened(browser, closed, "/console/sign-in") as page:
        sign_in(page, "ana-text")
        page.goto(closed.url + PAGES["health"])
        page.get_by_role("row", name=url).get_by_text("given up").wait_for()
        expect(page.get_by_role("row", name=re.compile("Webhook given up"))).to_contain_text("410")
        expect(page.locator("main")).to_contain_text("The store takes reads and writes")
        page.get_by_text("Between two readings, 2 s apart").wait_for()
        polls = page.get_by_role("row", name=re.compile("Requests answered")).locator("td").first
        assert eventually(lambda: float(polls.inner_text().replace(",", "")) > 0)
        receiver.takes = True
        page.get_by_role("button", name="Send again to 127.0.0.1").click()
        page.get_by_text("It is sent again.").wait_for()
        assert eventually(lambda: not closed.call("GET", f"/v1/apps/{APP}/webhooks")[1]["items"])
        assert eventually(lambda: len(receiver.seen) == 2) and len(set(receiver.seen)) == 1
        expect(page.get_by_role("heading", name="Telemetry")).to_have_count(0)


def test_health_is_told_while_the_store_does_not_answer(browser, closed):
    with opened(browser, closed, "/console/sign-in") as page:
        sign_in(page, "ana-text")
        beat = {"status": "error", "checks": {"snapshot": "ok", "store": "error", "backups": "degraded"},
                "reasons": {"store": ["the disk is full"], "backups": ["the last backup failed; the log says why"]},
                "backups": {"every_seconds": 86400, "newest_at": "2026-11-20T03:00:00Z", "age_seconds": 600000}}
        page.route("**/__heartbeat__", lambda route: route.fulfill(
            status=503, content_type="application/json", body=json.dumps(beat)))
        for name in ("webhooks*", "consumers"):
            page.route(f"**/v1/apps/{APP}/{name}", lambda route: route.fulfill(
                status=503, content_type="application/problem+json", body=json.dumps({"status": 503})))
        page.goto(closed.url + PAGES["health"])
        part = page.get_by_role("listitem").filter(has_text="The store takes reads and writes")
        expect(part).to_contain_text("Does not work")
        expect(part).to_contain_text("the disk is full")
        backups = page.get_by_role("listitem").filter(has_text="Backups")
        expect(backups).to_contain_text("the last backup failed; the log says why")
        expect(backups.locator("time")).to_have_attribute("datetime", "2026-11-20T03:00:00Z")
        expect(page.get_by_text("This could not be read")).to_have_count(2)
        assert violations(page) == []


def test_goal_16_a_reader_sees_health_and_sends_nothing_again(browser, closed):
    with opened(browser, closed, "/console/sign-in") as page:
        sign_in(page, "rita-text")
        page.goto(closed.url + PAGES["health"])
        page.get_by_role("heading", name="Webhooks").wait_for()
        expect(page.get_by_role("button", name=re.compile("Send again"))).to_have_count(0)
        expect(page.get_by_role("link", name="Access")).to_have_count(0)
        page.goto(f"{closed.url}/console/access")
        page.get_by_role("alert").filter(has_text="scope reader").wait_for()
        status = page.evaluate("fetch('/v1/tokens').then(answer => answer.status)")
        assert status == 403


def test_a_pipelines_token_sees_lag_and_the_log_as_it_comes(browser, closed):
    closed.put("shown", {"messages": {"shown": {"surface": "home", "text": "Hello"}}})
    displayed(closed, "shown", 1, "early")
    closed.token = "pipe-text"
    page_of = closed.call("GET", f"/v1/apps/{APP}/consumers")[1]
    assert page_of == {"consumers": []} or page_of["consumers"]
    closed.token = "ana-text"
    with opened(browser, closed, "/console/sign-in") as page:
        page.get_by_label("Token").fill("pipe-text")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("heading", name="Health", level=1).wait_for()
        page.get_by_role("row", name=re.compile("messaging.shown")).first.wait_for()
        expect(page.get_by_role("link", name="Recipes")).to_have_count(0)
        displayed(closed, "shown", 1, "late")
        page.get_by_role("cell", name="late0").first.wait_for()
        page.get_by_role("button", name="Stop").click()
        page.get_by_text("Stopped here").wait_for()


def test_goal_38_the_audit_is_searched_and_a_record_opens_its_difference(browser, closed):
    closed.put("audited", {**FEEDBACK, "name": "Audited"})
    closed.put("audited", {**FEEDBACK, "name": "Audited again"})
    closed.call("PUT", f"/v1/apps/{APP}/strings/de", {"T": {"a": "A"}})
    with opened(browser, closed, "/console/sign-in") as page:
        sign_in(page, "rita-text")
        page.goto(closed.url + PAGES["audit"])
        rows = page.locator("tbody tr")
        expect(rows.first).to_contain_text("session rita")
        expect(rows.nth(1)).to_contain_text("texts de")
        page.get_by_label("Kind").select_option("recipe")
        page.get_by_label("Object").fill("audited")
        page.get_by_label("Object").press("Enter")
        expect(rows).to_have_count(2)
        page.wait_for_url("**kind=recipe*name=audited*")
        page.reload()
        assert eventually(lambda: rows.count() == 2)
        page.get_by_role("link", name="What changed in audited, revision 2").click()
        page.get_by_role("heading", name="What changed from revision 1 to 2").wait_for()
        expect(page.locator("main")).to_contain_text("Audited again")
        page.go_back()
        assert eventually(lambda: rows.count() == 2)
        page.get_by_role("button", name="Clear filters").click()
        page.get_by_label("By").fill("nobody")
        page.get_by_label("By").press("Enter")
        page.get_by_text("No record matches.").wait_for()
        page.get_by_role("button", name="Clear filters").click()
        page.get_by_label("Kind").select_option("strings")
        page.get_by_text("Digests").first.click()
        page.get_by_text("Only digests of this document are kept").first.wait_for()


def test_older_records_of_the_audit_are_a_page_of_their_own(browser, closed):
    for number in range(130):
        closed.call("PUT", f"/v1/apps/{APP}/strings/fr", {"T": {"a": f"A{number}"}})
    with opened(browser, closed, "/console/sign-in") as page:
        sign_in(page, "ana-text")
        page.goto(f"{closed.url}{PAGES['audit']}?kind=strings&name=fr")
        rows = page.locator("tbody tr")
        assert eventually(lambda: rows.count() == 100)
        page.get_by_role("link", name="Older records").click()
        expect(rows).to_have_count(30)
        page.wait_for_url("**before=*")
        page.get_by_role("link", name="Newest records").click()
        assert eventually(lambda: rows.count() == 100)


LOOKS = {"light": {"color_scheme": "light"}, "dark": {"color_scheme": "dark"}, "forced": {"forced_colors": "active"}}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", PAGES)
def test_goal_3_no_page_has_an_axe_violation(browser, daemon, name, look):
    with opened(browser, daemon, PAGES[name], **LOOKS[look]) as page:
        page.locator("table, .empty").first.wait_for()
        assert violations(page) == []


@pytest.mark.parametrize("name", PAGES)
def test_goal_4_at_320_pixels_nothing_scrolls_sideways_but_tables(browser, daemon, name):
    with opened(browser, daemon, PAGES[name], viewport={"width": 320, "height": 640}) as page:
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)


@pytest.mark.parametrize("name", PAGES)
def test_goal_9_from_right_to_left_no_element_overflows(browser, daemon, name):
    with opened(browser, daemon, PAGES[name]) as page:
        page.evaluate("document.documentElement.dir = 'rtl'")
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)


def test_goal_40_a_german_browser_is_spoken_to_in_german_on_every_page(browser, daemon):
    daemon.put("feedback", FEEDBACK)
    addresses = [HOME, f"{HOME}/recipes", f"{HOME}/texts", *PAGES.values(), f"{HOME}/app", "/console/me", "/console/access",
                 f"{HOME}/r/feedback", f"{HOME}/r/feedback/history", f"{HOME}/r/feedback/edit", f"{HOME}/r/feedback/publish",
                 f"{HOME}/new"]
    headings = []
    for address in addresses:
        with opened(browser, daemon, address, locale="de-AT") as page:
            assert page.evaluate("document.documentElement.lang") == "de"
            headings.append(page.locator("h1").inner_text())
            expect(page.get_by_role("link", name="Zum Inhalt")).to_have_count(1)
            assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)
    assert headings[:5] == ["Start", "Rezepte", "Texte", "Zustand", "Protokoll"], headings


def test_goal_40_a_chosen_language_counts_more_than_the_browsers(browser, daemon):
    with opened(browser, daemon, "/console/me", locale="fr-FR") as page:
        assert page.evaluate("document.documentElement.lang") == "en"
        page.get_by_label("Deutsch").click()
        page.get_by_role("heading", name="Deine Einstellungen").wait_for()
        page.goto(daemon.url + HOME)
        page.get_by_role("heading", name="Start").wait_for()
        page.goto(f"{daemon.url}/console/me")
        page.get_by_label("Wie der Browser").click()
        page.get_by_role("heading", name="Your settings").wait_for()


def test_goal_3_and_4_in_german_at_320_pixels(browser, daemon):
    for address in (HOME, *PAGES.values(), f"{HOME}/texts", "/console/access"):
        with opened(browser, daemon, address, locale="de", viewport={"width": 320, "height": 640}) as page:
            assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0), address
            assert violations(page) == [], address


def test_goal_40_each_address_survives_a_reload(browser, daemon):
    for address in (f"{HOME}/texts?locale=de&show=missing&table=Feedback", f"{HOME}/audit?kind=recipe&name=feedback&by=dev"):
        with opened(browser, daemon, address) as page:
            survives_a_reload(page, lambda page: page.locator("h1").wait_for())
            assert page.url.endswith(address)
            before = words(page)
            page.goto(daemon.url + HOME)
            page.go_back()
            assert eventually(lambda: words(page) == before)


def test_goal_40_sentences_about_recipes_are_german_throughout(browser, daemon):
    daemon.put("asks", {"messages": {"asks": {"surface": "home", "text": "Tell us", "presents": "feedback"}}})
    shown = {"id": "stars", "type": "rating", "title": "Why?", "show_if": {"id": "use", "operation": "equals", "value": "maps"}}
    questions = [question for question in FEEDBACK["schema"]["questions"] if question["id"] == "use"]
    daemon.put("words", {**FEEDBACK, "schema": {"version": 1, "questions": [*questions, shown]}})
    daemon.call("POST", f"/v1/apps/{APP}/messages", {"client_id": "german", "context": {}})
    daemon.call("POST", f"/v1/apps/{APP}/questionnaires/feedback/responses", {
        "client_id": "german", "answers": {"recommend": 9, "use": "maps"}, "is_complete": True})
    try:
        with opened(browser, daemon, f"{HOME}/r/feedback", locale="de") as page:
            page.locator(".sentences li", has_text="Bietet „feedback“ an").wait_for()
            page.goto(f"{daemon.url}{HOME}/r/words/edit?at=/schema/questions/1")
            page.get_by_text("wenn „What do you use most?“ „Maps“ ist").wait_for()
            page.goto(f"{daemon.url}{HOME}/explain?surface=home")
            page.locator(".gates", has_text="nimmt teil · erfüllt alle Bedingungen").wait_for()
            page.goto(f"{daemon.url}{HOME}/people#client=german")
            page.locator(".kept summary", has_text="Abgesendet").wait_for()
            page.goto(f"{daemon.url}{HOME}/new")
            page.get_by_role("button", name="Eine Frage stellen").wait_for()
    finally:
        for slug in ("asks", "words"):
            daemon.delete(slug)
