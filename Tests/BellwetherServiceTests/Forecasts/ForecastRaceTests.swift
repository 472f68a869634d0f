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

    private static func forecast() throws -> HeldForecast {
        let share: JSONValue = ["low": 0.5, "high": 0.5, "windows": [[0.5, 0.5, 0.45, 0.55]], "came": 0, "off": false]
        return try #require(
            HeldForecast([
                "revision": 1, "since": .integer(now.milliseconds), "day": 0, "window": 0, "clients": 0, "weight": 1.0,
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
        let readers = Readers(seconds: comparingVersions ? 0.001 : 0.2)
        let nodes = Self.clients.map { _ in
            Persistence(NodeStore(store, readers: readers, comparesVersions: comparingVersions))
        }
        let forecast = try Self.forecast()
        let holding = Transaction<Void>(names: [Self.name], now: Self.now) { _ in
            var outcome = TransactionOutcome(result: ())
            outcome.rows = [(Self.name, .forecast(forecast))]
            return .done(outcome)
        }
        await withCheckedContinuation { done in nodes[0].submit(holding) { _ in done.resume() } }
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
        if case .forecast(let last)? = try store.read(RowQuery(names: [Self.name])).rows[0].get()?.value {
            outcome.clients = last.clients
        }
        return outcome
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
