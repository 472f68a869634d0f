"""The goals of the owners' console that concern questions and conditions (docs/console.md#goals)."""

import copy
import json
import re
import subprocess

import pytest
from conftest import APP, FEEDBACK, MANIFEST, PATIENCE, PROGRAM, ROOT, SURVEY, at_rest, eventually, violations
from playwright.sync_api import expect
from test_console import HOME, opened
from test_console_edit import field, put_text, redrawn, source, text_of

CONDITIONS = ROOT / "vectors/conditions.json"
ASKED = copy.deepcopy(FEEDBACK)
ASKED["schema"]["questions"][2]["show_if"] = {
    "operation": "and", "subconditions": [
        {"id": "recommend", "operation": "greater than or equal to", "value": 9},
        {"operation": "or", "subconditions": [
            {"id": "stars", "operation": "less than", "value": 3}, {"operation": "custom", "extra": {"predicate": "warm"}}]}]}
ASKED["predicates"] = {"warm": "true"}
ASKED["offer"] = {"surface": "home", "text": "Tell us", "pacing": {"quotas": [
    {"name": "promoters", "limit": 50, "when": {"all": [{"ref": "answer.recommend", "op": "gte", "value": 9},
                                                       {"ref": "attr.plan", "op": "in", "value": ["pro", "team"]}]}}]}}
PLACES = {
    "question": f"{HOME}/r/asked/edit?at=/schema/questions/2", "quotas": f"{HOME}/r/asked/edit?at=/offer/pacing/start",
    "notify": f"{HOME}/r/asked/edit?at=/notify/url", "select": f"{HOME}/r/habits/edit?at=/questions/0",
    "table": f"{HOME}/r/habits/edit?at=/questions/11", "validations": f"{HOME}/r/habits/edit?at=/questions/5",
    "labels": f"{HOME}/r/habits/edit?at=/questions/8", "predicates": f"{HOME}/r/habits/edit?at=/predicates"}


@pytest.fixture
def asked(daemon):
    """A questionnaire with a condition that is partly locked, and texts in two languages, which is deleted
    afterwards."""
    for locale, text in (("en", "How do you like it?"), ("de", "Wie gefällt es dir?")):
        daemon.call("PUT", f"/v1/apps/{APP}/strings/{locale}", {"Asked": {"stars": text}})
    put_text(daemon, "asked", json.dumps(ASKED, indent=2) + "\n")
    yield daemon
    for slug in ("asked", "built"):
        daemon.delete(slug)
    for locale in ("en", "de"):
        daemon.call("DELETE", f"/v1/apps/{APP}/strings/{locale}")


def begin(page, kind, name):
    """Creates a recipe and opens its editor."""
    page.get_by_text(kind, exact=True).click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Slug").fill("built")
    page.get_by_role("button", name="Start writing").click()
    page.locator(".form").wait_for()


def choose_type(page, name):
    page.locator(".type-button").click()
    page.get_by_role("menuitemradio", name=name).click()
    redrawn(page)


def add(page, what, place=0):
    page.locator(".outline").get_by_role("button", name=f"Add {what}", exact=True).nth(place).click()
    redrawn(page)
    page.wait_for_function("() => document.activeElement.closest('.form')")


def paste(page, *lines):
    page.locator(".form").get_by_role("button", name="Paste a list").click()
    page.locator("dialog textarea").fill("\n".join(lines))
    page.get_by_role("button", name="Insert").click()


def row(page, place):
    redrawn(page)
    return page.locator(".when-row:has(.when-cells)").nth(place)


def say(row, subject=None, comparison=None, value=None):
    """Fills in a row; the value is chosen if possible, else typed."""
    if subject:
        row.get_by_label("What is asked about").select_option(label=subject)
        redrawn(row.page)
    if comparison:
        row.get_by_label("Comparison").select_option(label=comparison)
        redrawn(row.page)
    if value is not None:
        control = row.get_by_label("Value", exact=True)
        if control.evaluate("e => e.localName") == "select":
            control.select_option(label=value)
        else:
            control.fill(value)


