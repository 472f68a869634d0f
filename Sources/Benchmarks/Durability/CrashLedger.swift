import BellwetherJSON
import TestSupport

/// The requests that the daemon acknowledged over all rounds, and the checks that their effects are still stored.
struct CrashLedger {
    let clients: [String]
    /// The last version that is known to be stored; 0 before the first.
    private(set) var published = 0
    var restarts = Histogram()
    private var visits: [String: Int] = [:]
    private var cursor = ""
    private var rounds = 0
    private var acknowledged = 0
    private var shown = 0
    private var answered = 0
    /// The number of acknowledged drafts, submissions and steps of flows.
    private var saved = 0
    /// The number of acknowledged steps with pictures and erasures.
    private var erased = 0
    /// The number of acknowledged requests of users with two devices.
    private var paired = 0
    /// The ids of the submitted responses. Each has exactly one notification.
    private var submitted: Set<String> = []

    init(clients count: Int) { clients = (0..<count).map { "client-\($0)" } }

    var summary: String {
        """
        \(rounds) kills: \(acknowledged) acknowledged requests, \(shown) displays, \(answered) answers, \(saved) drafts and steps, \(erased) \
        steps with pictures and erasures, \(paired) saves from two devices of a user, \(submitted.count) submissions with a notification each, \(published) publishes.
        Nothing missing, nothing doubled, no cap and no quota exceeded, no place lost, integrity_check ok each time.
        Start after a kill: median \(restarts.milliseconds(at: 0.5).figure(places: 0)) ms, \
        max \(restarts.milliseconds(at: 1).figure(places: 0)) ms.
        """
    }

    /// Sends all requests again, then compares counters, caps and the log with the expected state.
    mutating func settle(_ outcomes: [CrashOutcome], round: Int, on connection: LoopbackClient) throws {
        rounds += 1
        var tally = CrashTally()
        var devices: [CrashPair.Record] = []
        var erasers: [CrashEraser.Record] = []
        for outcome in outcomes {
            switch outcome {
            case .publisher(let record): try settle(record, connection)
            case .writer(let record): try settle(record, &tally, connection)
            case .respondent(let record):
                try CrashRespondent.check(record, round, on: connection)
                saved += record.acknowledged
            case .device(let record):
                devices.append(record)
                paired += record.acknowledged
            case .eraser(let record):
                erasers.append(record)
                erased += record.acknowledged
            }
        }
        try CrashEraser.check(erasers, round, on: connection)
        submitted.formUnion(try CrashPair.check(devices, round, on: connection))
        try checkCaps(tally, round, connection)
        try checkCounters(round, connection)
        try checkLog(tally, round, connection)
    }

    private mutating func settle(
        _ record: CrashWriter.Record, _ tally: inout CrashTally, _ connection: LoopbackClient
    ) throws {
        if let fault = record.fault { throw Failure(fault) }
        for (operation, first) in record.acknowledged {
            try operation.checkRepeated(try operation.send(on: connection), first: first)
            note(operation, &tally)
        }
        acknowledged += record.acknowledged.count
        guard let operation = record.underWay else { return }
        try operation.checkUnderWay(try operation.send(on: connection))
        note(operation, &tally)
    }

    private mutating func note(_ operation: CrashOperation, _ tally: inout CrashTally) {
        switch operation.kind {
        case .visits(let count): visits[operation.client, default: 0] += count
        case .display:
            tally.shown[operation.client, default: 0] += 1
            shown += 1
        case .answer:
            tally.answered.insert(operation.client)
            answered += 1
        }
    }

    /// Checks that the stored version is the last acknowledged one, or the one that was under way.
    private mutating func settle(_ record: CrashPublisher.Record, _ connection: LoopbackClient) throws {
        if let fault = record.fault { throw Failure(fault) }
        published = record.acknowledged
        let answer = try connection.get("\(CrashApp.path)/recipes/published")
        if answer.status == 404, published == 0 { return }
        let possible = [record.acknowledged, record.underWay ?? record.acknowledged]
        guard let found = possible.last(where: { answer.text.contains("\"Version \($0)\"") }) else {
            throw Failure("version \(record.acknowledged) was acknowledged: \(answer.status) \(answer.text)")
        }
        published = found
    }

