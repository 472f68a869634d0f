"""The forms of a flow's blocks, fields and chats, which are made from the schema of flows (docs/console.md#flows)."""

import json

import pytest
from conftest import APP, ROOT, eventually
from playwright.sync_api import expect
from test_console import HOME, opened, violations
from test_console_edit import field, put_text, redrawn, source, text_of

SCHEMA = json.loads((ROOT / "docs/schemas/flow.schema.json").read_text())
TYPES = [name.removeprefix("block.") for name in SCHEMA["$defs"] if name.startswith("block.")]
EDIT = f"{HOME}/r/blocks/edit?at="
BLOCK = "/steps/0/config/content_blocks"


def flow_of(*blocks):
    return {"kind": "flow", "name": "Blocks", "hosted": True, "steps": [
        {"id": "shop", "type": "custom", "config": {"title": "Shop", "content_blocks": list(blocks)}},
        {"id": "talk", "type": "interactive_chat", "config": {"title": "Talk", "chat_config": {
            "webhook": {"webhook_url": "https://hooks.example.org/chat", "error_text": "Later.",
                        "sample_replies": [{"messages": [{"content": "Hello"}]}]}}}}]}


@pytest.fixture
def store(daemon):
    def put(*blocks):
        put_text(daemon, "blocks", json.dumps(flow_of(*blocks), indent=2) + "\n")
        return daemon
    yield put
    daemon.delete("blocks")


def unfold(page, *names):
    """Opens folded fields, such as a group or an object."""
    for name in names:
        page.locator(".form details:not([open]) > summary").filter(has=page.get_by_text(name, exact=True)).first.click()


def unfold_all(page):
    """Opens all folded fields, and those in them."""
    folded = page.locator(".form details:not([open]) > summary:visible")
    for _ in range(100):
        if folded.count() == 0:
            return
        folded.first.click()
    raise AssertionError("the fields do not stay open")


def block(page, place):
    """A block of the text beside the form."""
    return json.loads(source(page))["steps"][0]["config"]["content_blocks"][place]


def test_the_form_of_each_block_type_has_every_key_of_its_table(browser, store):
    daemon = store({"id": "b", "type": "text", "text": "Hi"})
    with opened(browser, daemon, EDIT + BLOCK + "/0") as page:
        for type in TYPES:
            page.locator(f"[data-pointer='{BLOCK}/0/type'] select").select_option(type)
            own = SCHEMA["$defs"][f"block.{type}"]["properties"]
            wanted = [key for key, part in {**own, **SCHEMA["$defs"]["block"]["properties"]}.items()
                      if part.get("items", {}).get("$ref") not in ("#/$defs/block", "#/$defs/field")]
            for key in wanted:
                page.locator(f"[data-pointer='{BLOCK}/0/{key}']").first.wait_for(state="attached")
            expect(page.locator(".form .hint.more:not([hidden])"), type).to_have_count(0)


