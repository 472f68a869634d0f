"""People with accounts: invited by a link, with roles, and reviewers (docs/console.md#health-audit-access)."""

import hashlib
import re

import pytest
from conftest import APP, Daemon, eventually, new_context, violations
from playwright.sync_api import expect
from test_console import HOME, opened
from test_console_access import PAGE, sign_in
from test_console_jobs import Actor

ASKED = {"kind": "questionnaire", "name": "Asked", "schema": {"version": 1, "questions": [
    {"id": "first", "type": "text", "title": "What is new?"}]}}
# Whether the page is wider than its window.
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def closed(tmp_path_factory, pages):
    """A daemon with two apps, tokens of an administrator and of an owner, and no rule of two people."""
    tokens = "".join(f"  - {name}:{scope}:{app}:{hashlib.sha256(f'{name}-text'.encode()).hexdigest()}\n"
                     for name, scope, app in (("root", "admin", "*"), ("ana", "owner", APP)))
    daemon = Daemon(tmp_path_factory.mktemp("people"), pages.url, is_open=False, settings=f"tokens:\n{tokens}")
    daemon.token = "root-text"
    for app, name in ((APP, "Shop"), ("blog", "Trail Notes")):
        daemon.call("PUT", f"/v1/apps/{app}/manifest", {
            "app_name": name, "default_locale": "en", "surfaces": ["home"]})
    yield daemon
    daemon.stop()


@pytest.fixture(autouse=True)
def nobody(closed):
    """No person and no recipe is left from another test."""
    yield
    closed.token = "root-text"
    for account in closed.call("GET", "/v1/accounts")[1]["accounts"]:
        closed.call("DELETE", f"/v1/accounts/{account['name']}")
    for recipe in closed.call("GET", f"/v1/apps/{APP}/recipes")[1]["recipes"]:
        closed.delete(recipe["slug"])


@pytest.fixture
def admin(browser, closed):
    with opened(browser, closed, "/console/sign-in") as page:
        sign_in(page, "root-text")
        yield page


def put(closed, slug, document=ASKED, query="?state=draft"):
    """Ana writes a document."""
    closed.token = "ana-text"
    status, body = closed.call("PUT", f"/v1/apps/{APP}/recipes/{slug}{query}", document)
    closed.token = "root-text"
    assert status in (200, 201), body
    return body


def invited(closed, name="ben", roles=None):
    """The address of a new person's link."""
    closed.token = "root-text"
    status, body = closed.call("POST", "/v1/accounts", {"name": name, "roles": roles or {APP: "reviewer"}})
    assert status == 201, body
    return closed.url + body["link"]


def entered(browser_context, link):
    """The page of somebody who opens a link."""
    page = browser_context.new_page()
    page.goto(link)
    page.get_by_role("button", name="Signed in as").wait_for()
    return page


def recipe(closed, slug):
    listed = closed.call("GET", f"/v1/apps/{APP}/recipes")[1]["recipes"]
    return next((item for item in listed if item["slug"] == slug), None)


def act(page, name, action):
    page.get_by_role("button", name=f"More actions for {name}").click()
    page.get_by_role("menuitem", name=action).click()


