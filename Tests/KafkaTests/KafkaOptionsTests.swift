import Kafka
import KafkaSupport
import TestSupport
import Testing

struct KafkaOptionsTests {
    @Test(arguments: [
        ("enable.idempotence", "false"), ("delivery.timeout.ms", "300000"), ("message.timeout.ms", "1"),
        ("acks", "1"), ("acks", "0"), ("request.required.acks", "1"), ("delivery.report.only.error", "true"),
        ("log.queue", "false"), ("transactional.id", "t"), ("bootstrap.servers", "other:9092"),
        ("test.mock.num.brokers", "3"),
    ]) func anOptionThatThePromiseDependsOnCannotBeChanged(name: String, value: String) throws {
        let fault = #expect(throws: KafkaLibrary.Fault.self) {
            try KafkaProducer(brokers: "127.0.0.1:1", options: [(name, value)])
        }
        #expect(fault?.reason.hasPrefix("the option \(name) cannot be ") == true)
    }

    @Test(arguments: [
        ("acks", "all"), ("acks", "-1"), ("enable.idempotence", "true"), ("linger.ms", "5"),
        ("compression.type", "none"), ("partitioner", "consistent_random"), ("queue.buffering.max.messages", "100"),
        ("queue.buffering.max.messages", "500000"), ("client.id", "bellwether"),
    ]) func otherOptionsAreTaken(name: String, value: String) throws {
        _ = try KafkaProducer(brokers: "127.0.0.1:1", options: [(name, value)])
    }

    @Test func anUnknownOptionIsNamedWithoutItsValue() throws {
        let fault = #expect(throws: KafkaLibrary.Fault.self) {
            try KafkaProducer(brokers: "127.0.0.1:1", options: [("sasl.pasword", "hunter2")])
        }
        #expect(fault?.reason.hasSuffix("has no option sasl.pasword") == true)
    }

    @Test func aValueThatIsNotAllowedIsAFault() throws {
        let fault = #expect(throws: KafkaLibrary.Fault.self) {
            try KafkaProducer(brokers: "127.0.0.1:1", options: [("linger.ms", "soon")])
        }
        #expect(fault?.reason.contains("linger.ms") == true)
    }

    @Test func optionsThatContradictEachOtherAreAFault() throws {
        let fault = #expect(throws: KafkaLibrary.Fault.self) {
            try KafkaProducer(
                brokers: "127.0.0.1:1", options: [("max.in.flight.requests.per.connection", "100")])
        }
        #expect(fault?.reason.contains("refuses the options") == true)
    }

    @Test(arguments: ["ssl.key.pem", "ssl.keystore.password", "ssl.key.password", "sasl.oauthbearer.config"])
    func aSecretIsInNoFault(name: String) throws {
        do {
            _ = try KafkaProducer(
                brokers: "127.0.0.1:1",
                options: [
                    ("security.protocol", "ssl"), ("ssl.keystore.location", "/nowhere"), (name, "hunter2"),
                ])
            Issue.record("the options are not refused")
        } catch let fault as KafkaLibrary.Fault { #expect(!fault.reason.contains("hunter2")) }
    }

    /// With `debug` librdkafka writes its options to the log. The broker repeats the password.
    @Test(arguments: [[], [(name: "debug", value: "all")]])
    func aSecretIsInNoLogLine(more: [(name: String, value: String)]) throws {
        let broker = try RefusingBroker()
        let log = LogLines()
        let producer = try KafkaProducer(
            brokers: broker.address,
            options: more + [
                ("security.protocol", "sasl_plaintext"), ("sasl.mechanism", "PLAIN"),
                ("sasl.username", "someone"), ("sasl.password", "hunter2"), ("ssl.key.password", "swordfish"),
            ], log: log)
        let isRefused = try eventually {
            try producer.poll(milliseconds: 50)
            return producer.trouble?.hasPrefix("the brokers refuse the sign-in: ") == true
        }
        #expect(isRefused)
        #expect(producer.trouble?.hasSuffix("SASL authentication error: wrong password: [secret]") == true)
        let lines = log.all.map(\.line)
        #expect(lines.contains { $0.contains("wrong password: [secret]") })
        #expect(lines.contains { $0.contains("sasl.password") } == !more.isEmpty)
        #expect(!lines.contains { $0.contains("hunter2") || $0.contains("swordfish") })
    }
}

struct KafkaLibraryTests {
    @Test func theInstalledLibraryHasAVersion() throws {
        #expect(try KafkaLibrary().version.split(separator: ".").count >= 3)
    }

    @Test func aLibraryThatIsNotInstalledIsNamed() throws {
        let fault = #expect(throws: KafkaLibrary.Fault.self) { try KafkaLibrary(name: "librdkafka.so.99") }
        #expect(fault?.reason.contains("librdkafka.so.99") == true)
        #expect(fault?.reason.contains("librdkafka1") == true)
    }

    @Test func anotherLibraryIsNoLibrdkafka() throws {
        let fault = #expect(throws: KafkaLibrary.Fault.self) { try KafkaLibrary(name: "libc.so.6") }
        #expect(fault?.reason.contains("libc.so.6 has no rd_kafka_version_str") == true)
    }
}
