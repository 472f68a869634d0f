import BellwetherCore
import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// An app whose recipes change, clients that poll it on two workers of one daemon, and the responses that the clients
/// got.
struct PollingWorld {
    private static let app = WorkerUnderTest.app
    private static let slugs = (0..<5).map { "e\($0)" }
    private static let clients = ["c0", "c1"]

    private var catalog = PublishedCatalog()
    private var version: UInt64 = 0
    private var generator: RecipeGenerator
    private let workers: [WorkerUnderTest]
    private var snapshot = Snapshot.empty
    /// The responses of each client, by entity tag.
    private var answered: [String: [String: [UInt8]]] = [:]
    /// The number of polls answered by 304, and the number of responses with an effect.
    private(set) var unchanged = 0
    private(set) var effects = 0
    /// Seconds since the start.
    private var elapsed: Int64 = 0

    private let isSteppingBack: Bool

    /// - Parameter isSteppingBack: whether the clock also steps back.
    init(seed: UInt64, isSteppingBack: Bool = false) throws {
        generator = RecipeGenerator(seed: seed)
        self.isSteppingBack = isSteppingBack
        let first = try WorkerUnderTest()
        workers = [first, WorkerUnderTest(beside: first, store: first.store, serving: .empty)]
        try publish(.putManifest(RecipeGenerator.manifest.encoded))
    }

    private var store: TestStore { workers[0].store }

    private mutating func publish(_ change: PublishRequest.Change) throws {
        var editor = CatalogEditor(catalog, source: .api, now: workers[0].now)
        do throws(PublishRefusal) {
            _ = try editor.apply(PublishRequest(app: Identifier(Self.app), change: change))
        } catch {
            Issue.record("refused: \(error)")
        }
        catalog = editor.catalog
        version += 1
        snapshot = Snapshot(version: version, apps: catalog.snapshots, loadFailures: [])
        for worker in workers { worker.serve(snapshot) }
    }

    /// Performs a random step, most often a poll.
    mutating func stepOn() throws {
        switch Int.random(in: 0..<20, using: &generator.random) {
        case 0: try publishAny()
        case 1...3: passTime()
        case 4, 5: try report()
        case 6: try pollWithEvents()
        default:
            let question = ClientPoll(client: generator.one(of: Self.clients), &generator)
            for _ in 0..<generator.one(of: [1, 2, 4]) { try poll(question) }
        }
    }

    /// Changes a random recipe.
    mutating func publishAny() throws {
        let slug = generator.one(of: Self.slugs)
        let state = catalog.apps[Identifier(Self.app)]?.recipes[Identifier(slug)]?.stored.state
        switch (state, generator.one(of: [0, 1, 2, 3])) {
        case (nil, _), (_, 0), (_, 1):
            let recipe = generator.recipe(slug)
            try publish(.putRecipe(slug: Identifier(slug), recipe.encoded, asDraft: false))
        case (_, 2), (.ended?, _): try publish(.deleteRecipe(slug: Identifier(slug)))
        case (.paused?, _): try publish(.setState(slug: Identifier(slug), generator.one(of: [.live, .ended])))
        default: try publish(.setState(slug: Identifier(slug), generator.one(of: [.paused, .ended])))
        }
    }

    /// Moves the clock. The total stays below a year, because a deleted recipe is kept that long.
    private mutating func passTime() {
        let day: Int64 = 86_400
        let steps: [Int64] = [1, 60, 700, 1700, 3600, 43_200, 86_400, 2 * 86_400]
        guard isSteppingBack, generator.chance(50) else { return pass(generator.one(of: steps)) }
        let place = generator.one(of: [-170, -30, -3, 0, 3, 60, 170] as [Int64]) * day
        // Enrollments that were settled less than a day ahead of the new time may still be used, so a step back is at
        // least two days.
        pass(place - elapsed > -2 * day && place < elapsed ? -2 * day : place - elapsed)
    }

    private mutating func pass(_ seconds: Int64) {
        workers[0].pass(seconds: seconds)
        elapsed += seconds
    }

    /// A client reports an event.
    private mutating func report() throws {
        let client = generator.one(of: Self.clients)
        let body: JSONValue = ["client_id": .string(client), "events": [event()]]
        let answer = try generator.one(of: workers).send(.post, "/v1/apps/\(Self.app)/events", body: body)
        #expect(answer.status == 200)
    }

