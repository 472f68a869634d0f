"""The appearance that authors define: blocks, fields, styles, chats, themes. The daemon's answers are scripted in tests
of the page alone."""

import pytest
from conftest import APP, at_rest, eventually, new_context, open_widget, violations
from playwright.sync_api import expect
from test_flows import DONE, Script, field, form, run_of, show, view

PICTURE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 3'%3E%3Crect width='4' height='3'/%3E%3C/svg%3E"
STYLE = "(e, name) => getComputedStyle(e).getPropertyValue(name)"


def blocks(*list, **more):
    return {"id": "s", "type": "custom", "title": "Blocks", "content_blocks": [{"visible": True, **block} for block in list], **more}


def opened(context, pages, daemon, step, flow=None, attributes="data-poll=manual", headers=None, **more):
    script = Script(context, [run_of(step, **more), DONE], flow)
    page = open_widget(context, pages, daemon, attributes, headers=headers)
    return page, show(page), script


def css(locator, name):
    return locator.evaluate(STYLE, name)


STYLED = {"type": "text", "text": "Styled", "block_style": {
    "padding": {"top": 10, "left": 20}, "margin": 6, "background": "#FFF1DC", "radius": 16, "opacity": 0.9,
    "border": {"width": 2, "color": "#F3A712", "style": "dashed"}, "shadow": {"x": 0, "y": 6, "blur": 18, "color": "#00000033"}}}
