"""The goals of the owners' console that concern previews, expressions, the recipe's page and a new user's path
(docs/console.md#goals)."""

import contextlib
import json
import subprocess

import pytest
from conftest import APP, Daemon, FEEDBACK, ROOT, at_rest, eventually, new_context, violations
from playwright.sync_api import expect
from test_console import HOME, opened
from test_firefox import firefox  # noqa: F401 (a fixture)

RECIPE = f"{HOME}/r/feedback"

# The content of a view, without generated ids and without times of messages.
SERIALIZE = """root => {
    const clean = text => text.replaceAll(/bw-([a-z]+)-[a-z0-9]+/g, "bw-$1").replaceAll(/-0\\.[0-9e-]+/g, "");
    const tell = node => {
        if (node.nodeType === Node.TEXT_NODE) return node.data;
        if (node.localName === "time") return ["time"];
        // A region that has a heading is named by it, not by the title of its page.
        const named = [...node.attributes].filter(({name}) => name !== "aria-label" || !node.hasAttribute("aria-labelledby"));
        const attributes = named.map(({name, value}) => `${name}=${JSON.stringify(clean(value))}`).sort();
        const children = [...(node.shadowRoot ?? node).childNodes].map(tell);
        return [node.localName, attributes.join(" "), ...children];
    };
    return JSON.stringify([...root.querySelectorAll("bellwether-view")].map(tell));
}"""


def drawn(page):
    """The frame of the preview in the dialog, once it shows the last request."""
    page.locator("dialog iframe[data-drawn]").wait_for()
    return next(frame for frame in page.frames if "/console/preview/" in frame.url and frame.frame_element().evaluate(
        "frame => frame.closest('dialog') !== null"))


ELEMENTS = """
import { JSONDocument } from "./document/document.js";
import { expressionField } from "./elements/expression.js";
import { previewPane } from "./elements/preview.js";
import { documentOf, templates } from "./templates.js";
Object.assign(globalThis, { JSONDocument, documentOf, expressionField, previewPane, templates });
"""


@pytest.fixture(scope="module")
def elements():
    """The console's elements alone, as one script."""
    command = ["esbuild", "--bundle", "--format=esm", "--charset=utf8", "--loader=js"]
    return subprocess.run(command, cwd=ROOT / "Web/console", input=ELEMENTS, text=True, capture_output=True, check=True).stdout


@contextlib.contextmanager
def harness(browser, daemon, elements, **options):
    """A page of the daemon's origin with the elements, to show states that no other page can show."""
    with new_context(browser, **options) as context:
        page = context.new_page()
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        style = (ROOT / "Web/dist/console.css").read_text()
        page.route("**/harness", lambda route: route.fulfill(
            content_type="text/html; charset=utf-8",
            body=f"<!doctype html><html lang=en><title>Elements</title><style>{style}</style><main><h1>Elements</h1></main>"))
        page.goto(daemon.url + "/harness")
        page.add_script_tag(content=elements, type="module")
        page.wait_for_function("() => globalThis.previewPane !== undefined")
        yield page
        assert page.problems == []


def test_goal_14_the_frame_reads_no_cookie_storage_or_parent(browser, daemon):
    with opened(browser, daemon, f"{RECIPE}?preview=,") as page:
        frame = drawn(page)
        assert frame.evaluate("origin") == "null"
        for reading in ("document.cookie", "localStorage.length", "parent.document", "indexedDB.open('x')",
                        "parent.location.href"):
            assert frame.evaluate(f"() => {{ try {{ {reading}; return 'read' }} catch (error) {{ return error.name }} }}") \
                == "SecurityError", reading
        assert frame.evaluate("fetch('/v1/session').then(() => 'sent', error => error.name)") == "TypeError"
        frame.locator("bellwether-view").wait_for()
        page.problems.clear()  # The attempts of this test are told by the policy.


