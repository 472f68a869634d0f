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

/// Random saves, edits, deletions, erasures, identifications, published revisions and kills. The results must equal a
/// naive count of all stored runs, without marks and cells.
///
/// The test detects each `Fault`. A fault is made between two steps, like an error in the program.
@Suite struct CountedResultsTests {
    /// Errors that a program could have.
    enum Fault: CaseIterable {
        /// A run is changed without its counts.
        case uncountedEdit
        /// A run is deleted without its counts.
        case uncountedDeletion
    }

    private static let rounds: [StoreKind: UInt64] = [.memory: 40, .sqlite: 6]

    @Test(arguments: StoreKind.allCases)
    func `Results are as all runs counted one by one`(_ kind: StoreKind) async throws {
        for seed in 0..<(Self.rounds[kind] ?? 0) {
            var world = try CountingWorld(kind, seed: seed)
            for _ in 0..<40 {
                try await world.step()
                if world.isLucky(1, in: 8) { try world.compare("seed \(seed)") }
            }
            try world.compare("seed \(seed), at the end")
            try await world.end()
        }
    }

    @Test(arguments: Fault.allCases)
    func `A fault in counting is found`(_ fault: Fault) async throws {
        var world = try CountingWorld(.memory, seed: 7)
        for _ in 0..<40 { try await world.step() }
        try world.compare("before")
        #expect(try world.differences().isEmpty)
        try world.commit(fault)
        #expect(try !world.differences().isEmpty)
        try await world.end()
    }
}

/// A store with respondents, and the published recipes.
private struct CountingWorld {
    private static let app = Scene.app
    private static let users = ["ada", "bob"]

    private var random: SeededGenerator
    private let kind: StoreKind
    private var directory: TemporaryDirectory?
    private var persistence: Persistence
    private var scene: Scene
    private var now = Scene.start
    private var number = 0

    init(_ kind: StoreKind, seed: UInt64) throws {
        (self.kind, random) = (kind, SeededGenerator(seed: seed))
        let directory = kind == .sqlite ? try TemporaryDirectory() : nil
        self.directory = directory
        let store: any Store = try directory.map { try SQLiteStore(directory: $0.path) } ?? TestStore()
        persistence = Persistence(store)
        scene = Scene(recipes: ["weekly": Self.questionnaire(["a", "b", "c"]), "tour": Self.tour])
    }

    private static func questionnaire(_ options: [String]) -> JSONValue {
        let options = options.map { JSONValue.object(["id": .string($0), "label": .string($0)]) }
        let third: JSONValue = ["id": "stars", "type": "rating", "title": "Stars?"]
        return [
            "kind": "questionnaire", "name": "W", "keep": ["city"],
            "schema": [
                "version": 1,
                "questions": [
                    ["id": "one", "type": "single_choice", "title": "One?", "options": .array(options)],
                    ["id": "many", "type": "multi_choice", "title": "Many?", "options": .array(options)],
                    third, ["id": "why", "type": "text", "title": "Why?"],
                ],
            ],
        ]
    }

    private static let tour: JSONValue = [
        "kind": "flow", "id": "tour", "name": "Tour",
        "steps": [
            [
                "id": "goal", "type": "question",
                "config": ["title": "Goal?", "skip_enabled": true, "options": [["id": "lose"], ["id": "build"]]],
            ],
            [
                "id": "body", "type": "form",
                "config": ["title": "B", "fields": [["id": "age", "type": "number", "label": "Age"]]],
            ],
            ["id": "end", "type": "welcome", "config": ["title": "End"]],
        ],
    ]

    mutating func isLucky(_ count: Int, in total: Int) -> Bool { Int.random(in: 0..<total, using: &random) < count }

    func end() async throws { persistence.close() }

    mutating func step() async throws {
        now = now.adding(seconds: Int64.random(in: 0...40_000, using: &random))
        switch Int.random(in: 0..<100, using: &random) {
        case ..<45: try await save()
        case ..<65: try await walk()
        case ..<75: try await edit()
        case ..<82: try await identify()
        case ..<89: try erase()
        case ..<95: publish()
        default: try await restart()
        }
    }

    private mutating func pick<Element>(_ all: [Element]) throws -> Element {
        try #require(all.randomElement(using: &random))
    }

