import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// Which streams a commit concerns, by whichever node it was made (docs/reference/streams.md#who-is-notified).
@Suite struct StreamHubTests {
    private static let seeds: UInt64 = 40

    @Test func `Each stream is notified of what concerns it, and of nothing else`() throws {
        for seed in 0..<Self.seeds {
            let difference = try StreamWorld(seed: seed).difference()
            #expect(difference == nil, "seed \(seed)")
        }
    }

    /// A node that does not compare versions misses what other nodes commit.
    @Test func `A hub that does not look at other nodes is found`() throws {
        let found = try (0..<Self.seeds).contains { try StreamWorld(seed: $0, looks: false).difference() != nil }
        #expect(found)
    }

    @Test func `Streams give way and are refused as the limits say`() throws {
        let world = try StreamWorld(seed: 1)
        var ids: [UInt64] = []
        for _ in 0..<5 { ids.append(try world.open("a", limit: 6)) }
        #expect(world.takeEnded() == [ids[0]])
        world.hub.close(ids[0])
        for address in 1...2 { _ = try world.open("b", address: UInt64(address), limit: 6, addressLimit: 1) }
        #expect(throws: StreamHub.Refusal.full) { try world.open("c", limit: 6) }
        world.hub.close(ids[1])
        #expect(throws: StreamHub.Refusal.address) { try world.open("c", address: 1, limit: 6, addressLimit: 1) }
        #expect(world.hub.statistics.open == 5 && world.hub.statistics.refused == 2)
        for id in ids { world.hub.close(id) }
        #expect(world.hub.statistics.open == 2)
    }
}

/// Two nodes over one store, streams at the first, and the rule of which streams are notified.
private final class StreamWorld {
    private static let app: Identifier = "app"
    private static let clients: [Identifier] = ["a", "b", "c"]
    private static let users: [Identifier] = ["u", "v"]
    private static let rounds = 60

    private struct Stream {
        let client: Identifier
        let name: String?
    }

    private let store = TestStore(sharing: .asked)
    private let nodes: [Persistence]
    private let looks: Bool
    private let notices = NoticeRecorder()
    private var random: SeededGenerator
    private var streams: [UInt64: Stream] = [:]
    private var userOf: [Identifier: Identifier] = [:]
    private var commits: Int64 = 0
    /// The streams that have to be notified by the end of the next look.
    private var wanted: Set<UInt64> = []
    /// The streams that may be notified or not until the end of the next look: they were opened since the last one, and
    /// the other node has made a commit before. Or their client has become another user's: what the other node has
    /// changed in the rows of the former and the present user before that is not known.
    private var exempt: Set<UInt64> = []

    var hub: StreamHub { nodes[0].feed.streams }

    init(seed: UInt64, looks: Bool = true) throws {
        (random, self.looks) = (SeededGenerator(seed: seed), looks)
        nodes = (0..<2).map { [store] _ in Persistence(store, threads: .inPlace) }
        hub.connect { [notices] in notices.add($0) }
    }

