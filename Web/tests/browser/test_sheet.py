"""The sheet: microsurveys, questionnaires and surveys on a phone and on a tablet, with touches."""

import contextlib
import time

import pytest
from conftest import APP, FEEDBACK, eventually, new_context, open_widget, sent, violations
from playwright.sync_api import expect

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
LONG = "<meta name=viewport content=width=device-width><style>body { margin: 0 }</style><p>A page of its own.</p><div style='height: 3000px'></div>"
MICRO = {"surface": "microsurvey", "style": "MICROSURVEY", "trigger-if-all": ["ALWAYS"], "title": "Help us",
         "text": "How do you like the maps?", "microsurveyConfig": {"icon": "homeLarge", "utm-content": "m", "options": ["Very much", "A bit", "Not at all"]}}
STYLES = {"MICROSURVEY": {"priority": 50, "max-display-count": 1000}, "DEFAULT": {"priority": 50, "max-display-count": 1000}}
OFFER = {"surface": "corner", "style": "DEFAULT", "trigger-if-all": ["ALWAYS"], "title": "A minute?", "text": "Tell us."}


@pytest.fixture(scope="module", autouse=True)
def recipes(daemon):
    daemon.put("micro", {"messages": {"micro": MICRO}, "styles": STYLES})
    daemon.put("asked", {**FEEDBACK, "offer": OFFER})


@contextlib.contextmanager
def opened(browser, pages, daemon, surface, device=PHONE, attributes="", **options):
    """A page with the prompt of a surface."""
    with new_context(browser, **{**device, "reduced_motion": "reduce", **options}) as context:
        posts = []
        # A stream posts at its own time.
        context.add_init_script("delete globalThis.EventSource")
        context.on("request", lambda request: posts.append(request.url.split("/")[-1]) if request.method == "POST" else None)
        page = open_widget(context, pages, daemon, f"data-surfaces={surface} {attributes}", body=LONG)
        page.posts = posts
        page.touch = context.new_cdp_session(page)
        page.locator("bellwether-view button.primary").wait_for()
        yield page


def sheet_of(page):
    return page.locator("bellwether-view .sheet")


def top(page):
    return round(sheet_of(page).bounding_box()["y"])


def height(page):
    return round(sheet_of(page).bounding_box()["height"])


def drag(page, start, end, x=195, milliseconds=1000):
    """A touch that moves evenly, and ends where it stopped moving. A short one is a flick."""
    began, steps = time.time(), 5

    def touch(kind, step, points):
        page.touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, "timestamp": began + milliseconds * step / steps / 1000})

    touch("touchStart", 0, [{"x": x, "y": start}])
    for step in range(1, steps + 1):
        touch("touchMove", step, [{"x": x, "y": start + (end - start) * step / steps}])
    touch("touchEnd", steps, [])


def answered_prompt(page):
    page.locator("bellwether-view button.primary").first.tap()
    sheet_of(page).wait_for()
    page.locator(".sheet .actions").wait_for()


def put_away(page):
    sheet_of(page).wait_for(state="detached")
    expect(page.locator("bellwether-view")).to_have_count(1)
    expect(page.locator("bellwether-view button.primary")).to_be_visible()


@pytest.mark.parametrize("surface", ["microsurvey", "corner"])
def test_a_phone_has_a_sheet_of_half_the_screen_that_a_drag_enlarges_and_puts_away(browser, pages, daemon, surface):
    with opened(browser, pages, daemon, surface) as page:
        answered_prompt(page)
        assert eventually(lambda: height(page) == 422), height(page)
        assert sheet_of(page).bounding_box()["width"] == 390
        # The posts of the press itself have been sent.
        sent(page)
        before = list(page.posts)
        drag(page, 436, 40)
        assert eventually(lambda: height(page) == 820), height(page)
        drag(page, 38, 440)
        assert eventually(lambda: height(page) == 422), height(page)
        drag(page, 436, 830)
        put_away(page)
        assert page.posts == before
        # The prompt opens it again.
        answered_prompt(page)


