"""Fixtures of the browser tests: a daemon, a page of another origin that embeds the widget, a browser.

The daemon is the debug build; `make test-browser` makes it. The widget's files come from Web/dist, so a change of Web/
needs only Scripts/web-bundle, and no build of the program.
"""

import contextlib
import functools
import http.server
import json
import os
import pathlib
import subprocess
import threading
import time
import urllib.error
import urllib.request

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(os.environ.get("BELLWETHER", ROOT / ".build/debug/bellwether"))
APP = "shop"
TAGS = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}

QUESTIONS = [
    {"id": "recommend", "type": "nps", "title": "Would you recommend us?", "required": True},
    {"id": "stars", "type": "rating", "title": "How do you like it?", "scale": 5},
    {"id": "use", "type": "single_choice", "title": "What do you use most?", "required": True,
     "options": [{"id": "maps", "label": "Maps"}, {"id": "diary", "label": "Diary"}]},
    {"id": "miss", "type": "multi_choice", "title": "What do you miss?", "subtitle": "Choose all that fit.",
     "options": [{"id": "offline", "label": "Offline"}, {"id": "watch", "label": "Watch"}]},
    {"id": "more", "type": "text", "title": "Anything else?", "multiline": True, "placeholder": "Write here"},
]
FEEDBACK = {"kind": "questionnaire", "name": "Feedback", "hosted": True, "schema": {"version": 1, "questions": QUESTIONS}}
SURVEY = {
    "kind": "survey", "name": "Habits", "hosted": True,
    "predicates": {"likes_fruit": "answers.snack == 'Fruit'"},
    "questions": [
        {"id": "snack", "header": "Question 1", "question": "What do you eat?", "question_type": "single_select",
         "options": ["Fruit", "Bread", {"title": "Other", "type": "freeform"}]},
        {"id": "which", "question": "Which fruit?", "question_type": "single_text_field", "max_chars": "20",
         "required": False, "show_if": {"id": "snack", "operation": "equals", "value": "Fruit"}},
        {"id": "seasons", "question": "When?", "question_type": "multi_select",
         "options": ["Spring", "Summer", {"title": "Else", "type": "freeform"}]},
        {"id": "year", "question": "Since which year?", "question_type": "year_picker", "max_year": "current_year",
         "num_years": "20", "sort_order": "DESC"},
        {"id": "day", "question": "Which day?", "question_type": "date_picker", "max_date": "current_date",
         "date_diff": {"year": -1}},
        {"id": "distance", "question": "How far?", "question_type": "single_text_field", "label": "Kilometres",
         "input_type": "number",
         "validations": [{"operation": "less than", "value": 150, "on_fail_message": "Less than 150, please."}]},
        {"id": "words", "question": "Describe it.", "question_type": "single_text_area"},
        {"id": "gear", "question": "What do you carry?", "question_type": "multi_text_field",
         "fields": [{"label": "Poles", "input_type": "number"}, {"label": "Bottles"}]},
        {"id": "pack", "question": "How heavy?", "question_type": "dynamic_label_text_field",
         "label_options": ["Kilograms", ["Pounds", "Ounces"]],
         "options_metadata": {"id": "units", "types": ["metric", "imperial"]}, "input_type": "number"},
        {"id": "names", "question": "Names?", "question_type": "add_text_field"},
        {"id": "mood", "question": "How happy?", "question_type": "segment_select", "low_tag": "Not", "high_tag": "Very",
         "values": ["1", "2", "3", "4", "5"]},
        {"id": "weekend", "question": "On weekends:", "question_type": "table_select", "options": ["Yes", "No"],
         "table_questions": [{"id": "alone", "title": "Alone?"}, {"id": "friends", "title": "With friends?"}],
         "sub_questions": [{"id": "who", "question": "Who?", "question_type": "single_text_field", "required": False,
                            "show_if": {"id": "weekend", "subid": "friends", "operation": "equals", "value": "Yes"}}]},
    ],
    "submit": {"button_title": "Send it"},
}
MANIFEST = {
    "app_name": "shop", "short_name": "Shop", "default_locale": "en",
    "attributes": {"plan": "string"}, "surfaces": ["home", "slot", "microsurvey", "corner"],
}


# The bound of every wait, in seconds. Only a failure waits as long, and a busy machine needs much more than a quiet one.
PATIENCE = 60
expect.set_options(timeout=PATIENCE * 1000)


# The files that only .ci/long runs. The others hold what a change breaks most often: the widget's ways to an answer,
# the console's editor, review, jobs and lists, and the pages of documents.
LONG = set("""
    console_access console_accounts console_ask console_blocks console_explain console_flow_map console_forecast console_goals console_new_app console_order
    console_owners console_responses console_results console_run console_texts console_truth flow_of_the_daemon flow_waiting goals_look
    goals_use looks phone qr
""".split())


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.stem.removeprefix("test_") in LONG:
            item.add_marker(pytest.mark.long)


