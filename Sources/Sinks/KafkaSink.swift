internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import BellwetherService
internal import Kafka
public import Logging

/// The settings of a sink to Kafka.
public struct KafkaSettings: Sendable {
    /// Hosts with ports, separated by commas.
    public var brokers: String
    /// The topic, with `{app}` for the app's name.
    public var topic: String
    /// librdkafka's options.
    public var options: [(name: String, value: String)]
    /// The name of the library; nil means Debian's.
    public var library: String?
    public var drainMilliseconds: Int

    public init(
        brokers: String, topic: String, options: [(name: String, value: String)], library: String?,
        drainMilliseconds: Int
    ) {
        (self.brokers, self.topic, self.options) = (brokers, topic, options)
        (self.library, self.drainMilliseconds) = (library, drainMilliseconds)
    }

    /// The topic of an app. Kafka allows fewer characters than the names of apps have.
    func topic(of app: Identifier) -> String {
        let name = app.utf8.map { byte -> String in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                String(UnicodeScalar(byte))
            default: "_" + String(byte, radix: 16, uppercase: true)
            }
        }
        return topic.replacing("{app}", with: name.joined())
    }
}

/// Writes the log's records to topics of Kafka: each at least once, and those of a client in their order
/// (docs/operators-guide.md#kafka).
///
/// If several daemons share a store, one at a time writes, under a lease. The stored position of an app is below its
/// first record without a report of delivery. While the brokers are away, at most 20,000 records are in memory: the
/// log keeps the others.
public final class KafkaSink: Sink {
    private static let leaseSeconds: Int64 = 90
    /// The time of one session, after which the lease is taken anew.
    private static let sessionSeconds: Int64 = 60
    private static let page = 1_000
    private static let idleMilliseconds = 200
    /// The time between two writes of positions.
    private static let positionNanoseconds: UInt64 = 1_000_000_000

    private let schedule: SinkSchedule
    private let kafka: KafkaSettings
    private let line: @Sendable (TelemetryRow, inout [UInt8]) -> Void
    private let logger: Logger

    /// - Parameter line: writes a record as a line of NDJSON.
    public init(
        _ settings: SinkSettings, _ kafka: KafkaSettings, from persistence: Persistence, queue: BackgroundQueue,
        logger: Logger, line: @escaping @Sendable (TelemetryRow, inout [UInt8]) -> Void
    ) {
        (self.kafka, self.logger, self.line) = (kafka, logger, line)
        schedule = SinkSchedule(
            settings, every: 0, lease: Self.leaseSeconds, in: persistence, queue: queue, logger: logger)
    }

    public var settings: SinkSettings { schedule.settings }
    public var status: SinkStatus { schedule.status }
    public var isLate: Bool { schedule.isLate }

    /// Begins a session if none runs.
    public func look() { schedule.look { () throws(SinkFault) in try self.run() } }

    /// Ends the session: reads no more, waits for deliveries up to the drain time, and stores the positions.
    public func stop() { schedule.stop() }

    private var store: any Store { schedule.persistence.store }

    private func run() throws(SinkFault) {
        var session = try Session(self)
        let end = MonotonicTime.nanoseconds + UInt64(Self.sessionSeconds) * 1_000_000_000
        var fault: SinkFault?
        do throws(SinkFault) {
            while !schedule.isStopped, MonotonicTime.nanoseconds < end { try session.step() }
        } catch {
            fault = error
        }
        let trouble = try session.close()
        if let fault = fault ?? trouble { throw fault }
    }

    /// One producer and the positions of the apps, on one thread.
    private struct Session {
        /// The records of one app.
        private struct Log {
            let app: Identifier
            let topic: String
            /// The stored position.
            var position: SinkPosition
            /// The last number that was handed to the producer, and the last one that was delivered.
            var (sent, delivered): (Int64, Int64)
            /// The number of records that were delivered since the position was stored.
            var rows = 0
        }

        private struct Sent {
            /// The place in `logs`.
            let log: Int
            let number: Int64
        }

        private let sink: KafkaSink
        private let producer: KafkaProducer
        private var logs: [Log] = []
        /// The record that is sent. Its memory is kept for the next one.
        private var record = KafkaRecord(
            topic: "", key: [], value: [],
            headers: [("bellwether-id", ""), ("bellwether-schema", String(DataTable.schema))], position: 0)
        /// The id of the last record, its database, and the place of the cursor after it.
        private var (idText, database, idStart): ([UInt8], Int32?, Int) = (Array("0/".utf8), nil, 2)
        /// The records without a report, by their places in the producer's order.
        private var outstanding: [Sent] = []
        private var first: Int64 = 1
        private var storedAt = MonotonicTime.nanoseconds

        init(_ sink: KafkaSink) throws(SinkFault) {
            self.sink = sink
            do {
                let (logger, name) = (sink.logger, sink.settings.name)
                producer = try KafkaProducer(
                    KafkaLibrary(name: sink.kafka.library), brokers: sink.kafka.brokers, options: sink.kafka.options
                ) { level, line in
                    logger.log(
                        level: level <= 4 ? .warning : .debug, "librdkafka",
                        metadata: ["sink": "\(name)", "line": "\(line)"])
                }
            } catch {
                throw SinkFault(error.reason, isPassing: false)
            }
        }

