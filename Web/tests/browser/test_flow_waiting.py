"""A step while the respondent waits, is kept there by a hook, or closes it."""

import json
import time

import pytest
from conftest import APP, eventually, open_widget, violations
from playwright.sync_api import expect
from test_flows import DONE, Script, field, form, run_of, show, view

# Deadlines that pass when the test says so: expire(15000) ends each request whose deadline is 15 s or less.
BY_HAND = """window.deadlines = [];
    AbortSignal.timeout = wait => {
        const controller = new AbortController();
        deadlines.push([wait, controller]);
        return controller.signal;
    };
    window.expire = passed => {
        for (const [wait, controller] of deadlines)
            if (wait <= passed) controller.abort(new DOMException("", "TimeoutError"));
    };"""
CHAT = {"id": "chat", "type": "interactive_chat", "title": "Coach", "chat_config": {"auto_messages": [{"content": "Hello!"}]}}


def reply(route, answer):
    route.fulfill(status=200, content_type="application/json", body=json.dumps(answer),
                  headers={"Access-Control-Allow-Origin": "*"})


def answering(answer):
    return lambda route: reply(route, answer)


def held(context, path):
    """The requests of a path, which wait for the test's reply."""
    routes = []
    context.route(path, lambda route: routes.append(route))
    return routes


def status_of(panel):
    return panel.locator("[role=status]:not(.banner)")


def test_a_hook_that_takes_longer_than_15_s_is_waited_for_and_the_page_says_so(context, pages, daemon):
    context.add_init_script(BY_HAND)
    Script(context, [run_of(form([field("text", {})]))])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    routes = held(context, "**/advance")
    panel.get_by_label("text", exact=True).fill("Ann")
    assert panel.locator(".body").get_attribute("aria-busy") is None
    panel.locator("button.primary").click()
    status_of(panel).get_by_text("One moment, please …").wait_for()
    expect(panel.locator(".body")).to_have_attribute("aria-busy", "true")
    page.evaluate("expire(15_000)")
    assert len(routes) == 1
    expect(panel.locator(".body")).to_have_attribute("aria-busy", "true")
    reply(routes[0], DONE)
    panel.get_by_role("heading", name="Thanks!").wait_for()
    expect(panel.locator("[aria-busy=true]")).to_have_count(0)
    assert page.evaluate("bellwether.queue.store.all()") == []
    assert page.problems == []


def test_a_chat_that_takes_longer_than_15_s_is_waited_for(context, pages, daemon):
    context.add_init_script(BY_HAND)
    Script(context, [run_of(CHAT)])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    routes = held(context, "**/chat")
    panel.get_by_label("Your message").fill("Hi")
    panel.get_by_label("Your message").press("Enter")
    assert eventually(lambda: page.evaluate("deadlines.some(([wait]) => wait > 15_000)") and len(routes) == 1)
    page.evaluate("expire(15_000)")
    reply(routes[0], {"messages": [{"content": "Late."}], "quick_replies": [], "turn": 1, "completed": None})
    panel.get_by_text("Late.").wait_for()
    expect(panel.get_by_text("Please try again.")).to_have_count(0)


def test_what_was_sent_without_an_answer_goes_on_when_it_has_arrived(context, pages, daemon):
    script = Script(context, [run_of(form([field("text", {})]))])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    context.route("**/advance", lambda route: route.abort())
    panel.get_by_label("text", exact=True).fill("Ann")
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Saved").wait_for()
    context.unroute("**/advance")
    second = run_of({"id": "end", "type": "welcome", "title": "Further on"})
    script.flow = {**script.flow}
    context.route("**/advance", answering(second))
    context.route("**/runs/r1", answering(second))
    page.evaluate("dispatchEvent(new Event('online'))")
    panel.get_by_role("heading", name="Further on").wait_for()


def test_a_reload_while_a_hook_is_asked_loses_nothing(context, pages, daemon):
    step = form([field("text", {})])
    script = Script(context, [run_of(step), (200, run_of(step)), DONE])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    asked = lambda route: None
    context.route("**/advance", asked)
    panel.get_by_label("text", exact=True).fill("Ann")
    panel.get_by_role("button", name="Go on").click()
    assert eventually(lambda: len(page.evaluate("bellwether.queue.store.all()")) == 1)
    page.reload()
    context.unroute("**/advance", asked)
    page.wait_for_function("() => window.bellwether")
    show(page)
    expect(panel.get_by_label("text", exact=True)).to_have_value("Ann")
    panel.get_by_label("text", exact=True).fill("Anna")
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    # The earlier action is not sent after the new one.
    assert script.responses == [{"text": "Anna"}] and page.evaluate("bellwether.queue.store.all()") == []


