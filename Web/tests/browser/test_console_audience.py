"""Whom an expression is for, in rows (docs/console.md#whom-something-is-for)."""

import json

import pytest
from conftest import APP, at_rest, eventually, violations
from playwright.sync_api import expect
from test_console import HOME, opened
from test_console_ask import row, say
from test_console_edit import field, put_text, redrawn, source, text_of

LOCKED = "trips  %  2 == 0"
EXPRESSION = (f"(plan == \"it's\"  || {LOCKED})\n && 'page_viewed'|eventSum('Days', 7) >= 3 &&"
              " answer.nps != null && answer.nps >= 9")
SEGMENT = {"kind": "segment", "name": "Tried", "expression": EXPRESSION}
# Only beside the form is the text in the page as it is.
SPLIT = f"{HOME}/r/tried/edit?at=/expression&show=split"
PLACES = {"segment": f"{HOME}/r/tried/edit?at=/expression", "targeting": f"{HOME}/r/aimed/edit?at=/targeting",
          "triggers": f"{HOME}/r/sent/edit?at=/triggers"}
AIMED = {
    "schemaVersion": "1.12.0", "slug": "aimed", "appName": "shop", "channel": "", "userFacingName": "Aimed",
    "userFacingDescription": "At some", "isEnrollmentPaused": False, "targeting": "plan == 'pro'",
    "bucketConfig": {"randomizationUnit": "nimbus_id", "namespace": "aimed", "start": 0, "count": 100, "total": 10000},
    "branches": [{"slug": "control", "ratio": 1, "features": [{"featureId": "messaging", "value": {}}]}],
    "proposedEnrollment": 14, "startDate": None, "endDate": "2099-01-02", "referenceBranch": "control"}
SENT = {"triggers": {"PRO": "plan == 'pro'", "ODD": "(plan != 'pro') ? (plan == 'a') : (plan == 'b')"},
        "messages": {"sent": {"surface": "home", "text": "Hello", "trigger-if-all": ["PRO", "ODD"]}}}


@pytest.fixture(scope="module")
def named(daemon):
    """An app with a segment, a list, an event and attributes of four types."""
    manifest = daemon.call("GET", f"/v1/apps/{APP}/manifest")[1]
    types = {"plan": "string", "trips": "number", "is_beta": "boolean", "tags": "array"}
    changed = {**manifest, "attributes": types, "events": {"purchase": {"description": "Paid"}}}
    assert daemon.call("PUT", f"/v1/apps/{APP}/manifest", changed)[0] in (200, 201)
    daemon.put("gold", {"kind": "segment", "name": "Gold", "expression": "plan == 'gold'"})
    assert daemon.call("PUT", f"/v1/apps/{APP}/lists/vips", {"ids": ["a"]})[0] in (200, 201)
    return daemon


@pytest.fixture
def tried(named):
    """A segment, an experiment and a message, which are deleted afterwards."""
    put_text(named, "tried", json.dumps(SEGMENT, indent=2) + "\n")
    named.put("aimed", AIMED)
    named.put("sent", SENT)
    yield named
    for slug in ("tried", "aimed", "sent", "fresh"):
        named.delete(slug)


def expression_of(page):
    return json.loads(source(page))["expression"]


def shape(page, name):
    return page.get_by_role("radio", name=name)


@pytest.mark.parametrize("name", PLACES)
def test_an_expression_in_rows_has_no_axe_violation(browser, tried, name):
    with opened(browser, tried, PLACES[name]) as page:
        row(page, 0).wait_for()
        assert violations(page) == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_comparison_of_each_subject_is_accessible_and_has_words(browser, tried, language):
    tried.put("tried", {**SEGMENT, "expression": "true"})
    with opened(browser, tried, SPLIT, locale=language) as page:
        add = page.locator(".when .list-actions button").first
        for place, subject in enumerate(["plan", "trips", "is_beta", "tags", "segment.gold", "list.vips", "event:purchase",
                                         "event:", "answer.", "app_version", "@share"]):
            add.click()
            redrawn(page)
            row(page, place).locator(".when-subject").select_option(value=subject)
        texts = page.locator(".when").first.evaluate("e => e.textContent")
        assert "when." not in texts and "audience." not in texts and "jexl." not in texts
        comparisons = row(page, 6).locator(".when-comparison")
        for comparison in comparisons.locator("option").evaluate_all("all => all.map(e => e.value)"):
            comparisons.select_option(value=comparison)
            redrawn(page)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.lang") == language
        assert eventually(lambda: "answer.name" in expression_of(page))


