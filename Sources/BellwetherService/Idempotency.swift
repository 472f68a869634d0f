/// A request's `Idempotency-Key`: per token and path, bound to the body it came with
/// (docs/reference/http-api.md#idempotency-keys).
public struct IdempotencyClaim: Sendable, Hashable {
    public let token: String
    public let path: String
    public let key: String
    /// SHA-256 of the body.
    public let bodyDigest: [UInt8]

    public init(token: String, path: String, key: String, bodyDigest: [UInt8]) {
        self.token = token
        self.path = path
        self.key = key
        self.bodyDigest = bodyDigest
    }
}

/// The reply kept under an idempotency key.
public struct StoredReply: Sendable, Hashable {
    public let bodyDigest: [UInt8]
    public let status: Int
    public let body: [UInt8]
    /// Of the document that was stored; nil: it had none.
    public let entityTag: String?

    public init(bodyDigest: [UInt8], status: Int, body: [UInt8], entityTag: String? = nil) {
        self.bodyDigest = bodyDigest
        self.status = status
        self.body = body
        self.entityTag = entityTag
    }
}

/// A claim, and how the reply to be kept is made from the outcome, inside the transaction.
public struct IdempotentWrite: Sendable {
    public let claim: IdempotencyClaim
    public let reply: @Sendable ([ChangeResult]) -> (status: Int, body: [UInt8])

    public init(
        claim: IdempotencyClaim, reply: @escaping @Sendable ([ChangeResult]) -> (status: Int, body: [UInt8])
    ) {
        self.claim = claim
        self.reply = reply
    }
}
