"""A beginning: from a daemon without apps to a live question, in the console alone (docs/console.md#a-new-app)."""

import hashlib
import json
import re
import urllib.error
import urllib.request

import pytest
from conftest import PATIENCE, Daemon, eventually, violations
from playwright.sync_api import expect
from test_console import opened
from test_console_access import sign_in
from test_console_accounts import SIDEWAYS
from test_console_jobs import Actor

PAGE = "/console/new-app"
TRAIL = {"app_name": "Trail", "default_locale": "en", "surfaces": ["home"]}
# The id of a visitor's browser, which nobody can guess.
VISITOR = "v" * 22


@pytest.fixture
def empty(tmp_path, pages):
    """A daemon without apps, with tokens of an administrator, of owners of all apps and of one, and of a reader."""
    tokens = "".join(f"  - {name}:{scope}:{app}:{hashlib.sha256(f'{name}-text'.encode()).hexdigest()}\n"
                     for name, scope, app in (("root", "admin", "*"), ("olga", "owner", "*"), ("lena", "owner", "shop"),
                                              ("rita", "reader", "*")))
    daemon = Daemon(tmp_path, pages.url, is_open=False, settings=f"tokens:\n{tokens}")
    daemon.token = "root-text"
    yield daemon
    daemon.stop()


def manifest(daemon, app):
    return daemon.call("GET", f"/v1/apps/{app}/manifest")[1]


def polled(daemon, app, token, origin=None):
    """The status of a poll of a client, and the messages."""
    headers = {"Authorization": f"Bearer {token}", **({"Origin": origin} if origin else {})}
    body = json.dumps({"client_id": VISITOR}).encode()
    headers["Content-Type"] = "application/json"
    request = urllib.request.Request(f"{daemon.url}/v1/apps/{app}/messages", body, headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read())["messages"]
    except urllib.error.HTTPError as error:
        return error.code, []


class Beginner(Actor):
    """An actor whose filled fields count, too."""

    def fill(self, label, text):
        field = self.page.get_by_label(label, exact=True)
        if not self.has_pointer:
            self.reach(field)
        field.fill(text)
        self.actions += 1


@pytest.mark.parametrize("has_pointer", [True, False], ids=["pointer", "keys"])
def test_goal_1_an_empty_daemon_has_a_live_question_after_15_actions(browser, empty, has_pointer):
    permissions = ["clipboard-read", "clipboard-write"]
    with opened(browser, empty, "/console/sign-in", permissions=permissions) as page:
        actor = Beginner(page, has_pointer)
        actor.fill("Token", "root-text")
        actor.press("Sign in")
        page.get_by_text("There is no app yet").wait_for()
        assert violations(page) == []
        actor.press("New app", "link")
        page.get_by_role("heading", name="New app", level=1).wait_for()
        expect(page.get_by_label("Name", exact=True)).to_be_focused()
        actor.fill("Name", "Trail Notes")
        expect(page.get_by_label("Id", exact=True)).to_have_value("trail-notes")
        # The first platform is chosen already: whoever wants another one presses once.
        expect(page.get_by_role("radio", name="Web page")).to_be_checked()
        actor.actions += 1
        actor.fill("Addresses of the pages", "shop.example")
        before = actor.actions
        actor.press("Create")
        page.get_by_role("heading", name="Begin with Trail Notes", level=1).wait_for()
        actor.press("Make a token")
        actor.press("Copy: The tag for your pages")
        tag = page.get_by_role("textbox", name="The tag for your pages").input_value()
        assert eventually(lambda: page.evaluate("navigator.clipboard.readText()") == tag)
        actor.press("Ask one question")
        actor.press("Review and publish")
        actor.press("Put it live")
        page.get_by_role("heading", name="Ask one question", level=1).wait_for()
        assert actor.actions - before <= 6 and actor.actions <= 12, actor.actions
    found = re.fullmatch(r'<script async src="(.+)/bellwether\.js" data-app="trail-notes" data-token="(bw_\w\S+)"></script>', tag)
    assert found and found[1] == empty.url
    assert eventually(lambda: polled(empty, "trail-notes", found[2])[1] != [])
    status, messages = polled(empty, "trail-notes", found[2], "https://shop.example")
    assert status == 200 and [message["key"] for message in messages] == ["ask-one-question"]
    assert len(messages[0]["microsurvey"]["options"]) == 3
    # Pages of another address get nothing.
    assert polled(empty, "trail-notes", found[2], "https://other.example")[0] == 403


