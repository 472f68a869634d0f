import BellwetherBase
import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

/// Saves, imports, identifications, deletions and erasures in random order at two nodes. Both must know the answers
/// that a simple record of the same requests has, and polls and explain must agree
/// (docs/reference/audiences.md#answers).
@Suite struct FactModelTests {
    @Test(arguments: 0..<Trials.count(6, many: 60) as Range<UInt64>)
    func `Answers are as a record of all requests`(_ seed: UInt64) async throws {
        let model = try await FactModel(seed: seed)
        for _ in 0..<Trials.count(150, many: 600) { try model.step() }
        #expect(model.seen > 20, "clients had answers")
    }

    @Test(arguments: [FactModel.Fault.keepsDeleted, .forgetsOrder, .keepsErased])
    func `A record with a fault is found`(_ fault: FactModel.Fault) async throws {
        let model = try await FactModel(seed: 3, fault: fault)
        #expect(throws: Failure.self) { for _ in 0..<2_000 { try model.step() } }
    }
}

final class FactModel {
    /// A rule that the record breaks on purpose.
    enum Fault: Sendable {
        case keepsDeleted, forgetsOrder, keepsErased
    }

    private struct Answer {
        let value: Int64
        let at: Timestamp
        let run: String
    }

    private struct Run {
        let slug: String
        /// The client that it began with, until that one is erased or was only named by its user.
        let client: String?
        /// The client or user whose response it is; nil if it has no respondent any more.
        var respondent: String?
        /// The user whose own response was kept at an identification.
        var mergedInto: String?
    }

    private static let clients = ["c1", "c2", "c3", "c4"]
    private static let users = ["u1", "u2"]

    private let world: FactWorld
    private let fault: Fault?
    private var random: SeededGenerator
    private var number = 0
    private var users: [String: String] = [:]
    private var answers: [String: Answer] = [:]
    private var runs: [String: Run] = [:]
    /// The steps that have saved a response.
    private var saves: [Int] = []
    private(set) var seen = 0

    init(seed: UInt64, fault: Fault? = nil) async throws {
        (random, self.fault) = (SeededGenerator(seed: seed), fault)
        world = try await FactWorld(nodes: 2)
    }

    private func one<Value>(of values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }
    private func isLucky(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    private func person(_ who: String) -> String { users[who] ?? who }

    func step() throws {
        number += 1
        world.pass(milliseconds: Int64.random(in: 1...3_000, using: &random))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<50: try save()
        case 50..<62: try load()
        case 62..<76: try identify()
        case 76..<90: try delete()
        default: try erase()
        }
        try compare()
    }

    private func perform(_ step: JSONObject) throws -> RecordedResponse {
        try world.perform(.object(step), number, at: Int.random(in: 0..<2, using: &random))
    }

    private func save() throws {
        let who = one(of: Self.clients + Self.users)
        let (slug, isFinal, isDev) = (one(of: FactWorld.recipes), isLucky(80), isLucky(15))
        let value: Int64? = isLucky(85) ? Int64.random(in: 0...10, using: &random) : nil
        let answer = try perform([
            "op": "save", "who": .string(who), "recipe": .string(slug), "final": .bool(isFinal), "is_dev": .bool(isDev),
            "value": value.map { .integer($0) } ?? .null,
        ])
        guard answer.status / 100 == 2, let id = answer.json["id"].string else { return }
        saves.append(number)
        let began = runs[id]
        runs[id] = Run(
            slug: slug, client: began == nil ? (who.hasPrefix("u") ? nil : who) : began?.client,
            respondent: person(who))
        // A draft of development stays one, and keeps what it was answered with before.
        let stored = answer.json["answers"]["q"].integer ?? value
        let item = try world.nodes[0].send(.get, "\(FactWorld.path)/responses/\(id)").json
        guard isFinal, item["is_dev"] != true, let given = item["answers"]["q"].integer ?? stored else { return }
        note(Answer(value: given, at: world.now, run: id), of: person(who))
    }

    private func load() throws {
        let who = one(of: Self.clients + Self.users)
        let (slug, ago) = (one(of: FactWorld.recipes), Int64.random(in: 0...30, using: &random))
        let value = Int64.random(in: 0...10, using: &random)
        let answer = try perform([
            "op": "import", "who": .string(who), "recipe": .string(slug), "value": .integer(value),
            "ago": .integer(ago),
        ])
        guard answer.json["imported"] == 1 else { return }
        let id = "import \(number)"
        runs[id] = Run(slug: slug, client: who.hasPrefix("u") ? nil : who, respondent: person(who))
        note(Answer(value: value, at: world.now.adding(milliseconds: -ago * 1000), run: id), of: person(who))
    }

    private func note(_ answer: Answer, of person: String) {
        if let known = answers[person], known.at > answer.at, fault != .forgetsOrder { return }
        answers[person] = answer
    }

    private func identify() throws {
        let (client, user) = (one(of: Self.clients), one(of: Self.users))
        let answer = try perform(["op": "identify", "who": .string(client), "user": .string(user)])
        guard answer.status == 200 else { throw Failure("\(answer.json)") }
        let merged = answer.json["merged"].array?.compactMap(\.string) ?? []
        users[client] = user
        for (id, run) in runs where run.respondent == client {
            let isTaken = merged.contains(run.slug)
            runs[id]?.respondent = isTaken ? user : nil
            runs[id]?.mergedInto = isTaken ? nil : user
        }
        guard let own = answers[client] else { return }
        answers[client] = nil
        if answers[user].map({ $0.at < own.at }) ?? true { answers[user] = own }
    }

    private func delete() throws {
        guard !saves.isEmpty else { return }
        let saved = one(of: saves)
        let id = world.responses[saved] ?? ""
        guard try perform(["op": "delete", "of": .integer(Int64(saved))]).status == 204 else { return }
        runs[id] = nil
        if fault != .keepsDeleted { forget(id) }
    }

    private func forget(_ run: String) { answers = answers.filter { $0.value.run != run } }

    private func erase() throws {
        let who = one(of: Self.clients + (isLucky(30) ? Self.users : []))
        let answer = try perform(["op": "erase", "who": .string(who)])
        guard answer.status == 204 else { throw Failure("\(answer.json)") }
        answers[who] = nil
        users = users.filter { $0.key != who && $0.value != who }
        for (id, run) in runs {
            let isUsers = run.respondent?.hasPrefix("u") == true
            let isErased = run.respondent == who || run.mergedInto == who || run.client == who && !isUsers
            guard isErased else {
                if run.client == who {
                    runs[id] = Run(
                        slug: run.slug, client: nil, respondent: run.respondent, mergedInto: run.mergedInto)
                }
                continue
            }
            runs[id] = nil
            if fault != .keepsErased { forget(id) }
        }
    }

    /// Compares what both nodes say of each client.
    private func compare() throws {
        for client in Self.clients {
            let known = answers[person(client)]
            if known != nil { seen += 1 }
            let node = Int.random(in: 0..<2, using: &random)
            let isOffered = try world.isOffered(to: client, at: node)
            guard isOffered == (known.map { $0.value >= 5 } ?? false) else {
                throw Failure("step \(number): the poll of \(client) does not know \(String(describing: known))")
            }
            let told = try world.fact(of: client, at: 1 - node)
            guard told.double == known.map({ Double($0.value) }) else {
                throw Failure("step \(number): \(client) has \(told.text), expected \(String(describing: known))")
            }
        }
    }
}
