public import Kafka
internal import Synchronization
internal import TestSupport

/// The log lines of a producer.
public final class LogLines: Sendable {
    private let lines = Mutex<[(level: Int, line: String)]>([])

    public init() {}

    public var all: [(level: Int, line: String)] { lines.withLock { $0 } }

    public func append(_ level: Int, _ line: String) { lines.withLock { $0.append((level, line)) } }
}

extension KafkaProducer {
    /// A producer of the installed library.
    public convenience init(
        brokers: String, options: [(name: String, value: String)] = [], log: LogLines = LogLines()
    ) throws {
        try self.init(KafkaLibrary(), brokers: brokers, options: options, log: log.append)
    }

    /// Hands over all records, and waits for reports when the queue is full.
    public func produceAll(_ records: some Sequence<KafkaRecord>) throws {
        for record in records {
            let isTaken = try eventually {
                if try produce(record) { return true }
                try poll(milliseconds: 50)
                return false
            }
            guard isTaken else { throw Failure("the queue stays full") }
        }
    }

    /// Waits until every record is delivered.
    public func deliverAll() throws {
        let isDelivered = try eventually {
            try poll(milliseconds: 50)
            return outstanding == 0
        }
        guard isDelivered else { throw Failure("\(outstanding) records are not delivered: \(trouble ?? "")") }
    }

    /// Hands over records until the producer is over.
    public func fault(producing records: some Sequence<KafkaRecord>) throws -> KafkaFault {
        // librdkafka may refuse a record because of an earlier one, before there is a report of that one.
        do { try produceAll(records) } catch is KafkaLibrary.Fault {} catch is KafkaFault {}
        var fault: KafkaFault?
        let isOver = eventually {
            do throws(KafkaFault) { try poll(milliseconds: 50) } catch { fault = error }
            return fault != nil
        }
        guard isOver, let fault else { throw Failure("the producer has no fault") }
        return fault
    }
}

/// Records of clients as the daemon writes them: `value` is the position as text.
public func clientRecords(
    _ positions: ClosedRange<Int64>, topic: String, clients: Int64 = 500
) -> some Sequence<KafkaRecord> {
    positions.lazy.map { position in
        KafkaRecord(
            topic: topic, key: Array("client-\(position % clients)".utf8), value: Array("\(position)".utf8),
            headers: [("bellwether-id", "7/\(position)"), ("bellwether-schema", "1")], position: position)
    }
}
