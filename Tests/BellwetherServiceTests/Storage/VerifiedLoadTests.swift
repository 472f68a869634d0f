import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Synchronization
import Testing

@testable import BellwetherService

/// A cached entry is used if the store confirms its version
/// (docs/decisions/0081-every-look-up-is-told-how-fresh-it-must-be.md).
@Suite struct VerifiedLoadTests {
    private let store = TestStore(sharing: .asked)
    private let client = ClientReference(app: "app", id: "c")

    private func node() -> Persistence { Persistence(store, threads: .inPlace) }

    private func display(on node: Persistence) {
        let change = ClientChange(client: client, eventIDs: [], now: Timestamp(seconds: 0)) { state, _ in
            state.ledger["m"].displayCount += 1
            return ChangeOutcome(result: EventTally())
        }
        node.submit(Transaction([change])) { _ in }
    }

    private func displays(on node: Persistence) -> UInt32? {
        let result = Mutex<UInt32?>(nil)
        node.load(client) { loaded in
            result.withLock { $0 = (try? loaded.get())?.stored?.ledger["m"].displayCount }
        }
        return result.withLock { $0 }
    }

    @Test func aStoreOfOneProcessIsBelievedUnasked() {
        let store = TestStore()
        let node = Persistence(store, threads: .inPlace)
        display(on: node)
        guard case .known = node.lookUp(client) else { return #expect(Bool(false), "not known") }
        #expect(node.version(of: client) != nil && node.freshness == .local)
    }

    @Test func aSharedStoreIsAsked() {
        let nodes = [node(), node()]
        #expect(displays(on: nodes[1]) == nil)
        // Absence is verified like any version.
        display(on: nodes[0])
        #expect(displays(on: nodes[1]) == 1)
        for count in 2...4 {
            display(on: nodes[0])
            #expect(displays(on: nodes[1]) == UInt32(count))
            #expect(displays(on: nodes[0]) == UInt32(count))
        }
        guard case .notLoaded = nodes[0].lookUp(client) else { return #expect(Bool(false), "believed") }
        #expect(nodes[0].version(of: client) == nil)
    }

    /// Only the row's version is queried.
    @Test func aRowThatIsTheSameIsNotReadAgain() {
        let node = node()
        display(on: node)
        #expect(displays(on: node) == 1)
        let before = store.rowsRead
        for _ in 0..<3 { #expect(displays(on: node) == 1) }
        #expect(store.rowsRead == before)
    }

    private func rows(on node: Persistence) throws -> ReadRows {
        let result = Mutex<ReadRows?>(nil)
        node.loadJoined(client) { loaded in result.withLock { $0 = try? loaded.get().rows } }
        return try #require(result.withLock { $0 })
    }

    private func verified(_ rows: ReadRows, on node: Persistence) -> Bool? {
        let result = Mutex<Bool?>(nil)
        node.verify(rows) { isCurrent in result.withLock { $0 = isCurrent } }
        return result.withLock { $0 }
    }

    private func identify(on node: Persistence) {
        let name = RowName.client(client)
        node.submit(
            Transaction<Void>(names: [name], now: Timestamp(seconds: 0)) { rows in
                guard case .client(var state)? = rows[name] else { return .needs([name]) }
                state.userID = "u"
                var outcome = TransactionOutcome(result: ())
                outcome.rows = [(name, .client(state))]
                return .done(outcome)
            }
        ) { _ in }
    }

    /// A response depends on rows. Their versions are verified without a read of the rows.
    @Test func theRowsOfAnAnswerAreVerifiedByTheirVersions() throws {
        let nodes = [node(), node()]
        let absent = try rows(on: nodes[1])
        #expect(nodes[1].areCurrent(absent) == nil && verified(absent, on: nodes[1]) == true)
        display(on: nodes[0])
        #expect(verified(absent, on: nodes[1]) == false)
        let seen = try rows(on: nodes[1])
        let before = store.rowsRead
        #expect(verified(seen, on: nodes[1]) == true && store.rowsRead == before)
        display(on: nodes[0])
        #expect(verified(seen, on: nodes[1]) == false)
    }

    @Test func theRowOfTheUserIsVerifiedToo() throws {
        let nodes = [node(), node()]
        display(on: nodes[0])
        identify(on: nodes[0])
        let seen = try rows(on: nodes[1])
        #expect(seen.user != nil && verified(seen, on: nodes[1]) == true)
        let user = RowName.user(UserReference(app: "app", id: "u"))
        nodes[0].submit(
            Transaction(names: [user], now: Timestamp(seconds: 0)) { _ in
                var state = ClientState()
                state.ledger["m"].displayCount = 7
                var outcome = TransactionOutcome(result: ())
                outcome.rows = [(user, .client(state))]
                return .done(outcome)
            }
        ) { _ in }
        #expect(verified(seen, on: nodes[1]) == false)
        #expect(try verified(rows(on: nodes[1]), on: nodes[1]) == true)
    }

    @Test func anErasedRowIsReadAsAbsent() throws {
        let nodes = [node(), node()]
        display(on: nodes[0])
        #expect(displays(on: nodes[1]) == 1)
        let origin = ChangeOrigin(author: "test", at: Timestamp(seconds: 0))
        _ = try store.erase(.client(client), knownAs: [1], origin)
        #expect(displays(on: nodes[1]) == nil)
        display(on: nodes[0])
        #expect(displays(on: nodes[1]) == 1)
    }
}
