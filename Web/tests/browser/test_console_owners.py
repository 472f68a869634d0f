"""What owners read and type in the console: where the focus is, when a fault is told, and how a page is shared."""

import hashlib
from pathlib import Path

import pytest
from conftest import APP, FEEDBACK, Daemon, eventually, new_context
from playwright.sync_api import expect
from test_console import HOME, opened, violations
from test_console_edit import field
from test_console_order import signed_in


@pytest.fixture
def untranslated(daemon):
    """A text that is missing in German."""
    daemon.call("PUT", f"/v1/apps/{APP}/strings/en", {"Words": {"more": "Anything else?", "sale": "Sale"}})
    daemon.call("PUT", f"/v1/apps/{APP}/strings/de", {"Words": {"sale": "Angebot"}})
    daemon.put("asks", {"kind": "questionnaire", "name": "Asks", "schema": {"version": 1, "questions": [
        {"id": "more", "type": "text", "title": "Words/more"}]}})
    yield daemon
    daemon.delete("asks")
    for locale in ("en", "de"):
        daemon.call("DELETE", f"/v1/apps/{APP}/strings/{locale}")


def test_after_fill_in_what_is_typed_goes_into_the_first_missing_text(browser, untranslated):
    with opened(browser, untranslated, HOME, viewport={"width": 390, "height": 844}) as page:
        page.get_by_role("link", name="Fill in").click()
        page.get_by_role("grid", name="Texts in German").wait_for()
        page.wait_for_function("() => document.activeElement.matches('.grid')")
        assert page.locator("[aria-selected=true]").evaluate(
            "e => { const box = e.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }")
        page.keyboard.type("Wofür nutzt du Acorn?")
        expect(page.locator("textarea.grid-editor")).to_have_value("Wofür nutzt du Acorn?")
        expect(page.locator("dialog[open]")).to_have_count(0)


def start(page):
    """Opens the editor of a new recipe, and waits until the daemon has checked its document."""
    with page.expect_response(lambda response: "/recipes/validate" in response.url):
        page.get_by_role("button", name="Start writing").click()
    page.locator(".form-title").wait_for()


@pytest.mark.parametrize("kind", ["messages", "questionnaire", "survey", "flow", "experiment", "rollout"])
def test_a_new_recipe_begins_with_the_focus_in_a_field_and_no_fault(browser, daemon, kind):
    with opened(browser, daemon, f"{HOME}/new?kind={kind}") as page:
        page.wait_for_function("() => document.activeElement.id === 'new-name'")
        page.keyboard.type("Why? g h")
        start(page)
        page.wait_for_function("() => document.activeElement.matches('.form :is(input, textarea, select)')")
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator(".finding:visible, .findings:visible summary.is-fault")).to_have_count(0)


def test_the_fault_of_a_field_comes_when_it_is_left_and_names_the_field(browser, daemon):
    with opened(browser, daemon, f"{HOME}/new?kind=questionnaire") as page:
        page.get_by_label("Name", exact=True).fill("Left empty")
        start(page)
        page.wait_for_function("() => document.activeElement.matches('.form textarea')")
        expect(page.locator(".form .finding:visible")).to_have_count(0)
        page.keyboard.press("Tab")
        expect(page.locator(".form .finding:visible")).to_have_text("This is still missing: Question.")
        field(page, "Question").fill("How are you?")
        expect(page.locator(".form .finding:visible")).to_have_count(0)


def test_a_refused_save_tells_every_fault(browser, daemon):
    with opened(browser, daemon, f"{HOME}/new?kind=survey") as page:
        page.get_by_label("Name", exact=True).fill("Saved empty")
        page.get_by_role("button", name="Start writing").click()
        page.wait_for_function("() => document.activeElement.matches('.form textarea')")
        page.keyboard.press("Control+s")
        page.get_by_text("The draft was not saved").wait_for()
        expect(page.locator(".form .finding:visible").first).to_contain_text("This is still missing")


def test_no_single_key_acts_in_the_editor(browser, daemon):
    with opened(browser, daemon, f"{HOME}/r/feedback/edit") as page:
        page.locator(".form-title").wait_for()
        page.locator(".form-title").focus()
        page.keyboard.type("? g h")
        expect(page.locator("dialog[open]")).to_have_count(0)
        assert page.url.endswith("/edit")


def test_a_finding_of_the_review_leads_into_its_field(browser, daemon):
    with opened(browser, daemon, f"{HOME}/r/feedback/edit?at=/schema/questions/0/title") as page:
        page.wait_for_function("() => document.activeElement.matches('.form textarea')")


def test_the_selects_of_the_preview_have_visible_labels(browser, daemon):
    with opened(browser, daemon, f"{HOME}/r/feedback/edit") as page:
        labels = page.locator(".preview-choices label:visible small")
        expect(labels).to_have_text(["Language", "State", "Width", "Theme", "Direction", "Motion"], use_inner_text=True)
        for select in page.locator(".preview-choices select:visible").all():
            assert select.evaluate("e => e.getAttribute('aria-label').includes(e.labels[0].querySelector('small').textContent)")
        assert violations(page) == []


