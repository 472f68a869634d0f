"""A whole flow against the daemon: every step of the sample, in two visits."""

import json

from conftest import APP, ROOT, eventually, open_widget, violations
from playwright.sync_api import expect


def view(page):
    return page.locator("bellwether-view .panel")


def test_the_sample_flow_is_walked_and_resumed(open_page, daemon):
    daemon.put("first-steps", json.loads((ROOT / "recipes/trail-notes/first-steps.json").read_text()))
    page = open_page()
    assert page.evaluate("bellwether.show('first-steps')")
    panel = view(page)
    panel.get_by_role("heading", name="Welcome to Trail Notes").wait_for()
    assert violations(page) == []
    panel.get_by_role("button", name="Let's go").click()
    panel.get_by_role("checkbox", name="Hike").check()
    assert violations(page) == []
    panel.get_by_role("button", name="Next").click()
    panel.get_by_label("I walk with a dog").wait_for()
    # Escape opens a question. A kept run continues at its step.
    page.keyboard.press("Escape")
    panel.get_by_role("button", name="Keep it for later").click()
    assert eventually(lambda: page.locator("bellwether-view").count() == 0)
    page.evaluate("bellwether.show('first-steps')")
    panel.get_by_role("button", name="Next").click()
    panel.get_by_text("Please check these answers").first.wait_for()
    expect(panel.get_by_label("Name (required)")).to_have_attribute("aria-invalid", "true")
    panel.get_by_label("Name (required)").fill("Ann")
    panel.get_by_label("E-mail").fill("ann@example.org")
    expect(panel.get_by_label("What is its name?")).to_be_hidden()
    panel.get_by_role("switch", name="I walk with a dog").check()
    panel.get_by_label("What is its name?").fill("Rex")
    panel.get_by_label("Kilometres a day").fill("20")
    assert violations(page) == []
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("heading", name="All set, Ann!").wait_for()
    panel.get_by_text("Rex").wait_for()
    panel.get_by_role("radio", name="5").check()
    assert violations(page) == []
    panel.get_by_role("button", name="Done").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    names = [record["name"] for record in daemon.telemetry() if record["category"] == "onboarding"]
    assert names[0] == "onboarding_flow_started" and names[-1] == "onboarding_flow_completed"
    assert page.problems == []


def test_a_slug_without_a_kind_is_found_by_the_kind_that_the_daemon_names(open_page, daemon):
    daemon.put("first-steps", json.loads((ROOT / "recipes/trail-notes/first-steps.json").read_text()))
    page = open_page()
    answers = []
    page.on("response", lambda response: answers.append((response.url.split("/v1/")[1].split("?")[0].split("/")[2], response.status))
            if "/first-steps?" in response.url else None)
    assert page.evaluate("bellwether.show('first-steps')")
    assert answers == [("questionnaires", 404), ("flows", 200)]


def test_the_sample_flow_stands_on_a_page_of_its_own(context, daemon):
    flow = json.loads((ROOT / "recipes/trail-notes/first-steps.json").read_text())
    daemon.put("first-page", {**flow, "id": "first-page", "hosted": True})
    page = context.new_page()
    page.goto(f"{daemon.url}/s/{APP}/first-page?locale=de")
    view(page).get_by_role("button", name="Los geht's").click()
    view(page).get_by_role("heading", name="Was machst du draußen?").wait_for()
    expect(page.locator("bellwether-view")).to_have_attribute("lang", "de")


def test_the_daemon_knows_that_the_platform_is_the_web(open_page, daemon):
    def block(platform):
        shown = {"type": "platform_is", "value": platform}
        return {"id": platform, "type": "text", "text": f"Only {platform}", "visibility_condition": shown}
    step = {"id": "hello", "type": "welcome", "config": {"title": "Hello", "content_blocks": [block("ios"), block("web")]}}
    daemon.put("platforms", {"kind": "flow", "id": "platforms", "name": "Platforms", "steps": [step]})
    page = open_page()
    page.evaluate("bellwether.show('platforms')")
    view(page).get_by_text("Only web").wait_for()
    expect(view(page).get_by_text("Only ios")).to_be_hidden()


