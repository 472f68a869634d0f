import Kafka
import KafkaSupport
import Testing

struct KafkaDeliveryTests {
    @Test func recordsWithKeysArriveOnceAndInOrder() throws {
        let mock = try MockKafka()
        try mock.run("topic telemetry 8")
        let producer = try KafkaProducer(brokers: mock.brokers)
        try producer.produceAll(clientRecords(1...20_000, topic: "telemetry"))
        try producer.deliverAll()
        #expect(producer.deliveredThrough == 20_000)

        let records = try KafkaTools.records(of: "telemetry", brokers: mock.brokers)
        #expect(records.count == 20_000)
        #expect(Set(records.compactMap { Int64($0.value) }) == Set(1...20_000))
        #expect(records.allSatisfy { $0.headers == "bellwether-id=7/\($0.value),bellwether-schema=1" })
        let byKey = Dictionary(grouping: records, by: \.key)
        #expect(byKey.count == 500)
        for (_, ofKey) in byKey {
            #expect(Set(ofKey.map(\.partition)).count == 1)
            let positions = ofKey.compactMap { Int64($0.value) }
            #expect(positions == positions.sorted())
        }
        #expect(Set(records.map(\.partition)).count == 8)
    }

    /// Kafka's Java clients choose the partition this way, so that all producers agree.
    @Test func aKeyHasThePartitionThatJavaClientsGiveIt() throws {
        let mock = try MockKafka(brokers: 1)
        try mock.run("topic t 16")
        let producer = try KafkaProducer(brokers: mock.brokers)
        // The keys and hashes of the tests of Kafka's own `Utils.murmur2`.
        let hashes: KeyValuePairs<String, Int32> = [
            "21": -973_932_308, "foobar": -790_332_482, "a-little-bit-long-string": -985_981_536,
            "a-little-bit-longer-string": -1_486_304_829,
            "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58_897_971, "abc": 479_470_107,
        ]
        for (index, (key, _)) in hashes.enumerated() {
            try producer.produceAll([
                KafkaRecord(topic: "t", key: Array(key.utf8), value: [], position: Int64(index))
            ])
        }
        try producer.deliverAll()
        let records = try KafkaTools.records(of: "t", brokers: mock.brokers)
        #expect(records.count == hashes.count)
        for (key, hash) in hashes {
            #expect(records.first { $0.key == key }?.partition == Int(hash & 0x7FFF_FFFF) % 16, "\(key)")
        }
    }

    @Test func emptyAndLongPartsArrive() throws {
        let mock = try MockKafka(brokers: 1)
        try mock.run("topic t 1")
        let producer = try KafkaProducer(brokers: mock.brokers)
        let long = String(repeating: "ä€😀", count: 10_000)
        try producer.produceAll([
            KafkaRecord(topic: "t", key: [], value: [], position: -5),
            KafkaRecord(topic: "t", key: [], value: Array("x".utf8), headers: [("", ""), ("a", "")], position: 0),
            KafkaRecord(
                topic: "t", key: Array("ключ".utf8), value: Array(long.utf8), headers: [("h", long)],
                position: .max),
        ])
        try producer.deliverAll()
        #expect(producer.deliveredThrough == .max)
        let records = try KafkaTools.records(of: "t", brokers: mock.brokers)
        #expect(records.map(\.key) == ["", "", "ключ"])
        #expect(records.map(\.value) == ["", "x", long])
        #expect(records.map(\.headers) == ["", "=,a=", "h=\(long)"])
    }

    @Test func closingWaitsForDeliveries() throws {
        let mock = try MockKafka()
        let producer = try KafkaProducer(brokers: mock.brokers)
        try producer.produceAll(clientRecords(1...5_000, topic: "t"))
        #expect(producer.close(drainMilliseconds: 300_000) == 5_000)
        #expect(try KafkaTools.records(of: "t", brokers: mock.brokers).count == 5_000)
    }

    @Test func aClosedProducerTakesNothing() throws {
        let producer = try KafkaProducer(brokers: "127.0.0.1:1")
        #expect(producer.close(drainMilliseconds: 0) == nil)
        #expect(producer.close(drainMilliseconds: 0) == nil)
        #expect(throws: KafkaLibrary.Fault(reason: "the producer is closed")) {
            try producer.produce(KafkaRecord(topic: "t", key: [], value: [], position: 1))
        }
        let fault = #expect(throws: KafkaFault.self) { try producer.poll(milliseconds: 0) }
        #expect(fault?.reason == "the producer is closed")
    }
}
