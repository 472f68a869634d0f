import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Logging
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// The feed reports all changes of a store: those of this process at once, those of others when the store is polled or
/// notifies.
@Suite struct ChangeFeedTests {
    private static let now = Timestamp(seconds: 1_790_000_000)
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func record(_ app: Identifier) -> Transaction<Void> {
        Transaction(names: [], now: Self.now) { _ in
            var outcome = TransactionOutcome(result: ())
            let record = TelemetryRecord(at: Self.now, clientID: "c", category: "test", name: "n", extra: [:])
            outcome.records = [(app, record)]
            return .done(outcome)
        }
    }

    @Test func ownCommitsAreToldAtOnce() {
        let node = Persistence(TestStore(), threads: .inPlace)
        let heard = Mutex<[Set<Identifier>?]>([])
        node.feed.followRecords { apps in heard.withLock { $0.append(apps) } }
        node.submit(record("a")) { _ in }
        #expect(heard.withLock(\.self) == [["a"]])
    }

    @Test func `Who has heard nothing for a second does not know what there is`() {
        let store = TestStore(sharing: .asked)
        let time = Mutex<UInt64>(1)
        let feed = ChangeFeed(store, uptime: { time.withLock(\.self) })
        feed.start()
        defer { feed.close() }
        time.withLock { $0 += 999_999_999 }
        #expect(feed.isCurrent)
        store.fail(.unavailable("told to"))
        feed.look()
        time.withLock { $0 += 1_000_000_000 }
        #expect(!feed.isCurrent && feed.reasonBehind == "told to")
        store.fail(nil)
        feed.look()
        #expect(feed.isCurrent)
        // A head that the follower did not accept is reported again.
        feed.followHeads { _ in false }
        time.withLock { $0 += 999_999_999 }
        feed.look()
        #expect(feed.isCurrent && feed.reasonBehind == nil)
        time.withLock { $0 += 1 }
        #expect(!feed.isCurrent)
        let alone = ChangeFeed(nil, uptime: { time.withLock(\.self) })
        #expect(alone.isCurrent && !alone.isShared && feed.isShared)
    }

    /// A look reports records once, without the apps that they belong to.
    @Test func recordsOfOthersAreToldWhenTheStoreIsAsked() {
        let store = TestStore(sharing: .asked)
        let nodes = (0..<2).map { _ in Persistence(store, threads: .inPlace) }
        let heard = Mutex<[Set<Identifier>?]>([])
        nodes[1].feed.look()
        nodes[1].feed.followRecords { apps in heard.withLock { $0.append(apps) } }
        nodes[0].submit(record("a")) { _ in }
        #expect(heard.withLock(\.self) == [])
        for _ in 0..<2 { nodes[1].feed.look() }
        #expect(heard.withLock(\.self) == [nil])
    }

    @Test(.timeLimit(.minutes(10))) func aStoreThatTellsIsLookedAtWithoutBeingAsked() async {
        let store = TestStore(sharing: .notifying)
        let nodes = (0..<2).map { _ in Persistence(store, threads: .inPlace) }
        nodes[1].feed.start()
        let (heads, told) = AsyncStream.makeStream(of: StoreHeads.self)
        nodes[1].feed.followHeads { heads in
            told.yield(heads)
            return true
        }
        nodes[0].submit(record("a")) { _ in }
        for await heads in heads where heads.newestRecord == 1 { break }
        nodes[1].feed.close()
    }

    /// The first token is made once, however many processes start at the same moment.
    @Test(arguments: StoreKind.allCases)
    func theFirstTokenIsMadeOnce(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        let store = test.store
        let issued = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                let register = TokenRegister(store: store, clock: .system, logger: logger)
                group.addTask { try register.issueFirst() != nil }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(issued == 1)
        #expect(try store.loadTokens().tokens.count == 1)
    }

    /// Two registers change tokens after the same head. Both changes are stored, and a name belongs to one token.
    @Test func aRegisterThatComesSecondChangesAgain() async throws {
        let store = TestStore(sharing: .asked)
        let registers = (0..<2).map { _ in TokenRegister(store: store, clock: .system, logger: logger) }
        for register in registers { _ = try register.start() }
        let issue = { (name: Identifier, node: Int) in
            let request = TokenRequest(name: name, scope: .owner, app: "*", expires: nil, author: "test")
            return await withCheckedContinuation { done in
                registers[node].issue(request) { done.resume(returning: $0.map(\.token.name)) }
            }
        }
        #expect(await issue("a", 0) == .success("a"))
        #expect(await issue("a", 1) == .failure(.nameTaken))
        #expect(await issue("b", 1) == .success("b"))
        #expect(await issue("b", 0) == .failure(.nameTaken))
        #expect(try store.loadTokens().tokens.map(\.name) == ["a", "b"])
        let revoke = { (name: Identifier, node: Int) in
            await withCheckedContinuation { done in
                registers[node].revoke(name, by: "test") { done.resume(returning: $0) }
            }
        }
        // A token that another node has just made.
        #expect(await issue("c", 0) == .success("c"))
        #expect(await revoke("c", 1) == nil)
        #expect(await revoke("c", 0) == .notFound)
    }
}
