"""The goals of the owners' console that concern flows: their map, and the walk (docs/console.md#goals)."""

import copy
import json
import subprocess

import pytest
from conftest import APP, MANIFEST, PATIENCE, PROGRAM, ROOT, at_rest, eventually, violations
from playwright.sync_api import expect
from test_console import HOME, opened
from test_console_blocks import unfold_all
from test_console_ask import add, begin, built, choose_type, paste, row, say
from test_console_edit import field, put_text, redrawn, seconds_of, source

FLOW = json.loads((ROOT / "recipes/trail-notes/first-steps.json").read_text())
# The flow has a step back from the form, a rule without a target, and an unreachable step.
FLOW["steps"][3]["next_step_rules"] = [
    {"target_step_id": "goal", "conditions": [{"type": "answer_equals", "answer_key": "dog", "value": True}]},
    {"target_step_id": "gone", "conditions": [{"type": "empty", "answer_key": "email"}]},
    {"target_step_id": "end_here", "conditions": []}]
PLAN = {"target_step_id": "ready", "conditions": [{"type": "answer_equals", "answer_key": "selected", "value": "walk"}]}
PERSONAS = {"A climber on Android": {"context": {"plan": "pro", "platform": "android"}}}
MAP = f"{HOME}/r/mapped/edit?at=/steps"
PLACES = {"map": MAP, "step": f"{HOME}/r/mapped/edit?at=/steps/1", "field": f"{HOME}/r/mapped/edit?at=/steps/3/config/fields/3",
          "block": f"{HOME}/r/mapped/edit?at=/steps/4/config/content_blocks/1", "audience": f"{HOME}/r/mapped/edit?at=/active",
          "node": f"{HOME}/r/mapped/edit?at=/graph_nodes/climber"}


@pytest.fixture
def mapped(daemon):
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", {**MANIFEST, "personas": PERSONAS})
    put_text(daemon, "mapped", json.dumps(FLOW, indent=2) + "\n")
    yield daemon
    for slug in ("mapped", "built"):
        daemon.delete(slug)
    daemon.call("PUT", f"/v1/apps/{APP}/manifest", MANIFEST)


def steps(page):
    return page.locator(".flow-body .list-row")


def sentences(page, place):
    return [" ".join(text.split()) for text in steps(page).nth(place).locator(".flow-rules li").all_inner_texts()]


def ids(page):
    return [step["id"] for step in json.loads(source(page))["steps"]]


def test_goal_7_the_map_says_each_edge_as_a_sentence_and_draws_the_jumps(browser, mapped):
    with opened(browser, mapped, MAP, viewport={"width": 1440, "height": 900}) as page:
        steps(page).nth(4).wait_for()
        assert sentences(page, 1) == [
            "if “What do you do outdoors?” contains “Climb” → go to ◇ climber → About you".replace("contains", "is"),
            "if “What do you do outdoors?” is “Hike” → go to About you", "else → go to Maps without a network"]
        assert sentences(page, 3)[0] == "if “I walk with a dog” is yes → go to What do you do outdoors?"
        assert sentences(page, 3)[1] == "if “E-mail” is not answered → go to “gone”, which is not there"
        assert sentences(page, 3)[2] == "always → go to The end"
        # A step that only continues has no label.
        assert sentences(page, 0) == [] and sentences(page, 2) == []
        # Two jumps and the end lead forwards, one leads back; each line has an arrowhead. The lines are decoration.
        expect(page.locator(".flow-lanes.is-forward path")).to_have_count(6)
        expect(page.locator(".flow-lanes.is-backward path")).to_have_count(2)
        expect(page.locator(".flow-lanes[aria-hidden=true]")).to_have_count(2)
        boxes = page.locator(".flow-lanes.is-forward path").evaluate_all("paths => paths.map(e => e.getBBox().height)")
        assert max(boxes) > 60
        # Findings are shown at their steps: the missing target, and the unreachable step.
        steps(page).nth(3).get_by_text('there is no step and no node "gone": the rule is passed over').wait_for()
        steps(page).nth(4).get_by_text('no rule and no step before it leads to "ready"').wait_for()
        steps(page).nth(3).locator(".flow-rules").get_by_role("link").first.click()
        page.get_by_role("heading", level=2, name="What do you do outdoors?").wait_for()