@pytest.mark.firefox
def test_goal_14_in_firefox_the_preview_is_drawn_and_reads_nothing(firefox, daemon):
    firefox.open(f"{daemon.url}{RECIPE}?preview=,")
    assert eventually(lambda: firefox.evaluate("Boolean(document.querySelector('dialog iframe[data-drawn]'))"))
    tree = firefox.send("browsingContext.getTree", {"root": firefox.page})["contexts"][0]
    inner = [child["context"] for child in tree["children"] if "/console/preview/" in child["url"]]
    assert inner
    outer, firefox.page = firefox.page, inner[-1]
    try:
        assert firefox.evaluate("origin") == "null"
        text = "document.querySelector('bellwether-view')?.shadowRoot.textContent ?? ''"
        assert eventually(lambda: "Would you recommend us?" in firefox.evaluate(text))
        for reading in ("document.cookie", "localStorage.length", "parent.document"):
            expression = f"(() => {{ try {{ {reading}; return 'read' }} catch (error) {{ return error.name }} }})()"
            assert firefox.evaluate(expression) == "SecurityError", reading
    finally:
        firefox.page = outer


def test_goal_21_the_preview_follows_each_change_of_its_look_and_is_in_the_address(browser, daemon):
    with opened(browser, daemon, f"{RECIPE}?preview=,dark,320") as page:
        frame = drawn(page)
        view = frame.locator("bellwether-view")
        view.get_by_text("Question 1 of 5", exact=True).wait_for()
        color = "panel => getComputedStyle(panel).backgroundColor"
        dark = view.locator(".panel").evaluate(color)
        assert eventually(lambda: page.locator("dialog iframe").bounding_box()["width"] == 320)
        page.get_by_label("Language of the preview").select_option("en")
        page.get_by_label("Theme of the preview").select_option("light")
        page.get_by_label("Direction").select_option("rtl")
        frame.locator("bellwether-view[dir=rtl]").wait_for()
        at_rest(page)
        light = view.locator(".panel").evaluate(color)
        assert dark != light
        page.wait_for_url("**preview=en%2Clight%2C320%2C%2Crtl*")
        page.get_by_label("State").select_option("error")
        view.locator(".error:not(:empty)").wait_for()
        page.get_by_label("State").select_option("thanks")
        view.get_by_role("heading", name="Thanks!").wait_for()
        # The preview records nothing.
        assert daemon.responses("feedback") == []


@pytest.fixture(scope="module")
def samples(tmp_path_factory, pages):
    """A daemon like that of `make run`."""
    daemon = Daemon(tmp_path_factory.mktemp("samples"), pages.url,
                    ["--apps", ROOT / "config/apps", "--recipes", ROOT / "recipes"])
    yield daemon
    daemon.stop()


SAMPLES = [("trail-notes", path.stem) for path in sorted((ROOT / "recipes/trail-notes").glob("*.json"))] + \
          [("firefox-ios", path.stem) for path in sorted((ROOT / "recipes/firefox-ios").glob("*.json"))]


@pytest.mark.parametrize("app,slug", SAMPLES)
def test_goal_32_the_preview_equals_the_preview_page(browser, samples, app, slug):
    locales = ["en", "de"] if app == "trail-notes" else ["en-US", "ar"]
    base = f"/v1/apps/{app}/recipes/{slug}"
    document = samples.call("GET", base)[1]
    url = samples.call("POST", f"{base}/preview")[1]["url"]
    status, picture = samples.call("POST", f"/v1/apps/{app}/recipes/render", document)
    assert status == 200
    with opened(browser, samples, f"/console/a/{app}/r/{slug}?preview=,,360") as page, new_context(
            browser, viewport={"width": 376, "height": 900}) as context:
        alone = context.new_page()
        for locale in locales:
            for branch in picture["branches"] or [None]:
                frame = drawn(page)
                page.get_by_label("Language of the preview").select_option(locale)
                if branch and len(picture["branches"]) > 1:
                    page.get_by_label("Branch").select_option(branch)
                alone.goto(f"{samples.url}{url}?locale={locale}" + (f"&branch={branch}" if branch else ""))
                alone.locator("bellwether-view").first.wait_for()
                wanted = lambda: alone.evaluate(f"({SERIALIZE})(document)")  # noqa: E731
                assert eventually(lambda: frame.evaluate(f"({SERIALIZE})(document)") == wanted()), (locale, branch)
                assert len(json.loads(wanted())) > 0
                assert frame.evaluate("document.documentElement.dir") == alone.evaluate("document.documentElement.dir")