def test_an_audience_of_three_rows_is_made_in_at_most_8_actions(browser, tried):
    tried.put("tried", {**SEGMENT, "expression": "true"})
    with opened(browser, tried, SPLIT) as page:
        actions = 0

        def act(_):
            nonlocal actions
            actions += 1
            redrawn(page)

        act(page.get_by_role("button", name="Add a condition").click())
        # A segment cannot read itself.
        assert "the segment tried" not in row(page, 0).inner_text()
        act(row(page, 0).get_by_label("What is asked about").select_option(label="plan"))
        act(row(page, 0).get_by_label("Value", exact=True).fill("pro"))
        act(page.get_by_role("button", name="And another").click())
        act(row(page, 1).get_by_label("What is asked about").select_option(label="the event purchase"))
        act(row(page, 1).get_by_label("How often").fill("3"))
        act(page.get_by_role("button", name="And another").click())
        act(row(page, 2).get_by_label("What is asked about").select_option(label="the segment gold"))
        wanted = "plan == 'pro' && 'purchase'|eventSum('Days', 7, 0) >= 3 && segment.gold"
        assert expression_of(page) == wanted
        expect(page.locator(".when-words")).to_contain_text(
            "In words: plan is “pro”, “purchase” happened at least 3 times in the last 7 days, and in the segment gold.",
            use_inner_text=True)
        page.get_by_text("no findings").wait_for()
        assert actions <= 8
        page.keyboard.press("Control+s")
        page.get_by_text("saved as a draft").wait_for()
        assert wanted in text_of(tried, "tried")


def test_what_rows_cannot_say_stays_byte_for_byte_after_an_edit_of_another_row(browser, tried):
    with opened(browser, tried, SPLIT) as page:
        locked = page.locator(".when-row.is-locked")
        expect(locked).to_have_count(1)
        expect(locked.locator("code")).to_have_text(LOCKED, use_inner_text=False)
        before = source(page)
        row(page, 2).get_by_label("Value", exact=True).fill("10")
        assert expression_of(page) == EXPRESSION.replace(">= 9", ">= 10")
        assert source(page) == before.replace(">= 9", ">= 10")
        row(page, 1).get_by_label("How long").fill("14")
        wanted = EXPRESSION.replace(">= 9", ">= 10").replace("'Days', 7", "'Days', 14, 0")
        assert expression_of(page) == wanted
        row(page, 0).get_by_label("Value", exact=True).fill('say "it\'s"')
        assert expression_of(page) == wanted.replace('"it\'s"', '"say \\"it\'s\\""')
        page.get_by_label("How conditions are joined").nth(1).select_option("all")
        assert LOCKED in expression_of(page)
        page.keyboard.press("Control+z")
        page.get_by_role("button", name="Delete the condition on plan").click()
        assert expression_of(page).startswith(f"({LOCKED})\n && ")
        locked.get_by_role("button", name="Edit the expression").click()
        expect(field(page, "Who is in it")).to_be_focused()


def test_the_choice_between_rows_and_expression_is_remembered(browser, tried):
    with opened(browser, tried, PLACES["targeting"]) as page:
        text = field(page, "Targeting")
        expect(shape(page, "Rows")).to_be_checked()
        expect(text).to_be_hidden()
        shape(page, "Expression").check()
        expect(text).to_be_visible()
        expect(row(page, 0)).to_be_hidden()
        text.fill("plan == 'free' && (trips > 3)")
        page.get_by_text("trips is more than 3", exact=True).wait_for()
        page.reload()
        expect(shape(page, "Expression")).to_be_checked()
        page.goto(page.url.replace("aimed", "tried").replace("/targeting", "/expression"))
        expect(shape(page, "Expression")).to_be_checked()
        shape(page, "Rows").check()
        page.reload()
        expect(shape(page, "Rows")).to_be_checked()
        expect(row(page, 0)).to_be_visible()


def test_an_expression_that_rows_cannot_say_is_shown_as_it_is_written(browser, tried):
    with opened(browser, tried, f"{PLACES['triggers']}&show=split") as page:
        fields = page.locator(".list-row")
        expect(fields.nth(0).get_by_role("radio", name="Rows")).to_be_checked()
        odd = fields.nth(1)
        expect(odd.get_by_role("radio", name="Rows")).to_be_disabled()
        text = odd.get_by_label("Expression", exact=True).and_(page.locator("textarea"))
        expect(text).to_have_value(SENT["triggers"]["ODD"])
        text.fill("plan == 'a'")
        expect(odd.get_by_role("radio", name="Rows")).to_be_enabled()
        odd.get_by_role("radio", name="Rows").check()
        say(row(page, 1), "trips", "is more than", "2")
        assert json.loads(source(page))["triggers"]["ODD"] == "trips > 2"
        assert json.loads(source(page))["triggers"]["PRO"] == "plan == 'pro'"
        # A text that is no expression any more is shown as text.
        text.evaluate("field => { field.value = 'trips >'; field.dispatchEvent(new Event('input')); }")
        expect(odd.get_by_role("radio", name="Rows")).to_be_disabled()
        expect(text).to_be_visible()


