import BellwetherBase
internal import BellwetherJSON
import JEXL
import TestSupport
import Testing

@testable import BellwetherCore

/// Random histories of a client, each counted by the sparse counters and by dense rows.
struct BehaviorPropertyTests {
    @Test(arguments: 0..<60 as Range<UInt64>)
    func sparseCountersAnswerAsDenseOnes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var now = randomInstant(&random)
        var history = BehaviorHistory()
        var dense: DenseCounters?
        for step in 0..<60 {
            now = now.adding(milliseconds: randomJump(&random))
            let count = UInt64(Int.random(in: 0...3, using: &random))
            if dense == nil { dense = DenseCounters(startingAt: startOfYear(now)) }
            if Bool.random(using: &random) {
                history.record("e", count: count, at: now)
                dense?.record(count: count, at: now)
            } else {
                let then = now.adding(milliseconds: -abs(randomJump(&random)))
                let isRecorded = history.recordPast("e", count: count, at: then, now: now)
                #expect(dense?.recordPast(count: count, at: then, now: now) == isRecorded)
            }
            if Int.random(in: 0..<4, using: &random) == 0 { history = packedAndUnpacked(history) }
            let asked = Bool.random(using: &random) ? now : now.adding(milliseconds: randomJump(&random))
            guard compare(history, dense, at: asked, using: &random) else {
                Issue.record("seed \(seed), step \(step)")
                return
            }
        }
    }

    /// Runs a few random queries on both. The dense rows are a copy, because a query advances them.
    private func compare(
        _ history: BehaviorHistory, _ dense: DenseCounters?, at now: Timestamp, using random: inout SeededGenerator
    ) -> Bool {
        for interval in EventInterval.allCases {
            for kind in EventQuery.Kind.counting {
                let query = EventQuery(
                    event: "e", kind: kind, interval: interval, count: Int.random(in: 0...75, using: &random),
                    start: Bool.random(using: &random) ? 0 : Int.random(in: 0...75, using: &random))
                var rows = dense
                let expected = rows?.result(of: query, at: now) ?? .nan
                let result = history.result(of: query, at: now)
                guard isSame(result, expected) else {
                    Issue.record("\(query) is \(result), not \(expected)")
                    return false
                }
                guard holds(query, of: history, result, from: now) else { return false }
            }
        }
        return true
    }

    /// The result is the same until the promised time.
    private func holds(_ query: EventQuery, of history: BehaviorHistory, _ result: Double, from now: Timestamp) -> Bool
    {
        let end = history.holdsUntil(query, at: now)
        let last = end.adding(milliseconds: -1)
        guard end > now, isSame(history.result(of: query, at: last), result) else {
            Issue.record("\(query) does not hold until \(end.rfc3339)")
            return false
        }
        return true
    }

    /// The newest of the recorded times that are not forgotten, compared with both conditions on it.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `Orders in time are those of the raw events`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var now = instant("2026-06-15T10:30:00Z")
        var history = BehaviorHistory()
        var newest: [Identifier: Timestamp] = [:]
        for step in 0..<80 {
            now = now.adding(milliseconds: [0, 1, 999, 60_000, 3_600_000].randomElement(using: &random) ?? 0)
            let name: Identifier = Bool.random(using: &random) ? "a" : "b"
            let past = Int64.random(in: 0...400_000, using: &random)
            if past > 300_000 {
                _ = history.recordPast(name, count: 1, at: now.adding(milliseconds: -past), now: now)
            } else {
                history.record(name, count: 1, at: now)
            }
            let time = past > 300_000 ? now.adding(milliseconds: -past) : now
            newest[name] = max(newest[name] ?? time, time)
            if Int.random(in: 0..<4, using: &random) == 0 { history = packedAndUnpacked(history) }
            let asked = now.adding(milliseconds: Int64.random(in: 0...2000, using: &random))
            let from = Int64.random(in: 0...4000, using: &random)
            let to = from + Int64.random(in: 0...4000, using: &random)
            let elapsed = newest["a"].map { asked.milliseconds - $0.milliseconds }
            let ago = EventQuery(
                event: "a", kind: .eventAgo, scope: .seconds(from: Double(from) / 1000, to: Double(to) / 1000))
            let isAgo = elapsed.map { (from..<to).contains($0) } ?? false
            let after = EventQuery(event: "b", kind: .eventAfter, scope: .since("a"))
            let isAfter = newest["b"].map { b in newest["a"].map { b >= $0 } ?? true } ?? false
            #expect((history.result(of: ago, at: asked) != 0) == isAgo, "seed \(seed), step \(step)")
            #expect((history.result(of: after, at: asked) != 0) == isAfter, "seed \(seed), step \(step)")
            #expect(holds(ago, of: history, isAgo ? 1 : 0, from: asked))
            let turn = history.value(to: ago, at: asked).turn
            if let turn { #expect((history.result(of: ago, at: turn) != 0) != isAgo) }
            #expect(turn != nil || from == to || (elapsed ?? to) >= to)
        }
    }

    private func isSame(_ left: Double, _ right: Double) -> Bool { left == right || left.isNaN && right.isNaN }

    private func packedAndUnpacked(_ history: BehaviorHistory) -> BehaviorHistory {
        let copy = BehaviorHistory(packed: history.packed)
        #expect(copy == history)
        return copy ?? BehaviorHistory()
    }

    /// 1 January 00:00:00 UTC of the year of the instant.
    private func startOfYear(_ instant: Timestamp) -> Timestamp {
        let year = CivilDate(daysSinceEpoch: instant.seconds.floored(by: Timestamp.secondsPerDay)).year
        let days = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
        return Timestamp(seconds: days * Timestamp.secondsPerDay)
    }

    private func randomInstant(_ random: inout SeededGenerator) -> Timestamp {
        let seconds = Int64.random(in: -80_000_000_000...260_000_000_000, using: &random)
        return Timestamp(milliseconds: seconds * 1000 + Int64.random(in: 0..<1000, using: &random))
    }

    /// A jump from milliseconds to years. It is mostly forward and often a number of whole units, so that it reaches
    /// the edges of buckets.
    private func randomJump(_ random: inout SeededGenerator) -> Int64 {
        let units: [Int64] = [1, 1000, 60_000, 3_600_000, 86_400_000, 604_800_000, 2_419_200_000, 31_536_000_000]
        let unit = units[Int.random(in: 0..<units.count, using: &random)]
        let jump = unit * Int64.random(in: 0...5, using: &random)
        let offset = Int.random(in: 0..<3, using: &random) == 0 ? Int64.random(in: -1...1, using: &random) : 0
        return Int.random(in: 0..<6, using: &random) == 0 ? -jump : jump + offset
    }
}
