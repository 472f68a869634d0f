"""What respondents of a flow meet: its buttons, headings, options and frame. The daemon's answers are scripted."""

import base64
import io
import struct
import zlib

import pytest
from conftest import at_rest, eventually, new_context, open_widget, violations
from playwright.sync_api import expect
from test_flows import DONE, DRAWN, Script, form, run_of, show, view

SKIP = {"type": "button", "text": "Skip it", "action": "skip"}
CONTINUE = {"type": "button", "text": "Continue", "action": "next"}


def custom(*blocks, **more):
    return {"id": "s", "type": "custom", "content_blocks": [{"visible": True, **block} for block in blocks], **more}


def opened(context, pages, daemon, *runs, flow=None):
    script = Script(context, list(runs), flow)
    page = open_widget(context, pages, daemon)
    page.evaluate("""() => { window.told = []; for (const name of ['started', 'step', 'submitted'])
        document.addEventListener(`bellwether:${name}`, ({detail}) => told.push([name, {...detail, bellwether: undefined}])); }""")
    return page, show(page), script


def test_a_step_with_its_own_button_gets_no_second_one_and_a_refused_action_is_said_below_its_button(context, pages, daemon):
    row = {"type": "row", "distribution": "equal", "children": [{**SKIP, "visible": True}, {**CONTINUE, "visible": True}]}
    run = run_of(custom({"type": "title", "text": "Your plan"}, row, {"type": "text", "text": "Last"}))
    refusal = {"errors": [{"pointer": "/action", "code": "not_allowed", "message": "the step does not allow skip"}], "run": run}
    page, panel, script = opened(context, pages, daemon, run, (409, refusal), DONE)
    expect(panel.get_by_role("button")).to_have_text(["×", "Skip it", "Continue"], use_inner_text=True)
    panel.get_by_role("button", name="Skip it").click()
    alert = panel.get_by_role("alert").filter(has_text="This is not possible here.")
    alert.wait_for()
    at_rest(page)
    assert alert.bounding_box()["y"] > panel.get_by_role("button", name="Skip it").bounding_box()["y"]
    assert alert.bounding_box()["y"] < panel.get_by_text("Last").bounding_box()["y"]
    assert violations(page) == []
    panel.get_by_role("button", name="Continue").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert [body["action"] for body in script.bodies[1:]] == ["skip", "next"]


def test_the_own_button_is_back_while_the_steps_button_is_hidden(context, pages, daemon):
    options = [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]
    condition = {"type": "when_equals", "variable": "responses.s.pick", "value": "a"}
    step = custom({"type": "option_list", "id": "pick", "label": "Pick", "options": options},
                  {**CONTINUE, "visible": False, "visibility_condition": condition}, title="Pick one")
    _, panel, _ = opened(context, pages, daemon, run_of(step))
    expect(panel.get_by_role("button", name="Next")).to_be_visible()
    panel.get_by_role("radio", name="A").check()
    expect(panel.get_by_role("button", name="Continue")).to_be_visible()
    expect(panel.get_by_role("button", name="Next")).to_be_hidden()
    panel.get_by_role("radio", name="B").check()
    expect(panel.get_by_role("button", name="Next")).to_be_visible()


def test_no_headline_and_no_label_is_a_name_or_an_id(context, pages, daemon):
    """A step without a title has the heading of its title block, or for screen readers its place."""
    named = custom({"type": "title", "text": "Your plan"},
                   {"type": "option_list", "id": "b8", "options": [{"id": "x", "label": "X"}]},
                   {"type": "custom_view", "id": "terms", "view_key": "terms"})
    bare = custom({"type": "text", "text": "Words"}, id="t")
    flow = {"name": "Internal name v3"}
    script = Script(context, [run_of(named), run_of(bare, step_index=1), DONE], flow)
    page = open_widget(context, pages, daemon)
    page.evaluate("bellwether.registerView('terms', ({element}) => element.textContent = 'The terms')")
    panel = show(page)
    expect(panel.get_by_role("heading")).to_have_text(["Your plan"], use_inner_text=True)
    expect(panel.get_by_role("radiogroup", name="Your plan")).to_be_visible()
    expect(panel.get_by_role("group", name="Your plan").first).to_be_visible()
    assert panel.evaluate("e => e.getAttribute('aria-labelledby') === e.querySelector('h2').id")
    panel.get_by_role("button", name="Next").click()
    panel.get_by_text("Words").wait_for()
    expect(panel.get_by_role("heading", name="Step 2 of 2")).to_be_focused()
    assert panel.get_by_role("heading", name="Step 2 of 2").evaluate("e => e.offsetWidth < 2")
    text = panel.inner_text()
    assert "Internal" not in text and "b8" not in text and "terms" not in text.replace("The terms", "")
    assert violations(page) == []
    panel.get_by_role("button", name="Done").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert len(script.bodies) == 3