def test_goal_7_steps_are_added_moved_copied_and_deleted_without_dragging(browser, mapped):
    with opened(browser, mapped, MAP + "&show=split", viewport={"width": 1600, "height": 900}) as page:
        before = source(page)
        steps(page).nth(0).get_by_role("button", name="Move Welcome to Trail Notes down").click()
        assert eventually(lambda: ids(page)[:2] == ["goal", "hello"])
        expect(steps(page).nth(1).get_by_role("button", name="Move Welcome to Trail Notes down")).to_be_focused()
        page.get_by_text("Welcome to Trail Notes, 2 of 5").wait_for(state="attached")
        page.keyboard.press("Alt+ArrowUp")
        assert eventually(lambda: source(page) == before)
        steps(page).nth(2).get_by_role("button", name="More actions").click()
        page.get_by_role("menuitem", name="Copy Maps without a network").click()
        assert eventually(lambda: ids(page) == ["hello", "goal", "maps", "maps_2", "profile", "ready"])
        steps(page).nth(3).get_by_role("button", name="More actions").click()
        page.get_by_role("menuitem", name="Delete Maps without a network").click()
        assert eventually(lambda: source(page) == before)
        steps(page).nth(0).get_by_role("button", name="More actions").click()
        page.get_by_role("menuitem", name="Add one after Welcome to Trail Notes").click()
        page.wait_for_function("() => new URLSearchParams(location.search).get('at') === '/steps/1'")
        redrawn(page)
        page.keyboard.type("A new step")
        assert eventually(lambda: json.loads(source(page))["steps"][1]["config"]["title"] == "A new step")
        assert ids(page) == ["hello", "step", "goal", "maps", "profile", "ready"]


def test_goal_27_a_flow_that_is_clicked_is_the_one_that_is_written_by_hand(browser, mapped):
    by_hand = {
        "kind": "flow", "name": "Built", "hosted": True, "steps": [
            {"id": "hello", "type": "welcome", "config": {"title": "Welcome", "cta_text": "Begin"}},
            {"id": "goal", "type": "question", "config": {
                "title": "What brings you here?", "skip_enabled": True, "selection_mode": "multi", "options": [
                    {"id": "work", "label": "Work"}, {"id": "just_looking", "label": "Just looking"}]},
             "next_step_rules": [
                 {"target_step_id": "bye", "logic": "or", "conditions": [
                     {"type": "answer_equals", "answer_key": "selected", "value": "just_looking"},
                     {"type": "empty", "answer_key": "selected"}]}]},
            {"id": "about", "type": "form", "config": {"title": "About you", "fields": [
                {"id": "dog", "type": "toggle", "label": "I have a dog"},
                {"id": "dog_name", "type": "text", "label": "Its name", "required": True, "config": {"max_length": 40},
                 "depends_on": {"field_id": "dog", "operator": "equals", "value": True}}]},
             "hook": {"webhook_url": "https://hooks.example.org/about", "error_text": "Later."}},
            {"id": "bye", "type": "custom", "hide_back": True, "config": {"title": "Bye", "content_blocks": [
                {"id": "block", "type": "text", "text": "See you, with your dog.",
                 "visibility_condition": {"type": "when_equals", "variable": "responses.about.dog", "value": True}}]}}],
        "settings": {"dismiss_allowed": False, "progress_style": "fraction"},
        "graph_nodes": {"busy": {"type": "analytics_event", "event_name": "busy_found", "next_target": "bye"}},
        "active": True, "audience_rules": {"match_mode": "any", "conditions": [
            {"trait": "plan", "operator": "equals", "value": "pro"}, {"trait": "plan", "operator": "exists"}], "priority": 5}}
    with opened(browser, mapped, f"{HOME}/new") as page:
        begin(page, "Flow", "Built")
        outline = page.locator(".outline")
        field(page, "One may close it").uncheck()
        field(page, "Progress is shown as").select_option("fraction")
        outline.locator("li[data-at='/steps/0'] a").click()
        field(page, "Title").fill("Welcome")
        field(page, "Label of the button").fill("Begin")

        def step(title, kind, id):
            add(page, "step")
            field(page, "Title").fill(title)
            choose_type(page, kind)
            field(page, "Id").first.fill(id)

        step("What brings you here?", "Question", "goal")
        paste(page, "Work", "Just looking")
        field(page, "Choice").select_option("multi")
        field(page, "One may skip it").check()
        step("About you", "Form", "about")
        page.get_by_text("More", exact=True).click()
        field(page, "Webhook address").fill("https://hooks.example.org/about")
        add(page, "field")
        field(page, "Label").fill("I have a dog")
        field(page, "Type").select_option("toggle")
        field(page, "Id").fill("dog")
        add(page, "field")
        field(page, "Label").fill("Its name")
        field(page, "Id").fill("dog_name")
        field(page, "An answer is required").check()
        field(page, "Characters at most").fill("40")
        page.get_by_text("Condition", exact=True).click()
        page.locator("[data-pointer$=depends_on]").get_by_role("button", name="Add a condition").click()
        outline.locator("li[data-at='/steps/2/hook/enabled'] a").click()
        field(page, "Error text").fill("Later.")
        step("Bye", "Blocks", "bye")
        page.get_by_text("More", exact=True).click()
        field(page, "Without Back").check()
        add(page, "block")
        field(page, "Text").fill("See you, with your dog.")
        page.get_by_text("Condition", exact=True).click()
        page.get_by_role("button", name="Add a condition").click()
        say(row(page, 0), "I have a dog", "is", "yes")
        outline.locator("li[data-at='/steps/1'] a").click()
        page.get_by_role("button", name="Add rule").click()
        page.get_by_role("button", name="Add a condition").click()
        say(row(page, 0), value="Just looking")
        page.get_by_role("button", name="And another").click()
        say(row(page, 1), "What brings you here?", "is not answered")
        redrawn(page)
        page.get_by_label("How conditions are joined").select_option("any")
        field(page, "Go to").select_option(label="Bye")
        outline.get_by_role("button", name="Add node").click()
        redrawn(page)
        page.get_by_label("Id", exact=True).fill("busy")
        page.get_by_label("Id", exact=True).press("Tab")
        field(page, "Event").fill("busy_found")
        field(page, "Then go to").select_option(label="Bye")
        outline.get_by_role("link", name="Who gets it").click()
        field(page, "It is the flow of whoever has no other").check()
        page.get_by_role("button", name="Add a condition").click()
        say(row(page, 0), value="pro")
        page.get_by_role("button", name="And another").click()
        say(row(page, 1), comparison="is known")
        redrawn(page)
        page.get_by_label("How conditions are joined").select_option("any")
        field(page, "Priority").fill("5")
        assert built(page, mapped) == by_hand


