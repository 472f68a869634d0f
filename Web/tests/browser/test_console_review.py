"""The goals of the owners' console that concern the review page, where a revision goes live (docs/console.md#goals)."""

import json

import pytest
from conftest import APP, eventually, violations
from playwright.sync_api import expect
from test_console import HOME, opened
from test_console_edit import draft_of, put_text, text_of

ASKED = {"kind": "questionnaire", "name": "Reviewed", "schema": {"version": 1, "questions": [
    {"id": "first", "type": "text", "title": "What is new?"}, {"id": "second", "type": "rating", "title": "How good?"}]}}
MESSAGES = {"messages": {"sale": {"surface": "home", "text": "Winter sale", "trigger-if-all": ["ALWAYS"]}}}
PAGE = f"{HOME}/r/reviewed/publish"


def changed(**values):
    document = json.loads(json.dumps(ASKED))
    document["schema"]["questions"][0].update(values)
    return json.dumps(document)


@pytest.fixture
def reviewed(daemon):
    """A live recipe with a draft, which is deleted afterwards. Its revision numbers continue from test to test."""
    daemon.live = put_text(daemon, "reviewed", json.dumps(ASKED))["revision"]
    daemon.draft = put_text(daemon, "reviewed", changed(title="What is old?", required=True), "?state=draft")["revision"]
    yield daemon
    daemon.delete("reviewed")


def heads(page):
    """The headings of the review in their order, without the numbers of items, and without those of other live messages."""
    texts = page.locator(".review h2").evaluate_all("all => all.map(head => head.firstChild.textContent.trim())")
    return [text for text in texts if not text.startswith("Others")]


def recipe(daemon, slug="reviewed"):
    recipes = daemon.call("GET", f"/v1/apps/{APP}/recipes")[1]["recipes"]
    return next((recipe for recipe in recipes if recipe["slug"] == slug), None)


def publish(page, name="Publish now"):
    button = page.get_by_role("button", name=name)
    assert eventually(lambda: button.get_attribute("aria-disabled") == "false")
    button.click()


def test_goal_34_the_sentences_of_a_difference_name_every_pointer_that_changed(browser, reviewed):
    with opened(browser, reviewed, PAGE) as page:
        lines = page.locator(".changes li")
        assert lines.evaluate_all("all => all.map(line => line.dataset.pointer)") == [
            "/schema/questions/0/title", "/schema/questions/0/required"]
        expect(lines.first).to_contain_text("Question “What is new?” became “What is old?”", use_inner_text=True)
        lines.first.get_by_role("link").click()
        page.wait_for_url("**/edit?at=%2Fschema%2Fquestions%2F0%2Ftitle")


def test_goal_35_a_draft_goes_live_after_its_review(browser, reviewed):
    with opened(browser, reviewed, f"{HOME}/r/reviewed") as page:
        page.get_by_role("link", name="Review").click()
        page.get_by_role("heading", name="Review of Reviewed").wait_for()
        page.get_by_text("No faults and no warnings.").wait_for()
        publish(page)
        page.get_by_text(f"Reviewed is stored as r{reviewed.draft}").wait_for()
        assert eventually(lambda: recipe(reviewed)["in_force"] == reviewed.draft and recipe(reviewed)["draft"] is None)


def test_who_reviews_sees_the_sentences_the_questions_and_every_state_before_the_text(browser, daemon):
    offer = {"surface": "home", "title": "Have you a minute?", "text": "Two questions", "button-label": "Ask me",
             "trigger-if-all": ["ALWAYS"]}
    questions = [*ASKED["schema"]["questions"], {"id": "way", "type": "single_choice", "title": "Which way?", "options": [
        {"id": "a", "label": "By bike"}, {"id": "b", "label": "On foot"}]}]
    put_text(daemon, "reviewed", json.dumps({**ASKED, "schema": {"version": 1, "questions": questions}, "offer": offer}),
             "?state=draft")
    try:
        with opened(browser, daemon, PAGE) as page:
            page.get_by_text("Asks 3 questions").wait_for()
            items = page.locator(".review-questions > li")
            expect(items).to_have_count(3)
            expect(items.first).to_contain_text("What is new?", use_inner_text=True)
            expect(items.last).to_contain_text("By bike", use_inner_text=True)
            expect(items.last).to_contain_text("On foot", use_inner_text=True)
            page.locator("iframe[data-drawn]").wait_for()
            frame = next(frame for frame in page.frames if "/console/preview/" in frame.url)
            for state, text in (("Invitation", "Have you a minute?"), ("1. What is new?", "What is new?"),
                                ("3. Which way?", "On foot"), ("Fault", "On foot"), ("2. How good?", "How good?"),
                                ("Thanks", "Thank"), ("Start", "What is new?")):
                page.get_by_label("State", exact=True).select_option(label=state)
                frame.get_by_text(text).first.wait_for()
                expect(page.get_by_label("State", exact=True).locator("option:checked")).to_have_text(state)
            page.get_by_label("State", exact=True).select_option(label="Invitation")
            frame.get_by_role("button", name="Ask me").wait_for()
            page.get_by_text("No faults and no warnings.").wait_for()
            assert heads(page) == ["Summary", "What it asks", "Preview", "What changes", "Checks", "Whom it reaches", "When",
                                   "Who puts it live"]
            # The text follows the last heading.
            assert page.evaluate("[...document.querySelectorAll('.review h2')].at(-1).compareDocumentPosition("
                                 "document.querySelector('.review-json'))") == 4
            assert page.locator(".review-json").evaluate("text => text.open") is False
            assert violations(page) == []
    finally:
        daemon.delete("reviewed")