def built(page, daemon):
    """The built document, as the daemon stores it."""
    page.keyboard.press("Control+s")
    page.get_by_text("saved as a draft").wait_for()
    return json.loads(text_of(daemon, "built"))


def test_goal_27_a_questionnaire_that_is_clicked_is_the_one_that_is_written_by_hand(browser, asked):
    by_hand = {
        "kind": "questionnaire", "name": "Built", "hosted": True,
        "schema": {"version": 1, "questions": [
            {"id": "first", "type": "nps", "title": "Would you recommend us?", "required": True},
            {"id": "use", "type": "multi_choice", "title": "What do you use?", "options": [
                {"id": "maps", "label": "Maps"}, {"id": "the_diary", "label": "The diary"}, {"id": "photos", "label": "Photos"}],
             "subtitle": "Choose all that fit."},
            {"id": "stars", "type": "rating", "title": "How is the diary?", "display": "stars",
             "show_if": {"id": "use", "operation": "contains", "value": "the_diary"}},
            {"id": "why", "type": "text", "title": "Why?", "multiline": True, "sensitive": True, "show_if": {
                "operation": "or", "subconditions": [
                    {"id": "first", "operation": "less than or equal to", "value": 6},
                    {"operation": "and", "subconditions": [
                        {"id": "use", "operation": "not contains", "value": "maps"},
                        {"id": "stars", "operation": "less than", "value": 3}]}]}}]},
        "offer": {"surface": "home", "text": "Tell us", "trigger-if-all": ["ALWAYS"], "trigger": {"launches": 3}, "pacing": {
            "display": "until-answered", "cooldown_seconds": 86400, "response_limit": 500, "quotas": [
                {"name": "critics", "when": {"ref": "answer.first", "op": "between", "value": [0, 6]}, "limit": 100}]}},
        "notify": {"url": "https://hooks.example.org/new", "when": {
            "any": [{"ref": "answer.first", "op": "lte", "value": 6}, {"ref": "attr.plan", "op": "in", "value": ["pro", "team"]}]}},
        "keep": ["plan"], "strings": {"submitButton": "Send it"}}
    with opened(browser, asked, f"{HOME}/new") as page:
        begin(page, "Questionnaire", "Built")
        field(page, "Question").fill("Would you recommend us?")
        choose_type(page, "NPS")
        field(page, "An answer is required").check()
        add(page, "question")
        field(page, "Question").fill("What do you use?")
        choose_type(page, "Several choices")
        field(page, "Id").first.fill("use")
        paste(page, "Maps", "The diary", "Photos")
        page.get_by_text("More", exact=True).click()
        field(page, "Subtitle").fill("Choose all that fit.")
        add(page, "question")
        field(page, "Question").fill("How is the diary?")
        choose_type(page, "Rating")
        field(page, "Id").fill("stars")
        field(page, "Shown as").select_option("stars")
        page.get_by_role("button", name="Add a condition").click()
        say(row(page, 0), "What do you use?", "contains", "The diary")
        expect(page.locator(".when-words")).to_contain_text("In words: asked if “What do you use?” contains “The diary”.", use_inner_text=True)
        add(page, "question")
        field(page, "Question").fill("Why?")
        field(page, "Id").fill("why")
        field(page, "Several lines").check()
        page.get_by_role("button", name="Add a condition").click()
        say(row(page, 0), "Would you recommend us?", "is at most", "6")
        page.get_by_role("button", name="Add a group").click()
        redrawn(page)
        page.get_by_label("How conditions are joined").first.select_option("any")
        say(row(page, 1), "What do you use?", "does not contain", "Maps")
        page.locator(".when-group").get_by_role("button", name="And another").click()
        # The group was "any" within "all"; now it is "all" within "any".
        redrawn(page)
        page.locator(".when-group").get_by_label("How conditions are joined").select_option("all")
        say(row(page, 2), "How is the diary?", "is less than", "3")
        page.get_by_text("More", exact=True).click()
        field(page, "Sensitive").check()
        outline = page.locator(".outline")
        outline.get_by_role("link", name="Offer").click()
        field(page, "Surface").fill("home")
        field(page, "Text").fill("Tell us")
        page.get_by_role("button", name="Add trigger").click()
        redrawn(page)
        page.keyboard.type("ALWAYS")
        field(page, "After so many starts of the app").fill("3")
        outline.get_by_role("link", name="Pacing and quotas").click()
        field(page, "How often").select_option("until-answered")
        field(page, "Seconds between two displays").fill("86400")
        field(page, "Submitted responses at most").fill("500")
        page.get_by_role("button", name="Add quota").click()
        field(page, "Name").fill("critics")
        page.get_by_role("button", name="Add a condition").click()
        say(row(page, 0), "Would you recommend us?", "is between")
        row(page, 0).get_by_label("To").fill("6")
        outline.get_by_role("link", name="Notifications").click()
        field(page, "Address").fill("https://hooks.example.org/new")
        page.get_by_role("button", name="Add a condition").click()
        say(row(page, 0), "Would you recommend us?", "is at most", "6")
        page.get_by_role("button", name="And another").click()
        redrawn(page)
        page.get_by_label("How conditions are joined").select_option("any")
        say(row(page, 1), "plan", "is one of")
        row(page, 1).get_by_label("Values").fill("pro, team")
        outline.get_by_role("link", name="Keep").click()
        page.get_by_role("button", name="Add attribute").click()
        redrawn(page)
        page.keyboard.type("plan")
        outline.get_by_role("link", name="Texts of the pages").click()
        field(page, "Button that sends").fill("Send it")
        assert built(page, asked) == by_hand


