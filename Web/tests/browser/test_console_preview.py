"""The goals of the owners' console that concern previews, expressions, the recipe's page and a newcomer's way
(docs/console.md#goals)."""

import json
import pathlib
import re

import pytest
from conftest import APP, Daemon, FEEDBACK, ROOT, eventually, new_context
from test_console import HOME, opened, violations
from test_firefox import FIREFOX, firefox  # noqa: F401 (a fixture)

RECIPE = f"{HOME}/r/feedback"

# What stands in a view, without the ids that are made anew for each.
SERIALIZE = """root => {
    const clean = text => text.replaceAll(/bw-([a-z]+)-[a-z0-9]+/g, "bw-$1").replaceAll(/-0\\.[0-9e-]+/g, "");
    const tell = node => {
        if (node.nodeType === Node.TEXT_NODE) return node.data;
        const attributes = [...node.attributes].map(({name, value}) => `${name}=${JSON.stringify(clean(value))}`).sort();
        const children = [...(node.shadowRoot ?? node).childNodes].map(tell);
        return [node.localName, attributes.join(" "), ...children];
    };
    return JSON.stringify([...root.querySelectorAll("bellwether-view")].map(tell));
}"""


def drawn(page):
    """The frame of the preview in the dialog, once it shows what was asked for last."""
    page.locator("dialog iframe[data-drawn]").wait_for()
    return next(frame for frame in page.frames if "/console/preview/" in frame.url and frame.frame_element().evaluate(
        "frame => frame.closest('dialog') !== null"))


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


def test_goal_14_in_firefox_the_preview_is_drawn_and_reads_nothing(firefox, daemon):
    firefox.open(f"{daemon.url}{RECIPE}?preview=,")
    assert eventually(lambda: firefox.evaluate("Boolean(document.querySelector('dialog iframe[data-drawn]'))"), 20)
    tree = firefox.send("browsingContext.getTree", {"root": firefox.page})["contexts"][0]
    inner = [child["context"] for child in tree["children"] if "/console/preview/" in child["url"]]
    assert inner
    outer, firefox.page = firefox.page, inner[-1]
    try:
        assert firefox.evaluate("origin") == "null"
        assert firefox.evaluate("document.querySelector('bellwether-view').shadowRoot.textContent") \
            .find("Would you recommend us?") >= 0
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
        dark = frame.evaluate("getComputedStyle(document.querySelector('bellwether-view').shadowRoot"
                              ".querySelector('.panel')).backgroundColor")
        assert page.locator("dialog iframe").bounding_box()["width"] == 320
        page.get_by_label("Language of the preview").select_option("en")
        page.get_by_label("Theme of the preview").select_option("light")
        page.get_by_label("Direction").select_option("rtl")
        frame.locator("bellwether-view[dir=rtl]").wait_for()
        light = frame.evaluate("getComputedStyle(document.querySelector('bellwether-view').shadowRoot"
                               ".querySelector('.panel')).backgroundColor")
        assert dark != light
        assert "preview=en%2Clight%2C320%2C%2Crtl" in page.url
        page.get_by_label("State").select_option("error")
        view.locator(".summary").wait_for()
        page.get_by_label("State").select_option("thanks")
        view.get_by_role("heading", name="Thanks!").wait_for()
        # It records nothing.
        assert daemon.responses("feedback") == []


@pytest.fixture(scope="module")
def samples(tmp_path_factory, pages):
    """The daemon as `make run` starts it."""
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
                number = page.locator("dialog iframe").get_attribute("data-drawn")
                page.get_by_label("Language of the preview").select_option(locale)
                if branch and len(picture["branches"]) > 1:
                    page.get_by_label("Branch").select_option(branch)
                assert eventually(lambda: page.locator("dialog iframe").get_attribute("data-drawn") != number) or branch
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