def test_goal_32_another_direction_changes_nothing_but_the_direction(browser, samples):
    without = r"text => text.replaceAll(/dir=\\\"\w+\\\" ?/g, '')"
    with opened(browser, samples, "/console/a/trail-notes/r/first-trips?preview=en") as page:
        frame = drawn(page)
        before = frame.evaluate(f"({without})(({SERIALIZE})(document))")
        page.get_by_label("Direction").select_option("rtl")
        frame.locator("bellwether-view[dir=rtl]").wait_for()
        assert eventually(lambda: frame.evaluate(f"({without})(({SERIALIZE})(document))") == before)


QUESTIONS = json.dumps({"kind": "questionnaire", "schema": {"version": 1, "questions": [
    {"id": "one", "type": "text", "title": "First?"},
    {"id": "two", "type": "text", "title": "Second?", "required": True},
    {"id": "three", "type": "text", "title": "Third?",
     "show_if": {"question_id": "one", "operator": "equals", "value": "x"}}]}})


def test_goal_21_the_preview_follows_an_edit_and_the_selected_question(browser, daemon, elements):
    with harness(browser, daemon, elements) as page:
        page.evaluate("""text => {
            globalThis.text = new JSONDocument(text);
            globalThis.pane = previewPane({ app: "shop", slug: "new", document: globalThis.text });
            pane.addEventListener("bw-choose", event => globalThis.chosen = event.detail.pointer);
            document.querySelector("main").append(pane);
        }""", QUESTIONS)
        page.locator("iframe[data-drawn]").wait_for()
        frame = page.frames[1]
        view = frame.locator("bellwether-view")
        view.get_by_role("heading", name="First?").wait_for()
        page.evaluate("""() => {
            text.set("/schema/questions/0/title", "Why?");
            pane.update();
        }""")
        view.get_by_role("heading", name="Why?").wait_for()
        page.evaluate("pane.update({ pointer: '/schema/questions/1/title' })")
        view.get_by_role("heading", name="Second?").wait_for()
        # A hidden question is shown when it is chosen.
        page.evaluate("pane.update({ pointer: '/schema/questions/2' })")
        view.get_by_role("heading", name="Third?").wait_for()
        view.get_by_role("heading", name="Third?").click()
        assert eventually(lambda: page.evaluate("globalThis.chosen") == "/schema/questions/2")


def test_goal_21_while_the_document_is_broken_the_last_picture_stays(browser, daemon, elements):
    with harness(browser, daemon, elements) as page:
        page.evaluate("""text => {
            globalThis.text = new JSONDocument(text);
            globalThis.pane = previewPane({ app: "shop", slug: "new", document: globalThis.text });
            document.querySelector("main").append(pane);
        }""", QUESTIONS)
        page.locator("iframe[data-drawn]").wait_for()
        view = page.frames[1].locator("bellwether-view")
        page.evaluate("text.replaceText(text.text.slice(1)); pane.update()")
        page.get_by_text("Shows the last version without faults.").wait_for()
        view.get_by_role("heading", name="First?").wait_for()
        page.evaluate("text.undo(); text.set('/schema/questions', []); pane.update()")
        page.get_by_text("Shows the last version without faults.").wait_for()
        page.evaluate("text.undo(); text.set('/schema/questions/0/title', 'New?'); pane.update()")
        view.get_by_role("heading", name="New?").wait_for()
        expect(page.get_by_text("Shows the last version")).to_have_count(0)


