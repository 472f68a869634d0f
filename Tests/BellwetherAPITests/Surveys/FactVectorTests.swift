import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

/// The vectors of facts over HTTP (docs/reference/audiences.md#answers).
@Suite struct FactVectorTests {
    private static func cases(_ group: String) throws -> [JSONValue] {
        try VectorFile.read("audiences")["cases"].array?.filter { $0["group"].string == group } ?? []
    }

    @Test func `Each client has the answer of its vector`() async throws {
        let cases = try Self.cases("answers")
        #expect(cases.count >= 6)
        for document in cases {
            let world = try await FactWorld(nodes: 2, facts: document["facts"])
            for (index, step) in (document["steps"].array ?? []).enumerated() {
                world.pass(milliseconds: 1000)
                try world.perform(step, index, at: index % 2)
            }
            for (client, wanted) in document["want"].object ?? [:] {
                for node in 0..<2 {
                    let found = try world.fact(of: client, at: node)
                    #expect(found.double == wanted.double, "\(document["id"].text) \(client) \(found.text)")
                }
            }
        }
    }

    @Test func `Each questionnaire has the faults of its vector`() async throws {
        let cases = try Self.cases("faults").filter { $0["what"] == "questionnaire" }
        #expect(cases.count >= 3)
        let world = try await FactWorld()
        for document in cases {
            let path = "\(FactWorld.path)/recipes/validate?slug=q"
            let answer = try world.nodes[0].send(.post, path, body: document["document"])
            let faults = answer.json["errors"].array ?? []
            let found = faults.map { "\($0["pointer"].text) \($0["code"].text)" }.sorted()
            let wanted = (document["want"].array ?? []).map { "\($0[0].text) \($0[1].text)" }
            #expect(found == wanted.sorted(), "\(document["id"].text) \(answer.json.text)")
        }
    }
}