def test_goal_1_a_colleague_is_invited_and_approves_in_six_actions(browser, admin, closed):
    put(closed, "asked")
    # The invitation is for the last used app.
    admin.goto(closed.url + HOME)
    admin.get_by_role("heading", name="Home").wait_for()
    admin.goto(closed.url + PAGE)
    actor = Actor(admin, True)
    actor.press("Invite")
    admin.get_by_role("dialog").get_by_label("Name").fill("ben")
    actor.actions += 1
    actor.press("Make link")
    dialog = admin.get_by_role("dialog", name="The link for ben")
    link = dialog.get_by_role("textbox", name="Link").input_value()
    assert link.startswith(f"{closed.url}/console/sign-in#link=bwi_")
    assert violations(admin) == []
    dialog.get_by_role("button", name="Done").click()
    row = admin.get_by_role("row", name="ben")
    expect(row).to_contain_text("Reviewer of")
    expect(row).to_contain_text("never")
    expect(row).to_contain_text("Link waits, until")
    assert "bwi_" not in admin.content()
    asked = []
    with new_context(browser) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(link)
        actor.actions += 1
        colleague = Actor(page, True)
        page.get_by_text("Asked, revision 1, is a draft").wait_for()
        assert "bwi_" not in page.url and not [url for url in asked if "bwi_" in url]
        page.get_by_text("1 draft waits for your approval").wait_for(state="attached")
        colleague.press("Review", "link")
        page.get_by_text("ana wrote it. You approve it by putting it live.").wait_for()
        colleague.press("Put it live")
        assert eventually(lambda: recipe(closed, "asked")["state"] == "live")
        assert actor.actions + colleague.actions <= 6
        page.get_by_text("Approved by ben").wait_for()
        page.get_by_role("link", name="History", exact=True).click()
        page.get_by_role("cell", name="Approved by ben").wait_for()
        page.goto(f"{closed.url}{HOME}/audit?name=asked")
        page.get_by_text("ben approved revision 1, which ana wrote").wait_for()
        assert violations(page) == []
    admin.reload()
    expect(row).to_contain_text("1 session")


def test_with_another_role_in_another_app_an_invitation_has_a_row_for_each(admin, closed):
    admin.goto(closed.url + PAGE)
    admin.get_by_role("button", name="Invite").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_label("Name").fill("mira")
    dialog.get_by_label("Role", exact=True).select_option("translator")
    dialog.get_by_label("App", exact=True).select_option("blog")
    dialog.get_by_role("button", name="Add another app").click()
    dialog.get_by_label("Role", exact=True).nth(1).select_option("owner")
    dialog.get_by_label("App", exact=True).nth(1).select_option("blog")
    dialog.get_by_role("button", name="Make link").click()
    dialog.get_by_role("alert").filter(has_text="Two rows have the same app").wait_for()
    assert violations(admin) == []
    dialog.get_by_label("App", exact=True).nth(1).select_option(APP)
    dialog.get_by_role("button", name="Make link").click()
    admin.get_by_role("dialog", name="The link for mira").get_by_role("button", name="Done").click()
    row = admin.get_by_role("row", name="mira")
    expect(row.get_by_role("listitem")).to_have_text(["Owner of Shop", "Translator of Trail Notes"])


@pytest.mark.parametrize("name, words", [
    ("root", "There is a person or a token with this name"), ("daemon", "The audit calls others"),
    ("  ", "A name has 1 to 128 characters")])
def test_what_the_daemon_refuses_is_said_beside_the_form(admin, closed, name, words):
    admin.goto(closed.url + PAGE)
    admin.get_by_role("button", name="Invite").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Make link").click()
    dialog.get_by_role("alert").filter(has_text=words).wait_for()
    assert violations(admin) == []


def test_goal_16_a_link_signs_in_once_and_its_second_use_is_refused_in_words(browser, closed):
    link = invited(closed)
    with new_context(browser) as context:
        entered(context, link)
    for locale, words in (("en", "This link does not work any more"), ("de-DE", "Dieser Link gilt nicht mehr")):
        with new_context(browser, locale=locale) as context:
            page = context.new_page()
            page.goto(link)
            page.get_by_role("alert").filter(has_text=words).wait_for()
            expect(page).to_have_url(f"{closed.url}/console/sign-in")
            page.get_by_label("Token").wait_for()
            assert violations(page) == []


def test_goal_16_a_link_replaces_the_session_of_somebody_else_only_after_a_press(browser, closed):
    link = invited(closed)
    with opened(browser, closed, "/console/sign-in") as page:
        sign_in(page, "ana-text")
        page.goto("about:blank")
        page.goto(link)
        page.get_by_text("You are signed in as ana.").wait_for()
        assert "bwi_" not in page.url and violations(page) == []
        page.get_by_role("button", name="Sign in with the link").click()
        page.get_by_role("button", name="Signed in as ben").wait_for()