def test_who_is_kept_at_a_step_keeps_what_was_written(context, pages, daemon):
    step = form([field("text", {}), field("toggle", {})])
    blocked = run_of(step, banner={"kind": "error", "text": "Invalid referral code."})
    problem = {"status": 422, "errors": [{"pointer": "/response/text", "code": "pattern", "message": "Letters, please"}]}
    script = Script(context, [run_of(step), blocked, (422, problem), run_of(step, banner=None), DONE])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    panel.get_by_label("text", exact=True).fill("BAD")
    panel.get_by_role("switch", name="toggle").check()
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("alert").get_by_text("Invalid referral code.").wait_for()
    expect(panel.get_by_label("text", exact=True)).to_have_value("BAD")
    expect(panel.get_by_role("switch")).to_be_checked()
    assert violations(page) == []
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_text("Letters, please").first.wait_for()
    expect(panel.get_by_text("Invalid referral code.")).to_have_count(0)
    with page.expect_response("**/advance"):
        panel.get_by_role("button", name="Go on").click()
    # Until the page has read the answer, another press is ignored.
    page.wait_for_function("() => [...bellwether.views.values()].every(view => !view.isMoving)")
    expect(panel.get_by_text("Letters, please")).to_have_count(0)
    expect(panel.get_by_label("text", exact=True)).to_have_value("BAD")
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses == [{"text": "BAD", "toggle": True}] * 4


TOUR = {"kind": "flow", "name": "Tour", "steps": [
    {"id": "hello", "type": "welcome", "config": {"title": "Welcome"}},
    {"id": "you", "type": "form", "config": {"title": "You", "fields": [
        {"id": "name", "type": "text", "label": "Name"}, {"id": "pin", "type": "password", "label": "Code"}]}},
    {"id": "end", "type": "welcome", "config": {"title": "Done"}}]}


@pytest.fixture
def tour(daemon):
    def publish(**settings):
        slug = f"tour-{time.monotonic_ns()}"
        daemon.put(slug, {**TOUR, "id": slug, "settings": settings})
        return slug
    return publish


def counts(daemon, slug):
    results = daemon.call("GET", f"/v1/apps/{APP}/results/{slug}")[1]
    return {name: results[name] for name in ("total_runs", "active", "completed", "dismissed")}


def begin(page, slug):
    page.evaluate("slug => bellwether.show(slug, {kind: 'flow'})", slug)
    panel = view(page)
    panel.locator("h2").first.wait_for()
    return panel


def test_closing_a_flow_that_nobody_has_begun_dismisses_it(open_page, daemon, tour):
    page = open_page()
    page.evaluate("for (const name of ['dismissed', 'cancelled']) document.addEventListener('bellwether:' + name, () => (window.told ??= []).push(name))")
    for close in (lambda panel: panel.get_by_role("button", name="Close").click(), lambda panel: page.keyboard.press("Escape")):
        slug = tour()
        close(begin(page, slug))
        assert eventually(lambda: page.locator("bellwether-view").count() == 0)
        assert eventually(lambda: counts(daemon, slug)["dismissed"] == 1), counts(daemon, slug)
        names = [record["name"] for record in daemon.telemetry() if record["extra"].get("flow_id") == slug]
        assert names == ["onboarding_flow_started", "onboarding_step_viewed", "onboarding_flow_dismissed"]
    assert page.evaluate("window.told") == ["dismissed", "dismissed"]


def test_closing_a_flow_asks_whether_it_is_kept(open_page, daemon, tour):
    slug = tour()
    page = open_page()
    panel = begin(page, slug)
    panel.get_by_role("button", name="Next").click()
    panel.get_by_label("Name").fill("Ann")
    panel.get_by_label("Code").fill("1234")
    page.keyboard.press("Escape")
    panel.get_by_role("heading", name="Keep your answers?").wait_for()
    assert violations(page) == []
    heading = "document.querySelector('bellwether-view').shadowRoot.activeElement.textContent"
    assert eventually(lambda: page.evaluate(heading) == "Keep your answers?")
    expect(panel.get_by_label("Name")).to_be_hidden()
    # Escape or Back returns to the previous focus.
    page.keyboard.press("Escape")
    expect(panel.get_by_label("Name")).to_have_value("Ann")
    expect(panel.get_by_label("Code")).to_be_focused()
    page.keyboard.press("Escape")
    panel.get_by_role("button", name="Keep it for later").click()
    assert eventually(lambda: page.locator("bellwether-view").count() == 0)
    assert counts(daemon, slug) == {"total_runs": 1, "active": 1, "completed": 0, "dismissed": 0}
    # Text that was written and not sent is restored, except a secret.
    page.reload()
    page.wait_for_function("() => window.bellwether")
    begin(page, slug)
    panel.get_by_label("Name").wait_for()
    expect(panel.get_by_label("Name")).to_have_value("Ann")
    expect(panel.get_by_label("Code")).to_have_value("")
    assert "1234" not in page.evaluate("JSON.stringify(localStorage)")
    panel.get_by_role("button", name="Close").click()
    panel.get_by_role("button", name="Stop").click()
    assert eventually(lambda: page.locator("bellwether-view").count() == 0)
    assert eventually(lambda: counts(daemon, slug)["dismissed"] == 1)
    assert page.problems == []


