import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Logging
import StoreSupport
import Synchronization
import Testing

@testable import BellwetherService

/// The memory that requests can occupy is limited in bytes (docs/reliability.md#what-is-kept-in-memory).
@Suite struct MemoryBoundTests {
    private final class Outcomes: Sendable {
        let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }
        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    @Test func `Writes that wait count by what they keep`() {
        var settings = PersistenceSettings()
        settings.waitingEvents = 3000
        // No thread ever runs these jobs.
        let threads = StorageThreads(writer: { _ in }, loader: { _ in }, logs: { _ in }, results: { _ in })
        let persistence = Persistence(TestStore(), settings: settings, threads: threads)
        let outcomes = Outcomes()
        let large = Transaction(names: [], now: Scene.start) { _ in .done(TransactionOutcome(result: ())) }
            .keeping(bytes: 1 << 20)
        for _ in 0..<5 { persistence.submit(large) { outcomes.add("\($0)") } }
        #expect(outcomes.all == Array(repeating: "failure(BellwetherService.StoreError.overloaded)", count: 3))
    }

    @Test func `Publishes that wait are bounded in bytes`() {
        let publisher = Publisher(
            store: TestStore(), clock: .system, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            queue: BackgroundQueue(bound: 10_000) { _ in true })
        let outcomes = Outcomes()
        let request = PublishRequest(app: "a", change: .putManifest([UInt8](repeating: 0x20, count: 4000)))
        for _ in 0..<4 {
            publisher.publish(request, reply: { _ in (200, []) }, completion: { outcomes.add("\($0)") })
        }
        #expect(outcomes.all.count == 3 && outcomes.all.allSatisfy { $0.contains("overloaded") })
        publisher.history(of: "r", in: "a") { outcomes.add("\($0)") }
        #expect(outcomes.all.count == 3, "a small one has room")
    }

    @Test func `Clients with long histories leave room for fewer`() {
        let record = { (key: ClientKey, count: Int) in key.bytes + [UInt8](repeating: 1, count: count) }
        var table = SecondChanceTable(bound: 1000, bytes: 100_000)
        for number in 0..<500 {
            let key = ClientKey(.numbered(number))
            table.set(key, record(key, number.isMultiple(of: 3) ? 5000 : 100))
            #expect(table.bytes <= 100_000)
            #expect(table.record(of: key) != nil, "the newest is there")
        }
        #expect(table.count > 10 && table.count < 100)
        let first = ClientKey(.numbered(499))
        table.set(first, record(first, 99_000))
        #expect(table.bytes <= 100_000 && table.count < 10)
        table.set(first, record(first, 100_000))
        #expect(table.record(of: first) == nil, "one that is larger than the table is not held")
        let small = ClientKey(.numbered(1000))
        table.set(small, record(small, 10))
        #expect(table.record(of: small) != nil)
        let bytes = table.bytes
        table.remove(small)
        #expect(table.bytes == bytes - small.bytes.count - 106)
    }

    @Test func `A table of clients is as large as its number allows`() {
        let table = ClientTable(bound: 1000)
        var state = ClientState()
        for number in 0..<400 { state.behavior.record("event \(number)", count: 1, at: Scene.start) }
        for number in 0..<900 { table.commit(.numbered(number), StoredClient(version: 1, state: state)) }
        #expect((100..<800).contains(table.occupancy.known), "\(table.occupancy.known)")
        #expect(table.stored(.numbered(899))?.state == state)
    }

    /// The largest sample is halved.
    @Test func `Samples of many apps share the bytes that there are`() {
        let samples = ClientSamples(capacity: 100, bytes: 10_000)
        let text = JSONValue.string(String(repeating: "x", count: 900))
        let context = TargetingContext(requestedLocale: nil, defaultLocale: "en", attributes: ["a": text])
        func count(_ app: Identifier) -> Int { samples.sample(of: app, at: Scene.start).clients.count }
        for app in ["a", "b"] {
            for number in 0..<50 {
                let hash = UInt64(number) << 58
                _ = samples.offer(context, ClientState(), hash: hash, of: Identifier(app), at: Scene.start)
            }
        }
        #expect(count("a") > 0 && count("b") > 0)
        #expect(count("a") + count("b") <= 10)
        #expect(samples.sample(of: "a", at: Scene.start).weight > 1)
    }

    @Test func `Tallies of messages that are gone are forgotten`() throws {
        var tallies = KnownTallies()
        _ = tallies.note(Tally(), version: 1, of: "gone", in: "app")
        tallies.keep(only: [AppSnapshot]())
        #expect(tallies["gone", of: "app"] == nil)
    }
}
