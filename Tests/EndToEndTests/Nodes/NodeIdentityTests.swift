import BellwetherJSON
import Foundation
import PostgresSupport
import TestSupport
import Testing

/// The name of the node that responded, in the log and the metrics (docs/reference/http-api.md#several-nodes).
@Suite struct NodeIdentityTests {
    @Test func `A node is named in the version, the metrics and each line of the log`() throws {
        let nodes = try Nodes(count: 1, settings: "node: {name: berlin-1}")
        #expect(try nodes[0].get("/__version__").json["node"] == "berlin-1")
        let metrics = try PrometheusText(try nodes[0].get("/metrics").text)
        #expect(metrics.values[#"bellwether_node_info{node="berlin-1"}"#] == 1)
        let isCurrent = try eventually {
            try PrometheusText(try nodes[0].get("/metrics").text).values["bellwether_node_current"] == 1
        }
        #expect(isCurrent)
        #expect(abs(metrics.values["bellwether_node_clock_difference_seconds"] ?? 9) < 1)
        let lines = nodes[0].logText.split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("node=berlin-1") }, "\(nodes[0].logText)")
    }

    @Test func `Without a setting a node has the machine's name and an id of its own`() throws {
        let nodes = try Nodes(count: 2)
        let names = try (0..<2).map { try nodes[$0].get("/__version__").json["node"].string ?? "" }
        #expect(Set(names).count == 2)
        let host = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init) ?? ""
        for name in names { #expect(name.hasPrefix(host.prefix(50)) && name.wholeMatch(of: /.+-[0-9a-f]{6}/) != nil) }
    }

    @Test func `A password in the address of the database is in no log and no answer`() throws {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema() + "&password=geheim-7421"
        let nodes = try Nodes(count: 1, uri: uri)
        _ = try nodes.makeApp()
        for path in ["/metrics", "/__heartbeat__", "/__version__", "/"] {
            #expect(try !nodes[0].get(path).text.contains("geheim-7421"))
        }
        #expect(!nodes[0].logText.contains("geheim-7421") && nodes[0].logText.contains("postgresql://"))
        let refused = try Command.bellwether("serve", "--port", "0", "--store", uri + "&sslmode=nonsense")
        #expect(refused.status == 1 && !(refused.errors + refused.output).contains("geheim-7421"))
    }

    /// A preview's address contains what it shows, and the installation signs it.
    @Test func `A preview that one node has made opens on any`() throws {
        let nodes = try Nodes()
        let app = try nodes.makeApp()
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "How was it?"]]],
        ]
        let path = "\(app)/recipes/q"
        let stored = try Nodes.patiently {
            try nodes[0].put(path + "?state=draft", recipe, headers: Nodes.headers)
        }
        #expect(stored.status == 201, "\(stored.text)")
        let made = try Nodes.patiently { try nodes[1].post(path + "/preview", [:], headers: Nodes.headers) }
        let url = try #require(made.json["url"].string)
        for node in 0..<3 {
            let page = try Nodes.patiently { try nodes[node].get(url) }
            #expect(page.status == 200 && page.text.contains("How was it?"), "node \(node): \(page.status)")
        }
    }
}
