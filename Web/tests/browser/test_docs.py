"""The documents as pages: how they look, how keys move in them, and their search."""

import pytest
from conftest import eventually, new_context, violations
from playwright.sync_api import expect

LOOKS = [(1280, 900, "light"), (1280, 900, "dark"), (390, 844, "light"), (390, 844, "dark"), (320, 640, "light")]
PAGES = ["README", "reference/messaging", "operators-guide"]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width, height, scheme", LOOKS)
def test_a_document_can_be_read_on_every_screen(browser, daemon, path, width, height, scheme):
    with new_context(browser, viewport={"width": width, "height": height}, color_scheme=scheme) as context:
        page = context.new_page()
        problems = []
        page.on("console", lambda message: problems.append(message.text))
        page.goto(f"{daemon.url}/docs/{path}")
        expect(page.get_by_role("search")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == [] and problems == []


@pytest.mark.parametrize("width", [1280, 390])
def test_the_bar_does_not_hide_the_heading_of_a_link(browser, daemon, width):
    with new_context(browser, viewport={"width": width, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"{daemon.url}/docs/reference/messaging#selection")
        page.wait_for_function("""() => {
            const box = name => document.querySelector(name).getBoundingClientRect();
            return scrollY > 0 && box("#selection").top >= box(".bar").bottom && box("#selection").bottom < innerHeight;
        }""")


def test_what_is_wider_than_the_screen_scrolls_by_keys(browser, daemon):
    with new_context(browser, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"{daemon.url}/docs/first-hour")
        code = page.locator("article pre[tabindex='0']").first
        expect(code).to_have_attribute("role", "region")
        code.focus()
        page.keyboard.press("ArrowRight")
        assert eventually(lambda: page.evaluate("document.activeElement.scrollLeft > 0"))


def test_the_search_finds_a_section_by_keys_alone(context, daemon):
    page = context.new_page()
    page.goto(f"{daemon.url}/docs/README")
    field = page.get_by_role("searchbox", name="Search the documents")
    expect(field).to_be_visible()
    page.keyboard.press("/")
    expect(field).to_be_focused()
    page.keyboard.type("display cap")
    link = page.get_by_role("link", name="Display cap Messaging")
    expect(link).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("ArrowDown")
    expect(page.locator(".found a").first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".found")).to_be_hidden()
    field.fill("")
    field.press_sequentially("selection")
    expect(page.locator(".found a").first).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/docs/**#**")


def test_a_search_without_results_says_so(context, daemon):
    page = context.new_page()
    page.goto(f"{daemon.url}/docs/web")
    field = page.get_by_role("searchbox")
    field.fill("xylophone")
    expect(page.get_by_role("status")).to_have_text("Nothing was found.")
    field.fill("")
    expect(page.locator(".found")).to_be_hidden()


def test_a_search_that_cannot_be_loaded_says_so_and_is_tried_again(context, daemon):
    page = context.new_page()
    page.route("**/docs/search.json", lambda route: route.abort())
    page.goto(f"{daemon.url}/docs/web")
    field = page.get_by_role("searchbox")
    field.fill("quotas")
    expect(page.get_by_role("status")).to_have_text("The search could not be loaded.")
    page.unroute("**/docs/search.json")
    field.fill("quota")
    expect(page.locator(".found a").first).to_be_visible()


def test_on_a_phone_the_pages_are_behind_a_button(browser, daemon):
    with new_context(browser, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"{daemon.url}/docs/web")
        pages = page.get_by_role("navigation", name="Pages")
        expect(pages).to_be_hidden()
        page.get_by_role("button", name="Pages").press("Enter")
        expect(pages).to_be_visible()
        assert violations(page) == []
        page.keyboard.press("Escape")
        expect(pages).to_be_hidden()
        page.get_by_role("button", name="Pages").click()
        pages.get_by_role("link", name="Flows").click()
        page.wait_for_url("**/docs/reference/flows")
        expect(page.get_by_role("heading", level=1)).to_have_text("Onboarding flows")


def test_without_javascript_a_document_can_be_read_and_left(browser, daemon):
    with new_context(browser, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{daemon.url}/docs/reference/messaging#selection")
        expect(page.get_by_role("heading", name="Selection", exact=True)).to_be_visible()
        expect(page.get_by_role("search")).to_have_count(0)
        page.get_by_role("navigation", name="Pages").get_by_role("link", name="Flows").click()
        page.wait_for_url("**/docs/reference/flows")


def test_a_printed_document_has_the_text_only(context, daemon):
    page = context.new_page()
    page.goto(f"{daemon.url}/docs/reference/messaging")
    page.emulate_media(media="print")
    for part in (".bar", ".pages", ".contents", "main footer"):
        expect(page.locator(part).first).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
