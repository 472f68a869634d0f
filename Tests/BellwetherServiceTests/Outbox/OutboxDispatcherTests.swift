import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import BellwetherService

/// The dispatcher with a clock, a timer and a sender that the test controls.
@Suite struct OutboxDispatcherTests {
    static let start = Timestamp(seconds: 1_790_000_000)

    /// The dependencies of the dispatcher.
    private final class Scene: Sendable, WebhookSending {
        struct State {
            var now = OutboxDispatcherTests.start
            var timers: [(due: Timestamp, job: @Sendable () -> Void)] = []
            var sent: [(request: WebhookRequest, completion: WebhookCompletion)] = []
        }

        let store: TestStore
        let persistence: Persistence
        let state = Mutex(State())

        init(_ store: TestStore = TestStore()) {
            self.store = store
            persistence = Persistence(store, threads: .inPlace)
        }

        func dispatcher(_ secrets: WebhookSecrets = WebhookSecrets()) -> OutboxDispatcher {
            OutboxDispatcher(
                persistence, sender: self, secrets: secrets, userAgent: "test",
                clock: Clock { [self] in state.withLock { $0.now } },
                timer: { [self] seconds, job in
                    state.withLock { $0.timers.append(($0.now.adding(milliseconds: Int64(seconds * 1000)), job)) }
                })
        }

        func send(_ request: WebhookRequest, completion: @escaping WebhookCompletion) {
            state.withLock { $0.sent.append((request, completion)) }
        }

        /// Takes the requests that were sent since the last call.
        func sent() -> [(request: WebhookRequest, completion: WebhookCompletion)] {
            state.withLock { state in
                defer { state.sent = [] }
                return state.sent
            }
        }

        /// Moves the clock forward and fires due timers.
        func advance(seconds: Int64) {
            let due = state.withLock { state in
                state.now = state.now.adding(seconds: seconds)
                let now = state.now
                defer { state.timers.removeAll { $0.due <= now } }
                return state.timers.filter { $0.due <= now }
            }
            for timer in due { timer.job() }
        }

        /// Writes rows through a transaction.
        func write(_ rows: [OutboxRow]) {
            persistence.submit(
                Transaction(names: [], now: OutboxDispatcherTests.start) { _ in
                    var outcome = TransactionOutcome(result: ())
                    outcome.outbox = rows
                    return .done(outcome)
                }
            ) { _ in }
        }

        func rows() throws -> [OutboxRow] { try store.readOutbox(OutboxQuery(app: "app", limit: 10_000)) }
    }

    private func row(_ id: String, host: String = "a.example", secret: String? = nil) -> OutboxRow {
        OutboxRow(
            id: Identifier(id), app: "app", url: "https://\(host)/hook", secretName: secret, body: Array("{}".utf8),
            createdAt: Self.start)
    }

    /// The secrets, with the one secret `crm`.
    private func secrets() -> WebhookSecrets {
        var secrets = WebhookSecrets()
        _ = secrets.add("key", named: "crm")
        return secrets
    }

