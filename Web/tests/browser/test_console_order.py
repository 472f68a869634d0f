"""The order of recipes, the abilities of users in the console, and its messages when the daemon or a session has ended
(docs/console.md#goals)."""

import json
import re

import pytest
from conftest import APP, FEEDBACK, at_rest, eventually, new_context, violations
from playwright.sync_api import expect
from test_console import HOME, closed, opened, state  # noqa: F401 (a fixture)
from test_console_review import ASKED, changed

LIST = f"{HOME}/recipes"


@pytest.fixture
def three(daemon):
    """Three recipes, `one` to `three`, which are deleted afterwards."""
    names = ("one", "two", "three")
    for name in names:
        daemon.put(name, {**FEEDBACK, "name": f"Sample {name}"})
    yield daemon
    for name in names:
        daemon.call("PATCH", f"/v1/apps/{APP}/recipes/{name}/note", {"owner": None, "labels": []})
        daemon.delete(name)


def noted(daemon, slug):
    recipes = daemon.call("GET", f"/v1/apps/{APP}/recipes?archived=all")[1]["recipes"]
    return next(recipe for recipe in recipes if recipe["slug"] == slug)


def rows(page):
    return page.locator("tbody tr").evaluate_all("all => all.map(row => row.dataset.slug).sort()")


def test_an_owner_and_labels_are_kept_and_filter_the_list(browser, three):
    with opened(browser, three, f"{LIST}?q=sample") as page:
        page.get_by_role("button", name="More actions for Sample one").click()
        page.get_by_role("menuitem", name="Owner and labels").click()
        dialog = page.get_by_role("dialog")
        dialog.wait_for()
        dialog.get_by_label("Owner").fill("Ana")
        dialog.get_by_label("Labels").fill("winter, <b>bold</b>")
        assert violations(page) == []
        dialog.get_by_role("button", name="Keep").click()
        page.get_by_text("kept beside Sample one").wait_for()
        assert noted(three, "one")["labels"] == ["winter", "<b>bold</b>"] and noted(three, "one")["revision"] >= 1
        page.get_by_label("Owner").select_option("Ana")
        assert eventually(lambda: rows(page) == ["one"])
        page.wait_for_url("**owner=Ana*")
        page.get_by_role("button", name="Clear filters").click()
        page.get_by_role("link", name="<b>bold</b>").click()
        page.wait_for_url("**label=%3Cb%3Ebold%3C%2Fb%3E*")
        assert eventually(lambda: rows(page) == ["one"])
        page.reload()
        assert eventually(lambda: rows(page) == ["one"])


def test_a_pause_that_is_undone_or_resumed_never_publishes_a_draft(browser, three):
    before = {slug: noted(three, slug)["in_force"] for slug in ("one", "two")}
    for slug in before:
        three.call("PUT", f"/v1/apps/{APP}/recipes/{slug}?state=draft", {**FEEDBACK, "name": "A draft"})

    def is_live():
        listed = [noted(three, slug) for slug in before]
        return all(recipe["state"] == "live" and recipe["in_force"] == before[recipe["slug"]] for recipe in listed)

    with opened(browser, three, f"{LIST}?q=sample") as page:
        page.get_by_role("button", name="Pause Sample one").click()
        assert eventually(lambda: state(three, "one") == "paused")
        page.locator(".toast").get_by_role("button", name="Undo").click()
        assert eventually(is_live)
        for slug in before:
            page.get_by_label(f"Select Sample {slug}").check()
        bar = page.get_by_role("group", name="Actions")
        bar.get_by_role("button", name="Pause").click()
        assert eventually(lambda: state(three, "one") == state(three, "two") == "paused")
        expect(bar).not_to_have_attribute("aria-busy", "true")
        bar.get_by_role("button", name="Resume").click()
        assert eventually(is_live)
    with opened(browser, three, f"{HOME}/r/one") as page:
        page.locator("main").get_by_role("button", name="Pause").click()
        assert eventually(lambda: state(three, "one") == "paused")
        page.locator("main").get_by_role("button", name="Resume").click()
        assert eventually(is_live)
        # A revision that somebody has published since is not paused unseen. The page does not hear of it.
        page.route(re.compile(r"/changes(\?|$)"), lambda route: None)
        page.reload()
        page.locator("main").get_by_role("button", name="Pause").wait_for()
        three.call("POST", f"/v1/apps/{APP}/recipes/one/state", {"state": "live", "revision": before["one"] + 1})
        page.locator("main").get_by_role("button", name="Pause").click()
        page.get_by_text("Somebody else changed it in the meantime").wait_for()
        assert state(three, "one") == "live"


