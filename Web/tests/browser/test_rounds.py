"""A recipe that asks again (docs/web.md#where-things-stand): rounds, what is kept offline, the feedback button."""

import time

import pytest
from conftest import APP, eventually, new_context, open_widget, violations
from playwright.sync_api import expect


@pytest.fixture
def again(daemon):
    """A feedback questionnaire that may be answered at any time."""
    slug = f"again-{time.monotonic_ns()}"
    put(daemon, slug, {"days": 0})
    yield slug


def put(daemon, slug, repeat):
    questions = [{"id": "mood", "type": "rating", "title": "How is it?"}, {"id": "why", "type": "text", "title": "Why?"}]
    offer = {"surface": "corner", "text": "Tell us", "showsConsent": False, "trigger-if-all": ["NEVER"]}
    daemon.put(slug, {"kind": "questionnaire", "name": "Feedback", "schema": {"questions": questions}, "offer": offer,
                      "repeat": repeat})


def view(page):
    return page.locator("bellwether-view .panel")


def answer(page, text):
    """Answers the open questionnaire, which begins empty."""
    panel = view(page)
    panel.get_by_role("radio", name="4").wait_for()
    assert panel.get_by_role("radio", checked=True).count() == 0
    panel.get_by_role("radio", name="4").check()
    panel.get_by_role("button", name="Next").click()
    expect(panel.get_by_role("textbox")).to_have_value("")
    panel.get_by_role("textbox").fill(text)
    panel.get_by_role("button", name="Submit").click()


def rounds(daemon, slug):
    """The round and the text of each answer."""
    return sorted((item["round"], item["answers"]["why"]) for item in daemon.responses(slug) if item["status"] == "new")


@pytest.mark.parametrize("mode", ["modal", "inline"])
def test_an_element_opens_an_empty_round_each_time(open_page, daemon, again, mode):
    saves = []
    page = open_page(body=f"<main><button id=opener data-bellwether-show={again} data-mode={mode}>Feedback</button></main>")
    page.on("request", lambda request: saves.append(request) if request.url.endswith("/responses") else None)
    for text in ["one", "two", "three"]:
        page.click("#opener")
        answer(page, text)
        view(page).get_by_role("heading", name="Thanks!").wait_for()
        if mode == "modal":
            view(page).get_by_role("button", name="Done").click()
    assert rounds(daemon, again) == [(1, "one"), (2, "two"), (3, "three")]
    assert {save.post_data_json["round"] for save in saves} == {1, 2, 3}
    assert len({save.headers["idempotency-key"] for save in saves}) == len(saves)


def test_an_answer_that_waits_offline_keeps_its_round(open_page, context, daemon, again):
    page = open_page(body=f"<button id=opener data-bellwether-show={again}>Feedback</button>")
    page.click("#opener")
    view(page).get_by_role("radio", name="4").wait_for()
    context.set_offline(True)
    answer(page, "kept")
    view(page).get_by_role("heading", name="Saved").wait_for()
    view(page).get_by_role("button", name="Done").click()
    # Another device of the person answers the round first.
    client = page.evaluate("bellwether.clientId")
    status, body = daemon.call("POST", f"/v1/apps/{APP}/questionnaires/{again}/responses",
                               {"client_id": client, "answers": {"why": "first"}, "is_complete": True, "round": 1})
    assert (status, body["round"]) == (201, 1)
    page.evaluate("document.addEventListener('bellwether:delivered', e => (window.delivered ??= []).push(e.detail.status))")
    context.set_offline(False)
    assert eventually(lambda: page.evaluate("(window.delivered ?? []).at(-1)") == 409)
    page.click("#opener")
    answer(page, "second")
    view(page).get_by_role("heading", name="Thanks!").wait_for()
    assert rounds(daemon, again) == [(1, "first"), (2, "second")]


def test_an_answer_whose_round_was_taken_back_is_of_the_open_one(open_page, daemon, again):
    page = open_page(body=f"<button id=opener data-bellwether-show={again}>Feedback</button>")
    page.click("#opener")
    answer(page, "first")
    view(page).get_by_role("button", name="Done").click()
    page.click("#opener")
    view(page).get_by_role("radio", name="4").wait_for()
    # The page has begun round 2. Without the first answer, round 1 is open again.
    (first,) = daemon.responses(again)
    assert daemon.call("DELETE", f"/v1/apps/{APP}/responses/{first['id']}")[0] == 204
    answer(page, "second")
    view(page).get_by_role("heading", name="Thanks!").wait_for()
    assert rounds(daemon, again) == [(1, "second")]


@pytest.mark.parametrize("side,direction", [("end", "ltr"), ("start", "rtl"), ("bottom", "ltr")])
def test_the_feedback_button_stands_at_the_edge(browser, pages, daemon, again, side, direction):
    with new_context(browser, viewport={"width": 400, "height": 700}) as context:
        page = open_widget(context, pages, daemon, f"data-button={again} data-button-side={side} data-poll=manual",
                           body=f"<script>document.documentElement.dir = '{direction}'</script>")
        button = page.get_by_role("button", name="Feedback")
        button.wait_for()
        box = button.bounding_box()
        if side == "bottom":
            assert box["y"] + box["height"] == 700
        else:
            # The start of a page that is read from the right is its right edge.
            assert box["x"] + box["width"] == 400
        assert min(box["width"], box["height"]) >= 24
        assert violations(page) == []
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        answer(page, "by keys")
        view(page).get_by_role("button", name="Done").click()
        expect(button).to_be_visible()
        assert rounds(daemon, again) == [(1, "by keys")]
        assert page.problems == []


def test_the_feedback_button_is_away_while_the_round_waits(open_page, daemon, again):
    put(daemon, again, {"days": 90})
    page = open_page(f"data-button={again} data-poll=manual")
    page.get_by_role("button", name="Feedback").click()
    answer(page, "once")
    view(page).get_by_role("button", name="Done").click()
    expect(page.locator("bellwether-button")).to_have_count(0)
    page.reload()
    page.wait_for_function("() => window.bellwether !== undefined")
    assert page.evaluate(f"bellwether.show('{again}')") is False
    expect(page.locator("bellwether-button")).to_have_count(0)
