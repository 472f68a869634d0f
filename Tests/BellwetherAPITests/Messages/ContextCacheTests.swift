import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The requests that share a context, and the limit on the number of contexts.
@Suite struct ContextCacheTests {
    private let worker: WorkerUnderTest

    init() throws {
        worker = try WorkerUnderTest(recipes: ["r": ["messages": ["m": ["surface": "card", "text": "x"]]]])
    }

    private func ask(
        _ cache: ContextCache, _ query: String, client: String = "c", _ headers: [(name: String, value: String)] = []
    ) throws -> PollContext {
        let request = try Request(.get, "/v1/apps/app/messages?client_id=\(client)\(query)", headers: headers)
        let endpoint = try #require(MessageRoutes.all.first)
        let call = Call(request: request, endpoint: endpoint, parameters: PathParameters(), worker: worker.worker)
        let app = try #require(worker.worker.snapshot.apps["app"])
        return try cache.context(for: PollRequest(request, cache.names(of: app)), app: app, call: call)
    }

    private func cache(capacity: Int = 64, bytes: Int = 1 << 20) -> ContextCache {
        ContextCache(capacity: capacity, contextBytes: bytes, messageBytes: 1 << 20)
    }

    @Test func `Clients that ask the same share a context`() throws {
        let cache = cache()
        let first = try ask(cache, "&age=4&locale=de&surface=card&x=1")
        #expect(first.ignoredAttributes == 0)
        #expect(try ask(cache, "&x=2&locale=de&surface=card&age=4", client: "another") === first)
        #expect(try ask(cache, "&age=4&locale=de&surface=card&x=1", client: "another") === first)
        #expect(cache.count == 1)
    }

    @Test func `Whatever targeting, language or surfaces can tell apart is another context`() throws {
        let cache = cache()
        let questions = [
            "", "&age=4", "&age=5", "&locale=de", "&locale=de-AT", "&surface=card", "&age=4&locale=de",
            "&locale=de&surface=card", "&debug_tag=%C3%A9", "&debug_tag=e%CC%81",
        ]
        for question in questions { _ = try ask(cache, question) }
        #expect(cache.count == questions.count)
        let asked = try ask(cache, "", [("Accept-Language", "en-US")])
        #expect(asked.targeting.requestedLocale != nil)
        #expect(cache.count == questions.count + 1, "the default is not the same as asking for it")
    }

    @Test func `Contexts are bounded by their number and by their bytes`() throws {
        let few = cache(capacity: 64)
        for age in 0..<1000 { _ = try ask(few, "&age=\(age)") }
        #expect((1...64).contains(few.count))
        let size = try ask(few, "&age=1").size
        let small = cache(bytes: 10 * size)
        for age in 100..<200 { _ = try ask(small, "&age=\(age)") }
        #expect((1...10).contains(small.count))
    }

    /// A published app is large, so no context may keep an older one in memory.
    @Test func `A publish leaves no context of the app before it`() throws {
        weak let old = worker.worker.snapshot.apps["app"]
        for age in 0..<10 { _ = try worker.send(.get, "/v1/apps/app/messages?client_id=c&age=\(age)") }
        #expect(worker.worker.contexts.count == 10 && old != nil)
        let recipes: [String: JSONValue] = ["r": ["messages": ["m": ["surface": "card", "text": "y"]]]]
        worker.serve(try WorkerUnderTest(recipes: recipes).worker.snapshot)
        #expect(worker.worker.contexts.count == 0)
    }
}