def test_an_ended_recipe_is_copied_and_nothing_promises_that_it_lives_again(browser, three):
    with opened(browser, three, f"{HOME}/r/one") as page:
        page.get_by_role("button", name="End …").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_text("It cannot go live again: to ask again, make a copy.").wait_for()
        dialog.get_by_role("button", name="End for good").click()
        page.get_by_role("button", name="Make a copy").wait_for()
        expect(page.get_by_role("button", name="Edit")).to_have_count(0)
        three.call("PUT", f"/v1/apps/{APP}/recipes/one?state=draft", {**FEEDBACK, "name": "A draft"})
        page.goto(f"{three.url}{HOME}/r/one/edit")
        page.get_by_text("It has ended for good.").first.wait_for()
        expect(page.get_by_role("button", name="Review and publish")).to_have_count(0)
        page.goto(f"{three.url}{HOME}/r/one/publish")
        page.get_by_text("It has ended for good.").first.wait_for()
        expect(page.get_by_role("button", name="Publish now")).to_have_attribute("aria-disabled", "true")
        page.get_by_role("link", name="Make a copy").click()
        page.get_by_role("heading", name="A copy of").wait_for()


def test_selected_rows_are_paused_ended_and_archived_and_each_says_what_came_of_it(browser, three):
    with opened(browser, three, f"{LIST}?q=sample") as page:
        page.get_by_label("Select Sample one").check()
        page.get_by_label("Select Sample two").check()
        bar = page.get_by_role("group", name="Actions")
        expect(bar).to_contain_text("2 selected", use_inner_text=True)
        assert violations(page) == []
        bar.get_by_role("button", name="Pause").click()
        assert eventually(lambda: state(three, "one") == state(three, "two") == "paused")
        assert state(three, "three") == "live"
        expect(page.locator(".row-result")).to_have_count(2)
        expect(bar).not_to_have_attribute("aria-busy", "true")
        with page.expect_download() as download:
            bar.get_by_role("button", name="Export JSON").click()
        exported = json.loads(download.value.path().read_text())["data"]
        assert sorted(recipe["slug"] for recipe in exported) == ["one", "two"]
        bar.get_by_role("button", name="End …").click()
        page.get_by_role("dialog").get_by_role("button", name="End for good").click()
        assert eventually(lambda: state(three, "one") == state(three, "two") == "ended")
        expect(bar).not_to_have_attribute("aria-busy", "true")
        bar.get_by_role("button", name="Archive").click()
        assert eventually(lambda: noted(three, "one")["archived"] and noted(three, "two")["archived"])
        assert eventually(lambda: rows(page) == ["three"])
        page.get_by_label("State").select_option("archived")
        assert eventually(lambda: rows(page) == ["one", "two"])
        page.get_by_role("button", name="More actions for Sample one").click()
        page.get_by_role("menuitem", name="Take out of the archive").click()
        assert eventually(lambda: not noted(three, "one")["archived"])


def test_goal_2_rows_are_selected_by_keys_alone(browser, three):
    with opened(browser, three, f"{LIST}?q=sample&sort=name") as page:
        page.get_by_role("row", name="Sample one").wait_for()
        for key in ("j", "x", "j", "x"):
            page.keyboard.press(key)
        expect(page.get_by_role("group", name="Actions")).to_contain_text("2 selected", use_inner_text=True)
        page.keyboard.press("x")
        expect(page.get_by_role("group", name="Actions")).to_contain_text("1 selected", use_inner_text=True)


def test_a_view_is_kept_under_a_name(browser, three):
    with opened(browser, three, f"{LIST}?q=sample&state=live") as page:
        page.get_by_role("button", name="Views").click()
        page.get_by_role("menuitem", name="Save this view").click()
        page.get_by_label("Name of the view").fill("Live samples")
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
        page.get_by_text("kept in this browser").wait_for()
        page.goto(three.url + LIST)
        page.get_by_role("button", name="Views").click()
        page.get_by_role("menuitem", name="Live samples", exact=True).click()
        page.wait_for_url("**/recipes?q=sample&state=live")
        assert eventually(lambda: rows(page) == ["one", "three", "two"])