def test_goal_27_a_survey_that_is_clicked_is_the_one_that_is_written_by_hand(browser, asked):
    by_hand = {
        "kind": "survey", "name": "Built", "hosted": True, "questions": [
            {"id": "first", "question": "What do you eat?", "question_type": "single_select", "options": [
                "Fruit", "Bread", {"title": "Other", "type": "freeform", "validations": [
                    {"operation": "not equals", "value": "none", "on_fail_message": "Tell us which."}]}]},
            {"id": "scale", "question": "How happy?", "question_type": "segment_select", "values": ["1", "2", "3"],
             "low_tag": "Not", "high_tag": "Very"},
            {"id": "weekend", "question": "On weekends:", "question_type": "table_select", "options": ["Yes", "No"],
             "table_questions": [{"id": "alone", "title": "Alone?"}, {"id": "with_friends", "title": "With friends"}],
             "sub_questions": [{"id": "who", "question": "Who?", "question_type": "single_text_field", "required": False,
                                "show_if": {"id": "weekend", "subid": "with_friends", "operation": "equals", "value": "Yes"}}]},
            {"id": "pack", "question": "How heavy?", "question_type": "dynamic_label_text_field",
             "label_options": ["Kilograms", ["Pounds", "Ounces"]], "input_type": "number",
             "options_metadata": {"id": "units", "types": ["metric", "imperial"]}},
            {"id": "gear", "question": "What do you carry?", "question_type": "multi_text_field",
             "fields": [{"label": "Poles", "input_type": "number"}, {"label": "Bottles"}]},
            {"id": "year", "question": "Since when?", "question_type": "year_picker", "max_year": "current_year",
             "num_years": "20", "sort_order": "DESC"},
            {"id": "day", "question": "Which day?", "question_type": "date_picker", "max_date": "current_date",
             "date_diff": {"year": -1}},
            {"id": "names", "question": "Names?", "question_type": "add_text_field"},
            {"id": "seasons", "question": "When?", "question_type": "multi_select", "options": ["Spring", "Summer"]},
            {"id": "far", "question": "How far?", "question_type": "single_text_field", "input_type": "number",
             "validations": [{"operation": "less than", "value": 150, "on_fail_message": "Less than 150."}]},
            {"id": "words", "question": "Anything else?", "question_type": "single_text_area", "max_chars": "400",
             "show_if": {"operation": "and", "subconditions": [
                 {"id": "first", "operation": "equals", "value": "Fruit"},
                 {"id": "far", "operation": "greater than", "value": "20"}]}}],
        "submit": {"button_title": "Send it"}, "predicates": {"adult": "answers.age|number > 18"}, "hidden_answers": "drop"}
    with opened(browser, asked, f"{HOME}/new") as page:
        begin(page, "Survey", "Built")
        outline = page.locator(".outline")

        def question(text, kind, id=None):
            if id:
                add(page, "question")
            field(page, "Question").fill(text)
            choose_type(page, re.compile(f"^{kind}"))
            if id:
                field(page, "Id").first.fill(id)

        question("What do you eat?", "One choice")
        paste(page, "Fruit", "Bread", "Other")
        page.locator(".list-row").nth(2).get_by_label("free text").check()
        page.get_by_text("Rules for the text (0)").click()
        page.get_by_role("button", name="Add rule").first.click()
        card = page.locator(".are-cards > li").first
        card.get_by_label("The answer", exact=True).select_option("not equals")
        card.get_by_label("Value").fill("none")
        card.get_by_label("What is said when it is not so").fill("Tell us which.")
        question("How happy?", "Scale", "scale")
        paste(page, "1", "2", "3")
        field(page, "At the low end").fill("Not")
        field(page, "At the high end").fill("Very")
        question("On weekends:", "Table", "weekend")
        lists = page.locator(".form-field:visible > .list")
        lists.nth(0).get_by_role("button", name="Paste a list").click()
        page.locator("dialog textarea").fill("Yes\nNo")
        page.get_by_role("button", name="Insert").click()
        lists.nth(1).get_by_role("button", name="Paste a list").click()
        page.locator("dialog textarea").fill("Alone?\nWith friends")
        page.get_by_role("button", name="Insert").click()
        add(page, "question", 1)
        field(page, "Question").fill("Who?")
        choose_type(page, "Short text")
        field(page, "Id").fill("who")
        field(page, "An answer is required").uncheck()
        page.get_by_role("button", name="Add a condition").click()
        say(row(page, 0), "On weekends: › With friends", "is", "Yes")
        question("How heavy?", "Texts by unit", "pack")
        paste(page, "Kilograms", "Pounds + Ounces")
        field(page, "Takes").select_option("number")
        page.get_by_text("More", exact=True).click()
        field(page, "Id of the units").fill("units")
        for unit in ("metric", "imperial"):
            page.get_by_role("button", name="Add unit").click()
            redrawn(page)
            page.keyboard.type(unit)
        question("What do you carry?", "Several texts", "gear")
        for label in ("Poles", "Bottles"):
            page.get_by_role("button", name="Add field").click()
            redrawn(page)
            page.keyboard.type(label)
        page.locator(".list-row").first.get_by_label("Takes").select_option("number")
        question("Since when?", "Year", "year")
        field(page, "Last year").fill("current_year")
        field(page, "Number of years").fill("20")
        field(page, "Order").select_option("DESC")
        question("Which day?", "Day", "day")
        field(page, "Last day").fill("current_date")
        page.get_by_text("More", exact=True).click()
        field(page, "Years away").fill("-1")
        question("Names?", "List of texts", "names")
        question("When?", "Several choices", "seasons")
        paste(page, "Spring", "Summer")
        question("How far?", "Short text", "far")
        field(page, "Takes").select_option("number")
        page.get_by_role("button", name="Add rule").click()
        page.locator(".are-cards").get_by_label("Value").fill("150")
        page.locator(".are-cards").get_by_label("What is said when it is not so").fill("Less than 150.")
        question("Anything else?", "Long text", "words")
        page.get_by_role("button", name="Add a condition").click()
        say(row(page, 0), "What do you eat?", "is", "Fruit")
        page.get_by_role("button", name="And another").click()
        say(row(page, 1), "How far?", "is more than", "20")
        page.get_by_text("More", exact=True).click()
        field(page, "Characters at most").fill("400")
        outline.get_by_role("link", name="Submit").click()
        field(page, "Label of the button").fill("Send it")
        outline.get_by_role("link", name="Predicates").click()
        page.get_by_role("button", name="Add predicate").click()
        page.locator(".list-key").fill("adult")
        page.locator(".list-key").press("Tab")
        # The row is drawn again for the new key.
        page.locator("[data-pointer='/predicates/adult'] textarea").fill("answers.age|number > 18")
        outline.get_by_role("link", name="Name", exact=True).click()
        page.get_by_text("More", exact=True).click()
        field(page, "Answers to questions that are not shown").select_option("drop")
        assert built(page, asked) == by_hand