def test_options_that_are_texts_are_drawn_and_answered(context, pages, daemon):
    texts = ["Lose weight", "Build muscle"]
    question = {"id": "q", "type": "question", "title": "Goal?", "options": texts}
    fields = [{"id": "f", "type": "select", "label": "Field", "config": {"options": texts}, "visible": True}]
    lists = [{"type": "option_list", "id": "l", "label": "List", "options": texts, "visible": True}]
    chat = {"id": "c", "type": "interactive_chat", "title": "Chat", "chat_config": {"quick_replies": texts}}
    script = Script(context, [run_of(question), run_of(form(fields, content_blocks=lists)), run_of(chat),
                              {"messages": [], "turn": 1, "completed": None, "rating_prompt": False}])
    panel = show(open_widget(context, pages, daemon))
    panel.get_by_role("radio", name="Lose weight").check()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_label("Field").select_option(label="Build muscle")
    panel.get_by_role("radio", name="Lose weight").check()
    panel.get_by_role("button", name="Go on").click()
    # The message is drawn before it is sent.
    with panel.page.expect_response("**/chat"):
        panel.get_by_role("button", name="Build muscle").click()
    panel.get_by_role("log").get_by_text("Build muscle").wait_for()
    assert script.responses == [{"selected": ["Lose weight"]}, {"f": "Build muscle", "l": "Lose weight"}]
    assert script.bodies[-1]["quick_reply_id"] == "Build muscle"


def test_the_page_is_told_of_runs_steps_answers_and_places_and_tells_about_the_user(context, pages, daemon):
    place = {"formatted_address": "Bern", "city": "Bern"}
    script = Script(context, [run_of(custom({"type": "text", "text": "Hello"})), {**DONE, "responses": {"s": {"home": place}}}])
    page = open_widget(context, pages, daemon)
    page.evaluate("""() => { window.told = []; for (const name of ['started', 'step', 'submitted'])
        document.addEventListener(`bellwether:${name}`, ({detail}) => told.push([name, {...detail, bellwether: undefined}])); }""")
    assert page.evaluate("bellwether.getLocationData('home')") is None
    panel = show(page, "{kind: 'flow', userProperties: {plan: 'pro'}, context: {source: 'app_launch'}}")
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.bodies[0]["context"] == {"source": "app_launch", "userProperties": {"plan": "pro"}, "platform": "web"}
    (_, started), (_, step), (_, submitted) = page.evaluate("told")
    assert started["runId"] == "r1" and (step["step"], step["index"], step["total"]) == ("s", 0, 2)
    assert submitted["responses"] == {"s": {"home": place}} and submitted["outcome"] == {"reason": "finished"}
    assert page.evaluate("bellwether.getLocationData('home')") == place