def test_a_mistake_of_types_leads_from_the_rows_to_its_place(browser, tried):
    tried.put("tried", {**SEGMENT, "expression": "plan == 1 && trips > 2"})
    with opened(browser, tried, SPLIT) as page:
        page.get_by_text("plan is a text: compare it with 'pro', not with 1.").wait_for()
        go = page.get_by_role("button", name="Go there")
        go.hover()
        page.mouse.down()
        # The form shows the document again between press and release: the button stays, and gets its click.
        page.get_by_label("JSON", exact=True).last.evaluate("""area => {
            area.value = area.value.replace('Tried', 'Again');
            area.dispatchEvent(new Event('input', { bubbles: true }));
        }""")
        expect(page.get_by_role("button", name="Save draft")).to_be_enabled()
        redrawn(page)
        page.mouse.up()
        text = field(page, "Who is in it")
        expect(text).to_be_focused()
        assert text.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)") == "plan == 1"


def test_rows_are_made_by_keys_alone_with_a_group_of_one_row(browser, tried):
    tried.put("tried", {**SEGMENT, "expression": "plan == 'pro'"})
    with opened(browser, tried, SPLIT) as page:
        row(page, 0).get_by_label("Value", exact=True).focus()

        def to(role, name):
            """Presses Tab until a control has the focus."""
            control = page.get_by_role(role, name=name, exact=True).last
            for _ in range(20):
                if control.evaluate("e => e === document.activeElement"):
                    return
                page.keyboard.press("Tab")
            raise AssertionError(f"{name} is not reached")

        to("button", "Add a group")
        page.keyboard.press("Enter")
        redrawn(page)
        assert expression_of(page) == "plan == 'pro' && (is_beta == true)"
        # The group stays a group, though its brackets say nothing.
        expect(page.locator(".when-group")).to_have_count(1)
        page.keyboard.press("ArrowDown")
        redrawn(page)
        page.locator(".when-group").get_by_role("button", name="And another").focus()
        page.keyboard.press("Enter")
        redrawn(page)
        expect(page.locator(".when-group").get_by_label("How conditions are joined")).to_have_value("any")
        assert expression_of(page) == "plan == 'pro' && (plan == '' || is_beta == true)"


def test_names_that_are_typed_are_checked(browser, tried):
    tried.put("tried", {**SEGMENT, "expression": "true"})
    with opened(browser, tried, SPLIT) as page:
        page.get_by_role("button", name="Add a condition").click()
        say(row(page, 0), "an answer", "is at least", "9")
        name = row(page, 0).get_by_label("Name", exact=True)
        name.fill("2nd")
        expect(name).to_have_attribute("aria-invalid", "true")
        assert expression_of(page) == "answer.name != null && answer.name >= 9"
        name.fill("nps")
        assert expression_of(page) == "answer.nps != null && answer.nps >= 9"
        say(row(page, 0), "another event", "has never happened")
        row(page, 0).get_by_label("Name", exact=True).fill("it's done")
        assert expression_of(page) == "\"it's done\"|eventAgo(0) == false"
        say(row(page, 0), "plan", "is", "a\\b")
        expect(row(page, 0).get_by_label("Value", exact=True)).to_have_attribute("aria-invalid", "true")
        page.get_by_role("button", name="Delete the condition on plan").click()
        assert expression_of(page) == "true"
        page.get_by_text("Everybody.").wait_for()
        page.keyboard.press("Control+s")
        page.get_by_text("saved as a draft").wait_for()


def test_the_share_follows_the_rows(browser, tried):
    answer = {"sample": {"contexts": 1000}, "targeted": {"low": 0.75, "high": 0.75, "interval": [0.72, 0.78]}}
    asked = []
    with opened(browser, tried, PLACES["targeting"]) as page:
        page.route("**/recipes/forecast*", lambda route: (asked.append(route.request.post_data), route.fulfill(json=answer)))
        say(row(page, 0), comparison="is not")
        page.get_by_text("75% [72%–78%] of a sample of 1,000 clients").wait_for()
        assert eventually(lambda: any("plan != 'pro'" in one for one in asked))


@pytest.mark.parametrize("name", PLACES)
def test_at_320_pixels_no_rows_scroll_sideways(browser, tried, name):
    with opened(browser, tried, PLACES[name], viewport={"width": 320, "height": 640}) as page:
        row(page, 0).wait_for()
        at_rest(page)
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)
