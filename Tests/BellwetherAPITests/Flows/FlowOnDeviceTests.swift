import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import Surveys
import TestSupport
import Testing

@testable import BellwetherAPI

/// A device with the bundle runs a flow exactly as the daemon does (docs/on-device.md#flows).
@Suite struct FlowOnDeviceTests {
    private static let walks = Trials.count(150, many: 1_000)
    private static let actions = 5

    /// A flow on a device: `flow` is a recipe of the bundle.
    struct OfflineFlow {
        let flow: FlowDefinition
        private(set) var run: FlowRun
        /// What telemetry is to have.
        private(set) var events: [FlowEvent]

        /// `saved` is what `run.json` and `run.responses` were; nil at first.
        init?(
            _ recipe: JSONValue, _ start: FlowStart, saved: (json: JSONObject, responses: JSONObject)?,
            at now: Timestamp
        ) {
            let findings = Findings()
            guard let flow = FlowDefinition(JSONReader(recipe, findings: findings)) else { return nil }
            self.flow = flow
            if let saved, let run = FlowRun(saved.json, responses: saved.responses) {
                (self.run, events) = (run, [])
            } else {
                let move = flow.start(start, at: now)
                (run, events) = (move.run, move.events)
            }
        }

        /// What to draw: the step with its texts, fields with `visible`, progress and outcome.
        var view: JSONObject { flow.view(run) }

        mutating func act(_ action: FlowAction, at now: Timestamp) throws(FlowRefusal) {
            guard case .moved(let move) = try flow.advance(run, action, at: now) else { return }
            run = move.run
            events += move.events
        }
    }

    private static let steps: JSONValue = [
        [
            "id": "goal", "type": "question",
            "config": [
                "title": "Goal of {{user.age | you}}?", "skip_enabled": true, "selection_mode": "multi",
                "options": [["id": "a", "value": "first"], ["id": "b"], ["id": "c"]],
                "localizations": ["de": ["title": "Ziel?"]],
            ],
            "next_step_rules": [
                rule("seen", "a"), rule("nowhere", "b"), rule("form", "b"), rule("permission_camera", "c"),
            ],
        ],
        ["id": "more", "type": "welcome", "hide_progress": true, "config": ["title": "{{input.name | more}}"]],
        [
            "id": "form", "type": "form",
            "config": [
                "skip_enabled": true,
                "fields": [
                    ["id": "name", "type": "text", "required": true],
                    ["id": "age", "type": "number", "config": ["min_value": 1, "max_value": 9]],
                    [
                        "id": "why", "type": "textarea", "required": true,
                        "depends_on": ["field_id": "age", "operator": "gt", "value": 5],
                    ],
                ],
                "content_blocks": [
                    [
                        "id": "hint", "type": "text", "text": "Hello {{onboarding.goal.selected.0}}",
                        "visibility_condition": ["type": "answer_equals", "answer_key": "goal.selected", "value": "a"],
                    ]
                ],
            ],
            "next_step_rules": [["target_step_id": "goal", "conditions": [["type": "empty", "answer_key": "age"]]]],
        ],
        ["id": "end", "type": "value_prop", "hide_back": true, "next_step_rules": [rule("goal", "z")]],
    ]

    private static func rule(_ target: String, _ value: String) -> JSONValue {
        [
            "target_step_id": .string(target),
            "conditions": [["type": "answer_equals", "answer_key": "selected", "value": .string(value)]],
        ]
    }

    private static let recipe: JSONValue = [
        "kind": "flow", "id": "tour", "version": "2", "steps": steps,
        "graph_nodes": ["seen": ["type": "analytics_event", "event_name": "goal_seen", "next_target": "form"]],
    ]

    private static let responses: [JSONValue] = [
        [:], ["selected": ["a"]], ["selected": ["b", "c"]], ["selected": ["first"]], ["selected": ["c"]],
        ["name": "Ada"], ["name": "Ada", "age": 3], ["name": "Ada", "age": 7, "why": "so"], ["age": 12],
        ["selected": ["z"]],
    ]

    @Test func randomWalksAreTheSame() throws {
        let world = try WorkerUnderTest(recipes: ["tour": Self.recipe])
        let bundle = try world.send(.get, "/v1/apps/app/bundle").json
        let recipe = try #require(bundle["recipes"].array?.first)
        var random = SplitMix(state: 18)
        var refusals = 0
        for walk in 0..<Self.walks {
            let locale = ["de-AT", "en", "fr"].randomElement(using: &random) ?? "en"
            let body: JSONValue = [
                "client_id": .string("c\(walk)"), "locale": .string(locale), "attributes": ["age": 5],
                "context": ["platform": "ios"],
            ]
            let answer = try world.send(.post, "/v1/apps/app/flows/tour/runs", body: body)
            let path = "/v1/apps/app/runs/\(answer.json["run_id"].string ?? "")/advance"
            var start = FlowStart()
            (start.locale, start.platform, start.attributes) = (locale, "ios", ["age": 5])
            start.context = ["platform": "ios"]
            var device = try #require(OfflineFlow(recipe, start, saved: nil, at: world.now))
            #expect(Self.shown(answer.json) == device.view)
            for _ in 0..<Self.actions {
                let kind = [FlowAction.Kind.next, .next, .next, .skip, .back].randomElement(using: &random) ?? .next
                let response = Self.responses.randomElement(using: &random) ?? [:]
                let step = device.run.stepID ?? "end"
                let action: JSONValue = [
                    "step_id": .string(step), "action": .string(kind.rawValue), "response": response,
                ]
                let answer = try world.send(.post, path, body: action)
                do throws(FlowRefusal) {
                    try device.act(FlowAction(kind, at: step, response.object ?? [:]), at: world.now)
                    #expect(Self.shown(answer.json) == device.view)
                } catch {
                    refusals += 1
                    #expect(answer.status >= 409)
                    let codes = (answer.json["errors"].array ?? []).map { $0["code"].string ?? "" }
                    #expect(codes == error.faults().map(\.code))
                }
            }
            let saved = (json: device.run.json, responses: device.run.responses)
            let resumed = try #require(OfflineFlow(recipe, start, saved: saved, at: world.now))
            #expect(resumed.view == device.view)
        }
        #expect(refusals > Self.walks / 2 && refusals < Self.walks * Self.actions)
    }

    /// The run without the members that only the daemon adds.
    private static func shown(_ run: JSONValue) -> JSONObject {
        JSONObject((run.object ?? [:]).filter { $0.key != "run_id" && $0.key != "revision" })
    }
}

/// A generator with fixed numbers, so that the walks are the same in every run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
