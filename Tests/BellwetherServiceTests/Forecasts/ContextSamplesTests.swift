import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// The sample of contexts that forecasts use.
struct ContextSamplesTests {
    private static let now = Timestamp(seconds: 1_790_000_000)

    private static func context(_ number: Int, _ more: [String: JSONValue] = [:]) -> TargetingContext {
        TargetingContext(
            requestedLocale: nil, defaultLocale: "en",
            attributes: more.merging(["n": .integer(Int64(number))]) { first, _ in first })
    }

    private static func samples(_ capacity: Int = 10, seed: UInt64 = 1) -> ContextSamples {
        let generator = Generator(seed: seed)
        return ContextSamples(capacity: capacity) { generator.number(below: $0) }
    }

    private static func numbers(_ samples: ContextSamples, at time: Timestamp = now) -> [Int64] {
        samples.sample(of: "a", at: time).contexts.compactMap { $0.attributes["n"]?.integer }
    }

    @Test func allAreTakenWhileThereIsRoom() {
        let samples = Self.samples()
        for number in 0..<9 {
            #expect(samples.offer(Self.context(number), of: "a", at: Self.now) == 1)
        }
        #expect(Self.numbers(samples) == Array(0..<9))
        #expect(samples.sample(of: "a", at: Self.now).since == Self.now)
        #expect(samples.sample(of: "b", at: Self.now).contexts.isEmpty)
        #expect(samples.sample(of: "b", at: Self.now).since == nil)
    }

    @Test func itStaysBoundedAndThenOneIn64IsTaken() {
        let samples = Self.samples()
        var distances: [Int] = []
        for number in 0..<2000 { distances.append(samples.offer(Self.context(number), of: "a", at: Self.now)) }
        #expect(Self.numbers(samples).count == 10)
        let full = distances.dropFirst(10)
        #expect(full.allSatisfy { (1...127).contains($0) })
        #expect(abs(Double(full.reduce(0, +)) / Double(full.count) - 64) < 3)
        #expect(Set(full).count > 100)
    }

    /// Each element is replaced with equal probability, so that polls of the same age are equally likely to be in the
    /// sample.
    @Test func anyPlaceMayBeReplaced() {
        var counts = [Int](repeating: 0, count: 20)
        for seed in 0..<2000 {
            let samples = Self.samples(10, seed: UInt64(seed))
            for number in 0..<20 { _ = samples.offer(Self.context(number), of: "a", at: Self.now) }
            for number in Self.numbers(samples) { counts[Int(number)] += 1 }
        }
        // Each of the first ten had ten replacements after it: 0.9^10 of them remain.
        for count in counts.prefix(10) { #expect(abs(Double(count) / 2000 - 0.3487) < 0.05) }
        #expect(counts[19] == 2000)
    }

    @Test func nothingIsOlderThanAWeek() {
        let samples = Self.samples()
        _ = samples.offer(Self.context(1), of: "a", at: Self.now)
        let later = Self.now.adding(seconds: ContextSamples.seconds)
        _ = samples.offer(Self.context(2), of: "a", at: later)
        #expect(Self.numbers(samples, at: later) == [1, 2])
        #expect(Self.numbers(samples, at: later.adding(seconds: 1)) == [2])
    }

    /// Otherwise a full sample of a rarely used app would be replaced only once in months.
    @Test func oldOnesMakeRoomWithoutBeingAskedFor() {
        let samples = Self.samples()
        for number in 0..<10 { _ = samples.offer(Self.context(number), of: "a", at: Self.now) }
        let later = Self.now.adding(seconds: ContextSamples.seconds + 1)
        #expect(samples.offer(Self.context(10), of: "a", at: later) == 1)
        #expect(Self.numbers(samples, at: later) == [10])
    }

    @Test func nobodysIdIsInIt() {
        let samples = Self.samples()
        _ = samples.offer(Self.context(1, ["nimbus_id": "x", "user_id": "y", "plan": "z"]), of: "a", at: Self.now)
        let held = samples.sample(of: "a", at: Self.now).contexts.first?.attributes.keys.sorted()
        #expect(held == ["n", "plan"])
    }

    @Test(arguments: [
        JSONValue.string(String(repeating: "x", count: 5000)), .array(Array(repeating: 1, count: 5000)),
        .object(JSONObject((0..<500).map { (key: "key\($0)", value: .null) })),
    ])
    func largeOnesAreLeftOut(_ value: JSONValue) {
        let samples = Self.samples()
        #expect(samples.offer(Self.context(1, ["device": value]), of: "a", at: Self.now) == 1)
        #expect(Self.numbers(samples).isEmpty)
    }

    @Test func appsThatAreGoneAreForgotten() {
        let samples = Self.samples()
        for app in ["a", "b"] { _ = samples.offer(Self.context(1), of: Identifier(app), at: Self.now) }
        samples.keep(only: ["b"])
        #expect(samples.sample(of: "a", at: Self.now).contexts.isEmpty)
        #expect(samples.sample(of: "b", at: Self.now).contexts.count == 1)
    }
}

private final class Generator: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    func number(below bound: Int) -> Int { generator.withLock { Int.random(in: 0..<bound, using: &$0) } }
}