    /// A write that is submitted and reports when it is stored.
    private typealias Write = @Sendable (Persistence, @escaping @Sendable (Result<Void, StoreError>) -> Void) -> Void

    /// Submits all writes at once.
    private func submit(_ writes: [Write]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for write in writes {
                group.addTask { [persistence] in
                    try await withCheckedContinuation { done in
                        write(persistence) { done.resume(returning: $0) }
                    }.get()
                }
            }
            try await group.waitForAll()
        }
    }

    private func submit<Value>(_ transaction: Transaction<Value>) async throws {
        try await submit([{ store, done in store.submit(transaction.map { _ in }, done) }])
    }

    private mutating func ids() throws -> RespondentIDs {
        let user = isLucky(1, in: 5) ? try pick(Self.users) : nil
        return RespondentIDs(
            app: Self.app, clientID: "c\(Int.random(in: 0..<8, using: &random))", userID: user.map { Identifier($0) })
    }

    /// Submits several saves at once, which share a commit.
    private mutating func save() async throws {
        let app = try #require(scene.snapshot)
        let recipe = try #require(app.recipes["weekly"])
        let content = try #require(recipe.survey)
        var saves: [Write] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            number += 1
            var answers: JSONObject = [:]
            let options = ["a", "b"]
            if isLucky(1, in: 2) { answers["one"] = .string(try pick(options)) }
            if isLucky(1, in: 2) { answers["many"] = .array(options.map { .string($0) }) }
            if isLucky(1, in: 4) { answers["many"] = .null }
            if isLucky(1, in: 2) { answers["stars"] = .integer(Int64.random(in: 1...5, using: &random)) }
            if isLucky(1, in: 3) { answers["why"] = .string("\u{e9}\(number)") }
            let save = RunSave(
                answers: answers, isComplete: isLucky(1, in: 3), isForced: isLucky(1, in: 20))
            var request = SaveRun.Request(
                ids: try ids(), slug: "weekly", save: save, newID: "r\(number)", webhookID: "w\(number)")
            request.isDevelopment = isLucky(1, in: 6)
            if isLucky(3, in: 4) { request.attributes = ["city": .string(try pick(["Graz", "Rome"]))] }
            let saving = SaveRun(request, of: recipe, content, in: app, now: now)
            saves.append { store, done in
                saving.run(by: ActionDriver(store)) { done($0.map { _ in }) }
            }
        }
        try await submit(saves)
    }

    /// Begins a run of the flow, or takes a step in an open one.
    private mutating func walk() async throws {
        let app = try #require(scene.snapshot)
        let recipe = try #require(app.recipes["tour"])
        let open = try runs("tour").filter { $0.flow?.status == .active && $0.deletedAt == nil }
        guard let run = open.randomElement(using: &random), isLucky(3, in: 4), let step = run.flow?.stepID else {
            number += 1
            let request = StartFlow.Request(try ids(), FlowStart(), newID: "r\(number)")
            let start = StartFlow(request, of: "tour", try #require(recipe.flow), in: app, now: now)
            return try await submit(start.transaction)
        }
        let flow = try #require(recipe.flow)
        var answers: JSONObject = [:]
        if step == "goal" { answers["selected"] = [.string(try pick(["lose", "build"]))] }
        if step == "body" { answers["age"] = .number(Double.random(in: 0...900, using: &random)) }
        let action = FlowAction(isLucky(1, in: 5) ? .back : .next, at: step, answers)
        let change: AdvanceFlow.Change = isLucky(1, in: 8) ? .dismiss : .action(action)
        let reference = RunReference(app: Self.app, id: run.id)
        let request = AdvanceFlow.Request(change, of: reference, webhookID: "w")
        try await submit(AdvanceFlow(request, slug: "tour", flow, in: app, now: now).transaction)
    }

    private mutating func edit() async throws {
        let all = try runs("weekly") + runs("tour")
        guard let run = all.randomElement(using: &random) else { return }
        let change: ChangeRun.Change = try pick([.delete, .expire, .status(.addressed), .addComment(body: "x")])
        let reference = RunReference(app: Self.app, id: run.id)
        try await submit(ChangeRun(change, of: reference, by: "owner", now: now).transaction)
    }

    private mutating func identify() async throws {
        let client = ClientReference(app: Self.app, id: "c\(Int.random(in: 0..<8, using: &random))")
        let user = try pick(Self.users)
        let (persistence, now) = (persistence, now)
        let app = try #require(scene.snapshot)
        _ = try await withCheckedContinuation { done in
            IdentifyClient.run(client, as: Identifier(user), by: .app, in: app, persistence, now: now) {
                done.resume(returning: $0)
            }
        }.get()
    }

    private mutating func erase() throws {
        let client = ClientReference(app: Self.app, id: "c\(Int.random(in: 0..<8, using: &random))")
        let person: Person =
            isLucky(1, in: 3)
            ? .user(UserReference(app: Self.app, id: try Identifier(pick(Self.users)))) : .client(client)
        _ = try persistence.store.erase(person, knownAs: [1], ChangeOrigin(author: "test", at: now))
        // The caches of the writer are not informed of an erasure that goes directly to the store.
        reopenOverSameStore()
    }

    private mutating func reopenOverSameStore() { persistence = Persistence(persistence.store) }

    /// Publishes the questionnaire with changed options.
    private mutating func publish() {
        scene.now = now
        scene.put("weekly", Self.questionnaire(isLucky(1, in: 2) ? ["a", "b"] : ["b", "a", "d\(number)"]))
    }

    /// A kill: the next process opens the files as they are while the store is still open.
    private mutating func restart() async throws {
        guard let directory else {
            guard let memory = persistence.store as? TestStore else { return }
            persistence = Persistence(TestStore(copying: memory))
            return
        }
        let copy = try TemporaryDirectory()
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            let path = copy.path + "/" + name
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
            try FileManager.default.copyItem(atPath: directory.path + "/" + name, toPath: path)
        }
        persistence.close()
        self.directory = copy
        persistence = Persistence(try SQLiteStore(directory: copy.path))
    }

    /// All stored runs, including deleted ones.
    private func runs(_ slug: Identifier) throws -> [Run] {
        var query = RunQuery(app: Self.app, limit: .max)
        (query.slug, query.includesDeleted) = (slug, true)
        return try persistence.store.readRuns(query)
    }
}

