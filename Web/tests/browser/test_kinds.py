"""Each kind in a real browser: shown, answered, stored."""

from conftest import APP, FEEDBACK, SURVEY, eventually, step_through_habits
from playwright.sync_api import expect


def panel(page):
    return page.locator("bellwether-view .panel")


def test_a_questionnaire_asks_for_consent_and_is_answered_page_by_page(open_page, daemon):
    page = open_page()
    assert page.evaluate("bellwether.show('feedback')")
    view = panel(page)
    view.get_by_role("button", name="Sure, happy to help").click()
    view.get_by_role("radio", name="9", exact=True).check()
    view.get_by_role("button", name="Next").click()
    view.get_by_role("radio", name="4").check()
    view.get_by_role("button", name="Next").click()
    view.get_by_role("radio", name="Maps").check()
    view.get_by_role("button", name="Next").click()
    view.get_by_role("checkbox", name="Watch").check()
    view.get_by_role("button", name="Next").click()
    view.get_by_role("textbox").fill("More of it")
    view.get_by_role("button", name="Submit").click()
    view.get_by_role("heading", name="Thanks!").wait_for()
    stored = daemon.responses("feedback")[0]
    assert stored["answers"] == {"recommend": 9, "stars": 4, "use": "maps", "miss": ["watch"], "more": "More of it"}
    assert stored["status"] == "new"
    view.get_by_role("button", name="Done").click()
    expect(page.locator("bellwether-view")).to_have_count(0)
    assert page.problems == []


def test_every_type_of_question_of_a_survey_is_answered(open_page, daemon):
    page = open_page()
    page.evaluate("bellwether.show('habits')")
    view = panel(page)
    expect(view.get_by_label("Which fruit?")).to_be_hidden()
    step_through_habits(view, page.evaluate("new Date().toISOString().slice(0, 10)"))
    view.get_by_role("button", name="Send it").click()
    view.get_by_role("heading", name="Thanks!").wait_for()
    answers = daemon.responses("habits", "surveys")[0]["answers"]
    assert answers["snack"] == "Fruit" and answers["which"] == "Apples"
    assert answers["seasons"] == ["Spring", "Monsoon"] and answers["year"] == "2020"
    assert answers["distance"] == "12" and answers["words"] == "Long" and answers["gear"] == {"Poles": "2"}
    assert answers["pack"] == {"Pounds": "9", "Ounces": "3"} and answers["names"] == ["Rex", "Bella"]
    assert answers["mood"] == "4" and answers["weekend"] == {"alone": "No", "friends": "Yes"}
    assert answers["who"] == "Ann"
    assert page.problems == []


def test_a_message_is_shown_pressed_and_dismissed(open_page, daemon):
    daemon.put("hello", {"messages": {"hello": {
        "surface": "corner", "style": "DEFAULT", "trigger-if-all": ["ALWAYS"], "title": "Hello",
        "text": "There is news.", "button-label": "Look", "action": "OPEN"}}, "actions": {"OPEN": "myapp://news"}})
    try:
        page = open_page("data-surfaces=corner")
        view = panel(page)
        view.get_by_role("heading", name="Hello").wait_for()
        page.evaluate("document.addEventListener('bellwether:action', e => window.action = e.detail.url)")
        view.get_by_role("button", name="Look").click()
        assert eventually(lambda: page.evaluate("window.action")) == "myapp://news"
        names = lambda: [record["name"] for record in daemon.telemetry() if record["extra"].get("message_key") == "hello"]
        assert eventually(lambda: "clicked" in names()), names()
        assert "shown" in names()
        assert page.problems == []
    finally:
        daemon.delete("hello")


def test_a_microsurvey_opens_its_question_and_records_one_answer(open_page, daemon):
    daemon.put("micro", {"messages": {"micro": {
        "surface": "microsurvey", "style": "MICROSURVEY", "trigger-if-all": ["ALWAYS"], "text": "How is it?",
        "microsurveyConfig": {"icon": "lightbulb", "options": ["Good", "Bad"], "utm-content": "home"}}},
        "styles": {"MICROSURVEY": {"priority": 50, "max-display-count": 5}}})
    try:
        page = open_page("data-surfaces=microsurvey")
        view = panel(page)
        view.get_by_role("button", name="Continue").click()
        view.get_by_role("radio", name="Good").check()
        view.get_by_role("button", name="Submit").click()
        view.get_by_role("heading", name="Survey complete").wait_for()
        record = eventually(lambda: [r for r in daemon.telemetry() if r["name"] == "submit_button_tapped"])
        assert record[-1]["extra"]["user_selection"] == "Good"
        assert page.problems == []
    finally:
        daemon.delete("micro")


def test_an_offer_asks_in_its_own_words_and_opens_what_it_presents(open_page, daemon):
    daemon.put("offered", {**FEEDBACK, "offer": {
        "surface": "corner", "style": "DEFAULT", "trigger-if-all": ["ALWAYS"], "title": "A minute?",
        "text": "Tell us how it goes.", "button-label": "Gladly"}})
    try:
        page = open_page("data-surfaces=corner")
        view = panel(page)
        view.get_by_role("heading", name="A minute?").wait_for()
        expect(view.get_by_role("button", name="Maybe later")).to_be_visible()
        view.get_by_role("button", name="Don't ask again").click()
        view.get_by_role("heading", name="Stop asking?").wait_for()
        view.get_by_role("button", name="Back").click()
        view.get_by_role("button", name="Gladly").click()
        view.get_by_role("radio", name="10", exact=True).wait_for()
        assert page.problems == []
    finally:
        daemon.delete("offered")


def test_never_is_confirmed_and_ends_all_questionnaires_of_the_client(open_page, daemon):
    page = open_page()
    page.evaluate("bellwether.show('feedback')")
    view = panel(page)
    view.get_by_role("button", name="Don't ask again").click()
    view.get_by_role("button", name="Don't show this again").click()
    assert eventually(lambda: page.locator("bellwether-view").count() == 0)
    client = page.evaluate("bellwether.clientId")
    path = f"/v1/apps/{APP}/questionnaires/feedback?client_id={client}"
    assert eventually(lambda: daemon.call("GET", path)[1] == {"eligible": False, "reason": "globally_dismissed"})


def test_a_predicate_is_asked_of_the_daemon(open_page, daemon):
    survey = {**SURVEY, "questions": [
        {"id": "snack", "question": "What?", "question_type": "single_select", "options": ["Fruit", "Bread"]},
        {"id": "which", "question": "Which fruit?", "question_type": "single_text_field", "required": False,
         "show_if": {"operation": "custom", "ids": ["snack"], "extra": {"predicate": "likes_fruit"}}}]}
    daemon.put("asking", survey)
    page = open_page()
    page.evaluate("bellwether.show('asking')")
    view = panel(page)
    with page.expect_response("**/evaluate"):
        view.get_by_role("radio", name="Bread").check()
    view.get_by_role("button", name="Send it").wait_for()
    view.get_by_role("radio", name="Fruit").check()
    view.get_by_role("button", name="Next").click()
    view.get_by_label("Which fruit?").wait_for()
    view.get_by_role("button", name="Send it").click()
    view.get_by_role("heading", name="Thanks!").wait_for()
    assert page.problems == []
