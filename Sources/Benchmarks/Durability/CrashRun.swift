import Foundation
import Synchronization
import TestSupport

/// Repeated rounds on one data directory: load from several threads, a kill -9 at a random moment, a restart, and a
/// check that everything acknowledged is stored exactly once.
final class CrashRun {
    private static let writers = 4
    private static let erasers = 2
    private static let clientsOfEach = 10
    private let bench: Workbench
    private let folder: String
    private var generator: SeededGenerator
    private var ledger: CrashLedger
    private var server: BellwetherServer
    /// The receiver of the notifications of submitted responses.
    private let receiver: WebhookReceiver

    init(_ bench: Workbench, seed: UInt64) throws {
        self.bench = bench
        folder = "\(bench.directory)/crash"
        generator = SeededGenerator(seed: seed)
        ledger = CrashLedger(clients: Self.writers * Self.clientsOfEach)
        try SampleApp(recipes: 0).write(to: folder, from: bench.app)
        server = try Self.start(on: folder, bench)
        receiver = try WebhookReceiver { _ in .status(204) }
    }

    private static func start(on folder: String, _ bench: Workbench) throws -> BellwetherServer {
        try BellwetherServer(on: folder, settings: ["WEBHOOKS_ALLOW_NETWORKS": "127.0.0.0/8"], bench: bench)
    }

    var summary: String { ledger.summary }

    /// Runs one round. If a check fails, the data directory is kept.
    func run(_ round: Int) throws {
        do {
            try attempt(round)
        } catch {
            server.kill()
            let kept = "\(bench.directory)-failed-round-\(round)"
            try? FileManager.default.moveItem(atPath: folder, toPath: kept)
            throw Failure("round \(round): \(error). The data is kept in \(kept)")
        }
    }

    /// Waits until each notification has arrived. A daemon that was killed keeps its claim on rows for two minutes.
    func end() throws {
        for _ in 0..<1_800 where ledger.missingNotifications(receiver.requests) > 0 { usleep(100_000) }
        try ledger.checkNotifications(receiver.requests)
        server.stop()
    }

    private func attempt(_ round: Int) throws {
        let owner = try LoopbackClient(port: server.port)
        try CrashApp.put("capped", CrashApp.capped(round), on: owner)
        try CrashApp.put("survey", CrashApp.survey(round), on: owner)
        try CrashRespondent.publish(round, on: owner)
        try CrashEraser.publish(round, on: owner)
        try CrashPair.publish(round, telling: receiver.url, on: owner)
        let threads = CrashThreads(count: Self.writers + 2 + Self.erasers + CrashPair.Device.allCases.count)
        let port = server.port
        for number in 0..<Self.writers {
            let clients = (0..<Self.clientsOfEach).map { ledger.clients[number * Self.clientsOfEach + $0] }
            let writer = CrashWriter(clients: clients, round: round, port: port, seed: generator.next())
            threads.start { .writer(writer.run()) }
        }
        let respondent = CrashRespondent(round: round, port: port, seed: generator.next())
        threads.start { .respondent(respondent.run()) }
        for number in 0..<Self.erasers {
            let eraser = CrashEraser(round: round, port: port, number: number, seed: generator.next())
            threads.start { .eraser(eraser.run()) }
        }
        let pair = CrashPair(round: round, port: port, seed: generator.next())
        for device in CrashPair.Device.allCases { threads.start { .device(pair.run(device)) } }
        let published = ledger.published
        threads.start { .publisher(CrashPublisher(port: port).run(from: published)) }
        usleep(UInt32.random(in: 5_000...400_000, using: &generator))
        server.kill()
        let outcomes = try threads.join()
        try DatabaseCheck.check("\(folder)/data", copyingTo: "\(bench.directory)/copy", bench: bench)
        let start = MonotonicClock.now
        server = try Self.start(on: folder, bench)
        ledger.restarts.record(MonotonicClock.now - start)
        try ledger.settle(outcomes, round: round, on: LoopbackClient(port: server.port))
    }
}

/// The outcome of a thread of the load.
enum CrashOutcome: Sendable {
    case writer(CrashWriter.Record)
    case publisher(CrashPublisher.Record)
    case respondent(CrashRespondent.Record)
    case device(CrashPair.Record)
    case eraser(CrashEraser.Record)
}

/// Threads, each of which ends with an outcome.
final class CrashThreads: Sendable {
    private let outcomes = Mutex<[CrashOutcome]>([])
    private let done = DispatchSemaphore(value: 0)
    private let count: Int

    init(count: Int) { self.count = count }

    func start(_ work: @escaping @Sendable () -> CrashOutcome) {
        Thread.detachNewThread { [self] in
            let outcome = work()
            outcomes.withLock { $0.append(outcome) }
            done.signal()
        }
    }

    /// Waits until all threads have ended. They end when the daemon does.
    func join() throws -> [CrashOutcome] {
        for _ in 0..<count where done.wait(timeout: .now() + 60) == .timedOut { throw Failure("the load does not end") }
        return outcomes.withLock { $0 }
    }
}

/// Publishes one recipe repeatedly until the daemon stops.
struct CrashPublisher: Sendable {
    let port: Int

    struct Record: Sendable {
        var acknowledged: Int
        var underWay: Int?
        var fault: String?
    }

    func run(from version: Int) -> Record {
        var record = Record(acknowledged: version)
        guard let connection = try? LoopbackClient(port: port) else { return record }
        while true {
            let next = record.acknowledged + 1
            record.underWay = next
            guard
                let answer = try? connection.put("\(CrashApp.path)/recipes/published", CrashApp.published(next))
            else { return record }
            guard [200, 201].contains(answer.status) else {
                record.fault = "publish: \(answer.status) \(answer.text)"
                return record
            }
            record.acknowledged = next
            record.underWay = nil
        }
    }
}
