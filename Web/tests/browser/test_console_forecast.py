"""The forecast of a recipe that went live, and what came, on the recipe's page (docs/reference/http-api.md#what-came)."""

import pytest
from conftest import APP, eventually, violations
from test_console import HOME, opened
from test_console_results import experiment, poll

FORECAST = f"/v1/apps/{APP}/recipes/bar/forecast"


@pytest.fixture(scope="module")
def bar(daemon):
    """An experiment for 90 % of the clients, whose forecast was counted. The daemon looks every 15 seconds."""
    manifest = daemon.call("GET", f"/v1/apps/{APP}/manifest")[1]
    feature = {"bar": {"variables": {"place": {"type": "string", "default": "bottom"}}}}
    status, body = daemon.call("PUT", f"/v1/apps/{APP}/manifest", {**manifest, "features": feature})
    assert status in (200, 201), body
    for number in range(150):
        poll(daemon, f"early-{number}")
    daemon.put("bar", experiment())
    assert eventually(lambda: daemon.call("GET", FORECAST)[1]["forecast"])
    for number in range(150):
        poll(daemon, f"late-{number}")
    assert eventually(lambda: daemon.call("GET", FORECAST)[1]["forecast"]["counted_at"])
    yield daemon
    daemon.delete("bar")
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", manifest)


@pytest.mark.parametrize("look", [{}, {"color_scheme": "dark"}, {"viewport": {"width": 320, "height": 800}}],
                         ids=["light", "dark", "phone"])
def test_the_forecast_stands_beside_what_came(browser, bar, look):
    told = bar.call("GET", FORECAST)[1]
    enrolled = told["forecast"]["enrolled"]
    assert enrolled["expected"]["low"] == round(0.9 * told["forecast"]["clients"])
    assert not enrolled["off_plan"]
    with opened(browser, bar, f"{HOME}/r/bar", **look) as page:
        section = page.locator("section", has=page.get_by_role("heading", name="Forecast and what came"))
        section.get_by_text(f"{enrolled['came']} clients").wait_for()
        section.get_by_text(f"{enrolled['expected']['low']} expected").wait_for()
        section.get_by_text("In the app’s last recipe").wait_for()
        page.evaluate("scrollTo(0, 0)")
        assert violations(page) == []
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
