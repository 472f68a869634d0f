import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Surveys
import TestSupport
import Testing

@testable import BellwetherService

/// The indexes of every store: they find the same rows, in the same order, up to the limit.
@Suite struct IndexContractTests {
    private static let app: Identifier = "app"
    private static let now = Timestamp(seconds: 1_790_000_000)
    private static let device = ClientReference(app: app, id: "device")
    private static let ada = UserReference(app: app, id: "ada")
    /// The texts, in the order of their bytes.
    private static let texts = ["A", "a", "a\u{0}", "a#b", "b", "e\u{301}", "\u{e9}"]

    private func write(_ rows: [(RowName, RowValue)], outbox: [OutboxRow] = [], to store: any Store) throws {
        let versions = try store.versions(of: rows.map(\.0))
        var group = WriteGroup(zip(rows, versions).map { RowWrite(name: $0.0, expected: $1, value: $0.1) })
        group.outbox = outbox
        guard case .written? = try store.write([group]).first else { throw Failure("not written") }
    }

    /// Finds all rows of an index, and the first two, and counts them. Compares versions and values with the rows.
    private func find(_ index: RowIndex, _ store: any Store) throws -> [RowName] {
        let found = try store.find(index, limit: 100)
        #expect(try store.find(index, limit: 2).map(\.name) == found.prefix(2).map(\.name))
        #expect(try store.find(index, limit: 0).isEmpty)
        #expect(try store.count(index, limit: 100) == found.count)
        #expect(try store.count(index, limit: 2) == min(2, found.count))
        for (row, found) in zip(try store.read(RowQuery(names: found.map(\.name))).rows, found) {
            let row = try #require(try row.get())
            #expect(try row.version == found.version && row.value == found.value.get())
        }
        return found.map(\.name)
    }

