"""Responses and one person in the owners' console (docs/console.md#goals)."""

import json

import pytest
from conftest import APP, MANIFEST, eventually, new_context, violations
from playwright.sync_api import expect
from test_console import HOME, closed, opened, press_in_turn  # noqa: F401 (a fixture)
from test_console_order import signed_in
from test_console_results import WALKS, answer

LIST = f"{HOME}/r/reads/responses"


@pytest.fixture
def reads(daemon):
    """A questionnaire with thirty responses, which is deleted afterwards."""
    daemon.put("reads", {**WALKS, "name": "Reads"})
    daemon.ids = [answer(daemon, number, "reads") for number in range(30)]
    yield daemon
    daemon.delete("reads")
    # Responses outlive their recipe.
    for number in range(32):
        daemon.call("DELETE", f"/v1/apps/{APP}/clients/walker-{number}")


def one(daemon, id):
    return daemon.call("GET", f"/v1/apps/{APP}/responses/{id}")[1]


def selected(page):
    return page.locator("tbody tr[aria-current]").get_attribute("data-id")


def test_responses_are_worked_by_keys_alone(browser, reads):
    with opened(browser, reads, f"{LIST}?status=new") as page:
        page.locator(".response-answers").wait_for()
        ids = page.locator("tbody tr[data-id]").evaluate_all("rows => rows.map(row => row.dataset.id)")
        assert len(ids) == 24 and eventually(lambda: selected(page) == ids[0])
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("k")
        assert eventually(lambda: selected(page) == ids[1] and page.url.split("?")[0].endswith(ids[1]))
        for key, status in (("2", "in_review"), ("3", "addressed"), ("4", "dismissed"), ("1", "new")):
            page.keyboard.press(key)
            assert eventually(lambda: one(reads, ids[1])["status"] == status), status
        page.keyboard.press("n")
        page.keyboard.type("Ask about tiles, 1 of 2")
        page.keyboard.press("Control+Enter")
        page.locator(".notes", has_text="Ask about tiles, 1 of 2").wait_for()
        assert eventually(lambda: [note["body"] for note in one(reads, ids[1])["comments"]] == ["Ask about tiles, 1 of 2"])
        page.keyboard.press("j")
        assert eventually(lambda: selected(page) == ids[2])
        page.keyboard.press("Shift+?")


def test_a_status_that_the_daemon_refuses_is_taken_back(browser, reads):
    with opened(browser, reads, f"{LIST}?status=new") as page:
        page.locator(".response-answers").wait_for()
        page.route("**/v1/apps/*/responses/*", lambda route: route.fulfill(status=409, json={"detail": "Not now."})
                   if route.request.method == "PATCH" else route.continue_())
        page.keyboard.press("2")
        page.get_by_text("Not now.").wait_for()
        expect(page.get_by_role("combobox", name="Status", exact=True).last).to_have_value("new")


def test_sensitive_answers_are_in_the_document_only_when_each_is_asked_for(browser, reads):
    with opened(browser, reads, f"{LIST}/{reads.ids[0]}") as page:
        page.locator(".hidden-answer").wait_for()
        assert "walker0@example.org" not in page.content()
        page.get_by_role("button", name="Show the answer to Your e-mail").click()
        page.get_by_text("walker0@example.org").wait_for()
        assert violations(page) == []
        page.keyboard.press("Escape")
        page.reload()
        page.locator(".hidden-answer").wait_for()
        assert "walker0@example.org" not in page.content()


def test_a_note_is_changed_and_deleted_and_a_response_is_deleted(browser, reads):
    id = reads.ids[3]
    reads.call("POST", f"/v1/apps/{APP}/responses/{id}/comments", {"body": "First"})
    with opened(browser, reads, f"{LIST}/{id}") as page:
        note = page.locator(".notes li")
        note.wait_for()
        note.get_by_role("button", name="Edit").click()
        page.get_by_role("dialog").get_by_label("Note").fill("Second")
        page.get_by_role("button", name="Keep").click()
        page.locator(".notes", has_text="Second").wait_for()
        assert eventually(lambda: [entry["body"] for entry in one(reads, id)["comments"]] == ["Second"])
        note.get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        assert eventually(lambda: one(reads, id)["comments"] == [])
        page.get_by_role("button", name="Delete …").click()
        page.get_by_role("dialog").get_by_text("gone for good after 7 days").wait_for()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        page.get_by_text("The response is deleted.").wait_for()
        expect(page.locator(f"tr[data-id='{id}']")).to_have_count(0)
        assert reads.call("GET", f"/v1/apps/{APP}/responses/{id}")[0] == 404


