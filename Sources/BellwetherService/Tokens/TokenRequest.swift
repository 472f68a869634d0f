public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// An administrator's request for a token.
public struct TokenRequest: Sendable {
    public let name: Identifier
    public let scope: Scope
    public let app: Identifier
    /// A token for web pages, which everyone may read.
    public var isWeb = false
    /// The first characters of the token's text (`TokenText.isPrefix`).
    public var prefix = TokenText.defaultPrefix
    public let expires: Timestamp?
    /// See `ChangeAuthor`.
    public let author: String
    /// The names of tokens in the configuration.
    public var takenNames: [Identifier] = []

    public init(name: Identifier, scope: Scope, app: Identifier, expires: Timestamp?, author: String) {
        self.name = name
        self.scope = scope
        self.app = app
        self.expires = expires
        self.author = author
    }
}

/// A token that was just issued. This is the only time at which its text is known.
public struct IssuedToken: Sendable {
    public let token: StoredToken
    public let text: String
}

public enum TokenRefusal: Error, Sendable, Hashable {
    /// A living token has that name.
    case nameTaken
    /// The maximum number of tokens, or of accounts, is living.
    case tooMany
    case notFound
    /// The installation would have no administrator afterwards.
    case lastAdministrator
    /// The account is a provider's, which decides its roles and its sign-in.
    case ofProvider
    case store(StoreError)
}

/// The tokens that the daemon issued, and the last use of each token.
public struct TokenListing: Sendable {
    /// The tokens in the order of their issue.
    public let issued: [StoredToken]
    /// The last uses by digest; for tokens of the configuration, since the daemon's start.
    public let uses: [[UInt8]: Timestamp]
}
