import BellwetherCore
import BellwetherJSON
import Testing

/// The records that share a ping, and their order.
@Suite struct GleanPingsTests {
    private typealias Lines = GleanLines

    @Test func `Nothing makes no ping`() throws {
        #expect(try Lines.of([]).isEmpty)
    }

    @Test func `A ping holds one client, in the order of first records`() throws {
        let records = ["b", "a", "b", "c", "a"].enumerated().map { Lines.record("n\($0)", client: $1) }
        #expect(try Lines.of(records).map(\.names) == [["n0", "n2"], ["n1", "n4"], ["n3"]])
    }

    @Test func `Clients are the same byte for byte only`() throws {
        // Canonically equivalent spellings are two clients, in the daemon and in the pings.
        let pings = try Lines.of([Lines.record(client: "\u{E9}"), Lines.record(client: "e\u{301}")])
        #expect(pings.count == 2)
        #expect(Set(pings.map { $0[member: "client_info"][member: "client_id"] }).count == 2)
    }

    @Test func `A full ping is followed by another`() throws {
        let pings = try Lines.of((0..<1001).map { Lines.record("n\($0)", seconds: Double($0)) })
        #expect(pings.map(\.names.count) == [500, 500, 1])
        #expect(pings.flatMap(\.names) == (0..<1001).map { "n\($0)" })
        let information = pings.map { $0[member: "ping_info"] }
        #expect(information.map { $0[member: "seq"] } == [500, 1000, 1001])
        #expect(information.map { $0[member: "reason"] } == ["max_capacity", "max_capacity", .null])
        #expect(pings[1][member: "events"].array?.first?[member: "timestamp"] == 0)
    }

    @Test func `Events stand in order of time, those of one time in the order of the log`() throws {
        let times = [60.0, 3, 0.25, 3, 60, 0.25]
        let ping = try #require(try Lines.of(times.enumerated().map { Lines.record("n\($0)", seconds: $1) }).first)
        #expect(ping.names == ["n2", "n5", "n1", "n3", "n0", "n4"])
        let stamps = ping[member: "events"].array?.map { $0[member: "timestamp"] }
        #expect(stamps == [0, 0, 2750, 2750, 59_750, 59_750])
        #expect(ping[member: "ping_info"][member: "start_time"] == "2026-03-10T12:00+00:00")
        #expect(ping[member: "ping_info"][member: "end_time"] == "2026-03-10T12:01+00:00")
        // The event that happened first was not recorded last.
        #expect(ping[member: "ping_info"][member: "seq"] == 6)
    }

    @Test func `A ping names each experiment's branch, and another branch begins another ping`() throws {
        let pings = try Lines.of([
            Lines.record("0"), Lines.record("1", in: "x", "a"), Lines.record("2", in: "y", "a"),
            Lines.record("3", in: "x", "a"), Lines.record("4", in: "x", "b"), Lines.record("5", in: "z", nil),
        ])
        #expect(pings.map(\.names) == [["0", "1", "2", "3"], ["4", "5"]])
        let experiments = pings.map { $0[member: "ping_info"][member: "experiments"] }
        #expect(experiments == [["x": ["branch": "a"], "y": ["branch": "a"]], ["x": ["branch": "b"]]])
        #expect(pings.map { $0[member: "ping_info"][member: "reason"] } == [.null, .null])
    }

    @Test func `No experiment is no member`() throws {
        let ping = try #require(try Lines.of([Lines.record()]).first)
        #expect(ping[member: "ping_info"].object?.keys == ["seq", "start_time", "end_time"])
    }

    @Test func `The same records make the same pings, and a client's seq grows from page to page`() throws {
        let records = (0..<40).map { Lines.record("n\($0)", client: "c\($0 % 7)", seconds: Double(40 - $0)) }
        #expect(try Lines.of(records) == Lines.of(records))
        var last: [String: Int64] = [:]
        for start in stride(from: 0, to: 40, by: 9) {
            let page = Array(records[start..<min(40, start + 9)])
            for ping in try Lines.of(page, from: Int64(start + 1)) {
                let client = try #require(ping[member: "client_info"][member: "client_id"].string)
                let sequence = try #require(ping[member: "ping_info"][member: "seq"].integer)
                #expect(sequence > last[client] ?? 0)
                last[client] = sequence
            }
        }
        #expect(last.count == 7)
    }

    @Test func `Pings kept as they came are left out`() throws {
        let raw = Lines.record("baseline", category: "glean", extra: ["ping": ["metrics": [:]]])
        #expect(try Lines.of([raw]).isEmpty)
        let pings = try Lines.of([raw, Lines.record("0"), raw, Lines.record("1", category: "glean.more")])
        #expect(pings.map(\.names) == [["0", "1"]])
        #expect(!GleanPings.takes(category: "glean") && GleanPings.takes(category: "glean.more"))
    }
}
