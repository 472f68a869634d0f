internal import BellwetherBase
public import BellwetherService

/// The outbox.
extension MemoryStore {
    public func leaseOutbox(_ request: OutboxLeaseRequest) throws(StoreError) -> OutboxLease {
        try access { content in
            let pending = content.outbox.indices.filter { content.outbox[$0].row.state == .pending }
            let free = pending.filter { !request.busyHosts.contains(content.outbox[$0].row.host) }
                .sorted { content.outbox[$0].row.nextAttempt < content.outbox[$1].row.nextAttempt }
            let due = free.filter { content.outbox[$0].row.nextAttempt <= request.now }.prefix(request.limit)
            for index in due {
                content.outbox[index].owner = request.owner
                content.outbox[index].row.attempts += 1
                content.outbox[index].row.nextAttempt = request.leaseEnd
            }
            let others = free.filter { index in
                let (row, owner) = content.outbox[index]
                return !(owner == request.owner && row.nextAttempt == request.leaseEnd)
            }
            return OutboxLease(
                rows: due.map { content.outbox[$0].row },
                next: others.map { content.outbox[$0].row.nextAttempt }.min(), pending: pending.count)
        }
    }

    public func finishOutbox(_ results: [OutboxResult], of owner: String) throws(StoreError) {
        try access { content in
            for result in results {
                let index = content.outbox.firstIndex { $0.row.id == result.id && $0.owner == owner }
                guard let index else { continue }
                if case .delivered = result.outcome {
                    content.outbox.remove(at: index)
                    continue
                }
                guard content.outbox[index].row.state == .pending else { continue }
                content.outbox[index].owner = nil
                switch result.outcome {
                case .delivered: break
                case .retry(let time, let failure):
                    content.outbox[index].row.nextAttempt = time
                    content.outbox[index].row.lastFailure = failure
                case .dead(let time, let failure):
                    content.outbox[index].row.state = .dead(at: time)
                    content.outbox[index].row.lastFailure = failure
                }
            }
        }
    }

    public func readOutbox(_ query: OutboxQuery) throws(StoreError) -> [OutboxRow] {
        try access { content in
            let rows = content.outbox.map(\.row).filter { row in
                row.app == query.app && (query.state == nil || (row.state == .pending) == (query.state == .pending))
            }
            let isBefore = { (left: OutboxCursor, right: OutboxCursor) in
                (left.createdAt.milliseconds, left.id) < (right.createdAt.milliseconds, right.id)
            }
            let sorted = rows.sorted { isBefore(OutboxCursor($1), OutboxCursor($0)) }
            let page = sorted.filter { row in query.after.map { isBefore(OutboxCursor(row), $0) } ?? true }
            return Array(page.prefix(query.limit))
        }
    }
}

extension MemoryStore.Content {
    /// Where too many are pending, the oldest become dead.
    mutating func boundOutbox(at now: Timestamp?) {
        guard let now else { return }
        let pending = outbox.indices.filter { outbox[$0].row.state == .pending }
        for index in pending.prefix(max(0, pending.count - outboxBound)) {
            outbox[index].row.state = .dead(at: now)
            outbox[index].row.lastFailure = OutboxRow.overflow
        }
    }
}
