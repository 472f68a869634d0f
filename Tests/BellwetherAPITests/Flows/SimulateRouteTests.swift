import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Walking a flow that is not stored (docs/reference/http-api.md#simulation).
@Suite struct SimulateRouteTests {
    private static let path = "/v1/apps/app/recipes/simulate"
    private static let flow: JSONValue = [
        "kind": "flow", "id": "tour", "name": "Tour",
        "steps": [
            [
                "id": "goal", "type": "question",
                "config": ["title": "Goal?", "options": [["id": "climb"], ["id": "hike"]]],
                "next_step_rules": [
                    [
                        "target_step_id": "end",
                        "conditions": [["type": "answer_equals", "answer_key": "selected", "value": "climb"]],
                    ],
                    ["target_step_id": "maps", "condition": ["type": "always"]],
                ],
            ],
            ["id": "maps", "type": "welcome", "config": ["title": "Maps"]],
            ["id": "end", "type": "welcome", "config": ["title": "End"]],
        ],
    ]

    private let world: WorkerUnderTest

    init() throws { world = try WorkerUnderTest() }

    private func walk(_ choice: String, _ members: JSONObject = [:]) throws -> JSONValue {
        var body: JSONObject = [
            "document": Self.flow, "actions": [["step_id": "goal", "response": ["selected": [.string(choice)]]]],
        ]
        for member in members { body[member.key] = member.value }
        return try world.send(.post, Self.path, body: .object(body)).json
    }

    @Test func `A walk answers the run after each action and what the rules have said`() throws {
        let walk = try walk("hike", ["locale": "de"])
        let runs = walk["runs"].array ?? []
        #expect(runs.count == 2 && runs[0].text.contains("Goal?"), "\(walk.text)")
        #expect(runs[1].text.contains("Maps"))
        let rules = walk["rules"].array ?? []
        #expect(rules.map { $0["holds"] } == [false, true] && rules.map { $0["step_id"] } == ["goal", "goal"])
        #expect(rules[0]["tests"].array?.count == 1 && rules[0]["tests"][0]["holds"] == false)
        #expect(try world.send(.get, "/v1/apps/app/recipes").json["recipes"] == [])
    }

    @Test func `Rules behind the one that decides are not looked at`() throws {
        let walk = try walk("climb")
        #expect(walk["rules"].array?.map { $0["holds"] } == [true, nil], "\(walk.text)")
        #expect(walk["runs"][1].text.contains("End"))
    }

    @Test func `An action that is refused has its faults, and the walk goes on`() throws {
        let actions: JSONValue = [
            ["step_id": "nowhere"], ["step_id": "goal", "response": ["selected": ["hike"]]], ["step_id": "maps"],
        ]
        let walk = try walk("hike", ["actions": actions])
        let runs = walk["runs"].array ?? []
        #expect(runs.count == 4 && runs[1]["errors"].array?.isEmpty == false && runs[3].text.contains("End"))
    }

    @Test func `What cannot be walked is refused`() throws {
        let questionnaire: JSONValue = [
            "kind": "questionnaire", "name": "Q", "schema": ["version": 1, "questions": []],
        ]
        #expect(try world.send(.post, Self.path, body: ["document": questionnaire]).status == 422)
        #expect(try world.send(.post, Self.path, body: [:]).status == 400)
        let actions = JSONValue.array(Array(repeating: ["step_id": "goal"], count: 201))
        let many = try world.send(.post, Self.path, body: ["document": Self.flow, "actions": actions])
        #expect(many.status == 422 && many.json["errors"][0]["code"] == "too_many")
    }
}
