"""Draws every block, field, step and type of question in light, dark, from right to left and at 320 px, to look at.

usage: BELLWETHER=PROGRAM python Web/tests/browser/gallery.py FOLDER
"""

import json
import pathlib
import sys
import tempfile

from conftest import APP, FEEDBACK, MANIFEST, ROOT, SURVEY, Daemon, Pages, new_context, open_widget
from playwright.sync_api import sync_playwright
from test_flows import BLOCKS, FIELDS, Script, field, form, run_of

WIDE = {"viewport": {"width": 680, "height": 900}}
LOOKS = {
    "light": WIDE,
    "dark": {**WIDE, "color_scheme": "dark"},
    "rtl": {**WIDE, "locale": "ar"},
    "narrow": {"viewport": {"width": 320, "height": 700}},
    "forced": {**WIDE, "forced_colors": "active"},
}
MORE = [{"type": "calendar_month"}, {"type": "otp_input", "id": "otp", "label": "The code that we sent"},
        {"type": "input_password", "id": "secret", "label": "New password"}, {"type": "password_strength"},
        {"type": "wheel_picker", "id": "weight", "label": "Weight", "min": 40, "max": 60, "unit": "kg"},
        {"type": "date_wheel_picker", "id": "born", "label": "Born", "default_date_value": "2001-01-31"}]


def sample_steps():
    """The steps of the samples, by their ids."""
    for name in ("first-steps", "trip-coach"):
        for step in json.loads((ROOT / f"recipes/trail-notes/{name}.json").read_text())["steps"]:
            shown = {"id": step["id"], "type": step["type"], **step["config"]}
            for block in shown.get("content_blocks", []) + shown.get("fields", []):
                block["visible"] = True
            yield step["id"], shown


def steps():
    groups = [BLOCKS[at:at + 8] for at in range(0, len(BLOCKS), 8)] + [MORE]
    for number, group in enumerate(groups):
        yield f"blocks-{number}", {"id": "s", "type": "custom", "title": "Blocks", "content_blocks": [{"visible": True, **block} for block in group]}
    for number, group in enumerate((FIELDS[:11], FIELDS[11:])):
        yield f"fields-{number}", form([field(kind, config) for kind, _, config, _ in group])
    yield from ((f"step-{name}", step) for name, step in sample_steps())


def shoot(page, folder, name, look):
    panel = page.locator("bellwether-view .panel")
    panel.wait_for()
    if look == "rtl":
        page.evaluate("document.querySelector('bellwether-view').setAttribute('dir', 'rtl')")
    page.wait_for_timeout(900)
    panel.screenshot(path=folder / f"{name}-{look}.png", animations="disabled")


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    pages = Pages()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        daemon = Daemon(pathlib.Path(data), pages.url)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        daemon.call("PUT", f"/v1/apps/{APP}/manifest", MANIFEST)
        kinds = {"questionnaires": [("feedback", {**FEEDBACK, "schema": {"version": 1, "questions": [question]}}, question["id"])
                                    for question in FEEDBACK["schema"]["questions"]],
                 "surveys": [("habits", {**SURVEY, "predicates": {}, "questions": [
                     {key: value for key, value in question.items() if key not in ("show_if", "sub_questions")}]}, question["id"])
                     for question in SURVEY["questions"]]}
        for look, options in LOOKS.items():
            for name, step in steps():
                chat = {"messages": [{"role": "ai", "id": "a", "content": "Hi! Where do you want to go?", "timestamp": "2026-04-15T10:00:00.000Z"},
                                     {"role": "user", "id": "u", "content": "To a lake", "timestamp": "2026-04-15T10:01:00.000Z"}],
                        "quick_replies": [{"id": "q", "text": "A whole day"}], "turn": 1, "remaining_turns": 4, "completed": None}
                with new_context(browser, **options) as context:
                    theme = {"theme": json.loads((ROOT / "recipes/trail-notes/first-steps.json").read_text())["theme"]} if name.startswith("step-") else None
                    Script(context, [run_of(step, **({"chat": chat} if step["type"] == "interactive_chat" else {}))], theme)
                    page = open_widget(context, pages, daemon, body="<main id=place></main>")
                    page.evaluate("bellwether.show('demo', {kind: 'flow', mode: 'page', target: document.getElementById('place')})")
                    shoot(page, folder, name, look)
            for family, entries in kinds.items():
                for slug, document, name in entries:
                    daemon.put(f"gallery-{name}", document)
                    with new_context(browser, **options) as context:
                        page = open_widget(context, pages, daemon, body="<main id=place></main>")
                        page.evaluate(f"bellwether.show('gallery-{name}', {{kind: '{document['kind']}', mode: 'page', intro: false, target: document.getElementById('place')}})")
                        shoot(page, folder, f"{document['kind']}-{name}", look)
        browser.close()
        daemon.stop()
    pages.shutdown()


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