def batch(document, actions):
    question = {"flow": document, "slug": "mapped", "actions": actions}
    answer = subprocess.run([PROGRAM, "flow", "batch"], input=json.dumps(question) + "\n", check=True, capture_output=True,
                            text=True, timeout=PATIENCE).stdout
    return json.loads(answer.splitlines()[0])


def walk(page):
    return page.locator(".walk")


def test_goal_32_a_walk_plays_the_run_that_the_daemon_would_play(browser, mapped):
    asked = []
    with opened(browser, mapped, MAP, viewport={"width": 1440, "height": 900}) as page:
        # The filter leaves out the requests of the preview, which have no attributes.
        page.on("request", lambda request: asked.append(request.post_data_json)
                if request.url.endswith("/simulate") and request.post_data_json.get("attributes") else None)
        walk(page).get_by_label("as", exact=True).select_option("A climber on Android")
        walk(page).get_by_role("button", name="Walk it").click()
        title = walk(page).get_by_text("Step 1 of 5: Welcome to Trail Notes")
        title.wait_for()
        expect(title).to_be_focused()
        walk(page).get_by_role("button", name="Next").click()
        page.get_by_text("Step 2 of 5").wait_for()
        # A refused action shows the reason, and the run stays at its step.
        walk(page).get_by_role("button", name="Next").click()
        walk(page).locator(".walk-refusal .finding").first.wait_for()
        walk(page).get_by_label("Climb").check()
        walk(page).get_by_role("button", name="Next").click()
        page.get_by_text("Step 4 of 5: About you").wait_for()
        page.frame_locator("[data-slot] iframe").get_by_role("heading", name="About you").wait_for()
        walk(page).get_by_label("Name", exact=True).fill("Ana")
        walk(page).get_by_label("I walk with a dog").check()
        walk(page).get_by_role("button", name="Next").click()
        # The rule leads back.
        page.get_by_text("Step 2 of 5").wait_for()
        lit = steps(page).evaluate_all("rows => rows.map(row => row.classList.contains('is-walked'))")
        assert lit == [True, True, False, True, False]
        expect(steps(page).nth(1).locator(".flow-visits")).to_have_text("here now", use_inner_text=True)
        expect(page.locator(".flow-rules .is-taken")).to_have_count(2)
        expect(page.locator(".flow-lanes.is-backward .is-taken")).to_have_count(2)
        walk(page).get_by_role("button", name="Back").click()
        page.get_by_text("Step 4 of 5").wait_for()
        assert asked[-1]["attributes"] == PERSONAS["A climber on Android"]["context"] and asked[-1]["platform"] == "android"
        actions = asked[-1]["actions"]
        assert [action.get("action") for action in actions] == [None, None, None, "back"]
        runs = batch(FLOW, actions)["runs"]
        assert [run["step_id"] for run in runs] == ["hello", "goal", "profile", "goal", "profile"]
        walk(page).get_by_label("E-mail").fill("ana@example.org")
        walk(page).get_by_label("I walk with a dog").uncheck()
        walk(page).get_by_role("button", name="Next").click()
        page.get_by_text("The run has ended: at an end.").wait_for()
        expect(page.locator(".flow-end.is-walked")).to_have_count(1)
        assert violations(page) == []
        walk(page).get_by_role("button", name="Stop").click()
        expect(page.locator(".is-walked, .is-taken")).to_have_count(0)
        assert mapped.call("GET", f"/v1/apps/{APP}/flows/mapped/runs")[1]["items"] == []


