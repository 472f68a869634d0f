"""Writes the pictures of the owners' console into docs/images: home, a recipe's page, the editor, the review.

usage: BELLWETHER=PROGRAM python Web/tests/browser/console_screenshots.py

Uses pngquant for small files, if it is installed. Draws the editor and the review if the console has them.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from conftest import ROOT, Daemon, Pages, at_rest, new_context
from playwright.sync_api import sync_playwright

IMAGES = ROOT / "docs/images"
APP = "/console/a/trail-notes"
SIZE = {"width": 1200, "height": 760}
# The editor has three columns.
WIDE = {"width": 1440, "height": 860}
QUESTIONS = {"kind": "questionnaire", "name": "After a trip", "hosted": True, "schema": {"version": 1, "questions": [
    {"id": "recommend", "type": "nps", "title": "Would you recommend Trail Notes?", "required": True},
    {"id": "maps", "type": "rating", "title": "How do you like the maps?", "scale": 5},
    {"id": "use", "type": "single_choice", "title": "What do you use most?",
     "options": [{"id": "maps", "label": "Maps"}, {"id": "diary", "label": "Diary"}, {"id": "photos", "label": "Photos"}]},
    {"id": "more", "type": "text", "title": "Anything else?", "multiline": True}]}}


SALE = {"messages": {"winter-sale": {
    "surface": "home", "title": "Winter sale", "text": "A year of maps for half the price.", "style": "DEFAULT",
    "button-label": "Look", "action": "https://notes.example/sale"}}}


def fill(daemon):
    """A live recipe with answers and a draft, and a recipe whose draft reaches a sample."""
    base = "/v1/apps/trail-notes"
    daemon.put("after-a-trip", QUESTIONS, "trail-notes")
    for number in range(120):
        answers = {"recommend": 10 - number % 4, "maps": 5 - number % 3, "use": ("maps", "diary", "photos")[number % 3]}
        daemon.call("POST", f"{base}/questionnaires/after-a-trip/responses",
                    {"client_id": f"c{number}", "answers": answers, "is_complete": number % 3 != 0})
    question = QUESTIONS["schema"]["questions"][0]
    changed = {**question, "title": "Would you recommend Trail Notes to a friend?"}
    draft = {**QUESTIONS, "schema": {"version": 1, "questions": [changed, *QUESTIONS["schema"]["questions"][1:]]}}
    daemon.call("PUT", f"{base}/recipes/after-a-trip?state=draft", draft)
    daemon.call("PATCH", f"{base}/recipes/after-a-trip/note", {"owner": "Ana", "labels": ["autumn"]})
    daemon.put("winter-sale", SALE, "trail-notes")
    card = {**SALE["messages"]["winter-sale"], "text": "A year of maps for a third of the price.",
            "trigger-if-all": ["TRAVELS"], "pacing": {"end": "2099-01-06T00:00:00Z"}}
    daemon.call("PUT", f"{base}/recipes/winter-sale?state=draft", {
        "triggers": {"TRAVELS": "plan == 'free' && trips >= 3"},
        "messages": {"winter-sale": card}})
    daemon.call("PATCH", f"{base}/recipes/winter-sale/note", {"owner": "Ben", "labels": ["winter", "sale"]})
    for number in range(300):
        daemon.call("POST", f"{base}/messages", {"client_id": f"c{number}", "context": {
            "plan": ("free", "free", "pro")[number % 3], "trips": number % 8}})


def shot(browser, daemon, name, path, prepare=lambda page: None, viewport=SIZE, **options):
    with new_context(browser, viewport=viewport, **options) as context:
        page = context.new_page()
        page.goto(daemon.url + path)
        page.locator("h1").wait_for()
        prepare(page)
        for preview in page.locator("iframe").all():
            preview.content_frame.locator("bellwether-view .panel").wait_for()
        at_rest(page)
        file = IMAGES / f"console-{name}.png"
        page.screenshot(path=file)
        if shutil.which("pngquant"):
            subprocess.run(["pngquant", "--force", "--skip-if-larger", "--ext", ".png", "64", str(file)], check=False)
        print(file.name, file.stat().st_size)


def has(name):
    return f'"/a/{{app}}/r/{{slug}}/{name}"' in (ROOT / "Web/console/main.js").read_text()


def main():
    pages = Pages()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        daemon = Daemon(pathlib.Path(folder), pages.url, ["--apps", ROOT / "config/apps", "--recipes", ROOT / "recipes"])
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
        fill(daemon)
        shot(browser, daemon, "home", APP)
        shot(browser, daemon, "list", f"{APP}/recipes")
        shot(browser, daemon, "recipe", f"{APP}/r/after-a-trip",
             lambda page: page.locator("iframe[data-drawn]").wait_for())
        if has("edit"):
            shot(browser, daemon, "editor", f"{APP}/r/after-a-trip/edit?at=/schema/questions/2&preview=,,360", viewport=WIDE)
            shot(browser, daemon, "editor-dark", f"{APP}/r/after-a-trip/edit?at=/schema/questions/2&preview=,,360",
                 viewport=WIDE, color_scheme="dark")
        if has("publish"):
            shot(browser, daemon, "review", f"{APP}/r/winter-sale/publish", viewport=SIZE)
        browser.close()
        daemon.stop()
    pages.shutdown()


if __name__ == "__main__":
    sys.exit(main())
