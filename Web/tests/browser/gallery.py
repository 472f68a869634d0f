"""Draws every block, field, step and type of question in light, dark, from right to left and at 320 px, for review.

usage: BELLWETHER=PROGRAM python Web/tests/browser/gallery.py FOLDER
"""

import json
import pathlib
import sys
import tempfile

from conftest import APP, FEEDBACK, MANIFEST, ROOT, SURVEY, Daemon, Pages, at_rest, new_context, open_widget
from playwright.sync_api import sync_playwright
from test_flows import BLOCKS, FIELDS, Script, form, run_of

WIDE = {"viewport": {"width": 680, "height": 900}}
LOOKS = {
    "light": WIDE,
    "dark": {**WIDE, "color_scheme": "dark"},
    "rtl": WIDE,
    "narrow": {"viewport": {"width": 320, "height": 700}},
    "forced": {**WIDE, "forced_colors": "active"},
}


def drawing(sky, ground):
    return ("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 160 96'%3E"
            f"%3Crect width='160' height='96' fill='%23{sky}'/%3E%3Cpath d='M0 96L52 30l30 34 22-26 56 58z' fill='%23{ground}'/%3E%3C/svg%3E")


LAKE, RIDGE, WOOD = drawing("cfe8e3", "2f6f5e"), drawing("d9e4f5", "3b5b92"), drawing("f6e7d3", "8a5a2b")
HABITS = [{"id": "walk", "label": "Walk", "icon": LAKE, "subtitle": "An hour or two"}, {"id": "hike", "label": "Hike", "icon": RIDGE, "subtitle": "A day or more"},
          {"id": "climb", "label": "Climb", "icon": WOOD, "subtitle": "With ropes"}]
PLANS = [{"id": "month", "title": "Monthly", "price": "$4.99", "period": "month", "features": ["All maps", "10 trips"]},
         {"id": "year", "title": "Yearly", "price": "$29.99", "period": "year", "description": "Save half", "is_highlighted": True, "features": ["All maps", "Unlimited trips"]}]
