"""The page's stream: a change is on the page before the next poll is due, and without a stream the page polls as before."""

import json

import pytest
from conftest import APP, Daemon, MANIFEST, eventually, open_widget, recipe_of

POLLS = "data-surfaces=home"
# A page gives up its stream when no event has come for ten seconds, and a busy machine may need longer.
PATIENT = "const { setTimeout: real } = window; window.setTimeout = (run, time) => time === 10_000 ? 0 : real(run, time);"


def message(text):
    return recipe_of({"news": {"surface": "home", "text": text, "style": "OFTEN"}}) | {
        "styles": {"OFTEN": {"max-display-count": 100}}}


@pytest.fixture
def opened(context, pages, daemon):
    """Opens a page, and returns it with the requests and the events of its stream."""
    def open_page(attributes=POLLS, of=daemon, is_patient=True):
        requests = []
        if is_patient:
            context.add_init_script(PATIENT)
        context.on("request", lambda request: requests.append(request))
        page = open_widget(context, pages, of, attributes, script=None, wait=False)
        page.wait_for_function("() => window.bellwether !== undefined")
        page.requests = requests
        return page
    return open_page


def asked(page, what, method=None):
    """The requests of the page for a path below the app."""
    def is_asked(request):
        path = request.url.split("?")[0]
        return path.endswith(f"/{what}") and method in (None, request.method)
    return [request for request in page.requests if is_asked(request)]


def polls(page):
    return asked(page, "messages", "POST")


def is_streaming(page):
    """Whether the first event has come, and the poll that it causes is answered."""
    return page.evaluate("bellwether.stream.lastID !== '' && bellwether.nextPoll > Date.now()")


def shown(page, text):
    return page.locator("bellwether-view").get_by_text(text)


def test_a_published_message_is_on_the_page_before_the_next_poll(opened, daemon):
    page = opened()
    assert eventually(lambda: is_streaming(page))
    # The next poll is minutes away.
    assert page.evaluate("bellwether.nextPoll - Date.now()") > 100_000
    daemon.put("published", message("Just published"))
    shown(page, "Just published").wait_for()
    assert page.problems == []
    daemon.delete("published")


def test_another_device_of_the_user_notifies_the_page_and_its_own_events_do_not(opened, daemon):
    page = opened(POLLS + ' data-user-id=ann data-client-id=phone')
    assert eventually(lambda: is_streaming(page))
    name = page.evaluate("bellwether.stream.name")
    before = len(polls(page))
    page.evaluate("bellwether.event('opened')")
    assert eventually(lambda: len(polls(page)) == before + 1)
    assert polls(page)[-1].headers["bellwether-stream"] == name
    # Had the page's own event notified it, its poll would have come before that of the other device's dismissal.
    last = page.evaluate("bellwether.stream.lastID")
    assert daemon.call("POST", f"/v1/apps/{APP}/identify", {"client_id": "tablet", "user_id": "ann"})[0] == 200
    assert daemon.call("POST", f"/v1/apps/{APP}/questionnaires/dismiss", {"client_id": "tablet"})[0] == 200
    assert eventually(lambda: page.evaluate("bellwether.stream.lastID") != last)
    assert eventually(lambda: len(polls(page)) == before + 2)


def test_a_page_that_was_hidden_for_long_polls_when_it_comes_back(opened, daemon, context):
    def hastens(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=json.dumps({**answer.json(), "inactivity_seconds": 0}))
    context.route(lambda url: url.endswith("/stream"), hastens)
    page = opened()
    assert eventually(lambda: is_streaming(page))
    hide = """state => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(hide, "hidden")
    assert eventually(lambda: page.evaluate("bellwether.stream.source === undefined && bellwether.nextPoll === 0"))
    before = len(polls(page))
    page.evaluate(hide, "visible")
    assert eventually(lambda: len(polls(page)) == before + 1)
    # The stream opens again where it was left, so the page is not notified of what it knows.
    last = page.evaluate("bellwether.stream.lastID")
    assert eventually(lambda: page.evaluate("bellwether.stream.source?.readyState") == 1)
    assert f"last_event_id={last}" in asked(page, "stream", "GET")[-1].url


def test_where_streams_are_refused_the_page_polls_as_before(tmp_path, pages, opened):
    daemon = Daemon(tmp_path, pages.url, settings="streams:\n  limit: 0\n")
    try:
        daemon.call("PUT", f"/v1/apps/{APP}/manifest", MANIFEST)
        page = opened(of=daemon)
        assert eventually(lambda: len(asked(page, "stream", "POST")) == 1)
        assert eventually(lambda: page.evaluate("bellwether.stream.attempt === undefined"))
        # The next poll tries again.
        assert page.evaluate("bellwether.poll().then(() => bellwether.stream.attempt !== undefined && !bellwether.stream.isUnavailable)")
        assert len(polls(page)) == 2
    finally:
        daemon.stop()


def test_behind_a_proxy_that_passes_nothing_on_the_page_gives_up_its_stream(opened, context):
    context.route(lambda url: "/stream?" in url, lambda route: None)
    page = opened(is_patient=False)
    assert eventually(lambda: page.evaluate("bellwether.stream.isUnavailable"))
    assert page.evaluate("bellwether.stream.source === undefined && bellwether.nextPoll > Date.now()")
    page.evaluate("bellwether.poll()")
    assert eventually(lambda: len(polls(page)) == 2)
    assert page.evaluate("bellwether.stream.attempt === undefined") and len(asked(page, "stream", "POST")) == 1


def test_consent_that_is_withdrawn_closes_the_stream(opened):
    page = opened()
    assert eventually(lambda: is_streaming(page))
    page.evaluate("bellwether.consent(false)")
    assert page.evaluate("bellwether.stream.source === undefined && bellwether.stream.lastID === ''")
