import BellwetherJSON
import TestSupport
import Testing

/// Many simultaneous requests for one run of a flow leave one consistent path (docs/reference/flows.md#runs).
@Suite struct FlowConcurrencyTests {
    private static let count = 64

    private static let flow: JSONValue = [
        "kind": "flow", "id": "tour", "name": "Tour",
        "steps": [
            ["id": "a", "type": "form", "config": ["fields": [["id": "name", "type": "text"]]]],
            ["id": "b", "type": "welcome", "config": ["title": "B"]],
            ["id": "c", "type": "welcome", "config": ["title": "C"]],
        ],
    ]

    private let app: TestApp

    init() throws {
        app = try TestApp()
        try app.publish("tour", Self.flow)
    }

    private func events() throws -> [String] {
        try app.telemetry().filter { $0["category"] == "onboarding" }.compactMap { $0["name"].string }
    }

    @Test func `Of many advances from one step one moves the run on`() throws {
        let started = try app.server.post("\(app.path)/flows/tour/runs", ["client_id": "c"])
        let path = "\(app.path)/runs/\(try #require(started.json["run_id"].string))"
        for (step, next) in [("a", "b"), ("b", "c")] {
            let answers = try together(
                (0..<Self.count).map { [app] number -> @Sendable () throws -> HTTPResponse in
                    let response: JSONValue = step == "a" ? ["name": .string("n\(number)")] : [:]
                    let body: JSONValue = ["step_id": .string(step), "response": response, "action": "next"]
                    return { try app.server.post("\(path)/advance", body) }
                })
            let winners = answers.filter { $0.status == 200 }
            #expect(answers.count == Self.count && winners.count == 1)
            let won = try #require(winners.first).json
            #expect(won["step_id"].string == next)
            for refused in answers where refused.status != 200 {
                #expect(refused.status == 409 && refused.json["errors"][0]["code"] == "wrong_step")
                #expect(refused.json["run"]["step_id"].string == next)
                #expect(refused.json["run"]["responses"] == won["responses"], "the answer that won")
            }
            let run = try app.server.get(path).json
            #expect(run == won)
        }
        #expect(
            try events() == [
                "onboarding_flow_started", "onboarding_step_viewed", "onboarding_step_completed",
                "onboarding_step_viewed", "onboarding_step_completed", "onboarding_step_viewed",
            ])
    }

    /// Each client has an open run, and all send the answer that uses a place of the quota at once.
    @Test func `Of many who take the last places of a quota as many get one as there are`() throws {
        var limited = Self.flow.object ?? [:]
        let when: JSONValue = ["ref": "step.a.name", "op": "exists"]
        limited["offer"] = [
            "surface": "card", "text": "A tour?",
            "pacing": ["quotas": [["name": "named", "when": when, "limit": 5]]],
        ]
        try app.publish("tour", .object(limited))
        let runs = try (0..<32).map { number in
            let started = try app.server.post("\(app.path)/flows/tour/runs", ["client_id": .string("c\(number)")])
            return try #require(started.json["run_id"].string, "\(started.text)")
        }
        let answers = try together(
            runs.map { [app] run -> @Sendable () throws -> HTTPResponse in
                let body: JSONValue = ["step_id": "a", "response": ["name": "Ada"], "action": "next"]
                return { try app.server.post("\(app.path)/runs/\(run)/advance", body) }
            })
        #expect(answers.count { $0.json["step_id"] == "b" } == 5)
        #expect(answers.count { $0.json["outcome"]["reason"] == "screened_out" } == runs.count - 5)
        let results = try app.server.get("\(app.path)/results/tour").json
        #expect(results["quotas"] == [["name": "named", "taken": 5, "limit": 5]])
    }

    @Test func `Of many starts one begins a run`() throws {
        let answers = try together(
            (0..<Self.count).map { [app] _ -> @Sendable () throws -> HTTPResponse in
                { try app.server.post("\(app.path)/flows/tour/runs", ["client_id": "c"]) }
            })
        #expect(answers.count { $0.status == 201 } == 1)
        #expect(answers.count { $0.status == 200 } == Self.count - 1)
        #expect(Set(answers.compactMap { $0.json["run_id"].string }).count == 1)
        #expect(try events() == ["onboarding_flow_started", "onboarding_step_viewed"])
    }
}
