/// How much waits in one of the store's queues, and how much may.
public struct QueueDepth: Sendable, Hashable {
    public let name: String
    public let waiting: Int
    public let bound: Int
}
