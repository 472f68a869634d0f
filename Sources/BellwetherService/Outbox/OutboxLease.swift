public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// A daemon's request to a store for rows of the outbox that are due.
///
/// A lease counts as an attempt, and sets the row's next attempt to the lease's end. So another daemon sends the row of
/// a dead daemon, and no daemon sends a row while another one holds its lease.
public struct OutboxLeaseRequest: Sendable, Hashable {
    /// The name of the daemon among the daemons that share the store.
    public let owner: Identifier
    public let now: Timestamp
    public let leaseEnd: Timestamp
    public var limit: Int
    /// The hosts that have the maximum number of webhooks under way (`OutboxRow.host`).
    public var busyHosts: Set<String>
    /// The maximum number of pending rows. If there are more, the oldest become dead.
    public var bound = OutboxRow.pendingBound

    public init(owner: Identifier, now: Timestamp, leaseEnd: Timestamp, limit: Int, busyHosts: Set<String> = []) {
        self.owner = owner
        self.now = now
        self.leaseEnd = leaseEnd
        self.limit = limit
        self.busyHosts = busyHosts
    }
}

/// The rows that a daemon may send until its lease ends.
public struct OutboxLease: Sendable, Hashable {
    /// The rows, longest due first.
    public var rows: [OutboxRow]
    /// The earliest next attempt of the rows that were not leased, without rows for busy hosts; nil if there is none.
    public var next: Timestamp?
    /// The number of pending rows, including the leased ones.
    public var pending: Int

    public init(rows: [OutboxRow], next: Timestamp?, pending: Int) {
        self.rows = rows
        self.next = next
        self.pending = pending
    }
}

/// The result of an attempt. It is applied only if the owner still leases the row.
public struct OutboxResult: Sendable, Hashable {
    public enum Outcome: Sendable, Hashable {
        /// The row is deleted.
        case delivered
        case retry(at: Timestamp, failure: String)
        case dead(at: Timestamp, failure: String)

        /// Whether there is no further attempt.
        var isEnd: Bool {
            if case .retry = self { false } else { true }
        }
    }

    public let id: Identifier
    public let outcome: Outcome

    public init(id: Identifier, _ outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}

/// A page of an app's outbox.
public struct OutboxQuery: Sendable, Hashable {
    public enum State: String, Sendable, Hashable, CaseIterable {
        case pending, dead
    }

    public let app: Identifier
    public var state: State?
    /// The page begins after this row.
    public var after: OutboxCursor?
    public var limit: Int

    public init(app: Identifier, state: State? = nil, after: OutboxCursor? = nil, limit: Int) {
        self.app = app
        self.state = state
        self.after = after
        self.limit = limit
    }
}

/// A position in the list of an app's outbox. The list is sorted by creation, then by id, newest first.
public struct OutboxCursor: Sendable, Hashable {
    public let createdAt: Timestamp
    public let id: Identifier

    public init(_ row: OutboxRow) { (createdAt, id) = (row.createdAt, row.id) }

    public var text: String { "\(createdAt.milliseconds).\(id)" }

    /// Nil if the text is not a cursor.
    public init?(text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let time = Int64(parts[0]), !parts[1].isEmpty else { return nil }
        (createdAt, id) = (Timestamp(milliseconds: time), Identifier(parts[1]))
    }
}