GRADIENT = {"type": "button", "text": "Go", "action": "screen", "gradient_colors": ["#FF6B6B", "#4ECDC4"], "gradient_direction": "diagonal_tl_br"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_block_styles_are_drawn_and_texts_can_be_read(browser, pages, daemon, scheme):
    pale = {"type": "text", "text": "Pale", "text_color": "#EEEEEE" if scheme == "light" else "#222222"}
    stack = {"type": "stack", "block_style": {"background_gradient": {"angle": 90, "start": "#1A2980", "end": "#103A60"}},
             "children": [{"type": "text", "text": "Within", "visible": True}, {"type": "list", "items": ["One"], "visible": True}]}
    with new_context(browser, color_scheme=scheme) as context:
        page, panel, _ = opened(context, pages, daemon, blocks(STYLED, GRADIENT, pale, stack))
        block = panel.locator(".block", has_text="Styled")
        assert css(block, "background-color") == "rgb(255, 241, 220)" and css(block, "border-radius") == "16px"
        assert css(block, "padding-top") == "10px" and css(block, "padding-left") == "20px" and css(block, "margin-left") == "6px"
        assert css(block, "border-top") == "2px dashed rgb(243, 167, 18)" and css(block, "opacity") == "0.9"
        assert css(block, "box-shadow") == "rgba(0, 0, 0, 0.2) 0px 6px 18px 0px"
        assert css(panel.get_by_text("Styled"), "color") == "rgb(16, 19, 26)"
        button = panel.get_by_role("button", name="Go", exact=True)
        assert css(button, "background-image") == "linear-gradient(135deg, rgb(255, 107, 107), rgb(78, 205, 196))"
        assert css(panel.get_by_text("Within"), "color") == "rgb(255, 255, 255)"
        assert css(panel.get_by_text("Pale"), "color") not in ("rgb(238, 238, 238)", "rgb(34, 34, 34)")
        assert violations(page) == []
        # The background changes under an open step, and the texts follow.
        page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
        assert violations(page) == []
        assert page.evaluate("document.querySelector('bellwether-view').shadowRoot.querySelectorAll('[style]').length") == 0
        assert page.problems == []


HOSTILE = ["red; background: url(https://evil.example/a)", "url(https://evil.example/b)", "#fff}*{display:none}", "var(--x)", "expression(1)",
           "javascript:alert(1)", {"start": "url(https://evil.example/c)", "end": "#fff"}, ["url(https://evil.example/d)", "#fff"], 1e300, -1e300, None, True]


def test_hostile_looks_are_no_rules_and_load_nothing(open_page, context, daemon):
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    texts = [{"type": "text", "text": f"Text {n}", "visible": True, "text_color": value, "font_size": value, "alignment": value, "block_style": {
        key: value for key in ("padding", "margin", "background", "background_color", "background_gradient", "border", "border_color", "radius", "shadow", "opacity")},
        "entrance_animation": {"type": value, "easing": value, "duration_ms": value}} for n, value in enumerate(HOSTILE)]
    others = [{"type": kind, "visible": True, "text": kind, "items": ["a"], "children": [], **{key: value for key in (
        "gradient_colors", "bg_color", "fill_color", "fill_gradient", "track_color", "height", "corner_radius", "accent_color", "line_color",
        "pulse_color", "star_size", "density", "size_range", "dot_count", "pulse_ring_count", "total_segments", "distribution", "icon", "image_url")}}
        for value in HOSTILE for kind in ("button", "progress_bar", "pulsing_avatar", "star_background", "page_indicator", "row", "timeline", "circular_gauge", "image")]
    script = Script(context, [run_of(blocks(*texts, *others)), DONE], {"theme": {
        "light": {"accent": HOSTILE[0], "ground": HOSTILE[1]}, "font": "x; } * { display: none", "radius": "9px; color: red"}})
    page = open_page()
    panel = show(page)
    panel.get_by_role("heading", name="Blocks").wait_for()
    expect(panel.get_by_text("Text 0")).to_be_visible()
    assert css(panel, "background-color") == "rgb(255, 255, 255)"
    assert not any(url.startswith("https://evil") for url in asked) and page.problems == []
    rules = page.evaluate("[...document.querySelector('bellwether-view').shadowRoot.adoptedStyleSheets].flatMap(s => [...s.cssRules]).map(r => r.cssText).join('\\n')")
    assert "evil" not in rules and "url(" not in rules
    assert script.bodies


def test_entrances_play_unless_motion_is_reduced(browser, pages, daemon):
    effects = ["fade", "slide_up", "slide_down", "slide_left", "slide_right", "scale", "flip", "bounce"]
    step = blocks(*({"type": "text", "text": effect, "entrance_animation": {
        "type": effect, "duration_ms": 2000, "delay_ms": 400, "easing": "ease_in_out"}} for effect in effects))
    with new_context(browser) as context:
        page, panel, _ = opened(context, pages, daemon, step)
        names = [css(panel.locator(".block").nth(n), "animation-name") for n in range(8)]
        assert names == [f"enter-{effect}" for effect in effects]
        first = panel.locator(".block").first
        assert [css(first, f"animation-{key}") for key in ("duration", "delay", "timing-function")] == ["2s", "0.4s", "ease-in-out"]
    with new_context(browser, reduced_motion="reduce") as context:
        page, panel, _ = opened(context, pages, daemon, {**step, "content_blocks": step["content_blocks"] + [
            {"type": "star_background", "visible": True}, {"type": "pulsing_avatar", "visible": True}, {"type": "animated_loading", "visible": True}]})
        assert page.evaluate("document.querySelector('bellwether-view').shadowRoot.getAnimations().length") == 0


def test_options_stand_as_a_list_a_grid_or_a_dropdown(context, pages, daemon):
    options = [{"id": "a", "label": "Walk", "icon": "🥾"}, {"id": "b", "label": "Climb", "icon": PICTURE}]
    question = {"id": "q", "type": "question", "title": "Which?", "selection_mode": "single", "options": options}
    script = Script(context, [run_of({**question, "display": "dropdown"}), run_of({**question, "id": "g", "display": "grid"}), DONE])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    panel.get_by_label("Which?").select_option("Climb")
    assert violations(page) == []
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("radio", name="Walk").check()
    at_rest(page)
    boxes = [panel.locator(".option").nth(n).bounding_box() for n in (0, 1)]
    assert boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] < boxes[1]["x"]
    expect(panel.locator("img.icon")).to_have_attribute("src", PICTURE)
    assert violations(page) == []
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses == [{"selected": ["b"]}, {"selected": ["a"]}]


@pytest.mark.parametrize("style,marks", [("continuous_bar", 1), ("segmented_bar", 2), ("dots", 2), ("fraction", 0), ("none", 0)])
def test_progress_stands_as_its_style_says(context, pages, daemon, style, marks):
    page, panel, _ = opened(context, pages, daemon, form([]), {"settings": {"progress_style": style}})
    bar = panel.get_by_role("progressbar")
    expect(bar).to_have_count(1 if marks else 0)
    if marks:
        expect(bar.locator("span")).to_have_count(marks)
        expect(bar).to_have_attribute("aria-valuenow", "50")
    assert panel.get_by_text("Step 1 of 2", exact=True).is_visible() is (style == "fraction")


