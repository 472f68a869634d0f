"""The goals of docs/web.md about appearance: size, time, layout, policies, accessibility, themes, languages."""

import pathlib
import statistics

import pytest
from conftest import APP, FEEDBACK, ROOT, at_rest, eventually, new_context, open_widget, step_through_habits, violations
from playwright.sync_api import expect

FLOATING = {"surface": "corner", "style": "DEFAULT", "trigger-if-all": ["ALWAYS"], "title": "Hello", "text": "News.",
            "button-label": "Look"}


def view(page):
    return page.locator("bellwether-view .panel")


@pytest.fixture
def message(daemon):
    daemon.put("greeting", {"messages": {"greeting": FLOATING}, "styles": {"DEFAULT": {"priority": 50, "max-display-count": 1000}}})
    yield
    daemon.delete("greeting")


def test_goal_2_without_a_message_there_is_one_request_and_no_element(context, pages, daemon):
    asked = []
    context.on("request", lambda request: asked.append(request.url) if "/v1/" in request.url else None)
    with_daemon = open_widget(context, pages, daemon, "data-surfaces=home")
    assert eventually(lambda: len(asked) > 0)
    at_rest(with_daemon)
    assert [url.split("/")[-1] for url in asked] == ["messages"]
    assert with_daemon.evaluate("[...document.body.children].map(e => e.localName)") == ["h1", "script"]
    assert not any("render-" in name for name in with_daemon.evaluate("performance.getEntriesByType('resource').map(e => e.name)"))


# The time that a page without the widget needs from an answer to the paint of a new element.
EMPTY_PAGE = """async () => {
    const address = location.pathname + "?" + Math.random();
    await (await fetch(address)).text();
    document.body.append(document.createElement("p"));
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - performance.getEntriesByName(new URL(address, location).href)[0].responseEnd;
}"""


@pytest.mark.figure
def test_goal_3_first_paint_follows_the_answer_within_100_ms(browser, pages, daemon, message):
    times, empty = [], []
    for _ in range(9):
        with new_context(browser) as context:
            context.add_init_script("""document.addEventListener("bellwether:shown", () =>
                requestAnimationFrame(() => setTimeout(() => window.painted = performance.now())))""")
            page = open_widget(context, pages, daemon, "data-surfaces=corner")
            page.wait_for_function("() => window.painted")
            times.append(page.evaluate("""window.painted - performance.getEntriesByType("resource")
                .find(e => e.name.endsWith("/messages")).responseEnd"""))
            empty.append(page.evaluate(EMPTY_PAGE))
    print(f"first paint after the answer: median {statistics.median(times):.0f} ms, empty page {statistics.median(empty):.0f} ms")
    assert statistics.median(times) - statistics.median(empty) <= 100, (times, empty)


def test_goal_4_nothing_on_the_page_moves(open_page, message, daemon):
    observe = "new PerformanceObserver(list => { for (const e of list.getEntries()) window.shift = (window.shift ?? 0) + e.value })" \
              ".observe({type: 'layout-shift', buffered: true})"
    page = open_page("data-surfaces=corner", body="<p>Below</p>")
    view(page).wait_for()
    page.evaluate(observe)
    at_rest(page)
    assert page.evaluate("window.shift ?? 0") == 0
    daemon.put("slotted", {"messages": {"slotted": {**FLOATING, "surface": "slot"}}})
    try:
        slot = '<style>[data-bellwether-surface] { min-height: 220px }</style><div data-bellwether-surface=slot></div><p>Below</p>'
        page = open_page("data-surfaces=slot", body=slot)
        view(page).wait_for()
        page.evaluate(observe)
        at_rest(page)
        assert page.evaluate("window.shift ?? 0") == 0
        expect(page.locator("[data-bellwether-surface] bellwether-view")).to_have_count(1)
    finally:
        daemon.delete("slotted")


