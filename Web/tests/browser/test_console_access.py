"""Tokens and sessions in the console (docs/console.md#health-audit-access)."""

import pytest
from conftest import APP, eventually, violations
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


def made(page, name, scope="client"):
    page.get_by_role("button", name="New token").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Scope").select_option(scope)
    dialog.get_by_role("button", name="Make").click()
    shown = page.get_by_role("dialog", name=f"The token of {name}")
    shown.wait_for()
    return shown


def revoke(page, name):
    page.daemon.token = "root-text"
    page.daemon.call("DELETE", f"/v1/tokens/{name}")


def test_goal_1_a_token_is_made_in_five_actions_and_shown_once(admin):
    actor = Actor(admin, True)
    actor.press("Access", "link")
    actor.press("Programs", "link")
    actor.press("New token")
    admin.get_by_role("dialog").get_by_label("Name").fill("builds")
    actor.actions += 1
    actor.press("Make")
    dialog = admin.get_by_role("dialog", name="The token of builds")
    dialog.wait_for()
    assert actor.actions <= 5
    text = dialog.get_by_role("textbox", name="Token", exact=True).input_value()
    assert text.startswith("bw_")
    assert violations(admin) == []
    done, copy = (dialog.get_by_role("button", name=name).bounding_box() for name in ("Done", "Copy: Token"))
    assert copy["y"] + copy["height"] + 8 <= done["y"]
    dialog.get_by_role("button", name="Done").click()
    row = admin.get_by_role("row", name="builds")
    expect(row).to_contain_text("client")
    expect(row).to_contain_text("never")
    assert text not in admin.content()
    admin.reload()
    admin.get_by_role("row", name="builds").wait_for()
    assert text not in admin.content()
    revoke(admin, "builds")


def test_goal_16_a_revoked_token_ends_its_sessions(browser, admin, closed):
    admin.goto(f"{closed.url}{PAGE}?show=programs")
    dialog = made(admin, "cleo", "reader")
    text = dialog.get_by_role("textbox", name="Token", exact=True).input_value()
    dialog.get_by_role("button", name="Done").click()
    with opened(browser, closed, "/console/sign-in") as page:
        sign_in(page, text)
        admin.reload()
        expect(admin.get_by_role("row", name="cleo").locator("td").nth(2)).not_to_contain_text("never")
        admin.get_by_role("button", name="Revoke cleo").click()
        admin.get_by_role("dialog").wait_for()
        assert violations(admin) == []
        admin.get_by_role("dialog").get_by_role("button", name="Revoke", exact=True).click()
        admin.get_by_text("The token of cleo is revoked").wait_for()
        assert eventually(lambda: admin.get_by_role("row", name="cleo").count() == 0)
        assert page.evaluate("fetch('/v1/session').then(answer => answer.status)") == 401


def test_goal_16_a_token_in_an_address_signs_nobody_in_and_does_not_stay_there(browser, closed):
    with opened(browser, closed, "/console/sign-in#token=ana-text") as page:
        page.get_by_role("button", name="Sign in").wait_for()
        expect(page).to_have_url(f"{closed.url}/console/sign-in")
        expect(page.get_by_label("Token")).to_have_value("")


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


def test_a_token_has_a_prefix_and_an_end(admin, closed):
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
    shown.get_by_role("button", name="Done").click()
    row = admin.get_by_role("row", name="site")
    expect(row).to_contain_text("web")
    expect(row).to_contain_text("2099")
    revoke(admin, "site")


def test_what_the_daemon_refuses_is_said_in_the_dialog(admin, closed):
    admin.goto(f"{closed.url}{PAGE}?show=programs")
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
