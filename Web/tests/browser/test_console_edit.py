"""The goals of the owners' console that concern the editor (docs/console.md#goals)."""

import contextlib
import datetime
import itertools
import json

import pytest
from conftest import APP, FEEDBACK, PATIENCE, ROOT, SURVEY, at_rest, eventually, new_context, violations
from playwright.sync_api import expect
from test_console import HOME, opened, slowed, state
from test_firefox import firefox  # noqa: F401 (a fixture)

MESSAGES = """{
  "messages": {
    "sale": {
      "surface": "home",
      "text": "Winter sale",
      "trigger-if-all": ["ALWAYS"],
      "x-kept": {"b": 1.0, "a": 1e2}
    },
    "other": {"surface": "slot", "text": "Other", "trigger-if-all": ["ALWAYS"]}
  },
  "styles": {"LOUD": {"priority": 80, "max-display-count": 2}}
}
"""
EXPERIMENT = {
    "schemaVersion": "1.12.0", "slug": "edited-experiment", "appName": "shop", "channel": "", "userFacingName": "Toolbar",
    "userFacingDescription": "Top or left", "isEnrollmentPaused": False, "targeting": "plan == 'pro'",
    "bucketConfig": {"randomizationUnit": "nimbus_id", "namespace": "toolbar", "start": 0, "count": 100, "total": 10000},
    "branches": [
        {"slug": "control", "ratio": 1, "features": [{"featureId": "messaging", "value": {"messages": {
            "hello": {"text": "Hello", "surface": "home"}}}}]},
        {"slug": "left", "ratio": 1, "features": [{"featureId": "toolbar", "value": {"place": "left", "seconds": 20}}]}],
    "proposedEnrollment": 14, "startDate": None, "endDate": "2099-01-02", "referenceBranch": "control"}
EDITORS = {
    "message": f"{HOME}/r/edited/edit?at=/messages/sale", "split": f"{HOME}/r/edited/edit?at=/messages/sale&show=split",
    "json": f"{HOME}/r/edited/edit?show=json", "list": f"{HOME}/r/edited/edit?at=/messages",
    "questionnaire": f"{HOME}/r/feedback/edit?at=/schema/questions/2", "survey": f"{HOME}/r/habits/edit?at=/questions",
    "experiment": f"{HOME}/r/edited-experiment/edit?at=/targeting",
    "branch": f"{HOME}/r/edited-experiment/edit?at=/branches/1/features/0",
    "new": f"{HOME}/new", "manifest": f"{HOME}/app", "types": f"{HOME}/app?at=/attributes"}


@pytest.fixture
def edited(daemon):
    """Three recipes to edit, which are deleted afterwards with their drafts."""
    put_text(daemon, "edited", MESSAGES)
    daemon.put("edited-experiment", EXPERIMENT)
    yield daemon
    for slug in ("edited", "edited-experiment"):
        daemon.delete(slug)


def put_text(daemon, slug, text, query=""):
    import urllib.request
    request = urllib.request.Request(f"{daemon.url}/v1/apps/{APP}/recipes/{slug}{query}", text.encode(),
                                     {"Content-Type": "application/json"}, method="PUT")
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read())


def text_of(daemon, slug):
    import urllib.request
    with urllib.request.urlopen(f"{daemon.url}/v1/apps/{APP}/recipes/{slug}", timeout=PATIENCE) as answer:
        return answer.read().decode()


def draft_of(daemon, slug):
    recipes = daemon.call("GET", f"/v1/apps/{APP}/recipes")[1]["recipes"]
    recipe = next((recipe for recipe in recipes if recipe["slug"] == slug), None)
    return recipe and recipe["draft_revision"]


def redrawn(page):
    """Waits for the frame after a change: there the editor draws its form and its text again."""
    page.evaluate("() => new Promise(requestAnimationFrame)")


def source(page):
    """The text in the editor."""
    redrawn(page)
    return page.evaluate("document.querySelector('.json-text').value")


def field(page, label):
    redrawn(page)
    return page.locator(".form").get_by_label(label, exact=True)


def seconds_of(page):
    """Stops the page's date, and gives a function that lets a second pass: edits within 800 ms are one step."""
    seconds = itertools.count()

    def tick():
        page.clock.set_fixed_time(datetime.datetime(2030, 1, 1) + datetime.timedelta(seconds=next(seconds)))

    tick()
    return tick


def wait_kept(page):
    page.locator(".edit-status", has_text="kept in this browser").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", EDITORS)
def test_goal_3_no_editor_has_an_axe_violation(browser, edited, name, theme):
    with opened(browser, edited, EDITORS[name], color_scheme=theme) as page:
        assert violations(page) == []


