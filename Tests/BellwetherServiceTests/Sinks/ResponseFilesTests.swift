import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Parquet
import StoreSupport
import Surveys
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// Files of days of responses, which are written again when a response has changed.
@Suite struct ResponseFilesTests {
    private static let first = Timestamp(rfc3339: "2026-11-20T12:00:00Z") ?? Timestamp(milliseconds: 0)
    private static let second = first.adding(seconds: Timestamp.secondsPerDay)
    private static let sink = SinkSettings(
        name: "lake", apps: nil, tables: [.responses, .answers], everySeconds: 60, rows: 1000)
    private static let names = ["20", "21"].map { "responses/v1/app/begun=2026-11-\($0)/data.parquet" }

    private let store = TestStore()
    private let target = MemoryTarget()

    init() {
        // The log of an app begins with its first record.
        store.log(TelemetryRecord(at: Self.first, clientID: "c", category: "messaging", name: "shown", extra: [:]))
    }

    private func save(_ id: Identifier, at time: Timestamp, _ status: Run.Status = .new) throws {
        let reference = RunReference(app: "app", id: id)
        var run = Run(
            id: id, slug: "ask", kind: .questionnaire, revision: 1, respondent: .client("c"), at: time)
        run.status = status
        let version = try store.versions(of: [.run(reference)])[0]
        let value = RowValue.run(run)
        _ = try store.write([WriteGroup([RowWrite(name: .run(reference), expected: version, value: value)])])
    }

    private func erase(_ id: Identifier) throws {
        let name = RowName.run(RunReference(app: "app", id: id))
        let version = try store.versions(of: [name])[0]
        _ = try store.write([WriteGroup([RowWrite(name: name, expected: version, value: .nothing)])])
    }

    /// The known digests after a write, which another write of the same process begins with.
    @discardableResult
    private func write(_ known: [String: String] = [:], expecting count: Int) throws -> [String: String] {
        var files = ResponseFiles(sink: Self.sink, app: "app", target: target, known: known) { false }
        var tables = ResponseTables(of: "app", nil, in: store, .none)
        let written = try files.write(&tables, until: Self.second)
        #expect(written.files == count)
        return files.known
    }

    @Test func `Only the day of a response that has changed is written again`() throws {
        try save("a", at: Self.first)
        try save("b", at: Self.second)
        let known = try write(expecting: 4)
        let before = target.files
        try write(known, expecting: 0)
        // A process that starts again knows nothing, and reads the digests of the files.
        try write(expecting: 0)
        try save("b", at: Self.second, .addressed)
        try write(known, expecting: 2)
        #expect(target.files[Self.names[0]] == before[Self.names[0]])
        #expect(target.files[Self.names[1]] != before[Self.names[1]])
    }

    @Test(arguments: [true, false]) func `An erased response leaves the file of its day`(_ isSameProcess: Bool) throws {
        try save("erased", at: Self.first)
        let known = try write(expecting: 2)
        func holds() -> Bool {
            target.files[Self.names[0]].map { $0.content.contains(sequence: Array("erased".utf8)) } ?? false
        }
        #expect(holds())
        try erase("erased")
        try write(isSameProcess ? known : [:], expecting: 2)
        #expect(!holds())
        #expect(target.files[Self.names[0]] != nil)
    }

    @Test func `A process that was held does not replace a newer file`() throws {
        try save("a", at: Self.first)
        let isHeld = Mutex(false)
        target.interrupt { [self] moment in
            guard moment == .after,
                !isHeld.withLock({ held in
                    defer { held = true }
                    return held
                })
            else { return }
            // The other process writes all, and then one of the rows changes and is written.
            #expect(throws: Never.self) {
                try write(expecting: 2)
                try save("a", at: Self.first, .dismissed)
                try write(expecting: 2)
            }
        }
        var files = ResponseFiles(sink: Self.sink, app: "app", target: target, known: [:]) { false }
        var tables = ResponseTables(of: "app", nil, in: store, .none)
        _ = try files.write(&tables, until: Self.second)
        target.interrupt(nil)
        let newest = target.files
        try write(expecting: 0)
        #expect(target.files == newest)
    }
}

extension Collection where Element: Equatable {
    fileprivate func contains(sequence: [Element]) -> Bool {
        guard sequence.count <= count else { return false }
        let all = Array(self)
        return (0...(all.count - sequence.count)).contains { all[$0..<$0 + sequence.count].elementsEqual(sequence) }
    }
}
