"""The JavaScript client in a browser: the page of Examples/javascript as it stands, with the samples' app."""

import pytest
from conftest import Daemon, ROOT, eventually, new_context

APP = "trail-notes"
KEPT = "indexedDB.databases().then(list => [list.length, localStorage.length])"


@pytest.fixture(scope="module")
def samples(tmp_path_factory, pages):
    daemon = Daemon(tmp_path_factory.mktemp("samples"), pages.url, settings="telemetry:\n  behavior: true\n", extra=[
        "--apps", ROOT / "config/apps", "--recipes", ROOT / "recipes"])
    yield daemon
    daemon.stop()


@pytest.fixture
def opened(context, pages, samples):
    """Opens the page of the example, with the client's modules where npm puts them."""
    for module in (ROOT / "Web/client").glob("*.js"):
        pages.add(f"/example/node_modules/@bellwether/client/{module.name}", module.read_text(), {"Content-Type": "text/javascript"})
    html = (ROOT / "Examples/javascript/index.html").read_text()
    assert "http://127.0.0.1:8080" in html
    address = pages.add("/example/", html.replace("http://127.0.0.1:8080", samples.url))

    def open_page(within=context):
        page = within.new_page()
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.goto(address)
        return page
    return open_page


def answers(samples):
    return [record for record in samples.telemetry(APP) if record["name"] == "submit_button_tapped"]


def views(samples):
    return len([record for record in samples.telemetry(APP) if record["name"] == "page_viewed"])


def waiting(page):
    """The number of views that the page has stored and not yet sent."""
    return page.evaluate("""() => new Promise(resolve => {
        const opening = indexedDB.open("bellwether-trail-notes");
        opening.onsuccess = () => {
            const reading = opening.result.transaction("posts").objectStore("posts").getAll();
            reading.onsuccess = () => {
                opening.result.close();
                const events = reading.result.flatMap(post => post.path === "events" ? post.body.events : []);
                resolve(events.filter(event => event.name === "page_viewed").length);
            };
        };
    })""")


def lost(route):
    return route.abort()


def test_the_example_shows_a_question_and_records_the_answer_once(opened, samples):
    before = len(answers(samples)), views(samples)
    page = opened()
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Thank you!").wait_for()
    assert len(answers(samples)) == before[0] + 1
    assert eventually(lambda: views(samples) == before[1] + 1)
    assert page.problems == []
    # The answered question is not asked again.
    page.reload()
    assert eventually(lambda: views(samples) == before[1] + 2)
    assert page.locator("#mood").is_hidden()


def test_without_network_the_page_has_its_messages_and_its_answer_survives_a_reload(opened, samples, context):
    before = len(answers(samples)), views(samples)
    page = opened()
    # The view is acknowledged: nothing of it waits any more.
    assert eventually(lambda: views(samples) == before[1] + 1 and waiting(page) == 0)
    page.get_by_role("radio").first.check()
    context.route("**/v1/**", lost)
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Saved. It is sent later.").wait_for()
    page.reload()
    assert eventually(lambda: waiting(page) == 1)
    assert len(answers(samples)) == before[0]
    context.unroute("**/v1/**", lost)
    # Two tabs share what waits.
    page.reload()
    opened()
    assert eventually(lambda: len(answers(samples)) == before[0] + 1)
    # The invitation comes with the second view. The three visits of this tab, and that of the second one:
    assert eventually(lambda: views(samples) >= before[1] + 4)
    page.reload()
    invitation = page.get_by_text("A few short questions")
    invitation.wait_for()
    assert eventually(lambda: views(samples) >= before[1] + 5 and waiting(page) == 0)
    context.route("**/v1/**", lost)
    page.reload()
    invitation.wait_for()
    assert eventually(lambda: waiting(page) == 1)
    context.unroute("**/v1/**", lost)
    page.reload()
    assert eventually(lambda: views(samples) >= before[1] + 7)
    assert (len(answers(samples)), views(samples)) == (before[0] + 1, before[1] + 7)


def test_a_browser_that_stores_nothing_answers_as_well(browser, opened, samples):
    before = len(answers(samples))
    with new_context(browser) as refusing:
        refusing.add_init_script("IDBFactory.prototype.open = () => { throw new DOMException('no', 'QuotaExceededError') };"
                                 "Storage.prototype.setItem = () => { throw new DOMException('no', 'QuotaExceededError') }")
        page = opened(refusing)
        refusing.route("**/responses", lost)
        page.get_by_role("radio").first.check()
        page.get_by_role("button", name="Send").click()
        page.get_by_text("Saved. It is sent later.").wait_for()
        refusing.unroute("**/responses", lost)
        page.evaluate("dispatchEvent(new Event('online'))")
        assert eventually(lambda: len(answers(samples)) == before + 1)
        assert page.evaluate(KEPT) == [0, 0]
        assert page.problems == []
