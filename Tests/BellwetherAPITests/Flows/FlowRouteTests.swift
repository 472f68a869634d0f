import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Surveys
import TestSupport
import Testing

@testable import BellwetherAPI

/// Onboarding flows from the respondent's side: starting, advancing, resuming (docs/reference/flows.md#runs).
@Suite struct FlowRouteTests {
    static let manifest: JSONValue = [
        "app_name": "a", "default_locale": "en-US", "surfaces": ["card"],
        "attributes": ["age": "number", "plan": "string"],
    ]
    private let world: WorkerUnderTest

    init() throws { world = try WorkerUnderTest(manifest: Self.manifest) }

    static func flow(_ more: JSONObject = [:]) -> JSONValue {
        var flow: JSONObject = [
            "kind": "flow", "id": "tour", "name": "Tour", "version": 3, "x-own": ["kept": true],
            "steps": [
                [
                    "id": "goal", "type": "question",
                    "config": ["title": "Goal?", "options": [["id": "lose"], ["id": "build"]]],
                    "next_step_rules": [
                        [
                            "target_step_id": "account",
                            "conditions": [["type": "answer_equals", "answer_key": "selected", "value": "lose"]],
                        ]
                    ],
                ],
                ["id": "more", "type": "welcome", "config": ["title": "More", "skip_enabled": true]],
                [
                    "id": "account", "type": "form",
                    "hook": [
                        "webhook_url": "https://hooks.example/check", "headers": ["X-Key": "{{secret.key}}"],
                    ],
                    "config": [
                        "title": "Hello {{user.plan | friend}}",
                        "fields": [
                            ["id": "email", "type": "email", "label": "E-mail", "required": true],
                            ["id": "pass", "type": "password", "label": "Password"],
                            ["id": "note", "type": "text", "sensitive": true],
                        ],
                    ],
                ],
            ],
        ]
        for member in more { flow[member.key] = member.value }
        return .object(flow)
    }

    private func publish(_ flow: JSONValue = Self.flow(), as slug: String = "tour") throws {
        let answer = try world.send(.put, "/v1/apps/app/recipes/\(slug)", body: flow)
        #expect(answer.status < 300, "\(answer.json.text)")
    }

    private func start(_ body: JSONObject = ["client_id": "c1"], _ slug: String = "tour") throws -> RecordedResponse {
        try world.send(.post, "/v1/apps/app/flows/\(slug)/runs", body: .object(body))
    }

    private func advance(
        _ run: RecordedResponse, _ step: String, _ response: JSONValue = [:], _ more: JSONObject = [:]
    ) throws -> RecordedResponse {
        var body: JSONObject = ["step_id": .string(step), "response": response]
        for member in more { body[member.key] = member.value }
        let id = run.json["run_id"].string ?? ""
        return try world.send(.post, "/v1/apps/app/runs/\(id)/advance", body: .object(body))
    }

    private var records: [String] { world.store.records.filter { $0.contains("onboarding") } }

    private static let platforms: [(JSONObject, [Bool], String)] = [
        ([:], [false, false, false], "unknown"), (["platform": "android"], [false, false, false], "unknown"),
        (["context": ["platform": "android"]], [false, true, false], "android"),
        (["attributes": ["platform": "android"]], [false, true, false], "android"),
        (["attributes": ["platform": "android"], "context": ["platform": "iOS"]], [true, false, false], "iOS"),
        (["context": ["platform": "web"]], [false, false, true], "web"),
        (["attributes": ["platform": 5]], [false, false, false], "unknown"),
    ]

    /// The manifest of this test does not declare the attribute.
    @Test(arguments: platforms)
    func aPlatformIsWhatTheClientSays(_ said: JSONObject, _ isVisible: [Bool], _ shown: String) throws {
        let blocks = ["ios", "android", ["web", "tv"]].map { (platform: JSONValue) -> JSONValue in
            ["type": "text", "text": "x", "visibility_condition": ["type": "platform_is", "value": platform]]
        }
        let step: JSONValue = [
            "id": "a", "type": "welcome",
            "config": ["title": "{{device.platform | unknown}}", "content_blocks": .array(blocks)],
        ]
        try publish(["kind": "flow", "id": "where", "name": "Where", "steps": [step]], as: "where")
        var body = said
        body["client_id"] = "c1"
        let run = try start(body, "where")
        #expect(run.status == 201)
        #expect(run.json["step"]["content_blocks"].array?.map { $0["visible"] } == isVisible.map { .bool($0) })
        #expect(run.json["step"]["title"] == .string(shown))
    }

    @Test func aPlatformThatIsNoTextIsRefused() throws {
        try publish()
        let answer = try start(["client_id": "c1", "context": ["platform": 5]])
        #expect(answer.status == 400 && answer.json["errors"][0]["pointer"] == "/context/platform")
    }

