import BellwetherBase
import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

/// No cap over the messages of an app is ever exceeded, whatever the messages are (docs/reference/messaging.md#pacing).
@Suite struct CapPropertyTests {
    @Test func nothingIsOfferedOnceACapIsReached() throws {
        var (offers, refusals) = (0, 0)
        var kinds: [String: Int] = [:]
        for seed in 0..<12 as Range<UInt64> {
            var world = try CapWorld(seed: seed)
            for _ in 0..<220 { try world.stepOn() }
            (offers, refusals) = (offers + world.offers, refusals + world.refusals)
            for kind in world.offeredKinds { kinds[kind, default: 0] += 1 }
        }
        #expect(offers > 300, "the property says something only where something is offered")
        #expect(refusals > 300, "and only where caps are reached")
        #expect(CapWorld.kinds.allSatisfy { kinds[$0, default: 0] > 20 }, "of every kind: \(kinds)")
    }
}

/// An app with messages of all kinds under random caps, the clients of one user, and a client without a user. It keeps
/// every display that the daemon has acknowledged, and checks each response against them.
private struct CapWorld {
    private struct Cap {
        let count: Int
        /// The window; nil for a cap of one session.
        let seconds: Int64?
        let tags: [String]

        func counts(_ other: [String]) -> Bool { tags.isEmpty || !Set(tags).isDisjoint(with: other) }

        var json: JSONValue {
            var json: JSONObject = ["count": .integer(Int64(count))]
            if let seconds { json["seconds"] = .integer(seconds) } else { json["session"] = true }
            if !tags.isEmpty { json["tags"] = .array(tags.map { .string($0) }) }
            return .object(json)
        }
    }

    private struct Show {
        let key: String
        let tags: [String]
        let at: Int64
    }

    private struct Client {
        let id: String
        /// The key of the displays that count: the client's id, or the user.
        var owner: String
        /// The newest session, with the tags of its displays.
        var session: (id: String, shows: [[String]]) = ("", [])
    }

    static let kinds = ["note", "poster", "micro", "ask", "survey", "tour"]
    private static let surfaces = [
        "note": "card", "poster": "banner", "micro": "microsurvey", "ask": "sheet", "survey": "strip", "tour": "modal",
    ]
    private static let user = "the user"
    /// The daemon stores displays by the minute, so the last minute of a window may count or not.
    private static let blur: Int64 = 60

