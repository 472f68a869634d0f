import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Surveys
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// Random transactions that share rows, applied in batches, and the same transactions one after another. The stored
/// rows, the records and the results must be equal.
///
/// The test detects two faults within the first rounds: if each transaction sees all rows of the batch, and if groups
/// consider only a transaction's first names.
@Suite struct TransactionModelTests {
    static let now = Timestamp(seconds: 1_790_000_000)
    static let rounds: [StoreKind: UInt64] = [.memory: 120, .sqlite: 25, .postgres: 10]

    @Test(arguments: StoreKind.allCases)
    func batchesAreAsTransactionsOneAfterAnother(_ kind: StoreKind) throws {
        for seed in 0..<(Self.rounds[kind] ?? 0) {
            var random = SeededGenerator(seed: seed)
            let test = try ContractStore(kind)
            var model = SequentialModel()
            let newWriter = {
                TransactionWriter(
                    store: test.store, table: ClientTable(), counts: StorageCounts(), feed: ChangeFeed(nil))
            }
            var writer = newWriter()
            var number = 0
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                // A new writer, which knows no client yet, now and then.
                if Int.random(in: 0..<4, using: &random) == 0 {
                    writer = newWriter()
                }
                let plans = (0..<Int.random(in: 1...25, using: &random)).map { _ in
                    number += 1
                    return TransactionPlan(number: number, using: &random)
                }
                let told = try commit(plans, writer)
                #expect(told == plans.map { model.apply($0) }, "seed \(seed)")
                try model.compare(with: test.store, seed)
            }
        }
    }

    private func commit(_ plans: [TransactionPlan], _ writer: TransactionWriter) throws -> [String] {
        let answers = Mutex([[Result<String, StoreError>]](repeating: [], count: plans.count))
        writer.commit(
            plans.enumerated().map { index, plan in
                TransactionWriter.Pending(plan.transaction) { answer in
                    answers.withLock { $0[index].append(answer) }
                }
            })
        return try answers.withLock(\.self).map { answers in
            guard answers.count == 1, let answer = answers.first else { throw Failure("\(answers.count) answers") }
            return try answer.get()
        }
    }
}

/// A transaction that requests rows in rounds; each round depends on the rows before. It then is refused, changes
/// nothing, or changes rows that it got. Its writes depend on all that it has read.
private struct TransactionPlan: Sendable {
    enum End: CaseIterable {
        case refused, unchanged, change, changeAll
    }

    let number: Int
    let rounds: Int
    /// Whether it reads rows without a request for them first.
    let asksByReading: Bool
    let end: End
    let first: [RowName]

    init(number: Int, using random: inout SeededGenerator) {
        self.number = number
        rounds = Int.random(in: 0...6, using: &random)
        asksByReading = Bool.random(using: &random)
        end = End.allCases.randomElement(using: &random) ?? .refused
        first = [.client(Self.client(Int.random(in: 0..<3, using: &random)))]
    }

    private static let app: Identifier = "app"

    private static func client(_ number: Int) -> ClientReference { ClientReference(app: app, id: "c\(number)") }

    /// Every kind of row that transactions share.
    static let names: [RowName] = [
        .client(client(0)), .client(client(1)), .client(client(2)),
        .user(UserReference(app: app, id: "u0")), .user(UserReference(app: app, id: "u1")),
        .run(RunReference(app: app, id: "r0")), .run(RunReference(app: app, id: "r1")),
        .run(RunReference(app: app, id: "r2")), .currentRun(app: app, slug: "s", respondent: "user:u0"),
        .currentRun(app: app, slug: "s", respondent: "user:u1"), .runList(app: app, respondent: "user:u0"),
        .tally(app: app, key: "t0"), .tally(app: app, key: "t1"), .lease("l0"), .lease("l1"),
    ]

    var transaction: Transaction<String> {
        let ids = number % 3 == 0 ? [EventIDs(client: Self.client(number % 2), ids: ["e\(number % 5)"], at: now)] : []
        let names = first + ids.map { .client($0.client) }
        return Transaction(names: names, eventIDs: ids, now: now) { step($0) }
            .notifying(except: nil, isEffect: number % 4 == 0)
    }

    private var now: Timestamp { TransactionModelTests.now }

    private func step(_ rows: TransactionRows) -> TransactionStep<String> {
        var (given, digest) = (first, 0)
        for name in first { digest = mixed(digest, rows[name]) }
        for round in 0..<rounds {
            let name = Self.names[(digest / 7 + number + round * 5) % Self.names.count]
            guard asksByReading || rows.isLoaded(name) else { return .needs([name]) }
            digest = mixed(digest, rows[name])
            if !given.contains(name) { given.append(name) }
        }
        return .done(outcome(given, digest, rows))
    }

