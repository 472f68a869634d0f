"""The widget on a phone: its keyboard, its narrow screen, and old links."""

import json

import pytest
from conftest import APP, FEEDBACK, ROOT, eventually, new_context, open_widget, violations
from playwright.sync_api import expect
from test_flows import DONE, Script, form, run_of, show

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TRIP = {"kind": "survey", "name": "Trip", "hosted": True, "submit": {"button_title": "Send it"}, "questions": [
    {"id": "far", "question": "How far?", "question_type": "single_text_field", "input_type": "number", "label": "km",
     "validations": [{"operation": "less than", "value": 20, "on_fail_message": "Less than 20, please."}]},
    {"id": "gear", "question": "What do you carry?", "question_type": "multi_text_field",
     "fields": [{"label": "Poles", "input_type": "number"}, {"label": "Bottles"}]},
    {"id": "names", "question": "Names?", "question_type": "add_text_field"},
]}
FOCUSED = "() => document.querySelector('bellwether-view').shadowRoot.activeElement"


@pytest.fixture
def phone(browser):
    with new_context(browser, locale="de-DE", **PHONE) as context:
        yield context


def hosted(context, daemon, slug):
    page = context.new_page()
    page.goto(f"{daemon.url}/s/{APP}/{slug}")
    return page, page.locator("bellwether-view .panel")


def test_enter_leads_through_a_survey_and_numbers_are_read_as_they_are_written(phone, daemon):
    daemon.put("trip", TRIP)
    _, panel = hosted(phone, daemon, "trip")
    far = panel.get_by_label("How far?")
    expect(far).to_have_attribute("enterkeyhint", "next")
    far.fill("12,5")
    far.press("Enter")
    poles = panel.get_by_label("Poles")
    poles.fill("٢")
    poles.press("Enter")
    expect(panel.get_by_label("Bottles")).to_be_focused()
    panel.get_by_label("Bottles").press("Enter")
    names = panel.get_by_role("textbox", name="Names?")
    names.fill("Rex")
    names.press("Enter")
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert daemon.responses("trip", "surveys")[0]["answers"] == {"far": "12.5", "gear": {"Poles": "2"}, "names": ["Rex"]}


def test_enter_in_a_form_goes_to_the_next_control_and_then_onward(phone, pages, daemon):
    fields = [("name", "text"), ("country", "select"), ("km", "number"), ("secret", "password")]
    step = form([{"id": id, "type": kind, "options": ["Bern"], "config": {"step": 0.5}, "visible": True} for id, kind in fields])
    script = Script(phone, [run_of(step), DONE])
    page = open_widget(phone, pages, daemon)
    panel = show(page)
    panel.locator("[part~='field-name'] input").fill("Ada")
    page.keyboard.press("Enter")
    assert eventually(lambda: page.evaluate(f"({FOCUSED})()?.tagName") == "SELECT")
    kilometres = panel.locator("[part~='field-km'] input")
    kilometres.fill("2,5")
    panel.locator("[part~='field-km'] button").last.click()
    expect(kilometres).to_have_value("3")
    kilometres.fill("3,5")
    kilometres.press("Enter")
    secret = panel.locator("[part~='field-secret'] input")
    expect(secret).to_be_focused()
    # The phone's dictionary does not correct or store a visible password.
    assert [secret.get_attribute(name) for name in ("autocapitalize", "spellcheck")] == ["none", "false"]
    secret.press("Enter")
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.bodies[-1]["response"] == {"name": "Ada", "km": 3.5}


def test_what_a_page_draws_itself_has_an_enter_of_its_own(phone, pages, daemon):
    script = Script(phone, [run_of({"id": "own", "type": "custom", "title": "Own"}), DONE])
    page = open_widget(phone, pages, daemon)
    page.evaluate("""bellwether.registerView("own", ({element}) => {
        element.innerHTML = "<form><input type=text></form>";
        element.firstChild.onsubmit = event => { event.preventDefault(); element.append("Sent") };
    })""")
    panel = show(page)
    panel.get_by_role("textbox").fill("Ada")
    panel.get_by_role("textbox").press("Enter")
    panel.get_by_text("Sent").wait_for()
    expect(panel.get_by_role("heading", name="Own")).to_be_visible()
    assert len(script.bodies) == 1


def test_a_fault_of_a_step_goes_when_it_is_mended(phone, pages, daemon):
    step = form([{"id": id, "type": kind, "label": label, "visible": True} for id, kind, label in (("name", "text", "Name"), ("mail", "email", "E-mail"))])
    wrong = (422, {"status": 422, "errors": [{"pointer": f"/response/{id}", "code": "required"} for id in ("name", "mail")]})
    Script(phone, [run_of(step), wrong])
    panel = show(open_widget(phone, pages, daemon))
    panel.locator(".actions .primary").click()
    panel.locator(".summary").wait_for()
    name, mail = panel.get_by_label("Name"), panel.get_by_label("E-mail")
    assert name.get_attribute("aria-invalid") == mail.get_attribute("aria-invalid") == "true"
    name.fill("Ada")
    assert name.get_attribute("aria-invalid") is None
    expect(panel.locator(".summary")).to_have_count(1)
    mail.fill("ada@example.org")
    expect(panel.locator(".summary")).to_have_count(0)
    expect(panel.locator(".error:not(:empty)")).to_have_count(0)