    private let world: WorkerUnderTest
    private var random: SeededGenerator
    private let caps: [Cap]
    private let cooldown: Int64
    private let tags: [String: [String]]
    private var clients: [Client]
    private var shows: [String: [Show]] = [:]
    private var now: Int64 = 0
    private(set) var offers = 0
    /// The number of responses without a message while a cap over all messages was reached.
    private(set) var refusals = 0
    private(set) var offeredKinds: [String] = []

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func pick<Item>(_ items: [Item]) -> Item { items[Int.random(in: items.indices, using: &random)] }
        var caps = [Cap(count: pick([1, 2, 3, 4]), seconds: pick([1800, 7200, 86_400]), tags: [])]
        for _ in 0..<pick([0, 1, 2]) {
            let seconds: Int64? = pick([nil, 3600, 40_000, 7 * 86_400])
            caps.append(Cap(count: pick([1, 2, 5]), seconds: seconds, tags: pick([[], ["a"], ["a", "b"]])))
        }
        let cooldown: Int64 = pick([0, 0, 600, 4000])
        let tags = Dictionary(uniqueKeysWithValues: Self.kinds.map { ($0, pick([[], ["a"], ["b"], ["a", "b"]])) })
        let pacing: JSONValue = [
            "caps": .array(caps.map(\.json)), "cooldown_seconds": .integer(cooldown),
        ]
        world = try Self.world(pacing, tags)
        clients = ["c0", "c1", "c2", "c3"].map { Client(id: $0, owner: $0) }
        (self.random, self.caps, self.cooldown, self.tags) = (random, caps, cooldown, tags)
    }

    private static func world(_ pacing: JSONValue, _ tags: [String: [String]]) throws -> WorkerUnderTest {
        func message(_ key: String, _ more: JSONObject = [:]) -> JSONValue {
            let own: JSONValue = [
                "display": "some", "limit": 1_000_000, "tags": .array((tags[key] ?? []).map { .string($0) }),
            ]
            var message: JSONObject = ["surface": .string(surfaces[key] ?? ""), "text": "Text", "pacing": own]
            for member in more { message[member.key] = member.value }
            return .object(message)
        }
        let options: JSONValue = ["microsurveyConfig": ["options": ["Good", "Bad"]]]
        let text: JSONValue = [["id": "q", "type": "text", "title": "?"]]
        let field: JSONValue = [["id": "q", "question": "?", "question_type": "single_text_field"]]
        let step: JSONValue = [["id": "s", "type": "welcome", "config": ["title": "Hello"]]]
        let recipes: [String: JSONValue] = [
            "bare": [
                "messages": [
                    "note": message("note"), "poster": message("poster"),
                    "micro": message("micro", options.object ?? [:]),
                ]
            ],
            "ask": [
                "kind": "questionnaire", "name": "Q", "schema": ["version": 1, "questions": text],
                "offer": message("ask"),
            ],
            "survey": ["kind": "survey", "questions": field, "offer": message("survey")],
            "tour": [
                "kind": "flow", "id": "tour", "name": "T", "version": 1, "steps": step, "offer": message("tour"),
            ],
        ]
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["surfaces"] = ["card", "banner", "microsurvey", "modal", "sheet", "strip"]
        manifest["pacing"] = pacing
        return try WorkerUnderTest(manifest: .object(manifest), recipes: recipes)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[Int.random(in: items.indices, using: &random)] }

    mutating func stepOn() throws {
        let client = Int.random(in: clients.indices, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: try identify(client)
        case 1...4: pass(pick([1, 61, 599, 1800, 3600, 30_000, 90_000]))
        case 5: try show(pick(Self.kinds), to: client, in: nil)
        default: try poll(client)
        }
    }

    private mutating func pass(_ seconds: Int64) {
        world.pass(seconds: seconds)
        now += seconds
    }

    /// Identifies a client, except the first, which stays without a user.
    private mutating func identify(_ client: Int) throws {
        guard client > 0 else { return }
        let body: JSONValue = ["client_id": .string(clients[client].id), "user_id": "u"]
        #expect(try world.send(.post, "/v1/apps/app/identify", body: body).status == 200)
        guard clients[client].owner != Self.user else { return }
        shows[Self.user, default: []] += shows[clients[client].owner] ?? []
        shows[clients[client].owner] = nil
        clients[client].owner = Self.user
    }

    private mutating func show(_ key: String, to client: Int, in session: String?) throws {
        var event: JSONObject = ["type": "message", "action": "displayed", "message": .string(key)]
        if let session { event["session_id"] = .string(session) }
        let body: JSONValue = ["client_id": .string(clients[client].id), "events": [.object(event)]]
        #expect(try world.send(.post, "/v1/apps/app/events", body: body).json["accepted"] == 1)
        let tags = tags[key] ?? []
        shows[clients[client].owner, default: []].append(Show(key: key, tags: tags, at: now))
        guard let session else { return }
        if clients[client].session.id != session { clients[client].session = (session, []) }
        clients[client].session.shows.append(tags)
    }

    /// Polls, checks the response, and displays some of the offered messages.
    private mutating func poll(_ client: Int) throws {
        let session: String? = chance(60) ? pick(["s1", "s1", "s2", "s\(now / 20_000)"]) : nil
        var surfaces = Set(Self.surfaces.values).sorted()
        if chance(50) { surfaces = Array(surfaces.shuffled(using: &random).prefix(pick([1, 2, 3]))) }
        let query = surfaces.map { "&surface=\($0)" }.joined() + (session.map { "&session_id=\($0)" } ?? "")
        let answer = try world.send(.get, "/v1/apps/app/messages?client_id=\(clients[client].id)\(query)")
        #expect(answer.status == 200, "\(answer.json)")
        let keys = (answer.json["messages"].array ?? []).compactMap { $0["key"].string }
        check(keys, to: clients[client], in: session)
        (offers, offeredKinds) = (offers + keys.count, offeredKinds + keys)
        for key in keys where chance(70) { try show(key, to: client, in: session) }
    }

    private mutating func check(_ keys: [String], to client: Client, in session: String?) {
        let past = shows[client.owner] ?? []
        for cap in caps {
            let offered = keys.count { cap.counts(tags[$0] ?? []) }
            let used = count(cap, past, client, session)
            #expect(offered == 0 || used + offered <= cap.count, "\(cap) has counted \(used), offered \(keys)")
            if cap.tags.isEmpty, used >= cap.count { refusals += 1 }
        }
        guard cooldown > 0 else { return }
        #expect(keys.count <= 1)
        let newest = past.map(\.at).max() ?? .min
        #expect(keys.isEmpty || newest == .min || now - newest >= cooldown - Self.blur, "the cooldown holds")
    }

    private func count(_ cap: Cap, _ past: [Show], _ client: Client, _ session: String?) -> Int {
        guard let seconds = cap.seconds else {
            guard let session, session == client.session.id else { return 0 }
            return client.session.shows.count { cap.counts($0) }
        }
        return past.count { cap.counts($0.tags) && now - $0.at < seconds - Self.blur }
    }
}
