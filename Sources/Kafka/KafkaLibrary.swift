/// librdkafka, loaded when the process makes its first producer. A process without a producer never maps it.
///
/// It stays loaded until the process ends.
public struct KafkaLibrary: Sendable {
    /// The reason why a producer cannot be made or does not take a record, as one sentence. It contains no secret.
    public struct Fault: Error, Sendable, Hashable {
        public let reason: String
        /// librdkafka's name of the error, such as `MSG_SIZE_TOO_LARGE`. Nil if the error is not librdkafka's.
        public let name: String?

        public init(reason: String, name: String? = nil) {
            self.reason = reason
            self.name = name
        }
    }

    /// The version of librdkafka, such as `2.0.2`.
    public let version: String
    let functions: KafkaFunctions

    /// - Parameter name: a path or a soname in place of `librdkafka.so.1`.
    public init(name: String? = nil) throws(Fault) {
        functions = try KafkaFunctions(library: name ?? "librdkafka.so.1")
        version = String(cString: functions.version())
    }
}
