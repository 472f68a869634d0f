internal import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
public import Surveys

/// Reads of runs and of people's data, over a store's rows.
extension DataReading {
    /// Runs of one recipe, newest first.
    public func readRuns(_ query: RunQuery) throws(StoreError) -> [Run] {
        try values(.runs(query), limit: query.limit) { if case .run(let run) = $0 { run } else { nil } }
    }
}

extension Store {
    /// A file that a run refers to (docs/reference/flows.md#files). Nil if there is no such run that is not deleted.
    public func readFile(_ name: FileName) throws(StoreError) -> StoredFile? {
        guard case .file(let file)? = try value(of: .file(name)) else { return nil }
        let runs: [Run] = try values(.runsWithFile(name)) { if case .run(let run) = $0 { run } else { nil } }
        return runs.contains { $0.deletedAt == nil } ? file : nil
    }

    /// The clients that were identified with a user, or the users that a client was identified with, in byte order.
    public func aliases(of person: Person) throws(StoreError) -> [Identifier] {
        let index: RowIndex =
            switch person {
            case .client(let client): .users(of: client)
            case .user(let user): .clients(of: user)
            }
        return try find(index, limit: .max).compactMap { row in
            guard case .alias(let user, let clientID) = row.name else { return nil }
            return if case .client = person { user.id } else { clientID }
        }
    }

    /// Returns the answers of clients to microsurveys, in the order of the clients.
    public func answers(of clients: [ClientReference]) throws(StoreError) -> [SurveyResponse] {
        var answers: [SurveyResponse] = []
        for client in clients {
            answers += try values(.answers(client)) { if case .answer(let answer) = $0 { answer } else { nil } }
        }
        return answers
    }
}
