"""The conversation of a step, with scripted answers of the daemon."""

import json

from conftest import at_rest, eventually, open_widget, violations
from playwright.sync_api import expect
from test_flows import DONE, Script, run_of, show

STEP = {"id": "chat", "type": "interactive_chat", "title": "Coach", "chat_config": {}}
YES = {"id": "yes", "text": "Yes"}


def chat_of(*contents, turn=0, **more):
    messages = [{"content": content} if isinstance(content, str) else content for content in contents]
    return {"messages": messages, "quick_replies": [YES], "turn": turn, "completed": None, "rating_prompt": False, **more}


def talk(context, pages, daemon, *answers, chat=None):
    """A page with a chat that gives these answers in turn."""
    script = Script(context, [run_of(STEP, chat=chat or chat_of("Hello!")), *answers])
    page = open_widget(context, pages, daemon)
    return page, show(page), script


def say(panel, text):
    panel.get_by_label("Your message").fill(text)
    panel.get_by_label("Your message").press("Enter")


def test_the_newest_message_is_in_view_unless_the_reader_has_gone_up(context, pages, daemon):
    long = [f"{number} " + "and more words of it " * 12 for number in range(8)]
    page, panel, script = talk(context, pages, daemon, chat_of("The answer.", turn=9), chat_of("Another.", turn=10),
                               chat=chat_of(*long, turn=8))
    log = panel.get_by_role("log")
    panel.get_by_text(long[-1].strip()).wait_for()
    rest = "e => Math.round(e.scrollHeight - e.scrollTop - e.clientHeight)"
    assert log.evaluate("e => e.scrollHeight > e.clientHeight") and eventually(lambda: log.evaluate(rest) <= 1)
    say(panel, "Hi")
    panel.get_by_text("The answer.").wait_for()
    assert eventually(lambda: log.evaluate(rest) <= 1)
    # The page does not scroll while the user reads earlier messages.
    log.evaluate("e => e.scrollTop = 0")
    at_rest(page)
    page.evaluate("""() => { const log = document.querySelector("bellwether-view").shadowRoot.querySelector("[role=log]");
        new MutationObserver(list => list[0].addedNodes[0].dataset.role === "user" && (log.scrollTop = 0)).observe(log, {childList: true}) }""")
    # The answer comes after the browser has told the page where the reader is.
    held = []
    context.route("**/chat", lambda route: held.append(route))
    say(panel, "And?")
    assert eventually(lambda: held)
    at_rest(page)
    script.handle(held[0])
    panel.get_by_text("Another.").wait_for()
    assert log.evaluate("e => e.scrollTop") == 0
    assert page.problems == []


def test_no_fault_stays_after_it_is_mended(context, pages, daemon):
    early = (409, {"status": 409, "errors": [{"code": "not_allowed"}], "run": run_of(STEP, chat=chat_of("Hello!"))})
    failed = chat_of({"role": "system", "content": "The coach is out."}, turn=1)
    refused = (422, {"status": 422, "errors": [{"pointer": "/text", "code": "too_long", "message": "at most 3"}]})
    page, panel, script = talk(context, pages, daemon, early, failed, refused, chat_of("Fine.", turn=2), DONE)
    panel.get_by_label("Your message").fill("Half a sen")
    panel.get_by_role("button", name="Next").click()
    panel.get_by_text("Please write a message first.").wait_for()
    expect(panel.get_by_label("Your message")).to_have_value("Half a sen")
    panel.get_by_label("Your message").press("Enter")
    panel.get_by_text("The coach is out.").wait_for()
    expect(panel.get_by_text("Please write a message first.")).to_have_count(0)
    # A message that was refused is in the line again.
    say(panel, "Too long")
    panel.get_by_text("This is too long.").wait_for()
    expect(panel.get_by_label("Your message")).to_have_value("Too long")
    expect(panel.get_by_role("log").get_by_text("Too long")).to_have_count(0)
    assert violations(page) == []
    say(panel, "Hi")
    panel.get_by_text("Fine.").wait_for()
    expect(panel.get_by_text("The coach is out.")).to_have_count(0)
    expect(panel.get_by_text("This is too long.")).to_have_count(0)
    assert [body.get("text") for body in script.bodies[2:]] == ["Half a sen", "Too long", "Hi"]


