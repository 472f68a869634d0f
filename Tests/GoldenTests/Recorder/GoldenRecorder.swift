import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Foundation
import TestSupport

/// Makes random requests, sends them, and derives further requests from the responses. Owners publish, clients poll,
/// see, click and answer, pipelines read, and time passes. The same seed makes the same requests.
final class GoldenRecorder {
    private var session: GoldenSession
    private var random: SeededGenerator
    private var apps: [any GoldenApp]
    private var clients: [GoldenClient] = []
    /// The live slugs of each app, and whether each is paused.
    private var published: [[String: Bool]]
    /// The number of the exchange with each app's last cursor.
    private var cursors: [Int?]
    private(set) var time: Timestamp
    private(set) var polls = 0

    init(_ session: GoldenSession, seed: UInt64, clients count: Int, at time: Timestamp) throws {
        self.session = session
        self.time = time
        random = SeededGenerator(seed: seed)
        apps = [
            CatalogApp(dialect: "ios", seed: seed), CatalogApp(dialect: "android", seed: seed + 1),
            RecipeApp(seed: seed + 2), SampleApp(seed: seed + 3),
        ]
        published = apps.map { _ in [:] }
        cursors = apps.map { _ in nil }
        for app in apps.indices {
            for (path, document) in try apps[app].documents() { try send("PUT", app, path, document) }
            for slug in apps[app].slugs { try publish(slug, app) }
        }
        for number in 0..<count {
            let app = number % apps.count
            // The ids are of every accepted kind: names, UUIDs, other scripts.
            let id = number % 7 == 0 ? "Zoë \(number)" : "c\(number)"
            clients.append(GoldenClient(app: app, id: id, context: apps[app].context()))
        }
    }

    private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private func one<Item>(of items: [Item]) -> Item { items[Int.random(in: items.indices, using: &random)] }

    private func some<Item>(_ items: [Item]) -> [Item] {
        Array(items.shuffled(using: &random).prefix(Int.random(in: 0...items.count, using: &random)))
    }

    /// Continues until this many polls were sent.
    func run(polls count: Int, restarts: Int) throws {
        while polls < count {
            let before = polls
            try step(atMost: count - polls)
            if polls * (restarts + 1) / count != before * (restarts + 1) / count, polls < count {
                try session.send(GoldenRequest(time: time, method: GoldenRequest.restart, target: "-"))
            }
        }
    }

    /// Continues with another daemon. The references to earlier responses are deleted.
    func move(to session: GoldenSession) {
        self.session = session
        for client in clients.indices { clients[client].answered = nil }
        cursors = apps.map { _ in nil }
    }

