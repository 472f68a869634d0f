"""Steps, fields and blocks of flows. The daemon's answers are scripted: each test defines the runs."""

import json

import pytest
from conftest import APP, eventually, new_context, open_widget, violations
from playwright.sync_api import expect

#: A drawing differs from machine to machine.
DRAWN = "data:image/png;base64,"
FIELDS = [
    ("text", "Ann", {}, lambda panel: panel.get_by_label("text", exact=True).fill("Ann")),
    ("textarea", "Long", {}, lambda panel: panel.get_by_label("textarea", exact=True).fill("Long")),
    ("number", 4.5, {}, lambda panel: panel.get_by_label("number", exact=True).fill("4.5")),
    ("email", "a@b.example", {}, lambda panel: panel.get_by_label("email", exact=True).fill("a@b.example")),
    ("phone", "+4912345", {}, lambda panel: panel.get_by_label("phone", exact=True).fill("+4912345")),
    ("url", "https://a.example", {}, lambda panel: panel.get_by_label("url", exact=True).fill("https://a.example")),
    ("date", "2026-11-01", {"min_date": "2026-01-01"}, lambda panel: panel.get_by_label("date", exact=True).fill("2026-11-01")),
    ("time", "10:30", {}, lambda panel: panel.get_by_label("time", exact=True).fill("10:30")),
    ("datetime", "2026-11-01T10:30:00", {}, lambda panel: panel.get_by_label("datetime", exact=True).fill("2026-11-01T10:30")),
    ("select", "b", {}, lambda panel: panel.get_by_label("select", exact=True).select_option("b")),
    ("segmented", "a", {}, lambda panel: panel.get_by_role("group", name="segmented").or_(panel.get_by_role("radiogroup", name="segmented")).get_by_label("Option a").check()),
    ("slider", 30, {"min_value": 0, "max_value": 100, "step": 10}, lambda panel: panel.get_by_label("slider", exact=True).fill("30")),
    ("stepper", 3, {"min_value": 0, "max_value": 9}, lambda panel: panel.get_by_label("stepper", exact=True).fill("3")),
    ("toggle", True, {}, lambda panel: panel.get_by_role("switch", name="toggle").check()),
    ("password", "hunter2", {}, lambda panel: panel.get_by_label("password", exact=True).fill("hunter2")),
    ("rating", 4, {"max_stars": 5}, lambda panel: panel.get_by_role("radiogroup", name="rating").get_by_label("4").check()),
    ("range_slider", {"low": 20, "high": 80}, {"min_value": 0, "max_value": 100}, lambda panel: (
        panel.get_by_label("range_slider: lowest value").fill("20"), panel.get_by_label("range_slider: highest value").fill("80"))),
    ("color", "#10A0FF", {}, lambda panel: panel.get_by_label("color", exact=True).fill("#10a0ff")),
    ("chips", ["red", "blue"], {"suggestions": ["blue"]}, lambda panel: (
        panel.get_by_role("textbox", name="chips").fill("red"), panel.get_by_role("textbox", name="chips").press("Enter"),
        panel.get_by_role("button", name="+ blue").click())),
    ("signature", DRAWN, {}, lambda panel: panel.get_by_role("group", name="signature").get_by_role("button", name="Sign").click()),
    ("location", {"formatted_address": "Bern", "city": "Bern"}, {}, lambda panel: (
        panel.get_by_label("location", exact=True).fill("Be"), panel.get_by_role("option", name="Bern").wait_for(), panel.get_by_label("location", exact=True).fill("Bern"))),
]


def field(kind, config):
    options = [{"id": "a", "label": "Option a"}, {"id": "b", "label": "Option b"}] if kind in ("select", "segmented") else None
    return {"id": kind, "type": kind, "label": kind, "config": config, "visible": True, **({"options": options} if options else {})}


def run_of(step, **more):
    return {"run_id": "r1", "flow_id": "demo", "flow_version": 1, "revision": 1, "status": "active", "step": step,
            "step_id": step and step["id"], "step_index": 0, "total_steps": 2, "progress": 0.5, "can_go_back": False,
            "responses": {}, "banner": None, "outcome": None, **more}


DONE = run_of(None, status="completed", outcome={"reason": "finished"}, progress=None)