def test_a_flow_that_may_not_be_dismissed_has_no_way_out(open_page, daemon, tour):
    slug = tour(dismiss_allowed=False)
    page = open_page()
    panel = begin(page, slug)
    expect(panel.get_by_role("button", name="Close")).to_have_count(0)
    for _ in range(3):
        page.keyboard.press("Escape")
    expect(panel.get_by_role("heading", name="Welcome")).to_be_visible()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_label("Name").wait_for()
    page.keyboard.press("Escape")
    expect(panel.get_by_label("Name")).to_be_visible()
    assert counts(daemon, slug)["active"] == 1


UNTOUCHED = [("slider", {}), ("range_slider", {}), ("color", {})]
WHEEL = {"type": "wheel_picker", "id": "wheel", "label": "wheel", "min": 1, "max": 9, "visible": True}


def test_a_control_that_nobody_has_used_is_no_answer(context, pages, daemon):
    step = form([field(kind, config) for kind, config in UNTOUCHED], content_blocks=[WHEEL])
    script = Script(context, [run_of(step), run_of({**step, "id": "again", "title": "Again"}), DONE])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    expect(panel.get_by_text("No answer yet")).to_have_count(5)
    expect(panel.get_by_label("slider", exact=True)).to_have_attribute("aria-valuetext", "No answer yet")
    assert violations(page) == []
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Again").wait_for()
    # The current position becomes an answer once it was pressed.
    panel.get_by_label("slider", exact=True).press("Home")
    panel.get_by_label("wheel", exact=True).press("ArrowRight")
    panel.get_by_label("range_slider: highest value").fill("60")
    panel.get_by_label("color", exact=True).fill("#10a0ff")
    expect(panel.get_by_text("No answer yet")).to_have_count(0)
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses == [{}, {"slider": 0, "wheel": 2, "range_slider": {"low": 0, "high": 60}, "color": "#10A0FF"}]


def test_a_default_is_an_answer(context, pages, daemon):
    defaults = {"slider": 30, "range_slider": {"low": 10, "high": 20}, "color": "#102030"}
    step = form([field(kind, {"default_value": value}) for kind, value in defaults.items()], content_blocks=[{**WHEEL, "default": 4}])
    script = Script(context, [run_of(step), DONE])
    panel = show(open_widget(context, pages, daemon))
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses == [{**defaults, "wheel": 4}]


def test_a_hook_of_the_page_adds_data_and_skips(open_page, daemon):
    slug = f"hosted-{time.monotonic_ns()}"
    steps = [{"id": "you", "type": "form", "config": {"fields": [{"id": "name", "type": "text", "label": "Name"}]}},
             {"id": "middle", "type": "welcome", "config": {"title": "Middle"}},
             {"id": "end", "type": "welcome", "config": {"title": "Welcome, {{computed.plan | nobody}}"}}]
    daemon.put(slug, {"kind": "flow", "id": slug, "name": "Tour", "steps": steps})
    page = open_page()
    answers = [("{action: 'proceed_with_data', data: {plan: 'pro', referral_validated: true}}", "Middle"),
               ("{action: 'skip_to', target_step_id: 'end'}", "Welcome, nobody"),
               ("{action: 'skip_to_with_data', target_step_id: 'end', data: {plan: 'pro'}}", "Welcome, pro")]
    for answer, title in answers:
        page.evaluate(f"bellwether.reset(); bellwether.hooks.beforeAdvance = () => ({answer})")
        panel = begin(page, slug)
        panel.get_by_label("Name").fill("Ann")
        panel.get_by_role("button", name="Next").click()
        panel.get_by_role("heading", name=title).wait_for()
    assert page.problems == []
