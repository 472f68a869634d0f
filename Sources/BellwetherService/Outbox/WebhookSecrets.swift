internal import BellwetherBase
public import BellwetherJSON

/// The secrets of the setting `webhooks.secrets`, by name (docs/reference/webhooks.md#secrets).
public struct WebhookSecrets: Sendable, Hashable {
    /// The apps and addresses that may use a secret. Nil means all of them.
    public struct Scope: Sendable, Hashable {
        public var apps: [Identifier]?
        public var hosts: [WebhookHost]?

        public init(apps: [Identifier]? = nil, hosts: [WebhookHost]? = nil) { (self.apps, self.hosts) = (apps, hosts) }
    }

    private struct Secret: Hashable {
        let key: [UInt8]
        /// Whether the text has the form of a Standard Webhooks key.
        let isKey: Bool
        let scope: Scope
    }

    /// The name of the secret that signs the calls of hooks.
    static let hookKey = "hooks"
    private static let keyPrefix = "whsec_"

    private var secrets: [String: Secret] = [:]

    public init() {}

    /// Adds a secret. The text after `whsec_` is Base64 of the key; another text is the key itself. Returns false if
    /// the text is not a secret.
    public mutating func add(_ text: String, named name: String, for scope: Scope = Scope()) -> Bool {
        let isKey = text.hasPrefix(Self.keyPrefix)
        let key = isKey ? Base64.decode(String(text.dropFirst(Self.keyPrefix.count))) : Array(text.utf8)
        guard let key, !key.isEmpty, !name.isEmpty else { return false }
        secrets[name] = Secret(key: key, isKey: isKey, scope: scope)
        return true
    }

    /// The key with which a webhook of the app to this URL is signed.
    func signingKey(_ name: String, of app: Identifier, to url: WebhookURL) throws(SecretRefusal) -> [UInt8] {
        try secret(name, of: app, to: url).key
    }

    /// Returns the text that replaces `{{secret.NAME}}` in a header.
    ///
    /// - Parameter signing: the names of secrets that sign webhooks of the app.
    func headerText(
        _ name: String, of app: Identifier, to url: WebhookURL, signing: Set<String>
    ) throws(SecretRefusal) -> String {
        let secret = try secret(name, of: app, to: url)
        guard !secret.isKey, name != Self.hookKey, !signing.contains(name) else { throw .signingKey }
        guard let text = String(validating: secret.key, as: UTF8.self),
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw .noText }
        return text
    }

    /// Returns the key of a provider of the app. The key that signs hooks is refused.
    func providerKey(_ name: String, of app: Identifier, to url: WebhookURL) throws(SecretRefusal) -> String {
        try headerText(name, of: app, to: url, signing: [])
    }

    private func secret(_ name: String, of app: Identifier, to url: WebhookURL) throws(SecretRefusal) -> Secret {
        guard let secret = secrets[name] else { throw .unknown }
        if let apps = secret.scope.apps, !apps.contains(app) { throw .otherApp }
        if let hosts = secret.scope.hosts, !hosts.contains(where: { $0.isHost(of: url) }) { throw .otherHost }
        return secret
    }
}

/// The reason why a secret cannot be used.
enum SecretRefusal: Error {
    case unknown, otherApp, otherHost, signingKey, inHeader, noText

    func sentence(_ name: String) -> String {
        switch self {
        case .unknown: "webhooks.secrets has no secret \(name)"
        case .otherApp: "the secret \(name) is not for this app"
        case .otherHost: "the secret \(name) is not for this host"
        case .signingKey: "the secret \(name) signs webhooks and is never put into a header"
        case .inHeader: "the secret \(name) stands in headers of a flow's hook, so it signs no webhook"
        case .noText: "the secret \(name) has characters that no header can have"
        }
    }
}

/// A host in the form of the settings: `crm.example`, with any port, or `crm.example:8443`.
public struct WebhookHost: Sendable, Hashable {
    private let text: String

    /// Nil if the text is not a host. An IPv6 address is in brackets.
    public init?(_ text: String) {
        let bytes = text.utf8.lowercased
        let isAddress = bytes.first == UInt8(ascii: "[")
        let end = isAddress ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : bytes.firstIndex(of: 0x3A)
        let (name, port) = (bytes[..<(end ?? bytes.count)], bytes[(end ?? bytes.count)...])
        guard !name.isEmpty, isAddress ? end != nil : name.allSatisfy(Self.isHostByte),
            port.isEmpty || port.count > 1 && port.first == 0x3A && port.dropFirst().allSatisfy(Self.isDigit)
        else { return nil }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte) || "-._".utf8.contains(byte)
    }

    func isHost(of url: WebhookURL) -> Bool { [url.host, url.name].contains(bytesOf: text) }
}

extension Collection<UInt8> {
    /// The bytes with ASCII letters in lower case. Other letters stay, because some would become ASCII letters.
    var lowercased: [UInt8] { map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}