@pytest.mark.parametrize("width", [320, 390, 680])
@pytest.mark.parametrize("scale", [7, 11])
def test_the_places_of_a_scale_are_equally_wide_and_in_one_row_above_the_labels_of_its_ends(browser, daemon, width, scale):
    values = [str(value) for value in range(scale)]
    daemon.put("scaled", {"kind": "survey", "name": "Scaled", "hosted": True, "questions": [
        {"id": "q", "question": "How likely?", "question_type": "segment_select", "values": values, "low_tag": "Not", "high_tag": "Very"}]})
    with new_context(browser, viewport={"width": width, "height": 700}) as context:
        _, panel = hosted(context, daemon, "scaled")
        panel.get_by_role("radio").first.wait_for()
        boxes = panel.locator(".option").evaluate_all("list => list.map(e => e.getBoundingClientRect()).map(b => [b.width, b.top, b.right])")
        widths = [box[0] for box in boxes]
        assert len(boxes) == scale and max(widths) - min(widths) < 1 and min(widths) >= 24
        assert len({round(box[1]) for box in boxes}) == 1
        ends = panel.get_by_text("Very", exact=True).evaluate("e => e.getBoundingClientRect().right")
        assert abs(ends - boxes[-1][2]) <= 4


def test_a_reply_of_one_press_opens_no_keyboard(phone, pages, daemon):
    chat = {"messages": [{"content": "Hello!"}], "quick_replies": [{"id": "yes", "text": "Yes"}], "turn": 0, "completed": None}
    step = {"id": "chat", "type": "interactive_chat", "title": "Coach", "chat_config": {}}
    Script(phone, [run_of(step, chat=chat), {**chat, "messages": [{"content": "Fine."}], "turn": 1}, {**chat, "messages": [{"content": "Well."}], "turn": 2}])
    page = open_widget(phone, pages, daemon)
    panel = show(page)
    panel.get_by_role("button", name="Yes").click()
    panel.get_by_text("Fine.").wait_for()
    assert eventually(lambda: page.evaluate(f"({FOCUSED})()?.getAttribute('role')") == "log")
    # The line keeps the focus for the next message.
    line = panel.locator(".chat input")
    expect(line).to_have_attribute("enterkeyhint", "send")
    line.fill("No")
    line.press("Enter")
    panel.get_by_text("Well.").wait_for()
    expect(line).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_link_that_leads_nowhere_is_told_in_words(browser, daemon, scheme):
    with new_context(browser, locale="de-DE", color_scheme=scheme, reduced_motion="reduce", **PHONE) as context:
        page = context.new_page()
        answer = page.goto(f"{daemon.url}/s/{APP}/gone?locale=de")
        assert answer.status == 404 and page.title() == "Shop"
        panel = page.locator("bellwether-view .panel")
        panel.get_by_role("heading", name="Nicht geöffnet").wait_for()
        assert violations(page) == []
        # The page and its panel have the same background.
        ground = "e => getComputedStyle(e).backgroundColor"
        assert panel.evaluate(ground) == page.locator("html").evaluate(ground)


def test_who_has_answered_is_thanked(phone, daemon):
    daemon.put("once", {**FEEDBACK, "schema": {"version": 1, "questions": FEEDBACK["schema"]["questions"][1:2]}})
    page, panel = hosted(phone, daemon, "once")
    panel.get_by_role("radio", name="4").check()
    panel.get_by_role("button", name="Submit").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    page.reload()
    # The daemon sends no definition after an answer, so the page uses the language of its reader.
    panel.get_by_role("heading", name="Danke!").wait_for()
    expect(panel.locator(".done-mark")).to_have_count(1)
    expect(panel.get_by_text("Das ist schon beantwortet. Danke!", exact=True)).to_be_visible()


def test_a_card_that_is_higher_than_the_screen_can_be_answered(browser, pages, daemon):
    daemon.put("micro", {"messages": {"micro": {
        "surface": "microsurvey", "style": "MICROSURVEY", "trigger-if-all": ["ALWAYS"], "text": "How do you like the maps?",
        "microsurveyConfig": {"icon": "💡", "options": [f"Answer {number}" for number in range(6)], "utm-content": "m"}}},
        "styles": {"MICROSURVEY": {"priority": 50, "max-display-count": 100}}})
    with new_context(browser, viewport={"width": 740, "height": 300}) as context:
        page = open_widget(context, pages, daemon)
        page.evaluate("bellwether.options.surfaces = ['microsurvey']; bellwether.poll()")
        panel = page.locator("bellwether-view .panel")
        panel.get_by_role("button", name="Continue").click()
        expect(panel.locator(".topic .icon")).to_have_text("💡", use_inner_text=True)
        panel.get_by_role("radio", name="Answer 5").check()
        panel.get_by_role("button", name="Submit").click()
        panel.get_by_role("heading", name="Survey complete").wait_for()
    daemon.delete("micro")