    private mutating func event() -> JSONValue {
        let message = JSONValue.string(generator.one(of: Self.slugs.map { "m-\($0)" } + ["common"]))
        switch Int.random(in: 0..<4, using: &generator.random) {
        case 0: return ["type": "feature", "action": "exposed"]
        case 1:
            return [
                "type": "message", "action": .string(generator.one(of: ["displayed", "clicked"])), "message": message,
            ]
        case 2: return ["type": "message", "action": "displayed", "message": message]
        default: return ["type": "behavior", "name": "visit"]
        }
    }

    /// A client polls, mostly with a tag that it got before. The same request goes to a daemon with the same store and
    /// no caches: responses and effects must be equal.
    private mutating func poll(_ question: ClientPoll) throws {
        let client = question.client
        let before = store.records
        let (memoryless, expected) = try fresh { try question.get(from: $0) }
        let posted = try fresh { try question.post(to: $0) }.answer
        #expect(posted.body == expected.body && posted.tag == expected.tag)
        let tag = generator.chance(80) ? answered[client]?.keys.sorted().randomElement(using: &generator.random) : nil
        let answer = try question.get(from: generator.one(of: workers), ifNoneMatch: tag)
        #expect(answer.tag == expected.tag)
        if answer.status == 304 {
            unchanged += 1
            #expect(tag == expected.tag)
            #expect(tag.flatMap { answered[client]?[$0] } == expected.body, "the body would differ")
        } else {
            #expect(answer.status == 200 && answer.body == expected.body)
        }
        answered[client, default: [:]][expected.tag] = expected.body
        expectSame(memoryless, client)
        if store.records != before { effects += 1 }
    }

    /// A client polls and sends events with the poll.
    private mutating func pollWithEvents() throws {
        let client = generator.one(of: Self.clients)
        let events = [event(), event()]
        let question = ClientPoll(client: client, &generator)
        let (memoryless, expected) = try fresh { try question.post(to: $0, events: events) }
        let answer = try question.post(to: generator.one(of: workers), events: events)
        #expect(answer.status == 200 && answer.body == expected.body && answer.tag == expected.tag)
        expectSame(memoryless, client)
    }

    /// The response of a worker without caches on a copy of the store, and the copy after it.
    private func fresh(_ ask: (WorkerUnderTest) throws -> RecordedResponse) throws -> (
        store: TestStore, answer: RecordedResponse
    ) {
        let copy = TestStore(copying: store)
        return (copy, try ask(WorkerUnderTest(beside: workers[0], store: copy, serving: snapshot)))
    }

    private func expectSame(_ memoryless: TestStore, _ client: String) {
        let reference = ClientReference(app: Identifier(Self.app), id: Identifier(client))
        #expect(store.state(of: reference) == memoryless.state(of: reference))
        #expect(store.records == memoryless.records)
    }
}

/// One client's poll.
private struct ClientPoll {
    let client: String
    private let surfaces: [String]
    /// The attributes and the locale.
    private let context: JSONObject

    init(client: String, _ generator: inout RecipeGenerator) {
        self.client = client
        // Most polls are the same, so that caches are used.
        guard generator.chance(25) else {
            surfaces = []
            context = ["age": 40]
            return
        }
        surfaces = generator.one(of: [[], ["card"], ["microsurvey", "card"]])
        var context: JSONObject = [:]
        if generator.chance(80) { context["age"] = .integer(generator.one(of: [20, 40])) }
        if generator.chance(30) { context["locale"] = .string(generator.one(of: ["de", "en-US"])) }
        if generator.chance(15) { context["user_id"] = "u" }
        self.context = context
    }

    func get(from worker: WorkerUnderTest, ifNoneMatch tag: String? = nil) throws -> RecordedResponse {
        let items = surfaces.map { "&surface=\($0)" } + context.map { "&\($0.key)=\($0.value.string ?? $0.value.text)" }
        return try worker.send(
            .get, "/v1/apps/\(WorkerUnderTest.app)/messages?client_id=\(client)\(items.joined())",
            headers: tag.map { [("If-None-Match", $0)] } ?? [])
    }

    func post(to worker: WorkerUnderTest, events: [JSONValue]? = nil) throws -> RecordedResponse {
        var body: JSONObject = ["client_id": .string(client), "context": .object(context)]
        if !surfaces.isEmpty { body["surfaces"] = .array(surfaces.map(JSONValue.string)) }
        if let events { body["events"] = .array(events) }
        return try worker.send(.post, "/v1/apps/\(WorkerUnderTest.app)/messages", body: .object(body))
    }
}

extension RecordedResponse {
    var tag: String {
        let line = headers.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }
        return String(line?.dropFirst(6) ?? "none")
    }
}