def test_goals_5_and_6_work_under_the_strictest_policies(open_page, daemon):
    policy = f"default-src 'none'; script-src {daemon.url}; connect-src {daemon.url}; " \
             "require-trusted-types-for 'script'; trusted-types 'none'; report-uri /report"
    page = open_page(headers={"Content-Security-Policy": policy})
    page.evaluate("addEventListener('securitypolicyviolation', e => (window.violated ??= []).push(e.violatedDirective))")
    page.evaluate("bellwether.show('habits')")
    view(page).get_by_role("radio", name="Fruit").check()
    view(page).get_by_role("button", name="Next").click()
    expect(view(page).get_by_label("Which fruit?")).to_be_visible()
    background = view(page).evaluate("e => getComputedStyle(e).backgroundColor")
    assert background == "rgb(255, 255, 255)"
    assert page.evaluate("window.violated ?? []") == [] and page.problems == []
    assert page.evaluate("document.querySelector('bellwether-view').shadowRoot.querySelectorAll('[style]').length") == 0
    for file in (ROOT / "Web").rglob("*.js"):
        if "dist" not in file.parts:
            for word in ("innerHTML", "outerHTML", "insertAdjacent", "eval(", "new Function", "document.write"):
                assert word not in file.read_text(), f"{file}: {word}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_goal_7_no_violations_in_any_question_or_page(browser, pages, daemon, message, scheme):
    with new_context(browser, color_scheme=scheme, viewport={"width": 800, "height": 900}) as context:
        page = open_widget(context, pages, daemon, "data-surfaces=corner")
        panel = view(page)
        panel.wait_for()
        assert violations(page) == []
        page.evaluate("bellwether.views.values().next().value.destroy()")
        page.evaluate("bellwether.show('feedback')")
        panel.get_by_role("button", name="Don't ask again").wait_for()
        assert violations(page) == []
        panel.get_by_role("button", name="Sure, happy to help").click()
        for answer in [("radio", "9"), ("radio", "4"), ("radio", "Maps"), ("checkbox", "Watch")]:
            panel.get_by_role(answer[0], name=answer[1], exact=True).wait_for()
            assert violations(page) == [], answer
            if answer[1] == "9":
                panel.get_by_role("button", name="Next").click()
                panel.locator(".error:not(:empty)").first.wait_for()
                assert violations(page) == []
            panel.get_by_role(answer[0], name=answer[1], exact=True).check()
            panel.get_by_role("button", name="Next").click()
        panel.get_by_role("textbox").wait_for()
        assert violations(page) == []
        panel.get_by_role("button", name="Submit").click()
        panel.get_by_role("heading", name="Thanks!").wait_for()
        assert violations(page) == []
        panel.get_by_role("button", name="Done").click()
        page.evaluate("bellwether.show('habits')")
        step_through_habits(panel, page.evaluate("new Date().toISOString().slice(0, 10)"))
        assert violations(page) == []
        panel.get_by_label("Describe it.").fill("")
        panel.get_by_role("button", name="Send it").click()
        panel.locator(".error:not(:empty)").first.wait_for()
        assert violations(page) == []


def test_goal_12_targets_are_large_and_nothing_scrolls_sideways_at_320_px(browser, pages, daemon):
    # 1280 by 1024 pixels at 400 % are 320 by 256.
    with new_context(browser, viewport={"width": 320, "height": 256}) as context:
        page = open_widget(context, pages, daemon)
        page.evaluate("bellwether.show('habits')")
        panel = view(page)
        step_through_habits(panel, page.evaluate("new Date().toISOString().slice(0, 10)"))
        small = panel.evaluate("""panel => [...panel.querySelectorAll("button, input, select, textarea, a")]
            .filter(e => e.offsetParent !== null).map(e => [e.outerHTML.slice(0, 60), e.getBoundingClientRect()])
            .filter(([, box]) => Math.min(box.width, box.height) < 24).map(([html]) => html)""")
        assert small == []
        assert panel.evaluate("e => e.scrollWidth <= e.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth <= 320")
        panel.get_by_label("Describe it.").fill("")
        panel.get_by_role("button", name="Send it").click()
        panel.locator(".error:not(:empty)").first.wait_for()
        page.keyboard.press("Escape")
        page.evaluate("bellwether.show('feedback')")
        panel.get_by_role("button", name="Sure, happy to help").click()
        panel.get_by_role("radio", name="10", exact=True).check()
        assert panel.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_goal_13_motion_forced_colours_and_dark(browser, pages, daemon, message):
    with new_context(browser, reduced_motion="reduce", forced_colors="active") as context:
        page = open_widget(context, pages, daemon, "data-surfaces=corner")
        view(page).wait_for()
        running = "document.querySelector('bellwether-view').shadowRoot.getAnimations().length"
        assert page.evaluate(running) == 0
        assert view(page).evaluate("e => getComputedStyle(e).borderTopWidth") == "2px"
    with new_context(browser, color_scheme="dark") as context:
        page = open_widget(context, pages, daemon, "data-surfaces=corner")
        assert view(page).evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(27, 31, 39)"


