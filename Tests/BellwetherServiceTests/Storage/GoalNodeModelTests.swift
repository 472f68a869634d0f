import BellwetherBase
import BellwetherJSON
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAuthoring
@testable import BellwetherCore
@testable import BellwetherService

/// Compares exposures, events and erasures at several nodes at once and one after another. All clients of a branch
/// share the cell of a day, so the sums must be equal (docs/reference/goals.md#what-is-stored).
///
/// The test also runs a store that compares no versions, and must find that sums are lost.
@Suite struct GoalNodeModelTests {
    private static let clients = 6
    /// The clients that are erased while the others report events.
    private static let erased = 2
    private static let document: JSONValue = [
        "branches": [["slug": "a", "ratio": 1], ["slug": "b", "ratio": 1]],
        "goals": [["name": "bought", "event": "purchase", "counts": "sum"]],
    ]

    private struct Purchase: Sendable {
        let client: Int
        let id: Int
        let count: UInt64
    }

    private static func purchases(_ seed: UInt64) -> [Purchase] {
        var random = SeededGenerator(seed: seed)
        return (0..<60).map { _ in
            let id = Int.random(in: 0..<30, using: &random)
            return Purchase(
                client: Int.random(in: erased..<clients, using: &random), id: id, count: UInt64(id % 4 + 1))
        }
    }

    /// The numbers n, c, Σy and Σy² after all requests, one after another.
    private static func sums(_ purchases: [Purchase]) -> [Int] {
        var outcomes: [Int: [Int: Int]] = [:]
        for purchase in purchases { outcomes[purchase.client, default: [:]][purchase.id] = Int(purchase.count) }
        let sums = outcomes.values.map { $0.values.reduce(0, +) }
        return [clients - erased, sums.count, sums.reduce(0, +), sums.reduce(0) { $0 + $1 * $1 }]
    }

    private static func client(_ number: Int) -> ClientReference { ClientReference(app: "app", id: "c\(number)") }

    private static func change(
        of number: Int, id: String, _ table: GoalTable, _ step: @escaping @Sendable (inout ClientJournal) -> Void
    ) -> Transaction<[Bool]> {
        let now = SharedStoreTests.now
        let change = ClientChange(client: client(number), eventIDs: [Identifier(id)], now: now, goals: table) {
            state, input in
            guard !input.isDuplicate[0] else { return ChangeOutcome(result: false) }
            state.goals.enroll(EnrolledBranch(slug: "e", branch: "a"), period: 1) { _ in false }
            var journal = ClientJournal(state: state, clientID: "c", at: now, goals: input.goals)
            step(&journal)
            state = journal.state
            return ChangeOutcome(result: true)
        }
        return Transaction([change])
    }

    private func run(_ seed: UInt64, _ store: any Store, comparingVersions: Bool = true) async throws -> [Int] {
        let readers = Readers(seconds: comparingVersions ? 0.001 : 0.2)
        let nodes = (0..<3).map { _ in
            Persistence(NodeStore(store, readers: readers, comparesVersions: comparingVersions))
        }
        let period = try #require(GoalPeriod(1, since: SharedStoreTests.now, document: Self.document))
        let table = GoalTable(["e": GoalTable.Entry(periods: [period], of: 1, current: 1, isLive: true)])
        let branch = EnrolledBranch(slug: "e", branch: "a")
        // Each client is exposed at all nodes at once.
        let exposures = Self.clients * nodes.count
        _ = await withCheckedContinuation { done in
            let told = ResultCollector<[Bool]>(count: exposures) { done.resume(returning: $0) }
            for number in 0..<exposures {
                let exposure = Self.change(of: number % Self.clients, id: "x\(number)", table) {
                    $0.exposed(branch, featureID: "f")
                }
                nodes[number / Self.clients].submit(exposure) { told.add($0, at: number) }
            }
        }
        let purchases = Self.purchases(seed)
        _ = await withCheckedContinuation { done in
            let told = ResultCollector<[Bool]>(count: purchases.count + Self.erased) { done.resume(returning: $0) }
            for (number, purchase) in purchases.enumerated() {
                let event = BehaviorEvent(name: "purchase", count: purchase.count)
                let change = Self.change(of: purchase.client, id: "p\(purchase.id)", table) {
                    _ = $0.behaved(event, at: nil)
                }
                nodes[number % nodes.count].submit(change) { told.add($0, at: number) }
            }
            for number in 0..<Self.erased {
                let origin = ChangeOrigin(author: "owner", at: SharedStoreTests.now)
                nodes[number].erase(.client(Self.client(number)), knownAs: [1], origin) {
                    told.add($0.map { [$0 == .erased] }, at: purchases.count + number)
                }
            }
        }
        var cell = GoalCell()
        for row in try store.find(.small(.cell, app: "app"), limit: .max) {
            if case .cell(let found) = try row.value.get() { cell.add(found) }
        }
        let sums = cell.goals.first ?? GoalSums()
        return [Int(sums.n), Int(sums.c), Int(sums.sy), Int(sums.syy)]
    }

    @Test(arguments: StoreKind.allCases)
    func `The sums of several nodes are those of one`(_ kind: StoreKind) async throws {
        for seed in 0..<(NodeModelTests.seeds[kind] ?? 0) {
            let test = try ContractStore(kind)
            #expect(try await run(seed, test.store) == Self.sums(Self.purchases(seed)), "seed \(seed)")
        }
    }

    @Test func `A store that compares no versions loses sums`() async throws {
        var isFound = false
        for seed in (0..<8) as Range<UInt64> where !isFound {
            let store = TestStore(sharing: .asked)
            isFound = try await run(seed, store, comparingVersions: false) != Self.sums(Self.purchases(seed))
        }
        #expect(isFound)
    }
}