def pytest_configure(config):
    config.addinivalue_line("markers", "long: runs in .ci/long and not in .ci/run (CONTRIBUTING.md)")
    missing = {name for name in LONG if not (ROOT / "Web/tests/browser" / f"test_{name}.py").exists()}
    assert not missing, missing
    config.addinivalue_line("markers", "figure: measures a time, so it runs alone and not in each check (docs/web.md)")
    config.addinivalue_line("markers", "firefox: runs in Firefox, and not in each check (CONTRIBUTING.md)")


def recipe_of(messages, triggers=None):
    return {"triggers": triggers or {}, "messages": messages}


class Daemon:
    """A daemon on a free port, by default with `--dev`."""

    def __init__(self, folder, origin, extra=(), is_open=True, settings=""):
        self.folder = folder
        config = folder / "bellwether.yaml"
        config.write_text(f"{settings}cors:\n  origins: [\"{origin}\"]\nweb:\n  directory: {ROOT / 'Web/dist'}\n")
        self.extra = [*extra, *(["--dev"] if is_open else [])]
        self.config = config
        self.token = None
        self.start()

    def start(self):
        log = open(self.folder / "daemon.log", "a")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--config", self.config, "--port", "0", "--workers", "1",
             "--data", self.folder / "data", *self.extra],
            stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), (self.folder / "daemon.log").read_text()[-2000:]
        self.url = line.split()[-1]

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {self.token}"} if self.token else {})}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")

    def put(self, slug, document, app=APP):
        status, body = self.call("PUT", f"/v1/apps/{app}/recipes/{slug}", document)
        assert status in (200, 201), body

    def delete(self, slug, app=APP):
        self.call("DELETE", f"/v1/apps/{app}/recipes/{slug}")

    def responses(self, slug, kind="questionnaires", app=APP):
        """Responses with their answers, newest first; drafts too."""
        return self.call("GET", f"/v1/apps/{app}/{kind}/{slug}/responses")[1]["items"]

    def telemetry(self, app=APP):
        """All records of an app, oldest first."""
        records, after = [], ""
        while True:
            with urllib.request.urlopen(f"{self.url}/v1/apps/{app}/telemetry?limit=10000{after}", timeout=PATIENCE) as answer:
                page = answer.read().splitlines()
                after = f"&after={answer.headers['Bellwether-Next']}"
            if not page:
                return records
            records += [json.loads(line) for line in page]


