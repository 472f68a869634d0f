internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// The outbox, over a store's rows (docs/decisions/0077-rules-stand-above-the-store.md).
extension Store {
    /// Leases rows that are due to a daemon. While a lease holds, no other daemon gets the row. A row that another
    /// daemon has just leased is left out.
    public func leaseOutbox(_ request: OutboxLeaseRequest) throws(StoreError) -> OutboxLease {
        let pending = try boundOutbox(request.bound, at: request.now)
        // One more row is read, for the time of the next attempt.
        let index = RowIndex.dueWebhooks(exceptHosts: request.busyHosts)
        let first = try find(index, limit: request.limit + 1)
        var (groups, leased): ([WriteGroup], [OutboxRow]) = ([], [])
        var next: Timestamp?
        for row in first {
            guard case .webhook(var webhook, _) = try row.value.get() else { continue }
            guard groups.count < request.limit, webhook.nextAttempt <= request.now else {
                next = webhook.nextAttempt
                break
            }
            webhook.attempts += 1
            webhook.nextAttempt = request.leaseEnd
            groups.append(WriteGroup([row.write(.webhook(webhook, owner: request.owner))]))
            leased.append(webhook)
        }
        guard !groups.isEmpty else { return OutboxLease(rows: [], next: next, pending: pending) }
        let rows = zip(leased, try write(groups)).compactMap { webhook, outcome in
            if case .written = outcome { webhook } else { nil }
        }
        return OutboxLease(rows: rows, next: next, pending: pending)
    }

    /// Stores the outcomes of attempts, except for rows whose lease has passed to another daemon.
    public func finishOutbox(_ results: [OutboxResult], of owner: Identifier) throws(StoreError) {
        var left = results
        for attempt in 0..<Contention.maximumAttempts {
            Contention.pause(after: attempt)
            let reading = try read(RowQuery(names: left.map { .webhook($0.id) }))
            var (groups, written): ([WriteGroup], [OutboxResult]) = ([], [])
            for (result, row) in zip(left, reading.rows) {
                guard let row = try row.get(), case .webhook(let webhook, owner) = row.value,
                    let value = result.value(of: webhook)
                else { continue }
                let write = RowWrite(name: .webhook(result.id), expected: row.version, value: value)
                groups.append(WriteGroup([write]))
                written.append(result)
            }
            guard !groups.isEmpty else { return }
            left = zip(written, try write(groups)).compactMap { result, outcome in
                if case .written = outcome { nil } else { result }
            }
            guard !left.isEmpty else { return }
        }
        throw .overloaded
    }

    /// An app's webhooks that wait or were given up, newest first.
    public func readOutbox(_ query: OutboxQuery) throws(StoreError) -> [OutboxRow] {
        try values(.webhooks(query), limit: query.limit) { if case .webhook(let row, _) = $0 { row } else { nil } }
    }

    /// Makes a webhook that was given up pending again, and due at once (docs/reference/webhooks.md#send-again).
    public func retryWebhook(
        _ id: Identifier, of app: Identifier, _ origin: ChangeOrigin
    ) throws(StoreError) -> WebhookRetry {
        try commitAudited { () throws(StoreError) in
            let found = try row(.webhook(id))
            guard let found, case .webhook(var webhook, _) = found.value, webhook.app == app else {
                return (.unknown, nil, [])
            }
            guard webhook.state != .pending else { return (.isPending, nil, []) }
            (webhook.state, webhook.nextAttempt) = (.pending, origin.at)
            let write = RowWrite(
                name: .webhook(id), expected: found.version, value: .webhook(webhook, owner: nil))
            return (.waits(webhook), WriteGroup([write]), [AuditEntry(retryOf: webhook, origin)])
        }
    }

    /// If more rows than the bound are pending, the oldest become dead. Returns the number of rows that are still
    /// pending.
    ///
    /// This is done before rows are leased, and not at each write. So writers that share the store need not count rows.
    func boundOutbox(_ bound: Int, at now: Timestamp) throws(StoreError) -> Int {
        let most = bound + Self.boundSlice
        while true {
            let pending = try count(.pendingWebhooks, limit: most)
            guard pending > bound else { return pending }
            let groups = try find(.pendingWebhooks, limit: pending - bound).compactMap { row in
                guard case .success(.webhook(var webhook, let owner)) = row.value else { return nil as WriteGroup? }
                webhook.state = .dead(at: now)
                webhook.lastFailure = OutboxRow.overflow
                return WriteGroup([row.write(.webhook(webhook, owner: owner))])
            }
            let outcomes = try write(groups)
            guard outcomes.contains(where: { if case .written = $0 { true } else { false } }) else { return pending }
        }
    }

    private static var boundSlice: Int { 1000 }
}

/// The result of a request to send a webhook again.
public enum WebhookRetry: Sendable, Hashable {
    case waits(OutboxRow)
    /// The webhook was not given up.
    case isPending
    /// The app has no such webhook: it was delivered, or it was too old to be kept.
    case unknown
}

extension OutboxResult {
    /// The new value of the row; nil if it stays the same.
    fileprivate func value(of row: OutboxRow) -> RowValue? {
        if case .delivered = outcome { return .nothing }
        // A row that became dead because too many were pending stays dead.
        guard case .pending = row.state else { return nil }
        var row = row
        switch outcome {
        case .delivered: break
        case .retry(let time, let failure): (row.nextAttempt, row.lastFailure) = (time, failure)
        case .dead(let time, let failure): (row.state, row.lastFailure) = (.dead(at: time), failure)
        }
        return .webhook(row, owner: nil)
    }
}
