"""Answers of questionnaires and surveys: a fault is shown and blocks nothing else, and questions follow each other."""

import time

import pytest
from conftest import FEEDBACK, eventually, new_context, sent, violations
from playwright.sync_api import expect

TRIP = [
    {"id": "age", "question": "How old are you?", "question_type": "single_text_field", "input_type": "number",
     "validations": [{"operation": "greater than", "value": 10, "on_fail_message": "You must be older than 10."}]},
    {"id": "ski", "question": "Do you ski?", "question_type": "single_select", "options": ["Yes", "No"]},
    {"id": "since", "question": "Since when?", "question_type": "year_picker", "min_year": "1980", "max_year": "2020",
     "initial_year": "1985"},
    {"id": "day", "question": "Which day?", "question_type": "date_picker"},
]


def view(page):
    return page.locator("bellwether-view .panel")


def told_once(panel, fault):
    """Whether a fault is at its question, and in no summary."""
    return panel.locator(".error:not(:empty)").all_inner_texts() == [fault] and panel.locator(".summary").count() == 0


def is_focused(field):
    return field.evaluate("e => e.getRootNode().activeElement === e")


def following(panel):
    panel.get_by_role("button", name="Next").click()


@pytest.fixture
def survey(daemon):
    """Publishes a survey with these questions under a new slug."""
    def publish(questions):
        slug = f"survey-{time.monotonic_ns()}"
        daemon.put(slug, {"kind": "survey", "name": "Trip", "questions": questions, "submit": {"button_title": "Send it"}})
        return slug
    return publish


def draft(daemon, slug, kind="surveys"):
    return [item["answers"] for item in daemon.responses(slug, kind)]


def test_an_answer_at_fault_is_told_when_it_is_left_and_stops_no_draft(open_page, daemon, survey):
    slug = survey(TRIP)
    page = open_page()
    page.evaluate("slug => bellwether.show(slug)", slug)
    panel = view(page)
    panel.get_by_label("How old are you?").fill("45")
    following(panel)
    panel.get_by_role("radio", name="Yes").check()
    age = panel.get_by_label("How old are you?")
    age.fill("5")
    expect(panel.get_by_text("You must be older than 10.")).to_be_hidden()
    age.press("Tab")
    panel.get_by_text("You must be older than 10.", exact=True).first.wait_for()
    expect(age).to_have_attribute("aria-invalid", "true")
    expect(age).to_have_value("5")
    expect(panel.locator("[role=status]")).to_have_text("You must be older than 10.")
    assert violations(page) == []
    # What is stored stays as it is.
    assert eventually(lambda: draft(daemon, slug) == [{"age": "45", "ski": "Yes"}]), draft(daemon, slug)
    # The fault text that appears when the field loses focus does not prevent the press of the button.
    age.fill("46")
    assert age.get_attribute("aria-invalid") is None
    age.fill("7")
    following(panel)
    assert eventually(lambda: told_once(panel, "You must be older than 10.") and is_focused(age))
    expect(panel.get_by_label("Since when?")).to_be_hidden()
    age.fill("46")
    assert age.get_attribute("aria-invalid") is None
    expect(panel.locator(".summary")).to_have_count(0)
    following(panel)
    panel.get_by_label("Since when?").select_option("1990")
    age.fill("6")
    age.press("Tab")
    stored = {"age": "46", "ski": "Yes", "since": "1990"}
    assert eventually(lambda: draft(daemon, slug) == [stored]), draft(daemon, slug)
    page.keyboard.press("Escape")
    page.reload()
    page.wait_for_function("() => window.bellwether")
    page.evaluate("slug => bellwether.show(slug)", slug)
    panel.get_by_label("Since when?").wait_for()
    expect(panel.get_by_role("radio", name="Yes")).to_be_checked()
    expect(panel.get_by_label("Since when?")).to_have_value("1990")
    expect(age).to_have_value("6")
    assert page.problems == []