def test_a_message_without_an_answer_is_sent_again_as_the_same(context, pages, daemon):
    page, panel, script = talk(context, pages, daemon, chat_of("Heard.", turn=1), chat_of("Heard again.", turn=2))
    ids = []

    def lost(route):
        ids.append(json.loads(route.request.post_data)["id"])
        route.abort()

    context.route("**/chat", lost)
    say(panel, "Hi")
    panel.get_by_text("Please try again.").wait_for()
    context.unroute("**/chat", lost)
    panel.get_by_label("Your message").press("Enter")
    panel.get_by_text("Heard.").wait_for()
    say(panel, "Hi")
    panel.get_by_text("Heard again.").wait_for()
    assert [body["id"] for body in script.bodies[1:]][0] == ids[0] != script.bodies[2]["id"]


def test_quick_replies_are_always_there_and_the_rating_has_its_scale(context, pages, daemon):
    asked = chat_of("How was it?", turn=1, rating_prompt=True, max_rating=3)
    page, panel, script = talk(context, pages, daemon, asked, chat_of(turn=1), DONE)
    panel.get_by_role("button", name="Yes").click()
    panel.get_by_text("How was it?").wait_for()
    rating = panel.get_by_role("group", name="How was this conversation?")
    expect(rating.get_by_role("button")).to_have_text(["1", "2", "3"], use_inner_text=True)
    expect(panel.get_by_role("button", name="Yes")).to_be_visible()
    assert violations(page) == []
    rating.get_by_role("button", name="3").click()
    expect(rating).to_have_count(0)
    assert eventually(lambda: len(script.bodies) == 3) and script.bodies[2]["rating"] == 3
    expect(panel.get_by_role("button", name="Yes")).to_be_visible()


def test_an_animation_shows_its_poster_or_its_text(context, pages, daemon):
    media = {"type": "lottie", "url": "https://e.example/a.json", "alt_text": "Waving"}
    context.route("https://e.example/a.gif", lambda route: route.fulfill(status=200, content_type="image/gif", body=b""))
    page, panel, _ = talk(context, pages, daemon, chat=chat_of(
        {"content": "One", "media": media}, {"content": "Two", "media": {**media, "poster": "https://e.example/a.gif", "alt_text": "Turning"}}, turn=1))
    panel.get_by_text("Waving").wait_for()
    expect(panel.get_by_role("img", name="Turning")).to_have_attribute("src", "https://e.example/a.gif")
    expect(panel.locator("img")).to_have_count(1)


def test_a_message_is_typed_as_long_as_it_says(context, pages, daemon):
    second, third = ({"content": content, "delay_ms": 3_600_000} for content in ("Second.", "Third."))
    page, panel, _ = talk(context, pages, daemon, chat_of("First.", second, third, turn=1), chat_of("Fourth.", turn=2))
    page.clock.install()
    panel.get_by_role("button", name="Yes").click()
    panel.get_by_text("First.").wait_for()
    expect(panel.get_by_text("Writing …")).to_be_visible()
    expect(panel.get_by_text("Second.")).to_have_count(0)
    page.clock.fast_forward(3_600_000)
    panel.get_by_text("Second.").wait_for()
    expect(panel.get_by_text("Writing …")).to_be_visible()
    expect(panel.get_by_text("Third.")).to_have_count(0)
    # The user can send the next message without waiting.
    say(panel, "Go on")
    panel.get_by_text("Fourth.").wait_for()
    expect(panel.get_by_role("log").locator("p")).to_have_text([
        "Hello!", "Yes", "First.", "Second.", "Third.", "Go on", "Fourth."], use_inner_text=True)
    expect(panel.get_by_text("Writing …")).to_be_hidden()
