"""The preview is exact: it shows the same as the hosted page, also after each action, and it calls no owner's server
(docs/console.md#preview, docs/web.md#preview)."""

import gzip
import http.server
import json
import subprocess
import threading

import pytest
from conftest import APP, Daemon, MANIFEST, PROGRAM, ROOT, eventually, new_context, violations
from playwright.sync_api import expect
from test_console import opened
from test_console_preview import SERIALIZE, drawn, elements, harness  # noqa: F401 (a fixture)

WIDE = """() => [...document.querySelector('bellwether-view').shadowRoot.querySelectorAll('h2, .option, input, button')]
    .map(element => element.getBoundingClientRect()).map(({width, height}) => [Math.round(width), Math.round(height)])"""
HOSTED = ["first-steps", "trip-coach", "first-trips", "hiking-habits"]
PERSONAS = {"Ada, on the pro plan": {"context": {"plan": "pro", "name": "Ada", "locale": "de"}}, "Nobody": {"context": {"plan": "free"}}}


def seen(place):
    """The whole content of the views of a page or a frame, except ids and times."""
    return place.evaluate(f"({SERIALIZE})(document)")


def same(one, other, what):
    assert eventually(lambda: seen(one) == seen(other) != "[]"), (what, seen(one), seen(other))


@pytest.fixture(scope="module")
def samples(tmp_path_factory, pages):
    """A daemon like that of `make run`, with personas in the manifest of the sample."""
    folder = tmp_path_factory.mktemp("samples")
    # The table has few places, so the daemon reads it quickly.
    with gzip.open(ROOT / "config/locations/cities.tsv.gz", "rt", encoding="utf-8") as cities:
        (folder / "cities.tsv").write_text("".join(line for line in cities if "Leipzig" in line), "utf-8")
    daemon = Daemon(folder, pages.url, ["--apps", ROOT / "config/apps", "--recipes", ROOT / "recipes"],
                    settings=f"locations:\n  cities: {folder / 'cities.tsv'}\n")
    yield daemon
    daemon.stop()


class Owner(http.server.ThreadingHTTPServer):
    """A server that no preview may call."""

    daemon_threads = True

    def __init__(self):
        self.asked = []
        super().__init__(("127.0.0.1", 0), Asked)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/"


class Asked(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.asked.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"action": "proceed"}')

    def log_message(self, *arguments):
        pass


@pytest.fixture
def owner():
    server = Owner()
    yield server
    server.shutdown()
    assert server.asked == []


@pytest.mark.parametrize("width", [320, 360, 768])
@pytest.mark.parametrize("slug", HOSTED)
def test_goal_32_the_preview_equals_the_hosted_page(browser, samples, slug, width):
    for locale in ("en", "de", "ar"):
        with opened(browser, samples, f"/console/a/trail-notes/r/{slug}?preview={locale},,{width}", viewport={"width": 1400, "height": 900}) as page, \
                new_context(browser, viewport={"width": width, "height": 640}) as context:
            frame = drawn(page)
            hosted = context.new_page()
            hosted.goto(f"{samples.url}/s/trail-notes/{slug}?locale={locale}")
            hosted.locator("bellwether-view .content").first.wait_for()
            same(frame, hosted, (slug, locale, width))
            assert frame.evaluate("document.documentElement.dir") == hosted.evaluate("document.documentElement.dir")
            assert eventually(lambda: page.locator("dialog iframe").bounding_box()["width"] == width)
            # Both get the same width, because a dialog's frame has its own border and scroll bar.
            inner = frame.evaluate("document.body.clientWidth")
            hosted.set_viewport_size({"width": width + inner - hosted.evaluate("document.body.clientWidth"), "height": 640})
            assert eventually(lambda: hosted.evaluate("document.body.clientWidth") == inner)
            assert eventually(lambda: frame.evaluate(WIDE) == hosted.evaluate(WIDE)), (frame.evaluate(WIDE), hosted.evaluate(WIDE))


