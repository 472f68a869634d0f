import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Foundation
import SQLiteStore
import StoreSupport
import Surveys
import TestSupport
import Testing

@testable import BellwetherService

/// Every kind of row that transactions write, with two values. Free ids and texts contain a NUL.
enum RowSample: String, CaseIterable, Sendable {
    case client, user, run, currentRun, tally, counts, cell, periods, definitions, forecast, runList, alias, lease,
        consumer, note, list, listBucket, listKey
    case token
    /// Kinds of rows that are written only once.
    case answer, reply

    static let app: Identifier = "app"
    static let now = Timestamp(seconds: 1_790_000_000)
    /// A text that stores must keep byte for byte: it contains quotes, wildcards and a terminator.
    static let text = "a\u{0}'\"\\%_\u{e9}e\u{301}\u{1F600}"

    private static let device = ClientReference(app: app, id: "device")
    private static let ada = UserReference(app: app, id: "ada")

    var name: RowName {
        switch self {
        case .client: .client(Self.device)
        case .user: .user(Self.ada)
        case .run: .run(RunReference(app: Self.app, id: "run"))
        case .currentRun: .currentRun(app: Self.app, slug: Identifier(Self.text), respondent: "client:device")
        case .tally: .tally(app: Self.app, key: Identifier(Self.text))
        case .counts: .counts(app: Self.app, key: Identifier(Self.text))
        case .cell: .cell(app: Self.app, key: Identifier(Self.text))
        case .periods: .periods(app: Self.app, slug: Identifier(Self.text))
        case .definitions: .definitions(app: Self.app)
        case .forecast: .forecast(app: Self.app, slug: Identifier(Self.text))
        case .runList: .runList(app: Self.app, respondent: "client:\(Self.text)")
        case .alias: .alias(Self.ada, clientID: Identifier(Self.text))
        case .lease: .lease(Identifier(Self.text))
        case .consumer: .consumer(app: Self.app, name: Identifier(Self.text))
        case .note: .note(app: Self.app, slug: Identifier(Self.text))
        case .list: .list(app: Self.app, name: "beta")
        case .listBucket: .listBucket(app: Self.app, list: "beta", 255)
        case .listKey: .listKey
        case .token: .token(digest: [0, 7, 255])
        case .answer: .answer(Self.device, message: Identifier(Self.text))
        case .reply:
            .reply(
                IdempotencyKey(token: Identifier(Self.text), path: Identifier(Self.text), text: Identifier(Self.text)))
        }
    }

    /// - Parameter number: 1 or 2.
    func value(_ number: Int64) -> RowValue {
        switch self {
        case .client, .user:
            var state = ClientState()
            state.ledger[Identifier(Self.text)].displayCount = UInt32(number)
            return .client(state)
        case .run: return .run(Self.run(number))
        case .currentRun: return .currentRun("run\(number)")
        case .tally:
            var tally = Tally()
            (tally.submitted, tally.slots) = (Int(number), [Identifier(Self.text): 3])
            return .tally(tally)
        case .counts:
            var counts = ResultCounts()
            counts.add(number, Identifier(Self.text), Identifier(Self.text))
            return .counts(counts)
        case .cell:
            let sums = "\(number) 0 170141183460469231731687303715884105727 4 5 6 7"
            return GoalCell(["goals": [.string(sums)]]).map { .cell($0) } ?? .nothing
        case .periods:
            let bound: JSONValue = ["goal": "g", "worse_by": 0.5]
            let fired: JSONValue = ["at": "2026-11-20T07:00:00Z", "branch": .string(Self.text), "exposed": 100]
            let period: JSONValue = [
                "since": .integer(number), "revision": 3, "fired": [["guard": bound, "fired": fired, "off": true]],
            ]
            return RecipePeriods(["periods": [period]]).map { .periods($0) } ?? .nothing
        case .definitions:
            let definition: JSONValue = [
                "of": .string(Self.text), "where": "a > 1", "sum": .string(Self.text), "revision": 3,
                "since": .integer(number),
            ]
            return EventDefinitions([Self.text: definition]).map { .definitions($0) } ?? .nothing
        case .forecast:
            let share: JSONValue = [
                "low": nil, "high": 0.2, "windows": [nil, [0.1, 0.2, 0.05, 0.25]], "came": .integer(number),
                "off": true,
            ]
            return HeldForecast([
                "revision": 3, "since": 5, "day": 3, "window": 2, "clients": 7, "weight": 2.5, "enrolled": share,
                "shown": share,
            ]).map { .forecast($0) } ?? .nothing
        case .runList: return .runList(RunList((0..<number).map { "\(Self.text)\($0)" }))
        case .alias: return .alias
        case .lease: return .lease(Lease(holder: Identifier(Self.text), until: Timestamp(milliseconds: number)))
        case .consumer: return .consumer(ConsumerPosition(number: number, updatedAt: Self.now))
        case .note:
            var note = RecipeNote()
            (note.owner, note.labels) = (Identifier(Self.text), ["\(number)", Identifier(Self.text)])
            note.archivedAt = Timestamp(milliseconds: number)
            note.sentBack = RecipeNote.SentBack(revision: 3, comment: Self.text, author: Self.text, at: Self.now)
            return .note(note)
        case .list:
            return .list(
                StoredList(of: .users, revision: 3, count: Int(number), at: Self.now, author: Self.text, after: number))
        case .listBucket:
            let entries = (0..<UInt64(number)).map { ListEntry(high: .max - 2 + $0, low: 0x1234 + $0) }
            return .listBucket(ListBucket(entries))
        case .listKey:
            var random = SeededGenerator(seed: UInt64(number))
            return .listKey(ListKey(random: &random))
        case .token:
            var token = StoredToken(
                name: Identifier(Self.text), scope: .owner, app: Self.app, isWeb: true, digest: [0, 7, 255],
                createdAt: Self.now,
                expiresAt: Self.now.adding(seconds: 5))
            token.lastUsedAt = Timestamp(milliseconds: number)
            return .token(KeptToken(token, number: 3))
        case .answer:
            return .answer(
                SurveyResponse(
                    id: "r", clientID: "device", message: Identifier(Self.text), requestID: Identifier(Self.text),
                    optionIndex: 2,
                    optionStringID: Identifier(Self.text), text: Self.text, locale: "de", revision: 3,
                    submittedAt: Self.now))
        case .reply:
            let subject = ReplySubject(
                app: Self.app, clientID: Identifier(Self.text), userID: Identifier(Self.text),
                runID: Identifier(Self.text))
            let reply = StoredReply(
                bodyDigest: [0, 1], status: 201, body: Array(Self.text.utf8), entityTag: Self.text, subject: subject)
            return .reply(reply, at: Self.now)
        }
    }