def test_rows_are_distributed(context, pages, daemon):
    kinds = {"equal": "stretch", "fill": "stretch", "start": "start", "center": "center", "end": "end", "space_between": "space-between", "space_around": "space-around"}
    rows = [{"type": "row", "distribution": kind, "children": [{"type": "badge", "text": f"{kind} {n}", "visible": True} for n in (1, 2)]} for kind in kinds]
    page, panel, _ = opened(context, pages, daemon, blocks(*rows))
    at_rest(page)
    for n, (kind, word) in enumerate(kinds.items()):
        row = panel.locator(".line-up").nth(n)
        assert css(row, "justify-content") == word
        one, two = (row.locator("> .block").nth(m).bounding_box() for m in (0, 1))
        assert one["y"] == two["y"] and (kind != "equal" or abs(one["width"] - two["width"]) < 1)


def test_pickers_are_turned_and_stepped(context, pages, daemon):
    wheel = {"type": "wheel_picker", "id": "weight", "label": "Weight", "min": 40, "max": 60, "step": 0.5, "unit": "kg", "visible": True}
    born = {"type": "date_wheel_picker", "id": "born", "label": "Born", "default_date_value": "2001-01-31", "visible": True}
    fields = [field("password", {}), field("number", {}), field("stepper", {"min_value": 2, "max_value": 3}),
              field("color", {"preset_colors": ["#E4572E", "url(x)", "#2E8540"]}), field("rating", {"style": "emoji"})]
    script = Script(context, [run_of(form(fields, content_blocks=[wheel, born])), DONE])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    panel.get_by_label("password", exact=True).fill("hunter2")
    panel.get_by_role("button", name="Show password").click()
    expect(panel.get_by_label("password", exact=True)).to_have_attribute("type", "text")
    expect(panel.get_by_role("button", name="Hide password")).to_have_attribute("aria-pressed", "true")
    panel.get_by_role("button", name="More: number").click(click_count=2)
    for _ in range(4):
        panel.get_by_role("button", name="More: stepper").click()
    panel.get_by_role("button", name="Color 2 of 2").click()
    expect(panel.locator(".swatch")).to_have_count(2)
    panel.get_by_role("radiogroup", name="rating").get_by_label("5").check()
    panel.get_by_text("41.5 kg").first.click()
    expect(panel.get_by_text("No answer yet")).to_have_count(1)
    panel.get_by_label("Month").press("ArrowRight")
    panel.get_by_text("February 28, 2001").wait_for()
    assert violations(page) == []
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses == [{"password": "hunter2", "number": 1, "stepper": 3, "color": "#2E8540", "rating": 5, "weight": 41.5, "born": "2001-02-28"}]
    assert page.problems == []


def test_places_are_suggested_below_the_line(context, pages, daemon):
    page, panel, script = opened(context, pages, daemon, form([field("location", {})]))
    line = panel.get_by_role("combobox", name="location")
    line.press_sequentially("Be")
    panel.get_by_role("option", name="Bern").wait_for()
    expect(line).to_have_attribute("aria-expanded", "true")
    assert violations(page) == []
    line.press("ArrowDown")
    expect(line).to_have_attribute("aria-activedescendant", panel.get_by_role("option", name="Bern").get_attribute("id"))
    line.press("Enter")
    expect(line).to_have_value("Bern")
    expect(panel.get_by_role("listbox")).to_have_count(0)
    # Escape closes only the list, and the step stays open.
    line.fill("Ber")
    panel.get_by_role("option", name="Bern").wait_for()
    line.press("Escape")
    expect(panel.get_by_role("listbox")).to_have_count(0)
    expect(panel).to_be_visible()
    panel.get_by_role("option", name="Bern")
    line.fill("Bern")
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses == [{"location": {"formatted_address": "Bern", "city": "Bern"}}]