    private func step(atMost bound: Int) throws {
        // The minimum makes some clients much more active than most.
        let client = min(
            Int.random(in: clients.indices, using: &random), Int.random(in: clients.indices, using: &random))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<52:
            try changeQuestion(client)
            for _ in 0..<min(bound, one(of: [1, 1, 2, 3])) { try poll(client) }
        case 52..<57: try poll(client, events: (0..<one(of: [0, 1, 3])).map { _ in event(client) })
        case 57..<72: try report(client)
        case 72..<76: try respond(client)
        case 76..<80: try explain(client)
        case 80..<82: try readTelemetry(clients[client].app)
        case 82..<84: try participate(client)
        case 84..<86: try pollBadly(client)
        case 86..<88: try changeDocuments(clients[client].app)
        case 88 where chance(20): try erase(client)
        default: pass()
        }
    }

    // MARK: Clients

    private func changeQuestion(_ client: Int) throws {
        guard chance(45) else { return }
        let app = clients[client].app
        clients[client].answered = nil
        if chance(30) { clients[client].context = apps[app].context() }
        clients[client].question = GoldenCall(
            surfaces: chance(60) ? [] : some(apps[app].surfaces), isPost: chance(30),
            language: chance(15) ? one(of: ["de", "fr-CH, fr;q=0.9, en;q=0.8", "ar"]) : nil)
    }

    private func poll(_ client: Int, events: [JSONValue]? = nil) throws {
        let asker = clients[client]
        let (method, path, body) = asker.question.poll(asker, events: events)
        var headers: [String] = []
        if let language = asker.question.language { headers.append("Accept-Language: \(language)") }
        if let answered = asker.answered, chance(60) { headers.append("If-None-Match: {tag \(answered)}") }
        try send(method, asker.app, path, body, headers)
        polls += 1
        guard session.last.status == 200 else { return }
        clients[client].take(try? JSONValue(parsing: session.last.body), from: session.exchanges.count - 1)
    }

    /// Sends polls that are refused.
    private func pollBadly(_ client: Int) throws {
        let query = one(of: [
            "surface=nowhere", "client_id=", "age=old", "locale=1", "client_id=a+b", "tags=%5B", "device=7",
            "locale=xx-bad-", "days_since_install=old", "client_id=a&client_id=b",
        ])
        let id = query.hasPrefix("client_id") ? "" : "client_id=\(GoldenCall.encoded(clients[client].id))&"
        try send("GET", clients[client].app, "messages?\(id)\(query)")
        polls += 1
    }

    private func event(_ client: Int) -> JSONValue {
        let app = apps[clients[client].app]
        let offered = clients[client].offered.map(\.key)
        let key = JSONValue.string(one(of: offered.isEmpty || chance(10) ? app.keys : offered))
        var event: JSONObject
        // A client without offers can still send an event that leads to a message.
        switch offered.isEmpty && chance(60) ? 0 : Int.random(in: 0..<10, using: &random) {
        case 0...2:
            let count = JSONValue.integer(one(of: [1, 1, 3]))
            event = ["type": "behavior", "name": .string(one(of: app.events)), "count": count]
        case 3...6: event = ["type": "message", "action": "displayed", "message": key]
        case 7: event = ["type": "message", "action": .string(one(of: ["clicked", "dismissed"])), "message": key]
        case 8:
            let action = one(of: ["shown", "privacy_notice_tapped", "dismiss_button_tapped", "confirmation_shown"])
            event = ["type": "microsurvey", "action": .string(action), "message": key]
        default:
            event = ["type": "feature", "action": "exposed"]
            if chance(50) { event["experiment"] = .string(one(of: app.slugs)) }
        }
        if chance(30) { event["id"] = .string("event-\(Int.random(in: 0..<400, using: &random))") }
        if chance(20) {
            let ago = one(of: [-600, 0, 60, 4000, 90_000, 2_000_000, 9_000_000] as [Int64])
            event["at"] = .string(time.adding(seconds: -ago).rfc3339)
        }
        return .object(event)
    }

    private func report(_ client: Int) throws {
        let events = (0..<one(of: [1, 1, 2, 5])).map { _ in event(client) }
        let id = JSONValue.string(clients[client].id)
        guard chance(10) else {
            try send("POST", clients[client].app, "events", ["client_id": id, "events": .array(events)])
            return
        }
        let lines = events.map { event in
            JSONValue.object(JSONObject([(key: "client_id", value: id)] + (event.object.map(Array.init) ?? []))).text
        }
        try send(
            "POST", clients[client].app, "events", text: lines.joined(separator: "\n") + "\n",
            ["Content-Type: application/x-ndjson"])
    }

    private func respond(_ client: Int) throws {
        let app = apps[clients[client].app]
        let survey = clients[client].offered.first { !$0.options.isEmpty }
        var body: JSONObject = [
            "client_id": .string(clients[client].id), "message": .string(survey?.key ?? one(of: app.keys)),
            "option": .string(one(of: survey?.options ?? ["0", "9"])),
        ]
        if let survey, chance(60) { body["revision"] = .integer(survey.revision) }
        if chance(50) { body["locale"] = .string(one(of: ["de", "en-US", "fr"])) }
        if chance(50) { body["id"] = .string("answer-\(client)") }
        try send("POST", clients[client].app, "responses", .object(body))
    }

    private func participate(_ client: Int) throws {
        let path = "clients/\(GoldenCall.encoded(clients[client].id))/participation"
        guard chance(70) else {
            try send("GET", clients[client].app, path)
            return
        }
        let slugs = apps[clients[client].app].slugs
        var body: JSONObject = ["experiments": .bool(chance(80)), "rollouts": .bool(chance(80))]
        if chance(50) { body["opted_out"] = .array(some(slugs).prefix(2).map(JSONValue.string)) }
        if chance(30) { body["opted_in"] = .object([one(of: slugs): .string(one(of: ["b0", "b1", "control"]))]) }
        try send("PUT", clients[client].app, path, .object(body))
    }

    private func erase(_ client: Int) throws {
        try send("DELETE", clients[client].app, "clients/\(GoldenCall.encoded(clients[client].id))")
        clients[client].answered = nil
        clients[client].offered = []
    }

    // MARK: Owners and pipelines

    private func explain(_ client: Int) throws {
        let asker = clients[client]
        let app = apps[asker.app]
        var body: JSONObject = ["surface": .string(one(of: app.surfaces)), "context": .object(asker.context)]
        if chance(60) {
            body["client_id"] = .string(asker.id)
        } else {
            body["events"] = .array(
                (0..<one(of: [0, 1, 3])).map { _ in
                    let ago = one(of: [0, 100, 5000, 200_000] as [Int64])
                    return [
                        "name": .string(one(of: app.events)), "at": .string(time.adding(seconds: -ago).rfc3339),
                        "count": .integer(one(of: [1, 4])),
                    ]
                })
            body["ledger"] = .object([one(of: app.keys): ["display_count": .integer(one(of: [1, 2, 5]))]])
            if chance(30) { body["now"] = "2026-12-24T18:00:00Z" }
        }
        try send("POST", asker.app, "explain", .object(body))
    }

    private func readTelemetry(_ app: Int) throws {
        let after = cursors[app].map { "after={next \($0)}&" } ?? ""
        try send("GET", app, "telemetry?\(after)limit=\(one(of: [5, 20, 60]))")
        if session.last.status == 200 { cursors[app] = session.exchanges.count - 1 }
    }

    private func publish(_ slug: String, _ app: Int) throws {
        try send("PUT", app, "recipes/\(slug)", apps[app].recipe(slug))
        if session.last.status < 300 { published[app][slug] = published[app][slug] ?? false }
    }

    private func changeDocuments(_ app: Int) throws {
        if chance(10) {
            let (path, document) = one(of: try apps[app].documents())
            return try send("PUT", app, path, document)
        }
        let slug = one(of: apps[app].slugs)
        switch (published[app][slug], Int.random(in: 0..<4, using: &random)) {
        case (nil, _), (_, 0), (_, 1): try publish(slug, app)
        case (let isPaused?, 2):
            try send("POST", app, "recipes/\(slug)/state", ["state": isPaused ? "live" : "paused"])
            if session.last.status == 200 { published[app][slug] = !isPaused }
        default:
            try send("DELETE", app, "recipes/\(slug)")
            published[app][slug] = nil
        }
    }

    /// Moves the clock. The total is some months; now and then the clock steps back a little.
    private func pass() {
        let seconds: [Int64] = [1, 1, 20, 60, 400, 1800, 1800, 3600, 9000, 43_200, 86_400, -30]
        time = time.adding(seconds: one(of: seconds))
    }

    private func send(
        _ method: String, _ app: Int, _ path: String, _ body: JSONValue? = nil, _ headers: [String] = []
    ) throws {
        try send(method, app, path, text: body?.text ?? "", headers)
    }

    private func send(_ method: String, _ app: Int, _ path: String, text: String, _ headers: [String]) throws {
        try session.send(
            GoldenRequest(
                time: time, worker: chance(75) ? 0 : 1, method: method, target: "/v1/apps/\(apps[app].name)/\(path)",
                headers: headers, body: text))
    }
}
