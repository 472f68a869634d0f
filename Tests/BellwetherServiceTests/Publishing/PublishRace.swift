import BellwetherCore
import BellwetherJSON
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherService

/// What owners have published: the rules, without daemons.
protocol PublishModel: Equatable, Sendable {
    associatedtype Request: Sendable

    /// What the store has.
    init(_ catalog: StoredCatalog) throws

    /// Publishes what there is before the first round.
    static func begin(at node: Publisher) async

    /// A request that makes sense in this state.
    func makeRequest(_ random: inout SeededGenerator) -> Request

    /// Whether the request is accepted.
    mutating func apply(_ request: Request) -> Bool

    /// Sends a request. Returns whether it was accepted.
    static func send(_ request: Request, to node: Publisher) async -> Bool
}

/// Two daemons over one store, each of which gets a random request at the same time. Their outcomes, and what is stored
/// afterwards, must be those of the same two requests one after the other.
final class PublishRace<Model: PublishModel> {
    private let store = TestStore(sharing: .asked)
    private let nodes: [Publisher]
    private var random: SeededGenerator

    /// - Parameter comparesVersions: false: the nodes write as if nobody had published since they have read.
    init(seed: UInt64, comparesVersions: Bool = true) throws {
        random = SeededGenerator(seed: seed)
        let readers = Readers(seconds: comparesVersions ? 0.001 : 0.2)
        nodes = try (0..<2).map { [store] _ in
            let node = NodeStore(store, readers: readers, comparesVersions: comparesVersions)
            let publisher = Publisher(store: node, clock: store.clock, logger: Persistence.silent)
            _ = try publisher.start(FileCatalog())
            return publisher
        }
    }

    /// The first outcome that no order of the two requests has; nil if there is none.
    func violation(rounds: Int = 25) async throws -> String? {
        let (left, right) = (nodes[0], nodes[1])
        await Model.begin(at: left)
        for _ in 0..<rounds {
            // Over HTTP, an owner's request first waits until its node serves what others have published.
            for node in [left, right] {
                await withCheckedContinuation { done in node.readThrough { _ in done.resume() } }
            }
            let before = try Model(store.loadCatalog())
            let (one, other) = (before.makeRequest(&random), before.makeRequest(&random))
            async let first = Model.send(one, to: left)
            async let second = Model.send(other, to: right)
            let accepted = await [first, second]
            let after = try Model(store.loadCatalog())
            var (forwards, backwards) = (before, before)
            let inOrder = [forwards.apply(one), forwards.apply(other)]
            let reversed = [backwards.apply(other), backwards.apply(one)]
            if accepted == inOrder, after == forwards { continue }
            if accepted == reversed.reversed(), after == backwards { continue }
            return "\(one) and \(other) after \(before): \(accepted), \(after)"
        }
        return nil
    }

    private static var seeds: Range<UInt64> { 0..<12 }

    static func expectNoViolation() async throws {
        for seed in seeds { #expect(try await Self(seed: seed).violation() == nil, "seed \(seed)") }
    }

    /// Nodes that compare no versions break the rule with one of the seeds.
    static func expectViolationWithoutVersions() async throws {
        for seed in seeds where try await Self(seed: seed, comparesVersions: false).violation() != nil { return }
        Issue.record("no seed finds it")
    }
}

extension Publisher {
    /// Whether the change of the app `sample` was accepted.
    func accepts(_ change: PublishRequest.Change) async -> Bool {
        await withCheckedContinuation { continuation in
            publish(PublishRequest(app: "sample", change: change)) { _ in
                (200, [])
            } completion: { outcome in
                if case .refused = outcome { return continuation.resume(returning: false) }
                continuation.resume(returning: true)
            }
        }
    }
}
