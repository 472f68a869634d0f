internal import CKafka

/// A producer that delivers records at least once, in the order of their positions for each key.
///
/// One thread uses it. It has librdkafka's threads, and calls `log` from `poll` and `close` only. A record that cannot
/// be delivered is never skipped: it ends the producer, and its owner makes a new one and reads again from
/// `deliveredThrough`.
public final class KafkaProducer {
    /// The largest number of records from the lowest outstanding one to the newest.
    public static let largestWindow = 20_000

    /// The last error that librdkafka retries, such as brokers that are away. Nil after the next delivery.
    public private(set) var trouble: String?

    private let functions: KafkaFunctions
    private let options: KafkaOptions
    private let log: @Sendable (_ level: Int, _ line: String) -> Void
    private let handle: UnsafeMutableRawPointer
    private let queue: UnsafeMutableRawPointer
    private var window = DeliveryWindow(capacity: largestWindow)
    /// Why the producer takes no more records.
    private var end: KafkaFault?
    private var isClosed = false
    // The memory of one call, kept for the next.
    private var parts: [bellwether_kafka_part] = []
    private var reports = [UnsafePointer<bellwether_kafka_report>?](repeating: nil, count: 1000)

    /// Does not wait for a broker: an address that does not answer is a line of `log`.
    ///
    /// - Parameters:
    /// - brokers: hosts with ports, separated by commas.
    /// - options: options by librdkafka's names. Some have a fixed value, and another one is a fault.
    /// - log: takes librdkafka's log lines, with a level of syslog (3: error, 7: debug).
    public init(
        _ library: KafkaLibrary, brokers: String, options: [(name: String, value: String)],
        log: @escaping @Sendable (_ level: Int, _ line: String) -> Void
    ) throws(KafkaLibrary.Fault) {
        let functions = library.functions
        let options = try KafkaOptions(brokers: brokers, options: options)
        let handle = try Self.open(functions, options, version: library.version)
        _ = functions.setLogQueue(handle, nil)
        self.functions = functions
        self.options = options
        self.log = log
        self.handle = handle
        queue = functions.mainQueue(handle)
    }

    /// Throws the fault of options that no producer takes. librdkafka itself checks the others when one is made.
    public static func check(_ options: [(name: String, value: String)]) throws(KafkaLibrary.Fault) {
        _ = try KafkaOptions(brokers: "", options: options)
    }

    deinit { _ = close(drainMilliseconds: 0) }

    /// Every record with a position up to this one is delivered. Nil: none was delivered.
    public var deliveredThrough: Int64? { window.deliveredThrough }

    /// The number of records without a report.
    public var outstanding: Int { window.outstanding }

    /// Hands a record to librdkafka, which copies it. False if the queue is full: poll, then try again.
    ///
    /// After a fault the record is not taken. If the record is too large, the producer takes others; if it is over, it
    /// takes none. The position must be above the last one that was taken.
    public func produce(_ record: KafkaRecord) throws(KafkaLibrary.Fault) -> Bool {
        if let end { throw KafkaLibrary.Fault(reason: end.reason, name: end.name) }
        precondition(window.newest.map { $0 < record.position } ?? true, "positions must grow")
        guard !window.isFull else { return false }
        guard let error = send(record) else {
            window.append(record.position)
            return true
        }
        defer { functions.destroyError(error) }
        let code = functions.code(error)
        if code == RD_KAFKA_RESP_ERR__QUEUE_FULL { return false }
        if let fatal = fatal() {
            end = fatal
            throw KafkaLibrary.Fault(reason: fatal.reason, name: fatal.name)
        }
        let detail = String(cString: functions.text(error))
        throw KafkaLibrary.Fault(
            reason: options.withoutSecrets(functions.sentence(code, topic: record.topic, detail: detail)),
            name: functions.name(code))
    }

