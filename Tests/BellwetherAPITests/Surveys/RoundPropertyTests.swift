import BellwetherBase
import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// Persons with three devices each, who are asked for three years, compared with a record of what each of them did
/// (docs/reference/rounds.md).
@Suite struct RoundPropertyTests {
    @Test(arguments: 0..<Trials.count(2, many: 4) as Range<UInt64>)
    func `Nobody is asked early, and each round has one answer`(_ seed: UInt64) throws {
        let life = try RoundLife(seed: seed, persons: Trials.count(12, many: 250))
        for _ in 0..<life.persons * 90 { try life.step() }
        try life.checkResults()
        #expect(life.answers > life.persons, "most persons answer more than once")
    }
}

/// What a person did, as the test has seen it.
private struct PersonRecord {
    var answered = 0
    /// The time of the last answer; nil after its deletion.
    var at: Timestamp?
    /// The last dismissal of the message.
    var dismissedAt: Timestamp?
    /// The rounds of the answers that are the person's own.
    var rows: [Int] = []
    /// The round whose deletion opens it again; 0: none.
    var newest = 0
    var hasDraft = false
}

private final class RoundLife {
    static let days: Int64 = 90
    static let unansweredDays: Int64 = 30
    static let rounds = 8
    private static let day: Int64 = 86_400_000

    let persons: Int
    private let world: WorkerUnderTest
    private var random: SeededGenerator
    private var records: [String: PersonRecord] = [:]
    private var users: [String: String] = [:]
    private var imports = 0
    private(set) var answers = 0

