internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// Lists, over a store's rows: one small row for each list, and one for each bucket of its ids
/// (docs/decisions/0143-a-list-keeps-hashes-of-its-ids.md).
extension Store {
    /// The key under which ids are hashed; nil before the first list.
    func listKey() throws(StoreError) -> ListKey? {
        guard case .listKey(let key)? = try value(of: .listKey) else { return nil }
        return key
    }

    /// The key. It is made if there is none.
    func makeListKey() throws(StoreError) -> ListKey {
        var generator = SystemRandomNumberGenerator()
        return try commit { () throws(StoreError) in
            if let key = try listKey() { return (key, nil) }
            let key = ListKey(random: &generator)
            return (key, WriteGroup([RowWrite(name: .listKey, expected: 0, value: .listKey(key))]))
        }
    }

    /// The lists of an app with their ids. Ids that are known are not read again.
    func lists(
        in app: Identifier, known: [Identifier: LoadedList]
    ) throws(StoreError) -> [Identifier: LoadedList] {
        var lists: [Identifier: LoadedList] = [:]
        for row in try find(.small(.list, app: app), limit: StoredList.maximumNumber) {
            guard case .list(_, let name) = row.name, case .success(.list(let stored)) = row.value else { continue }
            lists[name] = try list(name, in: app, stored, known: known[name])
        }
        return lists
    }

    private func list(
        _ name: Identifier, in app: Identifier, _ stored: StoredList, known: LoadedList?
    ) throws(StoreError) -> LoadedList {
        if let known, known.stored == stored { return known }
        let names = LoadedList.bucketNames(of: name, in: app)
        let versions = try versions(of: names)
        var buckets = known?.entries.buckets ?? ListEntries().buckets
        for index in names.indices where versions[index] == 0 { buckets[index] = [] }
        let stale = names.indices.filter { versions[$0] != 0 && versions[$0] != known?.bucketVersions[$0] }
        var found = versions
        for (index, row) in zip(stale, try read(RowQuery(names: stale.map { names[$0] })).rows) {
            let row = try row.get()
            found[index] = row?.version ?? 0
            buckets[index] = if case .listBucket(let bucket)? = row?.value { bucket.entries } else { [] }
        }
        return LoadedList(stored, ListEntries(sorted: buckets), bucketVersions: found)
    }

    /// Whether lists have other ids in the store than in memory.
    func haveListsChanged(since known: [Identifier: [Identifier: LoadedList]]) throws(StoreError) -> Bool {
        let lists = known.flatMap { app, lists in
            lists.map { (name: RowName.list(app: app, name: $0.key), stored: $0.value.stored) }
        }
        guard !lists.isEmpty else { return false }
        for (list, row) in zip(lists, try read(RowQuery(names: lists.map(\.name))).rows) {
            guard case .list(let stored)? = try row.get()?.value, stored == list.stored else { return true }
        }
        return false
    }

    /// The rows of a change of a list. Throws `.stale` if the list is not the one that was changed.
    func rows(of write: ListWrite, in app: Identifier) throws(StoreError) -> [RowWrite] {
        let name = RowName.list(app: app, name: write.name)
        let current = try row(name)
        let stored: StoredList? = if case .list(let stored)? = current?.value { stored } else { nil }
        guard stored == write.before else { throw .stale }
        let value: RowValue = write.after.map { .list($0) } ?? .nothing
        var rows = [RowWrite(name: name, expected: current?.version ?? 0, value: value)]
        let names = write.buckets.map { RowName.listBucket(app: app, list: write.name, $0.index) }
        for (bucket, (name, version)) in zip(write.buckets, zip(names, try versions(of: names))) {
            if version == 0, bucket.bucket.entries.isEmpty { continue }
            rows.append(RowWrite(name: name, expected: version, value: .listBucket(bucket.bucket)))
        }
        return rows
    }

    /// The rows that take a person out of the app's lists.
    func listRows(without person: Person) throws(StoreError) -> [RowWrite] {
        guard let key = try listKey() else { return [] }
        let entry = ListEntry(person.id, key.hash)
        var rows: [RowWrite] = []
        for row in try find(.small(.list, app: person.app), limit: StoredList.maximumNumber) {
            guard case .list(let app, let name) = row.name, case .list(let stored) = try row.value.get(),
                stored.subject == person.listSubject
            else { continue }
            let bucketName = RowName.listBucket(app: app, list: name, ListEntries.bucket(of: entry))
            guard let bucket = try self.row(bucketName), case .listBucket(let kept) = bucket.value else { continue }
            let rest = kept.entries.filter { $0 != entry }
            guard rest.count < kept.entries.count else { continue }
            rows.append(row.write(.list(stored.erased)))
            rows.append(RowWrite(name: bucketName, expected: bucket.version, value: .listBucket(ListBucket(rest))))
        }
        return rows
    }

    /// The names of the lists that contain a person, in byte order.
    func lists(with person: Person) throws(StoreError) -> [Identifier] {
        try listRows(without: person).compactMap { row in
            if case .list(_, let name) = row.name { name } else { nil }
        }.sorted()
    }
}

extension Person {
    /// The lists from which the person is erased.
    var listSubject: ListSubject {
        switch self {
        case .client: .clients
        case .user: .users
        }
    }
}
