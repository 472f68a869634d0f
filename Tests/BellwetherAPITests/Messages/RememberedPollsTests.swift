import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI
@testable import BellwetherCore
@testable import BellwetherService

/// What is remembered of polls, by itself: found by the request's bytes, for as long as it holds.
@Suite struct RememberedPollsTests {
    private let worker: WorkerUnderTest
    private let memory: RememberedPolls

    init() throws {
        worker = try WorkerUnderTest(recipes: ["r": ["messages": ["m": ["surface": "card", "text": "x"]]]])
        memory = RememberedPolls(bound: 1024)
    }

    private func request(
        _ client: Int, _ more: String = "", _ headers: [(name: String, value: String)] = []
    ) throws -> Request {
        try Request(.get, "/v1/apps/app/messages?client_id=c\(client)\(more)", headers: headers)
    }

    private func polling(_ request: Request) throws -> PollAnswering {
        let endpoint = try #require(MessageRoutes.all.first)
        let call = Call(request: request, endpoint: endpoint, parameters: PathParameters(), worker: worker.worker)
        let app = try #require(worker.worker.snapshot.apps["app"])
        let found = try worker.worker.contexts.context(for: PollQuestion(request), app: app, call: call)
        return PollAnswering(
            call: call, app: app, clientID: "c", context: found.context, found: found, events: nil)
    }

    private func isKnown(_ request: Request, after seconds: Int64 = 0) -> Bool {
        memory.poll(request) { worker.now.adding(seconds: seconds) } != nil
    }

    private func remember(_ request: Request, seconds: Int64 = 60) throws {
        #expect(memory.poll(request) { worker.now } == nil)
        let polling = try polling(request)
        memory.remember(
            polling, mark: ClientMark(shard: 0, isAbsent: true, position: 0, stamp: 0),
            until: worker.now.adding(seconds: seconds), answer: PollAnswer([], nextPollSeconds: 300))
    }

    @Test func `Only the same question is answered again`() throws {
        try remember(request(7, "&age=4", [("Accept-Language", "de")]))
        #expect(try isKnown(request(7, "&age=4", [("Accept-Language", "de"), ("X-Request-Id", "another")])))
        #expect(try !isKnown(request(8, "&age=4", [("Accept-Language", "de")])))
        #expect(try !isKnown(request(7, "&age=5", [("Accept-Language", "de")])))
        #expect(try !isKnown(request(7, "&age=4", [("Accept-Language", "en")])))
        #expect(try !isKnown(request(7, "&age=4")))
        #expect(try !isKnown(request(7, "&age=4", [("Accept-Language", "de"), ("Authorization", "Bearer x")])))
    }

    @Test func `An answer holds from when it was made until its end, and no longer than an hour`() throws {
        try remember(request(7))
        #expect(try isKnown(request(7), after: 59))
        #expect(try !isKnown(request(7), after: 60))
        #expect(try !isKnown(request(7), after: -1))
        try remember(request(8), seconds: 86_400)
        #expect(try isKnown(request(8), after: 3599))
        #expect(try !isKnown(request(8), after: 3600))
        try remember(request(9), seconds: 0)
        #expect(try !isKnown(request(9)))
    }

    @Test func `Messages that answers do not share are bounded by their bytes`() throws {
        let app = try #require(worker.worker.snapshot.apps["app"])
        let message = try #require(app.catalog.messages.first)
        func rendered() -> RenderedMessage {
            let localizer = app.strings.localizer(for: nil)
            let shown = Presentation(message, manifest: app.manifest, localizer: localizer, requestedLocale: nil)
            return RenderedMessage(message, presentation: shown, action: nil)
        }
        func known(of clients: Int, sharing: RenderedMessage?) throws -> Int {
            let memory = RememberedPolls(bound: 1024, bytes: 10 * rendered().size)
            for client in 0..<clients {
                let asked = try request(client)
                #expect(memory.poll(asked) { worker.now } == nil)
                memory.remember(
                    try polling(asked), mark: ClientMark(shard: 0, isAbsent: true, position: 0, stamp: 0),
                    until: worker.now.adding(seconds: 60),
                    answer: PollAnswer([(sharing ?? rendered(), 0)], nextPollSeconds: 300))
            }
            return try (0..<clients).count { client in memory.poll(try request(client)) { worker.now } != nil }
        }
        #expect(try known(of: 100, sharing: rendered()) == 100)
        #expect(try known(of: 11, sharing: nil) == 11)
        #expect(try known(of: 12, sharing: nil) == 0, "it starts anew")
        #expect((1...11).contains(try known(of: 100, sharing: nil)))
    }

    @Test func `It grows with its clients up to its bound`() throws {
        for client in 0..<100 { try remember(request(client)) }
        #expect(try (0..<100).allSatisfy { isKnown(try request($0)) })
        for client in 100..<5000 { try remember(request(client)) }
        let known = try (0..<5000).count { isKnown(try request($0)) }
        #expect(known > 900 && known <= 1024)
        memory.removeAll()
        #expect(try !isKnown(request(4999)))
    }

    /// Hundreds that come again, and thousands that come once: the former are found.
    @Test func `A flood of questions drives out none that came again`() throws {
        for client in 0..<500 { try remember(request(client)) }
        let regulars = try (0..<500).filter { isKnown(try request($0)) }
        #expect(regulars.count == 500)
        for client in 500..<20_000 { try remember(request(client)) }
        #expect(try regulars.allSatisfy { isKnown(try request($0)) })
    }

    @Test(
        arguments: [
            (.post, "/v1/apps/app/messages?client_id=c"), (.get, "/v1/apps/app/messages"),
            (.get, "/v1/apps/app/bundle?client_id=c"), (.head, "/v1/apps/app/messages?client_id=c"),
        ] as [(HTTPMethod, String)])
    func `What is no poll by GET is not looked for`(_ method: HTTPMethod, _ target: String) throws {
        #expect(PollQuestionDigest(try Request(method, target)) == nil)
    }
}