def test_the_sheet_follows_the_finger(browser, pages, daemon):
    with opened(browser, pages, daemon, "microsurvey") as page:
        answered_prompt(page)
        for start, points in [(436, [(300, 544), (120, 724), (530, 422)]), (438, [(40, 820)])]:
            page.touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": 195, "y": start}]})
            for y, wanted in points:
                page.touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": 195, "y": y}]})
                assert eventually(lambda: abs(height(page) - wanted) <= 16), (y, height(page))
            page.touch.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
            assert eventually(lambda: height(page) == 422 and top(page) == 422)


def test_a_flick_goes_to_the_next_height(browser, pages, daemon):
    with opened(browser, pages, daemon, "microsurvey") as page:
        answered_prompt(page)
        drag(page, 436, 370, milliseconds=60)
        assert eventually(lambda: height(page) == 820), height(page)
        drag(page, 38, 170, milliseconds=60)
        assert eventually(lambda: height(page) == 422), height(page)
        drag(page, 436, 510, milliseconds=60)
        put_away(page)


@pytest.mark.parametrize("way", ["outside", "escape", "back", "arrow"])
@pytest.mark.parametrize("surface", ["microsurvey", "corner"])
def test_a_press_outside_and_keys_put_the_sheet_away_and_send_nothing(browser, pages, daemon, surface, way):
    with opened(browser, pages, daemon, surface) as page:
        answered_prompt(page)
        page.get_by_role("radio").first.check()
        sent(page)
        before = list(page.posts)
        if way == "outside":
            page.touchscreen.tap(195, 100)
        elif way == "escape":
            page.keyboard.press("Escape")
        elif way == "back":
            # What a browser does to a dialog when Android's Back is pressed.
            sheet_of(page).evaluate("dialog => dialog.requestClose()")
        else:
            grabber = page.get_by_role("button", name="Height of this sheet")
            grabber.press("ArrowUp")
            assert eventually(lambda: height(page) == 820)
            expect(grabber).to_have_attribute("aria-expanded", "true")
            grabber.press("ArrowDown")
            assert eventually(lambda: height(page) == 422)
            expect(grabber).to_have_attribute("aria-expanded", "false")
            grabber.press("Enter")
            assert eventually(lambda: height(page) == 820)
            grabber.press("ArrowDown")
            grabber.press("ArrowDown")
        put_away(page)
        assert page.posts == before
        assert eventually(lambda: page.evaluate("document.querySelector('bellwether-view').shadowRoot.activeElement?.matches('button.primary')"))
        if surface == "corner":
            # The answer is there again.
            answered_prompt(page)
            page.get_by_role("button", name="Back").tap()
            expect(page.get_by_role("radio").first).to_be_checked()


@pytest.mark.parametrize("attributes, body", [("data-modal=microsurvey", ""), ("", "<div data-bellwether-surface=microsurvey></div>")], ids=["modal", "slot"])
def test_a_modal_prompt_and_one_in_a_slot_open_a_sheet_and_are_there_again(browser, pages, daemon, attributes, body):
    with new_context(browser, **PHONE, reduced_motion="reduce") as context:
        page = open_widget(context, pages, daemon, f"data-surfaces=microsurvey {attributes}", body=LONG + body)
        page.get_by_role("button", name="Continue").tap()
        sheet_of(page).wait_for()
        assert eventually(lambda: height(page) == 422)
        page.keyboard.press("Escape")
        put_away(page)
        expect(page.locator("bellwether-view dialog, [data-bellwether-surface] bellwether-view")).to_have_count(1)


def test_the_close_button_of_a_microsurvey_dismisses_the_prompt_too(browser, pages, daemon):
    with opened(browser, pages, daemon, "microsurvey") as page:
        answered_prompt(page)
        page.locator(".sheet button.close").tap()
        assert eventually(lambda: page.locator("bellwether-view").count() == 0)
        assert page.evaluate("getComputedStyle(document.documentElement).overflowY") != "hidden"