def test_a_page_at_fault_stops_no_draft_of_a_questionnaire(open_page, daemon):
    slug = f"long-{time.monotonic_ns()}"
    questions = [{"id": "a", "type": "text", "title": "What?", "multiline": True}, {"id": "b", "type": "rating", "title": "How?"}]
    daemon.put(slug, {"kind": "questionnaire", "name": "Long", "schema": {"questions": questions}})
    page = open_page()
    page.evaluate("document.addEventListener('bellwether:started', e => window.begun = e.detail.slug)")
    page.evaluate("slug => bellwether.show(slug, {intro: false})", slug)
    assert page.evaluate("window.begun") == slug
    panel = view(page)
    panel.get_by_role("textbox").fill("x" * 4001)
    panel.get_by_role("button", name="Next").click()
    assert eventually(lambda: told_once(panel, "Enter at most 4,000 characters.") and is_focused(panel.get_by_role("textbox")))
    panel.get_by_role("textbox").fill("y")
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("radio", name="4").check()
    panel.get_by_role("button", name="Back").click()
    panel.get_by_role("textbox").fill("x" * 4001)
    page.keyboard.press("Escape")
    stored = {"a": "y", "b": 4}
    assert eventually(lambda: draft(daemon, slug, "questionnaires") == [stored]), draft(daemon, slug, "questionnaires")


def test_one_question_follows_another_and_earlier_ones_stay_in_reach(open_page, daemon, survey):
    slug = survey([*TRIP[:2], {"id": "where", "question": "Where?", "question_type": "multi_select", "options": ["Alps", "Andes"],
                               "show_if": {"id": "ski", "operation": "equals", "value": "Yes"}}, *TRIP[2:]])
    page = open_page()
    page.evaluate("slug => bellwether.show(slug)", slug)
    panel = view(page)
    shown = lambda: panel.locator(".question:visible").all_inner_texts()
    assert eventually(lambda: len(shown()) == 1)
    following(panel)
    assert eventually(lambda: told_once(panel, "Please answer this question."))
    panel.get_by_label("How old are you?").fill("45")
    following(panel)
    # The focus follows, and earlier answers can be changed.
    focused = "document.querySelector('bellwether-view').shadowRoot.activeElement.textContent"
    assert eventually(lambda: page.evaluate(focused) == "Do you ski?") and len(shown()) == 2
    expect(panel.locator("[role=status]")).to_have_text("Question 2 of 5")
    panel.get_by_role("radio", name="Yes").check()
    panel.get_by_label("How old are you?").fill("44")
    following(panel)
    # A multiple choice needs no chosen option: a continue is an answer.
    panel.get_by_role("checkbox", name="Andes").wait_for()
    following(panel)
    expect(panel.get_by_label("Since when?")).to_have_value("1985")
    following(panel)
    today = panel.get_by_label("Which day?").input_value()
    now = "new Intl.DateTimeFormat('sv').format(new Date())"
    # Midnight may have passed since.
    assert today in (page.evaluate(now), page.evaluate("new Intl.DateTimeFormat('sv').format(new Date(Date.now() - 3600000))"))
    # A question that is no longer visible disappears, also above the current one.
    panel.get_by_role("radio", name="No", exact=True).check()
    expect(panel.get_by_role("checkbox", name="Andes")).to_be_hidden()
    panel.get_by_role("radio", name="Yes").check()
    # A date that stands there is no answer yet.
    assert eventually(lambda: draft(daemon, slug) == [{"age": "44", "ski": "Yes", "where": [], "since": "1985"}])
    assert violations(page) == []
    panel.get_by_role("button", name="Send it").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert draft(daemon, slug) == [{"age": "44", "ski": "Yes", "where": [], "since": "1985", "day": today}]
    assert page.problems == []


