"""Tokens and sessions in the console (docs/console.md#health-audit-access)."""

import pytest
from conftest import APP, eventually, new_context, violations
from playwright.sync_api import expect
from test_console import closed, opened  # noqa: F401 (a fixture)
from test_console_jobs import Actor

PAGE = "/console/access"


def sign_in(page, token):
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Signed in as").wait_for()


@pytest.fixture
def admin(browser, closed):
    with opened(browser, closed, "/console/sign-in") as page:
        sign_in(page, "root-text")
        page.daemon = closed
        yield page


def made(page, name, scope=None, program=False):
    page.get_by_role("button", name="New token").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    if scope:
        dialog.get_by_label("Scope").select_option(scope)
    dialog.get_by_role("button", name="Make").click()
    shown = page.get_by_role("dialog", name=f"The token of {name}")
    shown.wait_for()
    return shown


def revoke(page, name):
    page.daemon.token = "root-text"
    page.daemon.call("DELETE", f"/v1/tokens/{name}")


def test_goal_1_a_token_is_made_in_four_actions(admin):
    actor = Actor(admin, True)
    actor.press("Access", "link")
    actor.press("New token")
    admin.get_by_role("dialog").get_by_label("Name").fill("mira")
    admin.get_by_role("dialog").get_by_label("Scope").select_option("translator")
    actor.actions += 1
    actor.press("Make")
    dialog = admin.get_by_role("dialog", name="The token of mira")
    dialog.wait_for()
    assert actor.actions <= 4
    text = dialog.get_by_role("textbox", name="Token", exact=True).input_value()
    assert text.startswith("bw_") and dialog.get_by_role("textbox", name="Sign-in link").input_value().endswith(f"#token={text}")
    assert violations(admin) == []
    done, copy = (dialog.get_by_role("button", name=name).bounding_box() for name in ("Done", "Copy: Sign-in link"))
    assert copy["y"] + copy["height"] + 8 <= done["y"]
    dialog.get_by_role("button", name="Done").click()
    row = admin.get_by_role("row", name="mira")
    expect(row).to_contain_text("translator")
    expect(row).to_contain_text("never")
    assert text not in admin.content()
    admin.reload()
    admin.get_by_role("row", name="mira").wait_for()
    assert text not in admin.content()
    revoke(admin, "mira")


def test_goal_16_a_link_signs_in_once_opened_and_the_token_is_out_of_the_address(browser, admin, closed):
    admin.goto(closed.url + PAGE)
    dialog = made(admin, "ben")
    link = dialog.get_by_role("textbox", name="Sign-in link").input_value()
    dialog.get_by_role("button", name="Done").click()
    asked = []
    with new_context(browser) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(link)
        page.get_by_role("heading", name="Home").wait_for()
        assert eventually(lambda: "token" not in page.url and "#" not in page.url)
        assert page.evaluate("fetch('/v1/session').then(answer => answer.json())")["name"] == "ben"
        assert not [url for url in asked if "bw_" in url]
        page.go_back()
        assert "bw_" not in page.url
        # With another session open, the link waits for a press.
        other = context.new_page()
        other.goto(link)
        other.get_by_role("button", name="Sign in").wait_for()
        assert "bw_" not in other.url
        other.get_by_role("button", name="Sign in").click()
        other.get_by_role("heading", name="Home").wait_for()
    admin.goto(f"{closed.url}{PAGE}?show=sessions")
    assert eventually(lambda: admin.get_by_role("row", name="ben").count() == 2)
    revoke(admin, "ben")


def test_goal_16_a_link_with_an_unknown_token_asks_for_another(browser, closed):
    with new_context(browser) as context:
        page = context.new_page()
        page.goto(f"{closed.url}/console/sign-in#token=bw_nothing")
        page.get_by_role("button", name="Sign in").wait_for()
        assert "bw_" not in page.url
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("alert").filter(has_text="not known").wait_for()


