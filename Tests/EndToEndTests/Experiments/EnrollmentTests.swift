import BellwetherJSON
import TestSupport
import Testing

/// Polls enroll clients in experiments and rollouts (docs/reference/experiments.md#evolution).
@Suite struct EnrollmentTests {
    private static let rollout: KeyValuePairs<String, JSONValue> = [
        "everyone": Sample.message("banner", ["surface": "notification", "experiment": "{experiment}"])
    ]

    private func app() throws -> TestApp {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e"))
        try app.publish("r", Sample.experiment("r", Self.rollout, ["isRollout": true]))
        return app
    }

    @Test func `Each client is in one branch, sees its message, and is told of once`() throws {
        let app = try app()
        let clients = (0..<60).map { "client-\($0)" }
        var branches: [String: String] = [:]
        for client in clients {
            let messages = try app.poll(client).json["messages"]
            #expect(messages.array?.count == 2)
            let card = messages.array?.first { $0["surface"] == "card" } ?? .null
            #expect(card["experiment"] == "e")
            #expect(card["key"] == (card["branch"] == "control" ? "old" : "new"))
            branches[client] = card["branch"].string
            let banner = messages.array?.first { $0["surface"] == "notification" } ?? .null
            #expect(banner["key"] == "banner" && banner["experiment"] == "r" && banner["branch"] == "everyone")
        }
        #expect(Set(branches.values) == ["control", "treatment"])
        // Repeated polls, on other workers, return the same and record nothing more.
        for client in clients {
            let cards = try app.poll(client, "&surface=card").json["messages"]
            #expect(cards.array?.map { $0["branch"].string } == [branches[client]])
        }
        let records = try app.telemetry()
        #expect(records.count == 2 * clients.count)
        for client in clients {
            let own = records.filter { $0["client_id"] == .string(client) }
            // Rollouts come first.
            #expect(
                own.map { $0["extra"] } == [
                    ["experiment": "r", "branch": "everyone"],
                    ["experiment": "e", "branch": .string(branches[client] ?? "")],
                ])
            #expect(own.allSatisfy { $0["category"] == "nimbus_events" && $0["name"] == "enrollment" })
            #expect(own.map { $0["experiment"] } == ["r", "e"])
            #expect(own.map { $0["branch"] } == ["everyone", .string(branches[client] ?? "")])
        }
    }

    @Test func `Who is in no bucket is not enrolled, and leaves no trace`() throws {
        let app = try TestApp()
        let half = ["bucketConfig": Sample.buckets("ios-microsurvey-homepage", count: 5000)] as JSONObject
        try app.publish("e", Sample.experiment("e", Sample.treatment, half))
        // The hash of each id decides (docs/reference/experiments.md#bucketing).
        let (inside, outside) = (
            "299eed1e-be6d-457d-9e53-da7b1a03f10d", "4a1d71ab-29a2-4c5f-9e1d-9d9df2e6e449"
        )
        #expect(try app.keys(inside) == ["new"])
        #expect(try app.keys(outside) == [])
        #expect(try app.telemetry().map { $0["client_id"] } == [.string(inside)])
    }

    @Test func `All surfaces, methods and workers agree while a client is enrolled`() throws {
        let app = try app()
        let connections = try (0..<8).map { _ in try app.server.connect() }
        for connection in connections { try connection.send("GET", "\(app.path)/messages?client_id=c&surface=card") }
        let branches = try connections.map { try $0.receive().json["messages"][0]["branch"] }
        #expect(Set(branches.compactMap(\.string)).count == 1)
        let posted = try app.server.post("\(app.path)/messages", ["client_id": "c", "surfaces": ["card"]])
        #expect(posted.json["messages"][0]["branch"] == branches[0])
        #expect(try app.enrollmentEvents().count == 2, "eight polls at once enroll once")
    }

    @Test func `An event sent along with the poll can be what enrolls`() throws {
        let app = try TestApp()
        let targeting: JSONObject = ["targeting": "'visit'|eventSum('Years', 4, 0) >= 1"]
        try app.publish("e", Sample.experiment("e", Sample.treatment, targeting))
        #expect(try app.keys() == [])
        let answer = try app.server.post(
            "\(app.path)/messages", ["client_id": "c", "events": [Event.behavior("visit")]])
        #expect(answer.json["messages"].strings("key") == ["new"])
        #expect(try app.enrollmentEvents() == ["enrollment experiment=e branch=treatment"])
    }

    @Test func `A second recipe that wants the same feature fails to enroll, and that is told once`() throws {
        let app = try TestApp()
        func recipe(_ slug: String, _ month: Int) -> JSONValue {
            let branch: JSONValue = [
                "slug": "b", "ratio": 1, "features": [["featureId": "homepage", "value": ["on": true]]],
            ]
            return Sample.experiment(
                slug, [:], ["branches": [branch], "publishedDate": .string("2025-0\(month)-01T00:00:00Z")])
        }
        try app.publish("late", recipe("late", 5))
        try app.publish("early", recipe("early", 2))
        for _ in 0..<3 { _ = try app.poll() }
        #expect(
            try app.enrollmentEvents() == [
                "enrollment experiment=early branch=b",
                "enroll_failed experiment=late reason=feature-conflict branch=N/A",
            ])
        try app.delete("early")
        _ = try app.poll()
        #expect(
            try app.enrollmentEvents().suffix(2) == [
                "unenrollment experiment=early branch=b", "enrollment experiment=late branch=b",
            ])
    }
}
