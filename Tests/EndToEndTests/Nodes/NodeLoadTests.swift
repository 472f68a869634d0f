import BellwetherJSON
import Foundation
import PostgresSupport
import PostgresWire
import TestSupport
import Testing

/// Many simultaneous requests to several nodes.
@Suite struct NodeLoadTests {
    private static let headers = Nodes.headers
    private static let limit = 100

    private static let survey: JSONValue = [
        "kind": "questionnaire", "name": "Q",
        "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]],
        "offer": [
            "surface": "card", "text": "?",
            "pacing": ["quotas": [["name": "all", "when": true, "limit": .integer(Int64(limit))]]],
        ],
    ]

    /// Every submission changes the same tally: no response reports overload, and the quota accepts exactly its limit.
    @Test func `Four nodes that submit to one survey refuse nobody and keep its quota`() throws {
        let nodes = try Nodes(count: 4)
        let app = try nodes.makeApp()
        let stored = try Nodes.patiently {
            try nodes[0].put("\(app)/recipes/q", Self.survey, headers: Self.headers)
        }
        #expect(stored.status == 201, "\(stored.text)")
        try nodes.catchUp()
        let answers = try together(
            (0..<24).map { worker -> @Sendable () throws -> [HTTPResponse] in
                {
                    try (0..<12).map { number in
                        let body: JSONValue = [
                            "client_id": .string("c\(worker)-\(number)"), "answers": ["q1": "x"], "is_complete": true,
                        ]
                        return try nodes[worker].post(
                            "\(app)/questionnaires/q/responses", body, headers: Self.headers)
                    }
                }
            }
        ).flatMap(\.self)
        #expect(answers.allSatisfy { $0.status < 500 }, "\(Set(answers.map(\.status)))")
        #expect(answers.count { $0.json["status"] == "new" } == Self.limit)
        let listed = try nodes[1].get(
            "\(app)/questionnaires/q/responses?status=new&limit=100", headers: Self.headers)
        #expect(listed.json["items"].array?.count == Self.limit)
    }

    /// A pool that gives each transaction another connection to the server, and delivers no notifications.
    @Test func `Nodes work through pgbouncer in transaction mode`() throws {
        let pooler = try ConnectionPooler(before: PostgresServer.shared.get())
        let nodes = try Nodes(count: 2, uri: pooler.emptyDatabase())
        let app = try nodes.makeApp()
        let capped: JSONValue = [
            "styles": ["ONCE": ["priority": 90, "max-display-count": 1]],
            "messages": ["m": ["surface": "card", "style": "ONCE", "text": "t"]],
        ]
        let stored = try Nodes.patiently { try nodes[0].put("\(app)/recipes/e", capped, headers: Self.headers) }
        #expect(stored.status == 201, "\(stored.text)")
        let isPublished = try nodes.areAll { try nodes.keys(app, "nobody", on: $0) == ["m"] }
        #expect(isPublished)
        for round in 0..<10 {
            let client = "c\(round)"
            #expect(try nodes.keys(app, client, on: round) == ["m"])
            let events: JSONValue = ["client_id": .string(client), "events": [Event.message("displayed", "m")]]
            let told = try nodes[round].post("\(app)/events", events, headers: Self.headers)
            #expect(told.status == 200 && told.json["accepted"] == 1, "\(told.text)")
            let keys = try nodes.keys(app, client, on: round + 1)
            #expect(keys == [], "round \(round)")
        }
    }
}

/// A node that can read clients, but not the changes of others.
@Suite struct NodeFreshnessTests {
    private static let headers = Nodes.headers

    /// The test locks the table of heads: reads of it get no response, and all other queries do.
    @Test func `A node that has not read the heads for a second serves what cannot have been revoked`() throws {
        let uri = try PostgresServer.shared.get().emptySchema()
        let nodes = try Nodes(count: 1, uri: uri)
        let (node, app) = (nodes[0], try nodes.makeApp())
        let made = try Nodes.patiently {
            try node.post("/v1/tokens", ["name": "t", "scope": "client", "app": "*"], headers: Self.headers)
        }
        let issued = GuardedDaemon.bearer(try #require(made.json["token"].string))
        let poll = "\(app)/messages?client_id=c&surface=card"
        let recipe: JSONValue = ["messages": ["m": ["surface": "card", "text": "t"]]]
        let lock = try PostgresConnection(PostgresAddress(uri))
        _ = try lock.run(
            [PostgresStatement("BEGIN"), PostgresStatement("LOCK TABLE head IN ACCESS EXCLUSIVE MODE")], seconds: 10)
        let isBehind = try eventually { try node.get("/__heartbeat__").status == 503 }
        #expect(isBehind)
        #expect(try node.get("/__heartbeat__").json["reasons"]["changes"][0].string?.contains("second") == true)
        // A client's token may have been revoked too. A token of the settings was not, and the client's row is
        // verified.
        #expect(try node.get(poll, headers: issued).status == 503)
        #expect(try node.put("\(app)/recipes/e", recipe, headers: Self.headers).status == 503)
        let events: JSONValue = ["client_id": "c", "events": [Event.behavior("visit")]]
        #expect(try node.post("\(app)/events", events, headers: Self.headers).status == 200)
        #expect(try node.get(poll, headers: Self.headers).status == 200)
        let metrics = try PrometheusText(try node.get("/metrics").text)
        #expect(metrics.values["bellwether_node_current"] == 0)
        _ = try lock.run([PostgresStatement("ROLLBACK")], seconds: 10)
        let isBack = try eventually { try node.get(poll, headers: issued).status == 200 }
        #expect(isBack)
    }
}
