"""The daemon's own pages: the hosted page, previews, the sample page, and the page that docs/web.md prints."""

import hashlib
import json
import re
import urllib.error
import urllib.request

import pytest
from conftest import APP, FEEDBACK, ROOT, SURVEY, Daemon, at_rest, eventually, new_context, violations
from playwright.sync_api import expect


def view(page):
    return page.locator("bellwether-view .panel")


def visit(context, url):
    page = context.new_page()
    page.problems = []
    page.asked = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda message: page.problems.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(url)
    return page


def test_the_hosted_page_asks_and_keeps_its_policy(context, daemon):
    page = visit(context, f"{daemon.url}/s/{APP}/feedback")
    panel = view(page)
    panel.get_by_role("radio", name="10", exact=True).check()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("button", name="Skip").click()
    panel.get_by_role("radio", name="Diary").check()
    for name in ("Next", "Skip"):
        panel.get_by_role("button", name=name).click()
    panel.get_by_role("textbox").fill("From a link")
    panel.get_by_role("button", name="Submit").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert daemon.responses("feedback")[0]["answers"] == {"recommend": 10, "use": "diary", "more": "From a link"}
    assert page.problems == []
    assert all(url.startswith(daemon.url) for url in page.asked)
    headers = urllib.request.urlopen(f"{daemon.url}/s/{APP}/feedback").headers
    assert "noindex" in headers["X-Robots-Tag"] and headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert page.title() == "Feedback"