    /// A run with a comment and answers.
    static func run(_ number: Int64, id: String = "run") -> Run {
        var run = Run(
            id: Identifier(id), slug: Identifier(text), kind: .survey, revision: 1, respondent: .user(ada.id), at: now)
        run.clientID = Identifier(text)
        run.mergedUserID = Identifier(text)
        run.answers = ["q": .string(text), text: .integer(number)]
        run.comments = [Run.Comment(number: 1, author: text, body: text, createdAt: now, updatedAt: now)]
        run.commentCount = 1
        return run
    }

    var isWrittenOnce: Bool { self == .answer || self == .reply }

    /// The group that writes the row. An answer is written together with its client's row.
    func group(_ value: RowValue?, expecting version: UInt64, _ store: any Store) throws -> WriteGroup {
        var group = WriteGroup([RowWrite(name: name, expected: version, value: value)])
        if self == .answer, value != nil {
            let client = RowSample.client
            let expected = try store.versions(of: [client.name])[0]
            group.rows.append(RowWrite(name: client.name, expected: expected, value: client.value(Int64(expected % 2))))
        }
        return group
    }
}

/// The behaviour of every store with every kind of row.
@Suite struct RowContractTests {
    private func row(_ sample: RowSample, _ store: any Store) throws -> StoredRow? {
        let reading = try store.read(RowQuery(names: [sample.name, .lease("none")]))
        #expect(try reading.rows.count == 2 && reading.rows[1].get() == nil)
        let row = try reading.rows[0].get()
        #expect(try store.versions(of: [.lease("none"), sample.name]) == [0, row?.version ?? 0])
        return row
    }

    private func write(
        _ sample: RowSample, _ value: RowValue?, expecting version: UInt64, _ store: any Store
    ) throws -> UInt64? {
        let outcome = try store.write([try sample.group(value, expecting: version, store)]).first
        switch outcome {
        case .written(let versions)?: return versions.first
        case .conflict(let names)?:
            #expect(names == [sample.name])
            return nil
        case nil: throw Failure("no outcome")
        }
    }