CHAT = {"persona": {"name": "Ines", "role": "Coach", "avatar_url": PICTURE}, "input_placeholder": "Write to Ines", "completion_cta_text": "See my plan",
        "style": {"user_bubble_color": "#2F6F5E", "user_text_color": "#2F6F5F", "ai_bubble_color": "url(https://evil.example)", "bubble_radius": 6}}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_chat_has_its_persona_bubbles_times_and_dots(browser, pages, daemon, scheme):
    step = {"id": "c", "type": "interactive_chat", "title": "Plan", "chat_config": CHAT}
    said = {"messages": [{"role": "ai", "content": "Hello", "timestamp": "2026-04-15T10:05:00Z"}, {"role": "user", "content": "Hi", "timestamp": "2026-04-15T10:06:00Z"}],
            "quick_replies": [], "turn": 1, "completed": None, "rating_prompt": False}
    over = {"messages": [{"content": "Wait", "delay_ms": 3_600_000}], "turn": 2, "completed": "max_turns"}
    with new_context(browser, color_scheme=scheme, timezone_id="UTC") as context:
        script = Script(context, [run_of(step, chat=said), over, DONE])
        page = open_widget(context, pages, daemon)
        panel = show(page)
        panel.get_by_text("Coach", exact=True).wait_for()
        expect(panel.locator(".persona img")).to_have_attribute("src", PICTURE)
        assert panel.locator("time").first.inner_text().replace("\u202f", " ") == "10:05 AM"
        mine = panel.locator("[data-role=user] .bubble")
        assert css(mine, "background-color") == "rgb(47, 111, 94)" and css(mine, "color") != "rgb(47, 111, 95)"
        expect(panel.get_by_role("log")).to_have_attribute("aria-live", "polite")
        expect(panel.get_by_label("Your message")).to_have_attribute("placeholder", "Write to Ines")
        assert violations(page) == []
        page.clock.install()
        panel.get_by_label("Your message").fill("Go on")
        panel.get_by_label("Your message").press("Enter")
        panel.locator(".dots").wait_for()
        # The dots come with the question, too, and the delay begins with the answer.
        plan = panel.get_by_role("button", name="See my plan")

        def has_waited():
            page.clock.fast_forward(3_600_000)
            return plan.is_visible()
        assert eventually(has_waited)
        expect(panel.locator(".dots")).to_be_hidden()
        assert violations(page) == []
        assert page.problems == [] and script.bodies[1]["text"] == "Go on"


def test_a_questionnaire_shows_how_far_it_is_stars_and_a_check_mark(open_page, daemon):
    questions = [{"id": "s", "type": "rating", "title": "Stars?", "display": "stars"}, {"id": "n", "type": "rating", "title": "Numbers?", "display": "numbers"},
                 {"id": "w", "type": "rating", "title": "Wide?", "scale": 10, "display": "stars"}]
    daemon.put("starry", {"kind": "questionnaire", "name": "Starry", "schema": {"questions": questions}})
    page = open_page()
    page.evaluate("bellwether.show('starry', {intro: false})")
    panel = view(page)
    panel.get_by_role("radio", name="4").check()
    expect(panel.locator(".stars svg")).to_have_count(5)
    at_rest(page)
    fills = panel.locator(".stars svg").evaluate_all("list => list.map(e => getComputedStyle(e).fill)")
    assert len(set(fills[:4])) == 1 and fills[3] != fills[4]
    for share in ("33", "67", "100"):
        panel.locator(f"[role=progressbar][aria-valuenow='{share}']").wait_for()
        assert violations(page) == []
        expect(panel.locator(".stars")).to_have_count(1 if share == "33" else 0)
        panel.locator("button.primary").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    expect(panel.locator("svg.done-mark")).to_be_visible()
    assert daemon.responses("starry")[0]["answers"] == {"s": 4}


def test_the_widget_speaks_the_visitors_language_and_texts_can_be_replaced(context, pages, daemon):
    page, panel, _ = opened(context, pages, daemon, form([], cta_text=None, skip_enabled=True), attributes="data-poll=manual data-locale=ja-JP")
    panel.get_by_role("button", name="スキップ").wait_for()
    page.close()
    script = Script(context, [run_of(form([], cta_text=None)), DONE])
    page = open_widget(context, pages, daemon, "data-poll=manual data-locale=he")
    page.evaluate("bellwether.options.texts = {nextButton: 'קדימה'}")
    panel = show(page)
    panel.get_by_role("button", name="קדימה").wait_for()
    panel.get_by_role("button", name="סגירה").wait_for()
    expect(page.locator("bellwether-view")).to_have_attribute("dir", "rtl")
    assert script.bodies


THEME = {"light": {"accent": "#b3541e", "ground": "#fffbf5", "text": "#33261d"}, "dark": {"accent": "#ffb68a", "ground": "#201811", "text": "#f6ebe1"},
         "radius": 20, "font": "Georgia, serif"}


