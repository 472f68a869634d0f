import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import StoreSupport
import Surveys
import TestSupport
import Testing

/// The behaviour of every `Store` with runs and users.
@Suite struct RunContractTests {
    static let now = Timestamp(seconds: 1_790_000_000)
    static let app: Identifier = "app"

    private func run(_ id: String, at seconds: Int64 = 0, user: Identifier? = nil) -> Run {
        var run = Run(
            id: Identifier(id), slug: "weekly", kind: .questionnaire, revision: 2,
            respondent: user.map { .user($0) } ?? .client("c1"), at: Self.now.adding(seconds: seconds))
        run.answers = ["q1": "é\u{0}", "q2": ["a", 1, 2.5]]
        (run.clientID, run.snapshot) = ("c1", ["version": 1])
        run.comments = [Run.Comment(number: 1, author: "a", body: "b", createdAt: Self.now, updatedAt: Self.now)]
        run.commentCount = 1
        return run
    }

    private func write(_ rows: [(RowName, RowValue)], to store: any Store) throws {
        let versions = try store.versions(of: rows.map(\.0))
        var group = WriteGroup()
        group.rows = zip(rows, versions).map { RowWrite(name: $0.0, expected: $1, value: $0.1) }
        guard case .written? = try store.write([group]).first else { throw Failure("not written") }
    }

    private func name(_ run: Run) -> RowName { .run(RunReference(app: Self.app, id: run.id)) }

    @Test(arguments: StoreKind.allCases)
    func rowsAreReadAsTheyWereWritten(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        var state = ClientState()
        state.surveys.submit("weekly", at: Self.now)
        state.surveys.dismissedAt = Self.now
        let current = RowName.currentRun(app: Self.app, slug: "weekly", respondent: "user:u1")
        let user = RowName.user(UserReference(app: Self.app, id: "u1"))
        let list = RowName.runList(app: Self.app, respondent: "user:u1")
        let rows: [(RowName, RowValue)] = [
            (name(run("1")), .run(run("1"))), (current, .currentRun("1")), (user, .client(state)),
            (list, .runList(RunList(["0", "1"]))),
        ]
        try write(rows, to: test.store)
        for (name, value) in rows {
            let read = try #require(try test.store.read(RowQuery(names: [name])).rows.first?.get())
            #expect(read.value == value && read.version > 0)
        }
        var changed = run("1")
        (changed.status, changed.submittedAt) = (.new, Self.now)
        try write([(name(changed), .run(changed)), (current, .currentRun(nil))], to: test.store)
        #expect(try test.store.versions(of: [current]) == [0])
        #expect(try test.store.read(RowQuery(names: [name(changed)])).rows.first?.get()?.value == .run(changed))
    }

    @Test(arguments: StoreKind.allCases)
    func aWriteOfAnOldVersionIsAConflict(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        try write([(name(run("1")), .run(run("1")))], to: test.store)
        var group = WriteGroup()
        group.rows = [RowWrite(name: name(run("1")), expected: 0, value: .run(run("1", at: 5)))]
        #expect(try test.store.write([group]) == [.conflict([name(run("1"))])])
        #expect(try test.store.read(RowQuery(names: [name(run("1"))])).rows.first?.get()?.value == .run(run("1")))
    }

    @Test(arguments: StoreKind.allCases)
    func runsAreListedNewestFirst(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        var runs = (0..<6).map { run("\($0)", at: Int64($0 / 2), user: $0 == 3 ? "u1" : nil) }
        runs[1].status = .new
        runs[2].isDevelopment = true
        runs[5].deletedAt = Self.now
        try write(runs.map { (name($0), .run($0)) }, to: test.store)
        var query = RunQuery(app: Self.app, limit: 10)
        let ids = { (query: RunQuery) throws in try test.store.readRuns(query).map(\.id) }
        #expect(try ids(query) == ["4", "3", "2", "1", "0"])
        query.limit = 2
        #expect(try ids(query) == ["4", "3"])
        query.after = RunCursor(runs[3])
        #expect(try ids(query) == ["2", "1"])
        var filtered = RunQuery(app: Self.app, limit: 10)
        filtered.userID = "u1"
        #expect(try ids(filtered) == ["3"])
        filtered = RunQuery(app: Self.app, limit: 10)
        (filtered.status, filtered.untouchedSince) = (.draft, Self.now.adding(seconds: 1))
        #expect(try ids(filtered) == ["0"])
        filtered = RunQuery(app: Self.app, limit: 10)
        filtered.isDevelopment = true
        #expect(try ids(filtered) == ["2"])
        filtered = RunQuery(app: "other", limit: 10)
        #expect(try ids(filtered).isEmpty)
    }

    /// Only the list of the erased client or user is deleted.
    @Test(arguments: StoreKind.allCases)
    func anErasedPersonsListOfRunsIsGone(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let lists = ["client:c1", "user:u1"].map { RowName.runList(app: Self.app, respondent: $0) }
        let client = ClientReference(app: Self.app, id: "c1")
        let rows = lists.map { ($0, RowValue.runList(RunList(["1"]))) }
        try write(rows + [(.client(client), .client(ClientState()))], to: test.store)
        let origin = ChangeOrigin(author: "test", at: Self.now)
        #expect(try test.store.erase(.client(client), knownAs: [], origin) == .erased)
        let left = try test.store.read(RowQuery(names: lists)).rows.map { try $0.get()?.value }
        #expect(left == [nil, .runList(RunList(["1"]))])
    }

    /// Only one of 64 simultaneous final saves submits; two daemons use one store.
    @Test func ofManySubmissionsOneWins() async throws {
        let store = TestStore()
        let daemons = [Persistence(store), Persistence(store)]
        let run = RunReference(app: Self.app, id: "1")
        let results = await withCheckedContinuation { done in
            let answers = ResultCollector<Bool>(count: 64) { done.resume(returning: $0) }
            for number in 0..<64 {
                let transaction = Transaction<Bool>(names: [.run(run)], now: Self.now) { rows in
                    var value = rows.run(run) ?? self.run("1")
                    var outcome = TransactionOutcome(result: false)
                    guard value.submittedAt == nil else { return .done(outcome) }
                    value.submittedAt = Self.now
                    outcome.result = true
                    outcome.rows = [(.run(run), .run(value))]
                    return .done(outcome)
                }
                daemons[number % 2].submit(transaction) { answers.add($0, at: number) }
            }
        }
        let winners = results.count { (try? $0.get()) == true }
        #expect(winners == 1 && results.count == 64)
    }
}
