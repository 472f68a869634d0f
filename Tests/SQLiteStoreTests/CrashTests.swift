import BellwetherCore
import BellwetherJSON
import BellwetherService
import Foundation
import SQLiteWire
import Synchronization
import TestSupport
import Testing

@testable import SQLiteStore

/// A process that is killed with SIGKILL: every acknowledged write is stored, exactly once
/// (docs/reference/http-api.md#durability-and-visibility).
struct CrashTests {
    /// The process writes each acknowledgement into a file, and kills itself inside the completion of one submission,
    /// while others are under way.
    @Test(arguments: [1, 7, 200])
    func whatWasAcknowledgedIsThereAndNothingTwice(_ acknowledgements: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, acknowledgements = acknowledgements as Int] in
            let persistence = Persistence(try SQLiteStore(directory: path))
            let acknowledged = try FileHandle(creating: path + "/acknowledged")
            let count = Mutex(0)
            for number in 0... {
                guard eventually({ persistence.statistics.waiting <= 50 }) else { return }
                let change = StoreUnderTest.crashing(number)
                persistence.submit(Transaction([change])) { result in
                    guard case .success = result else { return }
                    count.withLock { count in
                        acknowledged.write(Data("\(number)\n".utf8))
                        count += 1
                        if count == acknowledgements { kill(getpid(), SIGKILL) }
                    }
                }
            }
        }
        let text = try String(contentsOfFile: path + "/acknowledged", encoding: .utf8)
        let acknowledged = text.split(separator: "\n").compactMap { Int($0) }
        #expect(acknowledged.count == acknowledgements)
        try await expectExactlyOnce(acknowledged, in: directory)
    }

    private func expectExactlyOnce(_ acknowledged: [Int], in directory: TemporaryDirectory) async throws {
        let test = try StoreUnderTest(directory)
        let integrity = try test.store.database.read { try $0.texts("PRAGMA integrity_check") }
        #expect(integrity == ["ok"])
        // Everything is sent again, as by a client without a response.
        let last = try #require(acknowledged.max())
        for number in 0...last {
            let tally = try #require(try await test.submit(StoreUnderTest.crashing(number)).first)
            #expect(!acknowledged.contains(number) || tally.duplicates == 2)
        }
        var displays = 0
        for number in 0..<5 {
            displays += Int(try await test.displayCount(of: StoreUnderTest.client("c\(number)")) ?? 0)
        }
        #expect(try test.count("event_id") == displays)
        #expect(displays >= 2 * (last + 1))
        #expect(try test.count("telemetry") * 2 == displays)
    }
}

extension StoreUnderTest {
    /// Two displays with ids, and one record if they are new.
    fileprivate static func crashing(_ number: Int) -> ClientChange<EventTally> {
        let client = client("c\(number % 5)")
        return ClientChange(client: client, eventIDs: ["\(number)a", "\(number)b"], now: now) { state, input in
            var tally = EventTally()
            tally.duplicates = input.isDuplicate.filter(\.self).count
            tally.accepted = 2 - tally.duplicates
            state.ledger["m"].displayCount += UInt32(tally.accepted)
            let record = TelemetryRecord(at: now, clientID: client.id, category: "test", name: "\(number)", extra: [:])
            return ChangeOutcome(records: tally.accepted > 0 ? [record] : [], result: tally)
        }
    }
}

extension FileHandle {
    fileprivate convenience init(creating path: String) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        try self.init(forWritingTo: URL(fileURLWithPath: path))
    }
}