    /// Checks that the count of displays is exact, and that a client that has reached the cap is offered nothing.
    private func checkCaps(_ tally: CrashTally, _ round: Int, _ connection: LoopbackClient) throws {
        for client in clients {
            let shown = tally.shown[client, default: 0]
            let message = try connection.get(CrashApp.poll(client, CrashApp.cappedSurface)).message
            let offered = message?["display_count"]?.integer
            guard shown <= CrashApp.cap, offered == (shown < CrashApp.cap ? Int64(shown) : nil) else {
                let found = message.map { JSONValue.object($0).text } ?? "nothing"
                throw Failure("\(client) was shown \(shown) times and is offered \(found)")
            }
        }
    }

    /// Brings all clients to the same count of visits, and checks that a trigger on that count holds for each.
    private mutating func checkCounters(_ round: Int, _ connection: LoopbackClient) throws {
        let target = (visits.values.max() ?? 0) + 1
        for client in clients {
            let missing = target - visits[client, default: 0]
            let operation = CrashOperation.visit(times: missing, by: client, named: "pad-\(round)")
            try operation.check(try operation.send(on: connection))
            visits[client] = target
        }
        try CrashApp.put("exact", CrashApp.exact(target), on: connection)
        for client in clients {
            let message = try connection.get(CrashApp.poll(client, CrashApp.exactSurface)).message
            guard message?["key"]?.string == "exact" else { throw Failure("\(client) does not have \(target) visits") }
        }
    }

    /// Checks that the log has each display and each answer of the round exactly once, and each cap that was reached.
    private mutating func checkLog(_ tally: CrashTally, _ round: Int, _ connection: LoopbackClient) throws {
        var found = CrashTally()
        while true {
            let answer = try connection.get("\(CrashApp.path)/telemetry?limit=10000&after=\(cursor)")
            guard answer.status == 200, let next = answer.headers["bellwether-next"] else {
                throw Failure("telemetry: \(answer.status) \(answer.text)")
            }
            for line in answer.text.split(separator: "\n") {
                try found.add(try JSONValue(parsing: Array(line.utf8)), round)
            }
            guard next != cursor else { break }
            cursor = next
        }
        var wanted = tally
        wanted.expired = Set(tally.shown.filter { $0.value == CrashApp.cap }.keys)
        guard found == wanted else { throw Failure("the log: \(found.difference(from: wanted, of: clients))") }
    }

    func missingNotifications(_ arrivals: [WebhookReceiver.Arrival]) -> Int {
        submitted.subtracting(Self.notified(arrivals).keys).count
    }

    /// Checks that each submitted response was notified under one id, and that no other response was notified.
    func checkNotifications(_ arrivals: [WebhookReceiver.Arrival]) throws {
        let notified = Self.notified(arrivals)
        guard Set(notified.keys) == submitted else {
            let (missing, more) = (submitted.subtracting(notified.keys), Set(notified.keys).subtracting(submitted))
            throw Failure("no notification of \(missing.sorted()), and one of \(more.sorted()), not submitted")
        }
        for (response, ids) in notified where ids.count != 1 { throw Failure("\(response) was told of as \(ids)") }
    }

    /// The ids of the notifications, by response.
    private static func notified(_ arrivals: [WebhookReceiver.Arrival]) -> [String: Set<String>] {
        var ids: [String: Set<String>] = [:]
        for arrival in arrivals {
            let json = try? JSONValue(parsing: arrival.body)
            guard let response = json?.object?["data"]?.object?["response_id"]?.string else { continue }
            ids[response, default: []].insert(arrival.headers["webhook-id"] ?? "")
        }
        return ids
    }
}
