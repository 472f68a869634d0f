internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The tallies of quotas that this process knows, by app and message. The newest version of a row counts.
struct KnownTallies: Sendable {
    private struct Key: Hashable {
        let app: Identifier
        let message: Identifier

        init(_ message: Identifier, of app: Identifier) {
            (self.app, self.message) = (app, message)
        }
    }

    private var rows: [Key: (version: UInt64, tally: Tally)] = [:]

    /// The rows, with the versions that are known.
    var versions: [(row: RowName, version: UInt64)] {
        rows.map { (.tally(app: $0.app, key: $0.message), $1.version) }
    }

    subscript(key: Identifier, of app: Identifier) -> Tally? { rows[Key(key, of: app)]?.tally }

    /// Returns false if a newer version is known.
    mutating func note(_ tally: Tally, version: UInt64, of key: Identifier, in app: Identifier) -> Bool {
        note((version, tally), Key(key, of: app))
    }

    private mutating func note(_ row: (version: UInt64, tally: Tally), _ key: Key) -> Bool {
        if let known = rows[key], known.version > row.version { return false }
        rows[key] = row
        return true
    }

    mutating func merge(_ others: KnownTallies) {
        for (key, row) in others.rows { _ = note(row, key) }
    }

    /// Removes the tallies of messages that no longer exist. They are read again if the messages return.
    mutating func keep(only apps: some Sequence<AppSnapshot>) {
        let keys = Set(apps.flatMap { app in app.responseLimits.all.map { Key($0.key, of: app.name) } })
        rows = rows.filter { keys.contains($0.key) }
    }
}

extension AppSnapshot {
    /// The app with the limits that are reached now; nil if they have not changed.
    func reaching(_ tallies: KnownTallies) -> AppSnapshot? {
        var reached = ReachedLimits()
        var names: [Identifier] = []
        for limit in responseLimits.all {
            guard let state = tallies[limit.key, of: name].flatMap({ limit.reached($0) }) else { continue }
            reached[limit.key] = state
            let levels = state.quotas.map { "\($0.name) \($0.level)" }
            names.append("\(limit.key) \(state.responses.map { "\($0)" } ?? "") \(levels)")
        }
        guard names != reachedNames else { return nil }
        return AppSnapshot(self, reached: reached, names: names)
    }
}
