internal import BellwetherBase
internal import BellwetherCore
internal import Synchronization

/// The open streams of this node, over all its workers (docs/reference/streams.md).
///
/// It knows whose streams they are and in which versions of their rows, and passes on which streams a commit concerns.
/// Commits of other nodes are found by the versions. It is thread-safe; only `look` reads from the store.
public final class StreamHub: Sendable {
    /// The news of streams for their workers.
    public struct News: Sendable {
        /// The streams that have to tell a change.
        public var changed: Set<UInt64> = []
        /// The streams that give way to newer ones of their client.
        public var ended: Set<UInt64> = []
    }

    public enum Refusal: Error {
        /// The node has as many streams as it may have.
        case full
        /// The address has as many streams as it may have.
        case address
    }

    /// The facts about a stream that is opened.
    public struct Opening: Sendable {
        let client: ClientReference
        let name: String?
        let address: UInt64?

        /// - Parameters:
        ///   - name: the name under which its reader writes; nil if it has none.
        ///   - address: the key of the reader's address, if the address is limited.
        public init(client: ClientReference, name: String?, address: UInt64?) {
            (self.client, self.name, self.address) = (client, name, address)
        }
    }

    private struct Stream {
        let opening: Opening
        var user: UserReference?
        var clientVersion: UInt64
        /// Nil if the row of the user was not read yet.
        var userVersion: UInt64?

        /// Both versions: opaque for readers.
        var mark: String { "\(clientVersion).\(userVersion ?? 0)" }
    }

    private struct State {
        var streams: [UInt64: Stream] = [:]
        /// The streams of each client and each user, in the order in which they were opened.
        var people: [ClientReference: [UInt64]] = [:]
        var addresses: [UInt64: Int] = [:]
        var last: UInt64 = 0

        /// - Parameter version: nil if it is not known; then it is that of another stream of the user, if there is one.
        mutating func setUser(_ user: UserReference?, _ version: UInt64?, of id: UInt64) {
            if let former = streams[id]?.user { leave(former.tableKey, id) }
            streams[id]?.user = user
            guard let user else { return }
            let others = people[user.tableKey] ?? []
            let known = version ?? others.compactMap { streams[$0]?.userVersion }.first
            streams[id]?.userVersion = known
            people[user.tableKey] = others + [id]
        }

        mutating func leave(_ key: ClientReference, _ id: UInt64) {
            people[key]?.removeAll { $0 == id }
            if people[key]?.isEmpty == true { people[key] = nil }
        }
    }

    /// The maximum number of streams of one client. A further one ends the oldest.
    public static let streamsOfClient = 4

    private let state = Mutex(State())
    private let open = Atomic<Int>(0)
    private let toldEvents = Atomic<Int>(0)
    private let refusals = Atomic<Int>(0)
    private let broadcast = Mutex<(@Sendable (News) -> Void)?>(nil)

    public init() {}

    /// Sets the function that passes news to all workers.
    public func connect(_ broadcast: @escaping @Sendable (News) -> Void) { self.broadcast.withLock { $0 = broadcast } }

    private func pass(_ news: News) {
        guard !news.changed.isEmpty || !news.ended.isEmpty else { return }
        broadcast.withLock { $0 }?(news)
    }

    /// Opens a stream for a client in the state in which it was read, and returns the stream's number.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of streams of the node.
    ///   - addressLimit: the maximum number of streams of an address.
    public func open(
        _ opening: Opening, of held: HeldClient, limit: Int, addressLimit: Int
    ) throws(Refusal) -> UInt64 {
        var news = News()
        let result = state.withLock { state -> Result<UInt64, Refusal> in
            guard state.streams.count < limit else { return .failure(.full) }
            if let address = opening.address, state.addresses[address, default: 0] >= addressLimit {
                return .failure(.address)
            }
            state.last += 1
            let id = state.last
            state.streams[id] = Stream(opening: opening, user: nil, clientVersion: held.rows.version)
            state.people[opening.client, default: []].append(id)
            let user = held.state.userID.map { UserReference(app: opening.client.app, id: $0) }
            state.setUser(user, held.rows.user?.version, of: id)
            if let address = opening.address { state.addresses[address, default: 0] += 1 }
            let own = state.people[opening.client, default: []]
            if own.count > Self.streamsOfClient { news.ended.formUnion(own.prefix(own.count - Self.streamsOfClient)) }
            return .success(id)
        }
        guard case .success = result else {
            refusals.add(1, ordering: .relaxed)
            return try result.get()
        }
        open.add(1, ordering: .relaxed)
        pass(news)
        return try result.get()
    }

