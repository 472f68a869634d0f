import BellwetherAPI
import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// Clients that are enrolled, exposed, report events now and late, repeat them and are erased, while the owner
/// publishes other goals. What the results count must equal a record of what each client did
/// (docs/reference/goals.md#what-is-counted).
@Suite struct GoalModelTests {
    @Test(arguments: 0..<Trials.count(4, many: 40) as Range<UInt64>)
    func `Results are as all clients counted one by one`(_ seed: UInt64) throws {
        let world = try GoalWorld(seed: seed)
        for step in 0..<Trials.count(400, many: 2_000) {
            try world.step()
            if step.isMultiple(of: 100) { try world.compare() }
        }
        try world.compare()
        #expect(world.exposures > 10)
    }

    @Test func `An event that is not counted is found`() throws {
        let world = try GoalWorld(seed: 1)
        for _ in 0..<400 { try world.step() }
        try world.compare()
        try world.forgetEvent()
        #expect(throws: Failure.self) { try world.compare() }
    }
}

/// A client in one period, as the test has seen it.
private struct CountedClient {
    let period: Int
    let branch: String
    /// The goals of the period.
    let goals: [WatchedGoal]
    var exposedAt: Timestamp?
    /// The outcome of each goal; of a property in thousandths.
    var outcomes: [Int64] = []
}

private struct WatchedGoal {
    let name: String
    let days: Int64
    /// Nil for `converted`.
    let cap: Int64?
    let isOfProperty: Bool
    /// The behaviour event, or the action on the message.
    let event: String
    let isMessage: Bool

    var json: JSONValue {
        var json: JSONObject = [
            "name": .string(name), "event": isMessage ? ["message": .string(event)] : .string(event),
            "counts": cap == nil ? "converted" : "sum", "within_days": .integer(days),
        ]
        json["cap"] = cap.map { .integer($0) }
        if isOfProperty { json["property"] = "amount" }
        return .object(json)
    }
}

private final class GoalWorld {
    private static let day: Int64 = 86_400_000
    private static let events = ["purchase", "visit"]

