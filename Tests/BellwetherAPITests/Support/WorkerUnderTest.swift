import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import Logging
import StoreSupport
import Synchronization
import TestSupport

@testable import BellwetherAPI

/// One worker without a socket. Requests and responses are handled on this thread, and the test sets the clock.
final class WorkerUnderTest {
    static let app = "app"

    let store: TestStore
    let tokens: TokenRegister
    let worker: APIWorker
    private let clock: ClockUnderTest
    private let parking = InProcessParking()
    private let published = PublishedSnapshot()
    private var issued = TokenTable([])

    init(
        manifest: JSONValue = WorkerUnderTest.manifest, recipes: [String: JSONValue] = [:],
        at time: String = "2026-03-10T12:00:00Z", settings: APISettings = .open, isLoaded: Bool = true,
        caches: CacheLimits = CacheLimits(), heldClients: Int = 100, scannedRecords: Int = 100_000,
        hooks: HookCaller? = nil, queues: (checks: BackgroundQueue, publishes: BackgroundQueue)? = nil
    ) throws {
        let clock = ClockUnderTest(time)
        self.clock = clock
        let store = TestStore()
        self.store = store
        let now = Clock { clock.now }
        let persistence = Self.persistence(
            store, heldClients: heldClients, scannedRecords: scannedRecords, clock: now)
        let publisher = Publisher(
            store: store, clock: now, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            queue: queues?.publishes ?? BackgroundQueue())
        var files = FileCatalog()
        files.apps[Identifier(Self.app)] = .init()
        files.apps[Identifier(Self.app)]?.manifest = .init(path: "manifest.json", text: manifest.encoded)
        for (slug, recipe) in recipes {
            files.apps[Identifier(Self.app)]?.recipes[Identifier(slug)] = .init(
                path: "\(slug).json", text: recipe.encoded)
        }
        tokens = TokenRegister(
            store: store, clock: now, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let snapshot = isLoaded ? try publisher.start(files) : .empty
        published.follow(publisher)
        let tail = TelemetryTail()
        persistence.feed.connect(tail, publisher, tokens, persistence.store)
        var services = APIServices(
            persistence: persistence, publisher: publisher, tokens: tokens, clock: now, metrics: Metrics(),
            telemetry: tail,
            secret: [1, 2, 3], version: "0", loopMetrics: { [] })
        services.hooks = hooks
        services.uptime = { UInt64(clock.now.milliseconds) * 1_000_000 }
        persistence.feed.streams.connect { [published] in published.note($0) }
        if let queues { services.checks = queues.checks }
        worker = APIWorker(
            services: services, parking: parking, initial: Publication(snapshot: snapshot, settings: settings),
            caches: caches)
    }

    /// A worker of a new daemon over a shared store. It serves everything that the store has.
    init(
        over store: TestStore, at time: String = "2026-03-10T12:00:00Z", settings: APISettings = .open,
        sessions: SessionRules = .standard
    ) throws {
        let clock = ClockUnderTest(time)
        self.clock = clock
        self.store = store
        let now = Clock { clock.now }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let persistence = Self.persistence(store, heldClients: 100)
        let publisher = Publisher(store: store, clock: now, logger: logger)
        tokens = TokenRegister(store: store, clock: now, logger: logger, sessions: sessions)
        let snapshot = try publisher.start(FileCatalog())
        issued = TokenTable(issued: try tokens.start())
        published.follow(publisher)
        published.follow(tokens)
        let tail = TelemetryTail()
        persistence.feed.connect(tail, publisher, tokens, persistence.store)
        let services = APIServices(
            persistence: persistence, publisher: publisher, tokens: tokens, clock: now, metrics: Metrics(),
            telemetry: tail, secret: [1, 2, 3], version: "0", loopMetrics: { [] })
        worker = APIWorker(
            services: services, parking: parking,
            initial: Publication(snapshot: snapshot, settings: settings, issued: issued))
    }

    /// Reads the changes of other nodes from the store, and serves them.
    func hear() async {
        worker.services.persistence.feed.look()
        await withCheckedContinuation { done in worker.services.publisher.follow { done.resume() } }
        await withCheckedContinuation { done in tokens.list { _ in done.resume() } }
        serveWhatIsPublished()
        settle()
    }

    /// Serves the changes of tokens, sessions and accounts that this node has made.
    func serveWhatIsPublished() {
        if let tokens = published.takeTokens() { issued = TokenTable(issued: tokens) }
        serveNotices()
        worker.receive(IssuedTokens(issued))
    }

    /// Another worker with empty caches and the same clock. It belongs to the same daemon if it has the same store.
    init(beside other: WorkerUnderTest, store: TestStore, serving snapshot: Snapshot) {
        self.store = store
        tokens = other.tokens
        clock = other.clock
        let theirs = other.worker.services
        let services = APIServices(
            persistence: store === other.store ? theirs.persistence : Self.persistence(store, heldClients: 100),
            publisher: theirs.publisher, tokens: theirs.tokens, clock: theirs.clock, metrics: Metrics(),
            telemetry: theirs.telemetry, secret: theirs.secret, version: theirs.version, loopMetrics: { [] })
        worker = APIWorker(
            services: services, parking: parking,
            initial: Publication(snapshot: snapshot, settings: other.worker.settings))
    }

    /// A persistence that does all work on this thread.
    private static func persistence(
        _ store: TestStore, heldClients: Int, scannedRecords: Int = 100_000, clock: Clock? = nil
    ) -> Persistence {
        var settings = PersistenceSettings()
        settings.scannedRecords = scannedRecords
        (settings.clients, settings.absentClients) = (heldClients, heldClients)
        return Persistence(store, settings: settings, threads: .inPlace, clock: clock)
    }

    var now: Timestamp { clock.now }
    /// The served snapshot.
    var snapshot: Snapshot { worker.snapshot }

    /// Serves another snapshot.
    func serve(_ snapshot: Snapshot) {
        worker.receive(Publication(snapshot: snapshot, settings: worker.settings))
    }

    /// Wakes the requests that wait for records.
    func notifyOfRecords() {
        worker.services.telemetry.notify([Identifier(Self.app)])
        settle()
    }

    /// Moves the clock forward.
    func pass(seconds: Int64) { clock.pass(seconds * 1000) }

    /// Moves the clock, also back.
    func pass(milliseconds: Int64) { clock.pass(milliseconds) }

    /// Sends a request and returns its response.
    func send(
        _ method: HTTPMethod, _ target: String, headers: [(name: String, value: String)] = [], body: JSONValue? = nil
    ) throws -> RecordedResponse {
        send(try Self.request(method, target, headers, body))
    }

    func send(_ request: Request) -> RecordedResponse {
        let answer = begin(request)
        while answer.response == nil { parking.deliverNext() }
        serveNotices()
        return answer
    }

    /// Serves the newest snapshot, and passes on the notices of streams.
    private func serveNotices() {
        if let snapshot = published.take() { serve(snapshot) }
        for notice in published.takeNotices() { worker.receive(notice) }
    }

    /// The streams that were opened, oldest first.
    var streams: [RecordedStream] { parking.streams }

    /// Sends a request that may wait. Its response is complete once `settle` has run.
    func begin(
        _ method: HTTPMethod, _ target: String, headers: [(name: String, value: String)] = [], body: JSONValue? = nil
    ) throws -> RecordedResponse {
        begin(try Self.request(method, target, headers, body))
    }

    /// A body without a content type gets the type JSON.
    private static func request(
        _ method: HTTPMethod, _ target: String, _ headers: [(name: String, value: String)], _ body: JSONValue?
    ) throws -> Request {
        let isTyped = body == nil || headers.contains { $0.name == "Content-Type" }
        let type = isTyped ? [] : [(name: "Content-Type", value: "application/json")]
        return try Request(method, target, headers: headers + type, body: body?.encoded ?? [])
    }

    func begin(_ request: Request) -> RecordedResponse {
        let answer = RecordedResponse()
        worker.respond(to: request, Exchange(answer))
        return answer
    }

    /// Resumes the requests whose wait is over, because something arrived or the time is up.
    func settle(endsWaits: Bool = false) { parking.settle(endsWaits: endsWaits) }

    static let manifest: JSONValue = [
        "app_name": "a", "default_locale": "en-US", "surfaces": ["card", "microsurvey"],
        "attributes": ["age": "number"],
    ]
}

extension APISettings {
    /// Settings that need no token.
    static var open: APISettings {
        var settings = APISettings()
        settings.isOpen = true
        return settings
    }
}

/// The newest published snapshot and tokens that the worker does not serve yet.
private final class PublishedSnapshot: Sendable {
    private let newest = Mutex<Snapshot?>(nil)
    private let newestTokens = Mutex<[StoredToken]?>(nil)
    private let notices = Mutex<[StreamHub.Notice]>([])