    init(seed: UInt64, persons: Int) throws {
        (self.persons, random) = (persons, SeededGenerator(seed: seed))
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "S",
            "schema": ["version": 1, "questions": [["id": "q", "type": "nps", "title": "Q?"]]],
            "offer": ["surface": "card", "text": "?", "pacing": ["display": "some", "limit": 3]],
            "repeat": [
                "days": .integer(Self.days), "unanswered_days": .integer(Self.unansweredDays),
                "rounds": .integer(Int64(Self.rounds)),
            ],
        ]
        world = try WorkerUnderTest(recipes: ["s": recipe], at: "2027-03-01T00:00:00Z", heldClients: 50)
    }

    /// The clock passes three years in all; now and then it is set back.
    func step() throws {
        let mean = 3 * 365 * Self.day / Int64(persons * 90)
        let step = Int64.random(in: 0...2 * mean, using: &random)
        world.pass(milliseconds: isLucky(1, in: 50) ? -min(step, Self.day) : step)
        let person = Int.random(in: 0..<persons, using: &random)
        let device = "p\(person)d\(Int.random(in: 0..<3, using: &random))"
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: try poll(device)
        case 45..<60: try save(device, final: true)
        case 60..<75: try save(device, final: false)
        case 75..<85: try event(device, "dismissed")
        case 85..<90: try identify(device, as: "p\(person)u")
        case 90..<94: try load(device)
        case 94..<98: try delete(device)
        default: try erase(device)
        }
    }

    private func isLucky(_ share: Int, in total: Int) -> Bool { Int.random(in: 0..<total, using: &random) < share }

    private func key(_ device: String) -> String { users[device] ?? device }

    private func isOpen(_ record: PersonRecord) -> Bool {
        guard record.answered > 0 else { return true }
        guard record.answered < Self.rounds else { return false }
        return record.at.map { world.now >= $0.adding(milliseconds: Self.days * Self.day) } ?? true
    }

    private func poll(_ device: String) throws {
        let answer = try world.send(.get, "/v1/apps/app/messages?client_id=\(device)")
        guard answer.json["messages"].array?.isEmpty == false else { return }
        let record = records[key(device)] ?? PersonRecord()
        #expect(isOpen(record), "\(device) is asked early: \(record) at \(world.now.rfc3339)")
        let isAnswered = { (time: Timestamp) in record.at.map { time <= $0 } ?? false }
        if let dismissed = record.dismissedAt, !isAnswered(dismissed) {
            let end = dismissed.adding(milliseconds: Self.unansweredDays * Self.day)
            #expect(world.now >= end, "\(device) is asked again early: \(record) at \(world.now.rfc3339)")
        }
        try event(device, "displayed")
        if isLucky(1, in: 3) { try save(device, final: true) }
    }

    private func event(_ device: String, _ action: String) throws {
        let event: JSONValue = ["type": "message", "action": .string(action), "message": "s"]
        let body: JSONValue = ["client_id": .string(device), "events": [event]]
        #expect(try world.send(.post, "/v1/apps/app/events", body: body).json["accepted"] == 1)
        guard action == "dismissed" else { return }
        var record = records[key(device)] ?? PersonRecord()
        record.dismissedAt = max(record.dismissedAt ?? world.now, world.now)
        records[key(device)] = record
    }

    private func save(_ device: String, final: Bool) throws {
        var record = records[key(device)] ?? PersonRecord()
        var body: JSONObject = [
            "client_id": .string(device), "answers": ["q": .integer(Int64.random(in: 0...10, using: &random))],
            "is_complete": .bool(final),
        ]
        let named = isLucky(1, in: 3) ? Int.random(in: 1...record.answered + 2, using: &random) : nil
        body["round"] = named.map { .integer(Int64($0)) }
        let answer = try world.send(.post, "/v1/apps/app/questionnaires/s/responses", body: .object(body))
        let isMeant = named.map { $0 == record.answered + 1 } ?? true
        guard isOpen(record), isMeant else {
            let code = named.map { $0 > record.answered + 1 } ?? false ? "wrong_round" : "already_responded"
            #expect(answer.status == 409 && answer.json["errors"][0]["code"] == .string(code), "\(answer.json)")
            return
        }
        #expect(answer.status == (record.hasDraft ? 200 : 201), "\(answer.json) \(record)")
        #expect(
            answer.json["round"] == .integer(Int64(record.answered + 1)) && answer.json["was_submitted"] == .bool(final)
        )
        record.hasDraft = !final
        if final { note(&record, at: world.now) }
        records[key(device)] = record
    }

    private func note(_ record: inout PersonRecord, at time: Timestamp) {
        record.answered += 1
        record.at = max(record.at ?? time, time)
        record.rows.append(record.answered)
        record.newest = record.answered
        answers += 1
    }

    private func identify(_ device: String, as user: String) throws {
        let body: JSONValue = ["client_id": .string(device), "user_id": .string(user)]
        #expect(try world.send(.post, "/v1/apps/app/identify", body: body).status == 200)
        guard users[device] == nil else { return }
        var (own, theirs) = (records[device] ?? PersonRecord(), records[user] ?? PersonRecord())
        theirs.answered += own.answered
        theirs.at = [own.at, theirs.at].compactMap(\.self).max()
        theirs.dismissedAt = [own.dismissedAt, theirs.dismissedAt].compactMap(\.self).max()
        if theirs.newest == 0 { (theirs.rows, theirs.newest) = (own.rows, own.newest) }
        theirs.hasDraft = (own.hasDraft || theirs.hasDraft) && isOpen(theirs)
        own = PersonRecord()
        (users[device], records[device], records[user]) = (user, own, theirs)
    }

    private func load(_ device: String) throws {
        var record = records[key(device)] ?? PersonRecord()
        imports += 1
        let time = world.now.adding(milliseconds: -Int64.random(in: 0...200 * Self.day, using: &random))
        let row: JSONValue = [
            "id": .string("i\(imports)"), "client_id": .string(device), "answers": ["q": 9],
            "created_at": .string(time.rfc3339), "submitted_at": .string(time.rfc3339),
        ]
        let path = "/v1/apps/app/questionnaires/s/responses/import"
        let answer = try world.send(.post, path, body: ["source": "t", "responses": [row]])
        #expect(answer.json["imported"] == (record.hasDraft ? 0 : 1), "\(answer.json) \(record)")
        if !record.hasDraft { note(&record, at: time) }
        records[key(device)] = record
    }

    /// Deletes an answer of the person. After the newest one its round is open.
    private func delete(_ device: String) throws {
        let key = key(device)
        guard var record = records[key], let round = record.rows.randomElement(using: &random) else { return }
        let person = users[device] == nil ? "client_id" : "user_id"
        let path = "/v1/apps/app/questionnaires/s/responses?submitted_only=true&round=\(round)&\(person)=\(key)"
        let items = try world.send(.get, path).json["items"].array ?? []
        let item = items.first { users[device] != nil || $0["user_id"] == .null }
        let id = try #require(item?["id"].string, "\(key) has no answer of round \(round): \(record)")
        #expect(try world.send(.delete, "/v1/apps/app/responses/\(id)").status == 204)
        if round == record.newest {
            record.answered -= 1
            (record.newest, record.at) = (round - 1, nil)
        }
        record.rows.removeAll { $0 == round }
        records[key] = record
    }

    private func erase(_ device: String) throws {
        guard users[device] == nil else { return }
        #expect(try world.send(.delete, "/v1/apps/app/clients/\(device)").status == 204)
        records[device] = nil
    }

    /// The groups by round are the answers that persons have, and each has one of a round.
    func checkResults() throws {
        var counts: [Int: Int64] = [:]
        for record in records.values {
            #expect(Set(record.rows).count == record.rows.count)
            for round in record.rows { counts[round, default: 0] += 1 }
        }
        let groups = try world.send(.get, "/v1/apps/app/results/s?by=round").json["by"]["groups"].array ?? []
        let shown = groups.map { [$0["value"].integer ?? 0, $0["submitted_count"].integer ?? 0] }
        #expect(shown == counts.sorted { $0.key < $1.key }.map { [Int64($0.key), $0.value] })
    }
}