    private let world: WorkerUnderTest
    private var random: SeededGenerator
    private var clients: [String: [CountedClient]] = [:]
    private var goals: [WatchedGoal] = []
    private var periods = 0
    private var ids = 0
    private(set) var exposures = 0

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["events"] = ["purchase": ["properties": ["amount": "number"]]]
        var settings = APISettings.open
        settings.minimumCell = 1
        world = try WorkerUnderTest(manifest: .object(manifest), settings: settings, heldClients: 10)
        world.store.answerResults(ResultsReading(messages: []))
        try publish()
    }

    func step() throws {
        world.pass(milliseconds: Int64.random(in: 0...Self.day / 20, using: &random))
        let client = "c\(Int.random(in: 0..<12, using: &random))"
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: try poll(client)
        case 30..<40: try expose(client, late: isLucky(1, in: 4))
        case 40..<75: try behave(client)
        case 75..<90: try press(client)
        case 90..<96: try erase(client)
        default: try publish()
        }
    }

    private func isLucky(_ share: Int, in total: Int) -> Bool { Int.random(in: 0..<total, using: &random) < share }

    /// Publishes other goals, or the same goals with another text, which begins no period.
    private func publish() throws {
        let isSame = !goals.isEmpty && isLucky(1, in: 2)
        if !isSame {
            periods += 1
            goals = (0..<Int.random(in: 1...4, using: &random)).map { number in
                let isMessage = isLucky(1, in: 4)
                let isSum = isLucky(1, in: 2)
                let event = isMessage ? ["clicked", "dismissed"][number % 2] : Self.events[number % 2]
                return WatchedGoal(
                    name: "g\(number)p\(periods)", days: Int64.random(in: 1...4, using: &random),
                    cap: isSum ? Int64.random(in: 1...30, using: &random) : nil,
                    isOfProperty: isSum && !isMessage && event == "purchase" && isLucky(1, in: 2), event: event,
                    isMessage: isMessage)
            }
        }
        let answer = try world.send(.put, "/v1/apps/app/recipes/e", body: recipe(text: "text \(ids)"))
        guard (200...201).contains(answer.status) else { throw Failure("not published: \(answer.json)") }
    }

    private func recipe(text: String) -> JSONValue {
        let branches = ["a", "b"].map { slug -> JSONValue in
            let message: JSONValue = [
                "surface": "card", "experiment": "{experiment}", "text": .string(text), "style": "S",
                "trigger-if-all": [],
            ]
            let value: JSONValue = [
                "messages": .object(JSONObject([("m-\(slug)", message)])),
                "styles": ["S": ["priority": 50, "max-display-count": 1_000_000]],
            ]
            return [
                "slug": .string(slug), "ratio": 1, "features": [["featureId": "messaging", "value": value]],
            ]
        }
        return [
            "schemaVersion": "1.12.0", "slug": "e", "userFacingName": "E", "userFacingDescription": "D",
            "isEnrollmentPaused": false, "proposedEnrollment": 7,
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 10_000, "total": 10_000,
            ],
            "branches": .array(branches), "goals": .array(goals.map(\.json)),
        ]
    }

    /// The first poll of a client enrolls it.
    private func poll(_ client: String) throws {
        let answer = try world.send(.get, "/v1/apps/app/messages?client_id=\(client)")
        guard let key = answer.json["messages"][0]["key"].string else { return }
        guard clients[client] == nil else { return }
        clients[client] = [CountedClient(period: periods, branch: String(key.dropFirst(2)), goals: goals)]
    }

    private func expose(_ client: String, late: Bool) throws {
        guard let branch = clients[client]?.last?.branch else { return }
        let at = late ? pastTime() : nil
        try report(client, ["type": "message", "action": "displayed", "message": .string("m-\(branch)")], at: at)
        change(client) { entry in
            guard entry.exposedAt == nil else { return }
            exposures += 1
            entry.exposedAt = at ?? world.now
            entry.outcomes = entry.goals.map { _ in 0 }
        }
    }

    private func behave(_ client: String) throws {
        let name = Self.events[Int.random(in: 0..<2, using: &random)]
        let count = Int64.random(in: 1...3, using: &random)
        let amount = Double(Int.random(in: 0...9_000, using: &random)) / 1_000
        let at = isLucky(1, in: 3) ? pastTime() : nil
        var event: JSONObject = ["type": "behavior", "name": .string(name), "count": .integer(count)]
        if name == "purchase" { event["properties"] = ["amount": .number(amount)] }
        try report(client, event, at: at)
        note(client, name, isMessage: false, at: at) { goal in
            goal.isOfProperty ? Int64((amount * 1_000).rounded()) * count : count
        }
    }

    private func press(_ client: String) throws {
        guard let branch = clients[client]?.last?.branch else { return }
        let action = isLucky(1, in: 2) ? "clicked" : "dismissed"
        let at = isLucky(1, in: 3) ? pastTime() : nil
        try report(client, ["type": "message", "action": .string(action), "message": .string("m-\(branch)")], at: at)
        note(client, action, isMessage: true, at: at) { _ in 1 }
    }

    /// A time of an offline queue: more than five minutes ago.
    private func pastTime() -> Timestamp {
        world.now.adding(milliseconds: -Int64.random(in: 400_000...3 * Self.day, using: &random))
    }

    /// Reports an event, at times twice under one id.
    private func report(_ client: String, _ event: JSONObject, at: Timestamp?) throws {
        var event = event
        ids += 1
        event["id"] = .string("i\(ids)")
        event["at"] = at.map { .string($0.rfc3339) }
        for repetition in 0..<(isLucky(1, in: 5) ? 2 : 1) {
            let body: JSONValue = ["client_id": .string(client), "events": [.object(event)]]
            let answer = try world.send(.post, "/v1/apps/app/events", body: body)
            guard answer.json[repetition == 0 ? "accepted" : "duplicates"] == 1 else {
                throw Failure("not counted: \(answer.json) \(event)")
            }
        }
    }

    private func note(
        _ client: String, _ event: String, isMessage: Bool, at: Timestamp?, _ amount: (WatchedGoal) -> Int64
    ) {
        let time = at ?? world.now
        change(client) { entry in
            guard let exposedAt = entry.exposedAt else { return }
            for (index, goal) in entry.goals.enumerated() where goal.event == event && goal.isMessage == isMessage {
                let end = exposedAt.adding(milliseconds: goal.days * Self.day)
                guard exposedAt <= time, time <= end else { continue }
                let limit = (goal.cap ?? 1) * (goal.isOfProperty ? 1_000 : 1)
                entry.outcomes[index] = min(limit, entry.outcomes[index] + (goal.cap == nil ? 1 : amount(goal)))
            }
        }
    }

    private func change(_ client: String, _ change: (inout CountedClient) -> Void) {
        guard var entries = clients[client] else { return }
        for index in entries.indices { change(&entries[index]) }
        clients[client] = entries
    }

    private func erase(_ client: String) throws {
        _ = try world.send(.delete, "/v1/apps/app/clients/\(client)")
        clients[client] = nil
    }

    /// Makes a fault: the record of one outcome is lost.
    func forgetEvent() throws {
        for (client, entries) in clients {
            guard let entry = entries.first, entry.outcomes.contains(where: { $0 > 0 }) else { continue }
            return change(client) { $0.outcomes = $0.outcomes.map { _ in 0 } }
        }
        throw Failure("no client has an outcome")
    }

    /// Compares the results of each period with the record.
    func compare() throws {
        for period in 1...periods {
            let answer = try world.send(.get, "/v1/apps/app/results/e?period=\(period)").json["goals"]
            guard answer["period"] == .integer(Int64(period)), answer["periods"] == .integer(Int64(periods)) else {
                throw Failure("not period \(period) of \(periods): \(answer)")
            }
            let entries = clients.values.flatMap(\.self).filter { $0.period == period && $0.exposedAt != nil }
            for (index, goal) in (answer["goals"].array ?? []).enumerated() {
                for branch in goal["branches"].array ?? [] {
                    let counted = entries.filter { $0.branch == branch["branch"].string }
                    let outcomes = counted.map { $0.outcomes[index] }
                    let scale = goal["property"] == .null ? 1.0 : 1_000.0
                    let expected: JSONValue = [
                        .integer(Int64(counted.count)), .integer(Int64(outcomes.count { $0 > 0 })),
                        .number(Double(outcomes.reduce(0, +)) / scale),
                    ]
                    let found: JSONValue = [
                        branch["exposed"], branch["converted"], .number(branch["sum"].double ?? -1),
                    ]
                    guard found == expected else {
                        throw Failure("period \(period), \(goal["name"]): \(branch) is not \(expected)")
                    }
                }
                try compareDays(goal)
            }
        }
    }

    /// The days of exposure add up to the whole.
    private func compareDays(_ goal: JSONValue) throws {
        for (place, branch) in (goal["branches"].array ?? []).enumerated() {
            let days = (goal["days"].array ?? []).map { $0["branches"][place] }
            for member in ["exposed", "converted"] {
                let sum = days.reduce(0) { $0 + ($1[member].integer ?? 0) }
                guard .integer(sum) == branch[member] else { throw Failure("days of \(goal)") }
            }
        }
    }
}