def test_a_flows_preview_walks_its_steps(context, daemon):
    flow = json.loads((ROOT / "recipes/trail-notes/first-steps.json").read_text())
    daemon.call("PUT", f"/v1/apps/{APP}/recipes/first-look?state=draft", {**flow, "id": "first-look"})
    status, preview = daemon.call("POST", f"/v1/apps/{APP}/recipes/first-look/preview")
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(daemon.url + preview["url"])
    panel = view(page)
    panel.get_by_role("button", name="Let's go").click()
    panel.get_by_role("checkbox", name="Walk").check()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("heading", name="Maps without a network").wait_for()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("textbox", name="Name (required)").fill("Ada")
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("heading", name="All set, Ada!").wait_for()
    assert not any("/v1/" in url for url in asked)


def test_the_sample_chat_is_held_and_resumed(open_page, daemon):
    """The daemon may not call the sample webhook here: the first messages fail, with an error text."""
    document = json.loads((ROOT / "recipes/trail-notes/trip-coach.json").read_text())
    del document["steps"][0]["config"]["chat_config"]["webhook"]["sample_replies"]
    daemon.put("trip-coach", document)
    page = open_page()
    page.evaluate("bellwether.show('trip-coach')")
    panel = view(page)
    panel.get_by_text("Hi there! Where do you want to go?").wait_for()
    assert violations(page) == []
    panel.get_by_role("button", name="Next").click()
    panel.get_by_text("Please write a message first.").wait_for()
    panel.get_by_role("button", name="To a lake").click()
    panel.get_by_text("The coach is out walking.").wait_for()
    for turn in (2, 3):
        panel.get_by_label("Your message").fill(f"Message {turn}")
        panel.get_by_label("Your message").press("Enter")
        panel.get_by_text("The coach is out walking.").nth(turn - 1).wait_for()
    # The conversation is kept, without errors.
    page.keyboard.press("Escape")
    panel.get_by_role("button", name="Keep it for later").click()
    assert eventually(lambda: page.locator("bellwether-view").count() == 0)
    page.evaluate("bellwether.show('trip-coach')")
    panel.get_by_text("Message 3").wait_for()
    panel.get_by_role("group", name="How was this conversation?").get_by_role("button", name="4").click()
    assert eventually(lambda: panel.get_by_role("group", name="How was this conversation?").count() == 0)
    assert violations(page) == []
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("heading", name="See you on the trail").wait_for()
    names = [record["name"] for record in daemon.telemetry() if record["name"].startswith("chat_")]
    assert names.count("chat_message_sent") == 3 and names.count("chat_webhook_error") == 3
    assert names.count("chat_rating_submitted") == 1 and names.count("chat_step_completed") == 1


def test_the_sample_chat_works_without_a_second_program(context, daemon):
    daemon.put("coach-alone", json.loads((ROOT / "recipes/trail-notes/trip-coach.json").read_text()) | {"id": "coach-alone"})
    page = context.new_page()
    page.goto(f"{daemon.url}/s/{APP}/coach-alone")
    panel = view(page)
    for reply, answer in [("To a lake", "How long may it be?"), ("A whole day", "Shall I put it into your diary?"), ("Yes, please", "How did I do?")]:
        panel.get_by_role("button", name=reply).click()
        panel.get_by_text(answer).wait_for()
    panel.get_by_label("Your message").fill("Thank you")
    panel.get_by_label("Your message").press("Enter")
    panel.get_by_text("Have a good trip!").wait_for()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("heading", name="Round the Grey Lake is in your diary").wait_for()
    daemon.delete("coach-alone")


def test_a_flow_is_told_where_the_visitor_came_from(context, pages, daemon):
    daemon.put("first-steps", json.loads((ROOT / "recipes/trail-notes/first-steps.json").read_text()))
    started = []
    context.on("request", lambda request: started.append(request.post_data_json)
               if request.method == "POST" and request.url.endswith("/runs") else None)
    for count, attributes in enumerate(["data-poll=manual data-attribution", "data-poll=manual"], 1):
        page = open_widget(context, pages, daemon, attributes)
        page.goto(page.url + "?utm_source=mail&utm_campaign=winter&utm_medium=x", referer="https://news.example/today")
        page.wait_for_function("() => window.bellwether !== undefined")
        page.evaluate("void bellwether.show('first-steps')")
        assert eventually(lambda: len(started) == count)
        page.close()
    attributed, plain = (request["context"] for request in started)
    assert plain == {"platform": "web"}
    assert attributed["source"] == "mail" and attributed["campaign"] == "winter" and attributed["platform"] == "web"
    assert attributed["referrer"].startswith("https://news.example/")
