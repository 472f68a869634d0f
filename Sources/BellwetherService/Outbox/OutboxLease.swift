public import BellwetherBase
internal import BellwetherCore

/// A daemon asks a store for rows of the outbox that are due.
///
/// A lease is an attempt that the daemon begins: it counts, and the row's next attempt is the lease's end. So a row
/// whose daemon died is sent by another one, and no daemon sends a row while another holds its lease.
public struct OutboxLeaseRequest: Sendable, Hashable {
    /// Names the daemon among those that share the store.
    public let owner: String
    public let now: Timestamp
    public let leaseEnd: Timestamp
    public var limit: Int
    /// Hosts that have as many webhooks under way as they may have (`OutboxRow.host`).
    public var busyHosts: Set<String>
    /// How many may be pending. Where there are more, the oldest become dead.
    public var bound = OutboxRow.pendingBound

    public init(owner: String, now: Timestamp, leaseEnd: Timestamp, limit: Int, busyHosts: Set<String> = []) {
        self.owner = owner
        self.now = now
        self.leaseEnd = leaseEnd
        self.limit = limit
        self.busyHosts = busyHosts
    }
}

/// The rows that a daemon may send until its lease ends.
public struct OutboxLease: Sendable, Hashable {
    /// Those that have been due for longest come first.
    public var rows: [OutboxRow]
    /// The next attempt of the rows that were not leased, as early as there is one; rows for busy hosts do not count.
    public var next: Timestamp?
    /// How many are pending, those of the lease among them.
    public var pending: Int

    public init(rows: [OutboxRow], next: Timestamp?, pending: Int) {
        self.rows = rows
        self.next = next
        self.pending = pending
    }
}

/// The result of an attempt. A store applies it only where the row is still leased by the owner.
public struct OutboxResult: Sendable, Hashable {
    public enum Outcome: Sendable, Hashable {
        /// The row is deleted.
        case delivered
        case retry(at: Timestamp, failure: String)
        case dead(at: Timestamp, failure: String)

        /// There is no further attempt.
        var isEnd: Bool {
            if case .retry = self { false } else { true }
        }
    }

    public let id: String
    public let outcome: Outcome

    public init(id: String, _ outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}

/// A page of an app's outbox.
public struct OutboxQuery: Sendable, Hashable {
    public enum State: String, Sendable, Hashable, CaseIterable {
        case pending, dead
    }

    public let app: String
    public var state: State?
    /// Rows behind this one.
    public var after: OutboxCursor?
    public var limit: Int

    public init(app: String, state: State? = nil, after: OutboxCursor? = nil, limit: Int) {
        self.app = app
        self.state = state
        self.after = after
        self.limit = limit
    }
}

/// A position in the list of an app's outbox, which begins with the newest: by creation, then by id.
public struct OutboxCursor: Sendable, Hashable {
    public let createdAt: Timestamp
    public let id: String

    public init(_ row: OutboxRow) { (createdAt, id) = (row.createdAt, row.id) }

    public var text: String { "\(createdAt.milliseconds).\(id)" }

    /// Nil where no daemon wrote the text.
    public init?(text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let time = Int64(parts[0]), !parts[1].isEmpty else { return nil }
        (createdAt, id) = (Timestamp(milliseconds: time), String(parts[1]))
    }
}
