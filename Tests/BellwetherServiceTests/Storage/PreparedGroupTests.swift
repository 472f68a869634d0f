import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// A write that differs from the requested one is not reported as a success: the program refuses it, and counts it as
/// its own fault.
@Suite struct PreparedGroupTests {
    static let now = Timestamp(seconds: 1_790_000_000)
    static let client = ClientReference(app: "app", id: "c")
    static let name = RowName.client(client)
    static let lease = RowName.lease("job")

    private static func state(_ displays: UInt32) -> RowValue {
        var state = ClientState()
        state.ledger["m"].displayCount = displays
        return .client(state)
    }

    private func outcome(_ rows: [(name: RowName, value: RowValue)]) -> TransactionOutcome<ResultDelivery> {
        var outcome = TransactionOutcome<ResultDelivery>(result: {})
        outcome.rows = rows
        return outcome
    }

    private func group(_ rows: [RowWrite], _ outcomes: TransactionOutcome<ResultDelivery>...) -> PreparedGroup {
        var write = WriteGroup()
        write.rows = rows
        return PreparedGroup(write: write, outcomes: outcomes.enumerated().map { ($0, $1) })
    }

    private func difference(_ groups: PreparedGroup...) -> String? {
        PreparedGroup.difference(in: groups) { $0 == Self.name ? Self.state(7) : nil }
    }

    @Test func theLastValueThatIsWantedIsTheOneThatIsWritten() {
        let outcomes = [outcome([(Self.name, Self.state(1))]), outcome([(Self.name, Self.state(2))])]
        let write = { RowWrite(name: Self.name, expected: 1, value: Self.state($0)) }
        #expect(difference(group([write(2)], outcomes[0], outcomes[1])) == nil)
        #expect(difference(group([write(1)], outcomes[0], outcomes[1])) != nil)
    }

    @Test func aRowThatIsWantedAndNotWrittenIsADifference() {
        let kept = RowWrite(name: Self.name, expected: 1, value: nil)
        #expect(difference(group([kept], outcome([(Self.name, Self.state(7))]))) == nil, "as it was read")
        #expect(difference(group([kept], outcome([(Self.name, Self.state(8))]))) != nil)
        #expect(difference(group([kept], outcome([(Self.lease, .alias)]))) != nil, "in no group")
        let none = RowWrite(name: Self.lease, expected: 0, value: nil)
        #expect(difference(group([none], outcome([(Self.lease, .alias)]))) != nil, "left out")
    }

    @Test func aRowInTwoGroupsIsADifference() {
        let kept = RowWrite(name: Self.name, expected: 1, value: nil)
        #expect(difference(group([kept], outcome([])), group([kept], outcome([]))) != nil)
    }

    @Test func recordsAndIDsThatAreLeftOutAreADifference() {
        var wanted = outcome([])
        wanted.records = [("app", TelemetryRecord(at: Self.now, clientID: "c", category: "t", name: "n", extra: [:]))]
        #expect(difference(group([], wanted)) != nil)
        var ids = outcome([])
        ids.eventIDs = [EventIDs(client: Self.client, ids: ["e"], at: Self.now)]
        #expect(difference(group([], ids)) != nil)
    }

    /// A store that reports a write, but has left a row unchanged.
    @Test func aStoreThatLeavesARowOutIsNotBelieved() {
        let prepared = group([RowWrite(name: Self.name, expected: 3, value: Self.state(8))], outcome([]))
        #expect(prepared.difference(written: [4]) == nil)
        #expect(prepared.difference(written: [3]) != nil && prepared.difference(written: []) != nil)
    }

    @Test func aTransactionThatWritesWhatItHasNotNamedIsCounted() {
        let counts = StorageCounts()
        let writer = TransactionWriter(
            store: TestStore(), table: ClientTable(), counts: counts, feed: ChangeFeed(nil))
        let answers = Mutex([Result<Void, StoreError>]())
        let outcome = outcome([(Self.lease, .alias)])
        let transaction = Transaction(names: [Self.name], now: Self.now) { _ in .done(outcome.with(())) }
        writer.commit([.init(transaction) { answer in answers.withLock { $0.append(answer) } }])
        guard case .failure(.rejected)? = answers.withLock({ $0.first }) else { return #expect(Bool(false), "written") }
        #expect(counts.statistics.faults == 1)
    }
}
