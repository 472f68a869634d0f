public import BellwetherBase
public import BellwetherJSON

/// An app as its owner declares it. Nimbus calls it the feature manifest (docs/reference/http-api.md#manifest).
public struct Manifest: Sendable {
    public let appName: String
    public let channel: String?
    /// The text that replaces `%@`: the manifest's, or the app's name.
    public let shortName: String
    /// The scheme that is put before action URLs that start with `://`.
    public let deepLinkScheme: String?
    public let defaultLocale: String
    public let dialect: Dialect
    /// The declared attributes, merged over the SDK's own.
    public let attributes: [String: AttributeType]
    /// The declared behaviour events (docs/reference/events.md#declared-events).
    public let events: [Identifier: EventDeclaration]
    public let surfaces: [Identifier]
    public let privacy: PrivacyLink?
    /// The defaults of the `messaging` feature, with aliases normalised. The built-in values are not merged in.
    public let messaging: JSONObject
    /// The features that are remote configuration, in the order of the document.
    public let features: [FeatureDeclaration]
    /// The pacing that applies to all messages.
    public let pacing: AppPacing?
    /// The receivers of notices. Clients never see them.
    public let notices: [AppNotice]
    public let identity: AppIdentity
    public let web: WebPolicy
    public let theme: Theme?
    public let document: JSONValue
    public let vocabulary: MessagingVocabulary
    /// The built-in values with the manifest's messaging merged over them, as the SDK reads it. This is the lowest
    /// layer; recipes are merged over it.
    public let baseMessaging: JSONObject

    public func feature(_ id: Identifier) -> FeatureDeclaration? { features.first { $0.id == id } }
}

/// The names of an app in the systems that clients poll already (docs/reference/http-api.md#drop-in-interfaces).
public struct AppIdentity: Sendable, Hashable {
    public let appID: Identifier?
    public let applicationIDs: [Identifier]
    public let collections: [Identifier]
}

/// The permissions of web pages for an app: the manifest's `web` (docs/reference/http-api.md#browsers).
public struct WebPolicy: Sendable, Hashable {
    /// The origins of the pages that may call clients' routes.
    public var origins: [BrowserOrigin] = []
    /// The origins from which the hosted page may load images and videos.
    public var mediaOrigins: [BrowserOrigin] = []

    public init() {}
}
