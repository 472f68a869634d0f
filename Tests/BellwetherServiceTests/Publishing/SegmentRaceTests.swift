import BellwetherCore
import BellwetherJSON
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherService

/// Random changes of segments, and of messages that read them, by two owners at two nodes over one store. Two requests
/// run at the same time. Their outcomes, and what is stored afterwards, are those of the same two requests one after
/// the other (docs/reference/audiences.md#what-is-in-use).
@Suite struct SegmentRaceTests {
    private static let seeds: UInt64 = 12

    @Test func `Two requests at once are one after the other`() async throws {
        for seed in 0..<Self.seeds {
            let world = try SegmentWorld(seed: seed)
            #expect(try await world.violation() == nil, "seed \(seed)")
        }
    }

    /// A node that writes as if nobody had published since it read lets a segment go that another node just used.
    @Test func `A node that compares no versions is found`() async throws {
        var found: String?
        for seed in 0..<Self.seeds where found == nil {
            found = try await SegmentWorld(seed: seed, comparesVersions: false).violation()
        }
        #expect(found != nil)
    }
}

/// What the app's recipes read: the rules, without daemons.
private struct SegmentModel: Equatable {
    enum Request: Sendable {
        case put(String, reads: [String])
        case delete(String)
    }

    /// The segments that each recipe reads.
    private(set) var reads: [String: [String]] = [:]

    static func isSegment(_ slug: String) -> Bool { !slug.hasPrefix("offer") }

    /// Whether the request is accepted.
    mutating func apply(_ request: Request) -> Bool {
        switch request {
        case .put(let slug, let names):
            if Self.isSegment(slug), reaches(slug, from: names) { return false }
            reads[slug] = names
        case .delete(let slug):
            let isRead = reads.contains { $0.key != slug && $0.value.contains(slug) }
            guard reads[slug] != nil, !(Self.isSegment(slug) && isRead) else { return false }
            reads[slug] = nil
        }
        return true
    }

    private func reaches(_ slug: String, from names: [String]) -> Bool {
        var seen: Set<String> = []
        var names = names
        while let name = names.popLast() {
            if name == slug { return true }
            if seen.insert(name).inserted { names += reads[name] ?? [] }
        }
        return false
    }

    init() {}

    /// What the store has.
    init(_ catalog: StoredCatalog) throws {
        for recipe in catalog.apps.first?.recipes ?? [] {
            let document = try JSONValue(parsing: recipe.document.text)
            let text = document.object?["expression"]?.string ?? document.object?["triggers"]?.object?["T"]?.string
            let words = (text ?? "").split { !($0.isLetter || $0.isNumber || $0 == ".") }
            reads[recipe.slug.text] = words.filter { $0.hasPrefix("segment.") }.map { String($0.dropFirst(8)) }
        }
    }
}

/// Two daemons over one store.
private final class SegmentWorld {
    private static let app: Identifier = "sample"
    private static let segments = ["a", "b", "c"]
    private static let rounds = 25

    private let store = TestStore(sharing: .asked)
    private let nodes: [Publisher]
    private var random: SeededGenerator

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
    func violation() async throws -> String? {
        _ = await Self.send(.putManifest(SampleManifest.with(["attributes": ["n": "number"]]).encoded), to: nodes[0])
        for _ in 0..<Self.rounds {
            let (left, right) = (nodes[0], nodes[1])
            // Over HTTP, an owner's request first waits until its node serves what others have published.
            for node in [left, right] { await Self.readThrough(node) }
            let before = try SegmentModel(store.loadCatalog())
            let (one, other) = (makeRequest(), makeRequest())
            let (own, others) = (change(one), change(other))
            async let first = Self.send(own, to: left)
            async let second = Self.send(others, to: right)
            let accepted = await [first, second]
            let after = try SegmentModel(store.loadCatalog())
            var (forwards, backwards) = (before, before)
            let inOrder = [forwards.apply(one), forwards.apply(other)]
            let reversed = [backwards.apply(other), backwards.apply(one)]
            if accepted == inOrder, after == forwards { continue }
            if accepted == reversed.reversed(), after == backwards { continue }
            return "\(one) and \(other) after \(before.reads): \(accepted), \(after.reads)"
        }
        return nil
    }

    private func makeRequest() -> SegmentModel.Request {
        let slug = (Self.segments + ["offer"]).randomElement(using: &random) ?? "offer"
        if Int.random(in: 0..<3, using: &random) == 0 { return .delete(slug) }
        return .put(slug, reads: Self.segments.filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
    }

    private func change(_ request: SegmentModel.Request) -> PublishRequest.Change {
        switch request {
        case .delete(let slug): return .deleteRecipe(slug: Identifier(slug))
        case .put(let slug, let names):
            let expression = (["n > 1"] + names.map { "segment.\($0)" }).joined(separator: " && ")
            let document: JSONValue =
                SegmentModel.isSegment(slug)
                ? ["kind": "segment", "expression": .string(expression)]
                : [
                    "triggers": ["T": .string(expression)],
                    "messages": ["m": ["surface": "homescreen", "text": "x", "trigger-if-all": ["T"]]],
                ]
            return .putRecipe(slug: Identifier(slug), document.encoded, asDraft: false)
        }
    }

    private static func readThrough(_ node: Publisher) async {
        await withCheckedContinuation { done in node.readThrough { _ in done.resume() } }
    }

    /// Whether the request was accepted.
    private static func send(_ change: PublishRequest.Change, to node: Publisher) async -> Bool {
        await withCheckedContinuation { continuation in
            node.publish(PublishRequest(app: app, change: change)) { _ in
                (200, [])
            } completion: { outcome in
                if case .refused = outcome { return continuation.resume(returning: false) }
                continuation.resume(returning: true)
            }
        }
    }
}
