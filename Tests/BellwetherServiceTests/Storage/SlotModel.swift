import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Surveys
import Synchronization
import TestSupport

@testable import BellwetherService

/// The requests of `SlotModelTests`, the nodes that get them, and what must hold afterwards.
struct SlotModel {
    enum Request: Sendable {
        case save(client: Int, user: Int?, answer: Int64, isComplete: Bool)
        case start(client: Int)
        /// Answers the first step, again if the run is behind it.
        case answer(client: Int, answer: Int64, picture: Int)
        case dismiss(client: Int)
        case erase(client: Int)
        case eraseUser(Int)
        case identify(client: Int, user: Int)
        case importing(client: Int, answer: Int64)
        case deleteRun(client: Int)
    }

    private static let clients = 6
    private static let users = 3
    private static let limits = (quota: 3, responses: 5)
    private static let keys = ["q", "tour"]

    private let app: AppSnapshot
    private let store: any Store
    private let schedule = JobSchedule()
    private let nodes: [Persistence]
    private let requests: [Request]
    private var random: SeededGenerator

    init(seed: UInt64, _ store: any Store, nodes count: Int) throws {
        var random = SeededGenerator(seed: seed)
        requests = (0..<Int.random(in: 30...150, using: &random)).map { _ in Self.request(using: &random) }
        guard let app = SlotScene.scene.snapshot else { throw SceneError() }
        (self.app, self.store, self.random) = (app, store, random)
        let schedule = schedule
        nodes = (0..<count).map { _ in Persistence(store, threads: schedule.threads()) }
    }

    private static func request(using random: inout SeededGenerator) -> Request {
        let client = Int.random(in: 0..<clients, using: &random)
        let user = Int.random(in: 0..<users, using: &random)
        let answer: Int64 = Int.random(in: 0..<4, using: &random) > 0 ? 5 : 1
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6:
            let isUser = Int.random(in: 0..<3, using: &random) == 0
            return .save(
                client: client, user: isUser ? user : nil, answer: answer, isComplete: Bool.random(using: &random))
        case 6..<8: return .start(client: client)
        case 8..<13: return .answer(client: client, answer: answer, picture: Int.random(in: 0..<4, using: &random))
        case 13: return .dismiss(client: client)
        case 14..<16: return .erase(client: client)
        case 16: return .eraseUser(user)
        case 17: return .identify(client: client, user: user)
        case 18: return .importing(client: client, answer: answer)
        default: return .deleteRun(client: client)
        }
    }
}

/// The course of a test.
extension SlotModel {
    /// Returns the faults, a sentence each.
    mutating func play() throws -> [String] {
        let results = ResultLog(count: requests.count)
        for (number, request) in requests.enumerated() {
            submit(request, number, at: nodes[Int.random(in: 0..<nodes.count, using: &random)], results)
            for _ in 0..<Int.random(in: 0..<4, using: &random) { schedule.runOne(using: &random) }
        }
        schedule.runAll(using: &random)
        var faults = results.failures + (try difference()) + (try missing(of: results))
        try eraseAll()
        faults += try remains()
        let again = try oneAfterAnother(in: nodes)
        var fresh = try SlotModel(copying: self)
        if again != (try fresh.oneAfterAnother()) {
            faults.append("the same requests one after another have other results")
        }
        return faults
    }

    /// Returns the faults after some requests one after another, and others in one commit.
    mutating func play(_ first: [Request], together: [Request]) throws -> [String] {
        let results = ResultLog(count: first.count + together.count)
        for (number, request) in first.enumerated() {
            submit(request, number, at: nodes[0], results)
            schedule.runAll(using: &random)
        }
        for (number, request) in together.enumerated() {
            submit(request, first.count + number, at: nodes[0], results)
        }
        schedule.runAll(using: &random)
        return results.failures + (try difference())
    }

    private init(copying other: SlotModel) throws {
        (app, requests, random) = (other.app, other.requests, other.random)
        store = TestStore()
        nodes = [Persistence(store, threads: schedule.threads())]
    }

    private mutating func oneAfterAnother() throws -> [String] { try oneAfterAnother(in: nodes) }

    /// The results of the requests, each submitted after the one before has ended, and then the tallies.
    private mutating func oneAfterAnother(in nodes: [Persistence]) throws -> [String] {
        let results = ResultLog(count: requests.count)
        for (number, request) in requests.enumerated() {
            submit(request, number, at: nodes[number % nodes.count], results)
            schedule.runAll(using: &random)
        }
        let tallies = try Self.keys.map { key in "\(key): \(try taken(key).json)" }
        return results.texts + tallies
    }

    private mutating func eraseAll() throws {
        let origin = ChangeOrigin(author: "test", at: Scene.start)
        let clients = (0..<Self.clients).map { Person.client(SlotScene.client($0)) }
        let users = (0..<Self.users).map { Person.user(SlotScene.user($0)) }
        for person in clients + users {
            nodes[0].erase(person, knownAs: [1], origin) { _ in }
            schedule.runAll(using: &random)
        }
    }

