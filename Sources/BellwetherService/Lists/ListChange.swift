public import BellwetherCore
public import BellwetherJSON
internal import JEXL

/// A change of a list, with the ids that its request has brought.
public struct ListChange: Sendable {
    public enum Action: Sendable, Hashable {
        /// Makes the list, or replaces all its ids. `of` is nil if the request does not say whose ids they are.
        case put(of: ListSubject?)
        case add, remove, delete
    }

    public let name: Identifier
    public let action: Action
    public let entries: ListEntries
    /// The lines whose id stood in the body before.
    public let duplicates: Int

    public init(_ action: Action, _ name: Identifier, _ entries: ListEntries = ListEntries(), duplicates: Int = 0) {
        (self.action, self.name, self.entries, self.duplicates) = (action, name, entries, duplicates)
    }

    /// The ids after the change.
    func applied(to current: ListEntries) -> ListEntries {
        var next = current
        switch action {
        case .put: next = entries
        case .add: next.formUnion(entries)
        case .remove: next.subtract(entries)
        case .delete: next = ListEntries()
        }
        return next
    }
}

/// The outcome of a change of a list.
public struct ListReceipt: Sendable {
    public let effect: PublishReceipt.Effect
    public let list: ListFacts
    public let added: Int
    public let removed: Int
    public let duplicates: Int
}

/// A list, as its owners see it.
public struct ListFacts: Sendable {
    public let name: Identifier
    public let stored: StoredList
    /// The documents in force that read it: slugs, nil for the manifest.
    public let users: [Identifier?]
}

/// The rows that a change of a list writes.
public struct ListWrite: Sendable {
    public let name: Identifier
    /// The list before and after; nil if there was or is none.
    public let before: StoredList?
    public let after: StoredList?
    /// The buckets that change.
    let buckets: [(index: Int, bucket: ListBucket)]
    let added: Int
    let removed: Int
}

extension CatalogEditor {
    /// Changes a list. It compiles nothing, because expressions read lists by their names.
    mutating func change(_ request: PublishRequest, _ change: ListChange) throws(PublishRefusal) -> PublishOutcome {
        let app = request.app
        guard let parts = apps[app] else { throw .unknownApp }
        let current = parts.lists[change.name]
        guard precondition(current?.stored.version) else { throw .preconditionFailed(current: current?.stored.version) }
        let subject = try subject(of: change, over: current, in: parts)
        let former = current?.entries ?? ListEntries()
        let entries = change.applied(to: former)
        if change.action == .delete {
            try guardUnused("list.\(change.name)", in: app)
            set(nil, change.name, over: current, entries, in: app)
            return .deleted
        }
        try guardRoom(for: entries.count, over: former.count, upTo: request.listIDs, isNew: current == nil, in: parts)
        let isChanged = current == nil || entries != former
        var stored =
            current?.stored
            ?? StoredList(of: subject, revision: 1, count: entries.count, at: now, author: author, after: 0)
        if let before = current?.stored, isChanged {
            stored = StoredList(
                of: subject, revision: before.revision + 1, count: entries.count, at: now, author: author,
                after: before.stamp)
        }
        let numbers = isChanged ? set(stored, change.name, over: current, entries, in: app) : (added: 0, removed: 0)
        let users = apps[app]?.users(of: "list.\(change.name)") ?? []
        return .list(
            ListReceipt(
                effect: current == nil ? .created : isChanged ? .changed : .unchanged,
                list: ListFacts(name: change.name, stored: stored, users: users), added: numbers.added,
                removed: numbers.removed, duplicates: change.duplicates))
    }

    /// The subject of the list after the change. Only a PUT makes a list.
    private func subject(
        of change: ListChange, over current: LoadedList?, in parts: EditableApp
    ) throws(PublishRefusal) -> ListSubject {
        guard case .put(let subject) = change.action else {
            guard let current else { throw .notFound }
            return current.stored.subject
        }
        let pointer = JSONPointer(tokens: ["name"])
        if !AudienceLists.isName(change.name) {
            throw .faults([Finding(pointer: pointer, code: "identifier", message: AudienceLists.rule)], warnings: [])
        }
        if parts.manifest.audienceScope.attributes.contains(.list) {
            let message = "the manifest declares an attribute \"list\""
            throw .faults([Finding(pointer: pointer, code: "reserved", message: message)], warnings: [])
        }
        guard let current else { return subject ?? .clients }
        if let subject, subject != current.stored.subject { throw .otherSubject(current.stored.subject) }
        return current.stored.subject
    }

    private func guardRoom(
        for count: Int, over former: Int, upTo bound: Int, isNew: Bool, in parts: EditableApp
    ) throws(PublishRefusal) {
        func refusal(_ message: String) -> PublishRefusal {
            .faults([Finding(pointer: .root, code: "too_many", message: message)], warnings: [])
        }
        if isNew, parts.lists.count >= StoredList.maximumNumber {
            throw refusal("an app has at most \(StoredList.maximumNumber) lists")
        }
        guard count > former else { return }
        if count > StoredList.maximumCount {
            throw refusal("a list has at most \(StoredList.maximumCount) ids, this one would have \(count)")
        }
        let others = apps.values.reduce(0) { $0 + $1.listedIDs } + retired.values.reduce(0) { $0 + $1.listedIDs }
        let total = others - former + count
        if total > bound {
            throw refusal("all lists have at most \(bound) ids (lists.ids), and would have \(total)")
        }
    }

    /// Sets a list, or deletes it. Returns how many ids are new and gone.
    @discardableResult
    private mutating func set(
        _ stored: StoredList?, _ name: Identifier, over current: LoadedList?, _ entries: ListEntries,
        in app: Identifier
    ) -> (added: Int, removed: Int) {
        let former = current?.entries ?? ListEntries()
        let changed = entries.changedBuckets(from: former)
        let kept = changed.reduce(0) { $0 + entries.commonCount(with: former, in: $1) }
        let counts = changed.reduce((0, 0)) { sum, index in
            (sum.0 + entries.buckets[index].count, sum.1 + former.buckets[index].count)
        }
        let (added, removed) = (counts.0 - kept, counts.1 - kept)
        var versions = current?.bucketVersions
        for index in changed { versions?[index] = 0 }
        setList(name, stored.map { LoadedList($0, entries, bucketVersions: versions) }, in: app)
        note(
            .list(
                app: app,
                ListWrite(
                    name: name, before: current?.stored, after: stored,
                    buckets: changed.map { ($0, ListBucket(entries.buckets[$0])) }, added: added, removed: removed)))
        return (added, removed)
    }

    /// Deletes all lists of an app that is deleted.
    mutating func deleteLists(of app: Identifier) {
        for (name, list) in (apps[app]?.lists ?? [:]).sorted(by: { $0.key < $1.key }) {
            set(nil, name, over: list, ListEntries(), in: app)
        }
    }
}

extension EditableApp {
    var listedIDs: Int { lists.values.reduce(0) { $0 + $1.stored.count } }
}

extension RetiredApp {
    var listedIDs: Int { lists.values.reduce(0) { $0 + $1.stored.count } }
}
