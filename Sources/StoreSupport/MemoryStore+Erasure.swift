internal import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON
public import BellwetherService
internal import Surveys

/// What is kept of a client or a user, to give out or to erase.
extension MemoryStore {
    public func erase(
        _ person: Person, knownAs digest: [UInt8], _ origin: ChangeOrigin
    ) throws(StoreError) -> ErasureOutcome {
        try access { content in
            guard content.apps.contains(person.app) else { return .unknownApp }
            let (rows, webhooks) = (content.rows.count, content.outbox.count)
            content.outbox.removeAll { $0.row.app == person.app && person.sent($0.row) }
            let runs = content.rows.compactMap { name, row -> String? in
                guard case .run(let name) = name, name.app == person.app, case .run(let run) = row.value,
                    person.made(run)
                else { return nil }
                return run.id
            }
            let hadID = content.forgetID(of: person)
            content.rows = content.rows.filter { name, row in !person.owns(name, row.value, runs: Set(runs)) }
            content.deleteUnusedFiles()
            guard hadID || content.rows.count < rows || content.outbox.count < webhooks else { return .nothing }
            if case .client(let client) = person { content.eventIDs[client] = nil }
            content.epoch += 1
            content.note(AuditEntry(erasureOf: person, knownAs: digest, origin))
            return .erased
        }
    }

    public func answers(of clients: [ClientReference]) throws(StoreError) -> [SurveyResponse] {
        try access { content in
            clients.flatMap { client in
                content.rows.compactMap { name, row -> SurveyResponse? in
                    guard case .answer(client, _) = name, case .answer(let response) = row.value else { return nil }
                    return response
                }.sorted { $0.message.precedes($1.message) }
            }
        }
    }

    public func aliases(of person: Person) throws(StoreError) -> [String] {
        try access { content in
            content.rows.keys.compactMap { name -> String? in
                guard case .alias(let user, let clientID) = name else { return nil }
                return switch person {
                case .user(let other): user == other ? clientID : nil
                case .client(let client): client == ClientReference(app: user.app, id: clientID) ? user.id : nil
                }
            }.sorted { $0.precedes($1) }
        }
    }
}

extension Person {
    fileprivate func sent(_ webhook: OutboxRow) -> Bool {
        switch self {
        case .client(let client): webhook.clientID == client.id && webhook.userID == nil
        case .user(let user): webhook.userID == user.id
        }
    }

    fileprivate func made(_ run: Run) -> Bool {
        switch self {
        case .client(let client): run.clientID == client.id && run.respondent.userID == nil
        case .user(let user): run.respondent.userID == user.id || run.mergedUserID == user.id
        }
    }

    fileprivate func owns(_ name: RowName, _ value: RowValue, runs: Set<String>) -> Bool {
        switch (name, value) {
        case (.client(let client), _): self == .client(client)
        case (.user(let user), _): self == .user(user)
        case (.answer(let client, _), _): self == .client(client)
        case (.alias(let user, let clientID), _):
            self == .user(user) || self == .client(ClientReference(app: user.app, id: clientID))
        case (.runList(let other, let respondent), _): other == app && respondent == self.respondent.key
        case (.run(let run), _): run.app == app && runs.contains(run.id)
        case (.currentRun(let other, _, let respondent), _): other == app && respondent == self.respondent.key
        case (.reply, .reply(let reply, _)): reply.subject.map { isToldOf(by: $0, runs: runs) } ?? false
        default: false
        }
    }
}

extension Person {
    private func isToldOf(by reply: ReplySubject, runs: Set<String>) -> Bool {
        guard reply.app == app else { return false }
        if let run = reply.runID, runs.contains(run) { return true }
        return switch self {
        case .client(let client): reply.clientID == client.id
        case .user(let user): reply.userID == user.id
        }
    }
}

extension MemoryStore.Content {
    /// What users keep of an erased client loses its id, and clients that of an erased user. Answers whether a user had
    /// any.
    fileprivate mutating func forgetID(of person: Person) -> Bool {
        guard case .client(let client) = person else {
            forgetUser(person)
            return false
        }
        var hadID = false
        for (name, row) in rows {
            guard case .run(let reference) = name, reference.app == client.app, case .run(var run) = row.value,
                run.clientID == client.id, run.respondent.userID != nil
            else { continue }
            (run.clientID, hadID) = (nil, true)
            rows[name] = StoredRow(version: row.version + 1, value: .run(run))
        }
        for index in outbox.indices where outbox[index].row.app == client.app {
            guard outbox[index].row.clientID == client.id else { continue }
            (outbox[index].row.clientID, hadID) = (nil, true)
        }
        return hadID
    }

    /// The user's clients are nobody's, and what they have answered was the user's.
    private mutating func forgetUser(_ user: Person) {
        for (name, row) in rows {
            guard case .client(let client) = name, client.app == user.app, case .client(var state) = row.value,
                state.userID == user.id
            else { continue }
            state.userID = nil
            rows[name] = StoredRow(version: row.version + 1, value: .client(state))
            rows = rows.filter { if case .answer(client, _) = $0.key { false } else { true } }
        }
    }
}