def walk_first_steps(choice):
    """The actions of a visitor of the sample, as functions of a panel. Each waits for what only its own step shows, because
    a press before the last one has its answer is ignored."""
    def at(panel, heading):
        panel.get_by_role("heading", name=heading).wait_for()
        return panel

    def press(name, heading):
        return lambda panel: at(panel, heading).get_by_role("button", name=name).click()

    def choose(panel):
        at(panel, "What do you do outdoors?").get_by_role("checkbox", name=choice).check()
        panel.get_by_role("button", name="Next").click()

    def go_back(panel):
        at(panel, "About you").get_by_text("Please check these answers").first.wait_for()
        panel.get_by_role("button", name="Back").click()

    def fill_in(panel):
        at(panel, "About you").get_by_role("textbox", name="Name (required)").fill("Ada")
        panel.get_by_role("switch").check()
        panel.get_by_label("What is its name?").fill("Rex")
        panel.get_by_role("button", name="Next").click()

    yield "hello", press("Let's go", "Welcome to Trail Notes")
    yield "goal", choose
    if choice == "Walk":
        yield "maps", press("Next", "Maps without a network")
    yield "a fault", press("Next", "About you")
    yield "back", go_back
    yield "on", press("Next", "Maps without a network" if choice == "Walk" else "What do you do outdoors?")
    yield "profile", fill_in
    yield "ready", press("Done", "All set, Ada!")


@pytest.mark.parametrize("choice", ["Walk", "Hike", "Climb"])
def test_goal_32_a_walked_flow_shows_what_the_hosted_page_shows(browser, samples, choice):
    """Each branch, with templates, conditions, faults, steps back, and the end."""
    with opened(browser, samples, "/console/a/trail-notes/r/first-steps?preview=en,,360") as page, new_context(
            browser, viewport={"width": 360, "height": 640}) as context:
        frame = drawn(page)
        runs = lambda: samples.call("GET", "/v1/apps/trail-notes/results/first-steps")[1]["total_runs"]  # noqa: E731
        before = runs()
        hosted = context.new_page()
        hosted.goto(f"{samples.url}/s/trail-notes/first-steps?locale=en")
        panels = [place.locator("bellwether-view .panel") for place in (frame, hosted)]
        for name, act in walk_first_steps(choice):
            for panel in panels:
                act(panel)
            if name == "profile":
                for panel in panels:
                    panel.get_by_role("heading", name="All set, Ada!").wait_for()
                    panel.get_by_text("Trails where Rex is").wait_for()
            same(frame, hosted, name)
        panels[0].get_by_role("heading", name="Thanks!").wait_for()
        # Only the hosted page has stored a run.
        assert eventually(lambda: runs() == before + 1)
        assert page.problems == []


def test_goal_32_a_walk_equals_flow_batch(browser, samples, elements, tmp_path):
    """The preview gets the same answers as the command line, which uses the same library."""
    document = samples.call("GET", "/v1/apps/trail-notes/recipes/first-steps")[1]
    with harness(browser, samples, elements) as page:
        page.evaluate("""text => {
            globalThis.walks = [];
            globalThis.asked = [];
            const send = fetch;
            globalThis.fetch = (address, options) => {
                if (String(address).includes("/simulate")) asked.push(JSON.parse(options.body));
                return send(address, options);
            };
            globalThis.pane = previewPane({ app: "trail-notes", slug: "first-steps", document: new JSONDocument(text), look: { locale: "en" } });
            pane.addEventListener("bw-walk", event => walks.push(event.detail));
            document.querySelector("main").append(pane);
        }""", json.dumps(document))
        page.locator("iframe[data-drawn]").wait_for()
        panel = page.frames[1].locator("bellwether-view .panel")
        for _, act in walk_first_steps("Climb"):
            act(panel)
        panel.get_by_role("heading", name="Thanks!").wait_for()
        walk, question = page.evaluate("[walks.at(-1), asked.at(-1)]")
    line = {"flow": document, **{key: question[key] for key in ("now", "locale", "context", "actions")}, "platform": "web"}
    batch = subprocess.run([PROGRAM, "flow", "batch"], input=json.dumps(line) + "\n", capture_output=True, text=True, check=True)
    told = json.loads(batch.stdout)
    assert walk["runs"] == told["runs"] and walk["events"] == told["events"]
    assert [run["step_id"] for run in walk["runs"]] == ["hello", "goal", "profile", "goal", "profile", "ready", None]
    assert [rule["holds"] for rule in walk["rules"] if rule["step_id"] == "goal"][:2] == [True, None]


