import BellwetherJSON
import TestSupport
import Testing

/// The log that pipelines read (docs/reference/http-api.md#reading-telemetry).
@Suite struct TelemetryTests {
    private func filled(_ count: Int) throws -> TestApp {
        let app = try TestApp()
        try app.publish("x", Sample.message("m"))
        for index in 0..<count { try app.record("c\(index)", Event.message("displayed", "m")) }
        return app
    }

    @Test func `Records come in order, each with its cursor, exclusive`() throws {
        let app = try filled(5)
        let answer = try app.server.get("\(app.path)/telemetry")
        #expect(answer.header("Content-Type") == "application/x-ndjson")
        let all = answer.lines
        #expect(all.map { $0["client_id"] } == ["c0", "c1", "c2", "c3", "c4"])
        let record = all[0]
        #expect(record["category"] == "messaging")
        #expect(record["name"] == "shown")
        #expect(record["extra"] == ["message_key": "m", "message_surface": "card"])
        #expect(record["at"].string?.hasSuffix("Z") == true)
        // The record belongs to no experiment, so it names none.
        #expect(record.object?.keys == ["cursor", "at", "client_id", "category", "name", "extra"])
        for (index, record) in all.enumerated() {
            let rest = try app.server.get("\(app.path)/telemetry?after=\(record["cursor"].string ?? "")")
            #expect(rest.lines == Array(all[(index + 1)...]))
        }
        #expect(try app.server.get("\(app.path)/telemetry?after=").lines == all)
    }

    @Test func `Page by page, everything comes once`() throws {
        let app = try filled(7)
        var cursor = ""
        var pages: [[JSONValue]] = []
        while true {
            let answer = try app.server.get("\(app.path)/telemetry?after=\(cursor)&limit=3")
            let next = try #require(answer.header("Bellwether-Next"))
            if answer.lines.isEmpty {
                #expect(next == cursor)
                #expect(answer.body.isEmpty)
                break
            }
            #expect(next == answer.lines.last?["cursor"].string)
            pages.append(answer.lines)
            cursor = next
        }
        #expect(pages.map(\.count) == [3, 3, 1])
        #expect(pages.joined().map { $0["client_id"] }.count == 7)
    }

    @Test func `An empty log gives nothing, and the cursor back as it was`() throws {
        let app = try TestApp()
        let answer = try app.server.get("\(app.path)/telemetry")
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.header("Bellwether-Next") == "")
    }

    @Test func `Apps do not see each other's records`() throws {
        let (one, other) = (try filled(1), try filled(2))
        #expect(try one.telemetry().count == 1)
        #expect(try other.telemetry().count == 2)
    }

    @Test(
        arguments: [
            "after=nonsense", "after=-1", "after=1", "limit=0", "limit=10001", "limit=many", "limit=1&limit=1",
            "after=&after=", "wait=61", "wait=-1", "format=csv", "format=", "format=GLEAN", "since=1", "limit=",
            "after=%00",
        ])
    func `A query that cannot be meant is refused`(_ query: String) throws {
        let app = try TestApp()
        let name = query.split(separator: "=")[0]
        let faults = expectProblem(try app.server.get("\(app.path)/telemetry?\(query)"), 400)
        #expect(faults.first?["pointer"].string == "/\(name)")
    }

    @Test func `What was answered is in the log by then`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.survey())
        let connections = try (0..<8).map { _ in try app.server.connect() }
        for round in 0..<5 {
            for (index, connection) in connections.enumerated() {
                let answer: JSONValue = [
                    "client_id": .string("c\(round)-\(index)"), "message": "survey", "option": "0",
                ]
                try connection.send("POST", "\(app.path)/responses", body: answer.encoded)
            }
            for connection in connections { #expect(try connection.receive().status == 201) }
            #expect(try app.recorded().count == (round + 1) * 8 * 3)
        }
    }
}