/// The comparison with the naive count.
extension CountingWorld {
    mutating func compare(_ context: String) throws {
        let differences = try differences()
        #expect(differences.isEmpty, "\(context): \(differences)")
    }

    /// The differences, with all filters.
    func differences() throws -> [String] {
        var differences: [String] = []
        let app = try #require(scene.snapshot)
        let content = try #require(app.recipes["weekly"]?.survey)
        let flow = try #require(app.recipes["tour"]?.flow?.definition)
        var queries: [RunResultsQuery] = []
        for slug in ["weekly", "tour"] {
            for isDevelopment in [nil, false, true] {
                for isSubmittedOnly in [false, true] {
                    var query = RunResultsQuery(app: Self.app, slug: Identifier(slug))
                    (query.isDevelopment, query.isSubmittedOnly) = (isDevelopment, isSubmittedOnly)
                    queries.append(query)
                    query.from = CalendarDay(Scene.start.adding(seconds: 86_400))
                    query.to = CalendarDay(Scene.start.adding(seconds: 4 * 86_400))
                    queries.append(query)
                    query.attribute = ResultAttribute(name: "city", value: "Rome")
                    queries.append(query)
                }
            }
        }
        for query in queries {
            let naive = NaiveCount(try runs(query.slug), query)
            let isTour = query.slug == "tour"
            let json =
                isTour
                ? try persistence.store.readResults(query, into: FlowResults(flow)).json
                : try persistence.store.readResults(query, into: SurveyResults(content.run)).json
            let difference = isTour ? naive.difference(flow: json) : naive.difference(survey: json)
            if let difference { differences.append("\(query.slug) \(query): \(difference)") }
        }
        return differences
    }

    /// Makes a fault: writes to the store without `CommitCounting`.
    mutating func commit(_ fault: CountedResultsTests.Fault) throws {
        let run = try #require(
            try runs("weekly").first { $0.counts != nil && $0.answers["stars"] != nil && !$0.isDevelopment })
        let name = RowName.run(RunReference(app: Self.app, id: run.id))
        let version = try #require(try persistence.store.versions(of: [name]).first)
        var value = RowValue.nothing
        if fault == .uncountedEdit {
            var changed = run
            changed.answers["stars"] = run.answers["stars"] == 1 ? 2 : 1
            value = .run(changed)
        }
        let group = WriteGroup([RowWrite(name: name, expected: version, value: value)])
        guard case .written? = try persistence.store.write([group]).first else { throw Failure("not written") }
    }
}