    /// The tally of a message, without counts of 0.
    private func taken(_ key: String) throws -> Tally {
        guard case .tally(var tally)? = try store.value(of: .tally(app: Scene.app, key: Identifier(key))) else {
            return Tally()
        }
        tally.slots = tally.slots.filter { $0.value != 0 }
        return tally
    }

    private func runs() throws -> [Run] {
        try Self.keys.flatMap { slug in
            var query = RunQuery(app: Scene.app, limit: 10_000)
            (query.slug, query.includesDeleted) = (Identifier(slug), true)
            return try store.readRuns(query)
        }
    }

    /// The differences between the runs, and what is counted and stored for them.
    private func difference() throws -> [String] {
        let runs = try runs()
        var faults: [String] = []
        for key in Self.keys {
            var counted = Tally()
            for slot in runs.flatMap(\.slots) where slot.key == key { counted.take(slot) }
            let tally = try taken(key)
            if tally != counted { faults.append("\(key) counts \(tally.json), but runs have \(counted.json)") }
            if tally.slots.values.contains(where: { $0 > Self.limits.quota }) || tally.submitted > Self.limits.responses
            {
                faults.append("\(key) is above its limits: \(tally.json)")
            }
        }
        for run in runs where run.deletedAt == nil {
            for file in run.flow?.files ?? [] {
                guard try store.readFile(FileName(app: Scene.app, sha256: file.sha256)) == nil else { continue }
                faults.append("\(run.id) has lost a picture")
            }
        }
        return faults + (try store.census().differences.map { "a census finds a difference in \($0.key)" })
    }

    /// The acknowledged responses that are not stored, although no request has deleted what their respondents gave.
    private func missing(of results: ResultLog) throws -> [String] {
        var deleting = Set<Int>()
        for request in requests {
            switch request {
            case .erase(let client), .deleteRun(let client), .identify(let client, _), .dismiss(let client):
                deleting.insert(client)
            default: break
            }
        }
        let stored = Set(try runs().filter { $0.submittedAt != nil }.map(\.id))
        return zip(requests, results.saved).compactMap { request, id in
            guard case .save(let client, nil, _, _) = request, let id, !deleting.contains(client) else { return nil }
            return stored.contains(id) ? nil : "the response \(id) was acknowledged and is missing"
        }
    }

    /// The rows and files that are left after all people were erased.
    private func remains() throws -> [String] {
        var faults = try runs().map { "\($0.id) is left" }
        for key in Self.keys {
            let tally = try taken(key)
            if tally != Tally() { faults.append("\(key) still counts \(tally.json)") }
        }
        for picture in SlotScene.pictures {
            let name = FileName(app: Scene.app, sha256: picture.reference.sha256)
            if try store.value(of: .file(name)) != nil { faults.append("a picture is left") }
        }
        return faults
    }
}

/// The requests as transactions.
extension SlotModel {
    private func submit(_ request: Request, _ number: Int, at node: Persistence, _ results: ResultLog) {
        switch request {
        case .save(let client, let user, let answer, let isComplete):
            guard let recipe = app.recipes["q"], let survey = recipe.survey else { return }
            let request = SaveRun.Request(
                ids: SlotScene.ids(client, user), slug: "q",
                save: RunSave(answers: ["n": .integer(answer)], isComplete: isComplete), newID: "run\(number)",
                webhookID: "webhook\(number)")
            SaveRun(request, of: recipe, survey, in: app, now: Scene.start)
                .run(by: ActionDriver(node)) { results.note(save: $0, number) }
        case .start(let client):
            guard let flow = app.recipes["tour"]?.flow else { return }
            let request = StartFlow.Request(SlotScene.ids(client, nil), FlowStart(), newID: "flow\(number)")
            let start = StartFlow(request, of: "tour", flow, in: app, now: Scene.start)
            node.submit(start.transaction) { results.note(start: $0, of: client, number) }
        case .answer(let client, let answer, let picture):
            let answers: JSONObject = [
                "n": .integer(answer), "photo": .string(SlotScene.dataURL(picture)),
            ]
            change(client, .action(FlowAction(.back, at: "b")), number, node, results)
            change(client, .action(FlowAction(.next, at: "a", answers)), number, node, results)
        case .dismiss(let client): change(client, .dismiss, number, node, results)
        case .erase(let client): erase(.client(SlotScene.client(client)), number, node, results)
        case .eraseUser(let user): erase(.user(SlotScene.user(user)), number, node, results)
        case .identify(let client, let user):
            IdentifyClient.run(
                SlotScene.client(client), as: SlotScene.user(user).id, by: .app, in: app, node, now: Scene.start
            ) { results.note($0, number) }
        case .importing(let client, let answer):
            guard let run = try? SlotScene.imported(client, answer, number, app) else { return }
            ImportBatch([run]).store(by: ActionDriver(node)) { results.note($0, number) }
        case .deleteRun(let client):
            guard let run = results.flow(of: client) else { return results.note(.success("no run"), number) }
            ChangeRun(.delete, of: run, by: "test", now: Scene.start).run(in: node) {
                results.note($0.map { "\($0)".prefix(8) }, number)
            }
        }
    }

