import Kafka
import KafkaSupport
import TestSupport
import Testing

struct KafkaOutageTests {
    @Test func nothingIsLostWhileTheBrokersAreAway() throws {
        let mock = try MockKafka()
        let producer = try KafkaProducer(brokers: mock.brokers)
        try producer.produceAll(clientRecords(1...5_000, topic: "t"))
        var next: Int64 = 5_001
        let isUnderWay = try eventually {
            try producer.poll(milliseconds: 50)
            return producer.deliveredThrough != nil
        }
        #expect(isUnderWay)
        try mock.stop()
        // The outage lasts three seconds, and until the queue is full and librdkafka has noticed the outage.
        let back = ContinuousClock.now + .seconds(3)
        let isOut = try eventually {
            var isFull = false
            for record in clientRecords(next...30_000, topic: "t") {
                isFull = try !producer.produce(record)
                if isFull { break }
                next += 1
            }
            try producer.poll(milliseconds: 50)
            return isFull && producer.trouble != nil && ContinuousClock.now > back
        }
        #expect(isOut)
        #expect(next <= 25_001)
        try mock.start()
        try producer.produceAll(clientRecords(next...30_000, topic: "t"))
        try producer.deliverAll()
        #expect(producer.deliveredThrough == 30_000)
        #expect(producer.trouble == nil)

        // Records whose response was lost may be there twice: these brokers detect no duplicates.
        let records = try KafkaTools.records(of: "t", brokers: mock.brokers)
        #expect(Set(records.compactMap { Int64($0.value) }) == Set(1...30_000))
        #expect(Set(records.map { "\($0.key) \($0.partition)" }).count == 500)
    }

    @Test func withoutABrokerTheQueueIsBounded() throws {
        let log = LogLines()
        let producer = try KafkaProducer(brokers: "127.0.0.1:1", log: log)
        var taken = 0
        for record in clientRecords(1...100_000, topic: "t") {
            guard try producer.produce(record) else { break }
            taken += 1
        }
        #expect(taken == KafkaProducer.largestWindow)
        #expect(producer.outstanding == taken)
        let isNoticed = try eventually {
            try producer.poll(milliseconds: 50)
            return log.all.contains { $0.line.hasPrefix("no broker can be reached: ") }
        }
        #expect(isNoticed)
        #expect(producer.trouble?.contains("Connection refused") == true)
        #expect(try !producer.produce(KafkaRecord(topic: "t", key: [], value: [], position: 100_001)))
        #expect(producer.close(drainMilliseconds: 0) == nil)
    }

    @Test func longRecordsFillTheQueueBefore20000AreInIt() throws {
        let producer = try KafkaProducer(brokers: "127.0.0.1:1")
        var position: Int64 = 0
        let value = [UInt8](repeating: 0x61, count: 100_000)
        while try producer.produce(KafkaRecord(topic: "t", key: [], value: value, position: position)) {
            position += 1
            guard position < 1000 else { break }
        }
        // 32 MiB, and less than one record more.
        #expect(position * 100_000 <= 32 * 1024 * 1024 + 100_000)
        #expect(position > 300)
    }

    @Test func theOwnerContinuesAfterAProducerThatWasClosedInAnOutage() throws {
        let mock = try MockKafka()
        let first = try KafkaProducer(brokers: mock.brokers)
        try first.produceAll(clientRecords(1...3_000, topic: "t"))
        try first.deliverAll()
        try mock.stop()
        try first.produceAll(clientRecords(3_001...9_000, topic: "t"))
        #expect(first.outstanding == 6_000)
        let stored = first.close(drainMilliseconds: 20)
        #expect(stored == 3_000)

        try mock.start()
        let second = try KafkaProducer(brokers: mock.brokers)
        try second.produceAll(clientRecords(((stored ?? 0) + 1)...12_000, topic: "t"))
        #expect(second.close(drainMilliseconds: 300_000) == 12_000)
        let records = try KafkaTools.records(of: "t", brokers: mock.brokers)
        #expect(records.compactMap { Int64($0.value) }.sorted() == Array(1...12_000))
    }

    @Test func aSlowBrokerDelaysTheOthersPositionOnly() throws {
        let mock = try MockKafka()
        try mock.run("rtt 2 500")
        let producer = try KafkaProducer(brokers: mock.brokers)
        var through: Int64 = 0
        try producer.produceAll(clientRecords(1...2_000, topic: "t"))
        let isDelivered = try eventually {
            try producer.poll(milliseconds: 10)
            let now = producer.deliveredThrough ?? 0
            #expect(now >= through)
            #expect(now <= 2_000 - Int64(producer.outstanding))
            through = now
            return producer.outstanding == 0
        }
        #expect(isDelivered)
        #expect(through == 2_000)
    }
}
