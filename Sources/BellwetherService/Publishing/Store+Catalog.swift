public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// Publishing, over a store's rows (docs/decisions/0077-rules-stand-above-the-store.md).
extension Store {
    /// Makes the changes and their audit records durable if the head is still the expected one, and returns the new
    /// head. Throws `.stale` if another publish came first; then nothing was written. For the author see
    /// `ChangeAuthor`.
    public func publish(
        _ changes: [CatalogChange], expecting head: CatalogHead, by author: String, at now: Timestamp
    ) throws(StoreError) -> CatalogHead {
        let replaced = ChangeAudit.names(of: changes)
        var replies: [RowWrite] = []
        for case .reply(let claim, let reply, let at) in changes {
            replies.append(RowWrite(name: .reply(claim.key), expected: 0, value: .reply(reply, at: at)))
        }
        return try commitAudited { () throws(StoreError) in
            guard try versions(of: [.catalog]) == [head.revision] else { throw .stale }
            guard try versions(of: replies.map(\.name)).allSatisfy({ $0 == 0 }) else {
                throw .rejected("the idempotency key was used before")
            }
            var audit = ChangeAudit(author: author, now: now)
            for (name, row) in zip(replaced, try read(RowQuery(names: replaced)).rows) {
                audit.enter(name, try row.get()?.value)
            }
            var group = WriteGroup([RowWrite(name: .catalog, expected: head.revision, value: .catalog)] + replies)
            group.rows += try rows(of: changes)
            for case .pause(_, _, _, let notices) in changes { group.outbox += notices }
            for case .notices(let notices) in changes { group.outbox += notices }
            group.catalog = changes
            return (CatalogHead(revision: head.revision &+ 1), group, changes.compactMap { audit.record($0) })
        }
    }

    /// The catalog, the periods of its recipes, the definitions of its events and its lists, read at one head.
    ///
    /// - Parameters:
    ///   - known: the periods that were read before, by app and slug.
    ///   - lists: the lists that were read before, by app and name.
    func loadCatalog(
        known: [Identifier: [Identifier: LoadedPeriods]], lists: [Identifier: [Identifier: LoadedList]] = [:]
    ) throws(StoreError) -> StoredCatalog {
        for _ in 0..<Contention.maximumAttempts {
            var stored = try loadCatalog()
            for index in stored.apps.indices {
                let name = stored.apps[index].name
                stored.apps[index].periods = try periods(in: name, known: known[name] ?? [:])
                stored.apps[index].definitions = try definitions(in: name)
                stored.apps[index].lists = try self.lists(in: name, known: lists[name] ?? [:])
            }
            if try versions(of: [.catalog]) == [stored.head.revision] { return stored }
        }
        throw .stale
    }

    /// The rows of periods, of definitions and of lists. Only a publish writes them, and an erasure those of lists.
    private func rows(of changes: [CatalogChange]) throws(StoreError) -> [RowWrite] {
        var rows: [RowWrite] = []
        for change in changes {
            let (name, value): (RowName, RowValue)
            switch change {
            case .periods(let app, let slug, let periods):
                (name, value) = (.periods(app: app, slug: slug), .periods(periods))
            case .definitions(let app, let definitions):
                (name, value) = (.definitions(app: app), .definitions(definitions))
            case .list(let app, let write):
                rows += try self.rows(of: write, in: app)
                continue
            default: continue
            }
            rows.removeAll { $0.name == name }
            let version = try versions(of: [name]).first ?? 0
            rows.append(RowWrite(name: name, expected: version, value: value))
        }
        return rows
    }
}

extension DataReading {
    /// All revisions of a recipe, oldest first.
    public func revisions(of slug: Identifier, in app: Identifier) throws(StoreError) -> [StoredDocument] {
        try values(.revisions(app: app, slug: slug)) { if case .document(let document) = $0 { document } else { nil } }
    }

    /// The values of an index's rows for which `value` returns one. Throws if a row cannot be read.
    func values<Value>(
        _ index: RowIndex, limit: Int = .max, _ value: (RowValue) -> Value?
    ) throws(StoreError) -> [Value] {
        var values: [Value] = []
        for row in try find(index, limit: limit) { if let value = value(try row.value.get()) { values.append(value) } }
        return values
    }
}
