import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import StoreSupport
import TestSupport
import Testing

/// The rows that a transaction may request and write.
@Suite struct TransactionTests {
    static let now = Timestamp(seconds: 1_790_000_000)
    let store = TestStore()
    let first = RowName.client(ClientReference(app: "app", id: "first"))
    let second = RowName.client(ClientReference(app: "app", id: "second"))

    private func state(_ displays: UInt32) -> RowValue {
        var state = ClientState()
        state.ledger["m"].displayCount = displays
        return .client(state)
    }

    private func submit(_ transaction: Transaction<Void>) async -> Result<Void, StoreError> {
        let persistence = Persistence(store)
        return await withCheckedContinuation { done in
            persistence.submit(transaction) { done.resume(returning: $0) }
        }
    }

    private func value(_ name: RowName) throws -> RowValue? {
        try store.read(RowQuery(names: [name])).rows.first?.get()?.value.withoutMark
    }

    private func outcome(_ rows: [(name: RowName, value: RowValue)]) -> TransactionOutcome<Void> {
        var outcome = TransactionOutcome(result: ())
        outcome.rows = rows
        return outcome
    }

    @Test func itMayAskForMoreRowsAndWritesThemAllTogether() async throws {
        let (first, second) = (first, second)
        let written = outcome([(first, state(1)), (second, state(2))])
        let result = await submit(
            Transaction(names: [first], now: Self.now) { rows in
                rows.isLoaded(second) ? .done(written) : .needs([second])
            })
        guard case .success = result else { return #expect(Bool(false), "\(result)") }
        #expect(try value(first) == state(1) && value(second) == state(2))
    }

    @Test func whoAsksAgainAndAgainIsRefused() async throws {
        let second = second
        let result = await submit(Transaction(names: [first], now: Self.now) { _ in .needs([second]) })
        guard case .failure(.rejected) = result else { return #expect(Bool(false), "\(result)") }
        #expect(try value(first) == nil && value(second) == nil)
    }

    @Test func aRowThatWasNotNamedIsNotWritten() async throws {
        let written = outcome([(first, state(1)), (second, state(2))])
        let result = await submit(Transaction(names: [first], now: Self.now) { _ in .done(written) })
        guard case .failure(.rejected) = result else { return #expect(Bool(false), "\(result)") }
        #expect(try value(first) == nil && value(second) == nil)
    }

    /// Two transactions of one batch share no rows, and a third one shares rows with both: all three are one group,
    /// applied in order.
    @Test func transactionsThatShareRowsAreAppliedInTurn() async throws {
        let (first, second) = (first, second)
        let add = { (names: [RowName]) in
            Transaction<Void>(names: names, now: Self.now) { rows in
                var outcome = TransactionOutcome(result: ())
                for name in names {
                    guard case .client(let client) = name else { continue }
                    var state = rows.state(of: client)
                    state.ledger["m"].displayCount = state.ledger["m"].displayCount * 10 + UInt32(names.count)
                    outcome.rows.append((name, .client(state)))
                }
                return .done(outcome)
            }
        }
        let persistence = Persistence(store)
        let transactions = [add([first]), add([second]), add([first, second]), add([first])]
        let results = await withCheckedContinuation { done in
            let answers = ResultCollector<Void>(count: transactions.count) { done.resume(returning: $0) }
            for (index, transaction) in transactions.enumerated() {
                persistence.submit(transaction) { answers.add($0, at: index) }
            }
        }
        #expect(results.allSatisfy { (try? $0.get()) != nil })
        #expect(try value(first) == state(121) && value(second) == state(12))
    }
}