def test_goal_35_a_draft_is_sent_back_with_a_comment_that_its_author_sees(browser, closed):
    """Ben's draft is sent back by Ana."""
    put = lambda text, query="": closed.call("PUT", f"/v1/apps/{APP}/recipes/back{query}", json.loads(text))  # noqa: E731
    put(json.dumps(ASKED))
    put(changed(title="By root"), "?state=draft")
    with new_context(browser) as context:
        page = signed_in(context, closed, f"{HOME}/r/back/publish", "ana-text")
        page.get_by_role("button", name="Send back").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Comment").fill("Ask for one thing <at> a time.")
        assert violations(page) == []
        dialog.get_by_role("button", name="Send back").click()
        page.get_by_text("The draft of Reviewed is sent back").wait_for()
        page.get_by_text("“Ask for one thing <at> a time.”").wait_for()
    assert noted(closed, "back")["sent_back"]["author"] == "ana" and noted(closed, "back")["draft"]
    with new_context(browser) as context:
        page = signed_in(context, closed, HOME, "root-text")
        page.get_by_text("ana sent back revision").wait_for()
        page.get_by_role("link", name="Edit", exact=True).click()
        page.wait_for_url("**/r/back/edit")
    put(changed(title="By root again"), "?state=draft")
    assert noted(closed, "back")["sent_back"] is None
    closed.delete("back")


def test_the_home_tells_answers_since_yesterday_and_missing_texts(browser, three):
    daemon = three
    daemon.call("POST", f"/v1/apps/{APP}/questionnaires/one/responses",
                {"client_id": "home-1", "answers": {"recommend": 9, "use": "maps"}, "is_complete": True})

    def missing(route):
        headers = {name: value for name, value in route.request.headers.items() if name != "if-none-match"}
        answer = route.fetch(headers=headers)
        body = answer.json()
        for recipe in body["recipes"]:
            recipe["missing"] = {"de": 2, "fr": 0} if recipe["slug"] == "one" else {}
        route.fulfill(response=answer, json=body)

    with new_context(browser) as context:
        page = context.new_page()
        page.route(re.compile(r"/recipes\?archived=all$"), missing)
        page.goto(daemon.url + HOME)
        page.locator("li", has_text="since yesterday").filter(has_text="Sample one").wait_for()
        page.get_by_text("2 texts are missing in German").wait_for()


@pytest.fixture(scope="module")
def reading(closed):
    """Tokens of a reader and of a pipeline."""
    return {scope: closed.call("POST", "/v1/tokens", {"name": f"a-{scope}", "scope": scope, "app": APP})[1]["token"]
            for scope in ("reader", "pipeline")}


def signed_in(context, daemon, path, token):
    page = context.new_page()
    page.goto(daemon.url + path)
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Signed in as").wait_for()
    return page


def test_goal_16_what_a_reader_may_not_do_is_absent_explained_and_refused(browser, closed, reading):
    with new_context(browser) as context:
        page = signed_in(context, closed, f"{HOME}/r/feedback", reading["reader"])
        page.get_by_text("the scopes owner and admin change it").wait_for()
        for name in ("Pause", "End …", "Edit"):
            expect(page.get_by_role("button", name=name, exact=True), name).to_have_count(0)
        page.keyboard.press("p")
        status = page.evaluate("""path => fetch(path, {method: "POST", headers: {"Content-Type": "application/json"},
            body: '{"state": "paused"}'}).then(answer => answer.status)""", f"/v1/apps/{APP}/recipes/feedback/state")
        assert status == 403 and state(closed) == "live"
        page.goto(closed.url + LIST)
        page.get_by_label("Select Feedback").check()
        bar = page.get_by_role("group", name="Actions")
        expect(bar.get_by_role("button", name="Pause")).to_have_count(0)
        expect(bar.get_by_role("button", name="Export JSON")).to_have_count(1)
        page.goto(f"{closed.url}{HOME}/new")
        page.get_by_text("You have the scope reader here, which may not do this. The scopes owner or admin may.").wait_for()
        assert violations(page) == []


