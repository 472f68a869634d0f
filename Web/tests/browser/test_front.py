"""The page at the daemon's address."""

import hashlib

import pytest
from conftest import APP, Daemon, new_context, violations
from playwright.sync_api import expect

SIZES = [(1280, 900, "light"), (1280, 900, "dark"), (390, 844, "light"), (320, 640, "dark")]


@pytest.mark.parametrize("width, height, scheme", SIZES)
def test_the_first_page_says_what_bellwether_is_and_leads_on(browser, daemon, width, height, scheme):
    with new_context(browser, viewport={"width": width, "height": height}, color_scheme=scheme) as context:
        page = context.new_page()
        problems = []
        page.on("console", lambda message: problems.append(message.text))
        page.goto(daemon.url)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("link", name="Open the console")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == [] and problems == []


def test_the_apps_of_a_daemon_for_development_lead_to_sample_and_console(context, daemon):
    page = context.new_page()
    page.goto(daemon.url)
    page.get_by_role("link", name=f"Sample page of {APP}").click()
    page.wait_for_url(f"{daemon.url}/sample/{APP}")
    page.go_back()
    page.get_by_role("link", name=f"Console of {APP}").click()
    page.wait_for_url(f"{daemon.url}/console/a/{APP}**")


def test_a_daemon_with_tokens_shows_no_app(context, tmp_path, pages):
    secret = hashlib.sha256(b"ana-text").hexdigest()
    daemon = Daemon(tmp_path, pages.url, is_open=False, settings=f"tokens:\n  - ana:owner:{APP}:{secret}\n")
    try:
        page = context.new_page()
        page.goto(daemon.url)
        expect(page.get_by_role("heading", name="Apps", exact=True)).to_be_visible()
        expect(page.get_by_role("link", name="Sample page")).to_have_count(0)
        assert violations(page) == []
    finally:
        daemon.stop()


def test_keys_skip_to_the_page_and_reach_the_first_guide(context, daemon):
    page = context.new_page()
    page.goto(daemon.url)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()
    page.get_by_role("link", name="The first hour").first.press("Enter")
    page.wait_for_url(f"{daemon.url}/docs/first-hour")
