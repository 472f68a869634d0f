/// What an answer must know of its request, kept while the request itself may be gone.
public struct ReplyContext: Sendable {
    /// Whether the connection stays after this answer. Taken from the request, then up to the connection.
    public var keepsAlive: Bool
    let isHead: Bool
    let isHTTP10: Bool
    /// The client's own name for the request, if it is a sane one.
    let clientIdentifier: [UInt8]?
    let generatedID: RequestID

    public init(_ request: Request) {
        keepsAlive = request.head.keepsAlive
        isHead = request.method == .head
        isHTTP10 = request.isHTTP10
        clientIdentifier = request.clientIdentifier.map { Array($0) }
        generatedID = request.generatedID
    }

    /// For an answer to bytes that are no request; the connection is closed after it.
    public init(generatedID: RequestID) {
        keepsAlive = false
        isHead = false
        isHTTP10 = false
        clientIdentifier = nil
        self.generatedID = generatedID
    }
}