BUILT_IN_ROWS = """
import { readFileSync } from "node:fs";
const { dialects, fresh, isWhole } = await import(%s);
for (const { dialect, condition, facts, want } of JSON.parse(readFileSync(%s, "utf8")).cases) {
  const group = dialects[dialect].read(condition);
  if (!isWhole(group)) continue;
  // Nothing that needs to be said is a condition that always holds.
  const always = { core: true, show_if: {}, audience: [] }[dialect] ?? {};
  console.log(JSON.stringify([{ dialect, condition: dialects[dialect].write(fresh(group)) ?? always, facts }, want]));
}
"""


def test_goal_33_conditions_that_are_built_in_rows_have_the_daemons_verdict_on_all_vectors():
    script = BUILT_IN_ROWS % (json.dumps((ROOT / "Web/console/ask/dialects.js").as_uri()), json.dumps(str(CONDITIONS)))
    lines = subprocess.run(["deno", "run", "--quiet", "--no-remote", "--allow-read", "-"], input=script, check=True,
                           capture_output=True, text=True, timeout=PATIENCE).stdout.splitlines()
    asked, wanted = zip(*map(json.loads, lines))
    assert len(asked) > 240
    answers = subprocess.run([PROGRAM, "condition", "batch"], input="\n".join(map(json.dumps, asked)) + "\n", check=True,
                             capture_output=True, text=True, timeout=PATIENCE).stdout.splitlines()
    for question, want, answer in zip(asked, wanted, answers, strict=True):
        assert json.loads(answer)["value"] == want, question


