internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// The rows that are erased with a client or user (docs/reference/http-api.md#erasure).
extension Store {
    /// Removes the row of a client or user with the answers, runs, aliases, event ids, webhooks and stored replies, and
    /// adds a record to the audit. When a client is erased, runs of users and their webhooks stay, and lose its id.
    /// Clients of an erased user lose their answers and their user. Lists of clients lose a client's id, lists of users
    /// a user's. Soon after, no file contains the removed rows.
    ///
    /// The write that removes a run also releases its slots in quotas and limits, and subtracts it from the counts of
    /// results. So it does not matter when the run began.
    ///
    /// The erasure is one write, with the audit's record. For a person with very many rows it is several writes; the
    /// last one contains the record. A search after it finds rows that another writer has added meanwhile. The erasure
    /// completes when this search finds nothing; until then it may be requested again.
    ///
    /// - Parameter shared: receives the names of the rows that others see and that the erasure changed: the tallies in
    ///   which slots were released, and the lists from which the id was taken.
    public func erase(
        _ person: Person, knownAs digest: [UInt8], _ origin: ChangeOrigin, shared: (Set<RowName>) -> Void = { _ in }
    ) throws(StoreError) -> ErasureOutcome {
        guard try !logs(LogQuery(app: person.app)).logs.isEmpty else { return .unknownApp }
        var isRecorded = false
        for _ in 0..<Self.maximumErasureRounds {
            var changed: Set<RowName> = []
            let state = try commitAudited { () throws(StoreError) -> (ErasureState, WriteGroup?, [AuditEntry]) in
                var erasure = Erasure(person, in: self)
                try erasure.collect()
                guard !erasure.rows.isEmpty else { return (.nothing, nil, []) }
                var group = WriteGroup(erasure.rows)
                group.isErasure = true
                changed = Set(erasure.slots.keys).union(erasure.lists)
                let isLast = erasure.isWhole && !isRecorded
                let entries = isLast ? [AuditEntry(erasureOf: person, knownAs: digest, origin)] : []
                return (isLast ? .recorded : .written, group, entries)
            }
            shared(changed)
            switch state {
            case .nothing: return isRecorded ? .erased : .nothing
            case .recorded: isRecorded = true
            case .written: break
            }
        }
        throw .overloaded
    }

    private static var maximumErasureRounds: Int { 10_000 }
}

/// The progress of an erasure after one write.
private enum ErasureState {
    case nothing, written, recorded
}

/// The rows of a person that one write changes or deletes.
private struct Erasure {
    /// The maximum number of rows of each kind in one write.
    private static let bound = 5_000

    private let person: Person
    private let store: any Store
    private(set) var rows: [RowWrite] = []
    private var counting = CommitCounting()
    /// The slots of the erased runs, by the tally that counts them.
    private(set) var slots: [RowName: [Tally.Slot]] = [:]
    /// The erased runs whose facts may be in the row of a user, by user.
    private var factRuns: [Identifier: [Identifier]] = [:]
    private var names: Set<RowName> = []
    /// The lists from which the person is taken.
    private(set) var lists: [RowName] = []
    /// Whether these are all rows.
    private(set) var isWhole = true

    init(_ person: Person, in store: any Store) { (self.person, self.store) = (person, store) }

    mutating func collect() throws(StoreError) {
        try collectRuns()
        if case .client = person { try forgetFacts() }
        if let key = person.respondent.key {
            try delete(.currentRuns(app: person.app, respondent: key))
            try delete([.runList(app: person.app, respondent: key)])
        }
        try delete(.replies(person))
        try collectWebhooks()
        switch person {
        case .client(let client):
            try delete(.users(of: client))
            try delete(.answers(client))
        case .user(let user): try collectClients(of: user)
        }
        let listRows = try store.listRows(without: person)
        lists = listRows.map(\.name).filter { if case .list = $0 { true } else { false } }
        rows += listRows
        let version = try store.versions(of: [person.rowName]).first ?? 0
        if isWhole, version != 0, case .client(let client) = person {
            // The version is read first: if the client changes meanwhile, the write is repeated.
            counting.change(of: client, from: try? store.row(person.rowName)?.value, to: .nothing)
        }
        try count()
        // Other writers compare this row, so it is deleted last.
        guard isWhole, version != 0 else { return }
        rows.append(RowWrite(name: person.rowName, expected: version, value: .nothing))
    }