    /// A row is written, written again, refused with a wrong version, deleted, and written with a new version.
    @Test(arguments: StoreKind.allCases, RowSample.allCases)
    func `A row is written under its version, read as it was written, and deleted`(
        _ kind: StoreKind, _ sample: RowSample
    ) throws {
        let test = try ContractStore(kind)
        #expect(try row(sample, test.store) == nil)
        #expect(try write(sample, sample.value(1), expecting: 5, test.store) == nil)
        #expect(try row(sample, test.store) == nil)
        let first = try #require(try write(sample, sample.value(1), expecting: 0, test.store))
        #expect(try row(sample, test.store) == StoredRow(version: first, value: sample.value(1)))
        #expect(try write(sample, sample.value(2), expecting: 0, test.store) == nil)
        #expect(try write(sample, nil, expecting: first + 1, test.store) == nil)
        #expect(try write(sample, nil, expecting: first, test.store) == first)
        #expect(try row(sample, test.store)?.value == sample.value(1))
        var last = first
        if !sample.isWrittenOnce {
            last = try #require(try write(sample, sample.value(2), expecting: first, test.store))
            #expect(last > first)
            #expect(try row(sample, test.store) == StoredRow(version: last, value: sample.value(2)))
        }
        #expect(try write(sample, .nothing, expecting: last + 1, test.store) == nil)
        #expect(try write(sample, .nothing, expecting: last, test.store) == 0)
        #expect(try row(sample, test.store) == nil)
        let again = try #require(try write(sample, sample.value(1), expecting: 0, test.store))
        #expect(sample.isWrittenOnce || again > last)
        #expect(try row(sample, test.store)?.value == sample.value(1))
    }

    /// Names that differ only in a NUL, in case, or in the composition of a letter are different names.
    @Test(arguments: StoreKind.allCases)
    func `Names are told apart byte for byte`(_ kind: StoreKind) throws {
        let test = try ContractStore(kind)
        let keys = ["a", "a\u{0}", "a\u{0}b", "A", "\u{e9}", "e\u{301}", "", " a", "a ", "a\u{1F}", "%", "_"]
        for (index, key) in keys.enumerated() {
            let places = [
                RowName.tally(app: "app", key: Identifier(key)), .tally(app: Identifier(key), key: "k"),
                .lease(Identifier(key)),
            ].map { name in
                let lease = RowValue.lease(Lease(holder: "\(index)", until: RowSample.now))
                let isLease = if case .lease = name { true } else { false }
                return RowWrite(
                    name: name, expected: 0, value: isLease ? lease : RowSample.tally.value(Int64(index) + 1))
            }
            let outcome = try test.store.write([WriteGroup(places)]).first
            guard case .written? = outcome else {
                return #expect(Bool(false), "\(index) is taken for another")
            }
        }
        for (index, key) in keys.enumerated() {
            let rows = try test.store.read(
                RowQuery(names: [.tally(app: "app", key: Identifier(key)), .tally(app: Identifier(key), key: "k")]))
            for row in rows.rows { #expect(try row.get()?.value == RowSample.tally.value(Int64(index) + 1)) }
        }
    }

    /// A writer's group is refused if the other writer has written any of its rows.
    @Test(arguments: StoreKind.allCases, RowSample.allCases)
    func `Of two writers that have read the same row one is refused`(_ kind: StoreKind, _ sample: RowSample) throws {
        let test = try ContractStore(kind)
        let bystander = RowWrite(
            name: .lease("other"), expected: 0, value: .lease(Lease(holder: "h", until: RowSample.now)))
        let first = try sample.group(sample.value(1), expecting: 0, test.store)
        var second = first
        second.rows.append(bystander)
        second.records = [
            WriteGroup.LogRecord(
                app: "app",
                record: TelemetryRecord(at: RowSample.now, clientID: "c", category: "c", name: "n", extra: [:]),
                receivedAt: RowSample.now)
        ]
        guard case .written? = try test.store.write([first]).first else { return #expect(Bool(false), "refused") }
        guard case .conflict(let names)? = try test.store.write([second]).first else {
            return #expect(Bool(false), "both have won")
        }
        #expect(names.contains(sample.name))
        #expect(try test.store.versions(of: [.lease("other")]) == [0])
        #expect(try test.store.records(RecordRange(app: "app", after: 0, limit: 10)).rows.isEmpty)
    }

    /// A process writes every kind of row and ends by SIGKILL; the acknowledged rows are in the files.
    @Test func `What a killed process had written is there`() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let store = try SQLiteStore(directory: path)
            for sample in RowSample.allCases {
                _ = try store.write([try sample.group(sample.value(1), expecting: 0, store)])
            }
            try store.changeTokens(
                [.issue(StoredToken(name: "t", scope: .owner, app: "*", digest: [1], createdAt: RowSample.now))],
                expecting: nil, by: "test", at: RowSample.now)
            kill(getpid(), SIGKILL)
        }
        let next = try SQLiteStore(directory: directory.path)
        defer { next.close() }
        for sample in RowSample.allCases where sample != .client {
            let row = try next.read(RowQuery(names: [sample.name])).rows.first?.get()
            #expect(row?.value == sample.value(1), "\(sample)")
        }
        #expect(try next.readAudit(AuditQuery(after: 0, limit: 10)).count == 1)
    }
}
