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

/// One recipe with one question, whose form changes.
struct SeriesWorld {
    private let kind: ContentKind
    private(set) var persistence: Persistence
    private var scene = Scene()
    private var number = 0

    init(_ kind: ContentKind, in store: any Store = TestStore()) {
        (self.kind, persistence) = (kind, Persistence(store))
    }

    /// - Parameter form: the form of the question; nil removes it.
    @discardableResult
    mutating func publish(_ form: AnswerSeriesTests.Form?) -> PublishReceipt? {
        scene.publish(.putRecipe(slug: "q", AnswerSeriesTests.document(kind, form).encoded, asDraft: false))
    }

    mutating func reopen(_ store: any Store) { persistence = Persistence(store) }

    /// The final answer of a client.
    mutating func answer(_ answer: JSONValue, as client: Identifier) async throws {
        guard kind == .flow else { return try await save(["r": answer], as: client, isComplete: true) }
        number += 1
        let app = try #require(scene.snapshot)
        let flow = try #require(app.recipes["q"]?.flow)
        let id: Identifier = "r\(number)"
        let request = StartFlow.Request(ids(client), FlowStart(), newID: id)
        try await submit(StartFlow(request, of: "q", flow, in: app, now: scene.now).transaction)
        let action = FlowAction(.next, at: "form", ["r": answer])
        let change = AdvanceFlow.Request(
            .action(action), of: RunReference(app: Scene.app, id: id), webhookID: "w\(number)")
        try await submit(AdvanceFlow(change, slug: "q", flow, in: app, now: scene.now).transaction)
    }

    mutating func save(_ answers: JSONObject, as client: Identifier, isComplete: Bool) async throws {
        number += 1
        let app = try #require(scene.snapshot)
        let recipe = try #require(app.recipes["q"])
        let request = SaveRun.Request(
            ids: ids(client), slug: "q", save: RunSave(answers: answers, isComplete: isComplete), newID: "r\(number)",
            webhookID: "w\(number)")
        let save = SaveRun(request, of: recipe, try #require(recipe.survey), in: app, now: scene.now)
        let persistence = persistence
        _ = try await withCheckedContinuation { done in
            save.run(by: ActionDriver(persistence)) { done.resume(returning: $0) }
        }.get()
    }

    private func submit<Value>(_ transaction: Transaction<Value>) async throws {
        try await withCheckedContinuation { done in
            persistence.submit(transaction.map { _ in }) { done.resume(returning: $0) }
        }.get()
    }

    private func ids(_ client: Identifier) -> RespondentIDs {
        RespondentIDs(app: Scene.app, clientID: client, userID: nil)
    }

    /// - Parameter joinsByID: Whether answers are joined with a question by its id alone, which is a fault.
    func results(joinsByID: Bool = false) throws -> JSONObject {
        let app = try #require(scene.snapshot)
        let query = RunResultsQuery(app: Scene.app, slug: "q")
        if let flow = app.recipes["q"]?.flow {
            return try persistence.store.readResults(query, into: FlowResults(flow.definition)).json
        }
        let content = try #require(app.recipes["q"]?.survey)
        let results = SurveyResults(content.run)
        guard joinsByID else { return try persistence.store.readResults(query, into: results).json }
        return try persistence.store.readResults(
            query, into: JoinedByID(results: results, asked: content.definition.asked.map(\.series))
        ).json
    }
}

/// Results that join answers with a question by its id alone.
private struct JoinedByID: RunResults {
    var results: SurveyResults
    let asked: [AnswerSeries]

    mutating func add(_ counts: ResultCounts, of cell: ResultCell) {
        var joined = ResultCounts()
        for (group, keys) in counts.groups {
            let own = CountGroup.series(of: group).flatMap { series in asked.first { $0.id == series.id } }
            for (key, count) in keys { joined.add(count, own.map(CountGroup.series) ?? group, key) }
        }
        results.add(joined, of: cell)
    }

    var needsRuns: Bool { results.needsRuns }
    mutating func show(_ run: Run) { results.show(run) }
    var json: JSONObject { results.json }
}

/// A questionnaire with a question `r` in changing forms, and the plain model of its results.
struct SeriesModel {
    private struct Given {
        let value: JSONValue
        let series: String
    }

    private struct Response {
        var answer: Given?
        var isSubmitted = false
    }

    private let fault: AnswerSeriesTests.Fault?
    private var random: SeededGenerator
    private let directory: TemporaryDirectory?
    private var world: SeriesWorld
    private var form: AnswerSeriesTests.Form?
    private var responses: [String: Response] = [:]

