import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// Cached responses are used no longer than they are valid.
@Suite struct CachedResponseTests {
    private func worker(_ expression: String) throws -> WorkerUnderTest {
        try WorkerUnderTest(recipes: [
            "r": [
                "triggers": ["T": .string(expression)],
                "messages": ["m": ["surface": "card", "text": "x", "trigger-if-all": ["T"]]],
            ]
        ])
    }

    private func isShown(_ worker: WorkerUnderTest, _ query: String = "") throws -> Bool {
        try worker.send(.get, "/v1/apps/app/messages?client_id=c\(query)").json["messages"] != []
    }

    private func visit(_ worker: WorkerUnderTest) throws {
        let answer = try worker.send(
            .post, "/v1/apps/app/events",
            body: ["client_id": "c", "events": [["type": "behavior", "name": "visit"]]])
        #expect(answer.json["accepted"] == 1)
    }

    /// An expression over a history of one visit, the last second at which it is true, and the first second at which it
    /// is false.
    @Test(
        arguments: [
            ("'visit'|eventSum('Minutes', 1, 0) >= 1", 59, 60), ("'visit'|eventSum('Minutes', 2, 0) >= 1", 119, 120),
            ("'visit'|eventLastSeen('Hours') < 3", 3 * 3600 - 1, 3 * 3600),
            ("'visit'|eventCountNonZero('Days', 1, 0) == 1", 43_199, 43_200),
            ("current_date < 1773144100", 99, 100), ("'visit'|eventAgo(0, 90)", 89, 90),
            ("'visit'|eventAfter('leave') && 'visit'|eventAgo(200) == false", 199, 200),
        ] as [(String, Int64, Int64)])
    func `A counter that rotates, and the clock, end what was remembered`(
        _ expression: String, _ holds: Int64, _ ends: Int64
    ) throws {
        let worker = try worker(expression)
        try visit(worker)
        #expect(try isShown(worker))
        worker.pass(seconds: holds)
        #expect(try isShown(worker))
        worker.pass(seconds: ends - holds)
        #expect(try !isShown(worker))
        #expect(try !isShown(worker))
    }

    /// What is left of 400 seconds, but at most what is usual for the client.
    @Test func `Until an order in time turns, an answer tells when to ask again`() throws {
        let worker = try worker("'visit'|eventAgo(400.5)")
        func next() throws -> Int64? {
            try worker.send(.get, "/v1/apps/app/messages?client_id=c").json["next_poll_seconds"].integer
        }
        let usual = try #require(try next())
        try visit(worker)
        #expect((270...330).contains(usual))
        var (tag, told) = ("\"\"", Int64(0))
        var elapsed: Int64 = 0
        for seconds in [0, 60, 401 - usual - 60, 1, 0, 50, 0] + Array(repeating: 1, count: 8) {
            worker.pass(seconds: seconds)
            elapsed += seconds
            let wanted = min(usual, 401 - elapsed)
            for _ in 0..<2 { #expect(try next() == wanted) }
            let answer = try worker.send(
                .get, "/v1/apps/app/messages?client_id=c", headers: [("If-None-Match", tag)])
            #expect((answer.status == 304) == (wanted == told), "after \(elapsed) s")
            if answer.status == 200 { (tag, told) = (answer.tag, wanted) }
            #expect(try !isShown(worker))
        }
        worker.pass(seconds: 401 - elapsed)
        #expect(try isShown(worker))
        #expect(try next() == usual)
    }

    /// The enrollments are remembered only while no order in time will change them.
    @Test func `Targeting that reads an order in time turns, too`() throws {
        let value: JSONValue = ["messages": ["m": ["surface": "card", "text": "x", "experiment": "{experiment}"]]]
        let targeting: JSONObject = ["targeting": "'visit'|eventAgo(10)"]
        let worker = try WorkerUnderTest(recipes: ["r": NimbusRecipe.experiment("r", ["a": value], targeting)])
        try visit(worker)
        for seconds in 0..<10 as Range<Int64> {
            let answer = try worker.send(.get, "/v1/apps/app/messages?client_id=c")
            #expect(answer.json["messages"] == [] && answer.json["next_poll_seconds"] == .integer(10 - seconds))
            worker.pass(seconds: 1)
        }
        #expect(try isShown(worker))
    }

    @Test func `A poll that is repeated in another trace is answered from memory`() throws {
        let worker = try worker("true")
        func key(_ number: Int) throws -> ResponseKey? {
            let headers = Self.trace(number)
            return worker.worker.responses.key(
                for: try Request(.get, "/v1/apps/app/messages?client_id=c", headers: headers))
        }
        let first = try worker.send(.get, "/v1/apps/app/messages?client_id=c", headers: Self.trace(1))
        let kept = try #require(try key(1).flatMap(worker.worker.responses.find))
        for number in 2...4 {
            let found = try #require(try key(number).flatMap(worker.worker.responses.find))
            #expect(found.made == kept.made && found.holds(at: worker.now))
            worker.pass(milliseconds: 10)
            let next = try worker.send(.get, "/v1/apps/app/messages?client_id=c", headers: Self.trace(number))
            #expect(next.body == first.body)
            // A response that is decided again is cached with its own time.
            #expect(try key(1).flatMap(worker.worker.responses.find)?.made == kept.made)
        }
    }

    private static func trace(_ number: Int) -> [(name: String, value: String)] {
        [
            ("traceparent", "00-0af7651916cd43dd8448eb211c80319\(number)-b7ad6b716920333\(number)-01"),
            ("tracestate", "a=\(number)"),
        ]
    }

    @Test func `An event of the client ends it`() throws {
        let worker = try worker("'visit'|eventSum('Years', 4, 0) >= 1")
        for _ in 0..<3 { #expect(try !isShown(worker)) }
        try visit(worker)
        for _ in 0..<3 { #expect(try isShown(worker)) }
    }

    @Test func `Another context is another answer`() throws {
        let worker = try worker("age > 3")
        for _ in 0..<2 {
            #expect(try isShown(worker, "&age=4"))
            #expect(try !isShown(worker, "&age=3"))
            #expect(try !isShown(worker))
        }
    }
}