class Script:
    """Scripted answers of flow routes, in turn, and the requests."""

    def __init__(self, context, runs, flow=None):
        self.answers = iter([(201, runs[0])] + [run if isinstance(run, tuple) else (200, run) for run in runs[1:]])
        self.bodies = []
        self.flow = {"id": "demo", "name": "Demo", "steps": [], **(flow or {})}
        context.route("**/v1/apps/*/flows/**", self.handle)
        context.route("**/v1/apps/*/runs/**", self.handle)
        context.route("**/v1/apps/*/locations?**", lambda route: self.reply(route, 200, {
            "data": {"suggestions": [{"formatted_address": "Bern", "city": "Bern"}]}}))

    def reply(self, route, status, body):
        route.fulfill(status=status, content_type="application/json", body=json.dumps(body),
                      headers={"Access-Control-Allow-Origin": "*"})

    def handle(self, route):
        if route.request.method == "GET":
            return self.reply(route, 200, {"flow": self.flow})
        self.bodies.append(json.loads(route.request.post_data))
        return self.reply(route, *next(self.answers))

    @property
    def responses(self):
        return [body["response"] for body in self.bodies if "response" in body]


def view(page):
    return page.locator("bellwether-view .panel")


def show(page, options="{kind: 'flow'}"):
    page.evaluate(f"bellwether.show('demo', {options})")
    panel = view(page)
    panel.locator("h2").first.wait_for()
    return panel


def form(fields, **more):
    return {"id": "form", "type": "form", "title": "A form", "fields": fields, "cta_text": "Go on", **more}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_goal_7_every_field_is_answered_and_accessible(browser, pages, daemon, scheme):
    with new_context(browser, color_scheme=scheme) as context:
        script = Script(context, [run_of(form([field(kind, config) for kind, _, config, _ in FIELDS])), DONE])
        page = open_widget(context, pages, daemon)
        panel = show(page)
        for _, _, _, fill in FIELDS:
            fill(panel)
        assert violations(page) == []
        panel.get_by_role("button", name="Go on").click()
        panel.get_by_role("heading", name="Thanks!").wait_for()
        drawn = script.responses[0]["signature"]
        assert drawn.startswith(DRAWN) and len(drawn) < 64 * 1024
        assert script.responses == [{**{kind: answer for kind, answer, _, _ in FIELDS}, "signature": drawn}]
        assert page.problems == []


def test_an_image_is_scaled_and_sent_as_a_data_url(context, pages, daemon, tmp_path):
    script = Script(context, [run_of(form([field("image_picker", {})])), DONE])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    picture = tmp_path / "picture.png"
    picture.write_bytes(page.screenshot())
    panel.get_by_label("image_picker").set_input_files(picture)
    panel.locator(".drop img").wait_for()
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses[0]["image_picker"].startswith("data:image/jpeg;base64,")
    assert len(script.responses[0]["image_picker"]) < 512 * 1024


def test_files_of_before_are_the_same_answers(context, pages, daemon):
    """After a step back and forward the page sends the references that the run has."""
    image = {"type": "image/png", "bytes": 3, "sha256": "7" * 64}
    step = form([field("image_picker", {}), field("signature", {})])
    before = {step["id"]: {"image_picker": image, "signature": image}}
    script = Script(context, [run_of(step, responses=before), DONE])
    panel = show(open_widget(context, pages, daemon))
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses == [{"image_picker": image, "signature": image}]


def test_a_question_a_value_proposition_and_back(context, pages, daemon):
    question = {"id": "q", "type": "question", "title": "Your goal?", "selection_mode": "single",
                "options": [{"id": "lose", "label": "Lose", "icon": "🏃", "subtitle": "Weight"}, {"id": "build", "label": "Build"}]}
    proposition = {"id": "v", "type": "value_prop", "title": "Why", "skip_enabled": True,
                   "items": [{"title": "Fast", "subtitle": "Very"}, {"title": "Small"}]}
    script = Script(context, [run_of(question), run_of(proposition, can_go_back=True), run_of(question), run_of(proposition), DONE])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    panel.get_by_role("radio", name="Lose").check()
    assert violations(page) == []
    panel.get_by_role("button", name="Next").click()
    panel.get_by_text("Very").wait_for()
    assert violations(page) == []
    panel.get_by_role("button", name="Back").click()
    panel.get_by_role("radio", name="Build").check()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("button", name="Skip").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert [(body["action"], body["response"]) for body in script.bodies[1:]] == [
        ("next", {"selected": ["lose"]}), ("back", {}), ("next", {"selected": ["build"]}), ("skip", {})]


