import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

/// Telemetry as records or as pings, with the same pages.
@Suite struct TelemetryFormatTests {
    private let worker: WorkerUnderTest

    init() throws {
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["channel"] = "beta"
        worker = try WorkerUnderTest(manifest: .object(manifest))
    }

    private func log(_ name: String, client: String = "c", category: String = "messaging", _ extra: JSONObject = [:]) {
        worker.store.log(
            TelemetryRecord(
                at: Timestamp(seconds: 1_773_144_000), clientID: Identifier(client), category: Identifier(category),
                name: Identifier(name), extra: extra))
    }

    private func get(_ query: String) throws -> RecordedResponse {
        try worker.send(.get, "/v1/apps/app/telemetry\(query)")
    }

    private func lines(_ answer: RecordedResponse) throws -> [JSONValue] {
        try answer.body.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: $0) }
    }

    private func next(_ answer: RecordedResponse) throws -> String {
        let field = answer.headers.split(separator: "\r\n").first { $0.hasPrefix("Bellwether-Next: ") }
        return String(try #require(field).dropFirst("Bellwether-Next: ".count))
    }

    @Test func `Pings hold what records tell`() throws {
        log("shown", ["message_key": "m", "revision": 3, "none": nil])
        log("clicked", client: "d")
        log("dismissed")
        let answer = try get("?format=glean")
        #expect(answer.status == 200)
        #expect(answer.headers.contains("Content-Type: application/x-ndjson\r\n"))
        #expect(answer.headers.contains("Cache-Control: no-store\r\n"))
        #expect(try next(answer) == "t3-1")
        let pings = try lines(answer)
        #expect(
            pings.map { $0["events"] } == [
                [
                    [
                        "timestamp": 0, "category": "messaging", "name": "shown",
                        "extra": ["message_key": "m", "revision": "3"],
                    ],
                    ["timestamp": 0, "category": "messaging", "name": "dismissed"],
                ],
                [["timestamp": 0, "category": "messaging", "name": "clicked"]],
            ])
        #expect(pings.map { $0["ping_info"]["seq"] } == [3, 2])
        // The id also depends on the app; the channel comes from the manifest.
        #expect(pings[0]["client_info"]["client_id"] == "ba1a4494-0e0c-8fc0-a90b-ebaa3f45877d")
        #expect(pings[0]["client_info"]["app_channel"] == "beta")
    }

    @Test func `Records are the default, and can be asked for`() throws {
        log("shown")
        let answer = try get("")
        #expect(try lines(answer).first?["cursor"] == "t1-1")
        #expect(try get("?format=ndjson").body == answer.body)
    }

    @Test func `Pages of both formats agree, also where a page has nothing for pings`() throws {
        log("a")
        for _ in 0..<3 { log("baseline", category: "glean", ["ping": ["metrics": [:]]]) }
        log("b")
        var cursor = ""
        var names: [[JSONValue]] = []
        while true {
            let records = try get("?after=\(cursor)&limit=2")
            let pings = try get("?format=glean&after=\(cursor)&limit=2")
            #expect(try next(records) == next(pings))
            names.append(try lines(pings).flatMap { $0["events"].array ?? [] }.map { $0["name"] })
            if records.body.isEmpty { break }
            cursor = try next(records)
        }
        #expect(names == [["a"], [], ["b"], []])
        #expect(cursor == "t5-1")
    }

    @Test func `Who waits for pings is answered by the next record`() throws {
        let waiting = try worker.begin(.get, "/v1/apps/app/telemetry?format=glean&wait=30")
        worker.settle()
        #expect(waiting.response == nil)
        log("shown")
        worker.notifyOfRecords()
        #expect(try lines(waiting).map { $0["events"].array?.count } == [1])
        #expect(try next(waiting) == "t1-1")
        let idle = try worker.begin(.get, "/v1/apps/app/telemetry?format=glean&wait=30&after=t1-1")
        worker.settle(endsWaits: true)
        #expect(idle.status == 200 && idle.body.isEmpty)
        #expect(try next(idle) == "t1-1")
    }

    @Test func `Expired cursors and a failing store are told in every format`() throws {
        for _ in 0..<5 { log("shown") }
        worker.store.expire(upTo: 3)
        #expect(try get("?format=glean&after=t2-1").status == 410)
        #expect(try get("?format=glean&after=t3-1").status == 200)
        worker.store.fail(.overloaded)
        #expect(try get("?format=glean").status == 503)
    }

    @Test(arguments: ["csv", "", "GLEAN", "glean%00", "glean,ndjson"])
    func `Another format is refused`(_ format: String) throws {
        let answer = try get("?format=\(format)&limit=0")
        #expect(answer.status == 400)
        let errors = answer.json["errors"].array ?? []
        #expect(errors.map { $0["pointer"] } == ["/format", "/limit"])
        #expect(errors.first?["code"] == "choice")
        #expect(errors.first?["message"] == "format is ndjson, glean or parquet")
    }
}
