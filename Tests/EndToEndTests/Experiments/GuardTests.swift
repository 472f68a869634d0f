import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Guards of the real program: a goal that gets worse pauses its recipe (docs/reference/goals.md#guards).
@Suite struct GuardTests {
    private let folder: TemporaryDirectory
    private let receiver: WebhookReceiver

    init() throws {
        folder = try TemporaryDirectory()
        receiver = try WebhookReceiver { _ in .status(204) }
    }

    private func app() throws -> TestApp {
        let config = try folder.write("webhooks: {allow_networks: [127.0.0.0/8]}\n", to: "c.yaml")
        let app = try TestApp(on: Daemon(["--dev", "--config", config], data: folder))
        try app.publish("e", experiment)
        return app
    }

    private var experiment: JSONValue {
        Sample.experiment(
            "e", Sample.branches,
            [
                "goals": [
                    ["name": "annoyed", "event": ["message": "dismissed"], "counts": "converted", "direction": "down"]
                ],
                "guards": [["goal": "annoyed", "worse_by": 0.1]],
                "notify": ["url": .string(receiver.url)],
            ])
    }

    /// Enrolls and exposes clients, and returns them by the message of their branch.
    private func expose(_ count: Int, _ prefix: String, in app: TestApp) throws -> [String: [String]] {
        var clients: [String: [String]] = [:]
        for number in 0..<count {
            let client = "\(prefix)\(number)"
            guard let key = try app.keys(client).first else { throw Failure("\(client) sees no message") }
            try app.record(client, Event.message("displayed", key))
            clients[key, default: []].append(client)
        }
        return clients
    }

    private func dismiss(_ clients: [String]?, _ key: String, in app: TestApp) throws {
        for client in clients ?? [] { try app.record(client, Event.message("dismissed", key)) }
    }

    private func recipe(_ app: TestApp) throws -> JSONValue {
        try app.server.get("\(app.path)/recipes").json["recipes"][0]
    }

    @Test func `A guard that fires pauses its recipe, and an owner resumes it`() throws {
        let app = try app()
        let clients = try expose(260, "c", in: app)
        try dismiss(clients["old"].map { Array($0.prefix(10)) }, "old", in: app)
        #expect(try recipe(app)["state"] == "live")
        try dismiss(clients["new"].map { Array($0.prefix(60)) }, "new", in: app)
        let isPaused = try eventually { try recipe(app)["state"] == "paused" }
        #expect(isPaused)

        let paused = try recipe(app)
        #expect(paused["paused_by"]["goal"] == "annoyed" && paused["paused_by"]["branch"] == "treatment")
        #expect(paused["not_served"]["reason"] == "paused_by_guard")
        #expect(paused["not_served"]["guard"] == ["goal": "annoyed", "branch": "treatment"])
        #expect(try app.keys("later") == [])
        let explained = try app.server.post("\(app.path)/explain", ["surface": "card"]).json
        #expect(explained["not_served"][0]["reason"] == "paused_by_guard")

        let guarding = try app.server.get("\(app.path)/results/e").json["goals"]["guards"][0]
        #expect(guarding["state"] == "fired" && guarding["fired"]["branch"] == "treatment")
        #expect(guarding["fired"]["interval"]["low"].double ?? 0 > 0.1)
        let audit = try app.server.get("/v1/audit?limit=10000").lines
        let entry = try #require(audit.first { $0["by"] == "guard" && $0["app"] == .string(app.name) })
        #expect(entry["action"] == "state" && entry["kind"] == "recipe" && entry["state"] == "paused")
        #expect(entry["guard"]["goal"] == "annoyed" && entry["guard"]["worse_by"] == 0.1)
        let problems = try app.server.get("\(app.path)/activity").json["problems"].array ?? []
        // The activity is that of the node that judged.
        #expect(Daemon.isSeveral || problems.contains { $0["code"] == "guard" && $0["slug"] == "e" })
        let isTold = eventually { !receiver.requests.isEmpty }
        #expect(isTold)
        let notice = try JSONValue(parsing: Array(#require(receiver.requests.first).body))
        #expect(notice["type"] == "guard" && notice["recipe"] == "e" && notice["verdict"] == "worse")

        let resumed = try app.server.post("\(app.path)/recipes/e/state", ["state": "live"])
        #expect(resumed.status == 200, "\(resumed.text)")
        #expect(try app.server.get("\(app.path)/results/e").json["goals"]["guards"][0]["state"] == "off")
        try dismiss(clients["new"].map { Array($0.dropFirst(60)) }, "new", in: app)
        let later = try recipe(app)
        #expect(later["state"] == "live" && later["paused_by"] == .null)
    }

    /// The daemon is killed after the counts are durable, before it has judged them.
    @Test func `A restarted daemon judges what was counted before`() throws {
        let app = try app()
        let clients = try expose(260, "c", in: app)
        try dismiss(clients["old"].map { Array($0.prefix(10)) }, "old", in: app)
        var unguarded = experiment.object ?? [:]
        unguarded["guards"] = nil
        try app.publish("e", .object(unguarded))
        try dismiss(clients["new"].map { Array($0.prefix(60)) }, "new", in: app)
        try app.publish("e", experiment)
        let restarted = try app.restarted()
        let isPaused = try eventually { try recipe(restarted)["state"] == "paused" }
        #expect(isPaused)
    }

    /// A stage waits until the guards have enough data to hold (docs/reference/experiments.md#stages).
    @Test func `A stage goes when the guards hold, without an owner`() throws {
        let app = try app()
        var staged = experiment.object ?? [:]
        staged["bucketConfig"] = [
            "randomizationUnit": "nimbus_id", "namespace": "n-e", "start": 0, "count": 9_900, "total": 10_000,
        ]
        staged["stages"] = [["count": 10_000, "guards": true]]
        try app.publish("e", .object(staged))
        var clients: [String: [String]] = [:]
        for number in 0..<320 {
            guard let key = try app.keys("c\(number)").first else { continue }
            try app.record("c\(number)", Event.message("displayed", key))
            clients[key, default: []].append("c\(number)")
        }
        #expect(try recipe(app)["revision"] == 2, "too little data")
        for key in ["old", "new"] { try dismiss(clients[key].map { Array($0.prefix(20)) }, key, in: app) }
        let isThere = try eventually { try recipe(app)["revision"] == 3 }
        #expect(isThere)
        let document = try app.server.get("\(app.path)/recipes/e").json
        #expect(document["bucketConfig"]["count"] == 10_000 && document["stages"] == staged["stages"])
        let audit = try app.server.get("/v1/audit?limit=10000").lines
        let entry = try #require(audit.last { $0["app"] == .string(app.name) && $0["name"] == "e" })
        #expect(entry["by"] == "daemon" && entry["action"] == "change" && entry["in_force"] == 3)
        let periods = try app.server.get("\(app.path)/results/e").json["goals"]["periods"]
        #expect(periods == 2, "the smaller share began one, and the stage none")
    }
}
