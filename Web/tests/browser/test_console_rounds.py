"""The console of recipes that ask again: the form with its calendar, and results over time."""

import pytest
from conftest import APP, new_context, violations
from playwright.sync_api import expect
from test_console import HOME, closed, opened  # noqa: F401 (a fixture)
from test_console_order import signed_in

QUESTIONS = [{"id": "score", "type": "nps", "title": "Would you recommend us?"}]
OFFER = {"surface": "home", "text": "Would you recommend us?", "trigger-if-all": ["NEVER"]}


@pytest.mark.parametrize("options", [{}, {"color_scheme": "dark", "locale": "de", "viewport": {"width": 360, "height": 800}}])
def test_the_form_says_when_a_person_is_asked_again(browser, daemon, options):
    daemon.put("quarterly", {"kind": "questionnaire", "name": "Quarterly", "schema": {"questions": QUESTIONS}, "offer": OFFER,
                             "repeat": {"days": 90, "unanswered_days": 30}})
    is_german = options.get("locale") == "de"
    with opened(browser, daemon, f"{HOME}/r/quarterly/edit?at=/repeat/days", **options) as page:
        calendar = page.locator("[data-pointer='/repeat'] svg.chart")
        words = page.locator("[data-pointer='/repeat'] [role=status]").first
        if is_german:
            expect(words).to_have_text("Erneut 90 Tage nach der letzten Antwort, 30 Tage nach dem Schließen.")
            expect(calendar).to_have_attribute("aria-label", "Wer jedes Mal antwortet: 9-mal in zwei Jahren; "
                                                             "Wer jede Nachricht schließt: 25-mal in zwei Jahren")
        else:
            expect(words).to_have_text("Again 90 days after the last answer, 30 days after a dismissal.")
            page.get_by_label("Times at most").fill("3")
            expect(words).to_have_text("Again 90 days after the last answer, 30 days after a dismissal, at most 3 times.")
            expect(calendar).to_have_attribute("aria-label", "Who answers each time: 3 times in two years; "
                                                             "Who closes each message: 25 times in two years")
            page.get_by_label("Days after an answer").fill("0")
            expect(words).to_have_text("Again at once after an answer, 30 days after a dismissal, at most 3 times.")
        assert violations(page) == []
        if not is_german:
            page.get_by_role("button", name="Ask only once").click()
            expect(words).to_have_text("A person answers once.")
            expect(calendar).to_have_count(0)


@pytest.fixture(scope="module")
def scores(daemon):
    """A questionnaire with a kept attribute: eight persons answered in three months, three of them today, too."""
    daemon.put("scores", {"kind": "questionnaire", "name": "Scores", "schema": {"questions": QUESTIONS}, "keep": ["plan"],
                          "repeat": {"days": 0}})
    rows = [(f"c{person}", f"2024-0{month}-1{person}T10:00:00Z", (person * month) % 11)
            for month in (3, 4, 6) for person in range(8)]
    responses = [{"id": f"{client} {at}", "client_id": client, "created_at": at, "submitted_at": at, "status": "new",
                  "answers": {"score": score}} for client, at, score in rows]
    status, body = daemon.call("POST", f"/v1/apps/{APP}/questionnaires/scores/responses/import",
                               {"source": "test", "responses": responses})
    assert (status, body["imported"]) == (200, 24), body
    for client, plan, score in [("c1", "pro", 10), ("c2", "free", 2), ("c3", "pro", 3)]:
        status, body = daemon.call("POST", f"/v1/apps/{APP}/questionnaires/scores/responses", {
            "client_id": client, "answers": {"score": score}, "is_complete": True, "attributes": {"plan": plan}})
        assert (status, body["round"]) == (201, 4), body
    yield daemon


