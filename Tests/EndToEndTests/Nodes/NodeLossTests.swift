import BellwetherJSON
import Foundation
import PostgresSupport
import PostgresWire
import TestSupport
import Testing

/// When a node is killed, another one continues its jobs for all (docs/reference/http-api.md#several-nodes).
@Suite struct NodeLossTests {
    private static let headers = Nodes.headers

    /// The receiver is silent. The first node is killed while the webhook is under way. The lease ends by the
    /// database's clock, which the test moves forward.
    @Test func `A webhook that a killed node was sending is sent by another`() throws {
        let receiver = try WebhookReceiver { number in number == 0 ? .silence : .status(200) }
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema() + "%2Cpg_catalog"
        let nodes = try Nodes(count: 2, uri: uri, settings: "webhooks: {allow_networks: [127.0.0.0/8]}")
        let app = try nodes.makeApp()
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q", "notify": ["url": .string(receiver.url)],
            "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]],
        ]
        let stored = try Nodes.patiently { try nodes[0].put("\(app)/recipes/q", recipe, headers: Self.headers) }
        #expect(stored.status == 201, "\(stored.text)")
        try nodes.catchUp()
        let answer = { (client: String, node: Int) in
            try nodes[node].post(
                "\(app)/questionnaires/q/responses",
                ["client_id": .string(client), "answers": ["q1": "x"], "is_complete": true], headers: Self.headers)
        }
        #expect(try answer("one", 0).status == 201)
        #expect(eventually { receiver.requests.count == 1 })
        try nodes[0].kill()
        try server.run(
            """
            CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
            $$ SELECT pg_catalog.clock_timestamp() + interval '150 s' $$
            """, at: uri)
        let isAhead = try eventually { try nodes[1].get("/__heartbeat__").json["checks"]["clock"] == "error" }
        #expect(isAhead)
        // The node's own webhook makes it read the outbox, where it also finds the other one.
        #expect(try answer("two", 1).status == 201)
        #expect(eventually { receiver.requests.count >= 3 })
        let ids = receiver.requests.compactMap { $0.headers["webhook-id"] }
        #expect(ids.count { $0 == ids[0] } == 2 && Set(ids).count == 2)
    }

    /// The state that a node leaves if it is killed while it ends a recipe.
    @Test func `A job whose node was killed within it passes on when the lease ends`() throws {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema() + "%2Cpg_catalog"
        let nodes = try Nodes(count: 2, uri: uri)
        let app = try nodes.makeApp()
        let day: Double = 86_400
        let end = Date().addingTimeInterval(day).formatted(.iso8601.year().month().day())
        let recipe = NimbusRecipe.experiment("e", ["t": [:]], ["endDate": .string(end)])
        let stored = try Nodes.patiently { try nodes[0].put("\(app)/recipes/e", recipe, headers: Self.headers) }
        #expect(stored.status == 201, "\(stored.text)")
        try nodes.catchUp()
        let until = Int64((Date().timeIntervalSince1970 + 3 * day + 5) * 1000)
        try server.run(
            """
            INSERT INTO small (kind, app, name, version, body) VALUES
            ('lease', '', 'catalog.dates', 1, convert_to('{"holder": "dead", "until": \(until)}', 'UTF8'))
            ON CONFLICT (kind, app, name) DO UPDATE SET body = excluded.body, version = small.version + 1
            """, at: uri)
        try nodes[0].kill()
        try server.run(
            """
            CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
            $$ SELECT pg_catalog.clock_timestamp() + interval '3 days' $$
            """, at: uri)
        let state = { try nodes[1].get("\(app)/recipes", headers: Self.headers).json["recipes"][0]["state"] }
        let isAhead = try eventually { try nodes[1].get("/__heartbeat__").json["checks"]["clock"] == "error" }
        #expect(isAhead)
        let now = {
            try server.run("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8", at: uri)[0].integer(0)
        }
        // On a slow machine the lease may have ended already.
        let seen = try state()
        let time = try now()
        #expect(seen == "live" || time >= until)
        let hasEnded = try eventually { try state() == "ended" }
        #expect(hasEnded)
        #expect(try now() >= until)
    }
}