def test_goal_33_what_rows_cannot_say_is_locked_and_stays(browser, asked):
    locked = '{"operation": "custom", "extra": {"predicate": "warm", "factor": 1.0}, "x-kept": [1e2]}'
    text = json.dumps(ASKED, indent=2).replace('"stars",\n                "operation": "less than"', '"stars", "operation": "less than"')
    text = re.sub(r'\{\s*"operation": "custom".*?\}\s*\}', locked, text, flags=re.S) + "\n"
    put_text(asked, "asked", text)
    with opened(browser, asked, PLACES["question"] + "&show=split") as page:
        page.locator(".when-row.is-locked").wait_for()
        expect(page.locator(".when-row.is-locked")).to_have_count(1)
        before = source(page)
        assert locked in before
        say(row(page, 1), comparison="is more than")
        assert eventually(lambda: '"operation": "greater than"' in source(page))
        say(row(page, 1), value="4")
        redrawn(page)
        page.get_by_label("How conditions are joined").first.select_option("any")
        page.locator(".when > .when-body > .list-actions").get_by_role("button", name="And another").click()
        row(page, 2).get_by_role("button", name=re.compile("^Delete")).click()
        assert eventually(lambda: locked in source(page) and '"operation": "or"' in source(page))
        page.locator(".when-row.is-locked").get_by_role("button", name="Edit as JSON").click()
        expect(page.locator(".json-text")).to_be_focused()
        # Each press undoes one step, until the bytes are the same as before.
        assert eventually(lambda: page.keyboard.press("Control+z") or source(page) == before)