@pytest.mark.parametrize("scheme,ground,accent", [("light", "rgb(255, 251, 245)", "rgb(179, 84, 30)"), ("dark", "rgb(32, 24, 17)", "rgb(255, 182, 138)")])
def test_a_theme_is_shared_by_widget_hosted_page_and_preview(browser, pages, daemon, scheme, ground, accent):
    daemon.put("themed", {"kind": "questionnaire", "name": "Themed", "hosted": True, "theme": THEME,
                          "schema": {"questions": [{"id": "q", "type": "text", "title": "Why?"}]}})
    preview = daemon.call("POST", f"/v1/apps/{APP}/recipes/themed/preview")[1]["url"]
    with new_context(browser, color_scheme=scheme) as context:
        page = open_widget(context, pages, daemon)
        page.evaluate("bellwether.show('themed', {intro: false})")
        for open_next in (lambda: page.goto(f"{daemon.url}/s/{APP}/themed"), lambda: page.goto(daemon.url + preview), lambda: None):
            panel = view(page)
            panel.get_by_role("textbox").wait_for()
            assert css(panel, "background-color") == ground and css(panel, "border-radius") == "20px"
            assert css(panel.locator("button.primary"), "background-color") == accent and "Georgia" in css(panel, "font-family")
            if page.url.startswith(daemon.url):
                assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == ground
            assert violations(page) == []
            open_next()


def test_a_page_counts_before_the_theme_and_a_pale_theme_can_be_read(context, pages, daemon):
    theme = {"light": {"accent": "#ffe9a0", "text": "#cccccc", "ground": "#ffffff"}}
    page, panel, _ = opened(context, pages, daemon, form([field("text", {})], subtitle="Below"), {"theme": theme})
    assert violations(page) == []
    page.evaluate("document.querySelector('bellwether-view').style.setProperty('--bw-background', 'rgb(240, 250, 255)')")
    assert css(panel, "background-color") == "rgb(240, 250, 255)"


def test_every_part_draws_at_320_px_with_forced_colours_and_a_strict_policy(browser, pages, daemon):
    from test_flows import BLOCKS, FIELDS
    more = [{"type": "calendar_month"}, {"type": "pricing_card", "pricing_layout": "side_by_side", "plans": [{"id": "a", "title": "A", "price": "$100"}, {"id": "b", "title": "B", "price": "$200"}]},
            {"type": "countdown_timer", "duration_seconds": 900_000, "labels": {"days": "days", "hours": "hours", "minutes": "minutes", "seconds": "seconds"}}, STYLED, GRADIENT]
    steps = [form([field(kind, config) for kind, _, config, _ in FIELDS]), blocks(*BLOCKS, *more)]
    policy = f"default-src 'none'; script-src {daemon.url}; connect-src {daemon.url}; require-trusted-types-for 'script'; trusted-types 'none'"
    for step in steps:
        for options in ({}, {"forced_colors": "active", "reduced_motion": "reduce"}):
            with new_context(browser, viewport={"width": 320, "height": 640}, **options) as context:
                page, panel, _ = opened(context, pages, daemon, step, headers={"Content-Security-Policy": policy})
                panel.get_by_role("button", name="Go on" if step["type"] == "form" else "Next").wait_for()
                at_rest(page)
                assert panel.evaluate("e => e.scrollWidth <= e.clientWidth"), step["id"]
                if not options:
                    small = panel.evaluate("""panel => [...panel.querySelectorAll("button, input, select, textarea, a")]
                        .filter(e => e.offsetParent !== null).map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
                        .filter(([, box]) => Math.min(box.width, box.height) < 24).map(([html]) => html)""")
                    assert small == []
                assert page.problems == []
                page.evaluate("document.querySelector('bellwether-view').setAttribute('dir', 'rtl')")
                assert panel.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_parts_are_loaded_only_when_they_are_needed(context, pages, daemon):
    asked = []
    context.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1].split("-")[0]))
    opened(context, pages, daemon, {"id": "w", "type": "welcome", "title": "Hi"})[0].close()
    assert not {"chat", "blocks", "figures", "fields", "pickers", "look"} & set(asked)
    opened(context, pages, daemon, blocks({"type": "timeline", "items": ["One"]}))
    assert {"blocks", "figures"} <= set(asked) and not {"chat", "fields", "pickers", "look"} & set(asked)