def test_goal_3_nor_has_an_editor_with_faults_an_offer_or_a_merge(browser, edited):
    with opened(browser, edited, EDITORS["split"]) as page:
        field(page, "Text").fill("Mine")
        field(page, "Surface").fill("nowhere")
        page.locator(".findings summary").click()
        assert violations(page) == []
        page.locator(".findings summary").click()
        wait_kept(page)
        page.reload()
        page.get_by_role("button", name="Compare").click()
        assert violations(page) == []
        page.get_by_role("button", name="Go on").click()
        put_text(edited, "edited", MESSAGES.replace("Winter sale", "Theirs"))
        page.get_by_role("button", name="Save draft").click()
        page.get_by_role("heading", name="that somebody else changed too").wait_for()
        assert violations(page) == []
        page.locator(".json-text").evaluate("e => e.setRangeText('', 0, 1)")


@pytest.mark.parametrize("name", EDITORS)
def test_goal_4_at_320_pixels_no_editor_scrolls_sideways(browser, edited, name):
    with opened(browser, edited, EDITORS[name], viewport={"width": 320, "height": 640}) as page:
        at_rest(page)
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)


@pytest.mark.figure
def test_goal_19_a_key_in_200_kilobytes_of_json_and_in_a_form_is_answered_at_once(browser, edited):
    messages = {f"message-{number}": {"surface": "home", "text": "A text of some length, so that it counts. " * 4,
                                      "trigger-if-all": ["NEVER"]} for number in range(770)}
    text = json.dumps({"messages": messages}, indent=2)
    assert len(text) > 200_000
    put_text(edited, "edited", text)
    type_key = """async selector => {
        const field = document.querySelector(selector);
        field.focus();
        const times = [];
        for (let key = 0; key < 8; key += 1) {
            const start = performance.now();
            document.execCommand("insertText", false, "x");
            times.push(performance.now() - start);
            await new Promise(done => setTimeout(done, 150));
        }
        return times.sort((left, right) => left - right);
    }"""
    with opened(browser, edited, f"{HOME}/r/edited/edit?show=json") as page:
        page.locator(".json-text").evaluate("e => e.setSelectionRange(50, 50)")
        at_rest(page)
        slowed(page)
        times = page.evaluate(type_key, ".json-text")
        # The goal is 16 ms; a machine that runs tests may be busy.
        assert times[len(times) // 2] <= 160, times
    with opened(browser, edited, EDITORS["questionnaire"]) as page:
        at_rest(page)
        slowed(page)
        times = page.evaluate(type_key, ".form textarea")
        assert times[len(times) // 2] <= 160, times


def test_goal_20_a_fault_is_at_its_field_in_the_outline_and_at_its_line(browser, edited):
    branch = {"slug": "control", "ratio": 1, "features": [{"featureId": "messaging", "value": {}}]}
    edited.put("edited-experiment", {**EXPERIMENT, "branches": [branch]})
    with opened(browser, edited, EDITORS["experiment"].replace("?", "?show=split&")) as page:
        page.get_by_text("no findings").wait_for()
        page.get_by_role("radio", name="Expression").check()
        targeting = field(page, "Targeting")
        targeting.fill("plan ==")
        finding = page.locator(".form-field", has=page.get_by_label("Targeting", exact=True)).locator(".finding:not([hidden])")
        finding.wait_for()
        expect(finding).to_contain_text("a value", use_inner_text=True)
        expect(targeting).to_have_attribute("aria-invalid", "true")
        assert finding.inner_text() in targeting.evaluate(
            "e => e.getAttribute('aria-describedby').split(' ').map(id => document.getElementById(id).textContent).join()")
        page.locator(".outline li", has_text="Who").get_by_text("has a fault").wait_for(state="attached")
        line = next(number for number, line in enumerate(source(page).split("\n"), 1) if '"targeting"' in line)
        expect(page.locator(".json-lines .is-fault")).to_have_text(str(line), use_inner_text=True)
        page.get_by_text("1 fault").click()
        page.get_by_role("button", name=f"Who, line {line}").click()
        expect(targeting).to_be_focused()
        targeting.fill("plan == 'pro'")
        page.get_by_text("no findings").wait_for()
        expect(page.locator(".form .finding:not([hidden])")).to_have_count(0)


def test_what_is_pressed_stays_in_its_place_until_the_release(browser, edited):
    with opened(browser, edited, EDITORS["questionnaire"]) as page:
        with page.expect_response("**/validate?*"):
            page.locator(".form textarea").first.fill("")
        rows = page.locator(".form .list-row")
        count = rows.count()
        add = page.get_by_role("button", name="Add answer")
        place = add.bounding_box()
        page.mouse.move(place["x"] + 5, place["y"] + 5)
        # The press leaves the empty field, and its fault would move the button away.
        page.mouse.down()
        redrawn(page)
        redrawn(page)
        assert add.bounding_box() == place
        page.mouse.up()
        expect(rows).to_have_count(count + 1)
        page.locator(".form .finding:not([hidden])").first.wait_for()
        assert add.bounding_box()["y"] > place["y"]


def test_goal_21_the_preview_follows_an_edit_and_a_press_in_it_is_followed(browser, edited):
    with opened(browser, edited, EDITORS["message"]) as page:
        page.locator(".form-title").wait_for()
        frame = page.frame_locator("[data-slot] iframe")
        frame.get_by_text("Winter sale").first.wait_for()
        field(page, "Text").fill("Spring sale")
        frame.get_by_text("Spring sale").wait_for()
        page.locator(".outline").get_by_role("link", name="other").click()
        frame.get_by_text("Other", exact=True).wait_for()
        page.locator(".outline").get_by_role("link", name="Messages").click()
        frame.get_by_text("Other", exact=True).click()
        page.wait_for_function("() => new URLSearchParams(location.search).get('at') === '/messages/other'")
        page.get_by_label("Width").select_option("320")
        page.wait_for_function("() => new URLSearchParams(location.search).get('preview') === ',,320'")
        page.reload()
        expect(page.get_by_label("Width")).to_have_value("320")


def kill(page):
    """Kills the tab's process, so that the page cannot handle its end."""
    with contextlib.suppress(Exception):
        page.goto("chrome://crash", timeout=3000)
    page.close()


def test_goal_25_a_tab_that_is_killed_loses_half_a_second_at_most(browser, edited):
    with new_context(browser) as context:
        page = context.new_page()
        page.goto(edited.url + EDITORS["message"])
        field(page, "Text").fill("Typed and never saved")
        # The page stores the document after `keepMilliseconds`. The test does not measure the time on a busy machine.
        wait_kept(page)
        kill(page)
        page = context.new_page()
        page.goto(edited.url + EDITORS["message"])
        page.get_by_text("You changed this").wait_for()
        expect(field(page, "Text")).to_have_value("Winter sale")
        page.get_by_role("button", name="Compare").click()
        expect(page.locator(".changes .after")).to_contain_text("Typed and never saved", use_inner_text=True)
        page.get_by_role("button", name="Go on").click()
        assert eventually(lambda: field(page, "Text").input_value() == "Typed and never saved")
        # Text that was typed immediately before is stored when the page is left.
        field(page, "Text").fill("Left at once")
        page.goto(edited.url + "/console")
        page.goto(edited.url + EDITORS["message"])
        page.get_by_role("button", name="Go on").click()
        assert eventually(lambda: field(page, "Text").input_value() == "Left at once")
        page.reload()
        page.get_by_role("button", name="Discard").click()
        assert eventually(lambda: field(page, "Text").is_editable())
        expect(field(page, "Text")).to_have_value("Winter sale")
        page.reload()
        page.get_by_text("no findings").or_(page.locator(".findings summary")).first.wait_for()
        expect(page.get_by_text("You changed this")).to_have_count(0)


TYPE = """(() => {{
    const field = document.querySelector('.form [data-pointer="{pointer}"] textarea');
    if (!field || field.matches(":disabled")) return false;
    field.value = {value};
    field.dispatchEvent(new Event("input"));
    return true;
}})()"""
VALUE = """document.querySelector('.form [data-pointer="{pointer}"] textarea')?.value"""


@pytest.mark.firefox
def test_goal_25_in_firefox_what_was_typed_is_offered_again(firefox, edited):
    pointer = "/messages/sale/text"
    firefox.open(edited.url + EDITORS["message"])
    assert eventually(lambda: firefox.evaluate(TYPE.format(pointer=pointer, value='"Kept"')))
    kept = "document.querySelector('.edit-status').textContent.startsWith('kept')"
    assert eventually(lambda: firefox.evaluate(kept))
    firefox.open("about:blank")
    firefox.open(edited.url + EDITORS["message"])
    firefox.click(".notice button", "Go on")
    assert eventually(lambda: firefox.evaluate(VALUE.format(pointer=pointer)) == "Kept")


def test_goal_26_broken_json_leaves_the_form_inert_and_the_text_as_it_was_typed(browser, edited):
    with opened(browser, edited, EDITORS["split"]) as page:
        text = page.locator(".json-text")
        broken = MESSAGES.replace('"surface": "home",', '"surface": "home"')
        text.fill(broken)
        page.get_by_text("Line 5: A comma is missing before this.").wait_for()
        expect(field(page, "Text")).not_to_be_editable()
        expect(field(page, "Text")).to_have_value("Winter sale")
        expect(page.get_by_role("button", name="Save draft")).to_have_attribute("aria-disabled", "true")
        page.get_by_role("button", name="Go there").click()
        expect(text).to_be_focused()
        wait_kept(page)
        assert source(page) == broken
        page.get_by_role("button", name="Take back").click()
        assert eventually(lambda: source(page) == MESSAGES)
        expect(field(page, "Text")).to_be_editable()
        text.fill(broken)
        page.get_by_text("Line 5: ").wait_for()
        page.keyboard.press("Control+z")
        assert eventually(lambda: source(page) == MESSAGES and page.locator(".form").is_enabled())


SAMPLES = {path.stem: path.read_text() for path in sorted((ROOT / "recipes").rglob("*.json"))}
# Every field of every part of the form is changed and restored; changes are compared by lines.
EVERY_FIELD = r"""async () => {
    const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const text = () => document.querySelector(".json-text").value;
    const undo = () => document.dispatchEvent(
        new KeyboardEvent("keydown", {key: "z", ctrlKey: true, bubbles: true, cancelable: true}));
    const before = text();
    const wrong = [];
    let count = 0;
    const places = [...document.querySelectorAll(".outline a")].map(link => link.getAttribute("href"));
    const seen = new Set();
    while (places.length > 0) {
        const place = places.shift();
        if (seen.has(place)) continue;
        seen.add(place);
        const link = [...document.querySelectorAll(".outline a")].find(link => link.getAttribute("href") === place);
        if (!link) continue;
        link.click();
        await frame();
        places.push(...[...document.querySelectorAll(".outline a")].map(link => link.getAttribute("href")));
        const total = document.querySelectorAll(".form [data-pointer]").length;
        for (let at = 0; at < total; at += 1) {
            const element = document.querySelectorAll(".form [data-pointer]")[at];
            const input = [...element.querySelectorAll("input:not([type=radio]), textarea, select")]
                .find(input => !input.closest("[hidden]"));
            if (!input || input.matches(".list-key") || input.closest("[data-pointer]") !== element) continue;
            if (input.type === "checkbox") { input.checked = !input.checked; input.dispatchEvent(new Event("change")); }
            else if (input.localName === "select") {
                const other = [...input.options].find(option => option.value && option.value !== input.value);
                if (!other) continue;
                input.value = other.value;
                input.dispatchEvent(new Event("change"));
            } else {
                input.value = input.type === "date" ? "2031-02-03" : input.type === "datetime-local" ? "2031-02-03T04:05"
                    : input.inputMode === "decimal" ? "7" : input.value + " x";
                input.dispatchEvent(new Event("input"));
            }
            await frame();
            count += 1;
            const [old, now] = [before.split("\n"), text().split("\n")];
            let [start, tail] = [0, 0];
            while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
            while (tail < Math.min(old.length, now.length) - start && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
            const changed = old.length - start - tail;
            // One line is another one; a member that was not there comes behind one that has a comma then.
            if (text() === before || changed > 1) wrong.push([element.dataset.pointer, changed, now.slice(start, start + 3)]);
            try { JSON.parse(text()); } catch (error) { wrong.push([element.dataset.pointer, String(error)]); }
            undo();
            await frame();
            if (text() !== before) wrong.push([element.dataset.pointer, "undo"]);
        }
    }
    return [count, wrong];
}"""


@pytest.mark.parametrize("name", SAMPLES)
def test_goal_27_each_field_changes_only_its_lines(browser, daemon, name):
    put_text(daemon, f"sample-{name}", SAMPLES[name], "?state=draft")
    with opened(browser, daemon, f"{HOME}/r/sample-{name}/edit?show=split") as page:
        page.locator(".outline a").first.wait_for()
        count, wrong = page.evaluate(EVERY_FIELD)
        assert wrong == [] and count >= 5
        assert source(page) == SAMPLES[name]
    daemon.delete(f"sample-{name}")


def test_goal_27_a_save_stores_the_text_as_it_stands(browser, edited):
    with opened(browser, edited, EDITORS["message"]) as page:
        field(page, "Text").fill("Spring sale")
        page.keyboard.press("Control+s")
        page.get_by_text("saved as a draft").wait_for()
        assert text_of(edited, "edited") == MESSAGES.replace("Winter sale", "Spring sale")
        page.get_by_text("nothing changed").wait_for()
        page.reload()
        expect(field(page, "Text")).to_have_value("Spring sale")
        expect(page.get_by_text("You changed this")).to_have_count(0)


def test_goal_28_undo_and_redo_across_form_and_json_return_the_same_bytes(browser, edited):
    with opened(browser, edited, EDITORS["split"]) as page:
        tick = seconds_of(page)
        texts = [source(page)]

        def then(change):
            change()
            assert eventually(lambda: source(page) != texts[-1])
            texts.append(source(page))
            tick()

        text = page.locator(".json-text")
        then(lambda: field(page, "Text").press_sequentially(" now"))
        then(lambda: text.fill(source(page).replace('"priority": 80', '"priority": 8.0')))
        then(lambda: page.get_by_role("button", name="Add exception").click())
        then(lambda: field(page, "Surface").fill("slot"))
        then(lambda: page.locator(".form-actions").get_by_role("button", name="Copy sale").click())
        then(lambda: page.locator(".form-actions").get_by_role("button", name="Delete sale-2").click())
        for expected in reversed(texts[:-1]):
            page.keyboard.press("Control+z")
            assert eventually(lambda: source(page) == expected)
        for expected in texts[1:]:
            page.keyboard.press("Control+Shift+z")
            assert eventually(lambda: source(page) == expected)


@pytest.mark.firefox
def test_goal_28_in_firefox_undo_returns_the_same_bytes(firefox, edited):
    firefox.open(f"{edited.url}{HOME}/r/edited-experiment/edit?show=split")
    pointer = "/userFacingDescription"
    area = "document.querySelector('.json-text')?.value"
    assert eventually(lambda: firefox.evaluate(area))
    before = firefox.evaluate(area)
    assert eventually(lambda: firefox.evaluate(TYPE.format(pointer=pointer, value='"In the form"')))
    assert eventually(lambda: "In the form" in firefox.evaluate(area))
    after = firefox.evaluate(area)
    for key, text in (("z", before), ("y", after), ("z", before)):
        firefox.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', "
                         f"{{key: '{key}', ctrlKey: true, bubbles: true, cancelable: true}})) || true")
        assert eventually(lambda: firefox.evaluate(area) == text)


def test_goal_29_changes_that_do_not_meet_are_merged(browser, edited):
    with opened(browser, edited, EDITORS["message"]) as page:
        field(page, "Text").fill("Mine")
        theirs = MESSAGES.replace('"text": "Other"', '"text": "Theirs"').replace('"priority": 80', '"priority": 81')
        put_text(edited, "edited", theirs)
        page.get_by_role("button", name="Save draft").click()
        page.get_by_text("Both are in what you see").wait_for()
        assert draft_of(edited, "edited") is None
        page.get_by_role("button", name="Save draft").click()
        page.get_by_text("saved as a draft").wait_for()
        assert text_of(edited, "edited") == theirs.replace("Winter sale", "Mine")


def test_goal_29_changes_that_meet_are_asked(browser, edited):
    with opened(browser, edited, EDITORS["message"]) as page:
        field(page, "Text").fill("Mine")
        field(page, "Surface").fill("slot")
        theirs = MESSAGES.replace("Winter sale", "Theirs").replace('"surface": "home"', '"surface": "corner"')
        put_text(edited, "edited", theirs)
        page.get_by_role("button", name="Save draft").click()
        heading = page.get_by_role("heading", name="2 places that somebody else changed too")
        heading.wait_for()
        expect(heading).to_be_focused()
        expect(field(page, "Text")).not_to_be_editable()
        page.get_by_role("group", name="messages › sale › text").get_by_label("theirs").check()
        done = page.get_by_role("button", name="Go on with these")
        expect(done).to_have_attribute("aria-disabled", "true")
        page.get_by_role("group", name="messages › sale › surface").get_by_label("mine").check()
        done.click()
        assert eventually(lambda: field(page, "Text").input_value() == "Theirs")
        expect(field(page, "Surface")).to_have_value("slot")
        page.keyboard.press("Control+s")
        page.get_by_text("saved as a draft").wait_for()
        assert text_of(edited, "edited") == theirs.replace("corner", "slot")


def test_goal_29_what_was_deleted_meanwhile_is_made_anew(browser, edited):
    with opened(browser, edited, EDITORS["message"]) as page:
        field(page, "Text").fill("Still here")
        edited.delete("edited")
        page.get_by_role("button", name="Save draft").click()
        page.get_by_text("Somebody deleted this").wait_for()
        expect(field(page, "Text")).to_have_value("Still here")
        page.get_by_role("button", name="Save draft").click()
        page.get_by_text("saved as a draft").wait_for()
        assert "Still here" in text_of(edited, "edited")


def test_goal_30_a_save_whose_answer_is_lost_is_one_revision(browser, edited):
    with opened(browser, edited, EDITORS["message"]) as page:
        lost = []

        def lose(route):
            if route.request.method != "PUT" or lost:
                return route.fallback()
            # The daemon stores the draft, and its answer is lost.
            lost.append(route.fetch().status)
            route.abort()

        page.route("**/recipes/edited?state=draft", lose)
        before = len(edited.call("GET", f"/v1/apps/{APP}/recipes/edited/revisions")[1]["revisions"])
        field(page, "Text").fill("Sent twice")
        page.get_by_role("button", name="Save draft").click()
        page.get_by_text("saved as a draft").wait_for()
        assert lost == [200]
        after = edited.call("GET", f"/v1/apps/{APP}/recipes/edited/revisions")[1]["revisions"]
        assert len(after) == before + 1


def test_goal_30_a_daemon_that_takes_no_writes_loses_nothing(browser, edited):
    with opened(browser, edited, EDITORS["message"]) as page:
        isDown = [True]
        page.route("**/recipes/edited?state=draft", lambda route: route.fulfill(
            status=503, json={"status": 503, "title": "Service Unavailable"}) if isDown else route.fallback())
        field(page, "Text").fill("Typed in bad times")
        page.get_by_role("button", name="Save draft").click()
        page.get_by_text("takes no writes at the moment").wait_for()
        expect(field(page, "Text")).to_have_value("Typed in bad times")
        expect(field(page, "Text")).to_be_editable()
        wait_kept(page)
        isDown.clear()
        page.get_by_role("button", name="Try again").click()
        page.get_by_text("saved as a draft").wait_for()
        expect(page.get_by_text("takes no writes")).to_have_count(0)
        assert "Typed in bad times" in text_of(edited, "edited")


def test_goal_31_a_refused_draft_leaves_the_editor_as_it_was(browser, edited):
    with opened(browser, edited, EDITORS["experiment"]) as page:
        page.get_by_role("radio", name="Expression").check()
        targeting = field(page, "Targeting")
        targeting.fill("plan ==")
        page.get_by_role("button", name="Save draft").click()
        page.get_by_text("The draft was not saved").wait_for()
        expect(targeting).to_have_value("plan ==")
        expect(targeting).to_be_editable()
        assert draft_of(edited, "edited-experiment") is None
        page.locator(".form .finding", has_text="a value").first.wait_for()
        targeting.fill("plan == 'free'")
        page.keyboard.press("Control+s")
        page.get_by_text("saved as a draft").wait_for()
        expect(page.get_by_text("The draft was not saved")).to_have_count(0)


@pytest.mark.parametrize("name", EDITORS)
def test_goal_40_each_editor_survives_a_reload_and_back(browser, edited, name):
    with opened(browser, edited, EDITORS[name]) as page:
        title, address = page.title(), page.url
        page.reload()
        page.locator("h1").wait_for()
        expect(page).to_have_title(title)
        assert page.url == address


def test_goal_40_back_leads_to_the_part_that_one_came_from(browser, edited):
    with opened(browser, edited, EDITORS["list"]) as page:
        page.locator(".form").get_by_role("link", name="other").click()
        assert eventually(lambda: field(page, "Text").input_value() == "Other")
        page.wait_for_function("() => document.activeElement.textContent === 'other'")
        page.locator(".outline").get_by_role("link", name="LOUD").click()
        field(page, "Priority").wait_for()
        page.go_back()
        assert eventually(lambda: field(page, "Text").input_value() == "Other")


def test_goal_1_a_questionnaire_of_three_questions_is_a_draft_after_eleven_actions(browser, daemon):
    with opened(browser, daemon, HOME) as page:
        actions = 0

        def act(change):
            nonlocal actions
            change()
            actions += 1

        page.get_by_role("row", name="Habits").wait_for()
        act(lambda: page.keyboard.press("Control+k"))
        page.keyboard.type("new recipe")
        page.get_by_role("option", name="New recipe").wait_for()
        act(lambda: page.keyboard.press("Enter"))
        act(lambda: page.get_by_text("Up to 30 questions").click())
        page.get_by_label("Name").fill("Three questions")
        act(lambda: page.get_by_role("button", name="Start writing").click())
        page.get_by_role("heading", name="Three questions", level=1).wait_for()
        # The editor begins with the first question.
        page.wait_for_function("() => document.activeElement.closest('.form')")
        page.keyboard.type("What do you use most?")
        act(page.get_by_role("button", name="Type: Text").click)
        act(page.get_by_role("menuitemradio", name="One choice").click)
        act(page.get_by_role("button", name="Paste a list").click)
        expect(page.locator("dialog textarea")).to_be_focused()
        page.keyboard.type("Maps\nDiary\nPhotos")
        act(page.get_by_role("button", name="Insert").click)
        page.locator(".list-row").nth(2).wait_for()
        add = page.get_by_role("button", name="Add question")
        for text in ("How was it?", "Why?"):
            act(add.first.click)
            redrawn(page)
            page.wait_for_function("() => document.activeElement.closest('.form')")
            page.keyboard.type(text)
        expect(page.locator(".json-text")).to_be_hidden()
        act(lambda: page.keyboard.press("Control+s"))
        page.get_by_text("saved as a draft").wait_for()
        assert actions <= 11
    document = json.loads(text_of(daemon, "three-questions"))
    assert [question["title"] for question in document["schema"]["questions"]] == [
        "What do you use most?", "How was it?", "Why?"]
    assert [option["label"] for option in document["schema"]["questions"][0]["options"]] == ["Maps", "Diary", "Photos"]
    assert draft_of(daemon, "three-questions") == 1
    daemon.delete("three-questions")


def test_goal_7_items_are_added_copied_moved_and_deleted_by_keys_and_each_is_told(browser, edited):
    with opened(browser, edited, EDITORS["questionnaire"]) as page:
        live = page.locator(".editor > [role=status]")
        down = page.get_by_role("button", name="Move Maps down")
        down.focus()
        page.keyboard.press("Enter")
        assert eventually(lambda: live.inner_text() == "Maps, 2 of 2")
        expect(down).to_be_focused()
        page.keyboard.press("Alt+ArrowUp")
        assert eventually(lambda: live.inner_text() == "Maps, 1 of 2")
        page.keyboard.press("Alt+Shift+D")
        assert eventually(lambda: live.inner_text() == "Maps was copied")
        ids = page.locator(".list-row .code")
        assert eventually(lambda: [one.input_value() for one in ids.all()] == ["maps", "maps_2", "diary"])
        page.get_by_role("button", name="Delete Maps").nth(1).click()
        assert eventually(lambda: "was deleted" in live.inner_text())
        expect(ids).to_have_count(2)
        page.keyboard.press("Control+z")
        assert eventually(lambda: ids.count() == 3)


def test_a_second_tab_reads_until_it_takes_over(browser, edited):
    with new_context(browser) as context:
        first, second = context.new_page(), context.new_page()
        first.goto(edited.url + EDITORS["message"])
        field(first, "Text").fill("First tab")
        wait_kept(first)
        second.goto(edited.url + EDITORS["message"])
        second.get_by_text("Another tab edits this").wait_for()
        expect(field(second, "Text")).not_to_be_editable()
        second.get_by_role("button", name="Edit here").click()
        assert eventually(lambda: field(second, "Text").is_editable() and field(second, "Text").input_value() == "First tab")
        first.get_by_text("Another tab edits this").wait_for()
        expect(field(first, "Text")).not_to_be_editable()


def test_a_copy_is_made_of_a_recipe_and_kept_until_it_is_saved(browser, edited):
    with opened(browser, edited, f"{HOME}/new?from=edited-experiment") as page:
        page.get_by_role("heading", name="A copy of edited-experiment").wait_for()
        page.get_by_label("Name").fill("The copy")
        page.get_by_role("button", name="Start writing").click()
        page.get_by_role("heading", name="The copy", level=1).wait_for()
        page.reload()
        page.get_by_role("heading", name="The copy", level=1).wait_for()
        assert draft_of(edited, "the-copy") is None
        page.get_by_role("button", name="Save draft").click()
        page.get_by_text("saved as a draft").wait_for()
    document = json.loads(text_of(edited, "the-copy"))
    assert document == {**EXPERIMENT, "slug": "the-copy", "userFacingName": "The copy"}
    edited.delete("the-copy")


def test_the_manifest_is_published_after_a_question(browser, daemon):
    before = daemon.call("GET", f"/v1/apps/{APP}/manifest")[1]
    try:
        with opened(browser, daemon, f"{HOME}/app") as page:
            field(page, "Name in texts").fill("The shop")
            page.get_by_role("button", name="Publish the manifest").click()
            page.get_by_role("dialog").get_by_role("button", name="Publish the manifest").click()
            page.get_by_text("The manifest is published.").wait_for()
        after = daemon.call("GET", f"/v1/apps/{APP}/manifest")[1]
        assert after == {**before, "short_name": "The shop"}
    finally:
        daemon.call("PUT", f"/v1/apps/{APP}/manifest", before)


def test_goal_2_a_recipe_is_edited_and_saved_by_keys_alone(browser, edited):
    with opened(browser, edited, f"{HOME}/r/edited") as page:
        page.get_by_role("button", name="Edit").wait_for()
        page.keyboard.press("e")
        page.get_by_role("heading", name="Messages", level=2).wait_for()
        page.keyboard.press("p")
        assert state(edited, "edited") == "live"
        page.locator(".form").get_by_role("link", name="sale").focus()
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="sale", level=2).wait_for()
        field(page, "Text").focus()
        page.keyboard.press("End")
        page.keyboard.type(" by keys")
        page.keyboard.press("Control+s")
        page.get_by_text("saved as a draft").wait_for()
        assert text_of(edited, "edited") == MESSAGES.replace("Winter sale", "Winter sale by keys")