def test_a_step_on_its_side_shows_more_than_its_picture(browser, pages, daemon):
    picture = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 3' width='800' height='600'/%3E"
    with new_context(browser, viewport={"width": 740, "height": 340}) as context:
        Script(context, [run_of({"id": "hello", "type": "welcome", "title": "Welcome", "image_url": picture})])
        panel = show(open_widget(context, pages, daemon))
        heading = panel.get_by_role("heading", name="Welcome").bounding_box()
        assert heading["y"] + heading["height"] < 340


KEPT = "() => Object.keys(localStorage).filter(name => /typed|kept/.test(name) && localStorage[name])"


@pytest.mark.parametrize("slug, written, kind", [("thoughts", "Half a thought", "questionnaires"), ("walks", "11", "surveys")])
def test_a_page_that_a_phone_ends_keeps_what_is_written(phone, daemon, slug, written, kind):
    more = {"id": "more", "type": "text", "title": "Anything else?", "multiline": True}
    daemon.put("thoughts", {**FEEDBACK, "schema": {"version": 1, "questions": [more]}})
    daemon.put("walks", {**TRIP, "questions": TRIP["questions"][:1]})
    page, panel = hosted(phone, daemon, slug)
    panel.get_by_role("textbox").fill(written)
    page.reload()
    assert eventually(lambda: panel.get_by_role("textbox").input_value() == written)
    panel.locator(".actions .primary").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert list(daemon.responses(slug, kind)[0]["answers"].values()) == [written] and page.evaluate(KEPT) == []


@pytest.mark.parametrize("before, after, value", [("", "ada", "Mine"), ("ada", "ada", "Mine"), ("ada", "bob", "")])
def test_what_a_user_has_written_is_shown_to_no_other_user(phone, daemon, before, after, value):
    more = {"id": "more", "type": "text", "title": "Anything else?", "multiline": True}
    daemon.put("thoughts", {**FEEDBACK, "schema": {"version": 1, "questions": [more]}})
    page, panel = hosted(phone, daemon, "thoughts")
    name = f"bellwether.{APP}.user"
    page.evaluate("([name, user]) => user ? localStorage.setItem(name, user) : undefined", [name, before])
    page.reload()
    panel.get_by_role("textbox").fill("Mine")
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    assert page.evaluate(KEPT) != []
    page.add_init_script(f"localStorage.setItem('{name}', '{after}')")
    page.reload()
    panel.get_by_role("textbox").wait_for()
    expect(panel.get_by_role("textbox")).to_have_value(value)


def test_what_is_sensitive_is_not_kept_by_the_browser(phone, daemon):
    daemon.put("ill", {**FEEDBACK, "schema": {"version": 1, "questions": [{"id": "ill", "type": "text", "title": "What ails you?", "sensitive": True}]}})
    page, panel = hosted(phone, daemon, "ill")
    panel.get_by_role("textbox").fill("A cough")
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    assert "cough" not in page.evaluate("JSON.stringify(localStorage)")


def test_a_step_that_a_phone_ends_or_that_is_left_by_back_keeps_what_is_written(phone, daemon):
    fields = [{"id": "name", "type": "text", "label": "Name"}, {"id": "secret", "type": "password", "label": "Password"}]
    daemon.put("you", {"kind": "flow", "name": "You", "hosted": True, "settings": {"allow_back": True}, "steps": [
        {"id": "hello", "type": "welcome", "config": {"title": "Welcome"}},
        {"id": "you", "type": "form", "config": {"title": "About you", "fields": fields}}]})
    page, panel = hosted(phone, daemon, "you")
    onward = panel.locator(".actions .primary")
    onward.click()
    panel.get_by_label("Name").fill("Ada")
    panel.locator("[type=password]").fill("lovelace")
    page.reload()
    panel.get_by_role("heading", name="About you").wait_for()
    expect(panel.get_by_label("Name")).to_have_value("Ada")
    expect(panel.locator("[type=password]")).to_have_value("")
    panel.get_by_label("Name").fill("Ada L.")
    panel.locator("button.back").click()
    panel.get_by_role("heading", name="Welcome").wait_for()
    onward.click()
    panel.get_by_role("heading", name="About you").wait_for()
    expect(panel.get_by_label("Name")).to_have_value("Ada L.")
    onward.click()
    panel.get_by_role("heading", name="Danke!").wait_for()
    assert page.evaluate(KEPT) == []


def spoken(value, path=()):
    """The paths of texts that are shown, by ids and positions."""
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from spoken(item, (*path, item.get("id", str(place)) if isinstance(item, dict) else str(place)))
    elif isinstance(value, dict):
        for name, item in value.items():
            if name in ("title", "subtitle", "label", "text", "markdown", "cta_text") and isinstance(item, str):
                yield ".".join((*path, name)), item
            elif name != "localizations":
                yield from spoken(item, (*path, name))


def test_the_sample_flow_speaks_german_throughout():
    for step in json.loads((ROOT / "recipes/trail-notes/first-steps.json").read_text())["steps"]:
        german = step["config"]["localizations"]["de"]
        assert {path for path, text in spoken(step["config"]) if text != "Name"} == german.keys(), step["id"]