def test_goal_32_a_chat_is_held_as_on_the_hosted_page(browser, samples):
    """Under --dev the hosted page uses the flow's sample replies, like every preview."""
    with opened(browser, samples, "/console/a/trail-notes/r/trip-coach?preview=en,,360") as page, new_context(
            browser, viewport={"width": 360, "height": 640}) as context:
        frame = drawn(page)
        hosted = context.new_page()
        hosted.goto(f"{samples.url}/s/trail-notes/trip-coach?locale=en")
        places = (frame, hosted)
        # A conversation must begin first.
        for place in places:
            place.get_by_role("button", name="Next").click()
            place.get_by_text("Write a message first").or_(place.locator("[data-banner]")).first.wait_for()
        same(frame, hosted, "too early")
        for say in ("To a lake", "A whole day", "Yes, please"):
            for place in places:
                place.get_by_role("button", name=say).click()
            same(frame, hosted, say)
        for place in places:
            rating = place.get_by_role("group", name="How was this conversation?")
            rating.get_by_role("button", name="5").click()
            rating.wait_for(state="detached")
        for place in places:
            place.get_by_role("button", name="Next").click()
            place.get_by_role("heading", name="Round the Grey Lake is in your diary").wait_for()
        same(frame, hosted, "found")


def hooked(owner, **hook):
    return {"kind": "flow", "id": "hooked", "name": "Hooked", "steps": [
        {"id": "code", "type": "form", "config": {"title": "Hello {{user.name | you}}", "fields": [{"id": "code", "type": "text", "label": "Code"}]},
         "hook": {"webhook_url": owner.url, "error_text": "Not a code of ours.", **hook}},
        {"id": "talk", "type": "interactive_chat", "config": {"title": "Talk", "chat_config": {
            "auto_messages": [{"content": "Hello {{user.name | you}}."}, {"content": "And then?", "turn": 2}], "quick_replies": [{"id": "yes", "text": "Yes"}],
            "webhook": {"webhook_url": owner.url, "error_text": "Nobody is there."}}}},
        {"id": "end", "type": "welcome", "config": {"title": "The end"}}]}


PANE = """([text, look]) => {
    globalThis.text = new JSONDocument(text);
    globalThis.pane = previewPane({ app: "shop", slug: "hooked", document: globalThis.text, look });
    document.querySelector("main").append(pane);
}"""


def test_hooks_and_chats_are_stood_in_for_by_choice(browser, daemon, elements, owner):
    with harness(browser, daemon, elements) as page:
        page.evaluate(PANE, [json.dumps(hooked(owner)), {}])
        page.locator("iframe[data-drawn]").wait_for()
        panel = page.frames[1].locator("bellwether-view .panel")
        choice = page.get_by_label("Hooks and chats")
        choice.select_option("block")
        panel.get_by_label("Code").fill("ABC")
        panel.get_by_role("button", name="Next").click()
        panel.get_by_text("Not a code of ours.").wait_for()
        expect(panel.get_by_label("Code")).to_have_value("ABC")
        choice.select_option("fail")
        # The same sentence again is another element.
        panel.get_by_text("Not a code of ours.").evaluate("e => e.dataset.last = ''")
        panel.get_by_role("button", name="Next").click()
        panel.get_by_text("Not a code of ours.").and_(panel.locator(":not([data-last])")).wait_for()
        # A choice affects later actions only; earlier actions stay.
        choice.select_option("")
        panel.get_by_role("button", name="Next").click()
        panel.get_by_text("Hello you.").wait_for()
        line = panel.get_by_label("Your message")
        line.fill("I walk")
        line.press("Enter")
        panel.get_by_text("“I walk”").wait_for()
        panel.get_by_role("button", name="Yes").click()
        panel.get_by_text("And then?").wait_for()
        choice.select_option("fail")
        line.fill("More")
        line.press("Enter")
        panel.get_by_text("Nobody is there.").wait_for()
        assert violations(page) == []


