import BellwetherAuthoring
import BellwetherBase
import BellwetherJSON
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherCore
@testable import BellwetherService

/// Several nodes that count the same day at once, compared with one after another: each measure is off plan once, and
/// the count of the most clients stays (docs/reference/http-api.md#what-came).
///
/// The test also runs a store that compares no versions, and must find that a notice is doubled.
@Suite struct ForecastRaceTests {
    private static let now = SharedStoreTests.now
    private static let recipe = RecipeReference(app: "app", slug: "e")
    private static let name = RowName.forecast(app: "app", slug: "e")
    private static let clients = [250, 300, 200]

    private struct Outcome: Equatable {
        var told: [HeldForecast.Measure] = []
        var notices = 0
        var clients = 0
    }

    private static func forecast(revision: Int64 = 1, days: Int = 1) throws -> HeldForecast {
        let windows = [JSONValue](repeating: [0.5, 0.5, 0.45, 0.55], count: days)
        let share: JSONValue = ["low": 0.5, "high": 0.5, "windows": .array(windows), "came": 0, "off": false]
        return try #require(
            HeldForecast([
                "revision": .integer(revision), "since": .integer(now.milliseconds), "day": 0, "window": 0,
                "clients": 0, "weight": 1.0,
                "enrolled": share, "shown": share,
            ]))
    }

    private static func counting(_ clients: Int) -> Transaction<[HeldForecast.Measure]> {
        let notify = JSONReader(["url": "https://hooks.example/bw"], findings: Findings())
        return HeldForecast.counting(
            HeldForecast.Count(day: 1, window: 1, clients: clients, weight: 1, came: [.enrolled: 0, .shown: clients]),
            of: recipe, revision: 1, notify: GoalNotification(notify), at: now, minimum: 5)
    }

    private func run(_ store: any Store, comparingVersions: Bool = true) async throws -> Outcome {
        let readers = Readers(seconds: comparingVersions ? 0.001 : 2)
        let nodes = Self.clients.map { _ in
            Persistence(NodeStore(store, readers: readers, comparesVersions: comparingVersions))
        }
        let storing = try Self.forecast().storing(of: Self.recipe, at: Self.now)
        await withCheckedContinuation { done in nodes[0].submit(storing) { _ in done.resume() } }
        let countings = Self.clients.map(Self.counting)
        let results = await withCheckedContinuation { done in
            let told = ResultCollector<[HeldForecast.Measure]>(count: nodes.count) { done.resume(returning: $0) }
            for (number, counting) in countings.enumerated() {
                nodes[number].submit(counting) { told.add($0, at: number) }
            }
        }
        var outcome = Outcome()
        outcome.told = results.compactMap { try? $0.get() }.joined().sorted { $0.rawValue < $1.rawValue }
        outcome.notices = try store.find(.pendingWebhooks, limit: 100).count
        outcome.clients = try Self.stored(in: store)?.clients ?? 0
        return outcome
    }

    private static func stored(in store: any Store) throws -> HeldForecast? {
        guard case .forecast(let forecast)? = try store.read(RowQuery(names: [name])).rows[0].get()?.value else {
            return nil
        }
        return forecast
    }

    /// Nodes whose samples are of different age make a forecast at once, and one of them has an earlier revision.
    @Test(arguments: StoreKind.allCases)
    func `Of several forecasts, the one of the last revision for the most days stays`(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        let forecasts = try [(2, 1), (2, 3), (1, 7), (2, 2)].map { try Self.forecast(revision: $0, days: $1) }
        let readers = Readers(seconds: 0.001)
        let nodes = forecasts.map { _ in Persistence(NodeStore(test.store, readers: readers, comparesVersions: true)) }
        let results = await withCheckedContinuation { done in
            let all = ResultCollector<Void>(count: nodes.count) { done.resume(returning: $0) }
            for (number, forecast) in forecasts.enumerated() {
                nodes[number].submit(forecast.storing(of: Self.recipe, at: Self.now)) { all.add($0, at: number) }
            }
        }
        for result in results { try result.get() }
        #expect(try Self.stored(in: test.store) == forecasts[1])
        // After the first count it stays.
        var counted = forecasts[1]
        _ = counted.take(HeldForecast.Count(day: 1, window: 1, clients: 200, weight: 1, came: [:]))
        #expect(try !Self.forecast(revision: 2, days: 7).replaces(counted))
        #expect(try Self.forecast(revision: 3, days: 1).replaces(counted))
    }

    @Test(arguments: StoreKind.allCases)
    func `Nodes that count at once tell each measure once`(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        #expect(try await run(test.store) == Outcome(told: [.enrolled, .shown], notices: 2, clients: 300))
    }

    @Test func `A store that compares no versions tells it again`() async throws {
        var isFound = false
        for _ in 0..<8 where !isFound {
            isFound = try await run(TestStore(sharing: .asked), comparingVersions: false).notices > 2
        }
        #expect(isFound)
    }
}
