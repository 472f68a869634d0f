"""The goals of the owners' console that concern overview and pausing (docs/console.md#goals). A test fails with the
first policy report or script error of a page that it opens (goal 12)."""

import contextlib
import hashlib
import re

import pytest
from conftest import APP, Daemon, FEEDBACK, at_rest, eventually, new_context, violations
from playwright.sync_api import expect
from test_firefox import firefox  # noqa: F401 (a fixture)

HOME = f"/console/a/{APP}"
PAGES = {"home": HOME, "list": f"{HOME}/recipes", "recipe": f"{HOME}/r/feedback",
         "history": f"{HOME}/r/feedback/history?from=1", "document": f"{HOME}/r/feedback/document", "apps": "/console", "me": "/console/me",
         "new": f"{HOME}/new"}


@contextlib.contextmanager
def opened(browser, daemon, path, **options):
    with new_context(browser, **options) as context:
        page = context.new_page()
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda message: page.problems.append(message.text)
                if message.type == "error" and "Failed to load resource" not in message.text else None)
        page.goto(daemon.url + path)
        page.locator("h1").wait_for()
        yield page
        assert page.problems == []


@pytest.fixture
def console(browser, daemon):
    with opened(browser, daemon, HOME) as page:
        yield page


def state(daemon, slug="feedback"):
    recipes = daemon.call("GET", f"/v1/apps/{APP}/recipes")[1]["recipes"]
    return next(recipe["state"] for recipe in recipes if recipe["slug"] == slug)


def words(page):
    """The texts of the page, without relative times."""
    return page.locator("main").evaluate("""main => {
        const copy = main.cloneNode(true);
        for (const time of copy.querySelectorAll("time")) time.remove();
        return copy.textContent;
    }""")


def press_in_turn(page, *keys):
    """Presses keys that count as one command if little time is between them, which a busy machine does not keep to."""
    page.evaluate("""keys => keys.forEach(key =>
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true})))""", keys)


def survives_a_reload(page, wait):
    """Reloads a page, which then says the same as a page of its address that was not reloaded, and keeps its address.

    Both are compared until they agree, because parts of a page come one after another.
    """
    address = page.url
    other = page.context.new_page()
    other.goto(address)
    wait(other)
    page.reload()
    wait(page)
    assert eventually(lambda: words(page) == words(other)), (words(page), words(other))
    assert page.url == address
    other.close()


def test_goal_1_a_recipe_is_paused_in_two_actions_and_taken_back_in_one(console, daemon):
    console.get_by_role("row", name="Habits").wait_for()
    console.keyboard.press("Control+k")
    console.keyboard.type("pause feedback")
    console.get_by_role("option", name="Pause Feedback").wait_for()
    console.keyboard.press("Enter")
    # The toast disappears after ten seconds, unless the pointer is over it.
    console.get_by_role("button", name="Undo").hover()
    console.get_by_text("Feedback is paused").wait_for()
    assert state(daemon) == "paused"
    console.get_by_role("button", name="Undo").click()
    assert eventually(lambda: state(daemon) == "live")


def test_goal_1_home_tells_what_is_live_what_waits_and_what_went_wrong(console, daemon):
    daemon.call("PUT", f"/v1/apps/{APP}/recipes/habits?state=draft", {**FEEDBACK, "kind": "questionnaire"})
    for heading in ("Needs you", "Went wrong", "Live now"):
        console.get_by_role("heading", name=heading).wait_for()
    console.get_by_role("link", name="Feedback", exact=True).click()
    console.get_by_role("heading", name="Feedback", level=1).wait_for()
    expect(console.locator("h1")).to_be_focused()


def test_goal_2_the_list_is_worked_by_keys_alone(browser, daemon):
    with opened(browser, daemon, HOME) as page:
        page.get_by_role("row", name="Habits").wait_for()
        press_in_turn(page, "g", "r")
        page.get_by_role("heading", name="Recipes", level=1).wait_for()
        page.keyboard.press("/")
        page.keyboard.type("feedb")
        page.get_by_role("status").filter(has_text="1 of").wait_for()
        page.keyboard.press("Tab")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("j")
        page.keyboard.press("p")
        page.get_by_text("Feedback is paused").wait_for()
        assert state(daemon) == "paused"
        page.keyboard.press("p")
        page.get_by_text("Feedback is live").wait_for()
        assert eventually(lambda: state(daemon) == "live")
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Feedback", level=1).wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_goal_3_no_page_has_an_axe_violation(browser, daemon, name, theme):
    with opened(browser, daemon, PAGES[name], color_scheme=theme) as page:
        assert violations(page) == []


def test_goal_3_nor_has_the_palette_a_menu_or_a_dialog(browser, daemon):
    with opened(browser, daemon, PAGES["recipe"]) as page:
        page.keyboard.press("Control+k")
        page.locator(".palette [role=option]").first.wait_for()
        assert violations(page) == []
        page.keyboard.press("Escape")
        page.get_by_role("button", name=re.compile("^End")).click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        assert violations(page) == []
        page.keyboard.press("Escape")
        dialog.wait_for(state="hidden")
        assert state(daemon) == "live"
        # The list has one row, because axe reports buttons that a menu covers in part as too small.
        page.goto(daemon.url + PAGES["list"] + "?q=feedback")
        page.get_by_role("button", name="More actions for Feedback").click()
        page.get_by_role("menu").wait_for()
        assert violations(page) == []


