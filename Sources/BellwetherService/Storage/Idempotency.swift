/// Where a request's `Idempotency-Key` counts: per token and path (docs/reference/http-api.md#idempotency-keys).
public struct IdempotencyKey: Sendable, Hashable {
    /// The token's name.
    public let token: String
    public let path: String
    /// The header's value.
    public let text: String

    public init(token: String, path: String, text: String) {
        self.token = token
        self.path = path
        self.text = text
    }

    /// Byte for byte.
    public static func == (left: IdempotencyKey, right: IdempotencyKey) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8) && left.path.utf8.elementsEqual(right.path.utf8)
            && left.token.utf8.elementsEqual(right.token.utf8)
    }
}

/// A key, bound to the body that it came with.
public struct IdempotencyClaim: Sendable, Hashable {
    public let key: IdempotencyKey
    /// SHA-256 of the body.
    public let bodyDigest: [UInt8]

    public init(token: String, path: String, key: String, bodyDigest: [UInt8]) {
        self.key = IdempotencyKey(token: token, path: path, text: key)
        self.bodyDigest = bodyDigest
    }
}

/// The reply kept under an idempotency key.
public struct StoredReply: Sendable, Hashable {
    public let bodyDigest: [UInt8]
    public let status: Int
    public let body: [UInt8]
    /// The entity tag of the document that was stored; nil: it had none.
    public let entityTag: String?
    /// The person or run that it is about; nil: none.
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

/// The client, user or run that a stored reply is about: it is erased with the client, with the user and with the run.
public struct ReplySubject: Sendable, Hashable {
    public let app: String
    public let clientID: String?
    public let userID: String?
    public let runID: String?

    public init(app: String, clientID: String? = nil, userID: String? = nil, runID: String? = nil) {
        (self.app, self.clientID, self.userID, self.runID) = (app, clientID, userID, runID)
    }
}

/// A claim, and how the reply to be kept is made from the outcome, inside the transaction.
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
