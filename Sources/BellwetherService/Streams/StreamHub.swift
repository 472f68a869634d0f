internal import BellwetherBase
internal import BellwetherCore
internal import Synchronization

/// The open streams of this node, over all its workers (docs/reference/streams.md).
///
/// It holds whose streams they are and the versions of these people's rows. It determines which streams a commit
/// concerns. It finds commits of other nodes by the versions. It is thread-safe; only `look` reads from the store.
public final class StreamHub: Sendable {
    /// The streams that workers have to notify or to end.
    public struct Notice: Sendable {
        /// The streams that send an event.
        public var changed: Set<UInt64> = []
        /// The streams that end, because their client has opened newer ones.
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
        /// The user that the client is identified with.
        var user: UserReference?

        var client: RowName { .client(opening.client) }
    }

    /// A client or a user that has streams.
    private struct Person {
        /// The version of the person's row; nil if it is not known yet.
        var version: UInt64?
        /// The streams, in the order in which they were opened.
        var streams: [UInt64] = []
    }

    private struct State {
        var streams: [UInt64: Stream] = [:]
        var people: [RowName: Person] = [:]
        var addresses: [UInt64: Int] = [:]
        var last: UInt64 = 0

        /// - Parameter version: the version of the row, as the caller knows it. If the person has streams already,
        ///   their version stays: a difference is found by the next comparison.
        mutating func join(_ row: RowName, _ version: UInt64?, _ id: UInt64) {
            people[row, default: Person(version: version)].streams.append(id)
        }

        mutating func leave(_ row: RowName, _ id: UInt64) {
            people[row]?.streams.removeAll { $0 == id }
            if people[row]?.streams.isEmpty == true { people[row] = nil }
        }

        mutating func setUser(_ user: UserReference?, _ version: UInt64?, of id: UInt64) {
            if let former = streams[id]?.user { leave(.user(former), id) }
            streams[id]?.user = user
            if let user { join(.user(user), version, id) }
        }

        /// Takes over a change, and adds the streams that it concerns to the notice.
        mutating func note(_ change: PersonChange, _ notice: inout Notice) {
            guard let person = people[change.row] else { return }
            people[change.row]?.version = change.version
            // Another node has made a change in between, of which no stream was notified.
            let isMissed = person.version != change.before
            for id in person.streams {
                guard let stream = streams[id] else { continue }
                if stream.client == change.row, stream.user != change.user {
                    setUser(change.user, change.userVersion, of: id)
                }
                if isMissed || change.concerns(stream.opening.client, named: stream.opening.name) {
                    notice.changed.insert(id)
                }
            }
        }
    }

    /// The maximum number of streams of one client. A further one ends the oldest.
    public static let streamsOfClient = 4

    private let state = Mutex(State())
    private let open = Atomic<Int>(0)
    private let sentEvents = Atomic<Int>(0)
    private let refusals = Atomic<Int>(0)
    private let broadcast = Mutex<(@Sendable (Notice) -> Void)?>(nil)

    public init() {}

    /// Sets the function that passes notices to all workers.
    public func connect(_ broadcast: @escaping @Sendable (Notice) -> Void) {
        self.broadcast.withLock { $0 = broadcast }
    }

    private func pass(_ notice: Notice) {
        guard !notice.changed.isEmpty || !notice.ended.isEmpty else { return }
        broadcast.withLock { $0 }?(notice)
    }