def test_a_part_that_cannot_be_loaded_can_be_tried_again(context, pages, daemon):
    Script(context, [run_of(blocks({"type": "text", "text": "Here"})), DONE])
    page = open_widget(context, pages, daemon)
    context.route("**/assets/blocks-*", lambda route: route.abort())
    panel = show(page)
    panel.get_by_text("This could not be loaded.", exact=True).wait_for()
    context.unroute("**/assets/blocks-*")
    panel.get_by_role("button", name="Try again").click()
    panel.get_by_text("Here").wait_for()


def test_a_code_has_its_places_and_a_password_is_told_its_strength(context, pages, daemon):
    step = blocks({"type": "otp_input", "id": "code", "label": "The code", "max_length": 4}, {"type": "input_password", "id": "word", "label": "New password"},
                  {"type": "password_strength"})
    page, panel, script = opened(context, pages, daemon, step)
    code = panel.get_by_label("The code")
    expect(code).to_have_attribute("autocomplete", "one-time-code")
    expect(code).to_have_attribute("maxlength", "4")
    code.fill("0815")
    meter = panel.get_by_role("meter", name="Password strength")
    for text, word, filled in [("a", "Weak", 1), ("abcdefgh", "Fair", 2), ("Abcdefg1", "Good", 3), ("Abcdefgh-123", "Strong", 4)]:
        panel.get_by_label("New password").fill(text)
        expect(meter).to_have_attribute("aria-valuetext", word)
        expect(meter.locator(".done")).to_have_count(filled)
        expect(panel.get_by_role("status").filter(has_text=word)).to_have_count(1)
    assert violations(page) == []
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses == [{"code": "0815", "word": "Abcdefgh-123"}] and page.problems == []


QUESTIONS = [
    {"id": "age", "header": "Question 4", "question": "How old are you?", "question_type": "single_text_field", "label": "Years", "input_type": "number", "max_chars": "2"},
    {"id": "pets", "question": "How many pets?", "question_type": "multi_text_field", "fields": [{"label": "Dogs", "input_type": "number"}, {"label": "Cats", "input_type": "number"}]},
    {"id": "height", "question": "How tall are you?", "question_type": "dynamic_label_text_field", "label_options": [["Feet", "Inches"], "Centimeters"], "input_type": "number"},
    {"id": "sports", "question": "Which sports?", "question_type": "add_text_field"},
    {"id": "weekend", "question": "On the weekends:", "question_type": "table_select", "options": ["Yes", "Sometimes", "No"], "table_questions": [{"id": "a", "title": "Sports?"}, {"id": "b", "title": "Books?"}]}]


def boxes(locator):
    return [locator.nth(n).bounding_box() for n in range(locator.count())]


@pytest.mark.parametrize("width,direction", [(680, "en"), (320, "en"), (680, "ar")])
def test_questions_of_a_survey_stand_as_their_author_drew_them(browser, pages, daemon, width, direction):
    """The header is above, a unit is behind its line, fields are side by side, columns are below their heads, with
    gaps."""
    # A survey that has a text in the reader's language is in that language.
    if direction == "ar":
        daemon.call("PUT", f"/v1/apps/{APP}/strings/ar", {"Drawn": {"name": "رسم"}})
    name = "Drawn/name" if direction == "ar" else "Drawn"
    daemon.put("drawn", {"kind": "survey", "name": name, "questions": QUESTIONS, "submit": {"button_title": "Send"}})
    with new_context(browser, viewport={"width": width, "height": 900}) as context:
        page = open_widget(context, pages, daemon, f"data-poll=manual data-locale={direction}", body="<main id=place></main>")
        page.evaluate("bellwether.show('drawn', {kind: 'survey', mode: 'page', target: document.getElementById('place')})")
        panel = view(page)
        values = {"age": lambda: panel.get_by_label("How old").fill("30"), "pets": lambda: panel.get_by_label("Dogs").fill("1"),
                  "height": lambda: (panel.get_by_label("Feet", exact=True).fill("5"), panel.get_by_label("Inches", exact=True).fill("9")),
                  "sports": lambda: panel.get_by_role("textbox", name="Which sports?").fill("Chess")}
        for answer in values.values():
            answer()
            panel.locator("button.primary").click()
        panel.get_by_role("radio", name="Sports?: Yes").check()
        at_rest(page)
        age = panel.get_by_label("How old")
        unit = panel.get_by_text("Years", exact=True)
        assert unit.get_attribute("id") in age.get_attribute("aria-describedby").split()
        line, behind = age.bounding_box(), unit.bounding_box()
        assert behind["y"] < line["y"] + line["height"] and behind["y"] + behind["height"] > line["y"]
        assert (behind["x"] < line["x"]) == (direction == "ar")
        head = panel.get_by_text("Question 4").bounding_box()
        assert head["y"] + head["height"] <= panel.get_by_text("How old are you?").bounding_box()["y"]
        for first, second in (("Dogs", "Cats"), ("Feet", "Inches")):
            one, other = panel.get_by_label(first, exact=True).bounding_box(), panel.get_by_label(second, exact=True).bounding_box()
            isBeside = one["y"] == other["y"]
            assert isBeside == (width > 320) and (not isBeside or (other["x"] < one["x"]) == (direction == "ar"))
        # The choice of units needs no visible title, because it has a name for screen readers.
        expect(panel.get_by_role("radiogroup", name="Units" if direction == "en" else "الوحدات")).to_have_count(1)
        rows = boxes(panel.locator("tbody td"))
        heads = boxes(panel.locator("thead th"))
        for column, title in enumerate(heads):
            cell = rows[column]
            assert abs((cell["x"] + cell["width"] / 2) - (title["x"] + title["width"] / 2)) < 2
        text = panel.locator("thead th").first
        assert css(text, "text-align") == "center"
        add, above = panel.locator(".more button").bounding_box(), panel.get_by_role("textbox", name="Which sports?").bounding_box()
        assert add["y"] >= above["y"] + above["height"] + 4
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(page) == [] and page.problems == []


