import BellwetherBase
import BellwetherJSON
import JEXL
import Samples
import TestSupport
import Testing

@testable import BellwetherCore

/// Events that follow from others (docs/reference/events.md#derived-events).
@Suite struct DerivedEventsTests {
    private static let events: JSONObject = [
        "purchase": ["properties": ["amount": "number", "plan": "string", "gift": "boolean"]],
        "big": ["of": "purchase", "where": "amount >= 100"], "spent": ["of": "purchase", "sum": "amount"],
        "spent_pro": ["of": "purchase", "where": "plan == 'pro' && gift != true", "sum": "amount"],
        "no_plan": ["of": "purchase", "where": "plan == null"],
    ]

    private static func table(_ definitions: [Identifier: Int] = [:]) throws -> (Manifest, DerivedEvents) {
        let manifest = try Sample.manifest(["events": .object(events)])
        return (manifest, DerivedEvents(manifest.events, definitions: definitions, revision: 10))
    }

    /// One purchase as a client sends it.
    private struct Purchase {
        let at: Timestamp
        let received: Timestamp
        let count: UInt64
        let amount: JSONValue
        let plan: JSONValue
        let gift: JSONValue

        init(at: Timestamp, received: Timestamp, _ random: inout SeededGenerator) {
            (self.at, self.received) = (at, received)
            count = [1, 1, 1, 4].randomElement(using: &random) ?? 1
            let amounts: [JSONValue] = [19.9, 100, 99.999, 0.0005, 0.0004, 1e9, 1_000_000_001, -1, "7", .null]
            amount = amounts.randomElement(using: &random) ?? .null
            let plans: [JSONValue] = ["pro", "free", .null, 3, .string(String(repeating: "p", count: 257))]
            plan = plans.randomElement(using: &random) ?? .null
            gift = ([true, false, .null, 1] as [JSONValue]).randomElement(using: &random) ?? .null
        }

        var properties: JSONObject { ["amount": amount, "plan": plan, "gift": gift, "other": 1] }

        /// The counts of this purchase for each derived event, from the values that were sent.
        var counts: [Identifier: UInt64] {
            var number: Double?
            if case .string = amount {} else { number = amount.double }
            let text = plan.string.flatMap { $0.utf8.count <= 256 ? $0 : nil }
            let sum = number.map { (0...1e9).contains($0) ? UInt64(($0 * 1000).rounded()) * count : 0 } ?? 0
            return [
                "big": number.map { $0 >= 100 } == true ? count : 0, "spent": sum,
                "spent_pro": text == "pro" && gift != true ? sum : 0, "no_plan": text == nil ? count : 0,
            ]
        }
    }

