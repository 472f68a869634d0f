import BellwetherJSON
import BellwetherService
import Foundation
import SQLiteStore
import TestSupport
import Testing

/// A daemon recounts the places in quotas at its start, and reports what it has corrected
/// (docs/reliability.md#recounts).
@Suite struct WrongCountTests {
    private let app: TestApp

    init() throws {
        app = try TestApp(on: Daemon())
        try app.publish(
            "q",
            [
                "kind": "questionnaire", "name": "Q",
                "schema": ["version": 1, "questions": [["id": "t", "type": "text", "title": "?"]]],
                "offer": [
                    "surface": "card", "text": "A minute?",
                    "pacing": ["quotas": [["name": "all", "when": true, "limit": 9]]],
                ],
            ])
    }

    private func save(_ client: String, at app: TestApp) throws {
        let saved = try app.server.post(
            "\(app.path)/questionnaires/q/responses",
            ["client_id": .string(client), "answers": ["t": "words"], "is_complete": true])
        #expect(saved.json["status"] == "new", "\(saved.text)")
    }

    /// Stores a count of places that no response has.
    private func falsify(_ directory: String) throws {
        let store = try SQLiteStore(directory: directory)
        defer { store.close() }
        let name = RowName.tally(app: Identifier(app.name), key: "q")
        let row = try store.read(RowQuery(names: [name])).rows.first?.get()
        guard let row, case .tally(var tally) = row.value else { throw Failure("nothing is counted") }
        tally.slots["all"] = 9
        _ = try store.write([WriteGroup([RowWrite(name: name, expected: row.version, value: .tally(tally))])])
    }

    @Test func `A quota that is full of places that nobody has is open again after a start`() throws {
        try save("first", at: app)
        app.server.signal(SIGTERM)
        #expect(try app.server.wait() == 0)
        try falsify(app.server.data.path + "/data")
        let next = TestApp(on: try Daemon(["--dev"], data: app.server.data), named: app.name)
        let isCorrected = try eventually {
            try next.server.get("/metrics").text.contains("bellwether_store_corrections_total 1")
        }
        #expect(isCorrected)
        try save("second", at: next)
        let results = try next.server.get("\(next.path)/results/q").json
        #expect(results["quotas"][0]["taken"] == 2, "\(results["quotas"])")
        #expect(next.server.logText.contains("a count of places was wrong, and is corrected"))
    }
}