def test_goal_16_a_newer_link_replaces_the_one_before(browser, admin, closed):
    old = invited(closed)
    admin.goto(closed.url + PAGE)
    act(admin, "ben", "New link")
    dialog = admin.get_by_role("dialog", name="The link for ben")
    new = dialog.get_by_role("textbox", name="Link").input_value()
    dialog.get_by_role("button", name="Done").click()
    with new_context(browser) as context:
        page = context.new_page()
        page.goto(old)
        page.get_by_role("alert").filter(has_text="a newer one was made").wait_for()
        entered(context, new)


def test_goal_16_a_reviewer_reviews_and_does_not_write(browser, closed):
    put(closed, "asked", query="")
    draft = put(closed, "asked", {**ASKED, "name": "Asked again"})
    with new_context(browser) as context:
        page = entered(context, invited(closed))
        page.goto(f"{closed.url}{HOME}/r/asked")
        page.get_by_text("put live what others wrote").wait_for()
        for name in ("Pause", "End …", "Edit"):
            expect(page.get_by_role("button", name=name, exact=True), name).to_have_count(0)
        page.get_by_role("link", name="Review").click()
        page.get_by_role("button", name="Send back").wait_for()
        page.get_by_text("No faults and no warnings.").wait_for()
        expect(page.get_by_role("link", name="Edit", exact=True)).to_have_count(0)
        expect(page.get_by_role("button", name="Put it live")).to_have_attribute("aria-disabled", "false")
        assert violations(page) == []
        page.get_by_role("button", name="Discard the draft").click()
        page.get_by_role("dialog").get_by_role("button", name="Discard the draft").click()
        assert eventually(lambda: recipe(closed, "asked")["draft"] is None)
        assert recipe(closed, "asked")["in_force"] == draft["revision"] - 1
        page.goto(f"{closed.url}{HOME}/recipes")
        put(closed, "asked", {**ASKED, "name": "Once more"})
        page.reload()
        act(page, "Asked", "Review")
        page.get_by_role("heading", name="Review of").wait_for()


def test_goal_35_a_reviewer_sends_a_draft_back(browser, closed):
    put(closed, "asked")
    with new_context(browser) as context:
        page = entered(context, invited(closed))
        page.goto(f"{closed.url}{HOME}/r/asked/publish")
        page.get_by_role("button", name="Send back").click()
        page.get_by_role("dialog").get_by_label("Comment").fill("Shorter.")
        with page.expect_response(lambda response: response.url.endswith("/note")) as answer:
            page.get_by_role("dialog").get_by_role("button", name="Send back").click()
        assert answer.value.status == 200
        page.get_by_text("The draft of Asked is sent back").wait_for()


def test_a_reviewer_approves_texts_that_somebody_else_wrote(browser, closed):
    closed.token = "ana-text"
    closed.call("PUT", f"/v1/apps/{APP}/strings/de", {"Words": {"sale": "Angebot"}})
    status, body = closed.call("PUT", f"/v1/apps/{APP}/strings/de?state=draft", {"Words": {"sale": "Schlussverkauf"}})
    assert status in (200, 201), body
    with new_context(browser) as context:
        page = entered(context, invited(closed))
        page.goto(f"{closed.url}{HOME}/texts?locale=de")
        page.get_by_role("button", name="Approve and publish").click()
        assert eventually(lambda: closed.call("GET", f"/v1/apps/{APP}/texts")[1]["locales"][0]["draft_revision"] is None)


def test_goal_16_each_app_shows_what_its_role_allows(browser, closed):
    put(closed, "asked")
    with new_context(browser) as context:
        page = entered(context, invited(closed, roles={APP: "reviewer", "blog": "owner"}))
        page.goto(f"{closed.url}{HOME}/recipes")
        page.get_by_role("button", name="Signed in as ben").filter(has_text="reviewer").wait_for()
        page.get_by_role("row", name="Asked").wait_for()
        expect(page.get_by_role("link", name="New recipe")).to_have_count(0)
        page.get_by_label("Choose an app").select_option("blog")
        page.get_by_role("button", name="Signed in as ben").filter(has_text="owner").wait_for()
        page.get_by_role("heading", name="Home").wait_for()
        page.goto(f"{closed.url}/console/a/blog/recipes")
        page.locator("h1").wait_for()
        expect(page.get_by_role("link", name="New recipe").first).to_be_visible()
        page.goto(f"{closed.url}/console/me")
        page.get_by_text("You are ben: Reviewer of Shop and Owner of Trail Notes.").wait_for()
        page.get_by_role("button", name="Signed in as ben").filter(has_text="2 roles").wait_for()
        page.goto(f"{closed.url}/console/a/else/recipes")
        page.get_by_text("None of your roles allows this here").wait_for()


