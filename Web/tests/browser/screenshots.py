"""Writes docs/images: each kind in light, dark, right to left and at 320 px.

usage: BELLWETHER=PROGRAM python Web/tests/browser/screenshots.py
"""

import json
import pathlib
import sys
import tempfile

from conftest import (APP, FEEDBACK, MANIFEST, ROOT, SURVEY, Daemon, Pages, at_rest, new_context, open_widget,
                      step_through_habits)
from playwright.sync_api import sync_playwright

IMAGES = ROOT / "docs/images"
ARABIC = {
    "Questionnaire": {"nextButton": "التالي", "backButton": "السابق", "npsLowLabel": "غير محتمل", "npsHighLabel": "محتمل جدًا",
                      "consentTitle": "هل لديك دقيقة؟", "consentBody": "بضعة أسئلة قصيرة.", "consentAccept": "بكل سرور",
                      "consentLater": "ربما لاحقًا", "consentNever": "لا تسأل مرة أخرى"},
    "Shop": {"recommend": "هل توصي بنا لصديق؟"},
}
LOOKS = {
    "light": {"viewport": {"width": 900, "height": 640}},
    "dark": {"viewport": {"width": 900, "height": 640}, "color_scheme": "dark"},
    "narrow": {"viewport": {"width": 320, "height": 640}},
}
STYLE = "<style>body { font-family: system-ui, sans-serif; margin: 24px; max-width: 40rem; color-scheme: light dark } " \
        ":root { color-scheme: light dark }</style><p>A page of your own. It includes Bellwether with one tag.</p>"


def shots(browser, pages, daemon, name, show, prepare=lambda panel: None, looks=LOOKS, attributes="data-poll=manual"):
    for look, options in looks.items():
        with new_context(browser, **options) as context:
            page = open_widget(context, pages, daemon, attributes, body=STYLE)
            page.evaluate(show)
            panel = page.locator("bellwether-view .panel")
            panel.wait_for()
            prepare(panel)
            at_rest(page)
            page.screenshot(path=IMAGES / f"{name}-{look}.png")


def answered(panel):
    panel.get_by_role("button", name="Sure, happy to help").click()
    panel.get_by_role("radio", name="9", exact=True).check()


def main():
    IMAGES.mkdir(exist_ok=True)
    pages = Pages()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        daemon = Daemon(pathlib.Path(folder), pages.url)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
        daemon.call("PUT", f"/v1/apps/{APP}/manifest", MANIFEST)
        daemon.call("PUT", f"/v1/apps/{APP}/strings/ar", ARABIC)
        questions = [{**question, "title": "Shop/recommend"} if question["id"] == "recommend" else question
                     for question in FEEDBACK["schema"]["questions"]]
        daemon.put("feedback", FEEDBACK)
        daemon.put("arabic", {**FEEDBACK, "schema": {"questions": questions}})
        daemon.put("habits", SURVEY)
        daemon.put("news", {"messages": {"news": {
            "surface": "corner", "style": "DEFAULT", "trigger-if-all": ["ALWAYS"], "title": "Maps without a network",
            "text": "Save a map before you leave. It works without a network then.", "button-label": "Show me"}},
            "styles": {"DEFAULT": {"priority": 50, "max-display-count": 100}}})
        daemon.put("micro", {"messages": {"micro": {
            "surface": "microsurvey", "style": "MICROSURVEY", "trigger-if-all": ["ALWAYS"], "text": "How do you like the maps?",
            "microsurveyConfig": {"icon": "lightbulb", "options": ["Very much", "They are fine", "Not at all"], "utm-content": "m"}}},
            "styles": {"MICROSURVEY": {"priority": 50, "max-display-count": 100}}})
        shots(browser, pages, daemon, "message", "bellwether.options.surfaces = ['corner']; bellwether.poll()")
        shots(browser, pages, daemon, "microsurvey", "bellwether.options.surfaces = ['microsurvey']; bellwether.poll()",
              lambda panel: panel.get_by_role("button", name="Continue").click())
        shots(browser, pages, daemon, "questionnaire", "bellwether.show('feedback')", answered)
        shots(browser, pages, daemon, "survey", "bellwether.show('habits')",
              lambda panel: step_through_habits(panel, "", until="year"))
        right = {"rtl": LOOKS["light"]}
        shots(browser, pages, daemon, "questionnaire", "bellwether.show('arabic')",
              lambda panel: panel.locator("button.primary").click(), right, "data-poll=manual data-locale=ar")
        flow = ROOT / "recipes/trail-notes/first-steps.json"
        if flow.exists():
            daemon.put("first-steps", json.loads(flow.read_text()))
            shots(browser, pages, daemon, "flow", "bellwether.show('first-steps')",
                  lambda panel: panel.locator("button.primary").click())
        browser.close()
        daemon.stop()
    pages.shutdown()


if __name__ == "__main__":
    sys.exit(main())
