import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import KafkaSupport
import Logging
import StoreSupport
import TestSupport
import Testing

@testable import Sinks

/// A sink into Kafka's simulated brokers.
@Suite struct KafkaSinkTests {
    private static let settings = SinkSettings(
        name: "stream", apps: nil, tables: [.events], everySeconds: 60, rows: 1000)
    private static let apps: [Identifier] = ["one", "two words"]

    private let store = TestStore()
    private let mock: MockKafka

    init() throws { mock = try MockKafka() }

    private func log(_ count: Int) {
        for number in 0..<count {
            let record = TelemetryRecord(
                at: Timestamp(seconds: 1_773_144_000), clientID: "c\(number % 7)", category: "messaging", name: "shown",
                extra: [:])
            for app in Self.apps { store.log(record, of: app) }
        }
    }

    private func sink(_ topic: String = "t.{app}", options: [(name: String, value: String)] = []) -> KafkaSink {
        let kafka = KafkaSettings(
            brokers: mock.brokers, topic: topic, options: options, library: nil, drainMilliseconds: 10_000)
        return KafkaSink(
            Self.settings, kafka, from: Persistence(store, threads: .inPlace), queue: BackgroundQueue(),
            logger: Logger(label: "sink") { _ in SwiftLogNoOpLogHandler() }
        ) { row, output in output += row.cursor.text.utf8 }
    }

    /// Whether the positions of all apps are at the ends of their logs.
    private func isComplete() throws -> Bool {
        try Self.apps.allSatisfy { app in
            guard let position = try store.position(of: Self.settings, in: app) else { return false }
            return position.number == position.newest
        }
    }

    /// Expects each record of the log in its topic, and those of a client in their order.
    private func expectAll() throws {
        for (app, topic) in zip(Self.apps, ["t.one", "t.two_20words"]) {
            let rows = try store.records(RecordRange(app: app, after: 0, limit: .max)).rows
            var first: [String: [String]] = [:]
            for record in try KafkaTools.records(of: topic, brokers: mock.brokers)
            where !first[record.key, default: []].contains(record.value) {
                first[record.key, default: []].append(record.value)
                #expect(record.headers == "bellwether-id=1/\(record.value),bellwether-schema=1")
            }
            let wanted = Dictionary(grouping: rows, by: \.clientID.text).mapValues { $0.map(\.cursor.text) }
            #expect(first == wanted)
        }
    }

    @Test func `Each record is delivered, also those that came while the brokers were away`() throws {
        log(300)
        let sink = sink()
        defer { sink.stop() }
        #expect(
            try eventually {
                sink.look()
                return try isComplete()
            })
        try mock.stop()
        log(300)
        #expect(
            eventually {
                sink.look()
                return sink.status.fault != nil
            })
        #expect(try !isComplete())
        try mock.start()
        #expect(
            try eventually {
                sink.look()
                return try isComplete()
            })
        try expectAll()
    }

    /// As after the end of a lease: both send, and the position is moved by compare and set.
    @Test func `Two processes at once lose nothing, and keep the order of each client`() throws {
        log(500)
        let sinks = [sink(), sink()]
        defer { for sink in sinks { sink.stop() } }
        #expect(
            try eventually {
                for sink in sinks { sink.look() }
                return try isComplete()
            })
        try expectAll()
    }

    @Test func `An option that no producer takes is a fault for the operator`() {
        let sink = sink(options: [("acks", "1")])
        sink.look()
        #expect(eventually { sink.status.fault != nil })
        #expect(sink.status.fault?.isPassing == false)
        #expect(sink.isLate)
        sink.stop()
    }
}