def test_goal_21_older_requests_are_given_up(browser, daemon, elements):
    with harness(browser, daemon, elements) as page:
        asked = []
        page.on("request", lambda request: asked.append(request) if "/render" in request.url else None)
        page.evaluate("""text => {
            globalThis.text = new JSONDocument(text);
            globalThis.pane = previewPane({ app: "shop", slug: "new", document: globalThis.text });
            document.querySelector("main").append(pane);
        }""", QUESTIONS)
        page.locator("iframe[data-drawn]").wait_for()
        page.evaluate("""() => {
            for (let number = 0; number < 30; number += 1) {
                text.set("/schema/questions/0/title", `Version ${number}`);
                pane.update();
            }
        }""")
        page.frames[1].locator("bellwether-view").get_by_role("heading", name="Version 29").wait_for()
        assert len(asked) <= 3


def test_of_many_messages_the_first_ones_are_drawn_and_the_chosen_one(browser, daemon, elements):
    messages = {f"m{number:03}": {"surface": "home", "text": f"Text {number}"} for number in range(300)}
    with harness(browser, daemon, elements) as page:
        page.evaluate("""text => {
            globalThis.text = new JSONDocument(text);
            globalThis.pane = previewPane({ app: "shop", slug: "new", document: globalThis.text });
            document.querySelector("main").append(pane);
        }""", json.dumps({"messages": messages}))
        page.locator("iframe[data-drawn]").wait_for()
        views = page.frames[1].locator("bellwether-view")
        assert eventually(lambda: views.count() == 20)
        page.evaluate("pane.update({ pointer: '/messages/m250/text' })")
        views.get_by_text("Text 250").wait_for()
        expect(views).to_have_count(1)


VOCABULARY = "fetch('/v1/apps/shop/vocabulary').then(answer => answer.json())"


@pytest.fixture
def expression(browser, daemon, elements):
    """A field for targeting, and the document that it writes."""
    with harness(browser, daemon, elements) as page:
        page.evaluate("""async vocabulary => {
            globalThis.text = new JSONDocument(JSON.stringify({ slug: "try", targeting: "", branches: [] }, null, 2));
            const field = expressionField(
                { document: text, pointer: "/targeting", vocabulary: await eval(vocabulary), label: "Who", app: "shop" });
            document.querySelector("main").append(field);
        }""", VOCABULARY)
        yield page


def test_goal_33_an_expression_is_completed_by_keys_alone(expression, daemon):
    field = expression.get_by_label("Who", exact=True)
    field.focus()
    expression.keyboard.type("pl")
    option = expression.get_by_role("option", name="plan text · from the manifest")
    option.wait_for()
    expect(field).to_have_attribute("aria-activedescendant", option.get_attribute("id"))
    assert violations(expression) == []
    expression.keyboard.press("Enter")
    expression.keyboard.type(" == 'pro' && app_v")
    expression.keyboard.press("Tab")
    expression.keyboard.type("|ver")
    expression.keyboard.press("Enter")
    expression.keyboard.type("'128.!'")
    expression.keyboard.press("End")
    expression.keyboard.type(" >= 0")
    wanted = "plan == 'pro' && app_version|versionCompare('128.!') >= 0"
    assert expression.evaluate("text.get('/targeting')") == wanted
    # Each part is in words, with a button that removes it.
    expression.get_by_role("button", name="Take away: plan is “pro”").click()
    assert expression.evaluate("text.get('/targeting')") == "app_version|versionCompare('128.!') >= 0"
    expression.get_by_text("app_version is at least 128").wait_for()


def test_goal_33_each_name_of_the_vocabulary_is_offered(expression, daemon):
    words = daemon.call("GET", f"/v1/apps/{APP}/vocabulary")[1]
    field = expression.get_by_label("Who", exact=True)
    for begin, names in (("", [one["name"] for one in words["attributes"]]),
                         ("locale|", [one["name"] for one in words["transforms"]])):
        for name in names:
            field.fill(begin + name[:-1])
            assert name in expression.locator("[role=option] bdi").all_inner_texts(), name