def test_a_text_takes_as_many_characters_as_it_may_have(open_page, survey):
    slug = survey([{"id": "name", "question": "Short name?", "question_type": "single_text_field", "max_chars": "3"},
                   {"id": "pets", "question": "Pets?", "question_type": "multi_text_field", "max_chars": "2",
                    "fields": [{"label": "Dogs"}, {"label": "Cats", "max_chars": 1}]}])
    page = open_page()
    page.evaluate("slug => bellwether.show(slug)", slug)
    panel = view(page)
    name = panel.get_by_label("Short name?")
    name.press_sequentially("👩‍👩‍👧‍👦é12")
    expect(name).to_have_value("👩‍👩‍👧‍👦é1")
    # Existing text stays: text that is inserted into it is truncated.
    name.fill("ac")
    name.press("ArrowLeft")
    page.keyboard.insert_text("bbb")
    expect(name).to_have_value("abc")
    following(panel)
    panel.get_by_label("Dogs").press_sequentially("123")
    panel.get_by_label("Cats").press_sequentially("45")
    assert [panel.get_by_label(label).input_value() for label in ("Dogs", "Cats")] == ["12", "4"]


def test_units_are_carried_to_later_questions(open_page, daemon, survey):
    units = {"id": "system", "types": ["imperial", "metric"]}
    slug = survey([
        {"id": "height", "question": "How tall?", "question_type": "dynamic_label_text_field", "options_metadata": units,
         "label_options": [["Feet", "Inches"], "Centimeters"]},
        {"id": "weight", "question": "How heavy?", "question_type": "dynamic_label_text_field", "options_metadata": units,
         "label_options": ["Pounds", "Kilograms"]},
        {"id": "shoe", "question": "Which shoes?", "question_type": "dynamic_label_text_field",
         "label_options": ["US", "EU"]}])
    page = open_page()
    page.evaluate("slug => bellwether.show(slug)", slug)
    panel = view(page)
    panel.get_by_role("radio", name="Centimeters").check()
    panel.get_by_role("textbox", name="Centimeters").fill("180")
    following(panel)
    expect(panel.get_by_role("radio", name="Kilograms")).to_be_checked()
    panel.get_by_role("textbox", name="Kilograms").fill("80")
    following(panel)
    expect(panel.get_by_role("radio", name="US")).to_be_checked()
    # An answered question keeps its units.
    panel.get_by_role("radio", name="Feet + Inches").check()
    expect(panel.get_by_role("textbox", name="Kilograms")).to_have_value("80")


def test_an_offer_with_a_draft_goes_on_without_asking_again(open_page, daemon):
    slug = f"offered-{time.monotonic_ns()}"
    daemon.put(slug, {**FEEDBACK, "offer": {"surface": "corner", "style": "DEFAULT", "trigger-if-all": ["ALWAYS"],
                                            "title": "A minute?", "text": "Tell us.", "button-label": "Gladly"}})
    try:
        page = open_page("data-surfaces=corner")
        panel = view(page)
        panel.get_by_role("button", name="Gladly").click()
        panel.get_by_role("radio", name="9", exact=True).check()
        panel.get_by_role("button", name="Next").click()
        panel.get_by_role("radio", name="4").focus()
        page.keyboard.press("Escape")
        assert eventually(lambda: page.locator("bellwether-view").count() == 0)
        assert eventually(lambda: draft(daemon, slug, "questionnaires") == [{"recommend": 9}])
        page.reload()
        panel.get_by_text("Question 2 of 5").first.wait_for()
        expect(panel.get_by_role("button", name="Gladly")).to_have_count(0)
    finally:
        daemon.delete(slug)


PHONE = {"width": 390, "height": 844}
KISS = {"operation": "less than or equal to", "answer_to_question_id": "age", "on_fail_message": "Not yet."}
LIFE = [
    {"id": "age", "question": "How old are you?", "question_type": "single_text_field", "input_type": "number",
     "validations": [{"operation": "greater than or equal to", "value": 10, "on_fail_message": "You must be 10."}]},
    *({"id": name, "question": f"When was your {name}?", "question_type": "single_text_field", "validations": [KISS]}
      for name in ("first kiss", "first job")),
    *({"id": f"q{n}", "question": f"Question {n}?", "question_type": "single_text_area"} for n in range(6)),
]


def on_screen(page, locator):
    box = locator.bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]


