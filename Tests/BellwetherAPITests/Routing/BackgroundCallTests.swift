import BellwetherJSON
import BellwetherService
import HTTPWire
import Synchronization
import Testing

@testable import BellwetherAPI

/// What owners and readers write is read outside the event loops (ARCHITECTURE.md#a-check).
@Suite struct BackgroundCallTests {
    private static let poll = "/v1/apps/app/messages?client_id=a&surface=card"

    /// The routes of the API that read large bodies, and those that run in the background.
    private static let heavy = Routes.all.filter { $0.body == .owner || !$0.isReadOnLoop }

    @Test func `No route reads an owner's document on an event loop`() {
        #expect(Routes.all.filter { $0.body == .owner && $0.isReadOnLoop }.isEmpty)
        let patterns = Set(Self.heavy.map(\.pattern))
        for word in ["validate", "forecast", "simulate", "render"] {
            #expect(patterns.contains("/v1/apps/{app}/recipes/\(word)"))
        }
        #expect(patterns.isSuperset(of: ["/v1/apps/{app}/explain", "/mcp", "/preview/{ticket}"]))
    }

    @Test(arguments: heavy.indices) func `A poll is answered while a document waits to be read`(_ index: Int) throws {
        let endpoint = Self.heavy[index]
        let (checks, publishes) = (HeldQueue(), HeldQueue())
        let world = try WorkerUnderTest(
            recipes: ["r": ["messages": [:]]], queues: (checks.make(), publishes.make(requests: .max)))
        let path = endpoint.pattern.replacing("{app}", with: "app").replacing("{slug}", with: "r")
            .replacing("{revision}", with: "1").replacing("{locale}", with: "de").replacing("{ticket}", with: "t")
        // The broken document would be refused by whoever reads it.
        let request = try Request(
            endpoint.method, path, headers: [("Content-Type", "application/json")],
            body: endpoint.method == .get ? [] : Array("{\"a\":".utf8))
        let answer = world.begin(request)
        #expect(answer.response == nil)
        #expect(try world.send(.get, Self.poll).status == 200)
        // A step may be followed by further ones.
        for _ in 0..<20 where answer.response == nil {
            checks.run()
            publishes.run()
            world.settle()
        }
        #expect((200...499).contains(answer.status))
    }

    @Test func `As many as may wait are let in, and the rest hear when to come again`() throws {
        let checks = HeldQueue()
        let world = try WorkerUnderTest(queues: (checks.make(requests: 8), BackgroundQueue()))
        func check() throws -> RecordedResponse {
            try world.begin(.post, "/v1/apps/app/recipes/validate", body: ["messages": [:]])
        }
        // One asker has a quarter of the places.
        let waiting = [try check(), try check()]
        #expect(waiting.allSatisfy { $0.response == nil })
        let refused = try check()
        world.settle()
        #expect(refused.status == 503 && refused.headers.contains("Retry-After: 1"))
        checks.run()
        world.settle()
        #expect(waiting.allSatisfy { $0.status == 200 })
        #expect(try check().response == nil)
    }

    /// A call whose only step is counted.
    private func begin(_ world: WorkerUnderTest, _ begun: Counter) throws -> RecordedResponse {
        let answer = RecordedResponse()
        let endpoint = try #require(Self.heavy.first { $0.pattern.hasSuffix("/validate") })
        let call = Call(
            request: try Request(.post, "/v1/apps/app/recipes/validate"), endpoint: endpoint,
            parameters: PathParameters(), worker: world.worker)
        world.worker.finish(call, Exchange(answer)) {
            call.inBackground {
                begun.add()
                return .respond(Response(204))
            }
        }
        return answer
    }

    private final class Counter: Sendable {
        private let number = Mutex(0)
        func add() { number.withLock { $0 += 1 } }
        var count: Int { number.withLock(\.self) }
    }

    @Test func `A check whose wait is over is not begun`() throws {
        let (checks, begun) = (HeldQueue(), Counter())
        let world = try WorkerUnderTest(queues: (checks.make(), BackgroundQueue()))
        let given = try begin(world, begun)
        world.settle(endsWaits: true)
        #expect(given.status == 503 && begun.count == 0)
        let wanted = try begin(world, begun)
        checks.run()
        world.settle()
        #expect(wanted.status == 204 && begun.count == 1)
    }

    @Test func `The refusal says why the wait is over`() {
        #expect(Problem(ParkEnd.deadline.endOfStep).status == 422)
        #expect(Problem(ParkEnd.deadline.endOfStep).findings.map(\.code) == ["check_time"])
        #expect(Problem(ParkEnd.drain.endOfStep).status == 503)
        #expect(Problem(ParkEnd.clientFinished.endOfStep).status == 408)
    }

    @Test func `A check that nobody waits for any more finds nothing more`() {
        let findings = Findings()
        let document: JSONValue = ["messages": ["m": ["text": 7]]]
        let isOver: @Sendable () -> Bool = { true }
        CheckLimit.with(isOver) {
            #expect(JSONReader(document, findings: findings).members() == nil)
        }
        #expect(JSONReader(document, findings: findings).members()?.count == 1)
    }
}
