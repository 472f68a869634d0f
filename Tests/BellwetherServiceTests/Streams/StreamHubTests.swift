import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// Which streams a commit concerns, by whichever node it was made (docs/reference/streams.md#who-is-told).
@Suite struct StreamHubTests {
    private static let seeds: UInt64 = 40

    @Test func `Each stream is told what concerns it, and nothing else`() throws {
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

/// Two nodes over one store, streams at the first, and the rule of who is told.
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
    private let news = NewsRecorder()
    private var random: SeededGenerator
    private var streams: [UInt64: Stream] = [:]
    private var userOf: [Identifier: Identifier] = [:]
    private var commits: Int64 = 0

    var hub: StreamHub { nodes[0].feed.streams }

    init(seed: UInt64, looks: Bool = true) throws {
        (random, self.looks) = (SeededGenerator(seed: seed), looks)
        nodes = (0..<2).map { [store] _ in Persistence(store, threads: .inPlace) }
        hub.connect { [news] in news.add($0) }
    }

    /// The first round in which other streams were told than the rule says; nil if there is none.
    func difference() throws -> String? {
        for round in 0..<Self.rounds {
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where streams.count < 8:
                let name = Bool.random(using: &random) ? "tab" : nil
                _ = try open(Self.clients.randomElement(using: &random) ?? "a", named: name)
            case 1:
                guard let id = streams.keys.sorted().randomElement(using: &random) else { continue }
                hub.close(id)
                streams[id] = nil
            default:
                let wanted = commitSomething()
                if looks { _ = hub.look(into: store) }
                let told = news.takeChanged()
                guard told != wanted else { continue }
                return "round \(round): told \(told.sorted()), not \(wanted.sorted()), of \(streams)"
            }
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
        // A client has four streams at most.
        for ended in news.ended {
            hub.close(ended)
            streams[ended] = nil
        }
        return id
    }

    func takeEnded() -> Set<UInt64> { news.ended }

    /// Makes a random commit, and returns the streams that have to be told.
    private func commitSomething() -> Set<UInt64> {
        let client = Self.clients.randomElement(using: &random) ?? "a"
        let isElsewhere = Bool.random(using: &random)
        let user = userOf[client]
        let ofUser = user != nil && Bool.random(using: &random)
        let identifies = !ofUser && Int.random(in: 0..<3, using: &random) == 0
        // The row of the new user is compared at the next look, so an identification is always told.
        let isEffect = !identifies && Int.random(in: 0..<3, using: &random) == 0
        let writer = !identifies && Bool.random(using: &random) ? "tab" : nil
        if identifies { userOf[client] = Self.users.randomElement(using: &random) }
        commits += 1
        let transaction = Self.transaction(
            client, user: ofUser ? user : nil, identifiedAs: userOf[client],
            now: Timestamp(seconds: 1_800_000_000 + commits))
        nodes[isElsewhere ? 1 : 0].submit(transaction.told(except: writer, isEffect: isEffect)) { _ in }
        let concerned = streams.filter { _, stream in
            ofUser ? userOf[stream.client] == user : stream.client == client
        }
        // Another node's commit is known by its version alone.
        if isElsewhere { return Set(concerned.keys) }
        if isEffect { return [] }
        return Set(concerned.filter { !($1.client == client && writer != nil && $1.name == writer) }.keys)
    }

    private static func transaction(
        _ client: Identifier, user: Identifier?, identifiedAs userID: Identifier?, now: Timestamp
    ) -> Transaction<Void> {
        let reference = ClientReference(app: app, id: client)
        let person = user.map { UserReference(app: app, id: $0) }
        let names: [RowName] = [.client(reference)] + (person.map { [.user($0)] } ?? [])
        return Transaction(names: names, now: now) { rows in
            var outcome = TransactionOutcome(result: ())
            if let person {
                var state = rows.state(of: person)
                state.surveys.dismissedAt = now
                outcome.rows = [(.user(person), .client(state))]
            } else {
                var state = rows.state(of: reference)
                state.userID = userID
                state.surveys.dismissedAt = now
                outcome.rows = [(.client(reference), .client(state))]
            }
            return .done(outcome)
        }
    }
}

/// The news that the hub has passed on.
private final class NewsRecorder: Sendable {
    private let news = Mutex(StreamHub.News())

    var ended: Set<UInt64> { news.withLock { $0.ended } }

    func add(_ more: StreamHub.News) {
        news.withLock {
            $0.changed.formUnion(more.changed)
            $0.ended.formUnion(more.ended)
        }
    }

    func takeChanged() -> Set<UInt64> {
        news.withLock { news in
            defer { news.changed = [] }
            return news.changed
        }
    }
}
