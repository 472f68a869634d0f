"""The goals of docs/web.md about use: keys and focus, the queue, drafts, tabs, consent, the page's own events."""

import json
import time

import pytest
from conftest import APP, FEEDBACK, ROOT, SURVEY, at_rest, eventually, new_context, open_widget, sent
from playwright.sync_api import expect

CARD = {"surface": "corner", "style": "DEFAULT", "trigger-if-all": ["ALWAYS"], "title": "Hello", "text": "News.", "button-label": "Look"}


def view(page):
    return page.locator("bellwether-view .panel")


@pytest.fixture
def short(daemon):
    """A questionnaire of two questions, for one test."""
    slug = f"short-{time.monotonic_ns()}"
    questions = [{"id": "a", "type": "rating", "title": "How is it?"}, {"id": "b", "type": "text", "title": "Why?"}]
    daemon.put(slug, {"kind": "questionnaire", "name": "Short", "schema": {"questions": questions}})
    yield slug


@pytest.fixture
def card(daemon):
    slug = f"card-{time.monotonic_ns()}"
    daemon.put(slug, {"messages": {slug: CARD}, "styles": {"DEFAULT": {"priority": 50, "max-display-count": 1000}}})
    yield slug
    daemon.delete(slug)


def answer_short(page, slug, text="Because"):
    page.evaluate("slug => bellwether.show(slug, {intro: false})", slug)
    panel = view(page)
    panel.get_by_role("radio", name="4").check()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("textbox").fill(text)
    panel.get_by_role("button", name="Submit").click()
    return panel


def submitted(daemon, slug):
    return [item for item in daemon.responses(slug) if item["status"] == "new"]


def test_goal_8_a_popover_leaves_focus_tab_and_keys_to_the_page(open_page, card):
    page = open_page("data-poll=manual", body="<input id=one><input id=two>")
    page.focus("#one")
    page.evaluate("addEventListener('keydown', e => (window.keys ??= []).push(e.key))")
    page.evaluate("bellwether.poll()")
    view(page).wait_for()
    assert page.evaluate("document.activeElement.id") == "one"
    expect(page.locator("bellwether-view .panel")).to_have_attribute("role", "region")
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    page.keyboard.press("Tab")
    expect(page.locator("#two")).to_be_focused()
    assert page.evaluate("window.keys") == ["Escape", "x", "Tab"]
    expect(view(page)).to_be_visible()
    page.keyboard.press("Tab")
    assert eventually(lambda: page.evaluate("document.activeElement.localName") == "bellwether-view")


def test_goal_9_a_modal_holds_the_page_and_gives_the_focus_back(open_page, short):
    page = open_page(body=f"<button id=opener data-bellwether-show={short}>Feedback</button>")
    page.click("#opener")
    panel = view(page)
    panel.get_by_role("button", name="Sure").wait_for()
    assert eventually(lambda: page.evaluate("document.activeElement.localName") == "bellwether-view")
    assert page.evaluate("document.elementFromPoint(20, 20).localName") == "bellwether-view"
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") != "opener"
    page.keyboard.press("Escape")
    assert eventually(lambda: page.locator("bellwether-view").count() == 0)
    expect(page.locator("#opener")).to_be_focused()


def test_goal_10_choices_are_radios_and_arrows_do_not_advance(open_page):
    page = open_page()
    page.evaluate("bellwether.show('feedback', {intro: false})")
    panel = view(page)
    radios = panel.locator("fieldset input[type=radio]")
    expect(radios).to_have_count(11)
    radios.first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(panel.get_by_role("radio", name="3", exact=True)).to_be_checked()
    expect(panel.locator("legend")).to_be_visible()
    expect(panel.locator("fieldset")).to_have_attribute("role", "radiogroup")


def test_goal_11_errors_are_told_and_lead_to_their_questions(open_page):
    page = open_page()
    page.evaluate("bellwether.show('habits')")
    panel = view(page)
    panel.get_by_role("radio", name="Bread").check()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("button", name="Next").click()
    field = panel.get_by_label("Since which year?")
    assert eventually(lambda: field.evaluate("e => e.getRootNode().activeElement === e"))
    expect(field).to_have_attribute("aria-invalid", "true")
    described = field.get_attribute("aria-describedby").split()[-1]
    expect(panel.locator(f"#{described}")).to_have_text("Please answer this question.")
    # After the correction no fault is shown.
    field.select_option("2020")
    assert field.get_attribute("aria-invalid") is None