    /// Waits at most this time for the first report, reads all that have arrived, and passes on log lines.
    ///
    /// Throws if a report failed or librdkafka has a fatal error. Then the producer is over.
    public func poll(milliseconds: Int) throws(KafkaFault) {
        if end == nil { read(milliseconds: milliseconds) }
        if let end { throw end }
    }

    /// Waits at most this time until all records are delivered, and ends the producer. Returns `deliveredThrough`.
    ///
    /// Records without a report are dropped. The brokers may have them nevertheless.
    public func close(drainMilliseconds: Int) -> Int64? {
        guard !isClosed else { return deliveredThrough }
        isClosed = true
        let deadline = ContinuousClock.now + .milliseconds(drainMilliseconds)
        while end == nil, outstanding > 0 {
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else { break }
            read(milliseconds: Int(left.rounded(.up)))
        }
        end = end ?? KafkaFault(reason: "the producer is closed", name: nil, position: nil)
        _ = functions.purge(handle, Int32(RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT))
        // Reports of deliveries that arrived meanwhile count.
        read(milliseconds: 0)
        functions.destroyQueue(queue)
        functions.destroy(handle)
        return deliveredThrough
    }
}

extension KafkaProducer {
    /// Makes the handle. librdkafka checks the options.
    private static func open(
        _ functions: KafkaFunctions, _ options: KafkaOptions, version: String
    ) throws(KafkaLibrary.Fault) -> UnsafeMutableRawPointer {
        guard let settings = functions.makeOptions() else { throw KafkaLibrary.Fault(reason: "no memory is left") }
        for (name, value) in options.pairs {
            var message = [CChar](repeating: 0, count: 512)
            let result = functions.setOption(settings, name, value, &message, message.count)
            guard result != RD_KAFKA_CONF_OK else { continue }
            functions.destroyOptions(settings)
            if result == RD_KAFKA_CONF_UNKNOWN {
                throw KafkaLibrary.Fault(reason: "librdkafka \(version) has no option \(name)")
            }
            let reason = KafkaOptions.isSecret(name) ? "its value is not allowed" : text(message)
            throw KafkaLibrary.Fault(reason: "the option \(name) cannot be set: \(options.withoutSecrets(reason))")
        }
        functions.setEvents(settings, Int32(RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_LOG | RD_KAFKA_EVENT_ERROR))
        var message = [CChar](repeating: 0, count: 512)
        guard let handle = functions.make(Int32(RD_KAFKA_PRODUCER), settings, &message, message.count) else {
            functions.destroyOptions(settings)
            throw KafkaLibrary.Fault(
                reason: "librdkafka \(version) refuses the options: \(options.withoutSecrets(text(message)))")
        }
        return handle
    }

