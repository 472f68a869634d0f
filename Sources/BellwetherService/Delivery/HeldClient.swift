public import BellwetherCore

/// The rows that a decision was taken from, with their versions. While they have these, the state is the same.
public struct ReadRows: Sendable {
    public let client: ClientReference
    /// 0: the client has no row.
    let version: UInt64
    /// The row of the user that the client was identified with, under its key in the table.
    fileprivate(set) var user: (key: ClientReference, version: UInt64)?

    /// The bytes of the names in it.
    public var nameBytes: Int {
        [client, user?.key].compactMap(\.self).reduce(0) { $0 + $1.app.utf8.count + $1.id.utf8.count }
    }
}

/// A client as it was found, for a decision. One that has no row has an empty state.
public struct HeldClient: Sendable {
    public fileprivate(set) var state: ClientState
    public fileprivate(set) var rows: ReadRows
    /// The settled enrollments of the client's own row, which alone has its enrollments.
    let settled: SettledEnrollments

    /// The state in the client's own row. Nil: the client was never seen.
    public var stored: ClientState? { rows.version == 0 ? nil : state }

    init(state: ClientState, rows: ReadRows, settled: SettledEnrollments) {
        (self.state, self.rows, self.settled) = (state, rows, settled)
    }

    /// As a store has it. Nil: it has no row.
    init(_ client: ClientReference, _ stored: StoredClient?) {
        self.init(
            state: stored?.state ?? ClientState(), rows: ReadRows(client: client, version: stored?.version ?? 0),
            settled: .none)
    }

    /// The same, joined with what is its user's.
    fileprivate func joined(with user: HeldClient) -> HeldClient {
        var joined = self
        joined.state = state.joined(with: user.state)
        joined.rows.user = (user.rows.client, user.rows.version)
        return joined
    }

    /// The key under which the table holds the user that the client was identified with.
    fileprivate var userKey: ClientReference? {
        state.userID.map { UserReference(app: rows.client.app, id: $0).tableKey }
    }
}

extension ClientTable {
    /// The client or user as the table holds it. Nil: it has to be read.
    func held(_ key: ClientReference) -> HeldClient? {
        switch lookUp(key) {
        case .known(let held):
            guard let state = held.state else { return nil }
            return HeldClient(
                state: state, rows: ReadRows(client: key, version: held.version), settled: held.settled)
        case .absent(let settled):
            return HeldClient(state: ClientState(), rows: ReadRows(client: key, version: 0), settled: settled)
        case .notLoaded: return nil
        }
    }
}

extension Persistence {
    /// The client as its own row has it; never any I/O. Nil: it has to be read.
    func held(_ client: ClientReference) -> HeldClient? {
        freshness == .local ? table.held(client) : nil
    }

    /// The same, joined with what is its user's if the client was identified.
    func heldJoined(_ client: ClientReference) -> HeldClient? {
        guard let held = held(client) else { return nil }
        guard let key = held.userKey else { return held }
        return self.held(key).map(held.joined)
    }

    /// The client as its own row has it: what the table holds is verified, or the row is read and put there.
    public func load(
        _ client: ClientReference, _ completion: @escaping @Sendable (Result<HeldClient, StoreError>) -> Void
    ) {
        load(PendingLoad(key: client, wanted: .state(completion)))
    }

    /// The same, joined with what is its user's if the client was identified.
    public func loadJoined(
        _ client: ClientReference, _ completion: @escaping @Sendable (Result<HeldClient, StoreError>) -> Void
    ) {
        load(client) { [self] result in
            guard case .success(let held) = result, let key = held.userKey else { return completion(result) }
            load(key) { user in completion(user.map(held.joined)) }
        }
    }

    /// Whether the rows are still as they were read; never any I/O. Nil: the table may not be believed, and `verify`
    /// asks the store.
    public func areCurrent(_ rows: ReadRows) -> Bool? {
        guard freshness == .local else { return nil }
        guard table.version(of: rows.client) == rows.version else { return false }
        return rows.user.map { table.version(of: $0.key) == $0.version } ?? true
    }

    /// Asks the store whether the rows are still as they were read. A failure of the store is a no.
    public func verify(_ rows: ReadRows, _ completion: @escaping @Sendable (Bool) -> Void) {
        let client = PendingLoad.Wanted.version(rows.version) { [self] isCurrent in
            guard isCurrent, let user = rows.user else { return completion(isCurrent) }
            // A user's version only grows: what it is now, it was when the client was asked for.
            load(PendingLoad(key: user.key, wanted: .version(user.version, completion)))
        }
        load(PendingLoad(key: rows.client, wanted: client))
    }
}
