internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Logging

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

extension Store {
    /// The known tallies whose rows have other versions now.
    func changedTallies(since known: KnownTallies) throws(StoreError) -> [CommittedTally] {
        let known = known.versions
        guard !known.isEmpty else { return [] }
        let versions = try versions(of: known.map(\.row))
        let names = zip(known, versions).compactMap { $0.version == $1 ? nil : $0.row }
        guard !names.isEmpty else { return [] }
        return zip(names, try read(RowQuery(names: names)).rows).compactMap { name, row in
            guard case .tally(let app, let key) = name, let row = try? row.get(), case .tally(let tally) = row.value
            else { return nil }
            return CommittedTally(app: app, key: key, tally: tally, version: row.version)
        }
    }

    /// Reads the tallies of messages whose tallies are not known yet. It leaves out the tallies of an app that cannot
    /// be read.
    func tallies(of apps: some Sequence<AppSnapshot>, known: KnownTallies, _ logger: Logger) -> KnownTallies {
        var loaded = KnownTallies()
        for app in apps {
            let keys = app.responseLimits.all.map(\.key).filter { known[$0, of: app.name] == nil }
            guard !keys.isEmpty else { continue }
            do throws(StoreError) {
                let reading = try read(RowQuery(names: keys.map { .tally(app: app.name, key: $0) }))
                for (key, row) in zip(keys, reading.rows) {
                    guard case .success(let row) = row else { continue }
                    let tally = if case .tally(let tally)? = row?.value { tally } else { Tally() }
                    _ = loaded.note(tally, version: row?.version ?? 0, of: key, in: app.name)
                }
            } catch {
                logger.error("quotas could not be read", metadata: ["app": "\(app.name)", "error": "\(error)"])
            }
        }
        return loaded
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
