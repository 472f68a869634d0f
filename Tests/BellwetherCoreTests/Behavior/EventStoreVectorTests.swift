import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Foundation
import JEXL
import Testing

/// Each query of `vectors/event-store.json`.
struct EventStoreVectorTests {
    @Test(arguments: EventStoreVector.all)
    func queriesAnswerAsUpstream(vector: EventStoreVector) {
        var history = BehaviorHistory()
        for record in vector.records { history.record(record.event, count: record.count, at: record.at) }
        let result = history.result(of: vector.query, at: vector.now)
        #expect(result == vector.value || result.isNaN && vector.value.isNaN)
    }

    @Test func theVectorsAreAllThere() {
        #expect(EventStoreVector.all.count == 96)
    }
}

struct EventStoreVector: Sendable, CustomTestStringConvertible {
    let scenario: String
    let records: [(at: Timestamp, event: Identifier, count: UInt64)]
    let now: Timestamp
    let query: EventQuery
    /// The expected result; NaN stands for null.
    let value: Double

    var testDescription: String {
        "\(scenario): \(query.event) \(query.kind.rawValue) \(query.scope)"
    }

    static let all: [EventStoreVector] = vectorFile("event-store")["scenarios"]?.array?.flatMap(vectors(of:)) ?? []

    private static func vectors(of scenario: JSONValue) -> [EventStoreVector] {
        let records = scenario["records"]?.array?.map { record in
            (
                at: instant(record["at"]?.string ?? ""), event: record["event"]?.identifier ?? "",
                count: UInt64(record["count"]?.integer ?? 0)
            )
        }
        return scenario["queries"]?.array?.compactMap { query in
            guard let kind = EventQuery.Kind(rawValue: "event" + (query["query"]?.string ?? "")),
                let interval = EventInterval(rawValue: query["interval"]?.string ?? "")
            else { return nil }
            return EventStoreVector(
                scenario: scenario["name"]?.string ?? "", records: records ?? [],
                now: instant(scenario["now"]?.string ?? ""),
                query: EventQuery(
                    event: query["event"]?.identifier ?? "", kind: kind, interval: interval,
                    count: Int(query["count"]?.integer ?? -1), start: Int(query["start"]?.integer ?? -1)),
                value: query["value"]?.string == "never" ? never : query["value"]?.double ?? .nan)
        } ?? []
    }
}