# Every block, with realistic values.
SHOWN = {
    "texts": [{"type": "title", "text": "Your diary on the trail"}, {"type": "subtitle", "text": "It writes itself as you walk."},
              {"type": "heading", "level": 3, "text": "How it works"}, {"type": "text", "text": "Start a trip, put the phone away, and find the way, the weather and your pictures in the diary."},
              {"type": "text", "text": "In the middle, large and spaced", "style": {"alignment": "center", "font_size": 20, "font_weight": "bold", "letter_spacing": 1, "color": "#8a5a2b"}},
              {"type": "rich_text", "markdown": "**Bold**, *slanted*, `code` and [a link](https://a.example)\n\n- one\n- two"},
              {"type": "list", "items": ["Rain cover", "Map", "Water"]}, {"type": "list", "style": "check", "items": [{"title": "Offline maps", "subtitle": "Save them before you leave"}, "No account"]},
              {"type": "list", "style": "numbered", "items": ["Choose a trail", "Go"]}, {"type": "divider"}, {"type": "spacer", "height": 12},
              {"type": "row", "gap": 8, "children": [{"type": "badge", "text": "New"}, {"type": "badge", "text": "Beta", "badge_bg_color": "#8a5a2b", "badge_text_color": "#ffffff"}, {"type": "icon", "icon": LAKE, "icon_size": 40}]},
              {"type": "warning_banner", "text": "The path is closed in winter."}, {"type": "feedback_panel", "text": "Good choice!"}, {"type": "speech_bubble", "text": "Shall we go?"},
              {"type": "settings_footer", "text": "You can change all of this later."}],
    "pictures": [{"type": "image", "url": LAKE, "alt": "A lake", "height": 180, "corner_radius": 24}, {"type": "lottie", "url": "https://a.example/x.json", "poster": RIDGE, "alt": "A ridge"},
                 {"type": "rive", "url": "https://a.example/x.riv", "alt": "A compass that turns"}, {"type": "video", "url": "https://a.example/x.mp4", "thumbnail": WOOD, "alt": "A walk", "height": 160},
                 {"type": "media_gallery", "items": [{"url": LAKE, "alt": "A"}, {"url": RIDGE, "alt": "B"}, {"url": WOOD, "alt": "C"}]},
                 {"type": "carousel", "label": "Trips", "children": [{"type": "stack", "children": [{"type": "image", "url": url, "alt": text, "height": 110}, {"type": "text", "text": text}]} for url, text in ((LAKE, "Grey Lake"), (RIDGE, "The ridge"), (WOOD, "Old mill"))]},
                 {"type": "pulsing_avatar", "image_url": LAKE}, {"type": "custom_view", "view_key": "unknown", "placeholder_image_url": WOOD, "placeholder_text": "Drawn by the app"}],
    "buttons": [{"type": "button", "text": "Primary", "variant": "primary", "action": "x"}, {"type": "button", "text": "Secondary", "variant": "secondary", "action": "x"},
                {"type": "button", "text": "Outlined", "action": "x"}, {"type": "button", "text": "As a link", "variant": "text", "action": "x"},
                {"type": "button", "text": "Horizontal", "action": "x", "gradient_colors": ["#FF6B6B", "#4ECDC4"], "gradient_direction": "horizontal"},
                {"type": "button", "text": "Diagonal", "action": "x", "gradient_colors": ["#1A2980", "#26D0CE"], "gradient_direction": "diagonal_tl_br"},
                {"type": "row", "distribution": "equal", "children": [{"type": "button", "text": "Skip", "action": "x"}, {"type": "button", "text": "Continue", "variant": "primary", "action": "x"}]},
                {"type": "press_hold_confirm", "text": "Hold to begin"}, {"type": "social_login", "show_divider": True, "divider_text": "or", "providers": ["apple", {"type": "google"}, {"type": "email", "text": "With e-mail"}]}],
    "choices": [{"type": "option_list", "id": "stacked", "label": "Stacked", "options": HABITS}, {"type": "option_list", "id": "grid", "label": "Grid", "display": "grid", "options": HABITS},
                {"type": "option_list", "id": "two", "label": "Two columns", "display": "grid", "columns": 2, "options": [*HABITS, {"id": "swim", "label": "Swim", "icon": LAKE}]},
                {"type": "option_list", "id": "down", "label": "Dropdown", "display": "dropdown", "options": HABITS}, {"type": "toggle", "id": "on", "label": "Tell me of new trails"},
                {"type": "rating", "id": "stars", "label": "Stars", "default_rating": 4}, {"type": "rating", "id": "halves", "label": "Halves", "allow_half": True, "default_rating": 3.5},
                {"type": "rating", "id": "faces", "label": "Faces", "style": "emoji", "default_rating": 4}],
    "wheels": [{"type": "wheel_picker", "id": "weight", "label": "Weight", "min": 40, "max": 60, "unit": "kg", "default": 52},
               {"type": "date_wheel_picker", "id": "born", "label": "Born", "default_date_value": "2001-01-31"}, {"type": "calendar_month", "date": "2026-04-15"},
               {"type": "otp_input", "id": "otp", "label": "The code that we sent"}, {"type": "input_password", "id": "secret", "label": "New password"}, {"type": "password_strength"}],
    "progress": [{"type": "page_indicator", "dot_count": 5, "active_index": 1}, {"type": "page_indicator", "style": "bar", "dot_count": 5, "active_index": 1},
                 {"type": "progress_bar", "value": 0.4, "label": "Your profile"}, {"type": "progress_bar", "value": 0.7, "fill_gradient": ["#FF6B6B", "#4ECDC4"], "track_color": "#e5e7eb", "height": 16, "corner_radius": 8},
                 {"type": "progress_bar", "variant": "segmented", "total_segments": 5, "filled_segments": 3, "fill_color": "#8a5a2b"},
                 {"type": "row", "distribution": "space_around", "children": [{"type": "circular_gauge", "value": 72, "label": "Fitness", "sublabel": "of 100"}, {"type": "circular_gauge", "value": 4, "max_value": 10, "label": "Trips", "fill_color": "#8a5a2b"}]},
                 {"type": "timeline", "items": [{"title": "Profile", "subtitle": "Done", "status": "completed"}, {"title": "First trail", "subtitle": "Choose one", "status": "current"}, {"title": "Diary", "status": "upcoming"}]},
                 {"type": "animated_loading", "items": [{"text": "Reading the map"}, {"text": "Finding trails"}], "total_duration_ms": 500, "text": "We prepare your trip"},
                 {"type": "animated_loading", "loading_variant": "circular"}, {"type": "animated_loading", "loading_variant": "linear"}, {"type": "animated_loading", "loading_variant": "skeleton"}],
    "sale": [{"type": "countdown_timer", "duration_seconds": 90030, "labels": {"hours": "hours", "minutes": "min", "seconds": "s", "days": "days"}}, {"type": "countdown_timer", "variant": "circular", "duration_seconds": 30},
             {"type": "countdown_timer", "variant": "flip", "duration_seconds": 300}, {"type": "countdown_timer", "variant": "bar", "duration_seconds": 60},
             {"type": "pricing_card", "pricing_layout": "side_by_side", "plans": PLANS}, {"type": "pricing_card", "plans": PLANS[1:]}],
    "sky": [{"type": "star_background"}, {"type": "title", "text": "Under the stars"}, {"type": "star_background", "fullscreen": False, "particle_type": "snow"}, {"type": "summary_screen"}],
    "styles": [{"type": "stack", "block_style": {"background_color": "#eaf3ee", "radius": 16, "padding": 16}, "children": [{"type": "heading", "text": "On a ground"}, {"type": "text", "text": "With padding and a radius"}]},
               {"type": "stack", "block_style": {"background_gradient": {"angle": 135, "start": "#1A2980", "end": "#26D0CE"}, "radius": 16, "padding": 20}, "children": [{"type": "text", "text": "On a gradient"}]},
               {"type": "text", "text": "Border and shadow", "block_style": {"padding": 14, "border": {"width": 2, "color": "#F3A712", "style": "dashed"}, "radius": 12, "shadow": "medium", "background": "#FFF8E8"}},
               {"type": "row", "distribution": "space_between", "children": [{"type": "badge", "text": "between"}, {"type": "badge", "text": "space"}]},
               {"type": "row", "distribution": "center", "children": [{"type": "badge", "text": "in"}, {"type": "badge", "text": "the middle"}]},
               {"type": "row", "distribution": "end", "children": [{"type": "badge", "text": "at"}, {"type": "badge", "text": "the end"}]},
               {"type": "section_background", "children": [{"type": "text", "text": "A section of its own"}]},
               {"type": "form", "fields": [{"id": "in_form", "type": "text", "label": "In a form", "placeholder": "Write here"}]}],
}
# Every field, with an answer if it can have one.
ASKED = [
    [{"id": "name", "type": "text", "label": "Name", "required": True, "placeholder": "Ada"}, {"id": "bio", "type": "textarea", "label": "About you"}, {"id": "km", "type": "number", "label": "Kilometres a day", "config": {"unit": "km"}},
     {"id": "mail", "type": "email", "label": "E-mail", "placeholder": "ada@example.org"}, {"id": "phone", "type": "phone", "label": "Phone"}, {"id": "url", "type": "url", "label": "Website"}, {"id": "date", "type": "date", "label": "Birthday"},
     {"id": "time", "type": "time", "label": "When do you start?"}, {"id": "at", "type": "datetime", "label": "Appointment"}, {"id": "country", "type": "select", "label": "Country", "options": ["Germany", "Israel"]},
     {"id": "often", "type": "segmented", "label": "How often?", "options": ["Daily", "Weekly", "Monthly"], "config": {"default_value": "Weekly"}}],
    [{"id": "slider", "type": "slider", "label": "Budget", "config": {"min_value": 0, "max_value": 100, "unit": "€", "default_value": 40}}, {"id": "slider0", "type": "slider", "label": "Intensity"},
     {"id": "people", "type": "stepper", "label": "People", "config": {"default_value": 2}}, {"id": "on", "type": "toggle", "label": "Tell me of new trails", "config": {"default_value": True}},
     {"id": "secret", "type": "password", "label": "Password"}, {"id": "stars", "type": "rating", "label": "Rating", "config": {"default_value": 3}},
     {"id": "ages", "type": "range_slider", "label": "Age range", "config": {"min_value": 18, "max_value": 80, "default_value": {"low": 25, "high": 45}}}, {"id": "ages0", "type": "range_slider", "label": "Price range"},
     {"id": "photo", "type": "image_picker", "label": "Photo"}, {"id": "color", "type": "color", "label": "Colour", "config": {"preset_colors": ["#2f6f5e", "#3b5b92", "#8a5a2b"], "default_value": "#3B5B92"}},
     {"id": "chips", "type": "chips", "label": "Interests", "config": {"suggestions": ["Birds", "Stones", "Trees"], "default_value": ["Maps"]}},
     {"id": "tags", "type": "chips", "label": "Seasons", "config": {"suggestions": ["Spring", "Summer", "Autumn"], "allow_custom": False, "default_value": ["Summer"]}},
     {"id": "sign", "type": "signature", "label": "Signature"}, {"id": "home", "type": "location", "label": "Where do you start?", "placeholder": "Begin to write"}],
]
ARABIC = ["نص طويل يصف المسار والطقس والصور", "اختر مسارًا", "البحيرة الرمادية", "الملف الشخصي", "خرائط بلا شبكة", "ساعة أو ساعتان"]
SPOKEN = {"text", "title", "subtitle", "label", "placeholder", "cta_text", "description", "placeholder_text", "sublabel", "content", "question", "header", "low_tag", "high_tag", "unit"}
MORE_QUESTIONS = [{"id": "stars_drawn", "type": "rating", "title": "How do you like it?", "scale": 5, "display": "stars"}, {"id": "line", "type": "text", "title": "One-line takeaway?", "placeholder": "Optional"}]


