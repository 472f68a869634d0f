import BellwetherBase
import BellwetherCore
internal import BellwetherJSON
import JEXL
import TestSupport
import Testing

struct BehaviorPackingTests {
    private func bytes(_ history: BehaviorHistory) -> [UInt8] { history.packed[0] }

    private func typical() -> BehaviorHistory {
        var history = BehaviorHistory()
        for (name, at) in [
            ("app_cycle.foreground", "2026-11-01T08:00:00Z"), ("homepage_viewed", "2026-11-01T08:00:10Z"),
            ("app_cycle.foreground", "2026-11-09T19:30:00Z"), ("homepage_viewed", "2026-11-09T19:31:00Z"),
            ("performed_search", "2026-11-20T22:00:00Z"),
        ] {
            history.record(Identifier(name), count: 1, at: instant(at))
        }
        return history
    }

    @Test func whatIsPackedIsUnpacked() {
        var history = typical()
        let now = instant("2026-11-21T07:00:00Z")
        let isRecorded = history.recordPast("long ago", count: 3, at: instant("2025-06-01T00:00:00Z"), now: now)
        #expect(isRecorded)
        let copy = BehaviorHistory(packed: history.packed)
        #expect(copy == history)
        #expect(copy?.packed == history.packed)
        #expect(copy?.buckets("long ago", .years, at: now) == [0, 3])
        #expect(copy?.names == history.names)
    }

    @Test func aTypicalClientCostsAFewDozenBytes() {
        let names = typical().names.map(\.text.utf8.count).reduce(0, +)
        #expect(bytes(typical()).count - names <= 40)
        #expect(bytes(BehaviorHistory()) == [1, 0])
    }

    @Test func aHistoryEndsWhereItEnds() {
        var writer = PackedWriter()
        typical().encode(into: &writer)
        writer.string("behind")
        var reader = PackedReader(writer.bytes)
        #expect(BehaviorHistory(from: &reader)?.packed[0] == bytes(typical()))
        #expect(reader.string() == "behind")
    }

    @Test func everyTruncationIsNil() {
        let bytes = bytes(typical())
        for length in 0..<bytes.count {
            var reader = PackedReader(bytes[..<length])
            #expect(BehaviorHistory(from: &reader) == nil)
        }
    }

    @Test func `The newest times are exact, and take two bytes each`() throws {
        let history = typical()
        let now = instant("2026-11-21T07:00:00Z")
        #expect(history.packed[1].count == 2 + 2 * history.count)
        let copy = try #require(BehaviorHistory(packed: history.packed))
        #expect(copy.newestTime(of: "homepage_viewed", at: now) == instant("2026-11-09T19:31:00Z"))
        // Without its times, or with those of other counters, an event is at the beginning of its minute.
        var other = history
        other.record("homepage_viewed", count: 1, at: instant("2026-11-09T19:31:30.007Z"))
        let mixed = try #require(BehaviorHistory(packed: [other.packed[0], history.packed[1]]))
        #expect(other.newestTime(of: "homepage_viewed", at: now) == instant("2026-11-09T19:31:30.007Z"))
        #expect(mixed.newestTime(of: "homepage_viewed", at: now) == instant("2026-11-09T19:31:00Z"))
        // Times that do not fit are ignored, even with the right digest.
        let short = try #require(BehaviorHistory(packed: [other.packed[0], Array(other.packed[1].dropLast())]))
        #expect(short.newestTime(of: "homepage_viewed", at: now) == instant("2026-11-09T19:31:00Z"))
    }

    @Test func `After a clock was set back, the newest time is kept, too`() {
        var history = BehaviorHistory()
        let late = instant("2026-11-09T19:31:00.500Z")
        _ = history.recordPast("e", count: 1, at: late.adding(seconds: -7200), now: late)
        history.record("e", count: 1, at: late.adding(seconds: -3600))
        #expect(history.newestTime(of: "e", at: late) == late.adding(seconds: -3600))
        #expect(BehaviorHistory(packed: history.packed) == history)
    }

    @Test(arguments: [
        ("another format", [2, 0]),
        ("more entries than bytes", [1, 9]),
        ("names out of order", [1, 2, 1, 98, 0, 0, 0, 0, 1, 97, 0, 0, 0, 0]),
        ("a name twice", [1, 2, 1, 97, 0, 0, 0, 0, 1, 97, 0, 0, 0, 0]),
        ("a name that is not UTF-8", [1, 1, 1, 0xFF, 0, 0, 0, 0]),
        ("a tally of nothing", [1, 1, 1, 97, 0, 0, 0, 1, 0, 0]),
        ("a minute twice", [1, 1, 1, 97, 0, 0, 0, 2, 0, 1, 0, 1]),
        ("a length that time explains", [1, 1, 1, 97, 0, 0, 1, 1, 0]),
        ("a length beyond the capacity", [1, 1, 1, 97, 0, 0, 32, 5, 0]),
        ("a counter too many", [1, 1, 1, 97, 0, 0, 64, 0]),
    ])
    func malformedBytesAreNil(reason: String, bytes: [UInt8]) {
        var reader = PackedReader(bytes)
        #expect(BehaviorHistory(from: &reader) == nil)
    }

    /// Bytes with random changes give either no history, or one that can be queried and packed again.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func damagedBytesDoNotTrap(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let whole = bytes(typical())
        for _ in 0..<300 {
            var damaged = whole
            for _ in 0...Int.random(in: 0...3, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var reader = PackedReader(damaged)
            guard var history = BehaviorHistory(from: &reader) else { continue }
            #expect(bytes(history).count <= damaged.count)
            for name in history.names {
                for now in [instant("2026-11-21T07:00:00Z"), .distantFuture, Timestamp(milliseconds: .min)] {
                    for interval in EventInterval.allCases { _ = history.lastSeen(name.text, interval, at: now) }
                    history.record(name, count: 1, at: now)
                }
            }
        }
    }
}