def test_grids_have_two_or_three_columns(context, pages, daemon):
    options = [{"id": str(n), "label": f"Option {n}"} for n in range(6)]
    lists = [(3, {}, 3), (4, {}, 2), (6, {}, 3), (6, {"columns": 2}, 2), (2, {}, 2)]
    step = blocks(*({"type": "option_list", "id": f"l{n}", "label": f"List {n}", "display": "grid", "options": options[:count], **more}
                    for n, (count, more, _) in enumerate(lists)))
    page, panel, _ = opened(context, pages, daemon, step)
    at_rest(page)
    for n, (_, _, columns) in enumerate(lists):
        found = boxes(panel.locator(".grid").nth(n).locator(".option"))
        assert len({round(box["x"]) for box in found}) == columns, n
        assert len({round(box["width"]) for box in found}) == 1
    assert page.problems == []


def test_small_things_of_fields_and_blocks(context, pages, daemon):
    """Only existing items can be removed; no text is repeated; an item may have only a title; halves of a star join."""
    fields = [{"id": "s", "type": "signature", "label": "Signature"}, {"id": "r", "type": "range_slider", "label": "Range"},
              {"id": "n", "type": "number", "label": "Weight", "config": {"unit": "kg"}}, {"id": "g", "type": "segmented", "label": "Often", "options": ["Daily", "Weekly"]},
              {"id": "h", "type": "rating", "label": "Halves", "config": {"allow_half": True}}]
    value = {"id": "v", "type": "value_prop", "title": "Why", "items": ["No account", {"title": "Maps"}]}
    script = Script(context, [run_of(form(fields)), run_of(value), DONE])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    signature = panel.get_by_role("group", name="Signature")
    expect(signature.get_by_role("button", name="Remove")).to_be_hidden()
    signature.get_by_role("button", name="Sign").click()
    signature.get_by_role("button", name="Remove").click()
    expect(signature.get_by_role("button", name="Remove")).to_be_hidden()
    expect(panel.get_by_role("group", name="Range").get_by_text("No answer yet").locator("visible=true")).to_have_count(1)
    unit = panel.get_by_text("kg", exact=True)
    assert unit.get_attribute("id") in panel.get_by_label("Weight", exact=True).get_attribute("aria-describedby")
    at_rest(page)
    left, right = boxes(panel.locator(".halves svg"))[:2]
    assert abs(left["x"] + left["width"] - right["x"]) < 0.6
    parts = boxes(panel.locator(".joined .option"))
    assert parts[0]["y"] == parts[1]["y"] and parts[1]["x"] - parts[0]["x"] - parts[0]["width"] < 4
    panel.get_by_role("radio", name="Weekly").check()
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_text("No account").wait_for()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses[0] == {"g": "Weekly"} and page.problems == []
