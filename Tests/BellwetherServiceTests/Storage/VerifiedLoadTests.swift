import BellwetherBase
import BellwetherCore
import StoreSupport
import Synchronization
import Testing

@testable import BellwetherService

/// What a table holds is believed where the store says that it is the same
/// (docs/decisions/0081-every-look-up-is-told-how-fresh-it-must-be.md).
@Suite struct VerifiedLoadTests {
    private let store = MemoryStore(sharing: .asked)
    private let client = ClientReference(app: "app", id: "c")

    private func node() -> Persistence { Persistence(store, threads: .inPlace) }

    private func display(on node: Persistence) {
        let change = ClientChange(client: client, eventIDs: [], now: Timestamp(seconds: 0)) { state, _ in
            state.ledger["m"].displayCount += 1
            return ChangeOutcome(result: .recorded(EventTally()))
        }
        node.submit(Transaction([change])) { _ in }
    }

    private func displays(on node: Persistence) -> UInt32? {
        let result = Mutex<UInt32?>(nil)
        node.load(client) { loaded in
            result.withLock { $0 = (try? loaded.get()).flatMap { $0?.ledger["m"].displayCount } }
        }
        return result.withLock { $0 }
    }

    @Test func aStoreOfOneProcessIsBelievedUnasked() {
        let store = MemoryStore()
        let node = Persistence(store, threads: .inPlace)
        display(on: node)
        guard case .known = node.lookUp(client) else { return #expect(Bool(false), "not known") }
        #expect(node.version(of: client) != nil && node.freshness == .local)
    }

    @Test func aSharedStoreIsAsked() {
        let nodes = [node(), node()]
        #expect(displays(on: nodes[1]) == nil)
        // Absence is verified, as any version.
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

    /// Only its version is asked for.
    @Test func aRowThatIsTheSameIsNotReadAgain() {
        let node = node()
        display(on: node)
        #expect(displays(on: node) == 1)
        let before = store.rowsRead
        for _ in 0..<3 { #expect(displays(on: node) == 1) }
        #expect(store.rowsRead == before)
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
