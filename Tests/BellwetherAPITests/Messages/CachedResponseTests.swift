import BellwetherJSON
import HTTPWire
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
            ("current_date < 1773144100", 99, 100),
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
