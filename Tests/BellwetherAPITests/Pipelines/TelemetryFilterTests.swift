import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

/// Telemetry reads with filters, with a clock that the test sets.
@Suite struct TelemetryFilterTests {
    private var worker: WorkerUnderTest

    init() throws { worker = try WorkerUnderTest() }

    private func log(_ names: String...) {
        for name in names {
            worker.store.log(
                TelemetryRecord(
                    at: Timestamp(seconds: 1_773_144_000), clientID: "c", category: "messaging", name: Identifier(name),
                    extra: ["message_key": .string("key-\(name)")], experiment: "x-\(name)"))
        }
    }

    /// Wakes the requests that wait for records.
    private func commit() {
        worker.notifyOfRecords()
    }

    private func get(_ query: String) throws -> RecordedResponse {
        try worker.send(.get, "/v1/apps/app/telemetry?\(query)")
    }

    private func names(_ answer: RecordedResponse) throws -> [String] {
        try answer.body.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: $0)["name"].string ?? "?" }
    }

    @Test(arguments: [
        ("", ["a", "b", "c", "a"]), ("name=a", ["a", "a"]), ("name=a&name=b", ["a", "b", "a"]),
        ("category=messaging&name=c", ["c"]), ("category=other&name=c", []), ("message=key-b", ["b"]),
        ("experiment=x-a&experiment=x-c", ["a", "c", "a"]), ("experiment=x-a&message=key-b", []),
        ("name=%61", ["a", "a"]), ("name=a&limit=1", ["a"]), ("name=a&after=t1-1", ["a"]),
    ])
    func `Filters of one kind add up, those of several narrow`(_ query: String, _ expected: [String]) throws {
        log("a", "b", "c", "a")
        #expect(try names(get(query)) == expected)
    }

    @Test func `The cursor covers what the filter passed over`() throws {
        log("a", "b", "b", "b")
        #expect(try get("name=a").next == "t4-1")
        #expect(try get("name=z").next == "t4-1")
        #expect(try get("name=a&limit=1").next == "t1-1")
        #expect(try get("name=z&after=t4-1").next == "t4-1")
    }

    @Test func `A read that looked at its share and found nothing is answered with a cursor that has moved`() throws {
        var test = self
        test.worker = try WorkerUnderTest(scannedRecords: 2)
        try test.looksAtItsShare()
    }

    private func looksAtItsShare() throws {
        log("a", "a", "a", "b")
        let first = try worker.begin(.get, "/v1/apps/app/telemetry?name=b&wait=60")
        worker.settle()
        #expect(first.status == 200 && first.body.isEmpty && first.next == "t2-1")
        #expect(try names(get("name=b&after=t2-1")) == ["b"])
    }

    @Test func `A wait goes on past what the filter does not mean`() throws {
        log("a")
        let waiting = try worker.begin(.get, "/v1/apps/app/telemetry?name=b&wait=30")
        worker.settle()
        #expect(waiting.response == nil)
        log("a", "a")
        commit()
        #expect(waiting.response == nil)
        log("b", "a")
        commit()
        #expect(try names(waiting) == ["b"])
        #expect(waiting.next == "t5-1")
    }

    @Test func `When nothing came that is meant, the cursor has moved all the same`() throws {
        let waiting = try worker.begin(.get, "/v1/apps/app/telemetry?name=b&wait=30")
        worker.settle()
        log("a", "a")
        commit()
        worker.settle(endsWaits: true)
        #expect(waiting.status == 200 && waiting.body.isEmpty && waiting.next == "t2-1")
    }

    @Test(arguments: [("last=0", []), ("last=1", ["c"]), ("last=2&name=b", ["b"]), ("last=9&after=", ["a", "b", "c"])])
    func `A read may begin with the last records, and tells where to go on`(
        _ query: String, _ expected: [String]
    ) throws {
        log("a", "b", "c")
        let answer = try get(query)
        #expect(try names(answer) == expected)
        #expect(answer.next == "t3-1")
    }

    @Test func `Who waits at the end misses nothing of what comes`() throws {
        log("a", "b")
        let waiting = try worker.begin(.get, "/v1/apps/app/telemetry?last=0&wait=30")
        worker.settle()
        #expect(waiting.response == nil)
        log("c", "d")
        commit()
        #expect(try names(waiting) == ["c", "d"] && waiting.next == "t4-1")
    }

    @Test(arguments: [
        ("last=-1", "range"), ("last=10001", "range"), ("last=x", "range"), ("last=1&after=t1-1", "conflict"),
    ])
    func `A beginning that cannot be meant is refused`(_ query: String, _ code: String) throws {
        let answer = try get(query)
        #expect(answer.status == 400)
        #expect(answer.json["errors"].array?.map { $0["code"] } == [.string(code)])
    }

    @Test func `Pings are made of what is meant`() throws {
        log("a", "b", "a")
        let answer = try get("format=glean&name=a")
        let events = try JSONValue(parsing: answer.body)["events"].array ?? []
        #expect(events.map { $0["name"] } == ["a", "a"])
        #expect(answer.next == "t3-1")
    }

    @Test(arguments: ["name=", "category=", "message=%00", "experiment=a%00b"])
    func `A filter that can mean nothing is refused`(_ query: String) throws {
        let answer = try get(query)
        #expect(answer.status == 400)
        #expect(answer.json["errors"].array?.map { $0["code"] } == ["value"])
    }

    @Test func `A read filters by so many values`() throws {
        let values = { (count: Int) in (0..<count).map { "name=n\($0)" }.joined(separator: "&") }
        #expect(try get(values(100)).status == 200)
        let answer = try get(values(100) + "&category=c")
        #expect(answer.status == 422)
        #expect(answer.json["errors"].array?.map { $0["code"] } == ["too_many"])
    }

    @Test func `A large page is compressed for those who accept that, once`() throws {
        for _ in 0..<100 { log("a") }
        let plain = try get("")
        let answer = try worker.send(
            .get, "/v1/apps/app/telemetry", headers: [("Accept-Encoding", "gzip")])
        #expect(answer.headers.components(of: "Content-Encoding") == ["gzip"])
        #expect(answer.headers.components(of: "Vary") == ["Accept-Encoding"])
        #expect(answer.body.starts(with: [0x1F, 0x8B]) && answer.body.count < plain.body.count / 4)
        #expect(plain.headers.components(of: "Content-Encoding") == [])
        #expect(plain.headers.components(of: "Vary") == ["Accept-Encoding"])
    }
}

extension RecordedResponse {
    /// The cursor of the next page.
    var next: String { headers.components(of: "Bellwether-Next").first ?? "?" }
}

extension String {
    /// The values of all header lines with this name.
    func components(of name: String) -> [String] {
        split(separator: "\r\n").filter { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }
}