def test_goal_16_a_pipeline_is_told_which_scope_opens_the_page(browser, closed, reading):
    with new_context(browser) as context:
        page = signed_in(context, closed, LIST, reading["pipeline"])
        page.get_by_text("You have the scope pipeline here, which may not do this.").wait_for()
        page.get_by_role("link", name="Health").wait_for()


def test_goal_16_whoever_may_not_publish_is_asked_for_no_review(browser, closed, reading):
    status, body = closed.call("PUT", f"/v1/apps/{APP}/recipes/read-only", ASKED)
    assert status == 201, body
    closed.call("PUT", f"/v1/apps/{APP}/recipes/read-only?state=draft", json.loads(changed(title="What is old?")))
    try:
        with new_context(browser) as context:
            page = signed_in(context, closed, f"{HOME}/r/read-only/publish", reading["reader"])
            page.get_by_text("The scopes reviewer, owner, or admin may.").wait_for()
            expect(page.get_by_role("button", name="Publish")).to_have_count(0)
            page.get_by_role("link", name="Home", exact=True).click()
            page.get_by_role("heading", name="Live now").wait_for()
            page.get_by_role("row", name="Reviewed").wait_for()
            expect(page.get_by_role("link", name="Review", exact=True)).to_have_count(0)
    finally:
        closed.delete("read-only")


def test_goal_16_sessions_are_listed_and_ended(browser, closed):
    with new_context(browser) as other, new_context(browser) as context:
        away = signed_in(other, closed, HOME, "ana-text")
        page = signed_in(context, closed, "/console/me", "ana-text")
        page.get_by_role("row", name="this one").wait_for()
        assert eventually(lambda: page.locator("tbody tr").count() >= 2)
        assert violations(page) == []
        while page.locator("tbody tr", has_not_text="this one").count():
            before = page.locator("tbody tr").count()
            page.locator("tbody tr", has_not_text="this one").first.get_by_role("button", name="End").click()
            expect(page.locator("tbody tr")).to_have_count(before - 1)
        assert away.evaluate("fetch('/v1/session').then(answer => answer.status)") == 401


def test_settings_are_kept_in_the_browser(browser, daemon):
    with opened(browser, daemon, "/console/me") as page:
        page.get_by_label("Dark").check()
        page.get_by_label("Compact").check()
        page.get_by_label("Single keys").uncheck()
        page.goto(daemon.url + LIST)
        page.get_by_role("row", name="Feedback").wait_for()
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        expect(page.locator("html")).to_have_attribute("data-density", "compact")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.localName") != "input"
        page.keyboard.press("Control+k")
        page.locator(".palette [role=option]").first.wait_for()


def test_the_first_tab_stops_skip_to_content_and_navigation(browser, daemon):
    with opened(browser, daemon, LIST) as page:
        page.evaluate("document.body.tabIndex = -1, document.body.focus()")
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to navigation")).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("Boolean(document.activeElement.closest('nav.side'))")


@pytest.fixture
def edited(closed):
    closed.put("typed", {**FEEDBACK, "name": "Typed"})
    yield closed
    closed.delete("typed")


def test_goal_10_a_save_after_the_session_has_ended_keeps_what_was_typed(browser, edited):
    with new_context(browser) as context:
        page = signed_in(context, edited, f"{HOME}/r/typed/edit?at=/name", "ana-text")
        page.get_by_label("Name", exact=True).fill("Typed before the end")
        for session in edited.call("GET", "/v1/sessions")[1]["sessions"]:
            edited.call("DELETE", f"/v1/sessions/{session['id']}")
        page.keyboard.press("Control+s")
        dialog = page.get_by_role("dialog", name="Your session has ended")
        dialog.get_by_label("Token").fill("ana-text")
        dialog.get_by_role("button", name="Sign in").click()
        page.get_by_text("is saved as a draft").or_(page.get_by_text("The draft of")).first.wait_for()
        expect(page.get_by_label("Name", exact=True)).to_have_value("Typed before the end")
        assert noted(edited, "typed")["draft"] is not None