def test_a_walk_follows_what_is_written_meanwhile(browser, mapped):
    with opened(browser, mapped, MAP + "&show=split", viewport={"width": 1900, "height": 900}) as page:
        walk(page).get_by_role("button", name="Walk it").click()
        for answer in (None, "Walk"):
            page.get_by_text(f"Step {1 if answer is None else 2} of 5").wait_for()
            if answer:
                walk(page).get_by_label(answer).check()
            walk(page).get_by_role("button", name="Next").click()
        page.get_by_text("Step 3 of 5: Maps without a network").wait_for()
        flow = copy.deepcopy(FLOW)
        flow["steps"][1]["next_step_rules"].insert(0, PLAN)
        page.locator(".json-text").fill(json.dumps(flow, indent=2))
        page.get_by_text("Step 5 of 5").wait_for()
        page.locator(".json-text").fill(json.dumps({**flow, "steps": []}, indent=2))
        page.get_by_text("The flow cannot be walked.").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark", "forced"])
@pytest.mark.parametrize("name", PLACES)
def test_goal_3_no_form_of_a_flow_has_an_axe_violation(browser, mapped, name, theme):
    look = {"forced_colors": "active"} if theme == "forced" else {"color_scheme": theme}
    with opened(browser, mapped, PLACES[name], **look) as page:
        page.locator(".form").wait_for()
        unfold_all(page)
        if name == "map":
            walk(page).get_by_role("button", name="Walk it").click()
            walk(page).get_by_role("button", name="Next").click()
            page.get_by_text("Step 2 of 5").wait_for()
            steps(page).nth(0).get_by_role("button", name="More actions").click()
        assert violations(page) == []


@pytest.mark.parametrize("name", PLACES)
def test_goal_4_at_320_pixels_no_form_of_a_flow_scrolls_sideways(browser, mapped, name):
    with opened(browser, mapped, PLACES[name], viewport={"width": 320, "height": 640}) as page:
        page.locator(".form").wait_for()
        at_rest(page)
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)


def test_goal_9_right_to_left_the_map_is_mirrored(browser, mapped):
    with opened(browser, mapped, MAP, viewport={"width": 1440, "height": 900}) as page:
        steps(page).nth(4).wait_for()
        page.evaluate("document.documentElement.dir = 'rtl'")
        assert eventually(lambda: page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0)
        forward, body = (page.locator(name).bounding_box() for name in (".flow-lanes.is-forward", ".flow-body"))
        assert abs(forward["x"] - body["x"]) <= 2


def test_goal_28_undo_and_redo_across_rules_steps_and_json_return_the_same_bytes(browser, mapped):
    with opened(browser, mapped, f"{HOME}/r/mapped/edit?at=/steps/1&show=split") as page:
        tick = seconds_of(page)
        texts = [source(page)]

        def then(change):
            change()
            assert eventually(lambda: source(page) != texts[-1])
            texts.append(source(page))
            tick()

        then(lambda: say(row(page, 0), value="Walk"))
        then(lambda: page.get_by_role("button", name="And another").first.click())
        then(lambda: field(page, "Go to").first.select_option(label="The end"))
        then(lambda: choose_type(page, "Form"))
        then(lambda: page.locator(".json-text").fill(source(page).replace('"version": 1', '"version": 1.0')))
        then(lambda: page.locator(".form-actions").get_by_role("button", name="Copy What do you do outdoors?").click())
        for expected in reversed(texts[:-1]):
            page.keyboard.press("Control+z")
            assert eventually(lambda: source(page) == expected)
        for expected in texts[1:]:
            page.keyboard.press("Control+Shift+z")
            assert eventually(lambda: source(page) == expected)


def test_a_long_word_in_the_name_of_a_step_leaves_its_buttons_free(browser, mapped):
    with opened(browser, mapped, MAP, viewport={"width": 1280, "height": 900}) as page:
        last = steps(page).nth(4)
        last.wait_for()
        name = last.locator(".flow-name a").bounding_box()
        assert name["x"] + name["width"] <= last.locator(".list-buttons").bounding_box()["x"]