def test_a_flow_of_a_countdown_a_pricing_card_a_button_and_a_chat_is_made_without_json(browser, store):
    daemon = store()
    with opened(browser, daemon, EDIT + BLOCK, viewport={"width": 1440, "height": 900}) as page:
        def add(type):
            page.get_by_role("button", name="Add block", exact=True).last.click()
            redrawn(page)
            page.locator(".form [data-pointer$='/type'] select").first.select_option(type)

        add("countdown_timer")
        field(page, "Duration (s)").fill("600")
        unfold(page, "Look")
        field(page, "Timer variant").select_option("flip")
        page.locator(".trail a").last.click()
        add("pricing_card")
        for name, price in (("Monthly", "4 €"), ("Yearly", "40 €")):
            page.get_by_role("button", name="Add plan", exact=True).click()
            redrawn(page)
            row = page.locator(".form .list-row").last
            row.get_by_label("Title", exact=True).fill(name)
            row.get_by_label("Price", exact=True).fill(price)
        page.locator(".form .list-row").last.get_by_label("Highlighted", exact=True).check()
        page.locator(".trail a").last.click()
        add("button")
        field(page, "Text").fill("Start")
        field(page, "Action").fill("dismiss")
        unfold(page, "Look")
        for color in ("#2F6F5E", "#88C0A8"):
            page.get_by_role("button", name="Add colour", exact=True).click()
            redrawn(page)
            page.locator("[data-pointer$='/gradient_colors'] .list-row input.field").last.fill(color)
        field(page, "Gradient direction").select_option("vertical")
        unfold(page, "Animation", "Entrance animation")
        page.locator("[data-pointer$='/entrance_animation/type'] select").select_option("slide_up")
        page.locator("[data-pointer$='/entrance_animation/delay_ms'] input").fill("300")
        page.locator(".outline li[data-at='/steps/1'] a").click()
        page.locator(".outline").get_by_role("link", name="Conversation").click()
        for text in ("Which plan is it?", "Anything else?"):
            page.get_by_role("button", name="Add message", exact=True).first.click()
            redrawn(page)
            page.locator("[data-pointer$='/auto_messages'] .list-row").last.get_by_label("Content").fill(text)
        page.locator("[data-pointer$='/auto_messages/1/turn'] input").fill("1")
        unfold(page, "Turns")
        field(page, "Most turns").fill("2")
        preview = page.frame_locator("iframe")
        preview.get_by_text("Which plan is it?").first.wait_for()
        page.keyboard.press("Control+s")
        page.get_by_text("is saved").first.wait_for()
    saved = json.loads(text_of(daemon, "blocks?state=draft"))
    assert saved["steps"][0]["config"]["content_blocks"] == [
        {"id": "block", "type": "countdown_timer", "duration_seconds": 600, "timer_variant": "flip"},
        {"id": "block_2", "type": "pricing_card", "plans": [
            {"title": "Monthly", "price": "4 €"}, {"title": "Yearly", "price": "40 €", "is_highlighted": True}]},
        {"id": "block_3", "type": "button", "text": "Start", "action": "dismiss",
         "gradient_colors": ["#2F6F5E", "#88C0A8"], "gradient_direction": "vertical",
         "entrance_animation": {"type": "slide_up", "delay_ms": 300}}]
    chat = saved["steps"][1]["config"]["chat_config"]
    assert chat["auto_messages"] == [{"content": "Which plan is it?"}, {"content": "Anything else?", "turn": 1}]
    assert chat["max_user_turns"] == 2


def test_the_preview_follows_each_change_of_a_block(browser, store):
    daemon = store({"id": "b", "type": "button", "text": "Start"})
    with opened(browser, daemon, EDIT + BLOCK + "/0", viewport={"width": 1440, "height": 900}) as page:
        preview = page.frame_locator("iframe")
        field(page, "Text").fill("Begin")
        preview.get_by_role("button", name="Begin").wait_for()
        unfold(page, "Look")
        page.locator("[data-pointer$='/bg_color'] input.field").fill("#101010")
        shown = preview.get_by_role("button", name="Begin")
        assert eventually(lambda: shown.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(16, 16, 16)")


def test_another_type_of_a_block_keeps_what_both_types_have(browser, store):
    daemon = store({"id": "b", "type": "title", "text": "Hi", "style": {"italic": True}, "own": 1})
    with opened(browser, daemon, f"{EDIT}{BLOCK}/0&show=split") as page:
        choice = page.locator(f"[data-pointer='{BLOCK}/0/type'] select")
        choice.focus()
        choice.select_option("badge")
        assert eventually(lambda: block(page, 0) == {"id": "b", "type": "badge", "text": "Hi", "own": 1})
        page.wait_for_function("() => document.activeElement?.closest('[data-pointer$=\"/type\"]')")
        page.get_by_role("button", name="Undo").last.click()
        assert eventually(lambda: block(page, 0).get("style") == {"italic": True})


def test_blocks_in_blocks_are_places_of_the_outline(browser, store):
    daemon = store({"id": "r", "type": "row", "children": [{"id": "a", "type": "text", "text": "Left"}]})
    with opened(browser, daemon, f"{EDIT}{BLOCK}/0/children/0&show=split") as page:
        field(page, "Text").fill("Right")
        assert eventually(lambda: block(page, 0)["children"][0]["text"] == "Right")


RICH = [{"id": "a", "type": "pricing_card", "plans": [{"id": "m", "title": "Monthly"}], "block_style": {"padding": 8}},
        {"id": "b", "type": "button", "text": "Go", "gradient_colors": ["#2F6F5E", "#88C0A8"]},
        {"id": "c", "type": "option_list", "options": [{"id": "x", "label": "X", "icon": "🍎"}]}]


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("at", [BLOCK + "/0", BLOCK + "/1", BLOCK + "/2", "/steps/1/config/chat_config/persona"])
def test_goal_3_no_form_of_a_block_or_chat_has_an_axe_violation(browser, store, at, theme, width):
    daemon = store(*RICH)
    with opened(browser, daemon, EDIT + at, color_scheme=theme, viewport={"width": width, "height": 900}) as page:
        page.locator(".form").wait_for()
        unfold_all(page)
        assert violations(page) == []
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)
