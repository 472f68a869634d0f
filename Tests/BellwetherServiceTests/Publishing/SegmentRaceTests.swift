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
    @Test func `Two requests at once are one after the other`() async throws {
        try await PublishRace<SegmentModel>.expectNoViolation()
    }

    /// A node that writes as if nobody had published since it read lets a segment go that another node just used.
    @Test func `A node that compares no versions is found`() async throws {
        try await PublishRace<SegmentModel>.expectViolationWithoutVersions()
    }
}

/// What the app's recipes read: the rules, without daemons.
private struct SegmentModel: PublishModel {
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

    /// What the store has.
    init(_ catalog: StoredCatalog) throws {
        for recipe in catalog.apps.first?.recipes ?? [] {
            let document = try JSONValue(parsing: recipe.document.text)
            let text = document.object?["expression"]?.string ?? document.object?["triggers"]?.object?["T"]?.string
            let words = (text ?? "").split { !($0.isLetter || $0.isNumber || $0 == ".") }
            reads[recipe.slug.text] = words.filter { $0.hasPrefix("segment.") }.map { String($0.dropFirst(8)) }
        }
    }

    private static let segments = ["a", "b", "c"]

    static func begin(at node: Publisher) async {
        _ = await node.accepts(.putManifest(SampleManifest.with(["attributes": ["n": "number"]]).encoded))
    }

    func makeRequest(_ random: inout SeededGenerator) -> Request {
        let slug = (Self.segments + ["offer"]).randomElement(using: &random) ?? "offer"
        if Int.random(in: 0..<3, using: &random) == 0 { return .delete(slug) }
        return .put(slug, reads: Self.segments.filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
    }

    static func send(_ request: Request, to node: Publisher) async -> Bool { await node.accepts(change(request)) }

    private static func change(_ request: Request) -> PublishRequest.Change {
        switch request {
        case .delete(let slug): return .deleteRecipe(slug: Identifier(slug))
        case .put(let slug, let names):
            let expression = (["n > 1"] + names.map { "segment.\($0)" }).joined(separator: " && ")
            let document: JSONValue =
                isSegment(slug)
                ? ["kind": "segment", "expression": .string(expression)]
                : [
                    "triggers": ["T": .string(expression)],
                    "messages": ["m": ["surface": "homescreen", "text": "x", "trigger-if-all": ["T"]]],
                ]
            return .putRecipe(slug: Identifier(slug), document.encoded, asDraft: false)
        }
    }
}
