import BellwetherBase
import BellwetherJSON
import Samples
import Testing

@testable import BellwetherCore

/// What a client's exposures and events change in its entries and in the cells
/// (docs/reference/goals.md#what-is-counted).
@Suite struct GoalCountingTests {
    private static let day: Int64 = 86_400
    private let document: JSONValue = [
        "branches": [["slug": "a", "ratio": 1], ["slug": "b", "ratio": 3]], "referenceBranch": "b",
        "goals": [
            ["name": "bought", "event": "purchase", "counts": "converted", "within_days": 2],
            [
                "name": "revenue", "event": "purchase", "counts": "sum", "property": "amount", "cap": 50,
                "within_days": 3,
            ],
            ["name": "visits", "event": "visit", "counts": "sum", "cap": 4, "cuped": false],
            ["name": "annoyed", "event": ["message": "dismissed"], "counts": "converted", "direction": "down"],
        ],
    ]
    private let branch = EnrolledBranch(slug: "e", branch: "a")

    private func table(isLive: Bool = true) throws -> GoalTable {
        let period = try #require(GoalPeriod(1, since: Sample.now, document: document))
        return GoalTable(["e": GoalTable.Entry(periods: [period], of: 1, current: 1, isLive: isLive)])
    }

    private func placed() -> ClientState {
        var state = ClientState()
        state.goals.enroll(branch, period: 1) { _ in false }
        return state
    }

    /// The state after steps at a time, in seconds after `Sample.now`.
    private func after(
        _ state: ClientState, at seconds: Int64 = 0, own: Int64? = nil, _ table: GoalTable,
        _ steps: (inout ClientJournal) -> Void
    ) -> ClientState {
        let now = Sample.now.adding(seconds: seconds)
        var journal = ClientJournal(state: state, clientID: "c", at: now, goals: table)
        if let own { journal.at = Sample.now.adding(seconds: own) }
        steps(&journal)
        return journal.state
    }

    private func purchase(_ amount: Double, count: UInt64 = 1) -> BehaviorEvent {
        BehaviorEvent(name: "purchase", count: count, properties: ["amount": .number(amount)])
    }

    private func outcomes(_ state: ClientState) -> [Int64] { state.goals.entries.first?.values.map(\.y) ?? [] }

    @Test func `The control is the reference branch`() throws {
        let period = try #require(GoalPeriod(1, since: Sample.now, document: document))
        #expect(period.control == "b" && period.branches.map(\.ratio) == [1, 3])
        #expect(period.goals.map(\.isPrimary) == [true, false, false, false])
    }

    @Test func `Events count after the exposure, up to the end of the window`() throws {
        let table = try table()
        var state = after(placed(), table) { _ = $0.behaved(purchase(3), at: nil) }
        #expect(outcomes(state) == [])
        state = after(state, at: 10, table) { $0.exposed(branch, featureID: "f") }
        #expect(outcomes(state) == [0, 0, 0, 0])
        #expect(state.goals.entries[0].values.map(\.x) == [1, 1, 0, 0], "the purchase before the exposure")
        state = after(state, at: 20, table) {
            _ = $0.behaved(purchase(19.9), at: nil)
            _ = $0.behaved(BehaviorEvent(name: "visit", count: 3), at: nil)
        }
        #expect(outcomes(state) == [1, 19_900, 3, 0])
        state = after(state, at: 10 + 2 * Self.day + 1, table) { _ = $0.behaved(purchase(1), at: nil) }
        #expect(outcomes(state) == [1, 20_900, 3, 0], "one window is closed")
        state = after(state, at: 10 + 3 * Self.day, table) { _ = $0.behaved(purchase(1), at: nil) }
        #expect(outcomes(state) == [1, 21_900, 3, 0], "the last second of the window")
        state = after(state, at: 11 + 3 * Self.day, table) {
            _ = $0.behaved(purchase(1), at: nil)
            _ = $0.behaved(BehaviorEvent(name: "visit", count: 9), at: nil)
        }
        #expect(outcomes(state) == [1, 21_900, 4, 0], "a sum ends at its cap")
    }

    @Test func `An event of an offline queue counts by its own time`() throws {
        let table = try table()
        let exposed = after(placed(), table) { $0.exposed(branch, featureID: "f") }
        let late = after(exposed, at: 5 * Self.day, own: Self.day, table) {
            _ = $0.behaved(purchase(2), at: Sample.now.adding(seconds: Self.day))
        }
        #expect(outcomes(late) == [1, 2_000, 0, 0])
        let before = after(exposed, at: Self.day, own: -1, table) {
            _ = $0.behaved(purchase(2), at: Sample.now.adding(seconds: -1))
        }
        #expect(outcomes(before) == [0, 0, 0, 0])
    }

