public import BellwetherJSON

/// The `Idempotency-Key` of a request, valid for one token and path (docs/reference/http-api.md#idempotency-keys).
public struct IdempotencyKey: Sendable, Hashable {
    /// The name of the token.
    public let token: Identifier
    public let path: Identifier
    /// The value of the header.
    public let text: Identifier

    public init(token: Identifier, path: Identifier, text: Identifier) {
        self.token = token
        self.path = path
        self.text = text
    }
}

/// A key with the digest of the body that came with it.
public struct IdempotencyClaim: Sendable, Hashable {
    public let key: IdempotencyKey
    /// The SHA-256 of the body.
    public let bodyDigest: [UInt8]

    public init(token: Identifier, path: Identifier, key: Identifier, bodyDigest: [UInt8]) {
        self.key = IdempotencyKey(token: token, path: path, text: key)
        self.bodyDigest = bodyDigest
    }
}

/// The reply kept under an idempotency key.
public struct StoredReply: Sendable, Hashable {
    public let bodyDigest: [UInt8]
    public let status: Int
    public let body: [UInt8]
    /// The entity tag of the document that was stored; nil if it had none.
    public let entityTag: String?
    /// The person or run that it is about; nil if there is none.
    public let subject: ReplySubject?

    public init(
        bodyDigest: [UInt8], status: Int, body: [UInt8], entityTag: String? = nil, subject: ReplySubject? = nil
    ) {
        self.bodyDigest = bodyDigest
        self.status = status
        self.body = body
        self.entityTag = entityTag
        self.subject = subject
    }
}

/// The client, user or run that a stored reply is about. The reply is erased with each of them.
public struct ReplySubject: Sendable, Hashable {
    public let app: Identifier
    public let clientID: Identifier?
    public let userID: Identifier?
    public let runID: Identifier?

    public init(app: Identifier, clientID: Identifier? = nil, userID: Identifier? = nil, runID: Identifier? = nil) {
        (self.app, self.clientID, self.userID, self.runID) = (app, clientID, userID, runID)
    }
}

/// A claim, and the function that makes the reply to store from the outcome, inside the transaction.
public struct IdempotentWrite<Value: Sendable>: Sendable {
    public let claim: IdempotencyClaim
    public let reply: @Sendable (Value) -> (status: Int, body: [UInt8])

    public init(
        claim: IdempotencyClaim, reply: @escaping @Sendable (Value) -> (status: Int, body: [UInt8])
    ) {
        self.claim = claim
        self.reply = reply
    }
}