def in_arabic(value, key=""):
    """The document with texts that are written from right to left."""
    if isinstance(value, dict):
        return {name: in_arabic(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [in_arabic(item, key) for item in value]
    return ARABIC[sum(value.encode()) % len(ARABIC)] if key in SPOKEN and isinstance(value, str) and value else value


def sample_steps():
    """The steps of the samples, by their ids."""
    for name in ("first-steps", "trip-coach"):
        for step in json.loads((ROOT / f"recipes/trail-notes/{name}.json").read_text())["steps"]:
            shown = {"id": step["id"], "type": step["type"], **step["config"]}
            for block in shown.get("content_blocks", []) + shown.get("fields", []):
                block["visible"] = True
            yield step["id"], shown


def steps():
    shown = json.dumps(SHOWN)
    missing = [block["type"] for block in BLOCKS if f'"type": "{block["type"]}"' not in shown and block["type"] not in ("from_the_future", "input_email")]
    assert not missing, missing
    assert {kind for kind, *_ in FIELDS} <= {field["type"] for group in ASKED for field in group}
    for name, group in SHOWN.items():
        yield f"blocks-{name}", {"id": "s", "type": "custom", "title": name.capitalize(), "content_blocks": [{"visible": True, **block} for block in group]}
    for number, group in enumerate(ASKED):
        yield f"fields-{number}", form(group)
    yield "question-dropdown", {"id": "q", "type": "question", "title": "What do you do outdoors?", "display": "dropdown", "options": HABITS}
    yield "question-stacked", {"id": "q", "type": "question", "title": "What do you do outdoors?", "selection_mode": "multi", "options": HABITS}
    yield "value", {"id": "v", "type": "value_prop", "title": "Why Trail Notes", "subtitle": "Three reasons", "items": [
        {"title": "Maps", "subtitle": "Without a network", "icon": LAKE}, {"title": "Diary", "subtitle": "Written by itself"}, "No account"]}
    yield from ((f"step-{name}", step) for name, step in sample_steps())


def shoot(page, folder, name, look):
    panel = page.locator("bellwether-view .panel")
    panel.wait_for()
    assert (panel.get_attribute("dir") == "rtl") == (look == "rtl"), name
    at_rest(page)
    panel.screenshot(path=folder / f"{name}-{look}.png", animations="disabled")


CHAT = {"messages": [{"role": "ai", "id": "a", "content": "Hi! Where do you want to go?", "timestamp": "2026-04-15T10:00:00.000Z"},
                     {"role": "user", "id": "u", "content": "To a lake", "timestamp": "2026-04-15T10:01:00.000Z"},
                     {"role": "ai", "id": "b", "content": "Good choice.", "timestamp": "2026-04-15T10:01:02.000Z"},
                     {"role": "ai", "id": "c", "content": "How long may it be?", "timestamp": "2026-04-15T10:01:04.000Z"}],
        "quick_replies": [{"id": "q", "text": "A whole day"}, {"id": "n", "text": "With a night in a hut"}], "turn": 1, "remaining_turns": 4,
        "rating_prompt": True, "completed": None}
ANSWERS = {"profile": {"name": "Ada", "home": {"formatted_address": "Bern, Switzerland", "city": "Bern"}, "dog": True}}


class Drawer:
    def __init__(self, browser, pages, daemon, look, options):
        self.browser, self.pages, self.daemon, self.look, self.options = browser, pages, daemon, look, options

    def open(self, context, show):
        locale = "ar" if self.look == "rtl" else "en"
        page = open_widget(context, self.pages, self.daemon, f"data-poll=manual data-locale={locale}", body="<main id=place></main>")
        page.evaluate(f"bellwether.show({show}, mode: 'page', target: document.getElementById('place')}})")
        return page

    def step(self, name, step, flow):
        more = {"responses": ANSWERS, **({"chat": CHAT} if step["type"] == "interactive_chat" else {})}
        run = run_of(step, **more)
        with new_context(self.browser, **self.options) as context:
            Script(context, [in_arabic(run) if self.look == "rtl" else run], flow)
            shoot(self.open(context, "'demo', {kind: 'flow'"), FOLDER, name, self.look)

    def recipe(self, document, name):
        slug = f"gallery-{name.replace('_', '-')}"
        self.daemon.put(slug, in_arabic(document) if self.look == "rtl" else document)
        with new_context(self.browser, **self.options) as context:
            page = self.open(context, f"'{slug}', {{kind: '{document['kind']}', intro: false")
            shoot(page, FOLDER, f"{document['kind']}-{name}", self.look)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    pages = Pages()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        daemon = Daemon(pathlib.Path(data), pages.url)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
        daemon.call("PUT", f"/v1/apps/{APP}/manifest", MANIFEST)
        daemon.call("PUT", f"/v1/apps/{APP}/strings/ar", {"Gallery": {"name": ARABIC[0]}})
        theme = {"theme": json.loads((ROOT / "recipes/trail-notes/first-steps.json").read_text())["theme"]}
        for look, options in LOOKS.items():
            draw = Drawer(browser, pages, daemon, look, options)
            for name, step in steps():
                draw.step(name, step, {**theme, "settings": {"progress_style": "segmented_bar"}} if name.startswith("step-") else None)
            for question in FEEDBACK["schema"]["questions"] + MORE_QUESTIONS:
                draw.recipe({**FEEDBACK, "schema": {"version": 1, "questions": [question]}}, question["id"])
            for question in SURVEY["questions"]:
                asked = {key: value for key, value in question.items() if key not in ("show_if", "sub_questions", "validations")}
                draw.recipe({**SURVEY, "predicates": {}, "questions": [asked]}, question["id"])
        browser.close()
        daemon.stop()
    pages.shutdown()


if __name__ == "__main__":
    FOLDER = pathlib.Path(sys.argv[1])
    sys.exit(main())
