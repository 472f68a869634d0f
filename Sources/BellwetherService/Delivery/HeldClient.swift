public import BellwetherCore
internal import BellwetherJSON

/// The rows that a decision was based on, with their versions. While the versions are the same, the state is the same.
public struct ReadRows: Sendable {
    public let client: ClientReference
    /// The version of the client's row; 0 if the client has no row.
    let version: UInt64
    /// The last change of the row that notifies streams; 0 if there is none.
    let mark: UInt64
    /// The row of the user that the client was identified with, under its key in the table.
    fileprivate(set) var user: (key: ClientReference, version: UInt64, mark: UInt64)?

    init(client: ClientReference, version: UInt64, _ state: ClientState) {
        (self.client, self.version, mark) = (client, version, state.changes.last)
    }

    /// The bytes of the names in the rows.
    public var nameBytes: Int {
        [client, user?.key].compactMap(\.self).reduce(0) { $0 + $1.app.utf8.count + $1.id.utf8.count }
    }
}

/// A client that was read for a decision. A client without a row has an empty state.
public struct HeldClient: Sendable {
    public fileprivate(set) var state: ClientState
    public fileprivate(set) var rows: ReadRows
    /// The settled enrollments of the client's own row. Only this row contains its enrollments.
    let settled: SettledEnrollments

    /// The state in the client's own row; nil if the client was never seen.
    public var stored: ClientState? { rows.version == 0 ? nil : state }

    /// Whether the client's own row decides its enrollments, so that it can say until when they are settled. They may
    /// depend on answers, which are in the row of an identified client's user.
    func isSettling(in app: AppSnapshot) -> Bool { rows.user == nil || !app.compiledApp.targetingReadsAnswers }

    init(state: ClientState, rows: ReadRows, settled: SettledEnrollments) {
        (self.state, self.rows, self.settled) = (state, rows, settled)
    }

    /// A client from a store. `stored` is nil if the client has no row.
    init(_ client: ClientReference, _ stored: StoredClient?) {
        let state = stored?.state ?? ClientState()
        self.init(
            state: state, rows: ReadRows(client: client, version: stored?.version ?? 0, state), settled: .none)
    }

    /// The client, joined with the state of its user.
    fileprivate func joined(with user: HeldClient) -> HeldClient {
        var joined = self
        joined.state = state.joined(with: user.state)
        joined.rows.user = (user.rows.client, user.rows.version, user.rows.mark)
        return joined
    }

    /// The key under which the table holds the user that the client was identified with.
    fileprivate var userKey: ClientReference? {
        state.userID.map { UserReference(app: rows.client.app, id: $0).tableKey }
    }
}

extension ClientTable {
    /// The client or user in the table; nil if it has to be read.
    func held(_ key: ClientReference) -> HeldClient? {
        switch lookUp(key) {
        case .known(let held):
            guard let state = held.state else { return nil }
            return HeldClient(
                state: state, rows: ReadRows(client: key, version: held.version, state), settled: held.settled)
        case .absent(let settled):
            let state = ClientState()
            return HeldClient(state: state, rows: ReadRows(client: key, version: 0, state), settled: settled)
        case .notLoaded: return nil
        }
    }
}

extension Persistence {
    /// The client by its own row, without I/O; nil if it has to be read.
    func held(_ client: ClientReference) -> HeldClient? {
        freshness == .local ? table.held(client) : nil
    }

    /// The client by its own row, joined with the state of its user if the client was identified.
    func heldJoined(_ client: ClientReference) -> HeldClient? {
        guard let held = held(client) else { return nil }
        guard let key = held.userKey else { return held }
        return self.held(key).map(held.joined)
    }

    /// Loads the client by its own row. The entry of the table is verified, or the row is read and put there.
    public func load(
        _ client: ClientReference, _ completion: @escaping @Sendable (Result<HeldClient, StoreError>) -> Void
    ) {
        load(PendingLoad(key: client, wanted: .state(completion)))
    }

    /// Loads the client, joined with the state of its user if the client was identified.
    public func loadJoined(
        _ client: ClientReference, _ completion: @escaping @Sendable (Result<HeldClient, StoreError>) -> Void
    ) {
        load(client) { [self] result in
            guard case .success(let held) = result, let key = held.userKey else { return completion(result) }
            load(key) { user in completion(user.map(held.joined)) }
        }
    }

    /// Whether the rows are unchanged since they were read, without I/O. Nil if the table may be out of date; then
    /// `verify` queries the store.
    public func areCurrent(_ rows: ReadRows) -> Bool? {
        guard freshness == .local else { return nil }
        guard table.version(of: rows.client) == rows.version else { return false }
        return rows.user.map { table.version(of: $0.key) == $0.version } ?? true
    }

    /// Queries the store whether the rows are unchanged since they were read. A failure of the store counts as false.
    public func verify(_ rows: ReadRows, _ completion: @escaping @Sendable (Bool) -> Void) {
        let client = PendingLoad.Wanted.version(rows.version) { [self] isCurrent in
            guard isCurrent, let user = rows.user else { return completion(isCurrent) }
            // A user's version only grows. If it is unchanged now, it was also unchanged when the client was checked.
            load(PendingLoad(key: user.key, wanted: .version(user.version, completion)))
        }
        load(PendingLoad(key: rows.client, wanted: client))
    }
}
