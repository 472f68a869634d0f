import BellwetherCore
import BellwetherJSON
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// Random changes of three documents by two owners at two daemons over one store. Two requests run at the same time,
/// and an owner names revisions that they looked at earlier. Whatever happens, everything that is served was reviewed:
/// where approval is required, a person who did not write it has named its revision after they looked at it
/// (docs/reference/http-api.md#approval).
@Suite struct ReviewModelTests {
    enum Approval: CaseIterable, Sendable { case always, never, switched }

    /// A fault in the daemons, put in on purpose.
    fileprivate enum Fault { case meansTheNewest, asksForNoApproval }

    private static let seeds: UInt64 = 80

    @Test(arguments: Approval.allCases)
    func `Everything that is served was reviewed`(_ approval: Approval) async throws {
        for seed in 0..<Self.seeds {
            let world = try ReviewWorld(seed: seed, approval)
            #expect(try await world.violations() == [], "seed \(seed)")
        }
    }

    /// A change to `live` that means the newest revision publishes drafts that were not looked at.
    @Test(arguments: [Approval.always, .never])
    func `A change of state that ignores its revision is found`(_ approval: Approval) async throws {
        #expect(try await violations(approval, .meansTheNewest) > 0)
    }

    @Test func `A change of state that asks for no approval is found`() async throws {
        #expect(try await violations(.always, .asksForNoApproval) > 0)
    }

    private func violations(_ approval: Approval, _ fault: Fault) async throws -> Int {
        var found = 0
        for seed in 0..<Self.seeds where found == 0 {
            found = try await ReviewWorld(seed: seed, approval, fault: fault).violations().count
        }
        return found
    }
}

/// Two daemons over one store, and two owners.
private final class ReviewWorld {
    /// A revision that an owner has looked at.
    private struct View {
        let revision: Int
        let text: [UInt8]
        let author: String
    }

    private struct Request {
        let person: Int
        let name: DocumentName
        var publish: PublishRequest
        /// The revision that the request names.
        var view: View?
    }

    private static let app: Identifier = "sample"
    private static let people = ["anna", "berta"]
    private static let names: [DocumentName] = [.recipe(slug: "r"), .strings(locale: "de"), .manifest]
    private static let rounds = 40

    private let store = TestStore(sharing: .asked)
    private let nodes: [Publisher]
    private let approval: ReviewModelTests.Approval
    private let fault: ReviewModelTests.Fault?
    private var random: SeededGenerator
    private var requiresApproval: Bool
    private var written = 0
    /// The revisions that each owner has looked at, oldest first.
    private var views: [[DocumentName: [View]]] = [[:], [:]]
    /// The texts that may be served.
    private var reviewed: [DocumentName: Set<[UInt8]>] = [:]
    /// The texts that were ever written.
    private var texts: Set<[UInt8]> = []

    init(seed: UInt64, _ approval: ReviewModelTests.Approval, fault: ReviewModelTests.Fault? = nil) throws {
        random = SeededGenerator(seed: seed)
        (self.approval, self.fault) = (approval, fault)
        requiresApproval = approval == .always
        nodes = try (0..<2).map { [store] _ in
            let publisher = Publisher(store: store, clock: store.clock, logger: Persistence.silent)
            _ = try publisher.start(FileCatalog())
            return publisher
        }
    }

    /// The sentences that say which text was served without a review.
    func violations() async throws -> [String] {
        let manifest = SampleManifest.with()
        let (left, right) = (nodes[0], nodes[1])
        _ = await Self.send(PublishRequest(app: Self.app, change: .putManifest(manifest.encoded)), to: left)
        for name in Self.names { reviewed[name] = Set(try served(name).map { [$0] } ?? []) }
        var found: [String] = []
        for _ in 0..<Self.rounds {
            if approval == .switched { requiresApproval = Int.random(in: 0..<4, using: &random) > 0 }
            for person in Self.people.indices where Bool.random(using: &random) { try look(person) }
            let requests = try [makeRequest(), makeRequest()]
            let paused = try Self.names.filter { try newest($0)?.state == .paused }
            let (one, other) = (requests[0].publish, requests[1].publish)
            async let first = ReviewWorld.send(one, to: left)
            async let second = ReviewWorld.send(other, to: right)
            let outcomes = await [first, second]
            for (request, isAccepted) in zip(requests, outcomes) where isAccepted {
                let isAlone = requests[0].name != requests[1].name
                try review(request, isResumption: isAlone && paused.contains(request.name))
            }
            for name in Self.names {
                guard let text = try served(name), reviewed[name]?.contains(text) != true else { continue }
                let shown = String(decoding: text, as: UTF8.self)
                found.append("\(name) serves \(shown) after \(one.change), \(other.change)")
                reviewed[name]?.insert(text)
            }
        }
        return found
    }
}