    /// Opens a stream for a client in the state in which it was read, and returns the stream's number.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of streams of the node.
    ///   - addressLimit: the maximum number of streams of an address.
    public func open(
        _ opening: Opening, of held: HeldClient, limit: Int, addressLimit: Int
    ) throws(Refusal) -> UInt64 {
        var notice = Notice()
        let result = state.withLock { state -> Result<UInt64, Refusal> in
            guard state.streams.count < limit else { return .failure(.full) }
            if let address = opening.address, state.addresses[address, default: 0] >= addressLimit {
                return .failure(.address)
            }
            state.last += 1
            let id = state.last
            state.streams[id] = Stream(opening: opening, user: nil)
            state.join(.client(opening.client), held.rows.version, id)
            let user = held.state.userID.map { UserReference(app: opening.client.app, id: $0) }
            state.setUser(user, held.rows.user?.version, of: id)
            if let address = opening.address { state.addresses[address, default: 0] += 1 }
            let own = state.people[.client(opening.client)]?.streams ?? []
            notice.ended.formUnion(own.prefix(max(own.count - Self.streamsOfClient, 0)))
            return .success(id)
        }
        guard case .success = result else {
            refusals.add(1, ordering: .relaxed)
            return try result.get()
        }
        open.add(1, ordering: .relaxed)
        pass(notice)
        return try result.get()
    }

    public func close(_ id: UInt64) {
        let wasOpen = state.withLock { state in
            guard let stream = state.streams.removeValue(forKey: id) else { return false }
            state.leave(stream.client, id)
            if let user = stream.user { state.leave(.user(user), id) }
            if let address = stream.opening.address {
                let count = state.addresses[address, default: 1] - 1
                state.addresses[address] = count > 0 ? count : nil
            }
            return true
        }
        if wasOpen { open.subtract(1, ordering: .relaxed) }
    }

    /// The mark of a stream's client, as far as it is known: another one after each change. Empty for a closed stream.
    public func mark(of id: UInt64) -> String {
        state.withLock { state in
            guard let stream = state.streams[id] else { return "" }
            let user = stream.user.flatMap { state.people[.user($0)]?.version }
            return "\(state.people[stream.client]?.version ?? 0).\(user ?? 0)"
        }
    }

    /// Counts an event that a stream has sent.
    public func countEvent() { sentEvents.add(1, ordering: .relaxed) }

    public var statistics: (open: Int, events: Int, refused: Int) {
        (
            open.load(ordering: .relaxed), sentEvents.load(ordering: .relaxed), refusals.load(ordering: .relaxed)
        )
    }
}

/// Changes of people.
extension StreamHub {
    /// Whether any stream is open; without I/O and without a lock.
    var isNeeded: Bool { open.load(ordering: .relaxed) > 0 }

    /// Takes over the changes of a commit of this node.
    func note(_ changes: [PersonChange]) {
        var notice = Notice()
        state.withLock { state in for change in changes { state.note(change, &notice) } }
        pass(notice)
    }

    /// Finds the changes that other nodes have committed. It blocks for a read.
    ///
    /// - Returns: whether the store could be read.
    func look(into store: any Store) -> Bool {
        guard isNeeded else { return true }
        do throws(StoreError) {
            try compare(state.withLock { $0.people.mapValues(\.version) }, in: store)
            // A client may have become another user's, whose row was not compared.
            let unknown = state.withLock { $0.people.mapValues(\.version).filter { $0.value == nil } }
            if !unknown.isEmpty { try compare(unknown, in: store) }
            return true
        } catch {
            return false
        }
    }

    /// Takes over the rows that have other versions in the store. A version that is not known counts as another one,
    /// because there may have been a commit since the client became the user's.
    private func compare(_ known: [RowName: UInt64?], in store: any Store) throws(StoreError) {
        let names = Array(known.keys)
        let changed = zip(names, try store.versions(of: names)).filter { known[$0] != $1 }
        guard !changed.isEmpty else { return }
        let rows = try store.read(RowQuery(names: changed.map(\.0))).rows
        let changes = zip(changed, rows).map { change, row in
            PersonChange(of: change.0, from: known[change.0] ?? nil, to: change.1, (try? row.get())?.value)
        }
        var notice = Notice()
        state.withLock { state in
            // If a commit of this node came in between, the next look compares with its version.
            for change in changes where state.people[change.row]?.version == change.before {
                state.note(change, &notice)
            }
        }
        pass(notice)
    }
}