    /// A text that librdkafka wrote into a buffer.
    private static func text(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns nil, or an error to be destroyed.
    private func send(_ record: KafkaRecord) -> UnsafeMutableRawPointer? {
        let headers = headers(record)
        let error = record.topic.withCString { topic in
            record.key.withUnsafeBytes { key in
                record.value.withUnsafeBytes { value in send(topic, key, value, headers) }
            }
        }
        // librdkafka owns the headers of a record that it has taken.
        if error != nil, let headers { functions.destroyHeaders(headers) }
        return error
    }

    private func headers(_ record: KafkaRecord) -> UnsafeMutableRawPointer? {
        guard !record.headers.isEmpty, let headers = functions.makeHeaders(record.headers.count) else { return nil }
        for (name, value) in record.headers {
            _ = functions.addHeader(headers, name, name.utf8.count, value, value.utf8.count)
        }
        return headers
    }

    private func send(
        _ topic: UnsafePointer<CChar>, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
        _ headers: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        parts.removeAll(keepingCapacity: true)
        parts.append(bellwether_kafka_part_topic(topic))
        // An empty value has an address. Without one it would be null, which deletes the key in a compacted topic.
        parts.append(bellwether_kafka_part_value(value.baseAddress ?? UnsafeRawPointer(topic), value.count))
        if !key.isEmpty { parts.append(bellwether_kafka_part_key(key.baseAddress, key.count)) }
        parts.append(bellwether_kafka_part_flags(Int32(RD_KAFKA_MSG_F_COPY)))
        // One above the number, because a pointer of zero is nil.
        parts.append(bellwether_kafka_part_mark(UnsafeMutableRawPointer(bitPattern: window.next + 1)))
        if let headers { parts.append(bellwether_kafka_part_headers(headers)) }
        return parts.withUnsafeBufferPointer { parts in
            parts.baseAddress.flatMap { functions.produce(handle, $0, parts.count) }
        }
    }

    /// Reads events: waits for the first at most this time, and for no other.
    private func read(milliseconds: Int) {
        var wait = Int32(clamping: max(0, milliseconds))
        while let event = functions.poll(queue, wait) {
            wait = 0
            switch Int(functions.eventType(event)) {
            case RD_KAFKA_EVENT_DR: readReports(event)
            case RD_KAFKA_EVENT_LOG: passOn(event)
            case RD_KAFKA_EVENT_ERROR: readError(event)
            default: break
            }
            functions.destroyEvent(event)
        }
    }

    private func readReports(_ event: UnsafeMutableRawPointer) {
        while true {
            let count = reports.withUnsafeMutableBufferPointer { reports in
                reports.baseAddress.map { functions.eventReports(event, $0, reports.count) } ?? 0
            }
            guard count > 0 else { return }
            for case let report? in reports[..<count] {
                let number = Int(bitPattern: report.pointee.mark) - 1
                if report.pointee.error == RD_KAFKA_RESP_ERR_NO_ERROR {
                    window.deliver(number)
                    trouble = nil
                } else if end == nil {
                    end = fatal() ?? fault(report.pointee, number)
                }
            }
        }
    }

    private func fault(_ report: bellwether_kafka_report, _ number: Int) -> KafkaFault {
        let topic = report.topic.map { String(cString: functions.topicName($0)) }
        return KafkaFault(
            reason: functions.sentence(report.error, topic: topic), name: functions.name(report.error),
            position: window.position(of: number))
    }

    /// Takes an error that is not of one record. librdkafka goes on trying, unless the error is fatal.
    private func readError(_ event: UnsafeMutableRawPointer) {
        if end == nil, let fatal = fatal() {
            end = fatal
            return
        }
        let code = functions.eventError(event)
        let detail = functions.eventErrorText(event).map { String(cString: $0) }
        let line = options.withoutSecrets(functions.sentence(code, detail: detail.map(Self.withoutTime)))
        // That all brokers are away says less than the error of one.
        if code != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || trouble == nil { trouble = line }
        log(4, line)
    }

    /// An error without its end, such as `(after 3ms in state CONNECT)`, which differs from one attempt to the next.
    private static func withoutTime(_ text: String) -> String {
        text.firstRange(of: " (after ").map { String(text[..<$0.lowerBound]) } ?? text
    }

    private func passOn(_ event: UnsafeMutableRawPointer) {
        var facility: UnsafePointer<CChar>?
        var text: UnsafePointer<CChar>?
        var level: Int32 = 0
        guard functions.eventLog(event, &facility, &text, &level) == 0, let facility, let text else { return }
        let subject = String(cString: facility)
        // There is an error event with the same text.
        guard subject != "FAIL" || level >= 7 else { return }
        log(Int(level), options.withoutSecrets("\(subject): \(String(cString: text))"))
    }

    /// The error after which librdkafka takes no more records. Nil: there was none.
    private func fatal() -> KafkaFault? {
        var message = [CChar](repeating: 0, count: 512)
        let code = functions.fatalError(handle, &message, message.count)
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        let reason = options.withoutSecrets(functions.sentence(code, detail: Self.text(message)))
        return KafkaFault(reason: reason, name: functions.name(code), position: nil)
    }
}
