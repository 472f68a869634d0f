/// The facts about a request that its response needs. They outlive the request.
public struct ResponseContext: Sendable {
    /// Whether the connection stays open after this response. The request gives the first value, and the connection may
    /// change it.
    public var keepsAlive: Bool
    let isHead: Bool
    package let isHTTP10: Bool
    /// The client's own id for the request; nil if there is none, or if it is malformed.
    let clientIdentifier: [UInt8]?
    let generatedID: RequestID

    public init(_ request: Request) {
        keepsAlive = request.head.keepsAlive
        isHead = request.method == .head
        isHTTP10 = request.isHTTP10
        clientIdentifier = request.clientIdentifier.map { Array($0) }
        generatedID = request.generatedID
    }

    /// Creates the context of a response to bytes that are no request. The connection is closed after it.
    public init(generatedID: RequestID) {
        keepsAlive = false
        isHead = false
        isHTTP10 = false
        clientIdentifier = nil
        self.generatedID = generatedID
    }
}