def test_goal_16_a_revoked_token_ends_its_sessions(browser, admin, closed):
    admin.goto(closed.url + PAGE)
    dialog = made(admin, "cleo", "reader")
    text = dialog.get_by_role("textbox", name="Token", exact=True).input_value()
    dialog.get_by_role("button", name="Done").click()
    with new_context(browser) as context:
        page = context.new_page()
        page.goto(f"{closed.url}/console/sign-in#token={text}")
        page.get_by_role("heading", name="Home").wait_for()
        admin.reload()
        expect(admin.get_by_role("row", name="cleo").locator("td").nth(2)).not_to_contain_text("never")
        admin.get_by_role("button", name="Revoke cleo").click()
        admin.get_by_role("dialog").wait_for()
        assert violations(admin) == []
        admin.get_by_role("dialog").get_by_role("button", name="Revoke", exact=True).click()
        admin.get_by_text("The token of cleo is revoked").wait_for()
        assert eventually(lambda: admin.get_by_role("row", name="cleo").count() == 0)
        assert page.evaluate("fetch('/v1/session').then(answer => answer.status)") == 401


def test_goal_16_sessions_are_listed_and_ended(browser, admin, closed):
    with opened(browser, closed, "/console/sign-in") as page:
        sign_in(page, "ana-text")
        admin.goto(f"{closed.url}{PAGE}?show=sessions")
        admin.get_by_role("row", name="ana").first.wait_for()
        expect(admin.get_by_role("row", name="root").filter(has_text="this one")).to_have_count(1)
        while admin.get_by_role("button", name="End the session of ana").count():
            before = admin.get_by_role("row", name="ana").count()
            admin.get_by_role("button", name="End the session of ana").first.click()
            expect(admin.get_by_role("row", name="ana")).to_have_count(before - 1)
        assert page.evaluate("fetch('/v1/session').then(answer => answer.status)") == 401


def test_a_programs_token_has_a_prefix_and_no_link(admin, closed):
    admin.goto(f"{closed.url}{PAGE}?show=programs")
    admin.get_by_role("button", name="New token").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_label("Name").fill("site")
    dialog.get_by_label("Scope").select_option("web")
    dialog.get_by_label("App", exact=True).select_option(APP)
    dialog.get_by_label("Prefix").fill("shop_")
    dialog.get_by_label("Expires on").fill("2099-01-02")
    dialog.get_by_role("button", name="Make").click()
    shown = admin.get_by_role("dialog", name="The token of site")
    assert shown.get_by_role("textbox", name="Token", exact=True).input_value().startswith("shop_")
    expect(shown.get_by_role("textbox", name="Sign-in link")).to_have_count(0)
    shown.get_by_role("button", name="Done").click()
    row = admin.get_by_role("row", name="site")
    expect(row).to_contain_text("web")
    expect(row).to_contain_text("2099")
    revoke(admin, "site")


def test_what_the_daemon_refuses_is_said_in_the_dialog(admin, closed):
    admin.goto(closed.url + PAGE)
    admin.get_by_role("button", name="New token").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_label("Name").fill("daemon")
    dialog.get_by_role("button", name="Make").click()
    dialog.get_by_role("alert").filter(has_text="the audit calls others").wait_for()
    # The text has the colour of faults.
    danger, shown = dialog.evaluate("""dialog => [getComputedStyle(dialog.querySelector(".danger") ?? document.documentElement).getPropertyValue("--danger"),
        getComputedStyle(dialog.querySelector("[role=alert]")).color]""")
    assert shown == admin.evaluate("name => { const one = document.createElement('i'); one.style.color = name; document.body.append(one); const color = getComputedStyle(one).color; one.remove(); return color; }", danger)
    assert violations(admin) == []


@pytest.mark.parametrize("show", ["people", "programs", "sessions"])
@pytest.mark.parametrize("look", [{"viewport": {"width": 1280, "height": 640}}, {"viewport": {"width": 320, "height": 640}},
                                  {"forced_colors": "active"}], ids=["wide", "narrow", "forced"])
def test_goal_3_and_4_no_violation_and_no_sideways_scroll(browser, closed, show, look):
    with opened(browser, closed, "/console/sign-in", **look) as page:
        sign_in(page, "root-text")
        page.goto(f"{closed.url}{PAGE}?show={show}")
        page.locator("table, .empty").first.wait_for()
        assert violations(page) == []
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)