    private func outcome(_ given: [RowName], _ digest: Int, _ rows: TransactionRows) -> TransactionOutcome<String> {
        let isKnown = rows.knownIDs.first?.first ?? false
        let text = "\(number): \(digest)\(isKnown ? ", known" : "")"
        var outcome = TransactionOutcome(result: text)
        let changed: [RowName]
        switch end {
        case .refused: return outcome
        case .unchanged:
            outcome.rows = given.compactMap { name in rows[name].map { (name, $0) } }
            return outcome
        case .change: changed = Array(given.suffix(1))
        case .changeAll: changed = given
        }
        outcome.rows = changed.map { ($0, value(of: $0, digest % 1_000_000)) }
        let record = TelemetryRecord(at: now, clientID: "c", category: "test", name: "n\(number)", extra: [:])
        outcome.records = [("app", record)]
        if let ids = transaction.eventIDs.first, !isKnown { outcome.eventIDs = [ids] }
        return outcome
    }

    /// A number that depends on the earlier reads and on a row.
    private func mixed(_ digest: Int, _ value: RowValue?) -> Int {
        let number =
            switch value {
            // Some values are stored as an absent row.
            case nil: 1
            case let value? where value.isAsNoRow: 1
            case .client(let state)?: Int(state.ledger["m"].displayCount) + 1
            case .run(let run)?: run.revision
            case .currentRun(let id)?: id.flatMap { Int($0.text) } ?? 2
            case .runList(let list)?: list.ids.reduce(3) { ($0 * 31 + (Int($1.text) ?? 0)) % 1_000_003 }
            case .tally(let tally)?: tally.submitted
            case .lease(let lease)?: Int(lease.holder.text) ?? 4
            default: 5
            }
        return (digest * 31 + number + 11) % 1_000_003
    }

    private func value(of name: RowName, _ number: Int) -> RowValue {
        switch name {
        case .client, .user:
            var state = ClientState()
            state.ledger["m"].displayCount = UInt32(number)
            return .client(state)
        case .run(let run):
            return .run(
                Run(id: run.id, slug: "s", kind: .questionnaire, revision: number, respondent: .anonymous, at: now))
        case .currentRun: return .currentRun(number % 5 == 0 ? nil : "\(number)")
        case .runList: return .runList(RunList(["\(number)", "\(number / 2)"]))
        case .tally:
            var tally = Tally()
            tally.submitted = number
            return .tally(tally)
        default: return .lease(Lease(holder: "\(number)", until: now))
        }
    }
}

/// The same transactions one after another, which is the behaviour that Bellwether guarantees.
private struct SequentialModel {
    private var rows: [RowName: RowValue] = [:]
    /// How often each person's row has changed in a way that notifies streams.
    private var changes: [RowName: UInt64] = [:]
    private var ids: Set<String> = []
    private var records: [Identifier] = []

    /// The result that the requester gets.
    mutating func apply(_ plan: TransactionPlan) -> String {
        let transaction = plan.transaction
        var names = transaction.names
        let known = transaction.eventIDs.map { ids in ids.ids.map { self.ids.contains(ids.client.id.text + $0.text) } }
        while true {
            var given = TransactionRows(knownIDs: known)
            for name in names { given.enter(name, rows[name]) }
            switch transaction.apply(given) {
            case .needs(let more): names += more
            case .done(let outcome):
                guard given.readUnnamed.isEmpty else {
                    names += given.readUnnamed
                    continue
                }
                for (name, value) in outcome.rows {
                    if case .client = value, !transaction.isEffect, value != rows[name] ?? .client(ClientState()) {
                        changes[name, default: 0] += 1
                    }
                    rows[name] = value
                }
                for ids in outcome.eventIDs { for id in ids.ids { self.ids.insert(ids.client.id.text + id.text) } }
                records += outcome.records.map(\.record.name)
                return outcome.result
            }
        }
    }

    func compare(with store: any Store, _ seed: UInt64) throws {
        let reading = try store.read(RowQuery(names: TransactionPlan.names))
        for (name, row) in zip(TransactionPlan.names, reading.rows) {
            let stored = try row.get()?.value
            // All changes are made in one second, and each is later than the one before.
            let second = UInt64(TransactionModelTests.now.milliseconds / 1_000)
            #expect(stored?.mark ?? 0 == changes[name].map { second + $0 - 1 } ?? 0, "seed \(seed): \(name)")
            // A client with event ids only has a row with an empty state.
            let values = [stored, rows[name]].map { value in
                let value = value?.withoutMark
                return value?.isAsNoRow == true ? nil : value
            }
            #expect(values.first == values.last, "seed \(seed): \(name)")
        }
        let log = try store.readTelemetry(TelemetryQuery(app: "app", after: .start, limit: 10_000)).rows.map(\.name)
        #expect(log.sorted() == records.sorted(), "seed \(seed)")
    }
}