    public func close(_ id: UInt64) {
        let wasOpen = state.withLock { state in
            guard let stream = state.streams.removeValue(forKey: id) else { return false }
            state.leave(stream.opening.client, id)
            if let user = stream.user { state.leave(user.tableKey, id) }
            if let address = stream.opening.address {
                let count = state.addresses[address, default: 1] - 1
                state.addresses[address] = count > 0 ? count : nil
            }
            return true
        }
        if wasOpen { open.subtract(1, ordering: .relaxed) }
    }

    /// The mark of a stream's client, as far as it is known: another one after each change. Empty for a closed stream.
    public func mark(of id: UInt64) -> String { state.withLock { $0.streams[id]?.mark ?? "" } }

    /// Counts an event that a stream has told.
    public func countEvent() { toldEvents.add(1, ordering: .relaxed) }
    public func countRefusal() { refusals.add(1, ordering: .relaxed) }

    public var statistics: (open: Int, events: Int, refused: Int) {
        (
            open.load(ordering: .relaxed), toldEvents.load(ordering: .relaxed), refusals.load(ordering: .relaxed)
        )
    }
}

/// Changes of people.
extension StreamHub {
    /// Whether any stream is open; without I/O and without a lock.
    var isNeeded: Bool { open.load(ordering: .relaxed) > 0 }

    /// Takes over the changes of a commit of this node.
    func note(_ changes: [PersonChange]) {
        var news = News()
        state.withLock { state in
            for change in changes { for id in state.people[change.key] ?? [] { note(change, of: id, &state, &news) } }
        }
        pass(news)
    }

    private func note(_ change: PersonChange, of id: UInt64, _ state: inout State, _ news: inout News) {
        guard let stream = state.streams[id] else { return }
        let isOwn = stream.opening.client == change.key
        if isOwn {
            state.streams[id]?.clientVersion = change.version
            if stream.user?.id != change.user?.id { state.setUser(change.user, nil, of: id) }
        } else {
            state.streams[id]?.userVersion = change.version
        }
        let knowsIt = change.writer.map { $0.name == stream.opening.name && $0.clients.contains(stream.opening.client) }
        if change.isTold, knowsIt != true { news.changed.insert(id) }
    }

    /// Finds the changes that other nodes have committed. It blocks for a read.
    ///
    /// - Returns: whether the store could be read.
    func look(into store: any Store) -> Bool {
        guard isNeeded else { return true }
        do throws(StoreError) {
            try compareVersions(in: store)
            // A client may have become another user's, whose row was not compared.
            let knowsAll = state.withLock { state in
                state.streams.values.allSatisfy { $0.user == nil || $0.userVersion != nil }
            }
            if !knowsAll { try compareVersions(in: store) }
            return true
        } catch {
            return false
        }
    }

    /// Tells the streams whose rows have other versions. A version that is not known counts as another one, because
    /// there may have been a commit since the client became the user's.
    private func compareVersions(in store: any Store) throws(StoreError) {
        let known = state.withLock { state in
            state.streams.values.reduce(into: [RowName: UInt64?]()) { known, stream in
                known[.client(stream.opening.client)] = .some(stream.clientVersion)
                guard let user = stream.user, (known[.user(user)] ?? nil) == nil else { return }
                known[.user(user)] = .some(stream.userVersion)
            }
        }
        let names = Array(known.keys)
        let changed = zip(names, try store.versions(of: names)).filter { known[$0] ?? nil != $1 }.map(\.0)
        guard !changed.isEmpty else { return }
        var changes: [PersonChange] = []
        for (name, row) in zip(changed, try store.read(RowQuery(names: changed)).rows) {
            guard let key = name.tableKey else { continue }
            let row = try? row.get()
            let state: ClientState? = if case .client(let state)? = row?.value { state } else { nil }
            let user = state?.userID.map { UserReference(app: key.app, id: $0) }
            changes.append(PersonChange(key: key, version: row?.version ?? 0, user: user, isTold: true))
        }
        note(changes)
    }
}
