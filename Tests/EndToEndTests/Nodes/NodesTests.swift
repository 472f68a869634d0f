import BellwetherJSON
import Foundation
import PostgresSupport
import TestSupport
import Testing

/// Three daemons over one PostgreSQL database (docs/reference/http-api.md#several-nodes).
@Suite struct NodesTests {
    private static let headers = Nodes.headers
    private static let capped: JSONValue = [
        "styles": ["ONCE": ["priority": 90, "max-display-count": 1]],
        "messages": ["m": ["surface": "card", "style": "ONCE", "text": "t"]],
    ]
    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Q",
        "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]],
        "offer": [
            "surface": "card", "text": "?", "pacing": ["quotas": [["name": "all", "when": true, "limit": 1]]],
        ],
    ]

    private static func ok(_ request: @autoclosure () throws -> HTTPResponse, _ status: Int = 200) throws {
        let answer = try Nodes.patiently(request)
        guard answer.status == status else { throw Failure("\(answer.status): \(answer.text)") }
    }

    /// A poll goes to any node, and a display to another one: no node ever offers the message beyond the cap.
    @Test func `No node offers a message past a cap that a client has reached at another one`() throws {
        let nodes = try Nodes()
        let app = try nodes.makeApp()
        try Self.ok(nodes[0].put("\(app)/recipes/e", Self.capped, headers: Self.headers), 201)
        let isPublished = try nodes.areAll { try nodes.keys(app, "nobody", on: $0) == ["m"] }
        #expect(isPublished)
        for round in 0..<12 {
            let client = "c\(round)"
            for node in 0..<3 { #expect(try nodes.keys(app, client, on: node) == ["m"]) }
            let events: JSONValue = ["client_id": .string(client), "events": [Event.message("displayed", "m")]]
            try Self.ok(nodes[round].post("\(app)/events", events, headers: Self.headers))
            for node in 0..<3 { #expect(try nodes.keys(app, client, on: node) == [], "round \(round), node \(node)") }
        }
    }

    /// Each write goes to one node and the read after it to another one, without a wait.
    @Test func `An owner reads on any node what was just written on another`() throws {
        let nodes = try Nodes()
        let app = try nodes.makeApp()
        for round in 0..<12 {
            let (path, other) = ("\(app)/recipes/q\(round)", (round + 1) % 3)
            try Self.ok(nodes[round].put(path, Self.questionnaire, headers: Self.headers), 201)
            let read = try Nodes.patiently { try nodes[other].get(path, headers: Self.headers) }
            #expect(read.status == 200, "round \(round): \(read.text)")
            try Self.ok(nodes[other].post(path + "/state", ["state": "paused"], headers: Self.headers), 200)
            let answer = try Nodes.patiently { try nodes[round + 2].get("\(app)/recipes", headers: Self.headers) }
            let list = answer.json["recipes"].array ?? []
            #expect(list.count == round + 1 && list.allSatisfy { $0["state"] == "paused" })
        }
    }

    @Test func `A publish, a full quota, a record and a revoked token are known to all nodes`() throws {
        let nodes = try Nodes()
        let app = try nodes.makeApp()
        try Self.ok(nodes[1].put("\(app)/recipes/q", Self.questionnaire, headers: Self.headers), 201)
        let isPublished = try nodes.areAll { try nodes.keys(app, "c", on: $0)?.count == 1 }
        #expect(isPublished)

        let answers: JSONValue = ["client_id": "other", "answers": ["q1": "x"], "is_complete": true]
        try Self.ok(
            nodes[2].post("\(app)/questionnaires/q/responses", answers, headers: Self.headers), 201)
        let isFull = try nodes.areAll { try nodes.keys(app, "c", on: $0) == [] }
        #expect(isFull)

        for node in 0..<3 {
            let answer = try Nodes.patiently {
                try nodes[node].get("\(app)/telemetry?limit=100", headers: Self.headers)
            }
            #expect(answer.status == 200 && !answer.lines.isEmpty)
        }

        let body: JSONValue = ["name": "t", "scope": "owner", "app": "*"]
        let made = try Nodes.patiently { try nodes[0].post("/v1/tokens", body, headers: Self.headers) }
        let token = try #require(made.json["token"].string)
        let status = { (node: Int) in
            try nodes[node].get("\(app)/recipes", headers: GuardedDaemon.bearer(token)).status
        }
        let isKnown = try nodes.areAll { try status($0) == 200 }
        #expect(isKnown)
        try Self.ok(nodes[1].send("DELETE", "/v1/tokens/t", headers: Self.headers), 204)
        let isRevoked = try nodes.areAll { try status($0) == 401 }
        #expect(isRevoked)
    }

    /// Sends the same events to all nodes at once, repeatedly.
    @Test func `An event that comes to all nodes at once is counted once`() async throws {
        let nodes = try Nodes()
        let app = try nodes.makeApp()
        let isKnown = try nodes.areAll { try nodes.keys(app, "c", on: $0) == [] }
        #expect(isKnown)
        let accepted = try await withThrowingTaskGroup(of: Int64.self) { group in
            for node in 0..<3 {
                group.addTask {
                    var accepted: Int64 = 0
                    for number in 0..<40 {
                        let event = Event.behavior("visit", ["id": .string("event-\(number)")])
                        let body: JSONValue = ["client_id": .string("c\(number % 5)"), "events": [event]]
                        let answer = try Nodes.patiently {
                            try nodes[node].post("\(app)/events", body, headers: Self.headers)
                        }
                        accepted += answer.json["accepted"].integer ?? 0
                    }
                    return accepted
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(accepted == 40)
    }

    /// PostgreSQL stops at once, as by a crash, and is started again.
    @Test func `A node that cannot read the heads refuses issued tokens and owners' writes, and says why`() throws {
        let server = try PostgresServer()
        let nodes = try Nodes(count: 1, uri: server.emptySchema())
        let app = try nodes.makeApp()
        let body: JSONValue = ["name": "t", "scope": "client", "app": "*"]
        let made = try Nodes.patiently { try nodes[0].post("/v1/tokens", body, headers: Self.headers) }
        let token = try #require(made.json["token"].string)
        let issued = GuardedDaemon.bearer(token)
        let poll = "\(app)/messages?client_id=c&surface=card"
        try Self.ok(nodes[0].get(poll, headers: issued))
        server.crash()
        let isBehind = try eventually { try nodes[0].get("/__heartbeat__").json["checks"]["changes"] == "error" }
        #expect(isBehind)
        let heartbeat = try nodes[0].get("/__heartbeat__")
        #expect(heartbeat.status == 503)
        #expect(
            heartbeat.json["reasons"]["changes"][0]
                == "for more than a second this node has not read what others have changed")
        #expect(try nodes[0].get(poll, headers: issued).status == 503)
        #expect(try nodes[0].get(poll, headers: GuardedDaemon.bearer("nobody's")).status == 503)
        #expect(try nodes[0].put("\(app)/recipes/e", Self.capped, headers: Self.headers).status == 503)
        // A token of the settings is known, and can read what is in memory.
        try Self.ok(nodes[0].get("\(app)/manifest", headers: Self.headers))
        try server.restart()
        let isBack = try eventually { try nodes[0].get("/__heartbeat__").status == 200 }
        #expect(isBack)
        try Self.ok(nodes[0].get(poll, headers: issued))
        try Self.ok(nodes[0].put("\(app)/recipes/e", Self.capped, headers: Self.headers), 201)
    }

    @Test func `A folder beside PostgreSQL is pushed under --dev, and a node that joins serves it`() throws {
        let uri = try PostgresServer.shared.get().emptySchema()
        let folder = try TemporaryDirectory()
        try folder.write(TestApp.manifest.encoded, to: "apps/app/manifest.json")
        try folder.write(Self.capped.encoded, to: "recipes/app/e.json")
        let arguments = ["--dev", "--store", uri]
        let first = try Daemon(arguments + ["--apps", folder.path + "/apps", "--recipes", folder.path + "/recipes"])
        let second = try Daemon(arguments + ["--apps", "", "--recipes", ""])
        for node in [first, second] {
            let answer = try node.get("/v1/apps/app/messages?client_id=c&surface=card")
            #expect(answer.json["messages"].strings("key") == ["m"], "\(answer.text)")
        }
        // No data was stored outside of the database.
        #expect(!FileManager.default.fileExists(atPath: first.data.path + "/data"))
        let verdict = try Command.bellwether("audit", "verify", "--store", uri)
        #expect(verdict.status == 0 && verdict.output.contains("whole"), "\(verdict.errors)")
    }
}
