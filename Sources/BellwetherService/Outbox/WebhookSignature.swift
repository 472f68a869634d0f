internal import BellwetherBase
internal import BellwetherCore

/// Secrets that sign webhooks, by name: the setting `webhooks.secrets` (docs/reference/webhooks.md#secrets).
public struct WebhookSecrets: Sendable, Hashable {
    private var keys: [String: [UInt8]] = [:]

    public init() {}

    public var isEmpty: Bool { keys.isEmpty }

    /// What stands after `whsec_` is Base64 of the key; another text is the key itself. False: the text is no secret.
    public mutating func add(_ text: String, named name: String) -> Bool {
        let prefix = "whsec_"
        let key = text.hasPrefix(prefix) ? Base64.decode(String(text.dropFirst(prefix.count))) : Array(text.utf8)
        guard let key, !key.isEmpty, !name.isEmpty else { return false }
        keys[name] = key
        return true
    }

    func key(named name: String) -> [UInt8]? { keys[name] }
}

/// The signature of Standard Webhooks 1.0.0, symmetric.
public enum WebhookSignature {
    /// The value of `webhook-signature`. `timestamp` is in seconds since 1970.
    public static func text(id: String, timestamp: Int64, body: [UInt8], key: [UInt8]) -> String {
        let content = Array("\(id).\(timestamp).".utf8) + body
        return "v1," + Base64.encode(Array(HMAC.authenticationCode(for: content, key: key))[...])
    }
}
