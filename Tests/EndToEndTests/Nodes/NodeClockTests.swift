import BellwetherJSON
import Foundation
import PostgresSupport
import PostgresWire
import TestSupport
import Testing

/// A machine whose clock differs from the database's: the test changes the database's time
/// (docs/reference/http-api.md#several-nodes).
@Suite struct NodeClockTests {
    /// A database whose clock the test sets: the test's own function precedes PostgreSQL's.
    private struct SkewedDatabase {
        let server: PostgresServer
        let uri: String

        init() throws {
            server = try PostgresServer.shared.get()
            uri = try server.emptySchema() + "%2Cpg_catalog"
        }

        func set(_ seconds: Double) throws {
            try server.run(
                """
                CREATE OR REPLACE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
                $$ SELECT pg_catalog.clock_timestamp() + interval '\(seconds) s' $$
                """, at: uri)
        }
    }

    @Test func `A clock that is off is told in the log, and makes a node not ready beyond 5 s`() throws {
        let database = try SkewedDatabase()
        let nodes = try Nodes(count: 1, uri: database.uri)
        let node = nodes[0]
        let isRight = try eventually { try node.get("/__heartbeat__").json["checks"]["clock"] == "ok" }
        #expect(isRight)
        try database.set(2.5)
        // The first measurement may be half a slow answer off.
        let sentence = /warning.*this machine's clock is [23]\.\d s behind the database's/
        #expect(eventually { node.logText.contains(sentence) })
        let isMeasured = try eventually {
            let metrics = try PrometheusText(try node.get("/metrics").text)
            let seconds = metrics.values["bellwether_node_clock_difference_seconds"] ?? 0
            return (2.4...2.6).contains(abs(seconds))
        }
        #expect(isMeasured)
        let isReadyStill = try eventually { try node.get("/__heartbeat__").status == 200 }
        #expect(isReadyStill)

        try database.set(-7)
        let isNotReady = try eventually { try node.get("/__heartbeat__").json["checks"]["clock"] == "error" }
        #expect(isNotReady)
        let heartbeat = try node.get("/__heartbeat__")
        let reason = heartbeat.json["reasons"]["clock"][0].string ?? ""
        #expect(heartbeat.status == 503)
        #expect(reason.wholeMatch(of: /this machine's clock is [67]\.\d s ahead of the database's; .*/) != nil)
        #expect(reason.hasSuffix("a node whose clock is more than 5 s off is not ready"), "\(reason)")
        #expect(eventually { node.logText.contains(/error.*ahead of the database's/) })

        try database.set(0)
        let isReady = try eventually { try node.get("/__heartbeat__").status == 200 }
        #expect(isReady)
        #expect(eventually { node.logText.contains("within 1 s of the database's again") })
    }

    /// Times of receipt, leases and dates use the database's clock.
    @Test func `Records are received at the database's time`() throws {
        let database = try SkewedDatabase()
        let nodes = try Nodes(count: 1, uri: database.uri)
        try database.set(-3)
        #expect(eventually { nodes[0].logText.contains("ahead of the database's") })
        let app = try nodes.makeApp()
        try nodes.catchUp()
        let events: JSONValue = ["client_id": "c", "events": [Event.behavior("visit", ["id": "e"])]]
        let before = Int64(Date().timeIntervalSince1970 * 1000)
        let told = try nodes[0].post("\(app)/events", events, headers: Nodes.headers)
        #expect(told.status == 200, "\(told.text)")
        let received = try database.server.run("SELECT at FROM event_id", at: database.uri)
        #expect(received.count == 1 && received[0].integer(0) < before - 1000)
    }
}
