"""The share of an experiment in percent, its stages, and apps that are taken over from files
(docs/console.md#whom-something-is-for)."""

import json

import pytest
from conftest import APP, MANIFEST, Daemon, eventually, violations
from playwright.sync_api import expect
from test_console import HOME, opened
from test_console_audience import AIMED
from test_console_edit import field, put_text, redrawn, source, text_of
from test_console_jobs import Actor

STAGED = {**AIMED, "slug": "staged", "userFacingName": "Staged", "endDate": None,
          "bucketConfig": {**AIMED["bucketConfig"], "namespace": "staged", "count": 500},
          "stages": [{"count": 2500}, {"count": 5000, "at": "2099-01-01T08:00:00Z"}, {"count": 10000}]}


@pytest.fixture
def staged(daemon):
    """A live experiment with stages, which is deleted afterwards."""
    put_text(daemon, "staged", json.dumps(STAGED, indent=2) + "\n")
    yield daemon
    daemon.delete("staged")


def stages(page):
    section = page.locator("section", has=page.get_by_role("heading", name="Stages"))
    return [" ".join(row.split()) for row in section.get_by_role("listitem").all_inner_texts()]


def test_a_share_is_a_percentage_and_buckets_are_the_advanced_view(browser, staged):
    with opened(browser, staged, f"{HOME}/r/staged/edit?at=/targeting&show=split") as page:
        share = field(page, "Share of the audience (%)").first
        expect(share).to_have_value("5")
        share.fill("12.5")
        assert json.loads(source(page))["bucketConfig"]["count"] == 1250
        page.locator(".form details", has_text="More").first.locator("summary").click()
        expect(field(page, "Buckets").first).to_have_value("1250")
        field(page, "Of").fill("1000")
        redrawn(page)
        expect(share).to_have_value("125")
        assert violations(page) == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_stages_of_a_live_recipe_have_words(browser, staged, language):
    with opened(browser, staged, f"{HOME}/r/staged", locale=language) as page:
        page.get_by_role("button", name="Start 25% now" if language == "en" else "25 % jetzt beginnen").wait_for()
        assert violations(page) == []
        if language == "en":
            shown = stages(page)
            assert shown[0].startswith("25% by hand next") and "5" not in shown[0][3:10]
            assert shown[1].startswith("50% from") and shown[1].endswith("later")
            assert shown[2] == "100% by hand later"


def test_one_press_goes_on_to_the_next_stage(browser, staged):
    with opened(browser, staged, f"{HOME}/r/staged") as page:
        page.get_by_role("button", name="Start 25% now").click()
        expect(page.get_by_text("The stage of 25% has started.")).to_be_visible()
        page.get_by_role("button", name="Start 50% now").wait_for()
        assert stages(page)[0] == "25% by hand reached"
    document = json.loads(text_of(staged, "staged"))
    assert document["bucketConfig"]["count"] == 2500 and document["stages"] == STAGED["stages"]


def test_a_staged_roll_out_takes_at_most_eight_actions(browser, staged):
    put_text(staged, "staged", json.dumps({**STAGED, "stages": []}, indent=2) + "\n")
    with opened(browser, staged, f"{HOME}/r/staged") as page:
        actor = Actor(page, True)
        actor.press("Edit")
        page.locator(".form").wait_for()
        actor.press("Who", "link")
        field(page, "Share of the audience (%)").first.fill("5")
        for share in ("25", "100"):
            actor.press("Add stage")
            row = page.locator(".form [data-pointer^='/stages/']").locator("input.number").last
            row.fill(share)
        page.locator(".form input.date").first.fill("2099-02-01T08:00")
        actor.press("Review and publish")
        page.get_by_role("button", name="Publish now").wait_for()
        actor.press("Publish now")
        assert eventually(lambda: json.loads(text_of(staged, "staged"))["bucketConfig"]["count"] == 500)
        assert actor.actions <= 8, actor.actions
    document = json.loads(text_of(staged, "staged"))
    assert [stage["count"] for stage in document["stages"]] == [2500, 10000]
    assert document["stages"][0]["at"].startswith("2099-")


def test_an_app_is_taken_over_from_its_files(browser, tmp_path_factory, pages):
    folder = tmp_path_factory.mktemp("files")
    (folder / "apps" / APP).mkdir(parents=True)
    (folder / "apps" / APP / "manifest.json").write_text(json.dumps(MANIFEST))
    (folder / "recipes" / APP).mkdir(parents=True)
    (folder / "recipes" / APP / "asks.json").write_text(json.dumps({
        "kind": "questionnaire", "name": "Asks", "schema": {
            "version": 1, "questions": [{"id": "q", "type": "nps", "title": "Recommend?"}]}}))
    daemon = Daemon(folder, pages.url, ["--apps", folder / "apps", "--recipes", folder / "recipes"])
    try:
        with opened(browser, daemon, f"{HOME}/r/asks") as page:
            page.get_by_role("button", name="Take over").click()
            expect(page.get_by_role("dialog")).to_contain_text("Clients notice nothing.")
            page.get_by_role("dialog").get_by_role("button", name="Take over").click()
            page.get_by_role("button", name="Edit", exact=True).wait_for()
            expect(page.get_by_role("button", name="Take over")).to_have_count(0)
        assert daemon.call("GET", f"/v1/apps/{APP}/recipes")[1]["recipes"][0]["read_only"] is False
    finally:
        daemon.stop()
