public import BellwetherBase
internal import BellwetherCore

/// A webhook that is to be sent, or that the daemon gave up.
///
/// A transaction writes it in the same commit as the change that causes it. The row is deleted when the receiver has
/// taken the webhook (docs/reference/webhooks.md#delivery).
public struct OutboxRow: Sendable, Hashable {
    /// The `webhook-id`: the same in every attempt, so that receivers recognise repeated deliveries.
    public let id: String
    public let app: String
    public let url: String
    /// The name of a secret in the setting `webhooks.secrets`. Nil: the webhook is not signed.
    public let secretName: String?
    /// A JSON document.
    public let body: [UInt8]
    /// The client or user that it is about. Erasing this client or user deletes the row.
    public var clientID: String?
    public let userID: String?
    public let createdAt: Timestamp
    /// Attempts that have begun.
    public var attempts = 0
    /// While a daemon holds the lease: when the lease ends.
    public var nextAttempt: Timestamp
    public var state = OutboxState.pending
    /// The failure of the last attempt, without the receiver's text.
    public var lastFailure: String?

    /// - Parameter id: 128 random bits (`WebhookID`), drawn before the transaction: its function may run again.
    public init(
        id: String, app: String, url: String, secretName: String? = nil, body: [UInt8], clientID: String? = nil,
        userID: String? = nil, createdAt: Timestamp
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
    /// Given up; kept for a time, so that it can be listed.
    case dead(at: Timestamp)
}

extension OutboxRow {
    /// How many may be pending. Where there are more, the oldest become dead.
    public static let pendingBound = 100_000
    /// How many dead ones are kept. Where there are more, the oldest are deleted.
    public static let deadBound = 100_000

    /// The last failure of a row that was the oldest of too many.
    public static let overflow = "more than \(pendingBound) webhooks were waiting"
    /// The last failure of a row that came out of a backup.
    public static let restored = "restored from a backup"

    /// The host and port that the webhook goes to; the same text for the same host. Empty for a URL that is none.
    public var host: String { WebhookURL(url)?.host ?? "" }
}

/// Makes ids of webhooks.
public enum WebhookID {
    private static let prefix = "msg_"

    /// 128 random bits.
    public static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let words = [generator.next(), generator.next()].map { (word: UInt64) in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }
        return prefix + words.joined()
    }

    /// 128 bits that the parts decide: the same for the same call, also after a crash.
    static func make(of parts: [[UInt8]]) -> String {
        prefix + Digest.hex(Array(Digest.sha256(parts.flatMap { Digest.sha256($0) }).prefix(16)))
    }
}

/// The URL of a webhook: an absolute one of http or https with a host.
public struct WebhookURL: Sendable, Hashable {
    public let text: String
    /// In lower case, with the port; without user and password.
    public let host: String
    /// The same without the port.
    let name: String
    /// Without user, password, query and fragment, which may be secret.
    public let shown: String

    /// Nil: no such URL. Spaces, control characters and backslashes have to be percent-encoded.
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