@pytest.mark.parametrize("surface", ["microsurvey", "corner"])
def test_a_tablet_has_a_large_sheet_at_once(browser, pages, daemon, surface):
    with opened(browser, pages, daemon, surface, TABLET) as page:
        answered_prompt(page)
        assert eventually(lambda: height(page) >= 1150), height(page)


def test_a_desktop_has_no_sheet(browser, pages, daemon):
    with opened(browser, pages, daemon, "microsurvey", DESKTOP) as page:
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("radio").first.wait_for()
        expect(sheet_of(page)).to_have_count(0)
        expect(page.locator("dialog")).to_have_count(0)
        page.keyboard.press("Escape")
        page.get_by_role("heading", name="Help us").wait_for()


def test_a_sheet_is_modal(browser, pages, daemon):
    with opened(browser, pages, daemon, "microsurvey") as page:
        answered_prompt(page)
        assert page.evaluate("document.querySelector('bellwether-view:last-of-type').shadowRoot.querySelector('dialog').matches(':modal')")
        for _ in range(12):
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement === document.body || document.activeElement.matches('bellwether-view:last-of-type')")
        drag(page, 300, 60)
        page.mouse.move(195, 100)
        page.mouse.wheel(0, 400)
        drag(page, 200, 40, x=100)
        assert page.evaluate("scrollY") == 0
        page.keyboard.press("Escape")
        put_away(page)
        page.evaluate("scrollTo(0, 300)")
        assert eventually(lambda: page.evaluate("scrollY") == 300)


def test_a_sheet_slides_unless_motion_is_reduced(browser, pages, daemon):
    moving = "document.querySelector('bellwether-view:last-of-type').shadowRoot.getAnimations({subtree: true}).length"
    for motion in ("reduce", "no-preference"):
        with opened(browser, pages, daemon, "microsurvey", reduced_motion=motion) as page:
            page.get_by_role("button", name="Continue").tap()
            sheet_of(page).wait_for()
            assert motion == "no-preference" or page.evaluate(moving) == 0
            assert eventually(lambda: top(page) == 422)
            drag(page, 436, 830)
            put_away(page)


def test_content_that_is_longer_than_the_sheet_scrolls_and_does_not_drag(browser, pages, daemon):
    daemon.put("long", {"messages": {"long": {**MICRO, "surface": "home", "microsurveyConfig": {
        **MICRO["microsurveyConfig"], "options": [f"Answer {number}" for number in range(14)]}}}, "styles": STYLES})
    try:
        with opened(browser, pages, daemon, "home") as page:
            answered_prompt(page)
            body = page.locator(".sheet .body")
            assert eventually(lambda: height(page) == 422)
            drag(page, 700, 520)
            assert eventually(lambda: body.evaluate("e => e.scrollTop") > 0)
            drag(page, 560, 700)
            assert eventually(lambda: body.evaluate("e => e.scrollTop") < 60)
            assert height(page) == 422
            # At its top there is nothing to scroll: a drag downwards takes the sheet along.
            body.evaluate("e => e.scrollTop = 0")
            drag(page, 520, 830)
            put_away(page)
    finally:
        daemon.delete("long")


def test_height_and_buttons_stay_in_their_places_from_question_to_question(browser, pages, daemon):
    for device in (PHONE, TABLET, DESKTOP):
        with new_context(browser, **device, reduced_motion="reduce") as context:
            page = open_widget(context, pages, daemon, body=LONG)
            page.evaluate("bellwether.show('feedback', {intro: false})")
            panel = page.locator("bellwether-view .panel")
            places = []
            for number in range(1, 6):
                panel.get_by_text(f"Question {number} of 5", exact=True).wait_for()
                if number in (1, 3):
                    panel.get_by_role("radio").first.check()
                box, onward = panel.bounding_box(), panel.locator("button.primary").bounding_box()
                places.append((box["y"], box["height"], onward["y"] + onward["height"], onward["x"] + onward["width"]))
                if number < 5:
                    panel.locator("button.primary").click()
            assert len(set(places)) == 1, places