def test_what_only_the_daemon_finds_stands_at_its_question(open_page, daemon, context):
    """A scripted answer replaces a check that only the daemon makes. A refused answer is not sent again."""
    page = open_page()
    bodies = []

    def refuse(route):
        body = json.loads(route.request.post_data)
        bodies.append(body["answers"])
        if body["answers"].get("which") != "Durian":
            return route.continue_()
        return route.fulfill(status=422, content_type="application/problem+json", headers={"Access-Control-Allow-Origin": "*"}, body=json.dumps(
            {"status": 422, "errors": [{"pointer": "/answers/which", "code": "rule", "message": "Not here.", "question_id": "which"}]}))

    context.route("**/surveys/habits/responses", refuse)
    page.evaluate("bellwether.show('habits')")
    panel = view(page)
    panel.get_by_role("radio", name="Fruit").check()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_label("Which fruit?").fill("Durian")
    panel.get_by_text("Not here.").wait_for()
    expect(panel.get_by_label("Which fruit?")).to_have_attribute("aria-invalid", "true")
    expect(panel.get_by_label("Which fruit?")).to_have_value("Durian")
    assert eventually(lambda: "which" not in bodies[-1]), bodies
    stored = eventually(lambda: daemon.responses("habits", "surveys"))
    assert stored[0]["answers"] == {"snack": "Fruit"}


def test_goal_17_answers_survive_a_reload_and_a_refusing_disk(browser, pages, daemon, short, open_page, context):
    lost = lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    page = open_page()
    context.route("**/responses", lost)
    panel = answer_short(page, short)
    panel.get_by_role("heading", name="Saved").wait_for()
    assert submitted(daemon, short) == []
    context.unroute("**/responses")
    page.reload()
    assert eventually(lambda: len(submitted(daemon, short)) == 1)
    with new_context(browser) as refusing:
        refusing.add_init_script("IDBFactory.prototype.open = () => { throw new DOMException('no', 'QuotaExceededError') };"
                                 "Storage.prototype.setItem = () => { throw new DOMException('no', 'QuotaExceededError') }")
        page = open_widget(refusing, pages, daemon)
        refusing.route("**/responses", lost)
        answer_short(page, short).get_by_role("heading", name="Saved").wait_for()
        refusing.unroute("**/responses")
        page.evaluate("dispatchEvent(new Event('online'))")
        assert eventually(lambda: len(submitted(daemon, short)) == 2)


def test_goal_18_a_hundred_attempts_leave_one_answer(open_page, context, daemon, short):
    page = open_page()
    count = 0

    def killed(route):
        # The daemon gets the request, and the connection fails before the answer.
        nonlocal count
        count += 1
        route.fetch()
        route.abort()

    context.route("**/responses", killed)
    answer_short(page, short).get_by_role("heading", name="Saved").wait_for()
    while count < 100:
        page.evaluate("bellwether.queue.flush(true)")
    context.unroute("**/responses")
    page.evaluate("bellwether.queue.flush(true)")
    sent(page)
    assert len(daemon.responses(short)) == 1 and len(submitted(daemon, short)) == 1


def test_a_network_that_dies_at_any_request_leaves_one_answer(browser, pages, daemon, short):
    """The n-th POST fails, before or after the daemon has received it."""
    for number in range(4):
        for reaches in (False, True):
            with new_context(browser) as context:
                page = open_widget(context, pages, daemon)
                client = page.evaluate("bellwether.clientId")
                posts = iter(range(1000))

                def dying(route, number=number, posts=posts, reaches=reaches):
                    if route.request.method != "POST" or next(posts) != number:
                        return route.continue_()
                    if reaches:
                        route.fetch()
                    return route.abort()

                context.route("**/v1/**", dying)
                answer_short(page, short, f"{number} {reaches}").get_by_role("button", name="Done").wait_for()
                page.evaluate("dispatchEvent(new Event('online'))")
                mine = lambda: [item for item in daemon.responses(short) if item["client_id"] == client]
                assert eventually(lambda: [item["status"] for item in mine()] == ["new"]), (number, reaches, mine())
                assert mine()[0]["answers"] == {"a": 4, "b": f"{number} {reaches}"}