def test_an_app_that_exists_is_told_beside_its_id_and_stays_as_it_is(browser, empty):
    empty.call("PUT", "/v1/apps/trail-notes/manifest", TRAIL)
    with opened(browser, empty, f"/console/sign-in?next={PAGE}") as page:
        sign_in(page, "root-text")
        page.get_by_label("Name", exact=True).fill("Trail Notes")
        page.get_by_role("button", name="Create").click()
        page.get_by_role("alert").filter(has_text="There is an app “trail-notes” already. Nothing was changed.").wait_for()
        name = page.get_by_label("Id", exact=True)
        expect(name).to_be_focused()
        expect(name).to_have_attribute("aria-invalid", "true")
        expect(name).to_have_accessible_description(re.compile("already"))
        assert violations(page) == []
        assert manifest(empty, "trail-notes") == TRAIL

        # Another fault of the id is told there, too, in the daemon's words.
        def refuse(route):
            message = "the app \"Trail-notes\" differs in case only"
            route.fulfill(status=422, json={"detail": message, "errors": [{"pointer": "", "code": "x", "message": message}]})
        page.route("**/manifest", refuse)
        page.get_by_role("button", name="Create").click()
        page.get_by_role("alert").filter(has_text="differs in case only").wait_for()
        page.unroute("**/manifest")
        # The id that somebody typed stays when the name changes.
        name.fill("notes")
        page.get_by_label("Name", exact=True).fill("Notes of Trails")
        expect(name).to_have_value("notes")
        page.get_by_role("button", name="Create").click()
        page.get_by_role("heading", name="Begin with Notes of Trails", level=1).wait_for()
        expect(page.get_by_label("Choose an app")).to_have_value("notes")
        # The way back does not lead to the form again.
        page.go_back()
        page.wait_for_url(re.compile("^(?!.*new-app)"))


def test_what_cannot_be_right_is_told_at_its_field_and_nothing_is_sent(browser, empty):
    with opened(browser, empty, f"/console/sign-in?next={PAGE}") as page:
        sign_in(page, "root-text")
        sent = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "PUT" else None)
        page.get_by_role("button", name="Create").click()
        page.get_by_role("alert").filter(has_text="Type a name.").wait_for()
        expect(page.get_by_label("Name", exact=True)).to_be_focused()
        page.get_by_label("Name", exact=True).fill("日本")
        page.get_by_role("button", name="Create").click()
        page.get_by_role("alert").filter(has_text="An id has 1 to 64").wait_for()
        page.get_by_label("Id", exact=True).fill("nihon")
        surfaces = page.get_by_label("Surfaces", exact=True)
        expect(surfaces).to_be_hidden()
        page.get_by_text("More", exact=True).click()
        surfaces.fill(" ")
        page.get_by_text("More", exact=True).click()
        page.get_by_role("button", name="Create").click()
        # What is folded opens.
        expect(surfaces).to_be_focused()
        page.get_by_role("alert").filter(has_text="one surface at least").wait_for()
        assert sent == []


def test_what_the_page_writes_is_changed_on_the_page_of_the_app(browser, empty):
    with opened(browser, empty, f"/console/sign-in?next={PAGE}") as page:
        sign_in(page, "root-text")
        page.get_by_label("Name", exact=True).fill("Trail Notes")
        page.get_by_role("radio", name="iOS app").check()
        expect(page.get_by_label("Addresses of the pages")).to_be_hidden()
        page.get_by_text("More", exact=True).click()
        expect(page.get_by_label("Attribute 1", exact=True)).to_have_value("app_version")
        page.get_by_role("button", name="Remove attribute 2").click()
        page.get_by_role("button", name="Add an attribute").click()
        page.keyboard.type("age")
        page.get_by_label("Type of attribute 2").select_option("number")
        page.get_by_role("button", name="Add an event").click()
        page.keyboard.type("signed_up")
        page.get_by_label("More languages").fill("de fr")
        page.get_by_role("button", name="Create").click()
        page.get_by_role("heading", name="Begin with Trail Notes", level=1).wait_for()
        assert manifest(empty, "trail-notes") == {
            "app_name": "Trail Notes", "default_locale": "en", "dialect": "ios", "surfaces": ["home", "microsurvey"],
            "attributes": {"app_version": "string", "age": "number"}, "events": {"signed_up": {}}}
        assert empty.call("GET", "/v1/apps")[1]["apps"][0]["locales"] == ["de", "fr"]
        page.get_by_role("link", name="Change the app").click()
        outline = page.locator(".outline")
        for section in ("Attributes", "Events"):
            outline.get_by_role("link", name=section).wait_for()
        outline.get_by_text("signed_up").click()
        page.get_by_label("Description").fill("A person has an account")
        page.get_by_role("button", name="Publish", exact=False).click()
        page.get_by_role("dialog").get_by_role("button", name="Publish").click()
        assert eventually(lambda: manifest(empty, "trail-notes")["events"]
                          == {"signed_up": {"description": "A person has an account"}})