def test_goal_33_the_value_fits_the_question(browser, asked):
    with opened(browser, asked, f"{HOME}/r/asked/edit?at=/schema/questions/3&show=split") as page:
        page.get_by_role("button", name="Add a condition").click()

        def condition():
            return json.loads(source(page))["schema"]["questions"][3]["show_if"]

        say(row(page, 0), "What do you use most?")
        assert row(page, 0).get_by_label("Value").evaluate("e => [...e.options].map(o => o.label)") == ["Maps", "Diary"]
        assert eventually(lambda: condition() == {"id": "use", "operation": "equals", "value": "maps"})
        say(row(page, 0), "Would you recommend us?")
        # The comparison "is" stays; the value changes.
        assert eventually(lambda: condition() == {"id": "recommend", "operation": "equals", "value": 0})
        say(row(page, 0), comparison="is at least", value="9")
        assert eventually(
            lambda: condition() == {"id": "recommend", "operation": "greater than or equal to", "value": 9})
        say(row(page, 0), "How do you like it?")
        assert eventually(lambda: condition() == {"id": "stars", "operation": "greater than or equal to", "value": 1})
        row(page, 0).get_by_role("button", name="Delete the condition on How do you like it?").click()
        page.get_by_text("Always.").wait_for()
        assert eventually(lambda: "show_if" not in json.loads(source(page))["schema"]["questions"][3])


def test_goal_20_a_fault_of_a_condition_stands_at_the_condition(browser, asked):
    with opened(browser, asked, PLACES["question"]) as page:
        page.locator(".outline").get_by_role("link", name="Would you recommend us?").click()
        field(page, "Id").fill("would_recommend")
        page.locator(".outline").get_by_role("link", name="What do you use most?").click()
        finding = page.locator('[data-pointer$="/show_if"] > .finding')
        finding.wait_for()
        expect(finding).to_contain_text("recommend", use_inner_text=True)
        assert row(page, 0).get_by_label("What is asked about").evaluate("e => e.selectedOptions[0].label") == \
            "recommend (not there)"


def test_goal_27_a_change_of_type_keeps_what_fits_and_tells_what_does_not(browser, asked):
    with opened(browser, asked, PLACES["question"] + "&show=split") as page:
        before = source(page)
        options = ASKED["schema"]["questions"][2]["options"]
        choose_type(page, "Several choices")
        page.get_by_role("button", name="Type: Several choices").wait_for()
        question = json.loads(source(page))["schema"]["questions"][2]
        assert (question["type"], question["options"]) == ("multi_choice", options)
        expect(page.locator(".toast")).to_have_count(0)
        choose_type(page, "Rating")
        page.get_by_text("“Answers” does not fit the type “Rating”, and is gone.").wait_for()
        page.get_by_role("button", name="Type: Rating").wait_for()
        assert "options" not in json.loads(source(page))["schema"]["questions"][2]
        page.locator(".toast").get_by_role("button", name="Undo").click()
        page.keyboard.press("Control+z")
        assert eventually(lambda: source(page) == before)
        page.goto(f"{asked.url}{HOME}/r/habits/edit?at=/questions/10&show=split")
        choose_type(page, re.compile("^One choice"))
        page.get_by_role("button", name="Type: One choice").wait_for()
        question = json.loads(source(page))["questions"][10]
        assert question["options"] == ["1", "2", "3", "4", "5"] and "values" not in question and "low_tag" not in question


def test_goal_2_a_type_is_chosen_by_keys_alone(browser, asked):
    with opened(browser, asked, PLACES["question"]) as page:
        button = page.get_by_role("button", name="Type: One choice")
        button.focus()
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.activeElement.getAttribute('aria-checked') === 'true'")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        named = page.get_by_role("button", name="Type: Several choices")
        named.wait_for()
        expect(named).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        expect(named).to_be_focused()


def test_goal_27_keys_that_the_form_does_not_know_are_counted_and_stay(browser, asked):
    document = copy.deepcopy(ASKED)
    document["schema"]["questions"][2].update({"x-weight": 1, "placeholder": "not of a choice"})
    document["schema"]["questions"][2]["options"][0]["x-icon"] = "map"
    text = json.dumps(document, indent=3).replace('"x-weight": 1', '"x-weight": 1.0')
    put_text(asked, "asked", text, "?state=draft")
    with opened(browser, asked, PLACES["question"] + "&show=split") as page:
        page.get_by_text("3 keys that this form does not know stay as they are").wait_for()
        expect(page.locator(".more")).to_contain_text("options › 0 › x-icon, x-weight, placeholder", use_inner_text=True)
        field(page, "Answer").first.fill("Charts")
        say(row(page, 0), value="7")
        after = text.replace('"label": "Maps"', '"label": "Charts"').replace('"value": 9', '"value": 7', 1)
        assert eventually(lambda: source(page) == after)