    /// Releases the slots of the erased runs, and subtracts runs and client from the counts of results, in the same
    /// write.
    private mutating func count() throws(StoreError) {
        for (name, slots) in slots {
            guard let row = try store.row(name), case .tally(var tally) = row.value else { continue }
            for slot in slots { tally.release(slot) }
            rows.append(RowWrite(name: name, expected: row.version, value: .tally(tally)))
        }
        for name in counting.names {
            let row = try store.row(name)
            let value = counting.value(of: name, after: row?.value)
            rows.append(RowWrite(name: name, expected: row?.version ?? 0, value: value))
        }
    }

    /// Collects the runs with the replies about them. A user's runs stay when a client is erased, and lose its id.
    private mutating func collectRuns() throws(StoreError) {
        var query = RunQuery(app: person.app, limit: Self.bound)
        query.includesDeleted = true
        switch person {
        case .client(let client): query.clientID = client.id
        case .user(let user): (query.userID, query.includesMerged) = (user.id, true)
        }
        for row in try find(.runs(query)) {
            if case .client = person, case .success(.run(var run)) = row.value, run.respondent.userID != nil {
                run.clientID = nil
                change(row, to: .run(run))
            } else {
                change(row, to: .nothing)
                if case .run(let run) = row.name { try delete(.repliesOfRun(run)) }
            }
        }
    }

    /// Removes facts that went to a user when the client was identified, while their response stayed the client's.
    private mutating func forgetFacts() throws(StoreError) {
        for (id, runs) in factRuns {
            let name = RowName.user(UserReference(app: person.app, id: id))
            guard let row = try store.row(name), case .client(var state) = row.value else { continue }
            let before = state.facts
            for run in runs { state.facts.forget(RespondentFacts.SourceDigest(run)) }
            guard state.facts != before else { continue }
            rows.append(RowWrite(name: name, expected: row.version, value: .client(state)))
        }
    }

    /// Collects the webhooks. A user's webhooks stay when a client is erased, and lose its id.
    private mutating func collectWebhooks() throws(StoreError) {
        for row in try find(.webhooksAbout(person)) {
            if case .client = person, case .success(.webhook(var webhook, let owner)) = row.value,
                webhook.userID != nil
            {
                webhook.clientID = nil
                change(row, to: .webhook(webhook, owner: owner))
            } else {
                change(row, to: .nothing)
            }
        }
    }

    /// Detaches the clients of a user, whose answers were the user's. A client may belong to another user by now.
    private mutating func collectClients(of user: UserReference) throws(StoreError) {
        for alias in try find(.clients(of: user)) {
            guard case .alias(_, let clientID) = alias.name else { continue }
            let client = ClientReference(app: user.app, id: clientID)
            if let row = try store.row(.client(client)), case .client(var state) = row.value,
                state.userID == user.id
            {
                try delete(.answers(client))
                state.userID = nil
                rows.append(RowWrite(name: .client(client), expected: row.version, value: .client(state)))
            }
            change(alias, to: .nothing)
        }
    }

    private mutating func find(_ index: RowIndex) throws(StoreError) -> [FoundRow] {
        let found = try store.find(index, limit: Self.bound)
        if found.count == Self.bound { isWhole = false }
        return found
    }

    private mutating func delete(_ index: RowIndex) throws(StoreError) {
        for row in try find(index) { change(row, to: .nothing) }
    }

    private mutating func delete(_ names: [RowName]) throws(StoreError) {
        for (name, version) in zip(names, try store.versions(of: names)) where version != 0 {
            rows.append(RowWrite(name: name, expected: version, value: .nothing))
        }
    }

    /// Adds the change of a row once: a reply may be about the person and about a run.
    private mutating func change(_ row: FoundRow, to value: RowValue) {
        guard names.insert(row.name).inserted else { return }
        rows.append(row.write(value))
        if case .run(let run) = row.name, case .success(.run(let before)) = row.value {
            counting.change(of: run.app, from: before, to: value)
            guard value.isEmpty else { return }
            if let user = before.factUser { factRuns[user, default: []].append(run.id) }
            for slot in before.slots { slots[.tally(app: run.app, key: slot.key), default: []].append(slot) }
        }
    }
}
