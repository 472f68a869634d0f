/// The options of a producer by librdkafka's names, in the order in which they are set.
struct KafkaOptions {
    let pairs: [(name: String, value: String)]
    private let secrets: [String]

    /// Options that an operator may replace.
    private static let defaults = [
        ("queue.buffering.max.messages", "20000"),
        ("queue.buffering.max.kbytes", "32768"),
        ("linger.ms", "20"),
        ("compression.type", "zstd"),
        // The partitioner of Kafka's Java clients, so that a key has the same partition for all producers.
        ("partitioner", "murmur2_random"),
    ]

    /// Options that have one value, because the promise depends on it: no report is lost, and every report says whether
    /// all replicas have the record. The second name of an option is an alias.
    private static let fixed = [
        ("enable.idempotence", "true"),
        // Zero: a record is tried until it is delivered. With a timeout, an outage would lose records.
        ("delivery.timeout.ms", "0"), ("message.timeout.ms", "0"),
        ("acks", "all"), ("request.required.acks", "all"),
        ("delivery.report.only.error", "false"),
        ("log.queue", "true"),
    ]

    private static let refused = [
        "bootstrap.servers": "the brokers are not an option",
        "metadata.broker.list": "the brokers are not an option",
        "transactional.id": "the producer has no transactions",
    ]

    /// Checks the options of the operator. No fault contains a value.
    init(brokers: String, options: [(name: String, value: String)]) throws(KafkaLibrary.Fault) {
        for option in options { try Self.check(option.name, option.value) }
        pairs = Self.defaults + options + Self.fixed + [("bootstrap.servers", brokers)]
        secrets = options.filter { Self.isSecret($0.name) && !$0.value.isEmpty }.map(\.value)
    }

    private static func check(_ name: String, _ value: String) throws(KafkaLibrary.Fault) {
        if let reason = refused[name] {
            throw KafkaLibrary.Fault(reason: "the option \(name) cannot be set: \(reason)")
        }
        // librdkafka's simulated brokers would report each record as delivered.
        guard !name.hasPrefix("test.") else {
            throw KafkaLibrary.Fault(reason: "the option \(name) cannot be set: it is for tests of librdkafka")
        }
        guard let only = fixed.first(where: { $0.0 == name })?.1 else { return }
        // Kafka's number for all replicas is -1.
        guard value == only || (only == "all" && value == "-1") else {
            throw KafkaLibrary.Fault(
                reason: "the option \(name) cannot be changed: it is \(only), so that no record is lost")
        }
    }

    /// Whether the value of an option must not be written anywhere.
    static func isSecret(_ name: String) -> Bool {
        ["pass", "secret", "pem", "jaas", "oauthbearer.config"].contains { name.contains($0) }
    }

    /// A text of librdkafka without the values of secret options.
    func withoutSecrets(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: "[secret]") }
    }
}
