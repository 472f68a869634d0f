/// The `Idempotency-Key` of a request, valid for one token and path (docs/reference/http-api.md#idempotency-keys).
public struct IdempotencyKey: Sendable, Hashable {
    /// The name of the token.
    public let token: String
    public let path: String
    /// The value of the header.
    public let text: String

    public init(token: String, path: String, text: String) {
        self.token = token
        self.path = path
        self.text = text
    }

    /// Two keys are equal byte for byte.
    public static func == (left: IdempotencyKey, right: IdempotencyKey) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8) && left.path.utf8.elementsEqual(right.path.utf8)
            && left.token.utf8.elementsEqual(right.token.utf8)
    }
}

/// A key with the digest of the body that came with it.
public struct IdempotencyClaim: Sendable, Hashable {
    public let key: IdempotencyKey
    /// The SHA-256 of the body.
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
    public let app: String
    public let clientID: String?
    public let userID: String?
    public let runID: String?

    public init(app: String, clientID: String? = nil, userID: String? = nil, runID: String? = nil) {
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
