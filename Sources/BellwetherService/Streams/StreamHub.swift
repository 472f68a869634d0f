internal import BellwetherBase
internal import BellwetherCore
internal import Synchronization

/// The open streams of this node, over all its workers (docs/reference/streams.md).
///
/// It holds whose streams they are, and the versions and marks of these people's rows. It finds commits of other nodes
/// by the versions, and compares the marks to determine which streams are notified. It is thread-safe, and only `look`
/// reads from the store.
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
        /// The stream among the writers of a mark; nil if its reader has no name.
        let key: ChangeMark.StreamKey?
        /// The user that the client is identified with.
        var user: UserReference?

        var client: RowName { .client(opening.client) }
    }

    /// The version of a person's row, and its last change that notifies streams; 0 if there is no row.
    private typealias Known = (version: UInt64, mark: UInt64)

    /// A client or a user that has streams.
    private struct Person {
        /// Nil if the row was not read yet.
        var known: Known?
        /// The streams, in the order in which they were opened.
        var streams: [UInt64] = []
    }

    private struct State {
        var streams: [UInt64: Stream] = [:]
        var people: [RowName: Person] = [:]
        var addresses: [UInt64: Int] = [:]
        var last: UInt64 = 0

        /// - Parameter known: the row, as the caller knows it. If the person has streams already, their state stays: a
        ///   difference is found by the next comparison.
        mutating func join(_ row: RowName, _ known: Known?, _ id: UInt64) {
            people[row, default: Person(known: known)].streams.append(id)
        }

        mutating func leave(_ row: RowName, _ id: UInt64) {
            people[row]?.streams.removeAll { $0 == id }
            if people[row]?.streams.isEmpty == true { people[row] = nil }
        }

        mutating func setUser(_ user: UserReference?, _ known: Known?, of id: UInt64) {
            if let former = streams[id]?.user { leave(.user(former), id) }
            streams[id]?.user = user
            if let user { join(.user(user), known, id) }
        }

        /// Takes over a row, and adds the streams that its changes notify.
        ///
        /// - Parameter users: what is known of the rows of users, one of which may be the client's from now on.
        mutating func take(_ row: PersonRow, users: [RowName: Known] = [:], _ notice: inout Notice) {
            guard let person = people[row.name] else { return }
            people[row.name]?.known = (row.version, row.changes.last)
            // A row that is gone was erased.
            let isErased = row.version == 0 && person.known?.version != 0
            for id in person.streams {
                guard let stream = streams[id] else { continue }
                if stream.client == row.name, stream.user != row.user {
                    let user = row.user.flatMap { users[.user($0)] }
                    setUser(row.user, user, of: id)
                    // The user may have changed since the client became the user's.
                    if row.user != nil, user == nil { notice.changed.insert(id) }
                }
                guard let known = person.known, !isErased else {
                    notice.changed.insert(id)
                    continue
                }
                if row.changes.notifies(stream.key, knowing: known.mark) { notice.changed.insert(id) }
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
            let key = opening.name.map { ChangeMark.StreamKey(client: opening.client.id, name: $0) }
            state.streams[id] = Stream(opening: opening, key: key, user: nil)
            state.join(.client(opening.client), (held.rows.version, held.rows.mark), id)
            let user = held.state.userID.map { UserReference(app: opening.client.app, id: $0) }
            state.setUser(user, held.rows.user.map { ($0.version, $0.mark) }, of: id)
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

    /// The mark of a stream's client, as far as it is known: another one after each change that notifies streams. Empty
    /// for a closed stream.
    public func mark(of id: UInt64) -> String {
        state.withLock { state in
            guard let stream = state.streams[id] else { return "" }
            let user = stream.user.flatMap { state.people[.user($0)]?.known?.mark }
            return "\(state.people[stream.client]?.known?.mark ?? 0).\(user ?? 0)"
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

    /// Takes over the rows that a group of transactions of this node has made durable.
    func note(_ group: PreparedGroup, _ versions: [UInt64]) {
        var users: [RowName: Known] = [:]
        var written: [PersonRow] = []
        for (position, row) in group.write.rows.enumerated() where row.name.tableKey != nil {
            if case .user = row.name { users[row.name] = (versions[position], group.marks[position]) }
            if let value = row.value { written.append(PersonRow(row.name, versions[position], value)) }
        }
        guard !written.isEmpty else { return }
        take(written, users: users)
    }

    /// Notifies the streams of people who were erased.
    func note(erased names: [RowName]) { take(names.map { PersonRow($0, 0, nil) }) }

    private func take(_ rows: [PersonRow], users: [RowName: Known] = [:]) {
        var notice = Notice()
        state.withLock { state in for row in rows { state.take(row, users: users, &notice) } }
        pass(notice)
    }

    /// Finds the changes that other nodes have committed. It blocks for a read.
    ///
    /// - Returns: whether the store could be read.
    func look(into store: any Store) -> Bool {
        guard isNeeded else { return true }
        do throws(StoreError) {
            try compare(state.withLock { $0.people.mapValues(\.known?.version) }, in: store)
            // A client may have become another user's, whose row was not compared.
            let unknown = state.withLock { $0.people.filter { $1.known == nil }.mapValues { _ in UInt64?.none } }
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
        var notice = Notice()
        state.withLock { state in
            for (change, row) in zip(changed, rows) {
                let (name, version) = change
                // If a commit of this node came in between, the next look compares with its version.
                guard state.people[name]?.known?.version == known[name] ?? nil else { continue }
                state.take(PersonRow(name, version, (try? row.get())?.value), &notice)
            }
        }
        pass(notice)
    }
}
