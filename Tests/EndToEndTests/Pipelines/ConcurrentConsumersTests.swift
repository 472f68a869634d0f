import BellwetherJSON
import TestSupport
import Testing

/// A pipeline loses and repeats no record while others write. `Conformance/pipelines_test.py` has a version that runs
/// for a minute.
@Suite struct ConcurrentConsumersTests {
    private static let batches = 60
    private static let lines = 5
    private static let total = 2 * batches * lines

    /// Reports displays in batches, and returns the ids of the acknowledged ones.
    @Sendable private static func write(_ writer: Int, to app: TestApp) throws -> [String] {
        let connection = try app.server.connect()
        var acknowledged: [String] = []
        for batch in 0..<batches {
            let clients = (0..<lines).map { "w\(writer)-\(batch)-\($0)" }
            let body = clients.map { client in
                #"{"client_id":"\#(client)","type":"message","action":"displayed","message":"m"}"# + "\n"
            }.joined()
            try connection.send(
                "POST", "\(app.path)/events", headers: ["Content-Type": "application/x-ndjson"],
                body: Array(body.utf8))
            let answer = try connection.receive()
            guard answer.json["accepted"] == .integer(Int64(lines)) else { throw Failure(answer.text) }
            acknowledged += clients
        }
        return acknowledged
    }

    /// Reads pages and stores its cursor after each. Now and then it restarts from the stored cursor, as after a crash.
    @Sendable private static func read(_ name: String, limit: Int, from app: TestApp) throws -> [String] {
        var connection = try app.server.connect()
        var cursor = ""
        var seen: [String] = []
        var pages = 0
        while seen.count < total {
            try connection.send("GET", "\(app.path)/telemetry?after=\(cursor)&limit=\(limit)&wait=30")
            let answer = try connection.receive()
            guard answer.status == 200, !answer.body.isEmpty else { throw Failure("nothing came: \(answer.text)") }
            seen += answer.lines.map { "\($0["client_id"].string ?? "?") \($0["cursor"].string ?? "?")" }
            let place: JSONValue = ["cursor": .string(answer.header("Bellwether-Next") ?? "?")]
            try connection.send("PUT", "\(app.path)/consumers/\(name)", body: place.encoded)
            cursor = try connection.receive().json["cursor"].string ?? "?"
            pages += 1
            guard pages % 7 == 0 else { continue }
            connection = try app.server.connect()
            try connection.send("GET", "\(app.path)/consumers/\(name)")
            cursor = try connection.receive().json["cursor"].string ?? "?"
        }
        try connection.send("GET", "\(app.path)/telemetry?after=\(cursor)")
        seen += try connection.receive().lines.map { _ in "more than was written" }
        return seen
    }

    @Test func `Two writers, three consumers: everything once, in one order`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m"))
        var works: [@Sendable () throws -> [String]] = (0..<2).map { writer in { try Self.write(writer, to: app) } }
        for (place, limit) in [3, 7, 1000].enumerated() {
            works.append { try Self.read("consumer-\(place)", limit: limit, from: app) }
        }
        let results = try together(works)
        let acknowledged = Set(results[0] + results[1])
        #expect(acknowledged.count == Self.total)
        let first = results[2]
        #expect(first.count == Self.total)
        #expect(Set(first.map { String($0.prefix { $0 != " " }) }) == acknowledged)
        #expect(results[3] == first && results[4] == first)
        let lags = try app.server.get("\(app.path)/consumers").json["consumers"].array?.map { $0["lag"] }
        #expect(lags == [0, 0, 0])
    }
}
