public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// A webhook that waits to be sent, or that the daemon gave up.
///
/// A transaction writes it in the same commit as the change that causes it. The row is deleted when the receiver has
/// accepted the webhook (docs/reference/webhooks.md#delivery).
public struct OutboxRow: Sendable, Hashable {
    /// The `webhook-id`: the same in every attempt, so that receivers recognise repeated deliveries.
    public let id: Identifier
    public let app: Identifier
    public let url: String
    /// The name of a secret in the setting `webhooks.secrets`; nil if the webhook is not signed.
    public let secretName: String?
    /// A JSON document.
    public let body: [UInt8]
    /// The client or user that the webhook is about. The row is deleted when this client or user is erased.
    public var clientID: Identifier?
    public let userID: Identifier?
    public let createdAt: Timestamp
    /// The number of attempts that have begun.
    public var attempts = 0
    /// The time of the next attempt; while a daemon holds the lease, the end of the lease.
    public var nextAttempt: Timestamp
    public var state = OutboxState.pending
    /// The failure of the last attempt, without text of the receiver.
    public var lastFailure: String?
    /// The trace of the request that has caused the webhook; nil if no request has, or if the request named none.
    public var trace: TraceContext?

    /// - Parameter id: 128 random bits (`WebhookID`). They are drawn before the transaction, whose function may run
    ///   again.
    public init(
        id: Identifier, app: Identifier, url: String, secretName: String? = nil, body: [UInt8],
        clientID: Identifier? = nil,
        userID: Identifier? = nil, createdAt: Timestamp
    ) {
        self.id = id
        self.app = app
        self.url = url
        self.secretName = secretName
        self.body = body
        self.clientID = clientID
        self.userID = userID
        self.createdAt = createdAt
        nextAttempt = createdAt
    }
}

public enum OutboxState: Sendable, Hashable {
    case pending
    /// The webhook was given up. It is kept for a time, so that it can be listed.
    case dead(at: Timestamp)
}

extension OutboxRow {
    /// The maximum number of pending rows. If there are more, the oldest become dead.
    public static let pendingBound = 100_000
    /// The maximum number of dead rows. If there are more, the oldest are deleted.
    public static let deadBound = 100_000

    /// The failure of a row that became dead because too many were pending.
    public static let overflow = "more than \(pendingBound) webhooks were waiting"
    /// The failure of a row that was restored from a backup.
    public static let restored = "restored from a backup"

    /// The host and port of the receiver, always in the same spelling. Empty if the URL is invalid.
    public var host: String { WebhookURL(url)?.host ?? "" }
}

/// Makes ids of webhooks.
public enum WebhookID {
    private static let prefix = "msg_"

    /// 128 random bits.
    public static func make() -> Identifier {
        var generator = SystemRandomNumberGenerator()
        let words = [generator.next(), generator.next()].map { (word: UInt64) in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }
        return Identifier(prefix + words.joined())
    }

    /// 128 bits that the parts determine. They are the same for the same call, also after a crash.
    static func make(of parts: [[UInt8]]) -> Identifier {
        Identifier(prefix + Digest.hex(Array(Digest.sha256(parts.flatMap { Digest.sha256($0) }).prefix(16))))
    }
}

/// The URL of a webhook. It is absolute, with http or https and a host.
public struct WebhookURL: Sendable, Hashable {
    public let text: String
    /// The host in lower case with the port, without user and password.
    public let host: String
    /// The host in lower case, without the port.
    public let name: String
    /// The URL without user, password, query and fragment, which may be secret.
    public let shown: String

    /// Nil if the text is no such URL. Spaces, control characters and backslashes have to be percent-encoded.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        let scheme = ["https://", "http://"].first { text.lowercased().hasPrefix($0) }
        guard let scheme else { return nil }
        let rest = bytes[scheme.utf8.count...]
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
        guard let first = host.first, first != UInt8(ascii: ":") else { return nil }
        let path = rest[authority.endIndex...].prefix { !"?#".utf8.contains($0) }
        self.text = text
        let port = scheme == "https://" ? ":443" : ":80"
        let whole = String(decoding: host.lowercased, as: UTF8.self)
        let colon = host.last == UInt8(ascii: "]") ? nil : host.lastIndex(of: UInt8(ascii: ":"))
        self.host = colon == nil ? whole + port : whole
        name = colon.map { String(decoding: host[..<$0].lowercased, as: UTF8.self) } ?? whole
        shown = scheme + String(decoding: host, as: UTF8.self) + String(decoding: path, as: UTF8.self)
    }
}
