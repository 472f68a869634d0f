import BellwetherJSON
import StoreSupport
import Synchronization
import Testing

@testable import BellwetherService

/// Publishing without HTTP. A request gets an outcome once the workers serve it (ARCHITECTURE.md#a-publish).
@Suite struct PublishingTests {
    private static let app: Identifier = "app"

    /// The snapshots that the workers received, in order.
    private final class Worker: Sendable {
        private let snapshots = Mutex<[Snapshot]>([])

        func receive(_ snapshot: Snapshot) { snapshots.withLock { $0.append(snapshot) } }

        var count: Int { snapshots.withLock(\.count) }
        /// The slugs of the live recipes.
        var recipes: [Identifier] {
            let recipes = snapshots.withLock(\.last)?.apps[app]?.recipes ?? [:]
            return recipes.filter { $1.stored.state == .live }.keys.sorted()
        }
    }

    private let worker = Worker()
    private let publisher: Publisher

    init() throws {
        // Jobs run on the thread that adds them.
        let queue = BackgroundQueue { body in
            body()
            return true
        }
        publisher = Publisher(
            store: TestStore(), clock: Clock { Scene.start }, logger: Persistence.silent, queue: queue)
        _ = try publisher.start(FileCatalog())
        publisher.connect { [worker] snapshot, acknowledged in
            worker.receive(snapshot)
            acknowledged()
        }
    }

    private static func recipe(_ text: String) -> [UInt8] {
        JSONValue.object(["messages": ["m": ["surface": "homescreen", "text": .string(text)]]]).encoded
    }

    private func publish(
        _ change: PublishRequest.Change, by author: String = "anna", _ edit: (inout PublishRequest) -> Void = { _ in }
    ) throws -> PublishOutcome {
        var request = PublishRequest(app: Self.app, change: change)
        request.author = author
        edit(&request)
        let outcome = Mutex<PublishOutcome?>(nil)
        publisher.publish(request) { _ in
            (200, Array("reply".utf8))
        } completion: { value in
            outcome.withLock { $0 = value }
        }
        return try #require(outcome.withLock { $0 })
    }

    private func stored(_ outcome: PublishOutcome) throws -> PublishReceipt {
        guard case .stored(let receipt) = outcome else { throw SceneError() }
        return receipt
    }

    private func putManifest() throws {
        let receipt = try stored(publish(.putManifest(SampleManifest.with().encoded)))
        #expect(receipt.effect == .created && receipt.revision == 1)
    }

    @Test func `A document is published, and the outcome comes when the workers serve it`() throws {
        try putManifest()
        let receipt = try stored(publish(.putRecipe(slug: "r", Self.recipe("one"), asDraft: false)))
        #expect(receipt.effect == .created && receipt.state == .live)
        #expect(worker.count == 2 && worker.recipes == ["r"])
        let again = try stored(publish(.putRecipe(slug: "r", Self.recipe("one"), asDraft: false)))
        #expect(again.effect == .unchanged && again.revision == receipt.revision && worker.count == 2)
        guard case .deleted = try publish(.deleteRecipe(slug: "r")) else { return #expect(Bool(false), "not deleted") }
        #expect(worker.recipes == [])
    }

    @Test func `A document with faults, and one that another has changed, are refused`() throws {
        guard case .refused(.unknownApp) = try publish(.setState(slug: "r", .paused)) else {
            return #expect(Bool(false), "there is such an app")
        }
        try putManifest()
        let put = PublishRequest.Change.putRecipe(slug: "r", Array("{\"kind\": \"flow\"}".utf8), asDraft: false)
        guard case .refused(.faults(let findings, _)) = try publish(put) else {
            return #expect(Bool(false), "it was stored")
        }
        #expect(findings.contains { $0.code == "required" })
        let next = PublishRequest.Change.putRecipe(slug: "r", Self.recipe("two"), asDraft: false)
        guard case .refused(.preconditionFailed(current: nil)) = try publish(next, { $0.precondition = { $0 != nil } })
        else { return #expect(Bool(false), "it was stored") }
        #expect(worker.count == 1)
    }

    @Test func `A trial stores nothing`() throws {
        try putManifest()
        let put = PublishRequest.Change.putRecipe(slug: "r", Self.recipe("one"), asDraft: false)
        #expect(try stored(publish(put, { $0.isTrial = true })).effect == .created)
        #expect(worker.count == 1 && worker.recipes == [])
    }

    @Test func `With approval a second person puts a draft live`() throws {
        try putManifest()
        let draft = try stored(publish(.putRecipe(slug: "r", Self.recipe("one"), asDraft: true)))
        #expect(draft.state == .draft && worker.recipes == [])
        guard case .refused(.ownRevision) = try publish(.setState(slug: "r", .live), { $0.requiresApproval = true })
        else { return #expect(Bool(false), "it is live") }
        let live = try stored(
            publish(.setState(slug: "r", .live), by: "ben") { ($0.requiresApproval, $0.revision) = (true, 1) })
        #expect(live.state == .live && worker.recipes == ["r"])
    }

    @Test func `A repeated key is answered with the stored reply, with another body it is a conflict`() throws {
        try putManifest()
        let claim = IdempotencyClaim(token: "anna", path: "/r", key: "k", bodyDigest: [1])
        let put = PublishRequest.Change.putRecipe(slug: "r", Self.recipe("one"), asDraft: false)
        #expect(try stored(publish(put, { $0.idempotency = claim })).effect == .created)
        guard case .replayed(let reply) = try publish(put, { $0.idempotency = claim }) else {
            return #expect(Bool(false), "published again")
        }
        #expect(reply.body == Array("reply".utf8) && worker.count == 2)
        let other = IdempotencyClaim(token: "anna", path: "/r", key: "k", bodyDigest: [2])
        guard case .refused(.keyConflict) = try publish(put, { $0.idempotency = other }) else {
            return #expect(Bool(false), "no conflict")
        }
    }

    @Test func `An earlier revision is published again as a new one`() throws {
        try putManifest()
        for text in ["one", "two"] {
            _ = try publish(.putRecipe(slug: "r", Self.recipe(text), asDraft: false))
        }
        let receipt = try stored(publish(.rollback(slug: "r", revision: 1)))
        #expect(receipt.effect == .changed && receipt.revision == 3)
        let texts = Mutex<[[UInt8]]>([])
        publisher.history(of: "r", in: Self.app) { result in
            texts.withLock { $0 = (try? result.get().map(\.text)) ?? [] }
        }
        #expect(texts.withLock { $0 } == [Self.recipe("one"), Self.recipe("two"), Self.recipe("one")])
    }
}
