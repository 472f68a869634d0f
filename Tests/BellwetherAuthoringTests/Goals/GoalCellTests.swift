import BellwetherBase
import BellwetherJSON
import Testing

@testable import BellwetherAuthoring
@testable import BellwetherCore

/// The cells that follow from the entries of clients (docs/reference/goals.md#what-is-stored).
@Suite struct GoalCellTests {
    private static let start = Timestamp(seconds: 1_773_144_000)
    private let branch = EnrolledBranch(slug: "e", branch: "a")
    private let document: JSONValue = [
        "branches": [["slug": "a", "ratio": 1], ["slug": "b", "ratio": 3]],
        "goals": [
            ["name": "bought", "event": "purchase", "counts": "converted"],
            ["name": "revenue", "event": "purchase", "counts": "sum", "property": "amount", "cap": 50],
        ],
    ]

    private func after(_ state: ClientState, _ steps: (inout ClientJournal) -> Void) throws -> ClientState {
        let period = try #require(GoalPeriod(1, since: Self.start, document: document))
        let table = GoalTable(["e": GoalTable.Entry(periods: [period], of: 1, current: 1, isLive: true)])
        var journal = ClientJournal(state: state, clientID: "c", at: Self.start, goals: table)
        steps(&journal)
        return journal.state
    }

    private func purchase(_ amount: Double, count: UInt64 = 1) -> BehaviorEvent {
        BehaviorEvent(name: "purchase", count: count, properties: ["amount": .number(amount)])
    }

    private func placed() -> ClientState {
        var state = ClientState()
        state.goals.enroll(branch, period: 1) { _ in false }
        return state
    }

    @Test func `Cells are the sums of the entries, and an erased client is subtracted`() throws {
        let exposed = try after(placed()) {
            _ = $0.behaved(purchase(1, count: 5), at: nil)
            $0.exposed(branch, featureID: "f")
        }
        let bought = try after(exposed) { _ = $0.behaved(purchase(2), at: nil) }
        var cell = GoalCell()
        for (_, change) in GoalMemory.changes(from: GoalMemory(), to: exposed.goals) { cell.add(change) }
        for (key, change) in GoalMemory.changes(from: exposed.goals, to: bought.goals) {
            #expect(key.branch == "a" && key.period == 1 && key.day == Self.start.seconds / 86_400)
            cell.add(change)
        }
        #expect(cell.json["goals"] == ["1 1 1 1 1 1 1", "1 1 2000 4000000 5 25 10000"])
        #expect(GoalCell(cell.json) == cell)
        for (_, change) in GoalMemory.changes(from: bought.goals, to: nil) { cell.add(change) }
        #expect(cell.isEmpty)
    }

    @Test func `An entry that was dropped for another one stays counted`() throws {
        let exposed = try after(placed()) { $0.exposed(branch, featureID: "f") }
        var dropped = exposed.goals
        for number in 0..<32 {
            dropped.enroll(EnrolledBranch(slug: "e\(number)", branch: "a"), period: 1) { _ in false }
        }
        #expect(!dropped.entries.contains { $0.slug == "e" })
        #expect(GoalMemory.changes(from: exposed.goals, to: dropped).isEmpty)
    }

    @Test func `Stored sums of another form are refused`() {
        for text in ["", "1 2 3", "1 2 3 4 5 6 7 8", "1 2 3 4 5 6 x"] {
            #expect(GoalCell(["goals": [.string(text)]]) == nil, "\(text)")
        }
    }
}