@pytest.fixture
def hosted(context, daemon):
    """Opens a survey's or questionnaire's own page on a phone, and gives the page and the view on it."""
    def open_hosted(slug):
        page = context.new_page()
        page.set_viewport_size(PHONE)
        page.goto(f"{daemon.url}/s/shop/{slug}")
        return page, view(page)
    return open_hosted


def test_a_fault_is_told_once_and_the_button_stays_in_sight(hosted, daemon, survey):
    slug = survey(LIFE)
    daemon.put(slug, {"kind": "survey", "name": "Life", "hosted": True, "questions": LIFE, "submit": {"button_title": "Send"}})
    page, panel = hosted(slug)
    age = panel.get_by_label("How old are you?")
    age.fill("5")
    age.press("Enter")
    assert eventually(lambda: told_once(panel, "You must be 10.") and is_focused(age))
    assert on_screen(page, panel.get_by_role("button", name="Next"))
    daemon.put(f"{slug}-q", {**FEEDBACK, "hosted": True})
    page, panel = hosted(f"{slug}-q")
    panel.get_by_role("button", name="Next").click()
    assert eventually(lambda: told_once(panel, "Please answer this question."))
    assert is_focused(panel.get_by_role("radio").first) and on_screen(page, panel.get_by_role("button", name="Next"))
    assert violations(page) == []


def test_a_slip_erases_neither_its_answer_nor_those_that_depend_on_it(hosted, daemon, survey):
    slug = survey(LIFE)
    daemon.put(slug, {"kind": "survey", "name": "Life", "hosted": True, "questions": LIFE, "submit": {"button_title": "Send"}})
    page, panel = hosted(slug)
    written = {"How old are you?": "40", "When was your first kiss?": "15", "When was your first job?": "18"}
    for label, text in written.items():
        panel.get_by_label(label).fill(text)
        following(panel)
    stored = {"age": "40", "first kiss": "15", "first job": "18"}
    assert eventually(lambda: draft(daemon, slug) == [stored])
    panel.get_by_label("How old are you?").fill("5")
    panel.get_by_label("Question 0?").fill("Fine")
    assert eventually(lambda: draft(daemon, slug) == [{**stored, "q0": "Fine"}]), draft(daemon, slug)
    page.reload()
    for label, text in {**written, "How old are you?": "5", "Question 0?": "Fine"}.items():
        assert eventually(lambda: panel.get_by_label(label).input_value() == text), label
    panel.get_by_label("How old are you?").fill("41")
    assert eventually(lambda: draft(daemon, slug) == [{**stored, "age": "41", "q0": "Fine"}]), draft(daemon, slug)


def test_a_resumed_survey_opens_where_it_stopped(hosted, daemon, survey):
    slug = survey(LIFE)
    daemon.put(slug, {"kind": "survey", "name": "Life", "hosted": True, "questions": LIFE, "submit": {"button_title": "Send"}})
    page, panel = hosted(slug)
    for label, text in [("How old are you?", "40"), ("When was your first kiss?", "15"), ("When was your first job?", "18"),
                        *((f"Question {n}?", "Fine") for n in range(5))]:
        panel.get_by_label(label).fill(text)
        following(panel)
    assert eventually(lambda: [len(answers) for answers in draft(daemon, slug)] == [8])
    page.reload()
    focused = "document.querySelector('bellwether-view')?.shadowRoot.activeElement?.textContent"
    assert eventually(lambda: page.evaluate(focused) == "Question 5?")
    assert on_screen(page, panel.get_by_label("Question 5?")) and on_screen(page, panel.get_by_role("button", name="Send"))


