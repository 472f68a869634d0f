internal import CKafka

/// Why a producer is over, as one sentence. It contains no secret.
public struct KafkaFault: Error, Sendable, Hashable {
    public let reason: String
    /// librdkafka's name of the error, such as `UNKNOWN_TOPIC_OR_PART`. Nil if the producer was closed.
    public let name: String?
    /// The position of the record that was not delivered. Nil if the error is not of one record.
    public let position: Int64?
}

extension KafkaFunctions {
    /// An error as a sentence for operators. `detail` is librdkafka's text of this case, which may name a broker.
    func sentence(_ code: Int32, topic: String? = nil, detail: String? = nil) -> String {
        let detail = detail ?? String(cString: errorText(code))
        let topic = topic ?? "of the record"
        switch Int(code) {
        case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
            return "the topic \(topic) does not exist, and the brokers do not create it"
        case RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION: return "the topic \(topic) has a name that Kafka does not allow"
        case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
            return "the brokers do not allow this user to write to the topic \(topic)"
        case RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED:
            return "the brokers do not allow this user an idempotent producer"
        case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
            return "the record is larger than message.max.bytes, or larger than the topic \(topic) allows"
        case RD_KAFKA_RESP_ERR__AUTHENTICATION, RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED:
            return "the brokers refuse the sign-in: \(detail)"
        case RD_KAFKA_RESP_ERR__SSL: return "no secure connection to a broker: \(detail)"
        case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN: return "no broker can be reached: \(detail)"
        case RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__RESOLVE:
            return "a broker cannot be reached: \(detail)"
        default: return "Kafka reports an error: \(detail)"
        }
    }

    /// librdkafka's name of an error.
    func name(_ code: Int32) -> String { String(cString: errorName(code)) }
}