def test_goal_1_review_saves_what_was_typed_and_leads_to_the_page_that_publishes(browser, edited):
    with opened(browser, edited, EDITORS["message"]) as page:
        field(page, "Text").fill("To be reviewed")
        page.keyboard.press("Control+Enter")
        page.wait_for_url("**/r/edited/publish")
        assert "To be reviewed" in text_of(edited, "edited")
        assert draft_of(edited, "edited") is not None


def test_goal_13_a_hostile_text_stays_text_in_the_editor(browser, edited):
    hostile = "<img src=x onerror=alert(1)>\u202e"
    put_text(edited, "edited", MESSAGES.replace("Winter sale", hostile).replace("other", "<b>other</b>"))
    with opened(browser, edited, EDITORS["split"]) as page:
        expect(field(page, "Text")).to_have_value(hostile)
        page.locator(".outline").get_by_role("link", name="<b>other</b>").click()
        page.get_by_role("heading", name="<b>other</b>").wait_for()
        expect(page.locator(".editor img, .editor b")).to_have_count(0)


def test_personas_have_a_form(browser, daemon):
    before = daemon.call("GET", f"/v1/apps/{APP}/manifest")[1]
    ada = {"context": {"plan": "pro", "trips": 12}, "now": "2027-01-31T12:00:00Z"}
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", {**before, "personas": {"Ada": ada, "Ben": {"context": {}}}})
    try:
        with opened(browser, daemon, f"{HOME}/app?show=split") as page:
            page.locator(".outline").get_by_role("link", name="Ada").click()
            page.get_by_role("heading", name="Ada", level=2).wait_for()
            expect(page.get_by_text("that this form does not know")).to_be_hidden()
            field(page, "Language").fill("de")
            # A rename to a used name changes nothing, and the page says so.
            field(page, "Name").fill("Ben")
            page.keyboard.press("Tab")
            page.locator(".toast", has_text="The name “Ben” is taken or empty.").wait_for()
            expect(field(page, "Name")).to_have_value("Ada")
            field(page, "Name").fill("Ada L.")
            page.keyboard.press("Tab")
            page.get_by_role("heading", name="Ada L.", level=2).wait_for()
            personas = json.loads(source(page))["personas"]
            assert personas == {"Ada L.": {**ada, "locale": "de"}, "Ben": {"context": {}}}
    finally:
        daemon.call("PUT", f"/v1/apps/{APP}/manifest", before)


