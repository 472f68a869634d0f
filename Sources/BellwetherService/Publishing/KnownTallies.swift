internal import BellwetherBase
internal import BellwetherCore

/// The tallies of quotas as this process knows them, by app and message. The newest version of a row counts.
struct KnownTallies: Sendable {
    private var rows: [String: [String: (version: UInt64, tally: Tally)]] = [:]

    func contains(_ key: String, of app: String) -> Bool { rows[app]?[key] != nil }

    subscript(key: String, of app: String) -> Tally? { rows[app]?[key]?.tally }

    /// False: a newer one is known.
    @discardableResult
    mutating func note(_ tally: Tally, version: UInt64, of key: String, in app: String) -> Bool {
        if let known = rows[app]?[key], known.version > version { return false }
        rows[app, default: [:]][key] = (version, tally)
        return true
    }

    mutating func merge(_ others: KnownTallies) {
        for (app, tallies) in others.rows {
            for (key, row) in tallies { note(row.tally, version: row.version, of: key, in: app) }
        }
    }
}

extension AppSnapshot {
    /// The same app with the limits that are reached now; nil where they are the same.
    func reaching(_ tallies: KnownTallies) -> AppSnapshot? {
        var reached = ReachedLimits()
        var names: [String] = []
        for limit in responseLimits {
            guard let state = tallies[limit.key, of: name].flatMap({ limit.reached($0) }) else { continue }
            reached[limit.key] = state
            names.append("\(limit.key) \(state.isResponseLimit) \(state.quotas)")
        }
        guard names != reachedNames else { return nil }
        return AppSnapshot(self, reached: reached, names: names)
    }
}