def test_goal_19_attempts_wait_as_long_as_they_are_told(open_page, context, daemon, short):
    page = open_page()
    times = []

    def busy(route):
        times.append(time.monotonic())
        if len(times) == 1:
            return route.fulfill(status=429, headers={"Retry-After": "3", "Access-Control-Allow-Origin": "*",
                                                      "Access-Control-Expose-Headers": "Retry-After"})
        return route.continue_()

    page.evaluate("slug => bellwether.show(slug, {intro: false})", short)
    panel = view(page)
    panel.get_by_role("radio", name="4").check()
    context.route("**/responses", busy)
    panel.get_by_role("button", name="Next").click()
    page.evaluate("dispatchEvent(new Event('online'))")
    assert eventually(lambda: len(times) == 2)
    assert times[1] - times[0] >= 3
    sent(page)
    # A refusal that another attempt cannot change ends it.
    page.evaluate("bellwether.queue.add('questionnaires/nothing/responses', {answers: {}}).outcome")
    sent(page)


def test_goal_20_each_page_is_a_draft_that_another_device_goes_on_with(browser, pages, daemon, short):
    user = f"user-{time.monotonic_ns()}"
    with new_context(browser) as phone, new_context(browser) as laptop:
        page = open_widget(phone, pages, daemon, f"data-poll=manual data-user-id={user}")
        page.evaluate("slug => bellwether.show(slug, {intro: false})", short)
        view(page).get_by_role("radio", name="4").check()
        view(page).get_by_role("button", name="Next").click()
        assert eventually(lambda: [item["status"] for item in daemon.responses(short)] == ["draft"])
        # Escape is Cancel, and keeps the written text.
        view(page).get_by_role("textbox").fill("Half a sen")
        page.keyboard.press("Escape")
        assert eventually(lambda: daemon.responses(short)[0]["answers"] == {"a": 4, "b": "Half a sen"})
        # The page shows it before the daemon knows whose device this is: the draft is the user's.
        held = []
        laptop.route("**/identify", lambda route: held.append(route))
        page = open_widget(laptop, pages, daemon, f"data-poll=manual data-user-id={user}")
        assert eventually(lambda: held)
        # By the end of these requests, a widget that does not wait has asked for the recipe.
        page.evaluate("""async slug => {
            bellwether.show(slug);
            await import(bellwether.options.renderer);
            await fetch(bellwether.options.renderer);
        }""", short)
        held.pop().continue_()
        panel = view(page)
        panel.get_by_role("button", name="Back").wait_for()
        expect(panel.get_by_role("textbox")).to_have_value("Half a sen")
        panel.get_by_role("button", name="Submit").click()
        panel.get_by_role("heading", name="Thanks!").wait_for()
        assert [item["status"] for item in daemon.responses(short)] == ["new"]


def test_goal_21_of_two_tabs_one_shows(open_page, context, card):
    first = open_page("data-surfaces=corner")
    view(first).wait_for()
    with context.expect_event("response", lambda response: response.url.endswith("/messages")) as polled:
        second = open_page("data-surfaces=corner")
    polled.value.finished()
    at_rest(second)
    expect(second.locator("bellwether-view")).to_have_count(0)
    expect(first.locator("bellwether-view")).to_have_count(1)


def test_goal_22_caps_are_the_servers(browser, pages, daemon):
    slug = f"once-{time.monotonic_ns()}"
    daemon.put(slug, {"messages": {slug: {**CARD, "surface": "home", "style": "ONCE"}}, "styles": {"ONCE": {"priority": 50, "max-display-count": 1}}})
    tag = f"data-surfaces=home data-user-id=capped-{slug}"
    try:
        with new_context(browser) as context:
            page = open_widget(context, pages, daemon, tag)
            view(page).wait_for()
            sent(page)
        with new_context(browser) as cleared:
            asked = []
            cleared.on("response", lambda response: asked.append(response.status) if "/messages" in response.url else None)
            page = open_widget(cleared, pages, daemon, tag)
            assert eventually(lambda: asked == [200])
            at_rest(page)
            expect(page.locator("bellwether-view")).to_have_count(0)
    finally:
        daemon.delete(slug)


def test_goal_23_without_consent_nothing_is_stored_or_sent(open_page, context, card):
    asked = []
    context.on("request", lambda request: asked.append(request.url) if "/v1/" in request.url else None)
    page = open_page("data-surfaces=corner data-consent=required data-event=page_viewed")
    page.evaluate("bellwether.show('feedback'); bellwether.event('x'); bellwether.identify('u')")
    at_rest(page)
    kept = "indexedDB.databases().then(list => [list.length, localStorage.length, sessionStorage.length])"
    assert asked == [] and page.evaluate(kept) == [0, 0, 0]
    page.evaluate("bellwether.consent(true)")
    view(page).wait_for()
    assert asked
    page.evaluate("bellwether.consent(false)")
    expect(page.locator("bellwether-view")).to_have_count(0)
    assert eventually(lambda: page.evaluate(kept) == [0, 0, 0])


