import BellwetherBase
import BellwetherCore
import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI
@testable import BellwetherService

/// Cached responses: they are found by the request's bytes, as long as they are valid.
@Suite struct ResponseCacheTests {
    private let worker: WorkerUnderTest
    private let cache: ResponseCache

    init() throws { try self.init(bytes: 1 << 20) }

    private init(bytes: Int) throws {
        cache = ResponseCache(capacity: 64, bytes: bytes)
        worker = try WorkerUnderTest(recipes: ["r": ["messages": ["m": ["surface": "card", "text": "x"]]]])
    }

    private func request(
        _ client: Int, _ more: String = "", _ headers: [(name: String, value: String)] = []
    ) throws -> Request {
        try Request(.get, "/v1/apps/app/messages?client_id=c\(client)\(more)", headers: headers)
    }

    private func polling(_ request: Request) throws -> PollHandler {
        let endpoint = try #require(MessageRoutes.all.first)
        let call = Call(request: request, endpoint: endpoint, parameters: PathParameters(), worker: worker.worker)
        let app = try #require(worker.worker.snapshot.apps["app"])
        let context = try worker.worker.contexts.context(
            for: PollRequest(request, worker.worker.contexts.names(of: app)), app: app, call: call)
        return PollHandler(
            call: call, app: app, clientID: "c", sessionID: nil, context: context, ignoredAttributes: 0, events: nil)
    }

    /// The rows of a client that polls for the first time.
    private func rows() throws -> ReadRows {
        let persistence = worker.worker.services.persistence
        let client = ClientReference(app: "app", id: "c")
        persistence.load(client) { _ in }
        return try #require(persistence.held(client)).rows
    }

    private func keep(_ request: Request, seconds: Int64 = 60, message: RenderedMessage? = nil) throws {
        let items: [PollResponse.Item] = message.map { [($0, 0)] } ?? []
        cache.keep(
            CachedResponse(
                .poll(PollResponse(items, nextPollSeconds: 300)), to: try polling(request),
                from: try rows(), validUntil: worker.now.adding(seconds: seconds)),
            as: cache.key(for: request))
    }

    private func holds(_ request: Request, after seconds: Int64 = 0) -> Bool {
        cache.key(for: request).flatMap(cache.find)?.holds(at: worker.now.adding(seconds: seconds)) ?? false
    }

    @Test func `Only the same question is answered again`() throws {
        try keep(request(7, "&age=4", [("Accept-Language", "de")]))
        #expect(try holds(request(7, "&age=4", [("Accept-Language", "de"), ("X-Request-Id", "another")])))
        #expect(try !holds(request(8, "&age=4", [("Accept-Language", "de")])))
        #expect(
            try holds(request(7, "&age=4", [("traceparent", "x"), ("Accept-Language", "de"), ("tracestate", "y")])))
        #expect(try !holds(request(7, "&age=5", [("Accept-Language", "de")])))
        #expect(try !holds(request(7, "&age=4", [("Accept-Language", "en")])))
        #expect(try !holds(request(7, "&age=4")))
        #expect(try !holds(request(7, "&age=4", [("Accept-Language", "de"), ("Authorization", "Bearer x")])))
    }

    @Test func `A list in several lines is the same as in one line, whatever stands beside it`() throws {
        let one = [(name: "Accept-Language", value: "de, en")]
        let several = [
            (name: "accept-language", value: "de"), (name: "traceparent", value: "x"),
            (name: "Accept-Language", value: "en"),
        ]
        try keep(request(7, "", one))
        #expect(try holds(request(7, "", several)))
        #expect(try holds(request(7, "", several.map { ($0.name, $0.value == "x" ? "y" : $0.value) })))
        #expect(try !holds(request(7, "", several.reversed())))
        #expect(try !holds(request(7, "", several + [(name: "Accept-Language", value: "fr")])))
    }

    @Test func `An answer holds from when it was made until its end, and no longer than an hour`() throws {
        try keep(request(7))
        #expect(try holds(request(7), after: 59))
        #expect(try !holds(request(7), after: 60))
        #expect(try !holds(request(7), after: -1))
        try keep(request(8), seconds: 86_400)
        #expect(try holds(request(8), after: 3599))
        #expect(try !holds(request(8), after: 3600))
        try keep(request(9), seconds: 0)
        #expect(try !holds(request(9)))
    }

    @Test func `What was asked before the cache was emptied is not kept`() throws {
        let key = cache.key(for: try request(7))
        cache.removeAll()
        let kept = CachedResponse(
            .poll(PollResponse([], nextPollSeconds: 300)), to: try polling(request(7)), from: try rows(),
            validUntil: worker.now.adding(seconds: 60))
        cache.keep(kept, as: key)
        #expect(try !holds(request(7)))
        cache.keep(kept, as: cache.key(for: try request(7)))
        #expect(try holds(request(7)))
    }

    @Test func `It is bounded by the number of answers and starts again when it is full`() throws {
        for client in 0..<64 { try keep(request(client)) }
        #expect(try (0..<64).allSatisfy { holds(try request($0)) })
        try keep(request(64))
        #expect(try (0...64).filter { holds(try request($0)) } == [64])
        cache.removeAll()
        #expect(try !holds(request(64)))
    }

    @Test func `Answers, and messages that they do not share, are bounded by their bytes`() throws {
        let app = try #require(worker.worker.snapshot.apps["app"])
        let message = try #require(app.catalog.messages.first)
        func rendered() -> RenderedMessage {
            let localizer = app.strings.localizer(for: nil)
            let shown = Presentation(message, manifest: app.manifest, localizer: localizer, requestedLocale: nil)
            return RenderedMessage(message, presentation: shown, action: nil)
        }
        let size = MemoryLayout<CachedResponse>.stride + "app".utf8.count + "c".utf8.count + CachedResponse.partBytes
        func kept(of clients: Int, sharing: RenderedMessage?) throws -> Int {
            let messages = sharing == nil ? 10 : 1
            let own = try ResponseCacheTests(bytes: 10 * size + messages * rendered().size)
            for client in 0..<clients { try own.keep(request(client), message: sharing ?? rendered()) }
            return try (0..<clients).count { own.holds(try request($0)) }
        }
        #expect(try kept(of: 10, sharing: rendered()) == 10)
        #expect(try kept(of: 11, sharing: rendered()) == 1)
        #expect(try kept(of: 10, sharing: nil) == 10)
        #expect(try kept(of: 11, sharing: nil) == 1)
    }

    @Test(
        arguments: [
            (.post, "/v1/apps/app/messages?client_id=c"), (.get, "/v1/apps/app/messages"),
            (.get, "/v1/apps/app/bundle?client_id=c"), (.head, "/v1/apps/app/messages?client_id=c"),
        ] as [(HTTPMethod, String)])
    func `What is no poll by GET is not looked for`(_ method: HTTPMethod, _ target: String) throws {
        #expect(RequestDigest(try Request(method, target)) == nil)
    }
}
