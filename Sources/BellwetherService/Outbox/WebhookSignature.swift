internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// The signature of Standard Webhooks 1.0.0, symmetric.
public enum WebhookSignature {
    /// The value of `webhook-signature`. `timestamp` is in seconds since 1970.
    public static func text(id: Identifier, timestamp: Int64, body: [UInt8], key: [UInt8]) -> String {
        let content = Array("\(id).\(timestamp).".utf8) + body
        return "v1," + Base64.encode(Array(HMAC.authenticationCode(for: content, key: key))[...])
    }
}
