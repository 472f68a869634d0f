import BellwetherBase
import BellwetherCore
import BellwetherService
import Foundation
import Surveys

/// A store as one of several nodes uses it: the rows are shared, and the turn of its writers belongs to the node.
///
/// The store may have a deliberate fault: it writes as if each row still had the version that was read, or an erasure
/// keeps the slots of the erased runs.
final class NodeStore: Store {
    private let store: any Store
    private let comparesVersions: Bool
    private let keepsSlotsOfErased: Bool
    private let readers: Readers
    let turn = WriteTurn()

    /// - Parameter readers: the readers of all nodes.
    init(
        _ store: any Store, readers: Readers, comparesVersions: Bool = true, keepsSlotsOfErased: Bool = false
    ) {
        (self.store, self.readers, self.comparesVersions) = (store, readers, comparesVersions)
        self.keepsSlotsOfErased = keepsSlotsOfErased
    }

    func write(_ groups: [WriteGroup]) throws(StoreError) -> [WriteOutcome] {
        guard !comparesVersions else { return try store.write(keepsSlotsOfErased ? withoutTallies(groups) : groups) }
        while true {
            var blind = groups
            for index in blind.indices {
                let versions = try store.versions(of: blind[index].rows.map(\.name))
                blind[index].rows = zip(blind[index].rows, versions).map {
                    RowWrite(name: $0.name, expected: $1, value: $0.value)
                }
                blind[index].eventIDs = []
            }
            let outcomes = try store.write(blind)
            let isWritten = outcomes.allSatisfy { if case .written = $0 { true } else { false } }
            if isWritten { return zip(outcomes, groups).map(Self.hidingOtherWriters) }
        }
    }

    /// The outcome with the version that the node has read, of each row that it only reads. Another version would show
    /// the node that another one has written the row.
    private static func hidingOtherWriters(_ outcome: WriteOutcome, _ group: WriteGroup) -> WriteOutcome {
        guard case .written(let versions) = outcome else { return outcome }
        return .written(zip(versions, group.rows).map { $1.value == nil ? $1.expected : $0 })
    }

    private func withoutTallies(_ groups: [WriteGroup]) -> [WriteGroup] {
        groups.map { group in
            guard group.isErasure else { return group }
            var group = group
            group.rows.removeAll { if case .tally = $0.name { true } else { false } }
            return group
        }
    }

    /// Reads, and waits until another node has read before this node writes.
    func read(_ query: RowQuery) throws(StoreError) -> RowReading {
        let reading = try store.read(query)
        readers.waitForAnother()
        return reading
    }

    var shared: (any SharedHeads)? { store.shared }
    var clock: Clock { store.clock }
    var status: StoreStatus { store.status }

    func versions(of names: [RowName]) throws(StoreError) -> [UInt64] { try store.versions(of: names) }

    func find(_ index: RowIndex, limit: Int) throws(StoreError) -> [FoundRow] { try store.find(index, limit: limit) }

    func count(_ index: RowIndex, limit: Int) throws(StoreError) -> Int { try store.count(index, limit: limit) }

    func readAudit(_ query: AuditQuery) throws(StoreError) -> [AuditRecord] { try store.readAudit(query) }

    func delete(_ range: LogRange, limit: Int) throws(StoreError) -> Int { try store.delete(range, limit: limit) }

    func readResultRows<Value>(
        _ query: ResultsQuery, _ body: (any ResultRows) throws -> Value
    ) throws(StoreError) -> Value { try store.readResultRows(query, body) }

    func census() throws(StoreError) -> SlotCensus { try store.census() }

    func loadCatalog() throws(StoreError) -> StoredCatalog { try store.loadCatalog() }

    func logs(_ query: LogQuery) throws(StoreError) -> RecordLogs { try store.logs(query) }

    func records(_ range: RecordRange) throws(StoreError) -> RecordPage { try store.records(range) }

    func interruptReads() { store.interruptReads() }

    func close() { store.close() }
}

/// The nodes that read a store. Each waits for the next one, so that their writes depend on the same rows.
final class Readers: @unchecked Sendable {
    private let seconds: Double
    private let condition = NSCondition()
    /// The number of reads, guarded by the condition.
    private var count = 0

    /// - Parameter seconds: how long the last node waits if no node follows.
    init(seconds: Double) { self.seconds = seconds }

    func waitForAnother() {
        let end = Date(timeIntervalSinceNow: seconds)
        condition.withLock {
            count += 1
            let own = count
            condition.broadcast()
            while count == own, condition.wait(until: end) {}
        }
    }
}
