import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Parquet
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// Files of a log, which processes write that are killed, paused and started again (docs/operators-guide.md#sinks).
@Suite struct EventFilesTests {
    private static let noon = Timestamp(rfc3339: "2026-11-20T12:00:00Z") ?? Timestamp(milliseconds: 0)

    private static func record(at time: Timestamp, _ number: Int = 0) -> TelemetryRecord {
        TelemetryRecord(
            at: time, clientID: "c\(number % 7)", category: "messaging", name: "shown",
            extra: ["message_key": "m", "revision": .integer(Int64(number))])
    }

    private static func files(
        _ store: TestStore, _ target: any FileTarget, rows: Int = 1000, everySeconds: Int64 = 60
    ) -> EventFiles {
        EventFiles(
            sink: SinkSettings(
                name: "lake", apps: nil, tables: [.events], everySeconds: everySeconds, rows: rows),
            app: "app", store: store, target: target, compressor: .none
        ) { false }
    }

    private static func write(_ files: EventFiles) throws(SinkFault) {
        var written = (rows: 0, files: 0)
        try files.write(&written)
    }

    /// The first and the last record of each file, in order.
    private static func ranges(of target: MemoryTarget) throws -> [(after: Int64, last: Int64, day: Substring)] {
        try target.files.map { name, file in
            let parts = name.split(separator: "/")
            let after = try #require(Int64(parts[4].split(separator: ".")[0].split(separator: "-")[1], radix: 16))
            let first = try #require(TelemetryCursor(text: MemoryTarget.value("bellwether.first", of: file) ?? ""))
            let last = try #require(TelemetryCursor(text: MemoryTarget.value("bellwether.last", of: file) ?? ""))
            #expect(first.number == after + 1)
            return (after, last.number, parts[3])
        }.sorted { $0.after < $1.after }
    }

    /// Whether each record up to a number is in exactly one file.
    private static func isComplete(_ target: MemoryTarget, through newest: Int64) throws -> Bool {
        var position: Int64 = 0
        for range in try ranges(of: target) {
            guard range.after == position else { return false }
            position = range.last
        }
        return position == newest
    }

    @Test func `A file ends with its day and with its number of records`() throws {
        let (store, target) = (TestStore(), MemoryTarget())
        let days = [Self.noon, Self.noon, Self.noon, Self.noon.adding(seconds: Timestamp.secondsPerDay)]
        for day in days { store.log(Self.record(at: day)) }
        store.set(time: days[3])
        try Self.write(Self.files(store, target, rows: 2))
        let ranges = try Self.ranges(of: target)
        #expect(ranges.map(\.last) == [2, 3, 4])
        #expect(ranges.map(\.day) == ["day=2026-11-20", "day=2026-11-20", "day=2026-11-21"])
        #expect(try store.position(of: Self.files(store, target).sink, in: "app")?.number == 4)
    }

    @Test func `With an interval of a day, a day is written when it is over`() throws {
        let (store, target) = (TestStore(), MemoryTarget())
        store.log(Self.record(at: Self.noon))
        store.log(Self.record(at: Self.noon.adding(seconds: Timestamp.secondsPerDay)))
        let files = Self.files(store, target, everySeconds: Timestamp.secondsPerDay)
        store.set(time: Self.noon)
        try Self.write(files)
        #expect(target.files.isEmpty)
        store.set(time: Self.noon.adding(seconds: Timestamp.secondsPerDay))
        try Self.write(files)
        #expect(try Self.ranges(of: target).map(\.last) == [1])
    }

    @Test func `Records that expired before they were written are a fault, and no gap`() throws {
        let (store, target) = (TestStore(), MemoryTarget())
        for _ in 0..<4 { store.log(Self.record(at: Self.noon)) }
        store.set(time: Self.noon)
        try Self.write(Self.files(store, target, rows: 1000))
        for _ in 0..<4 { store.log(Self.record(at: Self.noon)) }
        store.expire(upTo: 6)
        let fault = #expect(throws: SinkFault.self) { try Self.write(Self.files(store, target)) }
        #expect(fault?.isPassing == false)
        // An operator acknowledges the loss.
        let origin = ChangeOrigin(author: "operator", at: Self.noon)
        let outcome = try store.keepConsumer("sink:lake", of: "app", at: .start, onlyExpired: true, origin)
        guard case .kept = outcome else {
            Issue.record("\(outcome)")
            return
        }
        try Self.write(Self.files(store, target))
        #expect(try Self.ranges(of: target).map(\.after) == [0, 6])
        let again = try store.keepConsumer("sink:lake", of: "app", at: .start, onlyExpired: true, origin)
        #expect(again == .inUse)
    }

    /// Two processes without a lease. Each is interrupted around each operation: killed, or held while the other one
    /// writes. Then a last process writes the rest.
    private static func isCompleteAfterInterruptions(_ seed: UInt64, replacesFiles: Bool) throws -> Bool {
        var generator = SeededGenerator(seed: seed)
        let (store, target) = (TestStore(), MemoryTarget(replacesFiles: replacesFiles))
        store.set(time: noon)
        for round in 0..<6 {
            for number in 0..<Int.random(in: 1...9, using: &generator) {
                store.log(record(at: noon, round * 10 + number))
            }
            let processes = (0..<2).map { _ in files(store, target, rows: Int.random(in: 1...6, using: &generator)) }
            let choices = Mutex((0..<40).map { _ in Int.random(in: 0...5, using: &generator) })
            let isHeld = Mutex(false)
            target.interrupt { _ throws(SinkFault) in
                switch choices.withLock({ $0.popLast() ?? 5 }) {
                case 0: throw SinkFault("killed", isPassing: true)
                case 1:
                    guard
                        !isHeld.withLock({ held in
                            defer { held = true }
                            return held
                        })
                    else { return }
                    try? write(processes[1])
                    isHeld.withLock { $0 = false }
                default: return
                }
            }
            try? write(processes[0])
        }
        target.interrupt(nil)
        try write(files(store, target, rows: 5))
        let newest = try store.logs(LogQuery(app: "app")).logs.first?.newest ?? 0
        return try isComplete(target, through: newest)
    }

    @Test(arguments: 0..<Trials.count(40, many: 2000))
    func `Interruptions leave no gap and nothing twice`(_ trial: Int) throws {
        #expect(try Self.isCompleteAfterInterruptions(UInt64(trial), replacesFiles: false))
    }

    @Test func `The test above finds files that are replaced`() throws {
        #expect(throws: (any Error).self) {
            for seed in 0..<200 {
                guard try Self.isCompleteAfterInterruptions(UInt64(seed), replacesFiles: true) else {
                    throw SinkFault("found", isPassing: true)
                }
            }
        }
    }
}
