internal import BellwetherBase

/// The key and the secret that sign requests. No text of it has the secret or the token of the session.
public struct ObjectCredentials: Sendable, Hashable {
    public let accessKey: String
    public let secret: String
    public let sessionToken: String?
    /// When the store begins to refuse them, in milliseconds since 1970; nil if nothing says so.
    public let expiresAt: Int64?

    /// Nil unless the texts fit into headers: printable ASCII without spaces. An empty token is none.
    public init?(accessKey: String, secret: String, sessionToken: String? = nil, expiresAt: Int64? = nil) {
        let token = sessionToken.flatMap { $0.isEmpty ? nil : $0 }
        guard Self.fits(accessKey), Self.fits(secret), token.map(Self.fits) ?? true,
            accessKey.utf8.allSatisfy({ $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ",") })
        else { return nil }
        (self.accessKey, self.secret, self.sessionToken, self.expiresAt) = (accessKey, secret, token, expiresAt)
    }

    private static func fits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 8192 && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}

extension ObjectCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "credentials (hidden)" }
    public var debugDescription: String { description }
    /// `dump` and string interpolation of a value that contains credentials show no member.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