        /// Sends a page of each app, and reads reports.
        mutating func step() throws(SinkFault) {
            var isIdle = true
            for log in try newest() where sink.settings.takes(log.app) {
                if try send(log.app, newest: log.newest) > 0 { isIdle = false }
            }
            try poll(milliseconds: isIdle ? KafkaSink.idleMilliseconds : 0)
            guard MonotonicTime.nanoseconds - storedAt > KafkaSink.positionNanoseconds else { return }
            try storePositions()
        }

        /// Waits for reports up to the drain time, and stores the positions. Returns why records have no report.
        mutating func close() throws(SinkFault) -> SinkFault? {
            let through = producer.close(drainMilliseconds: sink.kafka.drainMilliseconds)
            take(deliveredThrough: through)
            try storePositions()
            return outstanding.isEmpty ? nil : trouble
        }

        private var trouble: SinkFault? { producer.trouble.map { SinkFault($0, isPassing: true) } }

        private func newest() throws(SinkFault) -> [RecordLog] {
            do { return try sink.store.logs(LogQuery(app: nil)).logs } catch { throw SinkFault(error) }
        }

        /// The place of an app in `logs`; nil if nothing was ever stored for it.
        private mutating func place(of app: Identifier) throws(SinkFault) -> Int? {
            if let place = logs.firstIndex(where: { $0.app == app }) { return place }
            guard let position = try sink.store.position(of: sink.settings, in: app) else { return nil }
            logs.append(
                Log(
                    app: app, topic: sink.kafka.topic(of: app), position: position, sent: position.number,
                    delivered: position.number))
            return logs.count - 1
        }

        private mutating func send(_ app: Identifier, newest: Int64) throws(SinkFault) -> Int {
            guard let place = try place(of: app) else { return 0 }
            let after = logs[place].sent
            guard after < newest else { return 0 }
            let page: RecordPage
            do {
                page = try sink.store.records(RecordRange(app: app, after: after, limit: KafkaSink.page))
            } catch {
                throw SinkFault(error)
            }
            guard after >= page.expired || page.rows.isEmpty else {
                throw SinkFault("retention has deleted records of \(app) that were not sent", isPassing: false)
            }
            for row in page.rows {
                try send(row, logs[place].topic)
                outstanding.append(Sent(log: place, number: row.cursor.number))
                logs[place].sent = row.cursor.number
            }
            return page.rows.count
        }

        /// Hands a record to the producer, and waits until it has room.
        private mutating func send(_ row: TelemetryRow, _ topic: String) throws(SinkFault) {
            record.topic = topic
            record.key.removeAll(keepingCapacity: true)
            record.key += row.clientID.utf8
            record.value.removeAll(keepingCapacity: true)
            sink.line(row, &record.value)
            if record.value.last == UInt8(ascii: "\n") { record.value.removeLast() }
            record.headers[0].value = id(of: row.cursor)
            record.position = first + Int64(outstanding.count)
            while true {
                do {
                    if try producer.produce(record) { return }
                } catch {
                    throw SinkFault(error.reason, isPassing: false)
                }
                if sink.schedule.isStopped { throw SinkFault("the daemon stops", isPassing: true) }
                try poll(milliseconds: 50)
                if MonotonicTime.nanoseconds - storedAt > KafkaSink.positionNanoseconds { try storePositions() }
            }
        }

        /// `DATABASE/CURSOR`.
        private mutating func id(of cursor: TelemetryCursor) -> String {
            if cursor.database != database {
                database = cursor.database
                idText = Array((String(cursor.database ?? 0, radix: 36) + "/").utf8)
                idStart = idText.count
            }
            idText.removeSubrange(idStart...)
            cursor.write(to: &idText)
            return String(decoding: idText, as: UTF8.self)
        }

        private mutating func poll(milliseconds: Int) throws(SinkFault) {
            do {
                try producer.poll(milliseconds: milliseconds)
            } catch {
                throw SinkFault(error.reason, isPassing: true)
            }
            take(deliveredThrough: producer.deliveredThrough)
        }

        private mutating func take(deliveredThrough place: Int64?) {
            guard let place, place >= first else { return }
            let count = min(outstanding.count, Int(place - first + 1))
            for record in outstanding[..<count] {
                logs[record.log].delivered = record.number
                logs[record.log].rows += 1
            }
            outstanding.removeFirst(count)
            first += Int64(count)
        }

        /// Stores the positions that have moved, and notes the state.
        private mutating func storePositions() throws(SinkFault) {
            storedAt = MonotonicTime.nanoseconds
            for place in logs.indices {
                let log = logs[place]
                if log.delivered > log.position.number {
                    guard try sink.store.move(log.position, to: log.delivered, at: sink.store.clock.now()) else {
                        throw SinkFault("another process has moved the position of \(log.app)", isPassing: true)
                    }
                    guard let position = try sink.store.position(of: sink.settings, in: log.app) else { continue }
                    logs[place].position = position
                }
                logs[place].rows = 0
                sink.schedule.note(log.app) { $0.rows += log.rows }
            }
            if let trouble { sink.schedule.note(trouble) } else { sink.schedule.succeed() }
        }
    }
}