/// Counts runs one by one.
private struct NaiveCount {
    private let runs: [Run]

    init(_ runs: [Run], _ query: RunResultsQuery) {
        self.runs = runs.filter { run in
            guard run.deletedAt == nil, run.status != .preview, run.status != .screenedOut else { return false }
            let day = CalendarDay(run.createdAt)
            if let from = query.from, day < from { return false }
            if let to = query.to, to < day { return false }
            if let isDevelopment = query.isDevelopment, run.isDevelopment != isDevelopment { return false }
            if let city = query.attribute?.value, run.attributes["city"] != .string(city) { return false }
            return !query.isSubmittedOnly || run.submittedAt != nil
        }
    }

    private func count(_ isMeant: (Run) -> Bool) -> JSONValue { .integer(Int64(runs.count(where: isMeant))) }

    private func first(_ pairs: [(String, JSONValue?, JSONValue)]) -> String? {
        pairs.first { $0.1 != $0.2 }.map { "\($0.0): \($0.1?.text ?? "none"), not \($0.2.text)" }
    }

    func difference(survey json: JSONObject) -> String? {
        var pairs: [(String, JSONValue?, JSONValue)] = [
            ("total", json["total_responses"], count { _ in true }),
            ("submitted", json["submitted_count"], count { $0.submittedAt != nil }),
            ("days", json["days"], days),
        ]
        for question in json["questions"]?.array ?? [] {
            let id = question.object?["id"]?.string ?? ""
            pairs.append((id, question.object?["total_answered"], count { $0.answers[id] != nil }))
            for choice in question.object?["choices"]?.array ?? [] {
                let option = choice.object?["id"] ?? .null
                pairs.append(("\(id) \(option.text)", choice.object?["count"], count { chooses(option, id, $0) }))
            }
            for bucket in question.object?["buckets"]?.array ?? [] {
                let value = bucket.object?["value"] ?? .null
                pairs.append(("\(id) \(value.text)", bucket.object?["count"], count { $0.answers[id] == value }))
            }
            if id == "why" {
                let newest = runs.sorted(by: RunQuery.isBefore).compactMap { $0.answers[id] }.prefix(10)
                let shown = (question.object?["recent_answers"]?.array ?? []).compactMap { $0.object?["answer"] }
                pairs.append(("texts", .array(shown), .array(Array(newest))))
            }
        }
        return first(pairs)
    }

    private func chooses(_ option: JSONValue, _ id: String, _ run: Run) -> Bool {
        run.answers[id] == option || run.answers[id]?.array?.contains(option) == true
    }

    private var days: JSONValue {
        let byDay = Dictionary(grouping: runs) { CalendarDay($0.createdAt).text }
        return .array(
            byDay.sorted { $0.key < $1.key }.map { day, runs in
                [
                    "day": .string(day), "started": .integer(Int64(runs.count)),
                    "submitted": .integer(Int64(runs.count { $0.submittedAt != nil })),
                ]
            })
    }

    func difference(flow json: JSONObject) -> String? {
        var pairs: [(String, JSONValue?, JSONValue)] = [
            ("total", json["total_runs"], count { _ in true }),
            ("completed", json["completed"], count { $0.flow?.status == .completed }),
            ("dismissed", json["dismissed"], count { $0.flow?.status == .dismissed }),
            ("days", json["days"], days),
        ]
        for step in json["steps"]?.array ?? [] {
            let id = Identifier(step.object?["id"]?.string ?? "")
            pairs.append((id.text, step.object?["runs"], count { $0.flow?.counts[id] != nil }))
            let visits = runs.reduce(0) { $0 + ($1.flow?.counts[id]?.viewed ?? 0) }
            pairs.append((id.text, step.object?["viewed"], .integer(Int64(visits))))
            pairs.append((id.text, step.object?["stopped"], count { $0.flow?.stepID == id }))
        }
        for question in json["questions"]?.array ?? [] {
            for choice in question.object?["choices"]?.array ?? [] {
                let option = choice.object?["id"] ?? .null
                pairs.append(
                    (
                        option.text, choice.object?["count"],
                        count { $0.answers["goal"]?.object?["selected"]?.array?.contains(option) == true }
                    ))
            }
        }
        return first(pairs)
    }
}