def test_the_theme_of_the_manifest_has_a_form(browser, daemon):
    with opened(browser, daemon, f"{HOME}/app?at=/theme/light/accent") as page:
        field(page, "Light: accent").fill("#2f6f5e")
        page.get_by_role("tab", name="JSON").click()
        assert '"accent": "#2f6f5e"' in page.locator(".json-text").input_value()
        expect(page.locator(".more:visible", has_text="theme")).to_have_count(0)
        page.get_by_role("tab", name="Form").click()
        expect(page.get_by_label("Choose a colour: Light: accent")).to_have_value("#2f6f5e")
        assert violations(page) == []


# The page of a recipe, for people without a token.

@pytest.fixture(scope="module")
def closed(tmp_path_factory, pages):
    """A daemon whose pages are not public, with the token of an owner."""
    tokens = "".join(f"  - {name}:{scope}:{app}:{hashlib.sha256(f'{name}-text'.encode()).hexdigest()}\n"
                     for name, scope, app in (("root", "admin", "*"), ("ana", "owner", APP)))
    settings = f"http:\n  public_url: https://ask.example\ntokens:\n{tokens}"
    daemon = Daemon(tmp_path_factory.mktemp("closed"), pages.url, is_open=False, settings=settings)
    daemon.token = "root-text"
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", {"app_name": "shop", "default_locale": "en", "surfaces": ["home"]})
    daemon.put("feedback", {**FEEDBACK, "hosted": True})
    yield daemon
    daemon.stop()


def test_where_pages_are_closed_the_setting_that_opens_them_is_named(browser, closed):
    with new_context(browser) as context:
        page = signed_in(context, closed, f"{HOME}/r/feedback", "ana-text")
        page.get_by_role("link", name=f"https://ask.example/s/{APP}/feedback").wait_for()
        for path in (f"{HOME}/r/feedback", f"{HOME}/r/feedback/edit?at=/name"):
            page.goto(closed.url + path)
            page.get_by_text("Only people with a token may open it").wait_for()
            expect(page.locator("code", has_text="public: [hosted]")).to_have_count(1)
            assert violations(page) == []


def test_a_browser_is_told_in_its_language_that_a_page_is_closed(browser, closed):
    with new_context(browser, locale="de-DE") as context:
        page = context.new_page()
        answer = page.goto(f"{closed.url}/s/{APP}/feedback")
        assert answer.status == 401 and answer.headers["content-type"].startswith("text/html")
        page.get_by_text("Im Moment sind keine Antworten möglich.", exact=True).wait_for()
        assert page.evaluate("document.documentElement.lang").startswith("de")
        assert "Shop" not in page.content()


def test_the_page_of_a_recipe_is_shared_with_its_full_address_and_a_code(browser, daemon):
    with opened(browser, daemon, f"{HOME}/r/feedback") as page:
        address = f"{daemon.url}/s/{APP}/feedback"
        page.get_by_role("link", name=address).wait_for()
        page.get_by_text("Everybody who has the address may open it").wait_for()
        page.get_by_role("button", name="QR code").click()
        code = page.get_by_role("img", name=f"QR code: {address}")
        code.wait_for()
        assert violations(page) == []
        with page.expect_download() as download:
            page.get_by_role("button", name="Save as SVG").click()
        assert download.value.suggested_filename == "feedback.svg"
        assert Path(download.value.path()).read_text().startswith("<svg")
        page.get_by_role("button", name="Close").click()
        page.goto(f"{daemon.url}{HOME}/r/feedback/edit?at=/name")
        page.locator(".form").get_by_role("link", name=address).wait_for()
        field(page, "It has a page of its own").uncheck()
        expect(page.locator(".form").get_by_role("link", name=address)).to_be_hidden()


# Templates and slugs: nothing is stored before the first save.

def stored(daemon, app="fresh"):
    return {recipe["slug"]: recipe for recipe in daemon.call("GET", f"/v1/apps/{app}/recipes")[1]["recipes"]}


@pytest.fixture
def fresh(daemon):
    """An app without recipes, whose drafts are deleted afterwards."""
    daemon.call("PUT", "/v1/apps/fresh/manifest", {"app_name": "fresh", "default_locale": "en", "surfaces": ["card"]})
    yield daemon
    for slug in stored(daemon):
        daemon.delete(slug, "fresh")


def test_a_template_is_stored_with_its_first_save_under_the_slug_of_its_name(browser, fresh):
    with opened(browser, fresh, "/console/a/fresh/new") as page:
        page.get_by_role("button", name="Ask after a week").click()
        page.wait_for_url("**/r/ask-after-a-week/edit")
        page.locator(".form-title").wait_for()
        assert stored(fresh) == {}
        field(page, "Name").fill("Your first week")
        expect(page.locator("h1")).to_have_text("Your first week")
        expect(page.get_by_label("Slug, until the first save")).to_have_value("your-first-week")
        page.get_by_role("button", name="Save draft").click()
        page.wait_for_url("**/r/your-first-week/edit*")
        assert list(stored(fresh)) == ["your-first-week"]
        expect(page.get_by_label("Slug, until the first save")).to_have_count(0)