BLOCKS = [
    {"type": "title", "text": "A title"}, {"type": "subtitle", "text": "Below"}, {"type": "text", "text": "Some text"},
    {"type": "rich_text", "markdown": "**Bold** and [link](https://a.example)\n\n- one\n- two"},
    {"type": "image", "url": "data:,", "alt": "A picture"}, {"type": "lottie", "url": "x.json", "alt": "Waving"},
    {"type": "rive", "url": "x.riv", "alt": "Turning"}, {"type": "button", "text": "Elsewhere", "action": "screen", "action_value": "s"},
    {"type": "option_list", "id": "pick", "label": "Pick", "options": [{"id": "x", "label": "X"}, {"id": "y", "label": "Y"}]},
    {"type": "form", "fields": [{"id": "in_form", "type": "text", "label": "In a form"}]}, {"type": "page_indicator"},
    {"type": "wheel_picker", "id": "wheel", "label": "Wheel", "min": 1, "max": 9, "unit": "kg"}, {"type": "pulsing_avatar"},
    {"type": "social_login", "providers": ["apple", {"type": "google"}]}, {"type": "timeline", "items": [{"title": "First"}]},
    {"type": "animated_loading", "items": [{"text": "Loading"}], "total_duration_ms": 500, "text": "Wait"},
    {"type": "countdown_timer", "duration_seconds": 30}, {"type": "rating", "id": "stars", "label": "Stars", "max": 5},
    {"type": "progress_bar", "value": 0.4, "label": "Done"}, {"type": "circular_gauge", "value": 4, "max_value": 10, "label": "Gauge"},
    {"type": "date_wheel_picker", "id": "born", "label": "Born"}, {"type": "star_background"},
    {"type": "row", "children": [{"type": "badge", "text": "New"}, {"type": "icon", "icon": "⭐"}]},
    {"type": "stack", "children": [{"type": "text", "text": "Stacked"}]}, {"type": "pricing_card", "plans": [{"id": "p", "title": "Pro", "price": "$5"}]},
    {"type": "toggle", "id": "on", "label": "On"}, {"type": "input_email", "id": "mail", "label": "Mail"}, {"type": "divider"},
    {"type": "spacer"}, {"type": "list", "items": ["a", "b"]}, {"type": "warning_banner", "text": "Careful"},
    {"type": "speech_bubble", "text": "Hi"}, {"type": "feedback_panel", "text": "Good"}, {"type": "media_gallery", "items": []},
    {"type": "summary_screen"}, {"type": "press_hold_confirm", "text": "Hold", "action": "screen"}, {"type": "settings_footer", "text": "Footer"},
    {"type": "custom_view", "view_key": "unknown", "text": "Its title"}, {"type": "carousel", "children": [{"type": "text", "text": "Slide"}]},
    {"type": "from_the_future"}, {"type": "text", "text": "Hidden", "visible": False},
    {"type": "text", "text": "Only for X", "visible": False,
     "visibility_condition": {"type": "when_equals", "variable": "responses.blocks.pick", "value": "x"}},
]


def test_every_block_has_a_rendering_and_is_accessible(context, pages, daemon):
    step = {"id": "blocks", "type": "custom", "title": "Blocks", "content_blocks": [{"visible": True, **block} for block in BLOCKS]}
    script = Script(context, [run_of(step), DONE])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    page.evaluate("document.addEventListener('bellwether:action', e => (window.actions ??= []).push(e.detail.name))")
    for text in ["A title", "Bold", "Waving", "Turning", "First", "$5", "Stacked", "New", "Careful", "Its title", "Slide", "Footer"]:
        expect(panel.get_by_text(text).first, text).to_be_visible()
    expect(panel.get_by_text("Hidden")).to_be_hidden()
    expect(panel.get_by_text("Only for X")).to_be_hidden()
    panel.get_by_role("radio", name="X", exact=True).check()
    expect(panel.get_by_text("Only for X")).to_be_visible()
    panel.get_by_role("button", name="Elsewhere").click()
    panel.get_by_role("button", name="Continue with Google").click()
    assert page.evaluate("window.actions") == ["screen", "social_login"]
    assert violations(page) == []
    panel.get_by_label("In a form").fill("Yes")
    panel.get_by_role("radiogroup", name="Stars").get_by_label("5").check()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses[0] == {"pick": "x", "in_form": "Yes", "stars": 5, "on": False}
    assert page.problems == []