def test_goal_33_a_mistake_of_types_is_told_at_its_place(expression):
    field = expression.get_by_label("Who", exact=True)
    field.fill("plan == 1")
    expression.get_by_text("plan is a text: compare it with 'pro', not with 1.").wait_for()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(expression.locator("mark")).to_have_text("plan == 1", use_inner_text=True)
    expression.get_by_role("button", name="Go there").click()
    assert field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)") == "plan == 1"
    field.fill("plan == 'pro' &&")
    expression.get_by_text("Here should be a value, not the end.").wait_for()
    assert violations(expression) == []


def test_the_share_of_the_sample_is_told_after_the_last_key(expression):
    answer = {"sample": {"contexts": 1000}, "targeted": {"low": 0.75, "high": 0.75, "interval": [0.72, 0.78]}}
    asked = []
    expression.route("**/recipes/forecast*", lambda route: (asked.append(route.request), route.fulfill(json=answer)))
    expression.get_by_label("Who", exact=True).focus()
    # Key after key without a pause, also on a slow machine.
    expression.evaluate("text => [...text].forEach(key => document.execCommand('insertText', false, key))", "plan == 'pro'")
    expression.get_by_text("75% [72%–78%] of a sample of 1,000 clients").wait_for()
    assert len(asked) <= 2


def test_the_page_of_a_recipe_tells_it_in_sentences_with_numbers_and_a_time_line(browser, daemon):
    daemon.put("told", {**FEEDBACK, "name": "Told"})
    daemon.put("other", {"messages": {"other": {"text": "Tell us", "surface": "home", "presents": "told"}}})
    daemon.put("rival", {"messages": {"rival": {"text": "Buy it", "surface": "home"}}})
    for number in range(4):
        body = {"client_id": f"told-{number}", "answers": {"recommend": 9, "use": "maps"}, "is_complete": number == 0}
        assert daemon.call("POST", f"/v1/apps/{APP}/questionnaires/told/responses", body)[0] == 201
    with opened(browser, daemon, f"{HOME}/r/told") as page:
        page.get_by_text("Asks 5 questions, of which 2 need an answer.").wait_for()
        page.get_by_text("Offers “told” with “Tell us” on “home” to everybody").wait_for()
        page.get_by_text("25% of those who started [5%–70%]").first.wait_for()
        page.get_by_role("img", name="1 revision, Live now").wait_for()
        page.locator(".is-still iframe[data-drawn]").wait_for()
        assert violations(page) == []
    with opened(browser, daemon, f"{HOME}/r/other") as page:
        page.get_by_role("link", name="rival").wait_for()
    for slug in ("told", "other", "rival"):
        daemon.delete(slug)


def test_what_a_file_brings_says_so_and_offers_a_copy(browser, samples):
    with opened(browser, samples, "/console/a/trail-notes/r/mood") as page:
        page.get_by_text("This comes from a file and is changed there.").wait_for()
        link = page.get_by_role("link", name="Make a copy")
        expect(link).to_have_attribute("href", "/console/a/trail-notes/new?from=mood")


def test_each_template_can_be_published_as_it_stands(browser, daemon, elements):
    with harness(browser, daemon, elements) as page:
        templates = page.evaluate("templates")
        assert [template["id"] for template in templates][:3] == ["ask-one-question", "try-two-variants", "lead-new-users"]
        assert len({template["id"] for template in templates}) == len(templates)
        for template in templates:
            slug = f"own-{template['id']}"
            document = page.evaluate("([id, slug, surfaces]) => documentOf(templates.find(one => one.id === id), "
                                     "{ slug, surfaces })", [template["id"], slug, ["home", "slot", "microsurvey"]])
            for name, body in ((template["id"], template["document"]), (slug, document)):
                checked = daemon.call("POST", f"/v1/apps/{APP}/recipes/validate?slug={name}&strict=true", body)
                assert checked == (200, {"warnings": []}), name
                daemon.put(name, body)
                listed = daemon.call("GET", f"/v1/apps/{APP}/recipes")[1]["recipes"]
                recipe = next(recipe for recipe in listed if recipe["slug"] == name)
                assert recipe["kind"] == template["kind"] and not recipe["malformed"]
                assert daemon.call("POST", f"/v1/apps/{APP}/recipes/render?slug={name}", body)[0] == 200
                daemon.delete(name)