@pytest.mark.parametrize("name", PAGES)
def test_goal_4_at_320_pixels_nothing_scrolls_sideways_but_tables(browser, daemon, name):
    with opened(browser, daemon, PAGES[name], viewport={"width": 320, "height": 640}) as page:
        at_rest(page)
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)


def test_goal_8_with_reduced_motion_nothing_moves(browser, daemon):
    with opened(browser, daemon, PAGES["recipe"], reduced_motion="reduce") as page:
        page.get_by_role("button", name=re.compile("^End")).click()
        page.get_by_role("dialog").wait_for()
        assert page.evaluate("document.getAnimations().length") == 0


@pytest.fixture(scope="module")
def closed(tmp_path_factory, pages):
    """A daemon without --dev, with a token of an owner, `ana-text`, and a token of an administrator."""
    tokens = [("ana", "owner", APP), ("root", "admin", "*")]
    settings = "tokens:\n" + "".join(
        f"  - {name}:{scope}:{app}:{hashlib.sha256(f'{name}-text'.encode()).hexdigest()}\n" for name, scope, app in tokens)
    daemon = Daemon(tmp_path_factory.mktemp("closed"), pages.url, is_open=False, settings=settings)
    daemon.token = "root-text"
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", {"app_name": "shop", "default_locale": "en", "surfaces": ["home"]})
    daemon.put("feedback", FEEDBACK)
    yield daemon
    daemon.stop()


def test_goal_10_who_is_not_signed_in_signs_in_and_is_where_they_wanted_to_be(browser, closed):
    with new_context(browser) as context:
        page = context.new_page()
        page.goto(f"{closed.url}{PAGES['list']}?q=feed")
        page.get_by_role("heading", name="Sign in").wait_for()
        expect(page).to_have_url(f"{closed.url}/console/sign-in?next=%2Fconsole%2Fa%2F{APP}%2Frecipes%3Fq%3Dfeed")
        assert violations(page) == []
        token = page.get_by_label("Token")
        token.fill("nobodys")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("alert").wait_for()
        token.fill("ana-text")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("heading", name="Recipes").wait_for()
        expect(page).to_have_url(f"{closed.url}{PAGES['list']}?q=feed")
        page.reload()
        page.get_by_role("button", name="Signed in as ana").wait_for()


def test_goal_10_a_session_that_ends_is_begun_again_over_the_page(browser, closed):
    with new_context(browser) as context:
        page = context.new_page()
        page.goto(closed.url + PAGES["recipe"])
        page.get_by_label("Token").fill("ana-text")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("button", name="Pause").wait_for()
        for session in closed.call("GET", "/v1/sessions")[1]["sessions"]:
            assert closed.call("DELETE", f"/v1/sessions/{session['id']}")[0] == 204
        # The page may already show its dialog in front of the button.
        page.locator("main button", has_text="Pause").dispatch_event("click")
        dialog = page.get_by_role("dialog", name="Your session has ended")
        dialog.get_by_label("Token").fill("ana-text")
        dialog.get_by_role("button", name="Sign in").click()
        page.get_by_text("Feedback is paused").wait_for()
        assert state(closed) == "paused"
        closed.call("POST", f"/v1/apps/{APP}/recipes/feedback/state", {"state": "live"})


def test_goal_10_in_firefox_somebody_signs_in_and_pauses(firefox, closed):
    firefox.open(closed.url + PAGES["recipe"])
    typed = "(() => { const input = document.querySelector('[type=password]'); if (input) input.value = 'ana-text'; return !!input; })()"
    assert eventually(lambda: firefox.evaluate(typed))
    for name in ("Sign in", "Pause"):
        firefox.click("main button", name)
    assert eventually(lambda: state(closed) == "paused")
    closed.call("POST", f"/v1/apps/{APP}/recipes/feedback/state", {"state": "live"})


@pytest.mark.firefox
def test_goal_10_in_firefox_a_recipe_is_seen_and_paused(firefox, daemon):
    firefox.open(daemon.url + PAGES["recipe"])
    firefox.click("main button", "Pause")
    assert eventually(lambda: state(daemon) == "paused")
    daemon.call("POST", f"/v1/apps/{APP}/recipes/feedback/state", {"state": "live"})


def test_goal_13_a_hostile_name_is_text(browser, daemon):
    name = "<img src=x onerror=alert(1)>\u202e"
    daemon.put("hostile", {**FEEDBACK, "name": name})
    with opened(browser, daemon, f"{HOME}/r/hostile") as page:
        expect(page.locator("h1")).to_have_text(name)
        expect(page.locator("main img")).to_have_count(0)
    daemon.delete("hostile")


def slowed(page):
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})