/// The requests.
extension ReviewWorld {
    private func makeRequest() throws -> Request {
        let person = Int.random(in: 0..<2, using: &random)
        let name = Self.names.randomElement(using: &random) ?? .manifest
        let view = views[person][name]?.suffix(3).randomElement(using: &random)
        var publish = PublishRequest(app: Self.app, change: makeChange(name, view))
        (publish.author, publish.requiresApproval) = (Self.people[person], requiresApproval)
        publish.isDraft = Bool.random(using: &random)
        let isNamed = Int.random(in: 0..<3, using: &random) > 0
        guard publish.change.putsLive else { return Request(person: person, name: name, publish: publish) }
        if isNamed { publish.revision = view?.revision }
        switch fault {
        case .meansTheNewest: publish.revision = try newest(name)?.document.revision
        case .asksForNoApproval: publish.requiresApproval = false
        case nil: break
        }
        return Request(person: person, name: name, publish: publish, view: isNamed ? view : nil)
    }

    private func makeChange(_ name: DocumentName, _ view: View?) -> PublishRequest.Change {
        let choice = Int.random(in: 0..<12, using: &random)
        switch (name, choice) {
        case (.recipe(let slug), 0...2): return .putRecipe(slug: slug, text(of: name), asDraft: true)
        case (.recipe(let slug), 3): return .putRecipe(slug: slug, text(of: name), asDraft: false)
        case (.recipe(let slug), 4...6): return .setState(slug: slug, .live)
        case (.recipe(let slug), 7...8): return .setState(slug: slug, .paused)
        case (.recipe(let slug), 9): return .rollback(slug: slug, revision: view?.revision ?? 1)
        case (.recipe(let slug), 10) where Bool.random(using: &random): return .deleteRecipe(slug: slug)
        case (.strings(let locale), 0...4): return .putStrings(locale: locale, text(of: name))
        case (.strings(let locale), 5): return .deleteStrings(locale: locale)
        case (.manifest, 0...5): return .putManifest(text(of: name))
        case (.recipe, _), (_, 6...7): return .discardDraft(name)
        default: return .putDraftLive(name)
        }
    }

    /// A text that was never written before.
    private func text(of name: DocumentName) -> [UInt8] {
        let words = "text \(texts.count)"
        let document: JSONValue =
            switch name {
            case .recipe: ["messages": ["m": ["surface": "homescreen", "text": .string(words)]]]
            case .strings: ["T": ["hello": .string(words)]]
            case .manifest: SampleManifest.with(["short_name": .string(words)])
            }
        texts.insert(document.encoded)
        return document.encoded
    }

    /// Whether the request was accepted.
    private static func send(_ request: PublishRequest, to node: Publisher) async -> Bool {
        await withCheckedContinuation { continuation in
            node.publish(request) { _ in
                (200, [])
            } completion: { outcome in
                if case .refused = outcome { return continuation.resume(returning: false) }
                continuation.resume(returning: true)
            }
        }
    }
}

/// The review.
extension ReviewWorld {
    private func newest(_ name: DocumentName) throws -> DocumentVersion? {
        let app = try store.loadCatalog().apps.first { $0.name == Self.app }
        let draft = app?.drafts[name].flatMap { $0.isDiscarded ? nil : $0 }
        return switch name {
        case .recipe(let slug): app?.recipes.first { $0.slug == slug }.map { DocumentVersion($0) }
        case .strings(let locale): DocumentVersion(inForce: app?.strings[locale], draft: draft)
        case .manifest: DocumentVersion(inForce: app?.manifest, draft: draft)
        }
    }

    private func served(_ name: DocumentName) throws -> [UInt8]? {
        guard let version = try newest(name), version.state == .live else { return nil }
        return version.withoutDraft?.document.text
    }

    /// An owner looks at the newest revision of each document, and at the one in force.
    private func look(_ person: Int) throws {
        for name in Self.names {
            guard let version = try newest(name) else { continue }
            let documents = [version.inForce, version.document].compactMap(\.self)
            views[person][name, default: []] += documents.map {
                View(revision: $0.revision, text: $0.text, author: $0.author)
            }
        }
    }

    /// Notes the texts that an accepted request has reviewed.
    ///
    /// - Parameter isResumption: whether the recipe was paused, and no other request about it ran at the same time
    private func review(_ request: Request, isResumption: Bool) throws {
        let change = request.publish.change
        if let view = request.view, !requiresApproval || view.author != Self.people[request.person] {
            reviewed[request.name]?.insert(view.text)
        }
        guard !requiresApproval else { return }
        if change.putsLive, request.view == nil, !isResumption { reviewed[request.name]?.formUnion(texts) }
        if let text = change.text, !request.publish.storesDraft { reviewed[request.name]?.insert(text) }
        if case .rollback(let slug, let revision) = change {
            let revisions = try store.revisions(of: slug, in: Self.app).filter { $0.revision == revision }
            reviewed[request.name]?.formUnion(revisions.map(\.text))
        }
    }
}

extension PublishRequest {
    fileprivate var storesDraft: Bool { if case .putRecipe(_, _, let asDraft) = change { asDraft } else { isDraft } }
}

extension PublishRequest.Change {
    /// Whether the change puts a revision live that is stored already.
    fileprivate var putsLive: Bool {
        switch self {
        case .setState(_, .live), .putDraftLive: true
        default: false
        }
    }
}