@pytest.mark.parametrize("by,values", [("month", ["2024-03", "2024-04", "2024-06"]), ("round", ["1", "2", "3"])])
def test_a_score_over_time_is_a_line_with_its_numbers_in_a_table(browser, scores, by, values):
    groups = scores.call("GET", f"/v1/apps/{APP}/results/scores?by={by}")[1]["by"]["groups"]
    assert [str(group["value"]) for group in groups[:-1]] == values
    with opened(browser, scores, f"{HOME}/r/scores/results") as page:
        page.get_by_label("Compare by").select_option(by)
        chart = page.locator("svg.chart[aria-label^='Would you recommend us?: 4 points']")
        chart.wait_for()
        page.get_by_role("button", name="Table: Would you recommend us?").first.click()
        rows = page.get_by_role("table", name="Would you recommend us?", exact=True).locator("tbody tr")
        for row, group in zip(rows.all(), groups, strict=True):
            question = group["questions"][0]
            numbers = [question["score"], question["interval"]["low"], question["interval"]["high"], question["total_answered"]]
            assert row.locator("th, td").all_inner_texts() == [str(group["value"]), *map(str, numbers)]
        assert chart.locator("circle").count() == 4 and chart.locator("polygon").count() == 1
        moved = [move for group in groups for move in group["questions"][0].get("moved", [])]
        names = ["detractors", "passives", "promoters"]
        wanted = [[sum(move["count"] for move in moved if (move["from"], move["to"]) == (before, now)) for now in names]
                  for before in names]
        assert sum(map(sum, wanted)) == 19, "16 imported answers and three of today follow an earlier one"
        table = page.get_by_role("table", name="Who answered in the round before: Would you recommend us?")
        assert table.locator("tbody th").all_inner_texts() == [name.capitalize() for name in names]
        shown = [[int(cell) for cell in row.locator("td").all_inner_texts()] for row in table.locator("tbody tr").all()]
        assert shown == wanted
        rose = sum(wanted[before][now] for before in range(3) for now in range(3) if now > before)
        fell = sum(wanted[before][now] for before in range(3) for now in range(3) if now < before)
        expect(page.get_by_text(f"{rose} answers rose, {fell} fell, and {19 - rose - fell} stayed.")).to_be_visible()
        assert violations(page) == []


def test_each_value_of_an_attribute_has_a_line(browser, scores):
    wanted = scores.call("GET", f"/v1/apps/{APP}/results/scores?by=month&attr.plan=pro")[1]["by"]["groups"]
    with opened(browser, scores, f"{HOME}/r/scores/results?by=month&lines=plan", color_scheme="dark", locale="de",
                viewport={"width": 360, "height": 800}) as page:
        chart = page.locator("svg.chart[aria-label*='pro: 1 Punkt']")
        chart.wait_for()
        score, month = wanted[0]["questions"][0]["score"], wanted[0]["value"]
        assert f"pro: 1 Punkt, von {score} ({month})" in chart.get_attribute("aria-label").replace("\N{MINUS SIGN}", "-")
        assert chart.locator("circle").count() == 2 and chart.locator("polyline").count() == 4
        assert violations(page) == []


def test_lists_have_the_round_and_explain_says_when_a_person_is_asked_again(browser, daemon):
    daemon.put("asked", {"kind": "questionnaire", "name": "Asked", "schema": {"questions": QUESTIONS},
                         "offer": OFFER | {"trigger-if-all": ["ALWAYS"]}, "repeat": {"days": 90}})
    daemon.call("POST", f"/v1/apps/{APP}/questionnaires/asked/responses",
                {"client_id": "walker", "answers": {"score": 9}, "is_complete": True})
    with opened(browser, daemon, f"{HOME}/r/asked/responses") as page:
        expect(page.get_by_role("columnheader", name="Round")).to_be_visible()
        page.goto(f"{daemon.url}{HOME}/explain?surface=home#client=walker")
        gate = page.locator(".gate-leaf", has_text="round 1 was answered last")
        gate.wait_for()
        expect(gate).to_contain_text("asked again from")


def test_a_point_of_few_answers_is_withheld_and_the_page_says_so(browser, closed):  # noqa: F811
    closed.token = "root-text"
    closed.call("PUT", f"/v1/apps/{APP}/recipes/few", {
        "kind": "questionnaire", "name": "Few", "repeat": {"days": 0}, "schema": {"questions": QUESTIONS}})
    for round_number in (1, 2):
        for person in range(6):
            # Of the second answers only two have a score.
            answers = {"score": 10} if round_number == 1 or person < 2 else {}
            status, body = closed.call("POST", f"/v1/apps/{APP}/questionnaires/few/responses", {
                "client_id": f"c{person}", "answers": answers, "is_complete": True})
            assert (status, body["round"]) == (201, round_number), body
    reader = closed.call("POST", "/v1/tokens", {"name": "scores", "scope": "reader", "app": APP})[1]["token"]
    with new_context(browser) as context:
        page = signed_in(context, closed, f"{HOME}/r/few/results?by=round", reader)
        page.get_by_text("One point is withheld: too few people answered.").wait_for()
        page.get_by_text("Points of fewer than 5 answers are withheld or left out.").wait_for()
        expect(page.locator("svg.chart[aria-label^='Would you recommend us?: 1 point'] circle")).to_have_count(1)
        expect(page.get_by_text("Who answered in the round before")).to_have_count(0)
        assert violations(page) == []
