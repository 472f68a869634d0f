import BellwetherBase
import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherService

/// The sample of clients that forecasts use.
struct ClientSamplesTests {
    private static let now = Timestamp(seconds: 1_790_000_000)
    private static let week = 7 * Timestamp.secondsPerDay

    private static func context(_ number: Int, _ more: [String: JSONValue] = [:]) -> TargetingContext {
        TargetingContext(
            requestedLocale: nil, defaultLocale: "en",
            attributes: more.merging(["n": .integer(Int64(number))]) { first, _ in first })
    }

    @discardableResult
    private static func offer(
        _ number: Int, hash: UInt64? = nil, _ samples: ClientSamples, _ more: [String: JSONValue] = [:],
        state: ClientState = ClientState(), of app: Identifier = "a", at time: Timestamp = now
    ) -> UInt64 {
        samples.offer(context(number, more), state, hash: hash ?? UInt64(number), of: app, at: time)
    }

    private static func numbers(_ samples: ClientSamples, at time: Timestamp = now) -> [Int64] {
        samples.sample(of: "a", at: time).clients.compactMap { $0.context.attributes["n"]?.integer }.sorted()
    }

    @Test func `Every client is in the sample while there is room, once`() {
        let samples = ClientSamples(capacity: 10)
        for number in 0..<9 { #expect(Self.offer(number, samples) == .max) }
        Self.offer(100, hash: 3, samples, at: Self.now.adding(seconds: 5))
        #expect(Self.numbers(samples) == [0, 1, 2, 4, 5, 6, 7, 8, 100])
        let sample = samples.sample(of: "a", at: Self.now)
        #expect(sample.since == Self.now)
        #expect(sample.weight == 1)
        #expect(samples.sample(of: "b", at: Self.now).clients.isEmpty)
        #expect(samples.sample(of: "b", at: Self.now).since == nil)
    }

    /// The bound is halved until the sample fits. So every client has the same probability, however often it polls.
    @Test func `A full sample keeps the clients below half the bound`() {
        let samples = ClientSamples(capacity: 10)
        let hashes = (0..<11).map { UInt64($0) << 60 }
        for (number, hash) in hashes.enumerated() { Self.offer(number, hash: hash, samples) }
        #expect(Self.numbers(samples) == Array(0..<8))
        #expect(samples.sample(of: "a", at: Self.now).weight == 2)
        #expect(Self.offer(20, hash: .max, samples) == .max >> 1)
        #expect(Self.numbers(samples) == Array(0..<8))
    }

    /// The number of clients is estimated from the sample.
    @Test func `The size of the sample tells how many clients poll`() {
        let samples = ClientSamples(capacity: 1000)
        var generator = SeededGenerator(seed: 7)
        let began = Self.now
        for number in 0..<20_000 {
            let hash = UInt64.random(in: .min ... .max, using: &generator)
            // Each client polls twice.
            for hour in [0, 30] {
                Self.offer(number, hash: hash, samples, at: began.adding(seconds: Int64(hour) * 3600))
            }
        }
        let end = began.adding(seconds: Self.week)
        let sample = samples.sample(of: "a", at: end)
        let week = sample.count(days: 7, minimum: 1) ?? 0
        // One standard error is 4 %.
        #expect(abs(Double(week) - 20_000) < 3_500, "\(week)")
        #expect(sample.count(days: 7, minimum: 100_000) == nil)
        #expect(samples.sample(of: "a", at: began.adding(seconds: 6 * 86_400)).count(days: 7, minimum: 1) == nil)
    }

    @Test func `A client that has not polled for a week leaves`() {
        let samples = ClientSamples(capacity: 10)
        Self.offer(1, samples)
        let later = Self.now.adding(seconds: Self.week)
        Self.offer(2, samples, at: later)
        #expect(Self.numbers(samples, at: later) == [1, 2])
        #expect(Self.numbers(samples, at: later.adding(seconds: 3600)) == [2])
    }

    /// A flood of ids has lowered the bound. Clients that were left out enter again, and are counted from then on.
    @Test func `A sample that has become small begins anew with twice the bound`() throws {
        let samples = ClientSamples(capacity: 16)
        for number in 0..<64 { Self.offer(number, hash: UInt64(number) << 58, samples) }
        #expect(samples.sample(of: "a", at: Self.now).weight == 4)
        let later = Self.now.adding(seconds: Self.week + 1)
        #expect(Self.offer(3, hash: .max >> 1, samples, at: later) == .max >> 1)
        #expect(Self.numbers(samples, at: later) == [3])
        #expect(samples.sample(of: "a", at: later).days == 0)
        for number in 0..<4 { Self.offer(number, hash: UInt64(number), samples, at: later) }
        let end = later.adding(seconds: 3601)
        #expect(samples.sample(of: "a", at: end).weight == 2, "an eighth of the capacity is enough")
    }

    @Test func `An erased client leaves`() {
        let samples = ClientSamples(capacity: 10)
        let client = ClientReference(app: "a", id: "c")
        Self.offer(1, hash: ClientSamples.hash(of: client), samples)
        Self.offer(2, samples)
        samples.remove(client)
        #expect(Self.numbers(samples) == [2])
    }

    @Test func `The sample has counters, enrollments and displays, and no ids`() throws {
        let samples = ClientSamples(capacity: 10)
        var state = ClientState()
        state.behavior.record("purchase", count: 2, at: Self.now)
        state.ledger["m"].displayCount = 3
        state.userID = "ada"
        Self.offer(1, samples, ["nimbus_id": "x", "user_id": "y", "plan": "z"], state: state)
        let client = try #require(samples.sample(of: "a", at: Self.now).clients.first)
        #expect(client.context.attributes.keys.sorted() == ["n", "plan"])
        #expect(client.state.behavior == state.behavior)
        #expect(client.state.ledger == state.ledger)
        #expect(client.state.userID == nil)
    }

    @Test(arguments: [
        JSONValue.string(String(repeating: "x", count: 5000)), .array(Array(repeating: 1, count: 5000)),
        .object(JSONObject((0..<500).map { (key: "key\($0)", value: .null) })),
    ])
    func `A client with large attributes is left out`(_ value: JSONValue) {
        let samples = ClientSamples(capacity: 10)
        #expect(Self.offer(1, samples, ["device": value]) == .max)
        #expect(Self.numbers(samples).isEmpty)
    }

    @Test func `Samples of removed apps are removed`() {
        let samples = ClientSamples(capacity: 10)
        for app in ["a", "b"] { Self.offer(1, samples, of: Identifier(app)) }
        samples.keep(only: ["b"])
        #expect(samples.sample(of: "a", at: Self.now).clients.isEmpty)
        #expect(samples.sample(of: "b", at: Self.now).clients.count == 1)
    }
}