def test_a_chosen_slug_is_kept_over_a_reload_and_may_not_be_taken(browser, fresh):
    fresh.put("taken", {"kind": "questionnaire", "name": "Taken", "schema": {"version": 1, "questions": [
        {"id": "q", "type": "text", "title": "?"}]}}, "fresh")
    with opened(browser, fresh, "/console/a/fresh/new") as page:
        page.get_by_role("button", name="Ask one question").click()
        slug = page.get_by_label("Slug, until the first save")
        slug.fill("taken")
        page.get_by_text("There is a recipe “taken”").wait_for()
        page.keyboard.press("Control+s")
        slug.fill("map-mood")
        page.locator(".edit-status", has_text="kept in this browser").wait_for()
        page.reload()
        expect(slug).to_have_value("map-mood")
        page.get_by_role("button", name="Review and publish").click()
        page.wait_for_url("**/r/map-mood/publish")
        assert sorted(stored(fresh)) == ["map-mood", "taken"]
        document = fresh.call("GET", "/v1/apps/fresh/recipes/map-mood?state=draft")[1]
        assert list(document["messages"]) == ["map-mood"]


def test_a_message_has_a_name(browser, fresh):
    with opened(browser, fresh, "/console/a/fresh/new?kind=messages") as page:
        page.get_by_label("Name", exact=True).fill("Map mood")
        page.get_by_role("button", name="Start writing").click()
        field(page, "Text").fill("How do you like the map?")
        page.get_by_role("button", name="Save draft").click()
        page.get_by_text("Map mood is saved as a draft").wait_for()
        recipe = stored(fresh)["map-mood"]
        assert recipe["name"] == "Map mood" and recipe["warnings"] == 0


# Phones: nothing that tells a state is cut.

PHONE = {"viewport": {"width": 390, "height": 844}, "locale": "de-DE", "color_scheme": "light"}
PHONE_PAGES = [HOME, f"{HOME}/recipes", f"{HOME}/r/feedback", f"{HOME}/r/feedback/results", f"{HOME}/r/feedback/responses",
               f"{HOME}/r/feedback/history", f"{HOME}/r/feedback/edit", f"{HOME}/r/feedback/publish", f"{HOME}/new",
               f"{HOME}/texts", f"{HOME}/explain", f"{HOME}/people", f"{HOME}/health", f"{HOME}/audit", f"{HOME}/app",
               "/console/access", "/console/me"]
# Text that is cut: by its own box without a deliberate ellipsis, or below the cell beside it in a table.
CUT = """() => {
    const isShown = one => one.getClientRects().length > 0 && getComputedStyle(one).visibility !== "hidden";
    const isMeant = one => one.closest(".hidden-text, .ellipsis, .grid-cell, textarea, input, select, pre, .account-word, .skip");
    const own = [...document.querySelectorAll("body *")].filter(one => isShown(one) && !isMeant(one) && one.textContent.trim()
        && ["hidden", "clip"].includes(getComputedStyle(one).overflowX) && one.clientWidth > 1
        && one.scrollWidth > one.clientWidth + 1);
    const states = [...document.querySelectorAll(".status, .chip, .name-cell a, .name-cell small, .badge")].filter(isShown)
        .filter(one => {
            const box = one.getBoundingClientRect();
            const at = document.elementFromPoint(Math.min(box.right - 3, innerWidth - 1), box.top + box.height / 2);
            const isInView = box.top >= 60 && box.bottom <= innerHeight;
            return box.right > innerWidth + 1 || (isInView && at && !one.contains(at) && !at.contains(one));
        });
    const rows = [...document.querySelectorAll(".sections, [role=tablist]")].filter(one => isShown(one)
        && one.scrollHeight > one.clientHeight && getComputedStyle(one).overflowY !== "visible");
    return [...own, ...states, ...rows].map(one => `${one.className || one.localName}: ${one.textContent.trim().slice(0, 60)}`);
}"""


@pytest.mark.parametrize("path", PHONE_PAGES)
def test_on_a_phone_no_state_or_label_is_cut(browser, daemon, path):
    daemon.call("PUT", f"/v1/apps/{APP}/recipes/feedback?state=draft", {**FEEDBACK, "name": "Rückmeldungen"})
    try:
        with opened(browser, daemon, path, **PHONE) as page:
            page.wait_for_function("() => !document.querySelector('main[aria-busy=true], .skeleton')")
            assert eventually(lambda: page.evaluate(CUT) == []), page.evaluate(CUT)
    finally:
        daemon.call("DELETE", f"/v1/apps/{APP}/recipes/feedback/draft")