def test_goal_10_a_sign_in_that_is_given_up_keeps_what_was_typed(browser, edited):
    with new_context(browser) as context:
        page = signed_in(context, edited, f"{HOME}/r/typed/edit?at=/name", "ana-text")
        page.get_by_label("Name", exact=True).fill("Typed and kept")
        for session in edited.call("GET", "/v1/sessions")[1]["sessions"]:
            edited.call("DELETE", f"/v1/sessions/{session['id']}")
        page.keyboard.press("Control+s")
        asked = page.get_by_role("dialog", name="Your session has ended")
        asked.wait_for()
        page.keyboard.press("Escape")
        asked.wait_for(state="hidden")
        expect(page.get_by_label("Name", exact=True)).to_have_value("Typed and kept")
        # Automatic checks of the page do not open the dialog again; an action of the user does.
        with page.expect_response(lambda answer: answer.status == 401) as refused:
            page.get_by_label("Name", exact=True).fill("Typed once more")
        refused.value.finished()
        at_rest(page)
        expect(asked).to_have_count(0)
        page.keyboard.press("Control+s")
        asked.wait_for()


def test_goal_30_a_line_tells_that_the_daemon_takes_no_writes_and_goes_when_it_does(browser, three):
    with new_context(browser) as context:
        page = context.new_page()
        page.goto(three.url + f"{LIST}?q=sample")
        page.get_by_role("row", name="Sample one").wait_for()
        ill = {"status": 503, "content_type": "application/problem+json", "body": '{"status": 503}'}
        page.route("**/recipes/one/state", lambda route: route.fulfill(**ill))
        page.route("**/__heartbeat__", lambda route: route.fulfill(**ill))
        page.get_by_role("button", name="Pause Sample one").click()
        line = page.locator(".trouble")
        line.get_by_text("takes no writes").wait_for()
        assert violations(page) == []
        with page.expect_request("**/__heartbeat__"):
            line.get_by_role("button", name="Try now").click()
        line.get_by_text("takes no writes").wait_for()
        page.unroute("**/__heartbeat__")
        line.wait_for(state="hidden")


def test_goal_9_from_right_to_left_nothing_overflows_and_pages_are_mirrored(browser, daemon):
    for path in (HOME, LIST, f"{HOME}/r/feedback", f"{HOME}/r/feedback/history?from=1", "/console/me", f"{HOME}/new",
                 f"{HOME}/r/feedback/edit"):
        with opened(browser, daemon, path) as page:
            page.evaluate("document.documentElement.dir = 'rtl'")
            at_rest(page)
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, path
            over = page.evaluate("""() => [...document.querySelectorAll("main *, nav *")].filter(one => {
                const box = one.getBoundingClientRect();
                const isInside = one.closest(".table-frame, pre, .json, .hidden-text, svg, iframe, [hidden]");
                return box.width > 1 && box.height > 1 && !isInside && (box.left < -1 || box.right > innerWidth + 1);
            }).map(one => one.outerHTML.slice(0, 120))""")
            assert over == [], path
            side = page.locator("nav.side")
            assert side.evaluate("one => one.getBoundingClientRect().left > innerWidth / 2"), path


def test_goal_11_a_write_from_another_origin_with_the_cookie_is_refused(browser, closed, pages):
    with new_context(browser) as context:
        signed_in(context, closed, HOME, "ana-text")
        page = context.new_page()
        page.goto(pages.add("/foreign", "<!doctype html><title>foreign</title>"))
        # The browser sends the cookie with a request from another port of the same host. That page cannot read the
        # answer.
        statuses = []
        page.on("response", lambda answer: statuses.append((answer.request.method, answer.status)))
        page.evaluate("""address => fetch(address, {method: "POST", mode: "no-cors", credentials: "include",
            body: '{"state": "paused"}'}).catch(() => undefined)""", f"{closed.url}/v1/apps/{APP}/recipes/feedback/state")
        assert eventually(lambda: ("POST", 403) in statuses or ("POST", 401) in statuses), statuses
        assert state(closed) == "live"


def test_goal_24_of_six_tabs_none_waits_for_a_connection(browser, daemon):
    with new_context(browser) as context:
        open_requests = set()
        context.on("request", lambda request: open_requests.add(request))
        context.on("requestfinished", lambda request: open_requests.discard(request))
        context.on("requestfailed", lambda request: open_requests.discard(request))
        tabs = [context.new_page() for _ in range(6)]
        for tab in tabs:
            tab.goto(daemon.url + HOME)
            tab.get_by_role("row", name="Habits").wait_for()
        tabs[-1].evaluate("fetch('/v1/apps', {cache: 'no-store'}).then(answer => answer.text())")
        # A browser has six connections to an address. One request of all tabs keeps a connection open.
        assert eventually(lambda: len(open_requests) == 1), [one.url for one in open_requests]
        assert "wait=" in open_requests.pop().url


