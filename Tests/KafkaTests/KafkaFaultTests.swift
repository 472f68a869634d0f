import Kafka
import KafkaSupport
import TestSupport
import Testing

struct KafkaFaultTests {
    /// 6: not the leader. 7: timed out. 14: the coordinator is loading. 19: too few replicas. 56: the disk failed.
    @Test(arguments: [6, 7, 14, 19, 56]) func errorsThatPassAreRetried(code: Int) throws {
        let mock = try MockKafka()
        try mock.run("fail \(code) 5")
        let producer = try KafkaProducer(brokers: mock.brokers)
        try producer.produceAll(clientRecords(1...2_000, topic: "t"))
        try producer.deliverAll()
        let records = try KafkaTools.records(of: "t", brokers: mock.brokers)
        #expect(Set(records.compactMap { Int64($0.value) }) == Set(1...2_000))
    }

    /// 10: too large for the topic. 29: not allowed. 87: the broker refuses the record.
    @Test(arguments: [
        (10, "MSG_SIZE_TOO_LARGE", "the record is larger than "),
        (29, "TOPIC_AUTHORIZATION_FAILED", "the brokers do not allow this user to write to the topic t"),
        (87, "INVALID_RECORD", "Kafka reports an error: "),
    ]) func aReportThatFailedEndsTheProducer(code: Int, name: String, reason: String) throws {
        let mock = try MockKafka()
        let producer = try KafkaProducer(brokers: mock.brokers)
        try producer.produceAll(clientRecords(1...1_000, topic: "t"))
        try producer.deliverAll()
        try mock.run("fail \(code) 1")
        let fault = try producer.fault(producing: clientRecords(1_001...2_000, topic: "t"))
        #expect(fault.name == name)
        #expect(fault.reason.hasPrefix(reason))
        let position = try #require(fault.position)
        #expect((1_001...2_000).contains(position))
        let stored = try #require(producer.deliveredThrough)
        #expect((1_000..<position).contains(stored))

        #expect(throws: KafkaLibrary.Fault(reason: fault.reason, name: name)) {
            try producer.produce(KafkaRecord(topic: "t", key: [], value: [], position: 2_001))
        }
        #expect(throws: fault) { try producer.poll(milliseconds: 0) }
        #expect(try #require(producer.close(drainMilliseconds: 300_000)) >= stored)

        // The owner makes a new one and reads again.
        let second = try KafkaProducer(brokers: mock.brokers)
        try second.produceAll(clientRecords((stored + 1)...2_000, topic: "t"))
        #expect(second.close(drainMilliseconds: 300_000) == 2_000)
        let records = try KafkaTools.records(of: "t", brokers: mock.brokers)
        #expect(Set(records.compactMap { Int64($0.value) }) == Set(1...2_000))
    }

    /// 45: a sequence number out of order, after which librdkafka can give no order. 47: another producer took over.
    @Test(arguments: [(45, "OUT_OF_ORDER_SEQUENCE_NUMBER"), (47, "INVALID_PRODUCER_EPOCH")])
    func aFatalErrorEndsTheProducer(code: Int, name: String) throws {
        let mock = try MockKafka()
        let producer = try KafkaProducer(brokers: mock.brokers)
        try mock.run("fail \(code) 10")
        let fault = try producer.fault(producing: clientRecords(1...1_000, topic: "t"))
        #expect(fault.name == name)
        #expect(throws: KafkaLibrary.Fault.self) {
            try producer.produce(KafkaRecord(topic: "t", key: [], value: [], position: 1_001))
        }
        _ = producer.close(drainMilliseconds: 300_000)
    }

    @Test func aTopicThatDoesNotExistEndsTheProducer() throws {
        let mock = try MockKafka(brokers: 1)
        try mock.run("topic-error nowhere 3")
        let producer = try KafkaProducer(
            brokers: mock.brokers, options: [("topic.metadata.propagation.max.ms", "100")])
        let fault = try producer.fault(producing: [KafkaRecord(topic: "nowhere", key: [1], value: [2], position: 9)])
        #expect(fault.reason == "the topic nowhere does not exist, and the brokers do not create it")
        #expect(fault.position == 9)
        #expect(producer.deliveredThrough == nil)
    }

    /// librdkafka frees headers twice when it refuses a record at once, unless it gets them as a list.
    @Test func aTopicThatIsKnownNotToExistIsRefusedAtOnce() throws {
        let mock = try MockKafka(brokers: 1)
        try mock.run("topic-error nowhere 3")
        let begin = {
            try KafkaProducer(brokers: mock.brokers, options: [("topic.metadata.propagation.max.ms", "0")])
        }
        var producer = try begin()
        var fault: KafkaLibrary.Fault?
        var position: Int64 = 0
        let isRefused = try eventually {
            position += 1
            let record = KafkaRecord(
                topic: "nowhere", key: [1], value: [2], headers: [("a", "b"), ("c", "d")], position: position)
            var isTaken = true
            do throws(KafkaLibrary.Fault) { isTaken = try producer.produce(record) } catch { fault = error }
            // The queue may be full before slow brokers have answered.
            if !isTaken { producer = try begin() }
            return fault != nil
        }
        #expect(isRefused)
        #expect(fault?.reason == "the topic nowhere does not exist, and the brokers do not create it")
        #expect(fault?.name == "_UNKNOWN_TOPIC")
    }

    @Test func aRecordThatIsTooLargeIsRefusedAtOnce() throws {
        let producer = try KafkaProducer(brokers: "127.0.0.1:1", options: [("message.max.bytes", "2000")])
        let fault = #expect(throws: KafkaLibrary.Fault.self) {
            try producer.produce(
                KafkaRecord(topic: "t", key: [], value: [UInt8](repeating: 0, count: 3_000), position: 1))
        }
        #expect(fault?.name == "MSG_SIZE_TOO_LARGE")
        #expect(fault?.reason == "the record is larger than message.max.bytes, or larger than the topic t allows")
        #expect(producer.outstanding == 0)
        #expect(try producer.produce(KafkaRecord(topic: "t", key: [], value: [0], position: 1)))
    }
}