def test_the_keyboard_of_a_phone_leaves_the_buttons_in_sight(browser, pages, daemon):
    daemon.put("written", {**FEEDBACK, "schema": {"version": 1, "questions": FEEDBACK["schema"]["questions"][4:]}})
    with new_context(browser, **PHONE, reduced_motion="reduce") as context:
        # Headless browsers have no keyboard on the screen: the page gets a smaller visual viewport.
        context.add_init_script("""const view = new EventTarget();
            Object.assign(view, {height: 844, offsetTop: 0, scale: 1});
            Object.defineProperty(window, 'visualViewport', {value: view});
            window.keyboard = height => { view.height = 844 - height; view.dispatchEvent(new Event('resize')); };""")
        page = open_widget(context, pages, daemon, body=LONG)
        page.evaluate("bellwether.show('written', {intro: false})")
        page.get_by_role("textbox").tap()
        page.evaluate("keyboard(336)")
        onward = page.locator(".sheet button.primary")
        assert eventually(lambda: onward.bounding_box()["y"] + onward.bounding_box()["height"] <= 844 - 336)
        assert top(page) >= 0
        page.evaluate("keyboard(0)")
        assert eventually(lambda: height(page) == 422)


def test_the_submit_button_waits_for_a_selection(browser, pages, daemon):
    with opened(browser, pages, daemon, "microsurvey") as page:
        answered_prompt(page)
        submit = page.get_by_role("button", name="Submit")
        expect(submit).to_have_attribute("aria-disabled", "true")
        submit.tap(force=True)
        expect(page.locator(".error:not(:empty)")).to_have_count(0)
        assert "responses" not in page.posts
        page.get_by_role("radio", name="A bit").check()
        assert submit.get_attribute("aria-disabled") is None
        submit.tap()
        page.get_by_role("heading", name="Survey complete").wait_for()
        expect(page.locator(".done-mark")).to_have_count(1)
        page.get_by_role("button", name="Done").tap()
        assert eventually(lambda: page.locator("bellwether-view").count() == 0)


def records(daemon, client):
    return [record["name"] for record in daemon.telemetry() if record["client_id"] == client and record["category"] in ("messaging", "microsurvey")]


@pytest.mark.parametrize("device", [PHONE, DESKTOP])
def test_the_records_of_an_answer_are_in_order_and_the_end_page_adds_none(browser, pages, daemon, device):
    with opened(browser, pages, daemon, "microsurvey", device) as page:
        client = page.evaluate("bellwether.clientId")
        held = []
        # That of the prompt itself.
        sent(page)
        page.route("**/events", lambda route: held.append(route) if not held else route.continue_())
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("radio", name="A bit").check()
        assert eventually(lambda: held)
        # Events of one moment are one request, in their order.
        events = held[0].request.post_data_json["events"]
        assert [(event["type"], event["action"]) for event in events] == [("message", "clicked"), ("microsurvey", "shown")]
        held[0].continue_()
        assert eventually(lambda: records(daemon, client)[2:]), records(daemon, client)
        page.get_by_role("button", name="Submit").click()
        page.get_by_role("button", name="Done").click()
        assert eventually(lambda: page.locator("bellwether-view").count() == 0)
        sent(page)
        assert records(daemon, client) == ["shown", "clicked", "shown", "dismissed", "submit_button_tapped", "confirmation_shown"]


@pytest.mark.parametrize("status, code, text", [(422, "option", "This takes no answers at the moment."),
                                               (409, "already_responded", "You have answered this already. Thank you!")])