def test_goal_16_changed_roles_hold_for_whoever_is_signed_in(browser, admin, closed):
    put(closed, "asked")
    with new_context(browser) as context:
        page = entered(context, invited(closed))
        admin.goto(closed.url + PAGE)
        act(admin, "ben", "Change roles")
        dialog = admin.get_by_role("dialog", name="The roles of ben")
        expect(dialog.get_by_label("Role", exact=True)).to_have_value("reviewer")
        dialog.get_by_label("Role", exact=True).select_option("owner")
        assert violations(admin) == []
        dialog.get_by_role("button", name="Change roles").click()
        admin.get_by_text("ben has these roles from now on").wait_for()
        expect(admin.get_by_role("row", name="ben")).to_contain_text("Owner of Shop")
        page.goto(f"{closed.url}{HOME}/r/asked")
        page.get_by_role("button", name="Edit", exact=True).wait_for()


def test_goal_16_a_removed_person_is_signed_out(browser, admin, closed):
    with new_context(browser) as context:
        page = entered(context, invited(closed))
        admin.goto(closed.url + PAGE)
        act(admin, "ben", "Remove")
        dialog = admin.get_by_role("dialog", name="Remove ben?")
        expect(dialog).to_contain_text("1 session ends at once.")
        assert violations(admin) == []
        dialog.get_by_role("button", name="Remove", exact=True).click()
        admin.get_by_text("ben is removed").wait_for()
        expect(admin.get_by_role("row", name="ben")).to_have_count(0)
        assert page.evaluate("fetch('/v1/session').then(answer => answer.status)") == 401


@pytest.fixture
def alone(tmp_path, pages):
    """A daemon without tokens in its settings, whose only administrator is an account."""
    daemon = Daemon(tmp_path, pages.url, is_open=False,
                    settings=f"tokens:\n  - root:admin:*:{hashlib.sha256(b'root-text').hexdigest()}\n")
    daemon.token = "root-text"
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", {"app_name": "Shop", "default_locale": "en"})
    link = daemon.call("POST", "/v1/accounts", {"name": "eve", "roles": {"*": "admin"}})[1]["link"]
    daemon.stop()
    daemon.config.write_text(daemon.config.read_text().replace("tokens:\n", "").split("\n", 1)[1])
    daemon.start()
    daemon.link = daemon.url + link
    yield daemon
    daemon.stop()


def test_goal_16_the_last_administrator_stays(browser, alone):
    with new_context(browser) as context:
        page = entered(context, alone.link)
        page.goto(alone.url + PAGE)
        expect(page.get_by_role("row", name="eve")).to_contain_text("you")
        act(page, "eve", "Remove")
        page.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
        page.get_by_text("Nobody else administers all apps").wait_for()
        act(page, "eve", "Change roles")
        page.get_by_role("dialog").get_by_label("Role", exact=True).select_option("reader")
        page.get_by_role("dialog").get_by_role("button", name="Change roles").click()
        page.get_by_role("dialog").get_by_role("alert").filter(has_text="Nobody else administers all apps").wait_for()
        assert violations(page) == []


def test_german_tells_roles_and_faults(browser, closed):
    invited(closed)
    with new_context(browser, locale="de-DE") as context:
        page = context.new_page()
        page.goto(f"{closed.url}/console/sign-in?next={PAGE}")
        page.get_by_label("Token").fill("root-text")
        page.get_by_role("button", name="Anmelden").click()
        expect(page.get_by_role("row", name="ben")).to_contain_text("Freigabe für Shop")
        expect(page.get_by_role("row", name="ben")).to_contain_text("Link wartet, bis")
        page.get_by_role("button", name="Einladen").click()
        page.get_by_label("Name").fill("ben")
        page.get_by_role("button", name="Link machen").click()
        page.get_by_role("alert").filter(has_text="hat diesen Namen schon").wait_for()
        assert violations(page) == []


