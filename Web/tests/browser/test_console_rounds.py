"""The console of recipes that ask again: the form with its calendar, and results over time."""

import pytest
from conftest import APP, violations
from playwright.sync_api import expect
from test_console import HOME, opened

QUESTIONS = [{"id": "score", "type": "nps", "title": "Would you recommend us?"}]
OFFER = {"surface": "home", "text": "Would you recommend us?", "trigger-if-all": ["NEVER"]}


@pytest.mark.parametrize("options", [{}, {"color_scheme": "dark", "locale": "de", "viewport": {"width": 360, "height": 800}}])
def test_the_form_says_when_a_person_is_asked_again(browser, daemon, options):
    daemon.put("quarterly", {"kind": "questionnaire", "name": "Quarterly", "schema": {"questions": QUESTIONS}, "offer": OFFER,
                             "repeat": {"days": 90, "unanswered_days": 30}})
    is_german = options.get("locale") == "de"
    with opened(browser, daemon, f"{HOME}/r/quarterly/edit?at=/repeat/days", **options) as page:
        calendar = page.locator("[data-pointer='/repeat'] svg.chart")
        words = page.locator("[data-pointer='/repeat'] [role=status]").first
        if is_german:
            expect(words).to_have_text("Erneut 90 Tage nach der letzten Antwort, 30 Tage nach dem Schließen.")
            expect(calendar).to_have_attribute("aria-label", "Wer jedes Mal antwortet: 9-mal in zwei Jahren; "
                                                             "Wer jede Nachricht schließt: 25-mal in zwei Jahren")
        else:
            expect(words).to_have_text("Again 90 days after the last answer, 30 days after a dismissal.")
            page.get_by_label("Times at most").fill("3")
            expect(words).to_have_text("Again 90 days after the last answer, 30 days after a dismissal, at most 3 times.")
            expect(calendar).to_have_attribute("aria-label", "Who answers each time: 3 times in two years; "
                                                             "Who closes each message: 25 times in two years")
            page.get_by_label("Days after an answer").fill("0")
            expect(words).to_have_text("Again at once after an answer, 30 days after a dismissal, at most 3 times.")
        assert violations(page) == []
        if not is_german:
            page.get_by_role("button", name="Ask only once").click()
            expect(words).to_have_text("A person answers once.")
            expect(calendar).to_have_count(0)