    func note(_ notice: StreamHub.Notice) { self.notices.withLock { $0.append(notice) } }

    func takeNotices() -> [StreamHub.Notice] {
        notices.withLock { notices in
            defer { notices = [] }
            return notices
        }
    }

    func follow(_ tokens: TokenRegister) {
        tokens.connect { [self] tokens, done in
            newestTokens.withLock { $0 = tokens }
            done()
        }
    }

    func takeTokens() -> [StoredToken]? {
        newestTokens.withLock { newest in
            defer { newest = nil }
            return newest
        }
    }

    func follow(_ publisher: Publisher) {
        publisher.connect { [self] snapshot, done in
            newest.withLock { $0 = snapshot }
            done()
        }
    }

    func take() -> Snapshot? {
        newest.withLock { newest in
            defer { newest = nil }
            return newest
        }
    }
}

/// The response to a request.
final class RecordedResponse: ResponseSlot {
    private(set) var response: Response?

    override func reply(_ response: Response) { self.response = response }

    override func abandon() { response = Response(599) }

    var status: Int { response?.status ?? 0 }
    var body: [UInt8] { response?.body.joined ?? [] }
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    var headers: String { String(decoding: response?.headers ?? [], as: UTF8.self) }
}

private final class ClockUnderTest: Sendable {
    private let time: Mutex<Timestamp>

    init(_ text: String) { time = Mutex(Timestamp(rfc3339: text) ?? Timestamp(seconds: 0)) }

    var now: Timestamp { time.withLock { $0 } }

    func pass(_ milliseconds: Int64) { time.withLock { $0 = $0.adding(milliseconds: milliseconds) } }
}