def test_a_template_beside_the_samples_begins_without_a_warning(browser, samples, elements):
    with harness(browser, samples, elements) as page:
        for template in page.evaluate("templates"):
            slug = f"own-{template['id']}"
            document = page.evaluate("([id, slug]) => documentOf(templates.find(one => one.id === id), "
                                     "{ slug, surfaces: ['home', 'microsurvey'] })", [template["id"], slug])
            checked = samples.call("POST", f"/v1/apps/trail-notes/recipes/validate?slug={slug}", document)
            assert checked[0] == 200 and checked[1]["warnings"] == [], slug


def test_the_home_of_an_app_with_nothing_published_offers_templates(browser, daemon):
    daemon.call("PUT", "/v1/apps/fresh/manifest", {"app_name": "fresh", "default_locale": "en", "surfaces": ["card"]})
    with opened(browser, daemon, "/console/a/fresh") as page:
        assert violations(page) == []
        page.get_by_role("button", name="Ask one question").click()
        page.wait_for_url("**/console/a/fresh/r/ask-one-question/edit")
        page.locator(".form-title").wait_for()
        assert daemon.call("GET", "/v1/apps/fresh/recipes")[1]["recipes"] == []
        page.goto(daemon.url + "/console/a/fresh")
        page.get_by_role("button", name="Ask one question").click()
        page.wait_for_url("**/ask-one-question-2/edit")


def test_a_newcomers_first_answer_without_a_terminal(browser, samples):
    with opened(browser, samples, "/console/a/trail-notes") as page:
        page.get_by_role("link", name="New recipe").first.click()
        page.get_by_role("button", name="Ask one question").click()
        page.get_by_role("button", name="Review and publish").click()
        page.get_by_role("button", name="Put it live").click()
        assert eventually(lambda: state_of(samples, "ask-one-question") == "live")
        page.goto(f"{samples.url}/sample/trail-notes")
        view = page.locator("bellwether-view")
        view.get_by_role("button", name="Answer").click()
        view.get_by_role("radio", name="Very much").check()
        view.get_by_role("button", name="Submit").click()
        assert eventually(lambda: answers_of(samples, "ask-one-question") == 1)
        page.goto(f"{samples.url}/console/a/trail-notes/r/ask-one-question")
        page.get_by_text("Answered", exact=True).wait_for()
    samples.delete("ask-one-question", "trail-notes")


def test_the_first_answer_to_the_first_template_reaches_the_recipes_page(browser, samples, elements):
    """The end of a new user's path, without the editor."""
    with harness(browser, samples, elements) as page:
        document = page.evaluate("documentOf(templates[0], { slug: 'first-template', surfaces: ['home', 'microsurvey'] })")
    samples.put("first-template", document, "trail-notes")
    with opened(browser, samples, "/sample/trail-notes") as page:
        view = page.locator("bellwether-view")
        view.get_by_role("button", name="Answer").click()
        view.get_by_role("radio", name="Very much").check()
        view.get_by_role("button", name="Submit").click()
        assert eventually(lambda: answers_of(samples, "first-template") == 1)
        page.goto(f"{samples.url}/console/a/trail-notes/r/first-template")
        page.get_by_text("Answered", exact=True).wait_for()
        page.get_by_text("100% of those who were shown it").first.wait_for()
    samples.delete("first-template", "trail-notes")


def answers_of(daemon, slug):
    messages = daemon.call("GET", f"/v1/apps/trail-notes/results/{slug}")[1]["messages"]
    return sum(message["all"]["answers"] for message in messages)


def state_of(daemon, slug):
    recipes = daemon.call("GET", "/v1/apps/trail-notes/recipes")[1]["recipes"]
    return next((recipe["state"] for recipe in recipes if recipe["slug"] == slug), None)