    @Test(arguments: StoreKind.allCases)
    func `An index of an app of which nothing was stored is empty`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        for index: RowIndex in [
            .answers(Self.device), .clients(of: Self.ada), .users(of: Self.device), .tokens, .pendingWebhooks,
            .currentRuns(app: "app", respondent: "client:device"), .replies(.user(Self.ada)),
            .repliesOfRun(RunReference(app: "app", id: "r")), .runs(RunQuery(app: "app", limit: 1)),
            .deletedRuns(before: Self.now), .runsWithFile(FileName(app: "app", sha256: "x")),
            .webhooks(OutboxQuery(app: "app", limit: 1)), .webhooksAbout(.client(Self.device)),
            .dueWebhooks(exceptHosts: []), .deadWebhooks, .small(.consumer, app: "app"), .small(.note, app: "app"),
            .revisions(app: "app", slug: "s"),
        ] {
            #expect(try find(index, test.store).isEmpty, "\(index)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `Counts are found by what their keys begin with, in the order of their keys`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        var counts = ResultCounts()
        counts.add(1, "g", "k")
        let keys = ["s\u{1F}", "s\u{1F}a", "s\u{1F}e\u{301}", "s\u{1F}\u{e9}"]
        let others = ["\u{1F}s", "s", "s ", "sa\u{1F}", "S\u{1F}"]
        let rows = (keys + others).shuffled().map {
            (RowName.counts(app: "app", key: Identifier($0)), RowValue.counts(counts))
        }
        try write(rows + [(.counts(app: "other", key: "s\u{1F}"), .counts(counts))], to: test.store)
        let found = try find(.small(.counts, app: "app", prefix: "s\u{1F}"), test.store)
        #expect(found == keys.map { .counts(app: "app", key: Identifier($0)) })
        try write([(.counts(app: "app", key: Identifier(keys[0])), .counts(ResultCounts()))], to: test.store)
        #expect(try find(.small(.counts, app: "app", prefix: "s\u{1F}"), test.store).count == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `Answers are found by client, in the order of their messages`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let other = ClientReference(app: "app", id: "other")
        let fenix = ClientReference(app: "fenix", id: "another")
        for (client, messages) in [(Self.device, Self.texts), (other, ["a"]), (fenix, ["a"])] {
            let answers = messages.reversed().map { message in
                let answer = SurveyResponse(
                    id: "r", clientID: client.id, message: Identifier(message), requestID: nil, optionIndex: 0,
                    optionStringID: "o", text: "t", locale: "en", revision: 1, submittedAt: Self.now)
                return (RowName.answer(client, message: Identifier(message)), RowValue.answer(answer))
            }
            try write([(.client(client), .client(ClientState()))] + answers, to: test.store)
        }
        #expect(
            try find(.answers(Self.device), test.store)
                == Self.texts.map { .answer(Self.device, message: Identifier($0)) })
        #expect(try find(.answers(ClientReference(app: "fenix", id: "device")), test.store).isEmpty)
        #expect(try find(.answersAfter(id: "", app: "fenix"), test.store) == [.answer(fenix, message: "a")])
    }

    @Test(arguments: StoreKind.allCases)
    func `Aliases are found by user and by client, whole ids only`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let users = ["ad", "ada", "ada#", "adab"].map { UserReference(app: "app", id: $0) }
        let fenix = UserReference(app: "fenix", id: "ada")
        let all = (users + [fenix]).flatMap { user in
            Self.texts.reversed().map { (RowName.alias(user, clientID: Identifier($0)), RowValue.alias) }
        }
        // Counts may have a key that begins as the name of an alias.
        var counts = ResultCounts()
        counts.add(1, "g", "k")
        let other = (RowName.counts(app: "app", key: "ada\u{1F}a"), RowValue.counts(counts))
        try write(all + [other], to: test.store)
        #expect(
            try find(.clients(of: Self.ada), test.store)
                == Self.texts.map { .alias(Self.ada, clientID: Identifier($0)) })
        for id in Self.texts {
            let client = ClientReference(app: "app", id: Identifier(id))
            #expect(try find(.users(of: client), test.store) == users.map { .alias($0, clientID: Identifier(id)) })
        }
        #expect(try find(.users(of: ClientReference(app: "app", id: "")), test.store).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `A respondent's current runs, consumers, notes and tokens are found`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let key = "client:a"
        var rows: [(RowName, RowValue)] = []
        for text in Self.texts.reversed() {
            rows.append(
                (.currentRun(app: "app", slug: Identifier(text), respondent: Identifier(key)), .currentRun("1")))
            rows.append(
                (.currentRun(app: "app", slug: Identifier(text), respondent: Identifier(key + "#b")), .currentRun("2")))
            rows.append(
                (.currentRun(app: "fenix", slug: Identifier(text), respondent: Identifier(key)), .currentRun("3")))
            rows.append(
                (
                    .consumer(app: "app", name: Identifier(text)),
                    .consumer(ConsumerPosition(number: 1, updatedAt: Self.now))
                ))
            rows.append(
                (
                    .consumer(app: "fenix", name: Identifier(text)),
                    .consumer(ConsumerPosition(number: 2, updatedAt: Self.now))
                ))
        }
        var note = RecipeNote()
        note.owner = "Ana"
        for text in Self.texts {
            rows.append((.note(app: "app", slug: Identifier(text)), .note(note)))
            rows.append((.note(app: "fenix", slug: Identifier(text)), .note(note)))
        }
        for number: UInt8 in 1...3 {
            let token = StoredToken(name: "\(number)", scope: .owner, app: "*", digest: [number], createdAt: Self.now)
            rows.append((.token(digest: [number]), .token(KeptToken(token, number: Int64(number)))))
        }
        // It belongs to no app either.
        rows.append((.lease("job"), .lease(Lease(holder: "node", until: Self.now))))
        try write(rows, to: test.store)
        let expected = Self.texts.map {
            RowName.currentRun(app: "app", slug: Identifier($0), respondent: Identifier(key))
        }
        #expect(try find(.currentRuns(app: "app", respondent: Identifier(key)), test.store) == expected)
        #expect(
            try find(.small(.consumer, app: "app"), test.store)
                == Self.texts.map { .consumer(app: "app", name: Identifier($0)) })
        #expect(
            try find(.small(.note, app: "app"), test.store)
                == Self.texts.map { .note(app: "app", slug: Identifier($0)) })
        try write([(.note(app: "app", slug: Identifier(Self.texts[0])), .note(RecipeNote()))], to: test.store)
        #expect(try find(.small(.note, app: "app"), test.store).count == Self.texts.count - 1)
        #expect(try Set(find(.tokens, test.store)) == Set((1...3).map { .token(digest: [$0]) }))
    }

    /// The replies of `b` are separate from those of `a#b`, under any path.
    @Test(arguments: StoreKind.allCases)
    func `Replies are found by the whole id of whom they tell of`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let ids = ["b", "a#b", "#b", "b\u{0}"]
        func reply(_ id: String, _ path: String, _ subject: ReplySubject) -> (RowName, RowValue) {
            let reply = StoredReply(bodyDigest: [1], status: 200, body: [2], subject: subject)
            return (.reply(IdempotencyKey(token: "t", path: "\(path)#\(id)", text: "k")), .reply(reply, at: Self.now))
        }
        for app in ["app", "fenix"] {
            try write(
                ids.flatMap { id in
                    [
                        reply(id, "/\(app)/client", ReplySubject(app: Identifier(app), clientID: Identifier(id))),
                        reply(id, "/\(app)/user", ReplySubject(app: Identifier(app), userID: Identifier(id))),
                        reply(id, "/\(app)/run", ReplySubject(app: Identifier(app), runID: Identifier(id))),
                    ]
                }, to: test.store)
        }
        for id in ids {
            let name = { (path: String) in
                [RowName.reply(IdempotencyKey(token: "t", path: "/app/\(path)#\(id)", text: "k"))]
            }
            let client = Person.client(ClientReference(app: "app", id: Identifier(id)))
            #expect(try find(.replies(client), test.store) == name("client"))
            #expect(
                try find(.replies(.user(UserReference(app: "app", id: Identifier(id)))), test.store) == name("user"))
            #expect(try find(.repliesOfRun(RunReference(app: "app", id: Identifier(id))), test.store) == name("run"))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `Deleted runs are found by time, and in a list only where it says so`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let runs = (0..<4).map { number in
            var run = RowSample.run(Int64(number), id: "\(number)")
            run.deletedAt = number == 3 ? nil : Self.now.adding(seconds: Int64(10 - number))
            return run
        }
        try write(runs.map { (.run(RunReference(app: "app", id: $0.id)), .run($0)) }, to: test.store)
        func names(_ ids: String...) -> Set<RowName> {
            Set(ids.map { .run(RunReference(app: "app", id: Identifier($0))) })
        }
        let due = try test.store.find(.deletedRuns(before: Self.now.adding(seconds: 10)), limit: 10).map(\.name)
        #expect(Set(due) == names("1", "2"))
        var query = RunQuery(app: "app", limit: 10)
        #expect(try Set(find(.runs(query), test.store)) == names("3"))
        query.includesDeleted = true
        #expect(try Set(find(.runs(query), test.store)) == names("0", "1", "2", "3"))
        query.userID = "ada"
        query.clientID = Identifier(RowSample.text)
        #expect(try Set(find(.runs(query), test.store)) == names("0", "1", "2", "3"))
        query.clientID = "other"
        #expect(try find(.runs(query), test.store).isEmpty)
        (query.clientID, query.userID, query.includesMerged) = (nil, Identifier(RowSample.text), true)
        #expect(try Set(find(.runs(query), test.store)) == names("0", "1", "2", "3"))
    }

    @Test(arguments: StoreKind.allCases)
    func `Webhooks are found by their state, time, host and person`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        func webhook(_ id: String, _ client: Identifier?, _ user: Identifier?, host: String = "a.example") -> OutboxRow
        {
            OutboxRow(
                id: Identifier(id), app: "app", url: "https://\(host)/", secretName: RowSample.text, body: [0, 1],
                clientID: client,
                userID: user, createdAt: Self.now)
        }
        let rows = [
            webhook("3", "b", nil), webhook("1", "a#b", "b"), webhook("2", nil, "a#b", host: "b.example"),
            webhook("4", Identifier(RowSample.text), nil),
        ]
        try write([], outbox: rows, to: test.store)
        let name = { (id: Identifier) in RowName.webhook(id) }
        #expect(try find(.pendingWebhooks, test.store) == ["3", "1", "2", "4"].map(name))
        #expect(try find(.webhooksAbout(.client(ClientReference(app: "app", id: "b"))), test.store) == [name("3")])
        #expect(try find(.webhooksAbout(.user(UserReference(app: "app", id: "b"))), test.store) == [name("1")])
        #expect(try find(.webhooksAbout(.user(UserReference(app: "x", id: "b"))), test.store).isEmpty)
        #expect(try find(.webhooks(OutboxQuery(app: "app", limit: 1)), test.store) == ["4", "3", "2", "1"].map(name))
        for (id, change) in [("3", 5), ("2", 7), ("1", 6)] as [(Identifier, Int64)] {
            guard case .webhook(var row, _)? = try test.store.value(of: name(id)) else { throw Failure("no webhook") }
            (row.nextAttempt, row.attempts, row.lastFailure) = (Self.now.adding(seconds: change), 2, RowSample.text)
            if id == "1" { row.state = .dead(at: Self.now) }
            try write([(name(id), .webhook(row, owner: Identifier(RowSample.text)))], to: test.store)
            #expect(try test.store.value(of: name(id)) == .webhook(row, owner: Identifier(RowSample.text)))
        }
        #expect(try find(.dueWebhooks(exceptHosts: []), test.store) == ["4", "3", "2"].map(name))
        #expect(try find(.dueWebhooks(exceptHosts: ["b.example:443"]), test.store) == ["4", "3"].map(name))
        #expect(try find(.deadWebhooks, test.store) == [name("1")])
        #expect(try find(.pendingWebhooks, test.store) == ["3", "2", "4"].map(name))
        try write([(name("4"), .nothing)], to: test.store)
        #expect(try find(.pendingWebhooks, test.store) == ["3", "2"].map(name))
        for (id, change) in [("3", 20), ("2", -20)] as [(Identifier, Int64)] {
            guard case .webhook(var row, _)? = try test.store.value(of: name(id)) else { throw Failure("no webhook") }
            row.state = .dead(at: Self.now.adding(seconds: change))
            try write([(name(id), .webhook(row, owner: nil))], to: test.store)
        }
        #expect(try find(.deadWebhooks, test.store) == ["2", "1", "3"].map(name))
    }

    @Test(arguments: StoreKind.allCases)
    func `A document is read by its name, as it was published, and a recipe with its revisions`(
        _ kind: StoreKind
    ) throws {
        let test = try ContractStore(kind)
        func document(_ revision: Int, author: String = "") -> StoredDocument {
            StoredDocument(
                revision: revision, source: .api, text: Array("{\"\(revision)\": \"\u{0}\"}".utf8),
                publishedAt: Self.now, author: author)
        }
        let recipe = StoredRecipe(slug: "s", state: .live, document: document(2, author: RowSample.text))
        let strings = DocumentName.strings(locale: "de")
        _ = try test.store.publish(
            [
                .manifest(app: "app", document(1)), .strings(app: "app", locale: "de", document(3)),
                .draft(app: "app", .manifest, document(4)),
                .recipe(app: "app", StoredRecipe(slug: "s", state: .live, document: document(1))),
                .recipe(app: "app", recipe), .recipe(app: "fenix", recipe),
                .recipe(app: "app", StoredRecipe(slug: "other", state: .live, document: document(7))),
            ], expecting: .none, by: "test", at: Self.now)
        let expected: [(RowName, RowValue?)] = [
            (.document(app: "app", .manifest), .document(document(1))),
            (.document(app: "app", strings), .document(document(3))), (.document(app: "fenix", .manifest), nil),
            (.draft(app: "app", .manifest), .document(document(4))), (.draft(app: "app", strings), nil),
            (.recipe(app: "app", slug: "s"), .recipe(recipe)), (.recipe(app: "app", slug: "t"), nil),
            (.revision(app: "app", slug: "s", 1), .document(document(1))), (.revision(app: "app", slug: "s", 3), nil),
            (.catalog, .catalog),
        ]
        for (name, value) in expected { #expect(try test.store.value(of: name) == value, "\(name)") }
        #expect(
            try find(.revisions(app: "app", slug: "s"), test.store)
                == [1, 2].map { .revision(app: "app", slug: "s", $0) })
    }
}