    @Test func theDefinitionComesWithoutHooksAndWithWhatIsUnknown() throws {
        try publish()
        let answer = try world.send(.get, "/v1/apps/app/flows/tour?client_id=c1")
        let flow = answer.json["flow"]
        #expect(answer.status == 200 && flow["slug"] == "tour" && flow["revision"] == 1)
        #expect(flow["x-own"] == ["kept": true])
        #expect(!answer.json.text.contains("hooks.example") && !answer.json.text.contains("secret"))
        let line = try #require(answer.headers.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") })
        let tag = String(line.dropFirst(6))
        let again = try world.send(.get, "/v1/apps/app/flows/tour", headers: [("If-None-Match", tag)])
        #expect(again.status == 304)
        #expect(try world.send(.get, "/v1/apps/app/bundle").json.text.contains("hooks.example") == false)
    }

    @Test func aRunGoesToItsEnd() throws {
        try publish()
        let run = try start(["client_id": "c1", "attributes": ["plan": "pro"]])
        #expect(run.status == 201 && run.json["status"] == "active" && run.json["step_id"] == "goal")
        #expect(run.json["flow_version"] == 3 && run.json["revision"] == 1 && run.json["flow_id"] == "tour")
        let next = try advance(run, "goal", ["selected": ["lose"]])
        #expect(next.json["step_id"] == "account" && next.json["step"]["title"] == "Hello pro")
        #expect(next.json["step"]["hook"] == .null && next.json["can_go_back"] == true)
        let refused = try advance(run, "account", ["pass": 7, "other": 1])
        let codes = (refused.json["errors"].array ?? []).map {
            "\($0["pointer"].string ?? "") \($0["code"].string ?? "")"
        }
        #expect(refused.status == 422)
        #expect(codes == ["/response/email required", "/response/pass type", "/response/other unknown_key"])
        let done = try advance(run, "account", ["email": "a@b.c", "pass": "hunter2", "note": "private"])
        #expect(done.json["status"] == "completed" && done.json["outcome"]["reason"] == "finished")
        #expect(
            done.json["step"] == .null && done.json["responses"]["account"] == ["email": "a@b.c", "note": "private"])
        let ended = try advance(run, "account", [:])
        #expect(ended.status == 409 && ended.json["errors"].array?.first?["code"] == "run_ended")
        #expect(ended.json["run"]["status"] == "completed")
    }

    @Test func theLogHasEachEventOnceAndNoSecrets() throws {
        try publish()
        let run = try start()
        _ = try advance(run, "goal", ["selected": ["lose"]])
        _ = try advance(run, "goal", ["selected": ["lose"]])
        _ = try advance(run, "account", ["email": "a@b.c", "pass": "hunter2", "note": "private"], ["id": "one"])
        _ = try advance(run, "account", ["email": "a@b.c", "pass": "hunter2", "note": "private"], ["id": "one"])
        let names = [
            "onboarding_flow_started", "onboarding_step_viewed", "onboarding_step_completed", "onboarding_step_viewed",
            "onboarding_step_completed", "onboarding_flow_completed",
        ]
        #expect(records.count == names.count)
        for (record, name) in zip(records, names) { #expect(record.contains(name)) }
        #expect(!records.joined().contains("hunter2") && !records.joined().contains("private"))
        #expect(records.joined().contains("a@b.c"))
    }

    @Test func theSameIDIsAnsweredTheSame() throws {
        try publish()
        let run = try start()
        let refused = try advance(run, "goal", ["selected": []], ["id": "x"])
        #expect(refused.status == 422)
        let first = try advance(run, "goal", ["selected": ["build"]], ["id": "x"])
        let second = try advance(run, "goal", ["selected": ["lose"]], ["id": "x"])
        #expect(first.status == 200 && second.status == 200 && first.json == second.json)
        #expect(first.json["step_id"] == "more")
        #expect(try advance(run, "goal", [:]).json["errors"].array?.first?["code"] == "wrong_step")
    }

    @Test func skipAndBackAreAllowedWhereTheFlowSaysSo() throws {
        try publish()
        let run = try start()
        func code(_ answer: RecordedResponse) -> JSONValue? { answer.json["errors"].array?.first?["code"] }
        #expect(try code(advance(run, "goal", [:], ["action": "back"])) == "not_allowed")
        #expect(try code(advance(run, "goal", [:], ["action": "skip"])) == "not_allowed")
        _ = try advance(run, "goal", ["selected": ["build"]])
        #expect(try advance(run, "more", [:], ["action": "skip"]).json["step_id"] == "account")
        #expect(try advance(run, "account", [:], ["action": "back"]).json["step_id"] == "more")
        #expect(try advance(run, "more", [:], ["action": "sideways"]).status == 400)
        #expect(try advance(run, "more", "text").status == 400)
    }

    @Test func anOpenRunIsFoundAgainAndAnEndedOneIsNot() throws {
        try publish()
        let run = try start(["client_id": "c1", "user_id": "u1"])
        _ = try advance(run, "goal", ["selected": ["lose"]])
        let elsewhere = try start(["client_id": "c2", "user_id": "u1"])
        #expect(elsewhere.status == 200 && elsewhere.json["run_id"] == run.json["run_id"])
        #expect(elsewhere.json["step_id"] == "account")
        let id = run.json["run_id"].string ?? ""
        let dismissed = try world.send(.post, "/v1/apps/app/runs/\(id)/dismiss", body: [:])
        #expect(dismissed.json["status"] == "dismissed" && dismissed.json["outcome"] == ["reason": "dismissed"])
        #expect(try world.send(.post, "/v1/apps/app/runs/\(id)/dismiss", body: [:]).status == 409)
        #expect(try world.send(.get, "/v1/apps/app/runs/\(id)").json["status"] == "dismissed")
        #expect(records.last?.contains("onboarding_flow_dismissed") == true)
        #expect(try start(["client_id": "c1", "user_id": "u1"]).status == 201)
        #expect(try world.send(.get, "/v1/apps/app/runs/none").status == 404)
    }

    @Test func aRunStaysOnItsRevision() throws {
        try publish()
        let run = try start()
        try publish(Self.flow(["version": 4, "steps": [["id": "only", "type": "welcome"]]]))
        let next = try advance(run, "goal", ["selected": ["build"]])
        #expect(next.json["revision"] == 1 && next.json["flow_version"] == 3 && next.json["step_id"] == "more")
        #expect(try start(["client_id": "c2"]).json["revision"] == 2)
        #expect(try start().json["revision"] == 1, "the open one")
    }

    @Test func aPausedFlowWaits() throws {
        try publish()
        let run = try start()
        _ = try world.send(.post, "/v1/apps/app/recipes/tour/state", body: ["state": "paused"])
        let refused = try advance(run, "goal", ["selected": ["lose"]])
        #expect(refused.status == 409 && refused.json["errors"].array?.first?["code"] == "inactive")
        #expect(try start(["client_id": "c2"]).status == 409)
        #expect(try world.send(.get, "/v1/apps/app/flows/tour").status == 404)
        _ = try world.send(.post, "/v1/apps/app/recipes/tour/state", body: ["state": "live"])
        #expect(try advance(run, "goal", ["selected": ["lose"]]).status == 200)
    }

    @Test func audiencesChooseTheActiveFlow() throws {
        let adults: JSONValue = [
            "priority": 5, "conditions": [["trait": "age", "operator": "gte", "value": 18]],
        ]
        try publish(Self.flow(["active": true]), as: "everybody")
        try publish(Self.flow(["audience_rules": adults]), as: "adults")
        try publish(Self.flow(["status": "draft", "active": true]), as: "a-draft")
        func chosen(_ query: String) throws -> JSONValue {
            try world.send(.get, "/v1/apps/app/flows/active\(query)").json["flow"]["slug"]
        }
        #expect(try chosen("?age=20") == "adults" && chosen("?age=10") == "everybody" && chosen("") == "everybody")
        #expect(try world.send(.get, "/v1/apps/app/flows/a-draft").status == 404)
        #expect(try start(["client_id": "c", "attributes": ["age": 30]], "active").status == 201)
    }

    @Test func aBundleComesInAndGoesOut() throws {
        var one = try #require(Self.flow().object)
        one["kind"] = nil
        let draft: JSONValue = ["id": "b", "name": "B", "status": "draft", "steps": [["id": "s", "type": "welcome"]]]
        let bundle: JSONValue = [
            "flows": ["tour": .object(one), "b": draft, "bad": ["steps": []]], "active_flow_id": "tour",
        ]
        let answer = try world.send(.post, "/v1/apps/app/recipes", body: bundle)
        let statuses = (answer.json["results"].array ?? []).map { "\($0["slug"].string ?? "") \($0["status"].text)" }
        #expect(statuses == ["tour 201", "b 201", "bad 422"])
        #expect(try world.send(.get, "/v1/apps/app/flows/active").json["flow"]["slug"] == "tour")
        #expect(try world.send(.get, "/v1/apps/app/flows/b").status == 404)
        let exported = try world.send(.get, "/v1/apps/app/flows").json
        #expect(exported["active_flow_id"] == "tour")
        #expect(exported["flows"] == ["tour": .object(one), "b": draft])
    }

    @Test func aMessagePresentsAFlow() throws {
        let offer: JSONValue = [
            "surface": "card", "title": "Hello", "text": "Take the tour", "trigger-if-all": ["ALWAYS"],
        ]
        try publish(Self.flow(["offer": offer]))
        func poll() throws -> JSONValue? {
            try world.send(.get, "/v1/apps/app/messages?client_id=c1").json["messages"].array?.first
        }
        #expect(
            try poll()?["presents"]
                == ["kind": "flow", "slug": "tour", "revision": 1, "url": "/v1/apps/app/flows/tour"])
        _ = try world.send(.post, "/v1/apps/app/questionnaires/dismiss", body: ["client_id": "c1"])
        #expect(try poll() != nil, "flows go on")
        let run = try start()
        _ = try advance(run, "goal", ["selected": ["lose"]])
        #expect(try poll() != nil)
        _ = try advance(run, "account", ["email": "a@b.c"])
        #expect(try poll() == nil)
    }

    @Test func aFaultyFlowIsRefusedWithEveryFault() throws {
        let flow: JSONValue = [
            "kind": "flow", "settings": ["show_progress": "yes", "progress_style": "bar"],
            "audience_rules": [["trait": "age", "operator": "like", "value": 1]],
            "steps": [
                [
                    "id": "a", "type": "form",
                    "config": [
                        "title": 5,
                        "fields": [
                            ["id": "x", "type": "text", "validation": ["pattern": "("]],
                            ["id": "x", "type": "number", "config": ["min_value": 5, "max_value": 1]],
                            ["id": "y", "type": "sparkle", "depends_on": ["field_id": "z", "operator": "equals"]],
                        ],
                        "content_blocks": [
                            ["type": "glitter"], ["type": "row", "direction": "up", "block_style": ["opacity": 2]],
                        ],
                    ],
                ],
                [
                    "id": "a", "type": "question",
                    "next_step_rules": [["target_step_id": "q", "condition": ["type": "like"]]],
                ],
            ],
        ]
        let answer = try world.send(.post, "/v1/apps/app/recipes/validate", body: flow)
        func pointers(_ key: String) -> Set<String> {
            Set((answer.json[key].array ?? []).map { "\($0["pointer"].string ?? "") \($0["code"].string ?? "")" })
        }
        let fields = "/steps/0/config/fields"
        #expect(
            pointers("errors").isSuperset(of: [
                "/settings/show_progress type", "/settings/progress_style choice", "/audience_rules/0/operator choice",
                "/steps/0/config/title type", "\(fields)/0/validation/pattern pattern", "\(fields)/1/id duplicate",
                "\(fields)/1/config/max_value range", "\(fields)/2/depends_on reference",
                "/steps/0/config/content_blocks/1/direction choice",
                "/steps/0/config/content_blocks/1/block_style/opacity range", "/steps/1/id duplicate",
                "/steps/1/next_step_rules/0/condition/type choice", "/steps/1/config required",
            ]), "\(answer.json.text)")
    }

    @Test func resultsAreAFunnel() throws {
        try publish()
        for client in ["c1", "c2", "c3"] {
            let run = try start(["client_id": .string(client)])
            world.pass(seconds: 2)
            guard client != "c1" else { continue }
            _ = try advance(run, "goal", ["selected": ["build"]])
            _ = try advance(run, "more", [:], ["action": client == "c2" ? "skip" : "back"])
            guard client == "c2" else { continue }
            _ = try advance(run, "account", ["email": "a@b.c"])
        }
        let results = try world.send(.get, "/v1/apps/app/results/tour").json
        #expect(results["kind"] == "flow" && results["total_runs"] == 3 && results["active"] == 2)
        #expect(results["completed"] == 1 && results["outcomes"] == ["finished": 1])
        let steps = results["steps"].array ?? []
        #expect(steps.map { $0["viewed"] } == [4, 2, 1] && steps.map { $0["completed"] } == [2, 0, 1])
        #expect(steps[1]["skipped"] == 1 && steps[1]["back"] == 1 && steps[0]["stopped"] == 2)
        #expect(steps[0]["mean_ms"] == 2000 && results["other_revisions"] == [])
    }

    @Test func overridesOfExperimentsAreForThoseWhoTest() throws {
        try publish(Self.flow(["steps": [["id": "a", "type": "welcome", "config": ["title": "{{context.source}}"]]]]))
        let context: JSONValue = ["source": "launch", "experimentOverrides": ["exp": "b"]]
        let run = try start(["client_id": "c1", "context": context])
        #expect(run.json["step"]["title"] == "launch")
        let bad = try start(["client_id": "c1", "context": ["experimentOverrides": ["exp": 1]]])
        #expect(bad.status == 400)
        #expect(try start([:]).status == 400)
    }
}