def test_a_plain_text_becomes_translatable_and_tells_its_languages(browser, asked):
    with opened(browser, asked, f"{HOME}/r/asked/edit?at=/schema/questions/1&show=split") as page:
        note = page.locator('[data-pointer$="/1/title"] .text-note')
        note.get_by_role("button", name="Make it translatable").click()
        expect(page.get_by_label("Id", exact=True).last).to_have_value("Asked/stars_2")
        assert violations(page) == []
        page.get_by_label("Id", exact=True).last.fill("no id")
        page.get_by_role("button", name="Store the text").click()
        page.get_by_text("An id is a table, / and a key").wait_for()
        page.get_by_label("Id", exact=True).last.fill("Asked/stars")
        page.get_by_role("button", name="Store the text").click()
        page.get_by_text("There is a text “Asked/stars”").wait_for()
        page.get_by_label("Id", exact=True).last.fill("Asked/liking")
        page.get_by_role("button", name="Store the text").click()
        page.get_by_text("“How do you like it?”, in 1 of 2 languages").wait_for()
        assert eventually(lambda: json.loads(source(page))["schema"]["questions"][1]["title"] == "Asked/liking")
        stored = asked.call("GET", f"/v1/apps/{APP}/strings/en")[1]
        assert stored["Asked"] == {"stars": "How do you like it?", "liking": "How do you like it?"}
        # Conditions show the text of the question, not its id; the outline does the same.
        page.locator(".outline li[data-at='/schema/questions/2'] a").click()
        expect(page.locator(".when-words")).to_contain_text("“How do you like it?” is less than 3", use_inner_text=True)
        field(page, "Question").fill("Asked/stars")
        page.get_by_text("“How do you like it?”, in 2 of 2 languages").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark", "forced"])
@pytest.mark.parametrize("name", PLACES)
def test_goal_3_no_form_of_questions_has_an_axe_violation(browser, asked, name, theme):
    look = {"forced_colors": "active"} if theme == "forced" else {"color_scheme": theme}
    with opened(browser, asked, PLACES[name], **look) as page:
        page.locator(".form").wait_for()
        for more in page.locator(".form details:not([open]) > summary").all():
            if more.is_visible():
                more.click()
        # A press that is half under the edge of its scrolled form counts as too small.
        page.locator(".form").evaluate("form => form.scrollIntoView({block: 'start', behavior: 'instant'})")
        assert violations(page) == []
        if page.locator(".type-button").count() > 0:
            page.locator(".type-button").click()
            assert violations(page) == []


@pytest.mark.parametrize("name", PLACES)
def test_goal_4_at_320_pixels_no_form_of_questions_scrolls_sideways(browser, asked, name):
    with opened(browser, asked, PLACES[name], viewport={"width": 320, "height": 640}) as page:
        for more in page.locator(".form details > summary").all():
            if more.is_visible():
                more.click()
        at_rest(page)
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)
        if page.locator(".type-button").count() > 0:
            page.locator(".type-button").click()
            box = page.locator(".type-menu").bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 320


def test_goal_9_right_to_left_no_row_overflows(browser, asked):
    with opened(browser, asked, PLACES["question"]) as page:
        page.evaluate("document.documentElement.dir = 'rtl'")
        page.locator(".when-row").first.wait_for()
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)


def test_the_survey_of_the_sample_is_read_as_it_is(browser, asked):
    """Every question of every type has a form in which no key is unknown."""
    with opened(browser, asked, f"{HOME}/r/habits/edit?at=/questions") as page:
        for place in range(len(SURVEY["questions"])):
            page.locator(f".outline li[data-at='/questions/{place}'] a").click()
            page.get_by_role("heading", level=2, name=SURVEY["questions"][place]["question"]).wait_for()
            expect(page.locator(".form .more"), str(place)).to_be_hidden()
        assert MANIFEST["attributes"]