def test_the_lines_follow_the_platform_and_a_token_is_shown_once(browser, empty):
    empty.call("PUT", "/v1/apps/trail/manifest", TRAIL)
    address = "/console/a/trail/start?platform=android"
    with opened(browser, empty, f"/console/sign-in?next={address}") as page:
        sign_in(page, "root-text")
        request = page.get_by_role("textbox", name="A request of the app")
        expect(request).to_have_value(re.compile("Bearer …"))
        expect(page.get_by_role("textbox", name="Address of the daemon")).to_have_value(empty.url)
        page.get_by_role("button", name="Make a token").click()
        token = page.get_by_role("textbox", name="Token").input_value()
        expect(request).to_have_value(f'curl "{empty.url}/v1/apps/trail/messages?client_id=me&locale=en" \\\n'
                                      f'  -H "Authorization: Bearer {token}"')
        assert polled(empty, "trail", token)[0] == 200
        # A token of web pages is another one.
        page.get_by_label("Lines for").select_option("web")
        page.wait_for_url(re.compile("platform=web"))
        page.get_by_text("No address of a page is listed yet").wait_for()
        expect(page.get_by_role("textbox", name="The tag")).to_have_value(re.compile("data-token=\"…\""))
        page.get_by_label("Lines for").select_option("ios")
        expect(request).to_have_value(re.compile(re.escape(token)))
        page.reload()
        page.get_by_role("button", name="Make a token").wait_for()
        assert token not in page.content()


def test_an_owner_without_admin_is_told_who_makes_the_token(browser, empty):
    with opened(browser, empty, "/console/sign-in") as page:
        sign_in(page, "olga-text")
        page.get_by_text("There is no app yet").wait_for()
        # The palette has the command, too.
        page.keyboard.press("Control+k")
        page.keyboard.type("new app")
        page.locator("dialog.palette [role=option]").first.get_by_text("New app").wait_for()
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="New app", level=1).wait_for()
        page.keyboard.type("Shop")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Begin with Shop", level=1).wait_for()
        page.get_by_text("An administrator makes it on the page Access: scope web, app shop.").wait_for()
        expect(page.get_by_role("button", name="Make a token")).to_have_count(0)
        assert violations(page) == []


@pytest.mark.parametrize("name", ["rita", "lena"])
def test_who_may_not_publish_for_all_apps_does_not_see_it(browser, empty, name):
    with opened(browser, empty, "/console/sign-in") as page:
        sign_in(page, f"{name}-text")
        page.get_by_text("There is no app for you yet").wait_for()
        expect(page.get_by_role("link", name="New app")).to_have_count(0)
        page.keyboard.press("Control+k")
        page.keyboard.type("keys")
        page.locator("dialog.palette [role=option]").first.get_by_text("Keys").wait_for()
        page.keyboard.press("Control+a")
        page.keyboard.type("new app")
        expect(page.locator("dialog.palette [role=option]").filter(has_text="New app")).to_have_count(0)
        page.keyboard.press("Escape")
        page.goto(empty.url + PAGE)
        page.get_by_text("A new app needs the scope owner or admin in all apps.").wait_for()
        assert violations(page) == []


def test_a_manifest_that_became_a_draft_is_told(browser, empty):
    with opened(browser, empty, f"/console/sign-in?next={PAGE}") as page:
        sign_in(page, "olga-text")
        page.route("**/manifest", lambda route: route.fulfill(status=201, json={"revision": 1, "state": "draft", "warnings": []}))
        page.get_by_label("Name", exact=True).fill("Shop")
        page.get_by_role("button", name="Create").click()
        page.get_by_role("heading", name="Shop waits for somebody else").wait_for()
        page.get_by_text("Somebody else has to put it live").wait_for()
        assert violations(page) == []


@pytest.mark.parametrize("language, create, token, more", [
    ("en", "Create", "Make a token", "More"), ("de", "Anlegen", "Token machen", "Mehr")])
def test_goal_40_the_pages_are_narrow_and_in_each_language(browser, empty, language, create, token, more):
    options = {"locale": language, "viewport": {"width": 390, "height": 844}, "color_scheme": "dark" if language == "de" else "light"}
    with opened(browser, empty, f"/console/sign-in?next={PAGE}", **options) as page:
        page.get_by_label("Token").fill("root-text")
        page.locator("form button[type=submit]").click()
        page.get_by_label("Name", exact=True).fill("Trail Notes")
        page.get_by_text(more, exact=True).click()
        page.locator("details button").last.click()
        assert eventually(lambda: page.evaluate(SIDEWAYS) <= 0)
        assert violations(page) == []
        expect(page.locator("#begin-locale")).to_have_value(language)
        assert language == "en" or not re.search(r"\bbegin\.|Such as|Attribute 1", page.locator("main").inner_text())
        page.get_by_role("button", name=create).click()
        page.get_by_role("button", name=token).click()
        page.get_by_role("status").filter(has_text="Token" if language == "de" else "token").first.wait_for()
        assert eventually(lambda: page.evaluate(SIDEWAYS) <= 0)
        assert violations(page) == []