def test_goals_14_and_15_a_language_brings_its_texts_and_its_direction(open_page, daemon):
    arabic = {"Feedback": {"recommend": "هل توصي بنا؟"}, "Questionnaire": {"nextButton": "التالي", "npsLowLabel": "لا", "consentAccept": "نعم"}}
    daemon.call("PUT", f"/v1/apps/{APP}/strings/ar", arabic)
    questions = [{"id": "q", "type": "nps", "title": "Feedback/recommend", "required": True},
                 {"id": "r", "type": "rating", "title": "Stars?"}]
    daemon.put("arabic", {"kind": "questionnaire", "name": "x", "schema": {"questions": questions}})
    page = open_page("data-poll=manual data-locale=ar")
    page.evaluate("bellwether.options.texts = {close: 'إغلاق'}; bellwether.show('arabic')")
    panel = view(page)
    panel.get_by_role("button", name="نعم").click()
    host = page.locator("bellwether-view")
    expect(host).to_have_attribute("lang", "ar")
    expect(host).to_have_attribute("dir", "rtl")
    panel.get_by_text("هل توصي بنا؟", exact=True).wait_for()
    at_rest(page)
    first, last = (panel.get_by_role("radio", name=name, exact=True).bounding_box()["x"] for name in ("0", "5"))
    assert first > last
    panel.get_by_role("button", name="إغلاق").wait_for()
    panel.get_by_role("radio", name="10", exact=True).check()
    panel.get_by_role("button", name="التالي").click()
    panel.get_by_role("button", name="رجوع").wait_for()
    at_rest(page)
    back, onward = panel.get_by_role("button", name="رجوع").bounding_box(), panel.locator("button.primary").bounding_box()
    assert back["x"] > onward["x"]


def test_goal_16_a_page_themes_by_properties_and_parts(open_page, message):
    style = "<style>bellwether-view { --bw-accent: rgb(120, 10, 10); } bellwether-view::part(title) { letter-spacing: 3px }</style>"
    page = open_page("data-surfaces=corner", body=style)
    button = view(page).get_by_role("button", name="Look")
    assert button.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(120, 10, 10)"
    assert view(page).get_by_role("heading").evaluate("e => getComputedStyle(e).letterSpacing") == "3px"


def test_hostile_texts_stay_texts(open_page, daemon):
    texts = ["<script>window.hit = 1</script><img src=x onerror='window.hit = 1'>", "\u202egnp.exe\u2066", "👩‍👩‍👧‍👦" * 30,
             "javascript:alert(1)"]
    options = [{"id": f"o{n}", "label": text[:100]} for n, text in enumerate(texts)]
    questions = [{"id": "q", "type": "single_choice", "title": texts[0], "options": options, "required": True},
                 {"id": "t", "type": "text", "title": "x" * 200, "subtitle": "y" * 500}]
    daemon.put("hostile", {"kind": "questionnaire", "name": texts[0], "description": texts[0] + "z" * 1900,
                           "schema": {"questions": questions}})
    page = open_page()
    page.evaluate("bellwether.show('hostile')")
    panel = view(page)
    panel.get_by_role("button", name="Sure, happy to help").click()
    panel.get_by_role("radio", name="👩").check()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("textbox").fill("\u202e" + "<b>" * 1000)
    assert panel.evaluate("e => e.scrollWidth <= e.clientWidth")
    panel.get_by_role("button", name="Submit").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert page.evaluate("window.hit") is None and page.problems == []
    assert daemon.responses("hostile")[0]["answers"]["t"] == "\u202e" + "<b>" * 1000