def test_newer_responses_are_told_of_and_come_when_they_are_asked_for(browser, reads):
    with opened(browser, reads, LIST) as page:
        page.get_by_text("24 submitted, 6 begun").first.wait_for()
        answer(reads, 31, "reads")
        page.get_by_text("Newer responses have come.").wait_for()
        expect(page.locator("tbody tr[data-id]")).to_have_count(30)
        page.get_by_role("button", name="Show them").click()
        page.get_by_text("25 submitted, 6 begun").first.wait_for()


def test_a_search_and_filters_stand_in_the_address_and_a_link_shows_the_same(browser, reads):
    with opened(browser, reads, LIST) as page:
        page.get_by_text("24 submitted, 6 begun").first.wait_for()
        page.keyboard.press("/")
        page.keyboard.type("Note 8")
        page.get_by_text("1 response", exact=True).wait_for()
        page.get_by_role("combobox", name="Status", exact=True).first.select_option("new")
        page.wait_for_function("() => location.search.includes('status=new')")
        address = page.url
        with opened(browser, reads, address[len(reads.url):]) as other:
            other.get_by_text("1 response", exact=True).wait_for()
            expect(other.locator(".response-answers mark")).to_have_text(["Note", "8"], use_inner_text=True)
        page.get_by_role("button", name="Clear filters").click()
        page.get_by_text("24 submitted, 6 begun").first.wait_for()


def test_runs_of_a_flow_are_read_as_responses_are(browser, daemon):
    flow = {"kind": "flow", "name": "Way", "steps": [
        {"id": "goal", "type": "question", "title": "What for?", "layout": {"options": [{"id": "hike", "label": "Hike"}, {"id": "climb", "label": "Climb"}]}},
        {"id": "end", "type": "welcome", "title": "Done"}]}
    status, body = daemon.call("PUT", f"/v1/apps/{APP}/recipes/way", flow)
    assert status == 201, body
    run = daemon.call("POST", f"/v1/apps/{APP}/flows/way/runs", {"client_id": "flow-walker"})[1]
    step = run["step"]["id"]
    daemon.call("POST", f"/v1/apps/{APP}/runs/{run['run_id']}/advance", {"step_id": step, "action": "skip", "response": {}})
    with opened(browser, daemon, f"{HOME}/r/way/responses") as page:
        page.get_by_role("status").get_by_text("0 submitted, 1 begun", exact=True).wait_for()
        page.get_by_text("flow-walker").first.wait_for()
        page.goto(f"{daemon.url}{HOME}/r/way/results")
        page.get_by_role("heading", name="Steps").wait_for()
        figure = page.locator("figure", has=page.locator("svg[aria-label*='runs began']"))
        figure.get_by_role("button", name="Table").click()
        heads = figure.locator("thead th").all_inner_texts()
        assert heads == ["Step", "Came", "Went on", "Skipped", "Went back", "Stopped", "Mean time"]
        assert violations(page) == []
    daemon.delete("way")


def imported(daemon, slug, count):
    for start in range(0, count, 100):
        responses = [{"id": f"r{number}", "client_id": f"many-{number}", "status": "new",
                      "answers": {"recommend": number % 11, "stars": number % 5 + 1, "use": "maps", "more": f"Note {number}"}}
                     for number in range(start, start + 100)]
        status, body = daemon.call("POST", f"/v1/apps/{APP}/questionnaires/{slug}/responses/import",
                                   {"source": "sample", "responses": responses})
        assert status == 200 and body["imported"] == 100, body


def test_ten_thousand_responses_are_moved_through_at_once(browser, daemon):
    daemon.put("many", {**WALKS, "name": "Many"})
    imported(daemon, "many", 10_000)
    with opened(browser, daemon, f"{HOME}/r/many/responses") as page:
        page.locator(".response-answers").wait_for()
        # The page loads the rows to which the user scrolls.
        page.evaluate("""async () => {
            const frame = document.querySelector(".responses-frame");
            const end = Date.now() + 600_000;
            while (document.querySelector("table").getAttribute("aria-rowcount") === "-1" && Date.now() < end) {
                frame.scrollTop = frame.scrollHeight;
                await new Promise(done => setTimeout(done, 10));
            }
        }""")
        page.get_by_text("10,000 responses").wait_for()
        expect(page.locator("table")).to_have_attribute("aria-rowcount", "10001")
        assert page.locator("tbody tr[data-id]").count() < 100
        first = page.evaluate("""async () => {
            const frame = document.querySelector(".responses-frame");
            const settled = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
            for (let turn = 0; turn < 20; turn += 1) {
                document.body.dispatchEvent(new KeyboardEvent("keydown", {key: turn % 5 ? "j" : "k", bubbles: true}));
                await settled();
            }
            frame.scrollTop = 200_000;
            await settled();
            await settled();
            return Number(document.querySelector("tbody tr[data-id]").getAttribute("aria-rowindex"));
        }""")
        assert first > 3000
    daemon.delete("many")


