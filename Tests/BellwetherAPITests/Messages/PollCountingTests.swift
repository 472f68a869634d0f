import BellwetherJSON
import BellwetherService
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Polls are counted, timed and limited alike, whether they are decided or answered from the cache.
@Suite struct PollCountingTests {
    private static let target = "/v1/apps/app/messages?client_id=c&surface=card"
    private static let recipe: JSONValue = [
        "messages": ["m": ["surface": "card", "text": "M", "trigger-if-all": ["ALWAYS"]]]
    ]

    private func reading(_ worker: WorkerUnderTest) -> MeterReading { worker.worker.services.metrics.reading }

    @Test func `Each poll is one outcome and one duration`() throws {
        let worker = try WorkerUnderTest(recipes: ["r": Self.recipe])
        var tag = ""
        for _ in 0..<10 {
            let answer = try worker.send(.get, Self.target)
            tag = answer.headers.firstMatch(of: #/ETag: (.*)\r\n/#).map { String($0.output.1) } ?? ""
        }
        for _ in 0..<5 {
            #expect(try worker.send(.get, Self.target, headers: [("If-None-Match", tag)]).status == 304)
        }
        let reading = reading(worker)
        #expect(reading.polls[WorkerMeter.Poll.message.rawValue] == 10)
        #expect(reading.polls[WorkerMeter.Poll.unchanged.rawValue] == 5)
        #expect(reading.polls.reduce(0, +) == 15)
        let poll = try #require(Routes.all.first { $0.method == .get && $0.pattern == MessageRoutes.pattern })
        #expect(reading.routes[poll.position].durations.reduce(0, +) == 15)
        #expect(reading.routes[poll.position].answers.reduce(0, +) == 15)
    }

    @Test func `A poll is answered from memory, and limited all the same`() throws {
        var settings = APISettings.open
        settings.rates.client = .init(perSecond: 1, burst: 20)
        let worker = try WorkerUnderTest(recipes: ["r": Self.recipe], settings: settings)
        let statuses = try (0..<30).map { _ in try worker.send(.get, Self.target).status }
        #expect(statuses == Array(repeating: 200, count: 20) + Array(repeating: 429, count: 10))
        let answers = worker.worker.responses
        let kept = try #require(answers.key(for: try Request(.get, Self.target)).flatMap(answers.find))
        #expect(kept.holds(at: worker.now), "these were answered from memory")
        #expect(reading(worker).limited == [0, 10, 0, 0, 0, 0, 0, 0])
        #expect(reading(worker).refusals.map(\.value) == [10])
        #expect(reading(worker).polls.reduce(0, +) == 20)
        worker.pass(seconds: 2)
        #expect(try (0..<3).map { _ in try worker.send(.get, Self.target).status } == [200, 200, 429])
    }

    @Test func `Without an app's message nothing is one thing, no live message another`() throws {
        let empty = try WorkerUnderTest()
        for _ in 0..<3 { _ = try empty.send(.get, Self.target) }
        #expect(reading(empty).polls[WorkerMeter.Poll.noLiveMessage.rawValue] == 3)
        let other = try WorkerUnderTest(recipes: ["r": Self.recipe])
        for _ in 0..<3 { _ = try other.send(.get, Self.target.replacing("card", with: "microsurvey")) }
        #expect(reading(other).polls[WorkerMeter.Poll.nothing.rawValue] == 3)
    }
}