    /// A counter of a derived event equals a counter that only gets the raw events of which it follows.
    @Test(arguments: 0..<Trials.count(100, many: 10_000) as Range<UInt64>)
    func `Counters are those of a replay of the raw events`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (manifest, events) = try Self.table()
        var now = instant("2026-06-15T10:30:00Z")
        var history = BehaviorHistory()
        var replay = BehaviorHistory()
        for _ in 0..<40 {
            now = now.adding(milliseconds: Int64.random(in: 0...40_000_000, using: &random))
            let isPast = Int.random(in: 0..<4, using: &random) == 0
            let at = isPast ? now.adding(seconds: -Int64.random(in: 400...2_000_000, using: &random)) : now
            let purchase = Purchase(at: at, received: now, &random)
            let event = BehaviorEvent(
                name: "purchase", count: purchase.count,
                properties: manifest.properties(of: "purchase", in: purchase.properties), deriving: events)
            let isRecorded = history.record(event, at: isPast ? at : nil, now: now, of: events)
            #expect(isRecorded)
            for (name, count) in purchase.counts where count > 0 {
                if isPast {
                    _ = replay.recordPast(name, count: count, at: at, now: now)
                } else {
                    replay.record(name, count: count, at: now)
                }
            }
            if Int.random(in: 0..<5, using: &random) == 0 {
                history = try #require(BehaviorHistory(packed: history.packed))
            }
        }
        for name in ["big", "spent", "spent_pro", "no_plan"] as [Identifier] {
            for kind in EventQuery.Kind.counting {
                for interval in EventInterval.allCases {
                    let count = Int.random(in: 0...30, using: &random)
                    let query = EventQuery(event: name, kind: kind, interval: interval, count: count, start: 0)
                    let wanted = replay.result(of: query, at: now)
                    let unit = kind.isAmount && name.text.hasPrefix("spent") ? 1000.0 : 1
                    let result = history.result(of: query, at: now, of: events)
                    #expect(result == wanted / unit || result.isNaN && wanted.isNaN, "\(query), seed \(seed)")
                }
            }
            #expect(history.newestTime(of: name, at: now, of: events) == replay.newestTime(of: name, at: now))
        }
    }

    /// The client has sent 30 events of eight names in as many days, has seen eight messages twice each, and is in five
    /// experiments. Half of the events have derived ones, and nearly all of these count.
    @Test func `Ten derived events make the row of a client at most half as large again`() throws {
        let names = (0..<8).map { Identifier("event_\($0)") }
        var events = JSONObject(names.map { ($0.text, ["properties": ["amount": "number"]]) })
        for number in 0..<10 {
            let bound = JSONValue.string("amount >= \(number)")
            events["derived_\(number)"] = ["of": .string(names[number % 4].text), "where": bound]
        }
        let manifest = try Sample.manifest([
            "events": .object(events), "pacing": ["caps": [["count": 16, "seconds": 604_800]]],
        ])
        let start = instant("2026-06-15T10:30:00Z")
        let keys = (0..<8).map { Identifier("survey-\($0)") }
        let messages = JSONObject(keys.map { ($0.text, ["surface": "new-tab-card", "text": "?"]) })
        let catalog = try Sample.catalog(["r": ["messages": .object(messages)]], in: manifest)
        func size(_ derived: DerivedEvents) throws -> Int {
            var state = ClientState()
            for number in 0..<16 {
                let at = start.adding(seconds: Int64(number) * 9_000)
                var journal = ClientJournal(state: state, clientID: "c", at: at, catalog: catalog)
                journal.displayed(try #require(catalog.message(keys[number % 8])?.facts))
                state = journal.state
            }
            let enrollments = (0..<5).map {
                Enrollment(slug: Identifier("experiment-\($0)"), status: .enrolled(.qualified, branch: "treatment"))
            }
            state.enrollments = PackedEnrollments(ClientEnrollments(enrollments: enrollments))
            for number in 0..<30 {
                let at = start.adding(seconds: Int64(number) * 86_400)
                let name = names[number % 8]
                let properties = manifest.properties(of: name, in: ["amount": .integer(Int64(number % 12))])
                let event = BehaviorEvent(name: name, count: 1, properties: properties, deriving: derived)
                let isRecorded = state.behavior.record(event, at: nil, now: at, of: derived)
                #expect(isRecorded)
            }
            return state.encoded().count
        }
        let with = try size(DerivedEvents(manifest.events, definitions: [:], revision: 10))
        let without = try size(.none)
        #expect(with > without && Double(with) <= 1.5 * Double(without), "\(with) bytes, \(without) without")
    }

    @Test func `Counters of another definition do not count, and go with the next event`() throws {
        let (manifest, first) = try Self.table(["big": 3])
        let (_, second) = try Self.table(["big": 7])
        let now = instant("2026-06-15T10:30:00Z")
        let query = EventQuery(event: "big", kind: .eventSum, interval: .days, count: 1, start: 0)
        let properties = manifest.properties(of: "purchase", in: ["amount": 100])
        func event(_ events: DerivedEvents) -> BehaviorEvent {
            BehaviorEvent(name: "purchase", count: 1, properties: properties, deriving: events)
        }
        var history = BehaviorHistory()
        // A client has sent the name before it was declared.
        history.record("big", count: 50, at: now)
        _ = history.record(event(first), now: now, of: first)
        _ = history.record(event(first), now: now, of: first)
        #expect(history.result(of: query, at: now, of: first) == 2)
        #expect(history.result(of: query, at: now, of: second) == 0)
        let before = history.count
        _ = history.record(event(second), now: now, of: second)
        #expect(history.result(of: query, at: now, of: second) == 1)
        #expect(history.result(of: query, at: now, of: first) == 0)
        #expect(history.count == before && history.result(of: query, at: now) == 50)
        #expect(history.names == ["big", "purchase"])
        #expect(BehaviorHistory(packed: history.packed) == history)
    }

    /// Another node may have a later revision of the manifest already.
    @Test func `A node that is behind keeps the counters of a later definition`() throws {
        let (manifest, late) = try Self.table(["big": 7])
        let early = DerivedEvents(manifest.events, definitions: ["big": 3], revision: 6)
        let now = instant("2026-06-15T10:30:00Z")
        let properties = manifest.properties(of: "purchase", in: ["amount": 100])
        var history = BehaviorHistory()
        for events in [late, early, .none, late] {
            let event = BehaviorEvent(name: "purchase", count: 1, properties: properties, deriving: events)
            _ = history.record(event, now: now, of: events)
        }
        let query = EventQuery(event: "big", kind: .eventSum, interval: .days, count: 1, start: 0)
        #expect(history.result(of: query, at: now, of: late) == 2)
    }

    /// The property is counted in thousandths, as of any sum.
    @Test func `A goal on a sum counts what the event counts`() throws {
        let (manifest, events) = try Self.table()
        let goal: JSONValue = ["name": "revenue", "event": "spent_pro", "counts": "sum", "cap": 500]
        let document: JSONValue = [
            "branches": [["slug": "a", "ratio": 1], ["slug": "b", "ratio": 1]], "goals": [goal],
        ]
        let now = instant("2026-06-15T10:30:00Z")
        let period = try #require(
            GoalPeriod(1, since: now, document: document, properties: ["revenue": "amount"]))
        let table = GoalTable(["e": GoalTable.Entry(periods: [period], of: 1, current: 1, isLive: true)])
        var state = ClientState()
        let branch = EnrolledBranch(slug: "e", branch: "a")
        state.goals.enroll(branch, period: 1) { _ in false }
        var journal = ClientJournal(state: state, clientID: "c", at: now, goals: table)
        journal.exposed(branch, featureID: "messaging")
        for plan in ["pro", "free"] as [JSONValue] {
            let properties = manifest.properties(of: "purchase", in: ["amount": 19.9, "plan": plan])
            _ = journal.behaved(
                BehaviorEvent(name: "purchase", count: 2, properties: properties, deriving: events), at: nil)
        }
        #expect(journal.state.goals.entries.first?.values.map(\.y) == [39_800])
    }

    @Test(arguments: ["spent", "a1", "7", "", "é9"])
    func `A stored name has its definition`(_ name: String) {
        for definition in [0, 1, 10, 4_294_967_295] as [UInt32] {
            let event = CountedEvent(Identifier(name), definition: definition)
            #expect(CountedEvent(stored: event.stored) == event)
        }
        #expect(CountedEvent(stored: "a\u{1}0").definition == 0)
        #expect(CountedEvent(stored: "a\u{1}4294967296").definition == 0)
        #expect(CountedEvent(stored: "a\u{1}").definition == 0)
    }
}