@pytest.mark.parametrize("path", [HOME, LIST, f"{HOME}/r/feedback", "/console/me", f"{HOME}/r/feedback/edit"])
def test_goal_3_nor_with_forced_colours(browser, daemon, path):
    with opened(browser, daemon, path, forced_colors="active") as page:
        assert violations(page) == []


def test_goal_15_no_address_that_the_daemon_gets_has_the_id_of_a_client(browser, three):
    daemon = three
    daemon.call("POST", f"/v1/apps/{APP}/questionnaires/one/responses",
                {"client_id": "secret-client", "answers": {"recommend": 9, "use": "maps"}, "is_complete": True})
    asked = []
    with new_context(browser) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        for path in (HOME, LIST, f"{HOME}/r/one", f"{HOME}/r/one/history"):
            page.goto(daemon.url + path)
            page.locator("h1").wait_for()
            at_rest(page)
    assert asked and not any("secret-client" in address for address in asked)


NAVIGATION = """
- navigation "Pages":
  - link "Bellwether"
  - combobox "Choose an app"
  - list:
    - listitem:
      - link "Home"
    - listitem:
      - link "Recipes"
    - listitem:
      - link "Explain"
    - listitem:
      - link "People"
    - listitem:
      - link "App"
"""
LISTED = """
- main:
  - heading "Recipes" [level=1]
  - link "New recipe"
  - searchbox "Search names, slugs and keys"
  - text: State
  - combobox "State"
  - text: Kind
  - combobox "Kind"
  - button "Views"
  - button "Clear filters"
  - status: /3 of \\d+/
  - table:
    - rowgroup:
      - row:
        - columnheader "Select all that are listed":
          - checkbox "Select all that are listed"
        - columnheader "Name":
          - button "Name"
        - columnheader "State":
          - button "State"
        - columnheader "Shown on"
        - columnheader "Changed":
          - button "Changed"
        - columnheader "Actions"
"""


def test_goal_6_the_list_has_names_roles_and_an_order_of_focus(browser, three):
    with opened(browser, three, f"{LIST}?q=sample&sort=name") as page:
        page.get_by_role("row", name="Sample one").wait_for()
        expect(page.locator("nav.side")).to_match_aria_snapshot(NAVIGATION)
        expect(page.locator("main")).to_match_aria_snapshot(LISTED)
        page.evaluate("document.body.tabIndex = -1, document.body.focus()")
        stops = []
        for _ in range(40):
            page.keyboard.press("Tab")
            stops.append(page.evaluate("""() => {
                const one = document.activeElement;
                return one.ariaLabel ?? one.labels?.[0]?.firstChild.textContent ?? one.innerText.trim();
            }"""))
        order = ["Skip to content", "Skip to navigation", "Home", "Recipes", "New recipe", "Search names, slugs and keys",
                 "State", "Kind", "Views", "Clear filters", "Select all that are listed", "Name", "Changed",
                 "Select Sample one", "Sample one", "Pause Sample one", "More actions for Sample one",
                 "Select Sample three", "Sample three"]
        assert all(name in stops for name in order), stops
        places = [stops.index(name) for name in order]
        assert places == sorted(places), stops


def test_five_thousand_recipes_are_listed_and_searched(browser, daemon):
    recipe = noted(daemon, "feedback")
    many = [{**recipe, "slug": f"recipe-{number}", "name": f"Recipe {number}"} for number in range(5000)]
    with new_context(browser) as context:
        page = context.new_page()
        page.route(re.compile(r"/recipes\?archived=all$"), lambda route: route.fulfill(json={"recipes": many}))
        page.goto(daemon.url + LIST)
        page.get_by_text("5,000 of 5,000").wait_for()
        page.get_by_role("searchbox").fill("recipe 4321")
        page.get_by_text("1 of 5,000").wait_for()
        page.keyboard.press("Control+k")
        page.keyboard.type("pause recipe 77")
        page.locator("dialog.palette [role=option]", has_text="Pause Recipe 77").first.wait_for()
