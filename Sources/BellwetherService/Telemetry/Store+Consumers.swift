internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// Consumers of the log, over a store's rows (docs/reference/http-api.md#consumers).
extension Store {
    /// Stores a consumer's cursor. It may go back as far as records are kept; the start means the position before the
    /// first record that is kept. The audit has entries for new consumers, not for acknowledgements.
    ///
    /// - Parameter onlyExpired: whether only a consumer whose records have expired is moved.
    public func keepConsumer(
        _ name: Identifier, of app: Identifier, at cursor: TelemetryCursor, onlyExpired: Bool = false,
        _ origin: ChangeOrigin
    ) throws(StoreError) -> ConsumerOutcome {
        try commitAudited { () throws(StoreError) in
            let logs = try logs(LogQuery(app: app))
            guard let log = logs.logs.first else { return (.unknownApp, nil, []) }
            if let fault = logs.fault(of: cursor, in: log) { return (.refused(fault), nil, []) }
            let row = RowName.consumer(app: app, name: name)
            let stored = try self.row(row)
            if onlyExpired {
                guard case .consumer(let position)? = stored?.value, position.number < log.expired else {
                    return (.inUse, nil, [])
                }
            }
            let version = stored?.version ?? 0
            let bound = TelemetryConsumer.countBound
            let others = try count(.small(.consumer, app: app), limit: bound)
            guard version != 0 || others < bound else { return (.tooMany, nil, []) }
            let number = cursor == .start ? log.expired : cursor.number
            let position = ConsumerPosition(number: number, updatedAt: origin.at)
            let group = WriteGroup([RowWrite(name: row, expected: version, value: .consumer(position))])
            guard let kept = try consumers([(name, position)], of: app)?.first else { return (.unknownApp, nil, []) }
            let isNew = version == 0
            let entries = isNew ? [AuditEntry(.create, consumer: name, of: app, origin)] : []
            return (.kept(kept, isNew: isNew), group, entries)
        }
    }

    /// An app's consumers, by name, or the consumer with this name. Nil if nothing was ever stored for the app.
    public func consumers(of app: Identifier, named name: Identifier?) throws(StoreError) -> [TelemetryConsumer]? {
        var positions: [(name: Identifier, position: ConsumerPosition)] = []
        if let name {
            if case .consumer(let position)? = try value(of: .consumer(app: app, name: name)) {
                positions = [(name, position)]
            }
        } else {
            for row in try find(.small(.consumer, app: app), limit: TelemetryConsumer.countBound) {
                guard case .consumer(_, let name) = row.name, case .consumer(let position) = try row.value.get() else {
                    continue
                }
                positions.append((name, position))
            }
        }
        return try consumers(positions, of: app)
    }

    /// Deletes a consumer, so that no records are kept for it. Returns false if there was none.
    public func deleteConsumer(_ name: Identifier, of app: Identifier, _ origin: ChangeOrigin) throws(StoreError)
        -> Bool
    {
        let row = RowName.consumer(app: app, name: name)
        return try commitAudited { () throws(StoreError) in
            guard let version = try versions(of: [row]).first, version != 0 else { return (false, nil, []) }
            let group = WriteGroup([RowWrite(name: row, expected: version, value: .nothing)])
            return (true, group, [AuditEntry(.delete, consumer: name, of: app, origin)])
        }
    }

    /// The number up to which every consumer of an app has acknowledged; nil if there are no consumers.
    func acknowledged(of app: Identifier) throws(StoreError) -> Int64? {
        try values(.small(.consumer, app: app)) {
            if case .consumer(let position) = $0 { position.number } else { nil }
        }.min()
    }

    private func consumers(
        _ positions: [(name: Identifier, position: ConsumerPosition)], of app: Identifier
    ) throws(StoreError) -> [TelemetryConsumer]? {
        let logs = try logs(LogQuery(app: app, countedAfter: positions.map(\.position.number)))
        guard let log = logs.logs.first else { return nil }
        return zip(positions, log.counts).map { entry, lag in
            TelemetryConsumer(
                name: entry.name, cursor: logs.ranges.cursor(entry.position.number),
                updatedAt: entry.position.updatedAt,
                lag: lag, isExpired: entry.position.number < log.expired)
        }
    }
}