@pytest.mark.parametrize("width", [320, 390])
def test_goal_4_on_a_phone_people_are_invited_without_a_sideways_scroll(browser, closed, width):
    invited(closed, "somebody.with-a-long-name@example.com", {APP: "reviewer", "blog": "owner"})
    with opened(browser, closed, "/console/sign-in", viewport={"width": width, "height": 640}) as page:
        sign_in(page, "root-text")
        page.goto(closed.url + PAGE)
        page.get_by_role("row", name="somebody").wait_for()
        assert violations(page) == [] and eventually(lambda: page.evaluate(SIDEWAYS) <= 0)
        page.get_by_role("button", name="Invite").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Add another app").click()
        expect(dialog.get_by_label("Role", exact=True)).to_have_count(2)
        assert violations(page) == []
        assert dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0
        dialog.get_by_role("button", name="Remove this role").first.click()
        dialog.get_by_label("Name").fill("kim")
        dialog.get_by_role("button", name="Make link").click()
        shown = page.get_by_role("dialog", name="The link for kim")
        shown.wait_for()
        assert shown.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0


def test_a_provider_comes_first_and_the_token_is_folded(browser, closed):
    def named(route):
        answer = route.fetch()
        text = re.sub("<html", '<html data-sign-in="/v1/login" data-provider="Acorn"', answer.text(), count=1)
        route.fulfill(response=answer, body=text)

    with new_context(browser) as context:
        page = context.new_page()
        page.route(re.compile("/console/"), lambda route: named(route) if route.request.resource_type == "document" else route.continue_())
        page.goto(f"{closed.url}{HOME}/recipes?q=a")
        link = page.get_by_role("link", name="Sign in with Acorn")
        target = "/v1/login?next=%2Fconsole%2Fa%2Fshop%2Frecipes%3Fq%3Da"
        assert eventually(lambda: link.get_attribute("href") == closed.url + target)
        expect(link).to_be_focused()
        expect(page.get_by_label("Token")).to_be_hidden()
        assert violations(page) == []
        page.get_by_text("Sign in with a token").click()
        page.get_by_label("Token").fill("ana-text")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("heading", name="Recipes").wait_for()


def test_the_audit_names_people_and_their_roles(browser, closed):
    invited(closed)
    with opened(browser, closed, "/console/sign-in") as page:
        sign_in(page, "root-text")
        page.goto(f"{closed.url}{HOME}/audit?kind=account&name=ben")
        row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="person ben")).last
        expect(row).to_contain_text("created")
        expect(row).to_contain_text("reviewer")
        expect(page.get_by_label("Kind")).to_have_value("account")


def test_the_provider_comes_first_and_a_refusal_is_a_page(browser, tmp_path, pages):
    # Nobody answers at this address.
    sign_in = """http:
  public_url: http://localhost
sign_in:
  issuer: http://127.0.0.1:1
  client_id: bellwether
  client_secret: secret
  name: Example
  roles: {staff: "owner:*"}
"""
    own = Daemon(tmp_path, pages.url, is_open=False, settings=sign_in)
    try:
        with new_context(browser) as context:
            page = context.new_page()
            page.goto(f"{own.url}/console")
            page.get_by_role("link", name="Sign in with Example").wait_for()
            expect(page.get_by_text("Sign in with a token")).to_be_visible()
            expect(page.get_by_role("textbox")).to_have_count(0)
            assert violations(page) == []
            page.keyboard.press("Enter")
            page.get_by_role("heading", name="Nobody is signed in").wait_for()
            page.get_by_text("The identity provider cannot be reached").wait_for()
            assert violations(page) == []
            page.get_by_role("link", name="Back to the sign-in").click()
            page.get_by_role("link", name="Sign in with Example").wait_for()
    finally:
        own.stop()