def test_a_hook_that_may_fail_goes_on(browser, daemon, elements, owner):
    with harness(browser, daemon, elements) as page:
        page.evaluate(PANE, [json.dumps(hooked(owner, on_failure="proceed")), {"hook": "fail"}])
        page.locator("iframe[data-drawn]").wait_for()
        panel = page.frames[1].locator("bellwether-view .panel")
        panel.get_by_role("button", name="Next").click()
        panel.get_by_role("heading", name="Talk").wait_for()


@pytest.fixture
def persons(daemon):
    attributes = {**MANIFEST["attributes"], "name": "string"}
    assert daemon.call("PUT", f"/v1/apps/{APP}/manifest", {**MANIFEST, "attributes": attributes, "personas": PERSONAS})[0] in (200, 201)
    yield
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", MANIFEST)


def test_templates_are_filled_with_a_persona(browser, daemon, elements, owner, persons):
    with harness(browser, daemon, elements) as page:
        page.evaluate(PANE, [json.dumps(hooked(owner)), {}])
        page.locator("iframe[data-drawn]").wait_for()
        panel = page.frames[1].locator("bellwether-view .panel")
        panel.get_by_role("heading", name="Hello you").wait_for()
        page.get_by_label("Persona").select_option("Ada, on the pro plan")
        panel.get_by_role("heading", name="Hello Ada").wait_for()
        # The preview has the persona's language until another language is chosen.
        assert eventually(lambda: page.frames[1].evaluate("document.documentElement.lang") == "de")
        panel.get_by_role("button", name="Weiter").wait_for()
        address = page.evaluate("pane.look")
        assert address["persona"] == "Ada, on the pro plan"
        page.get_by_label("Language of the preview").select_option("en")
        panel.get_by_role("button", name="Next").click()
        panel.get_by_text("Hello Ada.").wait_for()


def test_a_persona_is_in_the_address(browser, daemon, owner, persons):
    daemon.put("hooked", hooked(owner))
    try:
        with opened(browser, daemon, f"/console/a/{APP}/r/hooked?preview=en") as page:
            frame = drawn(page)
            page.get_by_label("Persona").select_option("Ada, on the pro plan")
            page.get_by_label("Hooks and chats").select_option("block")
            frame.get_by_role("heading", name="Hello Ada").wait_for()
            page.reload()
            frame = drawn(page)
            frame.get_by_role("heading", name="Hello Ada").wait_for()
            expect(page.get_by_label("Persona")).to_have_value("Ada, on the pro plan")
            frame.get_by_role("button", name="Next").click()
            frame.get_by_text("Not a code of ours.").wait_for()
    finally:
        daemon.delete("hooked")


def test_conditions_ask_what_the_persona_is(browser, daemon, elements, persons):
    """The daemon evaluates a predicate of a survey, also in a preview."""
    survey = {"kind": "survey", "name": "Plans", "predicates": {"pays": "plan == 'pro' && answers.like == 'Yes'"}, "questions": [
        {"id": "like", "question": "Do you like it?", "question_type": "single_select", "options": ["Yes", "No"]},
        {"id": "why", "question": "Why do you pay?", "question_type": "single_text_field",
         "show_if": {"operation": "custom", "ids": ["like"], "extra": {"predicate": "pays"}}}]}
    with harness(browser, daemon, elements) as page:
        page.evaluate(PANE, [json.dumps(survey), {}])

        def choose(label, option):
            number = page.locator("iframe[data-drawn]").get_attribute("data-drawn")
            page.get_by_label(label).select_option(option)
            assert eventually(lambda: page.locator("iframe[data-drawn]").get_attribute("data-drawn") != number), option

        choose("Language of the preview", "en")
        for persona, isAsked in (("Nobody", False), ("Ada, on the pro plan", True)):
            choose("Persona", persona)
            panel = page.frames[1].locator("bellwether-view .panel")
            panel.get_by_role("radio", name="Yes").check()
            # The last question that is asked has the button that submits.
            assert eventually(lambda: panel.locator("button.primary").inner_text() == ("Next" if isAsked else "Submit"))
            panel.locator("button.primary").click()
            panel.get_by_text("Why do you pay?" if isAsked else "Thanks!").locator("visible=true").first.wait_for()


