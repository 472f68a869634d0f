"""What is typed into a flow's fields, and the sentences about its faults."""

import pytest
from conftest import open_widget
from playwright.sync_api import expect
from test_flows import DONE, Script, form, run_of, show

FAULTS = {
    "en-US": {
        "thanks": "Thanks!", "age": "Enter a number from 13 to 99.", "mail": "Enter an email address, such as ada@example.org.",
        "tel": "Enter a phone number. If it is from another country, begin with + and the country code.",
        "site": "Enter a web address, such as example.org.", "nick": "Enter at least 3 characters.",
        "day": "Choose March 1, 2026 or later."},
    "de-DE": {
        "thanks": "Danke!", "age": "Bitte gib eine Zahl von 13 bis 99 ein.",
        "mail": "Bitte gib eine E-Mail-Adresse ein, zum Beispiel ada@example.org.",
        "tel": "Bitte gib eine Telefonnummer ein. Ist sie aus einem anderen Land, beginne mit + und der Landesvorwahl.",
        "site": "Bitte gib eine Webadresse ein, zum Beispiel example.org.",
        "nick": "Bitte gib mindestens 3 Zeichen ein.", "day": "Bitte wähle 1. März 2026 oder später."},
}
FIELDS = [
    {"id": "age", "type": "number", "label": "age", "config": {"min_value": 13, "max_value": 99}},
    {"id": "mail", "type": "email", "label": "mail"}, {"id": "tel", "type": "phone", "label": "tel"},
    {"id": "site", "type": "url", "label": "site"},
    {"id": "nick", "type": "text", "label": "nick", "config": {"min_length": 3}},
    {"id": "day", "type": "date", "label": "day", "config": {"min_date": "2026-03-01"}},
]
WRONG = {"age": "200", "mail": "ann@example", "tel": "call me", "site": "example", "nick": "al", "day": "2026-02-01"}
RIGHT = {"age": "20", "mail": "ann@example.org", "tel": "(555) 123-4567", "site": "www.example.org", "nick": "ann", "day": "2026-03-02"}


def error(panel, name):
    return panel.locator(f"[part='field-{name}'] [part='error']")


@pytest.mark.parametrize("locale", FAULTS)
def test_a_field_is_judged_when_it_is_left_in_the_readers_language(context, pages, daemon, locale):
    script = Script(context, [run_of(form(FIELDS)), DONE])
    page = open_widget(context, pages, daemon, f"data-poll=manual data-locale={locale}")
    panel = show(page)
    for name, text in WRONG.items():
        line = panel.get_by_label(name, exact=True)
        line.fill(text)
        expect(error(panel, name)).to_have_text("")
        line.blur()
        error(panel, name).get_by_text(FAULTS[locale][name], exact=True).wait_for()
        expect(line).to_have_attribute("aria-invalid", "true")
    for name, text in RIGHT.items():
        panel.get_by_label(name, exact=True).fill(text)
        expect(error(panel, name)).to_have_text("")
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name=FAULTS[locale]["thanks"]).wait_for()
    assert script.responses == [{**RIGHT, "age": 20}]
    assert page.problems == []


def test_a_fault_of_the_daemon_is_said_by_its_reason_and_bounds(context, pages, daemon):
    fields = [{"id": "size", "type": "number", "label": "size"}, {"id": "word", "type": "text", "label": "word"}]
    problem = {"status": 422, "errors": [
        {"pointer": "/response/size", "code": "range", "message": "expected at most 1500", "reason": "maximum",
         "bounds": {"min": 13, "max": 1500}},
        {"pointer": "/response/word", "code": "pattern", "message": "Invalid format", "reason": "pattern"},
        {"pointer": "/response/gone", "code": "unknown_key", "message": "the step has no such field", "reason": "unknownField"}]}
    Script(context, [run_of(form(fields)), (422, problem)])
    page = open_widget(context, pages, daemon, "data-poll=manual data-locale=de-DE")
    panel = show(page)
    panel.get_by_label("size", exact=True).fill("1600")
    panel.get_by_label("word", exact=True).fill("x")
    panel.get_by_role("button", name="Go on").click()
    error(panel, "size").get_by_text("Bitte gib eine Zahl von 13 bis 1.500 ein.").wait_for()
    said = panel.inner_text()
    assert "expected" not in said and "Invalid" not in said and "no such field" not in said


def test_a_place_that_was_not_chosen_is_no_answer(context, pages, daemon):
    fields = [{"id": "city", "type": "location", "label": "city", "required": True}]
    problem = {"status": 422, "errors": [
        {"pointer": "/response/city", "code": "required", "message": "city is required", "reason": "required"}]}
    script = Script(context, [run_of(form(fields)), (422, problem), DONE])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    line = panel.get_by_label("city")
    line.fill("Atlantis")
    line.blur()
    error(panel, "city").get_by_text("Choose a place from the list.").wait_for()
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("group", name="Please check these answers").get_by_text("Choose a place from the list.").wait_for()
    line.fill("Be")
    panel.get_by_role("option", name="Bern").click()
    expect(error(panel, "city")).to_have_text("")
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses == [{}, {"city": {"formatted_address": "Bern", "city": "Bern"}}]