def pixels(url):
    """The rows of a PNG data URL as bytes of RGBA; filters of rows are undone."""
    data = io.BytesIO(base64.b64decode(url.split(",", 1)[1]))
    data.read(8)
    packed, size = b"", (0, 0)
    while head := data.read(8):
        length, kind = struct.unpack(">I4s", head)
        chunk = data.read(length)
        data.read(4)
        if kind == b"IHDR":
            size = struct.unpack(">II", chunk[:8])
            assert chunk[8:10] == b"\x08\x06"
        packed += chunk if kind == b"IDAT" else b""
    raw, stride, rows = zlib.decompress(packed), size[0] * 4, []
    before = bytearray(stride)
    for y in range(size[1]):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left, up, corner = line[x - 4] if x > 3 else 0, before[x], before[x - 4] if x > 3 else 0
            paeth = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            line[x] = (line[x] + [0, left, up, (left + up) // 2, paeth][kind]) & 255
        rows.append(bytes(line))
        before = line
    return rows


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_signature_is_an_image_in_black_on_white(browser, pages, daemon, scheme):
    with new_context(browser, color_scheme=scheme) as context:
        script = Script(context, [run_of(form([{"id": "sig", "type": "signature", "label": "Signature", "visible": True}])), DONE])
        page = open_widget(context, pages, daemon)
        panel = show(page)
        pad = panel.locator("canvas.signature").bounding_box()
        page.mouse.move(pad["x"] + 20, pad["y"] + pad["height"] / 2)
        page.mouse.down()
        page.mouse.move(pad["x"] + pad["width"] - 20, pad["y"] + pad["height"] / 2, steps=5)
        page.mouse.up()
        panel.get_by_role("button", name="Go on").click()
        panel.get_by_role("heading", name="Thanks!").wait_for()
        drawn = script.responses[0]["sig"]
        assert drawn.startswith(DRAWN)
        rows = pixels(drawn)
        assert rows[0][:4] == b"\xff\xff\xff\xff" and min(max(row[320 * 4:320 * 4 + 3]) for row in rows) < 64


PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("mode", ["modal", "popover"])
def test_a_flow_fills_a_phone_and_its_button_is_at_the_bottom(browser, pages, daemon, mode):
    with new_context(browser, viewport=PHONE, has_touch=True) as context:
        Script(context, [run_of(custom({"type": "text", "text": "Hello"}, title="Welcome"))])
        page = open_widget(context, pages, daemon)
        panel = show(page, f"{{kind: 'flow', mode: '{mode}'}}")
        at_rest(page)
        box = panel.bounding_box()
        assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 390, 844)
        button = panel.get_by_role("button", name="Next").bounding_box()
        assert button["y"] + button["height"] > 844 - 60
        assert violations(page) == []
    with new_context(browser, viewport={"width": 1280, "height": 900}) as context:
        Script(context, [run_of(custom({"type": "text", "text": "Hello"}, title="Welcome"))])
        panel = show(open_widget(context, pages, daemon), f"{{kind: 'flow', mode: '{mode}'}}")
        assert panel.bounding_box()["width"] < 600


@pytest.mark.parametrize("width", [390, 1280])
def test_three_columns_are_three_on_a_phone(browser, pages, daemon, width):
    options = [{"id": str(n), "label": f"Option {n}"} for n in range(6)]
    step = {"id": "q", "type": "question", "title": "Which?", "options": options, "display": "grid", "columns": 3}
    with new_context(browser, viewport={"width": width, "height": 844}) as context:
        Script(context, [run_of(step)])
        page = open_widget(context, pages, daemon)
        panel = show(page)
        at_rest(page)
        found = [panel.locator(".option").nth(n).bounding_box() for n in range(6)]
        assert len({round(box["x"]) for box in found}) == 3 and len({round(box["y"]) for box in found}) == 2
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


MARKDOWN = """# Head
Text ~~gone~~ and snake_case_word

> Said
> - one

---

| Plan | Price |
|---|---|
| **Pro** | $5 |

1. first
2. second
   goes on

<script>alert(1)</script> [bad](javascript:alert(1)) [good](https://a.example)"""


def test_rich_text_has_headings_quotes_strikes_rules_and_tables_and_no_markup(context, pages, daemon):
    page, panel, _ = opened(context, pages, daemon, run_of(custom({"type": "rich_text", "markdown": MARKDOWN}, title="Read")))
    rich = panel.locator("[part=rich-text]")
    expect(rich.get_by_role("heading")).to_have_text(["Head"], use_inner_text=True)
    expect(rich.locator("p").first).to_have_text("Text gone and snake_case_word", use_inner_text=True)
    expect(rich.locator("s")).to_have_text("gone", use_inner_text=True)
    expect(rich.locator("blockquote li")).to_have_text("one", use_inner_text=True)
    expect(rich.locator("hr")).to_have_count(1)
    expect(rich.get_by_role("columnheader")).to_have_text(["Plan", "Price"], use_inner_text=True)
    expect(rich.get_by_role("cell")).to_have_text(["Pro", "$5"], use_inner_text=True)
    expect(rich.locator("td strong")).to_have_count(1)
    expect(rich.locator("ol li")).to_have_text(["first", "second goes on"], use_inner_text=True)
    expect(rich.get_by_text("<script>")).to_be_visible()
    expect(rich.locator("script")).to_have_count(0)
    assert rich.locator("a").evaluate_all("links => links.map(link => link.href)") == ["https://a.example/"]
    assert violations(page) == [] and page.problems == []


def test_controls_start_and_read_as_people_expect(context, pages, daemon):
    fields = [{"id": "price", "type": "slider", "label": "Price", "config": {"unit": "$", "max_value": 900}, "visible": True},
              {"id": "span", "type": "range_slider", "label": "Span", "visible": True},
              {"id": "ink", "type": "color", "label": "Ink", "config": {"presets": ["#2F6F5E"]}, "visible": True}]
    born = {"type": "date_wheel_picker", "id": "born", "label": "Born", "allow_future": False, "visible": True}
    page, panel, script = opened(context, pages, daemon, run_of(form(fields, content_blocks=[born])), DONE)
    expect(panel.get_by_text("$900")).to_be_visible()
    expect(panel.get_by_text("900 $")).to_be_hidden()
    panel.get_by_role("button", name="Color 1 of 1").click()
    names = panel.get_by_role("slider").evaluate_all("all => all.map(one => one.ariaLabel ?? one.labels?.[0]?.innerText)")
    assert "Span: lowest value" in names and "Span: highest value" in names
    panel.get_by_label("Year").press("ArrowRight")
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    year = page.evaluate("new Date().getFullYear()")
    assert script.responses[0]["born"] == f"{year - 29}-01-01" and script.responses[0]["ink"] == "#2F6F5E"


def test_providers_are_named_with_their_marks(context, pages, daemon):
    block = {"type": "social_login", "providers": ["apple", {"type": "google"}, {"type": "acme"}, {"type": "email", "text": "With e-mail"}]}
    _, panel, _ = opened(context, pages, daemon, run_of(custom(block, title="Sign in")))
    buttons = panel.locator(".providers button")
    assert [text.strip() for text in buttons.locator(".bidi").all_inner_texts()] == [
        "Continue with Apple", "Continue with Google", "Continue with Acme", "With e-mail"]
    expect(buttons.locator("svg.brand")).to_have_count(3)


def test_a_chat_has_the_authors_font_and_its_persona_stays_on_a_low_screen(browser, pages, daemon):
    config = {"persona": {"name": "Ines", "role": "Coach"}, "style": {"font_family": "Georgia, serif", "font_size": 20},
              "quick_replies": [{"id": "a", "text": "Yes"}, {"id": "b", "text": "No"}]}
    messages = [{"role": "ai", "content": f"Message {n}", "timestamp": "2026-04-15T10:05:00Z"} for n in range(20)]
    chat = {"messages": messages, "quick_replies": config["quick_replies"], "turn": 3, "completed": None, "rating_prompt": True}
    with new_context(browser, viewport={"width": 390, "height": 480}) as context:
        Script(context, [run_of({"id": "c", "type": "interactive_chat", "title": "Plan", "chat_config": config}, chat=chat)])
        panel = show(open_widget(context, pages, daemon))
        bubble = panel.get_by_text("Message 19").first
        bubble.wait_for()
        assert panel.get_by_text("Message 19").evaluate("e => [getComputedStyle(e).fontFamily, getComputedStyle(e).fontSize]") == ["Georgia, serif", "20px"]
        panel.get_by_label("Your message").scroll_into_view_if_needed()
        box = panel.locator(".persona").bounding_box()
        assert 0 <= box["y"] and box["y"] + box["height"] < 200


def test_a_wait_is_seen_on_the_pressed_button(context, pages, daemon):
    """The mark turns in the button from its press to the daemon's answer."""
    script = Script(context, [run_of(custom({"type": "text", "text": "Hello"}, title="Welcome")), DONE])
    page = open_widget(context, pages, daemon)
    held = []
    context.route("**/advance", lambda route: held.append(route))
    panel = show(page)
    next = panel.get_by_role("button", name="Next")
    next.click(no_wait_after=True)
    page.wait_for_function("() => document.querySelector('bellwether-view').shadowRoot.querySelector('.primary[aria-disabled=true]')")
    assert next.evaluate("e => getComputedStyle(e, '::after').animationName") == "wait, appear"
    panel.get_by_text("One moment, please …").wait_for()
    assert eventually(lambda: held)
    script.handle(held[0])
    panel.get_by_role("heading", name="Thanks!").wait_for()