SPLIT = {"schemaVersion": "1.12.0", "slug": "reviewed", "appName": "shop", "channel": "", "userFacingName": "Split",
         "userFacingDescription": "Two branches", "isEnrollmentPaused": False, "proposedEnrollment": 14, "startDate": None,
         "endDate": None, "targeting": "true",
         "bucketConfig": {"randomizationUnit": "nimbus_id", "namespace": "reviewed", "start": 0, "count": 500, "total": 10000},
         "branches": [{"slug": name, "ratio": 1, "features": [{"featureId": "messaging", "value": {}}]} for name in ("a", "b")]}
STAGES = [{"count": 2500, "at": "2099-12-08T08:00:00Z"}, {"count": 10000}]


@pytest.mark.parametrize("language", ["en", "de"])
def test_goal_34_an_audience_its_share_its_segments_and_its_stages_change_in_words(browser, daemon, language):
    put_text(daemon, "paying", json.dumps({"kind": "segment", "expression": "plan == 'pro'"}))
    put_text(daemon, "paying", json.dumps({"kind": "segment", "expression": "plan in ['pro', 'team']"}), "?state=draft")
    put_text(daemon, "reviewed", json.dumps(SPLIT))
    draft = {**SPLIT, "targeting": "segment.paying || language == 'de'", "stages": STAGES}
    put_text(daemon, "reviewed", json.dumps({**draft, "bucketConfig": {**SPLIT["bucketConfig"], "count": 1000}}), "?state=draft")
    told = {
        "en": ["Audience: everybody so far, then in the segment paying or language is “de”",
               "Share of the audience: 5% so far, then 10%",
               "Stages: none so far, then 10% now, 25% from 8 Dec 2099 08:00 UTC, 100% by hand"],
        "de": ["Zielgruppe: bisher alle, dann im Segment paying oder language ist „de“",
               "Anteil der Zielgruppe: bisher 5\u00a0%, dann 10\u00a0%",
               "Stufen: bisher keine, dann 10\u00a0% jetzt, 25\u00a0% ab 8. Dez. 2099 08:00 UTC, 100\u00a0% von Hand"],
    }[language]
    segment = {"en": "paying: plan is “pro”A draft waits: plan is “pro” or “team”",
               "de": "paying: plan ist „pro“Ein Entwurf wartet: plan ist „pro“ oder „team“"}[language]
    try:
        with opened(browser, daemon, PAGE, locale=language) as page:
            lines = page.locator(".changes > li[data-pointer]")
            expect(lines).to_have_text(told, use_inner_text=True)
            expect(page.locator(".changes > li:not([data-pointer])")).to_have_text(segment)
            assert violations(page) == []
        with opened(browser, daemon, f"{HOME}/r/paying/publish", locale=language) as page:
            expect(page.locator(".changes > li")).to_have_count(1)
            expect(page.locator("iframe")).to_have_count(0)
    finally:
        daemon.delete("reviewed")
        daemon.delete("paying")


def test_findings_of_the_daemon_are_in_the_language_of_the_console(browser, daemon):
    message = {**MESSAGES["messages"]["sale"], "surface": "hom", "trigger-if-all": ["NEW"], "titel": "x"}
    put_text(daemon, "reviewed", json.dumps({"messages": {"sale": message}}), "?state=draft")
    try:
        with opened(browser, daemon, PAGE, locale="de") as page:
            for text in ("Die App hat keine Fläche „hom“.", "Es gibt keinen Trigger „NEW“.",
                         "„titel“ bewirkt nichts. Ist „title“ gemeint?"):
                page.locator(".review .rows li").filter(has_text=text).first.wait_for(state="attached")
            expect(page.locator(".review .rows li").filter(has_text="NEW")).to_contain_text("Nachricht „sale“, Trigger „NEW“")
    finally:
        daemon.delete("reviewed")


def test_goal_35_a_draft_is_discarded_and_what_is_live_stays(browser, reviewed):
    with opened(browser, reviewed, PAGE) as page:
        page.get_by_role("button", name="Discard the draft").click()
        page.get_by_role("dialog").get_by_role("button", name="Discard the draft").click()
        page.get_by_text("The draft of Reviewed is discarded").wait_for()
        assert recipe(reviewed)["in_force"] == reviewed.live and draft_of(reviewed, "reviewed") is None


