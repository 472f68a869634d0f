import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Kills in the middle of writes: no acknowledged write is lost, and no write is counted twice.
@Suite struct RepeatedCrashTests {
    private static let perRequest = 5

    @Test(arguments: [1, 2, 3])
    func `Counts are exact after kills while writes are on their way`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var app = try TestApp(on: try Daemon(["--dev", "--workers", "2"]))
        var sent: [String] = []
        for _ in 0..<3 {
            let acknowledged = try write(app, &sent, &generator)
            try app.server.kill()
            app = TestApp(on: try Daemon(["--dev"], data: app.server.data), named: app.name)
            let again = try record(app, acknowledged)
            #expect(again["accepted"] == 0)
            #expect(again["duplicates"].integer == Int64(acknowledged.count))
        }
        let all = try record(app, sent)
        #expect((all["accepted"].integer ?? 0) + (all["duplicates"].integer ?? 0) == Int64(sent.count))
        try app.publish("count", ["triggers": ["EXACT": .string("'visit'|eventSum('Years', 4, 0) == \(sent.count)")]])
        try app.publish("m", Sample.message("exact", ["trigger-if-all": ["EXACT"]]))
        #expect(try app.keys() == ["exact"])
    }

    /// Sends requests on several connections and reads only some of the responses. Returns the ids of the acknowledged
    /// requests.
    private func write(_ app: TestApp, _ sent: inout [String], _ generator: inout SeededGenerator) throws -> [String] {
        let connections = try (0..<4).map { _ in try app.server.connect() }
        var acknowledged: [String] = []
        for connection in connections {
            var requests: [[String]] = []
            for _ in 0..<10 {
                let ids = (0..<Self.perRequest).map { "\(sent.count + $0)" }
                sent += ids
                requests.append(ids)
                try connection.send("POST", "\(app.path)/events", body: body(ids).encoded)
            }
            for ids in requests.prefix(Int.random(in: 0...10, using: &generator)) {
                #expect(try connection.receive().json["accepted"].integer == Int64(Self.perRequest))
                acknowledged += ids
            }
        }
        return acknowledged
    }

    private func record(_ app: TestApp, _ ids: [String]) throws -> JSONValue {
        try app.server.post("\(app.path)/events", body(ids)).json
    }

    private func body(_ ids: [String]) -> JSONValue {
        guard !ids.isEmpty else { return ["client_id": "c", "events": [["type": "none"]]] }
        return ["client_id": "c", "events": .array(ids.map { Event.behavior("visit", ["id": .string($0)]) })]
    }
}