    @Test func aCommitThatWritesAWebhookSendsIt() throws {
        let scene = Scene()
        let dispatcher = scene.dispatcher(secrets())
        scene.write([row("msg_1", secret: "crm")])
        let sent = scene.sent()
        #expect(sent.count == 1)
        let request = try #require(sent.first?.request)
        let signature = WebhookSignature.text(
            id: "msg_1", timestamp: Self.start.seconds, body: Array("{}".utf8), key: Array("key".utf8))
        #expect(
            request.headers == [
                .init("Content-Type", "application/json"), .init("User-Agent", "test"), .init("webhook-id", "msg_1"),
                .init("webhook-timestamp", "1790000000"), .init("webhook-signature", signature),
            ])
        #expect(request.url.text == "https://a.example/hook" && request.body == Array("{}".utf8))
        #expect(try scene.rows().count == 1)
        sent.first?.completion(.success(WebhookResponse(status: 200)))
        #expect(try scene.rows().isEmpty)
        #expect(dispatcher.statistics.sent == 1 && dispatcher.statistics.failed == 0)
    }

    @Test func aFailureIsTriedAgainWhenItIsDueWithTheSameIDAndAnotherTimestamp() throws {
        let scene = Scene()
        let dispatcher = scene.dispatcher()
        scene.write([row("msg_1")])
        scene.sent().first?.completion(.success(WebhookResponse(status: 500)))
        #expect(try scene.rows().first?.lastFailure == "status 500")
        scene.advance(seconds: 9)
        #expect(scene.sent().isEmpty)
        scene.advance(seconds: 11)
        let again = scene.sent()
        let headers = try #require(again.first?.request.headers)
        #expect(headers.contains(.init("webhook-id", "msg_1")))
        #expect(headers.contains(.init("webhook-timestamp", "\(Self.start.seconds + 20)")))
        again.first?.completion(.success(WebhookResponse(status: 410)))
        let dead = try #require(try scene.rows().first)
        #expect(dead.state == .dead(at: Self.start.adding(seconds: 20)) && dead.attempts == 2)
        let statistics = dispatcher.statistics
        #expect(statistics.sent == 0 && statistics.failed == 2 && statistics.dead == 1)
    }

    @Test func `Each attempt is a span of its own in the trace of the cause`() throws {
        let scene = Scene()
        let dispatcher = scene.dispatcher()
        let trace = "0af7651916cd43dd8448eb211c80319c"
        var row = row("msg_1")
        row.trace = TraceContext(stored: "00-\(trace)-b7ad6b7169203331-01 a=1,  b=2")
        scene.write([row])
        var spans: Set = ["b7ad6b7169203331", String(repeating: "0", count: 16)]
        for _ in 0..<3 {
            let sent = try #require(scene.sent().first)
            let headers = Dictionary(uniqueKeysWithValues: sent.request.headers.map { ($0.name, $0.value) })
            let parent = try #require(headers["traceparent"].flatMap { TraceContext(stored: $0) })
            #expect(parent.traceID == trace && parent.flags == 1)
            #expect(spans.insert(parent.parentID).inserted)
            #expect(headers["tracestate"] == "a=1,  b=2")
            sent.completion(.failure(.timeout))
            scene.advance(seconds: 3600)
        }
        withExtendedLifetime(dispatcher) {}
    }

    /// Every attempt fails, and the webhook is given up after a day. The delays are random, so the last attempt may be
    /// due at the end of the day; the clock stands at most 30 seconds later then.
    @Test func aReceiverThatNeverAnswersIsGivenUpAfterADay() throws {
        let scene = Scene()
        let dispatcher = scene.dispatcher()
        scene.write([row("msg_1")])
        var attempts = 0
        for _ in 0...(86_400 / 30 + 1) {
            for sent in scene.sent() {
                attempts += 1
                sent.completion(.failure(.timeout))
            }
            scene.advance(seconds: 30)
        }
        #expect((11...20).contains(attempts))
        guard case .dead(let time)? = try scene.rows().first?.state else { return #expect(Bool(false), "alive") }
        #expect((18 * 3600...86_430).contains(time.seconds - Self.start.seconds))
        #expect(dispatcher.statistics.dead == 1)
    }

    @Test func withoutItsSecretAWebhookWaitsUnsent() throws {
        let scene = Scene()
        let dispatcher = scene.dispatcher()
        scene.write([row("msg_1", secret: "crm")])
        #expect(scene.sent().isEmpty)
        #expect(try scene.rows().first?.lastFailure == "webhooks.secrets has no secret crm")
        dispatcher.follow(secrets())
        scene.advance(seconds: 20)
        #expect(scene.sent().first?.request.headers.last?.name == "webhook-signature")
    }

    @Test func aURLThatIsNoneIsGivenUpAtOnce() throws {
        let scene = Scene()
        let dispatcher = scene.dispatcher()
        scene.write([
            OutboxRow(id: "msg_1", app: "app", url: "ftp://a.example", body: [], createdAt: Self.start)
        ])
        #expect(scene.sent().isEmpty && dispatcher.statistics.dead == 1)
        #expect(try scene.rows().first?.state == .dead(at: Self.start))
    }

    @Test func whatWaitedBeforeTheStartIsSent() throws {
        let store = TestStore()
        var group = WriteGroup()
        group.outbox = [row("msg_1")]
        _ = try store.write([group])
        let scene = Scene(store)
        let dispatcher = scene.dispatcher()
        #expect(scene.sent().isEmpty)
        dispatcher.look()
        #expect(scene.sent().count == 1 && dispatcher.statistics.waiting == 1)
    }

    /// A daemon that dies keeps its lease until it expires; then another daemon takes over.
    @Test func twoDaemonsSendARowOnceWhileALeaseHolds() throws {
        let store = TestStore()
        let (first, second) = (Scene(store), Scene(store))
        let dispatchers = [first.dispatcher(), second.dispatcher()]
        first.write([row("msg_1")])
        dispatchers[1].look()
        let lost = first.sent()
        #expect(lost.count == 1 && second.sent().isEmpty)
        for _ in 0..<2 { second.advance(seconds: 59) }
        #expect(second.sent().isEmpty)
        second.advance(seconds: 60)
        let taken = second.sent()
        #expect(taken.count == 1)
        // The first daemon was only slow: its outcome no longer counts.
        lost.first?.completion(.success(WebhookResponse(status: 410)))
        #expect(try first.rows().first?.state == .pending)
        taken.first?.completion(.success(WebhookResponse(status: 200)))
        #expect(try first.rows().isEmpty)
    }

    @Test func aSlowHostLeavesRoomForOthers() throws {
        let scene = Scene()
        let dispatcher = scene.dispatcher()
        scene.write((0..<200).map { row("slow \($0)", host: "slow.example") })
        scene.write((0..<10).map { row("fast \($0)", host: "fast.example") })
        let sent = scene.sent()
        let slow = sent.filter { $0.request.url.host == "slow.example:443" }
        #expect(slow.count == OutboxDispatcher.hostBound && sent.count == slow.count + 10)
        for (_, completion) in slow { completion(.success(WebhookResponse(status: 200))) }
        #expect(scene.sent().count >= OutboxDispatcher.hostBound)
        #expect(dispatcher.statistics.sent == slow.count)
    }

    @Test func outcomesThatTheStoreDidNotTakeAreStoredLater() throws {
        let scene = Scene()
        let dispatcher = scene.dispatcher()
        scene.write([row("msg_1"), row("msg_2")])
        let sent = scene.sent()
        scene.store.fail(.unavailable("no disk"))
        for (_, completion) in sent { completion(.success(WebhookResponse(status: 200))) }
        scene.store.fail(nil)
        #expect(try scene.rows().count == 2)
        scene.advance(seconds: 5)
        #expect(try scene.rows().isEmpty)
        #expect(scene.sent().isEmpty && dispatcher.statistics.sent == 2)
    }

    @Test func aStoreThatFailsIsAskedAgain() throws {
        let scene = Scene()
        scene.store.fail(.unavailable("no disk"))
        let dispatcher = scene.dispatcher()
        dispatcher.look()
        scene.store.fail(nil)
        var group = WriteGroup()
        group.outbox = [row("msg_1")]
        _ = try scene.store.write([group])
        scene.advance(seconds: 5)
        #expect(scene.sent().count == 1 && dispatcher.statistics.waiting == 1)
    }

    @Test func aClosedDispatcherBeginsNothing() throws {
        let scene = Scene()
        let dispatcher = scene.dispatcher()
        scene.write([row("msg_1")])
        let sent = scene.sent()
        dispatcher.close()
        scene.write([row("msg_2")])
        scene.advance(seconds: 600)
        #expect(scene.sent().isEmpty)
        sent.first?.completion(.failure(.closed))
        let rows = try scene.rows()
        #expect(rows.map(\.id) == ["msg_2", "msg_1"] && rows.allSatisfy { $0.state == .pending })
        #expect(rows.last?.lastFailure == "the daemon stopped")
    }
}