    init(_ kind: StoreKind, seed: UInt64, _ fault: AnswerSeriesTests.Fault? = nil) throws {
        (random, self.fault) = (SeededGenerator(seed: seed), fault)
        directory = kind == .sqlite ? try TemporaryDirectory() : nil
        world = SeriesWorld(
            .questionnaire, in: try directory.map { try SQLiteStore(directory: $0.path) } ?? TestStore())
        form = AnswerSeriesTests.questionnaire[0]
        world.publish(form)
    }

    mutating func step() async throws {
        switch Int.random(in: 0..<20, using: &random) {
        case ..<12: try await save()
        case ..<16:
            form = isLucky(in: 6) ? nil : AnswerSeriesTests.questionnaire.randomElement(using: &random)
            world.publish(form)
        case ..<18: try erase()
        default: try restart()
        }
    }

    private mutating func isLucky(in total: Int) -> Bool { Int.random(in: 0..<total, using: &random) == 0 }

    private mutating func client() -> String { "c\(Int.random(in: 0..<12, using: &random))" }

    private mutating func save() async throws {
        let client = client()
        let isComplete = isLucky(in: 3)
        var response = responses[client] ?? Response()
        let value = isLucky(in: 3) ? nil : form?.answers.randomElement(using: &random)
        try await world.save(value.map { ["r": $0] } ?? ["s": "x"], as: Identifier(client), isComplete: isComplete)
        guard !response.isSubmitted else { return }
        if let form, let given = response.answer, fault != .keepsAnswers {
            // An option that is gone is no answer.
            let isTaken = given.series == form.series && form.takes(given.value)
            response.answer = isTaken ? given : nil
        }
        if let form, let value { response.answer = Given(value: value, series: form.series) }
        if isComplete, form == nil { response.answer = nil }
        response.isSubmitted = isComplete
        responses[client] = response
    }

    private mutating func erase() throws {
        let client = client()
        let reference = ClientReference(app: Scene.app, id: Identifier(client))
        _ = try world.persistence.store.erase(
            .client(reference), knownAs: [1], ChangeOrigin(author: "test", at: Scene.start))
        responses[client] = nil
        world.reopen(world.persistence.store)
    }

    private mutating func restart() throws {
        guard let directory else { return world.reopen(world.persistence.store) }
        world.persistence.close()
        world.reopen(try SQLiteStore(directory: directory.path))
    }

    /// The first difference between the results and the model; nil if there is none.
    func difference() throws -> String? {
        let json = try world.results(joinsByID: fault == .joinsByID)
        let given = responses.values.compactMap(\.answer)
        let current = given.filter { $0.series == form?.series }
        let entries = (json["other_revisions"]?.array ?? []).compactMap(\.object)
            .filter { $0["id"] == "r" && $0["total_answered"] != nil }
        let others = entries.map { entry in
            let names = ["single_choice": "single", "multi_choice": "multi"]
            let type = entry["type"]?.string ?? ""
            let scale = entry["scale"].map { " " + $0.text } ?? ""
            return "\(names[type] ?? type)\(scale): \(entry["total_answered"]?.text ?? "")"
        }
        let former = Dictionary(grouping: given.filter { $0.series != form?.series }, by: \.series)
        let expected = former.map { "\($0.key): \($0.value.count)" }
        if others.sorted() != expected.sorted() { return "others \(others), not \(expected)" }
        guard form != nil else { return nil }
        let question = json["questions"]?.array?.first?.object ?? [:]
        if question["total_answered"] != .integer(Int64(current.count)) {
            return "\(question["total_answered"]?.text ?? "none") answers, not \(current.count)"
        }
        for bucket in question["buckets"]?.array ?? [] {
            let value = bucket.object?["value"]
            if bucket.object?["count"] != .integer(Int64(current.count { $0.value == value })) {
                return "value \(value?.text ?? "")"
            }
        }
        let texts = Set((question["recent_answers"]?.array ?? []).compactMap { $0.object?["answer"] })
        return texts.isSubset(of: current.map(\.value)) ? nil : "texts \(texts)"
    }
}

extension AnswerSeriesTests.Form {
    /// Whether an answer of the same series is valid.
    fileprivate func takes(_ answer: JSONValue) -> Bool {
        guard let options = keys["options"]?.array?.compactMap({ $0.object?["id"] }) else { return true }
        return (answer.array ?? [answer]).allSatisfy(options.contains)
    }
}
