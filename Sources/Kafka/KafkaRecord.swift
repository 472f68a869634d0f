/// One record to be written to a topic.
public struct KafkaRecord: Sendable {
    public var topic: String
    /// Records with the same key go to the same partition, in order. Empty: no key, so any partition.
    public var key: [UInt8]
    public var value: [UInt8]
    public var headers: [(name: String, value: String)]
    /// The place of the record in the log that it was read from. Positions grow strictly from record to record.
    public var position: Int64

    public init(
        topic: String, key: [UInt8], value: [UInt8], headers: [(name: String, value: String)] = [], position: Int64
    ) {
        self.topic = topic
        self.key = key
        self.value = value
        self.headers = headers
        self.position = position
    }
}