def test_a_refused_answer_to_a_microsurvey_is_not_thanked_for(browser, pages, daemon, status, code, text):
    with opened(browser, pages, daemon, "microsurvey") as page:
        page.evaluate("""window.told = []; for (const name of ['submitted', 'queued', 'refused'])
            document.addEventListener(`bellwether:${name}`, event => told.push([name, event.detail.reason]))""")
        problem = {"title": "No", "status": status, "errors": [{"pointer": "", "code": code, "message": "no"}]}
        page.route("**/responses", lambda route: route.fulfill(status=status, json=problem, headers={"Access-Control-Allow-Origin": "*"}))
        answered_prompt(page)
        page.get_by_role("radio", name="A bit").check()
        page.get_by_role("button", name="Submit").tap()
        page.get_by_text(text, exact=True).wait_for()
        assert eventually(lambda: page.evaluate("told") == [["refused", code]])
        expect(page.get_by_text("Survey complete")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_slot_with_less_space_than_the_prompt_needs_does_not_cut_it_off(browser, pages, daemon, width):
    slot = "<style>[data-bellwether-surface] { min-height: 90px }</style><div data-bellwether-surface=microsurvey></div>"
    with new_context(browser, viewport={"width": width, "height": 844}) as context:
        page = open_widget(context, pages, daemon, "data-surfaces=microsurvey", body=slot)
        panel = page.locator("[data-bellwether-surface] .panel")
        panel.get_by_role("button", name="Continue").wait_for()
        assert panel.evaluate("e => e.scrollHeight <= e.clientHeight")


def test_the_icon_of_a_phone_is_drawn(browser, pages, daemon):
    with opened(browser, pages, daemon, "microsurvey") as page:
        answered_prompt(page)
        box = page.locator(".sheet svg.icon path").bounding_box()
        assert box["width"] > 10 and box["height"] > 10


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["de", "ar"])
@pytest.mark.parametrize("device", [PHONE, TABLET], ids=["phone", "tablet"])
def test_the_sheet_has_no_violation(browser, pages, daemon, device, locale, scheme):
    for surface in ("microsurvey", "corner"):
        with opened(browser, pages, daemon, surface, device, f"data-locale={locale}", color_scheme=scheme) as page:
            assert violations(page) == []
            answered_prompt(page)
            assert violations(page) == []
            assert page.locator(".sheet").evaluate("e => e.scrollWidth <= e.clientWidth")
            if surface == "microsurvey":
                page.get_by_role("radio").first.check()
                page.locator(".sheet .primary").tap()
                page.locator(".sheet .done-mark").wait_for()
                assert violations(page) == []


@pytest.mark.parametrize("width", [320, 390])
def test_three_buttons_of_the_consent_stand_below_each_other(browser, pages, daemon, width):
    for locale in ("en", "de", "ar"):
        with opened(browser, pages, daemon, "corner", {"viewport": {"width": width, "height": 844}}, f"data-locale={locale}") as page:
            boxes = page.locator(".actions button").evaluate_all("list => list.map(e => e.getBoundingClientRect()).map(b => [b.x, b.width])")
            assert len(boxes) == 3 and len({tuple(box) for box in boxes}) == 1


def test_a_page_has_the_apps_name_and_what_is_asked_for(browser, daemon):
    daemon.put("named", {**FEEDBACK, "name": "First trips", "description": "Five questions."})
    daemon.put("flowing", {"kind": "flow", "name": "Secret name", "hosted": True, "steps": [
        {"id": "hello", "type": "welcome", "config": {"title": "Welcome"}}]})
    for device in (PHONE, DESKTOP):
        with new_context(browser, **device) as context:
            page = context.new_page()
            page.goto(f"{daemon.url}/s/{APP}/named")
            page.get_by_role("heading", name="First trips").wait_for()
            expect(page.locator("header", has_text="Shop")).to_be_visible()
            expect(page.get_by_text("Five questions.", exact=True)).to_be_visible()
            box, view = page.locator("button.primary").bounding_box(), page.viewport_size
            # The button is in the lower part of the screen, and as wide as a phone.
            assert box["y"] > view["height"] * 0.7
            assert device is DESKTOP or box["width"] > 300
            assert violations(page) == []
            page.goto(f"{daemon.url}/s/{APP}/flowing")
            page.get_by_role("heading", name="Welcome").wait_for()
            assert page.locator("button.primary").bounding_box()["height"] < 60
            expect(page.locator("header", has_text="Shop")).to_be_visible()
            expect(page.get_by_text("Secret name")).to_have_count(0)