    private func change(
        _ client: Int, _ change: AdvanceFlow.Change, _ number: Int, _ node: Persistence, _ results: ResultLog
    ) {
        guard let flow = app.recipes["tour"]?.flow, let run = results.flow(of: client) else {
            return results.note(.success("no run"), number)
        }
        let request = AdvanceFlow.Request(change, of: run, webhookID: "w\(number)")
        let advance = AdvanceFlow(request, slug: "tour", flow, in: app, now: Scene.start)
        node.submit(advance.transaction) { results.note($0.map { "\($0)".prefix(16) }, number) }
    }

    private func erase(_ person: Person, _ number: Int, _ node: Persistence, _ results: ResultLog) {
        let origin = ChangeOrigin(author: "test", at: Scene.start)
        node.erase(person, knownAs: [1], origin) { results.note($0.map { _ in "erased" }, number) }
    }
}

/// The app, its people and their pictures.
private enum SlotScene {
    private static func quotas(_ reference: JSONValue) -> JSONValue {
        [
            "quotas": [["name": "five", "when": ["ref": reference, "op": "eq", "value": 5], "limit": 3]],
            "response_limit": 5,
        ]
    }

    static let scene = Scene(recipes: [
        "q": [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "n", "type": "rating", "title": "?", "scale": 5]]],
            "offer": ["surface": "homescreen", "text": "?", "pacing": quotas("answer.n")],
        ],
        "tour": [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                [
                    "id": "a", "type": "form",
                    "config": ["fields": [["id": "n", "type": "number"], ["id": "photo", "type": "image_picker"]]],
                ],
                ["id": "b", "type": "welcome", "config": ["title": "B"]],
            ],
            "offer": ["surface": "homescreen", "text": "?", "pacing": quotas("step.a.n")],
        ],
    ])

    static let pictures = (0..<4).map { FlowFile(type: "image/png", content: [0, 0, $0]) }

    static func dataURL(_ picture: Int) -> String {
        "data:image/png;base64,AAA" + ["A", "B", "C", "D"][picture]
    }

    static func client(_ number: Int) -> ClientReference { ClientReference(app: Scene.app, id: "client\(number)") }

    static func user(_ number: Int) -> UserReference { UserReference(app: Scene.app, id: "user\(number)") }

    static func ids(_ client: Int, _ user: Int?) -> RespondentIDs {
        RespondentIDs(app: Scene.app, clientID: self.client(client).id, userID: user.map { self.user($0).id })
    }

    static func imported(_ client: Int, _ answer: Int64, _ number: Int, _ app: AppSnapshot) throws -> ImportRun? {
        guard let recipe = app.recipes["q"] else { return nil }
        var row = ImportRun.Row(
            ids: ids(client, nil), origin: RunOrigin(source: "other", id: "\(number)"), at: Scene.start)
        (row.answers, row.submittedAt) = (["n": .integer(answer)], Scene.start)
        var budget = EvaluationBudget.amongWrites
        return try ImportRun(
            row, as: "imported\(number)", of: recipe, recordsAnswers: true, now: Scene.start, &budget)
    }
}

/// The results of the requests, in their order.
private final class ResultLog: Sendable {
    private struct Content {
        var texts: [String]
        var saved: [Identifier?]
        /// The run of each client's last start.
        var flows: [Int: RunReference] = [:]
    }

    private let content: Mutex<Content>

    init(count: Int) {
        content = Mutex(
            Content(
                texts: Array(repeating: "no result", count: count), saved: Array(repeating: nil, count: count)))
    }

    var texts: [String] { content.withLock { $0.texts } }

    /// The ids of the responses that were acknowledged as submitted.
    var saved: [Identifier?] { content.withLock { $0.saved } }

    var failures: [String] { texts.filter { $0.hasPrefix("failed") || $0 == "no result" } }

    func flow(of client: Int) -> RunReference? { content.withLock { $0.flows[client] } }

    func note(start result: Result<ActionStep<StartFlow>, StoreError>, of client: Int, _ number: Int) {
        content.withLock { content in
            content.texts[number] = Self.text(result) { step in
                switch step {
                case .done(.started(let run, _)), .done(.open(let run)):
                    content.flows[client] = RunReference(app: Scene.app, id: run.id)
                    return "runs \(run.id)"
                default: return "refused"
                }
            }
        }
    }

    func note<Value>(_ result: Result<Value, StoreError>, _ number: Int) {
        content.withLock { $0.texts[number] = Self.text(result) { "\($0)" } }
    }

    func note(save result: Result<SaveRun.Outcome, StoreError>, _ number: Int) {
        content.withLock { content in
            content.texts[number] = Self.text(result) { claimed in
                guard case .done(.saved(let saved, let isNew)) = claimed else { return "refused" }
                if saved.run.submittedAt != nil { content.saved[number] = saved.run.id }
                return "\(saved.run.status) \(isNew)"
            }
        }
    }

    private static func text<Value>(_ result: Result<Value, StoreError>, _ text: (Value) -> String) -> String {
        switch result {
        case .success(let value): text(value)
        case .failure(let error): "failed: \(error)"
        }
    }
}