    /// The first round after which other streams were notified than the rule says; nil if there is none.
    func difference() throws -> String? {
        for round in 0..<Self.rounds {
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where streams.count < 8:
                let name = Bool.random(using: &random) ? "tab" : nil
                _ = try open(Self.clients.randomElement(using: &random) ?? "a", named: name)
            case 1:
                if let id = streams.keys.sorted().randomElement(using: &random) { close(id) }
            default: wanted.formUnion(commitSomething())
            }
            guard Bool.random(using: &random) else { continue }
            if looks { _ = hub.look(into: store) }
            let notified = notices.takeChanged().filter { streams[$0] != nil }
            guard notified.subtracting(exempt) == wanted.subtracting(exempt), wanted.isSubset(of: notified) else {
                return "round \(round): notified \(notified.sorted()), not \(wanted.sorted()), of \(streams)"
            }
            (wanted, exempt) = ([], [])
        }
        return nil
    }

    @discardableResult
    func open(
        _ client: Identifier, named name: String? = nil, address: UInt64? = nil, limit: Int = 100,
        addressLimit: Int = 100
    ) throws -> UInt64 {
        let reference = ClientReference(app: Self.app, id: client)
        let loaded = Mutex<HeldClient?>(nil)
        nodes[0].loadJoined(reference) { result in loaded.withLock { $0 = try? result.get() } }
        let held = loaded.withLock { $0 }
        let opening = StreamHub.Opening(client: reference, name: name, address: address)
        let id = try hub.open(opening, of: try #require(held), limit: limit, addressLimit: addressLimit)
        streams[id] = Stream(client: client, name: name)
        exempt.insert(id)
        // A client has four streams at most.
        notices.ended.forEach(close)
        return id
    }

    private func close(_ id: UInt64) {
        hub.close(id)
        streams[id] = nil
        wanted.remove(id)
    }

    func takeEnded() -> Set<UInt64> { notices.ended }

    /// Makes a random commit, and returns the streams that it has to notify.
    private func commitSomething() -> Set<UInt64> {
        let client = Self.clients.randomElement(using: &random) ?? "a"
        let identifies = Int.random(in: 0..<3, using: &random) == 0
        let isElsewhere = Bool.random(using: &random)
        if identifies { identify(client, isElsewhere: isElsewhere) }
        let user = identifies || Bool.random(using: &random) ? userOf[client] : nil
        let isEffect = !identifies && Int.random(in: 0..<3, using: &random) == 0
        let writer = Bool.random(using: &random) ? "tab" : nil
        commits += 1
        let transaction = transaction(of: client, and: user, writesClient: identifies || user == nil)
        nodes[isElsewhere ? 1 : 0].submit(transaction.notifying(except: writer, isEffect: isEffect)) { _ in }
        guard !isEffect else { return [] }
        let concerned = streams.filter { _, stream in
            let isUsers = user != nil && userOf[stream.client] == user
            guard (identifies || user == nil) && stream.client == client || isUsers else { return false }
            return stream.client != client || writer == nil || stream.name != writer
        }
        return Set(concerned.keys)
    }

    private func identify(_ client: Identifier, isElsewhere: Bool) {
        let former = userOf[client]
        userOf[client] = Self.users.randomElement(using: &random)
        guard userOf[client] != former else { return }
        let own = streams.filter { $1.client == client }.keys
        if !isElsewhere { wanted.subtract(own) }
        exempt.formUnion(own)
    }

    /// A transaction that changes the row of the client or of the user, or of both.
    private func transaction(
        of client: Identifier, and user: Identifier?, writesClient: Bool
    ) -> Transaction<Void> {
        let reference = ClientReference(app: Self.app, id: client)
        let person = user.map { UserReference(app: Self.app, id: $0) }
        let names: [RowName] = [.client(reference)] + (person.map { [.user($0)] } ?? [])
        let now = Timestamp(seconds: 1_800_000_000 + commits)
        return Transaction(names: names, now: now) { [userID = userOf[client]] rows in
            var outcome = TransactionOutcome(result: ())
            if writesClient {
                var state = rows.state(of: reference)
                state.userID = userID
                state.surveys.dismissedAt = now
                outcome.rows.append((.client(reference), .client(state)))
            }
            if let person {
                var state = rows.state(of: person)
                state.surveys.dismissedAt = now
                outcome.rows.append((.user(person), .client(state)))
            }
            return .done(outcome)
        }
    }
}

/// The notices that the hub has passed on.
private final class NoticeRecorder: Sendable {
    private let notice = Mutex(StreamHub.Notice())

    var ended: Set<UInt64> { notice.withLock { $0.ended } }

    func add(_ more: StreamHub.Notice) {
        notice.withLock {
            $0.changed.formUnion(more.changed)
            $0.ended.formUnion(more.ended)
        }
    }

    func takeChanged() -> Set<UInt64> {
        notice.withLock { notice in
            defer { notice.changed = [] }
            return notice.changed
        }
    }
}