def test_faults_stand_at_their_fields_and_hidden_fields_do_not_count(context, pages, daemon):
    fields = [{"id": "job", "type": "text", "label": "Job"},
              {"id": "firm", "type": "text", "label": "Firm", "depends_on": {"field_id": "job", "operator": "equals", "value": "yes"}}]
    problem = {"status": 422, "errors": [{"pointer": "/response/firm", "code": "pattern", "message": "Capital letters, please"}]}
    script = Script(context, [run_of(form(fields)), (422, problem), DONE])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    expect(panel.get_by_label("Firm")).to_be_hidden()
    panel.get_by_label("Job").fill("yes")
    panel.get_by_label("Firm").fill("acme")
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_text("Capital letters, please").first.wait_for()
    expect(panel.get_by_label("Firm")).to_have_attribute("aria-invalid", "true")
    panel.get_by_label("Job").fill("no")
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses == [{"job": "yes", "firm": "acme"}, {"job": "no"}]


def test_hosts_decide_replace_and_render(context, pages, daemon):
    custom = {"id": "map", "type": "custom", "title": "Map"}
    script = Script(context, [run_of(form([field("text", {})])), run_of(custom), DONE])
    page = open_widget(context, pages, daemon)
    page.evaluate("""() => {
        bellwether.hooks.beforeRender = ({step}) => step.id === "form" ? {title: "Replaced", ctaText: "Onward", fieldDefaults: {text: "Ann"}} : undefined;
        let isAsked = false;
        bellwether.hooks.beforeAdvance = () => isAsked ? undefined : (isAsked = true, {action: "block", message: "Not yet"});
        bellwether.registerView("map", ({element, onChange}) => { element.textContent = "A map"; onChange({place: "Bern"}); });
    }""")
    panel = show(page)
    panel.get_by_role("heading", name="Replaced").wait_for()
    expect(panel.get_by_label("text", exact=True)).to_have_value("Ann")
    panel.get_by_role("button", name="Onward").click()
    panel.get_by_text("Not yet").wait_for()
    panel.get_by_role("button", name="Onward").click()
    panel.get_by_text("A map").wait_for()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert script.responses == [{"text": "Ann"}, {"place": "Bern"}]


def test_a_password_is_never_stored(context, pages, daemon):
    Script(context, [run_of(form([field("password", {})]))])
    context.route("**/advance", lambda route: route.abort())
    page = open_widget(context, pages, daemon)
    panel = show(page)
    panel.get_by_label("password", exact=True).fill("hunter2")
    panel.get_by_role("button", name="Go on").click()
    panel.get_by_text("Please try again.").wait_for()
    assert page.evaluate("bellwether.queue.store.all()") == []
    expect(panel.get_by_label("password", exact=True)).to_have_value("hunter2")


def test_an_outcome_is_the_pages_to_show(context, pages, daemon):
    outcome = run_of(None, status="completed", outcome={"reason": "permission_request", "target": "camera"})
    Script(context, [run_of({"id": "w", "type": "welcome", "title": "Hello"}), outcome])
    page = open_widget(context, pages, daemon)
    page.evaluate("document.addEventListener('bellwether:permission-request', e => window.wanted = e.detail.target)")
    panel = show(page)
    panel.get_by_role("button", name="Next").click()
    assert eventually(lambda: page.evaluate("window.wanted")) == "camera"
    expect(page.locator("bellwether-view")).to_have_count(0)


def test_a_chat_is_a_conversation(context, pages, daemon):
    step = {"id": "chat", "type": "interactive_chat", "title": "Coach",
            "chat_config": {"auto_messages": [{"id": "m", "content": "Hello!"}], "quick_replies": [{"id": "yes", "text": "Yes"}]}}
    script = Script(context, [run_of(step), {"messages": [{"content": "Great."}], "quick_replies": [], "turn": 1, "remaining_turns": 1, "completed": None},
                              {"messages": [{"content": "Bye."}], "turn": 2, "remaining_turns": 0, "completed": "max_turns"}, DONE])
    page = open_widget(context, pages, daemon)
    panel = show(page)
    panel.get_by_text("Hello!").wait_for()
    assert violations(page) == []
    panel.get_by_role("button", name="Yes").click()
    panel.get_by_text("Great.").wait_for()
    panel.get_by_label("Your message").fill("Thanks")
    panel.get_by_label("Your message").press("Enter")
    panel.get_by_text("Bye.").wait_for()
    expect(panel.get_by_label("Your message")).to_be_hidden()
    panel.get_by_role("button", name="Next").click()
    panel.get_by_role("heading", name="Thanks!").wait_for()
    assert [body.get("quick_reply_id") or body.get("text") for body in script.bodies[1:3]] == ["yes", "Thanks"]