@pytest.mark.figure
def test_goal_18_a_thousand_recipes_are_filtered_at_once(browser, daemon):
    recipe = daemon.call("GET", f"/v1/apps/{APP}/recipes")[1]["recipes"][0]
    many = [{**recipe, "slug": f"recipe-{number}", "name": f"Recipe {number}"} for number in range(1000)]
    with new_context(browser) as context:
        page = context.new_page()
        page.route(re.compile(r"/recipes\?archived=all$"), lambda route: route.fulfill(json={"recipes": many}))
        page.goto(daemon.url + HOME + "/recipes")
        page.get_by_text("1,000 of 1,000").wait_for()
        slowed(page)
        times = page.evaluate("""async () => {
            const field = document.querySelector("input[type=search]");
            const times = [];
            for (const text of ["recipe 1", "recipe 12", "recipe 123", "recipe 12", "recipe 1"]) {
                const start = performance.now();
                field.value = text;
                field.dispatchEvent(new Event("input"));
                times.push(performance.now() - start);
                await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
            }
            return times;
        }""")
        # The goal is 50 ms; a machine that runs tests may be busy.
        assert sorted(times)[2] <= 500, times


@pytest.mark.figure
def test_goal_22_the_palette_answers_a_key_at_once(browser, daemon):
    with opened(browser, daemon, HOME) as page:
        page.get_by_role("row", name="Habits").wait_for()
        slowed(page)
        page.keyboard.press("Control+k")
        times = page.evaluate("""() => ["p", "pa", "pause", "pause f"].map(text => {
            const field = document.querySelector("dialog.palette input");
            const start = performance.now();
            field.value = text;
            field.dispatchEvent(new Event("input"));
            return performance.now() - start;
        })""")
        # The goal is 30 ms; a machine that runs tests may be busy.
        assert sorted(times)[1] <= 300, times


@pytest.mark.parametrize("name", PAGES)
def test_goal_40_each_address_survives_a_reload_and_back(browser, daemon, name):
    with opened(browser, daemon, PAGES[name]) as page:
        title = page.title()
        address = page.url
        page.reload()
        page.locator("h1").wait_for()
        expect(page).to_have_title(title)
        assert page.url == address
        page.evaluate("document.querySelector('.brand').click()")
        page.get_by_role("heading", name=re.compile("Apps|Home"), level=1).wait_for()
        page.go_back()
        expect(page).to_have_title(title)


def test_a_comparison_of_two_revisions_has_an_address(browser, daemon):
    daemon.put("compared", FEEDBACK)
    daemon.put("compared", {**FEEDBACK, "name": "Other"})
    with opened(browser, daemon, f"{HOME}/r/compared/history?from=1&to=2") as page:
        page.get_by_role("heading", name="What changed from revision 1 to 2").wait_for()
        expect(page.locator(".before")).to_contain_text("Feedback", use_inner_text=True)
        expect(page.locator(".after")).to_contain_text("Other", use_inner_text=True)
    daemon.delete("compared")


def test_a_page_that_could_not_be_loaded_leaves_ways_on(browser, daemon):
    with opened(browser, daemon, f"{HOME}/r/nothing") as page:
        page.get_by_text("There is no recipe “nothing”").wait_for()
        page.get_by_role("link", name="Recipes", exact=True).wait_for()
        expect(page).to_have_title(f"This page could not be loaded · {APP} · Bellwether")
        expect(page.locator("h1")).to_be_focused()
        expect(page.get_by_role("combobox", name="App")).to_have_value(APP)
        page.goto(f"{daemon.url}/console/a/nowhere")
        page.get_by_text('There is no app "nowhere"').wait_for()
        page.get_by_role("link", name="Access").wait_for()
        expect(page.get_by_role("link", name="Recipes", exact=True)).to_have_count(0)
        expect(page.get_by_role("combobox")).to_have_count(0)
        page.get_by_role("link", name="Go home").click()
        page.get_by_role("heading", name="Home", level=1).wait_for()


def test_the_help_begins_at_its_first_key(browser, daemon):
    with opened(browser, daemon, HOME, viewport={"width": 390, "height": 400}) as page:
        page.get_by_role("row", name="Habits").wait_for()
        page.keyboard.press("?")
        expect(page.get_by_role("dialog").get_by_role("heading")).to_be_in_viewport()
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")


def test_a_recipe_is_paused_on_a_narrow_screen_without_a_scroll(browser, daemon):
    for address in (HOME, PAGES["list"]):
        with opened(browser, daemon, address, viewport={"width": 390, "height": 800}) as page:
            expect(page.get_by_role("button", name="Pause Feedback")).to_be_in_viewport(ratio=1)


def test_a_menu_at_the_end_of_the_screen_is_seen_whole(browser, daemon):
    with opened(browser, daemon, PAGES["list"]) as page:
        button = page.get_by_role("button", name="More actions for Feedback")
        button.wait_for()
        bottom = button.evaluate("one => Math.ceil(one.getBoundingClientRect().bottom)")
        page.set_viewport_size({"width": 1280, "height": bottom + 8})
        button.click()
        entries = page.get_by_role("menu").get_by_role("menuitem")
        entries.first.wait_for()
        for entry in entries.all():
            expect(entry).to_be_in_viewport(ratio=1)