def test_more_tells_what_is_set_from_what_may_be(browser, daemon):
    question = {"id": "more", "type": "text", "title": "Anything else?"}
    asked = {"kind": "questionnaire", "name": "More", "schema": {"version": 1, "questions": [
        question, {**question, "id": "mail", "sensitive": True}]}}
    put_text(daemon, "more", json.dumps(asked))
    try:
        with opened(browser, daemon, f"{HOME}/r/more/edit?at=/schema/questions/0") as page:
            assert "set:" not in page.locator(".more-fields summary").inner_text()
            page.goto(f"{daemon.url}{HOME}/r/more/edit?at=/schema/questions/1")
            page.locator(".more-fields summary", has_text="set: Sensitive").wait_for()
    finally:
        daemon.delete("more")


def test_a_choice_that_is_not_made_tells_what_counts(browser, daemon):
    flow = {"kind": "flow", "name": "Walk", "steps": [{"id": "hello", "type": "welcome", "config": {"title": "Hello"}}]}
    put_text(daemon, "walk", json.dumps(flow))
    try:
        with opened(browser, daemon, f"{HOME}/r/walk/edit?at=/name") as page:
            chosen = field(page, "Progress is shown as").locator("option:checked")
            expect(chosen).to_contain_text("default", use_inner_text=True)
            expect(chosen).to_contain_text("bar", use_inner_text=True)
            page.locator(".outline").get_by_role("link", name="Pacing and quotas").click()
            expect(field(page, "How often").locator("option:checked")).to_have_text("as its style says", use_inner_text=True)
    finally:
        daemon.delete("walk")


def test_a_preview_of_nothing_names_its_language(browser, daemon):
    put_text(daemon, "empty", json.dumps({"messages": {}}), "?state=draft")
    try:
        with opened(browser, daemon, f"{HOME}/r/empty/edit") as page:
            page.get_by_text("There is nothing to show yet.").wait_for()
            language = page.locator(".preview-bar").get_by_role("combobox", name="Language")
            assert eventually(lambda: language.locator("option:checked").all_inner_texts() == ["English"])
    finally:
        daemon.delete("empty")
