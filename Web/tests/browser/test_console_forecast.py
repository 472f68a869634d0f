"""The forecast of a recipe that went live, and what came, on the recipe's page (docs/reference/http-api.md#what-came)."""

import pytest
from conftest import APP, eventually, violations
from test_console import HOME, opened
from test_console_results import experiment, poll

FORECAST = f"/v1/apps/{APP}/recipes/bar/forecast"


@pytest.fixture(scope="module")
def bar(daemon):
    """An experiment for 90 % of the clients, of which the daemon has made a forecast. It looks every 15 seconds."""
    manifest = daemon.call("GET", f"/v1/apps/{APP}/manifest")[1]
    feature = {"bar": {"variables": {"place": {"type": "string", "default": "bottom"}}}}
    status, body = daemon.call("PUT", f"/v1/apps/{APP}/manifest", {**manifest, "features": feature})
    assert status in (200, 201), body
    for number in range(150):
        poll(daemon, f"early-{number}")
    daemon.put("bar", experiment())
    assert eventually(lambda: daemon.call("GET", FORECAST)[1]["forecast"])
    yield daemon
    daemon.delete("bar")
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", manifest)


@pytest.mark.parametrize("look", [{}, {"color_scheme": "dark"}, {"viewport": {"width": 320, "height": 800}}],
                         ids=["light", "dark", "phone"])
def test_the_forecast_is_shown_before_the_first_count(browser, bar, look):
    forecast = bar.call("GET", FORECAST)[1]["forecast"]
    assert forecast["is_open"] and forecast["day"] == 0
    assert forecast["enrolled"]["low"] == 0.9 and forecast["enrolled"]["came"] is None
    with opened(browser, bar, f"{HOME}/r/bar", **look) as page:
        section = page.locator("section", has=page.get_by_role("heading", name="Forecast and what came"))
        section.get_by_text("90% of the clients expected").first.wait_for()
        section.get_by_text("at the end of each whole day").wait_for()
        page.evaluate("scrollTo(0, 0)")
        assert violations(page) == []
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
