public import BellwetherBase
internal import BellwetherCore

/// A token that an administrator wants made.
public struct TokenRequest: Sendable {
    public let name: String
    public let scope: Scope
    public let app: String
    /// A token for web pages, which everyone may read.
    public var isWeb = false
    /// The first characters of the token's text (`TokenText.isPrefix`).
    public var prefix = TokenText.defaultPrefix
    public let expires: Timestamp?
    /// See `ChangeAuthor`.
    public let author: String
    /// Names that tokens of the configuration have.
    public var takenNames: [String] = []

    public init(name: String, scope: Scope, app: String, expires: Timestamp?, author: String) {
        self.name = name
        self.scope = scope
        self.app = app
        self.expires = expires
        self.author = author
    }
}

/// A token that was just made: the only time that its text is known.
public struct IssuedToken: Sendable {
    public let token: StoredToken
    public let text: String
}

public enum TokenRefusal: Error, Sendable, Hashable {
    /// A living token has that name.
    case nameTaken
    /// As many live as may.
    case tooMany
    case notFound
    case store(StoreError)
}

/// The tokens that the daemon made, and the last use of each token.
public struct TokenListing: Sendable {
    /// In the order in which they were made.
    public let issued: [StoredToken]
    /// By digest; of the configuration's tokens since the daemon's start.
    public let uses: [[UInt8]: Timestamp]
}