def test_the_hosted_page_needs_the_recipes_word(daemon):
    daemon.put("private", {**FEEDBACK, "hosted": False})
    for slug in ("private", "nothing"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{daemon.url}/s/{APP}/{slug}")
        assert refused.value.code == 404


def test_without_javascript_the_hosted_page_says_so(browser, daemon):
    with new_context(browser, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{daemon.url}/s/{APP}/feedback")
        assert "JavaScript" in page.inner_text("body")


def test_a_paused_survey_is_not_open(context, daemon):
    daemon.put("resting", FEEDBACK)
    daemon.call("POST", f"/v1/apps/{APP}/recipes/resting/state", {"state": "paused"})
    page = visit(context, f"{daemon.url}/s/{APP}/resting")
    view(page).get_by_role("heading", name="Not open").wait_for()


def test_the_pages_token_opens_its_slug_only(tmp_path_factory, pages, daemon, context):
    """Without --dev there is only the page's own token."""
    folder = tmp_path_factory.mktemp("closed")
    apps, recipes = folder / "apps" / APP, folder / "recipes" / APP
    apps.mkdir(parents=True)
    recipes.mkdir(parents=True)
    (apps / "manifest.json").write_text(json.dumps({"app_name": "shop", "default_locale": "en", "surfaces": ["home"]}))
    for slug in ("feedback", "other"):
        (recipes / f"{slug}.json").write_text(json.dumps(FEEDBACK))
    closed = Daemon(folder, pages.url, ["--apps", folder / "apps", "--recipes", folder / "recipes"], is_open=False,
                    settings="public: [hosted]\n"
                             f"tokens: ['ana:owner:{APP}:{hashlib.sha256(b'ana-text').hexdigest()}']\n")
    closed.token = "ana-text"
    try:
        page = visit(context, f"{closed.url}/s/{APP}/feedback")
        panel = view(page)
        panel.get_by_role("radio", name="9", exact=True).check()
        panel.get_by_role("button", name="Next").click()
        panel.get_by_role("button", name="Skip").wait_for()
        assert page.problems == []
        assert eventually(lambda: [run["answers"] for run in closed.responses("feedback")]) == [{"recommend": 9}]
        token = page.locator("#bellwether").get_attribute("data-token")
        statuses = {}
        for path in (f"questionnaires/feedback?client_id={'c' * 30}", "questionnaires/other?client_id=c", "messages?client_id=c", "recipes"):
            request = urllib.request.Request(f"{closed.url}/v1/apps/{APP}/{path}", headers={"Authorization": f"Bearer {token}"})
            try:
                statuses[path.split("?")[0]] = urllib.request.urlopen(request).status
            except urllib.error.HTTPError as error:
                statuses[path.split("?")[0]] = error.code
        assert statuses == {"questionnaires/feedback": 200, "questionnaires/other": 403, "messages": 403, "recipes": 403}
    finally:
        closed.stop()


def test_a_preview_shows_a_draft_and_records_nothing(context, daemon):
    questions = [{"id": "q", "type": "rating", "title": "A draft?", "required": True}]
    status, body = daemon.call("PUT", f"/v1/apps/{APP}/recipes/drafted?state=draft",
                               {"kind": "questionnaire", "name": "Draft", "schema": {"questions": questions}})
    assert status == 201, body
    status, preview = daemon.call("POST", f"/v1/apps/{APP}/recipes/drafted/preview")
    assert status == 200 and re.fullmatch(r"/preview/preview\.[0-9a-f.]+", preview["url"])
    page = visit(context, daemon.url + preview["url"])
    panel = view(page)
    panel.get_by_role("radio", name="3").check()
    panel.get_by_role("button", name="Submit").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert not any("/v1/" in url for url in page.asked) and page.problems == []
    assert daemon.responses("drafted") == []


def test_a_preview_of_messages_shows_each(context, daemon):
    daemon.call("PUT", f"/v1/apps/{APP}/recipes/previewed?state=draft", {"messages": {
        "one": {"surface": "home", "style": "DEFAULT", "title": "First", "text": "News.", "button-label": "Look"},
        "two": {"surface": "microsurvey", "style": "MICROSURVEY", "text": "How is it?",
                "microsurveyConfig": {"options": ["Good", "Bad"], "utm-content": "x"}}},
        "styles": {"MICROSURVEY": {"priority": 50, "max-display-count": 1}}})
    status, preview = daemon.call("POST", f"/v1/apps/{APP}/recipes/previewed/preview")
    page = visit(context, daemon.url + preview["url"])
    page.get_by_role("heading", name="First").wait_for()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("radio", name="Good").check()
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("heading", name="Survey complete").wait_for()
    assert not any("/v1/" in url for url in page.asked) and page.problems == []


def test_the_page_that_the_documentation_prints_works_as_printed(context, daemon, pages):
    text = (ROOT / "docs/web.md").read_text()
    html = re.search(r"```html\n(<!doctype html>.*?)```", text, re.S).group(1)
    daemon.put("first-trips", FEEDBACK)
    html = html.replace("https://feedback.example", daemon.url).replace("trail-notes", APP)
    page = visit(context, pages.add("/printed", html))
    page.wait_for_function("() => window.bellwether")
    page.get_by_role("button", name="Give feedback").click()
    view(page).get_by_role("button", name="Sure, happy to help").wait_for()
    assert page.problems == []


def test_the_journey_of_the_readme(context, daemon):
    """Page, eligible after the second view, survey, answer, results."""
    daemon.put("journey", {**FEEDBACK, "schema": {"questions": FEEDBACK["schema"]["questions"][:1]}, "offer": {
        "surface": "corner", "style": "DEFAULT", "trigger-if-all": ["SEEN_TWICE"], "title": "How was it?", "text": "One question."},
        "triggers": {"SEEN_TWICE": "'page_viewed'|eventSum('Years', 1, 0) >= 2"}})
    try:
        status, manifest = daemon.call("GET", f"/v1/apps/{APP}/manifest")
        triggered = {**manifest, "messaging": {"triggers": {"SEEN_TWICE": "'page_viewed'|eventSum('Years', 1, 0) >= 2"}}}
        assert daemon.call("PUT", f"/v1/apps/{APP}/manifest", triggered)[0] in (200, 201)
        with context.expect_event("response", lambda response: response.url.endswith("/messages")) as polled:
            page = visit(context, f"{daemon.url}/sample/{APP}")
        polled.value.finished()
        at_rest(page)
        expect(page.locator("bellwether-view")).to_have_count(0)
        page.reload()
        panel = view(page)
        panel.get_by_role("heading", name="How was it?").wait_for()
        panel.get_by_role("button", name="Sure, happy to help").click()
        panel.get_by_role("radio", name="10", exact=True).check()
        panel.get_by_role("button", name="Submit").click()
        panel.get_by_role("heading", name="Thanks!").wait_for()
        status, results = daemon.call("GET", f"/v1/apps/{APP}/results/journey")
        assert results["submitted_count"] == 1 and results["questions"][0]["promoters"] == 1
        assert page.problems == []
    finally:
        daemon.delete("journey")


def test_the_sample_page_opens_everything(context, daemon):
    page = visit(context, f"{daemon.url}/sample/{APP}")
    page.locator("[data-bellwether-show=habits]").click()
    view(page).get_by_role("heading", name="Habits").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="its own page").first.wait_for()
    assert page.problems == []


@pytest.mark.parametrize("scheme,width", [("light", 1100), ("dark", 320)])
def test_the_sample_page_has_something_to_try_of_each_kind(browser, tmp_path, pages, scheme, width):
    own = Daemon(tmp_path, pages.url, ["--apps", ROOT / "config/apps", "--recipes", ROOT / "recipes"])
    try:
        with new_context(browser, color_scheme=scheme, viewport={"width": width, "height": 800}, reduced_motion="reduce") as context:
            page = visit(context, f"{own.url}/sample/trail-notes")
            page.get_by_role("heading", name="Every walk, kept.").wait_for()
            expect(page.locator(".cards h3")).to_have_text(["Onboarding flow", "Chat", "Questionnaire", "Survey", "Message", "Microsurvey"], use_inner_text=True)
            assert page.evaluate("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.wait_for_function("() => window.bellwether")
            for name, heading in [("First steps", "Welcome to Trail Notes"), ("Trip coach", "Find your next trip")]:
                page.evaluate("bellwether.reset()")
                page.locator(".cards button", has=page.locator(f"xpath=self::*[contains(@aria-label, '{name}')]")).press("Enter")
                view(page).get_by_role("heading", name=heading).wait_for()
                page.keyboard.press("Escape")
                page.locator("bellwether-view").wait_for(state="detached")
            for kind, text in [("home", "How were your first trips?"), ("microsurvey", "Continue")]:
                page.locator(f"[data-surface={kind}]").press("Enter")
                view(page).get_by_text(text).first.wait_for()
            page.evaluate("bellwether.reset()")
            assert violations(page) == [] and page.problems == []
    finally:
        own.stop()


def test_a_link_brings_answers_and_attributes_that_the_recipe_lists(context, daemon):
    questions = [{"id": "use", "type": "single_choice", "title": "What?", "options": [{"id": "maps", "label": "Maps"}, {"id": "diary", "label": "Diary"}]},
                 {"id": "miss", "type": "multi_choice", "title": "Miss?", "options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]},
                 {"id": "stars", "type": "rating", "title": "Stars?"}, {"id": "more", "type": "text", "title": "More?"}]
    daemon.put("linked", {"kind": "questionnaire", "name": "Linked", "hosted": True, "schema": {"questions": questions},
                          "link": {"answers": ["use", "miss", "stars"], "attributes": ["plan"]}})
    page = context.new_page()
    page.goto(f"{daemon.url}/s/{APP}/linked?use=maps&miss=a,b&stars=nine&more=no&plan=pro&user_id=eve&utm_source=x")
    panel = view(page)
    panel.get_by_role("radio", name="Maps").wait_for()
    expect(panel.get_by_role("radio", name="Maps")).to_be_checked()
    panel.get_by_role("button", name="Next").click()
    expect(panel.get_by_role("checkbox", name="B")).to_be_checked()
    panel.get_by_role("button", name="Next").click()
    # An invalid parameter is no answer.
    expect(panel.locator("input:checked")).to_have_count(0)
    panel.get_by_role("button", name="Skip").click()
    expect(panel.get_by_role("textbox")).to_have_value("")
    panel.get_by_role("button", name="Submit").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    stored = daemon.responses("linked")[0]
    assert stored["answers"] == {"use": "maps", "miss": ["a", "b"]} and stored["user_id"] is None