# One person.


def test_goal_15_no_address_of_answers_has_the_id_of_a_person(browser, reads):
    asked = []
    with new_context(browser) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        for path in ("results", "responses", f"responses/{reads.ids[0]}"):
            page.goto(f"{reads.url}{HOME}/r/reads/{path}")
            page.locator("svg.chart, .response-answers").first.wait_for()
        page.get_by_role("link", name="All of walker-0").click()
        page.locator(".person", has_text="walker-0").wait_for()
        page.reload()
        page.locator(".person", has_text="walker-0").wait_for()
        page.get_by_role("link", name="Explain what it sees").click()
        page.get_by_role("status").filter(has_text="is shown").wait_for()
        page.reload()
        page.get_by_role("status").filter(has_text="is shown").wait_for()
    named = [address for address in asked if "walker-0" in address]
    assert named and all(address.startswith(f"{reads.url}/v1/apps/{APP}/clients/walker-0") for address in named), named


def test_a_person_is_shown_exported_and_erased_once_the_id_is_typed(browser, reads):
    with opened(browser, reads, f"{HOME}/people#client=walker-8") as page:
        page.get_by_role("link", name="Reads").wait_for()
        with page.expect_download() as download:
            page.get_by_role("button", name="Export as JSON").click()
        copy = json.loads(open(download.value.path()).read())
        assert [response["id"] for response in copy["responses"]] == [reads.ids[8]]
        page.get_by_role("button", name="Erase …").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("textbox").fill("walker-9")
        dialog.get_by_role("button", name="Erase for good").click()
        dialog.get_by_text("This is another id.").wait_for()
        assert violations(page) == []
        assert one(reads, reads.ids[8])["client_id"] == "walker-8"
        dialog.get_by_role("textbox").fill("walker-8")
        dialog.get_by_role("button", name="Erase for good").click()
        page.get_by_text("Nothing is kept of walker-8 any more.").wait_for()
        page.get_by_text("Nothing is kept of this client.").wait_for()
        assert reads.call("GET", f"/v1/apps/{APP}/responses/{reads.ids[8]}")[0] == 404


def test_goal_16_support_reads_and_erases_and_changes_no_recipe(browser, closed):
    closed.token = "root-text"
    closed.call("PUT", f"/v1/apps/{APP}/manifest", MANIFEST)
    closed.call("PUT", f"/v1/apps/{APP}/recipes/reads", {**WALKS, "name": "Reads"})
    answer(closed, 8, "reads")
    token = closed.call("POST", "/v1/tokens", {"name": "help", "scope": "support", "app": APP})[1]["token"]
    with new_context(browser) as context:
        page = signed_in(context, closed, f"{HOME}/r/reads/responses", token)
        page.locator(".hidden-answer").wait_for()
        expect(page.get_by_role("button", name="Edit")).to_have_count(0)
        page.get_by_role("link", name="People").wait_for()
        press_in_turn(page, "g", "e")
        page.get_by_role("heading", name="Explain", level=1).wait_for()
        page.get_by_label("Client").wait_for()
    closed.call("DELETE", f"/v1/apps/{APP}/recipes/reads")


def test_a_note_that_was_begun_stands_there_again(browser, reads):
    with opened(browser, reads, LIST) as page:
        page.locator(".response-answers").first.wait_for()
        first = page.get_by_role("textbox", name="Add a note")
        first.fill("Half a sentence")
        page.keyboard.press("Escape")
        page.keyboard.press("j")
        assert eventually(lambda: page.get_by_role("textbox", name="Add a note").input_value() == "")
        page.keyboard.press("k")
        assert eventually(lambda: page.get_by_role("textbox", name="Add a note").input_value() == "Half a sentence")
        page.get_by_role("link", name="Summary").click()
        page.get_by_role("heading", name="Details").wait_for()
        page.go_back()
        assert eventually(lambda: page.get_by_role("textbox", name="Add a note").input_value() == "Half a sentence")
        page.get_by_role("button", name="Add", exact=True).click()
        page.locator(".note-body", has_text="Half a sentence").wait_for()
        page.keyboard.press("Escape")
        expect(page.get_by_role("textbox", name="Add a note")).to_have_value("")