def test_a_draft_goes_on_at_a_question_whose_option_is_gone(hosted, daemon):
    slug = f"gone-{time.monotonic_ns()}"
    def publish(*options):
        daemon.put(slug, {"kind": "questionnaire", "name": "Gone", "hosted": True, "schema": {"version": 1, "questions": [
            {"id": "c", "type": "single_choice", "title": "Which?", "required": True,
             "options": [{"id": name, "label": name.upper()} for name in options]},
            {"id": "t", "type": "text", "title": "Why?"}]}})
    publish("a", "b", "z")
    page, panel = hosted(slug)
    panel.get_by_role("radio", name="B").check()
    following(panel)
    panel.get_by_label("Why?").wait_for()
    assert eventually(lambda: draft(daemon, slug, "questionnaires") == [{"c": "b"}])
    publish("a", "z")
    page.reload()
    panel.get_by_role("radio", name="Z").check()
    following(panel)
    panel.get_by_label("Why?").fill("So")
    panel.get_by_role("button", name="Submit").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert draft(daemon, slug, "questionnaires") == [{"c": "z", "t": "So"}]


def test_a_postponed_offer_returns_with_the_next_foreground(open_page, daemon):
    slug = f"later-{time.monotonic_ns()}"
    daemon.put(slug, {**FEEDBACK, "description": "Two questions.", "strings": {"consentTitle": "Got a minute?"},
                      "offer": {"surface": "corner", "trigger": {"foregrounds": 1}}})
    try:
        page = open_page("data-surfaces=corner data-event=app_foreground")
        panel = view(page)
        panel.get_by_role("heading", name="Got a minute?").wait_for()
        panel.get_by_text("Two questions.", exact=True).wait_for()
        panel.get_by_role("button", name="Maybe later").click()
        page.locator("bellwether-view").wait_for(state="detached")
        sent(page)
        page.evaluate("bellwether.poll()")
        expect(page.locator("bellwether-view")).to_have_count(0)
        page.evaluate("bellwether.event('app_foreground')")
        panel.get_by_role("button", name="Sure, happy to help").click()
        panel.get_by_role("radio", name="9", exact=True).wait_for()
    finally:
        daemon.delete(slug)


def test_an_offer_without_consent_begins_with_its_first_question(open_page, daemon):
    slug = f"direct-{time.monotonic_ns()}"
    daemon.put(slug, {**FEEDBACK, "offer": {"surface": "corner", "showsConsent": False}})
    try:
        page = open_page("data-surfaces=corner")
        view(page).get_by_role("radio", name="9", exact=True).wait_for()
        page.evaluate("slug => bellwether.views.forEach(view => view.destroy())", slug)
        page.evaluate("slug => bellwether.show(slug)", slug)
        view(page).get_by_role("radio", name="9", exact=True).wait_for()
    finally:
        daemon.delete(slug)


@pytest.mark.parametrize("zone, day", [("Pacific/Kiritimati", "2030-06-02"), ("Etc/GMT+12", "2030-05-31")])
def test_a_day_is_the_respondents_own(browser, daemon, survey, zone, day):
    """The page's clock stands; the daemon's own clock is the real one."""
    slug = survey(LIFE)
    questions = [{"id": "d", "question": "When?", "question_type": "date_picker", "max_date": "current_date"}]
    daemon.put(slug, {"kind": "survey", "hosted": True, "questions": questions, "submit": {"button_title": "Send"}})
    with new_context(browser, timezone_id=zone) as context:
        page = context.new_page()
        page.clock.set_fixed_time("2030-06-01T11:00:00Z")
        page.goto(f"{daemon.url}/s/shop/{slug}")
        expect(view(page).get_by_label("When?")).to_have_attribute("max", day)


def test_a_rating_of_five_is_stars_unless_numbers_are_wanted(open_page, daemon):
    page = open_page()
    for display, count in [({}, 5), ({"display": "numbers"}, 0), ({"scale": 10}, 0)]:
        slug = f"rating-{time.monotonic_ns()}"
        rating = {"id": "r", "type": "rating", "title": "How?", **display}
        daemon.put(slug, {"kind": "questionnaire", "name": "R", "schema": {"version": 1, "questions": [rating]}})
        page.evaluate("slug => bellwether.show(slug, {intro: false})", slug)
        view(page).get_by_role("radio").first.wait_for()
        expect(view(page).locator(".stars svg")).to_have_count(count)
        page.evaluate("bellwether.views.forEach(view => view.destroy())")