def test_what_the_daemon_refuses_is_refused_in_the_preview(browser, daemon, elements):
    """A fault that only the daemon finds, in a submission that is not stored."""
    survey = {"kind": "survey", "name": "Rules", "questions": [
        {"id": "age", "question": "How old?", "question_type": "single_text_field", "input_type": "number",
         "validations": [{"operation": "greater than", "value": 10, "on_fail_message": "Older than 10"}]}]}
    with harness(browser, daemon, elements) as page:
        page.evaluate(PANE, [json.dumps(survey), {}])
        page.locator("iframe[data-drawn]").wait_for()
        panel = page.frames[1].locator("bellwether-view .panel")
        panel.get_by_label("How old?").fill("9")
        panel.locator("button.primary").click()
        panel.get_by_text("Older than 10").first.wait_for()
        panel.get_by_label("How old?").fill("11")
        panel.locator("button.primary").click()
        panel.get_by_role("heading", name="Thanks!").wait_for()


def test_a_selected_step_is_shown_and_the_walk_goes_on_from_there(browser, daemon, elements, owner):
    with harness(browser, daemon, elements) as page:
        page.evaluate(PANE, [json.dumps(hooked(owner)), {}])
        page.locator("iframe[data-drawn]").wait_for()
        panel = page.frames[1].locator("bellwether-view .panel")
        page.evaluate("pane.update({ pointer: '/steps/2/config/title' })")
        panel.get_by_role("heading", name="The end").wait_for()
        panel.get_by_role("button", name="Back").click()
        panel.get_by_role("heading", name="Hello you").wait_for()
        page.evaluate("text.set('/steps/2/config/title', 'Really the end'); pane.update()")
        panel.get_by_role("heading", name="Really the end").wait_for()


def test_the_preview_page_is_played_as_well(browser, daemon, owner, persons):
    """Without a token, with a persona, a chosen hook result and a link's parameters. The browser stores nothing."""
    document = {**hooked(owner), "hosted": True, "link": {"answers": ["code"]}}
    daemon.put("hooked", document)
    url = daemon.url + daemon.call("POST", f"/v1/apps/{APP}/recipes/hooked/preview")[1]["url"]
    try:
        with new_context(browser) as context:
            page = context.new_page()
            asked = []
            page.on("request", lambda request: asked.append(request.url))
            page.goto(f"{url}?locale=en&persona=Ada,%20on%20the%20pro%20plan&hook=block&code=XYZ")
            panel = page.locator("bellwether-view .panel")
            panel.get_by_role("heading", name="Hello Ada").wait_for()
            expect(panel.get_by_label("Code")).to_have_value("XYZ")
            panel.get_by_role("button", name="Next").click()
            panel.get_by_text("Not a code of ours.").wait_for()
            page.goto(f"{url}?locale=en")
            panel.get_by_role("heading", name="Hello you").wait_for()
            panel.get_by_role("button", name="Next").click()
            panel.get_by_role("heading", name="Talk").wait_for()
            assert page.evaluate("localStorage.length") == 0
            assert not any("/v1/" in address for address in asked)
        status, refused = daemon.call("GET", url.removeprefix(daemon.url) + "?persona=Eve")
        assert status == 422 or status == 400, refused
        assert daemon.call("POST", "/preview/nothing", {})[0] == 404
        assert daemon.call("GET", f"/v1/apps/{APP}/results/hooked")[1]["total_runs"] == 0
    finally:
        daemon.delete("hooked")


def test_places_are_suggested_in_the_preview(browser, samples):
    with opened(browser, samples, "/console/a/trail-notes/r/first-steps?preview=en") as page:
        frame = drawn(page)
        panel = frame.locator("bellwether-view .panel")
        for _, act in list(walk_first_steps("Hike"))[:2]:
            act(panel)
        panel.get_by_label("Where do you start?").press_sequentially("Leipz")
        panel.get_by_role("option", name="Leipzig").first.wait_for()