    @Test func `A clock that is behind does not lose an event that happens now`() throws {
        let table = try table()
        let exposed = after(placed(), at: 100, table) { $0.exposed(branch, featureID: "f") }
        let state = after(exposed, at: 0, table) { _ = $0.behaved(purchase(2), at: nil) }
        #expect(outcomes(state) == [1, 2_000, 0, 0])
    }

    @Test func `Amounts are thousandths, halves up, and numbers out of bounds add nothing`() throws {
        let table = try table()
        let exposed = after(placed(), table) { $0.exposed(branch, featureID: "f") }
        for (amount, count, expected) in [
            (0.0005, 1, 1), (0.0004, 1, 0), (-1, 1, 0), (2e9, 1, 0), (1e9, 1, 50_000), (1.5, 3, 4_500),
        ] as [(Double, UInt64, Int64)] {
            let state = after(exposed, table) { _ = $0.behaved(purchase(amount, count: count), at: nil) }
            #expect(outcomes(state)[1] == expected, "\(amount)")
            #expect(outcomes(state)[0] == 1)
        }
        let bare = after(exposed, table) { _ = $0.behaved(BehaviorEvent(name: "purchase", count: 1), at: nil) }
        #expect(outcomes(bare) == [1, 0, 0, 0])
    }

    @Test func `Only the first exposure counts, in the branch of the enrollment, while the recipe is live`() throws {
        let table = try table()
        let elsewhere = after(placed(), table) {
            $0.exposed(EnrolledBranch(slug: "e", branch: "b"), featureID: "f")
        }
        #expect(elsewhere.goals.entries[0].exposedAt == nil)
        let paused = after(placed(), try self.table(isLive: false)) { $0.exposed(branch, featureID: "f") }
        #expect(paused.goals.entries[0].exposedAt == nil)
        let unplaced = after(ClientState(), table) { $0.exposed(branch, featureID: "f") }
        #expect(unplaced.goals.isEmpty)
        let first = after(placed(), table) { $0.exposed(branch, featureID: "f") }
        let second = after(first, at: 50, own: -Self.day, table) { $0.exposed(branch, featureID: "f") }
        #expect(first.goals == second.goals && first.goals.entries[0].exposedAt == Sample.now)
    }

    @Test func `A late exposure has its own time, and the counts of the days before it`() throws {
        let table = try table()
        var state = placed()
        for days in [40, 29, 3, 2, 1] as [Int64] {
            let time = Sample.now.adding(seconds: -days * Self.day - 3_600)
            state = after(state, at: -days * Self.day - 3_600, table) { _ = $0.behaved(purchase(1), at: nil) }
            #expect(state.behavior["purchase"] != nil, "\(time)")
        }
        state = after(state, own: -2 * Self.day, table) { $0.exposed(branch, featureID: "f") }
        #expect(state.goals.entries[0].exposedAt == Sample.now.adding(seconds: -2 * Self.day))
        // The 28 days before the day of the exposure have the purchases of 3 and 29 days ago.
        #expect(state.goals.entries[0].values.map(\.x) == [1, 2, 0, 0])
    }

    @Test func `Entries survive their stored form`() throws {
        let table = try table()
        var state = after(placed(), table) { $0.exposed(branch, featureID: "f") }
        state = after(state, at: 5, table) { _ = $0.behaved(purchase(7), at: nil) }
        state.goals.enroll(EnrolledBranch(slug: "é", branch: "x"), period: 12) { _ in false }
        let read = try #require(ClientState(encoded: state.encoded()))
        #expect(read == state && read.goals.entries.count == 2)
    }

    @Test func `The 33rd entry takes the place of the oldest whose windows are closed`() {
        var memory = GoalMemory()
        for number in 0..<32 {
            memory.enroll(EnrolledBranch(slug: "e\(number)", branch: "a"), period: 1) { _ in false }
        }
        for index in 0..<32 {
            memory.change(index) { $0.exposedAt = Sample.now.adding(seconds: Int64((index * 7) % 32)) }
        }
        var other = memory
        memory.enroll(EnrolledBranch(slug: "new", branch: "a"), period: 1) { $0.slug == "e9" || $0.slug == "e1" }
        #expect(memory.entries.count == 32 && !memory.entries.contains { $0.slug == "e1" })
        other.enroll(EnrolledBranch(slug: "new", branch: "a"), period: 1) { _ in false }
        #expect(other.entries.count == 32 && !other.entries.contains { $0.slug == "e0" })
    }
}