def test_goal_24_conditions_mean_in_the_browser_what_they_mean_to_the_daemon(open_page, pages):
    vectors = json.loads((ROOT / "vectors/conditions.json").read_text())["cases"]
    names = [path.relative_to(ROOT / "Web/shared").with_suffix("") for path in (ROOT / "Web/shared").rglob("*.js")]
    for name in names:
        pages.add(f"/shared/{name}.js", (ROOT / f"Web/shared/{name}.js").read_text(), {"Content-Type": "text/javascript"})
    page = open_page()
    results = page.evaluate("""async cases => {
        const { holds } = await import("/shared/conditions.js");
        return cases.map(({dialect, condition, facts}) => { try { return holds(dialect, condition, facts) } catch { return "error" } });
    }""", vectors)
    assert results == [vector["want"] for vector in vectors]


def test_goal_25_ways_to_show_events_and_destroy(open_page, daemon, short, context):
    page = open_page(body="<div id=place></div>")
    before = "document.documentElement.outerHTML"
    html = page.evaluate(before)
    page.evaluate("""for (const name of ["shown", "cancelled", "submitted", "dismissed"])
        document.addEventListener("bellwether:" + name, e => (window.told ??= []).push([name, e.detail.slug]))""")
    page.evaluate("document.addEventListener('bellwether:beforeshow', e => window.veto && e.preventDefault())")
    assert page.evaluate("window.veto = true; bellwether.show('feedback')") is False
    page.evaluate("window.veto = false")
    for mode in ("popover", "modal"):
        assert page.evaluate("([slug, mode]) => bellwether.show(slug, {mode, intro: false})", [short, mode])
        view(page).get_by_role("radio", name="4").focus()
        page.keyboard.press("Escape")
        assert eventually(lambda: page.locator("bellwether-view").count() == 0)
    page.evaluate("slug => bellwether.show(slug, {mode: 'inline', target: document.getElementById('place'), intro: false})", short)
    expect(page.locator("#place bellwether-view")).to_have_count(1)
    page.evaluate("bellwether.views.values().next().value.destroy()")
    assert page.evaluate("window.told") == [["shown", short], ["cancelled", short]] * 2 + [["shown", short]]
    # With `force` an answer is a preview, which no count includes.
    page.evaluate("slug => bellwether.show(slug, {force: true})", short)
    panel = view(page)
    panel.get_by_role("button", name="Skip").click()
    panel.get_by_role("button", name="Submit").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert "preview" in [item["status"] for item in daemon.responses(short)]
    page.evaluate("bellwether.destroy()")
    assert page.evaluate(before) == html
    assert page.evaluate("window.bellwether") is None
    assert page.problems == []


def test_a_hosts_hooks_decide(open_page, daemon, short):
    page = open_page()
    page.evaluate("void (bellwether.hooks.beforeAdvance = ({answers}) => answers.b === 'bad' ? 'Not that word.' : true)")
    panel = answer_short(page, short, "bad")
    panel.get_by_text("Not that word.").first.wait_for()
    panel.get_by_role("textbox").fill("good")
    panel.get_by_role("button", name="Submit").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert submitted(daemon, short)[0]["answers"]["b"] == "good"


def test_a_poll_that_is_answered_after_a_reset_shows_nothing(open_page, context, card):
    page = open_page("data-poll=manual")
    held = []
    context.route("**/messages", lambda route: held.append(route))
    page.evaluate("void (globalThis.late = bellwether.poll())")
    assert eventually(lambda: len(held) > 0)
    page.evaluate("bellwether.reset()")
    held[0].continue_()
    page.evaluate("globalThis.late")
    expect(page.locator("bellwether-view")).to_have_count(0)
    context.unroute("**/messages")
    page.evaluate("bellwether.poll()")
    view(page).wait_for()


def test_what_cannot_be_loaded_can_be_tried_again(open_page, context, short):
    page = open_page()
    context.route("**/questionnaires/**", lambda route: route.abort())
    page.evaluate("slug => bellwether.show(slug)", short)
    view(page).get_by_text("This could not be loaded.", exact=True).wait_for()
    context.unroute("**/questionnaires/**")
    view(page).get_by_role("button", name="Try again").click()
    view(page).get_by_role("button", name="Sure, happy to help").click()
    page.keyboard.press("Escape")
    assert eventually(lambda: page.locator("bellwether-view").count() == 0)
    assert page.evaluate("slug => bellwether.show(slug)", short)
    page.evaluate("bellwether.reset()")
    expect(page.locator("bellwether-view")).to_have_count(0)