class Pages(http.server.ThreadingHTTPServer):
    """A separate origin: pages by path, each with its headers."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def add(self, path, html, headers=None):
        self.pages[path] = (html, headers or {})
        return self.url + path


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        html, headers = self.server.pages.get(self.path.split("?")[0], (None, {}))
        self.send_response(404 if html is None else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write((html or "").encode())

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="session")
def pages():
    server = Pages()
    yield server
    server.shutdown()


@pytest.fixture(scope="module")
def daemon(tmp_path_factory, pages):
    """One daemon for each file of tests, so that a file does not see the data of another file."""
    daemon = Daemon(tmp_path_factory.mktemp("daemon"), pages.url)
    status, body = daemon.call("PUT", f"/v1/apps/{APP}/manifest", MANIFEST)
    assert status in (200, 201), body
    daemon.put("feedback", FEEDBACK)
    daemon.put("habits", SURVEY)
    yield daemon
    daemon.stop()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
        except Exception as error:
            pytest.exit(f"Chromium does not start; is Debian's package chromium-headless-shell installed? {error}", returncode=2)
        yield browser
        browser.close()


@pytest.fixture
def context(browser):
    with new_context(browser) as context:
        yield context


# The open contexts of browsers.
contexts = []


@contextlib.contextmanager
def new_context(browser, **options):
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE * 1000)
    contexts.append(context)
    try:
        yield context
    finally:
        contexts.remove(context)
        # A request that is on its way now needs no answer.
        for routed in (context, *context.pages):
            routed.unroute_all(behavior="ignoreErrors")
        context.close()


counter = iter(range(1_000_000))


@pytest.fixture
def open_page(context, pages, daemon):
    """Opens a page that embeds the widget; the test can set further attributes of the tag, markup and headers."""
    return functools.partial(open_widget, context, pages, daemon)


def open_widget(context, pages, daemon, attributes="data-poll=manual", body="", headers=None, app=APP, path=None,
                script=None, wait=True):
    path = path or f"/page{next(counter)}"
    tag = script or f'<script async src="{daemon.url}/bellwether.js" data-app="{app}" {attributes}></script>'
    url = pages.add(path, f"<!doctype html><html lang=en><title>Shop</title><h1>Shop</h1>{body}{tag}", headers)
    page = context.new_page()
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda message: page.problems.append(message.text)
            if message.type == "error" and "Failed to load resource" not in message.text else None)
    page.goto(url)
    if wait:
        page.wait_for_function("() => window.bellwether !== undefined")
    return page


def step_through_habits(panel, day, distance="12", until=None):
    """Answers the survey `habits`, one question after another, up to the one that `until` names."""
    answers = [
        ("snack", lambda: panel.get_by_role("radio", name="Fruit").check()),
        ("which", lambda: panel.get_by_label("Which fruit?").fill("Apples")),
        ("seasons", lambda: (panel.get_by_role("checkbox", name="Spring").check(),
                             panel.get_by_role("checkbox", name="Else").check(),
                             panel.get_by_role("textbox", name="Else").fill("Monsoon"))),
        ("year", lambda: panel.get_by_label("Since which year?").select_option("2020")),
        ("day", lambda: panel.get_by_label("Which day?").fill(day)),
        ("distance", lambda: panel.get_by_label("How far?").fill(distance)),
        ("words", lambda: panel.get_by_label("Describe it.").fill("Long")),
        ("gear", lambda: panel.get_by_label("Poles").fill("2")),
        ("pack", lambda: (panel.get_by_role("radio", name="Pounds + Ounces").check(),
                          panel.get_by_label("Pounds", exact=True).fill("9"),
                          panel.get_by_label("Ounces", exact=True).fill("3"))),
        ("names", lambda: (panel.get_by_role("textbox", name="Names?").first.fill("Rex"),
                           panel.get_by_role("button", name="Add another").click(),
                           panel.get_by_role("textbox", name="Names?").nth(1).fill("Bella"))),
        ("mood", lambda: panel.get_by_role("radio", name="4", exact=True).check()),
        ("weekend", lambda: (panel.get_by_role("radio", name="Alone?: No").check(),
                             panel.get_by_role("radio", name="With friends?: Yes").check())),
        ("who", lambda: panel.get_by_label("Who?").fill("Ann")),
    ]
    for name, answer in answers:
        if name == until:
            return
        answer()
        if name != "who":
            panel.get_by_role("button", name="Next").click()


# Waits until nothing moves: every animation with an end has ended, in all open shadow trees, and two frames are drawn.
AT_REST = """async frames => {
    const all = root => [...root.getAnimations(),
        ...[...root.querySelectorAll("*")].flatMap(element => element.shadowRoot ? all(element.shadowRoot) : [])];
    const moving = () => all(document).filter(animation =>
        animation.playState === "running" && animation.effect?.getComputedTiming().endTime !== Infinity);
    do {
        await Promise.allSettled(moving().map(animation => animation.finished));
        if (frames) await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    } while (moving().length > 0);
}"""


def is_in_view(frame):
    """Whether a frame and those around it are in view. Others draw nothing, and their animations do not end."""
    if frame.parent_frame is None:
        return True
    shown = """frame => {
        const { top, bottom, left, right } = frame.getBoundingClientRect();
        return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    }"""
    return is_in_view(frame.parent_frame) and frame.frame_element().evaluate(shown)


def at_rest(page):
    """Waits until nothing moves in the page and in its frames that are in view."""
    def rests():
        try:
            for frame in page.frames:
                if is_in_view(frame):
                    frame.evaluate(AT_REST, frame == page.main_frame)
            return True
        except Error:
            # The page replaces or loads a frame meanwhile, and each call may be the one that finds it gone.
            return False

    assert eventually(rests), "a frame cannot be read"


def violations(page):
    """The rules of WCAG A and AA to 2.2 that the page breaks when nothing moves, each with its elements.

    A page that changes while it is judged, such as at the answer to a request, is judged again.
    """
    found = None
    for _ in range(10):
        at_rest(page)
        before, found = found, [(rule["id"], [node["html"][:160] for node in rule["nodes"]])
                                for rule in Axe().run(page, options=TAGS).response["violations"]]
        if found in ([], before):
            break
    return found


def sent(page):
    """Waits until the daemon has answered all that the widget records."""
    assert eventually(lambda: page.evaluate("bellwether.queue.store.all()") == [])


def eventually(check):
    """The result of check(), once it is true, or else its last result."""
    end = time.monotonic() + PATIENCE
    while True:
        value = check()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.05)
        # Only during its calls does Playwright handle what the pages send and report.
        for context in contexts:
            context.cookies()