def test_goal_35_an_earlier_revision_is_brought_back(browser, reviewed):
    put_text(reviewed, "reviewed", changed(title="Newest"))
    with opened(browser, reviewed, f"{HOME}/r/reviewed/history") as page:
        page.get_by_role("link", name=f"Bring back r{reviewed.live}", exact=True).click()
        page.get_by_role("heading", name="Bring back Reviewed").wait_for()
        publish(page, "Bring it back")
        page.get_by_text("Reviewed is stored as").wait_for()
        assert eventually(lambda: json.loads(text_of(reviewed, "reviewed")) == ASKED)


def test_goal_35_a_paused_recipe_stays_so_or_resumes(browser, reviewed):
    reviewed.call("POST", f"/v1/apps/{APP}/recipes/reviewed/state", {"state": "paused"})
    with opened(browser, reviewed, PAGE) as page:
        page.get_by_label("Stay paused").check()
        publish(page)
        page.get_by_text("Reviewed is stored as r").wait_for()
        assert recipe(reviewed)["state"] == "paused" and recipe(reviewed)["in_force"] == reviewed.draft
    newest = put_text(reviewed, "reviewed", changed(title="Once more"), "?state=draft")["revision"]
    with opened(browser, reviewed, PAGE) as page:
        page.get_by_label("Resume with it").check()
        publish(page)
        page.get_by_text(f"Reviewed is stored as r{newest}").wait_for()
        assert recipe(reviewed)["state"] == "live" and recipe(reviewed)["in_force"] == newest


def test_goal_35_dates_that_are_chosen_go_live_with_the_draft(browser, daemon):
    draft = put_text(daemon, "reviewed", json.dumps(MESSAGES), "?state=draft")["revision"]
    try:
        with opened(browser, daemon, PAGE) as page:
            page.get_by_label("Until").fill("2099-05-01T10:00")
            page.get_by_label("Until").blur()
            publish(page, "Put it live")
            page.get_by_text(f"is stored as r{draft + 1}").wait_for()
            message = json.loads(text_of(daemon, "reviewed"))["messages"]["sale"]
            assert message["pacing"] == {"end": "2099-05-01T10:00:00Z"}
            checked = daemon.call("POST", f"/v1/apps/{APP}/recipes/validate?slug=reviewed", {"messages": {"sale": message}})
            assert not [warning for warning in checked[1]["warnings"] if warning["code"] == "unknown_key"]
            assert recipe(daemon)["state"] == "live"
    finally:
        daemon.delete("reviewed")


def test_goal_35_a_fault_keeps_it_back_and_says_so(browser, reviewed):
    with opened(browser, reviewed, PAGE) as page:
        fault = json.dumps({"title": "Unprocessable Content", "status": 422, "detail": "a fault", "errors": [
            {"pointer": "/schema/questions/0/title", "code": "length", "message": "The title is too long."}]})
        page.route("**/recipes/validate*", lambda route: route.fulfill(
            status=422, content_type="application/problem+json", body=fault))
        page.reload()
        page.get_by_text("The title is too long.").wait_for()
        expect(page.get_by_role("button", name="Publish now")).to_have_attribute("aria-disabled", "true")
        expect(page.get_by_text("1 fault has to be mended first.")).to_be_visible()


def test_goal_30_a_publish_that_was_cut_off_makes_one_revision(browser, reviewed):
    with opened(browser, reviewed, PAGE) as page:
        cut = []

        def once(route):
            if cut:
                return route.continue_()
            cut.append(route.request.headers["idempotency-key"])
            route.fetch()
            route.abort()

        page.route("**/recipes/reviewed/state", once)
        publish(page)
        page.get_by_text(f"Reviewed is stored as r{reviewed.draft}").wait_for()
        assert cut and recipe(reviewed)["in_force"] == reviewed.draft
        revisions = reviewed.call("GET", f"/v1/apps/{APP}/recipes/reviewed/revisions")[1]["revisions"]
        assert [revision["revision"] for revision in revisions][-2:] == [reviewed.live, reviewed.draft]


def test_goal_29_what_somebody_else_changed_is_told_before_it_goes_live(browser, reviewed):
    with opened(browser, reviewed, PAGE) as page:
        page.get_by_text("No faults and no warnings.").wait_for()
        put_text(reviewed, "reviewed", changed(title="Theirs"), "?state=draft")
        publish(page)
        page.get_by_text("Somebody has changed it since").wait_for()
        assert recipe(reviewed)["in_force"] == reviewed.live
        page.get_by_role("button", name="Look at it again").click()
        page.get_by_text("“Theirs”").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("address", [PAGE, f"{PAGE}?revision=1"])
def test_goal_3_no_review_has_an_axe_violation(browser, reviewed, address, theme):
    with opened(browser, reviewed, address, color_scheme=theme) as page:
        page.get_by_text("No faults and no warnings.").wait_for()
        assert violations(page) == []


def test_goal_4_at_320_pixels_a_review_does_not_scroll_sideways(browser, reviewed):
    with opened(browser, reviewed, PAGE, viewport={"width": 320, "height": 640}) as page:
        page.get_by_text("No faults and no warnings.").wait_for()
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)
